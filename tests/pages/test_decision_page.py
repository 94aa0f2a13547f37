"""The decision page: yes, no or not yet, in three languages, with a twin for programs."""

from __future__ import annotations

import ast
import json
import os
import re
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Browser
from typer.testing import CliRunner, Result

import sqlanon
from sqlanon.cli import app
from sqlanon.judge.movers import ACCEPT_MOVED
from sqlanon.judge.together import _accepting
from sqlanon.measure.practice import of_average
from sqlanon.pages.decision_page import _change, _changed
from sqlanon.pages.decision_page.words import Words, texts, without_values
from sqlanon.policies.schema import LANGUAGES
from tests.browser import browser, needs_browser, opened
from tests.budget import examples

HOSTILE = "<img src=x onerror=alert(1)>"
PEOPLE = f"age,zip,disease,note,{HOSTILE}\n" + "".join(
    f"{age},{zip},{disease},n{age},{HOSTILE}\n"
    for age, zip in ((21, "a"), (22, "a"), (41, "b"), (42, "b"))
    for disease in ("Flu", "Cold")
)
POLICY = f"""confirmed = "Ada <b>, 2026-01-01"
[roles]
qi = ["age", "zip"]
sensitive = ["disease"]
keep = ["{HOSTILE}"]
[requirements]
k = 2
l = 2
[tolerated.homogeneity]
certain = 0
"""
PUBLISH = [
    "publish", "people.csv", "--policy", "policy.toml", "--register", "r.duckdb", "--attacks", "homogeneity"
]  # fmt: skip
KEYS = [
    "format", "answer", "is_out", "made_at", "source", "policy", "register", "output", "number", "name",
    "together", "release", "table", "columns", "never_leave", "first_rows", "check", "bounds",
    "reasons", "not_looked_at", "remedies", "out_before", "changed", "accepted", "said", "remarks",
]  # fmt: skip


@pytest.mark.slow("2 s")
def test_what_macros_say_is_said_in_the_language_of_the_page() -> None:
    with pytest.raises(sqlanon.InputError) as refused:
        sqlanon.mondrian("people.csv", qi=["age"], k=99)
    told = [
        str(refused.value), of_average(0.1, 0.5, 2).text,
        "k_map = 2 is not known: people may have several rows",
        "not known: after 3 seconds not everything was looked at: attacks. Give it more time", "else",
    ]  # fmt: skip
    assert [Words("de").reason(each) for each in told] == [
        "Der Grund: Keine Veröffentlichung kann die Anforderungen erfüllen: Die ganze Tabelle als eine "
        "einzige Gruppe erreicht 8 (k-Anonymität), verlangt wird 99.",
        "Der Grund: Das mittlere Risiko ist 0,5, erlaubt ist 0,1 (average_risk): Ein größeres k senkt es.",
        "Der Grund: Ob k_map = 2 gilt, ist nicht bekannt: Eine Person kann mehrere Zeilen haben.",
        "Der Grund: Nach 3 Sekunden war nicht alles geprüft. Geben Sie mehr Zeit.",
        "Der Grund (englisch): else",
    ]


# What variables of the judge stand for in what it says.
FILLED = {
    "ACCEPT_MOVED": ACCEPT_MOVED, "remedy": "", "what": "quasi-identifier",
    "sentence": "X: X people are in a class that has none of their values: these are ",
    "way": "say as of when they count (table.period, --period)",
}  # fmt: skip
NO_SHARED_VALUE = texts()["reason_no_shared_value"]["en"]
WHY = ("it was not kept which", "the table lacks columns to tell who had which quasi-identifiers when")


def said_by_the_judge() -> set[tuple[str, str]]:
    """The reasons and remedies of all doubts, as their texts are written, with X for what is filled in."""
    found = set()
    for file in (Path(sqlanon.__file__).parent / "judge").glob("*.py"):
        for call in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Doubt":
                given = dict(zip(("id", "reason", "releases", "people", "remedy"), call.args, strict=False))
                given |= {str(each.arg): each.value for each in call.keywords}
                found |= {(kind, written(given[kind])) for kind in ("reason", "remedy") if kind in given}
    return {(kind, text) for kind, text in found if text.strip("X: ")}


