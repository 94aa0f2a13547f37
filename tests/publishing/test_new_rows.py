"""A table to which rows are only added, several of a person: each night's new rows leave, and all that is out
holds together."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlanon
from sqlanon.core.errors import InputError, RefusedError, UseError
from sqlanon.core.tables import WorkTables
from sqlanon.judge.evidence import Released, Subjects
from sqlanon.judge.verdicts import Judge
from sqlanon.policies.policy import load
from sqlanon.publishing.gate import Publication, publish

POLICY = """
[roles]
qi = ["age", "zip"]
sensitive = ["product"]
unit = "customer"
[requirements]
k = 5
l = 3
alpha = 0.5
[judge]
new_rows = "is_new"
values_may_change = ["product"]
[tolerated]
level = "public"
"""
PRODUCTS = ["books", "shoes", "wine", "toys", "tools", "music", "tea", "bags"]

FEW = "correspondence.certain = 1\ninsert_only.certain = 1\nintersection_attack.sure_90 = 1"

Order = tuple[str, int, int, str]


class Orders:
    """Orders that grow, and the register of the releases."""

    def __init__(self, con: duckdb.DuckDBPyConnection, folder: Path, policy: str = POLICY) -> None:
        self.con, self.folder, self.draw = con, folder, random.Random(5)
        self.policy = folder / "policy.toml"
        self.policy.write_text(policy, "utf-8")
        self.rows: list[Order] = []
        self.out = 0  # so many of them
        self.customers = [self.customer(i) for i in range(40)]

    def customer(self, i: int) -> tuple[str, int, int]:
        return f"C{i}", self.draw.randrange(20, 80), self.draw.randrange(10, 15)

    def grow(self, orders: int) -> None:
        """Four of ten orders are of people who are new."""
        for _ in range(orders):
            if self.rows and self.draw.random() < 0.4:
                self.customers.append(self.customer(len(self.customers)))
            who = self.draw.choice(self.customers[-30:] if self.rows else self.customers)
            self.rows.append((*who, self.draw.choice(PRODUCTS)))

    def table(self, out: int | None = None) -> None:
        """The table orders, in any order. out: so many rows are said not to be new."""
        out = self.out if out is None else out
        marked: list[tuple[Any, ...]] = [(*row, i >= out) for i, row in enumerate(self.rows)]
        self.draw.shuffle(marked)
        columns = "customer text, age integer, zip integer, product text, is_new boolean"
        self.con.execute(f"create or replace table orders ({columns})").fetchall()
        self.con.executemany("insert into orders values (?, ?, ?, ?, ?)", marked)

    def publish(self, name: str, **more: Any) -> Publication:
        made = publish(
            self.con, "orders", self.policy, register=self.folder / "r.duckdb",
            output=self.folder / f"{name}.parquet", name=name, **more,
        )  # fmt: skip
        self.out = len(self.rows)
        return made

    def released(self, name: str) -> Sequence[tuple[Any, ...]]:
        return self.con.execute("from read_parquet($1)", [str(self.folder / f"{name}.parquet")]).fetchall()


@pytest.fixture
def orders(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> Orders:
    sqlanon.register(con)
    made = Orders(con, tmp_path, POLICY.replace('level = "public"', FEW))
    made.grow(80)
    made.table()
    made.publish("n1")
    return made


@pytest.mark.slow("9 s")
def test_the_second_and_the_third_night_go_out(orders: Orders) -> None:
    """Their rows are the new ones; that nobody has left is seen by digests, back to the first night."""
    for name, rows in (("n2", 24), ("n3", 26)):
        before = len(orders.rows)
        orders.grow(rows)
        orders.table()
        made = orders.publish(name)
        assert made.verdict == "holds"
        assert f"{rows} rows are new; {before} others are out, as they were released" in made.remarks
        assert (made.release.rows, made.release.suppressed_rows) == (rows, 0)
        released = orders.released(name)
        assert Counter(row[2] for row in released) == Counter(row[3] for row in orders.rows[before:])
        assert made.release.reached["k-anonymity"] >= 5


@pytest.mark.parametrize(("are_new", "verdict"), [(False, "fails"), (True, None)])
def test_rows_of_two_nights_are_not_matched_by_their_place(
    con: duckdb.DuckDBPyConnection, are_new: bool, verdict: str | None
) -> None:
    """Though they are as many, and labels of one night are finer: no row is in both."""
    sqlanon.register(con)
    con.execute("create table people as from (values (21), (22), (23), (24)) as one(age)").fetchall()
    con.execute("create table n1 as select '[21, 24]' as age from people").fetchall()
    con.execute("create table n2 as select '[21, 22]' as age from people").fetchall()
    asked = Subjects("people", ["age"], are_rows_new=are_new)
    nights = [Released(name, name, ["age"]) for name in ("n1", "n2")]
    with WorkTables(con) as work:
        made = Judge(
            con, work, asked, nights, {"unsorted_matching.certain": 0.0}, newest="n2",
            attacks=["unsorted_matching"],
        ).judgement(lambda *_: None)  # fmt: skip
        said = f"select max(verdict) from {made.said} where attack = 'unsorted_matching'"
        [(found,)] = con.execute(said).fetchall()
    assert found == verdict


@pytest.mark.slow("4 s")
def test_somebody_who_left_is_not_overlooked(orders: Orders) -> None:
    """Rows of the same number, one of which has become somebody else's."""
    orders.rows[0] = ("C999", *orders.rows[0][1:])
    while any(row[0] == "C0" for row in orders.rows):  # of whom none is left
        i = next(i for i, row in enumerate(orders.rows) if row[0] == "C0")
        orders.rows[i] = ("C999", *orders.rows[i][1:])
    orders.grow(24)
    orders.table()
    with pytest.raises(RefusedError, match="1 people have left since n1 went out: they are not seen") as no:
        orders.publish("n2")
    assert no.value.verdict == "not known"


