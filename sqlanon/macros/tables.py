# Written by `make reference` from the comments in sql/tables/.
"""The macros of sql/tables/ as functions: `sqlanon.core.answer` says what an answer is."""

from __future__ import annotations

from collections.abc import Iterable

import duckdb

from sqlanon.core.answer import Names
from sqlanon.core.answer import answer as answer_of
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, names


@connection_first
def cell_states(
    con: duckdb.DuckDBPyConnection,
    published: Source,
    bounds: Source,
    dimensions: Names,
    cells: Source = None,
    threshold: int | None = None,
    zeros: bool = False,
    dominance: Iterable[float] | None = None,
    p: float | None = None,
    q: float = 100,
    response: str | None = None,
    shares: bool = False,
    structural: Source = None,
    total: str = "total",
    value_column: str = "value",
    safety_range: float = 10,
    whole: bool = True,
) -> duckdb.DuckDBPyRelation:
    """Tells what has become of every cell of a published table: it is shown, hidden well enough, or known
    although it is hidden: one row per cell.

    Parameters:
    - published (table): the published cells, totals among them: the columns in dimensions and value_column.
    - bounds (table): what is known of those that are hidden or rounded, as cell_bounds says of published.
    - dimensions (columns): by which the cells are grouped.
    - cells (table): the publisher's own cells, as table_cells makes them. Without them no rule is asked
      about.
    - threshold (integer, at least 1): the least number of contributors of a cell that has any.
    - zeros (boolean): a cell with the value 0 is unsafe, too: it says of everybody in it, or of everybody who
      might be, that there is nothing.
    - dominance (list of numbers): two percentages of the value, which the largest contribution, and the
      largest two, may have at most, such as [75, 85]; NULL: any.
    - p (number, above 0): the p % rule. What is left of the value without the largest two contributions must
      be at least p % of the largest.
    - q (number, above 0): with it the p/q rule: at least p/q of the largest, where everybody knows
      contributions within q % beforehand.
    - response (column): the dimension that is asked about people, an illness say. A cell must not have all
      contributors of its row (its total over the response), nor none of them.
    - shares (boolean): cells are published as shares of their row, so that threshold is for its contributors
      and for those who are not in the cell, too.
    - structural (table): cells that everybody knows to be empty, with the columns in dimensions. No rule is
      about zeros there.
    - total (text): the mark of a total in the columns of dimensions; with NULL it is NULL.
    - value_column (column): what is published.
    - safety_range (number, above 0): of sums: how far above and below the value of a cell that breaks a rule
      about contributors estimates have to reach, in percent of it.
    - whole (boolean): the values are whole numbers, as counts are.

    Result:
    - <dimensions> (text): the cell.
    - contributors (integer): how many people or rows there are; NULL without cells.
    - value (number): the true value; NULL without cells.
    - shown (text): what is published.
    - lower (number): the least that the cell can be; NULL: its value is published.
    - upper (number): the largest; NULL: unbounded, or its value is published.
    - unfinished (boolean): narrower bounds may exist; NULL: its value is published.
    - rules (list of texts): the rules that it breaks by itself, as of unsafe_cells.
    - state (text): shown; unsafe: it breaks a rule, and its value is published; protected: it is hidden or
      rounded, and not known; known: it is hidden or rounded and known all the same, exactly or, if it breaks
      a rule, too closely; unfinished: it may be known.

    Errors: unknown column, rules without cells, cells that only one of the tables has, a cell that is there
    twice; those of unsafe_cells.

    Notes: a cell that breaks a rule is known too closely by its interval as in suppress_cells. Of a rounded
    count as many numbers as threshold must be possible; a small one may be known to be small. What
    contributors know of each other suppress_cells regards, and this does not.

    Source: Hundepool et al. 2012, Statistical Disclosure Control, ch. 4.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.cell_states(con, "shown", "bound", dimensions=["place", "disease"])
    """
    return answer_of(
        con,
        "cell_states",
        published,
        bounds,
        dimensions=names(dimensions, "dimensions"),
        cells=cells,
        threshold=threshold,
        zeros=zeros,
        dominance=None if dominance is None else list(dominance),
        p=p,
        q=q,
        response=response,
        shares=shares,
        structural=structural,
        total=total,
        value_column=value_column,
        safety_range=safety_range,
        whole=whole,
    )


@connection_first
def cell_sums(
    con: duckdb.DuckDBPyConnection,
    cells: Source,
    dimensions: Names,
    value_column: str = "value",
    total: str = "total",
    hierarchies: Source = None,
) -> duckdb.DuckDBPyRelation:
    """Lists the sums that each hidden cell of a published table is in, and what they leave for it: one row
    per cell and sum.

    Parameters:
    - cells (table): the published cells, totals among them: the columns in dimensions and value_column.
    - dimensions (columns): by which the cells are grouped.
    - value_column (column): what is published, a number or a text: a number, <5, or a mark of a hidden cell.
      NULL: hidden.
    - total (text): the mark of a total in the columns of dimensions; with NULL it is NULL.
    - hierarchies (table): attribute, value, level, label. The labels of a dimension are then values and
      labels of its hierarchy, each the sum of those below it.

    Result:
    - <dimensions> (text): the hidden cell, one without a number.
    - dimension (text): over which the sum goes.
    - left_over (number): the total less all parts that are shown; NULL: the total is hidden.
    - hidden (integer): how many cells of the sum are hidden, the total among them. With 1 the cell is known.
    - told (text): the same in words.

    Errors: unknown column, empty table, a column named twice, a label that the hierarchy lacks, a hierarchy
    that is no tree.

    Notes: this says how a cell may follow from one sum at a time. What several sums tell together cell_bounds
    says. A rounded number counts as what it says.

    Source: Hundepool et al. 2012, Statistical Disclosure Control, ch. 4.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.cell_sums(con, "cells", dimensions=["place", "disease"], value_column="n")
    """
    return answer_of(
        con,
        "cell_sums",
        cells,
        dimensions=names(dimensions, "dimensions"),
        value_column=value_column,
        total=total,
        hierarchies=hierarchies,
    )
