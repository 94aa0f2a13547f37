"""What the commands that attack are given: the releases, and what is known of people, as tables."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from sqlanon.attack.all_attacks import check_parameter, types_of
from sqlanon.attack.intersection import check_formats
from sqlanon.attack.known import INTERSECTION, Known
from sqlanon.attack.lacking import left_out, with_every_qi
from sqlanon.cli.formats import check_nearest, formats_in
from sqlanon.cli.options import Given
from sqlanon.cli.steps import check_columns, read_knowledge, read_releases, with_numbered_rows
from sqlanon.cli.values import assignment_in, names_in, number_or_text
from sqlanon.core.errors import UseError
from sqlanon.core.files import Session, check_inputs, column_names
from sqlanon.core.remarks import remark
from sqlanon.core.source import lower
from sqlanon.core.text_files import Roles
from sqlanon.policies.policy import Policy
from sqlanon.policies.policy import read as read_policy

OF_TARGETS = "id truth presence priors_by controls"  # columns of the targets, besides qi and the unit


def policy_of(given: Given) -> Policy | None:
    """Types of columns and hierarchies, as options say them; None where there are no quasi-identifiers."""
    if not given.roles.get("qi"):
        return None
    roles = {**given.roles, "sensitive": given.attacked or []}
    return read_policy(None, {**given.options, "roles": roles}, INTERSECTION)


def known_in(session: Session, given: Given, policy: Policy | None) -> Known:
    """What is given, with tables that have been read; parameters of attacks, and hierarchies, come later."""
    files, qi = given.of("negations priors"), given.roles.get("qi") or []
    check_nearest(given.nearest, given.releases)
    formats = formats_in(given.formats, given.releases, qi)
    check_formats(session.con, formats)
    tables = read_releases(session, given, policy)
    called = [
        f"{name} ({i})" if name in given.releases[: i - 1] else name
        for i, name in enumerate(given.releases, 1)
    ]
    people, id, unit = None, given.id, given.roles.get("unit")
    if given.targets is not None:
        named = given.named(OF_TARGETS) | {"--unit": [unit] if unit else []}
        keep = [name for columns in named.values() for name in columns]
        raw = policy.raw(qi, keep=keep) if policy else Roles(keep=keep)
        people = session.read(given.targets, dataclasses.replace(raw, unknown=given.unknown or ()))
        released = {name for table in tables for name in lower(column_names(session.con, table))}
        typed = [name for name in (policy.types if policy else ()) if name.lower() not in released]
        check_columns(session, people, given.targets, {"--qi": qi, **named, "--types": typed})
        # Negations and priors are of somebody by the column that was given; where a record has several rows,
        # a person has, too, who is one target.
        has_items = "record" in {name.rpartition(".")[2] for name in settings_in(given.settings)}
        if id is not None and not any(files.values()) and not has_items:
            people, id, unit = with_numbered_rows(session, people, given.targets, id, unit)
    knowledge: dict[str, Any] = read_knowledge(session, given) if id else {}
    columns = given.of("attacked truth presence priors_by unchanged values_may_change distinct_spellings")
    knowledge |= {role: named or [] for role, named in columns.items()}
    known = Known(
        dict(zip(called, tables, strict=True)),
        qi=qi,
        targets=people,
        id=id,
        controls=given.controls,
        nearest=[release in (given.nearest or ()) for release in given.releases],
        unit=unit,
        weight=given.roles.get("weight"),
        formats=formats,
        unknown=given.unknown or [],
        missing_counts=bool(given.missing_counts),
        **knowledge,
    )
    completed, lacking = with_every_qi(session.con, known, session.make)
    for said in [*lacking, *left_out(session.con, known, given.settings)]:
        remark(said)
    return completed


def settings_in(lines: Sequence[str] | None) -> dict[str, str]:
    """--set k=2 --set knowledge=negations"""
    settings: dict[str, str] = {}
    for line in lines or ():
        name, text = assignment_in("--set", line, "NAME=VALUE")
        if name in settings:
            raise UseError(f"--set {line}: {name} is set already")
        settings[name] = text
    return settings


def parameters_in(session: Session, lines: Sequence[str] | None) -> dict[str, Any]:
    """Parameters of attacks, as --set gives them. Errors: UseError, InputError."""
    settings = settings_in(lines)
    types = types_of(session.con) if settings else {}
    for name in settings:
        check_parameter(name, types)
    return {name: value_of(session, name, types[name], text) for name, text in settings.items()}


def value_of(session: Session, name: str, type_: str, text: str) -> Any:
    """What --set gives, as the parameter takes it. Its range is checked by the macro."""
    if type_ == "table":
        check_inputs(text)
        return session.read(text)
    if type_ in ("column", "columns"):
        return columns_of(f"--set {name}", type_, names_in("--set", [text]))
    if type_ == "list of texts":
        return names_in("--set", [text])
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


def columns_of(flag: str, type_: str, columns: Sequence[str]) -> Any:
    """Columns as a parameter takes them. Errors: UseError for several where it takes one."""
    if type_ != "column":
        return list(columns)
    if len(columns) > 1:
        raise UseError(f"{flag} names one column here, not {len(columns)}")
    return columns[0]
