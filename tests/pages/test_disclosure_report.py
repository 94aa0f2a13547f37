"""Reports: their tables against the macros and by hand, the page as text, and the page in a browser."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import duckdb
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Browser, Locator

import sqlanon
from sqlanon import Report
from sqlanon.core.tables import WorkTables
from sqlanon.pages import templates, vega
from sqlanon.pages.disclosure_report import charts, data, in_words, page, sentences
from sqlanon.pages.page import Table
from sqlanon.pages.vega import COLORS, VARIABLES
from tests.browser import browser, needs_browser, opened
from tests.budget import examples
from tests.cli.test_cli import ok, refused, run
from tests.oracles import as_text
from tests.oracles.covers import covers
from tests.tables import columns, load

QI = ["age", "zip"]
DISEASES = ["flu", "cold", "cancer", "asthma", "diabetes", "gout"]
HOSTILE = {
    "age": "<script>alert('age')</script>",
    "zip": 'z"></code><img src=x onerror=alert(1)>',
    "disease": "</script><b>{{ 7 * 7 }}",
}


def fill(con: duckdb.DuckDBPyConnection, names: Mapping[str, str] | None = None) -> None:
    """people; east_raw and west_raw, which share a half of them; voters: these; east and west,
    4-anonymous.
    """
    names = names or {name: name for name in ("age", "zip", "disease")}
    age, zip_code, disease = (sqlanon_quoted(names[each]) for each in ("age", "zip", "disease"))
    con.execute(
        f"""create table people as
        select 'person ' || i as name, (20 + hash(i) % 40)::integer as {age},
            'z' || hash(i, 1) % 9 as {zip_code},
               (?::varchar[])[1 + (hash(i, 2) % 6)::integer] as {disease}
        from range(240) as t(i)""",
        [[*DISEASES[:-1], "<script>alert('gout')</script>" if "<" in disease else "gout"]],
    ).fetchall()
    for name, where in (
        ("east_raw", "rowid < 160"),
        ("west_raw", "rowid >= 80"),
        ("voters", "rowid between 80 and 159"),
    ):
        con.execute(f"create table {name} as from people where {where}").fetchall()
    for name in ("east", "west"):
        sqlanon.mondrian(
            con, f"{name}_raw", qi=[names["age"], names["zip"]], sensitive=names["disease"], k=4, seed=1,
            into=name
        )  # fmt: skip


def sqlanon_quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def make(con: duckdb.DuckDBPyConnection, **given: Any) -> Report:
    """The report on east and west, with everything that there is to say."""
    usual = {
        "original": ["east_raw", "west_raw"], "targets": "voters", "id": "name", "truth": "disease", "k": 5,
        "l": 2, "attacks": "none",
    }  # fmt: skip
    return sqlanon.report(con, ["east", "west"], QI, "disease", **{**usual, **given})


@pytest.fixture(scope="module")
def clinics() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        sqlanon.register(con)
        fill(con)
        yield con


@pytest.fixture(scope="module")
def report(clinics: duckdb.DuckDBPyConnection) -> Report:
    return make(
        clinics, attacks=["homogeneity", "trails", "correspondence"],
        tolerated={"homogeneity.certain": 100, "trails.certain": 5},
    )  # fmt: skip


COUNTED = {"count_column": "n", "deviation_column": "standard_deviation"}


def of_counts_made(con: duckdb.DuckDBPyConnection, **given: Any) -> Report:
    """The report on counts, as dp_counts releases them."""
    return sqlanon.report(con, ["counts"], "zip", "disease", **{**COUNTED, **given})


@pytest.fixture(scope="module")
def of_counts(clinics: duckdb.DuckDBPyConnection) -> Report:
    clinics.execute(
        """create table counts as
        select zip, disease, count(*) - 2 + (hash(zip, disease) % 5)::bigint as n, 1.4 as standard_deviation
        from east_raw group by zip, disease"""
    ).fetchall()
    return of_counts_made(
        clinics, original="east_raw", targets="voters", id="name", truth="disease",
        tolerated={"noisy_counts_attack.sure_99": 0},
    )  # fmt: skip


def there(table: Table | str | None) -> Table:
    assert isinstance(table, Table)
    return table


def tables(found: data.Data) -> dict[str, Table]:
    """All tables of a report, by name."""
    groups = {**found.releases, **found.attacks}
    other_tables = {
        f"{other.attack}: {i}": table
        for other in found.others for i, table in enumerate(other.measures) if table is not None
    }  # fmt: skip
    return {
        f"{group}: {name}": table
        for group, of_group in groups.items()
        for name, table in vars(of_group).items() if isinstance(table, Table)
    } | other_tables  # fmt: skip


def near(rows: list[tuple[Any, ...]]) -> list[Any]:
    """Rows as they can be compared: numbers to eight digits (the ninth may be on either side of a half)."""

    def rounded(value: Any) -> Any:
        return (
            [f"{each:.8g}" for each in value]
            if isinstance(value, list) and value and isinstance(value[0], float)
            else value
        )

    return [
        tuple(f"{value:.8g}" if isinstance(value, float) else rounded(value) for value in row) for row in rows
    ]


class TestCountsWithNoise:
    """A report on counts, as dp_counts releases them."""

    @pytest.mark.slow("2 s")
    def test_counts_are_not_taken_for_rows(self, of_counts: Report) -> None:
        of_release = of_counts.data.releases["counts"]
        assert of_release.reached is of_release.sizes is of_release.risk is None
        assert not of_counts.data.attacks
        assert [other.attack for other in of_counts.data.others if other.measures[0]] == [
            "noisy_counts_attack"
        ]

    @pytest.mark.slow("11 s")
    def test_what_is_said_of_them(self, of_counts: Report, clinics: duckdb.DuckDBPyConnection) -> None:
        counts = clinics.execute("select n from counts").fetchall()
        told = {row["id"]: row for row in of_counts.data.releases["counts"].counts or ()}
        margin = 1.96 * 1.4 * len(counts) ** 0.5
        people = sum(n for (n,) in counts)
        assert told["groups"]["value"] == len(counts)
        assert told["people_counted"]["value"] == people
        assert told["people_counted"]["low"] == pytest.approx(people - margin)
        assert told["people_counted"]["high"] == pytest.approx(people + margin)
        assert told["lost_in_noise"]["value"] == pytest.approx(
            100 * sum(abs(n) <= 1.96 * 1.4 for (n,) in counts) / len(counts)
        )
        assert told["deviation_median"]["value"] == told["deviation_largest"]["value"] == 1.4

    @pytest.mark.slow("1 s")
    def test_what_is_lost_is_what_count_errors_says(
        self, of_counts: Report, clinics: duckdb.DuckDBPyConnection
    ) -> None:
        errors = clinics.execute("from sqlanon.count_errors('east_raw', 'counts', ['zip', 'disease'])")
        utility = there(of_counts.data.releases["counts"].utility)
        assert near(list(utility.rows)) == near(errors.fetchall())
        lost = {row["id"]: row["value"] for row in utility}
        shown = templates.percent(lost["query_error_median"])
        assert f"half of 1,000 random counts are wrong by more than {shown}" in of_counts.html

    def test_every_statement_gives_the_rows_that_are_shown(
        self, of_counts: Report, clinics: duckdb.DuckDBPyConnection
    ) -> None:
        result = tables(of_counts.data)
        assert len(result) == 4
        for name, table in result.items():
            assert near(clinics.execute(table.statement).fetchall()) == near(table.rows), name

    def test_what_is_tolerated_of_their_attack_decides(self, of_counts: Report) -> None:
        [verdict] = of_counts.data.verdicts
        assert (verdict["verdict"] == "holds") == (verdict["value"] == 0)
        assert decided(of_counts.html)[0] == ("good" if verdict["verdict"] == "holds" else "bad")

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ({"deviation_column": None}, "count_column needs deviation_column"),
            ({"count_column": None}, "deviation_column needs count_column"),
            ({"count_column": "m"}, "count_column: there is no column m in counts"),
            ({"k": 5}, "k does not go with count_column: it is about rows"),
            ({"count_column": "zip"}, 'have no number in column "zip"'),
        ],
    )
    def test_bad_input(
        self, of_counts: Report, clinics: duckdb.DuckDBPyConnection, given: dict[str, Any], message: str
    ) -> None:
        with pytest.raises(sqlanon.InputError, match=message):
            of_counts_made(clinics, **given)


class TestUnreadLabels:
    """Released values that nobody understands."""

    @pytest.mark.slow("1 s")
    def test_of_each_kind(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            """create table people as select 20 + i % 30 as age, ['Bern', 'Rome', 'Paris'][1 + i % 3] as town,
                date '2020-01-01' + i::integer as born
            from range(100) as t(i)"""
        ).fetchall()
        con.execute(
            """create table released as from (values
                ('[20, 30]', 'Bern', '2020'), ('99', 'Italy', '[2020-01-01, 2020-02-01]'),
                    ('young', '{x, y}', '*'), ('young', null, '1999-01-01'),
                ('[a, b]', 'B***', '<5'), ('<18', '[Nice, Oslo]', '2020-01-01')) as t(age, town, born)"""
        ).fetchall()
        result = con.execute(
            "select * exclude (release, format) "
            "from sqlanon.unread_labels('released', 'people', ['age', 'town', 'born'])"
        ).fetchall()
        assert result == [
            ("age", "young", 2, "not a number or date, as the values of the targets are"),
            ("age", "[a, b]", 1, "its bounds are nothing that the values of the targets compare with"),
            ("town", "Italy", 1, "no value of the targets; a hierarchy could tell what it stands for"),
            ("town", "{x, y}", 1, "no value of the targets; a hierarchy could tell what it stands for"),
            ("born", "2020", 1, "not a number or date, as the values of the targets are"),
            ("born", "<5", 1, "its bounds are nothing that the values of the targets compare with"),
        ]  # fmt: skip

    @pytest.mark.slow("1 s")
    def test_a_hierarchy_tells(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create table people as select unnest(['Bern', 'Rome']) as town").fetchall()
        con.execute(
            "create table released as select unnest(['Italy', 'Spain', 'Europe', 'Oslo']) as town"
        ).fetchall()
        con.execute(
            """create table h as from (values
            ('Town', 'Bern', 0, 'Bern'), ('Town', 'Bern', 1, 'Switzerland'), ('Town', 'Bern', 2, 'Europe'),
            ('Town', 'Rome', 0, 'Rome'), ('Town', 'Rome', 1, 'Italy'), ('Town', 'Rome', 2, 'Europe'),
            ('Town', 'Oslo', 0, 'Oslo'), ('Town', 'Oslo', 1, 'Norway'),
                ('Town', 'Oslo', 2, 'Europe')) as t(attribute, value, level, label)"""
        ).fetchall()
        result = con.execute(
            "select * exclude (release, format) "
            "from sqlanon.unread_labels('released', 'people', 'town', hierarchies := 'h')"
        ).fetchall()
        assert result == [
            ("town", "Spain", 1, "no value of the targets, and not in the hierarchy of the column")
        ]

    @examples(15)
    @given(
        column=columns('a "b"', 8),
        asked=st.lists(st.sampled_from(["5", "[0, 9]", "??", "{u}", "*", "a*"]), min_size=1),
    )
    def test_what_covers_somebody_is_understood(
        self, clinics: duckdb.DuckDBPyConnection, column: Any, asked: list[str]
    ) -> None:
        load(clinics, "random people", [column])
        labels = [*asked, *(as_text(value) for value in column.values)]
        clinics.execute(
            'create or replace table released as select unnest(?::varchar[]) as "a ""b"""', [labels]
        ).fetchall()
        result = {
            label: n
            for _, _, label, n, *_ in clinics.execute(
                "from sqlanon.unread_labels('released', '\"random people\"', 'a \"b\"')"
            ).fetchall()
        }
        strange = {"??"} if not any(value == "??" for value in column.values) else set()
        for label, n in Counter(labels).items():
            if label is None or any(covers(label, value) for value in column.values):
                assert label not in result
            elif label in strange:
                assert result[label] == n

    @pytest.mark.slow("1 s a case", but=(2, 3))
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ("'none', 'people', 'town'", "table none is empty"),
            ("'people', 'none', 'town'", "table none is empty"),
            ("'people', 'people', 'towns'", '"towns" not found'),
            ("'people', 'people', []", "qi names no column"),
        ],
    )
    def test_bad_input(self, con: duckdb.DuckDBPyConnection, arguments: str, message: str) -> None:
        con.execute("create table people as select 'Bern' as town").fetchall()
        con.execute("create table none as from people where false").fetchall()
        with pytest.raises(duckdb.Error, match=message):
            con.execute(f"from sqlanon.unread_labels({arguments})").fetchall()


