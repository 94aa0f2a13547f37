"""Composed l-diversity: rows of several columns, and people who have several rows."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import duckdb
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import sqlanon
from sqlanon import InputError
from tests.budget import examples
from tests.oracles.composition import Unchanged, fewest_certain, rows_covering, values_left

MODEL = "composed l-diversity"
SENSITIVE, KEPT = ["disease", "job"], ["ward", "day"]


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


def make(con: duckdb.DuckDBPyConnection, name: str, columns: str, rows: Sequence[Sequence[Any]]) -> None:
    con.execute(f'create or replace table "{name}" ({columns})').fetchall()
    places = ", ".join("?" * len(rows[0]))
    con.executemany(f'insert into "{name}" values ({places})', rows)


def load(con: duckdb.DuckDBPyConnection, name: str, release: Unchanged) -> None:
    has = list(release[0][1])
    columns = ", ".join(["age varchar", *(f"{column} varchar" for column in has)])
    make(con, name, columns, [(*key, *(row[column] for column in has)) for key, row in release])


@pytest.mark.slow("1 s")
def test_one_row_is_left_though_each_column_has_two(con: duckdb.DuckDBPyConnection) -> None:
    for name, rows in (
        ("r1", [("flu", "a"), ("gout", "b")]),
        ("r2", [("flu", "a"), ("gout", "c"), ("angina", "b")]),
    ):
        make(con, name, "age varchar, disease varchar, job varchar", [("[1, 3]", *row) for row in rows])
    make(
        con, "o", "age integer, disease varchar, job varchar",
        [(1, "flu", "a"), (2, "gout", "b"), (3, "gout", "c"), (3, "angina", "b")],
    )  # fmt: skip
    asked = "qi := 'age', composed_l := 2, known := ['r1'], reference := 'o'"
    found = con.execute(
        f"select reached from sqlanon.violations('r2', sensitive := ['disease', 'job'], {asked})"
    )
    assert found.fetchall() == [(1,)]
    found = con.execute(
        f"select reached from sqlanon.violations('r2', sensitive := 'disease', unchanged := 'job', {asked})"
    )
    assert found.fetchall() == [(1,)]
    for column in ("disease", "job"):
        found = con.execute(f"from sqlanon.violations('r2', sensitive := '{column}', {asked})")
        assert found.fetchall() == []


few = st.sampled_from(["a", "b", "c", None])


@st.composite
def releases(draw: st.DrawFn, has: Sequence[str]) -> Unchanged:
    """Some classes, which may overlap; the first covers everybody."""
    keys = ["[0, 9]"]
    for _ in range(draw(st.integers(0, 3))):
        lo, hi = sorted((draw(st.integers(0, 9)), draw(st.integers(0, 9))))
        keys.append(f"[{lo}, {hi}]")
    row = st.fixed_dictionaries(dict.fromkeys(has, few))
    return [((key,), each) for key in keys for each in draw(st.lists(row, min_size=1, max_size=4))]


@st.composite
def tables(draw: st.DrawFn) -> list[tuple[int, dict[str, Any]]]:
    row = st.fixed_dictionaries(dict.fromkeys((*SENSITIVE, *KEPT), few))
    return draw(st.lists(st.tuples(st.integers(0, 9), row), min_size=2, max_size=8))


@st.composite
def known_ones(draw: st.DrawFn) -> list[Unchanged]:
    """Each has some of the kept columns."""
    return [
        draw(releases([*SENSITIVE, *(column for column in KEPT if draw(st.booleans()))]))
        for _ in range(draw(st.integers(1, 2)))
    ]


class TestRowsAgainstEveryRow:
    @pytest.mark.slow("2 s")
    @examples(40, quick=6)
    @given(
        table=tables(),
        known=known_ones(),
        release=releases([*SENSITIVE, *KEPT]),
        composed_l=st.integers(1, 3),
    )
    def test_violations(
        self,
        con: duckdb.DuckDBPyConnection,
        table: list[tuple[int, dict[str, Any]]],
        known: list[Unchanged],
        release: Unchanged,
        composed_l: int,
    ) -> None:
        load(con, "r", release)
        for i, each in enumerate(known):
            load(con, f"k{i}", each)
        columns = ", ".join(["age integer", *(f"{column} varchar" for column in (*SENSITIVE, *KEPT))])
        make(con, "o", columns, [(age, *(row[c] for c in (*SENSITIVE, *KEPT))) for age, row in table])
        own = [row for _, row in table]
        expected: dict[str, int] = {}
        for age, _ in table:
            lost = []
            for column in SENSITIVE:
                found = values_left(known, [release], (age,), own, SENSITIVE, KEPT, column)
                lost += [len(after) for before, after in found if len(after) < len(before)]
            if lost and min(lost) < composed_l:
                for (label,), row in release:
                    if rows_covering([((label,), row)], (age,)):
                        expected[label] = min(expected.get(label, min(lost)), *lost)
        names = [f"k{i}" for i in range(len(known))]
        told = con.execute(
            f"""select class.age, reached from sqlanon.violations(
                'r', qi := 'age', sensitive := {SENSITIVE}, unchanged := {KEPT}, composed_l := {composed_l},
                known := {names}, reference := 'o')"""
        ).fetchall()
        assert dict(told) == expected

    @pytest.mark.slow("3 s")
    @examples(20, quick=4)
    @given(table=tables(), known=known_ones(), composed_l=st.integers(2, 3))
    def test_mondrian(
        self,
        con: duckdb.DuckDBPyConnection,
        table: list[tuple[int, dict[str, Any]]],
        known: list[Unchanged],
        composed_l: int,
    ) -> None:
        for i, each in enumerate(known):
            load(con, f"k{i}", each)
        columns = ", ".join(["age integer", *(f"{column} varchar" for column in (*SENSITIVE, *KEPT))])
        make(con, "o", columns, [(age, *(row[c] for c in (*SENSITIVE, *KEPT))) for age, row in table])
        release = sqlanon.mondrian(
            con, "o", qi="age", sensitive=SENSITIVE, keep=KEPT, k=1, composed_l=composed_l,
            known=[f"k{i}" for i in range(len(known))], into="made", replace=True,
        )  # fmt: skip
        assert release.reached[MODEL] >= composed_l
        found = con.execute("select * from made").fetchall()
        made = [((age,), dict(zip((*SENSITIVE, *KEPT), row, strict=True))) for age, *row in found]
        own, exposed = [row for _, row in table], 0
        for age, _ in table:
            sizes = []
            for column in SENSITIVE:
                for before, after in values_left(known, [made], (age,), own, SENSITIVE, KEPT, column):
                    assert len(after) >= min(composed_l, len(before))
                    sizes.append(len(before))
            exposed += 0 < min(size for size in [*sizes, 9] if size) < composed_l
        assert release.details["exposed_rows"] == exposed


@pytest.mark.slow("2 s")
def test_a_kept_column_that_the_known_release_has(con: duckdb.DuckDBPyConnection) -> None:
    """Whoever knows the ward of the earlier release finds one value in a class of two; so it is not cut."""
    con.execute(
        """create or replace table o as
            select i as age, ['x', 'y'][1 + i % 2] as ward, ['flu', 'gout'][1 + i // 2 % 2] as disease,
                   i as id
            from range(8) as t(i)"""
    )
    con.execute("create or replace table n as select '[0, 7]' as age, disease, ward from o")
    for keep, classes in (("id", 4), ("ward", 2), ("['ward', 'id']", 2)):
        asked = f"sensitive := 'disease', keep := {keep if keep[0] == '[' else repr(keep)}"
        made = con.execute(
            f"""select count(distinct age)
                from sqlanon.mondrian('o', qi := 'age', {asked}, k := 1, composed_l := 2, known := ['n'])"""
        )
        assert made.fetchall() == [(classes if keep != "id" else made_without(con),)]


def made_without(con: duckdb.DuckDBPyConnection) -> int:
    [(classes,)] = con.execute(
        """select count(distinct age) from sqlanon.mondrian(
            'o', qi := 'age', sensitive := 'disease', k := 1, composed_l := 2, known := ['n'])"""
    ).fetchall()
    return int(classes)


# The class of a known release leaves the patient 0 a or b in a row, and in the whole table a is there once.
FEW = [(2, "b", 2), (0, "c", 0), (0, "b", 2), (3, "a", 0)]


@st.composite
def patients(draw: st.DrawFn) -> list[tuple[int, str, int]]:
    """Age, disease, and whose row it is: somebody has several."""
    row = st.tuples(st.integers(0, 3), st.sampled_from("abc"), st.integers(0, 3))
    return draw(st.lists(row, min_size=3, max_size=8))


@pytest.mark.slow("1 s a case")
@pytest.mark.parametrize("method", [sqlanon.optimal, sqlanon.k_similar])
def test_a_kept_column_is_refused_by_methods_that_do_not_look_at_it(
    con: duckdb.DuckDBPyConnection, method: Any
) -> None:
    """Rows would be joined by it, and the release would be said to leave two values."""
    con.execute("create or replace table o as select 20 + i % 7 as age, i % 3 as disease, i % 5 as ssn "
                "from range(40) as r(i)")  # fmt: skip
    con.execute("create or replace table n as select '[20, 26]' as age, disease, ssn from o")
    con.execute("create or replace table h as select distinct 'age' as attribute, age::varchar as value, "
                "level, if(level = 0, age::varchar, '*') as label from o, range(2) as r(level)")  # fmt: skip
    asked: dict[str, Any] = {
        "qi": "age", "sensitive": "disease", "hierarchies": "h", "k": 2, "composed_l": 2
    }  # fmt: skip
    with pytest.raises(InputError, match="column ssn is kept, and known releases have it, too"):
        method(con, "o", keep="ssn", known=["n"], **asked)
    assert method(con, "o", known=["n"], **asked).reached[MODEL] >= 2


class TestSeveralRowsOfAPerson:
    def values(self, table: Sequence[tuple[int, str, int]]) -> list[str]:
        return [disease for _, disease, _ in table]

    def rows_of(self, table: Sequence[tuple[int, str, int]]) -> list[list[int]]:
        rows = defaultdict(list)
        for i, (_, _, who) in enumerate(table):
            rows[who].append(i)
        return list(rows.values())

    def load(self, con: duckdb.DuckDBPyConnection, table: Sequence[tuple[int, str, int]]) -> None:
        make(con, "o", "age integer, disease varchar, who integer", table)

    @pytest.mark.slow("3 s")
    @examples(60, quick=8)
    @given(table=patients(), composed_l=st.integers(1, 3), cut=st.integers(0, 2))
    def test_in_one_release_alone_it_is_exact(
        self,
        con: duckdb.DuckDBPyConnection,
        table: list[tuple[int, str, int]],
        composed_l: int,
        cut: int,
    ) -> None:
        """The known release has all rows nine times in one class: it closes nothing."""
        self.load(con, table)
        con.execute("create or replace table n as select '[0, 3]' as age, disease from o, range(9)")
        con.execute(
            f"create or replace table r as select if(age <= {cut}, '[0, {cut}]', '[{cut + 1}, 3]') as age, "
            "disease, who from o"
        )
        values = self.values(table)
        halves = [int(age > cut) for age, _, _ in table]
        expected: dict[int, int] = {}
        for rows in self.rows_of(table):
            whole = fewest_certain([[0] * len(table)], values, rows)
            for half in {halves[row] for row in rows}:
                here = fewest_certain([halves], values, [row for row in rows if halves[row] == half])
                if here < min(whole, composed_l):
                    expected[half] = min(expected.get(half, here), here)
        found = con.execute(
            f"""select class.age, reached from sqlanon.violations(
                'r', qi := 'age', sensitive := 'disease', composed_l := {composed_l}, known := ['n'],
                reference := 'o', unit := 'who')"""
        ).fetchall()
        labels = (f"[0, {cut}]", f"[{cut + 1}, 3]")
        assert dict(found) == {labels[half]: reached for half, reached in expected.items()}

    @pytest.mark.slow("7 s")
    @examples(60, quick=8)
    @given(table=patients(), composed_l=st.integers(2, 3), cut=st.integers(0, 2))
    @example(table=FEW, composed_l=2, cut=0)
    def test_mondrian_makes_nothing_certain(
        self,
        con: duckdb.DuckDBPyConnection,
        table: list[tuple[int, str, int]],
        composed_l: int,
        cut: int,
    ) -> None:
        """Of no set of fewer values is it certain that somebody has one, but for what was certain before. For
        whom the whole table as one class keeps too few by the rule is told (exposed_rows)."""
        self.load(con, table)
        con.execute(
            f"create or replace table n as select if(age <= {cut}, '[0, {cut}]', '[{cut + 1}, 3]') as age, "
            "disease from o"
        )
        release = sqlanon.mondrian(
            con, "o", qi="age", sensitive="disease", k=1, composed_l=composed_l, known=["n"], unit="who",
            into="made", replace=True,
        )  # fmt: skip
        assert release.reached[MODEL] >= composed_l
        values, known = self.values(table), [int(age > cut) for age, _, _ in table]
        labels = [row[0] for row in con.execute("select distinct age from made order by age").fetchall()]

        def label_of(age: int) -> int:
            [found] = [i for i, label in enumerate(labels) if rows_covering([((label,), {})], (age,))]
            return found

        made = [label_of(age) for age, _, _ in table]
        whole, exposed = [0] * len(table), 0
        for rows in self.rows_of(table):
            before = min(
                fewest_certain([whole], values, rows),
                *(len({values[i] for i, half in enumerate(known) if half == known[row]}) for row in rows),
            )
            with_known = fewest_certain([known, whole], values, rows)
            after = fewest_certain([known, made], values, rows)
            exposed += len(rows) * (after < min(composed_l, before, with_known))
        assert (exposed > 0) <= (release.details["exposed_rows"] > 0)

    def test_who_is_asked_for_less_than_is_left_is_told(self, con: duckdb.DuckDBPyConnection) -> None:
        """By the rule even the whole table as one class leaves them too few, so less is asked of theirs."""
        self.load(con, FEW)
        con.execute("create or replace table n as select if(age = 0, '0', '[1, 3]') as age, disease from o")
        asked: dict[str, Any] = {"qi": "age", "sensitive": "disease", "k": 1, "composed_l": 2, "known": ["n"]}
        release = sqlanon.mondrian(con, "o", **asked, unit="who")
        assert release.details["exposed_rows"] == 4
        assert sqlanon.mondrian(con, "o", **asked).details["exposed_rows"] == 0

    @pytest.mark.slow("1 s")
    def test_more_than_n_less_r_rows_have_it(self, con: duckdb.DuckDBPyConnection) -> None:
        """Three of five rows are one patient's, and three have flu: one of the patient's does."""
        rows = [(1, "flu", 1), (1, "flu", 1), (1, "gout", 1), (2, "flu", 2), (2, "angina", 3)]
        self.load(con, [*rows, *((9, disease, 4 + i) for i, disease in enumerate("abcdefgh"))])
        con.execute("create or replace table n as select '[1, 9]' as age, disease from o")
        con.execute(
            "create or replace table r as select if(age < 9, '[1, 2]', '9') as age, disease, who from o"
        )
        asked = "qi := 'age', sensitive := 'disease', composed_l := 2, known := ['n'], reference := 'o'"
        assert con.execute(f"from sqlanon.violations('r', {asked})").fetchall() == []
        found = con.execute(
            f"select class.age, reached, people from sqlanon.violations('r', {asked}, unit := 'who')"
        )
        assert found.fetchall() == [("[1, 2]", 1, 3)]
        made = con.execute(
            """select count(*) from sqlanon.mondrian(
                'o', qi := 'age', sensitive := 'disease', k := 1, composed_l := 2, known := ['n'],
                unit := 'who')
               where age = '[1, 2]'"""
        )
        assert made.fetchall() == [(0,)]

    def test_presence(self, con: duckdb.DuckDBPyConnection) -> None:
        """Nothing is asked for who is not in the known release; their rows are rivals all the same."""
        con.execute(
            """create or replace table o as
                select i // 4 as age, ['flu', 'gout'][1 + i % 2] as disease, i // 2 as who, i < 4 as was_there
                from range(8) as t(i)"""
        )
        con.execute("create or replace table n as select '[0, 1]' as age, disease from o where was_there")
        release = sqlanon.mondrian(
            con, "o", qi="age", sensitive="disease", k=1, composed_l=2, known=["n"], presence="was_there",
            unit="who",
        )  # fmt: skip
        assert (release.classes, release.details["unbound_rows"]) == (2, 4)

    @pytest.mark.parametrize(
        ("more", "message"),
        [
            ({"suppression_limit": 0.1}, "unit does not go with suppression_limit"),
            ({"target": "disease"}, "unit with known releases does not go with target"),
            ({"known": None, "composed_l": None, "based_on": "n"}, "unit does not go with based_on"),
        ],
    )
    def test_refused(self, con: duckdb.DuckDBPyConnection, more: dict[str, Any], message: str) -> None:
        self.load(con, [(1, "flu", 1), (2, "gout", 2)])
        con.execute("create or replace table n as select '[1, 2]' as age, disease from o")
        asked = {"qi": "age", "sensitive": "disease", "composed_l": 2, "known": ["n"], "unit": "who", **more}
        with pytest.raises(InputError, match=message):
            sqlanon.mondrian(con, "o", **asked)

    def test_counter(self) -> None:
        """The oracle: rows without the most frequent value are fewer than the person's."""
        values = [*"aaabc"]
        assert Counter(values)["a"] > len(values) - 3
        assert fewest_certain([[0] * 5], values, [0, 1, 3]) == 1
        assert fewest_certain([[0] * 5], values, [0, 1]) == 2
