"""What all anonymizers share in Python: the run over temporary tables, the check of the release, and its becoming visible.

What one statement would hold in memory can spill to disk here, its progress can be watched, and it can be
interrupted.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.core.errors import SqlanonError, VerificationError
from sqlanon.core.library import ensure_registered
from sqlanon.core.release import Progress, Release, number_of_people
from sqlanon.core.requirements import models
from sqlanon.core.source import Source, named
from sqlanon.core.statements import (
    call,
    count,
    create,
    drop,
    execute,
    named_table,
    relation,
    render,
    scalar,
    select,
)
from sqlanon.core.tables import WorkTables, target, transaction

Columns = Mapping[str, list[str] | None]  # qi, sensitive, keep


@dataclass(frozen=True)
class Verified:
    """What an independent look at a finished release finds. suppressed: rows of the source that are not in it."""

    rows: int
    suppressed: int
    classes: int
    reached: Mapping[str, float]
    people: int | None = None  # where a unit says whose a row is


@dataclass(frozen=True)
class Task:
    """What is to be anonymized: sources by the names that SQL knows them by, and roles of columns.

    title: what messages call the table. unit: the column that says whose a row is.
    """

    con: duckdb.DuckDBPyConnection
    work: WorkTables
    tbl: str
    title: str
    columns: Columns
    hierarchies: str | None
    population: str | None
    unit: str | None = None


class Anonymizer(ABC):
    """One run over the tables of `work`, which have the names of the relations in the anonymizer's SQL."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.con = task.con
        self.at = task.work.name
        self.make = task.work.make
        self.qi = task.columns["qi"] or []
        self.unit, self.by_unit = task.unit, task.unit is not None

    @abstractmethod
    def run(self, progress: Progress) -> None:
        """Everything up to the release."""

    @abstractmethod
    def release(self) -> exp.Select:
        """The rows to release; where there is a unit, each with it in a further column."""

    @abstractmethod
    def verified(self, release: exp.Table) -> Verified:
        """A look at the finished release (with the unit) that shares nothing with the run. Errors: VerificationError."""

    def details(self) -> Mapping[str, Any]:
        """What else there is to tell."""
        return {}

    def people(self, release: exp.Table) -> int | None:
        """How many people have the rows of a release; None without a unit."""
        if self.unit is None:
            return None
        whose = call("_combinations", render(release), [self.unit], []).subquery()
        [(people,)] = execute(self.con, count(whose))
        return int(people)