def written(text: ast.expr) -> str:
    if isinstance(text, ast.JoinedStr):
        parts = (written(each.value) if isinstance(each, ast.FormattedValue) else written(each)
                 for each in text.values)  # fmt: skip
        return "".join(parts)
    if isinstance(text, ast.Call) and isinstance(text.func, ast.Name) and text.func.id == "_accepting":
        return _accepting("x")
    if isinstance(text, ast.Name):
        return "WHY" if text.id == "why" else FILLED.get(text.id, "X")
    return str(text.value) if isinstance(text, ast.Constant) else "X"


def test_whatever_the_judge_says_is_said_in_the_language_of_the_page() -> None:
    said = said_by_the_judge()
    assert len(said) > 50
    for language in ("de", "fr"):
        words = Words(language)
        as_it_is = words("details_english", text="")
        for kind, text in said:
            say = words.wording if kind == "reason" else words.ways
            texts_of = [text.replace("WHY", why) for why in WHY]
            assert not all(say(each).startswith(as_it_is) for each in texts_of), text
    several = (
        "if no row of then is a row of today, as with claims and visits, say that values of a, b may change: "
        f"--values-may-change a,b; or {ACCEPT_MOVED}"
    )
    assert Words("de").ways(several) == (
        "Was hilft: falls keine Zeile von damals eine von heute ist, wie bei Rechnungen und Besuchen, sagen, "
        "dass sich Werte von a, b ändern können: --values-may-change a,b; oder es akzeptieren: --accept "
        'evidence.moved="Grund".'
    )
    parts = f"3.5 % of the rows have labels that could not be read; {NO_SHARED_VALUE}"
    assert Words("fr").wording(parts) == (
        "3,5\N{NO-BREAK SPACE}% des lignes ont des libellés illisibles. "
        "Deux publications n’ont aucune valeur commune\N{NO-BREAK SPACE}: si leurs mots diffèrent, publish "
        "--words COLUMN:THEN=TODAY dit lesquels sont identiques."
    )
    assert Words("fr").wording(f"{NO_SHARED_VALUE}; else").endswith("same; else")
    assert "einer Zeile je Person" in Words("de").wording("does not take unit")
    more = "2 people by the new release, and perhaps 3 more, 0 were so before"
    assert "vielleicht weitere 3; auf 0" in Words("de").wording(more)
    way = "give it the column a, or if there is none any more, accept it: --accept x='...'"
    assert Words("fr").ways(way).endswith("la colonne a\N{NO-BREAK SPACE}; ou si elle n’existe plus, "
                                          "l’accepter\N{NO-BREAK SPACE}: --accept x='...'.")  # fmt: skip


@pytest.mark.slow("12 s")
def test_a_release_that_cannot_be_made_is_a_no() -> None:
    Path("policy.toml").write_text(POLICY.replace("k = 2", "k = 99"))
    publishes(3, "out.csv", "--language", "fr")
    assert twin()["answer"] == "no"
    page = Path("page.html").read_text("utf-8")
    assert "Aucune publication ne peut satisfaire aux exigences" in page
    assert "Rien n’a été publié" in page
    tried = publishes(1, "out.csv", "--remedies", "2")
    assert "none of what was tried helps" in tried.stderr


def test_values_are_left_out_of_what_the_judge_says() -> None:
    labels = (
        "r: 2 labels of zip, such as 24*, are read by the hierarchies of today: nobody has said what they"
    )
    labels += " meant"
    lost = (
        "is not about such releases: a has 2 rows with Flu, and b has 1: the second release must have all "
        "rows of the first"
    )
    way = (
        "write sex as before (in the query that makes the table), say which words are the same (publish "
        '--words sex:THEN=TODAY: "m" = "male"?), or if these are other people, accept it: --accept x'
    )
    assert without_values(f"{labels}; {NO_SHARED_VALUE}") == (
        labels.replace("24*", DOTS) + f"; {NO_SHARED_VALUE}"
    )
    assert without_values(way) == way.replace('"m" = "male"?', DOTS)
    assert without_values(f"{labels}; Flu is of 2 people") is None
    hidden_rows = without_values(lost)
    assert hidden_rows == lost.replace("Flu", DOTS)
    said = f"Der Angriff gilt nicht für solche Veröffentlichungen: a hat 2 Zeilen mit {DOTS}, b hat 1. "
    assert Words("de").wording(hidden_rows).startswith(said)


