"""A first policy for a table: what its columns look like, what they probably are, and hierarchies that fit.

All of it is a guess from names and counts. A person has to confirm it: until then the policy does not run.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal

import duckdb
from sqlglot import exp

from sqlanon import __version__
from sqlanon.core import statements
from sqlanon.core.files import column_names
from sqlanon.policies.schema import HIERARCHIES, MASKS, METHODS, REQUIREMENTS, ROLES, bare, shown

INTEGERS = {f"{sign}{size}INT" for sign in ("", "U") for size in ("TINY", "SMALL", "BIG", "HUGE")} | {
    "INTEGER",
    "UINTEGER",
}
NUMBERS = {*INTEGERS, "FLOAT", "DOUBLE", "DECIMAL"}
DATES = {"DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMP WITH TIME ZONE"}
SIMPLE = {*NUMBERS, *DATES, "VARCHAR", "ENUM", "BOOLEAN", "TIME"}

NEARLY_UNIQUE = 0.9  # distinct values per value
FEW, MODERATE = 20, 200  # distinct values

# Words in the names of columns.
WORDS = {
    "sensitive": "disease diagnosis diagnoses condition illness icd symptom treatment medication drug "
    "therapy salary income wage wages earnings debt credit balance occupation religion orientation party "
    "vote hiv crime offense",
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
UNSAID = ("k", "l", "population_weight")


def is_called(name: str, kind: str) -> bool:
    """Is a word of this kind in a name? postalCode and postal_code have postal, code and postalcode."""
    parts = re.findall(r"[a-z]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", name).lower())
    return not {*parts, "".join(parts)}.isdisjoint(WORDS[kind].split())


@dataclass(frozen=True)
class Column:
    """What a table says of a column: type, how many values and distinct values, the range of its numbers, and
    whether its texts are codes (digits, as many in each)."""

    name: str
    type: str
    values: int
    distinct: int
    lowest: float | None
    highest: float | None
    is_code: bool

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

    def hierarchy(self) -> str | None:
        """The keys of a hierarchy that fits."""
        if self.type in DATES:
            return 'builder = "date"\nunits = ["month", "quarter", "year", "decade"]'
        if self.is_called("code") or self.is_code:
            return 'builder = "mask"'
        if self.type in NUMBERS and (widths := self.widths()):
            return f'builder = "interval"\nwidths = [{", ".join(widths)}]'
        return 'builder = "flat"' if self.distinct <= FEW else None

    def widths(self) -> list[str]:
        """Widths of about 16, 8 and 4 intervals over the range; 1, 2 or 5 times a power of ten at first."""
        if self.lowest is None or self.highest is None or not 0 < self.highest - self.lowest < math.inf:
            return []
        least = (self.highest - self.lowest) / 16
        power = math.floor(math.log10(least))
        steps = (Decimal(digit).scaleb(power) for digit in (1, 2, 5, 10))
        width = next((step for step in steps if step >= least), Decimal(10).scaleb(power))
        if width < 2 and self.type in INTEGERS:
            width = Decimal(2)
        widths = [width, 2 * width, 4 * width]
        return [f"{width.normalize():f}" for width in widths] if -12 < power < 20 else []

    def line(self, rows: int) -> str:
        """It in an array of a policy, with what is known about it."""
        nulls = 1 - self.values / rows if rows else 0.0
        return f"    {shown(self.name)},  # {self.type}, {self.distinct:,} distinct, {nulls:.1%} NULL"


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
        Column(name, type_, values, distinct, lowest, highest, bool(is_code) and type_ == "VARCHAR")
        for i, (name, type_) in enumerate(columns)
        for values, distinct, lowest, highest, is_code in [statistics[i :: len(columns)]]
    ]


def draft(con: duckdb.DuckDBPyConnection, table: str, title: str) -> str:
    """The text of a first policy for a table, in TOML. title: what the user calls the table."""
    rows, columns = described(con, table)

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
        *_hierarchies([column for column in columns if column.role() == "qi"]),
        "",
        "[requirements]",
        f"k = 5  # {REQUIREMENTS['k'].help}",
        f"{'' if lines('sensitive') else '# '}l = 2  # {REQUIREMENTS['l'].help}",
        f"# {', '.join(name for name in REQUIREMENTS if name not in UNSAID)}: see 'sqlanon anonymize "
        "--help'.",
        "",
        "[method]",
        f"name = {shown(METHODS[0])}  # or {', '.join(METHODS[1:])}",
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


def _hierarchies(columns: Sequence[Column]) -> list[str]:
    text = []
    for column in columns:
        keys = column.hierarchy()
        text += ["", f"[hierarchies.{bare(column.name)}]", keys] if keys else []
    return text
