"""Mondrian over tables, DataFrames and relations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from sqlglot import exp

from sqlanon.anonymize.driver import CodedAnonymizer, Task, Verified
from sqlanon.core.errors import InputError, VerificationError
from sqlanon.core.release import Progress
from sqlanon.core.source import lower, named
from sqlanon.core.statements import call, columns, count, execute, named_table, render, select
from sqlanon.core.steps import statement_of

# tuples from which on it pays to fetch them
ENOUGH = 1_000

# the parameters that there may be where classes depend on nothing but k; some say nothing without others
K_ALONE = {
    "tbl", "qi", "sensitive", "keep", "k", "t_distance", "suppression_limit", "recoding", "seed", "by_value",
    "strata", "weights",
}  # fmt: skip


class Mondrian(CodedAnonymizer):
    """The chain of sql/anonymize/mondrian/mondrian.sql.

    composed_confidence (above 0, at most 1): nobody's most probable value is more probable than this, by the
    weights of `intersection_attack` over the known releases and this one, or than the known ones alone make
    it: details count these as surer_rows. A release is made and attacked, and made again with classes twice
    as large for those of whom it tells too much, until there are none. The macro does not do that, nor do
    other methods.

    bcf_k (at least 1): with based_on, rows may have come since the earlier release, and none gone. Whatever
    F, C or B attack is made on both (`correspondence`, Fung et al. 2008), so many rows are left in which a
    victim can be, of those who are in both and of those who are new; and with l, what is left of a class
    without earlier rows (`insert_only`, Byun et al. 2006) has no value or l. A release is made, attacked and
    made again, as for composed_confidence. It is about this pair of releases, and one sensitive column, whose
    values stay the same.

    With known releases details are exposed_rows, to which these leave fewer values than composed_l (they keep
    all of them), unbound_rows, which no class of theirs covers (they are exempt), and unread_rows of theirs,
    with labels that nobody understands. With a suppression_limit they are also exposed_suppressed_rows:
    suppressed rows that classes of others cover, in which whoever takes them for released finds fewer values
    than composed_l for them. Nothing else is required of suppressed rows. The check locates the source in the
    known releases and this one, as `intersection_attack` does.
    """

    phases: ClassVar = {"cut_state": "cutting"}
    may_suppress = False

    def __init__(
        self, task: Task, *, composed_confidence: float | None = None, bcf_k: int | None = None
    ) -> None:
        self.confidence, self.bcf_k = composed_confidence, bcf_k
        if composed_confidence is not None or bcf_k is not None:
            arguments = {**task.arguments, "floors": task.work.name("floor"), "bcf_k": bcf_k}
            task = replace(task, arguments=arguments)
            nothing = exp.select("null::integer as tuple_id", "null::bigint as floor", "false as is_whole")
            task.work.make("floor", nothing.where("false"))
        super().__init__(task)

    @classmethod
    def required(cls, macro: str, given: Mapping[str, Any], others: Mapping[str, Any]) -> dict[str, Any]:
        confidence, bcf_k = others.get("composed_confidence"), others.get("bcf_k")
        if confidence is not None:
            _check_confidence(confidence, others)
            # known releases are looked at; and nobody with several rows is to be certain of what one has
            least = 2 if others["unit"] and confidence < 1 else 1
            given = {**given, "composed_l": max(least, given.get("composed_l") or 1)}
        if bcf_k is not None:
            _check_growth(bcf_k, others)
        return super().required(macro, given, others)

    def columns_joined(self) -> list[str]:
        # rows that are counted elsewhere are those of the sensitive columns
        return (self.task.columns["keep"] or []) if self.task.arguments.get("by_value") is None else []

    def run(self, progress: Progress) -> None:
        """Cut; and as long as the release tells too much of somebody, cut again, with larger classes for
        these."""
        self._progress = progress
        if self.needs_k_alone:
            [(tuples,)] = execute(self.con, count(named_table(self.chain.table("tuple"))))
            if tuples >= ENOUGH:
                self.chain.provide("assignment", self.cut_arrays)
        super().run(progress)
        if self.confidence is not None:
            known = map(self.chain.table, ("known_located", "known_row", "known_target"))
            self.make("before", call("_surest", *known, self.known, len(self.judged), len(self.joined)))
            while self.too_sure_of_round():
                if self.cut_again("too_sure", "values are too sure"):
                    raise InputError(
                        f"no release can meet composed_confidence {self.confidence}: even in the whole table "
                        "as one class values are surer, together with the known releases"
                    )
        if self.bcf_k is not None:
            while self.telling_classes_of_round():
                covered = call("_covered_by_telling", self.at("telling_class"), self.at("located_in_all"))
                self.make("covered_target", covered)
                if self.cut_again("covered_target", "too few rows are left by correspondence"):
                    raise InputError(f"no release can meet bcf_k {self.bcf_k}: {self.left_of_the_whole()}")

    @property
    def needs_k_alone(self) -> bool:
        """Do classes depend on nothing but k? Of a parameter that is not known here it is not assumed."""
        given = self.task.arguments.items()
        unsaid = (type(None), bool, list)  # a flag that is set, or a name in a list, is something
        return {name for name, value in given if not isinstance(value, unsaid) or value} <= K_ALONE

    def cut_arrays(self) -> None:
        """The table `assignment`, as the steps would make it."""
        import pandas as pd

        from sqlanon.anonymize import median_cuts

        self.chain.make("refusal")
        tuples = columns(self.con, select(named_table(self.chain.table("tuple"))))
        relative_to = "attribute" if self.task.arguments.get("weights") is None else "weighed_attribute"
        spans = select(named_table(self.chain.table(relative_to)), "span").order_by("d")
        [(threads,)] = execute(self.con, "select current_setting('threads')")
        total, weights = len(tuples["weight"]), tuples["weight"]

        def progress(done: int) -> None:
            self.watch("cut_state", done / total, f"{total - done:,} of {total:,} left")

        found = median_cuts.classes(
            [tuples[f"q{i}"] for i in range(1, len(self.qi) + 1)],
            weights,
            [span for (span,) in execute(self.con, spans)],
            int(self.task.arguments["k"]),
            threads,
            progress,
            [i for i, name in enumerate(self.qi) if name.lower() in lower(self.strata)],
        )
        frame = pd.DataFrame({"tuple_id": tuples["tuple_id"], "class_id": found, "share": weights})
        with named(self.con, frame) as name:
            self.make("assignment", select(named_table(name)))

    def cut_again(self, disclosed: str, why: str) -> bool:
        """Cut with larger classes for those of a table. True: they are in the whole table as one class
        already."""
        chain, at = self.chain, self.at
        self.tell(0, f"cutting again: {why}")
        floors = call(
            "_raised_floors", at("floor"), at(disclosed), chain.table("combination"), at("assignment")
        )
        self.make("raised", floors)
        self.task.work.rename("raised", "floor")
        whole = select(named_table(at("floor")), "count(*)").where("is_whole")
        if execute(self.con, whole) != [(0,)]:
            return True
        statement = statement_of(self.con, self.task.macro, self.task.arguments)
        self.chain = chain.again(statement, ["cut_state"])
        return False

    def too_sure(self) -> int:
        """Of how many people (by quasi-identifiers and sensitive column) the located release tells too much:
        the table too_sure."""
        released = self.released_targets(self.chain.table("known_target"))
        releases = [*(self.known or ()), "the release"]
        self.make("after", call(
            "_surest", self.at("located_in_all"), self.at("rows_of_all"), released, releases,
            len(self.judged), len(self.joined),
        ))  # fmt: skip
        found = self.make("too_sure", call("_too_sure", self.at("before"), self.at("after"), self.confidence))
        [(people,)] = execute(self.con, count(found))
        return int(people)

    def too_sure_of_round(self) -> int:
        """Of how many people a release by the classes of this round would tell too much."""
        self.suppressed()
        self.located(self.make("round", self.chain.answer()))
        return self.too_sure()

    def telling_classes(self, release: exp.Table) -> int:
        """How many classes of a release tell too much together with the earlier one, which it has been
        located with: the table telling_class. What the attacks say is in tables of their names."""
        arguments = self.task.arguments
        hierarchies = self.chain.table("hierarchy") if arguments.get("hierarchies") else None
        for attack in ("correspondence", "insert_only"):
            releases = [*(self.known or ()), render(release)]
            sensitive = self.task.columns["sensitive"]
            self.make(attack, call(attack, releases, self.qi, sensitive, hierarchies=hierarchies))
        tables = map(self.at, ("correspondence", "insert_only", "kept_values"))
        found = self.make("telling_class", call("_telling_classes", *tables, self.bcf_k, arguments.get("l")))
        [(classes,)] = execute(self.con, count(found))
        return int(classes)

    def telling_classes_of_round(self) -> int:
        """How many classes of a release by the classes of this round would tell too much."""
        made = self.make("round", self.chain.answer())
        self.attacked(made)
        return self.telling_classes(made)

    def growth_reached(self) -> tuple[int | None, int | None]:
        """The rows that correspondence attacks leave at least, and the values without earlier rows."""
        reached = call("_growth_reached", self.at("correspondence"), self.at("insert_only"))
        [(anonymity, diversity)] = execute(self.con, reached)
        return anonymity, diversity

    def left_of_the_whole(self) -> str:
        """What the attacks leave of a release with one class."""
        anonymity, diversity = self.growth_reached()
        sentence = f"even of the whole table as one class attacks leave {anonymity} rows"
        if diversity is not None:
            sentence += f", and {diversity} values without earlier rows"
        return f"{sentence}. Rows that are new can be held back until there are more"

    def verified_by_attacks(self, found: Verified, release: exp.Table) -> Verified:
        if self.confidence is not None:
            return self.verified_confidence(found, self.confidence)
        return found if self.bcf_k is None else self.verified_growth(found, release)

    def verified_confidence(self, found: Verified, bound: float) -> Verified:
        """By the weights of the intersection attack."""
        if people := self.too_sure():
            raise VerificationError(f"composed confidence: values of {people:,} people are too sure")
        query = call(
            "_confidence_reached", self.at("before"), self.at("after"), self.chain.table("known_target"),
            bound,
        )  # fmt: skip
        [(reached, self.surer)] = execute(self.con, query)
        title = "composed confidence"
        return replace(
            found,
            reached={**found.reached} | ({} if reached is None else {title: reached}),
            required={**found.required, title: bound},
        )

    def verified_growth(self, found: Verified, release: exp.Table) -> Verified:
        """By correspondence attacks and insert-only inference."""
        if classes := self.telling_classes(release):
            raise VerificationError(
                f"BCF-anonymity: {classes:,} classes tell too much together with the earlier release"
            )
        titles = ("BCF-anonymity", "distinct l-diversity of inserts")
        bounds = (self.bcf_k, self.task.arguments.get("l"))
        reached, required = dict(found.reached), dict(found.required)
        for title, bound, value in zip(titles, bounds, self.growth_reached(), strict=True):
            if bound is not None:
                required[title] = bound
                reached |= {} if value is None else {title: value}
        return replace(found, reached=reached, required=required)

    def details(self) -> Mapping[str, Any]:
        return {} if self.confidence is None else {"surer_rows": self.surer}

    def suppressed(self) -> int:
        """The rows of those who are in no class: of the table suppressed_target, if anybody may be in it."""
        if not self.task.arguments.get("suppression_limit"):
            return 0
        tables = map(self.chain.table, ("known_target", "combination", "assignment"))
        suppressed = self.make("suppressed_target", call("_suppressed_targets", *tables))
        [(rows,)] = execute(self.con, select(suppressed, "coalesce(sum(people), 0)::bigint"))
        self.may_suppress = True
        return int(rows)

    def released_targets(self, targets: str) -> str:
        if not self.may_suppress:
            return targets
        self.make("released_target", call("_released_targets", targets, self.at("suppressed_target")))
        return self.at("released_target")

    def about_known(self) -> Mapping[str, Any]:
        """Also exposed_suppressed_rows."""
        if not self.may_suppress:
            return super().about_known()
        exposed = call(
            "_exposed_by_others", self.at("located_in_all"), self.at("rows_of_all"),
            self.at("suppressed_target"), self.source, self.known, self.judged, self.joined,
            self.chain.table("requirement"),
        )  # fmt: skip
        [(rows,)] = execute(self.con, exposed)
        return {**super().about_known(), "exposed_suppressed_rows": rows}


def _check_confidence(bound: float, others: Mapping[str, Any]) -> None:
    """Errors: InputError for what does not go with it."""
    if not 0 < bound <= 1:
        raise InputError(f"composed_confidence must be above 0 and at most 1, not {bound}")
    if not others["known"]:
        raise InputError("composed_confidence needs known: a list of the releases that are out already")
    for name, given in (("based_on", others["based_on"] is not None), ("relaxed", others["relaxed"])):
        if given:
            raise InputError(f"composed_confidence does not go with {name}")
    if others["population"] is not None:
        raise InputError("composed_confidence does not go with a population")


def _check_growth(bcf_k: int, others: Mapping[str, Any]) -> None:
    """Errors: InputError for what does not go with it."""
    sensitive = others["sensitive"] or []
    if bcf_k < 1:
        raise InputError(f"bcf_k must be at least 1, not {bcf_k}")
    if others["based_on"] is None:
        raise InputError("bcf_k needs based_on: the earlier release of a table that has grown")
    if len(sensitive) != 1:
        raise InputError(f"bcf_k takes one sensitive column, not {len(sensitive)}")
