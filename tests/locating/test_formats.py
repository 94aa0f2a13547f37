"""Releases that others write: read with formats as the same releases in this library's notation."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.oracles import covers as oracle
from tests.oracles.formats import in_notation

few = examples(25)
Rows = list[tuple[Any, ...]]


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


def fetch(con: duckdb.DuckDBPyConnection, sql: str, values: Sequence[Any] = ()) -> Rows:
    return con.execute(sql, list(values)).fetchall()


# format, label, values that it covers, values that it does not.
LABELS: list[tuple[str, str, list[Any], list[Any]]] = [
    ("range", "(25-30]", [25.1, 30], [25, 30.1]),
    ("range", "[25-30)", [25, 29.9], [30, 24]),
    ("range", "]25-30[", [26], [25, 30]),
    ("range", "25-30", [25, 30], [24.9, 30.1]),
    ("range", "25..30", [25, 30], [31]),
    ("range", "25 to 30", [25, 30], [31]),
    ("range", "25 TO 30", [25], [31]),
    ("range", "[25;30]", [25, 30], [31]),
    ("range", "-10--5", [-10, -5], [-11, -4, 5]),
    ("range", "-.5 - 1.5", [-0.5, 1.5], [-0.6, 2]),
    ("range", "1e2-1e3", [100, 1000], [99]),
    ("range", "50+", [50, 1000], [49]),
    ("range", "65 and over", [65, 70], [64]),
    ("range", "20 bis 29", [20, 29], [30]),
    ("range", "unter 18", [17], [18]),
    ("range", "75 et plus", [75], [74]),
    ("range", "under 20", [19], [20]),
    ("range", "20 or less", [20], [21]),
    ("range", "(50, ∞)", [51], [50]),
    ("range", "<20", [19], [20]),
    ("range", ">=65", [65], [64]),
    ("range", "42", [42], [41]),
    ("range", "*", [1], []),
    ("range", "25-30 years", [], [27]),
    ("range", "[25-30", [], [27]),
    ("list", "['a', \"b\"]", ["a", "b"], ["c", "'a'"]),
    ("list", "{'a', 'b, c'}", ["a", "b, c"], ["b"]),
    ("list", "(a, b)", ["a", "b"], ["(a"]),
    ("list", "[]", [], [""]),
    ("set ~", "a~b", ["a", "b", "a~b"], ["c", "~"]),
    ("set /", "a / b, c", ["a", "b, c"], ["b"]),
    ("set ,", "1,2", [1, 2], [12]),
    ("set  or ", "Doctor or Nurse", ["Doctor", "Nurse"], ["Doct"]),
    ("set /", "{a, b}", ["a"], ["c"]),
    ("mask x", "130xx", ["13012", "13099"], ["1301", "13112"]),
    ("mask #", "1305#", ["13051"], ["1305"]),
    ("mask .", "1.", ["12"], ["1", "123"]),
    ("mask x", "13*1x", ["13012"], ["13022"]),
]


class TestLabels:
    @pytest.mark.parametrize(("kind", "type_"), [(str, "varchar"), ((int, float), "double")])
    def test_examples(self, con: duckdb.DuckDBPyConnection, kind: Any, type_: str) -> None:
        cases = [
            (format, label, raw, raw in inside)
            for format, label, inside, outside in LABELS
            for raw in (*inside, *outside)
            if isinstance(raw, kind)
        ]
        result = fetch(
            con,
            f"""select format, label, raw, sqlanon.covers(label, raw, format := format)
            from (select unnest($1) as format, unnest($2) as label, unnest($3::{type_}[]) as raw)""",
            [list(column) for column in zip(*cases, strict=True)][:3],
        )
        assert result == cases

    def test_dates(self, con: duckdb.DuckDBPyConnection) -> None:
        for label in ("2020-01-01-2020-02-01", "2020-01-01 to 2020-02-01", "2020-01-01..2020-02-01"):
            result = fetch(
                con,
                """select sqlanon.covers($1, day, format := 'range')
                from unnest([date '2019-12-31', date '2020-01-01', date '2020-02-01', date '2020-02-02'])
                    as days(day)""",
                [label],
            )
            assert result == [(False,), (True,), (True,), (False,)], label

    @few
    @given(
        st.text("0159-.+ to[](){},/'ax*", max_size=9), st.sampled_from(["range", "set /", "mask x"]),
        st.sampled_from(["1", "5", "a", "x", "59", "-1", "0"]),
    )  # fmt: skip
    def test_random_labels(self, con: duckdb.DuckDBPyConnection, label: str, format: str, raw: str) -> None:
        """A label that does not fit stays what it is; one that does, says the same as in our notation."""
        [(answer, same)] = fetch(
            con,
            "select sqlanon.covers($1, $3, format := $2), sqlanon.covers($4, $3)",
            [label, format, raw, in_notation(label, format)],
        )
        assert answer == same or in_notation(label, format) == label

    @pytest.mark.parametrize("format", ["rage", "set", "set ", "mask xy", "range ", "between a", "one-hot"])
    def test_wrong_formats(self, con: duckdb.DuckDBPyConnection, format: str) -> None:
        with pytest.raises(duckdb.Error, match=f"format {format} is none of range, list, set SEPARATOR"):
            fetch(con, "select sqlanon.covers('1', 1, format := $1)", [format])

    def test_several_columns_are_not_one_value(self, con: duckdb.DuckDBPyConnection) -> None:
        with pytest.raises(duckdb.Error, match="one-hot sex_ is of several columns"):
            fetch(con, "select sqlanon.covers('1', 1, format := 'one-hot sex_')")


# How others write an interval, a set and a mask: by format.
def bracketed(lo: int, hi: int, opening: str, closing: str) -> str:
    return f"{opening}{lo}-{hi}{closing}"


SPANS: list[Callable[[int, int], str]] = [
    lambda lo, hi: f"{lo}-{hi}",
    lambda lo, hi: f"{lo} to {hi}",
    lambda lo, hi: f"{lo}..{hi}",
    lambda lo, hi: bracketed(lo, hi, "[", "]"),
]
JOBS = ["clerk", "cook", "smith", "a/b"]


@st.composite
def releases(draw: st.DrawFn) -> tuple[Rows, Rows]:
    """Rows of age, zip, job and sex as this library writes them, and as somebody else does."""
    ours, theirs = [], []
    for _ in range(draw(st.integers(1, 6))):
        lo, hi = sorted(draw(st.lists(st.integers(-3, 6), min_size=2, max_size=2)))
        zip_ = draw(st.sampled_from(["1***", "12**", "12*4", "1234", "****"]))
        jobs = draw(st.lists(st.sampled_from(JOBS[:3]), min_size=1, max_size=3, unique=True))
        sexes = draw(st.lists(st.sampled_from(["f", "m"]), min_size=1, max_size=2, unique=True))
        half_open = draw(st.booleans())
        span = draw(st.sampled_from(SPANS))
        ours.append(
            (f"({lo}, {hi}]" if half_open else f"[{lo}, {hi}]", zip_, "{" + ", ".join(jobs) + "}",
             "{" + ", ".join(sexes) + "}")
        )  # fmt: skip
        theirs.append(
            (bracketed(lo, hi, "(", "]") if half_open else span(lo, hi), zip_.replace("*", "x"),
             "~".join(jobs), int("f" in sexes), float("m" in sexes))
        )  # fmt: skip
    return ours, theirs


PEOPLE = [
    (i, i % 10 - 3, ["1234", "1254", "1999", "2234"][i % 4], JOBS[i % 3], "fm"[i % 2]) for i in range(24)
]
FORMATS = "{'age': 'range', 'zip': 'mask x', 'job': 'set ~', 'sex': 'one-hot sex_'}"
QI = "['age', 'zip', 'job', 'sex']"


def load(con: duckdb.DuckDBPyConnection, name: str, columns: str, rows: Rows) -> None:
    fetch(con, f"create or replace table {name} ({columns})")
    con.executemany(f"insert into {name} values ({', '.join('?' for _ in rows[0])})", rows).fetchall()


@pytest.fixture(scope="module")
def people(con: duckdb.DuckDBPyConnection) -> None:
    load(con, "people", "id integer, age integer, zip varchar, job varchar, sex varchar", PEOPLE)


@pytest.mark.usefixtures("people")
class TestReleases:
    @examples(10)
    @given(releases())
    def test_a_release_is_located_as_in_our_notation(
        self, con: duckdb.DuckDBPyConnection, case: tuple[Rows, Rows]
    ) -> None:
        ours, theirs = case
        load(con, "ours", "age varchar, zip varchar, job varchar, sex varchar", ours)
        load(con, "theirs", "age varchar, zip varchar, job varchar, sex_f integer, sex_m double", theirs)
        located = fetch(
            con, f"select id, size from sqlanon.locate('theirs', 'people', 'id', {QI}, formats := {FORMATS})"
        )
        expected = sorted(
            (person[0], ours.count(released))
            for person in PEOPLE
            for released in set(ours)
            if all(oracle.covers(text, raw) for text, raw in zip(released, person[1:], strict=True))
        )
        assert sorted(located) == expected

    def test_two_columns(self, con: duckdb.DuckDBPyConnection) -> None:
        rows = [(1, 3), (4, None), (None, 0), (None, None)]
        load(con, "pairs", 'lo integer, "the hi" integer', rows)
        result = fetch(
            con,
            """select id, list(class_id order by class_id) from sqlanon.locate('pairs', 'people', 'id', 'age',
                formats := {'age': 'between lo and the hi'}) where id < 9 group by id order by id""",
        )
        # classes: NULL and NULL, -> 0, 1 -> 3, 4 ->
        found: dict[int, list[int]] = dict(result)
        ages = {id: age for id, age, *_ in PEOPLE if id < 9}
        sizes = {id: (age <= 0) + (1 <= age <= 3) + (age >= 4) for id, age in ages.items()}
        assert {id: len(found.get(id, [])) for id in ages} == sizes

    def test_cells_without_a_one_are_unread(self, con: duckdb.DuckDBPyConnection) -> None:
        load(con, "hot", "sex_f boolean, sex_m boolean", [(True, False), (False, False), (None, True)])
        result = fetch(
            con,
            "from sqlanon.unread_labels('hot', 'people', 'sex', formats := {'sex': 'one-hot sex_'})",
        )
        assert [row[2] for row in result] == ["sex_f=NULL, sex_m=true", "sex_f=false, sex_m=false"]
        with pytest.raises(duckdb.Error, match="no column of the release starts with six_"):
            fetch(
                con, "from sqlanon.locate('hot', 'people', 'id', 'sex', formats := {'sex': 'one-hot six_'})"
            )

    @pytest.mark.slow("1.2 s")
    def test_which_release(self, con: duckdb.DuckDBPyConnection) -> None:
        """A key is for all releases, for one by its name or for one by its number, the special ones first."""
        load(con, "dashes", "age varchar, disease varchar", [("-3-9", "flu")])
        load(con, "tildes", "age varchar, disease varchar", [("-3~-2~-1~0~1~2~3~4~5~6", "flu")])
        for formats in (
            "{'age': 'range', 'tildes.age': 'set ~'}",
            "{'age': 'set ~', '1.age': 'range'}",
            "map {'Dashes.Age': 'range', '2.AGE': 'set ~'}",
        ):
            result = fetch(
                con,
                f"""select value from sqlanon.breaches(['dashes', 'tildes'], 'people', 'id', 'age', 'disease',
                    formats := {formats}) where measure = 'located in all releases'""",
            )
            assert result == [(100.0,)], formats

    @pytest.mark.parametrize(
        ("formats", "message"),
        [
            ("{'agee': 'range'}", "formats names agee, which is no column in qi: write one of age, zip"),
            ("{'west.age': 'range'}", "formats names west.age, which is no column in qi"),
            ("{'age': 'rnge'}", "format rnge of age is none of range"),
            ("{'age': 5}", "format 5 of age is none of range"),
            ("{'age': null}", "format NULL of age is none of range"),
        ],
    )
    def test_errors(self, con: duckdb.DuckDBPyConnection, formats: str, message: str) -> None:
        with pytest.raises(duckdb.Error, match=message):
            fetch(
                con,
                f"from sqlanon.locate('people', 'people', 'id', ['age', 'zip'], formats := {formats})",
            )


@pytest.mark.usefixtures("people")
class TestUnread:
    @pytest.mark.slow("0.3 s")
    def test_a_format_is_proposed(self, con: duckdb.DuckDBPyConnection) -> None:
        load(
            con, "theirs", "age varchar, zip varchar, job varchar",
            [("1 to 3", "12x4", "clerk/cook"), ("4+", "12##", "{'cook', 'smith'}"), ("9-1", "q", "cook~")],
        )  # fmt: skip
        result = fetch(
            con,
            """select attribute, label, format
            from sqlanon.unread_labels('theirs', 'people', ['age', 'zip', 'job']) order by all""",
        )
        assert result == [
            ("age", "1 to 3", "range"), ("age", "4+", "range"), ("age", "9-1", None),
            ("job", "clerk/cook", "set /"), ("job", "cook~", "set ~"), ("job", "{'cook', 'smith'}", "list"),
            ("zip", "12##", "mask #"), ("zip", "12x4", "mask x"), ("zip", "q", None),
        ]  # fmt: skip
        why = fetch(
            con, "select why from sqlanon.unread_labels('theirs', 'people', 'age') where label = '9-1'"
        )
        assert why == [("its lower bound is above its upper one",)]

    @pytest.mark.slow("0.6 s")
    def test_of_several_releases(self, con: duckdb.DuckDBPyConnection) -> None:
        """Each has the rows that it has alone, whatever the types of the others and their formats."""
        load(con, "spelled", "age varchar, zip varchar", [("1 to 3", "12x4"), ("old", "q")])
        load(con, "numbered", "age integer, zip integer", [(30, 12), (31, 99)])
        about = "'people', ['age', 'zip'], formats := "
        spelled = fetch(con, f"from sqlanon.unread_labels('spelled', {about} {{'age': 'range'}})")
        numbered = fetch(con, f"from sqlanon.unread_labels('numbered', {about} null)")
        together = fetch(
            con,
            f"from sqlanon.unread_labels(['spelled', 'numbered'], {about} {{'spelled.age': 'range'}})",
        )
        assert together == spelled + [(2, *row[1:]) for row in numbered]
        assert {row[:3] for row in together} >= {(1, "age", "old"), (1, "zip", "12x4")}
        assert not any(label == "1 to 3" for _, _, label, *_ in together)

    @pytest.mark.slow("2.4 s")
    def test_python_warns(self, con: duckdb.DuckDBPyConnection) -> None:
        load(con, "theirs", "age varchar, disease varchar", [("1 to 3", "flu"), ("4+", "cold"), ("0", "flu")])
        about: dict[str, Any] = {"targets": "people", "id": "id", "qi": "age"}
        unread = (
            r"theirs: nobody understands these values of age: 1 to 3, 4\+ \(not a number or date.*'range'"
        )
        of_diseases = {**about, "sensitive": "disease"}
        calls: list[Callable[..., Any]] = [
            partial(sqlanon.locate, con, "theirs", **about),
            partial(sqlanon.intersection_attack, con, ["theirs"], **of_diseases),
            partial(sqlanon.breaches, con, ["theirs"], **of_diseases),
        ]
        for call in calls:
            with pytest.warns(sqlanon.UnreadWarning, match=unread) as told:
                call()
            assert len(told) == 1
            call(formats={"age": "range"})  # a warning would be an error

    @pytest.mark.slow("0.3 s")
    def test_nobody_is_located(self, con: duckdb.DuckDBPyConnection) -> None:
        load(
            con, "elsewhere", "age varchar, disease varchar", [("[100, 110]", "flu"), ("[100, 110]", "cold")]
        )
        with pytest.warns(sqlanon.UnreadWarning, match="none of the targets is located in all the releases"):
            sqlanon.breaches(con, ["elsewhere"], "people", "id", "age", "disease")

    def test_formats_are_texts(self, con: duckdb.DuckDBPyConnection) -> None:
        with pytest.raises(sqlanon.InputError, match="formats is a dict from columns to texts"):
            sqlanon.unread_labels(con, "people", "people", "age", formats={"age": 1})  # type: ignore[dict-item]
