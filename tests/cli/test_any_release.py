"""Measures of releases of any kind on the command line: what the functions say, and what is wrong."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import duckdb
import pytest
from typer.testing import CliRunner

import sqlanon
from sqlanon.cli import app

EVERYBODY = """id,age,zip,disease,out
1,20,01,flu,false
2,31,02,gout,false
3,,03,flu,false
4,55,01,none,false
5,25,01,flu,true
6,39,02,none,true
7,48,03,,true
8,60,01,flu,true
"""
VISITS = "who,place\nann,inn\nann,zoo\nbob,inn\nbob,zoo\ncat,spa\n"
FILES = {
    "everybody.csv": EVERYBODY,
    "original.csv": "\n".join(EVERYBODY.splitlines()[:5]),
    "others.csv": "\n".join([EVERYBODY.splitlines()[0], *EVERYBODY.splitlines()[5:]]),
    "release.csv": "age,zip,disease\n20,01,flu\n33,02,gout\n,03,flu\n58,01,none\n",
    "counts.csv": "zip,n\n01,2\n02,1\n03,1\n",
    "visits.csv": VISITS, "empty.csv": "age,zip,disease\n",
    "ages.csv": "age,n\ntwenty,1\n?,1\n33,2\n",
    "spelled.csv": "age,zip,disease\ntwenty,01,flu\n?,02,gout\n33,03,flu\n58,01,none\n",
    "ranges.csv": 'age,zip,disease\n"[20, 39]",01,flu\n"[20, 39]",02,gout\n',
}  # fmt: skip
MEMBERSHIP = ["--targets", "everybody.csv", "--id", "id", "--controls", "out"]
BY_AGE = [*MEMBERSHIP, "--marginal", "age", "--count-column", "n", "--reference", "others.csv"]
CLOSEST = ["closest-records", "original.csv", "spelled.csv"]
ATTACK = ["attack", "spelled.csv", "--kind"]
COUNTS = [*MEMBERSHIP, "--marginal", "zip", "--count-column", "n", "--reference", "others.csv"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text, "utf-8")
    return tmp_path


def lines(*arguments: str) -> list[list[str]]:
    result = CliRunner().invoke(app.app, [*arguments, "--format", "csv"])
    assert result.exit_code == 0, result.stderr
    return list(csv.reader(io.StringIO(result.stdout)))


@pytest.mark.slow("4 s")
def test_they_print_what_the_functions_say(folder: Path) -> None:
    known = ["age", "zip", "disease"]
    with duckdb.connect() as con:
        sqlanon.register(con)
        for name in FILES:
            table = name.partition(".")[0]
            con.execute(
                f"create table {table} as from read_csv('{name}', types = {{'zip': 'varchar'}})"
                if "zip" in FILES[name] else f"create table {table} as from read_csv('{name}')"
            ).fetchall()  # fmt: skip
        said = {
            "membership": (
                ["release.csv", *MEMBERSHIP, "--columns", ",".join(known)],
                sqlanon.membership(con, "release", "everybody", "id", known, controls="out"),
            ),
            "membership-by-counts": (
                ["counts.csv", *COUNTS],
                sqlanon.membership_by_counts(
                    con, ["counts"], "everybody", "id", [["zip"]], "n", controls="out", reference="others"
                ),
            ),
            "closest-records": (
                ["original.csv", "release.csv", "--held-out", "others.csv", "--columns", ",".join(known)],
                sqlanon.closest_records(con, "release", "original", "others", known),
            ),
            "agreeing-rows": (
                ["original.csv", "release.csv", "--columns", "zip,age", "--sensitive", "disease"],
                sqlanon.agreeing_rows(con, "original", "release", ["zip", "age"], "disease"),
            ),
            "utility-of-synthetic": (
                ["original.csv", "release.csv", "--columns", "zip,disease"],
                sqlanon.utility_of_synthetic(con, "original", "release", ["zip", "disease"]),
            ),
            "unicity": (
                ["visits.csv", "--unit", "who", "--columns", "place"],
                sqlanon.unicity(con, "visits", "who", "place"),
            ),
        }  # fmt: skip
        for command, (arguments, answer) in said.items():
            head, *rows = lines(command, *arguments)
            assert head == answer.columns
            assert rows == [
                ["" if value is None else str(value) for value in row] for row in answer.fetchall()
            ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["membership", "release.csv", *MEMBERSHIP, "--columns", "age,sex"], "no column sex in release.csv"),
        (["membership", "release.csv", *MEMBERSHIP[:-1], "outt", "--columns", "age"], "outt"),
        (["membership", "empty.csv", *MEMBERSHIP, "--columns", "age"], "is empty: it has 0 rows"),
        (["membership-by-counts", "counts.csv", *COUNTS, "--marginal", "age"], "there are 1 releases, and 2"),
        (["membership-by-counts", "release.csv", *COUNTS], "no column n in release.csv"),
        (
            ["closest-records", "original.csv", "visits.csv", "--held-out", "others.csv", "--columns", "age"],
            "no column age in visits.csv",
        ),
        (
            ["closest-records", "original.csv", "ranges.csv", "--held-out", "others.csv", "--columns", "age"],
            'column age of "ranges.csv" has labels, such as [20, 39]',
        ),
        (["agreeing-rows", "original.csv", "release.csv", "--columns", "age", "--sensitive", "age"], "age"),
        (
            [*ATTACK, "singling-out", *MEMBERSHIP, "--set", "columns=age,sex"],
            "--set columns: there is no column sex in spelled.csv",
        ),
        (["unicity", "visits.csv", "--unit", "whom", "--columns", "place"], "no column whom in visits.csv"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_in_a_line(folder: Path, arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(app.app, arguments)
    assert result.exit_code in (2, 3)
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.slow("1 s a case", but=(4,))
@pytest.mark.parametrize(
    ("command", "code"),
    [
        (["membership", "spelled.csv", *MEMBERSHIP, "--columns", "age,zip"], 0),
        ([*CLOSEST, "--held-out", "others.csv", "--columns", "age"], 0),
        ([*ATTACK, "nearest_linkage", *MEMBERSHIP, "--set", "here=age", "--set", "there=zip"], 0),
        ([*ATTACK, "singling-out", *MEMBERSHIP, "--set", "columns=age,zip"], 3),
        (["membership-by-counts", "ages.csv", *BY_AGE], 0),
    ],
)  # fmt: skip
def test_values_that_nobody_understands_are_told(folder: Path, command: list[str], code: int) -> None:
    """They are equal to nobody's: that nothing is found is no all-clear."""
    result = CliRunner().invoke(app.app, command)
    assert result.exit_code == code, result.stderr
    told = f"{command[2 if command[0] == 'closest-records' else 1]}: nobody understands 2 of its values"
    assert f"{told}, in 2 cells, such as ? in age" in result.stderr
    assert ("no all-clear" in result.stderr) == (code == 3)


