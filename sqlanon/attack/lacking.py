"""Columns of releases that an attack cannot look at, or does not: what stands for them, and what to say."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import duckdb
from sqlglot import exp

from sqlanon.attack.known import Known
from sqlanon.core.files import column_names
from sqlanon.core.source import lower
from sqlanon.core.statements import literal, relation, select


def anything(name: str, targets: str | None, nearest: bool | None) -> exp.Expression:
    """The value of a quasi-identifier that a release does not have. Centroids are all as far from anybody
    in a column where they have the same value."""
    if not nearest or targets is None:
        return literal("*")
    value = exp.AnyValue(this=exp.column(name, quoted=True))
    return select(relation(targets), value).subquery()


def with_every_qi(
    con: duckdb.DuckDBPyConnection, known: Known, make: Callable[[str, exp.Select], str]
) -> tuple[Known, list[str]]:
    """What is known, with releases that have all quasi-identifiers that one of them has, and a remark on
    those that were lacking. One that no release has stays an error. make: names a table for a purpose."""
    have = {
        called: lower(column_names(con, table)) | lower(known.formats_of(number))
        for number, (called, table) in enumerate(known.releases.items(), 1)
    }
    anywhere = set[str]().union(*have.values())
    nearest, releases, parts = dict(zip(known.releases, known.nearest, strict=False)), {**known.releases}, []
    for called, table in known.releases.items():
        if lacking := [name for name in known.qi if name.lower() in anywhere - have[called]]:
            values = [(anything(name, known.targets, nearest.get(called)), name) for name in lacking]
            added = [
                exp.Alias(this=each, alias=exp.to_identifier(name, quoted=True)) for each, name in values
            ]
            releases[called] = make(f"{called}, made whole", select(relation(table), "*", *added))
            parts.append(f"{called} lacks {' and '.join(lacking)}")
    so = "read as *, which may be anything; where it is there by another name, rename it"
    return replace(known, releases=releases), [f"{', '.join(parts)}: {so}"] if parts else []


def left_out(con: duckdb.DuckDBPyConnection, known: Known, further: object = None) -> list[str]:
    """A remark on columns that releases and targets have, and that are in no role. further: names others."""
    if known.targets is None or not known.qi:
        return []
    listed = (
        known.qi, known.sensitive, known.truth, known.presence, known.priors_by, known.unchanged,
        known.values_may_change, filter(None, [known.id, known.controls, known.unit, known.weight]),
    )  # fmt: skip
    used = {name.lower() for names in listed for name in names}
    used |= set(re.findall(r"\w+", str([known.formats, known.parameters, further]).lower()))
    of_targets = lower(column_names(con, known.targets)) - used
    unused = [
        f"{name} ({called})"
        for called, table in known.releases.items()
        for name in column_names(con, table) if name.lower() in of_targets
    ]  # fmt: skip
    return [f"in no role here: {', '.join(unused)}; whoever knows these may find more"] if unused else []
