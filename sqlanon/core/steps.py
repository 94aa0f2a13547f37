"""An algorithm, step by step: the chain of relations that its macro is, each as a temporary table.

The macro says how a release is made, and says it once: a WITH of named relations, each made from those
before. As one statement that is fast on small tables; on large ones steps can spill to disk, be watched, and
be interrupted. So the chain is read from the catalog, arguments take the place of parameters, and every
relation that the answer needs becomes a table. One that is recursive is a loop where there are many rows: its
first member makes the table, its second is run on the rows of the last round until there are none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import duckdb
import sqlglot
from sqlglot import exp

from sqlanon.core.freshness import fingerprint
from sqlanon.core.library import definitions
from sqlanon.core.source import fresh_name
from sqlanon.core.statements import call, count, create, execute, literal, named_table, render, scalar, select
from sqlanon.core.tables import WorkTables

PREFIX = "_sqlanon_"  # of the names of relations in a chain
_CHAIN = re.compile(rf"WITH (RECURSIVE )?{PREFIX}", re.IGNORECASE)  # how the definition of one begins
_MACRO = re.compile(r"(?:SELECT \* )?FROM sqlanon\.(_\w+)\(", re.IGNORECASE)  # how the call of one begins
MANY = 50_000  # rows from which on a recursion is a loop

Watch = Callable[[str, float, str], None]  # the step, the share of it that is done (0 to 1), and a message


@dataclass(frozen=True)
class Macro:
    """The definition of a macro: names of parameters, and what it is."""

    parameters: tuple[str, ...]
    definition: str

    @cached_property
    def tree(self) -> exp.Expr:
        """The definition, parsed."""
        return sqlglot.parse_one(self.definition, dialect="duckdb")


@dataclass(frozen=True)
class Step:
    """A relation of a chain.

    query: a SELECT, or the two members of a recursion. reads: the relations that it names. made_by: the macro
    whose call it is, or whose call makes the next rows of it; empty if it is more than a call.
    """

    query: exp.Expression
    is_recursive: bool
    reads: tuple[str, ...]
    made_by: str


def statement_of(con: duckdb.DuckDBPyConnection, macro: str, arguments: Mapping[str, Any]) -> str:
    """What a public macro runs, as text, with everything checked that does not need the data.

    arguments: by parameter; NULL for those that are not there. Errors: InputError, as in the macro.
    """
    given = {**arguments, "requirements": requirements(con, arguments)}
    return str(value_of(con, f"_{macro}_statement", given))


def call_of(con: duckdb.DuckDBPyConnection, macro: str, arguments: Mapping[str, Any]) -> str:
    """A call of a macro that is a chain, as text. arguments: by parameter, as in value_of."""
    values = (arguments.get(parameter) for parameter in _definition(con, macro).parameters)
    return render(call(macro, *values))


def value_of(con: duckdb.DuckDBPyConnection, macro: str, arguments: Mapping[str, Any]) -> Any:
    """The value of a scalar macro. arguments: by parameter; others are left out, and NULL for those that are
    not there. Errors: InputError, as in the macro."""
    values = (arguments.get(parameter) for parameter in _definition(con, macro).parameters)
    [(value,)] = execute(con, scalar(macro, *values))
    return value


def requirements(con: duckdb.DuckDBPyConnection, arguments: Mapping[str, Any]) -> exp.Expression:
    """What is required, packed as the macros hand it on: `sqlanon._requirements(k, l, ...)`."""
    values = [arguments.get(name) for name in _definition(con, "_requirements").parameters]
    packed = exp.Anonymous(this="_requirements", expressions=[literal(value) for value in values])
    return exp.Dot(this=exp.to_identifier("sqlanon"), expression=packed)


class Chain:
    """The steps of a statement that calls a chain, with its relations named as tables in `work`.

    `make` makes a step's table, and before it those that it reads. A step can be given from elsewhere with
    `provide`.
    """

    def __init__(
        self, con: duckdb.DuckDBPyConnection, work: WorkTables, statement: str, watch: Watch
    ) -> None:
        self._con, self._work, self._watch = con, work, watch
        self.made: set[str] = set()
        self._provided: dict[str, Callable[[], object]] = {}
        self.steps, self.last = _steps(con, statement, work.name(""))

    def provide(self, name: str, make: Callable[[], object]) -> None:
        """Have a step's table made by a function, which makes it in the work tables."""
        self._provided[name] = make

    def table(self, name: str) -> str:
        """The name of a step's table, which is made if it is not there yet."""
        self.make(name)
        return self._work.name(name)

    def make(self, name: str) -> None:
        """Make a step's table, unless it is there."""
        if name in self.made:
            return
        step = self.steps[name]
        if name in self._provided:
            self._provided[name]()
        else:
            for other in step.reads:
                self.make(other)
            self._watch(name, 0, "")
            if step.is_recursive:
                self._recur(name, step)
            else:
                self._work.make(name, step.query)
        self.made.add(name)

    def again(self, statement: str, anew: Iterable[str] = (), kept: Container[str] = ()) -> Chain:
        """The chain of another statement, over the steps of this one but for some, and those that read them,
        which are made anew. kept: steps that stay as they are, whatever they read."""
        chain = Chain(self._con, self._work, statement, self._watch)
        changed = set(anew)
        for name, step in chain.steps.items():  # each comes after those that it reads
            if name not in kept and not changed.isdisjoint(step.reads):
                changed.add(name)
        chain.made = self.made - changed
        return chain

    def query(self) -> exp.Expression:
        """The query of the answer, once everything that it reads is there."""
        for name in _needed(self.steps, self.last.reads, self._provided):
            self.make(name)
        return self.last.query.copy()

    def elsewhere(self, wanted: Iterable[str], given: Container[str]) -> list[exp.Expression]:
        """The statements that make some steps, and those that they read, where others are given. (None of
        them is recursive.)"""
        return [
            create(named_table(self._work.name(name)), self.steps[name].query, temporary=True)
            for name in _needed(self.steps, wanted, given)
            if name not in given
        ]

    def answer(self, **extra: Any) -> exp.Select:
        """The query of the answer, with more arguments for the macro that it calls."""
        query = self.query()
        assert isinstance(query, exp.Select)
        macro = query.args["from_" if "from_" in query.args else "from"].find(exp.Anonymous)
        for parameter, value in extra.items():
            named = exp.PropertyEQ(this=exp.to_identifier(parameter), expression=literal(value))
            macro.append("expressions", named)
        return query

    def _recur(self, name: str, step: Step) -> None:
        """All rows of a recursive relation: in one statement, or round by round where there are many."""
        con, work, union = self._con, self._work, step.query
        assert isinstance(union, exp.Union)
        work.make(f"{name}_start", union.this)
        start = named_table(work.name(f"{name}_start"))
        [(first,)] = execute(con, count(start))
        if first < MANY:
            work.make(name, _recursion(work.name(name), select(start), union.expression))
            return
        kept, rows = self._kept_of(name)
        work.make(name, select(start))
        work.make(kept, rows)
        rounds, left = 0, first
        while left:
            self._watch(name, max(0.0, 1 - left / first), f"round {rounds}: {left:,} of {first:,} left")
            work.make(f"{name}_next", union.expression)
            work.rename(f"{name}_next", name)
            execute(con, exp.insert(rows, named_table(work.name(kept))))
            [(left,)] = execute(con, count(named_table(work.name(name))))
            rounds += 1
        if kept in self.steps:
            self.made.add(kept)
        else:
            work.rename(kept, name)

    def _kept_of(self, name: str) -> tuple[str, exp.Expression]:
        """What is kept of the rows of each round: a table, and the query that fills it.

        All of them; but where nothing reads the relation except a step that picks rows and columns, what that
        one picks.
        """
        readers = [other for other, step in self.steps.items() if name in step.reads]
        if len(readers) == 1 and name not in self.last.reads and _only_picks(self.steps[readers[0]].query):
            return readers[0], self.steps[readers[0]].query
        return f"{name}_all", select(named_table(self._work.name(name)))


