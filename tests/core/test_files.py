"""Files, as the command line reads them: names are names, values stay as they are written,
and every row is there.
"""

import csv
import gzip
import io
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

import sqlanon.policies
from sqlanon.cli import app
from sqlanon.core import ending
from sqlanon.core.errors import UseError
from sqlanon.core.files import SMALL_DATABASE, SMALL_TEXT, Session, existing, is_small_database
from tests.budget import examples

ROWS = "age,disease\n" + "".join(f"{20 + i % 5},d{i % 2}\n" for i in range(20))
OTHERS = "age,disease\n" + "99,WRONG\n" * 20

NO_VARIABLES: dict[str, Any] = {"python_enable_replacements": False}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app.app, [str(argument) for argument in arguments])


def ok(*arguments: str | Path) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.stderr
    return result.stdout_bytes.decode()  # stdout has other ends of lines


def refused(code: int, *arguments: str | Path) -> str:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (code, ""), result.output
    assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("error: ").rstrip("\n")


def records(text: str, delimiter: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))


# Names


@pytest.mark.slow("0.8 s a case", but=(3, 7))
@pytest.mark.parametrize(
    ("name", "matched"),
    [("people[1].csv", "people1.csv"), ("pe*ple.csv", "people.csv"), ("a?c.csv", "abc.csv"),
     ("~x.csv", "x.csv"),
     ("file:a.csv", "a.csv"), ("year=2020/a.csv", "a.csv")],
)  # fmt: skip
@pytest.mark.parametrize("end", ["csv", "parquet", "json"])
def test_the_name_of_a_file_is_no_pattern(folder: Path, name: str, matched: str, end: str) -> None:
    for each, text in ((matched, OTHERS), (name, ROWS)):
        path = Path(each)
        path.parent.mkdir(exist_ok=True)
        table = [row.split(",") for row in text.splitlines()]
        columns = dict(zip(table[0], zip(*table[1:], strict=True), strict=True))
        if end == "csv":
            path.write_text(text)
        elif end == "parquet":
            with path.with_suffix(".parquet").open("wb") as file:
                pq.write_table(pa.table({key: list(values) for key, values in columns.items()}), file)
        else:
            path.with_suffix(".json").write_text(
                json.dumps([dict(zip(table[0], row, strict=True)) for row in table[1:]])
            )
        name = str(path.with_suffix(f".{end}"))
    text = ok("anonymize", name, "--qi", "age", "--sensitive", "disease", "--k", "20")
    assert Counter(row[-1] for row in records(text)) == Counter({"disease": 1, "d0": 10, "d1": 10})
    Path(name).unlink()
    assert refused(2, "check", name, "--qi", "age", "--k", "2") == f"there is no file {name}"


@pytest.mark.slow("0.7 s a case")
@pytest.mark.parametrize("name", ["out[1].csv", "out*.parquet", "~out.csv", "file:out.json"])
def test_an_output_has_the_name_that_it_is_given(folder: Path, name: str) -> None:
    Path("people.csv").write_text(ROWS)
    ok("anonymize", "people.csv", "--qi", "age", "--sensitive", "disease", "--k", "5", "-o", name)
    assert sorted(path.name for path in folder.iterdir()) == sorted(["people.csv", name])
    assert run("check", name, "--qi", "age", "--k", "5").exit_code == 0


def test_a_table_of_a_database_is_not_taken_for_a_file(folder: Path) -> None:
    Path("data.csv").write_text("id,age\n1,20\n2,21\n")
    with duckdb.connect("data.duckdb", config=NO_VARIABLES) as con:
        con.execute("create table csv as select 'wrong' as id, 1 as age").fetchall()
        con.execute("create table release as select '[20, 21]' as age, 'flu' as disease").fetchall()
    command = ["attack", "data.duckdb::release", "--id", "id", "--qi", "age", "--sensitive", "disease"]
    result = records(ok(*command, "--targets", "data.csv"))
    assert [row[0] for row in result[1:]] == ["1", "2"]
    nobody = run(*command, "--targets", "data.duckdb::csv")  # is located: nobody is 1
    assert (nobody.exit_code, [row[0] for row in records(nobody.stdout)[1:]]) == (3, ["wrong"])


