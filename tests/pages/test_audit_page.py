"""The auditor's page: what it tells of a register, as text and in a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest
from playwright.sync_api import Browser

import sqlanon
from sqlanon.pages.audit_page import AuditPage, text_of
from sqlanon.pages.audit_page.in_words import in_words
from sqlanon.pages.decision_page.words import Words
from sqlanon.pages.templates import options
from tests.browser import browser, needs_browser, opened

POLICY = """
[roles]
qi = ["age", "zip"]
sensitive = ["disease"]
[requirements]
k = 2
[tolerated]
homogeneity.certain = 100
intersection_attack.pvp_100 = 10
"""
PEOPLE = """
    create table people as from (values
    (21, 'a', 'flu'), (22, 'a', 'cold'), (23, 'a', 'gout'), (24, 'a', 'flu'),
    (41, 'b', 'flu'), (42, 'b', 'cold'), (43, 'b', 'gout'), (44, 'b', 'cold')) as t(age, zip, disease)"""
HOSTILE = "<img src=x onerror=alert(1)>"


GIVEN = {"release", "releases", "targets", "id", "qi"}  # which the judge always has


def duckdb_attacks() -> list[tuple[str, list[str]]]:
    with duckdb.connect() as con:
        sqlanon.register(con)
        return con.execute("select attack, needs from sqlanon.attacks()").fetchall()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("audit")


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        sqlanon.register(con)
        con.execute(PEOPLE).fetchall()
        yield con


@pytest.fixture(scope="module")
def audit(con: duckdb.DuckDBPyConnection, folder: Path) -> sqlanon.Audit:
    """Of a release that is withdrawn, and one of others, by which some people have one value left."""
    (folder / "policy.toml").write_text(POLICY)
    register = folder / "releases.duckdb"
    sqlanon.publish(
        con, "people", folder / "policy.toml", register=register, output=folder / "ours.csv",
        attacks=["homogeneity", "intersection_attack"],
    )  # fmt: skip
    con.execute(
        """create view theirs as from (values ('[20, 45]', 'a', 'flu'), ('[20, 45]', 'a', 'dropsy'),
        ('[20, 45]', 'b', 'flu'), ('[20, 45]', 'b', 'gout'), ('old', 'b', 'flu')) as t(age, zip, disease)"""
    )
    about: dict[str, Any] = {"qi": ["age", "zip"], "sensitive": "disease", "register": register}
    sqlanon.add_release(con, "theirs", name=HOSTILE, **about)
    sqlanon.withdraw_release(con, "ours", register=register)
    return sqlanon.audit(
        con, "people", register=register, page=True,
        attacks=["homogeneity", "intersection_attack", "linking", "differencing"],
    )  # fmt: skip


@pytest.fixture(scope="module")
def page(audit: sqlanon.Audit) -> AuditPage:
    assert audit.page is not None
    return audit.page


@pytest.mark.parametrize("language", ["de", "fr"])
def test_attacks_that_were_not_made_have_words(language: str) -> None:
    """Neither the name of an attack nor that of a parameter is left in English."""
    words = Words(language)
    for attack, needs in duckdb_attacks():
        asked = words.question({"attack": attack, "releases": ["r"], "sensitive": "s"}, ["age"])
        assert attack not in asked
        for parameter in set(needs) - GIVEN:
            assert words.wording(f"needs {parameter}") != words("reason_needs", parameters=parameter)


@pytest.mark.slow("3 s")
def test_it_grows_release_by_release(con: duckdb.DuckDBPyConnection, page: AuditPage) -> None:
    """Ours has classes of two. Theirs has flu in both zips and gout in b, and nothing else that people have
    there: whoever has one of these is left with it."""
    assert [(row["number"], row["release"]) for row in page.data.growth] == [(1, "ours"), (2, HOSTILE)]
    [first, second] = page.data.growth
    assert (first["certain"], second["certain"]) == (0, 50)
    assert first["candidates"] == 2


@pytest.mark.slow("18 s")
def test_who_is_where_is_counted(page: AuditPage) -> None:
    """The row of the old in theirs covers nobody."""
    counts = page.data.counts
    assert counts.people == 8
    assert [about[:1] + about[3:] for about in counts.in_releases] == [("ours", 8, False), (HOSTILE, 4, True)]
    assert [about[1] for about in counts.in_releases] == [8, 8]
    assert counts.in_so_many == [(1, 4), (2, 4)]


def test_people_who_have_several_rows_are_counted(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """With a unit: four people have two rows each, and a table names nobody twice."""
    policy = POLICY.replace("[requirements]", 'unit = "who"\n[requirements]')
    policy = policy.replace("homogeneity.certain = 100\n", "")
    (tmp_path / "policy.toml").write_text(policy)
    con.execute(
        "create or replace table visits as select *, (row_number() over (order by age) - 1) % 4 as who "
        "from people"
    ).fetchall()
    told: dict[str, Any] = {"register": tmp_path / "r.duckdb", "attacks": ["intersection_attack"]}
    policy_file = tmp_path / "policy.toml"
    sqlanon.publish(con, "visits", policy_file, output=tmp_path / "ours.csv", **told)
    made = sqlanon.audit(con, "visits", page=True, **told).page
    assert made is not None
    counts = made.data.counts
    assert (counts.people, counts.counted, counts.in_so_many) == (4, "people", [(1, 4)])
    [(_, located, classes, possible, _)] = counts.in_releases
    assert (located, possible) == (4, 4)
    assert classes is not None
    assert classes >= 2  # somebody's rows are in two classes
    assert "people were looked for in" in made.html
    assert "rows of people" not in made.html


@pytest.mark.slow("1 s")
def test_its_statements_give_its_tables(page: AuditPage, folder: Path) -> None:
    data = page.data
    with duckdb.connect() as con:
        sqlanon.register(con)
        con.execute(f"attach '{folder}/releases.duckdb' as sqlanon_register (read_only)").fetchall()
        for table in (data.releases, data.growth, data.stated, data.unstated, data.not_attacked):
            assert table.rows
            assert con.execute(table.statement).fetchall() == table.rows


def test_nothing_is_green_that_is_not_stated_and_holds(audit: sqlanon.Audit, page: AuditPage) -> None:
    assert not audit.holds
    badges = re.findall(r'<span class="badge ?(\w*)">([^<]*)</span>', page.html)
    assert {told for tone, told in badges if tone == "good"} == {"holds"}
    stated = [(row["attack"], row["verdict"]) for row in page.data.stated]
    assert stated.count(("intersection_attack", "fails")) == 1
    assert badges.count(("good", "holds")) == stated.count(("homogeneity", "holds"))
    unstated = [row["attack"] for row in page.data.unstated]
    assert badges.count(("", "nothing was stated")) == len(unstated)
    assert badges.count(("bad", "fails")) == 1 + stated.count(("homogeneity", "fails")) + 1 + 2
    assert ("", "of others") in badges
    assert ("", "withdrawn, counts as out") in badges
    [row] = page.data.not_attacked
    assert row["attack"] == "differencing"
    assert f"<span>{row['reason']}" in page.html


@pytest.mark.parametrize(
    ("language", "headline", "found", "label"),
    [
        ("en", "What is out, and what it gives away", "4 of them (50 %); 10 % at most", "such as … in age"),
        ("de", "Die Anforderungen sind nicht erfüllt", "betroffen: 4 Personen", "etwa … in age"),
        ("fr", "Les exigences ne sont pas satisfaites", "4 personnes", "par exemple … dans age"),
    ],
)
def test_it_says_in_each_language_what_was_found_and_no_value(
    page: AuditPage, language: str, headline: str, found: str, label: str
) -> None:
    """A label is in what the judge says; and a remark, of which nobody knows what of it is a value."""
    words, known = Words(language), "a is a table of counts or sums: attacks on rows do not apply"
    assert any("such as old in age" in (row["reason"] or "") for row in page.data.stated)
    html = text_of(replace(page.data, remarks=["Flu is of one", known]), page.charts, language)
    for says in (headline, found, label, words("remarks_hidden_one", n=1), words.wording(known)):
        assert str(options(says)) in html, says
    assert not re.search(r"\b(old|dropsy|gout|Flu)\b", html)
    assert HOSTILE not in html
    assert f'<html lang="{language}">' in html
    good = re.findall(r'badge good">([^<]*)<', html)
    assert {*good} == {"holds"} | ({words("verdict_holds")} if language != "en" else {*good})


def test_of_many_releases_the_worst_is_told(page: AuditPage) -> None:
    """And none of it is green where nothing was required, or less was found than there is."""
    bound = {
        "attack": "skyline", "id": "certain", "sensitive": None, "value": 0, "people": 0, "unit": "%",
        "verdict": "holds", "accepted": None, "reason": None, "remedy": None, "counted": "people",
        "at_most": None, "before": None, "tolerated": 1, "wording_hidden": False,
    }  # fmt: skip
    bounds = [
        {**bound, "releases": [str(at)], "people": at % 7, "verdict": "fails" if at > 7 else "holds"}
        for at in range(20)
    ]
    data = replace(page.data, facts={**page.data.facts, "bounds": bounds, "answer": "no"})
    told = in_words(data, Words("en"))
    answers = [
        (one["name"], one["badge"], one["of"], one["wording"])
        for each in told["attacks"] for one in each["answers"]
    ]  # fmt: skip
    unread = (
        f"{HOSTILE}: nobody understands 1 of its values, in 1 cells, such as … in age: too little is found"
    )
    assert answers == [
        ("skyline.certain", "too much", "13", []), ("skyline.certain", "allowed", "6", []),
        ("intersection_attack.sure_90", "not known", f"ours and {HOSTILE}", [unread]),
        *[("linking.certain", "not known", HOSTILE, [unread])] * 2,
    ]  # fmt: skip
    none = replace(data, facts={**data.facts, "bounds": [], "answer": "yes"})
    assert in_words(none, Words("de"))["tone"] == "none"


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ("('holds', 1, 2, null), ('holds', 0, 0, null)", "All 2 that were stated hold. "),
        (
            "('holds', 1, 2, null), ('holds', 3, 2, null), ('not known', null, 1, 'they were told')",
            "1 of 3 hold; 2 were accepted, and 1 of these is above the bound. ",
        ),
        (
            "('fails', 3, 2, null), ('not known', null, null, null), ('not known', 9, 1, 'why')",
            "0 of 3 hold; 1 fails; 1 is not known; 1 was accepted by Ada on 2026-01-02, and 1 of these is "
            "above the bound. ",
        ),
    ],
)
def test_what_was_accepted_does_not_count_as_holding(
    con: duckdb.DuckDBPyConnection, rows: str, says: str
) -> None:
    con.execute(
        "create or replace temp table stated as select *, if(accepted = 'why', 'Ada', null) as accepted_by, "
        "date '2026-01-02' as accepted_at, null::date as accepted_until "
        f"from (values {rows}) as row(verdict, value, tolerated, accepted)"
    ).fetchall()
    told = con.execute("from sqlanon._stated_in_words('stated')").fetchall()
    assert told == [(f"{says}Of what was not stated, nothing is said.",)]


@pytest.mark.slow("half a second")
def test_it_is_written_once(page: AuditPage, tmp_path: Path) -> None:
    page.write(tmp_path / "audit.html")
    with pytest.raises(sqlanon.InputError, match="exists"):
        page.write(tmp_path / "audit.html")
    assert (tmp_path / "audit.html").stat().st_mode & 0o077 == 0


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as result:
        yield result


@needs_browser
class TestBrowser:
    @pytest.mark.slow("1 s a case")
    @pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1200, "light")])
    def test_it_draws_and_asks_for_nothing(
        self, chromium: Browser, page: AuditPage, tmp_path: Path, width: int, scheme: Any
    ) -> None:
        """On a phone and on a screen; what a register holds is not run; and it prints."""
        file = tmp_path / "audit.html"
        page.write(file)
        with chromium.new_context(
            viewport={"width": width, "height": 800}, color_scheme=scheme, java_script_enabled=False
        ) as context:
            shown = context.new_page()
            watch = opened(shown, file)
            assert watch.requests == [file.as_uri()]
            assert watch.complaints == []
            assert shown.evaluate("document.documentElement.scrollWidth") <= width
            assert shown.locator("img").count() == 0
            assert HOSTILE in shown.inner_text("#out")
            charts = shown.locator("figure svg")
            assert charts.count() == len(page.charts) == 3
            for drawn in charts.all():
                box = drawn.bounding_box()
                assert box is not None
                assert box["width"] > 250
                assert drawn.get_attribute("aria-label")
                assert drawn.locator("[aria-roledescription] title").count() > 0
            shown.emulate_media(media="print")
            assert shown.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
