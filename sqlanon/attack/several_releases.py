"""Attacks on several releases together, and what they warn of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import duckdb

from sqlanon.attack.intersection import LOCATED, about_labels, for_each, warn_of_unread, with_programs
from sqlanon.core.answer import answer
from sqlanon.core.errors import UnreadWarning
from sqlanon.core.remarks import warn
from sqlanon.core.source import Source


def warning_by_release(
    con: duckdb.DuckDBPyConnection, macro: str, releases: list[Source], targets: Source, **parameters: Any
) -> duckdb.DuckDBPyRelation:
    """The answer of the intersection attack, or what it sums up to.

    Warns (UnreadWarning) of labels that nobody understands, where nobody is located in all releases, of rows
    with several values, and of people who have other candidates if values that are spelled alike are one.
    """
    run = with_programs if parameters["exact_cover"] else answer
    found = run(con, macro, releases, targets, **parameters)
    unread = True
    _warn_of_values(con, releases, targets, parameters)
    if macro == "breaches":
        measured = dict(found.project("measure, value").fetchall())
        anybody, unread = measured["located in all releases"] > 0, measured["rows with unread labels"] > 0
    else:
        [(anybody,)] = found.aggregate(LOCATED).fetchall()
    passed = for_each(parameters["nearest"], releases)
    warn_of_unread(con, releases if unread else [], targets, about_labels(parameters), bool(anybody), passed)
    return found


def _warn_of_values(
    con: duckdb.DuckDBPyConnection, releases: list[Source], targets: Source, parameters: Mapping[str, Any]
) -> None:
    """Warn of rows with several values, and of people who have other candidates if spellings are one
    value."""
    from contextlib import ExitStack

    from sqlanon.attack.known import Known  # with sqlglot, which is slow to import
    from sqlanon.attack.lacking import left_out
    from sqlanon.attack.two_readings import remark_of, remark_on_lists
    from sqlanon.core.source import named

    with ExitStack() as stack:
        roles = (
            "qi sensitive id hierarchies truth controls nearest presence unit weight negations priors "
            "priors_by unchanged values_may_change distinct_spellings formats unknown parameters"
        )
        given = {name: parameters.get(name) for name in roles.split()}
        given |= {"targets": targets, "nearest": given["nearest"] or False}
        known = Known.of(
            given, {f"release {i}": each for i, each in enumerate(releases, 1)},
            lambda source, role: stack.enter_context(named(con, source)),
        )  # fmt: skip
        for said in filter(
            None, [*left_out(con, known), *remark_on_lists(con, known), remark_of(con, known)]
        ):
            warn(said, UnreadWarning)
