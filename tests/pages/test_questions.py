"""The four questions on a page: what the macro says, in words; with and without people held out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlanon
from sqlanon.pages.page import Table
from sqlanon.pages.questions import COLUMNS, INFERENCE, summarized
from tests.cli.test_cli import ok, refused

SINGLED = "Can somebody be singled out?"


@pytest.fixture(scope="module")
def town() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        sqlanon.register(con)
        con.execute(
            """create table everybody as
            select i as id, 20 + hash(i, 1) % 60 as age, 'z' || hash(i, 2) % 9 as "<zip>",
                   ['flu', 'gout', 'none'][1 + (hash(i, 3) % 3)::bigint] as disease
            from range(1, 81) as r(i);
            create table original as select * exclude (id) from everybody where id <= 40;
            create table others as select * exclude (id) from everybody where id > 40;
            create table copy as from original"""
        ).fetchall()
        yield con


def row(question: str, **given: Any) -> tuple[Any, ...]:
    unsaid = {"attribute": None, "people": 100, "baseline": 1.0, "unfinished": 0.0}
    told_of = {"success": 50.0, "control": 10.0, "risk": 44.0, "low": 30.0, "high": 55.0}
    return tuple({"question": question, **unsaid, **told_of, **given}[name] for name in COLUMNS)


class TestWords:
    def test_a_risk(self) -> None:
        [said] = summarized(Table(COLUMNS, [row(SINGLED)], ""))
        assert said["sentence"] == (
            "50 % of the people are singled out by a condition that one released row alone meets, and 10 % "
            "of the people held out."
        )
        assert said["judgement"] == "44 % beyond them, from 30 to 55: the release gives this away."

    def test_what_could_be_chance_is_no_risk_and_no_all_clear(self) -> None:
        [said] = summarized(Table(COLUMNS, [row("Can records be linked?", low=-2.0, unfinished=3.0)], ""))
        assert "no more than about people held out, as far as this attack tells." in said["judgement"]
        assert "3 % were not compared with all rows: it may be more." in said["judgement"]

    def test_without_people_held_out_it_is_not_known(self) -> None:
        nothing = dict.fromkeys(("control", "risk", "low", "high"))
        [said] = summarized(Table(COLUMNS, [row(SINGLED, **nothing)], ""))
        assert said["sentence"].endswith("that one released row alone meets.")
        assert "only people who were held out could tell" in said["judgement"]

    def test_of_several_columns_the_one_that_is_given_away_most(self) -> None:
        rows = [row(INFERENCE, attribute="a", low=1.0), row(INFERENCE, attribute="b", low=9.0, success=20.0)]
        [said] = summarized(Table(COLUMNS, rows, ""))
        assert (said["attribute"], said["others"]) == ("b", 1)
        assert said["sentence"].startswith(
            "Of 20 % of the people the nearest released rows tell the right b,"
        )

    def test_a_column_that_is_given_away_is_before_one_that_is_not(self) -> None:
        """However often the other one is right: that is no more than of people held out."""
        rows = [
            row(INFERENCE, attribute="sex", success=90.0, low=0.0), row(INFERENCE, attribute="drug", low=2.0),
        ]  # fmt: skip
        [said] = summarized(Table(COLUMNS, rows, ""))
        assert (said["attribute"], said["is_risky"]) == ("drug", True)


@pytest.mark.slow("3 s")
def test_a_page_of_any_two_tables(town: duckdb.DuckDBPyConnection) -> None:
    report = sqlanon.report(
        town, {"a copy": "copy"}, original="original", held_out="others", sensitive="disease"
    )
    answers: Any = report.data
    [table] = answers.values()
    expected = sqlanon.four_questions(
        town, "copy", "original", ["age", "<zip>", "disease"], "others", "disease"
    ).fetchall()
    assert list(table.rows) == [pytest.approx(row) for row in expected]
    in_one_statement = town.execute(table.statement).fetchall()
    assert in_one_statement == [pytest.approx(row) for row in expected]
    assert len(report.charts) == 4
    assert "<code>a copy</code>" in report.html
    assert "<zip>" not in report.html
    assert "the release gives this away" in re.sub(r"<[^>]*>", " ", report.html)


@pytest.mark.slow("3 s")
def test_what_is_not_compared_is_told(town: duckdb.DuckDBPyConnection) -> None:
    """Nothing is found about them, which is no all-clear."""
    town.execute(
        """create or replace view ages as select age from original;
        create or replace view spelled as
        select * replace (if(age > 50, 'old', age::text) as age) from copy"""
    ).fetchall()
    report = sqlanon.report(town, {"a copy": "spelled"}, original="ages")
    words = " ".join(re.sub(r"<[^>]*>", "", report.html).split())
    assert "columns of the release that another table lacks: &lt;zip&gt; and disease." in words
    [(old,)] = town.execute("select count(*) from copy where age > 50").fetchall()
    assert f"too little is found: age, 1 in {old} cells, such as old." in words


@pytest.mark.slow("8 s: all questions, and all that a report has")
def test_a_section_of_a_report(town: duckdb.DuckDBPyConnection) -> None:
    report = sqlanon.report(
        town, ["copy"], "age", "disease", original="original", held_out="others", attacks="none"
    )
    assert "Four questions" in report.html
    [tables] = report.data.releases.values()
    assert tables.questions is not None
    assert len(tables.questions.rows) == 4


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"original": None}, "give qi, the quasi-identifiers, or one original"),
        ({"targets": "others"}, "targets needs qi"),
        ({"k": 5}, "k needs qi"),
        ({"original": "nothing_in_common"}, "the tables have no column in common: copy has age"),
        ({"qi": "age", "original": None}, "held_out needs original"),
    ],
)
def test_bad_input(town: duckdb.DuckDBPyConnection, given: dict[str, Any], message: str) -> None:
    town.execute("create or replace temp table nothing_in_common as select 1 as x").fetchall()
    arguments: dict[str, Any] = {"original": "original", "held_out": "others", **given}
    with pytest.raises(sqlanon.SqlanonError, match=message):
        sqlanon.report(town, ["copy"], **arguments)


@pytest.mark.slow("5 s: all questions")
def test_the_command(
    town: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("copy", "original", "others"):
        town.execute(f"copy {name} to '{tmp_path}/{name}.csv'").fetchall()
    about = ("report", "copy.csv", "--original", "original.csv", "--held-out", "others.csv")
    ok(*about, "--sensitive", "disease", "-o", "page.html")
    assert "Can one tell who was in?" in Path("page.html").read_text("utf-8")
    assert "needs --qi" in refused(2, *about, "--k", "5", "-o", "other.html")
