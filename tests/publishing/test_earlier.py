"""Tables that earlier releases were made of, given again: who has left or moved is asked about by them."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import pytest

import sqlanon
from sqlanon.judge.evidence import Entered, Kept
from sqlanon.judge.runs import Attempt
from sqlanon.publishing import gate
from tests.cli.test_cli import run
from tests.judge.nights import ATTACK, CERTAIN, FAILS, HOLDS, KNOWING_ALL, NOT_KNOWN, WRONG_USE, Nights, Row
from tests.publishing.test_people_kept import MONDAY, TUESDAY, people_of, rules

# Eve and Fay, of a class of their own, leave; without them the others are as they were.
WITH_OTHERS: list[Row] = [
    *MONDAY,
    {"name": "Eve", "zip": 3, "disease": "flu"},
    {"name": "Fay", "zip": 3, "disease": "flu"},
]


@pytest.fixture
def nights(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> Nights:
    return Nights(con, tmp_path, attacks=[ATTACK])


@pytest.mark.slow("6 s")
def test_who_has_moved_is_found_where_they_were(nights: Nights) -> None:
    """As by a register that keeps people; blanks and the order of rows do not matter."""
    assert nights.publish("monday", MONDAY, rules()).verdict == HOLDS
    again: list[Row] = [{**row, "name": f"{row['name']} "} for row in reversed(MONDAY)]
    earlier = {"monday": nights.load("monday_again", again)}
    made = nights.publish("tuesday", TUESDAY, rules(), earlier=earlier)
    assert (made.verdict, made.people(), people_of(made.rows, "moved")) == (FAILS, 2, [])
    assert nights.publish("tuesday", TUESDAY, rules(most=100), earlier=earlier).verdict == HOLDS
    assert nights.audit(TUESDAY, rules()).verdict == NOT_KNOWN
    made = nights.audit(TUESDAY, rules(), earlier=earlier)
    assert (made.verdict, made.people()) == (FAILS, 2)


def test_values_that_may_change_and_have_not(nights: Nights) -> None:
    """All have what they had, so that whoever supposes it learns of Ann and Bob."""
    changing = f'{rules()}[judge]\nvalues_may_change = ["disease"]\n'
    assert nights.publish("monday", MONDAY, changing).verdict == HOLDS
    earlier = {"monday": nights.load("monday_again", MONDAY)}
    made = nights.publish("tuesday", TUESDAY, changing, earlier=earlier)
    assert (made.verdict, people_of(made.rows, "values")) == (NOT_KNOWN, [4])
    diseases = [row["disease"] for row in reversed(TUESDAY)]
    others: list[Row] = [{**row, "disease": d} for row, d in zip(TUESDAY, diseases, strict=True)]
    assert nights.publish("tuesday", others, changing, earlier=earlier).verdict == HOLDS


def test_a_sensitive_column_that_is_gone(nights: Nights) -> None:
    """Ann and Bob have flu by both nights, and so the drug that Monday shows beside it."""
    drugs = {"flu": "aspirin", "gout": "colchicine", "hiv": "efavirenz"}
    monday: list[Row] = [{**row, "drug": drugs[str(row["disease"])]} for row in MONDAY]
    with_drugs = rules().replace('["disease"]', '["disease", "drug"]')
    assert nights.publish("monday", monday, with_drugs).verdict == HOLDS
    earlier = {"monday": nights.load("monday_again", monday)}
    unsaid = nights.publish("tuesday", TUESDAY, rules(), earlier=earlier)
    assert (unsaid.people("drug"), people_of(unsaid.rows, "sensitive_columns")) == (2, [None])
    gone = f'[input]\ngone = ["drug"]\n{with_drugs}'
    made = nights.publish("tuesday", TUESDAY, gone, earlier=earlier)
    assert (made.verdict, made.people("drug"), people_of(made.rows, "sensitive_columns")) == (FAILS, 2, [])


@pytest.mark.slow("5 s")
def test_who_has_left_is_asked_about(nights: Nights) -> None:
    """Both who left had flu, so Monday's release alone tells it."""
    assert nights.publish("monday", WITH_OTHERS, rules(most=100)).verdict == HOLDS
    made = nights.publish("tuesday", MONDAY, rules())
    assert (made.verdict, people_of(made.rows, "leavers")) == (NOT_KNOWN, [2])
    earlier = {"monday": nights.load("monday_again", WITH_OTHERS)}
    made = nights.publish("tuesday", MONDAY, rules(), earlier=earlier)
    assert (made.verdict, made.people(), people_of(made.rows, "leavers")) == (FAILS, 2, [])
    made = nights.publish("tuesday", MONDAY, rules(most=100), earlier=earlier)
    assert made.verdict == HOLDS
    assert "2 people who have left are asked about, too" in made.remarks


