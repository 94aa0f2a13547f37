"""Whatever releases says which columns name people, and what a policy accepts is not said."""

from __future__ import annotations

import json
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from sqlanon.core.library import ensure_registered
from sqlanon.judge.leaving import Leaving, leaving
from sqlanon.measure.leaving import columns_leaving
from sqlanon.policies.policy import load
from tests.budget import examples
from tests.cli.test_cli import ok, run

POLICY = """
[roles]
qi = ["age"]
sensitive = ["disease"]
keep = ["Fall-Nr", "Name"]

[requirements]
k = 2
"""
DIRECT = """
[direct]
Name = "these are names of horses"
fall-nr = "numbers of races"
"""

NAME = (
    "Name leaves unchanged: 30 of 30 rows have a value that no other row has; it looks like a personal name. "
    'Leave it out, mask it, or accept it in a policy: [direct] Name = "why"'
)
NUMBER = NAME.replace("Name", "Fall-Nr").replace("a personal name", "a number")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = "".join(
        f"{20 + i % 9},{'flu' if i % 3 else 'hiv'},R{i},Ann B{'abcde'[i % 5] * i}\n" for i in range(30)
    )
    Path("horses.csv").write_text("age,disease,Fall-Nr,Name\n" + rows)
    Path("policy.toml").write_text(POLICY)
    return tmp_path


@pytest.fixture
def con(folder: Path) -> duckdb.DuckDBPyConnection:
    con = duckdb.connect()
    con.execute("create table horses as from 'horses.csv'").fetchall()
    return con


def test_anonymize_tells_it(folder: Path) -> None:
    """With a policy and without; once it is accepted, nothing is said."""
    by_options = ("--qi", "age", "--sensitive", "disease", "--keep", "Fall-Nr,Name", "--k", "2")
    for arguments in (by_options, ("--policy", "policy.toml")):
        told = run("anonymize", "horses.csv", *arguments, "-o", "release.csv", "--force")
        assert told.exit_code == 0
        assert told.stderr.splitlines()[1:3] == [NUMBER, NAME]
        assert "Warning" not in told.stderr
    Path("policy.toml").write_text(POLICY + DIRECT)
    told = run("anonymize", "horses.csv", "--policy", "policy.toml", "-o", "release.csv", "--force")
    assert "leaves" not in told.stderr


def test_check_fails_by_it(folder: Path) -> None:
    ok("anonymize", "horses.csv", "--policy", "policy.toml", "-o", "release.csv")
    told = run("check", "release.csv", "--policy", "policy.toml")
    assert (told.exit_code, told.stderr.splitlines()) == (1, [NUMBER, NAME])
    Path("policy.toml").write_text(POLICY + DIRECT)
    told = run("check", "release.csv", "--policy", "policy.toml")
    assert (told.exit_code, told.stderr) == (0, "release.csv: k = 2 holds\n")
    # a column that the policy does not release is told once
    Path("policy.toml").write_text(POLICY.replace(', "Name"', ""))
    told = run("check", "release.csv", "--policy", "policy.toml")
    assert (told.exit_code, told.stderr.splitlines()) == (
        1, ["release.csv: policy.toml does not release Name", NUMBER],
    )  # fmt: skip


def test_functions_and_policies_warn(con: duckdb.DuckDBPyConnection) -> None:
    arguments: dict[str, Any] = {"qi": "age", "sensitive": "disease", "k": 2}
    with pytest.warns(sqlanon.LeavingWarning) as told:
        release = sqlanon.mondrian(con, "horses", **arguments, keep=["Fall-Nr", "Name"])
    assert [str(each.message) for each in told] == [NUMBER, NAME]
    assert told[0].filename == __file__
    assert [each.column for each in release.leaving if not each.holds] == ["Fall-Nr", "Name"]
    assert "it looks like a personal name" in release._repr_html_()
    with pytest.warns(sqlanon.LeavingWarning, match="Name leaves unchanged"):
        load("policy.toml").run(con, "horses")
    Path("policy.toml").write_text(POLICY + DIRECT)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert all(each.holds for each in load("policy.toml").run(con, "horses").leaving)
        assert all(each.holds for each in sqlanon.mondrian(con, "horses", **arguments).leaving)


