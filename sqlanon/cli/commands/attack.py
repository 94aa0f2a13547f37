"""sqlanon attack"""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import duckdb
import typer
from sqlglot import exp, parse_one

from sqlanon.attack.all_attacks import OF_COLUMNS
from sqlanon.attack.intersection import LOCATED, assumption, of_release
from sqlanon.cli import options as given
from sqlanon.cli.all_attacks import ALL, AtHand, run_all
from sqlanon.cli.app import BAD_DATA, EXIT_CODES, Topic
from sqlanon.cli.attack_kinds import INTERSECTION, Call, find, run, settings_in
from sqlanon.cli.formats import check_formats, columns_read, tell_formats
from sqlanon.cli.options import check_nearest, formats_in, takes
from sqlanon.cli.steps import (
    check_columns,
    print_sql,
    read_knowledge,
    tell_of_counts,
    tell_unread,
    unread_by_release,
    with_numbered_rows,
)
from sqlanon.cli.values import names_in
from sqlanon.core.errors import UseError
from sqlanon.core.files import Session, check_inputs, column_names, with_relations
from sqlanon.core.printing import Format, format_of, show
from sqlanon.core.remarks import remark
from sqlanon.core.source import lower
from sqlanon.core.statements import call, count, execute, select
from sqlanon.core.text_files import Roles
from sqlanon.policies import schema
from sqlanon.policies.parsing import Options
from sqlanon.policies.policy import Policy
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
    tolerated: given.ToleratedMeasures = None,
    max_targets: given.MaxTargets = None,
    unknown: given.Unknown = None,
    negations: given.Negations = None,
    priors: given.Priors = None,
    priors_by: given.PriorsBy = None,
    unchanged: given.Unchanged = None,
    values_may_change: given.ValuesMayChange = None,
    summary: given.Summary = False,
    policy_file: given.PolicyFile = None,
    format: given.Printed = None,
    sql: given.Sql = False,
) -> None:
    """Attack releases: what they tell, alone and together, about the people who are in them.

    Without --kind by intersection (Ganta, Kasiviswanathan and Smith, KDD 2008). Prints a row per target and
    sensitive column: prior and posterior (the values that are possible after the best single release, and
    after all of them) and the candidates themselves with their probabilities. With --summary, prints a row
    per measure over all targets instead: of how many an adversary is at least 90, 95 and 99 % sure, next to
    what guessing would reach, and the paper's measures. (A table has five of them, behind the answer in
    words.)

    'sqlanon attacks' lists the other kinds. They print a row per person, class or row of a release: what is
    learned, how sure that is, and how sure a guess is without the attack. With --kind all, every attack that
    applies is made: a row for each and its releases, with the shares in percent that are certain, at least
    90 % sure and expected to be right, or the reason why it does not apply or has failed; with --summary, a
    row per measure.

    With several releases, values of people are assumed not to change between them; name columns whose
    values may change in --values-may-change. If nobody is located in the releases, the exit code is 3: that
    is not an all-clear.

    --policy says what the columns are and what labels stand for, and, with --kind all, what is tolerated.
    """
    columns = {
        name: None if value is None else names_in(f"--{name}", value)
        for name, value in (
            ("sensitive", sensitive),
            ("truth", truth),
            ("presence", presence),
            ("priors_by", priors_by),
            ("unchanged", unchanged),
            ("values_may_change", values_may_change),
        )
    }
    if priors_by and priors is None:
        raise UseError("--priors-by is for --priors: give both")
    by_policy: Options = {}
    if policy_file is not None:
        policy = read_policy(policy_file, options, INTERSECTION)
        by_policy = _of_policy(policy, options, targets)
        if kind.lower() == ALL or kind.replace("-", "_").lower() == INTERSECTION:
            options, by_policy = {**options, **by_policy}, {}
            columns["sensitive"] = columns["sensitive"] or policy.roles.get("sensitive")
        if kind.lower() == ALL:
            own = [line.partition("=")[0] for line in tolerated or ()]
            said = [f"{name}={most!r}" for name, most in policy.tolerated.items() if name not in own]
            tolerated = [*said, *(tolerated or ())]
    named = {**columns, "qi": options.get("roles", {}).get("qi") or []}
    at_hand = AtHand(
        options, releases, targets, id, named, controls, nearest or [], formats, exact_cover, settings,
        tolerated, max_targets, unknown, {"negations": negations, "priors": priors},
    )  # fmt: skip
    if kind.lower() == ALL:
        run_all(at_hand, summary, format, sql)
        return
    _refuse("is for --kind all", tolerated=tolerated, max_targets=max_targets)
    if kind.replace("-", "_").lower() != INTERSECTION:
        roles = options.get("roles", {})
        _refuse(
            f"is for {INTERSECTION}, not for {kind}",
            nearest=nearest, exact_cover=exact_cover, negations=negations, priors=priors, priors_by=priors_by,
        )  # fmt: skip
        named = {
            "qi": roles.get("qi"),
            "id": None if id is None else [id],
            "sensitive": columns["sensitive"],
            "truth": columns["truth"],
            "controls": None if controls is None else [controls],
            "weight": [roles["weight"]] if roles.get("weight") else None,
            "unit": [roles["unit"]] if roles.get("unit") else None,
            "unknown": unknown or None,
            **{name: columns[name] for name in ("presence", "unchanged", "values_may_change")},
        }
        others = {section: keys for section, keys in options.items() if section != "roles"}
        attacked = Call(releases, targets, named, settings_in(settings), formats or (), others, by_policy)
        run(kind, attacked, summary, format, sql)
        return
    _refuse(f"is not for {INTERSECTION}", controls=controls, set=settings)
    needed = {"targets": targets, "id": id, "sensitive": columns["sensitive"]}
    if targets is None or id is None or not columns["sensitive"]:
        missing = next(flag for flag, value in needed.items() if not value)
        raise UseError(f"Missing option '--{missing}'.")
    _intersect(at_hand, targets, id, summary, format, sql)


