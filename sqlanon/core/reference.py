"""`python -m sqlanon.core.reference [path]`: the reference of the public macros, from their comments.

To ./REFERENCE.md; - for stdout.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Any

import duckdb

from sqlanon.core.library import read_library

# What the examples read.
TABLES = Path(__file__).parents[2] / "examples" / "people.sql"

INTRODUCTION = """# Reference

The public macros, by the folders of [sql/](sql) that hold them. The functions of the Python package have the
same names and parameters. `FROM sqlanon.help()` lists them in any DuckDB client, and `FROM
sqlanon.help('mondrian')` tells of one what is told here. (`make reference` writes this page, from the macros'
own comments.)

A *table* is the name of a table, a view, a file or a CTE of the calling query, as a text. A *column* is a
name, and *columns* are a name or a list of names. A parameter without a default must be given. In a result,
*unchanged* means the type of the source, and a name such as \\<qi> every column that `qi` names.

The examples can be run one after the other, once these tables are there:
"""
HEADS = {"parameter": "| parameter | type | default | |", "result": "| result | type | |"}


def reference() -> str:
    """All public macros with what their comments say, as Markdown."""
    with duckdb.connect() as con:
        con.execute(read_library()).fetchall()
        macros = con.execute("select topic, macro from sqlanon.help()").fetchall()
        blocks = con.execute(
            "select macro, kind, text from sqlanon._help_blocks() order by macro, place"
        ).fetchall()
        lines = con.execute(
            """select macro, kind, line, name, type, fallback, meaning, referred
            from sqlanon._help_lines() order by macro, place, line, position"""
        ).fetchall()
    parts = [INTRODUCTION, _code(TABLES.read_text("utf-8"))]
    for topic, group in groupby(macros, key=lambda row: row[0]):
        parts.append(f"## {topic.capitalize()}\n")
        for _, macro in group:
            parts.append(f"### {macro}\n")
            for name, kind, text in blocks:
                if name == macro:
                    parts.append(_block(kind, text, [row[1:] for row in lines if row[0] == macro]))
    return "\n".join(parts)


def _block(kind: str, text: str, lines: Iterable[tuple[Any, ...]]) -> str:
    match kind:
        case "about":
            return _escaped(text) + "\n"
        case "parameters" | "result":
            kind = kind.removesuffix("s")
            return _table(kind, [row[1:] for row in lines if row[0] == kind])
        case "example":
            return _code(text)
    return f"*{kind.capitalize()}:* {_escaped(text)}\n"


def _table(kind: str, lines: list[tuple[Any, ...]]) -> str:
    """A row per line of the comment, so that parameters which another macro explains share one."""
    head = HEADS[kind]
    rows = [head, re.sub(r"[^|]+", "---", head)]
    for _, group in groupby(lines, key=lambda row: row[0]):
        entries = list(group)
        _, _, type_, default, meaning, referred = entries[0]
        names = ", ".join(f"`{name}`" for _, name, *_ in entries)
        cells = [names, _escaped(type_)]
        if kind == "parameter":
            cells.append(f"`{default}`" if default else "")
        cells.append(f"as in [{referred}](#{referred})" if referred else _escaped(meaning))
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def _code(text: str) -> str:
    return f"```sql\n{textwrap.dedent(text).strip()}\n```\n"


def _escaped(text: str) -> str:
    return re.sub(r"([*<\[|])", r"\\\1", text)


def main(path: str = "REFERENCE.md") -> None:
    """Write the page."""
    if path == "-":
        sys.stdout.write(reference())
    else:
        Path(path).write_text(reference(), "utf-8", newline="\n")


if __name__ == "__main__":
    main(*sys.argv[1:2])
