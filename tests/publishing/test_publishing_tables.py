"""Several tables about the same people that go out, one release after the other."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter, defaultdict
from itertools import product
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import sqlanon
from sqlanon.core.outputs import PENDING
from sqlanon.publishing import gate
from tests.budget import examples
from tests.oracles import people as oracle
from tests.people.hospitals import arguments, change, hospitals, policy_text, recoded, run

POLICY = """
[tables.person]
file = "person.csv"
unit = "patient"
qi = ["age", "sex"]
identifier = ["name"]

[tables.stay]
file = "stay.csv"
belongs_to = { patient = "person.patient" }
qi = ["ward"]
sensitive = ["disease"]

[requirements]
k = 2
"""
WAYS = re.compile(
    r"--accept evidence\.\w+='why'|suppression_limit = [\d.]+ leaves these out|no suppression_limit helps|"
    r"put it into qi, drop it|Put it into dates, drop it|Leave it out, "
)
PEOPLE = [
    (1, 20, "f", "A", "flu"), (2, 20, "f", "A", "gout"), (3, 20, "m", "A", "flu"), (4, 20, "m", "A", "gout"),
    (5, 30, "f", "A", "flu"), (6, 30, "f", "A", "cold"), (7, 30, "m", "A", "flu"), (8, 30, "m", "A", "gout"),
]  # fmt: skip


def write(folder: Path, people: list[tuple[Any, ...]] = PEOPLE) -> None:
    persons = [f"{key},{age},{sex},N{key}\n" for key, age, sex, *_ in people]
    (folder / "person.csv").write_text("patient,age,sex,name\n" + "".join(persons))
    stays = [f"{key}0,{key},{ward},{disease}\n" for key, _, _, ward, disease in people]
    (folder / "stay.csv").write_text("id,patient,ward,disease\n" + "".join(stays))


@pytest.fixture
def hospital(tmp_path: Path) -> Path:
    write(tmp_path)
    (tmp_path / "hospital.toml").write_text(POLICY)
    return tmp_path / "hospital.toml"


def publish(policy: Path, name: str, *options: object) -> Any:
    """A folder that is refused is so with what would help: what is not known can be accepted by its name."""
    folder = policy.parent
    done = run("publish", "--policy", policy, "--register", folder / "reg.duckdb", "-o", folder / name,
               "--format", "csv", *options)  # fmt: skip
    if done.exit_code == 1:
        ways = WAYS.findall(done.stderr)
        rows = [*csv.DictReader(io.StringIO(done.stdout))]
        assert ways or (not any(row["verdict"] == "fails" for row in rows) and rows), done.output
        for row in rows:
            if row["verdict"] == "not known":
                assert f"--accept evidence.{row['id']}='why'" in ways, done.output
    return done


def register(policy: Path, query: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(str(policy.parent / "reg.duckdb"), read_only=True) as con:
        return con.execute(query).fetchall()


@pytest.mark.slow("4 s")
@pytest.mark.both_lines
def test_what_holds_with_what_is_out_goes_out(hospital: Path) -> None:
    done = publish(hospital, "spring")
    assert done.exit_code == 0, done.output
    assert "spring is out: release 1, spring" in done.stderr
    assert sorted(file.name for file in (hospital.parent / "spring").iterdir()) == ["person.csv", "stay.csv"]
    done = publish(hospital, "autumn")
    assert done.exit_code == 0, done.output
    assert "with spring,k,k-anonymity,,2.0,2.0,0,holds" in done.stdout
    assert "evidence,leavers,people who have left,,,,0,holds" in done.stdout
    assert "judged together with 1: spring" in done.stderr
    one, other = (
        (hospital.parent / name / "person.csv").read_text().split() for name in ("spring", "autumn")
    )
    assert {line.split(",")[0] for line in one[1:]}.isdisjoint(line.split(",")[0] for line in other[1:])
    assert register(hospital, "select name, status, method, row_count from releases order by id") == [
        ("spring", "out", "several_tables", 8), ("autumn", "out", "several_tables", 8)
    ]  # fmt: skip
    assert register(hospital, "select count(*) from people_of_tables where length(who) = 32") == [(16,)]
    [(raw,)] = register(hospital, "select count(*) from values_of_tables where value in ('flu', 'gout')")
    assert raw == 0
    assert register(hospital, "select distinct verdict from verdicts where id = 'k'") == [("holds",)]


@pytest.mark.slow("2 s")
def test_the_limit_that_a_refusal_names_is_enough(hospital: Path) -> None:
    with (hospital.parent / "stay.csv").open("a") as stays:
        stays.write("99,1,A,flu\n")  # of all people, only one has two stays
    refused = publish(hospital, "spring")
    assert "at the highest ones 1 of 8 people are in classes that fail, and 0 may be left" in refused.stderr
    [limit] = re.findall(r"suppression_limit = (\S+) leaves these out", refused.stderr)
    change(hospital, "k = 2", f"k = 2\n[method]\nsuppression_limit = {limit}")
    assert publish(hospital, "spring").exit_code == 0


@pytest.mark.slow("5 s")
def test_each_release_alone_is_anonymous_and_both_are_not(hospital: Path) -> None:
    """The first one tells age, and the second one sex."""
    change(hospital, "k = 2", 'k = 3\n[method]\nmin_levels = {"person.sex" = 1}')
    assert publish(hospital, "spring").exit_code == 0
    change(hospital, '"person.sex" = 1}', '"person.age" = 1}\nmax_levels = {"person.sex" = 0}')
    before = sorted(hospital.parent.iterdir())
    done = publish(hospital, "autumn")
    assert done.exit_code == 1
    assert "and who was alike in the releases that are out" in done.stderr
    assert "fails: " in done.stderr
    assert sorted(hospital.parent.iterdir()) == before
    assert register(hospital, "select count(*) from releases") == [(1,)]
    assert run("anonymize", "--policy", hospital, "-o", hospital.parent / "alone").exit_code == 0
    change(hospital, '\nmax_levels = {"person.sex" = 0}', "")
    done = publish(hospital, "autumn")  # both columns leave as *
    assert done.exit_code == 0, done.output


@pytest.mark.slow("20 s")
def test_values_of_before_must_be_diverse_among_those_who_are_alike_now(hospital: Path) -> None:
    change(hospital, "k = 2", 'k = 2\nl = 2\n[method]\nmin_levels = {"person.age" = 1, "person.sex" = 1}')
    assert publish(hospital, "spring").exit_code == 0
    # who had the flu has moved to ward B, and has something else now
    write(hospital.parent, [
        (*each[:3], "B" if each[4] == "flu" else "A", "asthma" if nth % 3 else "gout")
        for nth, each in enumerate(PEOPLE)
    ])  # fmt: skip
    change(hospital, "[method]\n", '[method]\nmax_levels = {"stay.ward" = 0}\n')
    alone = run("anonymize", "--policy", hospital, "-o", hospital.parent / "alone")
    assert alone.exit_code == 0, alone.output
    assert publish(hospital, "autumn").exit_code == 1
    change(hospital, '"stay.ward" = 0', '"stay.ward" = 1')
    done = publish(hospital, "autumn")
    assert done.exit_code == 0, done.output
    assert "with spring,l,distinct l-diversity,disease of spring,2.0,3.0,0,holds" in done.stdout


def test_people_who_have_left_are_not_known(hospital: Path) -> None:
    change(hospital, "k = 2", 'k = 2\n[method]\nmin_levels = {"person.age" = 1}')
    assert publish(hospital, "spring").exit_code == 0
    write(hospital.parent, PEOPLE[1:])
    done = publish(hospital, "autumn")
    assert done.exit_code == 1
    assert "evidence,leavers,people who have left,,,,1,not known" in done.stdout
    assert (
        "1 people of spring are not in this release. 1 of them are fewer than 2 who were alike" in done.stderr
    )
    assert "--accept evidence.leavers='why'" in done.stderr
    assert "not known: " in done.stderr
    assert not (hospital.parent / "autumn").exists()
    done = publish(hospital, "autumn", "--accept", "evidence.leavers=she knows", "--accepted-by", "DPO")
    assert done.exit_code == 0, done.output
    assert "evidence.leavers is accepted: she knows" in done.stderr
    assert register(hospital, "select id, reason, accepted_by from acceptances") == [
        ("leavers", "she knows", "DPO")
    ]
    done = publish(hospital, "winter", "--accept", "leavers=so")
    assert (done.exit_code, "nothing that can be accepted of tables" in done.stderr) == (2, True)


@pytest.mark.slow("10 s")
def test_somebody_is_left_out_with_others_of_their_class(hospital: Path) -> None:
    """Patient 4 is alone by now, and would be missing among four who were alike."""
    change(hospital, "k = 2", 'k = 2\n[method]\nsuppression_limit = 0.5\nmin_levels = {"person.age" = 1}')
    assert publish(hospital, "spring").exit_code == 0
    change(hospital, 'min_levels = {"person.age" = 1}', 'max_levels = {"stay.ward" = 0, "person.sex" = 0}')
    write(hospital.parent, [(*each[:3], "B" if each[0] == 4 else "A", each[4]) for each in PEOPLE])
    done = publish(hospital, "autumn")
    assert done.exit_code == 0, done.output
    assert "of 8 people are left out, with all their rows" in done.stderr
    assert "1 of 8 people are left out" not in done.stderr


@pytest.mark.slow("15 s")
def test_other_people_and_releases_of_one_table_are_not_known(hospital: Path) -> None:
    one = hospital.parent / "one.toml"
    assert publish(hospital, "spring").exit_code == 0
    folder = hospital.parent
    one.write_text('[roles]\nqi = ["age", "sex"]\n[requirements]\nk = 2\n[tolerated]\nlinking.certain = 0\n')
    done = run("publish", folder / "person.csv", "--policy", one, "--register", folder / "reg.duckdb", "-o",
               folder / "one.csv", "--format", "csv")  # fmt: skip
    assert done.exit_code == 1, done.output
    assert "several_tables" in done.stdout
    people = [(each[0] + 100, *each[1:]) for each in PEOPLE]
    write(folder, people)
    done = publish(hospital, "others")
    assert done.exit_code == 1
    assert "evidence,strangers,people who are in both,,,,,not known" in done.stdout


@pytest.mark.slow("1 s")
def test_a_dry_run_writes_nothing(hospital: Path) -> None:
    before = sorted(hospital.parent.iterdir())
    done = publish(hospital, "spring", "--dry-run")
    assert (done.exit_code, "a dry run: it would go out" in done.stderr) == (0, True), done.output
    assert sorted(hospital.parent.iterdir()) == before


@pytest.mark.slow("1 s a case", but=(0, 1))
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--max-targets", "5"], "--max-targets does not go with [tables]"),
        (["--page", "x.html"], "--page does not go with [tables]"),
        (["-o", "."], "exists: name a new folder"),
    ],
)
def test_what_does_not_go(hospital: Path, options: list[str], message: str) -> None:
    done = publish(hospital, "spring", *options)
    assert (done.exit_code, message in done.stderr) == (2, True), done.output


def test_after_a_crash_nothing_is_out(hospital: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between entry and name: the next run clears up."""

    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(gate, "give_name", crash)
        patched.setattr(gate, "cleanly", lambda *_: None)
        with pytest.raises(KeyboardInterrupt), duckdb.connect() as con:
            sqlanon.publish_tables(
                con, hospital, register=hospital.parent / "reg.duckdb", output=hospital.parent / "spring"
            )
    pending = hospital.parent / PENDING.format("spring")
    assert pending.is_dir()
    done = publish(hospital, "spring")
    assert done.exit_code == 0, done.output
    assert "release 1, spring never went out" in done.stderr
    assert not pending.exists()
    assert register(hospital, "select status from releases order by id") == [("abandoned",), ("out",)]
    assert register(hospital, "select distinct release_id from people_of_tables") == [(2,)]


