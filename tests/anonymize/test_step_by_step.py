"""The steps of an anonymizer, to look at."""

from __future__ import annotations

import contextlib
import re

import duckdb
import pytest

import sqlanon
from sqlanon.anonymize import step_by_step

PEOPLE = """
    create table people as
    select 20 + i % 17 as age, 'z' || i % 3 as zip, ['flu', 'gout', 'cancer'][1 + i % 3] as disease
    from range(60) as numbers(i)"""


@pytest.fixture
def con() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect()
    con.execute(PEOPLE).fetchall()
    return con


@pytest.mark.both_lines
def test_the_steps_lead_to_the_release(con: duckdb.DuckDBPyConnection) -> None:
    made = sqlanon.steps(con, "mondrian", "people", qi=["age", "zip"], sensitive="disease", k=5, seed=1)
    released = con.execute(
        "from sqlanon.mondrian('people', ['age', 'zip'], 'disease', k := 5, seed := 1)"
    ).fetchall()
    assert made["release"].relation.fetchall() == made[-1].relation.fetchall() == released
    names = [name for name, _, _ in made]
    assert names.index("source") < names.index("tuple") < names.index("cut_state") < names.index("label")
    assert made["source"].relation.fetchall() == con.execute("from people").fetchall()
    assert made["tuple"].what.startswith("The distinct combinations numbered and coded: tuple_id, q1, q2")
    assert "source: Columns of a table" in repr(made)
    assert "<h4>tuple</h4>" in made._repr_html_()


@pytest.mark.both_lines
@pytest.mark.parametrize(
    ("method", "given"),
    [("optimal", {"k": 5}), ("anatomize", {"l": 2}), ("generalize", {"levels": [0], "k": 1})],
)
def test_methods(con: duckdb.DuckDBPyConnection, method: str, given: dict[str, object]) -> None:
    made = sqlanon.steps(con, method, "people", qi="age", sensitive="disease", **given)
    assert len(made) > 4
    assert len(made["release"].relation.fetchall()) > 0


@pytest.mark.both_lines
@pytest.mark.parametrize(
    ("method", "given"),
    [
        ("mondrian", {"k": 3, "unit": "zip", "qi": "age"}), ("optimal", {"k": 5}),
        ("anatomize", {"l": 2}), ("microaggregate", {"k": 5, "algorithm": "curve"}),
    ],
)  # fmt: skip
def test_comments_name_the_columns(
    con: duckdb.DuckDBPyConnection, method: str, given: dict[str, object]
) -> None:
    """Of each relation, but for those of the user; or the comment says of which macro they are as well."""
    comments = {macro: f"{what} " for macro, what in step_by_step.what_they_make().items()}
    asked = {"qi": ["age", "zip"], "sensitive": "disease", **given}
    lacking = []
    for name, what, relation in sqlanon.steps(con, method, "people", **asked):
        said = what + "".join(comments.get(macro, "") for macro in re.findall(r"\b_\w+", what))
        columns = {re.sub(r"\d+$", "1", column) for column in relation.columns}
        for column in columns - {"age", "zip", "disease"}:
            if what and name != "release" and not re.search(rf"\b{re.escape(column)}\b", said):
                lacking.append(f"{name}: {column}: {what}")
    assert not lacking, "\n".join(lacking)


def test_a_hierarchy_and_a_frame(con: duckdb.DuckDBPyConnection) -> None:
    frame = con.execute("select zip from people").df()
    hierarchy = con.execute(
        "from (values ('zip', 'z0', 0, 'z0'), ('zip', 'z0', 1, 'z'), ('zip', 'z1', 0, 'z1'), "
        "('zip', 'z1', 1, 'z'), ('zip', 'z2', 0, 'z2'), ('zip', 'z2', 1, 'z')) "
        "h(attribute, value, level, label)"
    ).df()
    made = sqlanon.steps(con, "mondrian", frame, qi="zip", k=25, hierarchies=hierarchy)
    assert made["release"].relation.distinct().fetchall() == [("*",)]
    assert len(made["tree"].relation.fetchall()) == 6


def test_no_connection() -> None:
    frame = duckdb.connect().execute("select i // 20 as age from range(60) as numbers(i)").df()
    with contextlib.closing(sqlanon.steps("mondrian", frame, qi="age", k=5)) as made:
        assert len(made["release"].relation.fetchall()) == 60


def test_their_tables_go(con: duckdb.DuckDBPyConnection) -> None:
    tables = "select count(*) from duckdb_tables() where temporary"
    made = sqlanon.steps(con, "mondrian", "people", qi="age", k=5)
    assert con.execute(tables).fetchone() != (0,)
    made.close()
    assert con.execute(tables).fetchone() == (0,)


def test_errors(con: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(sqlanon.InputError, match=r"mondrain is no anonymizer with steps to show: .*mondrian"):
        sqlanon.steps(con, "mondrain", "people", qi="age", k=5)
    with pytest.raises(sqlanon.InputError, match="lattice is no anonymizer"):
        sqlanon.steps(con, "lattice", "people", qi="age", k=5)
    with pytest.raises(sqlanon.InputError, match="unknown column"):
        sqlanon.steps(con, "mondrian", "people", qi="aeg", k=5)
    with pytest.raises(sqlanon.InputError, match=r"optimal has no parameter relaxed"):
        sqlanon.steps(con, "optimal", "people", qi="age", k=5, relaxed=True)
    with pytest.raises(TypeError, match=r"steps\(\) has no parameter qii; did you mean qi\?"):
        sqlanon.steps(con, "mondrian", "people", qii="age", k=5)
    with pytest.raises(KeyError, match="no step tupel: there is requirement, source"):
        sqlanon.steps(con, "mondrian", "people", qi="age", k=5)["tupel"]
