"""What leaves, the slow way: every column, every value, one rule after the other.

The rules are those at the head of sql/judge/leaving_columns.sql, written anew from its sentences. Values are
texts or None.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

ENOUGH = 20
VAGUE = ("address", "free text", "name")

TELLING = {
    "e-mail address": {"email", "mail", "emailaddress"},
    "phone number": {"phone", "telephone", "mobile", "fax"},
    "number": {"fallnr"},
    "name": {"surname", "lastname", "firstname", "nachname", "vorname"},
    "address": {"street", "address"},
}
HINTING = {"number": {"id", "nr", "no", "number"}, "name": {"name"}}
SENSITIVE = {"disease", "drug", "salary"}  # of the words that init knows, those that the tests use


@dataclass(frozen=True)
class Leaving:
    distinct_values: int
    unique_share: float | None
    looks_like: str | None
    fails: bool


def luhn(digits: str) -> bool:
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def form(value: str) -> str | None:
    """What one value looks like."""
    if re.fullmatch(r"\s*[^@\s]+@[^@\s]+\.[^@\s.]{2,}\s*", value):
        return "e-mail address"
    if re.match(r"\s*((https?|ftp)://|www\.)\S+\s*$", value, re.IGNORECASE):
        return "URL"
    if re.fullmatch(r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}", value):
        return "UUID"
    if re.fullmatch(r"[0-9A-Fa-f]+", value) and len(value) in (32, 40, 64, 128):
        return "hash"
    parts = value.split(".")
    if len(parts) == 4 and all(re.fullmatch(r"[0-9]{1,3}", part) and int(part) < 256 for part in parts):
        return "IP address"
    if re.fullmatch(r"-?[0-9]{1,3}\.[0-9]{3,}[,; ]+-?[0-9]{1,3}\.[0-9]{3,}", value):
        return "coordinate"
    if re.fullmatch(r"[0-9]{3}-[0-9]{2}-[0-9]{4}", value):
        return "social security number"
    if re.fullmatch(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{8,30}", value) and account(value):
        return "IBAN"
    digits = re.sub("[ -]", "", value)
    if re.fullmatch(r"[0-9]([ -]?[0-9])*", value) and 13 <= len(digits) <= 19 and luhn(digits):
        return "card number"
    if re.fullmatch(r"\+[0-9][0-9 ()/.-]{5,}", value):
        return "phone number"
    if re.search(r"[0-9]", value) and re.search(r"\b(street|road)\b", value, re.IGNORECASE):
        return "address"
    if len(value.split()) > 5:
        return "free text"
    words = value.replace(",", "").split()
    if 2 <= len(words) <= 4 and all(word[0].isupper() and word.isalpha() for word in words):
        return "name"
    return None


def account(value: str) -> bool:
    """ISO 13616."""
    return int("".join(str(int(letter, 36)) for letter in value[4:] + value[:4])) % 97 == 1


def words(column: str) -> set[str]:
    parts = re.findall("[a-z]+", re.sub("([a-z])([A-Z])", r"\1 \2", column).lower())
    return {*parts, "".join(parts)}


def told(column: str, by: Mapping[str, Collection[str]], whole: bool = False) -> str | None:
    named = words(column)
    if whole and len(named) > 1:
        return None
    return next((look for look, known in by.items() if named & set(known)), None)


def leaving(
    column: str,
    values: Sequence[str | None],
    role: str,
    *,
    is_number: bool = False,
    people: Sequence[tuple[str, str | None]] | None = None,
    is_direct: bool = False,
) -> Leaving:
    """One column of a release. people: who has which value, in the table that it was made of."""
    present = [value for value in values if value is not None]
    holders = Counter(present)
    if people is not None and role in ("sensitive", "keep"):
        whose: dict[str, set[str]] = {}
        for person, value in people:
            if value is not None:
                whose.setdefault(value, set()).add(person)
        holders = Counter(
            {value: len(whose[value]) if value in whose else holders[value] for value in holders}
        )
    if not holders:
        return Leaving(0, None, None, False)
    held = sum(holders.values())
    alone = sum(1 for n in holders.values() if n == 1)
    share = alone / held
    looks = None if role == "qi" else _looks(column, holders, held, alone, role, is_number, people)
    numbers = all(re.fullmatch(r"[-+]?(0|[1-9][0-9]*)(\.[0-9]+)?", value) for value in holders)
    unique = (
        share >= 0.9
        and {
            "keep": True,
            "sensitive": not numbers and held >= ENOUGH,
            "masked": looks != "hash" and held >= ENOUGH,
            "qi": False,
        }[role]
    )
    telling = role in ("sensitive", "keep") and looks is not None
    return Leaving(len(holders), share, looks, (unique or telling) and not is_direct)


def _looks(
    column: str,
    holders: Counter[str],
    held: int,
    alone: int,
    role: str,
    is_number: bool,
    people: Sequence[tuple[str, str | None]] | None,
) -> str | None:
    if people is not None and set(holders) <= {person for person, _ in people} and alone >= 0.9 * held:
        return "id of the targets"
    forms: dict[str, list[str]] = {}
    for value in holders:
        if (found := form(value)) and not (is_number and len(value) < 13):
            forms.setdefault(found, []).append(value)
    enough = role != "sensitive" or held >= ENOUGH
    probable = []
    for found, of_form in forms.items():
        once = sum(holders[value] == 1 for value in of_form) / len(of_form)
        vague = found in VAGUE and not (enough and once >= (0.9 if found == "free text" else 0.5))
        if 2 * len(of_form) >= len(holders) and not vague:
            probable.append((len(of_form), found))
    if probable:
        return max(probable)[1]
    if not words(column) & {*SENSITIVE, "of"}:
        surely = told(column, TELLING) or told(column, HINTING, whole=True)
        of_texts = ("name", "free text") if is_number else ()
        if surely and surely not in of_texts and (len(holders) >= 10 or 2 * len(holders) >= held):
            return surely
        perhaps = told(column, HINTING)
        if 2 * alone >= held and enough and perhaps not in of_texts and perhaps:
            return perhaps
    if alone == held >= ENOUGH and all(re.fullmatch("-?[0-9]{1,15}", value) for value in holders):
        whole = [int(value) for value in holders]
        if max(whole) - min(whole) + 1 <= 1.2 * len(whole):
            return "number"
    return None
