"""The numbers that ARX publishes and computes on Adult: every one of them agrees.

Its research subset is a table here, and what the subset is from is the population.
"""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from typing import Any, cast

import duckdb
import pytest

import sqlanon
from sqlanon import InputError
from sqlanon.core.requirements import complete
from sqlanon.core.statements import named_table, render, select
from sqlanon.core.steps import Chain, statement_of
from sqlanon.core.tables import WorkTables
from sqlanon.macros.requirements import Requirements
from tests import data
from tests.tables import rows

INFEASIBLE = "meets? the requirements"
SEVEN = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass"]

HEIGHTS = dict(zip(data.ARX_COLUMNS, [1, 4, 1, 2, 3, 2, 2, 2, 1], strict=True))

# Names of ARX: the parameters that they are here
MODELS = {
    "k_anonymity": {"k": "k"},
    "recursive_cl_diversity": {"c": "recursive_c", "l": "l"},
    "entropy_l_diversity": {"l": "entropy_l"},
    "t_closeness": {"t": "t", "t_distance": "t_distance"},
    "basic_beta_likeness": {"beta": "beta"},
    "k_map": {"k": "k_map"},
    "delta_presence": {"dmin": "dmin", "dmax": "dmax"},
}
MEASURES = {"non_uniform_entropy": "entropy", "discernability": "discernibility"}

# A model of whole releases, not of classes: the average risk of all records.
LEFT_OUT = ["RiskBased#0"]

# With dmin above 0 nobody of the population may be in no class. ARX asks this where nothing is suppressed,
# but not of the people of suppressed classes (nor, together with k or l, of those whose class has no row):
# its optima with suppression are no delta-presence. What is best by the definition is then what is best
# without suppression, which is ARX's optimum in another case with these requirements (or more, which that
# meets), where there is one.
PEOPLE_ARE_SUPPRESSED = {
    "Combinations#50": "Combinations#0",
    "Combinations#76": "Combinations#2",
    "Combinations#78": None,
    "Combinations#100": "Combinations#0",
    "Combinations#116": "Combinations#2",
    "DPresence#10": "DPresence#8",
}

SLOW = pytest.mark.slow("2 s")

# Every kind of answer once: by a monotonic measure, by loss, none, free of cost. The others are for make
# test-all.
QUICK = [
    *("Combinations#6", "EntropyLDiversity#1", "TestUtilityMetricsLoss#1", "TestUtilityMetricsLoss#11"),
    "TestUtilityMetricsLoss#41",
]


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        data.load_arx_adult(connection, "adult")
        data.load_arx_subset(connection, "subset")
        data.load_arx_hierarchies(connection, "h")
        # ARX puts texts in the order of the alphabet
        connection.execute(
            "create type occupations as enum (select distinct occupation from adult order by all); "
            "create view in_order as select * replace (occupation::occupations as occupation) from adult"
        )
        yield connection


def cases(file: str) -> list[dict[str, Any]]:
    """The cases of a file, named by it for a test that has one of them at a time;
    none where it is missing.
    """
    path = data.conformance() / file
    result: list[dict[str, Any]] = json.loads(path.read_text("utf-8")) if path.is_file() else []
    return result


def is_of_a_subset(case: dict[str, Any]) -> bool:
    return any("subset" in model for model in case["models"])


def required(case: dict[str, Any]) -> dict[str, Any]:
    """The requirements of a case."""
    return {
        ours: model[name] for model in case["models"] for name, ours in MODELS.get(model["model"], {}).items()
    }


def arguments(case: dict[str, Any]) -> dict[str, Any]:
    """What a case asks for."""
    return {
        "qi": [column for column in data.ARX_COLUMNS if column != case["sensitive"]],
        "sensitive": case["sensitive"],
        "hierarchies": "h",
        "population": "adult" if is_of_a_subset(case) else None,
        **required(case),
    }


def table(case: dict[str, Any]) -> str:
    if required(case).get("t_distance") == "ordered":
        return "in_order"
    return "subset" if is_of_a_subset(case) else "adult"