class TestData:
    """The tables of a report."""

    @pytest.mark.slow("3.5 s")
    def test_every_statement_gives_the_rows_that_are_shown(
        self, report: Report, clinics: duckdb.DuckDBPyConnection
    ) -> None:
        result = tables(report.data)
        assert len(result) == 2 * 6 + 6 + 2
        for name, table in result.items():
            assert near(clinics.execute(table.statement).fetchall()) == near(table.rows), name

    @pytest.mark.slow("2 s")
    def test_the_curve(self, report: Report, clinics: duckdb.DuckDBPyConnection) -> None:
        """It is drawn from probabilities, not from how many values are possible."""
        people = clinics.execute(
            "select probabilities[1], located[1].guess_share, located[2].guess_share "
            "from sqlanon.intersection_attack(['east', 'west'], 'voters', 'name', ['age', 'zip'], 'disease')"
        ).fetchall()
        together, *alone = zip(*people, strict=True)
        [(most,)] = clinics.execute(
            "select max(n) / sum(n) from (select count(*) as n from (select disease from east union all "
            "select disease from west) group by disease)"
        ).fetchall()

        def share(probabilities: tuple[float, ...], least: float) -> float:
            return 100 * sum(round(100 * one, 9) >= least for one in probabilities) / len(people)

        wanted: dict[str, Any] = {
            "all releases together": lambda least: share(together, least),
            "the best single release": lambda least: max(share(one, least) for one in alone),
            "a guess without them": lambda least: 100.0 * (100 * most >= least),
        }
        curve = list(report.data.attacks["disease"].curve)
        assert [row["probability"] for row in curve] == 3 * list(data.CURVED)
        for row in curve:
            assert row["share"] == pytest.approx(wanted[row["adversary"]](row["probability"])), row

    @pytest.mark.slow("18 s")
    def test_people_are_counted_once(self, report: Report) -> None:
        attack = report.data.attacks["disease"]
        assert sum(row["people"] for row in attack.anonymity) == 80
        assert sum(row["people"] for row in attack.drops) == 80
        assert sum(row["drop"] * row["people"] for row in attack.drops) == sum(
            (row["prior"] - row["posterior"]) * row["people"] for row in attack.anonymity
        )

    @pytest.mark.slow("0.4 s")
    def test_the_measures_are_those_of_breaches(
        self, report: Report, clinics: duckdb.DuckDBPyConnection
    ) -> None:
        answer = sqlanon.breaches(
            clinics, ["east", "west"], "voters", "name", QI, "disease", truth="disease"
        ).fetchall()
        assert [row["id"] for row in report.data.attacks["disease"].measures][5] == "sure_99"
        assert near(report.data.attacks["disease"].measures.rows) == near([row[1:] for row in answer])

    @pytest.mark.slow("0.3 s")
    def test_the_most_exposed_are_those_of_whom_least_is_left(
        self, report: Report, clinics: duckdb.DuckDBPyConnection
    ) -> None:
        attack = report.data.attacks["disease"]
        people = clinics.execute(
            """select name, prior, posterior, candidates, probabilities, truth, located
            from sqlanon.intersection_attack(['east', 'west'], 'voters', 'name', ['age', 'zip'], 'disease',
                truth := 'disease')"""
        ).fetchall()
        people.sort(key=lambda row: (-round((row[4] or [0])[0], 9), row[2], -row[1], row[0]))
        exposed = [row for row in people if row[2] > 0]
        cards: dict[Any, list[Any]] = {}  # who is in the same classes, and of whom the same is learned
        for row in exposed:
            classes_of = tuple(tuple(found["classes"]) for found in row[6])
            cards.setdefault((row[3][0], row[1:3], classes_of), []).append(row)
        first = {row[0] for row in exposed[:20]}
        listed = [rows for rows in cards.values() if rows[0][0] in first]
        assert any(len(rows) > 1 for rows in listed)
        shown = list(attack.exposed)
        assert [row["people"] for row in shown] == [len(rows) for rows in listed]
        assert [row["who"] for row in shown] == [
            [row[0] for row in rows if row[0] in first] for rows in listed
        ]
        for card, rows in zip(shown, listed, strict=True):
            assert card["truths"] == [row[5] for row in rows if row[0] in first]
            assert (card["prior"], card["posterior"], card["candidates"]) == rows[0][1:4]
            assert card["probabilities"] == pytest.approx(rows[0][4])
        classes = {
            release: {
                class_id: (size, list(labels))
                for class_id, *labels, size in sqlanon.classes(clinics, release, QI).fetchall()
            }
            for release in ("east", "west")
        }  # fmt: skip
        for card, rows in zip(shown, listed, strict=True):
            located = rows[0][6]
            for number, release in enumerate(("east", "west"), 1):
                expected = [
                    (class_id, *classes[release][class_id])
                    for class_id in sorted(located[number - 1]["classes"])
                ]
                assert [
                    (row["class_id"], row["size"], row["labels"])
                    for row in attack.located if (row["place"], row["release"]) == (card["place"], number)
                ] == expected  # fmt: skip

    @pytest.mark.slow("0.7 s")
    @pytest.mark.parametrize("k", [4, 5, 1000])
    def test_what_is_reached_stands_against_what_is_required(
        self, clinics: duckdb.DuckDBPyConnection, k: int
    ) -> None:
        result = sqlanon.report(clinics, ["east"], QI, "disease", k=k, t=0.5, attacks="none")
        rows = {row["model"]: row for row in there(result.data.releases["east"].reached)}
        assert set(rows) == {row[0] for row in sqlanon.privacy(clinics, "east", QI, "disease").fetchall()}
        [(classes, violating)] = clinics.execute(
            "select count(*), coalesce(sum(size), 0) from sqlanon.violations('east', ['age', 'zip'], k := ?)",
            [k],
        ).fetchall()
        row = rows["k-anonymity"]
        assert (row["required"], row["violating_classes"], row["violating_rows"]) == (k, classes, violating)
        assert (violating == 0) == (row["reached"] >= k)
        assert rows["t-closeness (equal)"]["required"] == 0.5
        assert rows["t-closeness (ordered)"]["required"] is None

    @pytest.mark.slow("0.9 s")
    @examples(15)
    @given(sizes=st.lists(st.integers(1, 60), min_size=1, max_size=12))
    def test_class_sizes_are_counted_in_ranges(
        self, clinics: duckdb.DuckDBPyConnection, sizes: list[int]
    ) -> None:
        clinics.execute(
            "create or replace table sized as select class, unnest(range(n)) "
            "from (select unnest(range(?)) as class, unnest(?) as n)",
            [len(sizes), sizes],
        ).fetchall()
        with WorkTables(clinics) as work:
            request = data.Request({"sized": "sized"}, ["class"])
            result = data.collect(clinics, request, data.Shown(), work, lambda done, message: None)
        ranges = list(there(result.releases["sized"].sizes))
        assert sum(row["classes"] for row in ranges) == len(sizes)
        for row in ranges:
            within = [size for size in sizes if row["least"] <= size <= row["largest"]]
            assert (row["classes"], row["rows"], row["largest"]) == (len(within), sum(within), max(within))
        assert [row["least"] for row in ranges] == sorted(row["least"] for row in ranges)

    @pytest.mark.slow("1.3 s")
    def test_two_sensitive_columns(self, clinics: duckdb.DuckDBPyConnection) -> None:
        clinics.execute("create or replace temp table two as select *, age % 3 as job from voters").fetchall()
        sqlanon.mondrian(
            clinics, "two", qi=["zip"], sensitive=["disease", "job"], k=3, into="both", replace=True
        )
        result = sqlanon.report(
            clinics, ["both"], ["zip"], ["disease", "job"], targets="two", id="name",
            truth=["disease", "job"], attacks="none",
        )  # fmt: skip
        assert list(result.data.attacks) == ["disease", "job"]
        for sensitive, attack in result.data.attacks.items():
            answer = {row["measure"]: row["value"] for row in attack.measures}
            assert answer["true value among the candidates"] == 100, sensitive
            assert "what this release gives away" in result.html.lower()

    @pytest.mark.slow("a page in a browser")
    def test_people_who_are_in_some_releases(self, clinics: duckdb.DuckDBPyConnection) -> None:
        clinics.execute(
            """create or replace temp table partly as select *, age % 3 > 0 as "in east",
                age % 3 < 2 as "in west" from voters"""
        ).fetchall()
        attack: dict[str, Any] = {
            "targets": "partly",
            "id": "name",
            "presence": ["in east", "in west"],
            "exact_cover": True,
        }
        releases = ["east", "west"]
        report = sqlanon.report(clinics, releases, QI, "disease", **attack, attacks=["skyline"])
        measures = sqlanon.breaches(clinics, releases, qi=QI, sensitive="disease", **attack).fetchall()
        assert near(report.data.attacks["disease"].measures.rows) == near([row[1:] for row in measures])
        for name, table in tables(report.data).items():
            assert near(clinics.execute(table.statement).fetchall()) == near(table.rows), name

    @pytest.mark.slow("1.5 s a case", but=(0,))
    @pytest.mark.parametrize(
        ("rows", "k", "tone", "told"),
        [
            (19, 10, "good", "The smallest class has 10 people: whoever is known to be there is picked out "
                             "with a chance of 10 %."),
            (19, 11, "bad", "The smallest class has 10 people"),
            (17, 9, "good", "The smallest class has at least 9 people: whoever is known to be there is "
                            "picked out with a chance of 11.1 % at most."),
            (None, 10, "unknown", "The smallest class has 19 rows. How many people these are is not known"),
        ],
    )  # fmt: skip
    def test_people_are_counted_by_the_original(
        self, clinics: duckdb.DuckDBPyConnection, rows: int | None, k: int, tone: str, told: str
    ) -> None:
        """A class of 19 rows of 10 people: k = 10 holds where all of its rows are there, and every statement
        gives what is shown. By rows alone, nothing is green that people may break."""
        clinics.execute(
            "create or replace table stays as select range // 2 as patient, range % 19 as age, "
            "['flu', 'gout'][1 + (range = 18)::integer] as disease from range(19)"
        ).fetchall()
        clinics.execute(
            "create or replace table stayed as select '[0, 18]' as age, disease from stays "
            f"limit {rows or 19}"
        ).fetchall()
        original = None if rows is None else "stays"
        given: dict[str, Any] = {"unit": "patient", "attacks": "none", "k": k, "original": original}
        given |= {} if original else {"targets": "stays", "id": "age"}
        report = sqlanon.report(clinics, ["stayed"], "age", "disease", **given)
        assert told in " ".join(HTMLText(report.html).text.split())
        assert re.findall(r'class="banner (\w+)"', report.html) == [tone]
        tables = report.data.releases["stayed"]
        for table in (tables.people, tables.reached, tables.risk):
            if table is not None:
                assert clinics.execute(table.statement).fetchall() == [*table.rows]

    @pytest.mark.slow("4.5 s")
    def test_what_is_known_of_people(self, clinics: duckdb.DuckDBPyConnection) -> None:
        """The measures are those of the attack that knows the same, every statement gives what is shown, and
        the page says what was known.
        """
        clinics.execute(
            """create or replace table known as
            select * replace (case when hash(name) % 5 = 0 then '?' else age::varchar end as age,
                              case when hash(name, 1) % 3 = 0 then zip || '/z1' else zip end as zip),
                   name[:9] as household, hash(name, 3) % 8 = 0 as elsewhere
            from voters"""
        ).fetchall()
        clinics.execute("create or replace table negated as select name, 'flu' as value from known "
                        "where not elsewhere and disease <> 'flu' limit 3").fetchall()  # fmt: skip
        clinics.execute("create or replace table prior as select disease as value, count(*) as share "
                        "from people group by all").fetchall()  # fmt: skip
        about: dict[str, Any] = {
            "formats": {"targets.zip": "set /"}, "unknown": "?", "negations": "negated", "priors": "prior",
            "unit": "household",
        }  # fmt: skip
        report = make(
            clinics, targets="known", original=None, controls="elsewhere", attacks=["linking", "minimality"],
            parameters={"k": 4}, **about,
        )  # fmt: skip
        attack = report.data.attacks["disease"]
        expected = clinics.execute(
            """with attacked as (from known where not elsewhere)
            from sqlanon.breaches(
                ['east', 'west'], 'attacked', id := 'name', qi := ['age', 'zip'], sensitive := 'disease',
                truth := 'disease', formats := {'targets.zip': 'set /'}, unknown := '?',
                negations := 'negated', priors := 'prior', unit := 'household')"""
        ).fetchall()
        assert near(attack.measures.rows) == near([row[1:] for row in expected])
        for each in (attack.measures, attack.exposed, attack.drops):
            assert near(clinics.execute(each.statement).fetchall()) == near(each.rows)
        of_others = {
            other.attack: [outcome.reason for outcome in other.outcomes] for other in report.data.others
        }
        assert of_others["linking"] == ["does not take unit"] * 4
        assert of_others["minimality"] == ["does not take unit, formats, unknown"] * 2
        told = " ".join(HTMLText(report.html).text.split())
        for text in (
            "Not every cell of these people is known.",
            "Values that somebody is known not to have are ruled out.",
            "How probable a value is was known before.",
            "A person may have several rows, which share household",
            "as elsewhere says, only the other attacks tell",
        ):
            assert text in told

    @pytest.mark.slow("2.4 s")
    def test_any_source(self, clinics: duckdb.DuckDBPyConnection) -> None:
        frames = {
            "first": clinics.table("east").df(),
            "second": pyarrow.Table.from_pandas(clinics.table("west").df()),
        }
        hierarchy = clinics.sql("from sqlanon.mask_hierarchy('people', 'zip')").df()
        result = sqlanon.report(
            clinics, frames, QI, "disease", hierarchy, targets=clinics.table("voters").df(), id="name",
            attacks=["linking"],
        )  # fmt: skip
        assert list(result.data.releases) == ["first", "second"]
        assert "_sqlanon_" not in result.html
        statement = result.data.attacks["disease"].measures.statement
        assert "['release_1', 'release_2'], 'targets', 'name'," in " ".join(statement.split())
        assert "hierarchies := 'hierarchies'" in statement

    @pytest.mark.slow("a page in a browser")
    def test_nothing_is_left_behind(self, clinics: duckdb.DuckDBPyConnection) -> None:
        before = clinics.execute("select count(*) from duckdb_tables()").fetchall()
        make(clinics)
        with pytest.raises(sqlanon.InputError):
            make(clinics, targets="people", id="disease")
        assert clinics.execute("select count(*) from duckdb_tables()").fetchall() == before


