"""The command line: files in and out, formats, statements, exit codes, and that nothing is left behind."""

import ast
import csv
import gzip
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import duckdb
import pytest
import typer
from typer.testing import CliRunner, Result

import sqlanon
from sqlanon.cli import app
from sqlanon.cli.formats import formats_in
from sqlanon.core import files, printing
from sqlanon.core.freshness import fingerprint
from tests.budget import some

ROOT = Path(__file__).resolve().parents[2]

PEOPLE = """age,zip,disease,name
21,02138,flu,Ann
23,02138,cold,Bob
25,02139,flu,Cem
27,02139,asthma,Dot
41,13012,flu,Eve
43,13012,cancer,Fay
45,13053,cancer,Gus
47,13053,flu,Hal
"""

HOSTILE = ("last, first", 'the "age"', "select", "zip code", "Üñï😀", "a'b;--", "x=y")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with people.csv."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.csv").write_text(PEOPLE)
    return tmp_path


def run(*arguments: str | Path) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(app.app, [str(argument) for argument in arguments])


def ok(*arguments: str | Path) -> str:
    """What a command prints that ends well."""
    result = run(*arguments)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def refused(code: int, *arguments: str | Path) -> str:
    """The one line on stderr of a command that fails, without `error: `; nothing is on stdout."""
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (code, ""), result.output
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("error: ").rstrip("\n")


def start(*arguments: str | Path, **options: Any) -> subprocess.Popen[str]:
    """Start a command as a process of its own."""
    program = [sys.executable, "-W", "error", "-c", "from sqlanon.cli.app import app; app()"]
    defaults = {
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
        "text": True,
        "env": {**os.environ, "PYTHONPATH": str(ROOT)},
    }
    return subprocess.Popen([*program, *map(str, arguments)], **{**defaults, **options})


def rows(text: str) -> Counter[tuple[str, ...]]:
    """The rows of CSV text, header included."""
    return Counter(tuple(row) for row in csv.reader(io.StringIO(text)))


# Otherwise people.csv could mean the module csv.
NO_VARIABLES: dict[str, str | bool | int | float | list[str]] = {"python_enable_replacements": False}


def query(statement: str, *parameters: object) -> list[tuple[Any, ...]]:
    with duckdb.connect(config=NO_VARIABLES) as con:
        return con.execute(statement, parameters).fetchall()


ANONYMIZE = ("anonymize", "people.csv", "--qi", "age,zip", "--sensitive", "disease", "--k", "2")

# What every recoding of PEOPLE with k = 2 by age and zip has to be.
EXPECTED = [
    ("[21, 23]", "02138", "cold"),
    ("[21, 23]", "02138", "flu"),
    ("[25, 27]", "02139", "asthma"),
    ("[25, 27]", "02139", "flu"),
    ("[41, 43]", "13012", "cancer"),
    ("[41, 43]", "13012", "flu"),
    ("[45, 47]", "13053", "cancer"),
    ("[45, 47]", "13053", "flu"),
]


def read_again(place: str) -> Counter[tuple[str, ...]]:
    """The age, zip and disease of each row. (What is kept leaves as it is; a quasi-identifier is raw,
    whatever it looks like.)
    """
    read = rows(ok("anonymize", place, "--qi", "zip", "--sensitive", "disease", "--keep", "age", "--k", "2"))
    return Counter({(age, zip, disease): n for (zip, disease, age), n in read.items() if age != "age"})


# anonymize


@pytest.mark.slow("half a second")
def test_anonymize_prints_the_release_and_tells_what_it_reaches_on_stderr(folder: Path) -> None:
    result = run(*ANONYMIZE)
    assert result.exit_code == 0
    assert rows(result.stdout) == Counter([("age", "zip", "disease"), *EXPECTED])
    assert "8 rows in 4 classes, 0 rows suppressed" in result.stderr
    assert "k-anonymity 2" in result.stderr


@pytest.mark.slow("1.1 s a case")
@pytest.mark.parametrize(
    "name",
    ["out.csv", "out.csv.zst", "out.tsv.gz", "out.json", "out.ndjson", "out.jsonl.gz", "out.parquet",
     "OUT.CSV", "an 'odd' [name].csv"],
)  # fmt: skip
def test_anonymize_writes_every_format_and_reads_it_again(folder: Path, name: str) -> None:
    assert ok(*ANONYMIZE, "-o", name) == ""
    assert sorted(path.name for path in folder.iterdir()) == sorted(["people.csv", name])
    if name != "OUT.CSV":  # DuckDB knows formats by lower-case names
        read = name.replace("[", "[[]") if "[" in name else name
        assert sorted(query("from query_table(?)", read)) == EXPECTED
    assert read_again(name) == Counter(EXPECTED)


@pytest.mark.slow("commands in processes of their own")
@pytest.mark.parametrize("table", ["sales.out", 'two "words"'])
def test_anonymize_writes_and_reads_tables_of_duckdb_files(folder: Path, table: str) -> None:
    with duckdb.connect("in.duckdb", config=NO_VARIABLES) as con:
        con.execute("create schema sales")
        con.execute("create table people as from 'people.csv'").fetchall()
    command = ["anonymize", "in.duckdb::people", "--qi", "age,zip", "--sensitive", "disease", "--k", "2"]
    for output in ("in.duckdb", "new.duckdb"):
        ok(*command, "-o", f"{output}::{table}")
        again = ok("check", f"{output}::{table}", "--qi", "age,zip", "--k", "2", "--format", "json")
        assert json.loads(again) == []
        exists = refused(2, *command, "-o", f"{output}::{table}")
        assert exists == f"{output}::{table} exists: give --force to replace it"
        ok(*command, "-o", f"{output}::{table}", "--force")
    with duckdb.connect("in.duckdb", config=NO_VARIABLES) as con:
        names = con.execute("select schema_name || '.' || table_name from duckdb_tables()").fetchall()
        expected = table if table.startswith("sales.") else f"main.{table}"
        assert sorted(names) == sorted([("main.people",), (expected,)])
    assert sorted(path.name for path in folder.iterdir()) == ["in.duckdb", "new.duckdb", "people.csv"]


@pytest.mark.slow("0.5 s")
def test_an_existing_output_stays_unless_forced(folder: Path) -> None:
    Path("out.csv").write_text("mine")
    assert refused(2, *ANONYMIZE, "-o", "out.csv") == "out.csv exists: give --force to replace it"
    assert Path("out.csv").read_text() == "mine"
    ok(*ANONYMIZE, "-o", "out.csv", "--force")
    assert sorted(query("from 'out.csv'")) == EXPECTED


@pytest.mark.slow("0.5 s")
def test_a_file_can_be_replaced_by_its_own_release(folder: Path) -> None:
    ok(*ANONYMIZE, "-o", "people.csv", "--force")
    assert sorted(query("from 'people.csv'")) == EXPECTED


@pytest.mark.slow("1.1 s")
def test_only_named_columns_are_released(folder: Path) -> None:
    header = ok(*ANONYMIZE).splitlines()[0]
    assert header == "age,zip,disease"
    assert ok(*ANONYMIZE, "--keep", "name").splitlines()[0] == "age,zip,disease,name"


@pytest.mark.slow("1.1 s")
def test_the_seed_fixes_the_order_of_rows(folder: Path) -> None:
    assert ok(*ANONYMIZE, "--seed", "7") == ok(*ANONYMIZE, "--seed", "7")


@pytest.mark.slow("0.6 s")
def test_range_recoding_keeps_types(folder: Path) -> None:
    ok(*ANONYMIZE, "--recoding", "range", "-o", "out.parquet")
    (age, zip_code), *_ = query("select age, zip from 'out.parquet' order by age.lo")
    assert (age, zip_code) == ({"lo": 21, "hi": 23}, ["02138"])


@pytest.mark.parametrize("options", [(), ("--format", "csv"), ("-o", "out.csv"), ("-o", "out.tsv.gz")])
def test_range_recoding_is_refused_where_it_would_be_text(folder: Path, options: tuple[str, ...]) -> None:
    """Stdout is CSV, too, unless it is a terminal."""
    message = refused(2, *ANONYMIZE, "--recoding", "range", *options)
    assert "cannot hold ranges and lists, only texts of them, which can be misread" in message


@pytest.mark.slow("0.9 s")
@pytest.mark.parametrize("options", [("--format", "json"), ("--sql",), ("--sql", "--format", "csv")])
def test_range_recoding_goes_where_it_keeps_its_types(folder: Path, options: tuple[str, ...]) -> None:
    assert ok(*ANONYMIZE, "--recoding", "range", *options)


@pytest.mark.slow("1.0 s")
def test_hierarchies_are_read_from_files(folder: Path) -> None:
    Path("zip.csv").write_text("02138;021**;*\n02139;021**;*\n13012;130**;*\n13053;130**;*\n")
    command = [
        "anonymize",
        "people.csv",
        "--qi",
        "zip",
        "--keep",
        "disease",
        "--k",
        "4",
        "--hierarchy",
        "zip=zip.csv",
    ]
    assert {row[0] for row in rows(ok(*command))} == {"zip", "021**", "130**"}
    Path("zip.csv").write_text("02138;*\n")
    assert "lacks 3 values" in refused(3, *command)


