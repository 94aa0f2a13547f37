"""The intersection attack on tables of Spark: targets are reduced to their distinct combinations there, which
the macros attack on the driver; Spark joins what is told of each to the targets.

Parameters, rows, warnings and errors are those of the functions of these names in `sqlanon`; what is known
beside quasi-identifiers (negations, priors) is not there yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from sqlglot import exp

from sqlanon.attack.intersection import (
    LOCATED,
    Formats,
    Unknown,
    _each,
    _of_centroids,
    formats_given,
    unknown_texts,
    warn_of_unread,
)
from sqlanon.core.answer import Names
from sqlanon.core.errors import InputError
from sqlanon.core.source import Source, fresh_name, listed, names
from sqlanon.core.statements import answer, call, execute, named_table, select
from sqlanon.spark.driver import Driver, SparkSource, driver, of_spark, refuse, refuse_collations
from sqlanon.spark.publishing import CHANGED


@dataclass(frozen=True)
class Attack:
    """The attack on the combinations of targets.

    columns: those of the targets that make a combination. combinations: the table of these, with number, and
    n, how many targets have it. attacked: what the attack tells of each, as of the macro `_attacked`.
    """

    at: Driver
    targets: DataFrame
    columns: list[str]
    combinations: str
    number: str
    attacked: str
    releases: list[str]
    about: dict[str, Any]
    nearest: bool | list[bool]

    def warn(self, anybody: bool, unread: bool = True) -> None:
        """As in `sqlanon`."""
        con = self.at.con
        releases, people = [con.table(name) for name in self.releases], con.table(self.combinations)
        passed = _each(self.nearest, releases)
        warn_of_unread(con, releases if unread else [], people, self.about, anybody, passed)

    def of_targets(self, told: exp.Table, id: str, unit: str | None) -> DataFrame:
        """What is told of each combination, for each of the targets that have it."""
        at, number = self.at, exp.column(self.number)
        answers = [name for name in execute(at.con, select(told).limit(0)).columns if name != self.number]
        named: list[tuple[str, Any]] = [("is_told", exp.true())]
        named += [(f"t{i}", exp.column(name, "c", quoted=True)) for i, name in enumerate(self.columns, 1)]
        named += [(f"o{i}", exp.column(name, "told", quoted=True)) for i, name in enumerate(answers, 1)]
        each = (exp.Alias(this=value, alias=exp.to_identifier(short)) for short, value in named)
        query = exp.select(*each).from_(named_table(self.combinations).as_("c"))
        query = query.join(told.as_("told"), using=number)
        who = [id] if unit is None else [id, unit]
        short = [f"w{i}" for i, _ in enumerate(who)] + [f"k{i}" for i, _ in enumerate(self.columns, 1)]
        chosen = [
            each for names in (who, self.columns) for each in at.columns(self.targets, names, "targets")
        ]
        people = self.targets.select(*(each.alias(name) for each, name in zip(chosen, short, strict=True)))
        same = [F.col(f"k{i}").eqNullSafe(F.col(f"t{i}")) for i, _ in enumerate(self.columns, 1)]
        shown = [F.col(f"w{i}").alias(name) for i, name in enumerate(who)]
        shown += [F.col(f"o{i}").alias(name) for i, name in enumerate(answers, 1)]
        told_of_all = people.join(at.frame(query), same, "left").where(
            F.coalesce("is_told", F.raise_error(F.lit(CHANGED)).cast("boolean"))
        )
        return told_of_all.select(*shown)


def intersection_attack(
    releases: Iterable[SparkSource],
    targets: SparkSource,
    id: str,
    qi: Names,
    sensitive: Names,
    hierarchies: Source = None,
    truth: Names | None = None,
    nearest: bool | Iterable[bool] = False,
    presence: Names | None = None,
    exact_cover: bool = False,
    unit: str | None = None,
    weight: str | None = None,
    formats: Formats | None = None,
    negations: Source = None,
    priors: Source = None,
    priors_by: Names | None = None,
    unknown: Unknown = None,
) -> DataFrame:
    """What several releases tell together, a row per target and sensitive column: as
    `sqlanon.intersection_attack`."""
    refuse("intersection_attack", {"negations": negations, "priors": priors, "priors_by": priors_by})
    if unit is not None and unit.lower() == id.lower():
        raise InputError(
            f'id and unit are both column "{id}": id names a row of the targets, unit whose it is'
        )
    with _attacked(
        releases, targets, id, qi, sensitive, hierarchies, truth, nearest, presence, exact_cover, None,
        weight, formats, unknown, with_unread=False,
    ) as attack:  # fmt: skip
        shown = call(
            "_told_of_attack", attack.attacked, attack.number, None, exact_cover, names(truth, "truth")
        )
        told = attack.at.work.make("told", shown)
        [(anybody,)] = answer(attack.at.con, select(told)).aggregate(LOCATED).fetchall()
        attack.warn(bool(anybody))
        return attack.of_targets(told, id, unit)


def breaches(
    releases: Iterable[SparkSource],
    targets: SparkSource,
    id: str,
    qi: Names,
    sensitive: Names,
    hierarchies: Source = None,
    truth: Names | None = None,
    levels: Iterable[float] = (100, 50, 25, 10),
    nearest: bool | Iterable[bool] = False,
    presence: Names | None = None,
    exact_cover: bool = False,
    unit: str | None = None,
    weight: str | None = None,
    formats: Formats | None = None,
    sure: Iterable[float] = (99, 95, 90),
    negations: Source = None,
    priors: Source = None,
    priors_by: Names | None = None,
    unknown: Unknown = None,
) -> DataFrame:
    """The attack over all targets: as `sqlanon.breaches`."""
    refuse("breaches", {"negations": negations, "priors": priors, "priors_by": priors_by})
    with _attacked(
        releases, targets, id, qi, sensitive, hierarchies, truth, nearest, presence, exact_cover, unit,
        weight, formats, unknown, with_unread=True,
    ) as attack:  # fmt: skip
        at = attack.at
        rows = at.view(call("_people_attacked", attack.attacked, attack.combinations, attack.number, at.n))
        query = call("_breaches", rows, list(levels), list(sure), truth is not None, unit is not None)
        found = at.work.make("found", query)
        measured: dict[str, float] = dict(execute(at.con, select(found, "id", "value")))
        attack.warn(measured["located_in_all"] > 0, measured["unread_rows"] > 0)
        return at.frame(select(found))


@contextmanager
def _attacked(
    releases: Iterable[SparkSource],
    targets: SparkSource,
    id: str,
    qi: Names,
    sensitive: Names,
    hierarchies: Source,
    truth: Names | None,
    nearest: bool | Iterable[bool],
    presence: Names | None,
    exact_cover: bool,
    unit: str | None,
    weight: str | None,
    formats: Formats | None,
    unknown: Unknown,
    *,
    with_unread: bool,
) -> Iterator[Attack]:
    """The attack, as long as the tables of the driver are there."""
    people = of_spark(targets, "targets")
    known, told = names(qi, "qi") or [], names(sensitive, "sensitive") or []
    true, present = names(truth, "truth"), names(presence, "presence")
    each = [*known, *(true or []), *(present or []), *(names(unit, "unit") or [])]
    columns = list({name.lower(): name for name in reversed(each)}.values())[::-1]
    with driver(people) as at:
        frames = [of_spark(each, f"release {i}") for i, each in enumerate(listed(releases), 1)]
        for frame in (people, *frames):
            refuse_collations(frame, known)
        _refuse_twice(at, people, id)
        combinations, number = at.counted(people, columns, "targets"), fresh_name("number")
        numbered = select(named_table(combinations), "*", f"row_number() over () as {number}")
        tables = [
            at.counted(frame, [*known, *told], f"release {i}") if weight is None
            else at.repeated(frame, [*known, *told, weight], f"release {i}")
            for i, frame in enumerate(frames, 1)
        ]  # fmt: skip
        of_centroids = _of_centroids(nearest)
        about = {
            "qi": known,
            "hierarchies": at.other(hierarchies, "hierarchies"),
            "formats": formats_given(formats),
            "unknown": unknown_texts(unknown),
        }
        made = at.made(numbered, "targets")
        attacked = at.work.make("attacked", call(
            "_attacked", tables, made, number, true, known, told, about["hierarchies"], of_centroids, present,
            exact_cover, unit, at.n if weight is None else weight, with_unread, about["formats"],
            unknown=about["unknown"], people=at.n,
        ))  # fmt: skip
        yield Attack(at, people, columns, made, number, attacked.name, tables, about, of_centroids)


def _refuse_twice(at: Driver, targets: DataFrame, id: str) -> None:
    """InputError where a target is there twice."""
    counted = targets.groupBy(*at.columns(targets, [id], "targets")).count().where("count > 1").limit(1)
    for who, rows in counted.collect():
        raise InputError(f"target {who} is {rows} times in column {id} of targets")
