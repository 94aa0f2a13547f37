"""The columns that a policy releases: whether one of them names people, or joins the rows of a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import duckdb

from sqlanon.core.files import column_names
from sqlanon.core.models import by_id
from sqlanon.core.source import lower
from sqlanon.core.statements import call, execute, select
from sqlanon.core.tables import WorkTables
from sqlanon.measure.leaving import Leaving, columns_leaving
from sqlanon.measure.practice import OF_SAMPLES
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
    people = source_table if policy.unit is None or counts_people else None
    if policy.weight is None and (people is not None or policy.unit is None):
        left = _Judged(con, release_table, policy, people).judged(left)
    if policy.made_by != "anatomize":
        return left
    return [
        replace(each, how="unchanged", reason=APART) if each.role == "qi" and each.holds else each
        for each in left
    ]


class _Judged:
    """Columns that leave as they are, and tell more than their values: whose rows belong together, or what
    others know of a person. source: what the release was made of; without it (and a unit) the release."""

    def __init__(
        self, con: duckdb.DuckDBPyConnection, release: str, policy: Policy, source: str | None
    ) -> None:
        self.con, self.release, self.policy, self.source = con, release, policy, source
        self.people = source or release
        self.of_source = {name.lower(): name for name in column_names(con, self.people)}
        have = lower(column_names(con, release))
        self.qi = [name for name in policy.roles["qi"] if name.lower() in have]

    def judged(self, left: Sequence[Leaving]) -> Sequence[Leaving]:
        """The columns, of which some hold no more. Labels, and columns that the source lacks, join no rows;
        what is in [direct] is accepted."""
        direct = lower(self.policy.direct)
        others, made = list[Leaving](), list[Leaving]()
        for column in left:
            each, name = column, column.column.lower()
            if each.holds and each.role != "qi" and name in self.of_source and name not in direct:
                is_kept = each.role != "sensitive"
                each = self._inferred(each) if is_kept else each
                with_others = others if is_kept and self.policy.unit is not None else ()
                for by in [[each], *([other, each] for other in with_others)]:
                    each = self._joining(each, by) if each.holds else each
                others += [each] if each.holds and is_kept else []
            made.append(each)
        return made

    def _joining(self, column: Leaving, by: Sequence[Leaving]) -> Leaving:
        """The column, which fails if it joins the rows of a person, or of a household, and people are not
        protected by all of these rows together as the policy requires it of classes. by: with another one."""
        names = [each.column for each in by]
        in_source = [self.of_source[name.lower()] for name in names]
        about = call("_values_in_several_rows", self.people, in_source, self.policy.unit)
        [(repeated, alone)] = execute(self.con, about)
        # what is required of a sample's risks counts all of a household already
        is_household = lower(names) == lower([self.policy.household or ""]) and not any(
            name in self.policy.rules.risks for name in OF_SAMPLES
        )
        is_person = self.policy.unit is not None and alone and alone >= MOSTLY * repeated
        if not (is_person or is_household):
            return column
        sensitive = [
            name for name in self.policy.roles.get("sensitive", []) if name.lower() not in lower(names)
        ]
        with WorkTables(self.con) as work:
            joined = call("_rows_of_joined_people", self.release, names, self.qi, sensitive)
            rows = work.make("joined", joined)
            required = _of_classes(self.policy, sensitive)
            query = call("violations", rows.name, qi=["class_id"], unit="person", **required)
            violated = work.make("violated", query)
            failing = call("_joined_people_who_fail", rows.name, violated.name)
            [(failing, people, alone)] = execute(self.con, failing)
        if not failing:
            return column
        whose, them = ("a person", "people") if is_person else ("a household", "households")
        also = "" if len(by) == 1 else f"with {names[0]} "
        reason = (
            f"{also}it joins the rows of {whose}, and by all of their rows {failing:,} of {people:,} {them} "
            f"are not protected as it is required of classes ({alone:,} are the only ones with such rows)"
        )
        return replace(column, verdict="fails", reason=f"{column.reason}; {reason}")

    def _inferred(self, column: Leaving) -> Leaving:
        """The column: not known, if whoever knows the quasi-identifiers of a person can infer its value from
        them, and too few rows of a class have that value."""
        k = self.policy.requirements.get("k")
        known = [name for name in self.qi if name.lower() in self.of_source]
        for names in [*([name] for name in known), known] if k and self.source and known else []:
            about = call("_is_inferred_from", self.source, column.column, names, self.policy.unit)
            if execute(self.con, about) == [(True,)]:
                classes = call("classes", self.release, [*self.qi, column.column])
                few = select(classes.subquery(), f"sum(size) filter (where size < {k})", "sum(size)")
                [(failing, rows)] = execute(self.con, few)
                if failing:
                    reason = (
                        f"who knows {' and '.join(names)} of a person probably knows it, too, and with it "
                        f"{failing:,} of {rows:,} rows are in classes of fewer than {k}"
                    )
                    return replace(column, verdict="not known", reason=f"{column.reason}; {reason}")
        return column


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
