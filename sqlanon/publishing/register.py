"""The register of releases: a DuckDB file with what is out (sql/register says what is in it).

A publisher has it attached for writing all the time, so that no two releases are made without knowing of each
other: DuckDB lets one process at a time write to a file.
"""

from __future__ import annotations

import getpass
import hashlib
import json
import os
import platform
import re
import secrets
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon import __version__
from sqlanon.core.errors import InputError, SqlanonError, UseError
from sqlanon.core.files import as_pattern, attach, column_names, detach, place
from sqlanon.core.freshness import sql_folder
from sqlanon.core.library import REGISTER, ensure_registered
from sqlanon.core.outputs import (
    SECRET,
    check_folder,
    give_name,
    journal,
    make_journal,
    private_folder,
    remarks_on_readers,
    remove,
    remove_empty_journal,
    remove_pending,
)
from sqlanon.core.source import cleanly, fresh_name, lower
from sqlanon.core.statements import call, count, create, execute, literal, relation, render, select, table
from sqlanon.core.tables import WorkTables, in_transaction, transaction
from sqlanon.judge.evidence import Entered, Kept, Subjects, named
from sqlanon.judge.past import Accepted
from sqlanon.judge.people import Everybody
from sqlanon.judge.tables_beside import Kept as KeptOfTables
from sqlanon.perturb.masks import Key

VERSION = 1  # of the tables
ENVIRONMENT = "SQLANON_REGISTER_KEY"  # of an encrypted register
# The oldest ones that all supported lines of DuckDB read, in the clear and encrypted.
STORAGE, ENCRYPTED_STORAGE = "v1.2.0", "v1.4.0"
ALIAS = "sqlanon_register"
# How tables of counts and sums are made; of others it is not known how.
FOREIGN_CELLS = "table"
SEVERAL_TABLES = "several_tables"  # how releases of several tables are made
CELL_METHODS = ("suppress_cells", "round_cells", "cell_keys", FOREIGN_CELLS)
READ_ALIKE = ("read_csv", "read_parquet", "read_json")  # what tells the columns of a file
SHOWN = 3  # files in a remark
# What is kept about people, by release.
KEPT = ("asked", "people", "people_of_tables", "values_of_tables", "rows_of_tables")
COUNTS = "coalesce(accepted_until >= ?, true)"  # does an acceptance count on a day?
PAUSE = 0.1  # seconds between two attempts

_HELD = re.compile(r"Conflicting lock is held in (?P<program>.*?) \(PID (?P<process>\d+)\)")
_ATTACHED = "Unique file handle conflict"
# What DuckDB says, and what is wrong then.
_REFUSALS = {
    "not a valid DuckDB database file": "is damaged, or no DuckDB file",
    "we can only read versions": "was written by a newer DuckDB",
    "storage version": "was written by a newer DuckDB",
    "without a key": f"is encrypted: set {ENVIRONMENT} to its key",
    "Wrong encryption key": f"has another key than {ENVIRONMENT} says",
    "is not encrypted": f"is not encrypted, but {ENVIRONMENT} is set",
    "crypto module": f"cannot be written encrypted, as {ENVIRONMENT} asks for: for this DuckDB needs its "
    "extension httpfs, which is not installed. The statement INSTALL httpfs does so, once, with a network. "
    "Or leave out the key and keep_people: --earlier NAME=FILE gives the tables of earlier releases again",
    "Permission denied": "cannot be opened: permission denied",
    "orrupt": "is damaged",
    "checksum": "is damaged",
}


@dataclass(frozen=True)
class Entry:
    """A release in the register: some of the columns of its table."""

    id: int
    name: str
    status: str
    is_foreign: bool
    path: Path | None
    content_sha256: str | None
    unfinished_path: Path | None
    qi: Sequence[str]
    sensitive: Sequence[str]
    nearest: bool
    formats: Mapping[str, str]
    policy: str | None
    row_count: int
    suppressed_rows: int | None
    unit: str | None
    names: Mapping[str, str]
    has_hierarchies: bool
    people: Mapping[str, str]
    method: str | None
    is_randomized: bool
    filter: str | None
    period: str | None
    parameters: Mapping[str, Any]
    identity: Sequence[str] | None
    spellings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def is_of_cells(self) -> bool:
        """Is it a table of counts or sums, not of rows?"""
        return self.method in CELL_METHODS

    @property
    def is_of_tables(self) -> bool:
        """Is it a folder of several tables about the same people?"""
        return self.method == SEVERAL_TABLES

    @property
    def hierarchies(self) -> exp.Table | None:
        """The hierarchies that its labels are from."""
        return table(f"hierarchies_{self.id}", "released", ALIAS) if self.has_hierarchies else None

    @property
    def contributors(self) -> exp.Table | None:
        """How many people or rows the sums of its cells are of, which was not published."""
        is_kept = self.parameters.get("contributors", False)
        return table(f"contributors_{self.id}", "released", ALIAS) if is_kept else None

    @property
    def table(self) -> exp.Table:
        """Its rows."""
        return table(f"release_{self.id}", "released", ALIAS)

    def __str__(self) -> str:
        return f"release {self.id}, {self.name}"


