"""The options of the command line that are keys of a policy: made from sqlanon/policies/schema.py, and read into a policy's form."""

import csv
import functools
import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from sqlanon.core.errors import UseError
from sqlanon.policies import schema
from sqlanon.policies.parsing import parameters_of
from sqlanon.policies.schema import METHODS, SECTIONS

HIERARCHIES = "hierarchies"
PANELS = {"requirements": "Requirements", "method": "Method"}
WRITTEN = {
    "roles.qi": "Separated by commas; may be repeated. As in CSV, a name with a comma stands in double quotes: "
    "--qi '\"last, first\",age'.",
    "requirements.population": "A file, or file.duckdb::table.",
    "method.levels": "Several are separated by commas.",
}

# Options that several commands have, and that are no keys.

FILES = "a .csv, .tsv, .json, .ndjson, .jsonl (also .gz, .zst) or .parquet file, or file.duckdb::table"

PolicyFile = Annotated[
    Path | None,
    typer.Option(
        "--policy",
        metavar="FILE",
        help="A policy, which 'sqlanon init' writes a first one of. Options stand in place of its keys.",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Replace OUTPUT if it exists.")]


def columns_option(flag: str, told: str) -> Any:
    """An option that names columns."""
    named = typer.Option(flag, metavar="COLUMNS", help=f"{told} Separated by commas; may be repeated.")
    return Annotated[list[str] | None, named]


# Of an attack

Releases = Annotated[
    list[str], typer.Argument(metavar="RELEASE...", help=f"The releases, each {FILES}.", show_default=False)
]
Truth = columns_option(
    "--truth",
    "The columns of the targets with the true values, one per sensitive column: tells how often the attack is right.",
)
Presence = columns_option(
    "--presence", "A column of the targets per release that says (true or false) who is in it."
)
Nearest = Annotated[
    list[str] | None,
    typer.Option(
        "--nearest",
        metavar="RELEASE",
        help="One of the releases, if it is of centroids (as microaggregate makes them): people are at the nearest. "
        "May be repeated.",
    ),
]
ExactCover = Annotated[
    bool,
    typer.Option(
        "--exact-cover", help="Remove the candidates that other targets in the same class must have."
    ),
]


def check_nearest(nearest: Sequence[str] | None, releases: Sequence[str]) -> None:
    """Errors: UseError for what is none of the releases."""
    for of_centroids in nearest or ():
        if of_centroids not in releases:
            raise UseError(
                f"--nearest {of_centroids} is none of the releases{schema.suggestion(of_centroids, releases)}"
            )


def takes(*chosen: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Options for keys of a policy (`roles.qi`), or for all of a section (`method`), as the command's `options`."""
    places = dict(_places(chosen))

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def run(**given: Any) -> None:
            options: dict[str, dict[str, Any]] = {}
            for name, at in places.items():
                value = given.pop(name)
                if value is not None:
                    section, _, key = at.partition(".")
                    options.setdefault(section, {}).update(
                        _read(f"--{name.replace('_', '-')}", section, key, value)
                    )
            command(options=options, **given)

        signature = inspect.signature(command, eval_str=True)
        own = [parameter for name, parameter in signature.parameters.items() if name != "options"]
        added = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=None,
                annotation=_option(name, at, "method" in chosen),
            )
            for name, at in places.items()
        ]
        by_keyword = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own]
        run.__signature__ = signature.replace(parameters=[*added, *by_keyword])  # type: ignore[attr-defined]
        return run

    return decorate


