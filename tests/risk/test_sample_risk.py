"""Risk by sampling weights and households, against the slow one, and the numbers of mu-Argus and sdcMicro."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections.abc import Iterator
from math import log
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import sqlanon
from sqlanon import policies
from sqlanon.cli.app import app
from tests import data
from tests.budget import examples
from tests.core.test_bad_input import NAMES, refused
from tests.oracles import risk as oracle
from tests.tables import Column, load, rows

few = examples(40, quick=4)
FORMULAS = ("approximate", "exact")


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        connection.execute(
            "create table people as select range as id, range % 3 as age, 2.5 as w, range // 2 as home, "
            "1 as n, range // 3 as whose from range(9)"
        ).fetchall()
        yield connection


def measured(con: duckdb.DuckDBPyConnection, table: str, **arguments: Any) -> dict[str, float]:
    return {id: value for _, value, _, id in rows(con, "risk", table, **arguments)}


def hidden(value: Any) -> bool:
    return value in (None, "*")


@st.composite
def samples(draw: st.DrawFn) -> tuple[list[Column], list[float], list[int]]:
    """Rows of texts and numbers, some of them missing, with households of one weight each."""
    n = draw(st.integers(1, 14))
    homes = draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    weight = {home: draw(st.sampled_from([1.0, 1.5, 3.25, 40.0])) for home in sorted(set(homes))}
    columns = []
    kinds: list[tuple[str, list[Any]]] = [("VARCHAR", ["a", "b", "*", None]), ("INTEGER", [1, 2, None])]
    for i in range(draw(st.integers(1, 3))):
        type_, values = draw(st.sampled_from(kinds))
        columns.append(Column(f"q '{i}'", type_, [draw(st.sampled_from(values)) for _ in range(n)]))
    return columns, [weight[home] for home in homes], homes


@few
@given(samples(), st.sampled_from(FORMULAS), st.booleans(), st.sampled_from([0.0, 0.3, 0.9]))
def test_random_samples(
    con: duckdb.DuckDBPyConnection,
    sample: tuple[list[Column], list[float], list[int]],
    formula: str,
    by_household: bool,
    wished: float,
) -> None:
    """Measures and records; and what the global risk is once no risk is above the threshold."""
    columns, weights, homes = sample
    load(con, "t", [*columns, Column("w", "DOUBLE", weights), Column("home", "INTEGER", homes)])
    table = list(zip(*(column.values for column in columns), strict=True))
    expected, told = oracle.sample_risk(
        table, weights, homes if by_household else None, formula == "exact", hidden
    )
    about: dict[str, Any] = {"qi": [column.name for column in columns], "sampling_weight": "w"}
    about |= {"risk_formula": formula, "household": "home" if by_household else None}
    found = measured(con, "t", **about, threshold=0.3, wished_global_risk=wished)
    assert {id: found[id] for id in expected} == pytest.approx(expected, rel=1e-11)
    risks = [row[-1] for row in told]
    assert found["individual_risk_above_threshold"] == sum(row[2] > 0.3 for row in told) / len(told)
    if found["global_risk"] > wished:
        capped = sum(min(risk, found["risk_threshold"]) for risk in risks)
        assert capped == pytest.approx(wished * len(told), rel=1e-9, abs=1e-9)
    else:
        assert found["risk_threshold"] == 1
    records = {row[len(columns)]: row for row in rows(con, "record_risk", "t", **about, keep="id")}
    for id, wanted in enumerate(told):
        assert records[id][len(columns) + 3 :] == pytest.approx(wanted, rel=1e-11)
    # a class has the highest risk of its rows
    of_class: dict[tuple[Any, ...], float] = {}
    for row, risk in zip(table, risks, strict=True):
        of_class[row] = max(risk, of_class.get(row, 0))
    risky = rows(con, "violations", "t", **about, individual_risk=0.3)
    above = {row: risk for row, risk in of_class.items() if risk > 0.3 * (1 + 1e-11)}
    assert {tuple(row[6].values()): row[3] for row in risky} == pytest.approx(above, rel=1e-11)
    worst = rows(con, "privacy", "t", **about)[-1]
    assert worst[2] == pytest.approx(max(risks), rel=1e-11)


@few
@given(samples(), st.booleans(), st.sampled_from([0.1, 0.4, 0.8]))
def test_rows_above_a_risk_are_suppressed(
    con: duckdb.DuckDBPyConnection,
    sample: tuple[list[Column], list[float], list[int]],
    by_household: bool,
    most: float,
) -> None:
    columns, weights, homes = sample
    load(con, "t", [*columns, Column("w", "DOUBLE", weights), Column("home", "INTEGER", homes)])
    table = list(zip(*(column.values for column in columns), strict=True))
    of_home = homes if by_household else None
    about: dict[str, Any] = {"qi": [column.name for column in columns], "sampling_weight": "w"}
    about |= {"household": "home" if by_household else None, "keep": ["id", "w"], "max_risk": most}
    _, told = oracle.sample_risk(table, weights, of_home, False, hidden)
    wanted = [
        (None,) * len(columns) if risks[-1] > most else row for row, risks in zip(table, told, strict=True)
    ]
    _, left = oracle.sample_risk(wanted, weights, of_home, False, hidden)
    if max(risks[-1] for risks in left) > most:
        message = refused(con, "suppress_above_risk", "t", **about)
        assert f"max_risk = {most} is too low for table t: rows without any quasi-identifier" in message
    else:
        found = {row[-2]: row for row in rows(con, "suppress_above_risk", "t", **about)}
        assert found == {id: (*row, id, weights[id]) for id, row in enumerate(wanted)}


def test_violations_of_a_risk_beside_others(con: duckdb.DuckDBPyConnection) -> None:
    """Of three rows of 2.5 people each r = p / (f - 1 + p) with p = 1 / 2.5, for those of two rows more."""
    about: dict[str, Any] = {"qi": "age", "sampling_weight": "w"}
    found = rows(con, "violations", "people", **about, individual_risk=0.1, k=4)
    assert [(row[0], *row[2:6]) for row in found] == [
        *[("k-anonymity", 4, 3, 3, 3)] * 3,
        *[("individual risk", 0.1, pytest.approx(1 / 6), 3, 7)] * 3,
    ]
    assert not rows(con, "violations", "people", **about, individual_risk=0.17)
    assert "individual_risk needs sampling_weight" in refused(
        con, "violations", "people", qi="age", individual_risk=0.1
    )
    assert "sampling_weight and household need individual_risk" in refused(
        con, "violations", "people", **about, k=2
    )
    assert "population does not go with sampling_weight" in refused(
        con, "privacy", "people", **about, population="people"
    )


class TestFormulas:
    @pytest.mark.both_lines
    def test_the_mean_of_the_inverse(self, con: duckdb.DuckDBPyConnection) -> None:
        """Where one formula takes over from another, and far from there; all in one statement."""
        shares = [1.0, 0.999, 0.7, 0.5, 0.4999999, 0.3, 0.02, 1 / 300]
        cases = [(f, p) for f in (1, 2, 3, 4, 7, 19, 20, 21, 50) for p in shares]
        found = con.execute(
            "select sqlanon._exact_risk(f, p) from (select unnest($1) as f, unnest($2) as p)",
            [[f for f, _ in cases], [p for _, p in cases]],
        ).fetchall()
        wanted = [oracle.mean_of_inverse(f, p) for f, p in cases]
        assert [risk for (risk,) in found] == pytest.approx(wanted, rel=1e-11)

    @pytest.mark.both_lines
    def test_extreme_shares(self, con: duckdb.DuckDBPyConnection) -> None:
        """Near p = 1 the closed form of f = 2 gives -109.5; near 0 the largest term is what is left."""
        [found] = con.execute(
            "select sqlanon._exact_risk(2, p), sqlanon._exact_risk(1, p), sqlanon._exact_risk(3, s), "
            "sqlanon._exact_risk(1, s), sqlanon._exact_risk(1000000, 0.01), sqlanon._exact_risk(5, 1) "
            "from (select 1 - 1e-9 as p, 1e-12 as s)"
        ).fetchall()
        near_0 = (5e-13, 1e-12 * log(1e12))
        assert found == pytest.approx((0.5, 1, *near_0, 0.01 / 1e6 * 1.00000099, 0.2), rel=1e-8)

    def test_what_is_published(self, con: duckdb.DuckDBPyConnection) -> None:
        [found] = con.execute(
            "select list(sqlanon._exact_risk(f, f / people) order by nth) from (values (1, 2, 360), "
            "(2, 1, 215), (3, 2, 152)) as t(nth, f, people)"
        ).fetchall()[0]
        assert [f"{risk:.8f}" for risk in found] == ["0.00542452", "0.02509644", "0.01256343"]


EIGHT = (
    (2, 3, 2, 2, 3, 3, 1, 2), (3, 3, 3, 3, 3, 3, 4, 3), (1, 3, 1, 2, 1, 1, 1, 1),
    (18, 45.5, 39, 17, 92, 8, 123.5, 51),
)  # fmt: skip


@pytest.mark.both_lines
def test_the_example_of_sdcmicro(con: duckdb.DuckDBPyConnection) -> None:
    load(con, "t", [Column(name, "DOUBLE", values) for name, values in zip("abcw", EIGHT, strict=True)])
    about: dict[str, Any] = {"qi": ["a", "b", "c"], "keep": "id", "sampling_weight": "w"}
    told = sorted(row[3:] for row in rows(con, "record_risk", "t", **about))
    assert [row[3] for row in told] == [3, 1, 3, 1, 2, 2, 1, 3]
    assert [row[4] for row in told] == [108, 45.5, 108, 17, 100, 100, 123.5, 108]
    published = ["0.01369863", "0.08579129", "0.01369863", "0.17707583", "0.01877883", "0.01877883",
                 "0.03931625", "0.01369863"]  # fmt: skip
    assert [f"{row[5]:.8f}" for row in told] == published
    exact = sorted(row[3:] for row in rows(con, "record_risk", "t", **about, risk_formula="exact"))
    three = ["0.01355297"]
    assert [f"{row[5]:.8f}" for row in exact] == [
        *three, published[1], *three, published[3], *published[4:7], *three,
    ]  # fmt: skip


@pytest.fixture(scope="module")
def demodata(con: duckdb.DuckDBPyConnection) -> str:
    columns = {"region": (1, 4), "sex": (5, 5), "age": (6, 7), "marstat": (8, 8), "w": (44, 49)}
    data.load_muargus(con, "demodata", columns, "Demodata.asc")
    return "demodata"


class TestPublished:
    QI = ("region", "sex", "age", "marstat")

    @data.needs_muargus
    def test_demodata(self, con: duckdb.DuckDBPyConnection, demodata: str) -> None:
        """mu-Argus' manual prints 78 expected re-identifications, 1.956 %."""
        about: dict[str, Any] = {"qi": list(self.QI), "sampling_weight": "w", "risk_formula": "exact"}
        found = measured(con, demodata, **about, threshold=0.00125)
        assert (found["classes"], found["records"]) == (3450, 4000)
        assert f"{found['expected_reidentifications']:.5f}" == "78.25502"
        assert f"{100 * found['global_risk']:.5f}" == "1.95638"
        assert found["individual_risk_above_threshold"] * 4000 == 3968

    @data.needs_muargus
    def test_demodata_recoded(self, con: duckdb.DuckDBPyConnection, demodata: str) -> None:
        for column in ("region", "age"):
            con.execute("create or replace table groups (first int, last int, code text)").fetchall()
            con.executemany(
                "insert into groups values (?, ?, ?)",
                data.groups_of_muargus(f"{column.capitalize()}.grc"),
            )
            con.execute(
                f"create or replace table recoded as select t.* replace (coalesce((select code from groups "
                f"where t.{column}::int between first and last), t.{column}) as {column}) "
                f"from {'recoded' if column == 'age' else demodata} as t"
            ).fetchall()
        about: dict[str, Any] = {"qi": list(self.QI), "sampling_weight": "w", "risk_formula": "exact"}
        found = measured(con, "recoded", **about, threshold=0.00125)
        assert found["classes"] == 499
        assert f"{found['expected_reidentifications']:.5f}" == "4.99405"
        assert f"{100 * found['global_risk']:.6f}" == "0.124851"
        assert found["individual_risk_above_threshold"] * 4000 == 397

    @data.needs_muargus
    def test_households_of_samhh(self, con: duckdb.DuckDBPyConnection) -> None:
        columns = {"home": (1, 4), "w": (5, 9), "province": (11, 11), "marstat": (13, 13)}
        columns |= {"sex": (14, 14), "age": (15, 16)}
        data.load_muargus(con, "samhh", columns, "Samhh.asc")
        about: dict[str, Any] = {"qi": ["province", "marstat", "sex", "age"], "sampling_weight": "w"}
        about |= {"household": "home", "risk_formula": "exact"}
        found = measured(con, "samhh", **about, threshold=0.13431)
        assert found["households"] == 379
        assert round(found["household_risk_above_threshold"] * 379, 9) == 71
        risks = {row[4]: row[-1] for row in rows(con, "record_risk", "samhh", **about, keep="home")}
        of_each = sorted(risks.values(), reverse=True)
        assert [f"{risk:.8f}" for risk in of_each[70:72]] == ["0.14232733", "0.12928644"]

    @data.needs_eusilc
    def test_eusilc(self, con: duckdb.DuckDBPyConnection) -> None:
        """2,720 rows have missing values."""
        con.execute(
            "create or replace table eusilc as from read_csv($1, nullstr = '')",
            [str(data.data() / "eusilc" / "eusilc.csv")],
        ).fetchall()
        about: dict[str, Any] = {
            "qi": ["age", "pb220a", "pl030", "rb090", "hsize"], "sampling_weight": "rb050",
            "household": "db030",
        }  # fmt: skip
        for formula, alone, together, percent in (
            ("approximate", "20.93697", "78.59277", "0.53"),
            ("exact", "20.93612", "78.58966", "0.53"),
        ):
            found = measured(con, "eusilc", **about, risk_formula=formula)
            assert f"{found['individual_risk_mean'] * found['records']:.5f}" == alone
            assert f"{100 * found['individual_risk_mean']:.2f}" == "0.14"
            assert f"{found['expected_reidentifications']:.5f}" == together
            assert f"{100 * found['global_risk']:.2f}" == percent


