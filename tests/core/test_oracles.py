"""The oracles against examples worked out by hand or printed in the papers, and against each other."""

import datetime
import math
import random
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from statistics import fmean
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import data
from tests.oracles import attack, covers, mondrian, privacy, recursion, small_worlds
from tests.oracles.privacy import Requirements

unhurried = settings(deadline=None)  # a busy machine is no failure

# Li et al. 2007, Fig. 1: a hierarchy of diseases of height 3
TAXONOMY = {
    "respiratory": {
        "respiratory infection": ["flu", "pneumonia", "bronchitis"],
        "vascular lung": ["pulmonary edema", "pulmonary embolism"],
    },
    "digestive": {
        "stomach": ["gastric ulcer", "gastritis", "stomach cancer"],
        "colon": ["colitis", "colon cancer"],
    },
}
DISEASES = {
    disease: [disease, kind, system, "*"]
    for system, kinds in TAXONOMY.items()
    for kind, diseases in kinds.items()
    for disease in diseases
}


class TestPrivacy:
    @pytest.mark.both_lines
    def test_classes_of_dicts_and_tuples(self) -> None:
        dicts: list[dict[str, Any]] = [
            {"a": 1, "s": "x"},
            {"a": None, "s": "x"},
            {"a": 1, "s": "y"},
            {"a": None, "s": "x"},
        ]
        expected = {(1,): Counter(x=1, y=1), (None,): Counter(x=2)}
        assert privacy.classes(dicts, ["a"], "s") == expected
        assert privacy.classes([(row["a"], row["s"]) for row in dicts], [0], 1) == expected
        assert [c.total() for c in privacy.classes([(math.nan,), (-math.nan,)], [0]).values()] == [2]

    @pytest.mark.parametrize("m", range(1, 40))
    def test_a_uniform_class_has_exactly_its_number_of_values(self, m: int) -> None:
        assert privacy.entropy_l(Counter(dict.fromkeys(range(m), 7))) == m

    def test_entropy(self) -> None:
        assert privacy.entropy_l(Counter(a=1, b=1)) == 2
        # H = -(3/4 ln 3/4 + 1/4 ln 1/4), exp(H) = 4 / 3^(3/4)
        assert privacy.entropy_l(Counter(a=3, b=1)) == pytest.approx(4 / 3**0.75, rel=1e-15)

    def test_counts(self) -> None:
        cls = Counter(a=3, b=1, c=1)
        assert (privacy.size(cls), privacy.distinct_l(cls), privacy.alpha(cls)) == (5, 3, 0.6)

    def test_recursive_sorts_descending(self) -> None:
        cls = Counter(a=1, b=4, c=2, d=1)  # r = 4, 2, 1, 1
        assert [privacy.recursive_ratio(cls, l) for l in (1, 2, 3, 4, 5)] == [0.5, 1, 2, 4, math.inf]

    def test_salaries_of_li(self) -> None:
        """Li et al. 2007, ordered distance: {3k, 4k, 5k} and {6k, 8k, 11k} in a table of 3k..11k."""
        table = Counter(range(3, 12))
        assert privacy.t_ordered(Counter([3, 4, 5]), table) == 0.375
        assert privacy.t_ordered(Counter([6, 8, 11]), table) == pytest.approx(1 / 6, rel=1e-15)
        assert privacy.t_ordered(Counter([3, 4, 5]), table, order=range(20, 0, -1)) == 0.375
        assert privacy.t_equal(Counter([3, 4, 5]), table) == pytest.approx(2 / 3, rel=1e-15)
        assert privacy.t_ordered(Counter("a"), Counter("aaa")) == 0

    def test_diseases_of_li(self) -> None:
        """Li et al. 2007, hierarchical distance: 1/3, 2/3 and 1 from flu."""
        flu = Counter(["flu"])
        for other, distance in [("bronchitis", 1 / 3), ("pulmonary embolism", 2 / 3), ("stomach cancer", 1)]:
            table = Counter(["flu", other])  # half of the mass has to move
            assert privacy.t_hierarchical(flu, table, DISEASES) == pytest.approx(distance / 2, rel=1e-15)

    def test_hierarchical_by_hand(self) -> None:
        """The nine patients of Li et al. 2007, Table 3, and a class of three of them."""
        table = Counter(
            {
                "gastric ulcer": 1,
                "gastritis": 2,
                "stomach cancer": 2,
                "flu": 1,
                "bronchitis": 2,
                "pneumonia": 1,
            }
        )
        cls = Counter(["gastric ulcer", "stomach cancer", "pneumonia"])
        # in ninths: root 3/3 * 1, stomach (+2 +1 -2) 1/3 * 2, infections (+2 -1 -2) 1/3 * 2
        assert privacy.t_hierarchical(cls, table, DISEASES) == pytest.approx(7 / 27, rel=1e-15)

    def test_beta(self) -> None:
        table = Counter(a=8, b=2)
        assert privacy.beta_basic(Counter(a=1, b=1), table) == 1.5  # b: p = 1/2, q = 1/5
        assert privacy.beta_enhanced(Counter(a=1, b=1), table) == 1.5  # -ln 1/5 = 1.61
        assert privacy.beta_basic(Counter(a=2, b=3), table) == 2
        assert privacy.beta_enhanced(Counter(a=2, b=3), table) == math.inf
        assert (
            privacy.beta_basic(Counter(a=4, b=1), table)
            == privacy.beta_enhanced(Counter(a=4, b=1), table)
            == 0
        )
        assert privacy.beta_enhanced(Counter(a=1), table) == math.inf  # (1 - .8)/.8 = .25 > -ln .8 = .22

    def test_delta(self) -> None:
        table = Counter(a=1, b=1)
        assert privacy.delta_disclosure(Counter(a=1, b=3), table) == pytest.approx(math.log(2), rel=1e-15)
        assert privacy.delta_disclosure(Counter(a=3), table) == math.inf
        assert privacy.delta_disclosure(table, table) == 0

    def test_reached_is_the_worst_class(self) -> None:
        rows = [("x", "flu")] * 2 + [("x", "gastritis")] + [("y", "flu"), ("y", "gastritis")]
        expected = {
            "k-anonymity": 2,
            "distinct l-diversity": 2,
            "entropy l-diversity": 3 / 4 ** (1 / 3),
            "recursive (c, l)-diversity": 2,
            "(alpha, k)-anonymity": 2 / 3,
            "t-closeness (equal)": 0.1,
            "t-closeness (ordered)": 0.1,
            "t-closeness (hierarchical)": 0.1,
            "beta-likeness (basic)": 0.25,  # y, gastritis: 1/2 for 2/5
            "beta-likeness (enhanced)": 0.25,
            "delta-disclosure": math.log(1.25),
        }
        reached = privacy.reached(privacy.classes(rows, [0], 1), hierarchy=DISEASES)
        assert {model: reached[model] for model in expected} == pytest.approx(expected, rel=1e-12)
        assert set(privacy.reached(privacy.classes(rows, [0], 1))) == set(privacy.MODELS) - {
            "t-closeness (hierarchical)"
        }

    def test_violations(self) -> None:
        classes = {("x",): Counter(a=2, b=1), ("y",): Counter(a=1, b=1), ("z",): Counter(a=4)}
        result = privacy.violations(classes, Requirements(k=3, l=2, recursive_c=2, alpha=0.75))
        assert result == [
            privacy.Violation("k-anonymity", 3, 2, 2, ("y",)),
            privacy.Violation("distinct l-diversity", 2, 1, 4, ("z",)),
            privacy.Violation("recursive (c, l)-diversity", 2, 2, 3, ("x",)),  # 2 < 2 * 1 is false
            privacy.Violation("recursive (c, l)-diversity", 2, math.inf, 4, ("z",)),
            privacy.Violation("(alpha, k)-anonymity", 0.75, 1, 4, ("z",)),
        ]

    def test_what_is_just_reached(self) -> None:
        cls, table = Counter(a=1, b=3), Counter(a=1, b=1)
        assert privacy.satisfies(cls, table, Requirements(alpha=0.75, t=0.25, beta=0.5, enhanced_beta=0.5))
        assert privacy.satisfies(
            cls, table, Requirements(entropy_l=4 / 3**0.75, delta_disclosure=math.log(2) + 1e-9)
        )
        assert not privacy.satisfies(cls, table, Requirements(delta_disclosure=math.log(2)))
        assert not privacy.satisfies(cls, table, Requirements(l=2, recursive_c=3))
        assert not privacy.satisfies(cls, table, Requirements(t=0.2499))
        assert not privacy.satisfies(Counter(b=1), table, Requirements(enhanced_beta=math.inf))  # 1 > ln 2
        assert not privacy.satisfies(cls, table, Requirements(safety_c=0.75, safety_k=0))
        assert privacy.safety(Counter(a=2, b=1, c=1), 1) == pytest.approx(6 / 7)  # 1 / (1 + (1/3)^2 / (2/3))
        with pytest.raises(ValueError, match="needs l"):
            Requirements(recursive_c=2)

    @pytest.mark.both_lines
    @unhurried
    @given(st.lists(st.sampled_from(list(DISEASES)), min_size=1, max_size=4), st.data())
    def test_distances_move_earth_as_cheaply_as_possible(self, first: list[str], draw: st.DataObject) -> None:
        """Every t-closeness distance is the cheapest of all ways to move the mass (Li et al. 2007)."""
        rest = draw.draw(st.lists(st.sampled_from(list(DISEASES)), min_size=len(first), max_size=len(first)))
        values = sorted(set(first + rest))

        def cheapest(distance: Callable[[str, str], float]) -> float:
            return min(sum(map(distance, first, other)) for other in permutations(rest)) / len(first)

        def steps_up(a: str, b: str) -> float:
            return next(level for level in range(4) if DISEASES[a][level] == DISEASES[b][level]) / 3

        # a table of twice the mass, half of it the class: the distance to it is half of that to the rest
        cls, table = Counter(first), Counter(first + rest)
        assert 2 * privacy.t_equal(cls, table) == pytest.approx(cheapest(lambda a, b: float(a != b)))
        assert 2 * privacy.t_hierarchical(cls, table, DISEASES) == pytest.approx(cheapest(steps_up))
        apart = max(len(values) - 1, 1)
        assert 2 * privacy.t_ordered(cls, table) == pytest.approx(
            cheapest(lambda a, b: abs(values.index(a) - values.index(b)) / apart)
        )


