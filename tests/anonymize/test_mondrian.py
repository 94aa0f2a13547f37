"""Mondrian in SQL against the slow one, on random tables and on the public data sets."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from sqlanon.anonymize import median_cuts
from sqlanon.anonymize import mondrian as over_tables
from sqlanon.core.steps import statement_of
from tests import data
from tests.budget import examples
from tests.oracles import canonical, covers, recursion, sort_key
from tests.oracles.mondrian import Infeasible, Mondrian
from tests.oracles.privacy import Requirements
from tests.tables import (
    Column,
    call,
    columns,
    hierarchies_by_position,
    literal,
    load,
    load_hierarchies,
    orders_by_position,
    rows,
)

few = examples(25)
fewer = examples(8)

Classes = dict[tuple[Any, ...], frozenset[int]]  # what a class releases -> the ids of its rows


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


@dataclass(frozen=True)
class Case:
    """A table, and what is required of its release."""

    qi: list[Column]
    sensitive: list[Column]
    requirements: dict[str, Any]
    weights: list[float] | None = None

    def load(self, con: duckdb.DuckDBPyConnection) -> dict[str, Any]:
        """Tables t and h; the arguments of a call."""
        load(con, "t", [*self.qi, *self.sensitive])
        return {
            "qi": [c.name for c in self.qi],
            "sensitive": [c.name for c in self.sensitive] or None,
            "keep": "id",
            "hierarchies": load_hierarchies(con, "h", [*self.qi, *self.sensitive]),
            **self.requirements,
            **({} if self.weights is None else {"weights": self.weights}),
        }

    @property
    def oracle(self) -> Mondrian:
        return Mondrian(
            list(zip(*(c.values for c in self.qi), strict=True)),
            list(zip(*(c.values for c in self.sensitive), strict=True)) or None,
            Requirements(**self.requirements),
            orders=orders_by_position(self.qi),
            hierarchies=hierarchies_by_position(self.qi),
            sensitive_orders=orders_by_position(self.sensitive),
            sensitive_hierarchies=hierarchies_by_position(self.sensitive),
            weights=self.weights,
        )


@st.composite
def requirements(draw: st.DrawFn, sensitive: Sequence[Column]) -> dict[str, Any]:
    """k, or up to three others with or without it; rather weak ones, so that most tables meet them."""
    k = st.integers(1, 4)
    if not sensitive:
        return {"k": draw(k)}
    distances = ["equal"] + ["ordered"] * all(c.has_order for c in sensitive)
    distances += ["hierarchical"] * all(c.hierarchy for c in sensitive)
    models: dict[str, st.SearchStrategy[Any]] = {
        "l": st.integers(1, 3),
        "entropy_l": st.sampled_from([1, 1.5, 1.8, 2.0, 2.5]),
        "recursive_c": st.sampled_from([1, 1.5, 2.5, 4]),
        "alpha": st.sampled_from([0.5, 0.6, 0.75, 1]),
        "t": st.sampled_from([0, 0.2, 0.3, 0.5, 1]),
        "beta": st.sampled_from([0.5, 1, 3]),
        "enhanced_beta": st.sampled_from([0.5, 1, 3]),
        "delta_disclosure": st.sampled_from([0.7, 1.5, 3]),
        "safety_c": st.sampled_from([0.5, 0.6, 0.8, 1]),
    }
    names = draw(st.lists(st.sampled_from(["k", *models]), min_size=1, max_size=3, unique=True))
    chosen = {name: draw({"k": k, **models}[name]) for name in names}
    if "recursive_c" in chosen:
        chosen.setdefault("l", draw(models["l"]))
    if "safety_c" in chosen:
        chosen["safety_k"] = draw(st.integers(0, 2))
    if "t" in chosen:
        chosen["t_distance"] = draw(st.sampled_from(distances))
    return chosen


@st.composite
def cases(draw: st.DrawFn) -> Case:
    n = draw(st.integers(1, 40))
    qi = [draw(columns(f"q {i}", n)) for i in range(draw(st.integers(1, 4)))]
    types = ["VARCHAR", "INTEGER", "DOUBLE", "ENUM ('small', 'medium', 'large')"]
    sensitive = [
        draw(columns(f"s {i}", n, types, draw(st.integers(1, 3)))) for i in range(draw(st.integers(0, 2)))
    ]
    powers = st.sampled_from([0.5, 1.0, 2.0, 8.0])  # of two: widths of one value are so in both
    weights = draw(st.none() | st.lists(powers, min_size=len(qi), max_size=len(qi)))
    return Case(qi, sensitive, draw(requirements(sensitive)), weights)


def comparable(value: Any) -> Any:
    """A value as a key: no lists and dicts, and one NaN."""
    if isinstance(value, dict):
        return tuple(comparable(item) for item in value.values())
    return tuple(map(comparable, value)) if isinstance(value, list) else canonical(value)


def by_class(released: Sequence[Sequence[Any]], qi: int) -> Classes:
    """Rows that begin with qi released values and end with an id."""
    members: dict[tuple[Any, ...], set[int]] = {}
    for row in released:
        members.setdefault(tuple(comparable(value) for value in row[:qi]), set()).add(row[-1])
    return {values: frozenset(ids) for values, ids in members.items()}


def expected(oracle: Mondrian) -> Classes:
    return {oracle.released_values(members): frozenset(members) for members in oracle.classes()}


def partition(con: duckdb.DuckDBPyConnection, table: str, **arguments: Any) -> set[frozenset[int]]:
    """The classes of a release of a table with a column id, as sets of ids."""
    groups = ", ".join(arguments["qi"])
    result = con.execute(
        f"select list(id) from {call('mondrian', table, keep='id', **arguments)} group by {groups}"
    ).fetchall()
    return {frozenset(ids) for (ids,) in result}


class TestAgainstTheOracle:
    @few
    @given(cases())
    def test_random_tables(self, con: duckdb.DuckDBPyConnection, case: Case) -> None:
        arguments, oracle = case.load(con), case.oracle
        try:
            wanted = expected(oracle)
        except Infeasible:
            with pytest.raises(duckdb.Error, match="meet the requirements"):
                rows(con, "mondrian", "t", **arguments)
            return
        released = rows(con, "mondrian", "t", **arguments)
        assert by_class(released, len(case.qi)) == wanted

        # Every row is there once, with its own sensitive values and quasi-identifiers that cover its own.
        assert sorted(row[-1] for row in released) == list(range(len(case.qi[0].values)))
        for *values, i in released:
            assert [canonical(value) for value in values[len(case.qi) :]] == [
                canonical(c.values[i]) for c in case.sensitive
            ]
            for value, c in zip(values, case.qi, strict=False):
                assert covers.covers(value, c.values[i], c.labels(c.values[i]))
        for members in wanted.values():
            assert oracle.satisfied(sorted(members))
            assert not oracle.could_be_cut(sorted(members))

        # And the check, which starts from the release, finds nothing: with k alone, it needs nothing else.
        if "k" in case.requirements:
            con.execute(f"create or replace table r as from {call('mondrian', 't', **arguments)}").fetchall()
            assert rows(con, "violations", "r", qi=arguments["qi"], k=case.requirements["k"]) == []

    @fewer
    @given(cases())
    def test_range_recoding(self, con: duckdb.DuckDBPyConnection, case: Case) -> None:
        """The same classes; ordered columns as lowest and highest value, others as the list of values."""
        case = replace(case, qi=[replace(c, hierarchy=None) for c in case.qi])
        arguments, oracle = case.load(con), case.oracle
        try:
            classes = oracle.classes()
        except Infeasible:
            return
        wanted = {}
        for members in classes:
            shown = []
            for i, c in enumerate(case.qi):
                order = c.order or sorted(set(map(canonical, c.values)), key=sort_key)
                values = [value for value in order if value in oracle.values(i, members)]
                is_set = c.type.startswith(("VARCHAR", "BOOLEAN", "ENUM"))
                shown.append(tuple(values) if is_set else (values[0], values[-1]))
            wanted[tuple(shown)] = frozenset(members)
        released = rows(con, "mondrian", "t", recoding="range", **arguments)
        assert by_class(released, len(case.qi)) == wanted

    def test_a_name_of_a_part_is_never_used_twice(self, con: duckdb.DuckDBPyConnection) -> None:
        """A part that is done early, while another one tries attribute after attribute before it is cut."""
        slow = [(0, value, value, i, s) for i in (0, 1) for value, s in ((0, "a"), (9, "b"))]
        done = [(10, 9, 9, 1, s) for s in "abab"]
        table = list(zip(*slow, *done, strict=True))
        names = ["q1", "q2", "q3", "q4", "s"]
        types = ["INTEGER"] * 4 + ["VARCHAR"]
        all_columns = [Column(*column) for column in zip(names, types, table, strict=True)]
        case = Case(all_columns[:4], all_columns[4:], {"k": 2, "l": 2})
        assert sorted(map(len, case.oracle.classes())) == [2, 2, 4]
        released = rows(con, "mondrian", "t", **case.load(con))
        assert by_class(released, 4) == expected(case.oracle)


@st.composite
def many_tuples(draw: st.DrawFn) -> tuple[recursion.Codes, Any]:
    """Codes (tuples x attributes) and weights; some domains are small, and one may take more than 16 bits."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    n = draw(st.integers(1, 300))
    domains = draw(st.lists(st.sampled_from([1, 2, 3, 8, 50, 70_000]), min_size=1, max_size=5))
    codes = np.stack([random.integers(0, domain, n) for domain in domains], axis=1)
    return codes.astype(np.int32), random.integers(1, draw(st.sampled_from([2, 4, 30])), n)