def statements(con: duckdb.DuckDBPyConnection, statement: str) -> list[exp.Expression]:
    """The steps of a statement that calls a chain, each a statement of its own; the last gives the rows."""
    apart = fresh_name("")  # a column of the user's may have the name of a relation
    steps, last = _steps(con, statement, apart)
    ordered: list[exp.Expression] = []
    for name in _needed(steps, last.reads, ()):
        query, table = steps[name].query, apart + name
        if isinstance(query, exp.Union) and steps[name].is_recursive:
            query = _recursion(table, query.this, query.expression)
        ordered.append(create(named_table(table), query, temporary=True))
    ordered.append(last.query)
    for each in ordered:
        _rename(each, apart, PREFIX)
    return ordered


def _needed(steps: Mapping[str, Step], wanted: Iterable[str], provided: Container[str]) -> list[str]:
    """Some steps and those that they read, directly or not, in the order of the chain: refusals come
    first."""
    needed: set[str] = set()
    left = list(wanted)
    while left:
        name = left.pop()
        if name not in needed:
            needed.add(name)
            left += () if name in provided else steps[name].reads
    return [name for name in steps if name in needed]


def _recursion(table: str, start: exp.Expression, more: exp.Expression) -> exp.Select:
    whole = exp.union(start, more, distinct=False)
    return select(named_table(table)).with_(table, as_=whole, recursive=True)


