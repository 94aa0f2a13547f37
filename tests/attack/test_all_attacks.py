"""Every attack that applies, in one call: which are made, why others are not, and what is tolerated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from sqlanon.attack import all_attacks, shared
from sqlanon.attack.all_attacks import runs
from sqlanon.attack.known import Known
from sqlanon.core.statements import call, execute, literal
from sqlanon.core.tables import WorkTables
from tests.budget import examples

pytestmark = [pytest.mark.filterwarnings(f"ignore:{said}") for said in ("in no role here", r"\w+ lacks age")]
STATUSES = {"done", "does not apply", "failed"}
QI = ["age", "zip"]


@pytest.fixture(scope="module")
def clinics() -> Iterator[duckdb.DuckDBPyConnection]:
    """early: a release of people; again: the same rows with a coarser age; late: with two rows more. visits:
    records by place; counts: a table of counts; places: a release by labels of the tree europe."""
    with duckdb.connect() as con:
        sqlanon.register(con)
        con.execute(
            """create table people as from (values
            ('Ann', 21, 'a', 'flu', 1), ('Bob', 23, 'a', 'cold', 2), ('Cat', 31, 'b', 'flu', 3),
            ('Dan', 34, 'b', 'gout', 4), ('Eve', 36, 'b', 'cold', 5), ('Fay', 37, 'b', 'flu', 6))
            as t(name, age, zip, disease, record)"""
        ).fetchall()
        con.execute(
            """create table early as select case when age < 30 then '[21, 23]' else '[31, 37]' end as age,
            zip, disease, record from people;
            create table again as select '[21, 37]' as age, zip, disease, record from people;
            create table late as select * from early union all from (values ('[31, 37]', 'b', 'flu', 7),
            ('[31, 37]', 'b', 'gout', 8)) as t(age, zip, disease, record)"""
        ).fetchall()
        sqlanon.mondrian(con, "people", qi=QI, sensitive="disease", k=2, l=2, seed=1, into="cut")
        con.execute("create table stays as select name, zip as place from people").fetchall()
        con.execute("create table visits as select record, zip as place from people").fetchall()
        con.execute(
            "create table counts as select disease, case when count(*) > 1 then count(*) end as n "
            "from people group by cube (disease)"
        ).fetchall()
        con.execute(
            "create table noisy as select age, zip, disease, count(*) + 1 as n, 1.5 as standard_deviation "
            "from people group by all"
        ).fetchall()
        con.execute(
            """create table europe as select 'country' as attribute, value, level,
            if(level = 0, value, 'Europe') as label
            from (values ('de'), ('fr'), ('it')) as place(value), range(2) as height(level);
            create table broken as select * replace ('age' as attribute) from europe
            union all select 'age', 'de', 1, 'elsewhere';
            create table places as select unnest(['fr', 'fr', 'Europe', 'Europe', 'Europe']) as country"""
        ).fetchall()
        yield con


def rows(answer: duckdb.DuckDBPyRelation) -> list[dict[str, Any]]:
    return [dict(zip(answer.columns, row, strict=True)) for row in answer.fetchall()]


def listed(con: duckdb.DuckDBPyConnection) -> set[str]:
    return {row[0] for row in sqlanon.attacks(con).fetchall()}


# What makes each attack run: the releases, and what is given.
PEOPLE: dict[str, Any] = {"targets": "people", "id": "name"}
CLASSES: dict[str, Any] = {"qi": QI, "sensitive": "disease"}
MADE: dict[str, tuple[list[str], dict[str, Any]]] = {
    "background_knowledge": (["early"], CLASSES),
    "complementary_release": (["early", "again"], {"qi": QI, "parameters": {"join_columns": "disease"}}),
    "correspondence": (["early", "late"], CLASSES),
    "de_finetti": (["early"], {**CLASSES, **PEOPLE, "parameters": {"rounds": 20}}),
    "differencing": (["counts"], {"parameters": {"dimensions": ["disease"], "count_column": "n"}}),
    "downcoding": (
        ["places"], {"qi": "country", "hierarchies": "europe", "parameters": {"downcoding.k": 2}}
    ),
    "exact_cover": (["early", "again"], {**CLASSES, **PEOPLE}),
    "facts_attack": (
        ["people", "stays"],
        {"unit": "people.name", "parameters": {"joins": "stays.name = people.name", "facts": "stays.place"}},
    ),
    "forecast": (["early"], CLASSES),
    "homogeneity": (["early"], CLASSES),
    "insert_only": (["early", "late"], CLASSES),
    "intersection_attack": (["early", "again"], {**CLASSES, **PEOPLE}),
    "joined_releases": (
        ["stays", "visits"], {"parameters": {"join_on": "place", "x": "name", "y": ["record"]}}
    ),
    "linking": (["early"], {"qi": QI, **PEOPLE}),
    "minimality": (["cut"], {**CLASSES, **PEOPLE, "parameters": {"k": 2, "minimality.l": 2}}),
    "nearest_inference": (
        ["early"], {**PEOPLE, "sensitive": "disease", "parameters": {"columns": ["age", "zip"]}}
    ),
    "nearest_linkage": (["early"], {**PEOPLE, "parameters": {"here": "age", "there": ["zip", "disease"]}}),
    "noisy_counts_attack": (
        ["noisy"],
        {**CLASSES, **PEOPLE, "parameters": {"count_column": "n", "deviation_column": "standard_deviation"}},
    ),
    "singling_out": (["early"], {**PEOPLE, "parameters": {"columns": ["age", "disease"]}}),
    "skyline": (["early"], CLASSES),
    "sparse_linkage": (
        ["visits"], {"targets": "stays", "id": "name", "parameters": {"record": "record", "columns": "place"}}
    ),
    "trails": (
        ["visits"], {"targets": "stays", "id": "name", "parameters": {"record": "record", "place": "place"}}
    ),
    "unsorted_matching": (["early", "again"], {"qi": QI}),
}  # fmt: skip


def test_there_is_a_case_of_every_attack(clinics: duckdb.DuckDBPyConnection) -> None:
    assert MADE.keys() == listed(clinics)


@pytest.mark.parametrize("attack", MADE)
def test_each_can_be_made_with_what_it_needs(clinics: duckdb.DuckDBPyConnection, attack: str) -> None:
    releases, arguments = MADE[attack]
    answer = rows(sqlanon.run_attacks(clinics, releases, **arguments, attacks=[attack]))
    assert {row["status"] for row in answer} == {"done"}, answer
    assert {row["attack"] for row in answer} == {attack}
    [people] = {row["value"] for row in answer if row["id"] in ("subjects", "targets")} or {0}
    assert people > 0


KNOWN = Known(
    {"early": "early", "again": "again"}, qi=QI, sensitive=["disease"], targets="people", id="name",
    parameters={"k": 2},
)  # fmt: skip


@pytest.mark.parametrize("missing", ["targets", "qi", "sensitive", "releases"])
def test_what_is_missing_is_told_in_the_words_of_needs(
    clinics: duckdb.DuckDBPyConnection, missing: str
) -> None:
    """And without that, what does not need it can still be made."""
    nothing: Any = {"targets": None, "releases": {"early": "early"}}.get(missing, ())
    planned = runs(clinics, replace(KNOWN, **{missing: nothing}))
    for attack, needs, of_releases in sqlanon.attacks(clinics).project("attack, needs, releases").fetchall():
        reasons = {run.reason for run in planned if run.attack == attack}
        at_hand = {"k", "release", "counts", "tables"} | {
            name for name, value in vars(KNOWN).items() if value
        }
        lacking = [name for name in needs if name not in at_hand]
        lacking += [missing] if missing in needs and missing != "releases" else []
        if lacking:
            [reason] = reasons
            assert set(str(reason).removeprefix("needs ").split(", ")) == set(lacking)
        else:
            assert reasons == {"needs 2 releases" if missing == "releases" and of_releases == 2 else None}


def test_an_attack_is_made_on_all_releases_that_it_can_be(clinics: duckdb.DuckDBPyConnection) -> None:
    """On each, on each pair in order or on all together; of each sensitive column, and of whose row it is."""
    three = {"first": "early", "second": "again", "third": "cut"}
    planned = runs(clinics, replace(KNOWN, releases=three, sensitive=["disease", "record"]))
    found = [(run.attack, *run.releases, run.sensitive) for run in planned]
    assert len(set(found)) == len(found)
    each = [("first",), ("second",), ("third",)]
    pairs = [("first", "second"), ("first", "third"), ("second", "third")]
    columns = ("disease", "record")
    assert [run[1:] for run in found if run[0] == "skyline"] == [(*on, c) for on in each for c in columns]
    assert [run[1:] for run in found if run[0] == "linking"] == [
        (*on, c) for on in each for c in (None, *columns)
    ]
    assert [run[1:] for run in found if run[0] == "insert_only"] == [
        (*on, c) for on in pairs for c in columns
    ]
    assert [run[1:] for run in found if run[0] == "unsorted_matching"] == [(*on, None) for on in pairs]
    assert [run[1:] for run in found if run[0] == "intersection_attack"] == [(*three, c) for c in columns]


def test_all_of_them_are_told_and_an_error_stops_no_other(clinics: duckdb.DuckDBPyConnection) -> None:
    """Every attack has one of the three statuses; one that fails says why, and is never an all-clear."""
    every = listed(clinics)
    before = clinics.execute("select count(*) from duckdb_tables()").fetchall()
    told: list[str] = []
    answer = sqlanon.run_attacks(
        clinics, ["early", "late"], QI, "disease", progress=lambda done, message: told.append(message),
        tolerated={f"{attack}.certain": 100 for attack in ("homogeneity", "trails", "unsorted_matching")},
        parameters={"join_on": ["no column"], "x": "age", "y": "disease"},
    )  # fmt: skip
    found = rows(answer)
    assert {row["attack"] for row in found} == every
    assert {row["status"] for row in found} == STATUSES
    [failed] = [row for row in found if row["status"] == "failed"]
    assert (failed["attack"], failed["value"]) == ("joined_releases", None)
    [moot] = [row for row in found if row["attack"] == "unsorted_matching"]
    assert moot["reason"] == (
        "is not about such releases: rows are matched by position, but early has 6 rows and late has 8"
    )
    stated = {(row["attack"], row["status"], row["verdict"]) for row in found if row["tolerated"] is not None}
    assert stated == {
        ("homogeneity", "done", "holds"), ("unsorted_matching", "does not apply", None),
        ("trails", "does not apply", "not known"),
    }  # fmt: skip
    assert len(told) == sum(run.reason is None for run in runs(clinics, replace(
        KNOWN, releases={"early": "early", "late": "late"}, targets=None,
        parameters={"join_on": ["no column"], "x": "age", "y": "disease"},
    )))  # fmt: skip
    assert "unsorted_matching: early, late" in told
    after = clinics.execute("select count(*) from duckdb_tables()").fetchall()
    assert after == [(before[0][0] + 1,)]  # the answer


SUMMARY = ("id", "measure", "value", "unit", "low", "high")


def test_the_measures_are_those_of_the_attack(clinics: duckdb.DuckDBPyConnection) -> None:
    answer = sqlanon.run_attacks(clinics, ["early"], QI, ["disease", "record"], attacks="homogeneity")
    for sensitive in ("disease", "record"):
        found = [
            tuple(row[name] for name in SUMMARY) for row in rows(answer) if row["sensitive"] == sensitive
        ]
        alone = sqlanon.homogeneity(clinics, "early", QI, sensitive)
        summary = sqlanon.attack_summary(clinics, alone, weight="size")
        assert found == summary.project(", ".join(SUMMARY)).fetchall()


@pytest.mark.slow("8 s")
def test_runs_summed_up_at_once_have_the_measures_of_each(clinics: duckdb.DuckDBPyConnection) -> None:
    """Also where somebody is attacked of whom nothing is learned, and where nobody is attacked."""
    clinics.execute("create or replace temp table nobody as from people where false").fetchall()
    for targets in ("people", "nobody"):
        known = Known(
            {"early": "early", "late": "late"}, qi=QI, sensitive=["disease"], truth=["disease"],
            targets=targets, id="name", parameters={"join_columns": "disease"},
        )  # fmt: skip
        with WorkTables(clinics) as work:
            made = all_attacks.outcomes_of(clinics, known, runs(clinics, known), lambda *_: None, work)
        compared = 0
        for outcome in made:
            if outcome.status == "done" and outcome.run.query is not None:
                assert list(outcome.rows) == list(execute(clinics, outcome.run.query))
                compared += outcome.run.quicker.rated is not None
        assert compared > 5
        units = {outcome.run.attack: {row[SUMMARY.index("unit")] for row in outcome.rows} for outcome in made}
        assert units["correspondence"] <= {"classes", "%"}
        assert units["unsorted_matching"] <= {"rows", "%"}
        assert units["exact_cover"] <= {"people", "%"}


@pytest.mark.slow("all attacks a case")
@pytest.mark.parametrize(
    ("releases", "hierarchies"),
    [(["early", "again"], None), (["early", "again"], "broken"), (["early", "counts"], None)],
)
def test_targets_are_located_once_for_all_attacks(
    clinics: duckdb.DuckDBPyConnection,
    monkeypatch: pytest.MonkeyPatch,
    releases: list[str],
    hierarchies: str | None,
) -> None:
    """What attacks find is what each finds by itself; where targets cannot be located, each says why."""
    made: list[Any] = []
    once = all_attacks.located_once

    def watched(*about: Any) -> Any:
        made.append(once(*about))
        return made[-1]

    monkeypatch.setattr(all_attacks, "located_once", watched)
    about = {"qi": QI, "sensitive": "disease", **PEOPLE, "hierarchies": hierarchies}
    about["attacks"] = ["linking", "exact_cover", "intersection_attack"]
    together = rows(sqlanon.run_attacks(clinics, releases, **about))
    assert [each is None for each in made] == [False]  # also where a release has no age, which is read as *
    statuses = {row["status"] for row in together}
    assert ("failed" in statuses) == (hierarchies is not None)
    monkeypatch.setattr(all_attacks, "FEW_RUNS", 99)
    assert rows(sqlanon.run_attacks(clinics, releases, **about)) == together
    assert len(made) == 1


@pytest.mark.slow("all attacks a case")
@pytest.mark.parametrize(
    ("releases", "given"),
    [
        (["early", "again"], {}),
        (["early", "late"], {}),
        (["late", "early", "again"], {"hierarchies": "tree"}),
        (["early", "written"], {"formats": {"written.age": "between lo and hi"}}),
        (
            {"early": "early", "wide": "written", "narrow": "written"},
            {"formats": {"wide.age": "between lo and hi", "narrow.age": "between hi and hi"}},
        ),
        (["early", "again"], {"hierarchies": "broken"}),
        (["early", "ageless"], {}),
    ],
    ids=["rows", "growing", "three", "formats", "twice", "refused", "lacking"],
)
def test_releases_are_compared_once_for_all_attacks(
    clinics: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch,
    releases: list[str] | dict[str, str], given: dict[str, Any],
) -> None:  # fmt: skip
    """Attacks on two releases tell the same together, of classes that were compared once, as each alone. What
    was compared is gone with the last one."""
    clinics.execute(
        """create or replace table tree as
        select 'zip' as attribute, zip as value, level, if(level = 0, zip, 'all') as label
        from (select distinct zip from people), range(2) as height(level);
        create or replace table ageless as select zip, disease, record from late;
        create or replace table written as select if(record > 2, 31, 21) as lo, if(record > 2, 40, 23) as hi,
        zip, disease, record from people"""
    ).fetchall()
    about = {**CLASSES, "parameters": {"complementary_release.join_columns": "record"}, **given}
    on_pairs = sorted(all_attacks.WITH_COMPARED)
    asked: list[str] = []

    def watched(con: duckdb.DuckDBPyConnection, statement: Any, *others: Any) -> Any:
        asked.append(str(statement))
        return execute(con, statement, *others)

    monkeypatch.setattr(all_attacks, "execute", watched)
    together = rows(sqlanon.run_attacks(clinics, releases, **about, attacks=on_pairs))
    once = sum("compared_before" in statement for statement in asked)
    assert once > 1
    assert clinics.execute("from duckdb_tables() where table_name like '%shared%'").fetchall() == []
    asked.clear()
    alone = [
        row for attack in on_pairs
        for row in rows(sqlanon.run_attacks(clinics, releases, **about, attacks=[attack]))
    ]  # fmt: skip
    assert not any("compared_before" in statement for statement in asked)
    for row in (*together, *alone):  # of several values that are lost a refusal names any
        row["reason"] = (row["reason"] or "").partition(": ")[0]
    assert together == alone
    is_wrong = "broken" in given.values()
    assert ("failed" if is_wrong else "done") in {row["status"] for row in together}


@pytest.mark.slow("all attacks a case", but=(5,))
@pytest.mark.parametrize(
    ("given", "shared_by"),
    [
        ({"truth": "disease"}, 2),
        ({"unit": "zip", "presence": ["is_in"]}, 1),
        ({"nearest": True, "releases": ["centroids"], "qi": "age"}, 2),
        ({"hierarchies": "broken"}, 0),
        ({"releases": ["early", "again"]}, 0),
        ({"negations": "denials"}, 0),
        ({"parameters": {"intersection_attack.exact_cover": True}}, 0),
        ({"max_targets": 3}, 0),
    ],
    ids=["truth", "unit", "centroids", "refused", "two", "negations", "exact", "sample"],
)
def test_the_intersection_attack_is_made_once(
    clinics: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch, given: dict[str, Any],
    shared_by: int,
) -> None:  # fmt: skip
    """Exact cover takes nothing away from what it finds in one release where nobody is in several classes:
    together they tell the same as each alone."""
    clinics.execute(
        """create or replace table centroids as select avg(age) over (partition by zip) as age, zip,
        disease, record from people;
        create or replace table attacked as select *, age > 21 as is_in from people;
        create or replace table denials as select 'Ann' as name, 'flu' as value"""
    ).fetchall()
    asked: list[str] = []

    def watched(con: duckdb.DuckDBPyConnection, statement: Any, *others: Any) -> Any:
        asked.append(str(statement))
        return execute(con, statement, *others)

    monkeypatch.setattr(all_attacks, "execute", watched)
    about = {"releases": ["early"], **CLASSES, "targets": "attacked", "id": "name", **given}
    both = ["exact_cover", "intersection_attack", "linking"]  # of three, targets are located first
    together = rows(sqlanon.run_attacks(clinics, **about, attacks=both))
    assert sum("attacked_before" in statement for statement in asked) == shared_by
    alone = [row for one in both for row in rows(sqlanon.run_attacks(clinics, **about, attacks=[one]))]
    assert together == alone
    assert ("failed" in {row["status"] for row in together}) == (given.get("hierarchies") is not None)


@pytest.mark.slow("all attacks a case")
@pytest.mark.parametrize(
    "given",
    [
        {"truth": ["disease", "record"]},
        {"presence": ["is_in"], "max_targets": 3},
        {"controls": "is_in", "truth": ["disease", "record"]},
        {"hierarchies": "broken"},
        {"sensitive": ["disease", "name"]},  # which the release does not have
    ],
    ids=["truth", "presence", "controls", "refused", "unknown"],
)
def test_people_are_linked_once_for_all_questions(
    clinics: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch, given: dict[str, Any]
) -> None:
    """Whose row it is and what each column says of people is the same as if each was asked alone."""
    clinics.execute("create or replace table linked as select *, age > 21 as is_in from people").fetchall()
    about = {"qi": QI, "sensitive": ["disease", "record"], "targets": "linked", "id": "name", **given}
    about |= {"attacks": ["linking"], "releases": ["early", "again"]}

    def told() -> list[dict[str, Any]] | str:
        try:
            return rows(sqlanon.run_attacks(clinics, **about))
        except sqlanon.SqlanonError as error:
            return str(error)

    together = told()
    monkeypatch.setattr(shared, "MOST", 0)
    assert together == told()
    if isinstance(together, list):
        assert {row["sensitive"] for row in together} == {None, "disease", "record"}


@pytest.mark.parametrize("unit", [None, "name"])
def test_people_are_what_was_counted_as_people(clinics: duckdb.DuckDBPyConnection, unit: str | None) -> None:
    """Of attacks about rows, rows are counted; of those about classes, too, where people may have several."""
    wanted = {"complementary_release": "rows", "homogeneity": "people" if unit is None else "rows"}
    for attack, counted in wanted.items():
        releases, given = MADE[attack]
        answer = rows(sqlanon.run_attacks(clinics, releases, **given, attacks=[attack], unit=unit))
        assert {row["unit"] for row in answer if row["id"] == "subjects"} == {counted}
        assert {row["counted"] for row in answer if row["people"] is not None} == {counted}
    known = Known({}, unit=unit)
    for subject, weight, of_rows in (("class", None, "classes"), ("value", "rows", "rows")):
        assert all_attacks.counted_in(subject, weight, known) == of_rows
    assert all_attacks.counted_in("person", None, known) == "people"
    assert all_attacks.counted_in("row", "rows", replace(known, weight="n")) == "people"


@examples(40)
@given(
    both=st.lists(st.sampled_from("abc"), max_size=6),
    of_each=st.tuples(*[st.lists(st.sampled_from("abc"), max_size=3)] * 2),
)
def test_releases_of_other_rows_are_told(
    clinics: duckdb.DuckDBPyConnection, both: list[str], of_each: tuple[list[str], list[str]]
) -> None:
    """As long as the rows of one release can all be in the other one nothing is told."""
    counts = [Counter(both + further) for further in of_each]
    names = []
    for name, values in zip(("one", "other"), counts, strict=True):
        clinics.execute(f"create or replace temp table {name}(code varchar)").fetchall()
        clinics.execute(f"insert into {name} select unnest($1)", [[*values.elements()]]).fetchall()
        names.append(name)
    told = execute(clinics, call("_rows_of_others", names, ["code"], None))
    lost, added = counts[0] - counts[1], counts[1] - counts[0]
    if not (lost and added):
        assert list(told) == []
    else:
        [(text,)] = told
        assert f"and {lost.total()} of {counts[0].total()} rows of one" in text
        assert f"and {added.total()} of {counts[1].total()} of other" in text


def test_what_is_found_in_other_rows_is_not_known(clinics: duckdb.DuckDBPyConnection) -> None:
    """Two months of different people: rows are joined as if they were the same, and nobody is known to be."""
    for name, age, zip, diseases in (
        ("january", "[20, 49]", "a", ["flu", "flu", "hiv", "gout"]),
        ("february", "[30, 59]", "*", ["flu", "hiv", "acne", "acne"]),
    ):
        clinics.execute(
            f"create or replace table {name} as "
            "select $1 as age, $2 as zip, unnest($3) as disease", [age, zip, diseases]
        ).fetchall()  # fmt: skip
    given: dict[str, Any] = {
        "qi": QI, "parameters": {"join_columns": "disease"}, "attacks": ["complementary_release"],
        "tolerated": {"complementary_release.certain": 0},
    }  # fmt: skip
    told = rows(sqlanon.run_attacks(clinics, ["january", "february"], **given))
    [certain] = [row for row in told if row["id"] == "certain"]
    assert (certain["value"], certain["counted"], certain["verdict"]) == (75, "rows", "not known")
    assert certain["reason"] == (
        "it is about two releases of the same rows, and 2 of 4 rows of january and 2 of 4 of february cannot "
        "be in the other one, by their disease"
    )
    clinics.execute("insert into february values ('*', 'b', 'flu'), ('*', 'b', 'gout')").fetchall()
    told = rows(sqlanon.run_attacks(clinics, ["january", "february"], **given))
    assert [row["verdict"] for row in told if row["id"] == "certain"] != ["not known"]


def test_who_is_attacked(clinics: duckdb.DuckDBPyConnection) -> None:
    """Of a release those who are in it; controls only by an attack that takes them. A sample of them where
    each is attacked alone, the same for the same seed."""
    clinics.execute(
        """create or replace temp table known as
        select name, age, zip, age > 30 as early, true as again, false as moved from people
        union all select 'Zoe', 22, 'a', false, null, true"""
    ).fetchall()
    known = replace(KNOWN, targets="known", controls="moved", presence=["early", "again"])

    def attacked(**given: Any) -> dict[tuple[str, ...], int]:
        return {
            (run.attack, *run.releases): len(execute(clinics, run.query.ctes[0].this))
            for run in runs(clinics, known, ["linking", "minimality", "intersection_attack"], **given)
            if run.query is not None
        }  # fmt: skip

    assert attacked() == {
        ("linking", "early"): 5, ("linking", "again"): 7, ("minimality", "early"): 4,
        ("minimality", "again"): 6, ("intersection_attack", "early", "again"): 6,
    }  # fmt: skip
    assert attacked(max_targets=2) == {
        ("linking", "early"): 2, ("linking", "again"): 2, ("minimality", "early"): 4,
        ("minimality", "again"): 6, ("intersection_attack", "early", "again"): 2,
    }  # fmt: skip
    drawn = {
        seed: execute(clinics, runs(clinics, KNOWN, ["linking"], 3, seed)[0].query.ctes[0].this)  # type: ignore[union-attr]
        for seed in (1, 2, 3, 4)
    }  # fmt: skip
    assert len({tuple(sorted(people)) for people in drawn.values()}) > 1


def test_a_sample_has_all_rows_of_somebody_or_none(clinics: duckdb.DuckDBPyConnection) -> None:
    """What a person gives away depends on how many rows are theirs."""
    clinics.execute(
        """create or replace temp table visits as
        select name || visit as visit, name, age, zip from people, range(3) visits (visit)"""
    ).fetchall()
    known = replace(KNOWN, targets="visits", id="visit", unit="name", truth=())
    [everybody] = clinics.execute("select count(*) from people").fetchone() or ()
    for most in (1, 2, everybody):
        [run] = runs(clinics, known, ["intersection_attack"], most)
        assert run.query is not None
        if most == everybody:
            assert not run.is_sampled
            continue
        drawn = Counter(row[1] for row in execute(clinics, run.query.ctes[0].this))
        assert list(drawn.values()) == [3] * most


@pytest.mark.slow("0.5 s")
def test_a_sample_of_the_targets_is_told(clinics: duckdb.DuckDBPyConnection) -> None:
    """And what is tolerated has to hold at the end of the interval."""
    limits = {"linking.certain": 50}
    answer = rows(
        sqlanon.run_attacks(
            clinics, ["early"], QI, **PEOPLE, attacks="linking", max_targets=2, tolerated=limits
        )
    )
    assert {row["sampled"] for row in answer} == {True}
    assert {row["value"] for row in answer if row["id"] == "subjects"} == {2}
    [stated] = [row for row in answer if row["verdict"] is not None]
    assert stated["value"] == 0
    assert stated["high"] > 50
    assert stated["verdict"] == "not known"
    assert stated["reason"] == (
        "of all targets it may be up to 65.762 %, by a sample (max_targets): more targets can show less"
    )


def test_no_sample_shows_that_it_is_nobody(clinics: duckdb.DuckDBPyConnection) -> None:
    """Which is said, and not of what is more than is tolerated anyway."""
    measured = [
        (0, "a", "person", "done", None, False, None, ["r"], None, True, place, id, id, value, "%", 0.0, high)
        for place, (id, value, high) in enumerate([("certain", 0.0, 0.04), ("sure_90", 1.0, 1.2)])
    ]
    with WorkTables(clinics) as work:
        made = work.make("measured", call("_no_measures")).sql("duckdb")
        clinics.executemany(f"insert into {made} values ({', '.join('?' * 17)})", measured)
        limits = {"a.certain": 0, "a.sure_90": 0}
        judged = execute(clinics, call("_judged_attacks", work.name("measured"), limits))
        told = [dict(zip(judged.columns, row, strict=True)) for row in judged]
    assert [row["verdict"] for row in told] == ["not known", "fails"]
    assert [row["reason"] for row in told] == [
        "of all targets it may be up to 0.04 %, by a sample (max_targets): "
        "that it is 0, only all targets can show",
        None,
    ]


@pytest.mark.parametrize(
    ("said", "attack", "reason"),
    [
        ({"weight": "record"}, "unsorted_matching", "does not take weight"),
        ({"nearest": [False, True]}, "correspondence", "does not take nearest"),
        ({"unit": "name"}, "linking", "does not take unit"),
        ({}, "minimality", "does not take hierarchies"),
        ({"nearest": [True, True], "formats": {"2.age": "range"}}, "homogeneity", None),
        ({"unit": "name"}, "intersection_attack", None),
    ],
)
def test_what_an_attack_would_get_wrong_does_not_apply(
    clinics: duckdb.DuckDBPyConnection, said: dict[str, Any], attack: str, reason: str | None
) -> None:
    known = replace(KNOWN, **{"hierarchies": "any", **said})
    assert {run.reason for run in runs(clinics, known, [attack])} == {reason}


def test_a_release_may_lack_a_quasi_identifier(clinics: duckdb.DuckDBPyConnection) -> None:
    """It may be anything there; what a release has and the attack does not use is said, too."""
    clinics.execute(
        """create or replace temp table by_age as select age, disease from early;
        create or replace temp table by_zip as select zip, disease, record from again;
        create or replace temp table by_age_alone as select *, '*' as zip from by_age;
        create or replace temp table by_zip_alone as select *, '*' as age from by_zip"""
    ).fetchall()

    def found(*releases: str) -> list[tuple[Any, ...]]:
        named = dict(zip(("one", "two"), releases, strict=True))
        made = sqlanon.run_attacks(clinics, named, QI, "disease", **PEOPLE, attacks=["linking"])
        return made.project("status, releases, id, value").order("all").fetchall()

    with pytest.warns(sqlanon.UnreadWarning) as warned:
        answer = found("by_age", "by_zip")
    lacking, unused = (str(warning.message) for warning in warned)
    assert lacking.startswith("one lacks zip, two lacks age: read as *, which may be anything")
    assert unused == "in no role here: record (two); whoever knows these may find more"
    assert answer == found("by_age_alone", "by_zip_alone")
    assert ("done", ["two"], "subjects", 6) in answer


def test_labels_that_nobody_understands_are_no_all_clear(clinics: duckdb.DuckDBPyConnection) -> None:
    clinics.execute(
        "create or replace temp table odd as select * replace ('?!' as age) from early"
    ).fetchall()
    with pytest.warns(sqlanon.UnreadWarning, match="odd: nobody understands 1 of its values, in 6 cells"):
        answer = rows(
            sqlanon.run_attacks(
                clinics, ["odd"], QI, **PEOPLE, attacks=["linking"], tolerated={"linking.certain": 100}
            )
        )
    [stated] = [row for row in answer if row["tolerated"] is not None]
    assert (stated["status"], stated["value"], stated["verdict"]) == ("done", 0, "not known")
    assert "too little is found" in stated["reason"]


@pytest.mark.slow("0.5 s")
def test_what_was_not_looked_at_is_no_all_clear(clinics: duckdb.DuckDBPyConnection) -> None:
    """Of a class whose people are not all known minimality tells nothing."""
    clinics.execute("create or replace temp table others as from people where name <> 'Ann'").fetchall()
    answer = rows(
        sqlanon.run_attacks(
            clinics,
            ["cut"],
            QI,
            "disease",
            targets="others",
            id="name",
            attacks="minimality",
            parameters={"k": 2, "minimality.l": 2},
            tolerated={"minimality.certain": 100},
        )
    )
    [stated] = [row for row in answer if row["tolerated"] is not None]
    assert (stated["status"], stated["verdict"]) == ("done", "not known")
    assert "not all was looked at" in stated["reason"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"releases": []}, "releases names no release"),
        ({"qi": ["age", "zipp"]}, "qi: there is no column zipp in the releases; did you mean zip"),
        ({"sensitive": "diseas"}, "sensitive: there is no column diseas in the releases; did you mean dis"),
        ({"releases": "early"}, r"releases is a list of releases: write \['early'\]"),
        ({"attacks": ["linkin"]}, "linkin is no attack; did you mean linking"),
        (
            {"parameters": {"minimality.k_": 2}},
            "minimality.k_ is no parameter of an attack; did you mean minim",
        ),
        (
            {"parameters": {"l": 2}},
            "l is no parameter of an attack.*given with its name, such as minimality.l",
        ),
        ({"parameters": {"counts": "early"}}, "counts is no parameter"),
        (
            {"tolerated": {"linkin.certain": 2}},
            "linkin.certain is not the measure of an attack.*mean linking",
        ),
        ({"tolerated": {"linking": 2}}, "linking is not the measure"),
        ({"tolerated": {"linking.certain": -1}}, "linking.certain must be a number of at least 0, not -1"),
        ({"max_targets": 0}, "max_targets must be at least 1, not 0"),
        ({"nearest": [True, False]}, "nearest must say one for each release: 1, not 2"),
        ({"truth": ["a", "b"]}, "truth must say one for each sensitive column: 1, not 2"),
    ],
)
def test_bad_input(clinics: duckdb.DuckDBPyConnection, wrong: dict[str, Any], message: str) -> None:
    usual = {"releases": ["early"], "qi": QI, "sensitive": "disease", **PEOPLE}
    with pytest.raises(sqlanon.InputError, match=message):
        sqlanon.run_attacks(clinics, **{**usual, **wrong})


def test_not_in_a_transaction(clinics: duckdb.DuckDBPyConnection) -> None:
    clinics.execute("begin").fetchall()
    try:
        with pytest.raises(sqlanon.InputError, match="transaction"):
            sqlanon.run_attacks(clinics, ["early"], QI, "disease")
    finally:
        clinics.execute("rollback").fetchall()


def test_an_interrupt_leaves_nothing(clinics: duckdb.DuckDBPyConnection) -> None:
    before = clinics.execute("select count(*) from duckdb_tables()").fetchall()

    def interrupt(done: float, message: str) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sqlanon.run_attacks(
            clinics, ["early"], QI, "disease", attacks=["homogeneity", "skyline"], progress=interrupt
        )
    assert clinics.execute("select count(*) from duckdb_tables()").fetchall() == before


MEASURED = st.fixed_dictionaries(
    {
        "status": st.sampled_from(sorted(STATUSES)),
        "reason": st.sampled_from([None, "why"]),
        "moot": st.booleans(),
        "supposing": st.sampled_from([None, "they are of others"]),
        "sampled": st.booleans(),
        "values": st.dictionaries(
            st.sampled_from(["certain", "located_in_all", "contradictions", "unfinished"]),
            st.tuples(st.sampled_from([None, 0.0, 5.0, 100.0]), st.sampled_from([None, 6.0, 100.0])),
        ),
    }
)


@examples(30)
@given(
    runs=st.lists(MEASURED, min_size=1, max_size=4),
    limits=st.dictionaries(st.sampled_from(["a.certain", "a.other"]), st.sampled_from([0, 5, 100])),
)
def test_what_holds(clinics: duckdb.DuckDBPyConnection, runs: Any, limits: dict[str, float]) -> None:
    """One measure after the other: what is above its bound fails, unless it supposes what is not so, and what
    is not known does not hold."""
    measured: list[tuple[Any, ...]] = []
    wanted: list[tuple[Any, ...]] = []
    for i, run in enumerate(runs):
        made = run["status"] == "done"
        values = run["values"] if made else {}
        reason = run["reason"] if made else "why"
        all_located = values.get("located_in_all", (100.0,))[0] in (100.0, None)
        all_possible = values.get("contradictions", (0.0,))[0] in (0.0, None)
        all_looked_at = values.get("unfinished", (0.0,))[0] in (0.0, None)
        is_known = made and reason is None and all_located and all_possible and all_looked_at
        for place, (id, (value, high)) in enumerate(values.items() or [(None, (None, None))]):
            measured.append((i, "a", "row", run["status"], reason, run["moot"], run["supposing"], ["r"],
                             None, run["sampled"], place, id, id, value, "%", None, high))  # fmt: skip
        stated = {key.partition(".")[2]: most for key, most in limits.items()}
        for id in [*values, *(id for id in stated if id not in values)] or [None]:
            value, high = values.get(id, (None, None))
            reached = high if run["sampled"] and high is not None else value
            verdict = None
            if id in stated and not run["moot"]:
                holds = is_known and reached is not None and reached <= stated[id]
                verdict = "holds" if holds else "not known"
                verdict = "fails" if value is not None and value > stated[id] else verdict
            if id in stated and run["supposing"] and value is not None and value > stated[id]:
                verdict = "not known"
            wanted.append((id, value, stated.get(id), verdict))
    with WorkTables(clinics) as work:
        values_of = ", ".join(f"({', '.join(literal(v).sql('duckdb') for v in row)})" for row in measured)
        made_table = work.make("measured", call("_no_measures"))
        clinics.execute(f"insert into {made_table.sql('duckdb')} values {values_of}").fetchall()
        judged = execute(clinics, call("_judged_attacks", work.name("measured"), limits))
    names = judged.columns
    found = [dict(zip(names, row, strict=True)) for row in judged]
    told = [(row["id"], row["value"], row["tolerated"], row["verdict"]) for row in found]
    assert sorted(told, key=str) == sorted(wanted, key=str)
