"""Releases of several tables about the same people: what leaves, and what it loses."""

from __future__ import annotations

import contextlib
import re
import runpy
from itertools import product
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import sqlanon
from sqlanon.anonymize.levels_of_sets import Node, Search
from sqlanon.publishing.several_tables import TablesRelease
from tests.budget import examples
from tests.oracles import people as oracle
from tests.people.hospitals import FILES, POLICY, arguments, change, hospitals, policy_text, recoded, run

STAYS = """id,patient,ward,day,disease
1,1,A,2026-01-05,01
2,1,B,2026-01-19,02
3,2,A,2026-02-02,01
4,2,B,2026-02-16,02
5,3,A,2026-03-02,03
6,3,B,2026-03-16,02
7,4,B,2026-04-06,01
8,4,A,2026-03-23,1
"""


@pytest.fixture
def hospital(tmp_path: Path) -> Path:
    for name, text in {**FILES, "stay": STAYS, "drug": "stay,drug\n1,x\n3,x\n5,x\n8,y\n"}.items():
        (tmp_path / f"{name}.csv").write_text(text)
    (tmp_path / "hospital.toml").write_text(POLICY)
    return tmp_path / "hospital.toml"


def read(con: duckdb.DuckDBPyConnection, release: TablesRelease, name: str) -> list[dict[str, Any]]:
    answer = con.execute(f"from {release.tables[name]}")
    columns = [column[0] for column in answer.description or ()]
    return [dict(zip(columns, row, strict=True)) for row in answer.fetchall()]


@pytest.mark.slow("5 s")
@pytest.mark.both_lines
def test_a_folder_that_a_colleague_can_join(hospital: Path) -> None:
    folder = hospital.parent / "release"
    done = run("anonymize", "--policy", hospital, "--output", folder)
    assert done.exit_code == 0, done.output
    assert sorted(file.name for file in folder.iterdir()) == ["drug.csv", "person.csv", "stay.csv"]
    said = "levels: person.age 0 of 1, stay.ward 0 of 1, drug.drug 1 of 1; information loss 33.3%"
    assert said in done.stderr
    assert "none of which loses less" in done.stderr
    assert "not released, person: name" in done.stderr
    assert "not released, stay: day" in done.stderr
    assert "Together all 4 people are in classes of at least 2" in done.stderr
    with duckdb.connect() as con:
        joined = con.execute(
            f"select age, ward, drug, disease from read_csv('{folder}/person.csv', all_varchar = true)"
            f" join read_csv('{folder}/stay.csv', all_varchar = true) as stay using (patient)"
            f" left join read_csv('{folder}/drug.csv', all_varchar = true) as drug on drug.stay = stay.id"
        ).fetchall()
    assert sorted(disease for *_, disease in joined) == ["01", "01", "01", "02", "02", "02", "03", "1"]
    assert {(age, drug) for age, _, drug, _ in joined} == {
        ("20", "*"),
        ("20", None),
        ("30", "*"),
        ("30", None),
    }
    assert run("check", folder, "--policy", hospital).exit_code == 0
    assert "Ann" not in "".join(file.read_text() for file in folder.iterdir())


@pytest.mark.slow("4 s")
def test_possible_offsets_are_told(hospital: Path) -> None:
    """Of a collection of 14 weeks nobody has more than 13, whatever is drawn."""
    change(hospital, 'qi = ["ward"]', 'dates = ["day"]')
    policy = hospital.read_text()
    hospital.write_text(f'{policy}[dates]\ncollected_from = "2025-12-30"\ncollected_until = "2026-04-06"\n')
    done = run("anonymize", "--policy", hospital, "--output", hospital.parent / "release")
    assert done.exit_code == 0, done.output
    [least, few] = re.findall(
        r"all dates are from 2025-12-30 to 2026-04-06 finds at least (\d+) possible offsets for everybody; "
        r"for (\d+) people fewer than 2\.", done.stderr,
    )[0]  # fmt: skip
    assert 1 <= int(least) <= 13
    assert (int(few) > 0) == (int(least) < 2)


