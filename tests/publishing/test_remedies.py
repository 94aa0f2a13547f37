"""Remedies: what is advised was run, by the same judge, and nothing of it stays."""

from __future__ import annotations

import inspect
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlanon
from sqlanon.cli.commands.publish import _tell_of_remedies
from sqlanon.core.errors import RefusedError, UseError
from sqlanon.core.release import Release
from sqlanon.core.toml import edited
from sqlanon.policies.policy import load
from sqlanon.publishing.remedies import BEFORE, Remedy, changes
from tests.cli.test_cli import run

POLICY = """confirmed = true
[roles]
qi = ["age", "zip"]
sensitive = ["disease"]
[requirements]
k = 2  # as agreed
[tolerated]
homogeneity.certain = 0
"""
# those of 30 are alike: with k = 2 they are a class of their own
PEOPLE = """
select age, 10 + i % 2 as zip, if(age = 30, 'flu', ['flu', 'cold', 'gout'][1 + i % 3]) as disease
from range(24) as t(i), (select 20 + 5 * (i % 4) as age)"""
ASKED: dict[str, Any] = {"register": "r.duckdb", "output": "out.parquet", "attacks": ["homogeneity"]}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("policy.toml").write_text(POLICY)
    return tmp_path


def test_what_is_advised_goes_out(folder: Path, con: duckdb.DuckDBPyConnection) -> None:
    con.execute(f"create table people as {PEOPLE}").fetchall()
    tables = "select count(*) from duckdb_tables()"
    before = con.execute(tables).fetchall()
    tried = sqlanon.remedies(con, "people", "policy.toml", **ASKED)
    assert con.execute(tables).fetchall() == before
    assert [path.name for path in folder.iterdir()] == ["policy.toml"]
    now, *others = tried
    assert (now.change, now.verdict) == ("the policy as it is", "fails")
    assert "homogeneity.certain of disease on out: 6 (25 %)" in str(now.reason)
    assert {each.change for each in others} == {
        "alpha = 0.8", "alpha = 0.5", "l = 2", "l = 3", "k = 4", "k = 8", "without age", "without zip",
        "rows of those whom attacks find held back, of up to 5% of the people (who is left out depends on "
        "the data)",
    }  # fmt: skip
    for each in others:
        assert each.helps == (each.reason is None)
        assert each.loss is not None
    by_name = {each.change: each for each in others}
    assert by_name["without age"].loss >= 50 > (now.loss or 0)  # type: ignore[operator]
    helps = by_name["l = 2"]
    assert str(helps).startswith("l = 2: it would go out, loss ")
    Path("policy.toml").write_text(POLICY.replace("# as agreed", f"\nl = {helps.lines['requirements.l']}"))
    assert sqlanon.publish(con, "people", "policy.toml", **ASKED).is_out


def test_the_command_says_what_to_write(folder: Path) -> None:
    duckdb.execute(f"copy ({PEOPLE}) to 'people.csv'")
    asked = ["publish", "people.csv", "--policy", "policy.toml", "--register", "r.duckdb"]
    asked += ["-o", "out.parquet", "--attacks", "homogeneity"]
    refused = run(*asked, "--remedies", "1")
    assert refused.exit_code == 1
    told = refused.stderr.splitlines()
    assert told[-1] == "fails: out.parquet is not out"
    assert any(line.startswith("changes of the policy, each tried on this table") for line in told)
    assert any(line.endswith(": not tried") for line in told)  # for lack of time
    assert not Path("out.parquet").exists()
    hint = run(*asked).stderr
    assert "--remedies 120 tries changes of the policy" in hint


@pytest.mark.parametrize(
    ("tried", "says"),
    [
        ([("k = 4", "fails")], "none of what was tried helps"),
        ([("k = 4", "fails"), ("l = 2", "not tried")], "none of what was tried helps: more time tries more"),
        ([("k = 4", "not tried")], "there was no time to try any of them: more time tries them, such as "),
        ([("k = 4", "fails"), ("l = 2", "holds")], "  2. k = 4: fails"),  # behind the one that helps
        ([], "there is none: this policy has nothing that could be changed so"),
    ],
)
def test_a_refusal_ends_with_what_was_tried(
    capsys: pytest.CaptureFixture[str], tried: list[tuple[str, str]], says: str
) -> None:
    changes = [Remedy(name, verdict, None, None, {}) for name, verdict in tried]
    _tell_of_remedies([Remedy("the policy as it is", "fails", None, None, {}), *changes])
    assert capsys.readouterr().err.splitlines()[-1].startswith(says)


