"""The attacks that `sqlanon.attacks()` lists, each called by what its macro says of its parameters.

An attack that is added there is known here without a word.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import typer
from sqlglot import exp

from sqlanon.attack.all_attacks import summed_up
from sqlanon.attack.intersection import of_release
from sqlanon.cli import steps
from sqlanon.cli.app import BAD_DATA
from sqlanon.cli.formats import check_formats, columns_read, formats_in, tell_formats
from sqlanon.cli.options import Given
from sqlanon.cli.values import assignment_in, names_in, number_or_text
from sqlanon.core.errors import UseError
from sqlanon.core.files import Session, check_inputs, column_names, with_relations
from sqlanon.core.printing import Format, format_of, show
from sqlanon.core.remarks import remark
from sqlanon.core.statements import call, count, execute, select
from sqlanon.core.text_files import Roles
from sqlanon.policies.parsing import Options
from sqlanon.policies.policy import Policy
from sqlanon.policies.policy import read as read_policy
from sqlanon.policies.schema import suggestion

INTERSECTION = "intersection_attack"


@dataclasses.dataclass(frozen=True)
class Kind:
    """An attack: its macro, the parameters of that with their types; the one that has the releases, and
    whether that is a list; the others that it needs; the column of its answer that says how many people a row
    is about, if that is not one; and what a row is about."""

    name: str
    types: Mapping[str, str]
    attacked: str
    takes_several: bool
    needs: Sequence[str]
    weight: str | None
    subject: str


OF_TARGETS = ("id", "truth", "controls", "presence", "unit")  # whose columns targets have, besides qi


@dataclasses.dataclass(frozen=True)
class Call:
    """What the user gives: parameters of columns by name, what --set gives, and the rest.

    options: how files are read, and hierarchies.
    """

    given: Given
    columns: Mapping[str, Sequence[str] | None]
    texts: Mapping[str, str]
    options: Options

    @property
    def written(self) -> dict[str, str]:
        """The formats by column, or by the number of a release and column."""
        return formats_in(self.given.formats, self.given.releases, self.columns["qi"] or ())

    def written_by(self, release: int) -> dict[str, str]:
        """Those of one release, numbered from 1, by column."""
        return of_release(self.written, release, "", self.columns["qi"] or ()) or {}


def _call(given: Given, by_policy: Options, attack: Kind) -> Call:
    """What is given, with what the attack takes of what the policy says."""
    of_policy, roles = by_policy.get("roles", {}), given.roles
    columns: dict[str, Any] = {
        **{role: roles.get(role) or None for role in ("qi", "weight", "unit")},
        **given.of("id attacked truth controls presence unchanged values_may_change"),
        "unknown": given.unknown or None,
    }
    for name, named in columns.items():
        said = of_policy.get(name) if named is None and name in attack.types else named
        columns[name] = [said] if isinstance(said, str) else said
    others = {
        section: keys for section, keys in by_policy.items()
        if section == "input" or (section == "hierarchies" and "hierarchies" in attack.types)
    } | {section: keys for section, keys in given.options.items() if section != "roles"}  # fmt: skip
    return Call(given.but(attacked=columns["sensitive"]), columns, settings_in(given.settings), others)


def settings_in(lines: Sequence[str] | None) -> dict[str, str]:
    """--set k=2 --set knowledge=negations"""
    settings: dict[str, str] = {}
    for line in lines or ():
        name, text = assignment_in("--set", line, "NAME=VALUE")
        if name in settings:
            raise UseError(f"--set {line}: {name} is set already")
        settings[name] = text
    return settings


def find(session: Session, name: str) -> Kind:
    """The attack of that name. Errors: UseError, with the nearest name."""
    roles = execute(
        session.con,
        "select attack, attacked, releases_together, needs, weight, subject "
        "from sqlanon._attack_roles() join sqlanon._attacks() using (attack)",
    )
    listed = {attack: role for attack, *role in roles}
    chosen = name.replace("-", "_").lower()
    if chosen not in listed:
        raise UseError(f"{name} is no attack{suggestion(chosen, listed)}; 'sqlanon attacks' lists them")
    described = select(call("help", chosen).subquery(), "name", "type").where("kind = 'parameter'")
    return Kind(chosen, dict(execute(session.con, described)), *listed[chosen])


def run(given: Given, by_policy: Options) -> None:
    """Run an attack, and print its answer or the sum of it."""
    with Session() as session:
        attack = find(session, given.kind)
        asked = _call(given, by_policy, attack)
        _check_parameters(attack, asked)
        check_formats(session.con, asked.written)
        policy = _policy(attack, asked)
        tables = steps.read_releases(session, asked.given, policy)
        people = None if given.targets is None else session.read(given.targets, _of_targets(policy, asked))
        _check_columns(session, attack, asked, tables, people)
        if people is not None and asked.columns["id"]:
            people, asked = _numbered(session, attack, asked, people)
        arguments = _arguments(session, attack, asked, tables, people)
        relations = policy.relations(people or tables, None, is_raw=people is not None) if policy else {}
        if "hierarchies" in relations:
            arguments["hierarchies"] = "hierarchies"
        query = with_relations(call(attack.name, **arguments), relations)
        if "id" in arguments and attack.subject == "person":
            query = query.order_by(exp.column(arguments["id"], quoted=True))
        if given.summary:
            query = summed_up(query, attack.subject, attack.weight, arguments.get("unit"))
        if given.sql:
            steps.print_sql(session, [query])
            return
        answer = session.answer(query)
        _show(session, attack, given, answer, arguments.get("unit"))
        if "count_column" not in attack.types:
            named = [name for columns in asked.columns.values() for name in columns or ()]
            for release, table in zip(given.releases, tables, strict=True):
                steps.tell_of_counts(session, table, release, named)
        of_centroids = arguments.get("nearest", False)
        if people is not None and "qi" in attack.needs and not of_centroids:
            _tell_unread(session, attack, asked, tables, people, relations, answer)


def _show(session: Session, attack: Kind, given: Given, answer: exp.Table, unit: str | None) -> None:
    """Print the answer: for people in words first, without columns that would say whether it is right."""
    if format_of(given.format) is not Format.table:
        show(session.con, answer, given.format)
        return
    shown: exp.Select = select(answer)
    measures = shown if given.summary else summed_up(shown, attack.subject, attack.weight, unit)
    if not given.summary:
        marks = ("is_right", "is_control")
        counts = execute(session.con, select(answer, *(f"count({mark})" for mark in marks)))[0]
        empty = [mark for mark, count in zip(marks, counts, strict=True) if not count]
        shown = select(answer, f"* exclude ({', '.join(empty)})") if empty else shown
    words = call("_attack_in_words", session.make("measures", measures))
    show(session.con, shown.subquery(), given.format, words=words, has_measures=given.summary)


def _numbered(session: Session, attack: Kind, asked: Call, people: str) -> tuple[str, Call]:
    """The targets with a number for each row, where somebody has several."""
    [id], units = asked.columns["id"] or [""], asked.columns["unit"] or []
    whose = units[0] if units else None
    people, number, unit = steps.with_numbered_rows(session, people, asked.given.targets or "", id, whose)
    if unit is not None and "unit" not in attack.types:
        remark(f"{attack.name} is about rows: it does not ask whose they are")
        unit = None
    columns = {**asked.columns, "id": [number], "unit": None if unit is None else [unit]}
    return people, dataclasses.replace(asked, columns=columns)


def _check_parameters(attack: Kind, asked: Call) -> None:
    """Errors: UseError for what the attack does not know, or lacks."""
    named = {
        name: f"--{name.replace('_', '-')}" for name, columns in asked.columns.items() if columns is not None
    }
    if asked.given.targets is not None:
        named["targets"] = "--targets"
    if "hierarchies" in asked.options:
        named["hierarchies"] = "--hierarchy"
    if asked.given.formats:
        named["formats"] = "--formats"
    for name, flag in named.items():
        if name not in attack.types:
            raise UseError(f"{flag} is not for {attack.name}")
    own = [
        name
        for name in attack.types
        if name not in (attack.attacked, *asked.columns, "targets", "hierarchies", "formats")
    ]
    for name in asked.texts:
        if name not in own:
            raise UseError(
                f"--set {name}: {attack.name} has no such parameter{suggestion(name, own)}; "
                f"'sqlanon attacks {attack.name}' lists them"
            )
    for name in attack.needs:
        if name not in (attack.attacked, *named, *asked.texts):
            raise UseError(f"{attack.name} needs {_flag(name, own)}")
    if not attack.takes_several and len(asked.given.releases) != 1:
        raise UseError(f"{attack.name} attacks one table, not {len(asked.given.releases)}")
    check_inputs(*asked.given.releases, asked.given.targets)


def _flag(name: str, own: Sequence[str]) -> str:
    return f"--set {name}=..." if name in own else f"--{name}"


def _policy(attack: Kind, asked: Call) -> Policy | None:
    """Types of columns and hierarchies, as options say them; None where there are no quasi-identifiers."""
    if "qi" not in attack.types:
        return None
    roles = {"qi": asked.columns["qi"], "sensitive": asked.columns["sensitive"] or []}
    return read_policy(None, {**asked.options, "roles": roles}, INTERSECTION)


def _of_targets(policy: Policy | None, asked: Call) -> Roles:
    unchanged = [name for role in OF_TARGETS for name in asked.columns[role] or ()]
    if policy is None:
        return Roles(keep=unchanged)
    return policy.raw(policy.roles["qi"], keep=unchanged)


def _check_columns(
    session: Session, attack: Kind, asked: Call, tables: Sequence[str], people: str | None
) -> None:
    """Are the columns there that options name? Those of --set are left to the macro."""
    for i, (release, table) in enumerate(zip(asked.given.releases, tables, strict=True), 1):
        columns = {f"--{role}": asked.columns[role] or [] for role in ("qi", "sensitive", "weight")}
        columns["--qi"] = columns_read(columns["--qi"], asked.written_by(i))
        if "targets" not in attack.types:
            columns["--truth"] = asked.columns["truth"] or []
        steps.check_columns(session, table, release, columns)
    if people is not None and asked.given.targets is not None:
        of_targets = {f"--{role}": asked.columns[role] or [] for role in ("qi", *OF_TARGETS)}
        steps.check_columns(session, people, asked.given.targets, of_targets)


def _arguments(
    session: Session, attack: Kind, asked: Call, tables: Sequence[str], people: str | None
) -> dict[str, Any]:
    """The parameters of the macro."""
    arguments: dict[str, Any] = {attack.attacked: list(tables) if attack.takes_several else tables[0]}
    if people is not None:
        arguments["targets"] = people
    for name, columns in asked.columns.items():
        if columns is not None:
            arguments[name] = _columns(f"--{name.replace('_', '-')}", attack.types[name], columns)
    if asked.given.formats:
        arguments["formats"] = asked.written
    for name, text in asked.texts.items():
        arguments[name] = value_of(session, name, attack.types[name], text)
    return arguments


def _columns(flag: str, type_: str, columns: Sequence[str]) -> Any:
    if type_ != "column":
        return list(columns)
    if len(columns) > 1:
        raise UseError(f"{flag} names one column here, not {len(columns)}")
    return columns[0]


def value_of(session: Session, name: str, type_: str, text: str) -> Any:
    """What --set gives, as the parameter takes it. Its range is checked by the macro."""
    if type_ == "table":
        check_inputs(text)
        return session.read(text)
    if type_ in ("column", "columns"):
        return _columns(f"--set {name}", type_, names_in("--set", [text]))
    if type_ == "boolean":
        if text.lower() not in ("true", "false"):
            raise UseError(f"--set {name}={text}: write true or false")
        return text.lower() == "true"
    if type_.startswith(("integer", "number")):
        number = number_or_text(text)
        if isinstance(number, str):
            raise UseError(f"--set {name}={text}: {text} is not a number")
        return number
    return text


def _tell_unread(
    session: Session,
    attack: Kind,
    asked: Call,
    tables: Sequence[str],
    people: str,
    relations: Mapping[str, Any],
    answer: exp.Table,
) -> None:
    """Say which labels nobody understands; where nothing is learned then, that is bad data."""
    hierarchies = "hierarchies" if relations else None
    unread = False
    query = call(
        "unread_labels", tables, people, qi=asked.columns["qi"], hierarchies=hierarchies,
        formats=asked.written or None,
    )  # fmt: skip
    for release, rows in steps.unread_by_release(
        session.con, with_relations(query, relations), asked.given.releases
    ):
        steps.tell_unread(release, rows)
        if "formats" in attack.types:
            tell_formats(release, rows, alone=len(tables) == 1)
        unread = unread or bool(rows)
    is_summary = "measure" in column_names(session.con, answer.name)
    anything = "id = 'learned' and value > 0" if is_summary else "learned is not null"
    if unread and execute(session.con, count(select(answer).where(anything).subquery())) == [(0,)]:
        remark(f"{attack.name}: nothing is learned of anybody, as labels are not understood: no all-clear")
        raise typer.Exit(BAD_DATA)
