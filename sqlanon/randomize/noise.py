"""Chance from OpenDP's samplers, as functions of SQL over whole columns.

No other module draws for a randomized release. The samplers are exact on the integers, and take their bits
from the operating system: there is no seed. `sqlanon.register_functions(con, noise=True)` makes them known to
SQL; releases made from Python have them under names that nobody else knows, and only as long as it takes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import duckdb

from sqlanon.core.errors import InputError
from sqlanon.core.library import has_function, keep_in_memory, registering
from sqlanon.core.source import cleanly, fresh_name

if TYPE_CHECKING:
    from sqlglot import exp

Column = Any  # of pyarrow; DuckDB evaluates what annotations say, and pyarrow may not be there
MECHANISMS = ("laplace", "gaussian")


class Sampler(NamedTuple):
    """A function over columns: its parameters, what it gives, and their types in SQL."""

    function: Callable[..., Any]
    parameters: Mapping[str, str]
    returns: str


@cache
def _opendp() -> Any:
    """OpenDP, which is slow to import. InputError where it is not installed."""
    try:
        import opendp.prelude as dp
        import pyarrow as pa  # noqa: F401 - DuckDB hands columns over with it
    except ImportError as error:
        raise InputError("noise is drawn by OpenDP: install sqlanon[dp]") from error
    dp.enable_features("contrib")
    return dp


@cache
def _adding(scale: float | None, mechanism: str | None) -> Callable[[list[int]], list[int]]:
    """Adds noise to 64-bit integers. At the ends of their range a sum stays at the end."""
    dp = _opendp()
    if scale is None or not (math.isfinite(scale) and scale > 0):
        raise ValueError(f"the scale of noise must be a positive number, not {scale}")
    domain = dp.vector_domain(dp.atom_domain(T="i64"))
    if mechanism == "laplace":
        add: Callable[[list[int]], list[int]] = dp.m.make_laplace(domain, dp.l1_distance(T="i64"), scale)
    elif mechanism == "gaussian":
        add = dp.m.make_gaussian(domain, dp.l2_distance(T="f64"), scale)
    else:
        raise ValueError(f"mechanism must be one of {', '.join(MECHANISMS)}, not {mechanism}")
    return add


def with_noise(values: Column, scales: Column, mechanisms: Column) -> Column:
    """Integers with discrete Laplace or discrete Gaussian noise; NULL stays NULL."""
    import pyarrow as pa

    noisy = values.to_pylist()
    if values.null_count == 0 and len(scales.unique()) == len(mechanisms.unique()) == 1:  # mostly
        return pa.array(_adding(scales[0].as_py(), mechanisms[0].as_py())(noisy), pa.int64())
    rows: dict[tuple[Any, Any], list[int]] = {}
    for row, (value, *noise) in enumerate(
        zip(noisy, scales.to_pylist(), mechanisms.to_pylist(), strict=True)
    ):
        if value is not None:
            rows.setdefault((noise[0], noise[1]), []).append(row)
    for (scale, mechanism), chosen in rows.items():
        drawn = _adding(scale, mechanism)([noisy[row] for row in chosen])
        for row, value in zip(chosen, drawn, strict=True):
            noisy[row] = value
    return pa.array(noisy, pa.int64())


def events(probabilities: Column) -> Column:
    """True with the probability of each row, independently; NULL for NULL."""
    import numpy as np
    import pyarrow as pa

    given = probabilities.to_numpy()
    if ((given < 0) | (given > 1)).any():
        raise ValueError("a probability must be between 0 and 1")
    happened = np.zeros(len(given), dtype=bool)
    for probability in np.unique(given[~np.isnan(given)]):
        rows = given == probability
        rare = min(probability, 1 - probability)  # OpenDP flips a bit with at most one half
        flipped = _bits(int(rows.sum()), rare) if rare > 0 else np.zeros(rows.sum(), dtype=bool)
        happened[rows] = flipped ^ (probability > 0.5)
    return pa.array(happened, mask=np.isnan(given))


def _bits(n: int, probability: float) -> Any:
    """So many bits, each 1 with the probability, which is one half at most."""
    import numpy as np

    dp = _opendp()
    flip = dp.m.make_randomized_response_bitvec(
        dp.bitvector_domain(max_weight=1), dp.discrete_distance(), f=2 * probability
    )
    flipped = flip(bytes(-(-n // 8)))
    return np.unpackbits(np.frombuffer(flipped, dtype=np.uint8), count=n).astype(bool)


def uniform_below(bounds: Column) -> Column:
    """An integer from 0 to below the bound of each row, all alike; NULL for NULL."""
    import numpy as np
    import pyarrow as pa

    given = bounds.to_pylist()
    if any(bound is not None and not 0 < bound <= 2**31 for bound in given):
        raise ValueError("a bound must be between 1 and 2147483648")
    below = np.array([bound or 1 for bound in given], dtype=np.int64)
    drawn = np.zeros(len(given), dtype=np.int64)
    left = np.flatnonzero(below > 1)
    while len(left):  # a draw that is not below the bound is drawn again
        widths = np.ceil(np.log2(below[left])).astype(np.int64)
        bits = _bits(32 * len(left), 0.5).reshape(len(left), 32)
        drawn[left] = (bits * 2 ** np.arange(32, dtype=np.int64)).sum(axis=1) % 2**widths
        left = left[drawn[left] >= below[left]]
    return pa.array(drawn, mask=np.array([bound is None for bound in given], dtype=bool))


def noisy_largest(scores: Column, counts: Column, scales: Column) -> Column:
    """The places (from 1) of the largest scores of each row, by noisy max, best first; NULL for NULL."""
    import pyarrow as pa

    dp = _opendp()
    domain, metric = dp.vector_domain(dp.atom_domain(T="i64")), dp.linf_distance(T="i64", monotonic=True)
    chosen: list[list[int] | None] = []
    for row, count, scale in zip(scores.to_pylist(), counts.to_pylist(), scales.to_pylist(), strict=True):
        if row is None:
            chosen.append(None)
            continue
        if not (scale is not None and math.isfinite(scale) and scale > 0):
            raise ValueError(f"the scale of noise must be a positive number, not {scale}")
        choose = dp.m.make_noisy_top_k(
            domain, metric, dp.max_divergence(), k=min(count, len(row)), scale=scale
        )
        chosen.append([place + 1 for place in choose(row)])
    return pa.array(chosen, pa.list_(pa.int64()))


# By the macro of sql/randomize/noise.sql that stands for each.
SAMPLERS = {
    "_with_noise": Sampler(
        with_noise, {"value": "BIGINT", "scale": "DOUBLE", "mechanism": "VARCHAR"}, "BIGINT"
    ),
    "_event": Sampler(events, {"probability": "DOUBLE"}, "BOOLEAN"),
    "_uniform_below": Sampler(uniform_below, {"bound": "BIGINT"}, "BIGINT"),
    "_noisy_largest": Sampler(
        noisy_largest, {"scores": "BIGINT[]", "count": "BIGINT", "scale": "DOUBLE"}, "BIGINT[]"
    ),
}  # fmt: skip


def _create(con: duckdb.DuckDBPyConnection, name: str, sampler: Sampler) -> None:
    # each row and each call is drawn anew, whatever others have drawn
    how: dict[str, Any] = {"type": "arrow", "null_handling": "special", "side_effects": True}
    con.create_function(name, sampler.function, [*sampler.parameters.values()], sampler.returns, **how)


def register_noise(con: duckdb.DuckDBPyConnection) -> None:
    """Make the samplers known to SQL, for all connections of this process to the database.

    What is drawn there costs privacy, which nobody adds up but the caller. Errors: InputError without OpenDP.
    """
    _opendp()
    keep_in_memory(con)
    with registering("noise"), con.cursor() as cursor:
        for macro, sampler in SAMPLERS.items():
            if not has_function(cursor, f"_sqlanon{macro}"):
                _create(cursor, f"_sqlanon{macro}", sampler)
            arguments = ", ".join(sampler.parameters)
            cursor.execute(_TAKEN_BY_SQL.format(macro=macro, arguments=arguments)).fetchall()
        cursor.execute(UNPAID).fetchall()


# As in sql/randomize/noise.sql: no ledger is charged.
UNPAID = """
    create or replace macro sqlanon._paid(budget, mechanism, unit, macro, tbl, columns) as null::varchar"""
_TAKEN_BY_SQL = "create or replace macro sqlanon.{macro}({arguments}) as _sqlanon{macro}({arguments})"


class Drawing:
    """The samplers under names of their own, as long as a release is made."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        _opendp()
        self._con = con
        self._names: dict[str, str] = {}

    def draw(self, query: exp.Expression) -> exp.Expression:
        """The query, with these samplers in place of the macros that stand for them."""
        from sqlglot import exp

        for call in list(query.find_all(exp.Dot)):
            macro = call.expression.name
            if macro == "_paid" and call.this.name == "sqlanon":  # Python asks the ledger
                call.replace(exp.cast(exp.null(), "text"))
            if macro in SAMPLERS and call.this.name == "sqlanon":
                call.replace(exp.Anonymous(this=self._name(macro), expressions=call.expression.expressions))
        return query

    def _name(self, macro: str) -> str:
        if macro not in self._names:
            name = fresh_name(macro.strip("_"))
            with registering(macro):
                _create(self._con, name, SAMPLERS[macro])
            self._names[macro] = name
        return self._names[macro]

    def end(self) -> None:
        """Remove the samplers."""
        cleanly(*(partial(self._con.remove_function, name) for name in self._names.values()))


@contextmanager
def drawing(con: duckdb.DuckDBPyConnection) -> Iterator[Drawing]:
    """Samplers for one release, gone at the end. Errors: InputError without OpenDP."""
    samplers = Drawing(con)
    try:
        yield samplers
    finally:
        samplers.end()
