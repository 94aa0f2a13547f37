"""The list of attacks, and the summary of an answer."""

from __future__ import annotations

import math

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples

# learned?, confidence, baseline, is_right, control, n, unfinished
Row = tuple[bool, float, float, bool | None, bool, int, bool | None]

ROWS = st.lists(
    st.tuples(
        st.booleans(),
        st.sampled_from([0.0, 0.5, 0.9, 0.95, 0.98, 0.99, 1.0]),
        st.sampled_from([0.1, 0.4]),
        st.sampled_from([None, True, False]),
        st.booleans(),
        st.integers(0, 3),
        st.sampled_from([None, False, True]),
    ),
    min_size=1,
    max_size=12,
)


def wilson(hits: int, n: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927), as a textbook has it."""
    z, p = 1.959963984540054, hits / n
    center = (p + z * z / (2 * n)) / (1 + z * z / n)
    reach = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return (0.0 if p == 0 else center - reach, 1.0 if p == 1 else center + reach)


def summary(rows: list[Row]) -> dict[str, tuple[float, float | None, float | None]]:
    """One person after the other."""
    people = [row for row in rows for _ in range(row[5])]
    answer: dict[str, tuple[float, float | None, float | None]] = {}

    def share(name: str, group: list[Row], hits: list[Row]) -> None:
        if group:
            answer[name] = (len(hits) / len(group), *wilson(len(hits), len(group)))

    rates = {}
    for is_control in (False, True):
        group = [row for row in people if row[4] is is_control]
        learned = [row for row in group if row[0]]
        judged = [row for row in learned if row[3] is not None]
        suffix = "_of_controls" if is_control else ""
        if group or not is_control:
            answer["controls" if is_control else "subjects"] = (len(group), None, None)
        share(f"learned{suffix}", group, learned)
        share(f"right{suffix}", judged, [row for row in judged if row[3]])
        rates[is_control] = answer.get(f"right{suffix}")
        if not is_control:
            for name, level in (("certain", 1), ("sure_99", 0.99), ("sure_95", 0.95), ("sure_90", 0.9)):
                share(name, group, [row for row in learned if row[1] >= level])
            if learned:
                answer["expected_right"] = (sum(row[1] for row in learned) / len(learned), None, None)
                answer["baseline"] = (sum(row[2] for row in learned) / len(learned), None, None)
    if unfinished := [row for row in people if row[6] and not row[4]]:
        share("unfinished", [row for row in people if not row[4]], unfinished)
    if (attacked := rates[False]) and (control := rates[True]):
        if control[0] < 1:
            left = 1 - control[0]
            errors = [((high or 0) - (low or 0)) / 2 for _, low, high in (attacked, control)]
            value = (attacked[0] - control[0]) / left
            reach = math.hypot(errors[0] / left, (attacked[0] - 1) * errors[1] / left**2)
            answer["beyond_controls"] = (value, value - reach, value + reach)
        else:
            answer["beyond_controls"] = (math.nan, None, None)
    return answer


def summed_up(
    con: duckdb.DuckDBPyConnection, rows: list[Row], owners: list[str] | None = None
) -> dict[str, tuple[float, float | None, float | None]]:
    """By the macro; with owners of the rows, by people."""
    con.execute(
        "create or replace temp table answer"
        "(learned text, confidence double, baseline double, is_right boolean, is_control boolean, n integer, "
        "unfinished boolean, person text)"
    )
    con.executemany(
        "insert into answer values (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            ("flu" if row[0] else None, *row[1:], owner)
            for row, owner in zip(rows, owners or "x" * len(rows), strict=True)
        ],
    )
    people = "weight := 'n'" if owners is None else "unit := 'person'"
    found = con.sql(f"from sqlanon.attack_summary('answer', {people})").fetchall()
    return {id: (value, low, high) for _, value, _, low, high, id in found}


def compare(
    found: dict[str, tuple[float, float | None, float | None]],
    wanted: dict[str, tuple[float, float | None, float | None]],
) -> None:
    assert found.keys() == wanted.keys()
    for name, measured in wanted.items():
        scale = 1 if name in ("subjects", "controls") else 100
        for one, other in zip(found[name], measured, strict=True):
            if other is None or math.isnan(other):
                assert one is None
            else:
                assert one == pytest.approx(scale * other, abs=1e-9)


@settings(examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ROWS)
def test_the_summary_is_that_of_one_person_after_the_other(
    con: duckdb.DuckDBPyConnection, rows: list[Row]
) -> None:
    compare(summed_up(con, rows), summary(rows))


@settings(examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ROWS, st.lists(st.sampled_from("abc"), min_size=12, max_size=12))
def test_of_several_rows_of_somebody_the_one_counts_of_which_most_is_learned(
    con: duckdb.DuckDBPyConnection, rows: list[Row], owners: list[str]
) -> None:
    """People are counted once each, controls for themselves."""
    owned = list(zip(rows, owners[: len(rows)], strict=True))
    people: list[Row] = []
    for owner, is_control in {(owner, row[4]) for row, owner in owned}:
        theirs = [row for row, of in owned if (of, row[4]) == (owner, is_control)]
        surest = max(theirs, key=lambda row: (row[0], row[1], -1 if row[3] is None else row[3], -row[2]))
        is_unfinished = any(row[6] for row in theirs)
        people.append((*surest[:5], 1, is_unfinished))
    compare(summed_up(con, rows, owners[: len(rows)]), summary(people))


def test_a_row_is_one_of_several_or_stands_for_several(con: duckdb.DuckDBPyConnection) -> None:
    rows: list[Row] = [(True, 1.0, 0.4, True, False, 2, None)]
    summed_up(con, rows)
    with pytest.raises(sqlanon.InputError, match="unit does not go with weight"):
        sqlanon.attack_summary(con, "answer", weight="n", unit="person")


def test_every_attack_is_listed_with_what_it_needs(con: duckdb.DuckDBPyConnection) -> None:
    answer = sqlanon.attacks(con)
    rows = {row[0]: dict(zip(answer.columns, row, strict=True)) for row in answer.fetchall()}
    assert [*rows] == sorted(rows)
    intersection = rows["intersection_attack"]
    assert intersection["needs"] == ["releases", "targets", "id", "qi", "sensitive"]
    assert (intersection["subject"], intersection["summary"]) == ("person", "breaches")
    for row in rows.values():
        assert row["description"]
        assert row["needs"]
        assert row["source"]
        assert (row["releases"] == 1) == ("releases" not in row["needs"])
        assert (row["targets"] is None) == ("targets" not in row["needs"])


def test_an_answer_that_is_none(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("create table people as select 'ann' as name, 'flu' as learned")
    with pytest.raises(sqlanon.SqlError, match="confidence"):
        sqlanon.attack_summary(con, "people")
