"""Tables that earlier releases were made of, given again: who has left or moved since is attacked by the
quasi-identifiers that they had there, as if the register had kept them.

A register that is not encrypted keeps hashes of people and nothing else. These tell whether a table is the
one that a release was made of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import duckdb
from sqlglot import exp

from sqlanon.core.errors import InputError
from sqlanon.core.files import column_names
from sqlanon.core.source import fresh_name, lower
from sqlanon.core.statements import call, execute, named_table, relation, select
from sqlanon.core.suggestions import suggestion
from sqlanon.core.tables import WorkTables
from sqlanon.judge.evidence import Entered, Kept, Released, Subjects, named


def with_tables_given_again(
    con: duckdb.DuckDBPyConnection, kept: Kept, releases: Sequence[Released], earlier: Mapping[str, str],
    subjects: Subjects, work: WorkTables, remarks: list[str],
) -> Kept:  # fmt: skip
    """What a register keeps about people, with those of tables that are given again. earlier: by the names of
    releases. Errors: InputError for another table than the one that a release was made of."""
    if not earlier:
        return kept
    every: exp.Select | exp.Union = select(
        named_table(kept.asked), "release_id", "who", "columns", "cells", "hashed"
    )
    of = dict(kept.of)
    for name, tbl in earlier.items():
        entered = kept.of[name]
        if entered.identity is None:
            raise InputError(
                f"earlier: the register does not know whose rows {name} was made of: its policy had no unit "
                "and no identifier. Without earlier it is judged by the people of today alone. So that next "
                "time people are found again, write the column that says whose a row is into the policy "
                "(unit, or identifier) before you publish"
            )
        if entered.has_cells:
            remarks.append(f"{name}: the register has kept its people (keep_people), so no table is needed")
            continue
        [release] = [each for each in releases if each.name == name]
        rows = _rows(con, kept, release, entered, tbl, subjects, work, remarks)
        every = every.union(select(named_table(rows)), distinct=False)
        of[name] = replace(entered, has_cells=True)
    return replace(kept, asked=work.make("asked_or_given", every).name, of=of)


def _rows(
    con: duckdb.DuckDBPyConnection, kept: Kept, release: Released, entered: Entered, tbl: str,
    subjects: Subjects, work: WorkTables, remarks: list[str],
) -> str:  # fmt: skip
    """The people of one table that a release was made of, as the register keeps them."""
    identity, have = list(entered.identity or ()), column_names(con, tbl)
    for column in (*identity, *release.qi, *release.sensitive):
        if column.lower() not in lower(have):
            raise InputError(
                f"earlier: the table given for {release.name} has no column {column}"
                f"{suggestion(column, have)}: give the one that it was made of"
            )
    id = fresh_name("row")
    rows = work.make(
        f"earlier_rows_{entered.id}",
        select(relation(tbl), exp.Star(), named(exp.Window(this=exp.RowNumber()), id)),
    ).name
    hashed = work.make(
        f"earlier_people_{entered.id}",
        call("_hashed_people", rows, kept.secret, id, identity, list(release.qi), list(release.sensitive)),
    ).name
    [(missing, others, known_rows)] = execute(
        con, call("_compared_with_kept", hashed, kept.people, entered.id)
    )
    if not known_rows:
        raise InputError(
            f"earlier: the register has nobody of {release.name} any more, so that nothing tells its table"
        )
    if missing:
        raise InputError(
            f"earlier: {missing:,} of the {known_rows:,} rows that {release.name} was made of are not in the "
            "table given for it as they were then: give the one that it was made of, and read it as then"
        )
    if others:
        remarks.append(
            f"{others:,} rows of the table given for {release.name} are none that it was made of: they are "
            "not asked about"
        )
    known = {name.lower(): name for name in have}
    wanted = dict.fromkeys(name.lower() for name in (*release.qi, *subjects.qi))
    columns = [known[name] for name in wanted if name in known]
    then = call("_asked_as_kept", rows, hashed, kept.people, entered.id, id, columns)
    return work.make(f"earlier_asked_{entered.id}", then).name
