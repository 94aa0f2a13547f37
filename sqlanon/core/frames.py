"""DataFrames as sources: what pandas and polars have that SQL does not know."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from sqlanon.core.errors import InputError


def as_sql_sees_it(source: Any) -> Any:
    """A DataFrame with its index as columns (pandas) and with NULL for NaN (polars, as DuckDB reads pandas).
    Other sources stay as they are.

    Errors: InputError for a DataFrame without columns, or with two columns of one name.
    """
    polars, pandas = sys.modules.get("polars"), sys.modules.get("pandas")
    if polars is not None and isinstance(source, polars.LazyFrame):
        source = source.collect()  # read once, and its columns cause no warning
    is_of_pandas = pandas is not None and isinstance(source, pandas.DataFrame)
    refuse_ambiguous(source)
    if is_of_pandas:
        source = _with_index(source)
    elif polars is not None and isinstance(source, polars.DataFrame):
        source = source.fill_nan(None)
    else:
        return source
    if not len(source.columns):
        raise InputError("the DataFrame is empty: it has no columns")
    return source


def _with_index(frame: Any) -> Any:
    """A DataFrame of pandas, whose named index is columns, too."""
    if frame.columns.nlevels > 1:
        return frame
    named = [name for name in frame.index.names if name is not None]
    known = {str(column).lower() for column in frame.columns}
    levels = [name for name in named if str(name).lower() not in known]
    return frame.reset_index(levels) if levels else frame


def days_in(source: Any) -> list[str]:
    """The columns of a DataFrame of pandas that have days: times without a zone, all of them at midnight.
    pandas has no type for days, and what is released would be [1970-03-11 00:00:00, ...]."""
    pandas = sys.modules.get("pandas")
    if pandas is None or not isinstance(source, pandas.DataFrame) or source.columns.nlevels > 1:
        return []
    days = []
    for name, dtype in source.dtypes.items():
        if getattr(dtype, "kind", "") == "M" and getattr(dtype, "tz", None) is None:
            filled = source[name].dropna()
            if len(filled) and bool((filled.dt.normalize() == filled).all()):
                days.append(str(name))
    return days


def refuse_ambiguous(source: Any) -> None:
    """InputError where two columns have one name to SQL: DuckDB would silently rename the second.

    Columns are those of a DataFrame, an Arrow table (or what has a schema), or a relation.
    """
    columns = getattr(source, "column_names", None)
    if columns is None:
        columns = getattr(source, "columns", getattr(getattr(source, "schema", None), "names", ()))
    if not isinstance(columns, Iterable):
        return
    known: dict[str, str] = {}
    for column in map(str, columns):
        if (other := known.get(column.lower())) is not None:
            alike = "" if other == column else ", where upper and lower case are the same"
            raise InputError(
                f'columns "{other}" and "{column}" of the source have the same name in SQL{alike}: rename one'
            )
        known[column.lower()] = column
