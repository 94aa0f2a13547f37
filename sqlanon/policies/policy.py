"""Policies: what of a table may leave, in which form, and under which requirements.

    policy = policy.load("people.toml")
    release = policy.run(con, "people", into="release")

A policy is a TOML file. Its keys are those of sqlanon/policies/schema.py; `sqlanon init` writes a first one
for a table.

Whoever writes a policy decides what leaves of the table: read the roles, masks and labels of one that you
have not written. It decides nothing else. It names files to be read: a hierarchy's `file`, the `population`
and `zip_populations`. Of these files only labels of values that are in the table can leave, and counts, which
are judged. It cannot name the file of a hash's key. Its SQL sees one value of its column at a time
(sqlanon/policies/sandbox.py). It can name a method that users have written, but not the script of that
method.
"""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon import __version__
from sqlanon.anonymize.methods import method_of_name, of_others
from sqlanon.core import comments, statements
from sqlanon.core.by_column import in_order
from sqlanon.core.days import days_among, with_days
from sqlanon.core.errors import InputError, SqlanonError
from sqlanon.core.files import as_pattern, column_names
from sqlanon.core.library import ensure_registered
from sqlanon.core.release import Progress, Release
from sqlanon.core.remarks import remark
from sqlanon.core.source import Source, lower, named
from sqlanon.core.suggestions import missing_column
from sqlanon.core.tables import WorkTables
from sqlanon.core.text_files import Roles, stands_for_missing
from sqlanon.measure import practice
from sqlanon.measure.leaving import Terms, under
from sqlanon.measure.practice import Rules
from sqlanon.perturb.masks import Masks, with_masks
from sqlanon.policies import sandbox
from sqlanon.policies.parsing import Options, Reading, Spelling, parameters_of
from sqlanon.policies.profiles import Profile
from sqlanon.policies.schema import CONTRADICTIONS, LANGUAGES, METHOD, REGISTER, bare


def load(path: str | os.PathLike[str]) -> Policy:
    """The policy in a TOML file.

    Errors: InputError, which names the file, the key, and what would be right.
    """
    return read(Path(path), {})


def read(
    path: Path | None, options: Options, function: str | None = None, text: bytes | None = None
) -> Policy:
    """The policy in a file, if any, with options in place of its keys.

    function: what is called, if not its method. text: what the file said, where it may say something else by
    now.
    """
    reading = Reading(path, options, function, text)
    called = function or reading.method
    takes = parameters_of(called)
    roles = dict(reading.sections["roles"])
    unit, weight, sampling_weight, household = (
        roles.pop(name, None) for name in ("unit", "weight", "sampling_weight", "household")
    )
    for key, value in (
        ("roles.weight", weight),
        ("requirements.population_weight", reading.population_weight),
    ):
        if value is not None and key.partition(".")[2] not in takes:
            raise reading.spelling.wrong(key, f" is for checks, measures and attacks, not for {called}")
    alike = (
        "masks", "direct", "hierarchies", "population", "population_weight", "based_on", "tolerated",
        "accepted", "known", "profile", "rules", "spelling",
    )  # fmt: skip
    return Policy(
        **reading.sections["input"],
        **reading.sections["judge"],
        **{name: getattr(reading, name) for name in alike},
        roles=roles,
        unit=unit,
        weight=weight,
        sampling_weight=sampling_weight,
        household=household,
        requirements=reading.sections["requirements"],
        method=called,
        made_by=reading.method,
        parameters={name: value for name, value in reading.sections["method"].items() if name in takes},
        output=reading.sections["output"],
        text=reading.text.decode("utf-8-sig"),
        origin=_origin(reading),
    )


def _origin(reading: Reading) -> dict[str, str]:
    """Where the policy comes from: nothing in it is about the data."""
    spelling = reading.spelling
    if spelling.path is None:
        return {}
    origin = {
        "sqlanon_version": __version__,
        "sqlanon_policy": spelling.path.name,
        "sqlanon_policy_sha256": hashlib.sha256(reading.text).hexdigest(),
    }
    options = " ".join(sorted({spelling(key).split()[0] for key in spelling.options}))
    return {**origin, "sqlanon_options": options} if options else origin