@pytest.mark.slow("1 s a case")
@pytest.mark.parametrize(
    ("options", "models"),
    [
        (
            ["--l", "2", "--entropy-l", "1.5", "--recursive-c", "2", "--alpha", "0.5", "--t", "0.6"],
            ["distinct l-diversity 2", "entropy l-diversity 2", "recursive (c, 2)-diversity",
             "(alpha, k)-anonymity 0.5", "t-closeness (equal)"],
        ),
        (
            ["--t", "0.6", "--t-distance", "equal", "--beta", "10", "--enhanced-beta", "10",
             "--delta-disclosure", "20"],
            ["t-closeness (equal)", "beta-likeness (basic)", "beta-likeness (enhanced)",
             "delta-disclosure"],
        ),
    ],
)  # fmt: skip
def test_every_requirement_has_an_option(folder: Path, options: list[str], models: list[str]) -> None:
    result = run(*ANONYMIZE, *options)
    assert result.exit_code == 0, result.stderr
    assert [model for model in models if model not in result.stderr] == []
    result = run("check", "people.csv", "--qi", "zip", "--sensitive", "disease", *options)
    assert result.exit_code in (0, 1)
    names = [option.removeprefix("--").replace("-", "_") for option in options if option.startswith("--")]
    assert [name for name in names if f"{name} = " not in result.stderr] == []


# Names


@pytest.mark.slow("1.6 s")
def test_columns_of_any_name_can_be_named(folder: Path) -> None:
    with Path("odd.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(HOSTILE)
        writer.writerows([n + i for i in range(len(HOSTILE))] for n in range(6))
    quoted = ",".join('"' + name.replace('"', '""') + '"' for name in HOSTILE[:-1])
    for qi in (
        ["--qi", quoted],
        ["--qi", '"last, first"', "--qi", 'the "age",select, zip code,Üñï😀,a\'b;--'],
    ):
        text = ok("anonymize", "odd.csv", *qi, "--sensitive", "x=y", "--k", "3")
        assert next(csv.reader(io.StringIO(text))) == list(HOSTILE)
    Path("xy.csv").write_text("".join(f"{n};*\n" for n in range(20)))
    ok("anonymize", "odd.csv", "--qi", "x=y", "--k", "3", "--hierarchy", '"x=y"=xy.csv')


@pytest.mark.slow("0.8 s")
@pytest.mark.parametrize(
    "name", ["my people.csv", "o'brien.csv", 'say "hi".csv', "a.b.csv", "[x]*.csv", "-x.csv"]
)
def test_files_of_any_name_can_be_read(folder: Path, name: str) -> None:
    Path(name).write_text(PEOPLE)
    path = f"./{name}"
    assert "holds" in run("check", path, "--qi", "zip", "--k", "2").stderr
    statement = ok("check", path, "--qi", "zip", "--k", "3", "--sql")
    assert len(executed(statement)) == 4


# check


def test_check_prints_what_a_table_reaches(folder: Path) -> None:
    result = json.loads(
        ok("check", "people.csv", "--qi", "zip", "--sensitive", "disease", "--format", "json")
    )
    reached = {row["model"]: row["reached"] for row in result}
    assert reached["k-anonymity"] == 2
    assert reached["distinct l-diversity"] == 2
    assert reached["delta-disclosure"] == "inf"


@pytest.mark.slow("half a second")
def test_check_prints_the_offending_classes_and_exits_with_1(folder: Path) -> None:
    result = run("check", "people.csv", "--qi", "zip", "--k", "3", "--format", "json")
    assert result.exit_code == 1
    assert [row["class"] for row in json.loads(result.stdout)] == [
        {"zip": zip_code} for zip_code in ("02138", "02139", "13012", "13053")
    ]
    assert result.stderr == "people.csv: k = 3 does not hold: 4 classes with 8 rows violate it\n"


@pytest.mark.slow("half a second")
def test_check_says_that_a_requirement_holds(folder: Path) -> None:
    result = run("check", "people.csv", "--qi", "zip", "--k", "2")
    assert (result.exit_code, result.stderr) == (0, "people.csv: k = 2 holds\n")
    assert result.stdout == "model,sensitive,required,reached,size,class,id\n"


@pytest.mark.slow("1.3 s")
def test_check_counts_a_population(folder: Path) -> None:
    options = ["people.csv", "--qi", "zip", "--population", "people.csv"]
    result = json.loads(ok("check", *options, "--format", "json"))
    assert {row["model"]: row["reached"] for row in result}["k-map"] == 2
    assert run("check", *options, "--k-map", "2").stderr == "people.csv: k_map = 2 holds\n"
    assert run("check", *options, "--k-map", "3").exit_code == app.FAILS


@pytest.mark.slow("0.7 s")
def test_check_counts_suppressed_cells_as_values_or_wildcards(folder: Path) -> None:
    Path("release.csv").write_text("age,sex\n20,f\n20,*\n30,m\n*,m\n")
    command = ["check", "release.csv", "--qi", "age,sex", "--k", "2"]
    assert run(*command).exit_code == app.FAILS
    assert run(*command, "--suppressed", "wildcard").exit_code == 0


@pytest.mark.slow("0.7 s")
def test_check_compares_with_the_source(folder: Path) -> None:
    Path("source.csv").write_text("zip,disease\n1,flu\n1,cold\n2,flu\n2,flu\n")
    Path("release.csv").write_text("zip,disease\n1,flu\n1,cold\n")
    command = ["check", "release.csv", "--qi", "zip", "--sensitive", "disease", "--t", "0.1"]
    assert run(*command).exit_code == 0
    assert run(*command, "--reference", "source.csv").exit_code == app.FAILS


# lattice


@pytest.mark.slow("half a second")
def test_lattice_prints_the_points(folder: Path) -> None:
    Path("zip.csv").write_text("02138;021**;*\n02139;021**;*\n13012;130**;*\n13053;130**;*\n")
    command = ["lattice", "people.csv", "--qi", "age,zip", "--hierarchy", "zip=zip.csv", "--k", "4"]
    result = {tuple(row["levels"]): row for row in json.loads(ok(*command, "--format", "json"))}
    assert set(result) == {(age, level) for age in (0, 1) for level in (0, 1, 2)}
    assert (result[1, 1]["classes"], result[1, 1]["suppressed"]) == (2, 0)
    assert result[0, 0]["suppressed"] == 8
    bounded = json.loads(ok(*command, "--min-levels", "age=1", "--max-levels", "ZIP=1", "--format", "json"))
    assert [row["levels"] for row in bounded] == [[1, 0], [1, 1]]


@pytest.mark.slow("commands in processes of their own")
def test_lattice_takes_what_a_policy_says(folder: Path) -> None:
    Path("policy.toml").write_text(
        "[roles]\nqi = ['zip']\n[hierarchies.zip]\nbuilder = 'mask'\n[requirements]\nk = 4\n"
        "[method]\nname = 'optimal'\nmeasure = 'loss'\nmax_levels = { zip = 2 }"
    )
    result = json.loads(ok("lattice", "people.csv", "--policy", "policy.toml", "--format", "json"))
    assert [(row["levels"], row["suppressed"]) for row in result] == [([0], 8), ([1], 4), ([2], 0)]


# risk, quasi-identifiers, uniques


@pytest.mark.slow("1 s")
def test_risk_prints_the_measures(folder: Path) -> None:
    Path("clinic.csv").write_text("".join(PEOPLE.splitlines(keepends=True)[:4]))
    command = ["risk", "clinic.csv", "--qi", "zip", "--population", "people.csv", "--format", "json"]
    result = {row["measure"]: row["value"] for row in json.loads(ok(*command))}
    assert (result["records"], result["sample uniques"], result["k-map"]) == (3, 1, 2)
    assert "population uniques by Pitman" not in result
    assert result["prosecutor risk above threshold"] == 1
    result = {
        row["measure"]: row["value"]
        for row in json.loads(ok(*command, "--threshold", "0.5", "--fraction", "0.375"))
    }
    assert result["prosecutor risk above threshold"] == pytest.approx(1 / 3)
    assert result["population uniques by Zayatz"] > 0


def test_nobody_is_singled_out_by_a_row_of_nothing_but_wildcards(folder: Path) -> None:
    Path("t.csv").write_text("age,sex\n<50,f\n<50,f\n>=50,m\n>=50,m\n*,*\n")
    command = ["risk", "t.csv", "--qi", "age,sex", "--format", "json"]
    for further, highest, alone in (([], 1, 1), (["--suppressed", "wildcard"], 0.5, 0)):
        result = run(*command, *further)
        values = {row["id"]: row["value"] for row in json.loads(result.stdout)}
        assert (values["prosecutor_risk_highest"], values["sample_uniques"]) == (highest, alone)
        assert ("--suppressed wildcard" in result.stderr) == (not further)


@pytest.mark.slow("0.3 s")
def test_risk_of_every_record(folder: Path) -> None:
    result = ok("risk", "people.csv", "--qi", "disease", "--per-record", "--keep", "name")
    assert rows(result)["cancer", "Fay", "2", "0.5"] == 1
    assert sum(rows(result).values()) == 9


@pytest.mark.slow("commands in processes of their own")
def test_risk_takes_what_a_policy_says(folder: Path) -> None:
    Path("policy.toml").write_text("[roles]\nqi = ['zip']\nsensitive = ['disease']\n[requirements]\nk = 2\n")
    assert ok("risk", "people.csv", "--policy", "policy.toml") == ok("risk", "people.csv", "--qi", "zip")


@pytest.mark.slow("0.7 s")
def test_quasi_identifiers(folder: Path) -> None:
    result = json.loads(ok("quasi-identifiers", "people.csv", "--columns", "zip,disease", "--format", "json"))
    assert [(row["columns"], row["combinations"]) for row in result] == [
        (["zip"], 4), (["disease"], 4), (["zip", "disease"], 8)
    ]  # fmt: skip
    assert len(json.loads(ok("quasi-identifiers", "people.csv", "--max-size", "1", "--format", "json"))) == 4
    sampled = json.loads(
        ok("quasi-identifiers", "people.csv", "--sample", "4", "--seed", "2", "--format", "json")
    )
    assert all(row["separation_from"] <= row["separation"] <= row["separation_to"] for row in sampled)


@pytest.mark.slow("0.7 s")
def test_uniques(folder: Path) -> None:
    command = ["uniques", "people.csv", "--columns", "zip,disease", "--id", "name"]
    result = {row["name"]: row["columns"] for row in json.loads(ok(*command, "--format", "json"))}
    assert (len(result), result["Bob"], result["Ann"]) == (8, ["disease"], ["zip", "disease"])
    scores = json.loads(ok(*command, "--scores", "--fraction", "0.1", "--format", "json"))
    assert {row["name"]: row["score"] for row in scores}["Bob"] == 1
    assert {row["dis_score"] for row in scores} == {1}


@pytest.mark.slow("0.5 s")
def test_columns_with_hostile_names(folder: Path) -> None:
    quoted = ['"' + name.replace('"', '""') + '"' for name in HOSTILE]
    Path("hostile.csv").write_text(
        "\n".join([",".join(quoted), *(",".join([str(i)] * len(HOSTILE)) for i in range(3))])
    )
    result = json.loads(
        ok(
            "quasi-identifiers",
            "hostile.csv",
            "--columns",
            ",".join(quoted),
            "--max-size",
            "1",
            "--format",
            "json",
        )
    )
    assert {row["columns"][0] for row in result} == set(HOSTILE)
    scores = json.loads(
        ok("uniques", "hostile.csv", "--columns", quoted[0], "--id", HOSTILE[1], "--format", "json")
    )
    assert [row[HOSTILE[1]] for row in scores] == [0, 1, 2]


# The two tables of Anatomy

ANATOMIZE = ["anonymize", "people.csv", "--method", "anatomize", "--qi", "age,zip", "--sensitive", "disease",
             "--keep", "name", "--l", "2"]  # fmt: skip


def check_two_tables(con: duckdb.DuckDBPyConnection, one: str, other: str) -> None:
    """Everybody is in a bucket, of two different values at least; and no value is lost."""
    con.execute(f"create or replace temp view one as from {one}").fetchall()
    con.execute(f"create or replace temp view other as from {other}").fetchall()
    assert [row[0] for row in con.execute("describe one").fetchall()] == ["age", "zip", "name", "bucket"]
    assert [row[0] for row in con.execute("describe other").fetchall()] == ["bucket", "disease"]
    assert con.execute("select count(distinct name) from one").fetchall() == [(8,)]
    assert con.execute("select disease, count(*) from other group by all").fetchall() != []
    sizes = "select bucket, count(*) as n from {} group by all"
    [(wrong,)] = con.execute(
        f"select count(*) from ({sizes.format('one')}) full join ({sizes.format('other')}) as o "
        "using (bucket, n) where o.n < 2 or o.n is null"
    ).fetchall()
    assert wrong == 0


@pytest.mark.slow("1.4 s")
def test_the_two_tables_of_anatomy_are_written(folder: Path) -> None:
    with duckdb.connect("old.duckdb", config=NO_VARIABLES) as con:
        con.execute("create table kept as select 1 as a").fetchall()
    pairs = [
        ("a.csv", "b.parquet"),
        ("new.duckdb::a", "new.duckdb::b"),
        ("./old.duckdb::a", "old.duckdb::b"),
        ("old.duckdb::c", "c.json"),
    ]
    for one, other in some(pairs, 2):
        result = run(*ANATOMIZE, "-o", one, "--sensitive-output", other)
        assert result.exit_code == 0, result.stderr
        with duckdb.connect(config=NO_VARIABLES) as con:
            for file in ("new", "old"):
                if Path(f"{file}.duckdb").exists():
                    con.execute(f"attach '{file}.duckdb' (read_only)").fetchall()
            names = [
                f"{Path(file).stem}.{table}" if table else f"'{file}'"
                for file, _, table in (name.partition("::") for name in (one, other))
            ]
            check_two_tables(con, *names)
    with duckdb.connect("old.duckdb", read_only=True, config=NO_VARIABLES) as con:
        assert con.execute("from kept").fetchall() == [(1,)]


@pytest.mark.slow("1 s a case")
@pytest.mark.parametrize(("one", "other"), [("a.csv", "b.csv"), ("n.duckdb::a", "n.duckdb::b")])
def test_the_statements_of_anatomy_write_two_tables_that_belong_together(
    folder: Path, one: str, other: str
) -> None:
    script = ok(*ANATOMIZE, "-o", one, "--sensitive-output", other, "--sql")
    assert not Path(one).exists()
    with duckdb.connect(config=NO_VARIABLES) as con:
        con.execute(sqlanon.read_library() + script).fetchall()
        check_two_tables(con, *(["output.a", "output.b"] if "::" in one else ["'a.csv'", "'b.csv'"]))


@pytest.mark.slow("0.7 s")
@pytest.mark.parametrize("other", ["b.csv", "x.duckdb::b"])
def test_both_tables_of_anatomy_or_none(folder: Path, other: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with duckdb.connect("x.duckdb", config=NO_VARIABLES) as con:
        con.execute("create table kept as select 1 as a").fetchall()
    Path("b.csv").write_text("what was there\n")
    assert refused(2, *ANATOMIZE, "-o", "a.csv", "--sensitive-output", "b.csv") == (
        "b.csv exists: give --force to replace it"
    )
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    write, calls = files.Session._make_tables, []

    def fails(*arguments: Any) -> None:
        write(*arguments)
        raise OSError("the disk is full")

    def second_copy_fails(*arguments: Any) -> Any:
        calls.append(arguments)
        if len(calls) == 2:
            raise OSError("the disk is full")
        return copy(*arguments)

    copy = files.copy
    monkeypatch.setattr(files.Session, "_make_tables", fails)
    monkeypatch.setattr(files, "copy", second_copy_fails)
    message = refused(3, *ANATOMIZE, "-o", "a.csv", "--sensitive-output", other, "--force")
    assert message == "the disk is full"
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ([*ANATOMIZE, "--sensitive-output", "b.csv"],
         "--sensitive-output needs --output, for the quasi-identifiers"),
        ([*ANATOMIZE, "-o", "a.csv", "--sensitive-output", "./a.csv"],
         "--output and --sensitive-output are both a.csv: give two places"),
        ([*ANATOMIZE, "-o", "a.duckdb::t", "--sensitive-output", "a.duckdb::T"],
         "--output and --sensitive-output are both a.duckdb::t: give two places"),
        ([*ANATOMIZE, "-o", "a.duckdb::t", "--sensitive-output", "b.duckdb::t"],
         "--output and --sensitive-output are in two DuckDB files: put both tables in a.duckdb"),
        (["anonymize", "people.csv", "--qi", "age", "--k", "2", "-o", "a.csv", "--sensitive-output", "b.csv"],
         "--sensitive-output is for anatomize, not for mondrian"),
    ],
)  # fmt: skip
def test_outputs_that_do_not_go_together(folder: Path, command: list[str], message: str) -> None:
    assert refused(2, *command) == message
    assert [path.name for path in folder.iterdir()] == ["people.csv"]


