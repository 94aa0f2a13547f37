"""The attack on noisy counts, releases with differential privacy.

Parameters and rows are those of the macro with the same name; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

from collections.abc import Iterable

import duckdb

from sqlanon.core.answer import Names, answer
from sqlanon.core.source import Source, listed, names


def noisy_counts_attack(
    con: duckdb.DuckDBPyConnection,
    releases: Iterable[Source],
    targets: Source,
    id: str,
    qi: Names,
    sensitive: str,
    counts: str,
    deviations: str = "standard_deviation",
    mechanism: str = "laplace",
    hierarchies: Source = None,
    truth: str | None = None,
    controls: str | None = None,
) -> duckdb.DuckDBPyRelation:
    """What releases of noisy counts, as of `dp_counts`, tell of each target together: id, learned,
    confidence, baseline, is_right, is_control, candidates, probabilities.

    qi and sensitive: all columns that the releases count by. counts: their column of counts;
    deviations: that of its standard deviation.
    """
    return answer(
        con, "noisy_counts_attack", listed(releases), targets, id=id, qi=names(qi, "qi"), sensitive=sensitive,
        counts=counts, deviations=deviations, mechanism=mechanism,
        hierarchies=hierarchies, truth=truth, controls=controls,
    )  # fmt: skip
