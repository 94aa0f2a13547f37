"""In which way a table answers questions, and where it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.answers.consistent import ConsistentAnswer
from sqlanon.answers.exact import ExactAnswer
from sqlanon.answers.noise import NoisyAnswer
from sqlanon.answers.stored import StoredAnswer
from sqlanon.answers.table import AskingTable
from sqlanon.core.errors import UseError
from sqlanon.core.files import Session
from sqlanon.core.source import Source, named
from sqlanon.core.tables import WorkTables
from sqlanon.core.text_files import Roles
from sqlanon.policies.answers import CONSISTENT, EXACT, NOISE
from sqlanon.policies.parsing import read_answers
from sqlanon.publishing.register import opened

WAYS: Mapping[str, type[StoredAnswer]] = {
    NOISE: NoisyAnswer, EXACT: ExactAnswer, CONSISTENT: ConsistentAnswer
}  # fmt: skip


def answer_of(asking: AskingTable, question: str, wait: float = 0) -> tuple[exp.Select, list[str]]:
    """The rows that answer a question, as values, and what there is to say beside them. They are in the
    register then. Errors: UseError, RefusedError."""
    try:
        parsed = asking.read(question)
        way, file = asking.policy.way, asking.register
        if way == NOISE and not file.exists():
            source = asking.policy.section.get("source", asking.policy.table)
            unit = "" if asking.policy.unit is None else f" --unit {asking.policy.unit}"
            raise UseError(
                f"there is no register {file} with a budget: declare one (sqlanon budget set {file} --source "
                f"{source}{unit} --epsilon 1)"
            )
        with opened(asking.con, file, make=way != NOISE, wait=wait) as known:
            made = WAYS[way](asking, parsed, known)
            return made.rows(), made.remarks()
    except RecursionError:
        raise UseError("the question is nested too deeply, or too long: ask it in parts") from None


@contextmanager
def asking_table(
    con: duckdb.DuckDBPyConnection | None, policy: Path, data: Source, register: Path | None
) -> Iterator[AskingTable]:
    """A table for questions: of a connection, or the file that the policy names. Errors: UseError."""
    said = read_answers(policy)
    with ExitStack() as stack:
        if data is None or isinstance(data, Path):
            file = data or said.data
            if file is None:
                raise said.wrong("answers.data", "is needed: the file of the table that is asked")
            columns = [*said.dimensions, *said.measures, *([] if said.unit is None else [said.unit])]
            session = stack.enter_context(Session())
            con, tbl = session.con, session.read(str(file), Roles(keep=columns))
        else:
            assert con is not None
            tbl = stack.enter_context(named(con, data))
        work = stack.enter_context(WorkTables(con))
        yield AskingTable(con, work, said, tbl, register)


def answered(
    con: duckdb.DuckDBPyConnection, question: str, policy: Path, data: Source,
    register: Any, wait: float,
) -> exp.Select:  # fmt: skip
    """The rows that answer a question about a table, as values. Errors: as in `ask`."""
    with asking_table(con, policy, data, None if register is None else Path(register)) as asking:
        return answer_of(asking, question, wait)[0]
