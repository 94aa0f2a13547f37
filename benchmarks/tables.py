"""The tables of the benchmarks: public data sets, or a generated census, and large tables made from it."""

from __future__ import annotations

import os
from pathlib import Path

import duckdb

from benchmarks.timing import option
from sqlanon.experiments import census
from sqlanon.experiments.ganta2008 import data

QI = [*census.QI]
LARGE_QI = [*QI, "zip"]
SENSITIVE = census.SENSITIVE
IPUMS_QI = [*data.IPUMS.qi]

# As ARX names and orders the columns of Adult.
ARX_COLUMNS = [
    "sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation",
    "salary-class",
]  # fmt: skip


def folder() -> Path:
    """Where the data sets are: SQLANON_DATA, or shared/data next to the repository."""
    return Path(os.environ.get("SQLANON_DATA") or Path(__file__).parents[2] / "shared" / "data")


def _first_rows(con: duckdb.DuckDBPyConnection, table: str) -> None:
    """Keep only the first rows of a table, if --rows says so: for a look whether a benchmark runs."""
    if rows := option("rows", ""):
        con.execute(f"delete from {table} where id > $rows", {"rows": int(rows)}).fetchall()


def adult(con: duckdb.DuckDBPyConnection) -> str:
    """The table `adult`, or a generated census under that name; says which."""
    file = folder() / "adult" / "adult.data"
    if file.is_file():
        data.load(con, data.ADULT, file)
        name = "Adult"
    else:
        census.load(con)
        name = "a generated census (the Adult data set is absent)"
    con.execute("create or replace table adult as from people").fetchall()
    _first_rows(con, "adult")
    [(rows,)] = con.execute("select count(*) from adult").fetchall()
    return f"{name}: {rows:,} rows, 7 quasi-identifiers"


def adult_test(con: duckdb.DuckDBPyConnection) -> str:
    """The table `adult_test`, of other people than those in `adult`; where the test part of Adult is absent
    the last third of these, who are in it no more. Says which."""
    file = folder() / "adult" / "adult.test"
    if file.is_file():
        data.load(con, data.ADULT, file)
        con.execute("create or replace table adult_test as from people").fetchall()
        _first_rows(con, "adult_test")
        return "the test part of Adult"
    con.execute("create or replace table adult_test as from adult where id % 3 = 2").fetchall()
    con.execute("delete from adult where id % 3 = 2").fetchall()
    return "a third of them"


def ipums(con: duckdb.DuckDBPyConnection) -> bool:
    """The table `ipums`, where the data set is there."""
    file = folder() / "ipums" / "ipums.la.97.gz"
    if not file.is_file():
        return False
    data.load(con, data.IPUMS, file)
    con.execute("create or replace table ipums as from people").fetchall()
    _first_rows(con, "ipums")
    return True


def eusilc(con: duckdb.DuckDBPyConnection) -> bool:
    """The table `eusilc`, of the rows in which nothing is missing, where the data set is there."""
    file = folder() / "eusilc" / "eusilc.csv"
    if not file.is_file():
        return False
    con.execute(
        """
        create or replace table eusilc as
        select row_number() over () as id, age::integer as age, pb220a, pl030, rb090,
               hsize::integer as hsize, db040
        from read_csv($path, header = true, all_varchar = true, parallel = false)
        where pb220a is not null and pl030 is not null
        """,
        {"path": str(file)},
    ).fetchall()
    _first_rows(con, "eusilc")
    return True


def arx_hierarchy(column: str) -> Path:
    """ARX's hierarchy of a column of Adult."""
    return folder() / "adult" / "hierarchies" / f"adult_hierarchy_{column}.csv"


def arx_adult(con: duckdb.DuckDBPyConnection) -> bool:
    """Adult as ARX has it, `adult`, and its hierarchies, `h`, where they are there."""
    file = folder() / "adult" / "arx_adult.csv"
    if not file.is_file():
        return False
    con.execute(
        """
        create or replace table adult as
        select row_number() over () as id, * replace (age::integer as age)
        from read_csv($path, header = true, all_varchar = true, delim = ';', quote = '', parallel = false)
        """,
        {"path": str(file)},
    ).fetchall()
    _first_rows(con, "adult")
    hierarchies = " union all ".join(
        f"from sqlanon.read_hierarchy('{arx_hierarchy(column)}', '{column}')" for column in ARX_COLUMNS
    )
    con.execute(f"create or replace table h as {hierarchies}").fetchall()
    return True


def overlapping(con: duckdb.DuckDBPyConnection, table: str, common: int = 5000) -> tuple[str, str, str]:
    """Two parts of a table that share so many people, and these people: as in Ganta et al.

    2008, section 3.
    """
    con.execute(f"create or replace table people as from {table}").fetchall()
    [(rows,)] = con.execute("select count(*) from people").fetchall()
    data.deal(con, 1, min(common, rows // 3))
    return "subset_1", "subset_2", "common_people"


def large(con: duckdb.DuckDBPyConnection, copies: int = 33) -> str:
    """The table `large`: copies of `adult`, each age up to 3 years higher, and one of 1000 zips."""
    con.execute(
        """
        create or replace table large as
        select row_number() over () as id, age + (hash(id, copy) % 4)::integer as age,
               adult.* exclude (id, age), (hash(id, copy, 7) % 1000)::integer as zip
        from adult, range($copies) as copies(copy)
        """,
        {"copies": copies},
    ).fetchall()
    [(rows, combinations)] = con.execute(
        """
        select (select count(*) from large),
               (select count(*) from (select distinct * exclude (id, occupation) from large))
        """
    ).fetchall()
    return f"{rows:,} rows, 8 quasi-identifiers, {combinations:,} distinct combinations"


def codes(con: duckdb.DuckDBPyConnection, table: str, qi: list[str]) -> None:
    """The table `coded`: the quasi-identifiers as dense ranks from 0, one row per record."""
    ranks = ", ".join(
        f'(dense_rank() over (order by "{column}") - 1)::integer as "{column}"' for column in qi
    )
    con.execute(f"create or replace table coded as select {ranks} from {table}").fetchall()
