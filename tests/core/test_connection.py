"""The connection that a function works in: the first argument, or none."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlanon
from sqlanon.core.errors import InputError

ROLES: dict[str, Any] = {"qi": ["age", "zip"], "sensitive": "disease"}
TAKING_A_CONNECTION = [
    name
    for name in sqlanon.__all__
    if inspect.isfunction(function := getattr(sqlanon, name))
    and "con" in inspect.signature(function).parameters
]


@pytest.fixture(autouse=True)
def _default_connection() -> Iterator[None]:
    """One of its own for each test, in place of the one that the whole process has."""
    before = duckdb.default_connection()
    with duckdb.connect() as con:
        duckdb.set_default_connection(con)
        try:
            yield
        finally:
            duckdb.set_default_connection(before)


@pytest.fixture
def people() -> Any:
    pd = pytest.importorskip("pandas")
    return pd.DataFrame(
        {
            "name": list("ABCDEF"),
            "age": [20, 21, 22, 40, 41, 42],
            "zip": list("uvwuvw"),
            "disease": list("xyzxyz"),
        }
    )


@pytest.mark.parametrize("name", TAKING_A_CONNECTION)
def test_every_function_takes_it_first_or_not_at_all(name: str) -> None:
    function: Any = getattr(sqlanon, name)
    assert next(iter(inspect.signature(function).parameters)) == "con"
    assert "con: a connection of DuckDB. It may be left out" in (inspect.getdoc(function) or "")
    with pytest.raises(TypeError, match=rf"{name}\(\) has no parameter cno; did you mean con\?"):
        function(cno=None)


def test_requirements_are_in_the_signature() -> None:
    taken = {name: [*inspect.signature(getattr(sqlanon, name)).parameters] for name in ("mondrian", "recode")}
    assert {"k", "l", "t", "t_distance", "known", "composed_l"} < {*taken["mondrian"]}
    assert "k" in taken["recode"]
    assert "composed_l" not in taken["recode"]  # which recode does not take
    assert inspect.signature(sqlanon.mondrian).parameters["t_distance"].default == "equal"


def test_a_wrong_call_is_told_in_one_line_in_notebooks(people: Any) -> None:
    with pytest.raises(TypeError) as raised:
        sqlanon.mondrian(people, sensitve="age", k=2)  # type: ignore[call-overload]
    told: Any = raised.value
    assert told._render_traceback_() == [
        "CallError: mondrian() has no parameter sensitve; did you mean sensitive?"
    ]


def test_a_lazy_frame_is_read_without_a_warning() -> None:
    polars = pytest.importorskip("polars")
    lazy = polars.LazyFrame({"age": [20.0, 21.0, float("nan")] * 2})
    assert sqlanon.mondrian(lazy, qi="age", k=2).relation().fetchall().count((None,)) == 2


def test_days_of_pandas_are_released_as_days() -> None:
    pandas = pytest.importorskip("pandas")
    days = pandas.to_datetime(["2020-01-01", "2020-01-02", "2020-01-01", None])
    frame = pandas.DataFrame({
        'a "day"': days, "time": pandas.to_datetime(["2020-01-01 10:00", *["2020-01-01 00:00"] * 3]),
        "zoned": pandas.to_datetime(["2020-01-01"] * 4).tz_localize("UTC"), "never": [pandas.NaT] * 4,
        "kept": days,
    })  # fmt: skip
    release = sqlanon.mondrian(frame, qi='a "day"', keep=["time", "zoned", "never", "kept"], k=4)
    assert {str(label) for (label, *_) in release.relation().fetchall()} == {"[NULL, 2020-01-02]"}
    assert [str(each) for each in release.relation().types[1:3]] == ["TIMESTAMP", "TIMESTAMP WITH TIME ZONE"]
    assert sorted(map(str, release.df()["kept"])) == sorted(map(str, days))


@pytest.mark.slow("1 s")
def test_a_data_frame_needs_no_connection(people: Any) -> None:
    release = sqlanon.mondrian(people, **ROLES, k=3, seed=1)
    assert duckdb.table(release.table).count("*").fetchall() == [(6,)]
    with duckdb.connect() as con:
        assert sqlanon.mondrian(con, people, **ROLES, k=3, seed=1).df().equals(release.df())
    lost = sqlanon.utility(people, release, **ROLES)
    assert lost.filter("id = 'suppressed_rows'").project("value").fetchall() == [(0,)]
    found = sqlanon.intersection_attack([release], people, "name", **ROLES)
    assert sorted(found.fetchall())[0][0] == "A"
    assert sqlanon.attacks().fetchall()


@pytest.mark.slow("2.8 s")
def test_that_of_a_release_comes_before_the_default(people: Any) -> None:
    with duckdb.connect() as con:
        con.register("voters", people)
        release = sqlanon.mondrian(con, "voters", **ROLES, k=3)
        for answer in (
            sqlanon.classes(release, qi="age"),
            sqlanon.utility(people, release, **ROLES),
            sqlanon.intersection_attack([people, release], "voters", "name", **ROLES),
        ):
            assert answer.fetchall()
            with pytest.raises(duckdb.Error, match="another"):  # the answer is in con, where the release is
                duckdb.sql("from answer")
        other = sqlanon.mondrian(people, **ROLES, k=3)
        assert sqlanon.run_attacks([release, other], **ROLES).fetchall()


@pytest.mark.slow("0.3 s")
def test_a_relation_of_duckdb_itself_and_a_file(people: Any, tmp_path: Path) -> None:
    assert len(sqlanon.classes(duckdb.sql("from people"), qi="zip").fetchall()) == 3
    file = tmp_path / "people.csv"
    people.to_csv(file, index=False)
    assert len(sqlanon.classes(file, qi="zip").fetchall()) == 3
    assert len(sqlanon.classes(str(file), qi="zip").fetchall()) == 3
    with duckdb.connect() as con:
        by_name: Any = sqlanon.classes
        assert len(by_name(people, qi="zip", con=con).fetchall()) == 3
        with pytest.raises(InputError, match="a relation of this connection"):
            sqlanon.classes(con.sql("from people"), qi="zip")


def test_a_table_by_its_name_needs_one(people: Any) -> None:
    needed = (
        r"there is no file '{}', and to look for a table of this name a connection is needed: give it first"
    )
    with pytest.raises(InputError, match=needed.format("people")):
        sqlanon.mondrian("people", **ROLES, k=3)
    with pytest.raises(InputError, match=f"hierarchies: {needed.format('h')}, mondrian\\(con, "):
        sqlanon.mondrian(people, **ROLES, k=3, hierarchies="h")
    with pytest.raises(InputError, match=f"releases: {needed.format('east')}"):
        sqlanon.breaches(["east", people], people, "name", **ROLES)


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("clinic.duckdb", "people"), "takes con, source by position.*no connection, but this str"),
        ((None, "people"), "no connection, but this NoneType"),
        ((duckdb, "people"), "no connection, but this module"),
        (
            (duckdb.default_connection(), "people", ["age"]),
            r"all else by name, as qi=\.\.\., sensitive=\.\.\., keep=\.\.\.$",
        ),
        ((), r"missing a required argument: 'source'$"),
    ],
)
def test_what_is_no_connection(args: tuple[Any, ...], told: str) -> None:
    with pytest.raises(TypeError, match=told):
        sqlanon.mondrian(*args, **ROLES, k=3)


def test_a_parameter_that_is_given_twice(people: Any) -> None:
    told = r"multiple values for argument 'qi': by position it takes con, source, qi, sensitive"
    with pytest.raises(TypeError, match=told):
        sqlanon.privacy(people, ["age"], qi=["age"])


def test_a_connection_that_comes_later(people: Any) -> None:
    with (
        duckdb.connect() as con,
        pytest.raises(InputError, match=r"the connection comes first: mondrian\(con"),
    ):
        sqlanon.mondrian(people, con, **ROLES, k=3)


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """What each call gives, or the error that it raises."""

    def result(call: Callable[[], Any]) -> Any:
        try:
            return call()
        except Exception as error:
            return error

    with ThreadPoolExecutor(len(calls)) as pool:
        return [*pool.map(result, calls)]


@pytest.mark.slow("1 s")
def test_threads_have_cursors_of_their_own(people: Any) -> None:
    """And what they make is read where they are done."""

    def call() -> Any:
        release = sqlanon.mondrian(people, **ROLES, k=3, seed=1)
        return release, sqlanon.classes(release, qi=ROLES["qi"]).fetchall()

    (first, classes), (second, others) = at_once(call, call)
    assert classes == others
    assert len(classes) == 2
    assert sorted(first.relation().fetchall()) == sorted(second.relation().fetchall())


def test_a_connection_at_work_says_so(people: Any) -> None:
    """DuckDB 1.4 waits instead, and 2.0 does now and then."""

    def at_work() -> Any:
        begun, done = threading.Event(), threading.Event()

        def wait() -> int:
            begun.set()
            done.wait(3)
            return 1

        with duckdb.connect() as con:
            con.create_function("wait", wait, [], "INTEGER", side_effects=True)
            sqlanon.register(con)

            def call() -> Any:
                begun.wait(60)
                try:
                    sqlanon.mondrian(con, people, **ROLES, k=3)
                finally:
                    done.set()

            _, error = at_once(lambda: con.execute("select wait()").fetchall(), call)
        return error

    busy = "this connection is at work in another thread: give each thread one of its own, con.cursor"
    error = next((error for error in (at_work() for _ in range(10)) if error is not None), None)
    assert isinstance(error, InputError)
    assert str(error).startswith(busy)
