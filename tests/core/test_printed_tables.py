"""What is read of a text file with a table as an office prints it."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import pytest

from sqlanon.core.errors import InputError, UseError
from sqlanon.core.files import check_output, place
from sqlanon.core.printed_tables import write_csv
from sqlanon.core.text_files import Printed

SEXES = Printed(["ward", "sex"], ["n"], ["total"])
WARDS = Printed(["ward"], ["n"], ["total"])
BODY = ["ward,sex,n", "A,f,5", "A,m,*", "A,total,9"]


def read(
    folder: Path,
    lines: list[str],
    printed: Printed = SEXES,
    padded: bool = False,
    names: Sequence[str] = (),
) -> tuple[list[str], list[str]] | None:
    """The lines of the table, and what is told; None if the file is read as it is."""
    given, written = folder / "given.csv", folder / "written.csv"
    given.write_text("\n".join(lines) + "\n", "utf-8")
    told = write_csv(given, "uncompressed", "t.csv", None, names, printed, padded, written)
    return None if told is None else (written.read_text("utf-8").splitlines(), told)


@pytest.mark.parametrize(
    ("before", "behind", "told"),
    [
        (["Deaths by ward"], [], ["1 line before the header is left out (line 1: Deaths by ward)"]),
        (["Deaths by ward, 2025", "in thousands", ""], [],
         ["2 lines before the header are left out (lines 1 to 2: Deaths by ward 2025 ... in thousands)"]),
        (["Deaths,,", ",,"], [], ["1 line before the header is left out (line 1: Deaths)"]),
        ([], ["Source: ONS"], ["1 line behind the table is left out (line 5: Source: ONS)"]),
        ([], ["", "Some words,,", "Others,,"], ["2 lines behind the table are left out (lines 6 to 7: "
                                              "Some words ... Others)"]),
        ([], ["Figures of 2025,,"], ["1 line behind the table is left out (line 5: Figures of 2025)"]),
        ([], ["---", "B,f", "more"],
         ["3 lines behind the table are left out (lines 5 to 7: --- ... more)"]),
    ],
)  # fmt: skip
def test_titles_and_notes(tmp_path: Path, before: list[str], behind: list[str], told: list[str]) -> None:
    """The table is what is left, and each line that is not in it is counted."""
    found = read(tmp_path, [*before, *BODY, *behind])
    assert found == (BODY, [f"t.csv: {each}" for each in told])


@pytest.mark.parametrize(
    ("lines", "printed"),
    [
        (BODY, SEXES),
        (["ward,n", "A,5", "B,"], WARDS),  # a hidden cell, not a note
        (["ward,n,rate", "A,5,1", "B,,"], WARDS),
        (["ward,sex,n", "A,f,5", "A,,", ",,5"], Printed(["ward", "sex"], ["n"], [""])),  # blank totals
        (["n,ward", "5,A", "9,total"], WARDS),
        (["ward,n", "1. Infections,5", "2. Other,9"], WARDS),
        (["ward,sex,n", "A,f,5", "B,"], Printed(["ward", "sex"], ["n"], ["total"], needs_total=True)),
    ],
)
def test_a_file_that_is_a_table(tmp_path: Path, lines: list[str], printed: Printed) -> None:
    assert read(tmp_path, lines, printed) is None


@pytest.mark.parametrize(
    ("lines", "printed", "told"),
    [
        ([*BODY[:2], "A,m", *BODY[3:], "B,f,1"], SEXES, "t.csv, line 3: 2 fields, the header has 3"),
        ([*BODY, "A,f"], SEXES, "t.csv, line 5: 2 fields, the header has 3"),  # cut off
        ([*BODY, "B,f,1,7"], SEXES, "t.csv, line 5: 4 fields, the header has 3"),
        (["ward,sex,n", "A,f,5", "---", "B,f,7", "total,f,12"], SEXES, "line 3: 1 fields, the header has 3"),
        ([*BODY[:1], "Region North,,", *BODY[1:]], SEXES,
         "t.csv, line 2 has nothing but 'Region North': if it is a heading"),
        (["title", "ward,ward,n", "A,B,5", "A,total,5"], WARDS, "two columns ward"),
    ],
)  # fmt: skip
def test_a_line_that_nobody_can_place(tmp_path: Path, lines: list[str], printed: Printed, told: str) -> None:
    with pytest.raises(InputError) as error:
        read(tmp_path, lines, printed)
    assert told in str(error.value)
    assert not (tmp_path / "written.csv").exists()


def test_padded_columns(tmp_path: Path) -> None:
    """Blanks that align columns belong to no value, also behind quotes, and in a file without a header."""
    lines = ['"A"    ;"f"  ;   5', '"A"    ;"total";   5', "total  ;total ;   5"]
    assert read(tmp_path, lines, padded=True, names=("ward", "sex", "n")) == (
        ["A,f,5", "A,total,5", "total,total,5"], []
    )  # fmt: skip
    assert read(tmp_path, ["ward \tn ", "A \t 5 ", "total\t5"], WARDS, padded=True) == (
        ["ward,n", "A,5", "total,5"], []
    )  # fmt: skip


def test_no_row_is_lost(tmp_path: Path) -> None:
    """Of a thousand rows with titles and notes all are read, also those with commas and lines in quotes."""
    rows = [[f"ward {i}, of\n{i % 7}", "f", str(i)] for i in range(1000)]
    given = tmp_path / "given.csv"
    with given.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["Title"], ["ward", "sex", "n"], *rows, [], ["Note: x"]])
    written = tmp_path / "written.csv"
    told = write_csv(given, "uncompressed", "t", None, (), SEXES, False, written)
    assert told == [
        "t: 1 line before the header is left out (line 1: Title)",
        "t: 1 line behind the table is left out (line 2004: Note: x)",
    ]
    with written.open(encoding="utf-8", newline="") as file:
        assert [*csv.reader(file)] == [["ward", "sex", "n"], *rows]


@pytest.mark.parametrize("name", ["cells.tab", "cells.TXT", "cells.txt.gz"])
def test_what_is_between_fields_is_not_known_of_an_output(tmp_path: Path, name: str) -> None:
    with pytest.raises(UseError, match="is not a file that can be written: name a"):
        check_output(place(str(tmp_path / name)), True)
