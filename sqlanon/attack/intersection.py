"""The intersection attack: who is located in releases, and what they tell of them together.

Parameters and rows are those of the macros with the same names; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

from collections.abc import Iterable

import duckdb

from sqlanon.core.answer import Names, answer
from sqlanon.core.source import Source, names


def locate(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    targets: Source,
    id: str,
    qi: Names,
    hierarchies: Source = None,
    nearest: bool = False,
    weight: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """The classes of a release that cover each target, or have the nearest centroid: id, class_id, size."""
    return answer(
        con, "locate", release, targets, id=id, qi=names(qi, "qi"), hierarchies=hierarchies, nearest=nearest,
        weight=weight,
    )  # fmt: skip


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
    weight: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """What several releases tell together, a row per target and sensitive column: id, sensitive, prior,
    posterior, candidates and more.

    nearest: are all releases, or which of them, of centroids? presence: the columns of the targets, one per
    release, that say who is in it. exact_cover: remove what other targets must have. unit: the column of the
    targets that says whose a row is. weight: the column of the releases that says how many people each row
    stands for.
    """
    return answer(
        con, "intersection_attack", list(releases), targets, id=id, qi=names(qi, "qi"),
        sensitive=names(sensitive, "sensitive"),
        hierarchies=hierarchies, truth=names(truth, "truth"), nearest=_of_centroids(nearest),
        presence=names(presence, "presence"), exact_cover=exact_cover, unit=unit, weight=weight,
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
    weight: str | None = None,
    sure: Iterable[float] = (99, 95, 90),
) -> duckdb.DuckDBPyRelation:
    """The attack over all targets: sensitive, measure, value, unit, low, high, id.

    levels: of the paper's confidence (1 / candidates), in percent. unit: the column of the targets that says
    whose a row is; then people are counted. weight: as in `intersection_attack`. sure: probabilities in
    percent with which an adversary is sure of a value.
    """
    return answer(
        con, "breaches", list(releases), targets, id=id, qi=names(qi, "qi"),
        sensitive=names(sensitive, "sensitive"),
        hierarchies=hierarchies, truth=names(truth, "truth"), levels=list(levels),
        nearest=_of_centroids(nearest),
        presence=names(presence, "presence"), exact_cover=exact_cover, unit=unit, weight=weight,
        sure=list(sure),
    )  # fmt: skip
