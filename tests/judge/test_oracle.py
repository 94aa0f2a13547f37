"""The oracle of the judge: what it finds is told by examples that can be done by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.budget import examples
from tests.oracles.judge import (
    Record,
    Release,
    answer,
    certain,
    contradicted,
    covers,
    exact,
    possibly_present,
)


@pytest.mark.parametrize(
    ("label", "value", "expected"),
    [
        ("[20, 29]", 20, True), ("[20, 29]", 29, True), ("[20, 29]", 30, False), ("[20, 29]", None, False),
        ("{a, b}", "b", True), ("{a, b}", "c", False),
        ("{NULL, a}", None, True), ("{a, b}", None, False),
        ("*", "c", True), ("*", None, True), ("20", 20, True),
        (None, None, True), (None, 20, False), ("young", 20, True), ("young", 60, False), ("old", 60, True),
        ("even", 20, False),
    ],
)  # fmt: skip
def test_covers(label: str | None, value: Any, expected: bool) -> None:
    assert covers(label, value, {"20": ["young"], "60": ["old"]}) == expected


def test_a_hierarchy_says_more_than_a_label() -> None:
    assert not covers("[20, 29]", 21, {"20": ["[20, 29]"]})


def records(*values: dict[str, Any], person: str = "age") -> list[Record]:
    return [Record(i, row[person], row) for i, row in enumerate(values)]


def release(name: str, columns: str, *rows: tuple[Any, ...], **more: Any) -> Release:
    """Quasi-identifiers are those that are not unchanged."""
    unchanged = {column: column for column in columns.split() if column in ("disease", "drug", "ward", "ssn")}
    qi = {column: column for column in columns.split() if column not in unchanged}
    made = [dict(zip(columns.split(), row, strict=True)) for row in rows]
    given = {"sensitive": [column for column in unchanged if column in ("disease", "drug")], **more}
    return Release(name, made, qi, unchanged, **given)


ANN, BOB, CAT = ({"age": age, "disease": d} for age, d in ((20, "flu"), (21, "gout"), (22, "cancer")))
MONDAY = release("monday", "age disease", ("*", "flu"), ("*", "gout"), ("*", "cancer"))
TUESDAY = release("tuesday", "age disease", ("*", "flu"), ("*", "gout"))


class TestLeaversAndNewcomers:
    def test_who_has_gone_is_certain(self) -> None:
        three = records(ANN, BOB, CAT)
        presence = possibly_present(three, [MONDAY, TUESDAY])
        assert presence == {"monday": {0, 1, 2}, "tuesday": {0, 1}}
        assert certain(three, [MONDAY, TUESDAY], ["disease"], presence) == {"disease": set()}
        assert exact(three, [MONDAY, TUESDAY], ["disease"], presence) == {"disease": {22}}
        told = answer(three, [MONDAY, TUESDAY], ["disease"], presence)
        assert (told.certain, told.doubts) == ({"disease": {22}}, [])
        assert [told.allowed(most) for most in (0, 33, 34)] == [{"fails"}, {"fails"}, {"holds"}]

    def test_who_has_come_is(self) -> None:
        told = answer(records(ANN, BOB, CAT), [TUESDAY, MONDAY], ["disease"], {})
        assert told.certain == {"disease": {22}}

    def test_nobody_is_where_nobody_knows_who_has_gone(self) -> None:
        """21 has left, whose value somebody else still has: that is not clear from the releases. Four may be
        in three rows: in no world are all of them there."""
        four = records(ANN, BOB, CAT, {"age": 23, "disease": "gout"})
        of_four = [("*", disease) for disease in ("flu", "gout", "cancer", "gout")]
        monday = release("monday", "age disease", *of_four)
        tuesday = release("tuesday", "age disease", ("*", "flu"), ("*", "gout"), ("*", "cancer"))
        told = answer(four, [monday, tuesday], ["disease"], {"tuesday": {0, 2, 3}})
        assert told.certain == {"disease": set()}
        assert told.perhaps == {"disease": {21}}
        assert told.allowed(0) == {"holds", "fails", "not known"}


def test_two_sensitive_columns() -> None:
    one = release("one", "age disease drug", ("*", "flu", "a"), ("*", "gout", "b"))
    other = release("other", "age disease drug", ("*", "flu", "a"), ("*", "gout", "c"), ("*", "angina", "b"))
    ann = records({"age": 20, "disease": "flu", "drug": "a"})
    presence = possibly_present(ann, [one, other])
    assert certain(ann, [one, other], ["disease", "drug"], presence) == {"disease": {20}, "drug": {20}}
    assert certain(ann, [one], ["disease", "drug"], presence) == {"disease": set(), "drug": set()}


def test_columns_that_leave_unchanged_join() -> None:
    """By a hash that nobody can make; a person is in two classes of both values each."""
    one = release("one", "age disease ssn", ("[20, 21]", "flu", "x"), ("[20, 21]", "gout", "y"))
    other = release("other", "age disease ssn", ("{20, 60}", "flu", "x"), ("{20, 60}", "gout", "z"))
    ann = records(ANN)
    presence = possibly_present(ann, [one, other])
    assert certain(ann, [one, other], ["disease"], presence) == {"disease": {20}}
    without = [Release(r.name, r.rows, r.qi, {"disease": "disease"}, ["disease"]) for r in (one, other)]
    assert certain(ann, without, ["disease"], presence) == {"disease": set()}


def test_somebody_with_several_rows() -> None:
    """Two of three rows are theirs, and two have flu: one of theirs has it."""
    rows = [{"name": "ann", "age": 20, "disease": d} for d in ("flu", "gout")]
    both = records(*rows, {"name": "bob", "age": 21, "disease": "flu"}, person="name")
    one = release("one", "age disease", ("*", "flu"), ("*", "gout"), ("*", "flu"))
    presence = possibly_present(both, [one])
    assert certain(both, [one], ["disease"], presence) == {"disease": {"ann"}}
    assert exact(both, [one], ["disease"], presence) == {"disease": {"ann"}}


def test_names_and_spellings_of_others() -> None:
    """Flu is flu if somebody says so; until then nobody knows."""
    theirs: dict[str, Any] = {
        "name": "theirs", "rows": [{"alter": "*", "d": "Flu"}, {"alter": "*", "d": "Cold"}],
        "qi": {"alter": "age"}, "unchanged": {"d": "disease"}, "sensitive": ["disease"], "is_ours": False,
    }  # fmt: skip
    ours = release("ours", "age disease", ("*", "flu"), ("*", "gout"))
    two = records(ANN, BOB)
    unmapped = answer(two, [ours, Release(**theirs)], ["disease"], {})
    assert unmapped.certain == {"disease": set()}
    # 21 with gout is not in theirs, so that flu is left for 20, and then gout for 21
    assert unmapped.perhaps == {"disease": {20, 21}}
    assert unmapped.allowed(0) == {"fails", "not known"}
    mapped = Release(**theirs, values={"disease": {"Flu": "flu", "Cold": "cold"}})
    told = answer(two, [ours, mapped], ["disease"], {})
    assert told.certain == {"disease": {20, 21}}


def test_what_nobody_understands_is_a_doubt() -> None:
    theirs = release("theirs", "age disease", ("even", "flu"), ("odd", "gout"), is_ours=False)
    ours = release("ours", "age disease", ("*", "flu"), ("*", "gout"))
    told = answer(records(ANN, BOB), [theirs, ours], ["disease"], {})
    assert len(told.unseen) == 2
    assert [told.allowed(most) for most in (0, 100)] == [{"not known"}, {"holds", "not known"}]


def test_nothing_is_possible() -> None:
    """Each column by itself, then."""
    one = release("one", "age disease", ("*", "flu"), ("*", "gout"))
    other = release("other", "age disease", ("*", "cold"), ("*", "cancer"))
    ann = records({"age": 20})
    presence = possibly_present(ann, [one, other])
    assert contradicted(ann, [one, other], presence) == {20}
    assert certain(ann, [one, other], ["disease"], presence) == {"disease": set()}


WORLD = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from("ab"), st.sampled_from("xy"), st.booleans()),
    min_size=2,
    max_size=5,
)


@examples(200, quick=20)
@given(rows=WORLD, cuts=st.tuples(st.integers(1, 4), st.integers(1, 4)))
def test_what_tuples_show_holds_in_all_worlds(
    rows: list[tuple[int, str, str, bool]], cuts: tuple[int, int]
) -> None:
    """Releases of true rows: there is a world, the true one, and nobody is certain of what is false."""
    people = [Record(i, i, {"age": age, "disease": d, "ward": w}) for i, (age, d, w, _) in enumerate(rows)]
    releases, presence = [], {}
    for name, width, is_part in (("one", cuts[0], False), ("other", cuts[1], True)):
        inside = [i for i, row in enumerate(rows) if not (is_part and row[3])]
        made = []
        for i in inside:
            age, disease, ward, _ = rows[i]
            low = age // width * width
            made.append((f"[{low}, {low + width - 1}]", disease, ward))
        releases.append(release(name, "age disease ward", *made))
        presence[name] = set(inside)
    by_tuples = certain(people, releases, ["disease"], presence)["disease"]
    worlds = exact(people, releases, ["disease"], presence)
    assert worlds is not None
    assert by_tuples <= worlds["disease"]
    assert contradicted(people, releases, presence) == set()
