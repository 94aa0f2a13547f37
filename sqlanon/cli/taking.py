"""What commands take, as typer has it: from the words by which they declare it (sqlanon/cli/options.py)."""

from __future__ import annotations

import ast
import functools
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, get_args, get_type_hints

import typer

from sqlanon.cli.options import (
    EMPTY,
    FIELDS,
    FILES,
    FILES_AND_OUTPUT,
    LISTED,
    OTHER_RELEASES,
    Given,
    called,
    flags_of,
)
from sqlanon.cli.values import assignment_in, names_in, numbers_in, sets_in, several_numbers_in, types_in
from sqlanon.core import comments
from sqlanon.core.errors import UseError
from sqlanon.core.limits import limited
from sqlanon.policies import schema
from sqlanon.policies.parsing import check_limits, parameters_of
from sqlanon.policies.schema import METHODS, begun, sections

PANELS_OF_FIELDS = {
    **dict.fromkeys(("known", "known_presence"), OTHER_RELEASES),
    **dict.fromkeys(
        ("policy_file", "key_file", "sensitive_output", "force", "format", "sql", "steps"), FILES_AND_OUTPUT
    ),
}


@functools.cache
def _types() -> dict[str, Any]:
    """What the fields are, which typer reads values as."""
    untyped = {False: str | None, True: list[str] | None}  # of what some commands must be given
    return {
        name: untyped[FIELDS[name].reads is not None] if type_ is Any else type_
        for name, type_ in get_type_hints(Given).items()
        if name in FIELDS
    }


@dataclass(frozen=True)
class Taken:
    """An option of a command as typer has it. at: the key of a policy for which it stands."""

    name: str
    type: Any
    info: Any
    default: Any = None
    reads: Callable[[str, list[str]], Any] | None = None
    at: str = ""

    @property
    def parameter(self) -> inspect.Parameter:
        annotation = Annotated[self.type, self.info]  # type: ignore[name-defined]
        return inspect.Parameter(
            self.name, inspect.Parameter.KEYWORD_ONLY, default=self.default, annotation=annotation
        )

    def processed(self, param: Any, whole: Callable[[Any, Any], Any], ctx: Any, value: Any) -> Any:
        """A value, as typer's parameter has it. whole: processes it, with an error if it is wrong."""
        is_list = param.multiple or param.nargs == -1
        if value is None:
            return whole(ctx, value) if param.required else () if is_list else None
        [type_] = [each for each in get_args(self.type) or [self.type] if each is not NoneType]
        [type_] = get_args(type_) or [type_]  # of a list
        values = [self._single(type_, each) for each in ((value or ()) if is_list else [value])]
        if None in values or not values:
            return whole(ctx, value)
        return values if is_list else values[0]

    def _single(self, type_: Any, value: Any) -> Any:
        """A value of the type; None if that takes more."""
        if isinstance(value, type_):
            return value
        if type_ is Path:
            return Path(value)
        if type_ in (int, float):
            if not re.fullmatch(r"-?\d+" if type_ is int else r"-?\d+(\.\d+)?", str(value), re.ASCII):
                return None
            least, most = self.info.min, self.info.max
            number = type_(value)
            within = (least is None or least <= number) and (most is None or number <= most)
            return number if within else None
        return type_(value) if issubclass(type_, StrEnum) and value in [*type_] else None

    def read(self, value: Any) -> Any:
        """What was given, as a command or a policy has it."""
        flag = f"--{called(self.name).replace('_', '-')}"
        return value if value is None or self.reads is None else self.reads(flag, value)


