"""First policies: what is guessed of columns,
and that their text is a policy which runs when it is confirmed.
"""

from __future__ import annotations

import math
import tomllib
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sqlanon.policies import schema
from sqlanon.policies.policy import load
from tests.cli.test_cli import HOSTILE, NO_VARIABLES, PEOPLE, ok, query, refused, run
from tests.cli.test_cli import folder as folder  # a fixture


def drafted(name: str = "people.csv") -> dict[str, Any]:
    """What the policy for a file says."""
    return tomllib.loads(ok("init", "--seconds", "0", name))


def guessed(definition: str) -> tuple[dict[str, str], dict[str, dict[str, Any]]]:
    """The roles and hierarchies of the columns of a query over 1000 rows, i from 0."""
    query(f"copy (select {definition} from range(1000) as t(i)) to 'guess.parquet'")
    result = drafted("guess.parquet")
    roles = {column: role for role, columns in result["roles"].items() for column in columns}
    return roles, result.get("hierarchies", {})


# Roles


@pytest.mark.slow("half a second")
def test_hierarchies_of_codes_of_diseases_and_of_ages(folder: Path) -> None:
    codes = "['J45.0 asthma', 'E11.9', 'I21.9', 'C50.9', 'unknown'][if(i < 50, 5, i % 4 + 1)]"
    query(f"copy (select {codes} as code2, i % 90 as age, {codes} as diagnosis from range(1000) as r(i)) "
          "to 'guess.parquet'")  # fmt: skip
    text = ok("init", "--seconds", "0", "guess.parquet").replace("code2", "reason")
    assert '[hierarchies.reason]\nbuilder = "icd10"' in text
    assert '# [hierarchies.diagnosis]\n# builder = "icd10"' in text
    assert "# or breaks = [18, 65, 90]: <18, [18, 64], [65, 89], >=90" in text


@pytest.mark.slow("half a second")
def test_the_roles_of_people(folder: Path) -> None:
    result = drafted()
    assert result["confirmed"] is False
    assert result["roles"] == {
        "identifier": ["name"],
        "qi": ["age", "zip"],
        "sensitive": ["disease"],
        "keep": [],
    }
    assert result["hierarchies"] == {
        "zip": {"builder": "mask"},
    }
    assert result["requirements"] == {"k": 5, "l": 2, "alpha": 0.75}
    assert result["method"] == {"name": "mondrian"}


ROLES = (
    ("i as number", "identifier"),
    ("i::varchar as code", "identifier"),
    ("uuid() as key", "identifier"),
    ("case when i < 950 then i else 0 end as nearly", "identifier"),
    ("case when i < 50 then i end as mostly_null", "identifier"),
    ("i % 2 as patient_id", "identifier"),
    ("'x' as EMail", "identifier"),
    ("'x' as lastName", "identifier"),
    ('i % 2 as "phone-number"', "identifier"),
    ("'x' || i || '@mail.org' as party_email", "identifier"),
    ("'DE89370400440532' || lpad((13000 + 97 * i)::varchar, 6, '0') as debt_iban", "identifier"),
    ("(100 + i % 800) || '-45-' || (1000 + i) as ssn_for_pay", "identifier"),
    ("i * 10 as cost", None),
    ("i as age", "qi"),
    ("i as birthYear", "qi"),
    ('i % 3 as "postal code"', "qi"),
    ("date '1990-01-01' + i::int as seen", "qi"),
    ("i % 100 as colour", "qi"),
    ("i % 2 = 0 as member", "qi"),
    ("(i % 3 || 'x')::varchar as club", "qi"),
    ("i % 50 as diagnosis_code", "sensitive"),
    ("i * 1.5 as monthlyIncome", "sensitive"),
    ("i as occupation", None),  # would be refused: every value is another one
    ("i % 300 as job_religion", "sensitive"),
    ("i / 7 as weight", None),  # nobody knows it of somebody else as exactly as this
    ("i % 500 as visits", None),
    ("'text' as constant", None),
    ("null::varchar as nothing", None),
    ("[i % 2] as list", None),
    ("{'age': i % 2} as struct", None),
    ("map([i % 2], ['x']) as map", None),
    ("'x'::blob as blob", None),
)


@pytest.mark.slow("1 s")
def test_roles_are_guessed_from_names_and_counts(folder: Path) -> None:
    roles, _ = guessed(", ".join(definition for definition, _ in ROLES))
    names = [definition.rpartition(" as ")[2].strip('"') for definition, _ in ROLES]
    assert {name: roles.get(name) for name in names} == dict(
        zip(names, (role for _, role in ROLES), strict=True)
    )


