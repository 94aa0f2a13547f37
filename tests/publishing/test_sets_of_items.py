"""Releases of several tables with sets of items, against everybody whom some of these items tell."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from sqlanon.anonymize.k_m import cut_in_classes
from sqlanon.core.statements import call
from sqlanon.core.tables import WorkTables
from sqlanon.publishing.several_tables import TablesRelease
from tests.anonymize.test_k_m import TERROVITIS_1, TERROVITIS_2, trees
from tests.budget import examples
from tests.people.hospitals import POLICY as OF_TABLES
from tests.people.hospitals import change, run

POLICY = (
    OF_TABLES.replace('identifier = ["name"]\n', "")
    .replace('qi = ["drug"]', 'items = "code"')
    .replace("[requirements]", "[items]\nm = 2\n\n[requirements]")
    + """
[hierarchies]
"drug.code" = { values = { a1 = ["A", "*"], a2 = ["A", "*"], b1 = ["B", "*"], b2 = ["B", "*"] } }
"""
)
MORE = ("--accept", "evidence.more_items=nobody knows three drugs", "--accepted-by", "DPO")


def write(folder: Path, people: list[tuple[str, str, str]], policy: str = POLICY) -> Path:
    """A person per age, ward and items, with one stay."""
    persons = [f"{nth},{age}" for nth, (age, _, _) in enumerate(people)]
    stays = [f"{nth}0,{nth},{ward},d{nth}" for nth, (_, ward, _) in enumerate(people)]
    drugs = [f"{nth}0,{code}" for nth, (_, _, codes) in enumerate(people) for code in codes.split()]
    for name, header, rows in (
        ("person", "patient,age", persons), ("stay", "id,patient,ward,disease", stays),
        ("drug", "stay,code", drugs),
    ):  # fmt: skip
        (folder / f"{name}.csv").write_text("\n".join([header, *rows, ""]))
    (folder / "policy.toml").write_text(policy)
    return folder / "policy.toml"


def sets_in(folder: Path) -> Counter[str]:
    """The sets of labels that leave."""
    rows = [line.split(",") for line in (folder / "drug.csv").read_text().split()[1:]]
    held = defaultdict(set)
    for person, label in rows:
        held[person].add(label)
    return Counter(" ".join(sorted(each)) for each in held.values())


def known(people: dict[Any, tuple[Any, frozenset[str]]], m: int) -> dict[tuple[Any, Any], int]:
    """How many people there are of each class and set of up to m items that somebody of it has."""
    found = Counter[tuple[Any, Any]]()
    for of_class, items in people.values():
        for size in range(m + 1):
            for some in combinations(sorted(items), size):
                found[of_class, some] += 1
    return found


def people_of(con: duckdb.DuckDBPyConnection, tables: dict[str, str]) -> dict[Any, Any]:
    """People with all that tables tell of them, and their items."""
    items = defaultdict(set)
    for person, code in con.execute(f"select patient, code from {tables['drug']}").fetchall():
        items[person].add(code)
    wards = defaultdict(list)
    for person, ward in con.execute(f"select patient, ward from {tables['stay']}").fetchall():
        wards[person].append(ward)
    people = con.execute(f"select patient, age from {tables['person']}").fetchall()
    return {person: ((age, tuple(sorted(wards[person]))), frozenset(items[person])) for person, age in people}


@pytest.mark.parametrize(
    ("sets", "m", "wanted"),
    [
        (TERROVITIS_1, 2, ["A b1", "A b1 b2", "A b1 b2", "A b2"]),
        pytest.param(TERROVITIS_2, 2, ["a1", "a1 a2", "B", "B", "B a1 a2", "B a1 a2", "B a1 a2"],
            marks=pytest.mark.slow("3 s")),
        pytest.param(
            TERROVITIS_2, 4, ["a1", "a1 a2", "B", "B", "B a1 a2", "B a1 a2", "B a1 a2"],
            marks=pytest.mark.slow("3 s"),
        ),
    ],
)  # fmt: skip
def test_the_examples_of_terrovitis_in_one_class(
    tmp_path: Path, sets: list[str], m: int, wanted: list[str]
) -> None:
    policy = write(tmp_path, [("20", "A", items) for items in sets], POLICY.replace("m = 2", f"m = {m}"))
    done = run("anonymize", "--policy", policy, "-o", tmp_path / "out")
    assert done.exit_code in (0, 1), done.output
    assert sets_in(tmp_path / "out") == Counter(wanted)
    assert "0 do not leave" in done.stderr
    assert "information loss 15.2%" in done.stderr or sets is TERROVITIS_2


@pytest.mark.slow("6 s")
@pytest.mark.both_lines
def test_what_is_promised_is_of_who_knows_m_items(tmp_path: Path) -> None:
    """Three items of the first one tell them; any two do not."""
    sets = ["a1 a2 b1", "a1 a2", "a1 b1", "a2 b1"]
    policy = write(tmp_path, [("20", "A", items) for items in sets])
    done = run("anonymize", "--policy", policy, "-o", tmp_path / "out", "--k", 2)
    assert done.exit_code == 1, done.output
    assert "of 9 items of people 0 leave generalized, and 0 do not leave" in done.stderr
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == [
        "drug.csv",
        "person.csv",
        "stay.csv",
    ]
    header, *_ = (tmp_path / "out" / "stay.csv").read_text().split()
    assert header == "patient,ward,disease"  # no key joins items with a stay
    done = run("check", tmp_path / "out", "--policy", policy, "--format", "csv")
    assert done.exit_code == 1
    assert "together,k,k-anonymity of who knows up to 2 items,,2.0,2.0,0,holds" in done.stdout
    assert "evidence,more_items,who knows more than 2 items,,2.0,1.0,4,not known" in done.stdout
    assert "finds fewer than 2 people for 4 of 4: it is not known what holds of somebody" in done.stderr
    change(policy, "m = 2", "m = 3")
    done = run("check", tmp_path / "out", "--policy", policy, "--format", "csv")
    assert "together,k,k-anonymity of who knows up to 3 items,,2.0,1.0,1,fails" in done.stdout
    drugs = (tmp_path / "out" / "drug.csv").read_text()
    (tmp_path / "out" / "drug.csv").write_text(drugs + drugs.splitlines()[1] + "\n")
    done = run("check", tmp_path / "out", "--policy", policy)
    assert (
        "drug: 1 rows are there twice, or without an item: how many a person has must not leave"
        in done.stderr
    )


@pytest.mark.slow("2 s")
def test_nobody_who_is_alike_in_all_items_is_not_known(tmp_path: Path) -> None:
    policy = write(tmp_path, [("20", "A", items) for items in ("a1 b1", "a1 b1", "", "")])
    done = run("anonymize", "--policy", policy, "-o", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert "finds fewer than 2 people for 0 of 4" in done.stderr
    assert sets_in(tmp_path / "out") == Counter({"a1 b1": 2})


@pytest.mark.slow("3 s")
def test_what_few_people_of_a_class_have_does_not_leave(tmp_path: Path) -> None:
    """Of the 30s one has an item, whom any label would tell; a label for all of it would cost more."""
    people = [("20", "A", "a1 b1")] * 3 + [("30", "A", "a1"), ("30", "A", "")]
    policy = write(tmp_path, people)
    done = run("anonymize", "--policy", policy, "-o", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert "of 7 items of people 0 leave generalized, and 1 do not leave" in done.stderr
    assert sets_in(tmp_path / "out") == Counter({"a1 b1": 3})


@pytest.mark.slow("7 s")
def test_a_policy_says_why_more_items_need_not_be_known(tmp_path: Path) -> None:
    why = '[accepted]\nevidence.more_items = "nobody knows three drugs"\n'
    sets = ["a1 a2 b1", "a1 a2", "a1 b1", "a2 b1"]
    policy = write(tmp_path, [("20", "A", items) for items in sets], POLICY + why)
    done = run("publish", "--policy", policy, "--register", tmp_path / "reg.duckdb", "-o", tmp_path / "out",
               "--format", "csv")  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "evidence,more_items,who knows more than 2 items,,2.0,1.0,4,accepted" in done.stdout
    assert "evidence.more_items is accepted: nobody knows three drugs" in done.stderr
    with duckdb.connect(str(tmp_path / "reg.duckdb"), read_only=True) as con:
        recorded = con.execute("select attack, id, reason from acceptances").fetchall()
    assert recorded == [("evidence", "more_items", "nobody knows three drugs")]
    assert run("check", tmp_path / "out", "--policy", policy).exit_code == 0
    assert run("audit", tmp_path / "reg.duckdb").exit_code == 0


@pytest.mark.slow("15 s")
def test_publish_asks_for_who_knows_more_and_does_not_know_of_items_in_two_releases(tmp_path: Path) -> None:
    sets = ["a1 a2 b1", "a1 a2", "a1 b1", "a2 b1"]
    policy = write(tmp_path, [("20", "A", items) for items in sets])
    out = ("publish", "--policy", policy, "--register", tmp_path / "reg.duckdb", "--format", "csv", "-o")
    done = run(*out, tmp_path / "spring")
    assert done.exit_code == 1
    assert "evidence,more_items,who knows more than 2 items,,2.0,1.0,4,not known" in done.stdout
    assert "--accept evidence.more_items='why'" in done.stderr
    assert not (tmp_path / "spring").exists()
    done = run(*out, tmp_path / "spring", *MORE)
    assert done.exit_code == 0, done.output
    assert "evidence.more_items is accepted: nobody knows three drugs" in done.stderr
    done = run(*out, tmp_path / "autumn", *MORE)
    assert done.exit_code == 1
    assert "with spring,k,k-anonymity of who knows up to 2 items,,2.0,2.0,0,holds" in done.stdout
    assert "evidence,items,items in other releases,,,,,not known" in done.stdout
    before, _, rest = policy.read_text().partition("[tables.drug]")
    rules = rest[rest.index("[requirements]") :].split("[hierarchies]")[0]
    policy.write_text(before + rules)  # without drugs
    done = run(*out, tmp_path / "without")
    assert done.exit_code == 1
    assert "evidence,items,items in other releases,,,,,not known" in done.stdout


@pytest.mark.slow("10 s")
def test_an_earlier_class_counts_with_items(tmp_path: Path) -> None:
    """The first release tells wards, and each item is of one ward: two and two people are left."""
    people = [("20", "A", "a1"), ("20", "A", "a1"), ("20", "B", "b1"), ("20", "B", "b1")]
    text = POLICY.replace('items = "code"\n', "").replace("[items]\nm = 2\n", "").split("[hierarchies]")[0]
    policy = write(tmp_path, people, text)
    out = ("publish", "--policy", policy, "--register", tmp_path / "reg.duckdb", "--format", "csv", "-o")
    assert run(*out, tmp_path / "spring").exit_code == 0
    policy.write_text(POLICY.replace("k = 2", 'k = 2\n[method]\nmin_levels = {"stay.ward" = 1}'))
    drugs = (tmp_path / "drug.csv").read_text().replace("10,a1", "10,b1").replace("20,b1", "20,a1")
    (tmp_path / "drug.csv").write_text(drugs)
    done = run(*out, tmp_path / "autumn", *MORE)
    assert done.exit_code == 0, done.output
    assert "with spring,k,k-anonymity of who knows up to 2 items,,2.0,2.0,0,holds" in done.stdout
    assert sets_in(tmp_path / "autumn") in (Counter(), Counter({"*": 4}))  # a1 and b1 are of one of each ward


@pytest.mark.slow("4 s")
def test_diversity_holds_of_who_knows_items(tmp_path: Path) -> None:
    people = [("20", "A", "a1 a2")] * 2 + [("20", "A", "a1")] * 2
    policy = write(tmp_path, people, POLICY.replace("k = 2", "k = 2\nl = 2"))
    (tmp_path / "stay.csv").write_text("id,patient,ward,disease\n00,0,A,x\n10,1,A,x\n20,2,A,x\n30,3,A,y\n")
    done = run("check", "--policy", policy, "--format", "csv")
    assert "together,l,distinct l-diversity of who knows up to 2 items,disease,2.0,1.0,2,fails" in done.stdout
    done = run("anonymize", "--policy", policy, "-o", tmp_path / "out")
    assert done.exit_code == 3
    assert "4 of 4 people are in classes that fail for who knows up to 2 of their items" in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("old", "new", "code", "message"),
    [
        ("[items]\nm = 2\n", "", 2, "items.m is missing: how many items of a person may others know?"),
        ("m = 2", "m = 0", 2, "items.m must be"),
        ('items = "code"', 'qi = ["code"]', 2, "items is for tables with items"),
        ('items = "code"', 'items = "cdoe"', 2, "called table.column; did you mean drug.cdoe?"),
        ('items = "code"', 'items = "code"\nkeep = ["stay"]', 2, "tables.drug.keep does not go with items"),
        ('items = "code"', 'items = "code"\nmax_rows = 2', 2, "tables.drug.max_rows does not go with items"),
        ('qi = ["age"]', 'qi = ["age"]\nitems = "sex"', 2, "tables.person.items: the person table has a row"),
        ('items = "code"', 'items = "stay"', 2, "tables.drug.items: column stay is in belongs_to"),
        ("k = 2", "k = 2\nt = 0.2", 2, "requirements.t does not go with items"),
        ("k = 2", 'k = 2\n[method]\nmin_levels = {"drug.code" = 1}', 2, "drug.code has items, which have no"),
        ("k = 2", 'k = 2\n[series]\nname = "nights"', 2, "series does not go with items"),
        ("k = 2", "k = 2\n[tolerated]\nlinking.certain = 0", 2, "tolerated bounds attacks on one table. For"),
        ("k = 2", 'k = 2\n[accepted]\nlinking.certain = "so"', 2, "accepted.linking is nothing that can be"),
        ("k = 2", "k = 2\n[accepted]\nevidence.more_items = ''", 2, "evidence.more_items must say why"),
        ('a1 = ["A", "*"], ', "", 3, "hierarchies.\"drug.code\" lacks values of the tables: 1"),
    ],
)  # fmt: skip
def test_what_is_wrong(tmp_path: Path, old: str, new: str, code: int, message: str) -> None:
    policy = change(write(tmp_path, [("20", "A", "a1 b1"), ("20", "A", "a1")]), old, new)
    done = run("anonymize", "--policy", policy, "-o", tmp_path / "out")
    assert (done.exit_code, message in done.stderr) == (code, True), done.output
    assert not (tmp_path / "out").exists()


@pytest.mark.slow("8 s")
def test_a_row_without_an_item_is_none(tmp_path: Path) -> None:
    policy = write(tmp_path, [("20", "A", "a1"), ("20", "A", "a1"), ("20", "A", "")])
    drugs = tmp_path / "drug.csv"
    drugs.write_text(drugs.read_text() + "00,\n20,\n20,\n")
    done = run("anonymize", "--policy", policy, "-o", tmp_path / "out", "--k", 2)
    assert "drug: 2 people have rows without code, which do not leave" in done.stderr, done.output
    assert sets_in(tmp_path / "out") == Counter({"a1": 2})
    leaving = tmp_path / "out" / "drug.csv"
    leaving.write_text(leaving.read_text() + leaving.read_text().splitlines()[1].removesuffix("a1") + "\n")
    done = run("check", tmp_path / "out", "--policy", policy)
    assert "drug: 1 rows are there twice, or without an item" in done.stderr, done.output
    drugs.write_text("stay,code\n")
    done = run("anonymize", "--policy", policy, "-o", tmp_path / "none")
    assert (done.exit_code, sets_in(tmp_path / "none")) == (0, Counter()), done.output


@pytest.mark.slow("4 s")
def test_items_of_nobody_are_refused_or_left_out(tmp_path: Path) -> None:
    policy = write(tmp_path, [("20", "A", "a1"), ("20", "A", "a1")])
    drugs = tmp_path / "drug.csv"
    drugs.write_text(drugs.read_text() + "99,a1\n,b1\n")
    done = run("anonymize", "--policy", policy, "-o", tmp_path / "out")
    assert done.exit_code == 3
    assert "rows of drug whose stay is no stay.id: 1; rows of drug without stay: 1" in done.stderr
    change(policy, 'items = "code"', 'items = "code"\nleave_out_unmatched = true')
    done = run("anonymize", "--policy", policy, "-o", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert "drug: 2 of 4 rows belong to nobody: left out" in done.stderr


@examples(200, quick=6)
@given(data=st.data(), paths=trees(), k=st.integers(1, 3), m=st.integers(1, 3))
def test_in_each_class_sets_of_m_items_are_of_k_people(
    shared_con: duckdb.DuckDBPyConnection, data: st.DataObject, paths: dict[str, list[str]], k: int, m: int
) -> None:
    """Up to eight people in classes of at least k; who finds whom in what is there, and in what leaves."""
    classes = {f"p{nth}": nth // k % 2 for nth in range(data.draw(st.integers(1, 8)))}
    sizes = Counter(classes.values())
    classes = {person: number for person, number in classes.items() if sizes[number] >= k}
    some_items = st.frozensets(st.sampled_from([*paths]), max_size=4)
    people = {person: (number, data.draw(some_items)) for person, number in classes.items()}
    ladder = [
        (item, level, label)
        for item, path in paths.items() for level, label in enumerate([item, *path])
    ]  # fmt: skip
    for name, columns, rows in (
        ("of_classes", "person text, class_id bigint", [*classes.items()]),
        (
            "raw",
            "person text, q1 text",
            [(who, item) for who, (_, items) in people.items() for item in items],
        ),
        ("paths", "value text, level int, label text", ladder),
    ):
        shared_con.execute(f"create or replace temp table {name} ({columns})")
        if rows:
            shared_con.executemany(f"insert into {name} values ({', '.join('?' * len(rows[0]))})", rows)
    with WorkTables(shared_con) as work:
        held = work.make("held_items", call("_numbered_items", "raw", "0")).name
        shared_con.execute(
            "create or replace temp table nodes as select class_id, person, value as node "
            f"from sqlanon._items_in_classes('{held}', 'of_classes')"
        )
        sets = shared_con.execute(
            f"select count(*) from sqlanon._known_sets('of_classes', 'nodes', {m}) group by class_id"
        ).fetchall()
        assert sorted(n for (n,) in sets) == sorted(known(people, m).values())
        entries = work.make("entries", call("_numbered_ladder", "paths", "0")).name
        chosen = cut_in_classes(shared_con, work, held, "of_classes", entries, k, m)
        told = shared_con.execute(
            f"select patient, code from sqlanon._rows_of_items("
            f"'{chosen.left}', '{chosen.cut}', '0', 'patient', 'code')"
        ).fetchall()
    assert len(told) == len({*told})
    leaving = {
        person: (number, frozenset(code for who, code in told if who == person))
        for person, number in classes.items()
    }
    assert min(known(leaving, m).values(), default=k) >= k
    for person, (_, codes) in leaving.items():  # each is a label of something that the person has
        labels = {label for item in people[person][1] for label in [item, *paths[item]]}
        assert codes <= labels
    if min(known(people, m).values(), default=k) >= k:
        assert leaving == people


@pytest.mark.slow("6 s")
@examples(10, quick=1)
@given(data=st.data(), paths=trees(), k=st.integers(1, 3), m=st.integers(1, 3))
def test_every_class_and_set_of_m_items_is_of_k_people(
    tmp_path_factory: pytest.TempPathFactory, shared_con: duckdb.DuckDBPyConnection, data: st.DataObject,
    paths: dict[str, list[str]], k: int, m: int,
) -> None:  # fmt: skip
    """Up to six people with stays, and items of these; what leaves, and what is judged of the raw tables."""
    said = ", ".join(f"{item} = {[*path]}" for item, path in paths.items())
    text = POLICY.replace("k = 2", f"k = {k}").replace("m = 2", f"m = {m}").split("[hierarchies]")[0]
    policy = tmp_path_factory.mktemp("items") / "policy.toml"
    policy.write_text(f'{text}\n[hierarchies]\n"drug.code" = {{ values = {{ {said} }} }}\n')
    some_items = st.lists(st.sampled_from([*paths]), max_size=3)
    persons, drugs = list[tuple[int, str]](), list[tuple[int, str]]()
    stays = list[tuple[int, int, str, str]]()
    for person in range(data.draw(st.integers(1, 6))):
        persons.append((person, data.draw(st.sampled_from(["20", "30"]))))
        for _ in range(data.draw(st.integers(0, 2))):
            stays.append((len(stays), person, data.draw(st.sampled_from("AB")), "x"))
            drugs += [(len(stays) - 1, item) for item in data.draw(some_items)]
    tables = {
        "person": pd.DataFrame(persons, columns=["patient", "age"]),
        "stay": pd.DataFrame(stays, columns=["id", "patient", "ward", "disease"]).astype({"ward": str}),
        "drug": pd.DataFrame(drugs, columns=["stay", "code"]).astype({"code": str}),
    }
    judged = sqlanon.check_tables(shared_con, policy, tables)
    reached = dict(
        shared_con.execute(f"select id, reached from {judged.table} where tables = 'together'").fetchall()
    )
    assert reached["k"] == min(known(raw_people(persons, stays, drugs), m).values())
    try:
        release = sqlanon.anonymize_tables(shared_con, policy, tables)
    except sqlanon.RefusedError:
        stays_of = Counter(person for _, person, *_ in stays)  # what is left at the highest levels
        assert min(Counter(stays_of[person] for person, _ in persons).values()) < k
        return
    check(shared_con, release, k, m)


def raw_people(persons: Any, stays: Any, drugs: Any) -> dict[Any, Any]:
    whose = {stay: person for stay, person, *_ in stays}
    return {
        person: (
            (age, tuple(sorted(ward for _, of, ward, _ in stays if of == person))),
            frozenset(item for stay, item in drugs if whose[stay] == person),
        )
        for person, age in persons
    }


def check(con: duckdb.DuckDBPyConnection, release: TablesRelease, k: int, m: int) -> None:
    people = people_of(con, dict(release.tables))
    assert min(known(people, m).values()) >= k
    whole = Counter(people.values())
    assert release.holds is (True if min(whole.values()) >= k else None)
    rows = con.execute(
        f"select count(*), count(distinct (patient, code)) from {release.tables['drug']}"
    ).fetchone()
    assert rows is not None
    assert rows[0] == rows[1]
