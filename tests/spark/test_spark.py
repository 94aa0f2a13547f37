"""What Spark says of a table is what DuckDB says of it, and what is released are the same rows."""

from __future__ import annotations

import inspect
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

import sqlanon
from sqlanon.macros.requirements import Requirements
from tests import data
from tests.tables import identifier

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = [
    # whose environment has Spark
    # pyspark says this of pandas, which none of its functions that are used here needs
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]

AGE, ZIP, DISEASE = "age `in` years", 'the "zip".code', "disease"
QI = [AGE, ZIP]
TABLES = {"population", "known", "based_on", "reference"}  # parameters


@dataclass
class People:
    """The same table here and there."""

    con: duckdb.DuckDBPyConnection
    spark: SparkSession

    def frame(self, query: str) -> DataFrame:
        return self.spark.createDataFrame(self.con.sql(query).to_arrow_table())

    @property
    def there(self) -> DataFrame:
        return self.frame("from people")

    def hierarchies(self) -> Any:
        return self.con.sql("from hierarchies").to_arrow_table()


def rows(made: Any) -> Counter[str]:
    """The rows of an answer, a release or a DataFrame, whatever their order."""
    from pyspark.sql import DataFrame

    if isinstance(made, DataFrame):
        return Counter(repr(tuple(row.values())) for row in made.toArrow().to_pylist())
    relation = made if isinstance(made, duckdb.DuckDBPyRelation) else made.relation()
    return Counter(repr(tuple(row.values())) for row in relation.to_arrow_table().to_pylist())


@pytest.fixture(scope="module")
def people(spark: SparkSession) -> Iterator[People]:
    with duckdb.connect() as con:
        sqlanon.register(con)
        con.execute("set TimeZone = 'UTC'").fetchall()
        con.execute(f"""
            create table people as
            select (hash(i, 1) % 40)::int + 20 as "{AGE}",
                   if(hash(i, 2) % 7 > 0, 'z ' || (hash(i, 2) % 7), null) as "the ""zip"".code",
                   'd' || (hash(i, 3) % 4) as disease, i // 2 as patient, (hash(i, 4) % 3)::int as people,
                   i as id
            from range(400) as numbers(i)""").fetchall()
        con.execute(f"""
            create table hierarchies as
            from sqlanon.interval_hierarchy('people', '{AGE}', widths := [5, 20])""").fetchall()
        yield People(con, spark)


def spark_functions() -> Any:
    import sqlanon.spark

    return sqlanon.spark


class TestMeasures:
    @pytest.mark.slow("11 s")
    def test_the_answers_are_those_of_one_machine(self, people: People) -> None:
        s, con, there = spark_functions(), people.con, people.there
        assert rows(s.classes(there, QI)) == rows(sqlanon.classes(con, "people", QI))
        told: dict[str, Any] = {"qi": QI, "sensitive": DISEASE, "k": 3, "l": 3}
        violations = sqlanon.violations(con, "people", **told)
        assert rows(s.violations(there, **told)) == rows(violations)
        assert violations.aggregate("count(*)").fetchall() != [(0,)]
        assert s.violations(there, QI, k=1).count() == 0

    @pytest.mark.slow("Spark starts jobs")
    @pytest.mark.parametrize("about", [{}, {"unit": "patient"}, {"weight": "people"}], ids=str)
    def test_with_people_weights_and_a_population(self, people: People, about: dict[str, Any]) -> None:
        s, con, there = spark_functions(), people.con, people.there
        assert rows(s.classes(there, QI, **about)) == rows(sqlanon.classes(con, "people", QI, **about))
        told = {"hierarchies": people.hierarchies(), **about}
        assert rows(s.privacy(there, QI, DISEASE, **told)) == rows(
            sqlanon.privacy(con, "people", QI, DISEASE, **told)
        )
        if "unit" not in about:
            told |= {"k_map": 12, "k": 2}
            assert rows(s.violations(there, QI, population=there, **told)) == rows(
                sqlanon.violations(con, "people", QI, population="people", **told)
            )


class TestFullDomain:
    @pytest.mark.slow("Spark starts jobs")
    def test_levels_that_are_given(self, people: People) -> None:
        told: dict[str, Any] = {
            "qi": QI, "levels": {AGE: 1}, "sensitive": DISEASE, "keep": "id", "k": 3, "l": 2,
            "suppression_limit": 0.3, "hierarchies": people.hierarchies(),
        }  # fmt: skip
        made = spark_functions().generalize(people.there, **told)
        expected = sqlanon.generalize(people.con, "people", **told)
        assert rows(made.df()) == rows(expected)
        assert made.suppressed_rows == expected.suppressed_rows > 0
        for told_of in ("rows", "classes", "reached", "required", "details"):
            assert getattr(made, told_of) == getattr(expected, told_of)
        assert "suppressed" in str(made)

    @pytest.mark.slow("Spark starts jobs")
    @pytest.mark.parametrize("local_recoding", [False, True])
    def test_the_best_levels(self, people: People, local_recoding: bool) -> None:
        told: dict[str, Any] = {
            "qi": QI, "sensitive": DISEASE, "keep": "id", "k": 4, "t": 0.5, "suppression_limit": 0.5,
            "hierarchies": people.hierarchies(), "local_recoding": local_recoding,
        }  # fmt: skip
        made = spark_functions().optimal(people.there, **told)
        expected = sqlanon.optimal(people.con, "people", **told)
        assert rows(made.df()) == rows(expected)
        assert (made.reached, made.details) == (expected.reached, expected.details)


