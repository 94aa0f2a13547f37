"""Nights of a publisher: a policy and a table each, what gate, audit and report say, and what is out then.

What a verdict is called, and where it stands, is read here alone.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
from typer.main import get_command

import sqlanon
from sqlanon.cli.commands.publish import app as of_publish
from sqlanon.core.errors import InputError, RefusedError
from sqlanon.policies.schema import bare, sections, shown
from tests.tables import identifier

Row = Mapping[str, Any]

HOLDS, FAILS, NOT_KNOWN = "holds", "fails", "not known"
WRONG_USE = "wrong use"  # an InputError: nothing was judged, and nothing went out

ATTACK = "intersection_attack"
CERTAIN = f"{ATTACK}.pvp_100"
KNOWING_ALL = "exact_cover.certain"  # by somebody who knows everybody in the releases


@dataclass(frozen=True)
class Judged:
    """What was said: the verdict, reasons, remarks, and rows of verdicts. error: of what was refused."""

    verdict: str
    reasons: Sequence[str] = ()
    remarks: Sequence[str] = ()
    rows: Sequence[dict[str, Any]] = ()
    error: BaseException | None = None

    @property
    def text(self) -> str:
        """Everything that is said in words."""
        of_rows = [str(row["reason"]) for row in self.rows if row.get("reason")]
        return "\n".join(dict.fromkeys([*self.reasons, *self.remarks, *of_rows]))

    def row(self, sensitive: str | None = None, key: str = CERTAIN) -> dict[str, Any]:
        """The row of a measure on the most releases; of who is certain, by whoever knows more."""
        keys = [each.split(".") for each in ([CERTAIN, KNOWING_ALL] if key == CERTAIN else [key])]
        found = [
            row
            for row in self.rows
            if [row["attack"], row["id"]] in keys and sensitive in (None, row["sensitive"])
        ]
        assert found, f"there is no row of {key}, {sensitive}: {self}"
        return max(found, key=lambda row: (len(row["releases"] or ()), row["value"] or 0))

    def measured(self, sensitive: str | None = None, key: str = CERTAIN) -> float | None:
        """How many percent it is of."""
        value = self.row(sensitive, key)["value"]
        return None if value is None else round(float(value), 6)

    def people(self, sensitive: str | None = None, key: str = CERTAIN) -> int:
        """The same in people."""
        return int(self.row(sensitive, key)["people"])

    def before(self, sensitive: str | None = None, key: str = CERTAIN) -> int:
        """Of how many people it held already, without the new release."""
        row = self.row(sensitive, key)
        return int(row["people"] if row["before"] == row["value"] else row["before"])

    def __str__(self) -> str:
        return f"{self.verdict}: {self.text or self.error or 'without a word'}"


@dataclass
class Nights:
    """A folder with a register, and a connection with the tables of the nights."""

    con: duckdb.DuckDBPyConnection
    folder: Path
    attacks: Sequence[str] | None = (ATTACK, "exact_cover")
    log: list[str] = field(default_factory=list)

    def say(self, *lines: str) -> None:
        """What a reader of a failure needs to do it again; pytest shows it then."""
        self.log += lines
        print(*lines, sep="\n")

    @property
    def register(self) -> Path:
        return self.folder / "releases.duckdb"

    def file(self, name: str) -> Path:
        return self.folder / f"{name}.parquet"

    def load(self, table: str, rows: Sequence[Row]) -> str:
        """A table of rows, in which all have the same columns: numbers are integers, all else is text."""
        columns = {
            name: "integer" if any(isinstance(row[name], int) for row in rows) else "text" for name in rows[0]
        }
        typed = ", ".join(f"{identifier(name)} {type_}" for name, type_ in columns.items())
        self.con.execute(f"create or replace table {identifier(table)} ({typed})").fetchall()
        places = ", ".join("?" for _ in columns)
        for row in rows:
            values = [row[name] for name in columns]
            self.con.execute(f"insert into {identifier(table)} values ({places})", values).fetchall()
        self.say(f"{table}: {', '.join(columns)}")
        self.say(*("    " + ", ".join(map(str, row.values())) for row in rows))
        return table

    def publish(self, name: str, rows: Sequence[Row], policy: str, **more: Any) -> Judged:
        """One night."""
        return self.publish_table(name, self.load(f"people_{name}", rows), policy, **more)

    def publish_table(self, name: str, table: str, policy: str, **more: Any) -> Judged:
        """One night, of a table that is there."""
        file = self.folder / f"{name}.toml"
        file.write_text(policy, "utf-8")
        self.say(f"{name}.toml:", *("    " + line for line in policy.strip().splitlines()))
        given = {"attacks": self.attacks, **more}
        return self._told(
            f"publish {name}",
            lambda: sqlanon.publish(
                self.con, table, file, register=self.register, output=self.file(name), **given
            ),
        )

    def add(self, name: str, rows: Sequence[Row], qi: Any, sensitive: Any = None, **more: Any) -> Judged:
        """A release of others."""
        table = self.load(f"released_{name}", rows)
        return self._told(
            f"add {name}, qi {qi}, sensitive {sensitive}, {more}",
            lambda: sqlanon.add_release(
                self.con, table, register=self.register, name=name, qi=qi, sensitive=sensitive, **more
            ),
        )

    def audit(self, rows: Sequence[Row], policy: str | None = None, **more: Any) -> Judged:
        table = self.load("people_asked_about", rows)
        given: dict[str, Any] = {"attacks": self.attacks, **more}
        if policy is not None:
            given["policy"] = self.folder / "audit.toml"
            given["policy"].write_text(policy, "utf-8")
        return self._told("audit", lambda: sqlanon.audit(self.con, table, register=self.register, **given))

    def out(self) -> list[str]:
        """The names of the files that are out, in the order of their entry."""
        if not self.register.exists():
            return []
        made = sqlanon.releases(self.con, self.register).project("name, status, path").fetchall()
        return [name for name, status, path in made if status == "out" and path and Path(path).exists()]

    def released(self, name: str) -> list[dict[str, Any]]:
        """What everybody reads in the file of a release."""
        with duckdb.connect() as anybody:
            relation = anybody.read_parquet(str(self.file(name)))
            return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]

    def is_clean(self) -> bool:
        """Is there nothing half-written?"""
        outputs = {file.stem for file in self.folder.glob("*.parquet")}
        left = [file.name for file in self.folder.iterdir() if file.name.startswith(".")]
        return outputs == set(self.out()) and not left

    def _told(self, what: str, work: Callable[[], Any]) -> Judged:
        try:
            made = judged(self.con, work())
        except RefusedError as error:
            made = refused(self.con, error)
        except InputError as error:
            made = Judged(WRONG_USE, reasons=[str(error)], error=error)
        self.say(f"{what} -> {made}")
        return made

    def __str__(self) -> str:
        """How to do it again."""
        return "\n".join(self.log)


def judged(con: duckdb.DuckDBPyConnection, made: Any) -> Judged:
    """Of a publication or an audit. (An entry of a foreign release is a number.)"""
    if isinstance(made, int):
        return Judged("entered")
    reasons = list(getattr(made, "reasons", ()))
    return Judged(made.verdict, reasons, list(made.remarks), _rows(con, made.verdicts))


def refused(con: duckdb.DuckDBPyConnection, error: RefusedError) -> Judged:
    rows = _rows(con, error.verdicts)
    ends_with_a_way_out(error, rows)
    return Judged(error.verdict, list(error.reasons), list(error.remarks), rows, error)


TRIES = re.compile(
    r"sqlanon\.(remedies, called as sqlanon\.publish|table_remedies, called as sqlanon\.publish_table) was, "
    "tries changes"
)


def ends_with_a_way_out(error: RefusedError, rows: Sequence[Mapping[str, Any]]) -> None:
    """A refusal of publish says last what tries changes, as none was tried; what no change of a policy would
    tell has ways of its own, or can be accepted by its name. Options and keys of these are there."""
    [*_, last] = getattr(error, "__notes__", ["nothing"])
    assert TRIES.match(last) or "Give it more time" in str(error), f"{last} is said last: {error}"
    for row in rows:
        if row["accepted"] is not None or row["verdict"] not in (FAILS, NOT_KNOWN):
            continue
        name, way = f"{row['attack']}.{row['id']}", row["remedy"] or ""
        has_changes = row["attack"] not in ("evidence", "columns")
        assert way or has_changes or row["verdict"] == NOT_KNOWN, f"nothing helps against {name}"
        assert not set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", way)) - options(), way
        for section, key in re.findall(r"\[(\w+)\] (\w+) = ", way):
            assert key in sections()[section], way


@functools.cache
def options() -> set[str]:
    """The options of publish, and of what says something of releases that are out."""
    publish: Any = get_command(of_publish)
    of = [publish.commands["publish"], *publish.commands["register"].commands.values()]
    return {option for command in of for each in command.params for option in each.opts}


def _rows(con: duckdb.DuckDBPyConnection, verdicts: str) -> list[dict[str, Any]]:
    if not verdicts:
        return []
    relation = con.sql(f"from {verdicts}")
    return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]


def report(
    nights: Nights,
    releases: Sequence[str],
    rows: Sequence[Row],
    qi: Sequence[str],
    sensitive: Sequence[str],
    tolerated: Mapping[str, float],
    **more: Any,
) -> Judged:
    """What the page says of releases that are out; id: the column of the rows that names people."""
    table = nights.load("people_of_the_report", rows)
    files = {name: str(nights.file(name)) for name in releases}
    given = {"id": "id", "truth": sensitive, "attacks": ["exact_cover"], **more}
    nights.say(f"report on {releases}: {given}")
    bounds: dict[float | str, float] = dict(of_both(tolerated).items())
    made = sqlanon.report(nights.con, files, qi, sensitive, targets=table, tolerated=bounds, **given)
    tones = {"Meets what is required": HOLDS, "Fails": FAILS, "Not known": NOT_KNOWN}
    said = getattr(made, "verdict", None) or next(
        (tones[title] for title in re.findall(r"<h\d[^>]*>\s*([^<,]+?)\s*[<,]", made.html) if title in tones),
        "nothing required",
    )
    verdicts = [dict(row) for row in made.data.verdicts]
    nights.say(f"report -> {said}: {verdicts}")
    return Judged(said, rows=[{"releases": releases, "sensitive": None, **row} for row in verdicts])


def of_both(tolerated: Mapping[str, float]) -> dict[str, float]:
    """The bound on who is certain, whoever that is certain to."""
    both = {KNOWING_ALL: tolerated[CERTAIN]} if CERTAIN in tolerated else {}
    return {**both, **tolerated}


def policy(
    qi: Iterable[str],
    sensitive: Iterable[str] = ("disease",),
    *,
    keep: Iterable[str] = (),
    unit: str | None = None,
    masks: Mapping[str, Mapping[str, str]] | None = None,
    hierarchies: Mapping[str, Mapping[Any, Sequence[str]]] | None = None,
    levels: Mapping[str, int] | None = None,
    method: Mapping[str, Any] | None = None,
    tolerated: Mapping[str, float] | None = None,
    **requirements: Any,
) -> str:
    """A policy. levels: what is released is decided by the hierarchies, to the letter."""
    roles: dict[str, Any] = {"qi": list(qi), "sensitive": list(sensitive)}
    roles |= {"keep": list(keep)} if list(keep) else {}
    roles |= {"unit": unit} if unit else {}
    chosen = dict(method or {})
    if levels is not None:
        chosen |= {"name": "generalize", "levels": dict(levels)}
    sections: dict[str, dict[str, Any]] = {"roles": roles}
    sections |= {"masks": dict(masks)} if masks else {}
    for column, labels in (hierarchies or {}).items():
        values = {str(value): list(path) for value, path in labels.items()}
        sections[f"hierarchies.{bare(column)}"] = {"values": values}
    sections["requirements"] = {"k": 2, **requirements}
    sections |= {"method": chosen} if chosen else {}
    bounds = of_both({CERTAIN: 0} if tolerated is None else tolerated)
    for attack in dict.fromkeys(key.partition(".")[0] for key in bounds):
        of_attack = {
            key.partition(".")[2]: most for key, most in bounds.items() if key.startswith(f"{attack}.")
        }
        sections[f"tolerated.{attack}"] = of_attack
    lines: list[str] = []
    for section, keys in sections.items():
        lines += [f"[{section}]", *(f"{bare(key)} = {shown(value)}" for key, value in keys.items()), ""]
    return "\n".join(lines)


def groups(*sets: tuple[str, Sequence[Any]]) -> dict[Any, list[str]]:
    """A hierarchy of two levels: a label for each set of values, then *."""
    return {value: [label, "*"] for label, values in sets for value in values}
