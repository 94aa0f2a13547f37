"""What a table discloses by the privacy models: classes, what they reach, and which violate a requirement.

Parameters and rows are those of the macros with the same names; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

import duckdb

from sqlanon.core.answer import Names, answer
from sqlanon.core.by_column import Levels, Weights, in_order
from sqlanon.core.connection import connection_first
from sqlanon.core.requirements import Requirements, complete
from sqlanon.core.source import Source, names


@connection_first
def classes(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    qi: Names,
    unit: str | None = None,
    weight: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """One row per equivalence class: class_id, the columns in qi, size; with a unit, also people.

    weight: the column of a table of counts that says how many people each row stands for.
    """
    return answer(con, "classes", source, qi=names(qi, "qi"), unit=unit, weight=weight)


@connection_first
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
    weight: str | None = None,
    population_weight: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """What a table reaches, a row per model and sensitive column: model, sensitive, reached, size, class.

    unit: the column that says whose a row is; then people are counted, and those of the class are a column,
    too. With a population these are the people of it in the class; whoever is in none has presence 0.
    weight, population_weight: the columns of tables of counts that say how many people each row stands for.
    """
    return answer(
        con, "privacy", source, qi=names(qi, "qi"), sensitive=names(sensitive, "sensitive"),
        hierarchies=hierarchies,
        population=population, reference=reference, l=l, suppressed=suppressed, released=released, unit=unit,
        weight=weight, population_weight=population_weight,
    )  # fmt: skip


@connection_first
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
    weight: str | None = None,
    population_weight: str | None = None,
    known: Sequence[Source] | None = None,
    presence: Names | None = None,
    unchanged: Names | None = None,
    **requirements: Unpack[Requirements],
) -> duckdb.DuckDBPyRelation:
    """The classes that violate a requirement: model, sensitive, required, reached, size, class; best none.

    unit, weight, population: as in `privacy`. With dmin above 0 people in no class violate it, too, with
    size 0. known: the releases that are out already, for composed_l; it needs reference, the raw rows, of
    which presence names the columns that say who is in which of these. unchanged: further columns of the
    release that known ones have, too, by which an adversary joins rows.
    """
    return answer(
        con, "violations", source, qi=names(qi, "qi"), sensitive=names(sensitive, "sensitive"),
        hierarchies=hierarchies,
        population=population, reference=reference, suppressed=suppressed, released=released, unit=unit,
        weight=weight, population_weight=population_weight, known=known,
        presence=names(presence, "presence"), unchanged=names(unchanged, "unchanged"),
        **complete(requirements),
    )  # fmt: skip


@connection_first
def wildcard_frequencies(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    qi: Names,
    suppressed: str = "*",
    weight: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """How many rows each combination has where a suppressed cell may be any value, as mu-Argus counts: the
    columns in qi, and what the macro tells of each.
    """
    return answer(
        con, "wildcard_frequencies", source, qi=names(qi, "qi"), suppressed=suppressed, weight=weight
    )


@connection_first
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
    known: Sequence[Source] | None = None,
    presence: Names | None = None,
    **requirements: Unpack[Requirements],
) -> duckdb.DuckDBPyRelation:
    """The generalization lattice, a row per point: levels, height, classes, smallest, suppressed, measures.

    weights, min_levels, max_levels: by column name, or as lists in the order of qi, as in `sqlanon.optimal`.
    """
    return answer(
        con, "lattice", source, qi=names(qi, "qi"), sensitive=names(sensitive, "sensitive"),
        hierarchies=hierarchies,
        population=population, known=known, presence=names(presence, "presence"),
        weights=in_order(weights, qi, "weights", 1.0),
        min_levels=in_order(min_levels, qi, "min_levels", 0),
        max_levels=in_order(max_levels, qi, "max_levels", None),
        gs_factor=gs_factor, unit=unit, **complete(requirements),
    )  # fmt: skip
