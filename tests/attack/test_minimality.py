"""The minimality attack: worked examples, and the slow version on releases of Mondrian."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.data import ADULT_QI, load_adult, needs_data
from tests.oracles.minimality import Learned, credibilities, minimality
from tests.tables import Column, call, load

COLUMNS = ("id", "learned", "confidence", "baseline", "is_right", "attribute", "half_size", "unfinished")


def attack(con: duckdb.DuckDBPyConnection, **arguments: Any) -> dict[Any, tuple[Any, ...]]:
    """Id -> what is learned."""
    given: dict[str, Any] = {
        "release": "release", "targets": "people", "id": "id", "qi": ["age"], "sensitive": "disease", "k": 2,
        "truth": "disease",
    } | arguments  # fmt: skip
    return {row[0]: row[1:] for row in sqlanon.minimality(con, **given).select(*COLUMNS).fetchall()}


def people(con: duckdb.DuckDBPyConnection, ages: list[Any], diseases: Sequence[str | None]) -> None:
    load(con, "people", [Column("age", "INTEGER", ages), Column("disease", "VARCHAR", diseases)])


def anonymize(con: duckdb.DuckDBPyConnection, **requirements: Any) -> None:
    con.execute("drop table if exists release")
    sqlanon.mondrian(con, "people", qi="age", sensitive="disease", into="release", **requirements)


@pytest.mark.parametrize(
    ("sizes", "rows", "wanted"),
    [
        ((2, 5), 2, (1, 0)),
        ((2, 6), 3, (1, Fraction(1, 6))),
        ((2, 3), 2, (Fraction(1, 4), Fraction(1, 2))),
        ((3, 3), 2, (Fraction(1, 3), Fraction(1, 3))),
    ],
)
def test_the_credibility_of_two_groups(
    con: duckdb.DuckDBPyConnection, sizes: tuple[int, int], rows: int, wanted: tuple[float, float]
) -> None:
    """At most every other person of a group may have the value; nobody shares one of the others."""
    counts = [rows] + [1] * (sum(sizes) - rows)
    con.execute(
        "create table problem as select 1 as problem, ? as counts, ? as n_1, ? as n_2", [counts, *sizes]
    )
    answer = con.execute(
        "select credibility_1, credibility_2 from sqlanon._credibilities('problem', 1, 0.5) where marked = ?",
        [rows],
    ).fetchall()
    assert answer == [pytest.approx(tuple(map(float, wanted)))]
    values = [0] * rows + list(range(1, sum(sizes) - rows + 1))
    first, second = credibilities(values, sizes[0], 1, 0.5)[0]
    assert (float(first), float(second)) == tuple(map(float, wanted))


@pytest.mark.slow("1 s")
def test_labels_that_nobody_reads_are_told(con: duckdb.DuckDBPyConnection) -> None:
    people(con, [20, 20, 30, 30, 30, 30, 30], ["HIV", "HIV", "a", "b", "c", "d", "e"])
    anonymize(con, k=2, alpha=0.5)
    told = attack(con, alpha=0.5)
    con.execute("insert into release (age, disease) values ('thirty', 'a')").fetchall()
    with pytest.warns(sqlanon.UnreadWarning, match="nobody understands these values of age: thirty"):
        assert attack(con, alpha=0.5).keys() == told.keys()


@pytest.mark.slow("1.7 s")
def test_a_class_that_could_have_been_cut(con: duckdb.DuckDBPyConnection) -> None:
    """2 and 5 people, of whom 2 have the same: had they not been the 2, the class would have been cut."""
    people(con, [20, 20, 30, 30, 30, 30, 30], ["HIV", "HIV", "a", "b", "c", "d", "e"])
    anonymize(con, k=2, alpha=0.5)
    answer = attack(con, alpha=0.5)
    for who in (0, 1):
        assert answer[who] == ("HIV", pytest.approx(1), pytest.approx(2 / 7), True, "age", 2, False)
    for who in range(2, 7):
        assert answer[who][:2] == ("a", pytest.approx(1 / 5))
    summed = dict(
        sqlanon.attack_summary(
            con,
            sqlanon.minimality(
                con, "release", "people", "id", "age", "disease", 2, alpha=0.5, truth="disease"
            ),
        )
        .select("id", "value")
        .fetchall()
    )
    assert summed["certain"] == pytest.approx(200 / 7)
    assert summed["right"] == pytest.approx(300 / 7)
    assert summed["expected_right"] == pytest.approx(300 / 7)


def test_a_second_algorithm_undoes_what_the_first_did(con: duckdb.DuckDBPyConnection) -> None:
    """No closure under post-processing: what comes out does not meet what the release meets."""
    people(con, [20, 20, 30, 30, 30, 30, 30], ["HIV", "HIV", "a", "b", "c", "d", "e"])
    anonymize(con, k=2, alpha=0.5)
    check = "select id, reached from " + call("violations", "{}", qi="age", sensitive="disease", alpha=0.5)
    assert con.execute(check.format("release")).fetchall() == []
    certain = [(who, found[0]) for who, found in attack(con, alpha=0.5).items() if found[1] > 0.99]
    con.execute(
        "create table certain as select unnest(?) as id, unnest(?) as disease",
        list(zip(*certain, strict=True)),
    )
    con.execute("create table undone as select age, certain.disease from certain join people using (id)")
    assert con.execute(check.format("undone")).fetchall() == [("alpha", 1)]


@pytest.mark.slow("3 s")
@settings(examples(40, quick=3), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(
            st.sampled_from([None, 1, 2, 10]),
            st.sampled_from(["", "9", "10"]),
            st.sampled_from(["a", "b", "c", "d"]),
        ),
        min_size=4,
        max_size=9,
    ),
    st.integers(1, 2),
    st.sampled_from([(2, None), (3, None), (None, 0.5), (None, 0.6), (2, 0.7)]),
)
def test_it_is_the_sum_over_all_splits(
    con: duckdb.DuckDBPyConnection,
    rows: list[tuple[int | None, str, str | None]],
    k: int,
    requirement: tuple[int | None, float | None],
) -> None:
    l, alpha = requirement
    ages, towns, diseases = map(list, zip(*rows, strict=True))
    load(
        con, "people",
        [Column('a"ge {i}', "INTEGER", ages), Column("'town", "VARCHAR", towns),
         Column("size", "VARCHAR", diseases)],
    )  # fmt: skip
    qi = ['a"ge {i}', "'town"]
    con.execute("drop table if exists release")
    try:
        sqlanon.mondrian(
            con, "people", qi=qi, sensitive="size", keep="id", k=k, l=l, alpha=alpha, into="release"
        )
    except sqlanon.InputError:  # not even the whole table meets the requirements
        assume(False)
    found = attack(con, qi=qi, sensitive="size", truth="size", k=k, l=l, alpha=alpha)
    classes: dict[Any, list[int]] = defaultdict(list)
    for *released, _, who in con.execute("select * from release").fetchall():
        classes[tuple(released)].append(who)
    wanted: dict[Any, Learned] = {}
    for members in classes.values():
        wanted |= minimality(
            {who: rows[who][:2] for who in members},
            {who: rows[who][2] for who in members},
            k,
            l or 1,
            alpha or 1,
        )
    assert found.keys() == set(range(len(rows)))
    for who, (learned, confidence, _, is_right, attribute, *_) in found.items():
        if who not in wanted:
            assert (learned, confidence, is_right, attribute) == (None, None, None, None)
        else:
            assert confidence == pytest.approx(float(wanted[who].credibility))
            assert (learned, attribute) == (wanted[who].value, qi[wanted[who].attribute - 1])
            assert is_right == ((rows[who][2] or "NULL") == learned)


def test_what_could_not_be_counted_is_told(con: duckdb.DuckDBPyConnection) -> None:
    people(con, [20] * 151 + [30] * 151, ["flu"] * 151 + ["gout"] * 151)
    anonymize(con, k=2, l=2)
    assert set(attack(con, l=2).values()) == {(None, None, 0.5, None, None, None, True)}


def test_classes_whose_people_are_not_all_known(con: duckdb.DuckDBPyConnection) -> None:
    people(con, [20, 20, 21, 21, 30, 30, 31, 31], ["a", "a", "b", "b"] * 2)
    anonymize(con, k=2, l=2)
    con.execute("delete from people where id = 7")
    answer = attack(con, l=2)
    assert [answer[who][0] is None for who in range(7)] == [False] * 4 + [True] * 3
    con.execute("delete from people where id = 0")
    with pytest.raises(sqlanon.SqlanonError, match="the targets must be everybody in the release"):
        attack(con, l=2)


@pytest.mark.slow("0.6 s")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "minimality needs what kept Mondrian from cutting: give l or alpha"),
        ({"l": 2, "sensitive": ["disease", "id"]}, "sensitive is one name or text, not "),
        ({"l": 2, "targets": "twice"}, "names 4 of the targets several times"),
        # with one value per half it would have been cut
        ({"l": 1}, "strict Mondrian under k = 2, l = 1: class 1 could be cut on age into 2 and 2 rows"),
    ],
)
def test_what_makes_it_meaningless_is_told(
    con: duckdb.DuckDBPyConnection, arguments: dict[str, Any], message: str
) -> None:
    people(con, [20, 20, 30, 30], ["a", "a", "b", "b"])
    anonymize(con, k=2, l=2)
    con.execute("create table twice as from people union all from people")
    with pytest.raises(sqlanon.SqlanonError, match=message):
        attack(con, **arguments)


def most_frequent(values: Sequence[Any], number: int) -> int:
    """How many rows have one of so many values."""
    return sum(n for _, n in Counter(values).most_common(number))


def enough(diseases: Sequence[str], k: int, l: int, alpha: float) -> int:
    """The least number of rows of a class that meet the requirements, whatever their diseases are."""
    most = most_frequent(diseases, 1)
    return max(
        k, most_frequent(diseases, l - 1) + 1, next(n for n in itertools.count(1) if most <= alpha * n)
    )


@pytest.mark.parametrize(("l", "alpha"), [(2, None), (3, None), (None, 0.75)])
def test_what_other_requirements_tell_of_classes_left_whole(
    con: duckdb.DuckDBPyConnection, l: int | None, alpha: float | None
) -> None:
    """Some raw value is that of n - 2 (K - 1) rows, K enough for what is required; with k it need not be."""
    random = Random(7)
    ages = [random.randrange(8) for _ in range(900)]
    towns = [random.randrange(4) for _ in ages]
    # in one town all young ones have a, and all others b
    diseases = [
        random.choice("aaabbbcdef") if town else "ab"[age > 3] for age, town in zip(ages, towns, strict=True)
    ]
    load(
        con, "people",
        [Column("age", "INTEGER", ages), Column("town", "INTEGER", towns),
         Column("disease", "VARCHAR", diseases)],
    )  # fmt: skip
    k = 3
    requirements = {"k": k, "l": l, "alpha": alpha}
    released = call("mondrian", "people", qi=["age", "town"], sensitive="disease", keep="id", **requirements)
    classes: dict[Any, list[int]] = defaultdict(list)
    for age, town, _, who in con.execute(f"from {released}").fetchall():
        classes[age, town].append(who)
    said = against = 0
    for members in classes.values():
        least = enough([diseases[who] for who in members], k, l or 1, alpha or 1)
        for column in (ages, towns):
            most = most_frequent([column[who] for who in members], 1)
            if len(members) >= 2 * least:
                assert most >= len(members) - 2 * (least - 1)
                said += 1
            against += len(members) >= 2 * k and most < len(members) - 2 * (k - 1)
    assert said > 0
    assert against > 0


@pytest.mark.parametrize("l", [1, 2])
def test_what_hierarchies_tell_of_classes_left_whole(con: duckdb.DuckDBPyConnection, l: int) -> None:
    """Where there is more than one child of the node, one has fewer rows than are enough."""
    random = Random(3)
    ages = [min(random.randrange(9), random.randrange(9)) for _ in range(200)]
    towns = [random.choice([0] * 5 + [1] * 5 + [2]) for _ in ages]
    diseases = [random.choice("aabbcde") for _ in ages]
    load(
        con, "people",
        [Column("age", "INTEGER", ages), Column("town", "INTEGER", towns),
         Column("disease", "VARCHAR", diseases)],
    )  # fmt: skip
    con.execute(
        "create or replace table h as select attribute, value::varchar as value, level, "
        "[value::varchar, 'third ' || value // 3, '*'][level + 1] as label "
        "from (values ('age'), ('town')) as a(attribute), range(9) as t(value), range(3) as u(level)"
    ).fetchall()
    k = 2
    released = call(
        "mondrian", "people", qi=["age", "town"], sensitive="disease", keep="id", hierarchies="h", k=k, l=l
    )
    classes: dict[Any, list[int]] = defaultdict(list)
    for age, town, _, who in con.execute(f"from {released}").fetchall():
        classes[age, town].append(who)
    said = 0
    for labels, members in classes.items():
        least = enough([diseases[who] for who in members], k, l, 1)
        for label, column in zip(labels, (ages, towns), strict=True):
            values = [column[who] for who in members]
            if not label.isdigit():
                children = Counter(value // 3 if label == "*" else value for value in values)
                assert len(children) > 1
                assert min(children.values()) < least
                said += 1
    assert said > 0


def test_with_a_hierarchy_no_value_needs_to_be_frequent(con: duckdb.DuckDBPyConnection) -> None:
    """One of thirteen is 40: a cut into 20, 30 and 40 would leave him alone."""
    people(con, [20] * 6 + [30] * 6 + [40], ["flu"] * 13)
    con.execute("create or replace table h as from sqlanon.flat_hierarchy('people', 'age')").fetchall()
    released = call("mondrian", "people", qi="age", hierarchies="h", k=2)
    assert con.execute(f"select distinct age from {released}").fetchall() == [("*",)]  # not 13 - 2 (2 - 1)


# For every class and attribute of the table raw: rows, and those of the value that most of them have.
MOST = """
with cell as (
    unpivot (select label, columns(* exclude (label))::varchar from raw)
    on columns(* exclude (label)) into name attribute value value
),
counted as (select label, attribute, value, count(*) as n from cell group by all)
select count(*), count(*) filter (most < size - 2 * (4))
from (select label, attribute, sum(n) as size, max(n) as most from counted group by all) where size >= 2 * 5
"""


@pytest.mark.slow("1.6 s")
@needs_data
def test_what_k_alone_tells_of_classes_left_whole(con: duckdb.DuckDBPyConnection) -> None:
    """In a class of n >= 2k rows some raw value is that of n - 2 (k - 1), in every attribute: by k alone.

    Other requirements leave classes whole that have no such value.
    """
    load_adult(con, "adult")
    exceptions = []
    for l in (None, 3):
        release = sqlanon.mondrian(con, "adult", qi=ADULT_QI, sensitive="occupation", keep="id", k=5, l=l)
        labels = ", ".join(f"released.{column}" for column in ADULT_QI)
        con.execute(
            f"""create or replace table raw as
            select hash({labels})::varchar as label, adult.* exclude (id, occupation)
            from adult join {release.table} as released using (id)"""
        )
        exceptions.append(con.execute(MOST).fetchall()[0])
    (classes, none), (_, some) = exceptions
    assert classes > 1000
    assert none == 0
    assert some > 0