@dataclass(frozen=True, kw_only=True)
class Policy:
    """What of a table may leave, and how: without errors, as far as they show without the table.

    types: column of a text file -> what it is; names: of its columns, if it has no header; encoding: if it is
    not UTF-8; missing: what stands for a missing value there; trim, fold: columns without blanks around
    values, and with one spelling of each; missing_in, digits, rename, called, only_table: as in Roles; gone:
    columns that files have no more.
    complete_hierarchies: are values that a
    hierarchy lacks its label at the top? roles: role -> columns. unit: the column that says whose a row is;
    weight: the one that says how many people it stands for; sampling_weight: of a sample, for how many of the
    population; household: the one that names it. masks: column -> its mask. direct: column that
    may name people -> why it may. hierarchies: column -> what its hierarchy is made of. requirements;
    population: a file, or file.duckdb::table, and its own weight. based_on: likewise, an earlier release.
    made_by: the method; method: the function, parameters: its own, output: the release's form. tolerated: the
    most of a measure of an attack, by attack.measure; accepted: why it is accepted that something is not
    known; keep_people: does the register keep who was attacked? new_rows: the column that says which rows
    have come since the last release, and leave; hold_back: the share of people who may be left out because
    attacks find them; max_atoms: as in tables_together; language: of pages; values_may_change:
    columns whose values may be others in another release; contradictions: percent of those located in a
    release of others whose class there may have none of their values; same_columns, different_columns: sets
    of names of columns that are one in all releases, or are not. known: "register", where those releases are
    known that are out by the register.
    profile: a rule of practice, if it names one; rules: what is required of the release as a
    whole. text: what the file says. origin: the policy's file, its SHA-256, sqlanon's version, and
    the options that took the place of keys; empty if there is no file.
    """

    types: Mapping[str, str] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    encoding: str | None = None
    missing: list[str] = field(default_factory=list)
    trim: list[str] = field(default_factory=list)
    fold: list[str] = field(default_factory=list)
    missing_in: Mapping[str, list[str]] = field(default_factory=dict)
    digits: Mapping[str, int] = field(default_factory=dict)
    rename: list[list[str]] = field(default_factory=list)
    called: Mapping[str, list[str]] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)
    only_table: bool = False
    complete_hierarchies: bool = False
    roles: Mapping[str, list[str]]
    unit: str | None
    weight: str | None
    sampling_weight: str | None = None
    household: str | None = None
    masks: Masks
    direct: Mapping[str, str]
    hierarchies: Mapping[str, Mapping[str, Any]]
    requirements: Mapping[str, Any]
    population: str | None
    population_weight: str | None
    based_on: str | None
    method: str
    made_by: str
    parameters: Mapping[str, Any]
    output: Mapping[str, Any]
    tolerated: Mapping[str, float]
    accepted: Mapping[str, str]
    keep_people: bool = False
    new_rows: str | None = None
    hold_back: float = 0.0
    max_atoms: int | None = None
    language: str = LANGUAGES[0]
    values_may_change: list[str] = field(default_factory=list)
    contradictions: float = CONTRADICTIONS
    same_columns: list[list[str]] = field(default_factory=list)
    different_columns: list[list[str]] = field(default_factory=list)
    known: str | None
    profile: Profile | None
    rules: Rules
    text: str
    origin: Mapping[str, str]
    spelling: Spelling

    def arguments(self, takes: Iterable[str]) -> dict[str, Any]:
        """What a function with these parameters gets, but for sources."""
        of_people = {**self._of_unit(), "weight": self.weight, "population_weight": self.population_weight}
        if self.method != "violations":  # where they go with a risk that a policy has for the whole table
            of_people |= self._of_sample()
        arguments = {**self.roles, **of_people, **self.requirements, **self.parameters, **self.output}
        return {name: value for name, value in arguments.items() if name in takes and value not in ([], None)}

    def macro_arguments(self) -> dict[str, Any]:
        """What the macro of the same name gets, but for sources.

        UseError if it cannot do what the function can.
        """
        takes = comments.parameters(self.method)
        only_in_python = set(parameters_of(self.method)).difference(takes)
        for section, given in (("requirements", self.requirements), ("method", self.parameters)):
            for name in given:
                if name in only_in_python:
                    why = f" is for a run, not for a statement with {self.method}"
                    raise self.spelling.wrong(f"{section}.{name}", why)
        unsaid = {name: key.unsaid for name, key in METHOD.items()}
        return {
            name: in_order(value, self.roles["qi"], name, unsaid[name]) if isinstance(value, dict) else value
            for name, value in self.arguments(takes).items()
        }

    def check_for_statement(self) -> None:
        """Errors: UseError for what no statement can do, because it takes a run."""
        if self.method in of_others():
            raise self.spelling.wrong("method.name", f" {self.method} is for a run, not for a statement")
        if self.rules:
            bounds = {"average_risk": self.rules.average_risk, **self.rules.risks}
            at = next((name for name, most in bounds.items() if most is not None), "profile")
            raise self.spelling.wrong(f"requirements.{at}", " is for a run, not for a statement")

    @property
    def distinct_spellings(self) -> list[str]:
        """Columns in which spellings are different values."""
        named: list[str] = self.requirements.get("distinct_spellings", [])
        return named

    @property
    def missing_counts(self) -> bool:
        """Is a missing value one like any other?"""
        return bool(self.requirements.get("missing_counts", False))

    def _of_unit(self) -> dict[str, str]:
        return {} if self.unit is None else {"unit": self.unit}

    def _of_sample(self) -> dict[str, str]:
        columns = {"sampling_weight": self.sampling_weight, "household": self.household}
        return {role: column for role, column in columns.items() if column is not None}

    def units(self) -> list[str]:
        """The unit, if there is one."""
        return [] if self.unit is None else [self.unit]

    def columns(self) -> Roles:
        """What the columns are for, to whoever reads a text file. One that nobody has named may be written
        otherwise than `types` says: it is not read as that."""
        roles = self.roles
        keep = [*roles.get("keep", []), *self.masks, *self.units()]
        keep += [] if self.household is None else [self.household]  # whose 01 and 1 are two
        columns = self.raw([*roles.get("qi", []), *self.gone], roles.get("sensitive", []), keep)
        used = lower([*keep, *self.gone, *itertools.chain(*self._columns_by_key().values())])
        types = {name: said for name, said in self.types.items() if name.lower() in used}
        return dataclasses.replace(columns, types=types)

    def raw(
        self, qi: Collection[str] = (), sensitive: Collection[str] = (), keep: Collection[str] = ()
    ) -> Roles:
        """What the columns of another table with raw values are for, to whoever reads its file."""
        return Roles(
            qi, sensitive, keep, self.types, self.names, self.missing, self.encoding, self.trim, self.fold,
            self.missing_in, self.digits, self.rename, self.called, self.only_table,
        )  # fmt: skip

    def named_columns(self) -> set[str]:
        """The columns that have a role or a mask, in lower case."""
        named = (*self.roles.values(), self._of_unit().values(), self.masks)
        return {column.lower() for columns in named for column in columns}

    def check_columns(self, columns: Sequence[str], table: str) -> None:
        """Are the columns of all roles and masks in a table? One that never leaves may be missing, if the
        unit says who people are."""
        named = self._columns_by_key()
        if self.unit is not None:
            named.pop("roles.identifier", None)
        for key, used in {**named, **{f"masks.{bare(column)}": [column] for column in self.masks}}.items():
            there = [column for column in used if column.lower() not in lower(self.gone)]
            if problem := missing_column(there, columns, table):
                raise self.spelling.wrong(key, problem)

    def check_source(self, con: duckdb.DuckDBPyConnection, tbl: str, called: str) -> None:
        """Errors as in check_columns, of a table that is released. What [input] says is missing must be NULL
        in it: the command line reads files so, and from Python a text for it would count as a value."""
        columns = column_names(con, tbl)
        self.check_columns(columns, called)
        missing_in = {name.lower(): texts for name, texts in self.missing_in.items()}
        named = [name for name in columns if name.lower() in self.named_columns()]
        texts = {name: [*self.missing, *missing_in.get(name.lower(), ())] for name in named}
        texts = {name: each for name, each in texts.items() if each}
        if not texts:
            return
        counted = [
            exp.CountIf(this=stands_for_missing(exp.cast(exp.column(name, quoted=True), "text"), each))
            for name, each in texts.items()
        ]
        [found] = statements.execute(con, statements.select(statements.relation(tbl), *counted))
        for name, rows in zip(texts, found, strict=True):
            if rows:
                raise self.spelling.wrong(
                    "input.missing", f": {rows:,} rows of {name} have a text that means missing. Only the "
                    f"command line reads it so, from text files: make it NULL in {called}"
                )  # fmt: skip

    def _columns_by_key(self) -> dict[str, Collection[str]]:
        """The columns that keys of the policy name, but for masks."""
        named: dict[str, Collection[str]] = {f"roles.{role}": used for role, used in self.roles.items()}
        named |= {f"roles.{role}": [used] for role, used in self._of_unit().items()}
        named |= {} if self.weight is None else {"roles.weight": [self.weight]}
        named |= {f"roles.{role}": [used] for role, used in self._of_sample().items()}
        named |= {} if self.new_rows is None else {"judge.new_rows": [self.new_rows]}
        named |= {"input.trim": self.trim, "input.fold": self.fold}
        return named | {"input.missing_in": [*self.missing_in], "input.digits": [*self.digits]}

    def of_release(self, columns: Sequence[str]) -> Policy:
        """The policy as it is about its release, which has these columns: what never leaves is not looked
        for, and of a text file what is recoded has no type."""
        have, unchanged = (
            lower(columns),
            lower([*self.roles.get("sensitive", []), *self.roles.get("keep", [])]),
        )
        return dataclasses.replace(
            self,
            roles={role: named for role, named in self.roles.items() if role != "identifier"},
            unit=self.unit if lower(self.units()) & have else None,
            sampling_weight=self.sampling_weight if (self.sampling_weight or "").lower() in have else None,
            household=self.household if (self.household or "").lower() in have else None,
            masks={column: mask for column, mask in self.masks.items() if column.lower() in have},
            direct={column: why for column, why in self.direct.items() if column.lower() in have},
            names=[],
            encoding=None,
            missing=[],
            trim=[],
            fold=[],
            missing_in={},
            digits={},
            rename=[],
            called={},
            gone=[],
            new_rows=None,
            only_table=False,
            types={
                column: type_ for column, type_ in self.types.items() if column.lower() in unchanged & have
            },
        )

    def is_release(self, columns: Sequence[str]) -> bool:
        """Is a table with these columns probably a release? It lacks one that never leaves, or has only those
        that do."""
        kept_back = lower([*self.roles.get("identifier", []), *self.units()])
        return bool(kept_back - lower(columns)) or not self.not_released(columns)

    def not_released(self, columns: Sequence[str]) -> list[str]:
        """The columns of a table that the policy does not release."""
        roles = [self.roles.get(role, []) for role in ("qi", "sensitive", "keep")]
        released = lower([name for named in (*roles, self.masks) for name in named])
        released |= {"bucket"} if self.made_by == "anatomize" else set()
        return [
            column for column in columns if column.lower() not in {*released, (self.weight or "").lower()}
        ]

    def relations(
        self,
        table: str | Sequence[str],
        population: str | None,
        *,
        is_raw: bool = True,
        to_be_read: bool = False,
    ) -> dict[str, exp.Query]:
        """The common table expressions of a statement: hierarchies, and what these are built from.

        table, is_raw: as in make_hierarchies. UseError for a policy's SQL, which nothing would hold back
        there, unless the statement is to be read only.
        """
        for column, made_of in self.hierarchies.items():
            if "sql" in made_of and not to_be_read:
                raise self.spelling.wrong(
                    f"hierarchies.{bare(column)}.sql", " is for a run, not for a statement"
                )
        values = self._values(table, population, is_raw)
        relations: dict[str, exp.Query] = {
            name: union for name, (_, union) in values.items() if union is not None
        }
        read = {name: name if union is not None else one for name, (one, union) in values.items()}
        queries = list(self._hierarchies(read).values())
        if queries:
            given = queries[0] if len(queries) == 1 else exp.union(*queries, distinct=False)
            if not (self._is_completed and is_raw):
                return {**relations, "hierarchies": given}
            tables, last = self._raw(table, population), "given_hierarchies"
            relations[last] = given
            for i, each in enumerate(tables, 1):
                completed = statements.call("complete_hierarchies", each, self._qi_with_hierarchies, last)
                last = "hierarchies" if i == len(tables) else f"hierarchies_{i}"
                relations[last] = completed
        return relations

    def _values(
        self, table: str | Sequence[str], population: str | None, is_raw: bool
    ) -> dict[str, tuple[str, exp.Union | None]]:
        """What hierarchies are built from: `everybody` for quasi-identifiers, `table` for other columns, each
        the one table that has raw values of these, or of several all values in a query."""
        tables = [table] if isinstance(table, str) else list(table)
        raw = [*(tables if is_raw else []), *([] if population is None else [population])]
        values: dict[str, tuple[str, exp.Union | None]] = {}
        for name, of, is_qi in (("everybody", raw, True), ("table_values", tables, False)):
            built = [
                exp.column(column, quoted=True)
                for column, made_of in self.hierarchies.items()
                if self._is_qi(column) == is_qi and _is_built(made_of)
            ]
            if built and of:
                selects = [statements.select(statements.relation(each), *built) for each in of]
                values[name] = (of[0], exp.union(*selects) if len(of) > 1 else None)
        return values

    def _is_qi(self, column: str) -> bool:
        return column.lower() in lower(self.roles["qi"])

    def _hierarchies(self, values: Mapping[str, str]) -> dict[str, exp.Select]:
        """Column -> the query of its hierarchy. values: where those are that it is built from, as in _values;
        without any it is left out."""
        queries = {}
        for column, made_of in self.hierarchies.items():
            of = values.get("everybody" if self._is_qi(column) else "table_values")
            if of is not None or not _is_built(made_of):
                queries[column] = _hierarchy(column, of or "", **made_of)
        return queries

    def make_hierarchies(
        self,
        con: duckdb.DuckDBPyConnection,
        table: str | Sequence[str],
        population: str | None,
        work: WorkTables,
        *,
        is_raw: bool = True,
    ) -> str | None:
        """The name of a table with all hierarchies, None without any.

        table: where the values are that they are built from, one or several. is_raw: whether these have raw
        quasi-identifiers. Of releases alone nothing can be built: such a hierarchy is left out, unless there
        is a population. Errors: InputError, which names the key.
        """
        read = {}
        for name, (one, union) in self._values(table, population, is_raw).items():
            read[name] = one
            if union is not None:
                with self._naming("requirements.population" if name == "everybody" else "hierarchies"):
                    work.make(name, union)
                read[name] = work.name(name)
        queries = self._hierarchies(read)
        if not queries:
            return None
        hierarchies = work.name("hierarchies")
        made = work.make("hierarchies", statements.call("_hierarchies", None))
        for column, query in queries.items():
            with self._naming(f"hierarchies.{bare(column)}"):
                rows, lists = query, None
                if sql := self.hierarchies[column].get("sql"):
                    of = read["everybody" if self._is_qi(column) else "table_values"]
                    lists = sandbox.entries(con, of, column, sql)
                    rows = _of_column(column, sandbox.of_lists())
                statements.execute(con, exp.insert(rows, made), lists)
        if self._is_completed and is_raw:
            self._complete(con, made, self._raw(table, population), work)
        return hierarchies

    @property
    def _is_completed(self) -> bool:
        return self.complete_hierarchies and bool(self._qi_with_hierarchies)

    @property
    def _qi_with_hierarchies(self) -> list[str]:
        return [column for column in self.hierarchies if self._is_qi(column)]

    def _raw(self, table: str | Sequence[str], population: str | None) -> list[str]:
        """The tables with raw quasi-identifiers."""
        tables = [table] if isinstance(table, str) else table
        return list(dict.fromkeys([*tables, *([] if population is None else [population])]))

    def _complete(
        self, con: duckdb.DuckDBPyConnection, hierarchies: exp.Table, tables: Sequence[str], work: WorkTables
    ) -> None:
        """Add the values of the tables that their hierarchies lack, and tell how many these are."""
        for each in tables:
            query = statements.call("lacking_values", each, self._qi_with_hierarchies, hierarchies.name)
            lacking = work.make("lacking", query)
            counts = statements.select(lacking, "attribute", "count(*)", "sum(rows)").group_by("attribute")
            for attribute, values, rows in statements.execute(con, counts.order_by("attribute")):
                of = f"{values:,} value{'s' if values > 1 else ''}, of {rows:,} row{'s' if rows > 1 else ''}"
                remark(
                    f"the hierarchy of {attribute} lacks {of}: at every level above 0 they are the label at "
                    "its top"
                )
            entries = statements.call("_lacking_entries", lacking.name, hierarchies.name)
            statements.execute(con, exp.insert(entries, hierarchies.copy()))

    @contextmanager
    def _naming(self, key: str) -> Iterator[None]:
        """Errors name the key that they are about."""
        try:
            yield
        except SqlanonError as error:
            message = getattr(error, "message", str(error))
            raise InputError(str(self.spelling.wrong(key, f": {message}"))) from error

    def run(
        self,
        con: duckdb.DuckDBPyConnection,
        source: Source,
        *,
        population: Source = None,
        known: Sequence[Source] | None = None,
        presence: Sequence[str] | None = None,
        based_on: Source = None,
        into: str | None = None,
        replace: bool = False,
        progress: Progress | bool | None = None,
        key_file: str | os.PathLike[str] | None = None,
    ) -> Release:
        """Anonymize a table as the policy says.

        source, into, replace and progress are those of the functions that anonymize. population: the table
        that the policy means, where that lies in a DuckDB file (attach it first); based_on: likewise. known:
        the releases that are out already, for composed_l; presence: the columns that say who is in these.
        key_file: as in `sqlanon.mask`, for hashes. What the policy came from is among the release's
        parameters, as `policy`; so are its `masks`. Warns (LeavingWarning) of columns that name people, but
        for those in [direct]. Errors: as of the functions, and InputError for a column that is not there.
        """
        ensure_registered(con)
        if self.known is not None and known is None:
            raise self.spelling.wrong(
                "requirements.known", f' = "{self.known}" is for publish: give the releases that are out'
            )
        if self.based_on == REGISTER and based_on is None:
            raise self.spelling.wrong(
                "method.based_on", f' = "{self.based_on}" is for publish: give the earlier release'
            )
        if self.parameters.get("scheme") == REGISTER:
            raise self.spelling.wrong(
                "method.scheme", f' = "{REGISTER}" is for publish, where there is a last release'
            )
        population = of_policy(population, self.population, "population")
        based_on = of_policy(based_on, self.based_on, "based_on")
        about_known = {"known": known, "presence": presence, "based_on": based_on}
        with self.spelling.spelled(), ExitStack() as stack:
            stack.enter_context(under(Terms(self.masks, self.direct)))
            stack.enter_context(practice.under(self.rules))
            table = stack.enter_context(named(con, source))
            self.check_source(con, table, source if isinstance(source, str) else "the source")
            if days := days_among(con, statements.relation(table), self.roles.get("qi", ())):
                source = statements.answer(con, with_days(statements.relation(table), days))
                table = stack.enter_context(named(con, source))
            work = stack.enter_context(WorkTables(con))
            if self.masks:
                masked = self._masked(con, table, work, key_file, presence or [])
                done = masked.run(
                    con, con.table(work.name("masked")), population=population, **about_known, into=into,
                    replace=replace, progress=progress,
                )  # fmt: skip
                return dataclasses.replace(done, parameters={**done.parameters, "masks": self.masks})
            people = None if population is None else stack.enter_context(named(con, population))
            arguments = {
                "hierarchies": self.make_hierarchies(con, table, people, work),
                "population": population,
                **about_known,
            }
            release: Release = method_of_name(self.method)(
                con, source, **self.arguments(parameters_of(self.method)),
                **{name: value for name, value in arguments.items() if value is not None},
                into=into, replace=replace, progress=progress,
            )  # fmt: skip
        if not self.origin:
            return release
        return dataclasses.replace(release, parameters={**release.parameters, "policy": self.origin})

    def _masked(
        self,
        con: duckdb.DuckDBPyConnection,
        table: str,
        work: WorkTables,
        key_file: str | os.PathLike[str] | None,
        presence: Sequence[str],
    ) -> Policy:
        """The policy for a table whose columns are masked already: the work table `masked`, which is made."""
        roles = {role: columns for role, columns in self.roles.items() if role != "identifier"}
        there = lower([name for names in roles.values() for name in names])
        of_sample = [name for name in self._of_sample().values() if name.lower() not in there]
        of_unit = [*self._of_unit().values(), *of_sample]
        as_they_are = [name for names in (*roles.values(), of_unit, presence) for name in names]
        with_masks(con, work, table, self.masks, as_they_are, key_file)
        keep = [*roles.get("keep", []), *self.masks]
        return dataclasses.replace(self, roles={**roles, "keep": keep}, masks={})


