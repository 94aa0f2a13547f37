"""sqlanon attack"""

import dataclasses
from collections.abc import Mapping, Sequence

import duckdb
from sqlglot import exp

from sqlanon.cli import options as given
from sqlanon.cli.app import EXIT_CODES, Topic
from sqlanon.cli.options import check_nearest, takes
from sqlanon.cli.steps import check_columns, print_sql
from sqlanon.cli.values import names_in
from sqlanon.core.files import Session, check_inputs, column_names, with_relations
from sqlanon.core.printing import show
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
    targets: given.Targets[str],
    id: given.TargetId[str],
    sensitive: given.Attacked,
    truth: given.Truth = None,
    presence: given.Presence = None,
    nearest: given.Nearest = None,
    exact_cover: given.ExactCover = False,
    summary: given.Summary = False,
    format: given.Printed = None,
    sql: given.Sql = False,
) -> None:
    """Attack releases by intersection: what they tell together about people who are in them.

    Prints a row per target and sensitive column: prior and posterior (the values that are possible after
    the best single release, and after all of them) and the candidates themselves with their
    probabilities. With --summary, prints a row per measure over all targets instead: of how many an
    adversary is at least 90, 95 and 99 % sure, next to what guessing would reach, and the paper's measures.
    (Ganta, Kasiviswanathan and Smith, KDD 2008.)
    """
    check_nearest(nearest, releases)
    columns = {
        "sensitive": names_in("--sensitive", sensitive),
        "truth": None if truth is None else names_in("--truth", truth),
        "presence": None if presence is None else names_in("--presence", presence),
    }
    with_sensitive = {**options, "roles": {**options.get("roles", {}), "sensitive": columns["sensitive"]}}
    policy = read_policy(None, with_sensitive, "breaches" if summary else "intersection_attack")
    check_inputs(*releases, targets)
    with Session() as session:
        # nothing of them leaves: what is a number is read as one
        secret = {
            name: type_
            for name, type_ in policy.types.items()
            if name.lower() in lower(columns["sensitive"] or ())
        }
        tables = [session.read(release, Roles(types=secret)) for release in releases]
        unchanged = [id, *(columns["truth"] or ()), *(columns["presence"] or ()), *policy.units()]
        people = session.read(targets, Roles(qi=policy.roles["qi"], keep=unchanged, types=policy.types))
        released = dataclasses.replace(policy, unit=None)  # the unit is a column of the targets
        for release, table in zip(releases, tables, strict=True):
            released.check_columns(column_names(session.con, table), release)
        columns_of_targets = {
            "--qi": policy.roles["qi"],
            "--id": [id],
            "--truth": columns["truth"] or [],
            "--presence": columns["presence"] or [],
            "--unit": policy.units(),
            "--types": [name for name in policy.types if name not in secret],
        }
        check_columns(session, people, targets, columns_of_targets)
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
            **columns,
        )
        query = with_relations(query, relations)
        if sql:
            print_sql(session, [query])
            return
        answer = session.answer(query)
        show(session.con, answer, format)
        _tell_contradictions(session.con, answer, summary)
        unshared = execute(session.con, call("unshared_values", tables, columns["sensitive"]))
        _tell_unshared(unshared, dict(zip(tables, releases, strict=True)))
        for release, table in zip(releases, tables, strict=True):
            if release not in (nearest or ()):
                unread = call("unread_labels", table, people, qi=policy.roles["qi"], hierarchies=hierarchies)
                _tell_unread(release, execute(session.con, with_relations(unread, relations)))


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


def _tell_unread(release: str, unread: Sequence[tuple[str, str, int, str]]) -> None:
    """Say that nobody is found at some of what a release says."""
    if unread:
        column, label, _, why = unread[0]
        cells = sum(rows for _, _, rows, _ in unread)
        remark(
            f"{release}: nobody understands {len(unread):,} of its values, in {cells:,} cells, "
            f"such as {label} in {column} ({why}): "
            "the attack finds nobody there"
        )
