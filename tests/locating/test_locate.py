"""Locating targets in a release: the same as asking `covers` of every pair, only faster."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from sqlanon.core import library
from tests.budget import examples
from tests.oracles import Hierarchy, as_text
from tests.tables import DOMAINS, call, columns, identifier, literal, load, load_hierarchies

few = examples(12)
Found = list[tuple[Any, ...]]


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


def fetch(con: duckdb.DuckDBPyConnection, sql: str) -> Found:
    return con.execute(sql).fetchall()


def located(
    con: duckdb.DuckDBPyConnection, qi: Sequence[str], hierarchies: str | None = None, id: str = "id"
) -> Found:
    """id, class_id, size of the targets `t` in the release `r`."""
    arguments = {"targets": "t", "id": id, "qi": list(qi), "hierarchies": hierarchies}
    return fetch(con, f"from {call('locate', 'r', **arguments)} order by all")


def pairwise(con: duckdb.DuckDBPyConnection, qi: Sequence[str], hierarchies: str | None = None) -> Found:
    """The same, from `covers` of every class and target."""
    fetch(
        con,
        "create or replace table labelled as select *"
        + "".join(
            f""", (select coalesce(list(label), []) from {hierarchies} as h
                   where attribute = {literal(name)} and (
                       h.value is not distinct from {identifier(name)}::varchar
                       or typeof({identifier(name)}) in ('INTEGER', 'DOUBLE')
                          and try_cast(h.value as double) = try_cast({identifier(name)}::varchar as double))
                  ) as labels_{i}"""
            if hierarchies
            else f", []::varchar[] as labels_{i}"
            for i, name in enumerate(qi)
        )
        + " from t",
    )
    columns = [identifier(name) for name in qi]
    matches = [f"sqlanon.covers(c.{name}, x.{name}, labels_{i})" for i, name in enumerate(columns)]
    return fetch(
        con,
        f"""select id, class_id, size from sqlanon.classes('r', {literal(list(qi))}) as c, labelled as x
        where {" and ".join(matches)} order by all""",
    )


# Several spellings in one column, and raw values near their bounds. Labels of the hierarchy are among the
# spellings.
LABELS = [
    "130**", "1**12", "3*", "<30", "<= 30", ">=28", "20-29", "[20, 30[", "]20, 30]", "(20, 30]", "[20, 20]",
    "[30, 20]", "[-inf, 3]", "[1, nan]", "[NULL, 29]", "[NULL, b]", "[NULL, 2020-01-01]", "[1, b]", "[a, b]",
    "]a, b]", "[2020-01-01, 2020-02-01]", "<2020-01-01", "{a, b}", '{"a, b", c}', "{NULL, a}", '{"NULL", ""}',
    "{28, 29.0}", "*", "", "NULL", "a", "28", "28.0", "2020-01-01", "2020-01-01 00:00:00", "low", "high",
    None,
]  # fmt: skip
VALUES: dict[str, list[Any]] = {
    "VARCHAR": [
        "13012", "29", "30", "20", "25.5", "3", "39", "a", "b", "ab", "a, b", "NULL", "", "2020-01-15",
        "2020-01-01", "inf", "nan", "28", "28.0", "low", None,
    ],
    "INTEGER": [None, -5, 1, 3, 20, 28, 29, 30, 39, 13012],
    "DOUBLE": [None, -5.5, 1.0, 20.0, 28.0, 29.5, 30.0],
    "DATE": [None, "2019-12-31", "2020-01-01", "2020-01-15", "2020-02-02"],
}  # fmt: skip
TREE: Hierarchy = {
    "28": ["28", "low", "*"], "29": ["29", "low", "*"], "30": ["30", "high", "*"],
    "20": ["20", "[20, 20]", "*"],
    "a": ["a", "high", "*"], "2020-01-15": ["2020-01-15", "low", "*"],
}  # fmt: skip


@st.composite
def releases_and_targets(draw: st.DrawFn) -> tuple[list[str], list[list[Any]], list[list[Any]]]:
    """Per quasi-identifier its type, released values and raw values."""
    types = draw(st.lists(st.sampled_from(sorted(VALUES)), min_size=1, max_size=3))
    rows, people = draw(st.integers(1, 20)), draw(st.integers(1, 12))
    released = [
        draw(st.lists(st.sampled_from(draw(st.permutations(LABELS))[:8]), min_size=rows, max_size=rows))
        for _ in types
    ]
    raw = [
        draw(st.lists(st.sampled_from(VALUES[type_]), min_size=people, max_size=people)) for type_ in types
    ]
    return types, released, raw


def load_both(
    con: duckdb.DuckDBPyConnection, types: Sequence[str], released: list[list[Any]], raw: list[list[Any]]
) -> list[str]:
    """Tables r, t and h (a tree for the first attribute); the quasi-identifiers."""
    qi = [f"q {i}" for i in range(len(types))]
    texts = ", ".join(f"unnest(?::varchar[]) as {identifier(name)}" for name in qi)
    typed = ", ".join(
        f"unnest(?::varchar[])::{t} as {identifier(name)}" for name, t in zip(qi, types, strict=True)
    )
    con.execute(f"create or replace table r as select {texts}", released).fetchall()
    values = [[as_text(value) for value in column] for column in raw]
    con.execute(
        f"create or replace table t as select unnest(range(?)) as id, {typed}", [len(raw[0]), *values]
    ).fetchall()
    levels = [(value, level, label) for value, path in TREE.items() for level, label in enumerate(path)]
    con.execute(
        """create or replace table h as select 'q 0' as attribute, unnest(?::varchar[]) as value,
        unnest(?::integer[]) as level, unnest(?::varchar[]) as label""",
        [list(field) for field in zip(*levels, strict=True)],
    ).fetchall()
    return qi


class TestAgainstCovers:
    @few
    @given(releases_and_targets())
    def test_random_releases(
        self, con: duckdb.DuckDBPyConnection, case: tuple[list[str], list[list[Any]], list[list[Any]]]
    ) -> None:
        qi = load_both(con, *case)
        assert located(con, qi, "h") == pairwise(con, qi, "h")

    @pytest.mark.slow("3.6 s")
    @pytest.mark.parametrize("steps", [[2147483647] * 3, [1] * 3, [1, 2147483647, 3], [2, 1, 2147483647]])
    def test_whichever_attributes_are_written_out(self, steps: list[int]) -> None:
        """Attributes that are too wide to be written out code by code are in steps, or filtered."""
        with duckdb.connect() as con:
            library.keep_in_memory(con)
            fetch(
                con,
                f"""create or replace macro sqlanon._keys(boxes, target_codes, qi) as table
                select 1 as release, {literal(steps)} as steps""",
            )
            types = ["VARCHAR", "INTEGER", "DOUBLE"]
            everything = [
                [(i * step + i // len(LABELS)) % len(LABELS) for i in range(150)] for step in (1, 5, 11)
            ]
            released = [[LABELS[i] for i in column] for column in everything]
            raw = [[values[i % len(values)] for i in range(80)] for values in (VALUES[t] for t in types)]
            qi = load_both(con, types, released, raw)
            result = located(con, qi, "h")
            assert result == pairwise(con, qi, "h")
            assert len(result) > 50

    @pytest.mark.slow("wide attributes")
    def test_wide_attributes(self, con: duckdb.DuckDBPyConnection) -> None:
        """Many boxes, wide in every attribute, so that none can be written out."""
        fetch(
            con,
            """create or replace table r as
            select '[' || a || ', ' || a + 400 || ']' as q0, '{' || b || ', ' || b + 3 || '}' as q1
            from (select range * 37 % 900 as a, range * 11 % 500 as b from range(200))""",
        )
        fetch(
            con,
            """create or replace table t as
            select range as id, range * 13 % 1300 as q0, (range * 7 % 500)::varchar as q1 from range(400)""",
        )
        result = located(con, ["q0", "q1"])
        assert result == pairwise(con, ["q0", "q1"])
        assert len(result) > 50

    def test_masks(self, con: duckdb.DuckDBPyConnection) -> None:
        fetch(
            con,
            """create or replace table r as select unnest(['130**', '1301*', '13012', '*3012', '**0**', '***',
            '1_0**', '*****']) as zip""",
        )
        fetch(
            con,
            """create or replace table t as
            select unnest(['13012', '13019', '93012', '130', '1_0%%', null]) as zip, zip as id""",
        )
        assert located(con, ["zip"]) == pairwise(con, ["zip"])
        assert [n for *_, n in located(con, ["zip"])] == [1] * len(located(con, ["zip"]))

    def test_a_null_alone(self, con: duckdb.DuckDBPyConnection) -> None:
        """NULL lies in [NULL, 29] also where no target has a number."""
        fetch(con, "create or replace table r as select unnest(['[NULL, 29]', '[30, 40]']) as age")
        fetch(con, "create or replace table t as select 'x' as id, null::integer as age")
        assert located(con, ["age"]) == [("x", 2, 1)]

    @pytest.mark.parametrize("type_name", ["integer", "double"])
    def test_the_hierarchy_says_what_its_labels_mean(
        self, con: duckdb.DuckDBPyConnection, type_name: str
    ) -> None:
        """A label that looks like an interval stands for other numbers;
        what the hierarchy lacks is read as ever.
        """
        labels = {60: "55-59", 61: "60-64", 65: "60-64"}
        rows = [
            ("age", str(v), i, text)
            for v, label in labels.items()
            for i, text in enumerate((str(v), label, "*"))
        ]
        con.execute(
            "create or replace table h (attribute varchar, value varchar, level integer, label varchar)"
        )
        con.executemany("insert into h values (?, ?, ?, ?)", rows)
        con.execute("create or replace table r as select unnest(['60-64', '55-59']) as age")
        con.execute(
            f"create or replace table p as select unnest([60, 61, 62, 65])::{type_name} as age, "
            "unnest(range(4)) as i"
        )
        result = con.sql(
            "select p.age::integer, c.age from sqlanon.locate('r', 'p', id := 'i', qi := 'age', "
            "hierarchies := 'h')"
            " join sqlanon.classes('r', 'age') as c using (class_id) join p using (i) order by all"
        )
        assert result.fetchall() == [(60, "55-59"), (61, "60-64"), (62, "60-64"), (65, "60-64")]

    def test_hierarchy_of_another_case(self, con: duckdb.DuckDBPyConnection) -> None:
        fetch(con, "create or replace table r as select unnest(['eu', 'am']) as land")
        fetch(con, "create or replace table t as select 1 as id, 'de' as land")
        fetch(
            con,
            """create or replace table h as select 'LAND' as attribute, 'de' as value,
                unnest([0, 1, 2]) as level,
            unnest(['de', 'eu', '*']) as label""",
        )
        assert located(con, ["Land"], "h") == [(1, 2, 1)]
        assert located(con, ["land"]) == []

    def test_none_are_as_hierarchies_without_rows(self, con: duckdb.DuckDBPyConnection) -> None:
        """What labels cover, and why they are not understood, is the same; only less is planned."""
        con.execute("create or replace table h (attribute varchar, value varchar, label varchar)")
        con.execute(
            "create or replace table name as select d, ['age', 'size'][d] as name from range(1, 3) t(d)"
        )
        con.execute(
            "create or replace table label as select d, unnest($labels::varchar[]) as label from name",
            {"labels": LABELS},
        )
        con.execute(
            "create or replace table value as select d, unnest($values::varchar[]) as value from name",
            {"values": VALUES["VARCHAR"]},
        )
        con.execute("create or replace table kind as select 1 as d, 1 as kind")
        con.execute("create or replace table domain as from sqlanon._coded_domain('value', 'kind')")
        without, empty = (
            f"from sqlanon._covered_or_unread('label', 'domain', {given}, 'name') order by all"
            for given in ("null", "'h'")
        )
        rows = con.execute(without).fetchall()
        assert any(row[-1] is None for row in rows)
        assert any(row[-1] is not None for row in rows)
        assert rows == con.execute(empty).fetchall()
        joins = [
            str(con.execute(f"explain {query}").fetchall()).upper().count("JOIN")
            for query in (without, empty)
        ]
        assert joins[0] < joins[1]


# Beyond 2^53 numbers compare as DOUBLE, so BIGINT is not among them.
TYPES = [type_ for type_ in DOMAINS if type_ != "BIGINT"]


class TestReleasesOfMondrian:
    @pytest.mark.slow("0.6 s")
    @examples(6)
    @given(st.data())
    @pytest.mark.parametrize("recoding", ["text", "range"])
    def test_everybody_is_located_in_one_class_the_right_one(
        self, con: duckdb.DuckDBPyConnection, recoding: str, data: st.DataObject
    ) -> None:
        n = data.draw(st.integers(2, 30))
        qi = [data.draw(columns(f"q {i}", n, TYPES)) for i in range(data.draw(st.integers(1, 3)))]
        if recoding == "range":  # of an attribute with a hierarchy, lowest and highest values may overlap
            qi = [replace(c, hierarchy=None) for c in qi]
        load(con, "t", qi)
        hierarchies = load_hierarchies(con, "h", qi)
        names = [c.name for c in qi]
        arguments: dict[str, Any] = {
            "qi": names, "keep": "id", "hierarchies": hierarchies, "k": 2, "recoding": recoding, "seed": 1
        }  # fmt: skip
        fetch(con, f"create or replace table r as from {call('mondrian', 't', **arguments)}")
        same = " and ".join(
            f"r.{identifier(name)} is not distinct from c.{identifier(name)}" for name in names
        )
        wanted = fetch(
            con,
            f"select id, class_id, size from r join {call('classes', 'r', qi=names)} as c on {same} "
            "order by all",
        )
        assert [i for i, *_ in wanted] == list(range(n))
        assert located(con, names, hierarchies) == wanted


class TestAnswer:
    @pytest.fixture(autouse=True)
    def tables(self, con: duckdb.DuckDBPyConnection) -> None:
        fetch(con, "create or replace table r as select unnest(['[20, 29]', '[20, 29]', '[30, 39]']) as age")
        fetch(con, "create or replace table t as select unnest([1, 2, 3]) as id, unnest([25, 30, 40]) as age")

    def test_a_target_outside_has_no_row(self, con: duckdb.DuckDBPyConnection) -> None:
        assert located(con, ["age"]) == [(1, 1, 2), (2, 2, 1)]

    def test_overlapping_classes_are_all_found(self, con: duckdb.DuckDBPyConnection) -> None:
        fetch(con, "insert into r values ('[25, 30]'), ('2*'), ('25')")
        assert fetch(con, "select class_id, age from sqlanon.classes('r', 'age') order by 1") == [
            (1, "2*"), (2, "25"), (3, "[20, 29]"), (4, "[25, 30]"), (5, "[30, 39]"),
        ]  # fmt: skip
        assert located(con, ["age"]) == [(1, 1, 1), (1, 2, 1), (1, 3, 2), (1, 4, 1), (2, 4, 1), (2, 5, 1)]

    @pytest.mark.slow("0.3 s")
    @pytest.mark.parametrize(
        ("name", "type_"), [("id", "INTEGER"), ('the "id"', "VARCHAR"), ("class", "UUID"), ("é", "DATE")]
    )
    def test_the_id_keeps_its_name_and_type(
        self, con: duckdb.DuckDBPyConnection, name: str, type_: str
    ) -> None:
        value = {
            "INTEGER": "7", "VARCHAR": "'x'", "UUID": "uuid()", "DATE": "current_date"
        }[type_]  # fmt: skip
        fetch(con, f"create or replace table t as select {value}::{type_} as {identifier(name)}, 25 as age")
        relation = call("locate", "r", targets="t", id=name, qi="age")
        described = [(column, kind) for column, kind, *_ in fetch(con, f"describe from {relation}")]
        assert described == [(name, type_), ("class_id", "BIGINT"), ("size", "BIGINT")]
        assert fetch(con, f"select {identifier(name)} from {relation}") == fetch(
            con, f"select {identifier(name)} from t"
        )

    def test_a_quasi_identifier_may_be_the_id(self, con: duckdb.DuckDBPyConnection) -> None:
        assert located(con, ["age"], id="age") == [(25, 1, 2), (30, 2, 1)]

    @pytest.mark.parametrize(
        ("change", "arguments", "message"),
        [
            ("", {"qi": "agee"}, "agee.*not found|agee"),
            ("", {"id": "name"}, '"name" not found'),
            ("", {"qi": []}, "qi names no column"),
            ("", {"qi": ["age", "AGE"]}, "named twice"),
            ("", {"targets": "nobody"}, "nobody does not exist"),
            ("delete from t", {}, "table t is empty"),
            ("delete from r", {}, "table r is empty"),
            (
                "insert into t values (2, 25)",
                {},
                "column id of t names 1 of the targets several times, in 2 rows.*: number the rows as the "
                "id, and give id as unit",
            ),
            (
                "insert into t values (2, 30)",
                {},
                "column id of t names 1 of the targets several times, in 2 rows",
            ),
            ("insert into t values (null, 30), (null, 1)", {}, "names 1 of the targets several times"),
            (
                """create or replace table h as select 'age' as attribute,
                    unnest(['25', '25', '30']) as value,
                unnest([0, 1, 0]) as level, unnest(['25', '*', '30']) as label""",
                {"hierarchies": "h"},
                "the hierarchy of column age",
            ),
        ],
    )
    def test_errors(
        self, con: duckdb.DuckDBPyConnection, change: str, arguments: dict[str, Any], message: str
    ) -> None:
        if change:
            fetch(con, change)
        with pytest.raises(duckdb.Error, match=message):
            fetch(
                con, f"from {call('locate', 'r', **{'targets': 't', 'id': 'id', 'qi': 'age', **arguments})}"
            )


@pytest.mark.parametrize("seed", range(5))
def test_wide_boxes_are_written_in_steps(con: duckdb.DuckDBPyConnection, seed: int) -> None:
    """Boxes too wide to be written out code by code, some of them with codes left out: the targets within
    them are those that a comparison of each with each finds."""
    con.execute(f"select setseed({seed / 10})")
    con.execute(
        """
        create or replace temp table box as
        select 1 as release, class_id, lo1, lo1 + width1 as hi1, null::integer[] as members1,
               lo2, lo2 + width2 as hi2,
               case when class_id % 3 = 0
                    then list_filter(
                        range(lo2, lo2 + width2 + 1)::integer[],
                        lambda code: code % 3 <> 1 or code in (lo2, lo2 + width2)) end as members2
        from (
            select class_id, (random() * 300)::integer as lo1, (random() * 40)::integer as width1,
                   (random() * 900)::integer as lo2, (random() * 150)::integer as width2
            from range(60) as numbers(class_id)
        );
        create or replace temp table point as
        select 1 as release, target, (random() * 360)::integer as c1, (random() * 1050)::integer as c2
        from range(4000) as numbers(target)
        """
    )
    con.execute("create or replace temp table keys as from sqlanon._keys('box', 'point', ['a', 'b'])")
    [(steps,)] = con.execute("select steps from keys").fetchall()
    assert steps[0] == 1
    assert 1 < steps[1] < 1050
    con.execute(
        "create or replace temp table written as from sqlanon._written_boxes('box', 'keys', ['a', 'b'])"
    )
    found = con.execute(
        "select target, class_id from sqlanon._located('written', 'point', 'keys', ['a', 'b']) order by all"
    ).fetchall()
    compared = con.execute(
        """
        select target, class_id from point, box
        where c1 between lo1 and hi1 and c2 between lo2 and hi2
          and (members2 is null or list_contains(members2, c2))
        order by all
        """
    ).fetchall()
    assert found == compared
    assert found
