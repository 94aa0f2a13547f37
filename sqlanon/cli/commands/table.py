"""sqlanon table: tables of counts and sums"""

import functools
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from sqlglot import exp

from sqlanon.attack.all_attacks import INTERSECTION
from sqlanon.cli import options as given
from sqlanon.cli.app import EXIT_CODES, FAILS, Topic
from sqlanon.cli.options import FILES, takes
from sqlanon.cli.page_of_table import write_page_of_published
from sqlanon.cli.steps import check_columns, print_sql, tell_of_units
from sqlanon.cli.values import names_in
from sqlanon.core.errors import InputError, SqlanonError, UseError
from sqlanon.core.files import (
    Place,
    Session,
    check_inputs,
    check_output,
    column_names,
    place,
    with_relations,
)
from sqlanon.core.printing import Format, show
from sqlanon.core.remarks import remark
from sqlanon.core.source import lower
from sqlanon.core.statements import call, count, execute, relation, select
from sqlanon.pages.vega import require_extra
from sqlanon.perturb.masks import Key, hashing
from sqlanon.policies.parsing import Options
from sqlanon.policies.policy import Policy
from sqlanon.policies.policy import read as read_policy
from sqlanon.tables.cell_keys import RECORD_KEY

app = Topic()
tables = Topic()
app.add_typer(tables, name="table", epilog=EXIT_CODES)

OF_CELLS = ("contributors", "value", "largest", "second")
MARK = "*"
# What messages of macros say of parameters, and how the command line has it.
AS_OPTIONS = {
    "say additive := false, of rounded numbers base": "say --overlapping, of rounded numbers --base",
    "say additive := false": "say --overlapping",
    "whole := false, if it is a sum": "--sums, if it is a sum",
    "marks := [...]": "--marks",
    "total := 'all of them'": "--total 'all of them'",
    "give more solver_seconds": "give more --seconds",
    "solver_seconds are over": "--seconds are over",
}