class TestMondrian:
    def check(self, people: People, task_size: int, told: dict[str, Any], table: str = "people") -> int:
        """The rows are those of one machine; how many rounds of cuts Spark made."""
        made = spark_functions().mondrian(people.frame(f"from {table}"), task_size=task_size, **told)
        expected = sqlanon.mondrian(people.con, table, **told)
        assert rows(made.df()) == rows(expected)
        for told_of in ("rows", "classes", "reached", "required", "suppressed_rows", "people"):
            assert getattr(made, told_of) == getattr(expected, told_of)
        return int(made.details["rounds"])

    def test_the_rows_are_those_of_one_machine(self, people: People) -> None:
        told: dict[str, Any] = {"qi": QI, "sensitive": DISEASE, "keep": "id", "k": 3, "l": 2, "t": 0.6}
        assert self.check(people, 100, {**told, "hierarchies": people.hierarchies()}) >= 2

    @pytest.mark.slow("Spark starts jobs")
    def test_people_with_several_rows(self, people: People) -> None:
        """Rows without a unit are one person's."""
        people.con.execute("""
            create or replace table visits as
            select * replace (if(patient % 10 = 0, null, 'p' || patient // 2) as patient) from people""")
        told: dict[str, Any] = {"qi": QI, "sensitive": DISEASE, "keep": "id", "k": 3, "l": 2}
        told |= {"unit": "patient", "hierarchies": people.hierarchies()}
        assert self.check(people, 60, told, "visits") >= 2

    @pytest.mark.slow("Spark starts jobs")
    @pytest.mark.parametrize("task_size", [1, 40, 10**6])
    @pytest.mark.parametrize(
        "told",
        [
            {"k": 5},
            {"k": 4, "recoding": "range"},
            {"k": 2, "entropy_l": 1.5, "t": 0.5, "t_distance": "ordered"},
            {"k": 300},
            {"k": 4, "unit": "patient"},
            {"l": 2, "unit": "patient"},
        ],
        ids=str,
    )
    def test_whatever_the_number_of_parts(self, people: People, told: dict[str, Any], task_size: int) -> None:
        self.check(people, task_size, {"qi": QI, "sensitive": DISEASE, "keep": "id", **told})

    @pytest.mark.slow("Spark starts jobs")
    @data.needs_data
    def test_adult(self, people: People) -> None:
        data.load_adult(people.con, "adult")
        told: dict[str, Any] = {
            "qi": data.ADULT_QI, "sensitive": data.ADULT_SENSITIVE, "keep": "id", "k": 5, "l": 3,
        }  # fmt: skip
        assert self.check(people, 8000, told, "adult") >= 2

    @pytest.mark.slow("Spark starts jobs")
    def test_a_million_rows(self, people: People, tmp_path: Path) -> None:
        """(Compared by DuckDB, from files.)"""
        con = people.con
        con.execute("""
            create table million as
            select (hash(i, 1) % 60)::int as a, (hash(i, 2) % 100)::int as b, (hash(i, 3) % 50)::int as c,
                   (hash(i, 4) % 12)::int as disease
            from range(1000000) as numbers(i)""").fetchall()
        con.table("million").write_parquet(str(tmp_path / "million.parquet"))
        told: dict[str, Any] = {"qi": ["a", "b", "c"], "sensitive": DISEASE, "k": 5, "l": 2}
        source = people.spark.read.parquet(str(tmp_path / "million.parquet"))
        made = spark_functions().mondrian(source, task_size=20_000, **told)
        assert made.details["rounds"] >= 2
        made.df().write.parquet(str(tmp_path / "made"))
        sqlanon.mondrian(con, "million", into="expected", **told)
        there = f"select * from read_parquet('{tmp_path}/made/*.parquet')"
        for one, other in ((there, "from expected"), ("from expected", there)):
            assert con.execute(f"select count(*) from ({one} except all {other})").fetchall() == [(0,)]
        assert con.execute(f"select count(*) from ({there})").fetchall() == [(1_000_000,)]

    @pytest.mark.slow("Spark starts jobs")
    def test_half_of_all_rows_have_one_value(self, people: People) -> None:
        people.con.execute("""
            create table skewed as
            select if(i % 2 = 0, 7, (hash(i, 1) % 50)::int) as a, (hash(i, 2) % 50)::int as b, 'x' as c,
                   i as id
            from range(20000) as numbers(i)""").fetchall()
        told: dict[str, Any] = {"qi": ["a", "b", "c"], "keep": "id", "k": 10}
        assert self.check(people, 500, told, "skewed") >= 2


