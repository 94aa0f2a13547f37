"""Drafts that are measured: what init says of the release is what the policy then makes."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import duckdb
import pytest

import sqlanon
from sqlanon.policies.policy import load
from sqlanon.publishing import drafts
from tests.cli.test_cli import folder as folder  # a fixture
from tests.cli.test_cli import ok, query, refused, run

PATIENT = ["--seconds", "600"]
TOWNS = """
    copy (
        select 'P' || i as name, (20 + i * 7 % 60)::int as age,
               (i * 37 % 90 + 10) || lpad((i * 7919 % 1000)::varchar, 3, '0') as zip,
               ['flu', 'gout', 'angina', 'cold'][1 + (i * 3 + i // 7) % 4] as disease
        from range(120) as rows(i)
    ) to 'towns.csv'"""


@pytest.mark.slow("4 s")
def test_what_is_said_is_what_the_policy_makes(folder: Path) -> None:
    query(TOWNS)
    result = run("init", "towns.csv", "-o", "policy.toml", *PATIENT)
    text = Path("policy.toml").read_text("utf-8")
    told, left_out, more, _ = result.stderr.splitlines()
    assert re.search(r"^k = 5, l = 2, alpha = 0\.\d+: everybody is one of at least 5 people; ", told)
    assert re.fullmatch(r"zip loses \d+ % of its detail with mask, \d+ % without: left out\.", left_out)
    assert re.fullmatch(r"k = 10, l = 2, alpha = 0\.\d+ would lose \d+ %\.", more)
    assert f"# - {told}\n# - {left_out}\n# - {more}\n[requirements]" in text
    assert f'# {left_out}\n# [hierarchies.zip]\n# builder = "mask"' in text

    Path("policy.toml").write_text(text.replace("confirmed = false", "confirmed = true"), "utf-8")
    with duckdb.connect() as con:
        sqlanon.register(con)
        con.execute("create table towns as from 'towns.csv'")
        release = load("policy.toml").run(con, "towns")
        widths = tomllib.loads(text)["hierarchies"]["age"]["widths"]
        tree = f"sqlanon.interval_hierarchy('towns', 'age', {widths})"
        ncp = """from sqlanon.utility('towns', $1, ['age', 'zip'], hierarchies := 'tree')
            select attribute, value where id = 'ncp'"""
        con.execute(f"create table tree as from {tree}").fetchall()
        lost = dict(con.execute(ncp, [release.table]).fetchall())
    assert f"(age {100 * lost['age']:.0f} %, zip {100 * lost['zip']:.0f} %)" in told
    assert f"; {50 * (lost['age'] + lost['zip']):.0f} % of the detail is lost, " in told
    assert f"{100 * lost['zip']:.0f} % without" in left_out


@pytest.mark.slow("1 s")
def test_what_is_not_tried_is_said(folder: Path) -> None:
    query(TOWNS)
    result = run("init", "towns.csv", "--seconds", "0.0001")
    assert (
        "# - Not tried, as 0.0001 seconds (--seconds) were too few: k = 5, l = 2, alpha = " in result.stdout
    )
    assert tomllib.loads(result.stdout)["hierarchies"]["zip"] == {"builder": "mask"}
    assert "would lose" not in result.stderr
    assert "tried" not in run("init", "towns.csv", "--seconds", "0").stdout


@pytest.mark.slow("1 s")
def test_what_no_release_can_meet_is_said(folder: Path) -> None:
    query("copy (select 20 + i as age, ['flu', 'gout'][1 + i % 2] as disease from range(4) as r(i)) "
          "to 'few.csv'")  # fmt: skip
    result = run("init", "few.csv", *PATIENT)
    assert result.exit_code == 0
    assert "no release can be made so: no release can meet the requirements" in result.stderr


@pytest.mark.slow("5 s")
def test_columns_that_are_spared(folder: Path) -> None:
    query(TOWNS)
    plain, spared = (run("init", "towns.csv", *PATIENT, *more) for more in ((), ("--spare", "ZIP")))
    assert tomllib.loads(spared.stdout)["method"]["weights"] == {"zip": 4}
    of_age = [int(re.findall(r"\(age (\d+) %", each.stderr)[0]) for each in (plain, spared)]
    assert of_age[0] < of_age[1]
    told = refused(2, "init", "towns.csv", "--spare", "zop")
    assert "--spare zop: not among the quasi-identifiers of the draft, age, zip; did you mean zip?" in told
    told = refused(2, "init", "towns.csv", "--spare", "zip", "--method", "k_similar")
    assert "--spare is for mondrian, " in told


@pytest.mark.slow("half a second a case", but=(0,))
@pytest.mark.parametrize("level", ["public", "inside"])
def test_levels_are_proposed(folder: Path, level: str) -> None:
    query(TOWNS)
    text = ok("init", "--seconds", "0", "towns.csv", "--for", level)
    assert tomllib.loads(text)["tolerated"] == {"level": level}
    assert "= 100" not in text
    told = refused(2, "init", "towns.csv", "--for", "all")
    assert "--for must be one of public, contract, inside, not" in told


@pytest.mark.slow("1 s a case")
@pytest.mark.parametrize("unit", [None, "who"])
def test_a_large_table_is_tried_by_a_sample(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch, unit: str | None
) -> None:
    """Of people with all of their rows, and that is said."""
    monkeypatch.setattr(drafts, "LARGE", 1000)
    monkeypatch.setattr(drafts, "SAMPLE", 300)
    con.execute(
        "create table large as select i // 3 as who, i // 3 % 60 as age from range(1500) as t(i)"
    ).fetchall()
    people = "null" if unit is None else f"'{unit}'"
    sample = f"from sqlanon._every_nth('large', {people}, 5)"
    drawn = con.execute(f"select who, count(*) {sample} group by all").fetchall()
    rows = sum(number for _, number in drawn)
    assert 200 < rows < 400
    assert unit is None or {number for _, number in drawn} == {3}
    of_unit = "" if unit is None else f'unit = "{unit}"\n'
    policy = f'confirmed = false\n[roles]\nqi = ["age"]\n{of_unit}[requirements]\nk = 5\n'
    told = drafts.measured(con, "large", policy, 600).sentences
    of = "rows" if unit is None else "rows, all those of some people"
    assert told[0].startswith(f"Tried with a sample, {rows} of 1,500 {of}: ") or unit is None
    assert told[1].startswith("k = 5: ")
