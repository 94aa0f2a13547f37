"""What must not leave a table by the Safe Harbor method of HIPAA."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlanon
from tests.cli.test_cli import folder as folder  # a fixture
from tests.cli.test_cli import run

PLACES, DATES = "(B) places smaller than a state", "(C) dates and ages"
MONTHS = "more of a date than its year"
OLD = "an age above 89"
BORN = "a year of birth of people of 90 or older"
DIGITS = "more than the first three digits of a ZIP code"
SPARSE = "at most 20,000 people live there: its first digits must be 000"
POPULATIONS = "from (values ('021', 1_200_000), ('036', 20_000), ('10', 20_001)) as p(zip3, population)"


def problems(con: duckdb.DuckDBPyConnection, column: str, value: Any) -> list[str]:
    """What is wrong with a value in a column of this name, on the first day of 2026."""
    con.execute("create or replace table one as select unnest([$value]) as called", {"value": value})
    con.execute(f"alter table one rename column called to {column}")
    today = "2026-01-01"
    return [
        problem
        for _, _, problem, _ in sqlanon.safe_harbor(
            con, "one", populations="populations", today=today
        ).fetchall()
    ]


@pytest.fixture(scope="module")
def con() -> Any:
    with duckdb.connect() as con:
        con.execute(f"create table populations as {POPULATIONS}")
        yield con


@pytest.mark.parametrize(
    ("column", "value", "found"),
    [
        ("age", 89, []), ("age", 90, [OLD]), ("age", "[85, 89]", []), ("age", "[85, 94]", [OLD]),
        ("age", ">=90", []), ("age", "90+", []), ("age", "90 or older", []), ("age", ">=91", [OLD]),
        ("age", "[85.0, 90.0[", []), ("age", "[90.0, 95.0[", [OLD]), ("age", "{12, 93}", [OLD]),
        ("cost", 93, []), ("age", ">=65", []), ("age", "*", []),
        ("admitted", "2020", []), ("admitted", "[2019, 2020]", []), ("admitted", "2020-03", [MONTHS]),
        ("admitted", "2020-Q1", [MONTHS]), ("admitted", "11.03.2020", [MONTHS]), ("admitted", "2020s", []),
        ("admitted", "[2020-01-01, 2020-12-31]", [MONTHS]),
        ("note", "since March 2020", [MONTHS, "looks like free text"]),
        ("birth_year", "1937", []), ("birth_year", "1936", [BORN]), ("birth_year", "<1937", []),
        ("birth_year", "[1930, 1939]", [BORN]), ("Geburtsjahr", "1930", [BORN]), ("year", "1930", []),
        ("zip", "02139", [DIGITS]), ("zip", "021**", []), ("zip", "000", []), ("zip", "*", []),
        ("zip", "036**", [SPARSE]), ("zip", "03***", []), ("zip", "010**", []), ("plz", "021", []),
        ("zip", "999**", ["populations does not have its first three digits"]),
        ("city", "Boston", ["its name is that of a place"]), ("city", "*", []), ("state", "Texas", []),
    ],
)  # fmt: skip
def test_values(con: duckdb.DuckDBPyConnection, column: str, value: Any, found: list[str]) -> None:
    assert problems(con, column, value) == found


def test_identifiers_of_all_kinds(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        """create or replace table people as
        select i as visit, 'P' || i as patient, 'u' || i || '@mail.org' as contact, i % 5 as ward,
               '10.0.0.' || i as host, format('617-555-{:04d}', i) as call_back, 'x'::blob as photo
        from range(40) as r(i)"""
    )
    rules = [rule for _, rule, _, _ in sqlanon.safe_harbor(con, "people").fetchall()]
    assert rules == [
        "(H) to (M), (R) numbers and codes that are unique",
        "(H) to (M), (R) numbers and codes that are unique",
        "(F) e-mail addresses",
        "(O) IP addresses",
        "(D), (E) telephone and fax numbers",
        "(P), (Q), (R) what cannot be looked into",
    ]


def test_without_populations_nothing_is_said_to_be_well(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("create or replace table one as select '021**' as zip")
    [(_, rule, problem, rows)] = sqlanon.safe_harbor(con, "one").fetchall()
    assert (rule, rows) == (PLACES, 1)
    assert problem.startswith("not known whether more than 20,000 people live there")


def test_a_release_of_dates_and_ages(con: duckdb.DuckDBPyConnection) -> None:
    """Hierarchies of years, and breaks with open ends, make what may leave."""
    con.execute(
        """create or replace table stays as
        select (i * 7) % 99 as age, date '2020-01-01' + i::integer as admitted, i % 3 as ward
        from range(300) as r(i)"""
    )
    con.execute(
        """create or replace table trees as
        from sqlanon.interval_hierarchy('stays', 'age', breaks := [18, 65, 90])
        union all from sqlanon.date_hierarchy('stays', 'admitted', units := ['year'])"""
    )
    roles: dict[str, Any] = {"qi": ["age", "admitted"], "hierarchies": "trees", "keep": "ward", "k": 2}
    sqlanon.generalize(con, "stays", **roles, levels={"age": 1, "admitted": 1}, into="coarse", replace=True)
    assert sqlanon.safe_harbor(con, "coarse").fetchall() == []
    found = {(rule, problem) for _, rule, problem, _ in sqlanon.safe_harbor(con, "stays").fetchall()}
    assert found == {(DATES, MONTHS), (DATES, OLD)}


def test_the_command(folder: Path) -> None:
    Path("out.csv").write_text('zip,age\n036**,>=90\n021**,"[65, 89]"\n', "utf-8")
    Path("zip3.csv").write_text("zip3,population\n036,5000\n021,900000\n", "utf-8")
    result = run("safe-harbor", "out.csv", "--populations", "zip3.csv")
    assert result.exit_code == 1
    assert result.stdout.splitlines()[1:] == [f'zip,{PLACES},"{SPARSE}",1']
    Path("out.csv").write_text("zip,age\n000,>=90\n021**,5\n", "utf-8")
    assert run("safe-harbor", "out.csv", "--populations", "zip3.csv").exit_code == 0
