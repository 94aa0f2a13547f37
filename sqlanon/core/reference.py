"""`python -m sqlanon.core.reference`, or `make reference`: writes the files that are made from sql/ and are
in git.

People read it where the repository is shown: REFERENCE.md, from the comments of the public macros, and the
table in docs/concepts/classes.md, from the rows of list_of_models.sql.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Any

import duckdb

from sqlanon.core.library import register
from sqlanon.core.models import having

ROOT = Path(__file__).parents[2]
# What the examples read.
TABLES = ROOT / "examples" / "people.sql"

INTRODUCTION = """# Reference

The public macros, by the folders of [sql/](sql) that hold them. The functions of the Python package have the
same names and parameters. `FROM sqlanon.help()` lists them in any DuckDB client, and `FROM
sqlanon.help('mondrian')` shows the same text as here for one macro. (`make reference` writes this page from
the comments of the macros.)

A *table* is the name of a table, a view, a file or a CTE of the calling query, as text: `'people'`. A
*column* is a name, and *columns* are a name or a list of names. A parameter without a default must be given.
In a result, *unchanged* means the type of the source, and a name such as \\<qi> every column that `qi` names.

You can run the examples one after the other, after you have created these tables:
"""
MODELS = "| model | parameter | what every class must meet |\n|---|---|---|\n"
HEADS = {"parameter": "| parameter | type | default | |", "result": "| result | type | |"}


def reference() -> str:
    """All public macros with what their comments say, as Markdown."""
    with duckdb.connect() as con:
        register(con)
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


def with_models(page: str) -> str:
    """A page of documentation with its table of models."""
    rows = []
    for model in having("model"):
        also = (
            model.needs or model.varies_by or {"population": "population", "known": "known"}.get(model.about)
        )
        parameter = f"`{model.id}`" + (f" with `{also}`" if also else "")
        required = model.meaning.partition(": ")[2].partition(". ")[0].rstrip(".").replace("|", "\\|")
        rows.append(f"| {model.title} | {parameter} | {required} |\n")
    return re.sub(rf"(?<={re.escape(MODELS)})(?:\|.*\n)*", lambda _: "".join(rows), page)


def files() -> dict[Path, str]:
    """What each file should be."""
    page = ROOT / "docs" / "concepts" / "classes.md"
    return {
        ROOT / "REFERENCE.md": reference(),
        page: with_models(page.read_text("utf-8")),
    }


def main() -> None:
    """Write them."""
    for file, text in files().items():
        file.write_text(text, "utf-8", newline="\n")


if __name__ == "__main__":
    main()
