"""Random populations with releases in a register, made by hand: every kind of label."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import duckdb

from sqlanon.core.statements import select, table
from sqlanon.publishing.register import opened

AGES = [*range(-1, 14)]  # beyond both ends of all labels and constants
ZIPS = ["01234", "01235", "0224", "0224 "]
REGIONS = {"North": ["01234", "01235"], "South": ["0224", "0224 "]}
WARDS = ["a", "b", "A"]
OTHERS = ["any other"]  # what a label that stands for anything may stand for, too
COSTS = [-3.0, 0.0, 2.5, 10.0]
RANGE = (-5.0, 20.0)
POLICY = """
[answers]
register = "out.duckdb"
release = "{name}"
table = "stays"
[answers.dimensions.age]
type = "integer"
range = [0, 12]
[answers.dimensions.zip]
hierarchy = "zip.csv"
levels = ["region"]
[answers.dimensions.ward]
[answers.measures]
cost = [{low}, {high}]
"""


def person(chance: random.Random) -> dict[str, Any]:
    return {
        "age": chance.choice([None, *range(13), *range(13)]),
        "zip": chance.choice([None, *ZIPS, *ZIPS]),
        "ward": chance.choice([None, *WARDS, *WARDS]),
        "cost": chance.choice([None, *COSTS]),
    }


def label_of_age(age: int | None, chance: random.Random) -> tuple[str | None, list[int | None]]:
    """A label that covers an age, and what it covers."""
    if age is None:
        hi = chance.randint(0, 12)
        return chance.choice([
            (None, [None]), ("*", [None, *AGES]), (f"[NULL, {hi}]", [None, *(a for a in AGES if a <= hi)]),
            (f"{{{hi}, NULL}}", [None, hi]),
        ])  # fmt: skip
    lo, hi = chance.randint(0, age), chance.randint(age, 12)
    return chance.choice([
        (str(age), [age]),
        (f"[{lo}, {hi}]", [a for a in AGES if lo <= a <= hi]),
        (f"[{lo}, {hi + 1}[", [a for a in AGES if lo <= a <= hi]),
        (f"]{lo - 1}, {hi + 0.5}]", [a for a in AGES if lo <= a <= hi]),
        (f"{lo}-{hi}", [a for a in AGES if lo <= a <= hi]),
        (f"<{hi + 1}", [a for a in AGES if a <= hi]),
        (f">={lo}", [a for a in AGES if a >= lo]),
        (f"{{{lo}, {age}}}", [*{lo, age}]),
        ("*", [None, *AGES]),
        ("no label", [None, *AGES]),
    ])  # fmt: skip


def label_of_zip(code: str | None, chance: random.Random) -> tuple[str | None, list[str | None]]:
    anything: tuple[str, list[str | None]] = ("*", [None, *ZIPS, *OTHERS])
    if code is None:
        of_null: list[tuple[str | None, list[str | None]]] = [
            (None, [None]), anything, ('{NULL, "0224 "}', [None, "0224 "])
        ]  # fmt: skip
        return chance.choice(of_null)
    region = next(name for name, codes in REGIONS.items() if code in codes)
    fitting = [each for each in ZIPS if each[:-1] == code[:-1] and len(each) == len(code)]
    other = chance.choice(ZIPS)
    labels: list[tuple[str | None, list[str | None]]] = [
        (code, [code]), anything, (region, [*REGIONS[region]]), (code[:-1] + "*", [*fitting]),
        (f'{{"{code}", "{other}"}}', [*{code, other}]), ("no label", anything[1]),
    ]  # fmt: skip
    return chance.choice(labels)


def labelled(people: list[dict[str, Any]], chance: random.Random) -> list[dict[str, Any]]:
    """A row of a release for each person."""
    rows = []
    for each in people:
        age, ages = label_of_age(each["age"], chance)
        code, codes = label_of_zip(each["zip"], chance)
        possible = {"age": ages, "zip": codes, "ward": [each["ward"]]}
        rows.append({**each, "age": age, "zip": code, "possible": possible, "cost": [each["cost"]]})
    return rows


def suppressed_row() -> dict[str, Any]:
    """What a suppressed row may be."""
    possible = {"age": [None, *AGES], "zip": [None, *ZIPS, *OTHERS], "ward": [None, *WARDS, *OTHERS]}
    return {"possible": possible, "cost": [None, *RANGE, 0.0]}


def entered(
    con: duckdb.DuckDBPyConnection, folder: Path, rows: list[dict[str, Any]], suppressed: int | None,
    name: str = "stays_2026", **more: Any,
) -> Path:  # fmt: skip
    """A policy of a release that is out by a register, whose source nobody has."""
    con.execute("create or replace temp table made (age text, zip text, ward text, cost double)")
    values = [(row["age"], row["zip"], row["ward"], row["cost"][0]) for row in rows]
    if values:
        con.executemany("insert into made values (?, ?, ?, ?)", values)
    with opened(con, folder / "out.duckdb", make=True) as register:
        entry = {
            "name": name, "status": "out", "is_foreign": False, "qi": ["age", "zip"], "sensitive": ["ward"],
            "nearest": False, "formats": {}, "row_count": len(rows), "suppressed_rows": suppressed,
            "method": "mondrian", "policy": "", "parameters": json.dumps({}), **more,
        }  # fmt: skip
        register.enter(entry, select(table("made")))
    return policy_of(folder, name)


def policy_of(folder: Path, name: str) -> Path:
    """A policy that asks a release."""
    lines = [f"{code};{region};*" for region, codes in REGIONS.items() for code in codes]
    (folder / "zip.csv").write_text("\n".join(lines) + "\n")
    policy = folder / "answers.toml"
    policy.write_text(POLICY.format(name=name, low=RANGE[0], high=RANGE[1]))
    return policy


def table_of_people(con: duckdb.DuckDBPyConnection, people: list[dict[str, Any]]) -> None:
    """The source as `stays`, with the levels of its hierarchies."""
    con.execute("create or replace table stays (age integer, zip text, ward text, cost double, region text)")
    region_of = {code: region for region, codes in REGIONS.items() for code in codes}
    rows = [
        (each["age"], each["zip"], each["ward"], each["cost"], region_of.get(each["zip"])) for each in people
    ]
    if rows:
        con.executemany("insert into stays values (?, ?, ?, ?, ?)", rows)


def condition(chance: random.Random, depth: int = 2) -> str:
    """A random condition."""
    if depth and chance.random() < 0.6:
        one, other = condition(chance, depth - 1), condition(chance, depth - 1)
        return chance.choice([f"({one} and {other})", f"({one} or {other})", f"not ({one})", one])
    age, zip_, ward = chance.randint(0, 12), chance.choice(ZIPS), chance.choice(WARDS)
    return chance.choice([
        f"age > {age}", f"{age} <= age", f"age = {age}", f"age <> {age}", f"age < {age}.5", "age is null",
        f"age between {age - 3} and {age}", f"age in ({age}, {age + 2}, NULL)", f"age is distinct from {age}",
        f"zip = '{zip_}'", f"zip in ('{zip_}', '01234')", f"zip <> '{zip_}'", "zip is not null",
        f"ward = '{ward}'", f"ward not in ('{ward}', 'c')", "ward is null",
        f"ward is not distinct from '{ward}'",
        "region = 'North'", "region <> 'South'", "region in ('North', 'South')", "true",
    ])  # fmt: skip


def question(chance: random.Random) -> str:
    """A random question, of which some are refused."""
    by = chance.choice(["ward", "age", "region", "ward, region", "rollup (ward)", "disease"])
    what = chance.choice(
        ["count(*)", "sum(cost)", "avg(cost)", "count(cost)", "max(cost)", "sum(cost), count(*) as n",
         "count(*) filter (where ward = 'a') / count(*)"]
    )  # fmt: skip
    where = f" where {condition(chance)}" if chance.random() < 0.8 else ""
    if chance.random() < 0.4:
        return f"select {what} from stays{where}"
    order = chance.choice(["", " order by 2 desc", " having count(*) > 1", " order by 1 limit 2"])
    shown = "ward" if by.startswith("rollup") else by
    return f"select {shown}, {what} from stays{where} group by {by}{order}"
