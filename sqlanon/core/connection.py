"""The connection that a function works in, which comes first and may be left out."""

from __future__ import annotations

import inspect
import os
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, overload

import duckdb

from sqlanon.core.arguments import check
from sqlanon.core.errors import CallError, InputError
from sqlanon.core.interrupts import import_whole
from sqlanon.core.made_table import MadeTable
from sqlanon.core.models import models
from sqlanon.core.requirements import names

P = ParamSpec("P")
R_co = TypeVar("R_co", covariant=True)
R = TypeVar("R")

ABOUT = """

    con: a connection of DuckDB. It may be left out where no table is given by its name: then it is that of
    the first release that is given, or DuckDB's own, `duckdb.default_connection()`, of which threads beside
    the main one have a cursor each.
    """
EXAMPLE = "where con = duckdb.connect('clinic.duckdb'), for example"


# A pass of the optimizer of DuckDB 2.0 that takes up to half of the time of a statement with many steps, and
# gains nothing there.
SLOW_PASS = "projection_pullup"

# A connection does one thing at a time.
_of_thread = threading.local()


class ConnectionFirst(Protocol[P, R_co]):
    """A function whose first argument is a connection, or that is called without one."""

    __name__: str

    @overload
    def __call__(self, con: duckdb.DuckDBPyConnection, /, *args: P.args, **kwargs: P.kwargs) -> R_co: ...
    @overload
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co: ...


def connection_first(
    function: Callable[Concatenate[duckdb.DuckDBPyConnection, P], R],
) -> ConnectionFirst[P, R]:
    """Let the first parameter of a function, `con`, be left out, and look at the arguments of each call.

    Errors of the function: InputError for a table that is given by its name and no connection, and those of
    `check`; TypeError for arguments that it does not take.
    """
    signature = inspect.signature(function)

    @wraps(function)
    def called(*args: Any, **kwargs: Any) -> R:
        con = kwargs.pop("con", None)
        if con is None and args and isinstance(args[0], duckdb.DuckDBPyConnection):
            con, *args = args  # type: ignore[assignment]
        import_whole()
        given = _bound(called.__name__, signature, con, args, kwargs)
        check(signature, given)
        con = con or _connection(called.__name__, signature, given)
        with _planned_fast(con):
            return function(con, *args, **kwargs)

    called.__doc__ = f"{(function.__doc__ or '').rstrip()}{ABOUT}"
    called.__signature__ = _with_requirements(signature, called.__doc__)  # type: ignore[attr-defined]
    return called


@contextmanager
def _planned_fast(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """For the time of a call without SLOW_PASS, unless the connection's owner has decided on it. It is a
    setting of the whole database, and as it was afterwards."""
    before: str | None = None
    if not duckdb.__version__.startswith("1."):
        # by a cursor, which can set it whatever becomes of the transaction of con
        with suppress(duckdb.Error), con.cursor() as cursor:
            [(off,)] = cursor.execute("select current_setting('disabled_optimizers')").fetchall()
            if SLOW_PASS not in off:
                cursor.execute("set disabled_optimizers = $1", [f"{off},{SLOW_PASS}".lstrip(",")])
                before = off
    try:
        yield
    finally:
        if before is not None:
            with suppress(duckdb.Error), con.cursor() as cursor:
                cursor.execute("set disabled_optimizers = $1", [before])


def _with_requirements(signature: inspect.Signature, doc: str) -> inspect.Signature:
    """A signature that names the requirements which a function explains, as help() and editors show it."""
    *others, last = signature.parameters.values()
    if "Requirements" not in str(last.annotation):
        return signature
    explained = [each for each in models() if re.search(rf"^ *- (\w+, )*{each.id}\b", doc, re.MULTILINE)]
    named = [
        inspect.Parameter(
            each.id,
            inspect.Parameter.KEYWORD_ONLY,
            default=each.default,
            annotation=each.type_in_python,
        )
        for each in explained
    ]
    return signature.replace(parameters=[*others, *named])


def _bound(name: str, signature: inspect.Signature, con: Any, args: Any, kwargs: Any) -> Mapping[str, Any]:
    """The arguments of a call by their parameters."""
    parameters = [*signature.parameters.values()]
    known = [*signature.parameters]
    if parameters[-1].kind is inspect.Parameter.VAR_KEYWORD:
        known += names() if "Requirements" in str(parameters[-1].annotation) else _of_any_macro()
    for keyword in kwargs:
        if keyword not in known:
            near = "".join(f"; did you mean {each}?" for each in get_close_matches(keyword.lower(), known, 1))
            raise CallError(f"{name}() has no parameter {keyword}{near}")
    if any(isinstance(each, duckdb.DuckDBPyConnection) for each in (*args, *kwargs.values())):
        raise InputError(f"the connection comes first: {name}(con, ...)")
    about_con = ""
    if con is None and args and not hasattr(type(args[0]), "columns"):
        about_con = f"; the first argument is no connection, but this {type(args[0]).__name__}"
    by_position = [each.name for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]
    if len(args) >= len(by_position):
        others = [f"{each.name}=..." for each in parameters if each.kind is each.KEYWORD_ONLY][:3]
        positional = f"{name}() takes {', '.join(by_position)} by position"
        named = f", all else by name, as {', '.join(others)}" if others else " and no more"
        raise CallError(f"{positional}{named}{about_con}")
    try:
        return signature.bind(con, *args, **kwargs).arguments
    except TypeError as error:
        twice = f": by position it takes {', '.join(by_position)}" if "multiple values" in str(error) else ""
        raise CallError(f"{name}(): {error}{twice}{about_con}") from None


def _of_any_macro() -> list[str]:
    """The names of all parameters that macros have, for a function that hands them on."""
    from sqlanon.macros.parameters import PARAMETERS

    listed = re.findall(r"^- ([\w, ]+?)(?::| \()", PARAMETERS, re.MULTILINE)
    return sorted({name for names in listed for name in names.split(", ")})


def _connection(
    name: str, signature: inspect.Signature, given: Mapping[str, Any]
) -> duckdb.DuckDBPyConnection:
    """The connection of a call that names none."""
    sources = [
        (parameter, each)
        for parameter, value in given.items()
        if "Source" in str(signature.parameters[parameter].annotation)
        for each in _each(value)
    ]
    for _, each in sources:
        if isinstance(each, MadeTable) and each.con is not None:
            return each.con
    for parameter, each in sources:
        if isinstance(each, str | os.PathLike) and not Path(each).is_file():
            raise InputError(
                f"{parameter}: there is no file {os.fspath(each)!r}, and to look for a table of this name a "
                f"connection is needed: give it first, {name}(con, ...), {EXAMPLE}"
            )
    is_in_main = threading.current_thread() is threading.main_thread()
    if is_in_main or any(isinstance(each, duckdb.DuckDBPyRelation) for _, each in sources):
        return duckdb.default_connection()  # which alone reads its relations
    if getattr(_of_thread, "of", None) is not (of := duckdb.default_connection()):
        _of_thread.of, _of_thread.cursor = of, of.cursor()
    cursor: duckdb.DuckDBPyConnection = _of_thread.cursor
    return cursor


def _each(value: Any) -> Iterator[Any]:
    """A source, or those in a list."""
    if isinstance(value, Mapping):
        yield from value.values()
    elif isinstance(value, list | tuple):
        yield from value
    else:
        yield value
