"""The published releases, each with its own description, by which its labels are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from shlex import quote

import duckdb
from sqlglot import exp

from sqlanon.attack.lacking import anything
from sqlanon.attack.two_readings import read, readings, without
from sqlanon.core.files import column_names
from sqlanon.core.source import lower
from sqlanon.core.statements import call, execute, literal, relation, render, select
from sqlanon.core.tables import WorkTables
from sqlanon.judge.joins import Joins, check_names
from sqlanon.policies.schema import CONTRADICTIONS

LACKING = "quasi_identifiers"  # a doubt: a release has one that the table of people lacks


@dataclass(frozen=True)
class Released:
    """A release as it was published. table: a name for query_table.

    qi, sensitive: its own columns of these roles. names: what some of its columns are called here. values:
    of a column, by its name here, how it spells values, and what these are here. hierarchies: the table of
    those that its labels are from. is_as_today: the quasi-identifiers whose hierarchies are made as today's
    are; of the others nobody knows what labels meant, if hierarchies is None. is_foreign: have others
    published it? suppressed_rows: rows of its source that are not in it; None: nobody knows.
    are_leavers_seen: is it known who has left since (the same people are attacked, or all are kept)?
    """

    name: str
    table: str
    qi: Sequence[str] = ()
    sensitive: Sequence[str] = ()
    nearest: bool = False
    formats: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    hierarchies: str | None = None
    is_as_today: Sequence[str] = ()
    is_foreign: bool = False
    suppressed_rows: int | None = None
    are_leavers_seen: bool = True

    def here(self, column: str) -> str:
        """What a column of it is called here."""
        return {name.lower(): ours for name, ours in self.names.items()}.get(column.lower(), column)

    @property
    def mapping_values(self) -> str:
        """The commands by which somebody says what its values are with us."""
        name, file = quote(self.name), quote(f"values of {self.name}.csv")
        return (
            f"sqlanon register proposals REGISTER {name} --format csv > {file}, complete its rows (column, "
            f"theirs, ours), then sqlanon register map REGISTER {name} --values {file}"
        )


@dataclass(frozen=True)
class Doubt:
    """Why something is not known. id: what kind of thing it is; releases: of which; people: of how many
    people (or rows) it is not known; remedy: what would help; column: the one that it is about, by which it
    can be accepted alone. words: of a release and of today, in pairs that may mean the same."""

    id: str
    reason: str
    releases: Sequence[str] = ()
    people: int | None = None
    remedy: str | None = None
    column: str | None = None
    words: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class Subjects:
    """The people whom attacks look for. table: with raw values, a name for query_table. hierarchies: today's.
    identity: columns that tell who somebody is, where there is no unit. values_may_change: columns whose
    values may be others in another release. contradictions: percent of those who are located in a release of
    others that may be in a class there which has none of their values. same_columns, different_columns: sets
    of names of columns of releases that are one column, or are not. distinct_spellings: columns in which
    spellings are different values; fold: those in which they are one in releases of before, too.
    missing_counts: is a missing value one like any other? are_rows_new: is no row in two of our releases?
    gone: columns of which somebody has said that the table has them no more, by no name."""

    table: str
    qi: Sequence[str]
    sensitive: Sequence[str] = ()
    unit: str | None = None
    hierarchies: str | None = None
    identity: Sequence[str] = ()
    values_may_change: Sequence[str] = ()
    contradictions: float = CONTRADICTIONS
    same_columns: Sequence[Sequence[str]] = ()
    different_columns: Sequence[Sequence[str]] = ()
    distinct_spellings: Sequence[str] = ()
    fold: Sequence[str] = ()
    missing_counts: bool = False
    are_rows_new: bool = False
    gone: Sequence[str] = ()

    @property
    def who(self) -> list[str]:
        """The columns that tell who somebody is: the unit, or those of identity, or none."""
        return [*self.identity] if self.unit is None else [self.unit]


@dataclass(frozen=True)
class Leaver:
    """Somebody, or a row of somebody, who was attacked before and has left. who: a keyed hash; values: of
    their quasi-identifiers, as text; releases: for which they were attacked. nights: where they had others
    than these, by release. person: of a row that is gone, the number of a row of somebody who is still
    here."""

    who: str
    values: Mapping[str, str | None]
    releases: Sequence[str]
    nights: Mapping[str, Mapping[str, str | None]] = field(default_factory=dict)
    person: int | None = None


@dataclass(frozen=True)
class Entered:
    """What was kept about the people of a release. identity: the columns by which they are hashed; None: they
    are not. has_cells: were their quasi-identifiers kept?"""

    id: int
    identity: Sequence[str] | None
    has_cells: bool


@dataclass(frozen=True)
class Kept:
    """What a register keeps about people. people, asked, secret: the names of its tables. of: by the names of
    releases."""

    people: str
    asked: str
    secret: str
    of: Mapping[str, Entered]

    def how_to_give(self, release: str) -> str | None:
        """How the table that a release was made of is given again; None where that is done, or nobody could
        tell whether it is that table."""
        entered = self.of.get(release)
        may_be_given = entered is not None and entered.identity is not None and not entered.has_cells
        return f"--earlier {quote(release)}=FILE" if may_be_given else None

    @property
    def with_cells(self) -> list[str]:
        """The releases of whose people the quasi-identifiers were kept."""
        return [name for name, each in self.of.items() if each.has_cells]

    @property
    def columns(self) -> list[str]:
        """The columns that tell who somebody is."""
        return [name for each in self.of.values() for name in each.identity or ()]


class Evidence:
    """Releases under common names, in labels that mean the same to everybody.

    releases: as they are read: qi and sensitive are names of today. qi, sensitive: of all releases, as far
    as the people have these columns. unchanged: other columns that two releases tell, by which rows can be
    joined. pairs: columns of two names that may be one, by which they can be joined, too. strangers: as of
    Joins. known_before: sensitive columns that are quasi-identifiers of some releases, of which. gone:
    quasi-identifiers that the people lack, and that are kept of all who were in a release with them: NULL
    today. doubts: what nobody could read. kept: what a register keeps about people.
    """

    def __init__(
        self, con: duckdb.DuckDBPyConnection, work: WorkTables, subjects: Subjects,
        releases: Sequence[Released], kept: Kept | None = None,
    ) -> None:  # fmt: skip
        self.con, self.work, self.subjects, self.kept = con, work, subjects, kept
        self.doubts: list[Doubt] = []
        self.columns = column_names(con, subjects.table)
        renamed = [
            under_names_of_today(con, work, f"renamed_{number}", each)
            for number, each in enumerate(releases, 1)
        ]
        self.gone = self._gone(renamed)
        if self.gone:
            unknown = [named(exp.cast(exp.null(), "text"), name) for name in self.gone]
            people = work.make("people_with_gone", select(relation(subjects.table), "*", *unknown))
            self.subjects, self.columns = replace(subjects, table=people.name), [*self.columns, *self.gone]
        if subjects.fold:
            renamed = self._folded(renamed)
        self.qi = self._of_all("qi", renamed, subjects.qi)
        self.sensitive = [
            name for name in self._of_all("sensitive", renamed, subjects.sensitive)
            if name.lower() not in lower(self.qi) or name.lower() in lower(subjects.sensitive)
        ]  # fmt: skip
        self.known_before = {
            name: [each.name for each in renamed if name.lower() in lower(each.qi)]
            for name in self.qi if name.lower() in lower(self.sensitive)
        }  # fmt: skip
        self.qi = [name for name in self.qi if name not in self.known_before]
        joined = self._joined(renamed)
        self.releases = [self._read(number, each) for number, each in enumerate(joined, 1)]
        self._compare_spellings()

    def _gone(self, releases: Sequence[Released]) -> list[str]:
        ours, found, unknown = lower(self.columns), dict[str, str](), set[str]()
        if any(each.nearest for each in releases):  # whose distances a missing value has no part in
            return []
        for each in releases:
            lacking = {name.lower(): name for name in each.qi if name.lower() not in ours}
            if self.kept is not None and each.name in self.kept.with_cells:
                found = {**lacking, **found}
            else:
                unknown |= lacking.keys()
        return [name for folded, name in found.items() if folded not in unknown]

    def _folded(self, releases: Sequence[Released]) -> list[Released]:
        """The releases, and the people, with one spelling of each value, which is the people's where they
        have it."""
        found = without(
            readings(
                self.con, self.work, [each.table for each in releases],
                {name.lower(): name for each in releases for name in column_names(self.con,
                each.table)}.values(), [(self.subjects.table, name, name) for name in self.columns],
            ),
            self.subjects.distinct_spellings,
        )  # fmt: skip
        found = {name: one for name, one in found.items() if name.lower() in lower(self.subjects.fold)}
        people = read(self.con, self.work, "people_folded", self.subjects.table, found)
        self.subjects = replace(self.subjects, table=people)
        return [
            replace(each, table=read(self.con, self.work, f"folded_{number}", each.table, found))
            for number, each in enumerate(releases, 1)
        ]

    def _of_all(self, role: str, releases: Sequence[Released], today: Sequence[str]) -> list[str]:
        """The columns that any release has in a role, by the names that the people's table has for them. (Of
        sensitive ones it may lack those of ours: who has what there is looked for all the same.)"""
        ours = {name.lower(): name for name in self.columns}
        found = {name.lower(): ours.get(name.lower(), name) for name in today}
        for each in releases:
            for name in getattr(each, role):
                if name.lower() in ours:
                    found.setdefault(name.lower(), ours[name.lower()])
                    continue
                if role == "sensitive" and name.lower() in lower(each.names.values()):  # none of ours
                    continue
                is_learned = role == "sensitive" and not each.is_foreign  # also without today's values
                if is_learned:
                    found.setdefault(name.lower(), name)
                    if name.lower() in lower(self.subjects.gone):
                        continue
                what = "quasi-identifier" if role == "qi" else "sensitive column"
                way = f"give it the column {name}"
                if each.is_foreign:
                    way += ", or say which of its columns that is: sqlanon register map REGISTER "
                    way += f"{quote(each.name)} --names {quote(name)}=COLUMN"
                elif is_learned:
                    way += f"; or say that it is not there any more, by no name: --gone {quote(name)}"
                id = LACKING if role == "qi" else "sensitive_columns"
                again = None if self.kept is None or role != "qi" else self.kept.how_to_give(each.name)
                way += "" if again is None else f"; or give the table that it was made of again: {again}"
                way += f", or if there is none any more, accept it: --accept evidence.{id}='why'"
                self.doubts.append(
                    Doubt(
                        id,
                        f"{each.name} has the {what} {name}, which the table of people lacks", [each.name],
                        remedy=way,
                    )
                )  # fmt: skip
        return list(found.values())

    def _joined(self, releases: Sequence[Released]) -> list[Released]:
        """The releases with the columns by which they are joined."""
        have = [column_names(self.con, each.table) for each in releases]
        said = {
            "same_columns": self.subjects.same_columns, "different_columns": self.subjects.different_columns
        }  # fmt: skip
        check_names(said, [*self.columns, *(name for columns in have for name in columns)])
        if len(releases) < 2:
            self.unchanged, self.pairs, self.strangers = [], [], []
            return list(releases)
        joins = Joins(
            self.con, [each.table for each in releases], [each.name for each in releases],
            [
                [name for name in columns if self._may_join(each, name)]
                for each, columns in zip(releases, have, strict=True)
            ],
            [*self.qi, *self.sensitive], said["same_columns"], said["different_columns"],
        )  # fmt: skip
        self.unchanged, self.pairs, self.strangers = joins.unchanged, joins.pairs, joins.strangers
        return [
            self._with_columns(
                number, each, columns, self._labels_aside(each) | joins.renamed[number], joins.added[number]
            )
            for number, (each, columns) in enumerate(zip(releases, have, strict=True))
        ]

    def _labels_aside(self, each: Released) -> dict[str, str]:
        """Other names for columns that have labels in a release, and are sensitive today: no values."""
        return {
            name: f"{name} of {each.name}"
            for name in column_names(self.con, each.table)
            if name.lower() in lower([*self.known_before]) and name.lower() in lower(each.qi)
            and not self._may_join(each, name)
        }  # fmt: skip

    def _may_join(self, each: Released, name: str) -> bool:
        """Does a column have values, and not labels, in a release?"""
        if name.lower() not in lower([*self.qi, *each.qi]):
            return True
        if each.nearest or name.lower() in lower(each.formats) or name.lower() not in lower(self.columns):
            return False
        label = exp.cast(exp.column(name, quoted=True), "text")
        raw = select(relation(self.subjects.table), label.copy())
        is_other = exp.not_(
            exp.In(this=label, query=raw.where(label.copy().is_(exp.null()).not_()).subquery())
        )
        unlike = select(relation(each.table), "1").where(exp.and_(is_other, label.copy().neq("*"))).limit(1)
        return not execute(self.con, unlike)

    def _with_columns(
        self, number: int, each: Released, columns: Sequence[str], renamed: Mapping[str, str],
        added: Mapping[str, str],
    ) -> Released:  # fmt: skip
        """The release with further columns, copies of its own, and others by other names."""
        if not renamed and not added:
            return each
        values = [named(exp.column(name, quoted=True), renamed.get(name, name)) for name in columns]
        for alias, name in added.items():
            folded = exp.Anonymous(this="_joining_value", expressions=[exp.column(name, quoted=True)])
            values.append(named(exp.Dot(this=exp.to_identifier("sqlanon"), expression=folded), alias))
        made = self.work.make(f"joined_{number}", select(relation(each.table), *values))
        return replace(each, table=render(made))

    def _read(self, number: int, each: Released) -> Released:
        """The release with labels that mean today what they meant when it was made, and with all
        quasi-identifiers: one that it does not have may be anything."""
        columns = {name.lower(): name for name in column_names(self.con, each.table)}
        made = [name for name in self.qi if name.lower() in columns]
        unlike = [name for name in made if name.lower() not in lower(each.is_as_today) | lower(each.formats)]
        values: dict[str, exp.Expression] = {}
        if unlike and not each.nearest:
            labels = self.work.make(f"labels_{number}", call("_labels_of", each.table, unlike))
            if each.hierarchies is not None or not self.subjects.hierarchies:
                values = self._written_out(number, each, unlike, labels)
            else:
                self._doubt_labels(each, labels)
        written = lower(each.formats)
        missing = [name for name in self.qi if name.lower() not in columns.keys() | written]
        if not values and not missing:
            return each
        unlike_now = [named(value, name) for name, value in values.items()]
        everything = exp.Star(**{"replace": unlike_now} if unlike_now else {})
        added = [named(anything(name, self.subjects.table, each.nearest), name) for name in missing]
        read = self.work.make(f"read_{number}", select(relation(each.table), everything, *added))
        return replace(each, table=render(read))

    def _written_out(
        self, number: int, each: Released, columns: Sequence[str], labels: exp.Table
    ) -> dict[str, exp.Expression]:
        """Of each column that has labels which mean something else by now, how it is read."""
        people = self.work.make("values_of_people", call("_values_asked_about", self.subjects.table, columns))
        written = execute(
            self.con,
            call(
                "_labels_written_out", labels.name, each.hierarchies, self.subjects.hierarchies, people.name
            ),
        )
        by_column: dict[str, dict[str, str]] = {}
        for attribute, label, meaning in written:
            by_column.setdefault(attribute, {})[label] = meaning
        read: dict[str, exp.Expression] = {}
        for column in columns:
            if mapping := by_column.get(column.lower()):
                text = exp.cast(exp.column(column, quoted=True), "text")
                found = exp.Bracket(this=literal(mapping), expressions=[text])
                read[column] = exp.Coalesce(this=found, expressions=[text.copy()])
        return read

    def _doubt_labels(self, each: Released, labels: exp.Table) -> None:
        """Labels of which nobody has said what they mean."""
        unknown: dict[str, list[str]] = {}
        for attribute, label in execute(
            self.con, call("_labels_of_today", labels.name, self.subjects.hierarchies)
        ):
            unknown.setdefault(attribute, []).append(label)
        for attribute, found in unknown.items():
            self.doubts.append(
                Doubt(
                    "labels",
                    f"{each.name}: {len(found)} labels of {attribute}, such as {found[0]}, are read by the "
                    "hierarchies of today: nobody has said what they meant", [each.name],
                    remedy="enter it with its hierarchies",
                )
            )  # fmt: skip

    def _compare_spellings(self) -> None:
        """Values of sensitive columns that look like one another's spellings."""
        stated: list[exp.Expression] = []
        tables: list[tuple[str, str, Mapping[str, Mapping[str, str]]]] = [
            ("the people", self.subjects.table, {})
        ]
        tables += [(each.name, each.table, each.values) for each in self.releases]
        for called, name, values in tables:
            have = lower(column_names(self.con, name))
            for column in self.sensitive:
                if column.lower() in have:
                    value = exp.cast(exp.column(column, quoted=True), "text")
                    one = select(
                        relation(name), named(literal(called), "name"), named(literal(column), "attribute"),
                        named(value, "value"),
                    )  # fmt: skip
                    mapped = [*values.get(column, {}).values()]
                    if mapped:
                        one = one.where(
                            exp.not_(exp.In(this=value.copy(), expressions=[*map(literal, mapped)]))
                        )
                    stated.append(one.distinct())
        if len(stated) < 2:
            return
        made = self.work.make("stated", exp.union(*stated, distinct=False))
        pairs: dict[tuple[str, str, str], list[tuple[str, str]]] = {}
        for column, first, value, second, other_value in execute(
            self.con, call("_respelled_values", made.name)
        ):
            pairs.setdefault((column, first, second), []).append((value, other_value))
        released = {each.name: each for each in self.releases}
        for (column, first, second), found in pairs.items():
            if column.lower() in lower(self.subjects.distinct_spellings):
                continue
            [(one_way, other_way), *_] = found
            of = [name for name in (first, second) if name in released]
            by_others = [released[name] for name in of if released[name].is_foreign]
            in_one = by_others[0].mapping_values if by_others else f"publish --words {column}:THEN=TODAY"
            self.doubts.append(
                Doubt(
                    "spelling",
                    f"{column}: values are spelled in one way in {first} and in another in {second} "
                    f"({len(found)}, such as {one_way} and {other_way}): nobody has said whether they are "
                    "the same",
                    of,
                    remedy=f"say that they are the same in all files and releases: --fold {quote(column)}; "
                    f"or in one: {in_one}; or that they are not: "
                    f"[requirements] distinct_spellings = [\"{column}\"]",
                    column=column,
                )
            )  # fmt: skip


