"""Text files with more than a table in them, as programs export them: titles before the header, and sums and
notes behind the rows. A remark gives the numbers of the lines that are left out.

Only what surely is no row is left out: before the header a line with one or two texts where the header has
more, and behind the rows a line that begins as a sum or a note does. A row that was cut off stays, for its
reader to refuse.
"""

from __future__ import annotations

import csv
import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from io import TextIOWrapper
from itertools import islice
from pathlib import Path

from sqlanon.core.text_files import DELIMITERS, LINES, NotUtf8Error, opened

BEHIND = 20  # lines at the end of a file that are looked at
# How a line begins that stands behind a table.
_BEHIND = re.compile(
    r"\W*(sum|summe[n]?|total|totals|totaux|gesamt\w*|insgesamt|zwischensumme|anzahl|nombre|count|number of"
    r"|ende|end of|fin de|notes?|source|quelle|hinweise?|anmerkung(en)?|stand|erstellt|erzeugt|gedruckt|seite"
    r"|export\w*|edite|édité|généré|generated|created|printed|page"
    r"|\d+ (rows|records|zeilen|lignes|datensätze))"
    r"\b|\W{3,}$|©",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Frame:
    """How many lines come before the header, and how many fields that has, by this delimiter."""

    before: int
    fields: int
    delimiter: str


def write_table(path: Path, compression: str, title: str, delimiter: str | None, written: Path) -> str | None:
    """Write a file anew without the lines around its table; what is left out. None: there are none, and
    nothing is written."""
    if compression == "zstd":
        return None
    try:
        with opened(path, compression) as raw, TextIOWrapper(raw, "utf-8-sig", newline="") as file:
            frame = _frame(list(islice(file, LINES)), delimiter)
        if frame is None:
            return None
        with opened(path, compression) as raw, TextIOWrapper(raw, "utf-8-sig", newline="") as file:
            last, lines = deque[str](maxlen=BEHIND), 0
            for line in file:
                last.append(line)
                lines += 1
        behind = _behind([*last][-max(lines - frame.before - 1, 0) :], frame) if lines > frame.before else 0
        if not frame.before and not behind:
            return None
        with (
            opened(path, compression) as raw,
            TextIOWrapper(raw, "utf-8-sig", newline="") as file,
            written.open("w", encoding="utf-8", newline="") as table,
        ):
            table.writelines(islice(file, frame.before, lines - behind))
    except UnicodeError as error:
        raise NotUtf8Error(f"{title}: this is not UTF-8 text; say what it is: --encoding NAME") from error
    return _remark(frame.before, behind, lines)


def _frame(lines: Sequence[str], delimiter: str | None) -> Frame | None:
    """Where the header is; None: nobody can tell."""
    found = []
    for each in [delimiter] if delimiter else DELIMITERS:
        records = _records(lines, each)
        filled = [len(fields) for _, fields in records if any(map(str.strip, fields))]
        usual = max(set(filled), key=filled.count, default=0)
        if usual > 1:
            found.append((filled.count(usual), usual, each, records))
    if not found:
        return None
    _, usual, delimiter, records = max(found, key=lambda each: each[:2])
    before = 0
    for end, fields in records:
        texts = sum(1 for text in fields if text.strip())
        if len(fields) == usual and 2 * texts > usual:
            return Frame(before, usual, delimiter)
        if texts > 2:
            return None
        before = end
    return None


def _records(lines: Sequence[str], delimiter: str) -> list[tuple[int, list[str]]]:
    """Records, each with the number of its last line."""
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
    records = []
    try:
        for fields in reader:
            records.append((reader.line_num, fields))
    except csv.Error:
        pass
    return records


def _behind(last: Sequence[str], frame: Frame) -> int:
    """How many of the last lines are no rows."""
    behind = 0
    for n, line in enumerate(reversed(last), 1):
        if line.count('"') % 2:  # the end of a text of several lines
            break
        fields = next(csv.reader([line], delimiter=frame.delimiter), [])
        texts = [text for text in fields if text.strip()]
        if not texts:
            behind = n if behind else 0  # between the rows and a note
            continue
        is_full = len(fields) == frame.fields and 2 * len(texts) > frame.fields
        if is_full or not _BEHIND.match(texts[0]):
            break
        behind = n
    return behind


def _remark(before: int, behind: int, lines: int) -> str:
    """What is left out."""
    parts = []
    if before:
        parts.append(
            f"line{'s' if before > 1 else ''} {'1' if before == 1 else f'1 to {before}'} before the header"
        )
    if behind:
        first = lines - behind + 1
        of = f"line {lines}" if behind == 1 else f"lines {first} to {lines}"
        parts.append(f"{of} behind the table")
    return f"{' and '.join(parts)} {'is' if before + behind == 1 else 'are'} left out"