class CodedAnonymizer(Anonymizer):
    """An anonymizer of classes under requirements: the relations of codes, and the check with `violations`."""

    def __init__(self, task: Task, requirements: Mapping[str, Any]) -> None:
        super().__init__(task)
        self.requirements = requirements
        sensitive = task.columns["sensitive"]
        about = [value for name, value in requirements.items() if name != "t_distance"]
        [(self.judged,)] = execute(self.con, scalar("_judged", sensitive, *about))
        # the columns whose values are counted with the quasi-identifiers
        self.counted = self.with_unit(self.judged)
        population = scalar(
            "_counted_population",
            task.population,
            *(requirements[name] for name in ("k_map", "dmin", "dmax")),
        )
        [(self.population,)] = execute(self.con, population)
        execute(self.con, scalar("_unit_checked", self.unit, self.population))
        if self.population:
            self.make("population", call("_source", self.population, self.qi, []))
            self.population = self.at("population")
        self.tree = self.at("tree") if task.hierarchies else None  # without one joins with it are spared

    def with_unit(self, columns: list[str]) -> list[str]:
        """Columns and the unit, last, if there is one."""
        return [*columns, self.unit] if self.unit is not None else columns

    def code(self) -> None:
        """The table as codes, and what can be refused without a look at classes: the tables up to `refusal`."""
        at, qi, judged, counted, task = self.at, self.qi, self.judged, self.counted, self.task
        self.make("requirement", scalar("_requirements", *self.requirements.values(), alias="req"))
        self.make("combination", call("_numbered_combinations", task.tbl, qi, counted))
        self.make("hierarchy", call("_hierarchies", task.hierarchies))
        refusals = [
            call("_refuse_empty", at("combination"), task.title),
            call("_refuse_hierarchies", at("hierarchy"), qi, judged),
        ]
        if self.population:
            people = call("_population_combinations", self.population, at("combination"), qi)
            self.make("people", people)
            refusals.append(call("_refuse_empty", at("people"), "population"))
        self.make("refusal", exp.union(*refusals, distinct=False))
        self.make("leaf", call("_leaves", at("hierarchy")))
        self.make("sensitive_combination", call("_sensitive_combinations", at("combination"), counted))
        values = call(
            "_sensitive_values", at("sensitive_combination"), judged, counted if self.by_unit else None
        )
        self.make("sensitive_value", values)
        self.make("tuple", self.tuples())
        self.make("attribute", call("_attributes", at("tuple"), at("leaf"), qi))
        self.make("tree", call("_attribute_tree", at("hierarchy"), at("attribute")))
        self.make("sensitive_tree", call("_sensitive_tree", at("sensitive_value"), judged, at("hierarchy")))
        self.make("whole", call("_whole", at("tuple"), at("sensitive_value"), self.by_unit))
        self.make("marginal", call("_marginal", at("whole"), self.by_unit))

    def tuples(self) -> exp.Select:
        """The combinations, coded."""
        at = self.at
        return call(
            "_tuples", at("combination"), at("sensitive_combination"), at("leaf"), self.qi, self.counted
        )

    def refuse_infeasible(self, *, may_suppress: bool = False, from_whole: bool = False) -> None:
        """Errors: InputError where even the whole table as one class violates a requirement.

        may_suppress, from_whole: as in `_refuse_infeasible`.
        """
        at = self.at
        self.make(
            "infeasible",
            call(
                "_refuse_infeasible", at("whole"), at("marginal"), at("sensitive_tree"), at("requirement"),
                self.judged, may_suppress=may_suppress, by_unit=self.by_unit, from_whole=from_whole,
            ),
        )  # fmt: skip

    def released(
        self, recoding: str, seed: int | None, everybody: str | None = None, divided: bool = False
    ) -> exp.Select:
        """The rows of the tables `assignment` and `node_label`. everybody, divided: as in `_release`."""
        at, columns = self.at, self.task.columns
        return call(
            "_release", self.task.tbl, self.qi, columns["sensitive"], columns["keep"], at("combination"),
            self.counted, at("assignment"), at("node_label"), recoding, seed, everybody, divided, self.unit,
            self.by_unit,
        )  # fmt: skip

    def suppressed(self) -> int:
        """Rows that the run has left out, as it says itself."""
        return 0

    def verified(self, release: exp.Table) -> Verified:
        """Rows, classes and what they reach. VerificationError if rows are missing or a class violates."""
        con, name, suppressed = self.con, render(release), self.suppressed()
        about = {
            "qi": self.qi,
            "sensitive": self.judged or None,
            "hierarchies": self.at("hierarchy") if self.task.hierarchies else None,
            "population": self.population,
            "released": True,
            # distributions are those of the source, of which suppression has left a part
            "reference": self.task.tbl if suppressed else None,
            "unit": self.unit,
        }
        [(rows,)] = execute(con, count(release))
        if [(rows + suppressed,)] != execute(con, count(relation(self.task.tbl))):
            raise VerificationError(
                f"the release has {rows:,} rows and {suppressed:,} are suppressed, the source has others: "
                "has it changed?"
            )
        if violations := execute(con, call("violations", name, **about, **self.requirements)):
            model, _, required, reached, size, *people, example = violations[0]
            whose = "in the population" if self.population else ""
            of_people = f" of {number_of_people(people[0])} {whose}".rstrip() if people else ""
            raise VerificationError(
                f"{len(violations):,} violations, the first of {model}: the class {example} of {size:,} rows"
                f"{of_people} reaches {reached}, {required} is required"
            )
        # the names here cannot be a column's
        cells = call("_combinations", name, self.qi, self.with_unit([])).subquery()
        counted = "count(*)" if self.by_unit else "sum(n)::bigint"
        sizes = select(cells, "columns('^q\\d+$')", f"{counted} as size").group_by("all")
        [(classes, smallest)] = execute(con, select(sizes.subquery(), "count(*)", "min(size)"))
        reached = {"k-anonymity": smallest} | self.reached(name, about)
        return Verified(rows, suppressed, classes, reached, self.people(release))

    def reached(self, name: str, about: Mapping[str, Any]) -> dict[str, float]:
        """What the worst class reaches in the required models, but for k-anonymity."""
        wanted = models(self.requirements) - {"k-anonymity"}
        if not wanted:
            return {}
        several = len(self.judged) > 1
        privacy = execute(self.con, call("privacy", name, **about, l=self.requirements["l"]))
        return {
            f"{model} of {column}" if several and column else model: value
            for model, column, value, *_ in privacy
            if model in wanted
        }


