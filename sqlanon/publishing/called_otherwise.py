"""What a new file calls or writes otherwise than last month's: its columns, by their values, and dates, which
are texts now. Nothing is assumed: somebody is asked, and the policy then says who has answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb
from sqlglot import exp

from sqlanon.core.errors import InputError, UseError
from sqlanon.core.files import column_names
from sqlanon.core.source import lower
from sqlanon.core.statements import call, execute, relation, select
from sqlanon.core.tables import WorkTables
from sqlanon.core.text_files import CENTURY, formats_of_texts
from sqlanon.core.toml import shown
from sqlanon.policies.confirming import with_line
from sqlanon.policies.policy import Policy
from sqlanon.policies.schema import wrong_type
from sqlanon.publishing.register import now, opened

LEAST = 0.5  # of the rows of a column: so many have values of last month, if it is this column
DATE, NUMBERS = "date", ("interval", "integer", "double")  # types, and hierarchies of columns of these
DIGITS = 5  # of the postcodes that are looked for
# A column of ours, what the file calls it, and its type if that is another one -> a table with this column.
Reader = Callable[[str, str, str | None], str]


@dataclass(frozen=True)
class Proposal:
    """A column of ours that a file probably calls theirs, if that is another name. share: of its rows that
    have values which `of` has, too; None: it stands between the same columns as before. type_: what its texts
    are read as; None: as the policy says. digits: of codes that have lost their zeros."""

    ours: str
    theirs: str
    share: float | None
    of: str
    type_: str | None = None
    digits: int | None = None
    is_called_so: bool = False

    @property
    def is_by_place(self) -> bool:
        """Does nothing but its place speak for it?"""
        return self.share is None and self.ours != self.theirs and not self.is_called_so

    def __str__(self) -> str:
        read_as = f"is {self.type_} now" if self.type_ else ""
        if self.digits is not None:
            read_as = f"codes have lost the zero in front, and have {self.digits} digits with it"
        if self.ours == self.theirs:
            if self.digits is not None:
                return f"{self.ours}: {read_as}"
            kind = "date" if (self.type_ or DATE).startswith(DATE) else "number"
            return f"{self.ours} {read_as}: it was a {kind}"
        why = "its name says so" if self.is_called_so else "it stands between the same columns"
        if self.share is not None:
            why = f"{100 * self.share:.0f} % of its rows have values that {self.ours} has in {self.of}"
        return f"{self.theirs} may be {self.ours}: {why}" + (f" ({read_as})" if read_as else "")


def lacking(policy: Policy, columns: Sequence[str]) -> list[str]:
    """The columns of a policy that a table lacks."""
    named = [*(name for used in policy.roles.values() for name in used), *policy.units(), *policy.masks]
    return [name for name in dict.fromkeys(named) if name.lower() not in lower(columns)]


@contextmanager
def last_release(
    con: duckdb.DuckDBPyConnection, register: Path, wait: float
) -> Iterator[tuple[str | None, str]]:
    """The rows of our last release in a register, as a table, and its name; None without one."""
    with WorkTables(con) as work:
        made, name = None, ""
        if register.exists():
            with opened(con, register, read_only=True, wait=wait) as known:
                if ours := known.microdata([each for each in known.out() if not each.is_foreign]):
                    name, made = ours[-1].name, work.make("last", select(ours[-1].table)).name
        yield made, name


def proposals(
    con: duckdb.DuckDBPyConnection, policy: Policy, columns: Sequence[str], reader: Reader,
    then: str | None, of: str, before: Sequence[str],
) -> list[Proposal]:  # fmt: skip
    """What the columns that a file lacks may be called in it. columns: those that it has; reader: reads it.

    then: the table of last month or its release; of: its name. before: the header of last month's file, as
    far as it is known. A pair is proposed if each of both is the best for the other.
    """
    has = [] if then is None else column_names(con, then)
    known = policy.named_columns() | set(lower(before))
    new = [name for name in columns if name.lower() not in known]
    shares: dict[tuple[str, str], float] = {}
    types: dict[tuple[str, str], str | None] = {}
    digits: dict[tuple[str, str], int | None] = {}
    for ours in lacking(policy, columns):
        for theirs in new:
            try:
                try:
                    today = reader(ours, theirs, None)
                except InputError:  # its values are not of the type that the policy says
                    today = reader(ours, theirs, "text")
                types[ours, theirs] = type_ = _type_now(con, policy, today, ours)
                if type_ is not None:
                    today = reader(ours, theirs, type_)
                if then is not None and ours.lower() in lower(has):
                    shares[ours, theirs] = _share(con, policy, today, then, ours)
                    digits[ours, theirs] = _digits_now(con, policy, today, then, ours)
            except InputError:  # its values are not of this type
                continue
    found = [
        Proposal(*pair, share, of, types[pair], digits[pair]) for pair, share in shares.items()
        if share >= LEAST and all(
            share > other for further, other in shares.items()
            if further != pair and (further[0] == pair[0] or further[1] == pair[1])
        )
    ]  # fmt: skip
    done = {name for each in found for name in (each.ours, each.theirs)}
    query = "select sqlanon._are_called_alike($1, $2)"
    alike = [
        pair for pair in types if not done & {*pair} and execute(con, query, [*pair]) == [(True,)]
    ]  # fmt: skip
    called = {each.theirs: each.ours for each in found}
    header = [called.get(name, name) for name in columns]
    for (ours, theirs), type_ in types.items():
        if not done & {ours, theirs} and _between(before, ours) == _between(header, theirs) is not None:
            found.append(Proposal(ours, theirs, None, of, type_, is_called_so=(ours, theirs) in alike))
    done = {name for each in found for name in (each.ours, each.theirs)}
    return found + [
        Proposal(*pair, None, of, types[pair], is_called_so=True) for pair in alike
        if not done & {*pair} and sum(bool({*pair} & {*other}) for other in alike) == 1
    ]  # fmt: skip


def zeros_lost(con: duckdb.DuckDBPyConnection, policy: Policy, today: str, then: str) -> list[Proposal]:
    """Quasi-identifiers whose codes had zeros in front last month, and have none now."""
    both = lower(column_names(con, today)) & lower(column_names(con, then))
    found = {
        name: _digits_now(con, policy, today, then, name)
        for name in policy.roles.get("qi", []) if name.lower() in both
    }  # fmt: skip
    return [Proposal(name, name, None, "", digits=each) for name, each in found.items() if each is not None]


def _digits_now(
    con: duckdb.DuckDBPyConnection, policy: Policy, today: str, then: str, ours: str
) -> int | None:
    """How many digits the codes of a quasi-identifier have that have lost their zeros; None if they have not,
    or it is said already."""
    if ours.lower() in lower(policy.digits) or ours.lower() not in lower(policy.roles.get("qi", [])):
        return None
    return DIGITS if execute(con, call("_has_lost_zeros", today, then, ours)) == [(True,)] else None


def types_now(con: duckdb.DuckDBPyConnection, policy: Policy, today: str) -> list[Proposal]:
    """Columns of dates that the file has as texts, of which one format reads all."""
    columns = column_names(con, today)
    return [
        Proposal(name, name, None, "", type_) for name in policy.roles.get("qi", [])
        if name.lower() in lower(columns) and (type_ := _type_now(con, policy, today, name)) is not None
    ]  # fmt: skip


def with_names(policy: Policy, found: Sequence[Proposal], by: str) -> Policy:
    """The policy, whose file says what columns are called and how dates are written, and who has said so.

    Errors: UseError, if the file has no such place.
    """
    for key, value in _keys(policy, found):
        policy = with_line(policy, f"input.{key}", f"{value}  # {by}, {now():%Y-%m-%d}")
    return policy


def without(policy: Policy, columns: Sequence[str], by: str) -> Policy:
    """The policy, whose file says which columns files have no more, and who has said so.

    Errors: UseError, if it is not about them, or cannot do without.
    """
    for name in columns:
        if name.lower() not in policy.named_columns():
            raise UseError(f"{policy.spelling.path}: names no column {name}, so that it cannot be gone")
    gone = [*dict.fromkeys([*policy.gone, *columns])]
    return with_line(policy, "input.gone", f"{shown(gone)}  # {by}, {now():%Y-%m-%d}")


def lines_of(policy: Policy, found: Sequence[Proposal]) -> str:
    """The lines of [input] that say so."""
    return " and ".join(f"{key} = {value}" for key, value in _keys(policy, found))


def _keys(policy: Policy, found: Sequence[Proposal]) -> Iterator[tuple[str, str]]:
    named = {each.ours: [*policy.called.get(each.ours, []), each.theirs] for each in found
             if each.ours != each.theirs}  # fmt: skip
    types = {each.ours: each.type_ for each in found if each.type_ is not None}
    if named:
        yield "called", shown({**policy.called, **named})
    if types:
        yield "types", shown({**policy.types, **types})
    if digits := {each.ours: each.digits for each in found if each.digits is not None}:
        yield "digits", shown({**policy.digits, **digits})


def _type_now(con: duckdb.DuckDBPyConnection, policy: Policy, today: str, ours: str) -> str | None:
    """The format of the texts of a column that the policy takes for dates or numbers, if one alone reads
    them; beside that of before, which files of before have."""
    built = {name.lower(): made.get("builder") for name, made in policy.hierarchies.items()}
    said = {name.lower(): each for name, each in policy.types.items()}.get(ours.lower(), "")
    kind = said.partition(" ")[0] or built.get(ours.lower())
    if kind not in (DATE, *NUMBERS):
        return None
    with WorkTables(con) as work:
        column = exp.column(ours, quoted=True)
        ways = formats_of_texts(con, work.make("texts", select(relation(today), column)).name)
    found = [
        each for of_one in ways.values() for each, _ in of_one if each.startswith(DATE) == (kind == DATE)
    ]
    if len(found) != 1:
        return None
    return _either(said, found[0]) if kind == DATE and " " in said else found[0]


def _either(before: str, now: str) -> str | None:
    """A type with two formats: date %d.%m.%Y or %Y/%m/%d; None if texts fit both: 03/04/2026."""
    years = [year for each in (now, before) for year in CENTURY.findall(each)]
    formats = " or ".join(CENTURY.sub("", each.partition(" ")[2]) for each in (before, now))
    either = f"{DATE} {' or '.join(dict.fromkeys(formats.split(' or ')))}"
    either += f" from {years[0]}" if years else ""
    return None if wrong_type(either) else either


def _share(con: duckdb.DuckDBPyConnection, policy: Policy, today: str, then: str, ours: str) -> float:
    of_one = {name: made for name, made in policy.hierarchies.items() if name.lower() == ours.lower()}
    alone = replace(policy, hierarchies=of_one, roles={"qi": [ours]}, population=None)
    with WorkTables(con) as work:
        try:
            hierarchies = alone.make_hierarchies(con, today, None, work)
        except InputError:  # some of its values are not of this type: "unknown" among years
            hierarchies = None
        query = call("_share_in_common", today, then, ours, hierarchies)
        [(share,)] = execute(con, select(query.subquery("compared"), "share"))
    return 0.0 if share is None else float(share)


def _between(header: Sequence[str], name: str) -> tuple[str, str] | None:
    """The columns before and behind a column, if it has both."""
    names = [each.lower() for each in header]
    at = names.index(name.lower()) if name.lower() in names else 0
    return (names[at - 1], names[at + 1]) if 0 < at < len(names) - 1 else None
