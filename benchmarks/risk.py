"""Risk against plain GROUP BYs; sets of columns and minimal uniques, of Adult and of a sample of millions."""

from __future__ import annotations

import duckdb

import sqlanon
from benchmarks.tables import LARGE_QI, QI, adult, large
from benchmarks.timing import at_most, best, line, title


def main() -> None:
    with duckdb.connect() as con:
        sqlanon.register(con)
        name = adult(con)
        sets = f"all {2 ** len(QI) - 1} sets of 7 columns"
        title(f"Which columns tell records apart, on {name}")
        for name, call in (
            (f"quasi_identifiers, {sets}", f"quasi_identifiers('adult', {QI}, max_size := 7)"),
            ("the same, up to 3 columns", f"quasi_identifiers('adult', {QI})"),
            (f"minimal_uniques, {sets}", f"minimal_uniques('adult', {QI}, 'id', max_size := 7)"),
            ("the same, up to 3 columns", f"minimal_uniques('adult', {QI}, 'id')"),
            (f"suda, {sets}", f"suda('adult', {QI}, 'id', max_size := 7)"),
        ):
            line(name, seconds(con, call))

        title(f"Risk on {large(con, 166)}")
        columns = ", ".join(LARGE_QI)
        group_by = best(
            lambda: con.execute(
                f"create or replace temp table grouped as select {columns}, count(*) as n from large group "
                "by all"
            ).fetchall()
        )
        line("one GROUP BY over the same columns", group_by)
        for name, call in (
            ("risk", f"risk('large', {LARGE_QI})"),
            ("risk, with population uniques", f"risk('large', {LARGE_QI}, fraction := 0.1)"),
            ("record_risk", f"record_risk('large', {LARGE_QI})"),
            (
                "quasi_identifiers from 10,000 rows",
                f"quasi_identifiers('large', {LARGE_QI}, sample := 10000)",
            ),
            (
                "quasi_identifiers from 100,000 rows",
                f"quasi_identifiers('large', {LARGE_QI}, sample := 100000)",
            ),
        ):
            line(name, seconds(con, call), ("GROUP BY", group_by))
        of_samples(con)


KEYS = {"age": 90, "sex": 2, "region": 10, "marital": 5, "education": 6, "household_size": 8}  # their values


def of_samples(con: duckdb.DuckDBPyConnection) -> None:
    """Risk by sampling weights against the GROUP BY of the keys: texts, integers, and some missing."""
    rows, qi = at_most(1_000_000), [*KEYS]
    title(f"Risk of a sample of {rows:,} rows, by 6 quasi-identifiers")
    for what, value in (
        ("texts", "'{name} ' || hash(i + {salt} * 10000000) % {values}"),
        ("integers", "(hash(i + {salt} * 10000000) % {values})::int"),
        (
            "texts, a tenth of the rows lacks one",
            "if(i % 60 = {salt}, null, '{name} ' || hash(i + {salt} * 10000000) % {values})",
        ),
    ):
        keys = ", ".join(
            f"{value.format(name=name, salt=salt, values=values)} as {name}"
            for salt, (name, values) in enumerate(KEYS.items())
        )
        con.execute(
            f"create or replace table sample as select {keys}, (1.5 + i // 3 % 997)::double as w, "
            f"i // 3 as home from range({rows}) as row(i)"
        ).fetchall()
        group_by = best(
            lambda: con.execute(
                f"create or replace temp table grouped as select {', '.join(qi)}, count(*) as n from sample "
                "group by all"
            ).fetchall()
        )
        line(f"one GROUP BY ({what})", group_by)
        for name, more in (
            ("risk, approximate", ""),
            ("risk, exact", ", risk_formula := 'exact'"),
            ("risk, approximate, with households", ", household := 'home'"),
        ):
            call = f"risk('sample', {qi}, sampling_weight := 'w'{more})"
            line(name, seconds(con, call), ("GROUP BY", group_by))


def seconds(con: duckdb.DuckDBPyConnection, call: str) -> float:
    """Of all rows of an answer."""
    return best(lambda: con.execute(f"create or replace temp table answer as from sqlanon.{call}").fetchall())
