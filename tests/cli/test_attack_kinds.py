"""The attacks that `sqlanon attacks` lists, from the command line."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from sqlanon.cli import app

VISITS = """age,zip,disease
"[30, 39]",1305*,flu
"[20, 29]",1306*,asthma
"[20, 29]",1306*,asthma
"[40, 59]",1485*,flu
"[40, 59]",1485*,cancer
"""
VOTERS = """name,age,zip,moved
Ann,33,13053,false
Bob,28,13068,false
Zoe,80,99999,true
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "visits.csv").write_text(VISITS)
    (tmp_path / "voters.csv").write_text(VOTERS)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app.app, [*arguments])


def table(result: Result) -> list[dict[str, str]]:
    assert result.exit_code == 0, result.stderr
    return list(csv.DictReader(io.StringIO(result.stdout)))


LINKING = (
    "attack",
    "--kind",
    "linking",
    "visits.csv",
    "--targets",
    "voters.csv",
    "--id",
    "name",
    "--qi",
    "age,zip",
)


@pytest.mark.slow("half a second")
def test_they_are_listed_and_explained() -> None:
    listed = {row["attack"]: row for row in table(run("attacks"))}
    assert listed["linking"]["needs"] == "[release, targets, id, qi]"
    explained = table(run("attacks", "Background-Knowledge"))
    assert ("parameter", "knowledge") in {(row["kind"], row["name"]) for row in explained}


@pytest.mark.slow("0.8 s")
def test_people_are_linked() -> None:
    rows = table(run(*LINKING, "--sensitive", "disease", "--controls", "moved"))
    columns = ("name", "learned", "confidence", "is_control")
    assert [tuple(row[column] for column in columns) for row in rows] == [
        ("Ann", "flu", "1.0", "false"), ("Bob", "asthma", "1.0", "false"), ("Zoe", "", "", "true"),
    ]  # fmt: skip


@pytest.mark.slow("0.8 s")
def test_the_summary_counts_people() -> None:
    arguments = ("attack", "--kind", "homogeneity", "visits.csv", "--qi", "age,zip", "--sensitive", "disease")
    result = {row["id"]: row["value"] for row in table(run(*arguments, "--summary"))}
    assert (result["subjects"], result["certain"]) == ("5.0", "60.0")  # rows, of three classes
    assert "sqlanon.attack_summary(" in run(*arguments, "--summary", "--sql").stdout


@pytest.mark.slow("1.8 s")
def test_counts_in_a_notation_of_others(folder: Path) -> None:
    (folder / "visits.csv").write_text("age,zip,disease,n\n30-39,1305x,flu,3\n30-39,1305x,cold,1\n")
    arguments = (*LINKING, "--sensitive", "disease", "--weight", "n")
    result = run(*arguments)
    assert result.exit_code == 3
    assert "this would read them: --formats 'zip=mask x'" in result.stderr
    ann = table(run(*arguments, "--formats", "age=range", "--formats", "zip=mask x"))[0]
    assert (ann["learned"], ann["confidence"], ann["candidates"]) == ("flu", "0.75", "4")


@pytest.mark.slow("0.4 s")
def test_a_parameter_of_its_own() -> None:
    arguments = ("attack", "--kind", "skyline", "visits.csv", "--qi", "age,zip", "--sensitive", "disease")
    rows = table(run(*arguments, "--set", "l=0", "--set", "k=0", "--set", "m=0", "--set", "value=flu"))
    assert {row["learned"] for row in rows} == {"flu", ""}


ALL = ("attack", "--kind", "all", *LINKING[3:])  # without a sensitive column that is linking alone


@pytest.mark.slow("1.1 s")
def test_every_attack_that_applies() -> None:
    """What was made is printed, and why the others were not; what is tolerated decides the exit code."""
    result = run(*ALL, "--controls", "moved", "--tolerated", "linking.certain=40")
    assert result.exit_code == 1
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert {row["attack"] for row in rows} == {row["attack"] for row in table(run("attacks"))}
    [linked] = [row for row in rows if row["status"] == "done"]
    named = ("attack", "releases", "subjects", "certain", "sure_90", "verdict")
    assert [linked[name] for name in named] == ["linking", "[visits.csv]", "2", "50.0", "50.0", "fails"]
    assert "homogeneity: does not apply: needs sensitive\n" in result.stderr
    assert "fails: linking.certain\n" in result.stderr