@pytest.mark.slow("1 s")
def test_of_whom_nobody_knows_whether_they_are_controls_is_told(folder: Path) -> None:
    Path("half.csv").write_text(EVERYBODY.replace("none,true", "none,").replace(",,true", ",,"), "utf-8")
    Path("nobody.csv").write_text(EVERYBODY.replace("true", "false"), "utf-8")

    def told(kind: str, targets: str) -> str:
        of_kind = [] if kind == "membership" else ["--kind", kind]
        columns = ["--set", "columns=age"] if of_kind else ["--columns", "age"]
        command = ["attack" if of_kind else kind, "release.csv", *of_kind, "--targets", targets, "--id", "id"]
        result = CliRunner().invoke(app.app, [*command, "--controls", "out", *columns])
        assert result.exit_code == 0, result.stderr
        return result.stderr

    unknown = "half.csv: out is empty in 2 rows, of people who count as being in"
    assert unknown in told("membership", "half.csv")
    assert unknown in told("singling_out", "half.csv")
    assert "nobody.csv: out is true for nobody" in told("singling_out", "nobody.csv")


def test_two_rows_of_one_person_hide_nobody(folder: Path) -> None:
    """Numbered rows would be people: nobody would be alone with two rows that are alike."""
    known = ["--targets", "visits.csv", "--id", "who", "--set", "columns=place"]
    result = CliRunner().invoke(app.app, ["attack", "visits.csv", "--kind", "singling-out", *known])
    assert result.exit_code == 3
    assert "visits.csv: who repeats, and singling_out compares people with each other" in result.stderr
