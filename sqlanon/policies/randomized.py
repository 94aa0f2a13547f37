"""[dp] of a policy: how a table is released with differential privacy. Its keys are the parameters of the
macros that do it, as their comments have them, and the source whose budget pays."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlanon.core.comments import Parameter, parameters
from sqlanon.core.errors import UseError
from sqlanon.core.suggestions import suggestion
from sqlanon.policies import schema
from sqlanon.policies.schema import Key, Names, Sets
from sqlanon.randomize.mechanisms import MECHANISMS

SOURCE = Key(str, "What the data is called in the register, whatever file it is in.")
# What the command line and a policy call a parameter of a macro.
WRITTEN = {"columns": "by"}
SETS = "list of lists of columns"  # the type of a parameter, of those that are to group by


def taken(macro: str) -> dict[str, Parameter]:
    """The parameters of a macro that are keys, as they are written."""
    return {
        WRITTEN.get(name, name): parameter for name, parameter in parameters(macro).items() if name != "tbl"
    }


def key(parameter: Parameter) -> Key:
    """A parameter as a key of a policy."""
    types = {
        "number": float, "integer": int, "boolean": bool, "columns": Names, "list of numbers": list[float],
        SETS: Sets,
    }  # fmt: skip
    kind = Names if parameter.name == "columns" else types.get(parameter.type.partition(",")[0], str)
    return Key(kind, parameter.meaning, choices=tuple(parameter.choices))


def keys() -> dict[str, Key]:
    """All keys of [dp]."""
    known = {"source": SOURCE}
    for macro in MECHANISMS.values():
        known |= {name: key(parameter) for name, parameter in taken(macro).items()}
    return known


def check(table: Any, path: Path) -> Mapping[str, Any]:
    """[dp], once its keys are known and of the right types. Errors: UseError, which names file and key."""
    if not isinstance(table, dict):
        raise UseError(f"{path}: dp must be a table, [dp], not {schema.shown(table)}")
    known = keys()
    for name, value in table.items():
        if name not in known:
            raise UseError(f"{path}: dp.{name} is not known{suggestion(name, known)}")
        if problem := schema.trouble(value, known[name]):
            raise UseError(f"{path}: dp.{name} {problem}")
    return table
