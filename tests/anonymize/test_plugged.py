"""Anonymizers and measures that others have written: what they make is checked and measured, too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import example, given
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


@pytest.mark.slow("1 s")
def test_its_release_is_one_as_others_are(con: duckdb.DuckDBPyConnection) -> None:
    assert sqlanon.plug_in(script()) == ["one_class"]
    release = made(con, k=12, l=3, into="out")
    assert (release.rows, release.classes, release.suppressed_rows) == (12, 1, 0)
    assert release.reached == {"k-anonymity": 12, "distinct l-diversity": 3}
    before = con.execute("select disease from people").fetchall()
    after = con.execute("select disease from out").fetchall()
    assert Counter(after) == Counter(before)
    orders = set()
    for _ in range(8):
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


LABELS = """
create macro one_class(tbl, qi, sensitive, k := 2) as table
    from query('select {label} as age, disease from ' || tbl{rows});
comment on macro table one_class is $$
Releases {what}.

Parameters:
- tbl (table): the table.
- qi (columns): age.
- sensitive (columns): disease.
- k (integer, at least 1; default 2): the rows of a class.

Result:
- age (text): a label.
- disease (unchanged): as in tbl.

Anonymizer:
- releases: {what}
$$;
"""
# the ages are 0 to 6, the first five of them twice
LIES = "the labels of age of {} rows do not cover the values of any row of the source, such as those of "


@pytest.mark.parametrize(
    ("label", "rows", "message"),
    [
        ("if(age < 4, ''[0, 3]'', ''[4, 6]'')", "", None),
        ("if(age < 4, ''0-3'', ''4 or more'')", "", "4 rows do not cover"),  # which nobody can read
        ("if(age < 4, ''[0, 3['', ''[4, 6]'')", "", LIES.format(2)),  # off by one
        ("if(age < 4, ''[0, 3]'', ''[0, 3]'')", "", LIES.format(4)),
        (
            "if(age = 0, ''[4, 6]'', if(age < 4, ''[0, 3]'', ''[4, 6]''))",
            "",
            LIES.format(2),
        ),  # both that are 0
        ("''[0, 5]''", "", "1 rows do not cover"),
        ("''[0, 5]''", " || ' where age < 6'", None),  # 6 is suppressed
        ("if(age < 4, ''[0, 4]'', ''[4, 7]'')", " || ' where age <> 6'", None),  # overlapping, and true
        ("if(age < 4, ''{0, 1, 2, 3}'', ''{4, 5, 6}'')", "", None),
        ("if(age < 4, ''{0, 1, 3}'', ''{4, 5, 6}'')", "", "2 rows do not cover"),
    ],
)
def test_labels_cover_the_values(
    con: duckdb.DuckDBPyConnection, label: str, rows: str, message: str | None
) -> None:
    sqlanon.plug_in(LABELS.format(label=label, rows=rows, what="classes"))
    if message is None:
        assert made(con, k=2).reached["k-anonymity"] >= 2
    else:
        with pytest.raises(VerificationError, match=message):
            made(con, k=2, into="out")


SMALL = st.integers(0, 4)


@pytest.mark.slow("1 s")
@examples(30)
@given(
    st.lists(st.tuples(SMALL, st.sampled_from("ab")), min_size=1, max_size=8),
    st.lists(st.tuples(SMALL, SMALL, st.sampled_from("ab")), min_size=1, max_size=8),
)
@example([(1, "a")] * 3 + [(4, "a")], [(1, 4, "a")] * 2 + [(3, 4, "a"), (4, 4, "a")])  # no room for a third
def test_rows_without_a_place_are_counted_as_by_hand(
    people: list[tuple[int, str]], made: list[tuple[int, int, str]]
) -> None:
    """Classes are intervals. People who can be in the same classes are counted together."""
    released = Counter((min(ends), max(ends), value) for *ends, value in made)
    places = [
        tuple(row for row in sorted(released) if row[0] <= age <= row[1] and row[2] == value)
        for age, value in people
    ]
    unlike = sum(max(0, n - sum(row in each for each in places)) for row, n in released.items())
    nowhere = sum(
        max(0, n - sum(released[row] for row in there)) for there, n in Counter(places).items() if there
    ) + places.count(())
    with duckdb.connect() as con:
        sqlanon.register(con)
        con.execute("create table people (age integer, value text)")
        con.executemany("insert into people values (?, ?)", people)
        con.execute("create table made (age text, value text)")
        rows = [(f"[{low}, {high}]", value) for low, high, value in released.elements()]
        con.executemany("insert into made values (?, ?)", rows)
        found = con.execute(
            "select unlike, nowhere from sqlanon._unlike_rows('made', 'people', ['age'], ['value'], null)"
        ).fetchall()
    assert found == [(unlike, nowhere)]


def test_with_an_id_each_row_is_compared_with_its_own(con: duckdb.DuckDBPyConnection) -> None:
    """A swap of two people with the same disease, of whom labels that overlap tell nothing otherwise."""
    with_id = (
        script()
        .replace("keep", "")
        .replace("''*'' as", "{} as")
        .replace("sensitive, k", "sensitive, keep, k")
    )
    with_id = with_id.replace("' || sensitive[1] ||", "' || sensitive[1] || ', ' || keep[1] ||")
    with_id = with_id.replace("- k (integer", "- keep (columns): an id.\n- k (integer")
    swapped = "case id when 0 then ''[2, 6]'' when 3 then ''[0, 2]'' else ''*'' end"
    for label, is_right in (("case when id < 4 then ''[0, 3]'' else ''*'' end", True), (swapped, False)):
        sqlanon.plug_in(with_id.replace("{}", label))
        if is_right:
            assert made(con, k=1, keep="id").rows == 12
        else:
            with pytest.raises(VerificationError, match=LIES.format(2)):
                made(con, k=1, keep="id")


def test_centroids_are_no_labels(con: duckdb.DuckDBPyConnection) -> None:
    sqlanon.plug_in(LABELS.format(label="3.5", rows="", what="centroids"))
    assert made(con, k=2).classes == 1


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


UNITS = '[accepted]\nevidence.units = "numbers of rows"\n'


@pytest.mark.slow("10 s")
@pytest.mark.parametrize("releases", ["classes", "centroids"])
def test_it_goes_through_the_gate(folder: Path, con: duckdb.DuckDBPyConnection, releases: str) -> None:
    """publish, a second publish, audit and report, as with any method."""
    made = script(releases=releases)
    Path("mine.sql").write_text(made if releases == "classes" else made.replace("''*'' as", "3 as"))
    bounds = "[tolerated]\nintersection_attack.pvp_100 = 0\nskyline.certain = 100\n"
    Path("policy.toml").write_text(f"confirmed = true\n{POLICY}{bounds}{UNITS}")
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
