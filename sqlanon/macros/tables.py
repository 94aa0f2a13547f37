# Written by `make reference` from the comments in sql/tables/.
"""The macros of sql/tables/ as functions: `sqlanon.core.answer` says what an answer is."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import Literal

import duckdb

from sqlanon.core.answer import Names
from sqlanon.core.answer import answer as answer_of
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, names
from sqlanon.tables.cell_keys import with_record_keys
from sqlanon.tables.programs import solved


@connection_first
def cell_bounds(
    con: duckdb.DuckDBPyConnection,
    cells: Source,
    dimensions: Names,
    value_column: str = "value",
    total: str | None = "total",
    hierarchies: Source = None,
    *,
    marks: Names = ("", "*", ".", "..", "...", ":", "c", "C", "x", "X"),
    base: float | None = None,
    rounding: Literal["nearest", "random", "midpoint", "controlled"] = "nearest",
    least: float | None = None,
    most: float | None = None,
    lower_column: str | None = None,
    upper_column: str | None = None,
    insiders: str | None = None,
    additive: bool = True,
    whole: bool = True,
    programs: Literal["none", "linear", "integer"] = "linear",
    solver_seconds: float = 60,
    rounds: int = 100,
) -> duckdb.DuckDBPyRelation:
    """Works out what a published table tells of the cells that it hides or rounds: one row per such cell,
    with the least and the largest that it can be.

    Parameters:
    - cells (table): the published cells, totals among them: the columns in dimensions and value_column.
    - dimensions (columns): by which the cells are grouped.
    - value_column (column): what is published, a number or a text: a number, <5, or a mark of a hidden cell.
      NULL: hidden.
    - total (text or NULL): the mark of a total in the columns of dimensions; NULL where that is NULL.
    - hierarchies (table): attribute, value, level, label. The labels of a dimension are then values and
      labels of its hierarchy, each the sum of those below it.
    - marks (list of texts): what hides a value.
    - base (number, above 0): the numbers are rounded to its multiples.
    - rounding (one of nearest, random, midpoint, controlled): how, as in round_cells. Of controlled it is
      assumed that no cell went further.
    - least (number, at least 0): what a hidden cell is at least. If not given, 1 if some cell is shown to be
      0, so that zeros are not hidden, and 0 otherwise; of sums and rounded counts 0.
    - most (number, at least 0): what a hidden cell is at most, such as 4 where counts below 5, and no others,
      are hidden. If not given, anything.
    - lower_column (column): what is known of hidden cells beforehand: the least that each can be; NULL:
      nothing.
    - upper_column (column): the same of the largest.
    - insiders (column): the true values of hidden cells that have only one contributor, who knows them; NULL
      for all other cells. If given, the result also has the intervals that these contributors know.
    - additive (boolean): a total is the sum of its parts. Of people who can be in several parts it is at
      least the largest of them, and at most their sum: false.
    - whole (boolean): the values are whole numbers, as counts are.
    - programs (one of none, linear, integer): how intervals are narrowed where sums alone do not finish: by
      linear programs; then by integer programs where these have left a gap. They run in Python.
    - solver_seconds (number, at least 0): how long the programs take at most.
    - rounds (integer, at least 1): how often bounds are carried from sum to sum at most.

    Result:
    - <dimensions> (text): the cell.
    - lower (number): the least that it can be.
    - upper (number): the largest; NULL: unbounded.
    - insider_lower (number): with insiders: the highest lower bound that the only contributor of another cell
      has; NULL: not worked out.
    - insider_upper (number): with insiders: the lowest upper bound of such a contributor; NULL: unbounded, or
      not worked out.
    - unfinished (boolean): false if these are the least and the largest of all tables that fit what is
      published; true if that is not known.

    Errors: unknown column, empty table, a column named twice, a cell that is there twice, a value that nobody
    can read, several cells without a total among them, a label that the hierarchy lacks, a hierarchy that is
    no tree, totals that contradict the cells.

    Notes: in SQL the programs run once Python has called sqlanon.register_functions(con), with
    sqlanon[tables] installed. Without them, and for what they do not prove in time, the bounds of sums alone
    are returned, and unfinished is true unless these are known to be the narrowest. Bounds are never wrong,
    and unfinished is false only where they are the narrowest: lower is upper; or the open cells and their
    sums form no cycle; or a table that fits, checked in whole numbers, reaches each end; of sums, where the
    programs are solved (within a millionth). A finest cell without a row counts 0; if none has a row, and for
    a total without one, it is not known. What is not published is at least 0.

    Source: Hundepool et al. 2012, Statistical Disclosure Control, ch. 4; Dobra and Fienberg 2000; Freuder
    1982.

    Where they are needed and the extra `tables` is not installed, that is an InputError.

    Example: sqlanon.cell_bounds(con, "cells", dimensions=["place", "disease"], value_column="n")
    """
    return solved(
        con,
        "cell_bounds",
        cells,
        dimensions=names(dimensions, "dimensions"),
        value_column=value_column,
        total=total,
        hierarchies=hierarchies,
        marks=names(marks, "marks"),
        base=base,
        rounding=rounding,
        least=least,
        most=most,
        lower_column=lower_column,
        upper_column=upper_column,
        insiders=insiders,
        additive=additive,
        whole=whole,
        programs=programs,
        solver_seconds=solver_seconds,
        rounds=rounds,
    )


@connection_first
def cell_keys(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    dimensions: Names,
    ptable: Source,
    record_key: str | None = None,
    unit: str | None = None,
    hierarchies: Source = None,
    *,
    total: str = "total",
    empty_cells: bool = True,
    repeating: int = 1,
    key_file: str | PathLike[str] | None = None,
) -> duckdb.DuckDBPyRelation:
    """Counts people in every cell of a table, with all totals, and adds noise by cell keys: the same people
    always get the same noise. One row per cell.

    Parameters:
    - source (table): the raw rows.
    - dimensions (columns): by which the rows are grouped.
    - ptable (table): the perturbation table, with columns pcv (a count), ckey (a cell key) and pvalue (what
      is added), as perturbation_table makes it.
    - record_key (column): a random whole number from 0 to 16777215, that a person keeps for ever, and that
      nobody else knows. It must be given; in Python it can be made from the unit and a secret key.
    - unit (column): says whose a row is. Then a person counts once in a cell, with one key, however many rows
      they have there. If not given, every row is a person.
    - hierarchies (table): attribute, value, level, label. A dimension that has one has a cell for every label
      of it; its root is the total.
    - total (text): marks a total in the columns of dimensions. No label may be the same.
    - empty_cells (boolean): cells without contributors are there, too: every combination of labels.
    - repeating (integer, at least 1): counts above the largest of ptable have the noise of its last counts in
      turn; so many: 250 for a table of the British Office for National Statistics.

    Result:
    - <dimensions> (text): the label of the cell; NULL: the value NULL.
    - value (integer): the count with its noise.

    Errors: unknown column, empty table, a column named twice, a record without a key, a person with several
    keys, keys of a smaller range than those of ptable, a ptable that lacks a pair, has one twice or makes a
    count negative; what table_cells says of hierarchies and labels.

    Notes: totals do not add up. Noise protects against tables that differ in few people, but promises nothing
    as differential privacy does: who knows the largest noise knows each count to within it, and totals may
    tell more (cell_bounds, with lower_column and upper_column). In a table of exactly the same people the key
    of a cell is its noise, so keep record keys and ptable to yourself.

    Source: Fraser and Wooton 2005, A proposed method for confidentialising tabular output to protect against
    differencing; Giessing 2016.

    Without record_key the keys are keyed hashes of the unit, which says whose a row is; the secret key is in
    key_file, or in the environment variable SQLANON_KEY. No key, or one that is too short, is an InputError.

    Example: sqlanon.cell_keys(con, "people", dimensions="place", ptable="noise", record_key="key")
    """
    return with_record_keys(
        con,
        "cell_keys",
        source,
        dimensions=names(dimensions, "dimensions"),
        ptable=ptable,
        record_key=record_key,
        unit=unit,
        hierarchies=hierarchies,
        total=total,
        empty_cells=empty_cells,
        repeating=repeating,
        key_file=key_file,
    )


@connection_first
def cell_states(
    con: duckdb.DuckDBPyConnection,
    published: Source,
    bounds: Source,
    dimensions: Names,
    cells: Source = None,
    threshold: int | None = None,
    zeros: bool = False,
    dominance: Iterable[float | None] | None = None,
    p: float | None = None,
    q: float = 100,
    response: str | None = None,
    shares: bool = False,
    structural: Source = None,
    total: str | None = "total",
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
    - dominance (list of numbers or NULL): two percentages of the value, which the largest contribution, and
      the largest two, may have at most, such as [75, 85]; NULL: any.
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
    - total (text or NULL): the mark of a total in the columns of dimensions; NULL where that is NULL.
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
    total: str | None = "total",
    hierarchies: Source = None,
) -> duckdb.DuckDBPyRelation:
    """Lists the sums that each hidden cell of a published table is in, and what they leave for it: one row
    per cell and sum.

    Parameters:
    - cells (table): the published cells, totals among them: the columns in dimensions and value_column.
    - dimensions (columns): by which the cells are grouped.
    - value_column (column): what is published, a number or a text: a number, <5, or a mark of a hidden cell.
      NULL: hidden.
    - total (text or NULL): the mark of a total in the columns of dimensions; NULL where that is NULL.
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


