"""Several tables about the same people on the command line."""

from __future__ import annotations

from pathlib import Path

import typer

from sqlanon.cli.app import FAILS
from sqlanon.cli.options import Given
from sqlanon.cli.values import accepted_in
from sqlanon.core.errors import RefusedError, UseError
from sqlanon.core.files import Session, check_inputs
from sqlanon.core.interrupts import check_interrupted
from sqlanon.core.outputs import private_folder
from sqlanon.core.printing import show
from sqlanon.core.remarks import remark
from sqlanon.core.statements import execute, select, table
from sqlanon.judge.several_tables import check_tables
from sqlanon.judge.verdicts import NOT_KNOWN
from sqlanon.policies.people import PeoplePolicy
from sqlanon.publishing.publishing_tables import publish_tables
from sqlanon.publishing.several_tables import ENDINGS, anonymize_tables, check_folder, write_tables

OTHER_DATA = (".tsv", ".txt", ".tab", ".json", ".jsonl", ".ndjson", ".xlsx", ".sav", ".dta", ".duckdb")


def check(given: Given, rules: PeoplePolicy) -> None:
    """Judge the tables of a policy, or those of a release by it. Exits with 1 unless all that is required
    holds."""
    _refuse(given, rules, "reference known known_presence released sql suppressed")
    with Session() as session:
        tables = read_tables(session, rules, given.checked)
        judged = check_tables(session.con, rules, tables, released=given.checked is not None)
        show(session.con, table(judged.table), given.format)
    for line in judged.text.splitlines():
        remark(line)
    if not judged.holds:
        raise typer.Exit(FAILS)


def anonymize(given: Given, rules: PeoplePolicy) -> None:
    """Release the tables of a policy in a new folder, which has its name once all of them are there."""
    _refuse(
        given, rules, "spare checked sensitive_output force key_file known known_presence format sql steps"
    )
    if given.output is None:
        raise UseError("--output needs the name of a new folder, for the tables of the policy")
    folder = Path(given.output)
    check_folder(folder)
    with Session() as session, private_folder(folder.absolute().parent) as unfinished:
        release = anonymize_tables(session.con, rules, read_tables(session, rules, None))
        whole = unfinished / folder.name
        files = write_tables(session.con, rules, release, whole)
        check_interrupted()
        whole.rename(folder)
    for line in (*release.text.splitlines(), f"{folder}: {', '.join(files)}"):
        remark(line)
    if release.holds is None:
        raise typer.Exit(FAILS)


def publish(given: Given, rules: PeoplePolicy) -> None:
    """Release the tables of a policy in a new folder, and enter it in the register, if they hold together
    with what is out. Exits with 1 otherwise."""
    _refuse(
        given,
        rules,
        "checked period attacks settings max_targets accept_past judge_seconds all_attacks remedies applied "
        "confirm changing map_columns called gone map_words words yes key_file decision_page",
    )
    with Session() as session:
        try:
            made = publish_tables(
                session.con, rules, read_tables(session, rules, None), register=given.register_file,
                output=given.published_output, accept=accepted_in(given.accept),
                **given.of("name accepted_by accepted_until dry_run wait"),
            )  # fmt: skip
        except RefusedError as error:
            if error.verdicts:
                show(session.con, table(error.verdicts), given.format)
            for line in dict.fromkeys([*error.remarks, *error.reasons]):
                remark(line)
            if error.verdicts:
                open_to = select(table(error.verdicts), "id").where(f"verdict = '{NOT_KNOWN}'")
                for (id,) in execute(session.con, open_to):
                    remark(f"what is not known can be accepted by its name: --accept evidence.{id}='why'")
            remark(f"{error.verdict}: {given.published_output} is not out")
            raise typer.Exit(FAILS) from None
        check_interrupted()
        show(session.con, table(made.verdicts), given.format)
    for line in dict.fromkeys([*made.release.text.splitlines(), *made.remarks]):
        remark(line)
    if made.together:
        remark(f"judged together with {len(made.together):,}: {', '.join(made.together)}")
    if made.number is None:
        remark("a dry run: it would go out; nothing was written")
    else:
        remark(f"{made.path} is out: release {made.number}, {made.name}, in {given.register_file}")


def _refuse(given: Given, rules: PeoplePolicy, names: str) -> None:
    """Errors: UseError for an option that is about one table."""
    for name, value in given.of(names).items():
        if value not in (None, False, [], "value"):
            written = "INPUT" if name == "checked" else f"--{name.replace('_', '-')}"
            raise UseError(f"{written} does not go with [tables] of {rules.policy.spelling.path}")


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
    for path in Path(folder).iterdir() if folder is not None else ():
        if path.suffix.lower() in (*ENDINGS, *OTHER_DATA) and str(path) not in files.values():
            raise UseError(f"{path} leaves with {folder}, and is no table of the policy: take it out")
    check_inputs(*files.values())
    rules = rules if folder is None else rules.as_released()
    read = {}
    for name, file in files.items():
        reading = rules.reading(rules.tables[name])
        read[name] = session.read(file, reading if folder is None else reading.of_release())
    return read
