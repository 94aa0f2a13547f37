# Written by `make reference` from the comments in sql/tables/.
"""The macros of sql/tables/ as functions: `sqlanon.core.answer` says what an answer is."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import Literal

import duckdb

from sqlanon.core.answer import Filters, Names
from sqlanon.core.answer import answer as answer_of
from sqlanon.core.connection import connection_first
from sqlanon.core.source import Source, filters_given, listed, names
from sqlanon.tables.cell_keys import with_record_keys
from sqlanon.tables.programs import solved, solved_together


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
    """Computes bounds for the cells that a published table hides or rounds, from its totals: one row per such
    cell, with the smallest and the largest possible value.

    Parameters:
    - cells (table): the published cells, including totals: the columns in dimensions and value_column.
    - dimensions (columns): the columns by which the cells are grouped.
    - value_column (column): the published value, a number or a text: a number, <5, or a mark of a hidden
      cell. NULL: hidden.
    - total (text or NULL): the mark of a total in the columns of dimensions; NULL if totals are marked by
      NULL.
    - hierarchies (table): rows of attribute, value, level and label. The labels of a dimension are then
      values and labels of its hierarchy, each the sum of those below it.
    - marks (list of texts): the marks of hidden cells; a number among them, such as 0, is a mark, too, and no
      value.
    - base (number, above 0): if given, the published numbers are rounded to multiples of it.
    - rounding (one of nearest, random, midpoint, controlled): the rounding, as in round_cells. For
      controlled, it is assumed that no cell was rounded further.
    - least (number, at least 0): the smallest value of a hidden cell. If not given: 1 if some cell is shown
      to be 0, so that zeros are not hidden, and 0 otherwise; for sums and rounded counts 0.
    - most (number, at least 0): the largest value of a hidden cell, such as 4 if exactly the counts below 5
      are hidden. If not given, there is no limit.
    - lower_column (column): prior knowledge about hidden cells: the smallest value that each can have; NULL:
      nothing is known.
    - upper_column (column): the same for the largest value.
    - insiders (column): the true values of hidden cells that have only one contributor, who knows them; NULL
      for all other cells. If given, the result also has the intervals that these contributors know.
    - additive (boolean): true: a total is the sum of its parts. false: people can be in several parts, so a
      total is at least the largest part, and at most the sum.
    - whole (boolean): the values are whole numbers, as counts are.
    - programs (one of none, linear, integer): how intervals are narrowed if the sums alone do not prove that
      they are exact: by linear programs, or then also by integer programs. They run in Python.
    - solver_seconds (number, at least 0): the time limit of the programs.
    - rounds (integer, at least 1): the largest number of rounds in which bounds are passed from sum to sum.

    Result:
    - <dimensions> (text): the cell.
    - lower (number): the smallest possible value.
    - upper (number): the largest possible value; NULL: unbounded.
    - insider_lower (number): with insiders: the highest lower bound that the only contributor of another cell
      can compute; NULL: not computed.
    - insider_upper (number): with insiders: the lowest upper bound of such a contributor; NULL: unbounded, or
      not computed.
    - unfinished (boolean): false if these are the smallest and the largest value in all tables that agree
      with the published numbers; true if that is not proven.

    Errors: unknown column, empty table, a column named twice, a cell that is there twice, a value that cannot
    be read, several cells without a total among them, a label that the hierarchy lacks, a hierarchy that is
    not a tree, totals that contradict the cells.

    Notes: to use the programs in SQL, call sqlanon.register_functions(con) in Python first, with
    sqlanon[tables] installed. Without them, and for cells for which they prove nothing in time, the bounds of
    the sums alone are returned, and unfinished is true unless these are known to be the narrowest. Bounds are
    never wrong, and unfinished is false only if they are the narrowest: because lower equals upper; or the
    open cells and their sums form no cycle; or a table that agrees, checked in whole numbers, reaches each
    end; or, for sums of a measure, the programs are solved. Sums of decimals are added up in whole units of
    the last decimal, and their bounds are exact; of DOUBLEs that have no end, a cell whose bounds differ by
    no more than a billionth is known: lower and upper are the same. A cell of the finest level without a row
    counts 0; if no such cell has a row, their values are not known, and neither is a total without a row.
    Values that are not published are at least 0.

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
    - dimensions (columns): the columns by which the rows are grouped.
    - ptable (table): the perturbation table, with columns pcv (a count), ckey (a cell key) and pvalue (the
      noise), as perturbation_table returns it.
    - record_key (column): a random whole number from 0 to 16777215 for each person, which never changes and
      is secret. It must be given; in Python it can be made from the unit and a secret key.
    - unit (column): identifies the person of a row. Then a person counts once in a cell, with one key,
      however many rows they have there; p1 and "P1 " are spellings of one person. If not given, every row
      counts as a person.
    - hierarchies (table): rows of attribute, value, level and label. A dimension with a hierarchy has a cell
      for every label; the root is the total.
    - total (text): the mark of a total in the columns of dimensions. No label may be the same.
    - empty_cells (boolean): true: also return cells without contributors, so that there is one for every
      combination of labels.
    - repeating (integer, at least 1): counts above the largest one in ptable get the noise of its last counts
      in turn; this is the number of these counts: 250 for a table of the British Office for National
      Statistics.

    Result:
    - <dimensions> (text): the label of the cell; NULL: the value NULL.
    - value (integer): the count with its noise.

    Errors: unknown column, empty table, a column named twice, a record without a key, a person with several
    keys, keys of a smaller range than those of ptable, a ptable that lacks a pair, has one twice or makes a
    count negative; what table_cells says of hierarchies and labels.

    Notes: totals are not the sums of their cells. Noise protects against comparing tables that differ in few
    people, but does not give a guarantee as differential privacy does: an adversary who knows the largest
    noise knows each count up to that error, and totals may reveal more (cell_bounds, with lower_column and
    upper_column). An exact mean or sum of the same people can undo the noise: publish none beside it
    (tables_together, mean_column). Keep record keys and ptable secret: with them, anybody can compute the
    noise of a cell.

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
    marks: Names = ("", "*", ".", "..", "...", ":", "c", "C", "x", "X"),
) -> duckdb.DuckDBPyRelation:
    """Lists the state of every cell of a published table: shown, hidden and protected, or hidden but known
    all the same: one row per cell.

    Parameters:
    - published (table): the published cells, including totals: the columns in dimensions and value_column.
    - bounds (table): the bounds of the hidden or rounded cells, as cell_bounds returns them for published.
    - dimensions (columns): the columns by which the cells are grouped.
    - cells (table): the publisher's own cells, as table_cells returns them. Without them no rule is checked.
    - threshold (integer, at least 1): the least number of contributors of a cell that is not empty.
    - zeros (boolean): true: a cell with the value 0 is unsafe, too, because it reveals that nobody has this
      combination, or that nobody contributes anything.
    - dominance (list of numbers or NULL): two percentages, such as [75, 85]: the largest share of the value
      that the largest contribution may have, and that the two largest together may have; NULL: any.
    - p (number, above 0): the p % rule: the value without its two largest contributions must be at least p %
      of the largest contribution.
    - q (number, above 0): for the p/q rule: the value without its two largest contributions must be at least
      p/q of the largest, if everybody already knows contributions up to an error of q %.
    - response (column): the dimension with the attribute of interest, such as an illness. A cell must not
      have all contributors of its row (its total over the response), nor none of them.
    - shares (boolean): true: cells are published as shares of their row, so threshold also applies to the
      contributors of the row, and to those of the row who are not in the cell.
    - structural (table): cells that everybody knows to be empty, with the columns in dimensions. Rules about
      zeros do not apply to them.
    - total (text or NULL): the mark of a total in the columns of dimensions; NULL if totals are marked by
      NULL.
    - value_column (column): the published value.
    - safety_range (number, above 0): for sums: how far estimates must reach above and below the value of a
      cell that breaks a rule about contributors, in percent of the value.
    - whole (boolean): the values are whole numbers, as counts are.
    - marks (list of texts): the marks of hidden cells; a number among them, such as 0, is a mark, too, and no
      value.

    Result:
    - <dimensions> (text): the cell.
    - contributors (integer): the number of people or rows; NULL without cells.
    - value (number): the true value; NULL without cells.
    - shown (text): the published value.
    - lower (number): the smallest possible value; NULL: the value is published.
    - upper (number): the largest possible value; NULL: unbounded, or the value is published.
    - unfinished (boolean): true if narrower bounds may exist; NULL: the value is published.
    - rules (list of texts): the rules that it breaks by itself, as of unsafe_cells.
    - state (text): shown; unsafe: it breaks a rule, and its value is published; protected: it is hidden or
      rounded, and not known; known: it is hidden or rounded and known all the same, exactly or, if it breaks
      a rule, too closely; unfinished: it may be known.

    Errors: unknown column, rules without cells, cells that only one of the tables has, a cell that is there
    twice; those of unsafe_cells.

    Notes: suppress_cells explains when the interval of a cell that breaks a rule is too narrow. For a rounded
    count, at least threshold numbers must be possible; that a small count is small may be known. This macro
    does not consider what contributors know about other contributors; suppress_cells does.

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
        marks=names(marks, "marks"),
    )


@connection_first
def cell_sums(
    con: duckdb.DuckDBPyConnection,
    cells: Source,
    dimensions: Names,
    value_column: str = "value",
    total: str | None = "total",
    hierarchies: Source = None,
    marks: Names = ("", "*", ".", "..", "...", ":", "c", "C", "x", "X"),
) -> duckdb.DuckDBPyRelation:
    """Lists the sums that contain a hidden cell of a published table, and what remains of each sum for its
    hidden cells: one row per cell and sum.

    Parameters:
    - cells (table): the published cells, including totals: the columns in dimensions and value_column.
    - dimensions (columns): the columns by which the cells are grouped.
    - value_column (column): the published value, a number or a text: a number, <5, or a mark of a hidden
      cell. NULL: hidden.
    - total (text or NULL): the mark of a total in the columns of dimensions; NULL if totals are marked by
      NULL.
    - hierarchies (table): rows of attribute, value, level and label. The labels of a dimension are then
      values and labels of its hierarchy, each the sum of those below it.
    - marks (list of texts): the marks of hidden cells; a number among them, such as 0, is a mark, too, and no
      value.

    Result:
    - <dimensions> (text): the hidden cell.
    - dimension (text): the dimension of the sum.
    - left_over (number): the total minus all parts that are shown; NULL: the total is hidden.
    - hidden (integer): the number of hidden cells in the sum, including the total. If it is 1, the cell is
      known.
    - told (text): the same in words.

    Errors: unknown column, empty table, a column named twice, a label that the hierarchy lacks, a hierarchy
    that is no tree.

    Notes: this shows how a cell can be computed from one sum. cell_bounds computes what all sums reveal
    together. A rounded number counts as exact.

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
        marks=names(marks, "marks"),
    )


