"""What all releases together tell of people, found by trying everything: slow, obvious, for small worlds.

A release is what is out, to the letter, with a description of its own: which of its columns are
quasi-identifiers, what its labels mean, which columns left unchanged, and what these and their values are
called by whoever asks. An adversary joins releases by every unchanged column that two of them share.

Records are rows of a source. Whose they are is said by `person`, which may have several.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Row: TypeAlias = Mapping[str, Any]
Labels: TypeAlias = Mapping[str | None, Sequence[str]]  # of a column: text of a value -> its labels, upwards
Fold: TypeAlias = Callable[[Any], Any]  # what of two spellings is one value
Certain: TypeAlias = dict[str, set[Hashable]]  # sensitive column -> people

_INTERVAL = re.compile(r"\[(.+), (.+)\]")
_SET = re.compile(r"\{(.+)\}")


def text(value: Any) -> str | None:
    """A value as it is written; NULL is a value of its own."""
    return None if value is None else str(value)


def as_written(value: Any) -> Any:
    return text(value)


def whatever_case(value: Any) -> Any:
    """flu is Flu."""
    return None if value is None else str(value).casefold()


@dataclass(frozen=True)
class Record:
    """A row of a source, with the columns that whoever asks knows, by our names."""

    id: Hashable
    person: Hashable
    values: Row


@dataclass(frozen=True)
class Release:
    """rows: as they are out. qi, unchanged: its columns -> what they are called by us (a column that nobody
    has mapped is there by its own name). sensitive: by our names. values: of a column by our name, a value of
    theirs -> ours. hierarchies: by our names. is_ours: all rows are about records that are asked about, and a
    value that no hierarchy explains is the value itself.
    """

    name: str
    rows: Sequence[Row]
    qi: Mapping[str, str]
    unchanged: Mapping[str, str]
    sensitive: Sequence[str]
    hierarchies: Mapping[str, Labels] = field(default_factory=dict)
    values: Mapping[str, Mapping[Any, Any]] = field(default_factory=dict)
    is_ours: bool = True

    def unchanged_in(self, row: Row, fold: Fold = as_written) -> dict[str, Any]:
        """The unchanged columns of a row, by our names, with our values."""
        told = {}
        for column, ours in self.unchanged.items():
            mapping = {text(theirs): value for theirs, value in self.values.get(ours, {}).items()}
            told[ours] = fold(mapping.get(text(row[column]), row[column]))
        return told

    def labels(self, row: Row) -> tuple[str | None, ...]:
        """What says which class a row is in."""
        return tuple(text(row[column]) for column in self.qi)


# LOCATING


def covers(label: str | None, value: Any, labels: Labels | None = None) -> bool:
    """Is this one of the values that a label stands for?"""
    if label == text(value) or label == "*":
        return True
    if label is None:
        return False
    if labels and label in labels.get(text(value), ()):
        return True
    if labels and any(label in path for path in labels.values()):
        return False  # it stands for what its hierarchy says, and nothing else
    if (interval := _INTERVAL.fullmatch(label)) and value is not None:
        low, high = (_number(end) for end in interval.groups())
        number = _number(text(value) or "")
        return None not in (low, high, number) and low <= number <= high  # type: ignore[operator]
    if listed := _SET.fullmatch(label):
        return ("NULL" if value is None else text(value)) in listed[1].split(", ")
    return False


def _number(value: str) -> float | None:
    try:
        return float(value)
    except ValueError:
        return None


def is_possible(record: Record, row: Row, release: Release) -> bool:
    """Can a row be this record's? A quasi-identifier that nobody knows of the record may be anything."""
    return all(
        ours not in record.values
        or covers(text(row[column]), record.values[ours], release.hierarchies.get(ours))
        for column, ours in release.qi.items()
    )


def possible_rows(record: Record, release: Release) -> list[Row]:
    return [row for row in release.rows if is_possible(record, row, release)]


def may_have(record: Record, row: Row, release: Release, fold: Fold = as_written) -> bool:
    """Is a row possible, and are its values those that the record has?"""
    told = release.unchanged_in(row, fold)
    return is_possible(record, row, release) and all(
        fold(record.values[column]) == told[column] for column in told if column in record.values
    )


def may_be_in(record: Record, release: Release, fold: Fold = as_written) -> bool:
    return any(may_have(record, row, release, fold) for row in release.rows)


def possibly_present(
    records: Sequence[Record], releases: Sequence[Release], fold: Fold = as_written
) -> dict[str, set[Hashable]]:
    """Of each release the records that may be in it."""
    return {
        release.name: {record.id for record in records if may_be_in(record, release, fold)}
        for release in releases
    }


