"""Noise in SQL with a ledger: every execution that draws is paid for, however DuckDB plans it."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlanon
from sqlanon.core.errors import UseError
from sqlanon.publishing.ledger import Ledger, Part
from sqlanon.publishing.register import opened
from sqlanon.randomize import noise
from sqlanon.randomize.mechanisms import MECHANISMS
from tests.publishing.test_ledger import FILE, declare

pytestmark = pytest.mark.both_lines

pytest.importorskip("opendp", reason="opendp is not installed")

COUNTS = "sqlanon.dp_counts('people', 'g', epsilon := 0.1, delta := 1e-9, unit := 'ID', max_groups := 1)"
DRAWN_KEYS = COUNTS.replace("unit", "selection := 'partition', unit")


# One of each, by its macro.
RELEASES = {
    "dp_counts": COUNTS,
    "dp_sums": "sqlanon.dp_sums('people', 'g', 'v', [0, 9], epsilon := 0.1, delta := 1e-9, unit := 'id', "
    "max_groups := 1)",
    "dp_means": "sqlanon.dp_means('people', 'g', 'v', [0, 9], epsilon := 0.1, delta := 1e-9, unit := 'id', "
    "max_groups := 1)",
    "dp_quantiles": "sqlanon.dp_quantiles('people', 'g', 'v', [0, 9], epsilon := 0.1, delta := 1e-9, "
    "unit := 'id', max_groups := 1)",
    "dp_histogram": "sqlanon.dp_histogram('people', 'g', 'levels', epsilon := 0.1, unit := 'id', "
    "max_groups := 1)",
    "dp_top": "sqlanon.dp_top('people', 'g', 'groups', epsilon := 0.1, unit := 'id')",
    "randomized_response": "sqlanon.randomized_response('people', 'g', 'groups', epsilon := 0.1)",
    "dp_contingency": "sqlanon.dp_contingency('people', 'odd', [['odd']], epsilon := 0.1, unit := 'id', "
    "max_groups := 1)",
    "dp_wavelet": "sqlanon.dp_wavelet('people', 'v', [0, 8], 4, epsilon := 0.1, unit := 'id', "
    "max_groups := 1)",
    "dp_bounds": "sqlanon.dp_bounds('people', 'v', epsilon := 0.1, unit := 'id', max_groups := 1)",
    "dp_microaggregate": "sqlanon.dp_microaggregate('people', ['g', 'v'], [0, 2, 0, 9], 900, epsilon := 0.1)",
    "sampled_k_anonymity": "sqlanon.sampled_k_anonymity('people', 'g', 20, 0.05, epsilon := 0.1, "
    "unit := 'id')",
}  # fmt: skip


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    """One of its own: functions stay in a database."""
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        connection.execute(
            """
            create table people as select i as id, i as household, i % 3 as g, i % 10 as v, i % 2 = 1 as odd
            from range(9000) as r(i);
            create table groups as select i as g from range(3) as r(i);
            create table levels as
                select 'g' as attribute, g::varchar as value, level, if(level = 0, value, '*') as label
                from groups, range(2) as r(level)"""
        ).fetchall()
        yield connection


class Book:
    """What the ledger knows, and how many numbers got noise."""

    def __init__(self, con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch) -> None:
        self.con = con
        self.drawn = 0
        real = noise.SAMPLERS["_with_noise"]

        def counting(values: Any, scales: Any, mechanisms: Any) -> Any:
            self.drawn += len(values)
            return real.function(values, scales, mechanisms)

        monkeypatch.setitem(noise.SAMPLERS, "_with_noise", real._replace(function=counting))

    @property
    def entries(self) -> int:
        with self.con.cursor() as other:  # a transaction sees what was there when it began
            [(count,)] = other.execute("select count(*) from sqlanon_register.spending").fetchall()
        return int(count)

    def costs(self, statement: str, most: int = 6) -> int:
        """How often a statement pays. So many numbers are drawn at most for each time."""
        before, drawn = self.entries, self.drawn
        self.con.execute(statement).fetchall()
        paid = self.entries - before
        assert self.drawn - drawn <= most * paid
        return paid

    def refuses(self, statement: str, message: str) -> None:
        before, drawn = self.entries, self.drawn
        with pytest.raises(duckdb.Error, match=message):
            self.con.execute(statement).fetchall()
        assert (self.entries, self.drawn) == (before, drawn)


@pytest.fixture
def book(con: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Book]:
    declare(con, tmp_path, 2, unit="id")
    with opened(con, tmp_path / FILE) as known:
        ledger = Ledger(known, "people", "id")
        made = Book(con, monkeypatch)
        sqlanon.register_functions(con, noise=ledger)
        yield made


def test_every_execution_is_paid_for(con: duckdb.DuckDBPyConnection, book: Book) -> None:
    assert book.costs(f"from {COUNTS}") == 1
    assert book.drawn == 3
    [entry] = con.execute(
        "select mechanism, query, epsilon, delta, rho from sqlanon_register.spending"
    ).fetchall()
    assert entry == ("laplace", "dp_counts of people by g", 0.1, 1e-9, pytest.approx(0.005))
    assert book.costs(f"create or replace view noisy as from {COUNTS}") == 0
    assert book.costs("from noisy") == 1
    assert book.costs("select g from noisy where n > 0 limit 1") == 1
    assert book.costs(f"prepare noisy as from {COUNTS}") == 0
    assert book.costs("execute noisy") == book.costs("execute noisy") == 1
    assert book.costs(f"explain from {COUNTS}") == 0
    assert book.costs(f"describe from {COUNTS}") == 0


def test_what_the_optimizer_could_leave_out_or_share(book: Book) -> None:
    assert book.costs(f"from {COUNTS} union all from {COUNTS}") == 2
    assert book.costs(f"from {COUNTS} as a, {COUNTS} as b where a.g = b.g") == 2
    assert book.costs(f"with noisy as (from {COUNTS}) from noisy as a join noisy as b using (g)") in (1, 2)
    # which groups were drawn is told by their number alone
    assert book.costs(f"select count(*) from {DRAWN_KEYS}") == 1
    assert book.costs(f"select g from {DRAWN_KEYS}") == 1


def test_all_mechanisms_are_tried() -> None:
    assert {*MECHANISMS.values()} <= RELEASES.keys()


@pytest.mark.slow("1 s a case", but=(0, 4, 6, 7, 9, 10, 11))
@pytest.mark.parametrize("macro", RELEASES)
def test_every_mechanism_is_paid_for(
    con: duckdb.DuckDBPyConnection, book: Book, tmp_path: Path, macro: str
) -> None:
    release = RELEASES[macro]
    if "unit" not in release:
        book.refuses(f"from {release}", "this release is with a row for each person")
        return
    assert book.costs(f"select count(*) from {release}", most=200) == 1
    [entry] = con.execute("select query, epsilon from sqlanon_register.spending").fetchall()
    assert (entry[0].partition(" by ")[0], entry[1]) == (f"{macro} of people", 0.1)
    book.refuses(f"from {release.replace('0.1', '3')}", "this costs epsilon 3")


def test_no_noise_without_a_payment(con: duckdb.DuckDBPyConnection, book: Book) -> None:
    book.refuses("select sqlanon._with_noise(1, 2.0, 'laplace')", "nobody has paid for this noise")
    book.refuses("select sqlanon._event(0.5)", "nobody has paid for this noise")
    book.refuses(f"from {COUNTS.replace('0.1', '2.1')}", "epsilon 0 of 2 is spent.*this costs epsilon 2.1")
    message = "the budget is for people by id, and this release is "
    book.refuses(f"from {COUNTS.replace('ID', 'household')}", message + "by household")
    without = COUNTS.replace(", unit := 'ID', max_groups := 1", "")
    book.refuses(f"from {without}", message + "with a row for each person")
    con.execute("begin").fetchall()
    assert book.costs(f"from {COUNTS}") == 1
    con.execute("rollback").fetchall()
    assert book.entries == 1  # what is drawn is known, whatever becomes of the transaction


def test_python_pays_once(con: duckdb.DuckDBPyConnection, book: Book, tmp_path: Path) -> None:
    """By the ledger that it is given, and not by that of SQL as well."""
    sqlanon.dp_counts(con, "people", "g", epsilon=0.1, delta=1e-9, unit="id", max_groups=1)
    assert book.entries == 0


@pytest.mark.slow("1 s")
def test_a_ledger_that_is_gone_pays_nothing(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    declare(con, tmp_path, 2, unit="id")
    with opened(con, tmp_path / FILE) as known:
        ledger = Ledger(known, "people", "id")
        sqlanon.register_functions(con, noise=ledger)
    with pytest.raises(duckdb.Error, match="unknown table"):  # it is not attached any more
        con.execute(f"from {COUNTS}").fetchall()
    del ledger
    gc.collect()  # the error's traceback knew it
    with pytest.raises(duckdb.Error, match="the ledger that pays for noise is gone"):
        con.execute(f"from {COUNTS}").fetchall()


def test_parts_are_not_for_sql(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    declare(con, tmp_path, 2, unit="id")
    with opened(con, tmp_path / FILE) as known, pytest.raises(UseError, match="cannot pay in SQL"):
        sqlanon.register_functions(con, noise=Ledger(known, "people", "id", Part(1, 2)))
