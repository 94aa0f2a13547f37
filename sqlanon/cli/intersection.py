"""What the intersection attack prints, besides its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import duckdb
import typer
from sqlglot import exp, parse_one

from sqlanon.attack.intersection import LOCATED, assumption
from sqlanon.attack.known import Known
from sqlanon.attack.two_readings import remark_of, remark_on_lists
from sqlanon.cli.app import BAD_DATA
from sqlanon.cli.options import Given
from sqlanon.core.files import column_names
from sqlanon.core.printing import SHOWN, Format, format_of, show
from sqlanon.core.remarks import remark
from sqlanon.core.statements import call, count, execute, select


def show_intersection(con: duckdb.DuckDBPyConnection, known: Known, answer: exp.Table, given: Given) -> None:
    """Say what is assumed, and print the rows of the answer or of its summary."""
    assumed = assumption(len(known.releases), known.sensitive, known.unchanged, known.values_may_change)
    if assumed:
        remark(assumed)
    if given.summary:
        _show_summary(con, answer, given.format)
    else:
        counted = "people" if known.unit is None and known.weight is None else "rows"
        _show_targets(con, answer, known.id or "", counted, given.format)


def tell_of_intersection(
    con: duckdb.DuckDBPyConnection, known: Known, answer: exp.Table, summary: bool,
    wrap: Callable[[exp.Select], exp.Select],
) -> None:  # fmt: skip
    """Say what makes it tell too little, or something wrong. wrap: adds relations that it reads."""
    by_rows = len(known.releases) > 1 and (len(known.sensitive) > 1 or bool(known.unchanged))
    _tell_contradictions(con, answer, summary, by_rows)
    called = {table: release for release, table in known.releases.items()}
    _tell_unshared(execute(con, call("unshared_values", list(called), list(known.sensitive))), called)
    for said in filter(None, [*remark_on_lists(con, known), remark_of(con, known, wrap)]):
        remark(said)


def refuse_nobody(con: duckdb.DuckDBPyConnection, answer: exp.Table, summary: bool) -> None:
    """Nobody found is bad data."""
    if not _is_anybody_located(con, answer, summary):
        remark("nobody is located in all the releases that they are in: what is told of them is no all-clear")
        raise typer.Exit(BAD_DATA)


def _show_targets(
    con: duckdb.DuckDBPyConnection, answer: exp.Table, id: str, counted: str, format: Format | None
) -> None:
    """Print the rows; for people the answer in words, and of each row what is narrow enough to be read."""
    if format_of(format) is not Format.table:
        show(con, answer, format)
        return
    narrow = select(
        answer, exp.column(id, quoted=True), "sensitive", "prior", "posterior",
        "list_extract(candidates, 1) as guess", "round(list_extract(probabilities, 1), 3) as probability",
    )  # fmt: skip
    has_certain = "certain" in column_names(con, answer.name)  # what one of somebody's rows must have
    if has_certain:
        narrow = narrow.select("certain")
    words = call("_targets_in_words", answer.name, counted)
    [(rows,)] = execute(con, count(answer))
    if rows > SHOWN:  # then the people come first whose values are surest
        surest = ["coalesce(len(certain), 0) desc"] if has_certain else []
        surest += ["posterior = 0", "probability desc"]
        narrow = narrow.order_by(*surest, exp.column(id, quoted=True))
        remark("those come first of whom an adversary is surest")
    show(con, narrow.subquery(), format, words=words, has_measures=False)
    remark("--format csv, json or markdown prints all candidates, and where they are from")


def _show_summary(con: duckdb.DuckDBPyConnection, answer: exp.Table, format: Format | None) -> None:
    """Print the rows; for people the answer in words, and the measures that these are about."""
    if format_of(format) is not Format.table:
        show(con, answer, format)
        return
    words = call("_breaches_in_words", answer.name)
    show(con, call("_breaches_in_short", answer.name).subquery(), format, words=words)
    [(measures,)] = execute(con, count(answer))
    remark(f"the measures in words; --format csv, json or markdown prints all {measures}")


def _is_anybody_located(con: duckdb.DuckDBPyConnection, answer: exp.Table, summary: bool) -> bool:
    """Is one of the targets located in all the releases that they are in?"""
    if summary:
        located = select(answer, "bool_or(value > 0)").where("id = 'located_in_all'")
    else:
        anybody = parse_one(LOCATED, dialect="duckdb")
        assert isinstance(anybody, exp.Expression)
        located = select(answer, anybody)
    [(found,)] = execute(con, located)
    return bool(found)


def _tell_contradictions(
    con: duckdb.DuckDBPyConnection, answer: exp.Table, summary: bool, by_rows: bool
) -> None:
    """Say that of some people no value is left, or no row: what is 0 % certain then is no all-clear."""
    what = "row" if by_rows else "value"
    if summary:
        left = select(answer, "sensitive", "value / 100").where("id = 'contradictions'")
    else:
        has_column = "contradiction" in column_names(con, answer.name)
        contradicted = "contradiction" if has_column else "(posterior = 0)"
        left = select(answer, "sensitive", f"avg({contradicted}::integer)").group_by("sensitive")
    for column, share in execute(con, left):
        if share:
            remark(
                f"{column}: for {100 * share:.4g} % of the targets no {what} is possible: they are not in "
                "all releases, were not located rightly, or the releases have different values. What is "
                f"certain says {'too little' if by_rows else 'nothing'} about them: this is no all-clear"
            )


def _tell_unshared(unshared: Sequence[tuple[str, str, str, str]], names: Mapping[str, str]) -> None:
    """Say which releases have no sensitive value in common."""
    for column, one, other, why in unshared:
        remark(
            f"{column}: {names[one]} and {names[other]} share no value ({why}): "
            "together they leave nothing for anybody"
        )
