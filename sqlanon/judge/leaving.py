"""The columns that a policy releases, and whether one of them names people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import duckdb

from sqlanon.core.files import column_names
from sqlanon.core.source import lower
from sqlanon.measure.leaving import Leaving, columns_leaving
from sqlanon.policies.policy import Policy

__all__ = ["Leaving", "leaving"]

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
    if policy.made_by != "anatomize":
        return left
    return [
        replace(each, how="unchanged", reason=APART) if each.role == "qi" and each.holds else each
        for each in left
    ]