@connection_first
def guess_by_marginals(
    con: duckdb.DuckDBPyConnection,
    tables: Iterable[Source],
    dimensions: Names,
    *,
    value_column: str = "value",
    titles: Names | None = None,
    total: str | None = "total",
    marks: Names = ("", "*", ".", "..", "...", ":", "c", "C", "x", "X"),
    max_atoms: int = 100000,
) -> duckdb.DuckDBPyRelation:
    """Guesses the rows of people from published counts as if their columns were independent: the baseline of
    reconstruct.

    Parameters:
    - tables (list of tables): the published tables of the same people, all without a filter: some of the
      columns in dimensions, and value_column.
    - dimensions (columns): all columns by which the tables are grouped; each table has some of them.
    - value_column (column): as in tables_together: the published count. Hidden ones count 0.
    - titles (list of texts): one per table, then one per release: what it is called in the result; otherwise
      its name.
    - total (text or NULL): the mark of a total in the columns of dimensions; NULL if totals are marked by
      NULL.
    - marks (list of texts): the marks of hidden cells.
    - max_atoms (integer, at least 1): the largest number of combinations of values that are looked at.

    Result:
    - <dimensions> (text): the values.
    - guess (integer): how many people are guessed to have them, at least 1. All together are as many as the
      tables count.

    Errors: unknown column, a table without rows, a cell that is there twice, a value that cannot be read,
    more than max_atoms combinations.

    Notes: shares of values are those of the table that counts most people by a column. A combination is
    guessed as often as is expected, rounded by the largest remainders; of equal ones the first by their
    labels.

    Source: Garfinkel, Abowd and Martindale 2019, Understanding Database Reconstruction Attacks on Public
    Data.

    Example: sqlanon.guess_by_marginals(con, ["by_sex", "by_ward"], dimensions=["sex", "ward"])
    """
    return solved_together(
        con,
        "guess_by_marginals",
        listed(tables, "tables"),
        dimensions=names(dimensions, "dimensions"),
        value_column=value_column,
        titles=names(titles, "titles"),
        total=total,
        marks=names(marks, "marks"),
        max_atoms=max_atoms,
    )


