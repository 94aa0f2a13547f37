"""The intersection attack: the paper's example, the slow version, and the numbers in the paper's text."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from statistics import fmean, stdev
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests import data
from tests.budget import examples, some
from tests.oracles import Hierarchy, attack, privacy
from tests.tables import identifier, literal

few = examples(6)
Rows = list[tuple[Any, ...]]


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        yield connection


def fetch(con: duckdb.DuckDBPyConnection, sql: str) -> Rows:
    return con.execute(sql).fetchall()


def call(macro: str, releases: str | Sequence[str], **arguments: Any) -> str:
    named = [f"{name} := {literal(value)}" for name, value in arguments.items() if value is not None]
    shown = literal(releases if isinstance(releases, str) else list(releases))
    return f"sqlanon.{macro}({', '.join([shown, *named])})"


def records(con: duckdb.DuckDBPyConnection, sql: str) -> list[dict[str, Any]]:
    """Rows with the names of their columns."""
    cursor = con.execute(sql)
    names = [column[0] for column in cursor.description or []]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def measures(con: duckdb.DuckDBPyConnection, releases: Sequence[str], **arguments: Any) -> dict[str, float]:
    return dict(fetch(con, f"select measure, value from {call('breaches', releases, **arguments)}"))


class TestHospitals:
    """Ganta et al. 2008, Table 1."""

    FIRST = (
        [("130**", "<30", "*", s) for s in ("AIDS", "Heart Disease", "Viral Infection", "Viral Infection")]
        + [("130**", ">=40", "*", s) for s in ("Cancer", "Heart Disease", *["Viral Infection"] * 2)]
        + [("130**", "3*", "*", "Cancer")] * 4
    )
    SECOND = [
        ("130**", "<35", "*", s)
        for s in ("AIDS", "Tuberculosis", "Flu", "Tuberculosis", "Cancer", "Cancer")
    ] + [
        ("130**", ">=35", "*", s)
        for s in ("Cancer", "Cancer", "Cancer", "Tuberculosis", "Viral Infection", "Viral Infection")
    ]  # fmt: skip
    HOSPITALS = ("hospital 1", "hospital 2")
    QI = ("zip", "age", "nationality")

    @pytest.fixture(autouse=True)
    def tables(self, con: duckdb.DuckDBPyConnection) -> None:
        for name, rows in zip(self.HOSPITALS, (self.FIRST, self.SECOND), strict=True):
            assert len(rows) == 12
            con.execute(
                f"""create or replace table "{name}" as select unnest(?) as zip, unnest(?) as age,
                unnest(?) as nationality, unnest(?) as condition""",
                [list(column) for column in zip(*rows, strict=True)],
            ).fetchall()
        fetch(
            con,
            """create or replace table people as
            select * from (values ('Alice', 13012, 28, 'American', 'AIDS'),
                ('Bob', 13099, 33, null, 'Cancer'),
                ('Carol', 13053, 50, 'Indian', 'Cancer'), ('Dan', 99999, 50, 'Indian', 'Flu'),
                ('Eve', 13012, 37, 'Indian', 'Flu')) as t(name, zip, age, nationality, condition)""",
        )

    def attack(self, con: duckdb.DuckDBPyConnection, **more: Any) -> dict[str, dict[str, Any]]:
        arguments = {"targets": "people", "id": "name", "qi": self.QI, "sensitive": "condition", **more}
        result = records(con, f"from {call('intersection_attack', self.HOSPITALS, **arguments)}")
        return {row.pop("name"): row for row in result}

    def test_alice_has_aids(self, con: duckdb.DuckDBPyConnection) -> None:
        assert self.attack(con)["Alice"] == {
            "sensitive": "condition",
            "prior": 3,
            "posterior": 1,
            "drop": 2,
            "confidence": 1.0,
            "candidates": ["AIDS"],
            "probabilities": [1.0],
            "upper_ends": [1.0],
            "located": [
                {
                    "classes": [2],
                    "size": 4,
                    "anonymity": 3,
                    "guesses": ["Viral Infection"],
                    "guess_share": 0.5,
                },
                {
                    "classes": [1],
                    "size": 6,
                    "anonymity": 4,
                    "guesses": ["Cancer", "Tuberculosis"],
                    "guess_share": pytest.approx(1 / 3),
                },
            ],
        }

    @pytest.mark.slow("0.3 s")
    def test_nationality_may_be_unknown(self, con: duckdb.DuckDBPyConnection) -> None:
        result = self.attack(con, qi=("zip", "age"))
        assert (result["Alice"]["candidates"], result["Alice"]["prior"]) == (["AIDS"], 3)

    @pytest.mark.slow("0.3 s")
    def test_the_others(self, con: duckdb.DuckDBPyConnection) -> None:
        result = self.attack(con, truth="condition")
        answer = {
            name: (
                row["prior"], row["candidates"], row["truth"], row["truth_is_candidate"],
                row["singleton_is_right"],
            )
            for name, row in result.items()
        }  # fmt: skip
        assert answer == {
            "Alice": (3, ["AIDS"], "AIDS", True, True),
            "Bob": (1, ["Cancer"], "Cancer", True, True),
            "Carol": (3, ["Viral Infection", "Cancer"], "Cancer", True, None),
            "Dan": (0, [], "Flu", False, None),
            "Eve": (1, ["Cancer"], "Flu", False, False),
        }
        assert (result["Dan"]["confidence"], result["Dan"]["posterior"], result["Dan"]["drop"]) == (
            None,
            0,
            0,
        )

    @staticmethod
    def carol() -> float:
        """How probable it is that Carol has a viral infection.

        The rows of two hospitals agree no more often than those of one: the common share is 0, or two steps
        more. Carol's classes have Cancer in 1 of 4 and 3 of 6 rows, Viral Infection in 2 and 2, so that three
        people could be in both; two people of a class are alike in these values by c and v.
        """
        c, v = 18699 / 81235, 733 / 13293
        distinctive = 1 * (1 - 10 / 24) + 2 * (1 - 6 / 24)

        def by(share: float) -> float:
            m = 3 * share / (share + (1 - share) * 3 / distinctive)
            others = (4 - m) * (6 - m)
            cancer = 1 / (m / 1 + others / (1 * 3) * (3 * c + (1 - c) * 10 / 24) / (9 * c + 1 - c))
            infection = 1 / (m / 2 + others / (2 * 2) * (3 * v + (1 - v) * 6 / 24) / (9 * v + 1 - v))
            return infection / (cancer + infection)

        return (by(0) + by((2 / 12) ** 2)) / 2

    def test_breaches(self, con: duckdb.DuckDBPyConnection) -> None:
        arguments = {"targets": "people", "id": "name", "qi": self.QI, "sensitive": "condition"}
        rows = fetch(con, f"from {call('breaches', self.HOSPITALS, truth='condition', **arguments)}")
        assert {sensitive for sensitive, *_ in rows} == {"condition"}
        # Dan lives elsewhere: the adversary guesses Cancer, which 10 of all 24 rows have
        carol = self.carol()
        [upper_ends] = self.attack(con)["Carol"]["upper_ends"][:1]
        most = max(carol, upper_ends)
        # Alice and Bob are guessed right
        sure = [
            (f"at least {level} % sure{what}", value, "%")
            for level in (99, 95, 90)
            for what, value in [
                ("", 60.0), (", upper end", 60.0), (", upper end, if not suppressed", 60.0),
                (", from one release", 40.0), (", from the marginal", 0.0),
                (", expected right", 100.0), (", right", pytest.approx(100 * 2 / 3)),
            ]
        ]  # fmt: skip
        assert [row[1:4] for row in rows] == [
            ("targets", 5.0, "people"),
            ("located in all releases", 80.0, "%"),
            ("located in no release", 20.0, "%"),
            ("rows with unread labels", 0.0, "%"),
            ("average class size", pytest.approx((5 + 5 + 5 + 0 + 5) / 5), "rows"),
            *sure,
            ("average prior anonymity", pytest.approx((3 + 1 + 3 + 0 + 1) / 5), "values"),
            ("average posterior anonymity", pytest.approx((1 + 1 + 2 + 0 + 1) / 5), "values"),
            ("average drop", pytest.approx((2 + 0 + 1 + 0 + 0) / 5), "values"),
            ("vulnerable population", 40.0, "%"),
            ("PVP_100", 60.0, "%"),
            ("PVP_50", 80.0, "%"),
            ("PVP_25", 80.0, "%"),
            ("PVP_10", 80.0, "%"),
            ("contradictions", 20.0, "%"),
            ("fewest values that two releases share", 3.0, "values"),
            ("true value in no release", 0.0, "%"),
            ("true value among the candidates", 60.0, "%"),
            ("single candidates that are right", pytest.approx(200 / 3), "%"),
            ("guess from the marginal, expected right", pytest.approx(100 * 10 / 24), "%"),
            ("guess from the marginal, right", 40.0, "%"),
            ("guess from one release, expected right",
             pytest.approx(100 * (1 / 2 + 1 + 1 / 2 + 10 / 24 + 1) / 5), "%"),
            ("guess from one release, right", pytest.approx(100 * (0 + 1 / 2 + 1 + 0 + 0) / 5), "%"),
            ("weighted guess, expected right", pytest.approx(100 * (1 + 1 + carol + 10 / 24 + 1) / 5), "%"),
            ("weighted guess, upper end", pytest.approx(100 * (1 + 1 + most + 10 / 24 + 1) / 5), "%"),
            ("weighted guess, right", 40.0, "%"),
            ("gain over the guess from the marginal", 0.0, "percentage points"),
            ("gain over the guess from one release", pytest.approx(10.0), "percentage points"),
        ]  # fmt: skip
        unknown = fetch(con, f"from {call('breaches', self.HOSPITALS, **arguments)}")
        of_truth = (11, 18, 25, 36, 37, 38, 40, 42, 45, 46, 47)
        known = [row for i, row in enumerate(rows) if i not in of_truth]
        assert [row[:2] + row[3:4] + row[6:] for row in unknown] == [
            row[:2] + row[3:4] + row[6:] for row in known
        ]
        assert [row[2] for row in unknown] == pytest.approx([row[2] for row in known])

    @pytest.mark.slow("0.4 s")
    def test_intervals(self, con: duckdb.DuckDBPyConnection) -> None:
        """Of shares of people (Wilson's), and of gains (of paired differences);
        means and expectations have none.
        """
        arguments = {"targets": "people", "id": "name", "qi": self.QI, "sensitive": "condition"}
        rows = fetch(con, f"from {call('breaches', self.HOSPITALS, truth='condition', **arguments)}")
        result = {measure: bounds for _, measure, _, _, *bounds, _ in rows}
        for measure, share, people in [
            ("located in all releases", 0.8, 5), ("PVP_100", 0.6, 5), ("contradictions", 0.2, 5),
            ("single candidates that are right", 2 / 3, 3), ("weighted guess, right", 0.4, 5),
            ("at least 90 % sure", 0.6, 5), ("at least 90 % sure, from one release", 0.4, 5),
            ("at least 90 % sure, right", 2 / 3, 3),
        ]:  # fmt: skip
            wanted = [100 * bound for bound in attack.interval(share, people)]
            assert result[measure] == pytest.approx(wanted), measure
        # Alice is found by weighing, Bob in one of two draws, Carol not any more
        gains = [1, 1 / 2, -1, 0, 0]
        reach = 1.959963984540054 * stdev(gains) / 5**0.5
        assert result["gain over the guess from one release"] == pytest.approx(
            [100 * (0.1 - reach), 100 * (0.1 + reach)]
        )
        for measure in (
            "targets", "average class size", "average drop", "weighted guess, expected right",
            "at least 90 % sure, from the marginal", "at least 90 % sure, expected right",
        ):  # fmt: skip
            assert result[measure] == [None, None]

    @pytest.mark.parametrize(
        "macro", ["breaches", pytest.param("intersection_attack", marks=pytest.mark.slow("3 s"))]
    )
    def test_several_sensitive_columns(self, con: duckdb.DuckDBPyConnection, macro: str) -> None:
        """Of one release, each on its own, as if it were the only one; rows of several columns tell no more
        there (of several releases: test_unchanged_rows).
        """
        for name in self.HOSPITALS:
            fetch(con, f'alter table "{name}" add column ward integer')
            fetch(con, f'update "{name}" set ward = rowid % 3')
        fetch(con, "alter table people add column ward integer")
        arguments = {"targets": "people", "id": "name", "qi": self.QI}
        one = self.HOSPITALS[:1]
        both = {"sensitive": ["condition", "ward"], "truth": ["condition", "ward"]}
        result = fetch(con, f"from {call(macro, one, **both, **arguments)}")
        single = [
            row
            for sensitive in ("condition", "ward")
            for row in fetch(
                con,
                f"from {call(macro, one, sensitive=sensitive, truth=sensitive, **arguments)}",
            )
        ]
        assert len(result) == len(single)
        if macro == "breaches":
            for one, other in zip(result, single, strict=True):
                assert one[:2] + one[3:4] + one[6:] == other[:2] + other[3:4] + other[6:]
                assert [*one[2:3], *one[4:6]] == pytest.approx([*other[2:3], *other[4:6]])
        else:
            assert sorted(row[:10] + row[11:] for row in result) == sorted(single)  # without contradiction

    @pytest.mark.slow("0.7 s")
    def test_presence(self, con: duckdb.DuckDBPyConnection) -> None:
        """Who is in one hospital only is not looked for in the other."""
        fetch(con, "alter table people add column here boolean")
        fetch(con, "alter table people add column there boolean")
        fetch(
            con,
            "update people set here = name <> 'Bob', there = case when name = 'Alice' then null else "
            "name <> 'Carol' end",
        )
        fetch(con, "update people set here = false, there = false where name = 'Dan'")
        result = self.attack(con, presence=("here", "there"), truth="condition")
        answer = {
            name: (row["prior"], row["posterior"], [one and one["size"] for one in row["located"]])
            for name, row in result.items()
        }
        assert answer == {
            "Alice": (3, 3, [4, None]), "Bob": (4, 4, [None, 6]), "Carol": (3, 3, [4, None]),
            "Dan": (6, 6, [None, None]), "Eve": (1, 1, [4, 6]),
        }  # fmt: skip
        assert (result["Alice"]["candidates"][0], result["Alice"]["probabilities"][0]) == (
            "Viral Infection",
            pytest.approx(0.5),
        )
        assert (result["Dan"]["candidates"][0], result["Dan"]["probabilities"][0]) == (
            "Cancer",
            pytest.approx(10 / 24),
        )
        arguments = {
            "targets": "people",
            "id": "name",
            "qi": self.QI,
            "sensitive": "condition",
            "truth": "condition",
        }
        assert measures(con, self.HOSPITALS, presence=["here", "there"], **arguments)["average drop"] == 0

    @pytest.mark.slow("0.4 s")
    def test_levels(self, con: duckdb.DuckDBPyConnection) -> None:
        arguments = {"targets": "people", "id": "name", "qi": self.QI, "sensitive": "condition"}
        result = measures(con, self.HOSPITALS, levels=[60, 50, 33.3], **arguments)
        assert {name: value for name, value in result.items() if name.startswith("PVP")} == {
            "PVP_60": 60.0,
            "PVP_50": 80.0,
            "PVP_33.3": 80.0,
        }

    @pytest.mark.slow("0.4 s")
    def test_how_sure(self, con: duckdb.DuckDBPyConnection) -> None:
        """What is probable counts, also where something else stays possible: Carol has two candidates, one
        of 63 %, and Dan is guessed from all rows (42 %).
        """
        arguments = {"targets": "people", "id": "name", "qi": self.QI, "sensitive": "condition"}
        query = call("breaches", self.HOSPITALS, truth="condition", sure=[41.6, 50, 65, 100], **arguments)
        result: dict[str, float] = dict(fetch(con, f"select id, value from {query}"))
        assert [result[f"sure_{level}"] for level in ("41_6", "50", "65", "100")] == [100, 80, 60, 60]
        assert [result[f"sure_{level}_release"] for level in ("41_6", "50", "65", "100")] == [100, 80, 40, 40]
        assert [result[f"sure_{level}_marginal"] for level in ("41_6", "50")] == [100, 0]
        assert result["sure_50_expected"] == pytest.approx(100 * (1 + 1 + self.carol() + 1) / 4)
        # in one class and the other Alice and Bob are right, Carol and Eve wrong; so is Dan
        assert (result["sure_50_right"], result["sure_41_6_right"]) == (50, 40)

    @pytest.mark.slow("0.3 s")
    def test_nobody_is_sure(self, con: duckdb.DuckDBPyConnection) -> None:
        """Shares of nobody are unknown, not 0."""
        arguments = {"targets": "people", "id": "name", "qi": "zip", "sensitive": "condition"}
        query = call("breaches", self.HOSPITALS[:1], truth="condition", **arguments)
        answer = fetch(con, f"select value, low, high from {query} where starts_with(id, 'sure_90')")
        assert [row[0] for row in answer] == [0, 0, 0, 0, 0, None, None]
        assert answer[-1] == (None, None, None)

    @pytest.mark.slow("0.5 s a case", but=(0, 1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26))
    @pytest.mark.parametrize("macro", ["intersection_attack", "breaches"])
    @pytest.mark.parametrize(
        ("change", "arguments", "message"),
        [
            ("", {"releases": []}, "releases names no release"),
            ("", {"releases": ["hospital 3"]}, "hospital 3 does not exist"),
            ("", {"sensitive": "illness"}, '"illness" not found'),
            ("", {"id": "nobody"}, '"nobody" not found'),
            ("", {"truth": "illness"}, '"illness" not found'),
            ("", {"qi": ["zip", "years"]}, '"years" not found'),
            ("", {"qi": ["zip", "condition"]}, '"condition" is named twice'),
            ("", {"presence": ["zip", "here"]}, '"here" not found'),
            (
                "alter table people add column here boolean default true",
                {"presence": "here"},
                "presence must name one column of the targets per release: there are 2 releases, and 1",
            ),
            (
                "",
                {"truth": ["condition", "zip"]},
                "truth must name one column of the targets per sensitive column: there are 1",
            ),
            ("", {"sensitive": []}, "sensitive names no column"),
            ("delete from people", {}, "table people is empty"),
            ('delete from "hospital 2"', {}, "table hospital 2 is empty"),
            (
                "insert into people from people where name = 'Bob'",
                {},
                "column name of people names 1 of the targets several times",
            ),
        ],
    )
    def test_errors(
        self,
        con: duckdb.DuckDBPyConnection,
        macro: str,
        change: str,
        arguments: dict[str, Any],
        message: str,
    ) -> None:
        if change:
            fetch(con, change)
        chosen = {
            "releases": self.HOSPITALS, "targets": "people", "id": "name", "qi": self.QI,
            "sensitive": "condition", **arguments,
        }  # fmt: skip
        with pytest.raises(duckdb.Error, match=message):
            fetch(con, f"from {call(macro, **chosen)}")


TREE: Hierarchy = {
    "de": ["de", "eu", "*"],
    "fr": ["fr", "eu", "*"],
    "us": ["us", "am", "*"],
    None: [None, "NULL", "*"],  # type: ignore[list-item]
}


@dataclass(frozen=True)
class Scene:
    """Releases with rows of (age, land, disease), and targets of (age, land, disease): age is an integer."""

    releases: list[Rows]
    targets: Rows
    hierarchy: bool = True

    def load(self, con: duckdb.DuckDBPyConnection) -> dict[str, Any]:
        for i, rows in enumerate([self.targets, *self.releases]):
            con.execute(
                f"""create or replace table {"t" if i == 0 else f"r{i}"} as select unnest(range(?)) as id,
                unnest(?::varchar[])::{"varchar" if i else "integer"} as age, unnest(?::varchar[]) as land,
                unnest(?::varchar[]) as disease""",
                [len(rows), *([*column] for column in zip(*rows, strict=True))],
            ).fetchall()
        entries = [(value, level, label) for value, path in TREE.items() for level, label in enumerate(path)]
        con.execute(
            """create or replace table h as select 'land' as attribute, unnest(?::varchar[]) as value,
            unnest(?::integer[]) as level, unnest(?::varchar[]) as label""",
            [list(column) for column in zip(*entries, strict=True)],
        ).fetchall()
        return {
            "releases": [f"r{i}" for i in range(1, len(self.releases) + 1)],
            "targets": "t",
            "id": "id",
            "qi": ["age", "land"],
            "sensitive": "disease",
            "hierarchies": "h" if self.hierarchy else None,
        }

    @property
    def labels(self) -> list[list[Sequence[str]]]:
        return [[(), TREE[land] if self.hierarchy else ()] for _, land, _ in self.targets]

    @property
    def classes(self) -> list[attack.Release]:
        return [privacy.classes(rows, [0, 1], 2) for rows in self.releases]


def in_order(values: Any) -> list[Any]:
    return sorted(values, key=lambda value: (value is not None, value))


def check(con: duckdb.DuckDBPyConnection, scene: Scene, truth_always: bool = False) -> None:
    """Every column of intersection_attack and every measure of breaches against the slow version."""
    arguments = scene.load(con)
    quasi = [target[:2] for target in scene.targets]
    truth = [target[2] for target in scene.targets]
    labels, classes = scene.labels, scene.classes
    wanted = attack.intersection_attack(classes, quasi, labels)
    located = attack.locate_all(classes, quasi, labels)
    likely_located = attack.in_probable_classes(classes, located)
    numbers = [
        {tuple(key): i for i, *key in fetch(
            con, f"select * exclude (size) from {call('classes', name, qi=['age', 'land'])}"
        )}
        for name in arguments["releases"]
    ]  # fmt: skip

    result = records(con, f"from {call('intersection_attack', truth='disease', **arguments)} order by id")
    assert [row["id"] for row in result] == list(range(len(quasi)))
    for i, (row, one) in enumerate(zip(result, wanted, strict=True)):
        among = truth[i] in one.candidates
        likely = sorted(in_order(one.candidates), key=lambda value: -one.probabilities[value])
        assert list(row.items())[1:-4] == [
            ("sensitive", "disease"),
            ("prior", one.prior),
            ("posterior", one.posterior),
            ("drop", one.drop),
            ("confidence", one.confidence),
            ("candidates", likely),
            ("probabilities", pytest.approx([float(one.probabilities[value]) for value in likely], abs=1e-8)),
            ("upper_ends", pytest.approx([float(one.upper_ends[value]) for value in likely], abs=1e-8)),
        ]
        assert list(row.items())[-3:] == [
            ("truth", truth[i]),
            ("truth_is_candidate", among),
            ("singleton_is_right", among if one.posterior == 1 else None),
        ]
        assert len(row["located"]) == len(classes)
        for j, evidence in enumerate(row["located"]):
            together = attack.merged(located[i][j] or [])
            guesses, share = attack.guess(attack.merged(likely_located[i][j] or []))
            ids = [
                numbers[j][released]
                for released in classes[j]
                if attack.locate({released: classes[j][released]}, quasi[i], labels[i])
            ]
            assert evidence == {
                "classes": sorted(ids),
                "size": together.total(),
                "anonymity": len(together),
                "guesses": in_order(guesses),
                "guess_share": pytest.approx(share),
            }
    levels = [100, 50, 34, 25]
    sure = [100, 90, 60, 50, 37.5]
    knowledge = attack.know(classes, located)
    total = attack.breaches(
        likely_located, knowledge, truth, [level / 100 for level in levels], [level / 100 for level in sure],
        attack.in_probable_classes(classes, located, unsuppressed=True),
    )  # fmt: skip
    blank = [
        sum(h.total() for key, h in release.items() if all(label == "*" for label in key))
        / sum(h.total() for h in release.values())
        for release in classes
    ]
    sizes = [[attack.merged(one or []).total() for one in releases] for releases in located]
    values = [set(attack.marginal_of([release])) for release in classes]
    answer = set().union(*values)
    shared = [len(one & other) for one, other in combinations(values, 2)]
    expected: dict[str, float | None] = {
        "targets": total.targets,
        "located in all releases": 100 * fmean(min(one) > 0 for one in sizes),
        "located in no release": 100 * fmean(max(one) == 0 for one in sizes),
        "rows with unread labels": 100 * max(unread(con, arguments)),
        **({"rows that cover everybody": 100 * max(blank)} if any(blank) else {}),
        "average class size": fmean(map(fmean, sizes)),
        **{
            f"at least {level} % sure{what}": percent(value)
            for level in sure
            for one in [total.certainty[level / 100]]
            for what, value in {
                "": one.sure,
                ", upper end": one.upper,
                ", upper end, if not suppressed": one.unsuppressed,
                ", from one release": one.single,
                ", from the marginal": one.marginal,
                ", expected right": one.expected,
                ", right": one.right,
            }.items()
        },
        "average prior anonymity": total.average_prior,
        "average posterior anonymity": total.average_posterior,
        "average drop": total.average_drop,
        "vulnerable population": 100 * total.vulnerable / total.targets,
        **{f"PVP_{level}": total.pvp[level / 100] for level in levels},
        "contradictions": 100 * total.contradictions / total.targets,
        **({"fewest values that two releases share": min(shared)} if shared else {}),
        "true value in no release": 100 * fmean(value not in answer for value in truth),
        "true value among the candidates": percent(total.truth_among),
        "single candidates that are right": percent(total.singletons_right),
        "guess from the marginal, expected right": percent(total.marginal_expected),
        "guess from the marginal, right": percent(total.marginal_right),
        "guess from one release, expected right": percent(total.single_expected),
        "guess from one release, right": percent(total.single_right),
        "weighted guess, expected right": percent(total.weighted_expected),
        "weighted guess, upper end": percent(total.weighted_upper),
        "weighted guess, right": percent(total.weighted_right),
        "gain over the guess from the marginal": percent(fmean(total.over_marginal or [])),
        "gain over the guess from one release": percent(fmean(total.over_single or [])),
    }
    measured = measures(con, truth="disease", levels=levels, sure=sure, **arguments)
    assert measured == {
        name: None if value is None else pytest.approx(value, abs=1e-6) for name, value in expected.items()
    }
    if truth_always:
        return
    without = records(con, f"from {call('intersection_attack', **arguments)} order by id")
    assert without == [dict(list(row.items())[:-3]) for row in result]
    assert measures(con, levels=levels, sure=sure, **arguments) == pytest.approx(
        {
            name: value
            for name, value in expected.items()
            if not name.startswith(("true", "single", "gain"))
            and (", expected" in name or not name.endswith(", right"))
        }
    )


def unread(con: duckdb.DuckDBPyConnection, arguments: dict[str, Any]) -> list[float]:
    """Per release the share of its rows that have one of its unread labels."""
    about = {name: arguments[name] for name in ("targets", "qi", "hierarchies")}
    shares = []
    for release in arguments["releases"]:
        labels = set(fetch(con, f"select attribute, label from {call('unread_labels', release, **about)}"))
        rows = fetch(con, f"select age, land from {release}")
        shares.append(fmean(not labels.isdisjoint(zip(("age", "land"), row, strict=True)) for row in rows))
    return shares


def percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


AGES = [
    "*",
    "<30",
    ">=30",
    "2*",
    "3*",
    "[20, 29]",
    "[25, 35]",
    "]35, 99]",
    "{28, 31}",
    "28",
    "[NULL, 28]",
    None,
]
LANDS = ["*", "eu", "am", "NULL", "{de, us}", "de", "{NULL, fr}", None]
DISEASES = ["flu", "cancer", "cold", "AIDS", None]


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    """One to four hand-made releases with overlapping classes, one of them perhaps given twice, and targets
    that may be in none of them.
    """

    def rows(ages: Sequence[Any], lands: Sequence[Any], most: int) -> Rows:
        row = st.tuples(st.sampled_from(ages), st.sampled_from(lands), st.sampled_from(DISEASES))
        return draw(st.lists(row, min_size=1, max_size=most))

    releases = [rows(AGES, LANDS, 15) for _ in range(draw(st.integers(1, 3)))]
    releases += draw(st.sampled_from([[], [releases[0]]]))
    targets = rows([None, 18, 25, 28, 31, 38], list(TREE), 8)
    return Scene(releases, targets, draw(st.booleans()))


class TestAgainstTheOracle:
    @few
    @given(scenes())
    def test_hand_made_releases(self, con: duckdb.DuckDBPyConnection, scene: Scene) -> None:
        check(con, scene, truth_always=True)

    @pytest.mark.slow("1.3 s")
    def test_a_release_given_twice_counts_once(self, con: duckdb.DuckDBPyConnection) -> None:
        """Whatever its place, and whatever the order of the others."""
        first = [("2*", "*", s) for s in ("flu", "flu", "cold")] + [("3*", "*", "flu"), ("3*", "*", "AIDS")]
        second = [("<30", "*", s) for s in ("flu", "cold", "cold", "AIDS")] + [(">=30", "*", "flu")]
        arguments = Scene([first, second], [(28, "de", "flu"), (31, "us", "flu")], False).load(con)
        answers = []
        for releases in [["r1", "r2"], ["r2", "r1", "r2"], ["r1"], ["r1", "r1"]]:
            query = call("intersection_attack", **arguments | {"releases": releases})
            answers.append(fetch(con, f"select candidates, probabilities from {query} order by id"))
        assert (answers[0], answers[2]) == (answers[1], answers[3])
        assert answers[2][0] == (["flu", "cold"], [pytest.approx(2 / 3), pytest.approx(1 / 3)])

    @pytest.mark.slow("1.5 s a case")
    @pytest.mark.parametrize("n", [5, 9])
    def test_many_releases(self, con: duckdb.DuckDBPyConnection, n: int) -> None:
        """Of four and more, weights get a power; that of seven is the last."""
        draw = random.Random(n)
        releases = [
            [(age, "*", s) for age in ("<30", ">=30") for s in ["flu", "cold", *draw.choices(DISEASES, k=5)]]
            for _ in range(n)
        ]
        check(con, Scene(releases, [(28, "de", "flu"), (31, "us", "cold"), (38, "fr", "flu")]))

    @pytest.mark.slow("1.3 s")
    def test_nobody_is_in_all_releases(self, con: duckdb.DuckDBPyConnection) -> None:
        scene = Scene([[("28", "de", "flu")], [("31", "de", "flu")]], [(28, "de", "flu"), (31, "us", None)])
        check(con, scene, truth_always=True)

    @pytest.mark.slow("2.5 s")
    def test_a_null_is_a_value(self, con: duckdb.DuckDBPyConnection) -> None:
        first, second = [("*", "*", None), ("*", "*", "flu")], [("*", "*", None), ("*", "*", "cold")]
        check(con, Scene([first, second], [(None, None, None), (28, "de", "flu")]))

    @pytest.mark.slow("3.5 s")
    @few
    @given(st.data())
    def test_overlapping_samples(self, con: duckdb.DuckDBPyConnection, data: st.DataObject) -> None:
        """Mondrian on samples that overlap:
        whoever is in all of them has the true value among the candidates.
        """
        row = st.tuples(
            st.sampled_from([None, 18, 25, 28, 31, 38, 40]),
            st.sampled_from(list(TREE)),
            st.sampled_from(DISEASES),
        )
        population = data.draw(st.lists(row, min_size=6, max_size=40))
        common = data.draw(st.integers(2, len(population)))
        hierarchy, n = data.draw(st.booleans()), data.draw(st.integers(1, 3))
        samples = [
            [person for i, person in enumerate(population) if i < common or i % n == j] for j in range(n)
        ]
        scene = Scene([[] for _ in samples], population, hierarchy)
        releases = []
        for j, sample in enumerate(samples):
            Scene([], sample).load(con)
            hierarchies = "h" if hierarchy else None
            arguments = {"qi": ["age", "land"], "sensitive": "disease", "hierarchies": hierarchies, "k": 2}
            releases.append(fetch(con, f"from {call('mondrian', 't', seed=j, **arguments)}"))
        scene = Scene(releases, population, hierarchy)
        check(con, scene, truth_always=True)
        for one, target in list(
            zip(
                attack.intersection_attack(scene.classes, [t[:2] for t in population], scene.labels),
                population,
                strict=True,
            )
        )[:common]:
            assert target[2] in one.candidates


def test_other_classes_are_another_place(con: duckdb.DuckDBPyConnection) -> None:
    """Also classes that have one number in both releases."""
    classes = "select one, two, unnest([1, 2, 3]) as release, unnest([[one], [two], null]) as classes"
    place = "sqlanon._place_of_classes(sqlanon._class_in_place(release, classes), classes)"
    by_target = (
        f"select {place} as place from ({classes} from range(60) t(one), range(60) u(two)) group by one, two"
    )
    [(places,)] = con.execute(f"select count(distinct place) from ({by_target})").fetchall()
    assert places == 60 * 60


@pytest.mark.parametrize(("rows", "known"), [(4, [(1, 2), (4, 2)]), (3, [])])
def test_targets_in_the_same_classes(
    con: duckdb.DuckDBPyConnection, rows: int, known: list[tuple[int, int]]
) -> None:
    """Fates 1 and 4 are in the same classes, whatever else is known of their three people; fate 2 is in one
    of two classes, and fate 3 in one release alone. If the class of the second release has 3 rows for 4
    targets, somebody is not in it.
    """
    con.execute(
        """
        create or replace temp table a_fate as from (values
            (1, [1, 3], 2), (2, [2, 3], 1), (3, [1, 4], 1), (4, [1, 5], 1)) as fates(fate, covers, people);
        create or replace temp table a_cover as from (values
            (1, 1, [10]), (2, 1, [10, 11]), (3, 2, [20]), (4, 2, null), (5, 2, [20])
        ) as covers(cover, release, classes);
        create or replace temp table a_crowd as from (values
            (1, [10], 4), (1, [10, 11], 1), (2, [20], 4)) as crowds(release, classes, people);
        """
    ).fetchall()
    con.execute(
        """
        create or replace temp table a_size as from (values
            (1, 10, 4), (1, 11, 5), (2, 20, $rows)) as sizes(release, class_id, size)
        """,
        {"rows": rows},
    ).fetchall()
    con.execute(
        """
        create or replace temp table a_place as
        from sqlanon._placed_fates('a_fate', 'a_cover', 'a_crowd', 'a_size')
        """
    ).fetchall()
    found = con.execute("from sqlanon._known_in_all('a_place', null) order by fate").fetchall()
    assert found == known


@dataclass(frozen=True)
class Puzzle:
    """Two releases, one of which has the column x as it is and the other y: rows of (x, y, disease),
    the first known ones targets.
    """

    people: Rows
    known: int
    elsewhere: Rows  # targets who are in neither release

    def load(self, con: duckdb.DuckDBPyConnection) -> dict[str, Any]:
        for name, rows, x, y in [
            ("r1", self.people, "x", "'*'"), ("r2", self.people, "'*'", "y"),
            ("t", [*self.people[: self.known], *self.elsewhere], "x", "y"),
        ]:  # fmt: skip
            con.execute(
                f"""create or replace table {name} as select id, {x} as x, {y} as y, disease
                from (select unnest(range(?)) as id, unnest(?::varchar[]) as x, unnest(?::varchar[]) as y,
                    unnest(?::varchar[]) as disease)""",
                [len(rows), *([*column] for column in zip(*rows, strict=True))],
            ).fetchall()
        return {
            "releases": ["r1", "r2"], "targets": "t", "id": "id", "qi": ["x", "y"], "sensitive": "disease",
            "truth": "disease"
        }  # fmt: skip

    def solve(self) -> list[frozenset[Any]]:
        targets = [*self.people[: self.known], *self.elsewhere]
        puzzles = [
            (
                [i for i, target in enumerate(targets) if target[column] == there],
                Counter(disease for *at, disease in self.people if at[column] == there),
            )
            for column in (0, 1)
            for there in {target[column] for target in targets}
        ]
        candidates = [
            frozenset.intersection(*(frozenset(rows) for people, rows in puzzles if i in people))
            for i in range(len(targets))
        ]
        return attack.exact_cover(candidates, puzzles)


@st.composite
def puzzles(draw: st.DrawFn, strangers: bool) -> Puzzle:
    row = st.tuples(st.sampled_from("abcd"), st.sampled_from("uvwx"), st.sampled_from("123456"))
    people = draw(st.lists(row, min_size=2, max_size=16))
    known = draw(st.integers(1, len(people)))
    return Puzzle(people, known, draw(st.lists(row, max_size=3)) if strangers else [])


@pytest.mark.slow("0.5 s")
@pytest.mark.parametrize("parameter", ["levels", "sure"])
@pytest.mark.parametrize("levels", ["[200]", "[0]", "[50, null]", "['nan'::double]"])
def test_a_confidence_is_a_percentage(con: duckdb.DuckDBPyConnection, levels: str, parameter: str) -> None:
    con.execute(
        "create or replace table few as select range as id, range % 2 as q, range % 3 as s from range(12)"
    )
    with pytest.raises(duckdb.Error, match=f"{parameter} must be percentages above 0 and at most 100"):
        con.execute(
            f"from sqlanon.breaches(['few'], 'few', 'id', 'q', 's', {parameter} := {levels})"
        ).fetchall()


class TestExactCover:
    @pytest.mark.slow("2.2 s")
    def test_a_value_is_taken(self, con: duckdb.DuckDBPyConnection) -> None:
        """Bob is the only one in his class of the second release: he has flu, and so Alice has not."""
        people = [("a", "u", "cold"), ("a", "v", "flu"), ("b", "u", "flu")]
        arguments = Puzzle(people, 2, []).load(con)
        plain = records(con, f"from {call('intersection_attack', **arguments)} order by id")
        assert [row["candidates"] for row in plain] == [["cold", "flu"], ["flu"]]
        exact = records(con, f"from {call('intersection_attack', exact_cover=True, **arguments)} order by id")
        assert [row["candidates"] for row in exact] == [["cold"], ["flu"]]
        assert [row["probabilities"] for row in exact] == [[1], [1]]
        assert [(row["prior"], row["posterior"], row["drop"]) for row in exact] == [(2, 1, 1), (1, 1, 0)]
        summary = [measures(con, exact_cover=exact, **arguments)["PVP_100"] for exact in (False, True)]
        assert summary == [50, 100]

    @pytest.mark.slow("0.9 s")
    def test_of_several_classes_programs_find_which(self, con: duckdb.DuckDBPyConnection) -> None:
        """Bob may have his row in either of two classes. But he has flu, which leaves him one row of the
        first release: so Alice, who is in his class there, has the other one."""
        people = [("a", "u", "cold"), ("a", "v", "flu"), ("b", "u", "flu")]
        arguments = Puzzle(people, 2, []).load(con)
        fetch(con, "insert into r1 values (9, '*', '*', 'cold')")
        fetch(con, "insert into r2 values (9, '*', '*', 'flu')")
        answer = [
            fetch(
                con,
                f"select candidates from {call('intersection_attack', exact_cover=exact, **arguments)} "
                "order by id",
            )
            for exact in (False, True)
        ]
        assert answer == [[(["cold", "flu"],), (["flu"],)], [(["cold"],), (["flu"],)]]

    @pytest.mark.slow("1 s a case", but=(1,))
    @pytest.mark.parametrize("people", [11, 13])
    def test_what_was_not_looked_at_is_told(self, con: duckdb.DuckDBPyConnection, people: int) -> None:
        """A ring, of whose values each two neighbors share one: together all of them have all of these,
        so that Zoe has another. (She is the only one who can have it, which counting finds in any case.)
        """
        ring = [(f"{i}", "u", f"v{i}") for i in range(people)]
        strangers = [(f"{i}", "w", f"v{(i + 1) % people}") for i in range(people)]
        puzzle = Puzzle([*ring, ("z", "u", "own"), *strangers, ("z", "w", "v0")], people + 1, [])
        arguments = puzzle.load(con)
        result = records(
            con, f"from {call('intersection_attack', exact_cover=True, **arguments)} order by id"
        )
        is_all = people == 11
        assert result[-1]["candidates"] == ["own"]
        assert [row["unfinished"] for row in result] == [not is_all] * (people + 1)
        unfinished = measures(con, exact_cover=True, **arguments).get("exact cover unfinished")
        assert unfinished == (None if is_all else 100)

    @pytest.mark.slow("18 s a case", but=(0,))
    @pytest.mark.parametrize("values", [20, 1_000_000])
    def test_many_people(self, con: duckdb.DuckDBPyConnection, values: int) -> None:
        """A dozen people in each class, with few and with very many values."""
        fetch(
            con,
            f"""
            create or replace table t as
                select range as id, hash(range, 1) % 330 as x, hash(range, 2) % 330 as y,
                    hash(range, 4) % {values} as disease
                from range(4000);
            create or replace table r1 as select x::varchar as x, '*' as y, disease from t;
            create or replace table r2 as select '*' as x, y::varchar as y, disease from t""",
        )
        arguments = {
            "releases": ["r1", "r2"],
            "targets": "t",
            "id": "id",
            "qi": ["x", "y"],
            "sensitive": "disease",
            "truth": "disease",
        }
        result = measures(con, exact_cover=True, **arguments)
        assert result["true value among the candidates"] == 100

    @examples(12)
    @given(puzzles(strangers=False))
    def test_against_all_assignments(self, con: duckdb.DuckDBPyConnection, puzzle: Puzzle) -> None:
        """It leaves no more than the slow version leaves, and never removes a true value."""
        result = records(
            con, f"from {call('intersection_attack', exact_cover=True, **puzzle.load(con))} order by id"
        )
        for row, left in zip(result, puzzle.solve(), strict=True):
            assert left >= set(row["candidates"])
        assert all(row["truth_is_candidate"] for row in result)

    @pytest.mark.slow("1 s")
    @few
    @given(puzzles(strangers=True))
    def test_where_the_assumption_does_not_hold(self, con: duckdb.DuckDBPyConnection, puzzle: Puzzle) -> None:
        """A class with more targets than rows, or than rows with their values, tells nothing."""
        result = records(
            con, f"from {call('intersection_attack', exact_cover=True, **puzzle.load(con))} order by id"
        )
        for row, left in zip(result, puzzle.solve(), strict=True):
            assert left >= set(row["candidates"])

    @pytest.mark.slow("3 s")
    @few
    @given(puzzles(strangers=True), st.booleans())
    def test_of_one_release_it_leaves_all(
        self, con: duckdb.DuckDBPyConnection, puzzle: Puzzle, is_suppressed: bool
    ) -> None:
        """Unless several classes cover somebody. The same release twice has the same candidates."""
        arguments = puzzle.load(con)
        if is_suppressed:
            fetch(con, "insert into r1 values (99, '*', '*', '1')")
        answers = [
            records(
                con,
                f"""select id, list_sort(candidates) as candidates, prior, posterior, {unfinished}
                from {call("intersection_attack", exact_cover=exact, **arguments | {"releases": releases})}
                order by id""",
            )
            for exact, releases, unfinished in [
                (False, ["r1"], "false as unfinished"), (True, ["r1"], "unfinished"),
                (True, ["r1", "r1"], "unfinished"),
            ]
        ]  # fmt: skip
        assert answers[1] == answers[2]
        assert answers[0] == answers[1] or is_suppressed

    def test_a_class_within_another(self, con: duckdb.DuckDBPyConnection) -> None:
        """Ann and Bob are one class on Tuesday, with gout once; with Cem they are one on Wednesday, with gout
        twice. So Cem has it, though Monday tears Ann and Bob apart."""
        #         Ann  Bob  Cem
        monday = ["a", "b", "b", "b", "a", "a", "a"]
        tuesday = ["u", "u", "v", "w", "w", "v", "w"]
        wednesday = ["x", "x", "x", "y", "y", "y", "y"]
        values = ["gout", "flu", "gout", "gout", "flu", "flu", "gout"]
        assert three_days(con, [monday, tuesday, wednesday], values)[2] == {"gout"}

    def test_a_missing_value_is_learned_like_any_other(self, con: duckdb.DuckDBPyConnection) -> None:
        """Two of a class without a disease: that is certain, and counts; whether it is right, nobody said."""
        con.execute(
            """create or replace table t as
            select * from (values (1, 'a', null), (2, 'a', null), (3, 'b', 'flu'), (4, 'b', 'gout'))
                as person(id, age, disease)"""
        )
        told = sqlanon.exact_cover(con, ["t"], "t", "id", "age", "disease")
        answer = told.order("id").project("learned, confidence, is_right").fetchall()
        assert answer == [("NULL", 1, None), ("NULL", 1, None), ("flu", 0.5, None), ("flu", 0.5, None)]
        told.create("answer")
        summed_up = sqlanon.attack_summary(con, "answer").filter("id in ('learned', 'certain')")
        assert summed_up.project("value").fetchall() == [(100,), (50,)]

    @pytest.mark.slow("1 s")
    def test_how_probable_a_value_may_be_at_most(self, con: duckdb.DuckDBPyConnection) -> None:
        """Few people in two releases: how many these share, nobody can infer."""
        con.execute(
            """create or replace table t as
            select i as id, i // 4 as age, i % 3 as zip, 'd' || (i * i % 5) as disease
            from range(12) as t(i)"""
        )
        given: dict[str, Any] = {"targets": "t", "id": "id", "qi": ["age", "zip"], "sensitive": "disease"}
        con.execute("create or replace table r1 as select age, '*' as zip, disease from t")
        con.execute("create or replace table r2 as select '*' as age, zip, disease from t")
        told = sqlanon.exact_cover(con, ["r1", "r2"], **given).order("id").project("confidence, upper_end")
        wanted = sqlanon.intersection_attack(con, ["r1", "r2"], exact_cover=True, **given)
        bounds = wanted.order("id").project("list_extract(probabilities, 1), list_max(upper_ends)").fetchall()
        assert told.fetchall() == bounds
        assert any(upper > stated + 0.02 for stated, upper in bounds)

    @pytest.mark.slow("1 s")
    @examples(12)
    @given(st.data(), st.sampled_from(["abc", "a"]))
    def test_against_all_worlds(
        self, con: duckdb.DuckDBPyConnection, data: st.DataObject, of_the_third: str
    ) -> None:
        """Nothing is removed that is possible; of two releases (a third of one class) all that is not."""
        n = data.draw(st.integers(3, 7))
        classes = [
            data.draw(st.lists(st.sampled_from(names), min_size=n, max_size=n))
            for names in ("abc", "abc", of_the_third)
        ]
        values = data.draw(st.lists(st.sampled_from("123"), min_size=n, max_size=n))
        possible: list[set[str]] = [set() for _ in values]
        for world in product(sorted(set(values)), repeat=n):
            if all(
                Counter(zip(day, world, strict=True)) == Counter(zip(day, values, strict=True))
                for day in classes
            ):
                for seen, value in zip(possible, world, strict=True):
                    seen.add(value)
        for left, seen in zip(three_days(con, classes, values), possible, strict=True):
            assert seen == left if of_the_third == "a" else seen <= left


def three_days(
    con: duckdb.DuckDBPyConnection, classes: Sequence[Sequence[str]], values: Sequence[str]
) -> list[set[str]]:
    """What may be the value of each of some people, who are all in three releases, each with a column of its
    own."""
    columns = ["x", "y", "z"]
    typed = ", ".join(f"{column} text" for column in columns)
    for name, own in [("t", None), ("r1", "x"), ("r2", "y"), ("r3", "z")]:
        con.execute(f"create or replace table {name} (id int, {typed}, disease text)")
        rows = []
        for i, (value, *places) in enumerate(zip(values, *classes, strict=True)):
            told = [at if own in (None, column) else "*" for column, at in zip(columns, places, strict=True)]
            rows.append([i, *told, value])
        con.executemany(f"insert into {name} values (?, ?, ?, ?, ?)", rows)
    arguments = {
        "releases": ["r1", "r2", "r3"], "targets": "t", "id": "id", "qi": columns, "sensitive": "disease",
    }  # fmt: skip
    result = records(con, f"from {call('exact_cover', **arguments)} order by id")
    return [set(row["candidates"]) for row in result]


@pytest.mark.slow("3 tests, 0.3 to 1.5 s each")
class TestOtherTypes:
    def test_sensitive_numbers_come_as_text(self, con: duckdb.DuckDBPyConnection) -> None:
        fetch(con, "create or replace table r1 as select '2*' as age, unnest([10, 2, null]) as income")
        fetch(con, "create or replace table t as select 'a' as id, 28 as age, 10 as income")
        arguments = {"targets": "t", "id": "id", "qi": "age", "sensitive": "income", "truth": "income"}
        [result] = records(con, f"from {call('intersection_attack', 'r1', **arguments)}")
        assert (result["candidates"], result["truth"], result["truth_is_candidate"]) == (
            [None, "10", "2"],
            "10",
            True,
        )

    def test_ranges(self, con: duckdb.DuckDBPyConnection) -> None:
        """A release of the recoding 'range' together with one of texts."""
        fetch(
            con,
            """create or replace table people as select range as id, range % 17 as age,
                'z' || range % 5 as zip,
            'd' || range % 7 as disease from range(100)""",
        )
        arguments: dict[str, Any] = {"qi": ["age", "zip"], "sensitive": "disease", "k": 4}
        for name, recoding in [("r1", "text"), ("r2", "range")]:
            fetch(
                con,
                f"create or replace table {name} as "
                f"from {call('mondrian', 'people', recoding=recoding, **arguments)}",
            )
        del arguments["k"]
        people = {"targets": "people", "id": "id", "truth": "disease"}
        for releases in (["r1"], ["r2"], ["r1", "r2"]):
            answer = records(
                con,
                f"from {call('intersection_attack', releases, **people, **arguments)} order by id",
            )
            assert len(answer) == 100
            for row in answer:
                assert row["truth_is_candidate"]
                assert (row["drop"], {len(one["classes"]) for one in row["located"]}) == (0, {1})
                assert row["located"][0] == row["located"][-1] or releases == ["r1", "r2"]

    @pytest.mark.parametrize("threads", [1, 4])
    def test_columns_with_names_of_the_steps(self, con: duckdb.DuckDBPyConnection, threads: int) -> None:
        names = ["{i}", 'the "class_id"', "{s}", "n", "present", "{c}"]
        age, zip_, sensitive, id_, present, truth = map(identifier, names)
        fetch(con, f"set threads = {threads}")
        fetch(
            con, f"create or replace table r1 as select '2*' as {age}, '1**' as {zip_}, 'flu' as {sensitive}"
        )
        fetch(
            con,
            f"""create or replace table t as
            select 28 as {age}, '123' as {zip_}, 'x' as {id_}, true as {present}, 'flu' as {truth}""",
        )
        arguments = {
            "targets": "t",
            "id": names[3],
            "qi": names[:2],
            "sensitive": names[2],
            "truth": names[5],
        }
        query = call(
            "intersection_attack", ["r1", "r1"], presence=[names[4], names[4]], exact_cover=True, **arguments
        )
        [result] = records(con, f"from {query}")
        assert (result["n"], result["sensitive"], result["candidates"], result["prior"]) == (
            "x",
            "{s}",
            ["flu"],
            1,
        )
        assert result["truth_is_candidate"]


@dataclass(frozen=True)
class Census:
    """A data set, attacked in five pairs of overlapping samples at k = 5."""

    name: str
    qi: list[str]
    sensitive: str

    def measure(self, con: duckdb.DuckDBPyConnection, seed: int) -> dict[str, float]:
        *samples, common = data.overlapping_subsets(con, self.name, seed)
        for i, sample in enumerate(samples):
            released = call("mondrian", sample, qi=self.qi, sensitive=self.sensitive, k=5, seed=seed)
            fetch(con, f"create or replace table release_{i} as from {released}")
        return measures(con, ["release_0", "release_1"], **self.arguments(common))

    def arguments(self, common: str) -> dict[str, Any]:
        return {
            "targets": common, "id": "id", "qi": self.qi, "sensitive": self.sensitive, "truth": self.sensitive
        }  # fmt: skip

    def gains(self, con: duckdb.DuckDBPyConnection) -> dict[str, float]:
        """The upper ends of the intervals of what weighing gains, on the releases measured last."""
        answer = call("breaches", ["release_0", "release_1"], **self.arguments(f"{self.name}_common"))
        return dict(fetch(con, f"select measure, high from {answer} where measure like 'gain%'"))


SEEDS = some(range(1, 6), 5)


@data.needs_data
class TestCensus:
    """Section 3 of the paper, on its data: Figures 1 to 3 at k = 5, as far as the text has numbers.

    Every person is in both samples, and Mondrian's classes cover their rows, so the true value is always
    among the candidates.
    """

    @pytest.mark.slow("a census")
    def test_ipums(self, con: duckdb.DuckDBPyConnection) -> None:
        """PVP_100 about 60, PVP_25 about 95, class size close to 40."""
        data.load_ipums(con, "ipums")
        census = Census("ipums", data.IPUMS_QI, "occ1950")
        result = {seed: census.measure(con, seed) for seed in SEEDS}
        for measured in result.values():
            assert measured["targets"] == 5000, result
            assert measured["true value among the candidates"] == 100, result
            assert measured["single candidates that are right"] == 100, result
            assert (measured["contradictions"], measured["located in all releases"]) == (0, 100), result
            assert 35 <= measured["average class size"] <= 50, result
            assert 90 <= measured["PVP_25"] <= 97, result
            assert measured["PVP_100"] > 50, result
            assert measured["weighted guess, right"] > measured["guess from one release, right"], result
        gains = census.gains(con)
        assert len(gains) == 2
        assert min(gains.values()) >= 0, gains

    @pytest.mark.slow("3.0 s")
    def test_adult(self, con: duckdb.DuckDBPyConnection) -> None:
        """PVP_100 about 12, PVP_25 above 60."""
        data.load_adult(con, "adult")
        census = Census("adult", data.ADULT_QI, "occupation")
        result = {seed: census.measure(con, seed) for seed in SEEDS}
        for measured in result.values():
            assert measured["targets"] == 5000, result
            assert measured["true value among the candidates"] == 100, result
            assert (measured["contradictions"], measured["located in all releases"]) == (0, 100), result
            assert measured["PVP_25"] > 60, result
            assert 0 < measured["PVP_100"] < measured["PVP_50"] < measured["PVP_25"], result
        gains = census.gains(con)
        assert len(gains) == 2
        assert min(gains.values()) >= 0, gains

    @pytest.mark.slow("a census")
    def test_threads_do_not_matter(self, con: duckdb.DuckDBPyConnection) -> None:
        data.load_adult(con, "adult")
        census = Census("adult", data.ADULT_QI, "occupation")
        census.measure(con, 1)
        answers = []
        for threads in (1, 4):
            fetch(con, f"set threads = {threads}")
            answer = measures(con, ["release_0", "release_1"], **census.arguments("adult_common"))
            relation = call(
                "intersection_attack", ["release_0", "release_1"], **census.arguments("adult_common")
            )
            answers.append((answer, fetch(con, f"from {relation} order by id")))
        assert answers[0][1] == answers[1][1]
        assert answers[0][0] == pytest.approx(answers[1][0], rel=1e-12)
