"""Spellings on the command line: told, kept as they are, made one, or said to be different values."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_cli import folder as folder  # a fixture
from tests.cli.test_cli import ok, refused, rows, run

TWINS = (
    'city,sex,ill,who\nLeipzig,m,flu,P1\n"Leipzig ",m,"flu ",p1\n"Leipzig  ",m,Flu,"P1 "\n'
    "Halle,f,gout,P2\nHalle,f,flu,P3\nHalle,f,k.A.,P4\n"
)


@pytest.fixture
def twins(folder: Path) -> Path:
    (folder / "twins.csv").write_text(TWINS, "utf-8")
    return folder


@pytest.mark.slow("1 s")
def test_they_are_one_value_and_told(twins: Path) -> None:
    result = run("check", "twins.csv", "--qi", "sex", "--sensitive", "ill", "--l", "2")
    told = result.stderr
    assert result.exit_code == 1
    assert "1 value has 3 spellings in ill" in told
    assert "--fold ill makes them one" in told
    assert "--distinct-spellings ill" in told
    kept_apart = ("--sensitive", "ill", "--l", "2", "--distinct-spellings", "ill")
    assert "spellings in" not in run("check", "twins.csv", "--qi", "sex", *kept_apart).stderr
    assert run("check", "twins.csv", "--qi", "sex", *kept_apart).exit_code == 0
    assert run("check", "twins.csv", "--qi", "sex", "--unit", "who", "--k", "2").exit_code == 1


@pytest.mark.slow("1 s")
def test_they_are_told_whether_the_release_goes_out_or_not(twins: Path) -> None:
    (twins / "policy.toml").write_text(
        '[roles]\nqi = ["sex"]\nsensitive = ["ill"]\n[requirements]\nk = 4\n'
        "[tolerated]\nhomogeneity.certain = 0\n"
    )
    asked = ("--policy", "policy.toml", "--register", "r.duckdb", "-o", "a.csv")
    assert "--fold ill makes them one" in run("publish", "twins.csv", *asked).stderr


@pytest.mark.slow("half a second a case", but=(1,))
@pytest.mark.parametrize("by_policy", [False, True])
def test_one_spelling_leaves_if_that_is_asked_for(twins: Path, by_policy: bool) -> None:
    asked = ["--qi", "city,sex", "--sensitive", "ill", "--k", "1", "--fold", "city,ill", "--missing", "k.A."]
    if by_policy:
        (twins / "policy.toml").write_text(
            '[input]\nfold = ["city", "ill"]\nmissing = ["k.A."]\n[roles]\nqi = ["city", "sex"]\n'
            'sensitive = ["ill"]\n[requirements]\nk = 1\n',
            "utf-8",
        )
        asked = ["--policy", "policy.toml"]
    released = rows(ok("anonymize", "twins.csv", *asked))
    wanted = {("Leipzig", "m", "flu"): 3, ("Halle", "f", "gout"): 1, ("Halle", "f", "flu"): 1}
    assert released == wanted | {("Halle", "f", ""): 1, ("city", "sex", "ill"): 1}


@pytest.mark.slow("1 s")
def test_blanks_are_trimmed_if_that_is_asked_for(twins: Path) -> None:
    asked = ("--qi", "sex", "--sensitive", "ill", "--keep", "city", "--k", "1")
    assert rows(ok("anonymize", "twins.csv", *asked))["m", "flu ", "Leipzig "] == 1  # byte for byte
    trimmed = rows(ok("anonymize", "twins.csv", *asked, "--trim", "ill,city"))
    assert trimmed["m", "flu", "Leipzig"] == 2
    assert trimmed["m", "Flu", "Leipzig"] == 1


@pytest.mark.slow("half a second")
def test_cells_of_a_table_are_told(twins: Path) -> None:
    told = run("table", "cells", "twins.csv", "--dimensions", "city")
    assert "1 value has 3 spellings in city" in told.stderr
    folded = run("table", "cells", "twins.csv", "--dimensions", "city", "--fold", "city")
    assert folded.stdout.count("Leipzig") == 1


def test_a_column_without_a_role_is_refused(twins: Path) -> None:
    asked = ("--qi", "sex", "--sensitive", "ill", "--l", "2", "--distinct-spellings", "ilk")
    assert "ilk has no role; did you mean ill?" in refused(2, "check", "twins.csv", *asked)
