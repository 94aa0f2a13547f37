"""Full-domain generalization in SQL and Python against trying everything, on random tables."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product, zip_longest
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from sqlanon import InputError
from tests.anonymize.test_mondrian import comparable, requirements
from tests.budget import examples, some
from tests.oracles import canonical
from tests.oracles.full_domain import (
    AGGREGATES,
    MEASURES,
    FullDomain,
    How,
    Infeasible,
    Levels,
    Node,
    Presence,
)
from tests.oracles.privacy import Requirements
from tests.tables import (
    DOMAINS,
    Column,
    call,
    columns,
    hierarchies_by_position,
    load,
    load_hierarchies,
    orders_by_position,
    rows,
    trees,
)

# Planning takes several times as long on the line before.
few = examples(12)
fewer = examples(5)

# A loss is truncated to ten decimals: doubles may end one below an exact fraction.
LOSS = 2e-10

INFEASIBLE = "meets? the requirements"

Rows = Counter[tuple[Any, ...]]


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


@dataclass(frozen=True)
class Case:
    """A table, what is required of its release, and the population that its people are from."""

    qi: list[Column]
    sensitive: list[Column]
    requirements: dict[str, Any]
    population: list[Column] | None

    def load(self, con: duckdb.DuckDBPyConnection) -> dict[str, Any]:
        """Tables t, h and p; the arguments of a call."""
        load(con, "t", [*self.qi, *self.sensitive])
        if self.population:
            load(con, "p", self.population)
        return {
            "qi": self.names,
            "sensitive": [c.name for c in self.sensitive] or None,
            "hierarchies": load_hierarchies(con, "h", [*self.qi, *self.sensitive]),
            "population": "p" if self.population else None,
            **self.requirements,
        }

    @property
    def names(self) -> list[str]:
        return [c.name for c in self.qi]

    @property
    def oracle(self) -> FullDomain:
        about_people = Presence.__annotations__.keys()
        return FullDomain(
            list(zip(*(c.values for c in self.qi), strict=True)),
            list(zip(*(c.values for c in self.sensitive), strict=True)) or None,
            Requirements(**{k: v for k, v in self.requirements.items() if k not in about_people}),
            presence=Presence(**{k: v for k, v in self.requirements.items() if k in about_people}),
            population=list(zip(*(c.values for c in self.population), strict=True))
            if self.population
            else None,
            hierarchies=hierarchies_by_position(self.qi),
            sensitive_orders=orders_by_position(self.sensitive),
            sensitive_hierarchies=hierarchies_by_position(self.sensitive),
        )

    def rows_of(self, released: Sequence[tuple[Any, ...]]) -> Rows:
        """Rows of the oracle (labels and a row's number), completed by the row's sensitive values."""
        return Counter(
            (*labels, *(comparable(c.values[row]) for c in self.sensitive), row) for *labels, row in released
        )

    def by_name(self, values: Sequence[Any] | None) -> dict[str, Any] | None:
        """A list in the order of qi, as Python functions take it."""
        return None if values is None else dict(zip(self.names, values, strict=True))


@st.composite
def cases(draw: st.DrawFn, attributes: int = 3) -> Case:
    n = draw(st.integers(1, 30))
    qi = [draw(columns(f"q {i}", n, width=4)) for i in range(draw(st.integers(1, attributes)))]
    qi = [replace(c, hierarchy=draw(trees(DOMAINS[c.type]))) if draw(st.booleans()) else c for c in qi]
    types = ["VARCHAR", "INTEGER", "ENUM ('small', 'medium', 'large')"]
    sensitive = [
        draw(columns(f"s {i}", n, types, draw(st.integers(1, 3)))) for i in range(draw(st.integers(0, 2)))
    ]
    required, population = draw(requirements(sensitive)), None
    if draw(st.integers(0, 2)) == 2:
        about_people = {
            "k_map": draw(st.integers(1, 6)),
            "dmin": draw(st.sampled_from([0, 0.1, 0.5])),
            "dmax": draw(st.sampled_from([0.5, 0.8, 1])),
        }
        chosen = draw(st.lists(st.sampled_from(list(about_people)), min_size=1, unique=True))
        required |= {name: about_people[name] for name in chosen}
        others = draw(st.integers(0, 30))
        population = [
            replace(
                c,
                values=[
                    *c.values,
                    *draw(
                        st.lists(st.sampled_from([*DOMAINS[c.type], None]), min_size=others, max_size=others)
                    ),
                ],
            )
            for c in qi
        ]
    return Case(qi, sensitive, required, population)


limits = st.sampled_from([0, 0.1, 0.25, 0.5, 1])


@st.composite
def ways(draw: st.DrawFn, attributes: int) -> dict[str, Any]:
    """Arguments that say what is best."""
    weights = st.lists(st.sampled_from([0, 1, 2, 0.5]), min_size=attributes, max_size=attributes)
    return {
        "measure": draw(st.sampled_from(["loss", *MEASURES])),
        "aggregate": draw(st.sampled_from(AGGREGATES)),
        "monotonic": draw(st.booleans()),
        "gs_factor": draw(st.sampled_from([0.5, 0, 0.25, 0.75, 1])),
        "weights": draw(st.none() | weights.filter(any)),
    }


@st.composite
def bounds(draw: st.DrawFn, top: Levels) -> tuple[list[int], list[int]]:
    """min_levels and max_levels."""
    pairs = [sorted([draw(st.integers(0, level)), draw(st.integers(0, level))]) for level in top]
    return [low for low, _ in pairs], [high for _, high in pairs]


def about(value: Any) -> Any:
    return value if value is None else pytest.approx(value, rel=1e-9, abs=LOSS)


def best(nodes: Sequence[Node], how: How) -> list[Node]:
    """The nodes that cost least, and those that cost as much but for rounding."""
    costs = [node.cost(how) for node in nodes]
    # where doubles and fractions may differ, ranks are told apart by what differs more
    least = min(([round(x, 8) for x in cost] for cost in costs), default=[])
    return [node for node, cost in zip(nodes, costs, strict=True) if [round(x, 8) for x in cost] == least]


def released(con: duckdb.DuckDBPyConnection, macro: str, arguments: Mapping[str, Any]) -> Rows:
    return Counter(
        tuple(comparable(value) for value in row) for row in rows(con, macro, "t", keep="id", **arguments)
    )


class TestOracle:
    """The oracle against sums by hand."""

    TREE: Mapping[str, Sequence[str]] = {
        "a": ["a", "ab", "*"], "b": ["b", "ab", "*"], "c": ["c", "cd", "*"], "d": ["d", "cd", "*"],
    }  # fmt: skip

    def table(self) -> FullDomain:
        return FullDomain(
            [("a", 1), ("a", 1), ("b", 1), ("b", 2), ("c", 2)],
            None,
            Requirements(k=2),
            hierarchies={0: self.TREE},
        )

    def test_classes(self) -> None:
        table = self.table()
        assert table.top == (2, 1)
        node = table.node((0, 0))
        assert (node.kept, node.violating, node.smallest) == ([[0, 1]], [[2], [3], [4]], 2)
        node = table.node((1, 0))
        assert (node.kept, node.violating) == ([[0, 1, 2]], [[3], [4]])
        assert node.released() == [("ab", "1", 0), ("ab", "1", 1), ("ab", "1", 2)]
        assert len(list(table.lattice())) == 6
        assert [node.levels for node in table.lattice((1, 0), (2, 0))] == [(1, 0), (2, 0)]

    def test_measures(self) -> None:
        """Five rows, two of them suppressed."""
        result = self.table().node((1, 0)).measures()
        # shares 1/2 of three rows and 1 of two, of 5 rows; a raw value has 1/4: (3.5 - 1.25) / (5 - 1.25)
        # shares 1/2 of three and 1 of two: (3.5 - 2.5) / (5 - 2.5)
        assert result["loss_rank"] == [0.6, 0.4]
        assert result["loss_arithmetic_mean"] == pytest.approx(0.5)
        assert result["loss_geometric_mean"] == pytest.approx((1.6 * 1.4) ** 0.5 - 1)
        # a, a, b, b become ab: 4 bits; c alone: none; the suppressed ones are {ab, cd} and {2, 2}
        assert result["entropy_monotonic"] == pytest.approx(4)
        assert result["entropy"] == pytest.approx(4 + 2)
        assert result["discernibility"] == 3**2 + 2 * 5
        assert result["discernibility_monotonic"] == 3**2 + 1 + 1
        assert result["average_class_size"] == 5 / 2
        assert result["precision"] == pytest.approx((0.6 * 0.5 + 0.4 + 0.4) / 2)
        assert result["precision_monotonic"] == pytest.approx(0.25)

    def test_factor(self) -> None:
        node = self.table().node((1, 0))
        assert node.cost(How(aggregate="rank", gs_factor=1)) == [0.4, 0.4]
        assert node.cost(How(aggregate="rank", gs_factor=0)) == pytest.approx([1 / 3, 0], abs=LOSS)
        assert node.cost(How(aggregate="rank", weights=[1, 2])) == [0.4, 0.3]

    def test_searches(self) -> None:
        table = self.table()
        assert [node.levels for node in table.samarati(0)] == [(2, 0)]
        assert [node.levels for node in table.samarati(0.2)] == [(0, 1)]
        assert [node.levels for node in table.datafly(0.2)] == [(0, 0), (1, 0), (2, 0)]
        assert [node.levels for node in table.datafly(0.4)] == [(0, 0), (1, 0)]
        with pytest.raises(Infeasible):
            FullDomain([(1,)], None, Requirements(k=2)).samarati(1)


class TestLattice:
    @few
    @given(st.data())
    def test_every_node_and_measure(self, con: duckdb.DuckDBPyConnection, data: st.DataObject) -> None:
        case = data.draw(cases())
        arguments, oracle = case.load(con), case.oracle
        how = data.draw(ways(len(case.qi)))
        low, high = data.draw(bounds(oracle.top))
        arguments |= {"min_levels": low, "max_levels": high}
        arguments |= {"weights": how["weights"], "gs_factor": how["gs_factor"]}
        relation = con.sql(f"from {call('lattice', 't', **arguments)} order by levels")
        refused, values = "", []
        try:
            values = relation.fetchall()
        except duckdb.Error as error:
            refused = str(error)
        if refused:
            assert re.search(INFEASIBLE, refused)
            assert not oracle.node(oracle.top).kept  # the whole table as one class
            return
        result = [dict(zip(relation.columns, row, strict=True)) for row in values]
        wanted = [
            node.measures(how["gs_factor"], how["weights"])
            for node in oracle.lattice(tuple(low), tuple(high))
        ]
        for node, other in zip_longest(result, wanted):
            assert node is not None
            assert other is not None
            assert list(node) == list(other)
            assert {name for name, value in other.items() if node[name] != about(value)} == set()

    def test_bounds_are_optional(self, con: duckdb.DuckDBPyConnection, people: str) -> None:
        result = rows(con, "lattice", people, qi=["age", "zip"], hierarchies="h", k=2)
        assert [row[0] for row in result] != []
        assert {tuple(row[0]) for row in result} == {(i, j) for i in range(3) for j in range(2)}


class TestGeneralize:
    @pytest.mark.slow("0.5 s")
    @few
    @given(st.data())
    def test_random_tables(self, con: duckdb.DuckDBPyConnection, data: st.DataObject) -> None:
        case = data.draw(cases())
        arguments, oracle = case.load(con), case.oracle
        levels = tuple(data.draw(st.integers(0, top)) for top in oracle.top)
        limit = data.draw(limits)
        node = oracle.node(levels)
        arguments |= {"levels": list(levels), "suppression_limit": limit}
        if not node.fits(limit):
            with pytest.raises(duckdb.Error, match=INFEASIBLE):
                released(con, "generalize", arguments)
            return
        # every row is there, with its labels and its own sensitive values, or is one of those suppressed
        assert released(con, "generalize", arguments) == case.rows_of(node.released())


class TestOptimal:
    @few
    @given(st.data())
    def test_brute_force(self, con: duckdb.DuckDBPyConnection, data: st.DataObject) -> None:
        """SQL finds what costs least, and Python, which skips what cannot, finds the same."""
        case = data.draw(cases())
        arguments, oracle = case.load(con), case.oracle
        how, limit = data.draw(ways(len(case.qi))), data.draw(limits)
        low, high = data.draw(st.just((None, None)) | bounds(oracle.top))
        arguments |= {**how, "suppression_limit": limit, "min_levels": low, "max_levels": high}
        nodes = [
            node
            for node in oracle.lattice(tuple(low) if low else None, tuple(high) if high else None)
            if node.fits(limit)
        ]
        by_name = {name: case.by_name(arguments[name]) for name in ("weights", "min_levels", "max_levels")}
        if not nodes:
            with pytest.raises(duckdb.Error, match=INFEASIBLE):
                released(con, "optimal", arguments)
            with pytest.raises(InputError, match=INFEASIBLE):
                sqlanon.optimal(con, "t", keep="id", **arguments | by_name)
            return
        result = released(con, "optimal", arguments)
        candidates = best(nodes, How(**how))
        assert result in [case.rows_of(node.released()) for node in candidates]

        release = sqlanon.optimal(con, "t", keep="id", **arguments | by_name)
        assert {*release.relation(con).columns} == {*case.names, *(c.name for c in case.sensitive), "id"}
        table = release.relation(con).fetchall()
        assert Counter(tuple(comparable(value) for value in row) for row in table) == result
        levels = tuple(release.details["levels"][name] for name in case.names)
        chosen = next(node for node in candidates if node.levels == levels)
        assert release.suppressed_rows == len(chosen.suppressed)
        assert release.rows == len(table) == oracle.n - len(chosen.suppressed)

    @staticmethod
    def large(required: dict[str, Any]) -> Case:
        """60 rows and four attributes with four levels each; everybody is the population."""
        pick = random.Random(5)
        values = ["".join(letters) for letters in product("ab", repeat=3)]
        tree = {value: [value, value[:2], value[:1], "*"] for value in values}
        qi = [
            Column(f"q{i}", "VARCHAR", pick.choices(values, range(i + 1, i + 9), k=60), tree)
            for i in range(4)
        ]
        return Case(qi, [Column("s", "VARCHAR", pick.choices("xyz", k=60))], required, qi)

    @pytest.mark.slow("2.0 s a case", but=(1,))
    @pytest.mark.parametrize("written_down", [True, False])
    @pytest.mark.parametrize(
        ("required", "limit"),
        [
            ({"k": 3}, 0.15),
            ({"k": 3}, 1),
            ({"t": 0.35}, 0),
            ({"l": 2, "alpha": 0.7}, 0.25),
            ({"k": 2, "k_map": 6}, 0),
        ],
    )
    def test_nothing_better_is_left_out(
        self,
        con: duckdb.DuckDBPyConnection,
        monkeypatch: pytest.MonkeyPatch,
        required: dict[str, Any],
        limit: float,
        written_down: bool,
    ) -> None:
        """Of 256 nodes few are looked at: the best of all of them, by every measure.

        Larger lattices are not even written down; here they are large sooner.
        """
        if not written_down:
            monkeypatch.setattr("sqlanon.anonymize.full_domain.LARGE", 50)
        case = self.large(required)
        arguments = case.load(con)
        nodes = self.lattice(con, arguments)
        fitting = [node for node in nodes if node["classes"] and node["suppressed"] <= limit * 60]
        arguments |= {"suppression_limit": limit}
        looked_at = []
        for column in some(
            [column for column in nodes[0] if column == "height" or column.startswith(MEASURES)], 8
        ):
            measure = next(measure for measure in MEASURES if column.startswith(measure))
            aggregate = column.removeprefix("loss_") if measure == "loss" else "rank"
            request: dict[str, Any] = {
                "measure": measure,
                "aggregate": aggregate,
                "monotonic": column.endswith("_monotonic"),
            }
            release = sqlanon.optimal(con, "t", **arguments, **request)
            assert release.details["cost"] == about(min(node[column] for node in fitting)), column
            assert release.details["points"] == len(nodes) == 4**4
            looked_at.append(release.details["looked_at"])
        assert min(looked_at) < len(nodes) / 2

    @pytest.mark.slow("1.5 s")
    @pytest.mark.parametrize("large", [50, 10000])
    def test_a_search_that_is_cut_short_says_so(
        self, con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch, large: int
    ) -> None:
        monkeypatch.setattr("sqlanon.anonymize.full_domain.LARGE", large)
        case = self.large({"k": 3})
        arguments = case.load(con)
        release = sqlanon.optimal(con, "t", suppression_limit=0.15, time_limit=0, **arguments)
        result = release.details
        assert result["points"] == 4**4
        assert result["open"] > 0
        assert result["looked_at"] + result["open"] <= result["points"]
        levels = [result["levels"][name] for name in case.names]
        (node,) = (node for node in self.lattice(con, arguments) if node["levels"] == levels)
        assert node["suppressed"] == release.suppressed_rows <= 0.15 * 60
        assert node["loss_geometric_mean"] == about(result["cost"])
        assert result.get("open_cost", 0) <= result["cost"]

        whole = sqlanon.optimal(con, "t", suppression_limit=0.15, time_limit=600, **arguments)
        assert whole.details["open"] == 0
        assert whole.details["cost"] <= result["cost"]

    @pytest.mark.parametrize("macro", ["samarati", "optimal", "lattice"])
    def test_too_many_levels_are_refused(self, con: duckdb.DuckDBPyConnection, macro: str) -> None:
        """Before they are written down: 3 to the power of 15 are no search for SQL."""
        columns = [f"a{i}" for i in range(15)]
        con.execute(
            f"create or replace temp table wide as select {', '.join(f'range::text as {c}' for c in columns)}"
            " from range(4)"
        ).fetchall()
        con.execute(
            "create or replace temp table high as select attribute, value, level, "
            "case level when 0 then value when 1 then value[:0] || '-' else '*' end as label "
            "from (select unnest($1) as attribute), (select range::text as value from range(4)), "
            "range(3) as height(level)", [columns]
        ).fetchall()  # fmt: skip
        given: dict[str, Any] = {"qi": columns, "k": 2, "hierarchies": "high"}
        with pytest.raises(
            duckdb.Error, match=r"have 14,348,907 combinations, and .* 2,000,000 .*time_limit"
        ):
            con.execute(f"from {call(macro, 'wide', **given)}").fetchall()
        if macro == "samarati":
            with pytest.raises(sqlanon.InputError, match="14,348,907 combinations"):
                sqlanon.samarati(con, "wide", **given)
        if macro == "optimal":  # in Python the best of those that were looked at, once it is time
            release = sqlanon.optimal(con, "wide", **given, time_limit=1)
            assert release.details["open"] > 0

    def test_nothing_that_fits_by_the_time_limit(self, con: duckdb.DuckDBPyConnection) -> None:
        """That is an error, which says what else may help."""
        case = self.large({"k": 3})
        arguments = case.load(con)
        with pytest.raises(sqlanon.InputError, match=r"time_limit: after 0 seconds none of .* of 256, meets"):
            sqlanon.samarati(con, "t", **{**arguments, "k": 60}, time_limit=0)

    @staticmethod
    def lattice(con: duckdb.DuckDBPyConnection, arguments: dict[str, Any]) -> list[dict[str, Any]]:
        relation = con.sql(f"from {call('lattice', 't', **arguments)}")
        return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]

    @pytest.mark.slow("0.3 s a case", but=(0, 4, 19, 26))
    @pytest.mark.parametrize("measure", MEASURES)
    @pytest.mark.parametrize("aggregate", AGGREGATES)
    @pytest.mark.parametrize("monotonic", [False, True])
    def test_every_measure(
        self, con: duckdb.DuckDBPyConnection, measure: str, aggregate: str, monotonic: bool
    ) -> None:
        """On one table whose optimum differs from measure to measure."""
        pick = random.Random(7)
        tree = {v: [v, v[0], "*"] for v in ("aa", "ab", "ba", "bb", "ca")}
        qi = [
            Column("x", "VARCHAR", pick.choices(list(tree), [9, 4, 3, 2, 1], k=40), tree),
            Column("y", "VARCHAR", pick.choices(list(tree), k=40), tree),
            Column("z", "INTEGER", pick.choices([1, 2, 3], [8, 2, 1], k=40)),
        ]
        case = Case(qi, [], {"k": 3}, None)
        arguments, oracle = case.load(con), case.oracle
        how: dict[str, Any] = {"measure": measure, "aggregate": aggregate, "monotonic": monotonic}
        nodes = [node for node in oracle.lattice() if node.fits(0.2)]
        result = released(con, "optimal", arguments | how | {"suppression_limit": 0.2})
        assert result in [case.rows_of(node.released()) for node in best(nodes, How(**how))]


class TestKeepable:
    """Of no class do parts that meet the requirements keep more rows than its share that is keepable: the
    best of these parts, together, are a class that meets them, one of all classes within it."""

    @pytest.mark.parametrize(
        "required",
        [
            *({"t": t, "t_distance": distance} for t in (0.1, 0.3) for distance in ("equal", "ordered")),
            {"t": 0.2, "t_distance": "hierarchical"},
            {"alpha": 0.4, "entropy_l": 2.5},
        ],
    )
    def test_every_class_within_every_class(
        self, con: duckdb.DuckDBPyConnection, required: dict[str, Any]
    ) -> None:
        asked = ", ".join(f"{name} := {value!r}" for name, value in required.items())
        con.sql(
            f"""
            create or replace temp table requirement as select sqlanon._requirements({asked}) as req;
            create or replace temp table sensitive_value as
            select code + 1 as s, 1 as attribute, code from range(4) as value(code);
            create or replace temp table whole as
            select 0 as class_id, 1 as attribute, code, [40, 10, 30, 20][code + 1] as n
            from range(4) as value(code);
            create or replace temp table marginal as from sqlanon._marginal('whole');
            create or replace temp table tree as
            select 1 as attribute, code, level, code // (1 << level) as node
            from range(4) as value(code), range(3) as step(level);
            create or replace temp table class as
            select [a, b, c, d] as counts, a + b + c + d as size, false as hopeless,
                   list_filter([4294967296 + a, 2 * 4294967296 + b, 3 * 4294967296 + c, 4 * 4294967296 + d],
                               lambda cell: cell % 4294967296 > 0) as histogram
            from range(5) as one(a), range(4) as two(b), range(4) as three(c), range(4) as four(d)
            where a + b + c + d > 0;
            create or replace temp table judged as
            select class.*, good, keepable
            from class
            join sqlanon._judged_histograms(
                'class', 'sensitive_value', 'marginal', 'tree', 'requirement', false, null)
                using (histogram)
            """
        )
        classes = con.sql("select counts, size, good, keepable from judged").fetchall()
        assert len(classes) == 5 * 4**3 - 1
        good = [(counts, size) for counts, size, is_good, _ in classes if is_good]
        assert 0 < len(good) < len(classes)
        assert any(keepable < 0.8 for *_, keepable in classes)
        for counts, size, is_good, keepable in classes:
            assert not is_good or keepable > 1 - 1e-9
            kept = [n for part, n in good if all(few <= many for few, many in zip(part, counts, strict=True))]
            assert max(kept, default=0) <= size * keepable + 1e-9, counts


class TestClassicSearches:
    @pytest.mark.slow("1.3 s")
    @fewer
    @given(cases(), limits)
    def test_samarati(self, con: duckdb.DuckDBPyConnection, case: Case, limit: float) -> None:
        arguments, oracle = case.load(con), case.oracle
        self.compare(con, "samarati", case, arguments | {"suppression_limit": limit}, oracle.samarati)

    @pytest.mark.slow("1.4 s")
    @fewer
    @given(cases(), limits)
    def test_datafly(self, con: duckdb.DuckDBPyConnection, case: Case, limit: float) -> None:
        arguments, oracle = case.load(con), case.oracle
        self.compare(
            con, "datafly", case, arguments | {"suppression_limit": limit}, lambda x: oracle.datafly(x)[-1:]
        )

    def test_a_lower_height_may_fit_where_a_point_above_it_does_not(
        self, con: duckdb.DuckDBPyConnection
    ) -> None:
        """With b recoded all rows are one class, which is suppressed; without, the class of b = 1 stays."""
        con.execute(
            """create or replace table t as select 1 as a, b, s
            from (values (1, 'x'), (1, 'y'), (2, 'x'), (2, 'x'), (3, 'x')) as row(b, s)"""
        ).fetchall()
        result = con.execute(
            "from sqlanon.samarati('t', ['a', 'b'], 's', alpha := 0.5, suppression_limit := 1)"
        ).fetchall()
        assert sorted(result) == [("1", "1", "x"), ("1", "1", "y")]

    @staticmethod
    def compare(
        con: duckdb.DuckDBPyConnection, name: str, case: Case, arguments: dict[str, Any], oracle: Any
    ) -> None:
        function = {"samarati": sqlanon.samarati, "datafly": sqlanon.datafly}[name]
        try:
            nodes = oracle(arguments["suppression_limit"])
        except Infeasible:
            with pytest.raises(duckdb.Error, match=INFEASIBLE):
                released(con, name, arguments)
            with pytest.raises(InputError, match=INFEASIBLE):
                function(con, "t", keep="id", **arguments)
            return
        wanted = [case.rows_of(node.released()) for node in nodes]
        result = released(con, name, arguments)
        assert result in wanted
        release = function(con, "t", keep="id", **arguments)
        table = release.relation(con).fetchall()
        assert Counter(tuple(comparable(value) for value in row) for row in table) == result
        assert tuple(release.details["levels"][name] for name in case.names) in [
            node.levels for node in nodes
        ]


@pytest.mark.slow("2 tests, 0.6 to 2 s each")
class TestLocalRecoding:
    @fewer
    @given(st.data())
    def test_random_tables(self, con: duckdb.DuckDBPyConnection, data: st.DataObject) -> None:
        """Nothing that the optimum releases is lost, and every class meets the requirements."""
        case = data.draw(cases())
        arguments, oracle = case.load(con), case.oracle
        limit = data.draw(limits)
        arguments |= {"suppression_limit": limit, "keep": "id"}
        try:
            single = sqlanon.optimal(con, "t", **arguments)
        except InputError:
            with pytest.raises(InputError, match=INFEASIBLE):
                sqlanon.optimal(con, "t", local_recoding=True, **arguments)
            return
        local = sqlanon.optimal(con, "t", local_recoding=True, **arguments)
        assert local.suppressed_rows <= single.suppressed_rows
        assert local.rows + local.suppressed_rows == oracle.n

        table = local.relation(con).fetchall()
        classes: dict[tuple[Any, ...], list[int]] = {}
        for *values, row in table:
            classes.setdefault(tuple(values[: len(case.qi)]), []).append(row)
            assert [canonical(value) for value in values[len(case.qi) :]] == [
                canonical(c.values[row]) for c in case.sensitive
            ]
            for i, value in enumerate(values[: len(case.qi)]):
                heights = range(oracle.attributes[i].height + 1)
                raw = case.qi[i].values[row]
                assert value in [oracle.attributes[i].label(raw, level) for level in heights]
        assert all(oracle.satisfied(members) for members in classes.values())
        assert sorted(row[-1] for row in table) == sorted({row[-1] for row in table})

    def test_what_no_further_search_releases_is_suppressed(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            "create or replace table t as from (values (0, 'a'), (0, 'a'), (1, 'a')) as row(age, zip)"
        ).fetchall()
        release = sqlanon.optimal(con, "t", qi=["age", "zip"], k=2, suppression_limit=1, local_recoding=True)
        assert (release.rows, release.suppressed_rows) == (2, 1)


class TestOrder:
    @pytest.mark.slow("a search again and again")
    @fewer
    @given(st.data(), st.randoms(use_true_random=False))
    def test_the_order_of_the_table_changes_nothing(
        self, con: duckdb.DuckDBPyConnection, data: st.DataObject, shuffle: Any
    ) -> None:
        case = data.draw(cases())
        n = len(case.qi[0].values)
        order = list(range(n))
        shuffle.shuffle(order)
        arguments = {**case.load(con), "keep": "id", "seed": 1, "suppression_limit": data.draw(limits)}
        con.execute(
            "create or replace table shuffled as select t.* from t "
            "join (select unnest(?::bigint[]) as id, unnest(range(?)) as place) as o using (id) "
            "order by place",
            [order, n],
        ).fetchall()
        how = data.draw(ways(len(case.qi)))
        for macro, more in (("optimal", how), ("samarati", {}), ("datafly", {})):
            try:
                straight = rows(con, macro, "t", **arguments, **more)
            except duckdb.InvalidInputException:
                with pytest.raises(duckdb.InvalidInputException):
                    rows(con, macro, "shuffled", **arguments, **more)
                continue
            # repr: NaN is not equal to itself
            assert repr(rows(con, macro, "shuffled", **arguments, **more)) == repr(straight)

    @pytest.mark.slow("a search again and again")
    def test_the_number_of_threads_changes_nothing(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            """create or replace table large as
            select (hash(range, 1) % 40)::integer as a, (hash(range, 2) % 20)::integer as b,
                (hash(range, 3) % 9)::varchar as c, (hash(range, 4) % 5)::integer as s, range as id
            from range(30000)"""
        ).fetchall()
        con.execute(
            """create or replace table trees as
            from sqlanon.interval_hierarchy('large', 'a', [5, 10, 20])
            union all from sqlanon.interval_hierarchy('large', 'b', [4, 8])"""
        ).fetchall()
        arguments: dict[str, Any] = {
            "qi": ["a", "b", "c"], "sensitive": "s", "keep": "id", "hierarchies": "trees", "k": 20, "t": 0.2,
            "suppression_limit": 0.1, "seed": 1,
        }  # fmt: skip
        threads = con.execute("select current_setting('threads')").fetchall()[0][0]
        for macro in ("optimal", "samarati", "datafly"):
            releases = []
            for count in (1, 4):
                con.execute(f"set threads = {count}").fetchall()
                releases.append(rows(con, macro, "large", **arguments))
            con.execute(f"set threads = {threads}").fetchall()
            assert releases[0] == releases[1]
            assert 27000 <= len(releases[0]) <= 30000

    @pytest.mark.slow("a search again and again")
    def test_a_seed_fixes_the_order_of_rows_and_nothing_else(
        self, con: duckdb.DuckDBPyConnection, people: str
    ) -> None:
        arguments: dict[str, Any] = {"qi": ["age", "zip"], "keep": "id", "hierarchies": "h", "k": 2}
        for macro, more in (
            ("generalize", {"levels": [1, 1]}),
            ("optimal", {}),
            ("samarati", {}),
            ("datafly", {}),
        ):
            one, again, other = (
                rows(con, macro, people, seed=seed, **arguments, **more) for seed in (1, 1, 2)
            )
            assert one == again
            assert one != other
            assert sorted(one) == sorted(other)


@pytest.fixture
def people(con: duckdb.DuckDBPyConnection) -> str:
    """24 people; age has a hierarchy (table h), zip has none."""
    con.execute(
        """create or replace table people as
        select (20 + range % 6)::integer as age, (range % 2)::varchar as zip, 'd' || range % 3 as disease,
            range as id from range(24)"""
    ).fetchall()
    con.execute(
        """create or replace table h as select 'age' as attribute, value, unnest([0, 1, 2]) as level,
            unnest([value, value[:1] || case when value < '23' then '0-2' else '3-5' end, '*']) as label
        from (select unnest(range(20, 26))::varchar as value)"""
    ).fetchall()
    con.execute("create or replace table nobody as from people where false").fetchall()
    con.execute("create or replace table lacking as from h where value <> '25'").fetchall()
    con.execute("create or replace table uneven as from h where not (value = '25' and level = 2)").fetchall()
    return "people"


ARGUMENTS: Mapping[str, Any] = {"qi": ["age", "zip"], "sensitive": "disease", "hierarchies": "h"}
ANONYMIZERS: Mapping[str, Mapping[str, Any]] = {
    "generalize": {"levels": [0, 0], "suppression_limit": 1},
    "lattice": {},
    "optimal": {},
    "samarati": {},
    "datafly": {},
}


class TestBadInput:
    @staticmethod
    def in_python(arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Lists in the order of qi by column name; a list that is too short lacks its last columns."""
        qi = arguments["qi"]
        return {
            name: dict(zip(qi, value, strict=False))
            if name in ("levels", "weights", "min_levels", "max_levels")
            else value
            for name, value in arguments.items()
        }

    def refused(self, con: duckdb.DuckDBPyConnection, macro: str, table: str, **arguments: Any) -> list[str]:
        """The messages of the errors of SQL and Python."""
        arguments = {**ARGUMENTS, **ANONYMIZERS[macro], **arguments}
        with pytest.raises(duckdb.Error) as in_sql:
            rows(con, macro, table, **arguments)
        with pytest.raises(InputError) as in_python:
            getattr(sqlanon, macro)(con, table, **self.in_python(arguments))
        return [str(in_sql.value), str(in_python.value)]

    @pytest.mark.slow("0.5 s a case", but=(0, 6, 12, 18, 24, 25, 31, 37, 43))
    @pytest.mark.parametrize("macro", ANONYMIZERS)
    @pytest.mark.parametrize(
        ("table", "arguments", "words"),
        [
            ("people", {"k": 0}, ["k must be a whole number of at least 1, not 0"]),
            ("people", {}, ["nothing is required"]),
            ("people", {"qi": ["age", "zib"], "k": 1}, ["zib"]),
            ("people", {"sensitive": "diseas", "l": 1}, ["diseas"]),
            ("peeple", {"k": 1}, ["peeple"]),
            ("nobody", {"k": 1}, ["nobody"]),
            ("people", {"hierarchies": "lacking", "k": 1}, ["age", "lacks"]),
            ("people", {"hierarchies": "uneven", "k": 1}, ["age", "25", "ends at level 1", "up to 2"]),
            ("people", {"hierarchies": "none", "k": 1}, ["none"]),
        ],
    )
    def test_of_all(
        self,
        con: duckdb.DuckDBPyConnection,
        people: str,
        macro: str,
        table: str,
        arguments: dict[str, Any],
        words: list[str],
    ) -> None:
        for message in self.refused(con, macro, table, **arguments):
            assert [word for word in words if word not in message] == []

    @pytest.mark.parametrize("macro", ["generalize", "optimal", "samarati", "datafly"])
    @pytest.mark.parametrize("limit", [-0.1, 1.5, float("nan")])
    def test_suppression_limit(
        self, con: duckdb.DuckDBPyConnection, people: str, macro: str, limit: float
    ) -> None:
        for message in self.refused(con, macro, people, k=1, suppression_limit=limit):
            assert f"suppression_limit must be between 0 and 1, not {limit}" in message

    @pytest.mark.slow("0.5 s", but=(6,))
    @pytest.mark.parametrize(
        ("levels", "words"),
        [
            ([3, 0], ["age", "3", "0 to 2"]),
            ([0, 2], ["zip", "2", "0 to 1"]),
            ([-1, 0], ["age", "-1", "0 to 2"]),
        ],
    )
    @pytest.mark.parametrize("parameter", ["levels", "min_levels", "max_levels"])
    def test_a_level_that_does_not_exist(
        self,
        con: duckdb.DuckDBPyConnection,
        people: str,
        parameter: str,
        levels: list[int],
        words: list[str],
    ) -> None:
        macro = {"levels": "generalize", "min_levels": "lattice", "max_levels": "optimal"}[parameter]
        for message in self.refused(con, macro, people, k=1, **{parameter: levels}):
            assert [word for word in words if word not in message] == []

    @pytest.mark.parametrize("parameter", ["levels", "weights", "min_levels", "max_levels"])
    @pytest.mark.parametrize("given", [[0], [0, 0, 0]])
    def test_lists_of_the_wrong_length(
        self, con: duckdb.DuckDBPyConnection, people: str, parameter: str, given: list[int]
    ) -> None:
        for macro in ["generalize"] if parameter == "levels" else ["lattice", "optimal"]:
            arguments = {**ARGUMENTS, **ANONYMIZERS[macro], "k": 1, parameter: given}
            with pytest.raises(duckdb.Error, match=parameter) as caught:
                rows(con, macro, people, **arguments)
            assert str(len(given)) in str(caught.value)
            assert "2" in str(caught.value)

    @pytest.mark.parametrize("parameter", ["levels", "weights", "min_levels", "max_levels"])
    def test_a_column_that_is_not_in_qi(
        self, con: duckdb.DuckDBPyConnection, people: str, parameter: str
    ) -> None:
        for macro in ["generalize"] if parameter == "levels" else ["lattice", "optimal"]:
            given = {"age": 1, "zib": 1}
            with pytest.raises(InputError, match="zib") as caught:
                getattr(sqlanon, macro)(con, people, **{**ARGUMENTS, "k": 1, parameter: given})
            assert parameter in str(caught.value)

    @pytest.mark.slow("1.0 s")
    def test_min_levels_above_max_levels(self, con: duckdb.DuckDBPyConnection, people: str) -> None:
        for macro in ("lattice", "optimal"):
            for message in self.refused(con, macro, people, k=1, min_levels=[2, 0], max_levels=[1, 1]):
                assert "min_levels" in message
                assert "max_levels" in message
                assert "age" in message

    @pytest.mark.parametrize("weights", [[-1, 1], [0, 0], [float("nan"), 1]])
    def test_weights(self, con: duckdb.DuckDBPyConnection, people: str, weights: list[float]) -> None:
        for macro in ("lattice", "optimal"):
            for message in self.refused(con, macro, people, k=1, weights=weights):
                assert "weights" in message

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            ({"measure": "los"}, ["measure", "los", *MEASURES]),
            ({"aggregate": "mean"}, ["aggregate", "mean", *AGGREGATES]),
            ({"gs_factor": 1.5}, ["gs_factor must be between 0 and 1, not 1.5"]),
            ({"gs_factor": -0.5}, ["gs_factor must be between 0 and 1, not -0.5"]),
        ],
    )
    def test_of_optimal(
        self, con: duckdb.DuckDBPyConnection, people: str, arguments: dict[str, Any], words: list[str]
    ) -> None:
        for message in self.refused(con, "optimal", people, k=1, **arguments):
            assert [word for word in words if word not in message] == []

    @pytest.mark.slow("0.8 s a case", but=(0, 10, 17))
    @pytest.mark.parametrize("macro", ["optimal", "samarati", "datafly"])
    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            ({"k": 25}, ["k-anonymity", "reaches 24", "25"]),
            ({"k": 25, "suppression_limit": 0.5}, ["k-anonymity", "reaches 24", "25"]),
            ({"k": 2, "l": 4}, ["distinct l-diversity", "disease", "reaches 3", "4"]),
            ({"alpha": 0.25}, ["(alpha, k)-anonymity", "disease", "reaches 0.333333", "0.25"]),
            ({"k_map": 25, "population": "people"}, ["k-map", "reaches 24", "25"]),
            ({"dmax": 0.5, "population": "people"}, ["delta-presence (most)", "reaches 1", "0.5"]),
        ],
    )
    def test_infeasible(
        self,
        con: duckdb.DuckDBPyConnection,
        people: str,
        macro: str,
        arguments: dict[str, Any],
        words: list[str],
    ) -> None:
        """It is said which model fails on the whole table, and what the table would allow."""
        for message in self.refused(con, macro, people, **arguments):
            assert re.search(INFEASIBLE, message)
            assert [word for word in words if word not in message] == []

    @pytest.mark.slow("0.5 s")
    def test_infeasible_within_bounds(self, con: duckdb.DuckDBPyConnection, people: str) -> None:
        """Something would do, but not under max_levels."""
        for message in self.refused(con, "optimal", people, k=24, max_levels=[1, 1]):
            assert re.search(INFEASIBLE, message)

    @pytest.mark.slow("0.6 s")
    def test_too_much_to_suppress(self, con: duckdb.DuckDBPyConnection, people: str) -> None:
        """Two of the classes of two are too small."""
        for message in self.refused(con, "generalize", people, k=5, suppression_limit=0.5):
            assert "24" in message
            assert "suppression_limit" in message

    @pytest.mark.slow("1.0 s")
    def test_nothing_is_left_behind(self, con: duckdb.DuckDBPyConnection, people: str) -> None:
        tables = con.execute("select table_name from duckdb_tables() order by all").fetchall()
        for macro in ("generalize", "optimal", "samarati", "datafly"):
            with pytest.raises(InputError):
                getattr(sqlanon, macro)(
                    con, people,
                    **self.in_python({**ARGUMENTS, **ANONYMIZERS[macro], "k": 25, "suppression_limit": 0}),
                )  # fmt: skip
        assert con.execute("select table_name from duckdb_tables() order by all").fetchall() == tables
