"""The demonstration: what it shows, the data sets that it knows, and the examples that tell the same."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from typer.testing import CliRunner, Result

import sqlanon
from sqlanon.cli import app
from sqlanon.experiments import census, demo
from sqlanon.experiments.ganta2008.data import ADULT_COLUMNS, IPUMS_COLUMNS, load, recognize
from tests.data import data, load_adult, load_ipums, needs_data

ROOT = Path(__file__).resolve().parents[2]

# Adult's attributes in the experiments of Ganta et al. 2008 (section 3.1).
DOMAINS = {
    "age": 74, "workclass": 7, "education": 16, "marital_status": 7, "race": 5, "sex": 2,
    "native_country": 41, "occupation": 14,
}  # fmt: skip


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app.app, ["demo", *map(str, arguments)])


@pytest.fixture
def con() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    sqlanon.register(connection)
    return connection


# The generated census


@pytest.mark.slow("half a second")
def test_the_generated_census_has_the_domains_of_adult() -> None:
    people = census.population(seed=1)
    assert {name: len(set(column)) for name, column in people.items()} == {"id": 30_000, **DOMAINS}
    assert tuple(people) == ("id", *census.QI, census.SENSITIVE)


def test_a_seed_gives_the_same_people() -> None:
    assert census.population(seed=3, people=500) == census.population(seed=3, people=500)
    assert census.population(seed=3, people=500) != census.population(seed=4, people=500)
    assert all(column == [] for column in census.population(people=0).values())


def test_occupation_goes_with_the_quasi_identifiers(con: duckdb.DuckDBPyConnection) -> None:
    census.load(con)
    shares = dict(
        con.execute(
            """
            select sex || ' ' || occupation, count(*) / sum(count(*)) over (partition by sex)
            from people group by sex, occupation
            """
        ).fetchall()
    )
    assert shares["Male Craft-repair"] > 4 * shares["Female Craft-repair"]
    assert shares["Female Adm-clerical"] > 2 * shares["Male Adm-clerical"]


# The story


def test_alice_has_what_the_paper_says(con: duckdb.DuckDBPyConnection) -> None:
    query, alice = demo.hospitals(con)
    assert alice == {"name": "Alice", "prior": 3, "posterior": 1, "candidates": ["AIDS"]}
    assert "intersection_attack" in query.sql("duckdb", normalize_functions=False)
    for hospital, k, size in (("hospital_1", 4, 12), ("hospital_2", 6, 12)):
        result = sqlanon.violations(con, hospital, demo.HOSPITAL_QI, k=k).fetchall()
        assert result == []
        assert con.execute("select count(*) from query_table($1)", [hospital]).fetchall() == [(size,)]


@pytest.mark.slow("4.5 s")
def test_the_demonstration_shows_both_parts() -> None:
    result = run()
    assert result.exit_code == 0, result.stderr
    assert "FROM sqlanon.intersection_attack(" in result.stdout
    assert "AIDS" in result.stdout
    lines = [line.split() for line in result.stdout.splitlines()]
    measured = {
        line[0]: list(map(float, line[1:])) for line in lines if line and line[0] in ("5", "10", "20")
    }
    assert list(measured) == ["5", "10", "20"]
    for size, prior, posterior, drop, pvp_25, pvp_50, pvp_100, sure, guess, _seconds in measured.values():
        assert prior - posterior == pytest.approx(drop, abs=0.02)
        assert 100 > pvp_25 > pvp_50 > pvp_100 >= 0
        assert sure >= pvp_100  # whoever is certain is sure
        assert 20 < guess < 50
        assert size > 5
    sizes, priors = ([values[i] for values in measured.values()] for i in (0, 1))
    assert sizes == sorted(sizes)
    assert priors == sorted(priors)


@pytest.mark.slow("the demonstration")
def test_k_and_seed_can_be_chosen() -> None:
    result = run("--k", "50", "--seed", "9")
    assert result.exit_code == 0, result.stderr
    assert [line.split()[0] for line in result.stdout.splitlines() if line.startswith("50 ")] == ["50"]


@pytest.mark.slow("1.7 s")
def test_the_two_subsets_share_5000_people(con: duckdb.DuckDBPyConnection) -> None:
    population = demo.load(con, None, seed=2)
    assert [one.k for one in demo.attack(con, population, [40], seed=2)] == [40]
    counts = con.execute(
        """
        select (select count(*) from subset_1), (select count(*) from subset_2),
               (select count(*) from common_people),
               (select count(*) from subset_1 join subset_2 using (id)),
               (select count(*) from subset_1 join subset_2 using (id) join common_people using (id))
        """
    ).fetchall()
    assert counts == [(17_500, 17_500, 5_000, 5_000, 5_000)]


# The data sets


@pytest.mark.slow("0.4 s")
@needs_data
@pytest.mark.parametrize("name", ["adult/adult.data", "ipums/ipums.la.97.gz"])
def test_the_data_sets_are_prepared_as_for_the_tests(con: duckdb.DuckDBPyConnection, name: str) -> None:
    population = demo.load(con, data() / name, seed=1)
    (load_adult if "adult" in name else load_ipums)(con, "wanted")
    columns = ", ".join(["id", *population.qi, population.sensitive])
    for one, other in (("people", "wanted"), ("wanted", "people")):
        surplus = con.execute(
            f"select {columns} from {one} except all select {columns} from {other}"
        ).fetchall()
        assert surplus == []


@pytest.mark.slow("1.9 s")
@needs_data
def test_the_numbers_of_the_paper_stand_beside_those_of_adult() -> None:
    result = run("--data", data() / "adult" / "adult.data", "--k", "5")
    assert result.exit_code == 0, result.stderr
    assert "UCI Adult, 30,162 people" in result.stdout
    measured, paper = (
        next(line for line in result.stdout.splitlines() if line.split()[:1] == [first])
        for first in ("5", "paper")
    )
    assert float(measured.split()[5]) > 60
    assert "more than 60" in paper


@pytest.mark.slow("the demonstration")
@needs_data
def test_the_numbers_of_the_paper_stand_beside_those_of_ipums() -> None:
    result = run("--data", data() / "ipums" / "ipums.la.97.gz", "--k", "5")
    assert result.exit_code == 0, result.stderr
    lines = {line.split()[0]: line for line in reversed(result.stdout.splitlines()) if line.strip()}
    assert float(lines["5"].split()[1]) == pytest.approx(40, rel=0.15)  # close to 40
    assert float(lines["5"].split()[5]) == pytest.approx(95, abs=5)
    assert {"close", "about", "95", "60"} <= set(lines["paper"].split())
    assert "without" in lines  # the targets that have no occupation


def test_a_data_set_is_recognized_by_its_content(tmp_path: Path) -> None:
    adult = ", ".join(["39", *["x"] * (len(ADULT_COLUMNS) - 2), "<=50K"]) + "\n"
    ipums = ",".join(["97"] * len(IPUMS_COLUMNS)) + "\n"
    for name, content, wanted in (("a", adult, "adult"), ("b.csv", ipums, "ipums")):
        file = tmp_path / name
        file.write_text(content)
        assert recognize(file).name == wanted
        file.write_bytes(gzip.compress(content.encode()))
        assert recognize(file).name == wanted


@pytest.mark.parametrize("name", ["adult[1].data", "ad?lt.data", "*.data", "~adult.data", "s3:adult.data"])
def test_the_name_of_a_data_set_is_no_pattern(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    line = ", ".join(["39", *["x"] * (len(ADULT_COLUMNS) - 2), "<=50K"]) + "\n"
    Path("adult1.data").write_text(line * 3)
    Path(name).write_text(line)
    assert load(con, recognize(Path(name)), Path(name)) == 1


@pytest.mark.slow("half a second a case", but=(0, 1))
@pytest.mark.parametrize("content", [b"", b"age,zip\n1,2\n", b"\x1f\x8bbroken", b"\xff\xfe\x00\x01" * 9000])
def test_another_file_is_refused_with_what_was_expected(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "other.data"
    file.write_bytes(content)
    result = run("--data", file)
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr.startswith(f"error: {file} is neither of the data sets")
    assert "UCI Adult (adult.data, 15 fields a line" in result.stderr
    assert "IPUMS Los Angeles" in result.stderr


@pytest.mark.slow("1.2 s")
def test_a_data_set_that_breaks_off_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "adult.data"
    line = ", ".join(["39", *["x"] * (len(ADULT_COLUMNS) - 2), "<=50K"]) + "\n"
    file.write_text(line * 10)
    short = run("--data", file)
    assert (short.exit_code, short.stderr) == (
        3,
        "error: the two subsets share 5000 people: 10 are too few\n",
    )
    file.write_text(line + "and then something else\n")
    assert run("--data", file).exit_code == 3


# The examples


@pytest.mark.slow("3.8 s")
def test_the_python_example_runs() -> None:
    command = [sys.executable, "-W", "error", str(ROOT / "examples" / "census.py")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "violations: []" in done.stdout
    assert "PVP_100" in done.stdout


# Lines that each prints, among others.
EXAMPLES = {
    "background_knowledge.sql": [
        "negations,2,1.0,0.5,\"{'zip': 1485*, 'sex': M}\"", "a value,M,0.6666666666666666",
    ],
    "census.sql": ["targets,1000.0,people,NULL,NULL", "PVP_10,100.0,%,99.61732415144449,100.0"],
    "differencing.sql": ["north,cancer,4,4,4", "all,asthma,9,9,9", "north,cancer,NULL,3,4"],
    "downcoding.sql": ['Europe,5,"{de, it}",1.0,0.815,country', "fr,4,NULL,NULL,NULL,NULL"],
    "forecast.sql": ['"weighted guess, expected right",80.1,%'],
    "growing_table.sql": [
        "1,F-attack: 1 of 5 rows excluded,4,4,5,4", "1.0,1", "0.667,2", "cancer,1.0,1,true",
    ],
    "hospitals.sql": ["Alice,3,1,[AIDS]"],
    "m_invariance.sql": [
        "Bob,1,[dyspepsia]", "21,12000,bronchitis,1,1", '"[23, 41]","[20000, 33000]",flu,2,0',
        'Bob,2,"[bronchitis, dyspepsia]"',
    ],
    "minimality.sql": ["Ann,HIV,1.0,0.286,true", '"(alpha, k)-anonymity",0.5,1.0,20'],
    "semantics.sql": ["Alice,yes,0.2679491924311227,NULL,yes,no", "inf,0.0,3,2"],
    "sweeney.sql": ['"[white, 1965, female, 02139]",1.0,0.6'],
    "trails.sql": ["cat,NULL,0", "cat,d3,1"],
    "two_nights.sql": ['1,age,"[20, 34]",<=34', "297,18,2"],
    "two_tables.sql": ["Bob,3,1,[Stroke]"],
}  # fmt: skip


def test_every_example_is_tried() -> None:
    tables = {"people.sql"}  # of the reference, whose examples are tried elsewhere
    assert {path.name for path in (ROOT / "examples").glob("*.sql")} == EXAMPLES.keys() | tables


@pytest.mark.slow("2.3 s a case", but=(4,))
@pytest.mark.parametrize(("example", "lines"), EXAMPLES.items())
def test_the_sql_examples_run_in_the_shell_without_python(
    tmp_path: Path, example: str, lines: list[str]
) -> None:
    shell = Path(sys.executable).with_name("duckdb")
    if not shell.exists():
        pytest.skip("the DuckDB shell is not installed")
    (tmp_path / "sqlanon.sql").write_text(sqlanon.read_library())
    script = (ROOT / "examples" / example).read_text()
    command = [str(shell), "-init", os.devnull, "-bail", "-csv"]
    done = subprocess.run(command, cwd=tmp_path, input=script, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert set(lines) <= set(done.stdout.splitlines())


@pytest.mark.slow("1.6 s")
@pytest.mark.parametrize("example", EXAMPLES)
def test_the_sql_examples_run_in_python(tmp_path: Path, example: str) -> None:
    script = (ROOT / "examples" / example).read_text()
    assert script.count(".read sqlanon.sql\n") == 1
    with duckdb.connect() as con:
        con.execute(script.replace(".read sqlanon.sql\n", sqlanon.read_library())).fetchall()
