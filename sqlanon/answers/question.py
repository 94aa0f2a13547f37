"""Reading a question: SQL of which a whitelist is understood, and everything else is refused by name.

The asker's text is never run. What is understood becomes a `Question`, and answers are made from that.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import ParseError, SqlglotError

from sqlanon.core.errors import UseError
from sqlanon.core.source import lower
from sqlanon.core.statements import render
from sqlanon.core.suggestions import suggestion

LONGEST = 10_000  # characters of a question
SHOWN = 60  # characters of a part in a message
MOST_SETS = 64  # grouping sets
ALLOWED = (
    "allowed are count(*), count(column), sum, avg and count(*) filter (where ...) / count(*) of one table; "
    "WHERE with AND, OR, NOT, IN, BETWEEN, IS NULL and comparisons with constants; GROUP BY, HAVING, ORDER "
    "BY, LIMIT"
)
COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NullSafeEQ, exp.NullSafeNEQ)
COMPARED = (*COMPARISONS, exp.In, exp.Is)
TURNED: dict[type[exp.Expression], type[exp.Expression]] = {
    exp.LT: exp.GT,
    exp.LTE: exp.GTE,
    exp.GT: exp.LT,
    exp.GTE: exp.LTE,
}
CONSTANTS = (exp.Literal, exp.Neg, exp.Boolean, exp.Null, exp.Cast)
Reader = Callable[[exp.Expression], exp.Expression]
OF_TIME = (exp.DataType.Type.DATE, exp.DataType.Type.TIMESTAMP, exp.DataType.Type.TIMESTAMPNTZ)
OF_SELECT = {"expressions", "from", "where", "group", "having", "order", "limit", "offset"}
SETS = ("expressions", "rollup", "cube", "grouping_sets")
OF_GROUP = {*SETS, "all"}


@dataclass(frozen=True)
class Aggregate:
    """What a cell tells: count (of rows, or of those that have a measure or a dimension), people (count of
    distinct ones, measure: the unit), sum, avg or share.
    filter: of the rows that are counted; of a share those whose share it is."""

    kind: str
    measure: str | None = None
    filter: exp.Expression | None = None

    @property
    def name(self) -> str:
        """What its columns are called if nothing else is said."""
        kind = "count" if self.kind == "people" else self.kind
        return kind if self.measure is None else f"{kind}_{self.measure}"


@dataclass(frozen=True)
class Part:
    """A part of a question: what it counts, by which columns (in one order), of whom."""

    what: Aggregate
    names: tuple[str, ...]
    where: exp.Expression | None

    @property
    def conditions(self) -> list[exp.Expression]:
        return [each for each in (self.where, self.what.filter) if each is not None]


@dataclass
class Question:
    """A question that is understood. select: group columns and aggregates, by the names of the answer; sets:
    of group columns, in their order; aggregates: all that there are; having: a condition on these, of which
    the first is column b0. Columns in conditions have the names of the policy."""

    select: dict[str, str | Aggregate]
    where: exp.Expression | None
    sets: list[tuple[str, ...]]
    aggregates: Sequence[Aggregate]
    having: exp.Expression | None
    order: list[tuple[str | Aggregate, bool, bool | None]]
    limit: int | None = None
    offset: int = 0

    @property
    def groups(self) -> list[str]:
        """All columns that are grouped by."""
        return list(dict.fromkeys(name for names in self.sets for name in names))

    def part(self, what: Aggregate, names: Iterable[str]) -> Part:
        return Part(what, tuple(sorted(names)), self.where)


def refused(node: Any, why: str) -> UseError:
    """An error that names the part of a question that is not allowed: a node, or its text."""
    text = node if isinstance(node, str) else render(node)
    text = re.sub(r"\s+", " ", text).lstrip(", ")  # a join begins with a comma
    shown = text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
    return UseError(f"not allowed: {shown}: {why}")


def read(
    text: str, table: str, dimensions: Iterable[str], measures: Iterable[str], unit: str | None = None
) -> Question:
    """The question in a text. table: what it calls the table; dimensions, measures: the columns that it may
    use; unit: that says whose a row is, if people are counted. Errors: UseError."""
    if len(text) > LONGEST:
        raise UseError(f"the question has {len(text):,} characters; at most {LONGEST:,} are read")
    return _Reading(table, dimensions, measures, unit).question(_parsed(text))


def _parsed(text: str) -> exp.Select:
    try:
        statements = [each for each in sqlglot.parse(text, dialect="duckdb") if each is not None]
    except ParseError as error:
        [first, *_] = error.errors or [{}]
        said = str(first.get("description")).partition(" for <class")[0].rstrip(".")
        said = "something is missing" if "Required keyword" in said else said
        near = repr(str(first.get("highlight", ""))[:SHOWN])
        at = f"line {first.get('line')}, column {first.get('col')}"
        raise UseError(f"the question is no SQL: {at}: {said}, at {near}") from None
    except SqlglotError as error:  # a token that does not end
        place = re.match(r"Missing (\S+) from (\d+):(\d+)", str(error.__cause__))
        at = f"line {place[2]}, column {place[3]}: {place[1]}" if place else "a comment"
        raise UseError(f"the question is no SQL: {at} has no end") from None
    if len(statements) != 1:
        raise UseError(f"a question is one SELECT, not {len(statements)} statements")
    [statement] = statements
    if type(statement) is not exp.Select:
        raise refused(statement, "a question is one SELECT")
    return statement


class _Reading:
    def __init__(
        self, table: str, dimensions: Iterable[str], measures: Iterable[str], unit: str | None
    ) -> None:
        self.table, self.alias = table, table
        self.dimensions = {name.lower(): name for name in dimensions}
        self.measures = {name.lower(): name for name in measures}
        self.unit = {} if unit is None else {unit.lower(): unit}

    def question(self, query: exp.Select) -> Question:
        for name, value in query.args.items():
            if value and name.rstrip("_") not in OF_SELECT:
                part = value[0] if isinstance(value, list) else value
                raise refused(part if isinstance(part, exp.Expression) else name.upper(), ALLOWED)
        self._read_table(query.args.get("from_") or query.args.get("from"))
        where = query.args.get("where")
        condition = None if where is None else self.condition(where.this)
        self.sets = self._sets(query.args.get("group"))
        self.select = self._select(query.expressions)
        having = query.args.get("having")
        self.aggregates = [
            *dict.fromkeys(each for each in self.select.values() if isinstance(each, Aggregate))
        ]
        of_cells = None if having is None else self._condition(having.this, self._column_of, number)
        return Question(
            self.select, condition, self.sets, self.aggregates, of_cells,
            self._order(query.args.get("order")), self._number(query.args.get("limit")),
            self._number(query.args.get("offset")) or 0,
        )  # fmt: skip

    def _read_table(self, of: exp.Expression | None) -> None:
        table = None if of is None else of.this
        if table is None:
            raise UseError(f"the question asks no table: write FROM {self.table}")
        others = {name for name, value in table.args.items() if value} - {"this", "alias"}
        if not isinstance(table, exp.Table) or others or not isinstance(table.this, exp.Identifier):
            raise refused(table, f"the only table is {self.table}")
        if table.name.lower() != self.table.lower():
            raise refused(table, f"the only table is {self.table}{suggestion(table.name, [self.table])}")
        alias = table.args.get("alias")
        if alias is not None and alias.args.get("columns"):
            raise refused(alias, "columns have the names of the policy")
        self.alias = table.alias_or_name

    # CONDITIONS

    def condition(self, node: exp.Expression) -> exp.Expression:
        """A condition with the names of the policy, and constants that are constants."""
        return self._condition(node, self.dimension, constant)

    def _condition(self, node: exp.Expression, of: Reader, value: Reader) -> exp.Expression:
        """A condition. of: reads what is compared; value: what that is compared with."""

        def part(each: exp.Expression, within: type | None = None) -> exp.Expression:
            read = self._condition(each, of, value)  # a long chain of one operator stays one
            return read if isinstance(read, exp.Paren) or type(read) is within else exp.Paren(this=read)

        match node:
            case exp.Paren():
                return part(node.this)
            case exp.And() | exp.Or():
                left, right = (part(each, type(node)) for each in (node.this, node.expression))
                return type(node)(this=left, expression=right)
            case exp.Not():
                return exp.Not(this=part(node.this))
            case exp.Boolean() | exp.Null():
                return node.copy()
            case exp.Between() if not node.args.get("symmetric"):
                above = exp.GTE(this=of(node.this), expression=value(node.args["low"]))
                below = exp.LTE(this=of(node.this), expression=value(node.args["high"]))
                return exp.Paren(this=exp.And(this=above, expression=below))
            case exp.In() if {name for name, each in node.args.items() if each} <= {"this", "expressions"}:
                return exp.In(this=of(node.this), expressions=[value(each) for each in node.expressions])
            case exp.Is() if isinstance(node.expression, exp.Null):
                return exp.Is(this=of(node.this), expression=exp.null())
            case _ if type(node) in COMPARISONS:
                left, right = node.this, node.expression
                kind: type[exp.Expression] = type(node)
                if isinstance(left, CONSTANTS):
                    left, right, kind = right, left, TURNED.get(kind, kind)
                return kind(this=of(left), expression=value(right))
        raise refused(node, f"it is no condition that is understood; {ALLOWED}")

    def column(self, node: exp.Expression, known: Mapping[str, str], what: str) -> str:
        """The name of a column. Errors: UseError for anything else."""
        if not isinstance(node, exp.Column) or not isinstance(node.this, exp.Identifier):
            raise refused(node, f"here stands a {what}, one of {', '.join(known.values()) or 'none'}")
        if node.args.get("db") or (node.table and node.table.lower() != self.alias.lower()):
            raise refused(node, f"the only table is {self.alias}")
        if node.name.lower() not in known:
            raise refused(
                node,
                f"no {what} is called so{suggestion(node.name, known.values())}; there are "
                f"{', '.join(known.values()) or 'none'}",
            )
        return known[node.name.lower()]

    def dimension(self, node: exp.Expression) -> exp.Column:
        """A dimension, or a level of one."""
        return exp.column(self.column(node, self.dimensions, "dimension"), quoted=True)

    # GROUPS

    def _sets(self, group: exp.Expression | None) -> list[tuple[str, ...]]:
        if group is None:
            return [()]
        if any(value and name not in OF_GROUP for name, value in group.args.items()):
            raise refused(group, ALLOWED)
        if group.args.get("all"):
            raise refused("GROUP BY ALL", "name the columns")
        elements = (each for name in SETS for each in group.args.get(name) or ())
        parts = [self._sets_of(each) for each in elements]
        if (sets := math.prod(map(len, parts))) > MOST_SETS:
            raise refused(group, f"it has {sets:,} grouping sets, and at most {MOST_SETS} are answered")
        return list(dict.fromkeys(tuple(dict.fromkeys(sum(chosen, ()))) for chosen in product(*parts)))

    def _sets_of(self, node: exp.Expression) -> list[tuple[str, ...]]:
        """The grouping sets of an element of GROUP BY."""
        match node:
            case exp.Rollup():
                units = [self._set(each) for each in node.expressions]
                return [sum(units[:end], ()) for end in range(len(units), -1, -1)]
            case exp.Cube():
                units = [self._set(each) for each in node.expressions]
                if len(units) > 6:  # whose subsets are more than MOST_SETS
                    raise refused(node, f"at most {MOST_SETS} grouping sets are answered")
                sizes = range(len(units), -1, -1)
                return [sum(chosen, ()) for size in sizes for chosen in combinations(units, size)]
            case exp.GroupingSets():
                return [one for each in node.expressions for one in self._sets_of(each)]
        return [self._set(node)]

    def _set(self, node: exp.Expression) -> tuple[str, ...]:
        if isinstance(node, exp.Tuple):
            return tuple(self.column(each, self.dimensions, "dimension") for each in node.expressions)
        while isinstance(node, exp.Paren):
            node = node.this
        return (self.column(node, self.dimensions, "dimension"),)

    # WHAT IS ASKED FOR

    def _select(self, items: Sequence[exp.Expression]) -> dict[str, str | Aggregate]:
        select: dict[str, str | Aggregate] = {}
        for item in items:
            node: Any = item.unalias()
            what = self._named(node)
            if isinstance(what, str) and not any(what in names for names in self.sets):
                raise refused(node, "a column that is selected must be in GROUP BY")
            called = item.alias or (what if isinstance(what, str) else what.name)
            if called.lower() in lower(select):
                raise refused(item, f"two columns are called {called}: write AS and another name")
            select[called] = what
        if not any(isinstance(what, Aggregate) for what in select.values()):
            raise UseError("the question has nothing to count: select count(*), a sum or a mean")
        return select

    def _named(self, node: exp.Expression) -> str | Aggregate:
        """A column that is grouped by, or an aggregate."""
        if isinstance(node, exp.Column):
            return self.column(node, self.dimensions, "dimension")
        return self.aggregate(node)

    def aggregate(self, node: exp.Expression) -> Aggregate:
        """What a cell tells."""
        match node:
            case exp.Paren():
                return self.aggregate(node.this)
            case exp.Div():
                return self._share(node)
            case exp.Filter() if isinstance(node.expression, exp.Where):
                of = self.aggregate(node.this)
                if of.filter is not None or of.kind == "share":
                    raise refused(node, ALLOWED)
                return Aggregate(of.kind, of.measure, self.condition(node.expression.this))
            case exp.Count():
                return self._count(node)
            case exp.Sum() | exp.Avg() if not self.measures:
                raise refused(
                    node,
                    "no measure is declared (answers.measures), or the way of the policy answers counts only",
                )
            case exp.Sum() | exp.Avg() if not isinstance(node.this, exp.Distinct):
                measure = self.column(node.this, self.measures, "measure")
                return Aggregate("sum" if isinstance(node, exp.Sum) else "avg", measure)
        raise refused(node, ALLOWED)

    def _count(self, node: exp.Count) -> Aggregate:
        if isinstance(node.this, exp.Star) and not node.expressions and not node.this.args.get("except_"):
            return Aggregate("count")
        if isinstance(node.this, exp.Distinct) and self.unit and len(node.this.expressions) == 1:
            return Aggregate("people", self.column(node.this.expressions[0], self.unit, "unit of people"))
        if isinstance(node.this, exp.Distinct):
            raise refused(
                node,
                "people are not counted from this release, which does not say how many people a class has; "
                "count(*) counts rows",
            )
        if node.expressions:
            raise refused(node, ALLOWED)
        name = self.column(node.this, self.dimensions | self.measures, "column")
        if name in self.measures.values():
            return Aggregate("count", name)
        has = exp.Not(this=exp.Is(this=exp.column(name, quoted=True), expression=exp.null()))
        return Aggregate("count", None, has)

    def _share(self, node: exp.Div) -> Aggregate:
        part, whole = self.aggregate(node.this), self.aggregate(node.expression)
        are_counts = part.kind == whole.kind == "count" and part.measure is None
        if are_counts and part.filter is not None and whole == Aggregate("count"):
            return Aggregate("share", None, part.filter)
        raise refused(node, "a share is count(*) filter (where ...) / count(*)")

    # WHAT IS DONE WITH THE ANSWER

    def _column_of(self, node: exp.Expression) -> exp.Expression:
        """Of HAVING: the column of an aggregate."""
        what = self._item(node)
        if isinstance(what, str):
            raise refused(node, "HAVING is about what is counted; conditions on columns stand in WHERE")
        return exp.column(f"b{self.aggregates.index(what)}")

    def _item(self, node: exp.Expression) -> str | Aggregate:
        """An item of the select list by its name, or an aggregate."""
        if isinstance(node, exp.Column) and not node.table:
            for called, what in self.select.items():
                if called.lower() == node.name.lower():
                    return what
        what = self._named(node)
        if isinstance(what, Aggregate) and what not in self.aggregates:
            self.aggregates.append(what)
        return what

    def _order(self, order: exp.Expression | None) -> list[tuple[str | Aggregate, bool, bool | None]]:
        found: list[tuple[str | Aggregate, bool, bool | None]] = []
        for each in () if order is None else order.expressions:
            node = each.this
            if each.args.get("with_fill"):
                raise refused(each, ALLOWED)
            if isinstance(node, exp.Literal) and not node.is_string:
                position = self._whole(node)
                if not 1 <= position <= len(self.select):
                    raise refused(each, f"there are {len(self.select)} columns")
                what = [*self.select.values()][position - 1]
            else:
                what = self._item(node)
            if isinstance(what, str) and not any(what in names for names in self.sets):
                raise refused(each, "a column that orders must be in GROUP BY")
            found.append((what, bool(each.args.get("desc")), each.args.get("nulls_first")))
        return found

    def _number(self, node: exp.Expression | None) -> int | None:
        return None if node is None else self._whole(node.expression)

    def _whole(self, node: exp.Expression) -> int:
        if isinstance(node, exp.Literal) and not node.is_string and re.fullmatch(r"\d{1,9}", node.name):
            return int(node.name)
        raise refused(node, "here stands a whole number")


def constant(node: exp.Expression) -> exp.Expression:
    """A constant: a number, a text, true, false, NULL, or a date or time as DATE '2026-04-01'."""
    match node:
        case exp.Paren():
            return constant(node.this)
        case exp.Literal() | exp.Null() | exp.Boolean():
            return node.copy()
        case exp.Neg() if isinstance(node.this, exp.Literal) and not node.this.is_string:
            return exp.Neg(this=node.this.copy())
        case exp.Cast() if type(node) is exp.Cast and isinstance(node.this, exp.Literal):
            if node.this.is_string and node.to.this in OF_TIME:
                read = node.this.copy()
                read.meta["of_time"] = True
                return read
    if isinstance(node, exp.Column):
        raise refused(node, "a column is compared with constants")
    raise refused(node, "here stands a constant: a number, 'a text', true, false, NULL or DATE '2026-04-01'")


def number(node: exp.Expression) -> exp.Expression:
    """A number that is a constant."""
    read = constant(node)
    inner = read.this if isinstance(read, exp.Neg) else read
    if not isinstance(inner, exp.Literal) or inner.is_string:
        raise refused(node, "here stands a number")
    return read


def comparisons_of(condition: exp.Expression) -> Iterator[exp.Expression]:
    return condition.find_all(*COMPARED)


def rebuilt(condition: exp.Expression, part: Callable[[exp.Expression], exp.Expression]) -> exp.Expression:
    """AND, OR, NOT and parentheses with other parts; a constant as it is."""
    parts = {
        name: part(each) if isinstance(each, exp.Expression) else each
        for name, each in condition.args.items()
    }
    return type(condition)(**parts)


def all_of(conditions: Sequence[exp.Expression]) -> exp.Expression:
    """All of some conditions."""
    met, *others = conditions or [exp.true()]
    for each in others:
        met = exp.And(this=met, expression=each)
    return met


def in_one_way(condition: exp.Expression) -> exp.Expression:
    """A condition, written in one way: AND, OR and IN in one order, each part once, no parentheses."""
    match condition:
        case exp.Paren():
            return in_one_way(condition.this)
        case exp.And() | exp.Or():
            own = (in_one_way(each) for each in condition.flatten() if isinstance(each, exp.Expression))
            parts = {render(each): each for each in own}
            join = exp.and_ if isinstance(condition, exp.And) else exp.or_
            joined: Any = join(*(parts[text] for text in sorted(parts)))
            return joined if len(parts) > 1 else parts[min(parts)]
        case exp.In():
            constants = {render(each): each for each in condition.expressions}
            return exp.In(this=condition.this, expressions=[constants[text] for text in sorted(constants)])
    return rebuilt(condition, in_one_way) if isinstance(condition, exp.Not) else condition


def joined_by_and(condition: exp.Expression) -> Iterator[exp.Expression]:
    """The parts of a condition that must all be met."""
    bare: Any = condition.unnest()
    if isinstance(bare, exp.And):
        for part in (bare.this, bare.expression):
            yield from joined_by_and(part)
    else:
        yield bare


def question_of(part: Part, table: str) -> str:
    """The question that a part is, as text."""
    what, where = part.what, part.where
    column = exp.Star() if what.measure is None else exp.column(what.measure, quoted=True)
    counted = exp.Distinct(expressions=[column]) if what.kind == "people" else column
    kind: Any = {"sum": exp.Sum, "avg": exp.Avg}.get(what.kind, exp.Count)
    aggregate = kind(this=counted)
    if what.filter is not None:
        aggregate = exp.Filter(this=aggregate, expression=exp.Where(this=in_one_way(what.filter)))
    if what.kind == "share":
        aggregate = exp.Div(this=aggregate, expression=exp.Count(this=exp.Star()))
    groups = [exp.column(name, quoted=True) for name in part.names]
    query = exp.select(aggregate).from_(exp.to_identifier(table, quoted=True)).group_by(*groups)
    return render(query if where is None else query.where(in_one_way(where)))
