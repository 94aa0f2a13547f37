"""sqlanon scheme: what a release was recoded by goes to a file, and recodes the next night's table."""

import json
from collections import Counter
from pathlib import Path

import duckdb
import pytest

from tests.cli.test_cli import PEOPLE, ok, query, refused, rows, run

QI = ("--qi", "age,zip")
ANONYMIZE = ("anonymize", "monday.csv", *QI, "--sensitive", "disease", "--k", "2")
RECODE = ("anonymize", "tuesday.csv", *QI, "--sensitive", "disease", "--k", "2", "--method", "recode")


@pytest.fixture
def nights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with two tables. On Tuesday ages lie between and beyond those of Monday."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "monday.csv").write_text(PEOPLE)
    (tmp_path / "tuesday.csv").write_text(
        "age,zip,disease\n19,02138,flu\n22,02139,cold\n24,02138,flu\n26,02138,gout\n80,13053,flu\n"
    )
    return tmp_path


@pytest.mark.slow("1 s")
def test_two_nights(nights: Path) -> None:
    """The cuts of Monday are those of Tuesday; a class of one is suppressed."""
    ok(*ANONYMIZE, "-o", "monday_release.csv")
    result = run("scheme", "monday_release.csv", *QI, "-o", "scheme.parquet")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "scheme.parquet: the cuts of 4 classes, for --method recode --scheme\n"
    ok(*RECODE, "--scheme", "scheme.parquet", "--suppression-limit", "0.2", "-o", "tuesday_release.csv")
    assert rows(Path("tuesday_release.csv").read_text()) == Counter([
        ("age", "zip", "disease"), ("<=23", "*", "flu"), ("<=23", "*", "cold"),
        ("]23, 27]", "*", "flu"), ("]23, 27]", "*", "gout"),
    ])  # fmt: skip


@pytest.mark.slow("2.0 s")
def test_levels_by_a_policy(nights: Path) -> None:
    """Method and hierarchies are those of the policy; these are built from all values that are given."""
    policy = Path("policy.toml")
    policy.write_text(
        "[roles]\nqi = ['age', 'zip']\nsensitive = ['disease']\n[requirements]\nk = 2\n"
        "[hierarchies.age]\nbuilder = 'interval'\nwidths = [20]\n[hierarchies.zip]\nbuilder = 'mask'\n"
        "[method]\nname = 'generalize'\nlevels = { age = 1, zip = 3 }\n"
    )
    by_policy = ("--policy", "policy.toml")
    ok("anonymize", "monday.csv", *by_policy, "-o", "monday_release.csv")
    message = refused(2, "scheme", "monday_release.csv", *by_policy)
    assert message == (
        "policy.toml: hierarchies.age is built from raw values, which the release does not have: "
        "give --original"
    )
    originals = ("--original", "monday.csv", "--original", "tuesday.csv")
    ok("scheme", "monday_release.csv", *by_policy, *originals, "-o", "scheme.parquet")
    assert query("select distinct label from 'scheme.parquet' where attribute = 'age' order by all") == [
        ("[0, 19]",), ("[20, 39]",), ("[40, 59]",), ("[80, 99]",),
    ]  # fmt: skip
    ok(*RECODE, "--scheme", "scheme.parquet", "--suppression-limit", "0.4", "-o", "tuesday_release.csv")
    assert rows(Path("tuesday_release.csv").read_text()) == Counter([
        ("age", "zip", "disease"), ("[20, 39]", "02***", "cold"), ("[20, 39]", "02***", "flu"),
        ("[20, 39]", "02***", "gout"),
    ])  # fmt: skip
    printed = ok("scheme", "monday_release.csv", *by_policy, *originals, "--sql")
    assert "sqlanon.scheme_of_levels(" in printed


@pytest.mark.slow("2.5 s")
def test_the_statement_gives_the_same(nights: Path) -> None:
    ok(*ANONYMIZE, "-o", "monday_release.csv")
    told = json.loads(ok("scheme", "monday_release.csv", *QI, "--format", "json"))
    assert len(told) == 8
    printed = ok("scheme", "monday_release.csv", *QI, "--sql", "-o", "told.json")
    assert ok("sql", "scheme_of_cuts", "monday_release.csv", *QI, "-o", "told.json") == printed
    assert not Path("told.json").exists()
    with duckdb.connect() as con:
        con.execute(ok("sql") + printed).fetchall()
    assert json.loads(Path("told.json").read_text()) == told


@pytest.mark.slow("0.7 s")
def test_another_file_than_recode_takes(nights: Path) -> None:
    """It is written as well, for those who want to read it, and says so."""
    ok(*ANONYMIZE, "-o", "monday_release.csv")
    result = run("scheme", "monday_release.csv", *QI, "-o", "scheme.csv")
    assert result.stderr.endswith("recode reads a scheme from a .parquet file, not from scheme.csv\n")
    assert rows(Path("scheme.csv").read_text())[("4", "age", ">43", "[45, 47]", "[45, 47]", ">43")] == 1


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (("no.csv", *QI), "there is no file no.csv"),
        (("monday.csv",), "Missing option '--qi'."),
        (("monday.csv", "--qi", "agee"), "--qi: there is no column agee in monday.csv; did you mean age?"),
        (("monday.csv", *QI, "--original", "no.csv"), "there is no file no.csv"),
        (("monday.csv", *QI, "-o", "tuesday.csv"), "tuesday.csv exists: give --force to replace it"),
        (
            ("monday.csv", *QI, "--method", "mu-argus"),
            "--method: releases by mu_argus have no scheme, only those by mondrian, k_similar, generalize, "
            "optimal, samarati, datafly",
        ),
    ],
)
def test_wrong_use(nights: Path, command: tuple[str, ...], message: str) -> None:
    before = {file: file.read_bytes() for file in nights.iterdir()}
    assert refused(2, "scheme", *command) == message
    assert {file: file.read_bytes() for file in nights.iterdir()} == before


def test_classes_that_overlap(nights: Path) -> None:
    """What cuts cannot tell apart has no scheme, and none is written."""
    Path("odd.csv").write_text('age\n"[0, 5]"\n"[4, 9]"\n')
    message = refused(3, "scheme", "odd.csv", "--qi", "age", "-o", "scheme.parquet")
    assert "cannot be told apart by cuts: they overlap" in message
    assert not Path("scheme.parquet").exists()
