"""Sources whose rows are others at every look: what is counted,
released and checked is one reading of them.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import duckdb
import pytest

import sqlanon
from sqlanon.core.errors import InputError, SetsWarning

ANONYMIZERS = [
    "mondrian('v', ['age', 'zip'], 'disease', 'id', k := 5)",
    "mondrian('v', ['age', 'zip'], 'disease', 'id', k := 5, relaxed := true)",
    "mondrian('v', ['age', 'zip'], 'disease', 'id', k := 5, population := 'v', k_map := 5)",
    "optimal('v', ['age', 'zip'], 'disease', 'id', k := 5, l := 2)",
    "mu_argus('v', ['age', 'zip'], 'disease', 'id', k := 5, wildcards := false)",
    "microaggregate('v', ['age', 'zip'], 'disease', 'id', k := 5, algorithm := 'curve')",
    "k_similar('v', ['age', 'zip'], 'disease', 'id', k := 5, algorithm := 'curve')",
    "anatomize('v', ['age', 'zip'], 'disease', 'id', l := 3)",
]


@pytest.fixture
def sampled(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """1,000 people, and a view `v` of any 300 of them."""
    con.execute(
        """
        create table people as
        select i as id, hash(i) % 60 as age, (hash(i, 1) % 40)::varchar as zip,
            ['flu', 'hiv', 'cold', 'gout'][1 + i % 4] as disease
        from range(1000) as numbers(i);
        create view v as from people using sample 300 rows;
        """
    ).fetchall()
    return con


@pytest.mark.slow("half a second a case", but=(0, 1, 2, 4, 5, 6, 7))
@pytest.mark.parametrize("call", ANONYMIZERS)
def test_a_statement_reads_its_source_once(sampled: duckdb.DuckDBPyConnection, call: str) -> None:
    sampled.execute(f"create table released as from sqlanon.{call}").fetchall()
    assert sampled.execute("select count(*), count(distinct id) from released").fetchall() == [(300, 300)]
    if "anatomize" in call:
        return
    violations = (
        "select count(*) from sqlanon.violations('released', ['age', 'zip'], k := 5, "
        "suppressed := 'wildcard')"
    )
    assert sampled.execute(violations).fetchall() == [(0,)]


def test_so_does_python(sampled: duckdb.DuckDBPyConnection) -> None:
    """300 rows are 300 rows each time, but not the same."""
    roles: dict[str, Any] = {"qi": ["age", "zip"], "sensitive": "disease", "keep": "id"}
    releases = [
        sqlanon.mondrian(sampled, "v", k=5, **roles),
        sqlanon.mu_argus(sampled, "v", k=5, wildcards=False, **roles),
        sqlanon.microaggregate(sampled, "v", k=5, **roles),
        sqlanon.anatomize(sampled, "v", l=3, **roles),
    ]
    for release in releases:
        assert release.rows == 300
        different = sampled.execute(f"select count(distinct id) from {release.table}").fetchall()
        assert different == [(300,)]


def test_python_reads_what_can_be_read_once_only(con: duckdb.DuckDBPyConnection) -> None:
    pa = pytest.importorskip("pyarrow")
    assert sqlanon.mondrian(con, pa.table({"age": list(range(100))}).to_reader(), qi="age", k=5).rows == 100


def test_measures_read_their_tables_once(sampled: duckdb.DuckDBPyConnection) -> None:
    """Everybody covers themselves: no class has fewer people than rows where both are read from the same
    look.
    """
    run = sampled.execute
    run("create view few as from (from people where id < 400) using sample 300 rows").fetchall()
    for _ in range(2):
        least = (
            "select min(people >= size) from sqlanon.record_risk('v', ['age', 'zip'], population := 'people')"
        )
        assert run(least).fetchall() == [(True,)]
        lost = (
            "select value from sqlanon.risk('v', ['age', 'zip'], population := 'people') "
            "where measure = 'null-map'"
        )
        assert run(lost).fetchall() == [(0,)]
        reached = run(
            "select reached from sqlanon.privacy('v', ['age', 'zip'], population := 'people') "
            "where model = 'k-map'"
        ).fetchall()
        assert reached[0][0] >= 1
        for macro in (
            "suda('v', ['age', 'zip', 'disease'], 'id')",
            "record_risk('few', ['age', 'zip'], 'id')",
        ):
            assert run(f"select count(*), count(distinct id) from sqlanon.{macro}").fetchall() == [(300, 300)]
        # With the release itself as the targets: nobody is lost between combinations and people, classes and
        # values.
        attack = (
            "sqlanon.intersection_attack(['people'], 'few', 'id', ['age', 'zip', 'id'], 'disease', "
            "truth := 'disease')"
        )
        assert run(
            f"select count(*), bool_and(posterior = 1 and truth_is_candidate) from {attack}"
        ).fetchall() == [(300, True)]
        attack = "sqlanon.intersection_attack(['v'], 'people', 'id', 'id', 'disease')"
        result = run(
            f"select count(*) filter (posterior = 1 and located[1].size = 1) from {attack}"
        ).fetchall()
        assert result == [(300,)]


def test_a_generator_is_refused_by_what_it_is(con: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(InputError, match="not this generator"):
        sqlanon.mondrian(con, (row for row in [(1,), (2,)]), qi="age", k=2)


def test_a_data_frame_that_duckdb_cannot_read_is_told_by_its_column(con: duckdb.DuckDBPyConnection) -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"age": [1, 1], "born": pd.period_range("2020-01", periods=2, freq="M")})
    with pytest.raises(InputError, match=r'column "born" of the DataFrame .*period\[M\].*astype\(str\)'):
        sqlanon.mondrian(con, frame, qi="age", k=2)


@pytest.mark.parametrize("columns", [["age", "Age"], ["age", "age"]])
def test_a_column_that_is_there_twice_is_ambiguous(
    con: duckdb.DuckDBPyConnection, columns: list[str]
) -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame([[1, 2, "a"], [1, 2, "b"]], columns=[*columns, "zip"])
    with pytest.raises(InputError, match=f'columns "{columns[0]}" and "{columns[1]}".*rename one'):
        sqlanon.mondrian(con, frame, qi="age", k=2)
    with pytest.raises(InputError, match="rename one"):
        sqlanon.classes(con, frame, qi=columns[1])


class TestDataFrames:
    @pytest.mark.slow("half a second a case", but=(0, 2))
    @pytest.mark.parametrize("index", ["age", ["age", "zip"], "Zip"])
    def test_a_named_index_is_columns(self, con: duckdb.DuckDBPyConnection, index: Any) -> None:
        """Unless a column has its name; an index without a name is none."""
        pd = pytest.importorskip("pandas")
        frame = pd.DataFrame({"age": [1, 1, 2, 2], "zip": list("aabb"), "Zip": list("aabb"), "n": 1})
        frame = frame.drop(columns="zip" if index == "Zip" else "Zip").set_index(index, drop=index != "Zip")
        assert sqlanon.mondrian(con, frame, qi=["age", "zip"], k=2).df().columns.tolist() == ["age", "zip"]
        unnamed = frame.rename_axis(index=[None] * frame.index.nlevels)
        assert "index" not in sqlanon.identifiers(con, unnamed).df()["column"].tolist()

    @pytest.mark.parametrize("library", ["pandas", "polars"])
    def test_nan_is_null(self, con: duckdb.DuckDBPyConnection, library: str) -> None:
        frame = pytest.importorskip(library).DataFrame({"age": [1.0, float("nan"), 2.0, float("nan")]})
        released = sqlanon.mondrian(con, frame, qi="age", k=2).relation().fetchall()
        assert sorted(released, key=str) == [("[1.0, 2.0]",)] * 2 + [(None,)] * 2

    def test_a_lazy_frame_is_read_without_warnings(self, con: duckdb.DuckDBPyConnection) -> None:
        """Which are errors here."""
        pl = pytest.importorskip("polars")
        frame = pl.DataFrame({"age": [1, 1]}).lazy()
        assert sqlanon.mondrian(con, frame, qi="age", k=2).rows == 2

    @pytest.mark.parametrize("library", ["pandas", "polars"])
    def test_nothing_is_called_empty(self, con: duckdb.DuckDBPyConnection, library: str) -> None:
        frame = pytest.importorskip(library).DataFrame()
        with pytest.raises(InputError, match="the DataFrame is empty: it has no columns"):
            sqlanon.mondrian(con, frame, qi="age", k=2)


def test_one_release_is_no_list_of_releases(con: duckdb.DuckDBPyConnection) -> None:
    """Nor are the letters of its name, the columns of a DataFrame or the rows of a relation releases."""
    people = con.sql("select 30 as age, 'flu' as disease, 1 as id")
    about: dict[str, Any] = {"targets": people.df(), "id": "id", "qi": "age", "sensitive": "disease"}
    for release, told in [
        ("east", r"write \['east'\]"), (people.df(), r"not one DataFrame: put it in \[ \]"),
        (people, "not one DuckDBPyRelation"), (people.to_arrow_table(), "not one Table"),
    ]:  # fmt: skip
        for attack in (sqlanon.intersection_attack, sqlanon.breaches, sqlanon.correspondence):
            arguments = {"qi": "age", "sensitive": "disease"} if attack is sqlanon.correspondence else about
            with pytest.raises(InputError, match=f"releases is a list of releases.*{told}"):
                attack(con, release, **arguments)


@pytest.mark.slow("1 s")
def test_many_texts_without_a_hierarchy_are_told(con: duckdb.DuckDBPyConnection) -> None:
    """They are released as sets; with a hierarchy, or by a method that has no sets, nothing is said."""
    con.execute(
        """create table town as
        select (80000 + 7 * i) || 'A' as plz, (i % 3)::varchar as ward from range(30) as r(i)"""
    ).fetchall()
    sentence = (
        "^plz has 30 different texts and no hierarchy, so it is released as sets of them. A hierarchy "
        "says what they have in common; of codes whose first characters do: hierarchies="
    )
    con.execute(
        "create table born as "
        "select strftime(date '1970-01-01' + i::integer, '%d.%m.%Y') as day from range(40) as r(i)"
    ).fetchall()
    with pytest.warns(SetsWarning, match="They are days") as told:
        sqlanon.frontier(con, "born", "day", k=5, methods="mondrian")
    assert {each.filename for each in told} == {__file__}, "where somebody called"
    with pytest.warns(
        SetsWarning, match=r"They are days, .*: pandas.to_datetime\(table\['day'\], format='%d.%m.%Y'\)$"
    ):
        sqlanon.mondrian(con, "born", qi="day", k=5)
    with pytest.warns(SetsWarning, match=sentence) as told:
        sqlanon.mondrian(con, "town", qi=["plz", "ward"], k=5)
    assert len(told) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error", SetsWarning)
        masked = sqlanon.mask_hierarchy(con, "town", "plz")
        sqlanon.mondrian(con, "town", qi=["plz", "ward"], hierarchies=masked, k=5)
        sqlanon.datafly(con, "town", qi=["plz", "ward"], k=5)


DAYS = """
create or replace table visit as
select timestamp '1970-01-01' + interval (i) day as day, timestamp '1970-01-01 06:00' as hour,
    timestamptz '1970-01-01 00:00:00+00' as zoned, timestamp '1970-01-01' as kept
