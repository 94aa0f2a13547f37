"""What agreeing rows tell: a copy, other rows, and one row after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.oracles import agreeing_rows as oracle

# A random release may have values that nobody has.
pytestmark = [
    pytest.mark.filterwarnings("ignore:.* nobody understands these values"),
]  # fmt: skip


@pytest.fixture(scope="module")
def town() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        sqlanon.register(con)
        yield con


ROWS = st.lists(
    st.tuples(st.sampled_from([1, 2, None]), st.sampled_from(["a", None]), st.sampled_from(["x", "y", None])),
    min_size=1,
    max_size=9,
)


@examples(40)
@given(original=ROWS, release=ROWS)
def test_one_row_after_the_other(
    town: duckdb.DuckDBPyConnection, original: list[Any], release: list[Any]
) -> None:
    for name, rows in (("original", original), ("answered", release)):
        town.execute(f"create or replace temp table {name} (a integer, b text, s text)")
        town.executemany(f"insert into {name} values (?, ?, ?)", rows)
    answer = sqlanon.agreeing_rows(town, "original", "answered", ["a", "b"], "s").fetchall()
    found = {id: value for _, value, _, id in answer}
    assert found.pop("rows") == len(original)
    cut = [[(row[:2], row[2]) for row in rows] for rows in (original, release)]
    for id, wanted in oracle.measures(cut[0], cut[1]).items():
        assert found.pop(id) == (None if wanted is None else pytest.approx(100 * wanted))
    assert found == {}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"columns": []}, "columns names no column"),
        ({"columns": ["a", "s"]}, 'column "s" is named twice'),
        ({"release": "nobody"}, "nobody is empty"),
        ({"original": "nobody"}, "nobody is empty"),
    ],
)
def test_bad_input(town: duckdb.DuckDBPyConnection, change: dict[str, Any], message: str) -> None:
    town.execute("create or replace temp table few as select 1 as a, 'x' as s")
    town.execute("create or replace temp table nobody as from few where false")
    given: dict[str, Any] = {"original": "few", "release": "few", "columns": "a", "sensitive": "s"}
    with pytest.raises(sqlanon.SqlanonError, match=message):
        sqlanon.agreeing_rows(town, **{**given, **change})


def test_columns_of_another_type_agree_by_value(town: duckdb.DuckDBPyConnection) -> None:
    """A copy whose numbers became 20.0 is a copy; labels agree with nothing and are refused."""
    town.execute(
        """create or replace temp table people as
        from (values (20, 'a', 'flu'), (30, 'b', 'flu')) as t(age, zip, disease);
        create or replace temp table doubles as select * replace (age::double as age) from people;
        create or replace temp table texts as select * replace (age::double::varchar as age) from people;
        create or replace temp table ranges as select * replace ('[20, 30]' as age) from people"""
    ).fetchall()
    for release in ("doubles", "texts"):
        answer = sqlanon.agreeing_rows(town, "people", release, ["age", "zip"], "disease").fetchall()
        assert {row[-1]: row[1] for row in answer}["matched"] == 100
    with pytest.raises(sqlanon.SqlanonError, match="column age of ranges has labels, such as"):
        sqlanon.agreeing_rows(town, "people", "ranges", ["age", "zip"], "disease")
