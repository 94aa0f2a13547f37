"""`python -m sqlanon.core.reference [path]`: the reference of the public macros, from sql/; to ./REFERENCE.md, - for stdout."""

import re
import sys
from pathlib import Path

from sqlanon.core.library import topics

_MACRO = re.compile(r"^create or replace macro sqlanon\.([a-z]\w*)\((.*?)\) as\b", re.MULTILINE | re.DOTALL)
_COMMENT = r"^comment on macro (?:table )?sqlanon\.{}\s+is\s+'((?:[^']|'')*)'"

INTRODUCTION = """# Reference

The public macros, by the files of [sql/](sql) that hold them. The functions of the Python package have the same names and parameters.
`FROM sqlanon.help()` tells the same in any DuckDB client. (This page is written by `make reference`, from the macros' own comments.)
"""


def reference() -> str:
    """All public macros, with their parameters and what their comments say, as Markdown."""
    parts = [INTRODUCTION]
    for topic in topics():
        text = topics()[topic]
        macros = _MACRO.findall(text)
        if macros:
            parts.append(f"## {_title(text)}\n")
        for name, parameters in macros:
            [comment] = re.findall(_COMMENT.format(name), text, re.MULTILINE)
            signature = f"{name}({' '.join(parameters.split())})"
            parts.append(f"### {name}\n\n```sql\nsqlanon.{signature}\n```\n")
            parts.append(re.sub(r"([*<\[])", r"\\\1", comment.replace("''", "'")) + "\n")
    return "\n".join(parts)


def _title(text: str) -> str:
    """The idea of a file: what its first line begins with."""
    return re.split(r"[:,(]", text.removeprefix("-- "), maxsplit=1)[0].strip()


def main(path: str = "REFERENCE.md") -> None:
    """Write the page."""
    if path == "-":
        sys.stdout.write(reference())
    else:
        Path(path).write_text(reference(), "utf-8", newline="\n")


if __name__ == "__main__":
    main(*sys.argv[1:2])
