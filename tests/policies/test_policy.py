"""Policies: what they may say, what is wrong with those that are wrong, and that they are carried out."""

from __future__ import annotations

import _thread
import hashlib
import re
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pandas as pd
import pytest

import sqlanon
import sqlanon.policies
from sqlanon.core.errors import InputError
from sqlanon.macros.requirements import Requirements
from sqlanon.policies import sandbox, schema
from sqlanon.policies.allowed_sql import refuse_unfit
from sqlanon.policies.parsing import Spelling, parameters_of
from tests.cli.test_cli import HOSTILE, NO_VARIABLES, executed, ok, query, refused, rows, run
from tests.cli.test_cli import folder as folder  # a fixture

ROOT = Path(__file__).resolve().parents[2]

POLICY = """
[roles]
identifier = ["name"]
qi = ["age", "zip"]
sensitive = ["disease"]

[hierarchies.zip]
builder = "mask"

[requirements]
k = 2
"""

RELEASED = {"age", "zip", "disease"}
ANONYMIZE = ("anonymize", "people.csv", "--policy", "policy.toml")


@pytest.fixture
def policy(folder: Path) -> Path:
    """policy.toml, for people.csv."""
    path = folder / "policy.toml"
    path.write_text(POLICY)
    return path


def header(text: str) -> list[str]:
    return text.splitlines()[0].split(",")


# What a policy does


@pytest.mark.parametrize("said", ['missing = ["n/a"]', 'missing_in.ill = ["n/a"]'])
def test_what_means_missing_is_no_second_value_from_python(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, said: str
) -> None:
    rules = tmp_path / "p.toml"
    rules.write_text(f'[roles]\nqi = ["age"]\nsensitive = ["ill"]\n[input]\n{said}\n'
                     "[requirements]\nk = 2\nl = 2\n")  # fmt: skip
    con.execute("create table t as select 1 as age, unnest(['flu', 'n/a', 'flu', 'n/a ']) as ill")
    with pytest.raises(sqlanon.InputError, match="missing: 2 rows of ill have a text that means missing"):
        sqlanon.policies.load(rules).run(con, "t")
    con.execute("update t set ill = nullif(trim(ill), 'n/a')")
    with pytest.raises(sqlanon.InputError, match="as one class reaches 1 in distinct l-diversity"):
        sqlanon.policies.load(rules).run(con, "t")


@pytest.mark.slow("1 s")
def test_a_policy_says_what_options_would(policy: Path) -> None:
    Path("zip.csv").write_text("02138;0213*;021**;02***;0****;*\n02139;0213*;021**;02***;0****;*\n"
                               "13012;1301*;130**;13***;1****;*\n"
                               "13053;1305*;130**;13***;1****;*\n")  # fmt: skip
    options = ["--qi", "age,zip", "--sensitive", "disease", "--k", "2", "--hierarchy", "zip=zip.csv"]
    assert rows(ok(*ANONYMIZE)) == rows(ok("anonymize", "people.csv", *options))


@pytest.mark.slow("1 s")
def test_a_policy_runs_from_python_as_from_the_shell(policy: Path, con: duckdb.DuckDBPyConnection) -> None:
    con.execute("create table people as from read_csv('people.csv')").fetchall()
    done = sqlanon.policies.load("policy.toml").run(con, "people", into="release")
    assert Counter(con.execute("from release").fetchall()) == Counter(
        (age, zip_code, disease) for age, zip_code, disease in list(rows(ok(*ANONYMIZE)))[1:]
    )
    assert done.parameters["k"] == 2
    assert done.parameters["policy"] == {
        "sqlanon_version": sqlanon.__version__,
        "sqlanon_policy": "policy.toml",
        "sqlanon_policy_sha256": hashlib.sha256(policy.read_bytes()).hexdigest(),
    }
    assert con.execute("select table_name from duckdb_tables() where temporary").fetchall() == []


@pytest.mark.slow("0.3 s")
def test_a_policy_runs_on_a_data_frame(policy: Path, con: duckdb.DuckDBPyConnection) -> None:
    people = pd.DataFrame(
        {"age": [1, 1, 2, 2], "zip": ["1", "2"] * 2, "disease": ["a"] * 4, "name": ["x"] * 4}
    )
    release = sqlanon.policies.load(policy).run(con, people)
    assert release.rows == 4
    assert release.relation(con).columns == ["age", "zip", "disease"]


@pytest.mark.slow("0.6 s")
@pytest.mark.parametrize(
    ("hierarchy", "released"),
    [
        ('builder = "mask"', {"0213*", "130**"}),
        ('builder = "flat"', {"02138", "02139", "13012", "13053", "*"}),
        ('file = "sub/zip.csv"', {"east", "west"}),
        ('file = "sub/zip.txt"\nseparator = "|"', {"east", "west"}),
        ('file = "sub/zips.csv"', {"east", "west"}),
        ('file = "sub/zips.csv"\nheader = true\nseparator = ","', {"east", "west"}),
        ("""sql = \'\'\'select zip as value, unnest([0, 1, 2]) as level,
                      unnest([zip, if(zip < '1', 'east', 'west'), '*']) as label
                      from source\'\'\'""", {"east", "west"}),
        ('values = { 02138 = ["east", "*"], 02139 = ["east", "*"], 13012 = ["west", "*"], 13053 = '
         '["west", "*"] }',
         {"east", "west"}),
    ],
)  # fmt: skip
def test_the_ways_to_give_a_hierarchy(policy: Path, hierarchy: str, released: set[str]) -> None:
    lines = "02138;east;*\n02139;east;*\n13012;west;*\n13053;west;*\n"
    Path("sub").mkdir()
    Path("sub/zip.csv").write_text(lines)
    Path("sub/zip.txt").write_text(lines.replace(";", "|"))
    Path("sub/zips.csv").write_text("zip,coast,all\n" + lines.replace(";", ","))
    policy.write_text(
        POLICY.replace('builder = "mask"', hierarchy).replace('"age", ', "").replace("k = 2", "k = 4")
    )
    result = {row[0] for row in rows(ok(*ANONYMIZE))} - {"zip"}
    assert result
    assert result <= released