# disclosure and record-linkage


@pytest.mark.slow("1.7 s")
def test_rows_at_risk_leave_without_quasi_identifiers(folder: Path) -> None:
    """Their weights are read as weights, and leave only if they are kept."""
    query("""copy (from (values (20, 'N', 5, 10.5, 1), (20, 'N', 6, 10.5, 1), (30, 'S', 7, 1.2, 2))
        as row(age, region, income, weight, home)) to 'sample.csv'""")
    given = [
        "suppress",
        "sample.csv",
        "--qi",
        "age,region",
        "--keep",
        "income",
        "--sampling-weight",
        "weight",
    ]
    result = run(*given, "--household", "home", "--max-risk", "0.3", "-o", "safe.csv")
    assert (result.exit_code, result.stderr) == (
        0, "above 0.3: 1 of 3 rows, which leave without quasi-identifiers\n",
    )  # fmt: skip
    assert query("from 'safe.csv' order by income") == [(20, "N", 5), (20, "N", 6), (None, None, 7)]
    assert run(*given, "--max-risk", "1", "--seed", "1").stderr == "above 1: 0 of 3 rows\n"
    assert "suppress_above_risk" in ok(*given, "--max-risk", "0.3", "--sql")
    assert "is too low" in refused(3, *given, "--max-risk", "0.0001")
    assert "Missing option '--qi'." in refused(2, "suppress", "sample.csv", "--max-risk", "0.3")
    assert "there is no column aeg" in refused(
        2, "suppress", "sample.csv", "--qi", "aeg", "--max-risk", "0.3"
    )


@pytest.mark.slow("1 s")
def test_what_a_perturbed_release_discloses(folder: Path) -> None:
    ok(
        "perturb",
        "people.csv",
        "--method",
        "add-noise",
        "--columns",
        "age",
        "--keep",
        "name,zip",
        "--seed",
        "1",
        "-o",
        "noisy.csv",
    )
    about = ["people.csv", "noisy.csv", "--columns", "age,zip", "--id", "name"]
    result = {row["attribute"]: row for row in json.loads(ok("disclosure", *about, "--format", "json"))}
    assert set(result) == {"age", "zip", None}
    assert result["zip"]["unchanged"] == 1
    assert result["age"]["unchanged"] == 0
    near = json.loads(ok("disclosure", *about, "--within", "10", "--format", "json"))
    assert [row["near"] for row in near] == [1, 1, 1]
    [linked] = json.loads(ok("record-linkage", *about, "--format", "json"))
    assert (linked["rows"], linked["guess"]) == (8, 0.125)
    assert 0.125 < linked["share"] <= 1  # noise is small, but eight people are near each other


# utility


