"""The methods that anonymize, by name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlanon.core.release import Release

METHODS = (
    "mondrian", "generalize", "optimal", "samarati", "datafly", "mu_argus", "microaggregate", "k_similar",
    "anatomize", "recode",
)  # fmt: skip


def method_of_name(name: str) -> Callable[..., Release]:
    """The function, whose module is imported when one is asked for."""
    function: Callable[..., Release] = getattr(import_module("sqlanon.macros.anonymize"), name)
    return function
