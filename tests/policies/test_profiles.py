"""Profiles of practice: what they ask is held by runs, checks, the gate and reports, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from sqlanon.core.errors import InputError, RefusedError, UseError
from sqlanon.policies import policy as policies
from sqlanon.policies.profiles import profiles
from tests.budget import examples
from tests.cli.test_cli import query, refused, run
from tests.oracles.risk import average_risk

POLICY = """
[roles]
qi = ["age", "zip"]
sensitive = ["ward"]
{roles}

[requirements]
{requirements}

[tolerated.homogeneity]
certain = 100
"""
# 24 stays, in ages that are cut into classes by twos, by threes, ...
STAYS = """
create table stays as
select i as stay, i // 2 as patient, 30 + i as age, '021' as zip, ['eye', 'ear'][i % 2 + 1] as ward
from range(24) as r(i)"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    con = duckdb.connect()
    con.execute(STAYS)
    con.execute("copy stays to 'stays.csv'")
    return tmp_path


def written(folder: Path, *requirements: str, roles: str = "") -> Path:
    path = folder / "policy.toml"
    path.write_text(POLICY.format(requirements="\n".join(requirements), roles=roles))
    return path


def stays(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(STAYS.replace("create table", "create or replace temporary table"))


# What they are


def test_the_macro_has_what_python_reads(con: duckdb.DuckDBPyConnection) -> None:
    columns = (
        "profile",
        "title",
        "k",
        "average_risk",
        "safe_harbor",
        "threshold",
        "global_risk",
        "asks",
        "leaves_open",
    )
    rows = con.execute(f"select {', '.join(columns)} from sqlanon.profiles()").fetchall()
    read = [tuple(getattr(each, name) for name in columns) for each in profiles().values()]
    assert rows == read
    assert [each.k for each in profiles().values()] == [None, 12, 11, None]
    assert 1 / 12 <= profiles()["ema-0070"].average_risk < 1 / 11  # type: ignore[operator]


@pytest.mark.parametrize(
    ("requirements", "k", "average_risk"),
    [
        (['profile = "cms-11"'], 11, None),
        (['profile = "cms-11"', "k = 20"], 20, None),
        (['profile = "ema-0070"'], 12, None),
        (['profile = "ema-0070"', "k = 2", "average_risk = 0.05"], 2, 0.05),
        (['profile = "hipaa-safe-harbor"'], 1, None),
        (["k = 3", "average_risk = 0.2"], 3, 0.2),
    ],
)
def test_what_is_required(folder: Path, requirements: list[str], k: int, average_risk: float | None) -> None:
    read = policies.load(written(folder, *requirements))
    assert read.requirements == {"k": k}
    assert read.rules.average_risk == average_risk


@pytest.mark.parametrize(
    ("requirements", "message"),
    [
        (['profile = "cms-11"', "k = 10"], "requirements.k = 10: profile cms-11 requires at least 11"),
        (
            ['profile = "ema-0070"', "k = 11"],
            "requirements.k = 11: profile ema-0070 requires at least 12, or average_risk = 0.09",
        ),
        (
            ['profile = "ema-0070"', "k = 5", "average_risk = 0.1"],
            "requirements.average_risk = 0.1: profile ema-0070 allows at most 0.09",
        ),
        (['profile = "cms-11"', "average_risk = 0.09", "k = 5"], "profile cms-11 requires at least 11"),
        (['profile = "cms"'], "must be one of .*; did you mean cms-11"),
        (["k = 2", 'zip_populations = "zip3.csv"'], "zip_populations needs profile hipaa-safe-harbor"),
        (
            ['profile = "hipaa-safe-harbor"', 'zip_populations = "zip3.csv"'],
            "zip_populations: there is no file",
        ),
        (["average_risk = 0.09"], "requirements is empty"),
    ],
)
def test_what_is_refused(folder: Path, requirements: list[str], message: str) -> None:
    with pytest.raises(UseError, match=message):
        policies.load(written(folder, *requirements))


# The average risk


@pytest.mark.slow("half a second")
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 5)), min_size=1, max_size=30))
@examples(40)
def test_average_risk_of_people(rows: list[tuple[int, int]]) -> None:
    con = duckdb.connect()
    sqlanon.register(con)
    con.execute("create table r (q integer, person integer)")
    con.executemany("insert into r values (?, ?)", rows)
    for unit, expected in (
        (None, average_risk([(q, i) for i, (q, _) in enumerate(rows)])),
        ("person", average_risk(rows)),
    ):
        [(risk,)] = con.execute("from sqlanon._average_risk('r', 'q', ?)", [unit]).fetchall()
        assert risk == pytest.approx(expected)


