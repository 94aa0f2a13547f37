"""What all anonymizers share in Python: running over temporary tables, checking and publishing the release.

What one statement would hold in memory can spill to disk here, its progress can be watched, and it can be
interrupted.
"""

from __future__ import annotations

import inspect
import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from os import PathLike, fspath
from typing import Any, ClassVar

import duckdb
from sqlglot import exp

from sqlanon.core.answer import naming_tables
from sqlanon.core.by_column import in_order
from sqlanon.core.comments import parameters, requirements_of
from sqlanon.core.days import days_among, with_days
from sqlanon.core.errors import (
    InputError,
    LeavingWarning,
    SetsWarning,
    SqlanonError,
    VerificationError,
    titled,
)
from sqlanon.core.interrupts import prompt
from sqlanon.core.library import ensure_registered
from sqlanon.core.models import having, verdict_of
from sqlanon.core.release import Progress, Release, number_of_people
from sqlanon.core.remarks import warn
from sqlanon.core.requirements import complete
from sqlanon.core.source import Source, lower, named, names, roles
from sqlanon.core.statements import (
    answer,
    call,
    count,
    create,
    execute,
    literal,
    named_table,
    relation,
    render,
    scalar,
    select,
)
from sqlanon.core.steps import Chain, requirements, statement_of
from sqlanon.core.tables import Target, WorkTables, check_kept, take_place, target, transaction
from sqlanon.measure import practice
from sqlanon.measure.leaving import of_release
from sqlanon.measure.sets import OF_SETS, columns_of_sets, sets_in_words

Columns = Mapping[str, list[str] | None]  # qi, sensitive, keep

# Numbers by column: what they are of those that are not mentioned.
BY_COLUMN = {"levels": 0, "weights": 1.0, "min_levels": None, "max_levels": None}


@dataclass(frozen=True)
class Shares:
    """What share of a run is done when a phase begins."""

    reading: float
    coding: float
    main: float
    labelling: float
    writing: float
    checking: float


@dataclass(frozen=True)
class Verified:
    """What an independent look at a finished release finds.

    suppressed: rows of the source that are not in it.
    """

    rows: int
    suppressed: int
    classes: int
    reached: Mapping[str, float]
    people: int | None = None  # where a unit says whose a row is
    required: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Task:
    """What is to be anonymized, and how.

    macro: the public macro. arguments: its parameters by name, tables by the names that SQL knows them by.
    columns: roles of columns. place: where the release goes, unless it is temporary, and replace: in the
    place of what is there.
    """

    con: duckdb.DuckDBPyConnection
    work: WorkTables
    macro: str
    arguments: Mapping[str, Any]
    columns: Columns
    place: Target | None = None
    replace: bool = False

    def second_place(self, name: str, parameter: str) -> Target:
        """Where a second table goes. Errors: InputError."""
        first, second = self.place, target(self.con, name, self.replace)
        if first and first.beside(first.name.lower()) == second.beside(second.name.lower()):
            raise InputError(f"into and {parameter} are both {first.name}: give two names")
        return second


@dataclass(frozen=True)
class Request:
    """The arguments of a function: roles of columns, what is required, the other parameters of its macro,
    tables by parameter, and beyond: those that only Python has. recorded: those that a release states."""

    columns: Columns
    required: Mapping[str, Any]
    others: Mapping[str, Any]
    tables: Mapping[str, Any]
    beyond: Mapping[str, Any]
    recorded: Mapping[str, Any]