@pytest.mark.slow("2.9 s")
def test_utility_prints_the_measures(folder: Path) -> None:
    ok(*ANONYMIZE[:-1], "4", "-o", "east.csv")
    command = [
        "utility",
        "people.csv",
        "east.csv",
        "--qi",
        "age,zip",
        "--k",
        "4",
        "--queries",
        "10",
        "--seed",
    ]
    printed = ok(*command, "3", "--format", "json")
    answer = json.loads(printed)
    result = {(row["measure"], row["attribute"]): row["value"] for row in answer}
    assert result["NCP", "age"] == pytest.approx(6 / 26)
    assert result["NCP", "zip"] == 0.5
    assert result["C_avg", None] == 1
    assert ok(*command, "4", "--format", "json") != printed
    measures = ok(
        "utility", "people.csv", "people.csv", "--qi", "age", "--sensitive", "disease", "--id", "name",
        "--held-out", "people.csv",
    )  # fmt: skip
    assert "SSE / SST,age,0.0,%" in measures
    assert '"predicted right, by the release",disease,' in measures


@pytest.mark.slow("commands in processes of their own")
def test_utility_takes_what_a_policy_says(folder: Path) -> None:
    Path("policy.toml").write_text(
        "[roles]\nidentifier = ['name']\nqi = ['zip']\nsensitive = "
        "['disease']\n[hierarchies.zip]\nbuilder = 'mask'\n"
        "[requirements]\nk = 4\n[method]\nname = 'generalize'\nlevels = { zip = 2 }\n[output]\nseed = 7\n"
    )
    ok("anonymize", "people.csv", "--policy", "policy.toml", "-o", "east.csv")
    command = ["utility", "people.csv", "east.csv", "--policy", "policy.toml"]
    result = {
        (row["measure"], row["attribute"]): row["value"]
        for row in json.loads(ok(*command, "--format", "json"))
    }
    assert (result["NCP", "zip"], result["precision", "zip"], result["C_avg", None]) == (0.5, 0.4, 1)


@pytest.mark.slow("1 s")
def test_count_errors_prints_what_noise_does(folder: Path) -> None:
    Path("counts.csv").write_text("zip,count,sd\n130**,5,1\n021**,-1,1\n")
    command = ["count-errors", "people.csv", "counts.csv", "--qi", "zip", "--count-column", "count"]
    [answer] = [
        row
        for row in json.loads(ok(*command, "--deviation-column", "sd", "--queries", "20", "--format", "json"))
        if row["id"] == "group_noise"
    ]
    assert (answer["value"], answer["unit"]) == (50, "%")
    assert "sqlanon.count_errors(" in ok(*command, "--deviation-column", "sd", "--sql")
    lacking = "--deviation-column: there is no column standard_deviation in counts.csv; it has zip, count, sd"
    assert lacking in refused(2, *command)


# attack


@pytest.fixture
def hospitals(folder: Path) -> list[str]:
    """Two small releases and a target: the arguments of the attack on them."""
    Path("h1.csv").write_text("zip,age,condition\n130**,<30,AIDS\n130**,<30,flu\n130**,>=30,flu\n")
    Path("h2.csv").write_text("zip,age,condition\n130**,<35,AIDS\n130**,<35,cold\n130**,>=35,flu\n")
    Path("targets.csv").write_text("name,zip,age,has\nAlice,13012,28,AIDS\nBob,13012,50,flu\n")
    options = ["--targets", "targets.csv", "--id", "name", "--qi", "zip,age", "--sensitive", "condition"]
    return ["attack", "h1.csv", "h2.csv", *options]


@pytest.mark.slow("1 s")
def test_attack_prints_a_row_per_target(hospitals: list[str]) -> None:
    result = {row["name"]: row for row in json.loads(ok(*hospitals, "--truth", "has", "--format", "json"))}
    assert set(result) == {"Alice", "Bob"}
    assert result["Alice"]["candidates"] == ["AIDS"]
    assert (result["Alice"]["prior"], result["Alice"]["posterior"]) == (2, 1)
    assert result["Bob"]["singleton_is_right"] is True


@pytest.mark.slow("half a second")
def test_a_table_shows_the_most_probable_candidate(folder: Path) -> None:
    Path("one.csv").write_text("age,condition\n" + "30,flu\n" * 3 + "30,AIDS\n" + "40,gout\n" * 4)
    Path("who.csv").write_text("name,age\nAnn,30\nBob,40\n")
    options = ["--targets", "who.csv", "--id", "name", "--qi", "age", "--sensitive", "condition"]
    told = ok("attack", "one.csv", *options, "--format", "table")
    assert re.search(r"Ann .* flu +│ +0.75 │", told)
    assert re.search(r"Bob .* gout +│ +1 │", told)


@pytest.mark.slow("1 s")
def test_words_are_no_false_all_clear(folder: Path) -> None:
    """Who was not found is told, and whose rows together are certain counts as left with one value."""
    Path("one.csv").write_text("age,condition\n30,flu\n30,gout\n40,AIDS\n40,flu\n")
    Path("who.csv").write_text("row,age,patient\n1,30,Ann\n2,30,Ann\n3,40,Bob\n4,77,Eve\n")
    options = ["--targets", "who.csv", "--id", "row", "--qi", "age", "--sensitive", "condition"]
    told = ok("attack", "one.csv", *options, "--format", "table")
    assert "1 of 4 people were not found in every release that they are in" in told
    assert "None of 4 people is left with one possible condition." in told
    assert "2 of 4 rows are left with one" in ok(
        "attack", "one.csv", *options, "--unit", "patient", "--format", "table"
    )


@pytest.mark.slow("1 s")
def test_a_summary_tells_of_contradictions(folder: Path) -> None:
    Path("one.csv").write_text("age,condition\n30,flu\n30,gout\n40,AIDS\n40,flu\n")
    Path("two.csv").write_text("age,condition\n30,FLU\n30,GOUT\n40,AIDS\n40,flu\n")
    Path("who.csv").write_text("name,age\nAnn,30\nBob,40\n")
    options = ["--targets", "who.csv", "--id", "name", "--qi", "age", "--sensitive", "condition"]
    told = ok("attack", "one.csv", "two.csv", *options, "--summary", "--format", "table")
    assert "For 1 of 2 people the releases contradict each other" in told


@pytest.mark.slow("1 s")
def test_attack_summarizes_over_all_targets(hospitals: list[str]) -> None:
    measures = {
        row["measure"]: row["value"] for row in json.loads(ok(*hospitals, "--summary", "--format", "json"))
    }
    assert measures["targets"] == 2
    assert measures["PVP_100"] == 100


def test_attack_on_what_others_write(hospitals: list[str]) -> None:
    """What nobody understands is told, with the options that read it; nobody located is exit code 3."""
    Path("theirs.csv").write_text("zip,age_min,age_max,condition\n130xx,20,29,AIDS\n130xx,30,,flu\n")
    command = ["attack", "theirs.csv", *hospitals[3:], "--summary", "--format", "csv"]
    pair = "age=between age_min and age_max"
    result = run(*command, "--formats", pair)
    assert result.exit_code == 3
    assert "located in all releases,0.0,%" in result.stdout
    assert "nobody understands 1 of its values, in 2 cells, such as 130xx in zip" in result.stderr
    assert "theirs.csv: this would read them: --formats 'zip=mask x'\n" in result.stderr
    assert result.stderr.splitlines()[-1].startswith("nobody is located in all the releases")
    assert "PVP_100,100.0,%" in ok(*command, "--formats", pair, "--formats", "theirs.csv.zip=mask x")
    assert formats_in([f"{pair},theirs.csv.zip=mask x"], ["theirs.csv"], ["age", "zip"]) == {
        "age": "between age_min and age_max", "1.zip": "mask x",
    }  # fmt: skip
    assert formats_in(["age=set ,", "zip=mask ,"], [], ["age", "zip"]) == {"age": "set ,", "zip": "mask ,"}
    assert refused(2, *command) == "--qi: there is no column age in theirs.csv; did you mean age_min?"
    assert refused(2, *command, "--formats", "agee=range") == (
        "--formats agee: agee is not in --qi; did you mean age?"
    )
    assert refused(2, *command, "--formats", "age=rnge").startswith("format rnge of age is none of range")
    assert refused(2, *command, "--formats", "zip=list", "--formats", "ZIP=list") == (
        "--formats ZIP: ZIP has a format already"
    )


@pytest.mark.slow("commands in processes of their own")
def test_attack_on_centroids(hospitals: list[str]) -> None:
    """`--nearest` says which of the releases are of centroids."""
    release = ["anonymize", "people.csv", "--qi", "age", "--sensitive", "disease", "--k", "3"]
    ok(*release, "--method", "microaggregate", "--algorithm", "curve", "-o", "c.csv")
    ok(*release, "-o", "m.csv")
    about = ["--targets", "people.csv", "--id", "name", "--qi", "age", "--sensitive", "disease"]
    result = [
        line.split(",")[:3]
        for line in ok("attack", "c.csv", "m.csv", "--nearest", "c.csv", *about).splitlines()[1:]
    ]
    assert len(result) == 8
    assert all(int(prior) > 0 for _, _, prior in result)
    assert "nearest := [TRUE, FALSE]" in ok("attack", "c.csv", "m.csv", "--nearest", "c.csv", *about, "--sql")
    message = refused(2, "attack", "c.csv", "m.csv", "--nearest", "cc.csv", *about)
    assert message == "--nearest cc.csv is none of the releases; did you mean c.csv?"