@pytest.mark.slow("1 s")
def test_an_attack_that_fails_is_no_all_clear() -> None:
    asked = ("--qi", "age,zip", "--sensitive", "disease", "--set", "background_knowledge.k=99")
    made = run("attack", "--kind", "all", "visits.csv", *asked)
    assert made.exit_code == 3
    assert "failed: " in made.stderr
    assert "this is no all-clear" in made.stderr


@pytest.mark.slow("1.4 s")
def test_a_release_may_lack_a_quasi_identifier(folder: Path) -> None:
    """It may be anything there, which is said; and so is what a release has and the attack does not use."""
    (folder / "wards.csv").write_text("zip,moved,disease\n1306*,false,asthma\n1305*,false,flu\n")
    asked = ("attack", "visits.csv", "wards.csv", *LINKING[4:8], "--sensitive", "disease")
    common = run(*asked, "--qi", "zip")
    assert "in no role here: age (visits.csv), moved (wards.csv); whoever knows these" in common.stderr
    every = run(*asked, "--qi", "age,zip,moved")
    assert {row["located"].count("size") for row in table(every)} == {2}
    assert "visits.csv lacks moved, wards.csv lacks age: read as *, which may be anything" in every.stderr
    assert "in no role" not in every.stderr
    nowhere = run(*asked, "--qi", "zip,name")
    assert (nowhere.exit_code, "there is no column name in visits.csv" in nowhere.stderr) == (2, True)


@pytest.mark.slow("1.1 s")
def test_every_attack_in_a_terminal() -> None:
    """What was made, in few columns."""
    result = run(*ALL, "--controls", "moved", "--tolerated", "linking.certain=40", "--format", "table")
    said, _, _, header, _, *rows, _ = result.stdout.splitlines()
    assert said.startswith(
        "1 of 2 people (50 %): of so many an adversary is at least 90 % sure, by linking on "
    )
    cells = [cell.strip() for cell in header.strip("┃").split("┃")]
    assert cells == ["verdict", "attack", "of", "certain", "sure", "right", "without"]
    linked = [cell.strip() for cell in rows[0].strip("│").split("│")]
    assert (linked[0], linked[1], linked[3], linked[4]) == ("fails", "linking", "50", "50")
    assert "--format csv, json or markdown prints all\n" in result.stderr


@pytest.mark.slow("0.9 s")
def test_all_measures_of_every_attack() -> None:
    rows = table(run(*ALL, "--controls", "moved", "--summary", "--max-targets", "2", "--set", "join_on=age"))
    linked = {row["id"]: row for row in rows if row["attack"] == "linking"}
    assert linked.keys() >= {"subjects", "certain", "baseline"}
    assert {row["sampled"] for row in linked.values()} == {"true"}
    [joined] = [row for row in rows if row["attack"] == "joined_releases"]
    assert joined["reason"] == "needs x, y"


@pytest.mark.slow("0.4 s")
def test_the_statements_of_every_attack() -> None:
    printed = run(*ALL, "--controls", "moved", "--sql").stdout
    assert printed.count("sqlanon.attack_summary(") == 1
    assert "sqlanon.linking(" in printed


