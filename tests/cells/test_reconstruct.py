"""Reconstruction against all sets of rows, and the seven people of Garfinkel, Abowd and Martindale."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import importlib.util
import math
import statistics
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import sqlanon
from sqlanon.tables.programs import has_solver
from tests.budget import examples
from tests.cells.regions import solver
from tests.oracles.tables_together import Person, Published, populations

SPEC = importlib.util.spec_from_file_location(
    "census_block", Path(__file__).parents[2] / "examples" / "census_block.py"
)
assert SPEC is not None
assert SPEC.loader is not None
census_block = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(census_block)

SEXES, AGES = ["F", "M"], ["1", "2", "5", "6"]
CELLS: list[tuple[str, str]] = [*product([*SEXES, "total"], ["total", "<5", ">=2"])]
KINDS: list[Person] = [*product(SEXES, AGES)]


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        if has_solver():
            sqlanon.register_functions(connection)
        connection.execute("create table domain (attribute text, value text)")
        connection.executemany(
            "insert into domain values (?, ?)",
            [*(("sex", sex) for sex in SEXES), *(("age", age) for age in AGES)],
        )
        yield connection


def is_in(person: Person, cell: tuple[str, str]) -> bool:
    sex, age = person
    wanted, years = cell
    return wanted in ("total", sex) and (
        years == "total" or (int(str(age)) < 5 if years == "<5" else int(str(age)) >= 2)
    )


def ages_in(counts: tuple[int, ...], cell: tuple[str, str]) -> list[int]:
    return [
        int(str(person[1]))
        for person, n in zip(KINDS, counts, strict=True)
        if is_in(person, cell)
        for _ in range(n)
    ]


def printed_mean(ages: list[int], decimals: int) -> str | None:
    if not ages:
        return None
    mean = Fraction(sum(ages), len(ages))
    shown = Decimal(mean.numerator) / Decimal(mean.denominator)
    return str(shown.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP))


def agrees(ages: list[int], mean: str | None, median: str | None, decimals: int) -> bool:
    """Can these be what the ages have been published as?"""
    if not ages:  # nobody has a mean
        return mean is None and median is None
    if mean is not None:
        half = Fraction(1, 2 * 10**decimals)
        if not abs(Fraction(sum(ages), len(ages)) - Fraction(mean)) <= half:
            return False
    return median is None or Fraction(statistics.median(map(Fraction, ages))) == Fraction(median)


@solver
@examples(200, quick=4)
@given(
    st.lists(st.sampled_from(KINDS), min_size=1, max_size=5),
    st.lists(st.sampled_from(CELLS), min_size=1, max_size=5, unique=True),
    st.integers(0, 1),
    st.data(),
)
def test_all_sets_of_rows(
    con: duckdb.DuckDBPyConnection,
    everybody: list[Person],
    cells: list[tuple[str, str]],
    decimals: int,
    data: st.DataObject,
) -> None:
    """What is certain is in every set of rows, and the number of sets is that of all of them."""
    truth = tuple(everybody.count(kind) for kind in KINDS)
    rows: list[tuple[str, str, str | None, str | None, str | None]] = []
    said = []
    for cell in {("total", "total"): None, **dict.fromkeys(cells)}:
        ages = ages_in(truth, cell)
        is_hidden = cell != ("total", "total") and data.draw(st.integers(0, 3)) == 0
        mean = printed_mean(ages, decimals) if data.draw(st.booleans()) else None
        median = str(statistics.median(ages)) if ages and not is_hidden and data.draw(st.booleans()) else None
        rows.append((*cell, None if is_hidden else str(len(ages)), mean, median))
        ends = (0, 5) if is_hidden else (len(ages), len(ages))
        said.append((cell, mean, median, Published("", lambda each, cell=cell: is_in(each, cell), *ends)))  # type: ignore[misc]
    agreeing = [
        counts
        for counts in populations(KINDS, [published for *_, published in said])
        if all(agrees(ages_in(counts, cell), mean, median, decimals) for cell, mean, median, _ in said)
    ]
    assume(truth in agreeing)
    con.execute("create or replace temp table block (sex text, age text, value text, mean text, median text)")
    con.executemany("insert into block values (?, ?, ?, ?, ?)", rows)
    most = data.draw(st.sampled_from([1, 3, 100]))
    answer = sqlanon.reconstruct(
        con, ["block"], ["sex", "age"], "domain", measured="age", mean_column="mean", most=5, least=0,
        median_column="median", decimals=decimals, all_cells=False, max_sets=most,
    )  # fmt: skip
    found = answer.fetchall()
    merged = {sex for sex, *_ in found} - {*SEXES}
    certain = {(sex, age): n for sex, age, n, *_ in found if n}
    example = {(sex, age): n for sex, age, _, n, *_ in found if n}
    assert not any(row[-1] for row in found)
    if merged:  # no cell is about a sex: what is told is of both
        assert merged == {"{F, M}"}
        return
    least = {kind: min(counts[i] for counts in agreeing) for i, kind in enumerate(KINDS)}
    assert certain == {kind: n for kind, n in least.items() if n}
    assert tuple(example.get((str(sex), str(age)), 0) for sex, age in KINDS) in agreeing
    assert {row[4] for row in found} == {len(agreeing) if len(agreeing) <= most else None}


@solver
@examples(300, quick=30)
@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=4),
    st.lists(
        st.tuples(
            st.lists(st.integers(-4, 4), min_size=4, max_size=4), st.integers(-9, 9), st.integers(0, 4)
        ),
        max_size=4,
    ),
)
def test_what_a_solver_denies(upper: list[int], asked: list[tuple[list[int], int, int]]) -> None:
    """That no whole numbers agree is said only where none do; what is found agrees."""
    from sqlanon.tables.reconstruction import Model, checked

    model = Model(len(upper), upper)
    for factors, least, width in asked:
        model.add(dict(enumerate(factors[: len(upper)])), least, least + width)
    there = [values for values in product(*(range(most + 1) for most in upper)) if model.fits(values)]
    found, is_none = checked(model, 60)
    assert is_none == (not there)
    assert (found is None) == is_none
    assert found is None or tuple(found.tolist()) in there


@solver
@pytest.mark.slow("10 s of integer programs")
def test_seven_people(con: duckdb.DuckDBPyConnection) -> None:
    """Garfinkel, Abowd and Martindale 2019: exactly one set of rows agrees."""
    found = census_block.people(con, [*census_block.BLOCK, census_block.OF_BLACK_WOMEN]).fetchall()
    assert sorted(f"{age}{sex}{race}{marital}" for sex, race, marital, age, *_ in found) == [
        "18MWS", "24FWS", "30MWM", "36FBM", "66FBM", "84MBM", "8FBS",
    ]  # fmt: skip
    assert {row[4:] for row in found} == {(1, 1, 1, False)}


@solver
@pytest.mark.slow("70 s of integer programs")
def test_without_one_statistic_there_are_two(con: duckdb.DuckDBPyConnection) -> None:
    found = census_block.people(con, census_block.BLOCK).fetchall()
    assert {(certain, sets) for *_, certain, _, sets, _ in found} == {(0, 2)}


@solver
def test_what_cannot_be(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("create or replace temp table one as select 'F' as sex, 2 as value, '9.5' as mean")
    about: dict[str, Any] = {"measured": "age", "mean_column": "mean"}
    with pytest.raises(sqlanon.SqlanonError, match="no set of rows agrees with all"):
        sqlanon.reconstruct(con, ["one"], "sex", "domain", **about)
    con.execute("create or replace temp table wards as select 'A' as ward, 2 as value")
    with pytest.raises(sqlanon.SqlanonError, match="column ward has no values in domain"):
        sqlanon.reconstruct(con, ["wards"], "ward", "domain")
    with pytest.raises(sqlanon.SqlanonError, match="need the column that they are of, measured := "):
        sqlanon.reconstruct(con, ["one"], "sex", "domain", mean_column="mean")
    [row] = sqlanon.reconstruct(con, ["one"], "sex", "domain", solver_seconds=0).fetchall()
    assert row == (None, 0, None, None, True)


@examples(60, quick=4)
@given(
    st.lists(st.tuples(st.sampled_from("FM"), st.sampled_from("ABC"), st.sampled_from("xy")), min_size=1),
    st.lists(st.sampled_from(["sex", "ward", "ill"]), min_size=1, unique=True),
)
def test_a_guess_by_marginals(
    con: duckdb.DuckDBPyConnection, everybody: list[tuple[str, str, str]], by: list[str]
) -> None:
    """As many rows as there are people, each combination as often as expected, or once more."""
    names = ["sex", "ward", "ill"]
    con.execute("create or replace temp table persons (sex text, ward text, ill text)")
    con.executemany("insert into persons values (?, ?, ?)", everybody)
    columns = ", ".join(f"coalesce({name}, 'total') as {name}" for name in by)
    con.execute(
        f"""create or replace temp table first as
        select {columns}, count(*) as value from persons group by cube ({", ".join(by)})"""
    )
    con.execute(
        "create or replace temp table second as select ill, count(*) as value from persons group by ill"
    )
    used = [name for name in names if name in {*by, "ill"}]
    guessed = sqlanon.guess_by_marginals(con, ["first", "second"], used).fetchall()
    n = len(everybody)
    marginals = [
        {value: sum(person[names.index(name)] == value for person in everybody)
         for value in {person[names.index(name)] for person in everybody}}
        for name in used
    ]  # fmt: skip
    expected = {
        key: Fraction(n)
        * math.prod(Fraction(own[value], n) for own, value in zip(marginals, key, strict=True))
        for key in product(*marginals)
    }
    order = sorted(expected, key=lambda key: (-(expected[key] - int(expected[key])), key))
    more = set(order[: n - sum(int(each) for each in expected.values())])
    told = {key: int(each) + (key in more) for key, each in expected.items()}
    assert {tuple(key): count for *key, count in guessed} == {key: n for key, n in told.items() if n}