class TestArrays:
    """What Python does in place of the steps of SQL."""

    @examples(100)
    @given(many_tuples(), st.integers(1, 6), st.sampled_from([1, 20, 1000]))
    def test_the_same_classes_as_by_recursion(
        self, tuples: tuple[recursion.Codes, Any], k: int, block: int
    ) -> None:
        codes, weights = tuples
        done: list[int] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(median_cuts, "BLOCK", block)
            spans = [max(1, int(column.max())) for column in codes.T]
            found = median_cuts.classes(list(codes.T), weights.astype(np.int32), spans, k, 2, done.append)
        members = [frozenset(np.flatnonzero(found == number).tolist()) for number in range(found.max() + 1)]
        wanted = [frozenset(part.tolist()) for part in recursion.mondrian(codes, k, weights)]
        assert len(members) == len(wanted)
        assert set(members) == set(wanted)
        assert done == sorted(done)
        assert done[-1] == len(codes)

    @pytest.mark.slow("1 s")
    @fewer
    @given(cases())
    def test_the_same_rows_as_in_sql(self, con: duckdb.DuckDBPyConnection, case: Case) -> None:
        """With NULL, rows with the same values, and values of every type."""
        case = replace(case, qi=[replace(c, hierarchy=None) for c in case.qi], sensitive=[])
        case = replace(case, requirements={"k": min(2, len(case.qi[0].values))})
        arguments = {**case.load(con), "seed": 1}
        released, used = [], []
        with pytest.MonkeyPatch.context() as patch:
            for many in (0, 1000):
                patch.setattr(over_tables, "ENOUGH", many)
                made = sqlanon.mondrian(con, "t", **arguments, progress=lambda done, text: used.append(text))
                released.append(made.relation(con).fetchall())
                con.execute(f"drop table {made.table}").fetchall()
        assert repr(released[0]) == repr(released[1])
        assert by_class(released[0], len(case.qi)) == expected(case.oracle)
        assert sum(text.endswith(" left") for text in used) > 0

    @pytest.mark.parametrize(
        ("more", "over_arrays"),
        [
            ({"sensitive": "s", "k": "3"}, True),
            ({"weights": {"a": 2}}, True),
            ({"sensitive": "s", "l": 2}, False),
            ({"sensitive": "s", "target": "s"}, False),
            ({"relaxed": True}, False),
            ({"unit": "id"}, False),
            ({"population": "few", "k_map": 3}, False),
            ({"hierarchies": "tree"}, False),
        ],
    )
    def test_only_where_nothing_but_k_has_a_say(
        self,
        con: duckdb.DuckDBPyConnection,
        monkeypatch: pytest.MonkeyPatch,
        more: dict[str, Any],
        over_arrays: bool,
    ) -> None:
        monkeypatch.setattr(over_tables, "ENOUGH", 0)
        con.execute(
            "create or replace table few as select range % 9 as a, range % 3 as s, range as id from range(30)"
        ).fetchall()
        con.execute("create or replace table tree as from sqlanon.interval_hierarchy('few', 'a', [3])")
        messages: list[str] = []
        sqlanon.mondrian(
            con, "few", qi="a", **{"k": 3, **more}, progress=lambda done, message: messages.append(message)
        )
        assert any(message.startswith("cutting, 0 of") for message in messages) == over_arrays

    @pytest.mark.parametrize(
        ("weights", "message"),
        [
            ([1, 2], "weights must be as many as the columns in qi, 1, not 2"),
            ([0], "weights must be numbers above 0, not"),
            ({"b": 2}, 'weights names column "b"'),
        ],
    )
    def test_weights_that_make_no_sense(
        self, con: duckdb.DuckDBPyConnection, weights: Any, message: str
    ) -> None:
        con.execute("create or replace table few as select range as a from range(3)").fetchall()
        with pytest.raises(sqlanon.SqlanonError, match=message):
            sqlanon.mondrian(con, "few", qi="a", k=2, weights=weights)

    def test_what_no_release_can_meet(
        self, con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(over_tables, "ENOUGH", 0)
        con.execute("create or replace table few as select range as a from range(3)").fetchall()
        with pytest.raises(sqlanon.InputError, match="no release can meet"):
            sqlanon.mondrian(con, "few", qi="a", k=4)


# What functions of Python say beside the requirements.
FORMS: dict[str, dict[str, Any]] = {
    "mondrian": {"recoding": "text", "suppression_limit": 0},
    "optimal": {
        "measure": "loss", "aggregate": "geometric_mean", "monotonic": False, "gs_factor": 0.5,
        "suppression_limit": 0.3,
    },
}  # fmt: skip


@pytest.mark.slow("1 s a case", but=(0,))
@pytest.mark.parametrize("macro", FORMS)
@few
@given(cases())
def test_by_codes_and_by_values(con: duckdb.DuckDBPyConnection, macro: str, case: Case) -> None:
    """Rows are grouped and joined by codes. By values they are the same, in the same order, or refused."""
    given = {**case.load(con), **FORMS[macro], "tbl": "t", "seed": 1, "t_distance": "equal"}

    def released(by_value: bool | None) -> list[Any] | None:
        statement = statement_of(con, macro, given | case.requirements | {"by_value": by_value})
        try:
            return con.execute(f"select columns(*)::varchar from ({statement})").fetchall()
        except duckdb.InvalidInputException:  # no release can meet the requirements
            return None

    assert released(None) == released(True)


class TestRelease:
    @pytest.fixture(autouse=True)
    def people(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            """create or replace table people as
            select (range % 7)::integer as age, (range % 5)::varchar as zip, 'd' || range % 3 as disease,
                'secret' as name, range as id from range(60)"""
        ).fetchall()

    def test_only_named_columns_leave_in_the_order_of_their_roles(
        self, con: duckdb.DuckDBPyConnection
    ) -> None:
        for keep, wanted in [
            (None, ["zip", "age", "disease"]),
            (["id", "name"], ["zip", "age", "disease", "id", "name"]),
        ]:
            relation = call("mondrian", "people", qi=["zip", "age"], sensitive="disease", keep=keep, k=3)
            described = con.execute(f"describe from {relation}").fetchall()
            assert [name for name, *_ in described] == wanted
        relation = call("mondrian", "people", qi=["zip", "age"], k=3)
        assert [name for name, *_ in con.execute(f"describe from {relation}").fetchall()] == ["zip", "age"]

    def test_types(self, con: duckdb.DuckDBPyConnection) -> None:
        def types(**more: str) -> list[str]:
            relation = call(
                "mondrian", "people", qi=["age", "zip"], sensitive="disease", keep="id", k=3, **more
            )
            return [row[1] for row in con.execute(f"describe from {relation}").fetchall()]

        assert types() == ["VARCHAR", "VARCHAR", "VARCHAR", "BIGINT"]
        assert types(recoding="range") == [
            "STRUCT(lo INTEGER, hi INTEGER)",
            "VARCHAR[]",
            "VARCHAR",
            "BIGINT",
        ]

    @pytest.mark.slow("0.5 s")
    def test_a_seed_fixes_the_order_of_rows_and_nothing_else(self, con: duckdb.DuckDBPyConnection) -> None:
        arguments = {"qi": ["age", "zip"], "sensitive": "disease", "keep": "id", "k": 3}
        one, again, other = (rows(con, "mondrian", "people", seed=seed, **arguments) for seed in (1, 1, 2))
        unseeded = [rows(con, "mondrian", "people", **arguments) for _ in range(2)]
        assert one == again
        assert one != other
        assert unseeded[0] != unseeded[1]
        assert sorted(one) == sorted(other) == sorted(unseeded[0]) == sorted(unseeded[1])

    def test_the_order_of_rows_is_not_that_of_the_table(self, con: duckdb.DuckDBPyConnection) -> None:
        """It does not even depend on it: what a row is next to says nothing."""
        con.execute("create or replace table reversed as from people order by id desc").fetchall()
        arguments: dict[str, Any] = {"qi": ["age", "zip"], "sensitive": "disease", "k": 3, "seed": 5}
        one = rows(con, "mondrian", "people", **arguments)
        assert one == rows(con, "mondrian", "reversed", **arguments)
        ids = [row[-1] for row in rows(con, "mondrian", "people", keep="id", **arguments)]
        assert ids not in (sorted(ids), sorted(ids, reverse=True))
        runs = sum(a < b for a, b in pairwise(ids))
        assert 15 < runs < 45  # of 59; ordered ones would have 59 or 0

    @pytest.mark.slow("0.5 s")
    @fewer
    @given(cases(), st.randoms(use_true_random=False))
    def test_classes_do_not_depend_on_the_order_of_the_table(
        self, con: duckdb.DuckDBPyConnection, case: Case, random: Any
    ) -> None:
        n = len(case.qi[0].values)
        order = list(range(n))
        random.shuffle(order)
        arguments = {**case.load(con), "seed": 1}
        con.execute(
            "create or replace table shuffled as select t.* from t "
            "join (select unnest(?::bigint[]) as id, unnest(range(?)) as place) as o using (id) "
            "order by place",
            [order, n],
        ).fetchall()
        try:
            straight = rows(con, "mondrian", "t", **arguments)
        except duckdb.InvalidInputException:
            with pytest.raises(duckdb.InvalidInputException):
                rows(con, "mondrian", "shuffled", **arguments)
            return
        # repr: NaN is not equal to itself
        assert repr(rows(con, "mondrian", "shuffled", **arguments)) == repr(straight)

    @pytest.mark.slow("1.0 s")
    def test_the_number_of_threads_changes_nothing(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            """create or replace table large as
            select (hash(range, 1) % 40)::integer as a, (hash(range, 2) % 20)::integer as b,
                (hash(range, 3) % 9)::varchar as c, (hash(range, 4) % 11)::integer as s, range as id
            from range(130000)"""
        ).fetchall()
        relation = call(
            "mondrian", "large", qi=["a", "b", "c"], sensitive="s", keep="id", k=20, t=0.3, seed=1
        )
        threads = con.execute("select current_setting('threads')").fetchall()[0][0]
        releases = []
        for count in (1, 4):
            con.execute(f"set threads = {count}").fetchall()
            releases.append(con.execute(f"from {relation}").fetchall())
        con.execute(f"set threads = {threads}").fetchall()
        assert releases[0] == releases[1]
        assert len(releases[0]) == 130000

    def test_negative_zero_is_zero(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            "create or replace table zeros as select unnest(['-0.0', '0.0', '1.0', '1.0']::double[]) as x, "
            "unnest(['-0.0', '0.0', '-0.0', '0.0']::double[]) as s, unnest(range(4)) as id"
        ).fetchall()
        released = rows(con, "mondrian", "zeros", qi="x", sensitive="s", keep="id", k=2)
        assert set(by_class(released, 1).values()) == {frozenset({0, 1}), frozenset({2, 3})}
        with pytest.raises(duckdb.Error, match="no release can meet"):
            rows(con, "mondrian", "zeros", qi="x", sensitive="s", l=2)

    def test_text_that_compares_without_case(self, con: duckdb.DuckDBPyConnection) -> None:
        """However its values are told apart, every row leaves once."""
        con.execute("create or replace table nocase (a varchar collate nocase, id integer)").fetchall()
        con.execute("insert into nocase values ('A', 0), ('a', 1), ('b', 2), ('B', 3)").fetchall()
        released = rows(con, "mondrian", "nocase", qi="a", keep="id", k=2)
        assert sorted(i for _, i in released) == [0, 1, 2, 3]

    def test_requirements_without_k_and_k_without_sensitive_columns(
        self, con: duckdb.DuckDBPyConnection
    ) -> None:
        released = rows(con, "mondrian", "people", qi=["age", "zip"], sensitive="disease", entropy_l=2)
        assert Counter(row[2] for row in released) == {"d0": 20, "d1": 20, "d2": 20}
        sizes = Counter(rows(con, "mondrian", "people", qi=["age", "zip"], k=4))
        assert min(sizes.values()) >= 4
        assert sum(sizes.values()) == 60

    @pytest.mark.slow("0.4 s")
    def test_other_relations(self, con: duckdb.DuckDBPyConnection) -> None:
        """A view, a CTE of the calling query, a temporary table."""
        con.execute("create or replace view seen as from people").fetchall()
        con.execute("create or replace temp table passing as from people").fetchall()
        arguments: dict[str, Any] = {"qi": ["age", "zip"], "sensitive": "disease", "k": 3, "seed": 1}
        wanted = rows(con, "mondrian", "people", **arguments)
        assert rows(con, "mondrian", "seen", **arguments) == wanted
        assert rows(con, "mondrian", "passing", **arguments) == wanted
        relation = call("mondrian", "mine", **arguments)
        assert con.execute(f"with mine as (from people) from {relation}").fetchall() == wanted


@pytest.fixture(scope="module")
def adult(con: duckdb.DuckDBPyConnection) -> str:
    data.load_adult(con, "adult")
    return "adult"


@pytest.mark.slow("3 tests, 0.6 to 0.9 s each")
@data.needs_data
class TestData:
    @staticmethod
    def by_recursion(con: duckdb.DuckDBPyConnection, table: str, qi: list[str]) -> set[frozenset[int]]:
        codes = recursion.encode(
            list(
                zip(*con.execute(f"select {', '.join(qi)} from {table} order by id").fetchall(), strict=True)
            )
        )
        return {frozenset((members + 1).tolist()) for members in recursion.mondrian(codes, 5)}

    def test_adult(self, con: duckdb.DuckDBPyConnection, adult: str) -> None:
        result = partition(con, adult, qi=data.ADULT_QI, sensitive="occupation", k=5)
        assert len(result) == 2966
        assert result == self.by_recursion(con, adult, data.ADULT_QI)

    def test_ipums(self, con: duckdb.DuckDBPyConnection) -> None:
        data.load_ipums(con, "ipums")
        result = partition(con, "ipums", qi=data.IPUMS_QI, k=5)
        assert result == self.by_recursion(con, "ipums", data.IPUMS_QI)

    @pytest.mark.parametrize(
        "requirements", [{"k": 5}, {"k": 5, "entropy_l": 4.0, "t": 0.5, "t_distance": "hierarchical"}]
    )
    def test_adult_with_the_hierarchies_of_arx(
        self, con: duckdb.DuckDBPyConnection, adult: str, requirements: dict[str, Any]
    ) -> None:
        names = [*data.ADULT_QI, "occupation"]
        folder = data.data() / "adult" / "hierarchies"
        trees = {}
        entries = []
        for name in names:
            path = folder / f"adult_hierarchy_{name.replace('_', '-')}.csv"
            entries.append(f"from sqlanon.read_hierarchy({literal(str(path))}, {literal(name)})")
            lines = [line.split(";") for line in path.read_text("utf-8").splitlines() if line]
            trees[name] = {labels[0]: labels for labels in lines}
        con.execute("create or replace table arx as " + " union all ".join(entries)).fetchall()
        con.execute(
            "create or replace table sample as "
            "select * exclude (id), row_number() over (order by id) - 1 as id "
            f"from {adult} where id % 15 = 0"
        ).fetchall()
        sample = con.execute(f"select {', '.join(names)} from sample order by id").fetchall()
        oracle = Mondrian(
            [row[:-1] for row in sample],
            [row[-1:] for row in sample],
            Requirements(**requirements),
            hierarchies={i: trees[name] for i, name in enumerate(data.ADULT_QI)},
            sensitive_hierarchies={0: trees["occupation"]},
        )
        released = rows(
            con,
            "mondrian",
            "sample",
            qi=data.ADULT_QI,
            sensitive="occupation",
            keep="id",
            hierarchies="arx",
            **requirements,
        )
        assert len(released) == 2010
        assert by_class(released, 7) == expected(oracle)
