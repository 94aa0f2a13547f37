"""What can be required of a release: the parameters that every anonymizer and check has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlanon.core.errors import InputError
from sqlanon.core.models import having, in_words, models


def complete(given: Mapping[str, Any], method: str = "", **unknown: str) -> dict[str, Any]:
    """All requirements in the order of the macros' parameters, None where nothing is required.

    unknown: what a method cannot look at (population, known) and why; its requirements are left out. Errors:
    InputError for one of these.
    """
    if strange := sorted(given.keys() - {model.id for model in models()}):
        # as Python says it of a parameter
        raise TypeError(f"got an unexpected keyword argument {strange[0]!r}")
    for about, why in unknown.items():
        names = [model.id for model in having(about)]
        if any(given.get(name) is not None for name in names):
            raise InputError(f"{method} does not know {in_words(names, 'and')}: {why}")
    left = having(but=[*unknown])
    return {model.id: given.get(model.id, model.default) for model in left}


def names() -> list[str]:
    """The parameters."""
    return [model.id for model in models()]
