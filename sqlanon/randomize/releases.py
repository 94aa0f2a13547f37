"""Randomized releases over tables, DataFrames and relations: differential privacy.

The functions have the names, the parameters and the rows of the macros in sql/randomize/, which say what is
promised. Noise is drawn by OpenDP (the extra sqlanon[dp]).

source: the name of a table, view or file, a DataFrame, an Arrow table or a relation of this connection.
ledger: told of the cost before any noise is drawn; what it raises ends the release. If it is of a part of the
units, so is the release: rows of other units do not count. into, replace: as in `mondrian`. Each call draws
anew and costs its budget again, also where it ends with an error after that. How many rows max_groups and
max_rows leave out is told on stderr: it is not private, and not in the release.

Errors: InputError (unknown column, a parameter that is lacking, out of range or does not go with the others,
a column of a type that cannot be released, OpenDP is not installed, into exists), SqlError, and what the
ledger raises.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import duckdb

from sqlanon.core.connection import connection_first
from sqlanon.core.library import ensure_registered
from sqlanon.core.made_table import MadeTable
from sqlanon.core.remarks import remark
from sqlanon.core.source import Source, fresh_name, named, names
from sqlanon.randomize.cost import Cost, Ledger

Names = str | Iterable[str]


@dataclass(frozen=True)
class RandomizedRelease(MadeTable):
    """A finished randomized release. It is data as well: .df(), .pl(), .arrow(), or .relation().

    table: its name, as SQL takes it. parameters: what was asked for. cost: what it has cost. rows: how many
    it has. details: epsilon, delta, rho, unit, mechanism and bounds, and the noise of each part: its scale,
    deviation, margin (of 95 %) and tau (the least noisy count that shows a group; None where keys are public
    or are drawn). What was left out because of the bounds is not among them: it is about people. seconds: how
    long it took, which is about the rows as well: it does not leave. con: the connection that made it.
    """

    table: str
    parameters: Mapping[str, Any]
    cost: Cost
    rows: int
    details: Mapping[str, Any]
    seconds: float
    con: duckdb.DuckDBPyConnection | None = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        spent = {"epsilon": self.cost.epsilon, "delta": self.cost.delta, "rho": self.cost.rho}
        told = ", ".join(f"{name} {value:.6g}" for name, value in spent.items() if value)
        whose = self.details["unit"] or "row"
        return f"{self.table}: {self.rows:,} rows, {self.cost.mechanism} mechanism, {told} for each {whose}"


# Parameters of the functions that are none of the macros.
OWN = ("con", "source", "ledger", "into", "replace")


def _plain(name: str, value: Any) -> Any:
    """A parameter as the macro takes it: lists for what can be gone through once only."""
    if name == "columns":
        return names(value, name)
    if name == "marginals":
        sets = [value] if isinstance(value, str) else value
        return [each if isinstance(each, str) else names(each, name) for each in sets]
    return list(value) if name in ("bounds", "quantiles") else value


def _released(macro: str, arguments: Mapping[str, Any], **fixed: str) -> RandomizedRelease:
    """The release of a chain: what needs no noise, the cost, the rest.

    arguments: those of the function, whose own are con, source, ledger, into and replace, and the others the
    macro's. fixed: a mechanism that is none of them.
    """
    from sqlanon.core.statements import count, create, execute, named_table, relation, select, table
    from sqlanon.core.steps import Chain, statement_of, value_of
    from sqlanon.core.tables import WorkTables, check_kept, take_place, target, transaction
    from sqlanon.randomize.noise import drawing

    start = time.monotonic()
    given = {**{name: _plain(name, value) for name, value in arguments.items()}, **fixed}
    con, source, ledger, into, replace = (given.pop(name) for name in OWN)
    ensure_registered(con)
    place = None if into is None else target(con, into, replace)
    with ExitStack() as stack:
        tables = {"tbl": source, "keys": given.get("keys"), "hierarchies": given.get("hierarchies")}
        arguments = dict(given) | {
            name: stack.enter_context(named(con, each)) for name, each in tables.items() if each is not None
        }
        called = arguments["tbl"] if isinstance(source, str) else type(source).__name__
        work = stack.enter_context(WorkTables(con))
        # who pays for a part of the units gets an answer about this part
        if (part := getattr(ledger, "part", None)) is not None:
            of_part = part.rows(relation(arguments["tbl"]), ledger.unit)
            arguments["tbl"] = work.make("part_of_units", of_part).name
        budget = value_of(con, f"_{macro}_budget", arguments)
        samplers = stack.enter_context(drawing(con))
        chain = Chain(con, work, statement_of(con, macro, arguments), lambda step, share, message: None)
        for step in chain.steps.values():
            samplers.draw(step.query)
        for name in ("refusal", "group"):
            chain.make(name)
        cost = Cost(
            budget["epsilon"], budget["delta"], budget["rho"], given.get("mechanism", "exponential"),
            f"{macro} of {called} by "
            + ", ".join(arguments.get("columns", [arguments.get("measure")])),
            # the rest of delta is that of a conversion from rho
            rho_delta=None if budget["key_delta"] == budget["delta"] else budget["key_delta"],
            unit=given.get("unit"),
        )  # fmt: skip
        if ledger is not None:
            ledger.spend(cost)
        query = chain.answer()
        with transaction(con):
            name = fresh_name("release")
            made = place.beside(name) if place else table(name)
            execute(con, create(made, query, temporary=place is None))
            counted = execute(con, count(made))
            if place:
                take_place(con, made, place)
        check_kept(con, place.table if place else made, counted, into or name)
        [(rows,)] = counted
        calibration = execute(con, select(named_table(chain.table("calibration"))))
        if given.get("unit") is not None and "max_rows" in given:
            is_public = any(given.get(name) is not None for name in ("keys", "hierarchies"))
            keys = chain.table("key") if is_public else None
            _tell_left_out(con, chain.table("contribution"), keys, given)
        noise = [dict(zip(calibration.columns, row, strict=True)) for row in calibration]
    return RandomizedRelease(
        table=into or name,
        parameters=given,
        cost=cost,
        rows=rows,
        details={
            **{part: given.get(part) for part in ("unit", "max_groups", "max_rows")},
            "mechanism": cost.mechanism,
            **budget,
            "noise": noise,
        },
        seconds=time.monotonic() - start,
        con=con,
    )


def _tell_left_out(
    con: duckdb.DuckDBPyConnection, contributions: str, keys: str | None, given: Mapping[str, Any]
) -> None:
    """Tell on stderr what the bounds have left out: to whoever has the rows, and not in the release.

    contributions, keys: the tables of these relations of the chain, whose groups `given` names.
    """
    from sqlanon.core.statements import call, execute

    columns = given.get("columns") or [given["measure"]]
    [(rows, left_out)] = execute(
        con, call("_left_out", contributions, keys, columns, given.get("max_groups"))
    )
    if left_out:
        bounds = "max_groups and max_rows leave" if "max_groups" in given else "max_rows leaves"
        remark(
            f"not private, for you alone: {bounds} out {left_out:,} of {rows:,} rows. What is released is "
            "about the others, and so are its intervals"
        )


@connection_first
def dp_counts(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    rho: float | None = None,
    unit: str | None = None,
    max_groups: int | None = None,
    max_rows: int | None = None,
    mechanism: str = "laplace",
    keys: Source = None,
    selection: str = "threshold",
    non_negative: bool = False,
    ledger: Ledger | None = None,
    into: str | None = None,
    replace: bool = False,
) -> RandomizedRelease:
    """The number of rows in each group, with noise: columns, n, standard_deviation, low, high."""
    return _released("dp_counts", locals())


@connection_first
def dp_sums(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    measure: str,
    bounds: Iterable[float],
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    rho: float | None = None,
    unit: str | None = None,
    max_groups: int | None = None,
    max_rows: int | None = None,
    mechanism: str = "laplace",
    keys: Source = None,
    grid: float | None = None,
    ledger: Ledger | None = None,
    into: str | None = None,
    replace: bool = False,
) -> RandomizedRelease:
    """The sum of a column in each group, with noise: columns, total, standard_deviation, low, high."""
    return _released("dp_sums", locals())


@connection_first
def dp_means(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    measure: str,
    bounds: Iterable[float],
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    rho: float | None = None,
    unit: str | None = None,
    max_groups: int | None = None,
    max_rows: int | None = None,
    mechanism: str = "laplace",
    keys: Source = None,
    grid: float | None = None,
    ledger: Ledger | None = None,
    into: str | None = None,
    replace: bool = False,
) -> RandomizedRelease:
    """The mean of a column in each group, with noise: columns, mean, n, standard_deviation, low, high."""
    return _released("dp_means", locals())


@connection_first
def dp_quantiles(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    measure: str,
    bounds: Iterable[float],
    *,
    quantiles: Iterable[float] = (0.5,),
    epsilon: float | None = None,
    delta: float | None = None,
    unit: str | None = None,
    max_groups: int | None = None,
    max_rows: int | None = None,
    keys: Source = None,
    cells: int = 100,
    ledger: Ledger | None = None,
    into: str | None = None,
    replace: bool = False,
) -> RandomizedRelease:
    """Quantiles of a column in each group, by the exponential mechanism: columns, quantile, value,
    rank_error."""
    return _released("dp_quantiles", locals())


@connection_first
def dp_histogram(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    hierarchies: Source,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    rho: float | None = None,
    unit: str | None = None,
    max_groups: int | None = None,
    max_rows: int | None = None,
    mechanism: str = "laplace",
    non_negative: bool = True,
    ledger: Ledger | None = None,
    into: str | None = None,
    replace: bool = False,
) -> RandomizedRelease:
    """The number of rows below each node of a hierarchy, with noise, so that children add up to their parent:
    level, label, n, standard_deviation, low, high."""
    return _released("dp_histogram", locals())


@connection_first
def dp_top(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    keys: Source,
    *,
    k: int = 1,
    epsilon: float | None = None,
    unit: str | None = None,
    max_rows: int | None = None,
    ledger: Ledger | None = None,
    into: str | None = None,
    replace: bool = False,
) -> RandomizedRelease:
    """The k groups with most rows, by noisy max: columns, rank, count_error."""
    return _released("dp_top", locals())


@connection_first
def randomized_response(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    keys: Source,
    *,
    epsilon: float | None = None,
    ledger: Ledger | None = None,
    into: str | None = None,
    replace: bool = False,
) -> RandomizedRelease:
    """The values of a column, row by row, each changed by chance. Its cost is that of the value of a row."""
    return _released("randomized_response", locals(), mechanism="randomized response")


@connection_first
def debiased_counts(
    con: duckdb.DuckDBPyConnection, source: Source, columns: Names, keys: Source, epsilon: float
) -> duckdb.DuckDBPyRelation:
    """How many rows had each value, estimated from what `randomized_response` released: columns, n,
    standard_deviation, low, high.

    source: what it released. keys, epsilon: as they were given there.
    """
    from sqlanon.core.answer import answer

    with named(con, keys) as values:
        return answer(con, "debiased_counts", source, columns=columns, keys=values, epsilon=epsilon)


@connection_first
def sampled_k_anonymity(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    k: int,
    share: float,
    *,
    epsilon: float | None = None,
    unit: str | None = None,
    ledger: Ledger | None = None,
    into: str | None = None,
    replace: bool = False,
) -> RandomizedRelease:
    """The groups of at least k people of a sample: columns, n, estimate, standard_deviation.

    source: rows that are generalized in a fixed way. The delta of the cost follows from epsilon, k and share.
    """
    return _released("sampled_k_anonymity", locals(), mechanism="sampling")


@connection_first
def sampled_k_anonymity_privacy(
    con: duckdb.DuckDBPyConnection, k: int, share: float, epsilons: Iterable[float] = (1,)
) -> duckdb.DuckDBPyRelation:
    """How private `sampled_k_anonymity` is: epsilon, delta, bound."""
    from sqlanon.core.answer import answer

    return answer(con, "sampled_k_anonymity_privacy", k=k, share=share, epsilons=list(epsilons))


@connection_first
def dp_contingency(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    marginals: Iterable[Iterable[str]],
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    rho: float | None = None,
    unit: str | None = None,
    max_groups: int | None = None,
    max_rows: int | None = None,
    mechanism: str = "laplace",
    ledger: Ledger | None = None,
    into: str | None = None,
    replace: bool = False,
) -> RandomizedRelease:
    """Marginals of columns of truth values, with noise, that agree: marginal, columns, n, standard_deviation,
    low, high."""
    return _released("dp_contingency", locals())


@connection_first
def dp_wavelet(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    measure: str,
    bounds: Iterable[float],
    *,
    cells: int = 64,
    epsilon: float | None = None,
    delta: float | None = None,
    rho: float | None = None,
    unit: str | None = None,
    max_groups: int | None = None,
    max_rows: int | None = None,
    mechanism: str = "laplace",
    ledger: Ledger | None = None,
    into: str | None = None,
    replace: bool = False,
) -> RandomizedRelease:
    """The number of rows in cells of a range of numbers, by wavelets with noise: lower, upper, n,
    standard_deviation, low, high."""
    return _released("dp_wavelet", locals())


@connection_first
def dp_bounds(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    measure: str,
    *,
    epsilon: float | None = None,
    unit: str | None = None,
    max_groups: int | None = None,
    max_rows: int | None = None,
    ledger: Ledger | None = None,
    into: str | None = None,
    replace: bool = False,
) -> RandomizedRelease:
    """Bounds of a column of numbers, chosen privately: one row of lo and hi."""
    return _released("dp_bounds", locals(), mechanism="laplace")


@connection_first
def dp_microaggregate(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    columns: Names,
    bounds: Iterable[float],
    k: int,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    rho: float | None = None,
    mechanism: str = "laplace",
    ledger: Ledger | None = None,
    into: str | None = None,
    replace: bool = False,
) -> RandomizedRelease:
    """The means of groups of k similar records, with noise: columns, n, standard_deviation. Its cost is that
    of what a record says."""
    return _released("dp_microaggregate", locals())