from range(4) as row(i)
"""


@pytest.mark.slow("1 s a case", but=(0, 2))
@pytest.mark.parametrize("kind", ["table", "relation", "arrow", "polars"])
def test_times_at_midnight_are_days_where_they_are_recoded(con: duckdb.DuckDBPyConnection, kind: str) -> None:
    """Other times, those with a zone, and what leaves unchanged stay as they are."""
    if kind == "polars":
        pytest.importorskip("polars")
    con.execute(DAYS).fetchall()
    rows = con.table("visit")
    sources: dict[str, Callable[[], Any]] = {
        "table": lambda: "visit",
        "relation": lambda: rows,
        "arrow": rows.to_arrow_table,
        "polars": rows.pl,
    }
    released = sqlanon.mondrian(con, sources[kind](), qi=["DAY", "hour", "zoned"], keep=["kept"], k=4)
    [(day, hour, zoned, kept)] = released.relation(con).distinct().fetchall()
    assert day == "[1970-01-01, 1970-01-04]"
    assert str(hour) == "1970-01-01 06:00:00"
    assert str(zoned).startswith(str(con.sql("select any_value(zoned) from visit").fetchall()[0][0])[:19])
    assert str(kept) == "1970-01-01 00:00:00"


@pytest.mark.slow("1 s")
def test_times_whose_hierarchy_has_times_stay(con: duckdb.DuckDBPyConnection) -> None:
    """It was made from them; a policy makes its hierarchies from the days."""
    con.execute(DAYS).fetchall()
    of_times = sqlanon.date_hierarchy(con, "visit", "day", ["month"])
    for k, label in (4, "1970-01"), (1, "1970-01-01 00:00:00"):
        released = sqlanon.optimal(con, "visit", qi="day", hierarchies=of_times, k=k)
        assert min(released.relation(con).fetchall()) == (label,)
    con.execute("create table hierarchy as from of_times").fetchall()
    with con.cursor() as another:
        another.execute("update hierarchy set value = value[:10], label = label[:10]").fetchall()
    released = sqlanon.optimal(con, "visit", qi="day", hierarchies="hierarchy", k=1)
    assert min(released.relation(con).fetchall()) == ("1970-01-01",)
