"""Anonymizers whose macros run on the driver, over the distinct combinations that Spark has counted; Spark
joins what is released of each of them to its rows.

The chains are those of `sqlanon`, with combinations counted where they would count rows: so parameters, rows,
errors and details are the same. The source is read to be counted, once more to be verified, and again when
the release is written. So it must be the same each time (a file, a table's snapshot); a row that was not
counted is an error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F
from sqlglot import exp

from sqlanon.anonymize.driver import CodedAnonymizer, Request, Task, Verified, terms_of
from sqlanon.anonymize.full_domain import FullDomain, Optimal
from sqlanon.core.source import fresh_name, listed, lower, names
from sqlanon.core.statements import call, execute, named_table, render, scalar, select
from sqlanon.core.steps import requirements, statement_of
from sqlanon.spark.driver import (
    Driver,
    SparkSource,
    driver,
    of_spark,
    refuse_collations,
    refuse_households,
)
from sqlanon.spark.publishing import (
    CHANGED,
    checked,
    checked_roles,
    finished,
    positional,
    require_all,
    salt_of,
)
from sqlanon.spark.release import Release

ANONYMIZERS: Mapping[str, type[CodedAnonymizer]] = {"generalize": FullDomain, "optimal": Optimal}


def released(macro: str, source: SparkSource, **given: Any) -> Release:
    """The release that a macro makes of the rows of a DataFrame.

    Levels are found on the driver, from the distinct combinations; Spark joins the labels to the rows.
    """
    anonymizer = ANONYMIZERS[macro]
    return released_as(macro, anonymizer, of_spark(source), anonymizer.request(macro, given))


def released_as(macro: str, anonymizer: type[CodedAnonymizer], frame: DataFrame, request: Request) -> Release:
    """The release that any anonymizer makes of the rows of a DataFrame."""
    started = perf_counter()
    with driver(frame) as at:
        run = _Run(at, macro, frame, request)
        run.searched(anonymizer, request.beyond)
        rows = run.rows()
        found = run.checked(rows, run.anonymizer.suppressed())
        details = {**run.anonymizer.details(), **run.anonymizer.about_known()}
        return finished(
            at, rows, request.columns, found, request.others["seed"], request.recorded, details, started
        )


class _Run:
    """One run, from the counts to the rows with what is released of them: v1, v2, ..., kept1, kept2, ..., and
    o1, o2, ... (columns that do not leave, as far as they matter).

    counts: the table of combinations, in columns of their names and `at.n`. keys: the columns by which Spark
    knows what is released of a row; raws: the names of copies of them.
    """

    anonymizer: CodedAnonymizer

    def __init__(self, at: Driver, macro: str, frame: DataFrame, request: Request) -> None:
        self.at, self.macro, self.frame = at, macro, frame
        form, tables, columns = request.others, request.tables, request.columns
        refuse_households(form)
        self.columns = columns
        self.qi, self.unit, self.target = columns["qi"] or [], form.get("unit"), form.get("target")
        self.is_divided = bool(form.get("relaxed"))
        self.seed = form.get("seed")
        based_on, everybody = tables.get("based_on"), tables.get("population")
        self.is_based = based_on is not None
        empty = checked_roles(at, frame, columns, self.unit)
        given: dict[str, Any] = {**request.required, **form}
        known = listed(tables["known"], "known") if tables.get("known") is not None else []
        releases = [f"known release {i}" for i, _ in enumerate(known, 1)]
        if based_on is not None:
            bound = scalar("_composed_bound", given.get("composed_l"), releases or None, "based_on")
            [(given["composed_l"],)] = execute(at.con, bound)
            known, releases, given["based_on"] = [based_on], ["based_on"], "based_on"
        given["known"] = releases or None
        given["population"] = None if everybody is None else "population"
        # what can be refused without the data is refused before any work
        named = {**columns, **given, "tbl": empty, "hierarchies": None}
        statement_of(at.con, macro, named)
        terms = terms_of(at.con, columns, given)
        self.judged, self.presence = list(terms["judged"]), list(terms["presence"])
        self.hierarchies = at.other(tables["hierarchies"], "hierarchies")
        self.population = given["population"] = None
        if terms["population"] is not None:
            people = of_spark(everybody, "population")
            refuse_collations(people, self.qi)
            self.population = at.counted(people, self.qi, "population")
            given["population"] = at.rows_of(self.population, "population")
        if releases:
            read = [*self.qi, *(columns["sensitive"] or [])]
            given["known"] = []
            for each, title in zip(known, releases, strict=True):
                refuse_collations(release := of_spark(each, title), self.qi)
                given["known"].append(at.repeated(release, read, title))
        if self.is_based:
            [given["based_on"]] = given["known"]
        self.target_alone = [
            name for name in names(self.target, "target") or [] if name.lower() not in lower(self.judged)
        ]
        whose = names(self.unit, "unit") or []
        self.counted = [*self.judged, *self.target_alone, *whose, *self.presence]
        self.beside = self.counted if self.is_divided else [*self.presence, *whose]
        self.keys = [*self.qi, *(self.counted if self.is_divided else self.presence)]
        self.raws = [fresh_name(f"raw{i}") for i, _ in enumerate(self.keys, 1)]
        copied = [
            exp.Alias(this=exp.column(name, quoted=True), alias=exp.to_identifier(raw))
            for name, raw in zip(self.keys, self.raws, strict=True)
        ]
        combinations = named_table(at.counted(frame, _once([*self.qi, *self.counted]), "source"))
        self.counts = render(at.work.make("counts", select(combinations, "*", *copied)))
        self.given = {**given, "hierarchies": self.hierarchies}

    def searched(self, anonymizer: type[CodedAnonymizer], beyond: Mapping[str, Any]) -> None:
        """Run the chain of the macro over the counts."""
        at = self.at
        roles = {
            "qi": self.qi, "sensitive": self.judged or None, "keep": [*self.raws, *self.target_alone],
        }  # fmt: skip
        arguments = {**self.given, **roles, "tbl": self.counts, "by_value": True}
        run = anonymizer(Task(at.con, at.work, self.macro, arguments, roles), **beyond)
        known, presence, chain = run.known, self.presence, run.chain

        def targets() -> None:
            at.work.make("known_target", call("_known_targets", known, self.counts, self.qi, presence, at.n))

        def combinations() -> None:
            located = [chain.table(name) if known else "" for name in ("known_target", "known_value")]
            at.work.make("combination", call(
                "_combinations_with_known", self.counts, self.qi, self.counted, known, presence, *located,
                at.n,
            ))  # fmt: skip

        def source() -> None:
            repeated = at.rows_of(self.counts, "source")
            at.view(select(named_table(repeated)), at.work.name("source"))

        if known:
            chain.provide("known_target", targets)
        if any(beyond.get(name) is not None for name in ("composed_confidence", "bcf_k")):
            chain.provide("source", source)  # whose release is attacked, and made again
        chain.provide("combination", combinations)
        run.run(lambda done, message: None)
        self.anonymizer = run

    def rows(self) -> DataFrame:
        """The rows with what is released of them, of those that are."""
        at, qi = self.at, self.qi
        rows = positional(at, self.frame, self.columns, self.beside)
        keys = {f"q{i}": f"raw{i}" for i, _ in enumerate(qi, 1)}
        keys |= {f"o{i}": f"raw{len(qi) + i}" for i, _ in enumerate(self.keys[len(qi) :], 1)}
        raw = [F.col(key).eqNullSafe(F.col(copy)) for key, copy in keys.items()]
        if self.is_divided:
            chain = self.anonymizer.chain
            relations = map(chain.table, ("combination", "assignment", "label"))
            dealt = call("_dealt_combinations", *relations, qi, self.counted)
            kept = [F.col(name) for name in rows.columns if name.startswith("kept")]
            chance = F.xxhash64(*kept, F.lit(salt_of(self.seed)))
            place = F.row_number().over(Window.partitionBy(*keys).orderBy(chance))
            rows = rows.withColumn("place", place)
            raw += [F.col("place") > F.col("after"), F.col("place") <= F.col("up_to")]
            labels = at.frame(dealt)
        else:
            released = at.work.make("labelled", self.anonymizer.release())
            labels = at.frame(call("_recoded_combinations", self.counts, render(released), qi, self.raws))
        located = rows.join(F.broadcast(labels), raw, "left")
        return located.where(F.coalesce("is_kept", F.raise_error(F.lit(CHANGED)).cast("boolean")))

    def checked(self, rows: DataFrame, suppressed: int) -> Verified:
        """What the finished rows reach, as the macro of `violations` judges them."""
        at, qi, judged, run = self.at, self.qi, self.judged, self.anonymizer
        if self.unit is None and self.population is None and not run.known:
            return checked(at, rows, self.columns, judged, self.given, self.counts, suppressed)
        seen = {f"v{i}": name for i, name in enumerate(qi, 1)}
        seen |= {f"kept{i}": name for i, name in enumerate(judged, 1)}
        if self.unit is not None:
            seen[f"o{1 + [*map(str.lower, self.beside)].index(self.unit.lower())}"] = self.unit
        counted = rows.groupBy(*seen).agg(F.count("*").alias(at.n))
        release = at.bring(
            counted.select(*(F.col(short).alias(name) for short, name in seen.items()), at.n), "the release"
        )
        repeated = named_table(at.rows_of(release, "the release"))
        check = scalar(
            "_check_statement", release, qi, judged, self.hierarchies, requirements(at.con, self.given),
            self.population,
            self.counts if judged or self.unit is not None else None, self.unit, run.known,
            *run.attacked(repeated), at.n, self.population and at.n,
        )  # fmt: skip
        in_all = exp.select(f"coalesce(sum({at.n}), 0)::bigint").from_(named_table(release))
        [(released_rows,)] = execute(at.con, in_all)
        require_all(at, self.counts, released_rows, suppressed)
        k, reached, required = run.verdicts(check)
        people = run.people(named_table(release))
        found = Verified(released_rows, suppressed, k.classes, reached, people, required)
        return run.verified_by_attacks(found, repeated)


def _once(columns: Sequence[str]) -> list[str]:
    """Names of columns, each once."""
    return list({name.lower(): name for name in columns}.values())
