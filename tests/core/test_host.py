"""Mondrian from Python: the same rows as the single statement, all or nothing, and clear errors."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import dataclasses
import math
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from sqlglot import exp, parse_one

import sqlanon
from sqlanon import InputError
from sqlanon.anonymize.mondrian import Mondrian
from sqlanon.core import steps
from sqlanon.core.errors import UnmetError, UnreadWarning, translated
from sqlanon.core.source import cleanly
from tests import data
from tests.anonymize.test_mondrian import Case, cases, comparable
from tests.budget import examples, some
from tests.tables import call, identifier, rows

ROOT = Path(__file__).resolve().parents[2]

PEOPLE = """
    create table people as
    select (i * 7) % 50 as age, 'z' || i % 5 as zip, 'd' || i % 3 as disease, i as id
    from range(100) as t(i)"""
REQUEST: dict[str, Any] = {"qi": ["age", "zip"], "sensitive": "disease", "k": 5, "l": 2}
# Names that mean something in SQL, and names that the macros use for their own columns and parameters.
HOSTILE = [
    *("select", 'a"b', "Größe", "{c}", "a.b", "it's", "; drop table people", "😀", "tbl", "k", "l", "qi"),
    *("part", "n", "code", "size", "d", "level", "label", "value", "weight", "done", "req", "node"),
    *("tuple_id", "class_id", "q1", "q2", "s1", "s2"),
]


def fetch(con: duckdb.DuckDBPyConnection, sql: str) -> list[tuple[Any, ...]]:
    return con.execute(sql).fetchall()


def tables(con: duckdb.DuckDBPyConnection) -> set[str]:
    """The tables and views, temporary ones too."""
    result = fetch(con, "select table_name from duckdb_tables() union select view_name from duckdb_views()")
    system = fetch(con, "select view_name from duckdb_views() where internal")
    return {name for (name,) in result} - {name for (name,) in system}


def multiset(found: list[tuple[Any, ...]]) -> Counter[Any]:
    """Rows in any order; floats to 12 digits, since DuckDB's averages differ in the last ones."""

    def rounded(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(rounded, value))
        if isinstance(value, float) and math.isfinite(value):
            return float(f"{value:.12g}")
        return value

    return Counter(rounded(tuple(map(comparable, row))) for row in found)


def stepwise(con: duckdb.DuckDBPyConnection, source: Any, **request: Any) -> list[tuple[Any, ...]]:
    """The rows of the release, which is gone afterwards."""
    release = sqlanon.mondrian(con, source, **request)
    result = release.relation(con).fetchall()
    fetch(con, f"drop table {release.table}")
    return result