@pytest.mark.slow("2 s")
def test_a_change_is_applied_and_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = [
        Remedy("the policy as it is", "fails", None, None, {}),
        Remedy("k = 4", "fails", None, None, {"requirements.k": "4"}),
        Remedy("l = 2", "holds", None, None, {"requirements.l": "2"}),
    ]
    monkeypatch.setattr(sqlanon, "remedies", lambda *_, **__: tried, raising=False)
    duckdb.execute(f"copy ({PEOPLE}) to 'people.csv'")
    asked = ["publish", "people.csv", "--policy", "policy.toml", "--register", "r.duckdb"]
    asked += ["-o", "out.parquet", "--attacks", "homogeneity"]
    assert "--apply needs --remedies SECONDS" in run(*asked, "--apply", "1").stderr
    beyond = run(*asked, "--remedies", "60", "--apply", "2")
    assert "--apply 2: with this change it would not go out" in " ".join(beyond.stderr.split())
    assert (beyond.exit_code, Path("policy.toml").read_text()) == (1, POLICY)
    done = run(*asked, "--remedies", "60", "--apply", "1")
    assert done.exit_code == 0, done.stderr
    assert Path("policy.toml").read_text() == POLICY.replace("[requirements]\n", "[requirements]\nl = 2\n")
    assert Path("out.parquet").exists()


def test_changes_of_a_second_release(folder: Path) -> None:
    policy = load(Path("policy.toml"))
    second = [change.said for change in changes(policy, is_first=False)]
    of_known = [
        "composed_l = 2", "composed_l = 2, alpha = 0.8", "the same categories as the last release",
        "the categories of the last release, and up to 5% of the rows left out",
    ]  # fmt: skip
    assert second[:4] == of_known
    assert [change.said for change in changes(policy, is_first=True)] == second[4:]
    of_people = [change.said for change in changes(replace(policy, unit="name"), is_first=False)]
    assert of_people == [said for said in second if said != of_known[2]]  # no method does that for people
    for change in changes(policy, is_first=False):  # the lines say what the policy with the change is
        Path("changed.toml").write_text(edited(POLICY, change.lines))
        written = load(Path("changed.toml"))
        assert (
            written.requirements, written.roles, written.known, written.based_on, written.method,
            written.parameters,
        ) == (
            change.policy.requirements, change.policy.roles, change.policy.known, change.policy.based_on,
            change.policy.method, change.policy.parameters,
        ), change.said  # fmt: skip


@pytest.mark.slow("5 s a case", but=(0,))
@pytest.mark.parametrize("unit", [None, "who"])
def test_whom_attacks_find_is_held_back(
    folder: Path, con: duckdb.DuckDBPyConnection, unit: str | None
) -> None:
    """They, nobody else, and only if they are few; who has no unit is not lost."""
    con.execute(f"create table people as select *, row_number() over () as who from ({PEOPLE})").fetchall()
    bounds = {"intersection_attack.sure_90": 0.0}
    policy = replace(load(Path("policy.toml")), tolerated=bounds, unit=unit)
    asked = {**ASKED, "attacks": ["intersection_attack"]}
    with pytest.raises(RefusedError, match="6 \\(25 %\\)"):
        sqlanon.publish(con, "people", policy, **asked)
    with pytest.raises(RefusedError, match="6 \\(25 %\\)"):
        sqlanon.publish(con, "people", replace(policy, hold_back=0.2), **asked)
    made = sqlanon.publish(con, "people", replace(policy, hold_back=0.25), **asked)
    assert (made.release.rows, made.is_out) == (18, True)
    released = con.execute("select count(*) from 'out.parquet' where age = '30'").fetchall()
    assert released == [(0,)]
    held = f"6 rows{' of 6 people' if unit else ''} are held back, as attacks found them"
    assert any(remark.startswith(held) for remark in made.remarks)
    [(suppressed,)] = duckdb.connect("r.duckdb").execute("select suppressed_rows from releases").fetchall()
    assert suppressed == 6


def test_a_hierarchy_without_its_finest_level(folder: Path) -> None:
    text = POLICY + '[hierarchies.age]\nbuilder = "interval"\nwidths = [5, 10]\n'
    Path("policy.toml").write_text(text)
    [change] = [each for each in changes(load(Path("policy.toml")), is_first=True) if "level" in each.said]
    assert (change.said, dict(change.lines)) == (
        "age without the level 5",
        {"hierarchies.age.widths": "[10]"},
    )
    Path("policy.toml").write_text(edited(text, change.lines))
    assert load(Path("policy.toml")).hierarchies == change.policy.hierarchies