Cells = Annotated[
    str,
    typer.Argument(
        metavar="INPUT",
        help=f"The rows of people, or the cells that 'sqlanon table cells' makes of them: {FILES}.",
        show_default=False,
    ),
]
Raw = Annotated[
    str,
    typer.Argument(metavar="INPUT", help=f"The rows of people: {FILES}.", show_default=False),
]
Published = Annotated[
    str,
    typer.Argument(metavar="INPUT", help=f"The table as it is published: {FILES}.", show_default=False),
]
Dimensions = Annotated[
    list[str],
    typer.Option("--dimensions", metavar="COLUMNS", help="What the cells are grouped by."),
]
Measure = Annotated[
    str | None,
    typer.Option("--measure", metavar="COLUMN", help="What is summed up; people are counted, if not given."),
]
Unit = Annotated[
    str | None,
    typer.Option(
        "--unit", metavar="COLUMN",
        help="The column that says whose a row is, where people have several rows: people are counted.",
    ),
]  # fmt: skip
Linked = Annotated[
    list[str] | None,
    typer.Option(
        "--linked", metavar="COLUMNS",
        help="One of several tables that are published together, by some of --dimensions; once for each.",
    ),
]  # fmt: skip
Total = Annotated[str, typer.Option("--total", metavar="TEXT", help="What marks a total.")]
Threshold = Annotated[
    int | None,
    typer.Option("--threshold", min=1, help="Unsafe: cells with fewer people than this, but not empty ones."),
]
Zeros = Annotated[bool, typer.Option("--zeros", help="Cells of 0 are unsafe, too.")]
Dominance = Annotated[
    str | None,
    typer.Option(
        "--dominance", metavar="ONE,TWO",
        help="Percentages of a sum that the largest contribution, and the largest two, may have: 75,85.",
    ),
]  # fmt: skip
P = Annotated[
    float | None,
    typer.Option(
        "--p",
        help="The p % rule: a sum without the two largest contributions is at least p % of the largest.",
    ),
]
Q = Annotated[float, typer.Option("--q", help="The p/q rule: everybody knows contributions to within q %.")]
Response = Annotated[
    str | None,
    typer.Option(
        "--response", metavar="COLUMN",
        help="The sensitive dimension, say diagnosis. Unsafe: a cell with all people of its row, or none.",
    ),
]  # fmt: skip
Cost = Annotated[
    str,
    typer.Option("--cost", metavar="NAME", help="Hide as little as can be of: cells, contributors, value."),
]
Shown = Annotated[
    str | None,
    typer.Option("--publish", metavar="INPUT", help="Cells that must be shown: a table of --dimensions."),
]
Reasons = Annotated[
    bool,
    typer.Option("--reasons", help="Also say why a cell is hidden, in a column for the publisher alone."),
]
Sums = Annotated[bool, typer.Option("--sums", help="The values are sums, not counts.")]
Seconds = Annotated[float, typer.Option("--seconds", min=0, help="How long linear programs take at most.")]
Value = Annotated[str, typer.Option("--value", metavar="COLUMN", help="The column with what is published.")]
Marks = Annotated[
    list[str] | None,
    typer.Option(
        "--marks", metavar="TEXTS", help="Texts that stand for a hidden value.", show_default="* . .. c x"
    ),
]
Base = Annotated[
    float | None, typer.Option("--base", help="The numbers are rounded to multiples of this, to the nearest.")
]
Rounding = Annotated[
    str, typer.Option("--rounding", metavar="NAME", help="How: nearest, random, midpoint or controlled.")
]
RoundedTo = Annotated[float, typer.Option("--base", help="Of which multiples are made, such as 5.")]
RoundingSeed = Annotated[
    int | None,
    typer.Option("--seed", help="Fixes random rounding: a cell is rounded alike in every table. A secret."),
]
Perturbations = Annotated[
    str | None,
    typer.Option("--ptable", metavar="INPUT", help="A perturbation table with columns pcv, ckey, pvalue."),
]
Largest = Annotated[
    int | None, typer.Option("--largest", min=1, help="The most by which a count is changed.")
]
Variance = Annotated[float | None, typer.Option("--variance", help="The variance of the noise.")]
Blocked = Annotated[int, typer.Option("--blocked", min=0, help="Counts from 1 to this are not published.")]
Repeating = Annotated[
    int,
    typer.Option(
        "--repeating", min=1,
        help="So many of the last counts of --ptable stand for larger ones, in turn: 250 for one of the ONS.",
    ),
]  # fmt: skip
RecordKey = Annotated[
    str | None,
    typer.Option("--record-key", metavar="COLUMN", help="A random whole number that everybody keeps."),
]
Most = Annotated[
    float | None,
    typer.Option("--most", help="What a hidden cell is at most: 4, where all counts below 5 are hidden."),
]
Least = Annotated[
    float | None,
    typer.Option("--least", help="What a hidden cell is at least.", show_default="1 if a 0 is shown"),
]
Overlapping = Annotated[
    bool,
    typer.Option("--overlapping", help="People can be in several cells: totals are no sums."),
]
Page = Annotated[
    Path | None, typer.Option("--page", metavar="FILE", help="Where a page of the table goes: page.html.")
]
Integer = Annotated[
    bool,
    typer.Option("--integer", help="Integer programs, too, which may take long."),
]


@tables.callback()
def _of_tables() -> None:
    """Tables of counts and sums: their cells, which are unsafe, how to hide them, and what leaks."""


@tables.command(epilog=EXIT_CODES)
@takes("input", "hierarchies")
def cells(
    options: Options,
    input: given.Input,
    dimensions: Dimensions,
    measure: Measure = None,
    unit: Unit = None,
    linked: Linked = None,
    total: Total = "total",
    output: given.Output = None,
    force: given.Force = False,
    format: given.Printed = None,
    sql: given.Sql = False,
) -> None:
    """Count people, or add up a column, in every cell of a table with all its totals.

    A row per cell: its labels, how many people contribute, the value, the two largest contributions. With
    --hierarchy there are cells for its labels, too. This is for the publisher: it says how large the largest
    contribution is.
    """
    with _session() as session:
        work = _Work(session, input, dimensions, options, total)
        tables_of = None if linked is None else [names_in("--linked", [one]) for one in linked]
        work.write(work.cells_of_rows(measure, unit, tables_of), output, force, format, sql)