@pytest.mark.slow("what is refused late takes 3 s a case", but=(2, 3, 7, 8, 9))
@pytest.mark.parametrize(
    ("old", "new", "code", "message"),
    [
        ("k = 2", "k = 5", 3, "at the highest ones 4 of 4 people are in classes that fail"),
        ("k = 2", "k = 2\nl = 4", 3, "no levels meet what is required"),
        ('"id" }', '"nr" }', 3, "there is no column"),
        ('qi = ["drug"]', 'qi = ["drug"]\nmax_rows = "1"', 2, "max_rows must be a whole number"),
        ('qi = ["ward"]', 'keep = ["ward"]', 0, "release: person.csv, stay.csv, drug.csv"),
        ('qi = ["ward"]', 'keep = ["day"]', 3, "stay.day has 8 values that fewer than 2"),
        ('qi = ["ward"]', 'dates = ["day"]', 0, "release: person.csv"),
        ("k = 2", 'k = 2\n[hierarchies]\n"stay.ward" = {values = {A = ["*"]}}', 3, "lacks values of the"),
        ("k = 2", 'k = 2\n[dates]\ncollected_from = "2026-13-01"', 2, "collected_from must be a day, such"),
        ("k = 2", 'k = 2\n[dates]\ncollected_from = "2026-01-01"', 2, "both collected_from and collected"),
        ("k = 2", 'k = 2\n[method]\nmax_levels = {"drug.drug" = 0}', 3, "no levels meet"),
        ("k = 2", 'k = 2\n[method]\nmax_levels = {"drug.drug" = 7}', 3, "levels of drug.drug go from 0 to 1"),
    ],
)  # fmt: skip
def test_all_of_it_or_nothing(hospital: Path, old: str, new: str, code: int, message: str) -> None:
    if '"nr"' in new:
        change(hospital, '"stay.id"', '"stay.nr"')
    else:
        change(hospital, old, new)
    before = sorted(file.name for file in hospital.parent.iterdir())
    done = run("anonymize", "--policy", hospital, "--output", hospital.parent / "release")
    assert (done.exit_code, message in done.stderr) == (code, True), done.output
    after = sorted(file.name for file in hospital.parent.iterdir())
    assert after == sorted([*before, *(["release"] if code == 0 else [])])


@pytest.mark.slow("13 s")
def test_the_four_files_of_a_hospital(tmp_path: Path) -> None:
    """As they come: Windows-1252, umlauts, keys in two spellings, missing values, rows of nobody."""
    example = Path(__file__).resolve().parents[2] / "examples" / "hospital_tables"
    runpy.run_path(str(example / "make_files.py"))["main"](str(tmp_path), "500", "7")
    policy = tmp_path / "policy.toml"
    policy.write_text((example / "policy.toml").read_text("utf-8").replace("k = 5", "k = 2"), "utf-8")
    folder = tmp_path / "spring"
    assert run("check", "--policy", policy).exit_code == 1
    done = run("publish", "--policy", policy, "-o", folder, "--register", tmp_path / "releases.duckdb")
    assert done.exit_code == 0, done.output
    assert "fall: 3 of 715 rows belong to nobody: left out" in done.stderr
    assert "not released, patient: Name" in done.stderr
    assert run("check", folder, "--policy", policy).exit_code == 0
    with duckdb.connect() as con:
        found = con.execute(
            f"SELECT Diagnose, Wirkstoff, count(*) AS n FROM '{folder}/diagnose.csv' "
            f"JOIN '{folder}/medikament.csv' USING (Fall) GROUP BY ALL ORDER BY n DESC"
        ).fetchall()
        assert len(found) >= 4
        lost = con.execute(
            f"select count(*) from '{folder}/diagnose.csv' anti join '{folder}/fall.csv' using (Fall)"
        ).fetchall()
    assert lost == [(0,)]
    assert "Müller" not in "".join(file.read_text("utf-8") for file in folder.iterdir())


@pytest.mark.parametrize("option", ["--force", "--sql", "--steps"])
def test_options_for_one_table_are_refused(hospital: Path, option: str) -> None:
    done = run("anonymize", "--policy", hospital, "--output", hospital.parent / "release", option)
    assert (done.exit_code, f"{option} does not go with [tables]" in done.stderr) == (2, True)
    done = run(
        "anonymize", hospital.parent / "stay.csv", "--policy", hospital, "-o", hospital.parent / "release"
    )
    assert "INPUT does not go with [tables]" in done.stderr
    done = run("anonymize", "--policy", hospital, "--output", hospital.parent)
    assert (done.exit_code, "exists: name a new folder" in done.stderr) == (2, True)


@pytest.mark.slow("3 s")
def test_people_are_left_out_with_all_their_rows(
    shared_con: duckdb.DuckDBPyConnection, hospital: Path
) -> None:
    change(hospital, "k = 2", 'k = 2\n[method]\nsuppression_limit = 0.25\nmax_levels = {"person.age" = 0}')
    (hospital.parent / "person.csv").write_text("patient,age,name\n1,20,Ann\n2,20,Bob\n3,20,Cem\n4,30,Dot\n")
    release = sqlanon.anonymize_tables(shared_con, hospital)
    assert (release.people, release.suppressed) == (4, 1)
    assert release.levels == {"person.age": (0, 1), "stay.ward": (0, 1), "drug.drug": (0, 1)}
    assert "1 of 4 people are left out, with all their rows" in str(release)
    assert [len(read(shared_con, release, name)) for name in FILES] == [3, 6, 3]
    assert release.loss == 0


