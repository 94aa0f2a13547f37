"""Anonymizers and measures that others have written: what they make is checked and measured, too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from sqlanon.core import plugins
from sqlanon.core.errors import InputError, UseError, VerificationError
from sqlanon.measure import plugged
from sqlanon.policies.policy import load
from tests.budget import examples
from tests.cli.test_cli import folder as folder  # a fixture
from tests.cli.test_cli import ok, query, run

# {rows}: what it releases of its source; {columns}: in which columns.
SCRIPT = """
create macro {name}(tbl, qi, sensitive, k := 2{more}) as table
    from query('select ''*'' as ' || qi[1] || ', {columns}' || sensitive[1] || ' from ({rows})');
comment on macro table {name} is $$
Releases one class.

Parameters:
- tbl (table): the table.
- qi (columns): one quasi-identifier.
- sensitive (columns): one sensitive column.
- k (integer, at least 1; default 2): the rows of a class.{told}

Result:
- <qi> (text): '*'.
- <sensitive> (unchanged): as in tbl.

Anonymizer:
- releases: {releases}
$$;
"""
ALL = "from ' || tbl || '"
TWICE = "from ' || tbl || ' union all from ' || tbl || '"
HALF = "from ' || tbl || ' limit 6"
# As many rows as there are, but not the same ones.
OTHERS = "select * replace (''flu'' as disease) from ' || tbl || '"
UNIT = "\n- unit (column; default null): whose a row is."
MEASURE = """
create macro lost_rows(original, release) as table
    from query('select null::varchar as attribute, ''rows'' as unit,
        (select count(*) from ' || original || ') - (select count(*) from ' || release || ') as value');
comment on macro table lost_rows is $$
Counts the rows that are not released.

Parameters:
- original (table): the original.
- release (table): the release.

Result:
- attribute (text): NULL.
- unit (text): rows.
- value (number): their number.

Measure:
- better: less
$$;
"""
PEOPLE = """
select i as id, i // 2 as person, i % 7 as age, ['flu', 'cold', 'gout'][i % 3 + 1] as disease
from range(12) as t(i)"""
POLICY = (
    '[roles]\nqi = ["age"]\nsensitive = ["disease"]\n[requirements]\nk = 2\n[method]\nname = "one_class"\n'
)


def script(rows: str = ALL, name: str = "one_class", releases: str = "classes", **more: str) -> str:
    holes = {"columns": "", "more": "", "told": "", **more}
    return SCRIPT.format(rows=rows, name=name, releases=releases, **holes)


@pytest.fixture(autouse=True)
def none_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugins, "_given", {})


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        sqlanon.register(con)
        con.execute(f"create table people as {PEOPLE}")
        yield con


def made(con: duckdb.DuckDBPyConnection, **more: Any) -> sqlanon.Release:
    return sqlanon.anonymize_by(con, "one_class", "people", "age", "disease", **more)


def test_its_release_is_one_as_others_are(con: duckdb.DuckDBPyConnection) -> None:
    assert sqlanon.plug_in(script()) == ["one_class"]
    release = made(con, k=12, l=3, into="out")
    assert (release.rows, release.classes, release.suppressed_rows) == (12, 1, 0)
    assert release.reached == {"k-anonymity": 12, "distinct l-diversity": 3}
    before = con.execute("select disease from people").fetchall()
    after = con.execute("select disease from out").fetchall()
    assert Counter(after) == Counter(before)
    orders = set()
    for _ in range(20):
        con.execute("select setseed(0.5)").fetchall()  # who knows it does not know the order
        release = made(con, k=12)
        order = [disease for (disease,) in release.relation(con).select("disease").fetchall()]
        assert [disease for disease, _ in groupby(order)] == [*dict.fromkeys(order)]  # of values alone
        orders.add(tuple(order))
    assert len(orders) > 1


@pytest.mark.parametrize(
    ("rows", "asked", "message"),
    [
        (ALL, {"k": 13}, "violations, the first of k-anonymity"),
        (ALL, {"k": 2, "l": 4}, "violations, the first of distinct l-diversity"),
        (TWICE, {"k": 2}, "one_class returns rows that the source does not have"),
        (OTHERS, {"k": 2}, "one_class returns rows that the source does not have"),
    ],
)
def test_what_does_not_hold_is_not_made(
    con: duckdb.DuckDBPyConnection, rows: str, asked: dict[str, int], message: str
) -> None:
    sqlanon.plug_in(script(rows))
    with pytest.raises(VerificationError, match=message):
        made(con, **asked, into="out")
    assert con.execute("select count(*) from duckdb_tables() where table_name = 'out'").fetchall() == [(0,)]


# Ages 0 to 6 of PEOPLE: an id that leaves tells rows apart, or only the disease does.
LABELS = """
create macro labelled(tbl, qi, sensitive, keep := []::varchar[], hierarchies := null) as table
    from query('select ({label}) as ' || qi[1] || ', ' || array_to_string(sensitive || keep, ', ')
               || ' from ' || tbl{where});
comment on macro table labelled is $$
Releases a label.

Parameters:
- tbl (table): the table.
- qi (columns): one quasi-identifier.
- sensitive (columns): sensitive columns.
- keep (columns; default []): columns that leave.
- hierarchies (table; default null): what labels cover.

Result:
- <qi> (text): the label.
- <sensitive> (unchanged): as in tbl.

Anonymizer:
- releases: classes
$$;
"""
RIGHT = "case when age < 4 then '[0, 3]' else '[4, 6]' end"
HIERARCHY = """
create table tree as
    select 'age' as attribute, age::varchar as value, unnest([0, 1, 2]) as level,
           unnest([age::varchar, if(age < 4, 'young', 'old'), 'any age']) as label
    from range(7) as t(age)"""


@pytest.mark.parametrize(
    ("label", "keep", "rows"),
    [
        (RIGHT, "id", 0),
        (RIGHT, None, 0),
        ("case when age < 4 then '{0, 1, 2, 3}' when age < 6 then '[4, 5]' else '6' end", "id", 0),
        ("case when age < 4 then '*' else '[4, 7[' end", None, 0),
        (RIGHT.replace("3]", "2]"), "id", 2),  # one off
        (RIGHT.replace("3]", "2]"), None, 2),
        (RIGHT.replace("[4", "]4"), "id", 2),
        (RIGHT.replace("[4, 6]", "{4, 6}"), "id", 1),
        (RIGHT.replace("[4, 6]", "1*"), "id", 4),  # a wrong prefix
        ("case age when 1 then '2' when 2 then '1' else age::text end", "id", 4),  # a swapped pair
        ("case when age < 4 then 'young' else 'old' end", "id", 12),  # nobody says what they cover
    ],
)
def test_a_label_covers_the_row_it_stands_for(
    con: duckdb.DuckDBPyConnection, label: str, keep: str | None, rows: int
) -> None:
    text = label.replace("'", "''")
    sqlanon.plug_in(LABELS.replace("{label}", text).replace("{where}", ""))
    asked: dict[str, Any] = {"k": 1, "into": "out"}
    if rows == 0:
        assert (
            sqlanon.anonymize_by(con, "labelled", "people", "age", "disease", keep=keep, **asked).rows == 12
        )
        return
    expected = (
        rf"labelled returns {rows} rows whose label in column age covers no row of the source that is left "
        f"for them and the same disease{', id' if keep else ''}"
    )
    with pytest.raises(VerificationError, match=expected):
        sqlanon.anonymize_by(con, "labelled", "people", "age", "disease", keep=keep, **asked)
    assert con.execute("select count(*) from duckdb_tables() where table_name = 'out'").fetchall() == [(0,)]


SMALL = st.integers(0, 4)


@examples(40)
@given(
    st.lists(st.tuples(SMALL, SMALL, st.sampled_from("ab")), min_size=1, max_size=8),
    st.lists(st.tuples(SMALL, SMALL, SMALL, st.sampled_from("ab")), min_size=1, max_size=8),
)
def test_rows_that_no_row_covers_are_counted_as_by_hand(
    people: list[tuple[int, int, str]], made: list[tuple[int, int, int, str]]
) -> None:
    """Released: lo and hi of an interval, a second value as it is, and a sensitive value."""
    released = Counter((min(lo, hi), max(lo, hi), b, value) for lo, hi, b, value in made)
    source = Counter(people)

    def fits(row: tuple[int, int, int, str], person: tuple[int, int, str]) -> bool:
        return row[0] <= person[0] <= row[1] and row[2:] == person[1:]

    def short(ours: Counter[Any], theirs: Counter[Any], fit: Callable[[Any, Any], bool]) -> int:
        return sum(
            max(0, n - sum(m for other, m in theirs.items() if fit(one, other))) for one, n in ours.items()
        )

    with duckdb.connect() as con:
        sqlanon.register(con)
        con.execute("create table people (a integer, b integer, value text)")
        con.executemany("insert into people values (?, ?, ?)", people)
        con.execute("create table made (a text, b integer, value text)")
        rows = [(f"[{lo}, {hi}]", b, value) for lo, hi, b, value in released.elements()]
        con.executemany("insert into made values (?, ?, ?)", rows)
        [found] = con.execute(
            "select released_rows, source_rows from sqlanon._rows_not_covered("
            "'made', 'people', ['a', 'b'], ['value'], null)"
        ).fetchall()
    assert found == (
        short(released, source, fits),
        short(source, released, lambda person, row: fits(row, person)),
    )


def test_a_hierarchy_says_what_a_label_covers(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(HIERARCHY)
    for oldest, is_right in ((4, True), (5, False)):
        label = f"case when age < {oldest} then ''young'' else ''old'' end"
        sqlanon.plug_in(LABELS.replace("{label}", label).replace("{where}", ""))
        tree = {"hierarchies": "tree"}
        if is_right:
            sqlanon.anonymize_by(con, "labelled", "people", "age", "disease", keep="id", k=1, parameters=tree)
            continue
        with pytest.raises(VerificationError, match=r"returns 2 rows .*: young, for example"):
            sqlanon.anonymize_by(con, "labelled", "people", "age", "disease", keep="id", k=1, parameters=tree)


def test_who_is_in_no_row_must_be_suppressed(con: duckdb.DuckDBPyConnection) -> None:
    """Each label covers as many rows as have it; of the two rows that [8, 9] covers, one is nobody's."""
    con.execute("create table few as select unnest([5, 5, 8, 9]) as age, 'flu' as disease")
    label = "if(age = 9, '[5, 8]', if(age = 8, '[5, 9]', '[5, 6]'))".replace("'", "''")
    sqlanon.plug_in(LABELS.replace("{label}", label).replace("{where}", ""))
    assert sqlanon.anonymize_by(con, "labelled", "few", "age", "disease", k=1).rows == 4
    label = "if(age = 9, '[5, 8]', '[5, 6]')".replace("'", "''").replace("[5, 6]", "[5, 8]")
    sqlanon.plug_in(LABELS.replace("{label}", label).replace("{where}", ""))
    lacking = r"returns 1 rows whose label in column age"
    with pytest.raises(VerificationError, match=lacking):
        sqlanon.anonymize_by(con, "labelled", "few", "age", "disease", k=1)
    label = "if(age = 8, '[5, 6]', if(age = 9, '[8, 8]', '[5, 8]'))".replace("'", "''")
    sqlanon.plug_in(LABELS.replace("{label}", label).replace("{where}", ""))
    with pytest.raises(VerificationError, match="1 rows of the source are in no row that labelled returns"):
        sqlanon.anonymize_by(con, "labelled", "few", "age", "disease", k=1)
    left_out = LABELS.replace("{label}", label).replace("{where}", " || ' where age <> 9'")
    sqlanon.plug_in(left_out)
    assert sqlanon.anonymize_by(con, "labelled", "few", "age", "disease", k=1).suppressed_rows == 1


def test_what_it_leaves_out_is_suppressed(con: duckdb.DuckDBPyConnection) -> None:
    sqlanon.plug_in(script(HALF))
    assert made(con, k=2).suppressed_rows == 6


def test_it_sees_and_returns_columns_that_have_a_role(con: duckdb.DuckDBPyConnection) -> None:
    sqlanon.plug_in(script(columns="1 as more, "))
    with pytest.raises(InputError, match="one_class must return age, disease, not age, more, disease"):
        made(con, k=2)
    sqlanon.plug_in(script(columns="id, "))
    with pytest.raises(InputError, match="id"):
        made(con, k=2)  # the one that was given last


def test_people_are_counted_if_it_returns_the_unit(con: duckdb.DuckDBPyConnection) -> None:
    sqlanon.plug_in(script())
    with pytest.raises(InputError, match="one_class takes no unit"):
        made(con, k=2, unit="person")
    sqlanon.plug_in(script(name="of_people", columns="' || unit || ', ", more=", unit := null", told=UNIT))
    release = sqlanon.anonymize_by(con, "of_people", "people", "age", "disease", unit="person", k=6)
    assert (release.people, release.reached) == (6, {"k-anonymity": 6})
    assert release.relation(con).columns == ["age", "disease"]


def test_what_it_cannot_know_is_refused(con: duckdb.DuckDBPyConnection) -> None:
    sqlanon.plug_in(script())
    with pytest.raises(InputError, match="one_class does not know"):
        made(con, k=2, k_map=3)
    with pytest.raises(UseError, match="there is no anonymizer two_classes of others"):
        sqlanon.anonymize_by(con, "two_classes", "people", "age", "disease", k=2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (script() + "drop table people;", "must only create macros and comment on them"),
        ("create macro f(x) as x", "has no comment on a macro"),
        (script(releases="rows"), "must say releases: classes, or centroids"),
        (MEASURE.replace("better: less", "better: 1"), "must say better: less, or more"),
        (script(name="mondrian"), "there is a macro mondrian already"),
        ("create macro", "is not SQL"),
        (MEASURE.replace("macro table", "macro"), "must say: comment on macro table"),
        (MEASURE[MEASURE.index("comment on") :], "comments on .*, and does not create it"),
    ],
)
def test_what_no_script_may_be(text: str, message: str) -> None:
    with pytest.raises(UseError, match=message):
        sqlanon.plug_in(text)


