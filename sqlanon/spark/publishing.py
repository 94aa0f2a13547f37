"""What the anonymizers of tables of Spark share: columns by position, and a look at the finished release."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from sqlglot import exp

from sqlanon.anonymize.driver import Columns, Verified, verdicts
from sqlanon.core.errors import VerificationError
from sqlanon.core.source import fresh_name
from sqlanon.core.statements import call, execute, named_table, scalar
from sqlanon.core.steps import requirements
from sqlanon.spark.driver import Driver, refuse_collations
from sqlanon.spark.release import Release

CHANGED = (
    "sqlanon: the source has a row that was not there when it was counted: it has changed since, or gives "
    "other rows each time that it is read. Write it to a table first"
)


def checked_roles(at: Driver, frame: DataFrame, columns: Columns, unit: str | None = None) -> str:
    """An empty table with the columns of the source. InputError where columns are not there, or have two
    roles; as `sqlanon` says it."""
    empty = at.bring(pa.table({name: pa.array([], pa.int32()) for name in frame.columns}), "source")
    execute(at.con, exp.Describe(this=call("_roles", empty, *columns.values(), unit)))
    refuse_collations(frame, columns["qi"] or [])
    return empty


def positional(at: Driver, frame: DataFrame, columns: Columns, beside: Sequence[str] = ()) -> DataFrame:
    """The columns of a release as they come: q1, q2, ..., kept1, kept2, ... (sensitive ones first); and those
    beside them, which do not leave: o1, o2, ..."""
    named = {"q": columns["qi"] or [], "kept": _kept(columns), "o": beside}
    places = [
        column.alias(f"{short}{i}")
        for short, wanted in named.items()
        for i, name in enumerate(wanted, 1)
        for column in at.columns(frame, [name], "source")
    ]
    return frame.select(*places)


def _kept(columns: Columns) -> list[str]:
    return [*(columns["sensitive"] or []), *(columns["keep"] or [])]


def finished(
    at: Driver,
    rows: DataFrame,
    columns: Columns,
    found: Verified,
    seed: int | None,
    parameters: Mapping[str, Any],
    details: Mapping[str, Any],
    started: float,
) -> Release:
    """The release of rows (v1, v2, ..., kept1, kept2, ...) that stood up to the check.

    found: what that found. Rows leave in an order that depends on nothing but what they release, as
    everywhere.
    """
    named = [f"v{i}" for i, _ in enumerate(columns["qi"] or [], 1)]
    named += [f"kept{i}" for i, _ in enumerate(_kept(columns), 1)]
    names = [*(columns["qi"] or []), *_kept(columns)]
    place = F.xxhash64(*named, F.lit(salt_of(seed)))
    ordered = rows.select(*named, place.alias("place")).repartition("place").sortWithinPartitions("place")
    return Release(
        frame=ordered.select(*(F.col(short).alias(name) for short, name in zip(named, names, strict=True))),
        parameters={name: value for name, value in parameters.items() if value is not None},
        suppressed_rows=found.suppressed,
        seconds=perf_counter() - started,
        details=details,
        reached=found.reached,
        required=found.required,
        classes=found.classes,
        rows=found.rows,
        people=found.people,
    )


def salt_of(seed: int | None) -> int:
    """What makes an order random: a seed that is given, or what nobody knows."""
    return secrets.randbits(63) if seed is None else seed


def checked(
    at: Driver,
    rows: DataFrame,
    columns: Columns,
    judged: Sequence[str],
    arguments: Mapping[str, Any],
    counts: str,
    suppressed: int,
    unit: str | None = None,
) -> Verified:
    """What finished rows reach. VerificationError if some are missing, or a class violates a requirement.

    Spark counts them by class, and classes by their histogram: the macro then judges one class of each.
    arguments: what is required, by parameter, and hierarchies. counts: the source, with the columns in judged
    and the number of rows. unit: whose a row is, in the column o1; then shares of sensitive values are not
    what is required.
    """
    several, first, qi = fresh_name("classes"), fresh_name("first"), columns["qi"] or []
    table = _histograms(at, rows, qi, judged, several, first, unit)
    in_all = pc.sum(pc.multiply(table[at.n], table[several])).as_py() or 0
    require_all(at, counts, in_all, suppressed)
    check = scalar(
        "_check_statement", at.bring(table, "the release"), list(qi), list(judged), arguments["hierarchies"],
        requirements(at.con, arguments), None, counts if judged and unit is None else None, unit, None, None,
        None, None, at.n,
    )  # fmt: skip
    counted = None if unit is None else ""
    _, reached, required = verdicts(at.con, check, arguments, len(judged) > 1, counted)
    classes = pc.sum(table.filter(table[first])[several]).as_py()
    people = None if unit is None else rows.select("o1").distinct().count()
    return Verified(in_all, suppressed, classes, reached, people, required)


def require_all(at: Driver, counts: str, rows: int, suppressed: int) -> None:
    """Errors: VerificationError where so many rows are not those of the source."""
    [(expected,)] = execute(at.con, exp.select(exp.Sum(this=exp.column(at.n))).from_(named_table(counts)))
    if rows + suppressed != expected:
        raise VerificationError(
            f"the release has {rows:,} rows and {suppressed:,} are suppressed, the source had "
            f"{expected:,}: has it changed?"
        )


def _histograms(
    at: Driver,
    rows: DataFrame,
    qi: Sequence[str],
    judged: Sequence[str],
    several: str,
    first: str,
    unit: str | None,
) -> pa.Table:
    """The distinct histograms of classes, each as one of those that have it: the columns in qi and judged, n,
    several (how many classes have it), first (is it the first row of a histogram?). With a unit they are of
    people, each with a histogram of their own, and these have numbers there."""
    released, values = [f"v{i}" for i, _ in enumerate(qi, 1)], [f"kept{i}" for i, _ in enumerate(judged, 1)]
    one = F.min(F.struct(*released)).alias("class")
    whose = [] if unit is None else ["o1"]
    cells = rows.groupBy(*released, *values, *whose).agg(F.count("*").alias("n"))
    listed = F.sort_array(F.collect_list(F.struct(*values, "n"))).alias("histogram")
    person = F.lit(0)
    if unit is None and not judged:
        found = cells.groupBy("n").agg(F.count("*").alias("several"), one).withColumn("first", F.lit(True))
    else:
        classes = cells.groupBy(*released, *whose).agg(listed)
        if unit is not None:
            of_people = F.sort_array(F.collect_list("histogram")).alias("histogram")
            classes = classes.groupBy(*released).agg(of_people)
        grouped = classes.groupBy("histogram").agg(F.count("*").alias("several"), one)
        if unit is not None:
            each_person = F.posexplode("histogram").alias("person", "histogram")
            grouped = grouped.select("class", "several", each_person)
            person = F.col("person")
        each = grouped.select(
            "class", "several", person.alias("person"), F.posexplode("histogram").alias("place", "cell")
        )
        is_first = ((F.col("place") == 0) & (F.col("person") == 0)).alias("first")
        found = each.select("class", "several", "person", is_first, "cell.*")
    named = {"n": at.n, "several": several, "first": first, **dict(zip(values, judged, strict=True))}
    named |= {f"class.{short}": name for short, name in zip(released, qi, strict=True)}
    named |= {} if unit is None else {"person": unit}
    return found.select(*(F.col(short).alias(name) for short, name in named.items())).toArrow()
