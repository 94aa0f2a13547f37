"""Collations: quasi-identifiers compare by their bytes, sensitive values as their column says,
in every macro.
"""

from __future__ import annotations

import duckdb
import pytest

import sqlanon
from sqlanon.core.errors import InputError

ROLES = "qi := ['city', 'age'], sensitive := 'disease', keep := 'name'"
ANONYMIZERS = [
    f"mondrian('people', {ROLES}, k := 3, l := 2)",
    f"mondrian('people', {ROLES}, k := 3, hierarchies := 'h')",
    f"mondrian('people', {ROLES}, k := 3, relaxed := true)",
    f"mondrian('people', {ROLES}, k := 3, target := 'disease')",
    f"mondrian('people', {ROLES}, k := 3, population := 'people', k_map := 3)",
    f"generalize('people', {ROLES}, levels := [1, 0], k := 3, hierarchies := 'h', suppression_limit := 1)",
    f"optimal('people', {ROLES}, k := 3, l := 2, hierarchies := 'h')",
    f"samarati('people', {ROLES}, k := 3, hierarchies := 'h')",
    f"datafly('people', {ROLES}, k := 3, hierarchies := 'h')",
    f"mu_argus('people', {ROLES}, k := 3, wildcards := false)",
    f"microaggregate('people', {ROLES}, k := 3, l := 2, algorithm := 'curve')",
    f"k_similar('people', {ROLES}, k := 3, l := 2, algorithm := 'curve')",
    f"anatomize('people', {ROLES}, l := 2)",
]


