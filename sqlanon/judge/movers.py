"""Movers: people who had other quasi-identifiers when a release went out, as far as a register has kept
it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.core.files import column_names
from sqlanon.core.source import cleanly, fresh_name, lower
from sqlanon.core.statements import (
    call,
    count,
    execute,
    literal,
    named_table,
    relation,
    select,
    table,
    union_all,
)
from sqlanon.core.tables import WorkTables
from sqlanon.judge.evidence import Doubt, Entered, Kept, Leaver, Released, Subjects, as_called_today, named

MOST = 2 / 3  # of the rows: more than people have the same of by chance, or for long
ACCEPT_MOVED = 'accept it: --accept evidence.moved="why"'


@dataclass(frozen=True)
class Night:
    """Quasi-identifiers that somebody had when a release went out. person: their number; cells: by column."""

    person: int
    release: str
    cells: Mapping[str, str | None]


class Movers:
    """Who of the people has moved since which release went out.

    people: a table with all columns that are read, and their numbers in the column id. nights: where movers
    were, where it was kept. leavers: who left, and rows of people who are still here. there: by release, a
    table of the numbers of those who were attacked for it, where that is known; since: of the rows that
    came after the last release, where each row is known to be in the release of its night alone; left: how
    many of those who were attacked are not in the table of today; kept_rows: of releases, how many rows
    are as they were, and of how many, if these are most of them (where rows are only added: how many people
    with several rows have the same values in all). doubts, remarks: what is not known, and what there is to
    say.
    """

    def __init__(
        self, con: duckdb.DuckDBPyConnection, work: WorkTables, subjects: Subjects, kept: Kept, people: str,
        id: str,
    ) -> None:  # fmt: skip
        self.con, self.work, self.subjects = con, work, subjects
        self.kept, self.people, self.id = kept, people, id
        self._columns = lower(column_names(con, people))
        self._hashed: dict[tuple[str | None, tuple[str, ...], tuple[str, ...], tuple[str, ...]], str] = {}
        self._of_leavers: dict[str, list[tuple[str, dict[str, str | None]]]] = {}
        self.nights: list[Night] = []
        self.there: dict[str, str] = {}
        self.since: str | None = None
        self.left: dict[str, int] = {}
        self.kept_rows: dict[str, tuple[int, int]] = {}
        self.leavers: list[Leaver] = []
        self.doubts: list[Doubt] = []
        self.remarks: list[str] = []

    def compare(
        self, releases: Sequence[Released], are_rows_apart: bool = False, *, is_last_of_today: bool = False
    ) -> None:
        """Compare the people of today with those of each release. are_rows_apart: is no row in two of our
        releases, and is there no column by which rows of two are joined? is_last_of_today: may the last one
        be made of today's table, as in an audit?"""
        anywhere: set[str] = set()
        last = next((each for each in reversed(releases) if not each.is_foreign), None)
        grown: list[tuple[Released, Entered, str, exp.Select]] = []
        rows: dict[tuple[str, tuple[tuple[str, str | None], ...], int | None, int], list[str]] = {}
        for each in releases:
            entered = self.kept.of.get(each.name)
            if entered is None or each.is_foreign:
                continue
            found = self._marks(each, entered)
            moved, seen = set() if found is None else self._changed("cells", *found), set[str]()
            if entered.has_cells:
                changed, seen = self._at_their_cells(each, entered, found, rows)
                moved |= changed
            anywhere |= moved
            if found is None:
                self._doubt_unknown(each, entered)
                continue
            self._look_for_kept(each, *found, may_be_of_today=is_last_of_today and each is last)
            self._doubt_unseen(each, entered, len(moved - seen))
            self._tell_changed(each, found)
            self.there[each.name] = self._rows_there(each, *found)
            self._count_leavers(each, *found)
            grown.append((each, entered, *found))
        if are_rows_apart and len(grown) == sum(not each.is_foreign for each in releases):
            self._settle_nights(grown)
        self._doubt_foreign(releases, len(anywhere))
        self._settle_leavers(rows)

    def _look_for_kept(self, each: Released, today: str, then: exp.Select, may_be_of_today: bool) -> None:
        """Are most rows as they were? If a release may be of today's table, and is, that says nothing."""
        if not self._has_values(each):
            return
        mark = named(exp.column("sensitive_cells"), "mark")
        before = self.work.make("values_then", select(then.subquery(), "who", mark)).name
        now = self.work.make("values_today", select(table(today), "who", mark.copy())).name
        kept_rows = call("_rows_as_they_were", before, now)
        [(every, kept)] = execute(
            self.con, call("_people_who_stay", now) if self.subjects.are_rows_new else kept_rows
        )
        if may_be_of_today and not self.subjects.are_rows_new:
            sizes = (execute(self.con, count(relation(name))) for name in (before, now))
            if all(rows == kept for [(rows,)] in sizes):
                return
        if every and kept >= MOST * every:
            self.kept_rows[each.name] = kept, every

    def _rows_there(self, each: Released, today: str, then: exp.Select) -> str:
        """A table of the rows of today that were there when a release went out, as far as anybody can tell:
        where values may change, all those of whoever was there."""
        stays = self._staying(each) == list(each.sensitive) and self._has_values(each)
        marks = exp.array(exp.column("cells"), exp.column("sensitive_cells"))
        mark = named(marks if stays else exp.null(), "mark")
        before = self.work.make("rows_then", select(then.subquery(), "who", mark)).name
        now = self.work.make("rows_today", select(table(today), "id", "who", mark.copy())).name
        here = call("_rows_that_were_there", before, now)
        return self.work.make(f"there_{len(self.there)}", here).name

    def _settle_nights(self, grown: Sequence[tuple[Released, Entered, str, exp.Select]]) -> None:
        """Where rows are only added, each row of today is in the release of its night, and in no other, if
        the rows of all nights come out so; as long as a value is that of a row, not of a person."""
        if any(self._staying(each) for each, *_ in grown) or len({today for *_, today, _ in grown}) != 1:
            return
        marks = exp.array(exp.column("cells"), exp.column("sensitive_cells"))
        nights = [
            then.select(named(literal(entered.id), "night"), named(marks.copy(), "mark"))
            for _, entered, _, then in grown
        ]
        before = self.work.make("nights_then", union_all(nights)).name
        now = select(table(grown[0][2]), "id", "who", named(marks, "mark"))
        made = self.work.make(
            "nights", call("_nights_of_rows", before, self.work.make("nights_today", now).name)
        )
        released = {}
        for each, entered, *_ in grown:
            [(released[entered.id],)] = execute(self.con, count(relation(each.table)))
        found = execute(self.con, select(made, "night", exp.Count(this=exp.Star())).group_by("night"))
        if {night: rows for night, rows in found if night is not None} != released:
            return
        for each, entered, *_ in grown:
            of_night = select(made, "id").where(exp.column("night").eq(entered.id))
            self.there[each.name] = self.work.make(f"night_{entered.id}", of_night).name
        self.since = self.work.make("since", select(made, "id").where("night is null")).name

    def _count_leavers(self, each: Released, today: str, then: exp.Select) -> None:
        """How many people have left since a release, if nobody of them was forgotten by the register."""
        [(released,)] = execute(self.con, count(relation(each.table)))
        [(known,)] = execute(self.con, count(then.subquery()))
        if each.suppressed_rows is not None and known == released + each.suppressed_rows:
            gone = exp.except_(then.copy().select("who", append=False), select(table(today), "who"))
            [(self.left[each.name],)] = execute(self.con, count(gone.subquery()))

    def hashed_people(
        self, identity: Sequence[str], qi: Sequence[str], sensitive: Sequence[str], people: str | None = None
    ) -> str:
        """A table of the people as the register keeps them. people: their table, if it is another one."""
        key = tuple(identity), tuple(qi), tuple(sensitive)
        number = len(self._hashed)
        if (people, *key) not in self._hashed:
            made = call("_hashed_people", people or self.people, self.kept.secret, self.id, *map(list, key))
            self._hashed[people, *key] = self.work.make(f"hashed_people_{number}", made).name
        return self._hashed[people, *key]

    def _in_words_of(self, each: Released) -> str | None:
        """The people with the words that a release had for their values, of those that had one; None, if
        nobody has said that it had others."""
        then = {}
        for name, ours in each.values.items():
            if name.lower() in self._columns and name.lower() in lower([*each.qi, *each.sensitive]):
                often = Counter(ours.values())
                then[name] = {today: word for word, today in ours.items() if often[today] == 1}
        if not any(then.values()):
            return None
        values = [
            named(as_called_today(exp.cast(exp.column(name, quoted=True), "text"), words), name)
            for name, words in then.items()
        ]
        everything = exp.Star(replace=values)
        return self.work.make(f"in_words_of_{len(self._hashed)}", select(table(self.people), everything)).name

    def _marks(self, each: Released, entered: Entered) -> tuple[str, exp.Select] | None:
        """The people of today as a release would have them, and those whom it has; None if nobody knows."""
        if entered.identity is None:
            return None
        if not lower([*entered.identity, *each.qi]) <= self._columns:
            return None
        sensitive = each.sensitive if self._has_values(each) else []
        today = self.hashed_people(entered.identity, each.qi, sensitive, self._in_words_of(each))
        then = select(named_table(self.kept.people), "who", "cells", "sensitive_cells")
        then = then.where(exp.column("release_id").eq(entered.id))
        return today, then

    def _has_values(self, each: Released) -> bool:
        """Has the table all sensitive columns of a release, so that their values can be compared?"""
        return lower(each.sensitive) <= self._columns

    def _compared(self, purpose: str, then: exp.Select, today: exp.Select) -> str:
        """A table of what has changed, as in _marks_that_changed."""
        before = self.work.make(f"{purpose}_then", then).name
        now = self.work.make(f"{purpose}_today", today).name
        return self.work.make(f"{purpose}_changed", call("_marks_that_changed", before, now)).name

    def _changed(self, mark: str, today: str, then: exp.Select) -> set[str]:
        """Who has another hash of some kind than then."""
        both = (
            select(rows, "who", named(exp.column(mark), "mark")) for rows in (then.subquery(), table(today))
        )
        changed = self._compared("hashes", *both)
        return {who for (who,) in execute(self.con, call("_who_changed", changed))}

    def _at_their_cells(
        self,
        each: Released,
        entered: Entered,
        found: tuple[str, exp.Select] | None,
        rows: dict[Any, list[str]],
    ) -> tuple[set[str], set[str]]:
        """Have movers at the cells that were kept: who has moved, and who of them is found. rows: those of
        nobody today, which are added here: by who, cells, person and which of several that are alike, the
        names of releases."""
        kept = select(
            named_table(self.kept.asked), "who", "columns", "cells", named(exp.column("hashed"), "mark")
        )
        kept = kept.where(exp.column("release_id").eq(entered.id))
        if found is not None:
            today = select(table(found[0]), "id", "who", named(exp.column("cells"), "mark"))
        else:
            today, kept = self._by_cells(each, entered)
        then = self.work.make("kept_cells", kept).name
        people = self.work.make("people_of_cells", today).name
        marks = (select(table(name), "who", "mark") for name in (then, people))
        changed = self._compared("cells", *marks)
        # where no value stays, no row became another: each is attacked as it was
        stays = not lower(each.sensitive) <= lower(self.subjects.values_may_change)
        pairs = call("_paired_changes", changed)
        paired = self.work.make("paired", pairs if stays else pairs.where("false")).name
        for person, columns, cells in execute(self.con, call("_cells_of_movers", paired, then, people)):
            self.nights.append(Night(person, each.name, dict(zip(columns, cells, strict=True))))
        for who, columns, cells, person, nth in execute(
            self.con, call("_rows_of_leavers", changed, paired, then, people)
        ):
            of_whom = who, tuple(zip(columns, cells, strict=True)), person, nth
            rows.setdefault(of_whom, []).append(each.name)
        moved = {who for (who,) in execute(self.con, call("_who_changed", changed))}
        if not stays:
            return moved, moved
        return moved, {who for (who,) in execute(self.con, select(table(paired), "who"))}

    def _by_cells(self, each: Released, entered: Entered) -> tuple[exp.Select, exp.Select]:
        """People of today, and those whom a release has, by the columns that today's table has of it. (If it
        lacks what tells who somebody is, all rows of then are nobody's today.)"""
        identity, columns = list(entered.identity or ()), [
            name for name in each.qi if name.lower() in self._columns
        ]  # fmt: skip
        is_known = lower(identity) <= self._columns
        who = self.hashed_people(identity, [], []) if is_known else "nobody"
        if not is_known:
            self.work.make(who, exp.select("null::bigint as id", "null::text as who").where("false"))
        today = call("_people_by_cells", self.people, who, self.id, columns)
        return today, call("_kept_by_cells", self.kept.asked, entered.id, columns)

    def _doubt_unseen(self, each: Released, entered: Entered, unseen: int) -> None:
        """What is not known of the movers of a release. unseen: those whose cells were not kept."""
        if not unseen:
            return
        again = self.kept.how_to_give(each.name)
        why = (
            "nobody can tell which of their rows became which"
            if entered.has_cells
            else "it was not kept which"
        )
        remedy = "" if again is None else f"give the table that it was made of again: {again}; or "
        # what a row of then became is seen in the table of then alone
        is_export_anew = each.name in self.kept_rows
        if again is None and self.subjects.who and (stay := self._staying(each)) and not is_export_anew:
            remedy += (
                "if no row of then is a row of today, as with claims and visits, say that values of "
                f"{', '.join(stay)} may change: --values-may-change {','.join(stay)}; or "
            )
        self.doubts.append(
            Doubt(
                "moved",
                f"{unseen:,} people have other quasi-identifiers today than when {each.name} went out, and "
                f"{why}: what is found there of whoever knows these is not known",
                [each.name], unseen, f"{remedy}{ACCEPT_MOVED}",
            )
        )  # fmt: skip

    def _doubt_unknown(self, each: Released, entered: Entered) -> None:
        """Of a release that nobody knows the movers of, for whatever reason."""
        if entered.identity is None and not self.subjects.who:
            return  # nobody can be distinguished from others, which is said
        why, again = "it was not kept who had which quasi-identifiers when", None
        if entered.identity is not None:
            why = "the table lacks columns to tell who had which quasi-identifiers when"
            if lower(entered.identity) <= self._columns:
                again = self.kept.how_to_give(each.name)
        remedy = "" if again is None else f"give the table that it was made of again: {again}; or "
        self.doubts.append(
            Doubt(
                "moved", f"{why} {each.name} went out: whoever has moved since is not seen", [each.name],
                remedy=f"{remedy}{ACCEPT_MOVED}",
            )
        )  # fmt: skip

    def _doubt_foreign(self, releases: Sequence[Released], moved: int) -> None:
        """Nobody knows which of their quasi-identifiers movers have in a release of others."""
        others = [each.name for each in releases if each.is_foreign]
        if others and moved:
            self.doubts.append(
                Doubt(
                    "moved",
                    f"{moved:,} people have moved, and which of their quasi-identifiers {', '.join(others)} "
                    "has nobody has said: they were looked for by those of today", others, moved,
                    ACCEPT_MOVED,
                )
            )  # fmt: skip

    def _staying(self, each: Released) -> list[str]:
        """The sensitive columns of a release in which values are supposed to stay."""
        may_change = lower(self.subjects.values_may_change)
        return [name for name in each.sensitive if name.lower() not in may_change]

    def _tell_changed(self, each: Released, found: tuple[str, exp.Select]) -> None:
        """How many people have other sensitive values than when a release went out."""
        stay = self._staying(each)
        if not stay or not self._has_values(each):
            return
        if changed := self._changed("sensitive_cells", *found):
            columns = ", ".join(stay)
            self.remarks.append(
                f"{len(changed):,} people have another value of {', '.join(each.sensitive)} today than when "
                f"{each.name} went out: attacks suppose that values of {columns} stay. If not, say so "
                "([judge] values_may_change, which publish --values-may-change COLUMNS writes)"
            )

    def _settle_leavers(self, rows: Mapping[Any, Sequence[str]]) -> None:
        """Rows that nobody has today, a leaver each; of somebody who has left and has one row in each
        release, one with several nights."""
        by_who: dict[str, list[tuple[Any, Sequence[str]]]] = {}
        for of_whom, names in rows.items():
            who, _, person, _ = of_whom
            if person is None:
                by_who.setdefault(who, []).append((of_whom, names))
            else:
                self.leavers.append(Leaver(who, dict(of_whom[1]), names, person=person))
        for who, theirs in by_who.items():
            every = [name for _, names in theirs for name in names]
            if len(theirs) > 1 and len(every) == len(set(every)):
                nights = {name: dict(cells) for (_, cells, _, _), names in theirs for name in names}
                (_, latest, _, _), _ = theirs[-1]
                self.leavers.append(Leaver(who, dict(latest), every, nights))
            else:
                self.leavers += [Leaver(who, dict(cells), names) for (_, cells, _, _), names in theirs]


def frame(
    con: duckdb.DuckDBPyConnection, work: WorkTables, purpose: str, texts: Collection[str],
    columns: Mapping[str, Sequence[Any]],
) -> exp.Table:  # fmt: skip
    """A work table of Python values. texts: the columns of texts, which may all be None."""
    import pandas  # slow to import, and most runs need none

    name = fresh_name("values")
    con.register(name, pandas.DataFrame({column: list(values) for column, values in columns.items()}))
    typed = [
        named(exp.cast(exp.column(column), "text"), column) if column in texts else exp.column(column)
        for column in columns
    ]
    try:
        return work.make(purpose, select(table(name), *typed))
    finally:
        cleanly(lambda: con.unregister(name))
