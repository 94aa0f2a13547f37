"""Hierarchies: what the builders and the reader give, what the check finds, and the nested sets."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from string import ascii_uppercase
from typing import Any, TypeAlias

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from sqlanon.core.library import topics
from tests.budget import examples

ARX = Path(__file__).resolve().parents[3] / "shared" / "data" / "adult" / "hierarchies"

Labels: TypeAlias = dict[str | None, list[str | None]]
Entry: TypeAlias = tuple[str | None, str | None, int | None, str | None]


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute("attach ':memory:' as sqlanon")
        for topic in ("core/secrets", "core/names", "hierarchies/hierarchies"):
            connection.execute(topics()[topic])
        yield connection


def literal(text: object) -> str:
    return "'" + str(text).replace("'", "''") + "'"


def column(con: duckdb.DuckDBPyConnection, type_: str, *values: str | None) -> None:
    """Table t with the column x of that type, one row per value (as text that casts to it)."""
    con.execute(f"create or replace table t (x {type_})")
    con.executemany("insert into t values (?::varchar)", [[value] for value in values or [None]])
    if not values:
        con.execute("delete from t")


def labels(con: duckdb.DuckDBPyConnection, call: str) -> Labels:
    """Value -> its labels from level 0 up. The rows are one hierarchy of column x, without problems."""
    con.execute(f"create or replace temp table built as from sqlanon.{call}")
    rows = con.execute("select value, list(label order by level) from built group by value").fetchall()
    assert con.execute("from sqlanon._hierarchy_problems('built')").fetchall() == []
    assert con.execute("select distinct attribute from built").fetchall() in ([], [("x",)])
    return dict(rows)


def hierarchy(con: duckdb.DuckDBPyConnection, entries: Iterable[Entry]) -> None:
    """Table h with these entries."""
    attributes, values, levels, names = zip(*entries, strict=True)
    con.execute(
        "create or replace temp table h as select unnest(?::varchar[]) as attribute, "
        "unnest(?::varchar[]) as value, unnest(?::integer[]) as level, unnest(?::varchar[]) as label",
        [attributes, values, levels, names],
    )


def tree(*paths: str, attribute: str = "x") -> list[Entry]:
    """Entries of values whose labels are written 'value > label > label'."""
    split = [path.split(" > ") for path in paths]
    return [(attribute, path[0], level, label) for path in split for level, label in enumerate(path)]


# The relation


@pytest.mark.parametrize(
    "call",
    [
        "flat_hierarchy('t', 'X')",
        "mask_hierarchy('t', 'X')",
        "icd10_hierarchy('t', 'X')",
        "interval_hierarchy('t', 'X', [5])",
        "date_hierarchy('days', 'X')",
        "read_hierarchy({file}, 'X')",
        "wide_hierarchy('wide', 'X')",
    ],
)
def test_the_columns_are_those_of_a_hierarchy_and_the_attribute_is_as_the_user_wrote_it(
    con: duckdb.DuckDBPyConnection, call: str, tmp_path: Path
) -> None:
    (tmp_path / "x.csv").write_text("1;*\n", "utf-8")
    column(con, "INTEGER", "1")
    con.execute("create or replace table days as select date '2024-03-05' as x")
    con.execute("create or replace table wide as select 5 as x, '*' as level1")
    relation = con.execute(
        "describe from sqlanon." + call.format(file=literal(tmp_path / "x.csv"))
    ).fetchall()
    assert [(name, type_) for name, type_, *_ in relation] == [
        ("attribute", "VARCHAR"),
        ("value", "VARCHAR"),
        ("level", "INTEGER"),
        ("label", "VARCHAR"),
    ]
    result = con.execute(
        "select distinct attribute from sqlanon." + call.format(file=literal(tmp_path / "x.csv"))
    )
    assert result.fetchall() == [("X",)]


@pytest.mark.parametrize("name", ['say "x"; drop table t --', "select", "value", "attribute", "O'Neil", "🦆"])
def test_columns_may_have_any_name(con: duckdb.DuckDBPyConnection, name: str) -> None:
    identifier = '"' + name.replace('"', '""') + '"'
    con.execute(f"create or replace table t as select 7 as {identifier}")
    rows = con.execute(f"from sqlanon.flat_hierarchy('t', {literal(name)}) order by level").fetchall()
    assert rows == [(name, "7", 0, "7"), (name, "7", 1, "*")]
    rows = con.execute(
        f"from sqlanon.interval_hierarchy('t', {literal(name)}, [5]) order by level"
    ).fetchall()
    assert [row[3] for row in rows] == ["7", "[5, 9]", "*"]


def test_an_unknown_column_is_an_error_that_names_the_columns_there_are(
    con: duckdb.DuckDBPyConnection,
) -> None:
    con.execute("create or replace table t (age integer, zip varchar)")
    for call in (
        "flat_hierarchy('t', 'agee')",
        "interval_hierarchy('t', 'agee', [5])",
        "date_hierarchy('t', 't')",
    ):
        with pytest.raises(duckdb.BinderException, match=r'(?s)agee|"t".*"age"'):
            con.execute(f"from sqlanon.{call}")


@pytest.mark.parametrize("builder", ["flat_hierarchy", "mask_hierarchy", "icd10_hierarchy", "date_hierarchy"])
def test_an_empty_table_gives_no_rows(con: duckdb.DuckDBPyConnection, builder: str) -> None:
    column(con, "VARCHAR")
    assert labels(con, f"{builder}('t', 'x')") == {}


def test_a_table_may_be_a_cte_of_the_calling_query(con: duckdb.DuckDBPyConnection) -> None:
    rows = con.execute(
        "with c as (select 1 as x) from sqlanon.flat_hierarchy('c', 'x') order by level"
    ).fetchall()
    assert rows == [("x", "1", 0, "1"), ("x", "1", 1, "*")]


# ICD-10


# The first category of each chapter by the World Health Organization's tabular list of 2016, and the label.
CHAPTERS = {
    "A00": "A00-B99", "C00": "C00-D49", "D50": "D50-D89", "E00": "E00-E90", "F00": "F00-F99",
    "G00": "G00-G99", "H00": "H00-H59", "H60": "H60-H95", "I00": "I00-I99", "J00": "J00-J99",
    "K00": "K00-K95", "L00": "L00-L99", "M00": "M00-M99", "N00": "N00-N99", "O00": "O00-O99",
    "P00": "P00-P96", "Q00": "Q00-Q99", "R00": "R00-R99", "S00": "S00-T98", "U00": "U00-U99",
    "V01": "V00-Y99", "Z00": "Z00-Z99",
}  # fmt: skip


def test_categories_are_in_the_chapter_that_begins_before_them(con: duckdb.DuckDBPyConnection) -> None:
    categories = [f"{letter}{number:02}" for letter in ascii_uppercase for number in range(100)]
    column(con, "VARCHAR", *categories)
    made = labels(con, "icd10_hierarchy('t', 'x')")
    for category in categories:
        # V00, of ICD-10-CM, is in the chapter whose first category is V01 elsewhere
        before = [first for first in CHAPTERS if first <= category.replace("V00", "V01")]
        assert made[category] == [category, category, CHAPTERS[max(before)], "*"]


@pytest.mark.parametrize(
    ("value", "category"),
    [
        ("J45.0", "J45"), ("j450", "J45"), (" J45.0 Asthma", "J45"), ("M1A.00X0", "M1A"), ("A18.0+", "A18"),
        ("asthma", "other"), ("J4", "other"), ("", "other"), ("J45asthma-long", "other"), (None, "NULL"),
    ],
)  # fmt: skip
def test_codes_as_people_write_them(con: duckdb.DuckDBPyConnection, value: str | None, category: str) -> None:
    column(con, "VARCHAR", value)
    chapter = {"J45": "J00-J99", "M1A": "M00-M99", "A18": "A00-B99"}.get(category, category)
    assert labels(con, "icd10_hierarchy('t', 'x')") == {value: [value, category, chapter, "*"]}


# Flat


def test_flat_has_one_step(con: duckdb.DuckDBPyConnection) -> None:
    column(con, "VARCHAR", "f", "m", "m", None, "")
    assert labels(con, "flat_hierarchy('t', 'x')") == {
        "f": ["f", "*"],
        "m": ["m", "*"],
        "": ["", "*"],
        None: [None, "*"],
    }


def test_equal_numbers_with_two_texts_are_two_values(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        "create or replace table t as select unnest([0.0::double, -0.0::double * -1, -(0.0::double)]) as x"
    )
    texts = {text for (text,) in con.execute("select distinct x::varchar from t").fetchall()}
    assert set(labels(con, "flat_hierarchy('t', 'x')")) == texts
    assert set(labels(con, "interval_hierarchy('t', 'x', [5])")) == texts


# Mask


def test_mask_hides_characters_from_the_right(con: duckdb.DuckDBPyConnection) -> None:
    column(con, "VARCHAR", "13053", "13068")
    assert labels(con, "mask_hierarchy('t', 'x')") == {
        "13053": ["13053", "1305*", "130**", "13***", "1****", "*"],
        "13068": ["13068", "1306*", "130**", "13***", "1****", "*"],
    }


def test_a_shorter_value_is_all_stars_sooner(con: duckdb.DuckDBPyConnection) -> None:
    column(con, "VARCHAR", "13053", "ab", "", None)
    assert labels(con, "mask_hierarchy('t', 'x')") == {
        "13053": ["13053", "1305*", "130**", "13***", "1****", "*"],
        "ab": ["ab", "a*", "**", "**", "**", "*"],
        "": ["", "", "", "", "", "*"],
        None: [None, "NULL", "NULL", "NULL", "NULL", "*"],
    }


def test_a_character_is_one_character_in_any_script(con: duckdb.DuckDBPyConnection) -> None:
    column(con, "VARCHAR", "né🦆")
    assert labels(con, "mask_hierarchy('t', 'x')") == {"né🦆": ["né🦆", "né*", "n**", "*"]}


@pytest.mark.parametrize("value", ["a", "", None])
def test_one_character_or_none_is_a_flat_hierarchy(con: duckdb.DuckDBPyConnection, value: str | None) -> None:
    column(con, "VARCHAR", value)
    assert labels(con, "mask_hierarchy('t', 'x')") == {value: [value, "*"]}


def test_values_that_hold_stars_still_make_a_tree(con: duckdb.DuckDBPyConnection) -> None:
    column(con, "VARCHAR", "a*c", "abc", "ab*", "*", "**", "NULL", None)
    assert labels(con, "mask_hierarchy('t', 'x')")["ab*"] == ["ab*", "ab*", "a**", "***", "*"]


def test_numbers_are_masked_as_text(con: duckdb.DuckDBPyConnection) -> None:
    column(con, "INTEGER", "-12", "7")
    assert labels(con, "mask_hierarchy('t', 'x')") == {
        "-12": ["-12", "-1*", "-**", "*"],
        "7": ["7", "*", "*", "*"],
    }


# Intervals


@pytest.mark.parametrize("type_", ["TINYINT", "INTEGER", "BIGINT", "HUGEINT"])
def test_intervals_of_whole_numbers_name_their_last_member(
    con: duckdb.DuckDBPyConnection, type_: str
) -> None:
    column(con, type_, "23", "0", "-1", "-5", "-7", None)
    assert labels(con, "interval_hierarchy('t', 'x', [5, 10, 20])") == {
        "23": ["23", "[20, 24]", "[20, 29]", "[20, 39]", "*"],
        "0": ["0", "[0, 4]", "[0, 9]", "[0, 19]", "*"],
        "-1": ["-1", "[-5, -1]", "[-10, -1]", "[-20, -1]", "*"],
        "-5": ["-5", "[-5, -1]", "[-10, -1]", "[-20, -1]", "*"],
        "-7": ["-7", "[-10, -6]", "[-10, -1]", "[-20, -1]", "*"],
        None: [None, "NULL", "NULL", "NULL", "*"],
    }


def test_an_origin_moves_the_intervals(con: duckdb.DuckDBPyConnection) -> None:
    column(con, "INTEGER", "17", "18", "27", "28")
    assert labels(con, "interval_hierarchy('t', 'x', [10, 20], origin := 18)") == {
        "17": ["17", "[8, 17]", "[-2, 17]", "*"],
        "18": ["18", "[18, 27]", "[18, 37]", "*"],
        "27": ["27", "[18, 27]", "[18, 37]", "*"],
        "28": ["28", "[28, 37]", "[18, 37]", "*"],
    }


@pytest.mark.parametrize("type_", ["DECIMAL(10, 2)", "DOUBLE", "FLOAT"])
def test_intervals_of_other_numbers_are_half_open(con: duckdb.DuckDBPyConnection, type_: str) -> None:
    column(con, type_, "20", "24.75", "-0.25")
    result = labels(con, "interval_hierarchy('t', 'x', [5, 10])")
    by_number = {Fraction(value or 0): names[1:] for value, names in result.items()}
    assert by_number == {
        Fraction(20): ["[20.0, 25.0[", "[20.0, 30.0[", "*"],
        Fraction(99, 4): ["[20.0, 25.0[", "[20.0, 30.0[", "*"],
        Fraction(-1, 4): ["[-5.0, 0.0[", "[-10.0, 0.0[", "*"],
    }


@pytest.mark.parametrize("type_", ["DECIMAL(10, 2)", "DOUBLE", "FLOAT"])
@pytest.mark.parametrize("widths", ["[0.1, 0.5]", "[0.1::double, 0.5::double]"])
def test_a_bound_belongs_to_the_interval_that_it_begins(
    con: duckdb.DuckDBPyConnection, type_: str, widths: str
) -> None:
    column(con, type_, "0.29", "0.3", "-0.3")
    result = {
        Decimal(value or 0): names[1:]
        for value, names in labels(con, f"interval_hierarchy('t', 'x', {widths})").items()
    }
    assert result == {
        Decimal("0.29"): ["[0.2, 0.3[", "[0.0, 0.5[", "*"],
        Decimal("0.3"): ["[0.3, 0.4[", "[0.0, 0.5[", "*"],
        Decimal("-0.3"): ["[-0.3, -0.2[", "[-0.5, 0.0[", "*"],
    }


@examples(30, quick=3)
@given(
    breaks=st.lists(st.integers(-20, 20), min_size=1, max_size=4, unique=True).map(sorted),
    values=st.lists(st.integers(-25, 25), min_size=1, max_size=6, unique=True), as_double=st.booleans(),
)  # fmt: skip
def test_breaks_begin_intervals_of_which_the_first_and_last_are_open(
    con: duckdb.DuckDBPyConnection, breaks: list[int], values: list[int], as_double: bool
) -> None:
    def label(value: int) -> str:
        shown = (lambda number: f"{number}.0") if as_double else str
        lo = max((each for each in breaks if each <= value), default=None)
        hi = min((each for each in breaks if each > value), default=None)
        if lo is None:
            return f"<{shown(hi)}"
        if hi is None:
            return f">={shown(lo)}"
        return f"[{shown(lo)}, {shown(hi)}[" if as_double else f"[{lo}, {hi - 1}]"

    kind = "double" if as_double else "int"
    con.execute(f"create or replace table t as select unnest({values}::{kind}[]) as x").fetchall()
    found = labels(con, f"interval_hierarchy('t', 'x', breaks := {breaks})")
    expected = {f"{value}.0" if as_double else str(value): label(value) for value in values}
    assert {value: names[1:] for value, names in found.items()} == {
        value: [told, "*"] for value, told in expected.items()
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("[5], breaks := [1]", "give either widths"), ("origin := 3, breaks := [1]", "give either widths"),
        ("breaks := [3, 2]", "breaks must ascend"), ("breaks := [3, 3]", "breaks must ascend"),
        ("breaks := []", "breaks is empty"), ("breaks := [1, null]", "every break must be a number"),
    ],
)  # fmt: skip
def test_wrong_breaks(con: duckdb.DuckDBPyConnection, arguments: str, message: str) -> None:
    con.execute("create or replace table t as select 3 as x").fetchall()
    with pytest.raises(duckdb.InvalidInputException, match="interval_hierarchy: " + message):
        con.execute(f"from sqlanon.interval_hierarchy('t', 'x', {arguments})").fetchall()


def test_whole_numbers_in_fractional_widths_are_in_half_open_intervals(
    con: duckdb.DuckDBPyConnection,
) -> None:
    column(con, "INTEGER", "3")
    assert labels(con, "interval_hierarchy('t', 'x', [2.5, 5])") == {
        "3": ["3", "[2.5, 5.0[", "[0.0, 5.0[", "*"]
    }
    assert labels(con, "interval_hierarchy('t', 'x', [5.0::double])") == {"3": ["3", "[0, 4]", "*"]}


def test_one_width_needs_no_list(con: duckdb.DuckDBPyConnection) -> None:
    column(con, "INTEGER", "3")
    assert labels(con, "interval_hierarchy('t', 'x', 5)") == {"3": ["3", "[0, 4]", "*"]}


def test_what_is_no_number_is_a_branch_of_its_own(con: duckdb.DuckDBPyConnection) -> None:
    column(con, "DOUBLE", "nan", "inf", "-inf", "1e300", None)
    assert labels(con, "interval_hierarchy('t', 'x', [5, 10])") == {
        "nan": ["nan", "nan", "nan", "*"],
        "inf": ["inf", "inf", "inf", "*"],
        "-inf": ["-inf", "-inf", "-inf", "*"],
        "1e+300": ["1e+300", "1e+300", "1e+300", "*"],
        None: [None, "NULL", "NULL", "*"],
    }


def test_huge_and_tiny_numbers(con: duckdb.DuckDBPyConnection) -> None:
    column(con, "BIGINT", "9223372036854775807", "-9223372036854775808")
    assert labels(con, "interval_hierarchy('t', 'x', [5])") == {
        "9223372036854775807": ["9223372036854775807", "[9223372036854775805, 9223372036854775809]", "*"],
        "-9223372036854775808": ["-9223372036854775808", "[-9223372036854775810, -9223372036854775806]", "*"],
    }
    most = str(2**127 - 1)
    column(con, "HUGEINT", most)
    assert labels(con, "interval_hierarchy('t', 'x', [5])") == {most: [most, most, "*"]}
    column(con, "DOUBLE", "1.5e17", "1e-300", "-1e-300", "-1e-5")
    assert labels(con, "interval_hierarchy('t', 'x', [0.5])") == {
        "1.5e+17": ["1.5e+17", "[150000000000000000.0, 150000000000000000.5[", "*"],
        "1e-300": ["1e-300", "[0.0, 0.5[", "*"],
        "-1e-300": ["-1e-300", "[-0.5, 0.0[", "*"],
        "-1e-05": ["-1e-05", "[-0.5, 0.0[", "*"],
    }
    column(con, "DECIMAL(38, 30)", "0.300000000000000000000000000001", "-0.000000000000000000000000000001")
    assert [names[1] for _, names in sorted(labels(con, "interval_hierarchy('t', 'x', [0.1])").items())] == [
        "[-0.1, 0.0[",
        "[0.3, 0.4[",
    ]


@pytest.mark.parametrize("rows", [[], ["1"]])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("[]", "widths is empty"),
        ("null", "widths is empty"),
        ("[0]", r"above 0 .*not as in \[0\]"),
        ("[-5, 10]", r"above 0 .*not as in \[-5, 10\]"),
        ("[5, null]", r"above 0 .*not as in \[5, NULL\]"),
        ("['five']", r"above 0 .*not as in \[five\]"),
        ("[1/3]", "at most 15 decimals"),
        ("[5, 7]", r"multiple of the one before and larger, but 7 follows 5 in widths \[5, 7\]"),
        ("[10, 5]", "but 5 follows 10"),
        ("[5, 5]", "but 5 follows 5"),
        ("[0.5, 0.75]", r"but 0\.75 follows 0\.5"),
        ("[5], origin := null", "origin must be a number .*, not NULL"),
        ("[5], origin := 'nan'::double", "origin must be a number .*, not nan"),
    ],
)
def test_wrong_widths_are_named(
    con: duckdb.DuckDBPyConnection, arguments: str, message: str, rows: list[str]
) -> None:
    column(con, "INTEGER", *rows)
    with pytest.raises(duckdb.InvalidInputException, match="interval_hierarchy: .*" + message):
        con.execute(f"from sqlanon.interval_hierarchy('t', 'x', {arguments})").fetchall()


@pytest.mark.parametrize(
    ("type_", "message"),
    [
        ("VARCHAR", "is VARCHAR, not a number: cast it$"),
        ("DATE", "is DATE, not a number: cast it, or use date_hierarchy"),
    ],
)
def test_only_numbers_lie_in_intervals(con: duckdb.DuckDBPyConnection, type_: str, message: str) -> None:
    column(con, type_, "2024-03-05")
    with pytest.raises(duckdb.InvalidInputException, match=f'column "x" {message}'):
        con.execute("from sqlanon.interval_hierarchy('t', 'x', [5])").fetchall()


@given(
    numbers=st.lists(
        st.one_of(st.integers(-(10**6), 10**6).map(str), st.floats(width=64).map(str)), min_size=1, max_size=8
    ),
    unit=st.sampled_from(["1", "5", "0.1", "0.25", "7e-05"]),
    steps=st.lists(st.integers(2, 5), max_size=3),
    origin=st.sampled_from(["0", "-3", "0.05"]),
)
@examples(40)
def test_every_number_lies_in_its_intervals(
    con: duckdb.DuckDBPyConnection, numbers: list[str], unit: str, steps: list[int], origin: str
) -> None:
    """Bounds are origin + i * width, the value's text lies in [lower, upper[, the intervals are a tree."""
    widths = [Decimal(unit)]
    for step in steps:
        widths.append(widths[-1] * step)
    column(con, "DOUBLE", *numbers)
    written = ", ".join(f"{width:f}" for width in widths)
    for value, (_, *names, root) in labels(
        con, f"interval_hierarchy('t', 'x', [{written}], origin := {origin})"
    ).items():
        assert root == "*"
        for width, name in zip(widths, names, strict=True):
            if name == value:
                assert not Decimal(str(value)).is_finite() or abs(Decimal(str(value))) >= 10**22
                continue
            lower, upper = (Fraction(bound) for bound in str(name).strip("[").split(", "))
            assert upper - lower == Fraction(width)
            assert (lower - Fraction(origin)) % Fraction(width) == 0
            assert lower <= Fraction(str(value)) < upper


