"""sqlanon init"""

from collections.abc import Collection, Sequence

from sqlanon.cli.app import Topic
from sqlanon.cli.options import Given
from sqlanon.cli.steps import MADE_ONE, tell_of_spellings
from sqlanon.core.errors import UseError
from sqlanon.core.files import Place, Session, check_output, existing, place
from sqlanon.core.outputs import replacing
from sqlanon.core.remarks import remark
from sqlanon.core.source import lower
from sqlanon.core.text_files import CENTURY, Roles, doubt_of_formats, formats_of_texts
from sqlanon.policies.first_policy import draft, missing_texts, units
from sqlanon.policies.parsing import check_input
from sqlanon.policies.schema import METHOD, METHODS, trouble

app = Topic()


@app.declare("[input] method.name input first_policy force")
def init(given: Given) -> None:
    """Write a first policy for a table: what its columns look like, and a guess of what they are.

    The policy does not run before you have looked at the role of every column, and have said so in it. Its
    hierarchies fit the method.
    """
    method = given.options.get("method", {}).get("name", METHODS[0])
    if method not in METHODS:
        raise UseError(f"--method {trouble(method, METHOD['name'])}")
    if given.first_policy:
        check_output(Place(given.first_policy), given.force)
    name = existing(given.input).path.name
    form = check_input(given.options)
    with Session() as session:
        source = session.read(given.input, Roles(**form))
        if session.assumed is not None:
            form = {**form, "encoding": session.assumed}
        found = missing_texts(session.con, source)
        if found and "missing" not in form and place(given.input).is_text:
            form = {**form, "missing": found}
            source = session.read(given.input, Roles(**form))
        said = form.get("types", {})
        if place(given.input).is_text and (types := _types(session, given.input, source, said)):
            form = {**form, "types": {**types, **said}}
            source = session.read(given.input, Roles(**form))
        text = draft(session.con, source, name, method, form)
        repeating = units(session.con, source, ())
        tell_of_spellings(session, source, given.input, None, repairs=(MADE_ONE,))
    if given.first_policy is None:
        print(text, end="")
    else:
        with replacing(given.first_policy, given.force) as temporary:
            temporary.write_text(text, "utf-8", newline="\n")
        remark(f"{given.first_policy}: look at the role of every column, then write confirmed = true")
    _tell_of_repeating(repeating)


def _types(session: Session, title: str, source: str, said: Collection[str]) -> dict[str, str]:
    """What columns are that have dates and numbers which are not written as SQL writes them. said: columns of
    which that is known."""
    types = {}
    for name, found in formats_of_texts(session.con, source).items():
        if len(found) == 1 and name.lower() not in lower(said):
            [(types[name], shown)] = found
            if CENTURY.search(types[name]):
                remark(f"{title}: {name} is {types[name]}, which reads {', '.join(shown)}")
        elif len(found) > 1:
            remark(doubt_of_formats(title, name, found))
    return types


def _tell_of_repeating(columns: Sequence[tuple[str, int, int]]) -> None:
    for column, distinct, values in columns:
        remark(
            f"{column} has {distinct:,} distinct values in {values:,} rows: "
            "if it says whose a row is, make it the unit"
        )
