"""Remedies for tables of counts: what is advised was made and judged, and nothing of it stays."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlanon
from sqlanon.core.errors import RefusedError, UseError
from sqlanon.core.toml import edited
from sqlanon.judge.verdicts import HOLDS
from sqlanon.pages.decision_page import page
from sqlanon.policies.schema import LANGUAGES
from sqlanon.policies.tables import read_table
from sqlanon.publishing.remedies import NOT_TRIED, Remedy, in_order
from sqlanon.publishing.table_remedies import changes, with_change
from tests.cells.regions import solver
from tests.cli.test_cli import run

COUNTS = {"A": (2, 4, 3), "B": (4, 3, 3), "C": (5, 3, 4)}
ROUND = """[table]
dimensions = ["ward", "illness"]
unit = "pid"
threshold = 5  # as agreed
method = "round"
base = 2
"""
SUPPRESS = ROUND.replace('"round"\nbase = 2', '"suppress"').replace("= 5 ", "= 3 ")
WITH_COST = 'cost = "cells"\n'
ASKED: dict[str, Any] = {"register": "r.duckdb", "output": "out.csv"}


@pytest.fixture
def con(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> duckdb.DuckDBPyConnection:
    monkeypatch.chdir(tmp_path)
    connection = duckdb.connect()
    sqlanon.register(connection)
    rows = [
        f"('{ward}{illness}{i}', 'ward {ward}', '{illness}')"
        for ward, counts in COUNTS.items()
        for illness, n in zip(("flu", "gout", "rash"), counts, strict=True)
        for i in range(n)
    ]
    connection.execute(
        f"create table visits as from (values {', '.join(rows * 2)}) as row(pid, ward, illness)"
    ).fetchall()
    connection.execute("copy visits to 'visits.csv'").fetchall()
    Path("table.toml").write_text(ROUND)
    return connection


@solver
def test_what_is_advised_goes_out(con: duckdb.DuckDBPyConnection) -> None:
    before = {path.name for path in Path().iterdir()}
    tables = con.execute("select count(*) from duckdb_tables()").fetchall()
    now, *others = sqlanon.table_remedies(con, "visits", "table.toml", **ASKED)
    assert (now.verdict, now.cells) == ("fails", (16, 16))
    assert {path.name for path in Path().iterdir()} == before
    assert con.execute("select count(*) from duckdb_tables()").fetchall() == tables
    by_name = {each.change: each for each in others}
    assert [*by_name] == [
        "base = 4", "base = 8", 'rounding = "controlled"', 'rounding = "controlled", base = 4',
        "no cells by all of ward, illness at once, only ward; illness", "without ward", "without illness",
    ]  # fmt: skip
    for each in others[-3:]:  # each is what publish says of the policy with its lines
        Path("changed.toml").write_text(edited(ROUND, each.lines))
        said = HOLDS
        try:
            sqlanon.publish_table(con, "visits", "changed.toml", dry_run=True, **ASKED)
        except RefusedError as refused:
            said = refused.verdict
        assert each.verdict == said, each
    assert by_name["without ward"].helps
    assert by_name["without ward"].cells == (4, 4)
    assert str(by_name["without ward"]) == "without ward: it would go out, 4 of 4 cells hidden or changed"


@pytest.mark.slow("4 s")
@solver
def test_the_command_tells_and_applies_them(con: duckdb.DuckDBPyConnection) -> None:
    asked = ["publish", "visits.csv", "--policy", "table.toml", "--register", "r.duckdb", "-o", "out.csv"]
    hint = run(*asked)
    assert hint.exit_code == 1
    assert "--remedies 120 tries changes of the policy" in hint.stderr
    done = run(*asked, "--remedies", "60", "--apply", "1", "--page", "page.html")
    assert done.exit_code == 0, done.output
    assert "(now 16 of 16 cells are hidden or changed)" in done.stderr
    assert "  1. base = 4: it would go out, 16 of 16 cells hidden or changed" in done.stderr
    assert Path("table.toml").read_text() == ROUND.replace("base = 2", "base = 4")
    told = json.loads(Path("page.json").read_text("utf-8"))
    assert (told["answer"], told["is_out"], told["number"], told["remedies"]) == ("yes", True, 1, None)


@solver
def test_the_page_in_each_language_has_no_value_unless_asked(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("table.toml").write_text(ROUND.replace("base = 2", "base = 12"))
    asked = ["publish", "visits.csv", "--policy", "table.toml", "--register", "r.duckdb"]
    assert run(*asked, "-o", "q1.csv", "--page", "q1.html").exit_code == 0
    Path("table.toml").write_text(ROUND)
    tried = [
        Remedy("the policy as it is", "fails", None, None, {}, (16, 16)),
        Remedy("base = 4", "fails", "too much", None, {"table.base": "4"}, (16, 16)),
        Remedy("without ward", "holds", None, None, {"table.dimensions": '["illness"]'}, (4, 3)),
    ]
    monkeypatch.setattr(sqlanon, "table_remedies", lambda *_, **__: tried, raising=False)
    refused = run(*asked, "-o", "q2.csv", "--page", "q2.html", "--remedies", "1", "--language", "de")
    assert refused.exit_code == 1
    told = json.loads(Path("q2.json").read_text("utf-8"))
    assert (told["answer"], told["is_out"], told["release"]) == ("no", False, None)
    of = told["table"]
    assert (of["cells"], of["people"], of["counted"], of["rules"]) == (16, 31, "people", {"threshold": 5})
    assert [each["cells"] for each in told["remedies"]["tried"]] == [
        {"all": 4, "hidden": 3}, {"all": 16, "hidden": 16}
    ]  # fmt: skip
    assert told["changed"]["since"] == "q1"
    assert told["changed"]["policy"] == {"table.base": {"before": 12, "now": 2}}
    assert "3 von 4 Zellen sind gesperrt oder verändert" in Path("q2.html").read_text("utf-8")
    for language in LANGUAGES:
        html = page(told, language, "q2.html").html
        assert "ward A" not in html
        assert "ward B" not in html
    shown = run("--show-values", *asked, "-o", "q3.csv", "--page", "q3.html", "--dry-run")
    assert shown.exit_code == 1
    assert "ward A" in Path("q3.html").read_text("utf-8")


def test_changes_are_written_where_they_fit(con: duckdb.DuckDBPyConnection) -> None:
    """Rounding is not tried where the policy has keys of hiding."""
    policies = [read_table(Path("table.toml"), text.encode()) for text in (SUPPRESS, SUPPRESS + WITH_COST)]
    for rules, fits in zip(policies, (True, False), strict=True):
        assert rules is not None
        rounding = [change for change in changes(rules) if "rounded" in change.said]
        assert [with_change(rules, change.lines) is not None for change in rounding] == [fits] * 2
        hide = next(change for change in changes(rules) if "table.hide_with_earlier" in change.lines)
        changed = with_change(rules, hide.lines)
        assert changed is not None
        assert changed.section["hide_with_earlier"] is True


def test_what_there_was_no_time_for_is_said(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is said of what was not made."""
    judged: list[Any] = []

    def refuses(*_: Any, **given: Any) -> None:
        judged.append(given)
        con.execute("create temporary table said as select 1").fetchall()
        raise RefusedError(["fails: too much"], "said")

    monkeypatch.setattr("sqlanon.publishing.table_remedies.publish_table", refuses)
    now, *others = sqlanon.table_remedies(con, "visits", "table.toml", seconds=0, **ASKED)
    assert now == Remedy("the policy as it is", "fails", "too much", None, {})
    assert {each.verdict for each in others} == {"not tried"}
    assert len(judged) == 1
    assert all(given["dry_run"] for given in judged)


