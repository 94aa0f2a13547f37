"""What a register does with releases of several tables once they are out."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlanon
from tests.judge.test_several_tables import change, run
from tests.publishing.test_publishing_tables import PEOPLE, POLICY, publish, write


@pytest.fixture(scope="module")
def two_releases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A policy, whose tables are out twice."""
    folder = tmp_path_factory.mktemp("two")
    write(folder)
    policy = folder / "hospital.toml"
    policy.write_text(POLICY)
    for name in ("spring", "autumn"):
        done = publish(policy, name)
        assert done.exit_code == 0, done.output
    return policy


@pytest.fixture
def out(two_releases: Path, tmp_path: Path) -> Path:
    """A copy of it, which may be changed."""
    shutil.copytree(two_releases.parent, tmp_path / "copy")
    with duckdb.connect(str(tmp_path / "copy" / "reg.duckdb")) as con:
        con.execute(
            "update releases set path = replace(path, ?, ?)",
            [str(two_releases.parent), str(tmp_path / "copy")],
        )
    return tmp_path / "copy"


def audit(folder: Path, *options: object) -> Any:
    return run("audit", folder / "reg.duckdb", "--format", "csv", *options)


def test_folders_are_judged_anew(out: Path) -> None:
    done = audit(out)
    assert done.exit_code == 0, done.output
    assert "tables: together,k,[spring],,2.0,,0,,2.0,holds," in done.stdout
    assert "tables: together,k,[autumn],,2.0,,0,,2.0,holds," in done.stdout
    assert 'tables: with spring,k,"[spring, autumn]",,2.0,,0,,2.0,holds,' in done.stdout
    assert "spring: Each table alone is 2-anonymous" in done.stderr
    assert "finds fewer than 2 people who are alike in all of them for 0 of 8" in done.stderr
    assert "reg.duckdb: holds" in done.stderr
    with duckdb.connect(str(out / "reg.duckdb"), read_only=True) as con:
        recorded = con.execute(
            "select count(*) from verdicts where id = 'k' and attack = 'tables: with spring'"
        ).fetchall()
    assert recorded == [(2,)]  # when it went out, and today


def test_a_folder_that_has_changed_or_is_gone_is_not_known(out: Path) -> None:
    (out / "spring" / "stay.csv").unlink()
    done = audit(out)
    assert done.exit_code == 1
    assert "spring has changed since" in done.stdout + done.stderr
    assert "reg.duckdb: not known" in done.stderr
    done = publish(out / "hospital.toml", "winter")
    assert (done.exit_code, "spring has changed since it was entered" in done.stderr) == (3, True)
    shutil.rmtree(out / "spring")
    done = audit(out)
    assert done.exit_code == 1
    assert "evidence,files,[spring]" in done.stdout
    assert "spring is not there, so that nothing but what the register keeps was looked at" in done.stderr


def test_who_is_alone_in_both_fails(out: Path) -> None:
    """As if the register of an older version had let it out."""
    with duckdb.connect(str(out / "reg.duckdb")) as con:
        con.execute("update people_of_tables set class_id = 99 where rowid = "
                    "(select max(rowid) from people_of_tables where release_id = 2)")  # fmt: skip
    done = audit(out)
    assert done.exit_code == 1
    assert 'tables: with spring,k,"[spring, autumn]",,1.0,,2,,2.0,fails,' in done.stdout
    assert "reg.duckdb: fails" in done.stderr


def test_a_folder_is_judged_by_what_its_policy_said_then(out: Path) -> None:
    change(out / "hospital.toml", "k = 2", "k = 3")
    assert audit(out).exit_code == 0


def test_nobody_is_forgotten_or_looked_for(out: Path) -> None:
    before = (out / "reg.duckdb").read_bytes()
    done = run("register", "forget", out / "reg.duckdb", out / "person.csv")
    assert (done.exit_code, "nobody is forgotten in them" in done.stderr) == (2, True)
    done = run(
        "register", "forget", out / "reg.duckdb", out / "person.csv", "--policy", out / "hospital.toml"
    )
    assert (done.exit_code, "tables is about several tables" in done.stderr) == (2, True)
    with duckdb.connect() as con, pytest.raises(sqlanon.SqlanonError, match="so that nobody is forgotten"):
        sqlanon.forget_people(con, str(out / "person.csv"), register=out / "reg.duckdb")
    done = run("register", "locate", out / "reg.duckdb", "--targets", out / "person.csv", "--id", "patient")
    assert (
        "spring is several tables: attacks on one table do not apply, nor is anybody looked for"
        in done.stderr
    )
    done = audit(out, "--targets", out / "person.csv")
    assert (done.exit_code, "audit judges them without targets" in done.stderr) == (2, True)
    assert (out / "reg.duckdb").read_bytes() == before
    done = run("releases", out / "reg.duckdb", "--format", "csv")
    assert "several_tables" in done.stdout


@pytest.mark.slow("10 s")
def test_who_has_left_stays_accepted(tmp_path: Path) -> None:
    write(tmp_path)
    policy = tmp_path / "hospital.toml"
    policy.write_text(POLICY.replace("k = 2", 'k = 2\n[method]\nmin_levels = {"person.age" = 1}'))
    assert publish(policy, "spring").exit_code == 0
    write(tmp_path, PEOPLE[1:])
    done = publish(policy, "autumn", "--accept", "evidence.leavers=she knows", "--accepted-by", "DPO")
    assert done.exit_code == 0, done.output
    done = audit(tmp_path)
    assert done.exit_code == 0, done.output
    assert "evidence.leavers is accepted: she knows" in done.stderr
