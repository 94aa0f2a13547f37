"""Choosing: every choice is measured as the macros measure it, and what is not known is never praised."""

from __future__ import annotations

import math
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

import duckdb
import pytest

import sqlanon
from tests.oracles.dominance import dominance

QI, DISEASE = ["age", "zip"], "disease"
POLICY = """
[roles]
identifier = ["name"]
qi = ["age", "zip"]
sensitive = ["disease"]
[hierarchies.age]
builder = "interval"
widths = [10, 20]
[hierarchies.zip]
builder = "mask"
[requirements]
k = 7
l = 2
"""


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        sqlanon.register(con)
        con.execute(
            """create table people as
            select 'N' || i as name, 20 + (i * 7) % 30 as age, '130' || (i * 13) % 20 + 10 as zip,
                ['flu', 'asthma', 'cancer', 'gout'][1 + (i * 3 + i // 7) % 4] as disease,
                ['yes', 'no', 'no'][1 + i % 3] as smokes, 'P' || i // 2 as person
            from range(40) as rows(i)"""
        ).fetchall()
        yield con


def known(row: dict[str, Any]) -> bool:
    return row["dominated"] is not None


@pytest.fixture(scope="module")
def made(con: duckdb.DuckDBPyConnection) -> sqlanon.Frontier:
    return sqlanon.frontier(
        con, "people", QI, DISEASE, k=[5, 2, 5, 30], methods=["mondrian", "k_similar", "mu_argus"],
        held_out="people", l=2,
    )  # fmt: skip


class TestMeasured:
    @pytest.mark.slow("5 s")
    def test_there_is_a_row_for_every_choice(self, made: sqlanon.Frontier) -> None:
        asked = [(method, k) for method in ("mondrian", "k_similar", "mu_argus") for k in (2, 5, 30)]
        assert [(row["method"], row["k"]) for row in made.rows] == asked
        assert (made.risk, made.loss) == ("guess_gain", "gcp")
        assert all((row["seconds"] is None) == (row["method"] == "mu_argus") for row in made.rows)

    @pytest.mark.slow("11 s")
    def test_what_does_not_exist_is_a_row_with_its_reason(self, made: sqlanon.Frontier) -> None:
        refused = [row for row in made.rows if row["method"] == "mu_argus"]
        assert {row["reason"] for row in refused} == {"l is not for mu_argus"}
        for row in refused:
            assert {name for name, value in row.items() if value is not None} == {"method", "k", "reason"}

    def test_it_says_what_the_macros_say(
        self, con: duckdb.DuckDBPyConnection, made: sqlanon.Frontier
    ) -> None:
        row = next(row for row in made.rows if (row["method"], row["k"]) == ("mondrian", 5))
        release = sqlanon.mondrian(con, "people", qi=QI, sensitive=DISEASE, k=5, l=2)
        con.execute("create or replace view targets as select rowid as person_id, * from people").fetchall()
        attacked = sqlanon.breaches(
            con, [release], "targets", "person_id", QI, DISEASE, truth=DISEASE, sure=[90]
        )
        of_attack = dict(attacked.select("id", "value").fetchall())
        expected = dict(sqlanon.expected_breaches(con, release, QI, DISEASE).select("id", "value").fetchall())
        lost = dict(
            sqlanon.utility(con, "people", release, QI, DISEASE, held_out="people")
            .filter("attribute is null or id = 'accuracy'").select("id", "value").fetchall()
        )  # fmt: skip
        wanted = {
            "sensitive": DISEASE, "guess_right": of_attack["weighted_guess_right"],
            "guess_baseline": of_attack["marginal_guess_right"],
            "guess_gain": of_attack["weighted_guess_right"] - of_attack["marginal_guess_right"],
            "sure_90": of_attack["sure_90"], "sure_90_baseline": of_attack["sure_90_marginal"],
            "forecast": expected["pvp_100"], "reidentification": 1 / release.reached["k-anonymity"],
            "gcp": lost["gcp"], "query_error": lost["query_error_mean"],
            "suppressed": lost["suppressed_rows"], "prediction_error": 100 - lost["accuracy"],
        }  # fmt: skip
        assert {name: row[name] for name in wanted} == pytest.approx(wanted, abs=1e-9)

    def test_dominance_is_that_of_the_two_columns(self, made: sqlanon.Frontier) -> None:
        choices = {f"{row['method']}, k = {row['k']}": [row["guess_gain"], row["gcp"]] for row in made.rows}
        found = {
            f"{row['method']}, k = {row['k']}": (row["dominated"], row["dominated_by"]) for row in made.rows
        }
        assert found == dominance(choices)

    def test_it_is_data(self, con: duckdb.DuckDBPyConnection, made: sqlanon.Frontier) -> None:
        assert len(made.df()) == len(made.pl()) == 9
        assert con.sql(f"from {made.table}").columns == made.columns == list(made.rows[0])
        assert "nothing dominates" in str(made)

    def test_it_is_a_picture_in_a_notebook(self, made: sqlanon.Frontier) -> None:
        shown = made._repr_html_()
        assert shown.startswith("<svg")
        assert "l is not for mu_argus" in shown