class Anonymizer(ABC):
    """One run: the chain of a macro step by step, and a look at what comes out."""

    # A function that anonymizes is `released` of such a class. What the class takes by name the function has
    # beyond its macro; from the second paragraph on, and in `details`, docstrings are meant for its users.

    # The steps that the algorithm is about, and what is done there.
    phases: ClassVar[Mapping[str, str]]
    # How long phases take, for an estimate of the time that is left: as in Mondrian on many rows.
    shares: ClassVar[Shares] = Shares(0, 0.05, 0.3, 0.4, 0.5, 0.94)
    # The parameter with which the macro of the release has the unit in a further column.
    unit_parameter: ClassVar[str] = "unit"
    # What is not looked at, of what requirements can be about, and why.
    blind: ClassVar[Mapping[str, str]] = {}
    # Is a seed drawn where none is given?
    is_dealt: ClassVar[bool] = False

    @classmethod
    def released(
        cls,
        con: duckdb.DuckDBPyConnection,
        macro: str,
        source: Source,
        *,
        into: str | None = None,
        replace: bool = False,
        progress: Progress | bool | None = None,
        **given: Any,
    ) -> Release:
        """Run a public macro, check what comes out, and only then make the release visible.

        A table is the name of a table, view or file, a DataFrame, an Arrow table, a relation of this
        connection, or a release.

        into: the name of the table to make; without it, a temporary one is made. replace: an existing one may
        be replaced. progress: True shows a bar; a function is called with the share that is done (0 to 1) and
        a message that begins with the phase: reading, coding, what the method does, labelling, writing the
        release, checking.

        The release is checked by a statement of its own before it becomes visible. After an error, an
        interrupt (Ctrl-C) or an exception from progress nothing is left behind; an interrupt that comes when
        the release is committed already, and only working tables are to go, comes too late. In a transaction
        of the caller everything happens in that transaction, which is not committed; an error or interrupt in
        SQL ends it, as everywhere in DuckDB, and it can only be rolled back.

        What is listed under Errors is an InputError, and so is that into exists; others are SqlError and
        VerificationError. A LeavingWarning tells of columns that name people, a SetsWarning of many texts
        without a hierarchy.
        """
        started = time.perf_counter()
        request = cls.request(macro, given)
        ensure_registered(con)
        place = None if into is None else target(con, into, replace)
        unit = request.others.get("unit")
        with ExitStack() as stack:
            stack.enter_context(prompt())
            if progress is True:
                from sqlanon.core.printing import progress_bar  # with rich, which is slow to import

                progress = stack.enter_context(progress_bar(always=True))
            work = stack.enter_context(WorkTables(con))
            tables = _named_tables(con, stack, work, source, request)
            # The columns are bound, not read: a wrong one is refused before any work.
            roles = call("_roles", tables["tbl"], *request.columns.values(), unit)
            with naming_tables(con, {tables["tbl"]: source if isinstance(source, str) else "source"}):
                execute(con, exp.Describe(this=roles))
            if "hierarchies" in tables:
                execute(con, exp.Describe(this=select(relation(str(tables["hierarchies"])))))
            arguments = {**request.columns, **request.required, **request.others, **tables}
            sets = _messages_of_sets(con, macro, tables, request.columns["qi"] or [])
            run = cls(Task(con, work, macro, arguments, request.columns, place, replace), **request.beyond)
            run.run(progress or (lambda done, message: None))

            run.tell(run.shares.writing, "writing the release")
            name = work.name("release")
            release = place.beside(name) if place and run.is_one_table else named_table(name)
            is_temporary = not (place and run.is_one_table)
            work.discard_later(release)
            with transaction(con):
                if not run.hidden and not _enums(con, relation(run.source)):
                    checked = release
                    execute(con, create(release, run.release(), temporary=is_temporary))
                else:
                    # A unit or a household does not leave, nor do values that only the type of an ENUM names:
                    # what is checked has them, where the order of its values is known.
                    checked = work.make("checked", run.release())
                    query = select(checked, *_leaving(con, checked, len(run.hidden))).order_by("rowid")
                    execute(con, create(release, query, temporary=is_temporary))
                run.tell(run.shares.checking, "checking")
                found = run.verified(checked)
                by_rules = practice.require(
                    con, render(release), render(checked), run.qi, unit, request.required.get("k")
                )
                columns_out = of_release(con, render(release), found.rows, request.columns, run.source, unit)
                if place:
                    run.take_place(release, place)
            check_kept(con, place.table if place else release, [(found.rows,)], into or name)
            details = {**run.details(), **run.about_known(), **run.households}
            if run.is_one_table:
                work.keep(release)
            run.tell(1.0, "done")
        for each in columns_out:
            if not each.holds:
                warn(str(each), LeavingWarning)
        for warning in sets:
            warn(warning, SetsWarning)
        return Release(
            table=into or name,
            parameters=request.recorded,
            reached={**found.reached, **by_rules.reached},
            classes=found.classes,
            rows=found.rows,
            suppressed_rows=found.suppressed,
            seconds=time.perf_counter() - started,
            details=details,
            people=found.people,
            required={**found.required, **by_rules.required},
            con=con,
            leaving=columns_out,
            title="" if into else _title(macro, request.required),
        )

    @classmethod
    def request(cls, macro: str, given: Mapping[str, Any]) -> Request:
        """The arguments of a function by what they are. Errors: InputError."""
        listed, models = parameters(macro), requirements_of(macro)
        columns = roles(given.get("qi"), given.get("sensitive"), given.get("keep"))
        beyond = {name: given[name] for name in own_parameters(cls) if name in given}
        left = {name: value for name, value in given.items() if name not in {*columns, *beyond}}
        # what is none of its parameters is refused as if it were required
        required = {name: left.pop(name) for name in [*left] if name in models or name not in listed}
        tables = {name: left.pop(name) for name in [*left] if listed[name].is_table}
        others: dict[str, Any] = {}
        for name, value in left.items():
            if name in BY_COLUMN:
                others[name] = in_order(value, columns["qi"] or [], name, BY_COLUMN[name])
            else:
                others[name] = names(value, name) if "columns" in listed[name].type else value
        required = cls.required(macro, required, {**columns, **others, **tables, **beyond})
        by_column = {name: left[name] for name in left if name in BY_COLUMN}
        earlier = {name: fspath(table) for name, table in tables.items() if is_named(name, table)}
        recorded = {**columns, **required, **others, **by_column, **beyond, **earlier}
        if cls.is_dealt and others["seed"] is None:
            others["seed"] = secrets.randbits(63)
        recorded = {name: value for name, value in recorded.items() if value is not None}
        return Request(columns, required, others, tables, beyond, recorded)

    @classmethod
    def required(cls, macro: str, given: Mapping[str, Any], others: Mapping[str, Any]) -> dict[str, Any]:
        """All that can be required of the macro, by parameter. Errors: InputError."""
        return complete(given, macro, **cls.blind) if requirements_of(macro) else {}

    def __init__(self, task: Task) -> None:
        self.task = task
        self.con = task.con
        self.at = task.work.name
        self.make = task.work.make
        self.qi = task.columns["qi"] or []
        self.unit = task.arguments.get("unit")
        self.by_unit = self.unit is not None
        self.household = task.arguments.get("household")
        # what a release has that is checked, and then leaves without it
        keep = lower(task.columns["keep"] or [])
        self.hidden = [name for name in (self.unit, self.household) if name and name.lower() not in keep]
        # how many are released, and how many of them no other is like
        self.households: Mapping[str, int] = {}
        self._progress: Progress = lambda done, message: None
        self._done = 0.0
        self.chain = self.chain_of(task)

    def chain_of(self, task: Task) -> Chain:
        """The relations that are made one after the other."""
        return Chain(task.con, task.work, statement_of(task.con, task.macro, task.arguments), self.watch)

    def run(self, progress: Progress) -> None:
        """Everything up to the release."""
        self._progress = progress
        self.chain.answer()

    def watch(self, step: str, share: float, message: str) -> None:
        """Tell how far a step is: before the algorithm, in it, or after it."""
        steps, mains, shares = list(self.chain.steps), list(self.phases), self.shares
        place, first, last = (steps.index(name) for name in (step, mains[0], mains[-1]))
        if step in self.phases:
            phase = self.phases[step]
            done = shares.main + (mains.index(step) + share) / len(mains) * (shares.labelling - shares.main)
        elif place <= steps.index("source"):
            phase, done = "reading", shares.reading
        elif place < first:
            phase, done = "coding", shares.coding + place / first * (shares.main - shares.coding)
        else:
            phase, done = "labelling", shares.labelling if place > last else shares.main
        self.tell(done, f"{phase}, {message}" if message else phase)

    def tell(self, done: float, message: str) -> None:
        """Call progress; what is done never gets less."""
        self._done = max(self._done, done)
        self._progress(self._done, message)

    def release(self) -> exp.Select:
        """The rows to release; where there is a unit or a household, each with it in a further column."""
        if not self.hidden:
            return self.chain.answer()
        value = True if self.unit_parameter == "with_unit" else self.unit
        return self.chain.answer(**{self.unit_parameter: value})

    @abstractmethod
    def verified(self, release: exp.Table) -> Verified:
        """A look at the finished release (with the unit) that shares nothing with the run.

        Errors: VerificationError.
        """

    @property
    def is_one_table(self) -> bool:
        """Does the release become visible as it is checked?"""
        return True

    def take_place(self, release: exp.Table, place: Target) -> None:
        """Make a checked release visible."""
        take_place(self.con, release, place)

    def details(self) -> Mapping[str, Any]:
        return {}

    def about_known(self) -> Mapping[str, Any]:
        """What known releases have given away already: exposed_rows (of the source, to which they leave fewer
        values than composed_l; of people with several rows also those of whom the rule requires less for
        another reason), unbound_rows (in none of their classes: these are exempt), and
        unread_rows (of theirs, with labels that nobody understands, such as values of people who are gone).
        """
        return {}

    @property
    def source(self) -> str:
        """The rows that were read."""
        return self.chain.table("source")

    def people(self, release: exp.Table) -> int | None:
        """How many people have the rows of a release; None without a unit."""
        if self.unit is None:
            return None
        apart = self.task.arguments.get("distinct_spellings")
        [(people,)] = execute(self.con, call("_number_of_people", render(release), self.unit, apart))
        return int(people)


