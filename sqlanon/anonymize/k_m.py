"""k^m-anonymity of sets of items (Terrovitis, Mamoulis and Kalnis 2008): a cut through their hierarchy."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass

import duckdb

from sqlanon.core.connection import connection_first
from sqlanon.core.errors import InputError, RefusedError
from sqlanon.core.files import column_names
from sqlanon.core.library import ensure_registered
from sqlanon.core.made_table import MadeTable
from sqlanon.core.source import Source, fresh_name, lower, named
from sqlanon.core.statements import call, count, create, execute, relation, select, table
from sqlanon.core.suggestions import missing_column
from sqlanon.core.tables import WorkTables


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
        attribute = item if "attribute" in lower(column_names(con, of)) else None
        ladder = work.make("ladder", call("_ladder_of_items", of, attribute)).name
        items = work.make("items", call("_items_of_people", tbl, unit, item)).name
        _check_items(con, items, ladder)
        [(people,)] = execute(con, select(relation(items), "count(distinct person)"))
        if people < k:
            raise RefusedError([f"{people:,} people have items: fewer than k = {k}"])
        cut = work.make("cut", call("_cut_at_items", ladder)).name
        for size in range(1, m + 1):
            while True:
                held = work.make("held", call("_nodes_of_people", items, cut)).name
                rare = work.make("rare", call("_rare_sets", held, size, k))
                if execute(con, count(rare)) == [(0,)]:
                    break
                above = work.make("above", call("_above_the_cut", cut, ladder)).name
                best = call("_nodes_to_raise", held, rare.name, above, k).limit(1)
                found = execute(con, best)
                if not found:
                    raise InputError("the hierarchy has no label at the top that all items have")
                [(level, label)] = found
                raised = work.make("raised", call("_raised_cut", cut, ladder, level, label))
                execute(con, create(table(cut), select(raised), temporary=True, replace=True))
        [(loss,)] = execute(con, call("_loss_of_cut", items, cut, ladder))
        made = fresh_name("cut")
        execute(con, create(table(made), select(relation(cut)).order_by("value"), temporary=True))
    return ItemCut(made, con, k, m, people, loss)


def _check_items(con: duckdb.DuckDBPyConnection, items: str, ladder: str) -> None:
    """Errors: InputError for rows of which nobody knows whose they are, and for items without labels."""
    [(nobodys,)] = execute(con, count(relation(items)).where("person is null"))
    if nobodys:
        raise InputError(f"rows without a person: {nobodys:,}")
    [(lacking,)] = execute(con, call("_items_without_labels", items, ladder))
    if lacking:
        raise InputError(f"items that the hierarchy lacks, or that have not all of its levels: {lacking:,}")
