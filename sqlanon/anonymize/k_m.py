"""k^m-anonymity of sets of items (Terrovitis, Mamoulis and Kalnis 2008): a cut through their hierarchy."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass

import duckdb
from sqlglot import exp

from sqlanon.core.connection import connection_first
from sqlanon.core.errors import InputError, RefusedError
from sqlanon.core.files import column_names
from sqlanon.core.library import ensure_registered
from sqlanon.core.made_table import MadeTable
from sqlanon.core.source import Source, fresh_name, lower, named
from sqlanon.core.statements import call, count, create, execute, relation, select, table
from sqlanon.core.suggestions import missing_column
from sqlanon.core.tables import WorkTables

OF_ONE = "0"  # the number of the only table of items
AT_ONCE = 20  # one of so many nodes that would help is raised before all sets are looked at again


@dataclass(frozen=True)
class ItemCut(MadeTable):
    """What each item becomes: value, level, label, in a temporary table. loss: the share of the other items
    that a label leaves possible, as the mean over people's items."""

    table: str
    con: duckdb.DuckDBPyConnection | None
    k: int
    m: int
    people: int
    loss: float

    def __str__(self) -> str:
        return (
            f"Whoever knows up to {self.m} items of a person finds none or at least {self.k} of "
            f"{self.people:,} people; information loss {self.loss:.1%}."
        )


@connection_first
def k_m(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    *,
    unit: str,
    item: str,
    hierarchy: Source,
    k: int,
    m: int = 2,
) -> ItemCut:
    """Find to which labels items of people, such as their diagnoses, must be generalized to be k^m-anonymous:
    any m items or fewer that are known of a person are those of at least k people, or of none.

    source: a row per person and item. unit: the column that says whose a row is; item: the one with the item.
    hierarchy: rows of value, level and label for every item (as `interval_hierarchy` and others make), or of
    attribute, too. k, m: at least 1. The same item becomes the same label for everybody: join the answer by
    value, and release each label once per person.

    Sets of one item are looked at first, then of two, up to m. As long as some are rare, that node of the
    hierarchy takes the place of all below it which mends most of them for its size. So the cut is good, and
    not always the best one. Nothing is promised of somebody who knows more than m items, that somebody has an
    item not, or how often.

    Errors: RefusedError, if fewer than k people have items; InputError for a missing column, rows without
    person or item, and items that the hierarchy lacks.
    """
    ensure_registered(con)
    for name, given in (("k", k), ("m", m)):
        if type(given) is not int or given < 1:
            raise InputError(f"{name} must be a whole number of at least 1, not {given!r}")
    with ExitStack() as stack:
        tbl, of = (stack.enter_context(named(con, each)) for each in (source, hierarchy))
        work = stack.enter_context(WorkTables(con))
        for named_so, columns, title in (
            (tbl, [unit, item], "the source"), (of, ["value", "level", "label"], "the hierarchy"),
        ):  # fmt: skip
            if problem := missing_column(columns, column_names(con, named_so), title):
                raise InputError(problem.removeprefix(": "))
        entries = select(relation(of), "value", "level", "label")
        if "attribute" in lower(column_names(con, of)):
            entries = entries.where(exp.func("lower", exp.column("attribute")).eq(item.lower()))
        entries_of = work.make("entries", entries).name
        ladder = work.make("ladder", call("_numbered_ladder", entries_of, OF_ONE)).name
        rows = work.make("rows", call("_rows_with_items", tbl, unit, item)).name
        held = select(call("_numbered_items", rows, OF_ONE).subquery(), "1 as class_id", "person", "value")
        items = work.make("items", held).name
        _check_items(con, rows, items, ladder)
        [(people,)] = execute(con, select(relation(items), "count(distinct person)"))
        if people < k:
            raise RefusedError([f"{people:,} people have items: fewer than k = {k}"])
        cut, _ = frequent_cut(con, work, items, ladder, k, m)
        lost = work.make("lost_by_nodes", call("_losses_of_nodes", ladder)).name
        [(loss,)] = execute(con, select(call("_told_of_items", items, items, cut, lost).subquery(), "loss"))
        made = fresh_name("cut")
        execute(
            con, create(table(made), call("_cut_of_table", cut, OF_ONE).order_by("value"), temporary=True)
        )
    return ItemCut(made, con, k, m, people, loss)


@dataclass(frozen=True)
class CutInClasses:
    """Work tables: of items with their classes, and of the cut, what its nodes lose and the items left."""

    items: str
    cut: str
    lost: str
    left: str


def cut_in_classes(
    con: duckdb.DuckDBPyConnection, work: WorkTables, held: str, classes: str, ladder: str, k: int, m: int
) -> CutInClasses:
    """A cut with which m items or fewer are those of k people in each class of people, or of none there.

    held: a work table of who has which items (person, value); classes: of person and class_id; ladder: as in
    sql/people/item_sets.sql.
    """
    items = work.make("items", call("_items_in_classes", held, classes)).name
    lost = work.make("lost_by_nodes", call("_losses_of_nodes", ladder)).name
    cut, left = frequent_cut(con, work, items, ladder, k, m, lost)
    return CutInClasses(items, cut, lost, left)


def frequent_cut(
    con: duckdb.DuckDBPyConnection,
    work: WorkTables,
    items: str,
    ladder: str,
    k: int,
    m: int,
    lost: str | None = None,
) -> tuple[str, str]:
    """The work tables of a cut and of the items that are left.

    items, ladder: work tables, as in sql/people/item_sets.sql. lost: the one of what nodes lose, if classes
    may lose the rows of a node; without it none does. Errors: InputError where no cut is enough then.
    """  # fmt: skip
    cut, hidden = work.make("cut", call("_cut_at_items", ladder)).name, work.name("hidden")
    for size in range(1, m + 1):
        while True:
            held = work.make("held", call("_nodes_of_people", items, cut)).name
            rare = work.make("rare", call("_rare_sets", held, size, k)).name
            if execute(con, count(relation(rare))) == [(0,)]:
                break
            above = work.make("above", call("_above_the_cut", cut, ladder)).name
            if lost is None:
                better = call("_nodes_to_raise", held, rare, above, k)
            else:
                work.make("hidden", call("_nodes_to_hide", held, rare, lost))
                better = call("_nodes_worth_raising", held, rare, above, k, lost, hidden)
            [(found,)] = execute(con, count(better.subquery()))
            if found:
                # a node that is rare alone has to be raised; of many others several, or it takes long
                most = found if size == 1 and lost is None else max(1, found // AT_ONCE)
                raised = work.make("raised", better.limit(most)).name
                made = work.make("raised_cut", call("_raised_cut", cut, ladder, raised))
                execute(con, create(table(cut), select(made), temporary=True, replace=True))
            elif lost is None:
                raise InputError("the hierarchy has no label at the top that all items have")
            else:
                left = work.make("items_left", call("_items_without", items, cut, hidden))
                items = work.make("items_reported", select(left)).name
    return cut, items


def _check_items(con: duckdb.DuckDBPyConnection, rows: str, items: str, ladder: str) -> None:
    """Errors: InputError for rows of which nobody knows whose they are, or without an item, and for items
    without labels."""
    for column, lacking in (("person", "a person"), ("q1", "an item")):
        [(number,)] = execute(con, count(relation(rows)).where(f"{column} is null"))
        if number:
            raise InputError(f"rows without {lacking}: {number:,}")
    [(unlabelled,)] = execute(con, call("_items_without_labels", items, ladder))
    if unlabelled:
        raise InputError(
            f"items that the hierarchy lacks, or that have not all of its levels: {unlabelled:,}"
        )