def test_roles_that_options_say_are_not_guessed(folder: Path) -> None:
    Path("stays.csv").write_text("patient,ward,age\n" + "".join(f"{i % 20},a,{i % 20}\n" for i in range(40)))
    said = run("init", "--seconds", "0", "stays.csv").stderr
    assert "No column looks like what nobody should learn about a person" in said
    assert "patient repeats (2 rows each)" in said
    result = run("init", "--seconds", "0", "stays.csv", "--unit", "PATIENT", "--sensitive", "ward")
    assert (result.exit_code, result.stderr) == (0, "")
    roles = tomllib.loads(result.stdout)["roles"]
    assert roles == {"identifier": [], "qi": ["age"], "sensitive": ["ward"], "keep": [], "unit": "patient"}


def test_columns_in_no_role_are_shown(folder: Path) -> None:
    Path("p.csv").write_text("age,form\n" + "".join(f"{i},same\n" for i in range(10)))
    text = ok("init", "--seconds", "0", "p.csv")
    assert '# In no role, and not released:\n#     "form",  # VARCHAR, 1 distinct, 0.0% NULL\n' in text


def test_counts_are_shown(folder: Path) -> None:
    query("copy (select case when i % 4 > 0 then i % 3 end as age from range(1000) as t(i)) to 'p.parquet'")
    text = ok("init", "--seconds", "0", "p.parquet")
    assert text.startswith('# A first policy for "p.parquet" (1,000 rows), by sqlanon ')
    assert '"age",  # BIGINT, 3 distinct, 25.0% NULL\n' in text


# Hierarchies


@pytest.mark.slow("0.9 s a case")
@pytest.mark.parametrize(
    ("definition", "hierarchy"),
    [
        ("17 + i % 74 as age", {"builder": "interval", "widths": [5, 10, 20, 40]}),
        ("-i as age", {"builder": "interval", "widths": [50, 100, 200, 400, 800]}),
        ("i % 20 as age", None),  # few values are categories, of which Mondrian makes ranges
        ("(i % 30 / 10)::decimal(3, 1) as age", {"builder": "interval", "widths": [0.1, 0.2, 0.4, 0.8, 1.6]}),
        ("(i % 100)::double as age", {"builder": "interval", "widths": [5, 10, 20, 40, 80]}),
        ("case i % 3 when 0 then 'nan'::double when 1 then 'inf'::double else i end as age",
         {"builder": "interval", "widths": [50, 100, 200, 400, 800]}),
        ("case i % 2 when 0 then 'nan'::double end as age", None),
        ("(i % 30) * 1e300 as age", None),
        ("(i % 30) * 1e-300 as age", None),
        ("7 as age", None),
        ("i % 90 + 10000 as zip", {"builder": "mask"}),
        ("(i % 90 + 10000)::varchar as area", {"builder": "mask"}),
        ("(i % 90)::varchar as area", None),
        ("(i % 20)::varchar as area", None),
        ("i % 2 = 0 as member", None),
        ("(['small', 'large'][1 + i % 2])::enum('small', 'large', 'a''b]') as size", None),
        ("date '2000-01-01' + i::int as seen", {"builder": "date", "units": ["month", "quarter", "year",
                                                                             "decade"]}),
        ("timestamptz '2000-01-01 00:00:00+00' + interval 1 day * i as seen",
         {"builder": "date", "units": ["month", "quarter", "year", "decade"]}),
        ("time '08:00' + interval 1 minute * (i % 100) as seen", None),
    ],
)  # fmt: skip
def test_hierarchies_fit_the_type_and_run(
    folder: Path, definition: str, hierarchy: dict[str, Any] | None
) -> None:
    _, hierarchies = guessed(definition)
    assert list(hierarchies.values()) == ([hierarchy] if hierarchy else [])
    Path("policy.toml").write_text(
        ok("init", "--seconds", "0", "guess.parquet").replace("confirmed = false", "confirmed = true")
    )
    assert run("anonymize", "guess.parquet", "--policy", "policy.toml", "-o", "out.parquet").exit_code == 0


# Methods that recode by hierarchies alone


