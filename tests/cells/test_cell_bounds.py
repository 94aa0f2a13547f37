"""Bounds of hidden cells against SciPy's linear programs and all tables of whole numbers."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple

import duckdb
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.cells.regions import REGIONS, solver, with_regions
from tests.oracles.cell_bounds import Interval, by_linear_programs, by_trying_all, parts
from tests.oracles.cells import TOTAL, Cell, Tree, above


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    for connection in with_regions("A"):
        sqlanon.register_functions(connection)
        yield connection


class Published(NamedTuple):
    """A table as it is published, what that says of each cell, the truth, and further arguments."""

    shown: Mapping[Cell, str | None]
    known: Mapping[Cell, Interval]
    truth: Mapping[Cell, int]
    trees: list[Tree]
    priors: Mapping[Cell, Interval]
    more: dict[str, Any]


@st.composite
def tables(draw: st.DrawFn, sides: tuple[str, ...] | None = None) -> Published:
    sides = sides or draw(st.sampled_from([("xyz", "pq"), ("xyz", "pqr"), ("xy", "pq", "uv")]))
    trees: list[Tree] = [
        REGIONS if len(sides[0]) == 3 and draw(st.booleans()) else None,
        *[None] * (len(sides) - 1),
    ]
    base: dict[Cell, int] = {cell: draw(st.integers(0, 5)) for cell in product(*sides)}
    labels = [
        [*dict.fromkeys(label for value in side for label in above(value, tree))]
        for side, tree in zip(sides, trees, strict=True)
    ]
    truth: dict[Cell, int] = {}
    all_totals = draw(st.booleans())
    for cell in product(*labels):
        n = sum(base[part] for part in parts(cell, [*base], trees))
        is_told = draw(st.integers(0, 4)) > 0
        is_kept = n > 0 or is_told if cell in base else all_totals or is_told
        if is_kept:
            truth[cell] = n
    assume(any(cell in truth for cell in base))
    threshold = draw(st.integers(2, 4))
    kind = draw(st.sampled_from(["nothing", "most", "below", "columns", "rounded", "least"]))
    # of several exact cells without a total nothing follows, which is an error
    assume(kind == "rounded" or any(trees) or len(truth) == 1 or any(TOTAL in cell for cell in truth))
    zeros = draw(st.booleans())
    small = {cell for cell, n in truth.items() if n < threshold and (n > 0 or zeros)}
    others = set() if kind == "most" else {cell for cell in truth if not draw(st.integers(0, 3))}
    if kind == "rounded":
        shown: dict[Cell, str | None] = {cell: str(5 * round(n / 5)) for cell, n in truth.items()}
        known: dict[Cell, Interval] = {
            cell: (max(0, math.ceil(5 * round(n / 5) - 2.5)), math.floor(5 * round(n / 5) + 2.5))
            for cell, n in truth.items()
        }
        return Published(shown, known, truth, trees, {}, {"base": 5})
    hidden = small | others
    shows_zero = any(n == 0 and cell not in hidden for cell, n in truth.items())
    least = 0 if kind == "least" else int(shows_zero)
    if least and any(
        truth[cell] == 0 for cell in hidden
    ):  # a secondary cell that is 0 beside a 0 that is shown
        least = 0
    more: dict[str, Any] = {"least": least}
    if least == int(shows_zero) and kind != "least":
        more = {}
    if kind == "most":
        more["most"] = threshold - 1
    shown, known, priors = {}, {}, {}
    for cell, n in truth.items():
        if cell not in hidden:
            shown[cell], known[cell] = str(n), (n, n)
            continue
        high: int | None = threshold - 1 if kind == "most" else None
        shown[cell] = draw(st.sampled_from([None, "*", "c"]))
        if kind == "below" and cell in small:
            shown[cell], high = f"<{threshold}", threshold - 1
        low = least
        if kind == "columns":
            priors[cell] = (max(0, n - draw(st.integers(0, 3))), n + draw(st.integers(0, 3)))
            low, high = max(low, int(priors[cell][0])), int(priors[cell][1] or 0)
        known[cell] = (low, high)
    if kind == "columns":
        more |= {"lower_column": "from", "upper_column": "to"}
    return Published(shown, known, truth, trees, priors, more)


def ask(con: duckdb.DuckDBPyConnection, table: Published, **more: Any) -> dict[Cell, tuple[Any, ...]]:
    """The bounds of the table's cells."""
    names = "abc"[: len(table.trees)]
    con.execute("create or replace table cells as select {}, unnest(?::varchar[]) as value, {}".format(
        ", ".join(f"unnest(?::varchar[]) as {name}" for name in names),
        'unnest(?::double[]) as "from", unnest(?::double[]) as "to"',
    ), [
        *([cell[i] for cell in table.shown] for i in range(len(names))),
        [*table.shown.values()],
        [table.priors.get(cell, (None, None))[0] for cell in table.shown],
        [table.priors.get(cell, (None, None))[1] for cell in table.shown],
    ]).fetchall()  # fmt: skip
    answer = sqlanon.cell_bounds(
        con, "cells", [*names], hierarchies="regions" if table.trees[0] else None, **{**table.more, **more}
    )
    return {row[: len(names)]: row[len(names) :] for row in answer.fetchall()}