def anonymize(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Columns,
    into: str | None,
    replace: bool,
    progress: Progress,
    anonymizer: Callable[[Task], Anonymizer],
    given: Mapping[str, Any],
    hierarchies: Source = None,
    population: Source = None,
    unit: str | None = None,
) -> Release:
    """Run, check, and only then make the release visible. given: the parameters that the release records.

    unit: the column that says whose a row is. It does not leave: the release is checked in a temporary table that has it, and becomes that
    table without it.
    """
    started = time.perf_counter()
    ensure_registered(con)
    place = None if into is None else target(con, into, replace)
    with ExitStack() as stack:

        def name_of(other: Source) -> str | None:
            return None if other is None else stack.enter_context(named(con, other))

        tbl = stack.enter_context(named(con, source))
        given_names = name_of(hierarchies), name_of(population)
        # The columns are bound, not read: a wrong one is refused before any work.
        execute(con, exp.Describe(this=call("_roles", tbl, *columns.values(), unit)))

        work = stack.enter_context(WorkTables(con))
        title = tbl if isinstance(source, str) else "source"
        # Read once: what is counted, released and verified are the same rows, whatever a second look would find.
        listed = [columns[role] or [] for role in ("qi", "sensitive", "keep")]
        others = listed[1] + listed[2] + ([] if unit is None else [unit])
        work.make("source", call("_source", tbl, listed[0], others))
        run = anonymizer(Task(con, work, work.name("source"), title, columns, *given_names, unit))
        run.run(progress)

        name = work.name("release")
        release = place.beside(name) if place else named_table(name)
        work.discard_later(release)
        with transaction(con):
            if unit is None:
                checked = release
                execute(con, create(release, run.release(), temporary=place is None))
            else:
                checked = work.make("with_unit", run.release())
                described = execute(con, exp.Describe(this=select(checked)))
                leaving = [
                    exp.column(str(name), quoted=True) for name, *_ in described[:-1]
                ]  # the unit is last
                query = select(checked, *leaving).order_by("rowid")
                execute(con, create(release, query, temporary=place is None))
            found = run.verified(checked)
            if place:
                execute(con, drop(place.table))
                execute(con, exp.rename_table(release, place.beside(place.name)))
        table = place.table if place else release
        # A transaction that an error has ended is committed without a complaint, and is lost.
        if execute(con, count(table)) != [(found.rows,)]:
            raise SqlanonError(f"the release is not in {into or name}")
        details = run.details()
        given = {**given, "unit": unit}
        work.keep(release)
    return Release(
        table=into or name,
        parameters={
            parameter: value for parameter, value in {**columns, **given}.items() if value is not None
        },
        reached=found.reached,
        classes=found.classes,
        rows=found.rows,
        suppressed_rows=found.suppressed,
        seconds=time.perf_counter() - started,
        details=details,
        people=found.people,
    )
