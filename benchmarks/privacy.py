"""All of privacy against one GROUP BY over the same columns plus the sensitive one."""

from __future__ import annotations

import duckdb

import sqlanon
from benchmarks.tables import LARGE_QI, SENSITIVE, adult, large
from benchmarks.timing import best, line, title


def main() -> None:
    with duckdb.connect() as con:
        sqlanon.register(con)
        adult(con)
        title(f"All privacy models on {large(con)}")
        columns = ", ".join([*LARGE_QI, SENSITIVE])
        group_by = best(
            lambda: con.execute(
                f"create or replace temp table grouped as select {columns}, count(*) as n from large group "
                "by all"
            ).fetchall()
        )
        line("one GROUP BY over the same columns", group_by)
        for name, call in (("privacy", ""), ("violations", ", k := 5, t := 0.5")):
            seconds = best(
                lambda name=name, call=call: con.execute(  # type: ignore[misc]
                    f"select count(*) from sqlanon.{name}('large', {LARGE_QI}, '{SENSITIVE}'{call})"
                ).fetchall()
            )
            line(f"sqlanon.{name}", seconds, ("GROUP BY", group_by))
