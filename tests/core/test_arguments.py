"""What a new user gives that cannot be meant: the error names the parameter, and what it takes."""

from __future__ import annotations

from typing import Any

import duckdb
import pytest

import sqlanon
from sqlanon.core.arguments import TROUBLES
from sqlanon.core.errors import InputError

ROLES: dict[str, Any] = {"qi": ["age", "zip"], "sensitive": "disease"}
TABLE = "select i % 5 as age, i % 3 as zip, i % 2 as disease, i as name from range(30) as people(i)"


def parameters() -> dict[str, set[str]]:
    """Which annotations the public functions have, and on which parameters."""
    import inspect

    found: dict[str, set[str]] = {}
    for name in sqlanon.__all__:
        function = getattr(sqlanon, name)
        if inspect.isfunction(function):
            for each in inspect.signature(function).parameters.values():
                found.setdefault(str(each.annotation).removesuffix(" | None"), set()).add(
                    f"{name}.{each.name}"
                )
    return found


def test_what_is_looked_at_is_what_functions_take() -> None:
    assert TROUBLES.keys() <= parameters().keys()
    assert not {each for each in parameters() if "Names" in each} - TROUBLES.keys()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"sensitive": ["disease"], "k": "five"}, "k must be a whole number of at least 1, not five"),
        ({"seed": "x"}, "seed must be a whole number, not 'x'"),
        ({"suppression_limit": "10%"}, "suppression_limit must be a number, not '10%'"),
        ({"relaxed": "yes"}, "relaxed must be True or False, not 'yes'"),
        ({"into": 5}, "into is one name or text, not 5"),
        ({"target": ["age"]}, r"target is one name or text, not \['age'\]: write 'age'"),
        ({"qi": "age,zip"}, r"unknown column \"age,zip\": several columns are a list, \['age', 'zip'\]"),
        ({"qi": [["age", "zip"]]}, r"qi takes names of columns, not \['age', 'zip'\]"),
        ({"qi": 3}, "qi takes names of columns, not 3"),
        ({"known": "east", "composed_l": 2}, r"known is a list of releases: write \['east'\]"),
        ({"hierarchies": ["age", "zip"]}, "hierarchies is one table, not a list of 2: write 'age'"),
    ],
)
def test_of_mondrian(con: duckdb.DuckDBPyConnection, arguments: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        sqlanon.mondrian(con, con.sql(TABLE), **{**ROLES, "k": 2, **arguments})


def test_numbers_by_column(con: duckdb.DuckDBPyConnection) -> None:
    about: dict[str, Any] = {"qi": ["age"], "k": 2}
    wrong: Any
    for wrong in (1, "age"):
        with pytest.raises(InputError, match=r"levels has a number for each column in qi.*\{'age': 1\}, not"):
            sqlanon.generalize(con, con.sql(TABLE), levels=wrong, **about)
    wrong = ["age"]
    with pytest.raises(InputError, match="each of weights must be a number, not 'age'"):
        sqlanon.optimal(con, con.sql(TABLE), weights=wrong, **about)


def test_of_attacks(con: duckdb.DuckDBPyConnection) -> None:
    people, wrong = con.sql(TABLE), 100
    about: Any = {"targets": people, "id": "name", **ROLES}
    calls: list[tuple[Any, Any, dict[str, Any], str]] = [
        (sqlanon.linking, [people], about, "release is one table, not a list of 1"),
        (
            sqlanon.breaches,
            [people],
            {**about, "levels": wrong},
            r"levels is a list of numbers.*write \[100\]",
        ),
        (sqlanon.breaches, [people], {**about, "targets": [people]}, "targets is one table"),
        (sqlanon.breaches, [people], {**about, "id": ["name"]}, "id is one name or text.*write 'name'"),
        (sqlanon.breaches, 5, about, r"releases is a list of releases, not one int: put it in \[ \]"),
        (sqlanon.run_attacks, people, ROLES, "releases is a list of releases, not one DuckDBPyRelation"),
        (sqlanon.correspondence, [people, people], {**ROLES, "sensitive": ["disease"]}, "write 'disease'"),
        (sqlanon.minimality, people, {**about, "k": "five"}, "k must be a whole number, not 'five'"),
        (sqlanon.skyline, people, {**ROLES, "l": True, "k": "one"}, "k must be a whole number, not 'one'"),
        (sqlanon.differencing, people, {"dimensions": "age", "count_column": "zip", "programs": 1}, "not 1"),
        (sqlanon.risk, people, {"qi": "age", "fraction": "half"}, "fraction must be a number, not 'half'"),
    ]
    for function, first, arguments, told in calls:
        with pytest.raises(InputError, match=told):
            function(con, first, **arguments)


def test_a_column_of_a_data_frame_is_no_name_of_one(con: duckdb.DuckDBPyConnection) -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"age": [1, 1], "disease": ["flu", "flu"]})
    with pytest.raises(InputError, match="sensitive takes names of columns, not a Series: write 'disease'"):
        sqlanon.mondrian(con, frame, qi=["age"], sensitive=frame["disease"], k=2)
    release = sqlanon.mondrian(con, frame, qi=frame.columns[:1], k=2, seed=frame["age"][0])
    assert release.parameters["qi"] == ["age"]


def test_an_unknown_column_is_one_of_a_table(con: duckdb.DuckDBPyConnection) -> None:
    """Which lacks it, as the caller calls that: by its name, or by the parameter."""
    con.execute(f"create table people as {TABLE}").fetchall()
    con.execute("create table register as select name, age from people").fetchall()
    about: Any = {"qi": ["age", "zip"], "id": "name"}
    for targets, called in (("register", "register"), (con.table("register"), "targets")):
        with pytest.raises(InputError, match=f'^unknown column "zip" in {called}$'):
            sqlanon.locate(con, "people", targets=targets, **about)
