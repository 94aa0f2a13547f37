"""Tables of counts through the gate beside all that is out: what the difference of two tells is not out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlanon
from sqlanon.core.comments import parameters
from sqlanon.core.errors import InputError, LimitError, RefusedError, UnreadWarning, UseError
from sqlanon.core.tables import WorkTables
from sqlanon.judge.together import Comparison, Counted, Supposed, Together
from sqlanon.policies.tables import read_table
from sqlanon.publishing.register import opened
from sqlanon.publishing.tables import TablePublication, publish_table
from tests.cells.regions import solver
from tests.judge.nights import refused

POLICY = """
[table]
dimensions = ["ward", "illness"]
threshold = 3
method = "suppress"
"""
GROWING = POLICY + "growing = true\n"
Publish = Callable[..., TablePublication]


@pytest.fixture
def con(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> duckdb.DuckDBPyConnection:
    """march: 12 people in each of four cells. april: one more of them in one cell."""
    monkeypatch.chdir(tmp_path)
    connection = duckdb.connect()
    sqlanon.register(connection)
    connection.execute(
        """
        create table march as
        select 'p' || row_number() over () as pid, ward, illness, 20 + i as age
        from (values ('A', 'flu'), ('A', 'gout'), ('B', 'flu'), ('B', 'gout')) as cell(ward, illness),
             range(12) as person(i)
        """
    ).fetchall()
    connection.execute(
        "create table april as from march union all from (values ('new', 'A', 'gout', 50)) as one"
    ).fetchall()
    return connection


def publish(
    con: duckdb.DuckDBPyConnection, text: str, source: str, output: str, **more: Any
) -> TablePublication:
    Path("table.toml").write_text(text)
    try:
        return publish_table(con, source, "table.toml", register="r.duckdb", output=output, **more)
    except RefusedError as error:
        refused(con, error)
        raise


def verdicts(con: duckdb.DuckDBPyConnection, name: str) -> dict[str, tuple[Any, ...]]:
    rows = con.execute(
        f"select attack || '.' || id, value, before, verdict from {name} where verdict is not null "
        "and attack <> 'cell_bounds'"
    ).fetchall()
    return {id: tuple(row) for id, *row in rows}


def hidden(con: duckdb.DuckDBPyConnection, file: str) -> set[tuple[str, ...]]:
    return {
        tuple(row)
        for row in con.execute(
            f"select columns(* exclude (value)) from read_csv('{file}', all_varchar = true) where value = '*'"
        ).fetchall()
    }


def test_how_counts_are_read(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        """
        create table t as
        from (values ('A', 'flu', '3'), ('A', null, '*'), ('A', 'all', '7')) as cell(ward, illness, value)
        """
    )

    def read(base: int | None, noise: int | None, least: int) -> dict[tuple[str, str], tuple[Any, ...]]:
        rows = con.execute(
            "from sqlanon._counts_to_compare("
            "'t', ['ward', 'illness'], 'value', 'all', ?, 'midpoint', ?, ?, 'total')"
            .replace("?", "{}").format(*("null" if each is None else each for each in (base, noise, least)))
        ).fetchall()  # fmt: skip
        return {(ward, illness): tuple(cell) for ward, illness, *cell in rows}

    assert read(None, None, 1) == {
        ("A", "flu"): ("3", 3, 3), ("A", None): (None, 1, None), ("A", "total"): ("7", 7, 7),
    }  # fmt: skip
    assert read(None, 4, 0) == {
        ("A", "flu"): (None, 0, 7), ("A", None): (None, 0, None), ("A", "total"): (None, 3, 11),
    }  # fmt: skip
    assert read(2, None, 0)["A", "total"] == (None, 7, 8)
    con.execute("create table counts as select ward, coalesce(illness, 'none') as illness from t")
    labels = con.execute("from sqlanon._labels_alone('counts', ['ward', 'illness'], 'all')").fetchall()
    assert sorted(labels) == [
        ("A", "all", None, 0, None), ("all", "flu", None, 0, None), ("all", "none", None, 0, None),
    ]  # fmt: skip
    con.execute(
        "create table p as from (values (29, 'F'), (31, 'F'), (null, 'M'), (40, 'M')) as row(age, sex)"
    )
    for filter, ages in {
        "": [29, 31, 40, None], "age > 30": [31, 40], "age is null": [None],
        "sex = 'F' and age between 20 and 30": [29], "Sex in ('M', 'X')": [40, None],
    }.items():  # fmt: skip
        text = filter.replace("'", "''")
        found = con.execute(f"select age from sqlanon._rows_that_hold('p', '{text}') order by age").fetchall()
        assert [age for (age,) in found] == ages
    con.execute(
        """
        create table stated as from (values
            ('a', 'ward', 'A'), ('a', 'ward', 'B'), ('a', 'age', '1'), ('b', 'station', 'a'),
            ('b', 'station', 'B'), ('b', 'age', '1'), ('b', 'sex', 'F')) as one(name, attribute, value)
        """
    )
    alike = con.execute("from sqlanon._columns_alike('stated')").fetchall()
    assert alike == [("a", "ward", "b", "station")]


@solver
@pytest.mark.slow("5 s: the tutorial does it, too")
def test_one_who_came_since(con: duckdb.DuckDBPyConnection) -> None:
    """April's table is refused; the message says which cells to hide, and with these it goes out."""
    assert publish(con, GROWING, "march", "march.csv", period="2026-03").is_out
    with pytest.raises(RefusedError) as refused:
        publish(con, GROWING, "april", "april.csv", period="2026-04")
    assert not Path("april.csv").exists()
    [reason] = refused.value.reasons
    assert "april: A, gout (13) - march: A, gout (12) = 1 person" in reason
    cells = "A, gout; A, total; total, gout; total, total"
    assert f"Hide 4 more cells ({cells}): table.hide_with_earlier = true does it" in reason
    # the person is one part of what the tables tell apart, which four differences tell
    assert verdicts(con, refused.value.verdicts) == {"tables_together.known": (1, 0, "fails")}
    text = GROWING + "hide_with_earlier = true"
    made = publish(con, text, "april", "april.csv", period="2026-04")
    assert (made.is_out, made.hidden) == (True, 4)
    assert hidden(con, "april.csv") == {
        ("A", "gout"), ("A", "total"), ("total", "gout"), ("total", "total"),
    }  # fmt: skip
    with opened(con, "r.duckdb", read_only=True) as known:
        entry = known.entry("april")
        assert (entry.filter, entry.period) == (None, "2026-04")
        assert entry.parameters["growing"] is True