def _of_policy(policy: Policy, options: Options, targets: str | None) -> Options:
    """What a policy and options say of columns and labels, as options would. The unit of a policy is a column
    of the original: it is one of the targets only if they have it."""
    roles: dict[str, Any] = {"qi": policy.roles["qi"], "sensitive": policy.roles.get("sensitive", [])}
    roles |= {} if policy.weight is None else {"weight": policy.weight}
    unit = policy.unit
    if unit is not None and not options.get("roles", {}).get("unit"):
        with Session() as session:
            has_unit = targets and unit.lower() in lower(column_names(session.con, session.read(targets)))
        unit = unit if has_unit else None
    roles |= {} if unit is None else {"unit": unit}
    form = {name: getattr(policy, name) for name in schema.INPUT}
    of_input = {name: given for name, given in form.items() if given}
    sections = {"roles": roles, "hierarchies": policy.hierarchies, "input": of_input}
    return {section: keys for section, keys in sections.items() if keys}


def _refuse(why: str, **options: Any) -> None:
    """Errors: UseError for an option that is given and of no use."""
    for name, value in options.items():
        if value:
            raise UseError(f"--{name.replace('_', '-')} {why}")


def _intersect(
    at_hand: AtHand, targets: str, id: str, summary: bool, format: Format | None, sql: bool
) -> None:
    """The intersection attack on targets, who are named by a column."""
    options, releases, nearest = at_hand.options, at_hand.releases, at_hand.nearest
    known, unknown = at_hand.knowledge, at_hand.unknown
    columns = {role: at_hand.columns[role] for role in OF_COLUMNS if role != "qi"}
    check_nearest(nearest, releases)
    with_sensitive = {**options, "roles": {**options.get("roles", {}), "sensitive": columns["sensitive"]}}
    policy = read_policy(None, with_sensitive, "breaches" if summary else "intersection_attack")
    check_inputs(*releases, targets, *(file for file in known.values() if file is not None))
    written = formats_in(at_hand.formats, releases, policy.roles["qi"])
    with Session() as session:
        check_formats(session.con, written)
        # nothing of them leaves: what is a number is read as one
        secret = {
            name: type_
            for name, type_ in policy.types.items()
            if name.lower() in lower(columns["sensitive"] or ())
        }
        tables = [session.read(release, Roles(types=secret)) for release in releases]
        own = [
            id, *(columns["truth"] or ()), *(columns["presence"] or ()), *(columns["priors_by"] or ()),
            *policy.units(),
        ]  # fmt: skip
        people = session.read(targets, policy.raw(policy.roles["qi"], keep=own))
        released = dataclasses.replace(policy, unit=None)  # the unit is a column of the targets
        written_by = [of_release(written, i, "", policy.roles["qi"]) for i in range(1, len(releases) + 1)]
        for release, table, of_columns in zip(releases, tables, written_by, strict=True):
            read = {**policy.roles, "qi": columns_read(policy.roles["qi"], of_columns or {})}
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
        unit = policy.unit
        if not any(known.values()):  # which is of somebody by the column that was given
            people, id, unit = with_numbered_rows(session, people, targets, id, unit)
        knowledge = read_knowledge(session, known, id, columns)
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
            exact_cover=at_hand.exact_cover or None,
            unit=unit,
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
        assumed = assumption(
            len(releases), *(columns[name] or [] for name in ("sensitive", "unchanged", "values_may_change"))
        )
        if assumed:
            remark(assumed)
        if summary:
            _show_summary(session.con, answer, format)
        else:
            counted = "people" if unit is None and policy.weight is None else "rows"
            _show_targets(session.con, answer, id, counted, format)
        for release, table in zip(releases, tables, strict=True):
            tell_of_counts(session, table, release, [*policy.named_columns(), policy.weight or ""])
        by_rows = len(releases) > 1 and bool(len(columns["sensitive"] or ()) > 1 or columns["unchanged"])
        _tell_contradictions(session.con, answer, summary, by_rows)
        unshared = execute(session.con, call("unshared_values", tables, columns["sensitive"]))
        _tell_unshared(unshared, dict(zip(tables, releases, strict=True)))
        if set(releases) - set(nearest):
            unread = call(
                "unread_labels", tables, people, qi=policy.roles["qi"], hierarchies=hierarchies,
                formats=written or None, unknown=unknown,
            )  # fmt: skip
            for release, rows in unread_by_release(session.con, with_relations(unread, relations), releases):
                if release not in nearest:
                    tell_unread(release, rows)
                    tell_formats(release, rows, alone=len(releases) == 1)
        if not _is_anybody_located(session.con, answer, summary):
            remark(
                "nobody is located in all the releases that they are in: what is told of them is no all-clear"
            )
            raise typer.Exit(BAD_DATA)


