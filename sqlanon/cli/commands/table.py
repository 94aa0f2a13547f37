"""sqlanon table: tables of counts and sums"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

import typer
from sqlglot import exp

from sqlanon.attack.known import INTERSECTION
from sqlanon.cli.app import FAILS, Topic
from sqlanon.cli.decision import check_page_language
from sqlanon.cli.options import Given
from sqlanon.cli.page_of_table import write_page_of_published
from sqlanon.cli.printed import (
    TOTAL,
    Wide,
    check_columns_of_cells,
    marks_of,
    printed_as,
    session_of_tables,
    total_of,
    with_one_total,
    with_plain_values,
)  # fmt: skip
from sqlanon.cli.steps import MADE_ONE, Outputs, check_columns, print_sql, tell_of_spellings, tell_of_units
from sqlanon.cli.values import sets_in
from sqlanon.core.comments import parameters
from sqlanon.core.errors import InputError, UseError
from sqlanon.core.files import Place, Session, check_inputs, check_output, column_names, place, with_relations
from sqlanon.core.printed_tables import TOTALS
from sqlanon.core.printing import show
from sqlanon.core.remarks import remark
from sqlanon.core.source import fresh_name, lower
from sqlanon.core.statements import call, count, create, execute, named_table, relation, select
from sqlanon.core.text_files import Roles
from sqlanon.pages.vega import require_extra
from sqlanon.perturb.masks import Key, hashing
from sqlanon.policies.parsing import Options
from sqlanon.policies.policy import Policy
from sqlanon.policies.policy import read as read_policy
from sqlanon.publishing.gate import stem
from sqlanon.tables.agreeing import known_in_all
from sqlanon.tables.cell_keys import RECORD_KEY
from sqlanon.tables.decimals import value_that_leaves, with_types_of_sums

app = Topic()
tables = app.group("table")

OF_CELLS = ("contributors", "value", "largest", "second")
MARK = "*"
ONE_NUMBER = "one number"  # the dimension of a table without dimensions, which has its total alone


@tables.declare("[input] [hierarchies]", "input dimensions measure unit linked total output force format sql")
def cells(given: Given) -> None:
    """Count people, or add up a column, in every cell of a table with all its totals.

    A row per cell: its labels, how many people contribute, the value, the two largest contributions. With
    --hierarchy there are cells for its labels, too. This is for the publisher: it says how large the largest
    contribution is.
    """
    with session_of_tables() as session:
        work = _Work(session, given, given.input)
        tables_of = None if given.linked is None else sets_in("--linked", given.linked)
        work.write(work.cells_of_rows(tables_of))


@tables.declare(
    "[input] [hierarchies]",
    "cells dimensions own_counts wide threshold zeros dominance p q response measure unit totals format sql",
)
def unsafe(given: Given) -> None:
    """Print the cells that break a rule: a row per cell and rule, and exit code 1. No rows: all are safe.

    The rules: --threshold (few people), --dominance and --p (a sum is nearly one contribution), --zeros,
    --response (a cell has all people of its row, or none).
    """
    rules = _rules(given)
    with session_of_tables() as session:
        work = _Work(session, given, given.cells, may_be_counts=True)
        found = work.of_cells("unsafe_cells", **rules)
        answer = work.printed(found)
        broken = 0 if answer is None else execute(session.con, count(answer))[0][0]
    if broken:
        raise typer.Exit(FAILS)
    if given.sql:
        return
    message = "all cells are safe by these rules; what totals give back, 'sqlanon table bounds' tells"
    remark(f"{given.cells}: {message}")


@tables.declare(
    "[input] [hierarchies]",
    "cells dimensions own_counts wide threshold zeros dominance p q response measure unit cost shown",
    "overlapping seconds reasons totals output force format",
)
def suppress(given: Given) -> None:
    """Hide the unsafe cells of a table, and so many others that totals do not give them back.

    The rules are those of 'sqlanon table unsafe'. What would leave is attacked first, as 'sqlanon table
    bounds' does; if an unsafe cell is known too closely, nothing leaves. A hidden cell is *. (pip install
    'sqlanon[tables]')
    """
    from sqlanon.tables.programs import register_programs, require_solver

    require_solver()
    rules = _rules(given)
    check_inputs(given.shown)
    with session_of_tables() as session:
        register_programs(session.con)
        work = _Work(session, given, given.cells, may_be_counts=True)
        shown = None if given.shown is None else session.read(given.shown)
        found = work.of_cells(
            "suppress_cells", **rules, cost=given.cost, publish=shown, solver_seconds=given.seconds,
            additive=not (given.overlapping or work.is_spread),
            whole=given.measure is None and not work.has_sums,
        )  # fmt: skip
        answer = session.answer(found)
        hidden = [f"count(*) filter (hidden = '{why}')" for why in ("primary", "secondary")]
        [(unsafe_cells, others, cells)] = execute(session.con, select(answer, *hidden, "count(*)"))
        mark = exp.Literal.string(MARK)
        number = value_that_leaves(session.con, answer.name)
        value = exp.Coalesce(this=exp.cast(number, "text"), expressions=[mark])
        columns: list[str | exp.Expression] = [
            *(exp.column(name, quoted=True) for name in work.dimensions),
            exp.Alias(this=value, alias=exp.to_identifier("value")), *(["hidden"] if given.reasons else []),
        ]  # fmt: skip
        work.write(select(answer, *columns))
    remark(
        f"{given.output or given.cells}: {unsafe_cells:,} of {cells:,} cells are hidden since they are "
        f"unsafe, and {others:,} so that nobody can work these out"
    )


@tables.declare(
    "[input] [hierarchies]",
    "cells dimensions own_counts wide rounded_to rounding rounding_seed measure unit seconds totals output",
    "force format sql",
    name="round",
)
def round_(given: Given) -> None:
    """Round every cell of a table, totals among them.

    With --rounding controlled totals are still the sums of what is shown (pip install 'sqlanon[tables]').
    Otherwise each cell is rounded by itself, and 'sqlanon table bounds --base' tells what totals give back.
    """
    from sqlanon.tables.programs import register_programs, require_solver

    is_controlled = given.rounding == "controlled"
    if is_controlled:
        require_solver()
    with session_of_tables() as session:
        if is_controlled:
            register_programs(session.con)
        work = _Work(session, given, given.cells, may_be_counts=True)
        rounded = work.of_cells(
            "round_cells", **given.of("rounded_to rounding rounding_seed"),
            **({"solver_seconds": given.seconds} if is_controlled else {"hierarchies": None}),
        )  # fmt: skip
        answer = rounded if given.sql else select(session.answer(rounded))
        columns = [exp.column(name, quoted=True) for name in (*work.dimensions, "value")]
        further = [] if given.sql else execute(session.con, answer.copy().where("further"))
        work.write(answer.select(*columns, append=False))
    if further:
        cell = ", ".join(map(str, further[0][: len(work.dimensions)]))
        remark(
            f"{len(further):,} cells, such as {cell}, were rounded further than to a neighbouring multiple "
            f"of {given.rounded_to:g}: no such table adds up"
        )


@tables.declare(
    "[input] [hierarchies]",
    "rows dimensions ptable largest variance blocked repeating record_key unit key_file total output",
    "force format",
)
def keys(given: Given) -> None:
    """Count people in every cell and add noise by cell keys: the same people always get the same noise.

    The noise is at most --largest and has the --variance; or a table has it: --ptable. Everybody has a record
    key: a column (--record-key), or a keyed hash of the --unit with the secret in --key-file or SQLANON_KEY.
    """
    if (given.ptable is None) == (given.largest is None or given.variance is None):
        raise UseError("say which noise: --largest and --variance, or a table of it, --ptable")
    if given.record_key is None and given.unit is None:
        raise UseError("give --record-key, a column, or --unit, from which record keys are made")
    if given.record_key is not None and given.key_file is not None:
        raise UseError("--key-file is for record keys that are made from --unit: leave out --record-key")
    check_inputs(given.ptable)
    with session_of_tables() as session:
        work = _Work(session, given, given.rows)
        check_columns(session, work.source, given.rows, given.named("record_key unit"))
        if given.ptable is not None:
            noise = session.read(given.ptable)
        else:
            made = call("perturbation_table", **given.of("largest variance blocked"))
            noise = session.make("noise", made)
        rows = work.source
        with ExitStack() as stack:
            if given.record_key is None:
                function = stack.enter_context(hashing(session.con, Key.read(given.key_file)))
                keyed = call("_with_record_keys", rows, work.dimensions, given.unit, function)
                rows = session.make("keyed", keyed)
            record_key = given.record_key or RECORD_KEY
            more = given.of("unit repeating")
            made = work.statement("cell_keys", rows, ptable=noise, record_key=record_key, **more)
            work.write(work.of_one_number(made))
    remark(
        f"{given.output or given.rows}: exact means or sums of the same people would undo the noise: publish "
        "none beside it ('sqlanon table together --mean-column' tells which counts a mean fits)"
    )


@tables.declare(
    "[input] [hierarchies]",
    "published dimensions value wide totals marks nil base rounding least most overlapping sums integer",
    "seconds page language force format sql",
)
def bounds(given: Given) -> None:
    """Print what a published table tells of the cells that it hides or rounds: the least and most of each.

    For any table, such as one of a statistics office: values may be numbers, texts such as <5, or marks of
    hidden cells. Totals that do not add up are an error that names the cell. (pip install 'sqlanon[tables]')

    With --page it also writes a page of the table: which hidden cells are known, and how that follows.
    """
    from sqlanon.tables.programs import register_programs, require_solver

    require_solver()
    check_page_language(given.language, given.page)
    if given.page is not None:
        require_extra()
        check_output(Place(given.page), given.force)
    with session_of_tables() as session:
        register_programs(session.con)
        work = _Work(session, given, given.published, given.value)
        query = work.statement(
            "cell_bounds", work.source, value_column=given.value, additive=not given.overlapping,
            whole=not given.sums, programs="integer" if given.integer else "linear",
            solver_seconds=given.seconds, marks=marks_of(given), **given.of("base rounding least most"),
        )  # fmt: skip
        answer = work.printed(query)
        if answer is None:
            return
        [(hidden, known, unfinished)] = execute(
            session.con,
            select(answer, "count(*)", "count(*) filter (lower = upper)", "count(*) filter (unfinished)"),
        )
        if given.page is not None:
            made_of = work.relations.get("hierarchies")
            hierarchies = None if made_of is None else with_relations(
                select(exp.to_table("hierarchies")), work.relations
            )  # fmt: skip
            write_page_of_published(
                session, work.source, (answer.name, query), work.dimensions, hierarchies, given.published,
                given.page, given.force, given.language, total=work.total, value_column=given.value,
                whole=not given.sums, marks=marks_of(given),
            )  # fmt: skip
    remark(f"{given.published}: {known:,} of {hidden:,} hidden or rounded cells are known exactly")
    if unfinished:
        remark(f"the bounds of {unfinished:,} cells are not proven to be the narrowest: more may be known")


@tables.declare(
    "[input]",
    "several_published all_dimensions value wide released_rows filters periods growing varying domain width",
    "some_cells totals marks nil least most sum_column mean_column printed measure_least measure_most",
    "measure_step percent max_atoms overlapping integer seconds format sql",
)
def together(given: Given) -> None:
    """Print what several published tables of counts tell together: a row per cell, and exit code 1.

    The tables count the same people. The difference of two counts is a count that nobody has published, and
    all counts together tell more, also together with releases of rows (--rows). No rows: no such cell is
    known too closely. A table is called as its file.
    (pip install 'sqlanon[tables]')
    """
    columns = {
        option: [each]
        for option, each in (("--sum-column", given.sum_column), ("--mean-column", given.mean_column))
        if each is not None
    }
    with _several(given, columns, given.released_rows or ()) as (session, about):
        arguments = {
            **about, "programs": "integer" if given.integer else "linear",
            "periods": _of_each("--period", about["titles"], given.periods),
            "domain": None if given.domain is None else session.read(given.domain),
            **given.of("sum_column mean_column"),
            **given.of("growing varying width printed measure_least measure_most measure_step percent"),
            "additive": not given.overlapping,
        }  # fmt: skip

        def make(some: Mapping[str, Any]) -> exp.Table:
            made = named_table(fresh_name("tables_together"))
            execute(session.con, create(made, call("tables_together", **some), temporary=True))
            return made

        every = call("tables_together", **arguments)
        if not given.sql:
            every = select(known_in_all(session.con, arguments, make))
        found = _printed_rows(session, every.order_by("upper", "cell"), given)
    if found:
        raise typer.Exit(FAILS)
    if found == 0:
        remark("no cell is known too closely by what these tables tell together")


@tables.declare(
    "[input]",
    "several_published all_dimensions! value wide known_domain filters measured mean median decimals",
    "some_cells totals marks nil least most max_sets max_atoms seconds format sql",
)
def reconstruct(given: Given) -> None:
    """Print the rows of people that follow from published counts, means and medians.

    certain: how many such people are in every set of rows that agrees with the tables; the exit code is 1 if
    there are any. example: how many are in one of these sets. (pip install 'sqlanon[tables]')
    """
    columns = {name: [each] for name, each in given.of("mean median").items() if each is not None}
    with _several(given, columns) as (session, about):
        query = call(
            "reconstruct", **about, domain=session.read(given.known_domain), mean_column=given.mean,
            median_column=given.median, **given.of("measured decimals max_sets"),
        )  # fmt: skip
        for name in dict.fromkeys(
            [*(given.all_dimensions or []), *([given.measured] if given.measured else [])]
        ):
            query = query.order_by(exp.column(name, quoted=True))
        found = _printed_rows(session, query, given, "certain > 0")
    if found:
        raise typer.Exit(FAILS)
    if found == 0:
        remark("no row is certain")


@contextmanager
def _several(
    given: Given, columns: Mapping[str, Sequence[str]] | None = None, rows: Sequence[str] = ()
) -> Iterator[tuple[Session, dict[str, Any]]]:
    """Several published tables, read, and what is said of them as arguments of macros. columns: those that
    they can have beside the others, by option. rows: releases of rows."""
    from sqlanon.tables.programs import register_programs, require_solver

    require_solver()
    titles = _titles([*given.several_published, *rows])
    filters = _of_each("--filter", titles, given.filters)
    dimensions = given.all_dimensions or []
    read = read_policy(None, {**given.options, "roles": {"qi": dimensions or [given.value]}}, INTERSECTION)
    check_inputs(*given.several_published, *rows)
    further = [name for names in (columns or {}).values() for name in names]
    with session_of_tables() as session:
        register_programs(session.con)
        sources = []
        missing = {name.lower(): option for option, names in (columns or {}).items() for name in names}
        wide = Wide.of(given)
        for input in (*given.several_published, *rows):
            printed = None if input in rows else printed_as(given, dimensions, [given.value, *wide.columns])
            table = session.read(input, Roles(printed=printed))
            there = lower(column_names(session.con, table))
            own = [name for name in (*dimensions, *further) if name.lower() in there]
            if printed is None:
                sources.append(session.read(input, read.raw(keep=own)))
            else:
                is_long = given.value.lower() in there
                value = [given.value] if is_long else wide.columns
                lacking = {} if value else {"--value": [given.value]}
                check_columns_of_cells(session, table, input, given.value, lacking, dimensions)
                kept = replace(read.raw(keep=[*own, *value]), printed=printed)
                source = session.read(input, kept)
                if not is_long:
                    source = wide.made_long(session, source, input, given.value)
                sources.append(with_plain_values(session, given, source, input, given.value, dimensions))
            for name in missing.keys() & there:
                del missing[name]
        for name, option in missing.items():
            raise InputError(f"none of the tables has the column {name} of {option}")
        tables = len(given.several_published)
        released = {"releases": sources[tables:]} if rows else {}
        yield session, {
            "tables": sources[:tables], **released, "dimensions": dimensions, "titles": titles,
            "filters": filters, "value_column": given.value, "solver_seconds": given.seconds,
            "all_cells": not given.some_cells, "total": total_of(given), "marks": marks_of(given),
            **given.of("least most max_atoms"),
        }  # fmt: skip


def _titles(files: Sequence[str]) -> list[str]:
    """What tables are called: as their files, and where two have one name, with their folders. Errors:
    UseError for a file that is given twice."""
    if twice := next((file for i, file in enumerate(files) if file in files[:i]), None):
        raise UseError(f"{twice} is given twice")
    names = [stem(place(file).path) for file in files]
    return [name if names.count(name) == 1 else file for name, file in zip(names, files, strict=True)]


def _printed_rows(session: Session, query: exp.Select, given: Given, where: str = "true") -> int | None:
    """Print an answer: how many of its rows meet a condition; None if only the statement is printed."""
    if given.sql:
        print_sql(session, [query])
        return None
    answer = session.answer(query)
    show(session.con, answer, given.format)
    return int(execute(session.con, count(answer).where(where))[0][0])


def _of_each(option: str, titles: Sequence[str], texts: Sequence[str] | None) -> list[str] | None:
    """The texts of an option about tables, by their names: one for each, in order. Errors: UseError."""
    if texts is None:
        return None
    said: dict[str, str] = {}
    for text in texts:
        title, sign, about = (part.strip() for part in text.partition("="))
        if not sign or title not in titles:
            raise UseError(f"{option} {text}: write TABLE=..., with one of {', '.join(titles)} for TABLE")
        if title in said:
            raise UseError(f"{option} {text}: {title} has one already")
        said[title] = about
    return [said.get(title, "") for title in titles]


def _rules(given: Given) -> dict[str, Any]:
    """Rules as the macros take them. Errors: UseError."""
    shares: list[float | None] | None = None
    if given.dominance is not None:
        try:
            shares = [float(each) if each.strip() else None for each in given.dominance.split(",")]
        except ValueError:
            message = f"--dominance {given.dominance}: write two percentages, such as 75,85"
            raise UseError(message) from None
    rules = {
        **given.of("threshold p response"), "zeros": given.zeros or None, "dominance": shares,
        "q": given.q if given.q != 100 else None,
    }  # fmt: skip
    if all(value is None for name, value in rules.items() if name != "q"):
        raise UseError("give a rule: --threshold, --dominance, --p, --response or --zeros")
    return rules


class _Work:
    """The table of a command, read. value: the column of a published table with its values. may_be_counts: a
    table of counts has them, too, if it is none of rows or cells."""

    def __init__(
        self, session: Session, given: Given, input: str, value: str = "", may_be_counts: bool = False
    ) -> None:
        self.session, self.given, self.input, self.total = session, given, input, total_of(given)
        named = given.dimensions or []
        self.dimensions = named or [ONE_NUMBER]
        self.is_one_number = not named
        for i, name in enumerate(self.dimensions):
            if name.lower() in lower(self.dimensions[:i]):
                raise UseError(f"--dimensions: column {name} is named twice")
        policy: Options = {**given.options, "roles": {"qi": self.dimensions}}
        self.policy: Policy = read_policy(None, policy, INTERSECTION)
        check_inputs(input)
        self.wide = Wide.of(given) if value or may_be_counts else Wide()
        in_column = value or (given.own_counts or "value" if may_be_counts else "")
        is_said = bool(value or (may_be_counts and (given.own_counts or self.wide.columns)))
        values = [*([in_column] if in_column else []), *self.wide.columns]
        roles = self.policy.raw(keep=[*named, *(values if is_said else [])])
        if in_column:
            roles = replace(roles, printed=printed_as(given, named, values, needs_total=not is_said))
        self.source = session.read(input, roles)
        if self.wide.columns:
            self.source = self.wide.made_long(session, self.source, input, in_column)
        columns = column_names(session.con, self.source)
        required = {"--dimensions": named, "--value": [in_column] if is_said else []}
        if is_said:
            check_columns_of_cells(session, self.source, input, in_column, required, named)
        else:
            check_columns(session, self.source, input, required)
        self.has_cells = lower(OF_CELLS) <= lower(columns)
        if value:
            self.source = with_plain_values(session, given, self.source, input, value, named)
        elif may_be_counts and not self.has_cells and self._is_of_counts(in_column, is_said):
            self.source = with_one_total(session, given, self.source, in_column, named)
            counts = call("_cells_of_counts", self.source, named, in_column)
            self.source, self.has_cells = session.make("counts", counts), True
        if self.is_one_number:
            label = exp.Literal.string(self.total if self.has_cells or value else "")
            labelled = exp.Alias(this=label, alias=exp.to_identifier(ONE_NUMBER, quoted=True))
            self.source = session.make("one_number", select(relation(self.source), "*", labelled))
        self.relations = self.policy.relations(self.source, None, is_raw=not value)

    def _is_of_counts(self, column: str, is_said: bool) -> bool:
        """Is it a table of counts? One with totals is. Errors: UseError where nobody has said which column
        has its counts."""
        if self.given.measure is not None or self.given.unit is not None:
            if is_said:
                raise UseError("--value is for a table of counts: leave out --measure and --unit")
            return False
        if is_said:
            return True
        if self.is_one_number:
            return False
        totals = self.given.totals or [TOTAL]
        query = call("_totals_in", self.source, self.dimensions, [*totals], [*TOTALS])
        [(found, likely, are_distinct)] = execute(self.session.con, query)
        has_column = column.lower() in lower(column_names(self.session.con, self.source))
        if not found:
            if likely is not None and are_distinct:
                raise UseError(
                    f"{self.input} has {likely} among its labels, and no two rows of one cell: of a table of "
                    f"counts say --total {shlex.quote(likely)}; of rows of people rename the label"
                )
            if has_column and are_distinct:
                remark(
                    f"{self.input}: its rows are counted, and no two are of one cell; of a table of counts "
                    f"say --value {column}"
                )
            return False
        if not has_column:
            raise UseError(
                f"{self.input} has totals ({', '.join(totals)}), as a table of counts has: say which column "
                "has its counts, such as --value n"
            )
        remark(f"{self.input} has totals: {column} is read as the counts of its cells")
        return True

    def statement(self, macro: str, *arguments: Any, **more: Any) -> exp.Select:
        if self.relations and "hierarchies" in parameters(macro):
            more = {"hierarchies": "hierarchies", **more}
        query = call(macro, *arguments, dimensions=self.dimensions, total=self.total, **more)
        return with_relations(query, self.relations)

    def cells_of_rows(self, linked: list[list[str]] | None = None) -> exp.Select:
        """The cells of rows of people."""
        check_columns(self.session, self.source, self.input, self.given.named("measure unit"))
        tell_of_spellings(
            self.session, self.source, self.input, self.dimensions, so="each is a cell of its own",
            repairs=(MADE_ONE,),
        )  # fmt: skip
        if self.given.unit is None:
            tell_of_units(self.session, self.policy, self.input)
        elif self.is_spread:
            remark(
                f"{self.input}: somebody is in several cells, so totals are no sums of people; tell 'sqlanon "
                "table bounds' so: --overlapping"
            )
        made = self.statement("table_cells", self.source, linked=linked, **self.given.of("measure unit"))
        return self.of_one_number(made)

    @property
    def has_sums(self) -> bool:
        """Are the cells of the input sums, with their largest contributions?"""
        of_largest = count(relation(self.source)).where("largest is not null")
        return self.has_cells and execute(self.session.con, of_largest) != [(0,)]

    def of_cells(self, macro: str, **more: Any) -> exp.Select:
        """What a macro says of the cells: the input's, or those of its rows."""
        cells = self.source if self.has_cells else self.session.make("cells", self.cells_of_rows())
        return self.statement(macro, cells, **more)

    def of_one_number(self, made: exp.Select) -> exp.Select:
        """Cells of rows: of a table without dimensions the total alone."""
        if not self.is_one_number:
            return made
        label = exp.column(ONE_NUMBER, quoted=True)
        return made.where(exp.EQ(this=label, expression=exp.Literal.string(self.total)))

    def without_label(self, query: exp.Select) -> exp.Select:
        """What is shown: a table without dimensions has no labels."""
        if not self.is_one_number:
            return query
        star = exp.Star(except_=[exp.to_identifier(ONE_NUMBER, quoted=True)])
        return exp.Select().select(star).from_(query.subquery())

    @property
    def is_spread(self) -> bool:
        """Is somebody in several of the finest cells, so that totals are no sums of people?"""
        if self.given.unit is None or self.has_cells or self.is_one_number:
            return False
        spread = call("_people_in_several", self.source, self.given.unit, self.dimensions)
        [(people,)] = execute(self.session.con, spread)
        return int(people) > 0

    def in_order(self, query: exp.Select) -> exp.Select:
        """By labels; totals come last."""
        of_total = exp.Literal.string(self.total)
        for name in self.dimensions:
            column = exp.column(name, quoted=True)
            query = query.order_by(exp.EQ(this=column, expression=of_total), column.copy())
        return query

    def printed(self, query: exp.Select) -> exp.Table | None:
        """The answer to a query, which is printed; none if only the statement is."""
        if self.given.sql:
            print_sql(self.session, [self.without_label(query)])
            return None
        answer = self.session.answer(self.in_order(query))
        shown = answer
        if self.is_one_number:
            self.session.make("shown", self.without_label(select(answer)))
            shown = exp.to_table("shown")
        show(self.session.con, shown, self.given.format)
        return answer

    def write(self, query: exp.Select) -> None:
        """Write the rows of a query, or print them, or their statement."""
        query, output = self.without_label(self.in_order(query)), self.given.output
        outputs = Outputs(self.given, None if output is None else place(output))
        if getattr(self.given, "sql", False):
            outputs.print_sql(self.session, query)
        else:
            answer = self.session.answer(query)
            leaving = self.session.make("leaving", with_types_of_sums(self.session.con, answer.name))
            outputs.deliver(self.session, exp.to_table(leaving))