@pytest.mark.slow("4 s")
def test_a_dry_run_is_judged_alike(orders: Orders) -> None:
    orders.grow(24)
    orders.table()
    made = orders.publish("n2", dry_run=True)
    assert (made.is_out, made.verdict, made.release.rows) == (False, "holds", 24)


@pytest.mark.slow("4 s")
def test_too_few_people_wait(orders: Orders) -> None:
    """What cannot be released is new the next night, too."""
    orders.grow(2)
    orders.table()
    with pytest.raises(InputError, match="no release can meet the requirements"):
        orders.publish("n2")
    orders.grow(22)
    orders.table()
    made = orders.publish("n2")
    assert made.release.suppressed_rows == 0
    assert "24 rows are new; 80 others are out, as they were released" in made.remarks


@pytest.mark.both_lines
def test_what_is_not_new_must_be_out(orders: Orders) -> None:
    orders.grow(24)
    for out, message in (
        (79, "is false in 79 rows, and 80 rows are out: a row that is out is not new"),
        (104, "is false in 104 rows, and 80 rows are out"),
    ):
        orders.table(out)
        with pytest.raises(InputError, match=message):
            orders.publish("n2")
    orders.table()
    orders.con.execute("update orders set is_new = null where product = 'wine'").fetchall()
    with pytest.raises(InputError, match=r"is_new \(judge.new_rows\) is neither true nor false in \d+ rows"):
        orders.publish("n2")
    orders.rows = orders.rows[:80]
    orders.table()
    with pytest.raises(InputError, match="is true in no row: there is nothing to release"):
        orders.publish("n2")


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('new_rows = "is_new"', 'new_rows = "age"', "judge.new_rows: age has a role, or a mask"),
        ("[judge]", '[method]\nbased_on = "register"\n[judge]', "rows that are new are in no class of"),
    ],
)
def test_what_does_not_go_with_it(tmp_path: Path, before: str, after: str, message: str) -> None:
    (tmp_path / "policy.toml").write_text(POLICY.replace(before, after), "utf-8")
    with pytest.raises(UseError, match=message):
        load(tmp_path / "policy.toml")


