"""What can be required is said once, in sql/models/list_of_models.sql: whatever is made of its rows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import duckdb
import pytest
from typer.testing import CliRunner

import sqlanon
from sqlanon.anonymize import driver
from sqlanon.cli.app import app
from sqlanon.core import models
from sqlanon.core.models import Requirement, fill, having
from sqlanon.core.requirements import complete
from sqlanon.macros.requirements import Requirements
from sqlanon.policies import schema

MODELS = having("model")
# What goes with a requirement of each kind, and with some of them.
ABOUT: dict[str, str] = {
    "size": "", "values": "", "shares": "", "population": ", population := 'people'",
    "known": ", known := ['people'], reference := 'people'",
}  # fmt: skip
WITH = {"recursive_c": ", l := 1", "safety_c": ", safety_k := 1"}


@pytest.mark.both_lines
def test_the_rows_are_read_as_duckdb_reads_them(con: duckdb.DuckDBPyConnection) -> None:
    answer = con.execute("from sqlanon._models()")
    names = [name for name, *_ in answer.description or []]
    rows = [dict(zip(names, row, strict=True)) for row in answer.fetchall()]
    given = [{name: value for name, value in row.items() if value is not None} for row in rows]
    assert [Requirement(**row) for row in given] == list(models.models())


def test_the_parameters_are_the_same_everywhere() -> None:
    names = [each.id for each in models.models()]
    assert list(Requirements.__annotations__) == names == list(complete({}))
    assert list(schema.REQUIREMENTS)[: len(names)] == names


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.id)
def test_a_row_says_how_a_model_is_judged(model: Requirement) -> None:
    assert model.about in ABOUT
    assert (model.title and model.says and model.reached) or model.varies_by
    assert model.direction in ("at least", "at most", "below")
    assert model.merged_if in ("one", "both", "neither")


@pytest.mark.both_lines
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.id)
def test_what_is_required_is_judged(con: duckdb.DuckDBPyConnection, model: Requirement) -> None:
    """Too much of it is violated: no requirement holds because nobody looks at it."""
    con.execute(
        """create or replace table people as
        select range // 4 as age, (range % 2)::varchar as disease from range(8) where range <> 7"""
    ).fetchall()
    too_much = 1 if model.type == "integer" else 1e-6
    if model.direction == "at least":
        too_much = model.greatest or 1000
    if model.about == "known":  # nobody loses anything in the same classes
        con.execute("create or replace table people as select 1 as age, 'a' as disease").fetchall()
        con.execute("insert into people select 1, 'b'").fetchall()
        con.execute("create or replace table classes as select * from people where disease = 'a'").fetchall()
    tbl = "classes" if model.about == "known" else "people"
    if model.id == "dmin":
        con.execute("create or replace table classes as from people limit 3").fetchall()
        tbl = "classes"
    required = f"{model.id} := {too_much}{WITH.get(model.id, '')}{ABOUT[model.about]}"
    call = f"sqlanon.violations('{tbl}', qi := 'age', sensitive := 'disease', {required})"
    found = {id for (id,) in con.execute(f"select distinct id from {call}").fetchall()}
    assert models.verdict_of(model.id, {}) in found


def test_a_release_is_refused_if_a_requirement_has_no_verdict(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    con.execute("create or replace table people as select range as age from range(9)").fetchall()
    monkeypatch.setattr(driver, "verdict_of", lambda id, given: f"no_{id}")
    with pytest.raises(sqlanon.VerificationError, match="k-anonymity is required \\(k\\), and nothing has"):
        sqlanon.mondrian(con, "people", qi="age", k=2)


def test_scripts_have_no_holes() -> None:
    script = sqlanon.read_library()
    assert not re.search(r"\{(?:requirements|verdicts)", script)
    assert "macro sqlanon._requirements(k := null, " in script


class TestHoles:
    @pytest.mark.parametrize(
        ("text", "filled"),
        [
            ("{requirements of population: req.{id}}", "req.k_map, req.dmin, req.dmax"),
            ("({requirements of size but size: req.{id}})", "()"),
            ("coalesce(null, {requirements of size but size: req.{id}})", "coalesce(null)"),
            ("{requirements of size but size joined by and: {id}}", "true"),
            ("{requirements of size but size joined by or: {id}}", "false"),
            ("{requirements of k, l, alpha joined by or: {id} > 1}", "k > 1 or l > 1 or alpha > 1"),
            ("'{requirements of population listed with and: {id}} need'", "'k_map, dmin and dmax need'"),
            ("{verdicts of t: {id}}", "t_equal, t_ordered, t_hierarchical"),
            ("{verdicts of l: {id} {direction} {required}}", "l at_least req.l"),
            ("$$ {c} and {id} $$", "$$ {c} and {id} $$"),
        ],
    )
    def test_filled(self, text: str, filled: str) -> None:
        assert fill(text) == filled

    def test_lines_are_not_too_long(self) -> None:
        lines = fill("f(\n    {requirements: {id} := {fallback}}, population := null)").split("\n")
        assert len(lines) == 6
        assert all(line.startswith("    ") and len(line) <= models.WIDTH for line in lines[1:])

    def test_lines_of_comments(self) -> None:
        assert fill("{requirements of beta a line each: - {id} ({given})}") == "- beta (number, above 0)"


class TestBounds:
    """Said once: what is out of range for one is so for all, and is wrong use."""

    @pytest.mark.parametrize(
        ("option", "value", "wrong"),
        [
            ("--alpha", "0", "must be above 0"), ("--alpha", "-1", "greater than or equal to 0"),
            ("--alpha", "1.5", "less than or equal to 1"), ("--beta", "0", "must be above 0"),
            ("--safety-c", "0", "must be above 0"), ("--t", "-0.1", "greater than or equal to 0"),
        ],
    )  # fmt: skip
    def test_wrong_use(self, tmp_path: Path, option: str, value: str, wrong: str) -> None:
        (tmp_path / "people.csv").write_text("age,disease\n1,a\n2,b\n")
        command = ["check", str(tmp_path / "people.csv"), "--qi", "age", "--sensitive", "disease"]
        command += ["--safety-k", "1"] if option == "--safety-c" else []
        ran = CliRunner().invoke(app, [*command, option, value])
        assert ran.exit_code == 2
        assert wrong in re.sub(r"\W*\n\W*", " ", ran.output)

    @pytest.mark.parametrize("given", [{"k_map": 2}, {"dmin": 0.1}, {"composed_l": 2}])
    def test_recode_promises_only_what_it_can(
        self, con: duckdb.DuckDBPyConnection, given: dict[str, Any]
    ) -> None:
        [name] = given
        with pytest.raises(sqlanon.InputError, match=f"recode does not know .*{name}"):
            sqlanon.recode(con, "people", "scheme", qi="age", **given)
