"""The measuring and attacking macros as functions, with any kind of source.

Each answer is a relation over a temporary table that holds the rows: it can be read again, filtered and
joined, and stays as it is as long as the connection. Parameters and rows are those of the macro with the same
name. Errors: InputError, SqlError.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any, Unpack

import duckdb

from sqlanon.full_domain import Levels, Weights, in_order
from sqlanon.library import ensure_registered
from sqlanon.requirements import Requirements, complete
from sqlanon.source import Source, fresh_name, named, names

Names = str | Iterable[str]


def _answer(
    con: duckdb.DuckDBPyConnection,
    macro: str,
    *sources: Source | list[Source],
    hierarchies: Source = None,
    population: Source = None,
    reference: Source = None,
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

        others = {
            "hierarchies": name(hierarchies),
            "population": name(population),
            "reference": name(reference),
        }
        query = call(macro, *map(name, sources), **others, **parameters)
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
    *,
    population: Source = None,
    reference: Source = None,
    suppressed: str = "value",
) -> duckdb.DuckDBPyRelation:
    """What a table reaches, a row per model and sensitive column: model, sensitive, reached, size, class."""
    return _answer(
        con, "privacy", source, qi=names(qi, "qi"), sensitive=names(sensitive, "sensitive"), hierarchies=hierarchies,
        population=population, reference=reference, l=l, suppressed=suppressed,
    )  # fmt: skip


def violations(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    qi: Names,
    sensitive: Names | None = None,
    hierarchies: Source = None,
    *,
    population: Source = None,
    reference: Source = None,
    suppressed: str = "value",
    **requirements: Unpack[Requirements],
) -> duckdb.DuckDBPyRelation:
    """The classes that violate a requirement: model, sensitive, required, reached, size, class; best none."""
    return _answer(
        con, "violations", source, qi=names(qi, "qi"), sensitive=names(sensitive, "sensitive"), hierarchies=hierarchies,
        population=population, reference=reference, suppressed=suppressed, **complete(requirements),
    )  # fmt: skip


def lattice(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    qi: Names,
    sensitive: Names | None = None,
    hierarchies: Source = None,
    *,
    population: Source = None,
    weights: Weights | None = None,
    min_levels: Levels | None = None,
    max_levels: Levels | None = None,
    gs_factor: float = 0.5,
    **requirements: Unpack[Requirements],
) -> duckdb.DuckDBPyRelation:
    """The generalization lattice, a row per point: levels, height, classes, smallest, suppressed, and measures.

    weights, min_levels, max_levels: by column name, or as lists in the order of qi, as in `sqlanon.optimal`.
    """
    return _answer(
        con, "lattice", source, qi=names(qi, "qi"), sensitive=names(sensitive, "sensitive"), hierarchies=hierarchies,
        population=population, weights=in_order(weights, qi, "weights", 1.0),
        min_levels=in_order(min_levels, qi, "min_levels", 0), max_levels=in_order(max_levels, qi, "max_levels", None),
        gs_factor=gs_factor, **complete(requirements),
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


def utility(
    con: duckdb.DuckDBPyConnection,
    original: Source,
    release: Source,
    qi: Names,
    sensitive: Names | None = None,
    hierarchies: Source = None,
    *,
    k: int | None = None,
    id: str | None = None,
    queries: int = 1000,
    seed: int = 1,
) -> duckdb.DuckDBPyRelation:
    """What a release has lost, a row per measure and column: measure, attribute, value, unit."""
    return _answer(
        con, "utility", original, release, qi=names(qi, "qi"), sensitive=names(sensitive, "sensitive"), hierarchies=hierarchies,
        k=k, id=id, queries=queries, seed=seed,
    )  # fmt: skip
