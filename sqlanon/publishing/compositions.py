"""What independent releases of overlapping tables give away together, for several methods, k and seeds.

tried = sqlanon.compositions(con, "people", ["age", "zip"], "disease", k=[5, 10], releases=[1, 2, 4])
tried.df()
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.anonymize.methods import method_of_name, releases_centroids
from sqlanon.core.connection import connection_first
from sqlanon.core.errors import SetsWarning, SqlanonError, UseError
from sqlanon.core.library import ensure_registered
from sqlanon.core.made_table import MadeTable
from sqlanon.core.plugins import ensure_plugged
from sqlanon.core.printing import progress_of
from sqlanon.core.release import Progress
from sqlanon.core.remarks import message_of
from sqlanon.core.requirements import complete
from sqlanon.core.source import Source, fresh_name, named
from sqlanon.core.statements import call, count, create, drop, execute, named_table, relation, select, table
from sqlanon.core.tables import WorkTables
from sqlanon.publishing.frontier import TIME_LIMIT, Task, ks_of, methods_of, task_of_call

KS = (5, 10)
COLUMNS = """place integer, method varchar, k bigint, seed bigint, releases bigint, sensitive varchar,
    measure varchar, unit varchar, value double, reason varchar"""


@dataclass(frozen=True, repr=False)
class Compositions(MadeTable):
    """What was measured, a row per method, k, number of releases, sensitive column and measure. It is data
    (.df(), .pl(), .arrow(), .relation()).

    table: its name. overlap, seeds: as they were given. con: the connection that has it.
    """

    table: str
    overlap: float
    seeds: int
    con: duckdb.DuckDBPyConnection | None = field(default=None, compare=False)

    def __str__(self) -> str:
        settings = self.relation().select("method", "k").distinct().order("all").fetchall()
        tried = [f"{method}, k = {k}" for method, k in settings]
        return f"{len(self):,} measures by {self.seeds} seeds, overlap {self.overlap:g}: {'; '.join(tried)}"


@connection_first  # type: ignore[arg-type]  # con could be among requirements
def compositions(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    qi: str | Iterable[str],
    sensitive: str | Iterable[str],
    hierarchies: Source = None,
    *,
    k: int | Iterable[int] = KS,
    methods: str | Iterable[str] = "mondrian",
    releases: int | Iterable[int] = 2,
    overlap: float = 0.5,
    seeds: int = 10,
    suppression_limit: float | None = None,
    time_limit: float = TIME_LIMIT,
    progress: Progress | bool | None = None,
    **requirements: Any,
) -> Compositions:
    """Try how much releases that several publishers make independently give away together.

    The rows of the table are dealt to publishers: `overlap` (above 0, at most 1) of the rows of each are rows
    that all have. Each publisher anonymizes its own rows, by each method and for each k, and those who are in
    all tables are attacked (`breaches`) with the first 1, 2, ... of the releases, as `releases` says (one
    number or several). seeds: how often rows are dealt anew. suppression_limit, time_limit, progress, and all
    else: as in `frontier`.

    The answer has a row per method, k, number of releases, sensitive column and measure:
    - method, k, releases.
    - sensitive, measure (its id in `breaches`), unit.
    - seeds: how many of them measured it.
    - mean, median: of their values.
    - low, high: an interval that has the median of such trials with a probability of 95 % or more: values of
      seeds, by rank, whatever their distribution is. Of less than 6 seeds it is the least and the greatest,
      and the probability 1 - 2^(1 - seeds).
    - reason: why a release could not be made: a row for each setting of which that is so with any seed, where
      sensitive and measure are NULL.

    Errors: UseError for numbers out of range, unknown columns and methods; InputError for too few rows.
    """
    ensure_registered(con)
    ks, chosen = ks_of(k), methods_of(methods)
    counts = sorted({releases} if isinstance(releases, int) else {*releases})
    if not counts or counts[0] < 1:
        raise UseError("releases must be numbers of at least 1")
    if not 0 < overlap <= 1:
        raise UseError(f"overlap must be above 0 and at most 1, not {overlap}")
    if seeds < 1:
        raise UseError(f"seeds must be at least 1, not {seeds}")
    ensure_plugged(con)
    complete(requirements)
    required = {name: value for name, value in requirements.items() if value is not None}
    with ExitStack() as stack:
        tell = stack.enter_context(progress_of(progress))
        name = stack.enter_context(named(con, source))
        called = source if isinstance(source, str) else "the source"
        task = task_of_call(con, stack, name, called, qi, sensitive, hierarchies, None, None, required)
        if not task.sensitive:
            raise UseError("give sensitive, the columns whose values an adversary wants to know")
        work = stack.enter_context(WorkTables(con))
        run = _Run(
            con, work, task, counts, {"suppression_limit": suppression_limit, "time_limit": time_limit}
        )
        settings = [(method, each) for method in chosen for each in ks]
        steps = len(settings) * seeds
        for seed in range(1, seeds + 1):
            run.deal(called, overlap, seed)
            for place, (method, each) in enumerate(settings):
                step = (seed - 1) * len(settings) + place
                tell(step / steps, f"seed {seed}, {method}, k = {each}")
                run.add(place, method, each, seed)
        made = fresh_name("compositions")
        summed = call("_compositions_of_seeds", work.name("measured"))
        execute(con, create(table(made), summed, temporary=True))
        tell(1, "done")
    return Compositions(made, overlap, seeds, con)


class _Run:
    """The trials, one after the other. What is found is the table `measured`."""

    def __init__(
        self,
        con: duckdb.DuckDBPyConnection,
        work: WorkTables,
        task: Task,
        counts: Sequence[int],
        limits: Mapping[str, Any],
    ) -> None:
        self.con, self.work, self.task, self.counts, self.limits = con, work, task, counts, limits
        self.id, self.most = fresh_name("row"), max(counts)
        self.tried = set[str]()  # methods
        number = exp.Alias(this=exp.Window(this=exp.RowNumber()), alias=exp.to_identifier(self.id))
        self.columns = [exp.column(name, quoted=True) for name in (*task.qi, *task.sensitive)]
        work.make("numbered", select(relation(task.table), number, *self.columns))
        execute(con, f"create temp table {work.name('measured')} ({COLUMNS})")
        work.discard_later(table(work.name("measured")))

    def deal(self, called: str, overlap: float, seed: int) -> None:
        """Make the tables of all publishers: part_1, part_2, ..., and shared. Errors: UseError."""
        dealt = call("_dealt_to_publishers", self.work.name("numbered"), self.id, self.most, overlap, seed)
        everybody = self.work.make("dealt", dealt)
        shared = select(everybody.copy(), exp.column(self.id), *self.columns).where("part = 0")
        of_all = self.work.make("shared", shared)
        for number in range(1, self.most + 1):
            of_publisher = select(everybody.copy(), *self.columns).where(f"part in (0, {number})")
            self.work.make(f"part_{number}", of_publisher)
        if execute(self.con, count(of_all)) == [(0,)]:
            raise UseError(f"{called} has too few rows for {self.most} tables with an overlap of {overlap:g}")

    def add(self, place: int, method: str, k: int, seed: int) -> None:
        """Make the releases of a setting and attack them; why that is not so is a row as well."""
        about = f"{place}, $method, {k}, {seed}"
        made: list[str] = []
        try:
            arguments = self.task.arguments(method, k, self.limits)
            for number in range(1, self.most + 1):
                part = self.work.name(f"part_{number}")
                with warnings.catch_warnings():
                    if method in self.tried:  # it was said of its first release
                        warnings.simplefilter("ignore", SetsWarning)
                    release = method_of_name(method)(self.con, part, **arguments, progress=False)
                self.tried.add(method)
                self.work.discard_later(named_table(release.table))
                made.append(release.table)
            for releases in self.counts:
                measures = call(
                    "breaches", made[:releases], targets=self.work.name("shared"), id=self.id,
                    qi=self.task.qi, sensitive=self.task.sensitive, truth=self.task.sensitive,
                    hierarchies=self.task.hierarchies, nearest=releases_centroids(method),
                )  # fmt: skip
                self.work.make("found", select(measures.subquery(), "sensitive", "id", "unit", "value"))
                found = f"select {about}, {releases}, sensitive, id, unit, value, null"
                self._insert(f"{found} from {self.work.name('found')}", {"method": method})
        except SqlanonError as error:
            why = {"method": method, "reason": message_of(error)}
            self._insert(f"select {about}, {self.most}, null, null, null, null, $reason", why)
        for name in made:
            execute(self.con, drop(named_table(name)))

    def _insert(self, query: str, values: Mapping[str, Any]) -> None:
        execute(self.con, f"insert into {self.work.name('measured')} {query}", values)
