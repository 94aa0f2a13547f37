"""Random keys: the same for the same seed everywhere, and anybody's guess without one."""

from collections.abc import Iterator

import duckdb
import pytest

import sqlanon


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


def keys(
    con: duckdb.DuckDBPyConnection, expressions: str, seed: int | None, source: str = "range(1)"
) -> list[str]:
    """The keys of rows, in the order of the rows."""
    [(key,)] = con.execute("select sqlanon._random_key(?, ?)", [expressions, seed]).fetchall()
    return [found for (found,) in con.execute(f"select {key} from {source}").fetchall()]


# Their first 48 bits, as 1.4.5 and 2.0.0 print them.
PINNED = {
    "1": "96057841a369",
    "1, 'a'": "8deeaff3b945",
    "'a\\b'": "4c3ee3ef0ea9",
    "'\\x00a'::blob": "717531a4a9f6",
    "timestamptz '2020-01-01 00:00:00+00'": "6d00580cbccf",
}


@pytest.mark.both_lines
@pytest.mark.parametrize("zone", ["UTC", "Asia/Kathmandu"])
def test_a_seed_gives_the_same_keys_on_every_line_of_duckdb_and_in_every_time_zone(
    con: duckdb.DuckDBPyConnection, zone: str
) -> None:
    con.execute(f"set timezone = '{zone}'").fetchall()
    found = {expressions: keys(con, expressions, 5)[0] for expressions in PINNED}
    con.execute("reset timezone").fetchall()
    assert {expressions: key[:12] for expressions, key in found.items()} == PINNED
    assert all(len(key) == 64 for key in found.values())


def test_what_differs_has_another_key(con: duckdb.DuckDBPyConnection) -> None:
    chosen = ["1", "'1'", "1, null", "null", "'a, b'", "'a', 'b'", "'NULL'"]
    found = [keys(con, expressions, seed)[0] for expressions in chosen for seed in (-1, 1, 11)]
    assert len(set(found)) == 3 * len(chosen)


def test_without_a_seed_nobody_knows_the_salt_and_rows_of_a_query_share_it(
    con: duckdb.DuckDBPyConnection,
) -> None:
    con.execute("begin").fetchall()  # in one transaction it is one microsecond
    one, *others = (keys(con, "range // 2", None, "range(4)") for _ in range(3))
    con.execute("rollback").fetchall()
    assert one[0] == one[1] != one[2] == one[3]
    assert all(set(one).isdisjoint(other) for other in others)


@pytest.mark.both_lines
def test_setseed_repeats_no_salt(con: duckdb.DuckDBPyConnection) -> None:
    found = set()
    for _ in range(3):
        con.execute("select setseed(0.5)").fetchall()
        found.update(keys(con, "1", None))
    assert len(found) == 3
