"""What is wrong with an export, and how [input] of a policy repairs it: what `sqlanon init` finds.

A repair is active where nothing that leaves unchanged is changed by it: quasi-identifiers. In sensitive
columns it is a comment, which init --apply makes active, by the number under which it is said. So is the
repair of marks of missing values that may be values.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import duckdb

from sqlanon.core.errors import UseError
from sqlanon.core.statements import call, execute, literal, render, select
from sqlanon.policies.first_policy import Column
from sqlanon.policies.schema import INPUT, Names, bare, shown

MOST_COLUMNS = 12  # whose pairs are looked at
MOST_VALUES = 5000  # of such a column
MOST_PAIRS = 6  # of columns that may say what people have once


@dataclass(frozen=True)
class Finding:
    """What was found, in words. key: of [input], by which it is repaired; column: whose entry of it, and
    value, what the entry says. is_active: else it is a comment. example: for those who may see values. done:
    what an active repair does, in words; left: why it is left out otherwise."""

    said: str
    key: str = ""
    column: str = ""
    value: Any = None
    is_active: bool = True
    example: Sequence[str] = ()
    done: str = ""
    left: str = ""

    def line(self, number: int, show_values: bool) -> str:
        """The line under a number."""
        example = ", ".join(f'"{each}"' for each in self.example) if show_values else ""
        what = f": {self.done} ({self.key})" if self.done else ""
        if not self.is_active:
            what = f"{self.left}; init --apply {number}: {self.done} ({self.key})"
        return self.said + what + (f", such as {example}" if example else "")


@dataclass(frozen=True)
class Person:
    """The column that probably says whose a row is: of its values that have several rows (merged), in how
    many these have one value in each column of `once`."""

    column: str
    once: Sequence[str]
    merged: int
    agreeing: int

    @property
    def said(self) -> str:
        once = " and ".join(self.once)
        these = "all" if self.agreeing == self.merged else f"{self.agreeing:,}"
        return (
            f"{self.column} seems to say whose a row is: {self.merged:,} of its values have several rows, "
            f"and {these} of these have the same {once} in each of their rows. It is proposed as the unit: "
            "people are counted, not rows"
        )


@dataclass
class Findings:
    """The findings about a file, in this order, and who its rows are about."""

    said: list[Finding] = field(default_factory=list)
    person: Person | None = None

    def apply(self, numbers: Sequence[str]) -> None:
        """Make repairs active by the numbers under which they are said. Errors: UseError for others."""
        left = {str(i + 1): i for i, each in enumerate(self.said) if each.key and not each.is_active}
        for number in numbers:
            if number not in left:
                numbers_left = f"has one of the numbers {', '.join(left)}" if left else "is not among them"
                raise UseError(f"--apply {number}: a repair that is left to you {numbers_left}")
            chosen = self.said[left[number]]
            for i in left.values():  # an earlier one of the column has texts that this one has, too
                each = self.said[i]
                if i <= left[number] and (each.key, each.column) == (chosen.key, chosen.column):
                    self.said[i] = replace(each, is_active=True)

    def repairs(self) -> dict[str, Any]:
        """The keys of [input] that are active, but for what is in the form already."""
        keys = {each.key: each.value for each in self.said if each.key and each.is_active and not each.column}
        for key in dict.fromkeys(each.key for each in self.said if each.column):
            made = {each.column: each.value for each in self._of_columns(key) if each.is_active}
            if made:
                keys[key] = [*made] if INPUT[key].type == Names else made
        return keys

    def _of_columns(self, key: str) -> list[Finding]:
        """The entries of a key by column: of each column the last that is active, which has what those before
        it have, and those that are left to the user."""
        of_key = [each for each in self.said if each.key == key and each.column]
        active = {each.column: each for each in of_key if each.is_active}
        return [each for each in of_key if not each.is_active or each is active[each.column]]

    def lines(self, form: Mapping[str, Any]) -> list[str]:
        """[input] of a draft. form: keys that are known already, by how the file was read."""
        keys = [key for key in INPUT if key in form or any(each.key == key for each in self.said)]
        text, repairs = [], self.repairs()
        for key in keys:
            text.append(f"# {INPUT[key].help.partition('. ')[0].rstrip('.')}.")
            if not (of_columns := self._of_columns(key)):
                value = form[key] if key in form else repairs[key]
                text.append(f"{key} = {_pairs(value) if key == 'rename' else shown(value)}")
                continue
            is_list = INPUT[key].type == Names
            known = form.get(key, ())
            others = [Finding("", key, name, None if is_list else known[name]) for name in known]
            listed = []
            for each in (*others, *of_columns):
                named = f"{key}.{bare(each.column)} = {shown(each.value)}"
                has_another = not is_list and each.column in repairs.get(key, ())
                listed.append(_commented(each, f"{shown(each.column)}," if is_list else named, has_another))
            text += [f"{key} = [", *(f"    {line}" for line in listed), "]"] if is_list else listed
        return ["[input]", *text, ""] if text else []

    def look_at_people(
        self, con: duckdb.DuckDBPyConnection, table: str, columns: Sequence[Column], unit: str | None = None
    ) -> None:
        """Find who the rows are about, if no unit is said, and which columns say the same. table: as it is
        read when repaired."""
        self.said += same_columns(con, table, columns)
        self.person = person(con, table, columns) if unit is None else None

    def lines_under(self, title: str, show_values: bool) -> list[str]:
        """A line each, with a heading."""
        lines = [*self.said, *([Finding(self.person.said)] if self.person else [])]
        if not lines:
            return []
        things = "1 thing" if len(lines) == 1 else f"{len(lines)} things"
        examples = any(each.example for each in lines) and not show_values
        hint = ". Examples: sqlanon --show-values init" if examples else ""
        return [
            f"{title}: {things} about this file, repaired in [input] of the policy{hint}",
            *(f"{i:3}. {each.line(i, show_values)}" for i, each in enumerate(lines, 1)),
        ]


def _commented(finding: Finding, line: str, has_another: bool) -> str:
    """A line of a draft. has_another: does one above say something of the column?"""
    instead = ", in place of the line above" if has_another else ""
    return line if finding.is_active else f"# {line}  # remove the first # if this is right{instead}"


def _pairs(rename: Sequence[Sequence[str]]) -> str:
    """The header, a line for each column."""
    return "\n".join(["[", *(f"    {shown([*names])}," for names in rename), "]"])


def found(
    con: duckdb.DuckDBPyConnection,
    table: str,
    columns: Sequence[Column],
    rows: int,
    form: Mapping[str, Any],
    read_by: Mapping[str, Any],
    is_text: bool,
) -> Findings:
    """The findings about a table, as it was read for the first time. form: what the user says of
    [input], and what is known; read_by: the repairs by which it was read (`Session.repairs`); is_text: is it
    a text file, whose marks of missing values can be read?"""
    said: list[Finding] = []
    if "encoding" in read_by:
        said.append(Finding(f"this is not UTF-8: it is read as {read_by['encoding']} (encoding)", "encoding"))
    if around := read_by.get("only_table"):
        said.append(Finding(f"{around} (only_table)", "only_table", value=True))
    if header := read_by.get("rename"):
        others = [names for names in header if len(names) > 1]
        called = ", ".join(f"{name} is read as {other}" for name, other in others)
        said.append(
            Finding(f"a column has the name of another one: {called} (rename)", "rename", value=header)
        )
    if missing := form.get("missing"):
        said.append(Finding(f"{_listed(missing)}: read as missing in all columns (missing)", "missing"))
    said += [
        Finding(f"{each.name} has no values: it is not released")
        for each in columns
        if rows and not each.distinct
    ]
    by_name = {each.name: each for each in columns if each.role != "identifier"}
    said += _of_values(con, table, by_name, form, is_text)
    return Findings(said)


def _listed(texts: Sequence[str]) -> str:
    return ", ".join(f'"{text}"' for text in texts)


def _of_values(
    con: duckdb.DuckDBPyConnection,
    table: str,
    columns: Mapping[str, Column],
    form: Mapping[str, Any],
    is_text: bool,
) -> list[Finding]:
    of_relation = f"query_table({render(literal(table))})"
    repaired = call("_values_to_repair", of_relation)
    said: list[Finding] = []
    marks: dict[str, list[tuple[str, list[str], int, int]]] = {}
    for name, kind, values, rows, of_rows in execute(
        con, select(repaired.subquery(), "column_name", "kind", "values", "rows", "of_rows")
    ):
        if name not in columns or not (is_text or kind == "blanks"):
            continue
        column, in_rows = columns[name], f"{name}: {rows:,} of {of_rows:,} rows have"
        is_qi = column.role == "qi"
        if kind == "blanks" and column.role and name not in form.get("trim", ()):
            have, done = f"{in_rows} blanks around the value", "read without them"
            said.append(Finding(have, "trim", name, None, is_qi, values[:2], done, _left(column)))
        elif kind == "zeros":
            have, done = f"{in_rows} lost the zero in front of a code", "written with it"
            said.append(Finding(have, "digits", name, 5, is_qi, values[:2], done, _left(column)))
        elif kind == "words" or "missing" in kind:
            left = [each for each in values if each.strip() not in form.get("missing", ())]
            if left or kind == "words":
                marks.setdefault(name, []).append((kind, left, rows, of_rows))
    for name, of_kinds in marks.items():
        said += _of_marks(columns[name], of_kinds)
    folded = call("_columns_to_fold", of_relation)
    for name, values, ways, rows, example in execute(con, folded):
        if name in columns and columns[name].role and name not in form.get("fold", ()):
            have = f"{name}: {values:,} {'value has' if values == 1 else 'values have'} {ways:,} spellings"
            is_qi, why = columns[name].role == "qi", _left(columns[name])
            done = "the most frequent one is read"
            said.append(Finding(f"{have}, in {rows:,} rows", "fold", name, None, is_qi, example, done, why))
    place = {name: i for i, name in enumerate(columns)}
    return sorted(said, key=lambda each: place.get(each.column, len(place)))


def _left(column: Column) -> str:
    """Why a repair is left to the user."""
    return f": left as it is, as {'it is sensitive' if column.role == 'sensitive' else 'it may be kept'}"


def _of_marks(column: Column, of_kinds: Sequence[tuple[str, list[str], int, int]]) -> list[Finding]:
    """What to say of marks of missing values in a column, and of other words among its numbers. One entry is
    active or none: that of a comment has the texts of all."""
    sure = [each for each in of_kinds if each[0] in ("missing", "missing here")]
    unsure = [each for each in of_kinds if each not in sure]
    said = []
    texts = [*dict.fromkeys(text.strip() for _, values, _, _ in sure for text in values)]
    if sure:
        rows, of_rows = sum(each[2] for each in sure), sure[0][3]
        among = " among numbers or dates" if any(each[0] == "missing here" for each in sure) else ""
        have = f"{column.name}: {rows:,} of {of_rows:,} rows have {_listed(texts)}{among}"
        is_qi = column.role == "qi"
        said.append(
            Finding(have, "missing_in", column.name, texts, is_qi, (), "read as missing", _left(column))
        )
    for kind, values, rows, of_rows in unsure:
        words = [text.strip() for text in values]
        if not words:
            among = "a text among numbers or dates: it is left as it is, and the column is read as text"
            said.append(Finding(f"{column.name}: {rows:,} of {of_rows:,} rows have {among}"))
            continue
        among = " among numbers or dates" if kind == "words" else ""
        have = f"{column.name}: {rows:,} of {of_rows:,} rows have {_listed(words)}{among}"
        left, every = ": does this mean that nothing is known? It is left as it is", [*texts, *words]
        said.append(Finding(have, "missing_in", column.name, every, False, (), "read as missing", left))
    return said


def same_columns(con: duckdb.DuckDBPyConnection, table: str, columns: Sequence[Column]) -> list[Finding]:
    """Which quasi-identifiers say what others say."""
    looked_at = [c.name for c in columns if c.role == "qi" and 1 < c.distinct <= MOST_VALUES][:MOST_COLUMNS]
    if len(looked_at) < 2:
        return []
    query = call("_columns_that_follow", f"query_table({render(literal(table))})", looked_at)
    followers: dict[str, list[str]] = {}
    said = []
    for follows, other, both_ways in execute(con, query):
        if both_ways:
            said.append(Finding(f"{other} and {follows} say the same: one of them is enough"))
        else:
            followers.setdefault(follows, []).append(other)
    return said + [
        Finding(f"{follows} follows from {' or '.join(others)}: without it releases lose less")
        for follows, others in followers.items()
    ]


def person(con: duckdb.DuckDBPyConnection, table: str, columns: Sequence[Column]) -> Person | None:
    """The column that is proposed as the unit: the one with the fewest values that puts rows together whose
    people are the same by what they have once: birth and sex; else years and two values, which may be these
    (hospitals have such, too, but patients of several ages)."""
    had: dict[str | None, list[str]] = {}
    for each in columns:
        had.setdefault(each.had_once, []).append(each.name)
    births = had.get("birth", [])
    surely = [*births, *had.get("sex", [])]
    pairs = itertools.product(had.get("years", []), had.get("two values", []))
    perhaps = [[*pair, *had.get("age", [])] for pair in itertools.islice(pairs, MOST_PAIRS)]
    evidence = [surely] if surely else perhaps
    candidates = [
        each for each in columns
        if each.name not in surely and each.role != "sensitive" and 1 < each.distinct <= each.values
        and each.type in ("VARCHAR", "BIGINT", "INTEGER", "HUGEINT", "UUID")
        and (births or each.may_number or each.repeats)
    ]  # fmt: skip
    chosen, finer = None, None
    for each in sorted(candidates, key=lambda column: -column.distinct):
        for once in evidence:
            if each.name in once:
                continue
            merged = call("_merged_by", f"query_table({render(literal(table))})", each.name, finer, once)
            [(joined, agreeing, is_person)] = execute(con, merged)
            if is_person:
                chosen, finer, evidence = Person(each.name, once, joined, agreeing), each.name, [once]
                break
    return chosen