@tables.command(epilog=EXIT_CODES)
@takes("input", "hierarchies")
def unsafe(
    options: Options,
    input: Cells,
    dimensions: Dimensions,
    threshold: Threshold = None,
    zeros: Zeros = False,
    dominance: Dominance = None,
    p: P = None,
    q: Q = 100,
    response: Response = None,
    measure: Measure = None,
    unit: Unit = None,
    total: Total = "total",
    format: given.Printed = None,
    sql: given.Sql = False,
) -> None:
    """Print the cells that break a rule: a row per cell and rule, and exit code 1. No rows: all are safe.

    The rules: --threshold (few people), --dominance and --p (a sum is nearly one contribution), --zeros,
    --response (a cell has all people of its row, or none).
    """
    rules = _rules(threshold, zeros, dominance, p, q, response)
    with _session() as session:
        work = _Work(session, input, dimensions, options, total)
        found = work.of_cells("unsafe_cells", measure, unit, **rules)
        if sql:
            print_sql(session, [found])
            return
        answer = session.answer(work.in_order(found))
        show(session.con, answer, format)
        [(broken,)] = execute(session.con, count(answer))
    if broken:
        raise typer.Exit(FAILS)
    remark(f"{input}: all cells are safe by these rules; what totals give back, 'sqlanon table bounds' tells")


@tables.command(epilog=EXIT_CODES)
@takes("input", "hierarchies")
def suppress(
    options: Options,
    input: Cells,
    dimensions: Dimensions,
    threshold: Threshold = None,
    zeros: Zeros = False,
    dominance: Dominance = None,
    p: P = None,
    q: Q = 100,
    response: Response = None,
    measure: Measure = None,
    unit: Unit = None,
    cost: Cost = "cells",
    publish: Shown = None,
    overlapping: Overlapping = False,
    seconds: Seconds = 60,
    reasons: Reasons = False,
    total: Total = "total",
    output: given.Output = None,
    force: given.Force = False,
    format: given.Printed = None,
) -> None:
    """Hide the unsafe cells of a table, and so many others that totals do not give them back.

    The rules are those of 'sqlanon table unsafe'. What would leave is attacked first, as 'sqlanon table
    bounds' does; if an unsafe cell is known too closely, nothing leaves. A hidden cell is *. (pip install
    'sqlanon[tables]')
    """
    from sqlanon.tables.programs import register_programs, require_solver

    require_solver()
    rules = _rules(threshold, zeros, dominance, p, q, response)
    check_inputs(*([] if publish is None else [publish]))
    with _session() as session:
        register_programs(session.con)
        work = _Work(session, input, dimensions, options, total)
        shown = None if publish is None else session.read(publish)
        found = work.of_cells(
            "suppress_cells", measure, unit, **rules, cost=cost, publish=shown,
            additive=not (overlapping or work.is_spread(unit)),
            whole=measure is None and not work.has_sums(), solver_seconds=seconds,
            hierarchies="hierarchies" if work.relations else None,
        )  # fmt: skip
        answer = session.answer(found)
        counts = (
            "count(*) filter (hidden = 'primary')",
            "count(*) filter (hidden = 'secondary')",
            "count(*)",
        )
        [(unsafe_cells, others, cells)] = execute(session.con, select(answer, *counts))
        mark = exp.Literal.string(MARK)
        value = exp.Coalesce(this=exp.cast(exp.column("value"), "text"), expressions=[mark])
        columns: list[str | exp.Expression] = [
            *(exp.column(name, quoted=True) for name in work.dimensions),
            exp.Alias(this=value, alias=exp.to_identifier("value")), *(["hidden"] if reasons else []),
        ]  # fmt: skip
        work.write(select(answer, *columns), output, force, format, False)
    remark(
        f"{output or input}: {unsafe_cells:,} of {cells:,} cells are hidden since they are unsafe, and "
        f"{others:,} so that nobody can work these out"
    )


