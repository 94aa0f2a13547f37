"""sqlanon init"""

import tomllib
from collections.abc import Collection, Mapping, Sequence
from shlex import quote
from typing import Any

import duckdb

from sqlanon.cli.app import Topic
from sqlanon.cli.options import Given
from sqlanon.core.errors import UseError, values_are_shown
from sqlanon.core.files import Place, Session, check_output, existing
from sqlanon.core.interrupts import check_interrupted
from sqlanon.core.outputs import replacing
from sqlanon.core.printing import progress_bar
from sqlanon.core.remarks import remark
from sqlanon.core.source import lower
from sqlanon.core.suggestions import suggestion
from sqlanon.core.text_files import CENTURY, Roles, doubt_of_formats, formats_of_texts
from sqlanon.policies import findings
from sqlanon.policies.findings import Findings
from sqlanon.policies.first_policy import Column, Measured, described, draft, missing_texts, with_roles
from sqlanon.policies.levels import LEVELS, proposal
from sqlanon.policies.parsing import check_input, parameters_of
from sqlanon.policies.schema import METHOD, METHODS, Key, trouble
from sqlanon.publishing.drafts import measured

app = Topic()


@app.declare(
    "[input] roles.unit roles.identifier roles.qi roles.sensitive roles.keep method.name input first_policy "
    "spare level draft_seconds applied_repairs force"
)
def init(given: Given) -> None:
    """Write a first policy for a table: what its columns look like, and a guess of what they are.

    Prints what is wrong with the file as well: blanks, spellings, marks of missing values, names that are
    twice, lines around the table, dates and amounts, and who the rows are about. Repairs stand in [input] of
    the policy: those of sensitive columns, and what may be a value, as comments, which --apply makes active.

    Before it is proposed the release is made, within --seconds, and what it loses is said: by column, with
    and without hierarchies, and with a larger k. The policy does not run before you have looked at the role
    of every column, and have said so in it, or to sqlanon publish --confirm. Its hierarchies fit the method.
    Roles that options say are not guessed.
    """
    method = given.options.get("method", {}).get("name", METHODS[0])
    if method not in METHODS:
        raise UseError(f"--method {trouble(method, METHOD['name'])}")
    if given.first_policy:
        check_output(Place(given.first_policy), given.force)
    if given.level not in LEVELS:
        raise UseError(f"--for {trouble(given.level, Key(str, '', choices=tuple(LEVELS)))}")
    if given.spare and "weights" not in parameters_of(method):
        others = ", ".join(name for name in METHODS if "weights" in parameters_of(name))
        raise UseError(f"--spare is for {others}, not for {method}")
    source = existing(given.input)
    form = check_input(given.options)
    with Session() as session:
        text, remarks = _draft(session, given, source, method, form)
    if given.first_policy is None:
        print(text, end="")
    else:
        with replacing(given.first_policy, given.force) as temporary:
            temporary.write_text(text, "utf-8", newline="\n")
    for line in remarks:
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
    said = _said_roles(columns, given)
    columns = with_roles(columns, said)
    if source.is_text:
        missing = missing_texts(columns)
        if missing and "missing" not in form:
            form = {**form, "missing": missing}
    found = findings.found(con, table, columns, rows, form, session.repairs, source.is_text)
    found.apply(given.applied_repairs or ())
    table = session.read(given.input, _roles(form, found))
    if source.is_text and (types := _types(con, given.input, table, form.get("types", {}), found)):
        form = {**form, "types": {**types, **form.get("types", {})}}
        table = session.read(given.input, _roles(form, found))
    unit = next((name for name, role in said.items() if role == "unit"), None)
    found.look_at_people(con, table, columns, unit)
    if found.person is not None:
        unit = found.person.column
    spare = _spared(columns, given.spare or (), unit)

    def drafted(known: Measured) -> str:
        return draft(
            con, table, source.path.name, method, found.lines(form), unit, proposal(unit, given.level), spare,
            known, said,
        )  # fmt: skip

    text, remarks = drafted(Measured()), list[str]()
    if not rows:
        remarks = [f"{given.input} has no rows: roles are guessed by the names of columns alone"]
    if given.draft_seconds and rows and tomllib.loads(text)["roles"]["qi"]:
        with progress_bar() as progress:
            tried = measured(con, table, text, given.draft_seconds, progress)
        check_interrupted()
        text, remarks = drafted(tried), list(tried.sentences)
    if not any(each.role == "sensitive" for each in columns):
        remarks.append("No column looks like what nobody should learn about a person. If one is, say so: "
                    "--sensitive COLUMN. Attacks look for nothing else.")  # fmt: skip
    if unit is None:
        found.said += [findings.Finding(
            f"{each.name} repeats ({each.values / each.distinct:.2g} rows each): if it is the person, "
            f"{each.role_to_leave}remove the # before {each.as_unit}, so that people are counted, not rows, "
            f"and found again next time (init --unit {quote(each.name)} does)")
            for each in columns if each.repeats]  # fmt: skip
    return text, [*found.lines_under(given.input, values_are_shown()), *remarks]


def _said_roles(columns: Sequence[Column], given: Given) -> dict[str, str]:
    """The roles that options say, of columns as the table calls them. Errors: UseError for a column that is
    not there, or that is said to have two roles."""
    said = dict[str, str]()
    named = {each.name.lower(): each.name for each in columns}
    for role, names in given.options.get("roles", {}).items():
        for name in [names] if role == "unit" else names:
            if name.lower() not in named:
                raise UseError(
                    f"--{role} {name}: {given.input} has no such column{suggestion(name, named.values())}"
                )
            column = named[name.lower()]
            if said.setdefault(column, role) != role:
                raise UseError(f"--{role} {name}: it is in --{said[column]}, too")
    return said


def _spared(columns: Sequence[Column], spare: Sequence[str], unit: str | None) -> list[str]:
    """Columns to be spared as the table calls them. Errors: UseError for what is no quasi-identifier."""
    qi = {each.name.lower(): each.name for each in columns if each.role == "qi" and each.name != unit}
    for name in spare:
        if name.lower() not in qi:
            problem = (
                f"--spare {name}: not among the quasi-identifiers of the draft, {', '.join(qi.values())}"
            )
            raise UseError(problem + suggestion(name, qi.values()))
    return [qi[name.lower()] for name in spare]


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
    which that is known. Findings name what is not known, and years of two digits."""
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
