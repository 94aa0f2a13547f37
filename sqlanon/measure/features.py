"""A release as numbers, for a model that learns from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import duckdb
from sqlglot import exp

from sqlanon.core.answer import Names, rows
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, named, names

if TYPE_CHECKING:
    import pandas as pd


@connection_first
def to_features(
    con: duckdb.DuckDBPyConnection, release: Source, columns: Names, categorical: Names | None = None,
    hierarchies: Source = None,
) -> pd.DataFrame:  # fmt: skip
    """The columns of a release, or of its original, as a DataFrame of numbers with the same rows in their
    order: intervals as their midpoints, categories as a column each (one-hot), as `features` says.

    categorical: those of the columns that are categories, although they look like numbers. hierarchies: what
    released labels stand for; without them a label (130**) is a category by itself.

    A model that learns from one table is tried on another by the same columns: `test.reindex(columns=
    train.columns, fill_value=0)`. Errors: InputError.
    """
    import pandas as pd

    from sqlanon.core.statements import answer, relation, select

    listed = names(columns, "columns") or []
    with named(con, release) as table:
        others = names(categorical, "categorical")
        said = rows(con, "features", table, listed, categorical=others, hierarchies=hierarchies)
        texts = answer(con, select(relation(table), *map(_text, listed))).df()
    numbers: dict[str, dict[str, dict[str, float]]] = {name: {} for name in listed}
    for attribute, label, feature, value in said:
        numbers[attribute].setdefault(feature, {})[label] = value
    return pd.DataFrame({
        feature: texts[attribute].map(by_label).fillna(float("nan") if feature == attribute else 0.0)
        for attribute, features in numbers.items()
        for feature, by_label in sorted(features.items())
    })  # fmt: skip


def _text(name: str) -> exp.Expression:
    """What a released value is as text."""
    released = exp.Anonymous(this="_released_text", expressions=[exp.column(name, quoted=True)])
    text = exp.Dot(this=exp.to_identifier("sqlanon"), expression=released)
    return exp.Alias(this=text, alias=exp.to_identifier(name, quoted=True))