@tables.command("round", epilog=EXIT_CODES)
@takes("input", "hierarchies")
def round_(
    options: Options,
    input: Cells,
    dimensions: Dimensions,
    base: RoundedTo,
    rounding: Rounding = "nearest",
    seed: RoundingSeed = None,
    measure: Measure = None,
    unit: Unit = None,
    seconds: Seconds = 60,
    total: Total = "total",
    output: given.Output = None,
    force: given.Force = False,
    format: given.Printed = None,
    sql: given.Sql = False,
) -> None:
    """Round every cell of a table, totals among them.

    With --rounding controlled totals are still the sums of what is shown (pip install 'sqlanon[tables]').
    Otherwise each cell is rounded by itself, and 'sqlanon table bounds --base' tells what totals give back.
    """
    from sqlanon.tables.programs import register_programs, require_solver

    is_controlled = rounding == "controlled"
    if is_controlled:
        require_solver()
    with _session() as session:
        if is_controlled:
            register_programs(session.con)
        work = _Work(session, input, dimensions, options, total)
        rounded = work.of_cells(
            "round_cells", measure, unit, base=base, rounding=rounding, seed=seed,
            solver_seconds=seconds if is_controlled else None,
            hierarchies="hierarchies" if is_controlled and work.relations else None,
        )  # fmt: skip
        answer = rounded if sql else select(session.answer(rounded))
        columns = [exp.column(name, quoted=True) for name in (*work.dimensions, "value")]
        further = [] if sql else execute(session.con, answer.copy().where("further"))
        work.write(answer.select(*columns, append=False), output, force, format, sql)
    if further:
        cell = ", ".join(map(str, further[0][: len(work.dimensions)]))
        remark(
            f"{len(further):,} cells, such as {cell}, were rounded further than to a neighbouring multiple "
            f"of {base:g}: no such table adds up"
        )


@tables.command(epilog=EXIT_CODES)
@takes("input", "hierarchies")
def keys(
    options: Options,
    input: Raw,
    dimensions: Dimensions,
    ptable: Perturbations = None,
    largest: Largest = None,
    variance: Variance = None,
    blocked: Blocked = 0,
    repeating: Repeating = 1,
    record_key: RecordKey = None,
    unit: Unit = None,
    key_file: given.KeyFile = None,
    total: Total = "total",
    output: given.Output = None,
    force: given.Force = False,
    format: given.Printed = None,
) -> None:
    """Count people in every cell and add noise by cell keys: the same people always get the same noise.

    The noise is at most --largest and has the --variance; or a table has it: --ptable. Everybody has a record
    key: a column (--record-key), or a keyed hash of the --unit with the secret in --key-file or SQLANON_KEY.
    """
    if (ptable is None) == (largest is None or variance is None):
        raise UseError("say which noise: --largest and --variance, or a table of it, --ptable")
    if record_key is None and unit is None:
        raise UseError("give --record-key, a column, or --unit, from which record keys are made")
    if record_key is not None and key_file is not None:
        raise UseError("--key-file is for record keys that are made from --unit: leave out --record-key")
    check_inputs(*([] if ptable is None else [ptable]))
    with _session() as session:
        work = _Work(session, input, dimensions, options, total)
        check_columns(
            session, work.source, input,
            {"--record-key": [record_key] if record_key else [], "--unit": [unit] if unit else []},
        )  # fmt: skip
        if ptable is not None:
            noise = session.read(ptable)
        else:
            made = call("perturbation_table", largest=largest, variance=variance, blocked=blocked)
            noise = session.make("noise", made)
        rows = work.source
        with ExitStack() as stack:
            if record_key is None:
                function = stack.enter_context(hashing(session.con, Key.read(key_file)))
                keyed = call("_with_record_keys", rows, work.dimensions, unit, function)
                rows = session.make("keyed", keyed)
            counted = work.statement(
                "cell_keys", rows, ptable=noise, record_key=record_key or RECORD_KEY, unit=unit,
                repeating=repeating, hierarchies="hierarchies" if work.relations else None,
            )  # fmt: skip
            work.write(counted, output, force, format, False)