@pytest.mark.slow("commands in processes of their own")
def test_attack_on_several_columns_of_people_in_some_releases(folder: Path) -> None:
    Path("h1.csv").write_text("zip,condition,ward\n130**,AIDS,1\n130**,flu,2\n")
    Path("h2.csv").write_text("zip,condition,ward\n13***,AIDS,2\n13***,cold,2\n")
    Path("targets.csv").write_text(
        "name,zip,has,lies,in1,in2\nAlice,13012,AIDS,2,true,true\nBob,13012,flu,1,true,false\n"
    )
    command = ["attack", "h1.csv", "h2.csv", "--targets", "targets.csv", "--id", "name", "--qi", "zip"]
    columns = ["--sensitive", "condition,ward", "--truth", "has", "--truth", "lies"]
    answer = json.loads(ok(*command, *columns, "--presence", "in1,in2", "--format", "json"))
    assert {
        (row["name"], row["sensitive"]): (row["candidates"], row["truth_is_candidate"]) for row in answer
    } == {
        ("Alice", "condition"): (["AIDS"], True),
        ("Alice", "ward"): (["2"], True),
        ("Bob", "condition"): (["AIDS", "flu"], True),
        ("Bob", "ward"): (["1", "2"], True),
    }
    exact = ok(*command, *columns, "--exact-cover", "--presence", "in1,in2", "--summary").splitlines()
    assert "condition,PVP_100,100.0,%" in [line.rsplit(",", 3)[0] for line in exact]
    assert "exact_cover := TRUE" in ok(*command, *columns, "--exact-cover", "--sql")
    assert refused(3, *command, *columns, "--presence", "in1") == (
        "presence must name one column of the targets per release: there are 2 releases, and 1 columns "
        "in presence"
    )
    assert refused(2, *command, *columns, "--presence", "in1,in3").startswith(
        "--presence: there is no column in3 in targets.csv"
    )


def test_attack_names_the_release_that_lacks_a_column(hospitals: list[str]) -> None:
    Path("h2.csv").write_text("zip,years,condition\n130**,<35,AIDS\n")
    assert (
        "h2.csv lacks age: read as *, which may be anything; where it is there by another name, rename it\n"
        in run(*hospitals).stderr
    )


# Formats


@pytest.mark.slow("2.9 s")
def test_the_formats_of_rows(folder: Path) -> None:
    command = ["check", "people.csv", "--qi", "zip", "--sensitive", "disease"]
    assert ok(*command).startswith("model,sensitive,reached,size,class,id,remark\n")
    assert ok(*command, "--format", "csv") == ok(*command)
    table = ok(*command, "--format", "table")
    assert "┃ model" in table
    assert "zip: 0213" in table
    markdown = ok(*command, "--format", "markdown").splitlines()
    assert markdown[:2] == [
        "| model | sensitive | reached | size | class | id | remark |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    assert {row["model"] for row in json.loads(ok(*command, "--format", "json"))} >= {"k-anonymity"}


@pytest.mark.slow("2.6 s")
def test_values_survive_every_format(folder: Path) -> None:
    values = [
        "plain",
        "",
        None,
        "a,b",
        'say "hi"',
        "two\nlines",
        " blank ",
        "pipe | and \\",
        "[bold]x[/]",
        "NULL",
    ]
    with duckdb.connect("odd.duckdb") as con:
        con.execute("create table odd as select unnest($1) as v, 1 as q", [values]).fetchall()
    command = ["anonymize", "odd.duckdb::odd", "--qi", "q", "--keep", "v", "--k", "2"]
    assert sorted(map(repr, (row["v"] for row in json.loads(ok(*command, "--format", "json"))))) == sorted(
        map(repr, values)
    )
    Path("out.csv").write_text(ok(*command), newline="")
    assert query(
        "select v from read_csv('out.csv', allow_quoted_nulls = false) where v is not null order by all"
    ) == sorted((v,) for v in values if v is not None)
    assert "| 1 | pipe \\| and \\\\ |" in ok(*command, "--format", "markdown")
    assert "[bold]x[/]" in ok(*command, "--format", "table")


@pytest.mark.slow("1 s")
def test_whoever_is_told_most_of_comes_first_in_a_long_table(folder: Path) -> None:
    """The last of sixty is the only one whose class has one disease."""
    rows = [f"{i},{20 if i < 60 else 70},{'flu' if i % 2 or i == 60 else 'gout'}" for i in range(1, 61)]
    Path("people.csv").write_text("\n".join(["name,age,disease", *rows]))
    attack = ("attack", "people.csv", "--targets", "people.csv", "--id", "name", "--qi", "age",
              "--sensitive", "disease", "--format")  # fmt: skip
    shown = run(*attack, "table")
    assert "those come first of whom an adversary is surest" in shown.stderr
    names = [line.split()[1] for line in shown.stdout.splitlines() if " disease " in line and "│" in line]
    assert (names[0], len(names)) == ("60", printing.SHOWN)
    assert ok(*attack, "csv").splitlines()[1].startswith("1,"), "in order for programs"


def test_no_command_is_help_alone() -> None:
    result = run()
    assert (result.exit_code, result.stderr) == (2, "")
    assert "Look at a table" in result.stdout


@pytest.mark.slow("1.5 s")
def test_a_long_table_says_that_it_is_cut(folder: Path) -> None:
    Path("long.csv").write_text("n\n" + "1\n" * 1000)
    result = run("anonymize", "long.csv", "--qi", "n", "--k", "2", "--format", "table")
    assert f"the first {printing.SHOWN} rows" in result.stderr
    assert ok("anonymize", "long.csv", "--qi", "n", "--k", "2").count("\n") == 1001


@pytest.mark.slow("1.0 s")
def test_piped_output_is_data_alone(folder: Path) -> None:
    process = start(*ANONYMIZE)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert rows(out) == Counter([("age", "zip", "disease"), *EXPECTED])
    assert "\x1b" not in out + err


@pytest.mark.slow("1.0 s")
def test_a_reader_that_has_had_enough_is_no_error(folder: Path) -> None:
    Path("long.csv").write_text("n,text\n" + f"1,{'x' * 90}\n" * 20_000)
    process = start("anonymize", "long.csv", "--qi", "n", "--keep", "text", "--k", "2")
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == "n,text\n"
    process.stdout.close()
    assert "Error" not in process.stderr.read()
    process.stderr.close()
    assert process.wait(60) == app.BROKEN_PIPE


# Statements


def executed(script: str) -> list[tuple[Any, ...]]:
    """The rows of the last statement of a script, where the macros are known."""
    with duckdb.connect(config=NO_VARIABLES) as con:
        sqlanon.register(con)
        return con.execute(script).fetchall()


@pytest.mark.slow("1.6 s a case")
@pytest.mark.parametrize(
    "command",
    [
        ANONYMIZE,
        [*ANONYMIZE, "--keep", "name", "--t", "0.6"],
        [*ANONYMIZE, "--hierarchy", "zip=zip.csv", "--hierarchy", "age=age.csv"],
        ["anonymize", "my people.duckdb::staging.people", "--qi", "age", "--k", "3"],
        ["check", "people.csv", "--qi", "age,zip", "--sensitive", "disease"],
        ["check", "people.csv", "--qi", "zip", "--sensitive", "disease", "--k", "3", "--l", "3"],
        ["check", "my people.duckdb::staging.people", "--qi", "zip", "--k", "3"],
        ["attack", "people.csv", "my people.duckdb::staging.people", "--targets", "people.csv",
         "--id", "name", "--qi", "zip,age", "--sensitive", "disease", "--truth", "disease",
         "--hierarchy", "zip=zip.csv"],
        ["attack", "people.csv", "--targets", "people.csv", "--id", "name", "--qi", "zip",
         "--sensitive", "disease", "--summary"],
        ["check", "people.csv", "--qi", "zip", "--k-map", "3", "--population", "people.csv"],
        ["utility", "people.csv", "my people.duckdb::staging.people", "--qi", "zip", "--sensitive", "disease",
         "--id", "name",
         "--hierarchy", "zip=zip.csv", "--k", "2", "--queries", "10"],
        ["disclosure", "people.csv", "my people.duckdb::staging.people", "--columns", "zip,age", "--id",
         "name", "--within", "0.2"],
        ["record-linkage", "people.csv", "people.csv", "--columns", "age", "--id", "name"],
        ["anonymize", "people.csv", "--qi", "age,zip", "--k", "3", "--method", "k-similar", "--algorithm",
         "curve"],
        ["lattice", "people.csv", "--qi", "zip,age", "--hierarchy", "zip=zip.csv", "--k", "2", "--max-levels",
         "age=0"],
        ["anonymize", "people.csv", "--qi", "age,zip", "--k", "2", "--method", "generalize", "--levels",
         "age=1"],
        ["anonymize", "people.csv", "--qi", "age,zip", "--k", "4", "--method", "optimal", "--hierarchy",
         "zip=zip.csv",
         "--measure", "entropy", "--monotonic", "--weights", "zip=2", "--min-levels", "zip=1"],
        ["anonymize", "people.csv", "--qi", "age,zip", "--k", "2", "--method", "samarati"],
        ["anonymize", "people.csv", "--qi", "age,zip", "--k", "2", "--method", "datafly"],
        ["anonymize", "people.csv", "--qi", "age,zip", "--k", "2", "--method", "mu-argus", "--weights",
         "age=2"],
    ],
)  # fmt: skip
def test_the_printed_statement_gives_the_rows_of_the_command(folder: Path, command: list[str]) -> None:
    Path("zip.csv").write_text("02138;021**;*\n02139;021**;*\n13012;130**;*\n13053;130**;*\n")
    Path("age.csv").write_text("".join(f"{age};{age // 10}x;*\n" for age in range(20, 50)))
    with duckdb.connect("my people.duckdb", config=NO_VARIABLES) as con:
        con.execute("create schema staging")
        con.execute("create table staging.people as from 'people.csv'").fetchall()
    printed = run(*command, "--format", "json")
    assert printed.exit_code in (0, 1)
    script = ok(*command, "--sql")
    result = executed(script)
    wanted = [tuple(row.values()) for row in json.loads(printed.stdout)]
    as_text = [json.dumps(row, default=str, sort_keys=True) for row in map(printing._json_value, result)]
    assert sorted(as_text) == sorted(json.dumps(row, sort_keys=True) for row in wanted)


@pytest.mark.slow("1.4 s a case")
@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("mondrian", ["--k", "2", "--hierarchy", "zip=zip.csv", "--sensitive", "disease", "--l", "2"]),
        ("optimal", ["--k", "2", "--hierarchy", "zip=zip.csv", "--unit", "name"]),
        ("generalize", ["--k", "2", "--levels", "age=1,zip=1"]),
        ("mu_argus", ["--k", "2", "--weights", "age=2"]),
        ("anatomize", ["--l", "2", "--sensitive", "disease"]),
        ("microaggregate", ["--k", "3", "--algorithm", "curve"]),
        ("k_similar", ["--k", "3", "--algorithm", "curve"]),
    ],
)
def test_the_printed_steps_give_the_rows_of_the_statement(
    folder: Path, method: str, options: list[str]
) -> None:
    Path("zip.csv").write_text("02138;021**;*\n02139;021**;*\n13012;130**;*\n13053;130**;*\n")
    command = ["sql", method, "people.csv", "--qi", "age,zip", "--seed", "1", *options]
    steps = ok(*command, "--steps")
    assert steps.count("CREATE TEMPORARY TABLE") > 5
    assert executed(steps) == executed(ok(*command))