def takes(
    *words: str, parameters: Mapping[str, comments.Parameter] | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """What a command takes, whose first argument is a `Given`. parameters: of a macro, as options."""
    said = " ".join((*words, "[limits]")).split()
    every = [
        *map(_of_key, _keys(said)),
        *(_of_field(word) for word in said if not _is_of_policy(word)),
        *(explained(name, parameter) for name, parameter in (parameters or {}).items()),
    ]

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def run(**values: Any) -> None:
            options: dict[str, dict[str, Any]] = {}
            own: dict[str, Any] = {}
            for each in every:
                value = each.read(values.pop(each.name))
                section, _, key = each.at.partition(".")
                if not section:
                    own[each.name] = value
                elif value is not None:
                    options.setdefault(section, {}).update({key: value} if key else value)
            with limited(check_limits({"limits": options.pop("limits", {})})):
                command(Given(options=options, **own), **values)

        _, *others = inspect.signature(command, eval_str=True).parameters.values()
        parameters = [*others, *(each.parameter for each in every)]
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {each.name: each.annotation for each in parameters}
        run.taken = {each.name: each for each in every}  # type: ignore[attr-defined]
        return run

    return decorate


def _of_field(word: str) -> Taken:
    """A field, with `!` if it must be given, with `?` if not."""
    name = word.rstrip("!?")
    each, type_ = FIELDS[name], _types()[name]
    if word.endswith("!"):
        [type_] = [one for one in get_args(type_) if one is not NoneType] or [type_]
    if each.macro:
        parameter = comments.parameters(each.macro)[called(name)]
        optional = word.endswith("?")
        unsaid: tuple[Any, dict[str, Any]] = (None, {"show_default": False})
        default, settings = unsaid if optional else (each.default, each.settings)
        if int in (type_, *get_args(type_)):
            settings = {"min": parameter.bounds[0], **settings}
        taken = explained(name, parameter, default, each.of_methods, settings)
        must = word.endswith("!") or (parameter.default is None and NoneType not in get_args(type_))
        return replace(taken, type=type_, default=EMPTY if must else taken.default)
    needed = word.endswith("!") or (each.default is None and NoneType not in get_args(type_))
    settings = {"metavar": each.metavar or None, "help": each.help, **each.settings}
    if not each.is_argument:
        settings["rich_help_panel"] = PANELS_OF_FIELDS.get(name)
    if "unsaid" in settings:
        settings["show_default"] = settings.pop("unsaid")
    info = typer.Argument(**settings) if each.is_argument else typer.Option(*flags_of(name), **settings)
    return Taken(name, type_, info, EMPTY if needed else each.default, each.reads)


KINDS: dict[str, tuple[Any, str | None, Any]] = {
    "number": (float, None, None),
    "integer": (int, None, None),
    "boolean": (bool, None, None),
    "table": (str, "FILE", None),
    "column": (str, "COLUMN", None),
    "columns": (list[str], "COLUMNS", names_in),
    "list of columns": (list[str], "COLUMNS", names_in),
    "list of lists of columns": (list[str], "COLUMNS", sets_in),
    "list of numbers": (list[str], "N,...", several_numbers_in),
    "value": (str, "VALUE", None),
}


def explained(
    name: str,
    parameter: comments.Parameter,
    default: Any = None,
    of_methods: Sequence[str] = (),
    settings: Mapping[str, Any] | None = None,
) -> Taken:
    """A parameter of a macro, with what its comment says. default: in place of the macro's, which the help
    shows."""
    kind = "columns" if parameter.name == "columns" else parameter.type.partition(",")[0]
    type_, metavar, reads = KINDS.get(kind, (str, "NAME", None))
    help = begun(parameter.meaning)
    if reads is sets_in:
        help += " Separated by commas; repeated for each further set."
    elif reads:
        help += f" {LISTED}"
    if parameter.choices:
        help += f" One of {', '.join(parameter.choices)}."
    if kind == "table":
        help += f" {FILES}."
    if of_methods:
        taking = (macro for macro in of_methods if parameter.name in comments.parameters(macro))
        help += f" For {', '.join(taking)}."
    said = _in_python(parameter.default)
    shown: dict[str, Any] = {"show_default": False}
    if default is EMPTY:
        default, shown = said, {} if said is not None else shown
    elif said is not None and type_ is not bool:
        shown = {"show_default": str(said)}
    flags = [] if type_ is bool and default is None else flags_of(name)
    info = typer.Option(*flags, **{"metavar": metavar, "help": help, **shown, **(settings or {})})
    return Taken(name, type_ | None, info, default, reads)


def _in_python(default: str | None) -> Any:
    """The default of a macro, if it is a number, a text, true or false."""
    if default is None or default == "null":
        return None
    return (
        {"true": True, "false": False}[default] if default in ("true", "false") else ast.literal_eval(default)
    )


# Keys of a policy

HIERARCHY = "hierarchies."  # a file for a column
# --known names files, complete_hierarchies goes with --hierarchy, repairs are for files that come again.
REPAIRS = {f"input.{name}" for name in ("missing_in", "digits", "rename", "called", "only_table")}
NO_OPTIONS = {"requirements.known", "input.complete_hierarchies", *REPAIRS}
# What a release cannot do without stands first, in no panel of its own.
NEEDED = ("roles.qi", "roles.sensitive", "requirements.k")
PANELS = {
    "roles": "Other columns", "requirements": "Requirements", "method": "Method", "output": "Method",
    "input": FILES_AND_OUTPUT, "hierarchies": FILES_AND_OUTPUT, "limits": FILES_AND_OUTPUT,
}  # fmt: skip
WRITTEN = {
    "roles.qi": "Separated by commas; a name with one in double quotes.",
    "requirements.population": "A file, or file.duckdb::table.",
    "method.based_on": "A file, or file.duckdb::table.",
    "method.levels": "Several are separated by commas.",
}
METAVARS = {
    "input.missing": "TEXTS", "input.encoding": "NAME", "method.target": "COLUMN",
    "requirements.population_weight": "COLUMN", "roles.unit": "COLUMN", "roles.weight": "COLUMN",
    "roles.sampling_weight": "COLUMN", "roles.household": "COLUMN",
    "limits.memory": "SIZE", "limits.spill": "SIZE",
}  # fmt: skip
# How values are written, and what reads them.
TYPES: dict[Any, tuple[Any, str | None, Any]] = {
    bool: (bool, None, None),
    int: (int, None, None),
    float: (float, None, None),
    str: (str, "FILE", None),
    schema.Names: (list[str], "COLUMNS", names_in),
    list[int]: (list[str], "N,...", several_numbers_in),
    schema.Types: (list[str], "COLUMN=TYPE,...", lambda flag, lines: dict(types_in(flag, lines))),
    schema.Levels: (list[str], "COLUMN=N,...", lambda flag, lines: dict(numbers_in(flag, lines, int))),
    schema.Weights: (list[str], "COLUMN=N,...", lambda flag, lines: dict(numbers_in(flag, lines, float))),
}


def _is_of_policy(word: str) -> bool:
    return word[0] in "[-" or "." in word


def _keys(words: Sequence[str]) -> list[tuple[str, bool]]:
    """The keys of a policy, files last, and whether help tells which methods have it."""
    left_out = {*(word.removeprefix("-") for word in words if word[0] == "-"), *NO_OPTIONS}
    found: list[str] = []
    for word in filter(_is_of_policy, words):
        section = word.strip("[]")
        if word == "[hierarchies]":
            found += [HIERARCHY, "input.complete_hierarchies"]
        elif word[0] == "[":
            found += [at for name in sections()[section] if (at := f"{section}.{name}") not in left_out]
        elif word[0] != "-":
            found.append(word)
    found.sort(key=lambda at: at.startswith(("input.", HIERARCHY, "limits.")))
    return [(at, "[method]" in words and at.startswith("method.") and at != "method.name") for at in found]


def _of_key(key_and_methods: tuple[str, bool]) -> Taken:
    at, of_methods = key_and_methods
    section, _, key = at.partition(".")
    settings: dict[str, Any] = {"rich_help_panel": None if at in NEEDED else PANELS.get(section)}
    if at == HIERARCHY:
        file = schema.HIERARCHIES["file"]["file"].help
        help = f"The hierarchy of a column: {file[0].lower()}{file[1:]} May be repeated."
        info = typer.Option("--hierarchy", metavar="COLUMN=FILE", help=help, **settings)
        return Taken("hierarchy", list[str] | None, info, reads=_files, at=at)
    known = sections()[section][key]
    type_, metavar, reads = TYPES[known.type]
    settings["help"] = f"{known.help} {WRITTEN.get(at, '')}".strip()
    if known.choices:
        settings["help"] += f" One of {', '.join(known.choices)}."
    if of_methods:
        settings["help"] += f" For {', '.join(method for method in METHODS if key in parameters_of(method))}."
    if type_ is bool:
        return Taken(key, bool | None, typer.Option(show_default=False, **settings), at=at)
    if type_ in (int, float):
        settings |= {"min": known.least, "max": known.most}
        if known.above:  # which typer cannot say of a range
            settings["help"] += f" {known.least} itself is not allowed."
    name = "method" if at == "method.name" else key
    metavar = METAVARS.get(at, "NAME" if known.choices and type_ is str else metavar)
    reads = (lambda _, method: method.replace("-", "_")) if at == "method.name" else reads
    return Taken(
        name, type_ | None, typer.Option(*flags_of(name), metavar=metavar, **settings), reads=reads, at=at
    )


def _files(flag: str, lines: Sequence[str]) -> dict[str, Any]:
    """Hierarchies as a policy has them: files by column."""
    files: dict[str, Any] = {}
    for column, file in (assignment_in(flag, text, "COLUMN=FILE") for text in lines):
        if column in files:
            raise UseError(f"{flag} {column}: {column} has a hierarchy already")
        files[column] = {"file": file}
    return files
