"""Text files as tables: CSV, TSV and JSON, of which nothing is lost or changed on the way in.

All of a file is read as text. Then a column gets the narrowest type that every value survives
(sql/core/text_files.sql), and stays text if there is none. The user may say what the type of a column is.
What leaves a table unchanged stays as it is written even then: its type only says in which order its values
are.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import re
import shlex
import shutil
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, cast

import duckdb
from sqlglot import exp

from sqlanon.core.errors import InputError, LimitError, SqlanonError, UseError
from sqlanon.core.source import lower
from sqlanon.core.statements import call, create, execute, literal, relation, render, select

# What a column of a text file can be, and what DuckDB calls it.
TYPES = {
    "text": "varchar",
    "boolean": "boolean",
    "integer": "bigint",
    "double": "double",
    "date": "date",
    "time": "time",
    "timestamp": "timestamp",
}

TEXT = TYPES["text"]
OF_TIME = ("date", "time", "timestamp")

DELIMITERS = (",", ";", "\t", "|")
NO_DELIMITER = "\x1e\x1f\x1e"
SAMPLE = 2000  # rows that are looked at first
COMMON = {
    "auto_detect": False,
    "comment": "",
    "null_padding": False,
    "hive_partitioning": False,
}  # of read_csv
AT_ONCE = 500  # tests in a statement: longer ones take longer to plan than several
LINES = 100  # of the start of a file

# The narrowest first. A DECIMAL gets its scale from the values.
EXACT = ("boolean", "bigint", "double", "decimal", "date", "time", "timestamp")
OF_STRINGS = ("date", "time", "timestamp")  # of JSON, whose numbers are no strings
OF_NUMBERS = ("bigint", "double")
NUMBER = "number"  # whole ones and others: DOUBLE, if that need not be written as it was
BEHIND_A_BLANK = " behind a blank"  # of a type: all values have it, as in 39, 13, 40
LOOSELY = "loosely "  # can be read as this, but is not written as DuckDB writes it
LOOSE = (f"{LOOSELY}double", f"{LOOSELY}timestamp")
MIDNIGHT = "midnight"  # days, which are recoded as such
DIGITS = "digits"  # and marks, as in 11.03.1970
CENTURY = re.compile(r" from (\d{4})$")  # of which hundred years those with two digits are
FORMATTED = "formatted "  # a type and its format: can be read by it

Names = Collection[str]
Types = tuple[str, ...]  # that a column may have, the narrowest first


class NotUtf8Error(InputError):
    """A text file is in another encoding than is said, or in none that is known."""


class RaggedError(InputError):
    """Lines of a file of CSV have other numbers of fields than its header."""


@dataclass(frozen=True)
class Reading:
    """What texts are read as: a type of DuckDB's, and how they are written, if not as SQL writes them."""

    type: str
    format: str | None = None

    @classmethod
    def of(cls, said: str) -> Reading:
        """What the user says: date, or date %d.%m.%Y."""
        type_, _, format = said.partition(" ")
        return cls(TYPES[type_], format or None)

    @property
    def may_be_of_another_century(self) -> bool:
        """Are its years of two digits, and nobody has said of which hundred years?"""
        return "%y" in (self.format or "") and not CENTURY.search(self.format or "")

    def tried(self, text: exp.Expression) -> exp.Expression:
        """The value of a text; NULL if it is none."""
        type_ = exp.DataType.build(self.type, dialect="duckdb")
        if self.format is None:
            read = _macro("_without_offset", text) if self.type in OF_TIME else text.copy()
            return exp.TryCast(this=read, to=type_)
        if self.type not in OF_TIME:
            return exp.TryCast(this=_macro("_formatted_number", text, literal(self.format)), to=type_)
        format, *first_year = CENTURY.split(self.format)
        given = [literal(format), *map(exp.Literal.number, filter(None, first_year))]
        return exp.TryCast(this=_macro("_formatted_time", text, *given), to=type_)

    def value(self, text: exp.Expression) -> exp.Expression:
        """The value of a text that is known to be one."""
        if self.format is not None:
            return self.tried(text)
        return exp.cast(text.copy(), exp.DataType.build(self.type, dialect="duckdb"))


@dataclass(frozen=True)
class Printed:
    """What the user says of a table: the columns that cells are about, those with values, and the marks of
    totals. needs_total: a file in which nothing looks like a total is no such table, but rows of people."""

    dimensions: Sequence[str]
    values: Sequence[str]
    totals: Sequence[str]
    needs_total: bool = False