# TUPLES: one row of each release that somebody is in, all of one record

Presence: TypeAlias = Mapping[str, Collection[Hashable]]


def tuples(
    record: Record, releases: Sequence[Release], presence: Presence, fold: Fold = as_written
) -> Iterator[tuple[tuple[int, ...], dict[str, Any]]]:
    """The numbers of the rows (-1 where the record is not in the release), and what they say together."""
    choices: list[list[int]] = []
    for release in releases:
        if record.id in presence[release.name]:
            choices.append([i for i, row in enumerate(release.rows) if is_possible(record, row, release)])
        else:
            choices.append([-1])
    for chosen in itertools.product(*choices):
        together: dict[str, Any] = {}
        for number, release in zip(chosen, releases, strict=True):
            if number == -1:
                continue
            told = release.unchanged_in(release.rows[number], fold)
            if any(together.get(column, value) != value for column, value in told.items()):
                break
            together |= told
        else:
            yield chosen, together


def candidates(
    record: Record,
    releases: Sequence[Release],
    sensitive: Sequence[str],
    presence: Presence,
    fold: Fold = as_written,
) -> tuple[dict[str, set[Any]], bool]:
    """What may be the record's value in each sensitive column, by all columns together; and whether there is
    anything: if not, it is what each column alone leaves. A column that no release of the record has is left
    out.
    """
    joint: defaultdict[str, set[Any]] = defaultdict(set)
    for _, together in tuples(record, releases, presence, fold):
        for column in sensitive:
            if column in together:
                joint[column].add(together[column])
    if joint:
        return dict(joint), True
    return alone(record, releases, sensitive, presence, fold), False


def alone(
    record: Record,
    releases: Sequence[Release],
    sensitive: Sequence[str],
    presence: Presence,
    fold: Fold = as_written,
) -> dict[str, set[Any]]:
    """The same by each sensitive column without the others."""
    left: dict[str, set[Any]] = {}
    for release in releases:
        if record.id not in presence[release.name]:
            continue
        rows = [release.unchanged_in(row, fold) for row in possible_rows(record, release)]
        for column in sensitive:
            if rows and column in rows[0]:
                told = {row[column] for row in rows}
                left[column] = left.get(column, told) & told
    return left


def contradicted(
    records: Sequence[Record], releases: Sequence[Release], presence: Presence, fold: Fold = as_written
) -> set[Hashable]:
    """The people of whom no row of each of their releases can be of one record."""
    return {
        record.person
        for record in records
        if any(record.id in presence[release.name] for release in releases)
        and next(tuples(record, releases, presence, fold), None) is None
    }


def certain(
    records: Sequence[Record],
    releases: Sequence[Release],
    sensitive: Sequence[str],
    presence: Presence,
    fold: Fold = as_written,
) -> Certain:
    """Who has one candidate left: by all columns together or by one of them alone, in any of their rows; or
    because their rows fill a class but for fewer rows than have a value."""
    found: Certain = {column: set() for column in sensitive}
    for record in records:
        joint, _ = candidates(record, releases, sensitive, presence, fold)
        for left in (joint, alone(record, releases, sensitive, presence, fold)):
            for column, values in left.items():
                if len(values) == 1:
                    found[column].add(record.person)
    for release in releases:
        for column, people in _by_counting(records, release, sensitive, presence, fold).items():
            found[column] |= people
    return found


def _by_counting(
    records: Sequence[Record], release: Release, sensitive: Sequence[str], presence: Presence, fold: Fold
) -> Certain:
    """In a class of n rows, r of them of one person, more than n - r have a value."""
    found: Certain = defaultdict(set)
    classes: defaultdict[tuple[str | None, ...], list[Row]] = defaultdict(list)
    for row in release.rows:
        classes[release.labels(row)].append(row)
    for labels, rows in classes.items():
        own: defaultdict[Hashable, int] = defaultdict(int)
        for record in records:
            if record.id in presence[release.name]:
                where = {release.labels(row) for row in possible_rows(record, release)}
                own[record.person] += where == {labels}
        told = [release.unchanged_in(row, fold) for row in rows]
        for column in sensitive:
            if column not in told[0]:
                continue
            values = [row[column] for row in told]
            most = max(values.count(value) for value in values)
            found[column] |= {person for person, r in own.items() if r and most > len(rows) - r}
    return found


# WORLDS: a row of its own for every record, in every release that it is in


