"""What can be required of a release: the rows of sql/models/list_of_models.sql, and what is written from them
in the other files of sql/, in holes:

    {requirements: {id} := {fallback}}
    {requirements but population, known: {id} := {id}}
    {verdicts of values, shares: sqlanon._verdict_{direction}('{id}', ...)}
    {verdicts of size joined by and: ...}

A template is written once for each requirement, or for each verdict on one, with commas between. Words after
`of` and `but` choose rows that have one of them: as id, about, merged_if, type or direction (at_least,
at_most, below); or model, setting, or with_table. Instead of commas there is what `joined by` says;
`listed with and` says and before the last; `a line each` makes lines of a comment. Where there is nothing to
write, a comma before the hole goes, too; joined by and, that is true, and joined by or, it is false.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from textwrap import fill as wrapped
from typing import Any

from sqlanon.core.freshness import sql_folder

LIST = "models/list_of_models"
WIDTH = 110
NONE = {"and": "true", "or": "false"}  # what is said of nothing

_ROW = re.compile(r"^    select (.*?)(?=;$|\n    union all)", re.M | re.S)
_FIELD = re.compile(r"((?:'(?:[^']|'')*'|\|\||[\d.]+|true|\s)+) as (\w+)(?:,\s*|$)")
_WORD = re.compile(r"\w+")
_TEXT = re.compile(r"'((?:[^']|'')*)'")
_HOLE = re.compile(
    r"""(?P<comma>,\s*)?\{(?P<kind>requirements|verdicts)
    (?:[ ]of[ ](?P<of>\w+(?:,[ ]\w+)*))?(?:[ ]but[ ](?P<but>\w+(?:,[ ]\w+)*))?
    (?:[ ](?P<how>joined[ ]by|listed[ ]with|a[ ]line)[ ](?P<word>\w+))?
    :\s(?P<template>(?:[^{}]|\{\w+\})+)\}(?=(?P<after>.*))""",
    re.X,
)


@dataclass(frozen=True)
class Requirement:
    """A row of `_models()`; sql/models/list_of_models.sql says what its fields are."""

    id: str
    title: str = ""
    about: str = ""
    reached: str = ""
    direction: str = ""
    merged_if: str = ""
    with_table: bool = False
    type: str = ""
    least: int | None = None
    above: bool = False
    greatest: int | None = None
    choices: str = ""
    fallback: str = "null"
    needs: str = ""
    varies_by: str = ""
    meaning: str = ""
    says: str = ""

    @property
    def words(self) -> set[str]:
        """What a hole may choose it by."""
        direction = self.direction.replace(" ", "_")
        kind = "model" if self.about else "setting"
        compared = "with_table" if self.with_table else ""
        return {self.id, self.about, self.merged_if, self.type, direction, kind, compared}

    @cached_property
    def said_of(self) -> dict[str, str]:
        """The choices, each with what it adds to what a model says."""
        return dict(re.findall(r"(\w+)(.*?)(?:; |$)", self.choices))

    @property
    def default(self) -> str | bool | None:
        """What it is where it is not given: a text, false, or nothing."""
        if self.type == "boolean":
            return False
        return None if self.fallback == "null" else self.fallback.strip("'")

    @property
    def type_in_python(self) -> str:
        """The type of a parameter in Python."""
        types = {
            "integer": "int | None", "number": "float | None", "choice": "str",
            "columns": "str | Sequence[str] | None", "boolean": "bool",
        }  # fmt: skip
        return types[self.type]

    @property
    def bounds(self) -> str:
        """What may be given, in the words of an error."""
        if self.choices:
            return in_words(self.said_of, "or")
        if self.type == "integer":
            return f"a whole number {'of' if self.greatest is None else 'from'} {self.range}"
        return f"between {self.range}".replace(" to ", " and ") if " to " in self.range else self.range

    @property
    def range(self) -> str:
        """What may be given, in the words of a macro's comment."""
        if self.above:
            return f"above {self.least}" + (f" and at most {self.greatest}" if self.greatest else "")
        return f"at least {self.least}" if self.greatest is None else f"{self.least} to {self.greatest}"

    @property
    def lacking(self) -> str:
        """What is wrong where the parameter that it needs is not given."""
        other = by_id().get(self.needs, self)
        two = f"{self.title or other.title} has two parameters"
        if other.needs == self.id:
            return f"{in_words(sorted((self.id, other.id)), 'and')} go together: {two}"
        return f"{self.id} needs {self.needs}: {two}"

    def fields(self) -> dict[str, str]:
        """The fields of this model, as a template takes them."""
        choices = [*self.said_of]
        kinds = {"columns": "columns", "boolean": "boolean"}
        given = kinds.get(self.type) or f"{self.type}, {self.range}"
        unsaid = "8999999999999999" if self.type == "integer" else "'infinity'::double"
        lacks = f"case when {self.id} is not null and {self.needs} is null\n         then "
        return {name: _in_sql(value) for name, value in asdict(self).items()} | {
            "among": str(choices),
            "bounds": self.bounds,
            "closed": _in_sql(not self.above),
            "direction": self.direction.replace(" ", "_"),
            "end": " end" if self.needs else "",
            "given": f"one of {', '.join(choices)}" if choices else given,
            "most": unsaid if self.greatest is None else str(self.greatest),
            "required": f"req.{self.id}",
            "unless": f"{lacks}error('{self.lacking}')\n         else " if self.needs else "",
        }

    def verdicts(self) -> list[dict[str, str]]:
        """The fields of its verdicts in a template: of one for each choice of the setting that it varies
        by."""
        fields, by = self.fields(), self.varies_by
        return [
            fields | {
                "id": f"{self.id}_{choice}", "title": f"{self.title} ({choice})", "says": self.says + added,
                "required": f"case when req.{by} = '{choice}' then req.{self.id} end",
            }
            for choice, added in by_id()[by].said_of.items()
        ] if by else [fields]  # fmt: skip