# Dates


def test_dates_by_default_go_from_months_to_decades(con: duckdb.DuckDBPyConnection) -> None:
    column(con, "DATE", "2024-03-05", "1999-12-31", None)
    assert labels(con, "date_hierarchy('t', 'x')") == {
        "2024-03-05": ["2024-03-05", "2024-03", "2024-Q1", "2024", "2020s", "*"],
        "1999-12-31": ["1999-12-31", "1999-12", "1999-Q4", "1999", "1990s", "*"],
        None: [None, "NULL", "NULL", "NULL", "NULL", "*"],
    }


@pytest.mark.parametrize("type_", ["TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "VARCHAR"])
def test_timestamps_and_text_may_begin_with_days(con: duckdb.DuckDBPyConnection, type_: str) -> None:
    column(con, type_, "2024-03-05 23:59:59")
    result = labels(con, "date_hierarchy('t', 'x', units := ['day', 'YEAR'])")
    assert result == {"2024-03-05 23:59:59": ["2024-03-05 23:59:59", "2024-03-05", "2024", "*"]}


def test_years_before_1_after_9999_and_never(con: duckdb.DuckDBPyConnection) -> None:
    column(con, "DATE", "0044-03-15 (BC)", "0007-01-01", "12024-12-31", "infinity")
    units = "['day', 'month', 'quarter', 'year', 'decade']"
    assert {
        value: names[1:]
        for value, names in labels(con, f"date_hierarchy('t', 'x', units := {units})").items()
    } == {
        "0044-03-15 (BC)": [
            "0044-03-15 (BC)",
            "0044-03 (BC)",
            "0044-Q1 (BC)",
            "0044 (BC)",
            "0040s (BC)",
            "*",
        ],
        "0007-01-01": ["0007-01-01", "0007-01", "0007-Q1", "0007", "0000s", "*"],
        "12024-12-31": ["12024-12-31", "12024-12", "12024-Q4", "12024", "12020s", "*"],
        "infinity": ["infinity", "infinity", "infinity", "infinity", "infinity", "*"],
    }


@pytest.mark.parametrize("rows", [[], ["2024-03-05"]])
@pytest.mark.parametrize(
    ("units", "message"),
    [
        ("[]", "units is empty"),
        ("null", "units is empty"),
        ("['month', 'week']", "unknown unit 'week': use day, month, quarter, year, decade"),
        ("[null]", "unknown unit NULL: use day"),
        (
            "['year', 'month']",
            "must nest in ascending order, but month follows year: the order is day, month",
        ),
        ("['year', 'year']", "but year follows year"),
    ],
)
def test_wrong_units_are_named(
    con: duckdb.DuckDBPyConnection, units: str, message: str, rows: list[str]
) -> None:
    column(con, "DATE", *rows)
    with pytest.raises(duckdb.InvalidInputException, match="date_hierarchy: .*" + message):
        con.execute(f"from sqlanon.date_hierarchy('t', 'x', units := {units})").fetchall()


def test_what_is_no_date_is_named(con: duckdb.DuckDBPyConnection) -> None:
    column(con, "VARCHAR", "2024-03-05", "yesterday")
    with pytest.raises(duckdb.InvalidInputException, match='column "x" has a value that is not a date'):
        con.execute("from sqlanon.date_hierarchy('t', 'x')").fetchall()


# Files


def read(
    con: duckdb.DuckDBPyConnection, folder: Path, content: str | bytes, more: str = "", name: str = "x.csv"
) -> Labels:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return labels(con, f"read_hierarchy({literal(path)}, 'x'{more})")


@pytest.mark.parametrize(
    "content", ["a;A;*\nb;A;*\n", "a;A;*\nb;A;*", "a;A;*\r\nb;A;*\r\n", "\n\na;A;*\n\nb;A;*\n\n\n"]
)
def test_lines_may_end_in_any_way_and_be_empty(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, content: str
) -> None:
    expected: Labels = {"a": ["a", "A", "*"], "b": ["b", "A", "*"]}
    assert read(con, tmp_path, content) == expected
    assert read(con, tmp_path, b"\xef\xbb\xbf" + content.encode()) == expected


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("a", ["a"]),
        ("a;*", ["a", "*"]),
        (";*", ["", "*"]),
        (" a ;\tb; *", [" a ", "\tb", " *"]),
        ("1;2;3;4;5;6;7;8;9;*", [*"123456789", "*"]),
        ('"a;b";*', ["a;b", "*"]),
        ('"a ""b""";*', ['a "b"', "*"]),
        ('"a\nb";*', ["a\nb", "*"]),
        ('"";*', ["", "*"]),
        ('5" disk;3" disk;*', ['5" disk', '3" disk', "*"]),
        ('"a;b;*', ['"a', "b", "*"]),
        ("NULL;007;1e5", ["NULL", "007", "1e5"]),
        ("naïve;日本;🦆", ["naïve", "日本", "🦆"]),
    ],
)
def test_fields_are_kept_as_they_are(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, line: str, names: list[str | None]
) -> None:
    assert read(con, tmp_path, line + "\n") == {names[0]: names}


