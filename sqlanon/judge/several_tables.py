"""What several tables tell of the people in them, together: classes of people, judged as classes of rows are,
and each table alone."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.core.connection import connection_first
from sqlanon.core.errors import InputError, UseError
from sqlanon.core.files import as_pattern, column_names
from sqlanon.core.library import ensure_registered
from sqlanon.core.made_table import MadeTable
from sqlanon.core.models import by_id, verdict_of
from sqlanon.core.source import Source, fresh_name, lower, named
from sqlanon.core.statements import call, count, create, execute, relation, select, table
from sqlanon.core.suggestions import missing_column
from sqlanon.core.tables import WorkTables
from sqlanon.judge.verdicts import FAILS, HOLDS, NOT_KNOWN
from sqlanon.measure.leaving import columns_leaving
from sqlanon.policies.first_policy import units
from sqlanon.policies.people import JOINED, PeoplePolicy, TableOfPeople, read_people

TOGETHER = "together"
Sources = Mapping[str, Source]


@dataclass(frozen=True)
class JudgedTables(MadeTable):
    """What was judged of several tables: a row per requirement, also of each table alone.

    holds: whether all is required; None: not known. text: why, in sentences. table: a temporary table of
    tables, id, model, sensitive, required, reached, people (who are in classes that fail), verdict.
    """

    table: str
    con: duckdb.DuckDBPyConnection | None
    holds: bool | None
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Joined:
    """Tables in a database, by the names of the policy, and the policy about them. remarks: what there was to
    say of them. released: are they a release by the policy?"""

    con: duckdb.DuckDBPyConnection
    policy: PeoplePolicy
    names: Mapping[str, str]
    remarks: Sequence[str] = ()
    released: bool = False

    @property
    def direct(self) -> set[str]:
        """Columns that may leave although they name people, in lower case."""
        return lower(self.policy.policy.direct)

    def about(self) -> dict[str, Any]:
        """What the macros take."""
        given = [f"{named} as {name}" for name, named in self.names.items()]
        return {"tables": given, "unit": self.policy.unit, "joins": self.policy.joins}

    def classes(self, work: WorkTables, qi: Sequence[str], dates: Sequence[str] = ()) -> exp.Table:
        """The class of every person: person, class_id, people."""
        query = call(JOINED, **self.about(), qi=[*qi], dates=[*dates])
        return work.make("classes", query)

    def people_who_fail(
        self, work: WorkTables, qi: Sequence[str], dates: Sequence[str], most: int
    ) -> tuple[int, exp.Table]:
        """How many people are in classes that fail, and a table of them: person. Where more than `most` are
        in classes that are too small, nothing else is looked at."""
        classes = self.classes(work, qi, dates)
        small = select(classes, "class_id").where(f"people < {int(self.policy.requirements['k'])}")
        is_about_values = any(by_id()[id].about not in ("", "size") for id in self.policy.requirements)
        found, people = self._people_of(work, classes, small)
        if found > most or not is_about_values:
            return found, people
        failing = select(self.classes_that_fail(work, classes, qi, dates), "class_id")
        return self._people_of(work, classes, failing)

    def _people_of(self, work: WorkTables, classes: exp.Table, which: exp.Select) -> tuple[int, exp.Table]:
        query = select(classes, "person").where(exp.column("class_id").isin(query=which))
        people = work.make("suppressed", query)
        [(found,)] = execute(self.con, count(people))
        return found, people

    def classes_that_fail(
        self, work: WorkTables, classes: exp.Table, qi: Sequence[str], dates: Sequence[str]
    ) -> exp.Table:
        """The classes that violate what is required: class_id, people, id, attribute, reached. classes: those
        of `classes`, by the same columns."""
        found: list[exp.Select] = []
        for attribute, columns in (self.policy.sensitive() or {"": []}).items():
            rows, arguments = classes.name, dict(self.policy.requirements)
            if columns:
                query = call("person_values", **self.about(), qi=[*qi], dates=[*dates], sensitive=columns)
                rows = work.make(f"values_{len(found)}", query).name
                arguments["sensitive"] = ["sensitive"]
            else:
                arguments = {"k": arguments["k"]}
            failing = call("violations", rows, qi=["class_id"], unit="person", **arguments)
            title = exp.Literal.string(attribute) if attribute else exp.null()
            named = exp.Alias(this=exp.cast(title, "text"), alias=exp.to_identifier("attribute"))
            found.append(select(failing.subquery(), "class.class_id", "people", "id", named, "reached"))
        every = found[0] if len(found) == 1 else exp.union(*found, distinct=False)
        return work.make("failing", every)


@contextmanager
def joined(
    con: duckdb.DuckDBPyConnection,
    policy: PeoplePolicy,
    tables: Sources | None,
    work: WorkTables,
    released: bool = False,
) -> Iterator[Joined]:
    """The tables, without rows that belong to nobody where the policy says so.

    tables: those that are no files of the policy. Errors: InputError for one that lacks a column, or that is
    not there."""
    given, remarks, names = tables or {}, list[str](), dict[str, str]()
    for name in given:
        if name not in policy.tables:
            raise InputError(f"{name} is no table of the policy: it has {', '.join(policy.tables)}")
    with ExitStack() as stack:
        for name, each in policy.tables.items():
            names[name] = stack.enter_context(named(con, given[name] if name in given else _file_of(each)))
            roles = {role: of for role, of in each.roles.items() if not released or role != "identifier"}
            wanted = [*policy.keys_of(each), *(column for of in roles.values() for column in of)]
            if problem := missing_column(wanted, column_names(con, names[name]), name):
                raise InputError(f"{policy.policy.spelling.path}: tables.{name}{problem}")
        for name, each in policy.tables.items():
            if each.leave_out_unmatched:
                above = None if each.parent is None else names[each.parent]
                query = call("_rows_that_belong", names[name], each.own, above, each.key)
                [(before,)] = execute(con, count(relation(names[name])))
                names[name] = work.make(f"kept_{name}", query).name
                [(after,)] = execute(con, count(relation(names[name])))
                if after < before:
                    remarks.append(
                        f"{name}: {before - after:,} of {before:,} rows belong to nobody: left out"
                    )
        yield Joined(con, policy, names, remarks, released)


def _file_of(each: TableOfPeople) -> str:
    """The pattern of the file of a table, where nothing is said of how it is read."""
    if each.file is None:
        raise InputError(f"tables.{each.name} has no file: give the table, {{{each.name!r}: ...}}")
    if each.settings:
        raise InputError(f"tables.{each.name} has [input], for the command line: give the table instead")
    return as_pattern(Path(each.file))


@connection_first
def check_tables(
    con: duckdb.DuckDBPyConnection,
    policy: str | os.PathLike[str] | PeoplePolicy,
    tables: Sources | None = None,
    *,
    released: bool = False,
) -> JudgedTables:
    """Judge several tables about the same people, as [tables] of a policy says whose their rows are.

    policy: its file. tables: tables, files or DataFrames by their names in the policy, in place of its files.
    released: these are a release by the policy, so that every column must be one that it releases.

    What is required is required of classes of people (`person_classes`): two people are in one class if all
    tables together say the same of them. Besides it is told which tables alone are k-anonymous, which share
    of a class has a sensitive value in any row, and which columns that leave unchanged tell people apart.

    Errors: InputError, as of `person_classes`; UseError for a policy that is wrong.
    """
    ensure_registered(con)
    rules = policy_of(policy)
    with WorkTables(con) as work, joined(con, rules, tables, work, released) as found:
        return judged(found, work)


def policy_of(policy: str | os.PathLike[str] | PeoplePolicy) -> PeoplePolicy:
    """The policy in a file, if it is not read yet. Errors: UseError."""
    if isinstance(policy, PeoplePolicy):
        return policy
    rules = read_people(Path(policy))
    if rules is None:
        raise UseError(f"{policy} has no [tables]: check and anonymize are for a policy about one table")
    return rules


Row = tuple[str, str, str, str | None, float | None, float | None, int | None, str | None]


def judged(found: Joined, work: WorkTables) -> JudgedTables:
    """What is said of tables."""
    rules, k = found.policy, found.policy.requirements["k"]
    qi, dates = rules.columns("qi"), rules.columns("dates") if rules.in_key else []
    rows: list[Row] = [*_together(found, work, qi, dates)]
    classes = work.name("classes")
    [(people, least, under)] = execute(
        found.con,
        select(relation(classes), "count(*)", "min(people)", f"count(*) filter (where people < {int(k)})"),
    )
    alone = dict(_each_alone(found, work))
    rows += [
        (name, "k", by_id()["k"].title, None, k, reached, None, HOLDS if reached >= k else FAILS)
        for name, reached in alone.items()
    ]
    told = [*found.remarks, _why(k, people, least, under, alone)]
    for row, why in (
        *_in_no_role(found), *_naming(found, work), *_kept(found, work, k), *_intervals(found, work, qi),
        *_offsets(found, k),
    ):  # fmt: skip
        rows.append(row)
        told.append(why)
    made = table(fresh_name("judged"))
    columns = ("tables", "id", "model", "sensitive", "required", "reached", "people", "verdict")
    types = ("text", "text", "text", "text", "double", "double", "bigint", "text")
    values = exp.values(rows, alias="judged", columns=columns)
    cast = [
        exp.Alias(this=exp.cast(exp.column(name), type_), alias=exp.to_identifier(name))
        for name, type_ in zip(columns, types, strict=True)
    ]
    execute(found.con, create(made, select(values, *cast), temporary=True))
    verdicts = {row[-1] for row in rows if row[:2] not in {(name, "k") for name in alone}}
    holds = False if FAILS in verdicts else None if NOT_KNOWN in verdicts else True
    return JudgedTables(made.name, found.con, holds, "\n".join(told))


def _together(found: Joined, work: WorkTables, qi: Sequence[str], dates: Sequence[str]) -> Iterator[Row]:
    """What is required of the classes of people, and what they reach."""
    required = found.policy.requirements
    failing = found.classes_that_fail(work, found.classes(work, qi, dates), qi, dates)
    worst = {
        (id, attribute): (people, reached)
        for id, attribute, people, reached in execute(
            found.con,
            select(failing, "id", "attribute", "sum(people)::bigint", "max(reached)").group_by(
                "id", "attribute"
            ),
        )
    }
    settings = {
        name: required[name] for name in ("l", "distinct_spellings", "missing_counts") if name in required
    }
    for nth, attribute in enumerate(found.policy.sensitive() or [""]):
        rows, sensitive = (f"values_{nth}", ["sensitive"]) if attribute else ("classes", None)
        measured = call(
            "privacy", work.name(rows), qi=["class_id"], unit="person", sensitive=sensitive, **settings
        )
        reached: dict[str, float | None] = dict(
            execute(found.con, select(measured.subquery(), "id", "reached"))
        )
        for id, asked in required.items():
            model = by_id().get(id)
            if model is None or not model.about or (id == "k" and nth):
                continue
            of = None if model.about == "size" else attribute
            named_so = attribute if attribute else None
            people, worst_of = worst.get((verdict_of(id, required), named_so), (0, None))
            value = reached.get(verdict_of(id, required), worst_of)
            yield TOGETHER, id, model.title, of, asked, value, people, FAILS if people else HOLDS
        if attribute and "alpha" not in required:
            title, share = "largest share of a class with a value in any row", reached.get("alpha")
            yield TOGETHER, "alpha", title, attribute, None, share, None, None


def _each_alone(found: Joined, work: WorkTables) -> Iterator[tuple[str, int]]:
    """The k of each table that has quasi-identifiers, where people are counted by whose its rows are."""
    for name, each in found.policy.tables.items():
        if columns := each.columns("qi"):
            rows = work.make("alone", call("_columns_with_person", **found.about(), columns=columns))
            names = [f"q{i}" for i in range(1, len(columns) + 1)]
            classes = call("classes", rows.name, names, unit="person")
            [(least,)] = execute(found.con, select(classes.subquery(), "min(people)"))
            if least is not None:
                yield name, least


def _why(k: int, people: int, least: int, under: int, alone: Mapping[str, int]) -> str:
    """Why the tables together are k-anonymous, or not."""
    said = ", ".join(f"{name}: {reached:,}" for name, reached in alone.items())
    failing = [name for name, reached in alone.items() if reached < k]
    if failing:
        verb = "is" if len(failing) == 1 else "are"
        each = f"Alone, {' and '.join(failing)} {verb} not {k}-anonymous ({said})."
    else:
        each = f"Each table alone is {k}-anonymous ({said})."
    if under:
        verb = "is" if under == 1 else "are"
        few = f"{under:,} of {people:,} people {verb} in classes of under {k}"
        return f"{each} Together {few}: the smallest k is {least}."
    return f"{each} Together all {people:,} people are in classes of at least {k}: the smallest k is {least}."


def _naming(found: Joined, work: WorkTables) -> Iterator[tuple[Row, str]]:
    """Sensitive columns that name people, as `leaving_columns` has it: no class hides those."""
    for name, each in found.policy.tables.items():
        sensitive = each.roles.get("sensitive", [])
        if not sensitive:
            continue
        columns = [exp.column(column, quoted=True) for column in sensitive]
        alone = exp.Alias(this=exp.Literal.number(0), alias=exp.to_identifier("_sqlanon_class"))
        rows = work.make("alone", select(relation(found.names[name]), alone, *columns))
        direct = [column for column in sensitive if f"{name}.{column}".lower() in found.direct]
        for column in columns_leaving(
            found.con, rows.name, qi=["_sqlanon_class"], sensitive=[*sensitive], direct=direct or None
        ):
            if not column.holds:
                named_so = f"{name}.{column.column}"
                yield (
                    (named_so, "columns", "column that names people", None, None, None, None, FAILS),
                    f"{named_so} leaves {column.how}: {column.reason}. Leave it out, or say in [direct] why "
                    "it may leave.",
                )


def _kept(found: Joined, work: WorkTables, k: int) -> Iterator[tuple[Row, str]]:
    """Columns that leave unchanged and tell people apart: with values that few people have, or the key of
    something that several people share."""
    for name, each in found.policy.tables.items():
        called = lower(column for column, _, _ in units(found.con, found.names[name], set()))
        for column in each.columns("keep"):
            if column.lower() in found.direct:
                continue
            rows = work.make("alone", call("_columns_with_person", **found.about(), columns=[column]))
            [(rare, people, shared)] = execute(found.con, call("_rare_values", rows.name, k))
            is_key = column.partition(".")[2].lower() in called and shared > 1
            if not rare and not is_key:
                continue
            why = (
                f"{column} has {rare:,} values that fewer than {k} people have ({people:,} people)"
                if rare
                else f"{column} looks like the key of what several people share"
            )
            yield (
                (column, "kept", "column that leaves unchanged", None, k, None, people, FAILS),
                f"{why}, and is in keep, which is not judged: put it into qi, drop it, or say in [direct] "
                "why it may leave.",
            )


def _in_no_role(found: Joined) -> Iterator[tuple[Row, str]]:
    """Columns of a release that the policy does not release."""
    for name, columns in not_released(found).items() if found.released else ():
        yield (
            (name, "columns", "columns that the policy releases", None, None, None, None, FAILS),
            f"{name}: the policy does not release {', '.join(columns)}",
        )


def not_released(found: Joined) -> dict[str, list[str]]:
    """The columns that do not leave, by table."""
    dropped = {}
    for name, each in found.policy.tables.items():
        roles = [of for role, of in each.roles.items() if role != "identifier"]
        leaving = lower([*found.policy.keys_of(each), *(column for of in roles for column in of)])
        dropped[name] = [
            column for column in column_names(found.con, found.names[name]) if column.lower() not in leaving
        ]
    return {name: columns for name, columns in dropped.items() if columns}


def _intervals(found: Joined, work: WorkTables, qi: Sequence[str]) -> Iterator[tuple[Row, str]]:
    """Intervals between dates, where the policy leaves them out."""
    dates = found.policy.columns("dates")
    if not dates or found.policy.in_key:
        return
    classes = found.classes(work, qi, dates)
    [(people, unique)] = execute(found.con, select(classes, "count(*)", "count(*) filter (where people = 1)"))
    told = (
        f"dates.in_key = false leaves intervals between dates out: who knows them, too, tells {unique:,} of "
        f"{people:,} people from all others. So it is not known whether people are protected."
    )
    yield (TOGETHER, "intervals", "intervals between dates", None, None, None, unique, NOT_KNOWN), told


def _offsets(found: Joined, k: int) -> Iterator[tuple[Row, str]]:
    """By how many offsets the dates of a release may have been shifted, for those who know when the data were
    collected."""
    dates, collected = found.policy.columns("dates"), found.policy.collected
    if not dates or collected is None or not found.released:
        return
    first, last = collected
    possible = call(
        "possible_offsets", **found.about(), dates=dates, collected_from=first, collected_until=last,
        whole_weeks=True,
    )  # fmt: skip
    [(least, few)] = execute(
        found.con,
        select(possible.subquery(), "min(offsets)", f"count(*) filter (where offsets < {int(k)})"),
    )
    told = (
        f"Who knows that all dates are from {first} to {last} finds at least {least:,} possible offsets for "
        f"everybody; for {few:,} people fewer than {k}."
    )
    yield (TOGETHER, "offsets", "possible offsets of dates", None, k, least, few, None), told
