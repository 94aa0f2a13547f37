"""Noise in SQL that a ledger pays for.

A macro such as sqlanon.dp_counts asks `_paid` once in each run of a statement, in the relation of its
refusals, which everything that draws waits for. Here that is a function that enters the cost in the ledger,
or fails, and with it the statement. It has side effects, so DuckDB neither works it out while planning nor
takes two of them for one. So

- to prepare, explain or describe a statement costs nothing, and each execution costs it again;
- a view over a release, or a macro, is drawn and paid for anew at every read;
- two releases in a statement cost twice; one that a WITH names, and that is read twice, costs as often as
  DuckDB draws it;
- what was paid for and not drawn (an error, an interrupt, a rollback) stays spent.

The samplers draw only in a transaction in which something was paid for: called by themselves they fail. Not
prevented: within a transaction that has paid, somebody who calls a sampler by its private name can draw any
amount. (Somebody who can do that can read the table as well.) Not checked: whether the table is the source of
the ledger. The unit is checked.
"""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Any

import duckdb

from sqlanon.core.errors import RefusedError, UseError
from sqlanon.core.library import keep_in_memory, registering
from sqlanon.core.source import fresh_name
from sqlanon.publishing.ledger import Ledger
from sqlanon.randomize import noise
from sqlanon.randomize.cost import Cost
from sqlanon.randomize.noise import SAMPLERS, Sampler

REMEMBERED = 1000  # transactions that have paid
TRANSACTION = "UBIGINT"  # the type of its number
_KEPT: list[Callable[..., Any]] = []  # DuckDB calls a function after its cursor has let go of it
_PAID = {
    "epsilon": "DOUBLE", "delta": "DOUBLE", "rho": "DOUBLE", "key_delta": "DOUBLE", "mechanism": "VARCHAR",
    "unit": "VARCHAR", "title": "VARCHAR",
}  # fmt: skip
_ASKS = """
    create or replace macro sqlanon._paid(budget, mechanism, unit, macro, tbl, columns) as
        {function}(budget['epsilon'], budget['delta'], budget['rho'], budget['key_delta'], mechanism,
                   unit::varchar, sqlanon._title(macro, tbl, columns), txid_current())"""
_DRAWS = "create or replace macro sqlanon.{macro}({arguments}) as {function}({arguments}, txid_current())"


class _Payments:
    """Who has paid. The ledger is not held: a function is kept by the database that the ledger would keep."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = weakref.ref(ledger)
        self._transactions: deque[int] = deque(maxlen=REMEMBERED)

    def pay(
        self,
        epsilon: float,
        delta: float,
        rho: float | None,
        key_delta: float,
        mechanism: str,
        unit: str | None,
        title: str,
        transaction: int,
    ) -> None:
        """Enter a cost, for this transaction. Errors: RefusedError."""
        ledger = self._ledger()
        if ledger is None:
            raise RefusedError(["the ledger that pays for noise is gone"])
        ledger.spend(Cost(epsilon, delta, rho, mechanism, title, key_delta, unit))
        self._transactions.append(transaction)

    def drawing(self, sampler: Sampler) -> Callable[..., Any]:
        """The function of a sampler with a further column, the transaction. Errors: RefusedError."""

        def draw(*columns: Any) -> Any:
            *own, transactions = columns
            if not {*transactions.to_pylist()} <= {*self._transactions}:
                raise RefusedError(["nobody has paid for this noise: call a macro such as sqlanon.dp_counts"])
            return sampler.function(*own)

        # DuckDB counts the parameters of a function
        names = [*sampler.parameters, "transaction"]
        draw.__signature__ = Signature(  # type: ignore[attr-defined]
            [Parameter(name, Parameter.POSITIONAL_ONLY) for name in names]
        )
        return draw


def register_paid_noise(con: duckdb.DuckDBPyConnection, ledger: Ledger) -> None:
    """Make the samplers known to SQL, for all connections to the database, paid for by a ledger.

    The ledger is the last one for which that was called, and has to be kept. Errors: InputError without
    OpenDP, or for a ledger of a part of the units.
    """
    if ledger.part is not None:
        raise UseError(
            "a ledger of a part of the units cannot pay in SQL: nobody looks there which these are"
        )
    noise._opendp()
    keep_in_memory(con)
    payments = _Payments(ledger)
    with registering("noise"), con.cursor() as cursor:
        for macro, sampler in SAMPLERS.items():
            types = [*sampler.parameters.values(), TRANSACTION]
            function = _create(cursor, payments.drawing(sampler), types, sampler.returns, type="arrow")
            arguments = ", ".join(sampler.parameters)
            cursor.execute(_DRAWS.format(macro=macro, arguments=arguments, function=function)).fetchall()
        function = _create(cursor, payments.pay, [*_PAID.values(), TRANSACTION], "VARCHAR")
        cursor.execute(_ASKS.format(function=function)).fetchall()


def _create(
    cursor: duckdb.DuckDBPyConnection,
    function: Callable[..., Any],
    types: list[str],
    returns: str,
    **more: Any,
) -> str:
    """The name of a new function of SQL, which is called for each row, and each time."""
    _KEPT.append(function)
    name = fresh_name("noise")
    how: dict[str, Any] = {"null_handling": "special", "side_effects": True, **more}
    cursor.create_function(name, function, types, returns, **how)  # type: ignore[arg-type]
    return name