@pytest.fixture(scope="module")
def present(people: People) -> None:
    """Releases that are out already, who is in which of them, and everybody who might be in the table."""
    con = people.con
    for name, where in (("earlier", "id % 3 > 0"), ("other", "id % 3 < 2"), ("same_rows", "true")):
        some = con.sql(f"from people where {where}").to_arrow_table()
        sqlanon.mondrian(con, some, qi=QI, sensitive=DISEASE, k=4, l=2, into=name)
    some = con.sql("from people where id < 300").to_arrow_table()
    sqlanon.mondrian(con, some, qi=QI, sensitive=DISEASE, k=10, l=2, into="grown")
    con.execute(f"""
        create table everybody as
        from people union all
        select * replace (id + 400 as id, (hash(id, 9) % 40)::int + 20 as "{AGE}") from people""").fetchall()
    con.execute(f"""
        create table rare as
        select i as "{AGE}", 'a' as "the ""zip"".code", i as id,
               if(i = 29, 'hiv', ['flu', 'cold'][1 + i % 2]) as disease
        from range(30) as numbers(i)""").fetchall()
    con.execute(f"""
        create table night as
        select '[0, 29]' as "{AGE}", 'a' as "the ""zip"".code", unnest(['flu', 'cold']) as disease
        union all select '10', 'a', 'hiv'""").fetchall()
    con.execute("create table nothing as from people limit 0").fetchall()
    con.execute("""
        create table present as
        select *, id % 3 > 0 as in_earlier, id % 3 < 2 as in_other from people""").fetchall()


