"""sqlanon dp: what is released with differential privacy (sqlanon/randomize/mechanisms.py)"""

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

import typer

import sqlanon
from sqlanon.cli.app import FAILS, Topic
from sqlanon.cli.options import Given
from sqlanon.cli.steps import check_columns
from sqlanon.core.comments import about
from sqlanon.core.errors import UseError
from sqlanon.core.files import Session, check_inputs
from sqlanon.core.remarks import remark
from sqlanon.core.suggestions import missing_column
from sqlanon.core.text_files import Roles
from sqlanon.policies import schema
from sqlanon.policies.parsing import read_randomized
from sqlanon.policies.randomized import SETS, key, taken
from sqlanon.publishing.ledger import Part, in_words
from sqlanon.publishing.randomized import publish_randomized
from sqlanon.randomize.mechanisms import MECHANISMS

app = Topic()
randomized = app.group(
    "dp",
    "The cost is in the register before any noise is drawn; 'sqlanon budget set' declares the budget. The "
    "release is entered as one that is out. It is not attacked: what it tells is bounded by what is spent.",
)


def _release(release: str, given: Given) -> None:
    """Spend, draw, and let the release go out."""
    macro = MECHANISMS[release]
    policy = given.randomized_policy
    said, form = ({}, {}) if policy is None else read_randomized(policy)
    known = taken(macro)
    own = {name: value for name in known if (value := getattr(given, name)) is not None}
    arguments = {**{name: value for name, value in said.items() if name in known}, **own}
    for name, value in arguments.items():
        if problem := schema.trouble(value, key(known[name])):
            raise UseError(f"--{name.replace('_', '-')} {problem}")
    source = given.paid_by or said.get("source")
    if source is None:
        raise UseError("give --source: what the data is called in the register, where its budget is declared")
    for needed in (name for name, parameter in known.items() if parameter.default is None):
        if needed not in arguments:
            raise UseError(f"Missing option '--{needed.replace('_', '-')}'.")
    tables = {name for name, parameter in known.items() if parameter.type == "table"}
    check_inputs(given.input, *(str(arguments[name]) for name in tables & arguments.keys()))
    with Session() as session:
        columns = _columns(arguments, known)
        roles = Roles(keep=[column for each in columns.values() for column in each], **form)
        tbl = session.read(given.input, roles)
        check_columns(session, tbl, given.input, columns)
        _check_sets(arguments, known)
        parameters: dict[str, Any] = {
            known[name].name: session.read(str(value), roles) if name in tables else value
            for name, value in arguments.items()
        }
        shared = {
            "source": source, "part": None if given.part is None else _part(given.part),
            **given.of("ledger published_output name dry_run wait"),
        }  # fmt: skip
        try:
            made = publish_randomized(session.con, tbl, release, **shared, **parameters)
        except sqlanon.RefusedError as error:
            remark(f"refused: {error}")
            remark(f"{given.published_output} is not out")
            raise typer.Exit(FAILS) from None
    for line in made.remarks:
        remark(line)
    remark(str(made.standing))
    if given.dry_run:
        remark(f"a dry run: it would go out, for {in_words(made.cost)}; nothing was spent or written")
    else:
        remark(f"{given.published_output} is out: release {made.number}, {made.name}, in {given.ledger}")


def _columns(arguments: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, list[str]]:
    """The columns that options name."""
    named = {
        f"--{name.replace('_', '-')}": [value] if isinstance(value, str) else value
        for name, value in arguments.items()
        if known[name].type.startswith("column")
    }
    return {option: [*columns] for option, columns in named.items()}


def _check_sets(arguments: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    """Are the columns of sets among those to group by? Errors: UseError."""
    for name in (name for name in arguments if known[name].type == SETS):
        columns = [column for each in arguments[name] for column in each]
        if problem := missing_column(columns, arguments["by"], "--by"):
            raise UseError(f"--{name.replace('_', '-')}{problem}")


def _part(text: str) -> Part:
    match = re.fullmatch(r"(\d+)/(\d+)", text)
    if not match:
        raise UseError(f"--part {text}: write I/N, such as 1/7")
    return Part(int(match[1]), int(match[2]))


for _name, _macro in MECHANISMS.items():
    _run = partial(_release, _name)
    _run.__doc__ = about(_macro)
    randomized.declare(
        "input ledger published_output paid_by randomized_policy name part dry_run wait",
        name=_name,
        parameters=taken(_macro),
    )(_run)
