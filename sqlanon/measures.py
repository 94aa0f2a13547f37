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
    from sqlanon import statements  # with sqlglot, which is slow to import

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
        query = statements.call(macro, *map(name, sources), **others, **parameters)
        made = statements.table(fresh_name(macro))
        statements.execute(con, statements.create(made, query, temporary=True))
    return statements.answer(con, statements.select(made))


def classes(
    con: duckdb.DuckDBPyConnection, source: Source, qi: Names, unit: str | None = None
) -> duckdb.DuckDBPyRelation:
    """One row per equivalence class: class_id, the columns in qi, size; with the column that says whose a row is, people."""
    return _answer(con, "classes", source, qi=names(qi, "qi"), unit=unit)


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
    released: bool | None = None,
    unit: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """What a table reaches, a row per model and sensitive column: model, sensitive, reached, size, class.

    unit: the column that says whose a row is; then people are counted, and those of the class are a column, too.
    """
    return _answer(
        con, "privacy", source, qi=names(qi, "qi"), sensitive=names(sensitive, "sensitive"), hierarchies=hierarchies,
        population=population, reference=reference, l=l, suppressed=suppressed, released=released, unit=unit,
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
    released: bool | None = None,
    unit: str | None = None,
    **requirements: Unpack[Requirements],
) -> duckdb.DuckDBPyRelation:
    """The classes that violate a requirement: model, sensitive, required, reached, size, class; best none.

    unit: as in `privacy`.
    """
    return _answer(
        con, "violations", source, qi=names(qi, "qi"), sensitive=names(sensitive, "sensitive"), hierarchies=hierarchies,
        population=population, reference=reference, suppressed=suppressed, released=released, unit=unit,
        **complete(requirements),
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
    unit: str | None = None,
    **requirements: Unpack[Requirements],
) -> duckdb.DuckDBPyRelation:
    """The generalization lattice, a row per point: levels, height, classes, smallest, suppressed, and measures.

    weights, min_levels, max_levels: by column name, or as lists in the order of qi, as in `sqlanon.optimal`.
    """
    return _answer(
        con, "lattice", source, qi=names(qi, "qi"), sensitive=names(sensitive, "sensitive"), hierarchies=hierarchies,
        population=population, weights=in_order(weights, qi, "weights", 1.0),
        min_levels=in_order(min_levels, qi, "min_levels", 0), max_levels=in_order(max_levels, qi, "max_levels", None),
        gs_factor=gs_factor, unit=unit, **complete(requirements),
    )  # fmt: skip


