"""The public data sets of the tests: where they are and how they get into a DuckDB table."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import duckdb
import pytest

from sqlanon.experiments.ganta2008.data import ADULT_COLUMNS, IPUMS_COLUMNS

T = TypeVar("T", bound=Callable[..., Any])

ROOT = Path(__file__).resolve().parent.parent

ADULT_QI = ["age", "workclass", "education", "marital_status", "race", "sex", "native_country"]
ADULT_SENSITIVE = ["occupation"]

# ARX's version of it, in the order of its header; its files name their columns so.
ARX_COLUMNS = [
    "sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation",
    "salary-class",
]  # fmt: skip

IPUMS_QI = ["age", "classwkg", "educrec", "marst", "raceg", "sex", "bplg"]
IPUMS_SENSITIVE = ["occ1950", "ind1950", "inctot"]


def data() -> Path:
    """Folder of the data sets: SQLANON_DATA, or shared/data next to the repository."""
    return Path(os.environ.get("SQLANON_DATA") or ROOT.parent / "shared" / "data")


def conformance() -> Path:
    """Folder of the published numbers: SQLANON_CONFORMANCE, or shared/conformance next to the repository."""
    return Path(os.environ.get("SQLANON_CONFORMANCE") or ROOT.parent / "shared" / "conformance")


def _needs(folder: Path, files: list[str]) -> Callable[[T], T]:
    missing = [file for file in files if not (folder / file).is_file()]
    # where CI is set the test runs, and fails on the missing file
    skip = bool(missing) and os.environ.get("CI", "").lower() in ("", "0", "false")

    skipped = pytest.mark.skipif(skip, reason=f"not in {folder}: {', '.join(missing)}")

    def mark(test: T) -> T:
        skipped(test)  # marks are kept on the test itself
        pytest.mark.data(test)
        return test

    return mark


needs_data = _needs(data(), ["adult/adult.data", "ipums/ipums.la.97.gz"])
needs_arx = _needs(
    data(),
    ["adult/arx_adult.csv", "adult/arx_adult_subset.csv"]
    + [f"adult/hierarchies/adult_hierarchy_{column}.csv" for column in ARX_COLUMNS],
)
needs_conformance = _needs(
    conformance(), ["arx_adult_optima.json", "arx_adult_metrics.json", "arx_lattice_adult7_k5.csv"]
)
needs_muargus = _needs(
    data(), [f"muargus/{file}" for file in ("Demodata.asc", "Samhh.asc", "Age.grc", "Region.grc")]
)
needs_eusilc = _needs(data(), ["eusilc/eusilc.csv"])


def load_muargus(
    con: duckdb.DuckDBPyConnection, table: str, columns: Mapping[str, tuple[int, int]], file: str
) -> None:
    """Columns of a file of mu-Argus as text: name -> first and last position, from 1. Blanks are NULL."""
    select = ", ".join(
        f"nullif(trim(line[{first}:{last}]), '') as {name}" for name, (first, last) in columns.items()
    )
    lines = (data() / "muargus" / file).read_text("latin-1").splitlines()
    con.execute(
        f'create or replace table "{table}" as select {select} from (select unnest($1) as line)', [lines]
    ).fetchall()


def groups_of_muargus(file: str) -> list[tuple[int, int, str]]:
    """A recoding of mu-Argus: the first and the last code of each group, and its own."""
    groups = []
    for line in (data() / "muargus" / file).read_text("latin-1").splitlines():
        code, colon, range_ = line.partition(":")
        if colon and code.strip().isdigit():
            first, _, last = range_.strip().partition("-")
            groups.append((int(first or 0), int(last or 10**6), code.strip()))
    return groups


def _load(
    con: duckdb.DuckDBPyConnection, table: str, path: Path, names: list[str], select: str, where: str
) -> None:
    """A headerless CSV of text columns, in file order."""
    if not path.is_file():
        raise FileNotFoundError(path)
    con.execute(
        f"""create or replace table "{table}" as
        with line as (
            select trim(columns(*))
            from read_csv($path, header = false, all_varchar = true, delim = ',', quote = '',
                parallel = false, names = $names)
        )
        select row_number() over () as id, {select} from line where {where}""",
        {"path": str(path), "names": names},
    ).fetchall()


def load_adult(con: duckdb.DuckDBPyConnection, table: str) -> None:
    """UCI Adult, rows with `?` dropped: 30,162 rows, id (1.. in file order), ADULT_QI, occupation."""
    columns = ADULT_QI + ADULT_SENSITIVE
    select = ", ".join(["age::integer as age", *columns[1:]])
    where = " and ".join(f"{column} <> '?'" for column in ADULT_COLUMNS)
    _load(con, table, data() / "adult" / "adult.data", ADULT_COLUMNS, select, where)


def load_arx_adult(con: duckdb.DuckDBPyConnection, table: str, file: str = "arx_adult.csv") -> None:
    """UCI Adult as ARX has it: 30,162 rows, id (1.. in file order), ARX_COLUMNS, age as an integer."""
    path = data() / "adult" / file
    if not path.is_file():
        raise FileNotFoundError(path)
    con.execute(
        f"""create or replace table "{table}" as
        select row_number() over () as id, * replace (age::integer as age)
        from read_csv($path, header = true, all_varchar = true, delim = ';', quote = '', parallel = false)""",
        {"path": str(path)},
    ).fetchall()


def load_arx_subset(con: duckdb.DuckDBPyConnection, table: str) -> None:
    """ARX's research subset of it: 3,016 rows."""
    load_arx_adult(con, table, "arx_adult_subset.csv")


def load_arx_hierarchies(con: duckdb.DuckDBPyConnection, table: str) -> None:
    """ARX's hierarchies of all ARX_COLUMNS in one table; sqlanon must be registered."""
    folder = data() / "adult" / "hierarchies"
    entries = " union all ".join(
        f"from sqlanon.read_hierarchy('{folder}/adult_hierarchy_{column}.csv', '{column}')"
        for column in ARX_COLUMNS
    )
    con.execute(f'create or replace table "{table}" as {entries}').fetchall()


def load_ipums(con: duckdb.DuckDBPyConnection, table: str) -> None:
    """IPUMS Los Angeles 1970: 70,187 rows, id (1.. in file order), IPUMS_QI as integers, the rest as text."""
    select = ", ".join([f"{column}::integer as {column}" for column in IPUMS_QI] + IPUMS_SENSITIVE)
    _load(con, table, data() / "ipums" / "ipums.la.97.gz", IPUMS_COLUMNS, select, "true")


def overlapping_subsets(
    con: duckdb.DuckDBPyConnection, table: str, seed: int, overlap: int = 5000
) -> tuple[str, str, str]:
    """Two subsets as in Ganta et al. 2008, section 3: `overlap` common rows, and half of the rest each.

    Creates <table>_1, <table>_2 and <table>_common (the common rows) and returns their names. Rows are dealt
    in the order of hash(id, seed), so that a seed gives the same subsets everywhere.
    """
    parts = {1: f"{table}_1", 2: f"{table}_2", 0: f"{table}_common"}
    for part, name in parts.items():
        where = f"place <= {overlap}" + (f" or (place - {overlap}) % 2 = {part % 2}" if part else "")
        con.execute(
            f"""create or replace table "{name}" as
            with dealt as (
                select *, row_number() over (order by hash(id, {int(seed)}::bigint), id) as place
                from "{table}"
            )
            select * exclude (place) from dealt where {where} order by id"""
        ).fetchall()
    return parts[1], parts[2], parts[0]