def _show_targets(
    con: duckdb.DuckDBPyConnection, answer: exp.Table, id: str, counted: str, format: Format | None
) -> None:
    """Print the rows; for people the answer in words, and of each row what is narrow enough to be read."""
    if format_of(format) is not Format.table:
        show(con, answer, format)
        return
    narrow = select(
        answer, exp.column(id, quoted=True), "sensitive", "prior", "posterior",
        "list_extract(candidates, 1) as guess", "round(list_extract(probabilities, 1), 3) as probability",
    )  # fmt: skip
    show(con, narrow.subquery(), format, words=call("_targets_in_words", answer.name, counted))
    remark("--format csv, json or markdown prints all candidates, and where they are from")


def _show_summary(con: duckdb.DuckDBPyConnection, answer: exp.Table, format: Format | None) -> None:
    """Print the rows; for people the answer in words, and the measures that these are about."""
    if format_of(format) is not Format.table:
        show(con, answer, format)
        return
    words = call("_breaches_in_words", answer.name)
    show(con, call("_breaches_in_short", answer.name).subquery(), format, words=words)
    [(measures,)] = execute(con, count(answer))
    remark(f"the measures in words; --format csv, json or markdown prints all {measures}")


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


def _tell_contradictions(
    con: duckdb.DuckDBPyConnection, answer: exp.Table, summary: bool, by_rows: bool
) -> None:
    """Say that of some people no value is left, or no row: what is 0 % certain then is no all-clear."""
    what = "row" if by_rows else "value"
    if summary:
        left = select(answer, "sensitive", "value / 100").where("id = 'contradictions'")
    else:
        has_column = "contradiction" in column_names(con, answer.name)
        contradicted = "contradiction" if has_column else "(posterior = 0)"
        left = select(answer, "sensitive", f"avg({contradicted}::integer)").group_by("sensitive")
    for column, share in execute(con, left):
        if share:
            remark(
                f"{column}: for {100 * share:.4g} % of the targets no {what} is possible: they are not in "
                "all releases, were not located rightly, or the releases have different values. What is "
                f"certain says {'too little' if by_rows else 'nothing'} about them: this is no all-clear"
            )


def _tell_unshared(unshared: Sequence[tuple[str, str, str, str]], names: Mapping[str, str]) -> None:
    """Say which releases have no sensitive value in common."""
    for column, one, other, why in unshared:
        remark(
            f"{column}: {names[one]} and {names[other]} share no value ({why}): "
            "together they leave nothing for anybody"
        )
