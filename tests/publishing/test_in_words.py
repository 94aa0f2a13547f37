"""What a person would say first of an answer."""

from __future__ import annotations

import json
import time
from datetime import datetime, timedelta
from pathlib import Path

import duckdb
import pytest

import sqlanon
from tests.cli.test_cli import PEOPLE, run

COLUMNS = "sensitive, measure, value, unit, low, high, id"


def sentences(
    con: duckdb.DuckDBPyConnection, macro: str, columns: str, *rows: str, more: str = ""
) -> list[str]:
    sqlanon.register(con)
    values = ", ".join(f"({row})" for row in rows)
    con.execute(f"create or replace table answer as from (values {values}) as t({columns})").fetchall()
    return [told for (told,) in con.execute(f"from sqlanon.{macro}('answer'{more})").fetchall()]


def breaches(**measures: float | None) -> list[str]:
    """Rows of breaches about 200 people."""
    values = {"targets": 200.0, "located_in_all": 100.0, **measures}
    return [
        f"'disease', '', {'null' if value is None else value}::double, "
        f"'{'people' if id == 'targets' else '%'}', 0.0, 0.0, '{id}'"
        for id, value in values.items()
    ]


class TestBreaches:
    def test_nobody(self, con: duckdb.DuckDBPyConnection) -> None:
        rows = breaches(
            pvp_100=0.0,
            sure_90=0.0,
            sure_90_marginal=0.0,
            weighted_guess_right=31.0,
            marginal_guess_right=30.6,
        )
        assert sentences(con, "_breaches_in_words", COLUMNS, *rows) == [
            "None of 200 people is left with one possible disease.",
            "Of nobody is an adversary 90 % sure.",
            "The best guess of disease is right for 31 % of them; guessing without the releases, for 31 %.",
        ]

    def test_some_of_whom_not_all_are_located(self, con: duckdb.DuckDBPyConnection) -> None:
        """What was expected is told where the truth is not known."""
        rows = breaches(
            located_in_all=75.0, pvp_100=1.5, sure_90=2.0, sure_90_marginal=0.5, weighted_guess_right=None,
            weighted_guess_expected=9.94, marginal_guess_expected=0.05,
        )  # fmt: skip
        assert sentences(con, "_breaches_in_words", COLUMNS, *rows) == [
            "Only 150 of 200 people were found in every release that they are in: of the others this says "
            "too little.",
            "3 of 200 people are left with one possible disease.",
            "Of 4 of them an adversary is 90 % sure (without the releases: of 1).",
            "The best guess of disease should be right for 9.9 % of them; guessing without the releases, for "
            "less than 0.1 %.",
        ]

    def test_rows_that_cover_everybody(self, con: duckdb.DuckDBPyConnection) -> None:
        """They protect nobody who is known to have another row."""
        rows = breaches(
            rows_covering_all=12.0, pvp_100=0.0, sure_90=0.0, sure_90_marginal=0.0, sure_90_unsuppressed=7.0
        )
        assert sentences(con, "_breaches_in_words", COLUMNS, *rows)[2:] == [
            "12 % of the rows of a release have * in every column, so that they may be anybody's. An "
            "adversary who knows that a person has another row is 90 % sure of 14 of them."
        ]

    @pytest.mark.parametrize("right", [20.0, None])
    def test_in_short(self, con: duckdb.DuckDBPyConnection, right: float | None) -> None:
        """Five measures; a guess in truth comes before what is expected of it."""
        rows = breaches(
            pvp_100=0.0, pvp_50=1.0, sure_90=0.0, weighted_guess_right=right, weighted_guess_expected=21.0,
            marginal_guess_right=right, marginal_guess_expected=19.0,
        )  # fmt: skip
        sentences(con, "_breaches_in_words", COLUMNS, *rows)
        values = con.execute("select value from sqlanon._breaches_in_short('answer')").fetchall()
        guesses = [19.0, 21.0] if right is None else [right, right]
        assert sorted(value for (value,) in values) == [0, 0, *guesses, 100]


@pytest.mark.parametrize(
    ("k", "l", "told"),
    [
        (5, 3, [
            "Every class has at least 5 rows.", "Every class has at least 3 different values of disease.",
        ]),
        (1, 1, [
            "Somebody is alone in their class: who knows the quasi-identifiers finds them.",
            "Every class has at least 1 value of disease. Where it is one, who finds the class knows the "
            "value.",
        ]),
    ],
)  # fmt: skip
def test_privacy(con: duckdb.DuckDBPyConnection, k: int, l: int, told: list[str]) -> None:
    """Everybody is one of so many people only where people were counted."""
    columns = "id, sensitive, reached, model, remark"
    rows = (
        f"'k', null, {k}::double, 'k-anonymity', null",
        f"'l', 'disease', {l}::double, 'l-diversity', null",
    )
    assert sentences(con, "_privacy_in_words", columns, *rows, more=", 'rows'") == told
    without = "'t_ordered', 'disease', null, 't-closeness (ordered)', 'disease is text that has no order'"
    assert sentences(con, "_privacy_in_words", columns, *rows, without, more=", 'rows'") == [
        *told, "t-closeness (ordered) is not measured: disease is text that has no order."
    ]  # fmt: skip
    of_people = sentences(con, "_privacy_in_words", columns, *rows, more=", 'people'")
    assert of_people[0] == (told[0] if k == 1 else "Everybody is one of at least 5 people.")