@pytest.mark.slow("3 s")
def test_rows_beyond_max_rows_take_along_what_belongs_to_them(
    shared_con: duckdb.DuckDBPyConnection, hospital: Path
) -> None:
    change(hospital, 'qi = ["ward"]', 'qi = ["ward"]\nmax_rows = 1')
    change(hospital, "k = 2", "k = 1")
    release = sqlanon.anonymize_tables(shared_con, hospital)
    stays = read(shared_con, release, "stay")
    assert len({row["patient"] for row in stays}) == len(stays) == 4
    assert {row["stay"] for row in read(shared_con, release, "drug")} <= {row["id"] for row in stays}
    assert "stay: 4 of 8 rows are cut (at most 1 of a person leave)" in str(release)


def test_which_rows_of_a_person_leave_is_random(shared_con: duckdb.DuckDBPyConnection) -> None:
    shared_con.execute(
        "create or replace temp table linked as select i as _sqlanon_row, i % 3 as _sqlanon_person "
        "from range(30) as numbers(i)"
    )
    drawn = [
        shared_con.execute("from sqlanon._at_most_rows('linked', [], 4, null) order by all").fetchall()
        for _ in range(3)
    ]
    assert all(len(rows) == 12 for rows in drawn)
    assert drawn[0] != drawn[1] or drawn[1] != drawn[2]


@pytest.mark.slow("5 s")
def test_keys_join_in_one_release_and_in_no_other(
    shared_con: duckdb.DuckDBPyConnection, hospital: Path
) -> None:
    change(hospital, "k = 2", "k = 1")
    one, other = (sqlanon.anonymize_tables(shared_con, hospital) for _ in range(2))
    keys = [
        {row["patient"] for row in read(shared_con, each, "person")}
        | {row["id"] for row in read(shared_con, each, "stay")}
        for each in (one, other)
    ]
    assert [len(each) for each in keys] == [4 + 8, 4 + 8]  # patient 1 and stay 1 have nothing in common
    assert not keys[0] & keys[1]
    assert shared_con.execute("select count(*) from duckdb_variables()").fetchall() == [(0,)]


@pytest.mark.slow("3 s")
def test_intervals_and_weekdays_stay(shared_con: duckdb.DuckDBPyConnection, hospital: Path) -> None:
    change(hospital, 'qi = ["ward"]', 'qi = ["ward"]\ndates = ["day"]')
    change(hospital, "k = 2", "k = 1")
    release = sqlanon.anonymize_tables(shared_con, hospital)
    days: dict[str, list[Any]] = {}
    for row in read(shared_con, release, "stay"):
        days.setdefault(row["patient"], []).append(row["day"])
    assert len(days) == 4
    for pair in days.values():
        assert (max(pair) - min(pair)).days == 14
        assert max(pair).weekday() == 0
        assert max(pair).year < 2027


@pytest.mark.slow("2 s")
def test_columns_of_one_name_are_recoded_alike(shared_con: duckdb.DuckDBPyConnection, hospital: Path) -> None:
    (hospital.parent / "drug.csv").write_text("stay,ward\n1,A\n3,B\n5,C\n8,D\n")
    change(hospital, 'qi = ["drug"]', 'qi = ["ward"]')
    wards = '{values = {A = ["north", "*"], B = ["north", "*"], C = ["south", "*"], D = ["south", "*"]}}'
    change(
        hospital,
        "k = 2",
        f'k = 1\n[method]\nmin_levels = {{"stay.ward" = 1}}\n[hierarchies]\n"stay.ward" = {wards}',
    )
    release = sqlanon.anonymize_tables(shared_con, hospital)
    assert release.levels == {"person.age": (0, 1), "stay.ward": (1, 2)}
    assert {row["ward"] for row in read(shared_con, release, "stay")} == {"north"}
    assert sorted(row["ward"] for row in read(shared_con, release, "drug")) == [
        "north",
        "north",
        "south",
        "south",
    ]


