"""Releases of several tables that are out, judged anew: each folder by its own policy, and all together by
what the register keeps of their people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from sqlglot import exp

from sqlanon.core.files import as_pattern, column_names
from sqlanon.core.statements import call, drop, execute, named_table, relation, select, table
from sqlanon.core.tables import WorkTables
from sqlanon.judge.several_tables import Said, as_judged, check_tables
from sqlanon.judge.tables_beside import alike_in_all, unknown
from sqlanon.policies.people import PeoplePolicy, read_people
from sqlanon.publishing.register import Entry, Register
from sqlanon.publishing.several_tables import ending_of


def judge_folders(
    known: Register, work: WorkTables, out: Sequence[Entry], said: exp.Table, accepted: Mapping[str, str]
) -> None:
    """Add to what is said of a register what its releases of several tables tell. said: as in said_of."""
    entries = [entry for entry in out if entry.is_of_tables]
    policies = [_policy(entry) for entry in entries]
    for entry, rules in zip(entries, policies, strict=True):
        _add(known, work, said, [entry.name], _of_folder(known, work, entry, rules), accepted)
    if len(entries) > 1:
        names = [entry.name for entry in entries]
        _add(known, work, said, names, _together(known, work, entries, policies), accepted)


def _policy(entry: Entry) -> PeoplePolicy:
    """The policy that a release was made by."""
    made = read_people(Path(entry.name), text=(entry.policy or "").encode())
    assert made is not None
    return made


def _of_folder(known: Register, work: WorkTables, entry: Entry, rules: PeoplePolicy) -> Iterator[Said]:
    if entry.path is None or not entry.path.exists():
        sentence = (
            f"{entry}: {entry.path} is not there, so that nothing but what the register keeps was looked at"
        )
        yield unknown("files", "files of the release", None), sentence
        return
    if known.changed([entry]):  # a doubt says so
        return
    tables = {
        name: _read(work, name, entry.path / f"{name}{ending_of(each)}")
        for name, each in rules.tables.items()
    }
    made = check_tables(known.con, rules, tables, released=True)
    for row in execute(known.con, select(table(made.table))):
        if row[0] not in rules.tables or row[1] != "k":  # the k of a table alone is not required
            yield row, ""
    execute(known.con, drop(named_table(made.table)))
    known.remarks += [f"{entry.name}: {line}" for line in made.text.splitlines()]


def _read(work: WorkTables, name: str, file: Path) -> str:
    """A file of a release, whose values are texts."""
    rows: exp.Expression = relation(as_pattern(file))
    if file.suffix == ".csv":
        options = [
            exp.EQ(this=exp.to_identifier(each), expression=exp.true()) for each in ("header", "all_varchar")
        ]
        rows = exp.Table(
            this=exp.Anonymous(this="read_csv", expressions=[exp.Literal.string(as_pattern(file)), *options])
        )
    return work.make(f"file_{name}", select(rows)).name


def _together(
    known: Register, work: WorkTables, entries: Sequence[Entry], policies: Sequence[PeoplePolicy]
) -> Iterator[Said]:
    strictest = max(rules.requirements["k"] for rules in policies)
    yield from alike_in_all(work, known.con, known.kept_of_tables(entries), strictest)
    if any(rules.is_about_values for rules in policies):
        sentence = (
            "what is required of sensitive values is not looked at anew for whoever has all of these folders"
        )
        yield unknown("values", "values in all releases", None), sentence
    if any(rules.m for rules in policies):
        sentence = "whom items of a person tell to whoever has all of these folders is not looked at"
        yield unknown("items", "items in other releases", None), sentence


def _add(
    known: Register, work: WorkTables, said: exp.Table, names: Sequence[str],
    found: Iterator[Said], accepted: Mapping[str, str],
) -> None:  # fmt: skip
    if not (every := [*found]):
        return
    made = as_judged(known.con, every, [], accepted)
    known.remarks += made.text.splitlines()
    verdicts = work.make("verdicts_on_tables", call("_verdicts_on_tables", made.table, [*names]))
    columns = column_names(known.con, verdicts.name)
    execute(known.con, exp.insert(select(verdicts), said, columns=columns))
    execute(known.con, drop(named_table(made.table)))
