"""Verdicts on what releases tell together: against the oracle, by each reason not to know, and refusals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.oracles import composition_verdicts as oracle
from tests.tables import literal

TOLERATED = {100: 0.0, 50: 40.0}


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


def verdicts(
    con: duckdb.DuckDBPyConnection, tolerated: Mapping[str, float] | None = None, **more: Any
) -> list[dict[str, Any]]:
    arguments = {"targets": "people", "id": "name", "qi": "zone", "sensitive": "disease", **more}
    named = [f"{name} := {literal(value)}" for name, value in arguments.items()]
    if tolerated is not None:
        bounds = ", ".join(f"{literal(id)}: {most}" for id, most in tolerated.items())
        named.append(f"tolerated := map {{{bounds}}}")
    cursor = con.execute(f"from sqlanon.composition_verdicts(['march', 'april'], {', '.join(named)})")
    names = [column[0] for column in cursor.description or []]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def tables(
    con: duckdb.DuckDBPyConnection,
    march: oracle.Release,
    april: oracle.Release,
    people: Sequence[tuple[str, str, bool, bool]],
) -> None:
    """Two releases, and people: name, zone, in march, in april."""
    for name, rows in (("march", march), ("april", april)):
        con.execute(f"create or replace temp table {name} (zone text, disease text)").fetchall()
        _insert(con, name, rows)
    con.execute(
        "create or replace temp table people (name text, zone text, in_march bool, in_april bool)"
    ).fetchall()
    _insert(con, "people", people)


def _insert(con: duckdb.DuckDBPyConnection, name: str, rows: Sequence[Sequence[Any]]) -> None:
    for row in rows:
        con.execute(f"insert into {name} values ({', '.join(map(literal, row))})").fetchall()


SAFE = [("a", "flu"), ("a", "gout"), ("b", "flu"), ("b", "gout")]
EVERYBODY = [("ann", "a", True, True), ("bob", "b", True, True)]
PRESENCE = ["in_march", "in_april"]

released = st.lists(st.tuples(st.sampled_from("ab*"), st.sampled_from(["flu", "gout", "hiv"])), min_size=1)
person = st.tuples(st.sampled_from("abc"), st.booleans(), st.booleans())


@examples(40, quick=3)
@given(march=released, april=released, people=st.lists(person, min_size=1, max_size=5))
def test_against_the_oracle(
    con: duckdb.DuckDBPyConnection, march: Any, april: Any, people: list[tuple[str, bool, bool]]
) -> None:
    if not any(here or there for _, here, there in people):
        people = [*people, ("a", True, False)]
    tables(con, march, april, [(str(i), *each) for i, each in enumerate(people)])
    found = verdicts(con, {f"pvp_{level}": most for level, most in TOLERATED.items()}, presence=PRESENCE)
    said: dict[int, Any] = {
        int(row["id"].removeprefix("pvp_")): (pytest.approx(row["value"]), row["people"], row["verdict"])
        for row in found
    }
    assert said == oracle.verdicts([march, april], [(zone, present) for zone, *present in people], TOLERATED)
    for row in found:
        assert row["worst"] == row["value"]
        assert (row["reason"] is not None) >= (row["verdict"] == "not known")


class TestThreeStates:
    def test_it_holds(self, con: duckdb.DuckDBPyConnection) -> None:
        tables(con, SAFE, SAFE, EVERYBODY)
        assert verdicts(con) == [
            {
                "sensitive": "disease", "id": "pvp_100", "measure": "PVP_100", "value": 0, "unit": "%",
                "worst": 0, "people": 0, "tolerated": 0, "verdict": "holds", "reason": None,
            }
        ]  # fmt: skip

    def test_danger_is_danger_however_little_was_seen(self, con: duckdb.DuckDBPyConnection) -> None:
        april = [("a", "flu"), ("a", "hiv"), ("b", "flu"), ("b", "gout")]
        tables(con, SAFE, april, [*EVERYBODY, ("eve", "z", True, True)])
        [row] = verdicts(con)
        assert (row["verdict"], row["people"], row["value"]) == ("fails", 1, pytest.approx(100 / 3))
        assert row["reason"] is not None
        assert "1 of 3 people are not located" in row["reason"]

    def test_people_who_come_and_leave(self, con: duckdb.DuckDBPyConnection) -> None:
        """Somebody in no class of a release is no reason if presence says so, and one if it does not."""
        april = [row for row in SAFE if row[0] == "a"]
        left = [("ann", "a", True, True), ("bob", "b", True, False), ("eve", "z", False, False)]
        tables(con, SAFE, april, left)
        assert [row["verdict"] for row in verdicts(con, presence=PRESENCE)] == ["holds"]
        [row] = verdicts(con)
        assert row["verdict"] == "not known"
        assert row["reason"] == (
            "2 of 3 people are not located in every release that they are in (presence says in which)"
        )

    def test_labels_that_nobody_understands(self, con: duckdb.DuckDBPyConnection) -> None:
        tables(con, SAFE, [*SAFE, ("anywhere", "flu")], EVERYBODY)
        [row] = verdicts(con)
        assert row["verdict"] == "not known"
        assert "labels that could not be read" in row["reason"]

    def test_contradictions(self, con: duckdb.DuckDBPyConnection) -> None:
        april = [("a", "hiv"), ("a", "cold"), ("b", "flu"), ("b", "gout")]
        tables(con, SAFE, april, EVERYBODY)
        [row] = verdicts(con)
        assert row["verdict"] == "not known"
        assert "1 of 2 people are left without a value" in row["reason"]

    def test_nothing_shared(self, con: duckdb.DuckDBPyConnection) -> None:
        tables(con, SAFE, [(zone, value.upper()) for zone, value in SAFE], EVERYBODY)
        [row] = verdicts(con)
        assert row["verdict"] == "not known"
        assert "two releases share no sensitive value" in row["reason"]

    def test_bounds_must_hold_for_upper_ends(self, con: duckdb.DuckDBPyConnection) -> None:
        """Of two people nobody can infer how many people the releases share."""
        march = [*SAFE, ("a", "flu"), ("a", "cold"), ("b", "gout")]
        april = [*SAFE, ("a", "flu"), ("a", "hiv"), ("b", "gout")]
        tables(con, march, april, EVERYBODY)
        arguments: dict[str, Any] = {"targets": "people", "id": "name", "qi": "zone", "sensitive": "disease"}
        told = sqlanon.intersection_attack(con, ["march", "april"], **arguments).fetchdf()
        stated = max(told["probabilities"].map(max))
        upper = max(told["upper_ends"].map(max))
        assert stated + 0.03 < upper < 1
        level = round(50 * (stated + upper))
        [row] = verdicts(con, {f"sure_{level}": 0})
        assert (row["value"], row["worst"], row["verdict"]) == (0, 100, "not known")
        assert row["reason"].startswith("probabilities may be higher")
        [(value, verdict, reason)] = (
            sqlanon.run_attacks(
                con, ["march", "april"], attacks=["intersection_attack"],
                tolerated={f"intersection_attack.sure_{level}": 0}, **arguments,
            )
            .filter("tolerated is not null and len(releases) = 2")
            .project("value, verdict, reason")
            .fetchall()
        )  # fmt: skip
        assert (value, verdict, reason) == (0, "not known", row["reason"])
        [row] = verdicts(con, {f"sure_{level}": 100})
        assert (row["verdict"], row["reason"]) == ("holds", None)

    def test_who_is_known_not_to_be_suppressed(self, con: duckdb.DuckDBPyConnection) -> None:
        """The suppressed rows make Ann's disease uncertain, unless her row is none of them."""
        march = [("a", "flu"), ("a", "flu"), *(("*", disease) for disease in ("flu", "gout", "hiv"))]
        tables(con, march, march, [("ann", "a", True, True)])
        hidden, sure = verdicts(con, {"sure_90_unsuppressed": 0, "sure_90": 0})
        assert (hidden["value"], hidden["verdict"]) == (100, "fails")
        assert (sure["value"], sure["verdict"]) == (0, "holds")

    def test_a_sample_must_hold_up_to_its_interval(self, con: duckdb.DuckDBPyConnection) -> None:
        tables(con, SAFE, SAFE, EVERYBODY)
        [row] = verdicts(con, {"pvp_100": 5}, sampled=True)
        assert row["value"] == 0
        assert row["worst"] > 60
        assert row["verdict"] != "holds"
        assert "by this sample" in row["reason"]

    @pytest.mark.slow("half a second")
    def test_people_with_several_rows(self, con: duckdb.DuckDBPyConnection) -> None:
        """With a unit a person counts once, as exposed as the most exposed of their rows."""
        march = [*SAFE, ("c", "hiv"), ("d", "hiv")]
        tables(con, march, march, [("1", "c", True, True), ("2", "d", True, True), *EVERYBODY])
        con.execute("alter table people add who text default 'eve'").fetchall()
        con.execute("update people set who = name where length(name) > 1").fetchall()
        assert [row["people"] for row in verdicts(con)] == [2]
        assert [row["people"] for row in verdicts(con, unit="who")] == [1]

    def test_several_sensitive_columns_and_bounds(self, con: duckdb.DuckDBPyConnection) -> None:
        """In the order of the columns and of the bounds, at any level."""
        tables(con, SAFE, SAFE, EVERYBODY)
        for name in ("march", "april"):
            con.execute(f"alter table {name} add drug text default 'x'").fetchall()
        bounds = {"sure_99_9": 0, "pvp_33_3": 100, "average_drop": 0, "weighted_guess_expected": 50}
        found = verdicts(con, bounds, sensitive=["disease", "drug"])
        assert [(row["sensitive"], row["id"]) for row in found] == [
            (name, id) for name in ("disease", "drug") for id in bounds
        ]
        assert [row["verdict"] for row in found] == [*["holds"] * 4, "fails", "holds", "holds", "fails"]
        assert [row["people"] for row in found] == [0, 2, None, None, 2, 2, None, None]


