"""sqlanon on Spark: where tables outgrow one machine, Spark moves rows, and the same macros decide.

The functions have the names, parameters, results and errors of those of `sqlanon`, with Spark DataFrames in
the place of tables. It needs the extra `spark`: `pip install 'sqlanon[spark]'`.
"""

from __future__ import annotations

from importlib.util import find_spec as _find_spec

try:
    import pyarrow as _pyarrow  # noqa: F401
    import pyspark as _pyspark
except ImportError as error:
    raise ImportError(
        f"sqlanon.spark needs pyspark 4.0 or later and pyarrow ({error}): pip install 'sqlanon[spark]'"
    ) from error

if int(_pyspark.__version__.partition(".")[0]) < 4:
    raise ImportError(
        f"sqlanon.spark needs pyspark 4.0 or later, where tasks take Arrow tables; this is "
        f"{_pyspark.__version__}: pip install --upgrade 'sqlanon[spark]'"
    )

if _find_spec("pandas") is None:
    raise ImportError(
        "sqlanon.spark needs pandas, which pyspark asks for where it takes Arrow tables (2.2 or later, also "
        "3, of which it warns): pip install 'sqlanon[spark]'"
    )

from sqlanon.macros.spark import (
    breaches,
    classes,
    generalize,
    intersection_attack,
    mondrian,
    optimal,
    privacy,
    violations,
)
from sqlanon.spark.release import Release

__all__ = [
    "Release",
    "breaches",
    "classes",
    "generalize",
    "intersection_attack",
    "mondrian",
    "optimal",
    "privacy",
    "violations",
]