def _places(chosen: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The name of each option's parameter, and its dotted key."""
    for at in chosen:
        section, _, name = at.partition(".")
        if section == HIERARCHIES:
            yield "hierarchy", at
        for each in [name] if name else SECTIONS.get(section, ()):
            yield "method" if (section, each) == ("method", "name") else each, f"{section}.{each}"


def _option(name: str, at: str, of_methods: bool) -> Any:
    """The option as typer has it. of_methods: tell which methods have it."""
    flag = f"--{name.replace('_', '-')}"
    if at == HIERARCHIES:
        told = "The hierarchy of a column: a file in ARX's format (value;label;...;*). May be repeated."
        return Annotated[list[str] | None, typer.Option(flag, metavar="COLUMN=FILE", help=told)]
    section, _, key_name = at.partition(".")
    key = SECTIONS[section][key_name]
    told = f"{key.help} {WRITTEN.get(at, '')}".strip()
    if key.choices:
        told += f" One of {', '.join(key.choices)}."
    if of_methods and section == "method" and key_name != "name":
        told += f" For {' and '.join(method for method in METHODS if key_name in parameters_of(method))}."
    panel = PANELS.get(section)
    if key.type is bool:
        return Annotated[bool | None, typer.Option(help=told, rich_help_panel=panel, show_default=False)]
    if key.type in (int, float):
        number = typer.Option(flag, min=key.least, max=key.most, help=told, rich_help_panel=panel)
        return Annotated[key.type | None, number]
    if key.type is str:
        metavar = "NAME" if key.choices else "COLUMN" if section in ("method", "roles") else "FILE"
        return Annotated[str | None, typer.Option(flag, metavar=metavar, help=told, rich_help_panel=panel)]
    metavar = {schema.Names: "COLUMNS", schema.Types: "COLUMN=TYPE,..."}.get(key.type, "COLUMN=N,...")
    return Annotated[list[str] | None, typer.Option(flag, metavar=metavar, help=told, rich_help_panel=panel)]


def _read(flag: str, section: str, key: str, value: Any) -> dict[str, Any]:
    """What was given for an option, as the policy has it."""
    if section == HIERARCHIES:
        found: dict[str, Any] = {}
        for column, file in (_assignment(flag, text, "COLUMN=FILE") for text in value):
            if column in found:
                raise UseError(f"{flag} {column}: {column} has a hierarchy already")
            found[column] = {"file": file}
        return found
    if not isinstance(value, list):
        return {key: value.replace("-", "_") if (section, key) == ("method", "name") else value}
    type_ = SECTIONS[section][key].type
    if type_ is schema.Names:
        return {key: names_in(flag, value)}
    if type_ is schema.Types:
        return {key: dict(assignments_in(flag, value, "COLUMN=TYPE"))}
    return {key: dict(numbers_in(flag, value, int if type_ is schema.Levels else float))}


def names_in(flag: str, lines: Sequence[str]) -> list[str]:
    """Names of columns; each text is a line of CSV."""
    found: list[str] = []
    for line in lines:
        try:
            fields = next(csv.reader([line], skipinitialspace=True, strict=True), [""])
        except csv.Error as error:
            raise UseError(f"{flag} {line}: {error}") from error
        if "" in fields:
            raise UseError(f"{flag} {line}: a name is empty")
        found += fields
    return found


def numbers_in(flag: str, lines: Sequence[str], type_: type) -> Iterator[tuple[str, Any]]:
    """age=2,"last, first"=1"""
    for column, number in assignments_in(flag, lines, "COLUMN=NUMBER"):
        try:
            yield column, type_(number)
        except ValueError as error:
            raise UseError(f"{flag} {column}={number}: {number} is not {schema.EXPECTED[type_]}") from error


def assignments_in(flag: str, lines: Sequence[str], form: str) -> Iterator[tuple[str, str]]:
    """What stands on both sides of each =."""
    for line in lines:
        for part in re.findall(r'(?:"(?:[^"]|"")*"|[^,"])+', line):
            yield _assignment(flag, part.strip(), form)


def _assignment(flag: str, text: str, form: str) -> tuple[str, str]:
    """column=value; a column with = in its name stands in double quotes."""
    match = re.fullmatch(r'("(?:[^"]|"")*"|[^=]+)=(.+)', text)
    if not match:
        raise UseError(f"{flag} {text}: write {form}")
    column = match[1][1:-1].replace('""', '"') if match[1].startswith('"') else match[1]
    return column, match[2]