@pytest.fixture
def people(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """60 people in cities that differ in case only, and the flat hierarchies of city and age,
    all of it without case.
    """
    con.execute(
        """
        create table people (id integer, city varchar collate nocase, age integer,
            disease varchar collate nocase,
                             name varchar collate nocase);
        insert into people
        select i, ['Rome', 'rome', 'ROME', 'Oslo', 'oslo', 'OSLO'][1 + i % 6], 20 + i % 15,
               ['flu', 'Flu', 'hiv', 'cold', 'Cold', 'HIV'][1 + i * i % 7 % 6],
                   ['Al', 'AL', 'al'][1 + i % 3] || i
        from range(60) as numbers(i);
        create table h (attribute varchar collate nocase, value varchar collate nocase, level integer,
                        label varchar collate nocase);
        insert into h from sqlanon.flat_hierarchy('people', 'city')
            union all from sqlanon.flat_hierarchy('people', 'age');
        """
    ).fetchall()
    return con


def test_rows_are_neither_lost_nor_doubled(people: duckdb.DuckDBPyConnection) -> None:
    """A class is the same rows where it is counted and where it is released;
    kept values leave byte for byte.
    """
    for call in ANONYMIZERS:
        people.execute(f"create or replace table released as from sqlanon.{call}").fetchall()
        [(rows, names, smallest)] = people.execute(
            """
            select sum(n), sum(known), min(n)
            from (select count(*) as n,
                      count(*) filter (name::blob in (select name::blob from people)) as known
                  from released group by city::varchar::blob, age)
            """
        ).fetchall()
        [(different,)] = people.execute("select count(distinct name::blob) from released").fetchall()
        assert rows == names == different == 60, call
        assert "anatomize(" in call or smallest >= 3, call


@pytest.mark.slow("half a second a case", but=(1,))
@pytest.mark.both_lines
@pytest.mark.parametrize("collation", ["nocase", "noaccent"])
def test_a_flat_hierarchy_is_one_of_all_values(con: duckdb.DuckDBPyConnection, collation: str) -> None:
    """The example of a table that its owner cannot use otherwise, in SQL and in Python."""
    con.execute(f"create table people (city varchar collate {collation}, age integer)").fetchall()
    con.execute(
        "insert into people values ('Rome', 1), ('rome', 1), ('Röme', 1), ('Oslo', 1), ('oslo', 1), "
        "('Oslo', 2)"
    ).fetchall()
    con.execute(
        "create table h as from sqlanon.flat_hierarchy('people', 'city')"
        " union all from sqlanon.flat_hierarchy('people', 'age')"
    ).fetchall()
    rows = con.execute(
        "from sqlanon.generalize('people', ['city', 'age'], [1, 0], hierarchies := 'h', k := 2, "
        "suppression_limit := 0.2)"
    ).fetchall()
    assert rows == [("*", "1")] * 5
    release = sqlanon.generalize(
        con, "people", qi=["city", "age"], levels={"city": 1, "age": 0}, hierarchies="h", k=2,
        suppression_limit=0.2
    )  # fmt: skip
    assert (release.rows, release.suppressed_rows) == (5, 1)
    classes = con.execute("select city, size from sqlanon.classes('people', 'city')").fetchall()
    assert sorted(classes) == [("Oslo", 2), ("Rome", 1), ("Röme", 1), ("oslo", 1), ("rome", 1)]


@pytest.mark.slow("1.1 s")
def test_python_gives_what_sql_gives(people: duckdb.DuckDBPyConnection) -> None:
    release = sqlanon.mondrian(
        people, "people", qi=["city", "age"], sensitive="disease", k=3, l=2, into="east"
    )
    assert (release.rows, release.reached["distinct l-diversity"]) == (60, 2)
    statement = "from sqlanon.mondrian('people', ['city', 'age'], 'disease', k := 3, l := 2)"
    assert sorted(people.execute(statement).fetchall()) == sorted(people.execute("from east").fetchall())
    assert sqlanon.mu_argus(people, "people", qi=["city", "age"], k=3).rows == 60
    assert sqlanon.anatomize(people, "people", qi=["city", "age"], sensitive="disease", l=2).rows == 60


@pytest.mark.both_lines
def test_sensitive_values_that_their_column_calls_equal_are_one(people: duckdb.DuckDBPyConnection) -> None:
    """Otherwise flu, Flu and FLU were three diseases: a false l-diversity."""
    people.execute(
        "create table ill (age integer, disease varchar collate nocase);"
        "insert into ill values (1, 'flu'), (1, 'Flu'), (2, 'hiv'), (2, 'flu')"
    ).fetchall()
    reached = (
        "select reached from sqlanon.privacy('ill', 'age', 'disease') where model = 'distinct l-diversity'"
    )
    assert people.execute(reached).fetchall() == [(1,)]
    violations = "select class.age from sqlanon.violations('ill', 'age', 'disease', l := 2)"
    assert people.execute(violations).fetchall() == [(1,)]
    released = people.execute("from sqlanon.mondrian('ill', 'age', 'disease', k := 2, l := 2)").fetchall()
    assert {age for age, _ in released} == {"[1, 2]"}
    with pytest.raises(duckdb.InvalidInputException, match=r"of 4 rows 3 have the value"):
        people.execute("from sqlanon.anatomize('ill', 'age', 'disease', l := 2)").fetchall()


@pytest.mark.slow("1.4 s")
def test_checks_and_attacks_compare_by_bytes(people: duckdb.DuckDBPyConnection) -> None:
    run = people.execute
    # Six cities, two of which no collation tells apart from two others.
    assert run("select count(*) from sqlanon.classes('people', 'city')").fetchall() == [(6,)]
    assert run("select count(*) from sqlanon.wildcard_frequencies('people', 'city')").fetchall() == [(6,)]
    [(classes,)] = run(
        "select value from sqlanon.risk('people', 'city') where measure = 'classes'"
    ).fetchall()
    assert classes == 6
    least = "select min(people) from sqlanon.record_risk('people', 'city', population := 'people')"
    assert run(least).fetchall() == [(10,)]
    assert run("select combinations from sqlanon.quasi_identifiers('people', 'city')").fetchall() == [(6,)]
    assert run("select count(*) from sqlanon.suda('people', ['city', 'age'], 'id')").fetchall() == [(60,)]
    lattice = (
        "select classes from sqlanon.lattice('people', 'city', hierarchies := 'h', k := 10) order by height"
    )
    assert run(lattice).fetchall() == [(6,), (1,)]
    # Each is located where their own bytes are, and nowhere else.
    for hierarchies in ("null", "'h'"):
        located = run(
            "select count(*), count(distinct id), min(size) "
            f"from sqlanon.locate('people', 'people', 'id', 'city', {hierarchies})"
        ).fetchall()
        assert located == [(60, 60, 10)]
    run("create table other as select city collate noaccent as city, disease from people").fetchall()
    attack = (
        "select count(*) from sqlanon.intersection_attack(['people', 'other'], 'people', 'id', 'city', "
        "'disease')"
    )
    assert run(attack).fetchall() == [(60,)]
    gone = "select value from sqlanon.utility('people', 'other', 'city') where measure = 'GCP'"
    assert run(gone).fetchall() == [(0,)]


@pytest.mark.both_lines
@pytest.mark.parametrize(
    "call",
    [
        "mondrian('people', 'city', k := 2)", "classes('people', 'city')", "flat_hierarchy('people', 'city')",
        "violations('people', 'city', k := 2)", "locate('people', 'people', 'id', 'city')",
        "pram('people', 'city')",
        "quasi_identifiers('people')", "suda('people', ['city', 'age'], 'id')",
        "anatomize('people', 'city', 'age', l := 2)",
    ],
)  # fmt: skip
def test_a_default_collation_is_refused(people: duckdb.DuckDBPyConnection, call: str) -> None:
    people.execute("set default_collation = 'nocase'").fetchall()
    with pytest.raises(
        duckdb.InvalidInputException, match=r"default_collation is nocase.*reset default_collation"
    ):
        people.execute(f"from sqlanon.{call}").fetchall()
    people.execute("reset default_collation").fetchall()
    people.execute(f"from sqlanon.{call}").fetchall()


@pytest.mark.slow("0.4 s")
def test_a_default_collation_is_refused_in_python(people: duckdb.DuckDBPyConnection) -> None:
    people.execute("set default_collation = 'nocase'").fetchall()
    with pytest.raises(InputError, match="reset default_collation"):
        sqlanon.mondrian(people, "people", qi="city", k=2, into="east")
    with pytest.raises(InputError, match="reset default_collation"):
        sqlanon.classes(people, "people", qi="city")
    people.execute("set default_collation = 'binary'").fetchall()
    assert sqlanon.mondrian(people, "people", qi="city", k=2, into="east").rows == 60
