"""Limits of memory and disk: options, keys of a policy, and what is said when one is reached."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from typer.testing import CliRunner

import sqlanon
from sqlanon.cli import app
from sqlanon.core import limits, statements
from sqlanon.core.errors import LimitError, UseError, for_the_command_line
from sqlanon.core.files import Session
from sqlanon.policies import policy

BIG = "create temp table big as select repeat(md5(i::text), 20) as x from range(300000) as number(i)"
POLICY = """
[roles]
qi = ["age"]
[requirements]
k = 2
[limits]
memory = "{memory}"
spill = "2GB"
"""


def settings(session: Session) -> tuple[str, str]:
    query = "select current_setting('memory_limit'), current_setting('max_temp_directory_size')"
    [(memory, spill)] = statements.execute(session.con, query)
    return memory, spill


def test_a_session_has_the_limits_of_the_command_before_those_of_its_policy(tmp_path: Path) -> None:
    file = tmp_path / "policy.toml"
    file.write_text(POLICY.format(memory="1GiB"))
    with Session() as session:
        assert settings(session)[1] == "9.3 GiB"  # 10 GB
    with limits.limited({"memory": "512MiB"}):
        policy.load(file)
        with Session() as session:
            assert settings(session) == ("512.0 MiB", "1.8 GiB")
    with limits.limited({}), Session() as session:
        policy.load(file)  # of a register that the session has read
        session.limit()
        assert settings(session) == ("1.0 GiB", "1.8 GiB")
    policy.load(file)  # in Python there is no command
    with Session() as session:
        assert settings(session)[1] == "9.3 GiB"


@pytest.mark.parametrize("said", ["lots", "", "4", "-1GB", "80%", "none", "4 GBs", "1e3GB"])
@pytest.mark.parametrize("name", limits.SETTINGS)
def test_amounts_that_are_none_are_refused(tmp_path: Path, name: str, said: str) -> None:
    result = CliRunner().invoke(app.app, ["check", "people.csv", "--qi", "age", f"--{name}", said])
    assert result.exit_code == 2
    assert (
        f"--{name} must be a number with KB, MB, GB or TB, such as 4GB, not {said}".strip() in result.output
    )
    file = tmp_path / "policy.toml"
    file.write_text(f"{POLICY.partition('[limits]')[0]}[limits]\n{name} = '{said}'")
    with pytest.raises(UseError, match=f"policy.toml: limits.{name} must be a number with KB"):
        policy.load(file)


def test_memory_in_which_nothing_runs_is_refused() -> None:
    assert limits.wrong_memory("99MB") == "must be at least 100MB, not 99MB"
    assert limits.wrong_memory("100MB") is None
    assert limits.wrong_size("0 kb") is None


@pytest.mark.parametrize(
    ("given", "reached"),
    [
        ({"memory": "100MB", "spill": "0MB"}, "temporary files have reached their limit, 0 bytes"),
        ({"memory": "100MB", "spill": "1MB"}, "temporary files have reached their limit, 976.5 KiB"),
    ],
)
def test_the_limit_that_is_reached_is_named_with_its_option(given: dict[str, str], reached: str) -> None:
    with limits.limited(given), Session() as session:
        with pytest.raises(LimitError) as error:
            statements.execute(session.con, BIG)
        folder = session.folder
    told = for_the_command_line(str(error.value))
    more = "allow more memory (--memory SIZE) or more disk (--spill SIZE), such as 8GB"
    assert told == f"{reached}: {more}"
    assert not folder.exists()


def test_the_memory_of_the_users_connection_is_named_with_its_setting() -> None:
    with duckdb.connect(config={"memory_limit": "60MB", "temp_directory": ""}) as con:
        con.execute("set threads = 1")
        with pytest.raises(LimitError, match=r"memory has reached its limit, 57.2 MiB: .*SET memory_limit"):
            statements.execute(con, BIG)
        sqlanon.register(con)
        [(left,)] = con.execute("select current_setting('memory_limit')").fetchall()
        assert left == "57.2 MiB"


@pytest.mark.parametrize(("used", "more"), [("931.3 MiB", "8GB"), ("7.4 GiB", "16GB"), ("9.3 GiB", "16GB")])
def test_more_is_advised_than_was_not_enough(used: str, more: str) -> None:
    error = duckdb.OutOfMemoryException(f"Out of Memory Error: failed to offload ({used}/{used} used)")
    assert str(sqlanon.core.errors.translated(error, "")).endswith(f"such as {more}")


def test_a_full_disk_is_named() -> None:
    error = duckdb.IOException("IO Error: Could not write file: No space left on device")
    with pytest.raises(LimitError, match=r"a disk is full: .*No space left on device"):
        raise sqlanon.core.errors.translated(error, "")


@pytest.mark.slow("1 s")
def test_a_command_that_reaches_its_limit_writes_nothing(tmp_path: Path) -> None:
    rows = "select i as age, repeat(md5(i::text), 20) as disease from range(150000) as number(i)"
    duckdb.sql(f"copy ({rows}) to '{tmp_path / 'people.csv'}'")
    result = CliRunner().invoke(
        app.app,
        ["anonymize", f"{tmp_path / 'people.csv'}", "--qi", "age", "--sensitive", "disease", "--k", "2",
         "-o", f"{tmp_path / 'out.csv'}", "--memory", "100MB", "--spill", "1MB"],
    )  # fmt: skip
    assert result.exit_code == 3, result.output
    assert "--spill SIZE" in result.output
    assert [file.name for file in tmp_path.iterdir()] == ["people.csv"]
