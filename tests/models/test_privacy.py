"""classes, privacy and violations in SQL against counting in Python."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from sqlanon.core.models import by_id, having
from tests import data
from tests.budget import examples
from tests.oracles import canonical, privacy
from tests.oracles.privacy import Histogram, Requirements
from tests.tables import Column, call, columns, literal, load, load_hierarchies, rows

few = examples(12)

SENSITIVE_TYPES = ["VARCHAR", "INTEGER", "DOUBLE", "ENUM ('small', 'medium', 'large')"]

# The parameter that a model is required by.
PARAMETERS = {verdict["title"]: model.id for model in having("model") for verdict in model.verdicts()}


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


@st.composite
def tables(draw: st.DrawFn, sensitive: int = 1) -> tuple[list[Column], list[Column]]:
    """Quasi-identifiers, and `sensitive` to two sensitive columns."""
    n = draw(st.integers(1, 40))
    qi = [draw(columns(f"q {i}", n, width=3)) for i in range(draw(st.integers(1, 2)))]
    width = st.integers(1, 5)
    return qi, [
        draw(columns(f"s {i}", n, SENSITIVE_TYPES, draw(width)))
        for i in range(draw(st.integers(sensitive, 2)))
    ]


def histograms(qi: list[Column], sensitive: Column | None) -> dict[tuple[Any, ...], Histogram]:
    """The oracle's classes."""
    all_columns = [*qi, sensitive] if sensitive else qi
    table = list(zip(*(c.values for c in all_columns), strict=True))
    return privacy.classes(table, range(len(qi)), len(qi) if sensitive else None)


