"""Attacks that others have written, as SQL: those of a connection, and those of packages."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlanon
from sqlanon.core import plugins
from sqlanon.core.errors import InputError, UseError
from sqlanon.policies.policy import load
from tests.cli.test_cli import folder as folder  # a fixture
from tests.cli.test_cli import ok, run

pytestmark = pytest.mark.both_lines

SCRIPT = """
create macro own.main.most_frequent(release, targets, id, sensitive, truth := null) as table
    from query('
        select t.' || id || ' as id, learned::varchar as learned, share as confidence, share as baseline,
               ' || coalesce('t.' || truth, 'null') || '::varchar = learned::varchar as is_right,
               false as is_control
        from ' || targets || ' as t,
             (select ' || sensitive || ' as learned, count(*) / sum(count(*)) over () as share
              from ' || release || ' group by all order by share desc, learned limit 1)');
comment on macro table own.main.most_frequent is $$
Guesses the most frequent value of the release for everybody.

Parameters:
- release (table): the release.
- targets (table): the people to attack.
- id (column): the column of targets that names the person.
- sensitive (column): the column to be learned.
- truth (column; default null): the column of targets that has the true value.

Attack:
- subject: person
- targets: some
- releases: 1
$$;
"""
OWN = SCRIPT.replace("own.main.", "")
PEOPLE = "select i as id, i % 7 as age, if(i % 3 = 0, 'flu', 'cold') as disease from range(12) as t(i)"


def of_package() -> str:
    return OWN


def dropping() -> str:
    return OWN + "drop table people;"


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        sqlanon.register(con)
        con.execute(f"create table people as {PEOPLE}")
        con.execute("attach ':memory:' as own")
        yield con


@pytest.fixture
def package(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One is installed that has this function as its attack most_frequent."""
    point = EntryPoint("most_frequent", f"{__name__}:{request.param}", plugins.GROUPS[0])
    monkeypatch.setattr(plugins, "entry_points", lambda group: [point] if group == plugins.GROUPS[0] else [])
    plugins._of_packages.cache_clear()
    yield
    plugins._of_packages.cache_clear()


def found(con: duckdb.DuckDBPyConnection, **more: Any) -> dict[str, tuple[Any, ...]]:
    rows = sqlanon.run_attacks(
        con, {"out": "people"}, ["age"], "disease", targets="people", id="id", truth="disease",
        attacks=["most_frequent"], **more,
    ).project("id, value, verdict")  # fmt: skip
    return {id: tuple(others) for id, *others in rows.fetchall()}


def test_a_macro_of_a_connection(con: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(UseError, match="most_frequent is no attack"):
        found(con)
    con.execute(SCRIPT)
    listed = con.sql("select subject, needs, targets from sqlanon.attacks() where attack = 'most_frequent'")
    needs = ["release", "targets", "id", "sensitive"]
    assert listed.fetchall() == [("person", needs, "some")]
    explained = con.sql("from sqlanon.help('most_frequent') where kind = 'parameter'")
    assert explained.count("*").fetchall() == [(5,)]
    measured = found(con, tolerated={"most_frequent.right": 50})
    assert measured["subjects"][0] == 12
    assert measured["right"] == (pytest.approx(100 * 2 / 3), "fails")
    with pytest.raises(InputError, match="most_frequent has no measure rihgt; did you mean right"):
        found(con, tolerated={"most_frequent.rihgt": 50})


def test_a_macro_of_ours_is_not_theirs_to_take(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(SCRIPT.replace("most_frequent", "linking"))
    listed = con.sql("select subject, source from sqlanon.attacks() where attack = 'linking'").fetchall()
    assert len(listed) == 1
    assert listed[0][1] is not None


@pytest.mark.parametrize(
    ("said", "instead", "problem"),
    [
        ("subject: person", "subject: people", "must say its subject: person, class, value, cell"),
        ("targets: some", "targets: none", "must say targets: some, or all, not none"),
        ("releases: 1", "releases: 3", "must say releases: 1, or 2, not 3"),
        ("targets: some", "target: some", "has lines that are not of the form"),
        ("targets: some", "targets some", "has lines that are not of the form"),
    ],
)
def test_what_is_wrong_in_its_comment_is_told(
    con: duckdb.DuckDBPyConnection, said: str, instead: str, problem: str
) -> None:
    con.execute(SCRIPT.replace(said, instead))
    with pytest.raises(duckdb.Error, match=f"the block Attack in the comment on most_frequent {problem}"):
        con.sql("from sqlanon.attacks()").fetchall()


@pytest.mark.slow("2 s")
@pytest.mark.parametrize("package", ["of_package"], indirect=True)
def test_one_of_a_package(folder: Any, package: None, con: duckdb.DuckDBPyConnection) -> None:
    assert found(con)["subjects"][0] == 12
    con.execute(f"copy ({PEOPLE}) to 'people.csv'")
    roles = ["--sensitive", "disease", "--id", "id", "--targets", "people.csv"]
    assert "most_frequent" in ok("attacks", "--format", "csv")
    told = ok("attack", "people.csv", *roles, "--truth", "disease", "--kind", "most-frequent", "--summary")
    assert "right" in told
    policy = Path("policy.toml")
    columns = '[roles]\nqi = ["age"]\nsensitive = ["disease"]\n[requirements]\nk = 2\n'
    policy.write_text(f"{columns}[tolerated.most_frequent]\nright = 50\n", "utf-8")
    assert load(policy).tolerated == {"most_frequent.right": 50}
    outputs = ["--register", "out.duckdb", "-o", "out.csv", "--attacks", "most_frequent"]
    refused = run("publish", "people.csv", "--policy", policy, *outputs)
    assert refused.exit_code == 1
    assert "fails: most_frequent.right of disease on out: 66.67 %; 50 is tolerated" in refused.stderr


@pytest.mark.parametrize("package", ["dropping"], indirect=True)
def test_a_package_only_makes_macros(package: None, con: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(UseError, match="must only create macros and comment on them"):
        found(con)
    assert con.sql("from people").count("*").fetchall() == [(12,)]


@pytest.mark.slow("2 s")
def test_its_own_parameters_are_set(folder: Path, con: duckdb.DuckDBPyConnection) -> None:
    """On the command line, where a file has it: by the parameter's name."""
    script = OWN.replace("sensitive, truth", "sensitive, at_least, truth")
    script = script.replace("limit 1)", "limit ' || at_least || ')")
    script = script.replace("- truth (", "- at_least (integer): how many rows.\n- truth (")
    Path("mine.sql").write_text(script)
    con.execute("copy people to 'people.csv'")
    about = ("--targets", "people.csv", "--id", "id", "--qi", "age", "--sensitive", "disease")
    made = ("--plugin", "mine.sql", "attack", "people.csv", "--kind", "all", *about, "--format", "csv")
    told = ok(*made, "--set", "at_least=1")
    assert "most_frequent,[people.csv],disease,done,12" in told
    plugins._given.clear()
    refused = run(*made[2:], "--set", "at_least=1")
    assert (refused.exit_code, "at_least is no parameter of an attack" in refused.stderr) == (2, True)
