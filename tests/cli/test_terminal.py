"""What the command line prints for people cannot control their terminal, nor show what is not there."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import duckdb
import pytest

from sqlanon.core import printing
from sqlanon.core.remarks import visible
from tests.cli.test_cli import folder, ok, refused, run

__all__ = ["folder"]  # a fixture

# A title of the window, a line that is written over, a bell, CSI in one byte, text from right to left.
HOSTILE = "\x1b]0;owned\x07\x1b[31mred\x1b[0m over\rwritten \x9b31m \u202eevil\u2066 \u2028"
CONTROLS = set(HOSTILE) - set(" \n") - {char for char in HOSTILE if char.isprintable()}


def harmless(text: str) -> bool:
    return not CONTROLS & set(text)


@pytest.fixture
def hostile(folder: Path) -> Path:
    """A file with such a value, and a column of such a name."""
    with duckdb.connect() as con:
        con.execute(
            f"""copy (select 30 as age, unnest(['{HOSTILE}', 'b', 'c']) as "n{HOSTILE}")
            to '{folder / "hostile.parquet"}'"""
        ).fetchall()
    return folder


def test_what_is_written_out() -> None:
    assert visible("a\x1b[1m\r\x07\x85\x9b\u202e") == r"a\x1b[1m\r\x07\x85\x9b\u202e"
    assert visible("half \ud800") == r"half \ud800"
    assert visible("żółć\t日本語 👩‍⚕️ \\x1b\n") == "żółć\t日本語 👩‍⚕️ \\x1b\n"


def released(format: str) -> str:
    of_file = ["--qi", "age", "--sensitive", f'"n{HOSTILE}"', "--k", "2"]
    return ok("anonymize", "hostile.parquet", *of_file, "--format", format)


@pytest.mark.parametrize("format", ["table", "markdown"])
def test_tables(hostile: Path, format: str) -> None:
    """Names of columns and values."""
    shown = released(format)
    assert harmless(shown)
    assert shown.count(r"\x1b]0;owned\x07") == 2 or format == "markdown"


@pytest.mark.slow("half a second a case", but=(1,))
@pytest.mark.parametrize("format", ["csv", "json"])
def test_data_stays_what_it_is(hostile: Path, format: str) -> None:
    assert released(format).count("\u202eevil") == (2 if format == "csv" else 4)


def test_errors_and_remarks(hostile: Path) -> None:
    assert harmless(refused(2, "check", "hostile.parquet", "--qi", f"x{HOSTILE}", "--k", "2"))
    assert harmless(refused(2, "check", f"x{HOSTILE}.csv", "--qi", "age", "--k", "2"))
    assert harmless(refused(2, "check", f"--{HOSTILE}"))
    assert harmless(run("init", "hostile.parquet", "--seconds", "0").stderr)


def test_progress(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with printing.progress_bar(always=True) as progress:
        progress(0.5, HOSTILE)
        progress(1.0, HOSTILE)
    shown = capsys.readouterr().err
    assert "\x1b]0;" not in shown
    assert "\u202e" not in shown


def test_progress_in_a_log(capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each step, once a run takes long; what only counts further is no other step."""
    seconds = iter([0.0, 1.0, 62.0, 63.0, 64.0, 65.0, 95.0])
    progress = printing._in_log(lambda: next(seconds))
    steps = "locating", "attack a", "attack a", "cut 10 of 20", "cut 12 of 20", "cut 19 of 20"
    for done, message in enumerate(steps):
        progress(done / 10, message)
    assert capsys.readouterr().err.splitlines() == [
        "62 s, 10 %, about 9 min left: attack a",
        "64 s, 30 %, about 2 min left: cut 10 of 20",
        "95 s, 50 %, about 2 min left: cut 19 of 20",  # it goes on for long
    ]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("width", [40, 80, 120])
def test_no_word_of_a_head_is_broken(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Heads break between words; columns for which there is no room are told."""
    names = ["column", "distinct_values", "loss_geometric_mean", "entropy_monotonic", "precision", "found_by"]
    rows = [["Fallnummer", 2911, 0.25, 1.5, None, "two words"], ["x" * 50, 3, 1, 2, 3, "name"]]
    terminal = Terminal()
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stdout", terminal)
    printing.show_table(names, rows)
    lines = re.sub(r"\x1b\[[\d;]*m", "", terminal.getvalue()).splitlines()
    assert all(len(line) <= width for line in lines)
    heads = zip(*(line.strip("┃").split("┃") for line in lines if line.startswith("┃")), strict=True)
    shown = [" ".join(filter(None, map(str.strip, parts))) for parts in heads]
    assert shown == [name.replace("_", " ") for name in names[: len(shown)]]
    told = capsys.readouterr().err
    assert told.startswith("not shown, as the terminal is narrow: ") == (len(shown) < len(names))
    assert all(name in told for name in names[len(shown) :])
