"""What the README shows works as it is shown."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import duckdb
import pytest
from typer.testing import CliRunner

import sqlanon
from sqlanon.cli.app import app
from sqlanon.core.library import write_file
from tests.budget import ON_LTS

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")


@pytest.fixture
def clinics(con: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """people.csv, its overlapping parts east.csv and west.csv, and voters.csv: those who are in both."""
    monkeypatch.chdir(tmp_path)
    con.execute(
        """
        create table people as
        select 'person ' || i as name, (20 + hash(i) % 60)::integer as age,
            (13000 + hash(i, 1) % 50)::integer as zip,
               ['flu', 'cold', 'cancer', 'asthma', 'diabetes'][1 + (hash(i, 2) % 5)::integer] as disease
        from range(900) as t(i)
        """
    ).fetchall()
    for name, where in {
        "people": "true", "east": "rowid < 600", "west": "rowid >= 300", "voters": "rowid between 300 and 599"
    }.items():  # fmt: skip
        con.execute(f"copy (select * from people where {where}) to '{name}.csv'").fetchall()
    con.execute("drop table people").fetchall()
    return tmp_path


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def block_with(text: str) -> str:
    """The session in SQL with this text."""
    [session] = [block for block in blocks("sql") if text in block]
    return session


def run_all(con: duckdb.DuckDBPyConnection, session: str) -> list[list[tuple[Any, ...]]]:
    return [con.execute(text).fetchall() for text in session.split(";") if text.strip()]


def test_the_first_block(tmp_path: Path) -> None:
    """As somebody would paste it, with the file attached; on a line of DuckDB that reads it."""
    attach, session, *_ = blocks("sql")
    [shown] = blocks("text")
    write_file(tmp_path / "sqlanon.duckdb")
    with duckdb.connect() as con:
        con.execute(attach.replace("sqlanon.duckdb", str(tmp_path / "sqlanon.duckdb"))).fetchall()
        if ON_LTS:  # where macros of a file are planned slowly
            con.execute("detach sqlanon").fetchall()
            sqlanon.register(con)
        results = run_all(con, session)
    statements = [text for text in session.split(";") if text.strip()]
    queries = (rows for text, rows in zip(statements, results, strict=True) if "CREATE" not in text)
    privacy, released, violations, attacked = queries
    printed = [
        "\n".join("   ".join(_text(value) for value in row) for row in rows)
        for rows in (privacy, released, attacked)
    ]
    assert re.sub(" {3,}", "   ", shown).strip().split("\n\n") == printed
    assert violations == []


def _text(value: Any) -> str:
    return f"[{', '.join(value)}]" if isinstance(value, list) else str(value)


@pytest.mark.current_line
def test_the_levels_session(con: duckdb.DuckDBPyConnection, clinics: Path) -> None:
    _, points, released = run_all(con, block_with("interval_hierarchy"))
    assert len(points) == 5 * 6  # [5, 10, 20] and '*' over the value; five digits and the value
    assert 810 <= len(released) <= 900
    con.execute("create table released as "
                "from (values " + ", ".join(["(?, ?, ?)"] * len(released)) + ") as r(age, zip, disease)",
                [value for row in released for value in row]).fetchall()  # fmt: skip
    assert con.execute("from sqlanon.violations('released', qi := ['age', 'zip'], k := 3)").fetchall() == []


@pytest.mark.current_line
def test_releases_of_others(con: duckdb.DuckDBPyConnection, clinics: Path) -> None:
    con.execute(
        """copy (select age // 10 * 10 || '-' || age // 10 * 10 + 9 as age, zip // 10 || 'x' as zip, disease
                 from 'people.csv') to 'theirs.csv'"""
    ).fetchall()
    [attacked] = run_all(con, block_with("theirs.csv"))
    assert len(attacked) == 300
    assert all(posterior > 0 for _, _, _, posterior, *_ in attacked)


@pytest.mark.current_line
def test_what_an_adversary_knows(con: duckdb.DuckDBPyConnection, clinics: Path) -> None:
    con.execute(
        """create table people as from 'people.csv';
        create table east as from sqlanon.mondrian('people', ['age', 'zip'], 'disease', k := 5);
        create table west as from sqlanon.mondrian('people', ['zip', 'age'], 'disease', k := 4);
        copy (select name, if(rowid % 2 = 0, age::varchar, age - 2 || '-' || age + 2) as age,
                     if(rowid % 3 = 0, '?', zip::varchar) as zip, if(rowid % 2 = 0, 'm', 'f') as sex
              from people limit 20) to 'voters.csv';
        copy (select name, if(disease = 'flu', 'cold', 'flu') as value from people limit 20)
            to 'ruled_out.csv';
        copy (select sex, value, 0.2 as share from (values ('m'), ('f')) as t(sex),
                     (select distinct disease as value from people)) to 'frequencies.csv'"""
    ).fetchall()
    attacked = con.execute(block_with("ruled_out.csv").partition(";")[0]).fetchall()
    people = {name: disease for name, *_, disease in con.execute("from 'people.csv'").fetchall()}
    assert len(attacked) == 20
    assert all(people[name] in candidates for name, *_, candidates, _, _ in attacked)
    assert all(
        ("cold" if people[name] == "flu" else "flu") not in candidates
        for name, *_, candidates, _, _ in attacked
    )


@pytest.mark.current_line
def test_releases_that_know_each_other(con: duckdb.DuckDBPyConnection, clinics: Path) -> None:
    con.execute(
        """create table people as from 'people.csv';
        create table east as from sqlanon.mondrian('people', ['zip', 'age'], 'disease', k := 3, l := 2)"""
    ).fetchall()
    con.execute("create table west as " + block_with("composed_l")).fetchall()
    attack = "sqlanon.intersection_attack(['east', 'west'], 'people', 'name', ['age', 'zip'], 'disease')"
    assert con.execute(f"select min(posterior) >= 2, count(*) from {attack}").fetchall() == [(True, 900)]


@pytest.mark.current_line
def test_a_table_that_is_released_again(con: duckdb.DuckDBPyConnection, clinics: Path) -> None:
    con.execute(
        """create table people as from 'people.csv' where hash(name) % 10 < 9;
        create table people_in_summer as from 'people.csv' where hash(name) % 10 > 0;
        create table everybody as
            select *, hash(name) % 10 < 9 as in_spring, hash(name) % 10 > 0 as in_summer from 'people.csv'"""
    ).fetchall()
    run_all(con, block_with("m_invariant_state"))
    check = """from sqlanon.m_invariance(
        ['spring', 'summer'], 'everybody', 'name', ['age', 'zip'], 'disease', 3,
        presence := ['in_spring', 'in_summer'], group_id := 'group_id') where violation <> 'several'"""
    assert con.execute(check).fetchall() == []
    assert (
        con.execute("select count(*) from state").fetchall()
        == con.execute("select count(*) from people").fetchall()
    )


def test_the_python_session(con: duckdb.DuckDBPyConnection, clinics: Path) -> None:
    with duckdb.connect("clinic.duckdb") as clinic:
        clinic.execute("create table people as from 'people.csv'").fetchall()
    [session] = blocks("python")
    scope: dict[str, object] = {}
    exec(compile(session, "README.md", "exec"), scope)
    release, own = scope["release"], scope["con"]
    assert isinstance(own, duckdb.DuckDBPyConnection)
    own.close()
    assert isinstance(release, sqlanon.Release)
    assert (release.table, release.rows, release.suppressed_rows) == ("east", 900, 0)


@pytest.mark.current_line
def test_the_shell_session(con: duckdb.DuckDBPyConnection, clinics: Path) -> None:
    shown = re.findall(r"^    sqlanon (.*?)(?:  +#.*)?$", README, re.MULTILINE)
    # tests/experiments/test_ganta2008.py runs the reproduction, which needs the paper's data, and
    # tests/cli/test_publish.py the commands of the gate, which need a policy; tests/cli/test_cli.py chooses,
    # and tests/app opens the page
    elsewhere = ("reproduce", "publish", "releases", "register", "audit", "frontier", "app")
    commands = [command for command in shown if not command.startswith(elsewhere)]
    assert (len(shown), len(commands)) == (22, 12)
    run = CliRunner().invoke
    [anonymize] = [command for command in commands if command.startswith("anonymize")]
    west = anonymize.replace("people.csv", "west.csv").replace("east.", "west.")
    assert run(app, shlex.split(west)).exit_code == 0
    for command in commands:
        result = run(app, shlex.split(command))
        assert result.exit_code == 0, (command, result.output)


@pytest.mark.current_line
def test_the_table_of_counts(con: duckdb.DuckDBPyConnection, clinics: Path) -> None:
    """Its answer is that of the table with the people themselves."""
    [statement] = re.findall(r"^`(FROM sqlanon.*weight := .*)`\.$", README, re.MULTILINE)
    con.execute(
        "copy (select age, zip // 25 as zip, disease, count(*) as people from 'people.csv' group by all) "
        "to 'counts.csv'"
    ).fetchall()
    con.execute("copy (select age, zip // 25 as zip, disease from 'people.csv') to 'rows.csv'").fetchall()
    of_rows = statement.replace("counts.csv", "rows.csv").replace(", weight := 'people'", "")
    violating = con.execute(statement).fetchall()
    assert violating == con.execute(of_rows).fetchall()
    assert 0 < len(violating) < 60 * 2
