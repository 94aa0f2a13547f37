"""Answers in the register (sql/register/answers.sql), each to a part of a question; and what answers have in
common that are entered there before anybody gets them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon import __version__
from sqlanon.answers.cells import Answer, Numbers
from sqlanon.answers.question import Aggregate, Part, Question, question_of, refused
from sqlanon.answers.table import AskingTable
from sqlanon.core.connection import connection_first
from sqlanon.core.statements import answer, call, execute, select
from sqlanon.policies.answers import CONSISTENT, NOISE
from sqlanon.publishing.register import ALIAS, Register, listed_in, now, user

_FIND = """
    select id, cells, answered_at::date, audience = $audience from sqlanon_register.answers
    where way = $way and source = $source and period = $period and declared = $declared
      and question = $question and (audience = $audience or way = 'noise')
    order by audience = $audience desc, id limit 1"""
_KEEP = """
    insert into sqlanon_register.answers
    select coalesce(max(id), 0) + 1, $now, $user, $audience, $way, $source, $period, $question, $declared,
           $cells, $spending, $release, $version, $moves
    from sqlanon_register.answers"""
_AGAIN = """
    insert into sqlanon_register.answers
    select * replace ((select max(id) + 1 from sqlanon_register.answers) as id, $now as answered_at,
                      $user as answered_by, $audience as audience, null as spending_id, null as moves)
    from sqlanon_register.answers where id = $id"""
_STATES = """
    select distinct period, declared from sqlanon_register.answers where way = $way and source = $source"""
_OTHER_WAYS = """
    select distinct way from sqlanon_register.answers
    where source = $source and way <> $way and $consistent in (way, $way)"""
_TOLD = """
    select question, cells, release_id, moves from sqlanon_register.answers
    where way = $way and source = $source and declared = $declared
      and ($audience = '' or audience in ('', $audience))
    order by id"""
_OF_OTHERS = """
    select release_id from sqlanon_register.answers
    where release_id is not null and $audience <> '' and audience not in ('', $audience)"""


class StoredAnswer(Answer):
    """One question about a table, and what a register has of its parts. days: when those that were found were
    first given."""

    asking: AskingTable

    def __init__(self, asking: AskingTable, question: Question, register: Register) -> None:
        super().__init__(asking, question)
        policy = asking.policy
        self.register, self.days = register, set[date]()
        self.source = policy.section.get("source", policy.table)
        self.of = {
            "audience": policy.section.get("audience", ""), "way": policy.way, "source": self.source,
            "period": policy.section.get("period", ""), "declared": asking.declared,
        }  # fmt: skip
        of = {"way": policy.way, "source": self.source, "consistent": CONSISTENT}
        for (way,) in execute(register.con, _OTHER_WAYS, of):
            raise policy.wrong(
                "answers.way",
                f"is {policy.way}, and {self.source} was asked with way = {way}: beside other answers "
                "consistent noise protects nobody",
            )

    def cells(self, parts: Sequence[Part]) -> Mapping[Part, Mapping[Numbers, Sequence[Any]]]:
        """The earlier answers; a part without one is answered now."""
        for part in parts:
            self.check(part.what)
        found = {part: self.find(part) for part in parts}
        new = {self.text_of(part): part for part, cells in found.items() if cells is None}
        if new:
            self.tell([*new.values()])
        return {part: self.find(part) or {} if each is None else each for part, each in found.items()}

    def check(self, what: Aggregate) -> None:
        """Errors: UseError for what is not answered in this way."""

    def tell(self, parts: Sequence[Part]) -> None:
        """Answer parts for the first time, and enter the answers. Errors: RefusedError."""
        raise NotImplementedError

    def about(self) -> Mapping[str, tuple[str, str]]:
        return {"answered_on": (max(self.days).isoformat(), "date")}

    def remarks(self) -> list[str]:
        """The remarks beside the answer."""
        return []

    # IN THE REGISTER

    def text_of(self, part: Part) -> str:
        """What a part asks for, in one way. With noise, which costs anew, also conditions are in one way."""
        if self.asking.policy.way == NOISE:
            where, held = (None if each is None else self.asking.by_values(each)
                           for each in (part.where, part.what.filter))  # fmt: skip
            part = replace(part, what=replace(part.what, filter=held), where=where)
        return question_of(part, self.asking.policy.table)

    def part(self, text: str) -> Part:
        """The part of a question that has this text."""
        question = self.asking.read(text)
        [what] = (each for each in question.select.values() if isinstance(each, Aggregate))
        return question.part(what, question.sets[0])

    def find(self, part: Part) -> Mapping[Numbers, Sequence[Any]] | None:
        """The earlier answer to a part, if there is one; then it is told to this audience, too."""
        con, known = self.register.con, {**self.of, "question": self.text_of(part)}
        for id, cells, day, is_of_audience in execute(con, _FIND, known):
            if not is_of_audience:
                again = {"now": now(), "user": user(), "audience": self.of["audience"], "id": id}
                execute(con, _AGAIN, again)
            self.days.add(day)
            return {tuple(numbers): values for numbers, values in json.loads(cells)}
        return None

    def earlier_answers(self) -> dict[str, tuple[str, list[int], list[bytes]]]:
        """The answers about the same rows to those from whom this audience may know them: of each question
        its cells, as JSON, the tables in the register that they are, and moves (Populations)."""
        of = {key: self.of[key] for key in ("audience", "way", "source", "declared")}
        found: dict[str, tuple[str, list[int], list[bytes]]] = {}
        for text, cells, release, moves in execute(self.register.con, _TOLD, of):
            _, releases, parts = found.setdefault(text, (cells, [], []))
            releases += [] if release is None else [release]
            parts += [] if moves is None else [moves]
        return found

    def releases_of_others(self) -> set[int]:
        """The tables that only other audiences were told. This audience knows what everybody is told, and
        everybody includes all other audiences."""
        found = execute(self.register.con, _OF_OTHERS, {"audience": self.of["audience"]})
        return {id for (id,) in found}

    def keep(
        self, con: duckdb.DuckDBPyConnection, part: Part, cells: Mapping[Numbers, Sequence[Any]],
        spending: int | None = None, release: int | None = None, moves: bytes | None = None,
    ) -> None:  # fmt: skip
        """Enter the answer to a part. In a transaction of the caller."""
        values = {
            **self.of, "now": now(), "user": user(), "question": self.text_of(part),
            "cells": json.dumps([*cells.items()]), "spending": spending, "release": release,
            "version": __version__, "moves": moves,
        }  # fmt: skip
        execute(con, _KEEP, values)


class StoredCounts(StoredAnswer):
    """One question about a table that stays as it is for a period, answered by counts of one kind."""

    def __init__(self, asking: AskingTable, question: Question, register: Register) -> None:
        super().__init__(asking, question, register)
        [(digest,)] = execute(asking.con, call("_digest_of_rows", asking.rows, asking.columns_of_rows))
        rows = register.hashed({"": f"the rows of a table: {digest}"})[""]
        of = self.of
        of["declared"] += f" {rows}"
        for period, declared in execute(register.con, _STATES, {key: of[key] for key in ("way", "source")}):
            if period == of["period"] and not declared.endswith(rows):
                raise asking.policy.wrong(
                    "answers.period",
                    "is as before, but the table has changed since it was asked: that is a new one",
                )
            if of["way"] == CONSISTENT and declared.endswith(rows) and declared != of["declared"]:
                raise asking.policy.wrong(
                    "answers",
                    "is not as it was when the same rows were asked: noise is only counted together if "
                    "largest, variance, least_error and all that is declared stay",
                )

    def check(self, what: Aggregate) -> None:
        unit = self.asking.policy.unit
        if what.kind != ("count" if unit is None else "people") or what.measure not in (None, unit):
            counted = "rows: count(*)" if unit is None else f"people: count(distinct {unit})"
            raise refused(what.name, f"in this way nothing is answered but numbers of {counted}")


@connection_first
def told_answers(
    con: duckdb.DuckDBPyConnection, register: str | os.PathLike[str], *, wait: float = 0
) -> duckdb.DuckDBPyRelation:
    """What was told to whom, by a register: a row for each column of numbers of a question.

    id, answered_at, answered_by, audience, way, source, period, question, epsilon and delta (what it cost;
    NULL: the same was told before), release_id. Answers from a release are not among them: they tell nothing
    that it does not. Errors: as in publish.
    """
    return answer(con, select(listed_answers(con, register, wait)))


def listed_answers(
    con: duckdb.DuckDBPyConnection, register: str | os.PathLike[str], wait: float
) -> exp.Table:
    """The rows of `told_answers` as a temporary table."""
    return listed_in(con, register, wait, call("_listed_answers", f"{ALIAS}.answers", f"{ALIAS}.spending"))
