"""Whose rows a release without a unit has: people are located by the original, or not known."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from sqlanon.cli.steps import print_sql
from sqlanon.core.files import Session, column_names, with_relations
from sqlanon.core.printing import Format, show
from sqlanon.core.remarks import remark
from sqlanon.core.statements import call, create, execute, render, select, table
from sqlanon.core.tables import WorkTables
from sqlanon.policies.parsing import SETTINGS
from sqlanon.policies.policy import Policy

# Requirements that people fail wherever rows do: there are no more people than rows, and no more values among
# one of each of them.
FAILED_BY_ROWS = ("k", "l")


@dataclass(frozen=True)
class Located:
    """People in the classes of a release, located by the original.

    classes: a table of people_in_classes. with_unit: a table of the rows of the release with the unit, if all
    classes are counted, as its name; None otherwise.
    """

    classes: exp.Table
    with_unit: str | None
    hierarchies: str | None


def locate(session: Session, policy: Policy, release: str, original: str, sql: bool) -> Located | None:
    """Locate people by the original, which the user names; None if only the statement is printed.

    policy: as it is about the original. release: the name of its table.
    """
    raw = session.read(original, policy.columns())
    policy.check_columns(column_names(session.con, raw), original)
    unchanged = [*policy.roles.get("sensitive", []), *policy.roles.get("keep", [])]
    about: tuple[Any, ...] = (release, raw, policy.roles["qi"], policy.unit, unchanged)
    if sql:
        relations = policy.relations(raw, None)
        made = "hierarchies" if "hierarchies" in relations else None
        query = call("people_in_classes", *about, hierarchies=made)
        print_sql(session, [with_relations(query, relations)])
        return None
    hierarchies = policy.make_hierarchies(session.con, raw, None, WorkTables(session.con))
    classes, with_unit = table("people_in_classes"), table("released_with_unit")
    located = call("people_in_classes", *about, hierarchies=hierarchies)
    execute(session.con, create(classes, located, temporary=True))
    if execute(session.con, select(classes, "count(*)").where("not is_counted")) != [(0,)]:
        return Located(classes, None, hierarchies)
    rows = call("_released_with_unit", *about, hierarchies)
    execute(session.con, create(with_unit, rows, temporary=True))
    return Located(classes, render(with_unit), hierarchies)


def by_rows(policy: Policy) -> Policy:
    """The policy as it is about rows: with what people fail, too, where rows do."""
    failed = {name: value for name, value in policy.requirements.items() if name in FAILED_BY_ROWS}
    return dataclasses.replace(policy, requirements=failed or {"k": 1})  # which all rows meet


def without_known(policy: Policy) -> Policy:
    """The policy without what is required of the release and known ones together."""
    alone = {name: value for name, value in policy.requirements.items() if name != "composed_l"}
    return dataclasses.replace(policy, requirements=alone or {"k": 1})  # which all rows meet


def spelled(requirements: Mapping[str, Any]) -> str:
    """k = 2, l = 2"""
    return ", ".join(f"{name} = {value}" for name, value in requirements.items())


def why_not_known(policy: Policy, release: str, original: str | None) -> str:
    """Why people are not counted, and how they can be. policy: as it is about the original."""
    if original is None:
        return (
            f"people may have several rows ({policy.unit}), and {release} does not say whose its rows are. "
            "--reference ORIGINAL counts people where their rows are located"
        )
    return (
        f"people may have several rows ({policy.unit}), and in classes of {release} there could be more rows "
        f"of {original} than there are, or fewer"
    )


def judge_located(
    session: Session,
    policy: Policy,
    located: Located | None,
    release: str,
    original: str | None,
    format: Format | None,
) -> bool | None:
    """Judge what is required by how many people classes are at least, and at most, if they are located; and
    tell. Does it hold for certain? None: it is not known. Rows violate nothing. policy: as it is about the
    original."""
    unknown = {name: value for name, value in policy.requirements.items() if name not in SETTINGS}
    k = unknown.get("k")
    if located is not None and k is not None:
        fewer = session.answer(select(located.classes).where(f"coalesce(least, 0) < {int(k)}"))
        counted = select(fewer, f"count(*) filter (most < {int(k)})", "count(*)")
        [(failing, every)] = execute(session.con, counted)
        show(session.con, fewer, format)
        if failing:
            remark(
                f"{release}: k = {k} does not hold: {failing:,} classes have rows of fewer than {k} people "
                f"of {original}"
            )
            return False
        if every:
            remark(f"{release}: {every:,} classes may be fewer than {k} people")
        else:
            remark(f"{release}: k = {k} holds (people are those of {original})")
            del unknown["k"]
    if unknown:
        why = why_not_known(policy, release, original)
        remark(f"{release}: {spelled(unknown)} is not known: {why}")
    return None if unknown else True
