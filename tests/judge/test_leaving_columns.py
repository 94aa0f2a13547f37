"""What leaves: columns against the slow rules, what must never pass, and what must not fail."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from sqlanon.core.errors import InputError
from tests.budget import examples
from tests.oracles import leaving as oracle

few = examples(40, quick=8)

COLUMNS = (
    "column",
    "role",
    "how",
    "type",
    "distinct_values",
    "unique_share",
    "looks_like",
    "verdict",
    "reason",
)


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


def make(con: duckdb.DuckDBPyConnection, table: str, **columns: Sequence[Any]) -> None:
    """A table of texts; of whole numbers where all of a column are."""
    types = {
        name: "bigint" if values and all(isinstance(value, int) for value in values) else "varchar"
        for name, values in columns.items()
    }
    named = ", ".join(f'"{name}" {type_}' for name, type_ in types.items())
    con.execute(f"create or replace table {table} ({named})").fetchall()
    rows = list(zip(*columns.values(), strict=True))
    if rows:
        con.executemany(f"insert into {table} values ({', '.join('?' * len(columns))})", rows)


def told(con: duckdb.DuckDBPyConnection, table: str, **arguments: Any) -> dict[str, dict[str, Any]]:
    answer = sqlanon.leaving_columns(con, table, **{"qi": "age", **arguments})
    assert tuple(answer.columns) == COLUMNS
    return {row[0]: dict(zip(COLUMNS, row, strict=True)) for row in answer.fetchall()}


def one(con: duckdb.DuckDBPyConnection, values: Sequence[Any], name: str = "c", **arguments: Any) -> Any:
    """What is told of a column beside a quasi-identifier; kept, if not said otherwise."""
    make(con, "t", age=[1] * len(values), **{name: values})
    return told(con, "t", **arguments)[name]


# Columns that name somebody: name, values.
NAMING = {
    "e-mail address": ("c", [f"u{i}@example.org" for i in range(30)]),
    "name": ("c", [f"{first} {last}" for first in ("Ada", "Bob", "Cleo") for last in ("Ng", "Li", "Ray")]),
    "phone number": ("c", [f"+41 44 123 45 {i}" for i in range(10, 40)]),
    "card number": ("c", ["4000123412341239", "5500 0000 0000 0004", "4111-1111-1111-1111"]),
    "IBAN": ("c", ["DE89370400440532013000", "CH9300762011623852957"]),
    "social security number": ("c", ["123-45-6789", "987-65-4321"]),
    "IP address": ("c", ["10.0.0.1", "192.168.1.254", "fe80::1"]),
    "coordinate": ("c", ["48.13743, 11.57549", "-33.8688 151.2093"]),
    "URL": ("c", ["https://example.org/~ada", "www.example.org/bob"]),
    "UUID": ("c", ["8c9f7d3e-0f3a-4f0f-9f7e-0123456789ab"]),
    "hash": ("c", ["0" * 64, "f" * 64]),
    "address": ("c", ["1 Main Street", "2 Long Road", "Bahnhofstrasse 3", "Am Platz 4"]),
    "free text": ("c", [f"she said that she has {i} of them" for i in range(30)]),
    "number": ("Fall-Nr", [f"A{i}/X" for i in range(30)]),
}


@pytest.mark.parametrize("look", NAMING)
def test_what_names_somebody_fails(con: duckdb.DuckDBPyConnection, look: str) -> None:
    name, values = NAMING[look]
    found = one(con, values, name)
    assert (found["looks_like"], found["verdict"], found["how"]) == (look, "fails", "unchanged")
    accepted = one(con, values, name, direct=name.upper())
    assert (accepted["looks_like"], accepted["verdict"]) == (look, "holds")
    assert accepted["reason"].startswith("accepted: ")


FIRST_NAMES = ["Anna", "Bert", "Claudia", "Dieter", "Eva", "Frank"]
# Labels of a quasi-identifier and what they show.
LABELS = {
    "sets of first names": ("f1", ["{Anna, Bert}", "{Claudia, Dieter}", "{Eva, Frank}"], "personal name"),
    "names": ("f1", FIRST_NAMES, "personal name"),
    "lists of names": ("f1", [f"[{', '.join(FIRST_NAMES)}]"], None),  # a range, by its brackets
    "unknown surnames": ("Nachname", [f"{{Xq{i}, Xr{i}}}" for i in range(9)], "name"),
    "masks of them": ("Nachname", [f"X{i}***" for i in range(30)], None),
    "remarks": ("f1", ["{" + ", ".join(f'"she has had {i + j} of them now"' for j in range(3)) + "}"
                       for i in range(0, 30, 3)], "free text"),
    "trades": (
        "trade", ["{" + ", ".join(f'"repair of {j} and of such goods"' for j in range(3)) + "}"] * 9, None
    ),
    "e-mail": ("f1", [f"{{u{i}@example.org, v{i}@example.org}}" for i in range(9)], "e-mail address"),
    "towns": ("town", ["{Leipzig, Dresden, Berlin}", "{New York, Los Angeles}", "Bonn"], None),
    "numbers": ("name", ["[20, 29]", "[30, 39]"], None),
}  # fmt: skip


@pytest.mark.parametrize("kind", LABELS)
def test_labels_that_name_people_fail(con: duckdb.DuckDBPyConnection, kind: str) -> None:
    """A class shares the label {Ann, Bob}, and it names them all the same."""
    name, labels, looks_like = LABELS[kind]
    make(con, "r", **{"age": [*range(len(labels))], name: labels})
    found = told(con, "r", qi=["age", name])[name]
    assert (found["looks_like"], found["verdict"]) == (looks_like, "fails" if looks_like else "holds")
    assert told(con, "r", qi=["age", name], direct=name)[name]["verdict"] == "holds"


@pytest.mark.slow("half a second")
def test_values_of_several_people_name_them_too(con: duckdb.DuckDBPyConnection) -> None:
    """No value is unique: e-mail addresses of people with two rows."""
    found = one(con, [f"u{i}@example.org" for i in range(30)] * 2)
    assert (found["unique_share"], found["looks_like"], found["verdict"]) == (0, "e-mail address", "fails")
    assert one(con, [f"s{i}" for i in range(30)] * 2, "surname")["verdict"] == "fails"
    remarks = ["none"] * 40 + [f"he told me about his {i} cats today" for i in range(20)]
    assert one(con, remarks)["looks_like"] == "free text"


@pytest.mark.parametrize(
    ("values", "name"),
    [
        (["flu", "gout", "hiv", "cold"], "disease"),
        (["Multiple Sclerosis", "Lung Cancer", "Type 2 Diabetes", "Heart Failure"], "disease"),
        (["Multiple Sclerosis", "Lung Cancer"] * 20, "c"),
        (["pain in the lower part of the back", "pain in the upper part of the back"] * 20, "c"),
        (["aspirin", "ibuprofen"] * 10, "drug_name"),
        (["yes", "no"] * 20, "email"),
        (["android", "iphone"] * 20, "phone"),
        (["10000-20000", "20000-30000"] * 20, "income"),
        (["2020-01-01", "2021-12-31"] * 20, "c"),
        (["01.02.2020", "31.12.2021"] * 20, "c"),
        (["02138", "02139"] * 20, "c"),
        (["DE88370400440532013000", "CH9300762011623852958"] * 20, "c"),  # wrong check digits
        (["E11.9", "I10", "C50.911"] * 20, "c"),
        (["stage 3", "stage 4"] * 20, "c"),
        ([20_000 + 7 * i for i in range(100)], "salary"),
        ([str(20_000 + 7 * i) for i in range(100)], "salary"),
        ([1.5 * i for i in range(30)], "c"),
        ([None, None], "name"),
        ([], "name"),
    ],
)
def test_what_is_sensitive_need_not_name_anybody(
    con: duckdb.DuckDBPyConnection, values: list[Any], name: str
) -> None:
    found = one(con, values, name, sensitive=name)
    assert (found["verdict"], found["looks_like"]) == ("holds", None), found


@pytest.mark.slow("half a second")
def test_unique_values_of_a_sensitive_column_need_enough_rows(con: duckdb.DuckDBPyConnection) -> None:
    values = [f"d{i}" for i in range(20)]
    assert one(con, values[:19], sensitive="c")["verdict"] == "holds"
    assert one(con, values, sensitive="c")["verdict"] == "fails"
    assert one(con, [*values[:18], "x", "x"], sensitive="c")["verdict"] == "fails"
    assert one(con, values[:17] + ["x"] * 3, sensitive="c")["verdict"] == "holds"


@pytest.mark.slow("1 s")
def test_a_kept_column_needs_none(con: duckdb.DuckDBPyConnection) -> None:
    """Four passport numbers are four passport numbers."""
    found = one(con, ["123456789", "987654321", "555443333", "111223333"], "ssn")
    assert (found["looks_like"], found["verdict"]) == ("social security number", "fails")
    assert one(con, ["a", "b", "c", "d"])["verdict"] == "fails"
    assert one(con, ["a", "b", "b", "a"])["verdict"] == "holds"
    assert one(con, [1, 2, 3, 4], "ssn", sensitive="ssn")["verdict"] == "fails"


def test_rows_that_are_numbered(con: duckdb.DuckDBPyConnection) -> None:
    """Row numbers with gaps, called sensitive: they are no salaries."""
    numbers = [i for i in range(1000, 1050) if i % 10]
    assert one(con, numbers, sensitive="c")["looks_like"] == "number"
    assert one(con, [3 * i for i in numbers], sensitive="c")["verdict"] == "holds"


def test_masks(con: duckdb.DuckDBPyConnection) -> None:
    """A mask fails if it hides little; a keyed hash is a pseudonym, and is told as one."""
    unique = [f"{i}***" for i in range(20)]
    assert one(con, unique, masked="c")["verdict"] == "fails"
    assert one(con, unique[:19], masked="c")["verdict"] == "holds"
    assert one(con, ["**** 1234", "**** 0001"] * 20, masked="c")["verdict"] == "holds"
    hashed = one(con, [f"{i:064x}" for i in range(30)], masked="c")
    assert (hashed["verdict"], hashed["how"]) == ("holds", "masked")
    assert hashed["reason"].startswith("a pseudonym: the same person has the same value in every release")


def test_people_with_several_rows(con: duckdb.DuckDBPyConnection) -> None:
    """No row is alone with its value, and each value is one person's."""
    people = [i // 3 for i in range(60)]
    make(con, "visits", pid=people, age=[1] * 60, card=[f"k{i}" for i in people], ward=["a", "b"] * 30)
    make(con, "t", age=[1] * 60, card=[f"k{i}" for i in people], ward=["a", "b"] * 30)
    assert told(con, "t")["card"]["verdict"] == "holds"
    found = told(con, "t", original="visits", id="pid")
    assert (found["card"]["verdict"], found["ward"]["verdict"]) == ("fails", "holds")
    assert found["card"]["reason"] == "20 of 20 values of people are held by one person each"


def test_the_id_by_its_name_and_by_its_values(con: duckdb.DuckDBPyConnection) -> None:
    make(con, "people", pid=[str(7 * i) for i in range(30)], age=[1] * 30, pay=[7 * i for i in range(30)])
    make(con, "t", age=[1] * 30, pay=[7 * i for i in range(30)])
    arguments: dict[str, Any] = {"sensitive": "pay", "original": "people", "id": "pid"}
    assert told(con, "t", **arguments)["pay"]["looks_like"] == "id of the targets"
    assert told(con, "t", sensitive="pay")["pay"]["verdict"] == "holds"
    assert told(con, "t", sensitive="pay", id="PAY")["pay"]["verdict"] == "fails"


def test_values_of_other_types_are_the_same(con: duckdb.DuckDBPyConnection) -> None:
    """The release was read from a text file: 1.50 is 1.5."""
    con.execute("create or replace table raw as select i // 2 as pid, 1 as age, (i // 2) / 2 as cost "
                "from range(40) as r(i)").fetchall()  # fmt: skip
    con.execute("create or replace table t as select age, cost::decimal(9, 2)::varchar as cost from raw")
    assert told(con, "t", original="raw", id="pid")["cost"]["unique_share"] == 1


def test_types(con: duckdb.DuckDBPyConnection) -> None:
    """A type names values, and some types nobody looks into."""
    con.execute(
        """create or replace table t as select 1 as age, 'a'::enum('a', 'it''s', 'c') as more,
        ['a', 'b'][1 + i % 2]::enum('a', 'b') as all_there, 'x'::blob as picture, {'a': 1} as struct,
        [['a']] as list, ['a', 'b, c'] as pair, [i || '@x.org'] as mails,
        ['a', 'b', 'c', 'd'][:1 + i] as letters,
        {'lo': 1, 'hi': 2} as range, ['a'::enum('a', 'b')] as set from range(4) as r(i)"""
    ).fetchall()
    found = told(con, "t", qi=["age", "range", "set"])
    verdicts = {name: row["verdict"] for name, row in found.items()}
    assert verdicts == {
        "age": "holds", "more": "fails", "all_there": "holds", "picture": "not known", "struct": "not known",
        "list": "not known", "pair": "holds", "mails": "fails", "letters": "fails", "range": "holds",
        "set": "not known",
    }  # fmt: skip
    assert (found["pair"]["distinct_values"], found["mails"]["looks_like"]) == (2, "e-mail address")
    assert found["more"]["type"] == "ENUM"
    assert found["set"]["type"] == "ENUM[]"
    assert found["more"]["reason"] == "its type, ENUM, names 2 values that no row has: release it as text"
    assert told(con, "t", direct="more")["more"]["verdict"] == "fails"  # nobody accepts what nobody sees


def test_hostile_names_and_order(con: duckdb.DuckDBPyConnection) -> None:
    names = ['"; drop', "it's", "name", "value", "column", "select", "{i}", "é", "column_name", "rows"]
    quoted = ", ".join('1 as "' + name.replace('"', '""') + '"' for name in names)
    con.execute(f"create or replace table t as select 1 as age, {quoted} from range(3)").fetchall()
    assert list(told(con, "t", original="t", id="it's")) == ["age", *names]
    assert {row["distinct_values"] for row in told(con, "t", qi=["age", *names]).values()} == {1}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"qi": "agee"}, "agee"),
        ({"direct": "cc"}, "cc"),
        ({"masked": "d"}, '"d"'),
        ({"sensitive": "age"}, "named twice"),
        ({"original": "t"}, "original needs id"),
        ({"original": "t", "id": "nobody"}, "nobody"),
    ],
)
def test_what_is_wrong_is_named(
    con: duckdb.DuckDBPyConnection, arguments: dict[str, Any], message: str
) -> None:
    make(con, "t", age=[1], c=["a"])
    with pytest.raises(InputError, match=message):
        told(con, "t", **arguments)


