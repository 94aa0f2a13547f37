"""Tables in files: what the command line reads and writes.

A file is CSV, TSV, JSON, Parquet, a spreadsheet or a file of SPSS or Stata by the end of its name (the text
formats also as .gz or .zst); a table in a DuckDB file is `file.duckdb::table` or `file.duckdb::schema.table`,
a sheet `file.xlsx::sheet`.
"""

import contextlib
import re
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeAlias, cast

import duckdb
from sqlglot import exp

from sqlanon.core import (
    ending,
    framed_files,
    library,
    limits,
    printed_tables,
    spreadsheets,
    statements,
    survey_files,
    text_files,
)
from sqlanon.core.connection import SLOW_PASS
from sqlanon.core.days import days_among, with_days
from sqlanon.core.errors import InputError, SqlanonError, UseError, values_are_shown
from sqlanon.core.outputs import check_folder, make_journal, private_folder, remove_empty_journal, replacing
from sqlanon.core.remarks import remark
from sqlanon.core.shown import show_values
from sqlanon.core.text_files import OF_NUMBERS, Roles

SPREADSHEET = "read_xlsx"
# The end of a file's name, without .gz or .zst -> the function that reads it, and how COPY writes it.
FORMATS: dict[str, tuple[str, dict[str, str | bool]]] = {
    ".csv": ("read_csv", {"format": "csv", "header": True}),
    ".tsv": ("read_csv", {"format": "csv", "header": True, "delimiter": "\t"}),
    ".tab": ("read_csv", {}),
    ".txt": ("read_csv", {}),
    ".json": ("read_json", {"format": "json", "array": True}),
    ".ndjson": ("read_json", {"format": "json"}),
    ".jsonl": ("read_json", {"format": "json"}),
    ".parquet": ("read_parquet", {"format": "parquet"}),
    ".xlsx": (SPREADSHEET, {}),
    ".sav": (survey_files.SPSS, {}),
    ".dta": (survey_files.STATA, {}),
}
READ_ONLY = (".tab", ".txt")  # nobody can tell from these what is between their fields
COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}
KNOWN = (
    "a file (.csv, .tsv, .tab, .txt, .json, .ndjson, .jsonl, each also with .gz or .zst, .parquet, .xlsx, "
    ".sav or .dta) "
    "or file.duckdb::table"
)


# The oldest one that every supported line of DuckDB reads; the newest one writes files that the others cannot
# open.
STORAGE_VERSION = "v1.2.0"
ASSUMED = "windows-1252"  # of a text file that is not UTF-8
NEW = "output"  # the name of a DuckDB file that is being written
_FILES = "select count(path) from duckdb_databases() where lower(database_name) <> 'sqlanon'"
NO_ROLES = Roles()
# Up to here statements take longer with several threads than with one: of texts (10,000 rows, say), and of
# DuckDB files, in which a few small tables take a megabyte.
SMALL_TEXT, SMALL_DATABASE = 2**18, 2**23  # bytes


@dataclass(frozen=True)
class Place:
    """Where a table is: a file, or a table in a DuckDB file."""

    path: Path
    table: str | None = None  # in a DuckDB file
    reader: str = ""
    options: tuple[tuple[str, str | bool], ...] = ()  # of COPY
    sheet: str | None = None  # of a spreadsheet; None: the first

    def __str__(self) -> str:
        within = self.table or self.sheet
        return f"{self.path}::{within}" if within else str(self.path)

    @property
    def is_text(self) -> bool:
        """Is it a text file, of which types and missing values are found out?"""
        return self.reader in ("read_csv", "read_json", SPREADSHEET, *survey_files.KINDS)

    @property
    def is_of_duckdb(self) -> bool:
        """Does DuckDB write it by itself?"""
        return self.table is not None or (bool(self.options) and _ending(self.path) not in READ_ONLY)

    @property
    def holds_notes(self) -> bool:
        """Can what is there say where it came from?"""
        return self.table is not None or self.reader == "read_parquet"


Outputs: TypeAlias = Sequence[tuple[exp.Expression, Place]]


def place(text: str) -> Place:
    """The place that a user means by `people.csv` or `file.duckdb::people`."""
    path, separator, table = text.rpartition("::")
    if separator:
        if not path or not table:
            raise UseError(f"{text} is not {KNOWN}")
        if Path(path.lower()).suffix == ".xlsx":
            return Place(Path(path), None, SPREADSHEET, sheet=table)
        return Place(Path(path), table)
    name = Path(text).name.lower()
    if name.endswith((".duckdb", ".ddb")):
        raise UseError(f"{text} is a DuckDB file: name a table in it, {text}::table")
    stem, compression = name, ""
    for suffix in COMPRESSIONS:
        if name.endswith(suffix):
            stem, compression = name.removesuffix(suffix), suffix
    known_format = FORMATS.get(Path(stem).suffix)
    if not known_format or (compression and known_format[0] not in ("read_csv", "read_json")):
        why = "; the end of its name has to say what is in it" if Path(text).is_file() else ""
        raise UseError(f"{text} is not {KNOWN}{why}")
    reader, options = known_format
    if compression:
        options = {**options, "compression": COMPRESSIONS[compression]}
    return Place(Path(text), None, reader, tuple(options.items()))