@connection_first
def perturbation_table(
    con: duckdb.DuckDBPyConnection, largest: int, variance: float, blocked: int = 0, keys: int = 4096
) -> duckdb.DuckDBPyRelation:
    """Makes a table of noise for cell_keys, with a given largest noise and variance: one row per count and
    cell key.

    Parameters:
    - largest (integer, 1 to 100): the most by which a count is changed.
    - variance (number, above 0): of the noise, the same for all counts.
    - blocked (integer, 0 to 100): counts from 1 to this are not published: they become 0 or more.
    - keys (integer, 16 to 1000000): how many cell keys there are. Probabilities are multiples of 1/keys.

    Result:
    - pcv (integer): the count, from 1. Larger counts than the last have its noise.
    - ckey (integer): the cell key, from 0.
    - pvalue (integer): what is added to the count.

    Errors: a variance that no noise has which is 0 on average and makes no count less than 0; for a count of
    1 it is below largest, and with blocked above it.

    Notes: of all distributions with this mean, variance and size it is the one of the greatest entropy. A
    count of 0 stays 0. Who has the table and knows a cell key knows the noise: publish largest and variance,
    not the keys.

    Source: Giessing 2016, Computational issues in the design of transition probabilities and disclosure risk
    estimation for additive noise, section 2; Fraser and Wooton 2005.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.perturbation_table(con, largest=2, variance=1.1, keys=16)
    """
    return answer_of(
        con, "perturbation_table", largest=largest, variance=variance, blocked=blocked, keys=keys
    )


