"""Mondrian of tables of Spark: the first cuts are made where the rows are, until parts fit a task; each task
finishes its parts by the macros.

What the macros know of the whole table (codes, spans, hierarchies, distributions of sensitive values) they
find out from a sketch of it: a table that has every value of each quasi-identifier, and all sensitive values
as often as the source. Spark counts the span of each part and how often it has each code. The same macros as
everywhere decide where parts are cut, so that rows do not depend on the number of parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from sqlglot import exp

from sqlanon.anonymize.driver import Request, terms_of
from sqlanon.anonymize.mondrian import Mondrian
from sqlanon.core.errors import InputError
from sqlanon.core.models import having
from sqlanon.core.source import names
from sqlanon.core.statements import call, execute, named_table, select
from sqlanon.core.steps import Chain, statement_of
from sqlanon.spark.counted import released_as
from sqlanon.spark.driver import Driver, SparkSource, driver, of_spark, refuse_households, to_spark
from sqlanon.spark.publishing import (
    CHANGED,
    checked,
    checked_roles,
    finished,
    positional,
)
from sqlanon.spark.release import Release
from sqlanon.spark.tasks import task


def released_by_parts(macro: str, source: SparkSource, *, task_size: int = 200_000, **given: Any) -> Release:
    """The release by Mondrian.

    task_size: how many distinct combinations (of quasi-identifiers and the sensitive columns that are looked
    at) a task takes; smaller parts are finished together, a larger one is cut by Spark. The rows do not
    depend on it. The driver holds the distinct values of each column, and per round the codes of the parts
    that are cut; the executors the distinct values, too. With a population, known releases, strata, weights,
    relaxed, a target, or a unit where more than k and l is required, the driver cuts, and holds all distinct
    combinations.

    The source is read to be counted, once more to be verified, and again when the release is written: it must
    be the same each time. The labels are kept by Spark (persist) until the session ends.
    """
    if task_size < 1:
        raise InputError(f"task_size is a number of combinations, at least 1, not {task_size}")
    frame, request = of_spark(source), Mondrian.request(macro, given)
    refuse_households(request.others)
    if is_for_driver(request):
        return released_as(macro, Mondrian, frame, request)
    columns, required, unit = request.columns, request.required, request.others["unit"]
    started = perf_counter()
    with driver(frame) as at:
        empty = checked_roles(at, frame, columns, unit)
        judged = list(terms_of(at.con, columns, required)["judged"])
        hierarchies = at.other(request.tables["hierarchies"], "hierarchies")
        arguments = {**columns, **required, **request.others, "hierarchies": hierarchies, "tbl": empty}
        persisted: list[DataFrame] = []
        try:
            rows = positional(at, frame, columns, names(unit, "unit") or [])
            run = Partitioning(at, rows, len(columns["qi"] or []), judged, arguments, persisted)
            labels = run.labels(task_size)
            rows = run.released(labels)
            found = checked(at, rows, columns, judged, arguments, run.counts, 0, unit)
            seed, details = request.others["seed"], {"rounds": run.rounds}
            made = finished(at, rows, columns, found, seed, request.recorded, details, started)
            persisted.remove(labels)
        finally:
            for each in persisted:
                each.unpersist()
        return made


def is_for_driver(request: Request) -> bool:
    """Is anything given that Spark cannot look at where it cuts?"""
    tables = (request.tables[name] for name in ("population", "known", "based_on"))
    bounds = (request.required[model.id] for model in having("size", "population", "known", but=["k"]))
    others = [
        request.others[name] for name in ("suppression_limit", "relaxed", "target", "strata", "weights")
    ]
    if any(request.required[model.id] is not None for model in having("shares")):
        others.append(request.others["unit"])
    given = (*tables, *bounds, request.others["presence"])
    return any(each is not None for each in given) or any(others)


class Partitioning:
    """From rows (q1, q2, ..., kept1, kept2, ...) to what is released of each combination of codes.

    persisted: what Spark keeps meanwhile. rounds: of cuts by Spark. counts: the table of sensitive values and
    how many rows have them.
    """

    def __init__(
        self,
        at: Driver,
        rows: DataFrame,
        width: int,
        judged: Sequence[str],
        arguments: dict[str, Any],
        persisted: list[DataFrame],
    ) -> None:
        self.at, self.rows, self.judged, self.rounds = at, rows, judged, 0
        self.raws = [f"q{i}" for i in range(1, width + 1)]
        self.codes = [f"c{i}" for i in range(1, width + 1)]
        self.values = [f"kept{i}" for i, _ in enumerate(judged, 1)]  # sensitive columns are the first
        self.by_unit = arguments["unit"] is not None
        self.person = ["person"] if self.by_unit else []
        self.persisted = persisted
        columns: list[Column | str] = [
            *self.raws,
            *self.values,
            *(F.col("o1").alias(name) for name in self.person),
        ]
        combinations = self.kept(rows.groupBy(*columns).agg(F.count("*").alias("n")))
        self.counts, sketch = self.sketched(combinations)
        statement = statement_of(at.con, "mondrian", arguments | {"by_value": True})
        self.chain = Chain(at.con, at.work, statement, lambda step, share, message: None)
        self.chain.provide("combination", lambda: at.work.make("combination", sketch))
        if self.by_unit:
            self.chain.provide("whole", lambda: self.whole_by_people(combinations))
        self.chain.make("refusal")
        about = select(
            named_table(self.chain.table("requirement")), "coalesce(req.k, 1)",
            exp.Dot(this=exp.to_identifier("sqlanon"), expression=exp.Anonymous(
                this="_is_about_values", expressions=[exp.column("req")])),
        )  # fmt: skip
        [(self.k, self.about_values)] = execute(at.con, about)
        self.tree = self.chain.table("tree") if arguments["hierarchies"] is not None else None
        self.recoding = arguments["recoding"]
        self.domains = [self.domain(i) for i in range(1, width + 1)]
        self.sensitive = self.sensitive_numbers()
        weight = F.col("n").alias("weight")
        self.tuples = self.coded(combinations).select(*self.codes, "s", *self.person, weight)
        if not self.are_codes_of_one_value():
            combination = [*self.codes, "s", *self.person]
            self.tuples = self.tuples.groupBy(*combination).agg(F.sum("weight").alias("weight"))

    def whole_by_people(self, combinations: DataFrame) -> None:
        """The whole table as one class: the relation `whole`."""
        self.sensitive = self.sensitive_numbers()
        cells = self.numbered(combinations).withColumn("class_id", F.lit(0).cast("bigint"))
        at = self.at
        at.work.make("whole", select(named_table(self.histogram(cells, "people"))))

    def histogram(self, cells: DataFrame, title: str) -> str:
        """How many people, or rows, of classes have each sensitive value: the name of a table of class_id,
        attribute, code, n and, with a unit, is_only (as in _histograms). cells: class_id, s, weight and, with
        a unit, person."""
        at, values = self.at, named_table(self.chain.table("sensitive_value"))
        counted: Column = F.sum("weight")
        if self.by_unit:
            counted = F.count_distinct(F.struct("person"))  # NULL is a person as any other
        else:
            cells = cells.groupBy("class_id", "s").agg(F.sum("weight").alias("weight"))
        codes = select(values, "s", "attribute", "code")
        if not self.by_unit:
            codes = codes.where("attribute > 0")
        coded = cells.join(F.broadcast(at.frame(codes)), "s")
        found = coded.groupBy("class_id", "attribute", "code").agg(counted.alias("n"))
        if self.by_unit:
            of_value = ["class_id", "attribute", "code"]
            held = coded.where("code >= 0").select(*of_value, "person").distinct()
            by_person = held.groupBy("class_id", "attribute", "person")
            alone = by_person.agg(F.count("*").alias("held"), F.first("code").alias("code")).where("held = 1")
            only = alone.select(*of_value).distinct().withColumn("is_only", F.lit(True))
            found = found.join(only, of_value, "left").fillna(False, ["is_only"])
        return at.bring(found, title)

    def are_codes_of_one_value(self) -> bool:
        """Does nothing that Spark tells apart have the same code? Then combinations are distinct in codes."""
        tables = [(domain, "code") for domain in self.domains] + [(self.sensitive, "s")]
        alike = (
            exp.select(f"count(*) = count(distinct {code})").from_(named_table(table))
            for table, code in tables
        )
        return all(same for query in alike for (same,) in execute(self.at.con, query))

    def kept(self, frame: DataFrame) -> DataFrame:
        """A frame that is read several times."""
        self.persisted.append(frame.persist())
        return frame

    def sketched(self, combinations: DataFrame) -> tuple[str, exp.Select]:
        """The table of sensitive values with their rows, and the sketch as the relation of combinations."""
        named = zip(self.values, self.judged, strict=True)
        renamed = [F.col(value).alias(name) for value, name in named]
        people = F.coalesce(F.sum("n"), F.lit(0)).alias(self.at.n)
        counted = combinations.groupBy(*renamed).agg(people).toArrow()
        domains = [combinations.select(raw).distinct().toArrow().column(0) for raw in self.raws]
        size = max(map(len, [counted, *domains])) if all(map(len, domains)) else 0

        def again(column: pa.ChunkedArray) -> pa.ChunkedArray:
            """A column from its beginning again, until it is as long as the sketch."""
            return column.take(pa.array([i % len(column) for i in range(size)], pa.int64()))

        weights = counted.column(self.at.n)[:size]
        unseen = pa.array([0] * (size - len(weights)), weights.type)
        columns = {"tuple_id": pa.array(range(1, size + 1), pa.int32())}
        columns |= dict(zip(self.raws, map(again, domains), strict=True))
        columns |= {f"s{i}": again(counted.column(i - 1)) for i, _ in enumerate(self.judged, 1)}
        if self.by_unit:  # the macros count it, too: here all rows are one person's
            columns[f"s{len(self.judged) + 1}"] = pa.nulls(size, pa.int32())
        columns["n"] = pa.chunked_array([*weights.chunks, unseen])
        sketch = self.at.bring(pa.table(columns), "source")
        return self.at.bring(counted, "source"), select(named_table(sketch))

    def domain(self, d: int) -> str:
        """The values of a quasi-identifier and their codes: a table of value, code."""
        tables = named_table(self.chain.table("combination")), named_table(self.chain.table("tuple"))
        pairs = exp.select(
            exp.column(f"q{d}", "combination").as_("value"), exp.column(f"q{d}", "tuple").as_("code")
        ).distinct().from_(tables[0].as_("combination"))  # fmt: skip
        query = pairs.join(tables[1].as_("tuple"), using="tuple_id")
        return self.at.work.make(f"domain_{d}", query).name

    def sensitive_numbers(self) -> str:
        """The combinations of sensitive values and their numbers: a table of s, s1, s2, ..."""
        chosen = [f"s{i}" for i, _ in enumerate(self.judged, 1)]
        query = select(named_table(self.chain.table("sensitive_combination")), "s::integer as s", *chosen)
        return self.at.work.make("numbers", query).name

    def coded(self, rows: DataFrame) -> DataFrame:
        """Rows with the codes of their quasi-identifiers, c1, c2, ..., and s, the number of their sensitive
        values."""
        for raw, code, domain in zip(self.raws, self.codes, self.domains, strict=True):
            query = select(named_table(domain), f"value as {code}_value", f"code as {code}")
            values = F.broadcast(self.at.frame(query))
            same = F.col(raw).eqNullSafe(F.col(f"{code}_value"))
            rows = rows.join(values, same, "left").drop(f"{code}_value")
        return self.numbered(rows)

    def numbered(self, rows: DataFrame) -> DataFrame:
        """Rows with s, the number of their sensitive values."""
        if not self.judged:
            return rows.withColumn("s", F.lit(1))
        chosen = [f"s{i} as number_s{i}" for i, _ in enumerate(self.judged, 1)]
        numbers = self.at.frame(select(named_table(self.sensitive), "s", *chosen))
        pairs = enumerate(self.values, 1)
        same_values = [F.col(value).eqNullSafe(F.col(f"number_s{i}")) for i, value in pairs]
        return rows.join(F.broadcast(numbers), same_values, "left")

    def labels(self, task_size: int) -> DataFrame:
        """What is released of each combination of codes: v1, v2, ..., c1, c2, ..."""
        tasks = self.cut(task_size)
        positions = [f"q{i}" for i, _ in enumerate(self.codes, 1)]
        rows = "_sqlanon_rows"
        packed = {f"domain_{i}": name for i, name in enumerate(self.domains, 1)}
        relations = ("attribute", "sensitive_value", "marginal", "sensitive_tree", "requirement")
        packed |= {name: self.chain.table(name) for name in relations}
        if self.tree is not None:
            packed["tree"] = self.tree
        statement = call(
            "_finished_parts", rows, positions, "attribute", None if self.tree is None else "tree", self.k,
            self.about_values, "sensitive_value", "marginal", "sensitive_tree", "requirement", self.recoding,
            self.by_unit,
        )  # fmt: skip
        run = task(self.at, [statement], rows, packed, "the distinct values of the source")
        named = dict(zip(self.codes, positions, strict=True))
        parts = tasks.select(
            "task", "part", "done", "tried_width", "tried", "s", *self.person,
            F.col("weight").cast("int").alias("weight"),
            *(F.col(code).alias(position) for code, position in named.items()),
        )  # fmt: skip
        nothing = pa.schema([
            ("part", pa.int64()), ("done", pa.bool_()), ("tried_width", pa.float64()), ("tried", pa.int32()),
            ("s", pa.int32()), ("weight", pa.int32()), *((position, pa.int32()) for position in positions),
        ]).empty_table()  # fmt: skip
        for name in self.person:
            nothing = nothing.append_column(name, self.tuples.select(name).limit(0).toArrow().column(0))
        schema = to_spark(self.at.spark, run(nothing)).schema
        found = parts.groupBy("task").applyInArrow(run, schema)
        released = [F.col(position).alias(f"v{i}") for i, position in enumerate(positions, 1)]
        return self.kept(found.select(*released, *self.codes))

    def cut(self, task_size: int) -> DataFrame:
        """Cut parts until they fit a task, or cannot be cut: the tuples with their part, how far that is, and
        the task that is to finish it."""
        at, work, name = self.at, self.at.work, self.at.work.name
        tuples = self.kept(self.tuples.withColumn("part", F.lit(0).cast("bigint")))
        no_cuts = "null::bigint as part", "null::double as width", "null::integer as d", "null as legal"
        nothing = exp.select("*").from_(exp.select(*no_cuts).subquery()).where("false")
        whole = at.bring(self.extents(tuples), "extents")
        columns = exp.select("part", "tuples", "size", "los", "his", "'infinity'::double as tried_width",
                             "0 as tried", f"size < {2 * self.k} as done")  # fmt: skip
        work.make("part", columns.from_(named_table(whole)))
        while True:
            large = select(named_table(name("part"))).where(f"not done and tuples > {task_size}")
            if not execute(at.con, select(work.make("extent", large))):
                break
            chosen = work.make(
                "choice", call("_next_cuts", name("extent"), self.chain.table("attribute"), self.tree)
            )
            self.rounds += 1
            work.make("legal", self.legal(tuples) if execute(at.con, select(chosen)) else nothing)
            pieces = select(named_table(name("part")), "part", "tuples", "size", "los", "his").where("false")
            if execute(at.con, select(named_table(name("legal"))).where("legal")):
                before, tuples = tuples, self.kept(self.moved(tuples))
                new = F.col("part") >= self.rounds * 4294967296
                pieces = select(named_table(at.bring(self.extents(tuples.where(new)), "extents")))
                before.unpersist()
            made = work.make("piece", pieces)
            after = call("_parts_after", name("part"), name("extent"), name("legal"), made.name, self.k)
            work.make("part_after", after)
            work.rename("part_after", "part")
        tasks = at.frame(call("_tasks", name("part"), task_size))
        return tuples.join(F.broadcast(tasks), "part").drop("part").withColumnRenamed("number", "part")

    def extents(self, tuples: DataFrame) -> DataFrame:
        """What parts span: part, tuples, size, los, his."""
        return tuples.groupBy("part").agg(
            F.count("*").alias("tuples"), F.sum("weight").alias("size"),
            F.array(*map(F.min, self.codes)).alias("los"), F.array(*map(F.max, self.codes)).alias("his"),
        )  # fmt: skip

    def legal(self, tuples: DataFrame) -> exp.Select:
        """The cuts of the parts that chose an attribute, and which of them are made."""
        at, work, name = self.at, self.at.work, self.at.work.name
        choice = at.frame(select(named_table(name("choice")), "part", "number", "d"))
        codes = (
            tuples.join(F.broadcast(choice), "part")
            .groupBy("number", self.code().alias("code")).agg(F.sum("weight").alias("weight"))
        )  # fmt: skip
        work.make("cut", call("_cuts_of_parts", name("choice"), at.bring(codes, "codes"), self.tree, self.k))
        histogram = None
        if self.about_values or self.by_unit:
            piece = (F.col("number") * 4294967296 + F.col("branch")).alias("class_id")
            cells = self.branched(tuples, "cut", "possible").select(piece, "s", *self.person, "weight")
            histogram = self.histogram(cells, "cells")
        relations = map(self.chain.table, ("marginal", "sensitive_tree", "requirement"))
        return call("_legal_cuts", name("cut"), histogram, *relations, self.by_unit)

    def branched(self, tuples: DataFrame, cuts: str, which: str, how: str = "inner") -> DataFrame:
        """The tuples of the parts that a cut divides, with number, first_piece and branch."""
        made = select(named_table(self.at.work.name(cuts)), "part", "number", "d", "cut", "first_piece")
        chosen = tuples.join(F.broadcast(self.at.frame(made.where(which))), "part", how)
        branch: Column = (self.code() > F.col("cut")).cast("int")
        if self.tree is None:
            return chosen.withColumn("branch", branch)
        nodes = F.broadcast(self.at.frame(call("_nodes_of_cuts", self.at.work.name(cuts), self.tree)))
        coded = chosen.withColumn("code", self.code()).join(nodes, ["part", "code"], "left")
        return coded.withColumn("branch", F.coalesce("node", branch))

    def moved(self, tuples: DataFrame) -> DataFrame:
        """The tuples in the pieces of their parts, those of parts that were not cut as they are.

        (A plan that had the tuples twice would double with each round.)
        """
        number = F.lit(self.rounds * 4294967296) + F.col("first_piece") + F.col("branch")
        cut = self.branched(tuples, "legal", "legal", "left")
        return cut.select(*self.codes, "s", *self.person, "weight", F.coalesce(number, "part").alias("part"))

    def code(self) -> Column:
        """The code of a tuple on the attribute d."""
        return F.element_at(F.array(*self.codes), F.col("d").cast("int"))

    def released(self, labels: DataFrame) -> DataFrame:
        """The rows with what is released of them: v1, v2, ..., kept1, kept2, ..."""
        known = labels.withColumn("is_labelled", F.lit(True))
        located = self.coded(self.rows).drop("s").join(known, self.codes, "left")
        return located.where(F.coalesce("is_labelled", F.raise_error(F.lit(CHANGED)).cast("boolean")))