def test_a_policy_names_one_that_is_there(folder: Path, con: duckdb.DuckDBPyConnection) -> None:
    path = Path("policy.toml")
    path.write_text(POLICY)
    with pytest.raises(UseError, match=r'must be one of .*, not "one_class" \(others need --plugin'):
        load(path)
    Path("mine.sql").write_text(script())
    con.execute(f"copy ({PEOPLE}) to 'people.csv'")
    ok("--plugin", "mine.sql", "anonymize", "people.csv", "--policy", path, "-o", "out.csv")
    assert query("select distinct age from 'out.csv'") == [("*",)]
    assert load(path).run(con, "people").classes == 1
    told = run("--plugin", "none.sql", "check", "out.csv", "--policy", path)
    assert (told.exit_code, "there is no file none.sql" in told.stderr) == (2, True)
    told = run("anonymize", "people.csv", "--policy", path, "--sql")
    assert "is for a run, not for a statement" in told.stderr


@pytest.mark.slow("10 s", but=(0,))
@pytest.mark.parametrize("releases", ["classes", "centroids"])
def test_it_goes_through_the_gate(folder: Path, con: duckdb.DuckDBPyConnection, releases: str) -> None:
    """publish, a second publish, audit and report, as with any method."""
    made = script(releases=releases)
    Path("mine.sql").write_text(made if releases == "classes" else made.replace("''*'' as", "3 as"))
    bounds = "[tolerated]\nintersection_attack.pvp_100 = 0\nskyline.certain = 100\n"
    Path("policy.toml").write_text(f"confirmed = true\n{POLICY}{bounds}")
    con.execute(f"copy ({PEOPLE}) to 'people.csv'")
    of_plugin = ("--plugin", "mine.sql")
    for name in ("first", "second"):
        to = ("-o", f"{name}.csv", "--register", "r.db")
        ok(*of_plugin, "publish", "people.csv", "--policy", "policy.toml", *to)
    told = ok(*of_plugin, "audit", "r.db", "--targets", "people.csv", "--format", "csv")
    assert 'intersection_attack,pvp_100,"[first, second]",disease,0.0' in told
    page = ("--original", "people.csv", "-o", "r.html")
    ok(*of_plugin, "report", "first.csv", "--policy", "policy.toml", *page)
    plugins._given.clear()  # another process
    refused = run("audit", "r.db", "--targets", "people.csv")
    assert (refused.exit_code, "others need --plugin FILE" in refused.stderr) == (2, True)


