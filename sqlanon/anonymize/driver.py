"""What all anonymizers share in Python: running over temporary tables, checking and publishing the release.

What one statement would hold in memory can spill to disk here, its progress can be watched, and it can be
interrupted.
"""

from __future__ import annotations

import os
import time
import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar

import duckdb
from sqlglot import exp

from sqlanon.core.errors import InputError, LeavingWarning, VerificationError
from sqlanon.core.library import ensure_registered
from sqlanon.core.models import having, verdict_of
from sqlanon.core.release import Progress, Release, number_of_people
from sqlanon.core.source import Source, named
from sqlanon.core.statements import (
    call,
    count,
    create,
    execute,
    named_table,
    relation,
    render,
    scalar,
    select,
)
from sqlanon.core.steps import Chain, requirements, statement_of
from sqlanon.core.tables import WorkTables, check_kept, take_place, target, transaction
from sqlanon.measure.leaving import of_release

Columns = Mapping[str, list[str] | None]  # qi, sensitive, keep


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
    columns: roles of columns.
    """

    con: duckdb.DuckDBPyConnection
    work: WorkTables
    macro: str
    arguments: Mapping[str, Any]
    columns: Columns


class Anonymizer(ABC):
    """One run: the chain of a macro step by step, and a look at what comes out.

    phases: the steps that the algorithm is about, and what is done there. shares: how long phases take, for
    an estimate of the time that is left. unit_parameter: what the macro of the release is told to have the
    unit in a further column.
    """

    phases: ClassVar[Mapping[str, str]]
    shares: ClassVar[Shares] = Shares(0, 0.05, 0.3, 0.4, 0.5, 0.94)  # as of Mondrian on many rows
    unit_parameter: ClassVar[str] = "unit"

    def __init__(self, task: Task) -> None:
        self.task = task
        self.con = task.con
        self.at = task.work.name
        self.make = task.work.make
        self.qi = task.columns["qi"] or []
        self.unit = task.arguments.get("unit")
        self.by_unit = self.unit is not None
        self._progress: Progress = lambda done, message: None
        self._done = 0.0
        statement = statement_of(task.con, task.macro, task.arguments)
        self.chain = Chain(task.con, task.work, statement, self.watch)

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
        """The rows to release; where there is a unit, each with it in a further column."""
        if self.unit is None:
            return self.chain.answer()
        told = True if self.unit_parameter == "with_unit" else self.unit
        return self.chain.answer(**{self.unit_parameter: told})

    @abstractmethod
    def verified(self, release: exp.Table) -> Verified:
        """A look at the finished release (with the unit) that shares nothing with the run.

        Errors: VerificationError.
        """

    def details(self) -> Mapping[str, Any]:
        """What else there is to tell."""
        return {}

    def about_known(self) -> Mapping[str, Any]:
        """What known releases have given away already: exposed_rows (of the source, to which they leave fewer
        values than composed_l), unbound_rows (in none of their classes: nothing is asked for these), and
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
        whose = call("_combinations", render(release), [self.unit], []).subquery()
        [(people,)] = execute(self.con, count(whose))
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
        about = (
            task.columns["sensitive"],
            task.arguments.get("population"),
            requirements(self.con, task.arguments),
            task.arguments.get("known"),
            task.arguments.get("presence"),
        )
        [(terms,)] = execute(self.con, scalar("_terms", *about))
        self.judged, self.population, self.known = terms["judged"], terms["population"], terms["known"]
        self.presence: list[str] = terms["presence"]
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
        hierarchies = self.chain.table("hierarchy") if self.task.arguments.get("hierarchies") else None
        # distributions are those of the source, of which suppression has left a part
        reference = self.source if suppressed or self.known else None
        check = scalar(
            "_check_statement", render(release), self.qi, self.judged, hierarchies,
            requirements(con, self.task.arguments), self.population, reference, self.unit, self.known,
            *self.attacked(release),
        )  # fmt: skip
        [(statement,)] = execute(con, check)
        models = [Worst(*row) for row in execute(con, str(statement))]
        judged = {model.id for model in models if model.required is not None}
        asked = self.task.arguments
        for each in having("model"):
            if asked.get(each.id) is not None and verdict_of(each.id, asked) not in judged:
                raise VerificationError(f"{each.title} is required ({each.id}), and nothing has judged it")
        if violated := [model for model in models if model.violations]:
            violations = sum(model.violations for model in violated)
            raise VerificationError(f"{violations:,} violations, the first of {self.told(violated[0])}")
        left_out = "composed_l" if self.task.arguments.get("based_on") is not None else None
        k, reached, required = summary(models, len(self.judged) > 1, left_out)
        found = Verified(rows, suppressed, k.classes, reached, self.people(release), required)
        return self.verified_by_attacks(found, release)

    def verified_by_attacks(self, found: Verified, release: exp.Table) -> Verified:
        """The same, also by the attacks themselves, on the earlier releases and the finished one, which has
        been located with them. Errors: VerificationError."""
        return found

    def attacked(self, release: exp.Table) -> tuple[str | None, str | None]:
        """Relations of what the known releases and the finished one tell of the source, and of what is kept.

        Where people are in the known ones is what the run has located: only the release is looked through.
        """
        if not self.known:
            return None, None
        evidence, kept = self.located(release), self.at("kept_values")
        released = self.released_targets(self.chain.table("known_target"))
        self.make("kept_values", call(
            "_kept_in_classes", evidence, self.at("rows_of_all"), released, self.source, self.known,
            self.judged, self.joined, self.unit, self.qi, self.presence,
        ))  # fmt: skip
        return evidence, kept

    def located(self, release: exp.Table) -> str:
        """The relation of what the known releases and a new one tell of the source: `attacked`."""
        self.make("attacked", call(
            "_evidence_with_checked", self.chain.table("known_evidence"), self.known, render(release),
            self.chain.table("known_target"), self.chain.table("hierarchy"), self.qi, self.judged,
        ))  # fmt: skip
        self.make("rows_of_all", call(
            "_rows_with_checked", self.chain.table("known_row"), self.known, render(release), self.qi,
            self.judged, self.joined,
        ))  # fmt: skip
        return self.at("attacked")

    def released_targets(self, targets: str) -> str:
        """Those of the located people who are in the release. Without suppression these are all; where whole
        classes are suppressed no other class covers them."""
        return targets

    def about_known(self) -> Mapping[str, Any]:
        if not self.known or self.task.arguments.get("based_on"):
            return {}
        left = call(
            "_left_by_known", self.chain.table("known_target"), self.chain.table("known_value"),
            self.chain.table("known_evidence"), self.chain.table("requirement"),
        )  # fmt: skip
        [counts] = execute(self.con, left)
        return dict(zip(("exposed_rows", "unbound_rows", "unread_rows"), counts, strict=True))

    def told(self, worst: Worst) -> str:
        """What a class violates, in words."""
        whose = "in the population" if self.population else ""
        counted = self.population or self.unit
        of_people = f" of {number_of_people(worst.people)} {whose}".rstrip() if counted else ""
        return (
            f"{worst.model}: the class {worst.example} of {worst.size or 0:,} rows{of_people} reaches "
            f"{worst.reached}, {worst.required} is required"
        )


