"""What the comments on the public macros say of their parameters: without a connection."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from sqlanon.core.library import files
from sqlanon.core.models import Requirement, added, fill, having
from sqlanon.core.requirements import names

_BOUND = r"-?[\d.]+"
_SHARED = re.compile(r"- ([\w, ]+): as in (\w+)")
_OWN = re.compile(r"- (\w+) \((.*?)(?:; default (.*?))?\): (.*)")


@dataclass(frozen=True)
class Parameter:
    """A parameter of a macro: its type, its default as SQL (None: it must be given), and what it means."""

    name: str
    type: str
    default: str | None
    meaning: str

    @property
    def bounds(self) -> tuple[float | None, float | None]:
        """The least and the most, whether these are in the range or not."""
        least = re.search(rf"(?:at least|above) ({_BOUND})|({_BOUND}) to ", self.type)
        most = re.search(rf"(?:at most|below|to) ({_BOUND})$", self.type)
        return float(least[1] or least[2]) if least else None, float(most[1]) if most else None

    @property
    def is_table(self) -> bool:
        """Is it a table, or a list of them?"""
        return self.type.startswith(("table", "list of tables"))

    @property
    def choices(self) -> list[str]:
        """The values that it takes, if it is one of them."""
        return self.type.removeprefix("one of ").split(", ") if self.type.startswith("one of ") else []


@cache
def _comments() -> Mapping[str, str]:
    """The comments as they are written: to fill the holes of all takes long."""
    found = {}
    for script in files().values():  # without a pattern, which would go through all of sql/ letter by letter
        for comment in script.split("\ncomment on macro ")[1:]:
            named, _, rest = comment.partition(" is $$\n")
            found[named.rpartition("sqlanon.")[2]] = rest.partition("$$;")[0]
    return found


@cache
def blocks(macro: str) -> Mapping[str, str]:
    """The comment of a public macro by its blocks: about, Parameters, Result, ..., with what is after the
    colon."""
    about, *others = fill(_comments()[macro]).split("\n\n")
    return {"about": about} | {kind: text for kind, _, text in (other.partition(":") for other in others)}


_READ: list[str] = []  # from sql/ by this process


def listed() -> str:
    """What the comments list of parameters, macro by macro."""
    if _READ:
        return _READ[-1]
    from sqlanon.macros.parameters import PARAMETERS  # an error where it is older than sql/

    return PARAMETERS


@cache
def _entries() -> Mapping[str, str]:
    parts = re.split(r"^(\w+)\n", listed().lstrip("\n"), flags=re.M)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


_ADDED: dict[str, str] = {}


def add(macro: str, comment: str) -> None:
    """Make known what the comment on a macro of others says of its parameters."""
    _, _, listed = comment.partition("\n\nParameters:\n")
    _ADDED[macro] = listed.partition("\n\n")[0]
    parameters.cache_clear()


@cache
def parameters(macro: str) -> Mapping[str, Parameter]:
    """The parameters of a public macro, or of one of others, by name, in order."""
    result: dict[str, Parameter] = {}
    for entry in (_entries().get(macro) or _ADDED[macro]).strip().replace("\n  ", " ").split("\n"):
        if shared := _SHARED.fullmatch(entry):
            elsewhere = parameters(shared[2])
            result |= {name: elsewhere[name] for name in shared[1].split(", ")}
        elif own := _OWN.fullmatch(entry):
            result[own[1]] = Parameter(*own.groups())
    if added() and result.keys() >= _REQUIRED:
        result |= {each.id: _of_model(each) for each in added()}
    return result


# What every macro takes that takes requirements at all.
_REQUIRED = {model.id for model in having(but=["population", "known"])}


def _of_model(model: Requirement) -> Parameter:
    return Parameter(model.id, f"{model.type}, {model.range}", model.fallback, model.meaning)


def forget() -> None:
    """Read the comments again: there are other models."""
    parameters.cache_clear()
    blocks.cache_clear()


def with_parameter(name: str) -> str | None:
    """A public macro that has a parameter of this name."""
    return next((macro for macro in _entries() if name in parameters(macro)), None)


def requirements_of(macro: str) -> list[str]:
    """The parameters of a macro that say what is required, if all can be that is not about other tables."""
    taken = parameters(macro)
    return [name for name in names() if name in taken] if taken.keys() >= _REQUIRED else []


def read_parameters() -> str:
    """The parameters as sql/ says them, which takes long to read; from now on all others use them, too."""
    _READ.append(
        "\n".join(f"{macro}{blocks(macro).get('Parameters', '')}\n" for macro in sorted(_comments()))
    )
    _entries.cache_clear()
    parameters.cache_clear()
    return _READ[-1]


def is_macro(name: str) -> bool:
    """Is there a public macro of this name?"""
    return name in _entries()


def about(macro: str) -> str:
    """What a public macro does: the first paragraph of its comment."""
    return blocks(macro)["about"].replace("\n", " ")


_ATTACK = re.compile(r"^\s+\('(\w+)', '\w+', .*'(\w+)', (?:null|'\w+'), (?:null|'\w+')\)", re.M)
# How sure somebody is, in percent and above 0, as measures have it in their names: 90, 0_5.
LEVEL = r"(?:100|(?![0_]+(?![\d_]))\d{1,2}(?:_\d+)?)"
_NOTED = re.compile(r"^- ([\w<>, ]+): ", re.M)


@cache
def attacks() -> Mapping[str, str]:
    """Our attacks, each with the macro that sums it up."""
    return dict(_ATTACK.findall(files()["attack/attacks"]))


@cache
def measures(attack: str) -> re.Pattern[str]:
    """What the measures of an attack are called, as the comment of the macro that sums it up lists them. That
    of attacks which others have written is attack_summary."""
    comment = fill(_comments()[attacks().get(attack, "attack_summary")])
    [listed] = re.findall(r"^- id \(text\): the measure: (.*?)\.", comment, re.M | re.S) or [
        ", ".join(_NOTED.findall(comment.partition("The measures, by id:")[2]))
    ]
    return re.compile("|".join(re.escape(id.strip()).replace("<level>", LEVEL) for id in listed.split(",")))