@pytest.mark.usefixtures("present")
class TestOnTheDriver:
    """What needs all distinct combinations at once, or people: the same rows, details and errors."""

    def there(self, people: People, told: dict[str, Any]) -> dict[str, Any]:
        """Parameters with DataFrames in the place of tables."""

        def frames(value: Any) -> Any:
            return [*map(frames, value)] if isinstance(value, list) else people.frame(f"from {value}")

        return {name: frames(value) if name in TABLES else value for name, value in told.items()}

    def check(
        self, people: People, function: str, told: dict[str, Any], divided: Sequence[str] = (),
        table: str = "present",
    ) -> Any:  # fmt: skip
        """The release is that of one machine. divided: columns that tell equal rows apart, which may be dealt
        otherwise."""
        told = {"qi": QI, "sensitive": DISEASE, "keep": ["id"], "hierarchies": people.hierarchies(), **told}
        source = people.frame(f"from {table}")
        made = getattr(spark_functions(), function)(source, **self.there(people, told))
        expected = getattr(sqlanon, function)(people.con, table, **told)
        for some in (made.columns,) if not divided else ({*made.columns} - {*divided}, divided):
            columns = sorted(some)
            there = made.df().select(*(made.df()[f"`{name.replace('`', '``')}`"] for name in columns))
            here = expected.relation().select(*map(duckdb.ColumnExpression, columns))
            assert rows(there) == rows(here)
        for told_of in ("rows", "classes", "required", "suppressed_rows", "people"):
            assert getattr(made, told_of) == getattr(expected, told_of), told_of
        assert made.reached == pytest.approx(expected.reached)
        only_here = {"rounds"} if function == "mondrian" else set()
        details = {name: value for name, value in made.details.items() if name not in only_here}
        assert details == expected.details
        assert str(made).split(" s;")[1] == str(expected).split(" s;")[1]
        return made

    @pytest.mark.slow("Spark starts jobs")
    @pytest.mark.parametrize("function", ["mondrian", "generalize", "optimal"])
    @pytest.mark.parametrize(
        "told",
        [
            {"unit": "patient", "k": 3, "l": 2},
            {"population": "everybody", "k_map": 12, "k": 2},
            {"population": "everybody", "dmin": 0.1, "dmax": 0.9},
            {"known": ["earlier", "other"], "composed_l": 2, "k": 2},
            {"known": ["earlier", "other"], "composed_l": 2, "presence": ["in_earlier", "in_other"], "k": 3},
        ],
        ids=str,
    )
    def test_people_and_known_releases(self, people: People, function: str, told: dict[str, Any]) -> None:
        if function == "generalize":
            told = {**told, "levels": {AGE: 2}}
        if function != "mondrian" and "dmin" not in told:
            told = {**told, "suppression_limit": 0.8}
        self.check(people, function, told)

    @pytest.mark.slow("Spark starts jobs")
    def test_people(self, people: People) -> None:
        """(Quick cases of the above, and of the next.)"""
        told = {"levels": [1, 0], "unit": "patient", "k": 6, "suppression_limit": 0.9}
        assert self.check(people, "generalize", told).suppressed_rows > 0
        self.check(people, "mondrian", {"population": "everybody", "k_map": 12})

    @pytest.mark.slow("2 s")
    def test_suppressed_rows(self, people: People) -> None:
        """Of thirty people one is known to have one of three values, one of which is rare."""
        told = {"known": ["night"], "composed_l": 3, "k": 4, "suppression_limit": 0.05, "hierarchies": None}
        made = self.check(people, "mondrian", told, table="rare")
        assert (made.suppressed_rows, made.details["exposed_suppressed_rows"]) == (1, 1)

    @pytest.mark.slow("Spark starts jobs")
    @pytest.mark.parametrize(
        "told",
        [
            {"target": DISEASE, "k": 5},
            {"target": "patient", "keep": ["id", "patient"], "k": 4, "l": 2},
            {"known": ["earlier", "other"], "composed_l": 3, "suppression_limit": 0.2, "target": DISEASE,
             "presence": ["in_earlier", "in_other"]},
            {"based_on": "same_rows", "k": 5},
            {"unit": "patient", "k": 2, "recoding": "range"},
            {"unit": "patient", "k": 2, "t": 0.5},
            {"known": ["same_rows"], "composed_confidence": 0.6, "k": 2},
            {"based_on": "grown", "bcf_k": 2, "k": 3},
        ],
        ids=str,
    )  # fmt: skip
    def test_parameters_of_mondrian(self, people: People, told: dict[str, Any]) -> None:
        self.check(people, "mondrian", told)

    @pytest.mark.slow("Spark starts jobs")
    @pytest.mark.parametrize(
        "told",
        [
            {"k": 3, "l": 2},
            {"k": 4, "unit": "patient"},
            {"known": ["earlier"], "composed_l": 2, "presence": ["in_earlier"]},
        ],
        ids=str,
    )
    def test_classes_that_overlap(self, people: People, told: dict[str, Any]) -> None:
        self.check(people, "mondrian", {"relaxed": True, "seed": 3, **told}, ["id"])

    @pytest.mark.slow("3 s")
    def test_a_target_and_classes_that_overlap(self, people: People) -> None:
        """(Quick cases of the above.)"""
        self.check(people, "mondrian", {"k": 5, "target": DISEASE})
        self.check(people, "mondrian", {"k": 3, "relaxed": True}, ["id"])

    @pytest.mark.slow("Spark starts jobs")
    @pytest.mark.parametrize("seed", range(8))
    def test_small_random_tables(self, people: People, seed: int) -> None:
        """Or both refuse."""
        con, chance = people.con, random.Random(seed)
        con.execute(f"""
            create or replace table small as
            select if(hash(i, {seed}, 1) % 9 = 0, null, (hash(i, {seed}, 2) % 12)::int) as a,
                   date '2020-01-01' + (hash(i, {seed}, 3) % 6)::int as b,
                   'c' || (hash(i, {seed}, 4) % 3) as c,
                   'd' || (hash(i, {seed}, 5) % 3) as disease, (hash(i, {seed}, 6) % 30)::int as person,
                   hash(i, {seed}, 7) % 2 = 0 as before
            from range({chance.randint(8, 60)}) as numbers(i)""").fetchall()
        roles: dict[str, Any] = {"qi": ["a", "b", "c"], "sensitive": "disease"}
        half = con.sql("from small where before").to_arrow_table()
        sqlanon.mondrian(con, half, k=2, into="small_half", replace=True, **roles)
        asked: dict[str, Any] = chance.choice([
            {"unit": "person"}, {"population": "small", "k_map": 3}, {"relaxed": True, "l": 2},
            {"target": "disease"}, {"known": ["small_half"], "composed_l": 2, "suppression_limit": 0.3},
            {"known": ["small_half"], "composed_l": 2, "presence": "before"},
        ])  # fmt: skip
        told = {**roles, "keep": [], "hierarchies": None, "k": chance.randint(1, 3), **asked}
        try:
            sqlanon.mondrian(con, "small", **told)
        except sqlanon.InputError:
            with pytest.raises(sqlanon.InputError):
                spark_functions().mondrian(people.frame("from small"), **self.there(people, told))
        else:
            self.check(people, "mondrian", told, table="small")

    @pytest.mark.slow("Spark starts jobs")
    @data.needs_data
    @pytest.mark.parametrize(
        "told",
        [
            {"unit": "id", "k": 5, "l": 2},
            {"target": "occupation", "k": 20},
            {"known": ["adult_half"], "composed_l": 2, "suppression_limit": 0.05},
        ],
        ids=str,
    )
    def test_adult(self, people: People, told: dict[str, Any]) -> None:
        con = people.con
        data.load_adult(con, "adult")
        roles: dict[str, Any] = {"qi": data.ADULT_QI, "sensitive": data.ADULT_SENSITIVE}
        half = con.sql("from adult where id % 2 = 0").to_arrow_table()
        sqlanon.mondrian(con, half, k=10, l=3, into="adult_half", replace=True, **roles)
        self.check(people, "mondrian", {**told, **roles, "hierarchies": None, "keep": []}, table="adult")

    @pytest.mark.parametrize(
        "told",
        [
            {"known": ["earlier", "other"], "composed_l": 3, "reference": "present"},
            pytest.param({"known": ["earlier"], "composed_l": 2, "presence": ["in_earlier"], "k": 4,
                          "reference": "present"}, marks=pytest.mark.slow("3 s")),
        ],
        ids=str,
    )  # fmt: skip
    def test_violations(self, people: People, told: dict[str, Any]) -> None:
        told = {"qi": QI, "sensitive": DISEASE, **told}
        made = spark_functions().violations(people.there, **self.there(people, told))
        expected = sqlanon.violations(people.con, "people", **told)
        assert rows(made) == rows(expected)
        assert sum(rows(made).values()) > 0

    @pytest.mark.parametrize(
        "told",
        [
            {"k": 2, "known": ["earlier"]},
            {"composed_l": 2},
            {"k_map": 2},
            {"k_map": 900, "population": "everybody"},
            {"k": 2, "unit": "patients"},
            {"k": 2, "relaxed": True, "unit": "patient", "l": 2},
            {"k": 2, "relaxed": True, "target": DISEASE},
            {"k": 2, "target": "patient"},
            {"k": 2, "suppression_limit": 0.1},
            {"composed_l": 2, "known": ["earlier"], "presence": ["in_earlier", "in_other"]},
            {"composed_l": 2, "known": ["earlier"], "presence": "in_nothing"},
            {"composed_l": 2, "known": ["nothing"]},
            {"based_on": "earlier", "k": 2},
            {"based_on": "same_rows", "known": ["earlier"], "composed_l": 2},
            {"composed_confidence": 0.5},
            pytest.param({"composed_confidence": 0.01, "known": ["earlier"]}, marks=pytest.mark.slow("8 s")),
            {"bcf_k": 2},
            {"bcf_k": 0, "based_on": "earlier"},
            pytest.param({"bcf_k": 300, "based_on": "grown"}, marks=pytest.mark.slow("5 s")),
            {"k": 401, "unit": "patient"},
        ],
        ids=str,
    )
    def test_errors(self, people: People, told: dict[str, Any]) -> None:
        """They are those of one machine, but for the table that lacks a column: not each place knows it."""
        told = {"qi": QI, "sensitive": DISEASE, "keep": ["id"], **told}
        tables = {name: self.arrow(people, told[name]) for name in TABLES & told.keys()}
        with pytest.raises(sqlanon.InputError) as here:
            sqlanon.mondrian(people.con, self.arrow(people, "present"), **{**told, **tables})
        with pytest.raises(sqlanon.InputError) as there:
            spark_functions().mondrian(people.frame("from present"), **self.there(people, told))
        assert str(there.value).replace(" in source", "") == str(here.value).replace(" in source", "")

    def arrow(self, people: People, tables: Any) -> Any:
        """A table, or a list of them."""
        if isinstance(tables, list):
            return [self.arrow(people, each) for each in tables]
        return people.con.sql(f"from {tables}").to_arrow_table()


