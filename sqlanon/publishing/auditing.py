"""What else is done with a register: list it, enter what others publish, withdraw, look people up, audit."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import duckdb
from sqlglot import exp

from sqlanon.attack.intersection import check_formats, of_release
from sqlanon.core.answer import Names
from sqlanon.core.connection import connection_first
from sqlanon.core.deadline import Deadline
from sqlanon.core.errors import UnreadWarning, UseError, values_are_shown
from sqlanon.core.files import column_names
from sqlanon.core.library import ensure_registered
from sqlanon.core.release import Progress
from sqlanon.core.remarks import warn
from sqlanon.core.source import Source, fresh_name, lower, named, names
from sqlanon.core.statements import (
    answer,
    call,
    count,
    create,
    execute,
    literal,
    named_table,
    relation,
    render,
    select,
    table,
    union_all,
)
from sqlanon.core.suggestions import missing_column
from sqlanon.core.tables import WorkTables, transaction
from sqlanon.core.text_files import Roles
from sqlanon.judge.evidence import Doubt
from sqlanon.judge.evidence import named as titled
from sqlanon.judge.runs import Attempt
from sqlanon.judge.together import DOUBTS, SOLVER_SECONDS, Comparison, Together
from sqlanon.judge.verdicts import HOLDS, Judge, Judgement, insert_comparisons, reasons_of, said_of, too_late
from sqlanon.pages.vega import require_extra
from sqlanon.policies.people import PeoplePolicy, read_people
from sqlanon.policies.policy import Policy, load, read
from sqlanon.policies.schema import check_language
from sqlanon.publishing.folders_out import judge_folders
from sqlanon.publishing.for_judge import (
    counted,
    kept_of,
    released,
    require_bounds,
    several_tables,
    subjects_of,
    with_leavers_seen,
)
from sqlanon.publishing.register import ALIAS, FOREIGN_CELLS, Entry, Register, digest, listed_in, now, opened

if TYPE_CHECKING:
    from sqlanon.pages.audit_page import AuditPage

Columns = Names | Mapping[str, str | None]  # of theirs, or of theirs -> what we call it
Spellings = Mapping[str, Mapping[str, str]]  # column -> how a release has a value -> how we have it


@connection_first
def releases(
    con: duckdb.DuckDBPyConnection, register: str | os.PathLike[str], *, wait: float = 0
) -> duckdb.DuckDBPyRelation:
    """The releases of a register, a row each: id, name, status, published_by (us or others), made_at,
    made_by, method, row_count, suppressed_rows, classes, reached, path.

    Errors: as in publish.
    """
    return answer(con, select(listed(con, register, wait)))


def listed(con: duckdb.DuckDBPyConnection, register: str | os.PathLike[str], wait: float) -> exp.Table:
    """The rows of `releases` as a temporary table."""
    return listed_in(con, register, wait, select(table("overview", catalog=ALIAS)))


@connection_first
def add_release(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    *,
    register: str | os.PathLike[str],
    name: str,
    qi: Columns,
    sensitive: Columns | None = None,
    values: Spellings | None = None,
    hierarchies: Source = None,
    nearest: bool = False,
    formats: Mapping[str, str] | None = None,
    path: str | os.PathLike[str] | None = None,
    wait: float = 0,
) -> int:
    """Enter a release that others have published, or that is older than the register; its number there.

    source: as in the functions that anonymize. qi, sensitive: its columns of these roles; a mapping tells
    what we call each of them ({"alter": "age"}; a name of its own, {"income": "income"}, says that it is
    none of ours). Other columns that it has in common with other releases join their rows. values: how it
    spells values, by the name of the column with us ({"disease": {"Flu": "flu"}}). hierarchies: what its
    labels stand for; those of others are not read by ours. nearest: it is of centroids. formats: how its
    columns are written, as in `locate`. path: the file that it was read from. Errors: UseError for a column
    that it does not have, or a format that there is not; otherwise as in publish.
    """
    ensure_registered(con)
    by_qi, secret = _columns(qi, "qi"), _columns(sensitive, "sensitive")
    with ExitStack() as stack:
        tbl = stack.enter_context(named(con, source))
        labels = None if hierarchies is None else stack.enter_context(named(con, hierarchies))
        written = of_release(formats, 1, name, [*by_qi]) or {}
        for column in formats or {}:  # of another release, as in locate: name.column
            if "." not in column and (problem := missing_column([column], [*by_qi], "qi")):
                raise UseError(f"formats{problem}")
        check_formats(con, written)
        columns = [column for column in by_qi if column not in written]
        for role, listed in (("qi", columns), ("sensitive", [*secret])):
            if problem := missing_column(listed, column_names(con, tbl), name):
                raise UseError(f"{role}{problem}")
        spelled = _spellings(values or {}, {**by_qi, **secret}, name)
        known = stack.enter_context(opened(con, register, make=True, wait=wait))
        known.reconcile()
        known.check_name(name)
        [(rows,)] = execute(con, count(relation(tbl)))
        if not rows:
            raise UseError(f"{name} has no rows")
        mapped = {**by_qi, **secret}
        entry: dict[str, Any] = {
            "name": name, "status": "out", "is_foreign": True, "qi": [*by_qi], "sensitive": [*secret],
            "nearest": nearest, "formats": written, "row_count": rows,
            "names": {column: ours for column, ours in mapped.items() if ours is not None},
        }  # fmt: skip
        if path is not None:
            entry |= {"path": str(Path(path).resolve()), "content_sha256": digest(Path(path))}
        with transaction(con):
            number = known.enter(
                entry, select(relation(tbl)), None if labels is None else call("_hierarchies", labels)
            )
            known.spell(number, spelled)
    return number


@connection_first
def add_table(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    *,
    register: str | os.PathLike[str],
    name: str,
    dimensions: Columns,
    value: str = "value",
    filter: str = "",
    period: str | None = None,
    total: str | None = "total",
    base: float | None = None,
    rounding: str = "nearest",
    complete: bool = True,
    measure: str | None = None,
    sum_column: str | None = None,
    mean_column: str | None = None,
    values: Spellings | None = None,
    hierarchies: Source = None,
    path: str | os.PathLike[str] | None = None,
    wait: float = 0,
) -> int:
    """Enter a table of counts of people that others have published; its number in the register.

    source: as in the functions that anonymize. dimensions: what it is grouped by; a mapping tells what we
    call each ({"station": "ward"}). value: the column with the counts: numbers, <5, or marks of hidden cells.
    filter, period: whom it counts, and as of when. total: the mark of totals. base, rounding: as in
    cell_bounds, if its counts are rounded. complete: does a combination of labels that it lacks count 0?
    measure: the column, by our name, of which it also has sums or means, in sum_column and mean_column, as
    printed. Warns (UnreadWarning) of columns that are none of these, such as medians: nobody looks at what
    they tell.
    values, hierarchies, path: as in add_release. Errors: UseError for a column that it does not have;
    InputError for a count or a filter that cannot be read; otherwise as in publish.
    """
    ensure_registered(con)
    called = _columns(dimensions, "dimensions")
    with ExitStack() as stack:
        tbl = stack.enter_context(named(con, source))
        labels = None if hierarchies is None else stack.enter_context(named(con, hierarchies))
        shown = {"sum_column": sum_column, "mean_column": mean_column}
        measured = {key: name for key, name in shown.items() if name is not None}
        if bool(measured) != (measure is not None):
            raise UseError("measure says of which column sum_column and mean_column are: give both")
        for key, listed in (
            ("dimensions", [*called]), ("value", [value]), *((key, [name]) for key, name in measured.items()),
        ):  # fmt: skip
            if problem := missing_column(listed, column_names(con, tbl), name):
                raise UseError(f"{key}{problem}")
        execute(con, call("_conditions_checked", filter))
        if base is None:
            execute(con, call("_refuse_counts_of_others", tbl, [*called], value, total, name))
        for column in measured.values():
            execute(con, call("_refuse_sums_of_others", tbl, column, name))
        spelled = _spellings(values or {}, called, name)
        known = stack.enter_context(opened(con, register, make=True, wait=wait))
        known.reconcile()
        known.check_name(name)
        [(rows,)] = execute(con, count(relation(tbl)))
        if not rows:
            raise UseError(f"{name} has no rows")
        read = lower([*called, value, *measured.values()])
        unread = [column for column in column_names(con, tbl) if column.lower() not in read]
        about = {"dimensions": [*called], "value": value, "total": total, "base": base, "rounding": rounding,
                 "complete": complete, **measured}  # fmt: skip
        if measure is not None:
            about["measure"] = measure
        if unread:
            about["unread"] = unread
        entry: dict[str, Any] = {
            "name": name, "status": "out", "is_foreign": True, "qi": [*called], "sensitive": [],
            "nearest": False, "formats": {}, "row_count": rows, "method": FOREIGN_CELLS, "filter": filter,
            "period": period, "parameters": json.dumps(about),
            "names": {column: ours for column, ours in called.items() if ours is not None},
        }  # fmt: skip
        if path is not None:
            entry |= {"path": str(Path(path).resolve()), "content_sha256": digest(Path(path))}
        with transaction(con):
            number = known.enter(
                entry, select(relation(tbl)), None if labels is None else call("_hierarchies", labels)
            )
            known.spell(number, spelled)
    if unread:
        message = f"{name}: nobody looks at what its columns {', '.join(unread)} tell"
        warn(message, UnreadWarning)
    return number


@connection_first
def map_release(
    con: duckdb.DuckDBPyConnection,
    release: str,
    *,
    register: str | os.PathLike[str],
    names: Mapping[str, str] | None = None,
    values: Spellings | None = None,
    formats: Mapping[str, str] | None = None,
    adds: bool = False,
    by: str | None = None,
    wait: float = 0,
) -> None:
    """Tell what columns and values of a release are called by us, as in add_release; release: its name or
    number.

    names: its columns ({"diagnosis": "disease"}). formats: how a quasi-identifier is written, by its name
    there or with us ({"age": "range"}). adds: values of a column that were mapped before stay. by: who says
    so, for the register; the user and the machine, if nobody is named. Errors: UseError for a column that is
    neither a quasi-identifier nor sensitive in it; otherwise as in publish.
    """
    ensure_registered(con)
    with opened(con, register, wait=wait) as known:
        entry = known.entry(release)
        own = {name.lower(): name for name in [*entry.qi, *entry.sensitive]}
        for name in names or {}:
            if name.lower() not in own:
                raise UseError(f"{name} is no quasi-identifier and no sensitive column of {entry}")
        mapped = {**entry.names, **{own[name.lower()]: ours for name, ours in (names or {}).items()}}
        spelled = _spellings(values or {}, {name: mapped.get(name) for name in own.values()}, str(entry))
        by_qi = {
            called: name for name in entry.qi for called in (mapped.get(name, name).lower(), name.lower())
        }
        for name in formats or {}:
            if name.lower() not in by_qi:
                raise UseError(f"formats: {name} is no quasi-identifier of {entry}")
        written = {by_qi[name.lower()]: format for name, format in (formats or {}).items()}
        check_formats(con, written)
        with transaction(con):
            known.map_columns(entry.id, mapped, {**entry.formats, **written})
            known.spell(entry.id, spelled, by, adds)


@connection_first
def propose_mappings(
    con: duckdb.DuckDBPyConnection, release: str, *, register: str | os.PathLike[str], wait: float = 0
) -> duckdb.DuckDBPyRelation:
    """What columns and values of a release of others may be called by us, a row each: kind (column or value),
    column, theirs, ours, why. Nothing is mapped by it: map_release does that. release: its name or number.

    Compared are its sensitive columns and quasi-identifiers with those of our releases, and values of
    sensitive columns; what is mapped already is left out. Errors: UseError if there is none; otherwise as in
    publish.
    """
    return answer(con, select(proposed(con, release, register, wait)))


def proposed(
    con: duckdb.DuckDBPyConnection, release: str, register: str | os.PathLike[str], wait: float
) -> exp.Table:
    """The rows of propose_mappings, as a temporary table."""
    ensure_registered(con)
    made = table(fresh_name("proposals"))
    with ExitStack() as stack:
        known = stack.enter_context(opened(con, register, read_only=True, wait=wait))
        work = stack.enter_context(WorkTables(con))
        entry = known.entry(release)
        ours = [each for each in known.out() if each.id != entry.id and not each.is_foreign]
        nothing = exp.select("true as is_theirs", "null::text as attribute", "null::text as value")
        stated = [nothing.where("false")]
        for each in [entry, *known.microdata(ours)]:
            for column in [*each.qi, *each.sensitive]:
                if each.names.get(column) == column:  # somebody has said that it is none of ours
                    continue
                value = exp.cast(exp.column(column, quoted=True), "text")
                mapped = each.spellings.get(each.names.get(column, column), {})
                rows = select(
                    each.table, titled(literal(each is entry), "is_theirs"),
                    titled(literal(each.names.get(column, column)), "attribute"),
                    titled(value if column in each.sensitive else exp.null(), "value"),
                )  # fmt: skip
                if mapped and column in each.sensitive:
                    is_mapped = exp.In(this=value.copy(), expressions=[*map(literal, mapped)])
                    rows = rows.where(exp.not_(is_mapped))
                stated.append(rows.distinct())
        relation_of = work.make("stated", exp.union(*stated, distinct=False))
        execute(con, create(made, call("_proposed_mappings", relation_of.name), temporary=True))
    return made


def _columns(given: Columns | None, role: str) -> dict[str, str | None]:
    """Columns, and what we call them, if that was said."""
    if isinstance(given, Mapping):
        return dict(given)
    return dict.fromkeys(names(given, role) or [])


def _spellings(values: Spellings, columns: Mapping[str, str | None], release: str) -> Spellings:
    """Spellings by what columns are called, however these are written. Errors: UseError for a column that the
    release does not have."""
    ours = {}
    for column, called in columns.items():
        name = column if called is None else called
        ours[name.lower()] = name
    for column in values:
        if column.lower() not in ours:
            raise UseError(
                f"values: {release} has no column that we call {column}: it has {', '.join(ours.values())}"
            )
    return {ours[column.lower()]: spelled for column, spelled in values.items()}


@connection_first
def withdraw_release(
    con: duckdb.DuckDBPyConnection, release: str, *, register: str | os.PathLike[str], wait: float = 0
) -> None:
    """Note that a release, by its name or number, is no longer offered. Whoever has it keeps it: it counts.

    Errors: UseError if there is none; otherwise as in publish.
    """
    ensure_registered(con)
    with opened(con, register, wait=wait) as known:
        entry = known.entry(release)
        with transaction(con):
            known.change(entry.id, "withdrawn")


def _who_is_kept(
    known: Register, policy: Policy | PeoplePolicy | str | os.PathLike[str] | None
) -> tuple[Policy | None, list[str], Roles]:
    """By what people are known whom a register keeps: the policy about releases of one table, if there are
    any; columns that say it in folders; and what the columns of a file of people are for."""
    entries = [entry for entry in known.entries() if entry.status != "abandoned"]
    units = {(entry.unit or "").partition(".")[2].lower(): entry for entry in entries if entry.is_of_tables}
    if isinstance(policy, str | os.PathLike):
        policy = read_people(Path(policy)) or load(policy)
    of_folders = policy if isinstance(policy, PeoplePolicy) else None
    rules = None if isinstance(policy, PeoplePolicy) else policy
    of_one = any(entry.policy and not (entry.is_of_tables or entry.is_of_cells) for entry in entries)
    if rules is None and (of_one or not units):
        rules = _rules(known, None)
    roles = rules.columns() if rules else of_folders.reading(of_folders.root) if of_folders else Roles()
    return rules, [*units], replace(roles, keep=[*roles.keep, *units])


def columns_of_forgotten(
    con: duckdb.DuckDBPyConnection, register: str | os.PathLike[str],
    policy: str | os.PathLike[str] | None, wait: float,
) -> Roles:  # fmt: skip
    """What the columns are for of a file of people to be forgotten. Errors: as in `forget_people`."""
    with opened(con, register, read_only=True, wait=wait) as known:
        return _who_is_kept(known, policy)[-1]


@connection_first
def forget_people(
    con: duckdb.DuckDBPyConnection,
    people: Source,
    *,
    register: str | os.PathLike[str],
    policy: Policy | PeoplePolicy | str | os.PathLike[str] | None = None,
    wait: float = 0,
) -> int:
    """Remove people from those whom the register keeps; how many these were. (Where it has releases of one
    table and of several, the larger number of both.)

    people: with the columns by which the policy tells who somebody is (unit or identifier), and with those
    that say it in releases of several tables (unit). policy: the last one in the register, if not given.

    In releases of several tables it stays known how many people were alike, and not who they were. Of a later
    release it is not known, then, whether somebody who counts as new was in one of these.

    Errors: UseError for a column that is not there; otherwise as in publish.
    """
    ensure_registered(con)
    with ExitStack() as stack:
        tbl = stack.enter_context(named(con, people))
        known = stack.enter_context(opened(con, register, wait=wait))
        rules, units, _ = _who_is_kept(known, policy)
        subjects = None if rules is None else subjects_of(rules, tbl, None)
        for role, wanted in (("identifier", [] if subjects is None else subjects.who), ("unit", units)):
            if problem := missing_column(wanted, column_names(con, tbl), "the people"):
                raise UseError(f"{role}{problem}")
        with transaction(con):
            of_folders = sum(known.forget_in_folders(tbl, unit) for unit in units)
            if subjects is None:
                return of_folders
            return max(known.forget(subjects), of_folders)


@dataclass(frozen=True)
class Located:
    """Where people are. located: the name of a temporary table, a row per person and release that they can be
    in: the column that names them, release_id, release, status, path, classes (that cover them, or have the
    nearest center), row_count (of these). remarks: what nobody could read, so that they may be there as well.
    """

    located: str
    remarks: list[str]

    def relation(self, con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyRelation:
        """The rows as a relation of the same connection."""
        return answer(con, select(named_table(self.located)))


@connection_first
def locate_in_releases(
    con: duckdb.DuckDBPyConnection,
    targets: Source,
    *,
    register: str | os.PathLike[str],
    id: str,
    policy: Policy | str | os.PathLike[str] | None = None,
    wait: float = 0,
) -> Located:
    """In which releases people can be found, by as many of the quasi-identifiers as are known of them.

    targets: with raw values, and the column id; a person may have several rows.

    policy: whose hierarchies say what labels mean; the last one in the register, if not given. Errors:
    UseError; otherwise as in publish.
    """
    ensure_registered(con)
    with ExitStack() as stack:
        tbl = stack.enter_context(named(con, targets))
        columns = column_names(con, tbl)
        if problem := missing_column([id], columns, "the targets"):
            raise UseError(f"id{problem}")
        known = stack.enter_context(opened(con, register, read_only=True, wait=wait))
        out = known.reconcile()
        work = stack.enter_context(WorkTables(con))
        hierarchies = _hierarchies(con, known, policy, tbl, columns, work)
        person = exp.column(id, quoted=True)
        made = table(fresh_name("located"))
        begun = select(relation(tbl), person).limit(0)
        facts = {"release_id": "integer", "release": "text", "status": "text", "path": "text",
                 "classes": "bigint", "row_count": "bigint"}  # fmt: skip
        empty = [exp.cast(exp.null(), type_).as_(name) for name, type_ in facts.items()]
        execute(con, create(made, begun.select(*empty), temporary=True))
        entries = known.microdata(out)
        known_qi = sorted({name.lower() for entry in entries for name in entry.qi} - {id.lower()})
        looked_at: list[exp.Expression] = [
            exp.column(name, quoted=True) for name in known_qi if name in lower(columns)
        ]
        number = "_sqlanon_row"
        nth = exp.Alias(this=exp.Window(this=exp.RowNumber()), alias=exp.to_identifier(number))
        different = select(relation(tbl), person, *looked_at).distinct().subquery()
        people = render(work.make("people", select(different, nth, "*")))
        for entry in entries:
            rows_of = render(entry.table)
            qi = [name for name in entry.qi if name.lower() in lower(columns)]
            if not qi:
                known.remarks.append(f"{entry}: nothing is known of the targets that it has")
                continue
            about = {"qi": qi, "hierarchies": hierarchies, "formats": dict(entry.formats) or None}
            located = call("locate", rows_of, people, id=number, nearest=entry.nearest, **about)
            whose = exp.Join(this=relation(people), using=[exp.to_identifier(number, quoted=True)])
            found = select(located.subquery("located"), person, "class_id", "size")
            found.append("joins", whose)
            constants = [literal(value) for value in (entry.id, entry.name, entry.status)]
            path = literal(None if entry.path is None else str(entry.path))
            rows = select(found.distinct().subquery(), person, *constants, path, "count(*)", "sum(size)")
            execute(con, exp.insert(rows.group_by(person), made))
            if not entry.nearest:
                unread = call("unread_labels", rows_of, people, **about)
                [(labels,)] = execute(con, count(unread.subquery()))
                if labels:
                    known.remarks.append(
                        f"{entry}: {labels:,} of its values are none of those of the targets; where one is a "
                        "label that no hierarchy explains, they may be there, too"
                    )
    return Located(made.name, known.remarks)


def _hierarchies(
    con: duckdb.DuckDBPyConnection,
    register: Register,
    policy: Policy | str | os.PathLike[str] | None,
    targets: str,
    columns: list[str],
    work: WorkTables,
) -> str | None:
    """The hierarchies of a policy, or of the last one, for the columns that are known of the targets."""
    try:
        rules = _rules(register, policy)
    except UseError:
        if policy is not None:
            raise
        return None  # of others alone: their labels say what they mean, or the register does
    known = {name: made for name, made in rules.hierarchies.items() if name.lower() in lower(columns)}
    return replace(rules, hierarchies=known).make_hierarchies(con, targets, None, work)


def last_policy(con: duckdb.DuckDBPyConnection, register: str | os.PathLike[str], wait: float) -> Policy:
    """The last policy in a register. Errors: UseError without any; otherwise as in publish."""
    with opened(con, register, read_only=True, wait=wait) as known:
        return _rules(known, None)


def _rules(register: Register, policy: Policy | str | os.PathLike[str] | None) -> Policy:
    """A policy; the last one in the register, if none is given."""
    if isinstance(policy, Policy):
        return policy
    if policy is not None:
        return load(policy)
    text, path = register.policy()
    return read(path, {}, text=text.encode())


@dataclass(frozen=True)
class Audit:
    """What all releases tell together. verdict: holds, fails or not known. reasons: why it does not hold;
    none if it does. verdicts: the name of a temporary table of what the judge says. remarks: what else there
    was to say. page: the same for people to read, if page = True."""

    verdict: str
    reasons: list[str]
    verdicts: str
    remarks: list[str]
    page: AuditPage | None = None

    @property
    def holds(self) -> bool:
        return self.verdict == HOLDS

    def relation(self, con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyRelation:
        """What the judge says, as a relation of the same connection."""
        return answer(con, select(named_table(self.verdicts)))


@connection_first
def audit(
    con: duckdb.DuckDBPyConnection,
    targets: Source,
    *,
    register: str | os.PathLike[str],
    policy: Policy | str | os.PathLike[str] | None = None,
    attacks: Names | None = None,
    parameters: Mapping[str, Any] | None = None,
    max_targets: int | None = None,
    accept: Mapping[str, str] | None = None,
    earlier: Mapping[str, Source] | None = None,
    seconds: float | None = None,
    all_attacks: bool = False,
    page: bool = False,
    language: str | None = None,
    wait: float = 0,
    progress: Progress | None = None,
) -> Audit:
    """Attack all that is out anew, each release and all together, and record what is found.

    For when others have published something, or there is a new attack. Each table of counts is compared with
    what was out before it, as when it went out. targets: the people, with the columns of the policy; None, if
    nothing but tables of counts is out. policy: whose roles, hierarchies and [tolerated] hold; the last one
    in the register, if not given. attacks, parameters, max_targets: as in run_attacks. accept, earlier,
    seconds, all_attacks: as in publish. page: make the auditor's page, for which all attacks are made, on the
    first releases as well, as far as each. language: of the page; that of the policy, if not given. Errors:
    as in publish, and InputError where the extra `report` is not installed and there is to be a page.
    """
    began = monotonic()
    ensure_registered(con)
    if page:
        require_extra()
    check_language(language, "language")
    chosen = names(attacks, "attacks")
    with ExitStack() as stack:
        tbl = None if targets is None else stack.enter_context(named(con, targets))
        known = stack.enter_context(opened(con, register, wait=wait))
        out = known.reconcile()
        known.tell_unknown(out, [])
        attacked = known.microdata(out)
        work = stack.enter_context(WorkTables(con))
        changed = [Doubt("files", f"{entry}: {entry.path} has changed since") for entry in known.changed(out)]
        if any(not (entry.is_of_tables or entry.is_randomized) for entry in out):
            changed += several_tables(out)
        tell = progress or (lambda done, message: None)
        of_tables = {f"evidence.{doubt}" for doubt in DOUBTS}  # which are looked at release by release
        accepted_before = {key: why for key, why in known.accepted_doubts().items() if key not in of_tables}
        if not attacked and (page or not any(entry.is_of_cells or entry.is_of_tables for entry in out)):
            raise UseError(f"nothing that can be attacked is out by {known.path}")
        comparisons: list[Comparison] = []
        late = {each.name for each in counted(out)}
        judge = rules = None
        with Deadline(con, seconds, began) as deadline:
            for of, each in comparisons_over_time(known, work, out, tell, deadline):
                comparisons.append(each)
                late -= {*of}
            if attacked:
                rules = _rules(known, policy)
                require_bounds(con, rules, chosen)
                if tbl is None:
                    raise UseError("rows are out: say who the people are (targets)")
                rules.check_columns(column_names(con, tbl), "the targets")
                people = work.make("source", select(relation(tbl)))
                hierarchies = rules.make_hierarchies(con, people.name, None, work)
                subjects = subjects_of(rules, people.name, hierarchies)
                described = [released(entry, rules) for entry in attacked]
                grown = None if rules.new_rows is None else people.name
                given = {each: stack.enter_context(named(con, of)) for each, of in (earlier or {}).items()}
                described = with_leavers_seen(described, known, work, subjects, grown, given)
                judge = Judge(
                    con, work, subjects, described, rules.tolerated, attacks=chosen,
                    parameters=parameters or {}, max_targets=max_targets,
                    accepted={**accepted_before, **rules.accepted, **(accept or {})},
                    accepted_past=known.acceptances(), hashed=known.hashed, seconds=seconds, began=began,
                    all_attacks=all_attacks or page,
                    remarks=known.remarks,
                    kept=kept_of(known, described, subjects, known.remarks, work, given), doubts=changed,
                    comparisons=comparisons,
                )  # fmt: skip
        if deadline.has_passed:
            undone = [f"{entry.name} beside what was out before" for entry in out if entry.name in late]
            undone += ["the attacks"] if attacked else []
            changed.append(too_late(seconds, undone or ["what tables tell together"]))
        if judge is None or rules is None or deadline.has_passed:
            everything = {**accepted_before, **(accept or {})}
            return _audit_of_tables(known, work, comparisons, changed, everything, [] if attacked else out)
        made = judge.judgement(tell)
        time = now()
        growth = drawn = None
        reasons = list(made.reasons)
        if page:
            with Deadline(con, seconds, began) as deadline:
                growth = _kept(con, judge.attempt.growth(tell))
            if deadline.has_passed:
                growth = None
                known.remarks.append(f"the page was not made in {seconds:g} seconds")
        with transaction(con):
            known.record(named_table(made.said), "audit", None, time)
            if growth is not None:
                known.record(growth, "audit", None, time)
        if growth is not None:  # the page reads what is recorded
            drawn = _page(known, judge.attempt, time, made, rules, language)
        stated = call("_stated_verdicts", f"{ALIAS}.verdicts", f"{ALIAS}.acceptances", str(time))
        accepted = call("_accepted_in_words", work.make("stated", stated).name)
        known.remarks += [sentence for (sentence,) in execute(con, accepted)]
    return Audit(made.verdict, reasons, made.said, known.remarks, drawn)


def _audit_of_tables(
    known: Register, work: WorkTables, comparisons: Sequence[Comparison], doubts: Sequence[Doubt],
    accepted: Mapping[str, str], folders: Sequence[Entry],
) -> Audit:  # fmt: skip
    """The audit where nothing but tables of counts and folders of several tables is out, or no attack began
    in time."""
    con = known.con
    measured = work.make("judged", call("_no_cells_judged"))
    insert_comparisons(con, measured, comparisons)
    for each in comparisons:
        known.remarks += each.remarks
    doubts = [*doubts, *(doubt for each in comparisons for doubt in each.doubts)]
    said = said_of(
        con, work, measured, doubts, [row for each in comparisons for row in each.answer(None)], accepted
    )
    judge_folders(known, work, folders, said, accepted)
    [(verdict,)] = execute(con, call("_verdict_on_all", said.name))
    with transaction(con):
        known.record(named_table(said.name), "audit", None)
    return Audit(verdict, reasons_of(con, said), said.name, known.remarks)


def comparisons_over_time(
    register: Register, work: WorkTables, out: Sequence[Entry], progress: Progress, deadline: Deadline
) -> Iterator[tuple[Sequence[str], Comparison]]:
    """What each table, or release of rows beside tables, tells together with those that were out before; and
    what all answers to an audience tell: names, and what they tell. What was accepted when it went out is no
    doubt any more, but a remark."""
    numbers, audiences = {entry.name: entry.id for entry in out}, register.audiences()
    every = counted(out)
    of = {each.name: audiences.get(numbers[each.name]) for each in every}  # None: published

    def comparison_of(place: int) -> Comparison:
        newest, audience = every[place], of[every[place].name]
        progress(place / len(every), f"comparing {newest.name}")
        seconds = deadline.left(SOLVER_SECONDS)
        known = [each for each in every[:place] if not audience or of[each.name] in (None, "", audience)]
        together = Together(register.con, work, known, newest, seconds, f"at_{place}")
        comparison = together.comparison(even_alone=True)
        accepted = register.doubts_accepted_for(numbers[newest.name])
        remarks = [
            f"{newest.name}: {doubt.reason}; accepted: {accepted[doubt.id]}"
            for doubt in comparison.doubts if doubt.id in accepted
        ]  # fmt: skip
        doubts = [doubt for doubt in comparison.doubts if doubt.id not in accepted]
        return replace(comparison, doubts=doubts, remarks=[*comparison.remarks, *remarks])

    answers: dict[str, list[int]] = {}
    for place, newest in enumerate(every):
        if (audience := of[newest.name]) is None:
            yield [newest.name], comparison_of(place)
        else:
            answers.setdefault(audience, []).append(place)
    for nth, (audience, places) in enumerate(answers.items()):
        names = [every[place].name for place in places]
        # what the last one tells with all before it; if that is anything, or not with all (those of other
        # periods can be of other people), each beside those before it
        parts = [last := comparison_of(places[-1])]
        if last.cells or last.before or last.doubts or not {*names} <= {*last.together}:
            parts = [*map(comparison_of, places[:-1]), last]
        numbered = [name.partition(":")[0] for name in names]  # without the question
        made = _as_one(work, f"answers_{nth}", numbered, parts)
        if audience and len({*answers} - {""}) > 1:
            aside = f"answers to {audience} are not compared with those to other audiences, who may talk"
            made = replace(made, remarks=[*made.remarks, aside])
        yield names, made


def _as_one(work: WorkTables, purpose: str, names: Sequence[str], parts: Sequence[Comparison]) -> Comparison:
    """What the answers to an audience tell together. parts: what some of them tell."""
    rows = [select(named_table(each.judged)) for each in parts if each.judged is not None]
    judged = None
    if rows:
        every = work.make(purpose, union_all(rows)).name
        judged = work.make(f"{purpose}_as_one", call("_judged_as_one", every, names)).name
    return Comparison(
        [cell for each in parts for cell in each.cells], parts[0].before, judged, names,
        [doubt for each in parts for doubt in each.doubts],
        list(dict.fromkeys(remark for each in parts for remark in each.remarks)),
    )  # fmt: skip


def _kept(con: duckdb.DuckDBPyConnection, query: exp.Select) -> exp.Table:
    """A temporary table that stays, with the columns that the register has."""
    made = table(fresh_name("growth"))
    missing = ["null::double as before", "null::text as accepted", "null::text as remedy"]
    execute(con, create(made, query.select(*missing), temporary=True))
    return made


def _page(
    register: Register, attempt: Attempt, time: datetime, made: Judgement, rules: Policy, language: str | None
) -> AuditPage:
    from sqlanon.pages.audit_page import make
    from sqlanon.publishing.decision import (
        ANSWERS,
        acceptances_in,
        accepted_of,
        bounds_of,
        said_of,
        words_said,
    )

    con, about = register.con, {"qi": attempt.everybody.own_qi, "sensitive": attempt.everybody.sensitive}
    bounds = bounds_of(con, made.said, values_are_shown())
    facts = {
        "answer": ANSWERS[made.verdict], "made_at": f"{time:%Y-%m-%dT%H:%M:%SZ}", "bounds": bounds,
        "accepted": accepted_of(acceptances_in(con), bounds, rules),
        "said": said_of(rules, words_said(register)), "policy": about, "register": str(register.path),
    }  # fmt: skip
    return make(
        con, register.path, time, attempt.counts(), about, made.verdict, made.reasons, register.remarks,
        facts, language or rules.language,
    )  # fmt: skip
