"""The intersection attack on rows of several columns."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.oracles import attack, unchanged_rows
from tests.oracles.unchanged_rows import LACKS
from tests.tables import literal

COLUMNS = ("disease", "ward", "month")
QI = "age"


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


def records(con: duckdb.DuckDBPyConnection, macro: str, **arguments: Any) -> list[dict[str, Any]]:
    """Rows with the names of their columns."""
    named = ", ".join(f"{name} := {literal(value)}" for name, value in arguments.items() if value is not None)
    cursor = con.execute(f"from sqlanon.{macro}({named})")
    names = [column[0] for column in cursor.description or []]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


@dataclass(frozen=True)
class Scene:
    """Releases of rows of an age and the values of COLUMNS, where a release may lack columns that are not
    sensitive (LACKS), and the ages of targets.
    """

    releases: Sequence[Sequence[tuple[Any, ...]]]
    ages: Sequence[int]
    learned: int = 1
    joined: int = 3  # of COLUMNS, the sensitive ones among them
    changing: frozenset[int] = frozenset()
    presence: Sequence[Sequence[bool]] | None = None

    def load(self, con: duckdb.DuckDBPyConnection) -> dict[str, Any]:
        for number, rows in enumerate(self.releases, 1):
            has = [c for c in range(self.joined) if rows[0][c + 1] is not LACKS]
            columns = ["age varchar", *(f"{COLUMNS[c]} varchar" for c in has)]
            con.execute(f"create or replace table r{number} ({', '.join(columns)})")
            con.executemany(
                f"insert into r{number} values ({', '.join('?' * len(columns))})",
                [[row[0], *(row[c + 1] for c in has)] for row in rows],
            )
        present = "".join(f", true as in{j}" for j in range(1, len(self.releases) + 1))
        con.execute(
            f"create or replace table t as select i as id, [{', '.join(map(str, self.ages))}][i + 1] as age"
            f"{present} from range({len(self.ages)}) as numbers(i)"
        )
        for i, row in enumerate(self.presence or ()):
            told = ", ".join(f"in{j} = {is_in}" for j, is_in in enumerate(row, 1))
            con.execute(f"update t set {told} where id = {i}")
        numbers = range(1, len(self.releases) + 1)
        return {
            "releases": [f"r{number}" for number in numbers],
            "targets": "t",
            "id": "id",
            "qi": QI,
            "sensitive": list(COLUMNS[: self.learned]),
            "unchanged": list(COLUMNS[self.learned : self.joined]) or None,
            "values_may_change": [COLUMNS[c] for c in sorted(self.changing)] or None,
            "presence": [f"in{number}" for number in numbers] if self.presence else None,
        }

    def learn(self) -> list[list[unchanged_rows.Learned]]:
        classes: list[dict[tuple[Any, ...], Counter[Any]]] = []
        for rows in self.releases:
            by_label: dict[tuple[Any, ...], Counter[Any]] = {}
            for label, *values in rows:
                by_label.setdefault((label,), Counter())[tuple(values[: self.joined])] += 1
            classes.append(by_label)
        located = attack.locate_all(classes, [(age,) for age in self.ages], None, self.presence)
        stable = frozenset(range(self.joined)) - self.changing
        changing = frozenset(c for c in self.changing if c < self.learned)
        return unchanged_rows.Attack(classes, located, self.learned, stable, changing).learn()


def check(con: duckdb.DuckDBPyConnection, scene: Scene) -> None:
    """Each answer against the slow version, and the summary against the answers."""
    arguments = scene.load(con)
    found = {(row["id"], row["sensitive"]): row for row in records(con, "intersection_attack", **arguments)}
    wanted = scene.learn()
    for i, columns in enumerate(wanted):
        for c, one in enumerate(columns):
            row = found[i, COLUMNS[c]]
            told = dict(zip(row["candidates"], row["probabilities"], strict=True))
            assert told == pytest.approx({value: float(p) for value, p in one.candidates.items()}), (i, c)
            assert row["posterior"] == len(told)
            assert row.get("contradiction", row["posterior"] == 0) == one.contradictory, (i, c)
    measured = {
        (row["sensitive"], row["id"]): row["value"]
        for row in records(con, "breaches", **arguments, sure=[60])
    }
    for c in range(scene.learned):
        learned = [columns[c] for columns in wanted]
        share = 100 * sum(one.contradictory for one in learned) / len(learned)
        assert measured[COLUMNS[c], "contradictions"] == pytest.approx(share)
        if all(one.surest is not None for one in learned):
            sure = 100 * sum(round(float(one.surest or 0), 11) >= 0.6 for one in learned) / len(learned)
            assert measured[COLUMNS[c], "sure_60"] == pytest.approx(sure)


LABELS = ["*", "1", "2", "{1, 2}", "[2, 3]"]


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    learned = draw(st.integers(1, 2))
    joined = draw(st.integers(learned, 3))
    value = st.sampled_from(["a", "b", None])
    releases = []
    for _ in range(draw(st.integers(1, 3))):
        lacking = [c >= learned and draw(st.booleans()) for c in range(3)]
        rows = draw(st.lists(st.tuples(st.sampled_from(LABELS), value, value, value), min_size=1, max_size=7))
        releases.append([
            (label, *(LACKS if lacks else one for lacks, one in zip(lacking, values, strict=True)))
            for label, *values in rows
        ])  # fmt: skip
    for c in range(learned, joined):  # some release has it
        if all(rows[0][c + 1] is LACKS for rows in releases):
            releases[0] = [(*row[: c + 1], "a", *row[c + 2 :]) for row in releases[0]]
    ages = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    changing = draw(st.sets(st.integers(0, joined - 1), max_size=2))
    is_in = st.lists(st.booleans(), min_size=len(releases), max_size=len(releases))
    presence = draw(st.one_of(st.none(), st.lists(is_in, min_size=len(ages), max_size=len(ages))))
    return Scene(releases, ages, learned, joined, frozenset(changing), presence)


class TestAgainstTheOracle:
    @examples(80, quick=6)
    @given(scenes())
    def test_random_rows(self, con: duckdb.DuckDBPyConnection, scene: Scene) -> None:
        check(con, scene)