@pytest.mark.slow("1.4 s a case", but=(0,))
@pytest.mark.parametrize(
    "name", ["sqlanon", "temp", "memory", "system", "main", "output", "raw", "My-File (1)"]
)
def test_a_duckdb_file_has_any_name(folder: Path, name: str) -> None:
    with duckdb.connect(f"{name}.duckdb", config=NO_VARIABLES) as con:
        con.execute("create table people as select range % 5 as age, range % 2 as disease from range(20)")
    command = ["anonymize", f"{name}.duckdb::people", "--qi", "age", "--sensitive", "disease", "--k", "5"]
    for output in (f"{name}.duckdb::release", "new.duckdb::release"):
        ok(*command, "-o", output)
        assert run("check", output, "--qi", "age", "--k", "5").exit_code == 0


@pytest.mark.slow("1.3 s")
def test_policies_and_hierarchies_name_files_by_their_names(folder: Path) -> None:
    Path("people.csv").write_text(ROWS)
    Path("everybody[1].csv").write_text(ROWS * 1)
    Path("everybody1.csv").write_text(OTHERS)
    Path("age[1].csv").write_text("".join(f"{age};all;*\n" for age in range(20, 25)))
    Path("age1.csv").write_text("99;wrong;*\n")
    Path("policy.toml").write_text(
        """
        roles = {qi = ["age"], sensitive = ["disease"]}
        requirements = {k_map = 20, population = "everybody[1].csv"}
        hierarchies.age.file = "age[1].csv"
        """
    )
    text = ok("anonymize", "people.csv", "--policy", "policy.toml")
    assert {row[0] for row in records(text)} == {"age", "*"}
    with duckdb.connect(config=NO_VARIABLES) as con:
        release = sqlanon.policies.load("policy.toml").run(con, "people.csv")
        assert con.execute(f"select distinct age from {release.table}").fetchall() == [("*",)]


# Values

CODES = ["250.0", "250.00", "401.1", "401.10", "1E2", "100.0", "03/04/2020", "2020-04-03", "007", "7", " 8",
         "8 ", "a,b",
         'q"q', "n\nl", "#x", "+5", "-0", "1e400", "NaN", "TRUE", "true", "1_000", "é", "x\r\ny", "x\ry",
         "\ufeffz", "NULL",
         "'", "\\", "\t", "20200403"]  # fmt: skip