@tables.command(epilog=EXIT_CODES)
@takes("input", "hierarchies")
def bounds(
    options: Options,
    input: Published,
    dimensions: Dimensions,
    value: Value = "value",
    total: Total = "total",
    marks: Marks = None,
    base: Base = None,
    rounding: Rounding = "nearest",
    least: Least = None,
    most: Most = None,
    overlapping: Overlapping = False,
    sums: Sums = False,
    integer: Integer = False,
    seconds: Seconds = 60,
    page: Page = None,
    force: given.Force = False,
    format: given.Printed = None,
    sql: given.Sql = False,
) -> None:
    """Print what a published table tells of the cells that it hides or rounds: the least and most of each.

    For any table, such as one of a statistics office: values may be numbers, texts such as <5, or marks of
    hidden cells. Totals that do not add up are an error that names the cell. (pip install 'sqlanon[tables]')

    With --page it also writes a page of the table: which hidden cells are known, and how that follows.
    """
    from sqlanon.tables.programs import register_programs, require_solver

    require_solver()
    if page is not None:
        require_extra()
        check_output(Place(page), force)
    with _session() as session:
        register_programs(session.con)
        work = _Work(session, input, dimensions, options, total, [value])
        query = work.statement(
            "cell_bounds", work.source, value_column=value, marks=names_in("--marks", marks) or None,
            base=base, rounding=rounding,
            least=least, most=most, additive=not overlapping, whole=not sums,
            programs="integer" if integer else "linear", solver_seconds=seconds,
            hierarchies="hierarchies" if work.relations else None,
        )  # fmt: skip
        if sql:
            print_sql(session, [query])
            return
        answer = session.answer(work.in_order(query))
        show(session.con, answer, format)
        [(hidden, known, unfinished)] = execute(
            session.con,
            select(answer, "count(*)", "count(*) filter (lower = upper)", "count(*) filter (unfinished)"),
        )
        if page is not None:
            made_of = work.relations.get("hierarchies")
            hierarchies = None if made_of is None else with_relations(
                select(exp.to_table("hierarchies")), work.relations
            )  # fmt: skip
            write_page_of_published(
                session, work.source, (answer.name, query), work.dimensions, hierarchies, input, page, force,
                total=total, value_column=value,
            )  # fmt: skip
    remark(f"{input}: {known:,} of {hidden:,} hidden or rounded cells are known exactly")
    if unfinished:
        remark(f"the bounds of {unfinished:,} cells are not proven to be the narrowest: more may be known")


@contextmanager
def _session() -> Iterator[Session]:
    """A session in which messages of macros name parameters as the command line does."""
    try:
        with Session() as session:
            yield session
    except SqlanonError as error:
        message = str(getattr(error, "message", error))
        told = functools.reduce(lambda text, names: text.replace(*names), AS_OPTIONS.items(), message)
        if told == message:
            raise
        raise InputError(told) from error


def _rules(
    threshold: int | None, zeros: bool, dominance: str | None, p: float | None, q: float, response: str | None
) -> dict[str, Any]:
    """Rules as the macros take them. Errors: UseError."""
    shares: list[float | None] | None = None
    if dominance is not None:
        try:
            shares = [float(each) if each.strip() else None for each in dominance.split(",")]
        except ValueError:
            raise UseError(f"--dominance {dominance}: write two percentages, such as 75,85") from None
    if threshold is None and shares is None and p is None and response is None and not zeros:
        raise UseError("give a rule: --threshold, --dominance, --p, --response or --zeros")
    return {
        "threshold": threshold, "zeros": zeros or None, "dominance": shares, "p": p,
        "q": q if q != 100 else None, "response": response,
    }  # fmt: skip


