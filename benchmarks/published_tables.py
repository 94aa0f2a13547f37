"""Tables of counts and sums. What totals give back of the small cells of Adult's tables, by sums alone and by
linear programs, and how long that takes beside SciPy and HiGHS by hand; a table of 100,000 cells; what
suppression takes and costs, beside tau-Argus (PyPI pytauargus, where it is installed); what cells take.

--rows=N: of the table that is counted (10,000,000).
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from typing import Any

import duckdb

import sqlanon
from benchmarks import hidden_cells
from benchmarks.tables import folder
from benchmarks.timing import at_most, best, line, title

COLUMNS = [
    "age", "workclass", "fnlwgt", "education", "education_num", "marital_status", "occupation",
    "relationship", "race", "sex", "capital_gain", "capital_loss", "hours", "country", "income",
]  # fmt: skip
THREE = ["education", "occupation", "race"]
LARGEST = 9  # of a cell that is hidden
P = 20.0  # of the p % rule
# dimensions, are zeros hidden, the least and the most that is known of a hidden cell
CASES: list[tuple[str, list[str], bool, int, int | None]] = [
    ("1 to 9 hidden; each at least 1, at most 9", THREE, False, 1, LARGEST),
    ("1 to 9 hidden; each at least 1", THREE, False, 1, None),
    ("1 to 9 hidden; each at least 0", THREE, False, 0, None),
    ("0 to 9 hidden; each at least 0, at most 9", THREE, True, 0, LARGEST),
    ("education x occupation, 1 to 9 hidden", THREE[:2], False, 1, LARGEST),
]


def load(con: duckdb.DuckDBPyConnection) -> bool:
    """The table `adult`, all rows of adult.data, where that is there."""
    file = folder() / "adult" / "adult.data"
    if not file.is_file():
        return False
    con.execute(
        """
        create or replace table adult as
        from read_csv($path, header = false, names = $names, all_varchar = true)
        """,
        {"path": str(file), "names": COLUMNS},
    ).fetchall()
    return True


def keep(con: duckdb.DuckDBPyConnection, name: str, answer: duckdb.DuckDBPyRelation) -> None:
    """An answer as a table of this name."""
    con.execute(f"drop table if exists {name}").fetchall()
    answer.create(name)


def publish(con: duckdb.DuckDBPyConnection, dimensions: list[str], zeros: bool) -> int:
    """The table `published`, in which small cells are hidden; how many cells it has."""
    keep(con, "cells", sqlanon.table_cells(con, "adult", dimensions))
    con.execute(
        """
        create or replace temp table published as
        select *, case when value between $least and $largest then null else value end as shown from cells
        """,
        {"least": 0 if zeros else 1, "largest": LARGEST},
    ).fetchall()
    [(number,)] = con.execute("select count(*) from cells").fetchall()
    return int(number)


def known(
    con: duckdb.DuckDBPyConnection, dimensions: list[str], least: int, most: int | None, programs: Any
) -> tuple[int, int, int, int, int]:
    """Hidden cells; those that are known exactly, within 1, unfinished, and wrong (none)."""
    answer = sqlanon.cell_bounds(
        con, "published", dimensions, "shown", least=least, most=most, programs=programs, solver_seconds=600
    )
    keep(con, "bounds", answer)
    [(hidden, exact, within, unfinished, wrong)] = con.execute(
        f"""
        select count(*), count(*) filter (lower = upper), count(*) filter (upper - lower <= 1),
               count(*) filter (unfinished),
               count(*) filter (value not between lower and coalesce(upper, value))
        from bounds join cells using ({", ".join(dimensions)})
        """
    ).fetchall()
    return hidden, exact, within, unfinished, wrong


def beside_others(con: duckdb.DuckDBPyConnection) -> None:
    """The bounds of Adult's 1,632 cells, and the same programs by hand."""
    title("Adult, education x occupation x race: the same linear programs by others")
    cells = publish(con, THREE, zeros=False)
    rows = con.execute(f"select {', '.join(THREE)}, shown from published").fetchall()
    shown = {row[:-1]: row[-1] for row in rows}
    start = time.perf_counter()
    _, exact, *_ = known(con, THREE, 1, LARGEST, "linear")
    ours = time.perf_counter() - start
    seconds, programs, exactly = hidden_cells.by_highs(shown, 1, LARGEST)
    line(f"cell_bounds, {cells:,} cells, {exact} known exactly", ours, ("HiGHS", seconds))
    line(f"HiGHS, one model, {programs:,} programs, {exactly} known exactly", seconds)
    some, number = hidden_cells.by_scipy(shown, 1, LARGEST, every=10)
    line(f"SciPy's linprog, {number} programs", some)
    line(f"  all {programs:,} at this rate", some * programs / number, ("cell_bounds", ours))


