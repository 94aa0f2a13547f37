"""The gate and the register from the command line."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from sqlanon.cli import app

PEOPLE = "age,zip,disease\n" + "".join(
    f"{age},{zip},{disease}\n"
    for age, zip in ((21, "a"), (22, "a"), (41, "b"), (42, "b"))
    for disease in ("flu", "cold")
)
POLICY = """[roles]
qi = ["age", "zip"]
sensitive = ["disease"]
[requirements]
k = 2
l = 2
[tolerated.homogeneity]
certain = 0
"""
PUBLISH = ["publish", "people.csv", "--policy", "policy.toml", "--register", "releases.duckdb"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.csv").write_text(PEOPLE)
    (tmp_path / "policy.toml").write_text(POLICY)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app.app, [*arguments])


def ends(code: int, *arguments: str) -> Result:
    result = run(*arguments)
    assert result.exit_code == code, result.output
    return result


def test_a_release_goes_out_is_listed_and_audited(folder: Path) -> None:
    attacks = ["--attacks", "homogeneity"]
    tried = ends(0, *PUBLISH, "-o", "a.csv", *attacks, "--dry-run")
    assert "it would go out; nothing was written" in tried.stderr
    assert sorted(file.name for file in folder.iterdir()) == ["people.csv", "policy.toml"]
    with (folder / "policy.toml").open("a") as policy:
        policy.write('\n[judge]\nlanguage = "fr"\n')
    made = ends(0, *PUBLISH, "-o", "a.csv", *attacks)
    assert made.stdout.splitlines() == [
        "attack,id,releases,sensitive,value,unit,people,before,tolerated,verdict,reason",
        "columns,age,[a],,,,,,,holds,age leaves recoded: its class shares the value",
        "columns,disease,[a],,,,,,,holds,"
        "disease leaves unchanged: 0 of 8 rows have a value that no other row has",
        "columns,zip,[a],,,,,,,holds,zip leaves recoded: its class shares the value",
        "homogeneity,certain,[a],disease,0.0,%,0,,0.0,holds,",
    ]
    assert made.stderr.endswith("a.csv is out: release 1, a, in releases.duckdb\n")
    assert len((folder / "a.csv").read_text().splitlines()) == 9
    assert "exists: what may be out is never replaced" in ends(2, *PUBLISH, "-o", "a.csv").stderr

    (folder / "theirs.csv").write_text("age,zip,disease\n21-22,a,flu\n")
    adding = ["register", "add", "releases.duckdb", "theirs.csv", "--qi", "age,zip", "--formats", "age=range"]
    assert "theirs.csv is release 2, theirs" in ends(0, *adding, "--sensitive", "disease").stderr
    ends(0, "register", "withdraw", "releases.duckdb", "theirs")
    listed = ends(0, "releases", "releases.duckdb").stdout.splitlines()
    assert [line.split(",")[:4] for line in listed[1:]] == [
        ["1", "a", "out", "us"],
        ["2", "theirs", "withdrawn", "others"],
    ]
    audited = ends(1, "audit", "releases.duckdb", "--targets", "people.csv", *attacks)
    assert "homogeneity,certain,[theirs],disease,100.0,%,1,,0.0,fails," in audited.stdout
    assert "fails: homogeneity.certain of disease on theirs: 1 (100 %); 0 is tolerated" in audited.stderr
    page = ["audit", "releases.duckdb", "--targets", "people.csv", *attacks, "-o", "audit.html"]
    assert "audit.html: keep it as secret as the register" in ends(1, *page).stderr
    html = (folder / "audit.html").read_text("utf-8")
    assert "theirs" in html
    assert '<html lang="fr">' in html  # as the last policy in the register says
    ends(1, *page, "--force", "--language", "de")
    assert '<html lang="de">' in (folder / "audit.html").read_text("utf-8")
    assert "audit.html exists" in ends(2, *page).stderr


@pytest.mark.slow("1 s")
def test_where_somebody_is(folder: Path) -> None:
    (folder / "voters.csv").write_text("name,zip\nAnn,a\n")
    add = ["register", "add", "releases.duckdb", "people.csv", "--qi", "age,zip", "--name", "raw"]
    ends(0, *add)
    looked_up = ends(0, "register", "locate", "releases.duckdb", "--targets", "voters.csv", "--id", "name")
    assert looked_up.stdout.splitlines()[1:] == [f"Ann,1,raw,out,{folder / 'people.csv'},1,4"]
    (folder / "voters.csv").write_text("name,zip,seen\nAnn,a,1\nAnn,a,2\nAnn,none,3\n")  # several rows
    looked_up = ends(0, "register", "locate", "releases.duckdb", "--targets", "voters.csv", "--id", "name")
    assert looked_up.stdout.splitlines()[1:] == [f"Ann,1,raw,out,{folder / 'people.csv'},1,4"]


@pytest.mark.slow("1 s")
def test_somebody_in_a_file_of_the_policys_formats(folder: Path) -> None:
    """The last policy in the register says how dates are written, as for an audit."""
    rows = "".join(f"p{i},{11 + i % 2}.03.19{70 + i},{['flu', 'gout'][i % 2]}\n" for i in range(8))
    (folder / "people.csv").write_text(f"name,born,disease\n{rows}")
    dated = POLICY.replace('["age", "zip"]', '["born"]') + "[input]\ntypes = {born = 'date %d.%m.%Y'}\n"
    (folder / "policy.toml").write_text(dated + "[hierarchies.born]\nbuilder = 'date'\nunits = ['decade']\n")
    ends(0, *PUBLISH, "-o", "a.csv", "--attacks", "homogeneity")
    looked_up = ends(0, "register", "locate", "releases.duckdb", "--targets", "people.csv", "--id", "name")
    assert len(looked_up.stdout.splitlines()) == 9


@pytest.mark.slow("2 s")
def test_what_is_not_known_can_be_accepted_by_the_name_that_is_told(folder: Path) -> None:
    """linking does not take people with several rows."""
    head, *rows = PEOPLE.splitlines()
    named = [f"name,{head}", *(f"p{number},{row}" for number, row in enumerate(rows))]
    (folder / "people.csv").write_text("\n".join(named))
    policy = POLICY.replace("homogeneity", "linking").replace("[roles]", "[roles]\nunit = 'name'")
    (folder / "policy.toml").write_text(policy)
    result = ends(1, *PUBLISH, "-o", "a.csv", "--attacks", "linking")
    assert result.stderr.splitlines()[-2:] == [
        "what is not known can be accepted by its name, with a reason: --accept linking.certain='...'",
        "not known: a.csv is not out",
    ]
    ends(0, *PUBLISH, "-o", "a.csv", "--attacks", "linking", "--accept", "linking.certain=rows are people")


@pytest.mark.slow("0.6 s")
def test_what_is_refused_is_told_with_its_numbers(folder: Path) -> None:
    (folder / "policy.toml").write_text(POLICY.replace("l = 2\n", "").replace("certain", "sure_90"))
    (folder / "people.csv").write_text(PEOPLE.replace("cold", "flu"))
    result = ends(1, *PUBLISH, "-o", "a.csv", "--attacks", "homogeneity")
    assert "homogeneity,sure_90,[a],disease,100.0,%,8,,0.0,fails," in result.stdout
    *_, why, helps, what = result.stderr.splitlines()
    assert why == "fails: homogeneity.sure_90 of disease on a: 8 (100 %); 0 is tolerated"
    assert what == "fails: a.csv is not out"
    assert helps.startswith("--remedies 120 tries changes of the policy on this table for 120 seconds")
    in_words = ends(1, *PUBLISH, "-o", "a.csv", "--attacks", "homogeneity", "--format", "table").stdout
    assert in_words.splitlines()[:2] == [
        "Of 1 bound none holds, 1 fails.",
        "8 people (100 %) are such that an adversary is 90 % sure of their disease, by a: you allow none.",
    ]
    assert max(map(len, in_words.splitlines()[3:])) <= 80
    assert not (folder / "a.csv").exists()


def test_without_bounds_some_are_proposed(folder: Path) -> None:
    (folder / "policy.toml").write_text(POLICY.partition("[tolerated")[0])
    result = ends(2, *PUBLISH, "-o", "a.csv")
    error, _, proposed = result.stderr.partition("\n")
    assert error.startswith("error: policy.toml: tolerated is empty")
    assert not result.stdout
    assert tomllib.loads(proposed)["tolerated"] == {"level": "public"}
    assert "# linking.certain = 0 " in proposed


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["releases", "releases.duckdb"], "there is no register releases.duckdb"),
        (["releases", "people.csv"], "people.csv is damaged, or no DuckDB file"),
        (["audit", "releases.duckdb", "--targets", "people.csv"], "there is no register releases.duckdb"),
        (["audit", "releases.duckdb", "--language", "fr"], "--language fr needs -o FILE"),
        (["register", "withdraw", "releases.duckdb", "a"], "there is no register releases.duckdb"),
        (["register", "add", "releases.duckdb", "no.csv", "--qi", "age"], "there is no file no.csv"),
        (
            ["register", "add", "no/r.duckdb", "people.csv", "--qi", "age"],
            "there is no folder no to write r.",
        ),
        (["anonymize", "people.csv", "--policy", "aware.toml"], "aware.toml: requirements.known = "),
        ([*PUBLISH, "-o", "a.csv", "--wait", "-1"], "Invalid value for '--wait'"),
    ],
)
def test_wrong_use(folder: Path, command: list[str], message: str) -> None:
    aware = POLICY.replace("l = 2", 'l = 2\nknown = "register"\ncomposed_l = 2')
    (folder / "aware.toml").write_text(aware)
    result = run(*command)
    assert result.exit_code in (2, 3)
    assert message in result.stderr
