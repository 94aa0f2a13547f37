"""Tables in files: what the command line reads and writes.

A file is CSV, TSV, JSON or Parquet by the end of its name (the text formats also as .gz or .zst); a table in
a DuckDB file is `file.duckdb::table` or `file.duckdb::schema.table`.
"""

import contextlib
import secrets
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self, TypeAlias

import duckdb
from sqlglot import exp

from sqlanon import library, statements
from sqlanon.errors import InputError, SqlanonError

# The end of a file's name, without .gz or .zst -> the function that reads it, and how COPY writes it.
FORMATS: dict[str, tuple[str, dict[str, str | bool]]] = {
    ".csv": ("read_csv", {"format": "csv", "header": True}),
    ".tsv": ("read_csv", {"format": "csv", "header": True, "delimiter": "\t"}),
    ".json": ("read_json", {"format": "json", "array": True}),
    ".ndjson": ("read_json", {"format": "json"}),
    ".jsonl": ("read_json", {"format": "json"}),
    ".parquet": ("read_parquet", {"format": "parquet"}),
}
COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}
KNOWN = (
    "a file (.csv, .tsv, .json, .ndjson, .jsonl, each also with .gz or .zst, or .parquet) "
    "or file.duckdb::table"
)


class UseError(InputError):
    """Wrong use: a file that is not there, a column that is not in the table, a key that a policy does not have."""


@dataclass(frozen=True)
class Place:
    """Where a table is: a file, or a table in a DuckDB file."""

    path: Path
    table: str | None = None  # in a DuckDB file
    reader: str = ""
    options: tuple[tuple[str, str | bool], ...] = ()  # of COPY

    def __str__(self) -> str:
        return f"{self.path}::{self.table}" if self.table else str(self.path)

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
        return Place(Path(path), table)
    name = Path(text).name.lower()
    if name.endswith((".duckdb", ".ddb")):
        raise UseError(f"{text} is a DuckDB file: name a table in it, {text}::table")
    stem, compression = name, ""
    for suffix in COMPRESSIONS:
        if name.endswith(suffix):
            stem, compression = name.removesuffix(suffix), suffix
    found = FORMATS.get(Path(stem).suffix)
    if not found or (compression and Path(stem).suffix == ".parquet"):
        raise UseError(f"{text} is not {KNOWN}")
    reader, options = found
    if compression:
        options = {**options, "compression": COMPRESSIONS[compression]}
    return Place(Path(text), None, reader, tuple(options.items()))


def _name(*parts: str) -> str:
    """A name for query_table: its parts, quoted."""
    return ".".join(exp.to_identifier(part, quoted=True).sql("duckdb") for part in parts)


def _attach(path: Path, alias: str, read_only: bool) -> exp.Expression:
    options = [exp.AttachOption(this=exp.var("READ_ONLY"))] if read_only else []
    named = exp.alias_(exp.Literal.string(str(path)), alias, quoted=True)
    return exp.Attach(this=named, expressions=options)


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
        this=exp.Subquery(this=query), kind=False, files=[exp.Literal.string(str(written))], params=parameters
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
    query = exp.Describe(this=statements.select(statements.relation(name)))
    return [str(row[0]) for row in statements.execute(con, query)]


def create(name: exp.Table, query: exp.Expression, replace: bool) -> exp.Expression:
    """CREATE [OR REPLACE] TABLE name AS query."""
    return exp.Create(this=name, kind="TABLE", expression=query, replace=replace)


def with_relations(query: exp.Select, relations: Mapping[str, exp.Query]) -> exp.Select:
    """WITH name AS (...) ... query."""
    for name, rows in relations.items():
        query = query.with_(name, as_=rows)
    return query