class TestBadInput:
    @pytest.mark.slow("0.6 s")
    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ({"id": None}, "targets needs id"),
            ({"targets": None, "truth": None}, "id needs targets"),
            ({"targets": None, "id": None}, "truth needs targets"),
            ({"targets": None, "id": None, "truth": None, "nearest": True}, "nearest needs targets"),
            ({"id": "nam"}, "id: there is no column nam in voters; did you mean name?"),
            ({"truth": "diseases"}, "truth: there is no column diseases in voters; did you mean disease?"),
            ({"truth": ["disease", "age"]}, "truth must say one for each sensitive column: 1, not 2"),
            ({"presence": ["name"]}, "presence must say one for each release: 2, not 1"),
            ({"presence": ["nam", "name"]}, "presence: there is no column nam in voters"),
            ({"nearest": [True]}, "nearest must say one for each release: 2, not 1"),
            ({"original": ["people"] * 3}, "original is one for all releases, or one for each"),
            ({"people": -1}, "people must be at least 0, not -1"),
            pytest.param(
                {"targets": "people", "id": "disease"}, "column disease of people names .* times",
                marks=pytest.mark.slow("3 s"),  # the command line is told the same in TestCommand
            ),
            ({"targets": "nobody"}, 'nobody'),
            ({"k": 0}, "k must be"),
        ],
    )  # fmt: skip
    def test_is_told(self, clinics: duckdb.DuckDBPyConnection, given: dict[str, Any], message: str) -> None:
        with pytest.raises(sqlanon.InputError, match=message):
            make(clinics, **given)

    @pytest.mark.slow("0.4 s")
    @pytest.mark.parametrize(
        ("releases", "qi", "message"),
        [
            ([], QI, "releases names no release"),
            (["east", "east"], QI, "release east is given twice"),
            (["east", "west"], ["agee"],
             "qi: the releases have none of these columns in common: east has age, zip, disease"),
            (["east", "west"], ["age", "zipp"], "qi: there is no column zipp in east; did you mean zip?"),
            (["empty"], QI, "table empty is empty"),
            (["east", "empty"], QI, "table empty is empty"),
            (["east"], [], "targets needs qi, the quasi-identifiers"),
        ],
    )  # fmt: skip
    def test_of_releases(
        self, clinics: duckdb.DuckDBPyConnection, releases: list[str], qi: list[str], message: str
    ) -> None:
        clinics.execute("create or replace temp table empty as from east where false").fetchall()
        with pytest.raises(sqlanon.InputError, match=message):
            sqlanon.report(clinics, releases, qi, "disease", targets="voters", id="name")

    def test_releases_with_nothing_in_common(self, clinics: duckdb.DuckDBPyConnection) -> None:
        clinics.execute("create or replace temp table aged as select age, disease from east").fetchall()
        clinics.execute("create or replace temp table zipped as select zip, disease from west").fetchall()
        with pytest.raises(
            sqlanon.InputError, match="none of these columns in common: aged has age, disease; zipped has zip"
        ):
            sqlanon.report(clinics, ["aged", "zipped"], QI, "disease")

    def test_the_extra_is_named_where_it_is_missing(
        self, clinics: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(vega, "find_spec", lambda module: None)
        with pytest.raises(sqlanon.InputError, match=r"pip install 'sqlanon\[report\]'"):
            make(clinics)


class Elements(HTMLParser):
    """The elements of a page: their tags and attributes, and what scripts hold."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.inside = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag == "script":
            self.inside = True
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag != "script"

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.scripts[-1] += data


def decided(html: str) -> tuple[str, str, str]:
    """The banner: its tone, headline and reason."""
    found = re.search(r'class="banner (\w+)">\n<h2>(.*?)</h2>\n<p>(.*?)</p>', html)
    assert found is not None
    return (found[1], found[2], found[3])


# Classes of ten, in each of which one person has another disease: no value is certain, and all are nearly so.
SKEWED = """
create or replace temp table skewed as
select 'person ' || range as name, range // 10 as age, if(range % 10 = 0, 'gout', 'flu') as disease
from range(60)
"""


class TestWhatLeaves:
    def test_a_column_that_names_people_fails(self, clinics: duckdb.DuckDBPyConnection) -> None:
        """All that is required holds, and the release has a column of names."""
        clinics.execute(SKEWED).fetchall()
        given: dict[str, Any] = {"qi": "age", "sensitive": "disease", "k": 5, "attacks": "none"}
        html = sqlanon.report(clinics, ["skewed"], **given).html
        tone, headline, why = decided(html)[:3]
        assert (tone, headline) == ("bad", "Fails")
        assert (
            "1 of 2 requirements do not hold: name of skewed leaves unchanged: 60 of 60 rows have a value "
            "that no other row has; it looks like a name." in why
        )
        text = " ".join(HTMLText(html).text.split())
        assert "What leaves Every column of the release" in text
        assert "name names people 60 of 60 rows" in text
        assert "disease 0 of 60 rows have a value that no other row has unchanged sensitive" in text
        accepted = sqlanon.report(clinics, ["skewed"], **given, direct="name")
        assert decided(accepted.html)[:2] == ("good", "Meets what is required")
        assert "accepted: 60 of 60 rows" in accepted.html
        leaving = accepted.data.releases["skewed"].leaving
        assert [row["verdict"] for row in there(leaving)] == ["holds"] * 3

    @pytest.mark.slow("1 s")
    def test_what_nobody_looks_into_is_not_known(self, clinics: duckdb.DuckDBPyConnection) -> None:
        clinics.execute(
            "create or replace temp table pictures as "
            "select range // 10 as age, 'x'::blob as p from range(60)"
        ).fetchall()
        html = sqlanon.report(clinics, ["pictures"], "age", k=5, attacks="none").html
        assert decided(html)[:2] == ("unknown", "Not known")
        html = sqlanon.report(clinics, ["pictures"], "age", k=11, attacks="none").html
        assert decided(html)[:2] == ("bad", "Fails")


class TestPage:
    @pytest.mark.slow("2 s")
    def test_it_is_one_file_that_runs_and_loads_nothing(self, report: Report) -> None:
        elements = Elements(report.html)
        for tag, attributes in elements.found:
            assert tag not in ("iframe", "object", "embed", "img", "audio", "video", "base", "form")
            assert not any(name.startswith("on") for name in attributes)
            assert (attributes.get("href") or "#").startswith(("#", "data:"))
            assert "src" not in attributes
            if tag == "script":
                assert attributes["type"] == "application/json"
        assert "@import" not in report.html
        assert re.findall(r"url\((?!#)", report.html) == []

    def test_it_keeps_the_specifications_of_its_charts(self, report: Report) -> None:
        elements = Elements(report.html)
        names = [attributes["data-chart"] for tag, attributes in elements.found if tag == "script"]
        kept = dict(zip(names, map(json.loads, elements.scripts), strict=True))
        assert kept == report.charts
        assert {name.split()[0] for name in report.charts} == {"sizes", "loss", "curve", "anonymity", "drops"}

    def test_the_summary_tells_what_the_adversary_learns(self, report: Report) -> None:
        measures = {row["id"]: row["value"] for row in report.data.attacks["disease"].measures}
        text = " ".join(re.sub(r"<[^>]+>", " ", report.html).split())
        sure, surer = templates.percent(measures["sure_90"]), templates.percent(measures["sure_99"])
        assert f"can be at least 90 % sure of the disease of {sure} of them" in text
        assert f"at least 99 % sure of {surer}" in text
        guess, unseen = measures["weighted_guess_right"], measures["marginal_guess_right"]
        told = f"is right for {templates.percent(unseen)} of the people; with these releases for"
        assert f"{told} {templates.percent(guess)}." in text
        assert "Keep this page as secret as the targets" in text
        assert "k-anonymity is violated by" in text

    @pytest.mark.slow("1 s a case", but=(3,))
    @pytest.mark.parametrize(
        ("tolerated", "tone", "verdict"),
        [
            (None, None, None),
            ({90: 5}, "bad", "fails"),
            ({90: 100}, "good", "holds"),
            ({99.5: 0}, "good", "holds"),
        ],
    )
    def test_nothing_is_good_unless_somebody_said_what_is(
        self, clinics: duckdb.DuckDBPyConnection, tolerated: Any, tone: Any, verdict: Any
    ) -> None:
        clinics.execute(SKEWED).fetchall()
        html = sqlanon.report(
            clinics, ["skewed"], "age", "disease", targets="skewed", id="name", tolerated=tolerated,
            attacks="none", direct="name",
        ).html  # fmt: skip
        assert decided(html)[0] == (tone or "none")
        still = ", and still somebody can be 90 % sure of the disease of 100 % of 60 people"
        assert (still in decided(html)[1]) == (tone == "good")  # which does not reassure beyond what holds
        assert "An adversary is at least 90 % sure of the disease of 100 % of 60 people." in html
        badges = re.findall(r'<span class="badge ?(\w*)">(.*?)</span>', html)
        assert badges == [*([(tone, verdict)] if tone else []), ("", "measured")]

    @pytest.mark.slow("1 s a case", but=(0,))
    @pytest.mark.parametrize(
        ("given", "tone", "headline", "why"),
        [
            ({}, "none", "Nothing was required", "There is no requirement"),
            ({"k": 4, "original": "east_raw"}, "good", "Meets what is required",
             "Everything that is required holds: k-anonymity 4."),
            ({"k": 4, "l": 100}, "bad", "Fails",
             "1 of 2 requirements do not hold: distinct l-diversity 100 of disease is violated by 160 rows"),
            ({"k": 1, "safety_c": 1, "safety_k": 0}, "good", "Meets what is required",
             "Everything that is required holds: k-anonymity 1; (c, k)-safety 1."),
            ({"k": 1, "tolerated": {"homogeneity.certain": 0}, "attacks": "homogeneity"}, "good",
             "Meets what is required", "holds: k-anonymity 1; homogeneity.certain is at most 0 %."),
            ({"k": 1, "tolerated": {"trails.certain": 5}, "attacks": "trails"}, "unknown", "Not known",
             "trails.certain is not known, where 5 is tolerated (needs targets, id, record, place)"),
        ],
    )  # fmt: skip
    def test_it_decides(
        self, clinics: duckdb.DuckDBPyConnection, given: Any, tone: str, headline: str, why: str
    ) -> None:
        html = sqlanon.report(clinics, ["east"], QI, "disease", **{"attacks": "none", **given}).html
        told = decided(html)
        assert told[:2] == (tone, headline)
        assert why in told[2]
        assert ('class="badge good"' in html) == (tone != "none")

    @pytest.mark.parametrize(
        ("language", "says"), [("de", "betroffen: "), ("fr", "oncerne\N{NO-BREAK SPACE}: ")]
    )
    def test_in_other_languages_it_says_in_words_what_was_found(
        self, report: Report, of_counts: Report, language: str, says: str
    ) -> None:
        for made in (report, of_counts):
            html = page.page(made.data, made.charts, language)
            assert decided(html)[0] == decided(made.html)[0]
            told = html.partition('<details id="all"')[0].partition("<main>")[2]
            asked = {other.attack for other in made.data.others if other.outcomes[0].status == "done"}
            assert {attack for attack in asked if f"<code>{attack}." in told} == asked
            assert says in told
            words = re.sub(r'(?s)<p class="quiet" lang="en">.*?</p>|<[^>]+>', " ", told)
            assert re.findall(r".*\b(?:the|of|somebody|people|not|is)\b.*", words) == []

    def test_what_one_release_cannot_keep_is_not_known(self, clinics: duckdb.DuckDBPyConnection) -> None:
        """composed_l is about releases that are out already."""
        with WorkTables(clinics) as work:
            request = data.Request(
                {"east": "east"}, QI, ["disease"], attacks=[], requirements={"composed_l": 2}
            )
            found = data.collect(clinics, request, data.Shown(), work, lambda done, message: None)
        [row] = [row for row in there(found.releases["east"].reached) if row["required"] is not None]
        assert (row["id"], row["holds"]) == ("composed_l", None)
        html = page.page(found, charts.charts(found))
        assert decided(html)[:2] == ("unknown", "Not known")
        assert 'class="badge good"' not in html

    def test_the_banner_has_the_numbers_of_the_tables(self, report: Report) -> None:
        """What remains risky, what is lost, and the baseline."""
        html = report.html.partition("What was required")[0]
        text = " ".join(HTMLText(html).text.split())
        measures = {row["id"]: row["value"] for row in report.data.attacks["disease"].measures}
        share, single = templates.percent(measures["sure_90"]), templates.percent(measures["pvp_100"])
        assert f"90 % sure of the disease of {share} of 80 people; for {single} only one value is" in text
        utility = report.data.releases["west"].utility
        assert isinstance(utility, Table)
        [loss] = [row["value"] for row in utility if row["id"] == "loss" and row["attribute"] is None]
        assert f"west: 0 % of the rows, and {templates.percent(100 * loss)} of the detail" in text

    @pytest.mark.slow("0.5 s")
    def test_every_measure_has_a_sentence(self, clinics: duckdb.DuckDBPyConnection, report: Report) -> None:
        """Those that the reference tells of, and those that are shown. None is without a value."""
        said = {"risk": sentences.RISKS, "utility": sentences.UTILITY}
        for macro, of in said.items():
            [(told,)] = clinics.execute(
                "select meaning from sqlanon.help(?) where kind = 'notes'", [macro]
            ).fetchall()
            ids = re.findall(r"(?:^|\s)- ([a-z_, ]+):", told)
            named = {id for each in ids for id in re.split(r",\s*", each)}
            by_column = {"ncp"} | {id for id in named if id.startswith("population_uniques")}
            assert len(named) > 10
            assert named - by_column <= of.keys()
        models = clinics.execute(
            "select id from sqlanon.privacy('east', ['age'], 'disease', population := 'people')"
        ).fetchall()
        assert all(sentences.of_model(id, is_by_people=False) for (id,) in models)
        for row in report.data.attacks["disease"].measures:
            assert sentences.of_attack(row["id"]), row["id"]
        more = report.html.partition('<section id="more">')[2].partition("</section>")[0]
        rows = re.findall(r"<tr>(.*?)</tr>", more, re.DOTALL)
        assert len(rows) > 40
        for row in rows:
            assert '<span class="quiet meaning">' in row.partition("</th>")[0]
            assert not re.search(r">\s*(–|inf)", row)

    @pytest.mark.slow("0.8 s")
    def test_who_differs_in_nothing_shares_a_card(self, clinics: duckdb.DuckDBPyConnection) -> None:
        """Of ten in a class, of whom the same is learned, those are named who are among the first twenty."""
        clinics.execute(SKEWED).fetchall()
        report = sqlanon.report(
            clinics, ["skewed"], "age", "disease", targets="skewed", id="name", attacks="none"
        )
        cards = list(report.data.attacks["disease"].exposed)
        first = sorted(f"person {i}" for i in range(60))[:20]
        assert sorted(who for card in cards for who in card["who"]) == first
        assert {card["people"] for card in cards} == {10}
        shown = re.findall(r"<article>\s*<h4>(.*?)</h4>", report.html)
        assert len(shown) == len(cards) == 3
        named = {re.sub("<.*?>", "", card) for card in shown}
        assert "person 0, person 1, person 2 and 7 more alike" in named
        assert "person 10, person 11, person 12, person 13, person 14 and 5 more alike" in named

    @pytest.mark.slow("0.9 s")
    def test_of_one_release_nothing_is_before(self, clinics: duckdb.DuckDBPyConnection) -> None:
        html = sqlanon.report(clinics, ["east"], QI, "disease", targets="voters", id="name", attacks="none")
        shown = re.sub(r"<(script|pre).*?</\1>", "", html.html, flags=re.DOTALL)
        assert "→" not in shown
        assert "with one release" not in shown
        assert html.charts.keys() == {"sizes 1", "curve 1"}
        assert "mark-symbol role-legend-symbol" not in shown

    @pytest.mark.parametrize(
        ("label", "shown"),
        [
            ("{a, b, c, d}", "{a, b, c, d}"),
            ("{a, b, c, d, e}", "a, b, c and 2 more"),
            ('{"a, b", NULL, c, d, e}', '"a, b", NULL, c and 2 more'),
            ("[1, 3]", "[1, 3]"),
            ("x" * 61, "x" * 60 + "…"),
            (None, None),
        ],
    )
    def test_long_sets_are_cut(
        self, clinics: duckdb.DuckDBPyConnection, label: str | None, shown: str | None
    ) -> None:
        assert clinics.execute("select sqlanon._shortened($1)", [label]).fetchall() == [(shown,)]

    def test_what_was_not_found_is_not_good(self, clinics: duckdb.DuckDBPyConnection) -> None:
        """Where somebody is in no class, it is not known whether all that is tolerated holds."""
        clinics.execute(SKEWED).fetchall()
        clinics.execute(
            "create or replace temp table more as from skewed union all select 'X', 77, 'flu'"
        ).fetchall()
        made = sqlanon.report(
            clinics, ["skewed"], "age", "disease", targets="more", id="name", tolerated={90: 100},
            attacks="none", direct="name",
        )  # fmt: skip
        assert '<span class="badge unknown">not known</span>' in made.html
        assert decided(made.html)[:2] == ("unknown", "Not known")
        told = page.page(made.data, made.charts, "de").partition('<details id="all"')[0]
        assert "1 der geprüften Personen oder Zeilen sind mit ihren Werten in keiner Gruppe" in told
        unread = Table(("id", "value"), [("located_in_all", 90.0), ("unread_rows", 0.0)], "")
        assert (
            in_words._blind(unread)
            == "10 % of the people are in no class of a release that they should be in"
        )

    @pytest.mark.slow("1 s")
    def test_the_other_attacks(self, report: Report, clinics: duckdb.DuckDBPyConnection) -> None:
        """Each has a section with its measures; what failed and what was not made say why."""
        section = report.html.partition('<section id="others">')[2].partition("</section>")[0]
        text = " ".join(HTMLText(section).text.split())
        assert "the second release must have all rows of the first" in text
        assert text.removeprefix("Other attacks ").startswith(
            "Homogeneity Finds what an adversary learns about everybody in a class of a release. "
            "The adversary has the release, and knows age and zip of somebody in it."
        )
        assert text.endswith(
            "Links people to records without names by the places (such as hospitals) where they were and "
            "where the records are. Not made: needs record, place."
        )
        for release in ("east", "west"):
            alone = sqlanon.homogeneity(clinics, release, QI, "disease")
            for *_, value, _, low, _, id in sqlanon.attack_summary(clinics, alone, "size").fetchall():
                assert f'<td class="n">{templates.number(value)}' in section, id
                assert low is None or templates.number(low) in section
        told = {(row["attack"], row["verdict"]) for row in report.data.verdicts}
        assert told >= {("homogeneity", "holds"), ("trails", "not known")}
        assert ("homogeneity", "not known") not in told
        summary = " ".join(HTMLText(report.html.partition('<section id="others">')[0]).text.split())
        assert "holds homogeneity.certain east · disease: 100 % at most; it is" in summary
        assert "not known trails.certain : 5 at most (needs record, place)." in summary

    @pytest.mark.slow("1.3 s")
    def test_which_of_the_other_attacks(self, clinics: duckdb.DuckDBPyConnection) -> None:
        """Unasked all of them, as the gate makes them. What is tolerated of the main one is judged, too."""
        request = data.Request({"east": "east", "west": "west"}, QI, ["disease"])
        planned = {
            attacks: {
                run.attack: run.reason
                for run in data.runs_of(clinics, replace(request, attacks=data.chosen(attacks)))
            }
            for attacks in (None, "all", "none", "linking")
        }  # fmt: skip
        assert planned[None].keys() == planned["all"].keys()
        assert planned[None] == planned["all"]
        assert planned["none"] == {"intersection_attack": "needs targets, id"}
        assert planned["linking"].keys() == {"intersection_attack", "linking"}
        with pytest.raises(sqlanon.InputError, match=r"tolerated: linking\.certain is not the measure"):
            sqlanon.report(clinics, ["east"], QI, "disease", attacks="none", tolerated={"linking.certain": 1})
        report = sqlanon.report(
            clinics, ["east"], QI, "disease", targets="voters", id="name", attacks="none",
            tolerated={"intersection_attack.pvp_100": 0, "intersection_attack.targets": 80},
        )  # fmt: skip
        [single] = [row["value"] for row in report.data.attacks["disease"].measures if row["id"] == "pvp_100"]
        assert {row["id"]: row["verdict"] for row in report.data.verdicts} == {
            "targets": "holds", "pvp_100": "holds" if single == 0 else "fails",
        }  # fmt: skip

    @pytest.mark.slow("0.7 s")
    def test_without_targets_nothing_is_secret(self, clinics: duckdb.DuckDBPyConnection) -> None:
        html = sqlanon.report(clinics, ["east"], QI, "disease").html
        assert "Keep this page" not in html
        assert "person 1" not in html

    @pytest.mark.slow("2.7 s")
    def test_nobody_is_named_if_nobody_is_to_be(
        self, clinics: duckdb.DuckDBPyConnection, report: Report
    ) -> None:
        assert "person" not in make(clinics, people=0).html
        assert "person 1" in report.html  # of 20 people, if nothing is said

    @pytest.mark.slow("a page in a browser")
    def test_released_values_that_nobody_understands_are_shown(
        self, clinics: duckdb.DuckDBPyConnection
    ) -> None:
        clinics.execute(
            "create or replace temp table odd as select * replace (case when rowid < 7 then 'gl<b>' "
            "else zip end as zip) from east"
        ).fetchall()
        about = {"targets": "voters", "id": "name"}
        attacked = sqlanon.report(clinics, ["odd"], QI, "disease", **about, attacks="none").html  # type: ignore[call-overload]
        html = sqlanon.report(
            clinics, ["odd", "east"], QI, "disease", original="east_raw", attacks="none"
        ).html
        for each in (attacked, html):
            assert "1 released value that nobody understands" in each
            assert '<td>gl&lt;b&gt;</td><td class="n">7</td>' in each
        # of the release that is understood it is known what is lost
        assert "column zip: the released value gl&lt;b&gt; stands for no value of the original" in html
        assert html.count("query error, median") >= 1

    @pytest.mark.parametrize(
        ("value", "message"),
        [(0, "0 %"), (100, "100 %"), (17.25, "17.2 %"), (0.01, "0.010 %"), (1e-9, "less than 0.001 %"),
         (99.99, "99.990 %"), (100 - 1e-9, "more than 99.999 %"), (50.0, "50 %")],
    )  # fmt: skip
    def test_a_little_is_not_nothing(self, value: float, message: str) -> None:
        assert templates.percent(value) == message

    def test_write_keeps_what_is_there(self, report: Report, tmp_path: Path) -> None:
        file = tmp_path / "report.html"
        report.write(file)
        with pytest.raises(sqlanon.InputError, match="exists"):
            report.write(file)
        report.write(file, force=True)
        assert file.read_text("utf-8") == report.html
        assert list(tmp_path.iterdir()) == [file]

    @pytest.mark.slow("half a second")
    def test_in_a_notebook_it_stands_in_a_frame(self, report: Report) -> None:
        [(tag, attributes)] = Elements(report._repr_html_()).found
        assert tag == "iframe"
        assert attributes["srcdoc"] == report.html

    @pytest.mark.slow("0.5 s")
    def test_a_release_in_a_notebook(self, clinics: duckdb.DuckDBPyConnection) -> None:
        released = sqlanon.mondrian(
            clinics, "people", qi=QI, sensitive="disease", k=6, t=0.9, into="a<b>", replace=True
        )
        html = released._repr_html_()
        assert "<strong>a&lt;b&gt;</strong>: 240 rows" in html
        assert "<td>k-anonymity</td><td>6</td>" in html
        assert "<td>t-closeness (equal)</td><td>0.9</td>" in html


@pytest.fixture
def folder(clinics: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with the tables as files."""
    monkeypatch.chdir(tmp_path)
    for name in ("east", "west", "voters", "east_raw", "west_raw"):
        clinics.execute(f"copy {name} to '{name}.csv'").fetchall()
    return tmp_path


REPORT = (
    "report", "east.csv", "west.csv", "--qi", "age,zip", "--sensitive", "disease", "--attacks", "none", "-o",
    "report.html",
)  # fmt: skip
TARGETS = ("--targets", "voters.csv", "--id", "name")


class TestCommand:
    @pytest.mark.slow("1.5 s")
    def test_a_language(self, folder: Path) -> None:
        """That of the page in words, from the option or the policy; other pages have one."""
        questions = ("report", "east.csv", "--original", "east_raw.csv", "-o", "q.html")
        for command, message in (
            ((*REPORT, "--language", "it"), "--language must be one of en, de, fr, not it"),
            ((*questions, "--language", "de"), "--language needs --qi"),
        ):
            assert message in refused(2, *command)
        ok(*REPORT, "--language", "fr")
        assert '<html lang="fr">' in (folder / "report.html").read_text("utf-8")

    @pytest.mark.slow("7.1 s")
    def test_what_is_known_of_people(self, folder: Path) -> None:
        """As in the attack command, and in all attacks."""
        (folder / "known.csv").write_text("name,age,zip\nann,?,z1\nbob,20-29,z2\n")
        (folder / "negated.csv").write_text("name,value\nann,flu\n")
        line = (
            "east.csv west.csv --targets known.csv --id name --qi age,zip --sensitive disease "
            "--unknown ? --formats targets.age=range --negations negated.csv"
        )
        about = line.split()
        ok("report", *about, "-o", "known.html")
        text = " ".join(HTMLText(Path("known.html").read_text("utf-8")).text.split())
        assert "Not every cell of these people is known." in text
        assert "Values that somebody is known not to have are ruled out." in text
        of_all = json.loads(ok("attack", "--kind", "all", "--format", "json", *about))
        done = {row["attack"] for row in of_all if row["status"] == "done"}
        assert {"intersection_attack", "linking"} <= done
        assert refused(2, "report", *about, "--priors-by", "age", "-o", "other.html") == (
            "--priors-by needs --priors"
        )

    @pytest.mark.slow("3.0 s")
    def test_it_writes_the_page_of_the_function(
        self, folder: Path, clinics: duckdb.DuckDBPyConnection
    ) -> None:
        one = ("report", "east.csv", *REPORT[3:])
        result = run(*one, *TARGETS, "--truth", "disease", "--original", "east_raw.csv", "--k", "5")
        assert (result.exit_code, result.stdout) == (0, "")
        assert result.stderr == "report.html: 1 release; keep it as secret as the targets\n"
        answer = sqlanon.report(
            clinics, ["east.csv"], QI, "disease", original="east_raw.csv", targets="voters.csv", id="name",
            truth="disease", k=5, attacks="none",
        )  # fmt: skip

        def without_statements(html: str) -> str:  # which read the tables under other names
            return re.sub(r"<pre.*?</pre>", "", html.partition("<footer>")[0], flags=re.DOTALL)

        written = Path("report.html").read_text("utf-8")
        assert without_statements(written) == without_statements(answer.html)
        assert Path("report.html").stat().st_mode & 0o077 == 0

    @pytest.mark.slow("a page in a browser")
    def test_hierarchies_and_duckdb_files(self, folder: Path) -> None:
        with duckdb.connect("clinic.duckdb", config={"python_enable_replacements": False}) as con:
            for name in ("east", "west", "voters"):
                con.execute(f"create table \"{name} 'x'\" as from '{name}.csv'").fetchall()
        Path("zip.csv").write_text("".join(f"z{i};low;*\n" if i < 5 else f"z{i};high;*\n" for i in range(9)))
        files = [f"clinic.duckdb::{name} 'x'" for name in ("east", "west", "voters")]
        ok("report", *files[:2], "--qi", "age,zip", "--sensitive", "disease", "--targets", files[2], "--id",
           "name",
           "--hierarchy", "zip=zip.csv", "-o", "report.html")  # fmt: skip
        statements = re.findall(r"<pre[^>]*>(.*?)</pre>", Path("report.html").read_text("utf-8"), re.DOTALL)
        *statements, prelude = [HTMLText(text).text for text in statements]
        with duckdb.connect(config={"python_enable_replacements": False}) as con:
            sqlanon.register(con)
            con.execute(prelude).fetchall()
            for statement in statements:
                con.execute(statement).fetchall()
        assert any("read_hierarchy" in statement for statement in statements)

    @pytest.mark.slow("2.0 s")
    def test_a_policy(self, folder: Path) -> None:
        Path("policy.toml").write_text(
            '[roles]\nqi = ["age", "zip"]\nsensitive = ["disease"]\n[hierarchies.age]\nbuilder = '
            '"interval"\nwidths = [5, 10]\n'
            "[requirements]\nk = 4\n[tolerated]\nhomogeneity.certain = 100\n"
        )
        few = ("--attacks", "homogeneity")
        ok("report", "east.csv", "west.csv", "--policy", "policy.toml", *TARGETS, *few, "-o", "report.html")
        html = Path("report.html").read_text("utf-8")
        assert html.count('<span class="badge good">holds</span>') == 4 + 2
        answer = refused(
            2, "report", "east.csv", "--policy", "policy.toml", "--qi", "agee", "-o", "other.html"
        )
        assert answer.startswith("--qi: the releases have none of these columns in common")

    @pytest.mark.slow("1.0 s")
    def test_a_policy_about_several_releases(self, folder: Path) -> None:
        """What no release meets by itself is not judged, and that is said."""
        Path("policy.toml").write_text(
            '[roles]\nqi = ["age", "zip"]\nsensitive = ["disease"]\n[requirements]\nk = 4\nbcf_k = 2\n'
            'composed_confidence = 0.9\n[method]\nbased_on = "east.csv"\n'
        )
        few = ("--attacks", "none", "-o", "report.html")
        done = run("report", "east.csv", "west.csv", "--policy", "policy.toml", *few)
        assert done.exit_code == 0, done.stderr
        html = Path("report.html").read_text("utf-8")
        assert decided(html)[0] != "good"
        for title in ("BCF-anonymity", "composed confidence"):
            assert f"{title} is not judged here" in html

    @pytest.mark.slow("0.6 s")
    @pytest.mark.parametrize(
        ("options", "code", "message"),
        [
            ((*REPORT[:-2],), 2, "give -o, the file that the page goes to, such as -o report.html"),
            ((*REPORT, "--targets", "voters.csv"), 2, "--targets needs --id"),
            ((*REPORT, "--id", "name"), 2, "--id needs --targets"),
            ((*REPORT, "--nearest", "east.csv"), 2, "--nearest needs --targets"),
            ((*REPORT, *TARGETS, "--nearest", "eas.csv"), 2,
             "--nearest eas.csv is none of the releases; did you mean east.csv?"),
            ((*REPORT, *TARGETS, "--truth", "diseas"), 2,
             "--truth: there is no column diseas in voters.csv; did you mean disease?"),
            (("report", "east.csv", "east.csv", *REPORT[3:]), 2, "RELEASE east.csv is given twice"),
            (("report", "none.csv", *REPORT[3:]), 2, "there is no file none.csv"),
            ((*REPORT[:-1], "no/report.html"), 2, "there is no folder no to write report.html in"),
            ((*REPORT, "--tolerated", "90=5"), 2, "--tolerated needs --targets"),
            ((*REPORT, *TARGETS, "--tolerated", "90"), 2, "--tolerated 90: write PROBABILITY=SHARE"),
            ((*REPORT, *TARGETS, "--tolerated", "a=5"), 2, "--tolerated a=5: write PROBABILITY=SHARE"),
            ((*REPORT, *TARGETS, "--tolerated", "0=5"), 2, "--tolerated has percentages"),
        ],
    )  # fmt: skip
    def test_bad_input(self, folder: Path, options: tuple[str, ...], code: int, message: str) -> None:
        before = sorted(folder.iterdir())
        assert refused(code, *options).startswith(message)
        assert sorted(folder.iterdir()) == before

    @pytest.mark.slow("1.1 s")
    def test_counts_with_noise(self, folder: Path) -> None:
        Path("counts.csv").write_text("zip,disease,n,standard_deviation\nz1,flu,9,1.5\nz1,gout,-1,1.5\n")
        about = ("report", "counts.csv", "--qi", "zip", "--sensitive", "disease", "-o", "report.html")
        done = run(*about, "--attacks", "none")
        assert done.exit_code == 0, done.stderr
        assert "counts.csv looks like counts with noise, and is read as rows" in done.stderr
        counted = ("--count-column", "n", "--deviation-column", "standard_deviation")
        done = run(*about, "--force", *counted)
        assert done.exit_code == 0, done.stderr
        assert "read as rows" not in done.stderr
        assert "2 counts with noise, of about 8 people" in Path("report.html").read_text("utf-8")
        assert refused(2, *about, "--force", *counted, "--k", "5").startswith("--k does not go with")

    @pytest.mark.slow("0.8 s")
    def test_the_attack_tells_what_nobody_understands(self, folder: Path) -> None:
        text = Path("east.csv").read_text()
        Path("odd.csv").write_text(re.sub(r'"?\[2\d, 3\d\]"?', "young", text))
        odd = Path("odd.csv").read_text().count("young")
        assert odd > 0
        result = run("attack", "odd.csv", "west.csv", *TARGETS, "--qi", "age,zip", "--sensitive", "disease")
        assert result.exit_code == 0
        assumed, contradictions, unread = result.stderr.splitlines(keepends=True)
        assert assumed.startswith("all of this holds if the values of disease do not change")
        assert contradictions.startswith("disease: for 2.5 % of the targets no value is possible")
        assert unread == (
            f"odd.csv: nobody understands 1 of its values, in {odd} cells, such as young in age (not a "
            "number or date, as the values of the "
            "targets are): the attack finds nobody there\n"
        )

    @pytest.mark.slow("1.0 s")
    def test_an_existing_page_stays_unless_forced(self, folder: Path) -> None:
        Path("report.html").write_text("mine")
        assert refused(2, *REPORT) == "report.html exists: give --force to replace it"
        assert Path("report.html").read_text() == "mine"
        ok(*REPORT, "--force")
        assert Path("report.html").read_text().startswith("<!doctype html>")


class HTMLText(HTMLParser):
    """The text of a piece of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text = ""
        self.feed(html)
        self.close()

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as result:
        yield result


@pytest.fixture(scope="module")
def file(report: Report, tmp_path_factory: pytest.TempPathFactory) -> Path:
    written = tmp_path_factory.mktemp("page") / "report.html"
    report.write(written)
    return written


def clipped_or_overlapping(chart: Locator) -> Any:
    """The labels of a chart that leave its figure, or lie on each other."""
    return chart.evaluate(
        """svg => {
            const card = svg.closest('figure').getBoundingClientRect();
            const labels = [...svg.querySelectorAll('.role-axis-label text')]
                .filter(text => text.textContent && getComputedStyle(text).opacity !== '0')
                .map(text => [text.textContent, text.getBoundingClientRect()]);
            const wrong = labels.filter(([, box]) => box.left < card.left || box.right > card.right);
            for (const [i, [, one]] of labels.entries())
                for (const [told, other] of labels.slice(i + 1))
                    if (one.left < other.right && other.left < one.right
                            && one.top + 3 < other.bottom && other.top + 3 < one.bottom)
                        wrong.push([told, other]);
            return wrong.map(([told]) => told);
        }"""
    )


@needs_browser
class TestBrowser:
    """The page in a real browser, which runs no script."""

    @pytest.mark.slow("2 s a case")
    @pytest.mark.parametrize("scheme", ["light", "dark"])
    @pytest.mark.parametrize("width", [390, 1200])
    def test_it_draws_and_asks_for_nothing(
        self, chromium: Browser, report: Report, file: Path, width: int, scheme: Any
    ) -> None:
        with chromium.new_context(
            viewport={"width": width, "height": 800}, color_scheme=scheme, java_script_enabled=False
        ) as context:
            page = context.new_page()
            watch = opened(page, file)
            assert watch.requests == [file.as_uri()]
            assert watch.complaints == []
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            charts = page.locator("figure svg")
            assert charts.count() == len(report.charts)
            for chart in charts.all():
                box = chart.bounding_box()
                assert box is not None
                assert box["width"] > 250
                assert box["height"] > 40
                assert len(chart.get_attribute("aria-label") or "") > 40
                assert clipped_or_overlapping(chart) == []
                marks = chart.locator("[aria-roledescription] title")
                assert marks.count() > 0
            assert page.locator("text=person").first.is_visible()

    @pytest.mark.slow("2 s")
    def test_light_and_dark_have_colors_of_their_own(self, chromium: Browser, file: Path) -> None:
        seen = {}
        for scheme in ("light", "dark"):
            with chromium.new_context(color_scheme=scheme) as context:
                page = context.new_page()
                opened(page, file)
                seen[scheme] = [
                    page.evaluate("getComputedStyle(document.body).backgroundColor"),
                    page.evaluate("getComputedStyle(document.querySelector('figure svg text')).fill"),
                    page.evaluate("getComputedStyle(document.querySelector('.mark-rect path')).fill"),
                ]
        assert all(light != dark for light, dark in zip(seen["light"], seen["dark"], strict=True))
        assert not any(
            color in file.read_text("utf-8").partition("<script")[0].partition("<svg")[2]
            for color in (*COLORS, *VARIABLES)
        )

    @pytest.mark.slow("1 s")
    def test_it_prints(self, chromium: Browser, file: Path) -> None:
        with chromium.new_context(color_scheme="dark") as context:
            page = context.new_page()
            opened(page, file)
            page.emulate_media(media="print")
            assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
            assert page.pdf().startswith(b"%PDF")

    @pytest.mark.slow("2.9 s")
    def test_nothing_that_a_table_holds_is_run(self, chromium: Browser, tmp_path: Path) -> None:
        with duckdb.connect() as con:
            sqlanon.register(con)
            fill(con, HOSTILE)
            result = sqlanon.report(
                con, {"<i onclick='x'>": "east", "west": "west"}, [HOSTILE["age"], HOSTILE["zip"]],
                HOSTILE["disease"],
                original="people", targets="voters", id="name", truth=HOSTILE["disease"], k=50,
                attacks=["homogeneity"],
            )  # fmt: skip
        result.write(tmp_path / "hostile.html")
        with chromium.new_context() as context:
            page = context.new_page()
            watch = opened(page, tmp_path / "hostile.html")
            assert (len(watch.requests), watch.complaints) == (1, [])
            assert page.locator("script:not([type='application/json'])").count() == 0
            assert (
                page.locator("img").count()
                == page.locator("main i").count()
                == page.locator("pre b").count()
                == 0
            )
            shown = page.inner_text("header")
            assert all(name in shown for name in HOSTILE.values())
            assert [json.loads(script) for script in page.locator("script").all_inner_texts()] != []
