"""Remedies: changes of a policy that are tried on the table when its release is refused.

Each is a release of its own, made and judged with everything that is out as if it were to be published, and
nothing of it stays. What was not run is not advised. What changes what is claimed (a mapping of words, an
acceptance) is no remedy.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.core.connection import connection_first
from sqlanon.core.errors import RefusedError, SqlanonError, UseError
from sqlanon.core.library import ensure_registered
from sqlanon.core.release import Progress, Release
from sqlanon.core.remarks import message_of
from sqlanon.core.source import Source, named
from sqlanon.core.statements import call, drop, execute, named_table, select
from sqlanon.core.tables import WorkTables
from sqlanon.core.toml import bare, edited, shown
from sqlanon.judge.past import ACCEPT_PAST
from sqlanon.judge.verdicts import HOLDS, IN_THE_WAY, NOT_KNOWN
from sqlanon.policies.parsing import parameters_of
from sqlanon.policies.policy import Policy, load, read
from sqlanon.policies.schema import REGISTER
from sqlanon.publishing.gate import check_output, publish
from sqlanon.publishing.register import opened

NOT_TRIED = "not tried"
SECONDS = 120.0
ALPHAS = (0.8, 0.5)
SUPPRESSED = (0.02, 0.05)  # shares of the rows that may be left out
MOST_COLUMNS = 3  # that are left out, one at a time
BEFORE = "whoever is above a bound was so before, and this adds nobody: --accept-past accepts it"
# Doubts about what was then, and what words mean, which no policy for today's table cures.
COME_FIRST = (
    "leavers", "moved", "spelling", "quasi_identifiers", "sensitive_columns", "several_tables", "values",
    "zone",
)  # fmt: skip


@dataclass(frozen=True)
class Change:
    """A change of a policy. said: what it is; lines: what to write into the policy's file, by key; policy:
    with the change."""

    said: str
    lines: Mapping[str, str]
    policy: Policy


@dataclass(frozen=True)
class Remedy:
    """What a change does. verdict: holds (the release would go out), fails, not known, refused (no release
    can be made so), or not tried (for lack of time). reason: the gate's first one for this verdict. loss: GCP
    in percent, of the release with the change; None where there is none. lines: as in a change. cells: of a
    table of counts, how many it has, and how many of them are hidden or changed. first: what is not known,
    and no change tells."""

    change: str
    verdict: str
    reason: str | None
    loss: float | None
    lines: Mapping[str, str]
    cells: tuple[int, int] | None = None
    first: Sequence[str] = ()

    @property
    def helps(self) -> bool:
        return self.verdict == HOLDS

    def __str__(self) -> str:
        loss = "" if self.loss is None else f", loss {self.loss:.3g} %"
        if self.cells is not None:
            every, hidden = self.cells
            loss = f", {hidden:,} of {every:,} cells hidden or changed"
        if self.helps:
            return f"{self.change}: it would go out{loss}"
        return f"{self.change}: {self.verdict}{loss}" + (f" ({self.reason})" if self.reason else "")


@connection_first
def remedies(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    policy: Policy | str | os.PathLike[str],
    *,
    register: str | os.PathLike[str],
    output: str | os.PathLike[str],
    name: str | None = None,
    period: str | None = None,
    population: Source = None,
    attacks: str | Iterable[str] | None = None,
    parameters: Mapping[str, Any] | None = None,
    max_targets: int | None = None,
    accept: Mapping[str, str] | None = None,
    accept_past: str | None = None,
    earlier: Mapping[str, Source] | None = None,
    all_attacks: bool = False,
    seconds: float = SECONDS,
    wait: float = 0,
    key_file: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> list[Remedy]:
    """Try changes of a policy on a table whose release is refused: which of them would go out, and what they
    cost.

    The first one is the policy as it is; the only one, where something is not known that no policy for
    today's table tells, such as who has left or moved: that comes first. Then, one at a time and as far as
    the method knows them: what is required of the release together with those that are out (composed_l), the
    same categories as the last one (based_on), alpha, a larger l and k, more rows left out
    (suppression_limit), and the policy without one of the quasi-identifiers. Each release is made and judged
    with all that is out, as `publish` would, and
    nothing of it stays.

    seconds: for all changes; what was not tried then is listed as such. All else: as in `publish`. Errors:
    those of `publish`, but for RefusedError.
    """
    began = time.monotonic()
    ensure_registered(con)
    rules = policy if isinstance(policy, Policy) else load(policy)
    check_output(output, rules)
    with opened(con, register, read_only=True, make=True, wait=wait) as known:
        is_first = not known.microdata(known.out())
    tried = [Change("the policy as it is", {}, rules), *changes(rules, is_first)]
    dry = {
        "register": register, "output": output, "name": name, "period": period, "attacks": attacks,
        "population": population, "parameters": parameters, "max_targets": max_targets, "accept": accept,
        "accept_past": accept_past, "earlier": earlier, "all_attacks": all_attacks, "wait": wait,
        "key_file": key_file,
        "dry_run": True,
    }  # fmt: skip
    found = list[Remedy]()
    with named(con, source) as tbl:
        for number, change in enumerate(tried):
            left = seconds - (time.monotonic() - began)
            if number and left <= 0:
                found.append(Remedy(change.said, NOT_TRIED, None, None, change.lines))
                continue
            if progress is not None:
                progress(number / len(tried), change.said)
            found.append(_tried(con, tbl, change, len(rules.roles["qi"]), left, dry))
            if not number:
                if found[0].first:
                    break
                began = time.monotonic()  # what it is compared with takes no time from the changes
    return found


def in_order(tried: Sequence[Remedy]) -> list[Remedy]:
    """The changes that were tried: those that help first, and last those for which there was no time. Tables
    of counts by their price: those with the most cells, and of these the ones with the fewest that are hidden
    or changed."""

    def rank(remedy: Remedy) -> tuple[bool, bool, int, int]:
        every, hidden = remedy.cells or (0, 0)
        return not remedy.helps, remedy.verdict == NOT_TRIED, -every, hidden

    return sorted(tried[1:], key=rank)


def applied(policy: Policy, remedy: Remedy) -> Policy:
    """The policy with a change, as its file would say it. Errors: UseError, if the file has no such place."""
    try:
        text = edited(policy.text, remedy.lines)
    except ValueError:
        said = " and ".join(f"{key} = {value}" for key, value in remedy.lines.items())
        raise UseError(
            f"{policy.spelling.path}: write {said} yourself: it is not found where it stands"
        ) from None
    return read(policy.spelling.path, {}, text=text.encode())


def why_refused(error: RefusedError) -> str:
    """The first reason for the verdict, without what may help."""
    said = f"{error.verdict}: "
    reason = next((each for each in error.reasons if each.startswith(said)), error.reasons[0])
    return reason.removeprefix(said).partition(";")[0]


def come_first(con: duckdb.DuckDBPyConnection, verdicts: str) -> list[str]:
    """The names of what is in the way of a release, and no change of the policy tells."""
    about = select(named_table(verdicts), "id").distinct().order_by("id")
    of_them = exp.column("id").isin(*COME_FIRST)
    found = execute(con, about.where(IN_THE_WAY, exp.column("attack").eq("evidence"), of_them))
    return [f"evidence.{id}" for (id,) in found]


def _tried(
    con: duckdb.DuckDBPyConnection, tbl: str, change: Change, columns: int, left: float,
    dry: Mapping[str, Any],
) -> Remedy:  # fmt: skip
    """columns: how many quasi-identifiers there are without the change."""
    losses = list[float | None]()

    def look(release: Release) -> None:
        losses.append(_loss(con, tbl, release, change.policy, columns))

    def remedy(verdict: str, reason: str | None = None, first: Sequence[str] = ()) -> Remedy:
        loss = losses[0] if losses else None
        return Remedy(change.said, verdict, reason, loss, change.lines, first=first)

    began = time.monotonic()
    try:
        judged = publish(con, tbl, change.policy, made=look, **{**dry, "seconds": max(left, 1.0)})
    except RefusedError as error:
        why, first = why_refused(error), list[str]()
        if error.verdicts:
            verdicts = named_table(error.verdicts)
            rows = [*execute(con, select(verdicts, "attack", "id", "remedy").where(IN_THE_WAY))]
            first = come_first(con, error.verdicts)
            execute(con, drop(verdicts))
            if rows and all(way == ACCEPT_PAST for *_, way in rows):
                why = BEFORE
        if error.verdict == NOT_KNOWN and time.monotonic() - began >= left:  # it was not tried to the end
            return remedy(NOT_TRIED)
        return remedy(error.verdict, why, first)
    except SqlanonError as error:
        return remedy("refused", message_of(error))
    execute(con, drop(named_table(judged.verdicts)))
    return remedy(HOLDS)


def _loss(
    con: duckdb.DuckDBPyConnection, tbl: str, release: Release, policy: Policy, columns: int
) -> float | None:
    """GCP of a release, in percent; None where it is not known. columns: of so many quasi-identifiers; those
    that are left out are lost."""
    with WorkTables(con) as work:
        hierarchies = policy.make_hierarchies(con, tbl, None, work)
        measured = call("utility", tbl, release.table, qi=policy.roles["qi"], hierarchies=hierarchies)
        of_all = select(measured.subquery("measured"), "value").where("id = 'gcp' and attribute is null")
        try:
            [(value,)] = execute(con, of_all)
        except (SqlanonError, ValueError):
            return None
    lost = columns - len(policy.roles["qi"])
    return None if value is None else 100 * (lost + float(value) * (columns - lost)) / columns


def changes(policy: Policy, is_first: bool) -> Iterator[Change]:
    """Changes that may help, the likely and cheap ones first. is_first: is nothing out yet?"""
    takes, required = parameters_of(policy.method), policy.requirements
    sensitive = policy.roles.get("sensitive", [])

    def requiring(known: bool = False, **more: Any) -> Change:
        lines = {f"requirements.{name}": shown(value) for name, value in more.items()}
        changed = replace(policy, requirements={**required, **more})
        if known:
            changed = replace(changed, known=REGISTER)
            lines["requirements.known"] = shown(REGISTER)
        return Change(", ".join(f"{name} = {value}" for name, value in more.items()), lines, changed)

    if not is_first and "composed_l" in takes and sensitive and "composed_l" not in required:
        yield requiring(known=True, composed_l=2)
        if "alpha" in takes and "alpha" not in required:
            yield requiring(known=True, composed_l=2, alpha=ALPHAS[0])
    if not is_first and "based_on" in takes and policy.based_on is None and policy.unit is None:
        yield Change(
            "the same categories as the last release", {"method.based_on": shown(REGISTER)},
            replace(policy, based_on=REGISTER),
        )  # fmt: skip
    as_before = parameters_of("recode")
    if not is_first and policy.parameters.keys() <= {"suppression_limit"} and required.keys() <= as_before:
        parameters = {"scheme": REGISTER, "suppression_limit": SUPPRESSED[-1]}
        yield Change(
            f"the categories of the last release, and up to {SUPPRESSED[-1]:.0%} of the rows left out",
            {"method.name": shown("recode"),
             **{f"method.{name}": shown(value) for name, value in parameters.items()}},
            replace(policy, method="recode", parameters=parameters),
        )  # fmt: skip
    if sensitive and "alpha" in takes:
        for alpha in ALPHAS:
            if alpha < required.get("alpha", 1):
                yield requiring(alpha=alpha)
    if sensitive and "l" in takes:
        least = int(required.get("l") or 1)
        yield requiring(l=least + 1)
        yield requiring(l=least + 2)
    if "k" in takes and required.get("k"):
        yield requiring(k=2 * required["k"])
        yield requiring(k=4 * required["k"])
    yield from _coarser(policy)
    # Mondrian suppresses rows because of known releases only, and none of people who have several
    of_known = "composed_l" in required and policy.unit is None
    if "suppression_limit" in takes and (policy.method != "mondrian" or of_known):
        for limit in SUPPRESSED:
            if limit > policy.parameters.get("suppression_limit", 0):
                parameters = {**policy.parameters, "suppression_limit": limit}
                yield Change(
                    f"suppression_limit = {limit}", {"method.suppression_limit": shown(limit)},
                    replace(policy, parameters=parameters),
                )  # fmt: skip
    if sensitive and policy.hold_back < SUPPRESSED[-1]:
        limit = SUPPRESSED[-1]
        yield Change(
            f"rows of those whom attacks find held back, of up to {limit:.0%} of the people (who is left out "
            "depends on the data)",
            {"judge.hold_back": shown(limit)}, replace(policy, hold_back=limit),
        )  # fmt: skip
    qi = policy.roles["qi"]
    for column in qi[:MOST_COLUMNS] if len(qi) > 1 else ():
        yield _without(policy, column)


def _coarser(policy: Policy) -> Iterator[Change]:
    """The policy without the finest level of a hierarchy."""
    of_levels = [
        (column, made, key) for column, made in policy.hierarchies.items() if column in policy.roles["qi"]
        for key in ("units", "widths") if len(made.get(key) or ()) > 1
    ]  # fmt: skip
    for column, made, key in of_levels[:MOST_COLUMNS]:
        finest, *others = made[key]
        hierarchies = {**policy.hierarchies, column: {**made, key: others}}
        yield Change(
            f"{column} without the level {finest}", {f"hierarchies.{bare(column)}.{key}": shown(others)},
            replace(policy, hierarchies=hierarchies),
        )  # fmt: skip


def _without(policy: Policy, column: str) -> Change:
    """The policy without a quasi-identifier."""
    qi = [name for name in policy.roles["qi"] if name != column]
    hierarchies = {name: made for name, made in policy.hierarchies.items() if name.lower() != column.lower()}
    changed = replace(policy, roles={**policy.roles, "qi": qi}, hierarchies=hierarchies)
    return Change(f"without {column}", {"roles.qi": shown(qi)}, changed)