def _ending(path: Path) -> str:
    """The end of a file's name that says what is in it, without .gz or .zst."""
    name = path.name.lower()
    for suffix in COMPRESSIONS:
        name = name.removesuffix(suffix)
    return Path(name).suffix


def is_small(source: Place) -> bool:
    """Is there so little in a file that threads do not help? The size of a compressed text or a table does
    not tell: it counts as large."""
    is_plain = source.reader in ("read_csv", "read_json") and _compression(source) == "uncompressed"
    return is_plain and source.path.stat().st_size <= SMALL_TEXT


def is_small_database(path: Path) -> bool:
    """Is a DuckDB file small, or not there yet?"""
    return not path.is_file() or path.stat().st_size <= SMALL_DATABASE


def existing(text: str) -> Place:
    """The place that a user means, in a file that is there."""
    source = place(text)
    if not source.path.is_file():
        is_folder = source.path.is_dir()
        raise UseError(f"{source.path} is a folder" if is_folder else f"there is no file {source.path}")
    return source


def check_inputs(*texts: str | None) -> None:
    """Are the files of tables there? Errors: UseError."""
    for text in texts:
        if text is not None:
            existing(text)


def check_output(target: Place, force: bool) -> None:
    """Can an output be written, as far as its file tells? Errors: UseError."""
    if target.table is None and _ending(target.path) in READ_ONLY:
        raise UseError(f"{target} is not a file that can be written: name a .csv file")
    check_folder(target.path)
    if target.path.is_dir():
        raise UseError(f"{target.path} is a folder")
    if not target.path.exists():
        if target.table is not None and Path(target.path.name.lower()).suffix in (*FORMATS, *COMPRESSIONS):
            raise UseError(f"{target} is a table in a DuckDB file, which is called .duckdb or .db")
        return
    if not target.path.is_file():
        raise UseError(f"{target.path} is not a file that can be replaced")
    if target.table is None and not force:
        raise UseError(f"{target} exists: give --force to replace it")


def _path(path: Path) -> str:
    """A path as DuckDB takes it: one that begins with ~, or as an address does, means something else."""
    text = str(path)
    return f"./{text}" if re.match(r"~|[\w.+-]+:", text) else text


def as_pattern(path: Path) -> str:
    """The pattern that matches this path only, for a function of DuckDB that takes patterns of paths."""
    text = _path(path)
    if "\\" in text and re.search(r"[*?\[]", text):  # it takes the backslash as the end of a folder's name
        raise UseError(
            f"{text}: DuckDB cannot read a file with a backslash and one of *, ? and [ in its name"
        )
    return re.sub(r"([*?\[])", r"[\1]", text)


def _name(name: str) -> str:
    """A name for query_table, quoted."""
    return exp.to_identifier(name, quoted=True).sql("duckdb")


def attach(
    path: Path,
    alias: str,
    *,
    read_only: bool = False,
    storage_version: str | None = None,
    encryption_key: str | None = None,
) -> exp.Attach:
    """ATTACH 'path' AS alias (TYPE duckdb, ...)."""
    options = [exp.AttachOption(this=exp.var("TYPE"), expression=exp.var("duckdb"))]
    if read_only:
        options.append(exp.AttachOption(this=exp.var("READ_ONLY")))
    if storage_version:
        version = exp.Literal.string(storage_version)
        options.append(exp.AttachOption(this=exp.var("STORAGE_VERSION"), expression=version))
    if encryption_key is not None:
        key = exp.Literal.string(encryption_key)
        options.append(exp.AttachOption(this=exp.var("ENCRYPTION_KEY"), expression=key))
    named = exp.alias_(exp.Literal.string(_path(path)), alias, quoted=True)
    return exp.Attach(this=named, expressions=options)


def detach(alias: str) -> exp.Detach:
    """DETACH alias."""
    return exp.Detach(this=exp.to_identifier(alias, quoted=True))


def _compression(source: Place) -> str:
    """How a text file is compressed."""
    return str(dict(source.options).get("compression", "uncompressed"))