@connection_first
def round_cells(
    con: duckdb.DuckDBPyConnection,
    cells: Source,
    dimensions: Names,
    base: float,
    rounding: Literal["nearest", "random", "midpoint", "controlled"] = "nearest",
    *,
    value_column: str = "value",
    total: str | None = "total",
    hierarchies: Source = None,
    seed: int | None = None,
    solver_seconds: float = 60,
) -> duckdb.DuckDBPyRelation:
    """Rounds every cell of a table of counts or sums to a multiple of a base, or to a midpoint between two:
    one row per cell.

    Parameters:
    - cells (table): the cells, as table_cells makes them: the columns in dimensions and value_column.
    - dimensions (columns): by which the cells are grouped.
    - base (number, above 0): of which multiples are made.
    - rounding (one of nearest, random, midpoint, controlled): nearest, halves up. random: to one of both
      neighbouring multiples, up with the probability that makes the result right on average. midpoint: of the
      interval above one multiple and up to the next, so that 6 to 10 become 7.5 with a base of 5; 0 stays 0.
      controlled: to one of both neighbouring multiples such that totals are still the sums of their parts.
    - value_column (column): what is rounded.
    - total (text or NULL): the mark of a total in the columns of dimensions; NULL where that is NULL.
    - hierarchies (table): those that the cells were made with: for controlled.
    - seed (integer): fixes what random draws: a cell, by its labels, has the same draw in every table. Keep
      it secret. Without it each call draws anew, and the mean of several gives values back.
    - solver_seconds (number, at least 0): how long controlled rounding takes at most.

    Result:
    - <dimensions> (text): the cell.
    - value (number): the rounded value.
    - further (boolean): controlled rounding took neither of the neighbouring multiples, since no such table
      adds up.

    Errors: unknown column, empty table, a column named twice, a cell that is there twice, a value that is no
    number of at least 0; controlled: a total that is lacking or does not add up, a label that the hierarchy
    lacks, solver_seconds that are over, in SQL functions that are not registered.

    Notes: but for controlled, cells are rounded one by one, so totals are not the sums of what is shown.
    cell_bounds (base, rounding) tells which cells are known more exactly by their totals. What controlled
    rounding shows is known to within less than a base, as of random, if no cell went further; further is for
    the publisher. The same table is rounded in the same way each time. Who contributes does not matter: the
    rounded sum of one person's salary is that salary, rounded.

    Source: Hundepool et al. 2012, Statistical Disclosure Control, ch. 5; Cox 1987, A constructive procedure
    for unbiased controlled rounding.

    Where they are needed and the extra `tables` is not installed, that is an InputError.

    Example: sqlanon.round_cells(con, "cells", dimensions=["zip", "disease"], base=3)
    """
    return solved(
        con,
        "round_cells",
        cells,
        dimensions=names(dimensions, "dimensions"),
        base=base,
        rounding=rounding,
        value_column=value_column,
        total=total,
        hierarchies=hierarchies,
        seed=seed,
        solver_seconds=solver_seconds,
    )