@dataclass(frozen=True)
class Roles:
    """What the columns of a table are there for, and how a text file of raw values is read: the types that
    the user says, names where there is no header, what stands for a missing value, and the encoding. trim,
    fold: columns whose values lose blanks around them, and are read in one spelling.

    missing_in: column -> what stands for a missing value there alone. digits: column of codes that have lost
    zeros in front -> how many digits they have. rename: the header, each column with the name that it gets,
    if that is another one. called: column -> what files may call it, too. only_table: lines before the header
    and behind the table are left out.

    unknown: what stands in a table of targets where the adversary does not know a value, e.g. "?".
    printed: what is known of a table of counts that was printed for people to read.
    first_look: nobody has described the file yet. Columns of the same name get names of their own, lines
    around the table are left out, and `Session.repairs` says so.
    """

    qi: Names = ()
    sensitive: Names = ()
    keep: Names = ()
    types: Mapping[str, str] = field(default_factory=dict)
    names: Sequence[str] = ()
    missing: Collection[str] = ()
    encoding: str | None = None
    trim: Collection[str] = ()
    fold: Collection[str] = ()
    missing_in: Mapping[str, Collection[str]] = field(default_factory=dict)
    digits: Mapping[str, int] = field(default_factory=dict)
    rename: Sequence[Sequence[str]] = ()
    called: Mapping[str, Collection[str]] = field(default_factory=dict)
    only_table: bool = False
    unknown: Collection[str] | None = None
    printed: Printed | None = None
    first_look: bool = False

    def of_release(self, types: Mapping[str, str] | None = None) -> Roles:
        """The roles for a file that sqlanon has written: it has a header, and is UTF-8."""
        return replace(
            self.of_another_file(), types=types or {}, missing=(), encoding=None, trim=(), fold=(),
            missing_in={}, digits={}, called={},
        )  # fmt: skip

    def of_another_file(self) -> Roles:
        """The roles for another file, which writes values in the same way, and has a header of its own."""
        return replace(self, names=(), rename=(), only_table=False)


def stands_for_missing(column: exp.Expression, texts: Iterable[str]) -> exp.In:
    """Is a text one of those that mean a missing value? Blanks around it do not matter."""
    return exp.In(this=_function("trim", column), expressions=[literal(text.strip()) for text in texts])


@dataclass(frozen=True)
class Text:
    """A text file as a relation of the columns c1, c2, ..., and the columns' names.

    types: of a column that is not text, its own; else those that it may have, narrowest first. header: where
    columns are called otherwise than in it.
    """

    rows: exp.Select
    names: list[str]
    types: list[str | Types]
    doubts: list[str] = field(default_factory=list)
    header: Sequence[str] = ()

    def repaired(self, roles: Roles) -> Text:
        """The text with NULL for what stands for a missing value, where blanks around it do not matter, and
        with the zeros that codes have lost."""
        if not (roles.missing or roles.missing_in or roles.digits):
            return self
        missing_in = {name.lower(): texts for name, texts in roles.missing_in.items()}
        digits = {name.lower(): number for name, number in roles.digits.items()}
        kept: list[exp.Expression] = []
        for i, (name, type_) in enumerate(zip(self.names, self.types, strict=True)):
            column: exp.Expression = exp.column(_position(i))
            if not isinstance(type_, str):
                if number := digits.get(name.lower()):
                    column = _macro("_with_zeros", column, exp.Literal.number(number))
                if missing := [*roles.missing, *missing_in.get(name.lower(), ())]:
                    stands = stands_for_missing(exp.column(_position(i)), missing)
                    column = exp.Case().when(exp.not_(stands), column)
            kept.append(exp.Alias(this=column, alias=exp.to_identifier(_position(i))))
        return replace(self, rows=select(self.rows.subquery("line"), *kept))


def cleaned(rows: exp.Select, columns: Mapping[str, str], roles: Roles) -> exp.Select:
    """Rows whose columns are trimmed and folded as roles require. columns: by name, what they are here."""
    by_name = {name.lower(): here for name, here in columns.items()}
    for macro, named in (("_with_trimmed", roles.trim), ("_with_one_spelling", roles.fold)):
        if chosen := [by_name[name] for name in lower(named) if name in by_name]:
            rows = call(macro, "_sqlanon_line", chosen).with_("_sqlanon_line", as_=rows)
    return rows


def _reader(function: str, path: str, **options: object) -> exp.Table:
    named = [
        exp.PropertyEQ(
            this=exp.to_identifier(name),
            expression=value if isinstance(value, exp.Expression) else literal(value),
        )
        for name, value in options.items()
    ]
    return exp.Table(this=exp.Anonymous(this=function, expressions=[literal(path), *named]))


def _columns(types: Mapping[str, str]) -> exp.Struct:
    pairs = [exp.PropertyEQ(this=literal(name), expression=literal(type_)) for name, type_ in types.items()]
    return exp.Struct(expressions=pairs)


def _position(i: int) -> str:
    return f"c{i + 1}"


def refuse_same(names: Sequence[str], title: str) -> None:
    """Errors: InputError for names that are the same to SQL, which knows no upper and lower case."""
    known: dict[str, str] = {}
    for name in names:
        if (other := known.get(name.lower())) is not None:
            twice = f"two columns {name}" if name == other else f"the columns {other} and {name}"
            raise InputError(f"{title} has {twice}, which are the same to SQL: rename one")
        known[name.lower()] = name


# CSV


def with_other_names(header: Sequence[str]) -> list[str]:
    """Names of which no two are the same to SQL: PLZ and plz_2, from PLZ and plz."""
    names: list[str] = []
    for name in header:
        other, nth = name, 1
        while other.lower() in lower([*names, *(header if nth > 1 else ())]):
            nth += 1
            other = f"{name}_{nth}"
        names.append(other)
    return names


