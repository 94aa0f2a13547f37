"""The methods that anonymize, by name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlanon.core.release import Release

# Functions and macros, and the modules that are imported when one is asked for.
METHODS = {
    "mondrian": "sqlanon.anonymize.mondrian",
    "generalize": "sqlanon.anonymize.full_domain",
    "optimal": "sqlanon.anonymize.full_domain",
    "samarati": "sqlanon.anonymize.full_domain",
    "datafly": "sqlanon.anonymize.full_domain",
    "mu_argus": "sqlanon.anonymize.mu_argus",
    "microaggregate": "sqlanon.anonymize.microaggregate",
    "k_similar": "sqlanon.anonymize.k_similar",
    "anatomize": "sqlanon.anonymize.anatomy",
    "recode": "sqlanon.anonymize.recode",
}


def method_of_name(name: str) -> Callable[..., Release]:
    """The function."""
    function: Callable[..., Release] = getattr(import_module(METHODS[name]), name)
    return function