@connection_first
def suppress_cells(
    con: duckdb.DuckDBPyConnection,
    cells: Source,
    dimensions: Names,
    threshold: int | None = None,
    zeros: bool = False,
    dominance: Iterable[float | None] | None = None,
    p: float | None = None,
    q: float = 100,
    *,
    response: str | None = None,
    shares: bool = False,
    structural: Source = None,
    total: str | None = "total",
    hierarchies: Source = None,
    cost: Literal["cells", "contributors", "value"] = "cells",
    publish: Source = None,
    safety_range: float = 10,
    additive: bool = True,
    whole: bool = True,
    solver_seconds: float = 60,
) -> duckdb.DuckDBPyRelation:
    """Hides the cells of a table that break a rule, and so many others that nobody can work them out of
    totals: one row per cell, with its value or without.

    Parameters:
    - cells (table): the cells, as table_cells makes them: the columns in dimensions, contributors, value,
      largest and second.
    - dimensions (columns): by which the cells are grouped.
    - threshold (integer, at least 1): the least number of contributors of a cell that has any.
    - zeros (boolean): a cell with the value 0 is unsafe, too: it says of everybody in it, or of everybody who
      might be, that there is nothing.
    - dominance (list of numbers or NULL): two percentages of the value, which the largest contribution, and
      the largest two, may have at most, such as [75, 85]; NULL: any.
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
    - total (text or NULL): the mark of a total in the columns of dimensions; NULL where that is NULL.
    - hierarchies (table): those that the cells were made with.
    - cost (one of cells, contributors, value): what is hidden as little as can be found.
    - publish (table): cells that must be shown, with the columns in dimensions.
    - safety_range (number, above 0): of sums: how far above and below the value of a cell that breaks a rule
      about contributors estimates have to reach, in percent of it.
    - additive (boolean): a total is the sum of its parts. Of people who can be in several parts it is at
      least the largest of them, and at most their sum: false.
    - whole (boolean): the values are whole numbers, as counts are.
    - solver_seconds (number, at least 0): how long the programs take at most, and then the attack on what
      would leave.

    Result:
    - <dimensions> (text): the cell.
    - value (number): what can be published; NULL: hidden.
    - hidden (text): why: primary, it breaks a rule; secondary, it protects others; NULL where it is shown. It
      is for the publisher: publish one mark for both.

    Errors: as of unsafe_cells; totals that do not add up, or are lacking; an unsafe cell that publish names;
    a cell that cannot be protected; solver_seconds that are over; in SQL, functions that are not registered.
    Then there are no rows.

    Notes: at least threshold different numbers remain possible for an unsafe count, one of them threshold or
    more; estimates of an unsafe sum reach as far as the rule takes (protection of unsafe_cells), or
    safety_range. All this holds for outsiders, and for whoever is the only contributor of another hidden cell
    and knows it; and the hidden cells of each sum meet threshold, dominance and p together. Zeros are shown,
    and everybody takes a hidden count to be at least 1, unless zeros are unsafe. Tables that were published
    before are not regarded, nor what somebody learns who knows how cells were chosen, nor people who are
    among the largest contributors of several cells. In SQL call sqlanon.register_functions(con) in Python
    first, with the extra tables installed.

    Source: Hundepool et al. 2012, Statistical Disclosure Control, ch. 4.

    Where they are needed and the extra `tables` is not installed, that is an InputError.

    Example: sqlanon.suppress_cells(con, "counted", dimensions=["place", "disease"], threshold=3)
    """
    return solved(
        con,
        "suppress_cells",
        cells,
        dimensions=names(dimensions, "dimensions"),
        threshold=threshold,
        zeros=zeros,
        dominance=None if dominance is None else list(dominance),
        p=p,
        q=q,
        response=response,
        shares=shares,
        structural=structural,
        total=total,
        hierarchies=hierarchies,
        cost=cost,
        publish=publish,
        safety_range=safety_range,
        additive=additive,
        whole=whole,
        solver_seconds=solver_seconds,
    )