@pytest.mark.slow("0.7 s")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("attacks", "linkin"), "linkin is no attack; did you mean linking?; 'sqlanon attacks' lists them"),
        (("attack", "--kind", "skyline", "visits.csv", "--sensitive", "disease"), "skyline needs --qi"),
        (("attack", "--kind", "skyline", "visits.csv", "visits.csv", "--qi", "age", "--sensitive", "disease"),
         "skyline attacks one table, not 2"),
        ((*LINKING, "--set", "neares=true"),
         "--set neares: linking has no such parameter; did you mean nearest?; "
         "'sqlanon attacks linking' lists them"),
        ((*LINKING, "--set", "nearest=yes"), "--set nearest=yes: write true or false"),
        ((*LINKING, "--set", "nearest=true", "--set", "nearest=true"),
         "--set nearest=true: nearest is set already"),
        ((*LINKING, "--presence", "moved"), "--presence is not for linking"),
        ((*LINKING, "--weight", "n"),
         "--weight: there is no column n in visits.csv; it has age, zip, disease"),
        ((*LINKING, "--formats", "agee=range"), "--formats agee: agee is not in --qi; did you mean age?"),
        (("attack", "--kind", "homogeneity", "visits.csv", "--qi", "age", "--sensitive", "disease",
          "--formats", "age=range"), "--formats is not for homogeneity"),
        (("attack", "--kind", "homogeneity", "visits.csv", "--qi", "age", "--sensitive", "disease",
          "--truth", "disease"), "--truth is not for homogeneity"),
        (("attack", "visits.csv", "--targets", "voters.csv", "--id", "name", "--qi", "age", "--sensitive",
          "disease", "--controls", "moved"), "--controls is not for intersection_attack"),
        (("attack", "--kind", "skyline", "visits.csv", "--qi", "agee", "--sensitive", "disease"),
         "--qi: there is no column agee in visits.csv; did you mean age?"),
        ((*LINKING, "--max-targets", "2"), "--max-targets is for --kind all"),
        ((*ALL, "--tolerated", "90=5"),
         "--tolerated: write ATTACK.MEASURE=MOST, such as intersection_attack.sure_90=5"),
        ((*ALL, "--truth", "name"), "truth needs sensitive"),
        ((*LINKING, "--truth", "diseas", "--sensitive", "disease"),
         "--truth: there is no column diseas in voters.csv; it has name, age, zip, moved"),
    ],
)  # fmt: skip
def test_wrong_use_is_one_line(arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"error: {message}\n")


@pytest.mark.slow("2 s")
def test_options_of_targets_are_those_that_the_attack_takes(folder: Path) -> None:
    """Of three rows of two patients, the third is in no release: what most people have is the best guess."""
    rows = ["row,patient,age,zip,there", "1,p,28,13068,true", "2,p,27,13061,true", "3,q,33,13053,false"]
    (folder / "rows.csv").write_text("\n".join(rows))
    command = ("attack", "--kind", "exact-cover", "visits.csv", "--targets", "rows.csv", "--id", "row",
               "--qi", "age,zip", "--sensitive", "disease", "--presence", "there")  # fmt: skip
    learned = [(row["row"], row["learned"], row["confidence"]) for row in table(run(*command))]
    assert learned == [("1", "asthma", "1.0"), ("2", "asthma", "1.0"), ("3", "asthma", "0.4")]
    summary = table(run(*command, "--unit", "patient", "--summary"))
    assert {row["id"]: row["value"] for row in summary}["subjects"] == "2.0"


@pytest.mark.slow("1 s")
def test_who_is_singled_out_of_targets_and_of_controls(folder: Path) -> None:
    command = ("attack", "--kind", "singling-out", "voters.csv", "--targets", "voters.csv", "--id", "name",
               "--controls", "moved", "--set", "columns=age,zip")  # fmt: skip
    found = [(row["learned"], row["is_control"]) for row in table(run(*command))]
    assert ("age = 28 and zip = 13068", "false") in found
    assert ("age = 80 and zip = 99999", "true") in found
    summary = table(run(*command, "--summary"))
    assert (summary[0]["id"], summary[0]["unit"]) == ("subjects", "people")