def _only_picks(query: exp.Expression) -> bool:
    """Is a query a SELECT of which each row comes from one row, whatever the others are?"""
    clauses = {name for name, value in query.args.items() if value}
    apart = (exp.AggFunc, exp.Window, exp.Anonymous, exp.Subquery, exp.Star)
    return clauses <= {"expressions", "from", "from_", "where"} and query.find(*apart) is None


def _unwrapped(query: exp.Expression) -> exp.Expression | str:
    """What `FROM query('...')` runs, if a query is nothing else."""
    if (
        isinstance(query, exp.Select)
        and (texts := _texts_of(query))
        and len(list(query.find_all(exp.Table))) == 1
    ):
        return str(texts[0].expressions[0].this)
    return query


def _texts_of(query: exp.Expression) -> list[exp.Anonymous]:
    return [call for call in query.find_all(exp.Anonymous) if call.name.lower() == "query"]


@cache
def _definitions(version: str) -> dict[str, Macro]:
    """The macros of a version of the library, once they were read."""
    return {}


def _definition(con: duckdb.DuckDBPyConnection, macro: str) -> Macro:
    known = _definitions(fingerprint())
    if not known:  # all at once: DuckDB lists all functions for each question about one
        listed = definitions(con)
        known.update({name: Macro(tuple(parameters), text) for name, parameters, text in listed})
    return known[macro]


def _steps(con: duckdb.DuckDBPyConnection, statement: str, prefix: str) -> tuple[dict[str, Step], Step]:
    """The relations of the chain that a statement calls, by name, and the query of the answer."""
    called = sqlglot.parse_one(statement, dialect="duckdb").find(exp.Anonymous)
    assert called is not None
    chains: dict[str, str] = {}
    queries = _queries(con, called, prefix, chains)
    name = re.compile(re.escape(prefix) + r"(\w+)")
    steps = {}
    for step, query in queries.items():
        text = render(query)
        named = dict.fromkeys(read for read in name.findall(text) if read in queries and read != step)
        rest = render(query.expression) if isinstance(query, exp.Union) else ""
        is_recursive = step in name.findall(rest)
        made_by = chains.get(step) or (
            _macro_of(query.expression, rest) if is_recursive else _macro_of(query, text)
        )
        steps[step] = Step(query, is_recursive, tuple(named), made_by)
    return steps, steps.pop("")


def _macro_of(query: exp.Expression, text: str) -> str:
    """The name of the macro whose call a query is, if it is nothing else. text: of the query."""
    called = _MACRO.match(inner if isinstance(inner := _unwrapped(query), str) else text.lstrip("("))
    return called[1] if called else ""