@solver
@pytest.mark.slow("4 s")
def test_rows_of_people_who_have_several(con: duckdb.DuckDBPyConnection) -> None:
    """Nobody has said whose a row is, and a column looks as if it did: how many people there are is not
    known. With a unit people are counted, who are in several cells: what follows from bounds fails, and the
    rest is not known."""
    con.execute(
        "create table visits as select pid as patient_id, * exclude (pid) from march "
        "union all from (values ('p1', 'B', 'gout', 20)) as one"
    )
    with pytest.raises(RefusedError, match=r'Say table\.unit = "patient_id"') as refused:
        publish(con, GROWING, "visits", "visits.csv", period="2026-10")
    assert "evidence.units" in verdicts(con, refused.value.verdicts)
    publish(con, GROWING, "march", "march.csv", period="2026-9")
    several = "people are counted in several cells.* one row per person"
    unit = GROWING + "unit = 'patient_id'\n"
    with pytest.raises(RefusedError, match=several) as refused:
        publish(con, unit, "visits", "visits.csv", period="2026-10")
    assert refused.value.verdict == "fails"  # one person came into B, gout
    told = verdicts(con, refused.value.verdicts)
    assert "evidence.units" not in told
    assert told["tables_together.known"][2] == "fails"
    con.execute(
        "create table more as select pid as patient_id, * exclude (pid) from march union all "
        "(select pid, 'B', 'gout', age from march where ward = 'A' order by all limit 10)"
    )  # ten people are in a second cell
    with pytest.raises(RefusedError, match=several) as refused:
        publish(con, unit, "more", "more.csv", period="2026-10")
    assert refused.value.verdict == "not known"


