"""Published values as texts: numbers, intervals, and marks."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlanon
from sqlanon.core.comments import parameters

MARKS = ["*", "[c]", "Suppressed"]
Marks = list[str]
Known = list[tuple[float, float | None]]


def known(con: duckdb.DuckDBPyConnection, *values: str, whole: bool = True, marks: Marks = MARKS) -> Known:
    """The intervals of cells with these values, each by itself."""
    con.execute(
        "create or replace temp table office as select [nth::varchar] as keys, sqlanon._shown_text(value) as "
        "shown, null::double as prior_lo, null::double as prior_hi, null::double as known_alone "
        "from (select unnest($values) as value, generate_subscripts($values, 1) as nth)", {"values": values},
    )  # fmt: skip
    unread = con.execute(
        "select refused from sqlanon._refuse_unread_cells('office', 'office', 'value', $marks, $whole)",
        {"marks": marks, "whole": whole},
    )
    assert unread.fetchall() == []
    found = con.execute(
        "select lo, hi from sqlanon._published_cells('office', $marks, null, 'nearest', null, null, $whole) "
        "order by keys", {"marks": marks, "whole": whole},
    )  # fmt: skip
    return found.fetchall()


def test_intervals(con: duckdb.DuckDBPyConnection) -> None:
    """A range or a bound is an interval. Zeros are shown, so that a hidden cell is at least 1, but for a
    range that says 0."""
    assert known(con, "1-4", "0–4", "5 to 9", "≤4", "*", "0") == [
        (1, 4), (0, 4), (5, 9), (1, 4), (1, None), (0, 0)
    ]  # fmt: skip
    assert known(con, "< 5", "<= 5", "≤ 5", "<5.5") == [(0, 4), (0, 5), (0, 5), (0, 5)]
    assert known(con, "1.5-2.5", "≤4.5", whole=False) == [(1.5, 2.5), (0, 4.5)]


def test_brackets_and_marks(con: duckdb.DuckDBPyConnection) -> None:
    """5 (12.5 %) is 5, and 1,204 [2] is 1204; [c] and Suppressed hide."""
    assert known(con, "5 (12.5 %)", "1,204 [2]", " 5(1) ", "[c]", "Suppressed") == [
        (5, 5), (1204, 1204), (5, 5), (0, None), (0, None)
    ]  # fmt: skip
    default = parameters("cell_bounds")["marks"].default
    assert {*MARKS} <= {*ast.literal_eval(str(default))}


@pytest.mark.parametrize("value", ["4-1", "(5)", "* (12.5 %)", "1-4 (2)", "1-", "≤", "5 (1) x", "100+", "-5"])
def test_what_nobody_can_read(con: duckdb.DuckDBPyConnection, value: str) -> None:
    """Such as a percentage behind a mark, which tells more than the mark does."""
    with pytest.raises(duckdb.Error, match=r"no number of at least 0 .*, no <5 or 1-4 and no mark") as told:
        known(con, value, "*", "7")
    assert "a dash means nil" not in str(told.value)


@pytest.mark.parametrize("dash", ["-", "–"])
def test_a_dash_is_asked_about(con: duckdb.DuckDBPyConnection, dash: str) -> None:
    with pytest.raises(duckdb.Error, match="a dash means nil in some tables, and a hidden value in"):
        known(con, dash, "*", "3")
    assert known(con, dash, "3", marks=[dash]) == [(0, None), (3, 3)]


def test_several_tables_are_read_the_same(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("create or replace temp table several as from (values ('a', '0-4'), ('b', '0'), ('c', '*'), "
                "('d', '3 (1)'), ('e', '≤4')) as row(ward, value)")  # fmt: skip
    cell = (
        "with rows as (from sqlanon._rows_of_tables(['several'], ['ward'], 'value', 'total', null, null, "
        "null, null, null)), cell as (from sqlanon._cells_of_tables('rows', $marks, null)) from "
    )
    given = {"marks": MARKS}
    rows = con.execute(f"{cell} sqlanon._counts_of_cells('cell', $marks, null, null) order by cell", given)
    assert [row[1:3] for row in rows.fetchall()] == [(0, 4), (0, 0), (1, None), (3, 3), (1, 4)]
    con.execute("update several set value = '-' where ward = 'a'")
    with pytest.raises(duckdb.Error, match=r"no <5 or 1-4 .*: - in a .*a dash means nil"):
        con.execute(f"{cell} sqlanon._refuse_unread_counts('cell', ['several'], 'value', $marks)", given)


def test_a_hierarchy_of_codes(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """A file of tau-Argus, with blanks, a shorter branch, and another mark of levels."""
    file = tmp_path / "regions.hrc"
    file.write_text("North\n@N1  \r\n@@N11\n@@N12\n@N2\nSouth\n\n", "utf-8")

    def tree(**more: Any) -> dict[str, list[str]]:
        entries = sqlanon.read_hierarchy(con, str(file), "region", **more).order("value, level").fetchall()
        found: dict[str, list[str]] = {}
        for attribute, value, level, label in entries:
            assert (attribute, level) == ("region", len(found.setdefault(value, [])))
            found[value].append(label)
        return found

    expected = {
        "N11": ["N11", "N1", "North", "*"], "N12": ["N12", "N1", "North", "*"],
        "N2": ["N2", "N2", "North", "*"], "South": ["South", "South", "South", "*"],
    }  # fmt: skip
    assert tree() == expected
    file.write_text(file.read_text("utf-8").replace("@", "."), "utf-8")
    assert tree(separator=".") == expected
    file.write_text("North\n@@N11\n", "utf-8")
    with pytest.raises(sqlanon.SqlanonError, match="code 'N11' is more than a level below the line"):
        tree()
