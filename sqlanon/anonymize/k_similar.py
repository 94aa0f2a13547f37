"""k-Similar over tables, DataFrames and relations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Unpack

import duckdb

from sqlanon.anonymize.driver import anonymize
from sqlanon.anonymize.microaggregate import Microaggregation
from sqlanon.core.connection import connection_first
from sqlanon.core.release import Progress, Release
from sqlanon.core.requirements import Requirements, complete
from sqlanon.core.source import Source, names, roles


class KSimilar(Microaggregation):
    """The same classes, with what covers them."""

    unit_parameter = "with_unit"

    def details(self) -> Mapping[str, Any]:
        return {}  # what a centroid would lose is not what is lost here


@connection_first
def k_similar(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    *,
    qi: str | Iterable[str],
    sensitive: str | Iterable[str] | None = None,
    keep: str | Iterable[str] = (),
    hierarchies: Source = None,
    algorithm: str = "mdav",
    gamma: float = 0.2,
    recoding: str = "text",
    seed: int | None = None,
    unit: str | None = None,
    known: Sequence[Source] | None = None,
    presence: str | Iterable[str] | None = None,
    into: str | None = None,
    replace: bool = False,
    progress: Progress | bool | None = None,
    **requirements: Unpack[Requirements],
) -> Release:
    """Anonymize a table by k-Similar (Sweeney 2001): groups of near rows, generalized until they are equal.

    Groups are those of `microaggregate`, and so are all parameters but recoding (text or range), known,
    presence and composed_l, which are as in `mondrian`. The macro `sqlanon.k_similar` gives the same rows,
    with a seed: that fixes which of equal rows is in which group, too.

    The release is checked by a statement of its own before it becomes visible; after an error or interrupt
    nothing is left behind, as for `mondrian`.

    Errors: as of `microaggregate`.
    """
    required = complete(requirements, "k_similar", population="give mondrian the population")
    form = {
        "algorithm": algorithm, "gamma": gamma, "recoding": recoding, "seed": seed, "unit": unit,
        "presence": names(presence, "presence"),
    }  # fmt: skip
    return anonymize(
        con, source, roles(qi, sensitive, keep), into, replace, progress, KSimilar, "k_similar",
        required | form, hierarchies=hierarchies, known=known,
    )  # fmt: skip