def _those_there(con: duckdb.DuckDBPyConnection, table: str, columns: Sequence[str]) -> list[str]:
    """Those of the columns that a table has."""
    described = execute(con, exp.Describe(this=select(relation(table))))
    there = {str(name).lower() for name, *_ in described}
    return [column for column in columns if column.lower() in there]


def summary(
    models: Sequence[Worst], several: bool, left_out: str | None = None
) -> tuple[Worst, dict[str, float], dict[str, float]]:
    """What is said of k-anonymity, and by the titles of models what is reached and what is required.

    several: titles name the sensitive column. left_out: the id of a model that is not told.
    """
    [k] = [model for model in models if model.id == "k"]
    reached: dict[str, float] = {k.model: int(k.reached)}
    required = {} if k.required is None else {k.model: k.required}
    for model in models:
        if model.required is not None and model is not k and model.id != left_out:
            title = f"{model.model} of {model.sensitive}" if several and model.sensitive else model.model
            reached[title], required[title] = model.reached, model.required
    return k, reached, required


def anonymize(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Columns,
    into: str | None,
    replace: bool,
    progress: Progress | bool | None,
    anonymizer: type[Anonymizer],
    macro: str,
    given: Mapping[str, Any],
    *,
    hierarchies: Source = None,
    population: Source = None,
    known: Sequence[Source] | None = None,
    based_on: Source = None,
    scheme: Source = None,
    recorded: Mapping[str, Any] | None = None,
    beyond: Mapping[str, Any] | None = None,
) -> Release:
    """Run a public macro, check what comes out, and only then make the release visible.

    given: the parameters of the macro, without its tables and columns. recorded: those of them that the
    release records otherwise. beyond: what the run is asked for that the macro does not know. A unit does not
    leave, nor do values that only the type of an ENUM names: the release is checked in a temporary table that
    has them, where the order of its values is known, and becomes that table without them. Warns
    (LeavingWarning) of columns that name people.
    """
    started = time.perf_counter()
    ensure_registered(con)
    place = None if into is None else target(con, into, replace)
    unit = given.get("unit")
    with ExitStack() as stack:
        if progress is True:
            from sqlanon.core.printing import progress_bar  # with rich, which is slow to import

            progress = stack.enter_context(progress_bar(always=True))
        work = stack.enter_context(WorkTables(con))
        titles: dict[str, str] = {}

        def name_of(other: Source, title: str) -> str:
            name = stack.enter_context(named(con, other))
            if not isinstance(other, str | os.PathLike):
                titles[name] = title
            return name

        stack.enter_context(titled(titles))
        tables: dict[str, Any] = {"tbl": name_of(source, "source")}
        if hierarchies is not None:
            tables["hierarchies"] = name_of(hierarchies, "hierarchies")
        if scheme is not None:
            tables["scheme"] = name_of(scheme, "scheme")
        if population is not None:
            people = name_of(population, "population")
            # Read once: who is counted are those against whom the release is verified.
            work.make("population", call("_source", people, columns["qi"], []))
            tables["population"] = work.name("population")
            titles[work.name("population")] = "population"
        for i, release in enumerate(known or [], 1):
            title = os.fspath(release) if isinstance(release, str | os.PathLike) else f"known release {i}"
            known_name = name_of(release, title)
            work.make(f"known_{i}", call(
                "_source", known_name, columns["qi"],
                [*(columns["sensitive"] or []), *_those_there(con, known_name, columns["keep"] or [])],
            ))  # fmt: skip
            tables.setdefault("known", []).append(work.name(f"known_{i}"))
            titles[work.name(f"known_{i}")] = title
        bounds: dict[str, Any] = {}
        if based_on is not None:
            # The earlier release is the one that is known, and nobody may lose any of its values.
            earlier = name_of(based_on, "based_on")
            work.make("known_1", call("_source", earlier, columns["qi"], columns["sensitive"] or []))
            titles[work.name("known_1")] = "based_on"
            bound = scalar("_composed_bound", given.get("composed_l"), tables.get("known"), earlier)
            [(composed_l,)] = execute(con, bound)
            bounds = {
                "composed_l": composed_l,
                "known": [work.name("known_1")],
                "based_on": work.name("known_1"),
            }
        # The columns are bound, not read: a wrong one is refused before any work.
        execute(con, exp.Describe(this=call("_roles", tables["tbl"], *columns.values(), unit)))
        if hierarchies is not None:
            execute(con, exp.Describe(this=select(relation(str(tables["hierarchies"])))))
        arguments = {**columns, **tables, **given, **bounds}
        run = anonymizer(Task(con, work, macro, arguments, columns), **(beyond or {}))
        run.run(progress or (lambda done, message: None))

        run.tell(run.shares.writing, "writing the release")
        name = work.name("release")
        release = place.beside(name) if place else named_table(name)
        work.discard_later(release)
        with transaction(con):
            if unit is None and not _enums(con, relation(run.source)):
                checked = release
                execute(con, create(release, run.release(), temporary=place is None))
            else:
                checked = work.make("checked", run.release())
                leaving = _leaving(con, checked, unit)
                query = select(checked, *leaving).order_by("rowid")
                execute(con, create(release, query, temporary=place is None))
            run.tell(run.shares.checking, "checking")
            found = run.verified(checked)
            columns_out = of_release(con, render(release), found.rows, columns, run.source, unit)
            if place:
                take_place(con, release, place)
        check_kept(con, place.table if place else release, [(found.rows,)], into or name)
        details = {**run.details(), **run.about_known()}
        work.keep(release)
        run.tell(1.0, "done")
    for each in columns_out:
        if not each.holds:
            warnings.warn(str(each), LeavingWarning, stacklevel=4)
    told = {**columns, **given, **(beyond or {}), **(recorded or {})}
    if isinstance(based_on, str | os.PathLike):
        told["based_on"] = os.fspath(based_on)
    return Release(
        table=into or name,
        parameters={parameter: value for parameter, value in told.items() if value is not None},
        reached=found.reached,
        classes=found.classes,
        rows=found.rows,
        suppressed_rows=found.suppressed,
        seconds=time.perf_counter() - started,
        details=details,
        people=found.people,
        required=found.required,
        con=con,
        leaving=columns_out,
    )


def _enums(con: duckdb.DuckDBPyConnection, table: exp.Expression) -> dict[str, str]:
    """The columns that have an ENUM type, with the type."""
    described = execute(con, exp.Describe(this=select(table)))
    return {name: type_ for name, type_, *_ in described if "ENUM(" in type_}


def _leaving(con: duckdb.DuckDBPyConnection, checked: exp.Table, unit: str | None) -> list[exp.Expression]:
    """The columns of a checked table that leave; the unit, which does not, is its last. An ENUM becomes one
    of the values that leave, in their order, and a list of them a list of texts."""
    enums = _enums(con, checked)
    names = [name for name, *_ in execute(con, exp.Describe(this=select(checked)))]
    return [
        _of_what_leaves(con, checked, name, enums[name]) if name in enums else exp.column(name, quoted=True)
        for name in names[: None if unit is None else -1]
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


@contextmanager
def titled(titles: Mapping[str, str]) -> Iterator[None]:
    """Errors call what was no table before by its title."""
    try:
        yield
    except InputError as error:
        message = str(error)
        for name, title in titles.items():
            message = message.replace(name, title)
        raise type(error)(message) from error
