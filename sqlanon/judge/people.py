"""Everybody whom the judge looks for, located in all releases at once, for all attacks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.attack.located import Located
from sqlanon.core.files import column_names
from sqlanon.core.source import fresh_name, lower
from sqlanon.core.statements import call, count, execute, literal, relation, render, select, table
from sqlanon.core.tables import WorkTables
from sqlanon.judge.evidence import LACKING, Doubt, Evidence, Kept, Leaver, Released, Subjects, named
from sqlanon.judge.movers import Movers, Night, frame

FREQUENT = 10  # people who have a word of today, for a message to say it


@dataclass(frozen=True)
class OneSided:
    """Words of a column that are in a release of ours, and nobody has them today (gone), and words of today
    that no label of it covers (fresh). rows, people: that have them. respelled: pairs that differ by case,
    blanks or accents alone; frequent: some of fresh, as many people have each that it names nobody."""

    release: str
    column: str
    gone: Sequence[str]
    rows: int
    frequent: Sequence[str]
    people: int
    respelled: Sequence[Mapping[str, str]]

    def pairs(self) -> list[tuple[str, str]]:
        """Words of before with those of today that may mean the same, for somebody to confirm."""
        respelled = [(pair["before"], pair["today"]) for pair in self.respelled]
        return [*dict.fromkeys([*respelled, *self.perhaps_the_same()])]

    def perhaps_the_same(self) -> list[tuple[str, str]]:
        """Words of before, each with the only one of today that begins with it or that it begins with: w and
        weiblich. A guess, for somebody to confirm."""
        pairs = []
        for gone in self.gone:
            alike = [
                today
                for today in self.frequent
                if today.lower().startswith(gone.lower()) or gone.lower().startswith(today.lower())
            ]
            if gone and len(alike) == 1 and alike[0]:
                pairs.append((gone, alike[0]))
        return pairs if len({today for _, today in pairs}) == len(pairs) else []


class Everybody(Located):
    """The people in all releases. remarks: what there was to say. leavers: those who are attacked, too.
    newest: a release that is made of today's table, so that there is no telling how words are written in it.
    kept: what a register keeps about people: those of them who had other quasi-identifiers when a release
    went out are located there by these.

    id: the column of the table that numbers them. releases: with all quasi-identifiers, and without rows that
    are about nobody of the table. qi: with the column history, if there is one: it tells people apart who
    were elsewhere on other nights, and is * in each release; own_qi: without it. doubts: what is not known of
    movers.
    """

    def __init__(
        self, con: duckdb.DuckDBPyConnection, work: WorkTables, evidence: Evidence, remarks: list[str],
        leavers: Sequence[Leaver] = (), newest: str | None = None, kept: Kept | None = None,
    ) -> None:  # fmt: skip
        self.con, self.work = con, work
        self.evidence, self.remarks, self.kept = evidence, remarks, kept
        self.doubts: list[Doubt] = []
        self.sensitive, self.hierarchies = evidence.sensitive, evidence.subjects.hierarchies
        self.own_qi = evidence.qi
        self.releases = list(evidence.releases)
        self.id = fresh_name("person")
        number = named(exp.Window(this=exp.RowNumber()), self.id)
        values: list[exp.Expression] = [self._value(name) for name in self._columns()]
        made = work.make("everybody", select(self._source(), number, *values))
        self.table = made.name
        [(self.present,)] = execute(con, count(made))
        nights: list[Night] = []
        self._there: dict[str, str] = {}
        self.since: str | None = None
        self.left: Mapping[str, int] = {}
        self.kept_rows: Mapping[str, tuple[int, int]] = {}
        if kept is not None:
            movers = Movers(con, work, evidence.subjects, kept, self.table, self.id)
            earlier = [each for each in self.releases if each.name != newest]
            movers.compare(earlier, self._are_rows_apart, is_last_of_today=newest is None)
            self.doubts += movers.doubts
            self.remarks += movers.remarks
            leavers, nights = [*leavers, *movers.leavers], movers.nights
            self._there, self.left, self.kept_rows = movers.there, movers.left, movers.kept_rows
            if movers.since is not None:
                self.since = movers.since
                self._there |= {} if newest is None else {newest: movers.since}
        self.leavers = self._with_leavers(leavers)
        if self.leavers and self.hierarchies is not None:
            self.hierarchies = self._hierarchies_of_then(self.hierarchies)
        nights = [*nights, *self._nights_of_leavers(leavers)]
        self.history = fresh_name("history") if nights else None
        self.qi = [*self.own_qi, self.history] if self.history else self.own_qi
        self.places = self._with_histories(nights) if nights else self.table
        located = call("_located_in_all", *self._arguments(self.releases))
        super().__init__(con, work, [each.name for each in self.releases], located)
        self._gone: dict[str, int] = {}  # rows that are left out, by release
        self.one_sided: list[OneSided] = []
        self._leave_out_the_gone(newest)

    @property
    def _are_rows_apart(self) -> bool:
        """Is no row in two releases of ours, and is there no column either by which rows are joined?"""
        changing = lower(self.evidence.subjects.values_may_change)
        joining = lower(self.evidence.unchanged) - changing
        return self.evidence.subjects.are_rows_new and not joining and not self.evidence.pairs

    def _columns(self) -> list[str]:
        """The columns of the people that attacks read."""
        subjects = self.evidence.subjects
        unit = [] if subjects.unit is None else [subjects.unit]
        have = lower(self.evidence.columns)
        kept = [] if self.kept is None else self.kept.columns
        columns = [*self.own_qi, *self.sensitive, *unit, *subjects.identity, *kept]
        return list({name.lower(): name for name in columns if name.lower() in have}.values())

    def _source(self) -> exp.Expression:
        """Their table, in which somebody with a unit is written in one way."""
        subjects = self.evidence.subjects
        if subjects.unit is None:
            return relation(subjects.table)
        distinct = list(subjects.distinct_spellings)
        return call("_with_one_spelling", subjects.table, [subjects.unit], distinct).subquery()

    def _value(self, name: str) -> exp.Expression:
        """A column of the people; the unit as text."""
        column = exp.column(name, quoted=True)
        is_unit = name.lower() == (self.evidence.subjects.unit or "").lower()
        return named(exp.cast(column, "text"), name) if is_unit else column

    def _with_leavers(self, leavers: Sequence[Leaver]) -> dict[str, list[int]]:
        """Add those who have left, of whom quasi-identifiers are known: by release, their numbers."""
        found: dict[str, list[int]] = {}
        for number, leaver in enumerate(leavers, self.present + 1):
            for name in leaver.releases:
                found.setdefault(name, []).append(number)
        if not leavers:
            return found
        numbers = range(self.present + 1, self.present + 1 + len(leavers))
        cells = self._cells("leavers", [*numbers], [leaver.values for leaver in leavers],
                            who=[leaver.who for leaver in leavers],
                            whose=[leaver.person or 0 for leaver in leavers])  # fmt: skip
        values = {self.id: exp.column("person"), **{name: self._typed(name) for name in self.own_qi}}
        if (unit := self.evidence.subjects.unit) is not None:
            of_whom = select(table(self.table), exp.column(unit, quoted=True)).where(
                exp.column(self.id, quoted=True).eq(exp.column("whose"))
            )
            values[unit] = exp.Coalesce(this=of_whom.subquery(), expressions=[exp.column("who")])
        columns = [exp.to_identifier(name, quoted=True) for name in values]
        execute(self.con, exp.insert(select(cells, *values.values()), table(self.table), columns=columns))
        if left := len({leaver.who for leaver in leavers if leaver.person is None}):
            lacks = any(doubt.id == LACKING for doubt in self.evidence.doubts)
            who = "of earlier releases, who may have left," if lacks else "who have left"
            self.remarks.append(f"{left:,} people {who} are asked about, too")
        if rows := sum(leaver.person is not None for leaver in leavers):
            self.remarks.append(
                f"{rows:,} earlier rows of people who are still in the table are asked about, too"
            )
        places = [(name, number) for name, theirs in found.items() for number in theirs]
        recorded: dict[str, Sequence[Any]] = {
            "release": [name for name, _ in places], "person": [number for _, number in places]
        }  # fmt: skip
        self._recorded = frame(self.con, self.work, "recorded", {"release"}, recorded)
        return found

    def _hierarchies_of_then(self, today: str) -> str:
        """Today's hierarchies, with the values of those who have left: today's are made of today's values."""
        earlier = {
            each.hierarchies: lower(each.is_as_today) for each in self.releases
            if each.hierarchies is not None and each.name in self.leavers
        }  # fmt: skip
        if not earlier:
            return today
        columns = [sorted(each) for each in earlier.values()]
        every = call("_hierarchies_with_earlier", today, [*earlier], columns)
        return self.work.make("hierarchies_of_then", every).name

    def _nights_of_leavers(self, leavers: Sequence[Leaver]) -> list[Night]:
        """Where those were who moved before they left."""
        return [
            Night(number, release, cells)
            for number, leaver in enumerate(leavers, self.present + 1)
            for release, cells in leaver.nights.items()
            if cells != leaver.values
        ]

    @cached_property
    def _types(self) -> dict[str, str]:
        """The types of the quasi-identifiers of today."""
        cells = [
            exp.Anonymous(this="typeof", expressions=[exp.column(name, quoted=True)]) for name in self.own_qi
        ]
        rows = execute(self.con, select(table(self.table), *cells).limit(1))
        return dict(zip(self.own_qi, rows[0], strict=True)) if rows else dict.fromkeys(self.own_qi, "VARCHAR")

    def _typed(self, name: str) -> exp.Expression:
        """A kept cell as of the column's type."""
        type_ = self._types[name]
        text = exp.column(f"c{self.own_qi.index(name)}")
        return text if type_ == "VARCHAR" or type_.startswith("ENUM") else exp.TryCast(
            this=text, to=exp.DataType.build(type_, dialect="duckdb")
        )  # fmt: skip

    def _cells(
        self, purpose: str, numbers: Sequence[int], rows: Sequence[Mapping[str, str | None]],
        **others: Sequence[Any],
    ) -> exp.Table:  # fmt: skip
        """A table of cells that were kept, as texts: person, c0, c1, ... (as own_qi), g0, g1, ... (are they
        known?). What today's column cannot hold is a doubt."""
        by_name = [{name.lower(): cell for name, cell in row.items()} for row in rows]
        columns: dict[str, Sequence[Any]] = {"person": numbers, **others}
        for i, name in enumerate(self.own_qi):
            columns[f"c{i}"] = [row.get(name.lower()) for row in by_name]
            columns[f"g{i}"] = [name.lower() in row for row in by_name]
        texts = {f"c{i}" for i in range(len(self.own_qi))}
        made = frame(self.con, self.work, f"cells_of_{purpose}", texts, columns)
        unread = [
            exp.And(
                this=exp.column(f"c{i}").is_(exp.null()).not_(), expression=self._typed(name).is_(exp.null())
            )
            for i, name in enumerate(self.own_qi)
        ]
        [(people,)] = execute(self.con, count(made).where(exp.or_(*unread)))
        if people:
            self.doubts.append(
                Doubt(
                    "moved",
                    f"what was kept of {people:,} people cannot be read as the columns are written today: "
                    "they are looked for by what can be", people=people,
                    remedy="write the columns as before, or say which words are the same (publish --words "
                    "COLUMN:THEN=TODAY)",
                )
            )  # fmt: skip
        return made

    def _with_histories(self, nights: Sequence[Night]) -> str:
        """Distinguish people who were elsewhere on other nights, in every release, which covers them all; a
        table of everybody's places, on all nights."""
        assert self.history is not None
        by_person: dict[int, dict[str, Mapping[str, str | None]]] = {}
        for night in nights:
            by_person.setdefault(night.person, {})[night.release] = night.cells
        numbers: dict[tuple[Any, ...], str] = {}
        numbered = {
            person: numbers.setdefault(
                tuple(sorted((name, tuple(cells.items())) for name, cells in theirs.items())),
                str(len(numbers)),
            )
            for person, theirs in by_person.items()
        }
        names = [each.name for each in self.releases]
        cells = self._cells(
            "nights", [night.person for night in nights], [night.cells for night in nights],
            release=[names.index(night.release) + 1 for night in nights],
            history=[numbered[night.person] for night in nights],
        )  # fmt: skip
        whose = exp.column(self.id, quoted=True).eq(exp.column("person"))
        history = named(exp.column("history"), self.history)
        known = select(cells, "person", "history").distinct().subquery("known")
        everything = exp.Column(this=exp.Star(), table=exp.to_identifier("everybody"))
        everybody = select(aliased(self.table, "everybody"), everything, history)
        people = self.work.make("everybody_by_nights", everybody.join(known, on=whose, join_type="left"))
        then = [
            named(
                exp.If(this=exp.column(f"g{i}"), true=self._typed(name), false=exp.column(name, quoted=True)),
                name,
            )
            for i, name in enumerate(self.own_qi)
        ]
        at_night = select(cells, "person", "release", *then, history).join(table(self.table), on=whose)
        self._nights = self.work.make("nights", at_night)
        self.table = people.name
        columns = [exp.column(name, quoted=True) for name in [*self.own_qi, self.history]]
        here = select(people, *(column.copy() for column in columns))
        elsewhere = exp.except_(select(self._nights, *columns), here.copy())
        self._elsewhere = self.work.make("elsewhere", elsewhere)
        anything = named(exp.Literal.string("*"), self.history)
        self.releases = [
            replace(
                each,
                table=render(
                    self.work.make(f"by_nights_{i}", select(relation(each.table), "*", anything.copy()))
                ),
            )
            for i, each in enumerate(self.releases, 1)
        ]
        places = exp.union(here, select(self._elsewhere), distinct=False)
        return self.work.make("places", places).name

    @cached_property
    def located(self) -> str:
        """The table that says where everybody is, as in _located_in_all: movers by their cells of each
        night."""
        made = self._chain.table("located")
        if self.history is None:
            return made
        combinations = self._chain.table("combination")
        by_nights = call(
            "_located_by_nights", made, combinations, self._nights.name, self._elsewhere.name, self.qi
        )
        return self.work.make("located_by_nights", by_nights).name

    def as_of(self, release: str, targets: str, purpose: str) -> str | None:
        """Targets with the quasi-identifiers that they had when a release went out, if these were others."""
        if self.history is None:
            return None
        names = [each.name for each in self.releases]
        then = (
            select(self._nights).where(exp.column("release").eq(names.index(release) + 1)).subquery("night")
        )
        if execute(self.con, then.this.copy().limit(1)) == []:
            return None
        cells = [
            named(
                exp.If(
                    this=exp.column("release", table="night").is_(exp.null()),
                    true=exp.column(name, table="target", quoted=True),
                    false=exp.column(name, table="night", quoted=True),
                ),
                name,
            )
            for name in self.own_qi
        ]
        everything = exp.Column(this=exp.Star(replace=cells), table=exp.to_identifier("target"))
        whose = exp.column(self.id, table="target", quoted=True).eq(exp.column("person", table="night"))
        query = select(aliased(targets, "target"), everything).join(then, on=whose, join_type="left")
        return self.work.make(purpose, query).name

    def is_in(self, name: str, as_recorded: bool = False) -> exp.Expression:
        """Who may be in a release: today's people by their values, and those of whom that is recorded.
        as_recorded: nobody of today of whom it is recorded that they were not attacked for it. (Which row
        came in which night is known to whoever knows when somebody came: fewer rows could be one's own.)"""
        person = exp.column(self.id, quoted=True)
        here: exp.Expression = exp.In(this=person.copy(), query=self.possibly_present(name).subquery())
        if (as_recorded or self.since is not None) and name in self._there:
            there = exp.In(this=person.copy(), query=select(table(self._there[name]), "id").subquery())
            here = exp.And(this=here, expression=there)
        if not self.leavers:
            return here
        of_release = select(self._recorded, "person").where(exp.column("release").eq(literal(name)))
        there = exp.In(this=person.copy(), query=of_release.subquery())
        is_today = exp.LTE(this=person.copy(), expression=literal(self.present))
        return exp.Or(this=exp.And(this=is_today, expression=here), expression=there)

    def identities(self, people: Sequence[str]) -> dict[str, str]:
        """What tells who some people are, by their numbers or units."""
        wanted = set(people)
        return {who: text for who, text in self._identities.items() if who in wanted}

    @cached_property
    def _identities(self) -> dict[str, str]:
        """By the unit, or the numbers of people."""
        subjects = self.evidence.subjects
        identity = who_is(self.con, subjects, self.table)
        number = exp.cast(exp.column(self.id, quoted=True), "text")
        who = number if subjects.unit is None else identity.copy()
        rows = execute(self.con, select(table(self.table), who, identity).distinct())
        return {who: text for who, text in rows if text is not None}

    def _arguments(self, releases: Sequence[Released]) -> list[Any]:
        nearest = [each.nearest for each in releases]
        tables = [each.table for each in releases]
        return [tables, self.places, self.qi, self.hierarchies, nearest, formats_of(releases) or None]

    def _leave_out_the_gone(self, newest: str | None) -> None:
        """Leave out rows of values that nobody of the table has any more.

        Where a release is recoded as today, or by hierarchies that are known, a label that covers somebody's
        value is understood. One that nobody understands covers nobody. Elsewhere it could mean anybody.
        """
        known = [
            {name.lower() for name in self.qi} if each.hierarchies is not None else lower(each.is_as_today)
            for each in self.releases
        ]
        if not any(columns and not each.nearest for columns, each in zip(known, self.releases, strict=True)):
            return
        ours = {
            number for number, each in enumerate(self.releases, 1)
            if not each.is_foreign and not each.nearest and each.name != newest
        }  # fmt: skip
        if ours:
            self.one_sided = list(self._one_sided(known, ours))
        of_nobody = select(call("_unread_in_all", self._chain.table("label_read"), self.qi).subquery())
        of_nobody = of_nobody.select("release", "attribute", "label", append=False).where(
            "starts_with(why, sqlanon._nobodys_value())"
        )
        gone: dict[int, list[tuple[str, str]]] = {}
        for number, attribute, label in execute(self.con, of_nobody):
            if attribute.lower() in known[number - 1]:
                gone.setdefault(number, []).append((attribute, label))
        left = [
            self._without(number, each, gone[number]) if number in gone else each
            for number, each in enumerate(self.releases, 1)
        ]
        if left != self.releases:
            self.releases = left
            # what labels cover stays as it is
            again = render(call("_located_in_all", *self._arguments(left)))
            self._chain = self._chain.again(again, ["cell"], kept=["column", "label"])

    def _one_sided(self, known: Sequence[set[str]], ours: set[int]) -> Iterator[OneSided]:
        """Words that some releases of ours have, or the people of today, and not both."""
        is_today = exp.LTE(this=exp.column(self.id, quoted=True), expression=literal(self.present))
        today = self.work.make("today", select(table(self.table)).where(is_today))
        made = map(self._chain.table, ("label", "label_read", "domain"))
        found = call("_one_sided_words", *made, today.name, self.qi)
        for number, column, gone, labels, fresh, respelled in execute(self.con, found):
            each = self.releases[number - 1]
            if number not in ours or column.lower() not in known[number - 1]:
                continue
            cell = exp.cast(exp.column(column, quoted=True), "text")
            named_so = exp.In(this=cell, expressions=[*map(literal, labels)])
            [(rows,)] = execute(self.con, count(relation(each.table)).where(named_so))
            have = exp.In(this=cell.copy(), expressions=[*map(literal, fresh)])
            people = execute(
                self.con,
                select(today, cell.copy(), exp.Count(this=exp.Star())).where(have).group_by(cell.copy()),
            )
            by_number = sorted(people, key=lambda one: (-one[1], one[0]))
            yield OneSided(
                each.name, column, gone, rows, [value for value, n in by_number if n >= FREQUENT],
                sum(n for _, n in people), respelled,
            )  # fmt: skip

    def of_today(self, release: str) -> exp.Table:
        """The people of today; if it is known who was attacked for a release, those of them alone."""
        number = exp.column(self.id, quoted=True)
        people = select(table(self.table)).where(exp.LTE(this=number, expression=literal(self.present)))
        if release in self._there:
            ids = select(table(self._there[release]), "id")
            people = people.where(exp.In(this=number.copy(), query=ids.subquery()))
        return self.work.make("of_today", people)

    def _without(self, number: int, each: Released, gone: Iterable[tuple[str, str]]) -> Released:
        """The release without the rows that have one of some labels, unless these are all."""
        cells = [(exp.cast(exp.column(name, quoted=True), "text"), label) for name, label in gone]
        is_gone = exp.or_(*(cell.eq(label) for cell, label in cells))
        rest = select(relation(each.table)).where(
            exp.Coalesce(this=exp.paren(is_gone), expressions=[exp.false()]).not_()
        )
        made = self.work.make(f"without_the_gone_{number}", rest)
        [(rows,)] = execute(self.con, count(relation(each.table)))
        [(left,)] = execute(self.con, count(made))
        if not left:
            return each
        self._gone[each.name] = rows - left
        if each.is_foreign:
            self.remarks.append(
                f"{each.name}: {rows - left:,} rows have values that nobody of the table has any more"
            )
        return replace(each, table=render(made))

    def shared_with(self, each: Released) -> list[str]:
        """The sensitive columns of a release that the people have, too."""
        have = lower(self.evidence.columns)
        return [name for name in self.sensitive if name.lower() in have and has(self.con, each, [name])]

    def known_of(self, each: Released) -> list[str]:
        """The sensitive columns that people share with a release, and whose values stay: by these they are
        known in it."""
        changing = lower(self.evidence.subjects.values_may_change)
        return [name for name in self.shared_with(each) if name.lower() not in changing]

    @cached_property
    def _places(self) -> Mapping[str, tuple[exp.Table, int]]:
        """Of each release where it stands who could have its rows, and its number there: release, person.

        Releases whose people are known by the same sensitive columns are in one table, as in _people_by_row;
        those that share no sensitive column with the people in one of _located_people.
        """
        groups: dict[tuple[bool, tuple[str, ...]], list[Released]] = {}
        for each in self.releases:
            key = bool(self.shared_with(each)), tuple(self.known_of(each))
            groups.setdefault(key, []).append(each)
        made: dict[str, tuple[exp.Table, int]] = {}
        for i, ((by_row, columns), releases) in enumerate(groups.items()):
            query = self._people_by_row(columns, releases) if by_row else self._located_people(releases)
            place = self.work.make(f"people_by_row_{i}", query)
            made |= {each.name: (place, number) for number, each in enumerate(releases, 1)}
        return made

    def _people_by_row(self, sensitive: Sequence[str], releases: Sequence[Released]) -> exp.Select:
        located, combinations = self.located_in([each.name for each in releases])
        return call(
            "_people_by_row", [each.table for each in releases], located, combinations, self.table,
            self.id, self.qi, list(sensitive), formats_of(releases) or None,
        )  # fmt: skip

    def _located_people(self, releases: Sequence[Released]) -> exp.Select:
        located, combinations = self.located_in([each.name for each in releases])
        return call("_located_people", located, combinations, self.table, self.id, self.qi)

    def possibly_present(self, name: str) -> exp.Select:
        """The people who may be in a release, by their own values: the column of their numbers."""
        place, number = self._places[name]
        found = select(place, "person").where(exp.column("release").eq(number))
        return found.where(exp.not_(exp.column("person").is_(exp.null())))

    def rows_of(self, each: Released) -> int:
        """How many rows a release has, with those that are left out here."""
        [(rows,)] = execute(self.con, count(relation(each.table)))
        return int(rows) + self._gone.get(each.name, 0)

    def rows_of_nobody(self, each: Released) -> int:
        """How many rows of a release are about nobody whom attacks look for: they are about others."""
        gone = self._gone.get(each.name, 0)
        if not self.shared_with(each):
            return gone  # nobody knows whose row is whose
        place, number = self._places[each.name]
        [(rows,)] = execute(self.con, call("_rows_of_nobody", place.name, number))
        if not self.known_of(each):
            return int(rows) + gone  # of classes: those who left are among the people there
        return max(0, int(rows) + gone - len(self.leavers.get(each.name, [])))


def who_is(con: duckdb.DuckDBPyConnection, subjects: Subjects, source: str) -> exp.Expression:
    """Of a row of a table, what tells who somebody is, as text."""
    if subjects.unit is not None:
        return exp.cast(exp.column(subjects.unit, quoted=True), "text")
    have = lower(column_names(con, source))
    columns = [name for name in subjects.identity if name.lower() in have]
    columns = columns or [name for name in [*subjects.qi, *subjects.sensitive] if name.lower() in have]
    cells = [exp.cast(exp.column(name, quoted=True), "text") for name in columns]
    return exp.cast(exp.array(*cells), "text")


def aliased(name: str, alias: str) -> exp.Table:
    """A table by another name."""
    made = table(name)
    made.set("alias", exp.TableAlias(this=exp.to_identifier(alias)))
    return made


def formats_of(releases: Sequence[Released]) -> dict[str, str]:
    """How columns of releases are written, each release by its number."""
    return {
        f"{i}.{column}": format
        for i, each in enumerate(releases, 1)
        for column, format in each.formats.items()
    }


def has(con: duckdb.DuckDBPyConnection, release: Released, columns: Sequence[str]) -> bool:
    """Does a release have these columns?"""
    return lower(columns) <= lower(column_names(con, release.table))