def with_sql(label: str) -> str:
    """A policy whose query labels each value with an expression."""
    query = f"select zip as value, unnest([0, 1]) as level, unnest([zip, {label}]) as label from source"
    return POLICY.replace('builder = "mask"', f'sql = """{query}"""')


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("name", 'unknown column "name"'),
        ("(select any_value(name) from people)", 'unknown table "people"'),
        ("(select any_value(name) from 'people.csv')", "Permission Error: Cannot access file"),
        ("(select content from read_text('secret.key'))", "Permission Error: Cannot access file"),
        ("(select file from glob('*'))", "Permission Error: Cannot access file"),
        ("(select any_value(name) from duckdb_secrets())", "the table function duckdb_secrets()"),
        ("getenv('SQLANON_KEY')", "Catalog Error: Scalar Function with name getenv does not exist"),
        ("(select any_value(x) from frame)", 'unknown table "frame"'),
        ("x'); attach 'people.csv", "Parser Error"),
        ("'a'], [1]) as label from source; copy source to 'out.csv", "Parser Error"),
    ],
)
def test_the_sql_of_a_policy_sees_one_column_and_nothing_else(
    policy: Path, con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch, label: str, message: str
) -> None:
    monkeypatch.setenv("SQLANON_KEY", "0123456789abcdef0123456789abcdef")
    Path("secret.key").write_text("a secret of at least 16 bytes")
    policy.write_text(with_sql(label))
    frame = pd.DataFrame({"x": ["a secret"]})
    people = con.sql("from read_csv('people.csv')").df()
    before = sorted(Path().iterdir())
    with pytest.raises(sqlanon.InputError, match=r"policy\.toml: hierarchies\.zip: ") as raised:
        sqlanon.policies.load("policy.toml").run(con, people)
    assert message in str(raised.value)
    assert 'reads nothing but the table source, which has one value of "zip" at a time' in str(raised.value)
    assert "0123456789abcdef" not in str(raised.value)
    assert sorted(Path().iterdir()) == before
    assert con.execute("select table_name from duckdb_tables() where temporary").fetchall() == []
    del frame


@pytest.fixture(scope="module")
def zips() -> Iterator[duckdb.DuckDBPyConnection]:
    """A table zips, with the columns zip, and mood, of a type that names a value no row has."""
    with duckdb.connect() as connection:
        connection.execute("""create table zips as select zip, zip::enum('13', '14', 'nobody') as mood
            from unnest(['13', '14', null]) as t(zip)""").fetchall()
        yield connection


def labels(con: duckdb.DuckDBPyConnection, label: str, column: str = "zip") -> dict[str, str]:
    """What a policy's query labels each value with."""
    query = f"select {column} as value, 1 as level, ({label})::varchar as label from source"
    values, _, made = sandbox.entries(con, "zips", column, query)
    return dict(zip(values, made, strict=True))


@pytest.mark.parametrize(
    "seen",
    [
        "select string_agg(zip) from source",
        "select string_agg(zip) from (from source where zip is not null)",
        "string_agg(zip) over ()",
        "(select list(zip) from source)",
        "if('13' in (select zip from source), '13', '') || if('14' in (select zip from source), '14', '')",
        "select string_agg(other.zip) from source as other where other.zip >= all (select zip from source)",
        "select max(zip) from (select zip from source union all select zip from source)",
        "with recursive r as (select zip from source union select zip from r) select string_agg(zip) from r",
    ],
)
def test_a_label_is_made_of_its_value_alone(zips: duckdb.DuckDBPyConnection, seen: str) -> None:
    made = labels(zips, f"concat({seen.join('()')})")
    assert {value: "".join(re.findall(r"\d+", label)) for value, label in made.items()} == {
        "13": "13", "14": "14", None: "",
    }  # fmt: skip


def test_what_a_query_says_of_other_values_is_left_out(zips: duckdb.DuckDBPyConnection) -> None:
    """Constants come from the run of their own value."""
    crossed = """select other as value, 0 as level, other || ' with ' || zip as label
                 from source, unnest(['13', '14', '15']) as t(other)"""
    assert sandbox.entries(zips, "zips", "zip", crossed) == [
        ["13", "14"], [0, 0], ["13 with 13", "14 with 14"]
    ]  # fmt: skip


@pytest.mark.parametrize("call", ["enum_range(mood)", "typeof(mood)", "mood"])
def test_the_type_of_an_enumeration_is_not_told(zips: duckdb.DuckDBPyConnection, call: str) -> None:
    try:
        made = str(labels(zips, call, "mood"))
    except sqlanon.InputError as error:
        made = str(error)
    assert "nobody" not in made


