"""Files of SPSS (.sav) and Stata (.dta): read as if they were saved as CSV, with labels in place of codes,
and written.

Such a file says what the codes of a column are called, and which of its values mean that there is none. The
first become the values, the others NULL. Whoever says that a column is of numbers (--types age=integer) gets
its codes.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.core.errors import InputError
from sqlanon.core.source import lower
from sqlanon.core.statements import execute, literal, select
from sqlanon.core.text_files import EXACT, NUMBER, OF_NUMBERS, OF_STRINGS, Types

SPSS, STATA = "read_sav", "read_dta"  # as pyreadstat calls what reads them
KINDS = {SPSS: "SPSS (.sav)", STATA: "Stata (.dta)"}
ROWS_AT_ONCE = 100_000
EXACT_INTEGERS = 2**53  # of a double, which all numbers of SPSS are
LARGEST = {SPSS: math.inf, STATA: 2.0**1023 * (1 - 2.0**-53)}  # larger ones mean that a value is missing
LONGEST = {SPSS: 32_767, STATA: 2_000_000_000}  # bytes of a text
SHOWN = 5  # columns in a remark

# What a number is that is no number, by the letters with which its format begins.
DAY, MOMENT, CLOCK, MONTHS, WEEK = "day", "moment", "clock", "months", "week"
FORMATS = {
    SPSS: dict.fromkeys(("DATE", "ADATE", "EDATE", "JDATE", "SDATE", "MOYR", "QYR", "WKYR"), DAY)
    | dict.fromkeys(("DATETIME", "YMDHMS"), MOMENT)
    | dict.fromkeys(("TIME", "DTIME", "MTIME"), CLOCK),
    STATA: {"d": DAY, "td": DAY, "tc": MOMENT, "tm": MONTHS, "tq": MONTHS, "th": MONTHS, "tw": WEEK},
}
ONE_DAY = 86_400
CLOCKS = ("%tcHH:MM:SS", "%tcHH:MM")  # what Stata shows the time of day of
IN_MONTHS = {"tm": 1, "tq": 3, "th": 6}
ORIGINS = {SPSS: date(1582, 10, 14), STATA: date(1960, 1, 1)}
BEFORE_1970 = {kind: (date(1970, 1, 1) - origin).days for kind, origin in ORIGINS.items()}  # in days
TYPES: dict[str, Types] = {
    DAY: ("date",), MOMENT: ("timestamp",), CLOCK: ("time", "timestamp"), MONTHS: ("date",), WEEK: ("date",),
}  # fmt: skip
# What a column of times has as its format, in SPSS and in Stata.
SHOWN_AS = {"DATE": ("DATE11", "%td"), "TIME": ("TIME8", CLOCKS[0])} | dict.fromkeys(
    ("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"), ("DATETIME20", "%tc")
)


def _need_pyreadstat() -> None:
    if find_spec("pyreadstat") is None:
        raise InputError("files of SPSS and Stata need pyreadstat: pip install 'sqlanon[excel]'")


# Reading


@dataclass(frozen=True)
class Survey:
    """What there is to know of a file, beside its values: the names of its columns, the types that each may
    have, the labels of those that have one, and what there is to say."""

    names: list[str]
    types: list[Types]
    labels: dict[str, str]
    doubts: list[str]


@dataclass
class _Column:
    """A column, and the text of each value that was found in it. read: of a value without a label."""

    name: str
    types: Types
    read: Callable[[Any], str]
    labels: Mapping[Any, str]
    missing: Sequence[Mapping[str, Any]]  # ranges of what the file declares as missing
    texts: dict[Any, str | None] = field(default_factory=dict)
    declared: int = 0  # cells with a value that means that there is none
    empty: int = 0  # cells without one

    def in_texts(self, values: Sequence[Any]) -> list[str | None]:
        for value, cells in Counter(values).items():
            if value is None or value == "":
                self.texts[value] = None
                self.empty += cells
            elif self._is_missing(value):
                self.texts[value] = None
                self.declared += cells
            elif value not in self.texts:
                self.texts[value] = self.labels.get(_stripped(value)) or self.read(value)
        return [self.texts[value] for value in values]

    def _is_missing(self, value: Any) -> bool:
        """Stata's own codes, .a to .z, are letters in a column of numbers."""
        if isinstance(value, str) and self.types is not OF_STRINGS:
            return True
        given = _stripped(value)
        return any(_stripped(each["lo"]) <= given <= _stripped(each["hi"]) for each in self.missing)

    def one_label(self) -> Iterator[tuple[str, list[str]]]:
        """What several codes are called, and the codes."""
        codes: dict[str, list[str]] = {}
        for value, text in self.texts.items() if self.labels else ():
            if text is not None:
                codes.setdefault(text, []).append(self.read(value))
        return ((text, sorted(each)) for text, each in codes.items() if len(each) > 1)