@connection_first
def perturbation_table(
    con: duckdb.DuckDBPyConnection, largest: int, variance: float, blocked: int = 0, keys: int = 4096
) -> duckdb.DuckDBPyRelation:
    """Makes a table of noise for cell_keys, with a given largest noise and variance: one row per count and
    cell key.

    Parameters:
    - largest (integer, 1 to 100): the largest change of a count.
    - variance (number, above 0): the variance of the noise, the same for all counts.
    - blocked (integer, 0 to 100): counts from 1 to this number are never published: they become 0 or a larger
      count.
    - keys (integer, 16 to 1000000): the number of cell keys. Probabilities are multiples of 1/keys.

    Result:
    - pcv (integer): the count, from 1. Larger counts than the last have its noise.
    - ckey (integer): the cell key, from 0.
    - pvalue (integer): the noise that is added to the count.

    Errors: a variance that is impossible for noise with mean 0 that makes no count negative; for a count of 1
    it must be below largest, and with blocked above it.

    Notes: of all distributions with this mean, variance and largest noise, it is the one with the greatest
    entropy. A count of 0 stays 0. Somebody who has the table and knows a cell key knows the noise: publish
    largest and variance, but not the table and the keys.

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
def reconstruct(
    con: duckdb.DuckDBPyConnection,
    tables: Iterable[Source],
    dimensions: Names,
    domain: Source,
    value_column: str = "value",
    filters: Filters | None = None,
    measured: str | None = None,
    mean_column: str | None = None,
    median_column: str | None = None,
    decimals: int | None = None,
    hierarchies: Source = None,
    titles: Names | None = None,
    total: str | None = "total",
    marks: Names = ("", "*", ".", "..", "...", ":", "c", "C", "x", "X"),
    least: float | None = None,
    most: float | None = None,
    lower_column: str | None = None,
    upper_column: str | None = None,
    all_cells: bool = True,
    max_atoms: int = 100000,
    max_sets: int = 10,
    solver_seconds: float = 60,
) -> duckdb.DuckDBPyRelation:
    """Reconstructs the rows of people from published counts, means and medians: one row per combination of
    values that every set of rows which agrees with them has, and the rest of one such set.

    Parameters:
    - tables (list of tables): the published tables: some of the columns in dimensions, and value_column.
    - dimensions (columns): all columns by which the tables are grouped; each table has some of them.
    - domain (table): rows of attribute and value: all values that each of these columns, and measured, can
      have.
    - value_column (column): as in tables_together: the published count.
    - filters (list of texts): one per table: whom it counts, as in tables_together.
    - measured (column): the column that means and medians are of. Its values in domain are numbers.
    - mean_column (column): of some or all of the tables: the mean of the people in a cell, rounded. There is
      somebody in a cell that has one.
    - median_column (column): the same for the median, not rounded. Of a cell whose count is hidden it is not
      used.
    - decimals (integer, at least 0): to how many decimals means are rounded. If not given: as many as each is
      written with.
    - hierarchies (table): rows of attribute, value, level and label: what labels stand for.
    - titles (list of texts): one per table, then one per release: what it is called in the result; otherwise
      its name.
    - total (text or NULL): the mark of a total in the columns of dimensions; NULL if totals are marked by
      NULL.
    - marks (list of texts): the marks of hidden cells.
    - least (number, at least 0): the smallest value of a hidden cell. If not given: 1 in a table that shows a
      0, so that zeros are not hidden, and 0 otherwise.
    - most (number, at least 0): the largest value of a hidden cell. If not given, there is no limit.
    - lower_column (column): of some or all of the tables: the smallest value that each hidden cell can have;
      so a rounded or noisy count is a hidden cell with bounds.
    - upper_column (column): the same for the largest value.
    - all_cells (boolean): true: a combination of the finest labels of a table that has no row counts 0, as
      after GROUP BY. false: nothing is known of it.
    - max_atoms (integer, at least 1): the largest number of combinations of labels that are looked at.
    - max_sets (integer, at least 1): up to how many sets of rows that agree are counted.
    - solver_seconds (number, at least 0): the time limit of the programs.

    Result:
    - <dimensions> (text): the values; a set such as {F, M} if the tables do not tell these apart.
    - <measured> (text): with measured: its value.
    - certain (integer): how many people have them in every set of rows that agrees with the tables.
    - example (integer): how many have them in one of these sets; NULL: none was found in time.
    - sets (integer): how many sets agree; NULL: more than max_sets, or not known.
    - unfinished (boolean): true if time was over: more may be certain.

    Errors: those of tables_together; a column that domain lacks; a measured value, mean or median that is no
    number; tables with which no set of rows agrees.

    Notes: the programs run in Python: in SQL, call sqlanon.register_functions(con) first, with
    sqlanon[tables] installed. Without them nothing is certain, and the only row is unfinished. Each set that
    is found is checked in whole numbers. That no set agrees is an error only where that is shown in exact
    numbers, too; otherwise the only row is unfinished. That there is no further one, and so what is certain,
    is the solver's word. A row with certain = 0 and an example is a guess.

    Source: Garfinkel, Abowd and Martindale 2019, Understanding Database Reconstruction Attacks on Public
    Data.

    Example: sqlanon.reconstruct(con, ["by_sex"], dimensions="sex", domain="domain", measured="age",
    mean_column="mean")
    """
    return solved_together(
        con,
        "reconstruct",
        listed(tables, "tables"),
        dimensions=names(dimensions, "dimensions"),
        domain=domain,
        value_column=value_column,
        filters=filters_given(filters, "filters"),
        measured=measured,
        mean_column=mean_column,
        median_column=median_column,
        decimals=decimals,
        hierarchies=hierarchies,
        titles=names(titles, "titles"),
        total=total,
        marks=names(marks, "marks"),
        least=least,
        most=most,
        lower_column=lower_column,
        upper_column=upper_column,
        all_cells=all_cells,
        max_atoms=max_atoms,
        max_sets=max_sets,
        solver_seconds=solver_seconds,
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
    - cells (table): the cells, as table_cells returns them: the columns in dimensions and value_column.
    - dimensions (columns): the columns by which the cells are grouped.
    - base (number, above 0): values are rounded to multiples of it.
    - rounding (one of nearest, random, midpoint, controlled): nearest: to the nearest multiple, halves up.
      random: to one of the two neighbouring multiples, up with the probability that makes the result right on
      average. midpoint: to the middle of the interval above one multiple and up to the next: with a base of
      5, 6 to 10 become 7.5; 0 stays 0. controlled: to one of the two neighbouring multiples, so that totals
      are still the sums of their parts.
    - value_column (column): the values to round.
    - total (text or NULL): the mark of a total in the columns of dimensions; NULL if totals are marked by
      NULL.
    - hierarchies (table): the hierarchies with which the cells were made: for controlled.
    - seed (integer): fixes the random draws: a cell, identified by its labels, has the same draw in every
      table. Keep it secret. Without a seed, each call draws anew, and the mean of several calls reveals the
      true values.
    - solver_seconds (number, at least 0): the time limit of controlled rounding.

    Result:
    - <dimensions> (text): the cell.
    - value (number): the rounded value.
    - further (boolean): true if controlled rounding used neither of the neighbouring multiples, because
      otherwise totals would not be sums.

    Errors: unknown column, empty table, a column named twice, a cell that is there twice, a value that is not
    a number of at least 0; controlled: a total that is missing or is not the sum of its parts, a label that
    the hierarchy lacks, no result within solver_seconds, in SQL functions that are not registered.

    Notes: except with controlled, cells are rounded one by one, so totals are not the sums of the shown
    cells. cell_bounds (base, rounding) finds cells that are known more exactly because of their totals. With
    controlled, as with random, a value is known up to an error of less than base, if no cell was rounded
    further; do not publish the column further. The same table is rounded in the same way each time. Rounding
    does not depend on contributors: a cell with the salary of one person is that salary, rounded.

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
    """Hides the cells of a table that break a rule, and as many others as necessary so that nobody can
    compute the unsafe ones from totals: one row per cell, with its value or NULL.

    Parameters:
    - cells (table): the cells, as table_cells returns them: the columns in dimensions, contributors, value,
      largest and second.
    - dimensions (columns): the columns by which the cells are grouped.
    - threshold (integer, at least 1): the least number of contributors of a cell that is not empty.
    - zeros (boolean): true: a cell with the value 0 is unsafe, too, because it reveals that nobody has this
      combination, or that nobody contributes anything.
    - dominance (list of numbers or NULL): two percentages, such as [75, 85]: the largest share of the value
      that the largest contribution may have, and that the two largest together may have; NULL: any.
    - p (number, above 0): the p % rule: the value without its two largest contributions must be at least p %
      of the largest contribution.
    - q (number, above 0): for the p/q rule: the value without its two largest contributions must be at least
      p/q of the largest, if everybody already knows contributions up to an error of q %.
    - response (column): the dimension with the attribute of interest, such as an illness. A cell must not
      have all contributors of its row (its total over the response), nor none of them.
    - shares (boolean): true: cells are published as shares of their row, so threshold also applies to the
      contributors of the row, and to those of the row who are not in the cell.
    - structural (table): cells that everybody knows to be empty, with the columns in dimensions. Rules about
      zeros do not apply to them.
    - total (text or NULL): the mark of a total in the columns of dimensions; NULL if totals are marked by
      NULL.
    - hierarchies (table): the hierarchies with which the cells were made.
    - cost (one of cells, contributors, value): what to minimize: the number of hidden cells, their
      contributors, or their sum.
    - publish (table): cells that must be shown, with the columns in dimensions.
    - safety_range (number, above 0): for sums: how far estimates must reach above and below the value of a
      cell that breaks a rule about contributors, in percent of the value.
    - additive (boolean): true: a total is the sum of its parts. false: people can be in several parts, so a
      total is at least the largest part, and at most the sum.
    - whole (boolean): the values are whole numbers, as counts are.
    - solver_seconds (number, at least 0): the time limit of the programs, and then of the attack on the
      result.

    Result:
    - <dimensions> (text): the cell.
    - value (number): the value to publish; NULL: hidden.
    - hidden (text): why the cell is hidden: primary: it breaks a rule; secondary: it protects others; NULL:
      it is shown. Do not publish this column: publish the same mark for both.

    Errors: as of unsafe_cells; totals that are missing, or are not the sums of their parts; an unsafe cell in
    publish; a cell that cannot be protected; no result within solver_seconds; in SQL, functions that are not
    registered. Then there are no rows.

    Notes: for an unsafe count, at least threshold different numbers remain possible, one of them threshold or
    more. Estimates of an unsafe sum reach as far as the rule requires (protection of unsafe_cells), or
    safety_range. This holds for outsiders, and for the only contributor of another hidden cell, who knows its
    value. The hidden cells of each sum meet threshold, dominance and p together. Zeros are shown, so
    everybody knows that a hidden count is at least 1, unless zeros are unsafe, or with response (then read
    what leaves by cell_bounds with least := 0). Of people who contribute nothing estimates reach as far as
    safety_range says of what as many people contribute on average. The macro does not consider tables that
    were published before, adversaries who know how cells were chosen, and people who are among the largest
    contributors of several cells. To use it in SQL, call sqlanon.register_functions(con) in Python first,
    with the extra tables installed.

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
    """Makes the cells of a table of counts or sums, with all totals and the number of contributors: one row
    per cell.

    Parameters:
    - source (table): the raw rows.
    - dimensions (columns): the columns by which the rows are grouped.
    - measure (column): the column to sum, a number of at least 0 in every row. If not given, contributors are
      counted.
    - unit (column): identifies the person of a row. Then contributors are people, and the rows of a person in
      a cell are added up first, also for totals; p1 and "P1 " are spellings of one person. If not given,
      every row is a contributor.
    - hierarchies (table): rows of attribute, value, level and label. A dimension with a hierarchy has a cell
      for every label; the root is the total.
    - weight (column): for a table of counts: how many people each row stands for, a whole number of at least
      0. The result is the same as if each row were repeated that often. Rows with 0 are left out. Not
      together with unit.
    - total (text): the mark of a total in the columns of dimensions. No label may be the same.
    - empty_cells (boolean): true: also return cells without contributors, so that there is one for every
      combination of labels.
    - linked (list of lists of columns): several tables, each by some of the dimensions, that are published
      together and share cells: [['ward', 'age'], ['ward', 'sex']]. The result has only the cells of these
      tables, each once. The cells of a table are totals over the dimensions that it does not have. If not
      given, the result is one table by all dimensions.

    Result:
    - <dimensions> (text): the label of the cell; NULL: the value NULL.
    - contributors (integer): the number of people or rows.
    - value (number): the sum of the measure; without a measure, the contributors.
    - largest (number): the largest contribution; NULL if there is none, or without a measure.
    - second (number): the second largest.
    - is_empty (boolean): the cell has no contributors.

    Errors: unknown column, empty table, a column named twice, a column in linked that is no dimension, unit
    together with weight, a measure that is NULL, NaN, infinite, below 0 or no number, a hierarchy that lacks
    a value or is no tree, or in which one label stands for different values at several levels, a label that
    is also the mark of a total.

    Notes: a person with rows in several cells counts once in their total, so a total of contributors can be
    less than the sum of its parts; sums of a measure are additive. Rows where the unit is NULL count as one
    person. There can be many combinations of labels: with empty_cells := false the result has only those with
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
def tables_together(
    con: duckdb.DuckDBPyConnection,
    tables: Iterable[Source],
    dimensions: Names,
    *,
    value_column: str = "value",
    releases: Iterable[Source] | None = None,
    filters: Filters | None = None,
    periods: Names | None = None,
    growing: bool | None = None,
    varying: Names | None = None,
    hierarchies: Source = None,
    domain: Source = None,
    titles: Names | None = None,
    threshold: int = 5,
    zeros: bool = False,
    total: str | None = "total",
    marks: Names = ("", "*", ".", "..", "...", ":", "c", "C", "x", "X"),
    least: float | None = None,
    most: float | None = None,
    lower_column: str | None = None,
    upper_column: str | None = None,
    all_cells: bool = True,
    sum_column: str | None = None,
    mean_column: str | None = None,
    decimals: int | None = None,
    measure_least: float = 0,
    measure_most: float | None = None,
    measure_step: float | None = None,
    percent: float = 10,
    max_atoms: int = 100000,
    programs: Literal["none", "linear", "integer"] = "linear",
    solver_seconds: float = 60,
    rounds: int = 100,
) -> duckdb.DuckDBPyRelation:
    """Computes what several published tables of counts about the same people reveal together: one row per
    cell that nobody has published, and about which the tables tell more than the threshold allows.

    Parameters:
    - tables (list of tables): the published tables, with totals or without: some of the columns in
      dimensions, and value_column.
    - dimensions (columns): all columns by which the tables are grouped; each table has some of them, or none.
    - value_column (column): the published count, a number or a text: a number, <5, or a mark of a hidden
      cell. NULL: hidden.
    - releases (list of tables): releases of rows about the same people, everybody with one row in each: some
      of the columns in dimensions, as released. Their labels are read as covers reads them.
    - filters (list of texts): one per table, then one per release: whom it counts, as conditions of SQL with
      AND between them, such as age > 30, age between 20 and 29, sex = 'F', ward in ('A', 'B') or ward is
      null; an empty text: everybody.
    - periods (list of texts): one per table, then one per release: as of when it counts, such as 2026-04.
      They are ordered as texts, but digits as numbers: 2026-9 comes before 2026-10.
    - growing (boolean): true: from period to period people are only added, so that the difference of two
      periods is those who came. false: tables of different periods are about different people, and there is
      nothing to compare. NULL: nobody has said; tables of different periods are not compared, and a row says
      so.
    - varying (columns): columns whose values can change from period to period, such as age. What a table says
      of them holds in its own period only.
    - hierarchies (table): rows of attribute, value, level and label: what labels stand for.
    - domain (table): rows of attribute and value: all values that a column can have. Columns that are not in
      it can have any value.
    - titles (list of texts): one per table, then one per release: what it is called in the result; otherwise
      its name.
    - threshold (integer, at least 1): a cell is reported if fewer values than this are possible for it, and
      the smallest is below it.
    - zeros (boolean): true: cells in which nobody can be are reported, too.
    - total (text or NULL): the mark of a total in the columns of dimensions; NULL if totals are marked by
      NULL.
    - marks (list of texts): the marks of hidden cells.
    - least (number, at least 0): the smallest value of a hidden cell. If not given: 1 in a table that shows a
      0, so that zeros are not hidden, and 0 otherwise.
    - most (number, at least 0): the largest value of a hidden cell. If not given, there is no limit.
    - lower_column (column): of some or all of the tables: the smallest value that each hidden cell can have;
      so a rounded or noisy count is a hidden cell with bounds.
    - upper_column (column): the same for the largest value.
    - all_cells (boolean): true: a combination of the finest labels of a table that has no row counts 0, as
      after GROUP BY. false: nothing is known of it.
    - sum_column (column): of some or all of the tables: what the people in a cell have in all of a measure,
      such as their incomes. NULL: not published.
    - mean_column (column): the same for the mean, rounded. Where the count is hidden, a mean tells that there
      is somebody, and which counts fit it.
    - decimals (integer, at least 0): to how many decimals sums and means are rounded. If not given: as many
      as each is written with; sums written as whole numbers are exact.
    - measure_least (number): the smallest value of the measure that somebody can have.
    - measure_most (number): the largest value.
    - measure_step (number, above 0): the values of the measure are its multiples: 1 for whole numbers. Then a
      mean narrows a count that is hidden or noisy: not every number of people can have it.
    - percent (number, 0 to 100): a sum of people who may be fewer than the threshold is reported if it is
      known within this percentage on each side: no value has so many percent of it above and below that are
      possible, too.
    - max_atoms (integer, at least 1): the largest number of combinations of labels that are looked at.
    - programs (one of none, linear, integer): how bounds are narrowed if the sums alone do not prove that
      they are exact: by linear programs, or then also by integer programs. They run in Python.
    - solver_seconds (number, at least 0): the time limit of the programs.
    - rounds (integer, at least 1): the largest number of rounds in which bounds are passed from sum to sum.

    Result:
    - cell (text): the cell: one published cell less another one (all - over_30: flu), people of one label or
      more (age >30, sex F), or a hidden cell of a table.
    - lower (number): the smallest number of people in it; of a sum: the smallest sum.
    - upper (number): the largest number of people in it; of a sum: the largest sum.
    - tables (list of texts): the two tables whose difference it is; or all that have a cell with these
      people.
    - because (text): how it follows: the difference with its numbers; or the smallest cells around it.
    - found_by (text): difference, from two numbers, published or sums of published ones; all tables, from all
      counts together; hidden cell, the same for a hidden cell; sum, what people who may be few have in all of
      the measure; mean, a hidden or noisy count that its mean tells. Three kinds of rows say that something
      is not known: unfinished, how many cells are not finished and why; not compared, which tables are not;
      contradiction, which cells contradict each other. Then nothing is told of all tables (the function and
      the command tell what those tell that agree).
    - unfinished (boolean): true if lower and upper are not proven to be the narrowest.

    Errors: unknown column, a table without rows, a cell that is there twice, a value or filter that cannot be
    read, a label that stands for nothing, more than max_atoms combinations.

    Notes: bounds are never wrong if the tables count the same people, or periods says of when they are;
    people are each in one combination of values only (a table of people who can be in several must be left
    out). No rows means that of the cells in question none is known too closely: differences of two boxes,
    each a published cell or a whole set of cells of one table that differ in one dimension alone (by ward and
    sex, all women: their total, published or not); the finest combinations that the tables tell apart, all of
    them or some (any of the first five, or all up to a later one); hidden cells; and all people of one label,
    or of two of different dimensions, if they are some of the finest combinations. Others are not looked at.
    A further table at the end never loses what was found: it stays, or is published, or nobody is there any
    more. To use the programs in SQL, call sqlanon.register_functions(con) in Python first, with
    sqlanon[tables] installed.

    Source: Denning, Denning and Schwartz 1979, The Tracker: A Threat to Statistical Database Security;
    Garfinkel, Abowd and Martindale 2019, Understanding Database Reconstruction Attacks on Public Data.

    Example: sqlanon.tables_together(con, ["everybody", "over_30"], "disease", filters=["", "age > 30"],
    threshold=3)
    """
    return solved_together(
        con,
        "tables_together",
        listed(tables, "tables"),
        dimensions=names(dimensions, "dimensions"),
        value_column=value_column,
        releases=None if releases is None else listed(releases, "releases"),
        filters=filters_given(filters, "filters"),
        periods=names(periods, "periods"),
        growing=growing,
        varying=names(varying, "varying"),
        hierarchies=hierarchies,
        domain=domain,
        titles=names(titles, "titles"),
        threshold=threshold,
        zeros=zeros,
        total=total,
        marks=names(marks, "marks"),
        least=least,
        most=most,
        lower_column=lower_column,
        upper_column=upper_column,
        all_cells=all_cells,
        sum_column=sum_column,
        mean_column=mean_column,
        decimals=decimals,
        measure_least=measure_least,
        measure_most=measure_most,
        measure_step=measure_step,
        percent=percent,
        max_atoms=max_atoms,
        programs=programs,
        solver_seconds=solver_seconds,
        rounds=rounds,
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
    """Finds the cells of a table that are unsafe to publish: one row per cell and rule that it breaks. No
    rows: every cell is safe by these rules.

    Parameters:
    - cells (table): the cells, as table_cells returns them: the columns in dimensions, contributors, value,
      largest and second.
    - dimensions (columns): the columns by which the cells are grouped.
    - threshold (integer, at least 1): the least number of contributors of a cell that is not empty.
    - zeros (boolean): true: a cell with the value 0 is unsafe, too, because it reveals that nobody has this
      combination, or that nobody contributes anything.
    - dominance (list of numbers or NULL): two percentages, such as [75, 85]: the largest share of the value
      that the largest contribution may have, and that the two largest together may have; NULL: any.
    - p (number, above 0): the p % rule: the value without its two largest contributions must be at least p %
      of the largest contribution.
    - q (number, above 0): for the p/q rule: the value without its two largest contributions must be at least
      p/q of the largest, if everybody already knows contributions up to an error of q %.
    - response (column): the dimension with the attribute of interest, such as an illness. A cell must not
      have all contributors of its row (its total over the response), nor none of them.
    - shares (boolean): true: cells are published as shares of their row, so threshold also applies to the
      contributors of the row, and to those of the row who are not in the cell.
    - structural (table): cells that everybody knows to be empty, with the columns in dimensions. Rules about
      zeros do not apply to them.
    - total (text or NULL): the mark of a total in the columns of dimensions; NULL if totals are marked by
      NULL.

    Result:
    - <dimensions> (text): the cell.
    - rule (text): the rule that it breaks: minimum, zero, dominance_1, dominance_2, p, all, none; with shares
      also denominator (its row has too few contributors) and difference (too few of its row are not in it).
    - reached (number): the number of contributors; for dominance the percentage of the largest ones; for p
      the value without the two largest.
    - required (number): the least value that reached must have, for dominance the largest; for all and none
      the contributors of the row.
    - protection (number): for dominance and p: how far above the value estimates must reach, if the cell is
      hidden; NULL for other rules.

    Errors: unknown column, empty table, a column named twice, no rule, a cell that is there twice,
    contributors or a value that are no numbers of at least 0, dominance or p for cells without contributions,
    a response that is no dimension; zeros or response for a table that lacks empty cells, or a total over the
    response.

    Notes: a mean is safe if the cell with its contributors is safe by threshold. The rules check each cell by
    itself. cell_bounds computes what totals reveal about hidden cells, and what one contributor can compute
    about another.

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
