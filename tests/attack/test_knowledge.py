"""What an adversary knows of targets beside quasi-identifiers: negations and priors."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import sqlanon
from sqlanon.cli import app
from tests.budget import examples
from tests.oracles import knowledge
from tests.tables import literal

VALUES = ["flu", "cold", "AIDS", "gout"]


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


ABOUT: dict[str, Any] = {"targets": "targets", "id": "name", "qi": "age", "sensitive": "disease"}


def load(
    con: duckdb.DuckDBPyConnection,
    classes: list[list[str]],
    negations: list[tuple[str, Any]] | None = None,
    priors: list[tuple[str, Any, Any]] | None = None,
) -> None:
    """A release with a class per decade, and two people of each."""
    rows = [(f"[{i}0, {i}9]", value) for i, values in enumerate(classes, 2) for value in values]
    people = [(f"{name}{i}", int(f"{i}{age}")) for i in range(2, len(classes) + 2) for name, age in NAMES]
    for name, columns, data in (
        ("release", "age varchar, disease varchar", rows),
        ("targets", "name varchar, age integer", people),
        ("negations", "name varchar, value varchar", negations or []),
        ("priors", "name varchar, value varchar, share double", priors or []),
    ):
        con.execute(f"create or replace table {name} ({columns})")
        if data:
            con.executemany(f"insert into {name} values ({', '.join('?' * len(data[0]))})", data)


NAMES = (("ann", 1), ("bob", 5))


def candidates(con: duckdb.DuckDBPyConnection, **known: Any) -> dict[str, dict[str, float]]:
    rows = attacked(con, "name, candidates, probabilities", **known)
    return {name: dict(zip(values, shares, strict=True)) for name, values, shares in rows}


def attacked(con: duckdb.DuckDBPyConnection, columns: str, *later: str, **known: Any) -> list[Any]:
    """Rows of the macro itself: the function would look for unread labels each time."""
    named = {**ABOUT, **known}
    arguments = ", ".join(f"{name} := {literal(value)}" for name, value in named.items())
    releases = literal(["release", *later])
    return con.execute(
        f"select {columns} from sqlanon.intersection_attack({releases}, {arguments}) order by name"
    ).fetchall()


class TestWorkedExample:
    """Three have the flu, one a cold and one AIDS; in all there are as many of each."""

    @pytest.fixture(autouse=True)
    def tables(self, con: duckdb.DuckDBPyConnection) -> None:
        load(con, [["flu"] * 3 + ["cold", "AIDS"], ["cold"] * 2 + ["AIDS"] * 2])

    def test_what_is_ruled_out_is_no_candidate(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("insert into negations values ('ann2', 'flu'), ('ann2', 'cold'), ('ann3', 'AIDS')")
        told = candidates(con, negations="negations")
        assert told == {
            "ann2": {"AIDS": 1},
            "bob2": {"flu": pytest.approx(0.6), "AIDS": pytest.approx(0.2), "cold": pytest.approx(0.2)},
            "ann3": {"cold": 1},
            "bob3": {"AIDS": 0.5, "cold": 0.5},
        }
        everything = [(f"ann{i}", value) for i in (2, 3) for value in VALUES[:3]]
        con.executemany("insert into negations values (?, ?)", everything)
        with pytest.raises(duckdb.Error, match="leave no value"):
            candidates(con, negations="negations")

    @pytest.mark.slow("1.1 s")
    def test_it_was_known_before(self, con: duckdb.DuckDBPyConnection) -> None:
        """Neither the release nor the attack gets the credit for it."""
        con.execute("insert into negations values ('ann2', 'flu'), ('ann2', 'cold')")
        row, *_ = attacked(con, '"prior", posterior, "drop", located[1]', negations="negations")
        evidence = {"classes": [1], "size": 5, "anonymity": 1, "guesses": ["AIDS"], "guess_share": 1.0}
        assert row == (1, 1, 0, evidence)
        measured = dict(
            sqlanon.breaches(con, ["release"], **ABOUT, negations="negations", sure=[99])
            .project("id, value").fetchall()
        )  # fmt: skip
        assert (measured["sure_99_marginal"], measured["sure_99_release"]) == (25, 25)
        assert measured["marginal_guess_expected"] == pytest.approx((100 + 3 * 100 / 3) / 4)

    @pytest.mark.slow("0.8 s")
    def test_a_prior(self, con: duckdb.DuckDBPyConnection) -> None:
        """All three are as frequent, so what the class has is weighed by the prior."""
        con.execute(
            "insert into priors values ('ann2', 'flu', 2), ('ann2', 'cold', 6), ('ann2', 'AIDS', 0), "
            "('ann2', 'gout', 2)"
        )
        told = candidates(con, priors="priors", priors_by="name")
        assert told["ann2"] == {"flu": pytest.approx(0.5), "cold": pytest.approx(0.5)}
        assert told["bob2"]["flu"] == pytest.approx(0.6)  # nothing is known of him
        guess = (
            sqlanon.breaches(con, ["release"], **ABOUT, priors="priors", priors_by="name")
            .filter("id = 'marginal_guess_expected'").project("value").fetchall()
        )  # fmt: skip
        assert guess == [(pytest.approx((60 + 3 * 100 / 3) / 4),)]

    @pytest.mark.slow("0.6 s")
    def test_a_prior_of_everybody(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create or replace table frequencies as select value, 1 as share "
                    "from (values ('flu'), ('cold'), ('AIDS')) as row(value)")  # fmt: skip
        assert candidates(con, priors="frequencies") == {
            name: pytest.approx(shares) for name, shares in candidates(con).items()
        }

    @pytest.mark.slow("0.3 s")
    def test_several_sensitive_columns(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute(
            "create or replace table release as select *, [1.5, 2][1 + (disease = 'flu')::integer] as cost "
            "from release"
        )
        con.execute("create or replace table more as select 'ann2' as name, 'COST' as sensitive, 2 as value")
        about = {"sensitive": ["disease", "cost"], "negations": "more"}
        told = attacked(con, "name, sensitive, len(candidates), candidates[1]", **about)
        # whoever has the flu has cost 2
        assert {("ann2", "cost", 1, "1.5"), ("ann2", "disease", 2, "AIDS")} <= set(told)

    @pytest.mark.slow("0.9 s")
    def test_others_must_have_it(self, con: duckdb.DuckDBPyConnection) -> None:
        """Two targets, two rows: who cannot have the one leaves the other to somebody else."""
        load(con, [["flu", "cold"]], negations=[("ann2", "flu")])
        assert candidates(con, negations="negations", exact_cover=True) == {
            "ann2": {"cold": 1}, "bob2": {"flu": 1},
        }  # fmt: skip
        assert len(candidates(con, negations="negations")["bob2"]) == 2

    @pytest.mark.parametrize(
        ("negations", "priors", "by", "message"),
        [
            ([("eve", "flu")], None, None, "negations names 1 people who are not among the targets"),
            ([("ann2", "influenza")], None, None, "rules out what no release has in column disease"),
            (None, [("ann2", "flu", -1)], "name", "priors has a share of -1.0"),
            (None, [("ann2", "flu", None)], "name", "priors has a share of NULL"),
            (None, [("ann2", "flu", 1)], "name", "priors has no share for"),
            (None, [("ann2", s, 0) for s in VALUES], "name", "add up to 0"),
            (None, [("ann2", s, 1) for s in [*VALUES, "flu"]], "name", "2 shares of the same value"),
            (
                None,
                [("ann2", s, 1) for s in VALUES],
                ["name", "age"],
                'column "age" not found',
            ),
            (
                None,
                [("eve", s, 1) for s in VALUES],
                "name",
                "priors names 1 people who are not among the targets",
            ),
        ],
    )
    def test_bad_input(
        self, con: duckdb.DuckDBPyConnection, negations: Any, priors: Any, by: Any, message: str
    ) -> None:
        load(con, [["flu"] * 3 + ["cold", "AIDS"], ["cold"] * 2 + ["AIDS"] * 2], negations, priors)
        known = {"priors": "priors", "priors_by": by} if priors else {"negations": "negations"}
        with pytest.raises(duckdb.Error, match=message):
            candidates(con, **known)

    @pytest.mark.slow("0.4 s")
    def test_everybody_has_a_prior(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create or replace table targets as select *, left(name, 1) as initial from targets")
        con.execute("create or replace table of_some as select 'a' as initial, value, 1 as share "
                    "from (values ('flu'), ('cold'), ('AIDS')) as row(value)")  # fmt: skip
        with pytest.raises(duckdb.Error, match=r"no rows for 2 targets: none is of the same initial"):
            candidates(con, priors="of_some", priors_by="initial")


@given(
    st.lists(st.lists(st.sampled_from(VALUES), min_size=1, max_size=5), min_size=1, max_size=3),
    st.lists(st.sampled_from(VALUES), max_size=2, unique=True),
    st.lists(st.integers(0, 3), min_size=4, max_size=4).filter(any),
)
@examples(8)
def test_by_counting_all_worlds(
    con: duckdb.DuckDBPyConnection, classes: list[list[str]], ruled_out: list[str], shares: list[int]
) -> None:
    """One release: what is probable is what is so in all worlds of the target and the others of the class."""
    frequency = Counter(value for values in classes for value in values)
    prior = dict(zip(VALUES, shares, strict=True))
    negated = [value for value in ruled_out if value in frequency]
    if not any(share and value not in negated for value, share in prior.items()):
        return
    load(
        con,
        classes,
        [("ann2", value) for value in negated],
        [("ann2", value, share) for value, share in prior.items()],
    )
    known = {"priors": "priors", "priors_by": "name", "negations": "negations"}
    expected = knowledge.by_all_worlds(
        classes[0],
        {value: Fraction(n, frequency.total()) for value, n in frequency.items()},
        {value: 0 if value in negated else Fraction(share) for value, share in prior.items()},
    )
    assert candidates(con, **known)["ann2"] == {
        value: pytest.approx(float(p)) for value, p in expected.items() if p
    }


RELEASE = st.lists(
    st.tuples(st.sampled_from(["*", "[20, 24]", "[25, 29]"]), st.sampled_from(VALUES)), min_size=1, max_size=8
)


@pytest.mark.slow("1 s")
@given(RELEASE, RELEASE, st.lists(st.integers(0, 2), min_size=4, max_size=4).filter(any), st.booleans())
@examples(8)
def test_of_several_releases(
    con: duckdb.DuckDBPyConnection, one: Any, other: Any, shares: list[int], of_one: bool
) -> None:
    """The weight of each candidate times the prior over its share among all rows. Those of whom nothing is
    known are attacked as they are when nothing is known of anybody.
    """
    load(con, [["flu"]])
    for name, rows in (("release", one), ("later", other)):
        con.execute(f"create or replace table {name} (age varchar, disease varchar)")
        con.executemany(f"insert into {name} values (?, ?)", rows)
    who = ["ann2"] if of_one else ["ann2", "bob2"]
    con.executemany(
        "insert into priors values (?, ?, ?)",
        [(name, value, share) for name in who for value, share in zip(VALUES, shares, strict=True)],
    )
    plain = attacked(con, "*", "later")
    told = attacked(con, "*", "later", priors="priors", priors_by="name")
    repeated = sorted(one, key=str) == sorted(other, key=str)
    rows = Counter(value for _, value in (one if repeated else [*one, *other]))
    total = sum(shares)
    for before, after in zip(plain, told, strict=True):
        if before[0] not in who:
            assert after == before
            continue
        weights = {
            value: p * share / total * rows.total() / rows[value]
            for value, p in zip(before[6], before[7], strict=True)
            for share in [shares[VALUES.index(value)]]
            if share
        }
        expected = {value: pytest.approx(w / sum(weights.values())) for value, w in weights.items()}
        assert dict(zip(after[6], after[7], strict=True)) == expected
        assert after[3] == len(expected)


@pytest.mark.slow("1.3 s")
def test_from_the_command_line(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shares = dict(zip(VALUES, (1, 2, 0, 1), strict=True))
    everybody = [(name, value, share) for name in ("ann2", "bob2") for value, share in shares.items()]
    load(con, [["flu"] * 3 + ["cold", "AIDS"]], [("ann2", "flu")], everybody)
    for name in ("release", "targets", "negations", "priors"):
        con.execute(f"copy {name} to '{name}.csv'")
    about = "--targets targets.csv --id name --qi age --sensitive disease"
    call = ["attack", "release.csv", *about.split()]
    known = "--negations negations.csv --priors priors.csv --priors-by name --format json"
    told = CliRunner().invoke(app.app, [*call, *known.split()])
    assert told.exit_code == 0, told.output
    assert [row["candidates"] for row in json.loads(told.stdout)] == [["cold"], ["cold", "flu"]]
    refused = CliRunner().invoke(app.app, [*call, "--priors-by", "name"])
    assert (refused.exit_code, "--priors-by is for --priors" in refused.stderr) == (2, True)
    lacking = CliRunner().invoke(app.app, [*call, "--negations", "release.csv"])
    assert (lacking.exit_code, "--negations" in lacking.stderr) == (2, True)
