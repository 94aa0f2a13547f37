"""A first policy for a table: what its columns look like, what they probably are, and hierarchies that fit.

All of it is a guess from names and counts. A person has to confirm it: until then the policy does not run.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from types import MappingProxyType

import duckdb
from sqlglot import exp

from sqlanon import __version__
from sqlanon.core import statements
from sqlanon.core.source import lower
from sqlanon.policies import schema
from sqlanon.policies.schema import bare, shown

RARE = (0.05, 0.2)  # shares of rows below which values are put together, at levels 1 and 2

FLAT = 'builder = "flat"'

# Methods that recode by hierarchies alone. The others have ranges and sets of values.
BY_LEVELS = ("generalize", "optimal", "samarati", "datafly")

# Requirements of which a first policy has a line of its own, or that are not for anonymizers.
UNSAID = ("k", "l", "alpha", "population_weight")


@dataclass(frozen=True)
class Column:
    """What a table says of a column, as sqlanon._first_look has it: type, how many values and distinct
    values, those that probably mean that there is none, with their counts, and what it probably is."""

    name: str
    type: str
    values: int
    distinct: int
    missing: Mapping[str, int]
    role: str | None
    repeats: bool
    may_number: bool
    had_once: str | None
    can_be_grouped: bool
    builder: str | None
    builder_by_levels: str | None
    widths: Sequence[float]
    surely_missing: Sequence[str]
    is_age: bool

    def hierarchy(self, by_levels: bool) -> str | None:
        """The keys of a hierarchy that fits. by_levels: is it for a method that recodes by hierarchies
        alone?"""
        match self.builder_by_levels if by_levels else self.builder:
            case None:
                return None
            case "date":
                return 'builder = "date"\nunits = ["month", "quarter", "year", "decade"]'
            case "interval":
                widths = (f"{Decimal(repr(width)).normalize():f}" for width in self.widths)
                others = (
                    "" if not self.is_age else "\n# or breaks = [18, 65, 90]: <18, [18, 64], [65, 89], >=90"
                )
                return f'builder = "interval"\nwidths = [{", ".join(widths)}]{others}'
            case builder:
                return f'builder = "{builder}"'

    @property
    def as_unit(self) -> str:
        """The line that makes it the unit."""
        return f"unit = {shown(self.name)}"

    @property
    def role_to_leave(self) -> str:
        """What has to be done before that line can be used, as a column has one role."""
        return "" if self.role is None else f"take it out of {self.role}, and "

    def line(self, rows: int) -> str:
        """The line of a column in an array of a policy, with what is known about it."""
        nulls = 1 - self.values / rows if rows else 0.0
        missing = "".join(f", {n / rows:.1%} {shown(value)}" for value, n in self.missing.items())
        question = f"{missing}: missing?" if missing else ""
        return (
            f"    {shown(self.name)},  # {self.type}, {self.distinct:,} distinct, {nulls:.1%} NULL{question}"
        )


@dataclass(frozen=True)
class Measured:
    """What is known of a draft because its release was made, in sentences. without: why the hierarchies of
    these columns are left out."""

    sentences: Sequence[str] = ()
    without: Mapping[str, str] = field(default_factory=dict)


def units(con: duckdb.DuckDBPyConnection, table: str, known: Collection[str]) -> list[tuple[str, int, int]]:
    """Columns that probably say whose a row is, with repeated values: name, distinct values, values.

    known: columns that are something else, in lower case.
    """
    named = [name for name, _ in _columns_called(con, table, "unit") if name.lower() not in known]
    if not named:
        return []
    of = [exp.column(name, quoted=True) for name in named]
    counts = [exp.Count(this=column) for column in of]
    distinct = [exp.Count(this=exp.Distinct(expressions=[column])) for column in of]
    [numbers] = statements.execute(con, exp.select(*counts, *distinct).from_(statements.relation(table)))
    each = zip(named, numbers[len(named) :], numbers[: len(named)], strict=True)
    return [(name, distinct, values) for name, distinct, values in each if distinct < values]


def weights(con: duckdb.DuckDBPyConnection, table: str, known: Collection[str]) -> list[str]:
    """Columns that probably say how many people a row stands for. known: as in `units`."""
    named = _columns_called(con, table, "weight")
    return [name for name, is_integer in named if is_integer and name.lower() not in known]


def _columns_called(con: duckdb.DuckDBPyConnection, table: str, kind: str) -> list[tuple[str, bool]]:
    """Columns in whose names is a word of this kind, and whether they have integers."""
    columns = statements.execute(con, exp.Describe(this=statements.select(statements.relation(table))))
    query = """
        select name, sqlanon._is_integer_type(type)
        from (select unnest($names) as name, unnest($types) as type)
        where sqlanon._is_called(name, $kind)"""
    names, types = ([column[i] for column in columns] for i in (0, 1))
    return statements.execute(con, query, {"names": names, "types": types, "kind": kind})


def described(con: duckdb.DuckDBPyConnection, table: str) -> tuple[int, list[Column]]:
    """The rows and the columns of a table, by one query over it."""
    look = statements.call("_first_look", table)
    columns = exp.select(
        "row_count", "column_name", "type", "filled", "distinct_values", "missing", "role", "repeats",
        "may_number", "had_once", "can_be_grouped", "builder", "builder_by_levels", "widths",
        "surely_missing", "is_age",
    )  # fmt: skip
    found = statements.execute(con, columns.from_(look.subquery()))
    return found[0][0], [Column(*column) for _, *column in found]


def with_roles(columns: Sequence[Column], said: Mapping[str, str]) -> list[Column]:
    """The columns with the roles that somebody said they have, by name. A unit never leaves."""
    roles = {name: "identifier" if role == "unit" else role for name, role in said.items()}
    return [replace(each, role=roles.get(each.name, each.role)) for each in columns]


def missing_texts(columns: Sequence[Column]) -> list[str]:
    """What surely stands for a missing value in columns of text, as it is written there, but for blanks."""
    return sorted({text for column in columns for text in column.surely_missing})


def _shares(
    con: duckdb.DuckDBPyConnection, table: str, column: str, unit: str | None = None
) -> dict[str | None, float]:
    """The values of a column, as texts, with their shares of the rows, the most frequent first. unit: of its
    people, who may have several values."""
    value = exp.Alias(
        this=exp.cast(exp.column(column, quoted=True), "text"), alias=exp.to_identifier("value")
    )
    of: exp.Expression = exp.Star()
    if unit is not None:
        of = exp.Distinct(expressions=[exp.column(unit, quoted=True)])
    everybody = statements.select(statements.relation(table), exp.Count(this=of.copy())).subquery()
    share = exp.Div(this=exp.Count(this=of), expression=everybody, typed=False, safe=False)
    shares = statements.select(
        statements.relation(table), value, exp.Alias(this=share, alias=exp.to_identifier("share"))
    ).group_by("1")
    return dict(statements.execute(con, shares.order_by("share desc", "value")))


def _groups(shares: Mapping[str | None, float]) -> str | None:
    """The keys of a hierarchy that puts rare values together; None where that divides nothing."""
    levels: list[dict[str, str]] = []
    texts = [value for value in shares if value is not None]
    for least in RARE:
        other = "other" if not levels else "any other"
        while other in lower(texts):
            other += "_"
        labels = {value: value if shares[value] >= least else other for value in texts}
        if 1 < len(set(labels.values())) < len({*levels[-1].values()} if levels else texts):
            levels.append(labels)
    if not levels or len(texts) < len(shares):
        return None
    lines = (
        f"{bare(value)} = {shown([*(labels[value] for labels in levels), '*'])}" for value in sorted(texts)
    )
    return "\n".join(lines)


def _alpha(
    con: duckdb.DuckDBPyConnection, table: str, sensitive: Sequence[Column], unit: str | None
) -> float:
    """How frequent a sensitive value may be in a class: halfway from that of the most
    frequent one, of all rows or people, to 1."""
    shares = [
        share for column in sensitive
        for share in [*_shares(con, table, column.name, unit).values()][:1]
    ]  # fmt: skip
    return round((1 + max(shares, default=0.0)) / 2, 2)


def draft(
    con: duckdb.DuckDBPyConnection,
    table: str,
    title: str,
    method: str = schema.METHODS[0],
    input: Sequence[str] = (),
    unit: str | None = None,
    tolerated: str = "",
    spare: Sequence[str] = (),
    measured: Measured = Measured(),
    said: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """The text of a first policy for a table, in TOML. title: what the user calls the table. input: the lines
    of [input], which say how it was read. unit: the column that is proposed as the unit. tolerated: the
    bounds that are proposed, if there is something sensitive. spare: quasi-identifiers that matter. measured:
    what was found by making the release. said: roles that are not guessed, by columns."""
    rows, columns = described(con, table)
    columns = with_roles(columns, said)
    refused = dict(_refused(con, table, columns, unit))
    sensitive = [each for each in columns if each.role == "sensitive" and each.name not in refused]

    def lines(role: str | None, before: str = "") -> list[str]:
        others = {unit, *refused}
        return [before + each.line(rows) for each in columns if each.role == role and each.name not in others]

    text = [
        f"# A first policy for {shown(title)} ({rows:,} rows), by sqlanon {__version__}.",
        "#",
        "# The roles of the columns are guesses. Look at each one, move its line where it belongs, and "
        "then write",
        "# confirmed = true. Before that the policy does not run.",
        "confirmed = false",
        "",
        *input,
        "[roles]",
    ]
    for role, key in schema.ROLES.items():
        if role in ("weight", "sampling_weight", "household"):
            continue  # a table of counts is not anonymized, and few tables are samples
        if role == "unit":
            text += [f"# {key.help}", *_units(columns, unit, unit in said)]
        else:
            would_be = (
                f"    # {each.line(rows).strip()}: would be refused as it is, see [direct]"
                for each in columns if each.role == role and each.name in refused
            )  # fmt: skip
            text += [f"# {key.help}", f"{role} = [", *lines(role), *would_be, "]"]
    if others := lines(None, "# "):
        text += ["# In no role, and not released:", *others]
    if identifiers := [each.name for each in columns if each.role == "identifier" and each.name != unit]:
        text += [
            "",
            "# A column can leave as a mask of its value instead of having a role "
            f"({', '.join(schema.MASKS)}). A hash needs a secret key: --key-file.",
            "# [masks]",
            *(f'# {bare(name)} = {{method = "hash"}}' for name in identifiers),
        ]
    text += _direct(refused)
    text += [
        "",
        f'# A hierarchy is one of {", ".join(schema.HIERARCHIES)}: a table of value = ["label", ..., "*"], a '
        "file in ARX's format, a query",
        "# for value, level and label, or built from the column. Columns without one are released as "
        "ranges and sets of values",
        "# by Mondrian, and as * or their own values by the other methods.",
        *_hierarchies(
            con,
            table,
            [each for each in columns if each.role == "qi" and each.name != unit],
            sensitive,
            method,
            measured.without,
        ),
        "",
        *(
            ["# What was tried with this table:", *(f"# - {line}" for line in measured.sentences)]
            if measured.sentences
            else []
        ),
        "[requirements]",
        f"k = 5  # {schema.REQUIREMENTS['k'].help}",
        f"{'' if sensitive else '# '}l = 2  # {schema.REQUIREMENTS['l'].help}",
        f"{'' if sensitive else '# '}alpha = {_alpha(con, table, sensitive, unit):g}  # "
        f"{schema.REQUIREMENTS['alpha'].help}",
        f"# {', '.join(name for name in schema.REQUIREMENTS if name not in UNSAID)}: see 'sqlanon anonymize "
        "--help'.",
        "",
        "[method]",
        f"name = {shown(method)}  # or {', '.join(name for name in schema.METHODS if name != method)}",
        f"{'' if method in BY_LEVELS else '# '}suppression_limit = 0.02  # "
        f"{schema.METHOD['suppression_limit'].help} For {', '.join(BY_LEVELS)}: without it a few rare people "
        "decide how coarse everybody is.",
        *(
            [f"weights = {shown(dict.fromkeys(spare, schema.SPARED))}  # {schema.METHOD['weights'].help}"]
            if spare
            else []
        ),
        *([f"time_limit = 60  # {schema.METHOD['time_limit'].help}"] if method == "optimal" else []),
        "",
        "[output]",
        "# seed = 1  # fixes the order of rows, which is random otherwise",
    ]
    if tolerated:
        about = (
            "What attacks may find at most, in percent of people or rows, for publish: choose the numbers."
        )
        text += ["", f"# {about}", tolerated]
    if tolerated and sensitive:
        text += [
            "",
            "# For a release every night or month, of people who may be in several of them.",
            "# [judge]",
            f"# values_may_change = {shown([each.name for each in sensitive])}  # if somebody may have "
            "another value next time",
            "# Who left or moved since is asked about, too, if you give the earlier tables again (publish "
            "--earlier NAME=FILE), or if an encrypted register keeps people:",
            "# keep_people = true",
        ]
    return "\n".join(text) + "\n"


def _refused(
    con: duckdb.DuckDBPyConnection, table: str, columns: Sequence[Column], unit: str | None
) -> list[tuple[str, str]]:
    """The sensitive columns that name people, each with the reason: they would be refused as they are."""
    qi, sensitive = ([each.name for each in columns if each.role == role] for role in ("qi", "sensitive"))
    if not (qi and sensitive):
        return []
    of_people = {} if unit is None else {"original": table, "id": unit}
    look = statements.call("leaving_columns", table, qi=qi, sensitive=sensitive, **of_people)
    naming = statements.select(look.subquery(), exp.column("column", quoted=True), "reason")
    return statements.execute(con, naming.where("verdict = 'fails' and role = 'sensitive'"))


def _direct(refused: Mapping[str, str]) -> list[str]:
    """Those columns, as comments."""
    if not refused:
        return []
    return [
        "",
        f"# {schema.DIRECT} Of the sensitive columns these",
        "# name people, and would be refused: they are left out, unless you mask them, or say why and put",
        "# them in sensitive.",
        "# [direct]",
        *(f'# {bare(name)} = "..."  # {reason}' for name, reason in refused.items()),
    ]


def _units(columns: Sequence[Column], unit: str | None, is_said: bool) -> list[str]:
    """The unit that is proposed by what people have once; else what may be it by its name, as comments: a
    guess here would say of rows that they are one person's."""
    if unit is not None:
        [proposed] = [column for column in columns if column.name == unit]
        of = f"{proposed.distinct:,} distinct in {proposed.values:,} rows"
        why = "" if is_said else ": proposed, as rows with one value agree in what people have once"
        return [f"unit = {shown(unit)}  # {of}{why}"]
    return [
        f"# {column.as_unit}  # {column.distinct:,} distinct in {column.values:,} rows: if it says whose "
        f"a row is, {column.role_to_leave}remove the # before unit"
        for column in columns if column.repeats
    ] or ['# unit = "..."']  # fmt: skip


