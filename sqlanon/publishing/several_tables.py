"""Releases of several tables about the same people: recoded alike, without the people who would be known, and
with keys that join in this release and in no other."""

from __future__ import annotations

import math
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb
from sqlglot import exp

from sqlanon.anonymize.k_m import CutInClasses, cut_in_classes
from sqlanon.anonymize.levels_of_sets import Node, Search
from sqlanon.core.connection import connection_first
from sqlanon.core.errors import InputError, RefusedError, UseError, VerificationError, values_are_shown
from sqlanon.core.files import column_names, copy, enums_as_text, place
from sqlanon.core.library import ensure_registered
from sqlanon.core.models import by_id
from sqlanon.core.source import cleanly, fresh_name
from sqlanon.core.statements import (
    aliased,
    call,
    count,
    drop,
    execute,
    literal,
    named_table,
    relation,
    select,
    union_all,
    value_of,
)
from sqlanon.core.tables import WorkTables, transaction
from sqlanon.judge.several_tables import Joined, JudgedTables, Sources, joined, judged, policy_of, rows_gone
from sqlanon.perturb.masks import Key
from sqlanon.policies.people import PeoplePolicy, TableOfPeople
from sqlanon.policies.schema import bare
from sqlanon.publishing.series import SINCE, Series

PERSON = "_sqlanon_person"
ENDINGS = (".csv", ".parquet")  # of the files of a release
SHOWN = 3  # values in an error, if values are shown


@dataclass(frozen=True)
class TablesRelease:
    """Several tables that can leave, by their names in the policy: each the name of a temporary table.

    levels: of each quasi-identifier, its level and the highest one. people, suppressed: how many people there
    were, and how many are left out. loss: the mean over quasi-identifiers of the share of other values that a
    label leaves possible. text: what was reached, and what is lost, in sentences. holds: None if it is not
    known whether people are protected, because the policy leaves intervals out.
    """

    tables: Mapping[str, str]
    levels: Mapping[str, tuple[int, int]]
    people: int
    suppressed: int
    loss: float
    text: str
    holds: bool | None = True

    def __str__(self) -> str:
        return self.text


def check_folder(folder: Path) -> None:
    """A folder that is not there yet, in one that is. Errors: UseError."""
    if folder.exists():
        raise UseError(f"{folder} exists: name a new folder")
    if not folder.absolute().parent.is_dir():
        raise UseError(f"there is no folder {folder.parent} to make {folder.name} in")


def write_tables(
    con: duckdb.DuckDBPyConnection, rules: PeoplePolicy, release: TablesRelease, folder: Path
) -> list[str]:
    """Write the tables of a release to a new folder; the names of the files. A table whose file is Parquet
    becomes Parquet, others become CSV."""
    folder.mkdir()
    written = []
    for name, made in release.tables.items():
        target = place(str(folder / f"{name}{ending_of(rules.tables[name])}"))
        rows = select(named_table(made))
        text = enums_as_text(con, rows)
        ordered = select(named_table(made), exp.Star(**{"replace": text} if text else {})).order_by("rowid")
        execute(con, copy(ordered, target.path, target, rules.policy.origin))
        written.append(target.path.name)
    return written


def ending_of(each: TableOfPeople) -> str:
    """How the name of the file of a table ends when it leaves."""
    is_parquet = each.file is not None and Path(each.file).suffix.lower() == ENDINGS[1]
    return ENDINGS[1] if is_parquet else ENDINGS[0]


@dataclass(frozen=True)
class _Attribute:
    """Quasi-identifiers of one name, in whatever tables, which are recoded alike. losses: at each level."""

    number: int
    columns: Sequence[str]
    losses: Sequence[float]
    least: int
    most: int

    @property
    def name(self) -> str:
        return self.columns[0]


