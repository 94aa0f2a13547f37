"""The tables that benchmarks run on: Adult, or a generated census where it is absent, and large tables made from it."""

from __future__ import annotations

import duckdb

from sqlanon.experiments import census
from tests import data

QI = ["age", "workclass", "education", "marital_status", "race", "sex", "native_country"]
LARGE_QI = [*QI, "zip"]
SENSITIVE = "occupation"


def adult(con: duckdb.DuckDBPyConnection) -> str:
    """The table `adult`; says what it is."""
    if (data.data() / "adult" / "adult.data").exists():
        data.load_adult(con, "adult")
        name = "Adult"
    else:
        census.load(con)
        con.execute("create or replace table adult as from population").fetchall()
        name = "a generated census (the Adult data set is absent)"
    [(rows,)] = con.execute("select count(*) from adult").fetchall()
    return f"{name}: {rows:,} rows, 7 quasi-identifiers"


def large(con: duckdb.DuckDBPyConnection, copies: int = 33) -> str:
    """The table `large`: `adult` so many times, age jittered by 0..3, with a uniform zip of 1000 values."""
    con.execute(
        """
        create or replace table large as
        select row_number() over () as id, age + (hash(id, copy) % 4)::integer as age, adult.* exclude (id, age),
               (hash(id, copy, 7) % 1000)::integer as zip
        from adult, range($copies) as copies(copy)
        """,
        {"copies": copies},
    ).fetchall()
    [(rows, combinations)] = con.execute(
        "select (select count(*) from large),"
        " (select count(*) from (select distinct * exclude (id, occupation) from large))"
    ).fetchall()
    return f"{rows:,} rows, 8 quasi-identifiers, {combinations:,} distinct combinations"


def codes(con: duckdb.DuckDBPyConnection, table: str, qi: list[str]) -> None:
    """The table `coded`: the quasi-identifiers as dense ranks from 0, one row per record."""
    ranks = ", ".join(
        f'(dense_rank() over (order by "{column}") - 1)::integer as "{column}"' for column in qi
    )
    con.execute(f"create or replace table coded as select {ranks} from {table}").fetchall()