REFUSED = {
    "select any_value(value) from duckdb_settings()": "the table function duckdb_settings()",
    "select any_value(platform) from pragma_platform()": "the table function pragma_platform()",
    "select any_value(library_version) from pragma_version()": "the table function pragma_version()",
    "select count(*) from duckdb_tables()": "the table function duckdb_tables()",
    "select any_value(v) from query('select version() as v')": "the table function query()",
    "select count(*) from query_table('source')": "the table function query_table()",
    "select count(*) from information_schema.tables": "the table information_schema.tables",
    "with s as (from duckdb_databases) select string_agg(path) from s": "the table duckdb_databases",
    "with s as (from duckdb_views), duckdb_views as (select 1) select count(*) from s":
        "the table duckdb_views",
    "select string_agg(max) from (summarize source)": "show, describe or summarize",
    "select count(*) from (show databases)": "show, describe or summarize",
    "current_setting('threads')": "the function current_setting()",
    "getvariable('x')": "the function getvariable()",
    "version()": "the function version()",
    "system.main.VERSION()": "the function version()",
    "current_database()": "the function current_database()",
    "current_schema()": "the function current_schema()",
    "json_serialize_plan('select 1')": "the function json_serialize_plan()",
    "get_block_size('memory')": "the function get_block_size()",  # a macro that asks pragma_database_size
    "now()": "the function now()",
    "today()": "the function today()",
    "get_current_timestamp()": "the function get_current_timestamp()",
    "transaction_timestamp()": "the function transaction_timestamp()",
    "current_date": "current_date (a column of that name is written source.name)",
    "localtimestamp": "localtimestamp (",
    "user": "user (",
    "age(date '2000-01-01')": "age() of one time, which is up to today",
    "random()": "the function random()",
    "uuid()": "the function uuid()",
    "list_transform([zip], lambda x: x || random())": "the function random()",
    "select string_agg(zip order by random()) from source": "the function random()",
    "select string_agg(zip) from source using sample 50%": "a sample",
    "select string_agg(zip) from (from source tablesample 50%)": "a sample",
}  # fmt: skip


@pytest.mark.parametrize("label", REFUSED)
def test_what_tells_more_than_a_value_is_refused_by_name(zips: duckdb.DuckDBPyConnection, label: str) -> None:
    with pytest.raises(sqlanon.InputError) as raised:
        labels(zips, label)
    assert f"the query has {REFUSED[label]}" in str(raised.value)


def test_every_function_that_answers_differently_is_refused(zips: duckdb.DuckDBPyConnection) -> None:
    """As the catalog has it, and the functions that name a catalog, a setting or a file. (What is made of a
    time with a zone depends on the zone alone.)"""
    functions = zips.execute("""
        select distinct lower(function_name) from duckdb_functions()
        where stability <> 'CONSISTENT' and function_name <> 'error' and not coalesce(
                len(parameter_types) > 0 and (
                    return_type like '%WITH TIME ZONE%' or return_type like '%TIMESTAMPTZ%' or
                    parameter_types::varchar like '%WITH TIME ZONE%'
                    or parameter_types::varchar like '%TIMESTAMPTZ%'), false)
            or function_type like 'table%' and regexp_matches(function_name, '^(duckdb|pragma|read|pg)_')
    """).fetchall()
    assert len(functions) > 60
    for (name,) in functions:
        with pytest.raises(sqlanon.InputError, match=re.escape(f"{name}()")):
            refuse_unfit(zips, f"select {name}() from source", "source")


@pytest.mark.parametrize(
    ("label", "made"),
    [
        ("zip[:1] || '*'", "1*"),
        ("case when zip like '1%' then 'one' when zip is null then 'none' else error('?') end", "one"),
        ("split_part(regexp_replace(zip, '3', '-'), '-', 1)", "1"),
        ("format('{}', zip::int // 10 * 10)", "10"),
        ("select n from (values ('13', 'a'), ('14', 'b')) as t(z, n) where z = zip", "a"),
        (
            "with s as (from source), t as (from s) select zip || (select count(*) from range(3)) from t",
            "133",
        ),
        ("age(date '2020-02-01', date '2020-01-01')", "1 month"),
        (
            "strftime(date_trunc('month', date '2020-02-03') + interval 1 day, '%d%Y')",
            "022020",
        ),
        ("hour(timestamptz '2020-02-03 04:05:06')", "4"),
        ("list_aggregate([x || '' for x in [zip]], 'string_agg')", "13"),
    ],
)
def test_what_a_label_is_made_of_usually(zips: duckdb.DuckDBPyConnection, label: str, made: str) -> None:
    assert labels(zips, label)["13"] == made


@pytest.mark.slow("0.9 s")
def test_the_sql_of_a_policy_sees_distinct_values_in_the_type_of_their_column(
    policy: Path, con: duckdb.DuckDBPyConnection
) -> None:
    policy.write_text(
        POLICY.replace(
            'builder = "mask"',
            """sql = '''select zip as value, unnest([0, 1]) as level, unnest([strftime(zip, '%Y-%m-%d'),
            (select count(*) || ' value of ' || any_value(typeof(zip)) from source)]) as label
            from source'''""",
        ).replace('"age", ', "")
    )
    con.execute("""create table people as
        select date '2020-01-01' + (range % 4)::integer as zip, 'flu' as disease, range as name
        from range(12)""").fetchall()
    con.execute(
        "create table everybody as select distinct date '2020-01-01' + (range % 5)::integer as zip "
        "from range(12)"
    )
    label = "select distinct zip from release"
    policy.write_text(
        policy.read_text().replace("k = 2", "k = 4") + '[method]\nname = "generalize"\nlevels = {zip = 1}'
    )
    loaded = sqlanon.policies.load("policy.toml")
    loaded.run(con, "people", into="release")
    assert con.execute(label).fetchall() == [("1 value of DATE",)]
    loaded.run(con, "people", population="everybody", into="release", replace=True)
    assert con.execute(label).fetchall() == [("1 value of DATE",)]