@pytest.mark.slow("6 min")
def test_ten_nights(orders: Orders) -> None:
    """Some more rows each night, of people who are new and of others."""
    orders.policy.write_text(POLICY, "utf-8")
    for night in range(2, 11):
        before = orders.out
        orders.grow(22 + night)
        orders.table()
        orders.publish(f"n{night}")
        assert len(orders.released(f"n{night}")) == len(orders.rows) - before


@pytest.mark.slow("3 s")
def test_a_value_that_is_the_same_in_all_rows_of_a_person_joins_nights(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    """Though it is said to change: what is found if it stays is not known."""
    sqlanon.register(con)
    orders = Orders(con, tmp_path)
    orders.draw = random.Random(3)
    for _ in range(2):
        orders.grow(100)
        first = {who: product for who, _, _, product in reversed(orders.rows)}
        orders.rows = [(who, age, town, first[who]) for who, age, town, _ in orders.rows]
    orders.out = 0
    orders.rows, late = orders.rows[:100], orders.rows[100:]
    orders.table()
    assert orders.publish("n1").verdict == "holds"
    orders.rows += late
    orders.table()
    with pytest.raises(RefusedError, match="people with several rows have one value in all of them: if it"):
        orders.publish("n2")


@pytest.mark.slow("4 s")
@pytest.mark.parametrize("may_change", [False, True])
def test_a_kept_column_joins_the_rows_of_a_person(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, may_change: bool
) -> None:
    """Cards that two customers share: their rows are looked for in the releases of all nights."""
    sqlanon.register(con)
    policy = POLICY.replace('unit = "customer"', 'unit = "customer"\nkeep = ["card"]')
    if may_change:
        policy = policy.replace('["product"]\n[tol', '["product", "card"]\n[tol')
    orders = Orders(con, tmp_path, policy)
    orders.draw = random.Random(3)

    def publish_with_cards(name: str) -> Publication:
        orders.grow(150)
        orders.table()
        con.execute("create or replace table orders as select *, customer[2:]::int // 2 as card from orders")
        return orders.publish(name)

    publish_with_cards("n1")
    if may_change:
        assert publish_with_cards("n2").verdict == "holds"
    else:
        with pytest.raises(RefusedError, match="fails: intersection_attack"):
            publish_with_cards("n2")


def test_a_row_that_is_out_does_not_leave_again_in_place_of_another(orders: Orders) -> None:
    """As many rows are new, and others."""
    orders.grow(24)
    orders.rows = [*orders.rows[1:81], orders.rows[0], *orders.rows[81:]]
    orders.table()
    with pytest.raises(InputError, match="is false in 1 rows that the table did not have when n1 went out"):
        orders.publish("n2")


def test_the_night_of_a_row(con: duckdb.DuckDBPyConnection) -> None:
    """Each is of the first night in which its person had so many that are alike."""
    sqlanon.register(con)
    con.execute(
        """create table before as from (values (1, 'a', 'x'), (2, 'a', 'x'), (2, 'a', 'x'), (2, 'b', 'x'))
            as t(night, who, mark);
        create table today as from (values (1, 'a', 'x'), (2, 'a', 'x'), (3, 'a', 'x'), (4, 'b', 'x'),
            (5, 'b', 'y'), (6, 'c', 'x')) as t(id, who, mark)"""
    ).fetchall()
    found = con.execute("from sqlanon._nights_of_rows('before', 'today') order by id").fetchall()
    assert found == [(1, 1), (2, 2), (3, None), (4, 2), (5, None), (6, None)]
    assert con.execute("from sqlanon._people_who_stay('today')").fetchall() == [(2, 1)]
