"""The examples of the documentation, run as a reader would run them.

A page is one session from its first line to its last: `sql` blocks share a connection that has sqlanon,
`python` blocks share their names, and `shell` blocks share a folder with both. A block of another language
with a title is a file of that folder. A `text` block says what the block before it shows; `...` stands for
anything in it.

A comment before a block says why it is not run here: `<!-- run by tests/test_dbt.py -->` or
`<!-- not run: it needs a cluster -->`. `<!-- is examples/node/clinics.js, run by tests/test_clients.py -->`
says that it is the text of that file, too. `<!-- runs examples/people.sql first -->` makes the tables of a
page.

`python -m tests.documents docs/page.md` runs pages and writes what their blocks show.
"""

from __future__ import annotations

import ast
import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest import mock

import duckdb

import sqlanon
from sqlanon.cli.app import app
from sqlanon.core import plugins

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
FENCE = re.compile(r"^```(\w*) *([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARK = re.compile(r"<!-- (?:is (\S+), )?(not run: .+?|run by .+?) -->\s*$")
ATTACH = "ATTACH 'sqlanon.duckdb' AS sqlanon (READ_ONLY);"  # the session has it, test_readme.py tries it
RUN = ("sql", "python", "shell")
# What is another one each time: seconds, names of temporary tables, digests, points in time, today.
PASSING = re.compile(
    r"\b\d+\.\d+(?= s\b)|\b_sqlanon_\w+|(?<=sha256: )\w+|\d{4}-\d\d-\d\d [\d:.]{8,}"
    rf"|{datetime.now(UTC).date()}"
)


@dataclass
class Block:
    """What stands between two fences."""

    language: str
    title: str  # the file that it is
    text: str
    mark: str  # of the comment before it: why it is not run
    file: str  # of the repository, which it is, too
    place: tuple[int, int]  # where it is in the page
    shown: tuple[int, int] | None  # where in the page its output is shown

    @property
    def runs(self) -> bool:
        return self.language in RUN and not self.mark


def blocks(page: str) -> list[Block]:
    """The blocks of a page, each with its output."""
    found: list[Block] = []
    end = 0
    for fence in FENCE.finditer(page):
        language, attributes, text = fence.groups()
        between = page[end : fence.start()]
        end = fence.end()
        if language == "text" and found and not between.strip() and (found[-1].runs or found[-1].mark):
            found[-1].shown = fence.span(3)
            continue
        title = re.search(r'title="([^"]+)"', attributes)
        file, mark = found_mark.groups("") if (found_mark := MARK.search(between)) else ("", "")
        found.append(Block(language, title[1] if title else "", text, mark, file, fence.span(3), None))
    return found


def prepared_by(page: str) -> list[str]:
    """The scripts whose tables a page reads."""
    return re.findall(r"<!-- runs (\S+) first -->", page)


class Session:
    """What a reader has open while reading a page; the working directory is the reader's folder."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        self.con = con
        self.names: dict[str, Any] = {"__name__": "page"}

    def run(self, block: Block) -> str:
        """What a block shows; of an error the first line."""
        work = {"sql": self._sql, "python": self._python, "shell": self._shell}[block.language]
        try:
            return work(block.text)
        except Exception as error:  # a page may show one
            return f"{type(error).__name__}: {str(error).splitlines()[0]}"

    def close(self) -> None:
        """Close what Python has opened: a file that is open cannot be opened by the next page."""
        for value in self.names.values():
            if isinstance(value, duckdb.DuckDBPyConnection):
                value.close()

    def _sql(self, text: str) -> str:
        text = re.sub(r"^\.read sqlanon\.sql$", "", text.replace(ATTACH, ""), flags=re.MULTILINE)
        shown = []
        for statement in self.con.extract_statements(text):
            cursor = self.con.execute(statement)
            names = [column[0] for column in cursor.description or ()]
            rows = cursor.fetchall()
            if statement.type == duckdb.StatementType.SELECT:
                shown.append(_table([names, *([_value(cell) for cell in row] for row in rows)]))
        return "\n\n".join(shown)

    def _python(self, text: str) -> str:
        tree = ast.parse(text)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(tree, "page", "exec"), self.names)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), "page", "eval"), self.names)
                if value is not None:
                    print(value)
        return printed.getvalue()

    def _shell(self, text: str) -> str:
        """Commands of sqlanon, as on a terminal, and a few that everybody has."""
        printed = _Terminal()
        code = 0  # of the last command: the page shows it, or it is 0
        for line in [*text.replace("\\\n", " ").splitlines(), ""]:
            words = shlex.split(line, comments=True)
            if words == ["echo", "$?"]:
                print(code, file=printed)
                code = 0
                continue
            if code:
                raise ValueError(f"exit code {code}: {printed.getvalue()}")
            match words:
                case ["sqlanon", *arguments]:
                    code = _command(arguments, printed)
                case ["cat", file]:
                    printed.write(Path(file).read_text("utf-8"))
                case ["head", "-n", lines, file]:
                    printed.write("".join(Path(file).read_text("utf-8").splitlines(True)[: int(lines)]))
                case ["mkdir", folder]:
                    Path(folder).mkdir()
                case ["cp", source, target]:
                    Path(target).write_bytes(Path(source).read_bytes())
                case []:
                    continue
                case _:
                    raise ValueError(f"nobody runs this command: {line}")
        return re.sub(r"\x1b\[[\d;]*m", "", printed.getvalue())


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class _Stderr(io.TextIOBase):
    """It goes to the terminal, without progress bars."""

    def __init__(self, terminal: _Terminal) -> None:
        self.terminal = terminal

    def write(self, text: str) -> int:
        return self.terminal.write(text)


def _command(arguments: list[str], terminal: _Terminal) -> int:
    environment = {"COLUMNS": "300", "TERM": "xterm", "LINES": "60"}
    with (
        mock.patch.dict(os.environ, environment),
        contextlib.redirect_stdout(terminal),
        contextlib.redirect_stderr(_Stderr(terminal)),
    ):
        return app(arguments, prog_name="sqlanon", standalone_mode=False) or 0


def _value(value: Any) -> str:
    match value:
        case None:
            return "NULL"
        case float():
            return f"{value:.4g}"
        case list():
            return f"[{', '.join(map(_value, value))}]"
        case dict():
            return f"{{{', '.join(f'{name}: {_value(part)}' for name, part in value.items())}}}"
    return str(value)


def _table(rows: list[list[str]]) -> str:
    if len(rows) == 1:
        return "(no rows)"
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "   ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def _tidy(text: str) -> str:
    """Without what nobody sees: blanks at the end of a line, empty lines around."""
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")


def is_shown(shown: str, actual: str) -> bool:
    pattern = ".*".join(map(re.escape, _tidy(shown).split("...")))
    return bool(re.fullmatch(pattern, _tidy(actual), re.DOTALL))


def outputs(page: str, con: duckdb.DuckDBPyConnection) -> Iterator[tuple[Block, str]]:
    """Run a page in the working directory: each block that runs, and what it shows."""
    session = Session(con)
    with mock.patch.dict(plugins._given), contextlib.closing(session):  # the next page has no plug-ins of it
        for script in prepared_by(page):
            con.execute((ROOT / script).read_text("utf-8")).fetchall()
        for block in blocks(page):
            if block.title and not block.mark:
                Path(block.title).write_text(block.text, "utf-8")
            elif block.runs:
                yield block, session.run(block)


def failures(page: str, con: duckdb.DuckDBPyConnection) -> Iterator[tuple[Block, str]]:
    """The blocks that do not show what the page says, or fail without the page saying so."""
    for block, actual in outputs(page, con):
        if block.shown:
            if not is_shown(page[slice(*block.shown)], actual):
                yield block, actual
        elif re.match(r"\w+(Error|Exception): ", actual):
            yield block, actual


def rewritten(page: str, con: duckdb.DuckDBPyConnection) -> str:
    """A page that shows what its blocks do."""
    for block, actual in reversed(list(failures(page, con))):
        if not block.shown or actual.startswith("ValueError: exit code"):
            raise SystemExit(f"{block.text}\n{actual}")  # nothing is written: `echo $?` shows a code
        start, end = block.shown
        page = page[:start] + PASSING.sub("...", _tidy(actual)) + "\n" + page[end:]
    return page


def with_files(page: str) -> str:
    """A page whose blocks have the text of the files that they are."""
    for block in reversed(blocks(page)):
        if block.file:
            start, end = block.place
            page = page[:start] + (ROOT / block.file).read_text("utf-8") + page[end:]
    return page


def main() -> None:
    """Write the outputs of pages anew, and the files in them."""
    for name in sys.argv[1:]:
        path = Path(name).resolve()
        text = with_files(path.read_text("utf-8"))
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), duckdb.connect() as con:
            sqlanon.register(con)
            path.write_text(rewritten(text, con), "utf-8")


if __name__ == "__main__":
    main()
