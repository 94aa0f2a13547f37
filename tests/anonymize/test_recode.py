"""Schemes: the cuts and levels of a release, and other tables that are recoded by them."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import duckdb
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import sqlanon
from sqlanon import InputError
from tests.budget import examples
from tests.oracles.covers import covers

QI = ["age", "zip"]
AGES, ZIPS = range(11), "abcd"
Table = list[tuple[int, str, str]]
tables = st.lists(
    st.tuples(st.sampled_from(AGES), st.sampled_from(ZIPS), st.sampled_from(["flu", "cold"])),
    min_size=2, max_size=16,
)  # fmt: skip


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        for column, levels in (("age", "[2, 6]"), ("zip", None)):
            of = "select unnest(range(11)) as age" if levels else "select unnest(['a', 'b', 'c', 'd']) as zip"
            connection.execute(f"create table domain_{column} as {of}").fetchall()
        connection.execute(
            """create table h as from sqlanon.interval_hierarchy('domain_age', 'age', widths := [2, 6])
            union all from (values ('zip', 'a', 0, 'a'), ('zip', 'b', 0, 'b'), ('zip', 'c', 0, 'c'),
                ('zip', 'd', 0, 'd'), ('zip', 'a', 1, 'left'), ('zip', 'b', 1, 'left'),
                ('zip', 'c', 1, 'right'), ('zip', 'd', 1, 'right'), ('zip', 'a', 2, '*'),
                ('zip', 'b', 2, '*'),
                ('zip', 'c', 2, '*'), ('zip', 'd', 2, '*'))"""
        ).fetchall()
        yield connection


def load(con: duckdb.DuckDBPyConnection, name: str, rows: Sequence[tuple[Any, ...]]) -> None:
    con.execute(f"create or replace table {name}(age int, zip text, disease text)").fetchall()
    for row in rows:
        con.execute(f"insert into {name} values (?, ?, ?)", row).fetchall()


def fetched(con: duckdb.DuckDBPyConnection, query: str) -> list[tuple[Any, ...]]:
    return con.execute(query).fetchall()


class Part(NamedTuple):
    """What a scheme says of a class and column."""

    covers: str
    label: str
    within: str
    beyond: str


Parts = dict[int, dict[str, Part]]


def parts(con: duckdb.DuckDBPyConnection, scheme: str) -> Parts:
    """class_id -> column -> what is said."""
    told: Parts = defaultdict(dict)
    for class_id, attribute, *part in fetched(con, f"from {scheme}"):
        told[class_id][attribute] = Part(*part)
    return told


def place(told: Parts, values: Mapping[str, Any]) -> int:
    """The one class with a place for these values."""
    found = [id for id, of in told.items() if all(covers(of[c].covers, value) for c, value in values.items())]
    assert len(found) == 1, (values, told)
    return found[0]


def recoded(told: Parts, table: Table) -> list[tuple[str, str, str]]:
    """The oracle: each row by the labels of its class, or beyond where some row of it is not within."""
    values = [dict(zip(QI, row, strict=False)) for row in table]
    places = [place(told, row) for row in values]

    def label(id: int, column: str) -> str:
        part = told[id][column]
        rows = [row for row, at in zip(values, places, strict=True) if at == id]
        return part.label if all(covers(part.within, row[column]) for row in rows) else part.beyond

    return [(label(id, "age"), label(id, "zip"), row[2]) for id, row in zip(places, table, strict=True)]


@pytest.mark.slow("1 s")
@examples(20, quick=2)
@given(first=tables, second=tables, k=st.integers(1, 3), known=st.sets(st.sampled_from(QI)))
def test_cuts_divide_everything(
    con: duckdb.DuckDBPyConnection, first: Table, second: Table, k: int, known: set[str]
) -> None:
    """Whatever could be in the table is in one place, and what is said of it is true. The same table gets its
    labels back; and another one is recoded so, but for classes that are too small."""
    load(con, "one", first)
    load(con, "other", second)
    given = "null"
    if known:
        con.execute(f"create or replace table hk as from h where attribute in {tuple(known)!r}"
                    .replace(",)", ")")).fetchall()  # fmt: skip
        given = "'hk'"
    con.execute(
        f"""create or replace table released as from sqlanon.mondrian('one', qi := {QI}, k := 1,
            hierarchies := {given}, keep := 'disease');
        create or replace table scheme as from sqlanon.scheme_of_cuts('released', {QI}, {given})"""
    ).fetchall()
    told = parts(con, "scheme")
    labels_above: dict[Any, list[str]] = defaultdict(list)
    for attribute, value, label in fetched(con, "select attribute, value, label from h where level > 0"):
        labels_above[attribute, value].append(label)
    for values in product(AGES, ZIPS):
        row = dict(zip(QI, values, strict=True))
        of = told[place(told, row)]
        for column, value in row.items():
            above = labels_above[column, str(value)]
            assert covers(of[column].beyond, value, above)
            assert covers(of[column].label, value, above) == covers(of[column].within, value)
    # the same table: its labels
    again = fetched(con, f"from sqlanon.recode('one', 'scheme', {QI}, keep := 'disease', k := 1)")
    assert Counter(again) == Counter(fetched(con, "from released"))
    # another table
    expected = recoded(told, second)
    places = Counter((age, zip) for age, zip, _ in expected)
    kept = [(age, zip, disease) for age, zip, disease in expected if places[age, zip] >= k]
    query = f"from sqlanon.recode('other', 'scheme', {QI}, 'disease', k := {k}, suppression_limit := 1)"
    if kept:
        assert Counter(fetched(con, query)) == Counter(kept)
    else:
        with pytest.raises(duckdb.Error, match="nothing is left of other by scheme"):
            fetched(con, query)


@examples(15, quick=2)
@given(table=tables, levels=st.tuples(st.integers(0, 2), st.integers(0, 2)))
def test_levels_are_those_of_the_release(
    con: duckdb.DuckDBPyConnection, table: Table, levels: tuple[int, int]
) -> None:
    """Recoded by what a release says, a table is what it is at its levels."""
    load(con, "one", table)
    con.execute(
        f"""create or replace table released as from sqlanon.generalize('one', {QI}, {list(levels)},
            'disease', hierarchies := 'h', k := 1);
        create or replace table scheme as from sqlanon.scheme_of_levels('released', {QI}, 'h')"""
    ).fetchall()
    again = fetched(con, f"from sqlanon.recode('one', 'scheme', {QI}, 'disease', k := 1)")
    assert Counter(again) == Counter(fetched(con, "from released"))


class TestTwoNights:
    @pytest.fixture
    def nights(self, con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
        """On the second, ages in between and beyond, and another zip."""
        load(con, "monday", [(age, "a", "flu") for age in (1, 2, 5, 7)])
        load(con, "tuesday", [(0, "a", "flu"), (4, "a", "cold"), (9, "a", "flu"), (10, "z", "flu")])
        return con

    def test_cuts(self, nights: duckdb.DuckDBPyConnection) -> None:
        """The cut of Monday, at 2, is that of Tuesday: 4 is above, and was in no class of Monday."""
        monday = sqlanon.mondrian(nights, "monday", qi=QI, sensitive="disease", k=2)
        assert sorted(set(nights.table(monday.table).fetchall())) == [
            ("[1, 2]", "a", "flu"), ("[5, 7]", "a", "flu"),
        ]  # fmt: skip
        scheme = sqlanon.scheme_of_cuts(nights, monday.table, QI)
        assert scheme.fetchall() == [
            (1, "age", "<=2", "[1, 2]", "[1, 2]", "<=2"), (1, "zip", "*", "a", "a", "*"),
            (2, "age", ">2", "[5, 7]", "[5, 7]", ">2"), (2, "zip", "*", "a", "a", "*"),
        ]  # fmt: skip
        tuesday = sqlanon.recode(
            nights, "tuesday", scheme, qi=QI, sensitive="disease", k=2, suppression_limit=0.25
        )
        assert sorted(nights.table(tuesday.table).fetchall()) == [
            (">2", "*", "cold"), (">2", "*", "flu"), (">2", "*", "flu"),
        ]  # fmt: skip
        assert (tuesday.rows, tuesday.suppressed_rows, tuesday.classes) == (3, 1, 1)
        assert tuesday.details == {"unplaced_rows": 0, "unplaced_values": {}, "violating_rows": 1}
        assert tuesday.reached == {"k-anonymity": 3}

    @pytest.mark.parametrize(("age", "label"), [(6, "[5, 7]"), (9, ">2")])
    def test_labels_stay_where_values_do(
        self, nights: duckdb.DuckDBPyConnection, age: int, label: str
    ) -> None:
        monday = sqlanon.mondrian(nights, "monday", qi=QI, k=2, into="released", replace=True)
        scheme = sqlanon.scheme_of_cuts(nights, monday.table, QI)
        nights.execute(f"insert into monday values ({age}, 'a', 'cold')").fetchall()
        tuesday = sqlanon.recode(nights, "monday", scheme, qi=QI, k=2)
        assert Counter(nights.table(tuesday.table).fetchall()) == Counter(
            [("[1, 2]", "a")] * 2 + [(label, "a")] * 3
        )

    @pytest.mark.slow("1 s")
    def test_levels(self, nights: duckdb.DuckDBPyConnection) -> None:
        """There is no place for z, and ages keep their intervals."""
        monday = sqlanon.generalize(
            nights, "monday", qi=QI, levels={"age": 2, "zip": 1}, hierarchies="h", k=1
        )
        scheme = sqlanon.scheme_of_levels(nights, monday.table, QI, "h")
        tuesday = sqlanon.recode(nights, "tuesday", scheme, qi=QI, k=1, suppression_limit=0.25)
        assert sorted(nights.table(tuesday.table).fetchall()) == [
            ("[0, 5]", "left"), ("[0, 5]", "left"), ("[6, 11]", "left")
        ]  # fmt: skip
        assert tuesday.details == {
            "unplaced_rows": 1, "unplaced_values": {"zip": ["z"]}, "violating_rows": 0,
        }  # fmt: skip
        with pytest.raises(
            InputError, match="suppression_limit is 0, and of 4 rows 1 would be suppressed: 1 t"
        ):
            sqlanon.recode(nights, "tuesday", scheme, qi=QI, k=1)


@pytest.mark.parametrize("required", [{"k": 2}, {"l": 2}])
def test_people_are_counted(con: duckdb.DuckDBPyConnection, required: dict[str, int]) -> None:
    """Three rows of one person are no class of two, and what one person has is no diversity."""
    con.execute(
        """create or replace table visits (age int, disease text, person int);
        insert into visits values (1, 'flu', 1), (2, 'cold', 2), (2, 'cold', 2),
            (7, 'flu', 3), (8, 'cold', 3), (9, 'gout', 3)"""
    ).fetchall()
    con.execute(f"create or replace table scheme as from {SCHEME}").fetchall()
    asked: dict[str, Any] = {"qi": "age", "sensitive": "disease", "suppression_limit": 0.5, **required}
    assert sqlanon.recode(con, "visits", "scheme", **asked).suppressed_rows == 0
    release = sqlanon.recode(con, "visits", "scheme", unit="person", **asked)
    assert [age for age, _ in con.table(release.table).fetchall()] == ["<5"] * 3
    assert (release.people, release.details["violating_rows"]) == (2, 3)
    assert con.table(release.table).columns == ["age", "disease"]


SCHEME = "(values (1, 'age', '<5', '<5'), (2, 'age', '>=5', '>=5')) as t(class_id, attribute, covers, label)"


class TestWrongInput:
    @pytest.mark.slow("0.3 s")
    @pytest.mark.parametrize(
        ("scheme", "qi", "message"),
        [
            (SCHEME.replace(">=5", ">=4"), ["age"], "scheme has several places for the same values"),
            (SCHEME, QI, "scheme has no rows for column zip"),
            (SCHEME.replace("5'", "0'").replace(">=0", ">=99"), ["age"], "nothing is left of one by scheme"),
            ("(select 1 as covers)", ["age"], "unknown column"),
            (
                "(select 1 as class_id, 'age' as attribute, '*' as covers, '[4, 5]' as label, "
                "'[4, 5]' as within)",
                ["age"],
                r"scheme: column age is \[4, 5\] within \[4, 5\], and there is no label beyond",
            ),
            (
                "(select null as class_id, 'age' as attribute, '*' as covers, '4' as label, '4' as within, "
                "'*' as beyond)",
                ["age"],
                "scheme: column age is 4 within 4, which only a class can be",
            ),
        ],
    )
    def test_schemes(self, con: duckdb.DuckDBPyConnection, scheme: str, qi: list[str], message: str) -> None:
        load(con, "one", [(4, "a", "flu"), (4, "a", "flu"), (7, "a", "flu")])
        con.execute(f"create or replace table scheme as from {scheme}").fetchall()
        with pytest.raises(InputError, match=message):
            sqlanon.recode(con, "one", "scheme", qi=qi, k=1, suppression_limit=1)

    @pytest.mark.parametrize(
        ("kind", "ages", "message"),
        [
            ("cuts", ["[0, 5]", "[4, 9]"], "the classes of released cannot be told apart by cuts: they over"),
            ("levels", ["[0, 5]", "3"], "column age of released is not on one level of its hierarchy"),
        ],
    )
    def test_releases(self, con: duckdb.DuckDBPyConnection, kind: str, ages: list[str], message: str) -> None:
        con.execute(f"create or replace table released as select unnest({ages!r}) as age").fetchall()
        hierarchies = "h" if kind == "levels" else None
        with pytest.raises(InputError, match=message):
            getattr(sqlanon, f"scheme_of_{kind}")(con, "released", "age", hierarchies)

    def test_ranges_are_no_levels(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create or replace table released as select '[0, 5]' as age").fetchall()
        with pytest.raises(InputError, match="which is of no hierarchy: scheme_of_cuts reads classes"):
            sqlanon.scheme_of_levels(con, "released", "age")


or_null = st.lists(
    st.tuples(
        st.sampled_from([None, *AGES]), st.sampled_from([None, *ZIPS]), st.sampled_from(["flu", "cold"])
    ),
    min_size=2, max_size=16,
)  # fmt: skip


@examples(20, quick=3)
@given(first=or_null, second=or_null)
@example(first=[(None, None, "flu"), (3, None, "flu"), (None, "a", "cold"), (3, "a", "flu")], second=[])
@example(first=[(None, "a", "flu"), (1, "a", "flu"), (2, "a", "flu")], second=[(9, None, "flu")])
def test_null(con: duckdb.DuckDBPyConnection, first: Table, second: Table) -> None:
    """NULL may be in classes of its own, or with others: it, and any value, is in one place; another table is
    recoded so, and the same one gets its labels back. (A column without NULL has no place for it.)"""
    has_null = [any(row[i] is None for row in first) for i in (0, 1)]
    second = [row for row in second if all(row[i] is not None or has_null[i] for i in (0, 1))]
    load(con, "one", first)
    load(con, "other", second)
    con.execute(
        f"""create or replace table released as from sqlanon.mondrian('one', qi := {QI}, k := 1,
            keep := 'disease');
        create or replace table scheme as from sqlanon.scheme_of_cuts('released', {QI})"""
    ).fetchall()
    told = parts(con, "scheme")
    for values in product([None, *AGES][not has_null[0] :], [None, *ZIPS, "zz"][not has_null[1] :]):
        place(told, dict(zip(QI, values, strict=True)))
    again = fetched(con, f"from sqlanon.recode('one', 'scheme', {QI}, keep := 'disease', k := 1)")
    assert Counter(again) == Counter(fetched(con, "from released"))
    if second:
        query = f"from sqlanon.recode('other', 'scheme', {QI}, 'disease', k := 1)"
        assert Counter(fetched(con, query)) == Counter(recoded(told, second))
