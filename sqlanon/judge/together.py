"""Tables of counts, and releases of rows beside them: what does a new one tell together with all the others?

The judge asks tables_together twice, without the new one and with it (sql/judge/tables_out.sql). What could
not be compared is a doubt, and never an all-clear.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.core.errors import InputError, LimitError, for_the_command_line
from sqlanon.core.files import column_names
from sqlanon.core.release import Progress
from sqlanon.core.source import lower
from sqlanon.core.statements import call, count, execute, literal, relation, select
from sqlanon.core.tables import WorkTables
from sqlanon.judge.evidence import Doubt, as_called_today, named
from sqlanon.tables.agreeing import CONTRADICTION as CONTRADICTION_FOUND
from sqlanon.tables.agreeing import Group, groups_that_agree
from sqlanon.tables.programs import register_programs, require_solver

TOTAL = "\x01total"  # the mark of totals in what is compared: no label of anybody
VALUE, BOUNDS = "_sqlanon_value", ("_sqlanon_least", "_sqlanon_most")
SUM, MEAN = "_sqlanon_sum", "_sqlanon_mean"
ATTACK, KNOWN = "tables_together", "known"
TOGETHER, CONTRADICTION, CELLS, COLUMNS, FEW, HIERARCHIES, PERIODS, SHARES, UNITS, VARYING, UNFINISHED = (
    "together", "contradiction", "cells", "columns", "few", "hierarchies", "periods", "shares", "units",
    "varying", "unfinished",
)  # fmt: skip
# Why something is not known of tables: each is accepted for one of them, when it goes out.
DOUBTS = (
    TOGETHER, CONTRADICTION, CELLS, COLUMNS, FEW, HIERARCHIES, PERIODS, SHARES, UNITS, VARYING, UNFINISHED,
)  # fmt: skip
CONTRADICTS = "the tables contradict each other"
TOO_MANY = "more than max_atoms"
SPELLINGS = "spell them alike"
SOLVER_SECONDS = 60  # that programs may take, where nothing else is said
PERCENT = 10  # within which a sum is known too closely, where no rule says another one
ANY_NUMBER = 1_000_000_000  # of people
UNSAID = "\x01"  # as of when a table is of which nobody has said so: before all others, as it is supposed
SINCE = "there since "  # how tables_together names people by their period
_PLACE = re.compile("\x02\\d+\x02")


@dataclass(frozen=True)
class Counted:
    """A table of counts or sums, or a release of rows, and what it is about."""

    name: str
    table: str  # a name for query_table
    columns: Sequence[str]  # the dimensions of a table of counts, or the columns that are released
    is_of_rows: bool = False
    is_foreign: bool = False  # others published it, so nobody has judged what it tells alone
    # What its columns and values are called here, as in Released.
    names: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    filter: str = ""  # whom it counts
    period: str | None = None  # when it counts them; None: not known
    linked: Sequence[Sequence[str]] = ()  # the dimensions of each table, if it is several tables in one
    value: str | None = "value"  # the column of counts; None: it has none
    measure: str | None = None  # the column of which sums or means are published
    sums: str | None = None  # the column with the sums of measure
    means: str | None = None  # the column with the means of measure
    # A name for query_table: cells and how many people contribute to each. Known here, not published.
    contributors: str | None = None
    percent: float | None = None  # the sum of few people must not be known within this
    has_shares: bool = False  # does its rule forbid that one person has most of a sum?
    # How counts are written, as in _counts_to_compare.
    total: str | None = "total"
    base: float | None = None
    rounding: str = "nearest"
    noise: float | None = None
    least: float | None = None
    threshold: int | None = None  # of its rule: a count of fewer people must be hidden
    zeros: bool = False  # of its rule: must a count of 0 be hidden, too?
    growing: bool | None = None  # have people only been added since the last period? None: not known
    varying: Sequence[str] = ()  # columns whose values change from period to period
    hierarchies: str | None = None  # the table of hierarchies that its labels are from
    max_atoms: int | None = None  # up to how many groups of people it is compared; None: not said
    is_complete: bool = True  # does a cell without a row count 0?
    unread: Sequence[str] = ()  # columns of which it is not known what they are
    several: bool = False  # can people be in several of its cells, or have several rows in it?
    why_not: str | None = None  # why it cannot be compared; None: it can

    def here(self, column: str) -> str:
        """What a column of it is called here."""
        return {name.lower(): ours for name, ours in self.names.items()}.get(column.lower(), column)


@dataclass(frozen=True)
class Part:
    """What of it is compared as one table. source: a name for query_table."""

    of: Counted
    source: str
    columns: Sequence[str]
    is_of_rows: bool


@dataclass(frozen=True)
class Comparison:
    """What a new table tells together with those that are out. cells: the rows of _newly_known; before: how
    many were known without it; judged: the name of the rows of _judged_together; None: nothing could be
    compared. doubts: what nobody could compare. remarks: what else there was to say."""

    cells: Sequence[Mapping[str, Any]] = ()
    before: int = 0
    judged: str | None = None
    together: Sequence[str] = ()
    doubts: Sequence[Doubt] = ()
    remarks: Sequence[str] = ()

    def answer(self, remedy: str | None) -> list[tuple[Any, ...]]:
        """What was so before, and what would help, as rows of _no_past."""
        if self.judged is None:
            return []
        verdict = "fails" if self.cells else "holds"
        return [(ATTACK, KNOWN, [*self.together], None, verdict, float(self.before), None, remedy)]


@dataclass
class Together:
    """A new table, or release of rows, beside those that are out. seconds: as of solver_seconds. prefix: of
    work tables, where there are several of these at a time."""

    con: duckdb.DuckDBPyConnection
    work: WorkTables
    out: Sequence[Counted]
    newest: Counted
    seconds: float = SOLVER_SECONDS
    prefix: str = "together"
    progress: Progress | None = None  # gets what is compared; how far it is nobody knows
    doubts: list[Doubt] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    compared: Sequence[Counted] = ()
    _additive: bool = True  # is everybody in one combination of values?
    # Columns by which releases of rows are compared, in lower case, where all are too many; None: all.
    _only: frozenset[str] | None = None
    _are_too_many: bool = False  # was there no memory, or were there too many groups of people?
    _made: int = 0
    # What was worked out already: of tables as parts, of those that are out, of all, and of the new one.
    _known_parts: dict[Any, list[Part]] = field(default_factory=dict)
    _before: dict[Any, str] = field(default_factory=dict)
    _after: dict[Any, str] = field(default_factory=dict)
    _known_alone: dict[Any, str] = field(default_factory=dict)

    def comparison(self, even_alone: bool = False) -> Comparison:
        """What the judge says of it. even_alone: also of a table beside which nothing else is out."""
        if self.newest.is_of_rows and all(each.is_of_rows for each in self.out):
            return Comparison()
        is_alone = self.newest.why_not or self.newest.several or self.newest.threshold is None
        if not self.out and (not even_alone or is_alone):
            return Comparison()
        require_solver()
        register_programs(self.con)
        self.compared = [each for each in self.out if self._can_be_compared(each)]
        if not self._can_be_compared(self.newest) or self.threshold is None:
            return Comparison(doubts=self.doubts, remarks=self.remarks)
        if self.growing is False:
            self._leave_other_people()
        if not self.compared and self.out:
            return Comparison(doubts=self.doubts, remarks=self.remarks)
        self._doubt_cells()
        self._doubt_columns()
        self._doubt_periods()
        found, before, names = self._found_in_all()
        made = None
        if found is not None:
            known = before + execute(self.con, count(relation(found)))[0][0]
            made = self.make("judged", call("_judged_together", found, known, names))
        cells = [] if found is None else _records(self.con, select(relation(found)))
        return Comparison(cells, before, made, names, self.doubts, self.remarks)

    def with_more_hidden(self, table: str) -> Together:
        """The comparison with another table in place of the new one: the same cells, of which more are
        hidden."""
        return replace(self, newest=replace(self.newest, table=table), doubts=[], remarks=[], compared=())

    def known_with(self, table: str) -> Sequence[Mapping[str, Any]]:
        """The cells that would be known with such a table."""
        self.newest = replace(self.newest, table=table)
        found, _, _ = self._found_in_all()
        return [] if found is None else _records(self.con, select(relation(found)))

    # What can be compared

    def _can_be_compared(self, each: Counted) -> bool:
        if each.why_not is not None:
            self.doubts.append(
                Doubt(
                    TOGETHER, f"{each.name} is not compared with the others that are out: {each.why_not}",
                    [each.name], remedy=_accepting(TOGETHER),
                )
            )  # fmt: skip
        return each.why_not is None

    @cached_property
    def threshold(self) -> int | None:
        """The largest of all rules: fewer people than this should not be known of."""
        of_rules = [each.threshold for each in (*self.out, self.newest) if each.threshold is not None]
        if not of_rules:
            self.doubts.append(
                Doubt(
                    TOGETHER, "no table says how few people may not be known of", [self.newest.name],
                    remedy="give table.threshold, such as 5",
                )
            )  # fmt: skip
        return max(of_rules, default=None)

    @property
    def _everything(self) -> list[Counted]:
        return [*self.compared, self.newest]

    @property
    def growing(self) -> bool | None:
        """How people change from period to period, if that was said."""
        return self.newest.growing

    @cached_property
    def varying(self) -> list[str]:
        return list(dict.fromkeys(name.lower() for each in self._everything for name in each.varying))

    def _used(self, each: Counted) -> list[str]:
        """The columns that it tells something of, by what they are called here, in lower case."""
        conditions = execute(self.con, call("_conditions_checked", each.filter))
        columns = [*each.columns, *([] if each.measure is None else [each.measure])]
        return list(dict.fromkeys(
            [*(each.here(name).lower() for name in columns), *(name.lower() for name, _ in conditions)]
        ))  # fmt: skip

    def _leave_other_people(self) -> None:
        """Tables of other periods are of other people, as somebody has said, and are not compared."""
        others = [each for each in self.compared if each.period != self.newest.period and each.period
                  and self.newest.period]  # fmt: skip
        if others:
            names = ", ".join(each.name for each in others)
            self.remarks.append(
                f"{self.newest.name} is not compared with {names}: growing = false says that each period is "
                "of other people"
            )
            self.compared = [each for each in self.compared if each not in others]

    def _doubt_cells(self) -> None:
        """Tables that lack cells: what follows from cells that count 0 is not worked out with them."""
        if partial := [each.name for each in self._everything if not each.is_complete]:
            self.doubts.append(
                Doubt(
                    CELLS,
                    f"not all cells of {', '.join(partial)} are known, so that not all is worked out that "
                    "they tell together with the others", partial, remedy=_accepting(CELLS),
                )
            )  # fmt: skip

    def _doubt_columns(self) -> None:
        """Columns that nobody reads, and those under two names, which are not compared."""
        for each in self._everything:
            if each.unread:
                self.doubts.append(
                    Doubt(
                        COLUMNS, f"what {', '.join(each.unread)} of {each.name} tells is not looked at",
                        [each.name], remedy=_accepting(COLUMNS),
                    )
                )  # fmt: skip
        stated: list[exp.Expression] = []
        for part in self._parts(self._everything):
            for name in part.columns:
                column = exp.cast(exp.column(name, quoted=True), "text")
                stated.append(
                    select(relation(part.source), named(literal(part.of.name), "name"),
                           named(literal(name), "attribute"), named(column, "value"))
                    .where(exp.NEQ(this=column.copy(), expression=literal(TOTAL))).distinct()
                )  # fmt: skip
        made = self.make("stated", exp.union(*stated, distinct=False)) if len(stated) > 1 else None
        for one, column, other, other_column in (
            [] if made is None else execute(self.con, call("_columns_alike", made))
        ):
            if self.newest.name in (one, other):
                then, theirs, ours = one, column, other_column
                if self.newest.name == one:
                    then, theirs, ours = other, other_column, column
                self.doubts.append(
                    Doubt(
                        COLUMNS, f"{column} of {one} may be {other_column} of {other}: they are not compared",
                        [one, other],
                        remedy=f"call them alike (sqlanon register map REGISTER {then} --names "
                        f"{theirs}={ours}), or {_accepting(COLUMNS)}",
                    )
                )  # fmt: skip

    def _doubt_periods(self) -> None:
        """Tables of another period, of which nobody can say what they have in common with the new one."""
        newest = self.newest
        unsaid = [each.name for each in self.compared if each.period != newest.period and (
            each.period is None or newest.period is None)]  # fmt: skip
        if unsaid:
            self.doubts.append(
                Doubt(
                    PERIODS,
                    f"not all of {', '.join([*unsaid, newest.name])} say as of when they count people",
                    [*unsaid, newest.name], remedy=f"say it (table.period, --period), or "
                    f"{_accepting(PERIODS)}",
                )
            )  # fmt: skip
        others = [each for each in self.compared if each.period != newest.period]
        changing = {name: [each.name for each in others if name in self._used(each)]
                    for name in self.varying if name in self._used(newest)}  # fmt: skip
        for name, tables in changing.items():
            if tables:
                self.doubts.append(
                    Doubt(
                        VARYING,
                        f"{name} changes: what {', '.join(tables)} and {newest.name} say of it is about "
                        "other people each time, and is not compared", [*tables, newest.name],
                        remedy=_accepting(VARYING),
                    )
                )  # fmt: skip

    # As tables

    @property
    def dimensions(self) -> list[str]:
        """The dimensions of all that is compared, in their order, in lower case."""
        return [*self._dimensions(self._parts(self._everything))]

    def _dimensions(self, parts: Iterable[Part]) -> dict[str, str]:
        """The columns of all of these, by their names in lower case: those of tables come first."""
        found: dict[str, str] = {}
        for part in sorted(parts, key=lambda part: part.is_of_rows):
            for name in part.columns:
                found.setdefault(name.lower(), name)
        return found

    def make(self, purpose: str, query: exp.Expression) -> str:
        """The name of a work table of its own."""
        self._made += 1
        return self.work.make(f"{self.prefix}_{self._made}_{purpose}", query).name

    def _parts(self, tables: Iterable[Counted], measure: str | None = None) -> list[Part]:
        return [part for each in tables for part in self._parts_of(each, measure)]

    def _parts_of(self, each: Counted, measure: str | None = None) -> list[Part]:
        """A table or release as it is compared, under names of today; linked tables are several parts, and
        so are sums beside counts. measure: with its sums; None: as everybody reads counts."""
        key = (each.name, each.table, measure, self._only)
        if key not in self._known_parts:
            self._known_parts[key] = [*self._read(each, measure)]
        return self._known_parts[key]

    def _read(self, each: Counted, measure: str | None) -> Iterator[Part]:
        if each.is_of_rows:
            own = [
                name for name in self._called(each) if self._only is None or name.lower() in self._only
            ]  # fmt: skip
            yield Part(each, self._renamed("rows", each, each.table, {}), own, True)
            return
        if each.value is not None:
            yield from self._counts(each, each.table, each.value, each.base, each.noise, each.least)
        elif measure is not None and each.contributors is not None:
            yield from self._counts(each, each.contributors, "contributors", None, None, 0)
        if each.measure is None or (measure or each.measure) != each.measure:
            return  # it has no sums, or others
        if measure is not None or each.value is None:
            shown = {SUM: each.sums, MEAN: each.means}
            columns = {alias: name for alias, name in shown.items() if name is not None}
            for rows, dimensions in self._by_linked(each, self._renamed("cells", each, each.table, columns)):
                read = call(
                    "_sums_to_compare", rows, dimensions, SUM if each.sums else None,
                    MEAN if each.means else None, each.total, TOTAL,
                    not each.is_foreign and not each.means,
                )  # fmt: skip
                yield Part(each, self.make("sums", read), dimensions, False)

    def _counts(
        self, each: Counted, table: str, value: str, base: float | None, noise: float | None,
        least: float | None,
    ) -> Iterator[Part]:  # fmt: skip
        for rows, dimensions in self._by_linked(each, self._renamed("cells", each, table, {VALUE: value})):
            read = call(
                "_counts_to_compare", rows, dimensions, VALUE, each.total, base, each.rounding, noise, least,
                TOTAL,
            )  # fmt: skip
            yield Part(each, self.make("counts", read), dimensions, False)

    def _called(self, each: Counted) -> list[str]:
        return [each.here(name) for name in each.columns]

    def _renamed(self, purpose: str, each: Counted, table: str, further: Mapping[str, str]) -> str:
        """The columns of it with names and values of today, and further ones by what they are called then."""
        columns = {name.lower(): name for name in column_names(self.con, table)}
        renamed: list[exp.Expression] = []
        for name in each.columns:
            here = each.here(name)
            own = exp.column(columns.get(name.lower(), name), quoted=True)
            value: exp.Expression = exp.cast(own, "text")
            if spelled := each.values.get(here):
                value = as_called_today(value, spelled)
            renamed.append(named(value, here))
        renamed += [named(exp.column(name, quoted=True), alias) for alias, name in further.items()]
        return self.make(purpose, select(relation(table), *renamed))

    def _by_linked(self, each: Counted, cells: str) -> Iterator[tuple[str, list[str]]]:
        """The cells of each table of several in one, and its dimensions."""
        called = self._called(each)
        for dimensions in each.linked or [called]:
            rows = select(relation(cells))
            for name in called:
                if name.lower() not in lower(dimensions):
                    column = exp.column(name, quoted=True)
                    rows = rows.where(exp.NullSafeEQ(this=column, expression=literal(each.total)))
            yield self.make("linked", rows) if each.linked else cells, [*dimensions]

    def _labels_of(self, parts: Sequence[Part], beside: Sequence[Part]) -> list[Part] | None:
        """The labels of parts without their counts; None where that cannot be said. A filter is a table
        of its own: with it a label could be one of every dimension, and say where nobody is."""
        made = []
        for part in parts:
            query = call("_labels_alone", part.source, [*part.columns], TOTAL)
            columns = [*part.columns]
            source = self.make("labels", query)
            if len(columns) < 2:
                source, further = self._broken(source, columns, beside)
                if further is None:
                    return None
                columns = [*columns, further]
            made.append(Part(replace(part.of, filter=""), source, columns, False))
            if part.of.filter:
                made.append(Part(part.of, self.make("filter", exp.select(*_nothing())), [], False))
        return made

    def _broken(self, source: str, columns: list[str], beside: Sequence[Part]) -> tuple[str, str | None]:
        """Labels of one dimension, and one label of another one that others have."""
        for part in beside:
            for name in part.columns:
                if name.lower() in lower(columns):
                    continue
                column = exp.cast(exp.column(name, quoted=True), "text")
                label = select(relation(part.source), exp.Min(this=column)).where(
                    exp.NEQ(this=column.copy(), expression=literal(TOTAL))
                )
                [(found,)] = execute(self.con, label)
                if found is None:
                    continue
                one = [named(literal(TOTAL), each) for each in columns]
                added = exp.select(*one, named(literal(found), name), *_nothing())
                rows = select(
                    relation(source), *(exp.column(each, quoted=True) for each in columns),
                    named(literal(TOTAL), name), VALUE, *BOUNDS,
                )  # fmt: skip
                return self.make("labels", exp.union(rows, added, distinct=False)), name
        return source, None

    @cached_property
    def hierarchies(self) -> str | None:
        """The hierarchies of all that is compared, as one table; None: there are none."""
        sources = list(dict.fromkeys(each.hierarchies for each in self._everything if each.hierarchies))
        if not sources:
            return None
        every = [
            select(relation(each), "attribute::text as attribute", "value::text as value",
                   "level::integer as level", "label::text as label")
            for each in reversed(sources)
        ]  # fmt: skip
        made = self.make("hierarchies", exp.union(*every) if len(every) > 1 else every[0])
        conflicts = [name for (name,) in execute(self.con, call("_labels_in_conflict", made).distinct())]
        if conflicts:
            self.doubts.append(
                Doubt(
                    HIERARCHIES,
                    f"labels of {', '.join(sorted(conflicts))} meant something else before: they are read by "
                    "the hierarchies of today", [self.newest.name],
                    remedy=_accepting(HIERARCHIES),
                )
            )  # fmt: skip
            made = self.make("hierarchies", every[0])
        return made

    # What they tell

    def _found_in_all(self) -> tuple[str | None, int, list[str]]:
        """As of _found. Tables of people who are in several cells are compared with all others by bounds, and
        these with each other also by what their counts add up to."""
        several = [each.name for each in self._everything if each.several]
        if not several:
            return self._found()
        every = self.compared
        made: list[tuple[str | None, int, list[str]]] = []
        self.compared = [each for each in every if not each.several]
        if self.compared and not self.newest.several:
            made.append(self._found())
        self.compared, self._additive = every, False
        made.append(self._found())
        self._additive = True
        doubt = more_may_follow(several, [each.name for each in self._everything])
        if doubt not in self.doubts:
            self.doubts.append(doubt)
        known = [(found, before, names) for found, before, names in made if found is not None]
        if not known:
            return None, 0, made[-1][2]
        rows = [select(relation(str(found))) for found, _, _ in known]
        every_row = exp.union(*rows, distinct=True) if len(rows) > 1 else rows[0]
        return self.make("found_in_all", every_row), max(n for _, n, _ in known), known[-1][2]

    def _found(self) -> tuple[str | None, int, list[str]]:
        """The name of rows of _newly_known, how many cells were known before, and whose tables these are."""
        names = [each.name for each in self._everything]
        suppositions = [*self._suppositions(self._everything)]
        found, before = self._of_suppositions(self.compared, suppositions)
        if found is None and (fewer := self._fewer_columns()):
            self._only = frozenset(fewer)
            doubts = [*self.doubts]
            found, before = self._of_suppositions(self.compared, suppositions)
            if found is not None and self.doubts == doubts:
                said = f"{doubts[-1].reason}. They were compared by {', '.join(fewer)} alone"
                self.doubts[-1] = replace(doubts[-1], reason=said)
        if found is not None:
            return found, before, names
        worked: dict[Group, tuple[str | None, int]] = {}

        def agree(group: Group) -> bool:
            some = [self.compared[i] for i in group]
            if len(some) == len(self.compared):
                return False
            if group not in worked:
                supposed = [*self._suppositions([*some, self.newest])]
                worked[group] = self._of_suppositions(some, supposed, True)
            return worked[group][0] is not None

        groups = groups_that_agree(len(self.compared), agree)
        if not groups:
            return None, 0, names
        rows = [select(relation(str(worked[group][0]))) for group in groups]
        every = exp.union(*rows) if len(rows) > 1 else rows[0]
        together = [each.name for i, each in enumerate(self.compared) if any(i in group for group in groups)]
        return (
            self.make("found", every), max(worked[group][1] for group in groups),
            [*together, self.newest.name],
        )  # fmt: skip

    def _of_suppositions(
        self, compared: Sequence[Counted], suppositions: Sequence[Supposed], is_quiet: bool = False
    ) -> tuple[str | None, int]:
        """What is found under any of these that agrees with the tables; None: none does. What was not worked
        out of one of them is a doubt, whatever the others tell."""
        found, before, problems = [], 0, list[InputError | LimitError]()
        for supposed in suppositions:
            try:
                one, known = self._of(compared, supposed)
            except (InputError, LimitError) as error:
                problems.append(error)
                if isinstance(error, LimitError):
                    break  # the others are as large
                continue
            found.append(one)
            before = max(before, known)
        unknown = [each for each in problems if CONTRADICTS not in str(each)]
        if not is_quiet and (unknown or (problems and not found)):
            of_periods = len({each.period for each in (*compared, self.newest)}) > 1
            self._doubt_problem([*unknown, *problems][0], of_periods)
        if found:
            rows = [select(relation(each)) for each in found]
            return self.make("found", exp.union(*rows) if len(rows) > 1 else rows[0]), before
        return None, 0

    def _fewer_columns(self) -> list[str]:
        """Where there are too many groups of people, and releases of rows have columns that no table has: the
        columns that these have in common with tables."""
        tables = {name for each in self._everything if not each.is_of_rows for name in self._used(each)}
        rows = [{*lower(self._called(each))} for each in self._everything if each.is_of_rows]
        helps = self._are_too_many and self._only is None and any(own - tables for own in rows)
        return sorted(tables & {*chain(*rows)}) if helps and all(own & tables for own in rows) else []

    def _doubt_problem(self, error: InputError | LimitError, are_of_periods: bool) -> None:
        message = str(getattr(error, "message", error)).partition("\n")[0]
        message = message.replace("Invalid Input Error: ", "")
        names = [each.name for each in self._everything]
        self._are_too_many = TOO_MANY in message or isinstance(error, LimitError)
        if CONTRADICTS in message:
            why, way = message, "say as of when they count (table.period, --period)"
            if are_of_periods:
                why += ", whether people only came or only left"
                way = "say table.growing = false, if each period is of other people"
            self.doubts.append(
                Doubt(CONTRADICTION, why, names, remedy=f"{way}, or {_accepting(CONTRADICTION)}")
            )
            return
        remedy = _accepting(TOGETHER)
        if TOO_MANY in message:
            key = "judge" if self.newest.is_of_rows else "table"
            remedy = f"say {key}.max_atoms in the policy, if there is time and memory for it; or {remedy}"
        if isinstance(error, LimitError):
            message, _, more = for_the_command_line(message).partition(": allow ")
            remedy = f"{f'allow {more}; ' if more else ''}release fewer columns, or coarser ones; or {remedy}"
        if SPELLINGS in message:
            remedy = (
                "tell how a table that is out spells them (sqlanon register map REGISTER NAME --values FILE, "
                f"with columns column, theirs and ours), or {remedy}"
            )
        doubt = Doubt(TOGETHER, f"not all are compared: {message}", names, remedy=remedy)
        self.doubts += [] if doubt in self.doubts else [doubt]

    def _suppositions(self, tables: Sequence[Counted]) -> Iterator[Supposed]:
        """What is supposed of how people change: what was said; otherwise that they only came, and that they
        only left."""
        given = sorted({each.period or UNSAID for each in tables})
        placed = execute(self.con, call("_periods_of_tables", given).order_by("place, nth"))
        periods = [given[nth - 1] for nth, *_ in placed]
        if len({place for *_, place in placed}) == 1:
            yield Supposed({})
            return
        if self.growing is not False:
            yield Supposed({each: each for each in periods}, True)
        if self.growing is None:
            yield Supposed({
                given[nth - 1]: f"\x02{len(placed) - place:06}\x02{period}" for nth, period, place in placed
            }, True)  # fmt: skip
        if self.growing is False:  # nobody has said of some as of when they are
            yield Supposed({each: each for each in periods}, False)

    def _of(self, compared: Sequence[Counted], supposed: Supposed) -> tuple[str, int]:
        """The name of rows of _newly_known under a supposition, and how many were known before: of tables
        that show all cells, so that others count 0; and, where some do not, of all without that."""
        whole = [each for each in compared if each.is_complete]
        if len(whole) == len(compared) and self.newest.is_complete:
            return self._of_cells(compared, supposed, True)
        made = [self._of_cells(compared, supposed, False)]
        if whole and self.newest.is_complete:
            made.append(self._of_cells(whole, supposed, True))
        rows = [select(relation(found)) for found, _ in made]
        every = exp.union(*rows) if len(rows) > 1 else rows[0]
        return self.make("newly_known", every), max(n for _, n in made)

    def _of_cells(self, compared: Sequence[Counted], supposed: Supposed, all_cells: bool) -> tuple[str, int]:
        """The table of what is newly known by counts and by the sums of each measure, and how much was."""
        made = [self._by(measure, compared, supposed, all_cells) for measure in self._measures(compared)]
        rows = [select(relation(found)) for found, _ in made]
        every = exp.union(*rows) if len(rows) > 1 else rows[0]
        return self.make("newly_known", every), sum(n for _, n in made)

    def _measures(self, compared: Sequence[Counted]) -> list[str | None]:
        """What is compared: counts (None), if there are any, and measures of which the new table, or others
        if it is of counts, has sums."""
        newest = self.newest
        tables = [*compared, newest]
        if not self._additive:
            return [None]
        own = [newest] if newest.measure is not None else compared
        measures = list(dict.fromkeys(each.measure for each in own if each.measure is not None))
        are_counts = any(each.value is not None or each.is_of_rows for each in tables)
        return [*([None] if are_counts or not measures else []), *measures]

    def _by(
        self, measure: str | None, compared: Sequence[Counted], supposed: Supposed, all_cells: bool
    ) -> tuple[str, int]:
        """By counts, or by the sums of a measure."""
        if measure is not None and measure.lower() in self.varying:  # people have others in other periods
            compared = [each for each in compared if each.measure != measure
                        or each.period == self.newest.period]  # fmt: skip
        known, own = self._parts(compared, measure), self._parts_of(self.newest, measure)
        has_sums = [each for each in (*compared, self.newest) if each.measure == measure]
        names = tuple(each.name for each in compared)
        run = Run(supposed, all_cells, measure, self.threshold, self._additive)
        found, n = self._newly_known(known, own, names, run)
        if measure is not None and any(each.has_shares for each in has_sums):
            more, _ = self._newly_known(known, own, names, replace(run, threshold=ANY_NUMBER))
            [(others,)] = execute(self.con, count(relation(more)))
            [(few,)] = execute(self.con, count(relation(found)))
            if others > few:
                self._doubt_shares(others - few, measure)
        return found, n

    def _newly_known(
        self, known: Sequence[Part], own: Sequence[Part], names: tuple[str, ...], run: Run
    ) -> tuple[str, int]:
        """The name of the rows of _newly_known, and how many were known before. names: of the others."""
        key = (names, self._only, run.key)
        of_all = (self.newest.table, *key)
        if of_all not in self._after:
            self._after[of_all] = self._run([*known, *own], run)
        after = self._after[of_all]
        if key not in self._before:
            labels = self._labels_of(own, known)
            self._before[key] = self._run([*known, *(labels or [])], run)
        before = self._before[key]
        alone = self._alone(run)
        found = self.make("newly_known", call("_newly_known", after, before, alone))
        [(unfinished,)] = execute(self.con, count(relation(after)).where("found_by = 'unfinished'"))
        if unfinished and run.additive and not any(each.id == UNFINISHED for each in self.doubts):
            self.doubts.append(
                Doubt(
                    UNFINISHED, "there was no time to find out all that the tables tell together",
                    [each.name for each in self._everything],
                    remedy="give it more time: table.solver_seconds",
                )
            )  # fmt: skip
        if run.measure is None:
            self._doubt_known_people(before)
        [(n,)] = execute(self.con, count(relation(before)).where("found_by <> 'unfinished'"))
        return found, int(n)

    def _doubt_shares(self, number: int, measure: str) -> None:
        if not any(each.id == SHARES for each in self.doubts):
            self.doubts.append(
                Doubt(
                    SHARES,
                    f"{number:,} more sums of {measure} that nobody has published are known now: whether one "
                    "person has most of one is not worked out", [each.name for each in self._everything],
                    remedy=_accepting(SHARES),
                )
            )  # fmt: skip

    def _doubt_known_people(self, before: str) -> None:
        """People of whom two tables tell too closely how many they are, where the new one has a column that
        one of these lacks: nobody works out what it tells of just these people."""
        own = {*self._used(self.newest)}
        used = {each.name: {*self._used(each)} for each in self.compared}
        pairs_known = select(relation(before), "tables").where("found_by = 'difference' and len(tables) > 1")
        pairs = sorted(
            pair for (pair,) in execute(self.con, pairs_known.distinct())
            if any(own - used.get(name, own) for name in pair)
        )  # fmt: skip
        if pairs and not any(each.id == FEW for each in self.doubts):
            names = list(dict.fromkeys(name for pair in pairs for name in pair))
            self.doubts.append(
                Doubt(
                    FEW,
                    f"{', '.join(names)} differ by a few people already: what {self.newest.name} tells of "
                    "just these is not worked out", [*names, self.newest.name],
                    remedy=_accepting(FEW),
                )
            )  # fmt: skip

    def _alone(self, question: Run) -> str:
        """What the new table tells of its own hidden cells; it is judged by its rule alone, too."""
        measure, threshold = question.measure, question.threshold
        key = (measure, threshold, question.additive, self._only)
        if key not in self._known_alone:
            own = self._parts_of(self.newest, measure)
            shown = VALUE if measure is None else SUM if self.newest.sums else MEAN
            hidden = [
                count(relation(part.source)).where(f"{shown} is null")
                for part in own if shown.lower() in lower(column_names(self.con, part.source))
            ]  # fmt: skip
            nothing = self.newest.is_of_rows or self.newest.is_foreign
            nothing |= measure is not None and self.newest.means is not None  # no rule is about its means
            is_strictest = threshold is None or (self.newest.threshold or 0) >= threshold
            shows_all = (
                is_strictest
                and question.additive
                and all(execute(self.con, each) == [(0,)] for each in hidden)
            )
            if nothing or shows_all:
                self._known_alone[key] = self._none()
            else:
                run = replace(question, supposed=Supposed({}), all_cells=self.newest.is_complete)
                self._known_alone[key] = self._run(own, run)
        return self._known_alone[key]

    def _none(self) -> str:
        rows = exp.select(
            "null::text as cell", "null::double as lower", "null::double as upper", "null::text[] as tables",
            "null::text as because", "null::text as found_by", "false as unfinished",
        ).where("false")  # fmt: skip
        return self.make("none", rows)

    def _run(self, parts: Sequence[Part], run: Run) -> str:
        """The name of the rows of tables_together on these; with a measure those on sums. Errors:
        InputError."""
        supposed, measure = run.supposed, run.measure
        tables = [part for part in parts if not part.is_of_rows]
        rows = [part for part in parts if part.is_of_rows]
        shown = {name for part in tables for name in lower(column_names(self.con, part.source))}
        if not tables or (measure is not None and not {SUM, MEAN} & shown):
            return self._none()
        ordered = [*tables, *rows]
        if self.progress is not None:
            self.progress(0, f"comparing {', '.join(dict.fromkeys(part.of.name for part in ordered))}")
        given: dict[str, Any] = {
            "tables": [part.source for part in tables],
            "releases": [part.source for part in rows] or None,
            "dimensions": [*self._dimensions(ordered).values()],
            "value_column": VALUE,
            "lower_column": BOUNDS[0],
            "upper_column": BOUNDS[1],
            "total": TOTAL,
            "filters": [part.of.filter for part in ordered],
            "titles": [part.of.name for part in ordered],
            "hierarchies": self.hierarchies,
            "threshold": run.threshold,
            "zeros": any(part.of.zeros for part in ordered),
            "varying": self.varying or None,
            "all_cells": run.all_cells,
            "additive": run.additive,
            "solver_seconds": self.seconds,
        }
        if limits := [each.max_atoms for each in self._everything if each.max_atoms is not None]:
            given["max_atoms"] = max(limits)
        if supposed.periods:
            given["periods"] = [supposed.periods[part.of.period or UNSAID] for part in ordered]
            given["growing"] = supposed.growing
        if measure is not None:
            ours = any(each.measure == measure and not each.is_foreign for each in self._everything)
            given |= {"sum_column": SUM, "mean_column": MEAN, "measure_least": 0 if ours else None}
            given["percent"] = max(each.percent or PERCENT for each in self._everything)
        made = self.make("known", call("tables_together", **given, programs="linear"))
        unfinished = count(relation(made)).where("found_by = 'unfinished'")
        if run.additive and execute(self.con, unfinished) != [(0,)]:
            made = self.make("known", call("tables_together", **given, programs="integer"))
        clash = select(relation(made), "because").where(f"found_by = '{CONTRADICTION_FOUND}'")
        if contradictions := execute(self.con, clash):
            raise InputError(contradictions[0][0])
        if any(_PLACE.search(period) for period in supposed.periods.values()):
            cell, because = (
                named(call_of("regexp_replace", call_of("replace", exp.column(name), SINCE, "there until "),
                              _PLACE.pattern, "", "g"), name)
                for name in ("cell", "because")
            )  # fmt: skip
            read = exp.Star(replace=[cell, because])
            made = self.make("known", select(relation(made), read))
        if measure is None:
            return made
        self._doubt_means(made)
        return self.make("known", select(relation(made)).where("found_by in ('sum', 'unfinished')"))

    def _doubt_means(self, known: str) -> None:
        """Hidden counts that means tell, if people have whole numbers."""
        of_means = select(relation(known), "cell", "because", "tables").where("found_by = 'mean'")
        for cell, because, tables in execute(self.con, of_means.order_by("cell")):
            doubt = Doubt(TOGETHER, f"{cell}: {because}", [*tables], remedy=_accepting(TOGETHER))
            if doubt not in self.doubts:
                self.doubts.append(doubt)


@dataclass(frozen=True)
class Supposed:
    """How people change. periods: what each period is called in the question; none: it does not matter."""

    periods: Mapping[str, str]
    growing: bool = False


@dataclass(frozen=True)
class Run:
    """A question to tables. measure: of which sums; None: of counts. all_cells, threshold, additive: as of
    tables_together."""

    supposed: Supposed
    all_cells: bool
    measure: str | None
    threshold: int | None
    additive: bool = True

    @property
    def key(self) -> tuple[Any, ...]:
        periods = tuple(self.supposed.periods.values())
        return (
            periods, self.supposed.growing, self.all_cells, self.measure, self.threshold, self.additive,
        )  # fmt: skip


def call_of(name: str, *arguments: Any) -> exp.Expression:
    return exp.Anonymous(this=name, expressions=[literal(each) for each in arguments])


def _nothing() -> list[exp.Expression]:
    """A count of which nothing is known, in the columns of _counts_to_compare."""
    least, most = BOUNDS
    return [
        named(exp.cast(exp.null(), "text"), VALUE), named(exp.cast(literal(0), "double"), least),
        named(exp.cast(exp.null(), "double"), most),
    ]  # fmt: skip


def more_may_follow(several: Sequence[str], releases: Sequence[str]) -> Doubt:
    """What is not known of tables that have people in several cells (several), alone or together."""
    return Doubt(
        TOGETHER,
        f"in {', '.join(several)} people are counted in several cells, or have several rows. What follows "
        "from bounds was looked at (a count is at least that of each part, and at most the sum of them), but "
        "more may follow", releases,
        remedy="publish one row per person, such as the first of each, which is compared in full; or "
        f"{_accepting(TOGETHER)}",
    )  # fmt: skip


def _accepting(doubt: str) -> str:
    return f"say why that does not matter: --accept evidence.{doubt}='why'"


def _records(con: duckdb.DuckDBPyConnection, query: exp.Select) -> list[Mapping[str, Any]]:
    rows = execute(con, query)
    return [dict(zip(rows.columns, row, strict=True)) for row in rows]
