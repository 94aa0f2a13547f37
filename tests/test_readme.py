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


def run_all(con: duckdb.DuckDBPyConnection, session: str) -> list[list[tuple[Any, ...]]]:
    return [con.execute(text).fetchall() for text in session.split(";") if text.strip()]


def test_the_sql_session(con: duckdb.DuckDBPyConnection, clinics: Path) -> None:
    session, _ = blocks("sql")
    assert session.startswith(".read sqlanon.sql\n")
    results = run_all(con, session.partition("\n")[2])
    privacy, _, _, violations, attacked = results
    assert [row[:2] for row in privacy][:2] == [("k-anonymity", None), ("distinct l-diversity", "disease")]
    assert violations == []
    assert len(attacked) == 300
    assert all(posterior >= 1 for _, _, posterior, *_ in attacked)


@pytest.mark.current_line
def test_the_levels_session(con: duckdb.DuckDBPyConnection, clinics: Path) -> None:
    _, session = blocks("sql")
    _, points, released = run_all(con, session)
    assert len(points) == 5 * 6  # [5, 10, 20] and '*' over the value; five digits and the value
    assert 810 <= len(released) <= 900
    con.execute("create table released as "
                "from (values " + ", ".join(["(?, ?, ?)"] * len(released)) + ") as r(age, zip, disease)",
                [value for row in released for value in row]).fetchall()  # fmt: skip
    assert con.execute("from sqlanon.violations('released', qi := ['age', 'zip'], k := 3)").fetchall() == []


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
    answer = re.findall(r"^    sqlanon (.*?)(?:  +#.*)?$", README, re.MULTILINE)
    # tests/experiments/test_ganta2008.py runs the reproduction, which needs the paper's data
    commands = [command for command in answer if not command.startswith("reproduce")]
    assert (len(answer), len(commands)) == (6, 5)
    run = CliRunner().invoke
    assert (
        run(
            app, shlex.split(commands[1].replace("people.csv", "west.csv").replace("east.", "west."))
        ).exit_code
        == 0
    )
    for command in commands:
        result = run(app, shlex.split(command))
        assert result.exit_code == 0, (command, result.output)