@pytest.mark.slow("5 s")
def test_a_folder_that_has_changed_is_told(hospital: Path) -> None:
    assert publish(hospital, "spring").exit_code == 0
    (hospital.parent / "spring" / "person.csv").write_text("patient\n")
    done = publish(hospital, "autumn")
    assert (done.exit_code, "spring has changed since it was entered" in done.stderr) == (3, True)


@pytest.mark.slow("12 s")
def test_rows_that_are_drawn_stay_the_same(hospital: Path) -> None:
    stays = "".join(f"{i},{1 + i % 8},{'AB'[i % 3 % 2]},d{i}\n" for i in range(80))
    (hospital.parent / "stay.csv").write_text(f"id,patient,ward,disease\n{stays}")
    change(hospital, 'qi = ["ward"]', "max_rows = 2")
    change(hospital, "k = 2", 'k = 2\n[direct]\n"stay.disease" = "made up"')
    drawn = []
    for name in ("spring", "autumn"):
        done = publish(hospital, name)
        assert done.exit_code == 0, done.output
        lines = (hospital.parent / name / "stay.csv").read_text().split()[1:]
        drawn.append(sorted(line.rpartition(",")[2] for line in lines))
    assert len(drawn[0]) == 16
    assert drawn[0] == drawn[1]


