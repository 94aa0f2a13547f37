"""The four questions about a release of any kind, each attack as a statement of its own: in one statement
with all of them DuckDB spends most of the time on planning (sql/attack/four_questions.sql)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any

import duckdb

from sqlanon.attack.intersection import warn_of_unread
from sqlanon.core.answer import Names
from sqlanon.core.library import ensure_registered
from sqlanon.core.source import Source, fresh_name, named, names


def answered(
    con: duckdb.DuckDBPyConnection,
    macro: str,
    release: Source,
    original: Source,
    *,
    columns: Names | None,
    held_out: Source,
    sensitive: Names | None,
    hierarchies: Source,
    sample: int,
    comparisons: int,
) -> duckdb.DuckDBPyRelation:
    """The answer of four_questions, over a temporary table that stays as long as the connection.

    Warns (UnreadWarning) of values that nobody understands.
    """
    from sqlglot import exp  # which is slow to import

    from sqlanon.core import statements
    from sqlanon.core.statements import call, execute, literal

    ensure_registered(con)
    known = names(columns, "columns") or []
    with ExitStack() as stack:

        def name(source: Source) -> str | None:
            return None if source is None else stack.enter_context(named(con, source))

        rows = rows_of_questions(
            con, name(release), name(original), name(held_out), known, names(sensitive, "sensitive") or [],
            name(hierarchies), sample, comparisons,
        )  # fmt: skip
        made = statements.table(fresh_name(macro))
        execute(con, statements.create(made, call("_no_answers"), temporary=True))
        tuples = [exp.Tuple(expressions=[literal(value) for value in row]) for row in rows]
        execute(con, exp.insert(exp.Values(expressions=tuples), made))
    about = {"qi": known, "hierarchies": hierarchies, "of_any_kind": True}
    warn_of_unread(con, [release], original, about, True)
    return statements.answer(con, statements.select(made))


def rows_of_questions(
    con: duckdb.DuckDBPyConnection,
    release: str | None,
    original: str | None,
    held_out: str | None,
    columns: Sequence[str],
    sensitive: Sequence[str],
    hierarchies: str | None,
    sample: int,
    comparisons: int,
    progress: Callable[[float, str], None] = lambda done, message: None,
) -> list[tuple[Any, ...]]:
    """The rows of four_questions. Tables are names."""
    from sqlanon.core.statements import call, execute, scalar, select
    from sqlanon.core.tables import WorkTables

    known, guessed = list(columns), list(sensitive) or list(columns)
    controls = [] if held_out is None else ["_sqlanon_out"]
    for check, arguments in (
        ("_questions_checked", (known, list(sensitive))), ("_whole_given", (sample, "sample")),
        ("_comparisons", (comparisons,)),
    ):  # fmt: skip
        execute(con, scalar(check, *arguments))
    with WorkTables(con) as work:
        people = work.make("people_of_both", call("_people_of_both", original, held_out, known, sample)).name
        asking = scalar(
            "_questions_asked", release, people, known, guessed, hierarchies, comparisons, controls
        )
        [(texts,)] = execute(con, asking)
        rows: list[tuple[Any, ...]] = []
        for place, text in enumerate(texts):
            progress(place / (len(texts) + 1), f"question {place + 1}")
            rows += execute(con, text)
        if controls:
            found = work.make("found", call(
                "membership", release, people, "_sqlanon_person", known, controls[0], hierarchies, comparisons
            ))  # fmt: skip
            of_membership = select(call("_question_of_membership", found.name).subquery(), "*")
            rows += execute(con, of_membership.where("people is not null"))
    return rows
