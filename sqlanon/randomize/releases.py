"""Randomized releases over tables, DataFrames and relations: differential privacy."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import duckdb

from sqlanon.core.library import ensure_registered
from sqlanon.core.made_table import MadeTable
from sqlanon.core.remarks import remark
from sqlanon.core.source import Source, fresh_name, named, names
from sqlanon.core.statements import call, count, create, execute, named_table, relation, select, table
from sqlanon.core.steps import Chain, statement_of, value_of
from sqlanon.core.tables import WorkTables, check_kept, take_place, target, transaction
from sqlanon.randomize.cost import Cost, Ledger
from sqlanon.randomize.noise import drawing


@dataclass(frozen=True, repr=False)
class RandomizedRelease(MadeTable):
    """A finished randomized release. It is data as well: .df(), .pl(), .arrow(), or .relation().

    table: its name, as SQL takes it. parameters: arguments of the call. cost: what it has cost. rows: how
    many it has. details: epsilon, delta, rho, unit, mechanism and bounds, and the noise of each part: its
    scale, deviation, margin (of 95 %) and tau (the least noisy count that shows a group; None where keys are
    public or are drawn). What was left out because of the bounds is not among them: it is about people.
    seconds: how long it took, which is about the rows as well: it does not leave. con: the connection that
    made it.
    """

    table: str
    parameters: Mapping[str, Any]
    cost: Cost
    rows: int
    details: Mapping[str, Any]
    seconds: float
    con: duckdb.DuckDBPyConnection | None = field(default=None, compare=False)

    def __str__(self) -> str:
        spent = {"epsilon": self.cost.epsilon, "delta": self.cost.delta, "rho": self.cost.rho}
        costs = ", ".join(f"{name} {value:.6g}" for name, value in spent.items() if value)
        whose = self.details["unit"] or "row"
        return f"{self.table}: {self.rows:,} rows, {self.cost.mechanism} mechanism, {costs} for each {whose}"


# Mechanisms that are no parameter of their macros.
FIXED = {
    "randomized_response": "randomized response",
    "sampled_k_anonymity": "sampling",
    "dp_bounds": "laplace",
}


def released(
    con: duckdb.DuckDBPyConnection,
    macro: str,
    source: Source,
    *,
    ledger: Ledger | None = None,
    into: str | None = None,
    replace: bool = False,
    **given: Any,
) -> RandomizedRelease:
    """The release of a chain: what needs no noise, the cost, the rest.

    ledger: gets the cost before any noise is drawn; an error of it ends the release. If it is of a part of
    the units, so is the release: rows of other units do not count. into, replace: as in `mondrian`. Noise is
    drawn by OpenDP (the extra sqlanon[dp]). Each call draws anew and costs its budget again, also where it
    ends with an error after that. How many rows max_groups and max_rows leave out is printed on stderr: it is
    not private, and not in the release.
    """
    start = time.monotonic()
    if macro in FIXED:
        given["mechanism"] = FIXED[macro]
    if "marginals" in given:
        sets = given["marginals"]
        listed = [sets] if isinstance(sets, str) else sets
        given["marginals"] = [each if isinstance(each, str) else names(each, "marginals") for each in listed]
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
        payer: Any = ledger
        if (part := getattr(payer, "part", None)) is not None:
            of_part = part.rows(relation(arguments["tbl"]), payer.unit)
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
        is_reported = not getattr(payer, "is_quiet", False)  # who asks is not who has the rows
        if is_reported and given.get("unit") is not None and "max_rows" in given:
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