def key(case: dict[str, Any]) -> str:
    return json.dumps([table(case), arguments(case)])


def how(case: dict[str, Any]) -> dict[str, Any]:
    """What a case calls best. The second half of its cases of the loss give the n-th column the weight n."""
    measure = case["measure"]
    result = {
        "measure": MEASURES.get(measure["name"], measure["name"]),
        "aggregate": measure.get("aggregate", "geometric_mean"),
        "monotonic": measure.get("monotonic", False),
        "gs_factor": measure.get("generalization_vs_suppression_factor", 0.5),
    }
    test, number = case["case"].split("#")
    if test == "TestUtilityMetricsLoss" and int(number) > 50:
        qi = arguments(case)["qi"]
        result["weights"] = {column: data.ARX_COLUMNS.index(column) + 1 for column in qi}
    return result


def column(case: dict[str, Any]) -> str:
    """The column of the lattice that has the measure."""
    request = how(case)
    name: str = request["measure"] + (f"_{request['aggregate']}" if request["measure"] == "loss" else "")
    return name + ("_monotonic" if request["monotonic"] else "")


def some_nodes(
    con: duckdb.DuckDBPyConnection, of: str, asked: dict[str, Any], nodes: Sequence[Sequence[int]]
) -> dict[tuple[int, ...], dict[str, Any]]:
    """What `sqlanon.lattice` says of some nodes, all over the lattice, without looking at the others."""
    known = Requirements.__annotations__.keys()
    required = complete(cast(Requirements, {name: value for name, value in asked.items() if name in known}))
    sensitive = asked["sensitive"] if asked.keys() & {"l", "t", "entropy_l"} else []
    place = ", ".join(f"l{i + 1}" for i in range(len(asked["qi"])))
    arguments = {**asked, **required, "sensitive": sensitive, "tbl": of, "hierarchies": "h", "gs_factor": 0.5}
    with WorkTables(con) as work:
        chain = Chain(con, work, statement_of(con, "lattice", arguments | {"weights": None}), lambda *_: None)
        chain.make("point")
        work.make("some", select(named_table(work.name("point"))).where(f"[{place}] in {nodes}"))
        work.rename("some", "point")
        return by_levels(con.sql(render(chain.answer())))


def by_levels(lattice: duckdb.DuckDBPyRelation) -> dict[tuple[int, ...], dict[str, Any]]:
    nodes = [dict(zip(lattice.columns, row, strict=True)) for row in lattice.fetchall()]
    return {tuple(node["levels"]): node for node in nodes}


