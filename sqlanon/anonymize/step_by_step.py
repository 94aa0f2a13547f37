"""An anonymizer to look at: every relation of its chain, each with what it is."""

from __future__ import annotations

import html
import inspect
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from typing import Any, overload

import duckdb

from sqlanon.anonymize.methods import METHODS, method_of_name
from sqlanon.core.comments import parameters
from sqlanon.core.connection import connection_first
from sqlanon.core.errors import InputError
from sqlanon.core.library import ensure_registered, topics
from sqlanon.core.models import models
from sqlanon.core.notebooks import first_rows
from sqlanon.core.source import Source, named
from sqlanon.core.statements import answer, count, execute, named_table, select
from sqlanon.core.steps import Chain, statement_of
from sqlanon.core.tables import WorkTables

_COMMENTED = re.compile(r"^((?:-- .*\n)+)create or replace macro sqlanon\.(\w+)", re.MULTILINE)


@dataclass(frozen=True)
class Step:
    """A relation of a chain: its name, what it is, and its rows."""

    name: str
    what: str
    relation: duckdb.DuckDBPyRelation = field(repr=False)

    def __iter__(self) -> Iterator[Any]:
        yield from (self.name, self.what, self.relation)

    def _repr_html_(self) -> str:
        return f"<h4>{self.name}</h4><p>{html.escape(self.what)}</p>{first_rows(self.relation)}"


class Steps(Sequence[Step]):
    """The relations of a run, in the order of the chain; the last is the release. `close` drops their tables,
    as does the end of the connection."""

    def __init__(self, steps: Sequence[Step], tables: WorkTables) -> None:
        self._steps, self._tables = list(steps), tables

    @overload
    def __getitem__(self, which: int | str) -> Step: ...
    @overload
    def __getitem__(self, which: slice) -> Sequence[Step]: ...
    def __getitem__(self, which: int | str | slice) -> Step | Sequence[Step]:
        if not isinstance(which, str):
            return self._steps[which]
        for step in self._steps:
            if step.name == which:
                return step
        raise KeyError(f"no step {which}: there is {', '.join(step.name for step in self._steps)}")

    def __len__(self) -> int:
        return len(self._steps)

    def __repr__(self) -> str:
        return "\n".join(f"{step.name}: {step.what}" for step in self._steps)

    def _repr_html_(self) -> str:
        return "".join(step._repr_html_() for step in self._steps)

    def close(self) -> None:
        self._tables.__exit__(None, None, None)


@connection_first  # type: ignore[arg-type]  # mypy takes `con` for one of the arguments behind it
def steps(con: duckdb.DuckDBPyConnection, method: str, source: Source, **arguments: Any) -> Steps:
    """What an anonymizer does, step by step: (name, what it is, relation) of each relation of its chain.

    method: the name of a macro, such as 'mondrian'. arguments: its parameters. The relations are temporary
    tables, so that they can be looked at and queried; those without rows are left out. This is for learning,
    on a small table: nothing checks what comes out, as the function `sqlanon.mondrian` does.

    Errors: InputError, as in the macro, and for a method that is no anonymizer.
    """
    ensure_registered(con)
    if method not in METHODS:
        raise InputError(f"{method} is no anonymizer with steps to show: {', '.join(sorted(METHODS))}")
    taken = parameters(method)
    if strange := sorted(arguments.keys() - taken.keys()):
        near = "".join(f"; did you mean {each}?" for each in get_close_matches(strange[0], taken, 1))
        raise InputError(f"{method} has no parameter {strange[0]}{near}")
    work = WorkTables(con)
    with ExitStack() as stack:
        stack.callback(lambda: None if shown else work.__exit__(None, None, None))
        shown: list[Step] = []

        def name_of(other: Source) -> str:
            return stack.enter_context(named(con, other))

        defaults = {
            name: parameter.default
            for name, parameter in inspect.signature(method_of_name(method)).parameters.items()
            if parameter.default is not parameter.empty
        }
        left_out = {model.id: model.default for model in models()}
        given = {**left_out, **defaults, **arguments, "tbl": name_of(source)}
        for name, table in arguments.items():
            if table is not None and taken[name].type == "table":
                given[name] = name_of(table)
            elif table is not None and taken[name].is_table:
                given[name] = [name_of(one) for one in ([table] if isinstance(table, str) else table)]
        statement = statement_of(con, method, given)
        chain = Chain(con, work, statement, lambda step, share, message: None)
        release = work.make("release", chain.query())
        what = what_they_make()
        for name, step in chain.steps.items():
            if name in chain.made and execute(con, count(named_table(chain.table(name)))) != [(0,)]:
                rows = answer(con, select(named_table(chain.table(name))))
                shown.append(Step(name, what.get(step.made_by, ""), rows))
        shown.append(Step("release", "What is released.", answer(con, select(release))))
    return Steps(shown, work)


@cache
def what_they_make() -> dict[str, str]:
    """By macro the comment on it, without its line breaks."""
    return {
        macro: " ".join(line.removeprefix("-- ") for line in comment.splitlines())
        for text in topics().values()
        for comment, macro in _COMMENTED.findall(text)
    }
