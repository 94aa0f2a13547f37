"""Tables as offices print them, each read by one command, or refused with what to type."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from tests.cli.test_cli import folder as folder  # a fixture
from tests.cli.test_cli import refused, run

pytest.importorskip("highspy", reason="the extra tables is not installed")


def printed(*command: str) -> tuple[dict[tuple[str, ...], tuple[str, str]], str]:
    """The bounds of hidden cells, and what is told."""
    made = run("table", "bounds", *command, "--format", "csv")
    assert made.exit_code == 0, made.stderr
    rows = [*csv.reader(io.StringIO(made.stdout))][1:]
    return {tuple(row[:-3]): (row[-3], row[-2]) for row in rows}, made.stderr


@pytest.mark.slow("1 s")
def test_tau_argus(folder: Path) -> None:
    """A .tab whose columns are aligned by blanks, without a header, and its .hrc; a mark of its own."""
    (folder / "regions.hrc").write_text("North\n@N1\n@N2\nSouth\n", "utf-8")
    rows = [
        ("N1", "f", "5"), ("N1", "m", "x"), ("N1", "Total", "-"), ("N2", "f", "6"), ("N2", "m", "7"),
        ("N2", "Total", "13"), ("North", "f", "11"), ("North", "m", "10"), ("North", "Total", "21"),
        ("South", "f", "4"), ("South", "m", "9"), ("South", "Total", "13"), ("Total", "f", "15"),
        ("Total", "m", "19"), ("Total", "Total", "34"),
    ]  # fmt: skip
    text = "\n".join(f'"{region}"{" " * (8 - len(region))}, "{sex}" ,{n:>6}' for region, sex, n in rows)
    (folder / "cells.tab").write_text(text, "utf-8")
    command = (
        "cells.tab", "--names", "region,sex,n", "--dimensions", "region,sex", "--value", "n", "--hierarchy",
        "region=regions.hrc", "--total", "Total",
    )  # fmt: skip
    assert refused(2, "table", "bounds", *command) == (
        "cells.tab: n has - in 1 of its rows, which means 0 in some tables and a hidden value in others: say "
        "--nil=- or --marks=-"
    )
    found, _ = printed(*command, "--marks", "-")
    assert found == {("N1", "m"): ("3.0", "3.0"), ("N1", "Total"): ("8.0", "8.0")}


def test_cdc_wonder(folder: Path) -> None:
    """Tabs, quotes, a column of notes, empty labels of totals, and lines about the query behind the table."""
    lines = [
        '"Notes"\t"State"\t"Sex"\tDeaths',
        '\t"Ohio"\t"Female"\t12',
        '\t"Ohio"\t"Male"\tSuppressed',
        '"Total"\t"Ohio"\t\t14',
        '\t"Utah"\t"Female"\t50',
        '\t"Utah"\t"Male"\t-',
        '"Total"\t"Utah"\t\t50',
        '"Total"\t\t\t64',
        '"---"',
        '"Dataset: Underlying Cause of Death, 1999-2020"',
        '"Query Parameters:"',
        '"---"',
        '"1. Suppressed: fewer than ten, says the office."',
    ]
    (folder / "deaths.txt").write_text("\n".join(lines), "utf-8")
    found, told = printed(
        "deaths.txt", "--dimensions", "state,sex", "--value", "deaths", "--total", "", "--nil", "-"
    )  # fmt: skip
    assert found == {("Ohio", "Male"): ("2.0", "2.0")}
    assert "deaths.txt: 5 lines behind the table are left out (lines 9 to 13: --- ... 1. Suppressed" in told


@pytest.mark.slow("1 s")
def test_a_wide_table(folder: Path) -> None:
    """Rows of titles, notes, a column for each category, and percentages in brackets."""
    lines = [
        "Table 3: people by ward,,,",
        ",,,",
        "Ward,flu,gout,All",
        "A,5 (62.5 %),[c],8 (100 %)",
        "B,1-4,7,9",
        "Total,*,*,17",
        "Source: a hospital,,,",
    ]
    (folder / "wide.csv").write_text("\n".join(lines), "utf-8")
    told = run("table", "bounds", "wide.csv", "--dimensions", "ward,diagnosis").stderr
    assert "--dimensions: there is no column diagnosis in wide.csv" in told
    assert "name these: --wide diagnosis=flu,gout,All" in told
    found, told = printed(
        "wide.csv", "--dimensions", "ward,diagnosis", "--wide", "diagnosis=flu,gout,All", "--total", "Total",
        "--total", "All",
    )  # fmt: skip
    assert found == {
        ("A", "gout"): ("3.0", "3.0"), ("B", "flu"): ("2.0", "2.0"), ("Total", "flu"): ("7.0", "7.0"),
        ("Total", "gout"): ("10.0", "10.0"),
    }  # fmt: skip
    assert "1 line before the header is left out (line 1: Table 3: people by ward)" in told
    assert "1 line behind the table is left out (line 7: Source: a hospital)" in told
    assert "value has numbers with something in brackets behind them (2), which is not read" in told


@pytest.mark.slow("2 s")
def test_counts_of_ones_own(folder: Path) -> None:
    """A table of counts with totals needs no column of contributors; rows of people are counted as before."""
    counts: dict[str, tuple[int, ...]] = {"A": (2, 9, 7), "B": (8, 6, 9), "C": (11, 8, 12)}
    counts["total"] = tuple(map(sum, zip(*counts.values(), strict=True)))
    diagnoses = ("flu", "gout", "asthma", "total")
    cells = [
        f"{ward},{diagnosis},{n}"
        for ward, of_ward in counts.items()
        for diagnosis, n in zip(diagnoses, (*of_ward, sum(of_ward)), strict=True)
    ]
    (folder / "own.csv").write_text("\n".join(["ward,d,value", *cells]), "utf-8")
    by = ("--dimensions", "ward,d", "--threshold", "3")
    made = run("table", "suppress", "own.csv", *by, "-o", "out.csv")
    assert made.exit_code == 0, made.stderr
    assert "own.csv has totals: value is read as the counts of its cells" in made.stderr
    assert "out.csv: 1 of 16 cells are hidden since they are unsafe, and 3 so that" in made.stderr
    wide = [f"{ward},{','.join(map(str, (*of_ward, sum(of_ward))))}" for ward, of_ward in counts.items()]
    (folder / "wide.csv").write_text("\n".join(["Title", "ward,flu,gout,asthma,total", *wide]), "utf-8")
    command = ("table", "unsafe", "wide.csv", *by, "--wide", "d=flu,gout,asthma,total")
    assert "error: --sql: wide.csv has more than a table in it" in run(*command, "--sql").stderr
    told = run("table", "unsafe", "wide.csv", "--dimensions", "ward", "--value", "n", "--zeros").stderr
    assert "--dimensions ward,category --wide category=flu,gout,asthma,total" in told
    unsafe = run(*command, "--format", "csv")
    assert unsafe.stdout.splitlines()[1:] == ["A,flu,minimum,2.0,3.0,"]
    (folder / "own.csv").write_text("\n".join(["ward,d,n", *cells, "Note: of 2025"]), "utf-8")
    told = run("table", "unsafe", "own.csv", *by).stderr
    assert "own.csv has totals (total), as a table of counts has: say which column has its counts" in told
    rounded = run("table", "round", "own.csv", "--dimensions", "ward,d", "--value", "n", "--base", "5")
    assert rounded.exit_code == 0, rounded.stderr
    assert "1 line behind the table is left out (line 18: Note: of 2025)" in rounded.stderr
    assert "total,total,70" in rounded.stdout
    (folder / "own.csv").write_text("\n".join(["ward,d,n", *cells]).replace(",2\n", ",*\n"), "utf-8")
    assert "has 1 values that are no whole number of at least 0, such as *" in refused(
        3, "table", "unsafe", "own.csv", *by, "--value", "n"
    )
    (folder / "own.csv").write_text("\n".join(["ward,d,value", *cells]).replace("total", "Total"), "utf-8")
    assert "own.csv has Total among its labels, and no two rows of one cell: of a table of counts say " in (
        refused(2, "table", "unsafe", "own.csv", *by)
    )
    (folder / "parts.csv").write_text("ward,value\nA,2\nB,9\n", "utf-8")
    told = run("table", "unsafe", "parts.csv", "--dimensions", "ward", "--threshold", "1").stderr
    assert "its rows are counted, and no two are of one cell; of a table of counts say --value value" in told
    assert "leave out --measure and --unit" in refused(
        2, "table", "unsafe", "own.csv", *by, "--value", "value", "--unit", "ward"
    )


@pytest.mark.slow("1 s")
def test_several_tables_of_offices(folder: Path) -> None:
    """One is wide, the other has a note, and totals are called otherwise in each."""
    (folder / "all.csv").write_text("People\nward,f,m,all\nA,5,9,14\nB,8,7,15\n", "utf-8")
    (folder / "old.csv").write_text("ward,sex,value\nA,f,4\nA,m,9\nA,both,13\n\nNote: over 65\n", "utf-8")
    told = run(
        "table", "together", "all.csv", "old.csv", "--dimensions", "ward,sex", "--wide", "sex=f,m,all",
        "--total", "all", "--total", "both", "--filter", "old=age > 65", "--threshold", "3", "--some-cells",
        "--format", "csv",
    )  # fmt: skip
    assert told.exit_code == 1, told.stderr
    assert 'all: A, f - old: A, f",1.0,1.0' in told.stdout
    assert "all.csv: 1 line before the header is left out" in told.stderr
    assert "old.csv: 1 line behind the table is left out" in told.stderr
