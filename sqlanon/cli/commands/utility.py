"""sqlanon utility, count-errors, disclosure, record-linkage: a release beside its original"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlanon.cli import options as given
from sqlanon.cli.app import EXIT_CODES, Topic
from sqlanon.cli.options import takes
from sqlanon.cli.steps import check_columns, print_answer, read, tell_of_counts
from sqlanon.cli.values import names_in
from sqlanon.core.files import Session, check_inputs, with_relations
from sqlanon.core.printing import Format
from sqlanon.core.statements import call
from sqlanon.core.tables import WorkTables
from sqlanon.core.text_files import Roles
from sqlanon.policies.parsing import Options, check_input
from sqlanon.policies.policy import Policy
from sqlanon.policies.policy import read as read_policy

app = Topic()


@app.command(epilog=EXIT_CODES)
@takes("input", "roles.qi", "roles.sensitive", "roles.weight", "hierarchies", "requirements.k")
def utility(
    options: Options,
    original: given.Original,
    release: given.Released,
    id: given.RowId[str | None] = None,
    queries: given.Queries = 1000,
    seed: given.QuerySeed = 1,
    policy_file: given.PolicyFile = None,
    format: given.Printed = None,
    sql: given.Sql = False,
) -> None:
    """Print what a release has lost against its original: a row per measure, and column if it is about one.

    Suppression, NCP and GCP, loss, non-uniform entropy, precision, discernibility, average class size (with
    --k also C_avg, in multiples of k), KL divergence, city block distance, the error of random range counts;
    of numbers, changes of means, variances and correlations, and with --id SSE / SST.
    """
    policy = read_policy(policy_file, options, "utility")
    of_both = {
        "--sensitive": policy.roles.get("sensitive", []), "--id": [] if id is None else [id],
        "--weight": [] if policy.weight is None else [policy.weight],
    }  # fmt: skip
    as_text = {} if id is None else {id: "text"}
    _show_loss(
        policy, original, release, of_both, of_both, as_text, format, sql, id=id, queries=queries, seed=seed
    )


@app.command(epilog=EXIT_CODES)
@takes("input", "roles.qi", "hierarchies")
def count_errors(
    options: Options,
    original: given.Original,
    release: given.Released,
    count_column: given.CountColumn[str] = "n",
    deviation_column: given.DeviationColumn[str] = "standard_deviation",
    queries: given.Queries = 1000,
    seed: given.QuerySeed = 1,
    policy_file: given.PolicyFile = None,
    format: given.Printed = None,
    sql: given.Sql = False,
) -> None:
    """Print how well counts with noise answer random range counts, and how much of their error is the noise.

    What 'sqlanon dp counts' has released, beside the rows of the groups in --qi.
    """
    of_release = {"--count-column": [count_column], "--deviation-column": [deviation_column]}
    _show_loss(
        read_policy(policy_file, options, "count_errors"), original, release, {}, of_release, {}, format, sql,
        count_column=count_column, deviation_column=deviation_column, queries=queries, seed=seed,
    )  # fmt: skip


def _show_loss(
    policy: Policy,
    original: str,
    release: str,
    of_original: Mapping[str, Sequence[str]],
    of_release: Mapping[str, Sequence[str]],
    types: Mapping[str, str],
    format: Format | None,
    sql: bool,
    **more: Any,
) -> None:
    """Print what a macro says of a release beside its original. of_original, of_release: the columns, but
    for those in --qi, that options name. types: of columns of both."""
    check_inputs(original, release)
    with Session() as session:
        roles = policy.columns()
        roles = replace(roles, types={**types, **roles.types})
        source, population = read(session, policy, original, roles)
        released = session.read(release, replace(roles.of_release(types), qi=()))
        for table, name, named in ((source, original, of_original), (released, release, of_release)):
            check_columns(session, table, name, {"--qi": policy.roles["qi"], **named})
        if "count_column" not in more:
            tell_of_counts(session, released, release, policy.roles["qi"])
        arguments = {**policy.macro_arguments(session.con), **more}
        relations = policy.relations(source, population) if sql else {}
        arguments["hierarchies"] = (
            ("hierarchies" if "hierarchies" in relations else None)
            if sql
            else policy.make_hierarchies(session.con, source, population, WorkTables(session.con))
        )
        query = with_relations(call(policy.method, source, released, **arguments), relations)
        words = "_utility_in_words" if policy.method == "utility" else None
        print_answer(session, query, format, sql, words)


@app.command(epilog=EXIT_CODES)
@takes("input")
def disclosure(
    options: Options,
    original: given.Original,
    release: given.Released,
    columns: given.Compared,
    id: given.RowId[str],
    within: given.Within = 0.05,
    weight: given.Weight = None,
    format: given.Printed = None,
    sql: given.Sql = False,
) -> None:
    """Print what a perturbed release still tells of the original: a row per column, and one for all of them.

    How many rows have their true value, or one near it, and how many share the lowest and the highest. The
    release is looked at before the column in --id is dropped.
    """
    _show_comparison(
        "disclosure", options, original, release, columns, id, weight, format, sql, within=within
    )  # fmt: skip


@app.command(epilog=EXIT_CODES)
@takes("input")
def record_linkage(
    options: Options,
    original: given.Original,
    release: given.Released,
    columns: given.Compared,
    id: given.RowId[str],
    weight: given.Weight = None,
    format: given.Printed = None,
    sql: given.Sql = False,
) -> None:
    """Print how often the nearest original of a released row is its own: what an adversary would find.

    The release is looked at before the column in --id is dropped. Every row is compared with every other:
    the time grows with the square of the rows.
    """
    _show_comparison("record_linkage", options, original, release, columns, id, weight, format, sql)


def _show_comparison(
    macro: str,
    options: Options,
    original: str,
    release: str,
    columns: Sequence[str],
    id: str,
    weight: str | None,
    format: Format | None,
    sql: bool,
    **more: Any,
) -> None:
    """Print what a macro says about the columns of an original and its release."""
    named = names_in("--columns", columns)
    form = check_input(options)
    raw = Roles(qi=named, **{**form, "types": {id: "text", **form.get("types", {})}})
    roles = raw.of_release(raw.types)
    check_inputs(original, release)
    with Session() as session:
        tables = [session.read(original, raw), session.read(release, roles)]
        for name, table in zip((original, release), tables, strict=True):
            named_in_options = {
                "--columns": named, "--id": [id], "--types": list(roles.types),
                "--weight": [] if weight is None else [weight],
            }  # fmt: skip
            check_columns(session, table, name, named_in_options)
        print_answer(session, call(macro, *tables, id=id, columns=named, weight=weight, **more), format, sql)