COUNTRIES = {
    "de": ["de", "eu", "*"],
    "fr": ["fr", "eu", "*"],
    "us": ["us", "am", "*"],
    "ca": ["ca", "am", "*"],
    "jp": ["jp", "as", "*"],
}


def as_sets(classes: Iterable[Iterable[Any]]) -> set[frozenset[int]]:
    return {frozenset(int(row) for row in members) for members in classes}


class TestMondrian:
    def test_the_widest_attribute_is_cut_first(self) -> None:
        rows = [(1, 1), (1, 2), (2, 1), (2, 3), (3, 1), (3, 2)]
        # both are as wide: the first is cut after 1, as good as after 2; of the rest, the second is the wider
        assert as_sets(mondrian.mondrian(rows, None, Requirements(k=2))) == {
            frozenset({0, 1}),
            frozenset({2, 4}),
            frozenset({3, 5}),
        }
        table = mondrian.Mondrian(rows, None, Requirements(k=2))
        assert table.released_values([2, 4]) == ("[2, 3]", "1")
        assert not table.could_be_cut([2, 4])
        assert table.could_be_cut([2, 3, 4, 5])

    def test_the_next_attribute_if_a_half_is_too_small(self) -> None:
        rows = [(0, 1), (9, 1), (9, 2), (9, 2)]
        assert as_sets(mondrian.mondrian(rows, None, Requirements(k=2))) == {
            frozenset({0, 1}),
            frozenset({2, 3}),
        }

    def test_a_cut_with_a_hierarchy_makes_a_part_of_every_child(self) -> None:
        rows = [(country,) for country in ("de", "fr", "us", "us", "jp", "jp", "de")]
        table = mondrian.Mondrian(rows, None, Requirements(k=2), hierarchies={0: COUNTRIES})
        assert as_sets(table.classes()) == {frozenset({0, 1, 6}), frozenset({2, 3}), frozenset({4, 5})}
        assert table.released_values([0, 1, 6]) == ("eu",)
        assert table.released_values([2, 3]) == ("us",)
        assert table.released_values([1, 2]) == ("*",)
        # one child has a single row: no cut at all
        assert len(mondrian.mondrian(rows[:-2], None, Requirements(k=2), hierarchies={0: COUNTRIES})) == 1

    def test_width_with_a_hierarchy_is_that_of_the_lowest_common_node(self) -> None:
        attribute = mondrian.Hierarchical(COUNTRIES)
        assert attribute.width(Counter(["de", "fr"])) == 0.25  # 2 of 5 leaves
        assert attribute.width(Counter(["de", "us"])) == 1
        assert attribute.width(Counter(["de"])) == 0
        with pytest.raises(ValueError, match="missing"):
            attribute.width(Counter(["at"]))
        with pytest.raises(ValueError, match="top"):
            mondrian.Hierarchical({"a": ["a", "x"], "b": ["b", "y"]})

    def test_every_sensitive_attribute_must_hold(self) -> None:
        rows = [(1,), (1,), (2,), (2,)]
        first = [("a",), ("b",), ("a",), ("b",)]
        assert len(mondrian.mondrian(rows, first, Requirements(l=2))) == 2
        both = [("a", "x"), ("b", "x"), ("a", "y"), ("b", "y")]
        assert len(mondrian.mondrian(rows, both, Requirements(l=2))) == 1
        with pytest.raises(mondrian.Infeasible):
            mondrian.mondrian(rows, first, Requirements(l=3))
        with pytest.raises(mondrian.Infeasible):
            mondrian.mondrian(rows, None, Requirements(k=5))
        with pytest.raises(ValueError, match="empty"):
            mondrian.mondrian([], None, Requirements(k=1))

    def test_null_is_the_first_value_and_nan_the_last(self) -> None:
        rows = [(None,), (1.5,), (math.inf,), (math.nan,), (math.nan,)]
        table = mondrian.Mondrian(rows, None, Requirements(k=1))
        assert as_sets(table.classes()) == {frozenset({0}), frozenset({1}), frozenset({2}), frozenset({3, 4})}
        assert table.released_values([0]) == (None,)
        assert table.released_values([0, 1]) == ("[NULL, 1.5]",)
        assert table.released_values([2, 3]) == ("[inf, nan]",)

    def test_released_sets(self) -> None:
        rows = [
            (None, True),
            ("a", False),
            ("b, c", True),
            (" d", True),
            ("NULL", True),
            ("", True),
            ('say "e"', True),
        ]
        table = mondrian.Mondrian(rows, None, Requirements(k=7))
        assert table.released_values(range(7)) == (
            '{NULL, "", " d", "NULL", a, "b, c", "say ""e"""}',
            "{false, true}",
        )
        assert table.released_values([2]) == ("b, c", "true")
        enum = mondrian.Mondrian(
            [("low",), ("high",), (None,)], None, Requirements(k=1), orders={0: ["low", "high"]}
        )
        assert enum.released_values([0, 1, 2]) == ("{NULL, low, high}",)

    def test_released_dates(self) -> None:
        days = [datetime.date(2020, 1, 31), datetime.date(2019, 12, 1)]
        moments = [datetime.datetime(2020, 1, 1, 8), datetime.datetime(2020, 1, 1, 8, 0, 0, 250000)]
        table = mondrian.Mondrian(list(zip(days, moments, strict=True)), None, Requirements(k=2))
        assert table.released_values([0, 1]) == (
            "[2019-12-01, 2020-01-31]",
            "[2020-01-01 08:00:00, 2020-01-01 08:00:00.25]",
        )

    @unhurried
    @given(
        st.lists(
            st.tuples(*[st.none() | st.integers(0, 6)] * 2, st.sampled_from(list(COUNTRIES))), min_size=1
        )
    )
    def test_classes_are_final_and_their_released_values_cover_their_rows(
        self, rows: list[tuple[Any, ...]]
    ) -> None:
        sensitive = [(row[0],) for row in rows]
        table = mondrian.Mondrian(
            rows, sensitive, Requirements(k=2, l=1, alpha=1), hierarchies={2: COUNTRIES}
        )
        if len(rows) < 2:
            with pytest.raises(mondrian.Infeasible):
                table.classes()
            return
        classes = table.classes()
        assert sorted(row for members in classes for row in members) == list(range(len(rows)))
        for members in classes:
            assert len(members) >= 2
            assert not table.could_be_cut(members)
            released = table.released_values(members)
            for row in members:
                labels = [(), (), COUNTRIES[rows[row][2]]]
                assert all(map(covers.covers, released, rows[row], labels))


