"""Planning: what a call of each public macro costs on ten rows, and how much of that is EXPLAIN."""

from __future__ import annotations

import tempfile
from pathlib import Path

import duckdb

import sqlanon
from benchmarks.timing import best, title
from sqlanon.core import library

RUNS = 5

TABLES = """
create table people as
select i as id, 20 + i as age, 'z' || i % 3 as zip, 'd' || i % 4 as disease from range(10) as r(i);
create table release_1 as from sqlanon.mondrian('people', ['age', 'zip'], 'disease', k := 2);
create table release_2 as from sqlanon.mondrian('people', ['zip', 'age'], 'disease', k := 3);
create table perturbed as select id, age + 1 as age, zip, disease from people;
create table days as select date '2024-03-05' + i::integer as day from range(10) as r(i);
create table hierarchies as
from sqlanon.interval_hierarchy('people', 'age', widths := [5, 10])
union all from sqlanon.flat_hierarchy('people', 'zip');
"""

QI = "['age', 'zip']"
LEVELS = f"'people', {QI}, hierarchies := 'hierarchies', k := 2"
TARGETS = f"['release_1', 'release_2'], 'people', 'id', {QI}, 'disease'"

# What each public table macro is called with.
ARGUMENTS = {
    "add_noise": "'people', ['age']",
    "anatomize": f"'people', {QI}, 'disease', l := 2",
    "bottom_code": "'people', ['age'], threshold := 22",
    "breaches": f"{TARGETS}, truth := 'disease'",
    "classes": f"'people', {QI}",
    "datafly": LEVELS,
    "date_hierarchy": "'days', 'day'",
    "disclosure": "'people', 'perturbed', 'id', ['age']",
    "flat_hierarchy": "'people', 'zip'",
    "generalize": f"'people', {QI}, hierarchies := 'hierarchies', levels := [1, 1], k := 2",
    "help": "'mondrian'",
    "intersection_attack": TARGETS,
    "interval_hierarchy": "'people', 'age', widths := [5, 10]",
    "k_similar": f"'people', {QI}, k := 2, algorithm := 'curve'",
    "lattice": LEVELS,
    "locate": f"'release_1', 'people', 'id', {QI}",
    "mask_hierarchy": "'people', 'zip'",
    "microaggregate": "'people', ['age'], k := 2, algorithm := 'curve'",
    "minimal_uniques": "'people', ['age', 'zip', 'disease']",
    "mondrian": f"'people', {QI}, 'disease', k := 2",
    "mu_argus": f"'people', {QI}, k := 2",
    "optimal": LEVELS,
    "pram": "'people', ['disease']",
    "privacy": f"'people', {QI}, 'disease'",
    "quasi_identifiers": "'people', ['age', 'zip', 'disease']",
    "rank_swap": "'people', ['age'], p := 0.5",
    "read_hierarchy": "'{folder}/zip.csv', 'zip'",
    "record_linkage": "'people', 'perturbed', 'id', ['age']",
    "record_risk": f"'people', {QI}",
    "risk": f"'people', {QI}",
    "round_values": "'people', ['age'], base := 5",
    "samarati": LEVELS,
    "suda": "'people', ['age', 'zip', 'disease'], 'id'",
    "top_code": "'people', ['age'], threshold := 28",
    "unread_labels": f"'release_1', 'people', {QI}",
    "unshared_values": "['release_1', 'release_2'], 'disease'",
    "utility": f"'people', 'release_1', {QI}",
    "violations": f"'people', {QI}, 'disease', k := 3",
    "wildcard_frequencies": f"'people', {QI}",
}


def measure(con: duckdb.DuckDBPyConnection, macro: str, arguments: str) -> tuple[float, float]:
    """Seconds of EXPLAIN, and of the call itself."""
    call = f"from sqlanon.{macro}({arguments})"
    explained = best(lambda: con.execute(f"explain {call}").fetchall(), RUNS)
    return explained, best(lambda: con.execute(call).fetchall(), RUNS)


def main() -> None:
    title(f"Calls on ten rows, best of {RUNS}; with the macros in a file, as registered, and in memory")
    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as con, duckdb.connect() as in_memory:
        Path(folder, "zip.csv").write_text("z0;*\nz1;*\nz2;*\n")
        sqlanon.register(con)
        library.keep_in_memory(in_memory)
        for each in (con, in_memory):
            each.execute(TABLES).fetchall()
        public = con.execute(
            """
            select distinct function_name from duckdb_functions()
            where database_name = 'sqlanon' and function_type = 'table_macro'
                and not starts_with(function_name, '_')
            """
        ).fetchall()
        measured = []
        for (macro,) in public:
            arguments = ARGUMENTS[macro].replace("{folder}", folder)
            measured.append((*measure(con, macro, arguments), *measure(in_memory, macro, arguments), macro))
    print(f"  {'macro':<22} {'EXPLAIN':>9} {'call':>9}   {'in memory':>9} {'call':>9}   file / memory")
    for explained, called, explained_there, called_there, macro in sorted(measured, reverse=True):
        seconds = f"{explained:>8.4f}s {called:>8.4f}s   {explained_there:>8.4f}s {called_there:>8.4f}s"
        print(f"  {macro:<22} {seconds}   {called / called_there:>6.2f}x")