def test_a_run_holds_the_average(con: duckdb.DuckDBPyConnection, folder: Path) -> None:
    stays(con)
    rules = policies.load(written(folder, "k = 3", "average_risk = 0.34"))
    made = rules.run(con, "stays")
    assert made.reached["average risk"] == 1 / 3
    assert made.required["average risk"] == 0.34
    con.execute("create table before as select 1 as one")
    with pytest.raises(RefusedError, match=r"average risk is 0\.3333, and average_risk is 0\.2: .*k = 5"):
        policies.load(written(folder, "k = 3", "average_risk = 0.2")).run(
            con, "stays", into="before", replace=True
        )
    assert con.execute("from before").fetchall() == [(1,)]  # nothing is replaced


@pytest.mark.slow("1 s")
def test_a_report_in_python_holds_the_average(con: duckdb.DuckDBPyConnection) -> None:
    stays(con)
    release = sqlanon.mondrian(con, "stays", qi=["age", "zip"], sensitive="ward", k=3)
    for most, said in ((0.34, "average_risk = 0.34"), (0.2, "the average risk is 0.3333")):
        made = sqlanon.report(con, [release], ["age", "zip"], "ward", attacks="none", average_risk=most)
        assert said in made.html
    with pytest.raises(InputError, match="average_risk must be above 0 and at most 1, not 9"):
        sqlanon.report(con, [release], ["age", "zip"], average_risk=9)


def test_people_are_counted_where_they_have_several_rows(
    con: duckdb.DuckDBPyConnection, folder: Path
) -> None:
    stays(con)
    rules = policies.load(written(folder, "k = 2", "average_risk = 0.4", roles='unit = "patient"'))
    with pytest.raises(RefusedError, match="average risk"):  # two patients in a class of four rows
        rules.run(con, "stays")


# Commands


@pytest.mark.slow("1 s")
def test_commands_hold_the_average(folder: Path) -> None:
    path = written(folder, 'profile = "ema-0070"', "k = 11", "average_risk = 0.09")
    made = run("anonymize", "stays.csv", "--policy", path.name, "-o", "out.csv")
    assert made.exit_code == 0
    assert "average risk 0.0833333" in made.stderr
    assert "profile ema-0070 leaves open: " in made.stderr
    checked = run("check", "out.csv", "--policy", path.name)
    assert (checked.exit_code, "average_risk = 0.09 holds" in checked.stderr) == (0, True)
    stricter = run("check", "out.csv", "--qi", "age,zip", "--average-risk", "0.05")
    assert (stricter.exit_code, "the average risk is 0.08333" in stricter.stderr) == (1, True)
    assert "is for a run, not for a statement" in refused(
        2, "anonymize", "stays.csv", "--policy", path.name, "--sql"
    )


@pytest.mark.slow("6 s")
def test_a_release_does_not_say_whose_its_rows_are(folder: Path) -> None:
    path = written(folder, "k = 4", "average_risk = 0.5", roles='unit = "patient"')
    assert run("anonymize", "stays.csv", "--policy", path.name, "-o", "out.csv").exit_code == 0
    alone = run("check", "out.csv", "--policy", path.name)
    assert (alone.exit_code, "average_risk = 0.5 is not known" in alone.stderr) == (1, True)
    with_original = run("check", "out.csv", "--policy", path.name, "--reference", "stays.csv")
    assert (with_original.exit_code, "average_risk = 0.5 holds" in with_original.stderr) == (0, True)