def test_values_differ_by_their_bytes(con: duckdb.DuckDBPyConnection) -> None:
    """Whatever the collation of a column is: who reads the release sees a and A."""
    con.execute("create or replace table t (age varchar collate nocase, c varchar collate nocase)").fetchall()
    con.execute("insert into t values ('a', 'a'), ('A', 'A'), ('b', 'b'), ('b', 'b')").fetchall()
    for row in told(con, "t").values():
        assert (row["distinct_values"], row["unique_share"]) == (3, 0.5)


@few
@given(st.lists(st.tuples(st.sampled_from([None, 1, 2, 3]), st.sampled_from([None, "", "a", "A", "b"]))))
def test_random_quasi_identifiers(con: duckdb.DuckDBPyConnection, rows: list[tuple[Any, ...]]) -> None:
    make(con, "t", age=[one for one, _ in rows], word=[other for _, other in rows], c=["x"] * len(rows))
    found = told(con, "t", qi=["word", "AGE"])
    for place, name in enumerate(("age", "word")):
        held = Counter(row[place] for row in rows if row[place] is not None)
        assert (found[name]["role"], found[name]["distinct_values"]) == ("qi", len(held))
        alone = list(held.values()).count(1)
        assert found[name]["unique_share"] == (alone / held.total() if held else None)