@pytest.mark.parametrize(
    ("alone", "told"),
    [
        (0, "Nobody of 300 people is alone: the smallest class has 4."),
        (7, "7 of 300 people are the only ones with their quasi-identifiers: who knows these finds them."),
    ],
)
def test_risk(con: duckdb.DuckDBPyConnection, alone: int, told: str) -> None:
    values = {
        "records": 300,
        "sample_uniques": alone,
        "smallest_class": 1 if alone else 4,
        "marketer_risk": 0.125,
    }
    rows = [f"'{id}', {value}::double, 'people'" for id, value in values.items()]
    assert sentences(con, "_risk_in_words", "id, value, unit", *rows) == [
        told, "Who looks for everybody and guesses within the class is right for 13 % of them.",
    ]  # fmt: skip
    rows[0] = "'records', 450::double, 'rows'"
    several = sentences(con, "_risk_in_words", "id, value, unit", *rows, "'people', 300::double, 'people'")
    assert several[0] == told, "people are counted, not their rows"


def test_utility(con: duckdb.DuckDBPyConnection) -> None:
    rows = [
        "'suppressed_rows', null, 1.25::double", "'gcp', null, 0.3::double", "'gcp', 'age', 0.9::double",
        "'query_error_median', null, null::double", "'accuracy', 'income', 81::double",
        "'accuracy', 'job', 30::double", "'sensitive_in_sets', 'job', 100::double",
    ]  # fmt: skip
    assert sentences(con, "_utility_in_words", "id, attribute, value", *rows) == [
        "1.3 % of the rows were left out.",
        "The quasi-identifiers have lost 30 % of their detail (GCP; 100 % is all of it).",
        "Which job belongs to which row was cut: a row has several, and GCP does not count that.",
        "A classifier that learns from the release predicts job right for 30 % of the people held out.",
    ]


def test_frontier(con: duckdb.DuckDBPyConnection) -> None:
    columns = (
        "method, k, guess_right, guess_baseline, gcp, query_error, prediction_error, model_loss, seconds, "
        "dominated"
    )
    rows = [
        "'mondrian', 5, 40.0, 30.0, 0.2, 3.0, 20.0, null, 1.0, false",
        "'optimal', 5, 41.0, 30.0, 0.3, 3.0, null, null, 1.0, true",
        "'mondrian', 9, null, null, 0.5, 3.0, null, 0.25, 1.0, false",
        "'anatomize', null, null, null, null, 7.0, null, null, 1.0, false",
        "'optimal', 9, null, null, null, null, null, null, null, null",
    ]
    assert sentences(con, "_frontier_in_words", columns, *rows, more=", 'query_error'")[3] == (
        "anatomize, random counts are off by 7 %"
    )
    assert sentences(con, "_frontier_in_words", columns, *rows, more=", 'gcp'") == [
        "Of 4 releases that could be made, 3 are beaten by no other in both risk and loss:",
        "mondrian, k = 5: the best guess is right for 40 % (without it 30 %), 20 % of the detail is lost, "
        "a classifier that learns from it is wrong for 20 %",
        "mondrian, k = 9, 50 % of the detail is lost, a model that learns from it loses 25 % of its score",
        "anatomize",
    ]


@pytest.mark.parametrize(
    ("measures", "told"),
    [
        ({"learned": 100, "certain": 50, "baseline": 59.375, "expected_right": 75},
         ["The attack learns something of 8 of 8 people; of 4 it is certain.",
          "What it learns should be right for 75 %; a guess without it, for 59 %."]),
        ({"learned": 25, "certain": 0, "right": 12, "expected_right": 30, "unfinished": 3},
         ["3 % of what there is was not looked at: this says too little.",
          "The attack learns something of 2 of 8 people; of none it is certain.",
          "What it learns is right for 12 %."]),
        ({"learned": 0, "certain": 0, "baseline": 60}, ["Nothing is learned of 8 people."]),
        ({"learned": 25}, ["The attack learns something of 2 of 8 people."]),
        ({"subjects": 0}, ["Nobody is attacked: this is no all-clear."]),
    ],
)  # fmt: skip
def test_attack(con: duckdb.DuckDBPyConnection, measures: dict[str, float], told: list[str]) -> None:
    """What is right is told where the truth is known, and what is expected to be otherwise."""
    rows = [f"'{id}', {value}::double, 'people'" for id, value in {"subjects": 8, **measures}.items()]
    assert sentences(con, "_attack_in_words", "id, value, unit", *rows) == told


SAID = "attack, id, releases, sensitive, value, people, counted, before, tolerated, verdict, accepted, unit"


