"""Tables of counts beside those that are out, against all populations that agree with them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import duckdb
import pytest

import sqlanon
from sqlanon.core.tables import WorkTables
from sqlanon.judge.together import FEW, Counted, Together
from tests.cells.regions import solver
from tests.oracles.tables_together import Counted as IsCounted
from tests.oracles.tables_together import Person, Published, interval, parts, populations

LABELS = {"a": ("x", "y"), "b": ("p", "q")}
KINDS: list[Person] = [*itertools.product(*((*labels, "another") for labels in LABELS.values()))]
FILTERS: dict[str, dict[int, set[str]]] = {
    "": {}, "a = 'x'": {0: {"x"}}, "b = 'q'": {1: {"q"}}, "a in ('x', 'y')": {0: {"x", "y"}},
}  # fmt: skip
TOTAL, THRESHOLD = "total", 3


def counting(kept: dict[int, set[str]]) -> IsCounted:
    return lambda person: all(person[i] in values for i, values in kept.items())


def narrow(lo: int, hi: int) -> bool:
    return hi > 0 and lo < THRESHOLD and hi - lo + 1 < THRESHOLD


def made(
    con: duckdb.DuckDBPyConnection, name: str, people: Sequence[Person], columns: Sequence[str], filter: str
) -> tuple[Counted, list[Published]]:
    """A table with totals, and what it tells."""
    region, places = FILTERS[filter], [[*LABELS].index(column) for column in columns]
    cells, finest = [], []
    con.execute(f"create or replace table {name} ({', '.join(f'{c} text' for c in columns)}, value bigint)")
    for labels in itertools.product(*((*LABELS[column], TOTAL) for column in columns)):
        kept = {place: {label} for place, label in zip(places, labels, strict=True) if label != TOTAL}
        both = counting(region), counting(kept)
        n = sum(all(each(person) for each in both) for person in people)
        con.execute(f"insert into {name} values ({', '.join('?' * (len(columns) + 1))})", [*labels, n])
        cells.append(Published(name, lambda person, both=both: all(each(person) for each in both), n, n))  # type: ignore[misc]
        if TOTAL not in labels:
            finest.append(both[1])
    cells.append(Published("", lambda person: counting(region)(person)
                           and not any(each(person) for each in finest), 0, 0))  # fmt: skip
    return Counted(name, name, columns, filter=filter, threshold=THRESHOLD, least=1), cells


@solver
@pytest.mark.slow("1 s a case")
@pytest.mark.parametrize("seed", range(30))
def test_what_becomes_known(con: duckdb.DuckDBPyConnection, seed: int) -> None:
    """If nothing fails, every combination of labels that is narrow now was so before. Where two cells that
    were out differ by a few people, what a new table with further columns tells is not known."""
    chance = random.Random(seed)
    people = [(chance.choice("xy"), chance.choice("pq")) for _ in range(chance.randint(3, 8))]
    ways = [("a",), ("b",), ("a", "b")]
    tables = [
        made(con, f"table_{i}", people, chance.choice(ways), chance.choice([*FILTERS]))
        for i in range(chance.randint(2, 3))
    ]
    with WorkTables(con) as work:
        sqlanon.register_functions(con)
        told = Together(con, work, [each for each, _ in tables[:-1]], tables[-1][0]).comparison()
    assert {each.id for each in told.doubts} <= {FEW}
    if told.cells or told.doubts:
        return
    earlier = [cell for _, cells in tables[:-1] for cell in cells]
    every = [*earlier, *tables[-1][1]]
    before, after = [*populations(KINDS, earlier)], [*populations(KINDS, every)]
    divided = parts(KINDS, every)
    for inside, group in divided.items():
        now = interval(KINDS, group.__contains__, after)
        is_published = any(every[i].name and sum(i in each for each in divided) == 1 for i in inside)
        if not narrow(*now) or is_published:
            continue
        assert interval(KINDS, group.__contains__, before) == now
