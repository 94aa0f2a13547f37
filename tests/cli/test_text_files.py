"""Text files without a header, and with texts that stand for a missing value."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from tests.cli.test_cli import folder as folder  # a fixture
from tests.cli.test_cli import ok, refused, rows, run

pytestmark = pytest.mark.current_line

# As in the UCI file of Adult: no header, a blank behind each comma, twice the same value in the first line.
LINES = [f"{20 + i % 4}, {'?' if i % 5 == 0 else 'town'}, 0, 0, {['flu', 'hiv'][i % 2]}" for i in range(40)]
NAMES = "age,town,gain,loss,disease"
LIKE_DATA = (
    "the first line looks like data, not like names, in 5 of 5 columns. If there is no header, give a name"
)


@pytest.fixture
def raw(folder: Path) -> Path:
    (folder / "raw.csv").write_text("\n".join(LINES) + "\n", "utf-8")
    return folder


def test_a_file_without_a_header_is_noticed(raw: Path) -> None:
    assert LIKE_DATA in refused(3, "check", "raw.csv", "--qi", "20")
    lines = [line.replace(" 0, 0,", f" {i}, 0,") for i, line in enumerate(LINES, 1)]
    (raw / "raw.csv").write_text("\n".join(lines) + "\n", "utf-8")
    for command in (("check", "raw.csv", "--qi", "20"), ("init", "raw.csv")):
        result = run(*command)
        assert result.exit_code == 0, result.stderr
        assert result.stderr.count(LIKE_DATA) == 1
        assert "town" not in result.stderr  # no data


@pytest.mark.parametrize(
    "text", ["age,zip\n1,2\n3,4\n", "name\nBob\nAda\n", "country,code\nAT,1\nDE,x\n", "a,1\nx,y\n"]
)
def test_what_looks_like_a_header_is_one(folder: Path, text: str) -> None:
    (folder / "people.csv").write_text(text, "utf-8")
    assert "looks like data" not in run("init", "people.csv").stderr


def test_names_and_missing_values(raw: Path) -> None:
    form = ("--names", NAMES, "--missing", "?,NA")
    found = run("check", "raw.csv", *form, "--qi", "town", "--k", "9", "--format", "json").stdout
    [violation] = json.loads(found)
    assert violation["class"] == {"town": None}
    assert violation["reached"] == 8
    out = ok("anonymize", "raw.csv", *form, "--qi", "town", "--keep", "age", "--k", "2")
    assert rows(out)["", "20"] == 2
    assert rows(out)["town", "age"] == 1
    assert sum(rows(out).values()) == 41
    printed = ok("anonymize", "raw.csv", *form, "--qi", "town", "--k", "2", "--sql")
    assert "'NA'" in printed
    assert "header := FALSE" in printed


def test_names_that_do_not_fit(raw: Path) -> None:
    told = "raw.csv has 5 columns, and 2 names are given for them"
    assert told in refused(2, "check", "raw.csv", "--names", "a,b", "--qi", "a")
    assert "--names has two columns a" in refused(3, "check", "raw.csv", "--names", "a,b,c,d,a", "--qi", "a")
    (raw / "people.csv").write_text("1,2,zip\n1,2,a\n", "utf-8")
    assert "header" not in run("check", "people.csv", "--names", "age,zip,town", "--qi", "zip").stderr
    (raw / "people.csv").write_text("age,zip\n1,2\n", "utf-8")
    assert "header" not in run("check", "people.csv", "--names", "zip,age", "--qi", "age").stderr
    result = run("check", "people.csv", "--names", "age,town", "--qi", "age")
    assert result.exit_code == 0
    assert "people.csv has a header: the names that are given for its columns are not used" in result.stderr


def test_a_policy_says_it_and_init_writes_it(raw: Path) -> None:
    text = ok("init", "raw.csv", "--names", NAMES)
    assert tomllib.loads(text)["input"] == {"names": NAMES.split(","), "missing": ["?"]}
    assert '"town",  # VARCHAR, 1 distinct, 20.0% NULL' in text
    policy = """
        [input]
        names = ["age", "town", "gain", "loss", "disease"]
        missing = ["?"]
        [roles]
        qi = ["age", "town"]
        sensitive = ["disease"]
        [requirements]
        k = 2
    """
    (raw / "policy.toml").write_text(policy, "utf-8")
    by_policy = ("--policy", "policy.toml")
    ok("anonymize", "raw.csv", *by_policy, "-o", "out.csv")
    assert "?" not in (raw / "out.csv").read_text("utf-8")
    assert ok("check", "out.csv", *by_policy) == "model,sensitive,required,reached,size,class,id\n"
    lost = rows(ok("utility", "raw.csv", "out.csv", *by_policy))
    assert lost["suppressed rows", "", "0.0", "%", "suppressed_rows"] == 1
    (raw / "targets.csv").write_text("\n".join(f"{line}, {i}" for i, line in enumerate(LINES)), "utf-8")
    attack = ("attack", "out.csv", "--targets", "targets.csv", "--id", "id", "--qi", "age,town")
    found = ok(*attack, "--sensitive", "disease", "--names", f"{NAMES},id", "--missing", "?", "--summary")
    assert [line.split(",")[2] for line in found.splitlines() if ",located in all releases," in line] == [
        "100.0"
    ]


def test_what_json_says_may_be_missing_too(folder: Path) -> None:
    people = [{"zip": each, "age": i % 3} for i, each in enumerate(["?", "a", "a", " ? "])]
    (folder / "people.json").write_text(json.dumps(people), "utf-8")
    command = ("check", "people.json", "--missing", "?", "--qi", "zip", "--k", "3", "--format", "json")
    found = run(*command).stdout
    assert sorted(str(row["class"]) for row in json.loads(found)) == ["{'zip': 'a'}", "{'zip': None}"]
    assert tomllib.loads(ok("init", "people.json"))["input"] == {"missing": ["?"]}


@pytest.mark.parametrize("values", [["-9", "NA", "x"], ["none", "unknown", "-"]])
def test_init_takes_only_what_is_surely_missing(folder: Path, values: list[str]) -> None:
    lines = [f"{value},{i % 2}" for i, value in enumerate(values * 4)]
    (folder / "people.csv").write_text("\n".join(["area,sex", *lines]), "utf-8")
    surely = {"input": {"missing": ["NA"]}} if "NA" in values else {}
    drafted = tomllib.loads(ok("init", "people.csv"))
    assert {name: drafted[name] for name in drafted if name == "input"} == surely


COUNTS = "zip,disease,n,standard_deviation\nz1,flu,9,1.5\nz1,gout,-1,1.5\n"
BY_QI = ("--qi", "zip")
OF_ALICE = ("--targets", "alice.csv", "--id", "name", *BY_QI, "--sensitive", "disease")


@pytest.mark.cases(0, 1, 3, 5)
@pytest.mark.parametrize(
    ("command", "is_told"),
    [
        (("check", "counts.csv", *BY_QI), True),
        (("risk", "counts.csv", *BY_QI), True),
        (("risk", "counts.csv", "--qi", "zip,n,standard_deviation"), False),
        (("attack", "counts.csv", *OF_ALICE), True),
        (("attack", "counts.csv", "--kind", "homogeneity", *BY_QI, "--sensitive", "disease"), True),
        (("attack", "counts.csv", "--kind", "all", *BY_QI, "--sensitive", "disease"), True),
        (
            ("attack", "counts.csv", "--kind", "noisy_counts_attack", *OF_ALICE, "--set", "count_column=n",
             "--set", "deviation_column=standard_deviation"),
            False,
        ),
    ],
)  # fmt: skip
def test_counts_that_are_read_as_rows_are_told(folder: Path, command: tuple[str, ...], is_told: bool) -> None:
    (folder / "counts.csv").write_text(COUNTS, "utf-8")
    (folder / "alice.csv").write_text("name,zip\nAlice,z1\n", "utf-8")
    done = run(*command)
    assert done.exit_code == 0, done.stderr
    assert done.stderr.count("counts.csv looks like counts with noise, and is read as rows") == is_told
