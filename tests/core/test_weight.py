"""Tables of counts: with a weight every answer is that for the table with each row so many times."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import sqlanon
from tests.budget import examples
from tests.tables import call

few = examples(15)
fewer = examples(10)  # of what takes long to plan

Row = tuple[int | None, int, int, int]

# Made of counts: tables that have its columns a, b, s and n, each with rows that stand for nobody, or lacking
# some. Everybody may be in population.
MADE = {
    "release": "select id, '[1, 3]' as a, b, s, n from counts where id <> 1",
    "other": "select id, a, b, 1 + s % 2 as s, n from counts",
    "suppressed": "select id, nullif(a, 1) as a, if(s = 1, '*', b::varchar) as b, s, n from counts",
    "population": "select id, a, b, s, n + id % 2 as n from counts union all from counts",
}
# A release of mondrian, counted, of everybody.
MADE_BY_MONDRIAN = """
    create or replace table everybody as
    select row_number() over () as id, a, b, s from (select coalesce(a, 4) as a, b, s from counts, range(n));
    create or replace table repeated_generalized as
    from sqlanon.mondrian('everybody', ['a', 'b'], 's', k := 2, l := 3);
    create or replace table generalized as
    select a, b, s, count(*) as n from repeated_generalized group by all"""

LEAST: list[Row] = [(1, 1, 1, 2), (1, 1, 2, 1), (2, 2, 3, 0), (3, 1, 1, 4)]

QI = ["a", "b"]
ATTACK = {"targets": "people", "id": "id", "qi": QI, "sensitive": "s"}

# Macro -> what it is asked, but for the weight: the answer, however ordered, is the same.
QUESTIONS: dict[str, tuple[str | list[str], dict[str, Any]]] = {
    "classes": ("counts", {"qi": QI}),
    "wildcard_frequencies": ("suppressed", {"qi": QI}),
    "privacy": ("counts", {"qi": "a", "sensitive": ["b", "s"], "reference": "population"}),
    "violations": ("suppressed", {"qi": QI, "sensitive": "s", "k": 4, "l": 2, "suppressed": "wildcard"}),
    "risk": ("counts", {"qi": QI, "fraction": 0.2}),
    "minimal_uniques": ("counts", {"columns": ["a", "b", "s"], "id": "id"}),
    "quasi_identifiers": ("counts", {"columns": ["a", "b", "s"]}),
    "locate": ("release", {"targets": "people", "id": "id", "qi": QI}),
    "homogeneity": ("counts", {"qi": "a", "sensitive": ["b", "s"]}),
}
COSTLY: dict[str, tuple[str | list[str], dict[str, Any]]] = {
    "intersection_attack": (["release", "other"], {**ATTACK, "exact_cover": True}),
    "breaches": (["release", "other"], {**ATTACK, "truth": "s"}),
    "utility": ("counts", {"release": "release", "qi": "a", "sensitive": "s", "k": 2, "queries": 20}),
}
# Attacks that share what reads the weight with another one, or take long to plan: of one table.
ATTACKS: dict[str, tuple[str | list[str], dict[str, Any]]] = {
    "background_knowledge": ("counts", {"qi": "a", "sensitive": "s"}),
    "complementary_release": (["release", "other"], {"qi": QI, "join_columns": "s", "truth": "id"}),
    "correspondence": (["counts", "population"], {"qi": QI, "sensitive": "s"}),
    "expected_breaches": ("counts", {"qi": "a", "sensitive": "s"}),
    "forecast": ("counts", {"qi": "a", "sensitive": "s"}),
    "insert_only": (["counts", "population"], {"qi": QI, "sensitive": "s"}),
    "joined_releases": (["counts", "other"], {"join_on": QI, "x": "a", "y": "b"}),
    "linking": ("release", {**ATTACK, "truth": "s"}),
    "maximum_disclosure": ("counts", {"qi": "a", "sensitive": "s"}),
    "minimality": ("generalized", {**ATTACK, "targets": "everybody", "k": 2, "l": 3, "truth": "s"}),
    "skyline": ("counts", {"qi": "a", "sensitive": "s"}),
}
# Of records: each of the people whom one stands for has an id of its own in the table with repeated rows.
OF_RECORDS: dict[str, dict[str, Any]] = {
    "disclosure": {"columns": ["a", "b", "s"], "within": 0.3},
    "record_linkage": {"columns": ["a", "b", "s"]},
}
OF_POPULATION: dict[str, dict[str, Any]] = {
    "privacy": {"qi": QI},
    "violations": {"qi": QI, "k_map": 4, "dmin": 0.1},
    "risk": {"qi": QI},
}


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


def counts() -> st.SearchStrategy[list[Row]]:
    """Rows of two quasi-identifiers, a sensitive value and how many people they stand for."""
    row = st.tuples(st.sampled_from([1, 2, 3, None]), st.integers(1, 2), st.integers(1, 3), st.integers(0, 4))
    # the least example has something to compare, too, and in each release somebody
    return st.lists(row, max_size=8).map(lambda rows: [*LEAST, *rows])


def load(con: duckdb.DuckDBPyConnection, table: Sequence[Row]) -> None:
    """The tables of counts, the same repeated (repeated_...), and the people in them."""
    con.execute(
        """create or replace table counts as
        select unnest(range($1))::integer as id, unnest($2::integer[]) as a, unnest($3::integer[]) as b,
               unnest($4::integer[]) as s, unnest($5::integer[]) as n""",
        [len(table), *(list(column) for column in zip(*table, strict=True))],
    ).fetchall()
    for name, query in MADE.items():
        con.execute(f"create or replace table {name} as {query}").fetchall()
    for name in ("counts", *MADE):
        con.execute(
            f"create or replace table repeated_{name} as select * exclude (n) from {name}, range(n)"
        ).fetchall()
    con.execute("create or replace table people as select id, a, b, s from counts where n > 0").fetchall()


def repeated(given: Any) -> Any:
    """The names of tables, each that of the table with repeated rows."""
    if isinstance(given, list):
        return [repeated(each) for each in given]
    return f"repeated_{given}" if given in ("counts", "generalized", *MADE) else given


def rounded(value: Any) -> Any:
    match value:
        case float():
            return value if math.isinf(value) else float(f"{value:.9g}")
        case list() | tuple():
            return [rounded(each) for each in value]
        case dict():
            return {name: rounded(each) for name, each in value.items()}
    return value


def answer(con: duckdb.DuckDBPyConnection, macro: str, table: Any, **arguments: Any) -> tuple[Any, Any]:
    """The types of what a macro gives, and its rows in an order of their own."""
    result = con.execute(f"from {call(macro, table, **arguments)}")
    types = [(name, str(type_)) for name, type_, *_ in result.description or []]
    return types, sorted((rounded(row) for row in result.fetchall()), key=str)


class TestSameAsRepeated:
    @pytest.mark.slow("half a second a case", but=(0, 1, 2, 3, 5, 7))
    @pytest.mark.parametrize("macro", QUESTIONS)
    @few
    @given(table=counts())
    def test_answer(self, con: duckdb.DuckDBPyConnection, macro: str, table: list[Row]) -> None:
        self.compare(con, table, macro, *QUESTIONS[macro])

    @pytest.mark.parametrize(
        "macro",
        [
            pytest.param(macro, marks=pytest.mark.slow("2 s") if macro == "breaches" else ())
            for macro in COSTLY
        ],
    )
    @fewer
    @given(table=counts())
    def test_costly_answer(self, con: duckdb.DuckDBPyConnection, macro: str, table: list[Row]) -> None:
        self.compare(con, table, macro, *COSTLY[macro])

    @pytest.mark.slow("1 s a case", but=(0, 1, 3, 4, 6, 8, 9, 10))
    @pytest.mark.parametrize("macro", ATTACKS)
    def test_attack(self, con: duckdb.DuckDBPyConnection, macro: str) -> None:
        self.compare(con, [*LEAST, (1, 2, 3, 2), (None, 1, 2, 1)], macro, *ATTACKS[macro])

    def test_every_attack_that_counts_rows_is_asked(self, con: duckdb.DuckDBPyConnection) -> None:
        takes = con.execute(
            """select attack from sqlanon._attacks() join duckdb_functions() on function_name = attack
            where database_name = 'sqlanon' and list_contains(parameters, 'weight')"""
        ).fetchall()
        assert len(takes) >= 10
        assert {attack for (attack,) in takes} <= {*QUESTIONS, *COSTLY, *ATTACKS}

    def compare(
        self,
        con: duckdb.DuckDBPyConnection,
        table: list[Row],
        macro: str,
        about: str | list[str],
        arguments: dict[str, Any],
    ) -> None:
        load(con, table)
        if about == "generalized":
            con.execute(MADE_BY_MONDRIAN).fetchall()
        of_people = {name: repeated(value) for name, value in arguments.items()}
        wanted = answer(con, macro, repeated(about), **of_people)
        assert answer(con, macro, about, **arguments, weight="n") == wanted

    @pytest.mark.slow("1 s a case")
    @pytest.mark.parametrize("macro", OF_POPULATION)
    @few
    @given(table=counts())
    def test_population(self, con: duckdb.DuckDBPyConnection, macro: str, table: list[Row]) -> None:
        load(con, table)
        arguments = OF_POPULATION[macro]
        of_counts = {"population": "population", "population_weight": "n", "weight": "n"}
        assert answer(con, macro, "counts", **arguments, **of_counts) == answer(
            con, macro, "repeated_counts", **arguments, population="repeated_population"
        )

    @pytest.mark.parametrize("macro", OF_RECORDS)
    @few
    @given(table=counts())
    def test_records(self, con: duckdb.DuckDBPyConnection, macro: str, table: list[Row]) -> None:
        load(con, table)
        con.execute(
            "create or replace table known as select id, a, b, 'v' || s as s, n from counts"
        ).fetchall()
        con.execute(
            "create or replace table noisy as select * replace (a + b // 2 as a, least(b, a) as b, "
            "greatest(n - id % 2, 1) as n) from known where n > 0"
        ).fetchall()
        for name in ("known", "noisy"):
            con.execute(
                f"create or replace table repeated_{name} as "
                f"select {name}.* exclude (n) replace (10 * id + copy as id) from {name}, range(n) as r(copy)"
            ).fetchall()
        arguments = {**OF_RECORDS[macro], "id": "id"}
        wanted = answer(con, macro, "repeated_known", release="repeated_noisy", **arguments)
        assert answer(con, macro, "known", release="noisy", **arguments, weight="n") == wanted

    @few
    @given(table=counts())
    def test_rows_with_their_weight(self, con: duckdb.DuckDBPyConnection, table: list[Row]) -> None:
        """What has a row per record has one per row of the table."""
        load(con, table)
        questions: dict[str, dict[str, Any]] = {
            "record_risk": {"qi": QI, "keep": "id"},
            "suda": {"columns": [*QI, "s"], "id": "id", "fraction": 0.1},
        }
        for macro, arguments in questions.items():
            weighted = call(macro, "counts", **arguments, weight="n")
            each = con.execute(
                "select answer.* "
                f"from (select columns(lambda name: name <> 'n') from {weighted}) as answer "
                "join counts using (id), range(n)"
            ).fetchall()
            _, wanted = answer(con, macro, "repeated_counts", **arguments)
            assert sorted(map(rounded, each), key=str) == wanted


class TestRefused:
    """No weight that makes no sense is taken, whatever is asked."""

    @pytest.fixture
    def tables(self, con: duckdb.DuckDBPyConnection) -> None:
        load(con, [(1, 1, 1, 2), (2, 2, 2, 0), (3, 1, 1, 1)])
        con.execute(
            """create or replace table wrong as select *, nullif(n, 0) as has_null, 1 - n as negative,
            n / 2 as fraction, 'x' || n as words, n > 0 as truth, 'nan'::double as nan, 2147483648 as large,
            n::varchar as spelled, n::decimal(9, 2) as decimal, n::double as double from counts"""
        ).fetchall()

    @pytest.mark.parametrize(
        ("column", "number"),
        [("has_null", 1), ("negative", 1), ("fraction", 1), ("words", 3), ("truth", 3), ("nan", 3)],
    )
    def test_no_number_of_people(
        self, con: duckdb.DuckDBPyConnection, tables: None, column: str, number: int
    ) -> None:
        message = f'{number} rows of table wrong have no whole number of at least 0 in column "{column}"'
        for macro in ("classes", "violations"):
            requirements = {"k": 1} if macro == "violations" else {}
            with pytest.raises(duckdb.Error, match=message):
                answer(con, macro, "wrong", qi="a", weight=column, **requirements)

    def test_too_many_people(self, con: duckdb.DuckDBPyConnection, tables: None) -> None:
        """What one number has room for is not exceeded in silence."""
        with pytest.raises(duckdb.Error, match=r'at most: column "large" \(weight\) adds up to 6442450944'):
            answer(con, "privacy", "wrong", qi="a", sensitive="s", weight="large")
        con.execute("create or replace table most as select 1 as a, 's' as s, 4294967295 as n").fetchall()
        _, reached = answer(con, "privacy", "most", qi="a", sensitive="s", weight="n")
        assert {row[3] for row in reached} == {4294967295}

    def test_a_number_of_any_type(self, con: duckdb.DuckDBPyConnection, tables: None) -> None:
        wanted = answer(con, "classes", "wrong", qi="a", weight="n")
        assert [row[2] for row in wanted[1]] == [2, 1]  # the row of nobody has no class
        for column in ("spelled", "decimal", "double"):
            assert answer(con, "classes", "wrong", qi="a", weight=column) == wanted

    def test_nobody_is_there(self, con: duckdb.DuckDBPyConnection, tables: None) -> None:
        con.execute("create or replace table nobody as select * replace (0 as n) from counts").fetchall()
        assert answer(con, "classes", "nobody", qi="a", weight="n")[1] == []
        with pytest.raises(duckdb.Error, match="table nobody is empty"):
            answer(con, "risk", "nobody", qi="a", weight="n")

    @pytest.mark.parametrize(
        ("macro", "arguments", "message"),
        [
            ("privacy", {"qi": "a", "weight": "a"}, 'column "a" is named twice'),
            ("risk", {"qi": "a", "weight": "n", "unit": "id"}, "unit does not go with weight"),
            ("classes", {"qi": "a", "weight": "m"}, 'table counts has no column "m"'),
            ("quasi_identifiers", {"weight": "n", "sample": 2}, "sample does not go with weight"),
            (
                "utility",
                {"release": "counts", "qi": "a", "weight": "n", "id": "id"},
                "id does not go with weight",
            ),
            (
                "risk",
                {"qi": "a", "population_weight": "n"},
                "population_weight is a column of the population",
            ),
            (
                "risk",
                {"qi": "a", "population": "people", "population_weight": "n"},
                'table people has no column "n"',
            ),
            (
                "privacy",
                {"qi": "a", "sensitive": "s", "reference": "people", "weight": "n"},
                'table people has no column "n"',
            ),
            ("locate", {**ATTACK, "sensitive": None, "weight": "b"}, 'column "b" is named twice'),
        ],
    )
    def test_what_does_not_go_together(
        self,
        con: duckdb.DuckDBPyConnection,
        tables: None,
        macro: str,
        arguments: dict[str, Any],
        message: str,
    ) -> None:
        with pytest.raises(duckdb.Error, match=message):
            answer(con, macro, "counts", **arguments)

    def test_a_release_that_lacks_it_is_named(self, con: duckdb.DuckDBPyConnection, tables: None) -> None:
        with pytest.raises(duckdb.Error, match='table people has no column "n"'):
            answer(con, "breaches", ["counts", "people"], **ATTACK, weight="n")

    @pytest.mark.parametrize("macro", OF_RECORDS)
    def test_a_record_for_more_people_than_before(
        self, con: duckdb.DuckDBPyConnection, tables: None, macro: str
    ) -> None:
        con.execute("create or replace table more as select * replace (n + 1 as n) from counts").fetchall()
        with pytest.raises(duckdb.Error, match=r"records of more (are not in|stand)"):
            answer(con, macro, "counts", release="more", id="id", columns="b", weight="n")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """counts.csv, the same people in rows.csv, and people.csv: one of each row."""
    monkeypatch.chdir(tmp_path)
    counted = [(20, "F", "flu", 3), (20, "F", "cold", 2), (30, "M", "flu", 5), (30, "M", "flu", 0)]
    repeated = [row[:3] for row in counted for _ in range(row[3])]
    for name, header, table in (
        ("counts", "age,sex,disease,people", counted),
        ("rows", "age,sex,disease", repeated),
        ("people", "age,sex,disease,id", [(*row[:3], i) for i, row in enumerate(counted[:3])]),
    ):
        lines = [header, *(",".join(map(str, row)) for row in table)]
        Path(f"{name}.csv").write_text("\n".join(lines) + "\n", "utf-8")
    return tmp_path


class TestCommandLine:
    def run(self, command: str) -> Any:
        from sqlanon.cli.app import app

        return CliRunner().invoke(app, shlex.split(command))

    @pytest.mark.slow("0.7 s")
    @pytest.mark.parametrize(
        ("command", "exit_code"),
        [
            ("check {}.csv --qi age,sex --k 5", 0),
            ("check {}.csv --qi age,sex --k 6", 1),
            ("risk {}.csv --qi age,sex", 0),
            pytest.param(
                "attack {0}.csv {0}.csv --targets people.csv --id id --qi age,sex --sensitive disease",
                0,
                marks=pytest.mark.slow("2 s"),
            ),
            pytest.param("uniques {}.csv --columns age,sex", 0, marks=pytest.mark.slow("1 s")),
            pytest.param("quasi-identifiers {}.csv --columns age,sex", 0, marks=pytest.mark.slow("1 s")),
            pytest.param("utility {0}.csv {0}.csv --qi age,sex", 0, marks=pytest.mark.slow("1 s")),
        ],
    )
    def test_counts_are_as_good_as_rows(self, folder: Path, command: str, exit_code: int) -> None:
        counted = self.run(command.format("counts") + " --weight people")
        assert (counted.exit_code, counted.stdout) == (exit_code, self.run(command.format("rows")).stdout)
        assert "rows are counted" not in counted.stderr

    @pytest.mark.slow("0.8 s")
    def test_who_forgets_it_is_told(self, folder: Path) -> None:
        done = self.run("check counts.csv --qi age,sex --k 5")
        assert done.exit_code == 1
        assert "--weight people counts these" in done.stderr
        assert "--weight" not in self.run("check rows.csv --qi age,sex --k 5").stderr

    @pytest.mark.slow("half a second a case", but=(0, 1, 2, 3, 4, 6, 7))
    @pytest.mark.parametrize(
        ("command", "message"),
        [
            (
                "risk counts.csv --qi age --weight peopel",
                "peopel in counts.csv; did you mean people?",
            ),
            ("risk counts.csv --qi age --weight age", "--weight: column age is in --qi already"),
            ("risk counts.csv --qi age --weight sex", '4 rows of table "counts.csv" have no whole number'),
            ("risk rows.csv --qi age --population-weight people", "--population-weight needs --population"),
            (
                "attack counts.csv rows.csv --targets people.csv --id id --qi age --sensitive disease "
                "--weight people",
                "--weight: there is no column people in rows.csv",
            ),
            (
                "disclosure counts.csv rows.csv --columns age --id sex --weight people",
                "--weight: there is no column people in rows.csv",
            ),
            ("quasi-identifiers counts.csv --weight people --sample 2", "--sample does not go with --weight"),
            (
                "anonymize rows.csv --qi age --k-map 2 --population counts.csv --population-weight people",
                "--population-weight is for checks, measures and attacks, not for mondrian",
            ),
        ],
    )
    def test_what_makes_no_sense(self, folder: Path, command: str, message: str) -> None:
        done = self.run(command)
        assert done.exit_code in (2, 3)
        assert message in done.stderr

    @pytest.mark.slow("0.5 s")
    def test_a_policy_has_it(self, folder: Path) -> None:
        Path("policy.toml").write_text(
            '[roles]\nqi = ["age"]\nsensitive = ["disease"]\nweight = "people"\n[requirements]\nk = 2\n',
            "utf-8",
        )
        counted = self.run("risk counts.csv --policy policy.toml")
        assert counted.stdout == self.run("risk rows.csv --qi age").stdout
        refused = self.run("anonymize counts.csv --policy policy.toml")
        assert "roles.weight is for checks, measures and attacks, not for mondrian" in refused.stderr

    @pytest.mark.slow("commands in processes of their own")
    def test_a_report(self, folder: Path, con: duckdb.DuckDBPyConnection) -> None:
        pytest.importorskip("vl_convert")
        about: dict[str, Any] = {
            "qi": "age", "sensitive": "disease", "truth": "disease", "k": 6,
            "targets": "people.csv", "id": "id",
        }  # fmt: skip
        counted = sqlanon.report(
            con, ["counts.csv"], **about, original="counts.csv", weight="people", attacks="none"
        ).data
        wanted = sqlanon.report(con, ["rows.csv"], **about, original="rows.csv", attacks="none").data
        for part in ("reached", "sizes", "risk", "utility"):
            tables = getattr(counted.releases["counts.csv"], part), getattr(wanted.releases["rows.csv"], part)
            assert tables[0].rows == tables[1].rows, part
        assert counted.attacks["disease"].measures.rows == wanted.attacks["disease"].measures.rows