@pytest.mark.slow("0.5 s")
def test_the_sql_of_a_policy_can_be_interrupted(policy: Path, con: duckdb.DuckDBPyConnection) -> None:
    endless = "(select sum(a.range * b.range)::text from range(10000000) as a, range(10000000) as b)"
    policy.write_text(with_sql(endless))
    loaded = sqlanon.policies.load("policy.toml")
    people = con.sql("from read_csv('people.csv')").df()
    done = threading.Event()

    def press_ctrl_c() -> None:  # again, if the first one came to nothing
        pause = 0.5
        while not done.wait(pause):
            _thread.interrupt_main()
            pause = 20

    before = signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # ignored where tests run in the background
    keyboard = threading.Thread(target=press_ctrl_c)
    keyboard.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            loaded.run(con, people)
    finally:
        done.set()
        keyboard.join()
        signal.signal(signal.SIGINT, before)
    assert con.execute("select table_name from duckdb_tables() where temporary").fetchall() == []


@pytest.mark.slow("0.5 s")
def test_the_sql_of_a_policy_is_for_a_run(policy: Path) -> None:
    policy.write_text(with_sql("'*'"))
    message = "policy.toml: hierarchies.zip.sql is for a run, not for a statement"
    assert refused(2, *ANONYMIZE, "--sql") == message
    assert refused(2, "utility", "people.csv", "people.csv", "--policy", "policy.toml", "--sql") == message


@pytest.mark.slow("1.0 s")
def test_the_files_of_a_policy_are_beside_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("policies").mkdir()
    Path("policies/zip.csv").write_text("02138;e;*\n02139;e;*\n13012;w;*\n13053;w;*\n")
    policy = POLICY.replace('builder = "mask"', 'file = "zip.csv"').replace('"age", ', "")
    Path("policies/policy.toml").write_text(policy)
    assert ok("anonymize", "people.csv", "--policy", "policies/policy.toml")
    # but what an option names is looked for where the command runs
    Path("other.csv").write_text("02138;*\n02139;*\n13012;*\n13053;*\n")
    text = ok("anonymize", "people.csv", "--policy", "policies/policy.toml", "--hierarchy", "ZIP=other.csv")
    assert {row[0] for row in rows(text)} <= {"zip", "*", "02138", "02139", "13012", "13053"}


@pytest.mark.slow("half a second a case")
@pytest.mark.parametrize("builder", ['"interval"\nwidths = [10, 20]\norigin = 1', '"date"\nunits = ["year"]'])
def test_builders_have_their_parameters(folder: Path, builder: str) -> None:
    Path("p.csv").write_text(
        "a\n2020-01-01\n2020-05-05\n2021-01-01\n2021-05-05\n" if "date" in builder else "a\n11\n20\n31\n40\n"
    )
    Path("policy.toml").write_text(
        f"[roles]\nqi = ['a']\n[requirements]\nk = 2\n[hierarchies.a]\nbuilder = {builder}"
    )
    result = rows(ok("anonymize", "p.csv", "--policy", "policy.toml"))
    labels = ("2020", "2021") if "date" in builder else ("[11, 20]", "[31, 40]")
    assert result == Counter([("a",), *((label,) for label in labels * 2)])


@pytest.mark.slow("0.6 s")
def test_columns_of_any_name_are_in_policies(folder: Path) -> None:
    Path("odd.csv").write_text(
        ",".join('"' + name.replace('"', '""') + '"' for name in HOSTILE) + "\n" + "1,2,3,4,5,6,7\n" * 4
    )
    names = [schema.shown(name) for name in HOSTILE]
    hierarchies = "".join(
        f"[hierarchies.{name}]\nvalues = {{ {i} = ['*'] }}\n" for i, name in enumerate(names[:-1], 1)
    )
    Path("policy.toml").write_text(
        f"[roles]\nqi = [{', '.join(names[:-1])}]\nkeep = [{names[-1]}]\n[requirements]\nk = 2\n{hierarchies}"
    )
    text = ok("anonymize", "odd.csv", "--policy", "policy.toml")
    assert rows(text)[tuple("1234567")] == 4


@pytest.mark.slow("0.5 s")
def test_what_a_policy_leaves_open_is_told(policy: Path) -> None:
    """Columns in no role, which are not released, and bounds on attacks, which are made elsewhere."""
    policy.write_text(POLICY.replace('identifier = ["name"]', "") + "[tolerated.homogeneity]\ncertain = 0\n")
    result = run(*ANONYMIZE)
    assert set(header(result.stdout)) == RELEASED
    assert "not released, in no role: name\n" in result.stderr
    assert "no attack was made: what is tolerated is for publish and report\n" in result.stderr


@pytest.mark.slow("0.7 s")
def test_the_example(folder: Path) -> None:
    query("""copy (select 'person ' || i as name, 20 + i % 40 as age, (13000 + i % 7)::text as zip,
                          ['school', 'apprenticeship', 'bachelor', 'master'][1 + i % 4] as education,
                          ['flu', 'cold', 'cancer'][1 + i % 3] as disease, i as visit
                   from range(300) as t(i)) to 'sick.csv'""")
    text = ok("anonymize", "sick.csv", "--policy", str(ROOT / "examples" / "policy.toml"))
    assert header(text) == ["age", "zip", "education", "disease", "visit"]


METHODS = {
    "mondrian": "relaxed = true",
    "generalize": "levels = { AGE = 1, zip = 1 }\nsuppression_limit = 0.5",
    "optimal": 'measure = "loss"\nlocal_recoding = true\nweights = { age = 2 }\nmax_levels = { zip = 1 '
    "}\ntime_limit = 60",
    "samarati": "suppression_limit = 0.25",
    "datafly": "suppression_limit = 0.25",
    "mu_argus": "size = 2",
    "microaggregate": 'algorithm = "vmdav"\ngamma = 1.1\ncenter = "median"',
    "k_similar": 'algorithm = "vmdav"\ngamma = 1.1',
    "anatomize": "",
}