@dataclass(frozen=True)
class Worst:
    """What _worst_classes says of a model: how many classes there are, how many violate it, and the worst."""

    id: str
    model: str
    sensitive: str | None
    required: float | None
    classes: int
    violations: int
    reached: float
    size: int
    people: int
    example: Mapping[str, Any]


class CodedAnonymizer(Anonymizer):
    """An anonymizer of classes under requirements, which are checked in one statement over the release."""

    unit_parameter = "with_unit"

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        terms = terms_of(self.con, task.columns, task.arguments)
        self.judged, self.population, self.known = terms["judged"], terms["population"], terms["known"]
        self.presence: list[str] = terms["presence"]
        self.strata: list[str] = task.arguments.get("strata") or []
        self.joined: list[str] = self.columns_joined() if self.known else []

    def columns_joined(self) -> list[str]:
        """The columns beside the sensitive ones by which the release is joined with known ones."""
        return []

    def with_unit(self, columns: list[str]) -> list[str]:
        """Columns and the unit, last, if there is one."""
        return [*columns, self.unit] if self.unit is not None else columns

    def suppressed(self) -> int:
        """Rows that the run has left out, as it says itself."""
        return 0

    def verified(self, release: exp.Table) -> Verified:
        """Rows, classes and what they reach. VerificationError if rows are missing or a class violates."""
        con, suppressed = self.con, self.suppressed()
        [(rows,)] = execute(con, count(release))
        if [(rows + suppressed,)] != execute(con, count(relation(self.source))):
            raise VerificationError(
                f"the release has {rows:,} rows and {suppressed:,} are suppressed, the source has others: "
                "has it changed?"
            )
        self.require_strata(release)
        self.require_households(release)
        hierarchies = self.chain.table("hierarchy") if self.task.arguments.get("hierarchies") else None
        # distributions are those of the source, of which suppression has left a part
        reference = self.source if suppressed or self.known else None
        check = scalar(
            "_check_statement", render(release), self.qi, self.judged, hierarchies,
            requirements(con, self.task.arguments), self.population, reference, self.unit, self.known,
            *self.attacked(release),
        )  # fmt: skip
        k, reached, required = self.verdicts(check)
        found = Verified(rows, suppressed, k.classes, reached, self.people(release), required)
        return self.verified_by_attacks(found, release)

    def require_strata(self, release: exp.Table) -> None:
        """Do strata leave as they are? Errors: VerificationError."""
        if self.strata:
            recoding = self.task.arguments.get("recoding")
            recoded = call("_recoded_strata", render(release), self.source, self.strata, recoding)
            [(values,)] = execute(self.con, recoded)
            if values:
                raise VerificationError(f"{values:,} values of strata ({', '.join(self.strata)}) are recoded")

    def require_households(self, release: exp.Table) -> None:
        """Do members of a household leave alike, and together? Errors: VerificationError."""
        if self.household is None:
            return
        shared = self.task.arguments.get("household_qi")
        found = call("_checked_households", render(release), self.source, self.qi, self.household, shared)
        [(households, differing, partial, unique)] = execute(self.con, found)
        if differing or partial:
            raise VerificationError(
                f"of {households:,} households {differing:,} have members with different values of what is "
                f"the household's, and {partial:,} lack members"
            )
        self.households = {"households": households, "unique_households": unique}

    def verdicts(self, check: exp.Expression) -> tuple[Worst, dict[str, float], dict[str, float]]:
        """What a check says of the release."""
        counted = "in the population" if self.population else "" if self.unit else None
        return verdicts(self.con, check, self.task.arguments, len(self.judged) > 1, counted)

    def verified_by_attacks(self, found: Verified, release: exp.Table) -> Verified:
        """A verification with the attacks themselves added, on the earlier releases and the finished one,
        which has been located with them. Errors: VerificationError."""
        return found

    def attacked(self, release: exp.Table) -> tuple[str | None, str | None, str | None]:
        """Relations of where the people of the source are in the known releases and in the finished one, of
        the rows of these, and of what is kept.

        Where people are in the known ones is what the run has located: only the release is looked through.
        """
        if not self.known:
            return None, None, None
        located, rows = self.located(release)
        kept = self.at("kept_values")
        released = self.released_targets(self.chain.table("known_target"))
        self.make("kept_values", call(
            "_kept_in_classes", located, rows, released, self.source, self.known,
            self.judged, self.joined, self.unit, self.qi, self.presence,
        ))  # fmt: skip
        return located, rows, kept

    def located(self, release: exp.Table) -> tuple[str, str]:
        """Relations of where the people of the source are in the known releases and in a new one, and of the
        rows of these: `located_in_all`, `rows_of_all`."""
        self.make("located_in_all", call(
            "_located_with_checked", self.chain.table("known_located"), self.known, render(release),
            self.chain.table("known_target"), self.chain.table("hierarchy"), self.qi, self.judged,
        ))  # fmt: skip
        self.make("rows_of_all", call(
            "_rows_with_checked", self.chain.table("known_row"), self.known, render(release), self.qi,
            self.judged, self.joined,
        ))  # fmt: skip
        return self.at("located_in_all"), self.at("rows_of_all")

    def released_targets(self, targets: str) -> str:
        """The located people who are in the release. Without suppression these are all; where whole
        classes are suppressed no other class covers them."""
        return targets

    def about_known(self) -> Mapping[str, Any]:
        if not self.known or self.task.arguments.get("based_on"):
            return {}
        left = call(
            "_left_by_known", self.chain.table("known_target"), self.chain.table("known_value"),
            self.chain.table("known_located"), self.chain.table("known_row"),
            self.chain.table("requirement"),
        )  # fmt: skip
        [(exposed, unbound, unread)] = execute(self.con, left)
        if self.unit is not None:
            of_people = call(
                "_exposed_people", self.chain.table("composition"), self.chain.table("requirement")
            )
            [(exposed,)] = execute(self.con, of_people)
        return {"exposed_rows": exposed, "unbound_rows": unbound, "unread_rows": unread}


