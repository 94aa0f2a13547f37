"""The measuring and attacking macros as functions, with any kind of source.

Each answer is a relation over a temporary table that holds the rows: it can be read again, filtered and
joined, and stays as it is as long as the connection. Parameters and rows are those of the macro with the same
name. Errors: InputError, SqlError.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any

import duckdb

from sqlanon.library import ensure_registered
from sqlanon.source import Source, fresh_name, named, names

Names = str | Iterable[str]


def _answer(
    con: duckdb.DuckDBPyConnection,
    macro: str,
    *sources: Source | list[Source],
    hierarchies: Source = None,
    **parameters: Any,
) -> duckdb.DuckDBPyRelation:
    """Bring the sources in under names, call the macro on them, and keep its rows."""
    from sqlanon.statements import call, create, execute, table  # with sqlglot, which is slow to import

    ensure_registered(con)
    with ExitStack() as stack:

        def name(source: Source) -> Any:
            if source is None:
                return None
            if isinstance(source, list):
                return [name(each) for each in source]
            return stack.enter_context(named(con, source))

        query = call(macro, *map(name, sources), hierarchies=name(hierarchies), **parameters)
        answer = fresh_name(macro)
        execute(con, create(table(answer), query, temporary=True))
    return con.table(answer)


def classes(con: duckdb.DuckDBPyConnection, source: Source, qi: Names) -> duckdb.DuckDBPyRelation:
    """One row per equivalence class: class_id, the columns in qi, size."""
    return _answer(con, "classes", source, qi=names(qi, "qi"))


def privacy(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    qi: Names,
    sensitive: Names | None = None,
    hierarchies: Source = None,
    l: int = 2,
) -> duckdb.DuckDBPyRelation:
    """What a table reaches, a row per model and sensitive column: model, sensitive, reached, size, class."""
    chosen = {"qi": names(qi, "qi"), "sensitive": names(sensitive, "sensitive")}
    return _answer(con, "privacy", source, **chosen, hierarchies=hierarchies, l=l)


def violations(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    qi: Names,
    sensitive: Names | None = None,
    hierarchies: Source = None,
    *,
    k: int | None = None,
    l: int | None = None,
    entropy_l: float | None = None,
    recursive_c: float | None = None,
    alpha: float | None = None,
    t: float | None = None,
    t_distance: str = "equal",
    beta: float | None = None,
    enhanced_beta: float | None = None,
    delta_disclosure: float | None = None,
) -> duckdb.DuckDBPyRelation:
    """The classes that violate a requirement: model, sensitive, required, reached, size, class; best none."""
    return _answer(
        con, "violations", source, qi=names(qi, "qi"), sensitive=names(sensitive, "sensitive"),
        hierarchies=hierarchies, k=k, l=l, entropy_l=entropy_l, recursive_c=recursive_c, alpha=alpha, t=t,
        t_distance=t_distance, beta=beta, enhanced_beta=enhanced_beta, delta_disclosure=delta_disclosure,
    )  # fmt: skip


def locate(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    targets: Source,
    id: str,
    qi: Names,
    hierarchies: Source = None,
) -> duckdb.DuckDBPyRelation:
    """The classes of a release that cover each target: id, class_id, size."""
    return _answer(con, "locate", release, targets, id=id, qi=names(qi, "qi"), hierarchies=hierarchies)


def intersection_attack(
    con: duckdb.DuckDBPyConnection,
    releases: Iterable[Source],
    targets: Source,
    id: str,
    qi: Names,
    sensitive: str,
    hierarchies: Source = None,
    truth: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """What several releases tell together, a row per target: id, prior, posterior, candidates and more."""
    return _answer(
        con, "intersection_attack", list(releases), targets, id=id, qi=names(qi, "qi"), sensitive=sensitive,
        hierarchies=hierarchies, truth=truth,
    )  # fmt: skip


def breaches(
    con: duckdb.DuckDBPyConnection,
    releases: Iterable[Source],
    targets: Source,
    id: str,
    qi: Names,
    sensitive: str,
    hierarchies: Source = None,
    truth: str | None = None,
    levels: Iterable[float] = (100, 50, 25, 10),
) -> duckdb.DuckDBPyRelation:
    """The attack over all targets, one row per measure: measure, value, unit. levels: confidences in percent."""
    return _answer(
        con, "breaches", list(releases), targets, id=id, qi=names(qi, "qi"), sensitive=sensitive,
        hierarchies=hierarchies, truth=truth, levels=list(levels),
    )  # fmt: skip