def of_policy(given: Source, in_policy: str | None, key: str) -> Source:
    """A table that is given, or else that of the policy."""
    if given is not None or in_policy is None:
        return given
    if "::" in in_policy:
        raise InputError(f"attach the database of {in_policy}, and give its table as {key}")
    return as_pattern(Path(in_policy))


def _is_built(made_of: Mapping[str, Any]) -> bool:
    """Is a hierarchy made from the values of its column?"""
    return bool(made_of.keys() & {"builder", "sql"})


def _hierarchy(
    column: str,
    table: str,
    *,
    values: Mapping[str, list[str]] | None = None,
    file: str | None = None,
    sql: str | None = None,
    builder: str | None = None,
    **parameters: Any,
) -> exp.Select:
    """The query of a column's hierarchy: attribute, value, level, label."""
    if file is not None:
        return statements.call("read_hierarchy", file, column, **parameters)
    if builder is not None:
        return statements.call(f"{builder}_hierarchy", table, column, **parameters)
    if values is not None:
        rows = [
            (value, level, label)
            for value, labels in values.items()
            for level, label in enumerate([value, *labels])
        ]
        of: exp.Expression = exp.values(rows, alias="entry", columns=["value", "level", "label"])
        return _of_column(column, sandbox.typed(of))
    return _of_column(column, sandbox.shown(table, column, str(sql)))


def _of_column(column: str, entries: exp.Select) -> exp.Select:
    """The entries of a hierarchy, with the name of its column."""
    attribute = exp.Alias(this=exp.Literal.string(column), alias=exp.to_identifier("attribute"))
    return statements.select(entries.subquery("entry"), attribute, "*")