def named(value: exp.Expression, name: str) -> exp.Alias:
    """A value under a name."""
    return exp.Alias(this=value, alias=exp.to_identifier(name, quoted=True))


def under_names_of_today(
    con: duckdb.DuckDBPyConnection, work: WorkTables, purpose: str, each: Released
) -> Released:
    """A release under names of today, with values spelled as today. purpose: of the table for it."""
    columns = column_names(con, each.table)
    unlike = [name for name in columns if each.here(name) != name]
    spelled = {
        each.here(name): each.values[each.here(name)] for name in columns if each.here(name) in each.values
    }
    read = replace(
        each,
        qi=[each.here(name) for name in each.qi],
        sensitive=[each.here(name) for name in each.sensitive],
        formats={each.here(name): format for name, format in each.formats.items()},
    )
    if not unlike and not spelled:
        return read
    values: list[exp.Expression] = []
    for name in columns:
        value: exp.Expression = exp.column(name, quoted=True)
        if mapping := spelled.get(each.here(name)):
            value = as_called_today(exp.cast(value, "text"), mapping)
        values.append(named(value, each.here(name)))
    made = work.make(purpose, select(relation(each.table), *values))
    return replace(read, table=render(made))


def as_called_today(label: exp.Expression, ours: Mapping[str, str]) -> exp.Expression:
    """A label of a release with its values as they are called today. ours: these, by what is released."""
    called = exp.Anonymous(this="_label_as_called_today", expressions=[label, literal(dict(ours))])
    return exp.Dot(this=exp.to_identifier("sqlanon"), expression=called)