@pytest.mark.parametrize(
    ("value", "worst", "blind", "verdict"),
    [
        (0.0, 0.0, None, "holds"), (5.0, 5.0, None, "holds"), (5.1, 5.1, None, "fails"),
        (5.1, 5.1, "half", "fails"), (0.0, 0.0, "half", "not known"), (None, None, None, "not known"),
        (float("nan"), float("nan"), None, "fails"),
    ],
)  # fmt: skip
def test_the_rule(
    con: duckdb.DuckDBPyConnection, value: float | None, worst: float | None, blind: str | None, verdict: str
) -> None:
    asked = "select sqlanon._verdict_on_bound(?::double, ?::double, {}, ?::text)"
    assert con.execute(asked.format(5), [value, worst, blind]).fetchall() == [(verdict,)]
    assert con.execute(asked.format("null::double"), [value, worst, blind]).fetchall() == [(None,)]


@pytest.mark.slow("half a second a case", but=(0, 3, 4, 5, 6, 7, 8, 9))
@pytest.mark.parametrize(
    ("tolerated", "message"),
    [
        ("map {'pvp100': 0}", "names pvp100, which is no measure .* did you mean pvp_100"),
        ("map {'pvp_050': 0}", "did you mean pvp_90"),
        ("map {'pvp_101': 0}", "did you mean pvp_90"),
        ("map {'located_in_all': 100}", "names located_in_all, which is no measure that has a bound"),
        ("map {'sure_90_right': 100}", "names sure_90_right, which .* did you mean sure_90"),
        ("map {}", "names no measure"),
        ("null", "names no measure"),
        ("map {'pvp_100': -1}", "has -1 for pvp_100"),
        ("map {'pvp_100': 'nan'::double}", "has nan for pvp_100"),
        ("map {'pvp_100': null}", "has NULL for pvp_100"),
    ],
)
def test_bounds_that_are_none(con: duckdb.DuckDBPyConnection, tolerated: str, message: str) -> None:
    """They are refused before the attack: planning fails."""
    tables(con, SAFE, SAFE, EVERYBODY)
    with pytest.raises(duckdb.Error, match=message):
        con.execute(
            "explain from sqlanon.composition_verdicts(['march', 'april'], targets := 'people', "
            f"id := 'name', qi := 'zone', sensitive := 'disease', tolerated := {tolerated})"
        ).fetchall()


@pytest.mark.slow("half a second")
def test_tables_that_are_none(con: duckdb.DuckDBPyConnection) -> None:
    tables(con, SAFE, SAFE, [])
    with pytest.raises(duckdb.Error, match="is empty"):
        verdicts(con)
    tables(con, SAFE, SAFE, EVERYBODY)
    with pytest.raises(duckdb.Error, match="presence must name one column"):
        verdicts(con, presence=["in_march"])
    with pytest.raises(duckdb.Error, match='"there" not found'):
        verdicts(con, presence=["in_march", "there"])
