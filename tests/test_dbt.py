"""The package for dbt, run by dbt on the example project."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import duckdb
import pytest

from sqlanon.core import library
from tests.data import ROOT
from tests.publishing.test_nightly import PATIENTS

pytestmark = [
    pytest.mark.both_lines,
    pytest.mark.skipif(find_spec("dbt.cli") is None, reason="dbt is not installed here (extra dbt)"),
]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The example project beside the package, as in a checkout."""
    shutil.copytree(ROOT / "dbt", tmp_path / "dbt")
    shutil.copytree(ROOT / "examples" / "dbt", tmp_path / "examples" / "dbt")
    folder = tmp_path / "examples" / "dbt"
    shutil.copyfile(library.FILE, folder / "sqlanon.duckdb")
    assert dbt(folder, "deps") == (0, {})
    return folder


def dbt(folder: Path, *command: str) -> tuple[int, dict[str, str]]:
    """The exit code of dbt, and what has come of each model and test."""
    quiet = {"DBT_SEND_ANONYMOUS_USAGE_STATS": "false", "DBT_PROFILES_DIR": str(folder)}
    results = folder / "target" / "run_results.json"
    results.unlink(missing_ok=True)
    done = subprocess.run(
        [sys.executable, "-m", "dbt.cli.main", *command], cwd=folder, env={**os.environ, **quiet},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if not results.exists():
        assert command == ("deps",), done.stdout
        return done.returncode, {}
    with duckdb.connect() as con:
        told = con.execute(
            "select split_part(unique_id, '.', 3), status "
            "from (select unnest(results, recursive := true) from read_json(?))",
            [str(results)],
        ).fetchall()
    return done.returncode, dict(told)


UNAWARE = {"known=[ref('march')], composed_l=2, ": ""}
AFTER = ", after=[ref('march'), ref('hierarchies')]"


def change(file: Path, replaced: dict[str, str]) -> None:
    text = file.read_text()
    for before, after in replaced.items():
        assert before in text
        text = text.replace(before, after)
    file.write_text(text)


def failed(told: dict[str, str]) -> set[str]:
    return {test.removeprefix("sqlanon_") for test, status in told.items() if status == "fail"}


@pytest.mark.both_lines
def test_only_what_holds_is_published(project: Path) -> None:
    """All passes, and a policy gives the rows that it gives by hand. Then a careless release fails its tests,
    a careless policy its model, and what is published stays as it was."""
    code, told = dbt(project, "build", "--target", "attached")
    assert code == 0, told
    assert len(told) == 13
    assert set(told.values()) == {"success", "pass"}

    def published(model: str) -> list[tuple[str, str, str, int]]:
        with duckdb.connect(project / "clinics.duckdb", read_only=True) as con:
            rows = con.query(f"select *, count(*) over (partition by age, zip) as size from {model}")
            return rows.order("all").fetchall()

    by_hand = ["anonymize", "clinics.duckdb::patients", "--policy", "policy.toml", "-o", "may.parquet"]
    known = ["--known", "clinics.duckdb::march", "--known", "clinics.duckdb::april"]
    subprocess.run([sys.executable, "-m", "sqlanon", *by_hand, *known], cwd=project, check=True)
    before = {model: published(model) for model in ("april", "may")}
    assert published(f"'{project / 'may.parquet'}'") == before["may"]
    assert min(size for rows in before.values() for *_, size in rows) >= 5
    change(project / "models" / "april_staged.sql", {"k=5, l=3": "k=2", **UNAWARE})
    change(project / "models" / "schema.yml", {"[age, zip, diagnosis]}": "[age, diagnosis]}"})
    code, told = dbt(project, "build", "--target", "plugin")
    assert code == 1
    assert {name.partition("_april")[0] for name in failed(told)} == {
        "k_anonymous", "violations", "only_columns", "no_composition",
    }  # fmt: skip
    assert told["april_staged"] == "success"
    assert told["april"] == told["may"] == "skipped"
    change(project / "policy.toml", {"k = 5\nl = 3\ncomposed_l = 2": "k = 2\n"})
    assert dbt(project, "run", "--select", "may", "--target", "plugin") == (1, {"may": "error"})
    assert {model: published(model) for model in before} == before


@pytest.mark.slow("44 s")
@pytest.mark.both_lines
def test_whatever_its_tests_read_is_waited_for(project: Path) -> None:
    """A release that reads nothing of what is out is not published if no_composition alone fails, nor one of
    a table that hierarchy_complete alone refuses; and no model is made that would not wait for these."""
    build = ("build", "--target", "plugin", "--exclude", "may")
    staged, april = project / "models" / "april_staged.sql", project / "models" / "april.sql"
    change(staged, {"k=5, l=3": "k=5", **UNAWARE})
    change(project / "models" / "schema.yml", {"k: 5, l: 3": "k: 5"})
    code, told = dbt(project, *build)
    assert {name.partition("_april")[0] for name in failed(told)} == {"no_composition"}
    assert (code, told["april_staged"], told["april"]) == (1, "success", "skipped")
    change(project / "seeds" / "diagnoses.csv", {"gout,chronic,*\n": ""})
    change(staged, {"k=5": "k=5, l=3", "seed=2": "known=[ref('march')], composed_l=2, seed=2"})
    code, told = dbt(project, *build)
    assert {name.partition("_patients")[0] for name in failed(told)} == {"hierarchy_complete"}
    assert (code, told["april_staged"], told["april"]) == (1, "success", "skipped")
    change(april, {AFTER: ""})
    assert dbt(project, "run", "--select", "april", "--target", "plugin") == (1, {"april": "error"})


@pytest.mark.slow("19 s")
@pytest.mark.both_lines
def test_cells_of_a_table(project: Path) -> None:
    """safe_cells names the cells with few people, and fails."""
    models = project / "models"
    (models / "counts.sql").write_text(
        "{{ sqlanon.release('table_cells', ref('patients'), dimensions=['diagnosis']) }}"
    )
    (models / "counts.yml").write_text(
        "models: [{name: counts, data_tests: [{sqlanon.safe_cells: "
        "{arguments: {dimensions: [diagnosis], threshold: 3}}}]}]"
    )
    build = ("build", "--target", "plugin", "--select", "counts", "--full-refresh")
    assert dbt(project, "run", "--target", "plugin", "--select", "patients") == (0, {"patients": "success"})
    code, told = dbt(project, *build)
    assert (code, failed(told)) == (0, set())
    assert len(told) == 2
    change(models / "counts.yml", {"threshold: 3": "threshold: 300"})
    code, told = dbt(project, *build)
    assert (code, {name.partition("_counts")[0] for name in failed(told)}) == (1, {"safe_cells"})


def test_people_who_have_several_rows(project: Path) -> None:
    """As sqlanon check: a release that does not say whose its rows are may be of fewer people than rows, and
    the model with the raw rows tells of how many. Of two tables, each alone is 4-anonymous; together they are
    not; and their keys still join."""
    models = project / "models"
    (project / "key.txt").write_text("correct horse battery staple\n")
    hooked = "{{ config(pre_hook=sqlanon.secret_key('key.txt')) }}\n"
    key = "{{ sqlanon.pseudonym('person', 'spring') }} as person"
    (models / "persons.sql").write_text(
        f"{hooked}select {key}, '20-39' as age from {{{{ ref('patients') }}}} where person < 10"
    )
    (models / "nights.sql").write_text(
        f"""{hooked}select {key}, if(person in (0, 1), person = 0, nth = 0) as in_ward_a, 'flu' as disease,
            {{{{ sqlanon.shifted("date '2026-03-02'", 'person', 'spring') }}}} as day
        from {{{{ ref('patients') }}}}, range(2) as row(nth) where person < 10"""
    )
    together = "tables: {night: ref('nights')}, unit: persons.person, joins: night.person = persons.person"
    (models / "persons.yml").write_text(f"""models: [{{name: persons, data_tests: [
        {{sqlanon.k_anonymous: {{name: alone, arguments: {{qi: age, k: 4, unit: person}}}}}},
        {{sqlanon.people_alike: {{name: one_is_not,
            arguments: {{{together}, qi: [persons.age, night.in_ward_a], k: 4}}}}}},
        {{sqlanon.people_alike: {{name: by_age_alone, arguments: {{{together}, qi: persons.age, k: 10}}}}}},
        {{sqlanon.people_alike: {{name: all_had_the_flu,
            arguments: {{{together}, qi: persons.age, sensitive: night.disease, l: 2}}}}}}]}},
        {{name: nights, data_tests: [
        {{sqlanon.k_anonymous: {{name: by_night, arguments: {{qi: in_ward_a, k: 4, unit: person}}}}}}]}}]""")
    (models / "stays.sql").write_text(
        "select person, age, zip, diagnosis from {{ ref('patients') }}, range(2) where person < 40"
    )
    (models / "stayed.sql").write_text(
        "{{ sqlanon.release('mondrian', ref('stays'), qi=['age', 'zip'], sensitive='diagnosis', k=4, l=2) }}"
    )
    asked = {
        "by_rows": "k_anonymous: {NAME, arguments: {qi: [age, zip], k: 4}}",
        "nobody_knows": "k_anonymous: {NAME, arguments: {qi: [age, zip], k: 4, unit: person}}",
        "nobody_knows_l": "violations: {NAME, arguments: {qi: [age, zip], sensitive: diagnosis, l: 2, "
        "unit: person}}",
        "two_people": "violations: {NAME, arguments: {qi: [age, zip], sensitive: diagnosis, k: 2, "
        "unit: person, original: ref('stays')}}",
        "four_people": "k_anonymous: {NAME, arguments: {qi: [age, zip], k: 4, unit: person, "
        "original: ref('stays'), unchanged: diagnosis}}",
    }  # fmt: skip
    tests = ", ".join(
        "{sqlanon." + test.replace("NAME", f"name: {name}") + "}" for name, test in asked.items()
    )
    (models / "stayed.yml").write_text(f"models: [{{name: stayed, data_tests: [{tests}]}}]")
    asked |= dict.fromkeys(["alone", "one_is_not", "by_age_alone", "all_had_the_flu", "by_night"], "")
    _, told = dbt(
        project, "build", "--target", "plugin", "--select", "+stayed", "persons", "nights", "--exclude",
        "hierarchies",
    )  # fmt: skip
    assert told["stayed"] == told["persons"] == told["nights"] == "success", told
    assert {name: told[name] for name in asked} == {
        "by_rows": "pass", "nobody_knows": "fail", "nobody_knows_l": "fail", "two_people": "pass",
        "four_people": "fail", "alone": "pass", "one_is_not": "fail", "by_age_alone": "pass",
        "all_had_the_flu": "fail", "by_night": "pass",
    }  # fmt: skip
    told_in_log = (project / "logs" / "dbt.log").read_text("utf-8")
    assert '"stayed" is tested by rows: where people may have several, name unit' in told_in_log
    assert '"stayed": people may have several rows (person), and the model does not say' in told_in_log
    written = [*(project / "target").rglob("*.sql"), *(project / "logs").rglob("*.log")]
    assert written
    assert not [file for file in written if "battery" in file.read_text("utf-8")]


ALONE = {
    "dbt_project.yml": "{name: alone, profile: alone, models: {+materialized: table}}",
    "packages.yml": "{packages: [{local: ../package}]}",
    "profiles.yml": """{alone: {target: file, outputs: {file: {type: duckdb, path: alone.duckdb,
        attach: [{path: sqlanon.duckdb, alias: sqlanon, read_only: true}]}}}}""",
    "models/people.sql": """select i % 60 as age, ['flu', 'gout'][1 + i % 2] as disease
        from range(200) as row(i)""",
    "models/released.sql": """{{
        sqlanon.release('mondrian', ref('people'), qi='age', sensitive='disease', k=5) }}""",
    "models/schema.yml": """{models: [{name: released, data_tests: [
        {sqlanon.violations: {name: holds, arguments: {qi: age, sensitive: disease, k: 5, l: 2}}},
        {sqlanon.k_anonymous: {name: fails, arguments: {qi: age, k: 50}}}]}]}""",
    "sqlanon.py": "raise ImportError('dbt has imported the Python package')",
}


@pytest.mark.slow("dbt runs twice; test_only_what_holds_is_published attaches the file, too")
def test_the_package_alone(tmp_path: Path) -> None:
    """Without the Python package: nothing but dbt/, as its own repository has it, and the file."""
    shutil.copytree(ROOT / "dbt", tmp_path / "package")
    folder = tmp_path / "project"
    (folder / "models").mkdir(parents=True)
    for name, text in ALONE.items():
        (folder / name).write_text(text)
    shutil.copyfile(library.FILE, folder / "sqlanon.duckdb")
    assert dbt(folder, "deps") == (0, {})
    code, told = dbt(folder, "build")
    assert (code, told) == (
        1, {"people": "success", "released": "success", "holds": "pass", "fails": "fail"},
    )  # fmt: skip


def test_the_package_says_which_dbt() -> None:
    """The same as the extra, which the tests run; and its page leads to nothing that it does not have."""
    project, page = ((ROOT / "dbt" / name).read_text("utf-8") for name in ("dbt_project.yml", "README.md"))
    extra = (ROOT / "pyproject.toml").read_text("utf-8")
    [(least, below)] = re.findall(r'"dbt-core>=([\d.]+),<([\d.]+)"', extra)
    assert f'require-dbt-version: [">={least}", "<2.0.0"]' in project
    assert (least, below) == ("1.10.5", "1.11")
    assert "Tested with dbt 1.10 " in page
    assert re.findall(r"\]\((?!https:)", page) == []


@pytest.mark.slow("33 s")
@pytest.mark.both_lines
def test_people_who_leave(project: Path) -> None:
    """no_composition knows by presence who is in which release; without it, it does not know."""
    models = project / "models"
    change(
        models / "patients.sql",
        {"from range(400)": ", true as in_march, i < 399 as in_april\nfrom range(400)"},
    )
    change(
        models / "patients.sql",
        {"(20 + hash(i) % 60)": "(case when i = 399 then 99 else 20 + hash(i) % 60 end)"},
    )
    (models / "here.sql").write_text("select * from {{ ref('patients') }} where in_april")
    change(models / "april_staged.sql", {**UNAWARE, "ref('patients')": "ref('here')"})
    change(models / "schema.yml", {"most_certain: 0": "tolerated: {pvp_100: 100, sure_90: 100}"})
    build = ("build", "--target", "plugin", "--exclude", "may")
    code, told = dbt(project, *build)
    assert {name.partition("_april")[0] for name in failed(told)} == {"no_composition"}
    assert (code, told["april"]) == (1, "skipped")
    change(models / "schema.yml", {"id: person": "id: person\n            presence: [in_march, in_april]"})
    code, told = dbt(project, *build)
    assert (code, failed(told), told["april"]) == (0, set(), "success")


@pytest.mark.slow("dbt runs")
def test_a_night(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The gate as a model: its table has the verdicts."""
    shutil.copytree(ROOT / "examples" / "nightly", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    Path("out").mkdir()
    duckdb.execute(PATIENTS.format(age="20 + hash(i) % 60", rows=400)).fetchall()
    code, told = dbt(tmp_path, "build")
    assert code == 0, told
    assert told["published"] == "success"
    assert len(list(Path("out").iterdir())) == 1