class Session:
    """A DuckDB connection of its own, with sqlanon registered, that reads and writes files.

    `prelude` holds the statements that brought the files into the session: what has to stand before a
    statement for it to run elsewhere. Nothing of the session is left behind, wherever it ends.
    """

    def __init__(self) -> None:
        self.prelude: list[exp.Expression] = []
        self._attached: dict[
            Path, tuple[str, bool]
        ] = {}  # file -> its name here, and whether it is read only
        self._written: set[Path] = set()
        self._names = 0

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as until_left:
            spill = tempfile.TemporaryDirectory(prefix="sqlanon-", ignore_cleanup_errors=True)
            until_left.callback(spill.cleanup)
            self.con = until_left.enter_context(
                duckdb.connect(
                    config={
                        "temp_directory": spill.name,
                        "python_enable_replacements": False,  # people.csv is no Python variable named csv
                    }
                )
            )
            statements.execute(
                self.con, "set enable_progress_bar = false"
            )  # DuckDB's own, which is on stdout
            library.register(self.con)
            self._until_left = until_left.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._until_left.close()

    def will_write(self, target: Place) -> None:
        """Announce a DuckDB file that `write` is going to write to, before it is read from."""
        self._written.add(target.path.resolve())

    def read(self, text: str) -> str:
        """Bring a user's table in and return its name for query_table."""
        source = place(text)
        if not source.path.is_file():
            raise UseError(f"there is no file {source.path}")
        if source.table is not None:
            alias = self._open(source.path)
            schema, name = self._table_in(alias, source)
            return self._plain(_name(alias, schema, name), statements.table(name, schema, alias))
        read = exp.Anonymous(this=source.reader, expressions=[statements.literal(str(source.path))])
        return self._plain(str(source.path), exp.Table(this=read))

    def _plain(self, name: str, relation: exp.Table) -> str:
        """The name; that of a view of the relation where query_table of DuckDB 1.4 would misread it."""
        if name.count('"') == name.count('"."') * 2 + 2 * name.startswith('"'):
            return name
        self._names += 1
        view = f"input_{self._names}"
        self._prepare(
            exp.Create(
                this=exp.to_table(view),
                kind="VIEW",
                expression=statements.select(relation),
                properties=exp.Properties(expressions=[exp.TemporaryProperty()]),
            )
        )
        return view

    def answer(self, query: exp.Expression) -> exp.Table:
        """The table `answer` with all rows of a query: once they are there, nothing can go wrong any more."""
        table = exp.to_table("answer")
        statements.execute(self.con, create(table, query, replace=True))
        return table

    def _prepare(self, statement: exp.Expression) -> None:
        statements.execute(self.con, statement)
        self.prelude.append(statement)

    def _open(self, path: Path) -> str:
        """Attach a DuckDB file, once; its name here."""
        known = path.resolve()
        if known not in self._attached:
            taken = {alias for alias, _ in self._attached.values()} | {
                "sqlanon",
                "memory",
                "main",
                "temp",
                "system",
            }
            alias = path.stem.lower() or "file"
            while alias in taken:
                alias += "_"
            read_only = known not in self._written
            self._prepare(_attach(path, alias, read_only))
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
        found = self._find(alias, source.table or "")
        if found is None:
            known = [
                name if schema == "main" else f"{schema}.{name}" for schema, name in self._tables_in(alias)
            ]
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise UseError(f"there is no table {source.table} in {source.path}: {has}")
        return found

    def _new_table(self, alias: str, table: str) -> exp.Table:
        """The table to make: in the schema that its name starts with, if there is one."""
        schema, _, name = table.partition(".")
        schemas = self.con.execute(
            "select schema_name from duckdb_schemas() where database_name = $alias and not internal",
            {"alias": alias},
        ).fetchall()
        known = {found.lower(): found for (found,) in schemas}
        if name and schema.lower() in known:
            return exp.table_(name, known[schema.lower()], alias, quoted=True)
        return exp.table_(table, "main", alias, quoted=True)

    def refuse_existing(self, target: Place, force: bool) -> None:
        """Refuse an output that cannot be written, before any work is done."""
        folder = target.path.parent
        if not folder.is_dir():
            raise UseError(f"there is no folder {folder} to write {target.path.name} in")
        if target.path.is_dir():
            raise UseError(f"{target.path} is a folder")
        if not target.path.exists():
            return
        if target.table is None:
            if not force:
                raise UseError(f"{target} exists: give --force to replace it")
            return
        alias = self._open(target.path)
        found = self._find(alias, target.table)
        if found and not force:
            raise UseError(f"{target} exists: give --force to replace it")

    def writing(self, outputs: Outputs, force: bool, notes: Mapping[str, str]) -> list[exp.Expression]:
        """The statements that write the rows of queries to places: for a user to read, and to run elsewhere."""
        written: list[exp.Expression] = []
        new_files: set[Path] = set()
        for query, target in outputs:
            if target.table is None:
                written.append(copy(query, target.path, target, notes))
                continue
            if target.path.exists():
                table = self._new_table(self._open(target.path), target.table)
            else:
                if target.path not in new_files:
                    written.append(_attach(target.path, "output", False))
                    new_files.add(target.path)
                table = exp.table_(target.table, "main", "output", quoted=True)
            written += [create(table, query, force), *comment(table, notes)]
        return written

    def write(self, outputs: Outputs, force: bool, notes: Mapping[str, str]) -> None:
        """Write the rows of queries to places, with notes where these can hold them: all of it, or nothing."""
        files: dict[Path, list[tuple[exp.Expression, Place]]] = {}
        for query, target in outputs:
            files.setdefault(target.path, []).append((query, target))
        with contextlib.ExitStack() as until_all_are_made:
            for path, parts in files.items():
                until_all_are_made.enter_context(self._made(path, parts, force, notes))

    @contextlib.contextmanager
    def _made(self, path: Path, parts: Outputs, force: bool, notes: Mapping[str, str]) -> Iterator[None]:
        """What goes to one file is there at the end; or nothing of it, after an error."""
        if any(target.table is not None for _, target in parts) and path.exists():
            alias = self._open(path)
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
            return
        with replacing(path, force) as temporary:
            for query, target in parts:
                if target.table is None:
                    statements.execute(self.con, copy(query, temporary, target, notes))
                    continue
                statements.execute(self.con, _attach(temporary, "output", False))
                try:
                    self._make_tables("output", parts, False, notes)
                finally:
                    detach = exp.Detach(this=exp.to_identifier("output", quoted=True))
                    statements.execute(self.con, detach)
                break
            yield

    def _make_tables(self, alias: str, parts: Outputs, force: bool, notes: Mapping[str, str]) -> None:
        for query, target in parts:
            new = self._new_table(alias, target.table or "")
            for statement in (create(new, query, force), *comment(new, notes)):
                statements.execute(self.con, statement)


@contextlib.contextmanager
def replacing(path: Path, force: bool) -> Iterator[Path]:
    """A temporary file beside `path` that takes its place at the end, or is gone after an error."""
    path = path.resolve()
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        yield temporary
        if path.exists() and not force:
            raise UseError(f"{path} exists by now: give --force to replace it")
        temporary.replace(path)
    finally:
        for left in (temporary, temporary.with_name(temporary.name + ".wal")):
            left.unlink(missing_ok=True)