def _title(macro: str, required: Mapping[str, Any]) -> str:
    """mondrian, k = 5, l = 2"""
    numbers = {name: value for name, value in required.items() if type(value) in (int, float)}
    return ", ".join([macro, *(f"{name} = {value}" for name, value in numbers.items())])


def terms_of(
    con: duckdb.DuckDBPyConnection, columns: Columns, arguments: Mapping[str, Any]
) -> Mapping[str, Any]:
    """What requirements look at: judged (sensitive columns), population, known and presence."""
    tables = (arguments.get(name) for name in ("known", "presence"))
    required = requirements(con, arguments)
    about = scalar("_terms", columns["sensitive"], arguments.get("population"), required, *tables)
    [(terms,)] = execute(con, about)
    return dict(terms)


def is_named(parameter: str, table: Source) -> bool:
    """Does a release name this table, which it was made from?"""
    return parameter in ("based_on", "previous") and isinstance(table, str | PathLike)


def own_parameters(anonymizer: type[Anonymizer]) -> list[str]:
    """What a class takes by name only."""
    taken = inspect.signature(anonymizer).parameters.values()
    return [each.name for each in taken if each.kind is each.KEYWORD_ONLY]


def _named_tables(
    con: duckdb.DuckDBPyConnection, stack: ExitStack, work: WorkTables, source: Source, request: Request
) -> dict[str, Any]:
    """The tables of a run by parameter, under names for SQL; and of a release that it is based on, which is
    then the one that is known, the bound that nobody may lose any of its values."""
    titles: dict[str, str] = {}
    stack.enter_context(titled(titles))
    qi, sensitive, keep = (request.columns[role] or [] for role in ("qi", "sensitive", "keep"))
    given = {name: table for name, table in request.tables.items() if table is not None}

    def name_of(other: Source, title: str) -> str:
        name = stack.enter_context(named(con, other))
        if not isinstance(other, str | PathLike):
            titles[name] = title
        return name

    def read(purpose: str, title: str, name: str, others: list[str]) -> str:
        """The table with the columns that are looked at, read once: verification sees what the run has."""
        work.make(purpose, call("_source", name, qi, others))
        titles[work.name(purpose)] = title
        return work.name(purpose)

    tables: dict[str, Any] = {"tbl": name_of(source, "source")}
    known, based_on = given.pop("known", None), given.pop("based_on", None)
    tables |= {name: name_of(table, name) for name, table in given.items()}
    if days := _days(con, tables["tbl"], qi, tables.get("hierarchies")):
        title = fspath(source) if isinstance(source, str | PathLike) else "source"
        tables["tbl"] = name_of(answer(con, with_days(relation(tables["tbl"]), days)), title)
    if "population" in tables:
        tables["population"] = read("population", "population", tables["population"], [])
    for i, release in enumerate(known or [], 1):
        title = fspath(release) if isinstance(release, str | PathLike) else f"known release {i}"
        name = name_of(release, title)
        kept = [*sensitive, *_those_there(con, name, keep)]
        tables.setdefault("known", []).append(read(f"known_{i}", title, name, kept))
    if based_on is not None:
        name = name_of(based_on, "based_on")
        earlier = read("known_1", "based_on", name, sensitive)
        bound = scalar("_composed_bound", request.required.get("composed_l"), tables.get("known"), name)
        [(tables["composed_l"],)] = execute(con, bound)
        tables |= {"known": [earlier], "based_on": earlier}
    return tables


