"""Text files without a header, and with texts that stand for a missing value."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import ClassVar

import openpyxl
import pytest

from tests.cli.test_cli import folder as folder  # a fixture
from tests.cli.test_cli import ok, refused, rows, run

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


@pytest.mark.slow("2 s")
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
    assert "looks like data" not in run("init", "--seconds", "0", "people.csv").stderr


@pytest.mark.slow("1.0 s")
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


@pytest.mark.slow("1.2 s")
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


@pytest.mark.slow("2.1 s")
def test_a_policy_says_it_and_init_writes_it(raw: Path) -> None:
    text = ok("init", "--seconds", "0", "raw.csv", "--names", NAMES)
    repaired = {"names": NAMES.split(","), "missing": ["?"], "trim": ["town"]}
    assert tomllib.loads(text)["input"] == repaired
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


@pytest.mark.slow("0.5 s")
def test_what_json_says_may_be_missing_too(folder: Path) -> None:
    people = [{"zip": each, "age": i % 3} for i, each in enumerate(["?", "a", "a", " ? "])]
    (folder / "people.json").write_text(json.dumps(people), "utf-8")
    command = ("check", "people.json", "--missing", "?", "--qi", "zip", "--k", "3", "--format", "json")
    found = run(*command).stdout
    assert sorted(str(row["class"]) for row in json.loads(found)) == ["{'zip': 'a'}", "{'zip': None}"]
    assert tomllib.loads(ok("init", "--seconds", "0", "people.json"))["input"] == {"missing": ["?"]}


@pytest.mark.parametrize("values", [["-9", "NA", "x"], ["none", "unknown", "-"]])
def test_init_takes_only_what_is_surely_missing(folder: Path, values: list[str]) -> None:
    lines = [f"{value},{i % 2}" for i, value in enumerate(values * 4)]
    (folder / "people.csv").write_text("\n".join(["area,sex", *lines]), "utf-8")
    surely = {"missing": ["NA"]} if "NA" in values else {}
    assert tomllib.loads(ok("init", "--seconds", "0", "people.csv")).get("input", {}) == surely


class TestOtherWaysToWrite:
    """Dates and numbers as a hospital in Germany exports them, in the encoding of its machines."""

    HEADER = "patient;geburt;plz;kosten;diagnose"
    LINES: ClassVar = [
        f"{i};{i % 27 + 1}.0{i % 3 + 1}.19{60 + i};80{i % 2}31;1.{100 + i},5;{('Grippe', 'Müdigkeit')[i % 2]}"
        for i in range(20)
    ]
    TYPES = "geburt=date %d.%m.%Y,kosten=double 1.234,5"

    @pytest.fixture(params=["windows-1252", "utf-16"])
    def clinic(self, folder: Path, request: pytest.FixtureRequest) -> Path:
        text = "\n".join([self.HEADER, *self.LINES]) + "\n"
        (folder / "clinic.csv").write_text(text, request.param)
        return folder

    @pytest.mark.slow("1 s a case")
    def test_what_is_said_is_read(self, clinic: Path) -> None:
        command = ("anonymize", "clinic.csv", "--qi", "geburt", "--sensitive", "diagnose", "--keep", "kosten",
                   "--types", self.TYPES, "--k", "10", "--seed", "1")  # fmt: skip
        result = run(*command)
        assert result.exit_code == 0, result.stderr
        assert rows(result.stdout)["[1960-01-01, 1969-01-10]", "Grippe", "1.100,5"] == 1
        assert rows(result.stdout)["[1970-02-11, 1979-02-20]", "Müdigkeit", "1.119,5"] == 1
        assert "looks like" not in result.stderr
        printed = ok(*command, "--sql")
        assert "sqlanon._formatted_time(c2, '%d.%m.%Y')" in printed
        assert "utf_8" not in printed  # the file that is read here is gone

    def test_what_is_not_said_is_noticed(self, clinic: Path) -> None:
        told = run("check", "clinic.csv", "--qi", "geburt,kosten").stderr
        assert (
            "clinic.csv: geburt is read as text, whose values have no ranges. It looks like a date: " in told
        )
        assert "--types geburt='date %d.%m.%Y' reads " in told
        assert "or --types geburt=" not in told
        assert "--types kosten='double 1.234,5' reads " in told
        assert "1.100,5 as 1100.5" in told

    def test_numbers_with_a_unit_are_noticed_and_a_file_without_it_is_read(self, folder: Path) -> None:
        Path("ages.csv").write_text("age\n34 ans\n34 ans\n35 ans\n35 ans\n")
        said = "It looks like an integer: --types age='integer 1234 ans' reads 34 ans as 34, 35 ans as 35"
        assert said in run("check", "ages.csv", "--qi", "age").stderr
        Path("plain.csv").write_text("age\n34\n34\n35\n35\n")
        for file in ("ages.csv", "plain.csv"):
            made = ok("anonymize", file, "--qi", "age", "--types", "age=integer 1234 ans", "--k", "3")
            assert made.splitlines()[1:] == ['"[34, 35]"'] * 4
        Path("amounts.csv").write_text("cost\n1.234\n850\n")  # is it 1234, or little more than 1?
        refused = run("check", "amounts.csv", "--qi", "cost", "--types", "cost=double 1.234,5 €")
        assert "is not of type double 1.234,5 €" in refused.stderr

    @pytest.mark.slow("half a second a case", but=(1,))
    def test_init_writes_what_there_is_one_way_to_read(self, clinic: Path) -> None:
        drafted = ok("init", "--seconds", "0", "clinic.csv")
        assert tomllib.loads(drafted)["input"]["types"] == {
            "geburt": "date %d.%m.%Y", "kosten": "double 1.234,5"
        }  # fmt: skip
        assert 'builder = "date"' in drafted

    def test_two_ways_are_told(self, folder: Path) -> None:
        lines = [f"{i % 12 + 1}/{i % 11 + 1}/1980" for i in range(20)]
        (folder / "days.csv").write_text("\n".join(["day", *lines]), "utf-8")
        result = run("init", "--seconds", "0", "days.csv")
        assert "--types day='date %d/%m/%Y' reads " in result.stderr
        assert ", or --types day='date %m/%d/%Y' reads " in result.stderr
        assert "input" not in tomllib.loads(result.stdout)

    @pytest.mark.slow("1 s")
    def test_days_that_are_written_as_midnights(self, folder: Path) -> None:
        """What leaves unchanged stays as it is."""
        lines = [f"2024-01-{i + 1:02} 00:00:00,2024-01-{i + 1:02} 00:00:00" for i in range(4)]
        (folder / "days.csv").write_text("\n".join(["seen,kept", *lines]), "utf-8")
        out = ok("anonymize", "days.csv", "--qi", "seen", "--keep", "kept", "--k", "2", "--seed", "1")
        assert rows(out)["[2024-01-01, 2024-01-02]", "2024-01-02 00:00:00"] == 1
        (folder / "days.csv").write_text("\n".join(["seen,kept", *lines, "2024-01-05 10:00:00,"]), "utf-8")
        out = ok("anonymize", "days.csv", "--qi", "seen", "--k", "5")
        assert rows(out)["[2024-01-01 00:00:00, 2024-01-05 10:00:00]",] == 5

    @pytest.mark.slow("1 s")
    def test_an_attack_reads_the_unit_as_the_policy_says(self, folder: Path) -> None:
        """The names of its columns and its encoding: whoever has several rows is counted once."""
        lines = [f"{i},{i // 2},{20 + i},{'grün' if i % 3 else 'rot'}" for i in range(12)]
        (folder / "stays.csv").write_bytes("\n".join(lines).encode("cp1252"))
        (folder / "policy.toml").write_text(
            """
            [input]
            encoding = "windows-1252"
            names = ["stay", "patient", "age", "color"]
            [roles]
            qi = ["age"]
            sensitive = ["color"]
            unit = "patient"
            [requirements]
            k = 2
            """
        )
        ok("anonymize", "stays.csv", "--policy", "policy.toml", "-o", "out.csv")
        attack = ("attack", "out.csv", "--targets", "stays.csv", "--policy", "policy.toml", "--id", "stay")
        made = run(*attack, "--summary", "--format", "csv")
        assert "UTF-8" not in made.stderr
        assert "color,targets,6.0,people" in made.stdout

    @pytest.mark.slow("3 s")
    def test_many_texts_without_a_hierarchy_are_told(self, folder: Path) -> None:
        lines = [f"{80000 + 7 * i}A,{i % 3}" for i in range(30)]
        (folder / "towns.csv").write_text("\n".join(["plz,ward", *lines]), "utf-8")
        told = run("anonymize", "towns.csv", "--qi", "plz,ward", "--k", "5").stderr
        assert (
            "towns.csv: plz has 30 different texts and no hierarchy, so it is released as sets of them. A "
            "hierarchy says what they have in common; of codes whose first characters do: [hierarchies.plz] "
            'builder = "mask" in a policy' in told
        )
        assert "ward has" not in told
        frontier = ("frontier", "towns.csv", "--qi", "plz", "--k", "5", "--method")
        assert "different texts" in run(*frontier, "mondrian").stderr
        assert "different texts" not in run(*frontier, "optimal").stderr
        (folder / "plz.csv").write_text("\n".join(f"{80000 + 7 * i}A;80*;*" for i in range(30)), "utf-8")
        told = run("anonymize", "towns.csv", "--qi", "plz", "--k", "5", "--hierarchy", "plz=plz.csv").stderr
        assert "different texts" not in told
        levels = ("--method", "optimal", "--suppression-limit", "1")  # which has no sets
        told = run("anonymize", "towns.csv", "--qi", "plz", "--k", "5", *levels).stderr
        assert "different texts" not in told

    @pytest.mark.slow("half a second")
    def test_codes_are_no_numbers(self, folder: Path) -> None:
        (folder / "towns.csv").write_text("plz\n08031\n80331\n", "utf-8")
        assert "looks like" not in run("check", "towns.csv", "--qi", "plz").stderr
        assert "input" not in tomllib.loads(ok("init", "--seconds", "0", "towns.csv"))

    @pytest.mark.slow("1 s")
    def test_the_encoding(self, folder: Path) -> None:
        (folder / "towns.csv").write_text("town\nKöln\n", "windows-1252")
        assumed = run("check", "towns.csv", "--qi", "town", "--k", "2")
        assert "towns.csv is not UTF-8 text: it is read as windows-1252" in assumed.stderr
        assert "Köln" in assumed.stdout
        said = run("check", "towns.csv", "--qi", "town", "--k", "2", "--encoding", "cp850")
        assert "K÷ln" in said.stdout
        assert "not UTF-8" not in said.stderr
        (folder / "utf.csv").write_text("town\nKöln\nBonn\n", "utf-8")
        said = run("check", "utf.csv", "--qi", "town", "--k", "2", "--encoding", "windows-1252")
        assert "Köln" in said.stdout
        assert "utf.csv is UTF-8, and is read as such, not as windows-1252\n" in said.stderr
        wrong = refused(3, "check", "towns.csv", "--qi", "town", "--encoding", "ascii")
        assert "towns.csv is not ascii text" in wrong
        (folder / "towns.csv").write_bytes(b"town\nK\x81ln\n")  # not in windows-1252, either
        told = refused(3, "check", "towns.csv", "--qi", "town")
        assert "towns.csv, line 2: this is not UTF-8 text; say what it is: --encoding NAME" in told

    @pytest.mark.parametrize(
        ("said", "told"),
        [
            ("geburt=dat", "--types must be one of text, boolean, integer, double, date, time, timestamp, "),
            ("geburt=date d.m", "--types must have a format of strptime, such as date %d.%m.%Y, not date"),
            ("kosten=double 7,5", "must have 1234.5 as numbers are written there, such as double 1.234,5"),
            ("diagnose=text x", "--types must be text alone, not text x"),
        ],
    )  # fmt: skip
    def test_what_is_no_type(self, folder: Path, said: str, told: str) -> None:
        assert told in refused(2, "check", "people.csv", "--qi", "age", "--types", said)

    def test_a_value_that_is_not_of_it(self, clinic: Path) -> None:
        told = refused(3, "check", "clinic.csv", "--qi", "geburt", "--types", "geburt=date %m/%d/%Y")
        assert "column geburt, row 1: the value is not of type date %m/%d/%Y, nor are 19 others" in told
        assert "; as date %d.%m.%Y it can be read: types in [input] of a policy say so" in told


class TestSpreadsheets:
    def sheet(self, path: Path, rows: Sequence[Sequence[object]], others: Sequence[str] = ()) -> None:
        book = openpyxl.Workbook()
        assert book.active is not None
        for row in rows:
            book.active.append(row)
        for name in others:
            book.create_sheet(name).append(["of", name])
        book.save(path)

    ROWS: ClassVar[list[list[object]]] = [
        [], ["born", "zip", "cost", "seen"],
        *([datetime(1950 + i, 1, 2), f"0{i % 2}13", 1.5 * i, datetime(2024, 1, 1, 10, i)] for i in range(12)),
        [None, None, None, None],
    ]  # fmt: skip

    def test_a_sheet_is_read_as_a_csv_file(self, folder: Path) -> None:
        self.sheet(folder / "people.xlsx", self.ROWS)
        described = ok("init", "--seconds", "0", "people.xlsx")
        for line in ('"born",  # DATE, 12 distinct', '"zip",  # VARCHAR, 2 distinct',
                     '"cost",  # DOUBLE, 12 distinct', '"seen",  # TIMESTAMP, 12 distinct'):  # fmt: skip
            assert line in described
        assert "'people.csv'" in ok("anonymize", "people.xlsx", "--qi", "zip", "--k", "6", "--sql")

    def test_one_of_several_sheets(self, folder: Path) -> None:
        self.sheet(folder / "people.xlsx", self.ROWS, ["notes"])
        told = run("check", "people.xlsx", "--qi", "zip", "--k", "6").stderr
        assert "people.xlsx has 2 sheets, of which Sheet is read. Another one: people.xlsx::notes" in told
        assert run("check", "people.xlsx::notes", "--qi", "of", "--k", "2").exit_code == 3  # no rows
        wrong = refused(2, "check", "people.xlsx::note", "--qi", "of")
        assert "there is no sheet note in people.xlsx: it has Sheet, notes" in wrong

    @pytest.mark.slow("1 s")
    def test_a_release_as_a_sheet(self, folder: Path) -> None:
        """What leaves unchanged leaves as it is, also what looks like a formula."""
        self.sheet(folder / "people.xlsx", [["age", "note"], *([30 + i, f"=1+{i}"] for i in range(4))])
        book = openpyxl.load_workbook(folder / "people.xlsx")
        for row in book.worksheets[0].iter_rows(min_row=2, min_col=2):
            row[0].data_type = "s"
        book.save(folder / "people.xlsx")
        ok(
            "anonymize",
            "people.xlsx",
            "--qi",
            "age",
            "--keep",
            "note",
            "--k",
            "2",
            "--seed",
            "1",
            "-o",
            "out.xlsx",
        )
        [sheet] = openpyxl.load_workbook(folder / "out.xlsx").worksheets
        header, *released = sheet.iter_rows(values_only=True)
        assert header == ("age", "note")
        assert sorted(map(str, released)) == sorted(
            str((age, f"=1+{i}")) for i, age in enumerate(["[30, 31]", "[30, 31]", "[32, 33]", "[32, 33]"])
        )
        again = ("anonymize", "people.xlsx", "--qi", "age", "--k", "2", "-o", "out.xlsx")
        assert "out.xlsx exists" in refused(2, *again)
        assert "k = 2 holds" in run("check", "out.xlsx", "--qi", "age", "--k", "2").stderr

    def test_what_is_no_spreadsheet(self, folder: Path) -> None:
        (folder / "people.xlsx").write_text("age\n1\n", "utf-8")
        told = refused(3, "check", "people.xlsx", "--qi", "age")
        assert "people.xlsx cannot be read as a spreadsheet" in told


def test_texts_that_mean_that_there_is_none_are_noticed(raw: Path) -> None:
    told = run("check", "raw.csv", "--names", NAMES, "--qi", "town").stderr
    assert "raw.csv: town has ?, which is a value like others: --missing '?' reads it as missing" in told


@pytest.mark.slow("2 s")
def test_unknown_cells_of_targets_are_noticed(folder: Path) -> None:
    (folder / "out.csv").write_text("town,illness\nBonn,flu\n*,cold\n", "utf-8")
    (folder / "heard.csv").write_text("who,town\n1,Bonn\n2,?\n", "utf-8")
    attack = ("attack", "out.csv", "--targets", "heard.csv", "--id", "who", "--qi", "town",
              "--sensitive", "illness")  # fmt: skip
    told = "heard.csv: town has ?, which is a value like others: --unknown '?' says that nothing is known"
    assert told in run(*attack).stderr
    assert "which is a value like others" not in run(*attack, "--unknown", "?").stderr
    (folder / "heard.csv").write_text("who,town\n1,Bonn\n2, ?\n", "utf-8")
    assert "--unknown ' ?' says" in run(*attack, "--unknown", "?").stderr


@pytest.mark.parametrize(
    ("value", "word", "told"),
    [
        ("{}", "4e", True), ("{}", ">89", True), ("{}", "-", True), ("{}", ".", True), ("{}", "", False),
        ("{}", "[1, 9]", False), ("0{}.03.1970", "unbekannt", True), ("{}0,5", "keine", True),
        ("8033{}", "k.A.", True),
        ("0213{}", "none", False), ("{}a", "none", False), ("8033{}", "NA", False), ("8033{}", "*", False),
    ],
)  # fmt: skip
def test_words_among_numbers_are_told(folder: Path, value: str, word: str, told: bool) -> None:
    rows = [f'"{word if i == 7 else value.format(1 + i % 9)}",{"xyz"[i % 3]}' for i in range(30)]
    (folder / "words.csv").write_text("\n".join(["a,b", *rows]) + "\n", "utf-8")
    remarks = run("check", "words.csv", "--qi", "a", "--sensitive", "b", "--k", "1").stderr
    because = (
        f"words.csv: a is read as text, whose values have no ranges, because of {word} among its numbers"
    )
    assert (because in remarks) == told


def test_of_numbers_but_for_a_word_no_mask_is_proposed(folder: Path) -> None:
    rows = [f"{'4e' if i == 7 else 18 + i},x" for i in range(60)]
    (folder / "ages.csv").write_text("\n".join(["age,ill", *rows]) + "\n", "utf-8")
    told = run("anonymize", "ages.csv", "--qi", "age", "--sensitive", "ill", "--k", "2").stderr
    assert "because of 4e among its numbers" in told
    assert "60 different texts and no hierarchy" in told
    assert "mask" not in told


@pytest.mark.slow("half a second")
def test_times_with_an_offset_are_no_timestamps(folder: Path) -> None:
    """02:30+02:00 and 02:30+01:00 are an hour apart."""
    rows = [f"2026-10-25 02:30:00+0{1 + i % 2}:00,x" for i in range(30)]
    (folder / "times.csv").write_text("\n".join(["seen,ill", *rows]) + "\n", "utf-8")
    anonymize = ("anonymize", "times.csv", "--qi", "seen", "--sensitive", "ill", "--k", "2")
    assert "timestamp" not in run(*anonymize).stderr
    told = refused(3, *anonymize, "--types", "seen=timestamp")
    assert "row 1: the value is not of type timestamp, nor are 29 others (02:30+02:00 has an offset" in told


@pytest.mark.slow("1 s")
def test_nobody_is_born_after_today(folder: Path) -> None:
    rows = [f"{day:02}.09.67,x" for day in range(1, 13)]
    (folder / "born.csv").write_text("\n".join(["born,ill", *rows]) + "\n", "utf-8")
    anonymize = ("anonymize", "born.csv", "--qi", "born", "--sensitive", "ill", "--k", "2")
    found = re.search(
        r"--types born='(date %d.%m.%y from \d{4})' reads 01.09.67 as 1967", run(*anonymize).stderr
    )
    assert found
    assert "[1967-09-01, 1967-09-03]" in ok(*anonymize, "--types", f"born={found[1]}")
    told = refused(3, *anonymize, "--types", "born=date %d.%m.%y")
    assert "the date is after today, and so are 11 others. Say of which hundred years" in told
    wrong = refused(2, *anonymize, "--types", "born=date %d.%m.%Y from 1927")
    assert "must have years of two digits (%y)" in wrong


COUNTS = "zip,disease,n,standard_deviation\nz1,flu,9,1.5\nz1,gout,-1,1.5\n"
BY_QI = ("--qi", "zip")
OF_ALICE = ("--targets", "alice.csv", "--id", "name", *BY_QI, "--sensitive", "disease")


@pytest.mark.slow("half a second a case", but=(0, 1, 2, 4, 5, 6))
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


@pytest.mark.slow("1 s")
def test_a_type_of_a_column_that_has_no_role_and_is_gone(folder: Path) -> None:
    """The next month's file lacks it, which changes nothing; unless it may be a misspelt column of a role."""
    (folder / "month.csv").write_text("age,fee eur\n" + "20,3\n" * 3, "utf-8")
    policy = '[roles]\nqi = ["age"]\n[requirements]\nk = 2\n[input]\ntypes = {NAME = "integer"}\n'
    (folder / "policy.toml").write_text(policy.replace("NAME", "fee"), "utf-8")
    told = run("anonymize", "month.csv", "--policy", "policy.toml").stderr
    assert "month.csv: there is no column fee, which input.types names; it is in no role" in told
    (folder / "policy.toml").write_text(policy.replace("NAME", "agee"), "utf-8")
    told = refused(2, "anonymize", "month.csv", "--policy", "policy.toml")
    assert "input.types: there is no column agee in month.csv; did you mean age?" in told
    told = refused(2, "check", "month.csv", "--qi", "age", "--quiet")
    assert "--quiet goes before the command: sqlanon --quiet ..." in told
