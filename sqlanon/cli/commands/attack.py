"""sqlanon attack"""

import dataclasses
import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

import duckdb
import typer
from sqlglot import exp, parse_one

from sqlanon.attack.intersection import LOCATED, of_release
from sqlanon.cli import options as given
from sqlanon.cli.app import BAD_DATA, EXIT_CODES, Topic
from sqlanon.cli.attack_kinds import INTERSECTION, Call, find, run, settings_in
from sqlanon.cli.options import check_nearest, formats_in, takes
from sqlanon.cli.steps import check_columns, print_sql, tell_unread
from sqlanon.cli.values import names_in
from sqlanon.core.errors import UseError
from sqlanon.core.files import Session, check_inputs, column_names, with_relations
from sqlanon.core.printing import Format, show
from sqlanon.core.remarks import remark
from sqlanon.core.source import lower
from sqlanon.core.statements import call, execute, select
from sqlanon.core.text_files import Roles
from sqlanon.policies.parsing import Options
from sqlanon.policies.policy import read as read_policy

app = Topic()


@app.command(epilog=EXIT_CODES)
@takes("input", "roles.qi", "roles.unit", "roles.weight", "hierarchies")
def attack(
    options: Options,
    releases: given.Releases,
    kind: given.Kind = INTERSECTION,
    targets: given.Targets[str | None] = None,
    id: given.TargetId[str | None] = None,
    sensitive: given.Attacked = None,
    truth: given.Truth = None,
    controls: given.Controls = None,
    settings: given.Settings = None,
    presence: given.Presence = None,
    nearest: given.Nearest = None,
    exact_cover: given.ExactCover = False,
    formats: given.Formats = None,
    unknown: given.Unknown = None,
    negations: given.Negations = None,
    priors: given.Priors = None,
    priors_by: given.PriorsBy = None,
    summary: given.Summary = False,
    format: given.Printed = None,
    sql: given.Sql = False,
) -> None:
    """Attack releases: what they tell, alone and together, about the people who are in them.

    Without --kind by intersection (Ganta, Kasiviswanathan and Smith, KDD 2008). Prints a row per target and
    sensitive column: prior and posterior (the values that are possible after the best single release, and
    after all of them) and the candidates themselves with their probabilities. With --summary, prints a row
    per measure over all targets instead: of how many an adversary is at least 90, 95 and 99 % sure, next to
    what guessing would reach, and the paper's measures.

    'sqlanon attacks' lists the other kinds. They print a row per person, class or row of a release: what is
    learned, how sure that is, and how sure a guess is without the attack.

    Where nobody is located, the exit code is 3: what is told of nobody is no all-clear.
    """
    columns = {
        name: None if value is None else names_in(f"--{name}", value)
        for name, value in (
            ("sensitive", sensitive),
            ("truth", truth),
            ("presence", presence),
            ("priors_by", priors_by),
        )
    }
    if kind.replace("-", "_").lower() != INTERSECTION:
        roles = options.get("roles", {})
        _refuse(
            f"is for {INTERSECTION}, not for {kind}",
            unit=roles.get("unit"), weight=roles.get("weight"), presence=presence, nearest=nearest,
            exact_cover=exact_cover, formats=formats, unknown=unknown, negations=negations, priors=priors,
            priors_by=priors_by,
        )  # fmt: skip
        named = {
            "qi": roles.get("qi"),
            "id": None if id is None else [id],
            "sensitive": columns["sensitive"],
            "truth": columns["truth"],
            "controls": None if controls is None else [controls],
        }
        others = {section: keys for section, keys in options.items() if section != "roles"}
        run(kind, Call(releases, targets, named, settings_in(settings), others), summary, format, sql)
        return
    _refuse(f"is not for {INTERSECTION}", controls=controls, set=settings)
    if targets is None or id is None or sensitive is None:
        missing = next(
            flag
            for flag, value in (("targets", targets), ("id", id), ("sensitive", sensitive))
            if value is None
        )
        raise UseError(f"Missing option '--{missing}'.")
    if priors_by and priors is None:
        raise UseError("--priors-by is for --priors: give both")
    known = {"negations": negations, "priors": priors}
    _intersect(
        options, releases, targets, id, columns, nearest, exact_cover, formats, unknown, known, summary,
        format, sql,
    )  # fmt: skip


