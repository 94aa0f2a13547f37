"""A month in which a file calls or writes its columns otherwise: proposed, and asked about."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import ANY

import duckdb
import pytest

import sqlanon
from sqlanon.cli import called_otherwise
from sqlanon.core import text_files
from sqlanon.core.errors import InputError, UseError
from sqlanon.core.files import Session
from sqlanon.core.text_files import Roles, _renamed, as_called
from sqlanon.core.toml import edited
from sqlanon.policies.policy import read
from sqlanon.publishing.called_otherwise import _either
from sqlanon.publishing.called_otherwise import proposals as called_otherwise_of
from sqlanon.publishing.decision import _changed
from tests.cli.test_cli import folder as folder  # a fixture
from tests.cli.test_cli import run

HEADER = ["id", "born", "plz", "case", "disease"]
POLICY = """confirmed = false

[roles]
identifier = ["id"]
qi = ["born", "plz"]
sensitive = ["disease"]

[hierarchies.born]
builder = "date"

[requirements]
k = 5

[tolerated]
intersection_attack.pvp_100 = 100
"""


def month(file: str, header: Sequence[str], *, date: str = "{2}-{1:02}-{0:02}", zeros: bool = True) -> None:
    """Forty people, who stay as they are."""
    lines = [",".join(header)]
    for i in range(40):
        plz = f"0{4100 + i % 4}" if zeros else f"{4100 + i % 4}"
        born = date.format(1 + i % 28, 1 + i % 12, 1950 + i % 5)
        lines.append(f"{i},{born},{plz},{7 * i},{('flu', 'gout', 'angina')[i % 3]}")
    Path(file).write_text("\n".join(lines) + "\n")


def publish(file: str, *more: str) -> tuple[int, str]:
    out = f"{Path(file).stem}_release.csv"
    made = run("publish", file, "--policy", "p.toml", "--register", "r.duckdb", "-o", out, *more)
    return made.exit_code, made.stderr


@pytest.mark.slow("5 s a case")
@pytest.mark.parametrize("earlier", [[], ["--earlier", "may_release=may.csv"]])
def test_columns_are_asked_about(folder: Path, earlier: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    Path("p.toml").write_text(POLICY)
    month("may.csv", HEADER)
    assert publish("may.csv", "--confirm", "Ada", "--yes")[0] == 0
    before = Path("p.toml").read_text()

    month("june.csv", ["id", "geboren", "plz", "case", "illness"], date="{0:02}.{1:02}.{2}", zeros=False)
    read, csv = list[str](), text_files.read_csv

    def counted(*given: Any) -> text_files.Text:
        read.append(given[2])
        return csv(*given)

    monkeypatch.setattr(text_files, "read_csv", counted)
    code, said = publish("june.csv", *earlier)
    assert code == 2
    assert read.count("june.csv") == 3  # by the policy, its header, and its texts: not for each pair
    line = (
        'called = {born = ["geboren"], disease = ["illness"]} and types = {born = "date %d.%m.%Y"} and digits'
    )
    assert f"--map-columns asks, and writes into [input] of p.toml: {line} = {{plz = 5}}\n" in said
    assert "there is no column born in june.csv" in said
    assert Path("p.toml").read_text() == before  # nothing is assumed

    code, said = publish("june.csv", *earlier, "--map-columns", "--yes", "--accepted-by", "Ben")
    assert code == 0, said
    assert "geboren may be born: 100 % of its rows have values that born has in may_release" in said
    assert "illness may be disease: 100 % of its rows" in said
    assert "plz: codes have lost the zero in front" in said
    text = Path("p.toml").read_text()
    repaired = tomllib.loads(text)["input"]
    assert repaired["called"] == {"born": ["geboren"], "disease": ["illness"]}
    assert (repaired["types"], repaired["digits"]) == ({"born": "date %d.%m.%Y"}, {"plz": 5})
    assert text.count("# Ben, 20") == 3
    header = Path("june_release.csv").read_text().partition("\n")[0]
    assert header == "born,plz,disease"


def test_a_month_in_which_names_and_forms_differ(folder: Path) -> None:
    """Renamed columns, one of which has lost its zeros, another one has other dates; a title."""
    Path("p.toml").write_text(POLICY + '[input]\ntypes = {born = "date %d.%m.%Y"}\n')
    month("may.csv", HEADER, date="{0:02}.{1:02}.{2}")
    assert publish("may.csv", "--confirm", "Ada", "--yes")[0] == 0
    month("june.csv", ["id", "geboren", "post", "case", "disease"], date="{2}/{1:02}/{0:02}", zeros=False)
    Path("june.csv").write_text(f"June\n{Path('june.csv').read_text()}")
    code, said = publish("june.csv")
    assert (code, "by publish --only-table" in said) == (3, True)
    named = ["--called", "born=geboren", "--called", "plz=post"]
    code, said = publish("june.csv", "--only-table", "--dry-run", *named)
    assert (code, 'types = {born = "date %d.%m.%Y or %Y/%m/%d"}' in said) == (3, True)  # what helps is said
    code, said = publish(
        "june.csv", "--only-table", "--map-columns", "--yes", "--earlier", "may_release=may.csv"
    )
    assert code == 0, said
    assert "(codes have lost the zero in front, and have 5 digits with it)" in said
    repaired = tomllib.loads(Path("p.toml").read_text())["input"]
    assert repaired == {
        "types": {"born": "date %d.%m.%Y or %Y/%m/%d"}, "called": {"born": ["geboren"], "plz": ["post"]},
        "digits": {"plz": 5}, "only_table": True,
    }  # fmt: skip


def test_who_says_so_stands_once_behind_a_line() -> None:
    text = '[input]\ngone = ["a"]  # as agreed  # Ben, 2026-01-01\n'
    text = edited(text, {"input.gone": '["a", "b"]  # Ben, 2026-02-01'})
    assert text == '[input]\ngone = ["a", "b"]  # Ben, 2026-02-01  # as agreed\n'


def other_words(file: str) -> None:
    """Of the third column and the fourth."""
    lines = Path(file).read_text().replace(",0410", ",in ")
    Path(file).write_text(re.sub(r",(\d+),(?=[a-z])", r",number \1,", lines))


@pytest.mark.slow("23 s")
def test_what_nothing_proposes_is_said_without_an_edit(folder: Path) -> None:
    Path("p.toml").write_text(POLICY.replace('"plz"]', '"plz", "ward"]').replace("[judge]", ""))
    month("may.csv", [*HEADER[:3], "ward", "disease"])
    assert publish("may.csv", "--confirm", "Ada", "--yes")[0] == 0
    month("june.csv", ["id", "born", "post", "case", "disease"])
    other_words("june.csv")
    code, said = publish("june.csv", "--map-columns", "--yes")
    assert code == 2
    assert (
        "june.csv has no ward: --called ward=NAME says what it is called now (one of post, case), or --gone "
        "ward that it is gone" in said
    )
    for wrong, why in (
        (("--called", "ward=street"), "--called ward=street: there is no column street in june.csv"),
        (("--called", "street=case"), "--called street: p.toml names no such column"),
        (("--gone", "born"), "june.csv has a column born: it is neither gone nor called otherwise"),
        (("--gone", "id"), "june.csv has a column id"),
        (("--words", "sex:F=1"), "--words: no release of ours in r.duckdb has a column sex"),
        (("--words", "F=1"), "--words F=1: write COLUMN:WORD=TODAY"),
    ):
        code, said = publish("june.csv", *wrong)
        assert (code, why in said) == (2, True), said

    words = "plz:" + ",".join(f"0410{i}=in {i}" for i in range(4))
    accepted = ("--accept", "evidence.quasi_identifiers=nobody knows wards", "--accept", "evidence.moved=no")
    code, said = publish(
        "june.csv", "--called", "plz=post", "--gone", "ward", "--words", words, *accepted,
        "--accepted-by", "Ben",
    )  # fmt: skip
    assert code == 0, said
    text = Path("p.toml").read_text()
    repaired = tomllib.loads(text)["input"]
    assert (repaired["called"], repaired["gone"]) == ({"plz": ["post"]}, ["ward"])
    assert text.count("# Ben, 20") == 2
    assert Path("june_release.csv").read_text().partition("\n")[0] == "born,plz,disease"
    with duckdb.connect("r.duckdb") as con:
        spelled = "select theirs, ours, said_by from spellings order by theirs limit 1"
        assert con.execute(spelled).fetchall() == [("04100", "in 0", "Ben")]
    # a word of May that means one of June means what that is called later, too
    sqlanon.map_release("may_release", register="r.duckdb", values={"plz": {"in 0": "North"}}, adds=True)
    with duckdb.connect("r.duckdb") as con:
        spelled = "select theirs, ours from spellings where ours = 'North' order by theirs"
        assert con.execute(spelled).fetchall() == [("04100", "North"), ("in 0", "North")]


@pytest.mark.slow("21 s")
def test_what_nothing_proposes_is_asked_about(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("p.toml").write_text(POLICY.replace('"plz"]', '"plz", "case"]'))
    month("may.csv", HEADER)
    assert publish("may.csv", "--confirm", "Ada", "--yes")[0] == 0
    month("june.csv", ["id", "born", "post", "number", "disease"])
    other_words("june.csv")
    answers = {"plz": "post", "case": ""}
    monkeypatch.setattr(called_otherwise, "says_yes", lambda *_: False)
    monkeypatch.setattr(called_otherwise, "answer", lambda question, _: answers[question.split()[2]])
    publish("june.csv", "--map-columns")
    repaired = tomllib.loads(Path("p.toml").read_text())["input"]
    assert repaired == {"called": {"plz": ["post"]}, "gone": ["case"]}


def test_a_policy_without_columns_that_are_gone() -> None:
    text = """[input]