def exact(
    records: Sequence[Record],
    releases: Sequence[Release],
    sensitive: Sequence[str],
    presence: Presence,
    fold: Fold = as_written,
) -> Certain | None:
    """Who has a value in all worlds; None where there is no world: something of what is known is wrong."""
    ways = {record.id: _ways(record, releases, presence, fold) for record in records}
    rows = Counter(
        (j, _kind(row, release, fold)) for j, release in enumerate(releases) for row in release.rows
    )
    if not _has_world([*ways.values()], rows):
        return None
    found: Certain = {column: set() for column in sensitive}
    for person in {record.person for record in records}:
        theirs = {record.id for record in records if record.person == person}
        told = [dict(together) for id in theirs for _, together in ways[id]]
        for column in sensitive:
            for value in {together[column] for together in told if column in together}:
                # is there a world in which none of their rows has it?
                others = [
                    [way for way in of_record if id not in theirs or (column, value) not in way[1]]
                    for id, of_record in ways.items()
                ]
                if not _has_world(others, rows):
                    found[column].add(person)
    return found


# A kind of rows: what says which class they are in, and what they say.
Kind: TypeAlias = tuple[int, Hashable]
# What a record can be: the kinds of its rows, and what these say together.
Way: TypeAlias = tuple[tuple[Kind, ...], tuple[tuple[str, Any], ...]]


def _kind(row: Row, release: Release, fold: Fold) -> Hashable:
    return release.labels(row), tuple(release.unchanged_in(row, fold).items())


def _ways(record: Record, releases: Sequence[Release], presence: Presence, fold: Fold) -> list[Way]:
    """Each once, however many rows are of one kind."""
    return list(
        dict.fromkeys(
            (
                tuple(
                    (j, _kind(release.rows[number], release, fold))
                    for j, (number, release) in enumerate(zip(chosen, releases, strict=True))
                    if number != -1
                ),
                tuple(sorted(together.items())),
            )
            for chosen, together in tuples(record, releases, presence, fold)
        )
    )


def _has_world(ways: Sequence[Sequence[Way]], rows: Mapping[Kind, int]) -> bool:
    """Can every record have a row of its own in each of its releases, in one of its ways?"""
    in_order = sorted(ways, key=len)
    tried: set[tuple[int, frozenset[tuple[Kind, int]]]] = set()

    def place(i: int, taken: Counter[Kind]) -> bool:
        if i == len(in_order):
            return True
        state = i, frozenset(taken.items())
        if state in tried:
            return False
        tried.add(state)
        for kinds, _ in in_order[i]:
            if all(taken[kind] < rows[kind] for kind in kinds) and place(i + 1, taken + Counter(kinds)):
                return True
        return False

    return place(0, Counter())


# WHAT IS RIGHT TO SAY


@dataclass(frozen=True)
class Answer:
    """certain: who is, by an adversary who assumes of everybody the releases that they may be in (and knows
    that nobody else is there, where that is so beyond doubt). perhaps: who is, by somebody who knows more,
    takes other spellings for one value, or takes those who may be in a release for those who are, where they
    are as many. people: who was asked about. unseen: what nobody could read, locate or compare, so that it
    could be anything. doubts: what may be no more than it looks like. supposed: who is certain if everybody
    is in the releases that they may be in, however many rows these have.
    """

    certain: Certain
    perhaps: Certain
    people: set[Hashable]
    unseen: Sequence[str] = ()
    doubts: Sequence[str] = ()
    supposed: Certain = field(default_factory=dict)

    def allowed(self, most: float, of: Collection[int] = ()) -> set[str]:
        """The verdicts that are right where so many percent may be certain. of: other numbers of people that
        this may be a share of."""
        totals = {len(self.people), *of}
        surely = all(self._is_over(self.certain, most, total) for total in totals)
        perhaps = any(self._is_over(self.perhaps, most, total) for total in totals)
        supposed = any(self._is_over(self.supposed, most, total) for total in totals)
        right = {"fails"} if perhaps else set()
        if self.unseen or self.doubts or (supposed and not surely):
            right.add("not known")
        if most >= 100 or not (surely or self.unseen or (self.doubts and perhaps)):
            right.add("holds")
        return right

    @staticmethod
    def _is_over(found: Certain, most: float, total: int) -> bool:
        return any(100 * len(people) / total > most + 1e-9 for people in found.values())


