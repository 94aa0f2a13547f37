"""Hospitals: small sets of tables about the same people, at random and by hand, and policies about them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from sqlanon.cli.app import app
from tests.oracles import people as oracle

DAY = datetime(2026, 3, 2)

HOSPITAL = """
    create or replace temp table person as
    from (values (1, '20-39'), (2, '20-39'), (3, '40-59'), (4, '40-59')) as row(patient, age);
    create or replace temp table stay as
    from (values (1, 10, 'A'), (2, 20, 'A'), (3, 30, 'A'), (4, 40, 'B')) as row(patient, id, ward);
    create or replace temp table drug as
    from (values (10, 'x'), (20, 'x'), (40, 'y')) as row(stay, drug)"""
JOINS = ["stay.patient = person.patient", "drug.stay = stay.id"]
GIVEN: dict[str, Any] = {
    "tables": ["person", "stay", "drug"],
    "unit": "person.patient",
    "joins": JOINS,
    "qi": ["person.age", "stay.ward", "drug.drug"],
}

POLICY = """
[tables.person]
file = "person.csv"
unit = "patient"
qi = ["age"]
identifier = ["name"]

[tables.stay]
file = "stay.csv"
belongs_to = { patient = "person.patient" }
qi = ["ward"]
sensitive = ["disease"]

[tables.drug]
file = "drug.csv"
belongs_to = { stay = "stay.id" }
qi = ["drug"]

[requirements]
k = 2
"""
# Each table alone is 2-anonymous. Together Ann and Cem are known: who is 20 and had aspirin, or had none.
FILES = {
    "person": "patient,age,name\n1,20,Ann\n2,30,Bob\n3,20,Cem\n4,30,Dot\n",
    "stay": "id,patient,ward,disease\n10,1,A,flu\n20,2,A,gout\n30,3,A,flu\n40,4,A,cold\n",
    "drug": "stay,drug\n10,aspirin\n20,aspirin\n40,aspirin\n",
}


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [*map(str, arguments)])


def change(policy: Path, old: str, new: str) -> Path:
    assert old in policy.read_text()
    policy.write_text(policy.read_text().replace(old, new, 1))
    return policy


@st.composite
def hospitals(draw: st.DrawFn) -> oracle.Tables:
    """Up to six people with stays, and drugs of stays or of people. Some keys are spelled otherwise, some
    missing, shared or unknown."""
    spoiled = draw(st.sampled_from([False, False, False, True]))
    strange = [None, " ", "p9"] if spoiled else []
    values, days = st.sampled_from(["a", "b", None]), st.sampled_from([None, 0, 1, 7, 7.5])

    def spelled(keys: list[str]) -> st.SearchStrategy[Any]:
        return st.sampled_from([*keys, *(key.upper() + " " for key in keys), *strange] or ["x"])

    def table(columns: dict[str, st.SearchStrategy[Any]], most: int, key: str) -> list[dict[str, Any]]:
        unique = key and not spoiled
        rows = draw(
            st.lists(
                st.fixed_dictionaries(columns),
                max_size=most,
                unique_by=(lambda row: row[key]) if unique else None,
            )
        )
        return [
            {**row, "day": None if row.get("day") is None else DAY + timedelta(days=row["day"])}
            for row in rows
        ]

    people = [f"p{i}" for i in range(1, draw(st.integers(1, 6)) + 1)]
    persons = [{"patient": name, "age": draw(values)} for name in people]
    persons += [{"patient": draw(spelled(people)), "age": "a"}] * spoiled
    stays = table(
        {"patient": spelled(people), "id": spelled([f"s{i}" for i in range(6)]), "ward": values, "day": days,
         "disease": values},
        6,
        "id",
    )  # fmt: skip
    if not spoiled:  # two spellings of a key are one
        stays = [*{row["id"].strip().lower(): row for row in stays}.values()]
    of_stays = draw(st.booleans()) and (spoiled or bool(stays))
    keys = [row["id"] for row in stays if row["id"]] if of_stays else people
    drugs = table({"of": spelled(keys), "drug": values, "day": days, "disease": values}, 7, "")
    return oracle.Tables(
        {
            "person": oracle.Table(persons, "patient", qi=["age"]),
            "stay": oracle.Table(
                stays, "patient", "person", "patient", qi=draw(st.sampled_from([["ward"], []])),
                dates=draw(st.sampled_from([["day"], []])), sensitive=["disease"],
            ),
            "drug": oracle.Table(
                drugs, "of", *(("stay", "id") if of_stays else ("person", "patient")), qi=["drug"],
                dates=draw(st.sampled_from([["day"], []])), sensitive=["disease"],
            ),
        }
    )  # fmt: skip


TYPES = {"day": "timestamp"}


def arguments(con: duckdb.DuckDBPyConnection, tables: oracle.Tables) -> dict[str, Any]:
    """The tables in the database, and what the functions take."""
    columns = {
        "person": ["patient", "age"],
        "stay": ["patient", "id", "ward", "day", "disease"],
        "drug": ["of", "drug", "day", "disease"],
    }
    given: dict[str, Any] = {"tables": list(columns), "unit": "person.patient", "joins": []}
    for name, names in columns.items():
        listed = ", ".join(f'"{column}" {TYPES.get(column, "text")}' for column in names)
        con.execute(f"create or replace temp table {name} ({listed})")
        table = tables.tables[name]
        if table.rows:
            con.executemany(
                f"insert into {name} values ({', '.join('?' * len(names))})",
                [[row[column] for column in names] for row in table.rows],
            )
        if table.parent:
            sides = [f"{table.parent}.{table.key}", f"{name}.{table.own}"]
            given["joins"].append(" = ".join(sides))
    for role in ("qi", "dates"):
        given[role] = [f"{name}.{each}" for name in columns for each in getattr(tables.tables[name], role)]
    return given


def policy_text(tables: oracle.Tables, *roles: str) -> str:
    """What a policy says of tables, and of requirements k = 2; roles: those of columns."""
    text = ""
    for name, each in tables.tables.items():
        whose = f'unit = "{each.own}"'
        if each.parent:
            whose = f'belongs_to = {{ {each.own} = "{each.parent}.{each.key}" }}'
        said = "".join(f"{role} = {[*getattr(each, role)]}\n" for role in roles or ("qi", "dates"))
        text += f"[tables.{name}]\n{whose}\n{said}"
    return f"{text}[requirements]\nk = 2\n"


def recoded(tables: oracle.Tables, stars: Callable[[str], bool]) -> oracle.Tables:
    """The same with * in all rows of some columns, which are called table.column."""
    return oracle.Tables(
        {
            name: oracle.Table(
                [{column: "*" if stars(f"{name}.{column}") else value for column, value in row.items()}
                 for row in table.rows],
                table.own, table.parent, table.key, table.qi, table.dates, table.sensitive,
            )
            for name, table in tables.tables.items()
        }
    )  # fmt: skip