def test_a_coarser_hierarchy_is_said_in_words() -> None:
    lines = {'hierarchies."born on".units': '["quarter", "year"]', "hierarchies.age.widths": "[10, 20]"}
    said = _change(lines, {}, Words("de"))
    assert said == {"change": "born on gröber: nach Quartal, age gröber: in Schritten von 10", "lines": []}


def test_what_of_the_policy_has_changed_is_said_in_words() -> None:
    words = Words("fr")
    keys = ("requirements.k", "tolerated.linking.certain", "method.tree")
    assert [words.key(key) for key in keys] == [
        "combien de membres au moins a chaque groupe (k)",
        "combien de pour cent peuvent être trouvés au plus (linking.certain)", "method.tree",
    ]  # fmt: skip
    values = (None, 1234, ["a", "b"], [["a"]], True)
    assert [words.value(each) for each in values] == [
        "non défini", "1\N{NARROW NO-BREAK SPACE}234", "a et b", '[["a"]]', "true"
    ]  # fmt: skip


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.csv").write_text(PEOPLE)
    (tmp_path / "policy.toml").write_text(POLICY)
    return tmp_path


def publishes(code: int, output: str, *arguments: str, first: str | None = None) -> Result:
    command = [*([first] if first else []), *PUBLISH, "-o", output, "--page", "page.html", *arguments]
    result = CliRunner().invoke(app.app, command)
    assert result.exit_code == code, result.output
    return result


DOTS = "\N{HORIZONTAL ELLIPSIS}"


def hidden(form: str) -> str:
    """A cell of which only the form is shown."""
    return (
        f"\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}{form}\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"
    )


def twin() -> dict[str, Any]:
    told: dict[str, Any] = json.loads(Path("page.json").read_text("utf-8"))
    assert list(told) == KEYS
    return told


def refused() -> None:
    """Have all of one class have one value."""
    lines = [f"{age},a,Flu,x,y\n" for age in (20, 20, 20, 70, 70, 70)]
    Path("people.csv").write_text(PEOPLE.splitlines(keepends=True)[0] + "".join(lines))
    Path("policy.toml").write_text(POLICY.replace("l = 2\n", ""))


def test_each_text_is_in_each_language_with_the_same_holes() -> None:
    for key, by_language in texts().items():
        assert tuple(by_language) == LANGUAGES, key
        holes = [
            {name for _, name, *_ in string.Formatter().parse(text) if name} for text in by_language.values()
        ]
        assert holes[1] == holes[2] <= holes[0], key
        assert holes[0] == holes[1] or key.startswith("reason_"), key


def test_it_says_what_the_browsers_page_says() -> None:
    of_browser = (Path(app.__file__).parents[1] / "app/page/texts.js").read_text("utf-8")
    for key, theirs in (
        ("how_recoded", "how.recoded"),
        ("how_unchanged", "how.unchanged"),
        ("leaves", "release.leaving"),
    ):
        for language in ("en", "de"):
            found = re.search(rf'"{theirs}": {{[^}}]*\b{language}: "([^"]*)"', of_browser)
            assert found
            assert texts()[key][language] == found[1]


def test_numbers_are_written_as_in_the_language() -> None:
    written = [(Words(each).number(1234.5), Words(each).percent(0.04)) for each in LANGUAGES]
    assert written == [
        ("1,234", "< 0.1 %"), ("1.234", "< 0,1 %"), ("1\N{NARROW NO-BREAK SPACE}234", "< 0,1 %")
    ]  # fmt: skip
    assert [Words(each).percent(2.947) for each in LANGUAGES] == ["2.9 %", "2,9 %", "2,9 %"]


def test_a_missing_value_within_a_label_is_a_word() -> None:
    labels = ["{–, A, –}", "[–, 39]", hidden("{a, –}"), "–", "a – b", "{a–, b}"]
    assert [*map(Words("de").label, labels)] == [
        "{fehlt, A, fehlt}", "[fehlt, 39]", hidden("{a, fehlt}"), "–", "a – b", "{a–, b}",
    ]  # fmt: skip