@pytest.mark.slow("1 s")
def test_rare_values_are_put_together(folder: Path) -> None:
    """50, 30, 12, 4 and 4 % of the rows have one value; one of the rare ones is called other."""
    query(
        """copy (select case when i < 500 then 'a' when i < 800 then 'b' when i < 920 then 'c d'
                             when i < 960 then 'Other' else 'e"' end as area,
                        i % 2 = 0 as member, i % 40 as age from range(1000) as t(i)) to 'p.parquet'"""
    )
    text = ok("init", "--seconds", "0", "p.parquet", "--method", "optimal")
    result = tomllib.loads(text)
    assert result["hierarchies"] == {
        "area": {"values": {
            "a": ["a", "a", "*"], "b": ["b", "b", "*"], "c d": ["c d", "any other", "*"],
            "Other": ["other_", "any other", "*"], 'e"': ["other_", "any other", "*"],
        }},
        "member": {"builder": "flat"},
        "age": {"builder": "interval", "widths": [2, 4, 8, 16, 32]},
    }  # fmt: skip
    assert result["method"] == {"name": "optimal", "suppression_limit": 0.02, "time_limit": 60}
    Path("policy.toml").write_text(text.replace("confirmed = false", "confirmed = true"))
    assert run("anonymize", "p.parquet", "--policy", "policy.toml", "-o", "out.parquet").exit_code == 0


@pytest.mark.slow("0.9 s")
def test_null_is_in_no_list_of_values(folder: Path) -> None:
    query(
        "copy (select ['a', 'b', null, 'c'][1 + i % 4] as area, i % 40 as age from range(1000) as t(i)) "
        "to 'p.parquet'"
    )
    text = ok("init", "--seconds", "0", "p.parquet", "--method", "datafly")
    assert tomllib.loads(text)["hierarchies"]["area"] == {"builder": "flat"}
    Path("policy.toml").write_text(text.replace("confirmed = false", "confirmed = true"))
    assert run("anonymize", "p.parquet", "--policy", "policy.toml", "-o", "out.parquet").exit_code == 0


# Sensitive and missing values


@pytest.mark.slow("half a second")
def test_alpha_is_halfway_from_the_most_frequent_value_to_1(folder: Path) -> None:
    query(
        "copy (select i as age, if(i < 800, 'flu', 'd' || i % 3) as disease, ['x', 'y'][1 + i % 2] as party "
        "from range(1000) as t(i)) to 'p.parquet'"
    )
    assert drafted("p.parquet")["requirements"]["alpha"] == 0.9


def test_what_may_be_missing_is_told(folder: Path) -> None:
    """-9 is, where nothing is lower."""
    query(
        "copy (select if(i < 56, '?', 'd' || i % 3) as area, if(i < 10, ' N/A', 'x') as town, "
        "if(i < 20, -9, i % 60) as age, -9 - i % 60 as temperature from range(1000) as t(i)) to 'p.parquet'"
    )
    text = ok("init", "--seconds", "0", "p.parquet")
    told = {line.split('"')[1]: line for line in text.splitlines() if "missing?" in line}
    assert told.keys() == {"area", "town", "age"}
    assert told["area"].endswith('0.0% NULL, 5.6% "?": missing?')
    assert told["town"].endswith('1.0% " N/A": missing?')
    assert told["age"].endswith('2.0% "-9": missing?')


# The file


@pytest.mark.slow("0.8 s")
def test_it_does_not_run_before_it_is_confirmed(folder: Path) -> None:
    result = run("init", "--seconds", "0", "people.csv", "-o", "policy.toml")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.startswith(
        "policy.toml: look at the role of every column, then write confirmed = true"
    )
    command = ["anonymize", "people.csv", "--policy", "policy.toml", "--k", "2"]
    assert refused(2, *command).startswith("policy.toml: confirmed = false: look at the role of every column")
    text = Path("policy.toml").read_text()
    Path("policy.toml").write_text(text.replace("confirmed = false", "confirmed = true"))
    assert ok(*command).splitlines()[0] == "age,zip,disease"


@pytest.mark.slow("half a second")
def test_what_releases_of_every_month_need_is_there_to_uncomment(folder: Path) -> None:
    text = ok("init", "--seconds", "0", "people.csv")
    below = text[text.index("# [judge]") :].replace("# [", "[").replace("# values", "values")
    Path("policy.toml").write_text(
        text[: text.index("# [judge]")].replace("confirmed = false", "confirmed = true")
        + below.replace("# keep_people", "keep_people")
    )
    policy = load(Path("policy.toml"))
    assert (policy.values_may_change, policy.keep_people) == (["disease"], True)


@pytest.mark.slow("0.5 s")
def test_the_text_is_the_same_every_time(folder: Path) -> None:
    ok("init", "--seconds", "0", "people.csv", "-o", "policy.toml")
    assert ok("init", "--seconds", "0", "people.csv") == Path("policy.toml").read_text()


