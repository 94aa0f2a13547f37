"""Nights in which something changes, each with what is right to say: holds, fails or not known."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, ClassVar

import duckdb
import pytest

from sqlanon.attack import all_attacks, possible_values
from sqlanon.core.deadline import Deadline
from sqlanon.core.errors import InputError
from sqlanon.core.statements import call, execute
from sqlanon.core.tables import WorkTables
from sqlanon.judge import verdicts
from sqlanon.judge.evidence import Doubt
from sqlanon.policies.levels import BOUNDS
from sqlanon.policies.policy import load
from sqlanon.publishing.acceptances import acceptance
from tests.judge.nights import (
    ATTACK,
    CERTAIN,
    FAILS,
    HOLDS,
    KNOWING_ALL,
    NOT_KNOWN,
    WRONG_USE,
    Nights,
    Row,
    groups,
    policy,
    report,
)

YOUNG_AND_OLD = groups(("[20, 29]", [20, 21, 22]), ("[60, 69]", [60, 61, 62]))
ONE_CLASS = {"age": groups(("any", range(18, 70)))}
ALL_OF_THEM = {"age": 1}


@pytest.fixture
def nights(con: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Nights:
    monkeypatch.setenv("SQLANON_KEY", "0123456789abcdef")
    return Nights(con, tmp_path)


def people(columns: str, *rows: tuple[Any, ...]) -> list[Row]:
    """Rows with these columns."""
    return [dict(zip(columns.split(), row, strict=True)) for row in rows]


class TestOtherQuasiIdentifiers:
    """By sex on Monday, by age on Tuesday: each of the four is alone in a class of both."""

    FOUR = people(
        "age sex disease",
        (20, "f", "flu"), (20, "m", "angina"), (60, "f", "gout"), (60, "m", "cancer"),
    )  # fmt: skip
    MONDAY = policy(["age", "sex"], hierarchies={"age": groups(("any", [20, 60]))}, levels={"age": 1})
    TUESDAY = policy(["age"])

    @pytest.mark.slow("4 s")
    def test_one_fewer_on_tuesday(self, nights: Nights) -> None:
        assert nights.publish("monday", self.FOUR, self.MONDAY).verdict == HOLDS
        made = nights.publish("tuesday", self.FOUR, self.TUESDAY)
        assert (made.verdict, made.measured(), made.people()) == (FAILS, 100, 4)
        assert nights.out() == ["monday"]

    @pytest.mark.slow("the same nights the other way round")
    def test_one_more_on_tuesday(self, nights: Nights) -> None:
        assert nights.publish("monday", self.FOUR, self.TUESDAY).verdict == HOLDS
        made = nights.publish("tuesday", self.FOUR, self.MONDAY)
        assert (made.verdict, made.measured(), made.people()) == (FAILS, 100, 4)

    def test_a_source_without_one_that_was_released(self, nights: Nights) -> None:
        """Whose sex nobody knows could be in any class of Monday's."""
        assert nights.publish("monday", self.FOUR, self.MONDAY).verdict == HOLDS
        without = [{"age": row["age"], "disease": row["disease"]} for row in self.FOUR]
        made = nights.publish("tuesday", without, self.TUESDAY)
        assert made.verdict == NOT_KNOWN
        assert "sex" in made.text
        assert nights.out() == ["monday"]

    @pytest.mark.slow("4 s")
    def test_centroids_of_another_column(self, nights: Nights) -> None:
        """By age on Monday, by income on Tuesday: of Monday's centroids all are as far from any income."""
        eight = people(
            "age income disease",
            *((20 + i // 2, 10 + i % 4, disease) for i, disease in enumerate(["flu", "gout"] * 4)),
        )
        method = {"name": "microaggregate"}
        high = {CERTAIN: 100.0}
        monday = policy(["age"], method=method, tolerated=high)
        assert nights.publish("monday", eight, monday).verdict == HOLDS
        tuesday = policy(["income"], method=method, tolerated=high)
        assert nights.publish("tuesday", eight, tuesday).verdict == HOLDS
        assert nights.audit(eight, tuesday).measured() is not None

    @pytest.mark.slow("5 s")
    def test_an_audit_of_both(self, nights: Nights) -> None:
        """With the policy of either night."""
        high = {CERTAIN: 100.0}
        monday = policy(
            ["age", "sex"], hierarchies={"age": groups(("any", [20, 60]))}, levels={"age": 1}, tolerated=high
        )
        assert nights.publish("monday", self.FOUR, monday).verdict == HOLDS
        assert nights.publish("tuesday", self.FOUR, policy(["age"], tolerated=high)).verdict == HOLDS
        for rules in (self.MONDAY, self.TUESDAY):
            made = nights.audit(self.FOUR, rules)
            assert (made.verdict, made.measured(), made.people()) == (FAILS, 100, 4)


class TestOtherHierarchies:
    """The same label stands for other values on another night."""

    FOUR = people("age disease", (20, "flu"), (21, "gout"), (60, "angina"), (61, "cancer"))

    def rules(self, young: list[int], old: list[int]) -> str:
        return policy(
            ["age"], hierarchies={"age": groups(("young", young), ("old", old))}, levels=ALL_OF_THEM
        )

    @pytest.mark.slow("4 s; labels of other people are tried")
    def test_labels_are_exchanged(self, nights: Nights) -> None:
        """The classes are the same: whoever reads Monday's labels as Tuesday's finds contradictions."""
        assert nights.publish("monday", self.FOUR, self.rules([20, 21], [60, 61])).verdict == HOLDS
        made = nights.publish("tuesday", self.FOUR, self.rules([60, 61], [20, 21]))
        assert (made.verdict, made.measured()) == (HOLDS, 0)
        assert made.measured(key=f"{ATTACK}.contradictions") == 0
        assert nights.out() == ["monday", "tuesday"]

    @pytest.mark.slow("4 s")
    def test_labels_stand_for_other_people(self, nights: Nights) -> None:
        assert nights.publish("monday", self.FOUR, self.rules([20, 21], [60, 61])).verdict == HOLDS
        made = nights.publish("tuesday", self.FOUR, self.rules([21, 60], [20, 61]))
        assert (made.verdict, made.measured(), made.people()) == (FAILS, 100, 4)

    def test_a_hierarchy_of_fewer_values(self, nights: Nights) -> None:
        """Tuesday's lacks somebody of Monday: Monday's own explains the label."""
        assert nights.publish("monday", self.FOUR, self.rules([20, 21], [60, 61])).verdict == HOLDS
        young = policy(["age"], hierarchies={"age": groups(("all of them", [20, 21]))}, levels=ALL_OF_THEM)
        made = nights.publish("tuesday", self.FOUR[:2], young)
        assert (made.verdict, made.measured()) == (NOT_KNOWN, 0)
        [reason] = made.reasons
        assert "2 rows of monday are about nobody who is asked about" in reason


class TestUnchangedColumns:
    """Two classes of flu and gout in each night, of other people: only what leaves unchanged beside the
    disease tells which rows are one person's."""

    FOUR = people(
        "age ssn ward disease",
        (20, "000-20", "a", "flu"), (21, "000-21", "b", "gout"), (60, "000-60", "c", "gout"),
        (61, "000-61", "d", "flu"),
    )  # fmt: skip
    MONDAY = groups(("young", [20, 21]), ("old", [60, 61]))
    TUESDAY = groups(("even", [20, 60]), ("odd", [21, 61]))
    DIRECT = '\n[direct]\nward = "everybody has one of their own here"\n'

    def two(self, nights: Nights, **more: Any) -> list[str]:
        """The verdicts of two nights, as far as they come."""
        verdicts = []
        for name, labels in (("monday", self.MONDAY), ("tuesday", self.TUESDAY)):
            rules = policy(["age"], hierarchies={"age": labels}, levels=ALL_OF_THEM, **more)
            direct = self.DIRECT if "ward" in more.get("keep", []) else ""
            verdicts.append(nights.publish(name, self.FOUR, rules + direct).verdict)
        return verdicts

    @pytest.mark.slow("4 s")
    def test_without_any(self, nights: Nights) -> None:
        assert self.two(nights) == [HOLDS, HOLDS]
        assert nights.audit(self.FOUR).verdict == HOLDS

    @pytest.mark.slow("5 s")
    def test_a_hash(self, nights: Nights) -> None:
        assert self.two(nights, masks={"ssn": {"method": "hash"}}) == [HOLDS, FAILS]
        assert nights.out() == ["monday"]

    @pytest.mark.slow("5 s; a hash is tried")
    def test_a_kept_column(self, nights: Nights) -> None:
        assert self.two(nights, keep=["ward"]) == [HOLDS, FAILS]

    def test_what_names_people(self, nights: Nights) -> None:
        """Whoever refuses it on Monday already is right, too."""
        verdicts = self.two(nights, keep=["ssn"])
        assert verdicts[-1] not in (HOLDS, NOT_KNOWN)
        assert nights.out() in ([], ["monday"])

    @pytest.mark.slow("3 s")
    def test_one_that_is_kept_in_one_night_only(self, nights: Nights) -> None:
        """There is nothing to join by."""
        for name, labels, keep in (("monday", self.MONDAY, ["ward"]), ("tuesday", self.TUESDAY, [])):
            rules = policy(["age"], hierarchies={"age": labels}, levels=ALL_OF_THEM, keep=keep)
            rules += self.DIRECT if keep else ""
            assert nights.publish(name, self.FOUR, rules).verdict == HOLDS

    @pytest.mark.slow("4 s")
    def test_one_of_two_rows(self, nights: Nights) -> None:
        """A ward that two people of different diseases have tells nothing."""
        wards = {20: "a", 21: "a", 60: "a", 61: "a"}
        four = [{**row, "ward": wards[row["age"]]} for row in self.FOUR]
        for name, labels in (("monday", self.MONDAY), ("tuesday", self.TUESDAY)):
            rules = policy(["age"], hierarchies={"age": labels}, levels=ALL_OF_THEM, keep=["ward"])
            assert nights.publish(name, four, rules).verdict == HOLDS


class TestTwoSensitiveColumns:
    """Each by itself leaves two values; together they are of one row."""

    MONDAY = people("age disease drug", (20, "flu", "a"), (21, "gout", "b"))
    TUESDAY = people("age disease drug", (20, "flu", "a"), (22, "gout", "c"), (23, "angina", "b"))

    def rules(self) -> str:
        return policy(["age"], ["disease", "drug"], hierarchies=ONE_CLASS, levels=ALL_OF_THEM)

    def test_the_gate(self, nights: Nights) -> None:
        assert nights.publish("monday", self.MONDAY, self.rules()).verdict == HOLDS
        made = nights.publish("tuesday", self.TUESDAY, self.rules())
        assert made.verdict == FAILS
        assert made.people("disease") >= 1
        assert made.people("drug") >= 1
        assert nights.out() == ["monday"]

    @pytest.mark.slow("28 s")
    def test_an_audit(self, nights: Nights) -> None:
        """21 of Monday cannot be in Tuesday's release, 22 and 23 not in Monday's."""
        high = policy(
            ["age"], ["disease", "drug"], hierarchies=ONE_CLASS, levels=ALL_OF_THEM, tolerated={CERTAIN: 100}
        )
        nights.publish("monday", self.MONDAY, high)
        assert nights.publish("tuesday", self.TUESDAY, high).verdict == HOLDS
        everybody = [*self.MONDAY, *self.TUESDAY[1:]]
        made = nights.audit(everybody, self.rules())
        assert made.verdict == FAILS
        assert 1 <= made.people("disease") <= 2  # 21 is the other one of Monday's two


class TestReleasesOfOthers:
    """Theirs has our four people in classes across ours."""

    FOUR = TestOtherHierarchies.FOUR
    RULES = policy(
        ["age"], hierarchies={"age": groups(("[20, 21]", [20, 21]), ("[60, 61]", [60, 61]))},
        levels=ALL_OF_THEM,
    )  # fmt: skip
    CLASSES = ("{20, 60}", "{20, 60}", "{21, 61}", "{21, 61}")

    def theirs(self, column: str, *values: str, age: str = "age") -> list[Row]:
        return people(f"{age} {column}", *zip(self.CLASSES, values, strict=True))

    def test_another_name(self, nights: Nights) -> None:
        """Is a diagnosis our disease? Nobody has said so."""
        rows = self.theirs("diagnosis", "flu", "angina", "gout", "cancer")
        assert nights.add("theirs", rows, ["age"], ["diagnosis"]).verdict == "entered"
        made = nights.publish("ours", self.FOUR, self.RULES)
        assert made.verdict == NOT_KNOWN
        assert "diagnosis" in made.text or "disease" in made.text
        assert nights.out() == []

    @pytest.mark.slow("3 s")
    def test_another_name_that_is_mapped(self, nights: Nights) -> None:
        rows = self.theirs("diagnosis", "flu", "angina", "gout", "cancer", age="alter")
        given = nights.add("theirs", rows, {"alter": "age"}, {"diagnosis": "disease"})
        assert given.verdict == "entered"
        made = nights.publish("ours", self.FOUR, self.RULES)
        assert (made.verdict, made.measured("disease"), made.people("disease")) == (FAILS, 100, 4)

    @pytest.mark.slow("3 s")
    def test_another_spelling(self, nights: Nights) -> None:
        """Flu may be flu, or not: whoever has it could be certain."""
        rows = self.theirs("disease", "Flu", "Angina", "Gout", "Cancer")
        assert nights.add("theirs", rows, ["age"], ["disease"]).verdict == "entered"
        made = nights.publish("ours", self.FOUR, self.RULES)
        assert made.verdict == NOT_KNOWN
        assert nights.out() == []

    @pytest.mark.slow("4 s")
    def test_another_spelling_of_one_value(self, nights: Nights) -> None:
        """Three of the four are certain whatever the fourth value means."""
        rows = self.theirs("disease", "Flu", "angina", "gout", "cancer")
        assert nights.add("theirs", rows, ["age"], ["disease"]).verdict == "entered"
        assert nights.publish("ours", self.FOUR, self.RULES).verdict == FAILS

    @pytest.mark.slow("3 s")
    def test_another_spelling_that_is_mapped(self, nights: Nights) -> None:
        rows = self.theirs("disease", "Flu", "Angina", "Gout", "Cancer")
        ours = {"Flu": "flu", "Angina": "angina", "Gout": "gout", "Cancer": "cancer"}
        given = nights.add("theirs", rows, ["age"], ["disease"], values={"disease": ours})
        assert given.verdict == "entered"
        made = nights.publish("ours", self.FOUR, self.RULES)
        assert (made.verdict, made.measured("disease"), made.people("disease")) == (FAILS, 100, 4)

    @pytest.mark.slow("2 s")
    def test_a_mapping_that_finds_nobody(self, nights: Nights) -> None:
        """Mapped, and in the same classes as ours: nothing is learned."""
        rows = people(
            "alter diagnosis", ("[20, 21]", "F"), ("[20, 21]", "G"), ("[60, 61]", "A"), ("[60, 61]", "C")
        )
        ours = {"F": "flu", "G": "gout", "A": "angina", "C": "cancer"}
        given = nights.add(
            "theirs", rows, {"alter": "age"}, {"diagnosis": "disease"}, values={"disease": ours}
        )
        assert given.verdict == "entered"
        made = nights.publish("ours", self.FOUR, self.RULES)
        assert (made.verdict, made.measured("disease")) == (HOLDS, 0)

    @pytest.mark.slow("2 s")
    def test_a_hierarchy_of_theirs(self, nights: Nights) -> None:
        """What "even" means only they know."""
        rows = people("age disease", ("even", "flu"), ("even", "angina"), ("odd", "gout"), ("odd", "cancer"))
        assert nights.add("theirs", rows, ["age"], ["disease"]).verdict == "entered"
        assert nights.publish("ours", self.FOUR, self.RULES).verdict == NOT_KNOWN

    @pytest.mark.slow("3 s")
    def test_a_hierarchy_of_theirs_that_is_given(self, nights: Nights) -> None:
        rows = people("age disease", ("even", "flu"), ("even", "angina"), ("odd", "gout"), ("odd", "cancer"))
        nights.con.execute(
            """create or replace table their_hierarchies as
            select 'age' as attribute, value::text as value, unnest([0, 1]) as level,
                   unnest([value::text, if(value % 2 = 0, 'even', 'odd')]) as label
            from unnest([20, 21, 60, 61]) as t(value)"""
        ).fetchall()
        given = nights.add("theirs", rows, ["age"], ["disease"], hierarchies="their_hierarchies")
        assert given.verdict == "entered"
        made = nights.publish("ours", self.FOUR, self.RULES)
        assert (made.verdict, made.people("disease")) == (FAILS, 4)

    @pytest.mark.slow("2 s")
    def test_a_class_of_other_values(self, nights: Nights) -> None:
        """Theirs says of 60 and 61 what they do not have: it is of other people, or what they have has
        changed. That is told, in people."""
        rows = people(
            "age disease",
            ("[20, 21]", "flu"), ("[20, 21]", "gout"), ("[60, 61]", "asthma"), ("[60, 61]", "ulcer"),
        )  # fmt: skip
        assert nights.add("theirs", rows, ["age"], ["disease"]).verdict == "entered"
        made = nights.publish("ours", self.FOUR, self.RULES)
        assert made.verdict in (HOLDS, NOT_KNOWN)  # they may just not be in it
        assert "2 people are in a class that has none of their values" in made.text

    @pytest.mark.slow("4 s")
    def test_classes_of_other_words(self, nights: Nights) -> None:
        """Codes for diseases, all but one: three of four are in a class that has none of their values."""
        rows = people("age disease", ("[20, 21]", "flu"), ("[20, 21]", "J11"), ("[60, 61]", "M10"),
                      ("[60, 61]", "C80"))  # fmt: skip
        assert nights.add("theirs", rows, ["age"], ["disease"]).verdict == "entered"
        two_of_four = self.RULES.replace(" = 0\n", " = 50\n")
        made = nights.publish("ours", self.FOUR, two_of_four)
        assert (made.verdict, nights.out()) == (NOT_KNOWN, [])
        assert "3 people are in a class that has none of their values: these are 75 %" in made.text
        tolerant = f"{two_of_four}\n[judge]\ncontradictions = 80\n"
        assert nights.publish("ours", self.FOUR, tolerant).verdict == HOLDS


class TestLeaversAndNewcomers:
    """What is left when all others are known to have gone, or to have come."""

    THREE = people("age disease", (20, "flu"), (21, "gout"), (22, "cancer"))
    RULES = policy(["age"], hierarchies=ONE_CLASS, levels=ALL_OF_THEM)

    def test_a_leaver(self, nights: Nights) -> None:
        """22 has left, and with 22 cancer. Tuesday's table does not have 22 any more."""
        assert nights.publish("monday", self.THREE, self.RULES).verdict == HOLDS
        made = nights.publish("tuesday", self.THREE[:2], self.RULES)
        assert made.verdict in (FAILS, NOT_KNOWN)
        assert nights.out() == ["monday"]

    @pytest.mark.slow("4 s")
    def test_a_leaver_who_is_asked_about(self, nights: Nights) -> None:
        tolerant = policy(["age"], hierarchies=ONE_CLASS, levels=ALL_OF_THEM, tolerated={CERTAIN: 100})
        assert nights.publish("monday", self.THREE, tolerant).verdict == HOLDS
        assert nights.publish("tuesday", self.THREE[:2], tolerant).verdict == HOLDS
        made = nights.audit(self.THREE, self.RULES)
        assert (made.verdict, made.people()) == (FAILS, 1)

    @pytest.mark.slow("4 s")
    def test_a_newcomer(self, nights: Nights) -> None:
        assert nights.publish("monday", self.THREE[:2], self.RULES).verdict == HOLDS
        made = nights.publish("tuesday", self.THREE, self.RULES)
        assert (made.verdict, made.people()) == (FAILS, 1)
        assert nights.out() == ["monday"]

    def test_a_newcomer_who_may_have_been_there(self, nights: Nights) -> None:
        """If 20 and 21 were there on Monday, 23 has cancer. But 22 may have been, by what 22 has."""
        tuesday = [*self.THREE[:2], {"age": 22, "disease": "gout"}, {"age": 23, "disease": "cancer"}]
        assert nights.publish("monday", self.THREE[:2], self.RULES).verdict == HOLDS
        made = nights.publish("tuesday", tuesday, self.RULES)
        assert made.verdict == NOT_KNOWN
        assert "who is in monday is not known: 3 of those who are asked about may be" in made.text

    @pytest.mark.parametrize(("role", "age"), [('identifier = ["name"]', 22), ('unit = "name"', 20)])
    def test_a_newcomer_whom_the_register_knows_for_one(self, nights: Nights, role: str, age: int) -> None:
        """By its values a third row may have been there on Monday, so that nobody is certain. The register
        knows that it was not; so does whoever knows everybody, and what Tuesday has more is its value."""
        tuesday = [{**row, "name": f"n{row['age']}"} for row in self.THREE[:2]]
        tuesday.append({"age": age, "disease": "flu", "name": f"n{age}"})
        rules = self.RULES.replace("[roles]\n", f"[roles]\n{role}\n")
        assert nights.publish("monday", tuesday[:2], rules).verdict == HOLDS
        made = nights.publish("tuesday", tuesday, rules)
        assert (made.verdict, made.people()) == (FAILS, 1)

    @pytest.mark.slow("5 s")
    def test_two_newcomers(self, nights: Nights) -> None:
        """One of both has cancer, the other one asthma: nobody knows who. Others are asked about than on
        Monday: that nobody has left has to be said."""
        four = [*self.THREE, {"age": 23, "disease": "asthma"}]
        assert nights.publish("monday", self.THREE[:2], self.RULES).verdict == HOLDS
        made = nights.publish("tuesday", four, self.RULES)
        assert made.verdict == NOT_KNOWN
        assert "not those of when monday went out" in made.text
        stayed = {"evidence.leavers": "the table only grows"}
        assert nights.publish("tuesday", four, self.RULES, accept=stayed).verdict == HOLDS

    @pytest.mark.slow("4 s")
    def test_one_for_another(self, nights: Nights) -> None:
        """Whoever left had the cancer, whoever came has asthma."""
        tuesday = [*self.THREE[:2], {"age": 23, "disease": "asthma"}]
        assert nights.publish("monday", self.THREE, self.RULES).verdict == HOLDS
        made = nights.publish("tuesday", tuesday, self.RULES)
        assert made.verdict == FAILS
        assert made.people() >= 1


class TestSeveralRows:
    """Of four patients, with two rows each, two are certain."""

    ROWS: ClassVar = people(
        "id patient age disease", (1, "p", 20, "flu"), (2, "p", 20, "flu"), (3, "q", 20, "flu"),
        (4, "q", 20, "flu"), (5, "r", 60, "gout"), (6, "r", 60, "flu"), (7, "s", 60, "gout"),
        (8, "s", 60, "angina"),
    )  # fmt: skip

    def test_people_are_counted_by_whoever_attacks(self, nights: Nights) -> None:
        two = policy(["age"], unit="patient", hierarchies={"age": YOUNG_AND_OLD}, levels=ALL_OF_THEM)
        gate = nights.publish("monday", self.ROWS, two)
        assert nights.publish("monday", self.ROWS, two.replace(" = 0", " = 100")).verdict == HOLDS
        for made in (gate, nights.audit(self.ROWS, two)):
            assert made.verdict == FAILS
            for attack in (CERTAIN, KNOWING_ALL):
                assert (made.people(key=attack), made.measured(key=attack)) == (2, 50)


class TestSeveralClassesTogether:
    FIVE = people(
        "id sex zip disease",
        (1, "f", "r", "flu"), (2, "f", "q", "gout"), (3, "m", "r", "gout"), (4, "m", "q", "flu"),
        (5, "m", "p", "flu"),
    )  # fmt: skip

    @pytest.mark.slow("2 s")
    def test_monday_less_tuesday(self, nights: Nights) -> None:
        """By sex, then by zip, without the one of p: nobody is certain by a class of each."""
        for name, column, rows in (("monday", "sex", self.FIVE), ("tuesday", "zip", self.FIVE[:4])):
            released = [{key: row[key] for key in (column, "disease")} for row in rows]
            assert nights.add(name, released, [column], ["disease"]).verdict == "entered"
        made = nights.audit(self.FIVE, policy(["sex", "zip"]))
        assert (made.verdict, made.people(key=KNOWING_ALL)) == (FAILS, 1)
        assert "it is not known whether all classes" not in made.text

    @pytest.mark.slow("4 s")
    def test_what_was_not_asked_is_told(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(possible_values, "has_solver", lambda: False)
        monkeypatch.setenv("SQLANON_KEY", "0123456789abcdef")
        with duckdb.connect() as con:  # to which nobody has made the programs known
            nights = Nights(con, tmp_path)
            for name, column in (("monday", "sex"), ("tuesday", "zip")):
                released = [{key: row[key] for key in (column, "disease")} for row in self.FIVE[:4]]
                assert nights.add(name, released, [column], ["disease"]).verdict == "entered"
            made = nights.audit(self.FIVE[:4], policy(["sex", "zip"]))
            again = nights.publish("wednesday", self.FIVE[:4], policy(["zip"], k=2))
        assert made.verdict == "not known"
        assert "of 4 people it is not known whether all classes" in made.text
        assert "nstall what works out who they are: pip install 'sqlanon[tables]'" in again.text
        assert "--accept-past" not in again.text


class TestThePast:
    """The policy of the documentation. What is out gives somebody away already, whatever comes."""

    DOCS = """
[roles]
qi = ["age", "zip"]
sensitive = ["disease"]

[requirements]
k = 3
l = 2
known = "register"
composed_l = 2

[tolerated.intersection_attack]
pvp_100 = 0

[tolerated.exact_cover]
certain = 0
"""
    WHY = "theirs has been out since spring"

    @staticmethod
    def patients(first: int, last: int) -> list[Row]:
        diseases = ["flu", "gout", "cancer", "angina"]
        return [
            {
                "id": i, "age": 20 + i * 37 % 60, "zip": 13000 + i * 53 % 97,
                "disease": diseases[(i * i + i // 3) % 4],
            }
            for i in range(first, last)
        ]  # fmt: skip

    def gives_away(self, nights: Nights) -> None:
        """One of theirs and one of ours tell of 37 what that person has."""
        theirs = people("age zip disease", ("[56, 58]", "*", "gout"), ("[20, 50]", "*", "flu"),
                        ("[20, 50]", "*", "cancer"))  # fmt: skip
        assert nights.add("theirs", theirs, ["age", "zip"], ["disease"]).verdict == "entered"

    @pytest.mark.slow("7 s")
    def test_three_nights_without_a_breach(self, nights: Nights) -> None:
        """One row per patient, some leave and some come each night: nobody is certain of anything, or it is
        told of how many before and now."""
        for name, first in (("monday", 0), ("tuesday", 10), ("wednesday", 20)):
            made = nights.publish(name, self.patients(first, first + 40), self.DOCS)
            if made.verdict != HOLDS:
                assert made.before("disease") < made.people("disease")

    @pytest.mark.slow("20 s a case")
    @pytest.mark.parametrize("number", [2, 3])
    def test_before_is_now(self, nights: Nights, number: int) -> None:
        names = ["monday", "tuesday", "wednesday"][:number]
        for name in names[:-1]:
            assert nights.publish(name, self.patients(0, 40), self.DOCS).verdict == HOLDS
        self.gives_away(nights)
        made = nights.publish(names[-1], self.patients(0, 40), self.DOCS)
        assert made.verdict == FAILS
        assert made.before("disease") == made.people("disease") > 0
        assert names[-1] not in nights.out()
        made = nights.publish(names[-1], self.patients(0, 40), self.DOCS, accept_past=self.WHY)
        assert names[-1] in nights.out()
        assert self.WHY in made.text or self.in_register(nights, self.WHY)

    def test_accepting_it_does_not_help_what_is_new(self, nights: Nights) -> None:
        """Tuesday makes four people certain: none of that is past."""
        four = TestOtherQuasiIdentifiers
        assert nights.publish("monday", four.FOUR, four.MONDAY).verdict == HOLDS
        made = nights.publish("tuesday", four.FOUR, four.TUESDAY, accept_past=self.WHY)
        assert (made.verdict, made.before()) == (FAILS, 0)
        assert nights.out() == ["monday"]

    def test_a_reason_is_needed(self, nights: Nights) -> None:
        made = nights.publish("monday", self.patients(0, 40), self.DOCS, accept_past="")
        assert made.verdict == WRONG_USE
        assert nights.out() == []

    @staticmethod
    def in_register(nights: Nights, text: str) -> bool:
        """Does any cell of the register say this?"""
        with duckdb.connect(nights.register, read_only=True) as anybody:
            tables = anybody.execute(
                "select table_name from duckdb_tables() where schema_name = 'main'"
            ).fetchall()
            return any(text in str(anybody.table(name).fetchall()) for (name,) in tables)


@pytest.mark.slow("1 s")
def test_a_suppressed_row_on_a_first_night(nights: Nights) -> None:
    """Everything is tolerated: whoever is in no release is certain of nothing."""
    five = people("age disease", (20, "flu"), (21, "gout"), (20, "gout"), (21, "flu"), (65, "angina"))
    tolerant = {CERTAIN: 100, "homogeneity.certain": 100, "linking.certain": 100}
    rules = policy(
        ["age"], hierarchies={"age": groups(("[20, 29]", [20, 21]), ("[60, 69]", [65]))}, tolerated=tolerant,
        method={"name": "generalize", "levels": {"age": 1}, "suppression_limit": 0.2},
    )  # fmt: skip
    nights.attacks = (ATTACK, "exact_cover", "homogeneity", "linking")
    made = nights.publish("monday", five, rules)
    assert made.verdict == HOLDS
    assert nights.out() == ["monday"]
    assert len(nights.released("monday")) == 4


class TestDirectIdentifiers:
    """What names people does not leave unless somebody has said that it may."""

    THREE = people(
        "Fall-Nr Name age disease", ("F-1", "Ann", 20, "flu"), ("F-2", "Bob", 20, "gout"),
        ("F-3", "Cat", 20, "angina"),
    )  # fmt: skip

    @pytest.mark.slow("1 s a case")
    @pytest.mark.parametrize("keep", [["Fall-Nr", "Name"], ["Name"], ["Fall-Nr"]])
    def test_they_are_refused(self, nights: Nights, keep: list[str]) -> None:
        made = nights.publish("monday", self.THREE, policy(["age"], keep=keep))
        assert made.verdict in (FAILS, WRONG_USE)
        assert all(name in made.text for name in keep)
        assert "direct" in made.text
        assert nights.out() == []

    @pytest.mark.slow("1 s")
    def test_unless_they_are_said_to_be_direct(self, nights: Nights) -> None:
        """What they do then is another question: everybody who knows a name is certain."""
        named = policy(["age"], keep=["Fall-Nr", "Name"], tolerated={CERTAIN: 100})
        direct = '[direct]\n"Fall-Nr" = "needed by the ward"\nName = "needed by the ward"\n'
        made = nights.publish("monday", self.THREE, f"{named}\n{direct}")
        assert made.verdict == HOLDS
        assert nights.out() == ["monday"]

    @pytest.mark.slow("1 s")
    def test_a_column_of_few_values_is_none(self, nights: Nights) -> None:
        rows = [{**row, "ward": "a" if row["age"] < 30 else "b"} for row in self.THREE * 4]
        assert nights.publish("monday", rows, policy(["age"], keep=["ward"])).verdict == HOLDS


class TestOneJudge:
    """Gate, audit and report on the same releases."""

    FOUR: ClassVar[list[Row]] = [{"id": f"p{i}", **row} for i, row in enumerate(TestOtherHierarchies.FOUR)]

    @staticmethod
    def rules(most: float, levels: int = 1) -> str:
        """Two sets of labels, told apart by their level: one hierarchy explains both."""
        labels = {20: ["a", "x", "*"], 21: ["a", "y", "*"], 60: ["b", "x", "*"], 61: ["b", "y", "*"]}
        return policy(["age"], hierarchies={"age": labels}, levels={"age": levels}, tolerated={CERTAIN: most})

    @pytest.mark.slow("25 s a case")
    @pytest.mark.parametrize(("most", "verdict"), [(100, HOLDS), (99, FAILS), (0, FAILS)])
    def test_they_say_the_same(self, nights: Nights, most: float, verdict: str) -> None:
        """Classes across each other, which only the hierarchy of each night can tell."""
        young = policy(
            ["age"], tolerated={CERTAIN: 100}, levels=ALL_OF_THEM,
            hierarchies={"age": groups(("[20, 21]", [20, 21]), ("[60, 61]", [60, 61]))},
        )  # fmt: skip
        even = policy(
            ["age"], tolerated={CERTAIN: most}, levels=ALL_OF_THEM,
            hierarchies={"age": groups(("{20, 60}", [20, 60]), ("{21, 61}", [21, 61]))},
        )  # fmt: skip
        assert nights.publish("monday", self.FOUR, young).verdict == HOLDS
        tried = nights.publish("tuesday", self.FOUR, even, dry_run=True)
        gate = nights.publish("tuesday", self.FOUR, even)
        if gate.verdict != HOLDS:  # to have both out
            nights.publish("tuesday", self.FOUR, even.replace(f" = {most}\n", " = 100\n"))
        audit = nights.audit(self.FOUR, even)
        page = report(nights, ["monday", "tuesday"], self.FOUR, ["age"], ["disease"], {CERTAIN: most})
        all_four = [tried, gate, audit, page]
        assert [made.verdict for made in all_four] == [verdict] * 4
        assert [made.measured() for made in all_four] == [100] * 4
        assert gate.people() == audit.people() == 4

    def test_an_attack_that_does_not_apply_is_not_failed(self, nights: Nights) -> None:
        """Differencing needs to be told of dimensions: nothing of it is stated, nothing fails."""
        nights.attacks = None
        tolerant = {f"{ATTACK}.{id}": 100.0 for id in ("pvp_100", "sure_90")}
        tolerant |= {f"{attack}.certain": 100.0 for attack in ("homogeneity", "linking", "skyline")}
        rules = policy(["age"], hierarchies=ONE_CLASS, levels=ALL_OF_THEM, tolerated=tolerant)
        made = nights.publish("monday", self.FOUR, rules)
        assert made.verdict in (HOLDS, NOT_KNOWN)
        statuses = {row["attack"]: row.get("status", row.get("verdict")) for row in made.rows}
        assert statuses.get("differencing", "does not apply") != "failed"
        assert not [row for row in made.rows if row.get("verdict") == FAILS]

    @pytest.mark.parametrize("key", [f"{ATTACK}.pvp_110", f"{ATTACK}.certainn", "homogeneity.sure_7"])
    def test_a_measure_that_does_not_exist(self, nights: Nights, key: str) -> None:
        """It is told when the policy is read, before anything is done."""
        file = nights.folder / "policy.toml"
        file.write_text(policy(["age"], tolerated={key: 0}))
        with pytest.raises(InputError, match=key.partition(".")[2]):
            load(file)

    def test_a_bound_on_any_level_exists(self, nights: Nights) -> None:
        """Which percentages are told is what the bounds ask for."""
        file = nights.folder / "policy.toml"
        file.write_text(policy(["age"], tolerated={f"{ATTACK}.sure_90": 0, CERTAIN: 0}))
        assert load(file).tolerated == {f"{ATTACK}.sure_90": 0, CERTAIN: 0, KNOWING_ALL: 0}


# A publisher who stops where the judge is in the middle of it, until something is said on stdin; then goes on
# or, interrupted meanwhile, does not.
PUBLISHER = """
import signal, sys
import duckdb, sqlanon
from sqlanon.core.errors import RefusedError

signal.signal(signal.SIGINT, signal.default_int_handler)  # which shells ignore in the background
folder, name, interrupted = sys.argv[1:]
con = duckdb.connect()
con.execute("set enable_progress_bar = false").fetchall()
con.execute("create table people as select i // 4 as age, i % 3 as disease from range(16) as r(i)").fetchall()
told = []

def progress(done, message):
    if not told and 0.4 <= done < 0.95:  # the part of it that attacks are
        told.append(message)
        print("judging", flush=True)
        if interrupted == "yes":
            import os, signal
            os.kill(os.getpid(), signal.SIGINT)

try:
    made = sqlanon.publish(
        con, "people", folder + "/policy.toml", register=folder + "/releases.duckdb",
        output=f"{folder}/{name}.parquet", attacks=["intersection_attack", "exact_cover"], wait=120,
        progress=progress,
    )
    print("out", *made.together, flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
except RefusedError as error:
    print("refused", error, flush=True)
"""


class TestAnythingTolerated:
    """An attack of which anything is tolerated is not made, and the verdict is the same."""

    FOUR = people("age disease", (20, "flu"), (21, "gout"), (22, "cancer"), (23, "flu"))
    ALIKE = people("age disease", (20, "flu"), (21, "flu"), (22, "flu"), (23, "flu"))

    @pytest.mark.slow("3 s a case")
    @pytest.mark.parametrize(("rows", "verdict"), [(FOUR, HOLDS), (ALIKE, FAILS)])
    def test_verdicts(self, nights: Nights, rows: Any, verdict: str) -> None:
        tolerated = {CERTAIN: 50, "skyline.certain": 100, "background_knowledge.certain": 100}
        rules = policy(["age"], hierarchies=ONE_CLASS, levels=ALL_OF_THEM, tolerated=tolerated)
        every = nights.publish("tried", rows, rules, attacks=None, all_attacks=True, dry_run=True)
        made = nights.publish("monday", rows, rules, attacks=None)
        assert (made.verdict, every.verdict) == (verdict, verdict)
        assert {row["attack"] for row in every.rows} - {row["attack"] for row in made.rows} == {
            "background_knowledge", "skyline"
        }  # fmt: skip
        assert "not made, as anything is tolerated of them: background_knowledge, skyline" in made.text
        assert "not made" not in every.text

    def test_of_all_attacks(self, nights: Nights) -> None:
        """Then there is nothing that could fail."""
        rules = policy(["age"], hierarchies=ONE_CLASS, levels=ALL_OF_THEM, tolerated={CERTAIN: 100})
        made = nights.publish("monday", self.ALIKE, rules, attacks=None)
        assert (made.verdict, nights.out()) == (NOT_KNOWN, [])
        assert any("homogeneity" in reason for reason in made.reasons)  # of which nothing is stated
        every = {f"{attack}.certain": 100.0 for attack in BOUNDS if attack != ATTACK} | {CERTAIN: 100}
        rules = policy(["age"], hierarchies=ONE_CLASS, levels=ALL_OF_THEM, tolerated=every)
        made = nights.publish("monday", self.ALIKE, rules, attacks=None)
        assert (made.verdict, nights.out()) == (HOLDS, ["monday"])
        made = nights.publish("tuesday", self.ALIKE, rules, attacks=None, seconds=0)
        assert (made.verdict, nights.out()) == (NOT_KNOWN, ["monday"])

    @pytest.mark.parametrize(
        ("bounds", "idle"),
        [
            ({"a.certain": 100}, ["a"]),
            ({"a.certain": 100, "a.sure_90": 99.9}, []),
            ({"a.certain": 100, "b.certain": 0, "a.sure_90": 100}, ["a"]),
            # what a bound on these leaves open is that somebody is certain
            ({"a.located_in_all": 100}, []),
            ({"a.sure_90_upper": 100, "b.contradictions": 100}, []),
            ({"a.vulnerable": 100, "a.learned": 100}, ["a"]),
            ({"a.certain": 100, "a.subjects": 100}, []),  # no share: there may be more
            ({}, []),
        ],
    )
    def test_which(self, con: Any, bounds: dict[str, float], idle: list[str]) -> None:
        query = call("_attacks_that_decide_nothing", bounds)
        assert [attack for (attack,) in execute(con, query)] == idle


class TestTooLittleTime:
    """What was not found out in time is not known, whatever else is accepted, and nothing goes out."""

    FOUR = people("age disease", (20, "flu"), (21, "gout"), (22, "cancer"), (23, "flu"))
    RULES = policy(["age"], hierarchies=ONE_CLASS, levels=ALL_OF_THEM, tolerated={CERTAIN: 50})

    @pytest.mark.slow("two nights a case")
    @pytest.mark.parametrize("seconds", [0, 0.05, 0.2])
    def test_publish(self, nights: Nights, seconds: float) -> None:
        made = nights.publish("monday", self.FOUR, self.RULES, seconds=seconds)
        assert made.verdict == NOT_KNOWN
        assert f"after {seconds:g} seconds not everything was looked at" in made.text
        assert nights.out() == []
        assert nights.is_clean()
        in_time = nights.publish("monday", self.FOUR, self.RULES, seconds=600)
        assert (in_time.verdict, nights.out()) == (HOLDS, ["monday"])

    @pytest.mark.slow("a night of four attacks a case")
    @pytest.mark.parametrize("finished", [0, 1, 2])
    def test_what_was_finished_counts(
        self, nights: Nights, monkeypatch: pytest.MonkeyPatch, finished: int
    ) -> None:
        """What is found in time is found; what is not is named, and nobody can accept that."""
        attacks = ["exact_cover", "homogeneity", "intersection_attack", "linking"]
        made: list[str] = []
        real = execute

        class Over(Deadline):
            def stop(self) -> bool:
                self.has_passed = self.has_passed or len(made) > finished
                return super().stop()

        def progress(done: float, message: str) -> None:
            if message.partition(":")[0] in attacks:
                made.append(message)

        def execute_in_time(*given: Any) -> Any:
            if len(made) == finished + 1:
                made.append("nothing: the statement is interrupted")
                raise KeyboardInterrupt
            return real(*given)

        monkeypatch.setattr(verdicts, "Deadline", Over)
        monkeypatch.setattr(all_attacks, "execute", execute_in_time)
        rules = policy(
            ["age"], hierarchies=ONE_CLASS, levels=ALL_OF_THEM,
            tolerated={
                CERTAIN: 0, KNOWING_ALL: 0, "homogeneity.certain": 0, "linking.certain": 0,
            },
        )  # fmt: skip
        alike = people("age disease", (20, "flu"), (21, "flu"), (22, "flu"), (23, "flu"))
        told = nights.publish(
            "monday", alike, rules, attacks=attacks, seconds=600, progress=progress,
            accept={"evidence.time": "we are in a hurry"},
        )  # fmt: skip
        verdicts_of = {row["attack"]: row["verdict"] for row in told.rows if row["attack"] in attacks}
        in_time = {name.partition(":")[0] for name in made[:finished]}
        assert {attack for attack, verdict in verdicts_of.items() if verdict == NOT_KNOWN} == {
            *attacks
        } - in_time
        assert told.verdict == (FAILS if in_time - {"linking"} else NOT_KNOWN)
        [reason] = [reason for reason in told.reasons if "not everything was looked at" in reason]
        assert {attack for attack in attacks if f"{attack}: monday" in reason} == {*attacks} - in_time
        assert nights.out() == []
        assert nights.is_clean()

    def test_accepted(self, nights: Nights) -> None:
        """The attacks that were not made stay unknown."""
        accepted = {"evidence.time": "we are in a hurry"}
        made = nights.publish("monday", self.FOUR, self.RULES, seconds=0, accept=accepted)
        assert (made.verdict, nights.out()) == (NOT_KNOWN, [])

    @pytest.mark.slow("2 s")
    def test_audit(self, nights: Nights) -> None:
        assert nights.publish("monday", self.FOUR, self.RULES).verdict == HOLDS
        made = nights.audit(self.FOUR, self.RULES, seconds=0)
        assert made.verdict == NOT_KNOWN
        assert "after 0 seconds not everything was looked at" in made.text
        made = nights.audit(self.FOUR, self.RULES, seconds=0, accept={"evidence.time": "a hurry"})
        assert (made.verdict, made.reasons != []) == (NOT_KNOWN, True)
        assert nights.audit(self.FOUR, self.RULES, seconds=600).verdict == HOLDS


class TestPublishers:
    @staticmethod
    def start(nights: Nights, name: str, interrupted: str = "no") -> subprocess.Popen[str]:
        (nights.folder / "policy.toml").write_text(policy(["age"], tolerated={CERTAIN: 100}))
        command = [sys.executable, "-c", PUBLISHER, str(nights.folder), name, interrupted]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    @pytest.mark.slow("4 s")
    def test_two_at_once(self, nights: Nights) -> None:
        """One waits, and is judged together with the other's release."""
        processes = [self.start(nights, name) for name in ("a", "b")]
        told = []
        for process in processes:
            output, errors = process.communicate()
            assert process.returncode == 0, errors
            told.append(output.splitlines()[-1].split())
        assert sorted(told, key=len) in ([["out"], ["out", "a"]], [["out"], ["out", "b"]])
        assert sorted(nights.out()) == ["a", "b"]
        assert nights.is_clean()

    def test_interrupted_in_the_middle_of_the_judge(self, nights: Nights) -> None:
        with self.start(nights, "monday", "yes") as process:
            output, errors = process.communicate()
        assert process.returncode == 0, errors
        assert output.split() == ["judging", "interrupted"], errors
        assert nights.out() == []
        assert not nights.file("monday").exists()
        assert nights.is_clean()
        with self.start(nights, "monday") as process:  # and the next night is as if nothing had happened
            output, errors = process.communicate()
        assert output.splitlines()[-1] == "out", errors
        assert nights.out() == ["monday"]
        assert nights.is_clean()

    @pytest.mark.slow("nights of publishing")
    @pytest.mark.parametrize("share", [0.2, 0.4, 0.6, 0.8])
    def test_interrupted_at_any_moment(self, nights: Nights, share: float) -> None:
        """Ctrl-C from outside: the release is out, whole and entered, or there is nothing of it."""
        begun = time.monotonic()
        with self.start(nights, "first") as whole:
            whole.communicate()
        seconds = time.monotonic() - begun
        with self.start(nights, "second") as process:
            time.sleep(share * seconds)
            process.send_signal(signal.SIGINT)
            process.communicate()
        assert "first" in nights.out()
        assert nights.is_clean()


def test_what_is_about_a_column_is_accepted_for_it_alone(con: duckdb.DuckDBPyConnection) -> None:
    doubts = [
        Doubt("spelling", f"{column} seems to be written otherwise", column=column)
        for column in ("sex", "town")
    ]
    with WorkTables(con) as work:
        for accepted, why in (
            ({"evidence.spelling:Sex": "a typist"}, {"sex": "a typist", "town": None}),
            ({"evidence.spelling": "a typist"}, {"sex": "a typist", "town": "a typist"}),
            ({"evidence.spelling:age": "a typist"}, {"sex": None, "town": None}),
        ):
            measured = work.make("judged", all_attacks.judged(con, [], {}, work))
            said = verdicts.said_of(con, work, measured, doubts, [], accepted)
            rows = con.execute(f"select reason, accepted from {said.name}").fetchall()
            assert {reason.split()[0]: accepted for reason, accepted in rows} == why
    given = acceptance("Ada", None, {"evidence.spelling:sex": "a typist"})
    by_whom = [
        given.about("evidence.spelling", "a typist"),
        given.about("evidence.spelling", "as the policy says of another column"),
        given.about("evidence.leavers", "a typist"),
    ]
    assert by_whom == [("Ada", None), (None, None), (None, None)]