def _renamed(header: Sequence[str], rename: Sequence[Sequence[str]], title: str) -> list[str]:
    """The names that columns get. Columns may have come and gone, if the others are in the order of rename,
    and each of those that are called alike has a neighbour of before: all of them that are written alike,
    while of PLZ and plz one may be gone. If both are there, each is known by how it is written.

    Errors: InputError, if the header is another one."""
    known = [said[0] for said in rename]
    there = [i for i, name in enumerate(known) if name in header]
    still = [i for i, name in enumerate(header) if name in known]
    by_folded = {name.lower(): [other for other in known if other.lower() == name.lower()] for name in known}
    doubtful = {
        folded for folded, names in by_folded.items()
        if len(names) > 1 and any(names.count(name) > 1 or header.count(name) != 1 for name in names)
    }  # fmt: skip
    alike = [i for i, name in enumerate(known) if name.lower() in doubtful]
    if [known[i] for i in there] == [header[i] for i in still]:
        at = dict(zip(there, still, strict=True))
        if all(_neighbours(known, i) & _neighbours(header, at[i]) for i in alike if i in at):
            names = {at[i]: rename[i][-1] for i in there}
            return [names.get(i, name) for i, name in enumerate(header)]
    if len(rename) != len(header):
        beside = ", ".join(dict.fromkeys(known[i] for i in alike)) or "others"
        raise InputError(
            f"{title} has {len(header)} columns, and rename in [input] names {len(rename)}: what stands "
            f"beside {beside} is not as it was"
        )
    i = next(i for i, name in enumerate(header) if name != known[i])
    raise InputError(f"{title}: column {i + 1} is {header[i]}, and {known[i]} by rename in [input]")


def _neighbours(header: Sequence[str], i: int) -> set[tuple[int, str | None]]:
    """What stands before and behind a column."""
    return {(step, header[i + step] if 0 <= i + step < len(header) else None) for step in (-1, 1)}


def as_called(names: Sequence[str], called: Mapping[str, Collection[str]], title: str) -> list[str]:
    """Names of columns, with ours for those that a file calls otherwise. called: ours -> what files may call
    it. Errors: InputError for a file with two columns that would be one."""
    ours = {other.lower(): name for name, others in called.items() for other in others}
    named: dict[str, str] = {}
    for name in names:
        our = ours.get(name.lower(), name)
        if (other := named.get(our.lower())) is not None and other != name:
            raise InputError(f"{title} has {other} and {name}, which are both {our} by called in [input]")
        named[our.lower()] = name
    return [ours.get(name.lower(), name) for name in names]


def read_csv(
    con: duckdb.DuckDBPyConnection,
    path: str,
    title: str,
    delimiter: str | None,
    compression: str,
    roles: Roles,
) -> Text:
    """A file as in RFC 4180; no line is skipped. roles: of which the names are needed.

    Errors: InputError, which tells no data.
    """
    common = {**COMMON, "compression": compression}
    line_of_text = {
        **common, "delim": NO_DELIMITER, "quote": "", "escape": "", "header": False, "strict_mode": False,
        "columns": _columns({"line": "VARCHAR"}),
    }  # fmt: skip
    try:
        first = execute(con, select(_reader("read_csv", path, **line_of_text), "line").limit(LINES))
    except SqlanonError:
        # DuckDB finds no UTF-8 where a return within quotes is followed by a letter of several bytes
        lines = _reader("read_csv", path, **line_of_text, new_line="\\n")
        try:
            first = execute(con, select(lines, "line").limit(LINES))
        except SqlanonError as error:
            raise _unreadable(error, title) from error
    top = [line or "" for (line,) in first]
    skipped, delimiter, header, doubt = _header(top, delimiter, title, roles.names)
    names = header
    if doubt is not None:  # there is a header
        if roles.rename:
            names = _renamed(header, roles.rename, title)
        elif roles.first_look:
            names = with_other_names(header)
        try:
            refuse_same(names, title)
        except InputError as error:
            raise InputError(doubt or f"{error}. Or have 'sqlanon init' write names for them") from error
    rows = _records(path, len(names), compression, delim=delimiter, header=doubt is not None, skip=skipped)
    changed = [] if names == header else header
    return Text(rows, names, [EXACT] * len(names), [doubt] if doubt else [], changed)


def _records(path: str, columns: int, compression: str, **options: object) -> exp.Select:
    return select(_reader(
        "read_csv", path, **COMMON, compression=compression, **options, quote='"', escape='"',
        strict_mode=True, ignore_errors=False, allow_quoted_nulls=False,
        columns=_columns({_position(i): "VARCHAR" for i in range(columns)}),
    ))  # fmt: skip


def of_csv(path: str, names: list[str], types: Sequence[Types], doubts: Sequence[str]) -> Text:
    """A file of CSV with a header, of which everything is known."""
    rows = _records(path, len(names), "uncompressed", delim=",", header=True)
    return Text(rows, names, [*types], [*doubts])