def risk(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    qi: Names,
    hierarchies: Source = None,
    *,
    population: Source = None,
    threshold: float = 0.2,
    fraction: float | None = None,
    released: bool | None = None,
    unit: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """How likely records are re-identified, one row per measure: measure, value, unit; shares are from 0 to 1.

    threshold: the risk above which records are counted. fraction: the share of the population that the table is a
    sample of; with it population uniques are estimated. unit: the column that says whose a row is; then people are counted.
    """
    return _answer(
        con, "risk", source, qi=names(qi, "qi"), hierarchies=hierarchies, population=population,
        threshold=threshold, fraction=fraction, released=released, unit=unit,
    )  # fmt: skip


def record_risk(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    qi: Names,
    keep: Names | None = None,
    hierarchies: Source = None,
    *,
    population: Source = None,
    released: bool | None = None,
    unit: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """The risk of every record: the columns in qi and keep, size, prosecutor_risk; people, journalist_risk.

    unit: the column that says whose a row is; then people are those of the class.
    """
    return _answer(
        con, "record_risk", source, qi=names(qi, "qi"), keep=names(keep, "keep"), hierarchies=hierarchies,
        population=population, released=released, unit=unit,
    )  # fmt: skip


def minimal_uniques(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    id: str | None = None,
    *,
    max_size: int = 3,
) -> duckdb.DuckDBPyRelation:
    """The minimal sample uniques, a row per record and set of columns: id, columns, size, unique_values."""
    return _answer(
        con, "minimal_uniques", source, columns=names(columns, "columns"), id=id, max_size=max_size
    )


def suda(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    id: str,
    *,
    max_size: int = 3,
    fraction: float | None = None,
) -> duckdb.DuckDBPyRelation:
    """How special every record is: id, size, uniques, score, dis_score (with the fraction of a sample)."""
    return _answer(
        con, "suda", source, columns=names(columns, "columns"), id=id, max_size=max_size, fraction=fraction
    )


def quasi_identifiers(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names | None = None,
    *,
    max_size: int = 3,
    sample: int | None = None,
    seed: int = 1,
) -> duckdb.DuckDBPyRelation:
    """How well sets of columns tell rows apart: columns, size, combinations, distinction, separation.

    columns: all, if none are named. sample: look at so many rows; then ranges are added that hold for the table.
    """
    return _answer(
        con, "quasi_identifiers", source, columns=names(columns, "columns"), max_size=max_size, sample=sample,
        seed=seed,
    )  # fmt: skip


def locate(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    targets: Source,
    id: str,
    qi: Names,
    hierarchies: Source = None,
    nearest: bool = False,
) -> duckdb.DuckDBPyRelation:
    """The classes of a release that cover each target, or the one with the nearest centroid: id, class_id, size."""
    return _answer(
        con, "locate", release, targets, id=id, qi=names(qi, "qi"), hierarchies=hierarchies, nearest=nearest
    )


def _of_centroids(nearest: bool | Iterable[bool]) -> bool | list[bool]:
    return nearest if isinstance(nearest, bool) else list(nearest)


def intersection_attack(
    con: duckdb.DuckDBPyConnection,
    releases: Iterable[Source],
    targets: Source,
    id: str,
    qi: Names,
    sensitive: Names,
    hierarchies: Source = None,
    truth: Names | None = None,
    nearest: bool | Iterable[bool] = False,
    presence: Names | None = None,
    exact_cover: bool = False,
    unit: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """What several releases tell together, a row per target and sensitive column: id, sensitive, prior, posterior,
    candidates and more.

    nearest: are all releases, or which of them, of centroids? presence: the columns of the targets, one per release,
    that say who is in it. exact_cover: remove what other targets must have. unit: the column of the targets that says
    whose a row is.
    """
    return _answer(
        con, "intersection_attack", list(releases), targets, id=id, qi=names(qi, "qi"), sensitive=names(sensitive, "sensitive"),
        hierarchies=hierarchies, truth=names(truth, "truth"), nearest=_of_centroids(nearest),
        presence=names(presence, "presence"), exact_cover=exact_cover, unit=unit,
    )  # fmt: skip


def breaches(
    con: duckdb.DuckDBPyConnection,
    releases: Iterable[Source],
    targets: Source,
    id: str,
    qi: Names,
    sensitive: Names,
    hierarchies: Source = None,
    truth: Names | None = None,
    levels: Iterable[float] = (100, 50, 25, 10),
    nearest: bool | Iterable[bool] = False,
    presence: Names | None = None,
    exact_cover: bool = False,
    unit: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """The attack over all targets, a row per sensitive column and measure: sensitive, measure, value, unit, low, high.

    levels: confidences in percent. unit: the column of the targets that says whose a row is; then people are counted.
    """
    return _answer(
        con, "breaches", list(releases), targets, id=id, qi=names(qi, "qi"), sensitive=names(sensitive, "sensitive"),
        hierarchies=hierarchies, truth=names(truth, "truth"), levels=list(levels), nearest=_of_centroids(nearest),
        presence=names(presence, "presence"), exact_cover=exact_cover, unit=unit,
    )  # fmt: skip


def disclosure(
    con: duckdb.DuckDBPyConnection,
    original: Source,
    release: Source,
    id: str,
    columns: Names,
    within: float = 0.05,
) -> duckdb.DuckDBPyRelation:
    """What a perturbed release leaves unchanged or near the true values, a row per column and one for all of them:
    attribute, rows, unchanged, near, at_bottom, at_top."""
    return _answer(
        con, "disclosure", original, release, id=id, columns=names(columns, "columns"), within=within
    )  # fmt: skip


def record_linkage(
    con: duckdb.DuckDBPyConnection, original: Source, release: Source, id: str, columns: Names
) -> duckdb.DuckDBPyRelation:
    """How many released rows are nearest to their own original, in one row: rows, linked, share, guess."""
    return _answer(con, "record_linkage", original, release, id=id, columns=names(columns, "columns"))


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
