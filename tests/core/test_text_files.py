"""Texts as dates and numbers that are written in other ways than SQL writes them."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import sqlanon
from sqlanon.cli.app import app
from sqlanon.core.text_files import formats_of_texts
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


@pytest.mark.both_lines
def test_days_that_are_written_in_two_ways(con: duckdb.DuckDBPyConnection) -> None:
    """Only years of two digits are of the hundred years that are said."""
    for text, iso, short in [
        ("11.03.1970", date(1970, 3, 11), date(1970, 3, 11)), ("1970-03-11", date(1970, 3, 11), None),
        ("11.03.70", None, date(1970, 3, 11)), ("11.03.20", None, date(2020, 3, 11)),
        ("11.03.1920", date(1920, 3, 11), date(1920, 3, 11)), ("11.03.", None, None),
    ]:  # fmt: skip
        read = "select sqlanon._formatted_time($1, '%d.%m.%Y or {}')::date".format
        assert con.execute(read("%Y-%m-%d"), [text]).fetchall() == [(iso,)]
        query = "select sqlanon._formatted_time($1, '%d.%m.%Y or %d.%m.%y', 1927)::date"
        assert con.execute(query, [text]).fetchall() == [(short,)]


@examples(60)
@given(
    first=st.integers(1850, 1999),
    later=st.timedeltas(timedelta(), timedelta(36500)),
    format=st.sampled_from(["%d.%m.%y", "%m/%d/%y", "%y-%m-%d"]),
)
def test_years_of_two_digits_are_of_the_hundred_years_that_are_said(
    con: duckdb.DuckDBPyConnection, first: int, later: timedelta, format: str
) -> None:
    day = min(date(first, 1, 1) + later, date(first + 99, 12, 31))
    query = f"select sqlanon._formatted_time(?, '{format}', {first})::date"
    assert con.execute(query, [day.strftime(format)]).fetchall() == [(day,)]


def test_a_day_that_these_years_lack(con: duckdb.DuckDBPyConnection) -> None:
    query = "select sqlanon._formatted_time('29.02.00', '%d.%m.%y', 1850)"
    assert con.execute(query).fetchall() == [(None,)]


WAYS = {"double 1,5": ("", ","), "double 1.234,5": (".", ","), "double 1,234.5": (",", "."),
        "double 1 234,5": (" ", ","), "double 1'234.5": ("'", ".")}  # fmt: skip


@examples(40, quick=6)
@given(
    thousandths=st.lists(st.integers(0, 10**10), min_size=3, max_size=9, unique=True),
    way=st.sampled_from([*WAYS]), places=st.integers(0, 3),
)  # fmt: skip
def test_what_is_proposed_reads_what_is_shown(
    con: duckdb.DuckDBPyConnection, thousandths: list[int], way: str, places: int
) -> None:
    """Amounts as they are written somewhere: a way that reads them right is proposed, before those that take
    a mark between thousands for one of decimals; each is shown with what it makes of three of them."""
    thousands, decimals = WAYS[way]
    written = {}
    for n in thousandths:
        fraction = f"{decimals}{n % 1000:03}"[: places + 1] if places else ""
        written[f"{n // 1000:,}".replace(",", thousands) + fraction] = Decimal(
            f"{n // 1000}.{f'{n % 1000:03}'[:places]}0"
        )
    con.execute(
        "create or replace table written as select unnest(?::varchar[]) as c", [[*written]]
    ).fetchall()
    passed = "from sqlanon._tests_passed('written', $1, $2, null)"
    fitting = [
        said for said in [*WAYS, "double"]
        if con.execute(passed, [["c"], [f"formatted {said}" if " " in said else "loosely double"]]).fetchall()
        == [([True],)]
    ]  # fmt: skip
    found = con.execute("from sqlanon._ways_to_read('written', 'c', $1)", [fitting]).fetchall()
    right = [
        said for said, shown in found
        if all(written[text] == Decimal(value) for text, value in (each.split(" as ") for each in shown))
    ]  # fmt: skip
    assert right
    if thousands and any(thousands in text for text in written):
        assert found[0][0] in right
    for said, shown in found:
        for text, value in (each.split(" as ") for each in shown):
            between, before = WAYS.get(said, ("", "."))
            plain = text.replace(between, "") if between else text
            assert float(value) == pytest.approx(float(plain.replace(before, ".")))


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


@pytest.mark.parametrize(
    ("text", "example", "number"),
    [
        ("34 ans", "1234 ans", "34"), ("-1\u202f234,50\N{NO-BREAK SPACE}€", "1 234,5 €", "-1234.50"),
        ("€ 5", "€ 1.5", "5"), ("CHF 1'234.5", "CHF 1'234.5", "1234.5"), (" 12 % ", "1,5 %", "12"),
        ("34", "1234 ans", None), ("34 km", "1234 ans", None), ("€", "1,5 €", None),
        ("3.4 (", "1.5 (", "3.4"),
    ],
)  # fmt: skip
def test_numbers_with_a_unit(
    con: duckdb.DuckDBPyConnection, text: str, example: str, number: str | None
) -> None:
    read = con.execute("select sqlanon._formatted_number($1, $2)", [text, example]).fetchall()
    assert read == [(number,)]


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["34 ans", "5 ans", None], "integer 1234 ans"), (["1,50 €", "2.300,00 €"], "double 1.234,5 €"),
        (["CHF 5", "CHF 7.5"], "double CHF 1.5"), (["5%", "12%"], "integer 1234%"),
        (["K29", "K30"], None), (["12 bis", "13"], None), (["5 km", "6 m"], None), (["<5 km", "6 km"], None),
    ],
)  # fmt: skip
def test_a_unit_is_one_if_all_numbers_have_it(
    con: duckdb.DuckDBPyConnection, texts: list[str | None], said: str | None
) -> None:
    con.execute("create or replace temp table texts as select unnest($1::text[]) as x", [texts])
    found = formats_of_texts(con, "texts")
    assert [way for way, _ in found.get("x", [])] == ([] if said is None else [said])


def test_windows_1252_in_sql(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """Every byte that it has, quotes, ends of lines and what looks like the text of a byte."""
    content = bytes({*range(1, 256)} - {0x81, 0x8D, 0x8F, 0x90, 0x9D}) + rb"\x80, \ 'x' " + b'"\r\n'
    (tmp_path / "all.csv").write_bytes(content)
    query = "select sqlanon._of_windows_1252(content) from read_blob(?)"
    [(text,)] = con.execute(query, [str(tmp_path / "all.csv")]).fetchall()
    assert text == content.decode("windows-1252")


def test_sql_that_is_printed_for_windows_1252_runs(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = ["alter,preis,krankheit", *(f"{20 + i % 3},{i} €,Müdigkeit" for i in range(12))]
    (tmp_path / "clinic.csv").write_bytes("\n".join(lines).encode("windows-1252"))
    asked = [
        "anonymize",
        "clinic.csv",
        "--qi",
        "alter",
        "--sensitive",
        "krankheit,preis",
        "--k",
        "2",
        "--sql",
    ]
    result = CliRunner().invoke(app, asked)
    assert result.exit_code == 0, result.stderr
    *before, last = [each for each in result.stdout.split(";\n") if each.strip()]
    for statement in before:
        con.execute(statement).fetchall()
    assert {row[2] for row in con.execute(last).fetchall()} == {f"{i} €" for i in range(12)}
