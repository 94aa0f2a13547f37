"""sqlanon dp: what is released with differential privacy (sqlanon/randomize/mechanisms.py)"""

import functools
import inspect
import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer

import sqlanon
from sqlanon.cli import options as given
from sqlanon.cli.app import EXIT_CODES, FAILS, Topic
from sqlanon.cli.options import FILES
from sqlanon.cli.steps import check_columns
from sqlanon.cli.values import names_in, number_or_text
from sqlanon.core.comments import about
from sqlanon.core.errors import UseError
from sqlanon.core.files import Session, check_inputs
from sqlanon.core.remarks import remark
from sqlanon.core.text_files import Roles
from sqlanon.policies import schema
from sqlanon.policies.parsing import missing_column, read_randomized
from sqlanon.policies.randomized import SETS, key, taken
from sqlanon.publishing.randomized import publish_randomized
from sqlanon.randomize.ledger import Part, in_words
from sqlanon.randomize.mechanisms import MECHANISMS

app = Topic()
randomized = Topic()
app.add_typer(randomized, name="dp", epilog=EXIT_CODES)


@randomized.callback()
def _of_randomized() -> None:
    """Release a table with differential privacy, if the budget of its source allows it.

    The cost is in the register before any noise is drawn; 'sqlanon budget set' declares the budget. The
    release is entered as one that is out. It is not attacked: what it tells is bounded by what is spent.
    """


def _release(
    release: str,
    own: Mapping[str, Any],
    input: given.Input,
    register: given.LedgerOption,
    output: given.PublishedOutput,
    source: given.PaidBy = None,
    policy_file: given.RandomizedPolicy = None,
    name: given.EntryName = None,
    part: given.PartOfUnits = None,
    dry_run: given.DryRun = False,
    wait: given.Wait = 0,
) -> None:
    """Spend, draw, and let the release go out. own: the parameters that options have given."""
    macro = MECHANISMS[release]
    said, form = ({}, {}) if policy_file is None else read_randomized(policy_file)
    known = taken(macro)
    arguments = {**{name: value for name, value in said.items() if name in known}, **own}
    for name_, value in arguments.items():
        if problem := schema.trouble(value, key(known[name_])):
            raise UseError(f"--{name_.replace('_', '-')} {problem}")
    paid_by = source or said.get("source")
    if paid_by is None:
        raise UseError("give --source: what the data is called in the register, where its budget is declared")
    for needed in (name for name, parameter in known.items() if parameter.default is None):
        if needed not in arguments:
            raise UseError(f"Missing option '--{needed.replace('_', '-')}'.")
    tables = {name for name, parameter in known.items() if parameter.type == "table"}
    check_inputs(input, *(str(arguments[name]) for name in tables & arguments.keys()))
    with Session() as session:
        columns = _columns(arguments, known)
        roles = Roles(keep=[column for each in columns.values() for column in each], **form)
        tbl = session.read(input, roles)
        check_columns(session, tbl, input, columns)
        _check_sets(arguments, known)
        parameters = {
            known[name].name: session.read(str(value), roles) if name in tables else value
            for name, value in arguments.items()
        }
        try:
            made = publish_randomized(
                session.con, tbl, release, register=register, source=paid_by, output=output, name=name,
                part=None if part is None else _part(part), dry_run=dry_run, wait=wait, **parameters,
            )  # fmt: skip
        except sqlanon.RefusedError as error:
            remark(f"refused: {error}")
            remark(f"{output} is not out")
            raise typer.Exit(FAILS) from None
    for line in made.remarks:
        remark(line)
    remark(str(made.standing))
    if dry_run:
        remark(f"a dry run: it would go out, for {in_words(made.cost)}; nothing was spent or written")
    else:
        remark(f"{output} is out: release {made.number}, {made.name}, in {register}")


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


def _command(release: str) -> Callable[..., None]:
    """The command that makes a release, with the parameters of its macro as options."""
    known = taken(MECHANISMS[release])

    @functools.wraps(_release)
    def run(**arguments: Any) -> None:
        own = {name: arguments.pop(name) for name in known}
        read = {
            name: _read(f"--{name.replace('_', '-')}", key(known[name]).type, value)
            for name, value in own.items()
            if value is not None
        }
        _release(release, read, **arguments)

    signature = inspect.signature(_release, eval_str=True)
    shared = [each for name, each in signature.parameters.items() if name not in ("release", "own")]
    options = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=_option(name, known[name])
        )
        for name in known
    ]
    by_keyword = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in shared]
    run.__signature__ = signature.replace(parameters=[*by_keyword, *options])  # type: ignore[attr-defined]
    run.__doc__ = about(MECHANISMS[release])
    return run


def _read(flag: str, type_: Any, value: Any) -> Any:
    """What was given for an option, as the function takes it."""
    if not isinstance(value, list):
        return value
    if type_ == schema.Names:
        return names_in(flag, value)
    if type_ == schema.Sets:
        return [names_in(flag, [line]) for line in value]
    numbers = [number_or_text(text.strip()) for line in value for text in line.split(",")]
    if wrong := [number for number in numbers if isinstance(number, str)]:
        raise UseError(f"{flag}: {wrong[0]} is not a number")
    return numbers


def _option(name: str, parameter: Any) -> Any:
    """A parameter of a macro as typer has it."""
    flag = f"--{name.replace('_', '-')}"
    help = parameter.meaning[0].upper() + parameter.meaning[1:]
    of = key(parameter)
    if of.type is bool:
        return Annotated[bool | None, typer.Option(help=help, show_default=False)]
    if of.type in (schema.Names, schema.Sets, list[float]):
        help += " Separated by commas; " + (
            "repeated for each further set." if of.type == schema.Sets else "may be repeated."
        )
        metavar = "N,..." if of.type == list[float] else "COLUMNS"
        return Annotated[list[str] | None, typer.Option(flag, metavar=metavar, help=help)]
    if of.type in (int, float):
        return Annotated[of.type | None, typer.Option(flag, help=help)]
    if of.choices:
        help += f" One of {', '.join(of.choices)}."
    metavar = {"table": "FILE", "column": "COLUMN"}.get(parameter.type, "NAME")
    if metavar == "FILE":
        help += f" {FILES[0].upper()}{FILES[1:]}."
    default = None if parameter.default in (None, "null") else parameter.default.strip("'")
    return Annotated[
        str | None, typer.Option(flag, metavar=metavar, help=help, show_default=default or False)
    ]


for _name in MECHANISMS:
    randomized.command(_name, epilog=EXIT_CODES)(_command(_name))