@pytest.mark.slow("1 s")
def test_the_plain_statement_needs_no_library(folder: Path) -> None:
    command = ["sql", "mondrian", "people.csv", "--qi", "age,zip", "--k", "2"]
    with duckdb.connect(config=NO_VARIABLES) as con:
        rows = con.execute(ok(*command, "--plain")).fetchall()
    assert sorted(rows) == sorted(executed(ok(*command)))
    assert "one of them" in refused(2, *command, "--plain", "--steps")
    assert "is for the statement of a macro" in refused(2, "sql", "--plain")


@pytest.mark.slow("0.8 s")
def test_a_column_may_be_named_as_a_step_is(folder: Path) -> None:
    Path("odd.csv").write_text("_sqlanon_tuple,_sqlanon_state\n1,a\n1,b\n2,a\n2,b\n")
    command = [
        "sql",
        "mondrian",
        "odd.csv",
        "--qi",
        "_sqlanon_tuple",
        "--sensitive",
        "_sqlanon_state",
        "--k",
        "2",
    ]
    result = executed(ok(*command, "--steps"))
    assert sorted(result) == [("1", "a"), ("1", "b"), ("2", "a"), ("2", "b")]


@pytest.mark.slow("1.2 s")
@pytest.mark.parametrize(
    "output", ["out.csv", "out.tsv.gz", "out.json", "out.parquet", "out.duckdb::out", "in.duckdb::out"]
)
def test_the_printed_statement_writes_what_the_command_writes(folder: Path, output: str) -> None:
    with duckdb.connect("in.duckdb", config=NO_VARIABLES) as con:
        con.execute("create table people as from 'people.csv'").fetchall()
    command = [
        "anonymize",
        "in.duckdb::people",
        "--qi",
        "age,zip",
        "--sensitive",
        "disease",
        "--k",
        "2",
        "-o",
        output,
    ]
    script = ok(*command, "--sql")
    assert sorted(path.name for path in folder.iterdir()) == ["in.duckdb", "people.csv"]
    executed(script)
    assert read_again(output) == Counter(EXPECTED)


def test_sql_prints_the_library(folder: Path) -> None:
    assert ok("sql") == sqlanon.read_library()


@pytest.mark.slow("commands in processes of their own")
def test_sql_prints_the_statement_of_a_macro(folder: Path) -> None:
    options = ["people.csv", "--qi", "zip", "--sensitive", "disease", "--k", "2"]
    assert ok("sql", "mondrian", *options) == ok("anonymize", *options, "--sql")
    assert ok("sql", "violations", *options) == ok("check", *options, "--sql")
    assert ok("sql", "lattice", *options) == ok("lattice", *options, "--sql")
    assert "sqlanon.samarati(" in ok("sql", "samarati", *options)
    compared = ["people.csv", "people.csv", "--columns", "age", "--id", "name"]
    assert ok("sql", "record_linkage", *compared) == ok("record-linkage", *compared, "--sql")
    assert ok("sql", "disclosure", *compared) == ok("disclosure", *compared, "--sql")
    assert ok("sql", "utility", "people.csv", *options) == ok("utility", "people.csv", *options, "--sql")
    options = [
        "people.csv",
        "--targets",
        "people.csv",
        "--id",
        "name",
        "--qi",
        "zip",
        "--sensitive",
        "disease",
    ]
    assert ok("sql", "breaches", *options) == ok("attack", *options, "--summary", "--sql")
    assert refused(2, "sql", "mondriaan") == "there is no macro mondriaan; did you mean mondrian?"


@pytest.mark.slow("1.5 s")
def test_sql_passes_on_where_a_release_goes(folder: Path) -> None:
    options = ["people.csv", "--qi", "zip", "--k", "2", "-o", "out.parquet"]
    assert ok("sql", "mondrian", *options) == ok("anonymize", *options, "--sql")
    Path("out.parquet").touch()
    assert refused(2, "sql", "mondrian", *options) == "out.parquet exists: give --force to replace it"
    assert ok("sql", "mondrian", *options, "--force") == ok("anonymize", *options, "--sql", "--force")


@pytest.mark.slow("1.3 s")
@pytest.mark.parametrize("name", ["macros.sql", "macros.duckdb"])
def test_sql_writes_the_library(folder: Path, name: str) -> None:
    def macros() -> list[tuple[Any, ...]]:
        with duckdb.connect(config=NO_VARIABLES) as con:
            if name.endswith(".sql"):
                con.execute(Path(name).read_text("utf-8")).fetchall()
            else:
                con.execute(f"attach '{name}' as sqlanon (read_only)").fetchall()
            return con.execute("select sqlanon._fingerprint()").fetchall()

    assert ok("sql", "-o", name) == ""
    assert refused(2, "sql", "-o", name) == f"{name} exists: give --force to replace it"
    Path(name).write_text("something else")
    ok("sql", "-o", name, "--force")
    assert macros() == [(fingerprint(),)]
    assert sorted(path.name for path in folder.iterdir()) == [name, "people.csv"]


@pytest.mark.parametrize("name", ["macros.txt", "macros", "macros.csv"])
def test_sql_refuses_other_files_for_the_library(folder: Path, name: str) -> None:
    message = refused(2, "sql", "-o", name)
    assert message == f"{name} is neither a script (.sql) nor a file to attach (.duckdb)"
    assert [path.name for path in folder.iterdir()] == ["people.csv"]


# Errors


