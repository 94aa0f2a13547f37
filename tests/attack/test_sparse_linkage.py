"""Records known by a few items: against scores of every record, and with items that are wrong."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.oracles import sparse_linkage as oracle

# A random release may have values that nobody has.
pytestmark = pytest.mark.filterwarnings("ignore:.* nobody understands these values")

ITEMS = st.sampled_from(["a", "b", "c", "d", "e", None])
HELD = st.lists(st.tuples(st.sampled_from(["r1", "r2", "r3", "r4"]), ITEMS), min_size=1, max_size=14)
KNOWN = st.lists(st.tuples(st.sampled_from([1, 2, 3]), ITEMS), min_size=1, max_size=8)


@pytest.fixture(scope="module")
def town() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        sqlanon.register(con)
        yield con


def load(con: duckdb.DuckDBPyConnection, held: list[Any], known: list[Any]) -> None:
    con.execute("create or replace temp table held (record text, item text)").fetchall()
    con.executemany("insert into held values (?, ?)", held)
    con.execute("create or replace temp table known (id int, item text)").fetchall()
    con.executemany("insert into known values (?, ?)", known)


def sets(rows: list[Any]) -> dict[Hashable, set[Hashable]]:
    found: dict[Hashable, set[Hashable]] = defaultdict(set)
    for owner, item in rows:
        found[owner].add(item)
    return found


@examples(40)
@given(held=HELD, known=KNOWN)
def test_against_every_record(town: duckdb.DuckDBPyConnection, held: list[Any], known: list[Any]) -> None:
    load(town, held, known)
    answer = sqlanon.sparse_linkage(town, "held", "known", "id", "record", "item", eccentricity=0.5)
    found = {row[0]: dict(zip(answer.columns, row, strict=True)) for row in answer.fetchall()}
    records, people = sets(held), sets(known)
    assert found.keys() == people.keys()
    for who, row in found.items():
        ahead, probability = oracle.eccentricity(people[who], records)
        assert row["eccentricity"] == pytest.approx(ahead, abs=1e-6)
        assert (row["baseline"], row["items"]) == (1 / len(records), len(people[who]))
        if abs(ahead - 0.5) < 1e-6:
            continue
        assert (row["learned"] is not None) == (ahead > 0.5)
        if row["learned"] is not None:
            scores = oracle.scores(people[who], records)
            assert scores[row["learned"]] == pytest.approx(max(scores.values()))
            assert row["agreeing"] == len(people[who] & records[row["learned"]])
            assert row["confidence"] == pytest.approx(probability)


def test_wrong_items_do_not_help(town: duckdb.DuckDBPyConnection) -> None:
    """Five of eight items of one's own are enough among 300 people; of controls nothing is learned."""
    town.execute(
        """create or replace temp table bought as
        select 'r' || i as record, hash(i, j) % 200 as product, hash(i, j, 1) % 10 as week
        from range(300) as people(i), range(15) as items(j);
        create or replace temp table told as
        select i as id, 'r' || i as record, i >= 300 as out,
               if(j < 5, hash(i, j) % 200, 1000 + hash(i, j) % 200) as product, hash(i, j, 1) % 10 as week
        from range(250, 350) as people(i), range(8) as items(j)"""
    ).fetchall()
    answer = sqlanon.sparse_linkage(
        town, "bought", "told", "id", "record", ["product", "week"], truth="record", controls="out"
    )
    found = {row[-1]: row[1] for row in sqlanon.attack_summary(town, answer).fetchall()}
    assert (found["subjects"], found["controls"]) == (50, 50)
    assert found["right_of_all"] == 100
    assert found["right_of_all_controls"] == 0


def test_items_of_another_type_agree_by_value(town: duckdb.DuckDBPyConnection) -> None:
    """5 and 5.0 are one item; a range is none, and is refused."""
    town.execute(
        """create or replace temp table numbers as
        from (values ('r1', 5), ('r1', 6), ('r2', 7), ('r3', 8)) as t(record, item);
        create or replace temp table doubles as select * replace (item::double as item) from numbers;
        create or replace temp table ranges as select * replace ('[5, 9]' as item) from numbers;
        create or replace temp table asked as select 1 as id, unnest([5, 6]) as item"""
    ).fetchall()
    answer = sqlanon.sparse_linkage(town, "doubles", "asked", "id", "record", "item")
    assert [row[1] for row in answer.fetchall()] == ["r1"]
    with pytest.raises(sqlanon.SqlanonError, match="column item of ranges has labels, such as"):
        sqlanon.sparse_linkage(town, "ranges", "asked", "id", "record", "item")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"columns": []}, "columns names no column"),
        ({"columns": "price"}, "price"),
        ({"release": "nothing"}, "table nothing is empty"),
        ({"eccentricity": -1}, "eccentricity"),
        ({"truth": "item"}, "a person has several values in truth: a and b"),
    ],
)
def test_bad_input(town: duckdb.DuckDBPyConnection, change: dict[str, Any], message: str) -> None:
    load(town, [("r1", "a"), ("r2", "b")], [(1, "a"), (1, "b")])
    town.execute("create or replace temp table nothing as from held where false").fetchall()
    arguments: dict[str, Any] = {
        "release": "held", "targets": "known", "id": "id", "record": "record", "columns": "item",
    }  # fmt: skip
    with pytest.raises(sqlanon.SqlanonError, match=message):
        sqlanon.sparse_linkage(town, **{**arguments, **change}).fetchall()