class TestHouseholds:
    def test_a_household_without_weights_is_of_the_population(self, con: duckdb.DuckDBPyConnection) -> None:
        """Each row stands for itself: 1 / the rows of its class."""
        found = measured(con, "people", qi="age", household="home", risk_formula="exact")
        assert (found["population_estimate"], found["individual_risk_highest"]) == (9, 1 / 3)
        assert found["household_risk_highest"] == pytest.approx(1 - (2 / 3) ** 2)
        assert found["global_risk"] == pytest.approx((8 * (1 - (2 / 3) ** 2) + 1 / 3) / 9)

    def test_python_gives_the_same_rows(self, con: duckdb.DuckDBPyConnection) -> None:
        about: dict[str, Any] = {"qi": "age", "sampling_weight": "w", "household": "home"}
        found = sqlanon.risk(con, "people", **about, wished_global_risk=0.1).fetchall()
        assert found == rows(con, "risk", "people", **about, wished_global_risk=0.1)
        records = sqlanon.record_risk(con, "people", **about, keep=["home", "w"]).fetchall()
        assert sorted(records) == sorted(rows(con, "record_risk", "people", **about, keep=["home", "w"]))


def test_suppressed_cells_as_wildcards_of_a_sample(con: duckdb.DuckDBPyConnection) -> None:
    """Where somebody may be looked for says nothing of how many people a row stands for."""
    values = "(1, 'a', 10.0), (2, '*', 10.0), (2, 'b', 5.5)"
    con.execute(f"create or replace table t as from (values {values}) row(k, r, w)").fetchall()
    call = "select r, {} from sqlanon.record_risk('t', ['k', 'r'], sampling_weight := 'w'{}) order by r"
    told = "sample_count, population_estimate, individual_risk"
    wildcard = ", suppressed := 'wildcard'"
    with_wildcards, by_value = (con.execute(call.format(told, each)).fetchall() for each in (wildcard, ""))
    assert with_wildcards == by_value
    found = con.execute(call.format("prosecutor_risk", wildcard)).fetchall()
    assert found == [("*", 0.5), ("a", 1), ("b", 1)]