@solver
@examples(200, quick=7)
@given(tables())
def test_linear_programs(con: duckdb.DuckDBPyConnection, table: Published) -> None:
    """As SciPy's, rounded inwards; and no table of whole numbers is excluded."""
    atoms = [*product(*leaves(table))]
    expected = by_linear_programs(table.known, atoms, table.trees)
    assert expected is not None
    found = ask(con, table)
    assert found.keys() == {
        cell for cell, text in table.shown.items() if "base" in table.more or not (text or "").isdigit()
    }
    for cell, (lower, upper, unfinished) in found.items():
        low, high = expected[cell]
        assert lower <= table.truth[cell] <= (math.inf if upper is None else upper)
        assert lower == math.ceil(low - 1e-6)
        assert upper == (None if high is None else math.floor(high + 1e-6))
        assert not (unfinished and lower == upper)
        assert not (unfinished and len(table.trees) == 2)


def leaves(table: Published) -> list[list[str]]:
    """The finest labels of each dimension that the table has, or that a value of it might be."""
    upper = [{"xy"} if tree else set() for tree in table.trees]
    return [
        sorted({str(cell[i]) for cell in table.shown} - {TOTAL} - upper[i]) for i in range(len(table.trees))
    ]


@solver
@examples(200, quick=5)
@given(tables(), st.lists(st.sampled_from([0.25, 1.5, 3.7, 120.0]), min_size=1, max_size=4))
def test_linear_programs_of_sums(
    con: duckdb.DuckDBPyConnection, table: Published, amounts: list[float]
) -> None:
    """Numbers that are not whole: as SciPy's, to within a millionth; the truth is always possible."""
    assume("base" not in table.more)
    atoms = [*product(*leaves(table))]
    factor: dict[Cell, float] = {atom: amounts[i % len(amounts)] for i, atom in enumerate(atoms)}
    own = {
        cell: math.fsum(factor[atom] * table.truth.get(atom, 0) for atom in parts(cell, atoms, table.trees))
        for cell in table.truth
    }
    assume(all(atom in table.truth for atom in atoms))
    hidden = {cell for cell, text in table.shown.items() if not (text or "").isdigit()}
    assume(hidden)
    known: dict[Cell, Interval] = {
        cell: (0, None) if cell in hidden else (value, value) for cell, value in own.items()
    }
    shown = {cell: None if cell in hidden else repr(value) for cell, value in own.items()}
    # SciPy's rows hold to within what sums of such numbers are off
    slack: dict[Cell, Interval] = {
        cell: (low - 1e-7 * (1 + low), None if high is None else high + 1e-7 * (1 + high))
        for cell, (low, high) in known.items()
    }
    expected = by_linear_programs(slack, atoms, table.trees)
    assert expected is not None
    published = table._replace(shown=shown, priors={}, more={"whole": False, "least": 0})
    found = ask(con, published)
    assert found.keys() == hidden
    for cell, (lower, upper, unfinished) in found.items():
        low, high = expected[cell]
        off = 1e-5 * (1 + max(own.values()))  # SciPy's rows may add up what each of them is off
        assert lower - off <= own[cell] <= (math.inf if upper is None else upper + off)
        assert lower == pytest.approx(low, abs=off)
        assert (upper is None) == (high is None)
        assert upper is None or upper == pytest.approx(high, abs=off)
        assert not unfinished


