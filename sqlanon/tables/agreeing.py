"""Tables that contradict each other: what those of them that agree tell is still reported.

Groups of tables that agree are found in their order: a table that contradicts those before it is left out,
and begins a group of its own. So whatever some first tables tell, they tell when others come that contradict
them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.core.files import column_names
from sqlanon.core.source import lower
from sqlanon.core.statements import count, execute, select

OF_EACH = ("filters", "periods", "titles")  # lists of one entry for each table, and then for each release
OF_SOME = ("sum_column", "mean_column", "lower_column", "upper_column")  # columns that some have
CONTRADICTION = "contradiction"  # found_by, of the row that tells of one

Group = tuple[int, ...]


def groups_that_agree(number: int, agree: Callable[[Group], bool]) -> list[Group]:
    """Groups of so many tables, by number from 0, that cannot be larger. agree: do these?"""

    def beginning_with(first: Group) -> Group:
        chosen = first
        for i in range(number):
            if i not in chosen and agree(larger := tuple(sorted((*chosen, i)))):
                chosen = larger
        return chosen

    groups = [beginning_with(())]
    for i in range(number):
        if i not in groups[0] and agree((i,)) and (group := beginning_with((i,))) not in groups:
            groups.append(group)
    return [group for group in groups if group]


def arguments_of(
    group: Group, given: Mapping[str, Any], columns: Sequence[set[str]]
) -> dict[str, Any] | None:
    """The arguments of tables_together for some of the tables; None if these are releases alone. columns:
    of each table and release, in lower case."""
    tables, releases = list(given["tables"]), list(given.get("releases") or [])
    every = [*tables, *releases]
    there = {name for i in group for name in columns[i]}
    own = {**given, "tables": [every[i] for i in group if i < len(tables)]}
    if not own["tables"]:
        return None
    own["releases"] = [every[i] for i in group if i >= len(tables)] or None
    own["dimensions"] = [name for name in given["dimensions"] if name.lower() in there]
    for name in OF_EACH:
        if given.get(name) is not None:
            own[name] = [given[name][i] for i in group]
    for name in OF_SOME:
        if given.get(name) is not None and given[name].lower() not in there:
            own[name] = None
    return own


def known_in_all(
    con: duckdb.DuckDBPyConnection, given: Mapping[str, Any], make: Callable[[Mapping[str, Any]], exp.Table]
) -> exp.Table | exp.Subquery:
    """What tables tell, and where they contradict each other also what those tell that agree. given: the
    arguments of tables_together, with names of tables; make: its answer to some, as a table."""

    def contradict(answer: exp.Table) -> bool:
        of_them = count(answer.copy()).where(f"found_by = '{CONTRADICTION}'")
        return bool(execute(con, of_them) != [(0,)])

    every = make(given)
    if not contradict(every):
        return every
    tables = [*given["tables"], *(given.get("releases") or [])]
    columns = [{*lower(column_names(con, table))} for table in tables]
    answers: dict[Group, exp.Table] = {}

    def agree(group: Group) -> bool:
        if len(group) == len(tables):
            return False
        arguments = arguments_of(group, given, columns)
        if arguments is None:
            return True
        if group not in answers:
            answers[group] = make(arguments)
        return not contradict(answers[group])

    groups = groups_that_agree(len(tables), agree)
    every_answer = [every, *(answers[group] for group in groups if group in answers)]
    if len(every_answer) == 1:  # each contradicts itself
        return every
    return exp.union(*map(select, every_answer)).subquery("every")
