"""The intersection attack on tables of Spark: the classes of the releases go to every task, and the targets
stream through, attacked by the macros part by part.

Parameters, rows, warnings and errors are those of the functions of these names in `sqlanon`. What is wrong is
found on the driver, before any task, by an attack on a sample of the targets: it has every value that the
targets have in the columns that are known of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from sqlglot import exp

from sqlanon.attack.intersection import (
    LOCATED,
    for_each,
    warn_of_unread,
)
from sqlanon.core.errors import InputError
from sqlanon.core.source import fresh_name, lower, names
from sqlanon.core.statements import answer, call, create, execute, named_table, scalar, select
from sqlanon.core.steps import Chain, call_of
from sqlanon.spark.driver import Driver, SparkSource, driver, of_spark, refuse_collations, to_spark
from sqlanon.spark.tasks import Run, over_batches, task

TARGETS = 500_000  # so many are attacked together in a task

PART = "_sqlanon_targets"  # the targets of a task, in its statements

# The steps of the attack that do not depend on which targets are attacked; and the refusals, of which the
# driver found none.
GIVEN = (
    "hierarchy", "cell", "class", "negated", "prior", "truth_kind", "kind", "compared", "about_releases",
    "shared", "refusal",
)  # fmt: skip


@dataclass(frozen=True)
class Attack:
    """An attack on targets that Spark has.

    people: the targets, their columns that are looked at, by position (c1, c2, ...), and columns: their
    names. sample: the table of some of them, and attacked: that of what the attack tells of these, as of the
    macro `_attacked`. arguments: of this macro.
    """

    at: Driver
    people: DataFrame
    columns: list[str]
    sample: str
    attacked: str
    chain: Chain
    arguments: Mapping[str, Any]

    def warn(self, anybody: bool, unread: bool = True) -> None:
        """As in `sqlanon`."""
        con, given = self.at.con, self.arguments
        releases = [con.table(name) for name in given["releases"]]
        about = {name: given[name] for name in ("qi", "hierarchies", "formats", "unknown")}
        passed = for_each(given["nearest"], releases)
        warn_of_unread(con, releases if unread else [], con.table(self.sample), about, anybody, passed)

    def answer(self, query: exp.Select, whole: Sequence[str] | None, together: Column | None) -> DataFrame:
        """The rows about all targets, part by part; with exact cover, or by rows of several columns, about
        all at once, in one task.

        query: these rows, of the table attacked. whole: as in the macro `_attack`. together: what targets
        of one part have in common, where that is not left to chance.
        """
        chain = self.on_part(whole)
        made = create(named_table(self.attacked), chain.last.query, temporary=True)
        run = self.task([*chain.elsewhere(chain.last.reads, GIVEN), made, query], whole or ())
        schema = to_spark(self.at.spark, self.at.arrow(query.limit(0))).schema
        if self.arguments["exact_cover"] or self.by_rows:
            return self.people.coalesce(1).mapInArrow(over_batches(run, math.inf), schema)
        if together is not None:
            return self.people.groupBy(together.alias(fresh_name("part"))).applyInArrow(run, schema)
        return self.people.mapInArrow(over_batches(run, TARGETS), schema)

    @property
    def by_rows(self) -> bool:
        """As of the macro `_is_by_rows`."""
        given = self.arguments
        columns = [given[name] for name in ("sensitive", "unchanged", "values_may_change")]
        [(by_rows,)] = execute(self.at.con, scalar("_is_by_rows", *columns))
        return bool(by_rows)

    def place(self, name: str) -> Column:
        """A column of the targets."""
        return F.col(f"c{[*map(str.lower, self.columns)].index(name.lower()) + 1}")

    def on_part(self, whole: Sequence[str] | None = None) -> Chain:
        """The steps of the attack on the targets of a task."""
        anew = {**self.arguments, "targets": PART, "with_unread": False, "whole": whole}
        return self.chain.again(call_of(self.at.con, "_attacked", anew))

    def task(self, statements: Sequence[exp.Expression], tables: Sequence[str]) -> Run:
        """A function that runs statements on the targets of a task."""
        sent = [*map(self.chain.table, GIVEN), *tables]
        rows = fresh_name("rows")
        named = exp.Create(
            this=named_table(PART), kind="VIEW", expression=_by_name(rows, self.columns),
            properties=exp.Properties(expressions=[exp.TemporaryProperty()]),
        )  # fmt: skip
        same = dict(zip(sent, sent, strict=True))
        return task(self.at, [named, *statements], rows, same, "the classes of releases")

    def whole(self) -> tuple[list[str] | None, bool]:
        """What only all targets tell, as the macro `_attack` takes it, and whether one of them is located in
        all the releases that they are in. (Exact cover, and an attack by rows of several columns, look at all
        targets anyway.)"""
        at, make = self.at, self.at.work.make
        [(anybody,)] = answer(at.con, select(named_table(self.attacked))).aggregate(LOCATED).fetchall()
        alone = self.arguments["exact_cover"] or self.by_rows
        if alone and anybody:
            return None, True
        alike = make("alike", call("_distinct_releases", [self.chain.table("class_value")])).name
        distinct, looks = alike, self.looked_at(alike)
        seen = make("distinct", call("_distinct_by_parts", looks, alike)).name
        crowds = make("crowds", call("_crowds_by_parts", looks)).name
        together = make("together", call("_together_by_parts", looks)).name
        crossing = select(named_table(crowds), "count(*)").where("len(classes) > 1")
        [(several,)] = execute(at.con, crossing)
        [(shared,)] = execute(at.con, select(named_table(together), "count(*)"))
        if several or shared or self.releases(seen) != self.releases(alike):
            distinct, looks = seen, self.looked_at(seen, crowds, together)
        people = exp.select("sum(n) as n").from_(named_table(looks)).where("subject = 'everywhere'")
        [(everywhere,)] = execute(at.con, people)
        agreement = make("agreement", call("_agreement_by_parts", looks)).name
        return None if alone else [distinct, agreement, crowds, together], everywhere > 0

    def releases(self, distinct: str) -> list[tuple[Any, ...]]:
        return sorted(execute(self.at.con, select(named_table(distinct), "release", "first")))

    def looked_at(self, distinct: str, *all_targets: str) -> str:
        """The looks at all parts, as in the macro `_part_looked_at`. all_targets: crowds and people_together,
        if they are known."""
        chain, given = self.on_part(), self.arguments
        relations = ("class_value", "located", "compared", "attacked_combination", "combination", "shown")
        [(with_boxes,)] = execute(
            self.at.con, scalar("_are_cells_partly_known", given["formats"], given["unknown"])
        )
        look = call(
            "_part_looked_at", *map(self.at.work.name, relations), given["qi"], given["releases"], distinct,
            *(all_targets or [None, None]), with_boxes,
        )  # fmt: skip
        run = self.task([*chain.elsewhere(relations, GIVEN), look], [distinct, *all_targets])
        schema = (
            "subject string, number int, key array<bigint>, n bigint, total decimal(38, 9), "
            "one decimal(38, 12), other decimal(38, 12), mixed decimal(38, 12), "
            "mixed_squares decimal(38, 12), slope decimal(38, 12)"
        )
        return self.at.bring(self.people.mapInArrow(over_batches(run, TARGETS), schema), "looks")


def candidates_of_each(
    macro: str, releases: list[SparkSource], targets: SparkSource, **given: Any
) -> DataFrame:
    """What several releases tell together, a row per target and sensitive column."""
    with _attacked(releases, targets, given, with_unread=False) as attack:
        about = (given[name] for name in ("id", "unit", "exact_cover", "truth"))
        query = call("_told_of_attack", attack.attacked, *about, attack.by_rows)
        whole, anybody = attack.whole()
        attack.warn(anybody)
        return attack.answer(query, whole, None)


def tallied(
    macro: str,
    releases: list[SparkSource],
    targets: SparkSource,
    levels: list[float],
    sure: list[float],
    **given: Any,
) -> DataFrame:
    """The attack over all targets."""
    with _attacked(releases, targets, given, with_unread=True) as attack:
        at, unit = attack.at, given["unit"]
        query = call("_tallies", attack.attacked, levels, sure, unit is not None)
        execute(at.con, query)  # on the sample: an error is one here
        whole, _ = attack.whole()
        together = None
        if unit is not None:
            parts = F.lit(1 + attack.people.count() // TARGETS)
            together = F.pmod(F.xxhash64(attack.place(unit)), parts)
        tallies = at.bring(attack.answer(query, whole, together), "tallies")
        added = at.work.make("added", call("_added_tallies", tallies))
        about = at.work.make("about", call("_about_attack", attack.attacked))
        measures = call("_measured_tallies", added.name, about.name, given["truth"] is not None)
        found = at.work.make("found", measures)
        measured: dict[str, float] = dict(execute(at.con, select(found, "id", "value")))
        attack.warn(measured["located_in_all"] > 0, measured["unread_rows"] > 0)
        return at.frame(select(found))


@contextmanager
def _attacked(
    releases: list[SparkSource], targets: SparkSource, given: Mapping[str, Any], *, with_unread: bool
) -> Iterator[Attack]:
    """The attack on a sample of the targets, and what it takes to attack all of them, as long as the tables
    of the driver are there."""
    people, id, weight, by = of_spark(targets, "targets"), given["id"], given["weight"], given["priors_by"]
    known, sensitive, present = given["qi"] or [], given["sensitive"] or [], given["presence"] or []
    used = [id, *known, *(given["truth"] or []), *present, *(names(given["unit"], "unit") or []), *(by or [])]
    with driver(people) as at:
        frames = [of_spark(each, f"release {i}") for i, each in enumerate(releases, 1)]
        for frame in (people, *frames):
            refuse_collations(frame, known)
        columns = list({name.lower(): name for name in used}.values())
        chosen = at.columns(people, columns, "targets")
        people = people.select(*(each.alias(f"c{i}") for i, each in enumerate(chosen, 1)))
        place = {name.lower(): f"c{i}" for i, name in enumerate(columns, 1)}
        _refuse_twice(people, place[id.lower()], id)
        tables = [
            at.counted(frame, [*known, *sensitive, *has], f"release {i}") if weight is None
            else at.repeated(frame, [*known, *sensitive, *has, weight], f"release {i}")
            for i, frame in enumerate(frames, 1)
            for has in [[name for name in given["unchanged"] or () if name.lower() in lower(frame.columns)]]
        ]  # fmt: skip
        ruled, prior = (at.other(given[name], name) for name in ("negations", "priors"))
        seen = [place[name.lower()] for name in (*known, *present)]
        together = None if by is None else [place[name.lower()] for name in by]
        rows = _sample(people, seen, together)
        if ruled is not None:
            rows = rows.union(_named(at, people, place[id.lower()], ruled, id))
        if prior is not None and id.lower() in lower(by or []):
            rows = rows.union(_named(at, people, place[id.lower()], prior, id))
        sample = at.made(_by_name(at.bring(rows.distinct(), "targets"), columns), "targets")
        arguments = {
            **given, "releases": tables, "targets": sample, "qi": known, "sensitive": sensitive,
            "hierarchies": at.other(given["hierarchies"], "hierarchies"), "negations": ruled, "priors": prior,
            "weight": at.n if weight is None else weight, "with_unread": with_unread, "measured": True,
        }  # fmt: skip
        statement = call_of(at.con, "_attacked", arguments)
        chain = Chain(at.con, at.work, statement, lambda step, share, message: None)
        attacked = at.work.make("attacked", chain.query())
        yield Attack(at, people, columns, sample, attacked.name, chain, arguments)


def _by_name(rows: str, columns: Sequence[str]) -> exp.Select:
    """Rows of columns by position, c1, c2, ..., under their names."""
    named = (exp.column(f"c{i}").as_(name, quoted=True) for i, name in enumerate(columns, 1))
    return exp.select(*named).from_(named_table(rows))


def _sample(people: DataFrame, columns: Sequence[str], together: Sequence[str] | None) -> DataFrame:
    """For each value of each of the columns somebody who has it; the same for what other columns have
    together."""
    values = [F.col(name).cast("string") for name in columns]
    if together is not None:
        values.append(F.to_json(F.struct(*together)))
    cells = F.array(*(F.struct(F.lit(i).alias("i"), value.alias("v")) for i, value in enumerate(values)))
    each = people.select(F.struct(*people.columns).alias("one"), F.explode(cells).alias("cell"))
    return each.groupBy("cell").agg(F.min("one").alias("one")).select("one.*")


def _named(at: Driver, people: DataFrame, who: str, table: str, id: str) -> DataFrame:
    """Whom a table names."""
    ids = exp.select(exp.column(id, quoted=True).as_("named")).from_(named_table(table))
    named = F.broadcast(at.frame(ids.distinct()))
    return people.join(named, F.col(who).eqNullSafe(F.col("named")), "left_semi")


def _refuse_twice(people: DataFrame, who: str, id: str) -> None:
    """InputError where a target is there twice."""
    repeated = people.groupBy(who).count().where("count > 1")
    [(targets, rows)] = repeated.agg(F.count("*"), F.sum("count")).collect()
    if targets:
        raise InputError(
            f"column {id} of targets names {targets} of the targets several times, in {rows} rows"
        )
