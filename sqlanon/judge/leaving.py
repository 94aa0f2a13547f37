"""The columns that a policy releases: whether one of them names people, or joins the rows of a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import duckdb

from sqlanon.core.files import column_names
from sqlanon.core.models import by_id
from sqlanon.core.source import lower
from sqlanon.core.statements import call, execute
from sqlanon.core.tables import WorkTables
from sqlanon.measure.leaving import Leaving, columns_leaving
from sqlanon.policies.people import OF_CLASSES
from sqlanon.policies.policy import Policy

__all__ = ["Leaving", "leaving"]

MOSTLY = 0.5  # of the values that are in several rows are one person's: then the column joins rows of people

# Anatomy releases quasi-identifiers as they are, apart from the sensitive values.
APART = "unchanged: its class is a bucket, in which sensitive values stand apart"


def leaving(
    con: duckdb.DuckDBPyConnection, release_table: str, policy: Policy, source_table: str | None = None,
    found: Sequence[Leaving] = (),
) -> Sequence[Leaving]:  # fmt: skip
    """The columns of a release by a policy, in their order, as the macro leaving_columns tells them.

    Names of tables are those of query_table. source_table: what the release was made of; where the policy has
    a unit, people are counted in it. found: what was found of the columns when the release was made. Columns
    in [direct] hold. One that the policy does not release is judged as one that it keeps.
    """
    columns = column_names(con, release_table)
    have = lower(columns)
    there = [name for name in columns if name.lower() in lower(policy.roles.get("sensitive", []))]
    counts_people = (
        source_table is not None
        and policy.unit is not None
        and policy.unit.lower() in lower(column_names(con, source_table))
    )
    left = columns_leaving(
        con, release_table, found,
        qi=[name for name in policy.roles["qi"] if name.lower() in have],
        sensitive=there or None,
        masked=[name for name in policy.masks if name.lower() in have] or None,
        original=source_table if counts_people else None,
        id=policy.unit,
        direct=[name for name in policy.direct if name.lower() in have] or None,
    )  # fmt: skip
    if counts_people and source_table is not None:
        left = [_joining(con, each, release_table, policy, source_table) for each in left]
    if policy.made_by != "anatomize":
        return left
    return [
        replace(each, how="unchanged", reason=APART) if each.role == "qi" and each.holds else each
        for each in left
    ]


def _joining(
    con: duckdb.DuckDBPyConnection, column: Leaving, release_table: str, policy: Policy, source_table: str
) -> Leaving:
    """The column, which fails if it joins the rows of a person, and people are not protected by all of their
    rows together as the policy requires it of classes. Labels, and columns that the source lacks, join none;
    what is in [direct] is accepted."""
    of_source = {name.lower(): name for name in column_names(con, source_table)}
    is_accepted = column.column.lower() in lower(policy.direct)
    if is_accepted or not column.holds or column.role == "qi" or column.column.lower() not in of_source:
        return column
    about = call("_values_in_several_rows", source_table, of_source[column.column.lower()], policy.unit)
    [(repeated, alone)] = execute(con, about)
    if not alone or alone < MOSTLY * repeated:
        return column
    sensitive = [name for name in policy.roles.get("sensitive", []) if name.lower() != column.column.lower()]
    with WorkTables(con) as work:
        rows = work.make(
            "joined",
            call("_rows_of_joined_people", release_table, column.column, policy.roles["qi"], sensitive),
        )
        required = _of_classes(policy, sensitive)
        query = call("violations", rows.name, qi=["class_id"], unit="person", **required)
        violated = work.make("violated", query)
        [(failing, people, alone)] = execute(con, call("_joined_people_who_fail", rows.name, violated.name))
    if not failing:
        return column
    reason = (
        f"it joins the rows of a person, and by all of their rows {failing:,} of {people:,} people are not "
        f"protected as it is required of classes ({alone:,} are the only ones with such rows)"
    )
    return replace(column, verdict="fails", reason=f"{column.reason}; {reason}")


def _of_classes(policy: Policy, sensitive: Sequence[str]) -> dict[str, Any]:
    """What is required of the classes of a release, for violations; k = 2 if nothing is."""
    models = by_id()
    required = {
        name: value for name, value in policy.requirements.items()
        if name in models and models[name].about in OF_CLASSES and (sensitive or name == "k")
    }  # fmt: skip
    settings = ("l", "safety_k", "t_distance", "missing_counts")
    required |= {name: policy.requirements[name] for name in settings
                 if name in policy.requirements and required and sensitive}  # fmt: skip
    if required.get("t_distance") == "hierarchical":  # by hierarchies of sensitive values
        required = {name: value for name, value in required.items() if name not in ("t", "t_distance")}
    required = required or {"k": 2}
    return {**required, "sensitive": [*sensitive]} if sensitive and required.keys() != {"k"} else required
