"""What a decision page tells of a table that is checked by its policy, and not attacked: no, or not yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.core.files import column_names
from sqlanon.core.source import lower
from sqlanon.core.statements import call, count, execute, relation, select
from sqlanon.measure.leaving import Leaving
from sqlanon.policies.parsing import SETTINGS
from sqlanon.policies.policy import Policy
from sqlanon.publishing.decision import FORMAT, first_rows, forms_of, not_looked_at, policy_facts, said_of


@dataclass(frozen=True)
class Checked:
    """What is seen of a table by its policy. policy: as it is about the table. left: the columns that leave;
    source: the name of the table that it was made of, if that is at hand."""

    con: duckdb.DuckDBPyConnection
    release: str
    policy: Policy
    left: Sequence[Leaving]
    source: str | None
    shows_values: bool

    def facts(self) -> dict[str, Any]:
        """What the table is like, before anything is said of it."""
        con, policy = self.con, self.policy
        reached = select(call("privacy", self.release, **self._roles()).subquery(), "model", "reached")
        of_models = execute(con, reached.where("id in ('k', 'l')"))
        [(rows,)] = execute(con, count(relation(self.release)))
        people = None
        if policy.unit is not None:
            units = select(relation(self.release), exp.column(policy.unit, quoted=True)).distinct()
            [(people,)] = execute(con, count(units.subquery()))
        forms = [{} if tbl is None else forms_of(con, tbl) for tbl in (self.source, self.release)]
        names = column_names(con, self.release)
        of_source = [] if self.source is None else column_names(con, self.source)
        return {
            "release": {
                "rows": rows, "suppressed_rows": None, "people": people, "classes": None,
                "method": policy.method,
                "reached": {model: value for model, value in of_models if value is not None},
                "required": {
                    name: value for name, value in policy.requirements.items() if name not in SETTINGS
                },
            },
            "columns": [
                {
                    "column": each.column, "role": each.role, "how": each.how, "looks_like": each.looks_like,
                    "verdict": each.verdict, "before": forms[0].get(each.column.lower(), []),
                    "after": forms[1].get(each.column.lower(), []),
                }
                for each in self.left
            ],
            "never_leave": [name for name in of_source if name.lower() not in lower(names)],
            "first_rows": {
                "shows_values": self.shows_values, "columns": names,
                "rows": first_rows(
                    con, self.release, self.source or self.release,
                    [each.column for each in self.left if each.how == "recoded"] if self.source else [],
                    not self.shows_values,
                ),
            },
        }  # fmt: skip

    def _roles(self) -> dict[str, Any]:
        sensitive = self.policy.roles.get("sensitive")
        return {"qi": self.policy.roles["qi"], "sensitive": sensitive or None, "unit": self.policy.unit}


def facts_of_check(
    seen: dict[str, Any], policy: Policy, *, source: str, violating: tuple[int, int], holds: bool | None,
    not_released: Sequence[str], naming: Sequence[str], broken: Sequence[str], unknown: Sequence[str],
) -> dict[str, Any]:  # fmt: skip
    """The facts of a decision. seen: facts of Checked. violating: classes and rows that violate what is
    required; holds: does it hold? None: it is not known. not_released, naming: columns that the policy does
    not release, and that may name people. broken, unknown: what else does not hold, or is not known."""
    fails = holds is False or bool(not_released or naming or broken)
    return {
        "format": FORMAT,
        "answer": "no" if fails else "not yet",
        "is_out": False,
        "made_at": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
        "source": source,
        "policy": policy_facts(policy, policy.unit),
        "register": None, "output": None, "number": None, "name": None, "together": [],
        "release": None, "table": None, **seen,
        "check": {
            "holds": holds, "violating_classes": violating[0], "violating_rows": violating[1],
            "not_released": [*not_released], "naming": [*naming], "broken": [*broken], "unknown": [*unknown],
        },
        "bounds": [],
        "reasons": [],
        "not_looked_at": not_looked_at(seen["columns"], [], policy, is_attacked=False),
        "remedies": None, "out_before": 0, "changed": None, "accepted": [],
        "said": said_of(policy), "remarks": [],
    }  # fmt: skip
