"""Several tables about the same people on the command line."""

from __future__ import annotations

from pathlib import Path

import typer

from sqlanon.cli.app import FAILS
from sqlanon.cli.options import Given
from sqlanon.core.errors import UseError
from sqlanon.core.files import Session, check_inputs
from sqlanon.core.printing import show
from sqlanon.core.remarks import remark
from sqlanon.core.statements import table
from sqlanon.judge.several_tables import check_tables
from sqlanon.policies.people import PeoplePolicy

ENDINGS = (".csv", ".parquet")  # of the files of a release


def check(given: Given, rules: PeoplePolicy) -> None:
    """Judge the tables of a policy, or those of a release by it. Exits with 1 unless all that is required
    holds."""
    not_for = "reference known known_presence released sql suppressed"
    for name, value in given.of(not_for).items():
        if value not in (None, False, [], "value"):
            raise UseError(f"--{name.replace('_', '-')} does not go with [tables] of {given.policy_file}")
    with Session() as session:
        tables = read_tables(session, rules, given.checked)
        told = check_tables(session.con, rules, tables, released=given.checked is not None)
        show(session.con, table(told.table), given.format)
    for line in told.text.splitlines():
        remark(line)
    if not told.holds:
        raise typer.Exit(FAILS)


def read_tables(session: Session, rules: PeoplePolicy, folder: str | None) -> dict[str, str]:
    """The tables of a policy in a session, or those of a release in a folder."""
    files: dict[str, str] = {}
    if folder is not None and not Path(folder).is_dir():
        raise UseError(f"there is no folder {folder}: with [tables] of a policy a release is a folder")
    for name, each in rules.tables.items():
        if folder is not None:
            there = [str(path) for end in ENDINGS if (path := Path(folder) / f"{name}{end}").is_file()]
            if not there:
                raise UseError(f"there is no {name}{ENDINGS[0]} in {folder}")
            files[name] = there[0]
        elif each.file is None:
            raise UseError(f"tables.{name} of the policy needs file")
        else:
            files[name] = each.file
    check_inputs(*files.values())
    read = {}
    for name, file in files.items():
        reading = rules.reading(rules.tables[name])
        read[name] = session.read(file, reading if folder is None else reading.of_release())
    return read