@pytest.mark.slow("3 s")
def test_another_table_is_refused(nights: Nights) -> None:
    assert nights.publish("monday", MONDAY, rules()).verdict == HOLDS
    others: list[tuple[list[Row], str, str]] = [
        (MONDAY[1:], "monday", "1 of the 4 rows that monday was made of are not in the table given for it"),
        (TUESDAY, "monday", "2 of the 4 rows that monday was made of are not in the table given for it"),
        ([{"name": "Ann", "disease": "flu"}], "monday", "the table given for monday has no column zip"),
        (MONDAY, "mondy", "no release of ours that is out is called mondy; did you mean monday?"),
    ]
    for rows, name, says in others:
        made = nights.publish("tuesday", TUESDAY, rules(), earlier={name: nights.load("another", rows)})
        assert made.verdict == WRONG_USE
        assert f"earlier: {says}" in made.reasons[0]
        assert nights.out() == ["monday"]
        assert nights.is_clean()


def test_rows_of_others_are_not_asked_about(nights: Nights) -> None:
    assert nights.publish("monday", MONDAY, rules()).verdict == HOLDS
    earlier = {"monday": nights.load("more", WITH_OTHERS)}
    made = nights.publish("tuesday", MONDAY, rules(), earlier=earlier)
    assert made.verdict == HOLDS
    told = "2 rows of the table given for monday are none that it was made of: they are not asked about"
    assert told in made.remarks


def test_a_release_whose_people_nobody_knows(nights: Nights) -> None:
    made = nights.publish("monday", MONDAY, rules(), earlier={"sunday": nights.load("same", MONDAY)})
    assert "earlier: no release of ours that is out is called sunday" in made.reasons[0]
    assert nights.publish("monday", MONDAY, rules(who="")).verdict == HOLDS
    made = nights.publish("tuesday", MONDAY, rules(), earlier={"monday": nights.load("same", MONDAY)})
    assert made.verdict == WRONG_USE
    assert "its policy had no unit and no identifier" in made.reasons[0]


@pytest.mark.slow("3 s a case", but=(0,))
@pytest.mark.parametrize("keep", [False, True])
def test_who_has_moved_is_found_where_they_were_under_other_words(
    nights: Nights, monkeypatch: pytest.MonkeyPatch, keep: bool
) -> None:
    """By a table that is given again, and by what a register has kept; the words of then are not today's."""
    if keep:
        monkeypatch.setenv("SQLANON_KEY", "0123456789abcdef")
        monkeypatch.setattr(gate, "REGISTER_KEY", "SQLANON_KEY")
    then = [{**row, "zip": {1: "w", 2: "m"}[int(str(row["zip"]))]} for row in MONDAY]
    today = [{**row, "zip": {1: "female", 2: "male"}[int(str(row["zip"]))]} for row in TUESDAY]
    policy = rules(keep=keep)
    assert nights.publish("monday", then, policy).verdict == HOLDS
    sqlanon.map_release(
        nights.con, "monday", register=nights.register, values={"zip": {"w": "female", "m": "male"}}
    )
    earlier = {} if keep else {"monday": nights.load("monday_again", then)}
    made = nights.publish("tuesday", today, policy, earlier=earlier)
    assert (made.verdict, made.people(), people_of(made.rows, "moved")) == (FAILS, 2, [])