def _header(
    lines: Sequence[str], delimiter: str | None, title: str, given: Sequence[str]
) -> tuple[int, str, list[str], str | None]:
    """How many empty lines come before it, the delimiter, the names of the columns, and what there is to say:
    None if there is no header, and the names are those that are given."""
    skipped = next((i for i, line in enumerate(lines) if line), None)
    if skipped is None:
        raise InputError(f"{title} is empty: it has no header")
    candidates: list[tuple[tuple[bool, int, int], str, list[list[str]]]] = []
    for each in [delimiter] if delimiter else DELIMITERS:
        try:
            reader = csv.reader(
                (f"{line}\n" for line in lines[skipped:]), delimiter=each, skipinitialspace=True
            )
            header, *others = [record for record in reader if record] or [[]]
        except csv.Error:
            continue
        even = all(len(record) == len(header) for record in others[: LINES // 2])
        blanks = len(re.findall(rf"{re.escape(each)} ", lines[skipped]))  # last, first;age
        candidates.append(((even and len(header) > 1, len(header), -blanks), each, [header, *others]))
    if not candidates:
        raise InputError(f"{title}: the header is not CSV as in RFC 4180")
    _, delimiter, records = max(candidates, key=lambda each: each[0])  # the first one of several
    header, *others = records
    there = lower(name.strip() for name in header)
    if given and 2 * len(there & lower(given)) < len(there):  # a value may be called as a column is
        refuse_same(given, "--names")
        if len(given) != len(header):
            raise UseError(f"{title} has {len(header)} columns, and {len(given)} names are given for them")
        return skipped, delimiter, list(given), None
    doubt = ""
    if given and not there <= lower(given):
        doubt = f"{title} has a header: the names that are given for its columns are not used"
    like_data = sum(_is_like_data(name, [record[i] for record in others if i < len(record)])
                    for i, name in enumerate(header))  # fmt: skip
    if 2 * like_data >= len(header) and not given:
        doubt = (
            f"{title}: the first line looks like data, not like names, in {like_data} of {len(header)} "
            "columns. If there is no header, give a name for each column: --names, or names in [input] of a "
            "policy"
        )
    names = [name.strip() or f"column{i}" for i, name in enumerate(header)]
    return skipped, delimiter, names, doubt


def _is_like_data(name: str, values: Sequence[str]) -> bool:
    """Is what should be the name of a column one of its values, or a number as they are?"""
    number = re.compile(r"\s*[-+]?\d+([.,]\d+)?\s*")
    are_numbers = bool(values) and all(map(number.fullmatch, values))
    return bool(name.strip()) and (name in values or (are_numbers and bool(number.fullmatch(name))))


_FIELDS = re.compile(r"Expected Number of Columns: (\d+) Found: (\d+)")


def _unreadable(error: SqlanonError, title: str) -> InputError:
    """What is wrong with a file of CSV, without what is in it."""
    message = str(getattr(error, "message", error))
    line = re.search(r"CSV Error on Line: (\d+)", message)
    at = f"{title}, line {line[1]}" if line else title
    if fields := _FIELDS.search(message):
        return RaggedError(f"{at}: {fields[2]} fields, the header has {fields[1]}")
    if "Invalid unicode" in message:
        return NotUtf8Error(f"{at}: this is not UTF-8 text; say what it is: --encoding NAME")
    if "unterminated quote" in message:
        return InputError(f"{at}: a quote does not end, or one within a field is not doubled")
    if size := re.search(r"Maximum line size of (\d+)", message):
        return InputError(f"{at}: the line is longer than {int(size[1]):,} bytes")
    if "invalid state" in message:
        return InputError(f"{title} is not CSV as in RFC 4180: do all lines end in the same way?")
    if line or "CSV" in message:
        return InputError(f"{at}: this is not CSV as in RFC 4180")
    return InputError(f"{title} cannot be read: {message.splitlines()[0]}")


# ENCODINGS


def encoding_of(path: Path, compression: str) -> str | None:
    """The encoding that the first bytes of a file tell; None: UTF-8, or unknown."""
    if compression == "zstd":
        return None
    with opened(path, compression) as file:
        start = file.read(4)
    marks = {codecs.BOM_UTF32_LE: "utf-32", codecs.BOM_UTF32_BE: "utf-32",
             codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}  # fmt: skip
    return next((encoding for mark, encoding in marks.items() if start.startswith(mark)), None)


def is_utf_8_after_all(path: Path, compression: str, encoding: str) -> bool:
    """Is a file UTF-8 with letters beyond ASCII, where a Western encoding is said? That one reads any bytes,
    and would read two letters for each of these."""
    if codecs.lookup(encoding).name not in ("cp1252", "iso8859-1", "iso8859-15"):
        return False
    decoder, is_ascii = codecs.getincrementaldecoder("utf-8")(), True
    with opened(path, compression) as file:
        try:
            while part := file.read(1 << 20):
                is_ascii = is_ascii and part.isascii()
                decoder.decode(part)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return False
    return not is_ascii


@contextmanager
def opened(path: Path, compression: str) -> Iterator[IO[bytes]]:
    if compression == "zstd":
        raise InputError(f"{path} is compressed as .zst: decompress it first, or write it as UTF-8")
    with cast("IO[bytes]", gzip.open(path)) if compression == "gzip" else path.open("rb") as file:
        try:
            yield file
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise InputError(f"{path} is no file of gzip, or not a whole one") from error


def write_utf_8(path: Path, compression: str, encoding: str, written: Path) -> None:
    """Write a text file anew as UTF-8. Errors: NotUtf8Error if it is not in this encoding."""
    try:
        with (
            opened(path, compression) as raw,
            io.TextIOWrapper(raw, encoding, newline="") as text,
            written.open("w", encoding="utf-8", newline="") as file,
        ):
            shutil.copyfileobj(text, file)
    except UnicodeError as error:
        raise NotUtf8Error(f"{path} is not {encoding} text") from error


def is_windows_1252(encoding: str) -> bool:
    return codecs.lookup(encoding).name == "cp1252"


def copy_as_utf_8(path: str, copied: str) -> exp.Expression:
    """The statement that writes a file in Windows-1252 anew, for SQL alone. path: as a pattern."""
    text = _macro("_of_windows_1252", exp.column("content"))
    bytes_of = select(exp.Table(this=_function("read_blob", literal(path))), _function("encode", text))
    to = render(literal(copied))
    return exp.Command(this="COPY", expression=f" ({render(bytes_of)}) TO {to} (FORMAT blob)")


def as_it_was(query: exp.Select, written: Path, path: str, encoding: str | None) -> exp.Select:
    """A query on a file that was written anew, on the file itself. (For encodings other than UTF-16 and
    Latin-1 DuckDB needs its extension encodings.)"""

    def renamed(node: exp.Expression) -> exp.Expression:
        if isinstance(node, exp.Anonymous) and literal(str(written)) in node.expressions:
            rest = [each.copy() for each in node.expressions[1:]]
            if encoding is not None:
                said = exp.PropertyEQ(this=exp.to_identifier("encoding"), expression=literal(encoding))
                rest.append(said)
            return exp.Anonymous(this=node.this, expressions=[literal(path), *rest])
        return node

    return cast("exp.Select", query.transform(renamed))


# JSON


def read_json(con: duckdb.DuckDBPyConnection, path: str, title: str, compression: str) -> Text:
    """An array of objects, or an object a line. Its numbers are numbers: 1.10 is 1.1."""
    options = {"compression": compression, "hive_partitioning": False}
    table = _reader("read_json", path, **options, sample_size=-1)
    detected = {str(name): str(type_) for name, type_, *_ in execute(con, exp.Describe(this=select(table)))}
    keys = exp.select(
        exp.Distinct(expressions=[exp.Unnest(expressions=[_function("json_keys", exp.column("json"))])])
    )
    refuse_renamed(
        con, detected, keys.from_(_reader("read_json_objects", path, compression=compression)), title
    )
    types = [_of_json(type_) for type_ in detected.values()]
    columns = {
        name: type_ if isinstance(type_, str) else "VARCHAR"
        for name, type_ in zip(detected, types, strict=True)
    }
    rows = _reader("read_json", path, **options, columns=_columns(columns))
    named: list[exp.Expression] = [
        exp.Alias(this=exp.column(name, quoted=True), alias=exp.to_identifier(_position(i)))
        for i, name in enumerate(detected)
    ]
    return Text(select(rows, *named), list(detected), types)


def _of_json(type_: str) -> str | Types:
    if type_.endswith(("]", ")")) or type_ == "BOOLEAN":
        return type_  # nested
    return (*OF_NUMBERS, NUMBER) if re.fullmatch(r"U?(BIG|HUGE)INT|DOUBLE", type_) else OF_STRINGS


def refuse_renamed(
    con: duckdb.DuckDBPyConnection, names: Collection[str], names_in_file: exp.Select, title: str
) -> None:
    """Errors: InputError for a name that DuckDB has given to a second column of the same name.

    names_in_file: a query for the names in the file.
    """
    for name in names:
        before = re.fullmatch(r"(.+)_\d+", name, re.DOTALL)
        if before and before[1].lower() in lower(names):
            refuse_same(
                [
                    before[1],
                    *(str(key) for (key,) in execute(con, names_in_file) if key.lower() == before[1].lower()),
                ][1:],
                title,
            )


def materialize(con: duckdb.DuckDBPyConnection, raw: exp.Table, text: Text, title: str) -> None:
    """Make the temporary table `raw` of all rows of a file. Errors: InputError, which tells no data."""
    try:
        execute(con, create(raw, text.rows, temporary=True))
    except LimitError:
        raise
    except SqlanonError as error:
        raise _unreadable(error, title) from error


# Types


@dataclass(frozen=True)
class Column:
    """A column of a text file, as it is read. order: what its texts have the order of."""

    name: str
    position: str
    reading: Reading | None = None  # None: text
    order: Reading | None = None


def _function(name: str, *arguments: exp.Expression) -> exp.Expression:
    return exp.Anonymous(this=name, expressions=list(arguments))


def _macro(name: str, *arguments: exp.Expression) -> exp.Expression:
    function = exp.Anonymous(this=name, expressions=[argument.copy() for argument in arguments])
    return exp.Dot(this=exp.to_identifier("sqlanon"), expression=function)


Tests = Mapping[str, Sequence[str]]  # column -> tests


def _passed(
    con: duckdb.DuckDBPyConnection, tbl: str, tests: Tests, most: int | None = None
) -> dict[str, list[str]]:
    """The tests that hold for all rows, or for so many of them, by column."""
    pending = [(position, test) for position, each in tests.items() for test in each]
    answers: list[bool] = []
    for first in range(0, len(pending), AT_ONCE):
        positions, pending_tests = zip(*pending[first : first + AT_ONCE], strict=True)
        [[some]] = execute(con, call("_tests_passed", tbl, [*positions], [*pending_tests], most))
        answers += some
    passed: dict[str, list[str]] = {position: [] for position in tests}
    for (position, test), holds in zip(pending, answers, strict=True):
        if holds:
            passed[position].append(test)
    return passed


def _narrowest(con: duckdb.DuckDBPyConnection, tbl: str, tests: Tests) -> dict[str, str]:
    """The first test that holds for all rows, by column. A look at some rows spares most of the work."""
    left = _passed(con, tbl, tests, SAMPLE)
    types: dict[str, str] = {}
    while left := {position: each for position, each in left.items() if each}:
        passed = _passed(con, tbl, {position: each[:1] for position, each in left.items()})
        types |= {position: each[0] for position, each in passed.items() if each}
        left = {position: each[1:] for position, each in left.items() if position not in types}
    return types


def _scales(con: duckdb.DuckDBPyConnection, raw: exp.Table, positions: Sequence[str]) -> dict[str, int]:
    """How many decimals the first rows have, by column."""
    if not positions:
        return {}
    decimals: list[exp.Expression] = [
        _function(
            "max",
            _function("length", _function("split_part", exp.column(position), literal("."), literal(2))),
        )
        for position in positions
    ]
    [scales] = execute(con, select(select(raw).limit(SAMPLE).subquery(), *decimals))
    return {position: scale or 0 for position, scale in zip(positions, scales, strict=True)}


def typed(
    con: duckdb.DuckDBPyConnection, raw: exp.Table, text: Text, roles: Roles, title: str
) -> tuple[list[Column], list[str]]:
    """The columns of a text file, which is in the table `raw`, and what there is to say about them.

    Errors: InputError for a value that is not of the type that the user says.
    """
    declared = {name.lower(): Reading.of(said) for name, said in roles.types.items()}
    sensitive, qi = lower(roles.sensitive), lower(roles.qi)
    unchanged = sensitive | lower(roles.keep)
    positions = {_position(i): name for i, name in enumerate(text.names)}
    tests: dict[str, list[str]] = {}
    fractional = [
        position
        for (position, name), types in zip(positions.items(), text.types, strict=True)
        if types is EXACT and name.lower() not in declared
    ]
    scales = _scales(con, raw, fractional)
    for (position, name), types in zip(positions.items(), text.types, strict=True):
        if isinstance(types, str):
            continue
        if said := declared.get(name.lower()):
            if _are_plain(con, raw, position, said):
                said = declared[name.lower()] = Reading(said.type)
            if said.type != TEXT:
                called = roles.types[_key(roles.types, name)]
                _check(con, raw, exp.column(position), said, f"{title}: column {name}", called)
            tests[position] = [said.type] if said.type != TEXT and said.format is None else []
            continue
        tests[position] = [
            f"decimal(18, {scales[position]})" if type_ == "decimal" else type_
            for type_ in types
            if type_ != "decimal" or 0 < scales[position] < 18
        ]
        if name.lower() in qi - unchanged and "timestamp" in types:
            tests[position].insert(tests[position].index("timestamp"), MIDNIGHT)
        if types is EXACT and name.lower() not in unchanged:
            tests[position] += [
                NUMBER,
                *(f"{test}{BEHIND_A_BLANK}" for test in tests[position] if test != MIDNIGHT),
            ]
        if name.lower() in sensitive | qi:
            tests[position] += [*(LOOSE if types is EXACT else ()), DIGITS]
    narrowest = _narrowest(con, raw.name, tests)
    columns: list[Column] = []
    doubtful: dict[str, str] = {}
    formatted = _of_digits(con, raw.name, [name for name, test in narrowest.items() if test == DIGITS])
    formatted |= _of_units(con, raw.name, [
        position for position, name in positions.items() if name.lower() in qi and position in tests
        and position not in narrowest and name.lower() not in declared
    ])  # fmt: skip
    for (position, name), types in zip(positions.items(), text.types, strict=True):
        narrow, said = narrowest.get(position), declared.get(name.lower())
        if isinstance(types, str):
            columns.append(Column(name, position, Reading(types)))
        elif said and said.type != TEXT and narrow is None:
            kept = name.lower() in unchanged
            order = said if name.lower() in sensitive else None
            columns.append(Column(name, position, None if kept else said, order))
        elif narrow in LOOSE:
            type_ = narrow.removeprefix(LOOSELY)
            order = Reading(type_) if name.lower() in sensitive else None
            columns.append(Column(name, position, None, order))
            if name.lower() in qi:
                doubtful[position] = type_
        elif narrow is None or narrow == DIGITS:
            columns.append(Column(name, position))
        else:
            read_as = {NUMBER: "double", MIDNIGHT: "date"}.get(narrow, narrow.removesuffix(BEHIND_A_BLANK))
            columns.append(Column(name, position, Reading(read_as)))
    texts = [
        each.position for each in columns if each.reading is None and each.name.lower() in sensitive | qi
    ]
    doubts = [
        *_missing_doubts(con, raw, texts, positions, title, roles.unknown),
        *_words_doubts(con, raw, [each for each in texts if positions[each].lower() in qi], positions, title),
        *_doubts(con, raw, doubtful, positions, title),
        *(doubt_of_formats(title, positions[position], readings(con, raw.name, position, found))
          for position, found in formatted.items() if positions[position].lower() in qi),
    ]  # fmt: skip
    return columns, doubts


def _of_digits(con: duckdb.DuckDBPyConnection, tbl: str, columns: Sequence[str]) -> dict[str, list[str]]:
    """The types with a format that all values can be read by, where there are any: by column."""
    [[tried]] = execute(con, "select sqlanon._formats_tried()")
    return _formats(con, tbl, dict.fromkeys(columns, tried))


def _of_units(con: duckdb.DuckDBPyConnection, tbl: str, columns: Sequence[str]) -> dict[str, list[str]]:
    """The types with a format that read all numbers with a unit (34 ans, 24,50 €), by column."""
    if not columns:
        return {}
    units = [_macro("_unit_of_numbers", exp.column(name, quoted=True)) for name in columns]
    [found] = execute(con, select(select(relation(tbl)).limit(SAMPLE).subquery(), *units))
    tried = {
        name: execute(con, "select sqlanon._formats_tried_of_unit($1)", [unit])[0][0]
        for name, unit in zip(columns, found, strict=True) if unit is not None
    }  # fmt: skip
    passed = _formats(con, tbl, tried)
    whole = {name: [each for each in found if each.startswith("integer")] for name, found in passed.items()}
    return {name: whole[name] or found for name, found in passed.items()}


def _formats(
    con: duckdb.DuckDBPyConnection, tbl: str, tried: Mapping[str, Sequence[str]]
) -> dict[str, list[str]]:
    """By column, the types with a format that read all its values; without columns that have none."""
    if not tried:
        return {}
    tests: Tests = {column: [f"{FORMATTED}{each}" for each in types] for column, types in tried.items()}
    for most in (SAMPLE, None):
        tests = {column: found for column, found in _passed(con, tbl, tests, most).items() if found}
    return {column: [each.removeprefix(FORMATTED) for each in found] for column, found in tests.items()}


Way = tuple[str, list[str]]  # a type, with its format if it has one, and three texts as it reads them


def readings(con: duckdb.DuckDBPyConnection, tbl: str, column: str, types: Sequence[str]) -> list[Way]:
    """What types make of a column, which all of them can read; those that differ."""
    return execute(con, call("_ways_to_read", tbl, column, [*types]).select("said", "shown", append=False))


def formats_of_texts(
    con: duckdb.DuckDBPyConnection, tbl: str, columns: Sequence[str] | None = None
) -> dict[str, list[Way]]:
    """By column of text, the types with a format that it can be read by. tbl: a name for query_table.
    columns: of text, if not all are wanted."""
    texts = columns
    if texts is None:
        described = execute(con, exp.Describe(this=select(relation(tbl))))
        texts = [str(name) for name, type_, *_ in described if type_ == TEXT.upper()]
    found = _of_digits(con, tbl, list(_narrowest(con, tbl, {name: [DIGITS] for name in texts})))
    found |= _of_units(con, tbl, [name for name in texts if name not in found])
    return {name: readings(con, tbl, name, types) for name, types in found.items()}


def doubt_of_formats(title: str, name: str, found: Sequence[Way]) -> str:
    """What to say of a column that looks like dates or numbers, and is read as text."""
    type_ = found[0][0].partition(" ")[0]
    return (
        f"{title}: {name} is read as text, whose values have no ranges. It looks like "
        f"{'an' if type_ == 'integer' else 'a'} {type_}: {_ways(name, found)}"
    )


def _ways(name: str, found: Sequence[Way]) -> str:
    """How a column can be read, and what becomes of it then."""
    return ", or ".join(
        f"--types {name}={shlex.quote(said)} reads {', '.join(shown)}" for said, shown in found[:3]
    )


def _are_plain(con: duckdb.DuckDBPyConnection, raw: exp.Table, position: str, said: Reading) -> bool:
    """Are all values of a column written as SQL writes them, whatever another file has: days 1970-03-11, as
    those of sheets are; or numbers without the unit that the format has? 1.234 is none: it may be 1234."""
    if said.format is None or (said.type != "date" and not re.search(r"^\D|\D$", said.format)):
        return False
    plain = r"\d{4}-\d\d-\d\d" if said.type == "date" else r"[-+]?\d+(\.(\d{1,2}|\d{4,}))?"
    is_plain = _function("regexp_full_match", exp.column(position), literal(plain))
    [[are_plain]] = execute(con, select(raw, _function("bool_and", is_plain)))
    return bool(are_plain)


def _key(types: Mapping[str, str], name: str) -> str:
    return next(key for key in types if key.lower() == name.lower())


def _check(
    con: duckdb.DuckDBPyConnection, raw: exp.Table, column: exp.Column, said: Reading, at: str, called: str
) -> None:
    """Errors: InputError if a value is not of a type."""
    wrong = exp.not_(_macro("_can_be_read", column, said.tried(column)))
    query = select(raw, "count(*)", "min(rowid) + 1").where(wrong)
    [(rows, first)] = execute(con, query)
    if rows:
        others = f", nor are {rows - 1:,} others" if rows > 1 else ""
        has_offset = exp.LogicalOr(this=_macro("_has_zone", column))
        [(with_offset,)] = execute(con, select(raw, has_offset))
        why = ""
        if said.type in OF_TIME and said.format is None and with_offset:
            why = " (02:30+02:00 has an offset, without which it would be another time)"
        ways = _passed(con, raw.name, {column.name: [said.type]})[column.name]
        ways += [way for way, _ in formats_of_texts(con, raw.name, [column.name]).get(column.name, [])]
        why += f"; as {' or '.join(ways)} it can be read: types in [input] of a policy say so" if ways else ""
        raise InputError(f"{at}, row {first:,}: the value is not of type {called}{others}{why}")
    if said.may_be_of_another_century:
        _check_births(con, raw, column, said, at, called)


def _check_births(
    con: duckdb.DuckDBPyConnection, raw: exp.Table, column: exp.Column, said: Reading, at: str, called: str
) -> None:
    """Errors: InputError if dates of birth, whose years have two digits, are after today."""
    is_later = exp.GT(this=exp.cast(said.tried(column), "date"), expression=exp.CurrentDate())
    [(rows, first)] = execute(con, select(raw, "count(*)", "min(rowid) + 1").where(is_later))
    name = at.rpartition(": column ")[2]
    [(is_birth, year)] = execute(
        con, "select sqlanon._is_called($1, 'birth'), sqlanon._first_birth_year()", [name]
    )
    if rows and is_birth:
        others = f", and so are {rows - 1:,} others" if rows > 1 else ""
        raise InputError(
            f"{at}, row {first:,}: read as {called} the date is after today{others}. Say of which hundred "
            f"years it is: '{called} from {year}'"
        )


def _doubts(
    con: duckdb.DuckDBPyConnection,
    raw: exp.Table,
    doubtful: Mapping[str, str],
    positions: Mapping[str, str],
    title: str,
) -> Iterator[str]:
    """What to say of quasi-identifiers that look like numbers or times, and are read as text.

    Codes are meant to be.
    """
    if not doubtful:
        return
    codes: list[exp.Expression] = [
        _function("bool_or", _macro("_is_code", exp.column(position))) for position in doubtful
    ]
    [counts] = execute(con, select(raw, *codes))
    others = _of_digits(con, raw.name, [*doubtful])
    for (position, type_), are_codes in zip(doubtful.items(), counts, strict=True):
        if not are_codes:
            name = positions[position]
            found = readings(con, raw.name, position, [type_, *others.get(position, ())])
            yield (
                f"{title}: {name} is text, as its values would not leave as they are written if they were "
                f"read as {found[0][0]}: {_ways(name, found)}"
            )


def _missing_doubts(
    con: duckdb.DuckDBPyConnection,
    raw: exp.Table,
    texts: Sequence[str],
    names: Mapping[str, str],
    title: str,
    unknown: Collection[str] | None,
) -> Iterator[str]:
    """What to say of texts that surely say that there is no value. texts: columns by position; unknown: as in
    Roles, where a cell counts with the blanks around it."""
    if not texts:
        return

    def read(column: exp.Column) -> exp.Expression:
        return column if unknown is not None else _function("trim", column)

    found: list[exp.Expression] = [
        exp.Filter(
            this=_function("list", exp.Distinct(expressions=[read(exp.column(position))])),
            expression=exp.Where(this=_macro("_stands_for_missing", exp.column(position))),
        )
        for position in texts
    ]
    [words] = execute(con, select(raw, *found))
    for position, found_there in zip(texts, words, strict=True):
        each = sorted(set(found_there or ()).difference(unknown or ()))
        if each:
            hint = f"--missing '{','.join(each)}' reads it as missing"
            if unknown is not None:
                hint = " ".join(f"--unknown '{word}'" for word in each) + " says that nothing is known"
            yield f"{title}: {names[position]} has {' and '.join(each)}, which is a value like others: {hint}"


def _words_doubts(
    con: duckdb.DuckDBPyConnection, raw: exp.Table, texts: Sequence[str], names: Mapping[str, str], title: str
) -> Iterator[str]:
    """What to say of columns that are text for a few words among numbers or dates. texts: as above."""
    if not texts:
        return
    columns = (_macro("_words_among_numbers", exp.column(position)) for position in texts)
    [found] = execute(con, select(raw, *columns))
    for position, words in zip(texts, found, strict=True):
        if words:
            yield (
                f"{title}: {names[position]} is read as text, whose values have no ranges, because of "
                f"{' and '.join(sorted(words))} among its numbers or dates: --missing "
                f"{shlex.quote(','.join(sorted(words)))} reads it as missing"
            )


def statements(name: str, source: exp.Expression, columns: Sequence[Column]) -> list[exp.Expression]:
    """What makes the table `name` of a source that has the columns by position."""
    made: list[exp.Expression] = []
    chosen: list[exp.Expression] = []
    for column in columns:
        value: exp.Expression = exp.column(column.position)
        if column.order is not None:
            type_ = exp.to_identifier(f"{name}.{column.name}", quoted=True)
            made.append(_ordered(type_, source, value, column.order))
            value = exp.Cast(this=value, to=exp.DataType(this=exp.DataType.Type.USERDEFINED, kind=type_))
        elif column.reading is not None:
            value = column.reading.value(value)
        chosen.append(exp.Alias(this=value, alias=exp.to_identifier(column.name, quoted=True)))
    table = exp.Create(
        this=exp.table_(name, quoted=True),
        kind="TABLE",
        expression=select(source.copy(), *chosen),
        properties=exp.Properties(expressions=[exp.TemporaryProperty()]),
    )
    return [*made, table]


def _ordered(
    type_: exp.Identifier, source: exp.Expression, value: exp.Expression, order: Reading
) -> exp.Create:
    """A type of the texts of a column in the order of what they say."""
    read = order.tried(value)
    known = (
        select(source.copy(), value.copy())
        .distinct()
        .where(exp.not_(exp.Is(this=value.copy(), expression=exp.null())))
    )
    texts = select(known.subquery(), value.copy()).order_by(read, value.copy())
    return exp.Create(
        this=type_.copy(),
        kind="TYPE",
        expression=exp.Anonymous(this="ENUM", expressions=[texts]),
        properties=exp.Properties(expressions=[exp.TemporaryProperty()]),
    )
