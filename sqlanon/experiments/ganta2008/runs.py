"""One unit of work: the releases of a data set with a seed and a requirement, and the attacks on them.

Releases keep the ids of people here, which no real one would: without them nobody knows which class is
somebody's own.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.core.errors import LeavingWarning, VerificationError
from sqlanon.core.library import register
from sqlanon.core.statements import call, create, drop, execute, literal, named_table, select, table
from sqlanon.experiments.ganta2008.data import DATA_SETS, deal, load
from sqlanon.experiments.ganta2008.plan import (
    COMPOSED,
    FEW_KS,
    LEVELS,
    NAMED,
    STRICT_K,
    Settings,
    Unit,
    most_releases,
)
from sqlanon.macros.anonymize import microaggregate

DIGITS = 6  # of what is measured: beyond them sums of doubles differ from run to run

# Of every attribute: its values, and their entropy in bits. attribute, values, bits.
ATTRIBUTES = """
with cell as (
    unpivot (select columns(* exclude (id))::varchar from people)
    on columns(*) into name attribute value value
),
counted as (select attribute, value, count(*) as n from cell group by attribute, value),
total as (select attribute, sum(n) as total from counted group by attribute)
select attribute, count(*) as values, list_sum(list_sort(list(n / total * log2(total / n)))) as bits
from counted join total using (attribute)
group by attribute order by attribute
"""


@dataclass(frozen=True)
class Result:
    """A number that was measured.

    requirement, amount: as in a unit. method: of anonymization. releases: how many are attacked together.
    located: how the adversary finds somebody's class: 'own' (it is known, as the paper assumes), 'cover' (the
    classes that cover the quasi-identifiers), 'exact cover', or 'nearest' (centroid). sensitive: the
    attribute. targets: 'all', 'applicable' (those whose sensitive value is one, and not "not applicable"), or
    of section 4 'left out'. measure: its id in `breaches`, located_rightly, or what randomized.py measures.
    """

    data: str
    seed: int
    requirement: str
    amount: float
    method: str
    releases: int
    located: str
    sensitive: str
    targets: str
    measure: str
    value: float | None


class Laboratory:
    """A connection with one data set, dealt by one seed."""

    def __init__(self, settings: Settings, name: str, seed: int) -> None:
        self.set, self.seed, self.draws = DATA_SETS[name], seed, settings.draws
        self.con = duckdb.connect()
        self.con.execute("set threads = 1").fetchall()  # the other processors have other units to do
        self.con.execute("set enable_progress_bar = false").fetchall()
        register(self.con)
        load(self.con, self.set, settings.inputs[name])
        self.con.execute(self.set.group).fetchall()
        deal(self.con, seed, settings.common, max(most_releases(self.set), *COMPOSED))
        self.make("targets", select(named_table("common_people"), "*", "id as member"))

    def make(self, name: str, query: exp.Expression) -> str:
        """A table with a query's rows, in place of what had that name."""
        execute(self.con, drop(table(name)))
        execute(self.con, create(table(name), query))
        return name

    def attributes(self, unit: Unit) -> list[Result]:
        """The values of attributes, their entropy, and how often they do not apply (Tables 2, 3, 4)."""
        [(people,)] = execute(self.con, "select count(*) from people")
        results = [self.result(unit, "", "people", people)]
        for attribute, values, bits in execute(self.con, ATTRIBUTES):
            results += [
                self.result(unit, attribute, "values", values),
                self.result(unit, attribute, "entropy", bits),
            ]
        for attribute, code in self.set.sensitive.items():
            if code is not None:
                no = exp.column(attribute, quoted=True).eq(exp.Literal.string(code))
                [(share,)] = execute(self.con, select(named_table("people"), _share(no)))
                results.append(self.result(unit, attribute, "not applicable", 100 * share))
        return results

    def anonymous(self, unit: Unit, k: int) -> list[Result]:
        """k-anonymity by all methods (Figures 1 to 4, 7 and 8); for some k more than the paper has."""
        most = most_releases(self.set)
        strict = [self.mondrian(f"strict_{i}", f"subset_{i}", {"k": k}) for i in range(1, most + 1)]
        centers = [self.microaggregated(f"centers_{i}", i, k) for i in (1, 2)]
        results = []
        for column in self.set.sensitive:  # each by itself: together columns tell which row is whose
            results += self.attacked(unit, strict[:2], "Mondrian", sensitive=[column])
        for n in range(3, most + 1):
            results += self.attacked(unit, strict[:n], "Mondrian")
        own = {name: self.by_member(name) for name in [strict[0], *centers]}
        mixed = [strict[0], centers[1]]
        for releases, method in ((centers, "microaggregation"), (mixed, "Mondrian and microaggregation")):
            known = [own[name] for name in releases]
            results += self.attacked(unit, known, method, located="own")
        return results + self.beyond(unit, k, strict, centers) if k in FEW_KS else results

    def beyond(self, unit: Unit, k: int, strict: list[str], centers: list[str]) -> list[Result]:
        """Other ways to anonymize, and to locate: by what an adversary has."""
        relaxed = [self.mondrian(f"relaxed_{i}", f"subset_{i}", {"k": k}, relaxed=True) for i in (1, 2)]
        in_trees = [
            self.mondrian(f"generalized_{i}", f"subset_{i}", {"k": k}, hierarchies="hierarchies")
            for i in (1, 2)
        ]
        return [
            *self.attacked(unit, strict[:2], "Mondrian", located="exact cover"),
            *self.attacked(unit, relaxed, "relaxed Mondrian"),
            *self.attacked(unit, in_trees, "Mondrian with hierarchies", hierarchies="hierarchies"),
            *self.attacked(unit, centers, "microaggregation", located="nearest", nearest=True),
            self.located_rightly(unit, centers[0]),
        ]

    def diverse(self, unit: Unit) -> list[Result]:
        """Under k-anonymity together with entropy l-diversity or t-closeness (Figures 5 and 6)."""
        required = {"k": float(STRICT_K), unit.requirement: unit.amount}
        results = self.attacked(
            unit, [self.mondrian(f"diverse_{i}", f"subset_{i}", required) for i in (1, 2)], "Mondrian"
        )
        if unit.amount in NAMED:
            in_trees = [
                self.mondrian(f"grown_{i}", f"subset_{i}", required, hierarchies="hierarchies")
                for i in (1, 2)
            ]
            results += self.attacked(unit, in_trees, "Mondrian with hierarchies", hierarchies="hierarchies")
        return results

    # Releases

    def mondrian(
        self,
        name: str,
        source: str,
        required: Mapping[str, float],
        *,
        hierarchies: str | None = None,
        relaxed: bool = False,
    ) -> str:
        columns = list(self.set.sensitive) if required.keys() == {"k"} else list(self.set.sensitive)[:1]
        self.make(
            name,
            call(
                "mondrian", source, qi=self.set.qi, sensitive=columns, keep="id", seed=self.seed,
                hierarchies=hierarchies, relaxed=relaxed, **required,
            ),
        )  # fmt: skip
        check = call(
            "violations", name, qi=self.set.qi, sensitive=columns, hierarchies=hierarchies, **required
        )
        if results := execute(self.con, check):
            raise VerificationError(f"{len(results)} classes of {name} violate {required}")
        return name

    def microaggregated(self, name: str, subset: int, k: int) -> str:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", LeavingWarning)  # the ids do not leave this experiment
            microaggregate(
                self.con, f"subset_{subset}", qi=self.set.qi, sensitive=next(iter(self.set.sensitive)),
                keep="id", seed=self.seed, into=name, replace=True, k=k,
            )  # fmt: skip
        return name

    def by_member(self, release: str) -> str:
        """A release whose classes are sets of ids, `member`, in place of quasi-identifiers."""
        sensitive = exp.column(next(iter(self.set.sensitive)), quoted=True)
        value = exp.Unnest(expressions=[exp.Anonymous(this="list", expressions=[sensitive])])
        members = select(
            named_table(release),
            "'{' || string_agg(id::varchar, ', ' order by id) || '}' as member",
            exp.Alias(this=value, alias=exp.to_identifier(sensitive.name, quoted=True)),
        )
        in_class = [exp.column(column, quoted=True) for column in self.set.qi]
        return self.make(f"own_{release}", members.group_by(*in_class))

    # Attacks

    def attacked(
        self,
        unit: Unit,
        releases: Sequence[str],
        method: str,
        *,
        located: str = "cover",
        sensitive: Sequence[str] = (),
        hierarchies: str | None = None,
        nearest: bool = False,
    ) -> list[Result]:
        """What `breaches` tells of all targets, and of those whose sensitive value applies.

        The attack itself is made once.
        """
        columns = list(sensitive) or list(self.set.sensitive)[:1]
        qi = ["member"] if located == "own" else self.set.qi
        exact_cover = located == "exact cover"
        attack = call(
            "_attacked", list(releases), "targets", "id", columns, qi, columns, hierarchies, nearest, None,
            exact_cover
        )  # fmt: skip
        kinds = {"all": self.make("attacked", attack)}
        if inapplicable := [
            f"{column} {self.set.sensitive[column]}" for column in columns if self.set.sensitive[column]
        ]:
            value = exp.func("concat", exp.column("sensitive"), literal(" "), exp.column("actual"))
            some = select(named_table("attacked")).where(value.isin(*map(literal, inapplicable)).not_())
            kinds["applicable"] = self.make("attacked_applicable", some)
        about = {"method": method, "releases": len(releases), "located": located}
        return [
            self.result(unit, column, measure, value, targets=targets, **about)
            for targets, name in kinds.items()
            for column, measure, value in execute(
                self.con,
                call("_breaches", name, LEVELS, [], True).select("sensitive", "id", "value", append=False),
            )
        ]

    def located_rightly(self, unit: Unit, release: str) -> Result:
        """The share of targets whose nearest centroid is that of their own class."""
        located = call("locate", release, "common_people", id="id", qi=self.set.qi, nearest=True).subquery(
            "located"
        )
        classes = call("classes", release, qi=self.set.qi).subquery("class")
        right = exp.column("class_id", "located").eq(exp.column("class_id", "class"))
        query = (
            select(named_table(release), _share(right))
            .join(classes, using=[exp.column(column, quoted=True) for column in self.set.qi])
            .join(located, using=["id"])
        )
        [(share,)] = execute(self.con, query)
        return self.result(
            unit, "", "located_rightly", 100 * share, method="microaggregation", located="nearest"
        )

    def result(self, unit: Unit, sensitive: str, measure: str, value: float | None, **about: Any) -> Result:
        defaults = {"method": "", "releases": 1, "located": "", "targets": "all", **about}
        return Result(
            unit.data, unit.seed, unit.requirement, unit.amount,
            sensitive=sensitive, measure=measure, value=None if value is None else round(value, DIGITS),
            **defaults,
        )  # fmt: skip


def _share(condition: exp.Expression) -> exp.Expression:
    return exp.Avg(this=exp.cast(condition, "int"))