@solver
@examples(60, quick=5)
@given(tables(("xy", "pq", "uv")), st.sampled_from(["none", "linear", "integer"]))
def test_all_tables_of_whole_numbers(con: duckdb.DuckDBPyConnection, table: Published, programs: str) -> None:
    """Bounds exclude no table; what is not unfinished is exact; with integer programs all is finished."""
    atoms = [*product(*leaves(table))]
    assume(
        math.prod(1 if low == high else 13 for low, high in (table.known.get(atom, (0, 0)) for atom in atoms))
        < 3e4
    )
    expected = by_trying_all(table.known, atoms, table.trees, 12)
    for cell, (lower, upper, unfinished) in ask(con, table, programs=programs).items():
        low, high = expected[cell]
        assert lower <= low
        assert upper is None or upper >= high
        assert unfinished or lower == low
        assert unfinished or upper == high or (upper is None or upper > 12)
        assert not (unfinished and programs == "integer")


@solver
def test_the_example_of_four_by_four(con: duckdb.DuckDBPyConnection) -> None:
    """A cell that no sum alone gives back, and linear programs do; in plain SQL it is unfinished."""
    rows = [[3, 7, 20, 30], [5, 5, 22, 40], [25, 1, 6, 3], [50, 60, 4, 2]]
    cells: dict[Cell, int] = {(str(i), str(j)): n for i, row in enumerate(rows) for j, n in enumerate(row)}
    cells |= {(str(i), TOTAL): sum(row) for i, row in enumerate(rows)}
    cells |= {(TOTAL, str(j)): sum(row[j] for row in rows) for j in range(4)}
    cells[TOTAL, TOTAL] = sum(map(sum, rows))
    shown = {cell: "*" if n < 8 else str(n) for cell, n in cells.items()}
    table = Published(shown, {}, cells, [None, None], {}, {"most": 7})
    assert ask(con, table)["2", "1"] == (1, 1, False)
    assert ask(con, table, programs="none")["2", "1"] == (0, 3, True)
    assert ask(con, table, solver_seconds=0)["2", "1"] == (0, 3, True)


@solver
def test_a_contributor_knows_the_other(con: duckdb.DuckDBPyConnection) -> None:
    """Two cells of one contributor each look safe from outside, and each of these knows the other's."""
    con.execute(
        """create or replace table sums as
        from (values ('x', null, 100), ('y', null, 100), ('z', 50.5, null), ('total', 250.5, null))
        as row(a, value, own)"""
    ).fetchall()
    found = sqlanon.cell_bounds(con, "sums", "a", insiders="own", whole=False).fetchall()
    for _, *ends, unfinished in sorted(found):
        assert ends == pytest.approx([0, 200, 100, 100], abs=1e-3)
        assert not unfinished
    alone = sqlanon.cell_bounds(con, "sums", "a", insiders="own", whole=False, programs="none")
    assert (
        alone.project("lower, upper, insider_lower, insider_upper, unfinished").fetchall()
        == [(0, 200, None, None, True)] * 2
    )


@solver
@pytest.mark.parametrize("additive", [True, False])
def test_people_in_several_parts(con: duckdb.DuckDBPyConnection, additive: bool) -> None:
    """Wards A and B have 3 and 2 people, and together 3: no equation holds, and a hidden part is at most the
    total."""
    con.execute(
        """create or replace table wards as
        from (values ('A', 3), ('B', null), ('total', 3)) as row(ward, value)"""
    ).fetchall()
    found = sqlanon.cell_bounds(con, "wards", "ward", additive=additive).fetchall()
    assert found == [("B", 0, 0, False)] if additive else [("B", 0, 3, False)]


@solver
def test_contradictions_of_several_sums(con: duckdb.DuckDBPyConnection) -> None:
    """Rows and columns of hidden cells add up to different totals: no cell alone is contradicted."""
    con.execute(
        """create or replace table cells as
        from (values ('x', 'p', '*'), ('x', 'q', '*'), ('y', 'p', '*'), ('y', 'q', '*'),
                     ('x', 'total', '500'), ('y', 'total', '500'), ('total', 'p', '500'),
                     ('total', 'q', '501')) as row(a, b, value)"""
    ).fetchall()
    message = (
        "4 sums cannot hold together, those of total, p .over a.; total, q .over a.; x, total .over b.; "
        "y, total .over b."
    )
    with pytest.raises(sqlanon.InputError, match=message):
        sqlanon.cell_bounds(con, "cells", ["a", "b"])


