"""sqlanon init"""

from collections.abc import Collection, Mapping
from typing import Any

import duckdb

from sqlanon.cli.app import Topic
from sqlanon.cli.options import Given
from sqlanon.core.errors import UseError, values_are_shown
from sqlanon.core.files import Place, Session, check_output, existing
from sqlanon.core.outputs import replacing
from sqlanon.core.remarks import remark
from sqlanon.core.source import lower
from sqlanon.core.text_files import CENTURY, Roles, doubt_of_formats, formats_of_texts
from sqlanon.judge.verdicts import proposal
from sqlanon.policies import findings
from sqlanon.policies.findings import Findings
from sqlanon.policies.first_policy import described, draft, missing_texts, units
from sqlanon.policies.parsing import check_input
from sqlanon.policies.schema import METHOD, METHODS, trouble

app = Topic()


@app.declare("[input] method.name input first_policy force")
def init(given: Given) -> None:
    """Write a first policy for a table: what its columns look like, and a guess of what they are.

    Prints what is wrong with the file as well: blanks, spellings, marks of missing values, names that are
    twice, lines around the table, dates and amounts, and who the rows are about. Repairs stand in [input] of
    the policy: those of sensitive columns, and what may be a value, as comments.

    The policy does not run before you have looked at the role of every column, and have said so in it, or to
    sqlanon publish --confirm. Its hierarchies fit the method.
    """
    method = given.options.get("method", {}).get("name", METHODS[0])
    if method not in METHODS:
        raise UseError(f"--method {trouble(method, METHOD['name'])}")
    if given.first_policy:
        check_output(Place(given.first_policy), given.force)
    source = existing(given.input)
    form = check_input(given.options)
    with Session() as session:
        text, told = _draft(session, given, source, method, form)
    if given.first_policy is None:
        print(text, end="")
    else:
        with replacing(given.first_policy, given.force) as temporary:
            temporary.write_text(text, "utf-8", newline="\n")
    for line in told:
        remark(line)
    if given.first_policy is not None:
        remark(
            f"{given.first_policy}: look at the role of every column, then write confirmed = true, or give "
            "--confirm NAME to sqlanon publish"
        )


def _draft(
    session: Session, given: Given, source: Place, method: str, form: dict[str, Any]
) -> tuple[str, list[str]]:
    """The text of a policy, and what there is to say of the file. form: what options say of it."""
    con = session.con
    table = session.read(given.input, Roles(**form, first_look=True))
    if "encoding" in session.repairs:
        form = {**form, "encoding": session.repairs["encoding"]}
    rows, columns = described(con, table)
    if source.is_text:
        missing = missing_texts(columns)
        if missing and "missing" not in form:
            form = {**form, "missing": missing}
    found = findings.found(con, table, columns, rows, form, session.repairs, source.is_text)
    table = session.read(given.input, _roles(form, found))
    if source.is_text and (types := _types(con, given.input, table, form.get("types", {}), found)):
        form = {**form, "types": {**types, **form.get("types", {})}}
        table = session.read(given.input, _roles(form, found))
    found.look_at_people(con, table, columns)
    unit = None if found.person is None else found.person.column
    text = draft(con, table, source.path.name, method, found.lines(form), unit, proposal(unit))
    if unit is None:
        found.said += [findings.Finding(
            f"{column} has {distinct:,} distinct values in {values:,} rows: if it says whose a row is, make "
            "it the unit") for column, distinct, values in units(con, table, ())]  # fmt: skip
    return text, found.told(given.input, values_are_shown())


def _roles(form: Mapping[str, Any], found: Findings) -> Roles:
    """How the file is read by what is said, and the repairs beside it."""
    merged = dict(form)
    for key, value in found.repairs().items():
        said = merged.get(key)
        if isinstance(value, list) and isinstance(said, list) and key != "rename":
            merged[key] = [*said, *value]
        elif isinstance(value, dict) and isinstance(said, dict):
            merged[key] = {**value, **said}
        else:
            merged.setdefault(key, value)
    return Roles(**merged, first_look=True)


def _types(
    con: duckdb.DuckDBPyConnection, title: str, table: str, said: Collection[str], found: Findings
) -> dict[str, str]:
    """What columns are that have dates and numbers which are not written as SQL writes them. said: columns of
    which that is known. What is not known, and years of two digits, are told."""
    types = {}
    for name, ways in formats_of_texts(con, table).items():
        if name.lower() in lower(said):
            continue
        if len(ways) == 1:
            [(types[name], shown)] = ways
            as_what = f"{name} is read as {types[name]}"
            if CENTURY.search(types[name]):
                as_what += f", so that years of two digits are as in {', '.join(shown)}"
            found.said.append(findings.Finding(f"{as_what} (types)", "types"))
        else:
            found.said.append(findings.Finding(doubt_of_formats(title, name, ways).partition(": ")[2]))
    return types
