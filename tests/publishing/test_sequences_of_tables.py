"""Sequences of tables through the gate, which hides more cells because of what is out: together they give
nothing back."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

import sqlanon
from sqlanon.core.errors import RefusedError
from sqlanon.publishing.tables import publish_table
from tests.cells.regions import solver
from tests.oracles.sequences_of_tables import is_narrow
from tests.oracles.tables_together import Person, Published, interval, populations

KINDS: list[Person] = [*itertools.product(("A", "B"), ("F", "M"), (20, 40))]
NAMES, FILTERS = ["ward", "sex"], {"": (20, 40), "age > 30": (40,), "age <= 30": (20,)}
POLICY = '[table]\nthreshold = 3\nmethod = "suppress"\nhide_with_earlier = true\n'


@pytest.fixture
def con(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[duckdb.DuckDBPyConnection]:
    monkeypatch.chdir(tmp_path)
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


def made(
    con: duckdb.DuckDBPyConnection, name: str, cells: dict[tuple[object, ...], int], columns: str
) -> None:
    """A table of so many people of each kind."""
    con.execute(f"create table {name} ({columns})")
    rows = [list(kind) for kind, n in cells.items() for _ in range(n)]
    con.executemany(f"insert into {name} values ({', '.join('?' * len(columns.split(',')))})", rows)


def cells_of(con: duckdb.DuckDBPyConnection, file: str, names: list[str], filter: str) -> Iterator[Published]:
    """What a published table says; what it hides is somebody."""
    labels = {"ward": ("A", "B"), "sex": ("F", "M")}
    shown = {
        tuple(key): value
        for *key, value in con.execute(
            f"select {', '.join([*names, 'value'])} from read_csv('{file}', all_varchar = true)"
        ).fetchall()
    }
    for key in itertools.product(*([*labels[name], "total"] for name in names)):
        wanted = {
            NAMES.index(name): label for name, label in zip(names, key, strict=True) if label != "total"
        }

        def is_in(person: Person, wanted: dict[int, str] = wanted) -> bool:
            return person[2] in FILTERS[filter] and all(person[i] == label for i, label in wanted.items())

        value = shown.get(key, "0")
        least, most = (1, 30) if value == "*" else (int(value), int(value))
        yield Published(f"{file}: {key}", is_in, least, most)


def known(cells: list[Published]) -> tuple[set[frozenset[Person]], set[Person]]:
    """The differences of cells of which somebody who tries all populations knows too much, and the kinds of
    people who may be there."""
    found = [*populations(KINDS, cells)]
    assert found
    there = {kind for i, kind in enumerate(KINDS) if any(counts[i] for counts in found)}
    boxes = {frozenset(kind for kind in there if cell.counted(kind)) for cell in cells}
    groups = {large - small for large, small in itertools.permutations(boxes, 2) if small and small < large}
    narrow = {group for group in groups | boxes if is_narrow(*interval(KINDS, group.__contains__, found))}
    return narrow, there


@solver
@pytest.mark.slow("20 s a case", but=(0,))
@pytest.mark.parametrize("seed", range(60))
def test_what_leaves_gives_nothing_back(con: duckdb.DuckDBPyConnection, seed: int) -> None:
    chance = random.Random(seed)
    made(con, "people", {kind: chance.choice((0, 1, 2, 4)) for kind in KINDS}, "ward text, sex text, age int")
    cells: list[Published] = []
    before: set[frozenset[Person]] = set()
    for number in range(chance.randint(2, 3)):
        names = chance.choice([["ward"], ["sex"], ["ward", "sex"]])
        filter, file = chance.choice([*FILTERS]), f"t{number}.csv"
        Path("t.toml").write_text(f"{POLICY}dimensions = {names}\nfilter = '{filter}'\n")
        try:
            publish_table(con, "people", "t.toml", register="r.duckdb", output=file)
        except (RefusedError, sqlanon.InputError):
            continue
        cells += cells_of(con, file, names, filter)
        now, there = known(cells)
        new = now - {group & there for group in before}
        assert not new, (number, names, filter, new)
        before |= now


@solver
@pytest.mark.slow("20 s")
def test_its_own_row_does_not_give_it_back(con: duckdb.DuckDBPyConnection) -> None:
    """Two came since March: June hides B, flu; with B, gout and the total of B shown that would be known."""
    both = [*itertools.product("AB", ("flu", "gout"))]
    months = {"march": (10, 10, 10, 10), "april": (14, 14, 11, 14), "june": (20, 20, 12, 20)}
    for month, (name, counts) in enumerate(months.items(), 1):
        made(con, name, dict(zip(both, counts, strict=True)), "ward text, illness text")
        columns = ["ward"] if name == "april" else ["ward", "illness"]
        policy = f"{POLICY.replace('= 3', '= 5')}growing = true\ndimensions = {columns}\n"
        Path("t.toml").write_text(policy)
        publish_table(
            con, name, "t.toml", register="r.duckdb", output=f"{name}.csv", period=f"2026-{month:02}"
        )
    rows = con.execute("select ward, illness, value from read_csv('june.csv', all_varchar = true)").fetchall()
    shown = {(ward, illness): value for ward, illness, value in rows}
    assert shown["B", "flu"] == "*"
    assert "*" in (shown["B", "gout"], shown["B", "total"])
    assert "*" in (shown["A", "flu"], shown["total", "flu"])
