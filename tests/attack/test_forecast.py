"""The forecast of a second release: worked examples, the slow version, and the same tried out on the rows."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sqlanon
from sqlanon.experiments import census
from tests.budget import examples
from tests.oracles.forecast import forecast
from tests.tables import Column, load, rows

COLUMNS = ("learned", "confidence", "baseline", "prior", "posterior", "certain", "upper_end")


def forecasts(con: duckdb.DuckDBPyConnection, release: str, **arguments: Any) -> list[tuple[Any, ...]]:
    given: dict[str, Any] = {"qi": "zip", "sensitive": "disease"} | arguments
    return sqlanon.forecast(con, release, **given).select(*COLUMNS).fetchall()


def test_what_survives_five_draws(con: duckdb.DuckDBPyConnection) -> None:
    """The true value alone survives if the 5 others of its class have neither of the two: 0.7 ** 5."""
    load(con, "release", [Column("zip", "VARCHAR", ["13**"] * 3), Column("disease", "VARCHAR", list("abc"))])
    load(con, "other", [Column("value", "VARCHAR", list("abc")), Column("share", "DOUBLE", [0.7, 0.1, 0.2])])
    [(learned, confidence, baseline, prior, posterior, certain, upper_end)] = forecasts(
        con, "release", size=6, marginal="other"
    )
    # the rarest is guessed first, and is right when it is true; then the next one, and so on
    assert learned == "b"
    assert (baseline, prior) == (pytest.approx(1 / 3), 3)
    assert certain == pytest.approx((0.7**5 + 0.1**5 + 0.2**5) / 3)
    assert confidence == upper_end == pytest.approx((1 + 0.9**5 + 0.7**5) / 3)
    survive = {share: 1 - (1 - share) ** 5 for share in (0.7, 0.1, 0.2)}
    assert posterior == pytest.approx(1 + sum(survive.values()) * 2 / 3)


def test_a_class_with_one_value_and_one_where_nobody_else_is(con: duckdb.DuckDBPyConnection) -> None:
    load(
        con, "release",
        [Column("zip", "INTEGER", [1, 1, 2, 2]), Column("disease", "VARCHAR", ["flu", "flu", "flu", None])],
    )  # fmt: skip
    assert forecasts(con, "release", size=5)[0] == ("flu", 1, 1, 1, 1, 1, 1)
    # a class of the other table that somebody has for themselves tells everything
    assert forecasts(con, "release", size=1)[1][1:] == (1, 0.5, 2, 1, 1, 1)


@settings(examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.integers(0, 1), st.sampled_from(["a", "b", "c", None])), min_size=1, max_size=6),
    st.none() | st.integers(1, 4),
    st.none() | st.dictionaries(st.sampled_from(["a", "b", "c", "d", None]), st.integers(0, 3), min_size=1),
)
def test_it_is_the_sum_over_all_outcomes(
    con: duckdb.DuckDBPyConnection,
    people: list[tuple[int, str | None]],
    size: int | None,
    marginal: dict[str | None, int] | None,
) -> None:
    if marginal is not None and not any(marginal.get(value) for _, value in people):
        marginal[people[0][1]] = 1
    load(
        con, "release",
        [Column("zip", "INTEGER", [area for area, _ in people]),
         Column("disease", "VARCHAR", [value for _, value in people])],
    )  # fmt: skip
    if marginal is not None:
        load(
            con, "other",
            [Column("value", "VARCHAR", list(marginal)), Column("share", "INTEGER", list(marginal.values()))],
        )  # fmt: skip
    classes: dict[int, list[str | None]] = defaultdict(list)
    for area, value in people:
        classes[area].append(value)
    weights = Counter(value for _, value in people) if marginal is None else marginal
    shares = {value: Fraction(n, sum(weights.values())) for value, n in weights.items()}
    sizes: dict[int, Fraction] = defaultdict(Fraction)
    for values in classes.values():
        sizes[size or len(values)] += Fraction(len(values), len(people))
    found = forecasts(con, "release", size=size, marginal=None if marginal is None else "other")
    wanted = [forecast(classes[area], shares, sizes) for area in sorted(classes)]
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        assert one[0] == other.learned
        assert one[1:] == pytest.approx([float(number) for number in other[1:]], abs=1e-9)
    summed = {
        id: value
        for _, value, _, id in rows(
            con, "expected_breaches", "release", qi="zip", sensitive="disease", size=size,
            marginal=None if marginal is None else "other",
        )
    }  # fmt: skip
    certain = sum(
        len(classes[area]) * each.certain for area, each in zip(sorted(classes), wanted, strict=True)
    )
    assert summed["pvp_100"] == pytest.approx(100 * float(certain) / len(people), abs=1e-9)
    assert summed["targets"] == len(people)
    upper = sum(
        len(classes[area]) * each.upper_end for area, each in zip(sorted(classes), wanted, strict=True)
    )
    assert summed["weighted_guess_upper"] == pytest.approx(100 * float(upper) / len(people), abs=1e-9)


def test_values_of_other_types_and_hostile_names(con: duckdb.DuckDBPyConnection) -> None:
    name = """x"; drop table 'y' {i}"""
    load(con, "hostile", [Column(name, "INTEGER", [1, 1]), Column("size", "INTEGER", [250, 300])])
    load(con, "other", [Column("value", "VARCHAR", ["250.0", "3e2"]), Column("share", "INTEGER", [9, 1])])
    [(learned, *_, certain, _)] = forecasts(
        con, "hostile", qi=name, sensitive="size", size=2, marginal="other"
    )
    assert (learned, certain) == ("300", pytest.approx((0.9 + 0.1) / 2))
    assert len(forecasts(con, "other", qi="share", sensitive="value")) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sensitive": ["disease", "income"]}, "sensitive is one name"),
        ({"size": 0}, "size must be a whole number of at least 1"),
        ({"marginal": "elsewhere"}, "no value of the release has a share above 0 in elsewhere"),
        ({"marginal": "negative"}, "flu has -1"),
        ({"release": "nobody"}, "nobody is empty"),
    ],
)
def test_what_makes_it_meaningless_is_told(
    con: duckdb.DuckDBPyConnection, arguments: dict[str, Any], message: str
) -> None:
    columns = [Column("zip", "INTEGER", [1]), Column("disease", "VARCHAR", ["flu"])]
    load(con, "release", [*columns, Column("income", "INTEGER", [1])])
    con.execute("create table nobody as from release where false")
    for name, value, share in (("elsewhere", "gout", 1), ("negative", "flu", -1)):
        load(con, name, [Column("value", "VARCHAR", [value]), Column("share", "INTEGER", [share])])
    with pytest.raises(sqlanon.SqlanonError, match=message):
        forecasts(con, **{"release": "release"} | arguments)