def test_wrong_use(con: duckdb.DuckDBPyConnection) -> None:
    Path("rows.toml").write_text('[roles]\nqi = ["ward"]\n[requirements]\nk = 2\n')
    with pytest.raises(UseError, match=r"has no \[table\]"):
        sqlanon.table_remedies(con, "visits", "rows.toml", **ASKED)
    asked = ["publish", "visits.csv", "--policy", "table.toml", "--register", "r.duckdb", "-o", "out.csv"]
    assert "--apply needs --remedies SECONDS" in run(*asked, "--apply", "1").stderr
    assert "needs --page FILE" in run(*asked, "--language", "fr").stderr


def test_its_parameters_are_those_of_publish_table() -> None:
    own, of_publish = (
        inspect.signature(each).parameters for each in (sqlanon.table_remedies, sqlanon.publish_table)
    )
    decided = {"dry_run", "made", "advises", "accepted_by", "accepted_until", "progress"}
    assert own.keys() - {"seconds", "progress"} == of_publish.keys() - decided


def test_what_costs_least_comes_first() -> None:
    def tried(change: str, verdict: str, cells: tuple[int, int] | None) -> Remedy:
        return Remedy(change, verdict, None, None, {}, cells)

    found = [
        tried("now", "fails", (16, 4)), tried("fewer cells", HOLDS, (4, 0)),
        tried("rounded", HOLDS, (16, 16)), tried("fails", "fails", (16, 5)),
        tried("no time", NOT_TRIED, None), tried("hidden", HOLDS, (16, 9)),
    ]  # fmt: skip
    order = [each.change for each in in_order(found)]
    assert order == ["hidden", "rounded", "fewer cells", "fails", "no time"]
