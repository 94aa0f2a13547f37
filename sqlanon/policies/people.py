"""[tables.NAME] of a policy: several tables about the same people, whose rows belong to a row of another one
and so to a person. What is required, hierarchies and levels are those of other policies, for columns that are
called `table.column`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

from sqlanon.core.errors import UseError
from sqlanon.core.models import by_id, having
from sqlanon.core.source import lower
from sqlanon.core.suggestions import nearest, suggestion
from sqlanon.core.text_files import Roles
from sqlanon.policies import schema
from sqlanon.policies.parsing import OF_FILES, Options, document_of
from sqlanon.policies.policy import Policy, read
from sqlanon.policies.schema import Key, Names, Types


def _wrong_day(written: str) -> str | None:
    """What is wrong with a day as it is written, 2026-01-01."""
    with suppress(ValueError):
        date.fromisoformat(written if len(written) == len("2026-01-01") else "")
        return None
    return f"must be a day, such as 2026-01-01, not {schema.shown(written)}"


JOINED = "person_classes"  # the macro that puts people into classes
LEAVING = ("qi", "dates", "sensitive", "keep", "items")  # roles of columns that leave
ROLES = ("qi", "dates", "sensitive", "keep", "identifier")
TABLE = {
    "file": Key(str, "The table's file, beside the policy; file.duckdb::table for a table in a DuckDB file."),
    "unit": Key(str, "The column that identifies a person. The table that has it has a row per person."),
    "belongs_to": Key(
        Types, 'Whose the rows of the table are: { patient = "person.patient" }, a column and its equal.'
    ),
    **{role: schema.ROLES[role] for role in ROLES if role != "dates"},
    "dates": Key(Names, "Dates that leave shifted, all of a person by one offset of whole weeks."),
    "items": Key(
        str,
        "The column with the items of people, such as the codes of their drugs: a set per person leaves, in "
        "rows of the person's key and an item, so that who knows items.m of them finds k people.",
    ),
    "max_rows": Key(
        int, "How many rows of a person leave at most; the others are drawn at random and left out.", 1
    ),
    "leave_out_unmatched": Key(
        bool, "Leave out rows that belong to nobody, and say how many, instead of failing."
    ),
    "input": Key(dict, "How the file is read: the keys of [input] that are about files."),
}
DATES = {
    "in_key": Key(
        bool,
        "Others may know the intervals between a person's dates (true, if not said). With false it is not "
        "known whether the requirements hold.",
    ),
    "collected_from": Key(
        str,
        "The first day that a true date can have, 2026-01-01, if others may know when the data were "
        "collected: then it is told how many offsets are possible for a person.",
        wrong=_wrong_day,
    ),
    "collected_until": Key(str, "The last day that a true date can have.", wrong=_wrong_day),
}
SERIES = {
    "name": Key(str, "What a series of nights is called: their pseudonyms and offsets have one key."),
    "key_file": Key(
        str, "The file with the secret key of all series, beside the policy (SQLANON_KEY, if not said)."
    ),
}
ITEMS = {"m": Key(int, "How many items of a person, of all tables of items, others may know.", 1)}
METHOD = ("name", "suppression_limit", "min_levels", "max_levels", "time_limit")
SECTIONS = (
    "confirmed", "tables", "dates", "items", "accepted", "series", "input", "hierarchies", "requirements",
    "method", "direct", "limits",
)  # fmt: skip
# What can be required: what is about the classes of this release alone.
OF_CLASSES = ("size", "values", "shares")
Check = tuple[object, str, str]  # is something wrong with a key, the key, and what is wrong then


@dataclass(frozen=True)
class TableOfPeople:
    """One of the tables. own: the column that says to which row of the table `parent` one belongs, by its
    column `key`; of the person table the unit. settings: how its file is read."""

    name: str
    file: str | None
    own: str
    parent: str | None = None
    key: str | None = None
    roles: Mapping[str, Names] = field(default_factory=dict)
    max_rows: int | None = None
    leave_out_unmatched: bool = False
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def items(self) -> str | None:
        """The column of items of people, if it has them."""
        return next(iter(self.of("items")), None)

    def of(self, *roles: str) -> Names:
        """Its columns of these roles."""
        return [column for role in roles for column in self.roles.get(role, [])]

    def columns(self, *roles: str) -> Names:
        """The columns of these roles, as table.column."""
        return [f"{self.name}.{column}" for column in self.of(*roles)]


@dataclass(frozen=True)
class PeoplePolicy:
    """A policy with [tables]. tables: from the person table down. policy: what it says of requirements,
    hierarchies and limits, about columns called table.column. method: the keys of this section. in_key: are
    intervals in the key of a person? collected: the first and the last day that a true date can have.
    series: its name, and the file of the key. m: how many items of a person others may know."""

    tables: Mapping[str, TableOfPeople]
    policy: Policy
    method: Mapping[str, Any]
    in_key: bool
    collected: tuple[str, str] | None = None
    series: tuple[str, str | None] | None = None
    m: int = 0

    @property
    def root(self) -> TableOfPeople:
        return next(iter(self.tables.values()))

    @property
    def requirements(self) -> Mapping[str, Any]:
        return self.policy.requirements

    @property
    def is_about_values(self) -> bool:
        """Is anything required of sensitive values?"""
        return any(id in by_id() and by_id()[id].about not in ("", "size") for id in self.requirements)

    @property
    def unit(self) -> str:
        return f"{self.root.name}.{self.root.own}"

    def as_released(self) -> PeoplePolicy:
        """The policy of tables that leave: items belong to the person, whatever row they belonged to."""
        key, name = self.root.own, self.root.name
        tables = {
            each.name: replace(each, own=key, parent=name, key=key, leave_out_unmatched=False)
            if each.items
            else each
            for each in self.tables.values()
        }
        return replace(self, tables=tables)

    def joins(self, names: Iterable[str]) -> list[str]:
        """Two columns each that are equal, of some tables."""
        below = [table for name, table in self.tables.items() if table.parent and name in names]
        return [f"{table.name}.{table.own} = {table.parent}.{table.key}" for table in below]

    def columns(self, *roles: str) -> Names:
        """The columns of these roles in all tables."""
        return _columns(self.tables, *roles)

    def keys_of(self, table: TableOfPeople) -> Names:
        """The columns of a table that say whose a row is, or what belongs to it."""
        keys = [table.own, *(each.key for each in self.tables.values() if each.parent == table.name)]
        return [*dict.fromkeys(key for key in keys if key is not None)]

    def leaving(self, table: TableOfPeople) -> Names:
        """The columns of a table that leave."""
        return [*self.keys_of(table), *table.of(*LEAVING)]

    def sensitive(self) -> dict[str, Names]:
        """Sensitive attributes: their columns in all tables that have them. Columns of one name are one."""
        found: dict[str, Names] = {}
        for column in self.columns("sensitive"):
            found.setdefault(column.partition(".")[2].lower(), []).append(column)
        return found

    def reading(self, table: TableOfPeople) -> Roles:
        """How the file of a table is read."""
        settings = {name: value for name, value in table.settings.items() if name in OF_FILES}
        keep = [*table.of("keep"), *self.keys_of(table)]
        return Roles(table.of("qi", "dates", "items"), table.of("sensitive"), keep, **settings)


def _columns(tables: Mapping[str, TableOfPeople], *roles: str) -> Names:
    """The columns of these roles in all tables, as table.column."""
    return [column for table in tables.values() for column in table.columns(*roles)]


class _Reading:
    """What a document says of tables, checked without them."""

    def __init__(self, path: Path, document: Mapping[str, Any]) -> None:
        self.path, self.document = path, document
        for section in document:
            if section == "tolerated":
                raise self.wrong(
                    section, " bounds attacks on one table. For several tables [requirements] says what must "
                    "hold, and [accepted] why something need not be known, such as evidence.leavers"
                )  # fmt: skip
            if section not in SECTIONS:
                raise self.wrong(section, f" does not go with [tables]; {_hint(section, SECTIONS)}")
        self.of_all = self._keys("dates", document.get("dates", {}), DATES)
        self.collected = self._collected()
        self.m = self._keys("items", document.get("items", {}), ITEMS).get("m", 0)
        self.series = self._series()
        self.input, given = (self._table_in(name, document.get(name, {})) for name in ("input", "tables"))
        for name in given:
            if not re.fullmatch(r"\w+", name):
                raise self.wrong(f"tables.{schema.bare(name)}", ": write a name of letters, digits and _")
        keys = {name: self._keys(f"tables.{name}", said, TABLE) for name, said in given.items()}
        if len(lower(keys)) < len(keys):
            raise self.wrong("tables", " has two tables of one name")
        self.tables = {each.name: each for each in self._from_the_root(keys)}
        self.refuse(self._checks_of_items())
        self.refuse(self._checks_of_roles())

    def _checks_of_items(self) -> Iterator[Check]:
        """Items leave as a set per person, and nothing else of their rows does."""
        having = [table for table in self.tables.values() if table.items]
        yield having and not self.m, "items.m", " is missing: how many items of a person may others know?"
        example = schema.shown("drug")
        yield self.m and not having, "items", f" is for tables with items, such as items = {example}"
        for table in having:
            at, not_with = f"tables.{table.name}", " does not go with items"
            no_sets = ": the person table has a row per person, and no sets of items"
            yield table.parent is None, f"{at}.items", no_sets
            for role in ("qi", "dates", "sensitive", "keep"):
                why = f"{not_with}: rows leave with the person's key and an item"
                yield table.of(role), f"{at}.{role}", why
            why = f"{not_with}: those that tell too much do not leave"
            yield table.max_rows is not None, f"{at}.max_rows", why
            for other in self.tables.values():
                no_rows = f": {table.name} has items, to which no rows belong"
                yield other.parent == table.name, f"tables.{other.name}.belongs_to", no_rows
            yield self.series, "series", f"{not_with}, which {at} has"

    def _series(self) -> tuple[str, str | None] | None:
        """The name of the series and the file of its key, if these are nights of one."""
        given = self._keys("series", self.document.get("series", {}), SERIES)
        if not given:
            return None
        if not given.get("name", "").strip():
            raise self.wrong("series.name", " is missing: what is the series called?")
        file = given.get("key_file")
        return given["name"], None if file is None else str(self.path.parent / file)

    def _collected(self) -> tuple[str, str] | None:
        """The days between which all dates are, if they are said."""
        first, last = (self.of_all.get(name) for name in ("collected_from", "collected_until"))
        if (first is None) != (last is None):
            raise self.wrong("dates", " must have both collected_from and collected_until, or none of them")
        if first is None or last is None:
            return None
        if first > last:
            raise self.wrong("dates.collected_until", f": {last} is before {first}")
        return first, last

    def wrong(self, key: str, message: str) -> UseError:
        return UseError(f"{self.path}: {key}{message}")

    def refuse(self, checks: Iterable[Check]) -> None:
        """Errors: UseError for the first thing that is wrong."""
        for is_wrong, key, message in checks:
            if is_wrong:
                raise self.wrong(key, message)

    def _table_in(self, at: str, said: Any) -> dict[str, Any]:
        if not isinstance(said, dict):
            raise self.wrong(at, f" must be a table, [{at}], not {schema.shown(said)}")
        return said

    def _keys(self, at: str, said: Any, known: Mapping[str, Key]) -> dict[str, Any]:
        """The section under a key: known keys alone, of the right type."""
        for name, value in self._table_in(at, said).items():
            if name not in known:
                hint = _hint(name, known, f"{at}.")
                raise self.wrong(f"{at}.{schema.bare(name)}", f" is not known; {hint}")
            if known[name].type is dict:
                self._keys(f"{at}.{name}", value, {each: schema.INPUT[each] for each in OF_FILES})
            elif problem := schema.trouble(value, known[name]):
                raise self.wrong(f"{at}.{name}", f" {problem}")
        return self._table_in(at, said)

    def _from_the_root(self, keys: Mapping[str, Mapping[str, Any]]) -> Iterator[TableOfPeople]:
        """The tables, each after the one that its rows belong to."""
        roots = [name for name, said in keys.items() if "unit" in said]
        if len(roots) != 1:
            has = f"{' and '.join(roots)} have it" if roots else "none has it"
            one = ": one table must have unit, the column that identifies a person"
            raise self.wrong("tables", f"{one}; {has}")
        read = [self._table(name, said, keys) for name, said in keys.items()]
        found = [table for table in read if table.name == roots[0]]
        while found:
            yield from found
            above = {table.name for table in found}
            found = [table for table in read if table.parent in above]
            read = [table for table in read if table.name not in above]
        if read:
            at = f"tables.{read[0].name}.belongs_to"
            raise self.wrong(at, f" goes in a circle, which never comes to {roots[0]}")

    def _table(
        self, name: str, said: Mapping[str, Any], keys: Mapping[str, Mapping[str, Any]]
    ) -> TableOfPeople:
        at, example = f"tables.{name}", '{ patient = "person.patient" }'
        own, parent, key = said.get("unit"), None, None
        if "belongs_to" in said:
            whose = f"{at}.belongs_to"
            if own is not None:
                raise self.wrong(whose, ": the table with unit belongs to no other")
            if len(said["belongs_to"]) != 1:
                one = f" must have one column, such as {example}; of several make one column"
                raise self.wrong(whose, one)
            [(own, above)] = said["belongs_to"].items()
            parent, _, key = above.partition(".")
            if not key:
                raise self.wrong(whose, f" must name table.column, not {schema.shown(above)}")
            if parent not in keys:
                raise self.wrong(whose, f": there is no table {parent}{suggestion(parent, keys)}")
        if own is None:
            to_say = f"write belongs_to = {example}, or unit"
            raise self.wrong(at, f" does not say whose its rows are: {to_say}")
        file = str(self.path.parent / said["file"]) if "file" in said else None
        roles = {role: said[role] for role in ROLES if role in said}
        roles |= {"items": [said["items"]]} if "items" in said else {}
        settings = {**self.input, **said.get("input", {})}
        leave_out = said.get("leave_out_unmatched", False)
        return TableOfPeople(name, file, own, parent, key, roles, said.get("max_rows"), leave_out, settings)

    def _checks_of_roles(self) -> Iterator[Check]:
        """A column has one role, and a key none; of a person one row is there, and of nights all rows."""
        for table in self.tables.values():
            at = f"tables.{table.name}"
            is_cut = table.max_rows is not None
            yield is_cut and self.series, f"{at}.max_rows", " does not go with [series]: rows of a night stay"
            yield is_cut and not table.parent, f"{at}.max_rows", f": people have one row in {table.name}"
            keys = {table.own: "unit" if table.parent is None else "belongs_to"}
            keys |= {each.key: f"tables.{each.name}.belongs_to" for each in self.tables.values()
                     if each.parent == table.name and each.key is not None}  # fmt: skip
            role_of = {key.lower(): role for key, role in keys.items()}
            for role, column in ((role, column) for role, of in table.roles.items() for column in of):
                other = role_of.get(column.lower())
                is_key = ": keys leave as pseudonyms" if column.lower() in lower(keys) else ""
                already = f": column {column} is in {other} already, and has one role{is_key}"
                yield other, f"{at}.{role}", already
                role_of[column.lower()] = role


def _hint(name: str, known: Iterable[str], at: str = "") -> str:
    """What may be meant by a key that is not known."""
    near = nearest(name, known)
    return f"did you mean {at}{near}?" if near else f"known are {', '.join(known)}"


def read_people(path: Path, options: Options | None = None, text: bytes | None = None) -> PeoplePolicy | None:
    """The policy in a file that has [tables]; None for another one. options: in place of its keys, as far as
    they are about what is required, the method or limits. text: what it said, where the file may say
    something else by now. Errors: UseError, which names the key."""
    document, text = document_of(path, text)
    if "tables" not in document:
        return None
    reading = _Reading(path, document)
    tables = reading.tables
    roles: dict[str, Any] = {role: _columns(tables, role) for role in ("qi", "sensitive", "keep")}
    items, root = _columns(tables, "items"), next(iter(tables.values()))
    roles["unit"] = f"{root.name}.{root.own}"
    instead = {section: {**given} for section, given in (options or {}).items() if given}
    for section in instead.keys() - {"requirements", "method", "limits"}:
        name = next(iter(instead[section])).replace("_", "-")
        raise UseError(f"--{name} does not go with [tables] of {path}: write it there")
    method, required = (
        {**document.get(name, {}), **instead.get(name, {})} for name in ("method", "requirements")
    )
    reading.refuse(_checks_of_columns(document, roles, items, required))
    reading.refuse(_checks_of_method(method, items))
    policy = read(path, {**instead, "roles": {**roles, "qi": [*roles["qi"], *items]}}, JOINED, text)
    reading.refuse(_checks_of_requirements(reading, policy))
    in_key = reading.of_all.get("in_key", True)
    return PeoplePolicy(tables, policy, method, in_key, reading.collected, reading.series, reading.m)


def _checks_of_columns(
    document: Mapping[str, Any], roles: Mapping[str, Any], items: Names, required: Mapping[str, Any]
) -> Iterator[Check]:
    """Hierarchies, requirements and acceptances are about what there is. required: requirements."""
    none_said = ': none of them has qi: name the quasi-identifiers, such as qi = ["age"]'
    yield not roles["qi"], "tables", none_said
    known = [*roles["qi"], *items]
    for column in document.get("hierarchies", {}):
        no_qi = f" is no quasi-identifier called table.column{suggestion(column, known)}"
        is_known = column.lower() in lower([*known, *roles["sensitive"]])
        yield not is_known, f"hierarchies.{schema.bare(column)}", no_qi
    for model in having("values", "shares"):
        needs = " needs a sensitive column in one of the tables"
        yield model.id in required and not roles["sensitive"], f"requirements.{model.id}", needs
    for attack in document.get("accepted", {}):
        no_doubt = " is nothing that can be accepted of tables: evidence is"
        yield attack != "evidence", f"accepted.{schema.bare(attack)}", no_doubt


def _checks_of_method(method: Mapping[str, Any], items: Names) -> Iterator[Check]:
    """Levels are searched for, of what has one."""
    for name in method:
        no_key = f" does not go with [tables]; known are {', '.join(METHOD)}"
        yield name not in METHOD, f"method.{name}", no_key
    by_levels = " must be optimal: several tables are generalized by levels"
    yield method.get("name", "optimal") != "optimal", "method.name", by_levels
    for name in ("min_levels", "max_levels"):
        for column in method.get(name, {}):
            no_level = f": {column} has items, which have no one level"
            yield column.lower() in lower(items), f"method.{name}", no_level


def _checks_of_requirements(reading: _Reading, policy: Policy) -> Iterator[Check]:
    """What is required is about the classes of people."""
    may = {model.id for model in having(*OF_CLASSES, "setting")}
    required = {**policy.requirements, **({"population": 1} if policy.population else {})}
    required |= {"profile": 1} if policy.profile is not None or policy.rules else {}
    for name in required:
        named = 't_distance = "hierarchical"' if name in may else name
        is_other = name not in may or policy.requirements.get("t_distance") == "hierarchical"
        yield is_other, f"requirements.{named}", " is not for several tables"
        model = by_id().get(name)
        with_all = " does not go with items: it compares classes with all people"
        yield reading.m and model and model.with_table, f"requirements.{name}", with_all
    at_least = " needs k, such as k = 5: how many people a class has at least"
    yield "k" not in policy.requirements, "requirements", at_least
