"""Privacy models that users have written: a macro of a class's sensitive values, with a block in its comment.

The block is a row of the list of models (sql/models/list_of_models.sql). The library is written anew with it:
what checks, enforces, reports and explains models does so from the list.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from sqlanon.core import comments, library, models
from sqlanon.core.errors import UseError

CHOICES = {
    "about": ("values", "shares"),
    "direction": ("at least", "at most", "below"),
    "merged_if": ("one", "both", "neither"),
    "with_table": ("true", "false"),
    "type": ("integer", "number"),
}
NEEDED = ("about", "reached", "direction", "says")
NUMBERS = ("least", "above", "most")
KEYS = ("title", *NEEDED, "merged_if", "with_table", "type", *NUMBERS)

_CREATED = re.compile(r"^(\s*)create\s+(?:or\s+replace\s+)?macro\s+(\w+)", re.IGNORECASE | re.MULTILINE)
_COMMENTED = re.compile(r"^(\s*comment\s+on\s+macro\s+)(\w+)", re.IGNORECASE | re.MULTILINE)
_TITLE = re.compile(r"[\w ,().:-]+")
_SPECIAL = re.compile(r"[;{}$]")


def add(script: str, found: Mapping[str, tuple[str, Mapping[str, str]]]) -> None:
    """Have models in the library. script: the macros, which call each other without a schema. found: those
    that are models, by name: the comment, and what its block says. Errors: UseError for one that is none."""
    if not found:
        return
    own = re.compile(rf"(?<![\w.'])(?:{'|'.join(name for _, name in _CREATED.findall(script))})(?=\s*\()")
    ours = r"sqlanon.\g<0>"
    rows = [_row(name, comment, says) for name, (comment, says) in found.items()]
    text = own.sub(ours, _CREATED.sub(r"\1create or replace macro \2", script))
    library.add(
        _COMMENTED.sub(r"\1sqlanon.\2", text).rstrip("; \n") + ";\n",
        [replace(row, reached=own.sub(ours, row.reached)) for row in rows],
    )
    comments.forget()


def _row(name: str, comment: str, says: Mapping[str, str]) -> models.Requirement:
    """The row of a model in the list. says: what the block says, by key. Errors: UseError for a key that is
    missing, unknown, or has another value."""

    def wrong(message: str) -> UseError:
        return UseError(f"the block Model in the comment on {name} {message}")

    if not name.islower():
        raise UseError(f"the name of a model is in lower case: {name.lower()}, not {name}")
    macro = comments.with_parameter(name)
    if macro and name not in {model.id for model in models.added()}:  # which may be given anew
        raise UseError(f"{name} is a parameter of {macro} already: give your model another name")
    if strange := sorted(says.keys() - {*KEYS}):
        raise wrong(f"has {strange[0]}, which is none of {', '.join(KEYS)}")
    for key in NEEDED:
        if key not in says and key not in CHOICES:
            raise wrong(f"must say {key}")
    for key, choices in CHOICES.items():
        if says.get(key, None if key in NEEDED else choices[-1]) not in choices:
            raise wrong(f"must say {key}: {models.in_words(choices, 'or')}")
    for key in NUMBERS:
        if not re.fullmatch(r"-?\d+", says.get(key, "0")):
            raise wrong(f"must have a whole number as {key}, not {says[key]}")
    about = comment.partition("\n\n")[0].replace("\n", " ")
    if not _TITLE.fullmatch(says.get("title", name)):
        raise wrong("must have a title of letters, digits, blanks and , ( ) . : -")
    if _SPECIAL.search(says["reached"]) or re.search(r"[{}$]", about + says["says"]):
        raise wrong("must have no ; { } $ in what it says")
    return models.Requirement(
        id=name, title=says.get("title", name), about=says["about"], reached=says["reached"],
        direction=says["direction"], merged_if=says.get("merged_if", "neither"),
        with_table=says.get("with_table") == "true", type=says.get("type", "number"),
        least=int(says.get("above", says.get("least", 0))), above="above" in says,
        greatest=int(says["most"]) if "most" in says else None, meaning=about, says=says["says"],
    )  # fmt: skip
