"""Sequences of tables against an attacker who tries all worlds: nothing that is told is wrong, no difference
of boxes is missed, and what some tables tell is told when more of them come."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

import sqlanon
from sqlanon.tables.programs import has_solver
from tests.cells.regions import solver
from tests.oracles.sequences_of_tables import (
    FILTERS,
    LABELS,
    MOST,
    NAMES,
    THRESHOLD,
    WARDS,
    Attacker,
    Group,
    World,
    made,
)


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        if has_solver():
            sqlanon.register_functions(connection)
        connection.execute("create table regions (attribute text, value text, level integer, label text)")
        connection.executemany(
            "insert into regions values ('ward', ?, ?, ?)",
            [row for ward, region in WARDS.items() for row in ((ward, 0, ward), (ward, 1, region))],
        )
        connection.execute("create table domain (attribute text, value text)")
        values = {"ward": [*WARDS], "sex": ["F", "M"], "age": ["1", "2", "3"]}
        connection.executemany(
            "insert into domain values (?, ?)", [(name, each) for name in values for each in values[name]]
        )
        yield connection


def asked(con: duckdb.DuckDBPyConnection, world: World, number: int) -> list[tuple[Any, ...]]:
    """What the first tables tell."""
    tables = world.tables[:number]
    for table in tables:
        columns = ", ".join([*(f"{name} text" for name in table.dimensions), "value text"])
        con.execute(f"create or replace temp table {table.name} ({columns})")
        con.executemany(
            f"insert into {table.name} values ({', '.join('?' * (len(table.dimensions) + 1))})",
            [[*key, value] for key, value in table.cells.items()],
        )
    more: dict[str, Any] = {}
    if world.growing:
        more = {"periods": [str(table.period) for table in tables], "growing": True}
    used = sorted({name for table in tables for name in table.dimensions})
    return sqlanon.tables_together(
        con, [table.name for table in tables], used, filters=[table.filter for table in tables],
        hierarchies="regions", domain="domain", least=0, most=MOST, threshold=THRESHOLD,
        programs="integer", **more,
    ).fetchall()  # fmt: skip


def is_of(label: str, name: str, value: str) -> bool:
    """Does a label hold for a value?"""
    if label in LABELS[name]:
        return value in LABELS[name][label]
    return value in next(
        values for text, (_, values) in FILTERS.items() if text.replace(" ", "") == name + label
    )


def of_piece(piece: str, world: World) -> Group:
    """The people of one dimension of a name."""
    if piece == "everybody":
        return frozenset(range(len(world.kinds)))
    if piece.startswith("("):
        each = re.split(r" or (?=there since|other|ward |sex |age )", piece.strip("()"))
        return frozenset().union(*(of_piece(one, world) for one in each))
    if piece.startswith("there since"):
        return frozenset(i for i, kind in enumerate(world.kinds) if str(kind[3]) == piece.split()[2])
    name, label = piece.split(" ", 1)
    if name == "other":
        used = {  # only what is in a row is told apart
            key[table.dimensions.index(label)]
            for table in world.tables if label in table.dimensions for key in table.cells
        } - {"total"}  # fmt: skip
        covered = {value for each in used for value in LABELS[label][each]}
        covered |= {value for table in world.tables if table.filter and FILTERS[table.filter][0] == label
                    for value in FILTERS[table.filter][1]}  # fmt: skip
        return frozenset(i for i, kind in enumerate(world.kinds) if kind[NAMES.index(label)] not in covered)
    label, _, others = label.partition(" but not ")
    place = NAMES.index(name)
    return frozenset(
        i for i, kind in enumerate(world.kinds)
        if all(is_of(each, name, str(kind[place])) for each in label.split(" and "))
        and not any(is_of(each, name, str(kind[place])) for each in (others.split(" or ") if others else ()))
    )  # fmt: skip


def meant(name: str, world: World) -> Group:
    """The people whom the name of a cell means."""
    cells = {}
    for table in world.tables:
        for key in table.cells:
            labels = world.labels(table, key)
            text = ", ".join(labels[each] for each in sorted(labels))
            cells[table.name + (f": {text}" if text else "")] = world.group(table, key)
    if " - " in name or name in cells:
        one, _, other = name.partition(" - ")
        large, small = (
            frozenset().union(*(cells[each] for each in side.split(" + ") if side)) for side in (one, other)
        )
        return large - small
    found: Group = frozenset()
    for each in name.split("; or "):
        group = frozenset(range(len(world.kinds)))
        for piece in re.split(r", (?=\(|there since|other|ward |sex |age )", each):
            group &= of_piece(piece, world)
        found |= group
    return found


def there_by(world: World, number: int) -> Group:
    """The people of when the first tables are: what these tell is not about who comes later."""
    latest = max(table.period for table in world.tables[:number])
    return frozenset(i for i, kind in enumerate(world.kinds) if kind[3] <= latest or not world.growing)


def few(name: str) -> bool:
    """Are some people left out of a name?"""
    return bool(re.search(r"; or \d+ others$", name))


@solver
@pytest.mark.slow("3 s a case", but=(1,))
@pytest.mark.parametrize("seed", range(300))
def test_all_worlds(con: duckdb.DuckDBPyConnection, seed: int) -> None:
    world = made(seed)
    attacker = Attacker(world)
    told: dict[Group, tuple[float, float]] = {}
    for number in range(1, len(world.tables) + 1):
        is_last = number == len(world.tables)
        before, told = told, {}
        unnamed = set()  # bounds of those of whom some are left out of the name
        for name, lower, upper, *_, unfinished in asked(con, world, number):
            assert not unfinished, name
            if few(name):
                unnamed.add((lower, upper))
                continue
            group = meant(name, World(world.tables[:number], world.kinds, world.growing)) & attacker.there
            group &= there_by(world, number)
            told[group] = lower, upper
            low, high = attacker.interval(group)
            assert lower <= low, (name, lower, low)
            assert high <= upper, (name, high, upper)
            assert not is_last or lower == low or upper == high or upper - lower < THRESHOLD
        lost = {
            group for group, bounds in before.items()
            if group not in told and group not in attacker.published and bounds not in unnamed
            and attacker.interval(group)[1] > 0
        }  # fmt: skip
        assert not lost, (number, lost)
    missed = {group for group in attacker.differences() if group not in told}
    assert not missed