@solver
def test_numbers_and_marks_of_offices(con: duckdb.DuckDBPyConnection) -> None:
    """1,204 and 1 204 are one number; an office hides by c, C or :."""
    con.execute(
        """create or replace table cells as
        from (values ('x', '1,204'), ('y', ':'), ('z', chr(160) || '12'), ('w', '10' || chr(160) || '000'),
                     ('total', '11' || chr(8239) || '220')) as row(a, value)"""
    ).fetchall()
    con.execute("update cells set value = trim(value, chr(160)) where a = 'z'").fetchall()
    assert sqlanon.cell_bounds(con, "cells", "a").fetchall() == [("y", 4, 4, False)]


@pytest.mark.parametrize(
    ("rows", "changed", "message"),
    [
        ("('x', 'many')", {}, "a value that is no number of at least 0 .*: many in x"),
        ("('x', '2.5')", {}, "a whole one; whole := false, if it is a sum.*: 2.5 in x"),
        (
            "('x', '-1')",
            {"whole": False},
            "no number of at least 0, no <5 or 1-4 and no mark of a hidden cell: -1 in x",
        ),
        ("('x', 'nan')", {"whole": False}, "no number of at least 0.*: nan in x"),
        ("('x', '1'), ('x', '2')", {}, "the same cell 2 times: x"),
        (
            "('x', '1'), ('y', '2'), ('total', '4')",
            {},
            "contradict its cells: total is 4, its parts over a are together 3 ",
        ),
        (
            "('x', '1'), ('Total', '*')",
            {},
            r"no cell of table cells is marked as a total \(total\) in any dimens",
        ),
        (
            "('x', '1.204'), ('total', '*')",
            {},
            "1.204 in x .*where a point stands between thousands, leave it",
        ),
        ("('x', '1')", {"programs": "quadratic"}, "programs must be none, linear or integer, not quadratic"),
        ("('x', '1')", {"dimensions": []}, "dimensions names no column"),
        (
            "('x', '1'), ('w', '2')",
            {"hierarchies": "regions"},
            "the hierarchy of column a lacks a label .*: w",
        ),
    ],
)
def test_wrong_input(
    con: duckdb.DuckDBPyConnection, rows: str, changed: dict[str, Any], message: str
) -> None:
    con.execute(f"create or replace table cells as from (values {rows}) as row(a, value)").fetchall()
    arguments: dict[str, Any] = {"dimensions": ["a"], "programs": "none", **changed}
    with pytest.raises(sqlanon.InputError, match=message):
        sqlanon.cell_bounds(con, "cells", **arguments)


def test_a_missing_solver_is_named(con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sqlanon.tables.programs.has_solver", lambda: False)
    with pytest.raises(sqlanon.InputError, match=r"pip install 'sqlanon\[tables\]'"):
        sqlanon.cell_bounds(con, "cells", "a")


@solver
def test_another_use_of_the_solver(con: duckdb.DuckDBPyConnection) -> None:
    """HiGHS has one pool of threads in a process. Whoever has had it made before is not in our way."""
    import highspy

    other: Any = highspy.Highs.__mro__[1]()
    for option, value in {"output_flag": False, "threads": 2, "parallel": "on"}.items():
        other.setOptionValue(option, value)
    other.resetGlobalScheduler(True)
    other.addVar(0, 1)
    assert other.run() == highspy.HighsStatus.kOk
    con.execute(
        """create or replace table cells as
        from (values ('x', '*'), ('y', '*'), ('z', '3'), ('total', '4')) as row(a, value)"""
    ).fetchall()
    bounds = sqlanon.cell_bounds(con, "cells", "a").filter("upper is not null").project("a, lower, upper")
    assert sorted(bounds.fetchall()) == [("x", 0, 1), ("y", 0, 1)]
    other.resetGlobalScheduler(True)
