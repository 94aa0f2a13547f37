"""The list of attacks, and the summary of an answer."""

from __future__ import annotations

import math

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples

# learned?, confidence, baseline, is_right, control, n, unfinished, upper end
Row = tuple[bool, float, float, bool | None, bool, int, bool | None, float | None]

ROWS = st.lists(
    st.tuples(
        st.booleans(),
        st.sampled_from([0.0, 0.5, 0.9, 0.95, 0.98, 0.99, 1.0]),
        st.sampled_from([0.1, 0.4]),
        st.sampled_from([None, True, False]),
        st.booleans(),
        st.integers(0, 3),
        st.sampled_from([None, False, True]),
        st.sampled_from([None, 0.5, 0.92, 1.0]),
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


def difference(one: int, n: int, other: int, m: int, times: float) -> tuple[float, float]:
    """Newcombe's interval of one / n - times * other / m (1998, method 10: square and add)."""
    (p, low, high), (q, q_low, q_high) = (one / n, *wilson(one, n)), (other / m, *wilson(other, m))
    down = math.hypot(p - low, times * (q_high - q))
    up = math.hypot(high - p, times * (q - q_low))
    return p - times * q - down, p - times * q + up


def risk(hits: int, n: int, control_hits: int, m: int) -> tuple[float, float, float]:
    """Abbott's risk, and the ends of its interval by bisection: risks that the failures do not rule out."""
    failures, of_controls = n - hits, m - control_hits

    def end(inside: float, outside: float) -> float:
        for _ in range(200):
            middle = (inside + outside) / 2
            low, high = difference(failures, n, of_controls, m, 1 - middle)
            inside, outside = (middle, outside) if low <= 0 <= high else (inside, middle)
        return inside

    value = 1 - failures / n / (of_controls / m)
    return value, end(value, value - 1e4), end(value, 1.0)


def summary(rows: list[Row]) -> dict[str, tuple[float, float | None, float | None]]:
    """One person after the other."""
    people = [row for row in rows for _ in range(row[5])]
    answer: dict[str, tuple[float, float | None, float | None]] = {}

    def share(name: str, group: list[Row], hits: list[Row]) -> None:
        if group:
            answer[name] = (len(hits) / len(group), *wilson(len(hits), len(group)))

    for is_control in (False, True):
        group = [row for row in people if row[4] is is_control]
        learned = [row for row in group if row[0]]
        judged = [row for row in learned if row[3] is not None]
        suffix = "_of_controls" if is_control else ""
        if group or not is_control:
            answer["controls" if is_control else "subjects"] = (len(group), None, None)
        share(f"learned{suffix}", group, learned)
        share(f"right{suffix}", judged, [row for row in judged if row[3]])
        if not is_control:
            levels = (("certain", 1), ("sure_99", 0.99), ("sure_95", 0.95), ("sure_90", 0.9))
            for name, level in levels:
                share(name, group, [row for row in learned if row[1] >= level])
            if any(row[7] is not None for row in learned):
                upper = [max(row[1], row[7] or 0) for row in learned]
                answer["expected_right_upper"] = (sum(upper) / len(upper), None, None)
                for name, level in levels:
                    sure = [row for row, most in zip(learned, upper, strict=True) if most >= level]
                    share(f"{name}_upper", group, sure)
            if learned:
                answer["expected_right"] = (sum(row[1] for row in learned) / len(learned), None, None)
                answer["baseline"] = (sum(row[2] for row in learned) / len(learned), None, None)
    if unfinished := [row for row in people if row[6] and not row[4]]:
        share("unfinished", [row for row in people if not row[4]], unfinished)
    if any(row[3] is not None for row in people):
        known = [row for row in people if not row[0] or row[3] is not None]
        attacked, control = ([row for row in known if row[4] is group] for group in (False, True))
        if attacked and control:
            hits = [sum(row[0] and bool(row[3]) for row in group) for group in (attacked, control)]
            for name, n, of in zip(("", "_controls"), hits, (attacked, control), strict=True):
                answer[f"right_of_all{name}"] = (n / len(of), *wilson(n, len(of)))
            if hits[1] < len(control):
                answer["beyond_controls"] = risk(hits[0], len(attacked), hits[1], len(control))
    return answer


def summed_up(
    con: duckdb.DuckDBPyConnection, rows: list[Row], owners: list[str] | None = None
) -> dict[str, tuple[float, float | None, float | None]]:
    """By the macro; with owners of the rows, by people."""
    con.execute(
        "create or replace temp table answer"
        "(learned text, confidence double, baseline double, is_right boolean, is_control boolean, n integer, "
        "unfinished boolean, upper_end double, person text)"
    )
    con.executemany(
        "insert into answer values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
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
            assert one == (None if other is None else pytest.approx(scale * other, rel=1e-6, abs=1e-6))


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
        upper = max((row[7] for row in theirs if row[0] and row[7] is not None), default=None)
        people.append((*surest[:5], 1, is_unfinished, upper))
    compare(summed_up(con, rows, owners[: len(rows)]), summary(people))


def test_a_risk_and_its_interval(con: duckdb.DuckDBPyConnection) -> None:
    """Of 100 people 60 are right, of 50 controls 10: (0.6 - 0.2) / 0.8. 0 is in the interval just if it is in
    Newcombe's interval of the difference. A copy reads 100 %, and worse than the controls reads below 0."""

    def people(right: int, wrong: int, nothing: int, is_control: bool) -> list[Row]:
        told = [
            (True, 1.0, 0.1, True, is_control, right, None, None),
            (True, 1.0, 0.1, False, is_control, wrong, None, None),
        ]
        return [*told, (False, 0.0, 0.1, None, is_control, nothing, None, None)]

    found = summed_up(con, people(60, 10, 30, False) + people(10, 0, 40, True))
    assert (found["right_of_all"][0], found["right_of_all_controls"][0]) == (60, 20)
    value, low, high = found["beyond_controls"]
    assert value == pytest.approx(50)
    assert low is not None
    assert high is not None
    assert 30 < low < 50 < high < 70
    for right, is_zero_in_it in ((20, True), (22, True), (50, False)):
        _, low, high = summed_up(con, people(right, 100 - right, 0, False) + people(10, 40, 0, True))[
            "beyond_controls"
        ]
        apart, together = difference(100 - right, 100, 40, 50, 1)
        assert low is not None
        assert high is not None
        assert (low <= 0 <= high) is (apart <= 0 <= together) is is_zero_in_it
    value, low, high = summed_up(con, people(100, 0, 0, False) + people(0, 0, 50, True))["beyond_controls"]
    assert (value, high) == (100, 100)
    assert low is not None
    assert low > 95
    assert summed_up(con, people(0, 0, 9, False) + people(1, 0, 9, True))["beyond_controls"][0] < 0


def test_a_row_is_one_of_several_or_stands_for_several(con: duckdb.DuckDBPyConnection) -> None:
    rows: list[Row] = [(True, 1.0, 0.4, True, False, 2, None, None)]
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
        assert (row["releases"] == 1) == (not {"releases", "tables"} & {*row["needs"]})
        assert (row["targets"] is None) == ("targets" not in row["needs"])


def test_an_answer_that_is_none(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("create table people as select 'ann' as name, 'flu' as learned")
    with pytest.raises(sqlanon.SqlError, match="confidence"):
        sqlanon.attack_summary(con, "people")
