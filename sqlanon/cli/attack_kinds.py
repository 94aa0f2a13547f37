"""The attacks that `sqlanon.attacks()` lists, each called by what its macro says of its parameters.

An attack that is added there is known here without a change of this file.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import typer
from sqlglot import exp

from sqlanon.attack.all_attacks import (
    counted_in,
    summed_up,
    with_names,
)
from sqlanon.attack.intersection import COMPARED, OF_ANY_KIND, columns_compared
from sqlanon.attack.known import EXACT_COVER, INTERSECTION, Known, under_names
from sqlanon.attack.possible_values import register_possible_values
from sqlanon.cli import steps
from sqlanon.cli.app import BAD_DATA
from sqlanon.cli.formats import columns_read, tell_formats
from sqlanon.cli.intersection import refuse_nobody, show_intersection, tell_of_intersection
from sqlanon.cli.knowledge import columns_of, known_in, policy_of, settings_in, value_of
from sqlanon.cli.options import Given
from sqlanon.core.errors import InputError, UseError
from sqlanon.core.files import Session, column_names, with_relations
from sqlanon.core.plugins import ensure_plugged
from sqlanon.core.printing import Format, format_of, show
from sqlanon.core.remarks import remark
from sqlanon.core.statements import at_home, call, count, execute, select
from sqlanon.core.suggestions import suggestion
from sqlanon.policies.parsing import Options

SUMMARY = "attack_summary"


@dataclasses.dataclass(frozen=True)
class Kind:
    """An attack: its macro, the parameters of that with their types; the one that has the releases, and
    whether that is a list; the others that it needs; the column of its answer that says how many people a row
    is about, if that is not one; what a row is about; which targets it must have (as in `attacks`); the
    macro that summarizes it; and the home of an attack of others."""

    name: str
    types: Mapping[str, str]
    attacked: str
    takes_several: bool
    needs: Sequence[str]
    weight: str | None
    subject: str
    targets: str | None
    summary: str
    home: Sequence[str] | None
    premise: str | None


# Options that are parameters of some attacks, besides the columns that have roles.
OPTIONS = (
    "id attacked truth controls presence unchanged values_may_change priors_by unknown targets formats"
    " negations priors distinct_spellings missing_counts"
)


def _with_policy(given: Given, by_policy: Options, attack: Kind) -> Given:
    """What is given, with what the attack takes of what the policy says."""
    said = {role: columns for role, columns in by_policy.get("roles", {}).items() if role in attack.types}
    sections = {**by_policy, "roles": {**given.roles, **said}}
    if "hierarchies" not in attack.types:
        sections["hierarchies"] = given.options.get("hierarchies", {})
    requirements = {
        name: each for name, each in sections.pop("requirements", {}).items() if name in attack.types
    }
    options = {**given.options, **{section: keys for section, keys in sections.items() if keys}}
    requirements |= {name: each for name, each in given.of(" ".join(requirements)).items() if each}
    return given.but(options=options, attacked=given.attacked or said.get("sensitive"), **requirements)


def find(session: Session, name: str) -> Kind:
    """The attack of that name. Errors: UseError, with the nearest name."""
    ensure_plugged(session.con)
    roles = execute(
        session.con,
        "select attack, attacked, releases_together, needs, weight, subject, targets, summary, home, premise "
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
        given = _with_policy(given, by_policy, attack)
        _check_parameters(attack, given)
        policy = policy_of(given)
        known = known_in(session, given, policy)
        _check_columns(session, attack, known, given)
        counted = counted_in(attack.subject, attack.weight, known)
        if known.unit is not None and "unit" not in attack.types:
            if attack.targets == "all":
                raise InputError(
                    f"{given.targets}: {given.id} repeats, and {attack.name} compares people with each "
                    "other: give one row per person"
                )
            remark(f"{attack.name} is about rows: it does not ask whose they are")
            known = dataclasses.replace(known, unit=None)
        tables, people = list(known.releases.values()), known.targets
        relations = policy.relations(people or tables, None, is_raw=people is not None) if policy else {}
        arguments = _arguments(session, attack, known, given)
        _check_compared(session, known, arguments, given)
        if "hierarchies" in relations:
            arguments["hierarchies"] = "hierarchies"
        is_summed_up = given.summary and attack.summary == SUMMARY
        unit = arguments.get("unit") if "id" in attack.types else None  # else a row of the answer is a person
        macro = attack.summary if given.summary and not is_summed_up else attack.name
        query = with_relations(at_home(call(macro, **arguments), attack.home), relations)
        if macro == attack.name and "id" in arguments and attack.subject == "person":
            query = query.order_by(exp.column(arguments["id"], quoted=True))
        if is_summed_up:
            query = summed_up(query, attack.subject, attack.weight, unit, counted)
        if given.sql:
            steps.print_sql(session, [query])
            return
        if attack.name == EXACT_COVER or arguments.get("exact_cover"):
            register_possible_values(session.con)
        answer = session.answer(query)
        if attack.name == INTERSECTION:
            show_intersection(session.con, known, answer, given)
        else:
            _show(session, attack, given, answer, unit, counted)
        if attack.premise is not None:
            about = (arguments.get(name) for name in ("releases", "join_columns", "weight"))
            for (premise,) in execute(session.con, call(attack.premise, *about)):
                remark(f"{attack.name}: {with_names(premise, known)}: what it finds is not known to be true")
        if "count_column" not in attack.types:
            named = [*known.qi, *known.sensitive, known.weight or ""]
            for release, table in known.releases.items():
                steps.tell_of_counts(session, table, release, named)
                columns = [*known.qi, *known.sensitive]
                steps.tell_of_spellings(session, table, release, columns, known.distinct_spellings)
        if attack.name == INTERSECTION:
            by = dataclasses.replace(known, hierarchies=arguments.get("hierarchies"))
            tell_of_intersection(
                session.con, by, answer, given.summary, lambda query: with_relations(query, relations)
            )
        if known.controls is not None and known.targets is not None:
            steps.tell_of_controls(session, known.targets, str(given.targets), known.controls)
        is_unread = _tell_unread(session, attack, known, arguments, relations)
        if attack.name == INTERSECTION:
            refuse_nobody(session.con, answer, given.summary)
        elif is_unread and not _is_anything_learned(session, answer):
            remark(
                f"{attack.name}: nothing is learned of anybody, as labels are not understood: no all-clear"
            )
            raise typer.Exit(BAD_DATA)


def _show(
    session: Session, attack: Kind, given: Given, answer: exp.Table, unit: str | None, counted: str
) -> None:
    """Print the answer: for people in words first, without columns that would say whether it is right."""
    if format_of(given.format) is not Format.table:
        show(session.con, answer, given.format)
        return
    shown: exp.Select = select(answer)
    measures = shown if given.summary else summed_up(shown, attack.subject, attack.weight, unit, counted)
    if not given.summary:
        marks = ("is_right", "is_control")
        counts = execute(session.con, select(answer, *(f"count({mark})" for mark in marks)))[0]
        empty = [mark for mark, count in zip(marks, counts, strict=True) if not count]
        shown = select(answer, f"* exclude ({', '.join(empty)})") if empty else shown
    words = call("_attack_in_words", session.make("measures", measures))
    show(session.con, shown.subquery(), given.format, words=words, has_measures=given.summary)


def _check_parameters(attack: Kind, given: Given) -> None:
    """Errors: UseError for what the attack does not know, or lacks."""
    here = {role: given.roles.get(role) for role in ("qi", "weight", "unit")}
    here |= {**given.of(OPTIONS), "hierarchies": given.options.get("hierarchies")}
    own = [name for name in attack.types if name != attack.attacked and name not in here]
    here |= given.of("nearest exact_cover")
    named = [name for name, value in here.items() if value]
    for name in named:
        if name not in attack.types:
            flag = "hierarchy" if name == "hierarchies" else name.replace("_", "-")
            raise UseError(f"--{flag} is not for {attack.name}")
    texts = settings_in(given.settings)
    for name in texts:
        if name not in own:
            raise UseError(
                f"--set {name}: {attack.name} has no such parameter{suggestion(name, own)}; "
                f"'sqlanon attacks {attack.name}' lists them"
            )
    for name in attack.needs:
        if name not in (attack.attacked, *named, *texts):
            raise UseError(f"{attack.name} needs {_flag(name, own)}")
    if not attack.takes_several and len(given.releases) != 1:
        raise UseError(f"{attack.name} attacks one table, not {len(given.releases)}")


def _flag(name: str, own: Sequence[str]) -> str:
    return f"--set {name}=..." if name in own else f"--{'hierarchy' if name == 'hierarchies' else name}"


def _check_columns(session: Session, attack: Kind, known: Known, given: Given) -> None:
    """Are the columns in the releases that options name? Those of --set are left to the macro."""
    for i, (release, table) in enumerate(known.releases.items(), 1):
        columns = {
            "--qi": columns_read(known.qi, known.formats_of(i)),
            **given.named("attacked unchanged values_may_change"),
            "--weight": [known.weight] if known.weight else [],
            "--truth": [] if "targets" in attack.types else list(known.truth),
        }
        steps.check_columns(session, table, release, columns)


def _check_compared(session: Session, known: Known, arguments: Mapping[str, Any], given: Given) -> None:
    """Have all tables the columns of --set in which people are compared with a release?"""
    settings = settings_in(given.settings)
    named = {f"--set {name}": columns_compared([name], arguments) for name in COMPARED if name in settings}
    for title, table in [*known.releases.items(), (given.targets, known.targets)]:
        if title is not None and table is not None:
            steps.check_columns(session, table, title, named)


def _arguments(session: Session, attack: Kind, known: Known, given: Given) -> dict[str, Any]:
    """The parameters of the macro."""
    tables, several = list(known.releases.values()), attack.takes_several
    if attack.attacked == "tables":
        tables = under_names(known.releases)
    at_hand = known.arguments() | given.of("controls exact_cover missing_counts") | {"formats": known.formats}
    if any(known.nearest):
        at_hand["nearest"] = list(known.nearest) if several else known.nearest[0]
    arguments = {
        name: columns_of(f"--{name.replace('_', '-')}", attack.types[name], value)
        if isinstance(value, list) else value
        for name, value in at_hand.items() if name in attack.types and value
    }  # fmt: skip
    arguments |= {
        name: value_of(session, name, attack.types[name], text)
        for name, text in settings_in(given.settings).items()
    }
    return {attack.attacked: tables if several else tables[0], **arguments}


def _tell_unread(
    session: Session,
    attack: Kind,
    known: Known,
    arguments: Mapping[str, Any],
    relations: Mapping[str, exp.Query],
) -> bool:
    """Say which labels nobody understands, but at centroids. Are there any?"""
    is_near = dict(zip(known.releases, known.nearest, strict=True))
    of_labels = [release for release in known.releases if not is_near[release]]
    compared = columns_compared(attack.needs, arguments)
    if known.targets is None or arguments.get("nearest") is True or not of_labels or not compared:
        return False
    is_of_any_kind = attack.name in OF_ANY_KIND
    query = call(
        "unread_labels", list(known.releases.values()), known.targets, qi=compared,
        hierarchies="hierarchies" if relations else None, formats=known.formats or None,
        unknown=list(known.unknown) or None, of_any_kind=is_of_any_kind or None,
    )  # fmt: skip
    read = steps.unread_by_release(session.con, with_relations(query, relations), list(known.releases))
    unread = [(release, rows) for release, rows in read if release in of_labels and rows]
    for release, rows in unread:
        steps.tell_unread(release, rows, steps.OF_ANY_KIND if is_of_any_kind else steps.IN_CLASSES)
        if "formats" in attack.types:
            tell_formats(release, rows, alone=len(known.releases) == 1)
    return bool(unread)


def _is_anything_learned(session: Session, answer: exp.Table) -> bool:
    is_summary = "measure" in column_names(session.con, answer.name)
    anything = "id = 'learned' and value > 0" if is_summary else "learned is not null"
    return execute(session.con, count(select(answer).where(anything).subquery())) != [(0,)]
