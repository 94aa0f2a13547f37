"""The order of sensitive texts: numbers, dates and times have one, however long they are, others none."""

from __future__ import annotations

import datetime
import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import duckdb
import pytest

from tests.oracles import privacy
from tests.tables import Column, load

# How a number of 0 to 99,999 is written, by what it is worth. (An order by bytes is another one.)
ORDERED: dict[str, Callable[[int], tuple[str, Any]]] = {
    "whole": lambda i: (str(i), i),
    "below 0": lambda i: (str(7 - i), 7 - i),
    "decimals": lambda i: (f"{i / 8:.3f}", i / 8),
    "exponents": lambda i: (f"{i}e{i % 3}", i * 10 ** (i % 3)),
    "blanks": lambda i: (f" {i}", i),
    "codes": lambda i: (f"{i:06}", i),
    "days": lambda i: (str(day := datetime.date(1890, 1, 1) + datetime.timedelta(i)), day),
    "months": lambda i: (f"{1800 + i // 12}-{i % 12 + 1:02}", i),
    "moments": lambda i: (str(moment := datetime.datetime(1890, 1, 1) + datetime.timedelta(hours=i)), moment),
    "times": lambda i: (f"{i % 24:02}:{i % 60:02}", (i % 24, i % 60)),
}
UNORDERED: dict[str, Callable[[int], str]] = {
    "thousands": lambda i: f"{i:,}",
    "apostrophes": lambda i: f"{i:,}".replace(",", "'"),
    "dollars": lambda i: f"${i}",
    "euros": lambda i: f"{i} EUR",
    "bounds": lambda i: f">={i}",
    "decimal commas": lambda i: f"{i / 8:.2f}".replace(".", ","),
    "German days": lambda i: (datetime.date(1890, 1, 1) + datetime.timedelta(i)).strftime("%d.%m.%Y"),
    "words": lambda i: ["low", "middle", "high"][i % 3],
    "numbers and a word": lambda i: str(i) if i % 3 else "many",
    "numbers and days": lambda i: str(i) if i % 3 else f"1999-01-{i % 28 + 1:02}",
}


@pytest.fixture(scope="module")
def drawn() -> list[int]:
    draw = random.Random(8)
    return [draw.randrange(10 ** draw.randrange(1, 6)) for _ in range(60)]


def measured(con: duckdb.DuckDBPyConnection, texts: dict[str, list[str | None]]) -> dict[str, Any]:
    """What privacy says of the ordered distance, by column: reached and remark. Classes are of 6 rows."""
    load(con, "t", [Column(name, "VARCHAR", values) for name, values in texts.items()])
    query = """
        select sensitive, reached, remark from sqlanon.privacy('classed', qi := 'class', sensitive := $1)
        where id = 't_ordered'"""
    con.execute("create or replace table classed as select id // 6 as class, * from t").fetchall()
    found = con.execute(query.replace("$1", str([*texts]))).fetchall()
    return {name: (reached, remark) for name, reached, remark in found}


def distance(values: Sequence[Any]) -> float:
    classes = [Counter(values[i : i + 6]) for i in range(0, len(values), 6)]
    return max(privacy.t_ordered(each, Counter(values), order=sorted(set(values))) for each in classes)


def test_numbers_dates_and_times_are_in_order(con: duckdb.DuckDBPyConnection, drawn: list[int]) -> None:
    found = measured(con, {name: [write(i)[0] for i in drawn] for name, write in ORDERED.items()})
    for name, write in ORDERED.items():
        assert found[name] == (pytest.approx(distance([write(i)[1] for i in drawn])), None), name


def test_what_is_missing_comes_first(con: duckdb.DuckDBPyConnection, drawn: list[int]) -> None:
    found = measured(con, {"s": [str(i) if i % 5 else None for i in drawn]})
    assert found["s"] == (pytest.approx(distance([i if i % 5 else -1 for i in drawn])), None)


def test_other_texts_have_no_order(con: duckdb.DuckDBPyConnection, drawn: list[int]) -> None:
    found = measured(con, {name: [write(i) for i in drawn] for name, write in UNORDERED.items()})
    assert found == {name: (None, f"{name} is text that has no order") for name in UNORDERED}


@pytest.mark.slow("2 s a case", but=(0, 2, 3))
@pytest.mark.parametrize("macro", ["violations", "mondrian", "optimal", "microaggregate"])
def test_the_ordered_distance_of_them_is_refused(con: duckdb.DuckDBPyConnection, macro: str) -> None:
    con.execute(
        "create or replace table t as select i // 4 as q, (1000 * i)::varchar as n, "
        "format('{:,}', 1000 * i) as s from range(16) as r(i)"
    ).fetchall()
    asked = "qi := 'q', k := 2, t := 0.9, t_distance := 'ordered'"
    asked += ", algorithm := 'curve'" if macro == "microaggregate" else ""
    con.execute(f"from sqlanon.{macro}('t', {asked}, sensitive := 'n')").fetchall()
    with pytest.raises(duckdb.Error, match=r"column s is text that has no order: .* an ENUM in its order"):
        con.execute(f"from sqlanon.{macro}('t', {asked}, sensitive := ['n', 's'])").fetchall()


def test_of_two_values_any_order_will_do(con: duckdb.DuckDBPyConnection) -> None:
    texts: list[str | None] = ["yes", "no", "no"] * 20
    assert measured(con, {"s": texts})["s"] == (0, None)
