"""sqlanon attack"""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import duckdb
import typer
from sqlglot import exp, parse_one

from sqlanon.attack.intersection import LOCATED, assumption, of_release
from sqlanon.cli import steps
from sqlanon.cli.all_attacks import ALL, run_all
from sqlanon.cli.app import BAD_DATA, Topic
from sqlanon.cli.attack_kinds import INTERSECTION, find, run
from sqlanon.cli.formats import check_formats, check_nearest, columns_read, formats_in, tell_formats
from sqlanon.cli.options import Given
from sqlanon.core.errors import UseError
from sqlanon.core.files import Session, check_inputs, column_names, with_relations
from sqlanon.core.printing import Format, format_of, show
from sqlanon.core.remarks import remark
from sqlanon.core.source import lower
from sqlanon.core.statements import call, count, execute, select
from sqlanon.policies import schema
from sqlanon.policies.parsing import Options
from sqlanon.policies.policy import Policy
from sqlanon.policies.policy import read as read_policy

app = Topic()

OF_TARGETS = "truth presence priors_by"  # columns of the targets
UNCHANGED = "unchanged values_may_change"  # columns of the releases


@app.declare(
    "[input] roles.qi roles.unit roles.weight [hierarchies]",
    "releases kind targets? id? attacked truth controls settings presence nearest exact_cover formats",
    "tolerated_measures max_targets unknown negations priors priors_by unchanged values_may_change",
    "summary policy_file format sql",
)
def attack(given: Given) -> None:
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
    if given.priors_by and given.priors is None:
        raise UseError("--priors-by is for --priors: give both")
    kind = given.kind.replace("-", "_").lower()
    by_policy: Options = {}
    if given.policy_file is not None:
        policy = read_policy(given.policy_file, given.options, INTERSECTION)
        by_policy = _of_policy(policy, given)
        if kind in (ALL, INTERSECTION):
            attacked = given.attacked or policy.roles.get("sensitive")
            given = given.but(options={**given.options, **by_policy}, attacked=attacked)
        if kind == ALL:
            own = [line.partition("=")[0] for line in given.tolerated_measures or ()]
            said = [f"{name}={most!r}" for name, most in policy.tolerated.items() if name not in own]
            given = given.but(tolerated_measures=[*said, *(given.tolerated_measures or ())])
    if kind == ALL:
        run_all(given)
        return
    _refuse("is for --kind all", given.of("tolerated_measures max_targets"))
    if kind != INTERSECTION:
        own_to_it = given.of("nearest exact_cover negations priors priors_by")
        _refuse(f"is for {INTERSECTION}, not for {given.kind}", own_to_it)
        run(given, by_policy)
        return
    _refuse(f"is not for {INTERSECTION}", given.of("controls settings"))
    for name, value in given.of("targets id attacked").items():
        if not value:
            raise UseError(f"Missing option '--{name}'.")
    _intersect(given)


def _of_policy(policy: Policy, given: Given) -> Options:
    """What a policy and options say of columns and labels, as options would. The unit of a policy is a column
    of the original: it is one of the targets only if they have it."""
    roles: dict[str, Any] = {"qi": policy.roles["qi"], "sensitive": policy.roles.get("sensitive", [])}
    roles |= {} if policy.weight is None else {"weight": policy.weight}
    unit = policy.unit
    if unit is not None and not given.roles.get("unit"):
        with Session() as session:
            has_unit = given.targets and unit.lower() in lower(
                column_names(session.con, session.read(given.targets))
            )
        unit = unit if has_unit else None
    roles |= {} if unit is None else {"unit": unit}
    form = {name: getattr(policy, name) for name in schema.INPUT}
    of_input = {name: each for name, each in form.items() if each}
    sections = {"roles": roles, "hierarchies": policy.hierarchies, "input": of_input}
    return {section: keys for section, keys in sections.items() if keys}


def _refuse(why: str, options: Mapping[str, Any]) -> None:
    """Errors: UseError for an option that is given and of no use."""
    for name, value in options.items():
        if value:
            raise UseError(f"--{name.replace('_', '-')} {why}")


