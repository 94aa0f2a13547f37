"""The arguments of a function, checked against its signature: errors name what was probably meant."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from inspect import Signature
from numbers import Real
from typing import Any

from sqlanon.core.errors import InputError
from sqlanon.core.source import filters_given, listed, names


def check(signature: Signature, given: Mapping[str, Any]) -> None:
    """Look at the arguments of a call before anything is done. Errors: InputError.

    Whether a number is in its range, a column or a table there, or what is None needed, the macros say.
    """
    for parameter, value in given.items():
        annotation = str(signature.parameters[parameter].annotation).removesuffix(" | None")
        trouble = _text if annotation.startswith("Literal[") else TROUBLES.get(annotation)
        if value is not None and trouble:
            trouble(parameter, value)


def _one_table(parameter: str, value: Any) -> None:
    if isinstance(value, list | tuple | set):
        raise InputError(f"{parameter} is one table, not a list of {len(value)}{_elsewhere(value)}")


def _elsewhere(value: Iterable[Any]) -> str:
    return "".join(f": write {each!r}" for each in [*value][:1] if isinstance(each, str))


def _columns(parameter: str, value: Any) -> None:
    if not isinstance(value, Iterable) or isinstance(value, str | list | tuple | set):
        names(value, parameter)
    elif type(value).__name__ == "Series":  # of pandas or polars: its values are no columns
        called = getattr(value, "name", None)
        raise InputError(f"{parameter} takes names of columns, not a Series: write {called!r}")


def _filters(parameter: str, value: Any) -> None:
    filters_given(value, parameter)


def _text(parameter: str, value: Any) -> None:
    if not isinstance(value, str):
        one = f": write {value[0]!r}" if isinstance(value, list | tuple) and len(value) == 1 else ""
        raise InputError(f"{parameter} is one name or text, not {_shown(value)}{one}")


def _number(parameter: str, value: Any) -> None:
    if not isinstance(value, Real | Decimal):
        raise InputError(f"{parameter} must be a number, not {_shown(value)}")


def _whole_number(parameter: str, value: Any) -> None:
    if not isinstance(value, Real | Decimal):  # what 2.5 is too much for, macros say
        raise InputError(f"{parameter} must be a whole number, not {_shown(value)}")


def _truth(parameter: str, value: Any) -> None:
    if not isinstance(value, bool):
        raise InputError(f"{parameter} must be True or False, not {_shown(value)}")


def _numbers(parameter: str, value: Any) -> None:
    if not isinstance(value, Iterable) or isinstance(value, str):
        raise InputError(f"{parameter} is a list of numbers, not {_shown(value)}: write [{value}]")


def _by_column(parameter: str, value: Any) -> None:
    if not isinstance(value, Iterable) or isinstance(value, str):
        raise InputError(
            f"{parameter} has a number for each column in qi: a list of them in its order, or a dict such as "
            f"{{'age': 1}}, not {_shown(value)}"
        )
    for number in value.values() if isinstance(value, Mapping) else value:
        if number is not None:
            _number(f"each of {parameter}", number)


def _tables(parameter: str, value: Any) -> None:
    if not isinstance(value, Iterable) or isinstance(value, str) or hasattr(value, "columns"):
        listed(value, parameter)


def _shown(value: Any) -> str:
    """A value in a message, if it is short."""
    text = re.sub(r"\s+", " ", repr(value))
    return text if len(text) <= 60 else f"this {type(value).__name__}"


# by annotation, without None
TROUBLES: Mapping[str, Callable[[str, Any], None]] = {
    "Source": _one_table,
    "Names": _columns,
    "Filters": _filters,
    "str | Iterable[str]": _columns,
    "str": _text,
    "int": _whole_number,
    "float": _number,
    "bool": _truth,
    "Iterable[float]": _numbers,
    "Iterable[float | None]": _numbers,
    "Levels": _by_column,
    "Weights": _by_column,
    "Iterable[Source]": _tables,
    "Iterable[Source] | Mapping[str, Source]": _tables,
}
