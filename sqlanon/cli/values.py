"""The texts of options, parsed: names of columns, and assignments such as age=2."""

import contextlib
import csv
import re
from collections.abc import Iterator, Sequence
from typing import Any

from sqlanon.core.errors import UseError
from sqlanon.policies import schema


def names_in(flag: str, lines: Sequence[str] | None) -> list[str]:
    """Names of columns; each text is a line of CSV."""
    columns: list[str] = []
    for line in lines or ():
        try:
            fields = next(csv.reader([line], skipinitialspace=True, strict=True), [""])
        except csv.Error as error:
            raise UseError(f"{flag} {line}: {error}") from error
        if "" in fields:
            raise UseError(f"{flag} {line}: a name is empty")
        columns += fields
    return columns


def sets_in(flag: str, lines: Sequence[str]) -> list[list[str]]:
    """Sets of names of columns; each text, a line of CSV, is one set."""
    return [names_in(flag, [line]) for line in lines]


def several_numbers_in(flag: str, lines: Sequence[str]) -> list[float]:
    """1,2.5"""
    numbers = [number_or_text(text.strip()) for line in lines for text in line.split(",")]
    if wrong := [number for number in numbers if isinstance(number, str)]:
        raise UseError(f"{flag}: {wrong[0]} is not a number")
    return [number for number in numbers if not isinstance(number, str)]


def numbers_in(flag: str, lines: Sequence[str] | None, type_: type) -> Iterator[tuple[str, Any]]:
    """age=2,"last, first"=1"""
    for column, number in assignments_in(flag, lines, "COLUMN=NUMBER"):
        try:
            yield column, type_(number)
        except ValueError as error:
            raise UseError(f"{flag} {column}={number}: {number} is not {schema.EXPECTED[type_]}") from error


def tolerated_in(flag: str, lines: Sequence[str] | None) -> tuple[dict[float, float], dict[str, float]]:
    """90=5,linking.certain=1: by probabilities in percent, and by measures of attacks."""
    form = "PROBABILITY=SHARE, such as 90=5, or ATTACK.MEASURE=MOST, such as linking.certain=1"
    of_probabilities, of_measures = {}, {}
    for key, text in assignments_in(flag, lines, form):
        level, most = number_or_text(key), number_or_text(text)
        if isinstance(most, str) or (isinstance(level, str) and "." not in level):
            raise UseError(f"{flag} {key}={text}: write {form}")
        if isinstance(level, str):
            of_measures[level] = float(most)
        else:
            of_probabilities[float(level)] = float(most)
    return of_probabilities, of_measures


def assignments_in(flag: str, lines: Sequence[str] | None, form: str) -> Iterator[tuple[str, str]]:
    """What stands on both sides of each =."""
    for line in lines or ():
        for part in re.findall(r'(?:"(?:[^"]|"")*"|[^,"])+', line):
            yield assignment_in(flag, part.strip(), form)


def accepted_in(lines: Sequence[str] | None) -> dict[str, str]:
    """--accept evidence.leavers="they were told": reasons, by what is not known."""
    return dict(assignments_in("--accept", lines, 'NAME=REASON, such as evidence.leavers="they were told"'))


def called_in(lines: Sequence[str] | None) -> list[tuple[str, str]]:
    """--called birth=geboren: what the policy calls columns, and what the file does."""
    return [*assignments_in("--called", lines, "COLUMN=NAME, such as birth=geboren")]


def words_in(lines: Sequence[str] | None) -> dict[str, dict[str, str]]:
    """--words sex:F=1,M=2: words of earlier releases with those of today, by column, which words that follow
    need not repeat."""
    form = "COLUMN:WORD=TODAY, such as sex:F=1,M=2"
    words: dict[str, dict[str, str]] = {}
    column = ""
    for named, today in assignments_in("--words", lines, form):
        said, _, then = named.rpartition(":")
        column = said or column
        if not column or not then:
            raise UseError(f"--words {named}={today}: write {form}")
        words.setdefault(column, {})[then] = today
    return words


def earlier_in(lines: Sequence[str] | None) -> dict[str, str]:
    """--earlier january=january.csv: files, by the names of releases."""
    form = "NAME=FILE, such as january=january.csv"
    return dict(assignment_in("--earlier", line, form) for line in lines or ())


def types_in(flag: str, lines: Sequence[str] | None) -> Iterator[tuple[str, str]]:
    """birth=date %d.%m.%Y,cost=double 1.234,5: a comma within a value is none between two of them."""
    for line in lines or ():
        for part in re.split(r',(?=\s*(?:"(?:[^"]|"")*"|[^,="]+)=)', line):
            yield assignment_in(flag, part.strip(), "COLUMN=TYPE")


def assignment_in(flag: str, text: str, form: str) -> tuple[str, str]:
    """column=value; a column with = in its name stands in double quotes."""
    match = re.fullmatch(r'("(?:[^"]|"")*"|[^=]+)=(.+)', text)
    if not match:
        raise UseError(f"{flag} {text}: write {form}")
    column = match[1][1:-1].replace('""', '"') if match[1].startswith('"') else match[1]
    return column, match[2]


def number_or_text(text: str) -> float | str:
    """A number if it is one."""
    for type_ in (int, float):
        with contextlib.suppress(ValueError):
            return type_(text)
    return text
