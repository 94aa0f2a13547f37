"""Series: nights of the same tables, with one key for all their pseudonyms and offsets."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlanon.core.errors import InputError
from sqlanon.core.statements import call, execute, relation, select, union_all
from sqlanon.core.tables import WorkTables
from sqlanon.judge.several_tables import Joined, Said
from sqlanon.judge.tables_beside import unknown
from sqlanon.perturb.masks import Key
from sqlanon.policies.people import PeoplePolicy, TableOfPeople

SINCE = "_sqlanon_since"


@dataclass
class Series:
    """The nights of a series that are out, and its key. kept: the table of a register with marks of rows;
    secret: that of the key of these. numbers: of the nights, in their order. levels: those of all nights,
    once there is one."""

    rules: PeoplePolicy
    kept: str
    secret: str
    key: Key
    numbers: Sequence[int] = ()
    levels: Mapping[str, Sequence[int]] = field(default_factory=dict)

    @classmethod
    def of(
        cls, rules: PeoplePolicy, kept: str, secret: str, nights: Mapping[int, Mapping[str, Any]]
    ) -> Series | None:
        """The series of a policy, if it has one. nights: the parameters of releases that are out, by number.
        Errors: InputError for another key, or other tables, than the series was begun with."""
        if rules.series is None:
            return None
        name, file = rules.series
        whole = Key.read(file)
        made = cls(rules, kept, secret, Key(bytes.fromhex(whole.hash(f"series {name}"))))
        own = {number: said for number, said in nights.items() if said.get("series") == name}
        for said in own.values():
            for what, today in made.described().items():
                if what != "series" and said.get(what) != today:
                    other = "another key" if what == "key" else "other tables, roles or hierarchies"
                    raise InputError(
                        f"series {name} was begun with {other}: all its nights have the same. Give these "
                        "again, or begin a series of another name"
                    )
            made.levels = said["levels"]
        made.numbers = [*own]
        return made

    def described(self) -> dict[str, str]:
        """What a register keeps of it: its name, and what tells whether key and recoding are the same."""
        rules = self.rules
        assert rules.series is not None
        recoding = {
            "tables": {
                name: [each.own, each.parent, each.key, {role: [*of] for role, of in each.roles.items()}]
                for name, each in rules.tables.items()
            },
            "hierarchies": rules.policy.hierarchies,
        }
        text = json.dumps(recoding, default=str, sort_keys=True)
        return {
            "series": rules.series[0],
            "key": self.key.hash("which key is it?"),
            "recoding": hashlib.sha256(text.encode()).hexdigest(),
        }

    def marks(self, work: WorkTables, each: TableOfPeople, rows: str) -> str:
        """The work table of the marks of rows of a table, which are recoded."""
        query = call("_marks_of_rows", rows, each.name, self.rules.leaving(each), self.secret)
        return work.make(f"marks_{each.name}", query).name

    def since(self, work: WorkTables, linked: Mapping[str, str], recoded: Joined) -> dict[str, str]:
        """The linked tables with the first night that has each of their rows."""
        made = {}
        for name, each in self.rules.tables.items():
            marks = self.marks(work, each, recoded.names[name])
            query = call("_rows_since", linked[name], marks, self.kept, [*self.numbers])
            made[name] = work.make(f"since_{name}", query).name
        every = [select(relation(work.name(f"marks_{name}")), "*") for name in self.rules.tables]
        self._marks_of_all = work.make("marks_of_all", union_all(every)).name
        return made

    def judged(self, remaining: Joined, work: WorkTables) -> Iterator[Said]:
        """What is not known of a night after the first."""
        if not self.numbers:
            return
        hashed, con = work.name("hashed"), remaining.con
        gone = call("_people_with_gone_rows", self.kept, self._marks_of_all, hashed, [*self.numbers])
        [(people,)] = execute(con, gone)
        if people:
            sentence = (
                f"{people:,} people have rows in earlier nights of the series that are not in these tables, "
                "or are others there: what all of their rows tell is not looked at. Give tables that have "
                "all rows since the first night, or begin a series of another name, which no key joins "
                "with this one"
            )
            yield unknown("gone_rows", "earlier rows of the series", people), sentence
        dated = [
            call("_people_with_new_dates", remaining.names[name], each.of("dates"))
            for name, each in self.rules.tables.items() if each.of("dates")
        ]  # fmt: skip
        if dated:
            every = work.make("new_dates", union_all(dated))
            [(people,)] = execute(con, select(every, "count(distinct reading)"))
            if people:
                sentence = (
                    f"{people:,} people have new rows with dates. Who knows that what is new tonight has "
                    "happened since the last night knows their offsets, and so all their dates. Release less "
                    "often, or years in place of dates; or say why rows come late"
                )
                yield unknown("arrivals", "offsets of new rows", people), sentence

    def to_keep(self, remaining: Joined, work: WorkTables, hashed: str) -> list[str]:
        """Work tables of what a register keeps of the rows of tonight: who, mark, n."""
        made = []
        for name, each in self.rules.tables.items():
            marks = self.marks(work, each, remaining.names[name])
            made.append(work.make(f"marks_to_keep_{name}", call("_marks_to_keep", marks, hashed)).name)
        return made