class TestRecursion:
    @unhurried
    @given(
        st.integers(1, 4).flatmap(
            lambda d: st.lists(st.tuples(*[st.integers(0, 9)] * d), min_size=1, max_size=60)
        ),
        st.integers(1, 6),
    )
    def test_same_classes_as_the_slow_one(self, rows: list[tuple[int, ...]], k: int) -> None:
        k = min(k, len(rows))
        slow = as_sets(mondrian.mondrian(rows, None, Requirements(k=k)))
        codes = recursion.encode(list(zip(*rows, strict=True)))
        assert as_sets(recursion.mondrian(codes, k)) == slow
        coded = [tuple(row) for row in codes.tolist()]
        classes = sorted(sorted(coded[row] for row in members) for members in slow)
        assert sorted(sorted(part) for part in recursion.plain(coded, k)) == classes
        combinations, weights = recursion.distinct(codes)
        weighted = [
            frozenset(
                row
                for position in members
                for row in range(len(rows))
                if tuple(codes[row]) == tuple(combinations[position])
            )
            for members in recursion.mondrian(combinations, k, weights)
        ]
        assert set(weighted) == slow


# Ganta et al. 2008, Table 1: two hospitals, rows of (zip, age, nationality, condition)
HOSPITAL_A = (
    [("130**", "<30", "*", s) for s in ("AIDS", "Heart Disease", "Viral Infection", "Viral Infection")]
    + [("130**", ">=40", "*", s) for s in ("Cancer", "Heart Disease", "Viral Infection", "Viral Infection")]
    + [("130**", "3*", "*", "Cancer")] * 4
)
HOSPITAL_B = [
    ("130**", "<35", "*", s) for s in ("AIDS", "Tuberculosis", "Flu", "Tuberculosis", "Cancer", "Cancer")
] + [("130**", ">=35", "*", s) for s in ["Cancer"] * 3 + ["Tuberculosis"] + ["Viral Infection"] * 2]
HOSPITALS = [privacy.classes(rows, [0, 1, 2], 3) for rows in (HOSPITAL_A, HOSPITAL_B)]


