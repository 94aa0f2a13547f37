"""Texts as dates and numbers that are written in other ways than SQL writes them."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples

FORMATS = [
    "%d.%m.%Y",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%d-%m-%Y",
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%d %b %Y",
    "%d.%m.%Y %H:%M",
]
# An example, what parts thousands, what stands before decimals.
EXAMPLES = [("1,5", "", ","), ("1.234,5", ".", ","), ("1,234.5", ",", "."), ("1 234,5", " ", ","),
            ("1'234.5", "'", "."), ("1.234", ".", "")]  # fmt: skip


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


@pytest.mark.both_lines
@examples(60)
@given(
    day=st.datetimes(datetime(1000, 1, 1), datetime(2999, 12, 31)),
    format=st.sampled_from(FORMATS),
    blanks=st.sampled_from(["", " "]),
)
def test_dates(con: duckdb.DuckDBPyConnection, day: datetime, format: str, blanks: str) -> None:
    text = blanks + day.strftime(format) + blanks
    read = con.execute(f"select sqlanon._formatted_time(?, '{format}')", [text]).fetchall()
    assert read == [(datetime.strptime(text.strip(), format),)]


@pytest.mark.both_lines
@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("11.03.70", "%d.%m.%Y"), ("11x03x1970", "%d.%m.%Y"), ("31.02.1970", "%d.%m.%Y"),
        ("11.03.1970 10:00", "%d.%m.%Y"), ("", "%d.%m.%Y"), ("13/13/1970", "%m/%d/%Y"), (None, "%d.%m.%Y"),
    ],
)  # fmt: skip
def test_no_dates(con: duckdb.DuckDBPyConnection, text: str | None, format: str) -> None:
    assert con.execute(f"select sqlanon._formatted_time(?, '{format}')", [text]).fetchall() == [(None,)]


def test_two_digits_of_a_year(con: duckdb.DuckDBPyConnection) -> None:
    query = "select sqlanon._formatted_time('11.03.70', '%d.%m.%y')::date"
    assert con.execute(query).fetchall() == [(date(1970, 3, 11),)]


@examples(60)
@given(
    thousandths=st.integers(-(10**10), 10**10),
    example=st.sampled_from(EXAMPLES),
    is_parted=st.booleans(),
)
def test_numbers(
    con: duckdb.DuckDBPyConnection, thousandths: int, example: tuple[str, str, str], is_parted: bool
) -> None:
    shown, thousands, decimals = example
    whole, fraction = divmod(abs(thousandths), 1000)
    text = f"{whole:,}".replace(",", thousands) if is_parted else str(whole)
    text = ("-" if thousandths < 0 else "") + text + (f"{decimals}{fraction:03}" if decimals else "")
    value = (whole + (fraction / 1000 if decimals else 0)) * (-1 if thousandths < 0 else 1)
    literal = shown.replace("'", "''")
    read = con.execute(f"select sqlanon._formatted_number(?, '{literal}')::double", [text]).fetchall()
    assert read == [(pytest.approx(value),)]


@pytest.mark.parametrize(
    ("text", "example"),
    [
        ("1.5", "1,5"), ("12.34", "1.234,5"), ("1.2345", "1.234,5"), ("1,5,5", "1,5"), ("", "1,5"),
        (",5", "1,5"), ("1,234,5", "1,234.5"), ("x", "1.234"), (None, "1,5"),
    ],
)  # fmt: skip
def test_no_numbers(con: duckdb.DuckDBPyConnection, text: str | None, example: str) -> None:
    assert con.execute(f"select sqlanon._formatted_number(?, '{example}')", [text]).fetchall() == [(None,)]