@pytest.mark.slow("2.2 s")
def test_what_a_hierarchy_lacks_is_its_top_if_asked_for(folder: Path) -> None:
    """Also in the statement that is printed. Otherwise it is an error."""
    Path("towns.csv").write_text("town\nBern\nBern\nRome\nOslo\nRome\nOslo\n")
    Path("hierarchy.csv").write_text("Bern;CH;*\nRome;IT;*\n")
    file = Path("towns.toml")
    text = (
        '[roles]\nqi = ["town"]\n[hierarchies.town]\nfile = "hierarchy.csv"\n[requirements]\nk = 2\n'
        '[method]\nname = "generalize"\nlevels = { town = 1 }\n'
    )
    file.write_text(text)
    message = refused(3, "anonymize", "towns.csv", "--policy", "towns.toml")
    assert "the hierarchy of column town lacks a value" in message
    file.write_text(text + "[input]\ncomplete_hierarchies = true\n")
    done = run("anonymize", "towns.csv", "--policy", "towns.toml")
    assert Counter(done.stdout.split()[1:]) == {"CH": 2, "IT": 2, "*": 2}
    assert "the hierarchy of town lacks 1 value, of 2 rows" in done.stderr
    statement = ok("sql", "generalize", "towns.csv", "--policy", "towns.toml")
    assert "sqlanon.complete_hierarchies(" in statement
    Path("out.csv").write_text(done.stdout)
    counted = run("utility", "towns.csv", "out.csv", "--policy", "towns.toml")
    assert counted.exit_code == 0, counted.stderr
    Path("targets.csv").write_text("id,town,own\n1,Oslo,a\n2,Bern,b\n")
    Path("released.csv").write_text("town,own\n*,a\nCH,b\n")
    attack = ("attack", "released.csv", "--targets", "targets.csv", "--id", "id", "--sensitive", "own")
    assert run(*attack, "--policy", "towns.toml").exit_code == 0
    assert "No such option" in refused(2, "init", "towns.csv", "--complete-hierarchies")


def test_methods_that_need_no_other_release() -> None:
    assert METHODS.keys() | {"recode"} == set(schema.METHODS)


@pytest.mark.slow("1.2 s a case")
@pytest.mark.parametrize("method", METHODS)
def test_every_method_runs(policy: Path, method: str) -> None:
    text = (
        POLICY.replace('builder = "mask"', 'builder = "flat"')
        + f'[method]\nname = "{method}"\n{METHODS[method]}'
    )
    if method in ("mu_argus", "anatomize"):  # they take no hierarchies
        text = text.replace('[hierarchies.zip]\nbuilder = "flat"', "")
    policy.write_text(text.replace("k = 2", "l = 2") if method == "anatomize" else text)
    ok(*ANONYMIZE, "-o", "out.csv")
    assert ok("check", "out.csv", "--qi", "age,zip", "--k", "1") is not None
    assert set(header(Path("out.csv").read_text())) - {"bucket"} == RELEASED


@pytest.mark.slow("a whole policy")
def test_a_population_is_a_file_beside_the_policy(policy: Path, con: duckdb.DuckDBPyConnection) -> None:
    Path("all").mkdir()
    lines = Path("people.csv").read_text().splitlines()
    strangers = [line.replace("0213", "9913").replace("1", "2") for line in lines[1:]]  # with other values
    Path("all/people.csv").write_text("\n".join([*lines, *lines[1:], *strangers]) + "\n")
    with duckdb.connect("all/people.duckdb", config=NO_VARIABLES) as file:
        file.execute("create table everybody as from 'all/people.csv'").fetchall()
    text = POLICY + '[method]\nname = "samarati"\n'
    Path("all/policy.toml").write_text(text.replace("k = 2", 'k_map = 4\npopulation = "people.csv"'))
    Path("all/other.toml").write_text(
        text.replace("k = 2", 'k_map = 4\npopulation = "people.duckdb::everybody"')
    )
    for name in ("policy", "other"):
        command = ["anonymize", "people.csv", "--policy", f"all/{name}.toml"]
        result = run(*command)
        assert result.exit_code == 0, result.stderr
        assert "k-map 4" in result.stderr
        assert Counter(executed(ok(*command, "--sql"))) == Counter(list(rows(result.stdout).elements())[1:])
    con.execute("create table people as from read_csv('people.csv')").fetchall()
    assert sqlanon.policies.load("all/policy.toml").run(con, "people").reached["k-map"] >= 4
    other = sqlanon.policies.load("all/other.toml")
    with pytest.raises(sqlanon.InputError, match=r"attach the database of all/people.duckdb::everybody"):
        other.run(con, "people")
    con.execute("attach 'all/people.duckdb' as registry").fetchall()
    assert other.run(con, "people", population="registry.everybody").reached["k-map"] >= 4


# Options in place of keys


@pytest.mark.slow("0.4 s")
def test_options_stand_in_place_of_keys(policy: Path) -> None:
    policy.write_text(POLICY + "[output]\nseed = 1\n")
    result = run(*ANONYMIZE, "--k", "4", "--keep", "name")
    assert result.exit_code == 2
    assert result.stderr == "error: --keep: column name is in roles.identifier already, and has one role\n"
    result = run(*ANONYMIZE, "--k", "4", "--qi", "age")  # the hierarchy of zip is not needed then
    assert header(result.stdout) == ["age", "disease"]
    assert "k-anonymity 4" in result.stderr
    assert "sqlanon_options: --k --qi" in result.stderr
    assert "not released, in no role: zip" in result.stderr