class TestAttack:
    def test_the_table_of_ganta(self) -> None:
        assert [privacy.reached(hospital)["k-anonymity"] for hospital in HOSPITALS] == [4, 6]
        (alice,) = attack.intersection_attack(HOSPITALS, [("13012", 28, "American")])
        assert alice == attack.Attacked(
            frozenset({"AIDS"}),
            prior=3,
            posterior=1,
            drop=2,
            confidence=1.0,
            probabilities={"AIDS": Fraction(1)},
            upper_ends={"AIDS": Fraction(1)},
        )

    def test_candidates_are_weighed(self) -> None:
        """Cancer in 1 row of 4 and in 3 of 6, an infection in 2 and 2; in 10 and 6 of all 24."""
        classes = [Counter(cancer=1, infection=2, asthma=1), Counter(cancer=3, infection=2, flu=1)]
        marginal = Counter(cancer=10, infection=6, asthma=8)

        def weights(others: int, correlation: int) -> dict[str, Fraction]:
            alike = dict.fromkeys(marginal, Fraction(correlation))
            knowledge = attack.Knowledge(marginal, alike)
            return attack.weigh_with({"cancer", "infection"}, classes, knowledge, Fraction(others))

        def shares(cancer: Fraction, infection: Fraction) -> dict[str, Fraction]:
            return {"cancer": cancer / (cancer + infection), "infection": infection / (cancer + infection)}

        # Nobody else is in both. How many are like the target, all rows tell, or the other 9 of both classes.
        x, y = Fraction(4 * 6, 1 * 3), Fraction(4 * 6, 2 * 2)
        assert weights(0, 0) == shares(1 / (x * Fraction(10, 24)), 1 / (y * Fraction(6, 24)))
        assert weights(0, 1) == shares(1 / (x * Fraction(3, 9)), 1 / (y * Fraction(3, 9)))
        # At most 1 + 2 people can be in both: 1 and 3 others.
        x, y = Fraction(1 * 3, 1 * 3) * Fraction(10, 24), Fraction(1 * 3, 2 * 2) * Fraction(6, 24)
        assert weights(3, 0) == shares(1 / (3 + x), 1 / (Fraction(3, 2) + y))

    @pytest.mark.parametrize("common", [0, 1, 3])
    @pytest.mark.parametrize("classes", [2, 4])
    def test_weights_and_small_worlds(self, classes: int, common: int) -> None:
        """What is stated is Bayes' rule if nobody else is in all classes, and near it otherwise."""
        draw, drawn = random.Random(2), Counter(a=5, b=3, c=2)
        off = []
        for _ in range(100):
            both = draw.choices("abc", [5, 3, 2], k=1 + common)
            known = [Counter([*both, *draw.choices("abc", [5, 3, 2], k=2)]) for _ in range(classes)]
            exact = small_worlds.posterior(known, common, {s: Fraction(n, 10) for s, n in drawn.items()})
            told = attack.weigh_with(exact, known, attack.Knowledge(drawn, {}), Fraction(common))
            assert set(told) == set(exact)
            off.append(max(abs(told[s] - exact[s]) for s in exact))
        assert max(off) == 0 if common == 0 else fmean(off) < 0.09

    def test_a_target_may_share_more_or_fewer_than_others(self) -> None:
        assert attack.supposed(Fraction(1, 4)) == [Fraction(1, 9), Fraction(4, 9)]
        classes = [Counter(cancer=1, infection=2), Counter(cancer=3, infection=2)]
        knowledge = attack.Knowledge(Counter(cancer=10, infection=6), {}, {2: Fraction(1, 4)})
        told = attack.weigh(["cancer", "infection"], classes, knowledge)
        values = ["cancer", "infection"]
        few, more, all_of_them = (
            attack.weigh_with(
                values, classes, knowledge, attack.others_in_all(values, classes, knowledge, share, 0)
            )["cancer"]
            for share in (Fraction(1, 9), Fraction(4, 9), Fraction(1))
        )
        assert told["cancer"] == (few + more) / 2
        assert sum(told.values()) == 1
        most = attack.upper_ends(["cancer", "infection"], classes, knowledge)
        none = attack.weigh_with(["cancer", "infection"], classes, knowledge, Fraction(0))["cancer"]
        assert most["cancer"] == max(few, more, all_of_them, none)

    def test_how_many_others_are_in_all_classes(self) -> None:
        """3 people could be in both; of 1 and 2 of them the value is 10 and 2 of 12 rows."""
        classes = [Counter(cancer=1, infection=2), Counter(cancer=3, infection=2)]
        knowledge = attack.Knowledge(Counter(cancer=10, infection=2))

        def told(share: Fraction, others: int) -> Fraction:
            return attack.others_in_all(["cancer", "infection"], classes, knowledge, share, others)

        assert [told(Fraction(share), 0) for share in (0, 1)] == [0, 3]
        distinctive = Fraction(1 * 2 + 2 * 10, 12)
        assert told(Fraction(1, 4), 0) == 3 / (1 + 3 * 3 / distinctive)
        assert [told(Fraction(1, 4), others) for others in (1, 2)] == [1, 2]
        # with the target they would be four
        assert told(Fraction(1, 4), 3) == told(Fraction(1, 4), 0)

    def test_targets_in_the_same_classes(self) -> None:
        a, b, wide = Counter("xyz"), Counter("xy"), Counter("xxxyyy")
        several: list[list[list[Counter[str]] | None]] = [
            [[a], None],
            [[b], [wide]],
            [[a, b], [wide]],
            [[], [wide]],
        ]
        several += [[[a], [wide]], [[a], [wide]]]
        together = attack._together(several)
        assert together == {(id(a), id(wide)): 2, (id(b), id(wide)): 1}
        # 3 targets for 2 rows: not all of them are in the first release
        together = attack._together([[[b], [wide], [wide]]] * 3 + [[None, [wide], [wide]]])
        assert together == {(None, id(wide), id(wide)): 1}

    def test_a_power_makes_surer(self) -> None:
        classes = [Counter(cancer=1, infection=2), Counter(cancer=3, infection=2)]
        given = attack.Knowledge(Counter(cancer=10, infection=6), {})
        plain, squared = (
            attack.weigh_with(["cancer", "infection"], classes, given, Fraction(3, 4), power)
            for power in (1, 2)
        )
        odds = plain["cancer"] / plain["infection"]
        assert float(squared["cancer"] / squared["infection"]) == pytest.approx(float(odds**2))

    @pytest.mark.parametrize("common", [0, 1, 3])
    def test_the_common_share_keeps_values_as_frequent(self, common: int) -> None:
        """Two classes of 4 people, of whom so many others than the target are in both."""
        draw, everybody = random.Random(1), Counter(a=60, b=30, c=10)

        def people(n: int) -> list[str]:
            return draw.choices([*everybody], [*everybody.values()], k=n)

        piles = []
        for _ in range(600):
            both = people(1 + common)
            piles.append([Counter([*both, *people(3 - common)]) for _ in range(2)])
        known = attack.know_common_shares(piles, attack.Knowledge(everybody))
        [(releases, share)] = known.common_shares.items()
        assert releases == 2
        told = [attack.others_in_all(one & other, (one, other), known, share, 0) for one, other in piles]
        low, high = {0: (0, 0.5), 1: (0.5, 1.5), 3: (2.5, 4)}[common]
        assert low <= fmean(map(float, told)) <= high

    @pytest.mark.parametrize("common", [0, 1, 3])
    def test_the_power_and_small_worlds(self, common: int) -> None:
        """If nobody else is in all classes, the best guess is nearer to Bayes' rule with it. Otherwise the
        closed form is surer than that rule, and the power makes it no surer.
        """
        draw, everybody = random.Random(1), Counter(a=60, b=30, c=10)
        shares = {s: Fraction(n, 100) for s, n in everybody.items()}

        def people(n: int) -> list[str]:
            return draw.choices([*everybody], [*everybody.values()], k=n)

        piles = []
        for _ in range(600):
            both = people(1 + common)
            piles.append([Counter([*both, *people(4 - common)]) for _ in range(4)])
        known = attack.know_common_shares(piles, attack.Knowledge(everybody))
        off: list[list[float]] = [[], []]
        for pile in piles[:60]:
            exact = small_worlds.posterior(pile, common, shares)
            for i, knowledge in enumerate((known, replace(known, powers={}))):
                told = attack.weigh(exact, pile, knowledge, number=float)
                guess = max(told, key=lambda s: told[s])
                off[i].append(abs(float(told[guess] - exact[guess])))
        if common == 0:
            assert 1 < known.powers[4] < 2
            assert fmean(off[0]) < 0.97 * fmean(off[1])
        else:
            assert known.powers == {4: 1}

    def test_with_two_releases_there_is_no_power(self) -> None:
        piles = [[Counter(a=3, b=1), Counter(a=1, b=2)]] * 50
        assert attack.know_common_shares(piles, attack.Knowledge(Counter(a=8, b=6))).powers == {2: 1}

    def test_how_many_people_are_common(self) -> None:
        """All, if classes are the same; none, if their rows do not agree; else the pairs that do."""
        share = attack._common_share
        assert share([[Counter("aab"), Counter("aab")]]) == 1
        assert share([[Counter("aab")] * 3, [Counter("ab")]]) == 1
        assert share([[Counter("ab"), Counter("cd")]]) == 0
        # Within a class nobody agrees, so a and b are one person each: two of three.
        assert share([[Counter("abc"), Counter("abd")]]) == Fraction(2, 3)

    def test_how_alike_people_of_a_class_are(self) -> None:
        everybody = Counter(a=4, b=4)
        assert attack._correlations([Counter("aaaa"), Counter("bbbb")], everybody) == {"a": 1, "b": 1}
        assert attack._correlations([Counter("ab")] * 4, everybody) == {"a": 0, "b": 0}
        assert attack._correlations([Counter("a")] * 4 + [Counter("b")] * 4, everybody) == {"a": 0, "b": 0}
        # one row with b, which has no other in its class, and as much of the average
        few = attack._correlations([Counter("aaaa"), Counter("aaaa"), Counter("bc")], Counter("aaaaaaaabc"))
        average = (8 * Fraction(2, 10) - 2 * Fraction(1, 10)) / (8 * Fraction(2, 10) + 2 * Fraction(9, 10))
        assert few["b"] == few["c"] == (Fraction(-1, 9) + average) / 2
        assert few["a"] == (8 + average) / 9

    @unhurried
    @given(
        st.lists(
            st.lists(st.text("abcd", min_size=1, max_size=6), min_size=2, max_size=2), min_size=1, max_size=4
        ),
        st.integers(0, 3),
    )
    def test_order_and_repetition_do_not_matter(self, classes: list[list[str]], again: int) -> None:
        releases = [{(str(i),): Counter(values) for i, values in enumerate(release)} for release in classes]
        targets = [("0",), ("1",), ("0",)]
        result = attack.intersection_attack(releases, targets)
        assert attack.intersection_attack(releases[::-1], targets) == result
        repeated = [*releases, releases[again % len(releases)]]
        assert attack.intersection_attack(repeated, targets) == result
        for target, found in zip(result, ("0", "1", "0"), strict=True):
            assert set(target.probabilities) == target.candidates
            assert all(p > 0 for p in target.probabilities.values())
            assert not target.candidates or sum(target.probabilities.values()) == 1
            if len({tuple(release) for release in classes}) == 1:
                histogram = releases[0][(found,)]
                assert target.probabilities == {
                    s: Fraction(n, histogram.total()) for s, n in histogram.items()
                }

    def test_who_is_not_in_a_release(self) -> None:
        people = [("13012", 28, None)] * 3
        first, second, nobody = attack.intersection_attack(
            HOSPITALS, people, presence=[[True, False], [False, True], [False, False]]
        )
        assert first.candidates == {"AIDS", "Heart Disease", "Viral Infection"}
        assert first.probabilities["Viral Infection"] == Fraction(1, 2)
        assert second.candidates == {"AIDS", "Tuberculosis", "Flu", "Cancer"}
        assert (nobody.prior, nobody.posterior, nobody.drop) == (6, 6, 0)
        assert nobody.probabilities["Cancer"] == Fraction(10, 24)

    def test_breaches(self) -> None:
        targets = [("13012", 28, None), ("13012", 33, None), ("13012", 50, None), ("99999", 50, None)]
        located = [[attack.locate(hospital, target) for hospital in HOSPITALS] for target in targets]
        # 28: {AIDS}; 33: {Cancer}; 50: {Cancer, Viral Infection} of 3 and 3; the last lives elsewhere
        knowledge = attack.know(HOSPITALS, located)
        result = attack.breaches(
            located, knowledge, ["AIDS", "Flu", "Cancer", "Flu"], levels=(0.5, 0.9), sure=(0.9,)
        )
        assert result == attack.Breaches(
            targets=4,
            pvp={0.5: 75.0, 0.9: 50.0},
            vulnerable=2,
            average_prior=(3 + 1 + 3 + 0) / 4,
            average_posterior=(1 + 1 + 2 + 0) / 4,
            average_drop=(2 + 0 + 1 + 0) / 4,
            contradictions=1,
            truth_among=0.5,
            singletons_right=0.5,
            # of all rows most have Cancer, 10 of 24
            marginal_expected=10 / 24,
            marginal_right=1 / 4,
            single_expected=(1 / 2 + 1 + 1 / 2 + 10 / 24) / 4,  # hospital A; B: (1/3 + 1/3 + 1/2 + 10/24) / 4
            single_right=1 / 4,  # A: never; B: 50 has Cancer
            weighted_expected=result.weighted_expected,
            weighted_upper=result.weighted_upper,
            weighted_right=1 / 4,  # 28
            over_marginal=[1, 0, -1, 0],
            over_single=[1, 0, -1, 0],
            # of 28 and 33, by hospital A alone of 33; it is wrong of the latter
            certainty={
                0.9: attack.Certainty(
                    sure=0.5, upper=0.5, unsuppressed=0.5, single=0.25, marginal=0, expected=1, right=0.5
                )
            },
        )
        third = attack.intersect(located[2], knowledge).probabilities["Viral Infection"]
        assert result.weighted_expected == pytest.approx((1 + 1 + float(third) + 10 / 24) / 4)
        most = max(attack.intersect(located[2], knowledge).upper_ends.values())
        assert result.weighted_upper == pytest.approx((1 + 1 + float(most) + 10 / 24) / 4)
        unknown = attack.breaches(located, knowledge)
        assert (unknown.truth_among, unknown.singletons_right) == (None, None)
        assert (unknown.single_right, unknown.weighted_right, unknown.over_single) == (None, None, None)

    def test_classes_that_overlap_are_united(self) -> None:
        overlapping = {("[20, 30]",): Counter(a=1, b=2), ("[25, 35]",): Counter(c=1), (None,): Counter(d=1)}
        assert attack.locate(overlapping, (27,)) == [Counter(a=1, b=2), Counter(c=1)]
        assert attack.intersect(
            [attack.locate(overlapping, (27,))], attack.Knowledge(Counter("abcd"))
        ).candidates == {
            "a",
            "b",
            "c",
        }
        assert attack.intersect(
            [attack.locate(overlapping, (None,))], attack.Knowledge(Counter("abcd"))
        ).candidates == {"d"}
        by_label = {("eu",): Counter(a=1), ("am",): Counter(b=1)}
        assert attack.locate(by_label, ("de",), [COUNTRIES["de"]]) == [Counter(a=1)]

    def test_a_target_in_no_class_contradicts(self) -> None:
        lost = attack.intersect([[Counter(a=1)], []], attack.Knowledge(Counter(a=1)))
        assert lost == attack.Attacked(frozenset(), prior=0, posterior=0, drop=0, confidence=None)
        assert attack.breaches([[[Counter(a=1)], []]], attack.Knowledge(Counter(a=1))).contradictions == 1

    def test_four_releases_and_a_tie_in_the_baseline(self) -> None:
        sets = ["abcd", "abc", "abd", "bcd"]
        result = attack.intersect([[Counter(s)] for s in sets], attack.Knowledge(Counter("".join(sets))))
        assert (set(result.candidates), result.prior, result.posterior, result.drop) == ({"b"}, 3, 1, 2)
        one = attack.breaches([[[Counter(s)] for s in sets]], attack.Knowledge(Counter("".join(sets))), ["b"])
        assert one.single_right == one.single_expected == pytest.approx(1 / 3)

    def test_the_interval_of_a_share(self) -> None:
        """Wilson's interval of 10 of 20, as tables have it."""
        assert list(attack.interval(0.5, 20)) == pytest.approx([0.2993, 0.7007], abs=1e-4)

    def test_exact_cover(self) -> None:
        def possible(*sets: str) -> list[frozenset[str]]:
            return [frozenset(s) for s in sets]

        # a is taken by the first; b and c by the two that can have nothing else
        assert attack.exact_cover(possible("a", "ab"), [([0, 1], Counter("ab"))]) == possible("a", "b")
        assert attack.exact_cover(possible("bc", "bc", "abcd"), [([0, 1, 2], Counter("abcd"))]) == possible(
            "bc", "bc", "ad"
        )
        # the unknown fourth may have the second a
        assert attack.exact_cover(possible("ab", "ab", "b"), [([0, 1, 2], Counter("aabb"))]) == possible(
            "ab", "ab", "b"
        )
        # one class tells something about the next
        chain = [([0, 1], Counter("ab")), ([1, 2], Counter("bc"))]
        assert attack.exact_cover(possible("a", "ab", "bc"), chain) == possible("a", "b", "c")
        # two people cannot have one row: such a class tells nothing
        assert attack.exact_cover(possible("a", "a", "ab"), [([0, 1, 2], Counter("abb"))]) == possible(
            "a", "a", "ab"
        )