@pytest.mark.slow("2 s")
def test_the_categories_of_the_last_release(folder: Path, con: duckdb.DuckDBPyConnection) -> None:
    """Where a column has NULL, and although people came and went."""
    nulls = PEOPLE.replace(
        "select age, 10 + i % 2 as zip", "select nullif(age, 25) as age, 10 + i % 2 as zip"
    )
    con.execute(f"create table people as {nulls}").fetchall()
    policy = replace(load(Path("policy.toml")), requirements={"k": 2, "l": 2})
    asked = {name: value for name, value in ASKED.items() if name != "output"}
    first = sqlanon.publish(con, "people", policy, output="first.parquet", **asked)
    assert first.is_out
    con.execute(
        "create table later as from people where age is null or age < 30 union all "
        "select 26, 10 + range % 2, ['flu', 'cold', 'gout'][1 + range % 3] from range(9)"
    ).fetchall()
    as_before = replace(policy, method="recode", parameters={"scheme": "register", "suppression_limit": 0.05})
    with pytest.raises(UseError, match="is for publish, where there is a last release"):
        as_before.run(con, "later")
    labels: dict[str, Any] = {}

    def look(release: Release) -> None:
        rows = con.execute(f"select distinct age, zip from {release.table}").fetchall()
        labels.update(rows=set(rows), scheme=release.parameters["scheme"])

    with pytest.raises(RefusedError, match=r"other words|leavers|nobody who is asked"):
        sqlanon.publish(con, "later", as_before, output="second.parquet", made=look, **asked)
    assert labels["scheme"] == "first"
    before = set(con.execute("select distinct age, zip from 'first.parquet'").fetchall())
    assert {row for row in before if row[0] in (None, "20")} <= labels["rows"]
    with pytest.raises(UseError, match="no release is out yet whose categories could stay"):
        sqlanon.publish(con, "later", as_before, **{**ASKED, "register": "new.db", "output": "x.parquet"})


def test_more_rows_may_be_left_out(folder: Path) -> None:
    """By methods of levels, and by Mondrian only because of known releases; never less than is said."""
    policy = load(Path("policy.toml"))
    aware = replace(policy, known="register", requirements={**policy.requirements, "composed_l": 2})
    by_levels = replace(policy, method="optimal", parameters={"suppression_limit": 0.02})
    more = ["suppression_limit = 0.02", "suppression_limit = 0.05"]
    of_people = replace(aware, unit="who")
    for each, wanted in ((policy, []), (aware, more), (of_people, []), (by_levels, more[1:])):
        found = [change for change in changes(each, is_first=False) if "suppression" in change.said]
        assert [change.said for change in found] == wanted
        assert [{f"method.{name}": str(value) for name, value in change.policy.parameters.items()}
                for change in found] == [dict(change.lines) for change in found]  # fmt: skip


def test_its_parameters_are_those_of_publish() -> None:
    """But for what a trial decides itself."""
    own, of_publish = (inspect.signature(each).parameters for each in (sqlanon.remedies, sqlanon.publish))
    of_one = {"dry_run", "made", "accepted_by", "accepted_until", "words_first"}
    assert own.keys() == of_publish.keys() - of_one
    assert {each for each in own if own[each].default != of_publish[each].default} == {"seconds"}


@pytest.mark.slow("12 s")
def test_nothing_is_tried_where_who_has_left_is_not_known(
    folder: Path, con: duckdb.DuckDBPyConnection
) -> None:
    con.execute(f"create table people as select *, row_number() over () as who from ({PEOPLE})").fetchall()
    policy = replace(load(Path("policy.toml")), tolerated={"intersection_attack.sure_90": 90.0}, unit="who")
    asked = {**ASKED, "attacks": ["intersection_attack"]}
    assert sqlanon.publish(con, "people", policy, **asked).is_out
    con.execute("delete from people where age = 30").fetchall()
    later = {**asked, "output": "later.parquet"}
    with pytest.raises(RefusedError, match="those who left"):
        sqlanon.publish(con, "people", policy, **later)
    [now] = sqlanon.remedies(con, "people", policy, **later)
    assert now.first == ["evidence.leavers"]


@pytest.mark.slow("17 s")
def test_what_was_so_before_is_left_to_be_accepted(
    folder: Path, con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And with that it goes out."""
    con.execute(f"create table people as select *, row_number() over () as who from ({PEOPLE})").fetchall()
    bounds = {"intersection_attack.sure_90": 99.0}
    policy = replace(load(Path("policy.toml")), tolerated=bounds, unit="who")
    asked = {**ASKED, "attacks": ["intersection_attack"]}
    assert sqlanon.publish(con, "people", policy, **asked).is_out
    strict = replace(policy, tolerated={"intersection_attack.sure_90": 0.0})
    later = {**asked, "output": "later.parquet"}
    monkeypatch.setattr("sqlanon.publishing.remedies.changes", lambda *_: ())
    [now] = sqlanon.remedies(con, "people", strict, **later)
    assert (now.verdict, now.reason) == ("fails", BEFORE)
    made = sqlanon.publish(con, "people", strict, **later, accept_past="they know")
    assert made.is_out
    [(first,), *_] = con.execute(f"from sqlanon._verdicts_in_words('{made.verdicts}')").fetchall()
    assert re.search(r"[^,]* holds?, \d+ (is|are) accepted\.$", first), first  # and none fails
