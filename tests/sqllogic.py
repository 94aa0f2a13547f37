"""Tests of the macros that need no Python: extension/test/sql/, in the form of DuckDB's own tests.

They are written from the examples in the comments of the public macros, and hold what these answer.
`python -m tests.sqllogic` writes them; what it changes is to be looked at before it is committed.
`python -m tests.sqllogic FILE` runs them, with the extension in that file.
"""

from __future__ import annotations

import math
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb

from sqlanon.core.library import register
from sqlanon.core.reference import ROOT, TABLES

FOLDER = ROOT / "extension" / "test" / "sql"
NOISE = "noise is drawn by OpenDP"  # which only Python has
PLACE = "__TEST_DIR__"  # a folder that may be written
FLOATS = re.compile(r"DOUBLE|FLOAT|DECIMAL")
INTEGERS = re.compile(r"U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?")

# What is asked of answers that are a page of prose; {} is the example.
ASKED = {"help": "select kind, count(*) as lines from ({}) group by kind"}
# Calls that are random without a seed.
RANDOM = re.compile(r"(sqlanon\.(?:add_noise|anatomize|m_invariant|pram|rank_swap)\([^()]*)\)")


@dataclass
class Block:
    """A paragraph of a file."""

    name: str  # the macro that it tries, or what it makes
    head: str  # such as: query TI rowsort
    sql: str
    expected: list[str]

    def __str__(self) -> str:
        answer = ["----", *self.expected] if self.head != "statement ok" else []
        return "\n".join([f"# {self.name}", self.head, self.sql, *answer, ""])


def blocks(text: str) -> Iterator[Block]:
    """The statements and queries of a file."""
    for paragraph in text.split("\n\n"):
        lines = paragraph.strip("\n").split("\n")
        names = [line for line in lines if line.startswith("#")]
        head, *rest = lines[len(names) :] or [""]
        if head.startswith(("statement", "query")):
            sql, _, answer = "\n".join(rest).partition("\n----")
            yield Block(names[-1].removeprefix("# "), head, sql, answer.strip("\n").split("\n"))


def examples(con: duckdb.DuckDBPyConnection) -> dict[str, tuple[str, str]]:
    """The topic of each public macro, and what is asked of it."""
    found = con.execute(
        "select macro, topic, text from sqlanon._help_blocks() where kind = 'example' order by topic, macro"
    ).fetchall()
    return {macro: (topic, asked(macro, text)) for macro, topic, text in found}


def asked(macro: str, example: str) -> str:
    """The statement that tries a macro."""
    sql = "\n".join(line for line in example.strip().rstrip(";").split("\n") if line.strip())
    sql = sql.replace("'disease.csv'", f"'{PLACE}/disease.csv'")
    sql = RANDOM.sub(r"\1, seed := 42)", sql)
    return ASKED.get(macro, "{}").replace("{}", sql)


def tables() -> dict[str, str]:
    """The statements that make the tables of the examples, by what they make."""
    script = re.sub(r"--.*", "", TABLES.read_text("utf-8"))
    found = {}
    for statement in duckdb.extract_statements(script):
        sql = "\n".join(line for line in statement.query.strip().rstrip(";").split("\n") if line.strip())
        made = re.search(r"create table (\w+)|to '(disease\.csv)'|set variable (\w+)", sql)
        assert made, sql
        found[made[1] or made[2] or made[3]] = sql.replace("'disease.csv'", f"'{PLACE}/disease.csv'")
    return found


def needed(sql: str) -> set[str]:
    """The tables that a statement reads, with those that these are made from."""
    own = set(re.findall(r"(\w+)(?:\([\w, ]+\))? as \(", sql))
    named = {name for name in tables().keys() - own if re.search(rf"['/ ]{re.escape(name)}\b", sql)}
    for name in sorted(named):
        named |= needed(tables()[name].partition(" as")[2])
    return named


def answer(con: duckdb.DuckDBPyConnection, sql: str) -> tuple[str, list[list[str]]]:
    """The types of the columns, a letter each, and the rows as texts, sorted."""
    con.execute(f"create or replace temp table _answer as {sql}").fetchall()
    types = [row[1] for row in con.execute("describe temp._answer").fetchall()]
    letters = "".join(
        "R" if FLOATS.match(type_) and not type_.endswith("]") else "I" if INTEGERS.fullmatch(type_) else "T"
        for type_ in types
    )
    rows = con.execute("select columns(*)::varchar from temp._answer").fetchall()
    return letters, sorted([*map(_shown, letters, row)] for row in rows)


def _shown(letter: str, value: str | None) -> str:
    """Doubles without their last digits, in which sums differ."""
    if value is None:
        return "NULL"
    return str(float(f"{float(value):.12g}")) if letter == "R" else value or "(empty)"