class TestAttack:
    @pytest.fixture(autouse=True)
    def parts(self, monkeypatch: pytest.MonkeyPatch, spark: SparkSession) -> None:
        """Several parts of the targets in each task."""
        monkeypatch.setattr("sqlanon.spark.attack.TARGETS", 150)

    @pytest.fixture
    def releases(self, people: People) -> list[str]:
        for name, where in (("east", "id % 3 > 0"), ("west", "id % 3 < 2")):
            some = people.con.sql(f"from people where {where}").to_arrow_table()
            sqlanon.mondrian(people.con, some, qi=QI, sensitive=DISEASE, k=3, into=name, replace=True)
        return ["east", "west"]

    def check(self, people: People, releases: list[str], source: str = "people", **told: Any) -> None:
        s, con = spark_functions(), people.con
        told = {"id": "id", "qi": QI, "sensitive": DISEASE, "truth": DISEASE, **told}
        there, targets = [people.frame(f"from {name}") for name in releases], people.frame(f"from {source}")
        attack = sqlanon.intersection_attack(con, releases, source, **told)
        assert rows(s.intersection_attack(there, targets, **told)) == rows(attack)
        assert len(rows(attack)) == 400
        self.check_breaches(people, releases, source, **told)

    def check_breaches(self, people: People, releases: list[str], source: str, **told: Any) -> None:
        there, targets = [people.frame(f"from {name}") for name in releases], people.frame(f"from {source}")
        measured = spark_functions().breaches(there, targets, **told).collect()
        expected = sqlanon.breaches(people.con, releases, source, **told).fetchall()
        assert len(measured) == len(expected)
        for one, other in zip(measured, expected, strict=True):
            assert one[:2] == other[:2]
            assert list(one[2:]) == [pytest.approx(x) if isinstance(x, float) else x for x in other[2:]]

    @pytest.mark.slow("Spark starts jobs")
    def test_it_tells_what_it_tells_on_one_machine(self, people: People, releases: list[str]) -> None:
        self.check(people, releases)

    @pytest.mark.slow("Spark starts jobs")
    def test_of_suppressed_rows(self, people: People, releases: list[str]) -> None:
        """How many people a class covers all parts tell together."""
        stars = ", ".join(f"'*' as {identifier(column)}" for column in QI)
        people.con.execute(
            "create or replace table starred as from east union all by name "
            f"select {stars}, {DISEASE} from people where id % 20 = 1"
        )
        told: dict[str, Any] = {"id": "id", "qi": QI, "sensitive": DISEASE}
        for names in (["starred"], ["starred", "west"]):
            there = [people.frame(f"from {name}") for name in names]
            made = spark_functions().intersection_attack(there, people.there, **told)
            assert rows(made) == rows(sqlanon.intersection_attack(people.con, names, "people", **told))

    @pytest.mark.slow("7 s")
    def test_of_two_releases(self, people: People, releases: list[str]) -> None:
        """(Quick cases of the above: one of rows, and one of measures.)"""
        told: dict[str, Any] = {"id": "id", "qi": QI, "sensitive": DISEASE}
        there = [people.frame(f"from {name}") for name in releases]
        made = spark_functions().intersection_attack(there, people.there, **told)
        assert rows(made) == rows(sqlanon.intersection_attack(people.con, releases, "people", **told))
        self.check_breaches(people, releases[:1], "people", truth=DISEASE, **told)

    @pytest.mark.slow("Spark starts jobs")
    def test_rows_of_several_columns(self, people: People, releases: list[str]) -> None:
        """Of two releases, one of which lacks the month: all targets are attacked at once."""
        for name in releases:
            people.con.execute(f"alter table {name} add column ward varchar")
            people.con.execute(f"update {name} set ward = 'w' || hash(rowid) % 3")
        people.con.execute("alter table west add column month integer")
        people.con.execute("update west set month = hash(rowid) % 2")
        told: dict[str, Any] = {
            "id": "id", "qi": QI, "sensitive": [DISEASE, "ward"], "unchanged": "month",
            "values_may_change": "ward",
        }  # fmt: skip
        there = [people.frame(f"from {name}") for name in releases]
        made = spark_functions().intersection_attack(there, people.there, **told)
        assert rows(made) == rows(sqlanon.intersection_attack(people.con, releases, "people", **told))
        del told["values_may_change"]
        self.check_breaches(people, releases, "people", **told)

    @pytest.mark.slow("Spark starts jobs")
    @pytest.mark.parametrize("told", [{"exact_cover": True}, {"unit": "patient"}, {"weight": "n"}], ids=str)
    def test_its_other_parameters(self, people: People, releases: list[str], told: dict[str, Any]) -> None:
        if "weight" in told:
            for name in releases:
                people.con.execute(
                    f"create or replace table {name} as select *, count(*) as n from {name} group by all"
                ).fetchall()
        self.check(people, releases, **told)

    @pytest.mark.slow("Spark starts jobs")
    def test_who_is_in_which_release(self, people: People, releases: list[str]) -> None:
        present = people.con.sql("select *, id % 3 > 0 as in_east, id % 3 < 2 as in_west from people")
        people.con.register("present_people", present.to_arrow_table())
        self.check(people, releases, "present_people", presence=["in_east", "in_west"])

    @pytest.mark.slow("Spark starts jobs")
    @pytest.mark.parametrize("by", ["id", AGE])
    def test_what_else_is_known(self, people: People, releases: list[str], by: str) -> None:
        """Of few targets, or of all of them: what tasks know of their own part does not have to be of it."""
        con = people.con
        negations = con.sql("select id, 'd0' as value from people where disease <> 'd0' and id % 7 = 0")
        some = "id % 11 = 0" if by == "id" else "true"
        priors = con.sql(f"""
            select distinct "{by}", 'd' || i as value, i + 1 as share
            from people, range(4) as numbers(i) where {some}""")
        told = {"negations": negations.to_arrow_table(), "priors": priors.to_arrow_table(), "priors_by": by}
        self.check(people, releases, **told)

    @pytest.mark.slow("Spark starts jobs")
    def test_centroids_and_cells_that_are_not_known(self, people: People, releases: list[str]) -> None:
        con = people.con
        sqlanon.microaggregate(con, "people", qi=AGE, sensitive=DISEASE, k=3, into="mean", replace=True)
        self.check(people, ["mean", "mean"], qi=AGE, nearest=True)
        con.execute(f"""
            create or replace table vague as
            select * replace (if(id % 5 = 0, '?', "{AGE}"::varchar) as "{AGE}") from people""").fetchall()
        self.check(people, releases, "vague", unknown="?")

    @pytest.mark.slow("Spark starts jobs")
    @pytest.mark.parametrize("spelled", ["[1, 2]", "1-2", "[1, 1]"])
    def test_releases_that_say_the_same(self, people: People, spelled: str) -> None:
        """A release that is given twice counts once, however it is spelled; one that says the same of others
        does not."""
        con = people.con
        for name, label in (("one", "[1, 2]"), ("other", spelled)):
            con.execute(f"""
                create or replace table {name} as
                select if(id % 4 in (1, 2), '{label}', '{{0, 3}}') as a, disease from people""").fetchall()
        con.execute("create or replace table quarters as select *, id % 4 as a from people").fetchall()
        self.check(people, ["one", "other"], "quarters", qi="a")

    @pytest.mark.slow("2 s")
    def test_labels_that_nobody_understands(self, people: People) -> None:
        people.con.execute("""
            create or replace table spelled as
            select 'about ' || (id % 3) as a, disease from people""").fetchall()
        told: dict[str, Any] = {"id": "id", "qi": "a", "sensitive": DISEASE}
        targets, there = people.frame("select *, id % 3 as a from people"), people.frame("from spelled")
        with (
            pytest.warns(sqlanon.UnreadWarning, match="release 1: nobody understands these values of a"),
            pytest.warns(sqlanon.UnreadWarning, match="none of the targets is located in all the releases"),
        ):
            spark_functions().intersection_attack([there], targets, **told)

    def test_what_is_refused(self, people: People) -> None:
        attack = spark_functions().intersection_attack
        there = people.there
        with pytest.raises(
            sqlanon.InputError, match=r"column patient of targets names \d+ of the targets several times"
        ):
            attack([there], there, "patient", QI, DISEASE)
        with pytest.raises(sqlanon.InputError, match="release 1 is a DataFrame of Spark, not this str"):
            attack(["east"], there, "id", QI, DISEASE)
        nobody = people.con.sql("select 1000 as id, 'd1' as value").to_arrow_table()
        with pytest.raises(
            sqlanon.InputError, match="negations names 1 people who are not among the targets"
        ):
            attack([there], there, "id", QI, DISEASE, negations=nobody)

    @pytest.mark.slow("Spark starts jobs")
    def test_more_that_is_refused(self, people: People, monkeypatch: pytest.MonkeyPatch) -> None:
        s, there = spark_functions(), people.there
        nobody = people.frame("from people limit 0")
        with pytest.raises(sqlanon.InputError, match="table targets is empty"):
            s.intersection_attack([there], nobody, "id", QI, DISEASE)
        with pytest.raises(sqlanon.InputError, match="table release 1 is empty"):
            s.intersection_attack([nobody], there, "id", QI, DISEASE)
        with pytest.raises(sqlanon.InputError, match='id and unit are both column "id"'):
            s.intersection_attack([there], there, "id", QI, DISEASE, unit="id")
        some = people.con.sql("select 'd1' as value, 1 as share, 20 as age").to_arrow_table()
        with pytest.raises(sqlanon.InputError, match="priors has no share for a value"):
            s.breaches([there], there, "id", QI, DISEASE, priors=some)
        every = people.con.sql("select 'd' || i as value, 1 as share, 20 as age from range(4) as numbers(i)")
        all_values = every.to_arrow_table()
        aged = people.frame(f'select *, "{AGE}" as age from people')
        with pytest.raises(sqlanon.InputError, match=r"priors has no rows for .* of the same age"):
            s.breaches([there], aged, "id", QI, DISEASE, priors=all_values, priors_by="age")
        with pytest.raises(sqlanon.InputError, match="levels must be percentages"):
            s.breaches([there], there, "id", QI, DISEASE, levels=[0])
        monkeypatch.setattr("sqlanon.spark.tasks.MOST", 1000)
        with pytest.raises(sqlanon.InputError, match=r"the classes of releases take .* the most is 1,000"):
            s.breaches([there], there, "id", QI, DISEASE)