@pytest.mark.slow("half a second")
def test_an_option_is_named_as_an_option(policy: Path) -> None:
    assert refused(2, *ANONYMIZE, "--qi", "agee").startswith("--qi: there is no column agee in people.csv")
    assert refused(2, *ANONYMIZE, "--hierarchy", "age=no.csv") == "--hierarchy age: there is no file no.csv"
    assert refused(2, *ANONYMIZE, "--recursive-c", "2") == "--recursive-c needs requirements.l"


@pytest.mark.slow("0.5 s")
def test_another_method_comes_without_the_parameters_of_the_old(policy: Path) -> None:
    policy.write_text(POLICY + "[method]\nname = 'datafly'\nsuppression_limit = 0.5")
    assert "sqlanon_options: --method" in run(*ANONYMIZE, "--method", "k_similar").stderr
    message = refused(2, *ANONYMIZE, "--method", "k_similar", "--suppression-limit", "0.1")
    assert message.startswith("--suppression-limit is for mondrian, generalize, ")
    assert message.endswith(", not for k_similar")


# Where a release came from


@pytest.mark.slow("half a second")
def test_a_parquet_file_says_which_policy_it_came_from(policy: Path) -> None:
    assert "policy" not in run(*ANONYMIZE, "-o", "out.parquet").stderr
    notes = dict(query("select key::varchar, value::varchar from parquet_kv_metadata('out.parquet')"))
    assert notes == {
        "sqlanon_version": sqlanon.__version__,
        "sqlanon_policy": "policy.toml",
        "sqlanon_policy_sha256": hashlib.sha256(policy.read_bytes()).hexdigest(),
    }


@pytest.mark.slow("0.5 s")
@pytest.mark.parametrize(
    "before", [[], ["create table other (a integer)"], ["create table o'u't (a integer)"]]
)
def test_a_table_says_which_policy_it_came_from(policy: Path, before: list[str]) -> None:
    policy.rename("o'clock.toml")
    for statement in before:
        with duckdb.connect("out.duckdb") as con:
            con.execute(statement.replace("o'u't", "\"o'u't\"")).fetchall()
    ok(
        "anonymize",
        "people.csv",
        "--policy",
        "o'clock.toml",
        "-o",
        "out.duckdb::o'u't",
        "--force",
        "--k",
        "3",
    )
    with duckdb.connect("out.duckdb") as con:
        [(comment,)] = con.execute(
            "select comment from duckdb_tables() where table_name = 'o''u''t'"
        ).fetchall()
    sha = hashlib.sha256(POLICY.encode()).hexdigest()
    assert comment == (
        f"sqlanon_version: {sqlanon.__version__}, sqlanon_policy: o'clock.toml, "
        f"sqlanon_policy_sha256: {sha}, sqlanon_options: --k"
    )


@pytest.mark.slow("0.5 s")
@pytest.mark.parametrize("output", [[], ["-o", "out.csv"], ["-o", "out.json"]])
def test_what_holds_no_notes_is_remarked_on(policy: Path, output: list[str]) -> None:
    sha = hashlib.sha256(POLICY.encode()).hexdigest()
    assert f"sqlanon_policy: policy.toml, sqlanon_policy_sha256: {sha}\n" in run(*ANONYMIZE, *output).stderr


@pytest.mark.slow("0.5 s")
def test_without_a_policy_nothing_is_noted(folder: Path) -> None:
    ok("anonymize", "people.csv", "--qi", "age", "--k", "2", "-o", "out.parquet")
    assert query("from parquet_kv_metadata('out.parquet')") == []


@pytest.mark.slow("0.8 s")
@pytest.mark.parametrize("output", ["out.parquet", "out.duckdb::out", "in.duckdb::out"])
def test_the_printed_statement_writes_and_notes_the_same(policy: Path, output: str) -> None:
    with duckdb.connect("in.duckdb", config=NO_VARIABLES) as con:
        con.execute("create table people as from 'people.csv'").fetchall()
    executed(ok("anonymize", "in.duckdb::people", "--policy", "policy.toml", "--sql", "-o", output))
    if output == "out.parquet":
        assert len(query("from parquet_kv_metadata('out.parquet')")) == 3
    else:
        with duckdb.connect(output.partition("::")[0]) as con:
            [(comment,)] = con.execute(
                "select comment from duckdb_tables() where table_name = 'out'"
            ).fetchall()
        assert "policy.toml" in comment
    again = run("check", output, "--qi", "age,zip", "--k", "2")
    assert again.exit_code == 0, again.stderr