@connection_first
def table_cells(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    dimensions: Names,
    measure: str | None = None,
    unit: str | None = None,
    hierarchies: Source = None,
    weight: str | None = None,
    *,
    total: str = "total",
    empty_cells: bool = True,
    linked: Iterable[Iterable[str]] | None = None,
) -> duckdb.DuckDBPyRelation:
    """Makes the cells of a table of counts or sums, with all totals, and says who contributes to each: one
    row per cell.

    Parameters:
    - source (table): the raw rows.
    - dimensions (columns): by which the rows are grouped.
    - measure (column): what is summed, a number of at least 0 in every row. If not given, contributors are
      counted.
    - unit (column): says whose a row is. Then contributors are people, whose rows in a cell are added up
      first, also for totals. If not given, every row is a contributor.
    - hierarchies (table): attribute, value, level, label. A dimension that has one has a cell for every label
      of it; its root is the total.
    - weight (column): for a table of counts: how many people each row stands for, a whole number of at least
      0. The result is the same as if each row were repeated that often. Rows with 0 are left out. Not
      together with unit.
    - total (text): marks a total in the columns of dimensions. No label may be the same.
    - empty_cells (boolean): cells without contributors are there, too: every combination of labels.
    - linked (list of lists of columns): several tables, each by some of the dimensions, that are published
      together and share cells: [['ward', 'age'], ['ward', 'sex']]. Only their cells are there, each once.
      Over the dimensions that a table does not have its cells are totals. If not given, one table by all
      dimensions.

    Result:
    - <dimensions> (text): the label of the cell; NULL: the value NULL.
    - contributors (integer): how many people or rows there are.
    - value (number): the sum of the measure; without one, the contributors.
    - largest (number): the largest contribution; NULL without one, or without a measure.
    - second (number): the second largest.
    - is_empty (boolean): the cell has no contributors.

    Errors: unknown column, empty table, a column named twice, a column in linked that is no dimension, unit
    together with weight, a measure that is NULL, NaN, infinite, below 0 or no number, a hierarchy that lacks
    a value or is no tree, or in which one label stands for different values at several levels, a label that
    is also the mark of a total.

    Notes: people are not additive. Who has rows in several cells counts once in their total, so a total of
    contributors can be less than its parts; sums of a measure are additive. Those without a unit (NULL) are
    one person. All combinations of labels can be many: without empty_cells there are only those with
    contributors.

    Source: Hundepool et al. 2012, Statistical Disclosure Control, ch. 4.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.table_cells(con, "people", dimensions=["zip", "disease"], measure="income")
    """
    return answer_of(
        con,
        "table_cells",
        source,
        dimensions=names(dimensions, "dimensions"),
        measure=measure,
        unit=unit,
        hierarchies=hierarchies,
        weight=weight,
        total=total,
        empty_cells=empty_cells,
        linked=linked,
    )