def _refuse(why: str, **options: Any) -> None:
    """Errors: UseError for an option that is given and of no use."""
    for name, value in options.items():
        if value:
            raise UseError(f"--{name.replace('_', '-')} {why}")


def _intersect(
    options: Options,
    releases: list[str],
    targets: str,
    id: str,
    columns: Mapping[str, list[str] | None],
    nearest: list[str] | None,
    exact_cover: bool,
    formats: list[str] | None,
    unknown: list[str] | None,
    known: Mapping[str, str | None],
    summary: bool,
    format: Format | None,
    sql: bool,
) -> None:
    """The intersection attack on targets."""
    check_nearest(nearest, releases)
    with_sensitive = {**options, "roles": {**options.get("roles", {}), "sensitive": columns["sensitive"]}}
    policy = read_policy(None, with_sensitive, "breaches" if summary else "intersection_attack")
    check_inputs(*releases, targets, *(file for file in known.values() if file is not None))
    written = formats_in(formats, releases, policy.roles["qi"])
    with Session() as session:
        _check_formats(session.con, written)
        # nothing of them leaves: what is a number is read as one
        secret = {
            name: type_
            for name, type_ in policy.types.items()
            if name.lower() in lower(columns["sensitive"] or ())
        }
        tables = [session.read(release, Roles(types=secret)) for release in releases]
        unchanged = [
            id, *(columns["truth"] or ()), *(columns["presence"] or ()), *(columns["priors_by"] or ()),
            *policy.units(),
        ]  # fmt: skip
        people = session.read(targets, Roles(qi=policy.roles["qi"], keep=unchanged, types=policy.types))
        released = dataclasses.replace(policy, unit=None)  # the unit is a column of the targets
        written_by = [of_release(written, i, "", policy.roles["qi"]) for i in range(1, len(releases) + 1)]
        for release, table, of_columns in zip(releases, tables, written_by, strict=True):
            read = {**policy.roles, "qi": _columns_read(policy.roles["qi"], of_columns or {})}
            dataclasses.replace(released, roles=read).check_columns(column_names(session.con, table), release)
        columns_of_targets = {
            "--qi": policy.roles["qi"],
            "--id": [id],
            "--truth": columns["truth"] or [],
            "--presence": columns["presence"] or [],
            "--priors-by": columns["priors_by"] or [],
            "--unit": policy.units(),
            "--types": [name for name in policy.types if name not in secret],
        }
        check_columns(session, people, targets, columns_of_targets)
        knowledge = _read_knowledge(session, known, id, columns)
        relations = policy.relations(people, None)
        hierarchies = "hierarchies" if relations else None
        query = call(
            policy.method,
            tables,
            targets=people,
            id=id,
            qi=policy.roles["qi"],
            hierarchies=hierarchies,
            nearest=[release in nearest for release in releases] if nearest else None,
            exact_cover=exact_cover or None,
            unit=policy.unit,
            weight=policy.weight,
            formats=written or None,
            unknown=unknown,
            **knowledge,
            **columns,
        )
        query = with_relations(query, relations)
        if not summary:
            query = query.order_by(exp.column(id, quoted=True))
        if sql:
            print_sql(session, [query])
            return
        answer = session.answer(query)
        show(session.con, answer, format)
        _tell_contradictions(session.con, answer, summary)
        unshared = execute(session.con, call("unshared_values", tables, columns["sensitive"]))
        _tell_unshared(unshared, dict(zip(tables, releases, strict=True)))
        for release, table, of_columns in zip(releases, tables, written_by, strict=True):
            if release not in (nearest or ()):
                unread = call(
                    "unread_labels", table, people, qi=policy.roles["qi"], hierarchies=hierarchies,
                    formats=of_columns, unknown=unknown,
                )  # fmt: skip
                rows = execute(session.con, with_relations(unread, relations))
                tell_unread(release, rows)
                _tell_formats(release, rows, alone=len(releases) == 1)
        if not _is_anybody_located(session.con, answer, summary):
            remark(
                "nobody is located in all the releases that they are in: what is told of them is no all-clear"
            )
            raise typer.Exit(BAD_DATA)