class TestRefused:
    @pytest.mark.parametrize(
        ("told", "message"),
        [
            ({"qi": "agee", "k": 2}, 'unknown column "agee"'),
            ({"qi": AGE, "sensitive": AGE, "k": 2}, "is named twice"),
            ({"qi": AGE}, "nothing is required"),
            ({"qi": AGE, "l": 2}, "need a sensitive column"),
            ({"qi": AGE, "k": 2, "task_size": 0}, "task_size is a number of combinations"),
        ],
    )
    def test_before_any_work(self, people: People, told: dict[str, Any], message: str) -> None:
        with pytest.raises(sqlanon.InputError, match=message):
            spark_functions().mondrian(people.there, **told)

    def test_other_tables(self, spark: SparkSession) -> None:
        s = spark_functions()
        with pytest.raises(sqlanon.InputError, match="source is a DataFrame of Spark, not this str"):
            s.classes("people", "age")

        class Remote(spark.range(1).__class__):  # type: ignore[misc]
            def __new__(cls) -> Any:
                return object.__new__(cls)

            def __init__(self) -> None: ...

        Remote.__module__ = "pyspark.sql.connect.dataframe"
        with pytest.raises(sqlanon.InputError, match="not of Spark Connect"):
            s.classes(Remote(), "age")

    def test_a_collation_by_which_texts_are_equal(self, spark: SparkSession) -> None:
        frame = spark.sql("select 'Rome' collate UTF8_LCASE as city")
        with pytest.raises(sqlanon.InputError, match='column "city" has the collation UTF8_LCASE'):
            spark_functions().mondrian(frame, qi="city", k=1)

    @pytest.mark.slow("Spark starts jobs")
    def test_what_the_whole_table_does_not_meet(self, people: People) -> None:
        s, nobody = spark_functions(), people.frame("from people limit 0")
        with pytest.raises(sqlanon.InputError, match="as one class reaches 400 in k-anonymity"):
            s.mondrian(people.there, qi=QI, k=401)
        with pytest.raises(sqlanon.InputError, match="source is empty"):
            s.mondrian(nobody, qi=QI, k=2)
        with pytest.raises(sqlanon.InputError, match="source is empty"):
            s.privacy(nobody, QI)