def test_verdicts(con: duckdb.DuckDBPyConnection) -> None:
    """Columns that leave as they may are no bounds; what two attacks find alike is said once. People are what
    was counted as people."""
    rows = (
        "'columns', 'age', ['a'], null, null, null, null, null, null, 'holds', null, '%'",
        "'homogeneity', 'certain', ['a', 'b'], 'ICD', 0.38, 46, 'rows', 0.0, 0.0, 'fails', null, '%'",
        "'intersection_attack', 'pvp_100', ['a', 'b'], 'ICD', 0.38, 46, 'people', 0, 0, 'fails', null, '%'",
        "'intersection_attack', 'sure_99_5', ['a'], 'ICD', 12.0, 1, 'people', null, 2.5, 'fails', null, '%'",
        "'skyline', 'certain', ['a'], 'ICD', 100.0, 8, 'people', null, null, 'not known', null, '%'",
        "'forecast', 'certain', ['a'], 'ICD', 100.0, 8, 'people', null, null, 'not known', 'they know', '%'",
        "'correspondence', 'certain', ['a'], null, 38.0, 114, 'classes', null, 5.0, 'fails', null, '%'",
        "'linking', 'certain', ['a'], null, 0.0, 0, 'people', null, 1.0, 'holds', null, '%'",
        "'evidence', 'leavers', ['a'], null, null, 28, null, null, null, 'fails', null, '%'",
        "'cell_bounds', 'known', ['a'], null, 1, null, null, null, 0, 'fails', null, 'cells'",
    )
    assert sentences(con, "_verdicts_in_words", SAID, *rows) == [
        "Of 9 bounds 1 holds, 6 fail, 1 is not known, 1 is accepted.",
        "114 classes (38 %) are found out for certain (correspondence), by a: you allow 5 %.",
        "46 people (0.4 %) are left with one possible ICD, by a and b: you allow none; before, it was 0 %.",
        "46 rows (0.4 %) are left with one possible ICD, by a and b: you allow none; before, it was 0 %.",
        "One person (12 %) is such that an adversary is 99.5 % sure of their ICD, by a: you allow 2.5 %.",
    ]
    in_short = con.execute("select * from sqlanon._verdicts_in_short('answer')").fetchall()
    assert in_short[0] == ("fails", "homogeneity.certain", "ICD", "46 (0.4 %)", "0 %")
    assert in_short[-2] == ("fails", "evidence: leavers", "a", "28", "not said")
    assert in_short[-1] == ("fails", "cell_bounds.known", "", "one cell", "0 cells")
    assert ("accepted", "forecast.certain", "ICD", "8 (100 %)", "not said") in in_short
    assert len(in_short) == 9
    assert sentences(con, "_verdicts_in_words", SAID, rows[-3]) == ["Of 1 bound 1 holds."]
    assert sentences(con, "_verdicts_in_words", SAID, rows[-3], rows[-3]) == ["All 2 bounds hold."]


@pytest.mark.slow("4 s")
def test_people_read_sentences_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In tables; what programs read is as it was."""
    monkeypatch.chdir(tmp_path)
    Path("people.csv").write_text(PEOPLE)
    attack = (
        "attack", "people.csv", "--targets", "people.csv", "--id", "name", "--qi", "age,zip", "--sensitive",
        "disease", "--summary",
    )  # fmt: skip
    each = run(*attack[:-1], "--format", "table").stdout.splitlines()
    assert each[0] == "8 of 8 people are left with one possible disease."
    assert [cell.strip() for cell in each[3].split("┃")[1:-1]] == [
        "name", "sensitive", "prior", "posterior", "guess", "probability",
    ]  # fmt: skip
    printed = run(*attack, "--format", "table")
    assert printed.stdout.startswith("8 of 8 people are left with one possible disease.\n")
    assert "PVP_50" not in printed.stdout
    assert "--format csv, json or markdown prints all" in printed.stderr
    assert run(*attack).stdout.startswith("sensitive,measure,value")
    for command, first in (
        (
            ("attack", "people.csv", "--kind", "homogeneity", "--qi", "zip", "--sensitive", "disease"),
            "The attack learns something of 8 of 8 people; of none it is certain.",
        ),
        (("check", "people.csv", "--qi", "age,zip"), "Somebody is alone in their class"),
        (("risk", "people.csv", "--qi", "age,zip"), "8 of 8 rows are the only ones"),
        (("utility", "people.csv", "people.csv", "--qi", "age,zip"), "No row was left out."),
    ):
        printed = run(*command, "--format", "table")
        assert printed.stdout.startswith(first), printed
        assert "┃ id" not in printed.stdout


@pytest.mark.slow("half a second")
def test_times_of_a_register_are_local(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And its table is narrow enough to be read."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        Path("people.csv").write_text(PEOPLE)
        run("register", "add", "releases.duckdb", "people.csv", "--qi", "age,zip", "--name", "raw")
        [utc] = json.loads(run("releases", "releases.duckdb", "--format", "json").stdout)
        printed = run("releases", "releases.duckdb", "--format", "table").stdout
    finally:
        monkeypatch.undo()
        time.tzset()
    there = datetime.fromisoformat(utc["made_at"]) + timedelta(hours=9)
    assert f"{there:%Y-%m-%d %H:%M}" in printed
    assert "raw" in printed
    assert max(map(len, printed.splitlines())) < 100