def test_order_of_periods(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """Digits are ordered as numbers; a date of TOML is a period."""
    given = ["2026-10", "2026-9", "2026-09", "week 10", "week 9", "2024-03-01", "2024-03"]
    rows = con.execute(f"select place from sqlanon._periods_of_tables({given}) order by nth").fetchall()
    assert [place for (place,) in rows] == [4, 3, 3, 6, 5, 2, 1]
    Path("dated.toml").write_text(POLICY + "period = 2024-03-01\n")
    policy = read_table(Path("dated.toml"))
    assert policy is not None
    assert policy.section["period"] == "2024-03-01"


@solver
@pytest.mark.slow("4 s")
def test_spellings_of_a_table(con: duckdb.DuckDBPyConnection) -> None:
    """What the message says: columns and labels of March are called otherwise by now."""
    publish(con, GROWING, "march", "march.csv", period="2026-03")
    con.execute("create table spelled as select pid, ward as station, upper(illness) as Illness from april")
    text = GROWING.replace('"ward"', '"station"')
    with pytest.raises(RefusedError, match="map REGISTER march --names ward=station"):
        publish(con, text, "spelled", "april.csv", period="2026-04")
    sqlanon.map_release(con, "march", register="r.duckdb", names={"Ward": "station"})
    with pytest.raises(RefusedError, match="map REGISTER NAME --values FILE"):
        publish(con, text, "spelled", "april.csv", period="2026-04")
    spelled = {"ILLNESS": {"flu": "FLU", "gout": "GOUT"}}
    sqlanon.map_release(con, "march", register="r.duckdb", values=spelled)
    with pytest.raises(RefusedError, match=r"april: A, GOUT \(13\) - march: A, GOUT \(12\) = 1 person|Hide"):
        publish(con, text, "spelled", "april.csv", period="2026-04")


@solver
@pytest.mark.slow("10 s")
def test_a_total_is_left_out(con: duckdb.DuckDBPyConnection) -> None:
    """Three came, each to another ward: no ward's total can stay, and only all of them together can."""
    con.execute("create table wards as select * replace (upper(illness) as ward) from march")
    con.execute("update wards set ward = 'RASH' where ward = 'FLU' and illness = 'flu' and age < 26")
    con.execute(
        "create table more as from wards union all "
        "select 'new' || ward, ward, 'flu', 50 from (select distinct ward from wards)"
    )
    text = GROWING.replace(', "illness"', "")
    publish(con, text, "wards", "march.csv", period="2026-03")
    with pytest.raises(RefusedError, match="Leave out all cells by ward alone: 3 more cells"):
        publish(con, text, "more", "april.csv", period="2026-04")
    made = publish(con, text + "hide_with_earlier = true", "more", "april.csv", period="2026-04")
    assert made.hidden == 3
    assert hidden(con, "april.csv") == {("FLU",), ("GOUT",), ("RASH",)}


@solver
@pytest.mark.slow("4 s")
def test_whole_numbers_have_nobody_between_them(con: duckdb.DuckDBPyConnection) -> None:
    """Over 30 and at least 31 are the same people, where ages are whole numbers: the total of one table gives
    a hidden cell of the other."""
    con.execute(
        "create table ages as select ward, illness, 40 as age "
        "from (values ('A', 'flu', 4), ('A', 'gout', 4), ('B', 'flu', 1), ('B', 'gout', 1)) "
        "as cell(ward, illness, n), range(n)"
    )
    of_wards, of_illness = (POLICY.replace(each, "") for each in (', "illness"', '"ward", '))
    assert publish(con, of_wards + "filter = 'age > 30'\n", "ages", "wards.csv").hidden == 2
    with pytest.raises(RefusedError, match="wards: B: 2 people"):
        publish(con, of_illness + "filter = 'age >= 31'\n", "ages", "illness.csv")


@pytest.mark.parametrize(
    ("filter", "expected"),
    [
        ("age <= 30 and day > '2026-01-31'", "age < 31 and day >= '2026-02-01'"),
        ("age between 20 and 29", "age >= 20 and age < 30"),
        ("score > 1 and age > 30.5 and age = 4", "score > 1 and age > 30.5 and age = 4"),
    ],
)
def test_ranges_end_where_the_next_begin(con: duckdb.DuckDBPyConnection, filter: str, expected: str) -> None:
    con.execute("create table own as select 31 as age, date '2026-01-01' as day, 1.5 as score")
    found = con.execute("from sqlanon._filter_on_whole('own', ?)", [filter]).fetchall()
    assert found == [(expected,)]


@solver
@pytest.mark.slow("4 s")
def test_a_filter(con: duckdb.DuckDBPyConnection) -> None:
    """All less those over 20: in each cell one person is 20."""
    assert publish(con, POLICY, "march", "everybody.csv").is_out
    with pytest.raises(
        RefusedError, match=r"everybody \(48\) - over \(44\) = 4 people|= 1 person"
    ) as refused:
        publish(con, POLICY + "filter = 'age > 20'\n", "march", "over.csv")
    assert verdicts(con, refused.value.verdicts)["tables_together.known"][2] == "fails"
    made = publish(con, POLICY + "filter = 'age > 26'\n", "march", "over.csv")
    assert made.is_out
    total = con.execute("select value from 'over.csv' where ward = 'total' and illness = 'total'").fetchall()
    assert total == [(20,)]


@solver
@pytest.mark.slow("2 s a case", but=(5,))
@pytest.mark.parametrize(
    ("first", "second", "period", "doubt", "message"),
    [
        ("", "varying = ['age']\nfilter = 'age > 24'\n", "2", "varying", "age changes: what a and b say"),
        ("", "", None, "periods", "not all of a, b say as of when they count people"),
        (
            "unit = 'pid'\n", "unit = 'pid'\nsource = 'twice'", "1", "together",
            "in a, b people are counted in several cells",
        ),
        (
            "measure = 'age'\nbase = 40\n", "", "1", "together",
            "a is not compared .*: its sums of age are rounded",
        ),
        ("", "dimensions = ['station', 'illness']\n", "1", "columns", "ward of a may be station of b"),
        ("", "source = 'other'\n", "1", "contradiction", "the tables contradict each other"),
        ("", "source = 'spelled'\n", "1", "together", 'column ward has "A" in table a and "a" in table b'),
        ("", "source = 'gone'\n", "2", "contradiction", "whether people only came or only left"),
    ],
)  # fmt: skip
def test_what_is_not_compared_is_not_known(
    con: duckdb.DuckDBPyConnection, first: str, second: str, period: str | None, doubt: str, message: str
) -> None:
    """It never holds, and says why; it can be accepted by its name alone."""
    con.execute("create table twice as from march union all select pid, 'B', illness, age from march")
    con.execute("create table other as select * from march where age <> 25 and pid <> 'p3'")
    con.execute("create table spelled as select * replace (lower(ward) as ward) from march")
    con.execute("create table gone as from april where ward = 'A' or age > 21")
    con.execute("create table renamed as select *, ward as station from march")
    source = "twice" if "unit" in first else "march"
    both = "filter = 'age > 24'\n" if doubt == "varying" else ""
    text = POLICY.replace("suppress", "round") if "base" in first else POLICY
    publish(con, text + first + both, source, "a.csv", period="1")
    table = second.partition("source = '")[2].partition("'")[0] or "renamed"
    policy = POLICY + second.partition("source")[0]
    if "dimensions" in second:
        policy = policy.replace('dimensions = ["ward", "illness"]\n', "")
    with pytest.raises(RefusedError, match=message) as refused:
        publish(con, policy, table, "b.csv", period=period)
    assert refused.value.verdict == "not known"
    assert not Path("b.csv").exists()
    accepted = {f"evidence.{doubt}": "it is a test"}
    assert publish(con, policy, table, "b.csv", period=period, accept=accepted).is_out
    audited = sqlanon.audit(con, None, register="r.duckdb")
    assert f"evidence.{doubt}" not in verdicts(con, audited.verdicts)  # of b it was accepted
    assert any("accepted: it is a test" in remark for remark in audited.remarks)


MEANS = GROWING + 'mean = "age"\ndecimals = 2\n'


@solver
@pytest.mark.slow("8 s")
def test_means_beside_counts(con: duckdb.DuckDBPyConnection) -> None:
    """Of one who came the means tell the age, too; gate and audit agree."""
    made = publish(con, MEANS, "march", "march.csv", period="2026-03")
    assert made.is_out
    means = con.execute("select distinct value, mean from 'march.csv' order by 1").fetchall()
    assert means == [(12, 25.5), (24, 25.5), (48, 25.5)]
    with pytest.raises(RefusedError) as refused:
        publish(con, MEANS, "april", "april.csv", period="2026-04")
    [reason] = refused.value.reasons
    assert "april: A, gout (13) - march: A, gout (12) = 1 person" in reason
    before, after, found = verdicts(con, refused.value.verdicts)["tables_together.known"]
    assert (after, found) == (0, "fails")
    assert before > 1  # of counts alone it is 1
    made = publish(con, MEANS + "hide_with_earlier = true", "april", "april.csv", period="2026-04")
    assert made.hidden == 4
    shown = con.execute("select count(*) from 'april.csv' where (value = '*') <> (mean = '*')").fetchall()
    assert shown == [(0,)]
    audited = sqlanon.audit(con, None, register="r.duckdb")
    assert audited.verdict == "holds"


@solver
@pytest.mark.slow("4 s")
def test_means_that_tell_a_hidden_cell(con: duckdb.DuckDBPyConnection) -> None:
    """In ward A two cells are hidden, and nobody in them has any costs: the other means tell it, and then
    what the people in the hidden cells of ward C have."""
    con.execute(
        """
        create table few as
        select ward, illness, if(ward = 'A' and illness <> 'mumps', 0, 30) as costs
        from (values ('A', 'flu', 5), ('A', 'gout', 2), ('B', 'flu', 5), ('B', 'gout', 5), ('C', 'flu', 2),
                     ('C', 'gout', 5), ('A', 'mumps', 5), ('B', 'mumps', 5), ('C', 'mumps', 5))
             as cell(ward, illness, n), range(n)
        """
    )
    policy = POLICY.replace("threshold = 3", "threshold = 4") + 'mean = "costs"\ndecimals = 6\n'
    told = verdicts(con, refused_of(con, policy, "few"))
    assert told["tables_together.known"][2] == "fails"
    with pytest.raises(UseError, match="measure is for sums; with mean a table is one of counts"):
        publish(con, policy + 'measure = "costs"\n', "few", "few.csv")
    with pytest.raises(UseError, match="decimals is of means"):
        publish(con, POLICY + "decimals = 1\n", "few", "few.csv")


def refused_of(con: duckdb.DuckDBPyConnection, policy: str, source: str) -> str:
    with pytest.raises(RefusedError) as refused:
        publish(con, policy, source, "refused.csv")
    return refused.value.verdicts


SUMS = POLICY + 'measure = "age"\n'


@solver
def test_the_sum_of_one_who_came_since(con: duckdb.DuckDBPyConnection) -> None:
    """Of sums, too, April's table is refused, with the difference in words. The register keeps how many
    people each sum is of."""
    publish(con, SUMS, "march", "march.csv", period="2026-03")
    with opened(con, "r.duckdb", read_only=True) as known:
        contributors = known.entry("march").contributors
        assert contributors is not None
        kept = con.execute(f"select contributors from {contributors.sql('duckdb')} order by all").fetchall()
    assert kept == [(12,)] * 4 + [(24,)] * 4 + [(48,)]
    growing = SUMS.replace('"ward", ', "") + "growing = true\n"
    with pytest.raises(
        RefusedError, match=r"april: gout \(662 in all\) - march: gout \(612\) = 50, of 1 pers"
    ):
        publish(con, growing, "april", "april.csv", period="2026-04")


@solver
@pytest.mark.slow("20 s")
def test_sums_are_hidden_until_they_tell_nothing(con: duckdb.DuckDBPyConnection) -> None:
    """April's table goes out with the cells hidden that the message names, and holds in an audit."""
    publish(con, SUMS, "march", "march.csv", period="2026-03")
    growing = SUMS + "growing = true\n"
    with pytest.raises(RefusedError) as refused:
        publish(con, growing, "april", "april.csv", period="2026-04")
    [reason] = refused.value.reasons
    assert "april: A, gout (356 in all) - march: A, gout (306) = 50, of 1 person" in reason
    assert "Hide 4 more cells (A, gout; A, total; total, gout; total, total)" in reason
    made = publish(con, growing + "hide_with_earlier = true", "april", "april.csv", period="2026-04")
    assert (made.is_out, made.hidden) == (True, 4)
    assert sqlanon.audit(con, None, register="r.duckdb").verdict == "holds"


@solver
@pytest.mark.slow("4 s")
def test_sums_and_counts_of_few(con: duckdb.DuckDBPyConnection) -> None:
    """Counts say how many people a sum is of, whichever is out first. Sums of many may be known; whether one
    of these has most of it is not known by p."""
    publish(con, SUMS, "march", "sums.csv")
    assert publish(con, POLICY, "march", "counts.csv").is_out
    over = "filter = 'age > 20'\n"
    with pytest.raises(RefusedError, match=r"sums: A, flu \(306 in all\) - over: A, flu \(286\) = 20, of 1"):
        publish(con, SUMS + over, "march", "over.csv")
    assert publish(con, SUMS + "filter = 'age > 26'\n", "march", "over.csv").is_out
    with pytest.raises(RefusedError, match=r"more sums of age that nobody has published") as refused:
        publish(con, SUMS + "p = 10\nfilter = 'age > 23'\n", "march", "p.csv")
    assert refused.value.verdict == "not known"
    with opened(con, "r.duckdb"):
        con.execute(
            "update sqlanon_register.releases set parameters = json_merge_patch(parameters, "
            "'{\"contributors\": null}') where name = 'sums'"
        )
    with pytest.raises(RefusedError, match="it was not kept how many people its sums are of"):
        publish(con, SUMS, "march", "again.csv")


@solver
@pytest.mark.slow("4 s")
def test_other_people(con: duckdb.DuckDBPyConnection) -> None:
    """Who says that each period is of other people is believed, unless they are the same."""
    text = POLICY + "growing = false\nunit = 'pid'\n"
    publish(con, text, "march", "march.csv", period="2026-03")
    with pytest.raises(RefusedError, match=r"of other people than march, but they are the same"):
        publish(con, text, "march", "again.csv", period="2026-04")
    made = publish(con, text, "april", "april.csv", period="2026-04")
    assert verdicts(con, made.verdicts) == {}
    assert any("april is not compared with march" in remark for remark in made.remarks)


@pytest.mark.slow("6 s")
@solver
def test_gate_and_audit_agree(con: duckdb.DuckDBPyConnection) -> None:
    """What the gate let through holds in an audit; what others have published shows up."""
    publish(con, POLICY, "march", "march.csv")
    publish(con, POLICY + "filter = 'age > 26'\n", "march", "over.csv")
    audited = sqlanon.audit(con, None, register="r.duckdb")
    assert audited.verdict == "holds"
    assert con.execute(
        f"select releases, value from {audited.verdicts} where id = 'known_in_all' order by all"
    ).fetchall() == [(["march"], 0), (["march", "over"], 0)]
    con.execute(
        "create table others as select ward as station, count(*) as people from march where age > 27 "
        "group by all"
    )
    con.execute("create table of_station as from others union all select 'all', sum(people) from others")
    sqlanon.add_table(
        con, "of_station", register="r.duckdb", name="theirs", dimensions={"station": "ward"}, value="people",
        filter="age > 27", total="all",
    )  # fmt: skip
    audited = sqlanon.audit(con, None, register="r.duckdb")
    assert audited.verdict == "fails"
    [reason] = audited.reasons
    assert "over: A (10) - theirs: A (8) = 2 people" in reason


@solver
@pytest.mark.slow("4 s")
def test_one_cell_of_others(con: duckdb.DuckDBPyConnection) -> None:
    """What it tells is found; that the cells which it lacks count 0 is not supposed, and told."""
    publish(con, POLICY, "march", "march.csv")
    con.execute("create table one as from (values ('A', '22')) as cell(ward, value)")
    given: dict[str, Any] = {"register": "r.duckdb", "dimensions": "ward", "filter": "age > 20"}
    sqlanon.add_table(con, "one", name="one", complete=False, **given)
    audited = sqlanon.audit(con, None, register="r.duckdb")
    [fails, not_known] = audited.reasons
    assert "march: A (24) - one: A (22) = 2 people" in fails
    assert "not known: not all cells of one are known" in not_known
    con.execute("create table unread as from (values ('A', 'many')) as cell(ward, value)")
    with pytest.raises(InputError, match=r"table many_of_them has a value that is no number .*: many in A"):
        sqlanon.add_table(con, "unread", name="many_of_them", **given)


@solver
@pytest.mark.slow("4 s")
def test_columns_that_nobody_reads(con: duckdb.DuckDBPyConnection) -> None:
    """A column of medians, say, is told where the table is entered, and whenever it is compared."""
    publish(con, POLICY, "march", "march.csv")
    con.execute("create table all_of_them as from (values ('all', 48, 31.5)) as cell(ward, value, median)")
    told = "theirs: nobody looks at what its columns median tell"
    with pytest.warns(UnreadWarning, match=told):
        sqlanon.add_table(
            con, "all_of_them", register="r.duckdb", name="theirs", dimensions="ward", total="all"
        )
    audited = sqlanon.audit(con, None, register="r.duckdb")
    assert audited.verdict == "not known"
    assert any("what median of theirs tells is not looked at" in reason for reason in audited.reasons)


@solver
@pytest.mark.slow("4 s")
def test_means_of_others(con: duckdb.DuckDBPyConnection) -> None:
    """A mean of so many people is a sum, as far as it is printed."""
    publish(con, SUMS, "march", "march.csv")
    con.execute(
        "create table means as select ward, count(*) as n, printf('%.1f', avg(age)) as mean from march "
        "where age > 20 group by ward"
    )
    given: dict[str, Any] = {"register": "r.duckdb", "dimensions": "ward", "value": "n", "measure": "age"}
    with pytest.raises(InputError, match="table odd has a sum or mean that is no number in column ward: A"):
        sqlanon.add_table(con, "means", name="odd", mean_column="ward", **given)
    with pytest.raises(UseError, match="measure says of which column"):
        sqlanon.add_table(con, "means", name="odd", **given)
    con.execute("update means set mean = '*' where ward = 'B'")
    sqlanon.add_table(con, "means", name="means", mean_column="mean", filter="age > 20", **given)
    audited = sqlanon.audit(con, None, register="r.duckdb")
    assert audited.verdict == "fails"
    [reason] = audited.reasons
    assert "march: A (612 in all) - means: A (570.9 to 573.1) = 38.9 to 41.1, of 2 people" in reason


ROWS = """
[roles]
qi = ["age"]
sensitive = ["illness"]
[requirements]
k = 6
[tolerated]
homogeneity.certain = 100
"""


@pytest.mark.slow("3 s")
@solver
def test_rows_beside_a_table(con: duckdb.DuckDBPyConnection) -> None:
    """Neither the rows nor the table tell that one person is below 21, and both do."""
    Path("rows.toml").write_text(ROWS)
    con.execute("create table people as select * from march where age > 20 or pid = 'p1'")
    publish(con, POLICY.replace('"ward", ', "") + "filter = 'age > 20'\n", "people", "t.csv")
    given: dict[str, Any] = {"register": "r.duckdb", "output": "rows.csv", "attacks": "homogeneity"}
    with pytest.raises(RefusedError, match=r"tables_together\.known") as refused:
        sqlanon.publish(con, "people", "rows.toml", **given)
    assert refused.value.verdict == "fails"
    con.execute("create table old as select * from march where age > 26")
    with pytest.raises(RefusedError, match="the tables contradict each other") as refused:
        sqlanon.publish(con, "old", "rows.toml", **given)
    assert refused.value.verdict == "not known"


def beside_rows(con: duckdb.DuckDBPyConnection, max_atoms: int | None, said: list[str]) -> Comparison:
    """Rows by ward and age beside a table of them by ward."""
    con.execute("create table t as from (values ('A', '23'), ('B', '24')) as cell(ward, value)")
    table = Counted("t", "t", ["ward"], threshold=3)
    rows = Counted("rows", "march", ["ward", "age"], is_of_rows=True, max_atoms=max_atoms)
    with WorkTables(con) as work:
        asked = Together(con, work, [table], rows, progress=lambda done, message: said.append(message))
        return asked.comparison()


@solver
def test_too_many_groups_are_compared_by_fewer_columns(con: duckdb.DuckDBPyConnection) -> None:
    """What is found by the columns of tables is found, and it is not known what the others would tell."""
    con.execute("delete from march where pid = 'p1'")
    said: list[str] = []
    told = beside_rows(con, 5, said)
    assert [doubt.id for doubt in told.doubts] == ["together"]
    assert "more than max_atoms := 5" in told.doubts[0].reason
    assert told.doubts[0].reason.endswith("They were compared by ward alone")
    assert told.judged is not None
    assert said[0] == "comparing t, rows"


def test_what_memory_is_too_small_for_is_not_known(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if it is so under one of two suppositions alone: what the other one tells is told."""

    def reached(*_: Any) -> tuple[str, int]:
        raise LimitError("temporary files have reached their limit: allow more memory, such as 8GB")

    with monkeypatch.context() as patched:
        patched.setattr(Together, "_of", reached)
        told = beside_rows(con, None, [])
    [doubt] = told.doubts
    assert (doubt.id, told.judged, list(doubt.releases)) == ("together", None, ["t", "rows"])
    assert doubt.reason.endswith("not all are compared: temporary files have reached their limit")
    assert str(doubt.remedy).startswith("allow more memory, such as 8GB; release fewer columns")
    with WorkTables(con) as work:
        asked = Together(con, work, [], Counted("t", "t", ["ward"]))
        answers = iter([("march", 0)])
        monkeypatch.setattr(Together, "_of", lambda *_: next(answers, None) or reached())
        found, _ = asked._of_suppositions([], [Supposed({}), Supposed({}, True)])
        assert found is not None
        assert [doubt.id for doubt in asked.doubts] == ["together"]


def test_marks_of_others_are_those_of_tables_by_default(con: duckdb.DuckDBPyConnection) -> None:
    default = parameters("cell_bounds")["marks"].default
    assert con.execute(f"select sqlanon._marks_of_others() = {default}").fetchone() == (True,)