class TestVerification:
    def test_a_release_that_went_wrong(self, people: People, monkeypatch: pytest.MonkeyPatch) -> None:
        """Rows that are lost, a class that is too small, and a requirement that nothing judges."""
        from sqlanon.spark.partitioning import Partitioning

        released = Partitioning.released
        s, told = spark_functions(), {"qi": AGE, "keep": "id", "k": 5}
        monkeypatch.setattr(
            Partitioning, "released", lambda run, labels: released(run, labels).where("kept1 <> 17")
        )
        with pytest.raises(sqlanon.VerificationError, match=r"has 399 rows .* the source had 400"):
            s.mondrian(people.there, **told)
        monkeypatch.setattr(
            Partitioning, "released",
            lambda run, labels: released(run, labels).selectExpr("if(kept1 = 17, '?', v1) as v1", "kept1"),
        )  # fmt: skip
        with pytest.raises(sqlanon.VerificationError, match=r"of 1 rows reaches 1.0, 5.0 is required"):
            s.mondrian(people.there, **told)
        monkeypatch.setattr("sqlanon.anonymize.driver.verdict_of", lambda id, given: f"no_{id}")
        with pytest.raises(sqlanon.VerificationError, match=r"is required \(k\), and nothing has judged it"):
            s.mondrian(people.there, **told)

    @pytest.mark.slow("Spark starts jobs")
    @pytest.mark.parametrize("told", [{"unit": "patient"}, {"relaxed": True}, {"unit": "patient", "t": 0.9}])
    def test_other_releases_that_went_wrong(
        self, people: People, monkeypatch: pytest.MonkeyPatch, told: dict[str, Any]
    ) -> None:
        from sqlanon.spark.counted import _Run
        from sqlanon.spark.partitioning import Partitioning

        told = {"qi": AGE, "sensitive": DISEASE, "keep": "id", "k": 5, **told}
        where = [(Partitioning, "released"), (_Run, "rows")]
        for wrong, message in (
            ("if(kept2 = 17, null, v1)", r"has 399 rows .* the source had 400"),
            ("if(kept2 = 17, '?', v1)", r"of 1 rows( of 1 person)? reaches 1.0, 5.0 is required"),
        ):
            with monkeypatch.context() as patched:
                for place, name in where:
                    real = getattr(place, name)

                    def spoilt(*given: Any, real: Any = real, wrong: str = wrong) -> Any:
                        made = real(*given)
                        others = [column for column in made.columns if column != "v1"]
                        return made.selectExpr(f"{wrong} as v1", *others).where("v1 is not null")

                    patched.setattr(place, name, spoilt)
                with pytest.raises(sqlanon.VerificationError, match=message):
                    spark_functions().mondrian(people.there, **told)

    @pytest.mark.slow("Spark starts jobs")
    def test_a_source_that_changes(self, people: People, tmp_path: Any) -> None:
        """A row that was not counted is an error when the release is written, and leaves nothing."""
        from pyspark.errors import PySparkException

        (tmp_path / "people").mkdir()
        file = tmp_path / "people" / "part.csv"
        file.write_text("1\n1\n2\n2\n", "utf-8")
        source = people.spark.read.schema("age int").csv(str(tmp_path / "people"))
        made = spark_functions().mondrian(source, qi="age", k=2)
        file.write_text("1\n1\n9\n2\n", "utf-8")
        people.spark.catalog.refreshByPath(str(tmp_path / "people"))
        with pytest.raises(PySparkException, match="not there when it was counted"):
            made.df().collect()


