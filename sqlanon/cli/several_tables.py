"""Several tables about the same people on the command line."""

from __future__ import annotations

from pathlib import Path

import typer

from sqlanon.cli.app import FAILS
from sqlanon.cli.options import Given
from sqlanon.core.errors import UseError
from sqlanon.core.files import Session, check_inputs, place
from sqlanon.core.interrupts import check_interrupted
from sqlanon.core.outputs import private_folder
from sqlanon.core.printing import show
from sqlanon.core.remarks import remark
from sqlanon.core.statements import named_table, select, table
from sqlanon.judge.several_tables import check_tables
from sqlanon.policies.people import PeoplePolicy
from sqlanon.publishing.several_tables import anonymize_tables

ENDINGS = (".csv", ".parquet")  # of the files of a release


def check(given: Given, rules: PeoplePolicy) -> None:
    """Judge the tables of a policy, or those of a release by it. Exits with 1 unless all that is required
    holds."""
    _refuse(given, "reference known known_presence released sql suppressed")
    with Session() as session:
        tables = read_tables(session, rules, given.checked)
        told = check_tables(session.con, rules, tables, released=given.checked is not None)
        show(session.con, table(told.table), given.format)
    for line in told.text.splitlines():
        remark(line)
    if not told.holds:
        raise typer.Exit(FAILS)


def anonymize(given: Given, rules: PeoplePolicy) -> None:
    """Release the tables of a policy in a new folder, which has its name once all of them are there."""
    _refuse(given, "spare checked sensitive_output force key_file known known_presence format sql steps")
    if given.output is None:
        raise UseError("--output needs the name of a new folder, for the tables of the policy")
    folder = Path(given.output)
    if folder.exists():
        raise UseError(f"{folder} exists: name a new folder")
    if not folder.absolute().parent.is_dir():
        raise UseError(f"there is no folder {folder.parent} to make {folder.name} in")
    with Session() as session, private_folder(folder.absolute().parent) as unfinished:
        release = anonymize_tables(session.con, rules, read_tables(session, rules, None))
        whole = unfinished / folder.name
        whole.mkdir()
        outputs = [
            (select(named_table(made)), place(str(whole / f"{name}{ENDINGS[0]}")))
            for name, made in release.tables.items()
        ]
        session.write(outputs, False, rules.policy.origin)
        check_interrupted()
        whole.rename(folder)
    for line in (
        *release.text.splitlines(),
        f"{folder}: {', '.join(written.path.name for _, written in outputs)}",
    ):
        remark(line)


def _refuse(given: Given, names: str) -> None:
    """Errors: UseError for an option that is about one table."""
    for name, value in given.of(names).items():
        if value not in (None, False, [], "value"):
            written = "INPUT" if name == "checked" else f"--{name.replace('_', '-')}"
            raise UseError(f"{written} does not go with [tables] of {given.policy_file}")


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