# Random ones


@examples(12, quick=1)
@given(tables=hospitals(), starred=st.integers(0, 7), changed=st.booleans())
def test_random_releases_are_refused_if_no_levels_hold_with_the_first(
    shared_con: duckdb.DuckDBPyConnection, tables: oracle.Tables, starred: int, changed: bool,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:  # fmt: skip
    """The classes of two releases are the pairs of classes, by brute force over all levels of the second."""
    assume(not tables.is_refused())
    arguments(shared_con, tables)  # makes the tables
    folder = tmp_path_factory.mktemp("release")
    columns = [f"{name}.{column}" for name, each in tables.tables.items() for column in each.qi]
    given_tables = {name: name for name in tables.tables}
    register = folder / "reg.duckdb"

    def made(name: str, levels: str) -> sqlanon.TablesPublication | None:
        (folder / f"{name}.toml").write_text(f"{policy_text(tables)}[method]\n{levels}\n")
        try:
            return sqlanon.publish_tables(
                shared_con, folder / f"{name}.toml", given_tables, register=register, output=folder / name
            )
        except sqlanon.RefusedError:
            return None

    least = [column for nth, column in enumerate(columns) if starred >> nth & 1]
    first = made("first", "min_levels = {" + ", ".join(f'"{each}" = 1' for each in least) + "}")
    if first is None:
        return
    then = recoded(tables, lambda column: first.release.levels.get(column, (0, 0))[0] > 0)
    of_first = {person: nth for nth, people in enumerate(then.classes()) for person in people}
    if changed:  # everybody is a
        shared_con.execute("update person set age = 'a'")
        person = tables.tables["person"]
        tables = oracle.Tables({
            **tables.tables,
            "person": oracle.Table([{**row, "age": "a"} for row in person.rows], person.own, qi=person.qi),
        })  # fmt: skip
    holding = []
    for node in product((0, 1), repeat=len(columns)):
        chosen = {column for column, level in zip(columns, node, strict=True) if level}
        pairs: Counter[tuple[int, int]] = Counter()
        for nth, people in enumerate(recoded(tables, chosen.__contains__).classes()):
            pairs.update((nth, of_first[person]) for person in people)
        if min(pairs.values()) >= 2:
            holding.append(chosen)
    second = made("second", "")
    assert (second is not None) == bool(holding)
    if second is not None:
        assert {column for column, (level, _) in second.release.levels.items() if level} in holding
        assert second.together == ["first"]


@examples(100, quick=6)
@given(
    people=st.lists(
        st.tuples(st.integers(1, 3), st.sampled_from([None, 1, 2]), st.booleans()), min_size=1, max_size=12
    ),
    k=st.integers(1, 4),
)
def test_random_people_are_left_out_in_company(
    shared_con: duckdb.DuckDBPyConnection, people: list[tuple[int, int | None, bool]], k: int
) -> None:
    """Whole classes fail; of each class of before nobody is missing, k people are, or all."""
    failing = {each[:2] for each in people if each[2]}
    numbers = {pair: nth for nth, pair in enumerate(dict.fromkeys(each[:2] for each in people))}
    shared_con.execute("create or replace temp table own_classes (person int, class_id int)")
    shared_con.execute("create or replace temp table failing_people (person int)")
    shared_con.execute("create or replace temp table roots (patient int, was int)")
    for person, (own, before, _) in enumerate(people):
        shared_con.execute("insert into own_classes values (?, ?)", [person, numbers[own, before]])
        shared_con.execute("insert into roots values (?, ?)", [person, before])
        if (own, before) in failing:
            shared_con.execute("insert into failing_people values (?)", [person])
    out = {
        person for (person,) in shared_con.execute(
            "from sqlanon._failing_with_company("
            "'own_classes', 'failing_people', 'roots', 'patient', ['was'], ?)", [k],
        ).fetchall()
    }  # fmt: skip
    assert {person for person, each in enumerate(people) if each[:2] in failing} <= out
    sizes = Counter(each[:2] for each in people)
    of_before = defaultdict(set)
    for person, (_, before, _) in enumerate(people):
        of_before[before].add(person)
    for before, those in of_before.items():
        missing = those & out
        if before is None:
            assert missing == {p for p in those if people[p][:2] in failing}
        elif all(n >= k for pair, n in sizes.items() if pair not in failing):
            assert not missing or len(missing) >= k or missing == those


@examples(60, quick=4)
@given(
    kept=st.lists(st.tuples(st.sampled_from("abcdefg"), st.integers(1, 2), st.integers(1, 2)), max_size=12),
    present=st.sets(st.sampled_from("abcdefgh")),
    k=st.integers(1, 3),
)
def test_random_people_who_left(
    shared_con: duckdb.DuckDBPyConnection, kept: list[tuple[str, int, int]], present: set[str], k: int
) -> None:
    of = {(who, release): number for who, release, number in kept}
    shared_con.execute("create or replace temp table kept_people (who text, release_id int, class_id int)")
    shared_con.execute("create or replace temp table present_people (who text)")
    for (who, release), number in of.items():
        shared_con.execute("insert into kept_people values (?, ?, ?)", [who, release, number])
    for who in present:
        shared_con.execute("insert into present_people values (?)", [who])
    groups = defaultdict(set)
    for who in {who for who, _ in of}:
        groups[of.get((who, 1)), of.get((who, 2))].add(who)
    gone = [(len(those - present), len(those)) for those in groups.values()]
    found = shared_con.execute(
        "from sqlanon._people_who_left('kept_people', 'present_people', [1, 2], ?)", [k]
    ).fetchall()
    assert found == [(sum(n for n, _ in gone), sum(n for n, all_ in gone if n < k and n < all_))]


# Series

NIGHTS = """
[series]
name = "nights"
key_file = "key.txt"
"""


@pytest.fixture
def nights(hospital: Path) -> Path:
    (hospital.parent / "key.txt").write_text("correct horse battery staple")
    hospital.write_text(hospital.read_text() + NIGHTS)
    return hospital


def add(policy: Path, *rows: str) -> None:
    with (policy.parent / "stay.csv").open("a") as file:
        file.writelines(f"{row}\n" for row in rows)


def keys_of(policy: Path, night: str) -> set[str]:
    lines = (policy.parent / night / "person.csv").read_text().split()[1:]
    return {line.split(",")[0] for line in lines}


@pytest.mark.both_lines
@pytest.mark.slow("25 s")
def test_nights_of_a_series_have_one_key(nights: Path) -> None:
    assert publish(nights, "one").exit_code == 0
    add(nights, *(f"{key}1,{key},A,flu" for key in range(1, 9)))
    done = publish(nights, "two")
    assert done.exit_code == 0, done.output
    assert keys_of(nights, "one") == keys_of(nights, "two")
    change(nights, 'name = "nights"', 'name = "others"')
    done = publish(nights, "three")
    assert done.exit_code == 0, done.output
    assert not keys_of(nights, "one") & keys_of(nights, "three")
    nights.write_text(nights.read_text().replace(NIGHTS.replace("nights", "others"), ""))
    assert publish(nights, "four").exit_code == 0
    assert not keys_of(nights, "four") & (keys_of(nights, "one") | keys_of(nights, "three"))


@pytest.mark.slow("20 s")
def test_since_when_a_row_is_there_tells_people_apart(nights: Path) -> None:
    """By the second night all have two stays in A. One of them has had both from the beginning."""
    add(nights, "11,1,A,flu")
    change(nights, "k = 2", "k = 2\n[method]\nsuppression_limit = 0.2")
    assert publish(nights, "one").exit_code == 0  # without person 1, or somebody more
    (nights.parent / "stay.csv").write_text("id,patient,ward,disease\n")
    add(nights, *(f"{key}{nth},{key},A,{'flu' if nth else PEOPLE[key - 1][4]}"
                  for key in range(1, 9) for nth in (0, 1)))  # fmt: skip
    done = publish(nights, "two")
    assert done.exit_code == 0, done.output
    add(nights, "12,1,A,flu")
    done = publish(nights, "three")
    assert done.exit_code == 0, done.output
    assert "people are left out" in done.stderr


def test_rows_that_are_gone_are_not_known(nights: Path) -> None:
    assert publish(nights, "one").exit_code == 0
    write(nights.parent, [(*each[:4], "asthma" if each[0] < 3 else each[4]) for each in PEOPLE])
    done = publish(nights, "two")
    assert done.exit_code == 1
    assert "evidence,gone_rows,earlier rows of the series,,,,2,not known" in done.stdout
    assert "begin a series of another name" in done.stderr
    assert not (nights.parent / "two").exists()


def test_new_dates_of_a_night_are_not_known(nights: Path) -> None:
    days = [f"{key}0,{key},A,2026-01-05,flu" for key in range(1, 9)]
    (nights.parent / "stay.csv").write_text("id,patient,ward,day,disease\n" + "\n".join(days) + "\n")
    change(nights, 'qi = ["ward"]', 'qi = ["ward"]\ndates = ["day"]')
    done = publish(nights, "one")
    assert done.exit_code == 0, done.output
    add(nights, *(f"{key}1,{key},A,2026-01-12,flu" for key in range(1, 9)))
    done = publish(nights, "two")
    assert done.exit_code == 1
    assert "evidence,arrivals,offsets of new rows,,,,8,not known" in done.stdout
    done = publish(nights, "two", "--accept", "evidence.arrivals=rows come months later")
    assert done.exit_code == 0, done.output
    with duckdb.connect() as con:
        moved = con.execute(
            f"select count(*), bool_and(one.day = two.day) from '{nights.parent}/one/stay.csv' as one join "
            f"(select patient, min(day) as day from '{nights.parent}/two/stay.csv' group by all) as two "
            "using (patient)"
        ).fetchall()
    assert moved == [(8, True)]


@pytest.mark.slow("5 s a case", but=(3,))
@pytest.mark.parametrize(
    ("old", "new", "code", "message"),
    [
        ('name = "nights"', 'title = "x"', 2, "series.title is not known"),
        ('name = "nights"', "", 2, "series.name is missing"),
        ('qi = ["ward"]', 'qi = ["ward"]\nmax_rows = 1', 2, "max_rows does not go with [series]"),
        ('qi = ["ward"]', "keep = []", 3, "series nights was begun with other tables, roles"),
        ('"key.txt"', '"other.txt"', 3, "series nights was begun with another key"),
        ('"key.txt"', '"none.txt"', 2, "there is no key file"),
    ],
)
def test_a_series_is_one(nights: Path, old: str, new: str, code: int, message: str) -> None:
    assert publish(nights, "one").exit_code == 0
    (nights.parent / "other.txt").write_text("incorrect horse battery staple")
    change(nights, old, new)
    done = publish(nights, "two")
    assert (done.exit_code, message in done.stderr) == (code, True), done.output
    assert not (nights.parent / "two").exists()


def test_nights_are_not_for_anonymize(nights: Path) -> None:
    done = run("anonymize", "--policy", nights, "-o", nights.parent / "one")
    assert (done.exit_code, "series is for publish" in done.stderr) == (2, True), done.output


@pytest.mark.slow("8 s")
def test_a_date_that_is_kept_undoes_the_shift(hospital: Path) -> None:
    days = [f"{key}0,{key},2026-01-05,2026-01-0{1 + key % 2},flu" for key in range(1, 9)]
    (hospital.parent / "stay.csv").write_text("id,patient,day,bill,disease\n" + "\n".join(days) + "\n")
    change(hospital, 'qi = ["ward"]', 'dates = ["day"]\nkeep = ["bill"]')
    done = run("anonymize", "--policy", hospital, "-o", hospital.parent / "one")
    assert (done.exit_code, "stay.bill has dates and leaves unchanged" in done.stderr) == (3, True)
    assert publish(hospital, "one").exit_code == 1


@pytest.mark.slow("2 s")
def test_intervals_that_are_left_out_are_no_all_clear(hospital: Path) -> None:
    days = [f"{key}{i},{key},2026-0{i}-05,flu" for key in range(1, 9) for i in range(1, 3)]
    (hospital.parent / "stay.csv").write_text("id,patient,day,disease\n" + "\n".join(days) + "\n")
    change(hospital, 'qi = ["ward"]', 'dates = ["day"]')
    hospital.write_text(hospital.read_text() + "[dates]\nin_key = false\n")
    done = run("anonymize", "--policy", hospital, "-o", hospital.parent / "one")
    assert (done.exit_code, "it is not known whether" in done.stderr) == (1, True), done.output


@examples(12, quick=1)
@given(tables=hospitals(), split=st.integers(0, 127))
def test_random_nights_are_one_release_that_has_grown(
    shared_con: duckdb.DuckDBPyConnection, tables: oracle.Tables, split: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:  # fmt: skip
    """The second night is refused unless everybody has their like by all rows, with the night of each."""
    assume(not tables.is_refused())
    arguments(shared_con, tables)
    folder = tmp_path_factory.mktemp("night")
    (folder / "key.txt").write_text("correct horse battery staple")
    (folder / "nights.toml").write_text(policy_text(tables) + NIGHTS)
    drugs = tables.tables["drug"].rows
    late = {nth for nth in range(len(drugs)) if split >> nth & 1}
    given_tables = {name: name for name in tables.tables}
    shared_con.execute(
        "create or replace temp table all_drugs as select row_number() over () - 1 as nth, * from drug"
    )
    shared_con.execute(
        "create or replace temp table drug as select * exclude (nth) from all_drugs "
        "where not list_contains(?::bigint[], nth)", [sorted(late)],
    )  # fmt: skip

    def made(name: str) -> sqlanon.TablesPublication | None:
        try:
            return sqlanon.publish_tables(
                shared_con, folder / "nights.toml", given_tables, register=folder / "reg.duckdb",
                output=folder / name, accept={"evidence.arrivals": "tried"},
            )  # fmt: skip
        except sqlanon.RefusedError:
            return None

    first = made("first")
    if first is None:
        return
    shared_con.execute("create or replace temp table drug as select * exclude (nth) from all_drugs")
    drug = tables.tables["drug"]
    grown = oracle.Tables({
        **tables.tables,
        "drug": oracle.Table(
            [{**row, "night": nth in late} for nth, row in enumerate(drugs)], drug.own, drug.parent, drug.key,
            [*drug.qi, "night"], drug.dates, drug.sensitive,
        ),
    })  # fmt: skip
    levels = first.release.levels
    found = recoded(grown, lambda column: column in levels and levels[column][0] > 0).classes()
    assert (made("second") is not None) == (min(map(len, found)) >= 2)