def test_a_column_that_is_gone_is_known_by_the_table_of_then(nights: Nights) -> None:
    """Each is alone in a class of both nights: by sex on Monday, by age on Tuesday, whose table lacks sex."""
    four: list[Row] = [
        {"name": name, "sex": sex, "age": age, "disease": disease}
        for name, sex, age, disease in (
            ("Ann", "f", 20, "flu"), ("Bob", "m", 20, "gout"), ("Cid", "m", 60, "acne"),
            ("Eve", "f", 60, "hiv"),
        )
    ]  # fmt: skip
    by_sex, by_age = (rules(most=most).replace("zip", qi) for qi, most in (("sex", 100), ("age", 0)))
    assert nights.publish("monday", four, by_sex).verdict == HOLDS
    tuesday: list[Row] = [{name: row[name] for name in ("name", "age", "disease")} for row in four]
    refused = nights.publish("tuesday", tuesday, by_age)
    assert refused.verdict == NOT_KNOWN
    assert (
        "Give it the column sex; or give the table that it was made of again: --earlier monday=FILE"
        in str(refused.error)
    )
    again = {"monday": nights.load("monday_again", four)}
    made = nights.publish("tuesday", tuesday, by_age, earlier=again)
    assert (made.verdict, made.people(), people_of(made.rows, "quasi_identifiers")) == (FAILS, 4, [])
    newcomer: Row = {"name": "Fay", "age": 20, "disease": "flu"}  # who was not there on Monday
    made = nights.publish("tuesday", [*tuesday, newcomer], by_age, earlier=again)
    assert (made.verdict, made.people()) == (FAILS, 4)


@pytest.mark.slow("3 s")
def test_composed_l_reads_a_release_in_words_of_today(nights: Nights) -> None:
    """And so do its classes and its cuts. Without the words it covers nobody of today."""
    words = {"w": "female", "m": "male"}
    then: list[Row] = [{**row, "zip": "wm"[i % 2]} for i, row in enumerate(MONDAY * 3)]
    today: list[Row] = [{**row, "zip": words[str(row["zip"])]} for row in then]
    policy = (
        '[roles]\nqi = ["zip"]\nsensitive = ["disease"]\n[requirements]\nk = 2\nknown = "register"\n'
        f"composed_l = 2\n[tolerated]\n{CERTAIN} = 100\n"
    )
    assert nights.publish("monday", then, policy).verdict == HOLDS
    refused = nights.publish("tuesday", today, policy)
    assert "covers a row of the table" in refused.text
    sqlanon.map_release(nights.con, "monday", register=nights.register, values={"zip": words})
    made = nights.publish("tuesday", today, policy)
    assert made.verdict == HOLDS, made.text
    assert "unbound" not in made.text


@pytest.mark.slow("5 s")
def test_words_are_shown_asked_about_and_mapped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    attacked, outcomes = list[bool](), Attempt.outcomes

    def counted(attempt: Attempt, progress: Any) -> Any:
        attacked.append(True)
        return outcomes(attempt, progress)

    monkeypatch.setattr(Attempt, "outcomes", counted)
    Path("policy.toml").write_text(rules())
    for month, words in (("may", "FH"), ("june", ("Femme", "Homme"))):
        rows = [f"P{i},{words[i % 2]},{('flu', 'gout', 'hiv')[i % 3]}\n" for i in range(30)]
        Path(f"{month}.csv").write_text("name,zip,disease\n" + "".join(rows))
    asked = ("--policy", "policy.toml", "--register", "r.duckdb", "--attacks", ATTACK, "-o")
    assert run("publish", "may.csv", *asked, "may_out.csv").exit_code == 0
    later = ("publish", "june.csv", *asked, "june_out.csv", "--earlier", "may_out=may.csv")
    attacked.clear()
    refused = run(*later, "--map-words")  # nobody is there to answer
    assert refused.exit_code == 2
    assert "--map-words: nobody has answered" in refused.stderr
    assert "not with --dry-run" in run(*later, "--map-words", "--dry-run").stderr
    spelled = "select column_name, theirs, ours from spellings order by theirs"
    with duckdb.connect("r.duckdb") as con:
        assert con.execute(spelled).fetchall() == []
    done = run(*later, "--map-words", "--yes", "--accepted-by", "Ada", "--page", "june.html")
    assert done.exit_code == 0, done.output
    assert attacked == [True]  # words come first
    said = json.loads(Path("june.json").read_text("utf-8"))["said"]
    assert [(each["column"], each["words"], each["by"]) for each in said["words"]] == [("zip", 2, "Ada")]
    page = Path("june.html").read_text("utf-8")
    assert "In may_out, 2 words of zip mean words of today (Ada, 20" in page
    assert "Femme" not in page
    assert 'may_out: zip: "F" = "Femme", "H" = "Homme"' in done.stderr
    with duckdb.connect("r.duckdb") as con:
        assert con.execute(spelled).fetchall() == [("zip", "F", "Femme"), ("zip", "H", "Homme")]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_labels_in_other_words(con: duckdb.DuckDBPyConnection) -> None:
    ours = "map {'w': 'female', 'm': 'male, or boy', 'x': NULL}"
    labels = {
        "w": "female", "x": "x", "{w, m}": '{female, "male, or boy"}', "{w, d, NULL}": "{female, d, NULL}",
        "[1, 9]": "[1, 9]", "*": "*", '{"w"}': "female",
    }  # fmt: skip
    for label, called in labels.items():
        said = con.execute(f"select sqlanon._label_as_called_today(?, {ours})", [label]).fetchall()
        assert said == [(called,)], label
    none = con.execute(f"select sqlanon._label_as_called_today(null::varchar, {ours})").fetchall()
    assert none == [(None,)]


