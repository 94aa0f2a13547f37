"""The gate for several tables about the same people: a folder goes out if it holds together with the folders
of the same people that are out, and the register knows it first."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.core.connection import connection_first
from sqlanon.core.errors import RefusedError, UseError
from sqlanon.core.library import ensure_registered
from sqlanon.core.outputs import private_folder
from sqlanon.core.statements import call, count, drop, execute, literal, named_table, relation, select, table
from sqlanon.core.tables import WorkTables, transaction
from sqlanon.judge.past import Accepted
from sqlanon.judge.several_tables import EVIDENCE, Joined, JudgedTables, Sources, as_judged, joined, policy_of
from sqlanon.judge.tables_beside import judged_beside, with_earlier
from sqlanon.judge.verdicts import FAILS, NOT_KNOWN
from sqlanon.policies.people import PeoplePolicy
from sqlanon.publishing.acceptances import Acceptance, acceptance
from sqlanon.publishing.gate import given_a_name
from sqlanon.publishing.register import ALIAS, SEVERAL_TABLES, Entry, Register, opened
from sqlanon.publishing.series import Series
from sqlanon.publishing.several_tables import Making, TablesRelease, check_folder, write_tables


@dataclass(frozen=True)
class TablesPublication:
    """A folder that has gone out, or that would (is_out: False, after a dry run).

    number: of its entry in the register. name, path: what it is called there, and where it went. together:
    the names of the releases that it was judged together with. verdicts: a temporary table, as in
    `check_tables`. remarks: what else there was to say.
    """

    is_out: bool
    number: int | None
    name: str
    path: Path
    release: TablesRelease
    together: Sequence[str]
    verdicts: str
    remarks: Sequence[str]


@connection_first
def publish_tables(
    con: duckdb.DuckDBPyConnection,
    policy: str | os.PathLike[str] | PeoplePolicy,
    tables: Sources | None = None,
    *,
    register: str | os.PathLike[str],
    output: str | os.PathLike[str],
    name: str | None = None,
    accept: Mapping[str, str] | None = None,
    accepted_by: str | None = None,
    accepted_until: date | str | None = None,
    dry_run: bool = False,
    wait: float = 0,
) -> TablesPublication:
    """Release several tables about the same people as `anonymize_tables` does, and let the folder go out if
    what is required holds together with the releases of the same people that are out.

    policy, tables: as in `anonymize_tables`. register: a DuckDB file, which is made if it is not there.
    output: a folder that is not there yet. name: what the release is called in the register; as the folder,
    if not given. accept: why it is accepted that something is not known, by its name ({"evidence.leavers":
    "they were told"}); accepted_by, accepted_until: as in `publish`. dry_run: nothing is written, not even to
    the register. wait: so many seconds at most, while somebody else has the register.

    The register keeps, by keyed hashes, who is in which class of a release, and with which sensitive values.
    For a later one, two people are alike only if they are in one class in each release that is out, too; its
    levels are searched for that, and what is required is required of these classes. It is not known what
    follows from releases of one table, or for people who have left while others of their class stay.

    Errors: RefusedError, if something fails, or is not known and not accepted; InputError, as in
    `anonymize_tables` and `publish`. After an error nothing is out.
    """
    ensure_registered(con)
    rules = policy_of(policy)
    folder = Path(output)
    check_folder(folder)
    called = name or folder.name
    given = acceptance(accepted_by, accepted_until, accept or {})
    for doubt in accept or {}:
        if not doubt.startswith(f"{EVIDENCE}."):
            raise UseError(f"{doubt} is nothing that can be accepted of tables: {EVIDENCE}.leavers may be")
    with ExitStack() as stack:
        known = stack.enter_context(opened(con, register, read_only=dry_run, make=True, wait=wait))
        out = known.reconcile(folder.resolve().parent)
        known.check_files(out)
        known.check_name(called)
        work = stack.enter_context(WorkTables(con))
        run = _Run(con, work, rules, known, out)
        with transaction(con), joined(con, rules, tables, work) as found:
            release = run.made(found)
        verdicts = run.judged(given)
        number = None if dry_run else run.goes_out(folder, called, release, verdicts, given)
    return TablesPublication(
        not dry_run, number, called, folder, release, [*run.kept.releases.values()], verdicts.table,
        [*known.remarks, *verdicts.text.splitlines()],
    )  # fmt: skip


class _Run:
    """A release in the making, beside what is out."""

    def __init__(
        self, con: duckdb.DuckDBPyConnection, work: WorkTables, rules: PeoplePolicy, register: Register,
        out: Sequence[Entry],
    ) -> None:  # fmt: skip
        self.con, self.work, self.rules, self.register = con, work, rules, register
        if register.is_there:
            register.hashed({})  # so that there is a secret, unless it is only looked at
        folders = [each for each in out if each.is_of_tables]
        self.kept = register.kept_of_tables(folders)
        nights = {each.id: each.parameters for each in folders}
        self.series = Series.of(rules, f"{ALIAS}.rows_of_tables", self.kept.secret, nights)
        self.with_items = [each.name for each in folders if each.parameters.get("items")]
        self.others = [each.name for each in out if not (each.is_of_tables or each.is_randomized)]

    def made(self, found: Joined) -> TablesRelease:
        """The release, whose tables stay until the connection ends."""
        has_secret = self.register.is_there and execute(self.con, count(table("hash_key", catalog=ALIAS)))
        secret = self.kept.secret if has_secret == [(1,)] else None
        self.making = Making(with_earlier(found, self.work, self.kept), self.work, secret, self.series)
        return self.making.release()

    def judged(self, given: Acceptance) -> JudgedTables:
        """The verdicts on the release, alone and together with what is out. Errors: RefusedError."""
        alone = self.making.verdicts
        remaining = self.making.remaining
        beside = [*judged_beside(remaining, self.work, self.kept, self.others, self.with_items)]
        if self.series is not None:
            beside += self.series.judged(remaining, self.work)
        said = [(row, "") for row in execute(self.con, select(table(alone.table)))]
        execute(self.con, drop(named_table(alone.table)))
        reasons = {**self.rules.policy.accepted, **given.reasons}
        made = as_judged(self.con, [*said, *beside], [], reasons, self.rules.tables)
        if made.holds is not True:
            verdict = FAILS if made.holds is False else NOT_KNOWN
            remarks = [*self.register.remarks, *self.making.remarks]
            lines = (made.text or alone.text).splitlines()
            raise RefusedError(lines, made.table, remarks, verdict)
        return made

    def goes_out(
        self, folder: Path, called: str, release: TablesRelease, verdicts: JudgedTables, given: Acceptance
    ) -> int:
        """Entry, folder, confirmation; the number of the entry."""
        rules, register = self.rules, self.register
        kept = self._kept_of_release()
        series = {} if self.series is None else self.series.described()
        [(rows,)] = execute(self.con, count(named_table(release.tables[rules.root.name])))
        entry = {
            "name": called, "is_foreign": False, "qi": [], "sensitive": [], "nearest": False, "formats": {},
            "row_count": rows, "suppressed_rows": release.suppressed,
            "required": {
                id: float(value) for id, value in rules.requirements.items()
                if isinstance(value, int | float) and not isinstance(value, bool)
            },
            "method": SEVERAL_TABLES,
            "parameters": json.dumps({"tables": [*rules.tables], "levels": release.levels,
                                      "items": self.making.items, **series}),
            "policy": rules.policy.text,
            "policy_path": str(rules.policy.spelling.path.resolve()) if rules.policy.spelling.path else None,
            "policy_sha256": rules.policy.origin.get("sqlanon_policy_sha256"),
            "unit": rules.unit,
        }  # fmt: skip
        names = [*self.kept.releases.values()]

        def enter(everything: Mapping[str, Any]) -> int:
            number = register.enter(everything, None)
            for into, made in kept.items():
                for each in made:
                    with_number = select(relation(each), literal(number), "*")
                    execute(self.con, exp.insert(with_number, table(into, catalog=ALIAS)))
            recorded = self.work.make("recorded", call("_verdicts_on_tables", verdicts.table, names))
            register.record(recorded, "publish", number)
            register.accept(
                [
                    Accepted(EVIDENCE, doubt.partition(".")[2], None, names, frozenset(), why,
                             *given.about(doubt, why))
                    for doubt, why in verdicts.accepted.items()
                ], number,
            )  # fmt: skip
            return number

        final = folder.resolve()
        with private_folder(final.parent) as unfinished:
            whole = unfinished / final.name
            write_tables(self.con, rules, release, whole)
            return given_a_name(self.con, register, whole, final, entry, enter)

    def _kept_of_release(self) -> dict[str, list[str]]:
        """What the register keeps, by its tables: people with their classes in this release alone, values,
        and of a series rows."""
        register = self.register
        register.hashed({})  # so that there is a secret
        alone = replace(self.making.remaining, earlier=(), since=None)
        classes = alone.classes(self.work)
        kept = self.work.make("people_to_keep", call("_classes_to_keep", classes.name, self.kept.secret))
        values = [
            self.work.make(
                f"values_to_keep_{nth}", call("_values_to_keep", rows, attribute, self.kept.secret)
            ).name
            for nth, (attribute, rows) in enumerate(alone.values(self.work, classes).items())
        ]
        made = {"people_of_tables": [kept.name], "values_of_tables": values}
        if self.series is not None:
            root = self.rules.root
            source = call("_hashed_units", alone.names[root.name], root.own, self.kept.secret)
            hashed = self.work.make("hashed_of_release", source).name
            made["rows_of_tables"] = self.series.to_keep(alone, self.work, hashed)
        return made
