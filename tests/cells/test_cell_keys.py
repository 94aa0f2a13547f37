"""Cell keys against a count person by person and the package of the British statistical office, noise of the
greatest entropy against SciPy."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from sqlanon.core.errors import SqlanonError
from sqlanon.perturb.masks import Key, hashing
from tests.budget import examples, some
from tests.oracles.cell_keys import Record, greatest_entropy, noisy

SECRET = "not a secret: 0123456789"


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


def load(con: duckdb.DuckDBPyConnection, rows: Sequence[Record]) -> None:
    con.execute(
        "create or replace table own as select unnest(?) as a, unnest(?) as b, unnest(?) as person, "
        "unnest(?)::bigint as key",
        [
            [row.values[0] for row in rows], [row.values[1] for row in rows], [row.person for row in rows],
            [row.key for row in rows],
        ],
    ).fetchall()  # fmt: skip


def load_noise(con: duckdb.DuckDBPyConnection, noise: dict[tuple[int, int], int]) -> None:
    rows = [(n, key, value) for (n, key), value in noise.items()]
    con.execute(
        "create or replace table noise as select unnest(?) as pcv, unnest(?) as ckey, unnest(?) as pvalue",
        [list(column) for column in zip(*rows, strict=True)],
    ).fetchall()


def counts(con: duckdb.DuckDBPyConnection, **more: Any) -> dict[Any, int]:
    made = sqlanon.cell_keys(con, "own", ["a", "b"], "noise", **{"record_key": "key", **more})
    return {row[:-1]: row[-1] for row in made.fetchall()}


@st.composite
def records(draw: st.DrawFn) -> list[Record]:
    """People with several rows each, in the same cell or in others."""
    answer = []
    for person in range(draw(st.integers(1, 9))):
        key = draw(st.integers(0, 63))
        cells = draw(
            st.lists(st.tuples(st.sampled_from("xyz"), st.sampled_from("pq")), min_size=1, max_size=4)
        )
        answer += [Record(cell, person, key) for cell in cells]
    return answer


@examples(60)
@given(rows=records(), repeating=st.integers(1, 3), seed=st.integers(0, 9))
def test_every_person_counts_once(
    con: duckdb.DuckDBPyConnection, rows: list[Record], repeating: int, seed: int
) -> None:
    """Cells and totals, with a perturbation table of three counts and others that repeat them."""
    drawn = random.Random(seed)
    noise = {(n, key): drawn.randint(-n, 3) for n in (1, 2, 3) for key in range(8)}
    load(con, rows)
    load_noise(con, noise)
    assert counts(con, unit="person", repeating=repeating) == noisy(rows, noise, repeating)
    # without a unit every row is a person
    apart = [row._replace(person=i) for i, row in enumerate(rows)]
    assert counts(con, repeating=repeating) == noisy(apart, noise, repeating)


NOISE = [(1, 0.5, 0), (2, 1.1, 1), (3, 2.9, 0), (5, 3.0, 2), (5, 1.5, 0), (8, 7.0, 3)]


@pytest.mark.slow("1 s a case", but=(0,))
@pytest.mark.parametrize(("largest", "variance", "blocked"), some(NOISE, 3))
def test_greatest_entropy(
    con: duckdb.DuckDBPyConnection, largest: int, variance: float, blocked: int
) -> None:
    keys = 1_000_000
    made = sqlanon.perturbation_table(con, largest, variance, blocked, keys)
    found: dict[int, dict[int, float]] = {}
    for n, value, share in made.aggregate("pcv, pvalue, count(*) / 1e6").fetchall():
        found.setdefault(n, {})[value] = share
    assert [*sorted(found)] == [*range(1, largest + blocked + 1 + (blocked > 0))]
    for n, shares in found.items():
        possible = [v for v in range(-largest, largest + 1) if n + v >= 0 and not 1 <= n + v <= blocked]
        assert set(shares) <= set(possible)
        assert sum(v * p for v, p in shares.items()) == pytest.approx(0, abs=2e-5 * largest)
        assert sum(v**2 * p for v, p in shares.items()) == pytest.approx(variance, abs=2e-4)
        expected = greatest_entropy(possible, variance)
        for v, p in zip(possible, expected, strict=True):
            assert shares.get(v, 0) == pytest.approx(p, abs=1e-4)
    keys_of_counts = made.aggregate("pcv, count(distinct ckey), min(ckey), max(ckey)").fetchall()
    assert {row[1:] for row in keys_of_counts} == {(keys, 0, keys - 1)}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((2, 2.5), "for a count of 1: the variance must be above 0 and below 2"),
        ((2, 1, 1), "for a count of 1: the variance must be above 1 and below 2"),
    ],
)
def test_noise_that_cannot_be(con: duckdb.DuckDBPyConnection, arguments: Any, told: str) -> None:
    with pytest.raises(SqlanonError, match=told):
        sqlanon.perturbation_table(con, *arguments)


class TestHashedKeys:
    """Record keys from a secret key: the same people have the same noise, whatever is asked and when."""

    @pytest.fixture(autouse=True)
    def secret(self, monkeypatch: pytest.MonkeyPatch, con: duckdb.DuckDBPyConnection) -> None:
        monkeypatch.setenv("SQLANON_KEY", SECRET)
        con.execute("create or replace table noise as from sqlanon.perturbation_table(5, 3)").fetchall()

    def months(self, con: duckdb.DuckDBPyConnection) -> None:
        """400 people; in May 100 others have come to z, and everybody's rows stand otherwise, some twice."""
        con.execute(
            """
            create or replace table april as
            select i as person, ['x', 'y', 'z'][i % 3 + 1] as a, ['p', 'q'][i % 2 + 1] as b
            from range(400) as row(i);
            create or replace table may as
            select person::varchar as person, a, b, 'new' as extra
            from (from april union all select 1000 + i, 'z', 'p' from range(100) as row(i)
                  union all from april where person % 5 = 0)
            order by hash(person)
            """
        ).fetchall()

    def test_the_same_people_have_the_same_noise(self, con: duckdb.DuckDBPyConnection) -> None:
        self.months(con)

        def told(name: str, dimensions: str | list[str]) -> dict[Any, int]:
            made = sqlanon.cell_keys(con, name, dimensions, "noise", unit="person")
            return {row[:-1]: row[-1] for row in made.fetchall()}

        april, may = told("april", ["a", "b"]), told("may", ["a", "b"])
        assert {cell for cell in april if april[cell] != may[cell]} <= {
            ("z", "p"), ("z", "total"), ("total", "p"), ("total", "total")
        }  # fmt: skip
        assert may["z", "total"] - april["z", "total"] > 50
        assert told("april", "a")["x",] == april["x", "total"]
        assert told("april", ["b", "a"])["q", "x"] == april["x", "q"]
        assert any(abs(noise) for noise in self.noise(con, april))

    def noise(self, con: duckdb.DuckDBPyConnection, shown: dict[Any, int]) -> list[int]:
        exact = {row[:2]: row[3] for row in sqlanon.table_cells(con, "april", ["a", "b"]).fetchall()}
        return [shown[cell] - n for cell, n in exact.items()]

    def test_another_secret_gives_other_noise(self, con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
        self.months(con)

        def told(**more: Any) -> list[Any]:
            made = sqlanon.cell_keys(con, "april", ["a", "b"], "noise", unit="person", **more)
            return sorted(made.fetchall())

        (tmp_path / "key").write_text(SECRET, "utf-8")
        assert told(key_file=tmp_path / "key") == told()
        (tmp_path / "key").write_text("another secret: 0123456789", "utf-8")
        assert told(key_file=tmp_path / "key") != told()

    def test_pseudonyms_do_not_tell_record_keys(self, con: duckdb.DuckDBPyConnection) -> None:
        """What a mask by the same secret shows is not what keys are made of."""
        con.execute("create or replace table own as select i as person, 'x' as a from range(200) as row(i)")
        masked = sqlanon.mask(con, "own", hash="person", keep="a")
        con.execute(
            "create or replace table hashed as select ('0x' || left(person, 6))::bigint as k from masked"
        )
        with hashing(con, Key.read(None)) as function:
            [(same,)] = con.execute(
                f"""select count(*) from sqlanon._with_record_keys('own', 'a', 'person', '{function}')
                where _sqlanon_record_key in (select k from hashed)"""
            ).fetchall()
        assert masked.columns == ["person", "a"]
        assert same == 0

    def test_noise_is_0_on_average(self, con: duckdb.DuckDBPyConnection) -> None:
        """2,000 cells of 7 people."""
        con.execute(
            "create or replace table own as select i as person, i % 2000 as a from range(14000) as row(i)"
        )
        made = sqlanon.cell_keys(con, "own", "a", "noise", unit="person").filter("a <> 'total'")
        [(mean, variance)] = made.aggregate("avg(value - 7), avg((value - 7) ** 2)").fetchall()
        assert abs(mean) < 5 * (3 / 2000) ** 0.5
        assert variance == pytest.approx(3, abs=0.7)

    def test_somebody_without_a_name(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create or replace table own as select null as person, 'x' as a")
        with pytest.raises(SqlanonError, match=r'column "person" \(unit\) is missing in some rows'):
            sqlanon.cell_keys(con, "own", "a", "noise", unit="person")

    def test_no_key(self, con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("SQLANON_KEY")
        with pytest.raises(SqlanonError, match="a hash needs a key"):
            sqlanon.cell_keys(con, "own", "a", "noise", unit="person")
        with pytest.raises(SqlanonError, match="give record_key, a column with record keys, or unit"):
            sqlanon.cell_keys(con, "own", "a", "noise")


# What create_perturbed_table of cell-key-perturbation 3.1.0 (threshold 0) counts in the 200 cells of
# the test below, 43 of them above 750, where its perturbation table repeats.
OF_THE_PACKAGE = """
3 4 10 33 64 122 217 342 514 730 1 331 726 196 742 377 100 913 837 863 0 266 652 171 829 621 575 680 948
387 0 788 772 941 309 881 658 650 870 320 6 924 94 510 185 122 340 824 589 650 0 654 610 882 464 373 617
191 113 377 0 987 327 51 146 629 495 766 430 506 5 916 249 22 223 879 975 529 557 38 3 444 370 788 705
128 62 507 475 972 1 576 692 356 587 374 736 678 196 305 4 300 204 723 867 626 19 48 710 35 2 629 928
903 541 877 898 612 34 163 0 566 850 863 628 123 381 382 150 688 0 95 964 643 104 381 452 358 75 622 0
227 288 208 981 628 137 522 790 946 0 949 814 579 268 875 419 891 309 685 0 278 530 753 945 129 301 463
628 812 6 215 453 719 29 377 776 230 748 338 4 744 567 485 506 625 862 206 668 274 0 869 885 58 386 873
539 372 392 605
"""


def test_the_package_of_the_ons(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        """
        create or replace table noise as
        select n as pcv, k as ckey, greatest(-n, (n * 7 + k * 13) % 11 - 5) as pvalue
        from range(1, 751) as counted(n), range(256) as of_cell(k);
        create or replace table own as
        select c as a, (c * 31 + j * j * 17) % 256 as key
        from range(200) as cell(c), range(1 + c * c * c % 1000) as row(j)
        """
    ).fetchall()
    made = sqlanon.cell_keys(con, "own", "a", "noise", "key", repeating=250).filter("a <> 'total'")
    assert [n for _, n in sorted((int(a), n) for a, n in made.fetchall())] == [
        int(text) for text in OF_THE_PACKAGE.split()
    ]


@pytest.mark.parametrize(
    ("rows", "noise", "told"),
    [
        ([], {}, "table own is empty"),
        ([None], {}, 'column "key" of table own has no record key in 1 rows'),
        ([-1], {}, "has no record key in 1 rows"),
        ([0.5], {}, "has no record key in 1 rows"),
        ([2**24], {}, "has no record key in 1 rows"),
        ([1], {(1, 0): -2}, "perturbation table noise makes a count negative"),
        ([1], {(3, 0): 0}, "perturbation table noise lacks pairs of pcv and ckey"),
        ([1], {(2, 5): 0}, "perturbation table noise lacks pairs"),
        ([1], {(1, 0): 0.5}, "perturbation table noise has values that are no whole numbers"),
        ([7] * 30, {}, r"has keys up to 7, table noise up to 31: record keys must be drawn from as many"),
    ],
)
def test_bad_input(con: duckdb.DuckDBPyConnection, rows: list[Any], noise: dict[Any, Any], told: str) -> None:
    entries = {(n, key): 0 for n in (1, 2) for key in range(32)} | noise
    con.execute(
        "create or replace table own as select 'x' as a, unnest(?::double[]) as key", [rows]
    ).fetchall()
    con.execute(
        "create or replace table noise as "
        "select unnest(?) as pcv, unnest(?) as ckey, unnest(?::double[]) as pvalue",
        [[n for n, _ in entries], [key for _, key in entries], [*entries.values()]],
    ).fetchall()
    if (2, 5) in noise:
        con.execute("delete from noise where pcv = 2 and ckey = 5").fetchall()
    with pytest.raises(SqlanonError, match=told):
        sqlanon.cell_keys(con, "own", "a", "noise", "key")


def test_a_person_with_two_keys(con: duckdb.DuckDBPyConnection) -> None:
    load(con, [Record(("x", "p"), 1, 5), Record(("y", "p"), 1, 6)])
    load_noise(con, {(1, key): 0 for key in range(8)})
    with pytest.raises(SqlanonError, match='column "key" of table own has several keys for 1 people'):
        counts(con, unit="person")
