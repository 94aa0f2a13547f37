"""--formats: checks of the formats and their columns, and which formats would read a release."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence

from sqlanon.cli.values import assignment_in
from sqlanon.core.errors import UseError
from sqlanon.core.remarks import remark
from sqlanon.core.suggestions import suggestion


def formats_in(lines: Sequence[str] | None, releases: Sequence[str], qi: Sequence[str]) -> dict[str, str]:
    """Formats by column, or by the number of a release and column. Errors: UseError for what is neither."""
    columns = {name.lower(): name.lower() for name in qi}
    columns |= {
        f"{release}.{name}".lower(): f"{i}.{name.lower()}"
        for i, release in enumerate(releases, 1)
        for name in qi
    }
    columns |= {f"targets.{name}".lower(): f"targets.{name.lower()}" for name in qi}
    # several in one: a comma may be what separates a set, and is between two of them before a column
    named = "|".join(re.escape(name) for name in columns)
    between = re.compile(rf',(?=\s*"?(?:{named})"?=)', re.IGNORECASE)
    parts = [part.strip() for line in lines or () for part in (between.split(line) if named else [line])]
    formats: dict[str, str] = {}
    for column, format in (assignment_in("--formats", part, "COLUMN=FORMAT") for part in parts):
        key = columns.get(column.lower())
        if key is None:
            raise UseError(f"--formats {column}: {column} is not in --qi{suggestion(column, list(columns))}")
        if key in formats:
            raise UseError(f"--formats {column}: {column} has a format already")
        formats[key] = format
    return formats


def check_nearest(nearest: Sequence[str] | None, releases: Sequence[str]) -> None:
    """Errors: UseError for what is none of the releases."""
    for of_centroids in nearest or ():
        if of_centroids not in releases:
            raise UseError(
                f"--nearest {of_centroids} is none of the releases{suggestion(of_centroids, releases)}"
            )


def columns_read(qi: Sequence[str], formats: Mapping[str, str]) -> list[str]:
    """The columns of a release that stand for the quasi-identifiers, but for those that are one-hot."""
    read: list[str] = []
    for column in qi:
        format = formats.get(column, "")
        if ends := re.fullmatch("between (.+?) and (.+)", format):
            read += ends.groups()
        elif not format.startswith("one-hot "):
            read.append(column)
    return read


def tell_formats(release: str, unread: Sequence[tuple[str, str, int, str, str | None]], alone: bool) -> None:
    """Say with which option unread labels would be read."""
    proposed: dict[str, str] = {}
    for column, _, _, _, format in unread:
        if format is not None:
            proposed.setdefault(column if alone else f"{release}.{column}", format)
    options = [f"--formats {shlex.quote(f'{column}={format}')}" for column, format in proposed.items()]
    if options:
        remark(f"{release}: this would read them: {' '.join(options)}")