def _queries(
    con: duckdb.DuckDBPyConnection,
    called: exp.Anonymous,
    prefix: str,
    chains: dict[str, str],
    within: str = "",
) -> dict[str, exp.Expression]:
    """The queries of a chain by the names of its relations, and of its answer by the empty name.

    Where a relation is nothing but a call of another chain, that one's are here, too, each under the names of
    both: `label_extent` is `extent` in the chain that `label` calls. within: the name of the calling one.
    chains: gets the chain that each of the relations calls.
    """
    macro = _definition(con, called.name)
    arguments = _by_name(macro, called)
    tree = macro.tree.copy()
    own = f"{prefix}{within}_" if within else prefix
    _rename(tree, PREFIX, own)  # while there is no text of the user's in it
    with_ = tree.args["with_" if "with_" in tree.args else "with"].pop()
    queries = {cte.alias.removeprefix(prefix): cte.this for cte in with_.expressions} | {within: tree}
    for query in queries.values():
        for column in list(query.find_all(exp.Column)):
            if not column.table and column.name in arguments:
                column.replace(_parenthesized(arguments[column.name]))
    _fold(con, queries, prefix, arguments.values())
    if isinstance(text := _unwrapped(queries[within]), str):
        queries[within] = sqlglot.parse_one(text, dialect="duckdb")
    spliced: dict[str, exp.Expression] = {}
    for step, query in queries.items():
        inner = _called_chain(con, query)
        if inner is None:
            spliced[step] = query
        else:
            chains[step] = inner.name
            spliced |= _queries(con, inner, prefix, chains, step)
    return spliced


def _by_name(macro: Macro, called: exp.Anonymous) -> dict[str, exp.Expression]:
    """The arguments of a call by parameter: first those that have their place, then those with a name."""
    named = [each for each in called.expressions if isinstance(each, exp.PropertyEQ)]
    placed = called.expressions[: len(called.expressions) - len(named)]
    arguments = dict(zip(macro.parameters, placed, strict=False))
    arguments |= {each.this.name: each.expression for each in named}
    assert arguments.keys() == set(macro.parameters), called.name
    return arguments


def _called_chain(con: duckdb.DuckDBPyConnection, query: exp.Expression) -> exp.Anonymous | None:
    """The call of a chain that a query is, or the text of one, if it is nothing else."""
    clauses = {name for name, value in query.args.items() if value} - {"expressions", "from", "from_"}
    if not isinstance(query, exp.Select) or clauses or not query.is_star:
        return None
    if isinstance(text := _unwrapped(query), str):
        called = _MACRO.match(text)
        if called is None or not _is_chain(con, called[1]):
            return None
        query = sqlglot.parse_one(text, dialect="duckdb").assert_is(exp.Select)
    table = query.args["from_" if "from_" in query.args else "from"].this
    call = table.this.expression if isinstance(table.this, exp.Dot) else table.this
    return call if isinstance(call, exp.Anonymous) and _is_chain(con, call.name) else None


def _is_chain(con: duckdb.DuckDBPyConnection, macro: str) -> bool:
    return macro.startswith("_") and _CHAIN.match(_definition(con, macro).definition) is not None


def _names(tree: exp.Expr, prefix: str) -> list[exp.Expr]:
    """The nodes that name relations with a prefix: names, and texts of queries."""
    return [node for node in tree.find_all(exp.Identifier, exp.Literal) if prefix in node.name]


def _rename(tree: exp.Expr, prefix: str, other: str) -> None:
    """Give relations another prefix."""
    for node in _names(tree, prefix):
        node.set("this", node.name.replace(prefix, other))


def _parenthesized(argument: exp.Expression) -> exp.Expression:
    plain = exp.Literal | exp.Null | exp.Boolean | exp.Array | exp.Cast | exp.Anonymous
    return argument.copy() if isinstance(argument, plain) else exp.paren(argument.copy())


def _fold(
    con: duckdb.DuckDBPyConnection,
    queries: Mapping[str, exp.Expression],
    prefix: str,
    arguments: Iterable[exp.Expression],
) -> None:
    """Evaluate arguments that name relations under a condition, and texts of queries, where they stand.

    The arguments of the chain are worked out as well: what they refuse is refused before any work.
    """
    found: list[exp.Expression] = []
    for query in queries.values():
        for called in query.find_all(exp.Anonymous):
            if not isinstance(called.parent, exp.Table | exp.Dot) or called.find_ancestor(exp.Table) is None:
                continue
            for argument in called.expressions:
                if not isinstance(argument, exp.Literal) and _names(argument, prefix):
                    found.append(argument)
    worked_out = (each.copy() for each in (*found, *arguments))
    [values] = execute(con, exp.Select().select(*worked_out, copy=False))
    for argument, value in zip(found, values[: len(found)], strict=True):
        argument.replace(literal(value))