@pytest.mark.slow("5 s")
def test_rows_of_people_who_have_several_are_numbered(folder: Path) -> None:
    rows = ["patient,age,zip,row", "p,28,13068,a", "p,27,13061,b", "q,33,13053,c"]
    (folder / "rows.csv").write_text("\n".join(rows))
    told = (
        "rows.csv: patient repeats (2 people in 3 rows), so rows are numbered in a column row_, and patient "
        "says whose a row is, as --unit patient does\n"
    )
    of_people = ("visits.csv", "--targets", "rows.csv", "--id", "patient", "--qi", "age,zip", "--sensitive",
                 "disease")  # fmt: skip
    for more in ((), ("--unit", "patient")):
        by_intersection = run("attack", *of_people, *more)
        assert by_intersection.stderr.startswith(told)
        found = [(row["row_"], row["patient"], row["candidates"]) for row in table(by_intersection)]
        assert found == [("1", "p", "[asthma]"), ("2", "p", "[asthma]"), ("3", "q", "[flu]")]
    summary = run("attack", *of_people, "--kind", "exact-cover", "--summary")
    assert {row["id"]: row["value"] for row in table(summary)}["subjects"] == "2.0"
    linking = run("attack", *of_people, "--kind", "linking")
    assert "linking is about rows: it does not ask whose they are" in linking.stderr
    assert [row["row_"] for row in table(linking)] == ["1", "2", "3"]
    everything = run("attack", *of_people, "--kind", "all", "--summary")
    subjects = [row["value"] for row in table(everything) if row["attack"] == "intersection_attack"]
    assert subjects[0] == "2.0"
    in_words = run("attack", *of_people, "--kind", "all", "--format", "table")
    assert in_words.stdout.startswith(
        "5 of 5 rows (100 %): of so many an adversary is at least 90 % sure of the disease, by skyline on "
        "visits.csv; certain of 5."
    )
    policy = '[roles]\nqi = ["age", "zip"]\nsensitive = ["disease"]\nunit = "patient"\n'
    may_change = '[requirements]\nk = 1\n[judge]\nvalues_may_change = ["disease"]\n'
    (folder / "policy.toml").write_text(policy + may_change)
    by_policy = run("attack", "visits.csv", "visits.csv", "--targets", "rows.csv", "--policy", "policy.toml")
    assert "the values of disease may change between the releases" in by_policy.stderr
    assert [row["patient"] for row in table(by_policy)] == ["p", "p", "q"]  # the unit says who they are
    (folder / "priors.csv").write_text("patient,value,share\np,flu,1\n")
    with_priors = run("attack", *of_people, "--priors", "priors.csv", "--priors-by", "patient")
    assert (with_priors.exit_code, "several times" in with_priors.stderr) == (3, True)


@pytest.mark.slow("0.4 s")
def test_what_is_out_of_range_is_the_macros_error() -> None:
    arguments = ("attack", "--kind", "skyline", "visits.csv", "--qi", "age", "--sensitive", "disease")
    result = run(*arguments, "--set", "l=-1")
    assert result.exit_code == 3
    assert "l must be a whole number" in result.stderr


@pytest.mark.slow("1.5 s")
def test_labels_that_nobody_understands_are_no_all_clear() -> None:
    Path("visits.csv").write_text('age,zip,disease\n"a to b",?,flu\n"a to b",?,flu\n')
    result = run(*LINKING)
    assert result.exit_code == 3
    assert "visits.csv: nobody understands" in result.stderr
    assert "nothing is learned of anybody" in result.stderr
    of_all = run(*ALL)
    assert of_all.exit_code == 3
    assert "visits.csv: nobody understands" in of_all.stderr


def test_people_may_have_several_rows_where_records_do(folder: Path) -> None:
    """Each row is one thing that is known: they are not numbered as people."""
    bought = ("r1,tea", "r1,kayak", "r2,tea", "r2,salt", "r3,salt", "r4,tea")
    (folder / "bought.csv").write_text("\n".join(("record,item", *bought)))
    (folder / "told.csv").write_text("name,item\nann,kayak\nann,tea\nann,soap\n")
    result = run(
        "attack", "bought.csv", "--kind", "sparse_linkage", "--targets", "told.csv", "--id", "name",
        "--set", "record=record", "--set", "columns=item", "--format", "csv",
    )  # fmt: skip
    assert [(row["name"], row["learned"], row["items"]) for row in table(result)] == [("ann", "r1", "3")]