# Claims: each month other ones, two of Ann's alike in May; Eve leaves, and nobody else was born when she was.
CLAIMS = """
[roles]
unit = "name"
qi = ["born", "day"]
sensitive = ["disease"]
[hierarchies.born]
builder = "date"
units = ["year", "decade"]
[method]
name = "generalize"
levels = {born = 2, day = 0}
[requirements]
k = 2
[judge]
values_may_change = ["disease"]
[tolerated]
"""


def claims(*rows: tuple[str, str, int, str]) -> list[Row]:
    return [{"name": name, "born": born, "day": day, "disease": disease} for name, born, day, disease in rows]


@pytest.mark.slow("8 s")
def test_claims_of_months(nights: Nights) -> None:
    """Rows are others each month: each is asked about as it was, also by labels of values that are gone."""
    may = claims(
        ("Ann", "1981-03-05", 1, "flu"), ("Ann", "1981-03-05", 1, "gout"), ("Bob", "1982-07-01", 1, "hiv"),
        ("Eve", "1991-02-03", 2, "flu"), ("Fay", "1992-11-30", 2, "flu"), ("Cid", "1994-05-05", 1, "cold"),
        ("Dan", "1993-01-17", 1, "flu"),
    )  # fmt: skip
    june = claims(
        ("Ann", "1981-03-05", 3, "cold"), ("Bob", "1982-07-01", 3, "flu"), ("Bob", "1982-07-01", 3, "gout"),
        ("Cid", "1994-05-05", 4, "flu"), ("Dan", "1993-01-17", 4, "cold"),
    )  # fmt: skip
    tolerant, strict = f"{CLAIMS}{CERTAIN} = 90\n", f"{CLAIMS}{CERTAIN} = 0\n"
    assert nights.publish("may", may, tolerant).verdict == HOLDS
    assert nights.publish("june", june, tolerant).verdict == NOT_KNOWN
    earlier = {"may": nights.load("may_again", may)}
    made = nights.publish("june", june, strict, earlier=earlier)
    assert (made.verdict, made.people()) == (FAILS, 2)  # Eve and Fay, who have left
    assert nights.publish("june", june, tolerant, earlier=earlier).verdict == HOLDS
    july = claims(
        ("Ann", "1981-03-05", 5, "hiv"), ("Cid", "1994-05-05", 6, "cold"), ("Bob", "1982-07-01", 5, "flu"),
        ("Dan", "1993-01-17", 6, "gout"),
    )  # fmt: skip
    earlier["june"] = nights.load("june_again", june)
    assert nights.publish("july", july, tolerant, earlier=earlier).verdict == HOLDS


BORN = [("Dan", "1993-01-17"), ("Cid", "1994-05-05")]