def answer(
    records: Sequence[Record],
    releases: Sequence[Release],
    sensitive: Sequence[str],
    truly_in: Presence,
    unseen: Sequence[str] = (),
    doubts: Sequence[str] = (),
    listed: Collection[Hashable] | None = None,
) -> Answer:
    """Everything at once. truly_in: which records are in which releases, as far as that is known. unseen,
    doubts: more of them. listed: the records that the table has, where others have left.
    """
    asked = [record for record in records if listed is None or record.id in listed]
    found: Certain = {column: set() for column in sensitive}
    perhaps: Certain = {column: set() for column in sensitive}
    supposed: Certain = {column: set() for column in sensitive}
    everybody = {record.person for record in records}
    doubts = [*doubts]
    for fold in (as_written, whatever_case):
        possible = possibly_present(records, releases, fold)
        believed = certain(records, releases, sensitive, possible, fold)
        known = {name: truly_in.get(name, ids) for name, ids in possible.items()}
        is_clear = all(set(known[name]) == ids for name, ids in possible.items())
        worlds = exact(records, releases, sensitive, known, fold) or {}
        better = certain(records, releases, sensitive, known, fold)
        supposing = exact(asked, releases, sensitive, possible, fold)
        fitting = [release for release in releases if _is_as_many(asked, release, fold)]
        taken = exact(asked, fitting, sensitive, possible, fold) or {}
        for column in sensitive:  # without a world it could be anybody
            supposed[column] |= everybody if supposing is None else supposing[column]
            perhaps[column] |= taken.get(column, set())
        for column in sensitive:
            sure = believed[column] | (worlds.get(column, set()) if is_clear else set())
            if fold is as_written:
                found[column] |= sure
            perhaps[column] |= sure | worlds.get(column, set()) | better[column]
        gone = contradicted(records, releases, possible, fold)
        doubts += [f"nothing is possible for {person}" for person in gone]
    doubts += [f"{person} is in no class" for person in _located_nowhere(records, releases)]
    doubts += [text for release in releases for text in _strange_values(release, records, releases)]
    return Answer(
        found, perhaps, everybody,
        [*unseen, *(text for release in releases for text in _unseen(release, records))],
        list(dict.fromkeys(doubts)), supposed,
    )  # fmt: skip


def _is_as_many(records: Sequence[Record], release: Release, fold: Fold) -> bool:
    """Has a release a row for each of the people who may be in it, but for rows that are of nobody?"""
    kinds = Counter(_kind(row, release, fold) for row in release.rows)
    example = {_kind(row, release, fold): row for row in release.rows}
    of_somebody = 0
    for kind, n in kinds.items():
        of_somebody += min(n, sum(may_have(record, example[kind], release, fold) for record in records))
    return sum(may_be_in(record, release, fold) for record in records) <= of_somebody


def _unseen(release: Release, records: Sequence[Record]) -> Iterator[str]:
    """Labels that nobody explains, and columns that are not known of everybody, or that nobody has mapped."""
    for column, ours in release.qi.items():
        if any(ours not in record.values for record in records):
            yield f"{release.name}: {ours} is not known of everybody"
        elif not release.is_ours:
            for label in {text(row[column]) for row in release.rows} - {None}:
                if not _is_understood(str(label), ours, release, records):
                    yield f"{release.name}: nobody understands {label} in {column}"
    for column, ours in release.unchanged.items():
        if ours in release.sensitive and not any(ours in record.values for record in records):
            yield f"{release.name}: {column} is nothing of ours"


def _is_understood(label: str, column: str, release: Release, records: Sequence[Record]) -> bool:
    labels = release.hierarchies.get(column, {})
    is_value = any(text(record.values.get(column)) == label for record in records)
    explained = label in labels or any(label in path for path in labels.values())
    interval = _INTERVAL.fullmatch(label)
    is_interval = interval is not None and None not in map(_number, interval.groups())
    return is_value or explained or is_interval or label == "*" or bool(_SET.fullmatch(label))


def _strange_values(
    release: Release, records: Sequence[Record], releases: Sequence[Release]
) -> Iterator[str]:
    """Values that no other release has, nor anybody of those who are asked about, and values of two
    spellings."""
    for column, ours in release.unchanged.items():
        told = [
            {other.unchanged_in(row).get(ours) for row in other.rows} - {None}
            for other in [release, *(other for other in releases if other is not release)]
        ]
        known = {text(record.values[ours]) for record in records if ours in record.values} - {None}
        here, elsewhere = told[0], known.union(*told[1:])
        if ours in release.sensitive and here - elsewhere:
            yield f"{release.name}: {', '.join(sorted(map(str, here - elsewhere)))} in {column} stands alone"
        if len({*map(whatever_case, here | elsewhere)}) < len(here | elsewhere):
            yield f"{release.name}: {column} is spelled in two ways"


def _located_nowhere(records: Sequence[Record], releases: Sequence[Release]) -> Iterator[Hashable]:
    for record in records:
        if not any(possible_rows(record, release) for release in releases):
            yield record.person
