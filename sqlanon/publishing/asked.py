"""What a register and a policy tell the judge: what is out, and who is asked about."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import replace

import duckdb

from sqlanon.core.source import lower
from sqlanon.core.statements import render
from sqlanon.core.tables import WorkTables
from sqlanon.judge.evidence import Asked, Doubt, Leaver, Released
from sqlanon.judge.verdicts import PROPOSAL, check_bounds
from sqlanon.policies.policy import Policy
from sqlanon.publishing.register import Entry, Register


def released(entry: Entry, policy: Policy) -> Released:
    """A release of the register."""
    hierarchies = entry.hierarchies
    return Released(
        entry.name, render(entry.table), entry.qi, entry.sensitive, entry.nearest, entry.formats, entry.names,
        entry.spellings, None if hierarchies is None else render(hierarchies), _same_recoding(entry, policy),
        entry.is_foreign, entry.suppressed_rows,
    )  # fmt: skip


TOGETHER = "together"  # the doubt about what nobody has worked out


def together(what: str, entries: Iterable[Entry], remedy: str) -> list[Doubt]:
    """The doubt about what releases of the register tell; none without any."""
    names = [entry.name for entry in entries]
    reason = f"nobody has worked out {what}: {', '.join(names)}"
    return [Doubt(TOGETHER, reason, names, remedy=remedy)] if names else []


def beside_tables(out: Iterable[Entry]) -> list[Doubt]:
    """The doubt about rows, where tables of counts or sums are out, too."""
    return together(
        "what rows tell together with tables of counts or sums that are out",
        [entry for entry in out if entry.is_of_cells],
        f"say why it does not matter: --accept evidence.{TOGETHER}='they are about other people'",
    )  # fmt: skip


def with_leavers_seen(
    releases: Sequence[Released], register: Register, work: WorkTables, asked: Asked
) -> list[Released]:
    """The releases with what is known of who has left since they went out."""
    entries = {entry.name: entry for entry in register.out()}
    return [
        each
        if each.is_foreign
        else replace(
            each,
            are_leavers_seen=register.keeps_people(entries[each.name])
            or register.are_same_people(work, asked, entries[each.name]),
        )
        for each in releases
    ]


def _same_recoding(entry: Entry, policy: Policy) -> list[str]:
    """The quasi-identifiers of a release whose hierarchies were made as the policy says, or that had none.

    A file may say something else by now.
    """
    if not entry.policy or not policy.text:
        return []
    qi = lower(policy.roles["qi"])
    then, now = (tomllib.loads(text).get("hierarchies", {}) for text in (entry.policy, policy.text))
    same = [name for name in entry.qi if then.get(name) == now.get(name) and name.lower() in qi]
    return [name for name in same if "file" not in now.get(name, {})]


def asked_of(
    policy: Policy, table: str, hierarchies: str | None, register: Register | None
) -> tuple[Asked, list[Leaver]]:
    """Those who are asked about: the people of a table, and those who have left since a release went out, as
    far as the register has kept them."""
    asked = Asked(
        table, policy.roles["qi"], policy.roles.get("sensitive", []), policy.unit, hierarchies,
        policy.roles.get("identifier", []), policy.values_may_change,
        policy.contradictions,
    )  # fmt: skip
    return asked, [] if register is None else register.leavers(asked)


def require_bounds(
    con: duckdb.DuckDBPyConnection, policy: Policy, attacks: Iterable[str] | None = None
) -> None:
    """Errors: UseError for a policy without bounds, or with those of no attack that is to be made."""
    if not policy.tolerated:
        raise policy.spelling.wrong("tolerated", f" is empty: say what attacks may find, such as\n{PROPOSAL}")
    check_bounds(con, policy.tolerated, attacks)
