"""The examples that the help of commands ends with, run in their order."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sqlanon.cli import app
from sqlanon.cli.app import COMMANDS, GROUPS, imported
from sqlanon.cli.examples import EXAMPLES, TOPICS, examples_of
from tests.budget import tries_all

PEOPLE = """name,age,zip,sex,disease
Ann,21,13053,f,flu
Bob,23,13068,m,gout
Cem,25,13053,m,flu
Dot,27,13068,f,asthma
Eve,31,14850,f,flu
Fay,33,14853,f,cancer
Gus,35,14850,m,gout
Hal,37,14853,m,flu
"""
APRIL = """age,zip,disease
"[20, 29]","[13053, 13068]",flu
"[20, 29]","[13053, 13068]",gout
"[20, 29]","[13053, 13068]",flu
"[20, 29]","[13053, 13068]",asthma
"""
OTHERS = """name,age,zip,sex,disease
Ida,22,13053,f,flu
Jon,29,13068,m,cancer
"""
EVERYBODY = "\n".join(
    [PEOPLE.splitlines()[0] + ",held_out"]
    + [f"{row},false" for row in PEOPLE.splitlines()[1:]]
    + [f"{row},true" for row in OTHERS.splitlines()[1:]]
)
POLICY = """[roles]
qi = ["age", "zip"]
sensitive = ["disease"]
[requirements]
k = 2
[tolerated.intersection_attack]
pvp_100 = 100
[tolerated.background_knowledge]
certain = 100
[tolerated.skyline]
certain = 100
"""
ANSWERS = """[answers]
register = "register.duckdb"
release = "may"
table = "people"
[answers.dimensions]
age = {type = "integer"}
disease = {}
"""
# What waits for somebody, or takes minutes.
NOT_RUN = {"sqlanon app", "sqlanon app --port 8001", *EXAMPLES["reproduce"], "sqlanon demo"}


def test_every_command_has_two_and_is_in_a_group() -> None:
    assert COMMANDS.keys() == {name for names in GROUPS.values() for name in names}
    within = {f"{topic} {name}" for topic in TOPICS for name in imported(topic).commands}
    assert EXAMPLES.keys() == COMMANDS.keys() - set(TOPICS) | within
    assert all(line.startswith(f"sqlanon {name}") for name, lines in EXAMPLES.items() for line in lines)
    assert {len(lines) for lines in EXAMPLES.values()} == {2}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the examples read, in the current folder."""
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "people.csv": PEOPLE, "april.csv": APRIL, "confirmed.toml": POLICY,
        "answers.toml": ANSWERS, "key.txt": "0123456789abcdef\n",
        "zip3.csv": "zip3,population\n130,400000\n148,9000\n",
        "sexes.csv": "sex\nf\nm\n", "others.csv": OTHERS, "everybody.csv": EVERYBODY,
        "synthetic.csv": "age,zip,sex,disease\n22,13053,f,flu\n36,14850,m,gout\n",
        "visits.csv": "name,place,hour\nAnn,zoo,9\nAnn,inn,8\nBob,zoo,9\n",
        "by_sex.csv": "sex,n\nf,4\nm,4\n", "by_zip.csv": "zip,n\n13053,2\n13068,2\n14850,2\n14853,2\n",
        "theirs.csv": APRIL.replace("age,zip,disease", "alter,plz,illness"),
        "spellings.csv": "column,theirs,ours\ndisease,flu,flu\n",
        "keeping.toml": POLICY.replace("qi =", "identifier = ['name']\nqi =") + "[judge]\nkeep_people=true\n",
        "who.csv": "name,age,zip,disease\nAnn,21,13053,flu\n",
        "of_women.csv": "zip,n\n13053,1\n13068,1\n14850,1\n14853,1\n",
        "rounded.csv": "zip,sex,value\n13053,f,0\n13053,m,5\n13053,total,5\n",
        "values_of_sex.csv": "attribute,value\nsex,f\nsex,m\n",
        "values.csv": "attribute,value\nsex,f\nsex,m\nzip,13053\nzip,13068\nzip,14850\nzip,14853\n",
        "yes_or_no.csv": "name,old,rich\nAnn,true,false\nBob,false,false\nCem,true,true\n",
        "zips.csv": "attribute,value,level,label\n" + "\n".join(
            f"zip,{z},{level},{label}" for z in (13053, 13068, 14850, 14853)
            for level, label in enumerate([z, f"{z}"[:3] + "**", "*"])
        ),
        "ages.csv": "\n".join(f"{age};{age // 10}x;*" for age in range(21, 38, 2)),
    }.items():  # fmt: skip
        Path(name).write_text(text, "utf-8")
    Path("key.txt").chmod(0o600)


def run(lines: list[str]) -> None:
    """A check may fail, and an attack find somebody; nothing may be wrong."""
    wrong = []
    for line in lines:
        result = CliRunner().invoke(app.app, shlex.split(line)[1:])
        if result.exit_code not in (0, 1):
            wrong.append(f"{line}: {result.exit_code}: {result.stderr}")
    assert not wrong, "\n".join(wrong)


def of_topic(line: str) -> bool:
    return line.split()[1] in TOPICS


@pytest.mark.usefixtures("files")
def test_they_run() -> None:
    """The first of each command, but for topics, of which these are enough for the others to run."""
    of_topics = {*EXAMPLES["budget set"], *EXAMPLES["dp counts"][:1], *EXAMPLES["register add"][:1]}
    lines = [line for lines in EXAMPLES.values() for line in (lines if tries_all() else lines[:1])]
    run([line for line in lines if line not in NOT_RUN and (line in of_topics or not of_topic(line))])


@pytest.mark.slow("40 s")
@pytest.mark.usefixtures("files")
def test_those_of_topics_run() -> None:
    pytest.importorskip("opendp", reason="opendp is not installed")
    run([line for lines in EXAMPLES.values() for line in lines if of_topic(line)])


@pytest.mark.parametrize("name", [*EXAMPLES, *TOPICS])
def test_help_ends_with_them(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    text = CliRunner().invoke(app.app, [*name.split(), "--help"]).stdout
    assert len(examples_of(name)) == 2
    for line in examples_of(name):
        assert line in text


def test_what_is_needed_is_on_the_first_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    screen = CliRunner().invoke(app.app, ["anonymize", "--help"]).stdout.splitlines()[:24]
    for flag in ("INPUT", "--qi", "--sensitive", "--k ", "--output"):
        assert any(flag in line for line in screen), flag