@connection_first
def anonymize_tables(
    con: duckdb.DuckDBPyConnection,
    policy: str | os.PathLike[str] | PeoplePolicy,
    tables: Sources | None = None,
) -> TablesRelease:
    """Release several tables about the same people, as [tables] of a policy says: all of them, or none.

    policy, tables: as in `check_tables`. Quasi-identifiers of one name are one attribute, which is recoded to
    one level of its hierarchy in all tables. The levels are those that lose least, as far as the search finds
    them: at these, no more people than suppression_limit allows are in classes that fail, and these people
    are left out of all tables. Of a person at most max_rows rows of a table leave, with the rows that belong
    to them. Keys leave as pseudonyms that join the tables of this release and no other one: their secret key
    is drawn for it and kept nowhere. Dates are shifted by whole weeks, sensitive and kept columns leave as
    they are, others not at all, and the order of rows is random. What is finished is judged as by
    `check_tables`.

    The tables are temporary, and stay as long as the connection.

    Errors: RefusedError, where no levels meet what is required, or what leaves unchanged tells people apart;
    InputError, as in `check_tables`.
    """
    ensure_registered(con)
    rules = policy_of(policy)
    if rules.series is not None:
        raise rules.policy.spelling.wrong("series", " is for publish: all nights are judged together")
    with WorkTables(con) as work, transaction(con), joined(con, rules, tables, work) as found:
        making = Making(found, work)
        release = making.release()
        execute(con, drop(named_table(making.verdicts.table)))
        return release