gone = ["ID", "born"]
trim = ["born", "disease"]
missing_in.born = ["?"]
[roles]
qi = ["born", "plz"]
[requirements]
k = 2
"""
    policy = read(Path("p.toml"), {}, text=text.encode())
    assert policy.roles["qi"] == ["plz"]
    assert (policy.trim, policy.missing_in) == (["born", "disease"], {"born": ["?"]})  # of files of before
    policy.check_columns(["plz", "disease"], "june.csv")
    of_unit = text.replace("[requirements]", 'unit = "id"\n[requirements]')
    for other, wrong in ((of_unit, "says whose a row is"), (text.replace(', "plz"', ""), "names no column")):
        with pytest.raises(UseError, match=wrong):
            read(Path("p.toml"), {}, text=other.encode())


@pytest.mark.slow("2 s")
def test_a_place_between_columns_that_are_called_otherwise_too(folder: Path) -> None:
    Path("p.toml").write_text(POLICY)
    month("may.csv", HEADER)
    assert publish("may.csv", "--confirm", "Ada", "--yes")[0] == 0
    month("june.csv", ["id", "geboren", "post", "case", "disease"])
    Path("june.csv").write_text(Path("june.csv").read_text().replace(",0410", ",in "))
    code, said = publish("june.csv", "--earlier", "may_release=may.csv", "--map-columns", "--yes")
    assert code == 2
    assert "post may be plz: it stands between the same columns" in said
    assert "--yes takes no column by its place alone: --called plz=post" in said  # it may be another column
    assert tomllib.loads(Path("p.toml").read_text())["input"]["called"] == {"born": ["geboren"]}


@pytest.mark.slow("3 s")
def test_what_could_be_two_columns_is_not_proposed(folder: Path) -> None:
    Path("p.toml").write_text(POLICY)
    month("may.csv", HEADER)
    assert publish("may.csv", "--confirm", "Ada", "--yes")[0] == 0
    month("june.csv", ["id", "born", "plz", "case", "main"])
    lines = Path("june.csv").read_text().splitlines()
    lines = [f"{line},{'second' if not i else line.rpartition(',')[2]}" for i, line in enumerate(lines)]
    Path("june.csv").write_text("\n".join(lines) + "\n")
    code, said = publish("june.csv", "--map-columns", "--yes")
    assert (code, "may be" in said) == (2, False)


@pytest.mark.slow("3 s")
def test_values_that_may_change_are_written_into_the_policy(folder: Path) -> None:
    Path("p.toml").write_text(POLICY.replace('["id"]', '[]\nunit = "id"'))
    month("may.csv", HEADER)
    code, said = publish("may.csv", "--confirm", "Ada", "--yes", "--dry-run")
    assert "supposed to stay what they are for each person: disease (if not, as with claims" in said
    code, said = publish("may.csv", "--confirm", "Ada", "--yes", "--values-may-change", "disease")
    assert (code, "may be others in another release: disease" in said) == (0, True)
    assert tomllib.loads(Path("p.toml").read_text())["judge"] == {"values_may_change": ["disease"]}
    month("june.csv", HEADER)
    code, said = publish("june.csv", "--values-may-change", "born")
    assert (code, "names born, which does not leave unchanged" in said) == (2, True)


def test_the_page_says_what_the_judge_supposes_now() -> None:
    text = POLICY.replace("confirmed = false\n", "")
    policy = read(Path("p.toml"), {}, text=f'{text}[judge]\nvalues_may_change = ["disease"]\n'.encode())
    before: Any = SimpleNamespace(policy=text, name="may", row_count=40)
    changed = _changed(before, None, policy, {"columns": [], "table": None, "release": None})
    assert changed is not None
    assert changed["policy"] == {"judge.values_may_change": {"before": None, "now": ["disease"]}}


# Reading


TWICE = [["a"], ["d"], ["d", "d_2"], ["e"]]


@pytest.mark.parametrize(
    ("header", "names"),
    [
        (["a", "d", "d", "e"], ["a", "d", "d_2", "e"]),
        (["a", "d", "d", "new", "e"], ["a", "d", "d_2", "new", "e"]),
        (["d", "d", "e"], ["d", "d_2", "e"]),
        (["a", "d", "new", "d", "e"], ["a", "d", "new", "d_2", "e"]),
        (["a", "d", "e"], None),  # which of the two is it?
        (["a", "d", "d", "d", "e"], None),
        (["d", "d", "a", "e"], None),
        (["a", "d", "x", "d", "y", "e"], None),  # the second has lost both of its neighbours
    ],
)
def test_columns_come_and_go_beside_those_that_are_called_alike(
    header: list[str], names: list[str] | None
) -> None:
    if names is not None:
        assert _renamed(header, TWICE, "f.csv") == names
        return
    with pytest.raises(InputError, match=r"by rename in \[input\]|and rename in \[input\] names 4"):
        _renamed(header, TWICE, "f.csv")


def test_one_of_two_that_differ_in_case_may_be_gone() -> None:
    rename = [["a"], ["D"], ["b"], ["d", "d_2"], ["e"]]
    assert _renamed(["a", "x", "d", "e"], rename, "f.csv") == ["a", "x", "d_2", "e"]
    with pytest.raises(InputError, match="and rename in"):
        _renamed(["a", "d", "x"], rename, "f.csv")  # is it D, or the other one?
    # both are there, though what stood beside them has gone, or is called otherwise
    assert _renamed(["x", "D", "y", "d", "z"], rename, "f.csv") == ["x", "D", "y", "d_2", "z"]


def test_a_file_with_both_names_is_refused() -> None:
    assert as_called(["a", "Date of birth"], {"born": ["date of birth"]}, "f.csv") == ["a", "born"]
    with pytest.raises(InputError, match="has born and dob, which are both born by called"):
        as_called(["born", "dob"], {"born": ["dob"]}, "f.csv")


def test_a_table_with_types_is_read_as_called(folder: Path) -> None:
    with duckdb.connect() as con:
        con.execute("copy (select 1 as dob, 2 as zip) to 'p.parquet'")
    with Session() as session:
        table = session.read("p.parquet", Roles(called={"born": ["dob"]}))
        assert session.con.execute(f"select born, zip from query_table('{table}')").fetchall() == [(1, 2)]


def test_dates_of_a_sheet_are_dates_whatever_the_format_of_another_file(folder: Path) -> None:
    roles = Roles(qi=["born"], types={"born": "date %d/%m/%Y"})
    Path("cells.csv").write_text("born\n1970-03-11\n\n1980-12-31\n")
    Path("texts.csv").write_text("born\n11/03/1970\n\n31/12/1980\n")
    Path("mixed.csv").write_text("born\n11/03/1970\n1980-12-31\n")
    with Session() as session:
        for file in ("cells.csv", "texts.csv"):
            table = session.read(file, roles)
            found = session.con.execute(f"select max(born)::varchar from query_table('{table}')").fetchone()
            assert found == ("1980-12-31",)
        with pytest.raises(InputError, match="row 2: the value is not of type date"):
            session.read("mixed.csv", roles)


def test_a_column_that_nobody_has_named_may_be_written_otherwise(folder: Path) -> None:
    types = {"born": "date %d.%m.%Y", "cost": "double 1.234,5", "ward": "date %Y"}
    asked: dict[str, dict[str, Any]] = {
        "roles": {"qi": ["born"]}, "input": {"types": types, "gone": ["ward"]},
    }  # fmt: skip
    assert read(None, asked, "locate").columns().types == {"born": types["born"], "ward": "date %Y"}


@pytest.mark.slow("3 s")
def test_lists_are_noted_and_a_column_that_never_leaves_may_be_gone(folder: Path) -> None:
    """Years among which "unknown" stands make no ranges, and are proposed in spite of it; the unit says who
    people are, so that nobody misses a mailbox."""
    of_people = POLICY.replace('["id"]', '["mail"]').replace('qi = ["born"', 'unit = "id"\nqi = ["year"')
    of_people = of_people.replace("intersection_attack.pvp_100 = 100", "homogeneity.certain = 0")
    Path("p.toml").write_text(of_people.replace("born]\nbuilder", "year]\nwidths = [5]\nbuilder").replace(
        '"date"', '"interval"'))  # fmt: skip
    rows = [(i, f"m{i}", 1950 + i % 7, f"0{4100 + i % 4}", ("flu", "gout", "Gout")[i % 3]) for i in range(60)]
    for file, header in (("may.csv", "id,mail,year,plz,disease"), ("june.csv", "id,born in,plz,disease")):
        lines = [",".join(map(str, row if "mail" in header else (row[0], *row[2:]))) for row in rows]
        Path(file).write_text("\n".join([header, *lines]) + "\n")
    alone = ["--attacks", "homogeneity"]
    assert publish("may.csv", "--confirm", "Ada", "--yes", *alone) == (0, ANY)
    Path("june.csv").write_text(Path("june.csv").read_text() + "1,unknown,04100,flu\n")
    more = ["--earlier", "may_release=may.csv", "--map-columns", "--yes", *alone]
    _, said = publish("june.csv", *more)
    assert "june.csv: born in may be year: 98 % of its rows have values that year has in may_release" in said
    assert "because of unknown among its numbers or dates: --missing unknown reads it as missing" in said
    code, said = publish("june.csv", *more[:2], "--missing", "unknown", "--fold", "disease", *alone)
    assert code == 0, said
    noted = tomllib.loads(Path("p.toml").read_text())
    assert (noted["input"]["missing"], noted["input"]["fold"]) == (["unknown"], ["disease"])
    assert "gone" not in noted["input"]


def test_what_is_called_a_sex_may_be_the_sex(con: duckdb.DuckDBPyConnection) -> None:
    """Other words, and other columns around it; of two that are called so, nobody knows which it is."""
    text = POLICY.replace('"born", "plz"', '"sex", "town"').replace("confirmed = false\n", "")
    text = text.replace('[hierarchies.born]\nbuilder = "date"\n', "")
    policy = read(Path("p.toml"), {}, text=text.encode())
    con.execute("create or replace temp table may as select 'F' as sex, 'A' as town")
    con.execute("create or replace temp table today as select 'male' as sex, 'male' as town")
    for columns, wanted in (
        (["id", "gender", "disease"], ["gender may be sex: its name says so"]),
        (["id", "gender", "disease", "Geschlecht"], []),
    ):
        found = called_otherwise_of(con, policy, columns, lambda *_: "today", "may", "may", [])
        assert [str(each) for each in found] == wanted


def test_dates_are_not_read_in_two_forms_that_one_text_fits() -> None:
    assert _either("date %d.%m.%Y", "date %Y/%m/%d") == "date %d.%m.%Y or %Y/%m/%d"
    assert _either("date %d.%m.%y from 1927", "date %Y/%m/%d") == "date %d.%m.%y or %Y/%m/%d from 1927"
    assert _either("date %d.%m.%Y", "date %d.%m.%Y or %Y-%m-%d") == "date %d.%m.%Y or %Y-%m-%d"
    assert _either("date %d/%m/%Y", "date %m/%d/%Y") is None  # what is 03/04/2026?
