"""Which choices are dominated, against every pair; and that nothing is praised that was not measured."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.oracles.dominance import dominance, dominates
from tests.tables import identifier


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


measures = st.one_of(
    st.sampled_from([0.0, -0.0, 0.5, 1.0, float("inf"), float("nan"), None]), st.floats(-2, 2, width=16)
)


def load(con: duckdb.DuckDBPyConnection, choices: dict[int, list[float | None]], columns: list[str]) -> None:
    listed = ", ".join(f"{identifier(column)} double" for column in columns)
    con.execute(f"create or replace table choices (choice integer, {listed})").fetchall()
    for choice, values in choices.items():
        marks = ", ".join("?" for _ in (choice, *values))
        con.execute(f"insert into choices values ({marks})", [choice, *values]).fetchall()


class TestDominated:
    @examples(60)
    @given(
        st.integers(1, 3).flatmap(
            lambda n: st.lists(st.lists(measures, min_size=n, max_size=n), min_size=1, max_size=9)
        )
    )
    def test_every_pair(self, con: duckdb.DuckDBPyConnection, listed: list[list[float | None]]) -> None:
        choices = dict(enumerate(listed))
        columns = ["the risk", 'a "loss"', "other"][: len(listed[0])]
        load(con, choices, columns)
        found = sqlanon.dominated(con, "choices", "choice", columns).fetchall()
        assert found == [(choice, *verdict) for choice, verdict in dominance(choices).items()]

    @examples(30)
    @given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=8))
    def test_what_is_left_is_a_frontier(
        self, con: duckdb.DuckDBPyConnection, listed: list[tuple[int, int]]
    ) -> None:
        """Nothing on it dominates anything on it, something is on it, and it dominates all the rest."""
        choices = {i: [float(risk), float(loss)] for i, (risk, loss) in enumerate(listed)}
        load(con, {choice: list(values) for choice, values in choices.items()}, ["risk", "loss"])
        found = sqlanon.dominated(con, "choices", "choice", ["risk", "loss"]).fetchall()
        front = [choice for choice, dominated, _ in found if not dominated]
        assert front
        assert not any(dominates(choices[a], choices[b]) for a in front for b in front)
        for choice, dominated, by in found:
            assert (by in front and dominates(choices[by], choices[choice])) == dominated

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("choices", "choice", ["risc"]), 'unknown column "risc"'),
            (("choices", "risk", ["loss"]), "choice 0.0 is 2 times in column risk of choices"),
            (("choices", "Dominated", ["risk"]), "the column in id is named Dominated"),
            (("nothing", "choice", ["risk"]), "nothing is empty|nothing has no rows"),
        ],
    )
    def test_refusals(self, con: duckdb.DuckDBPyConnection, arguments: Any, message: str) -> None:
        load(con, {1: [0.0, 1.0], 2: [0.0, 2.0]}, ["risk", "loss"])
        con.execute("create or replace view nothing as from choices where false").fetchall()
        with pytest.raises(sqlanon.InputError, match=message):
            sqlanon.dominated(con, *arguments)


ATTACKED = {
    "gain_over_marginal": 10.0, "weighted_guess_right": 40.0, "marginal_guess_right": 30.0, "sure_90": 1.0,
    "sure_90_marginal": 0.0, "unread_rows": 0.0, "located_in_all": 100.0,
}  # fmt: skip
LOST = {"suppressed_rows": 0.0, "gcp": 0.25, "query_error_mean": 5.0, "accuracy": 90.0}


def measured(
    con: duckdb.DuckDBPyConnection,
    attacked: dict[str, dict[str, float | None]],
    lost: dict[str, float],
    by_unit: bool = False,
) -> dict[str, Any]:
    """The row of a choice of which this was measured, and nothing forecast."""
    con.execute("create or replace table attacked (sensitive text, id text, value double)").fetchall()
    for sensitive, values in attacked.items():
        for id, value in values.items():
            con.execute("insert into attacked values (?, ?, ?)", [sensitive, id, value]).fetchall()
    con.execute("create or replace table lost (attribute text, id text, value double)").fetchall()
    for id, value in lost.items():
        of = "age" if id == "values_not_in_original" else None
        con.execute("insert into lost values (?, ?, ?)", [of, id, value]).fetchall()
    con.execute("create or replace view nobody as from attacked where false").fetchall()
    result = con.execute(
        "from sqlanon._measured_choice(0, 'some', 5, 'attacked', 'nobody', 'lost', 4, 1, $1, null)", [by_unit]
    )
    names = [name for name, *_ in result.description or []]
    [row] = result.fetchall()
    return dict(zip(names, row, strict=True))


class TestMeasures:
    def test_the_worst_of_several_columns(self, con: duckdb.DuckDBPyConnection) -> None:
        """The guesses are of the column of which most is gained, though another is guessed more often."""
        income = {**ATTACKED, "gain_over_marginal": 5.0, "weighted_guess_right": 80.0, "sure_90": 3.0}
        row = measured(con, {"disease": {**ATTACKED}, "income": {**income, "sure_90_marginal": 2.0}}, LOST)
        assert (row["sensitive"], row["guess_gain"], row["guess_right"]) == ("disease", 10, 40)
        assert (row["guess_baseline"], row["sure_90"], row["sure_90_baseline"]) == (30, 3, 2)
        assert (row["reidentification"], row["gcp"], row["reason"]) == (0.25, 0.25, None)
        assert row["prediction_error"] == 10

    @pytest.mark.parametrize("measure", ["gain_over_marginal", "sure_90"])
    def test_what_is_not_known_of_one_column(self, con: duckdb.DuckDBPyConnection, measure: str) -> None:
        row = measured(con, {"disease": {**ATTACKED}, "income": {**ATTACKED, measure: None}}, LOST)
        assert row[{"gain_over_marginal": "guess_gain"}.get(measure, measure)] is None

    @pytest.mark.parametrize(
        ("attacked", "suppressed", "by_unit", "reason"),
        [
            ({"unread_rows": 2.5}, 0, False, "values could not be read in 2.5 % of the rows"),
            ({"located_in_all": 97.9}, 2, False, "it locates 97.9 % of the people"),
            ({"located_in_all": 99.0}, 0, True, "it locates 99.0 % of the people"),
            ({"located_in_all": 98.0}, 2, False, None),
            ({"truth_in_no_release": 3.0}, 2, False,
             "the true value of 3.0 % of the people is not in the release"),
            ({"located_in_all": 90.0}, 2, True, None),
        ],
    )  # fmt: skip
    def test_an_attack_that_finds_too_little_says_nothing(
        self, con: duckdb.DuckDBPyConnection, attacked: Any, suppressed: float, by_unit: bool, reason: Any
    ) -> None:
        found = {"disease": {**ATTACKED, **attacked}}
        row = measured(con, found, {**LOST, "suppressed_rows": suppressed}, by_unit)
        of_attack = ("guess_gain", "guess_right", "guess_baseline", "sure_90", "sure_90_baseline")
        if reason is None:
            assert (row["guess_gain"], row["reason"]) == (10, None)
        else:
            assert [row[name] for name in of_attack] == [None] * 5
            assert row["reason"] == f"the attack finds too little: {reason}"

    def test_no_loss_where_values_stand_for_nothing(self, con: duckdb.DuckDBPyConnection) -> None:
        row = measured(con, {"disease": {**ATTACKED}}, {"suppressed_rows": 0, "values_not_in_original": 9})
        assert (row["gcp"], row["query_error"]) == (None, None)
        assert "are no values of the table" in row["reason"]