class TestTasks:
    def run(self, people: People) -> Any:
        from sqlglot import exp

        from sqlanon.spark.driver import driver
        from sqlanon.spark.tasks import task

        with driver(people.there) as at:
            return task(at, [exp.select("count(*) as n").from_("part")], "part", {}, "nothing")

    def test_an_executor_without_duckdb(self, people: People, monkeypatch: pytest.MonkeyPatch) -> None:
        run = self.run(people)
        part = people.con.sql("from people").to_arrow_table()
        assert run(part).to_pylist() == [{"n": 400}]
        with monkeypatch.context() as patched:
            patched.setattr(duckdb, "__version__", "0.1")
            with pytest.raises(RuntimeError, match=r"has DuckDB 0\.1 and the driver"):
                run(part)
        monkeypatch.setitem(sys.modules, "duckdb", None)
        with pytest.raises(RuntimeError, match="this executor has no DuckDB"):
            run(part)

    def test_it_needs_nothing_of_this_package_there(self, people: People) -> None:
        from pyspark import cloudpickle

        sent = cloudpickle.dumps(self.run(people))  # type: ignore[no-untyped-call]
        text = "import pickle, sys; pickle.load(sys.stdin.buffer); print('sqlanon' in sys.modules)"
        loaded = subprocess.run([sys.executable, "-c", text], input=sent, capture_output=True, check=True)
        assert loaded.stdout.strip() == b"False"


def test_spark_is_imported_on_demand() -> None:
    text = "import sqlanon, sys; sqlanon.mondrian; assert not {'pyspark', 'pyarrow'} & sys.modules.keys()"
    subprocess.run([sys.executable, "-c", text], check=True)


def test_parameters_are_those_of_one_machine() -> None:
    """Their names, order, kinds and defaults; but for what only tables of DuckDB have."""
    s = spark_functions()
    only_there = {"con", "into", "replace", "progress"}
    functions = sorted({*s.__all__} - {"Release"})
    assert len(functions) == 8
    for name in functions:
        here, there = (
            {
                parameter: (about.kind, about.default)
                for parameter, about in inspect.signature(function).parameters.items()
            }
            for function in (getattr(s, name), getattr(sqlanon, name))
        )
        if name == "mondrian":
            del here["task_size"]
        if here.pop("requirements", None):  # Python's are listed one by one
            only = only_there | {*Requirements.__annotations__}
        else:
            only = only_there
        expected = {each: about for each, about in there.items() if each not in only}
        assert [*here.items()] == [*expected.items()], name


def test_without_pandas() -> None:
    """pyspark asks for it; that it is there in version 3 all the other tests try."""
    text = "import sys; sys.modules['pandas'] = None; import sqlanon.spark"
    tried = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert "ImportError: sqlanon.spark needs pandas" in tried.stderr


@pytest.mark.parametrize(("version", "message"), [("None", "pip install"), ("'3.5.1'", "this is 3.5.1")])
def test_without_spark(version: str, message: str) -> None:
    text = (
        "import sys, types; pyspark = types.ModuleType('pyspark'); "
        f"pyspark.__version__ = {version}; "
        f"sys.modules['pyspark'] = pyspark if {version} else None; import sqlanon.spark"
    )
    tried = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert "ImportError: sqlanon.spark needs pyspark 4.0 or later" in tried.stderr
    assert message in tried.stderr