_ENTRIES = """
    select id, name, status, is_foreign, path, content_sha256, unfinished_path, qi, sensitive, nearest,
           formats::json, policy, row_count, suppressed_rows, unit, coalesce(names::json, '{}'),
           has_hierarchies, coalesce(people::json, '{}'),
           method, id in (select release_id from sqlanon_register.spending where release_id is not null),
           nullif(filter, ''), nullif(period, ''), coalesce(parameters, '{}'),
           identity
    from sqlanon_register.releases"""


@dataclass
class Register:
    """A register that is attached, or one that is not there yet and only looked at. remarks: what there was
    to say of it."""

    con: duckdb.DuckDBPyConnection
    path: Path
    is_read_only: bool = False
    is_there: bool = True
    remarks: list[str] = field(default_factory=list)

    def entries(self) -> list[Entry]:
        """All releases, in the order of their entry."""
        if not self.is_there:
            return []
        spellings: dict[int, dict[str, dict[str, str]]] = {}
        spelled = "select release_id, column_name, theirs, ours from sqlanon_register.spellings"
        for id, column, theirs, ours in execute(self.con, spelled):
            spellings.setdefault(id, {}).setdefault(column, {})[theirs] = ours
        return [
            _entry(*row, spellings.get(row[0], {})) for row in execute(self.con, f"{_ENTRIES} order by id")
        ]

    def out(self) -> list[Entry]:
        """The releases that count as out."""
        return [entry for entry in self.entries() if entry.status != "abandoned"]

    def entry(self, name: str) -> Entry:
        """The release of this name, or number, that counts as out. Errors: UseError."""
        from sqlanon.core.suggestions import suggestion

        known = self.out()
        for entry in known:
            if name in (entry.name, str(entry.id)):
                return entry
        raise UseError(
            f"there is no release {name} in {self.path}{suggestion(name, [entry.name for entry in known])}"
        )

    def audiences(self) -> dict[int, str]:
        """The audience of each release that is an answer to a question; "": everybody."""
        if not self.is_there:
            return {}
        query = "select release_id, audience from sqlanon_register.answers where release_id is not null"
        return dict(reversed(execute(self.con, f"{query} order by id")))

    def microdata(self, entries: Sequence[Entry]) -> list[Entry]:
        """The releases that attacks on rows are made on: what randomized ones tell is bounded by what was
        spent, and tables of counts have no rows of people."""
        answers = self.audiences()
        if tables := sum(entry.id in answers for entry in entries):
            of = "1 answer is a table" if tables == 1 else f"{tables:,} answers are tables"
            self.remarks.append(f"{of} of counts: attacks on rows do not apply")
        for entry in (entry for entry in entries if entry.id not in answers):
            if entry.is_randomized:
                self.remarks.append(
                    f"{entry} is randomized: attacks do not apply, and what it tells is bounded by its budget"
                )
            elif entry.is_of_cells:
                self.remarks.append(f"{entry} is a table of counts or sums: attacks on rows do not apply")
            elif entry.is_of_tables:
                self.remarks.append(
                    f"{entry} is several tables: attacks on one table do not apply, nor is anybody "
                    "looked for in it"
                )
        return [
            entry for entry in entries
            if not (entry.is_randomized or entry.is_of_cells or entry.is_of_tables)
        ]  # fmt: skip

    def check_name(self, name: str) -> None:
        """Errors: UseError for the name of a release that counts as out."""
        for entry in self.out():
            if entry.name == name:
                raise UseError(f"{self.path} has a release called {name} ({entry.status}): give another name")

    def enter(
        self, values: Mapping[str, Any], rows: exp.Select | None, hierarchies: exp.Select | None = None,
        contributors: exp.Select | None = None,
    ) -> int:  # fmt: skip
        """A new entry with its rows, the hierarchies of its labels, and how many contribute to its cells; its
        number. rows: None of several tables. In a transaction of the caller."""
        self.keep_secret()
        [(id,)] = execute(self.con, "select coalesce(max(id), 0)::integer + 1 from sqlanon_register.releases")
        made_at = now()
        everything: dict[str, Any] = {
            "id": id, "made_at": made_at, "changed_at": made_at, "made_by": user(),
            "sqlanon_version": __version__, "has_hierarchies": hierarchies is not None, **values,
        }  # fmt: skip
        released = table("releases", catalog=ALIAS)
        insertion = exp.insert(
            exp.values([tuple(exp.Placeholder() for _ in everything)]), released, columns=[*everything]
        )
        execute(self.con, render(insertion), [*everything.values()])
        kept = {"release": rows, "hierarchies": hierarchies, "contributors": contributors}
        for kind, query in kept.items():
            if query is not None:
                execute(self.con, create(table(f"{kind}_{id}", "released", ALIAS), query))
        return int(id)

    def spell(
        self, id: int, spellings: Mapping[str, Mapping[str, str]], by: str | None = None, adds: bool = False
    ) -> None:
        """Enter how a release spells values, in place of what was known of a column; with adds of a value
        alone: what meant a value that is another one now means that, too. by: who has said so; None: whoever
        is at work."""
        before = (
            "select theirs, ours from sqlanon_register.spellings where release_id = ? and column_name = ?"
        )
        for column, said in spellings.items():
            then: dict[str, str] = dict(execute(self.con, before, [id, column])) if adds else {}
            mapping = {**{theirs: said[ours] for theirs, ours in then.items() if ours in said}, **said}
            known = "delete from sqlanon_register.spellings where release_id = ? and column_name = ?"
            if adds:
                execute(
                    self.con, f"{known} and list_contains(?::varchar[], theirs)", [id, column, [*mapping]]
                )
            else:
                execute(self.con, known, [id, column])
            for theirs, ours in mapping.items():
                row = [id, column, theirs, ours, by or user(), now()]
                execute(self.con, "insert into sqlanon_register.spellings values (?, ?, ?, ?, ?, ?)", row)

    def map_columns(self, id: int, names: Mapping[str, str], formats: Mapping[str, str]) -> None:
        """Enter what columns of a release are called by us, and how they are written."""
        changed = "update sqlanon_register.releases set names = ?, formats = ? where id = ?"
        execute(self.con, changed, [dict(names), dict(formats), id])

    def hashed(self, identities: Mapping[str, str]) -> dict[str, str]:
        """Keyed hashes of who people are, by whatever they are called."""
        if not self.is_there:
            return dict.fromkeys(identities, "")
        found = execute(self.con, "select secret from sqlanon_register.hash_key")
        if not found:
            secret = secrets.token_hex(32)
            if not self.is_read_only:
                execute(self.con, "insert into sqlanon_register.hash_key values (?)", [secret])
            found.append((secret,))
        key = Key(bytes.fromhex(found[0][0]))
        return {person: key.hash(text) for person, text in identities.items()}

    def digest_of_people(self, work: WorkTables, subjects: Subjects, columns: Sequence[str]) -> str:
        """A keyed digest of who is in a table, by columns that tell who somebody is; by a unit, each once."""
        people = select(relation(subjects.table), *(exp.column(name, quoted=True) for name in columns))
        made = work.make("who", people.distinct() if list(columns) == [subjects.unit] else people)
        [(digest,)] = execute(self.con, call("_digest_of_rows", made.name, list(columns)))
        return self.hashed({"": f"the people of a table: {digest}"})[""]

    def digests_of_people(self, work: WorkTables, subjects: Subjects) -> dict[str, str]:
        """Digests of who is in a table, by all columns that may tell: the unit or the identity, or else
        rows."""
        every = column_names(self.con, subjects.table)
        if subjects.unit is not None:
            by = [[subjects.unit]]
        elif subjects.identity:
            by = [list(subjects.identity)]
        else:
            by = [sorted(every), [*subjects.qi, *subjects.sensitive]]
        return {json.dumps(columns): self.digest_of_people(work, subjects, columns) for columns in by}

    def are_same_people(self, work: WorkTables, subjects: Subjects, entry: Entry) -> bool:
        """Is it known that a table has the people who were attacked for a release?"""
        have = lower(column_names(self.con, subjects.table))
        for text, digest in entry.people.items():
            columns = json.loads(text)
            if lower(columns) <= have and self.digest_of_people(work, subjects, columns) == digest:
                return True
        return False

    def keeps_people(self, entry: Entry) -> bool:
        """Are those who were attacked for a release kept?"""
        kept = "select exists (from sqlanon_register.asked where release_id = ?)"
        return execute(self.con, kept, [entry.id]) == [(True,)]

    def accept(self, accepted: Sequence[Accepted], release: int | None) -> None:
        """Enter acceptances."""
        for each in accepted:
            row = [
                now(), each.by or user(), release, each.reason, each.attack, each.id, each.sensitive,
                list(each.releases), sorted(each.people), __version__, each.until,
            ]  # fmt: skip
            execute(
                self.con,
                "insert into sqlanon_register.acceptances values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                row,
            )

    def accepted_doubts(self) -> dict[str, str]:
        """Why it was accepted that something is not known, by its name."""
        return {f"{each.attack}.{each.id}": each.reason for each in self.acceptances() if not each.people}

    def doubts_accepted_for(self, id: int) -> dict[str, str]:
        """Why it was accepted, when one release went out, that something is not known, by its name."""
        made = select(table("acceptances", "main", ALIAS), "id", "reason")
        made = made.where("release_id = ?", "attack = 'evidence'", COUNTS)
        rows = execute(self.con, made, [id, now().date()])
        return {str(doubt): str(reason) for doubt, reason in rows}

    def enter_people(self, id: int, subjects: Subjects, everybody: Everybody, with_cells: bool) -> None:
        """Enter who was attacked for a release, as keyed hashes; with_cells: their quasi-identifiers, too."""
        if not subjects.who:
            return
        self.hashed({})  # so that there is a secret
        hashed = everybody.work.make(
            "people_to_enter",
            call(
                "_hashed_people", everybody.table, f"{ALIAS}.hash_key", everybody.id, subjects.who,
                list(subjects.qi), list(subjects.sensitive),
            ),
        )  # fmt: skip
        number = exp.column(everybody.id, quoted=True)
        people = select(table(everybody.table)).where(number <= everybody.present).subquery("person")
        # the people may have columns of these names
        own = {name: exp.column(name, hashed.name) for name in ("id", "who", "cells", "sensitive_cells")}
        joined = select(people, literal(id), own["who"]).join(hashed, on=number.copy().eq(own["id"]))
        entered = joined.select(own["cells"], own["sensitive_cells"])
        execute(self.con, exp.insert(entered, table("people", catalog=ALIAS)))
        if with_cells:
            of_person = (exp.column(name, "person", quoted=True) for name in everybody.own_qi)
            cells = exp.array(*(exp.cast(column, "text") for column in of_person))
            kept = joined.select(literal(list(everybody.own_qi)), cells, own["cells"])
            execute(self.con, exp.insert(kept, table("asked", catalog=ALIAS)))

    def came_and_went(self, entry: Entry, subjects: Subjects) -> dict[str, int] | None:
        """How many people of a table were attacked for a release (stayed), how many were not (came), and how
        many others were (left); None where other columns say who somebody is, or none."""
        if not subjects.who or list(entry.identity or ()) != list(subjects.who):
            return None
        counted = call(
            "_came_and_went", subjects.table, f"{ALIAS}.hash_key", subjects.who, f"{ALIAS}.people", entry.id
        )
        [(stayed, came, left)] = execute(self.con, counted)
        return {"stayed": stayed, "came": came, "left": left} if stayed + left else None

    def rows_alike(self, work: WorkTables, subjects: Subjects, entry: Entry) -> tuple[int, int, int] | None:
        """How many rows a table has, how many were attacked for a release, and how many are in both, by their
        person and sensitive values; None where other columns say who somebody is, or none, or others are
        sensitive."""
        if not subjects.who or list(entry.identity or ()) != list(subjects.who):
            return None
        if lower(entry.sensitive) != lower(subjects.sensitive):
            return None
        id = fresh_name("row")
        number = named(exp.Window(this=exp.RowNumber()), id)
        columns = (exp.column(name, quoted=True) for name in [*subjects.who, *subjects.sensitive])
        rows = work.make("numbered_rows", select(relation(subjects.table), *columns, number))
        hashed = call(
            "_hashed_people", rows.name, f"{ALIAS}.hash_key", id, subjects.who, [], list(subjects.sensitive)
        )
        mark = named(exp.column("sensitive_cells"), "mark")
        now = work.make("marks_now", select(hashed.subquery(), "who", mark))
        then = select(table("people", catalog=ALIAS), "who", mark.copy())
        then = then.where(exp.column("release_id").eq(entry.id))
        before = work.make("marks_then", then)
        [(rows,)], [(rows_then,)] = execute(self.con, count(now)), execute(self.con, count(before))
        [(_, alike)] = execute(self.con, call("_rows_as_they_were", before.name, now.name))
        return int(rows), int(rows_then), int(alike)

    def kept(self, names: Iterable[str]) -> Kept:
        """What is kept about the people of releases."""
        wanted = {*names}
        with_cells = {
            id for (id,) in execute(self.con, "select distinct release_id from sqlanon_register.asked")
        }
        of = {
            entry.name: Entered(entry.id, entry.identity, entry.id in with_cells)
            for entry in self.out() if entry.name in wanted
        }  # fmt: skip
        people, asked, secret = (f"{ALIAS}.{name}" for name in ("people", "asked", "hash_key"))
        return Kept(people, asked, secret, of)

    def kept_of_tables(self, out: Sequence[Entry]) -> KeptOfTables:
        """What is kept about the people of releases of several tables."""
        people, values, secret = (
            f"{ALIAS}.{name}" for name in ("people_of_tables", "values_of_tables", "hash_key")
        )
        releases = {each.id: each.name for each in out if each.is_of_tables}
        return KeptOfTables(releases, people, values, secret)

    def forget(self, subjects: Subjects) -> int:
        """Remove people who were kept, by what tells who they are; how many these were."""
        people = call(
            "_hashed_people", subjects.table, f"{ALIAS}.hash_key", subjects.who[0], subjects.who, [], []
        )
        hashes = [*{who for (who,) in execute(self.con, select(people.subquery(), "who"))}]
        kept = exp.union(*(select(table(name, catalog=ALIAS), "who") for name in ("asked", "people")))
        whose = "list_contains(?, who)"
        [(number,)] = execute(self.con, count(kept.subquery("kept")).where(whose), [hashes])
        for name in ("asked", "people"):
            gone = exp.delete(table(name, catalog=ALIAS), where=whose)
            execute(self.con, gone, [hashes])
        return int(number)

    def forget_in_folders(self, people: str, unit: str) -> int:
        """Forget who people of releases of several tables are, by a column of theirs; how many these were. It
        stays known how many people were alike, so that others are judged as before."""
        self.keep_secret()
        kept, secret = f"{ALIAS}.people_of_tables", f"{ALIAS}.hash_key"
        with WorkTables(self.con) as work:
            drawn = secrets.token_hex(8)
            gone = work.make("gone", call("_called_once_forgotten", kept, people, unit, secret, drawn))
            [(number,)] = execute(self.con, count(gone))
            whose = exp.column("who").isin(query=select(gone.copy(), "who"))
            for name in ("values_of_tables", "rows_of_tables"):
                execute(self.con, exp.delete(table(name, catalog=ALIAS), where=whose.copy()))
            called = select(gone.copy(), "called").where(
                exp.EQ(this=exp.column("who", gone.name), expression=exp.column("who", "people_of_tables"))
            )
            set_to: dict[str, object] = {"who": called.subquery()}
            execute(self.con, exp.update(table("people_of_tables", catalog=ALIAS), set_to, where=whose))
        return int(number)

    def acceptances(self) -> list[Accepted]:
        """The acceptances that count today, of people above a bound and of what was not known; a remark on
        each that has ended."""
        if not self.is_there:
            return []
        made = select(
            table("acceptances", "main", ALIAS), "attack", "id", "sensitive", "releases", "people", "reason",
            "accepted_by", "accepted_until", COUNTS,
        )  # fmt: skip
        accepted = []
        for attack, id, sensitive, releases, people, reason, by, until, counts in execute(
            self.con, made, [now().date()]
        ):
            over = f"{attack}.{id} was accepted by {by} until {until}: that is over"
            if counts:
                accepted.append(
                    Accepted(attack, id, sensitive, releases, frozenset(people), reason, by, until)
                )
            elif over not in self.remarks:
                self.remarks.append(over)
        return accepted

    def change(self, id: int, status: str) -> None:
        """Another status. Rows of a release that never went out go."""
        self.keep_secret()
        execute(
            self.con,
            "update sqlanon_register.releases set status = ?, changed_at = ? where id = ?",
            [status, now(), id],
        )
        if status == "abandoned":
            for kind in ("release", "hierarchies", "contributors"):
                gone = table(f"{kind}_{id}", "released", ALIAS)
                execute(self.con, exp.Drop(this=gone, tables=[gone.copy()], kind="TABLE", exists=True))
            for kept in KEPT:
                execute(self.con, exp.delete(table(kept, catalog=ALIAS), where="release_id = ?"), [id])

    def record(
        self, verdicts: exp.Table, occasion: str, release: int | None, judged_at: datetime | None = None
    ) -> None:
        """Verdicts: rows as in _said_by_judge. judged_at: now, if not given."""
        self.keep_secret()
        said = {
            "judged_at": str(judged_at or now()), "occasion": occasion, "release_id": release,
            "sqlanon_version": __version__,
        }  # fmt: skip
        measured = (
            "attack", "releases", "sensitive", "status", "reason", "sampled", "id", "measure", "value",
            "unit", "low", "high", "tolerated", "people", "before", "verdict", "accepted", "remedy",
        )  # fmt: skip
        holds = "if(verdict is null, null, verdict = 'holds')"
        rows = select(verdicts, *map(literal, said.values()), *measured, holds)
        recorded = exp.insert(rows, table("verdicts", catalog=ALIAS), columns=[*said, *measured, "holds"])
        execute(self.con, recorded)

    def reconcile(self, folder: Path | None = None) -> list[Entry]:
        """The releases that count as out, once what crashes have left is cleared up, with remarks, beside the
        files that are known here and in a folder.

        A pending release whose output is there has gone out. Of the others, one whose unfinished file is
        there has not, because that file becomes the output. If neither is there nobody knows: it counts. If
        the register is read only, remarks say what would be done.
        """
        result: list[Entry] = []
        for entry in self.out():
            if entry.status != "pending":
                result.append(entry)
            elif _is(entry.path, entry.content_sha256):
                self._settle(entry, "out", f"has gone out to {entry.path}, though a publisher was stopped")
                result.append(entry)
            elif _is(entry.unfinished_path, entry.content_sha256):
                self._settle(entry, "abandoned", "never went out: a publisher was stopped before")
            else:
                self.remarks.append(
                    f"{entry} may be out: a publisher was stopped, and {entry.path} is not there, or has "
                    "changed. It counts"
                )
                result.append(entry)
        self._remove_pending(folder)
        return result

    def _remove_pending(self, folder: Path | None) -> None:
        """Remove releases that no entry has: their publishers were stopped before."""
        if self.is_read_only:
            return
        entries = self.entries()
        pending = [entry.unfinished_path for entry in entries if entry.unfinished_path is not None]
        folders = {entry.path.parent for entry in entries if entry.path is not None and not entry.is_foreign}
        for each in sorted(folders | ({folder} if folder is not None else set())):
            for gone in remove_pending(each, pending):
                self.remarks.append(
                    f"{gone} was never entered: a publisher was stopped before. It is removed"
                )

    def tell_unknown(self, entries: Sequence[Entry], columns: Sequence[str], *folders: Path) -> None:
        """Files beside the releases that have the columns of one, and that no entry knows: of a register that
        is an older copy, or another one. columns: of the release that is about to go out."""
        paths = {entry.path for entry in self.entries()} | {entry.unfinished_path for entry in self.entries()}
        alike = [
            lower(column_names(self.con, render(entry.table))) for entry in entries if not entry.is_of_tables
        ] + [lower(columns)]
        contents = {entry.content_sha256 for entry in entries}
        beside = {entry.path.parent for entry in entries if entry.path is not None and not entry.is_foreign}
        unknown, here = [], Path.cwd()
        for folder in sorted(beside | {*folders}):
            for file in sorted(folder.iterdir()) if folder.is_dir() else ():
                if file in paths or not file.is_file() or file.name.startswith("."):
                    continue
                if (found := _columns_of(self.con, file)) and found in alike and digest(file) not in contents:
                    unknown.append(file.relative_to(here) if file.is_relative_to(here) else file)
        if unknown:
            shown = ", ".join(map(str, unknown[:SHOWN])) + (
                f" and {len(unknown) - SHOWN:,} more" if unknown[SHOWN:] else ""
            )
            self.remarks.append(
                f"{shown}: beside the releases, with the columns of one, and not in {self.path}. Whoever got "
                "that has it: if it is a release, enter it (sqlanon register add); is this register an older "
                "copy?"
            )

    def keep_secret(self) -> None:
        """Before something is written: DuckDB's journal, which goes at each checkpoint, is secret, too."""
        if self.is_there and not self.is_read_only:
            make_journal(self.path)

    def _settle(self, entry: Entry, status: str, why: str) -> None:
        self.remarks.append(f"{entry} {why}")
        if self.is_read_only:
            return
        with transaction(self.con):
            self.change(entry.id, status)
        if entry.unfinished_path is not None:
            remove(entry.unfinished_path)

    def check_files(self, entries: Sequence[Entry]) -> None:
        """Errors: InputError for a release whose file says something else by now."""
        for entry in self.changed(entries):
            raise InputError(
                f"{entry}: {entry.path} has changed since it was entered, so {self.path} does not have what "
                "is out: add what it says now to the register, and move it away"
            )

    def changed(self, entries: Sequence[Entry]) -> list[Entry]:
        """The releases that are out whose file says something else by now. (It may be gone: files move.)"""
        return [
            entry
            for entry in entries
            if entry.status == "out" and entry.path is not None and entry.path.exists()
            if not _is(entry.path, entry.content_sha256)
        ]

    def policy(self) -> tuple[str, Path]:
        """The text of the last policy, and its file. Errors: UseError without any."""
        policies = execute(
            self.con,
            "select policy, policy_path from sqlanon_register.releases where policy <> '' and status <> "
            "'abandoned' and not list_contains(?, coalesce(method, '')) order by id desc limit 1",
            [[*CELL_METHODS, SEVERAL_TABLES]],
        )
        for text, path in policies:
            return text, Path(path)
        if several := [entry.name for entry in self.entries() if entry.is_of_tables]:
            raise UseError(
                f"{self.path} has no release of one table that was made under a policy. Of several tables "
                f"are {', '.join(several)}: audit judges them without targets"
            )
        raise UseError(f"no release in {self.path} was made under a policy: give one")


