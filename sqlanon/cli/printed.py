"""Tables as people print them, as options say how they are read: categories in columns, marks of hidden
cells and of totals, texts that mean 0 (sql/tables/tables_as_printed.sql)."""

import ast
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from sqlanon.cli.options import Given
from sqlanon.cli.steps import check_columns
from sqlanon.cli.values import assignment_in, names_in
from sqlanon.core.comments import parameters
from sqlanon.core.errors import InputError, SqlanonError, UseError
from sqlanon.core.files import Session, column_names
from sqlanon.core.remarks import remark
from sqlanon.core.source import fresh_name, lower
from sqlanon.core.statements import call, execute
from sqlanon.core.text_files import Printed

TOTAL = "total"


# Messages of macros write what to give as SQL has it, `name := value`. Options that are called otherwise:
PARAMETER = re.compile(r"\b(\w+) := ('[^']*'|\[[^\]]*\]|[\w.]+)")
AS_OPTIONS = {
    "additive": "--overlapping", "whole": "--sums", "solver_seconds": "--seconds",
}  # fmt: skip


@contextmanager
def session_of_tables() -> Iterator[Session]:
    """A session in which messages of macros name parameters as the command line does."""
    try:
        with Session() as session:
            yield session
    except SqlanonError as error:
        message = str(getattr(error, "message", error))
        in_options = PARAMETER.sub(_as_option, message)
        if in_options == message:
            raise
        raise InputError(in_options) from error


def _as_option(found: re.Match[str]) -> str:
    """A parameter and its value, as the command line takes them."""
    name, value = found.groups()
    value = "''" if value == "NULL" else value
    option = AS_OPTIONS.get(name, f"--{name.replace('_', '-')}")
    return option if value in ("true", "false", "[...]") else f"{option} {value}"


def total_of(given: Given) -> str:
    """The mark of totals, of which there is one where a table may have several."""
    if not hasattr(given, "totals"):
        return str(given.total)
    return next(filter(None, given.totals or ()), TOTAL)


def marks_of(given: Given) -> list[str] | None:
    """The marks of hidden cells: what is given adds to the macros' own."""
    if not given.marks:
        return None
    own = ast.literal_eval(str(parameters("cell_bounds")["marks"].default))
    return [*own, *given.marks]


def printed_as(given: Given, dimensions: Sequence[str], values: Sequence[str], **more: bool) -> Printed:
    """How a table is found in a file that may have more in it."""
    return Printed(dimensions, values, given.totals or [TOTAL], **more)


@dataclass(frozen=True)
class Wide:
    """The columns of a table that are categories of a dimension, if it has any."""

    dimension: str = ""
    columns: Sequence[str] = ()

    @classmethod
    def of(cls, given: Given) -> "Wide":
        """Errors: UseError."""
        if given.wide is None:
            return cls()
        dimension, text = assignment_in("--wide", given.wide, "DIMENSION=COLUMNS, as in sex=f,m,total")
        named = vars(given).get("dimensions", vars(given).get("all_dimensions"))
        if dimension.lower() not in lower(named or ()):
            raise UseError(f"--wide {given.wide}: name {dimension} in --dimensions, too")
        return cls(dimension, names_in("--wide", [text]))

    def made_long(self, session: Session, source: str, input: str, value: str) -> str:
        """The table with a row for each of these columns."""
        columns = column_names(session.con, source)
        check_columns(session, source, input, {"--wide": self.columns})
        if taken := lower(columns) & lower([self.dimension, value]):
            raise UseError(f"--wide: {input} has a column {min(taken)} already")
        long = call("_long_table", source, [*self.columns], self.dimension, value)
        return session.make(fresh_name("long"), long)


def check_columns_of_cells(
    session: Session, source: str, input: str, value: str, named: Mapping[str, Sequence[str]],
    dimensions: Sequence[str],
) -> None:  # fmt: skip
    """Are columns in a table that has its values in one? Errors: UseError, which says what to do if it has a
    column for each category."""
    columns = column_names(session.con, source)
    try:
        check_columns(session, source, input, named)
    except UseError as error:
        others = [name for name in columns if name.lower() not in lower([*dimensions, value, "column0"])]
        if value.lower() in lower(columns) or len(others) < 2:
            raise
        lacking = [name for name in dimensions if name.lower() not in lower(columns)]
        dimension = (lacking or ["category"])[-1]
        wide = shlex.quote(f"{dimension}={','.join(others)}")
        by = "" if lacking else f" --dimensions {','.join([*dimensions, dimension])}"
        raise UseError(
            f"{error}. If some columns are categories, with a value in each, name these:{by} --wide {wide}"
        ) from error


def with_plain_values(
    session: Session, given: Given, source: str, input: str, value: str, dimensions: Sequence[str]
) -> str:
    """A published table in which nil is 0, and one text marks totals. Errors: UseError for dashes of which
    nobody has said what they mean."""
    nil, marks = given.nil or [], given.marks or []
    if both := {*nil} & {*marks}:
        raise UseError(f"--nil and --marks: {min(both)} cannot be 0 and hidden")
    question = call("_values_in_question", source, value, [*nil, *marks])
    [(dashes, dash, bracketed)] = execute(session.con, question)
    if dashes:
        raise UseError(
            f"{input}: {value} has {dash} in {dashes:,} of its rows, which means 0 in some tables and a "
            f"hidden value in others: say --nil={dash} or --marks={dash}"
        )
    if bracketed:
        remark(
            f"{input}: {value} has numbers with something in brackets behind them ({bracketed:,}), which is "
            "not read: percentages can tell more than the numbers do"
        )
    return with_one_total(session, given, source, value, dimensions, nil)


def with_one_total(
    session: Session, given: Given, source: str, value: str, dimensions: Sequence[str],
    nil: Sequence[str] = (),
) -> str:  # fmt: skip
    """A published table in which one text marks totals, and none means nil."""
    totals = [*(given.totals or [])]
    total_marks = totals if len(totals) > 1 or "" in totals else None
    if not nil and total_marks is None:
        return source
    there = [name for name in dimensions if name.lower() in lower(column_names(session.con, source))]
    plain = call(
        "_with_nil_and_totals", source, there, value, [*nil], total_marks and [*total_marks], total_of(given)
    )
    return session.make(fresh_name("plain"), plain)