def test_a_release_that_goes_out_is_a_yes() -> None:
    publishes(0, "a.csv")
    told, page = twin(), Path("page.html").read_text("utf-8")
    assert (told["answer"], told["is_out"], told["number"], told["name"]) == ("yes", True, 1, "a")
    assert "Yes, by this policy" in page
    assert "Everybody is one of at least 2 people" in page or "Every row is one of at least 2" in page
    assert told["never_leave"] == ["note"]
    assert told["remedies"] is None
    assert told["changed"] is None
    assert told["not_looked_at"] == [
        {"what": "kept", "columns": [HOSTILE]},
        {"what": "outside"},
        {"what": "knowledge"},
    ]
    assert HOSTILE not in page
    assert "Ada &lt;b&gt;" in page


def test_no_value_of_the_table_is_shown_unless_asked_for() -> None:
    publishes(0, "a.csv", "--dry-run")
    for file in ("page.html", "page.json"):
        assert not re.search(r"\b(Flu|Cold|n21)\b", Path(file).read_text("utf-8"))
    assert twin()["columns"][2]["after"] == ["Aa"]
    publishes(0, "a.csv", "--dry-run", first="--show-values")
    assert {"Flu", "Cold"} >= {row[2] for row in twin()["first_rows"]["rows"]} > set()


@pytest.mark.slow("1 s")
def test_only_ranges_and_masks_of_recoded_columns_are_shown(macros: duckdb.DuckDBPyConnection) -> None:
    macros.execute(
        "create or replace table raw as select ' Flu ' as ill, '[1, 2]' as age, '+' as test, 7 as n"
    )
    macros.execute(
        "create or replace table leaving as from (values ('flu', '[1,2]', '+', '[5, 9]'), "
        "('*', '[30, 39]', 'Flu', '{5, 7}'), ('NULL', '[NULL, 39]', '{NULL, a, NULL}', null)) "
        "as t(ill, age, test, n)"
    )
    shown = "select name, list(value order by place) from sqlanon._first_rows('leaving', 'raw', {}, true) "
    shown += "group by all"
    assert dict(macros.execute(shown.format("['ill', 'age', 'test', 'n']")).fetchall()) == {
        "ill": [hidden("a"), "*", hidden("A")],
        "age": [hidden("[9,9]"), "[30, 39]", "[–, 39]"],
        "test": [hidden(DOTS), hidden("Aa"), hidden("{–, a, –}")],
        "n": ["[5, 9]", hidden("{9, 9}"), ""],
    }
    unchanged = dict(macros.execute(shown.format("[]::varchar[]")).fetchall())
    assert unchanged["n"] == [hidden("[9, 9]"), hidden("{9, 9}"), ""]


@pytest.mark.slow("2 s")
def test_who_came_and_went() -> None:
    policy = POLICY.replace("[requirements]", 'unit = "note"\n[requirements]')
    lines = [f"{20 + i % 5},a,{['Flu', 'Cold'][i % 2]},p{i},x\n" for i in range(12)]
    Path("policy.toml").write_text(policy, "utf-8")
    header = PEOPLE.splitlines(keepends=True)[0]
    Path("people.csv").write_text(header + "".join(lines[:10]), "utf-8")
    publishes(0, "a.csv")
    assert twin()["changed"] is None
    Path("people.csv").write_text(header + "".join(lines[3:] + lines[3:5]), "utf-8")
    run = [*PUBLISH, "-o", "b.csv", "--page", "b.html", "--dry-run"]
    CliRunner().invoke(app.app, run)
    told = json.loads(Path("b.json").read_text("utf-8"))
    assert told["changed"]["people"] == {"stayed": 7, "came": 2, "left": 3}
    assert "7 were in it last time, 2 have come, 3 have left" in Path("b.html").read_text("utf-8")


@pytest.mark.slow("1 s")
def test_the_policy_says_the_language() -> None:
    policy = Path("policy.toml")
    policy.write_text(f'{POLICY}[judge]\nlanguage = "fr"\n', "utf-8")
    publishes(0, "a.csv", "--dry-run")
    assert '<html lang="fr">' in Path("page.html").read_text("utf-8")
    policy.write_text(f'{POLICY}[judge]\nlanguage = "it"\n', "utf-8")
    assert "judge.language must be one of en, de, fr" in publishes(2, "b.csv").output