def _days(con: duckdb.DuckDBPyConnection, table: str, qi: list[str], hierarchies: str | None) -> list[str]:
    """Quasi-identifiers whose times are all at midnight, but for those whose hierarchy has such times: it was
    made from them. If the table is not there, the run says so."""
    try:
        days = days_among(con, relation(table), qi)
        if not days or hierarchies is None:
            return days
        times = exp.Like(this=exp.cast(exp.column("value"), "varchar"), expression=literal("% 00:00:00"))
        return [day for day in days if day.lower() not in _explained(con, hierarchies, times)]
    except SqlanonError:
        return []


def _explained(
    con: duckdb.DuckDBPyConnection, hierarchies: str, where: exp.Expression | None = None
) -> set[str]:
    """The columns that hierarchies are of, in lower case."""
    attributes = select(relation(hierarchies), exp.Lower(this=exp.column("attribute"))).distinct()
    return {str(name) for (name,) in execute(con, attributes if where is None else attributes.where(where))}


def _messages_of_sets(
    con: duckdb.DuckDBPyConnection, macro: str, tables: Mapping[str, Any], qi: list[str]
) -> list[str]:
    """What to say of quasi-identifiers that are released as sets of many texts."""
    if macro not in OF_SETS:
        return []
    explained = _explained(con, tables["hierarchies"]) if "hierarchies" in tables else set()
    return [
        sets_in_words(
            name,
            values,
            looks,
            f"hierarchies=sqlanon.mask_hierarchy(..., {name!r})",
            partial(_as_days, name),
        )
        for name, values, looks in columns_of_sets(con, tables["tbl"], qi, explained)
    ]