def is_duckdb_file(path: Path) -> bool:
    """Does a file begin as one of DuckDB's? (DuckDB would also attach others, with an extension for them.)"""
    with path.open("rb") as file:
        return file.read(12)[8:] == b"DUCK"


def copy(query: exp.Expression, written: Path, target: Place, notes: Mapping[str, str]) -> exp.Expression:
    """COPY (query) TO 'file' (...), in the target's format, with notes if that can hold them."""
    options = {name: statements.literal(value) for name, value in target.options}
    if notes and target.holds_notes:
        pairs = [
            exp.PropertyEQ(this=exp.Literal.string(name), expression=exp.Literal.string(note))
            for name, note in notes.items()
        ]
        options["kv_metadata"] = exp.Struct(expressions=pairs)
    parameters = [
        exp.CopyParameter(this=exp.var(name.upper()), expression=value) for name, value in options.items()
    ]
    return exp.Copy(
        this=exp.Subquery(this=query),
        kind=False,
        files=[exp.Literal.string(_path(written))],
        params=parameters,
    )


def comment(table: exp.Table, notes: Mapping[str, str]) -> list[exp.Expression]:
    """COMMENT ON TABLE table IS 'notes', if there are any."""
    if not notes:
        return []
    return [exp.Comment(this=table.copy(), kind="TABLE", expression=exp.Literal.string(as_text(notes)))]


def as_text(notes: Mapping[str, str]) -> str:
    """Notes in a line."""
    return ", ".join(f"{name}: {note}" for name, note in notes.items())


def column_names(con: duckdb.DuckDBPyConnection, name: str) -> list[str]:
    """The columns of a relation."""
    return _columns_of(con, statements.select(statements.relation(name)))


def _columns_of(con: duckdb.DuckDBPyConnection, query: exp.Expression) -> list[str]:
    return [str(row[0]) for row in statements.execute(con, exp.Describe(this=query.copy()))]


def create(name: exp.Table, query: exp.Expression, replace: bool) -> exp.Expression:
    """CREATE [OR REPLACE] TABLE name AS query."""
    return exp.Create(this=name, kind="TABLE", expression=query, replace=replace)


def with_relations(query: exp.Select, relations: Mapping[str, exp.Query]) -> exp.Select:
    """WITH name AS (...) ... query."""
    for name, rows in relations.items():
        query = query.with_(name, as_=rows)
    return query


def after(query: exp.Select, relations: Mapping[str, exp.Query]) -> exp.Select:
    """The query with common table expressions before its own."""
    if not relations:
        return query
    query = query.copy()
    own = query.ctes
    for cte in own[:1]:
        cast(exp.With, cte.parent).pop()
    query = with_relations(query, relations)
    for cte in own:
        cast(exp.With, query.ctes[0].parent).append("expressions", cte)
    return query


def enums_as_text(con: duckdb.DuckDBPyConnection, query: exp.Expression) -> list[exp.Expr]:
    """The columns of a query that have an ENUM type, as text: the type names all values that it may have,
    also those that nobody in the rows has."""
    described = statements.execute(con, exp.Describe(this=query.copy()))
    return [
        exp.cast(exp.column(name, quoted=True), "text[]" if type_.endswith("[]") else "text").as_(
            name, quoted=True
        )
        for name, type_, *_ in described
        if type_.startswith("ENUM(")
    ]