@pytest.mark.slow("0.4 s a case", but=(21,))
@pytest.mark.parametrize(
    "values", [CODES, CODES[:2], CODES[2:4], CODES[4:6], CODES[6:8], CODES[8:10], CODES[10:12]]
)
@pytest.mark.parametrize("name", ["out.csv", "out.tsv", "out.csv.gz", None])
def test_what_leaves_unchanged_is_what_came(folder: Path, values: list[str], name: str | None) -> None:
    with Path("codes.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["age", "code", "note"])
        writer.writerows([str(i % 2), value, value] for i, value in enumerate(values * 2))
    command = ["anonymize", "codes.csv", "--qi", "age", "--sensitive", "code", "--keep", "note", "--k", "2"]
    text = ok(*command, *(["-o", name] if name else []))
    if name:
        content = Path(name).read_bytes()
        text = (gzip.decompress(content) if name.endswith(".gz") else content).decode()
    _, *rows = records(text, "\t" if name == "out.tsv" else ",")
    assert Counter(row[1] for row in rows) == Counter(row[2] for row in rows) == Counter(values * 2)


def test_codes_that_are_the_same_number_are_different_values(folder: Path) -> None:
    Path("icd.csv").write_text("zip,code\n1,250.0\n1,250.00\n2,401.1\n2,401.10\n")
    assert run("check", "icd.csv", "--qi", "zip", "--sensitive", "code", "--l", "2").exit_code == 0
    hashes = ok("mask", "icd.csv", "--hash", "code", "--key-file", str(_key(folder)))
    assert len(set(hashes.split())) == 5
    text = ok("anonymize", "icd.csv", "--qi", "code", "--k", "4")
    assert records(text)[1] == ["{250.0, 250.00, 401.1, 401.10}"]


def _key(folder: Path) -> Path:
    (folder / "key").write_text("0123456789abcdef")
    return folder / "key"


@pytest.mark.slow("0.4 s")
def test_empty_text_is_not_null(folder: Path) -> None:
    Path("in.csv").write_text('zip,name\n1,""\n1,\n1,""\n')
    text = ok("anonymize", "in.csv", "--qi", "zip", "--keep", "name", "--k", "3")
    assert Counter(text.splitlines()[1:]) == Counter({'1,""': 2, "1,": 1})


@pytest.mark.slow("0.4 s a case", but=(3,))
@pytest.mark.parametrize(
    ("values", "released"),
    [
        (["1", "-2", "30"], "[-2, 30]"),
        (["1.5", "2.0", "1e+20"], "[1.5, 1e+20]"),
        (["1.50", "2.00", "10.25"], "[1.50, 10.25]"),
        (["2", "1.5", "10"], "[1.5, 10.0]"),  # as R and spreadsheets write numbers
        (["2020-01-31", "1999-12-31"], "[1999-12-31, 2020-01-31]"),
        (["2020-01-31 10:00:00", "1999-12-31 00:00:00"], "[1999-12-31 00:00:00, 2020-01-31 10:00:00]"),
        (["10:00:00", "09:30:00"], "[09:30:00, 10:00:00]"),
        (["01", "10"], "{01, 10}"),
        (["1.50", "1.5"], "{1.5, 1.50}"),
        (["2", "2.0"], "{2, 2.0}"),
        (["1E2", "5"], "{1E2, 5}"),
        (["123456789012345678901", "5"], "{123456789012345678901, 5}"),
        (["0.1000000000000000055511151231257827", "5"], "{0.1000000000000000055511151231257827, 5}"),
        (["2020-1-31", "1999-12-31"], "{1999-12-31, 2020-1-31}"),
        (["true", "false"], "{false, true}"),
        ([" 9", " 10", ""], "[NULL, 10]"),
        ([" 1.50", " 2.00"], "[1.50, 2.00]"),
        ([" 2020-01-31", " 1999-12-31"], "[1999-12-31, 2020-01-31]"),
        ([" 9", "10"], '{" 9", 10}'),  # or 9 could be two texts
        ([" 9", " "], '{" ", " 9"}'),
        (["  9", " 10"], '{"  9", " 10"}'),
        ([" 09", " 10"], '{" 09", " 10"}'),
    ],
)
def test_a_quasi_identifier_is_a_number_or_a_date_if_all_of_it_survives(
    folder: Path, values: list[str], released: str
) -> None:
    Path("in.csv").write_text("x,y\n" + "".join(f"{value},\n" for value in values))
    text = ok("anonymize", "in.csv", "--qi", "x", "--k", str(len(values)))
    assert {row[0] for row in records(text)[1:]} == {released}


@pytest.mark.slow("2.4 s")
def test_the_user_says_what_a_column_is(folder: Path) -> None:
    Path("in.csv").write_text("x,y\n 9,a\n10,b\n11,c\n +12,d\n")
    command = ["anonymize", "in.csv", "--qi", "x", "--k", "2"]
    result = run(*command)
    assert {row[0] for row in records(result.stdout)[1:]} == {'{" +12", " 9"}', "{10, 11}"}
    assert "in.csv: x is text" in result.stderr
    assert "--types x=double" in result.stderr
    assert {row[0] for row in records(ok(*command, "--types", "x=integer"))[1:]} == {"[9, 10]", "[11, 12]"}
    policy = """
        input.types.x = "integer"
        roles.qi = ["x"]
        requirements.k = 2
        """
    Path("policy.toml").write_text(policy)
    assert ok("anonymize", "in.csv", "--policy", "policy.toml", "--seed", "1") == ok(
        *command, "--types", "x=integer", "--seed", "1"
    )
    Path("codes.csv").write_text("x\n9\n10\n11\n12\n")
    text = ok("anonymize", "codes.csv", "--qi", "x", "--k", "4", "--types", "x=text")
    assert records(text)[1] == ["{10, 11, 12, 9}"]


def test_a_folder_is_not_said_to_be_missing(tmp_path: Path) -> None:
    (tmp_path / "people.csv").mkdir()
    with pytest.raises(UseError, match=r"people\.csv is a folder"):
        existing(str(tmp_path / "people.csv"))


@pytest.mark.slow("0.4 s")
def test_a_value_that_is_not_what_the_user_says_is_told_without_the_value(folder: Path) -> None:
    Path("in.csv").write_text("x\n1\nsecret\n2\nsecret\n")
    command = ["check", "in.csv", "--qi", "x", "--k", "2", "--types"]
    assert (
        refused(3, *command, "x=integer")
        == "in.csv: column x, row 2: the value is not of type integer, nor are 1 others"
    )
    assert "must be one of text, boolean, integer" in refused(2, *command, "x=int")
    assert "--types: there is no column z in in.csv" in refused(2, *command, "z=integer")


@pytest.mark.slow("many files")
def test_texts_that_are_numbers_have_their_order_as_sensitive_values(folder: Path) -> None:
    Path("in.csv").write_text("zip,salary\n1,9.5\n1,10.50\n2,100.0\n2,100.00\n")
    Path("numbers.csv").write_text("zip,salary\n1,1\n1,2\n2,3\n2,4\n")
    reached = []
    for name in ("in.csv", "numbers.csv"):
        rows = json.loads(ok("check", name, "--qi", "zip", "--sensitive", "salary", "--format", "json"))
        reached += [row["reached"] for row in rows if row["model"] == "t-closeness (ordered)"]
    assert reached[0] == reached[1]
    command = [
        "anonymize",
        "in.csv",
        "--qi",
        "zip",
        "--sensitive",
        "salary",
        "--t",
        "0.9",
        "--t-distance",
        "ordered",
    ]
    for output in ("out.parquet", "out.duckdb::out", "out.csv"):
        ok(*command, "-o", output)
    with duckdb.connect("out.duckdb", config=NO_VARIABLES) as con:
        for source in ("'out.parquet'", "out"):
            result = con.execute(f"select salary, typeof(salary) from {source}").fetchall()
            assert Counter(result) == Counter(
                (text, "VARCHAR") for text in ("9.5", "10.50", "100.0", "100.00")
            )


@settings(examples(10), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.one_of(
            st.sampled_from(CODES),
            st.builds(
                "{}{}{}{}".format,
                st.sampled_from(["", "+", "-"]),
                st.integers(0, 999),
                st.sampled_from(["", ".0", ".5", ".50"]),
                st.sampled_from(["", "e5", "E1"]),
            ),
            st.text(
                st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=5
            ),
        ),
        min_size=20,
        max_size=60,
    )
)
@example(values=["250.0"] * 19 + ["\r\x80"])
def test_any_texts_stay_what_they_are(tmp_path: Path, values: list[str]) -> None:
    with (tmp_path / "in.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        writer.writerow(["zip", "value"])
        writer.writerows(["1", value] for value in values)
    text = ok("mask", tmp_path / "in.csv", "--email", "zip", "--keep", "value")
    assert Counter(row[1] for row in records(text)[1:]) == Counter(values)


@pytest.mark.slow("0.9 s")
def test_json_keeps_texts_and_numbers(folder: Path) -> None:
    rows = [
        {"zip": 1, "a": "1.10", "b": 1.5, "c": "2020-01-01T00:00:00Z", "d": 12345678901234567890123,
         "e": [1, {"f": "x"}]},
        {"zip": 1, "a": "1E2", "b": 2, "c": "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11", "d": 1, "e": None},
    ]  # fmt: skip
    for name, text in (("in.json", json.dumps(rows)), ("in.ndjson", "\n".join(map(json.dumps, rows)))):
        Path(name).write_text(text)
        ok("anonymize", name, "--qi", "zip", "--keep", "a,b,c,d,e", "--k", "2", "-o", "out.json", "--force")
        result = sorted(json.loads(Path("out.json").read_text()), key=lambda row: str(row["a"]))
        assert [row["a"] for row in result] == ["1.10", "1E2"]
        assert [row["b"] for row in result] == [1.5, 2]
        assert [row["c"] for row in result] == [row["c"] for row in rows]
        assert [str(row["d"]) for row in result] == ["12345678901234567890123", "1"]
        assert result[0]["e"] == rows[0]["e"] or result[0]["e"] == [1, {"f": "x"}]


# Rows


@pytest.mark.slow("0.7 s a case", but=(0, 3, 6, 8, 12))
@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("zip,b\n#1,x\n#1,y\n2,z\n", 3),
        ("zip\n1\n\n1\n\n", 4),  # an empty line is a value of the only column
        ("\n\nzip,b\n1,2\n\n3,4\n", 2),
        ("zip,b\r\n1,2\r\n3,4", 2),
        ("\ufeffzip,b\n1,2\n", 1),
        ('\ufeff"zip","b"\n1,2\n', 1),
        ("1,zip\n2,3\n4,5\n", 2),  # a header that looks like data
        ('"zip","last, first"\n"a","b\nc"\n', 1),
        ('"x\ny",zip\n1,2\n', 1),
        ("zip;last, first\n1;a, b\n2;c, d\n", 2),
        ("zip|a\n1|2\n", 1),
        ("zip," + ",".join(f"c{i}" for i in range(200)) + "\n" + ",".join("1" * 201) + "\n", 1),
        ("zip,b\n" + "".join(f'{i},"x\ny"\n' for i in range(5000)), 5000),
    ],
)
def test_every_row_is_read(folder: Path, text: str, rows: int) -> None:
    Path("in.csv").write_text(text, "utf-8", newline="")
    message = run("check", "in.csv", "--qi", "zip", "--k", "1000000").stderr
    assert f"with {rows:,} rows violate it" in message
    if len(text) < 1000:
        Path("in.csv.gz").write_bytes(gzip.compress(text.encode()))
        assert (
            f"with {rows:,} rows violate it"
            in run("check", "in.csv.gz", "--qi", "zip", "--k", "1000000").stderr
        )


