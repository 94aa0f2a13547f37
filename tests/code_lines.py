"""`python -m tests.code_lines [folder]`: how many lines of code sql/ and sqlanon/ have.

Not counted: blank lines, comments and docstrings, comments on macros, and files that make writes from sql/.
"""

from __future__ import annotations

import ast
import re
import sys
import tokenize
from io import StringIO
from pathlib import Path

GENERATED = "# Written by `make "
SPACING = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
# What is a text, and may have two dashes in it; or a comment, to the end of its line or on a macro.
PARTS = re.compile(r"^comment on macro (?s:.*?)\$\$(?s:.*?)\$\$;|--.*|'(?:[^']|'')*'|\$\$(?s:.*?)\$\$", re.M)


def lines_of_python(text: str) -> int:
    """Lines that have a token, without those of docstrings."""
    if text.startswith(GENERATED):
        return 0
    numbers = {
        number
        for token in tokenize.generate_tokens(StringIO(text).readline)
        if token.type not in SPACING and token.string
        for number in range(token.start[0], token.end[0] + 1)
    }
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            match node.body[:1]:
                case [ast.Expr(value=ast.Constant(value=str())) as docstring]:
                    numbers -= set(range(docstring.lineno, (docstring.end_lineno or 0) + 1))
    return len(numbers)


def lines_of_sql(text: str) -> int:
    """Lines that are left without comments."""
    bare = PARTS.sub(lambda part: "" if part[0].startswith(("--", "comment")) else part[0], text)
    return sum(not re.fullmatch(r"\s*(?:--.*)?", line) for line in bare.splitlines())


def code_lines(root: Path) -> dict[str, int]:
    """Lines by folder."""
    counts = {"sql": lines_of_sql, "sqlanon": lines_of_python}
    suffixes = {"sql": "*.sql", "sqlanon": "*.py"}
    return {
        folder: sum(count(file.read_text("utf-8")) for file in (root / folder).rglob(suffixes[folder]))
        for folder, count in counts.items()
    }


def main(root: str = ".") -> None:
    counted = code_lines(Path(root))
    for folder, lines in counted.items():
        print(f"{folder + '/':<10} {lines:>7,}")
    print(f"{'together':<10} {sum(counted.values()):>7,}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