class Session:
    """A DuckDB connection of its own, with sqlanon registered, that reads and writes files.

    `prelude` holds the statements that brought the files into the session: what has to stand before a
    statement for it to run elsewhere. Nothing of the session is left behind, wherever it ends.

    small: is everything small that is there beside what it reads? Then it has one thread, until it reads
    something that is not small.
    """

    def __init__(self, small: bool = False) -> None:
        self._has_one_thread = small
        self.prelude: list[exp.Expression] = []
        self._attached: dict[Path, tuple[str, bool]] = {}  # file -> its name, and is it read only?
        self._written: set[Path] = set()
        self._read: dict[tuple[str, str], str] = {}  # what was read as what -> its name
        self._reported: set[str] = set()  # of files that are read in several ways
        self._is_trying = False
        self._labels: dict[str, dict[str, str]] = {}  # of columns, by what reads their file
        self.repairs: dict[str, Any] = {}  # keys of [input] by which a first look has read a file
        self.rewritten: list[str] = []  # files of which DuckDB alone would not read the same

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as until_left:
            spill = self.folder = until_left.enter_context(private_folder(Path(tempfile.gettempdir())))
            config: dict[str, str | bool | int | float | list[str]] = {
                "temp_directory": str(spill),
                "python_enable_replacements": False,  # people.csv is no Python variable named csv
                **({"threads": 1} if self._has_one_thread else {}),
                **limits.settings(),
            }
            self.con = duckdb.connect(config=config)
            until_left.callback(self._close)
            statements.execute(
                self.con, "set enable_progress_bar = false"
            )  # DuckDB's own, which is on stdout
            if not duckdb.__version__.startswith("1."):
                statements.execute(self.con, f"set disabled_optimizers = '{SLOW_PASS}'")
            library.register(self.con)
            if values_are_shown():
                show_values(self.con)
            self._until_left = until_left.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._until_left.close()

    def limit(self) -> None:
        """Keep to limits that were read after the connection was opened: those of a register's policy."""
        for name, size in limits.settings().items():
            statements.execute(self.con, f"set {name} = '{size}'")

    def _close(self) -> None:
        """Close the connection. One that has nothing outside of memory ends with the process, where that runs
        one command: to take the macros apart takes as long as several statements."""
        if ending.with_the_process is not None and self._is_in_memory():
            ending.with_the_process.append(self.con)
        else:
            self.con.close()

    def _is_in_memory(self) -> bool:
        try:
            with self.con.cursor() as cursor:
                [(files,)] = cursor.execute(_FILES).fetchall()
        except duckdb.Error:
            return False
        return not files and not any(self.folder.iterdir())

    def will_write(self, target: Place) -> None:
        """Announce a DuckDB file that `write` is going to write to, before it is read from."""
        self._written.add(target.path.resolve())

    def read(self, text: str, roles: Roles = NO_ROLES) -> str:
        """Bring a user's table in and return its name for query_table.

        roles: of its columns, if it has them.
        """
        source = existing(text)
        if self._has_one_thread and not is_small(source):
            statements.execute(self.con, "reset threads")
            self._has_one_thread = False
        known = text, repr(roles)
        if known in self._read:
            return self._read[known]
        title = text.replace('"', "'")  # which DuckDB 1.5 would misread in a name
        name, again = title, 1
        while _name(name) in self._read.values():
            again += 1
            name = f"{title} ({again})"
        if source.table is not None:
            alias = self._open(source.path)
            schema, table = self._table_in(alias, source)
            self._view(name, statements.table(table, schema, alias), roles)
        elif source.reader == "read_parquet":
            self._view(name, self._parquet(source), roles)
        else:
            self._texts(name, source, roles)
        self._read[known] = _name(name)
        return self._read[known]

    def column(self, text: str, roles: Roles, theirs: str, ours: str) -> str:
        """A table of one column of a user's table, under another name, and read as roles says of that name.
        The file itself is read once, however many of its columns are read so."""
        plain = replace(roles, types={}, missing=(), missing_in={}, digits={}, trim=(), fold=())
        names = column_names(self.con, self.read(text, plain))
        texts = self.read(text, replace(plain, types=dict.fromkeys(names, "text")))
        name = f"{texts}: {theirs} as {ours} ({len(self._read)})".replace('"', "")
        column = exp.Alias(this=exp.column(theirs, quoted=True), alias=exp.to_identifier("c1"))
        rows = statements.select(statements.relation(texts), column)
        [(_, type_, *_)] = statements.execute(self.con, exp.Describe(this=rows.copy()))
        types: list[str | text_files.Types] = [text_files.EXACT if type_ == "VARCHAR" else str(type_)]
        self._of_text(
            name, existing(text), replace(roles, called={}), text_files.Text(rows, [ours], types), None
        )
        self._read[name, ""] = _name(name)
        return _name(name)

    def _view(self, name: str, relation: exp.Table, roles: Roles) -> None:
        """A view of a table. Quasi-identifiers whose times are all at midnight are days: what is released
        would be [1970-03-11 00:00:00, ...] otherwise. What leaves unchanged stays as it is."""
        relation = self._as_called(name, relation, roles)
        view = exp.Create(
            this=statements.table(name),
            kind="VIEW",
            expression=self._cleaned(with_days(relation, days_among(self.con, relation, roles.qi)), roles),
            properties=exp.Properties(expressions=[exp.TemporaryProperty()]),
        )
        self._prepare(view)

    def _as_called(self, name: str, relation: exp.Table, roles: Roles) -> exp.Table:
        """The table, with our names for what it calls otherwise."""
        if not roles.called:
            return relation
        names = [
            str(row[0])
            for row in statements.execute(self.con, exp.Describe(this=statements.select(relation)))
        ]
        ours = text_files.as_called(names, roles.called, name)
        if names == ours:
            return relation
        columns = [
            exp.Alias(this=exp.column(name, quoted=True), alias=exp.to_identifier(our, quoted=True))
            for name, our in zip(names, ours, strict=True)
        ]
        view = statements.table(f"{name}, columns as we call them")
        properties = exp.Properties(expressions=[exp.TemporaryProperty()])
        query = statements.select(relation, *columns)
        self._prepare(exp.Create(this=view, kind="VIEW", expression=query, properties=properties))
        return view

    def _cleaned(self, rows: exp.Select, roles: Roles) -> exp.Select:
        if not roles.trim and not roles.fold:
            return rows
        described = statements.execute(self.con, exp.Describe(this=rows.copy()))
        return text_files.cleaned(rows, {str(row[0]): str(row[0]) for row in described}, roles)

    def _parquet(self, source: Place) -> exp.Table:
        """The rows of a Parquet file. Errors: InputError if it is none, or has two columns of one name."""
        path = as_pattern(source.path)
        no_folders = exp.PropertyEQ(this=exp.to_identifier("hive_partitioning"), expression=exp.false())
        rows = exp.Table(
            this=exp.Anonymous(this=source.reader, expressions=[statements.literal(path), no_folders])
        )
        schema = exp.Table(this=exp.Anonymous(this="parquet_schema", expressions=[statements.literal(path)]))
        try:
            described = statements.execute(self.con, exp.Describe(this=statements.select(rows.copy())))
        except SqlanonError as error:
            message = getattr(error, "message", str(error))
            raise InputError(f"{source} cannot be read as Parquet: {message}") from error
        names = [str(row[0]) for row in described]
        text_files.refuse_renamed(self.con, names, statements.select(schema, "name"), str(source))
        return rows

    def _texts(self, name: str, source: Place, roles: Roles) -> None:
        """Make the table of what a text file says: all of it, read once."""
        if source.reader == SPREADSHEET:
            self._sheet(name, source, roles)
            return
        if source.reader in survey_files.KINDS:
            self._survey(name, source, roles)
            return
        compression = _compression(source)
        encoding = roles.encoding or text_files.encoding_of(source.path, compression)
        if encoding and text_files.is_utf_8_after_all(source.path, compression, encoding):
            self._tell(f"{source} is UTF-8, and is read as such, not as {encoding}")
            encoding = None
        try:
            self._encoded_texts(name, source, roles, encoding)
        except text_files.NotUtf8Error as error:
            if encoding is not None:
                raise
            try:
                self._encoded_texts(name, source, roles, ASSUMED)
            except text_files.NotUtf8Error:
                raise error from None
            if roles.first_look:
                self.repairs["encoding"] = ASSUMED
                return
            self._tell(f"{source} is not UTF-8 text: it is read as {ASSUMED}. Another one: --encoding NAME")

    def _sheet(self, name: str, source: Place, roles: Roles) -> None:
        """A sheet is read as a CSV file of what it says."""
        written = self.folder / f"sheet_{len(self._read)}.csv"
        doubt = spreadsheets.write_csv(source.path, source.sheet, written)
        as_csv = as_pattern(source.path.with_suffix(".csv"))
        self._read_texts(name, replace(source, reader="read_csv"), roles, written, as_csv)
        if doubt is not None:
            self._tell(doubt)

    def _survey(self, name: str, source: Place, roles: Roles) -> None:
        """A file of SPSS or Stata is read as a CSV file of its labels."""
        written = self.folder / f"survey_{len(self._read)}.csv"
        numbers = [
            column for column, said in roles.types.items() if text_files.Reading.of(said).type in OF_NUMBERS
        ]
        survey = survey_files.write_csv(
            source.path, source.reader, str(source), written, roles.encoding, numbers
        )
        text_files.refuse_same(survey.names, str(source))
        known = self._labels.setdefault(source.reader, {})
        for column, label in survey.labels.items():
            known.setdefault(column.lower(), label)
        text = text_files.of_csv(as_pattern(written), survey.names, survey.types, survey.doubts)
        self._of_text(name, source, roles, text, written, as_pattern(source.path.with_suffix(".csv")))

    def _encoded_texts(self, name: str, source: Place, roles: Roles, encoding: str | None) -> None:
        """encoding: None for UTF-8."""
        if encoding is None:
            self._read_texts(name, source, roles)
            return
        written = self.folder / f"utf_8_{len(self._read)}"
        text_files.write_utf_8(source.path, _compression(source), encoding, written)
        self._read_texts(name, source, roles, written, as_pattern(source.path), encoding)

    def _read_texts(
        self, name: str, source: Place, roles: Roles, written: Path | None = None, original: str = "",
        encoding: str | None = None,
    ) -> None:  # fmt: skip
        """written: the file as UTF-8, if it is another one; it is removed. original: the file that a user
        reads instead, in this encoding."""
        path, compression = source.path, _compression(source)
        if written is not None:
            path, compression = written, "uncompressed"
        pattern, options = as_pattern(path), dict(source.options)
        if source.reader == "read_csv":
            delimiter = str(options["delimiter"]) if "delimiter" in options else None
            if (roles.only_table or roles.first_look) and (
                table := self._table_alone(source, path, delimiter, roles)
            ):
                written, encoding, compression = table, None, "uncompressed"
                original, pattern, path = as_pattern(source.path), as_pattern(written), written
            if roles.printed is not None and (
                table := self._printed(source, path, delimiter, roles.names, roles.printed)
            ):
                written, delimiter = table, ","
                original, encoding, compression = as_pattern(source.path), None, "uncompressed"
                pattern = as_pattern(written)
            try:
                text = text_files.read_csv(self.con, pattern, str(source), delimiter, compression, roles)
                self._of_text(name, source, roles, text, written, original, encoding)
            except text_files.RaggedError as error:
                around = framed_files.write_table(
                    path, compression, str(source), delimiter, self.folder / "around.csv"
                )
                way = f" ({around} by sqlanon init, and with its policy; by publish --only-table)"
                raise text_files.RaggedError(f"{error}{way if around else ''}") from error
        else:
            text = text_files.read_json(self.con, pattern, str(source), compression)
            self._of_text(name, source, roles, text, written, original, encoding)

    def _printed(
        self, source: Place, path: Path, delimiter: str | None, names: Sequence[str],
        printed: text_files.Printed,
    ) -> Path | None:  # fmt: skip
        """The table alone of a file that has more, as CSV. path: the file of the source, or its text as
        UTF-8, which is removed."""
        written = self.folder / f"printed_{len(self._read)}.csv"
        compression = _compression(source) if path == source.path else "uncompressed"
        is_padded = _ending(source.path) in READ_ONLY
        remarks = printed_tables.write_csv(
            path, compression, str(source), delimiter, names, printed, is_padded, written
        )
        if remarks is None:
            return None
        if path != source.path:
            path.unlink()
        self.rewritten.append(str(source))
        for each in remarks:
            self._tell(each)
        return written

    def _table_alone(
        self, source: Place, path: Path, delimiter: str | None, roles: Roles
    ) -> Path | None:  # fmt: skip
        """The file without the lines around its table, if there are any. path: as in _printed."""
        written = self.folder / f"table_{len(self._read)}.csv"
        compression = _compression(source) if path == source.path else "uncompressed"
        left_out = framed_files.write_table(path, compression, str(source), delimiter, written)
        if left_out is None:
            return None
        if path != source.path:
            path.unlink()
        self.rewritten.append(str(source))
        if roles.first_look:
            self.repairs["only_table"] = left_out
        else:
            self._tell(f"{source}: {left_out}")
        return written

    def _of_text(
        self, name: str, source: Place, roles: Roles, text: text_files.Text, written: Path | None,
        original: str = "", encoding: str | None = None,
    ) -> None:  # fmt: skip
        """The table of a text file, whose columns get their types."""
        if roles.called:
            text = replace(text, names=text_files.as_called(text.names, roles.called, str(source)))
        text = text.repaired(roles)
        if text.header:
            pairs = [[*dict.fromkeys(pair)] for pair in zip(text.header, text.names, strict=True)]
            self.repairs["rename"] = pairs
        by_name = {column: f"c{i}" for i, column in enumerate(text.names, 1)}
        text = replace(text, rows=text_files.cleaned(text.rows, by_name, roles))
        raw = statements.table("raw")
        text_files.materialize(self.con, raw, text, str(source))
        try:
            columns, doubts = text_files.typed(self.con, raw, text, roles, str(source))
            for statement in text_files.statements(name, raw, columns):
                statements.execute(self.con, statement)
        finally:
            statements.execute(self.con, statements.drop(raw))
        rows = text.rows
        if written is not None:
            written.unlink()
            if encoding and text_files.is_windows_1252(encoding) and _compression(source) == "uncompressed":
                copied = source.path.with_name(f"{source.path.name}.utf-8")
                self.prelude.append(text_files.copy_as_utf_8(original, str(copied)))
                original, encoding = as_pattern(copied), None
            rows = text_files.as_it_was(rows, written, original, encoding)
        self.prelude += text_files.statements(name, rows.subquery("line"), columns)
        for doubt in [*text.doubts, *doubts]:
            self._tell(doubt)

    @contextlib.contextmanager
    def trying(self) -> Iterator[None]:
        """While files are read to see what they might be, nothing is said of them."""
        before, self._is_trying = self._is_trying, True
        try:
            yield
        finally:
            self._is_trying = before

    def _tell(self, doubt: str) -> None:
        if self._is_trying:
            return
        if doubt not in self._reported:
            remark(doubt)
        self._reported.add(doubt)

    def answer(self, query: exp.Expression) -> exp.Table:
        """The table `answer` with all rows of a query: once they are there, nothing can go wrong any more."""
        table = exp.to_table("answer")
        statements.execute(self.con, create(table, query, replace=True))
        return table

    def make(self, name: str, query: exp.Expression) -> str:
        """A temporary table of the rows of a query; its name for query_table."""
        properties = exp.Properties(expressions=[exp.TemporaryProperty()])
        table = statements.table(name)
        self._prepare(exp.Create(this=table, kind="TABLE", expression=query, properties=properties))
        return _name(name)

    def _prepare(self, statement: exp.Expression) -> None:
        statements.execute(self.con, statement)
        self.prelude.append(statement)

    def _open(self, path: Path) -> str:
        """Attach a DuckDB file, once; its name here."""
        known = path.resolve()
        if known not in self._attached:
            if not is_duckdb_file(path):
                raise InputError(f"{path} is not a DuckDB file")
            # The file may be called temp.duckdb: its own name would be taken.
            alias = f"file_{len(self._attached) + 1}"
            read_only = known not in self._written
            self._prepare(attach(path, alias, read_only=read_only))
            self._attached[known] = alias, read_only
        return self._attached[known][0]

    def _tables_in(self, alias: str) -> list[tuple[str, str]]:
        return self.con.execute(
            """
            select schema_name, name
            from (
                select database_name, schema_name, table_name as name, internal from duckdb_tables()
                union all
                select database_name, schema_name, view_name as name, internal from duckdb_views()
            )
            where database_name = $alias and not internal
            order by schema_name <> 'main', schema_name, name
            """,
            {"alias": alias},
        ).fetchall()

    def _find(self, alias: str, table: str) -> tuple[str, str] | None:
        for schema, name in self._tables_in(alias):
            if table.lower() in (name.lower(), f"{schema}.{name}".lower()):
                return schema, name
        return None

    def _table_in(self, alias: str, source: Place) -> tuple[str, str]:
        existing_table = self._find(alias, source.table or "")
        if existing_table is None:
            known = [
                name if schema == "main" else f"{schema}.{name}" for schema, name in self._tables_in(alias)
            ]
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise UseError(f"there is no table {source.table} in {source.path}: {has}")
        return existing_table

    def _new_table(self, alias: str, table: str) -> exp.Table:
        """The table to make: in the schema that its name starts with, if there is one."""
        schema, _, name = table.partition(".")
        schemas = self.con.execute(
            "select schema_name from duckdb_schemas() where database_name = $alias and not internal",
            {"alias": alias},
        ).fetchall()
        known = {existing_schema.lower(): existing_schema for (existing_schema,) in schemas}
        if name and schema.lower() in known:
            return exp.table_(name, known[schema.lower()], alias, quoted=True)
        return exp.table_(table, "main", alias, quoted=True)

    def refuse_existing(self, target: Place, force: bool) -> None:
        """Refuse a table that is in its DuckDB file already, before any work is done."""
        if target.table is None or not target.path.exists():
            return
        existing_table = self._find(self._open(target.path), target.table)
        if existing_table and not force:
            raise UseError(f"{target} exists: give --force to replace it")

    def writing(self, outputs: Outputs, force: bool, notes: Mapping[str, str]) -> list[exp.Expression]:
        """The statements that write the rows of queries to places, for a user to read and run elsewhere.

        outputs: none of the queries may have an ENUM type, which as_text takes away."""
        written: list[exp.Expression] = []
        new_files: set[Path] = set()
        for query, target in outputs:
            if not target.is_of_duckdb:
                kind = target.path.suffix
                raise UseError(f"{target}: DuckDB alone writes no {kind} file; name a .csv file for --sql")
            if target.table is None:
                written.append(copy(query, target.path, target, notes))
                continue
            if target.path.exists():
                table = self._new_table(self._open(target.path), target.table)
            else:
                if target.path not in new_files:
                    written.append(attach(target.path, NEW, storage_version=STORAGE_VERSION))
                    new_files.add(target.path)
                table = exp.table_(target.table, "main", NEW, quoted=True)
            written += [create(table, query, force), *comment(table, notes)]
        return written

    def write(
        self, outputs: Outputs, force: bool, notes: Mapping[str, str], secret: Collection[Place] = ()
    ) -> None:
        """Write the rows of queries to places, with notes where these can hold them: all, or nothing.

        secret: places whose files are for their owner alone, if they are new. What is there keeps its mode.
        """
        files: dict[Path, list[tuple[exp.Expression, Place]]] = {}
        for query, target in outputs:
            files.setdefault(target.path, []).append((self.as_text(query), target))
        with contextlib.ExitStack() as until_all_are_made:
            for path, parts in files.items():
                is_secret = any(target in secret for _, target in parts)
                until_all_are_made.enter_context(self._made(path, parts, force, notes, is_secret))

    def as_text(self, query: exp.Expression) -> exp.Expression:
        """The rows of a query, with text in place of ENUM types."""
        text = enums_as_text(self.con, query)
        if not text:
            return query
        star = exp.Star(replace=text)
        return exp.select(star).from_(
            exp.Subquery(this=query, alias=exp.TableAlias(this=exp.to_identifier("released")))
        )

    @contextlib.contextmanager
    def _made(
        self, path: Path, parts: Outputs, force: bool, notes: Mapping[str, str], secret: bool
    ) -> Iterator[None]:
        """What goes to one file is there at the end; or nothing of it, after an error."""
        if any(target.table is not None for _, target in parts) and path.exists():
            alias = self._open(path)
            if secret:
                make_journal(path)
            replaced = [found for _, target in parts if (found := self._find(alias, target.table or ""))]
            made = (
                self._made_anew(path, alias, replaced, parts, force, notes)
                if replaced
                else self._made_within(alias, parts, force, notes)
            )
            try:
                with made:
                    yield
            finally:
                if secret:
                    remove_empty_journal(path)
            return
        with replacing(path, force, secret=secret and not path.exists()) as temporary:
            for query, target in parts:
                if target.reader == SPREADSHEET:
                    spreadsheets.write_sheet(self.con, query, temporary, str(target))
                    continue
                if target.reader in survey_files.KINDS:
                    labels = self._labels.get(target.reader, {})
                    survey_files.write(self.con, query, temporary, target.reader, str(target), labels)
                    continue
                if target.table is None:
                    statements.execute(self.con, copy(query, temporary, target, notes))
                    continue
                statements.execute(self.con, attach(temporary, NEW, storage_version=STORAGE_VERSION))
                try:
                    self._make_tables(NEW, parts, False, notes)
                finally:
                    statements.execute(self.con, detach(NEW))
                break
            yield

    @contextlib.contextmanager
    def _made_within(
        self, alias: str, parts: Outputs, force: bool, notes: Mapping[str, str]
    ) -> Iterator[None]:
        """New tables in a DuckDB file that is there."""
        statements.execute(self.con, "begin")
        try:
            self._make_tables(alias, parts, force, notes)
            yield
            statements.execute(self.con, "commit")
        except BaseException:
            with contextlib.suppress(duckdb.Error):
                self.con.rollback()
            raise
        for _, target in parts:
            if self._find(alias, target.table or "") is None:
                raise SqlanonError(f"{target} was not written")

    @contextlib.contextmanager
    def _made_anew(
        self,
        path: Path,
        alias: str,
        replaced: Sequence[tuple[str, str]],
        parts: Outputs,
        force: bool,
        notes: Mapping[str, str],
    ) -> Iterator[None]:
        """Copy a DuckDB file: the rows of replaced tables, which stay in free blocks, are left behind.

        It is copied twice, as the first copy has the rows that are to go.
        """
        version = statements.execute(
            self.con,
            "select regexp_extract(tags['storage_version'], 'v[0-9.]+') from duckdb_databases() where "
            "database_name = ?",
            [alias],
        )[0][0]
        with replacing(path, force) as temporary:
            first = temporary.with_name("first")
            statements.execute(self.con, attach(first, "first", storage_version=version))
            statements.execute(self.con, attach(temporary, NEW, storage_version=version))
            try:
                self._copy_database(alias, "first")
                for schema, name in replaced:
                    statements.execute(self.con, exp.delete(statements.table(name, schema, "first")))
                self._copy_database("first", NEW)
                self._make_tables(NEW, parts, force, notes)
            finally:
                for attached in ("first", NEW):
                    statements.execute(self.con, detach(attached))
            yield
            statements.execute(self.con, detach(alias))  # nobody else could write to it up to here
            del self._attached[path.resolve()]

    def _copy_database(self, source: str, target: str) -> None:
        names = (exp.to_identifier(name, quoted=True).sql("duckdb") for name in (source, target))
        statements.execute(self.con, "copy from database {} to {}".format(*names))

    def _make_tables(self, alias: str, parts: Outputs, force: bool, notes: Mapping[str, str]) -> None:
        for query, target in parts:
            new = self._new_table(alias, target.table or "")
            for statement in (create(new, query, force), *comment(new, notes)):
                statements.execute(self.con, statement)