def _stripped(value: Any) -> Any:
    """SPSS fills texts with blanks."""
    return value.rstrip(" ") if isinstance(value, str) else value


def write_csv(
    path: Path, reader: str, title: str, written: Path, encoding: str | None, codes: Collection[str]
) -> Survey:
    """Write a file as CSV, with quotes around all texts, and nothing where a value is missing.

    encoding: of its texts, if it does not say the right one. codes: columns of which nobody wants the labels.
    Errors: InputError for what is no such file.
    """
    _need_pyreadstat()
    found: list[_Column] = []
    rows = 0
    with written.open("w", encoding="utf-8", newline="") as file:
        while True:
            values, known = _part(path, reader, title, encoding, rows)
            if not found:
                if not known.column_names:
                    raise InputError(f"{title} has no columns")
                found = [_column(reader, name, known, lower(codes)) for name in known.column_names]
                file.write(_line(known.column_names))
            try:
                texts = [column.in_texts(values[column.name]) for column in found]
            except (OverflowError, ValueError) as error:
                raise InputError(f"{title} has a date that is not in the years 1 to 9999") from error
            file.writelines(map(_line, zip(*texts, strict=True)))
            read = len(texts[0])
            rows += read
            if read < ROWS_AT_ONCE:
                break
    labels = {name: label for name, label in known.column_names_to_labels.items() if label}
    return Survey(
        [column.name for column in found], [column.types for column in found], labels,
        [*_missing_values(title, found), *_labels_of_several(title, found)],
    )  # fmt: skip


def _part(path: Path, reader: str, title: str, encoding: str | None, first: int) -> tuple[Any, Any]:
    """Some rows, by column, and what the file says of its columns."""
    import pyreadstat

    try:
        return getattr(pyreadstat, reader)(  # type: ignore[no-any-return]
            path.resolve(), encoding=encoding, user_missing=True, disable_datetime_conversion=True,
            row_offset=first, row_limit=ROWS_AT_ONCE, output_format="dict",
        )  # fmt: skip
    except Exception as error:  # of pyreadstat, and of Python where texts are not in the encoding
        hint = ""
        if isinstance(error, UnicodeError) or "convert" in str(error):
            hint = ". Are its texts in another encoding? Say it: --encoding NAME"
        raise InputError(f"{title} cannot be read as a file of {KINDS[reader]}: {error}{hint}") from error


def _column(reader: str, name: str, known: Any, codes: Collection[str]) -> _Column:
    """A column, by what the file says of it."""
    missing = known.missing_ranges.get(name, [])
    type_ = known.readstat_variable_types[name]
    said = known.original_variable_types[name] or ""
    is_text = type_ == "string"
    start, format = _format(reader, said)
    read: Callable[[Any], str]
    types: Types
    if is_text:
        types, read = OF_STRINGS, str
    elif format is not None:
        types, read = TYPES[format], lambda value: _time(value, reader, start, format)
    else:
        types, read = (*OF_NUMBERS, NUMBER), _single if type_ == "float" else _number
    column = _Column(name, types, read, {}, missing)
    labels = known.variable_value_labels.get(name, {})
    # a label of what is missing makes no column of texts
    named = {
        _stripped(code): label
        for code, label in labels.items()
        if label.strip() and not column._is_missing(code)
    }
    if not named or name.lower() in codes:
        return column
    return _Column(name, types if is_text else EXACT, read, named, missing)


def _format(reader: str, said: str) -> tuple[str, str | None]:
    """The letters with which a format begins, and what it shows, if that is no number."""
    letters = re.match(r"[A-Z]+" if reader == SPSS else r"%-?(d|t[a-zA-Z])", said)
    start = letters[letters.lastindex or 0] if letters else ""
    return start, CLOCK if said in CLOCKS else FORMATS[reader].get(start)


def _number(value: float) -> str:
    if isinstance(value, int) or (value.is_integer() and abs(value) <= EXACT_INTEGERS):
        return str(int(value))
    return repr(value)


def _single(value: float) -> str:
    """A number of single precision: 0.1, not 0.10000000149011612."""
    import numpy as np

    return _number(float(str(np.float32(value))))