@connection_first
def unsafe_cells(
    con: duckdb.DuckDBPyConnection,
    cells: Source,
    dimensions: Names,
    threshold: int | None = None,
    zeros: bool = False,
    dominance: Iterable[float | None] | None = None,
    p: float | None = None,
    q: float = 100,
    *,
    response: str | None = None,
    shares: bool = False,
    structural: Source = None,
    total: str | None = "total",
) -> duckdb.DuckDBPyRelation:
    """Finds the cells of a table that cannot be published as they are: one row per cell and rule that it
    breaks. No rows: by these rules every cell is safe.

    Parameters:
    - cells (table): the cells, as table_cells makes them: the columns in dimensions, contributors, value,
      largest and second.
    - dimensions (columns): by which the cells are grouped.
    - threshold (integer, at least 1): the least number of contributors of a cell that has any.
    - zeros (boolean): a cell with the value 0 is unsafe, too: it says of everybody in it, or of everybody who
      might be, that there is nothing.
    - dominance (list of numbers or NULL): two percentages of the value, which the largest contribution, and
      the largest two, may have at most, such as [75, 85]; NULL: any.
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
    - total (text or NULL): the mark of a total in the columns of dimensions; NULL where that is NULL.

    Result:
    - <dimensions> (text): the cell.
    - rule (text): the rule that it breaks: minimum, zero, dominance_1, dominance_2, p, all, none; with shares
      also denominator (its row has too few contributors) and difference (too few of its row are not in it).
    - reached (number): contributors; with dominance the percentage that the largest have; with p what is
      left.
    - required (number): what it should be at least, with dominance at most; of all and none the contributors
      of the row.
    - protection (number): of dominance and p: how far above the value an estimate has to reach at least, if
      the cell is hidden; NULL for other rules.

    Errors: unknown column, empty table, a column named twice, no rule, a cell that is there twice,
    contributors or a value that are no numbers of at least 0, dominance or p for cells without contributions,
    a response that is no dimension; zeros or response for a table that lacks empty cells, or a total over the
    response.

    Notes: a mean is safe if the cell with its contributors is safe by threshold. The rules look at each cell
    by itself. For what totals tell of hidden cells, and one contributor of another, see cell_bounds.

    Source: Hundepool et al. 2012, Statistical Disclosure Control, ch. 4; Willenborg and de Waal 2001.

    The answer is a relation over a temporary table: it can be read again, filtered and joined, and stays as
    it is as long as the connection.

    Example: sqlanon.unsafe_cells(con, "cells", dimensions="disease", threshold=4, p=60)
    """
    return answer_of(
        con,
        "unsafe_cells",
        cells,
        dimensions=names(dimensions, "dimensions"),
        threshold=threshold,
        zeros=zeros,
        dominance=None if dominance is None else list(dominance),
        p=p,
        q=q,
        response=response,
        shares=shares,
        structural=structural,
        total=total,
    )
