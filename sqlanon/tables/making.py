"""A table of counts or sums as a policy has it: its cells, what is published of them, what that tells, and
what has become of each cell."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.core.files import as_pattern, place
from sqlanon.core.statements import call, count, execute, relation, select
from sqlanon.core.tables import WorkTables
from sqlanon.perturb.masks import Key, hashing
from sqlanon.policies.tables import MEAN_DECIMALS, TablePolicy
from sqlanon.tables.cell_keys import RECORD_KEY
from sqlanon.tables.decimals import value_that_leaves
from sqlanon.tables.programs import register_programs, require_solver

MARK = "*"  # of a hidden cell
OF_BOUNDS = ("_sqlanon_least", "_sqlanon_most")  # columns
SEED_DIGITS = 15  # of a hash, in hexadecimal: it fits a BIGINT


def least_of_hidden(parameters: Mapping[str, Any]) -> int:
    """How many people a hidden cell has at least, by what its table was made with."""
    return 0 if parameters.get("zeros") or "response" in parameters or parameters.get("hides_zeros") else 1


@dataclass
class Cells:
    """The cells of a table in work tables of these names. cells: as in table_cells; published: what leaves;
    bounds: as in cell_bounds; states: as in cell_states. further: how many cells were rounded further than
    their bounds suppose. statements: what has made each of them."""

    cells: str
    published: str = ""
    bounds: str = ""
    states: str = ""
    further: int = 0
    statements: dict[str, exp.Expression] = field(default_factory=dict)


@dataclass
class Making:
    """A table in the making. source, hierarchies: names of tables; of source are the rows for which the
    policy's filter holds. key_file: as in `sqlanon.mask`."""

    con: duckdb.DuckDBPyConnection
    work: WorkTables
    policy: TablePolicy
    source: str
    hierarchies: str | None
    key_file: str | os.PathLike[str] | None = None

    def __post_init__(self) -> None:
        require_solver()
        register_programs(self.con)
        section = self.policy.section
        if section.get("filter"):
            rows = call("_rows_that_hold", self.source, section["filter"])
            of_source = call("_filter_on_whole", self.source, section["filter"])
            [(filter,)] = execute(self.con, of_source)
            section = {**section, "filter": filter}
            self.policy = replace(self.policy, section=section)
            self.source = self.work.make("counted", rows).name
        self.whole = "measure" not in section
        self.additive = self.policy.of("unit") == {} or not self.is_spread(section["unit"])
        self.made = Cells("")

    def is_spread(self, unit: str) -> bool:
        """Is somebody in several of the finest cells, so that totals are no sums of people?"""
        spread = call("_people_in_several", self.source, unit, self.policy.dimensions)
        [(people,)] = execute(self.con, spread)
        return int(people) > 0

    def cells(self) -> Cells:
        """All of it, once."""
        hierarchies = {} if self.hierarchies is None else {"hierarchies": self.hierarchies}
        policy, made = self.policy, self.made
        made.cells = self._make("cells", "table_cells", self.source, **hierarchies,
                                **policy.of("measure", "unit", "linked"))  # fmt: skip
        with ExitStack() as stack:
            made.published = getattr(self, f"_{policy.section['method']}")(stack, hierarchies)
        self._find_bounds(hierarchies)
        return made

    def _make(self, purpose: str, macro: str, *sources: str, **parameters: Any) -> str:
        """A work table with the rows of a macro on the table's dimensions; its name."""
        query = call(macro, *sources, dimensions=self.policy.dimensions, **parameters, **self._total)
        self.made.statements[purpose] = query
        return self.work.make(purpose, query).name

    @property
    def _total(self) -> dict[str, Any]:
        return self.policy.of("total")

    def groups_alike(self, response: str) -> exp.Subquery:
        """The shown cells that have all people of their row over a dimension."""
        rules = call(
            "unsafe_cells",
            self.made.cells,
            dimensions=self.policy.dimensions,
            response=response,
            **self._total,
        )
        whole = select(rules.subquery("rules"), *self._labels()).where("rule = 'all'").subquery("whole")
        shown = (
            select(relation(self.made.published), *self._labels())
            .where(f"value <> '{MARK}'")
            .subquery("shown")
        )
        alike = [
            exp.NullSafeEQ(
                this=exp.column(each.name, "shown", quoted=True),
                expression=exp.column(each.name, "whole", quoted=True),
            )
            for each in self._labels()
        ]
        return (
            select(shown, *self._labels())
            .join(whole, on=exp.and_(*alike), join_type="semi")
            .subquery("alike")
        )

    def in_order(self, query: exp.Select) -> exp.Select:
        """Cells by their labels; totals come last."""
        total = exp.Literal.string(self.policy.section.get("total", "total"))
        for label in self._labels():
            query = query.order_by(exp.EQ(this=label, expression=total), label.copy())
        return query

    def _labels(self) -> list[exp.Column]:
        return [exp.column(name, quoted=True) for name in self.policy.dimensions]

    def _published(self, name: str, value: exp.Expression) -> str:
        """What leaves of cells: labels and a value."""
        shown = select(
            relation(name), *self._labels(), exp.Alias(this=value, alias=exp.to_identifier("value"))
        )
        return self.work.make("published", shown).name

    def _none(self, *_: Any) -> str:
        """Of all cells the value, for comparison."""
        return self._published(self.made.cells, value_that_leaves(self.con, self.made.cells))

    def _primary(self, *_: Any) -> str:
        """Without those that break a rule, and no others."""
        unsafe = self._make("unsafe", "unsafe_cells", self.made.cells, **self.policy.rules)
        left = call("_without_unsafe_cells", self.made.cells, unsafe, self.policy.dimensions)
        return self.work.make("published", left).name

    def _suppress(self, _: ExitStack, hierarchies: Mapping[str, str]) -> str:
        policy = self.policy
        publish = {name: as_pattern(place(file).path) for name, file in policy.of("publish").items()}
        given = policy.of("cost", "safety_range", "solver_seconds")
        left = self._make(
            "suppressed", "suppress_cells", self.made.cells, **policy.rules, **given, **publish,
            **hierarchies, additive=self.additive, whole=self.whole,
        )  # fmt: skip
        value = exp.cast(value_that_leaves(self.con, left), "text")
        shown = self._published(left, exp.Coalesce(this=value, expressions=[exp.Literal.string(MARK)]))
        if "mean" not in policy.section:
            return shown
        sums = self._make("sums", "table_cells", self.source, measure=policy.section["mean"], **hierarchies,
                          **policy.of("unit", "linked"))  # fmt: skip
        decimals = policy.section.get("decimals", MEAN_DECIMALS)
        return self.work.make(
            "with_means", call("_with_means", shown, sums, policy.dimensions, MARK, decimals)
        ).name

    def _round(self, _: ExitStack, hierarchies: Mapping[str, str]) -> str:
        given = self.policy.of("base", "rounding", "solver_seconds")
        rounding = given.get("rounding", "nearest")
        if rounding == "random":  # the same draw of a cell in every table: otherwise their mean tells it
            given["seed"] = int(Key.read(self.key_file).hash("the seed of rounding")[:SEED_DIGITS], 16)
        if rounding == "controlled":
            given |= hierarchies
        rounded = self._make("rounded", "round_cells", self.made.cells, **given)
        [(self.made.further,)] = execute(self.con, count(relation(rounded)).where("further"))
        return self._published(rounded, value_that_leaves(self.con, rounded))

    def _keys(self, stack: ExitStack, hierarchies: Mapping[str, str]) -> str:
        section, rows = self.policy.section, self.source
        if "ptable" in section:
            noise = as_pattern(place(section["ptable"]).path)
            self.work.make("noise", select(relation(noise)))
        else:
            made = call("perturbation_table", **self.policy.of("largest", "variance", "blocked"))
            self.work.make("noise", made)
        record_key = section.get("record_key")
        if record_key is None:
            function = stack.enter_context(hashing(self.con, Key.read(self.key_file)))
            keyed = call("_with_record_keys", rows, self.policy.dimensions, section["unit"], function)
            rows, record_key = self.work.make("keyed", keyed).name, RECORD_KEY
        counted = self._make(
            "perturbed", "cell_keys", rows, ptable=self.work.name("noise"), record_key=record_key,
            **self.policy.of("unit", "repeating"), **hierarchies,
        )  # fmt: skip
        return self._published(counted, exp.column("value"))

    @property
    def contributors(self) -> exp.Select | None:
        """How many people or rows there are to each sum, for those who judge later tables."""
        return None if self.whole else select(relation(self.made.cells), *self._labels(), "contributors")

    def about(self) -> dict[str, Any]:
        """What the register says of it: enough to write its counts as equations again."""
        about = {**self.policy.section, "additive": self.additive, "whole": self.whole}
        if self.contributors is not None:
            about["contributors"] = True
        if self.policy.section["method"] == "keys":
            noise = select(relation(self.work.name("noise")), "max(abs(pvalue))::double")
            [(about["noise"],)] = execute(self.con, noise)
        return about

    def publish_instead(self, published: str) -> None:
        """Publish other cells: the same, of which more are hidden."""
        self.made.published = published
        self._find_bounds({} if self.hierarchies is None else {"hierarchies": self.hierarchies})

    def _find_bounds(self, hierarchies: Mapping[str, str]) -> None:
        """What the published table tells, and what has become of its cells: with integer programs where a
        cell that breaks a rule is not known to be safe without."""
        section, made, policy = self.policy.section, self.made, self.policy
        about: dict[str, Any] = {"additive": self.additive, "whole": self.whole, **hierarchies}
        read = made.published
        if section["method"] == "round":
            about |= policy.of("base", "rounding")
        elif section["method"] == "keys":
            read = self._within_noise()
            about |= {"least": 0, "lower_column": OF_BOUNDS[0], "upper_column": OF_BOUNDS[1]}
        elif self.whole:  # zeros are not hidden, unless they are unsafe
            about["least"] = least_of_hidden(section)
            if "response" in section and not section.get("zeros"):
                read = self._with_least_of_totals()
                about["lower_column"] = OF_BOUNDS[0]
        about |= policy.of("solver_seconds")
        safety = policy.of("safety_range")
        for programs in ("linear", "integer") if self.whole else ("linear",):
            made.bounds = self._make("bounds", "cell_bounds", read, **about, programs=programs)
            made.states = self._make(
                "states", "cell_states", made.published, made.bounds, cells=made.cells, **policy.rules,
                **safety, whole=self.whole,
            )  # fmt: skip
            doubtful = count(relation(made.states)).where("state = 'unfinished' and len(rules) > 0")
            if execute(self.con, doubtful) == [(0,)]:
                return

    def _with_least_of_totals(self) -> str:
        """The cells with what each is at least if it is hidden: 1, where it is a total over the response,
        whose zeros are shown."""
        response = exp.column(self.policy.section["response"], quoted=True)
        total = exp.Literal.string(self.policy.section.get("total", "total"))
        least = exp.cast(exp.EQ(this=response, expression=total), "int")
        cells = relation(self.made.published)
        return self.work.make(
            "with_least", select(cells, "*", exp.Alias(this=least, alias=exp.to_identifier(OF_BOUNDS[0])))
        ).name

    def _within_noise(self) -> str:
        """The cells of a table with noise, each with the least and the most that it can be."""
        largest = select(relation(self.work.name("noise")), "max(abs(pvalue)) as _sqlanon_noise").subquery(
            "noise"
        )
        least, most = (
            exp.Alias(this=exp.maybe_parse(end), alias=exp.to_identifier(name))
            for end, name in zip(
                ("greatest(value - _sqlanon_noise, 0)", "value + _sqlanon_noise"), OF_BOUNDS, strict=True
            )
        )
        hidden = exp.Alias(this=exp.cast(exp.null(), "text"), alias=exp.to_identifier("value"))
        cells = select(relation(self.made.published), *self._labels(), hidden, least, most)
        return self.work.make("noisy", cells.join(largest, join_type="cross")).name