class Nodes(dict[str, dict[tuple[int, ...], dict[str, Any]]]):
    """The nodes of all cases with the same requirements, by these; made when they are looked at."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        super().__init__()
        self.con = con
        self.levels: dict[str, set[str]] = {}
        for case in cases("arx_adult_metrics.json"):
            self.levels.setdefault(key(case), set()).update(case["loss_of_levels"])

    def __missing__(self, requirements: str) -> dict[tuple[int, ...], dict[str, Any]]:
        source, parameters = json.loads(requirements)
        levels = [json.loads(each) for each in self.levels[requirements]]
        self[requirements] = some_nodes(self.con, source, parameters, levels)
        return self[requirements]


def close(value: Any) -> Any:
    return pytest.approx(value, rel=1e-9, abs=1e-12)


@pytest.fixture(scope="module")
def nodes(con: duckdb.DuckDBPyConnection) -> Nodes:
    return Nodes(con)


@pytest.fixture(scope="module")
def releases() -> dict[str, sqlanon.Release]:
    """What was released already: a few cases are there twice."""
    return {}


@data.needs_conformance
def test_all_cases_are_there() -> None:
    assert len(cases("arx_adult_optima.json")) == 93
    assert len(cases("arx_adult_metrics.json")) == 68
    assert sum(len(case["loss_of_levels"]) for case in cases("arx_adult_metrics.json")) == 581
    result = {case["case"] for case in cases("arx_adult_optima.json")}
    assert {*LEFT_OUT, *PEOPLE_ARE_SUPPRESSED, *QUICK} <= result
    assert {*PEOPLE_ARE_SUPPRESSED} == {
        case["case"]
        for case in cases("arx_adult_optima.json")
        if required(case).get("dmin") and case["suppression_limit"] > 0
    }


@data.needs_arx
@data.needs_conformance
class TestLossOfNodes:
    # every measure with k = 5, and one within a population
    @pytest.mark.slow("0.9 s a case", but=(2, 5, 12, 17, 27, 32, 42, 47, 57, 62))
    @pytest.mark.parametrize("case", cases("arx_adult_metrics.json"), ids=lambda case: case["case"])
    def test_case(self, nodes: Nodes, case: dict[str, Any]) -> None:
        result = {
            levels: nodes[key(case)][tuple(json.loads(levels))][column(case)]
            for levels in case["loss_of_levels"]
        }
        for levels, loss in case["loss_of_levels"].items():
            assert result[levels] == close(json.loads(loss) if isinstance(loss, str) else loss), levels


def bounds(qi: Sequence[str], levels: Sequence[int]) -> dict[str, Any]:
    """One node of the lattice."""
    by_name = dict(zip(qi, levels, strict=True))
    return {"min_levels": by_name, "max_levels": by_name}


@data.needs_arx
@data.needs_conformance
class TestOptima:
    @pytest.mark.parametrize(
        "case",
        [
            pytest.param(case, id=case["case"], marks=[] if case["case"] in QUICK else SLOW)
            for case in cases("arx_adult_optima.json")
            if case["case"] not in {*LEFT_OUT, *PEOPLE_ARE_SUPPRESSED}
        ],
    )
    def test_case(
        self, con: duckdb.DuckDBPyConnection, releases: dict[str, sqlanon.Release], case: dict[str, Any]
    ) -> None:
        request = arguments(case) | how(case) | {"suppression_limit": case["suppression_limit"]}
        if case["optimal_levels"] is None:
            with pytest.raises(InputError, match=INFEASIBLE):
                sqlanon.optimal(con, table(case), **request)
            return
        name = json.dumps([table(case), request])
        if name not in releases:
            releases[name] = sqlanon.optimal(con, table(case), **request)
        release = releases[name]
        assert release.details["cost"] == close(case["optimal_loss"])
        levels = [release.details["levels"][name] for name in request["qi"]]
        if levels != case["optimal_levels"]:  # only as good as ARX's
            relation = sqlanon.lattice(
                con,
                table(case),
                **arguments(case),
                **bounds(request["qi"], case["optimal_levels"]),
                **{name: value for name, value in how(case).items() if name in ("gs_factor", "weights")},
            )
            (row,) = relation.fetchall()
            node = dict(zip(relation.columns, row, strict=True))
            assert node["suppressed"] <= case["suppression_limit"] * (release.rows + release.suppressed_rows)
            assert node[column(case)] == close(case["optimal_loss"])

    @pytest.mark.slow("ARX's Adult")
    @pytest.mark.parametrize(
        "case",
        [case for case in cases("arx_adult_optima.json") if case["case"] in PEOPLE_ARE_SUPPRESSED],
        ids=lambda case: case["case"],
    )
    def test_nobody_may_be_absent(self, con: duckdb.DuckDBPyConnection, case: dict[str, Any]) -> None:
        request = arguments(case)

        def nodes(least: list[int], most: list[int]) -> list[dict[str, Any]]:
            given: dict[str, Any] = {"min_levels": least, "max_levels": most}
            return list(by_levels(sqlanon.lattice(con, "subset", **request, **given)).values())

        [of_arx] = nodes(case["optimal_levels"], case["optimal_levels"])
        assert of_arx[column(case)] == close(case["optimal_loss"])
        assert 0 < of_arx["suppressed"] <= case["suppression_limit"] * 3016
        assert of_arx["absent"] > 0
        release = sqlanon.optimal(
            con, "subset", **request, **how(case), suppression_limit=case["suppression_limit"]
        )
        levels = [release.details["levels"][name] for name in request["qi"]]
        assert release.suppressed_rows == 0
        if twin := PEOPLE_ARE_SUPPRESSED[case["case"]]:
            [other] = (other for other in cases("arx_adult_optima.json") if other["case"] == twin)
            assert (levels, release.details["cost"]) == (
                other["optimal_levels"],
                close(other["optimal_loss"]),
            )
        else:  # the best within one level
            least = [max(0, level - 1) for level in levels]
            most = [min(HEIGHTS[name], level + 1) for name, level in zip(request["qi"], levels, strict=True)]
            fitting = [node[column(case)] for node in nodes(least, most) if node["absent"] == 0]
            assert release.details["cost"] == close(min(fitting))


@data.needs_arx
@data.needs_conformance
class TestSevenAttributes:
    """ARX's measurements on Adult without occupation and salary-class, k = 5."""

    @pytest.mark.slow("2.9 s")
    def test_lattice(self, con: duckdb.DuckDBPyConnection) -> None:
        """A third of the nodes, five measures of each."""
        with (data.conformance() / "arx_lattice_adult7_k5.csv").open(encoding="utf-8", newline="") as file:
            wanted = list(csv.DictReader(file))
        assert len(wanted) == 720
        relation = con.sql(
            f"""select levels, loss_geometric_mean, entropy, precision, discernibility, average_class_size,
                suppressed, classes, smallest
            from sqlanon.lattice('adult', qi := {SEVEN}, hierarchies := 'h', k := 5)"""
        )
        result = {tuple(levels): measures for levels, *measures in relation.fetchall()}
        assert len(result) == 2160
        for node in wanted:
            levels = tuple(int(node[name]) for name in SEVEN)
            names = ["loss_geo", "entropy_sum", "precision", "dm", "aecs", "suppressed", "classes_kept"]
            assert result[levels] == close([*(float(node[name]) for name in names), float(node["min_class"])])

    @pytest.mark.parametrize(
        ("limit", "loss", "levels", "suppressed"),
        [
            (0, 0.5643898584690297, [0, 4, 0, 1, 3, 2, 2], 0),
            pytest.param(0.05, 0.1708054370569978, [0, 3, 0, 0, 1, 1, 1], 1458, marks=SLOW),
            pytest.param(1, 0.15674447758706234, [0, 3, 0, 0, 1, 0, 0], 3332, marks=SLOW),
        ],
    )
    def test_optima(
        self, con: duckdb.DuckDBPyConnection, limit: float, loss: float, levels: list[int], suppressed: int
    ) -> None:
        """In Python, and in SQL, which releases the same rows."""
        request: dict[str, Any] = {"qi": SEVEN, "keep": "id", "hierarchies": "h", "k": 5}
        release = sqlanon.optimal(con, "adult", suppression_limit=limit, **request)
        assert release.details["cost"] == close(loss)
        assert list(release.details["levels"].values()) == levels
        assert release.suppressed_rows == suppressed
        assert release.rows == 30162 - suppressed
        table = sorted(release.relation(con).fetchall())
        assert sorted(rows(con, "optimal", "adult", suppression_limit=limit, **request)) == table
        assert (
            sorted(rows(con, "generalize", "adult", levels=levels, suppression_limit=limit, **request))
            == table
        )

    def test_risk(self, con: duckdb.DuckDBPyConnection) -> None:
        """Of the raw table: the mean of 1/size over records, unique ones, those in classes under 5."""
        result = con.sql(
            f"""select count(*) / sum(size), count(*) filter (where size = 1),
                sum(size) filter (where size < 5), max(size)
            from sqlanon.classes('adult', {SEVEN})"""
        ).fetchall()
        assert result == [(close(0.36764803395000334), 7653, 13657, 137)]
