"""Tables of counts and sums through the gate: made by [table] of a policy, checked by what they tell."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlanon
from sqlanon.core.errors import InputError, RefusedError, UseError
from sqlanon.policies import load
from sqlanon.publishing.register import opened
from sqlanon.publishing.tables import TablePublication, publish_table
from tests.cells.regions import solver
from tests.cli.test_cli import run
from tests.judge.nights import refused

SUPPRESS = """
[table]
dimensions = ["ward", "illness"]
unit = "pid"
threshold = 3
method = "suppress"
"""
COUNTS = {"A": (2, 4, 3), "B": (4, 3, 3), "C": (5, 3, 4)}


@pytest.fixture
def con(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> duckdb.DuckDBPyConnection:
    """Visits: everybody has two, so that people are counted, not rows."""
    monkeypatch.chdir(tmp_path)
    connection = duckdb.connect()
    sqlanon.register(connection)
    rows = [
        f"('{ward}{illness}{i}', '{ward}', '{illness}', {10 + i})"
        for ward, counts in COUNTS.items()
        for illness, n in zip(("flu", "gout", "rash"), counts, strict=True)
        for i in range(n)
    ]
    connection.execute(
        f"create table visits as from (values {', '.join(rows * 2)}) as row(pid, ward, illness, cost)"
    ).fetchall()
    connection.execute("copy visits to 'visits.csv'").fetchall()
    return connection


def publish(con: duckdb.DuckDBPyConnection, text: str, output: str, **more: Any) -> TablePublication:
    Path("table.toml").write_text(text)
    try:
        return publish_table(con, "visits", "table.toml", register="r.duckdb", output=output, **more)
    except RefusedError as error:
        refused(con, error)
        raise


def cells(con: duckdb.DuckDBPyConnection, file: str) -> dict[tuple[str, str], str]:
    rows = con.execute(f"select ward, illness, value from read_csv('{file}', all_varchar = true)").fetchall()
    return {(ward, illness): value for ward, illness, value in rows}


@pytest.mark.slow("1 s")
@solver
def test_it_is_made_checked_and_entered(con: duckdb.DuckDBPyConnection) -> None:
    made = publish(con, SUPPRESS, "q1.csv")
    assert (made.is_out, made.number, made.cells, made.unsafe, made.hidden) == (True, 1, 16, 1, 4)
    left = cells(con, "q1.csv")
    assert left["A", "flu"] == "*"
    assert left["total", "total"] == "31"
    assert [*left][-1] == ("total", "total")
    with opened(con, "r.duckdb", read_only=True) as known:
        [entry] = known.entries()
        assert (entry.status, entry.is_of_cells, [*entry.qi]) == ("out", True, ["ward", "illness"])
        assert known.microdata([entry]) == []
        assert known.remarks == ["release 1, q1 is a table of counts or sums: attacks on rows do not apply"]
        stored = con.execute("select * from sqlanon_register.released.release_1").fetchall()
        [(method, parameters, unit, policy)] = con.execute(
            "select method, parameters, unit, policy from sqlanon_register.releases"
        ).fetchall()
        judged = con.execute("select id, verdict from sqlanon_register.verdicts order by id").fetchall()
    assert {row[:2]: row[2] for row in stored} == left
    assert (method, unit, policy) == ("suppress_cells", "pid", SUPPRESS)
    assert json.loads(parameters) == {
        "dimensions": ["ward", "illness"], "unit": "pid", "threshold": 3, "method": "suppress",
        "additive": True, "whole": True,
    }  # fmt: skip
    assert judged == [
        ("cells", None), ("hidden", None), ("known", "holds"), ("unfinished", "holds"),
        ("unsafe", None), ("unsafe_shown", "holds"),
    ]  # fmt: skip


@solver
def test_rounding_that_tells_too_much(con: duckdb.DuckDBPyConnection) -> None:
    """With base 2 a count of 2 is known to be 1 to 3, and five numbers have to be possible."""
    rounded = SUPPRESS.replace('"suppress"', '"round"\nbase = {base}').replace("= 3", "= 5")
    with pytest.raises(RefusedError, match="tell too much of cells that break a rule") as refused:
        publish(con, rounded.format(base=2), "t.csv")
    assert refused.value.verdict == "fails"
    assert not Path("t.csv").exists()
    made = publish(con, rounded.format(base=12), "t.csv")
    assert made.is_out
    assert set(cells(con, "t.csv").values()) <= {"0", "12", "24", "36"}


@solver
def test_a_group_that_is_alike_is_told(con: duckdb.DuckDBPyConnection) -> None:
    """Nobody has said of what dimension it must not be learned."""
    con.execute("delete from visits where ward = 'B' and illness <> 'gout'").fetchall()
    con.execute("delete from visits where ward = 'A' and illness = 'flu'").fetchall()
    con.execute("update visits set ward = null where ward = 'B'").fetchall()
    made = publish(con, SUPPRESS, "t.csv", dry_run=True)
    told = [each for each in made.remarks if "whoever knows that somebody is in the group" in each]
    assert [each.partition(":")[0] for each in told] == [
        "all people of illness flu have ward C", "all people of ward without a value have illness gout",
    ]  # fmt: skip


@pytest.mark.slow("4 s")
@solver
def test_random_rounding_is_the_same_each_time(con: duckdb.DuckDBPyConnection) -> None:
    Path("key").write_text("replace this: 9f2c61d07be84a35")
    text = SUPPRESS.replace('"suppress"', '"round"\nbase = 10\nrounding = "random"')
    publish(con, text, "t.csv", key_file="key")
    publish(con, text, "again.csv", key_file="key")
    assert cells(con, "t.csv") == cells(con, "again.csv")
    with pytest.raises(UseError, match="a hash needs a key"):
        publish(con, text, "more.csv")


@pytest.mark.slow("1 s")
@solver
def test_cell_keys(con: duckdb.DuckDBPyConnection) -> None:
    Path("key").write_text("replace this: 9f2c61d07be84a35")
    text = SUPPRESS.replace('"suppress"', '"keys"\nlargest = 5\nvariance = 3')
    made = publish(con, text, "t.csv", key_file="key", dry_run=True)
    assert (made.is_out, made.number, made.hidden) == (False, None, 16)
    assert any("means or sums of the same people would undo its noise" in each for each in made.remarks)
    assert not Path("t.csv").exists()
    with pytest.raises(RefusedError, match="tell too much of cells that break a rule"):
        publish(
            con,
            text.replace("= 5", "= 1").replace("= 3", "= 0.5").replace("threshold = 0.5", "threshold = 4"),
            "t.csv",
            key_file="key",
        )


@pytest.mark.slow("1 s")
@solver
def test_sums(con: duckdb.DuckDBPyConnection) -> None:
    text = SUPPRESS.replace("threshold = 3", 'measure = "cost"\np = 40')
    made = publish(con, text, "t.parquet")
    assert made.unsafe == 1
    assert made.hidden == 4


@solver
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[roles]\nqi = ['a']\n" + SUPPRESS, "roles is for releases of rows"),
        (SUPPRESS + "[judge]\nhold_back = 0.1", "judge.hold_back is for releases of rows"),
        (SUPPRESS + "[judge]\nlanguage = 'it'", "judge.language must be one of en, de, fr"),
        (SUPPRESS.replace('"suppress"', '"hide"'), "must be one of suppress, round, keys, not .hide"),
        (SUPPRESS.replace("threshold", "treshold"), r"table.treshold is not known; did you mean threshold\?"),
        (SUPPRESS + "filter = 'cost >'", "filter cost > cannot be read: write conditions such as"),
        (SUPPRESS + "filter = 'age > 3'", "table.filter: there is no column age in visits"),
        (SUPPRESS + "base = 5", "table.base is for method round, not for suppress"),
        (SUPPRESS.replace("threshold = 3", ""), "table has no rule that says which cells are unsafe"),
        (SUPPRESS.replace('"illness"', '"ilness"'), "table.dimensions: there is no column ilness .* illness"),
        (SUPPRESS.replace("pid", "patient"), "table.unit: there is no column patient in visits"),
        (SUPPRESS.replace('"suppress"', '"round"'), "table.base is needed, such as base = 5"),
        (SUPPRESS.replace('"suppress"', '"keys"'), "table.largest and variance say which noise, or ptable"),
        (SUPPRESS + '[hierarchies.cost]\nbuilder = "flat"', "hierarchies.cost: cost is none of table.dimen"),
        (SUPPRESS + 'publish = "must.csv"', "table.publish: there is no file must.csv"),
        ("confirmed = false\n" + SUPPRESS, "confirmed = false: look at"),
        ("[roles]\nqi = ['a']", r"has no \[table\]"),
    ],
)  # fmt: skip
def test_wrong_input(con: duckdb.DuckDBPyConnection, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        publish(con, text, "t.csv")
    assert not Path("t.csv").exists()
    assert not Path("r.duckdb").exists()


def test_commands_for_rows_do_not_read_it(con: duckdb.DuckDBPyConnection) -> None:
    Path("table.toml").write_text(SUPPRESS)
    with pytest.raises(UseError, match="table makes a table of counts or sums: sqlanon publish"):
        load("table.toml")


@pytest.mark.slow("3 s")
@solver
def test_the_command(con: duckdb.DuckDBPyConnection) -> None:
    Path("table.toml").write_text(SUPPRESS)
    command = ("publish", "visits.csv", "--policy", "table.toml", "--register", "r.duckdb", "-o")
    result = run(*command, "q1.csv")
    assert result.exit_code == 0
    assert result.stderr.splitlines()[-2:] == [
        "q1.csv: 16 cells, of which 1 break a rule, and 4 are hidden or changed",
        "q1.csv is out: release 1, q1, in r.duckdb",
    ]
    result = run(*command, "q2.csv", "--period", "2026-06")
    assert result.exit_code == 1
    assert "not known: not all of q1, q2 say as of when they count people" in result.stderr
    assert "not known: q2.csv is not out" in result.stderr
    result = run(*command, "q2.csv", "--max-targets", "5")
    assert result.exit_code == 2
    assert "--max-targets is for releases of rows; table.toml makes a table" in result.stderr
