"""A release as questions are answered from it: read once, into a database of its own.

That database has the rows of the release, what they may stand for, and nothing else: no other table, no file,
no register. So no answer can depend on anything but the release.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import duckdb
from sqlglot import exp

from sqlanon.answers.declared import Column, Declaring
from sqlanon.answers.pieces import Dimension, Place, place_of
from sqlanon.core import library
from sqlanon.core.errors import UseError
from sqlanon.core.source import lower
from sqlanon.core.statements import call, create, execute, literal, select, table
from sqlanon.policies.answers import Answers, Declared, without_answers
from sqlanon.publishing.register import Entry, Register, opened

# Methods whose labels cover the values of each row, and that leave other columns as they are.
METHODS = ("mondrian", "generalize", "optimal", "samarati", "datafly", "mu_argus", "k_similar", "recode")
RELEASE = "answer_release"
OPTIMIZERS = ("filter_pushdown", "unused_columns", "cte_inlining")  # those that are left
KINDS = {
    "integer": ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"),
    "number": ("FLOAT", "DOUBLE", "DECIMAL", "HUGEINT", "UHUGEINT"),
    "date": ("DATE",),
    "timestamp": ("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS"),
    "boolean": ("BOOLEAN",),
    "text": ("VARCHAR",),
}


@dataclass(frozen=True)
class Measure:
    """A measure of the release: its number, and the range that is declared."""

    nth: int
    low: float
    high: float


@dataclass(frozen=True)
class Released:
    """A release in a database of its own: answer_row, answer_range and answer_text (sql/answers)."""

    con: duckdb.DuckDBPyConnection
    policy: Answers
    name: str
    made_on: date
    rows: int
    suppressed: int
    dimensions: Mapping[str, Dimension]
    measures: Mapping[str, Measure]

    @property
    def scale(self) -> float:
        """Rows of the source for each row of the release."""
        return (self.rows + self.suppressed) / self.rows if self.rows else 1.0


def read(policy: Answers, register: Path, wait: float = 0) -> Released:
    """The release that a policy says. Errors: UseError, which names the key, or what to do; InputError of the
    register."""
    if not register.exists():
        raise UseError(f"there is no register {register}: make a release ({_publishing(policy, register)})")
    con = duckdb.connect(config={"threads": 1, "python_enable_replacements": False})
    try:
        library.register(con)
        with opened(con, register, read_only=True, wait=wait) as known:
            entry = _entry(policy, known)
            [(made_at,)] = execute(
                con, "select made_at from sqlanon_register.releases where id = ?", [entry.id]
            )
            execute(con, create(table(RELEASE), select(entry.table)))
        return _Reading(con, policy, entry).released(made_at.date())
    except BaseException:
        con.close()
        raise


def _entry(policy: Answers, register: Register) -> Entry:
    """The release that questions are answered from. Errors: UseError."""
    publish = _publishing(policy, register.path)
    if policy.release is not None:
        entry = register.entry(policy.release)
        if entry.status != "out":
            raise UseError(f"{entry} is {entry.status}: questions are answered from a release that is out")
    else:
        ours = [each for each in register.out() if each.status == "out" and _is_by(each, policy)]
        if not ours:
            raise UseError(
                f"no release in {register.path} that is out was made by {policy.path}: make one ({publish}), "
                "or name another one, answers.release"
            )
        entry = ours[-1]
    why = (
        "is randomized" if entry.is_randomized
        else "is a table of counts or sums" if entry.is_of_cells
        else "is of others, of whom it is not known how many rows they have left out" if entry.is_foreign
        else "has centroids, which cover nobody" if entry.nearest
        else f"was made by {entry.method}, whose rows are not answered from" if entry.method not in METHODS
        else "does not say how many rows are suppressed" if entry.suppressed_rows is None
        else None
    )  # fmt: skip
    if why is not None:
        raise UseError(f"{entry} {why}: questions are answered from a release of rows in classes ({publish})")
    return entry


def _publishing(policy: Answers, register: Path) -> str:
    """The command that makes a release."""
    return f"sqlanon publish SOURCE --policy {policy.path} --register {register} -o FILE"


def _is_by(entry: Entry, policy: Answers) -> bool:
    """Was a release made by a policy, whatever that says of answers?"""
    if not entry.policy or not policy.document.get("roles"):
        return False
    try:
        return without_answers(tomllib.loads(entry.policy)) == policy.document
    except tomllib.TOMLDecodeError:
        return False


class _Reading(Declaring):
    def __init__(self, con: duckdb.DuckDBPyConnection, policy: Answers, entry: Entry) -> None:
        columns = "select column_name, data_type from duckdb_columns() where table_name = ?"
        types = {str(name): str(type_) for name, type_ in execute(con, columns, [RELEASE])}
        super().__init__(con, policy, str(entry), types, "is generalized")
        self.entry = entry
        masks = tomllib.loads(entry.policy or "").get("masks", {})
        self.masked = {name.lower(): mask.get("method") for name, mask in masks.items()}

    def released(self, made_on: date) -> Released:
        unit = self._unit()
        measures = [self._measure(name, *ends) for name, ends in self.policy.measures.items()]
        columns = [self._dimension(*said) for said in enumerate(self.policy.dimensions.items(), 1)]
        names = [each.name for each in columns]
        hierarchies = {each.nth: self.hierarchy(each) for each in columns if each.said.hierarchy is not None}
        execute(self.con, create(table("answer_label"), call("_labels_for_questions", RELEASE, names)))
        self._declare(columns)
        domains = {each.nth: self._domain(each, hierarchies) for each in columns}
        self._read_labels(columns, domains, measures, unit)
        nulls = self._with_null()
        dimensions = {
            each.name: self.dimension(each, domains[each.nth], each.nth in nulls, hierarchies)
            for each in columns
        }
        self.check_names(
            [*self._called, *measures, *dimensions]
            + [name for each in dimensions.values() for name in each.levels]
        )
        execute(self.con, f"drop table {RELEASE}")
        execute(self.con, "set enable_external_access = false")
        self._plan_fast()
        ranges = enumerate(self.policy.measures.values(), 1)
        return Released(
            self.con, self.policy, self.entry.name, made_on, self.entry.row_count, self._suppressed,
            dimensions,
            {name: Measure(nth, *ends) for name, (nth, ends) in zip(measures, ranges, strict=True)},
        )  # fmt: skip

    def _plan_fast(self) -> None:
        """Do without what makes large tables fast: planning takes most of the time of an answer."""
        every = execute(self.con, "select name from duckdb_optimizers()")
        off = ",".join(name for (name,) in every if name not in OPTIMIZERS)
        execute(self.con, exp.Set(expressions=[exp.SetItem(this=exp.EQ(
            this=exp.to_identifier("disabled_optimizers"), expression=literal(off)))]))  # fmt: skip

    @property
    def _called(self) -> list[str]:
        """What questions call the unit."""
        return [self.policy.unit] if self.policy.unit is not None else []

    @property
    def _suppressed(self) -> int:
        return int(self.entry.suppressed_rows or 0)

    def _column(self, section: str, name: str, allowed: Sequence[str] = ()) -> str:
        """A column by the name that the release has for it. allowed: what may mask it."""
        known = self.column(section, name)
        if known.lower() in self.masked and self.masked[known.lower()] not in allowed:
            raise self.wrong(section, name, f"is masked in {self.entry}: its values are not the true ones")
        return known

    def _unit(self) -> tuple[str | None, str | None]:
        """The columns of the release that say whose a row is, and how many people a class has: one of them,
        or none."""
        if self.policy.people is not None:
            people = self._column("people", self.policy.people)
            if execute(self.con, call("_classes_with_other_people", RELEASE, [*self.entry.qi], people)):
                raise self.policy.wrong(
                    "answers.people", f": {people} does not say how many people each class of {self.entry} "
                    "has: one number, of at least 1 and at most its rows"
                )  # fmt: skip
            return None, people
        if self.policy.unit is None:
            return None, None
        return self._column("unit", self.policy.unit, ("hash",)), None

    def _measure(self, name: str, low: float, high: float) -> str:
        """A measure by the name of its column, which has numbers of its range."""
        known = self._column("measures", name)
        if known.lower() in lower(self.entry.qi):
            raise self.wrong("measures", name, f"is generalized in {self.entry}: its sums are not known")
        column = exp.column(known, quoted=True)
        number = exp.TryCast(this=column, to=exp.DataType.build("double"))
        within = exp.Between(this=number, low=literal(low), high=literal(high))
        wrong = exp.not_(exp.func("coalesce", within, exp.false()))
        has_value = exp.not_(exp.Is(this=column.copy(), expression=exp.null()))
        if execute(self.con, select(table(RELEASE), "1").where(has_value, wrong).limit(1)):
            raise self.wrong("measures", name, f"has values in {self.entry} that are no numbers of its range")
        return known

    def _dimension(self, nth: int, declared: tuple[str, Declared]) -> Column:
        name, said = declared
        known = self._column("dimensions", name)
        is_generalized = known.lower() in lower(self.entry.qi)
        return self.with_ends(
            Column(nth, known, said, self._kind(known, said, is_generalized), is_generalized)
        )

    def _kind(self, name: str, said: Declared, is_generalized: bool) -> str:
        """What the values of a dimension are."""
        released = self.types[name].partition("(")[0]
        own = next((kind for kind, types in KINDS.items() if released in types), None)
        if not is_generalized:
            kind = said.type or own
            possible = ["integer", "number"] if own in ("integer", "number") else [own]
            if kind is None or (own != "text" and kind not in possible):
                can = (
                    f"can be {' or '.join(map(str, possible))}" if own else "is none that can be asked about"
                )
                raise self.wrong("dimensions", name, f"is {self.types[name]} in {self.entry}: its type {can}")
            return kind
        return str(own) if said.type is None and own not in (None, "text") else self.kind(name, said)

    def _declare(self, columns: Sequence[Column]) -> None:
        """What is declared of the dimensions, beside their labels: answer_declared, answer_known."""
        execute(self.con, "create table answer_declared "
                "(d integer, kind text, is_generalized boolean, lo double, hi double)")  # fmt: skip
        self.con.executemany(
            "insert into answer_declared values (?, ?, ?, ?, ?)",
            [(each.nth, "text" if each.is_text else each.kind, each.is_generalized, *each.ends)
             for each in columns],
        )  # fmt: skip
        # mu_argus can release suppressed cells as NULL: then a missing value may be any
        missing = "*" if self.entry.method == "mu_argus" else None
        known = call(
            "_declared_labels", "answer_label", "answer_declared", exp.cast(literal(missing), "text")
        )
        execute(self.con, create(table("answer_known"), known))
        wrong = execute(
            self.con, select(call("_labels_of_another_type", "answer_known").subquery(), "min(d)")
        )
        if wrong != [(None,)]:
            column = columns[wrong[0][0] - 1]
            unlike = f"has values in {self.entry} that are not of its type, {column.kind}: it can be text"
            raise self.wrong("dimensions", column.name, unlike)

    def _domain(
        self, column: Column, hierarchies: Mapping[int, Sequence[tuple[Place, int, str]]]
    ) -> list[Place] | None:
        """The places of its groups: what is declared, or all values of a column that leaves unchanged."""
        if (declared := self.domain(column, hierarchies)) is not None:
            return declared
        if column.kind in ("integer", "date") and column.said.range:
            return None
        if column.is_generalized and column.is_text:
            wanted = 'say its values, or its hierarchy: values = ["a", "b"]'
            raise self.wrong("dimensions", column.name, f"is generalized: {wanted}")
        if column.is_generalized:
            return None
        labels = execute(
            self.con, "select label from answer_label where d = ? and label is not null", [column.nth]
        )
        places = (place_of(label, column.kind) for (label,) in labels)
        return sorted(place for place in places if place is not None)

    def _read_labels(
        self, columns: Sequence[Column], domains: Mapping[int, Sequence[Place] | None],
        measures: Sequence[str], unit: tuple[str | None, str | None],
    ) -> None:  # fmt: skip
        """What labels may stand for: answer_stated, answer_range, answer_text; and the rows: answer_row."""
        execute(self.con, "create table answer_value (d integer, value text)")
        texts = [(each.nth, place) for each in columns if each.is_text for place in domains[each.nth] or ()]
        if texts:
            self.con.executemany("insert into answer_value values (?, ?)", texts)
        execute(self.con, "create table answer_said (d integer, label text, value text)")
        for each in columns:
            if each.said.hierarchy is not None:
                read = select(call("read_hierarchy", str(each.said.hierarchy), each.name).subquery(),
                              literal(each.nth), "label", "value")  # fmt: skip
                execute(self.con, exp.insert(read, "answer_said"))
        execute(self.con, create(table("answer_under"), call("_labels_of_some_values", "answer_said")))
        rows = call("_rows_for_questions", RELEASE, "answer_label", [each.name for each in columns],
                    [*measures], *unit, [*self.entry.qi], self._suppressed)  # fmt: skip
        for name, query in {
            "answer_known_value": call("_texts_for_questions", "answer_known", "answer_value"),
            "answer_stated": call("_ranges_of_labels", "answer_known", "answer_under"),
            "answer_range": call("_weighed_ranges", "answer_stated", "answer_declared"),
            "answer_text": call("_texts_of_labels", "answer_known", "answer_known_value", "answer_under"),
            "answer_row": rows,
        }.items():
            execute(self.con, create(table(name), query))

    def _with_null(self) -> set[int]:
        """The dimensions in which a label says that values are missing."""
        found = execute(
            self.con,
            "select d from answer_stated where lo is null and not is_any union "
            "select d from answer_text where is_null and weight > 0",
        )
        return {nth for (nth,) in found}