LARGE = """
import json, resource, time
import duckdb, sqlanon
con = duckdb.connect()
con.execute("set memory_limit = '3GB'").fetchall()
sqlanon.register_functions(con)
con.execute('''
    create table place as
    select 'region' as attribute, 'm' || i as value, unnest([0, 1, 2, 3]) as level,
           unnest(['m' || i, 'd' || i // 10, 'r' || i // 40, '*']) as label
    from range(201) as municipality(i)
''').fetchall()
con.execute('''
    create table people as
    select 'm' || (201 * power(u, 1.5))::integer % 201 as region,
           'a' || (20 * power(v, 1.3))::integer % 20 as age,
           'j' || (20 * power(w, 1.6))::integer % 20 as job
    from (select hash(i) / 2.0 ** 64 as u, hash(-i - 1) / 2.0 ** 64 as v, hash(i + 0.5) / 2.0 ** 64 as w
          from range(PEOPLE) as person(i))
''').fetchall()
names = ["region", "age", "job"]
start = time.perf_counter()
sqlanon.table_cells(con, "people", names, hierarchies="place").create("cells")
counted = time.perf_counter() - start
con.execute('''
    create table shown as select *, if(value between 1 and 4, null, value) as n from cells
''').fetchall()
start = time.perf_counter()
sqlanon.cell_bounds(con, "shown", names, "n", hierarchies="place", least=1, most=4,
                    solver_seconds=120).create("bounds")
seconds = time.perf_counter() - start
[(cells,)] = con.execute("select count(*) from cells").fetchall()
[row] = con.execute('''
    select count(*), count(*) filter (not unfinished), count(*) filter (lower = upper),
           count(*) filter (value not between lower and upper)
    from bounds join cells using (region, age, job)
''').fetchall()
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 ** 2
print(json.dumps([cells, *row, counted, seconds, peak]))
"""


def large(people: int) -> None:
    """A table of 100,000 cells, in a process of its own."""
    title(f"{people:,} people in three dimensions, with regions of four levels; counts of 1 to 4 are hidden")
    made = subprocess.run(
        [sys.executable, "-c", LARGE.replace("PEOPLE", str(people))],
        capture_output=True,
        text=True,
        check=True,
    )
    cells, hidden, finished, exact, wrong, counted, seconds, peak = json.loads(
        made.stdout.splitlines()[-1]  # before it may stand what progress there was
    )
    print(
        f"  {cells:,} cells, {hidden:,} hidden: all have a proven interval; {finished:,} finished "
        f"({100 * finished / hidden:.1f} %), the others unfinished; {exact:,} known exactly, wrong {wrong}; "
        f"{counted:.0f} s to count, {seconds:.0f} s for the bounds, {peak:.1f} GB at most",
        flush=True,
    )


def suppression(con: duckdb.DuckDBPyConnection) -> None:
    title(f"Suppression of Adult's tables, counts of 1 to {LARGEST} unsafe")
    for dimensions in (THREE[:2], THREE):
        keep(con, "cells", sqlanon.table_cells(con, "adult", dimensions))
        start, busy = time.perf_counter(), time.process_time()
        keep(
            con,
            "left_over",
            sqlanon.suppress_cells(con, "cells", dimensions, LARGEST + 1, solver_seconds=600),
        )
        seconds, busy = time.perf_counter() - start, time.process_time() - busy
        [(cells, primary, secondary)] = con.execute(
            """
            select count(*), count(*) filter (hidden = 'primary'), count(*) filter (hidden = 'secondary')
            from left_over
            """
        ).fetchall()
        line(f"{' x '.join(dimensions)}: {cells:,} cells, {primary} + {secondary} hidden", seconds)
        print(f"    {busy:.1f} s of processor time")


