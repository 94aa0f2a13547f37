"""Mondrian against the same algorithm in numpy, in plain Python objects (anonypy), and in C."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import duckdb
import numpy as np

import sqlanon
from benchmarks.tables import LARGE_QI, QI, SENSITIVE, adult, codes, folder, large
from benchmarks.timing import best, line, title
from sqlanon.anonymize import median_cuts
from tests.oracles import recursion

K = 5


def statement(con: duckdb.DuckDBPyConnection, table: str, qi: list[str]) -> None:
    con.execute(
        f"create or replace temp table released as from sqlanon.mondrian('{table}', {qi}, '{SENSITIVE}', k "
        f":= {K})"
    ).fetchall()


def driver(con: duckdb.DuckDBPyConnection, table: str, qi: list[str]) -> None:
    sqlanon.mondrian(con, table, qi=qi, sensitive=SENSITIVE, k=K, into="released_by_driver", replace=True)


def tuples(con: duckdb.DuckDBPyConnection, qi: list[str]) -> None:
    """The tables that the steps begin with, from the table `coded`."""
    run = con.execute
    run(f"create or replace temp table combination as from sqlanon._numbered_combinations('coded', {qi}, [])")
    run("create or replace temp table hierarchy as from sqlanon._hierarchies(null)")
    run("create or replace temp table leaf as from sqlanon._leaves('hierarchy')")
    run("create or replace temp table s as from sqlanon._sensitive_combinations('combination', [])")
    run(f"create or replace temp table tuple as from sqlanon._tuples('combination', 's', 'leaf', {qi}, [])")
    run(f"create or replace temp table attribute as from sqlanon._attributes('tuple', 'leaf', {qi})")
    run("create or replace temp table tree as from sqlanon._attribute_tree('hierarchy', 'attribute')")
    run("create or replace temp table refusal as from sqlanon._refuse_empty('combination', 'coded')")


def partition(con: duckdb.DuckDBPyConnection) -> float:
    """Seconds from integer codes to classes, which is all that the others do: the step macro over tables."""
    run = con.execute

    def cut() -> None:
        run(
            "create or replace temp table state as from sqlanon._mondrian_start('tuple', 'refusal')"
        ).fetchall()
        state, other = "state", "other"
        while run(f"select count(*) from {state} where not done").fetchall() != [(0,)]:
            run(
                f"create or replace temp table {other} as from sqlanon._mondrian_step("
                f"'{state}', $$ from sqlanon._cuts_at_medians('{state}', 'attribute', null, {K}) $$)"
            ).fetchall()
            state, other = other, state

    return best(cut, 2)


def arrays(con: duckdb.DuckDBPyConnection, qi: list[str]) -> tuple[float, int]:
    """Seconds from integer codes to classes as Python has them where nothing but k is required, and how many
    classes.
    """
    found = con.execute("select * from tuple").fetchnumpy()
    columns = [found[f"q{i}"] for i in range(1, len(qi) + 1)]
    spans = [span for (span,) in con.execute("select span from attribute order by d").fetchall()]

    [(threads,)] = con.execute("select current_setting('threads')").fetchall()

    def cut() -> int:
        made = median_cuts.classes(columns, found["weight"], spans, K, threads, lambda done: None)
        return int(made.max()) + 1

    return best(cut, 2), cut()


def matrix(con: duckdb.DuckDBPyConnection) -> recursion.Codes:
    columns = con.execute("from coded").fetchnumpy()
    return np.stack([np.asarray(column) for column in columns.values()], axis=1).astype(np.int32)


def yardstick(coded: recursion.Codes) -> tuple[float, int] | None:
    """Seconds and classes of Mondrian by hand in C, where its source and a compiler are there."""
    source = Path(os.environ.get("SQLANON_YARDSTICK", folder().parent / "bench" / "mondrian_by_hand.c"))
    compiler = shutil.which("gcc") or shutil.which("cc")
    if not source.is_file() or not compiler:
        return None
    with tempfile.TemporaryDirectory() as temporary:
        binary = Path(temporary) / "mondrian"
        subprocess.run([compiler, "-O3", "-march=native", "-w", str(source), "-o", str(binary)], check=True)
        rows, attributes = coded.shape
        runs = []
        for _ in range(3):
            output = subprocess.run(
                [str(binary), str(rows), str(attributes), str(K)],
                input=coded.tobytes(), capture_output=True, check=True,
            ).stdout.decode()  # fmt: skip
            match = re.search(r"parts=(\d+) ([\d.]+)s", output)
            assert match, output
            runs.append((float(match[2]), int(match[1])))
        return min(runs)


def anonypy_seconds(con: duckdb.DuckDBPyConnection) -> float | None:
    try:
        import anonypy
    except ImportError:
        return None
    frame = con.execute(f"select {', '.join(QI)}, {SENSITIVE} from adult").df()
    for column in [*QI[1:], SENSITIVE]:
        frame[column] = frame[column].astype("category")
    return best(lambda: anonypy.Preserver(frame, QI, SENSITIVE).anonymize_k_anonymity(k=K), 1)


def compare(con: duckdb.DuckDBPyConnection, table: str, qi: list[str], runs: int, plain: bool) -> None:
    codes(con, table, qi)
    coded = matrix(con)
    numpy_classes = len(recursion.mondrian(coded, K))
    numpy_seconds = best(lambda: recursion.mondrian(coded, K), runs)
    line(f"numpy recursion: from codes to {numpy_classes:,} classes", numpy_seconds)
    plain_seconds = 0.0
    if plain:
        rows = [tuple(row) for row in coded.tolist()]
        assert len(recursion.plain(rows, K)) == numpy_classes
        plain_seconds = best(lambda: recursion.plain(rows, K), runs)
        line("plain Python recursion: from codes to classes", plain_seconds)
    by_hand = yardstick(coded)
    if by_hand:
        line(f"C by hand, one thread: from codes to {by_hand[1]:,} classes", by_hand[0])
    else:
        print("  C by hand: no compiler or no source (SQLANON_YARDSTICK)")
    tuples(con, qi)
    seconds = partition(con)
    line("sqlanon: from codes to classes, step by step", seconds, ("numpy", numpy_seconds))
    if by_hand:
        line("", seconds, ("C", by_hand[0]))
    seconds, classes = arrays(con, qi)
    assert classes == numpy_classes, (classes, numpy_classes)
    line("sqlanon: from codes to classes, over arrays", seconds, ("numpy", numpy_seconds))
    if by_hand:
        line("", seconds, ("C", by_hand[0]))
    in_sql = best(lambda: statement(con, table, qi), runs)
    line("sqlanon: from table to release, one statement", in_sql, ("numpy", numpy_seconds))
    if plain:
        line("", in_sql, ("plain Python", plain_seconds))
    if by_hand:
        line("", in_sql, ("C", by_hand[0]))
    [(classes,)] = con.execute(f"select count(*) from sqlanon.classes('released', {qi})").fetchall()
    assert classes == numpy_classes, (classes, numpy_classes)
    seconds = best(lambda: driver(con, table, qi), runs)
    line("sqlanon: from Python, with verification", seconds, ("the statement", in_sql))
    if by_hand:
        line("", seconds, ("C", by_hand[0]))


def main() -> None:
    with duckdb.connect() as con:
        sqlanon.register(con)
        title(f"Mondrian, k = {K}, on {adult(con)}")
        compare(con, "adult", QI, runs=3, plain=True)
        seconds = anonypy_seconds(con)
        if seconds is None:
            print("  anonypy is not installed")
        else:
            ours = best(lambda: statement(con, "adult", QI))
            line("anonypy", seconds)
            line("sqlanon: from table to release, one statement", ours, ("anonypy", seconds))
        title(f"Mondrian, k = {K}, on {large(con)}")
        compare(con, "large", LARGE_QI, runs=2, plain=False)
