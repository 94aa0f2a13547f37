"""What a register does with releases of several tables once they are out."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlanon
from tests.people.hospitals import change, run
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


@pytest.mark.slow("5 s")
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


@pytest.mark.slow("2 s")
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


@pytest.mark.slow("1 s")
def test_who_is_alone_in_both_fails(out: Path) -> None:
    """As if the register of an older version had let it out."""
    with duckdb.connect(str(out / "reg.duckdb")) as con:
        con.execute("update people_of_tables set class_id = 99 where rowid = "
                    "(select max(rowid) from people_of_tables where release_id = 2)")  # fmt: skip
    done = audit(out)
    assert done.exit_code == 1
    assert 'tables: with spring,k,"[spring, autumn]",,1.0,,2,,2.0,fails,' in done.stdout
    assert "reg.duckdb: fails" in done.stderr


@pytest.mark.slow("5 s")
def test_a_folder_is_judged_by_what_its_policy_said_then(out: Path) -> None:
    change(out / "hospital.toml", "k = 2", "k = 3")
    assert audit(out).exit_code == 0


def test_nobody_is_looked_for(out: Path) -> None:
    before = (out / "reg.duckdb").read_bytes()
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


@pytest.mark.slow("6 s")
def test_who_is_forgotten_is_still_counted(out: Path) -> None:
    """Their hashes and values go; how many were alike stays, and what it is not known of is told."""
    who = out / "who.csv"
    who.write_text("Patient,remark\n1,asked\n 2 ,\n,nobody\n99,unknown here\n")
    done = run("register", "forget", out / "reg.duckdb", who, "--policy", out / "hospital.toml")
    assert (done.exit_code, "2 people are forgotten" in done.stderr) == (0, True), done.output
    with duckdb.connect(str(out / "reg.duckdb"), read_only=True) as con:
        kept = con.execute(
            "select count(*), count(distinct who), count(*) filter (starts_with(who, 'forgotten ')) "
            "from people_of_tables"
        ).fetchall()
        assert kept == [(16, 8, 4)]
        assert con.execute("select count(*) from values_of_tables").fetchall() == [(12,)]
    assert run("register", "forget", out / "reg.duckdb", who).stderr.count("0 people are forgotten") == 1
    assert audit(out).exit_code == 0  # all were alike somebody in both
    done = publish(out / "hospital.toml", "winter")  # of these tables, which have both of them
    assert done.exit_code == 1
    assert "2 people of spring are forgotten" in done.stderr
    assert "evidence,forgotten,people who are forgotten,,,,2,not known" in done.stdout
    assert publish(out / "hospital.toml", "winter", "--accept", "evidence.forgotten=known",
                   "--accept", "evidence.leavers=known", "--accepted-by", "DPO").exit_code == 0  # fmt: skip


@pytest.mark.slow("2 s")
def test_whoever_is_alone_in_both_still_is_once_they_are_forgotten(out: Path) -> None:
    with duckdb.connect(str(out / "reg.duckdb")) as con:
        con.execute("update people_of_tables set class_id = 99 where rowid = "
                    "(select max(rowid) from people_of_tables where release_id = 2)")  # fmt: skip
    everybody = "from (values (1), (2), (3), (4), (5), (6), (7), (8)) as row(patient)"
    with duckdb.connect() as con:
        con.execute(f"create table everybody as {everybody}")
        assert sqlanon.forget_people(con, "everybody", register=out / "reg.duckdb") == 8
    assert 'tables: with spring,k,"[spring, autumn]",,1.0,,2,,2.0,fails,' in audit(out).stdout


@pytest.mark.slow("13 s")
def test_who_is_to_be_forgotten_must_be_told(out: Path) -> None:
    before = (out / "reg.duckdb").read_bytes()
    (out / "who.csv").write_text("person\n1\n")
    done = run("register", "forget", out / "reg.duckdb", out / "who.csv")
    assert (done.exit_code, "unit: there is no column patient in the people" in done.stderr) == (2, True)
    assert (out / "reg.duckdb").read_bytes() == before


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