@pytest.mark.slow("5 s")
@examples(40, quick=4)
@given(tables=hospitals(), tolerated=st.sampled_from([0, 0.34, 0.67]))
def test_random_tables_meet_what_is_required_and_lose_least(
    shared_con: duckdb.DuckDBPyConnection, tables: oracle.Tables, tolerated: float,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:  # fmt: skip
    assume(not tables.is_refused())
    arguments(shared_con, tables)  # makes the tables
    policy = tmp_path_factory.mktemp("policy") / "policy.toml"
    policy.write_text(f"{policy_text(tables)}[method]\nsuppression_limit = {tolerated}\n")
    columns = [f"{name}.{column}" for name, each in tables.tables.items() for column in each.qi]
    values = {
        f"{name}.{column}": {row[column] for row in each.rows}
        for name, each in tables.tables.items() for column in each.qi
    }  # fmt: skip
    people = sum(map(len, tables.classes()))
    losses = []
    for node in product((0, 1), repeat=len(columns)):
        chosen = {column for column, level in zip(columns, node, strict=True) if level}
        classes = recoded(tables, chosen.__contains__).classes()
        if sum(len(each) for each in classes if len(each) < 2) <= int(people * tolerated):
            losses.append(sum(len(values[column]) > 1 for column in chosen) / len(columns))
    with contextlib.suppress(sqlanon.RefusedError):
        release = sqlanon.anonymize_tables(shared_con, policy, {name: name for name in tables.tables})
        assert release.suppressed <= people * tolerated
        check_random(shared_con, tables, release, people, losses)
        return
    assert not losses or tolerated


def check_random(
    shared_con: duckdb.DuckDBPyConnection, tables: oracle.Tables, release: TablesRelease, people: int,
    losses: list[float],
) -> None:  # fmt: skip
    """A release of random tables, of which other levels that hold lose so much."""
    assert release.loss == pytest.approx(min(losses))
    found = oracle.Tables(
        {
            name: oracle.Table(
                read(shared_con, release, name), each.own, each.parent, each.key, each.qi, each.dates
            )
            for name, each in tables.tables.items()
        }
    )
    assert not found.is_refused()
    assert min(map(len, found.classes())) >= 2
    assert sum(map(len, found.classes())) == people - release.suppressed


@examples(200)
@given(
    heights=st.lists(st.integers(1, 4), min_size=1, max_size=4),
    minimal=st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=1, max_size=3),
    steps=st.lists(st.integers(0, 5), min_size=16, max_size=16),
)
def test_the_search_finds_what_loses_least(
    heights: list[int], minimal: list[list[int]], steps: list[int]
) -> None:
    losses = []
    for i, height in enumerate(heights):
        each = [0.0]
        for step in steps[4 * i : 4 * i + height - 1]:
            each.append(each[-1] + step)
        losses.append(each)

    def holds(node: Node) -> bool:
        return any(all(a >= b for a, b in zip(node, least, strict=False)) for least in minimal)

    search = Search(losses, holds, looks=10_000)
    every = product(*map(range, heights))
    passing = [search.loss(node) for node in every if holds(node)]
    assert (search.best is None) == (not passing)
    if search.best is not None:
        assert holds(search.best)
        assert search.loss(search.best) == min(passing)
        assert search.is_best
    few = Search(losses, holds, looks=2)
    assert few.looked <= 2
    assert (few.best is None) == (not passing)


@pytest.mark.slow("3 s")
def test_a_table_without_rows_suits_any_levels(hospital: Path) -> None:
    drugs = hospital.parent / "drug.csv"
    drugs.write_text(drugs.read_text().splitlines()[0] + "\n")
    change(hospital, "k = 2", 'k = 2\n[method]\nmin_levels = {"drug.drug" = 1}')
    done = run("anonymize", "--policy", hospital, "--output", hospital.parent / "release")
    assert done.exit_code == 0, done.output


@pytest.mark.slow("4 s")
def test_a_table_in_parquet_leaves_in_parquet(hospital: Path) -> None:
    """And a colleague joins it with those in CSV."""
    folder = hospital.parent
    with duckdb.connect() as con:
        con.execute(f"copy (from '{folder}/drug.csv') to '{folder}/drug.parquet'")
    change(hospital, '"drug.csv"', '"drug.parquet"')
    done = run("anonymize", "--policy", hospital, "--output", folder / "release")
    assert done.exit_code == 0, done.output
    names = sorted(file.name for file in (folder / "release").iterdir())
    assert names == ["drug.parquet", "person.csv", "stay.csv"]
    with duckdb.connect() as con:
        joined = con.execute(
            f"select count(*) from '{folder}/release/drug.parquet' as drug "
            f"join read_csv('{folder}/release/stay.csv', all_varchar = true) as stay on stay.id = drug.stay"
        ).fetchall()
    assert joined == [(4,)]
    assert run("check", folder / "release", "--policy", hospital).exit_code == 0
