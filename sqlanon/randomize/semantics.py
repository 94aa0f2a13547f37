"""What a randomized algorithm tells of anybody, worked out from the probabilities of its outputs.

Parameters and rows are those of the macros with the same names; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

from collections.abc import Iterable

import duckdb

from sqlanon.core.answer import answer
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source


@connection_first
def indistinguishability(
    con: duckdb.DuckDBPyConnection,
    mechanism: Source,
    neighbors: Source,
    epsilons: Iterable[float] = (0, 1, 2),
) -> duckdb.DuckDBPyRelation:
    """The least epsilon of differential privacy, and the least delta for smaller ones: epsilon, delta,
    database, neighbor.

    mechanism: rows of database, output and probability. neighbors: rows of database and neighbor. epsilons:
    for which delta is asked.
    """
    return answer(con, "indistinguishability", mechanism, neighbors, epsilons=list(epsilons))


@connection_first
def semantic_privacy(
    con: duckdb.DuckDBPyConnection, mechanism: Source, neighbors: Source, prior: Source = None
) -> duckdb.DuckDBPyRelation:
    """How much an adversary's beliefs depend on whether somebody's data was used, a row per person and
    output: person, output, shift, probability, likelier, unlikelier.

    mechanism: as in `indistinguishability`. neighbors: rows of database, person and neighbor, the database
    without the person. prior: rows of database and probability; if not given, the worst of all.
    """
    return answer(con, "semantic_privacy", mechanism, neighbors, prior)


@connection_first
def semantic_bounds(
    con: duckdb.DuckDBPyConnection, epsilon: float, delta: float = 0, people: int = 1
) -> duckdb.DuckDBPyRelation:
    """What differential privacy promises of the beliefs of any adversary: id, bound, meaning.

    epsilon, delta: of differential privacy. people: how many there are.
    """
    return answer(con, "semantic_bounds", epsilon=epsilon, delta=delta, people=people)


@connection_first
def uncertain_counts(
    con: duckdb.DuckDBPyConnection,
    people: int,
    share: float,
    k: int | None = None,
    epsilons: Iterable[float] = (1,),
) -> duckdb.DuckDBPyRelation:
    """What exact counts give away, if the adversary is unsure of other people: adversary, epsilon, delta.

    people: of how many. share: with which probability each has the value that is counted. k: counts below are
    not released. epsilons: for which delta is asked.
    """
    return answer(con, "uncertain_counts", people=people, share=share, k=k, epsilons=list(epsilons))