@app.command(epilog=EXIT_CODES)
def attacks(
    kind: given.Explained = None,
    format: given.Printed = None,
) -> None:
    """List the attacks, a row each, or explain one of them: what it takes, and what it tells.

    'sqlanon attack --kind NAME' runs one. Its parameters that have no option of their own are given as
    --set NAME=VALUE.
    """
    with Session() as session:
        if kind is None:
            query = call("attacks")
        else:
            query = call("help", find(session, kind).name)
        show(session.con, session.answer(query), format)


def _read_knowledge(
    session: Session, known: Mapping[str, str | None], id: str, columns: Mapping[str, list[str] | None]
) -> dict[str, str]:
    """The tables of what is known of targets. Errors: for one that lacks a column."""
    keys = {"negations": [id], "priors": [*(columns["priors_by"] or ()), "share"]}
    about = ["value"] if len(columns["sensitive"] or ()) == 1 else ["sensitive", "value"]
    tables = {}
    for name, file in known.items():
        if file is None:
            continue
        tables[name] = session.read(file, Roles(keep=[*keys[name], *about]))
        check_columns(session, tables[name], file, {f"--{name}": [*keys[name], *about]})
    return tables


def _check_formats(con: duckdb.DuckDBPyConnection, formats: Mapping[str, str]) -> None:
    """Errors: UseError for a format that there is not."""
    for column, format in formats.items():
        [(is_known, known)] = execute(
            con, "select sqlanon._is_format($1), sqlanon._known_formats()", [format]
        )
        if not is_known:
            raise UseError(f"--formats {column}={format}: {format} is none of {known}")


def _columns_read(qi: Sequence[str], formats: Mapping[str, str]) -> list[str]:
    """The columns of a release that stand for the quasi-identifiers, but for those that are one-hot."""
    read: list[str] = []
    for column in qi:
        format = formats.get(column, "")
        if ends := re.fullmatch("between (.+?) and (.+)", format):
            read += ends.groups()
        elif not format.startswith("one-hot "):
            read.append(column)
    return read


def _is_anybody_located(con: duckdb.DuckDBPyConnection, answer: exp.Table, summary: bool) -> bool:
    """Is one of the targets located in all the releases that they are in?"""
    if summary:
        located = select(answer, "bool_or(value > 0)").where("id = 'located_in_all'")
    else:
        anybody = parse_one(LOCATED, dialect="duckdb")
        assert isinstance(anybody, exp.Expression)
        located = select(answer, anybody)
    [(found,)] = execute(con, located)
    return bool(found)


def _tell_contradictions(con: duckdb.DuckDBPyConnection, answer: exp.Table, summary: bool) -> None:
    """Say that of some people no value is left: what is 0 % certain then is no all-clear."""
    if summary:
        left = select(answer, "sensitive", "value / 100").where("id = 'contradictions'")
    else:
        left = select(answer, "sensitive", "avg((posterior = 0)::integer)").group_by("sensitive")
    for column, share in execute(con, left):
        if share:
            remark(
                f"{column}: for {100 * share:.4g} % of the targets no value is possible: they are not in all "
                "releases, were not located rightly, or the releases have different values. What is certain "
                "says nothing about them: this is no all-clear"
            )


def _tell_unshared(unshared: Sequence[tuple[str, str, str, str]], names: Mapping[str, str]) -> None:
    """Say which releases have no sensitive value in common."""
    for column, one, other, why in unshared:
        remark(
            f"{column}: {names[one]} and {names[other]} share no value ({why}): "
            "together they leave nothing for anybody"
        )


def _tell_formats(release: str, unread: Sequence[tuple[str, str, int, str, str | None]], alone: bool) -> None:
    """Say with which option unread labels would be read."""
    proposed: dict[str, str] = {}
    for column, _, _, _, format in unread:
        if format is not None:
            proposed.setdefault(column if alone else f"{release}.{column}", format)
    options = [f"--formats {shlex.quote(f'{column}={format}')}" for column, format in proposed.items()]
    if options:
        remark(f"{release}: this would read them: {' '.join(options)}")
