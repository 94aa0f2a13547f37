"""Attacks that locate people in releases: how their parameters are written, and what they warn of."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import duckdb

from sqlanon.core.answer import answer, rows
from sqlanon.core.errors import InputError, UnreadWarning
from sqlanon.core.library import ensure_registered
from sqlanon.core.source import Source, lower

Formats = Mapping[str, str]  # from a column, release.column or targets.column to how it is written
Unknown = str | Iterable[str] | None  # how unknown cells of the targets are written
SHOWN = 3  # labels in a warning
NEW = "no value of the targets"  # how unread_labels says so


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
    values_may_be_new: bool = False,
) -> None:
    """Warn of unread labels, release by release, and if nobody is located. passed: which releases are
    passed over. values_may_be_new: a label that may be a value which no target has is read.
    """
    unread: dict[tuple[int, str], list[tuple[str, str, str | None]]] = {}
    if releases and not all(passed[: len(releases)] or [False]):
        for number, column, label, _, why, format in rows(
            con, "unread_labels", list(releases), targets, **about
        ):
            if not (values_may_be_new and why.startswith(NEW)):
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


# Who is located, of the rows of the attacks that warn if nobody is.
FOUND = {
    "locate": "true",
    "linking": "candidates > 0",
    "minimality": "class_id is not null",
    "noisy_counts_attack": "learned is not null",
}


def warning(
    con: duckdb.DuckDBPyConnection,
    macro: str,
    releases: Source | list[Source],
    targets: Source,
    **parameters: Any,
) -> duckdb.DuckDBPyRelation:
    """The answer of a macro that locates targets in releases.

    Warns (UnreadWarning) of labels that nobody understands, and where nobody is located.
    """
    found = answer(con, macro, releases, targets, **parameters)
    if parameters.get("nearest"):
        return found
    if macro == "noisy_counts_attack" and not found.filter("learned is null").limit(1).fetchall():
        return found  # all are located
    tables = releases if isinstance(releases, list) else [releases]
    is_of_any_kind = macro not in FOUND  # such as synthetic rows, with values that no target has
    anybody = is_of_any_kind or bool(found.filter(FOUND[macro]).limit(1).fetchall())
    about = _about(parameters)
    warn_of_unread(con, tables, targets, about, anybody, values_may_be_new=is_of_any_kind)
    return found


def warning_by_release(
    con: duckdb.DuckDBPyConnection, macro: str, releases: list[Source], targets: Source, **parameters: Any
) -> duckdb.DuckDBPyRelation:
    """The answer of the intersection attack, or what it sums up to.

    Warns (UnreadWarning) of labels that nobody understands, and where nobody is located in all releases.
    """
    found = answer(con, macro, releases, targets, **parameters)
    unread = True
    if macro == "breaches":
        measured = dict(found.project("measure, value").fetchall())
        anybody, unread = measured["located in all releases"] > 0, measured["rows with unread labels"] > 0
    else:
        [(anybody,)] = found.aggregate(LOCATED).fetchall()
    passed = for_each(parameters["nearest"], releases)
    warn_of_unread(con, releases if unread else [], targets, _about(parameters), bool(anybody), passed)
    return found


def _about(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """What says how labels are read."""
    said = {name: parameters.get(name) for name in ("qi", "hierarchies", "formats", "unknown")}
    return {**said, "qi": said["qi"] or parameters.get("columns")}


def covered(con: duckdb.DuckDBPyConnection, macro: str, **parameters: Any) -> bool:
    """The value of a macro that has one."""
    from sqlanon.core.statements import execute, scalar  # with sqlglot, which is slow to import

    ensure_registered(con)
    [(value,)] = execute(con, scalar(macro, *parameters.values()))
    return bool(value)