@pytest.mark.slow("7 s")
def test_the_gate_holds_the_average(folder: Path) -> None:
    path = written(folder, "k = 3", "average_risk = 0.2")
    about = ("publish", "stays.csv", "--policy", path.name, "--register", "register.duckdb")
    assert "the average risk is 0.3333" in run(*about, "-o", "out.csv").stderr
    assert not (folder / "out.csv").exists()


def test_safe_harbor(folder: Path) -> None:
    con = duckdb.connect()
    con.execute(STAYS)
    con.execute("copy (select * replace (30 + stay % 5 as age) from stays) to 'stays.csv'")
    (folder / "zip3.csv").write_text("zip3,population\n021,1200000\n")
    text = '\n[input]\ntypes = {zip = "text"}\n'
    alone = written(folder, 'profile = "hipaa-safe-harbor"').read_text() + text
    (folder / "alone.toml").write_text(alone)
    path = written(folder, 'profile = "hipaa-safe-harbor"', 'zip_populations = "zip3.csv"')
    path.write_text(path.read_text() + text)
    unknown = run("anonymize", "stays.csv", "--policy", "alone.toml", "-o", "out.csv")
    assert "zip: not known whether more than 20,000 people live there" in unknown.stderr
    assert not (folder / "out.csv").exists()
    made = run("anonymize", "stays.csv", "--policy", path.name, "-o", "out.csv")
    assert (made.exit_code, "profile hipaa-safe-harbor leaves open: " in made.stderr) == (0, True)
    assert query("select distinct zip from read_csv('out.csv', all_varchar = true)") == [("021",)]
    assert run("check", "out.csv", "--policy", path.name).exit_code == 0
    assert run("check", "out.csv", "--policy", "alone.toml").exit_code == 1


@pytest.mark.slow("10 s")
def test_reports_judge_by_rules(folder: Path) -> None:
    pytest.importorskip("jinja2")
    path = written(folder, 'profile = "ema-0070"', "k = 11", "average_risk = 0.09")
    assert run("anonymize", "stays.csv", "--policy", path.name, "-o", "out.csv").exit_code == 0
    about = ("report", "out.csv", "--force", "-o", "page.html")
    assert run(*about, "--policy", path.name).exit_code == 0
    page = (folder / "page.html").read_text()
    assert "average_risk = 0.09 holds" in page
    assert "EMA, Policy 0070" in page
    assert run(*about, "--qi", "age,zip", "--average-risk", "0.05").exit_code == 0
    assert "the average risk is 0.08333, and average_risk is 0.05" in (folder / "page.html").read_text()


@pytest.mark.slow("13 s")
def test_choices_of_a_frontier_follow_the_rules(con: duckdb.DuckDBPyConnection, folder: Path) -> None:
    stays(con)
    rules = policies.load(written(folder, "k = 3", "average_risk = 0.2"))
    made = sqlanon.frontier(con, "stays", policy=rules, k=[3, 6], methods="mondrian")
    first, second = made.rows
    assert "the average risk is 0.3333" in first["reason"]
    assert second["seconds"] is not None


@pytest.mark.slow("7 s")
def test_a_table_of_counts(folder: Path) -> None:
    text = '[table]\nmethod = "suppress"\ndimensions = ["ward"]\nprofile = "cms-11"\n{}'
    (folder / "table.toml").write_text(text.format(""))
    about = ("publish", "stays.csv", "--policy", "table.toml", "--register", "register.duckdb",
             "--accept", "evidence.units=stays are counted")  # fmt: skip
    assert run(*about, "-o", "counts.csv").exit_code == 0
    assert query("select value::bigint from 'counts.csv' order by all") == [(12,), (12,), (24,)]
    (folder / "table.toml").write_text(text.format("threshold = 10"))
    assert "threshold = 10: profile cms-11 requires at least 11" in refused(2, *about, "-o", "more.csv")
