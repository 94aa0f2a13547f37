"""The attack on noisy counts: against Bayes' rule written out, and what noise leaves of it."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import itertools
import math
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples
from tests.oracles import noisy_counts as oracle

AGES, ZIPS, VALUES = ["20", "30", "40"], ["a", "b"], ["flu", "hiv", None]
CELLS = [((age, zip), value) for age in AGES for zip in ZIPS for value in VALUES]


def load(con: duckdb.DuckDBPyConnection, name: str, counts: list[int], deviation: float) -> str:
    con.execute(f"create or replace table {name} (age text, zip text, disease text, n bigint, sd double)")
    rows = [[*path, value, n, deviation] for (path, value), n in zip(CELLS, counts, strict=True)]
    con.executemany(f"insert into {name} values (?, ?, ?, ?, ?)", rows)
    return name


def everybody(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("create or replace table people (name text, age text, zip text, disease text)")
    con.executemany(
        "insert into people values (?, ?, ?, ?)",
        [[f"{age}{zip}", age, zip, "flu"] for age, zip in itertools.product(AGES, ZIPS)],
    )


ABOUT: dict[str, Any] = {
    "id": "name", "qi": ["age", "zip"], "sensitive": "disease", "count_column": "n",
    "deviation_column": "sd",
}  # fmt: skip
ARGUMENTS = "'people', id := 'name', qi := ['age', 'zip'], sensitive := 'disease', count_column := 'n'"


@settings(examples(20), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.lists(st.integers(-8, 30), min_size=len(CELLS), max_size=len(CELLS)), min_size=1, max_size=3),
    st.sampled_from(["laplace", "gaussian"]),
    st.sampled_from([0.7, 2.0, 5.0]),
)
def test_it_is_bayes(
    con: duckdb.DuckDBPyConnection, counts: list[list[int]], mechanism: Any, scale: float
) -> None:
    everybody(con)
    deviation = oracle.deviation(mechanism, scale) if mechanism == "laplace" else scale
    releases = [load(con, f"r{i}", numbers, deviation) for i, numbers in enumerate(counts)]
    answer = sqlanon.noisy_counts_attack(con, releases, "people", **ABOUT, mechanism=mechanism)
    # an unknown value sorts before all others, and so does None in the cells
    noisy: list[dict[oracle.Cell, oracle.Noisy]] = [
        {(path, value or ""): (n, deviation) for (path, value), n in zip(CELLS, numbers, strict=True)}
        for numbers in counts
    ]
    for name, learned, confidence, _, _, _, candidates, shares in answer.fetchall():
        expected = oracle.probabilities(noisy, (name[:2], name[2:]), mechanism, scale)
        found = dict(zip([value or "" for value in candidates], shares, strict=True))
        assert found == pytest.approx(expected, rel=1e-6)
        assert confidence == pytest.approx(max(expected.values()), rel=1e-6)
        assert learned == (candidates[0] or "NULL")
        assert list(shares) == sorted(shares, reverse=True)


@given(
    st.integers(-50, 300), st.floats(0.001, 200), st.sampled_from([0.2, 1.0, 20.0]),
    st.sampled_from(["laplace", "gaussian"]),
)  # fmt: skip
@settings(examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_a_row_changes_is_bounded(
    con: duckdb.DuckDBPyConnection, noisy: int, expected: float, scale: float, mechanism: str
) -> None:
    """With noise of Laplace a count is at most exp(epsilon) times as probable with one person more."""
    call = f"select sqlanon._likelihood_ratio({noisy}, {expected!r}::double, {scale}, '{mechanism}')"
    [(ratio,)] = con.execute(call).fetchall()
    assert math.isfinite(ratio)
    if mechanism == "laplace":
        assert math.exp(-1 / scale) - 1e-9 <= ratio <= math.exp(1 / scale) + 1e-9


@pytest.mark.parametrize("scale", [0.3, 1, 10, 1000])
def test_the_scale_of_noise(con: duckdb.DuckDBPyConnection, scale: float) -> None:
    call = f"select sqlanon._scale_of_noise('laplace', sqlanon._noise_deviation('laplace', {scale}))"
    assert con.execute(call).fetchall() == [(pytest.approx(scale, rel=1e-6),)]


class TestPeople:
    """The counts of the release are those of 600 people, nearly without noise."""

    @pytest.fixture
    def clinic(self, con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
        everybody(con)
        load(con, "r1", [100, 0, 0] * 6, 0.1)
        return con

    def test_everything_is_told_without_noise(self, clinic: duckdb.DuckDBPyConnection) -> None:
        clinic.execute("alter table people add column is_out boolean")
        clinic.execute("update people set is_out = zip = 'b'")
        answer = sqlanon.noisy_counts_attack(
            clinic, ["r1"], "people", **ABOUT, truth="disease", controls="is_out"
        )
        for _, learned, confidence, baseline, is_right, *_ in answer.fetchall():
            assert (learned, is_right) == ("flu", True)
            assert confidence > 0.98
            assert baseline > 0.98  # of everybody
        summary = sqlanon.attack_summary(clinic, answer)
        measures = {row[-1]: row[1] for row in summary.fetchall()}
        assert (measures["subjects"], measures["controls"], measures["right"]) == (3, 3, 100)

    def test_who_is_in_no_group_is_told(self, clinic: duckdb.DuckDBPyConnection) -> None:
        clinic.execute("update people set zip = 'elsewhere' where name = '20a'")
        rows = {row[0]: row[1:] for row in sqlanon.noisy_counts_attack(
            clinic, ["r1"], "people", **ABOUT, truth="disease").fetchall()}  # fmt: skip
        assert rows["20a"][:2] == (None, None)
        assert rows["20a"][3:] == (None, False, [], [])
        assert rows["20b"][0] == "flu"

    def test_labels_that_nobody_reads_are_told(self, clinic: duckdb.DuckDBPyConnection) -> None:
        clinic.execute("update r1 set age = 'in their ' || age || 's'")
        with pytest.warns(sqlanon.UnreadWarning) as told:
            rows = sqlanon.noisy_counts_attack(clinic, ["r1"], "people", **ABOUT).fetchall()
        assert {row[1] for row in rows} == {None}
        assert any("nobody understands these values of age: in their" in str(each.message) for each in told)
        assert any("no all-clear" in str(each.message) for each in told)

    def test_groups_that_are_missing(self, clinic: duckdb.DuckDBPyConnection) -> None:
        """As where a threshold chooses: what one release does not have, another may."""
        clinic.execute("create or replace table r2 as from r1 where age = '20'")
        clinic.execute("create or replace table r3 as from r1 where age <> '20' and disease = 'flu'")
        answer = sqlanon.noisy_counts_attack(clinic, ["r2", "r3"], "people", **ABOUT)
        assert {row[1] for row in answer.fetchall()} == {"flu"}

    def test_names_of_any_kind(self, clinic: duckdb.DuckDBPyConnection) -> None:
        plain = sqlanon.noisy_counts_attack(clinic, ["r1"], "people", **ABOUT, truth="disease").fetchall()
        names = ['release"', "code", "it's", "noisy", "deviation", "class_id"]
        old = ["age", "zip", "disease", "n", "sd", "name"]
        for table in ("r1", "people"):
            for before, after in zip(old, names, strict=True):
                if before in clinic.table(table).columns:
                    quoted = '"' + after.replace('"', '""') + '"'
                    clinic.execute(f"alter table {table} rename column {before} to {quoted}")
        about: dict[str, Any] = {
            "id": "class_id", "qi": names[:2], "sensitive": "it's", "truth": "it's",
            "count_column": "noisy", "deviation_column": "deviation",
        }  # fmt: skip
        renamed = sqlanon.noisy_counts_attack(clinic, ["r1"], "people", **about)
        assert renamed.columns[0] == "class_id"
        assert sorted(renamed.fetchall()) == sorted(plain)

    @pytest.mark.parametrize(
        ("change", "more", "message"),
        [
            ("", "mechanism := 'exponential'", "mechanism must be laplace or gaussian, not exponential"),
            ("update r1 set n = null where age = '20'", "", "r1 has a count that is NULL, with the standard"),
            ("update r1 set sd = 0", "", "with the standard deviation 0.0: needed are numbers"),
            ("insert into r1 from r1 limit 1", "", "r1 has 2 counts of the same group: qi and sensitive"),
            ("delete from r1", "", "table r1 is empty"),
            ("insert into people from people limit 1", "", "names 1 of the targets several times"),
        ],
    )
    def test_refused(self, clinic: duckdb.DuckDBPyConnection, change: str, more: str, message: str) -> None:
        clinic.execute(change or "select 1").fetchall()
        given = ", ".join([ARGUMENTS, *([more] if more else []), "deviation_column := 'sd'"])
        with pytest.raises(duckdb.Error, match=message):
            clinic.execute(f"from sqlanon.noisy_counts_attack(['r1'], {given})").fetchall()
