"""A release as questions are answered from it: read once, into a database of its own.

That database has the rows of the release, what they may stand for, and nothing else: no other table, no file,
no register. So no answer can depend on anything but the release.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import duckdb
from sqlglot import exp

from sqlanon.answers.declared import Askable
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
_MADE_AT = "select made_at from sqlanon_register.releases where id = ?"
_TYPES = "select column_name, data_type from duckdb_columns() where table_name = ?"
# The dimensions in which a label says that values are missing.
_WITH_NULL = """
    select d from answer_range where isnan(lo) and own > 0
    union select d from answer_text where is_null and weight > 0"""


class Released(Askable):
    """A release in a database of its own: answer_row, answer_range and answer_text (sql/answers). Errors:
    UseError, which names the key, or what to do; InputError of the register."""

    def __init__(self, policy: Answers, register: Path, wait: float = 0) -> None:
        if not register.exists():
            raise UseError(
                f"there is no register {register}: make a release ({_publishing(policy, register)})"
            )
        con = duckdb.connect(config={"threads": 1, "python_enable_replacements": False})
        try:
            library.register(con)
            with opened(con, register, read_only=True, wait=wait) as known:
                entry = _entry(policy, known)
                [(made_at,)] = execute(con, _MADE_AT, [entry.id])
                execute(con, create(table(RELEASE), select(entry.table)))
            self.entry, self.name, self.made_on = entry, entry.name, made_at.date()
            self.rows, self.suppressed = entry.row_count, int(entry.suppressed_rows or 0)
            masks = tomllib.loads(entry.policy or "").get("masks", {})
            self.masked = {name.lower(): mask.get("method") for name, mask in masks.items()}
            types = {str(name): str(type_) for name, type_ in execute(con, _TYPES, [RELEASE])}
            super().__init__(con, policy, str(entry), types, "is generalized")
            self._read()
        except BaseException:
            con.close()
            raise

    @property
    def scale(self) -> float:
        """Rows of the source for each row of the release."""
        return (self.rows + self.suppressed) / self.rows if self.rows else 1.0

    def _read(self) -> None:
        unit = self._unit()
        dimensions = [self._dimension(*said) for said in enumerate(self.policy.dimensions.items(), 1)]
        self._make_labels(dimensions)
        dimensions = [replace(each, domain=self._domain(each)) for each in dimensions]
        self._read_labels(dimensions, unit)
        nulls = {nth for (nth,) in execute(self.con, _WITH_NULL)}
        self.declare(replace(each, has_null=each.nth in nulls) for each in dimensions)
        execute(self.con, f"drop table {RELEASE}")
        execute(self.con, "set enable_external_access = false")
        # do without what makes large tables fast: planning takes most of the time of an answer
        every = execute(self.con, "select name from duckdb_optimizers()")
        off = ",".join(name for (name,) in every if name not in OPTIMIZERS)
        execute(self.con, f"set disabled_optimizers = '{off}'")

    def _make(self, **queries: exp.Expression) -> None:
        for name, query in queries.items():
            execute(self.con, create(table(name), query))

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

    def measure(self, name: str, low: float, high: float) -> str:
        known = self._column("measures", name)
        if known.lower() in lower(self.entry.qi):
            raise self.wrong("measures", name, f"is generalized in {self.entry}: its sums are not known")
        column = exp.column(known, quoted=True)
        number = exp.TryCast(this=column, to=exp.DataType.build("double"))
        within = exp.Between(this=number, low=literal(low), high=literal(high))
        wrong = exp.not_(exp.func("coalesce", within, exp.false()))
        has_value = column.copy().is_(exp.null()).not_()
        if execute(self.con, select(table(RELEASE), "1").where(has_value, wrong).limit(1)):
            raise self.wrong("measures", name, f"has values in {self.entry} that are no numbers of its range")
        return known

    def _dimension(self, nth: int, declared: tuple[str, Declared]) -> Dimension:
        known = self._column("dimensions", declared[0])
        is_generalized = known.lower() in lower(self.entry.qi)
        kind = self._kind(known, declared[1], is_generalized)
        return self.dimension(nth, known, declared[1], kind, is_generalized)

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

    def _make_labels(self, dimensions: Sequence[Dimension]) -> None:
        """The labels of dimensions, and what is declared of these: answer_label, answer_declared."""
        execute(self.con, "create table answer_declared "
                "(d integer, kind text, is_generalized boolean, lo double, hi double)")  # fmt: skip
        self.con.executemany(
            "insert into answer_declared values (?, ?, ?, ?, ?)",
            [(each.nth, each.kind if each.is_ordered else "text", each.is_generalized,
              *(end if math.isfinite(end) else None for end in each.range)) for each in dimensions],
        )  # fmt: skip
        # mu_argus can release suppressed cells as NULL: then a missing value may be any
        missing = exp.cast(literal("*" if self.entry.method == "mu_argus" else None), "text")
        names = [each.name for each in dimensions]
        labels = call("_labels_for_questions", RELEASE, names, "answer_declared", missing)
        self._make(answer_label=labels)
        wrong = select(call("_labels_of_another_type", "answer_label").subquery(), "min(d)")
        for (d,) in (row for row in execute(self.con, wrong) if row != (None,)):
            of = dimensions[d - 1]
            unlike = f"has values in {self.entry} that are not of its type, {of.kind}: it can be text"
            raise self.wrong("dimensions", of.name, unlike)

    def _domain(self, of: Dimension) -> list[Place] | None:
        """The places of its groups: what is declared, or all values of a column that leaves unchanged."""
        if (declared := self.domain(of)) is not None:
            return declared
        if of.kind in ("integer", "date") and of.said.range:
            return None
        if of.is_generalized and not of.is_ordered:
            wanted = 'say its values, or its hierarchy: values = ["a", "b"]'
            raise self.wrong("dimensions", of.name, f"is generalized: {wanted}")
        if of.is_generalized:
            return None
        known = "select label from answer_label where d = ? and code > 0 and label is not null"
        labels = execute(self.con, known, [of.nth])
        places = (place_of(label, of.kind) for (label,) in labels)
        return sorted(place for place in places if place is not None)

    def _read_labels(self, dimensions: Sequence[Dimension], unit: tuple[str | None, str | None]) -> None:
        """What labels may stand for: answer_range, answer_text; and the rows: answer_row."""
        execute(self.con, "create table answer_value (d integer, value text)")
        execute(self.con, "create table answer_said (d integer, label text, value text)")
        texts = [(of.nth, place) for of in dimensions if not of.is_ordered for place in of.domain or ()]
        if texts:
            self.con.executemany("insert into answer_value values (?, ?)", texts)
        for of in (of for of in dimensions if of.said.hierarchy is not None):
            said = call("read_hierarchy", str(of.said.hierarchy), of.name).subquery()
            execute(self.con, exp.insert(select(said, literal(of.nth), "label", "value"), "answer_said"))
        self._make(
            answer_under=call("_labels_of_some_values", "answer_said"),
            answer_range=call("_ranges_of_labels", "answer_label", "answer_under", "answer_declared"),
            answer_text=call("_texts_of_labels", "answer_label", "answer_value", "answer_under"),
            answer_row=call(
                "_rows_for_questions", RELEASE, "answer_label", [of.name for of in dimensions],
                [*self.measures], *unit, [*self.entry.qi], self.suppressed,
            ),
        )  # fmt: skip


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
