"""Values of several releases that differ by spelling alone, read as one value and as several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.attack.known import Known, attack_query
from sqlanon.core.files import column_names
from sqlanon.core.source import lower
from sqlanon.core.statements import call, execute, literal, relation, select
from sqlanon.core.tables import WorkTables

# By columns, in lower case: of each value that is spelled in several ways, as what it is read.
Readings = Mapping[str, Mapping[str, str]]
SHOWN = 3


def readings(
    con: duckdb.DuckDBPyConnection, work: WorkTables, tables: Sequence[str], columns: Iterable[str],
    preferred: Sequence[tuple[str, str, str]] = (),
) -> Readings:  # fmt: skip
    """The values of columns that tables have in several spellings. preferred: other tables, whose spellings
    count first: name, its column, and as which of the columns it counts."""
    stated = []
    for name in tables:
        texts = texts_of(con, name)
        stated += [_stated(name, column, column, False) for column in columns if column.lower() in texts]
    for name, column, counts_as in preferred:
        if column.lower() in texts_of(con, name):
            stated.append(_stated(name, column, counts_as, True))
    if not stated:
        return {}
    made = work.make("stated_in_all", exp.union(*stated, distinct=False) if len(stated) > 1 else stated[0])
    found: dict[str, dict[str, str]] = {}
    for column, value, read_as in execute(con, call("_spelled_in_several_ways", made.name)):
        found.setdefault(column, {})[value] = read_as
    return found


def texts_of(con: duckdb.DuckDBPyConnection, name: str) -> set[str]:
    """The columns of a table that have text, in lower case."""
    cells = select(relation(name), "*").limit(0)
    described = execute(con, f"describe {cells.sql('duckdb')}")
    return {
        column.lower() for column, type_, *_ in described if type_ == "VARCHAR" or type_.startswith("ENUM")
    }


def _stated(name: str, column: str, counts_as: str, is_preferred: bool) -> exp.Select:
    value = exp.cast(exp.column(column, quoted=True), "text")
    return select(
        relation(name), _titled(literal(counts_as.lower()), "attribute"), _titled(value, "value"),
        _titled(exp.Count(this=exp.Star()), "n"), _titled(literal(is_preferred), "preferred"),
    ).group_by(value.copy())  # fmt: skip


def _titled(value: exp.Expression, name: str) -> exp.Alias:
    return exp.Alias(this=value, alias=exp.to_identifier(name))


def read(
    con: duckdb.DuckDBPyConnection, work: WorkTables, purpose: str, name: str, found: Readings,
    called: Mapping[str, str] | None = None,
) -> str:  # fmt: skip
    """A table in which spellings are one value; its own name, if it has none. called: as what some of its
    columns count."""
    counts_as = {column.lower(): other.lower() for column, other in (called or {}).items()}
    values = []
    for column in column_names(con, name):
        if mapping := found.get(counts_as.get(column.lower(), column.lower())):
            others = {value: read_as for value, read_as in mapping.items() if value != read_as}
            text = exp.cast(exp.column(column, quoted=True), "text")
            meant = exp.Bracket(this=literal(others), expressions=[text])
            value = exp.Coalesce(this=meant, expressions=[text.copy()])
            values.append(exp.alias_(value, column, quoted=True))
    if not values:
        return name
    return work.make(purpose, select(relation(name), exp.Star(replace=values))).name


def differing(
    con: duckdb.DuckDBPyConnection, work: WorkTables, written: exp.Select, folded: exp.Select, found: Readings
) -> int:
    """How many people have other candidates where spellings are one value. written, folded: the attack on
    both readings."""
    both = [work.make(f"reading_{i}", query).name for i, query in enumerate((written, folded), 1)]
    rows = [
        exp.Tuple(expressions=[literal(text) for text in (column, value, read_as)])
        for column, mapping in found.items() for value, read_as in mapping.items()
    ]  # fmt: skip
    names = ["attribute", "value", "read_as"]
    spellings = work.make("spellings", select(exp.values(rows, alias="spelling", columns=names)))
    people = "count(distinct coalesce(person::varchar, who::varchar))"
    found_in = call("_candidates_that_differ", *both, spellings.name)
    [(number,)] = execute(con, select(found_in.subquery(), people))
    return int(number)


def examples_of(found: Readings, columns: Iterable[str] | None = None) -> str:
    """Some of the spellings, for a message."""
    wanted = None if columns is None else lower(columns)
    parts = []
    for column, mapping in found.items():
        if wanted is not None and column not in wanted:
            continue
        alike: dict[str, list[str]] = {}
        for value, read_as in mapping.items():
            alike.setdefault(read_as, []).append(f'"{value}"')
        some = " or ".join([" and ".join(values) for values in alike.values()][:SHOWN])
        more = f" and {len(alike) - SHOWN:,} more values" if len(alike) > SHOWN else ""
        parts.append(f"{some}{more} of {column}")
    return ", ".join(parts)


def without(found: Readings, columns: Iterable[str]) -> Readings:
    """The readings of all other columns."""
    left_out = lower(columns)
    return {column: mapping for column, mapping in found.items() if column not in left_out}


def people_who_differ(
    con: duckdb.DuckDBPyConnection, work: WorkTables, known: Known, found: Readings, *,
    exact_cover: bool = False, located_before: Sequence[str] | None = None,
    wrap: Callable[[exp.Select], exp.Select] = lambda query: query,
) -> int:  # fmt: skip
    """How many of the targets have other candidates by several releases where spellings are one value. found:
    the spellings; located_before: as in attack_query; wrap: adds relations that the attack reads."""
    releases = list(known.releases.values())
    folded = [read(con, work, f"read_folded_{i}", name, found) for i, name in enumerate(releases)]
    arguments = {**known.arguments(), "exact_cover": exact_cover, "truth": None}
    others: dict[str, Any] = {
        "formats": known.formats_together(range(1, len(releases) + 1)) or None,
        "located_before": located_before, "measured": False,
    }  # fmt: skip
    negations = known.negations
    if negations is not None:
        called = {"value": known.sensitive[0]} if len(known.sensitive) == 1 else {}
        negations = read(con, work, "negations_folded", negations, found, called)
    written = attack_query(releases, arguments, **others)
    by_one = attack_query(folded, {**arguments, "negations": negations}, **others)
    return differing(con, work, wrap(written), wrap(by_one), found)


def of_releases(con: duckdb.DuckDBPyConnection, work: WorkTables, known: Known) -> Readings:
    """The spellings in the columns that several releases are intersected by; none of one release."""
    if len(known.releases) < 2:
        return {}
    changing = lower([*known.values_may_change, *known.distinct_spellings])
    columns = [name for name in [*known.sensitive, *known.unchanged] if name.lower() not in changing]
    return readings(con, work, list(known.releases.values()), columns)


def remark_on_lists(con: duckdb.DuckDBPyConnection, known: Known) -> list[str]:
    """Remarks on releases whose rows have several values of a sensitive column, as Anatomy's."""
    remarks = []
    for called, name in known.releases.items():
        for column in known.sensitive:
            if column.lower() not in lower(column_names(con, name)):
                continue
            column_of_it = exp.column(column, quoted=True)
            are_lists = exp.Anonymous(this="_are_lists", expressions=[column_of_it])
            condition = exp.Dot(this=exp.to_identifier("sqlanon"), expression=are_lists)
            if execute(con, select(relation(name), condition)) == [(True,)]:
                remarks.append(
                    f"{called}: rows have several values of {column}, which are read as one: what is told of "
                    "them is too little. de_finetti attacks such a release"
                )
    return remarks


def remark_of(
    con: duckdb.DuckDBPyConnection, known: Known, wrap: Callable[[exp.Select], exp.Select] = lambda query:
    query
) -> str:  # fmt: skip
    """A remark, because of spellings, on an attack on several releases, or nothing."""
    with WorkTables(con) as work:
        found = of_releases(con, work, known)
        if not found:
            return ""
        if known.priors is not None:
            return f"{examples_of(found)}: spelled alike, and compared as different values, as priors are"
        people = people_who_differ(con, work, known, found, wrap=wrap)
    if not people:
        return ""
    return (
        f"{examples_of(found)}: spelled alike, and compared as different values. {people:,} of the targets "
        "have other candidates if these are one value: what is told of them may be wrong. Write them alike "
        "if they are"
    )
