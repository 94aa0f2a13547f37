"""A finished page, and the tables that pages show."""

from __future__ import annotations

import html
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlanon.core.errors import InputError


@dataclass(frozen=True)
class Page:
    """A finished page.

    data: its tables, each with the statement that gives it. charts: their specifications for Vega-Lite, by
    name. html: the page, which needs nothing else.
    """

    data: Any
    charts: Mapping[str, Mapping[str, Any]]
    html: str

    def write(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the page to a file: all of it, or nothing.

        Errors: InputError if the file exists, unless force is set.
        """
        from sqlanon.core.outputs import replacing

        target = Path(path)
        if target.exists() and not force:
            raise InputError(f"{target} exists: give another name, or force=True")
        with replacing(target, force, secret=True) as temporary:
            temporary.write_text(self.html, "utf-8", newline="\n")

    def _repr_html_(self) -> str:
        # In a frame: the page's style is not that of the notebook.
        frame = 'style="width: 100%; height: 80vh; border: 0" title="sqlanon"'
        return f'<iframe {frame} srcdoc="{html.escape(self.html)}"></iframe>'


@dataclass(frozen=True)
class Table:
    """Rows, and the statement that gives them."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    statement: str

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The rows, by the names of the columns."""
        return (dict(zip(self.columns, row, strict=True)) for row in self.rows)