class TestCovers:
    @pytest.mark.parametrize(
        ("released", "inside", "outside"),
        [
            ("*", [None, 1, "x", ""], []),
            (None, [None], [1, "", "NULL"]),
            ("NULL", ["NULL"], [None]),
            ("130**", ["13012", 13099], ["1301", "130123", "13112", None]),
            ("3*", [30, 39, "3x"], [3, 300, 29]),
            ("**", [10, "ab"], [1, 100]),
            ("<30", [29, 29.9, -1, "29", "5"], [30, 31, None, "x"]),
            ("<=30", [30, 30.0], [31]),
            (">30", [31, 100, "100"], [30, 9, "9"]),
            (">=40", [40, 100], [39]),
            (">=2020-01-01", [datetime.date(2020, 1, 1), "2021-05-05"], [datetime.date(2019, 12, 31)]),
            ("20-29", [20, 29, 24.5, "25"], [19, 30, None, "x"]),
            ("-5--1", [-5, -1, -3], [0, -6, 5]),
            ("1.5-2.5", [1.5, 2, 2.5], [1, 3]),
            ("[20, 29]", [20, 29, "25", "025"], [19, 30, None, "x"]),
            ("[20, 30[", [20, 29.9], [30]),
            ("]20, 30]", [20.1, 30], [20]),
            ("(20, 30]", [20.1, 30], [20]),
            ("[20, 30)", [20, 29.9], [30]),
            ("[20,30]", [20, 30], [31]),
            ("[9, 10]", ["9", "10"], ["95"]),
            ("[NULL, 29]", [None, -100, 29], [30]),
            ("[inf, nan]", [math.inf, math.nan], [1e308]),
            ("[1.0, 2.0]", [1, 2, 1.5], [math.nan, math.inf]),
            ("[-1e+16, 1e-05]", [-1e16, 0, 1e-5], [1e-4]),
            ("[9007199254740993, 9007199254740995]", [9007199254740994], [9007199254740992]),
            (
                "[2020-01-01, 2020-12-31]",
                [datetime.date(2020, 5, 5), "2020-12-31"],
                [datetime.date(2021, 1, 1)],
            ),
            (
                "[2020-01-01, 2020-12-31]",
                [datetime.datetime(2020, 12, 31)],
                [datetime.datetime(2020, 12, 31, 1)],
            ),
            ("[08:00:00, 09:30:00]", [datetime.time(8), datetime.time(9, 29)], [datetime.time(9, 30, 1)]),
            ("[b, d]", ["b", "c", "cat", "d"], ["a", "dog"]),
            ("{a, b}", ["a", "b"], ["c", "a, b", None]),
            (
                '{NULL, "", " d", "NULL", a, "b, c", "say ""e"""}',
                [None, "", " d", "NULL", "b, c", 'say "e"'],
                ["d", "b"],
            ),
            ('{"NULL"}', ["NULL"], [None]),
            ("{1, 2}", [1, 2.0], [3]),
            ("{a, ", ["{a, "], ["a"]),
            ("28", [28, 28.0, "28"], ["28.0", "028", 29, None]),
            ("05", [5, "05"], ["5"]),
            ("true", [True, "true"], [False, 1]),
            ("nan", [math.nan, "nan"], [1.0]),
            ("2020-01-01", [datetime.date(2020, 1, 1)], [datetime.date(2020, 1, 2)]),
            ("<=50K", ["<=50K"], [">50K"]),
            ("", [""], [None, " "]),
        ],
    )
    def test_spellings(self, released: str | None, inside: list[Any], outside: list[Any]) -> None:
        assert [raw for raw in inside if not covers.covers(released, raw)] == []
        assert [raw for raw in outside if covers.covers(released, raw)] == []

    def test_labels(self) -> None:
        assert covers.covers("eu", "de", COUNTRIES["de"])
        assert not covers.covers("am", "de", COUNTRIES["de"])

    @unhurried
    @given(st.lists(st.none() | st.text(st.characters(codec="utf-8"), max_size=4), min_size=2, unique=True))
    def test_a_released_set_holds_its_values_and_nothing_else(self, values: list[str | None]) -> None:
        table = mondrian.Mondrian([(value,) for value in values], None, Requirements(k=1))
        (released,) = table.released_values(range(len(values)))
        assert released is not None
        assert covers.elements(released) == sorted(values, key=lambda value: (value is not None, value or ""))