@pytest.mark.slow("2 s a case")
@pytest.mark.parametrize(
    ("language", "says"),
    [("en", "Nothing was tried"), ("de", "Die Richtlinie erlaubt keine"), ("fr", "une seule valeur")],
)
def test_a_refusal_is_a_no_in_three_languages(language: str, says: str) -> None:
    refused()
    publishes(1, "a.csv", "--language", language)
    told, page = twin(), Path("page.html").read_text("utf-8")
    assert (told["answer"], told["is_out"]) == ("no", False)
    assert [each["id"] for each in told["bounds"] if each["verdict"] == "fails"] == ["certain"]
    assert f'<html lang="{language}">' in page
    assert says.lower() in page.lower()
    assert not Path("a.csv").exists()


@pytest.mark.slow("it makes a release per remedy", but=(0,))
@pytest.mark.parametrize(
    ("policy", "release", "answer", "says"),
    [
        (POLICY, "age,zip,disease\n" + "20,a,Flu\n20,a,Cold\n" * 2, "not yet",
         "Was die Richtlinie von der Tabelle allein verlangt, ist erfüllt."),
        (POLICY, "age,zip,disease\n" + "20,a,Flu\n20,a,Flu\n" * 2, "no",
         "Eine Gruppe mit denselben Angaben ist zu klein oder zu einheitlich (4 Zeilen)."),
        (POLICY, "age,zip,disease,who\n" + "20,a,Flu,1\n20,a,Cold,2\n" * 2, "no",
         "Die Richtlinie gibt who nicht frei."),
        (POLICY.replace("[req", 'unit = "who"\n[req'), "age,zip,disease\n" + "20,a,Flu\n20,a,Cold\n" * 2,
         "not yet", "Gezählt wurden Zeilen, nicht Personen."),
    ],
)  # fmt: skip
def test_what_is_only_checked_is_never_a_yes(policy: str, release: str, answer: str, says: str) -> None:
    Path("policy.toml").write_text(policy.replace(f'keep = ["{HOSTILE}"]\n', ""))
    Path("release.csv").write_text(release)
    asked = ["check", "release.csv", "--policy", "policy.toml", "--page", "page.html", "--language", "de"]
    result = CliRunner().invoke(app.app, asked)
    assert result.exit_code in (0, 1), result.output
    told = twin()
    assert (told["answer"], told["is_out"], told["bounds"]) == (answer, False, [])
    html = Path("page.html").read_text("utf-8")
    assert says in html
    assert "Die Tabelle wurde nur geprüft, nicht angegriffen: Deshalb sagt diese Seite nie Ja." in html
    assert "Flu" not in html
    without = CliRunner().invoke(app.app, ["check", "release.csv", "--qi", "age", "--page", "other.html"])
    assert (without.exit_code, Path("other.html").exists()) == (2, False)
    assert "--page needs --policy FILE" in without.output


@pytest.mark.slow("6 s")
def test_what_was_tried_is_told() -> None:
    refused()
    publishes(1, "a.csv", "--remedies", "60")
    tried = twin()["remedies"]["tried"]
    assert tried
    assert all(each["lines"] for each in tried)
    page = Path("page.html").read_text("utf-8")
    assert "groups of at least 4 (k)" in page
    assert "without zip" in page
    assert "[requirements] k" not in page


