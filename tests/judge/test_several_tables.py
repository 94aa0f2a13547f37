"""Policies about several tables of the same people, and what is judged by them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import assume, given

import sqlanon
from sqlanon.core.errors import UseError
from sqlanon.policies.people import read_people
from tests.budget import examples
from tests.oracles import people as oracle
from tests.oracles import units
from tests.people.hospitals import FILES, POLICY, arguments, change, hospitals, policy_text, run


@pytest.fixture
def hospital(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / f"{name}.csv").write_text(text)
    (tmp_path / "hospital.toml").write_text(POLICY)
    return tmp_path / "hospital.toml"


@pytest.mark.both_lines
def test_each_table_alone_is_anonymous_and_together_they_are_not(hospital: Path) -> None:
    done = run("check", "--policy", hospital, "--format", "csv")
    assert done.exit_code == 1, done.output
    assert (
        "Each table alone is 2-anonymous (person: 2, stay: 4, drug: 3). Together 2 of 4 people are in "
        "classes of under 2: the smallest k is 1." in done.stderr
    )
    assert "together,k,k-anonymity,,2.0,1.0,2,fails" in done.stdout
    assert "together,alpha,largest share of a class with a value in any row,disease,,1.0,," in done.stdout


@pytest.mark.slow("2 s")
def test_what_holds_exits_with_0(hospital: Path) -> None:
    (hospital.parent / "drug.csv").write_text(FILES["drug"] + "30,aspirin\n")
    done = run("check", "--policy", hospital)
    assert done.exit_code == 0, done.output
    assert "Together all 4 people are in classes of at least 2: the smallest k is 2." in done.stderr
    assert run("check", "--policy", hospital, "--k", "3").exit_code == 1


@pytest.mark.slow("1 s")
def test_diversity_counts_each_person_once(hospital: Path) -> None:
    (hospital.parent / "drug.csv").write_text(FILES["drug"] + "30,aspirin\n")
    done = run("check", "--policy", change(hospital, "k = 2", "k = 2\nl = 2"), "--format", "csv")
    assert done.exit_code == 1
    assert "together,l,distinct l-diversity,disease,2.0,1.0,2,fails" in done.stdout


@pytest.mark.slow("4 s")
def test_the_folder_of_a_release_has_only_what_is_released(hospital: Path) -> None:
    (hospital.parent / "drug.csv").write_text(FILES["drug"] + "30,aspirin\n")
    done = run("check", hospital.parent, "--policy", hospital)
    assert done.exit_code == 1
    assert "person: the policy does not release name" in done.stderr
    (hospital.parent / "person.csv").write_text("patient,age\n1,20\n2,30\n3,20\n4,30\n")
    assert run("check", hospital.parent, "--policy", hospital).exit_code == 0
    (hospital.parent / "names.csv").write_text("patient,name\n1,Ann\n")
    done = run("check", hospital.parent, "--policy", hospital)
    assert "is no table of the policy: take it out" in done.stderr


@pytest.mark.slow("1 s")
def test_rows_that_belong_to_nobody_are_refused_or_left_out(hospital: Path) -> None:
    (hospital.parent / "stay.csv").write_text(FILES["stay"] + "50,9,A,flu\n60,,A,flu\n")
    done = run("check", "--policy", hospital)
    assert done.exit_code == 3
    assert "rows of stay whose patient is no person.patient: 1" in done.stderr
    change(hospital, 'qi = ["ward"]', 'qi = ["ward"]\nleave_out_unmatched = true')
    done = run("check", "--policy", hospital)
    assert "stay: 2 of 6 rows belong to nobody: left out" in done.stderr


@pytest.mark.slow("5 s")
def test_a_kept_column_that_tells_people_apart_is_refused(hospital: Path) -> None:
    (hospital.parent / "drug.csv").write_text(FILES["drug"] + "30,aspirin\n")
    rows = FILES["stay"].splitlines()
    doctors = ["doctor_id", "d1", "d1", "d2", "d2"]
    stays = "".join(f"{row},{doctor}\n" for row, doctor in zip(rows, doctors, strict=True))
    (hospital.parent / "stay.csv").write_text(stays)
    change(hospital, 'qi = ["ward"]', 'qi = ["ward"]\nkeep = ["doctor_id"]')
    done = run("check", "--policy", hospital)
    assert done.exit_code == 1
    assert "stay.doctor_id looks like the key of what several people share" in done.stderr
    done = run("check", "--policy", hospital, "--k", "2")
    (hospital.parent / "stay.csv").write_text(stays.replace("d2\n", "d3\n", 1))
    assert "stay.doctor_id has 2 values that fewer than 2 people have (2 people)" in (
        run("check", "--policy", hospital).stderr
    )
    hospital.write_text(hospital.read_text() + '\n[direct]\n"stay.doctor_id" = "asked for by the ward"\n')
    assert run("check", "--policy", hospital).exit_code == 0


def test_dates_beside_shifted_ones_are_found_however_they_are_written() -> None:
    dates = [
        "05.01.2026", "20260105", "2026-W02", "Jan 5, 2026", "5. Januar 2026", "1767571200", "[2026-01-05]",
        "1/5/26",
    ]  # fmt: skip
    others = ["2026", "A10.1", "12.50", "1.204,50", "1.2.3", "10115"]
    with duckdb.connect() as con:
        sqlanon.register(con)
        query = "select value from unnest(?) as r(value) where sqlanon._has_a_date(value)"
        told = con.execute(query, [dates + others])
        assert [value for (value,) in told.fetchall()] == dates


@pytest.mark.slow("3 s")
def test_a_sensitive_column_that_names_people_is_refused(hospital: Path) -> None:
    change(hospital, 'identifier = ["name"]', 'sensitive = ["name"]')
    people = [f"{i},20,Name {i}\n" for i in range(1, 31)]
    (hospital.parent / "person.csv").write_text("patient,age,name\n" + "".join(people))
    (hospital.parent / "stay.csv").write_text(FILES["stay"].splitlines()[0] + "\n")
    (hospital.parent / "drug.csv").write_text("stay,drug\n")
    done = run("check", "--policy", hospital)
    assert done.exit_code == 1
    assert "person.name leaves unchanged: 30 of 30 rows have a value that no other row has" in done.stderr
    hospital.write_text(hospital.read_text() + '\n[direct]\n"person.name" = "they want to be named"\n')
    assert run("check", "--policy", hospital).exit_code == 0


@pytest.mark.slow("2 s")
def test_intervals_that_are_left_out_are_not_known(hospital: Path) -> None:
    (hospital.parent / "drug.csv").write_text(FILES["drug"] + "30,aspirin\n")
    stays = (FILES["stay"] + "11,1,A,flu\n31,3,A,flu\n").splitlines()
    days = ["day", *(f"2026-01-0{day}" for day in (5, 5, 5, 5, 7, 8))]
    rows = "".join(f"{row},{day}\n" for row, day in zip(stays, days, strict=True))
    (hospital.parent / "stay.csv").write_text(rows)
    change(hospital, 'qi = ["ward"]', 'qi = ["ward"]\ndates = ["day"]')
    done = run("check", "--policy", hospital)
    assert done.exit_code == 1
    assert "Together 2 of 4 people are in classes of under 2" in done.stderr
    hospital.write_text(hospital.read_text() + "\n[dates]\nin_key = false\n")
    done = run("check", "--policy", hospital, "--format", "csv")
    assert done.exit_code == 1
    assert "together,intervals,intervals between dates,,,,2,not known" in done.stdout
    assert "tells 2 of 4 people from all others" in done.stderr


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("identifier", "identifiers", "tables.person.identifiers is not known; did you mean tables.person"),
        ("unit = ", "unti = ", "tables.person.unti is not known; did you mean tables.person.unit?"),
        ('unit = "patient"', "", "one table must have unit, the column that identifies a person; none"),
        ("belongs_to = { stay = \"stay.id\" }", "unit = \"stay\"", "person and drug have it"),
        ('"person.patient"', '"persons.patient"', "there is no table persons; did you mean person?"),
        ('"person.patient"', '"person"', "belongs_to must name table.column, not \"person\""),
        ('"person.patient"', '"drug.stay"', "goes in a circle, which never comes to person"),
        ("belongs_to = { stay = \"stay.id\" }", "", "tables.drug does not say whose its rows are"),
        ('{ stay = "stay.id" }', '{ stay = "stay.id", x = "stay.y" }', "must have one column"),
        ('qi = ["drug"]', 'qi = ["stay"]', "tables.drug.qi: column stay is in belongs_to already"),
        ('qi = ["ward"]', 'qi = ["disease"]', "sensitive: column disease is in qi already"),
        ('qi = ["ward"]', 'qi = "ward"', "tables.stay.qi must be a list of texts"),
        ('qi = ["ward"]', "max_rows = 0", "tables.stay.max_rows must be at least 1"),
        ("k = 2", "k = 0", "requirements.k must be at least 1"),
        ("k = 2", "l = 2", "requirements needs k, such as k = 5"),
        ("k = 2", "k = 2\nk_map = 2", "k_map"),
        ("k = 2", "k = 2\naverage_risk = 0.1", "is not for several tables"),
        ("[requirements]", "[tolerated]\n[requirements]", "tolerated bounds attacks on one table"),
        ("[requirements]", "[requierments]", "[tables]; did you mean requirements?"),
        ("k = 2", 'k = 2\n[hierarchies]\n"stay.wart" = {builder = "mask"}', "did you mean stay.ward?"),
        ("k = 2", 'k = 2\n[method]\nname = "mondrian"', "method.name must be optimal"),
        ("k = 2", "k = 2\n[dates]\nin_kye = true", "dates.in_kye is not known; did you mean dates.in_key?"),
        ('sensitive = ["disease"]', "input = {mising = ['?']}", "did you mean tables.stay.input.missi"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_policy_is_told(hospital: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(UseError) as told:
        read_people(change(hospital, old, new))
    assert message in str(told.value)


def test_a_column_that_is_not_there(hospital: Path) -> None:
    done = run("check", "--policy", change(hospital, '["ward"]', '["wart"]'))
    assert done.exit_code == 3
    assert "tables.stay: there is no column wart in stay; did you mean ward?" in done.stderr


def test_other_commands_name_those_that_read_it(hospital: Path) -> None:
    done = run(
        "report", hospital.parent / "stay.csv", "--policy", hospital, "--targets", "x.csv", "-o", "x.html"
    )
    assert done.exit_code == 2
    assert "tables is about several tables" in done.stderr


@pytest.mark.slow("3 s")
@examples(20, quick=3)
@given(tables=hospitals())
def test_random_tables_are_judged_as_by_brute_force(
    shared_con: duckdb.DuckDBPyConnection, tables: oracle.Tables, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assume(not tables.is_refused())
    arguments(shared_con, tables)  # makes the tables
    policy = tmp_path_factory.mktemp("policy") / "policy.toml"
    policy.write_text(policy_text(tables, "qi", "dates", "sensitive") + "l = 2\n")
    told = sqlanon.check_tables(shared_con, policy, {name: name for name in tables.tables})
    rows: dict[Any, Any] = {row[1]: row for row in told.relation().fetchall() if row[0] == "together"}
    classes, values = tables.classes(), tables.values()
    assert rows["k"][5] == min(map(len, classes))
    assert rows["k"][6] == sum(len(people) for people in classes if len(people) < 2)
    reached = [
        units.reached({(0,): {(person, value) for person in people for value in values[person]}},
                      ["distinct l-diversity"])["distinct l-diversity"]
        for people in classes
    ]  # fmt: skip
    assert rows["l"][5] == min(reached)
    failing = sum(len(people) for people, l in zip(classes, reached, strict=True) if l < 2)
    assert rows["l"][6] == failing
    assert told.holds is not (any(len(people) < 2 for people in classes) or min(reached) < 2)