def _entry(*row: Any) -> Entry:
    (
        id, name, status, is_foreign, path, content, unfinished, qi, sensitive, nearest, formats, policy,
        rows, suppressed, unit, names, has_hierarchies, people, method, is_randomized, kept, period,
        parameters, identity, spellings,
    ) = row  # fmt: skip
    return Entry(
        id, name, status, is_foreign, None if path is None else Path(path), content,
        None if unfinished is None else Path(unfinished), qi, sensitive, nearest, json.loads(formats), policy,
        rows, suppressed, unit, json.loads(names), has_hierarchies, json.loads(people), method, is_randomized,
        kept, period, json.loads(parameters), identity, spellings,
    )  # fmt: skip


def listed_in(
    con: duckdb.DuckDBPyConnection, register: str | os.PathLike[str], wait: float, query: exp.Expression
) -> exp.Table:
    """What a query finds in a register, as a temporary table, which stays when the register is closed."""
    ensure_registered(con)
    made = table(fresh_name("listed"))
    with opened(con, register, read_only=True, wait=wait):
        execute(con, create(made, query, temporary=True))
    return made


def _columns_of(con: duckdb.DuckDBPyConnection, file: Path) -> set[str]:
    """The columns of a file, in lower case; none if it is no table."""
    with suppress(SqlanonError, duckdb.Error):
        known = place(str(file))
        if known.reader in READ_ALIKE:
            reads = exp.Table(this=exp.Anonymous(this=known.reader, expressions=[literal(as_pattern(file))]))
            return {name.lower() for name, *_ in execute(con, f"describe {render(select(reads))}")}
    return set()