class Making:
    """A release in the making. remaining: the recoded tables of those who are in it, with raw keys.
    secret: the table of a secret by which rows are drawn, where they are to be the same ones in several
    releases. series: that this is a night of."""

    def __init__(
        self, found: Joined, work: WorkTables, secret: str | None = None, series: Series | None = None
    ) -> None:
        self.secret, self.series = secret, series
        self.found, self.work, self.con, self.rules = found, work, found.con, found.policy
        self.remarks = list(found.remarks)
        self.attributes: list[_Attribute] = []
        self.remaining = found
        self.verdicts: JudgedTables
        self.linked: dict[str, str] = {}
        self.items = found.items

    def release(self) -> TablesRelease:
        self.found.classes(self.work)  # are the keys right?
        self._items_of_people()
        self._make_ladder()
        self._link()
        if self.series is not None and self.series.numbers:
            recoded = self._recoded(self._top())
            self.linked = self.series.since(self.work, self.linked, recoded)
            self.found = replace(self.found, since=SINCE)
        [(people,)] = execute(self.con, count(relation(self.linked[self.rules.root.name])))
        most = int(people * self.rules.method.get("suppression_limit", 0) + 1e-9)

        def fails(node: Node) -> int:
            number, _ = self._recoded(node).people_who_fail(self.work, most)
            return number

        search = Search(
            [each.losses[each.least : each.most + 1] for each in self.attributes],
            lambda node: fails(node) <= most,
            seconds=self.rules.method.get("time_limit"),
        )
        if search.best is None:
            raise RefusedError([self._why_not(people, most)])
        levels = {
            each.name: (level + each.least, len(each.losses) - 1)
            for each, level in zip(self.attributes, search.best, strict=True)
        }
        loss = search.loss(search.best)
        self._tell_of_search(search, levels, loss)
        recoded = self._recoded(search.best)
        if self.items:
            recoded = self._with_items(recoded, most)
        suppressed, of_people = recoded.people_who_fail(self.work, most)
        if suppressed > most:
            raise RefusedError(
                [f"{suppressed:,} of {people:,} people are in classes that fail for who knows up to "
                 f"{self.rules.m} of their items, and {most:,} may be left out (suppression_limit)"]
            )  # fmt: skip
        if suppressed == people:
            raise RefusedError(["everybody would be left out: no suppression_limit helps"])
        if suppressed:
            self.remarks.append(f"{suppressed:,} of {people:,} people are left out, with all their rows")
        self.remaining = self._without(recoded, of_people)
        written = self._write()
        self.verdicts = self._verify(written)
        for name in written.values():
            self.work.keep(named_table(name))
        self.remarks.append(self.verdicts.text)
        text = "\n".join(self.remarks)
        return TablesRelease(written, levels, people, suppressed, loss, text, self.verdicts.holds)

    def _top(self) -> Node:
        return tuple(each.most - each.least for each in self.attributes)

    def _why_not(self, people: int, most: int) -> str:
        """Why no levels do, and what would help: each suppression_limit that is named has been tried."""
        fail, _ = self._recoded(self._top()).people_who_fail(self.work, people)
        limit = math.ceil(1000 * fail / people) / 1000
        way = "no suppression_limit helps"
        if fail < people:
            way = f"suppression_limit = {limit} leaves these out"
        return (
            f"no levels meet what is required: at the highest ones {fail:,} of {people:,} people are in "
            f"classes that fail, and {most:,} may be left out: {way}. What counts at all levels "
            "is how many rows people have (max_rows bounds it), and the intervals between dates"
            + ("; and who was alike in the releases that are out" if self.found.earlier else "")
        )

    def _tell_of_search(self, search: Search, levels: Mapping[str, tuple[int, int]], loss: float) -> None:
        said = ", ".join(f"{name} {level} of {top}" for name, (level, top) in levels.items())
        # where a class that fails can make a larger one fail, levels above one that holds need not hold
        ends = all(by_id()[id].merged_if in ("", "one") for id in self.rules.requirements)
        best = "none of which loses less" if search.is_best and ends else "the others may lose less"
        self.remarks.append(
            f"levels: {said}; information loss {loss:.1%}. {search.looked} of {search.size:,} "
            f"combinations were looked at, {best}"
        )

    # Items of people

    def _items_of_people(self) -> None:
        """Tables of items as sets of the person's, whatever row they belong to."""
        if not self.items:
            return
        self.work.make("items_of_people", self.found.held_items(self.work))
        names = dict(self.found.names)
        self.rules = self.rules.as_released()
        for nth, column in enumerate(self.items):
            name, _, item = column.partition(".")
            held = self.work.name(f"held_{nth}")
            made = select(relation(held), aliased("person", self.rules.root.own), aliased("q1", item))
            made = made.where("not q1 is null").distinct()
            [(lacking,)] = execute(self.con, count(relation(held)).where("q1 is null"))
            if lacking:
                self.remarks.append(
                    f"{name}: {lacking:,} people have rows without {item}, which do not leave"
                )
            names[name] = self.work.make(f"set_{name}", made).name
        self.found = replace(self.found, policy=self.rules, names=names, with_items=False)

    def _with_items(self, recoded: Joined, most: int) -> Joined:
        """The recoded tables with items as they leave: generalized, and without those that tell too much."""
        _, failing = recoded.people_who_fail(self.work, most)
        staying = select(relation(self.work.name("classes"))).where(
            exp.not_(exp.column("person").isin(query=select(failing, "person")))
        )
        classes = self.work.make("classes_of_items", staying).name
        ladders = []
        for nth, column in enumerate(self.items):
            values = self._values([column])
            made = self.work.make(f"of_items_{nth}", select(self._entries([column], values)))
            [(top,)] = execute(self.con, select(made, "coalesce(max(level), 0)"))
            self._check_levels(select(made), column, top)
            ladders.append(call("_numbered_ladder", made.name, str(nth)))
        ladder = self.work.make("ladder_of_items", union_all(ladders)).name
        chosen = cut_in_classes(
            self.con, self.work, self.work.name("items_of_people"), classes, ladder,
            self.rules.requirements["k"], self.rules.m,
        )  # fmt: skip
        names = dict(recoded.names)
        for nth, column in enumerate(self.items):
            name, _, item = column.partition(".")
            rows = call("_rows_of_items", chosen.left, chosen.cut, str(nth), self.rules.root.own, item)
            names[name] = self.work.make(f"recoded_{name}", rows).name
        self._tell_of_items(chosen)
        return replace(recoded, names=names, with_items=True)

    def _tell_of_items(self, of: CutInClasses) -> None:
        query = call("_told_of_items", of.items, of.left, of.cut, of.lost)
        for nth, every, raised, hidden, loss in execute(self.con, query):
            unweighed = " (the search for levels did not weigh items)" if hidden else ""
            self.remarks.append(
                f"{self.items[int(nth)]}: of {every:,} items of people {raised:,} leave generalized, and "
                f"{hidden:,} do not leave, because too few people of their class have them; information loss "
                f"{loss:.1%}{unweighed}"
            )

    # What is recoded

    def _make_ladder(self) -> None:
        """The work table `ladder`: attribute (a number), value, level, label; and the attributes."""
        by_name: dict[str, list[str]] = {}
        method = self.rules.method
        for column in self.rules.columns("qi"):
            by_name.setdefault(column.partition(".")[2].lower(), []).append(column)
        ladders = []
        for number, columns in enumerate(by_name.values(), 1):
            values = self._values(columns)
            entries = self._entries(columns, values)
            of = aliased(literal(number), "attribute")
            numbered = select(entries, of, "value", "level", "label")
            ladders.append(select(self.work.make(f"ladder_{number}", numbered)))
            query = call("_loss_of_levels", self.work.name(f"ladder_{number}"), values, columns[0])
            by_level = execute(self.con, select(query.subquery(), "level", "loss"))
            losses = [loss for _, loss in sorted(by_level)] or [0.0]  # of tables without rows
            top = len(losses) - 1
            self._check_levels(numbered, columns[0], top)
            least, most = (
                next((given[each] for each in columns if each in given), unsaid)
                for given, unsaid in ((method.get("min_levels", {}), 0), (method.get("max_levels", {}), top))
            )
            if self.series is not None and self.series.levels:
                least = most = self._level_of_series(columns[0], top)
            if not by_level:  # no rows, which any levels suit
                least = most = top
            if not least <= most <= top:
                raise InputError(f"method: the levels of {columns[0]} go from 0 to {top}")
            self.attributes.append(_Attribute(number, columns, losses, least, most))
        self.work.make("ladder", union_all(ladders))

    def _check_levels(self, entries: exp.Select, column: str, top: int) -> None:
        """Errors: InputError for a value that has not a label at each level."""
        levels = select(entries.subquery(), "value").group_by("value").having(f"count(*) <> {top + 1}")
        if execute(self.con, count(levels.subquery())) != [(0,)]:
            at = f"hierarchies.{bare(column)}"
            raise InputError(f"{at}: every value needs a label at each of the levels 0 to {top}")

    def _level_of_series(self, column: str, top: int) -> int:
        """The level of all nights. Errors: InputError for a hierarchy of another height."""
        assert self.series is not None
        level, highest = self.series.levels[column]
        if highest != top:
            raise InputError(f"hierarchies.{bare(column)} has other levels than in the first night")
        return level

    def _values(self, columns: Sequence[str]) -> str:
        """A work table of the values of an attribute, in a column with the name of its first column."""
        parts = [each.partition(".") for each in columns]
        every = [
            select(relation(self.found.names[name]), aliased(column, columns[0])) for name, _, column in parts
        ]
        return self.work.make("values_of", union_all(every)).name

    def _entries(self, columns: Sequence[str], values: str) -> exp.Expression:
        """The hierarchy of an attribute; of one that has none: the value, and *. Errors: InputError where
        values are missing in it, or columns have different ones."""
        made_of = {column: self.rules.policy.hierarchies.get(column) for column in columns}
        said = [each for each in made_of.values() if each is not None]
        if any(each != said[0] for each in said):
            raise InputError(
                f"hierarchies: {' and '.join(columns)} are one attribute, and have one hierarchy"
            )
        if not said:
            return call("flat_hierarchy", values, columns[0]).subquery()
        policy = replace(
            self.rules.policy, hierarchies={columns[0]: said[0]},
            roles={**self.rules.policy.roles, "qi": [columns[0]]},
        )  # fmt: skip
        made = policy.make_hierarchies(self.con, values, None, self.work)
        lacking = call("lacking_values", values, [columns[0]], made)
        [(number,)] = execute(self.con, count(lacking.subquery()))
        if number:
            first = select(lacking.subquery(), "value").order_by("value").limit(SHOWN)
            examples = ", ".join(f'"{value}"' for (value,) in execute(self.con, first))
            such = f", such as {examples}" if values_are_shown() else ""
            raise InputError(
                f"hierarchies.{bare(columns[0])} lacks values of the tables: {number:,}{such}. Add them, or "
                "say input.complete_hierarchies = true, so that they become the label at its top"
            )
        return relation(str(made))

    def _link(self) -> None:
        """The rows of all tables with their person and labels, as many as may leave."""
        for name, each in self._tables_with_levels().items():
            columns = each.roles.get("qi", [])
            numbers = [self._attribute_of(f"{name}.{column}").number for column in columns]
            above = None if each.parent is None else self.linked[each.parent]
            query = call(
                "_rows_with_labels", self.found.names[name], each.own, above, each.key, [*columns], numbers,
                self.work.name("ladder"),
            )  # fmt: skip
            made = self.work.make(f"linked_{name}", query)
            if each.max_rows is not None:
                columns = column_names(self.con, self.found.names[name])
                cut = call("_at_most_rows", made.name, columns, each.max_rows, self.secret)
                made = self.work.make(f"cut_{name}", cut)
            self.linked[name] = made.name
            if gone := rows_gone(self.con, self.found.names[name], made.name):
                at_most = "" if each.max_rows is None else f" (at most {each.max_rows} of a person leave)"
                self.remarks.append(f"{name}: {gone} are cut{at_most}")

    def _tables_with_levels(self) -> dict[str, TableOfPeople]:
        return {name: each for name, each in self.rules.tables.items() if not each.items}

    def _attribute_of(self, column: str) -> _Attribute:
        return next(each for each in self.attributes if column in each.columns)

    def _recoded(self, node: Node) -> Joined:
        """The tables with their columns at these levels, as views."""
        names = dict(self.found.names)
        for name, each in self._tables_with_levels().items():
            labels: list[exp.Expr] = []
            for i, column in enumerate(each.roles.get("qi", []), 1):
                attribute = self._attribute_of(f"{name}.{column}")
                level = node[attribute.number - 1] + attribute.least
                if level:
                    labels_of = exp.column(f"_sqlanon_labels{i}")
                    labels.append(aliased(exp.func("list_extract", labels_of, literal(level + 1)), column))
            star = exp.Star(replace=labels) if labels else exp.Star()
            names[name] = self.work.make(f"recoded_{name}", select(relation(self.linked[name]), star)).name
        return replace(self.found, names=names, remarks=())

    # What leaves

    def _without(self, recoded: Joined, suppressed: exp.Table) -> Joined:
        """The recoded tables without the people who are left out."""
        left_out = self.work.make("left_out", call("_rows_with_reading", suppressed.name, "person"))
        stays = exp.not_(exp.column(PERSON).isin(query=select(left_out, "_sqlanon_reading")))
        names = {
            name: self.work.make(f"remaining_{name}", select(relation(of)).where(stays.copy())).name
            for name, of in recoded.names.items()
        }
        return replace(recoded, names=names)

    def _write(self) -> dict[str, str]:
        """The tables as they leave, by name."""
        written = {}
        with _secret(self.con, None if self.series is None else self.series.key) as key:
            for name, each in self.rules.tables.items():
                remaining = relation(self.remaining.names[name])
                rows = self.work.make("leaving", select(remaining, *self._columns_leaving(each, key))).name
                ordered = call("_in_random_order", rows, column_names(self.con, rows), None)
                written[name] = self.work.make(f"released_{name}", ordered).name
        for name, columns in self.found.not_released().items():
            self.remarks.append(f"not released, {name}: {', '.join(columns)}")
        return written

    def _columns_leaving(self, each: TableOfPeople, key: str) -> Iterator[exp.Expression]:
        """The columns of a table as they leave: keys, quasi-identifiers, dates, and what stays as it is."""
        for column in self.rules.keys_of(each):
            of = exp.column(column, quoted=True)
            yield aliased(value_of("pseudonym", of, release=self._domain(each, column), key=key), column)
        for column in each.of("dates"):
            of, person = exp.column(column, quoted=True), exp.column(PERSON)
            yield aliased(value_of("shift_dates", of, person, "dates", key=key, whole_weeks=True), column)
        for column in each.of("qi", "items", "sensitive", "keep"):
            yield exp.column(column, quoted=True)

    def _domain(self, each: TableOfPeople, column: str) -> str:
        """What a key is of: it joins its equals, and differs from the same number of something else."""
        while each.parent is not None and column.lower() == each.own.lower():
            column = each.key or column
            each = self.rules.tables[each.parent]
        return f"{each.name}.{column}".lower()

    def _verify(self, written: Mapping[str, str]) -> JudgedTables:
        """The verdicts on the tables as they leave. Errors: VerificationError where rows refer to none;
        RefusedError where something that is required does not hold."""
        for name, each in self.rules.tables.items():
            if each.parent is not None:
                query = call("_rows_without_partner", written[name], each.own, written[each.parent], each.key)
                if execute(self.con, count(query.subquery())) != [(0,)]:
                    raise VerificationError(f"rows of {name} would refer to no row of {each.parent}")
        verdicts = judged(Joined(self.con, self.rules, written, released=True), self.work)
        if verdicts.holds is False:
            execute(self.con, drop(named_table(verdicts.table)))
            raise RefusedError(verdicts.text.splitlines(), remarks=self.remarks)
        return verdicts


@contextmanager
def _secret(con: duckdb.DuckDBPyConnection, given: Key | None) -> Iterator[str]:
    """The name of a variable of the session with a secret key: a given one, or one that nobody keeps."""
    name = fresh_name("key")
    secret = secrets.token_bytes(32) if given is None else given.secret
    execute(con, f"set variable {name} = ?", [secret])
    try:
        yield name
    finally:
        cleanly(lambda: execute(con, f"reset variable {name}"))