@pytest.mark.slow("1.2 s")
def test_nothing_is_left_but_the_answer(con: duckdb.DuckDBPyConnection) -> None:
    def tables() -> set[str]:
        return {name for (name,) in con.execute("select table_name from duckdb_tables()").fetchall()}

    before = tables()
    made = sqlanon.frontier(con, "people", QI, k=2, methods="mondrian")
    assert tables() - before == {made.table}

    def stop(done: float, message: str) -> None:
        if "utility" in message:
            raise KeyboardInterrupt

    before = tables()
    with pytest.raises(KeyboardInterrupt):
        sqlanon.frontier(con, "people", QI, DISEASE, k=2, methods="mondrian", progress=stop)
    assert tables() == before


@pytest.mark.slow("1.3 s")
def test_progress_goes_on(con: duckdb.DuckDBPyConnection) -> None:
    told: list[tuple[float, str]] = []
    sqlanon.frontier(
        con, "people", QI, k=[2, 3], methods="mondrian", progress=lambda *step: told.append(step)
    )
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert 0 <= told[0][0] <= told[-1][0] <= 1
    assert {message.partition(":")[0] for _, message in told} == {"mondrian, k = 2", "mondrian, k = 3"}


@pytest.mark.slow("1.2 s")
def test_without_sensitive_columns_risk_is_reidentification(con: duckdb.DuckDBPyConnection) -> None:
    made = sqlanon.frontier(con, "people", QI, k=[2, 10], methods=["mondrian"])
    assert made.risk == "reidentification"
    assert [row["reidentification"] <= 1 / row["k"] for row in made.rows] == [True, True]
    assert all(row["guess_gain"] is None and row["sure_90"] is None and known(row) for row in made.rows)


@pytest.fixture(scope="module")
def without_gcp(con: duckdb.DuckDBPyConnection) -> sqlanon.Frontier:
    return sqlanon.frontier(
        con, "people", ["age"], DISEASE, k=7, methods=["mondrian", "microaggregate", "anatomize"], l=2
    )


def test_what_gcp_does_not_say_is_compared_by_query_error(without_gcp: sqlanon.Frontier) -> None:
    """Means are nobody's values, and Anatomy's quasi-identifiers are whole: a gcp of 0 would be praise."""
    mondrian, centroids, anatomy = without_gcp.rows
    assert without_gcp.loss == "query_error"
    assert "query_error compares all of them; gcp does not say what anatomize and microaggregate lost" in str(
        without_gcp
    )
    assert [row["gcp"] is None for row in without_gcp.rows] == [False, True, True]
    assert centroids["reason"] == "no gcp: released numbers of age (such as means) are no values of the table"
    assert anatomy["reason"].endswith("what is lost is which disease a row has")
    assert all(known(row) and row["query_error"] > 0 for row in without_gcp.rows)
    assert (mondrian["k"], anatomy["k"], anatomy["forecast"]) == (7, None, None)
    assert "anatomize" in without_gcp.page().html


@pytest.mark.slow("1 s")
def test_of_several_values_each_is_guessed(
    con: duckdb.DuckDBPyConnection, without_gcp: sqlanon.Frontier
) -> None:
    """Ages are unique to two people, each in a bucket of two to three diseases. A guess is right so often."""
    attacked = without_gcp.rows[-1]
    assert 30 < attacked["guess_right"] < 75
    con.execute(
        "create or replace view everybody as select name as id, * exclude (name) from people"
    ).fetchall()
    dealt = sqlanon.anatomize(con, "people", qi="age", sensitive=DISEASE, l=2)
    with pytest.warns(sqlanon.UnreadWarning, match="release 1: rows have several values of disease"):
        sqlanon.intersection_attack(con, [dealt], "everybody", "id", "age", DISEASE)
    con.execute(
        "create or replace table dealt as from (values (1, ['a', 'b']), (2, ['a', 'b', 'c'])) t(age, d)"
    ).fetchall()
    read = "select age, d, count(*) from sqlanon._rows_of_lists('dealt', 'd') group by all order by all"
    assert con.execute(read).fetchall() == [
        (1, "a", 3), (1, "b", 3), (2, "a", 2), (2, "b", 2), (2, "c", 2),
    ]  # fmt: skip