@pytest.mark.slow("1 s")
def test_people_are_counted_by_the_unit(con: duckdb.DuckDBPyConnection) -> None:
    """Each has two rows, so that no row is alone with its card."""
    con.execute(
        "create table visits as select i // 2 as pid, 20 + i // 4 as age, 'c' || i // 2 as card, "
        "['flu', 'hiv'][1 + i % 2] as disease from range(40) as r(i)"
    ).fetchall()
    with pytest.warns(sqlanon.LeavingWarning, match="20 of 20 values of people are held by one person each"):
        sqlanon.mondrian(con, "visits", qi="age", sensitive="disease", keep="card", k=2, unit="pid")
    Path("policy.toml").write_text(POLICY.replace('["Fall-Nr", "Name"]', '["card"]\nunit = "pid"'))
    policy = load("policy.toml")
    release = policy.run(con, "visits")
    told = {each.column: each for each in leaving(con, release.table, policy, "visits")}
    assert (told["card"].verdict, told["disease"].verdict) == ("fails", "holds")
    assert told["card"] in release.leaving
    assert {each.column: each.verdict for each in leaving(con, release.table, policy)}["card"] == "holds"


@pytest.mark.slow("1 s")
def test_masks_and_the_quasi_identifiers_of_anatomy(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    Path("policy.toml").write_text(
        '[roles]\nqi = ["age"]\nsensitive = ["disease"]\n[masks]\nName = {method = "partial", first = 40}\n'
        'Fall-Nr = {method = "hash"}\n[requirements]\nk = 2\n'
    )
    key = tmp_path / "key"
    key.write_text("0123456789abcdef0123456789abcdef")
    policy = load("policy.toml")
    release = policy.run(con, "horses", key_file=key)
    told = {each.column: each for each in leaving(con, release.table, policy, "horses")}
    assert (told["Fall-Nr"].how, told["Fall-Nr"].verdict) == ("masked", "holds")
    assert told["Fall-Nr"].looks_like == "hash"
    assert list(told.values()) == list(release.leaving)
    anatomize = POLICY.replace('keep = ["Fall-Nr", "Name"]', "").replace("k = 2", "l = 2")
    Path("policy.toml").write_text(anatomize + '[method]\nname = "anatomize"\n')
    con.execute(
        "create table even as select i as age, 'd' || i % 2 as disease from range(40) as r(i)"
    ).fetchall()
    policy = load("policy.toml")
    told = {each.column: each for each in leaving(con, policy.run(con, "even").table, policy)}
    assert {name: (each.how, each.verdict) for name, each in told.items()} == {
        "age": ("unchanged", "holds"), "bucket": ("unchanged", "holds"), "disease": ("unchanged", "holds"),
    }  # fmt: skip


@pytest.mark.slow("1 s")
def test_init_says_what_would_be_refused(folder: Path) -> None:
    pd.DataFrame(
        {"age": range(30), "symptom": [f"she says she has had {i} of these" for i in range(30)]}
    ).to_csv("notes.csv", index=False)
    drafted = ok("init", "--seconds", "0", "notes.csv")
    assert '# [direct]\n# symptom = "..."  # 30 of 30 rows have a value that no other row has; ' in drafted
    assert "[direct]" not in ok("init", "--seconds", "0", "horses.csv")


def test_a_leaving_is_data() -> None:
    one = Leaving("a b", "keep", "unchanged", 4, 1.0, None, "fails", "4 of 4 rows have a value of their own")
    assert str(one).endswith('or accept it in a policy: [direct] "a b" = "why"')
    assert json.loads(json.dumps(vars(one)))["verdict"] == "fails"


def test_what_is_found_is_asked_once(con: duckdb.DuckDBPyConnection) -> None:
    """What was found when a release was made is not asked again, unless with other parameters."""
    release = sqlanon.mondrian(con, "horses", qi="age", sensitive="disease", k=2, keep="Name", into="made")
    arguments: dict[str, Any] = {"qi": ["age"], "sensitive": ["disease"], "masked": None, "original": None}
    arguments |= {"id": None, "direct": None}
    assert columns_leaving(con, "made", release.leaving, **arguments) is release.leaving
    others = columns_leaving(con, "made", release.leaving, **arguments | {"direct": ["name"]})
    assert [each.verdict for each in release.leaving] == ["holds", "holds", "fails"]
    assert [each.verdict for each in others] == ["holds"] * 3


OF_VISITS = """
confirmed = "somebody"
[roles]
qi = ["ward"]
sensitive = ["disease"]
unit = "person"
[masks]
code = {{method = "hash"}}
[requirements]
k = {k}
l = {l}
"""
VISITS = """
    create or replace table visits as
    select 'P' || person as person, 'P' || person as code, ward, disease
    from (values {rows}) as row(person, ward, disease);
    create or replace table released as select ward, disease, md5(code) as code from visits"""


@pytest.fixture(scope="module")
def visits() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect()
    ensure_registered(con)
    return con


def code_of_visits(
    con: duckdb.DuckDBPyConnection, folder: Path, rows: list[tuple[int, str, str]], k: int, l: int
) -> Leaving:
    listed = ", ".join(f"({person}, '{ward}', '{disease}')" for person, ward, disease in rows)
    con.execute(VISITS.format(rows=listed)).fetchall()
    policy = folder / "visits.toml"
    policy.write_text(OF_VISITS.format(k=k, l=l))
    found = {each.column: each for each in leaving(con, "released", load(policy), "visits")}
    return found["code"]


@pytest.mark.both_lines
@examples(100, quick=10)
@given(
    rows=st.lists(
        st.tuples(st.integers(0, 5), st.sampled_from("AB"), st.sampled_from(["flu", "gout"])), min_size=2
    ),
    k=st.integers(1, 3), l=st.integers(1, 2),
)  # fmt: skip
def test_a_pseudonym_joins_the_rows_of_a_person(
    visits: duckdb.DuckDBPyConnection, tmp_path_factory: pytest.TempPathFactory, rows: Any, k: int, l: int
) -> None:
    """Then people are alike by all of their rows: k and l are asked for of those who are."""
    wards: dict[int, Counter[str]] = {}
    values: dict[int, set[str]] = {}
    for person, ward, disease in rows:
        wards.setdefault(person, Counter())[ward] += 1
        values.setdefault(person, set()).add(disease)
    classes: dict[Any, list[int]] = {}
    for person, of_person in wards.items():
        classes.setdefault(frozenset(of_person.items()), []).append(person)
    failing = 0
    for people in classes.values():
        has_value = Counter(value for person in people for value in values[person])
        # with the worst choice of one value for each person
        least_values = 1 if len(people) in has_value.values() else 2
        failing += len(people) if len(people) < k or least_values < l else 0
    is_joined = max(Counter(person for person, *_ in rows).values()) > 1
    code = code_of_visits(visits, tmp_path_factory.mktemp("policies"), rows, k, l)
    alone = sum(len(people) == 1 for people in classes.values())
    assert code.verdict == ("fails" if is_joined and failing else "holds")
    if code.verdict == "fails":
        assert code.reason.endswith(
            f"; it joins the rows of a person, and by all of their rows {failing:,} of {len(wards):,} people "
            f"are not protected as it is required of classes ({alone:,} are the only ones with such rows)"
        )


def test_what_joins_no_rows_of_a_person(visits: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """A pseudonym of something that several people share; one that is in one row of each; and one that
    somebody has accepted."""
    both = [(person, ward, f"d{person}") for person in range(6) for ward in ("A", "AB"[person % 2])]
    assert code_of_visits(visits, tmp_path, both, 4, 2).verdict == "fails"
    policy = tmp_path / "visits.toml"
    policy.write_text(f"{OF_VISITS.format(k=4, l=2)}[direct]\ncode = 'they have agreed'\n")
    [code] = [each for each in leaving(visits, "released", load(policy), "visits") if each.column == "code"]
    assert (code.verdict, "accepted" in code.reason) == ("holds", True)
    policy.write_text(OF_VISITS.format(k=4, l=2))
    visits.execute("update visits set code = 'doctor'; update released set code = md5('doctor')").fetchall()
    [code] = [each for each in leaving(visits, "released", load(policy), "visits") if each.column == "code"]
    assert code.holds
    visits.execute("""
        create or replace table visits as
        select person, if(row_number() over () % 2 = 0, person, lower(person) || ' ') as code, ward, disease
        from visits;
        create or replace table released as select ward, disease, md5(upper(trim(code))) as code from visits
    """).fetchall()
    [code] = [each for each in leaving(visits, "released", load(policy), "visits") if each.column == "code"]
    assert not code.holds  # spellings of a value are one
    once = [(person, "A", f"d{person}") for person in range(6)]
    assert code_of_visits(visits, tmp_path, once, 4, 2).holds


OF_HOMES = """
confirmed = "somebody"
[roles]
qi = ["age"]
sensitive = ["disease"]
keep = ["home", "nurse", "room", "born"]
{more}
[requirements]
k = 9
"""
HOMES = """
    create or replace table homes as
    select i as id, i // 5 % {homes} as home, i % 5 as nurse, i // 5 % 6 as room,
           20 + (i * i * 7 + i // 9) % 60 as age, 2026 - age as born, 'd' || i % 3 as disease
    from range(500) as r(i);
    create or replace table released as
    select age // 20 * 20 as age, disease, home, nurse, room, born from homes
"""


@pytest.mark.parametrize(
    ("more", "column", "homes", "verdict", "reason"),
    [
        ('household = "home"', "home", 6, "fails", "rows of a household, and by all of their rows 6 of 6"),
        ('household = "home"\nsampling_weight = "id"', "home", 6, "fails", "rows of a household"),
        ('household = "home"\nsampling_weight = "id"|global_risk = 1', "home", 6, "holds", "no other row"),
        ("", "home", 100, "holds", "have a value that no other row has"),
        ("", "home", 6, "holds", "have a value that no other row has"),
        ("", "born", 6, "not known", "who knows age of a person probably knows it, too, and with it"),
        ("", "room", 6, "holds", "have a value that no other row has"),
        ('[direct]\nborn = "few know"\nhome = "of wards"', "born", 100, "holds", "accepted"),
    ],
)  # fmt: skip
def test_what_others_know_together_or_by_what_they_know(
    visits: duckdb.DuckDBPyConnection, tmp_path: Path, more: str, column: str, homes: int, verdict: str,
    reason: str,
) -> None:  # fmt: skip
    """A member of a household knows all of its rows; and who knows an age knows the year of birth."""
    visits.execute(HOMES.format(homes=homes)).fetchall()
    policy = tmp_path / "homes.toml"
    roles, _, requirements = more.partition("|")
    keep = '"home", "id"' if requirements else '"home"'
    policy.write_text(OF_HOMES.format(more=roles).replace('"home"', keep, 1) + requirements)
    found = {each.column: each for each in leaving(visits, "released", load(policy), "homes")}
    assert found[column].verdict == verdict
    assert reason in found[column].reason


@pytest.mark.parametrize(
    ("column", "is_inferred"),
    [("2026 - age", True), ("nullif(2026 - age, 1996)", True), ("i * 7 % 19", False), ("i // 20", False)],
)
def test_what_others_infer_of_few_people(
    visits: duckdb.DuckDBPyConnection, column: str, is_inferred: bool
) -> None:
    """Of 40 people, two of each age."""
    visits.execute(
        f"create or replace table few as select *, {column} as kept"
        " from (select i, 30 + i % 20 as age from range(40) as r(i))"
    )
    found = visits.execute("from sqlanon._is_inferred_from('few', 'kept', ['age'], null)").fetchall()
    assert found == [(is_inferred,)]


def test_two_columns_join_the_rows_of_a_person(visits: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """Each nurse and each room has many people, and no two people have both."""
    visits.execute("""
        create or replace table homes as
        select p as id, p % 5 as nurse, p // 5 as room, (p + v * (p // 7)) % 7 as age,
               'd' || v as disease
        from range(30) as person(p), range(2) as visit(v);
        create or replace table released as select age, disease, nurse, room from homes
    """).fetchall()
    policy = tmp_path / "homes.toml"
    for unit, verdict in (('unit = "id"', "fails"), ("", "holds")):
        text = OF_HOMES.format(more=unit)
        policy.write_text(text.replace('"home", "nurse", "room", "born"', '"nurse", "room"'))
        found = {each.column: each for each in leaving(visits, "released", load(policy), "homes")}
        assert (found["nurse"].verdict, found["room"].verdict) == ("holds", verdict)
        assert ("with nurse it joins the rows of a person" in found["room"].reason) == (verdict == "fails")
