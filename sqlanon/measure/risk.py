"""How likely records are re-identified, and by which columns.

Parameters and rows are those of the macros with the same names; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

import duckdb

from sqlanon.core.answer import Names, answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, names


@connection_first
def risk(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    qi: Names,
    population: Source = None,
    hierarchies: Source = None,
    *,
    threshold: float = 0.2,
    fraction: float | None = None,
    released: bool | None = None,
    unit: str | None = None,
    weight: str | None = None,
    population_weight: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """How likely records are re-identified: measure, value, unit, id; shares are from 0 to 1.

    threshold: the risk above which records are counted. fraction: the share of the population that the table
    is a sample of; with it population uniques are estimated. unit: the column that says whose a row is; then
    people are counted. weight, population_weight: the columns of tables of counts that say how many people
    each row stands for.
    """
    return answer(
        con, "risk", source, qi=names(qi, "qi"), population=population, hierarchies=hierarchies,
        threshold=threshold, fraction=fraction, released=released, unit=unit,
        weight=weight, population_weight=population_weight,
    )  # fmt: skip


@connection_first
def record_risk(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    qi: Names,
    keep: Names | None = None,
    population: Source = None,
    hierarchies: Source = None,
    *,
    released: bool | None = None,
    unit: str | None = None,
    weight: str | None = None,
    population_weight: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """The risk of every record: the columns in qi and keep, size, prosecutor_risk; people, journalist_risk.

    unit: the column that says whose a row is; then people are those of the class. weight: the column that
    says how many people a row stands for; it is shown behind those in keep.
    """
    return answer(
        con, "record_risk", source, qi=names(qi, "qi"), keep=names(keep, "keep"), population=population,
        hierarchies=hierarchies, released=released, unit=unit,
        weight=weight, population_weight=population_weight,
    )  # fmt: skip


@connection_first
def minimal_uniques(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    id: str | None = None,
    *,
    max_size: int = 3,
    weight: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """The minimal sample uniques, a row per record and set of columns: id, columns, size, unique_values."""
    return answer(
        con, "minimal_uniques", source, columns=names(columns, "columns"), id=id, max_size=max_size,
        weight=weight,
    )  # fmt: skip


@connection_first
def suda(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    id: str,
    *,
    max_size: int = 3,
    fraction: float | None = None,
    weight: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """How special every record is: id, size, uniques, score, dis_score (with the fraction of a sample)."""
    return answer(
        con, "suda", source, columns=names(columns, "columns"), id=id, max_size=max_size, fraction=fraction,
        weight=weight,
    )  # fmt: skip


@connection_first
def quasi_identifiers(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names | None = None,
    *,
    max_size: int = 3,
    sample: int | None = None,
    seed: int = 1,
    weight: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """How well sets of columns tell rows apart: columns, size, combinations, distinction, separation.

    columns: all, if none are named. sample: look at so many rows; then ranges are added that hold for the
    table.
    """
    return answer(
        con, "quasi_identifiers", source, columns=names(columns, "columns"), max_size=max_size, sample=sample,
        seed=seed, weight=weight,
    )  # fmt: skip