@pytest.mark.slow("5 s")
def test_what_is_not_known_is_not_yet_and_what_is_accepted_says_why() -> None:
    publishes(0, "a.csv")
    Path("page.html").rename("first.html")
    Path("page.json").unlink()
    kept = PEOPLE.splitlines(keepends=True)
    Path("people.csv").write_text(
        "".join([*kept[:5], f"61,c,Flu ,n,{HOSTILE}\n", f"61,c,Cold,n,{HOSTILE}\n"])
    )
    publishes(1, "b.csv")
    told = twin()
    assert told["answer"] == "not yet"
    assert told["changed"]["rows"] == {"before": 8, "now": 6}
    open_ = [each["id"] for each in told["bounds"] if each["verdict"] == "not known"]
    assert {"leavers", "spelling"} <= {*open_}
    for file in ("page.html", "page.json"):  # the judge's words have such values
        assert not re.search(r"\b(Flu|Cold)\b", Path(file).read_text("utf-8"))
    why = [part for id in open_ for part in ("--accept", f"evidence.{id}=they were told")]
    publishes(0, "b.csv", "--dry-run", *why, "--accepted-by", "Bo", "--accepted-until", "2999-01-02")
    assert {(each["by"], each["until"], each["where"]) for each in twin()["accepted"]} == {
        ("Bo", "2999-01-02", "run")
    }
    assert ", until 2999-01-02" in Path("page.html").read_text("utf-8")
    publishes(0, "b.csv", *why)
    [accepted, *_] = [each for each in twin()["accepted"] if each["id"] == "leavers"]
    assert accepted["reason"] == "they were told"
    assert accepted["by"]
    assert accepted["now"]["verdict"] == "not known"
    assert "they were told" in Path("page.html").read_text("utf-8")


def test_the_page_of_what_is_out_is_never_replaced_and_that_of_a_try_is() -> None:
    refused()
    publishes(1, "a.csv")
    Path("people.csv").write_text(PEOPLE)
    Path("policy.toml").write_text(POLICY)
    publishes(0, "a.csv")
    before = Path("page.html").read_bytes()
    assert "page.html exists, and is no page of a refused or tried release" in publishes(2, "b.csv").stderr
    assert Path("page.html").read_bytes() == before
    assert not Path("b.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--page", "page.csv"], "give a name that ends with .html"),
        (["--page", "nowhere/page.html"], "there is no folder nowhere"),
        (["--language", "it"], "--language must be one of en, de, fr, not it"),
        (["-o", "page.json"], "the release goes to page.json"),
    ],
)
def test_wrong_uses_are_told_before_anything_is_made(arguments: list[str], says: str) -> None:
    result = publishes(2, "a.csv", *arguments)
    assert says in " ".join(result.stderr.split())
    assert sorted(file.name for file in Path.cwd().iterdir()) == ["people.csv", "policy.toml"]


def test_a_folder_that_nobody_may_write_in_is_told_before_anything_is_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Path("closed").mkdir()
    may = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: str(path) != "closed" and may(path, mode))
    told = publishes(2, "a.csv", "--page", "closed/page.html").stderr
    assert "nothing can be written in the folder of closed/page.html" in told
    assert not Path("a.csv").exists()


@pytest.fixture(scope="module")
def macros() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


LETTERS = st.text("aZäÖ19 .,-/é", max_size=12)


@pytest.mark.slow("half a second")
@given(LETTERS)
@examples(60)
def test_a_form_has_marks_alone(macros: duckdb.DuckDBPyConnection, text: str) -> None:
    kinds = "".join(
        "9" if each.isdigit() else "A" if each.isupper() else "a" if each.islower() else each for each in text
    )
    wanted = re.sub("a+", "a", re.sub("A+", "A", kinds))
    wanted = DOTS if wanted == text != "" else wanted  # what is nothing but its form
    assert macros.execute("select sqlanon._form_in_marks(?)", [text]).fetchall() == [(wanted,)]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as result:
        yield result


@needs_browser
@pytest.mark.slow("3 s a case")
@pytest.mark.parametrize(("width", "language"), [(390, "de"), (1280, "fr")])
def test_it_fits_a_phone_and_asks_for_nothing(chromium: Browser, width: int, language: str) -> None:
    publishes(0, "a.csv", "--language", language)
    file = Path("page.html").resolve()
    with chromium.new_context(viewport={"width": width, "height": 800}, java_script_enabled=False) as context:
        shown = context.new_page()
        watch = opened(shown, file)
        assert watch.requests == [file.as_uri()]
        assert watch.complaints == []
        assert shown.evaluate("document.documentElement.scrollWidth") <= width
        assert shown.locator("img").count() == 0
        assert HOSTILE in shown.inner_text("#leaves")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_release_is_the_first_one_only_if_nothing_is_out(language: str) -> None:
    words = Words(language)
    first, other = (_changed({"changed": None, "out_before": out}, words) for out in (0, 1))
    assert first == [words("changed_first")]
    assert other == [words("changed_other")]
    assert first != other
