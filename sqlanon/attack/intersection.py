"""The intersection attack: who is located in releases, and what they tell of them together.

Parameters and rows are those of the macros with the same names; `sqlanon.core.answer` says what an answer is.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import duckdb

from sqlanon.core.answer import Names, answer, rows
from sqlanon.core.connection import connection_first
from sqlanon.core.errors import InputError, UnreadWarning
from sqlanon.core.library import ensure_registered
from sqlanon.core.source import Source, listed, lower, names

Formats = Mapping[str, str]  # from a column, release.column or targets.column to how it is written
Unknown = str | Iterable[str] | None  # how unknown cells of the targets are written
SHOWN = 3  # labels in a warning


@connection_first
def locate(
    con: duckdb.DuckDBPyConnection,
    release: Source,
    targets: Source,
    id: str,
    qi: Names,
    hierarchies: Source = None,
    nearest: bool = False,
    weight: str | None = None,
    formats: Formats | None = None,
    unknown: Unknown = None,
) -> duckdb.DuckDBPyRelation:
    """The classes of a release that cover each target, or have the nearest centroid: id, class_id, size.

    formats: how columns of the release are written, and by targets.column those of the targets that have
    ranges, sets or masks. unknown: how their unknown cells are written ('NULL' for NULL).

    Warns (UnreadWarning) of labels that nobody understands, and where nobody is located.
    """
    about = {
        "qi": names(qi, "qi"),
        "hierarchies": hierarchies,
        "formats": formats_given(formats),
        "unknown": unknown_texts(unknown),
    }
    found = answer(con, "locate", release, targets, id=id, nearest=nearest, weight=weight, **about)
    if not nearest:
        warn_of_unread(con, [release], targets, about, bool(found.limit(1).fetchall()))
    return found


@connection_first
def covers(
    con: duckdb.DuckDBPyConnection, released: Any, raw: Any, labels: Names = (), format: str | None = None
) -> bool:
    """Does a released value stand for a raw one? labels: those that the raw value has in its hierarchy."""
    from sqlanon.core.statements import execute, scalar  # with sqlglot, which is slow to import

    ensure_registered(con)
    [(covered,)] = execute(con, scalar("covers", released, raw, list(labels), format))
    return bool(covered)


@connection_first
def unread_labels(
    con: duckdb.DuckDBPyConnection,
    releases: Source | list[Source],
    targets: Source,
    qi: Names,
    hierarchies: Source = None,
    formats: Formats | None = None,
    unknown: Unknown = None,
) -> duckdb.DuckDBPyRelation:
    """The released values that nobody understands: release (its number), attribute, label, rows, why, format
    (that would do).

    releases: one, or a list of them.
    """
    tables = releases if isinstance(releases, list) else [releases]
    return answer(
        con, "unread_labels", tables, targets, qi=names(qi, "qi"), hierarchies=hierarchies,
        formats=formats_given(formats), unknown=unknown_texts(unknown),
    )  # fmt: skip


def formats_given(formats: Any) -> dict[str, str] | None:
    """As the macro takes them. Errors: InputError for what is no dict of texts."""
    if formats is None:
        return None
    if not isinstance(formats, Mapping) or not all(
        isinstance(text, str) for entry in formats.items() for text in entry
    ):
        raise InputError(
            f"formats is a dict from columns to texts, such as {{'age': 'range'}}, not {formats!r}"
        )
    return dict(formats) or None


def unknown_texts(unknown: Any) -> list[str] | None:
    """As the macro takes them. Errors: InputError for what is no text."""
    if unknown is None:
        return None
    texts = [unknown] if isinstance(unknown, str) else list(unknown)
    if wrong := [text for text in texts if not isinstance(text, str)]:
        raise InputError(
            "unknown takes texts, such as '?', or 'NULL' where NULL says that a cell is unknown, "
            f"not {wrong[0]!r}"
        )
    return texts or None


def of_release(formats: Formats | None, number: int, name: str, qi: Sequence[str]) -> dict[str, str] | None:
    """The formats that hold for one release, by column alone: those of a release come before the others.
    Those of the targets stay.
    """
    given = {key.lower(): text for key, text in (formats or {}).items()}
    chosen = {}
    for column in qi:
        for key in (f"{name}.{column}", f"{number}.{column}", column):
            if key.lower() in given:
                chosen[column] = given[key.lower()]
                break
        if (of_targets := f"targets.{column}").lower() in given:
            chosen[of_targets] = given[of_targets.lower()]
    return chosen or None


def warn_of_unread(
    con: duckdb.DuckDBPyConnection,
    releases: Sequence[Source],
    targets: Source,
    about: Mapping[str, Any],
    is_anybody_located: bool,
    passed: Sequence[bool] = (),
) -> None:
    """Warn of unread labels, release by release, and if nobody is located. passed: which releases are
    passed over.
    """
    unread: dict[tuple[int, str], list[tuple[str, str, str | None]]] = {}
    if releases and not all(passed[: len(releases)] or [False]):
        for number, column, label, _, why, format in rows(
            con, "unread_labels", list(releases), targets, **about
        ):
            unread.setdefault((number, column), []).append((label, why, format))
    for (number, column), labels in unread.items():
        if number <= len(passed) and passed[number - 1]:
            continue
        release = releases[number - 1]
        called = os.fspath(release) if isinstance(release, str | os.PathLike) else f"release {number}"
        first = ", ".join(label for label, _, _ in labels[:SHOWN])
        more = f" and {len(labels) - SHOWN:,} more" if len(labels) > SHOWN else ""
        format = next((format for _, _, format in labels if format is not None), None)
        hint = f"; formats={{{column!r}: {format!r}}} would read them" if format else ""
        warnings.warn(
            f"{called}: nobody understands these values of {column}: {first}{more} ({labels[0][1]})"
            f"{hint}. Nobody is located there: what is told is too little",
            UnreadWarning,
            stacklevel=3,
        )
    if not is_anybody_located:
        warnings.warn(
            "none of the targets is located in all the releases that they are in: "
            "what is told of them is no all-clear",
            UnreadWarning,
            stacklevel=3,
        )


def assumption(
    releases: int, sensitive: Sequence[str], unchanged: Sequence[str], values_may_change: Sequence[str]
) -> str:
    """What the attack on several releases assumes of columns, as a sentence; nothing of one release."""
    may_change = lower(values_may_change)
    columns = [*sensitive, *unchanged]
    stay = [name for name in columns if name.lower() not in may_change]
    change = [name for name in columns if name.lower() in may_change]
    if releases < 2:
        return ""
    if not stay:
        return f"the values of {_listing(change)} may change between the releases: each release counts alone"
    sentence = f"all of this holds if the values of {_listing(stay)} do not change between the releases"
    return sentence + (f"; those of {_listing(change)} may" if change else "")


def _listing(columns: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(columns[:-1]), columns[-1]]))


def by_release(nearest: bool | Iterable[bool]) -> bool | list[bool]:
    """Which releases are of centroids, as the macros take it: all or none, or a list."""
    return nearest if isinstance(nearest, bool) else list(nearest)


# Is one of the targets located in all the releases that they are in? Of the rows of an attack.
LOCATED = (
    "coalesce(bool_or(list_min(list_transform(located, lambda evidence: evidence.size)) > 0), false) "
    "as anybody"
)


def for_each(nearest: bool | list[bool], releases: Sequence[Source]) -> list[bool]:
    """The same as a list in any case."""
    return [nearest] * len(releases) if isinstance(nearest, bool) else nearest


@connection_first
def intersection_attack(
    con: duckdb.DuckDBPyConnection,
    releases: Iterable[Source],
    targets: Source,
    id: str,
    qi: Names,
    sensitive: Names,
    hierarchies: Source = None,
    truth: Names | None = None,
    nearest: bool | Iterable[bool] = False,
    presence: Names | None = None,
    exact_cover: bool = False,
    unit: str | None = None,
    weight: str | None = None,
    formats: Formats | None = None,
    negations: Source = None,
    priors: Source = None,
    priors_by: Names | None = None,
    unknown: Unknown = None,
    unchanged: Names | None = None,
    values_may_change: Names | None = None,
) -> duckdb.DuckDBPyRelation:
    """What several releases tell together, a row per target and sensitive column: id, sensitive, prior,
    posterior, candidates and more.

    nearest: are all releases, or which of them, of centroids? presence: the columns of the targets, one per
    release, that say who is in it. exact_cover: remove what other targets must have. unit: the column of the
    targets that says whose a row is. weight: the column of the releases that says how many people each row
    stands for. formats: how columns of the releases are written. negations: rows of id and value, which are
    ruled out. priors: rows of value and share, what is known before a release is seen, and of the columns in
    priors_by, which say for whom. (With several sensitive columns both have a column sensitive.) unknown: as
    in `locate`. unchanged: further columns that releases leave unchanged, where they have them: rows of these
    and of the sensitive columns are intersected. values_may_change: those of all these columns whose values
    may differ from release to release.

    Warns (UnreadWarning) of labels that nobody understands, and where nobody is located in all releases.
    """
    about = {
        "qi": names(qi, "qi"),
        "hierarchies": hierarchies,
        "formats": formats_given(formats),
        "unknown": unknown_texts(unknown),
    }
    tables, of_centroids = listed(releases), by_release(nearest)
    found = answer(
        con, "intersection_attack", tables, targets, id=id, sensitive=names(sensitive, "sensitive"),
        truth=names(truth, "truth"), nearest=of_centroids, presence=names(presence, "presence"),
        exact_cover=exact_cover, unit=unit, weight=weight, negations=negations, priors=priors,
        priors_by=names(priors_by, "priors_by"), unchanged=names(unchanged, "unchanged"),
        values_may_change=names(values_may_change, "values_may_change"), **about,
    )  # fmt: skip
    [(anybody,)] = found.aggregate(LOCATED).fetchall()
    warn_of_unread(con, tables, targets, about, bool(anybody), for_each(of_centroids, tables))
    return found


@connection_first
def breaches(
    con: duckdb.DuckDBPyConnection,
    releases: Iterable[Source],
    targets: Source,
    id: str,
    qi: Names,
    sensitive: Names,
    hierarchies: Source = None,
    truth: Names | None = None,
    levels: Iterable[float] = (100, 50, 25, 10),
    nearest: bool | Iterable[bool] = False,
    presence: Names | None = None,
    exact_cover: bool = False,
    unit: str | None = None,
    weight: str | None = None,
    formats: Formats | None = None,
    sure: Iterable[float] = (99, 95, 90),
    negations: Source = None,
    priors: Source = None,
    priors_by: Names | None = None,
    unknown: Unknown = None,
    unchanged: Names | None = None,
    values_may_change: Names | None = None,
) -> duckdb.DuckDBPyRelation:
    """The attack over all targets: sensitive, measure, value, unit, low, high, id.

    levels: of the paper's confidence (1 / candidates), in percent. unit: the column of the targets that says
    whose a row is; then people are counted. weight: as in `intersection_attack`. formats: how columns of the
    releases are written. sure: probabilities in percent with which an adversary is sure of a value.
    negations, priors, priors_by, unchanged, values_may_change: as in `intersection_attack`. unknown: as in
    `locate`.

    Warns (UnreadWarning) of labels that nobody understands, and where nobody is located in all releases.
    """
    about = {
        "qi": names(qi, "qi"),
        "hierarchies": hierarchies,
        "formats": formats_given(formats),
        "unknown": unknown_texts(unknown),
    }
    tables, of_centroids = listed(releases), by_release(nearest)
    found = answer(
        con, "breaches", tables, targets, id=id, sensitive=names(sensitive, "sensitive"),
        truth=names(truth, "truth"), levels=list(levels), nearest=of_centroids,
        presence=names(presence, "presence"), exact_cover=exact_cover, unit=unit, weight=weight,
        sure=list(sure), negations=negations, priors=priors, priors_by=names(priors_by, "priors_by"),
        unchanged=names(unchanged, "unchanged"),
        values_may_change=names(values_may_change, "values_may_change"), **about,
    )  # fmt: skip
    measured = dict(found.project("measure, value").fetchall())
    anybody, unread = measured["located in all releases"] > 0, measured["rows with unread labels"] > 0
    warn_of_unread(con, tables if unread else [], targets, about, anybody, for_each(of_centroids, tables))
    return found