class TestBadInput:
    @pytest.mark.parametrize("weight", [None, float("nan"), float("inf"), -3])
    def test_sampling_weights(self, con: duckdb.DuckDBPyConnection, weight: float | None) -> None:
        load(con, "t", [Column("a", "INTEGER", [1, 2, 3]), Column("w", "DOUBLE", [weight, 12.37, weight])])
        for macro in ("risk", "record_risk"):
            assert (
                '2 classes of table t have rows with no finite number of at least 1 in column "w" '
                "(sampling_weight: for how many people of the population a row stands): NULL, below 1, not "
                "finite or no number"
            ) in refused(con, macro, "t", qi="a", sampling_weight="w")
        with pytest.raises(duckdb.Error, match="2 classes of table t have rows with no finite number"):
            con.execute(
                "select value from sqlanon.risk('t', 'a', sampling_weight := 'w') where id = 'global_risk'"
            ).fetchall()

    def test_households(self, con: duckdb.DuckDBPyConnection) -> None:
        load(
            con, "t",
            [Column("a", "INTEGER", [1, 2, 3, 4]), Column("h", "VARCHAR", ["x", "x", "y", None]),
             Column("w", "DOUBLE", [1.5, 2.5, 3, 3])],
        )  # fmt: skip
        about: dict[str, Any] = {"qi": "a", "sampling_weight": "w", "household": "h"}
        for macro in ("risk", "record_risk"):
            assert '1 rows of table t have NULL in column "h" (household)' in refused(
                con, macro, "t", **about
            )
            con.execute("create or replace view known as from t where h is not null").fetchall()
            assert (
                '1 households of table known (column "h") have several values in column "w" (sampling_weight)'
            ) in refused(con, macro, "known", **about)

    @pytest.mark.parametrize("macro", ["risk", "record_risk"])
    def test_parameters(self, con: duckdb.DuckDBPyConnection, macro: str) -> None:
        def message(**more: Any) -> str:
            return refused(con, macro, "people", **({"qi": "age"} | more))

        both = message(weight="n", sampling_weight="w")
        assert "weight does not go with sampling_weight: sampling_weight is for a sample" in both
        assert "weight is for a table of counts: how many people of the table a row is" in both
        assert "weight does not go with household" in message(weight="n", household="home")
        assert "unit does not go with sampling_weight or household" in message(unit="whose", household="home")
        assert '"W" is named twice: a column has one role, in qi, sampling_weight or household' in message(
            qi="w", sampling_weight="W"
        )
        assert '"ww"' in message(sampling_weight="ww")
        assert "risk_formula must be approximate or exact, not best" in message(risk_formula="best")
        fractions = message(weight="w")
        assert "The weights of a sample, such as 12.37, are for sampling_weight" in fractions
        if macro == "risk":
            assert "sampling_weight does not go with fraction" in message(sampling_weight="w", fraction=0.1)
            assert "wished_global_risk needs sampling_weight" in message(wished_global_risk=0.1)
            assert "wished_global_risk must be between 0 and 1" in message(
                sampling_weight="w", wished_global_risk=1.1
            )

    @pytest.mark.parametrize("name", [NAMES[1], "whose", "stands_for", "individual_risk"])
    def test_names(self, con: duckdb.DuckDBPyConnection, name: str) -> None:
        """As a quasi-identifier, as the weight, and as the household."""
        other = Column("other", "INTEGER", [1, 2, 3])
        load(con, "hostile", [Column(name, "INTEGER", [2, 2, 2]), other])
        found = measured(con, "hostile", qi="other", sampling_weight=name.upper())
        assert found["population_estimate"] == 6
        records = rows(con, "record_risk", "hostile", qi="other", household=name)
        assert [row[-4:] for row in records] == [(1, 1.0, 1.0, 1.0)] * 3