# What is wrong with a policy


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[roles]", "[rolse]", "rolse is not known; did you mean roles?"),
        ("[roles]", "qi = ['age']\n[roles]", "qi is not known; did you mean roles.qi?"),
        ("[roles]", "confirmed = 1\n[roles]",
         "confirmed must be true, false, or who has confirmed the roles, not 1"),
        ("[roles]", "confirmed = false\n[roles]",
         "confirmed = false: look at the role of every column, then write confirmed = true"),
        ("[roles]", "[direct]\ndisease = 5\n[roles]", "direct.disease must be a text, not 5"),
        ("[roles]", "[direct]\ndisease = ' '\n[roles]",
         "direct.disease is empty: say why the column may leave although it names people"),
        ("[roles]", "[direct]\ndisaese = 'why'\n[roles]",
         "direct.disaese: disaese is in none of roles.sensitive, roles.keep and masks; did you mean "
         "disease?"),
        ("[roles]", "[direct]\nname = 'why'\n[roles]",
         "direct.name: name is in none of roles.sensitive, roles.keep and masks"),
        ("[roles]", "[direct]\ndisease = 'a'\nDisease = 'b'\n[roles]",
         "direct.Disease: Disease has a reason already"),
        ("[roles]", "output = 5\n[roles]", "output must be a table, [output], not 5"),
        ("[roles]", "[tolerated]\nlinking = 5\n[roles]",
         "tolerated.linking must be a table of measure = number, not 5"),
        ("[roles]", "[tolerated]\nlinking.certain = -1\n[roles]",
         "tolerated.linking.certain must be at least 0, not -1"),
        ("qi =", "quasi_identifiers =",
         "roles.quasi_identifiers is not known; did you mean roles.identifier?"),
        ('qi = ["age", "zip"]', "",
         'roles.qi names no column: name the quasi-identifiers, such as ["age", "zip"]'),
        ('qi = ["age", "zip"]', "qi = []", "roles.qi names no column"),
        ('qi = ["age", "zip"]', 'qi = "age"', 'roles.qi must be a list of texts, not "age"'),
        ('qi = ["age", "zip"]', "qi = [1]", "roles.qi must be a list of texts, not [1]"),
        ('"age"', '"agee"', "roles.qi: there is no column agee in people.csv; did you mean age?"),
        ('"name"', '"naem"', "roles.identifier: there is no column naem in people.csv; did you mean name?"),
        ('"name"', '"AGE"', "roles.qi: column age is in roles.identifier already, and has one role"),
        ("k = 2", "kk = 2", "requirements.kk is not known; did you mean requirements.k?"),
        ("k = 2", "seed = 2", "requirements.seed is not known; did you mean output.seed?"),
        ("k = 2", "xyz123 = 2", "requirements.xyz123 is not known; known are k, "),
        ("k = 2", '"k\\u0007" = 2', 'requirements."k\\u0007" is not known; did you mean requirements.k?'),
        ("k = 2", 'k = "two"', 'requirements.k must be a whole number, not "two"'),
        ("k = 2", "k = 2.5", "requirements.k must be a whole number, not 2.5"),
        ("k = 2", "k = true", "requirements.k must be a whole number, not true"),
        ("k = 2", "k = 0", "requirements.k must be at least 1, not 0"),
        ("k = 2", "t = nan", "requirements.t must be at least 0, not nan"),
        ("k = 2", "t = 1.5", "requirements.t must be at most 1, not 1.5"),
        ("k = 2", "t = 0.5\nt_distance = 'order'",
         'requirements.t_distance must be one of equal, ordered, hierarchical, not "order"; did you mean '
         'ordered?'),
        ("k = 2", "", "requirements is empty: give a requirement, such as k = 5"),
        ("k = 2", "t_distance = 'equal'", "requirements is empty"),
        ("k = 2", "recursive_c = 2", "requirements.recursive_c needs requirements.l"),
        ("k = 2", "safety_c = 0.5", "requirements.safety_c needs requirements.safety_k"),
        ("k = 2", "safety_k = 0", "requirements.safety_k needs requirements.safety_c"),
        ("k = 2", "k_map = 2", "requirements.k_map needs requirements.population"),
        ("k = 2", "k_map = 2\npopulation = 'all.csv'", "requirements.population: there is no file all.csv"),
        ("[hierarchies.zip]", "[hierarchies.zipp]",
         "hierarchies.zipp: zipp is in neither roles.qi nor roles.sensitive"),
        ("[hierarchies.zip]", "[hierarchies.ZIP]\nbuilder = 'flat'\n[hierarchies.zip]",
         "hierarchies.zip: zip has a hierarchy already"),
        ("[hierarchies.zip]\nbuilder =", "[hierarchies]\nzip =",
         'hierarchies.zip must be a table, not "mask"'),
        ("builder =", "bulider =",
         "hierarchies.zip.bulider is not known; did you mean hierarchies.zip.builder?"),
        ('builder = "mask"', "widths = [1]",
         "hierarchies.zip must have one of values, file, sql, builder; it has none"),
        ('"mask"', '"mask"\nsql = "x"',
         "hierarchies.zip must have one of values, file, sql, builder; it has sql and builder"),
        ('"mask"', '"maks"', 'hierarchies.zip.builder must be one of interval, mask, date, icd10, flat, not '
                             '"maks"; did you mean mask?'),
        ('"mask"', '"mask"\nwidths = [1]', "hierarchies.zip.widths is not known; known are builder"),
        ('"mask"', '"interval"', "hierarchies.zip needs widths, such as widths = [5, 10, 20], or breaks"),
        ('"mask"', '"interval"\nwidths = ["a"]',
         'hierarchies.zip.widths must be a list of numbers, not ["a"]'),
        ('builder = "mask"', 'file = "no.csv"', "hierarchies.zip.file: there is no file no.csv"),
        ('builder = "mask"', "values = {}", "hierarchies.zip.values is empty"),
        ('builder = "mask"', "values = ['a']",
         'hierarchies.zip.values must be a table of value = list of labels, not ["a"]'),
        ("[requirements]", "[method]\nname = 'mondrain'\n[requirements]",
         'method.name must be one of mondrian, generalize, optimal, samarati, datafly, mu_argus, '
         'microaggregate, k_similar, anatomize, recode, not "mondrain"; did you mean mondrian?'),
        ("[requirements]", "[method]\nweights = {ages = 2}\n[requirements]",
         "method.weights: ages is not in roles.qi; did you mean age?"),
        ("[requirements]", "[method]\nsize = 2\n[requirements]",
         "method.size is for mu_argus, not for mondrian"),
        ("[requirements]", "[method]\ntarget = 'diseas'\n[requirements]",
         "method.target: diseas is in neither roles.sensitive nor roles.keep; did you mean disease?"),
        ("[requirements]", "[method]\nname = 'mu_argus'\n[requirements]", "hierarchies.zip is for mondrian"),
        ("[roles]", "[roles", "is not TOML: "),
        ("[roles]", "[roles]\nqi = ['a']", "is not TOML: Cannot overwrite a value"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(policy: Path, old: str, new: str, message: str) -> None:
    assert old in POLICY
    policy.write_text(POLICY.replace(old, new, 1))
    assert re.match(rf"policy\.toml:? {re.escape(message)}", refused(2, *ANONYMIZE))
    if "there is no column" not in message:
        with pytest.raises(sqlanon.InputError, match=re.escape(message)):
            sqlanon.policies.load("policy.toml")


def test_a_requirement_on_sensitive_columns_needs_one(policy: Path) -> None:
    policy.write_text(POLICY.replace('sensitive = ["disease"]', "").replace("k = 2", "l = 2"))
    assert refused(2, *ANONYMIZE) == "policy.toml: requirements.l needs roles.sensitive"


@pytest.mark.slow("1 s a case")
@pytest.mark.parametrize(
    ("hierarchy", "message"),
    [
        ('builder = "interval"\nwidths = [10]',
         "hierarchies.zip: interval_hierarchy: column \"zip\" is VARCHAR, not a number"),
        ('builder = "interval"\nwidths = [10, 15]',
         "hierarchies.zip: interval_hierarchy: every width must be a multiple"),
        ("sql = 'select 1 as value, 0 as level'", 'hierarchies.zip: '),
        ("sql = 'select 1; select 2'", "hierarchies.zip: Parser Error: Expected a single SELECT statement"),
        ("sql = 'from nowhere'", 'hierarchies.zip: unknown table "nowhere"'),
    ],
)  # fmt: skip
def test_a_hierarchy_that_cannot_be_made_is_named(policy: Path, hierarchy: str, message: str) -> None:
    policy.write_text(POLICY.replace('builder = "mask"', hierarchy))
    assert refused(3, *ANONYMIZE).startswith(f"policy.toml: {message}")


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "there is no file policy.toml"), (b"\xff", "policy.toml is not UTF-8 text")],
)
def test_a_policy_that_cannot_be_read(policy: Path, content: bytes | None, message: str) -> None:
    policy.unlink()
    if content is not None:
        policy.write_bytes(content)
    assert refused(2, *ANONYMIZE) == message


