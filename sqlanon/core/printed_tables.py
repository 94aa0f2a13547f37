"""Text files with a table as an office prints it: with lines of titles before it, notes behind it, and blanks
that align its columns. What is read of such a file is a CSV file of the table alone, and remarks list every
line that is left out.

The header is the line that has the columns which the user names.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO, TextIOWrapper
from pathlib import Path

from sqlanon.core.errors import InputError
from sqlanon.core.source import lower
from sqlanon.core.text_files import DELIMITERS, NotUtf8Error, Printed, opened, refuse_same

LARGEST = 2**22  # bytes of a file that is looked at: larger ones are no tables for people
TOP = 100  # lines among which the header is looked for
SHOWN = 40  # letters of a line that is left out

# How a note begins that stands below a table.
_NOTE = re.compile(
    r"\W{3,}$|\W*(notes?|source|footnotes?|copyright|dataset|suggested citation|caveats?|figures|"
    r"anmerkung(en)?|hinweise?|quelle|fußnoten?)\b|©|[(\[]?\d+[)\].:]\s",
    re.IGNORECASE,
)
# What totals are called, in lower case, also where nobody has said so.
TOTALS = ("total", "totals", "sum", "all ages", "both sexes", "gesamt", "insgesamt")
_RULE = re.compile(r"[-=_–—]{3,}")  # between a table and its notes


@dataclass(frozen=True)
class Record:
    """A record of a file, with the number of its line, and which of its fields have a text."""

    line: int
    fields: list[str]
    filled: list[int]

    @property
    def shown(self) -> str:
        text = " ".join(self.fields[i].strip() for i in self.filled)
        return text if len(text) <= SHOWN else f"{text[:SHOWN].rstrip()} ..."


def write_csv(
    path: Path, compression: str, title: str, delimiter: str | None, names: Sequence[str],
    printed: Printed, is_padded: bool, written: Path,
) -> list[str] | None:  # fmt: skip
    """Write the table of a file as CSV; what there is to say. None: the file is nothing but a table, or
    cannot be distinguished from rows of people, and nothing is written.

    names: of its columns, if it has no header. is_padded: blanks around values only align them. Errors:
    InputError for a line that is neither a row of the table nor before or behind it.
    """
    if compression == "zstd" or path.stat().st_size > LARGEST:
        return None
    try:
        with opened(path, compression) as raw, TextIOWrapper(raw, "utf-8-sig", newline="") as file:
            text = file.read()
    except UnicodeError as error:
        raise NotUtf8Error(f"{title}: this is not UTF-8 text; say what it is: --encoding NAME") from error
    marks = lower([*printed.totals, *TOTALS])
    if printed.needs_total and "" not in marks and not any(mark in text.lower() for mark in marks):
        return None
    try:
        records = _records(text, delimiter, [*names, *printed.dimensions, *printed.values], is_padded)
    except csv.Error:
        return None  # what reads it as a table says what is wrong
    found = _header(records, names, printed)
    if found is None:
        return None
    header, first, columns = found
    body = records[first:]
    if printed.needs_total and not _has_total(body, columns, printed, marks):
        return None
    end = _end(body, columns, printed)
    rows = [record for record in body[:end] if record.filled]
    _refuse_others(rows, columns, printed, title)
    skipped = [
        *_remarks(records[: first - (header is not None)], title, "before the header"),
        *_remarks(body[end:], title, "behind the table"),
    ]
    if not skipped and not is_padded and len(rows) == len(body):
        return None
    refuse_same([name for name in columns if name], title)
    with written.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        if header is not None:
            writer.writerow(columns)
        for row in rows:
            kept = row.fields[: len(columns)]
            writer.writerow([text.strip() for text in kept] if is_padded else kept)
    return skipped


def _records(text: str, delimiter: str | None, known: Collection[str], is_padded: bool) -> list[Record]:
    """The records of a file, by the delimiter with which most of the known columns are found, or which stands
    in most lines. Errors: csv.Error."""
    wanted = lower(known)

    def fit(each: str) -> tuple[int, int]:
        records = list(_split("\n".join(text.splitlines()[:TOP]), each, strict=False))
        named = max((len(lower(f.strip() for f in record.fields) & wanted) for record in records), default=0)
        return named, sum(len(record.fields) > 1 for record in records)

    chosen = delimiter or max(DELIMITERS, key=fit)
    if is_padded:  # "A"   ,"B"
        text = re.sub(rf'" +(?={re.escape(chosen)}|\r?$)', '"', text, flags=re.MULTILINE)
    return list(_split(text, chosen, strict=True))


def _split(text: str, delimiter: str, strict: bool) -> Iterator[Record]:
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=strict)
    line = 1
    for fields in reader:
        yield Record(line, fields, [i for i, text in enumerate(fields) if text and not text.isspace()])
        line = reader.line_num + 1


def _header(
    records: Sequence[Record], names: Sequence[str], printed: Printed
) -> tuple[Record | None, int, list[str]] | None:
    """The header (None: there is none, and the names are given), where the table begins, and its columns.
    None: nobody can tell."""
    if names:
        first = next((i for i, each in enumerate(records) if len(each.fields) == len(names)), None)
        if first is None or len(lower(f.strip() for f in records[first].fields) & lower(names)) > 1:
            return None
        return None, first, [*names]
    wanted = lower([*printed.dimensions, *printed.values])
    top = records[:TOP]
    fits = [len(lower(text.strip() for text in record.fields) & wanted) for record in top]
    if not fits or not max(fits):
        lengths = [len(record.fields) for record in records if record.filled]
        usual = max(set(lengths), key=lengths.count, default=0)
        fits = [int(len(record.fields) == usual > 1 and len(record.filled) >= usual - 1) for record in top]
        if not any(fits):
            return None
    at = fits.index(max(fits))
    fields = top[at].fields
    of_table = [each for each in records[at:] if each.filled and len(each.fields) == len(fields)]
    width = max(each.filled[-1] + 1 for each in of_table)
    return top[at], at + 1, [text.strip() or f"column{i}" for i, text in enumerate(fields[:width])]


def _positions(columns: Sequence[str], named: Collection[str]) -> list[int]:
    return [i for i, name in enumerate(columns) if name.lower() in lower(named)]


def _has_total(
    body: Sequence[Record], columns: Sequence[str], printed: Printed, marks: Collection[str]
) -> bool:
    positions = _positions(columns, printed.dimensions)
    return any(
        record.fields[i].strip().lower() in marks
        for record in body
        if len(record.fields) >= len(columns)
        for i in positions
    )


def _end(body: Sequence[Record], columns: Sequence[str], printed: Printed) -> int:
    """Where the notes behind a table begin: at a rule, or where only notes and empty lines follow."""
    last = max((i for i, each in enumerate(body) if _is_row(each, columns)), default=-1)
    behind = range(last + 1, len(body))
    end = next((i for i in behind if _RULE.fullmatch(body[i].shown)), len(body))
    gap = next((i for i in behind if not body[i].filled), len(body))
    known: dict[str, int] = {}
    for i, record in enumerate(body[:end]):
        known.setdefault(record.fields[0].strip() if record.fields else "", i)
    while end:
        record = body[end - 1]
        is_seen = bool(record.filled) and known[record.fields[0].strip()] < end - 1
        if record.filled and (is_seen or not _is_note(record, columns, printed, end - 1 > gap)):
            break
        end -= 1
    return end


def _is_row(record: Record, columns: Sequence[str]) -> bool:
    return len(record.fields) == len(columns) and len(record.filled) > 1 and not _NOTE.match(record.shown)


def _is_note(record: Record, columns: Sequence[str], printed: Printed, is_apart: bool) -> bool:
    """Is a record, which stands behind a table, no row of it? Its first text is in no row above. is_apart:
    an empty line comes before."""
    first, is_alone = record.fields[0].strip(), record.filled == [0]
    if not first:
        return False
    if len(record.fields) != len(columns):
        return is_alone or is_apart or _NOTE.match(first) is not None
    if _NOTE.match(first) and (is_alone or (":" in first and len(record.filled) < 3)):
        return True
    lacks_labels = "" not in printed.totals and _lacks_labels(record, columns, printed)
    return is_alone and 0 not in _positions(columns, printed.values) and (is_apart or lacks_labels)


def _lacks_labels(record: Record, columns: Sequence[str], printed: Printed) -> bool:
    return any(i not in record.filled for i in _positions(columns, printed.dimensions))


def _refuse_others(rows: Sequence[Record], columns: Sequence[str], printed: Printed, title: str) -> None:
    """Errors: InputError for a line of another length, or with one text alone, which may be a heading."""
    for row in rows:
        if len(row.fields) < len(columns) or row.filled[-1] >= len(columns):
            raise InputError(
                f"{title}, line {row.line}: {len(row.fields)} fields, the header has {len(columns)}; if it "
                "is a note, delete the line"
            )
        if row.filled == [0] and "" not in printed.totals and _lacks_labels(row, columns, printed):
            raise InputError(
                f"{title}, line {row.line} has nothing but '{row.shown}': if it is a heading, put it in a "
                "column of its own, with a value in each row below; if it is a note, delete the line"
            )


def _remarks(records: Sequence[Record], title: str, where: str) -> list[str]:
    """What to say of lines that are left out."""
    filled = [record for record in records if record.filled]
    if not filled:
        return []
    first, last = filled[0], filled[-1]
    lines = f"line {first.line}" if first is last else f"lines {first.line} to {last.line}"
    count = "1 line" if first is last else f"{len(filled)} lines"
    is_are = "is" if first is last else "are"
    shown = first.shown if first is last else f"{first.shown} ... {last.shown}"
    return [f"{title}: {count} {where} {is_are} left out ({lines}: {shown})"]
