"""Folded values: what people read as one value is one value, and nothing else is."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.budget import examples

unhurried = settings(examples(100, quick=10), suppress_health_check=[HealthCheck.function_scoped_fixture])

ALIKE = [
    ["flu", "flu ", " flu", "Flu", "FLU", "flu\u00a0", "\u2009flu\t", "fl\u200bu", "\ufeffflu"],
    ["Ménière", unicodedata.normalize("NFD", "Ménière"), "meniere", "MÉNIÈRE"],
    ["Röteln", "Roeteln", "Roteln", "RÖTELN", unicodedata.normalize("NFD", "Röteln")],
    ["Straße", "STRASSE", "strasse", "STRAẞE"],
    ["non-smoker", "non\u2013smoker", "Non\u2010Smoker", "non\u2212smoker"],
    ["Crohn's", "Crohn’s", "crohn`s", "Crohn\u00b4s"],
    ["type  2", "type 2", "type\u00a02", "Type \t 2"],
    ["Łódź", "lodz"],
]
UNLIKE = [
    "A",
    "A-",
    "A+",
    "-12",
    "12",
    "1.2",
    "1 2",
    "AE",
    "A12",
    "AE12",
    "F32.1",
    "F321",
    "ab",
    "a b",
    "и",
    "й",
]
MISSING = [None, "", " ", "\u00a0", "\t \n", "\u200b"]


def folded(con: Any, values: list[str | None]) -> list[str | None]:
    """The folded ones of some values."""
    return [
        one for (one,) in con.execute("select sqlanon._folded(unnest($1::varchar[]))", [values]).fetchall()
    ]


@pytest.mark.parametrize("values", ALIKE, ids=lambda values: values[0])
def test_spellings_are_one_value(con: Any, values: list[str | None]) -> None:
    assert len(set(folded(con, values))) == 1


def test_nothing_else_is_removed(con: Any) -> None:
    assert len(set(folded(con, list(UNLIKE)))) == len(UNLIKE)


def test_blanks_alone_are_missing(con: Any) -> None:
    assert folded(con, list(MISSING)) == [None] * len(MISSING)


@given(text=st.text("aAbBéÉ -\u00a0\u2013\u200b'’12", max_size=8))
@unhurried
def test_folding_twice_is_folding_once(con: Any, text: str) -> None:
    [once] = folded(con, [text])
    assert folded(con, [once]) == [once]


@pytest.mark.slow("1 s")
@given(text=st.text(max_size=12))
@unhurried
def test_case_form_and_blanks_around_change_nothing(con: Any, text: str) -> None:
    written = [text, f" {text}\u3000", unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)]
    assert len(set(folded(con, list(written)))) == 1