def test_a_folder_is_no_policy(folder: Path) -> None:
    assert refused(2, "anonymize", "people.csv", "--policy", ".").startswith(". cannot be read: ")


@pytest.mark.slow("0.5 s")
def test_a_policy_may_start_with_a_byte_order_mark(policy: Path) -> None:
    policy.write_bytes(b"\xef\xbb\xbf" + POLICY.encode())
    assert set(header(ok(*ANONYMIZE))) == RELEASED


@pytest.mark.slow("0.3 s")
def test_nothing_is_left_of_a_policy_that_fails(policy: Path) -> None:
    before = sorted(path.name for path in Path().iterdir())
    refused(3, *ANONYMIZE, "--k", "9", "-o", "out.parquet")
    assert sorted(path.name for path in Path().iterdir()) == before


# The schema


def test_every_parameter_of_a_method_is_a_key() -> None:
    known = {name for section in schema.SECTIONS.values() for name in section} | {"hierarchies"}
    # what is out already is known when a policy is run, not when it is written
    own = {"con", "source", "into", "sensitive_into", "replace", "progress", "known", "presence"}
    for method in schema.METHODS:
        assert parameters_of(method) - own - {"requirements"} <= known


def test_every_requirement_is_a_key_with_its_type() -> None:
    assert list(schema.REQUIREMENTS) == [
        *Requirements.__annotations__, "population", "population_weight", "known", "composed_confidence",
        "bcf_k", "profile", "average_risk", "records_at_risk", "risk_threshold", "sample_uniques",
        "population_uniques", "global_risk", "zip_populations",
    ]  # fmt: skip


@pytest.mark.slow("0.9 s")
def test_a_policy_recodes_by_a_scheme(tmp_path: Path) -> None:
    """It lies beside the policy, and keeps its types."""
    file = tmp_path / "policy.toml"
    text = '[roles]\nqi = ["age"]\n[requirements]\nk = 1\n[method]\nname = "recode"\n'
    file.write_text(text)
    with pytest.raises(sqlanon.InputError, match=r"recode needs method\.scheme"):
        sqlanon.policies.load(file)
    for scheme, message in (
        ("s.csv", "must be a .parquet file, not s.csv"),
        ("s.parquet", "there is no file"),
    ):
        file.write_text(f'{text}scheme = "{scheme}"\n')
        with pytest.raises(sqlanon.InputError, match=f"method.scheme:? {message}"):
            sqlanon.policies.load(file)
    with duckdb.connect() as con:
        con.execute(
            f"""copy (from (values (1, 'age', '<5', '04'), (2, 'age', '>=5', '5+'))
            as t(class_id, attribute, covers, label)) to '{tmp_path}/s.parquet'"""
        ).fetchall()
        con.execute("create table people as select unnest([3, 7]) as age").fetchall()
        release = sqlanon.policies.load(file).run(con, "people")
        assert sorted(con.table(release.table).fetchall()) == [("04",), ("5+",)]


def test_errors_of_macros_call_parameters_as_the_policy_does() -> None:
    def said(by: Spelling) -> str:
        message = "relaxed := true needs k := 5 and recoding := 'text': give known := ['a']; beside x := 1"
        with pytest.raises(InputError) as error, by.spelled():
            raise InputError(message)
        return str(error.value)

    in_file = Spelling(Path("p.toml"), frozenset({"requirements.k"}))
    wanted = 'relaxed = true needs --k 5 and recoding = "text": give known = "register"; beside x := 1'
    assert said(in_file) == wanted
    wanted = "--relaxed needs --k 5 and --recoding text: give --known a; beside x := 1"
    assert said(Spelling(None, frozenset())) == wanted