def digest(path: Path) -> str:
    """The SHA-256 of a file's content, or of those of the files in a folder, by their names."""
    if path.is_dir():
        files = sorted(each for each in path.iterdir() if not each.name.startswith("."))
        listed = json.dumps([(each.name, digest(each)) for each in files])
        return hashlib.sha256(listed.encode()).hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _is(path: Path | None, content_sha256: str | None) -> bool:
    """Is a file or folder there, with this content?"""
    return path is not None and path.exists() and digest(path) == content_sha256


def now() -> datetime:
    """The time, as the register has it: in UTC."""
    return datetime.now(UTC).replace(tzinfo=None)


def user() -> str:
    """Who is at work: user and machine."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError, ImportError):  # an account without a name, as in containers
        name = str(os.getuid())
    return f"{name}@{platform.node()}"


@contextmanager
def opened(
    con: duckdb.DuckDBPyConnection,
    path: str | os.PathLike[str],
    *,
    read_only: bool = False,
    make: bool = False,
    wait: float = 0,
) -> Iterator[Register]:
    """A register, attached to a connection until the end.

    make: it is made if it is not there; if it is to be read only, it stays away. wait: seconds, as long as
    somebody else has it. Errors: UseError, InputError, which name the file.
    """
    if in_transaction(con):
        raise InputError("a register is not opened in a transaction, which it could not join: end it first")
    file = Path(path)
    register, is_new, has_failed = Register(con, file, read_only), False, False
    if not file.exists():
        if not make:
            raise UseError(f"there is no register {file}")
        if read_only:
            yield Register(con, file, True, False, [f"{file} is not there yet: nothing is known to be out"])
            return
        _make(con, file)
        is_new = True
        register.remarks.append(f"{file} is new: nothing is known to be out")
    if not file.is_file():
        raise UseError(f"{file} is not a file")
    if not read_only and not os.access(file, os.W_OK):
        raise InputError(f"{file} cannot be written: permission denied")
    register.remarks += [*remarks_on_readers(file), *remarks_on_readers(journal(file))]
    _attach_in_time(con, file, read_only, wait, make)
    try:
        register.keep_secret()
        _check_version(register)
        yield register
    except BaseException as error:
        has_failed = True
        message = getattr(error, "message", "") if isinstance(error, SqlanonError) else ""
        if "orrupt" in message or "checksum" in message:
            raise InputError(f"{file} is damaged: {message.partition(chr(10))[0]}") from error
        raise
    finally:
        if is_new and has_failed:  # what was made for nothing goes, while nobody else has it
            with suppress(OSError):
                cleanly(lambda: file.unlink(missing_ok=True) if _is_empty(con) else None)
        if not read_only:
            remove_empty_journal(file)
        cleanly(lambda: execute(con, detach(ALIAS)))


def _is_empty(con: duckdb.DuckDBPyConnection) -> bool:
    """Has nothing been entered in the register that is attached?"""
    tables = execute(
        con,
        "select schema_name, table_name from duckdb_tables() where database_name = ? and "
        "table_name not in ('register', 'hash_key')",
        [ALIAS],
    )
    return all(execute(con, count(table(name, schema, ALIAS))) == [(0,)] for schema, name in tables)


def _attach_in_time(
    con: duckdb.DuckDBPyConnection, file: Path, read_only: bool, wait: float, make: bool
) -> None:  # fmt: skip
    """Attach a register as soon as nobody else has it. Errors: InputError."""
    until = time.monotonic() + wait
    while True:
        if make and not file.exists():  # whoever had made it has failed, and entered nothing
            _make(con, file)
        try:
            _attach(con, file, read_only=read_only)
            return
        except duckdb.Error as error:
            message = str(error)
            held = _HELD.search(message)
            if held is None and _ATTACHED not in message:
                raise _refusal(file, message) from None  # whose statement has the key
            holder = f"{held['program']} (process {held['process']})" if held else "this process"
            if time.monotonic() >= until:
                raise InputError(f"{file} is in use by {holder}: wait until that has ended") from None
        time.sleep(PAUSE)


def _attach(
    con: duckdb.DuckDBPyConnection, file: Path, *, read_only: bool = False, version: bool = False
) -> None:
    """Errors: those of DuckDB. version: this is a new file, which needs one."""
    key = os.environ.get(ENVIRONMENT) or None
    if key is not None and not read_only:
        with suppress(duckdb.Error):  # where it is not installed, DuckDB says what it needs
            con.execute("load httpfs").fetchall()
    storage = None if not version else STORAGE if key is None else ENCRYPTED_STORAGE
    statement = attach(file, ALIAS, read_only=read_only, storage_version=storage, encryption_key=key)
    con.execute(render(statement)).fetchall()


def _refusal(file: Path, message: str) -> InputError:
    for said, meant in _REFUSALS.items():
        if said in message:
            return InputError(f"{file} {meant}")
    return InputError(f"{file} cannot be opened: {message.partition(chr(10))[0]}")


def _make(con: duckdb.DuckDBPyConnection, file: Path) -> None:
    """An empty register: whole, or not there at all. Somebody else may have made it meanwhile."""
    check_folder(file)
    with private_folder(file.resolve().parent) as folder:
        unfinished = folder / file.name
        try:
            _attach(con, unfinished, version=True)
        except duckdb.Error as error:
            raise _refusal(file, str(error)) from None
        try:
            _make_tables(con)
        finally:
            cleanly(lambda: execute(con, detach(ALIAS)))
        unfinished.chmod(SECRET)
        with suppress(FileExistsError):
            give_name(unfinished, file.resolve())


def _make_tables(con: duckdb.DuckDBPyConnection) -> None:
    """The tables of a register, in the empty one that is attached."""
    with con.cursor() as cursor:  # which has a current database of its own
        execute(cursor, f"use {ALIAS}")
        with transaction(cursor):
            for script in sorted((sql_folder() / REGISTER).glob("*.sql")):
                execute(cursor, script.read_text("utf-8"))
            execute(cursor, "insert into register values (?, ?, ?)", [VERSION, now(), __version__])


def _check_version(register: Register) -> None:
    """Errors: InputError for a register of another version, or none at all."""
    known = execute(
        register.con,
        "select count(*) from duckdb_tables() where database_name = ? and table_name in ('register', "
        "'releases', 'verdicts')",
        [ALIAS],
    )
    if known != [(3,)]:
        raise InputError(f"{register.path} is a DuckDB file, but no register of releases")
    [(version,)] = execute(register.con, "select max(version) from sqlanon_register.register")
    if version != VERSION:
        raise InputError(
            f"{register.path} is of version {version}, made by another sqlanon; this one knows {VERSION}"
        )