def _as_days(name: str, said: str) -> str:
    """What reads days of a type in pandas, which has one format at a time."""
    format = said.partition(" ")[2]
    if " " in format:
        return f"write them in one way (they are {format})"
    return f"pandas.to_datetime(table[{name!r}], format={format!r})"


def _those_there(con: duckdb.DuckDBPyConnection, table: str, columns: Sequence[str]) -> list[str]:
    """The columns, without those that a table lacks."""
    described = execute(con, exp.Describe(this=select(relation(table))))
    there = {str(name).lower() for name, *_ in described}
    return [column for column in columns if column.lower() in there]


def verdicts(
    con: duckdb.DuckDBPyConnection,
    check: exp.Expression,
    arguments: Mapping[str, Any],
    several: bool,
    counted: str | None = None,
) -> tuple[Worst, dict[str, float], dict[str, float]]:
    """What a check says of a release: of k-anonymity, and by the titles of models what is reached and what is
    required.

    check: a call of _check_statement. arguments: what is required, by parameter. several: titles name the
    sensitive column. counted: which people are, if any: "" or "in the population". Errors: VerificationError
    for a class that violates a requirement, and for a requirement that nothing has judged.
    """
    [(statement,)] = execute(con, check)
    models = [Worst(*row) for row in execute(con, str(statement))]
    judged = {model.id for model in models if model.required is not None}
    for each in having("model"):
        if arguments.get(each.id) is not None and verdict_of(each.id, arguments) not in judged:
            raise VerificationError(f"{each.title} is required ({each.id}), and nothing has judged it")
    if violated := [model for model in models if model.violations]:
        worst = violated[0]
        people = "" if counted is None else f" of {number_of_people(worst.people)} {counted}".rstrip()
        raise VerificationError(
            f"{sum(model.violations for model in violated):,} violations, the first of {worst.model}: the "
            f"class {worst.example} of {worst.size or 0:,} rows{people} reaches {worst.reached}, "
            f"{worst.required} is required"
        )
    [k] = [model for model in models if model.id == "k"]
    reached: dict[str, float] = {k.model: int(k.reached)}
    required = {} if k.required is None else {k.model: k.required}
    for model in models:
        # composed_l of a release that is based on another is computed: nobody has required it
        is_reported = arguments.get("based_on") is None or model.id != "composed_l"
        if model.required is not None and model is not k and is_reported:
            title = f"{model.model} of {model.sensitive}" if several and model.sensitive else model.model
            reached[title], required[title] = model.reached, model.required
    return k, reached, required


