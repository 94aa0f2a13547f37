"""Tables together against all populations, and the examples of the papers."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement, permutations, product
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import sqlanon
from sqlanon.tables.programs import has_solver
from tests.budget import examples, some
from tests.cells.regions import solver
from tests.oracles.tables_together import Counted, Person, Published, interval, parts, populations

DOMAIN = {"a": ["x", "y", "z"], "b": ["p", "q"], "age": ["1", "2", "3"]}
NAMES = [*DOMAIN]
FILTERS: dict[str, dict[str, set[str]]] = {
    "": {},
    "age > 1": {"age": {"2", "3"}},
    "age <= 2": {"age": {"1", "2"}},
    "a = 'x'": {"a": {"x"}},
    "A in ('x', 'y')": {"a": {"x", "y"}},
    "b = 'q' and age between 2 and 3": {"b": {"q"}, "age": {"2", "3"}},
}
TOTAL, MOST = "total", 4


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        if has_solver():
            sqlanon.register_functions(connection)
        connection.execute("create table domain (attribute text, value text)")
        connection.executemany(
            "insert into domain values (?, ?)", [(name, value) for name in DOMAIN for value in DOMAIN[name]]
        )
        yield connection


class Table(NamedTuple):
    """A table: its dimensions, filter, period, and cells: labels, what is shown."""

    dimensions: list[str]
    filter: str
    period: int
    cells: dict[tuple[str, ...], int | None]


class Case(NamedTuple):
    """Tables, what they say of people, and these."""

    tables: list[Table]
    cells: list[Published]
    people: list[Person]
    growing: bool


def counted(labels: dict[str, str], table: Table, growing: bool) -> Counted:
    """Is a person (a, b, age, period of entry) in the cell of these labels?"""
    kept = FILTERS[table.filter]

    def is_in(person: Person) -> bool:
        own = dict(zip(NAMES, person, strict=False))
        since = person[3]
        assert isinstance(since, int)
        return (
            all(own[name] == label for name, label in labels.items())
            and all(own[name] in values for name, values in kept.items())
            and (since <= table.period if growing else since == table.period)
        )

    return is_in


@st.composite
def cases(draw: st.DrawFn) -> Case:
    periods = draw(st.sampled_from([1, 1, 1, 2]))
    growing = periods > 1 and draw(st.booleans())
    kinds = [*product(*DOMAIN.values(), range(1, periods + 1))]
    everybody = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=4))
    made, cells = [], []
    for number in range(draw(st.integers(2, 5))):
        dimensions = draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=2))
        period = draw(st.integers(1, periods))
        table = Table(dimensions, draw(st.sampled_from([*FILTERS])), period, {})
        with_totals = draw(st.booleans())
        region = counted({}, table, growing)
        shown: list[dict[str, str]] = []
        for key in product(*([*DOMAIN[name], TOTAL] for name in dimensions)):
            labels = {name: label for name, label in zip(dimensions, key, strict=True) if label != TOTAL}
            is_in = counted(labels, table, growing)
            n = sum(map(is_in, everybody))
            is_finest = len(labels) == len(dimensions)
            if not (is_finest or with_totals) or (is_finest and n == 0 and draw(st.booleans())):
                continue
            is_hidden = bool(dimensions) and draw(st.integers(0, 4)) == 0
            table.cells[key] = None if is_hidden else n
            text = ", ".join(labels[name] for name in sorted(labels))
            name = f"t{number}" + (f": {text}" if text else "")
            cells.append(Published(name, is_in, 0 if is_hidden else n, MOST if is_hidden else n))
            if is_finest:
                shown.append(labels)
        if not table.cells:
            assume(dimensions)
            continue
        if shown:
            inside = [counted(labels, table, growing) for labels in shown]
            cells.append(Published(
                "", lambda person, region=region, inside=inside: (  # type: ignore[misc]
                    region(person) and not any(each(person) for each in inside)), 0, 0,
            ))  # fmt: skip
        made.append((number, table))
    assume(len(made) > 1)
    return Case([table for _, table in made], cells, kinds, growing)


def ask(con: duckdb.DuckDBPyConnection, case: Case, **more: Any) -> list[tuple[Any, ...]]:
    names = []
    for cell in case.cells:
        if (name := cell.name.partition(":")[0]) and name not in names:
            names.append(name)
    for name, table in zip(names, case.tables, strict=True):
        columns = ", ".join([*(f"{each} text" for each in table.dimensions), "value integer"])
        con.execute(f"create or replace temp table {name} ({columns})")
        marks = ", ".join("?" * (len(table.dimensions) + 1))
        con.executemany(
            f"insert into {name} values ({marks})",
            [[*key, value] for key, value in table.cells.items()],
        )
    about: dict[str, Any] = {"least": 0, "most": MOST, "threshold": 3}
    if any(table.period != 1 for table in case.tables) or case.growing:
        about |= {"periods": [str(table.period) for table in case.tables], "growing": case.growing}
    filters = [table.filter for table in case.tables]
    used = {name for table in case.tables for name in table.dimensions}
    return sqlanon.tables_together(con, names, sorted(used), filters=filters, **{**about, **more}).fetchall()


OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    ">": operator.gt, "<=": operator.le, "<": operator.lt, "": operator.eq,
}  # fmt: skip


def is_labelled(label: str, value: object) -> bool:
    """Does a label hold for a value?"""
    if label.startswith("{"):
        return value in label.strip("{}").replace(" ", "").split(",")
    if label.startswith("["):
        low, high = label.strip("[]").split(", ")
        return low <= str(value) <= high
    sign = label[: len(label) - len(label.lstrip("<>="))]
    return OPERATORS[sign](value, label[len(sign) :])


def meant(name: str, case: Case) -> Counted:
    """What the name of a cell in an answer stands for."""
    by_name = {cell.name: cell.counted for cell in case.cells if cell.name}
    if " - " in name:
        one, other = name.split(" - ")

        def is_in(cells: str, person: Person) -> bool:
            return any(by_name[cell](person) for cell in cells.split(" + "))

        return lambda person: is_in(one, person) and not is_in(other, person)
    if name in by_name:
        return by_name[name]
    used = {each: set[str]() for each in NAMES}  # values that some label covers
    for table in case.tables:
        for each, values in FILTERS[table.filter].items():
            used[each] |= values
        for key in table.cells:
            for each, label in zip(table.dimensions, key, strict=True):
                used[each].add(label)
    return lambda person: any(holds(each, person, used) for each in name.split("; or "))


def holds(text: str, person: Person, used: dict[str, set[str]]) -> bool:
    """Is a person one of a combination of labels?"""
    if text == "everybody":
        return True
    pieces = re.split(r", (?=there since|other|a |b |age |\()", text)
    for piece in pieces:
        if piece.startswith("("):  # one of several
            each = re.split(r" or (?=there since|other|a |b |age )", piece.strip("()"))
            if not any(holds(one, person, used) for one in each):
                return False
            continue
        if piece.startswith("there since"):
            if piece.split()[2] != str(person[3]):
                return False
            continue
        name, label = piece.split(" ", 1)
        if name == "other":
            if person[NAMES.index(label)] in used[label]:
                return False
            continue
        value = person[NAMES.index(name)]
        label, _, others = label.partition(" but not ")
        if not all(is_labelled(each, value) for each in label.split(" and ")):
            return False
        if others and any(is_labelled(each, value) for each in others.split(" or ")):
            return False
    return True


def narrow(lo: int, hi: int) -> bool:
    return hi > 0 and lo < 3 and hi - lo + 1 < 3


@solver
@examples(200, quick=12)
@given(cases())
def test_all_populations(con: duckdb.DuckDBPyConnection, case: Case) -> None:
    """What is told holds in every population; every part that is narrow in all of them is told, and so are
    all people of one value or of two, where they are whole parts and no published cell has just these."""
    found = [*populations(case.people, case.cells)]
    assert found
    told = []
    for name, lower, upper, _, _, by, unfinished in ask(con, case, domain="domain", programs="integer"):
        assert not unfinished
        assert narrow(lower, upper)
        if name.endswith(" others"):  # a name of three combinations at most does not say which
            told.append(set(case.people))
            continue
        is_in = meant(name, case)
        low, high = interval(case.people, is_in, found)
        assert lower <= low <= high <= upper
        if by != "difference":
            assert (lower, upper) == (low, high), (name, lower, upper, by, low, high)
        told.append({person for person in case.people if is_in(person)})
    divided = parts(case.people, case.cells)
    for inside, people in divided.items():
        low, high = interval(case.people, people.__contains__, found)
        is_published = any(case.cells[i].name and sum(i in each for each in divided) == 1 for i in inside)
        if narrow(low, high) and not is_published:
            assert any(set(people) <= group for group in told)
    published = [
        {person for person in case.people if cell.counted(person)} for cell in case.cells if cell.name
    ]
    there = {
        person for people in divided.values() for person in people
        if interval(case.people, {person}.__contains__, found)[1] > 0
    }  # fmt: skip
    nowhere = {person for person in case.people if not any(cell.counted(person) for cell in case.cells)}
    for union in unions(case):
        group = union & there
        touched = [{*each} for each in divided.values() if {*each} & group]
        is_whole = len(touched) > 1 and not union & nowhere and all(each <= group for each in touched)
        if is_whole and narrow(*interval(case.people, group.__contains__, found)):
            assert any(group == each & there for each in [*told, *published])


def unions(case: Case) -> Iterator[set[Person]]:
    """The people with one value, and with two values of different dimensions. (What all people have in
    common, such as a period, is no dimension.)"""
    found = [{person[k] for person in case.people} for k in range(4)]
    values = [(k, value) for k, some in enumerate(found) if len(some) > 1 for value in some]
    for k, value in values:
        yield {person for person in case.people if person[k] == value}
        for other, another in values:
            if other > k:
                yield {each for each in case.people if each[k] == value and each[other] == another}


@pytest.mark.slow("1 s")
@examples(60, quick=3)
@given(cases())
def test_without_a_domain(con: duckdb.DuckDBPyConnection, case: Case) -> None:
    """People may have values that no table names: bounds are wider, and never wrong."""
    found = [*populations(case.people, case.cells)]
    for name, lower, upper, *_ in ask(con, case, programs="none"):
        if not name.endswith(" others") and lower is not None:
            low, high = interval(case.people, meant(name, case), found)
            assert lower <= low <= high <= upper


def made(con: duckdb.DuckDBPyConnection, **tables: list[tuple[Any, ...]]) -> None:
    """Tables of disease and value."""
    for name, rows in tables.items():
        con.execute(f"create or replace temp table {name} (disease text, value text)")
        con.executemany(f"insert into {name} values (?, ?)", rows)


def test_all_but_those_over_thirty(con: duckdb.DuckDBPyConnection) -> None:
    """Two harmless tables, whose difference is two people, each with another disease."""
    made(con, everybody=[("flu", 5), ("gout", 3), ("total", 8)],
         over_30=[("flu", 4), ("gout", 2), ("total", 6)])  # fmt: skip
    told = sqlanon.tables_together(
        con, ["everybody", "over_30"], "disease", filters=["", "age > 30"], threshold=3, programs="none"
    ).fetchall()
    both = ["everybody", "over_30"]
    assert sorted(told) == [
        ("everybody - over_30", 2, 2, both, "everybody (8) - over_30 (6) = 2 people", "difference", False),
        ("everybody: flu - over_30: flu", 1, 1, both,
         "everybody: flu (5) - over_30: flu (4) = 1 person", "difference", False),
        ("everybody: gout - over_30: gout", 1, 1, both,
         "everybody: gout (3) - over_30: gout (2) = 1 person", "difference", False),
    ]  # fmt: skip


@solver
def test_what_only_all_tables_tell(con: duckdb.DuckDBPyConnection) -> None:
    """The people of one cell are among those of another one, since a third table has nobody elsewhere."""
    con.execute(
        """create or replace temp table by_sex as
        from (values ('F', 'A', 6), ('F', 'B', 5), ('M', 'A', 5), ('M', 'B', 4)) as row(sex, ward, value)"""
    )
    con.execute(
        """create or replace temp table by_age as
        from (values ('F', 'young', 5), ('F', 'old', 6), ('M', 'young', 9)) as row(sex, age, value)"""
    )
    con.execute(
        """create or replace temp table by_ward as
        from (values ('A', 'young', 5), ('A', 'old', 6), ('B', 'young', 9)) as row(ward, age, value)"""
    )
    told = sqlanon.tables_together(
        con, ["by_sex", "by_age", "by_ward"], ["sex", "ward", "age"], programs="none", threshold=3
    )
    assert not found(told)
    zeros = sqlanon.tables_together(
        con, ["by_sex", "by_age", "by_ward"], ["sex", "ward", "age"], zeros=True, threshold=3
    )
    assert found(zeros)["by_sex: F, A - by_age: F, old"] == (0, 0)


@pytest.mark.slow("1 s")
@solver
def test_month_after_month(con: duckdb.DuckDBPyConnection) -> None:
    """People are only added: the difference is the one who came. What varies holds in its own month."""
    made(con, march=[("flu", 7), ("gout", 6)], april=[("flu", 7), ("gout", 7)])
    about: dict[str, Any] = {"periods": ["2026-03", "2026-04"], "growing": True, "threshold": 3}
    came = sqlanon.tables_together(con, ["march", "april"], "disease", **about)
    assert came.project("cell, lower, upper").fetchall() == [("april: gout - march: gout", 1, 1)]
    about |= {"filters": ["age > 30", "age > 30"]}
    fixed = sqlanon.tables_together(con, ["march", "april"], "disease", **about)
    assert fixed.project("cell, lower, upper").fetchall() == [("april: gout - march: gout", 1, 1)]
    assert not sqlanon.tables_together(con, ["march", "april"], "disease", varying="age", **about).fetchall()


@pytest.mark.slow("1 s")
@solver
def test_what_is_not_finished_is_told(con: duckdb.DuckDBPyConnection) -> None:
    """Without time, or programs, there is a row that says so: no rows would be an all-clear."""
    made(con, everybody=[("flu", 50), ("gout", 50)])
    con.execute(
        """create or replace temp table by_sex as from (values ('F', 50), ('M', 50)) as row(sex, value)"""
    )
    for more in ({"programs": "none"}, {"solver_seconds": 0}):
        told = sqlanon.tables_together(con, ["everybody", "by_sex"], ["disease", "sex"], **more)
        assert told.project("cell, lower, found_by, unfinished").fetchall() == [
            ("4 cells", None, "unfinished", True)
        ]
    assert not sqlanon.tables_together(con, ["everybody", "by_sex"], ["disease", "sex"]).fetchall()


@solver
@pytest.mark.parametrize(
    ("about", "message"),
    [
        ({"filters": ["", "age is 30"]}, "filter age is 30 cannot be read"),
        ({"filters": ["", "age > 30 or sex = 'F'"]}, "filter age > 30 or sex = 'F' cannot be read"),
        ({"filters": [""]}, "2 tables, 1 filters"),
        ({"filters": [None, 30]}, "filters takes conditions such as 'age > 30', not 30"),
        ({"periods": ["2026"]}, "2 tables, 1 periods"),
        ({"titles": ["one"]}, "2 tables, 1 titles"),
        ({"value_column": "n"}, "table everybody has no column n"),
        ({"dimensions": ["disease", "ward"]}, "column ward is in none of the tables"),
        (
            {"value_column": "unread"},
            'column "unread" of table others has 2 values that are no number .*: many',
        ),
        ({"dimensions": "label"}, 'column label has "A" in table everybody and "A␣" in table others'),
        ({"max_atoms": 1, "filters": ["", "age > 30"]}, "more than max_atoms"),
    ],
)
def test_errors(con: duckdb.DuckDBPyConnection, about: dict[str, Any], message: str) -> None:
    made(con, everybody=[("flu", 5), ("gout", 3), ("total", 8)], others=[("flu", 5), ("total", 7)])
    con.execute("alter table everybody add column unread text default '7'")
    con.execute("alter table others add column unread text default 'many'")
    con.execute("alter table everybody add column label text default 'A'")
    con.execute("alter table others add column label text default 'A\u00a0'")
    if about.get("dimensions") == "label":
        con.execute("delete from everybody where disease <> 'flu'")
        con.execute("delete from others where disease <> 'flu'")
    given = {"dimensions": "disease", **about}
    with pytest.raises(sqlanon.SqlanonError, match=message):
        sqlanon.tables_together(con, ["everybody", "others"], **given)


@solver
@pytest.mark.slow("1 s")
def test_totals_of_rollup_are_not_what_is_missing(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """Taken as a label, they would give nothing back. A missing label that counts less than the others is
    one."""
    con.execute(
        "create or replace temp table t as from (values ('A', 'F', '*'), ('A', 'M', '17'), ('A', null, '19'),"
        " ('B', 'F', '17'), ('B', 'M', '*'), ('B', null, '33'), (null, null, '52')) as t(ward, sex, value)"
    )
    by, says = ["ward", "sex"], "column sex of table .* totals without a label, as ROLLUP writes them"
    with pytest.raises(sqlanon.InputError, match=says):
        sqlanon.tables_together(con, ["t"], by)
    with pytest.raises(sqlanon.InputError, match=says):
        sqlanon.add_table(con, "t", register=tmp_path / "r.duckdb", name="t", dimensions=by)
    assert sqlanon.tables_together(con, ["t"], by, total=None, threshold=3).fetchall()
    con.execute(
        "create or replace temp table h as select * replace (if(sex is null, value, '*') as value) from t"
    )
    with pytest.raises(sqlanon.InputError, match=says):
        sqlanon.tables_together(con, ["h"], by)
    con.execute("update t set value = '9' where sex is null")
    assert not sqlanon.tables_together(con, ["t"], by).fetchall()


RECODED = {
    "a": {"x": ["x", "{x, y}", "*"], "y": ["{x, y}", "{y, z}"], "z": ["{y, z}", "z"]},
    "age": {"1": ["[1, 2]", "<=1"], "2": ["[1, 2]", ">1"], "3": [">1", "[3, 9]"]},
}


def covers(label: str, value: object) -> bool:
    return any(str(value) == raw and label in labels
               for each in RECODED.values() for raw, labels in each.items()) or label == "*"  # fmt: skip


@solver
@examples(100, quick=4)
@given(
    st.lists(st.sampled_from([*product(*DOMAIN.values())]), min_size=1, max_size=3),
    st.sampled_from([("a",), ("b",), ("age",), ("a", "b")]),
    st.data(),
)
def test_rows_and_a_table(
    con: duckdb.DuckDBPyConnection, everybody: list[Person], by: tuple[str, ...], data: st.DataObject
) -> None:
    """A release of rows, whose classes may overlap, and a table: bounds hold in every population that the
    table fits and that can be given the rows, one to one."""
    rows = [
        (
            data.draw(st.sampled_from([*RECODED["a"][str(a)], "*"])), str(b),
            data.draw(st.sampled_from(RECODED["age"][str(age)])),
        )
        for a, b, age in everybody
    ]  # fmt: skip
    con.execute("create or replace temp table released (a text, b text, age text)")
    con.executemany("insert into released values (?, ?, ?)", rows)
    columns = ", ".join(by)
    con.execute("create or replace temp table everyone (a text, b text, age text)")
    con.executemany("insert into everyone values (?, ?, ?)", everybody)
    con.execute(
        f"""create or replace temp table counted as
        select {columns}, count(*) as value from everyone group by all"""
    )

    def counts(people: tuple[Person, ...]) -> list[tuple[object, ...]]:
        return sorted(tuple(person[NAMES.index(name)] for name in by) for person in people)

    def fits(people: tuple[Person, ...]) -> bool:
        return any(
            all(
                covers(row[0], person[0]) and row[1] == person[1] and covers(row[2], person[2])
                for row, person in zip(rows, order, strict=True)
            )
            for order in permutations(people)
        )

    possible = [
        people
        for people in combinations_with_replacement([*product(*DOMAIN.values())], len(rows))
        if counts(people) == counts(tuple(everybody)) and fits(people)
    ]
    told = sqlanon.tables_together(
        con, ["counted"], NAMES, releases=["released"], domain="domain", threshold=3, programs="integer"
    ).fetchall()
    case = Case([Table([], "", 1, {})], [], [], False)
    for name, lower, upper, _, _, by_what, unfinished in told:
        assert not unfinished
        if by_what != "all tables" or "{" in name or "*" in name or "[" in name or "others" in name:
            continue
        sizes = [sum(meant(name, case)((*person, 1)) for person in people) for people in possible]
        assert lower <= min(sizes) <= max(sizes) <= upper


def test_rows_and_a_table_tell_a_disease(con: duckdb.DuckDBPyConnection) -> None:
    """A release with three people in each class, and a table of those over thirty: neither tells anything of
    the one person below thirty, and together they tell the disease."""
    con.execute(
        """create or replace temp table released as
        from (values ('[20, 39]', 'flu'), ('[20, 39]', 'flu'), ('[20, 39]', 'gout'),
                     ('[40, 59]', 'flu'), ('[40, 59]', 'gout'), ('[40, 59]', 'gout')) as row(age, disease)"""
    )
    con.execute(
        "create or replace temp table older as from (values ('flu', 2), ('gout', 3)) as row(disease, value)"
    )
    about: dict[str, Any] = {"threshold": 3, "programs": "none"}
    told = sqlanon.tables_together(
        con, ["older"], ["disease", "age"], releases=["released"], filters=["age >= 30", ""], **about
    )
    known = {cell: (lower, upper) for cell, lower, upper, *_ in told.fetchall()}
    assert known["released: flu, [20, 39] + released: flu, [40, 59] - older: flu"] == (1, 1)
    assert not sqlanon.tables_together(con, ["older"], "disease", filters=["age >= 30"], **about).fetchall()


def test_rows_without_programs(con: duckdb.DuckDBPyConnection) -> None:
    """Plain SQL reconstructs nothing, and says so."""
    with duckdb.connect() as plain:
        sqlanon.register(plain)
        found = plain.execute(
            """with by_sex as (select 'F' as sex, 1 as value),
            domain as (from (values ('sex', 'F'), ('sex', 'M')) as row(attribute, value))
            from sqlanon.reconstruct(['by_sex'], 'sex', 'domain')"""
        ).fetchall()
    assert found == [(None, 0, None, None, True)]


@solver
@examples(100, quick=2)
@given(
    st.lists(
        st.tuples(*(st.sampled_from(DOMAIN[name]) for name in NAMES), st.just(1), st.integers(-3, 9)),
        min_size=1,
        max_size=6,
    ),
    st.lists(
        st.tuples(
            st.lists(st.sampled_from(NAMES), unique=True, min_size=1, max_size=2),
            st.sampled_from([*FILTERS]),
            st.sampled_from(["sum", "mean", "rounded"]),
        ),
        min_size=2,
        max_size=4,
    ),
    st.booleans(),
)
def test_sums(
    con: duckdb.DuckDBPyConnection,
    everybody: list[tuple[Any, ...]],
    asked: list[tuple[list[str], str, str]],
    with_range: bool,
) -> None:
    """What few people are told to have in all is what they have, whatever is printed."""
    tables, cells, names = [], [], []
    for number, (dimensions, kept, kind) in enumerate(asked):
        table = Table(dimensions, kept, 1, {})
        columns = ", ".join(f"{name} text" for name in dimensions)
        name = f"m{number}"
        con.execute(
            f"create or replace temp table {name} ({columns}, value integer, amount text, average text)"
        )
        for key in product(*([*DOMAIN[each], TOTAL] for each in dimensions)):
            labels = {each: label for each, label in zip(dimensions, key, strict=True) if label != TOTAL}
            is_in = counted(labels, table, False)
            amounts = [person[4] for person in everybody if is_in(person)]
            if not amounts:
                continue
            table.cells[key] = len(amounts)
            text = ", ".join(labels[each] for each in sorted(labels))
            cells.append(Published(name + (f": {text}" if text else ""), is_in, len(amounts), len(amounts)))
            shown = {"sum": str(sum(amounts)), "rounded": f"{sum(amounts):.1f}"}.get(kind)
            average = f"{sum(amounts) / len(amounts):.1f}" if kind == "mean" else None
            con.execute(
                f"insert into {name} values ({', '.join('?' * (len(key) + 3))})",
                [*key, len(amounts), shown, average],
            )
        if table.cells:
            tables.append(table)
            names.append(name)
    assume(len(names) > 1)
    used = sorted({name for table in tables for name in table.dimensions})
    told = sqlanon.tables_together(
        con, list[Any](names), used, filters=[table.filter or None for table in tables], domain="domain",
        threshold=3, sum_column="amount", mean_column="average", percent=60,
        measure_least=-3 if with_range else -1000, measure_most=9 if with_range else None,
    ).fetchall()  # fmt: skip
    case = Case(tables, cells, [], False)
    for name, lower, upper, *_, found_by, unfinished in told:
        if found_by != "sum" or name.endswith(" others"):
            continue
        is_in = meant(name, case)
        inside = [person[4] for person in everybody if is_in(person)]
        assert lower - 1e-6 <= sum(inside) <= upper + 1e-6, (name, inside)
        assert not unfinished


@pytest.mark.slow("3 s")
@solver
def test_the_income_of_one(con: duckdb.DuckDBPyConnection) -> None:
    """Everybody less the over-thirties is one person; what is only known from all sums, too; and sums that
    cannot be."""
    con.execute(
        """create or replace temp table everybody as
        from (values ('flu', 5, '5,000'), ('gout', 9, '9000')) as row(disease, value, income)"""
    )
    con.execute(
        """create or replace temp table over_30 as
        from (values ('flu', 4, '3800'), ('gout', 9, '9000')) as row(disease, value, income)"""
    )
    both: list[Any] = ["everybody", "over_30"]
    about: dict[str, Any] = {"filters": [None, "age > 30"], "threshold": 3, "sum_column": "income"}
    told = sqlanon.tables_together(con, both, "disease", **about).filter("found_by = 'sum'").fetchall()
    assert told == [
        ("everybody: flu - over_30: flu", 1200, 1200, both,
         "everybody: flu (5000 in all) - over_30: flu (3800) = 1200, of 1 person", "sum", False)
    ]  # fmt: skip
    contradicting = sqlanon.tables_together(con, both, "disease", measure_most=1100, **about)
    [(because,)] = contradicting.filter("found_by = 'contradiction'").project("because").fetchall()
    assert because.startswith("the sums contradict each other: ")
    assert "everybody: flu" in because
    assert contradicting.filter("found_by = 'difference'").fetchall()
    con.execute(
        "create or replace temp table over_30 as select 'flu' as disease, 4 as value, 'many' as income"
    )
    with pytest.raises(sqlanon.SqlanonError, match="table over_30 has a sum or mean that is no number: many"):
        sqlanon.tables_together(con, both, "disease", **about)


@solver
def test_nobody_has_nothing(con: duckdb.DuckDBPyConnection) -> None:
    """Six over 30 and three others are all nine: nobody else has any of the 306, so that 2 are left for B."""
    con.execute("create or replace temp table everybody as select 9 as value, 306 as income")
    con.execute("create or replace temp table under_30 as select 3 as value, 83 as income")
    con.execute(
        """create or replace temp table over_30 as
        from (values ('A', 5, 221), ('B', 1, null)) as row(ward, value, income)"""
    )
    told = sqlanon.tables_together(
        con, ["everybody", "over_30", "under_30"], "ward", filters=["", "age > 30", "age <= 30"], threshold=3,
        sum_column="income", measure_least=0,
    )  # fmt: skip
    assert found(told.filter("found_by = 'sum'")) == {"over_30: B": (2, 2)}


WARDS = {"A": 20, "B": 22}
OVER_30 = {("A", "F"): 7, ("A", "M"): 8, ("B", "F"): 10, ("B", "M"): 10}


def table_of(
    con: duckdb.DuckDBPyConnection, name: str, columns: str, rows: dict[Any, Any], value: str = "value"
) -> None:
    """A table by its cells: labels and what is shown."""
    named = ", ".join([*(f"{each} text" for each in columns.split()), f"{value} text"])
    con.execute(f"create or replace temp table {name} ({named})")
    marks = ", ".join("?" * (len(columns.split()) + 1))
    con.executemany(
        f"insert into {name} values ({marks})",
        [[*((key,) if isinstance(key, str) else key), shown] for key, shown in rows.items()],
    )


def found(told: duckdb.DuckDBPyRelation) -> dict[str, tuple[float, float]]:
    """The cells that are told, with their bounds."""
    return {cell: (lower, upper) for cell, lower, upper, *_ in told.fetchall() if lower is not None}


@solver
@pytest.mark.parametrize("further", [None, 39, 42])
def test_a_whole_set_of_cells(con: duckdb.DuckDBPyConnection, further: int | None) -> None:
    """Women and men over 30 of ward B are 20, though nobody has published that; a further table changes
    nothing."""
    table_of(con, "wards", "ward", WARDS)
    table_of(con, "over_30", "ward sex", OVER_30)
    tables, filters = ["wards", "over_30"], ["", "age > 30"]
    if further is not None:
        con.execute(f"create or replace temp table over_20 as select {further} as value")
        tables, filters = [*tables, "over_20"], [*filters, "age > 20"]
    told = found(sqlanon.tables_together(con, list[Any](tables), ["ward", "sex"], filters=filters))
    assert told["wards: B - over_30: B, F + over_30: B, M"] == (2, 2)


@solver
@pytest.mark.parametrize("with_total", [False, True])
def test_a_whole_set_beside_hidden_cells(con: duckdb.DuckDBPyConnection, with_total: bool) -> None:
    table_of(con, "wards", "sex", {"F": "*", "M": "*", "total": "20"})
    total = {"total": 18} if with_total else {}
    table_of(con, "over_30", "sex", {"F": 9, "M": 9, **total})
    told = found(sqlanon.tables_together(con, ["wards", "over_30"], "sex", filters=["", "age > 30"]))
    name = "over_30" if with_total else "over_30: F + over_30: M"
    assert told[f"wards - {name}"] == (2, 2)


@solver
def test_a_hidden_total_whose_parts_are_shown(con: duckdb.DuckDBPyConnection) -> None:
    table_of(con, "wards", "ward", WARDS)
    table_of(con, "over_20", "sex", {"F": 20, "M": 21})
    table_of(
        con, "over_30", "ward sex",
        {("B", "F"): "10", ("B", "M"): "10", ("B", "total"): "*", ("A", "F"): "9", ("A", "M"): "6"},
    )  # fmt: skip
    told = found(
        sqlanon.tables_together(
            con, ["wards", "over_20", "over_30"], ["ward", "sex"], filters=["", "age > 20", "age > 30"]
        )
    )
    assert told["wards: B - over_30: B"] == (2, 2)


@solver
def test_tables_that_contradict_each_other(con: duckdb.DuckDBPyConnection) -> None:
    """Two of three contradict each other: the cells are named, and what each of them tells with the third is
    told, whatever the order."""
    table_of(con, "wards", "ward", WARDS)
    table_of(con, "others", "ward", {"A": 20, "B": 25})
    table_of(con, "over_30", "ward", {"A": 18, "B": 21})
    filters = {"over_30": "age > 30"}
    for order in some([*permutations(["wards", "others", "over_30"])], 4):
        told = sqlanon.tables_together(con, [*order], "ward", filters=[filters.get(name) for name in order])
        cells = found(told)
        for name, number in (("wards: B", 1), ("others: B", 4), ("wards: A", 2)):
            assert cells[f"{name} - over_30: {name[-1]}"] == (number, number)
        clash = told.filter("found_by = 'contradiction'").project("because").fetchall()
        first, second = (name for name in order if name != "over_30")
        numbers = {"wards": 22, "others": 25}
        assert [because.partition(" (a comb")[0] for (because,) in clash] == [
            f"the tables contradict each other: {first}: B ({numbers[first]}) and "
            f"{second}: B ({numbers[second]}) count the same people"
        ]


@solver
@pytest.mark.parametrize(
    ("periods", "growing", "rows"),
    [
        (["2026-03", "2026-04"], None, ["wards (2026-03), others (2026-04) are of different periods"]),
        (["2026-03", ""], None, ["others has no period, and is not compared with wards"]),
        (["2026-03", ""], True, ["others has no period, and is not compared with wards"]),
        (["2026-03", "2026-04"], False, []),
        (["2026-03", "2026-03"], None, None),
    ],
)
def test_periods_of_which_nobody_has_said_more(
    con: duckdb.DuckDBPyConnection, periods: list[str], growing: bool | None, rows: list[str] | None
) -> None:
    """What is not compared is told, and is no all-clear. Who says that each period is of other people has
    nothing to compare."""
    table_of(con, "wards", "ward", WARDS)
    table_of(con, "others", "ward", {"A": 18, "B": 22})
    told = sqlanon.tables_together(
        con, ["wards", "others"], "ward", filters=["", "age > 30"], periods=periods, growing=growing
    ).fetchall()
    if rows is None:
        assert ("wards: A - others: A", 2, 2) in [row[:3] for row in told]
        return
    assert [(row[1], row[5], row[6]) for row in told] == [(None, "not compared", True)] * len(rows)
    assert all(because.startswith(text) for (*_, because, _, _), text in zip(told, rows, strict=True))


@pytest.mark.slow("1 s a case", but=(1,))
@solver
@pytest.mark.parametrize(
    ("mean", "most", "people"),
    [("1.33", 4, 3), ("2.50", 3, 2), ("2.00", 4, None), ("1.25", 4, 4)],
)
def test_a_hidden_count_with_a_mean(
    con: duckdb.DuckDBPyConnection, mean: str, most: int, people: int | None
) -> None:
    """Whole numbers have a whole sum: so a mean tells how many there are. Where nobody has said that they are
    whole, it is not known."""
    con.execute(
        "create or replace temp table visits as "
        f"from (values ('A', '<{most + 1}', '{mean}'), ('B', '12', '2.50')) as row(ward, value, mean)"
    )
    about: dict[str, Any] = {"mean_column": "mean", "measure_least": 1}
    for step in (1, None):
        told = sqlanon.tables_together(con, ["visits"], "ward", measure_step=step, **about)
        rows = told.filter("found_by = 'mean'").project("cell, lower, upper, unfinished").fetchall()
        assert rows == ([("visits: A", people, people, step is None)] if people else [])
        by_count = told.filter("found_by = 'hidden cell'").project("cell, lower, upper").fetchall()
        assert by_count == [("visits: A", *((people, people) if people and step else (1, most)))]


@pytest.mark.parametrize(
    ("lo", "hi", "is_known"),
    [(100, 100, True), (0, 0, True), (0, 5, False), (89.9, 110, False), (91, 110, True), (100, 122, True),
     (100, 123, False), (-110, -91, True), (-5, 5, False)],
)  # fmt: skip
def test_within_ten_percent_on_each_side(
    con: duckdb.DuckDBPyConnection, lo: float, hi: float, is_known: bool
) -> None:
    """A value of the interval has ten percent of it below and above: it is not known (as for what
    suppress_cells leaves)."""
    assert con.execute(f"select sqlanon._is_sum_known({lo}::double, {hi}::double, 10)").fetchall() == [
        (is_known,)
    ]
    inside = [lo + (hi - lo) * k / 1000 for k in range(1001)]
    has_room = any(lo <= v - abs(v) / 10 + 1e-9 and v + abs(v) / 10 <= hi + 1e-9 for v in inside)
    assert is_known is (not has_room or lo == hi)


def test_classes_that_overlap_in_many_columns(con: duckdb.DuckDBPyConnection) -> None:
    """As many pairs of classes are looked at as there are, and not all combinations of their labels, of which
    these twelve within each other have 650 million."""
    con.execute(
        "create table boxes as select 1 as nth, i as box, i as cell, list_transform(range(8), lambda d: i) "
        "as sets from range(1, 13) as n(i)"
    )
    con.execute(
        "create table sets_within as select d, o.i as outer_set, n.i as inner_set "
        "from range(1, 9) as of(d), range(1, 13) as o(i), range(1, 13) as n(i) where n.i <= o.i"
    )
    pairs = con.execute("from sqlanon._boxes_within_boxes('boxes', 'sets_within', 0)").fetchall()
    assert sorted(pairs) == [(small, large) for small in range(1, 13) for large in range(small, 13)]


def test_values_that_no_label_tells_apart_are_one(con: duckdb.DuckDBPyConnection) -> None:
    """What other labels of a hierarchy would tell apart does not matter."""
    con.execute("create table terms as select 1 as cell, 1 as d, 'old' as label, false as of_table")
    con.execute("create table numbered as select 1 as d, 'age' as dimension, 'age' as name")
    con.execute("create table told_apart as select 1 as d, i::text as value from range(10, 99) as n(i)")
    con.execute(
        "create table levels as select 'age' as attribute, i::text as value, level, case level "
        "when 0 then i::text when 1 then left(i::text, 1) || '0s' else if(i < 50, 'young', 'old') end "
        "as label from range(10, 99) as n(i), range(3) as of(level)"
    )
    points = con.execute(
        "select labels, len(values) from sqlanon._points_of_dimensions("
        "'told_apart', 'terms', 'numbered', 'levels') order by all"
    ).fetchall()
    assert points == [([], 40), (["old"], 49)]