@pytest.mark.parametrize("separator", [",", "|", "\t", "\\", "^", "]", "-", "·", "'"])
def test_separators(con: duckdb.DuckDBPyConnection, tmp_path: Path, separator: str) -> None:
    more = f", separator := {literal(separator)}"
    assert read(con, tmp_path, separator.join(["a;b", "A", "*"]) + "\n", more) == {"a;b": ["a;b", "A", "*"]}


@pytest.mark.parametrize("separator", ["''", "';;'", "'\"'", "chr(10)"])
def test_a_separator_is_one_character(con: duckdb.DuckDBPyConnection, tmp_path: Path, separator: str) -> None:
    with pytest.raises(duckdb.InvalidInputException, match="separator must be one character"):
        read(con, tmp_path, "a;*\n", f", separator := {separator}")


def test_a_path_may_hold_a_quote(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    assert read(con, tmp_path, "a;*\n", name="O'Neil's; --.csv") == {"a": ["a", "*"]}


def test_an_empty_file_gives_no_rows(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    assert read(con, tmp_path, "") == {}
    assert read(con, tmp_path, "\n\n") == {}


def test_a_ragged_line_is_an_error_that_names_file_and_value(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    with pytest.raises(
        duckdb.InvalidInputException, match=r"x\.csv: value 'c' has 2 fields, other lines have 3"
    ):
        read(con, tmp_path, "a;A;*\nb;A;*\nc;*\n")
    with pytest.raises(
        duckdb.InvalidInputException, match=r"x\.csv: value 'a' has 4 fields, other lines have 3"
    ):
        read(con, tmp_path, "a;A;*;\nb;A;*\nc;B;*\n")


def test_a_missing_file_is_an_error_and_a_name_is_no_pattern(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    (tmp_path / "a1.csv").write_text("a;*\n", "utf-8")
    for name in ("nowhere.csv", "*.csv", "a?.csv", "a[1].csv"):
        with pytest.raises(duckdb.InvalidInputException, match="there is no file"):
            con.execute(f"from sqlanon.read_hierarchy({literal(tmp_path / name)}, 'x')").fetchall()
    for name in ("*.csv", "a?.csv", "a[1].csv"):
        (tmp_path / name).write_text(f"{name};+\n", "utf-8")
        result = labels(con, f"read_hierarchy({literal(tmp_path / name)}, 'x')")
        assert result == {name: [name, "+"]}


@pytest.mark.parametrize(
    ("content", "is_header"),
    [
        ("value;level1;level2\na;A;*\nb;A;*\n", True),
        ("\nzip,area,all\na,A,*\nb,A,*\n", True),
        ("zip\tarea\tall\na\tA\t*\nb\tA\t*", True),
        ("value,level1\na,*", True),
        ("a,A,*\nb,A,*\n", False),
        ("a;A;*\nb;B;+\nc;C;-\n", False),  # no tree, whatever the first line is
        ("a,b;*\n", False),  # a semicolon comes before a comma
        ("a\nb\nc\n", False),
    ],
)
def test_a_header_and_a_separator_are_found_out(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, content: str, is_header: bool
) -> None:
    path = tmp_path / "x.csv"
    path.write_text(content, "utf-8")
    separator = next((each for each in ";\t," if each in content), ";")
    first, *others = csv.reader(content.strip().split("\n"), delimiter=separator)

    def read_in(more: str = "") -> list[list[str]]:
        entries = f"from sqlanon.read_hierarchy({literal(path)}, 'x'{more})"
        query = f"select list(label order by level) {entries} group by value"
        return sorted(names for (names,) in con.execute(query).fetchall())

    assert read_in() == sorted(others if is_header else [first, *others])
    assert read_in(", header := true") == sorted(others)
    assert read_in(", header := false") == sorted([first, *others])


@given(
    tree_of=st.dictionaries(
        st.text("ab1,; \"'", min_size=1, max_size=3), st.sampled_from([("A", "X"), ("B", "X"), ("C", "Y")]),
        min_size=1, max_size=6,
    )
)  # fmt: skip
@examples(30)
def test_a_wide_table_is_the_hierarchy_in_rows(tree_of: dict[str, tuple[str, str]]) -> None:
    lines = [[value, *above, "*"] for value, above in tree_of.items()]
    with duckdb.connect() as con:
        sqlanon.register(con)
        con.execute("create table wide (value varchar, level1 varchar, level2 varchar, level3 varchar)")
        con.executemany("insert into wide values (?, ?, ?, ?)", lines)
        found = con.execute("from sqlanon.wide_hierarchy('wide', 'x') order by all").fetchall()
        assert found == sorted(tree(*(" > ".join(line) for line in lines)))
        assert sqlanon.wide_hierarchy(con, "wide", "x").order("all").fetchall() == found


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ("('a', 'A', '*'), ('a', 'A', '*')", "value 'a' is in 2 rows"),
        ("('a', 'A', '*'), ('b', null, '*')", r"value 'b' has no label \(NULL\) in column 2"),
        ("('a', 'A', '*'), (null, 'B', '*')", "1 rows have no value in the first column"),
        ("('a', 'A', 'X', '*'), ('b', 'A', 'Y', '*')", "not a tree: label 'A' at level 1 lies below both"),
        ("('a', 'A'), ('b', 'B')", "there is no single root: 2 labels at the top level 1"),
        ("('a',)", "there are no levels"),
    ],
)
def test_what_is_no_tree_in_a_wide_table(con: duckdb.DuckDBPyConnection, rows: str, told: str) -> None:
    con.execute(f"create or replace table wide as from (values {rows})")
    with pytest.raises(
        duckdb.InvalidInputException, match=f"wide_hierarchy: the hierarchy of column x: {told}"
    ):
        con.execute("from sqlanon.wide_hierarchy('wide', 'x')").fetchall()


@given(
    known=st.sets(st.sampled_from("abcd"), min_size=1),
    values=st.lists(st.sampled_from([*"abcdef", "", None]), max_size=12),
)
@examples(30)
def test_a_hierarchy_is_completed_by_the_values_that_it_lacks(
    known: set[str], values: list[str | None]
) -> None:
    given_tree = tree(
        *(f"{value} > {'L' if value < 'c' else 'R'} > all" for value in sorted(known)), attribute="X"
    )
    lacking = {value for value in values if value not in known}
    added = [("x", value, level, "all" if level else value) for value in lacking for level in range(3)]
    with duckdb.connect() as con:
        sqlanon.register(con)
        hierarchy(con, given_tree)
        con.execute("create table t as select unnest(?::varchar[]) as x, 1 as y", [values])
        found = con.execute("from sqlanon.lacking_values('t', ['x', 'y'], 'h')").fetchall()
        assert sorted(found, key=repr) == sorted(
            (("x", value, values.count(value)) for value in lacking), key=repr
        )
        con.execute("create table complete as from sqlanon.complete_hierarchies('t', ['x', 'y'], 'h')")
        completed = con.execute("from complete").fetchall()
        assert sorted(completed, key=repr) == sorted([*given_tree, *added], key=repr)
        con.execute("update complete set attribute = 'x'")
        assert con.execute("from sqlanon._hierarchy_problems('complete')").fetchall() == []


def test_completing_in_python_tells_of_what_was_lacking() -> None:
    with duckdb.connect() as con:
        con.execute("create table t as select (range % 20)::varchar as x from range(100)")
        con.execute("create table wide as select '5' as x, '*' as level1")
        wide = sqlanon.wide_hierarchy(con, "wide", "x")
        told = "column x lacks 19 values, of 95 rows, which lacking_values lists"
        with pytest.warns(UserWarning, match=told):
            hierarchies = sqlanon.complete_hierarchies(con, "t", "x", wide)
        assert sqlanon.optimal(con, "t", qi="x", k=6, hierarchies=hierarchies).details["levels"] == {"x": 1}
        assert sqlanon.lacking_values(con, "t", "x", hierarchies).fetchall() == []
        sqlanon.complete_hierarchies(con, "t", "x", hierarchies)  # and no warning


def test_a_wide_table_may_have_columns_of_any_type_and_name(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("""create or replace table wide ("select" integer, "a ""b" date, labels varchar);
        insert into wide values (1, '2020-01-01', '*'), (2, '2020-01-01', '*')""")
    found = con.execute("select value, level, label from sqlanon.wide_hierarchy('wide', 'x') order by all")
    assert found.fetchall() == [
        ("1", 0, "1"), ("1", 1, "2020-01-01"), ("1", 2, "*"),
        ("2", 0, "2"), ("2", 1, "2020-01-01"), ("2", 2, "*"),
    ]  # fmt: skip
    con.execute("truncate wide")
    assert con.execute("from sqlanon.wide_hierarchy('wide', 'x')").fetchall() == []


@pytest.mark.skipif(not ARX.is_dir(), reason="ARX's files are not here")
def test_arx_files(con: duckdb.DuckDBPyConnection) -> None:
    files = sorted(ARX.glob("*.csv"))
    assert len(files) == 9
    for path in files:
        with path.open(encoding="utf-8", newline="") as lines:
            expected = {line[0]: line for line in csv.reader(lines, delimiter=";") if line}
        result = labels(con, f"read_hierarchy({literal(path)}, 'x')")
        assert result == expected
        assert {names[-1] for names in result.values()} == {"*"}


# Problems


@pytest.mark.parametrize(
    ("entries", "problems"),
    [
        (tree("a > A > *", "b > A > *", "c > C > *"), []),
        (tree("a > X > X > *", "X > b > X > *"), []),
        (tree("a"), []),
        (
            tree("a > A > N > *", "b > A > S > *"),
            ["not a tree: label 'A' at level 1 lies below both 'N' and 'S' at level 2"],
        ),
        (tree("a > A > *", "b > *"), ["value 'b' ends at level 1, others go up to 2"]),
        (
            [entry for entry in tree("a > A > *", "b > B > *") if entry[1:3] != ("b", 1)],
            ["value 'b' lacks a level: it has 2 levels from 0 to 2, not all from 0"],
        ),
        (
            [entry for entry in tree("a > A > *", "b > B > *") if entry[1:3] != ("b", 0)],
            ["value 'b' lacks a level: it has 2 levels from 1 to 2, not all from 0"],
        ),
        (
            [*tree("a > *"), ("x", "a", -1, "?")],
            ["value 'a' lacks a level: it has 3 levels from -1 to 1, not all from 0"],
        ),
        (
            [("x", "a", 0, "A"), ("x", "a", 1, "*")],
            ["value 'a' has the label 'A' at level 0, where it should be itself"],
        ),
        ([("x", None, 0, "NULL")], ["value NULL has the label 'NULL' at level 0, where it should be itself"]),
        (
            [*tree("a > A > *"), *tree("a > A > *")],
            [f"value 'a' has 2 labels at level {level}" for level in range(3)],
        ),
        (
            tree("a > A", "b > B"),
            ["there is no single root: 2 labels at the top level 1, such as 'A' and 'B'"],
        ),
        (
            [("x", "a", 0, "a"), ("x", "a", 1, None), ("x", "a", 2, "*")],
            ["value 'a' has no label at level 1"],
        ),
        ([("x", "a", None, "a"), *tree("a > *")], ["value 'a' has no level (or no attribute)"]),
    ],
)
def test_problems_are_named(
    con: duckdb.DuckDBPyConnection, entries: list[Entry], problems: list[str]
) -> None:
    hierarchy(con, [*entries, *tree("fine > *", attribute="other")])
    result = con.execute("from sqlanon._hierarchy_problems('h')").fetchall()
    assert {attribute for attribute, _ in result} <= {"x"}
    assert set(problems) <= {problem for _, problem in result}
    assert bool(problems) == bool(result)


def test_attributes_compare_without_case(con: duckdb.DuckDBPyConnection) -> None:
    hierarchy(con, [*tree("a > *", attribute="Age"), *tree("b > *", attribute="AGE")])
    assert con.execute("from sqlanon._hierarchy_problems('h')").fetchall() == []
    assert con.execute("from sqlanon._leaves('h') order by code").fetchall() == [
        ("age", "a", 0),
        ("age", "b", 1),
    ]
    assert con.execute("select distinct attribute from sqlanon._nodes('h')").fetchall() == [("age",)]


def test_values_need_not_be_text_and_the_relation_may_be_a_cte(con: duckdb.DuckDBPyConnection) -> None:
    cte = """with mine as (
        select 'x' as attribute, 1 as value, unnest([0, 1]) as level, unnest(['1', '*']) as label) """
    assert con.execute(cte + "from sqlanon._hierarchy_problems('mine')").fetchall() == []
    assert con.execute(cte + "from sqlanon._leaves('mine')").fetchall() == [("x", "1", 0)]


def test_a_relation_without_the_columns_is_an_error_that_names_the_column(
    con: duckdb.DuckDBPyConnection,
) -> None:
    con.execute("create or replace table t as select 'x' as attribute, 'a' as value, 0 as level")
    for check in ("_hierarchy_problems", "_leaves", "_nodes"):
        with pytest.raises(duckdb.BinderException, match='"label"'):
            con.execute(f"from sqlanon.{check}('t')")


# Nested sets


def test_leaves_are_numbered_from_the_top_down(con: duckdb.DuckDBPyConnection) -> None:
    paths = ["d > B > top", "c > B > top", "Z > b > top", "e > A > top", "é > A > top"]
    hierarchy(con, [*tree(*paths), ("x", None, 0, None), ("x", None, 1, "A"), ("x", None, 2, "top")])
    leaves = con.execute("from sqlanon._leaves('h') order by code").fetchall()
    assert leaves == [("x", value, code) for code, value in enumerate([None, "e", "é", "c", "d", "Z"])]
    nodes = con.execute("from sqlanon._nodes('h') where level > 0 order by level, code").fetchall()
    assert nodes == [
        ("x", 1, 0, 0, 0, 2, "A"),
        ("x", 1, 1, 0, 0, 2, "A"),
        ("x", 1, 2, 0, 0, 2, "A"),
        ("x", 1, 3, 1, 3, 4, "B"),
        ("x", 1, 4, 1, 3, 4, "B"),
        ("x", 1, 5, 2, 5, 5, "b"),
        *[("x", 2, code, 0, 0, 5, "top") for code in range(6)],
    ]
    types = con.execute("describe from sqlanon._nodes('h')").fetchall()
    assert [(name, type_) for name, type_, *_ in types] == [
        ("attribute", "VARCHAR"),
        ("level", "INTEGER"),
        ("code", "INTEGER"),
        ("node", "INTEGER"),
        ("lo", "INTEGER"),
        ("hi", "INTEGER"),
        ("label", "VARCHAR"),
    ]


@st.composite
def trees(draw: st.DrawFn) -> Labels:
    """Values with their labels: the nodes of a level are put under few of the next, at last under a root."""
    text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=3)
    values = draw(st.lists(st.none() | text, min_size=1, max_size=12, unique=True))
    result: Labels = {value: [value] for value in values}
    for _ in range(draw(st.integers(0, 3))):
        parents = draw(st.lists(text, min_size=1, max_size=4))
        parent = {
            node: draw(st.sampled_from(parents))
            for node in dict.fromkeys(path[-1] for path in result.values())
        }
        result = {value: [*path, parent[path[-1]]] for value, path in result.items()}
    return {value: [*path, "*"] for value, path in result.items()}


@given(built=trees())
@examples(60)
def test_the_leaves_of_every_node_are_exactly_its_interval(
    con: duckdb.DuckDBPyConnection, built: Labels
) -> None:
    hierarchy(
        con, [("X", value, level, label) for value, path in built.items() for level, label in enumerate(path)]
    )
    assert con.execute("from sqlanon._hierarchy_problems('h')").fetchall() == []

    leaves = con.execute("select value, code from sqlanon._leaves('h') where attribute = 'x'").fetchall()
    code = dict(leaves)
    downwards = sorted(
        built, key=lambda value: [(label is not None, label or "") for label in reversed(built[value])]
    )
    assert [value for value, _ in sorted(leaves, key=lambda leaf: leaf[1])] == downwards
    assert sorted(code.values()) == list(range(len(built)))

    expected = set()
    for level in range(len(next(iter(built.values())))):
        below: dict[str | None, set[int]] = {}
        for value, path in built.items():
            below.setdefault(path[level], set()).add(code[value])
        for node, label in enumerate(sorted(below, key=lambda label: min(below[label]))):
            lo, hi = min(below[label]), max(below[label])
            assert below[label] == set(range(lo, hi + 1))
            expected |= {("x", level, leaf, node, lo, hi, label) for leaf in below[label]}
    nodes: list[tuple[Any, ...]] = con.execute("from sqlanon._nodes('h')").fetchall()
    assert len(nodes) == len(expected)
    assert set(nodes) == expected


@pytest.mark.slow("2 s")
def test_builders_from_python(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """The rows of the macros."""
    con.execute(
        "create or replace table visits as "
        "select 20 + i as age, 'z' || i as zip, date '2024-01-01' + i::integer as day from range(5) as t(i)"
    ).fetchall()
    (tmp_path / "zip.csv").write_text("".join(f"z{i};{'AB'[i % 2]};*\n" for i in range(5)), "utf-8")
    path = str(tmp_path / "zip.csv")
    for made, call in (
        (sqlanon.flat_hierarchy(con, "visits", "zip"), "flat_hierarchy('visits', 'zip')"),
        (sqlanon.mask_hierarchy(con, "visits", "zip"), "mask_hierarchy('visits', 'zip')"),
        (sqlanon.interval_hierarchy(con, "visits", "age", [5, 10]),
         "interval_hierarchy('visits', 'age', [5, 10])"),
        (sqlanon.date_hierarchy(con, "visits", "day", ["month", "year"]),
         "date_hierarchy('visits', 'day', ['month', 'year'])"),
        (sqlanon.read_hierarchy(con, tmp_path / "zip.csv", "zip"), f"read_hierarchy({literal(path)}, 'zip')"),
    ):  # fmt: skip
        found = con.execute(f"from sqlanon.{call} order by all").fetchall()
        assert len(found) > 5
        assert made.order("all").fetchall() == found
    found = con.execute("from sqlanon.wildcard_frequencies('visits', ['zip']) order by all").fetchall()
    assert sqlanon.wildcard_frequencies(con, "visits", "zip").order("all").fetchall() == found
    assert sqlanon.covers(con, "[20, 29]", 23) is True
    assert sqlanon.covers("[20, 29]", 31) is False
    assert sqlanon.covers("A", "z2", labels=["A", "*"]) is True
    assert sqlanon.covers("25 to 30", 30, format="range") is True
    assert sqlanon.covers("25 to 30", 31, format="range") is False