@pytest.fixture(scope="module")
def adult() -> list[tuple[Any, ...]]:
    with duckdb.connect() as con:
        data.load_adult(con, "adult")
        return con.execute("from adult order by id").fetchall()


@data.needs_data
class TestData:
    @pytest.mark.slow("Adult")
    def test_risk_of_adult(self, adult: list[tuple[Any, ...]]) -> None:
        """The measured figures of the raw seven quasi-identifiers (conformance/README.md)."""
        assert len(adult) == 30162
        classes = privacy.classes(adult, range(1, 8), 8)
        sizes = [privacy.size(cls) for cls in classes.values()]
        assert len(sizes) / len(adult) == 0.36764803395000334
        assert sizes.count(1) == 7653
        assert sum(n for n in sizes if n < 5) == 13657
        assert max(sizes) == 137
        assert privacy.reached(classes)["k-anonymity"] == 1

    @pytest.mark.slow("Adult")
    def test_recursion_on_adult(self, adult: list[tuple[Any, ...]]) -> None:
        rows = [row[1:8] for row in adult]
        codes = recursion.encode(list(zip(*rows, strict=True)))
        assert as_sets(recursion.mondrian(codes, 5)) == as_sets(
            mondrian.mondrian(rows, None, Requirements(k=5))
        )

    def test_ipums_and_its_subsets(self) -> None:
        with duckdb.connect() as con:
            data.load_ipums(con, "ipums")
            distinct = ", ".join(
                f"count(distinct {column})" for column in data.IPUMS_QI + data.IPUMS_SENSITIVE
            )
            (counts,) = con.execute(f"select count(*), {distinct} from ipums").fetchall()
            assert counts == (70187, 101, 3, 10, 6, 7, 2, 113, 247, 145, 471)
            first, second, common = data.overlapping_subsets(con, "ipums", seed=1)
            (sizes,) = con.execute(
                f"""select (select count(*) from "{first}"), (select count(*) from "{second}"),
                    (select count(*) from "{common}"),
                    (select count(*) from "{first}" semi join "{second}" using (id)),
                    (select count(*) from (select id from "{first}" union select id from "{second}"))"""
            ).fetchall()
            assert sizes == (37594, 37593, 5000, 5000, 70187)
