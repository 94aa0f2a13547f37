"""Anonymizing within strata: no class mixes them, requirements hold in each, and they stay as they are."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import sqlanon
from sqlanon.anonymize import median_cuts
from sqlanon.cli import app
from tests.anonymize.test_mondrian import Case, Classes, by_class, cases
from tests.budget import examples
from tests.oracles import as_text, canonical, sort_key
from tests.oracles.mondrian import Infeasible
from tests.oracles.mu_argus import SUPPRESSED, MuArgus, frequency, subsets
from tests.tables import columns, load, rows

few = examples(25)


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        sqlanon.register_functions(connection)
        connection.execute("select setseed(0.5)")
        connection.execute(
            """create table people as
            select 'r' || (i % 3) as region, (random() * 60)::integer as age, (random() * 4)::integer as size,
                   ['f', 'm'][1 + (random() * 1.9)::integer % 2] as sex,
                   ['flu', 'hiv', 'cold'][1 + (random() * 2.9)::integer % 3] as disease, i as id
            from range(1, 201) as r(i)"""
        )
        yield connection


@st.composite
def in_strata(draw: st.DrawFn) -> tuple[Case, list[str]]:
    case = draw(cases().filter(lambda case: len(case.qi) > 1))
    names = [c.name for c in case.qi]
    return case, draw(st.lists(st.sampled_from(names), min_size=1, max_size=len(names) - 1, unique=True))


def expected(case: Case, strata: list[str]) -> Classes:
    """The classes of each stratum by the oracle. Infeasible if one cannot be released."""
    oracle, members = case.oracle, dict[Any, list[int]]()
    places = [i for i, c in enumerate(case.qi) if c.name in strata]
    for row in range(oracle.size):
        members.setdefault(tuple(oracle.columns[i][row] for i in places), []).append(row)
    if not all(map(oracle.satisfied, members.values())):
        raise Infeasible
    made = [each for stratum in members.values() for each in oracle.classes_of(stratum)]
    return {oracle.released_values(each): frozenset(each) for each in made}


class TestMondrian:
    @few
    @given(in_strata())
    def test_random_tables(self, con: duckdb.DuckDBPyConnection, given: tuple[Case, list[str]]) -> None:
        case, strata = given
        arguments = {**case.load(con), "strata": strata, "seed": 3}
        try:
            wanted = expected(case, strata)
        except Infeasible:
            with pytest.raises(duckdb.Error, match=r"strata .* violate a requirement as one class"):
                rows(con, "mondrian", "t", **arguments)
            return
        released = rows(con, "mondrian", "t", **arguments)
        assert by_class(released, len(case.qi)) == wanted
        made = sqlanon.mondrian(con, "t", **arguments)
        assert str(made.relation(con).fetchall()) == str(released)  # NaN is NaN

    def test_arrays_have_the_same_classes(self) -> None:
        """As each stratum alone."""
        random = np.random.default_rng(5)
        columns = [random.integers(0, most + 1, 400).astype(np.int32) for most in (3, 40, 1, 20)]
        weights = random.integers(1, 4, 400).astype(np.int32)

        def classes(here: Any, strata: Sequence[int] = ()) -> set[tuple[int, ...]]:
            chosen = [column[here] for column in columns]
            found = median_cuts.classes(
                chosen, weights[here], [3, 40, 1, 20], 5, 2, lambda done: None, strata
            )
            return {tuple(here[found == number]) for number in set(found)}

        apart = [
            np.flatnonzero((columns[0] == one) & (columns[2] == two)) for one in range(4) for two in (0, 1)
        ]
        assert classes(np.arange(400), [2, 0]) == set().union(*map(classes, apart))

    def test_ranges_and_relaxed_cuts(self, con: duckdb.DuckDBPyConnection) -> None:
        made = sqlanon.mondrian(
            con, "people", qi=["age", "size"], keep="id", k=4, strata="size", recoding="range", relaxed=True
        )
        apart = con.execute(f"select count(*) from {made.table} where size.lo <> size.hi").fetchall()
        assert apart == [(0,)]
        assert made.reached["k-anonymity"] >= 4

    def test_a_release_that_recodes_them_is_refused(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            "create or replace table recoded as select '{r1, r2}' as region, '1' as size, id from people"
        )
        assert con.execute(
            "from sqlanon._recoded_strata('recoded', 'people', ['region', 'size'], 'text')"
        ).fetchall() == [(1,)]


class TestMicroaggregation:
    @examples(25, quick=2)
    @given(
        in_strata(),
        st.sampled_from(["mdav", "vmdav", "curve"]),
        st.sampled_from(["microaggregate", "k_similar"]),
    )
    def test_random_tables(
        self, con: duckdb.DuckDBPyConnection, given: tuple[Case, list[str]], algorithm: str, method: str
    ) -> None:
        case, strata = given
        table = [[canonical(c.values[i]) for c in case.qi] for i in range(len(case.qi[0].values))]
        if any(
            value in (float("inf"), float("-inf"), "NaN") or value != value for row in table for value in row
        ):
            return  # nothing has a distance from it
        places = [i for i, c in enumerate(case.qi) if c.name in strata]
        stratum = [tuple(row[i] for i in places) for row in table]
        k = case.requirements.get("k") or 2
        loaded = {name: each for name, each in case.load(con).items() if name not in case.requirements}
        arguments = {**loaded, "k": k, "strata": strata, "algorithm": algorithm, "seed": 3}
        if min(Counter(stratum).values()) < k:
            with pytest.raises(duckdb.Error, match="violate a requirement as one class"):
                rows(con, method, "t", **arguments)
            return
        released = rows(con, method, "t", **arguments)
        made = getattr(sqlanon, method)(con, "t", **arguments)
        assert str(made.relation(con).fetchall()) == str(released)  # NaN is NaN
        classes = by_class(released, len(case.qi))
        for members in classes.values():
            assert len({stratum[i] for i in members}) == 1
            assert len(members) >= k
        if method == "microaggregate":
            for row in released:
                assert [canonical(row[i]) for i in places] == [table[row[-1]][i] for i in places]

    def test_merged_groups_are_of_one_stratum(self, con: duckdb.DuckDBPyConnection) -> None:
        released = rows(
            con, "microaggregate", "people", qi=["region", "age"], sensitive="disease", keep="id",
            algorithm="curve", k=3, l=3, strata="region",
        )  # fmt: skip
        regions = dict(con.execute("select id, region from people").fetchall())
        assert all(region == regions[id] for region, *_, id in released)
        diseases: dict[Any, set[str]] = {}
        for *center, disease, _ in released:
            diseases.setdefault(tuple(center), set()).add(disease)
        assert {*map(len, diseases.values())} == {3}

    def test_one_column_within_regions(self, con: duckdb.DuckDBPyConnection) -> None:
        """The optimum of each region alone."""
        arguments: dict[str, Any] = {"keep": "id", "k": 5, "algorithm": "univariate"}
        for region in ("r0", "r1"):
            con.execute(f"create or replace table {region} as from people where region = '{region}'")
        con.execute("create or replace table two as from r0 union all from r1")
        made = rows(con, "microaggregate", "two", qi=["region", "age"], strata="region", **arguments)
        alone = [
            row
            for region in ("r0", "r1")
            for row in rows(con, "microaggregate", region, qi="age", **arguments)
        ]
        ages = dict(con.execute("select id, age from two").fetchall())
        lost, least = (sum((ages[row[-1]] - row[-2]) ** 2 for row in each) for each in (made, alone))
        assert lost == pytest.approx(least)


@pytest.mark.slow("1 s")
def test_levels(con: duckdb.DuckDBPyConnection) -> None:
    """In a full-domain generalization strata are the columns that stay at level 0."""
    arguments: dict[str, Any] = {
        "qi": ["region", "sex", "age"], "keep": "id", "k": 3, "suppression_limit": 0.5, "seed": 1,
    }  # fmt: skip
    wanted = rows(con, "optimal", "people", max_levels=[0, 1, 1], **arguments)
    assert rows(con, "optimal", "people", strata=["Region"], **arguments) == wanted
    made = sqlanon.samarati(con, "people", strata="region", **arguments)
    assert made.details["levels"]["region"] == 0


@st.composite
def suppressed_in_strata(draw: st.DrawFn) -> dict[str, Any]:
    n = draw(st.integers(1, 25))
    types = ["INTEGER", "VARCHAR", "BOOLEAN", "DATE"]
    qi = [draw(columns(f"q {i}", n, types, draw(st.integers(1, 4)))) for i in range(draw(st.integers(2, 4)))]
    strata = draw(st.lists(st.sampled_from(range(len(qi))), max_size=len(qi) - 1, unique=True))
    size = draw(st.integers(1, len(qi) - len(strata)))
    return {
        "qi": qi, "strata": strata, "size": size, "k": draw(st.integers(1, 3)),
        "thresholds": draw(st.lists(st.none() | st.integers(1, 5), max_size=size)),
        "wildcards": draw(st.booleans()),
    }  # fmt: skip


class TestMuArgus:
    @few
    @given(suppressed_in_strata())
    def test_random_tables(self, con: duckdb.DuckDBPyConnection, given: dict[str, Any]) -> None:
        qi, strata, thresholds = given["qi"], given["strata"], given["thresholds"]
        load(con, "t", qi)
        table = list(zip(*(c.values for c in qi), strict=True))
        oracle = MuArgus(
            table, given["k"], given["size"], [1] * len(qi), given["wildcards"],
            [list(c.order).index if c.order else sort_key for c in qi], thresholds, strata,
        )  # fmt: skip
        arguments = {
            "qi": [c.name for c in qi], "keep": "id", "seed": 3, "k": given["k"], "size": given["size"],
            "wildcards": given["wildcards"], "thresholds": thresholds or None,
            "strata": [qi[i].name for i in strata] or None,
        }  # fmt: skip
        alike = [frequency(table, row, strata) for row in table]
        if min(alike) < oracle.needed(0):
            with pytest.raises(duckdb.Error, match="strata have fewer" if strata else "the table has only"):
                rows(con, "mu_argus", "t", **arguments)
            return
        released = sorted(rows(con, "mu_argus", "t", **arguments), key=lambda row: row[-1])
        wanted = [
            tuple("*" if value is SUPPRESSED else as_text(canonical(value)) for value in row)
            for row in oracle.release()
        ]
        assert [row[:-1] for row in released] == wanted
        made = sqlanon.mu_argus(con, "t", **arguments)
        assert sorted(made.relation(con).fetchall(), key=lambda row: row[-1]) == released
        shown = [tuple(SUPPRESSED if value == "*" else value for value in row) for row in wanted]
        for seen in subsets(oracle.hideable, range(given["size"] + 1)):
            for row in shown:
                assert frequency(shown, row, (*seen, *strata)) >= oracle.needed(len(seen))

    def test_thresholds_are_told(self, con: duckdb.DuckDBPyConnection) -> None:
        made = sqlanon.mu_argus(con, "people", qi=["age", "size", "sex"], k=3, size=3, thresholds=[40, 10])
        assert made.required == {
            "k-anonymity": 3, "k-anonymity of any 2 of the columns": 10,
            "k-anonymity of any 1 of the columns": 40,
        }  # fmt: skip
        assert all(made.reached[title] >= least for title, least in made.required.items())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("mondrian('people', qi := 'age', strata := 'region', k := 3)", '"region", which is not in qi'),
        ("k_similar('people', qi := 'age', strata := 'age', k := 3)", "names all columns in qi"),
        (
            "mondrian('people', ['age', 'region'], strata := 'region', k_map := 3, population := 'people')",
            "does not go with a population",
        ),
        (
            "mu_argus('people', qi := ['age', 'region'], strata := 'region', k := 2, size := 2)",
            "the number of columns in qi but strata",
        ),
        (
            "mu_argus('people', qi := ['age', 'region'], k := 2, size := 1, thresholds := [3, 2])",
            "thresholds has 2 numbers",
        ),
        ("mu_argus('people', qi := 'age', k := 2, thresholds := [0])", "at least 1"),
        (
            "mu_argus('people', qi := 'age', k := 2, thresholds := [500])",
            "k is 500, but the table has only 200",
        ),
    ],
)
def test_errors(con: duckdb.DuckDBPyConnection, call: str, message: str) -> None:
    with pytest.raises(duckdb.Error, match=message):
        con.execute(f"from sqlanon.{call}").fetchall()


@pytest.mark.slow("2 s")
def test_by_policy(con: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    con.execute("copy people to 'people.csv'")
    policy = '[roles]\nqi = ["age", "region"]\n[requirements]\nk = 4\n[method]\nstrata = ["{}"]\n'
    Path("policy.toml").write_text(policy.format("region"), "utf-8")
    command = ["anonymize", "people.csv", "--policy", "policy.toml"]
    result = CliRunner().invoke(app.app, [*command, "--output", "release.csv"])
    assert result.exit_code == 0, result.output
    assert con.execute("select distinct region from 'release.csv' order by all").fetchall() == [
        ("r0",), ("r1",), ("r2",),
    ]  # fmt: skip
    suppressed = [
        *["anonymize", "people.csv", "--qi", "age,region,sex", "--method", "mu_argus", "--k", "2"],
        *["--strata", "region", "--thresholds", "9", "--format", "csv"],
    ]
    result = CliRunner().invoke(app.app, suppressed)
    assert result.exit_code == 0, result.output
    Path("policy.toml").write_text(policy.format("regoin"), "utf-8")
    result = CliRunner().invoke(app.app, command)
    assert result.exit_code != 0
