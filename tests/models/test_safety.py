"""(c, k)-safety as a requirement: of all classes together, and what anonymizers ask of each."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlglot import exp, parse_one

import sqlanon
from sqlanon.anonymize.mondrian import Mondrian
from tests.budget import examples
from tests.oracles import privacy, units
from tests.oracles.background_knowledge import implications_by_counts
from tests.tables import rows

few = settings(examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])

COUNTS = st.lists(st.integers(1, 5), min_size=1, max_size=6)
VALUES = st.lists(st.text("abcd", min_size=1, max_size=6), min_size=1, max_size=4)


def load(con: duckdb.DuckDBPyConnection, classes: Sequence[Sequence[str]]) -> None:
    """The table r: q, the number of the class, and s."""
    table = [(i, value) for i, values in enumerate(classes) for value in values]
    con.execute(
        "create or replace table r as select unnest(?::bigint[]) as q, unnest(?::varchar[]) as s",
        [[q for q, _ in table], [s for _, s in table]],
    ).fetchall()


def together(classes: Sequence[Sequence[str]], k: int) -> list[float]:
    return [float(x) for x in implications_by_counts([list(Counter(c).values()) for c in classes], k)]


def violated(con: duckdb.DuckDBPyConnection, **arguments: Any) -> dict[int, float]:
    """Class -> what it reaches."""
    result = rows(con, "violations", "r", qi="q", sensitive="s", **arguments)
    return {row[-1]["q"]: row[3] for row in result}


def of_counts(*counts: int) -> str:
    return "".join(chr(ord("a") + i) * n for i, n in enumerate(counts))


def test_classes_that_are_worse_together(con: duckdb.DuckDBPyConnection) -> None:
    classes = [of_counts(4, 4, 3, 1, 1, 1), of_counts(4, 3, 2, 2, 1, 1)]
    for one in classes:
        load(con, [one])
        assert violated(con, safety_c=0.67, safety_k=3) == {}
    load(con, classes)
    found = violated(con, safety_c=0.67, safety_k=3)
    assert max(found.values()) == pytest.approx(0.674698795, rel=1e-8)
    assert violated(con, safety_c=0.675, safety_k=3) == {}


@pytest.mark.slow("0.3 s")
def test_the_bound_itself_is_not_safe(con: duckdb.DuckDBPyConnection) -> None:
    load(con, ["aabb", "ccdd"])
    assert violated(con, safety_c=0.5, safety_k=0) == {0: 0.5, 1: 0.5}
    assert violated(con, safety_c=0.5000001, safety_k=0) == {}
    assert violated(con, safety_c=1, safety_k=1) == {0: 1, 1: 1}


@pytest.mark.slow("3 s")
@few
@given(VALUES, st.integers(0, 2), st.sampled_from([1 - 1e-6, 1 + 1e-6]), st.data())
def test_violations_are_of_all_classes_together(
    con: duckdb.DuckDBPyConnection, classes: list[str], k: int, factor: float, choice: st.DataObject
) -> None:
    load(con, classes)
    disclosed = together(classes, k)
    c = min(choice.draw(st.sampled_from(disclosed)) * factor, 1)
    wanted = {i: value for i, value in enumerate(disclosed) if value >= c * (1 - 1e-12)}
    assert violated(con, safety_c=c, safety_k=k) == pytest.approx(wanted, rel=1e-9)


PEOPLE = st.lists(
    st.tuples(st.integers(0, 1), st.sampled_from("abc"), st.integers(1, 4)), min_size=1, max_size=8
)


@pytest.mark.slow("0.4 s")
@few
@given(PEOPLE, st.integers(0, 1))
def test_people_have_the_worst_of_their_values(
    con: duckdb.DuckDBPyConnection, table: list[tuple[int, str, int]], k: int
) -> None:
    con.execute(
        "create or replace table r as select unnest(?) as q, unnest(?) as s, unnest(?) as person",
        [list(column) for column in zip(*table, strict=True)],
    ).fetchall()
    classes = units.classes(table, [0], 2, 1)
    chosen = product(*(units.choices(cls) for cls in classes.values()))
    worst = max(max(implications_by_counts([list(c.values()) for c in one], k)) for one in chosen)
    found = violated(con, safety_c=1e-6, safety_k=k, unit="person")
    assert max(found.values()) == pytest.approx(float(worst), rel=1e-9)


class TestWhatIsAskedOfEachClass:
    """sql/models/models.sql has the proofs."""

    @examples(200)
    @given(st.lists(COUNTS, min_size=1, max_size=4), st.integers(0, 3))
    def test_it_is_enough(self, classes: list[list[int]], k: int) -> None:
        asked = max(privacy.safety(Counter(dict(enumerate(counts))), k) for counts in classes)
        assert float(max(implications_by_counts(classes, k))) <= asked + 1e-12

    @examples(200)
    @given(VALUES, st.integers(0, 4))
    def test_classes_that_become_one_stay_within_it(self, classes: list[str], k: int) -> None:
        asked = max(privacy.safety(Counter(values), k) for values in classes)
        assert privacy.safety(Counter("".join(classes)), k) <= asked + 1e-12

    def test_without_others_and_knowledge_it_is_what_is_reached(self) -> None:
        assert privacy.safety(Counter("aabcd"), 0) == pytest.approx(2 / 5)
        assert privacy.safety(Counter("aabcd"), 1) > together(["aabcd"], 1)[0]


@pytest.fixture
def people(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    con.execute(
        "create or replace table people as select i as id, (i * 7) % 13 as age, i % 3 as zip, "
        "'d' || (i * i) % 7 as disease from range(120) as r(i)"
    ).fetchall()
    return con


@pytest.mark.parametrize("method", ["mondrian", "relaxed", "optimal", "k_similar"])
def test_releases_are_safe(people: duckdb.DuckDBPyConnection, method: str) -> None:
    request: dict[str, Any] = {
        "qi": ["age", "zip"], "sensitive": "disease", "safety_c": 0.75, "safety_k": 1, "into": "release",
        "replace": True,
    }  # fmt: skip
    if method == "optimal":
        people.execute("create or replace table h as from sqlanon.flat_hierarchy('people', 'age')").fetchall()
        release = sqlanon.optimal(people, "people", hierarchies="h", **request)
    elif method == "k_similar":
        release = sqlanon.k_similar(people, "people", k=3, **request)
    else:
        release = sqlanon.mondrian(people, "people", relaxed=method == "relaxed", **request)
    attack = sqlanon.background_knowledge(people, "release", ["age", "zip"], "disease", 1)
    [(worst,)] = attack.max("confidence").fetchall()
    assert worst < 0.75
    assert release.reached["(c, k)-safety"] == pytest.approx(worst, rel=1e-12)
    assert release.classes > 1


def test_what_is_not_safe_together_is_thrown_away(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two classes of which each alone stays below 0.67."""
    load(con, [of_counts(4, 4, 3, 1, 1, 1), of_counts(4, 3, 2, 2, 1, 1)])
    con.execute("create or replace table other as select 1 as q, row_number() over () % 9 as s from r")
    request: dict[str, Any] = {"qi": "q", "sensitive": "s", "safety_k": 3, "into": "broken"}

    def release(run: Mondrian) -> exp.Select:
        return parse_one("select q::varchar as q, s from r", dialect="duckdb", into=exp.Select)

    monkeypatch.setattr(Mondrian, "release", release)
    message = r"of \(c, k\)-safety: .* reaches 0\.674\d+, 0\.67 is required"
    with pytest.raises(sqlanon.VerificationError, match=message):
        sqlanon.mondrian(con, "other", **request, safety_c=0.67)
    assert con.execute("from duckdb_tables() where table_name = 'broken'").fetchall() == []
    assert sqlanon.mondrian(con, "other", **request, safety_c=0.68).classes == 2


@pytest.mark.slow("1 s")
def test_what_no_classes_are_sure_to_meet(people: duckdb.DuckDBPyConnection) -> None:
    message = r"no classes are sure to meet the requirements together.* in \(c, k\)-safety of column disease"
    with pytest.raises(sqlanon.InputError, match=message):
        sqlanon.mondrian(people, "people", qi="age", sensitive="disease", safety_c=0.2, safety_k=2)