class TestSimulation:
    def measures(self, con: duckdb.DuckDBPyConnection, **arguments: Any) -> dict[str, float]:
        answer = sqlanon.simulated_breaches(con, "people", ["age", "sex"], "occupation", **arguments)
        return dict(answer.select("measure", "value").fetchall())

    @pytest.mark.slow("2 s")
    def test_both_parts_are_attacked(self, con: duckdb.DuckDBPyConnection) -> None:
        census.load(con, people=350)
        measures = self.measures(con, k=3)
        assert measures["targets"] == 50
        assert measures["located in all releases"] == 100
        assert measures["true value among the candidates"] == 100
        # another lot deals other parts; and everybody may be in both
        everybody = self.measures(con, k=3, seed=2, common=350)
        assert (everybody["targets"], everybody["located in all releases"]) == (350, 100)
        # only the answers stay
        tables = {name for (name,) in con.execute("select table_name from duckdb_tables()").fetchall()}
        assert [name for name in tables if not name.endswith("_breaches")] == ["people"]

    def test_people_in_both_parts_are_some(self, con: duckdb.DuckDBPyConnection) -> None:
        census.load(con, people=20)
        with pytest.raises(sqlanon.InputError, match="common must be 1 to 20"):
            self.measures(con, k=2, common=0)