def _enums(con: duckdb.DuckDBPyConnection, table: exp.Expression) -> dict[str, str]:
    """The columns that have an ENUM type, with the type."""
    described = execute(con, exp.Describe(this=select(table)))
    return {name: type_ for name, type_, *_ in described if "ENUM(" in type_}


def _leaving(con: duckdb.DuckDBPyConnection, checked: exp.Table, hidden: int) -> list[exp.Expression]:
    """The columns of a checked table that leave; so many of its last ones do not. An ENUM becomes one
    of the values that leave, in their order, and a list of them a list of texts."""
    enums = _enums(con, checked)
    names = [name for name, *_ in execute(con, exp.Describe(this=select(checked)))]
    return [
        _of_what_leaves(con, checked, name, enums[name]) if name in enums else exp.column(name, quoted=True)
        for name in names[: len(names) - hidden]
    ]


def _of_what_leaves(
    con: duckdb.DuckDBPyConnection, table: exp.Table, name: str, type_: str
) -> exp.Expression:
    """A column without a type that names other values."""
    column = exp.column(name, quoted=True)
    if not type_.startswith("ENUM("):
        return column
    there = exp.select(column).distinct().from_(table)
    there = there.where(exp.not_(exp.Is(this=column.copy(), expression=exp.null()))).order_by(column.copy())
    values = [] if type_.endswith("]") else [value for (value,) in execute(con, there)]
    kind = "text[]" if type_.endswith("]") else "text"
    to = exp.DataType(
        this=exp.DataType.Type.ENUM, expressions=[exp.Literal.string(value) for value in values]
    )
    cast = exp.Cast(this=column.copy(), to=to) if values else exp.cast(column.copy(), kind)
    return exp.Alias(this=cast, alias=exp.to_identifier(name, quoted=True))