class _Work:
    """The table of a command, read. extra: its columns beside the dimensions."""

    def __init__(
        self, session: Session, input: str, dimensions: Sequence[str], options: Options, total: str,
        extra: Sequence[str] = (),
    ) -> None:  # fmt: skip
        self.session, self.input, self.total = session, input, total
        self.dimensions = names_in("--dimensions", dimensions)
        roles = {"qi": self.dimensions}
        self.policy: Policy = read_policy(None, {**options, "roles": roles}, INTERSECTION)
        check_inputs(input)
        self.source = session.read(input, self.policy.raw(keep=[*self.dimensions, *extra]))
        self.columns = column_names(session.con, self.source)
        check_columns(session, self.source, input, {"--dimensions": self.dimensions, "--value": extra})
        self.relations = self.policy.relations(self.source, None, is_raw=not extra)

    def statement(self, macro: str, *arguments: Any, **parameters: Any) -> exp.Select:
        query = call(macro, *arguments, dimensions=self.dimensions, total=self.total, **parameters)
        return with_relations(query, self.relations)

    def cells_of_rows(
        self, measure: str | None, unit: str | None, linked: list[list[str]] | None = None
    ) -> exp.Select:
        """The cells of rows of people."""
        named = {"--measure": [measure] if measure else [], "--unit": [unit] if unit else []}
        check_columns(self.session, self.source, self.input, named)
        if unit is None:
            tell_of_units(self.session, self.policy, self.input)
        elif self.is_spread(unit):
            remark(
                f"{self.input}: somebody is in several cells, so totals are no sums of people; tell 'sqlanon "
                "table bounds' so: --overlapping"
            )
        return self.statement(
            "table_cells", self.source, measure=measure, unit=unit, linked=linked,
            hierarchies="hierarchies" if self.relations else None,
        )  # fmt: skip

    def has_sums(self) -> bool:
        """Are the cells of the input sums, with their largest contributions?"""
        if not lower(OF_CELLS) <= lower(self.columns):
            return False
        with_largest = count(relation(self.source)).where("largest is not null")
        [(rows,)] = execute(self.session.con, with_largest)
        return bool(rows)

    def of_cells(self, macro: str, measure: str | None, unit: str | None, **parameters: Any) -> exp.Select:
        """What a macro says of the cells: the input's, or those of its rows."""
        if lower(OF_CELLS) <= lower(self.columns):
            return self.statement(macro, self.source, **parameters)
        cells = self.session.make("cells", self.cells_of_rows(measure, unit))
        return self.statement(macro, cells, **parameters)

    def is_spread(self, unit: str | None) -> bool:
        """Is somebody in several of the finest cells, so that totals are no sums of people?"""
        if unit is None or lower(OF_CELLS) <= lower(self.columns):
            return False
        who = exp.column(unit, quoted=True)
        cells = select(
            relation(self.source), who, *(exp.column(name, quoted=True) for name in self.dimensions)
        )
        [(places,)] = execute(self.session.con, count(cells.distinct().subquery()))
        [(people,)] = execute(
            self.session.con, count(select(relation(self.source), who.copy()).distinct().subquery())
        )
        return bool(places > people)

    def in_order(self, query: exp.Select) -> exp.Select:
        """By labels; totals come last."""
        of_total = exp.Literal.string(self.total)
        for name in self.dimensions:
            column = exp.column(name, quoted=True)
            query = query.order_by(exp.EQ(this=column, expression=of_total), column.copy())
        return query

    def write(
        self, query: exp.Select, output: str | None, force: bool, format: Format | None, sql: bool
    ) -> None:
        """Write the rows of a query, or print them, or their statement."""
        query = self.in_order(query)
        target = None if output is None else place(output)
        if target:
            check_output(target, force)
        if sql:
            print_sql(self.session, self.session.writing([(query, target)], force, {}) if target else [query])
            return
        answer = self.session.answer(query)
        if target:
            self.session.write([(select(answer), target)], force, {})
        else:
            show(self.session.con, answer, format)