@pytest.mark.parametrize("who", ['unit = "name"', 'identifier = ["name"]'])
def test_other_values_are_no_leavers(nights: Nights, who: str) -> None:
    """Two of three people have another disease in June: their rows of May are theirs still, once that is said
    which the refusal names."""
    may = claims(*((name, born, 1, "flu") for name, born in BORN), ("Fay", "1992-11-30", 1, "gout"))
    june = claims(*((name, born, 1, "cold") for name, born in BORN), ("Fay", "1992-11-30", 1, "gout"))
    policy = CLAIMS.replace('unit = "name"', who)
    assert who in policy
    tolerant = f"{policy}{CERTAIN} = 90\n"
    assert nights.publish("may", may, tolerant).verdict == HOLDS
    earlier = {"may": nights.load("may_again", may)}
    staying = tolerant.replace('values_may_change = ["disease"]', "")
    made = nights.publish("june", june, staying, earlier=earlier)
    assert (made.verdict, people_of(made.rows, "leavers")) == (NOT_KNOWN, [2])
    assert "--values-may-change disease" in made.text
    made = nights.publish("june", june, tolerant, earlier=earlier)
    assert (made.verdict, people_of(made.rows, "leavers")) == (HOLDS, [])


def test_the_last_release_of_an_audit_is_of_the_table_itself(nights: Nights) -> None:
    """That its rows are as they were says nothing of whether values stay; those of a month before do."""
    may, june = (
        claims(*(
            (name, born, 1, disease)
            for (name, born), disease in zip([*BORN, ("Fay", "1992-11-30")], diseases, strict=True)
        ))
        for diseases in (("flu", "gout", "hiv"), ("flu", "cold", "asthma"))
    )  # fmt: skip
    policy = f"{CLAIMS}{CERTAIN} = 0\n"
    assert nights.publish("may", may, policy).verdict == HOLDS
    assert (
        nights.publish("june", june, policy, earlier={"may": nights.load("may_again", may)}).verdict == HOLDS
    )
    assert nights.audit(june).verdict == HOLDS
    assert "rows of june of people who are still there are as they were" in nights.audit(june[:2]).text


@pytest.mark.slow("2 s")
def test_values_that_may_change_contradict_nothing(nights: Nights) -> None:
    """Fay has another disease in June: of three people, both classes have two diseases in common."""
    may, june = (
        claims(*((name, born, 1, disease) for (name, born), disease in zip(BORN, diseases, strict=True)))
        + claims(("Fay", "1992-11-30", 1, of_fay))
        for diseases, of_fay in ((("flu", "gout"), "hiv"), (("gout", "flu"), "cold"))
    )
    policy = f"{CLAIMS}{CERTAIN} = 0\n{KNOWING_ALL} = 0\n"
    asked = {"attacks": [ATTACK, "exact_cover"]}
    assert nights.publish("may", may, policy, **asked).verdict == HOLDS
    earlier = {"may": nights.load("may_again", may)}
    assert nights.publish("june", june, policy, earlier=earlier, **asked).verdict == HOLDS


@pytest.mark.slow("4 s")
def test_a_row_that_nobody_has_any_more(nights: Nights) -> None:
    """Everybody is still there, but one of Ann's rows of May is not, and its class is about nobody."""
    may = claims(
        ("Ann", "1981-03-05", 1, "flu"), ("Ann", "1981-03-05", 2, "gout"), ("Bob", "1982-07-01", 1, "hiv"),
        ("Bob", "1982-07-01", 2, "cold"),
    )  # fmt: skip
    june = [row for row in may if row["day"] == 1]
    tolerant = f"{CLAIMS}{CERTAIN} = 90\n"
    staying = tolerant.replace('values_may_change = ["disease"]', "")
    assert nights.publish("may", may, tolerant).verdict == HOLDS
    made = nights.publish("june", june, staying)
    assert "--earlier may=FILE" in made.text
    assert "--values-may-change" not in made.text  # alone it would tell nothing of those who moved
    made = nights.publish("june", june, tolerant)
    assert (made.verdict, people_of(made.rows, "leavers")) == (NOT_KNOWN, [2])
    earlier = {"may": nights.load("may_again", may)}
    assert nights.publish("june", june, tolerant, earlier=earlier).verdict == HOLDS


def test_where_nobody_is_located_the_table_of_then_helps() -> None:
    kept = Kept(
        "people", "asked", "secret", {"may": Entered(1, ["id"], False), "june": Entered(2, None, False)}
    )
    june: Any = SimpleNamespace(name="june", is_foreign=False)
    attempt: Any = SimpleNamespace(everybody=SimpleNamespace(kept=kept), releases=[june])
    assert "--earlier may=FILE" in Attempt._how_to_locate(attempt, "may")
    assert "--earlier" not in Attempt._how_to_locate(attempt, "june")
