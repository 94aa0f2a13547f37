"""What init finds in an export, and that the policy that it drafts reads the file repaired."""

from __future__ import annotations

import csv
import importlib.util
import itertools
import json
import random
import tomllib
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from sqlanon import policies
from sqlanon.core.framed_files import write_table
from sqlanon.core.statements import call, execute, literal, render
from sqlanon.core.text_files import with_other_names
from sqlanon.policies import confirming
from sqlanon.policies.findings import person
from sqlanon.policies.first_policy import described
from tests.budget import examples
from tests.cli.test_cli import folder as folder  # a fixture
from tests.cli.test_cli import ok, refused, run

SPEC = importlib.util.spec_from_file_location(
    "insurer", Path(__file__).parents[2] / "examples" / "insurer.py"
)
assert SPEC is not None
assert SPEC.loader is not None
insurer = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(insurer)


def drafted(file: str) -> tuple[dict[str, Any], str, str]:
    """[input] of the draft for a file, what was said, and the draft."""
    result = run("init", "--seconds", "0", file)
    assert result.exit_code == 0, result.stderr
    return tomllib.loads(result.stdout).get("input", {}), result.stderr, result.stdout


# The whole way


def test_an_insurers_claims_go_out_by_two_commands(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(insurer, "PEOPLE", 120)
    insurer.main(folder, 3)
    result = run("init", "claims_1.csv", "-o", "claims.toml", "--seconds", "600")
    draft = tomllib.loads(Path("claims.toml").read_text("utf-8"))
    assert draft["roles"]["unit"] == "Versichertennr"  # not the mailbox, which two people share
    repaired = draft["input"]
    assert repaired["encoding"] == "windows-1252"
    assert repaired["only_table"] is True
    assert repaired["rename"][-2:] == [["plz", "plz_2"], ["column12"]]
    assert repaired["trim"] == ["Ort"]
    assert repaired["fold"] == ["Geschlecht"]
    assert sorted(repaired["missing_in"]["Geburtsdatum"]) == ["k.A.", "unbekannt"]
    assert "Diagnose" not in repaired["missing_in"]  # it is sensitive
    assert repaired["types"]["Betrag EUR"] == "double 1 234,5"
    said = result.stderr.splitlines()
    assert said[0].startswith("claims_1.csv: 14 things about this file")
    assert "Ort follows from PLZ" in said[13]
    assert "of its values have several rows, and " in said[14]
    assert said[14].endswith("rows. It is proposed as the unit: people are counted, not rows")
    assert said[15].startswith("k = 5, l = 2, alpha = ")  # the draft was run
    assert "Geburtsdatum" not in draft["hierarchies"]
    assert "Leipzig" not in result.stderr  # values are shown to nobody who has not asked

    publish = ["publish", "--policy", "claims.toml", "--register", "register.duckdb"]
    out = run(*publish, "claims_1.csv", "-o", "january.csv", "--confirm", "Anna Muster", "--yes")
    assert out.exit_code == 0, out.stderr
    assert "the rows with one Versichertennr are one person's" in out.stderr
    with duckdb.connect("register.duckdb") as register:
        [(policy,)] = register.execute("select policy from releases").fetchall()
    assert 'confirmed = "Anna Muster, 20' in policy
    with Path("january.csv").open(encoding="utf-8") as file:
        assert {row["Geschlecht"] for row in csv.DictReader(file)} <= {"w", "m", "*", "{m, w}"}

    # next month's file has its columns in another order
    text = Path("claims_2.csv").read_text("windows-1252")
    Path("claims_2.csv").write_text(text.replace("PLZ;Ort", "Ort;PLZ", 1), "windows-1252")
    result = run(*publish, "claims_2.csv", "-o", "february.csv")
    assert result.exit_code == 3
    assert "error: claims_2.csv: column 5 is Ort, and PLZ by rename in [input]\n" in result.stderr


# Names that are twice


@pytest.mark.parametrize(
    ("header", "names"),
    [
        (["zip", "zip"], ["zip", "zip_2"]),
        (["zip", "ZIP"], ["zip", "ZIP_2"]),
        (["zip", "zip_2", "zip"], ["zip", "zip_2", "zip_3"]),
        (["zip", "zip", "Zip"], ["zip", "zip_2", "Zip_3"]),
    ],
)
def test_names_that_are_twice(header: list[str], names: list[str]) -> None:
    assert with_other_names(header) == names


def test_columns_of_one_name_are_read_by_a_draft_alone(folder: Path) -> None:
    Path("p.csv").write_text("sex,zip,ZIP\n" + "".join(f"{i % 2},{i % 3},{i % 5}\n" for i in range(40)))
    said = refused(3, "check", "p.csv", "--qi", "zip", "--k", "2")
    assert said.endswith("which are the same to SQL: rename one. Or have 'sqlanon init' write names for them")
    text = ok("init", "--seconds", "0", "p.csv").replace("confirmed = false", "")
    assert tomllib.loads(text)["input"]["rename"] == [["sex"], ["zip"], ["ZIP", "ZIP_2"]]
    Path("p.toml").write_text(text)
    assert ok("anonymize", "p.csv", "--policy", "p.toml").startswith("sex,zip,ZIP_2\n")
    Path("p.csv").write_text("a,b\n1,2\n")
    said = refused(2, "anonymize", "p.csv", "--policy", "p.toml")
    assert "there is no column sex in p.csv; it has a, b" in said


# Lines around a table

ROWS = [f"{i},{i % 7},x" for i in range(30)]


@pytest.mark.parametrize(
    ("before", "behind", "left_out"),
    [
        (["Report"], [], "line 1 before the header is left out"),
        (["Report, 2026", "", "as of,1 May"], [], "lines 1 to 3 before the header are left out"),
        ([], ["Total: 30"], "line 32 behind the table is left out"),
        ([], ["", "Summe,30", "Quelle: us"], "lines 32 to 34 behind the table are left out"),
        (["t"], ["Total,,"], "line 1 before the header and line 33 behind the table are left out"),
        ([], [], None),
        ([], ["31,2"], None),  # a row that was cut off
        ([], ["Source,3,y"], None),  # has as many values as a row
        ([], ['31,3,"x', 'total"'], None),  # the second line of a text
        (["one,two,three,four"], [], None),
    ],
)
def test_lines_around_a_table(
    tmp_path: Path, before: list[str], behind: list[str], left_out: str | None
) -> None:
    lines = [*before, "id,week,place", *ROWS, *behind]
    (tmp_path / "in.csv").write_text("\n".join(lines) + "\n")
    written = tmp_path / "out.csv"
    assert write_table(tmp_path / "in.csv", "uncompressed", "in.csv", None, written) == left_out
    if left_out is not None:
        assert written.read_text().splitlines()[: len(ROWS) + 1] == ["id,week,place", *ROWS]


@pytest.mark.slow("1 s")
def test_a_sheet_with_a_title(folder: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in [["Claims"], [], ["zip", "sex"], *[[1067 + 9000 * (i % 3), "wm"[i % 2]] for i in range(30)],
                [], ["Total: 30 rows"]]:  # fmt: skip
        book.active.append(row)
    book.save("p.xlsx")
    repaired, said, text = drafted("p.xlsx")
    assert repaired == {"only_table": True, "digits": {"zip": 5}}
    assert "zip: 10 of 30 rows have lost the zero in front of a code" in said
    Path("p.toml").write_text(text.replace("confirmed = false", ""))
    result = run("anonymize", "p.xlsx", "--policy", "p.toml", "--format", "csv")
    assert result.stdout.count("\n") == 31
    assert "01067" in result.stdout
    assert "p.xlsx: lines 1 to 2 before the header and lines 34 to 35 behind the table" in result.stderr


# Values


def test_words_are_asked_about_and_never_dropped(folder: Path) -> None:
    values = ["<5", ">89", "k.A.", *map(str, range(6, 80))]
    Path("p.csv").write_text("age;reason\n" + "".join(
        f"{value};{['flu', 'unbekannt', 'gout '][i % 3]}\n" for i, value in enumerate(values)
    ))  # fmt: skip
    repaired, said, text = drafted("p.csv")
    assert repaired == {"missing_in": {"age": ["k.A."]}, "trim": ["reason"]}
    assert '"<5", ">89" among numbers or dates: does this mean that nothing is known?' in said
    assert '# missing_in.age = ["k.A.", "<5", ">89"]' in text
    assert "in place of the line above" in text
    assert '# missing_in.reason = ["unbekannt"]' in text
    [number] = [line.split(".")[0].strip() for line in said.splitlines() if '"unbekannt"' in line]
    assert f"It is left as it is; init --apply {number}: read as missing (missing_in)" in said
    result = run("init", "--seconds", "0", "p.csv", "--apply", number)
    repaired = tomllib.loads(result.stdout)["input"]
    assert repaired["missing_in"] == {"age": ["k.A."], "reason": ["unbekannt"]}
    assert 'rows have "unbekannt": read as missing (missing_in)' in result.stderr
    assert "a repair that is left to you has one of the numbers " in refused(
        2, "init", "p.csv", "--apply", "99"
    )


def test_dates_in_two_forms_are_read_as_dates(folder: Path) -> None:
    days = [f"{day:02}.{month:02}.19{50 + day}" for day in range(10, 28) for month in (1, 7)]
    Path("p.csv").write_text("born\n" + "".join(f"{day}\n" for day in [*days, *days, "1970-03-11", "k.A."]))
    repaired, said, _ = drafted("p.csv")
    assert repaired == {"missing_in": {"born": ["k.A."]}, "types": {"born": "date %d.%m.%Y or %Y-%m-%d"}}
    assert "born is read as date %d.%m.%Y or %Y-%m-%d (types)" in said
    assert "%d.%m.%Y or %Y" in refused(2, "anonymize", "p.csv", "--types", "born=date %d.%m.%Y or %Y or x")


def test_a_name_among_ages_is_counted_and_not_shown(folder: Path) -> None:
    Path("p.csv").write_text("age\nAnn Meier\n" + "".join(f"{age}\n" for age in range(20, 80)))
    result = run("init", "--seconds", "0", "p.csv")
    assert "age: 1 of 61 rows have a text among numbers or dates" in result.stderr
    assert "Meier" not in result.output


@pytest.mark.parametrize(
    ("blank", "example"), [(" ", "1 234,5"), ("\u00a0", "1 234,5"), ("\u202f", "1 234,5")]
)
def test_numbers_with_blanks_at_which_no_line_breaks(
    con: duckdb.DuckDBPyConnection, blank: str, example: str
) -> None:
    read = "select sqlanon._formatted_number($1, $2)::double"
    assert con.execute(read, [f"24{blank}843,99", example]).fetchall() == [(24843.99,)]
    assert con.execute(read, [f"24{blank}84,99", example]).fetchall() == [(None,)]


@pytest.mark.parametrize(("value", "verdict"), [("24\u202f843,{:02}", "holds"), ("24 843 {:02}", "fails")])
def test_sensitive_amounts_may_all_be_different(
    con: duckdb.DuckDBPyConnection, value: str, verdict: str
) -> None:
    con.execute("create or replace temp table paid (age int, salary text)")
    con.executemany("insert into paid values (?, ?)", [(i % 3, value.format(i)) for i in range(30)])
    look = (
        "select verdict from sqlanon.leaving_columns('paid', 'age', sensitive := 'salary') where role <> 'qi'"
    )
    assert con.execute(look).fetchall() == [(verdict,)]


# Columns that follow from others, and people


@pytest.fixture(scope="module")
def con_of_module() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    sqlanon.register(connection)
    return connection


TABLES = st.lists(
    st.tuples(*[st.sampled_from(["a", "b", None])] * 2, st.sampled_from("xyz")), min_size=1, max_size=30
)


@examples(30)
@given(rows=TABLES)
def test_columns_follow_as_an_oracle_says(
    con_of_module: duckdb.DuckDBPyConnection, rows: list[tuple[Any, ...]]
) -> None:
    rows = [(a, b, None if a is None else a.upper(), n) for n, (a, b, _) in enumerate(rows)]
    con_of_module.execute("create or replace temp table pairs (a text, b text, c text, n int)")
    con_of_module.executemany("insert into pairs values (?, ?, ?, ?)", rows)
    names = ["a", "b", "c", "n"]
    distinct = set(rows)
    following = set()
    for one, other in itertools.permutations(range(4), 2):
        pairs = {(row[one], row[other]) for row in distinct if row[one] is not None}
        values, others = {pair[0] for pair in pairs}, {row[other] for row in distinct} - {None}
        if len(pairs) == len(values) and len(others) > 1 and len(distinct) >= 3 * len(values):
            following.add((one, other))
    expected = {
        (names[other], names[one], (other, one) in following)
        for one, other in following if (other, one) not in following or one < other
    }  # fmt: skip
    found = execute(
        con_of_module, call("_columns_that_follow", f"query_table({render(literal('pairs'))})", names)
    )
    assert set(found) == expected


@examples(30)
@given(rows=st.lists(st.tuples(*[st.sampled_from([1, 2, 3, None])] * 3), min_size=1, max_size=20))
def test_what_a_unit_puts_together(
    con_of_module: duckdb.DuckDBPyConnection, rows: list[tuple[Any, ...]]
) -> None:
    con_of_module.execute("create or replace temp table claims (person int, bill int, birth int)")
    con_of_module.executemany("insert into claims values (?, ?, ?)", rows)
    for finer in (None, "bill"):
        groups = {who: [row for row in rows if row[0] == who] for who, _, _ in rows if who is not None}
        joining = [
            group for group in groups.values()
            if (len(group) if finer is None else len({bill for _, bill, _ in group} - {None})) > 1
        ]  # fmt: skip
        agreeing = sum(len({birth for _, _, birth in group} - {None}) < 2 for group in joining)
        query = call("_merged_by", "query_table('claims')", "person", finer, ["birth"])
        [(merged, agreed, says_whose)] = execute(con_of_module, query)
        assert (merged, agreed) == (len(joining), agreeing)
        assert not says_whose  # of three births it may be chance


def messy(seed: int) -> list[dict[str, Any]]:
    """Rows of 150 people, one to three each, with most that a table may have that looks like a person."""
    draw = random.Random(seed)
    sites = [(f"H{n:03}", draw.randint(1900, 1999), draw.choice("NS")) for n in range(60)]
    rows: list[dict[str, Any]] = []
    for who in range(150):
        sex, born, site = draw.choice("fm"), draw.randint(1925, 2015), draw.choice(sites)
        first = draw.choice({"f": ["Ann", "Eve", "Ida"], "m": ["Bob", "Max", "Uwe"]}[sex])
        own = {"pid": 7 * who + draw.randint(1000, 99999) * 1050, "year": born, "sex": sex, "first": first,
               "code": "12"["fm".index(sex)], "home": f"{draw.randint(1000, 1099)}", "age": 2026 - born,
               "couple": f"C{who // 2}", "mail": f"p{who - (who % 10 == 1)}@example.org"}  # fmt: skip
        for _ in range(draw.choice([1, 2, 3])):
            visit = {"day": f"202601{draw.randint(10, 28)}", "score": draw.randint(0, 400)}
            place = dict(zip(("site", "founded", "region"), site, strict=True))
            rows.append({**own, **visit, **place, "invoice": f"R{len(rows):05}"})
            site = draw.choice(sites)
    return rows


@pytest.mark.slow("0.8 s a case", but=(0, 4, 5))
@pytest.mark.parametrize(
    ("columns", "whose", "once"),
    [
        ("pid year sex first home couple mail day site founded region score invoice", "pid", ["sex"]),
        ("mail sex couple home day site score pid invoice", "pid", ["sex"]),
        ("couple home sex day site founded region score invoice", None, None),  # no person is in it
        ("first home sex day score", None, None),  # a first name says which sex somebody has
        ("pid year code home day site score", "pid", ["year", "code"]),  # nothing is called so
        ("site founded region age day score", None, None),  # patients of a hospital are of several ages
        ("site founded region sex day score", None, None),
        ("invoice year sex home", None, None),  # it does not repeat
        ("pid year home day score", None, None),  # nothing that people have once: it is asked about
        ("pid year sex first home", None, None),  # rows that are there twice
    ],
)
def test_who_the_rows_are_about(
    con_of_module: duckdb.DuckDBPyConnection, columns: str, whose: str | None, once: list[str] | None
) -> None:
    for seed in (1, 2, 3):
        names = columns.split()
        rows = [tuple(row[name] for name in names) for row in messy(seed)]
        con_of_module.execute("create or replace temp table held (row json)")
        text = "\n".join(json.dumps(dict(zip(names, row, strict=True))) for row in rows)
        con_of_module.execute("insert into held select unnest(string_split($1, chr(10)))", [text])
        types = {"pid": "bigint", "year": "bigint", "founded": "bigint", "age": "int", "score": "bigint"}
        cells = [f"(row ->> '{name}')::{types.get(name, 'text')} as {name}" for name in names]
        con_of_module.execute(f"create or replace temp table messy as select {', '.join(cells)} from held")
        _, look = described(con_of_module, "messy")
        found = person(con_of_module, "messy", look)
        assert (found and found.column, found and found.once) == (whose, once)
        assert "pid" not in names or "pid" in [each.name for each in look if each.repeats]


@pytest.mark.parametrize(("name", "role"), [("case", "qi"), ("patient_id", "identifier")])
def test_what_repeats_is_asked_about(folder: Path, name: str, role: str) -> None:
    """Whoever does what is said has a policy by people."""
    rows = [f"S/{1000 + i // 2},{i % 7},{i % 5}" for i in range(300)]
    Path("p.csv").write_text(f"{name},week,ward\n" + "\n".join(rows) + "\n")
    _, said, text = drafted("p.csv")
    in_role, unit = f'\n    "{name}",  #', f'unit = "{name}"'
    do = f"take it out of {role}, and remove the # before"
    assert f"{name} repeats (2 rows each): if it is the person, {do} {unit}" in said
    assert f"(init --unit {name} does)" in said
    assert f"# {unit}  # 150 distinct in 300 rows: if it says whose a row is, {do} unit" in text
    assert in_role in text
    done = text.replace(in_role, "\n    #").replace(f"\n# {unit}", f"\n{unit}")
    Path("policy.toml").write_text(done.replace("confirmed = false", "confirmed = true"))
    assert policies.load("policy.toml").unit == name


def test_the_person_is_proposed_in_spite_of_errors(folder: Path) -> None:
    """Of 100 people one has two birth dates; family members share a doctor; a bill is one person's, too."""
    draw = random.Random(1)
    lines = ["member,bill,doctor,birth"]
    for member in range(100):
        birth = f"19{draw.randint(10, 99)}-0{draw.randint(1, 9)}-1{draw.randint(0, 9)}"
        for bill in range(draw.randint(1, 4)):
            written = "1901-01-01" if (member, bill) == (7, 1) else birth
            lines += [f"M{member},B{member}.{bill},{member // 3},{written}"] * 2
    Path("p.csv").write_text("\n".join(lines) + "\n")
    text = ok("init", "--seconds", "0", "p.csv")
    assert tomllib.loads(text)["roles"]["unit"] == "member"
    assert tomllib.loads(text)["confirmed"] is False


# Confirming


def test_roles_are_shown_and_asked_about(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("p.csv").write_bytes(Path("people.csv").read_bytes())
    Path("policy.toml").write_bytes(ok("init", "--seconds", "0", "p.csv").replace("\n", "\r\n").encode())
    draft = Path("policy.toml").read_bytes()
    publish = ["publish", "p.csv", "--policy", "policy.toml", "--register", "r.duckdb", "-o", "a.csv"]
    asking = [*publish, "--confirm", 'Ann "A"']
    with monkeypatch.context() as patch:
        patch.setattr("typer.confirm", lambda *_, **__: False)
        result = run(*asking)
    assert result.exit_code == 1
    assert "leave unchanged, and nobody should learn them (sensitive): disease" in result.stderr
    assert result.stderr.endswith("policy.toml is not confirmed: nothing is published\n")
    result = run(*asking)  # in a script, which does not answer
    assert result.exit_code == 2
    assert result.stderr.endswith("error: --confirm: nobody has answered; --yes does in a script\n")
    alone = "--yes needs --confirm NAME, --map-columns or --map-words: it answers what these ask"
    assert refused(2, *publish, "--yes") == alone
    elsewhere = ["a.xlsx" if each == "a.csv" else each for each in asking]
    assert "publish writes files that end with one of" in refused(2, *elsewhere, "--yes")
    assert Path("policy.toml").read_bytes() == draft
    confirming.write(confirming.confirmed(Path("policy.toml"), 'Ann "A"'), Path("policy.toml"))
    confirmed = Path("policy.toml").read_bytes()
    assert tomllib.loads(confirmed.decode())["confirmed"].startswith('Ann "A", 20')
    assert confirmed.count(b"\r\n") == draft.count(b"\r\n")
    assert "is confirmed already (Ann" in refused(2, *asking, "--yes")


@pytest.mark.slow("1 s")
def test_a_log_gets_one_line(folder: Path) -> None:
    said = run("--quiet", "init", "people.csv", "--seconds", "0", "-o", "policy.toml").stderr
    assert said.startswith("policy.toml: look at the role of every column")
    assert said.count("\n") == 1
    assert refused(2, "--quiet", "anonymize", "people.csv", "--policy", "policy.toml").startswith(
        "policy.toml"
    )
    assert (
        run("init", "--seconds", "0", "people.csv", "-o", "policy.toml", "--force").stderr == said
    )  # it is for one run


@pytest.mark.slow("1 s")
def test_a_line_of_a_draft_can_be_moved(folder: Path) -> None:
    text = ok("init", "--seconds", "0", "people.csv").replace("confirmed = false", "confirmed = true")
    [line] = [line for line in text.splitlines() if line.startswith('    "zip"')]
    kept = text.replace(f"{line}\n", "").replace("keep = [", f"keep = [\n{line}")
    Path("policy.toml").write_text(kept)
    result = run("anonymize", "people.csv", "--policy", "policy.toml", "--k", "2")
    assert result.exit_code == 0
    said = "policy.toml: hierarchies.zip is not used, as zip is in neither roles.qi nor roles.sensitive"
    assert said in result.stderr


def test_blanks_within_amounts_are_no_surplus(con: duckdb.DuckDBPyConnection) -> None:
    amounts = ["10\u00a0125,88 €", "€ 1\u202f250", "3 %"]
    con.execute("create or replace table paid as select unnest(?) as amount", [[*amounts, " 7,50 €"]])
    found = "select values from sqlanon._values_to_repair('paid') where kind = 'blanks'"
    assert con.execute(found).fetchall() == [([" 7,50 €"],)]


def test_zeros_are_lost_where_most_codes_are_there_with_them(con: duckdb.DuckDBPyConnection) -> None:
    """01067 and 1067 in one column; four digits of another country beside codes with zeros are no such."""
    for zips, wanted in (
        (["01067", "1067", "04109", "4109", "10115"], 2),
        (["01067", "1067", "1010", "8020", "10115"], 0),
        (["1067", "4109", "10115", "k.A."], 2),  # which has four letters, too
    ):
        con.execute("create or replace table lost as select unnest(?) as zip", [zips])
        found = "select coalesce(sum(rows), 0) from sqlanon._values_to_repair('lost') where kind = 'zeros'"
        assert con.execute(found).fetchall() == [(wanted,)], zips