def _time(value: float, reader: str, start: str, format: str) -> str:
    """A day, a time of day or both, as SQL writes it."""
    if format == MONTHS:
        months = int(value) * IN_MONTHS[start]
        return str(date(1960 + months // 12, months % 12 + 1, 1))
    if format == WEEK:  # every year has 52
        return str(date(1960 + int(value) // 52, 1, 1) + timedelta(weeks=int(value) % 52))
    if format == DAY:
        days = math.floor(value / ONE_DAY) if reader == SPSS else math.floor(value)
        return str(ORIGINS[reader] + timedelta(days=days))
    seconds = round(value if reader == SPSS else value / 1000, 5)
    if format == CLOCK and 0 <= seconds < ONE_DAY:
        return _shortest(str((datetime.min + timedelta(seconds=seconds)).time()))
    if format == CLOCK and reader == SPSS:  # how long something took
        minutes, rest = divmod(abs(seconds), 60)
        return f"{'-' if seconds < 0 else ''}{int(minutes) // 60:02}:{int(minutes) % 60:02}:{_seconds(rest)}"
    origin = datetime.combine(ORIGINS[reader], datetime.min.time())
    return _shortest(str(origin + timedelta(seconds=seconds)))


def _seconds(value: float) -> str:
    return f"{value:02.0f}" if value.is_integer() else f"{value:08.5f}".rstrip("0")


def _shortest(text: str) -> str:
    return text.rstrip("0") if "." in text else text


def _line(fields: Sequence[str | None]) -> str:
    """A line of CSV, in which an empty text would not be NULL."""
    return ",".join("" if text is None else '"' + text.replace('"', '""') + '"' for text in fields) + "\n"


def _missing_values(title: str, found: Sequence[_Column]) -> Iterator[str]:
    """What to say of values that are not there, if there are any."""
    declared = sum(column.declared for column in found)
    empty = sum(column.empty for column in found)
    if not declared and not empty:
        return
    parts = []
    if declared:
        each = [f"{column.name} {column.declared:,}" for column in found if column.declared]
        others = f" and {len(each) - SHOWN:,} other columns" if len(each) > SHOWN else ""
        parts.append(f"{declared:,} declared as missing ({', '.join(each[:SHOWN])}{others})")
    if empty:
        parts.append(f"{empty:,} empty")
    yield f"{title} has missing values, which are read as NULL: {', '.join(parts)}"


def _labels_of_several(title: str, found: Sequence[_Column]) -> Iterator[str]:
    """What to say of codes that differ by nothing but the number: their label is the same."""
    for column in found:
        for text, codes in column.one_label():
            hint = "" if OF_STRINGS is column.types else f": --types {column.name}=integer reads the codes"
            yield f"{title}: {' and '.join(codes)} of {column.name} are one value, {text}{hint}"


# Writing


def write(
    con: duckdb.DuckDBPyConnection, query: exp.Expression, written: Path, reader: str, title: str,
    labels: Mapping[str, str],
) -> None:  # fmt: skip
    """Write the rows of a query as a new file. labels: of columns by their names in lower case.

    Errors: InputError for what such a file cannot hold.
    """
    _need_pyreadstat()
    import pandas as pd

    described = {str(name): str(type_) for name, type_, *_ in execute(con, exp.Describe(this=query.copy()))}
    columns = {name: _Written.of(reader, name, type_, title) for name, type_ in described.items()}
    released = exp.Subquery(this=query.copy(), alias=exp.TableAlias(this=exp.to_identifier("released")))
    rows = execute(con, select(released, *(column.value for column in columns.values())))
    by_column: Iterator[Sequence[Any]] = zip(*rows, strict=True) if rows else iter([()] * len(columns))
    frame: dict[str, Any] = {}
    formats: dict[str, str] = {}
    for (name, column), values in zip(columns.items(), by_column, strict=True):
        is_number = column.is_number and column.holds(values, title)
        frame[name] = (
            pd.Series(values, dtype="float64")
            if is_number
            else pd.Series([column.checked(value, title) for value in values], dtype="string")
        )
        if is_number and column.format is not None:
            formats[name] = column.format
    column_labels = {name: labels[name.lower()] for name in frame if name.lower() in labels}
    booleans = {name: {0: "false", 1: "true"} for name, type_ in described.items() if type_ == "BOOLEAN"}
    try:
        _write(reader, pd.DataFrame(frame), written, column_labels, booleans, formats)
    except Exception as error:  # of pyreadstat
        for name in frame:
            _check_name(reader, name, written.with_name(f"name{written.suffix}"), title)
        raise InputError(f"{title} cannot be written as a file of {KINDS[reader]}: {error}") from error


def _write(
    reader: str, frame: Any, written: Path, labels: dict[str, str], values: dict[str, Any],
    formats: dict[str, str],
) -> None:  # fmt: skip
    import pyreadstat

    given: dict[str, Any] = {
        "column_labels": labels,
        "variable_value_labels": values,
        "variable_format": formats,
    }
    if reader == SPSS:
        pyreadstat.write_sav(frame, written, **given)
    else:
        pyreadstat.write_dta(frame, written, version=14, **given)  # every Stata since 14 reads it


def _check_name(reader: str, name: str, probe: Path, title: str) -> None:
    """Errors: InputError if no column can be called this."""
    import pandas as pd

    try:
        _write(reader, pd.DataFrame({name: pd.Series([], dtype="float64")}), probe, {}, {}, {})
    except Exception as error:
        raise InputError(f"{title}: no column of {KINDS[reader]} can be called {name}: rename it") from error


@dataclass(frozen=True)
class _Written:
    """A column that is written. value: of a row, a number or a text; format: of a number, if not any."""

    name: str
    reader: str
    value: exp.Expression
    is_number: bool = False
    format: str | None = None
    is_time: bool = False

    @classmethod
    def of(cls, reader: str, name: str, type_: str, title: str) -> _Written:
        column: exp.Expression = exp.column(name, quoted=True)
        base, _, scale = type_.partition("(")
        if type_.endswith("]") or base in ("STRUCT", "MAP", "UNION"):
            raise InputError(
                f"{title}: {KINDS[reader]} cannot hold the lists of {name}: use recoding text, or write "
                ".parquet or .json"
            )
        in_spss = reader == SPSS
        if re.fullmatch("BOOLEAN|U?(TINY|SMALL|BIG|HUGE|)INT(EGER)?", base):
            number = exp.cast(column, "tinyint") if base == "BOOLEAN" else column
            return cls(name, reader, number, True, "F8.0" if in_spss else "%12.0g")
        if base in ("FLOAT", "DOUBLE") or (base == "DECIMAL" and int(scale.partition(",")[0]) <= 15):
            if base == "FLOAT":  # 0.1, not 0.10000000149011612
                column = exp.cast(column, "text")
            return cls(name, reader, exp.cast(column, "double"), True)
        if base not in SHOWN_AS:
            return cls(name, reader, exp.cast(column, "text"))
        seconds: exp.Expression = exp.Anonymous(this="epoch", expressions=[column])
        if base != "TIME":
            before = literal(BEFORE_1970[reader] * ONE_DAY)
            is_finite = exp.Anonymous(this="isfinite", expressions=[column.copy()])
            seconds = (
                exp.Case()
                .when(exp.not_(is_finite), literal(math.inf))
                .else_(exp.Add(this=seconds, expression=before))
            )
        if not in_spss:  # days, and milliseconds
            seconds = exp.Mul(this=seconds, expression=literal(1 / ONE_DAY if base == "DATE" else 1000))
            seconds = exp.Anonymous(this="round", expressions=[seconds, literal(0 if base == "DATE" else 3)])
        return cls(name, reader, seconds, True, SHOWN_AS[base][not in_spss], True)

    def holds(self, values: Sequence[Any], title: str) -> bool:
        """Is every number the same there? Otherwise all are written as texts. Errors: InputError for a time
        that never ends."""
        largest = LARGEST[self.reader]
        all_are_held = all(
            value is None
            or (abs(value) <= EXACT_INTEGERS if isinstance(value, int) else abs(value) < largest)
            for value in values
        )
        if self.is_time and not all_are_held:
            raise InputError(
                f"{title}: {KINDS[self.reader]} cannot hold the infinite time that {self.name} has"
            )
        return all_are_held

    def checked(self, value: Any, title: str) -> str:
        """A text, which is empty if there is none. Errors: InputError if it would be cut."""
        text = "" if value is None else str(value)
        if len(text) * 4 > LONGEST[self.reader] and len(text.encode()) > LONGEST[self.reader]:
            most = f"{LONGEST[self.reader]:,} bytes"
            raise InputError(
                f"{title}: a text of {self.name} is longer than {most}, which is all it can hold"
            )
        if "\0" in text:
            raise InputError(f"{title}: a text of {self.name} has a NUL, which it cannot hold")
        return text