class Remembering:
    """A model that predicts the mean, and tells what it saw."""

    seen: ClassVar[list[tuple[list[Any], list[Any]]]] = []

    def fit(self, features: Any, target: Any) -> None:
        self.taught = [*target]
        self.columns = features.shape[1]

    def score(self, features: Any, target: Any) -> float:
        assert features.shape[1] == self.columns
        self.seen.append((self.taught, [*target]))
        return 0.4 if len(self.seen) == 2 else 0.3  # the second is by the original


def test_a_model_is_tested_on_people_of_no_release(con: duckdb.DuckDBPyConnection) -> None:
    """The target is whose a row is: all rows of a person are on one side."""
    Remembering.seen.clear()
    some: dict[str, Any] = {"estimator": Remembering(), "target": "person", "methods": "mondrian"}
    made = sqlanon.frontier(con, "people", QI, DISEASE, k=[3, 4], **some)
    assert made.loss == "model_loss"
    assert [row["model_loss"] for row in made.rows] == pytest.approx(
        [0.25, 0.25]
    )  # by the second, the original
    assert len(Remembering.seen) == 3
    for taught, asked in Remembering.seen:
        assert len(taught) + len(asked) == 40
        assert 3 <= len(asked) <= 20
    Remembering.seen.clear()
    sqlanon.frontier(con, "people", QI, DISEASE, k=3, unit="person", **{**some, "target": "name"})
    person = dict(con.execute("select name, person from people").fetchall())
    for taught, asked in Remembering.seen:
        assert not {person[name] for name in taught} & {person[name] for name in asked}
    with pytest.raises(sqlanon.InputError, match="target age is a quasi-identifier"):
        sqlanon.frontier(con, "people", QI, DISEASE, **{**some, "target": "age"})
    with pytest.raises(sqlanon.InputError, match="target: there is no column persn in people; did you mean"):
        sqlanon.frontier(con, "people", QI, DISEASE, **{**some, "target": "persn"})
    with pytest.raises(sqlanon.InputError, match="estimator and target go together"):
        sqlanon.frontier(con, "people", QI, DISEASE, target="person")