def test_the_package_is_the_command() -> None:
    command = [sys.executable, "-m", "sqlanon", "--version"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == ok("--version")


def test_the_version() -> None:
    assert ok("--version").startswith(f"sqlanon {sqlanon.__version__} ")


OF_COMMANDS = [
    "anonymize", "mask", "perturb", "init", "check", "lattice", "risk", "quasi-identifiers", "uniques",
    "utility", "count-errors", "disclosure", "record-linkage", "attack", "report", "publish", "releases",
    "audit", "register", "m-invariant", "m-invariance", "budget", "dp", "sql", "demo",
    "scheme", "frontier", "suppress",
]  # fmt: skip


@pytest.mark.parametrize("name", app.COMMANDS)
def test_the_list_of_commands_says_of_each_what_its_own_help_begins_with(name: str) -> None:
    first, *_ = app.imported(name).help.split("\n\n")
    assert app.COMMANDS[name] == " ".join(first.split())


def test_the_list_of_commands_is_complete() -> None:
    modules = {file.stem for file in Path(app.__file__).parent.glob("commands/*.py")} - {"__init__"}
    groups = [typer.main.get_group(import_module(f"sqlanon.cli.commands.{module}").app) for module in modules]
    assert {name for group in groups for name in group.commands} == {*app.COMMANDS}


@pytest.mark.slow("half a second")
def test_help_imports_no_command() -> None:
    script = """if True:
        import sys
        from sqlanon.cli.app import app
        app(["--help"], standalone_mode=False)
        heavy = {"duckdb", "sqlglot", "pandas", "numpy", "sqlanon.cli.options"} & {*sys.modules}
        print(sorted(heavy), file=sys.stderr)
    """
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert "anonymize" in done.stdout
    assert done.stderr == "[]\n"


@pytest.mark.parametrize("command", [[], *([name] for name in OF_COMMANDS)])
def test_help_documents_the_exit_codes(command: list[str]) -> None:
    text = " ".join(ok(*command, "--help").split())
    assert "Exit codes: 0 done, or the check holds; 1 a check fails; 2 wrong use" in text


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["chek"], "No such command 'chek'."),
        (["check"], "Missing argument 'INPUT'."),
        (["check", "people.csv"], "Missing option '--qi'."),
        (["check", "peple.csv", "--qi", "age"], "there is no file peple.csv"),
        (["check", "people.doc", "--qi", "age"], "people.doc is not a file ("),
        (["check", "new.duckdb", "--qi", "age"], "new.duckdb is a DuckDB file: name a table in it"),
        (["check", "new.duckdb::t", "--qi", "age"], "there is no file new.duckdb"),
        (["check", "people.csv", "--qi", "agee"],
         "--qi: there is no column agee in people.csv; did you mean age?"),
        (["check", "people.csv", "--qi", "age,AGE"], "--qi: column AGE is in --qi already, and has one role"),
        (["check", "people.csv", "--qi", "age,"], "--qi age,: a name is empty"),
        (["check", "people.csv", "--qi", "age", "--sensitive", "age"],
         "--sensitive: column age is in --qi already, and has one role"),
        (["check", "people.csv", "--qi", "age", "--k", "0"], "Invalid value for '--k'"),
        (["check", "people.csv", "--qi", "age", "--l", "2"], "--l needs --sensitive"),
        (["check", "people.csv", "--qi", "age", "--sensitive", "zip", "--recursive-c", "2"],
         "--recursive-c needs --l"),
        (["check", "people.csv", "--qi", "age", "--hierarchy", "age"], "--hierarchy age: write COLUMN=FILE"),
        (["check", "people.csv", "--qi", "age", "--hierarchy", "age=no.csv"], "there is no file no.csv"),
        (["check", "people.csv", "--qi", "age", "--hierarchy", "zip=people.csv"],
         "zip is in neither --qi nor --sensitive"),
        (["check", "people.csv", "--qi", "age", "--format", "xml"], "Invalid value for '--format'"),
        (["frontier", "people.csv"], "Missing option '--qi'."),
        (["publish", "people.csv", "--register", "r.duckdb"], "Missing option '--policy'."),
        (["frontier", "people.csv", "--qi", "age", "--method", "mondrian,optimum"],
         'method must be one of mondrian, generalize,'),
        (["frontier", "people.csv", "--qi", "age", "--k", "2,x"],
         "--k: write whole numbers, such as 2,5,10, not x"),
        (["frontier", "people.csv", "--qi", "age", "--k", "0"], "must be at least 1, not 0"),
        (["frontier", "people.csv", "--qi", "agee"], "did you mean age?"),
        (["frontier", "people.csv", "--qi", "age", "--risk", "sure"], "did you mean sure_90?"),
        (["frontier", "people.csv", "--qi", "age", "-o", "no/page.html"], "there is no folder no"),
        (["frontier", "people.csv", "--qi", "age", "-o", "people.csv"], "people.csv exists: give --force"),
        (["risk", "people.csv"], "Missing option '--qi'."),
        (["risk", "people.csv", "--qi", "age", "--fraction", "1"],
         "--fraction must be above 0 and below 1, not 1.0"),
        (["risk", "people.csv", "--qi", "age", "--threshold", "2"], "Invalid value for '--threshold'"),
        (["risk", "people.csv", "--qi", "age", "--keep", "name"], "--keep is for --per-record"),
        (["risk", "people.csv", "--qi", "age", "--per-record", "--threshold", "0.1"],
         "--threshold is not for --per-record"),
        (["risk", "people.csv", "--qi", "age", "--population", "no.csv"], "there is no file no.csv"),
        (["quasi-identifiers", "people.csv", "--columns", "age,zipp"],
         "--columns: there is no column zipp in people.csv; did you mean zip?"),
        (["quasi-identifiers", "people.csv", "--max-size", "0"], "Invalid value for '--max-size'"),
        (["quasi-identifiers", "people.csv", "--columns", "age,"], "--columns age,: a name is empty"),
        (["uniques", "people.csv"], "Missing option '--columns'."),
        (["uniques", "people.csv", "--columns", "age", "--id", "nam"],
         "--id: there is no column nam in people.csv"),
        (["uniques", "people.csv", "--columns", "age", "--scores"], "--scores needs --id"),
        (["uniques", "people.csv", "--columns", "age", "--fraction", "0.1"], "--fraction is for --scores"),
        (["anonymize", "people.csv", "--qi", "age"], "give a requirement, such as --k 5"),
        (["anonymize", "people.csv", "--qi", "age", "--k", "2", "-o", "no/out.csv"], "there is no folder no"),
        (["anonymize", "people.csv", "--qi", "age", "--k", "2", "-o", "out"], "out is not a file ("),
        (["anonymize", "people.csv", "--k", "2"], "Missing option '--qi'."),
        (["anonymize", "people.csv", "--qi", "age", "--k", "2", "--method", "mondrain"],
         "did you mean mondrian?"),
        (["anonymize", "people.csv", "--qi", "age", "--k", "2", "--size", "2"],
         "--size is for mu_argus, not for mondrian"),
        (["anonymize", "people.csv", "--qi", "age", "--l", "2", "--sensitive", "zip", "--method", "mu-argus"],
         "--l is for mondrian"),
        (["anonymize", "people.csv", "--qi", "age", "--k", "2", "--method", "mu-argus", "--weights",
          "agee=2"],
         "--weights: agee is not in --qi; did you mean age?"),
        (["anonymize", "people.csv", "--qi", "age", "--k", "2", "--weights", "age"],
         "--weights age: write COLUMN=NUMBER"),
        (["anonymize", "people.csv", "--qi", "age", "--k", "2", "--weights", "age=x"],
         "--weights age=x: x is not a number"),
        (["anonymize", "people.csv", "--qi", "age", "--k", "2", "--max-levels", "age=1.5"],
         "--max-levels age=1.5: 1.5 is not a whole number"),
        (["anonymize", "people.csv", "--qi", "age", "--k-map", "2"], "--k-map needs --population"),
        (["check", "people.csv", "--qi", "age", "--k-map", "2", "--population", "no.csv"],
         "--population: there is no file no.csv"),
        (["anonymize", "people.csv", "--policy", "no.toml"], "there is no file no.toml"),
        (["utility", "people.csv", "no.csv", "--qi", "age"], "there is no file no.csv"),
        (["disclosure", "people.csv", "people.csv", "--columns", "age"], "Missing option '--id'."),
        (["disclosure", "people.csv", "people.csv", "--columns", "age", "--id", "nam"],
         "--id: there is no column nam in people.csv; did you mean name?"),
        (["disclosure", "people.csv", "people.csv", "--columns", "age", "--id", "name", "--within", "-1"],
         "Invalid value for '--within'"),
        (["record-linkage", "people.csv", "no.csv", "--columns", "age", "--id", "name"],
         "there is no file no.csv"),
        (["record-linkage", "people.csv", "people.csv", "--columns", "agee", "--id", "name"],
         "--columns: there is no column agee in people.csv; did you mean age?"),
        (["utility", "people.csv", "people.csv", "--qi", "agee"],
         "--qi: there is no column agee in people.csv; did you mean age?"),
        (["utility", "people.csv", "people.csv", "--qi", "age", "--id", "nam"],
         "--id: there is no column nam in people.csv; did you mean name?"),
        (["utility", "people.csv", "people.csv", "--qi", "age", "--queries", "0"],
         "Invalid value for '--queries'"),
        (["demo", "--data", "no.data"], "there is no file no.data"),
    ],
)  # fmt: skip
def test_wrong_use_is_one_line_and_exit_code_2(folder: Path, command: list[str], message: str) -> None:
    assert message in refused(2, *command)
    assert [path.name for path in folder.iterdir()] == ["people.csv"]


AGE = ("--qi", "age", "--k", "2")
BESIDE = ("--columns", "age", "--id", "name")


@pytest.mark.parametrize(
    "command",
    [
        ("anonymize", "people.csv", *AGE, "--method", "mondrain"),
        ("anonymize", "no.csv", *AGE),
        ("anonymize", "people.csv", *AGE, "-o", "people.csv"),
        ("anonymize", "people.csv", *AGE, "-o", "no/out.csv"),
        ("anonymize", "people.csv", *AGE, "--recoding", "range"),
        ("anonymize", "people.csv", *AGE, "--sensitive-output", "out.csv"),
        ("anonymize", "people.csv", "--policy", "masks.toml", "--key-file", "no.key"),
        ("check", "people.csv", "--qi", "age", "--l", "2"),
        ("check", "people.csv", *AGE, "--reference", "no.csv"),
        ("check", "people.csv", *AGE, "--types", "age=number"),
        ("lattice", "no.csv", *AGE),
        ("risk", "people.csv", "--qi", "age", "--population", "no.csv"),
        ("quasi-identifiers", "no.csv"),
        ("uniques", "people.csv", "--columns", "age,"),
        ("utility", "people.csv", "no.csv", "--qi", "age"),
        ("disclosure", "people.csv", "no.csv", *BESIDE),
        ("record-linkage", "people.csv", "people.csv", *BESIDE, "--types", "age=number"),
        ("attack", "people.csv", "--targets", "no.csv", "--id", "name", "--qi", "age", "--sensitive", "zip"),
        ("perturb", "people.csv", "--method", "pram", "--columns", "age", "--types", "age=number"),
        ("perturb", "people.csv", "--method", "pram", "--columns", "age", "-o", "people.csv"),
        ("mask", "people.csv", "--hash", "name", "--key-file", "no.key"),
        ("mask", "people.csv", "--email", "name", "-o", "no/out.csv"),
        ("report", "people.csv", "--qi", "age", "-o", "people.csv"),
        ("report", "people.csv", "--qi", "age", "-o", "out.html", "--targets", "people.csv"),
        ("report", "people.csv", "--qi", "age", "-o", "out.html", "--original", "no.csv"),
        ("init", "people.csv", "-o", "people.csv"),
        ("init", "no.csv"),
        ("demo", "--data", "no.data"),
    ],
)
def test_what_is_wrong_whatever_the_data_is_told_at_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    """Before anything is connected, registered or read."""

    def connect(session: files.Session) -> None:
        pytest.fail("a connection is made")

    Path("masks.toml").write_text(
        '[roles]\nqi = ["age"]\n[requirements]\nk = 2\n[masks]\nname = { method = "hash" }\n'
    )
    monkeypatch.setattr(files.Session, "__enter__", connect)
    refused(2, *command)