SAME = "which are the same to SQL: rename one. Or have 'sqlanon init' write names for them"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"age,sex\n1,secret\n2\n", "in.csv, line 3: 1 fields, the header has 2"),
        (b"age,sex\n1,secret\n2,a,b\n", "in.csv, line 3: 3 fields, the header has 2"),
        (b"List\nage,sex\n1,m\n2,w\n",
         "in.csv, line 2: 2 fields, the header has 1 (line 1 before the header is left out by sqlanon init, "
         "and with its policy; by publish --only-table)"),
        (b"age,sex\n1,\x81secret\n",
         "in.csv, line 2: this is not UTF-8 text; say what it is: --encoding NAME"),
        (b'age,sex\n1,"secret\n2,a\n',
         "in.csv, line 2: a quote does not end, or one within a field is not doubled"),
        (b"age,sex\r\n1,secret\n2,a\r\n",
         "in.csv is not CSV as in RFC 4180: do all lines end in the same way?"),
        (b"", "in.csv is empty: it has no header"),
        (b"\n\n", "in.csv is empty: it has no header"),
        (b"age,Age\n1,2\n", f"in.csv has the columns age and Age, {SAME}"),
        (b"age,age\n1,2\n", f"in.csv has two columns age, {SAME}"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_file_is_told_without_its_data(folder: Path, content: bytes, message: str) -> None:
    Path("in.csv").write_bytes(content)
    assert refused(3, "check", "in.csv", "--qi", "age", "--k", "2") == message


def test_a_name_that_does_not_fit_its_file(folder: Path) -> None:
    for name in ("in.parquet", "in.data"):
        Path(name).write_text("age\n1\n")
    assert refused(3, "check", "in.parquet", "--qi", "age").startswith(
        "in.parquet cannot be read as Parquet: "
    )
    told = refused(2, "check", "in.data", "--qi", "age")
    assert told.endswith("; the end of its name has to say what is in it")


def test_columns_that_differ_in_case_only_are_refused_in_every_format(folder: Path) -> None:
    Path("in.json").write_text('[{"age": 1, "Age": 2}]')
    pq.write_table(pa.table([[1], [2]], names=["age", "Age"]), "in.parquet")
    for name in ("in.json", "in.parquet"):
        assert "which are the same to SQL" in refused(3, "check", name, "--qi", "Age", "--k", "1")
    Path("fine.json").write_text('[{"age": 1, "age_1": 2}]')
    pq.write_table(pa.table([[1], [2]], names=["age", "age_1"]), "fine.parquet")
    for name in ("fine.json", "fine.parquet"):
        assert run("check", name, "--qi", "age_1", "--k", "1").exit_code == 0


# Threads


def threads(session: Session) -> int:
    [(number,)] = session.con.execute("select current_setting('threads')").fetchall()
    return int(number)


@pytest.mark.parametrize("name", ["large.csv", "small.csv.gz", "small.parquet"])
def test_a_session_has_one_thread_until_it_reads_what_may_be_large(folder: Path, name: str) -> None:
    Path("small.csv").write_text(ROWS)
    Path("large.csv").write_text(ROWS + "30,d0\n" * (SMALL_TEXT // 6))
    with gzip.open("small.csv.gz", "wt") as file:
        file.write(ROWS)
    pq.write_table(pa.table({"age": [1]}), "small.parquet")
    with Session() as session:
        all_of_them = threads(session)
    with Session(small=True) as session:
        session.read("small.csv")
        assert threads(session) == 1
        session.read(name)
        assert threads(session) == all_of_them


def test_a_database_is_small_by_its_size_or_if_there_is_none(folder: Path) -> None:
    assert is_small_database(Path("register.duckdb"))
    with Path("register.duckdb").open("wb") as file:
        file.truncate(SMALL_DATABASE)
        assert is_small_database(Path("register.duckdb"))
        file.truncate(SMALL_DATABASE + 1)
        assert not is_small_database(Path("register.duckdb"))


# Ends


def is_open(con: duckdb.DuckDBPyConnection) -> bool:
    try:
        return con.execute("select true").fetchall() == [(True,)]
    except duckdb.ConnectionException:
        return False


def test_a_session_is_closed_unless_its_process_ends(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Session() as session:
        pass
    assert not is_open(session.con)
    left: list[object] = []
    monkeypatch.setattr(ending, "with_the_process", left)
    with Session() as session:
        pass
    assert is_open(session.con)
    assert left == [session.con]
    assert not session.folder.exists()
    session.con.close()


@pytest.mark.parametrize("what", ["a database", "a file that was spilled", "a transaction that failed"])
def test_what_is_not_in_memory_alone_is_closed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    left: list[object] = []
    monkeypatch.setattr(ending, "with_the_process", left)
    with Session() as session:
        match what:
            case "a database":
                session.con.execute(
                    "attach 'clinic.duckdb' as clinic; create table clinic.people as select 1"
                )
            case "a file that was spilled":
                (session.folder / "spilled").touch()
            case _:
                session.con.execute("attach 'clinic.duckdb' as clinic; begin")
                with pytest.raises(duckdb.Error):
                    session.con.execute("select error('no')")
    assert not left
    assert not is_open(session.con)
    assert {path.name for path in folder.iterdir()} <= {"clinic.duckdb"}  # and no log beside it


@pytest.mark.slow("2 s")
def test_a_process_ends_with_all_that_it_has_said(folder: Path) -> None:
    Path("people.csv").write_text(ROWS)
    for arguments in (
        ["check", "people.csv", "--qi", "age", "--k", "4"],
        ["check", "people.csv", "--qi", "age", "--k", "5"],
        ["check", "people.csv", "--qi", "name", "--k", "2"],
        ["check", "people.csv", "--nonsense"],
    ):
        done = subprocess.run(
            [sys.executable, "-m", "sqlanon", *arguments], capture_output=True, text=True, check=False
        )
        told = run(*arguments)
        assert (done.returncode, done.stdout) == (told.exit_code, told.stdout)
        assert done.stderr.splitlines()[-1:] == told.stderr.splitlines()[-1:]