@pytest.mark.slow("1.3 s")
def test_columns_of_any_name_make_valid_toml(folder: Path) -> None:
    names = [
        *HOSTILE,
        "a\nb",
        "tab\t",
        "back\\slash",
        "# no comment",
        '"""',
        "'''",
        "bell\x07",
        "del\x7f",
        "é",
        "",
        "[x]",
    ]
    names = [name for name in names if name]
    with duckdb.connect("odd.duckdb", config=NO_VARIABLES) as con:
        columns = ", ".join(
            f"{i}::int + i % 2 as " + '"' + name.replace('"', '""') + '"' for i, name in enumerate(names)
        )
        con.execute(f"create table odd as select {columns} from range(20) as t(i)").fetchall()
    text = ok("init", "--seconds", "0", "odd.duckdb::odd")
    result = tomllib.loads(text)
    assert result["roles"]["qi"] == names
    assert list(result["hierarchies"]) == ["zip code"]  # the others have few values
    by_levels = tomllib.loads(ok("init", "--seconds", "0", "odd.duckdb::odd", "--method", "datafly"))
    assert list(by_levels["hierarchies"]) == names
    Path("policy.toml").write_text(text.replace("confirmed = false", "confirmed = true"))
    assert ok("anonymize", "odd.duckdb::odd", "--policy", "policy.toml").count("\n") >= 20


@pytest.mark.slow("half a second")
def test_files_of_any_name_make_valid_toml(folder: Path) -> None:
    name = 'a\nconfirmed = true\n"#.csv'
    Path(name).write_text(PEOPLE)
    assert drafted(f"./{name}")["confirmed"] is False


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("age,zip\n", "empty.csv has no rows: roles are guessed by the names"),
        ("age\n\n\n", "age has no values: it is not released"),
    ],
)
def test_a_table_without_values_has_a_policy(folder: Path, content: str, told: str) -> None:
    Path("empty.csv").write_text(content)
    assert "age" in drafted("empty.csv")["roles"]["qi"]
    assert told in run("init", "empty.csv").stderr


@pytest.mark.slow("0.5 s")
def test_an_existing_file_stays_unless_forced(folder: Path) -> None:
    Path("policy.toml").write_text("mine")
    assert refused(2, "init", "people.csv", "-o", "policy.toml") == (
        "policy.toml exists: give --force to replace it"
    )
    assert Path("policy.toml").read_text() == "mine"
    run("init", "--seconds", "0", "people.csv", "-o", "policy.toml", "--force")
    assert Path("policy.toml").read_text() == ok("init", "--seconds", "0", "people.csv")
    assert sorted(path.name for path in folder.iterdir()) == ["people.csv", "policy.toml"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["init"], "Missing argument 'INPUT'."),
        (["init", "peple.csv"], "there is no file peple.csv"),
        (
            ["init", "people.csv", "--unit", "nme"],
            "--unit nme: people.csv has no such column; did you mean name?",
        ),
        (["init", "people.csv", "--qi", "age", "--keep", "Age"], "--keep Age: it is in --qi, too"),
        (["init", "people.csv", "-o", "no/policy.toml"], "there is no folder no to write policy.toml in"),
        (["init", "people.csv", "-o", "."], ". is a folder"),
        (
            ["init", "people.csv", "--method", "optimall"],
            "--method must be one of mondrian, generalize, optimal, samarati, datafly, mu_argus, "
            'microaggregate, k_similar, anatomize, recode, not "optimall"; did you mean optimal?',
        ),
    ],
)
def test_wrong_use(folder: Path, options: list[str], message: str) -> None:
    assert refused(2, *options) == message


# Widths


@pytest.mark.parametrize(
    ("lowest", "highest", "widths"),
    [
        (0, 4, [2]),
        (0, 16, [2, 4, 8]),
        (0, 160, [5, 10, 20, 40, 80]),
        (0, 161, [10, 20, 40, 80, 160]),
        (1e6, 9e6, [500000, 1000000, 2000000, 4000000]),
        (0, 0, []),
        (-math.inf, math.inf, []),
        (-1e308, 1e308, []),
        (None, None, []),
    ],
)
def test_widths_nest(
    con: duckdb.DuckDBPyConnection, lowest: float | None, highest: float | None, widths: list[float]
) -> None:
    query = "select sqlanon._fitting_widths($lowest::double, $highest::double, 'BIGINT')"
    assert con.execute(query, {"lowest": lowest, "highest": highest}).fetchall() == [(widths,)]


@pytest.mark.slow("0.5 s")
def test_every_role_is_in_the_file(folder: Path) -> None:
    """That of a unit as a comment: a guess would say of rows that they are one person's.

    A table with a weight is not anonymized.
    """
    assert [*drafted()["roles"], "unit", "weight", "sampling_weight", "household"] == list(schema.ROLES)
    assert '# unit = "' in ok("init", "--seconds", "0", "people.csv")
