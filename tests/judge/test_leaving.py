"""Whatever releases says which columns name people, and what a policy accepts is not said."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest

import sqlanon
from sqlanon.judge.leaving import Leaving, leaving
from sqlanon.measure.leaving import columns_leaving
from sqlanon.policies.policy import load
from tests.cli.test_cli import ok, run

POLICY = """
[roles]
qi = ["age"]
sensitive = ["disease"]
keep = ["Fall-Nr", "Name"]

[requirements]
k = 2
"""
DIRECT = """
[direct]
Name = "these are names of horses"
fall-nr = "numbers of races"
"""

NAME = (
    "Name leaves unchanged: 30 of 30 rows have a value that no other row has; it looks like a personal name. "
    'Leave it out, mask it, or accept it in a policy: [direct] Name = "why"'
)
NUMBER = NAME.replace("Name", "Fall-Nr").replace("a personal name", "a number")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = "".join(
        f"{20 + i % 9},{'flu' if i % 3 else 'hiv'},R{i},Ann B{'abcde'[i % 5] * i}\n" for i in range(30)
    )
    Path("horses.csv").write_text("age,disease,Fall-Nr,Name\n" + rows)
    Path("policy.toml").write_text(POLICY)
    return tmp_path


@pytest.fixture
def con(folder: Path) -> duckdb.DuckDBPyConnection:
    con = duckdb.connect()
    con.execute("create table horses as from 'horses.csv'").fetchall()
    return con


def test_anonymize_tells_it(folder: Path) -> None:
    """With a policy and without; once it is accepted, nothing is said."""
    by_options = ("--qi", "age", "--sensitive", "disease", "--keep", "Fall-Nr,Name", "--k", "2")
    for arguments in (by_options, ("--policy", "policy.toml")):
        told = run("anonymize", "horses.csv", *arguments, "-o", "release.csv", "--force")
        assert told.exit_code == 0
        assert told.stderr.splitlines()[1:3] == [NUMBER, NAME]
        assert "Warning" not in told.stderr
    Path("policy.toml").write_text(POLICY + DIRECT)
    told = run("anonymize", "horses.csv", "--policy", "policy.toml", "-o", "release.csv", "--force")
    assert "leaves" not in told.stderr


def test_check_fails_by_it(folder: Path) -> None:
    ok("anonymize", "horses.csv", "--policy", "policy.toml", "-o", "release.csv")
    told = run("check", "release.csv", "--policy", "policy.toml")
    assert (told.exit_code, told.stderr.splitlines()) == (1, [NUMBER, NAME])
    Path("policy.toml").write_text(POLICY + DIRECT)
    told = run("check", "release.csv", "--policy", "policy.toml")
    assert (told.exit_code, told.stderr) == (0, "release.csv: k = 2 holds\n")
    # a column that the policy does not release is told once
    Path("policy.toml").write_text(POLICY.replace(', "Name"', ""))
    told = run("check", "release.csv", "--policy", "policy.toml")
    assert (told.exit_code, told.stderr.splitlines()) == (
        1, ["release.csv: policy.toml does not release Name", NUMBER],
    )  # fmt: skip


def test_functions_and_policies_warn(con: duckdb.DuckDBPyConnection) -> None:
    arguments: dict[str, Any] = {"qi": "age", "sensitive": "disease", "k": 2}
    with pytest.warns(sqlanon.LeavingWarning) as told:
        release = sqlanon.mondrian(con, "horses", **arguments, keep=["Fall-Nr", "Name"])
    assert [str(each.message) for each in told] == [NUMBER, NAME]
    assert told[0].filename == __file__
    assert [each.column for each in release.leaving if not each.holds] == ["Fall-Nr", "Name"]
    assert "it looks like a personal name" in release._repr_html_()
    with pytest.warns(sqlanon.LeavingWarning, match="Name leaves unchanged"):
        load("policy.toml").run(con, "horses")
    Path("policy.toml").write_text(POLICY + DIRECT)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert all(each.holds for each in load("policy.toml").run(con, "horses").leaving)
        assert all(each.holds for each in sqlanon.mondrian(con, "horses", **arguments).leaving)


def test_people_are_counted_by_the_unit(con: duckdb.DuckDBPyConnection) -> None:
    """Each has two rows, so that no row is alone with its card."""
    con.execute(
        "create table visits as select i // 2 as pid, 20 + i // 4 as age, 'c' || i // 2 as card, "
        "['flu', 'hiv'][1 + i % 2] as disease from range(40) as r(i)"
    ).fetchall()
    with pytest.warns(sqlanon.LeavingWarning, match="20 of 20 values of people are held by one person each"):
        sqlanon.mondrian(con, "visits", qi="age", sensitive="disease", keep="card", k=2, unit="pid")
    Path("policy.toml").write_text(POLICY.replace('["Fall-Nr", "Name"]', '["card"]\nunit = "pid"'))
    policy = load("policy.toml")
    release = policy.run(con, "visits")
    told = {each.column: each for each in leaving(con, release.table, policy, "visits")}
    assert (told["card"].verdict, told["disease"].verdict) == ("fails", "holds")
    assert told["card"] in release.leaving
    assert {each.column: each.verdict for each in leaving(con, release.table, policy)}["card"] == "holds"


def test_masks_and_the_quasi_identifiers_of_anatomy(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    Path("policy.toml").write_text(
        '[roles]\nqi = ["age"]\nsensitive = ["disease"]\n[masks]\nName = {method = "partial", first = 40}\n'
        'Fall-Nr = {method = "hash"}\n[requirements]\nk = 2\n'
    )
    key = tmp_path / "key"
    key.write_text("0123456789abcdef0123456789abcdef")
    policy = load("policy.toml")
    release = policy.run(con, "horses", key_file=key)
    told = {each.column: each for each in leaving(con, release.table, policy, "horses")}
    assert (told["Fall-Nr"].how, told["Fall-Nr"].verdict) == ("masked", "holds")
    assert told["Fall-Nr"].looks_like == "hash"
    assert list(told.values()) == list(release.leaving)
    anatomize = POLICY.replace('keep = ["Fall-Nr", "Name"]', "").replace("k = 2", "l = 2")
    Path("policy.toml").write_text(anatomize + '[method]\nname = "anatomize"\n')
    con.execute(
        "create table even as select i as age, 'd' || i % 2 as disease from range(40) as r(i)"
    ).fetchall()
    policy = load("policy.toml")
    told = {each.column: each for each in leaving(con, policy.run(con, "even").table, policy)}
    assert {name: (each.how, each.verdict) for name, each in told.items()} == {
        "age": ("unchanged", "holds"), "bucket": ("unchanged", "holds"), "disease": ("unchanged", "holds"),
    }  # fmt: skip


def test_init_says_what_would_be_refused(folder: Path) -> None:
    pd.DataFrame(
        {"age": range(30), "symptom": [f"she says she has had {i} of these" for i in range(30)]}
    ).to_csv("notes.csv", index=False)
    drafted = ok("init", "--seconds", "0", "notes.csv")
    assert '# [direct]\n# symptom = "..."  # 30 of 30 rows have a value that no other row has; ' in drafted
    assert "[direct]" not in ok("init", "--seconds", "0", "horses.csv")


def test_a_leaving_is_data() -> None:
    one = Leaving("a b", "keep", "unchanged", 4, 1.0, None, "fails", "4 of 4 rows have a value of their own")
    assert str(one).endswith('or accept it in a policy: [direct] "a b" = "why"')
    assert json.loads(json.dumps(vars(one)))["verdict"] == "fails"


def test_what_is_found_is_asked_once(con: duckdb.DuckDBPyConnection) -> None:
    """What was found when a release was made is not asked again, unless with other parameters."""
    release = sqlanon.mondrian(con, "horses", qi="age", sensitive="disease", k=2, keep="Name", into="made")
    arguments: dict[str, Any] = {"qi": ["age"], "sensitive": ["disease"], "masked": None, "original": None}
    arguments |= {"id": None, "direct": None}
    assert columns_leaving(con, "made", release.leaving, **arguments) is release.leaving
    others = columns_leaving(con, "made", release.leaving, **arguments | {"direct": ["name"]})
    assert [each.verdict for each in release.leaving] == ["holds", "holds", "fails"]
    assert [each.verdict for each in others] == ["holds"] * 3