TEXTS = st.sampled_from(
    [
        *"abc", "1", "2", "2.5", "007", "x@y.org", "ada@lov.elace.uk", "Ada Lovelace", "Ng Li", "Lung Cancer",
        "1 High Street", "https://x.org", "10.0.0.1", "300.0.0.1", "48.1374, 11.5754", "123-45-6789",
        "4111111111111111", "4111111111111112", "+41 44 123 45 67", "one two three four five six", "f" * 32,
        None,
    ]
)  # fmt: skip
NAMES = st.sampled_from(
    ["c", "Name", "drug_name", "surname", "Fall-Nr", "id", "number of cats", "email", "disease_no"]
)


@few
@given(st.data())
def test_random_columns(con: duckdb.DuckDBPyConnection, data: st.DataObject) -> None:
    rows = data.draw(st.integers(0, 26))
    unique = data.draw(st.booleans())
    values: list[Any] = [
        f"v{i}" if unique and data.draw(st.integers(0, 9)) else data.draw(TEXTS) for i in range(rows)
    ]
    if data.draw(st.integers(0, 3)) == 0:
        first, step = data.draw(st.integers(-5, 5)), data.draw(st.integers(1, 2))
        values = [first + step * i for i in range(rows)]
    name, role = data.draw(NAMES), data.draw(st.sampled_from(["sensitive", "keep", "masked"]))
    is_direct, by_people = data.draw(st.booleans()), data.draw(st.booleans())
    people = [f"p{data.draw(st.integers(0, 8))}" for _ in range(rows)]
    make(con, "t", age=[1] * rows, **{name: values})
    make(con, "raw", pid=people, **{name: values})
    arguments: dict[str, Any] = {} if role == "keep" else {role: name}
    arguments |= {"direct": name} if is_direct else {}
    arguments |= {"original": "raw", "id": "pid"} if by_people else {}
    found = told(con, "t", **arguments)[name]
    texts = [None if value is None else str(value) for value in values]
    expected = oracle.leaving(
        name, texts, role, is_direct=is_direct, is_number=found["type"] == "BIGINT",
        people=list(zip(people, texts, strict=True)) if by_people else None,
    )  # fmt: skip
    assert expected == oracle.Leaving(
        found["distinct_values"], found["unique_share"], found["looks_like"], found["verdict"] == "fails"
    )