def _hierarchies(
    con: duckdb.DuckDBPyConnection,
    table: str,
    columns: Sequence[Column],
    sensitive: Sequence[Column],
    method: str,
    without: Mapping[str, str],
) -> list[str]:
    """without: the columns that have none, and why: theirs are comments."""
    text: list[str] = []
    for column in columns:
        keys, section = column.hierarchy(method in BY_LEVELS), f"hierarchies.{bare(column.name)}"
        groups = None
        if keys == FLAT and column.can_be_grouped:
            groups = _groups(_shares(con, table, column.name))
        made = []
        if groups is not None:
            made = ["# Rare values are put together. Put together those that mean much the same."]
            made += [f"[{section}.values]", *groups.split("\n")]
        elif keys:
            made = [f"[{section}]", *keys.split("\n")]
        if column.name in without:
            made = [f"# {line}" for line in (f"{without[column.name]}.", *made)]
        text += ["", *made] if made else []
    return text + _of_sensitive(sensitive)


def _of_sensitive(columns: Sequence[Column]) -> list[str]:
    """Hierarchies of codes of diseases, as comments: a distance may be by them."""
    text = []
    for column in columns:
        if column.builder == "icd10":
            of_column = f"# [hierarchies.{bare(column.name)}]"
            text += ["", '# For t_distance = "hierarchical", or if it is moved to qi.', of_column]
            text += ['# builder = "icd10"']
    return text
