"""A first policy for a table: what its columns look like, what they probably are, and hierarchies that fit.

All of it is a guess from names and counts. A person has to confirm it: until then the policy does not run.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon import __version__
from sqlanon.core import statements
from sqlanon.core.files import column_names
from sqlanon.core.source import lower
from sqlanon.policies.schema import (
    HIERARCHIES,
    INPUT,
    MASKS,
    METHOD,
    METHODS,
    REQUIREMENTS,
    ROLES,
    bare,
    shown,
)

INTEGERS = {f"{sign}{size}INT" for sign in ("", "U") for size in ("TINY", "SMALL", "BIG", "HUGE")} | {
    "INTEGER",
    "UINTEGER",
}
NUMBERS = {*INTEGERS, "FLOAT", "DOUBLE", "DECIMAL"}
DATES = {"DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMP WITH TIME ZONE"}
SIMPLE = {*NUMBERS, *DATES, "VARCHAR", "ENUM", "BOOLEAN", "TIME"}

NEARLY_UNIQUE = 0.9  # distinct values per value
FEW, MODERATE = 20, 200  # distinct values
RARE = (0.05, 0.2)  # shares of rows below which values are put together, at levels 1 and 2

# Texts and numbers that often stand for a missing value.
MISSING = ("?", "", "-", "na", "n/a", "null", "none", "unknown", "-9", "-99", "-999")
# Those that hardly mean anything else.
SURELY_MISSING = ("?", "na", "n/a", "null")

FLAT = 'builder = "flat"'

# Methods that recode by hierarchies alone. The others have ranges and sets of values.
BY_LEVELS = ("generalize", "optimal", "samarati", "datafly")

# Words in the names of columns.
WORDS = {
    "sensitive": "disease diagnosis diagnoses diag dx condition illness icd symptom treatment medication "
    "drug therapy salary income inctot wage wages earnings pay debt credit balance occupation occ religion "
    "orientation party vote hiv crime offense",
    "identifier": "id uuid guid ssn name surname forename firstname lastname fullname username login email "
    "mail phone telephone mobile fax passport license licence iban account address street url ip patient mrn",
    "qi": "age sex gender zip zipcode postcode postal plz city town county district state region province "
    "country nationality race ethnicity marital education degree birth birthday birthdate birthyear dob "
    "date year language workclass",
    "unit": "id uuid guid ssn patient mrn person customer client member user username login email passport",
    "weight": "count counts frequency freq n people persons individuals",
    "code": "zip zipcode postcode postal plz",
}


# Requirements of which a first policy has a line of its own, or that are not for anonymizers.
UNSAID = ("k", "l", "alpha", "population_weight")


def is_called(name: str, kind: str) -> bool:
    """Is a word of this kind in a name? postalCode and postal_code have postal, code and postalcode."""
    parts = re.findall(r"[a-z]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", name).lower())
    return not {*parts, "".join(parts)}.isdisjoint(WORDS[kind].split())


@dataclass(frozen=True)
class Column:
    """What a table says of a column: type, how many values and distinct values, the range of its numbers,
    whether its texts are codes (digits, as many in each), and which of its values probably mean that there is
    none, with their counts."""

    name: str
    type: str
    values: int
    distinct: int
    lowest: float | None
    highest: float | None
    is_code: bool
    missing: Mapping[str, int] = field(default_factory=dict)

    def is_called(self, kind: str) -> bool:
        return is_called(self.name, kind)

    @property
    def may_be_unit(self) -> bool:
        """Does it probably say whose a row is, and do people have several?"""
        return self.is_called("unit") and self.distinct < self.values

    def role(self) -> str | None:
        """What it probably is; None: nothing that has to be released."""
        for kind in ("sensitive", "identifier", "qi"):
            if self.is_called(kind):
                return kind
        if self.type in DATES:
            return "qi"
        if (
            self.type not in {"FLOAT", "DOUBLE", "DECIMAL"}
            and 0 < self.values * NEARLY_UNIQUE <= self.distinct
        ):
            return "identifier"
        return "qi" if self.type in SIMPLE and 1 < self.distinct <= MODERATE else None

    def hierarchy(self, by_levels: bool) -> str | None:
        """The keys of a hierarchy that fits. by_levels: is it for a method that recodes by hierarchies alone?
        For the others ranges and sets lose less than a hierarchy of a few categories.
        """
        if self.type in DATES:
            return 'builder = "date"\nunits = ["month", "quarter", "year", "decade"]'
        if self.is_called("code") or self.is_code:
            return 'builder = "mask"'
        is_scale = self.type in NUMBERS and (by_levels or self.distinct > FEW)
        if is_scale and (widths := self.widths()):
            return f'builder = "interval"\nwidths = [{", ".join(widths)}]'
        return FLAT if by_levels and self.distinct <= MODERATE else None

    @property
    def can_be_grouped(self) -> bool:
        """Can rare values be put together, value by value? A list of values has no NULL."""
        return self.type in {"VARCHAR", "ENUM"} and 2 < self.distinct <= MODERATE

    def widths(self) -> list[str]:
        """Widths of about 32, 16, 8, 4 and 2 intervals over the range; 1, 2 or 5 times a power of ten at
        first.
        """
        if self.lowest is None or self.highest is None or not 0 < self.highest - self.lowest < math.inf:
            return []
        least = (self.highest - self.lowest) / 32
        power = math.floor(math.log10(least))
        steps = (Decimal(digit).scaleb(power) for digit in (1, 2, 5, 10))
        width = next((step for step in steps if step >= least), Decimal(10).scaleb(power))
        if width < 2 and self.type in INTEGERS:
            width = Decimal(2)
        widths = [width, *(width * 2**i for i in range(1, 5) if width * 2**i < self.highest - self.lowest)]
        return [f"{width.normalize():f}" for width in widths] if -12 < power < 20 else []

    def line(self, rows: int) -> str:
        """It in an array of a policy, with what is known about it."""
        nulls = 1 - self.values / rows if rows else 0.0
        missing = "".join(f", {n / rows:.1%} {shown(value)}" for value, n in self.missing.items())
        told = f"{missing}: missing?" if missing else ""
        return f"    {shown(self.name)},  # {self.type}, {self.distinct:,} distinct, {nulls:.1%} NULL{told}"


def units(con: duckdb.DuckDBPyConnection, table: str, known: Collection[str]) -> list[tuple[str, int, int]]:
    """Columns that probably say whose a row is, with repeated values: name, distinct values, values.

    known: columns that are something else, in lower case.
    """
    named = [
        name for name in column_names(con, table) if is_called(name, "unit") and name.lower() not in known
    ]
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
    described = statements.execute(con, exp.Describe(this=statements.select(statements.relation(table))))
    return [
        name
        for name, type_, *_ in described
        if type_ in INTEGERS and is_called(name, "weight") and name.lower() not in known
    ]


# Of every column, in the order of `Column`.
MEASURES = (
    "count(columns(*))",
    "count(distinct columns(*))",
    "min(case when isfinite(try_cast(columns(*)::varchar as double)) then try_cast(columns(*)::varchar as "
    "double) end)",
    "max(case when isfinite(try_cast(columns(*)::varchar as double)) then try_cast(columns(*)::varchar as "
    "double) end)",
    "bool_and(regexp_full_match(columns(*)::varchar, '[0-9]{3,10}')) and min(length(columns(*)::varchar)) = "
    "max(length(columns(*)::varchar))",
    # in a FILTER DuckDB 2.0 takes the last column for each of them
    f"histogram(case when lower(trim(columns(*)::varchar)) in ({', '.join(map(repr, MISSING))}) "
    "then columns(*)::varchar end)",
)


def described(con: duckdb.DuckDBPyConnection, table: str) -> tuple[int, list[Column]]:
    """The rows and the columns of a table, by one query over it."""
    relation = statements.relation(table)
    columns = [
        (str(name), "LIST" if type_.endswith("]") else re.sub(r"[^A-Z_ ].*", "", type_, flags=re.DOTALL))
        for name, type_, *_ in statements.execute(con, exp.Describe(this=statements.select(relation)))
    ]
    query = exp.select("count(*)", *MEASURES, dialect="duckdb").from_(relation.copy())
    [(rows, *statistics)] = statements.execute(con, query)
    return rows, [
        Column(
            name, type_, values, distinct, lowest, highest, bool(is_code) and type_ == "VARCHAR",
            _missing(type_, lowest, missing or {}),
        )
        for i, (name, type_) in enumerate(columns)
        for values, distinct, lowest, highest, is_code, missing in [statistics[i :: len(columns)]]
    ]  # fmt: skip


def _missing(type_: str, lowest: float | None, counts: Mapping[str, int]) -> Mapping[str, int]:
    """Of numbers the lowest alone: -9 is one of a thermometer, too."""
    return {
        value: n for value, n in counts.items()
        if type_ not in NUMBERS or (lowest is not None and float(value) == lowest)
    }  # fmt: skip


def missing_texts(con: duckdb.DuckDBPyConnection, table: str) -> list[str]:
    """What surely stands for a missing value in columns of text, as it is written there, but for blanks."""
    _, columns = described(con, table)
    texts = {text.strip() for column in columns if column.type == "VARCHAR" for text in column.missing}
    return sorted(text for text in texts if text.lower() in SURELY_MISSING)


def _shares(con: duckdb.DuckDBPyConnection, table: str, column: str) -> dict[str | None, float]:
    """The values of a column, as texts, with their shares of the rows, the most frequent first."""
    value = exp.Alias(
        this=exp.cast(exp.column(column, quoted=True), "text"), alias=exp.to_identifier("value")
    )
    counts = statements.select(statements.relation(table), value, "count(*) as n").group_by("1")
    shares = statements.select(counts.subquery(), "value", "n / sum(n) over () as share")
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


def _alpha(con: duckdb.DuckDBPyConnection, table: str, sensitive: Sequence[Column]) -> float:
    """How frequent a sensitive value may be in a class: halfway from the most frequent of all rows to 1."""
    shares = [share for column in sensitive for share in [*_shares(con, table, column.name).values()][:1]]
    return round((1 + max(shares, default=0.0)) / 2, 2)


def draft(
    con: duckdb.DuckDBPyConnection,
    table: str,
    title: str,
    method: str = METHODS[0],
    form: Mapping[str, Any] | None = None,
) -> str:
    """The text of a first policy for a table, in TOML. title: what the user calls the table. form: how it was
    read, if it is a text file."""
    rows, columns = described(con, table)
    sensitive = [column for column in columns if column.role() == "sensitive"]

    def lines(role: str | None, before: str = "") -> list[str]:
        return [before + column.line(rows) for column in columns if column.role() == role]

    text = [
        f"# A first policy for {shown(title)} ({rows:,} rows), by sqlanon {__version__}.",
        "#",
        "# The roles of the columns are guesses. Look at each one, move its line where it belongs, and "
        "then write",
        "# confirmed = true. Before that the policy does not run.",
        "confirmed = false",
        "",
        *_input(form or {}),
        "[roles]",
    ]
    for role, key in ROLES.items():
        if role == "weight":
            continue  # a table of counts is not anonymized
        if role == "unit":
            text += [f"# {key.help}", *_units(columns)]
        else:
            text += [f"# {key.help}", f"{role} = [", *lines(role), "]"]
    if others := lines(None, "# "):
        text += ["# In no role, and not released:", *others]
    if identifiers := [column.name for column in columns if column.role() == "identifier"]:
        text += [
            "",
            f"# A column can leave as a mask of its value instead of having a role ({', '.join(MASKS)}). A "
            "hash needs a secret key: --key-file.",
            "# [masks]",
            *(f'# {bare(name)} = {{method = "hash"}}' for name in identifiers),
        ]
    text += [
        "",
        f'# A hierarchy is one of {", ".join(HIERARCHIES)}: a table of value = ["label", ..., "*"], a file '
        "in ARX's format, a query",
        "# for value, level and label, or built from the column. Columns without one are released as "
        "ranges and sets of values",
        "# by Mondrian, and as * or their own values by the other methods.",
        *_hierarchies(con, table, [column for column in columns if column.role() == "qi"], method),
        "",
        "[requirements]",
        f"k = 5  # {REQUIREMENTS['k'].help}",
        f"{'' if sensitive else '# '}l = 2  # {REQUIREMENTS['l'].help}",
        f"{'' if sensitive else '# '}alpha = {_alpha(con, table, sensitive):g}  # "
        f"{REQUIREMENTS['alpha'].help} No sensitive value has a larger share of a class.",
        f"# {', '.join(name for name in REQUIREMENTS if name not in UNSAID)}: see 'sqlanon anonymize "
        "--help'.",
        "",
        "[method]",
        f"name = {shown(method)}  # or {', '.join(name for name in METHODS if name != method)}",
        f"{'' if method in BY_LEVELS else '# '}suppression_limit = 0.02  # "
        f"{METHOD['suppression_limit'].help} For {', '.join(BY_LEVELS)}: without it a few rare people decide "
        "how coarse everybody is.",
        *([f"time_limit = 60  # {METHOD['time_limit'].help}"] if method == "optimal" else []),
        "",
        "[output]",
        "# seed = 1  # fixes the order of rows, which is random otherwise",
    ]
    return "\n".join(text) + "\n"


def _units(columns: Sequence[Column]) -> list[str]:
    """What may be the unit, as comments: a guess here would say of rows that they are one person's."""
    candidates = [column for column in columns if column.may_be_unit]
    if not candidates:
        return ['# unit = "..."']
    return [
        f"# unit = {shown(column.name)}  # {column.distinct:,} distinct in {column.values:,} rows: if it "
        "says whose a row is, "
        "take it out of the other roles, and remove the # before unit"
        for column in candidates
    ]


def _input(form: Mapping[str, Any]) -> list[str]:
    """How the file is read."""
    lines = [line for name in form for line in (f"# {INPUT[name].help}", f"{name} = {shown(form[name])}")]
    return ["[input]", *lines, ""] if lines else []


def _hierarchies(
    con: duckdb.DuckDBPyConnection, table: str, columns: Sequence[Column], method: str
) -> list[str]:
    text = []
    for column in columns:
        keys, section = column.hierarchy(method in BY_LEVELS), f"hierarchies.{bare(column.name)}"
        groups = None
        if keys == FLAT and column.can_be_grouped:
            groups = _groups(_shares(con, table, column.name))
        if groups is not None:
            text += ["", "# Rare values are put together. Put together those that mean much the same."]
            text += [f"[{section}.values]", groups]
        elif keys:
            text += ["", f"[{section}]", keys]
    return text