@pytest.mark.slow("8 s")
def test_a_measure_is_measured(folder: Path, con: duckdb.DuckDBPyConnection) -> None:
    sqlanon.plug_in(script(HALF))
    sqlanon.plug_in(MEASURE)
    found = sqlanon.frontier(
        con, "people", "age", "disease", k=2, methods=["one_class", "mondrian"], loss="lost_rows",
        progress=False,
    )  # fmt: skip
    assert {row["method"]: row["lost_rows"] for row in found.rows} == {"one_class": 6, "mondrian": 0}
    con.execute(f"copy ({PEOPLE}) to 'people.csv'")
    con.execute("copy (select '*' as age, disease from people limit 5) to 'out.csv'")
    told = ok("utility", "people.csv", "out.csv", "--qi", "age", "--format", "csv")
    assert told.splitlines()[-1] == "lost rows,,7.0,rows,lost_rows"


def test_a_measure_of_columns_needs_formats_to_read_them() -> None:
    of_columns = MEASURE.replace("lost_rows", "labels").replace("release)", "release, qi)", 1)
    of_columns = of_columns.replace(": the release.", ": the release.\n- qi (columns): those known.", 1)
    assert sqlanon.plug_in(of_columns) + sqlanon.plug_in(MEASURE) == ["labels", "lost_rows"]
    about: dict[str, Any] = {"qi": ["age"]}
    assert list(plugged.queries("people", "released", about)) == ["labels", "lost_rows"]
    with pytest.warns(UserWarning, match="labels is left out: .* and labels takes none"):
        found = plugged.queries("people", "released", {**about, "formats": {"age": "range"}})
    assert list(found) == ["lost_rows"]