def test_a_large_table_is_measured_by_disjoint_samples(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = import_module("sqlanon.publishing.frontier")
    monkeypatch.setattr(module, "LARGE", 1000)
    monkeypatch.setattr(module, "SAMPLE", 300)
    con.execute(
        """create or replace table large as
        select i as person, i * 7919 % 1201 as age, ['flu', 'asthma', 'gout'][1 + i % 3] as disease
        from range(1500) as t(i)"""
    ).fetchall()
    drawn = [f"from sqlanon._every_nth('large', 'person', 5, which := [{nth}])" for nth in range(3)]
    people = [set(con.execute(f"select person {each}").fetchall()) for each in drawn]
    assert len(people[0] | people[1] | people[2]) == sum(map(len, people)) > 600
    [sampled] = sqlanon.frontier(con, "large", "age", "disease", k=5, methods="mondrian").rows
    made = sqlanon.frontier(con, "large", "age", "disease", k=5, methods="mondrian", sample=False)
    [whole] = made.rows
    assert (whole["loss_interval"], made.told) == (None, [])
    low, high = sampled["loss_interval"]
    assert low == 0 < whole["gcp"] < sampled["gcp"] < high
    assert sampled["risk_interval"][0] <= sampled["guess_gain"] <= sampled["risk_interval"][1]


@pytest.mark.slow("3.4 s")
def test_of_several_sensitive_columns_the_worst_counts(con: duckdb.DuckDBPyConnection) -> None:
    both, *each = (
        sqlanon.frontier(con, "people", QI, sensitive, k=4, methods="k_similar").rows[0]
        for sensitive in ([DISEASE, "smokes"], [DISEASE], ["smokes"])
    )
    for name in ("guess_gain", "sure_90", "forecast"):
        assert both[name] == pytest.approx(max(row[name] for row in each))
    worst = max(each, key=lambda row: float(row["guess_gain"]))
    assert [both[name] for name in ("sensitive", "guess_right")] == [worst["sensitive"], worst["guess_right"]]


@pytest.mark.slow("1.1 s")
def test_people_with_several_rows_are_counted(con: duckdb.DuckDBPyConnection) -> None:
    made = sqlanon.frontier(con, "people", QI, DISEASE, unit="person", k=3, methods="mondrian")
    [row] = made.rows
    assert known(row)
    people = 1 / row["reidentification"]
    assert people >= 3
    assert math.isclose(people, round(people))


class TestPolicy:
    @pytest.mark.slow("2.7 s")
    def test_it_says_roles_hierarchies_and_requirements(
        self, con: duckdb.DuckDBPyConnection, tmp_path: Path
    ) -> None:
        (tmp_path / "policy.toml").write_text(POLICY)
        made = sqlanon.frontier(
            con, "people", policy=tmp_path / "policy.toml", k=[4], suppression_limit=0.1,
            methods=["mondrian", "optimal", "mu_argus"],
        )  # fmt: skip
        mondrian, optimal, mu_argus = made.rows
        assert known(mondrian)
        assert known(optimal)
        assert optimal["suppressed"] <= 10
        assert made.limits["optimal"] == {"suppression_limit": 0.1, "time_limit": 15}
        assert made.limits["mondrian"] == {}
        assert mu_argus["reason"] in ("l is not for mu_argus", "hierarchies is not for mu_argus")

    @pytest.mark.slow("2.8 s")
    def test_the_call_says_the_same(self, con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
        (tmp_path / "policy.toml").write_text(POLICY)
        con.execute(
            """create or replace table h as
            from sqlanon.interval_hierarchy('people', 'age', widths := [10, 20])
            union all from sqlanon.mask_hierarchy('people', 'zip')"""
        ).fetchall()
        some: dict[str, Any] = {"k": 4, "methods": "optimal"}
        [one] = sqlanon.frontier(con, "people", policy=tmp_path / "policy.toml", **some).rows
        [other] = sqlanon.frontier(con, "people", QI, DISEASE, "h", l=2, **some).rows
        assert {**one, "seconds": 0} == {**other, "seconds": 0}

    def test_both_are_too_much(self, con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
        (tmp_path / "policy.toml").write_text(POLICY)
        with pytest.raises(sqlanon.InputError, match="leave them out"):
            sqlanon.frontier(con, "people", QI, policy=tmp_path / "policy.toml")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"methods": "mondrain"}, "one of mondrian, .*did you mean mondrian"),
        ({"methods": []}, "names no method: known are mondrian"),
        ({"k": 0}, "k must be at least 1"),
        ({"k": "5"}, "k must be a whole number"),
        ({"k": []}, "k names no number"),
        ({"risk": "guess"}, "risk must be one of guess_gain, .*did you mean guess_gain"),
        ({"loss": "gpc"}, "loss must be one of gcp, .*did you mean gcp"),
        ({"risk": "sure_90", "sensitive": None}, "sure_90 is about sensitive columns"),
        ({"qi": "agee"}, "qi: there is no column agee in people; did you mean age"),
        ({"sensitive": "diseas"}, "sensitive: there is no column diseas"),
        ({"qi": None}, "give qi"),
        ({"source": "peple"}, "unknown table"),
        ({"source": "nobody"}, "nobody is empty"),
    ],
)
def test_what_no_method_could_do_is_refused(
    con: duckdb.DuckDBPyConnection, arguments: dict[str, Any], message: str
) -> None:
    con.execute("create or replace view nobody as from people where false").fetchall()
    given = {"source": "people", "qi": QI, "sensitive": DISEASE, "k": [2], **arguments}
    with pytest.raises(sqlanon.InputError, match=message):
        sqlanon.frontier(con, **given)


@pytest.mark.slow("1.3 s")
def test_a_requirement_that_nothing_meets_is_a_reason(con: duckdb.DuckDBPyConnection) -> None:
    made = sqlanon.frontier(con, "people", QI, DISEASE, k=[2, 41], methods="mondrian", l=4)
    assert [known(row) for row in made.rows] == [True, False]
    assert "41" in made.rows[1]["reason"]


def test_a_parameter_that_is_not_there(con: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(TypeError, match="no parameter kk; did you mean k"):
        sqlanon.frontier(con, "people", QI, kk=5)


@pytest.mark.slow("five releases; each method's weights have tests of their own")
def test_columns_that_are_spared(con: duckdb.DuckDBPyConnection) -> None:
    """A method that takes weights loses less there, and gcp is weighted for all of them."""
    plain, spared = (
        sqlanon.frontier(
            con, "people", QI, DISEASE, k=5, methods=["mondrian", "k_similar"], weights=weights, l=2
        )
        for weights in (None, {"zip": 4})
    )
    for before, after in zip(plain.rows, spared.rows, strict=True):
        assert before["gcp"] != after["gcp"]
    release = sqlanon.mondrian(con, "people", qi=QI, sensitive=DISEASE, k=5, l=2, weights={"zip": 4})
    of_columns = "select attribute, value from sqlanon.utility('people', $1, ['age', 'zip']) where id = 'ncp'"
    lost = dict(con.execute(of_columns, [release.table]).fetchall())
    assert spared.rows[0]["gcp"] == pytest.approx((lost["age"] + 4 * lost["zip"]) / 5)
    with pytest.raises(sqlanon.InputError, match='weights names column "disease"'):
        sqlanon.frontier(con, "people", QI, DISEASE, k=5, weights={"disease": 4})