class Runner:
    """Runs files in one connection. What several of them make is made once."""

    def __init__(self, con: duckdb.DuckDBPyConnection, folder: Path) -> None:
        self.con = con
        self.folder = folder
        self.made: set[str] = set()

    def run(self, text: str) -> list[str]:
        """What is wrong in a file."""
        wrong: list[str] = []
        for block in blocks(text):
            if block.sql not in self.made:
                wrong += filter(None, [tried(self.con, block, self.folder)])
            if block.head == "statement ok":
                self.made.add(block.sql)
        return wrong


def tried(con: duckdb.DuckDBPyConnection, block: Block, folder: Path) -> str:
    """What is wrong; an empty text if nothing is."""
    sql = block.sql.replace(PLACE, folder.as_posix())
    try:
        if block.head.startswith("query"):
            letters, rows = answer(con, sql)
        else:
            con.execute(sql).fetchall()
            return "" if block.head == "statement ok" else f"{block.name}: no error"
    except duckdb.Error as error:
        if block.head == "statement error" and block.expected[0] in str(error):
            return ""
        return f"{block.name}: {error}"
    expected = [line.split("\t") for line in block.expected]
    _, wanted, sort = block.head.split()
    assert sort == "rowsort"
    if (letters, len(rows)) == (wanted, len(expected)) and all(
        len(row) == len(line) and all(map(_equal, letters, row, line))
        for row, line in zip(rows, expected, strict=True)
    ):
        return ""
    shown = "\n".join("\t".join(row) for row in rows)
    return f"{block.name}: {letters}\n{shown}\nin place of {wanted}\n" + "\n".join(block.expected)


def _equal(letter: str, one: str, other: str) -> bool:
    """Also where sums differ in the last digit that is shown."""
    if one == other or letter != "R" or "NULL" in (one, other):
        return one == other
    return math.isclose(float(one), float(other), rel_tol=1e-9)


def written(con: duckdb.DuckDBPyConnection, folder: Path) -> dict[str, str]:
    """The text of each file. con: has the macros."""
    all_examples = examples(con)
    files = {}
    for topic in sorted({topic for topic, _ in all_examples.values()}):
        con.execute(f"attach ':memory:' as {topic}_test").fetchall()
        con.execute(f"use {topic}_test").fetchall()
        own = {macro: sql for macro, (home, sql) in all_examples.items() if home == topic}
        read = {name for sql in own.values() for name in needed(sql)}
        parts = [
            f"# name: test/sql/{topic}.test\n# description: The examples of the macros of sql/{topic}/, "
            "written by `python -m tests.sqllogic`\n# group: [sqlanon]\n",
            "require sqlanon\n",
        ]
        for name, sql in tables().items():
            if name in read:
                con.execute(sql.replace(PLACE, folder.as_posix())).fetchall()
                parts.append(str(Block(name, "statement ok", sql, [])))
        for macro, sql in own.items():
            parts.append(str(_answered(con, macro, sql, folder)))
        files[f"{topic}.test"] = "\n".join(parts)
        con.execute("use memory").fetchall()
    return files


def _answered(con: duckdb.DuckDBPyConnection, macro: str, sql: str, folder: Path) -> Block:
    try:
        letters, rows = answer(con, sql.replace(PLACE, folder.as_posix()))
    except duckdb.Error as error:
        if NOISE not in str(error):
            raise
        return Block(macro, "statement error", sql, [NOISE])
    if any(re.search(r"[\t\n]", value) for row in rows for value in row):
        raise ValueError(f"{macro}: a value has several lines: say in ASKED what to ask for")
    return Block(macro, f"query {letters} rowsort", sql, ["\t".join(row) for row in rows])


def write_all() -> None:
    """Write the files."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with duckdb.connect() as con, tempfile.TemporaryDirectory() as folder:
        register(con)
        for name, text in written(con, Path(folder)).items():
            (FOLDER / name).write_text(text, "utf-8", newline="\n")


def main() -> None:
    """See above."""
    if not sys.argv[1:]:
        write_all()
        return
    files = [file.read_text("utf-8") for file in sorted(FOLDER.glob("*.test"))]
    with duckdb.connect(config={"allow_unsigned_extensions": True}) as con:
        con.execute(f"load '{sys.argv[1]}'").fetchall()
        with tempfile.TemporaryDirectory() as folder:
            runner = Runner(con, Path(folder))
            wrong = [each for text in files for each in runner.run(text)]
    print("\n\n".join(wrong))
    tried_here = sum(1 for text in files for _ in blocks(text))
    print(f"{tried_here - len(wrong)} passed, {len(wrong)} failed")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