@pytest.fixture
def people(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """The fixture con with a table people, and no other."""
    fetch(con, PEOPLE)
    return con


@pytest.fixture(scope="module")
def shared() -> Iterator[duckdb.DuckDBPyConnection]:
    """One connection for many examples."""
    with duckdb.connect() as con:
        yield con


def a_source(people: duckdb.DuckDBPyConnection, folder: Path, kind: str) -> Any:
    """The table people as something else."""
    file = folder / "it's people.parquet"
    relation = people.sql("from people")
    relation.write_parquet(str(file))
    fetch(people, "create view seen as from people")
    sources: dict[str, Callable[[], Any]] = {
        "pandas": relation.df,
        "polars": relation.pl,
        "arrow": lambda: relation.pl().to_arrow(),
        "relation": lambda: relation,
        "view": lambda: "seen",
        "file": lambda: str(file),
        "path": lambda: file,
    }
    return sources[kind]()


class TestTheSameRowsAsTheSingleStatement:
    @examples(15)
    @given(cases())
    def test_random_tables(self, shared: duckdb.DuckDBPyConnection, case: Case) -> None:
        """Or the same refusal."""
        con, request = shared, case.load(shared)
        sqlanon.register(con)
        before = tables(con)
        try:
            wanted, refusal = multiset(rows(con, "mondrian", "t", **request)), ""
        except duckdb.Error as error:
            wanted, refusal = None, str(error)
        if wanted is not None:
            assert multiset(stepwise(con, "t", **request)) == wanted
        else:
            with pytest.raises(sqlanon.InputError) as refused:
                sqlanon.mondrian(con, "t", **request)
            # of two columns, either may be the one that is named
            assert str(refused.value).partition(": the whole table")[0] in refusal
        assert tables(con) == before

    @pytest.mark.slow("Adult")
    @pytest.mark.parametrize(
        "requirements",
        [
            {"k": 5},
            {"k": 10, "t": 0.3, "recoding": "range"},
            {"l": 4, "recursive_c": 2, "t": 0.3},
        ],
    )
    @data.needs_data
    def test_adult(self, con: duckdb.DuckDBPyConnection, requirements: dict[str, Any]) -> None:
        data.load_adult(con, "adult")
        request: dict[str, Any] = {
            "qi": data.ADULT_QI,
            "sensitive": data.ADULT_SENSITIVE,
            "keep": ["id"],
            **requirements,
        }
        wanted = call("mondrian", "adult", **request)
        release = sqlanon.mondrian(con, "adult", **request, into="release")
        assert release.rows == 30_162
        assert fetch(con, f"(from {wanted} except all from release)") == []

    @pytest.mark.slow("1 s")
    def test_hostile_names(self, con: duckdb.DuckDBPyConnection) -> None:
        values = ", ".join(
            f"(i * {n + 3}) % {n % 5 + 2} as {identifier(name)}" for n, name in enumerate(HOSTILE)
        )
        fetch(con, f"create table t as select {values} from range(60) as r(i)")
        for shift in some(range(0, len(HOSTILE), 4), 4):
            turned = HOSTILE[shift:] + HOSTILE[:shift]
            request: dict[str, Any] = {
                "qi": turned[:4],
                "sensitive": turned[4:6],
                "keep": turned[6:],
                "k": 3,
                "alpha": 1,
            }
            wanted = rows(con, "mondrian", "t", **request)
            release = sqlanon.mondrian(con, "t", **request, into="r", replace=True)
            assert multiset(release.relation(con).fetchall()) == multiset(wanted)
            assert release.relation(con).columns == turned

    @pytest.mark.slow("0.9 s")
    def test_hostile_values(self, con: duckdb.DuckDBPyConnection) -> None:
        numbers = [math.nan, math.inf, -math.inf, None, 0.0, 1e-300, -1.5]
        texts = [
            "",
            " ",
            "NULL",
            None,
            "null",
            'say "x"',
            "{a, b}",
            "*",
            "[1, 2]",
            "'",
            "\n",
            "Ä",
            "ä",
            "a" * 999,
        ]
        fetch(con, "create table t (number double, string varchar, secret varchar)")
        con.executemany(
            "insert into t values (?, ?, ?)",
            [[numbers[i % 7], texts[i % 14], texts[7 + i % 3]] for i in range(70)],
        )
        for requirements in ({"k": 2}, {"k": 3, "l": 2}):
            request = {"qi": ["number", "string"], "sensitive": "secret", **requirements}
            assert multiset(stepwise(con, "t", **request)) == multiset(rows(con, "mondrian", "t", **request))


class TestSources:
    @pytest.mark.slow("0.6 s a case")
    @pytest.mark.parametrize("kind", ["pandas", "polars", "arrow", "relation", "view", "file", "path"])
    def test_every_kind_gives_the_same_rows(
        self, people: duckdb.DuckDBPyConnection, tmp_path: Path, kind: str
    ) -> None:
        source = a_source(people, tmp_path, kind)
        wanted = multiset(rows(people, "mondrian", "people", **REQUEST))
        before = tables(people)
        assert multiset(stepwise(people, source, **REQUEST)) == wanted
        assert tables(people) == before

    @pytest.mark.parametrize("kind", ["pandas", "polars", "arrow", "relation", "view", "file", "path"])
    def test_every_kind_is_read(self, people: duckdb.DuckDBPyConnection, tmp_path: Path, kind: str) -> None:
        classes = multiset(rows(people, "classes", "people", qi=["age"]))
        assert (
            multiset(sqlanon.classes(people, a_source(people, tmp_path, kind), ["age"]).fetchall()) == classes
        )

    @pytest.mark.slow("1.1 s")
    def test_hierarchies_come_from_anywhere(self, people: duckdb.DuckDBPyConnection) -> None:
        hierarchy = people.sql("from sqlanon.flat_hierarchy('people', 'zip')")
        fetch(people, "create table h as from sqlanon.flat_hierarchy('people', 'zip')")
        wanted = multiset(rows(people, "mondrian", "people", **REQUEST, hierarchies="h"))
        assert {row[1] for row in wanted} <= {"*", *(f"z{i}" for i in range(5))}
        for source in ("h", hierarchy.df()):
            assert multiset(stepwise(people, "people", **REQUEST, hierarchies=source)) == wanted
        assert tables(people) == {"people", "h"}

    @pytest.mark.parametrize("source", [None, 5, {"age": [1]}, object()])
    def test_anything_else_is_refused(self, con: duckdb.DuckDBPyConnection, source: Any) -> None:
        with pytest.raises(sqlanon.InputError, match=r"a source is the name of a table"):
            sqlanon.mondrian(con, source, qi="age", k=2)

    @pytest.mark.slow("0.3 s")
    def test_names_of_columns_from_anything(self, people: duckdb.DuckDBPyConnection) -> None:
        wanted = multiset(rows(people, "mondrian", "people", qi=["age", "zip"], k=5))
        assert multiset(stepwise(people, "people", qi=("age", "zip"), k=np.int64(5))) == wanted
        names = ["age", "zip"]
        classes = sqlanon.classes(people, "people", names).fetchall()
        for qi in ((name for name in names), pd.Index(names)):
            assert sorted(sqlanon.classes(people, "people", qi).fetchall()) == sorted(classes)


class TestInto:
    @pytest.mark.slow("0.6 s")
    def test_a_temporary_table_by_default(self, people: duckdb.DuckDBPyConnection) -> None:
        release = sqlanon.mondrian(people, "people", **REQUEST)
        assert tables(people) == {"people", release.table}
        temporary = f"select temporary from duckdb_tables() where table_name = '{release.table}'"
        assert fetch(people, temporary) == [(True,)]

    @pytest.mark.slow("0.4 s")
    def test_a_table_that_exists_is_replaced_only_if_asked(self, people: duckdb.DuckDBPyConnection) -> None:
        fetch(people, "create table r as select 1 as x")
        with pytest.raises(sqlanon.InputError, match=r"R exists: give another name, or replace=True"):
            sqlanon.mondrian(people, "people", **REQUEST, into="R", progress=forbidden)
        assert fetch(people, "from r") == [(1,)]
        assert sqlanon.mondrian(people, "people", **REQUEST, into="r", replace=True).table == "r"
        assert fetch(people, "select count(*) from r") == [(100,)]

    @pytest.mark.slow("0.6 s")
    def test_the_source_can_be_replaced(self, people: duckdb.DuckDBPyConnection) -> None:
        wanted = multiset(rows(people, "mondrian", "people", **REQUEST))
        sqlanon.mondrian(people, "people", **REQUEST, into="people", replace=True)
        assert multiset(fetch(people, "from people")) == wanted

    @pytest.mark.parametrize(
        ("made", "problem"),
        [
            ("create view r as select 1", "is a view"),
            ("create temp view r as select 1", "is a temporary view"),
            ("create temp table r as select 1", "is a temporary table"),
        ],
    )
    def test_only_tables_are_replaced(
        self, people: duckdb.DuckDBPyConnection, made: str, problem: str
    ) -> None:
        fetch(people, made)
        for replace, answer in ((False, "exists"), (True, problem)):
            with pytest.raises(sqlanon.InputError, match=answer):
                sqlanon.mondrian(people, "people", **REQUEST, into="r", replace=replace, progress=forbidden)

    @pytest.mark.slow("0.4 s")
    @pytest.mark.parametrize(
        "into",
        [
            "clinic.r",
            "memory.clinic.r",
            "other.r",
            "other.main.r",
            'other."My.Schema"."r ""1"""',
            '"; drop table people"',
        ],
    )
    def test_in_schemas_and_other_databases(self, people: duckdb.DuckDBPyConnection, into: str) -> None:
        fetch(people, "create schema clinic; attach ':memory:' as other; create schema other.\"My.Schema\"")
        release = sqlanon.mondrian(people, "people", **REQUEST, into=into)
        assert fetch(people, f"select count(*) from {into}") == [(100,)]
        assert release.table == into
        assert len(tables(people)) == 2

    @pytest.mark.parametrize(
        "into", ["", ".", "a.", ".a", 'a"b', '"a', "a.b.c.d", "nowhere.r", "memory.nowhere.r"]
    )
    def test_places_that_do_not_exist(self, people: duckdb.DuckDBPyConnection, into: str) -> None:
        with pytest.raises(sqlanon.InputError, match=r"is not the name of a table|there is no schema"):
            sqlanon.mondrian(people, "people", **REQUEST, into=into, progress=forbidden)

    @pytest.mark.slow("0.8 s")
    def test_a_read_only_database(self, tmp_path: Path) -> None:
        file = tmp_path / "people.duckdb"
        with duckdb.connect(file) as con:
            fetch(con, PEOPLE)
        with duckdb.connect(file, read_only=True) as con:
            assert len(stepwise(con, "people", **REQUEST)) == 100
            with pytest.raises(sqlanon.InputError, match=r'database "people" is read-only: leave out into'):
                sqlanon.mondrian(con, "people", **REQUEST, into="r", progress=forbidden)
            fetch(con, "attach ':memory:' as other (read_write)")
            assert sqlanon.mondrian(con, "people", **REQUEST, into="other.r").rows == 100

    @pytest.mark.slow("1 s")
    def test_it_is_on_disk_afterwards(self, tmp_path: Path) -> None:
        file = tmp_path / "people.duckdb"
        for replace in (False, True):
            with duckdb.connect(file) as con:
                fetch(con, PEOPLE.replace("create", "create or replace"))
                sqlanon.mondrian(con, "people", **REQUEST, into="r", replace=replace)
            with duckdb.connect(file) as con:
                assert tables(con) == {"people", "r"}
                assert fetch(con, "select count(*) from r") == [(100,)]


@pytest.mark.slow("0.5 s")
def test_the_release_says_what_it_is(people: duckdb.DuckDBPyConnection) -> None:
    release = sqlanon.mondrian(people, "people", **REQUEST, into="r", seed=7)
    assert (release.table, release.rows, release.suppressed_rows) == ("r", 100, 0)
    assert release.parameters == {
        "qi": ["age", "zip"],
        "sensitive": ["disease"],
        "k": 5,
        "l": 2,
        "t_distance": "equal",
        "missing_counts": False,
        "recoding": "text",
        "suppression_limit": 0.0,
        "relaxed": False,
        "seed": 7,
    }
    reached = fetch(people, "from sqlanon.privacy('r', qi := ['age', 'zip'], sensitive := 'disease')")
    assert release.reached == {model: value for model, _, value, *_ in reached[:2]}
    assert release.reached["k-anonymity"] >= 5
    assert [(release.classes,)] == fetch(people, "select count(*) from sqlanon.classes('r', ['age', 'zip'])")
    assert 0 < release.seconds < 60
    assert str(release).startswith(f"r: 100 rows in {release.classes} classes, 0 rows suppressed, ")
    assert str(release).endswith(
        f"reached: k-anonymity {release.reached['k-anonymity']:.6g}, distinct l-diversity 3"
    )
    unnamed = sqlanon.mondrian(people, "people", qi=["age"], k=2)
    assert str(unnamed).startswith("mondrian, k = 2: 100 rows in ")
    several = sqlanon.mondrian(people, "people", qi=["age"], sensitive="disease", k=2, recursive_c=3, l=2)
    assert "recursive (c, 2)-diversity " in str(several)


@pytest.mark.slow("0.7 s")
def test_what_several_sensitive_columns_reach(people: duckdb.DuckDBPyConnection) -> None:
    reached = sqlanon.mondrian(
        people, "people", qi="age", sensitive=["disease", "zip"], k=5, alpha=0.9
    ).reached
    assert set(reached) == {"k-anonymity", "(alpha, k)-anonymity of disease", "(alpha, k)-anonymity of zip"}
    reached = sqlanon.mondrian(
        people, "people", qi="age", sensitive="id", t=0.4, t_distance="ordered"
    ).reached
    assert set(reached) == {"k-anonymity", "t-closeness (ordered)"}


@pytest.mark.slow("1.2 s")
def test_seed_fixes_the_order_of_rows(people: duckdb.DuckDBPyConnection) -> None:
    first, again, other = (stepwise(people, "people", **REQUEST, seed=seed) for seed in (1, 1, 2))
    assert first == again == rows(people, "mondrian", "people", **REQUEST, seed=1)
    assert first != other


@pytest.mark.slow("0.4 s")
def test_progress_grows_from_nothing_to_everything(people: duckdb.DuckDBPyConnection) -> None:
    seen: list[tuple[float, str]] = []
    sqlanon.mondrian(people, "people", **REQUEST, progress=lambda done, message: seen.append((done, message)))
    shares = [done for done, _ in seen]
    assert shares[0] == 0
    assert shares[-1] == 1
    assert shares == sorted(shares)
    phases = list(dict.fromkeys(message.partition(",")[0] for _, message in seen))
    assert phases == ["reading", "coding", "cutting", "labelling", "writing the release", "checking", "done"]


@pytest.mark.slow("0.7 s")
def test_progress_can_be_a_bar(people: duckdb.DuckDBPyConnection, capfd: pytest.CaptureFixture[str]) -> None:
    people.execute("set enable_progress_bar = false").fetchall()  # DuckDB's own, of what takes seconds
    sqlanon.mondrian(people, "people", **REQUEST)
    assert capfd.readouterr() == ("", "")
    sqlanon.mondrian(people, "people", **REQUEST, progress=True)
    out, err = capfd.readouterr()
    assert out == ""
    assert "100 %" in err


@pytest.mark.slow("1.0 s")
def test_progress_tells_the_rounds_of_a_large_table(
    people: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same rows, round by round as in one recursion; what is done grows with every round."""
    whole = stepwise(people, "people", **REQUEST, seed=1)
    monkeypatch.setattr(steps, "MANY", 10)
    seen: list[tuple[float, str]] = []
    release = sqlanon.mondrian(
        people, "people", **REQUEST, seed=1, progress=lambda done, message: seen.append((done, message))
    )
    assert release.relation(people).fetchall() == whole
    rounds = [(done, message) for done, message in seen if message.startswith("cutting, round")]
    assert len(rounds) > 3
    assert rounds == sorted(rounds, key=lambda call: call[0])
    assert rounds[0][1] == "cutting, round 0: 100 of 100 left"


# Errors. Each leaves nothing behind, and a connection that works.


def forbidden(done: float, message: str) -> None:
    if message not in ("reading", "coding"):
        raise AssertionError("work was done")


def stop(error: type[BaseException]) -> Callable[[float, str], None]:
    """A progress that raises in the middle."""

    def progress(done: float, message: str) -> None:
        if message == "labelling":
            raise error("enough")

    return progress


class TestWrongInput:
    @pytest.mark.parametrize(
        ("changed", "message"),
        [
            ({"qi": ["agee", "zip"]}, '^unknown column "agee" in people; did you mean "age"\\?$'),
            ({"sensitive": "desease"}, '^unknown column "desease" in people; did you mean "disease"'),
            ({"keep": ["idd"]}, '^unknown column "idd" in people; did you mean "id"'),
            ({"qi": []}, "^qi names no column"),
            ({"qi": ["age", "AGE"]}, '^column "AGE" is named twice'),
            ({"sensitive": "Age"}, '^column "Age" is named twice'),
            ({"qi": [1, 2]}, "^qi takes names of columns, not 1$"),
            ({"qi": 5}, "^qi takes names of columns, not 5$"),
            ({"k": 0}, "^k must be a whole number of at least 1, not 0$"),
            ({"k": 2.5}, "^k must be a whole number of at least 1, not 2.5$"),
            ({"k": 101}, "whole table as one class reaches 100 in k-anonymity, 101 is required$"),
            ({"l": 4}, "whole table as one class reaches 3 in distinct l-diversity of column disease, 4 is"),
            ({"l": None, "recursive_c": 3}, "^recursive_c needs l"),
            ({"t": math.nan}, "^t must be between 0 and 1, not nan$"),
            ({"beta": -math.inf}, "^beta must be above 0, not -inf$"),
            ({"t": 0.2, "t_distance": "far"}, "^t_distance must be equal, ordered or hierarchical, not far$"),
            ({"k": None, "l": None}, "^nothing is required"),
            ({"sensitive": None}, "need a sensitive column$"),
            ({"recoding": "texts"}, "^recoding must be text or range, not texts$"),
            ({"k": object()}, "^a object cannot be a parameter"),
            ({"hierarchies": "peopel"}, '^unknown table "peopel"; did you mean "people"\\?$'),
        ],
    )  # fmt: skip
    def test_requests(self, people: duckdb.DuckDBPyConnection, changed: dict[str, Any], message: str) -> None:
        with pytest.raises(sqlanon.InputError, match=message) as refused:
            sqlanon.mondrian(people, "people", **REQUEST | changed, into="r", progress=forbidden)
        assert "LINE" not in str(refused.value)
        assert isinstance(refused.value, UnmetError) == ("as one class reaches" in message)
        assert tables(people) == {"people"}

    @pytest.mark.slow("1 s")
    @pytest.mark.filterwarnings("ignore:in no role here")
    def test_errors_call_tables_as_the_caller_does(self, people: duckdb.DuckDBPyConnection) -> None:
        """A DataFrame by its parameter, a release by its name; and columns are suggested that are alike."""
        frame = people.sql("select id // 2 as id, age, zip, disease from people").df()
        about: dict[str, Any] = {"qi": "age", "sensitive": "disease"}
        with pytest.raises(InputError, match=r"^column id of targets names") as caught:
            sqlanon.breaches(people, ["people"], frame, "id", **about)
        assert "_sqlanon_" not in str(caught.value)
        with pytest.raises(InputError, match=r'^unknown column "agee" in people; did you mean "age"\?$'):
            sqlanon.classes(people, "people", qi=["agee"])
        with pytest.raises(InputError, match=r'^unknown column "xyz" in people$'):
            sqlanon.classes(people, "people", qi=["xyz"])
        release = sqlanon.mondrian(people, "people", qi="age", k=2)
        with pytest.raises(InputError, match=r"in the release \(mondrian, k = 2\)"):
            sqlanon.violations(people, release, "xyz", k=2)
        people.execute("create table other as select age as years, disease from people").fetchall()
        with pytest.warns(UnreadWarning, match="^theirs lacks age: read as"):
            sqlanon.run_attacks(
                people, {"mine": "people", "theirs": "other"}, targets="people", id="id",
                attacks=["homogeneity"], **about,
            ).fetchall()  # fmt: skip

    def test_an_unknown_table(self, people: duckdb.DuckDBPyConnection) -> None:
        with pytest.raises(sqlanon.InputError, match=r'^unknown table "peple"; did you mean "people"\?$'):
            sqlanon.mondrian(people, "peple", **REQUEST)
        with pytest.raises(sqlanon.InputError, match=r'^unknown table "xyz"$'):
            sqlanon.mondrian(people, "xyz", **REQUEST)

    @pytest.mark.parametrize("source", ["nobody", pd.DataFrame({"age": [], "zip": [], "disease": []})])
    def test_an_empty_table(self, con: duckdb.DuckDBPyConnection, source: Any) -> None:
        fetch(con, "create table nobody (age integer, zip varchar, disease varchar)")
        name = source if isinstance(source, str) else "source"
        with pytest.raises(sqlanon.InputError, match=f"^table {name} is empty"):
            sqlanon.mondrian(con, source, **REQUEST, into="r")
        assert tables(con) == {"nobody"}

    @pytest.mark.slow("1 s")
    def test_a_value_that_its_hierarchy_lacks(self, people: duckdb.DuckDBPyConnection) -> None:
        fetch(people, "create table h as from sqlanon.flat_hierarchy('people', 'zip') where value <> 'z3'")
        with pytest.raises(sqlanon.InputError, match=r"^the hierarchy of column zip lacks a value;"):
            sqlanon.mondrian(people, "people", **REQUEST, hierarchies="h", into="r")
        assert tables(people) == {"people", "h"}

    def test_a_hierarchy_that_is_no_tree(self, people: duckdb.DuckDBPyConnection) -> None:
        fetch(people, "create table h as from sqlanon.flat_hierarchy('people', 'zip') where level = 0")
        with pytest.raises(sqlanon.InputError, match=r"^the hierarchy of column zip: "):
            sqlanon.mondrian(people, "people", **REQUEST, hierarchies="h", into="r")
        assert tables(people) == {"people", "h"}


class TestInterrupted:
    @pytest.mark.slow("0.6 s")
    @pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
    @pytest.mark.parametrize("into", ["r", None])
    def test_from_progress(
        self, people: duckdb.DuckDBPyConnection, error: type[BaseException], into: str | None
    ) -> None:
        frame = people.sql("from people").df()
        with pytest.raises(error, match=r"enough"):
            sqlanon.mondrian(people, frame, **REQUEST, into=into, progress=stop(error))
        assert tables(people) == {"people"}
        assert sqlanon.mondrian(people, frame, **REQUEST, into=into).rows == 100

    @pytest.mark.slow("1.3 s")
    @pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
    def test_by_control_c(self, tmp_path: Path) -> None:
        """In the middle of a statement of a long run."""
        script = """if True:
            import signal, sys, duckdb, sqlanon
            signal.signal(signal.SIGINT, signal.default_int_handler)  # also where the shell ignores it
            con = duckdb.connect(sys.argv[1])
            columns = ", ".join(f"hash(i, {n}) % 100 as c{n}" for n in range(6))
            con.execute(f"create table people as select {columns} from range(300000) as t(i)").fetchall()
            try:
                sqlanon.mondrian(con, "people", qi=[f"c{n}" for n in range(6)], k=3, into="r",
                                 progress=lambda done, message: print(message, flush=True))
            except KeyboardInterrupt:
                left = con.execute("select table_name from duckdb_tables()").fetchall()
                print("interrupted", left, con.execute("select 42").fetchall(), flush=True)
            con.close()
        """
        file = tmp_path / "people.duckdb"
        command = [sys.executable, "-c", script, str(file)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout
            while not child.stdout.readline().startswith("cutting"):
                pass
            time.sleep(0.3)
            child.send_signal(signal.SIGINT)
            *_, last = child.stdout.readlines()
        assert last == "interrupted [('people',)] [(42,)]\n"
        assert child.returncode == 0
        with duckdb.connect(file) as con:
            assert tables(con) == {"people"}

    @pytest.mark.slow("half a second")
    @pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
    def test_in_the_first_call(self) -> None:
        """While modules are imported, which is not interrupted in the middle: the next call works."""
        script = """if True:
            import os, signal, sys, duckdb, sqlanon
            signal.signal(signal.SIGINT, signal.default_int_handler)
            class Interrupting:
                def find_spec(self, name, path=None, target=None):
                    if name == "sqlglot.parser":
                        os.kill(os.getpid(), signal.SIGINT)
            sys.meta_path.insert(0, Interrupting())
            con = duckdb.connect()
            con.execute("create table people as select 1 as age from range(5)").fetchall()
            try:
                sqlanon.mondrian(con, "people", qi="age", k=2)
            except KeyboardInterrupt:
                print("interrupted", "sqlglot.parser" in sys.modules)
            print(sqlanon.mondrian(con, "people", qi="age", k=2).rows)
        """
        command = [sys.executable, "-c", script]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        assert done.stdout == "interrupted True\n5\n"

    @pytest.mark.parametrize(
        "message", ["Query interrupted", "Traceback:\n  x\nKeyboardInterrupt: ", "KeyboardInterrupt"]
    )
    def test_what_duckdb_makes_of_an_interrupt_is_one_again(self, message: str) -> None:
        for error in (RuntimeError(message), duckdb.Error(message)):
            assert isinstance(translated(error, "select 1"), KeyboardInterrupt)

    def test_undoing_waits_for_its_end(self) -> None:
        """Two interrupts while the first of two things is undone."""
        undone: list[str] = []
        interrupts = iter([KeyboardInterrupt, KeyboardInterrupt])

        def first() -> None:
            for interrupt in interrupts:
                raise interrupt
            undone.append("first")

        with pytest.raises(KeyboardInterrupt):
            cleanly(first, lambda: undone.append("second"))
        assert undone == ["first", "second"]


class TestVerification:
    """The check finds what the anonymizer gets wrong: the steps are made to release something else."""

    @staticmethod
    def release_instead(monkeypatch: pytest.MonkeyPatch, select: str) -> None:
        original = Mondrian.release

        def release(run: Mondrian) -> exp.Select:
            broken = parse_one(select, dialect="duckdb", into=exp.Select)
            return broken.from_(original(run).subquery("released"))

        monkeypatch.setattr(Mondrian, "release", release)

    # Everybody in one class but one; a sensitive value in all rows; rows missing.
    BROKEN = (
        ("select * replace (if(row_number() over () = 1, 'alone', '*') as age, '*' as zip)", "2 viol.*alone"),
        ("select * replace ('d0' as disease)", "of distinct l-diversity"),
        ("select * limit 99", "99 rows"),
    )  # fmt: skip

    @pytest.mark.slow("0.5 s")
    @pytest.mark.parametrize(("select", "message"), BROKEN)
    @pytest.mark.parametrize("into", ["r", None])
    def test_a_broken_release_is_thrown_away(
        self,
        people: duckdb.DuckDBPyConnection,
        monkeypatch: pytest.MonkeyPatch,
        select: str,
        message: str,
        into: str | None,
    ) -> None:
        self.release_instead(monkeypatch, select)
        with pytest.raises(sqlanon.VerificationError, match=message):
            sqlanon.mondrian(people, "people", **REQUEST, into=into)
        assert tables(people) == {"people"}

    @pytest.mark.parametrize("in_transaction", [False, True])
    def test_the_table_to_be_replaced_stays(
        self, people: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch, in_transaction: bool
    ) -> None:
        fetch(people, "create table r as select 1 as x")
        if in_transaction:
            fetch(people, "begin")
        self.release_instead(monkeypatch, "select * limit 99")
        with pytest.raises(sqlanon.VerificationError):
            sqlanon.mondrian(people, "people", **REQUEST, into="r", replace=True)
        if in_transaction:
            fetch(people, "commit")
        assert tables(people) == {"people", "r"}
        assert fetch(people, "from r") == [(1,)]

    def test_a_source_that_changes_meanwhile(self, people: duckdb.DuckDBPyConnection) -> None:
        def interfere(done: float, message: str) -> None:
            if done == 1:
                fetch(people.cursor(), "update people set age = 99 where id = 1")

        sqlanon.mondrian(people, "people", **REQUEST, into="before")
        sqlanon.mondrian(people, "people", **REQUEST, into="r", progress=interfere)
        assert fetch(people, "select count(*) from people where age = 99") != [(0,)]
        # It was read once: what was counted is what is released.
        assert fetch(people, "from r order by all") == fetch(people, "from before order by all")


@pytest.mark.slow("4 tests, 0.4 to 0.8 s each")
class TestInATransactionOfTheCaller:
    def test_it_sees_what_the_transaction_did_and_is_part_of_it(
        self, people: duckdb.DuckDBPyConnection
    ) -> None:
        fetch(people, "begin")
        fetch(people, "insert into people select age, zip, disease, id + 100 from people")
        release = sqlanon.mondrian(people, "people", **REQUEST, into="r")
        assert release.rows == 200
        assert fetch(people.cursor(), "select * from duckdb_tables() where table_name = 'r'") == []
        fetch(people, "rollback")
        assert tables(people) == {"people"}

    def test_what_is_committed_stays(self, people: duckdb.DuckDBPyConnection) -> None:
        fetch(people, "begin")
        temporary = sqlanon.mondrian(people, "people", **REQUEST)
        sqlanon.mondrian(people, "people", **REQUEST, into="r")
        fetch(people, "commit")
        assert tables(people) == {"people", "r", temporary.table}
        assert fetch(people, "select count(*) from r") == [(100,)]

    @pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
    def test_an_interrupt_leaves_the_transaction_as_it_was(
        self, people: duckdb.DuckDBPyConnection, error: type[BaseException]
    ) -> None:
        fetch(people, "begin")
        fetch(people, "delete from people where id > 50")
        with pytest.raises(error, match=r"enough"):
            sqlanon.mondrian(people, "people", **REQUEST, into="r", progress=stop(error))
        fetch(people, "commit")
        assert tables(people) == {"people"}
        assert fetch(people, "select count(*) from people") == [(51,)]

    @pytest.mark.parametrize("changed", [{"k": 1000}, {"qi": "agee"}, {"k": 0}])
    def test_after_an_error_it_can_be_rolled_back(
        self, people: duckdb.DuckDBPyConnection, changed: dict[str, Any]
    ) -> None:
        fetch(people, "begin")
        with pytest.raises(sqlanon.InputError):
            sqlanon.mondrian(people, people.sql("from people").df(), **REQUEST | changed, into="r")
        fetch(people, "rollback")
        assert tables(people) == {"people"}
        assert sqlanon.mondrian(people, "people", **REQUEST, into="r").rows == 100


class TestMeasures:
    """Each function gives what the macro of its name gives."""

    @pytest.fixture
    def released(self, people: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
        for i in (1, 2):
            part = people.sql(f"from people where id % {i + 1} < 2")
            sqlanon.mondrian(people, part, qi=["age", "zip"], sensitive="disease", k=4, into=f"r{i}")
        fetch(people, "create table h as from sqlanon.flat_hierarchy('people', 'zip')")
        return people

    ATTACK: dict[str, Any] = {"id": "id", "qi": ["age", "zip"], "sensitive": "disease", "truth": "disease"}  # noqa: RUF012

    @pytest.mark.slow("0.9 s a case")
    @pytest.mark.parametrize(
        ("macro", "sources", "parameters"),
        [
            ("classes", ["r1"], {"qi": ["age"]}),
            ("privacy", ["people"], {"qi": ["zip"], "sensitive": ["disease", "age"], "l": 3}),
            ("violations", ["people"], {"qi": "zip", "sensitive": "disease", "k": 30, "t": 0.01}),
            ("locate", ["r1", "people"], {"id": "id", "qi": ["age", "zip"], "hierarchies": "h"}),
            ("intersection_attack", [["r1", "r2"], "people"], ATTACK),
            ("breaches", [["r1", "r2"], "people"], ATTACK),
        ],
    )  # fmt: skip
    def test_names_and_frames(
        self,
        released: duckdb.DuckDBPyConnection,
        macro: str,
        sources: list[Any],
        parameters: dict[str, Any],
    ) -> None:
        con, function = released, getattr(sqlanon, macro)
        before = tables(con)
        first, *others = sources
        targets = dict(zip(["targets"], others, strict=False))
        wanted = multiset(con.execute(f"from {call(macro, first, **targets, **parameters)}").fetchall())
        assert multiset(function(con, *sources, **parameters).fetchall()) == wanted
        frame = released.table("people").df()
        frames = [frame if source == "people" else source for source in sources]
        answer = function(con, *frames, **parameters)
        assert multiset(answer.fetchall()) == multiset(answer.fetchall()) == wanted
        assert {name.rpartition("_")[0] for name in tables(con) - before} != {"source"}

    @pytest.mark.slow("1 s")
    def test_wrong_input(self, released: duckdb.DuckDBPyConnection) -> None:
        con = released
        with pytest.raises(sqlanon.InputError, match=r"^k must be a whole number"):
            sqlanon.violations(con, "people", qi="zip", k=0)
        with pytest.raises(sqlanon.InputError, match=r'^unknown column "zipp" in people; did you mean "zip"'):
            sqlanon.privacy(con, "people", qi="zipp")
        with pytest.raises(sqlanon.InputError, match=r"is empty"):
            sqlanon.privacy(con, con.sql("from people limit 0"), qi="zip")
        with pytest.raises(sqlanon.InputError, match=r"releases names no release"):
            sqlanon.breaches(con, [], "people", **self.ATTACK)


def test_an_error_of_another_kind_carries_its_statement(people: duckdb.DuckDBPyConnection) -> None:
    fetch(people, "create view broken as select cast(zip as integer) as age, disease from people")
    with pytest.raises(sqlanon.SqlError, match=r"Conversion Error") as caught:
        sqlanon.mondrian(people, "broken", qi="age", k=5)
    assert "_source" in caught.value.statement
    assert caught.value.message.startswith("Conversion Error")
    assert tables(people) == {"people", "broken"}


class TestInNotebooks:
    def test_what_the_caller_gave_wrong_is_one_line(self, people: duckdb.DuckDBPyConnection) -> None:
        """IPython asks an error for what to show; without, that is 115 lines."""
        with pytest.raises(InputError) as raised:
            sqlanon.mondrian(people, "people", qi="agee", k=2)
        shown = ['InputError: unknown column "agee" in people; did you mean "age"?']
        assert raised.value._render_traceback_() == shown

    @pytest.mark.slow("2 s")
    def test_results_are_tables(self, people: duckdb.DuckDBPyConnection) -> None:
        release = sqlanon.mondrian(people, "people", qi="age", sensitive="disease", k=2)
        keys = people.sql("select distinct disease from people")
        noisy = sqlanon.dp_counts(
            people, "people", "disease", epsilon=1.0, unit="id", keys=keys, max_groups=1
        )
        for made in (release, noisy):
            assert len(made) == made.rows == len(made.to_pandas())
            assert made.head(2).equals(made.df()[:2])
        assert f"<td>{noisy.df().disease[0]}</td>" in noisy._repr_html_()
        empty = dataclasses.replace(release, table="(select 1 as age where false)")
        assert empty, "it is there, also without rows"

    def test_results_of_measures_are_tables(
        self, people: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """From 2.0 on, relations show themselves; before, IPython is told how."""
        by_type: dict[type, Callable[[Any], str]] = {}
        as_html = SimpleNamespace(type_printers=by_type, for_type=by_type.__setitem__)
        display = SimpleNamespace(formatters={"text/html": as_html})
        shell = SimpleNamespace(get_ipython=lambda: SimpleNamespace(display_formatter=display))
        monkeypatch.setitem(sys.modules, "IPython", shell)
        found = sqlanon.classes(people, "people", qi="id")
        if made := getattr(found, "_repr_mimebundle_", None):
            assert not by_type
            html = made()["text/html"]
        else:
            html = by_type[duckdb.DuckDBPyRelation](found)
        assert "<table" in html
        assert html.count("<tr>") == 11
        assert f"10 of {len(found)} rows" in html
        by_type[duckdb.DuckDBPyRelation] = repr
        sqlanon.classes(people, "people", qi="id")
        assert by_type[duckdb.DuckDBPyRelation] is repr, "somebody else's stays"

    def test_a_query_that_names_a_release_does_not_wait_for_ever(
        self, people: duckdb.DuckDBPyConnection
    ) -> None:
        release = sqlanon.mondrian(people, "people", qi="age", k=2)
        assert repr(release) == str(release)
        with pytest.raises(duckdb.Error, match=r"write the name of its table|not suitable"):
            people.sql("from release")
        rows = release.relation()  # noqa: F841
        assert people.sql("from rows").fetchall() == people.sql(f"from {release.table}").fetchall()

    def test_a_misspelt_function(self) -> None:
        with pytest.raises(AttributeError, match="no attribute 'mondriann'; did you mean mondrian"):
            sqlanon.mondriann  # type: ignore[attr-defined]  # noqa: B018

    def test_progress_needs_no_widgets_and_leaves_nothing(
        self, people: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch,
        capfd: pytest.CaptureFixture[str],
    ) -> None:  # fmt: skip
        """A saved notebook has the last of what was shown."""
        shown: list[Any] = []
        handle = SimpleNamespace(update=lambda line, **kwargs: shown.append(line))

        def display(line: Any, **kwargs: Any) -> Any:
            shown.append(line)
            return handle

        shell = SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=None))
        monkeypatch.setitem(sys.modules, "IPython", shell)
        monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(HTML=str, display=display))
        monkeypatch.setattr("sqlanon.core.printing.PAUSE", -1)
        sqlanon.mondrian(people, "people", qi="age", k=2, progress=True)
        assert "<progress value='1.000'></progress> 100% done" in shown
        assert shown[-1] == {"text/plain": ""}
        assert capfd.readouterr() == ("", "")
