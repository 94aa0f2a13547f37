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


def of_others() -> list[str]:
    """The anonymizers that others have written."""
    from sqlanon.core.plugins import plug_ins

    return [*plug_ins("anonymizer")]


def releases_centroids(name: str) -> bool:
    """Does a method release one record for a class, in place of labels that cover its rows?"""
    from sqlanon.core.plugins import plug_ins

    if name in METHODS:
        return name == "microaggregate"
    return plug_ins("anonymizer")[name].says["releases"] == "centroids"


def method_of_name(name: str) -> Callable[..., Release]:
    """The function. Its module is imported when one is first needed."""
    if name not in METHODS:
        from sqlanon.anonymize.plugged import function_of

        return function_of(name)
    function: Callable[..., Release] = getattr(import_module("sqlanon.macros.anonymize"), name)
    return function