def _intersect(given: Given) -> None:
    """The intersection attack on targets, who are named by a column."""
    releases, nearest, summary = given.releases, given.nearest or [], given.summary
    known, columns = given.of("negations priors"), given.of(f"attacked {OF_TARGETS} {UNCHANGED}")
    check_nearest(nearest, releases)
    with_sensitive = {**given.options, "roles": {**given.roles, "sensitive": given.attacked}}
    policy = read_policy(None, with_sensitive, "breaches" if summary else INTERSECTION)
    qi = policy.roles["qi"]
    check_inputs(*releases, given.targets, *known.values())
    written = formats_in(given.formats, releases, qi)
    with Session() as session:
        check_formats(session.con, written)
        tables = steps.read_releases(session, given, policy)
        named = given.named(f"id {OF_TARGETS}") | {"--unit": policy.units()}
        people = session.read(
            given.targets, policy.raw(qi, keep=[name for each in named.values() for name in each])
        )
        released = dataclasses.replace(policy, unit=None)  # the unit is a column of the targets
        for i, (release, table) in enumerate(zip(releases, tables, strict=True), 1):
            read = {**policy.roles, "qi": columns_read(qi, of_release(written, i, "", qi) or {})}
            dataclasses.replace(released, roles=read).check_columns(column_names(session.con, table), release)
        of_people = [name for name in policy.types if name.lower() not in lower(given.attacked or ())]
        steps.check_columns(session, people, given.targets, {"--qi": qi, **named, "--types": of_people})
        id, unit = given.id, policy.unit
        if not any(known.values()):  # which is of somebody by the column that was given
            people, id, unit = steps.with_numbered_rows(session, people, given.targets, id, unit)
        relations = policy.relations(people, None)
        hierarchies = "hierarchies" if relations else None
        query = call(
            policy.method, tables, targets=people, id=id, qi=qi, hierarchies=hierarchies,
            nearest=[release in nearest for release in releases] if nearest else None,
            exact_cover=given.exact_cover or None, unit=unit, weight=policy.weight, formats=written or None,
            unknown=given.unknown, **steps.read_knowledge(session, given), **columns,
        )  # fmt: skip
        query = with_relations(query, relations)
        if not summary:
            query = query.order_by(exp.column(id, quoted=True))
        if given.sql:
            steps.print_sql(session, [query])
            return
        answer = session.answer(query)
        unchanged = given.unchanged or []
        assumed = assumption(len(releases), given.attacked or [], unchanged, given.values_may_change or [])
        if assumed:
            remark(assumed)
        if summary:
            _show_summary(session.con, answer, given.format)
        else:
            counted = "people" if unit is None and policy.weight is None else "rows"
            _show_targets(session.con, answer, id, counted, given.format)
        for release, table in zip(releases, tables, strict=True):
            steps.tell_of_counts(session, table, release, [*policy.named_columns(), policy.weight or ""])
        by_rows = len(releases) > 1 and bool(len(given.attacked or ()) > 1 or unchanged)
        _tell_contradictions(session.con, answer, summary, by_rows)
        unshared = execute(session.con, call("unshared_values", tables, given.attacked))
        _tell_unshared(unshared, dict(zip(tables, releases, strict=True)))
        if set(releases) - set(nearest):
            unread = call(
                "unread_labels", tables, people, qi=qi, hierarchies=hierarchies, formats=written or None,
                unknown=given.unknown,
            )  # fmt: skip
            for release, rows in steps.unread_by_release(
                session.con, with_relations(unread, relations), releases
            ):
                if release not in nearest:
                    steps.tell_unread(release, rows)
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
    words = call("_targets_in_words", answer.name, counted)
    show(con, narrow.subquery(), format, words=words, has_measures=False)
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


@app.declare("explained format")
def attacks(given: Given) -> None:
    """List the attacks, a row each, or explain one of them: what it takes, and what it tells.

    'sqlanon attack --kind NAME' runs one. Its parameters that have no option of their own are given as
    --set NAME=VALUE.
    """
    with Session() as session:
        if given.explained is None:
            query = call("attacks")
        else:
            query = call("help", find(session, given.explained).name)
        show(session.con, session.answer(query), given.format)


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
