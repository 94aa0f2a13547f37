"""What several tables tell of the people in them, together: classes of people, judged as classes of rows are,
and each table alone."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
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
from sqlanon.core.statements import aliased, call, count, create, execute, relation, select, table, union_all
from sqlanon.core.suggestions import missing_column
from sqlanon.core.tables import WorkTables
from sqlanon.judge.verdicts import FAILS, HOLDS, NOT_KNOWN
from sqlanon.measure.leaving import columns_leaving
from sqlanon.policies.first_policy import units
from sqlanon.policies.people import JOINED, PeoplePolicy, TableOfPeople, read_people

TOGETHER = "together"
EVIDENCE = "evidence"  # in place of the name of a table, where something is not known
ACCEPTED = "accepted"  # in place of not known
MOSTLY = 0.5  # so many values of a column are dates, if it is one of dates
OR_DIRECT = "or say in [direct] why it may leave."
WITH_HASHES = ("missing_counts",)  # settings that are about hashes of values, too
Sources = Mapping[str, Source]


@dataclass(frozen=True)
class JudgedTables(MadeTable):
    """What was judged of several tables: a row per requirement, also of each table alone.

    holds: whether all is required; None: not known. text: why, in sentences. accepted: the reasons for which
    what is not known was accepted, by its name. table: a temporary table of
    tables, id, model, sensitive, required, reached, people (who are in classes that fail), verdict.
    """

    table: str
    con: duckdb.DuckDBPyConnection | None
    holds: bool | None
    text: str
    accepted: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Earlier:
    """A release of the same tables that is out. column: of the person table, with the class that people are
    in there. values: the table of the values that they have there (reading, value), by attribute."""

    name: str
    column: str
    values: Mapping[str, str]


@dataclass(frozen=True)
class Joined:
    """Tables in a database, by the names of the policy, and the policy about them. remarks: what there was to
    say of them. released: are they a release by the policy? earlier: what is judged together with them.
    since: of nights, the column with the first night that has a row. with_items: may others know items of
    people, too?"""

    con: duckdb.DuckDBPyConnection
    policy: PeoplePolicy
    names: Mapping[str, str]
    remarks: Sequence[str] = ()
    released: bool = False
    earlier: Sequence[Earlier] = ()
    since: str | None = None
    with_items: bool = True

    @property
    def qi(self) -> list[str]:
        """What others may know: quasi-identifiers, classes in releases that are out, and since when rows are
        there."""
        root = self.policy.root.name
        of_nights = [f"{name}.{self.since}" for name in self.names] if self.since else []
        of_releases = [f"{root}.{each.column}" for each in self.earlier]
        return [*self.policy.columns("qi"), *of_nights, *of_releases]

    @property
    def dates(self) -> list[str]:
        """Dates whose intervals others may know."""
        return self.policy.columns("dates") if self.policy.in_key else []

    @property
    def direct(self) -> set[str]:
        """Columns that may leave although they name people, in lower case."""
        return lower(self.policy.policy.direct)

    @property
    def items(self) -> list[str]:
        """The columns with items of people."""
        return self.policy.columns("items")

    def not_released(self) -> dict[str, list[str]]:
        """The columns that do not leave, by table."""
        dropped = {}
        of_releases = [of_earlier.column for of_earlier in self.earlier]
        for name, each in self.policy.tables.items():
            leaving = lower([*self.policy.leaving(each), *of_releases])
            there = column_names(self.con, self.names[name])
            dropped[name] = [column for column in there if column.lower() not in leaving]
        return {name: columns for name, columns in dropped.items() if columns}

    def about(self, items: bool = False) -> dict[str, Any]:
        """What the macros take. items: with the tables of items, too?"""
        given = {
            name: f"{named} as {name}" for name, named in self.names.items()
            if items or not self.policy.tables[name].items
        }  # fmt: skip
        return {"tables": [*given.values()], "unit": self.policy.unit, "joins": self.policy.joins(given)}

    def classes(self, work: WorkTables, dates: Sequence[str] | None = None) -> exp.Table:
        """The class of every person: person, class_id, people."""
        known = self.dates if dates is None else [*dates]
        return work.make("classes", call(JOINED, **self.about(), qi=self.qi, dates=known))

    def sets(self, work: WorkTables, classes: exp.Table) -> exp.Table:
        """Whom somebody finds who knows the class of a person and m items, as classes: person, class_id,
        people, of_class. Without items: the classes."""
        if not (self.items and self.with_items):
            return classes
        items = work.make("known_items", self.held_items(work)).name
        of_classes = call("_items_in_classes", items, classes.name).subquery()
        held = work.make("known_nodes", select(of_classes, "class_id", "person", "value as node")).name
        return work.make("sets", call("_known_sets", classes.name, held, self.policy.m))

    def held_items(self, work: WorkTables) -> exp.Expression:
        """Who has which items: person, value. Errors: InputError for rows that belong to nobody."""
        held = [
            call("_numbered_items", self.rows_with_person(work, [column], f"held_{nth}"), str(nth))
            for nth, column in enumerate(self.items)
        ]
        return union_all(held)

    def rows_with_person(self, work: WorkTables, columns: Sequence[str], purpose: str = "alone") -> str:
        """The work table of columns of one table, as q1, q2, ..., with the person whose rows they are."""
        return work.make(purpose, call("_columns_with_person", **self.about(True), columns=[*columns])).name

    def people_who_fail(self, work: WorkTables, most: int) -> tuple[int, exp.Table]:
        """How many people are in classes that fail, and a table of them: person. Where more than `most` are
        in classes that are too small, nothing else is looked at."""
        classes = self.classes(work)
        sets = self.sets(work, classes)
        small = select(sets, "class_id").where(f"people < {int(self.policy.requirements['k'])}")
        found, people = self._people_of(work, classes, sets, small)
        if found > most or not self.policy.is_about_values:
            return found, people
        failing = select(self.classes_that_fail(work, sets), "class_id")
        return self._people_of(work, classes, sets, failing)

    def _people_of(
        self, work: WorkTables, classes: exp.Table, sets: exp.Table, which: exp.Select
    ) -> tuple[int, exp.Table]:
        if sets is not classes:  # the whole class, so that no other set loses some of its people
            which = select(sets, "of_class").where(exp.column("class_id").isin(query=which))
        query = select(classes, "person").where(exp.column("class_id").isin(query=which))
        people = work.make("suppressed", query)
        if self.earlier:
            root, k = self.policy.root, self.policy.requirements["k"]
            columns = [each.column for each in self.earlier]
            people = work.make(
                "suppressed_with_company",
                call("_failing_with_company", classes.name, people.name, self.names[root.name], root.own,
                     columns, k),
            )  # fmt: skip
        [(found,)] = execute(self.con, count(people))
        return found, people

    def values(self, work: WorkTables, classes: exp.Table) -> dict[str, str]:
        """By attribute the table of people, their values and classes: person, class_id, sensitive; also of
        releases that are out. classes: those of `classes`, or `sets`."""
        made = dict[str, str]()
        is_of_sets = bool(self.items) and classes.name == work.name("sets")
        for attribute, columns in self.policy.sensitive().items():
            query = call("person_values", **self.about(), qi=self.qi, dates=self.dates, sensitive=columns)
            if is_of_sets:
                of_people = work.make("values_of_people", query)
                query = call("_values_of_sets", of_people.name, classes.name)
            made[attribute] = work.make(f"values_{len(made)}", query).name
        for each in self.earlier:
            for attribute, kept in each.values.items():
                of_classes = call("_kept_values_by_class", classes.name, kept)
                made[f"{attribute} of {each.name}"] = work.make(f"values_{len(made)}", of_classes).name
        return made

    def required_of(self, attribute: str) -> dict[str, Any]:
        """What is required of the values of an attribute. Of values that are out hashes are kept, whose order
        and shares among all people say nothing."""
        required = dict(self.policy.requirements)
        if attribute in self.policy.sensitive():
            return required
        known = by_id()
        return {
            id: value for id, value in required.items()
            if id in WITH_HASHES or (known[id].about and not known[id].with_table)
        }  # fmt: skip

    def classes_that_fail(self, work: WorkTables, classes: exp.Table) -> exp.Table:
        """The classes that violate what is required: class_id, people, id, attribute, reached. classes: those
        of `classes`, or `sets`."""
        found: list[exp.Select] = []
        for attribute, rows in (self.values(work, classes) or {"": classes.name}).items():
            required = self.required_of(attribute) if attribute else {"k": self.policy.requirements["k"]}
            arguments = {**required, "sensitive": ["sensitive"] if attribute else None}
            failing = call("violations", rows, qi=["class_id"], unit="person", **arguments)
            title = aliased(exp.cast(exp.convert(attribute or None), "text"), "attribute")
            found.append(select(failing.subquery(), "class.class_id", "people", "id", title, "reached"))
        return work.make("failing", union_all(found))


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
    policy = policy.as_released() if released else policy
    for name in given:
        if name not in policy.tables:
            raise InputError(f"{name} is no table of the policy: it has {', '.join(policy.tables)}")
    with ExitStack() as stack:
        for name, each in policy.tables.items():
            names[name] = stack.enter_context(named(con, given[name] if name in given else _file_of(each)))
            wanted = [*policy.leaving(each), *([] if released else each.of("identifier"))]
            if problem := missing_column(wanted, column_names(con, names[name]), name):
                raise InputError(f"{policy.policy.spelling.path}: tables.{name}{problem}")
        for name, each in policy.tables.items():
            if each.leave_out_unmatched:
                above = names[each.parent or name]
                query = call("_rows_that_belong", names[name], each.own, above, each.key or each.own)
                kept = work.make(f"kept_{name}", query).name
                if gone := rows_gone(con, names[name], kept):
                    remarks.append(f"{name}: {gone} belong to nobody: left out")
                names[name] = kept
        yield Joined(con, policy, names, remarks, released)


def rows_gone(con: duckdb.DuckDBPyConnection, before: str, after: str) -> str:
    """`n of m rows`, where a table has fewer rows than before; or nothing."""
    [[(had,)], [(has,)]] = (execute(con, count(relation(name))) for name in (before, after))
    return f"{had - has:,} of {had:,} rows" if has < had else ""


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
    tables together say the same of them. Besides it is reported which tables alone are k-anonymous, which
    share of a class has a sensitive value in any row, and which columns that leave unchanged tell people
    apart.

    Errors: InputError, as in `person_classes`; UseError for a policy that is wrong.
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


COLUMNS = {
    "tables": "text", "id": "text", "model": "text", "sensitive": "text", "required": "double",
    "reached": "double", "people": "bigint", "verdict": "text",
}  # fmt: skip
Row = tuple[str, str, str, str | None, float | None, float | None, int | None, str | None]
Said = tuple[Row, str]  # with a sentence, or none


def judged(found: Joined, work: WorkTables) -> JudgedTables:
    """The verdicts on tables."""
    rules, k = found.policy, found.policy.requirements["k"]
    said: list[Said] = [(row, "") for row in together(found, work)]
    people, least, few = sizes(found.con, work.name("classes"), k)
    alone = dict(_each_alone(found, work))
    for name, reached in alone.items():
        row = (name, "k", by_id()["k"].title, None, k, reached, None, HOLDS if reached >= k else FAILS)
        said.append((row, ""))
    said += [
        *_in_no_role(found), *_naming(found, work), *_kept(found, work, k), *_unshifted(found),
        *_intervals(found, work), *_items(found, work, k), *_offsets(found, k),
    ]  # fmt: skip
    remarks = [*found.remarks, _why(k, people, least, few, alone)]
    return as_judged(found.con, said, remarks, rules.policy.accepted, rules.tables)


def sizes(con: duckdb.DuckDBPyConnection, classes: str, k: int) -> tuple[int, int, int]:
    """People with classes: how many they are, the fewest of a class, and those in classes of under k."""
    few = f"count(*) filter (where people < {int(k)})"
    [(people, least, under)] = execute(con, select(relation(classes), "count(*)", "min(people)", few))
    return people, least, under


def as_judged(
    con: duckdb.DuckDBPyConnection, said: Iterable[Said], remarks: Sequence[str], reasons: Mapping[str, str],
    alone: Iterable[str] = (),
) -> JudgedTables:  # fmt: skip
    """Verdicts as a table, of which what is not known may be accepted. remarks: come before them.
    reasons: by name, such as evidence.leavers. alone: tables whose own k is reported, and not required."""
    rows, lines, accepted = list[Row](), [*remarks], dict[str, str]()
    for row, why in said:
        doubt = f"{EVIDENCE}.{row[1]}"
        is_accepted = row[-1] in (NOT_KNOWN, ACCEPTED) and doubt in reasons
        accepted |= {doubt: reasons[doubt]} if is_accepted else {}
        rows.append((*row[:-1], ACCEPTED) if is_accepted else row)
        lines += [why] if why else []
    lines += [f"{doubt} is accepted: {why}" for doubt, why in accepted.items()]
    made = table(fresh_name("judged"))
    cast = [aliased(exp.cast(exp.column(name), type_), name) for name, type_ in COLUMNS.items()]
    values = exp.values(rows, alias="judged", columns=[*COLUMNS])
    execute(con, create(made, select(values, *cast), temporary=True))
    verdicts = {row[-1] for row in rows if row[:2] not in {(name, "k") for name in alone}}
    holds = False if FAILS in verdicts else None if NOT_KNOWN in verdicts else True
    return JudgedTables(made.name, con, holds, "\n".join(lines), accepted)


def together(found: Joined, work: WorkTables, title: str = TOGETHER) -> Iterator[Row]:
    """What is required of the classes of people, and what they reach. title: of what is judged together."""
    required = found.policy.requirements
    classes = found.sets(work, found.classes(work))
    failing = found.classes_that_fail(work, classes)
    in_failing = execute(found.con, call("_people_in_failing", failing.name, classes.name))
    worst = {row[:2]: row[2:] for row in in_failing}
    values = found.values(work, classes) or {"": classes.name}
    known = f" of who knows up to {found.policy.m} items" if found.items else ""
    for nth, (attribute, rows) in enumerate(values.items()):
        of_it = found.required_of(attribute) if attribute else required
        settings = {name: of_it.get(name) for name in ("l", "distinct_spellings", "missing_counts")}
        sensitive = ["sensitive"] if attribute else None
        measured = call("privacy", rows, qi=["class_id"], unit="person", sensitive=sensitive, **settings)
        found_so = execute(found.con, select(measured.subquery(), "id", "reached"))
        reached: dict[str, float | None] = dict(found_so)
        for id, bound in of_it.items():
            model = by_id().get(id)
            if model is None or not model.about or (id == "k" and nth):
                continue
            of = None if model.about == "size" else attribute
            verdict = verdict_of(id, required)
            people, worst_of = worst.get((verdict, attribute or None), (0, None))
            value = reached.get(verdict, worst_of)
            yield title, id, model.title + known, of, bound, value, people, FAILS if people else HOLDS
        if attribute and "alpha" not in required:
            named_so, share = "largest share of a class with a value in any row", reached.get("alpha")
            yield title, "alpha", named_so, attribute, None, share, None, None


def _each_alone(found: Joined, work: WorkTables) -> Iterator[tuple[str, int]]:
    """The k of each table that has quasi-identifiers, where people are counted by whose its rows are."""
    for name, each in found.policy.tables.items():
        if columns := each.columns("qi"):
            rows = found.rows_with_person(work, columns)
            names = [f"q{i}" for i in range(1, len(columns) + 1)]
            classes = call("classes", rows, names, unit="person")
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


def fails(name: str, id: str, model: str, required: float | None = None, people: int | None = None) -> Row:
    """A row of what fails."""
    return name, id, model, None, required, None, people, FAILS


def _naming(found: Joined, work: WorkTables) -> Iterator[Said]:
    """Sensitive columns that name people, as `leaving_columns` has it: no class hides those."""
    for name, each in found.policy.tables.items():
        sensitive = each.roles.get("sensitive", [])
        if not sensitive:
            continue
        columns = [exp.column(column, quoted=True) for column in sensitive]
        rows = work.make("alone", select(relation(found.names[name]), "0 as _sqlanon_class", *columns))
        direct = [column for column in sensitive if f"{name}.{column}".lower() in found.direct]
        for column in columns_leaving(
            found.con, rows.name, qi=["_sqlanon_class"], sensitive=[*sensitive], direct=direct or None
        ):
            if not column.holds:
                named_so = f"{name}.{column.column}"
                sentence = f"{named_so} leaves {column.how}: {column.reason}. Leave it out, {OR_DIRECT}"
                yield fails(named_so, "columns", "column that names people"), sentence


def _kept(found: Joined, work: WorkTables, k: int) -> Iterator[Said]:
    """Columns that leave unchanged and tell people apart: with values that few people have, or the key of
    something that several people share."""
    for name, each in found.policy.tables.items():
        called = lower(column for column, _, _ in units(found.con, found.names[name], set()))
        for column in each.columns("keep"):
            if column.lower() in found.direct:
                continue
            rows = found.rows_with_person(work, [column])
            [(rare, people, shared)] = execute(found.con, call("_rare_values", rows, k))
            is_key = column.partition(".")[2].lower() in called and shared > 1
            if not rare and not is_key:
                continue
            why = (
                f"{column} has {rare:,} values that fewer than {k} people have ({people:,} people)"
                if rare
                else f"{column} looks like the key of what several people share"
            )
            sentence = f"{why}, and is in keep, which is not judged: put it into qi, drop it, {OR_DIRECT}"
            yield fails(column, "kept", "column that leaves unchanged", k, people), sentence


def _unshifted(found: Joined) -> Iterator[Said]:
    """Dates that leave unchanged beside shifted ones, which tell the offset."""
    for name, each in found.policy.tables.items() if found.policy.columns("dates") else ():
        for column in (*each.roles.get("keep", []), *each.roles.get("sensitive", [])):
            full = f"{name}.{column}"
            [(share,)] = execute(found.con, call("_share_of_dates", found.names[name], column))
            if share is None or share < MOSTLY or full.lower() in found.direct:
                continue
            sentence = f"{full} has dates and leaves unchanged, beside dates that are shifted"
            sentence += f": their difference tells the offset. Put it into dates, drop it, {OR_DIRECT}"
            yield fails(full, "dates", "date that leaves unchanged"), sentence


def _in_no_role(found: Joined) -> Iterator[Said]:
    """Columns of a release that the policy does not release."""
    for name, columns in found.not_released().items() if found.released else ():
        sentence = f"{name}: the policy does not release {', '.join(columns)}"
        yield fails(name, "columns", "columns that the policy releases"), sentence


def _intervals(found: Joined, work: WorkTables) -> Iterator[Said]:
    """Intervals between dates, where the policy leaves them out."""
    dates = found.policy.columns("dates")
    if not dates or found.policy.in_key:
        return
    people, _, unique = sizes(found.con, found.classes(work, dates).name, 2)
    sentence = (
        f"dates.in_key = false leaves intervals between dates out: who knows them, too, tells {unique:,} of "
        f"{people:,} people from all others. So it is not known whether people are protected."
    )
    yield (TOGETHER, "intervals", "intervals between dates", None, None, None, unique, NOT_KNOWN), sentence


def _items(found: Joined, work: WorkTables, k: int) -> Iterator[Said]:
    """Items of people: what is promised, and what is not of who knows more of them."""
    for column in found.items if found.released else ():
        name = column.partition(".")[0]
        rows = found.rows_with_person(work, [column])
        [(there,)] = execute(found.con, count(relation(found.names[name])))
        [(once,)] = execute(
            found.con, select(relation(rows), "count(distinct row(person, q1)) filter (where q1 is not null)")
        )
        if twice := there - once:
            sentence = f"{name}: {twice:,} rows are there twice, or without an item"
            sentence += ": how many a person has must not leave"
            yield fails(name, "items", "items of a person"), sentence
    if not found.items:
        return
    about = {**found.about(True), "qi": [*found.qi, *found.items], "dates": found.dates}
    people, least, few = sizes(found.con, work.make("whole", call(JOINED, **about)).name, k)
    m, columns = found.policy.m, ", ".join(found.items)
    sentence = (
        f"Required is what holds of somebody who knows the class of a person and up to {m} items ({columns})."
        f" Who knows all items of a person finds fewer than {k} people for {few:,} of {people:,}"
    )
    if few:
        sentence += f": it is not known what holds of somebody who knows more than {m} items"
    row = EVIDENCE, "more_items", f"who knows more than {m} items", None, k, least, few
    yield (*row, NOT_KNOWN if few else HOLDS), sentence


def _offsets(found: Joined, k: int) -> Iterator[Said]:
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
    sentence = (
        f"Who knows that all dates are from {first} to {last} finds at least {least:,} possible offsets for "
        f"everybody; for {few:,} people fewer than {k}."
    )
    yield (TOGETHER, "offsets", "possible offsets of dates", None, k, least, few, None), sentence
