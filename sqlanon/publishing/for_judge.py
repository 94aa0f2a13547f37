"""What the judge needs from a register and a policy: the published releases, and the people to look for."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import duckdb

from sqlanon.core.errors import InputError
from sqlanon.core.source import lower
from sqlanon.core.statements import call, render
from sqlanon.core.suggestions import suggestion
from sqlanon.core.tables import WorkTables
from sqlanon.judge.evidence import Doubt, Kept, Released, Subjects
from sqlanon.judge.together import UNITS, Counted
from sqlanon.judge.verdicts import check_bounds
from sqlanon.policies.first_policy import units
from sqlanon.policies.levels import proposal
from sqlanon.policies.policy import Policy
from sqlanon.publishing.earlier import with_tables_given_again
from sqlanon.publishing.register import ALIAS, FOREIGN_CELLS, Entry, Register
from sqlanon.tables.making import least_of_hidden


def released(entry: Entry, policy: Policy) -> Released:
    """A release of the register."""
    hierarchies = entry.hierarchies
    return Released(
        entry.name, render(entry.table), entry.qi, entry.sensitive, entry.nearest, entry.formats, entry.names,
        entry.spellings, None if hierarchies is None else render(hierarchies), _same_recoding(entry, policy),
        entry.is_foreign, entry.suppressed_rows,
    )  # fmt: skip


def counted(entries: Sequence[Entry]) -> list[Counted]:
    """What of the register can be put together with tables of counts: these and rows; what randomized ones
    tell is bounded by their budgets."""
    result: list[Counted] = []
    for entry in entries:
        if entry.is_randomized or entry.is_of_tables:
            continue
        read = _counts_of(entry) if entry.is_of_cells else _rows_of(entry)
        if entry.is_of_cells and not entry.is_foreign:
            result.append(read)
        else:
            result.append(replace(read, growing=growing_of(result)))
    return result


def several_tables(entries: Sequence[Entry]) -> list[Doubt]:
    """Releases of several tables, with which no release of one table is attacked."""
    names = [entry.name for entry in entries if entry.is_of_tables]
    if not names:
        return []
    reason = f"{', '.join(names)}: of several tables about people, and not attacked together with this one"
    remedy = "publish this table as one of several, too, or say why that does not matter: --accept "
    return [Doubt("several_tables", reason, names, remedy=f"{remedy}evidence.several_tables='why'")]


def counted_rows(
    con: duckdb.DuckDBPyConnection, source: str, others: Sequence[str], name: str, key: str
) -> Iterator[Doubt]:
    """Rows that are counted where people may have several. others: columns that are something else; name: of
    the release; key: of the policy, which says whose a row is."""
    for column, distinct, values in units(con, source, lower(others)):
        yield Doubt(
            UNITS, f"rows are counted, but {column} has {distinct:,} distinct values in {values:,} rows: if "
            "it says whose a row is, people have several", [name],
            remedy=f"say {key} = {json.dumps(column)}: then people are counted; or, if it does not, say "
            f"so: --accept evidence.{UNITS}='why'",
        )  # fmt: skip


def growing_of(out: Sequence[Counted]) -> bool | None:
    """What the last table that has said it says of how people change, for those that do not say it."""
    return next((each.growing for each in reversed(out) if each.growing is not None), None)


def _rows_of(entry: Entry) -> Counted:
    return rows_to_compare(
        entry.name, render(entry.table), [*entry.qi, *entry.sensitive], entry.unit, entry.suppressed_rows,
        nearest=entry.nearest, written=[*entry.formats], names=entry.names, values=entry.spellings,
        filter=entry.filter or "", period=entry.period,
        hierarchies=None if entry.hierarchies is None else render(entry.hierarchies),
    )  # fmt: skip


def rows_to_compare(
    name: str, table: str, columns: Sequence[str], unit: str | None, suppressed_rows: int | None,
    *, nearest: bool = False, written: Sequence[str] = (), **about: Any,
) -> Counted:  # fmt: skip
    """A release of rows, as counts of its classes. written: columns that are written in a format."""
    why_not = None
    if nearest:
        why_not = "its rows are centroids"
    elif written:
        why_not = f"its columns {', '.join(written)} are written in a format of their own"
    elif suppressed_rows is None:
        why_not = "nobody knows whether everybody has a row in it"
    elif suppressed_rows:
        why_not = f"{suppressed_rows:,} rows are missing in it"
    return Counted(
        name, table, columns, is_of_rows=True, several=unit is not None, why_not=why_not, **about
    )  # fmt: skip


def _counts_of(entry: Entry) -> Counted:
    contributors = None if entry.contributors is None else render(entry.contributors)
    return counts_to_compare(
        entry.name, render(entry.table), entry.method or "", {"dimensions": entry.qi, **entry.parameters},
        contributors, is_foreign=entry.is_foreign, names=entry.names, values=entry.spellings,
        filter=entry.filter or "", period=entry.period,
        hierarchies=None if entry.hierarchies is None else render(entry.hierarchies),
    )  # fmt: skip


def counts_to_compare(
    name: str, table: str, macro: str, parameters: Mapping[str, Any], contributors: str | None = None,
    **about: Any,
) -> Counted:  # fmt: skip
    """A table of counts or sums. parameters: with which it was made, by the register; macro: what protects
    it; contributors: as in Counted."""
    measure, is_foreign = parameters.get("measure"), macro == FOREIGN_CELLS
    has_sums = measure is not None and not is_foreign
    has_means = "mean" in parameters
    why_not = None
    noise = parameters.get("noise", parameters.get("largest")) if macro == "cell_keys" else None
    several = not parameters.get("additive", True)
    if several and has_sums:
        why_not = (
            "people are in several of its cells, and it has sums (a table of one row per person, such as the "
            "first of each, is compared)"
        )
    elif has_sums and macro != "suppress_cells":
        why_not = f"its sums of {measure} are rounded"
    elif has_sums and contributors is None:
        why_not = "it was not kept how many people its sums are of"
    elif macro == "cell_keys" and noise is None:
        why_not = "nobody has entered how large its noise can be"
    return Counted(
        name, table, list(parameters["dimensions"]), several=several, why_not=why_not, noise=noise,
        contributors=contributors,
        linked=parameters.get("linked") or (), total=parameters.get("total", "total"),
        value=None if has_sums else parameters.get("value", "value"), measure=parameters.get("mean", measure),
        sums="value" if has_sums else parameters.get("sum_column"),
        means="mean" if has_means else parameters.get("mean_column"),
        percent=parameters.get("p"), has_shares="p" in parameters or "dominance" in parameters,
        base=parameters.get("base"), rounding=parameters.get("rounding", "nearest"),
        least=None if is_foreign else least_of_hidden(parameters),
        threshold=_threshold(parameters), zeros=bool(parameters.get("zeros")),
        growing=parameters.get("growing"), varying=parameters.get("varying") or (),
        max_atoms=parameters.get("max_atoms"),
        is_complete=parameters.get("complete", True), unread=parameters.get("unread") or (), **about,
    )  # fmt: skip


def _threshold(parameters: Mapping[str, Any]) -> int | None:
    """How many people must be in a cell at least: by dominance and p more than two, who always have all."""
    fewest = [parameters["threshold"]] if "threshold" in parameters else []
    if "p" in parameters or "dominance" in parameters:
        fewest.append(3)
    return max(fewest, default=None)


GROWN_FROM = "grown_from"  # what the register calls digests of the people of rows that were not new


def with_leavers_seen(
    releases: Sequence[Released],
    register: Register,
    work: WorkTables,
    subjects: Subjects,
    before: str | None = None,
    given: Container[str] = (),
) -> list[Released]:
    """The releases with what is known of who has left since they went out. before: of a table that grows the
    rows that are not new. given: releases whose tables are given again."""
    entries = {entry.name: entry for entry in register.out()}
    grown = _grown_to(entries.values(), register, work, subjects, before)
    return [
        each
        if each.is_foreign
        else replace(
            each,
            are_leavers_seen=register.keeps_people(entries[each.name])
            or each.name in given
            or each.name in grown
            or register.are_same_people(work, subjects, entries[each.name]),
        )
        for each in releases
    ]


def _grown_to(
    entries: Iterable[Entry], register: Register, work: WorkTables, subjects: Subjects, before: str | None
) -> set[str]:
    """The releases whose people are all among those who are attacked, as the table has only grown: those
    of the last one are the people of the rows that are not new (by keyed digests); and so on back."""
    grown = set[str]()
    own = [entry for entry in entries if not (entry.is_foreign or entry.is_of_cells or entry.is_of_tables)]
    if before is None or not own:
        return grown
    digests = register.digests_of_people(work, replace(subjects, table=before))
    for entry in reversed(own):
        if not digests.items() & entry.people.items():
            break
        grown.add(entry.name)
        digests = entry.parameters.get(GROWN_FROM, {})
    return grown


def _same_recoding(entry: Entry, policy: Policy) -> list[str]:
    """The quasi-identifiers of a release whose hierarchies were made as the policy says, or that had none.

    A file may say something else by now.
    """
    return same_recoding(entry.qi, entry.policy or "", policy)


def same_recoding(columns: Sequence[str], before: str, policy: Policy) -> list[str]:
    """The columns whose hierarchies the policy with this text made as this policy does, or that had none."""
    if not before or not policy.text:
        return []
    qi = lower(policy.roles["qi"])
    then, now = (tomllib.loads(text).get("hierarchies", {}) for text in (before, policy.text))
    same = [name for name in columns if then.get(name) == now.get(name) and name.lower() in qi]
    return [name for name in same if "file" not in now.get(name, {})]


def subjects_of(policy: Policy, table: str, hierarchies: str | None) -> Subjects:
    """The people of a table, and what a policy says of them."""
    return Subjects(
        table, policy.roles["qi"], policy.roles.get("sensitive", []), policy.unit, hierarchies,
        policy.roles.get("identifier", []), policy.values_may_change,
        policy.contradictions, policy.same_columns, policy.different_columns,
        policy.distinct_spellings, policy.fold, policy.missing_counts, policy.new_rows is not None,
        policy.gone,
    )  # fmt: skip


def kept_of(
    register: Register | None, releases: Sequence[Released], subjects: Subjects, remarks: list[str],
    work: WorkTables, earlier: Mapping[str, str] | None = None,
) -> Kept | None:  # fmt: skip
    """What a register keeps about the people of releases, or earlier has, the tables that these were made of;
    None, with a remark, where nothing says who somebody is."""
    own = [each.name for each in releases if not each.is_foreign]
    if unknown := next((name for name in earlier or () if name not in own), None):
        raise InputError(
            f"earlier: no release of ours that is out is called {unknown}{suggestion(unknown, own)}"
        )
    if not own:
        return None
    if register is None:
        remarks.append("people who have moved since are not seen: only a register keeps who was where")
        return None
    if not subjects.who:
        remarks.append(
            "people who have moved since an earlier release (who have other quasi-identifiers) are not "
            "seen: the policy has no unit and no identifier"
        )
    kept = register.kept(own)
    kept = with_tables_given_again(register.con, kept, releases, earlier or {}, subjects, work, remarks)
    if not any(each.values for each in releases if each.name in own):
        return kept
    spelled = call("_asked_as_spelled_today", kept.asked, f"{ALIAS}.spellings")
    return replace(kept, asked=work.make("asked_as_spelled", spelled).name)


def require_bounds(
    con: duckdb.DuckDBPyConnection, policy: Policy, attacks: Iterable[str] | None = None
) -> None:
    """Errors: UseError for a policy without bounds, or with those of no attack that is to be made."""
    if not policy.tolerated:
        proposed = proposal(policy.unit)
        raise policy.spelling.wrong("tolerated", f" is empty: say what attacks may find, such as\n{proposed}")
    check_bounds(con, policy.tolerated, attacks)
