"""What a command may take of memory and disk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from typer.testing import CliRunner

import sqlanon
from sqlanon.cli.app import app
from sqlanon.core import limits, statements
from sqlanon.core.errors import OutOfMemory
from sqlanon.core.files import Session

MUCH = """
    select sum(len(x))
    from (select list(i) as x from range(3_000_000) as row(i) group by hash(i) % 2_000_000)"""


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    limits.limit({})


def settings(session: Session) -> tuple[str, str, str]:
    asked = "select current_setting('memory_limit'), current_setting('max_temp_directory_size')"
    [(memory, spill)] = session.con.execute(asked).fetchall()
    [(folder,)] = session.con.execute("select current_setting('temp_directory')").fetchall()
    return memory, spill, folder


def test_a_session_is_limited_and_leaves_nothing() -> None:
    with Session() as session:
        memory, spill, folder = settings(session)
        assert Path(folder).is_dir()
    assert (memory, spill) == ("1.8 GiB", "9.3 GiB")
    assert not Path(folder).exists()
    limits.limit({"memory": "500MB", "spill": "1 GiB"})
    with Session() as session:
        assert settings(session)[:2] == ("476.8 MiB", "1.0 GiB")


@pytest.mark.parametrize("said", ["lots", "4", "0GB", "-1GB", "4 GBs", "", "80%"])
def test_what_is_no_size(said: str) -> None:
    assert limits.wrong_size(said) == f"must be a size, such as 500MB or 4GB, not {said}"
    made = CliRunner().invoke(app, ["check", "people.csv", "--qi", "age", f"--spill={said}"])
    assert made.exit_code == 2
    assert f"error: --spill must be a size, such as 500MB or 4GB, not {said}".strip() in made.output


def test_options_are_before_the_policy(tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text('[limits]\nmemory = "3GB"\nspill = "nothing"\n')
    assert limits.of_policy(policy) == {"memory": "3GB"}
    assert limits.of_policy(tmp_path / "missing.toml") == limits.of_policy(None) == {}


def test_too_little_is_an_error_that_names_the_options() -> None:
    limits.limit({"memory": "60MB", "spill": "1MB"})
    with Session() as session, pytest.raises(OutOfMemory, match=r"60MB .* 1MB .*--memory and --spill"):
        statements.execute(session.con, MUCH)


def test_a_connection_of_the_caller_keeps_its_own() -> None:
    with duckdb.connect(config={"memory_limit": "70MB", "temp_directory": ""}) as con:
        sqlanon.register(con)
        with pytest.raises(OutOfMemory, match=r"memory_limit and max_temp_directory_size of the connection"):
            statements.execute(con, MUCH)
        assert con.execute("select current_setting('memory_limit')").fetchall() == [("66.7 MiB",)]
