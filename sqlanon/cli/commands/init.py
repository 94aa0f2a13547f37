"""sqlanon init"""

from collections.abc import Collection, Sequence

from sqlanon.cli import options as given
from sqlanon.cli.app import EXIT_CODES, Topic
from sqlanon.cli.options import takes
from sqlanon.core.errors import UseError
from sqlanon.core.files import Place, Session, check_output, existing, place
from sqlanon.core.outputs import replacing
from sqlanon.core.remarks import remark
from sqlanon.core.source import lower
from sqlanon.core.text_files import Roles, doubt_of_formats, formats_of_texts
from sqlanon.policies.first_policy import draft, missing_texts, units
from sqlanon.policies.parsing import Options, check_input
from sqlanon.policies.schema import METHOD, METHODS, trouble

app = Topic()


@app.command(epilog=EXIT_CODES)
@takes("input", "method.name")
def init(
    options: Options,
    input: given.Input,
    output: given.FirstPolicyFile = None,
    force: given.Force = False,
) -> None:
    """Write a first policy for a table: what its columns look like, and a guess of what they are.

    The policy does not run before you have looked at the role of every column, and have said so in it. Its
    hierarchies fit the method.
    """
    method = options.get("method", {}).get("name", METHODS[0])
    if method not in METHODS:
        raise UseError(f"--method {trouble(method, METHOD['name'])}")
    if output:
        check_output(Place(output), force)
    name = existing(input).path.name
    form = check_input(options)
    with Session() as session:
        source = session.read(input, Roles(**form))
        found = missing_texts(session.con, source)
        if found and "missing" not in form and place(input).is_text:
            form = {**form, "missing": found}
            source = session.read(input, Roles(**form))
        said = form.get("types", {})
        if place(input).is_text and (types := _types(session, input, source, said)):
            form = {**form, "types": {**types, **said}}
            source = session.read(input, Roles(**form))
        text = draft(session.con, source, name, method, form)
        repeating = units(session.con, source, ())
    if output is None:
        print(text, end="")
    else:
        with replacing(output, force) as temporary:
            temporary.write_text(text, "utf-8", newline="\n")
        remark(f"{output}: look at the role of every column, then write confirmed = true")
    _tell_of_repeating(repeating)


def _types(session: Session, title: str, source: str, said: Collection[str]) -> dict[str, str]:
    """What columns are that have dates and numbers which are not written as SQL writes them. said: columns of
    which that is known."""
    types = {}
    for name, found in formats_of_texts(session.con, source).items():
        if len(found) == 1 and name.lower() not in lower(said):
            types[name] = found[0]
        elif len(found) > 1:
            remark(doubt_of_formats(title, name, found))
    return types


def _tell_of_repeating(columns: Sequence[tuple[str, int, int]]) -> None:
    for column, distinct, values in columns:
        remark(
            f"{column} has {distinct:,} distinct values in {values:,} rows: "
            "if it says whose a row is, make it the unit"
        )