def _in_sql(value: Any) -> str:
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def in_words(names: Iterable[str], word: str) -> str:
    """a, b and c."""
    *others, last = names
    return f"{', '.join(others)} {word} {last}" if others else last


@cache
def _listed() -> tuple[Requirement, ...]:
    return tuple(Requirement(**row) for row in rows_in(LIST))


_added: dict[str, Requirement] = {}  # models of others, while this process runs


def models() -> tuple[Requirement, ...]:
    """The rows, in the order of the macros' parameters; then the models of plug-ins."""
    return (*_listed(), *_added.values())


def added() -> tuple[Requirement, ...]:
    """The models of plug-ins."""
    return tuple(_added.values())


def add(model: Requirement) -> None:
    """Make a model of others known to this process."""
    _added[model.id] = model
    by_id.cache_clear()


def rows_in(script: str) -> list[dict[str, Any]]:
    """The rows that a script lists, a `select 'text' as field, 1 as other` each: field -> value."""
    text = (sql_folder() / f"{script}.sql").read_text("utf-8")
    return [fields for row in _ROW.findall(text) if (fields := _fields(row))]


def _fields(row: str) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for value, name in _FIELD.findall(row):
        texts = _TEXT.findall(value)
        number = float if "." in value else int
        given[name] = "".join(texts).replace("''", "'") if texts else value == "true" or number(value)
    return given


@cache
def by_id() -> dict[str, Requirement]:
    return {model.id: model for model in models()}


def about_known() -> list[str]:
    """What can be required of a release and known ones together: models of the list, and composed_confidence,
    which is no property of a class."""
    return [*(model.id for model in having("known")), "composed_confidence"]


def having(*of: str, but: Sequence[str] = ()) -> list[Requirement]:
    """The rows with one of the words, and with none of the others."""
    return [each for each in models() if (not of or each.words & {*of}) and not each.words & {*but}]


def verdict_of(id: str, given: Mapping[str, Any]) -> str:
    """The id of the verdict on a requirement among those that are given."""
    model = by_id().get(id)
    if model is None or not model.varies_by:
        return id
    setting = by_id()[model.varies_by]
    return f"{id}_{given.get(setting.id) or setting.default}"


def fill(text: str) -> str:
    """A script with its holes filled."""
    return _HOLE.sub(_filled, text) if "{requirements" in text or "{verdicts" in text else text


def _filled(hole: re.Match[str]) -> str:
    of, but, how, word = (hole[name] or "" for name in ("of", "but", "how", "word"))
    pieces = [
        re.sub(r"\{(\w+)\}", lambda field, fields=fields: fields[field[1]], hole["template"])
        for each in having(*_WORD.findall(of), but=_WORD.findall(but))
        for fields in ([each.fields()] if hole["kind"] == "requirements" else each.verdicts())
    ]
    comma = hole["comma"] or ""
    if how == "listed with":
        return comma + in_words(pieces, word)
    if how == "a line":
        lines = (wrapped(each, WIDTH, subsequent_indent="  ", break_on_hyphens=False) for each in pieces)
        return "\n".join(lines)
    if not pieces:
        return comma + NONE[word] if word else ""
    start = hole.start("kind") - 1
    line = hole.string[hole.string.rfind("\n", 0, start) + 1 : start]
    indent = "\n" + " " * (len(line) - len(line.lstrip()) + (2 if line.startswith("- ") else 0))
    separator = f" {word}" if word else ","
    own_lines = max(map(len, pieces)) > WIDTH // 3
    text, column = comma + pieces[0], len(line) + len(pieces[0])
    for piece in pieces[1:]:
        text, column = text + separator, column + len(separator)
        # what comes after the hole may be in the same line
        if own_lines or column + 1 + len(piece) + len(hole["after"]) > WIDTH:
            text, column = text + indent + piece, len(indent) - 1 + len(piece)
        else:
            text, column = f"{text} {piece}", column + 1 + len(piece)
    return text
