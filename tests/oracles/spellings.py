"""What people read as one value, letter by letter, and what a missing value counts as."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, TypeAlias

from tests.oracles import canonical, sort_key

Reading: TypeAlias = Callable[[Any], Any]

DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
QUOTES = '"`\u00b4\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb'
INVISIBLE = "\u00ad\u200b\u200c\u200d\ufeff"
UMLAUTS = {"\u00e4": "a", "\u00f6": "o", "\u00fc": "u", "\u00df": "ss"}


def read(text: str) -> str:
    """The text by its letters: `Ro\u0308teln` and `ROETELN ` are `roteln`."""
    letters = []
    for letter in unicodedata.normalize("NFC", text).lower():
        if letter in INVISIBLE:
            continue
        if letter.isspace():
            letters.append(" ")
        elif letter in DASHES:
            letters.append("-")
        elif letter in QUOTES:
            letters.append("'")
        else:
            plain = UMLAUTS.get(letter) or unicodedata.normalize("NFD", letter)[0]
            letters.append(plain)
    word = re.sub(" +", " ", "".join(letters)).strip(" ")
    if len(word) >= 4 and not any(letter.isdigit() for letter in word):
        word = re.sub("([aou])e+", r"\1", word)
    return word


def folded(value: Any) -> Any:
    """As people read it; None where it is missing. What is no text is itself."""
    return (read(value) or None) if isinstance(value, str) else canonical(value)


def as_written(value: Any) -> Any:
    """The value itself; None where it is missing."""
    return None if folded(value) is None else canonical(value)


def read_as(reading: Reading, counts: Counter[Any]) -> Counter[Any]:
    """How often each value is there, as it is read."""
    result: Counter[Any] = Counter()
    for value, n in counts.items():
        result[reading(value)] += n
    return result


def without_missing(counts: Counter[Any], missing: int | None = None) -> Counter[Any]:
    """Missing ones count with the most frequent value; where all are missing, that is a value."""
    missing = counts[None] if missing is None else missing
    named = Counter({value: n for value, n in counts.items() if value is not None and n})
    if not named:
        return Counter({None: missing})
    first = next(value for value, n in named.items() if n == max(named.values()))
    named[first] += missing
    return named


def in_order(reading: Reading, values: Collection[Any], order: Sequence[Any] | None) -> list[Any]:
    """What values are read as, in their order: missing first, spellings where the first of them is."""
    listed = sorted(values, key=sort_key) if order is None else [each for each in order if each in values]
    keys = [reading(value) for value in listed]
    return [*dict.fromkeys([None] * (None in keys) + keys)]


def labels_as_read(reading: Reading, hierarchy: Any, values: Iterable[Any], labels_of: Any) -> dict[Any, Any]:
    """The labels of what values are read as: those of the spelling that comes first in the tree."""
    paths: dict[Any, list[Any]] = {}
    for value in values:
        paths.setdefault(reading(value), []).append(labels_of(hierarchy, value))
    return {key: min(found, key=lambda path: [*reversed(path)]) for key, found in paths.items()}