def test_a_missing_table_is_named_with_those_that_are_there(folder: Path) -> None:
    with duckdb.connect("in.duckdb", config=NO_VARIABLES) as con:
        con.execute("create table people (age integer)")
        con.execute("create schema other")
        con.execute("create view other.everybody as from people")
    message = refused(2, "check", "in.duckdb::peple", "--qi", "age")
    assert message == "there is no table peple in in.duckdb: it has people, other.everybody"


@pytest.mark.slow("0.6 s")
@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("age,zip\n", ["--k", "2"], "is empty"),
        ("age,zip\n1,2\n", ["--k", "2"], ""),
        ("age,zip\n1,2\n1,2\n", ["--sensitive", "zip", "--l", "2"], ""),
    ],
)
def test_bad_data_is_one_line_and_exit_code_3(
    folder: Path, content: str, options: list[str], message: str
) -> None:
    Path("bad.csv").write_text(content)
    assert message in refused(3, "anonymize", "bad.csv", "--qi", "age", *options, "-o", "out.csv")
    assert not Path("out.csv").exists()


@pytest.mark.parametrize("name", ["bad.parquet", "bad.json", "bad.csv.gz", "bad.duckdb::t"])
def test_a_file_that_cannot_be_read_is_bad_data(folder: Path, name: str) -> None:
    Path(name.partition("::")[0]).write_bytes(b"\x00\x01 this is something else {\n" * 1000)
    assert refused(3, "check", name, "--qi", "age")


@pytest.mark.parametrize("text", [b"\x1f\x8b broken", b"age", gzip.compress(b"age\n1\n" * 9)[:-9]])
def test_a_file_of_gzip_that_is_not_whole_is_bad_data(folder: Path, text: bytes) -> None:
    Path("bad.csv.gz").write_bytes(text)
    assert "bad.csv.gz" in refused(3, "init", "bad.csv.gz")


# Nothing is left behind


@pytest.mark.slow("1.0 s")
@pytest.mark.parametrize(
    ("number", "output"), [(signal.SIGINT, "out.csv"), (signal.SIGTERM, "in.duckdb::out")]
)
def test_an_interrupted_run_leaves_nothing(folder: Path, number: signal.Signals, output: str) -> None:
    with duckdb.connect("in.duckdb", config=NO_VARIABLES) as con:
        con.execute(
            "create table people as "
            "select i, hash(i) % 1000 as a, hash(i, 1) % 1000 as b, hash(i, 2) % 1000 as c "
            "from range(400_000) as r(i)"
        ).fetchall()
    before = Path("in.duckdb").read_bytes()
    spill = folder / "spill"
    spill.mkdir()
    command = ["anonymize", "in.duckdb::people", "--qi", "a,b,c", "--keep", "i", "--k", "2", "-o", output]
    process = start(
        *command,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(spill)},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # it may be ignored around here
    )
    while not list(spill.iterdir()):  # the work begins
        assert process.poll() is None
        time.sleep(0.05)
    time.sleep(0.7)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (128 + number, "", "interrupted\n")
    assert sorted(path.name for path in folder.iterdir()) == ["in.duckdb", "people.csv", "spill"]
    assert list(spill.iterdir()) == []
    assert Path("in.duckdb").read_bytes() == before


@pytest.mark.slow("0.6 s")
def test_an_error_while_writing_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> None:
        raise duckdb.IOException("the disk is full")

    monkeypatch.setattr(Path, "replace", fail)
    assert refused(3, *ANONYMIZE, "-o", "out.csv") == "the disk is full"
    assert [path.name for path in folder.iterdir()] == ["people.csv"]


# Progress


@pytest.mark.slow("1.1 s")
def test_progress_is_shown_only_on_a_terminal(folder: Path) -> None:
    pty = pytest.importorskip("pty")
    main, terminal = pty.openpty()
    process = start(*ANONYMIZE, stderr=terminal, env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm"})
    os.close(terminal)
    out, _ = process.communicate(timeout=60)
    shown = b""
    try:
        while piece := os.read(main, 10_000):
            shown += piece
    except OSError:  # the terminal is closed
        pass
    finally:
        os.close(main)
    assert process.returncode == 0
    assert b"100 %" in shown
    assert rows(out) == Counter([("age", "zip", "disease"), *EXPECTED])


class TestFrontier:
    CHOOSE = (
        "frontier",
        "people.csv",
        "--qi",
        "age,zip",
        "--sensitive",
        "disease",
        "--method",
        "mondrian,mu-argus",
    )

    @pytest.mark.slow("3.7 s")
    def test_a_table_and_a_page(self, folder: Path) -> None:
        done = run(*self.CHOOSE, "--k", "2,4", "--l", "2", "-o", "frontier.html", "--format", "csv")
        assert done.exit_code == 0, done.stderr
        header, *choices = csv.reader(io.StringIO(done.stdout))
        assert [choice[:2] for choice in choices] == [
            [method, k] for method in ("mondrian", "mu_argus") for k in "24"
        ]
        assert {choice[header.index("reason")] for choice in choices[2:]} == {"l is not for mu_argus"}
        assert "4 choices by guess_gain and gcp; nothing dominates: mondrian, k = 2" in done.stderr
        page = (folder / "frontier.html").read_text()
        assert "Nothing dominates" in page
        assert {file.name for file in folder.iterdir()} == {"people.csv", "frontier.html"}

    @pytest.mark.slow("1.7 s")
    def test_for_people(self, folder: Path) -> None:
        told = ok(*self.CHOOSE, "--k", "2", "--format", "markdown")
        assert "guess_baseline" in told
        assert "nothing dominates it" in told
        lines = ok(*self.CHOOSE, "--k", "2", "--format", "table").splitlines()
        assert max(len(line) for line in lines if line[:1] in "┃│") <= 80

    @pytest.mark.slow("1 s")
    def test_no_choice_exists(self, folder: Path) -> None:
        done = run(*self.CHOOSE, "--k", "9", "--l", "2", "-o", "frontier.html", "--format", "json")
        assert done.exit_code == 3
        assert [choice["dominated"] for choice in json.loads(done.stdout)] == [None, None]
        assert "there is no such release: the reason of each is in the table" in done.stderr
        assert not (folder / "frontier.html").exists()


def _asked(function: ast.FunctionDef) -> Iterator[str]:
    """What a command asks `given` for: as given.name, or in the texts of given.of and given.named."""
    for node in ast.walk(function):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="given"), attr="of" | "named"),
                args=[ast.Constant(value=str(names))],
            ):
                yield from names.split()
            case ast.Attribute(value=ast.Name(id="given"), attr=name):
                yield name


@pytest.mark.parametrize("module", sorted(Path(app.__file__).parent.glob("commands/*.py")), ids=str)
def test_a_command_asks_for_what_it_takes(module: Path) -> None:
    """What it does not take is nowhere, and what it takes stands by itself."""
    for function in ast.parse(module.read_text("utf-8")).body:
        for call in function.decorator_list if isinstance(function, ast.FunctionDef) else ():
            if isinstance(function, ast.FunctionDef) and isinstance(call, ast.Call):
                taken = " ".join(ast.literal_eval(words) for words in call.args).split()
                known = {word.rstrip("!?") for word in taken} | {"options", "roles", "of", "named", "but"}
                assert {*_asked(function)} <= known, function.name


@pytest.mark.slow("half a second")
def test_values_are_read_without_pydantic(folder: Path) -> None:
    """Whose import takes longer than a command; where a value is wrong, it says so."""
    script = """if True:
        import sys
        from sqlanon.cli.app import app
        app(["check", sys.argv[1], "--qi", "age", "--k", "2", "--format", "csv"], standalone_mode=False)
        print("pydantic" in sys.modules, file=sys.stderr)
    """
    command = [sys.executable, "-c", script, str(folder / "people.csv")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.stderr.endswith("False\n")
    assert "Invalid value for '--k'" in refused(2, "check", "people.csv", "--qi", "age", "--k", "two")


@pytest.mark.slow("2 s a case")
@pytest.mark.parametrize(
    ("time", "label"),
    [
        ("interval 0 hour", "[1970-01-01, 1970-01-04]"),
        ("interval 1 hour", "[1970-01-01 00:00:00, 1970-01-04 03:00:00]"),
    ],
)
def test_times_at_midnight_are_days(folder: Path, time: str, label: str) -> None:
    """As quasi-identifiers, of Parquet files and DuckDB tables; what leaves unchanged stays as it is."""
    rows = f"select timestamp '1970-01-01' + interval (i) day + {time} * i as Seen from range(4) as r(i)"
    query(f"copy (select seen, seen as again from ({rows})) to 'p.parquet'")
    with duckdb.connect("t.duckdb") as con:
        con.execute("create table t as from 'p.parquet'").fetchall()
    for table in ("p.parquet", "t.duckdb::t"):
        made = ok("anonymize", table, "--qi", "seen", "--keep", "again", "--k", "4", "--format", "csv")
        assert made.splitlines()[1].startswith(f'"{label}",1970-01-0')
        assert made.splitlines()[1].endswith(":00:00")
        assert ok("check", table, "--qi", "seen", "--k", "1")


@pytest.mark.slow("half a second")
def test_columns_that_are_spared(folder: Path) -> None:
    """--spare gives weights; --weights beside it other numbers."""
    about = ["anonymize", "people.csv", "--qi", "age,zip", "--sensitive", "disease", "--k", "2", "--sql"]
    assert "weights := [1, 4]" in ok(*about, "--spare", "zip")
    assert "weights := [2.0, 4]" in ok(*about, "--spare", "zip", "--weights", "age=2")
    assert "disease is not in --qi" in refused(2, *about, "--spare", "disease")