def key(class_: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(canonical(value) for value in class_.values())


def close(value: float | None) -> Any:
    return pytest.approx(value, rel=1e-9, abs=1e-12)


class TestPrivacy:
    @few
    @given(tables(sensitive=0), st.integers(1, 4))
    def test_random_tables(
        self, con: duckdb.DuckDBPyConnection, table: tuple[list[Column], list[Column]], l: int
    ) -> None:
        qi, sensitive = table
        load(con, "t", [*qi, *sensitive])
        result = rows(
            con,
            "privacy",
            "t",
            qi=[c.name for c in qi],
            sensitive=[c.name for c in sensitive] or None,
            hierarchies=load_hierarchies(con, "h", sensitive),
            l=l,
        )
        wanted: list[tuple[str, str | None]] = [(model, None) for model in privacy.OF_SIZE]
        for model in [each for each in privacy.MODELS if each not in privacy.OF_SIZE]:
            wanted += [
                (model, c.name)
                for c in sensitive
                if model != "t-closeness (hierarchical)" or c.hierarchy is not None
            ]
        assert [row[:2] for row in result] == wanted

        by_name: dict[str | None, Column | None] = {c.name: c for c in sensitive}
        by_name[None] = None
        for model, name, reached, size, class_ in result:
            column = by_name[name]
            if model == "t-closeness (ordered)" and column is not None and not column.has_order:
                assert (reached, size, class_) == (None, None, None)
                continue
            classes = histograms(qi, column)
            options: dict[str, Any] = {"l": l}
            if column:
                options |= {"order": column.order, "hierarchy": column.hierarchy}
            assert reached == close(privacy.reached(classes, **options)[model]), model
            # the worst class is one that reaches this
            assert list(class_) == [c.name for c in qi]
            worst = classes[key(class_)]
            assert size == worst.total()
            assert reached == close(privacy.measure(model, worst, privacy.whole_table(classes), **options)), (
                model
            )

    @pytest.mark.slow("2 s a case", but=(1, 2, 3))
    @pytest.mark.parametrize("m", [1, 2, 3, 7, 39])
    def test_a_uniform_class_has_exactly_its_number_of_values(
        self, con: duckdb.DuckDBPyConnection, m: int
    ) -> None:
        con.execute(
            f"create or replace table t as select range // {3 * m} as q, range % {m} as s from range({9 * m})"
        ).fetchall()
        reached = {row[0]: row[2] for row in rows(con, "privacy", "t", qi="q", sensitive="s")}
        assert reached["entropy l-diversity"] == m
        assert rows(con, "violations", "t", qi="q", sensitive="s", entropy_l=m, l=m) == []

    def test_an_example_by_hand(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            "create or replace table t as from (values ('a', 'x'), ('a', 'y'), ('b', 'x'), ('b', 'x'), "
            "('b', 'x'), ('b', 'y')) as t(q, s)"
        ).fetchall()
        a, b = {"q": "a"}, {"q": "b"}
        assert rows(con, "privacy", "t", qi="q", sensitive="s") == [
            ("k-anonymity", None, 2.0, 2, a),
            ("distinct l-diversity", "s", 2.0, 2, a),
            ("entropy l-diversity", "s", close(4 / 3**0.75), 4, b),
            ("recursive (c, l)-diversity", "s", 3.0, 4, b),
            ("(alpha, k)-anonymity", "s", 0.75, 4, b),
            ("t-closeness (equal)", "s", close(1 / 6), 2, a),  # 1/2 and 1/2 against 2/3 and 1/3
            ("t-closeness (ordered)", "s", close(1 / 6), 2, a),
            ("beta-likeness (basic)", "s", close(0.5), 2, a),
            ("beta-likeness (enhanced)", "s", close(0.5), 2, a),
            ("delta-disclosure", "s", close(math.log(1.5)), 2, a),
        ]
        assert rows(con, "privacy", "t", qi="q") == [("k-anonymity", None, 2.0, 2, a)]

    def test_nothing_depends_on_the_order_of_rows_or_on_threads(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            """create or replace table straight as
            select (hash(range, 1) % 500)::integer as q, (hash(range, 2) % hash(range, 3) % 40)::integer as s
            from range(200000)"""
        ).fetchall()
        con.execute(
            "create or replace table shuffled as from straight order by hash(rowid, 'other')"
        ).fetchall()
        con.execute(
            """create or replace table h as
            select distinct 's' as attribute, s::varchar as value, unnest([0, 1, 2]) as level,
                unnest([s::varchar, 'about ' || s // 7, '*']) as label
            from straight"""
        ).fetchall()
        arguments: dict[str, Any] = {"qi": "q", "sensitive": "s", "hierarchies": "h"}
        threads = con.execute("select current_setting('threads')").fetchall()[0][0]
        result = []
        for count in (1, 4):
            con.execute(f"set threads = {count}").fetchall()
            for table in ("straight", "shuffled"):
                result.append(rows(con, "privacy", table, **arguments))
        con.execute(f"set threads = {threads}").fetchall()
        for other in result[1:]:
            for one_row, other_row in zip(result[0], other, strict=True):
                assert one_row[:2] + one_row[3:] == other_row[:2] + other_row[3:]
                assert one_row[2] == pytest.approx(other_row[2], rel=1e-13)


@pytest.mark.slow("1.7 s")
def test_ids_are_names_of_parameters(con: duckdb.DuckDBPyConnection) -> None:
    t = "select range % 2 as q, range % 3 * (range % 2) as s from range(12)"
    con.execute(f"create or replace table t as {t}").fetchall()
    con.execute("create or replace table everybody as select range % 2 as q from range(20)").fetchall()
    measured = (
        "sqlanon.privacy('t', qi := 'q', sensitive := 's', hierarchies := null, population := 'everybody')"
    )
    ids = dict(con.execute(f"select id, model from {measured}").fetchall())
    judged = having("size") + having("population") + having("values", "shares", but=["safety_c"])
    verdicts = [verdict["id"] for model in judged for verdict in model.verdicts()]
    assert list(ids) == [id for id in verdicts if id != "t_hierarchical"]


class TestViolations:
    @few
    @given(tables(), st.data())
    def test_random_tables(
        self,
        con: duckdb.DuckDBPyConnection,
        table: tuple[list[Column], list[Column]],
        choice: st.DataObject,
    ) -> None:
        """All models at once, each at, just above or just below what some class reaches."""
        qi, sensitive = table
        load(con, "t", [*qi, *sensitive])
        hierarchies = load_hierarchies(con, "h", sensitive)
        l = choice.draw(st.integers(1, 4), label="l")
        distances = ["equal"] + ["ordered"] * all(c.has_order for c in sensitive)
        distances += ["hierarchical"] * all(c.hierarchy for c in sensitive)
        required: dict[str, Any] = {
            "l": l,
            "t_distance": choice.draw(st.sampled_from(distances), label="t_distance"),
        }
        measured = [(c, histograms(qi, c)) for c in sensitive]
        for model in privacy.MODELS:
            parameter = PARAMETERS[model]
            if parameter == "l" or (parameter == "t" and required["t_distance"] not in model):
                continue
            column, classes = choice.draw(st.sampled_from(measured), label=model)
            class_ = choice.draw(st.sampled_from(sorted(classes, key=repr)), label="class")
            whole = privacy.whole_table(classes)
            options: dict[str, Any] = {"l": l, "order": column.order, "hierarchy": column.hierarchy}
            reached = privacy.measure(model, classes[class_], whole, **options)
            if math.isinf(reached):
                reached = 2.0
            told = by_id()[parameter]
            if told.type == "integer":
                required[parameter] = max(1, int(reached) + choice.draw(st.integers(-1, 1)))
                continue
            # ln is not the same to the last digit everywhere, and delta-disclosure is strict
            exactly = [] if model == "delta-disclosure" else [1.0]
            reached *= choice.draw(st.sampled_from([*exactly, 1 + 1e-6, 1 - 1e-6]))
            least = (told.least or 0) + (1e-9 if told.above else 0)
            required[parameter] = min(max(reached, least), told.greatest or 99)

        result = rows(
            con,
            "violations",
            "t",
            qi=[c.name for c in qi],
            sensitive=[c.name for c in sensitive],
            hierarchies=hierarchies,
            **required,
        )
        wanted = []
        for column, classes in measured:
            options = {"order": column.order, "hierarchy": column.hierarchy}
            wanted += [
                (
                    v.model,
                    None if v.model in privacy.OF_SIZE else column.name,
                    v.required,
                    v.reached,
                    v.size,
                    v.key,
                )
                for v in privacy.violations(classes, Requirements(**required), **options)
                if v.model not in privacy.OF_SIZE or column is sensitive[0]
            ]
        got = [(*row[:-1], key(row[-1])) for row in result]
        got, wanted = sorted(got, key=by_class), sorted(wanted, key=by_class)
        assert [row[:3] + row[4:] for row in got] == [row[:3] + row[4:] for row in wanted]
        assert [row[3] for row in got] == [close(row[3]) for row in wanted]

    def test_rows_are_ordered(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            "create or replace table t as select range // 3 as q, range % 2 as s, 1 as r from range(10)"
        ).fetchall()
        result = rows(con, "violations", "t", qi="q", sensitive=["s", "r"], k=3, l=2, alpha=0.5)
        assert [(model, name, class_["q"]) for model, name, _, _, _, class_ in result] == [
            *[("(alpha, k)-anonymity", "r", q) for q in (3, 0, 1, 2)],
            *[("(alpha, k)-anonymity", "s", q) for q in (3, 0, 1, 2)],
            *[("distinct l-diversity", "r", q) for q in (3, 0, 1, 2)],
            ("distinct l-diversity", "s", 3),
            ("k-anonymity", None, 3),
        ]

    def test_only_what_is_required_is_checked(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create or replace table t as select 1 as q, range as s from range(4)").fetchall()
        assert rows(con, "violations", "t", qi="q", k=4) == []
        assert rows(con, "violations", "t", qi="q", sensitive="s", k=4) == []
        assert rows(con, "violations", "t", qi="q", k=5) == [("k-anonymity", None, 5.0, 4.0, 4, {"q": 1})]

    def test_without_a_hierarchy_the_hierarchical_distance_does_not_hold(
        self, con: duckdb.DuckDBPyConnection
    ) -> None:
        con.execute("create or replace table t as select 1 as q, range as s from range(4)").fetchall()
        result = rows(con, "violations", "t", qi="q", sensitive="s", t=1, t_distance="hierarchical")
        assert result == [("t-closeness (hierarchical)", "s", 1.0, None, 4, {"q": 1})]


def by_class(row: tuple[Any, ...]) -> str:
    """A key for rows of violations; what is reached is left out, its last digits may differ."""
    return repr((row[0], row[1] or "", row[2], row[4:]))


class TestClasses:
    @few
    @given(tables())
    def test_random_tables(
        self, con: duckdb.DuckDBPyConnection, table: tuple[list[Column], list[Column]]
    ) -> None:
        qi, _ = table
        load(con, "t", qi)
        result = rows(con, "classes", "t", qi=[c.name for c in qi])
        assert sorted(row[0] for row in result) == list(range(1, len(result) + 1))
        sizes = {tuple(map(canonical, row[1:-1])): row[-1] for row in result}
        assert sizes == {values: c.total() for values, c in histograms(qi, None).items()}
        assert len(sizes) == len(result)

    def test_null_is_a_value(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            "create or replace table t as "
            "select unnest([null, 2, null, 1]) as a, unnest([null, 'x', null, '']) as b"
        ).fetchall()
        relation = call("classes", "t", qi=["a", "b"])
        described = con.execute(f"describe from {relation}").fetchall()
        assert [name for name, *_ in described] == ["class_id", "a", "b", "size"]
        assert con.execute(f"from {relation} order by class_id").fetchall() == [
            (1, None, None, 2),
            (2, 1, "", 1),
            (3, 2, "x", 1),
        ]


@data.needs_data
class TestData:
    @pytest.mark.slow("2.0 s")
    def test_adult(self, con: duckdb.DuckDBPyConnection) -> None:
        data.load_adult(con, "adult")
        con.execute(
            "create type occupations as enum (select distinct occupation from adult order by all); "
            "create or replace table adult as "
            "select * replace (occupation::occupations as occupation) from adult"
        )
        # The measured figures of the raw seven quasi-identifiers.
        result = con.execute(
            "select count(*) / sum(size), count(*) filter (size = 1), sum(size) filter (size < 5), max(size) "
            f"from {call('classes', 'adult', qi=data.ADULT_QI)}"
        ).fetchall()
        assert result == [(0.36764803395000334, 7653, 13657, 137)]

        path = data.data() / "adult" / "hierarchies" / "adult_hierarchy_occupation.csv"
        con.execute(
            f"create or replace table h as from sqlanon.read_hierarchy({literal(str(path))}, 'occupation')"
        ).fetchall()
        lines = [line.split(";") for line in path.read_text("utf-8").splitlines() if line]
        table = con.execute(f"select {', '.join(data.ADULT_QI)}, occupation from adult").fetchall()
        wanted = privacy.reached(
            privacy.classes(table, range(7), 7), l=3, hierarchy={labels[0]: labels for labels in lines}
        )
        reached = rows(
            con, "privacy", "adult", qi=data.ADULT_QI, sensitive="occupation", hierarchies="h", l=3
        )
        assert {row[0]: row[2] for row in reached} == {model: close(value) for model, value in wanted.items()}


def test_a_value_that_the_reference_lacks_gains_infinitely_much(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("create table raw as select 0 as age, 'flu' as disease from range(3)").fetchall()
    con.execute("create table released as from (values ('0', 'hiv'), ('0', 'flu')) as t(age, disease)")
    reached = con.execute(
        "select reached from sqlanon.privacy('released', 'age', 'disease', reference := 'raw') "
        "where id in ('beta', 'enhanced_beta')"
    ).fetchall()
    assert reached == [(math.inf,), (math.inf,)]


@pytest.mark.parametrize("classes", [10_000, 10_001])
def test_violations_are_ordered(con: duckdb.DuckDBPyConnection, classes: int) -> None:
    """By size, and by class among as many as somebody may read."""
    con.execute(
        f"create or replace table many as select (7 * i) % {classes} as a "
        f"from range({classes}) as numbers(i), range(1 + i % 2)"
    ).fetchall()
    found = con.execute("select size, class.a from sqlanon.violations('many', 'a', k := 3)").fetchall()
    assert len(found) == classes
    assert [size for size, _ in found] == sorted(size for size, _ in found)
    if classes <= 10_000:
        assert found == sorted(found)
