"""Attacks that locate people in releases: how their parameters are written, and what they warn of."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import duckdb

from sqlanon.attack.possible_values import register_possible_values
from sqlanon.core.answer import answer, rows
from sqlanon.core.errors import InputError, UnreadWarning, UseError
from sqlanon.core.library import ensure_registered
from sqlanon.core.remarks import warn
from sqlanon.core.source import Source, lower
from sqlanon.core.statements import execute

Formats = Mapping[str, str]  # from a column, release.column or targets.column to how it is written
Unknown = str | Iterable[str] | None  # how unknown cells of the targets are written
SHOWN = 3  # labels in a warning
COMPARED = ("qi", "columns", "here", "there")  # parameters with the columns that people are compared in
# What is about releases of any kind, which may have values that no target has.
OF_ANY_KIND = (
    "closest_records", "de_finetti", "membership", "nearest_inference", "nearest_linkage", "singling_out",
    "sparse_linkage",
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


def check_formats(con: duckdb.DuckDBPyConnection, formats: Mapping[str, str]) -> None:
    """Errors: UseError for a format that there is not."""
    for column, format in formats.items():
        asked = "select sqlanon._is_format($1), sqlanon._no_format($1, ' of ' || $2)"
        [(is_known, refusal)] = execute(con, asked, [format, column])
        if not is_known:
            raise UseError(refusal)


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
    """Warn of unread labels, release by release, and if nobody is located. about: as in unread_labels.
    passed: which releases are passed over.
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
        so = "They are equal to nobody's" if about.get("of_any_kind") else "Nobody is located there"
        warn(
            f"{called}: nobody understands these values of {column}: {first}{more} ({labels[0][1]})"
            f"{hint}. {so}: what is told is too little",
            UnreadWarning,
        )
    if not is_anybody_located:
        warn(
            "none of the targets is located in all the releases that they are in: "
            "what is told of them is no all-clear",
            UnreadWarning,
        )


def assumption(
    releases: int, sensitive: Sequence[str], unchanged: Sequence[str], values_may_change: Sequence[str]
) -> str:
    """What the attack on several releases assumes of columns, as a sentence; nothing of one release, or of
    releases without such columns."""
    may_change = lower(values_may_change)
    columns = [*sensitive, *unchanged]
    stay = [name for name in columns if name.lower() not in may_change]
    change = [name for name in columns if name.lower() in may_change]
    if releases < 2 or not columns:
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
    """Which releases are of centroids, always as a list."""
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
    *others: Source,
    **parameters: Any,
) -> duckdb.DuckDBPyRelation:
    """The answer of a macro that locates targets in releases, or compares them with the rows of one. others:
    what more tables it takes.

    Warns (UnreadWarning) of labels that nobody understands, and where nobody is located.
    """
    found = answer(con, macro, releases, targets, *others, **parameters)
    if parameters.get("nearest"):
        return found
    if macro == "noisy_counts_attack" and not found.filter("learned is null").limit(1).fetchall():
        return found  # all are located
    tables = releases if isinstance(releases, list) else [releases]
    if macro in OF_ANY_KIND:
        warn_of_unread(con, tables, targets, {**about_labels(parameters), "of_any_kind": True}, True)
    else:
        anybody = bool(found.filter(FOUND[macro]).limit(1).fetchall())
        warn_of_unread(con, tables, targets, about_labels(parameters), anybody)
    return found


def warning_beside(
    con: duckdb.DuckDBPyConnection, macro: str, original: Source, release: Source, **parameters: Any
) -> duckdb.DuckDBPyRelation:
    """The answer of a macro that compares a release of any kind with its original.

    Warns (UnreadWarning) of values that nobody understands.
    """
    found = answer(con, macro, original, release, **parameters)
    warn_of_unread(con, [release], original, {**about_labels(parameters), "of_any_kind": True}, True)
    return found


def warning_by_marginal(
    con: duckdb.DuckDBPyConnection,
    macro: str,
    releases: list[Source],
    targets: Source,
    *others: Source,
    marginals: Iterable[Iterable[str]],
    **parameters: Any,
) -> duckdb.DuckDBPyRelation:
    """The answer of a macro that compares targets with tables of counts, each by columns of its own.

    Warns (UnreadWarning) of values that nobody understands.
    """
    of_each = list(marginals)
    found = answer(con, macro, releases, targets, *others, marginals=of_each, **parameters)
    for release, columns in zip(releases, of_each, strict=True):
        about = {"qi": list(columns), "hierarchies": parameters.get("hierarchies"), "of_any_kind": True}
        warn_of_unread(con, [release], targets, about, True)
    return found


def with_programs(
    con: duckdb.DuckDBPyConnection, macro: str, releases: list[Source], targets: Source, **parameters: Any
) -> duckdb.DuckDBPyRelation:
    """The answer of exact cover, which asks programs what several classes tell together, where it can."""
    register_possible_values(con)
    return answer(con, macro, releases, targets, **parameters)


def about_labels(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """What says how labels are read."""
    said = {name: parameters.get(name) for name in ("qi", "hierarchies", "formats", "unknown")}
    return {**said, "qi": columns_compared(COMPARED, parameters)}


def columns_compared(parameters: Collection[str], arguments: Mapping[str, Any]) -> list[str]:
    """The columns in which an attack compares people with a release. parameters: what it takes."""
    given = [arguments.get(name) or () for name in COMPARED if name in parameters]
    return [name for names in given for name in ([names] if isinstance(names, str) else names)]


def covered(con: duckdb.DuckDBPyConnection, macro: str, **parameters: Any) -> bool:
    """The value of a macro that has one."""
    from sqlanon.core.statements import execute, scalar  # with sqlglot, which is slow to import

    ensure_registered(con)
    [(value,)] = execute(con, scalar(macro, *parameters.values()))
    return bool(value)
