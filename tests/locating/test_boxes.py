"""Targets of whom a quasi-identifier is not known exactly."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import sqlanon
from sqlanon.cli import app
from sqlanon.core.errors import SqlanonError, UnreadWarning
from tests.attack.test_intersection_attack import AGES, LANDS, TREE
from tests.budget import examples
from tests.oracles import boxes
from tests.tables import literal


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        connection.execute(
            "create table hierarchy (attribute varchar, value varchar, level integer, label varchar)"
        )
        connection.executemany(
            "insert into hierarchy values ('land', ?, ?, ?)",
            [(value, level, label) for value, path in TREE.items() for level, label in enumerate(path)],
        )
        yield connection


def load(con: duckdb.DuckDBPyConnection, released: Any, known: Any) -> None:
    for name, rows in (("release", released), ("targets", known)):
        con.execute(
            f"create or replace table {name} as select unnest(range(?)) as id, unnest(?::varchar[]) as age, "
            "unnest(?::varchar[]) as land",
            [len(rows), *([*column] for column in zip(*rows, strict=True))],
        ).fetchall()


KNOWN: dict[str, Any] = {"id": "id", "qi": ["age", "land"], "hierarchies": "hierarchy"}
FORMATS = {"targets.age": "range", "targets.land": "set /"}
VALUES: list[Any] = [None, *(n if n % 1 else int(n) for n in (x / 2 for x in range(240)))]
PLACES = [None, *TREE, "xx", "eu", "am", "NULL"]


@given(
    st.lists(st.tuples(st.sampled_from(AGES), st.sampled_from(LANDS)), min_size=1, max_size=10, unique=True),
    st.lists(
        st.tuples(
            st.sampled_from([None, "25", "31", "?", "18-31", "20-29", "28-28", "40+"]),
            st.sampled_from([None, "de", "?", "de/us", "fr/xx"]),
        ),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from([["?"], ["?", "NULL"]]),
)
@examples(12)
def test_against_the_oracle(
    con: duckdb.DuckDBPyConnection, released: Any, known: Any, unknown: list[str]
) -> None:
    """Somebody is in every class in which a person is possible of whom all this holds."""
    load(con, released, known)
    arguments = {**KNOWN, "formats": FORMATS, "unknown": unknown}
    given_as = ", ".join(f"{name} := {literal(value)}" for name, value in arguments.items())
    found = con.execute(
        f"""select located.id, released.age, released.land
        from sqlanon.locate('release', 'targets', {given_as}) as located
        join sqlanon.classes('release', qi := ['age', 'land']) as released using (class_id)"""
    ).fetchall()
    assert sorted(found, key=str) == sorted(
        (
            (i, *label)
            for i, (age, land) in enumerate(known)
            for label in released
            if boxes.overlaps(label[0], age, VALUES, unknown, {})
            and boxes.overlaps(label[1], land, PLACES, unknown, TREE)
        ),
        key=str,
    )


@given(
    st.lists(st.tuples(st.sampled_from(AGES), st.sampled_from(LANDS)), min_size=1, max_size=10, unique=True),
    st.lists(
        st.tuples(
            st.sampled_from([None, "25", "31", "25.0", "18-31", "[20, 29]", "*", "x"]),
            st.sampled_from([None, "de", "eu", "de/us", "2*", "{de}"]),
        ),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from(["varchar", "integer"]),
)
@examples(12)
def test_whoever_is_known_exactly_is_where_a_point_is(
    con: duckdb.DuckDBPyConnection, released: Any, known: Any, type_: str
) -> None:
    """Nothing raw is read, and values compare as they do where the call knows no unknown cells."""
    load(con, released, known)
    if type_ != "varchar":
        con.execute(f"create or replace table targets as select * replace (try_cast(age as {type_}) as age) "
                    "from targets")  # fmt: skip
    plain, *boxed = (
        con.execute(
            f"from sqlanon.locate('release', 'targets', id := 'id', qi := ['age', 'land'], "
            f"hierarchies := 'hierarchy'{more}) order by all"
        ).fetchall()
        for more in ("", ", unknown := '?'")
    )
    assert boxed == [plain]


ABOUT: dict[str, Any] = {
    "id": "name",
    "qi": ["age", "zip"],
    "formats": {"targets.age": "range", "targets.zip": "mask x"},
    "unknown": "?",
}


class TestWorkedExample:
    """Four classes; who is known least may be in all of them."""

    @pytest.fixture(autouse=True)
    def tables(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            """create or replace table visits as
            from (values ('[20, 29]', '130**', 'flu'), ('[20, 29]', '131**', 'cold'),
                         ('[30, 39]', '130**', 'AIDS'), ('>=40', '*', 'gout')) as row(age, zip, disease)"""
        )
        con.execute(
            """create or replace table people as
            from (values ('ann', '25', '13012'), ('bob', '25-31', '13012'), ('cat', '?', '13012'),
                         ('dan', '?', '?'), ('eve', '50+', '1310x'), ('fay', null, '13012'))
            as row(name, age, zip)"""
        )

    def candidates(self, con: duckdb.DuckDBPyConnection, **more: Any) -> dict[str, list[str]]:
        about = {**ABOUT, **more}
        rows = sqlanon.intersection_attack(con, ["visits"], "people", sensitive="disease", **about)
        return {name: sorted(values) for name, values in rows.project("name, candidates").fetchall()}

    def test_candidates_are_of_all_these_classes(self, con: duckdb.DuckDBPyConnection) -> None:
        everybody = {
            "ann": ["flu"], "bob": ["AIDS", "flu"], "cat": ["AIDS", "flu", "gout"],
            "dan": ["AIDS", "cold", "flu", "gout"], "eve": ["gout"], "fay": [],
        }  # fmt: skip
        assert self.candidates(con) == everybody
        assert self.candidates(con, unknown=["?", "NULL"]) == {**everybody, "fay": everybody["cat"]}

    @pytest.mark.slow("0.8 s")
    def test_each_release_has_its_own_classes(self, con: duckdb.DuckDBPyConnection) -> None:
        """One whose labels are numbers, and one that is finer."""
        con.execute(
            """create or replace table stays as
            from (values (25, '13012', 'flu'), (28, '13012', 'cold'), (31, '13012', 'AIDS'))
            as row(age, zip, disease)"""
        )
        rows = sqlanon.intersection_attack(
            con, ["visits", "stays", "visits"], "people", sensitive="disease", **ABOUT
        )
        assert rows.project(
            "name, candidates, list_transform(located, lambda evidence: evidence.size)"
        ).order("name").fetchall() == [
            ("ann", ["flu"], [1, 1, 1]), ("bob", ["AIDS", "flu"], [2, 3, 2]),
            ("cat", ["AIDS", "flu"], [3, 3, 3]), ("dan", ["AIDS", "cold", "flu"], [4, 3, 4]),
            ("eve", [], [1, 0, 1]), ("fay", [], [0, 0, 0]),
        ]  # fmt: skip

    @pytest.mark.slow("0.9 s")
    def test_labels_that_nobody_understands_are_counted(self, con: duckdb.DuckDBPyConnection) -> None:
        """Targets who are known in part do not hide them."""
        con.execute("insert into visits values ('twenties', '130**', 'flu')")
        with pytest.warns(UnreadWarning, match="twenties"):
            found = sqlanon.breaches(con, ["visits"], "people", sensitive="disease", **ABOUT)
        assert dict(found.project("id, value").fetchall())["unread_rows"] == 20

    @pytest.mark.slow("1.2 s")
    def test_breaches_and_linking_know_it_too(self, con: duckdb.DuckDBPyConnection) -> None:
        about = {**ABOUT, "unknown": ["?", "NULL"]}
        measured = dict(
            sqlanon.breaches(con, ["visits"], "people", sensitive="disease", **about)
            .project("id, value").fetchall()
        )  # fmt: skip
        assert (measured["located_in_all"], measured["unread_rows"]) == (100, 0)
        assert measured["average_posterior"] == pytest.approx((1 + 2 + 3 + 4 + 1 + 3) / 6)
        linked = sqlanon.linking(con, "visits", "people", sensitive="disease", **about)
        assert dict(linked.project("name, candidates").fetchall()) == {
            "ann": 1, "bob": 2, "cat": 3, "dan": 4, "eve": 1, "fay": 3,
        }  # fmt: skip

    @pytest.mark.slow("0.4 s")
    def test_nobody_at_all_is_known(self, con: duckdb.DuckDBPyConnection) -> None:
        """What is told of them is the release's marginal."""
        con.execute(
            "create or replace table people as select 'gus' as name, null::integer as age, null as zip"
        )
        rows = con.execute(
            """select posterior, probabilities, located[1].size from sqlanon.intersection_attack(
                ['visits'], 'people', id := 'name', qi := ['age', 'zip'], sensitive := 'disease',
                unknown := 'NULL')"""
        ).fetchall()
        assert rows == [(4, [0.25] * 4, 4)]

    @pytest.mark.parametrize(
        ("age", "more", "message"),
        [
            ("old", {}, "column age of the targets has a value that does not fit its format range"),
            ("31-25", {}, "column age of the targets has a value that covers nothing"),
            ("[a, 'b", {"formats": {"targets.age": "list"}}, "does not fit its format list"),
            ("?", {"formats": {"targets.age": "one-hot a"}}, "one-hot a is of several columns"),
            ("?", {"formats": {"target.age": "range"}}, "formats names target.age, which is no column in qi"),
            ("?", {"nearest": True}, "nearest is for targets that are known exactly"),
        ],
    )
    def test_bad_input(
        self, con: duckdb.DuckDBPyConnection, age: str, more: dict[str, Any], message: str
    ) -> None:
        con.execute("create or replace table one as select 'ann' as name, $1 as age, '13012' as zip", [age])
        with pytest.raises(SqlanonError, match=message):
            sqlanon.locate(con, "visits", "one", **{**ABOUT, **more})


@pytest.mark.slow("0.5 s")
def test_nothing_is_read_unasked(con: duckdb.DuckDBPyConnection) -> None:
    """A raw * or range is a value, and so is NULL."""
    load(con, [("*", "de"), ("[20, 29]", "de")], [("20-29", "de"), ("?", "de"), (None, "de"), ("25", "de")])
    found = sqlanon.locate(con, "release", "targets", **KNOWN, unknown="-")
    assert sorted(found.project("id, class_id").fetchall()) == [(0, 1), (1, 1), (2, 1), (3, 1), (3, 2)]


@pytest.mark.slow("0.7 s")
def test_from_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "release.csv").write_text('age,disease\n"[20, 29]",flu\n"[30, 39]",cold\n')
    (tmp_path / "people.csv").write_text("name,age\nann,25-31\nbob,?\ncat,\ndan,25\n")
    about = "release.csv --targets people.csv --id name --qi age --sensitive disease --format json"
    known = "--unknown ? --unknown NULL --formats targets.age=range"
    told = CliRunner().invoke(app.app, ["attack", *about.split(), *known.split()])
    assert told.exit_code == 0, told.output
    assert [row["posterior"] for row in json.loads(told.stdout)] == [2, 2, 2, 1]
