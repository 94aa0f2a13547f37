"""sqlanon utility, count-errors, disclosure, record-linkage: a release beside its original"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlglot import exp

from sqlanon.attack.intersection import check_formats
from sqlanon.cli.app import Topic
from sqlanon.cli.formats import columns_read, formats_in
from sqlanon.cli.options import Given
from sqlanon.cli.steps import check_columns, print_about, print_answer, read, tell_of_counts
from sqlanon.core.files import Session, check_inputs, column_names, with_relations
from sqlanon.core.plugins import ensure_plugged
from sqlanon.core.source import fresh_name, lower
from sqlanon.core.statements import call, create, execute, literal, relation, select, table
from sqlanon.core.tables import WorkTables
from sqlanon.core.text_files import Roles
from sqlanon.measure.plugged import with_others
from sqlanon.policies.parsing import check_input
from sqlanon.policies.policy import Policy
from sqlanon.policies.policy import read as read_policy

app = Topic()


@app.declare(
    "[input] roles.qi roles.sensitive roles.weight [hierarchies] requirements.k",
    "original release row_id? queries query_seed held_out formats policy_file format sql",
)
def utility(given: Given) -> None:
    """Print what a release has lost against its original: a row per measure, and column if it is about one.

    Suppression, NCP and GCP, loss, non-uniform entropy, precision, discernibility, average class size (with
    --k also C_avg, in multiples of k), KL divergence, city block distance, the error of random range counts;
    of numbers, changes of means, variances and correlations, and with --id SSE / SST. With --held-out, how
    well a classifier predicts the sensitive columns that is trained on the release. Measures of --plugin and
    of packages come last.
    """
    policy = read_policy(given.policy_file, given.options, "utility")
    sensitive, weight = policy.roles.get("sensitive", []), [] if policy.weight is None else [policy.weight]
    of_both = {"--sensitive": sensitive, **given.named("row_id")}
    of_release = {**of_both, "--weight": weight}
    _show_loss(given, policy, of_both, of_release, given.of("row_id queries query_seed held_out"))


@app.declare(
    "[input] roles.qi [hierarchies]",
    "original release count_column deviation_column queries query_seed policy_file format sql",
)
def count_errors(given: Given) -> None:
    """Print how well counts with noise answer random range counts, and how much of their error is the noise.

    What 'sqlanon dp counts' has released, beside the rows of the groups in --qi.
    """
    policy = read_policy(given.policy_file, given.options, "count_errors")
    columns = "count_column deviation_column"
    _show_loss(given, policy, {}, given.named(columns), given.of(f"{columns} queries query_seed"))


def _each_one(session: Session, source: str, weight: str) -> str:
    """The original with the column of weights: where only the release is a table of counts, each of its rows
    is one person."""
    if weight.lower() in lower(column_names(session.con, source)):
        return source
    made = table(fresh_name("original"))
    one = exp.Alias(this=literal(1), alias=exp.to_identifier(weight, quoted=True))
    execute(session.con, create(made, select(relation(source), "*", one), temporary=True))
    return made.name


def _show_loss(
    given: Given,
    policy: Policy,
    of_original: Mapping[str, Sequence[str]],
    of_release: Mapping[str, Sequence[str]],
    more: Mapping[str, Any],
) -> None:
    """Print what a macro says of a release beside its original. of_original, of_release: the columns, but
    for those in --qi, that options name."""
    original, release, sql = given.original, given.release, given.sql
    is_of_rows = policy.method == "utility"
    formats = formats_in(given.formats, [release], policy.roles["qi"]) if is_of_rows else {}
    formats = {column.removeprefix("1."): format for column, format in formats.items()}
    types = dict.fromkeys(of_release.get("--id", ()), "text")
    held_out = more.get("held_out")  # of utility alone
    check_inputs(original, release, held_out)
    with Session() as session:
        check_formats(session.con, formats)
        roles = policy.columns()
        roles = replace(roles, types={**types, **roles.types})
        source, population = read(session, replace(policy, weight=None), original, roles)
        if is_of_rows and policy.weight is not None and not sql:
            source = _each_one(session, source, policy.weight)
        released = session.read(release, replace(roles.of_release(types), qi=()))
        for made, name, named in ((source, original, of_original), (released, release, of_release)):
            qi = policy.roles["qi"] if made is source else columns_read(policy.roles["qi"], formats)
            check_columns(session, made, name, {"--qi": qi, **named})
        if held_out is not None:
            more = {**more, "held_out": session.read(held_out, roles)}
            check_columns(session, more["held_out"], held_out, {"--qi": policy.roles["qi"], **of_original})
        if "count_column" not in more:
            tell_of_counts(session, released, release, policy.roles["qi"])
        arguments = {**policy.macro_arguments(), **more, "formats": formats or None}
        relations = policy.relations(source, population) if sql else {}
        arguments["hierarchies"] = (
            ("hierarchies" if "hierarchies" in relations else None)
            if sql
            else policy.make_hierarchies(session.con, source, population, WorkTables(session.con))
        )
        query = call(policy.method, source, released, **arguments)
        if is_of_rows and not sql:
            ensure_plugged(session.con)
            query = with_others(query, source, released, {**arguments, "unit": policy.unit})
        query = with_relations(query, relations)
        words = "_utility_in_words" if is_of_rows else None
        print_answer(session, query, given.format, sql, words)


@app.declare("[input] original release compared row_id! within weight format sql")
def disclosure(given: Given) -> None:
    """Print how many values of a perturbed release are still the true ones, or near them: a row per column,
    and one for all of them.

    How many rows have their true value, or one near it, and how many share the lowest and the highest. The
    release is looked at before the column in --id is dropped.
    """
    print_about(given, "disclosure", _comparison(given), "compared row_id weight", "within")


@app.declare("[input] original release compared row_id! weight format sql")
def record_linkage(given: Given) -> None:
    """Print how often the nearest original of a released row is its own: what an adversary would find.

    The release is looked at before the column in --id is dropped. Every row is compared with every other:
    the time grows with the square of the rows.
    """
    print_about(given, "record_linkage", _comparison(given), "compared row_id weight")


def _comparison(given: Given) -> list[tuple[str, Roles]]:
    """How an original and its release are read."""
    form = check_input(given.options)
    raw = Roles(qi=given.compared, **{**form, "types": {given.row_id: "text", **form.get("types", {})}})
    return [(given.original, raw), (given.release, raw.of_release(raw.types))]