SURVEY = """age,region,w,home,ill
20,n,40,1,a
20,n,40,1,b
50,n,60.5,2,a
50,s,12.37,3,b
70,s,12.37,3,a
"""
POLICY = """[roles]
qi = ["age", "region"]
keep = ["w", "home"]
sensitive = ["ill"]
sampling_weight = "w"
household = "home"
[requirements]
k = 1
"""
SAID = "The global risk is 18.95 %: of 5 records 0.9 are expected to be found in the population, with all"


@pytest.fixture
def survey(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "survey.csv").write_text(SURVEY)
    (tmp_path / "policy.toml").write_text(POLICY)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, [*arguments])


class TestCommands:
    @pytest.mark.slow("2 s")
    @pytest.mark.usefixtures("survey")
    def test_by_options_and_policy(self) -> None:
        columns = ("--qi", "age,region", "--sampling-weight", "w", "--household", "home")
        by_options = run("risk", "survey.csv", *columns, "--wished-global-risk", "0.05", "--format", "table")
        assert by_options.exit_code == 0, by_options.output
        assert SAID in by_options.output.replace("\n", " ")
        assert "0.0527383" in by_options.stdout
        by_record = run("risk", "survey.csv", "--policy", "policy.toml", "--per-record", "--format", "csv")
        assert by_record.exit_code == 0, by_record.output
        assert by_record.stdout.splitlines()[0] == (
            "age,region,w,home,size,prosecutor_risk,sample_count,population_estimate,individual_risk,"
            "household_risk"
        )
        checked = run("check", "survey.csv", "--policy", "policy.toml", "--format", "csv")
        assert (checked.exit_code, SAID in checked.stderr) == (0, True), checked.output

    def test_what_a_policy_may_say(self, survey: Path) -> None:
        """The columns leave if they are kept, and have no third role."""
        with duckdb.connect() as con:
            con.execute("create table survey as from read_csv('survey.csv')").fetchall()
            (survey / "policy.toml").write_text(POLICY.replace('"w", "home"', '"home"'))
            without = policies.load(survey / "policy.toml").run(con, "survey")
            assert con.table(without.table).columns == ["age", "region", "ill", "home"]
        (survey / "policy.toml").write_text(POLICY.replace('"ill"', '"w"'))
        with pytest.raises(sqlanon.InputError, match=r"column w is in roles.\w+ already, and has one role"):
            policies.load(survey / "policy.toml")