def beside_tau_argus(con: duckdb.DuckDBPyConnection) -> None:
    title(f"Ten small tables of sums, the p % rule with p = {P:g}: the sum of the values that are hidden")
    if not hidden_cells.has_tau_argus():
        print("  tau-Argus is absent: pip install pytauargus pandas")
        return
    worst = 0.0
    for seed in range(10):
        rows = hidden_cells.small_table(seed)
        with tempfile.TemporaryDirectory() as made:
            theirs, unsafe, _ = hidden_cells.by_tau_argus(rows, P, made)
        con.execute("create or replace table own (a varchar, b varchar, amount double)").fetchall()
        con.executemany("insert into own values (?, ?, ?)", rows)
        keep(con, "cells", sqlanon.table_cells(con, "own", ["a", "b"], "amount"))
        answer = sqlanon.suppress_cells(con, "cells", ["a", "b"], p=P, whole=False, cost="value")
        keep(con, "left_over", answer)
        [(ours, primary)] = con.execute(
            """
            select coalesce(sum(cells.value) filter (hidden is not null), 0),
                   count(*) filter (hidden = 'primary')
            from left_over join cells using (a, b)
            """
        ).fetchall()
        same = "the same unsafe cells" if primary == len(unsafe) else f"unsafe: {primary}, {len(unsafe)}"
        ratio = ours / theirs if theirs else 1.0
        worst = max(worst, ratio)
        print(
            f"  table {seed}: {ours:,.0f}, tau-Argus (optimum) {theirs:,.0f}, {ratio:.2f}x; {same}",
            flush=True,
        )
    print(f"  at most {worst:.2f}x the optimum")


def counting(con: duckdb.DuckDBPyConnection) -> None:
    """table_cells beside count(*) by the same grouping sets."""
    rows = at_most(10_000_000)
    title(f"Cells of {rows:,} rows, 4 dimensions, all totals; with a unit everybody has two rows in a cell")
    con.execute(
        """
        create or replace temp table visits as
        select 'a' || hash(i // 2, 1) % 20 as a, 'b' || hash(i // 2, 2) % 12 as b,
               'c' || hash(i // 2, 3) % 8 as c, 'd' || hash(i // 2, 4) % 6 as d, i // 2 as person
        from range($rows) as visit(i)
        """,
        {"rows": rows},
    ).fetchall()
    names = ["a", "b", "c", "d"]

    def cube(counted: str) -> None:
        con.execute(
            f"create or replace temp table cube as select a, b, c, d, {counted} as n from visits "
            "group by cube (a, b, c, d)"
        ).fetchall()

    of_rows = best(lambda: cube("count(*)"))
    line("count(*) by cube", of_rows)
    line("table_cells", best(lambda: sqlanon.table_cells(con, "visits", names)), ("the cube", of_rows))
    of_people = best(lambda: sqlanon.table_cells(con, "visits", names, unit="person"))
    line("table_cells with a unit", of_people, ("the cube", of_rows))
    distinct = best(lambda: cube("count(distinct person)"), 1)
    line("  count(distinct person) by cube", distinct, ("table_cells with a unit", of_people))


def what_totals_give_back(con: duckdb.DuckDBPyConnection) -> None:
    title("What totals give back of hidden cells, on Adult (32,561 rows)")
    for name, dimensions, zeros, least, most in CASES:
        cells = publish(con, dimensions, zeros)
        print(f"  {name}: {cells:,} cells", flush=True)
        for programs in ("none", "linear"):
            start = time.perf_counter()
            hidden, exact, within, unfinished, wrong = known(con, dimensions, least, most, programs)
            print(
                f"    {'sums alone' if programs == 'none' else 'linear programs':<16} known exactly "
                f"{exact:>4} of {hidden:,} ({100 * exact / hidden:.1f} %), within 1 {within:>4} "
                f"({100 * within / hidden:.1f} %), unfinished {unfinished:>4}, wrong {wrong}; "
                f"{time.perf_counter() - start:.1f} s",
                flush=True,
            )


def main() -> None:
    with duckdb.connect() as con:
        sqlanon.register_functions(con)
        beside_tau_argus(con)
        counting(con)
        if load(con):
            what_totals_give_back(con)
            beside_others(con)
            suppression(con)
        else:
            print("the Adult data set is absent")
    for people in (1_000_000, 400_000):
        large(at_most(people))