class TestOfAWholeTable:
    """Requirements of a release as a whole: enforced when it is made, and checked again."""

    REQUIRED = """[requirements]
k = {k}
records_at_risk = 0.4
risk_threshold = 0.15
sample_uniques = 0.5
population_uniques = 0.05
global_risk = {most}
"""

    def policy(self, folder: Path, k: int, most: float, method: str = "mondrian") -> Path:
        roles = POLICY.partition("[requirements]")[0]
        path = folder / f"{method}_{k}.toml"
        text = f'{roles}{self.REQUIRED.format(k=k, most=most)}[method]\nname = "{method}"\n'
        path.write_text(text)
        return path

    @pytest.mark.slow("1.5 s a case", but=(0,))
    @pytest.mark.parametrize("method", ["mondrian", "optimal", "microaggregate"])
    def test_anonymizers_enforce_them(self, survey: Path, method: str) -> None:
        with duckdb.connect() as con:
            con.execute("create table survey as from read_csv('survey.csv')").fetchall()
            if method == "microaggregate":
                con.execute("update survey set region = if(region = 'n', '1', '2')").fetchall()
                con.execute("alter table survey alter region type int").fetchall()
            with pytest.raises(
                sqlanon.RefusedError, match=r"the global risk is 0\.1\d+, and global_risk is 0\.08"
            ):
                policies.load(self.policy(survey, 1, 0.08, method)).run(con, "survey")
            release = policies.load(self.policy(survey, 5, 0.08, method)).run(con, "survey")
            assert release.required["global risk"] == 0.08
            [(found,)] = con.execute(
                f"select value from sqlanon.risk('{release.table}', ['age', 'region'], "
                "sampling_weight := 'w', household := 'home') where id = 'global_risk'"
            ).fetchall()
            assert release.reached["global risk"] == found <= 0.08
            assert release.reached["sample uniques"] == 0

    def test_checks(self, survey: Path) -> None:
        policy = str(self.policy(survey, 1, 0.05))
        checked = run("check", "survey.csv", "--policy", policy, "--format", "csv")
        assert checked.exit_code == 1
        for told in (
            "survey.csv: records_at_risk = 0.4 (reached: 0.4) holds",
            "survey.csv: the share of sample uniques is 0.6, and sample_uniques is 0.5: coarser",
            "survey.csv: the global risk is 0.1895, and global_risk is 0.05: coarser",
        ):
            assert told in checked.stderr

    def test_report(self, survey: Path) -> None:
        """The page judges the global risk, and says where a release lacks the weights."""
        with duckdb.connect() as con:
            con.execute("create table survey as from read_csv('survey.csv')").fetchall()
            con.execute("create table without as select * exclude (w) from survey").fetchall()
            about: dict[str, Any] = {"qi": ["age", "region"], "sampling_weight": "w", "household": "home"}
            both = ["survey", "without"]
            page = sqlanon.report(con, both, **about, attacks="none", global_risk=0.1).html
            for told in (
                "survey: the global risk is 0.1895, and global_risk is 0.1: coarser",
                "global_risk = 0.1 is not known: the release lacks w or home",
                "The global risk of survey is 19 %, above the 10 % that is required: 0.9477 of 5 rows are",
                "The global risk of without is not known: it lacks w or home.",
            ):
                assert told in page
            for most, told in ((2, "must be between 0 and 1, not 2"), (0.1, "needs sampling_weight")):
                with pytest.raises(sqlanon.InputError, match=f"global_risk {told}"):
                    sqlanon.report(con, ["survey"], "age", attacks="none", global_risk=most)

    def test_a_profile(self, survey: Path) -> None:
        """HDX asks for 3 % at most."""
        path = survey / "hdx.toml"
        roles = POLICY.partition("[requirements]")[0]
        path.write_text(f'{roles}[requirements]\nprofile = "hdx-3"\n')
        read = policies.load(path)
        assert (read.rules.risks, read.requirements["k"]) == ({"global_risk": 0.03}, 1)
        for text, message in (
            (roles + '[requirements]\nprofile = "hdx-3"\nglobal_risk = 0.04\n', "hdx-3 allows at most 0.03"),
            (roles.replace('sampling_weight = "w"\n', "") + '[requirements]\nprofile = "hdx-3"\n',
             "requirements.global_risk needs roles.sampling_weight: it is about a sample"),
            (roles.replace('"w", "home"', '"home"') + '[requirements]\nprofile = "hdx-3"\n',
             r"requirements.global_risk needs w \(roles.sampling_weight\) in roles.keep"),
            (roles + "[requirements]\nk = 2\nrisk_threshold = 0.1\n", "needs requirements.records_at_risk"),
        ):  # fmt: skip
            path.write_text(text)
            with pytest.raises(sqlanon.InputError, match=message):
                policies.load(path)


def test_spellings_of_a_household_are_one() -> None:
    """Counted apart, they would look safer than they are."""
    with duckdb.connect() as con:
        con.execute(
            "create table plain as select i % 7 as age, 20.0 as w, 'h' || i // 3 as h from range(30) t(i)"
        )
        con.execute(
            "create table messy as select age, w, [h, h || ' ', upper(h)][1 + rowid % 3] as h from plain"
        )
        plain, messy = (
            sqlanon.risk(con, each, qi="age", sampling_weight="w", household="h").fetchall()
            for each in ("plain", "messy")
        )
    assert messy == plain
