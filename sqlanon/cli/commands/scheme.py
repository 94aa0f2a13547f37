"""sqlanon scheme"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from sqlglot import exp

from sqlanon.cli.app import Topic
from sqlanon.cli.options import Given
from sqlanon.cli.steps import Outputs
from sqlanon.core.files import Session, check_inputs, column_names, place, with_relations
from sqlanon.core.remarks import remark
from sqlanon.core.source import lower
from sqlanon.core.statements import call, execute, relation, select
from sqlanon.core.tables import WorkTables
from sqlanon.policies.parsing import Options, Reading
from sqlanon.policies.policy import Policy
from sqlanon.policies.policy import read as read_policy
from sqlanon.policies.schema import bare

app = Topic()

# How a release was made -> what reads its scheme.
SCHEMES = {
    "mondrian": "scheme_of_cuts",
    "k_similar": "scheme_of_cuts",
    **dict.fromkeys(("generalize", "optimal", "samarati", "datafly"), "scheme_of_levels"),
}


@app.declare(
    "[input] roles.qi [hierarchies] method.name",
    "schemed_release raw_values policy_file scheme_output force format sql",
)
def scheme(given: Given) -> None:
    """Write the scheme of a release, by which method recode of 'sqlanon anonymize' recodes another table.

    Of a release by mondrian the cuts between its classes, of one by generalize, optimal, samarati or datafly
    the level of each column: a row per class, or value, and column. The scheme is made of what the release
    says, and tells nothing that it does not.
    """
    policy = _read_policy(given.options, given.policy_file)
    target = None if given.scheme_output is None else place(given.scheme_output)
    check_inputs(given.schemed_release, *(given.raw_values or []))
    outputs = Outputs(given, target, notes=policy.origin)
    with Session() as session:
        with outputs.announced(session):
            released = session.read(given.schemed_release)
            policy.check_columns(column_names(session.con, released), given.schemed_release)
            raw = _raw_values(session, policy, given.raw_values or [])
        relations: dict[str, exp.Select | exp.Union] = {} if raw is None else {"original": raw}
        if given.sql:
            named = {**relations, **policy.relations("original", None)}
            query = call(policy.method, released, qi=policy.roles["qi"],
                         hierarchies="hierarchies" if policy.hierarchies else None)  # fmt: skip
            outputs.print_sql(session, with_relations(query, named))
            return
        with WorkTables(session.con) as work:
            for name, values in relations.items():
                work.make(name, values)
            hierarchies = policy.make_hierarchies(session.con, work.name("original"), None, work)
            query = call(policy.method, released, qi=policy.roles["qi"], hierarchies=hierarchies)
            answer = session.answer(query)
        outputs.deliver(session, answer)
        [(classes, rows)] = execute(session.con, select(answer, "count(distinct class_id)", "count(*)"))
    found = f"the cuts of {classes:,} classes" if classes else f"levels, in {rows:,} rows"
    remark(f"{target or given.schemed_release}: {found}, for --method recode --scheme")
    if target and target.reader != "read_parquet":
        remark(f"recode reads a scheme from a .parquet file, not from {target}")


def _read_policy(options: Options, policy_file: Path | None) -> Policy:
    """What of a policy is about the release. Errors: UseError for a method whose releases have no scheme."""
    reading = Reading(policy_file, options, SCHEMES["mondrian"])
    if reading.method not in SCHEMES:
        raise reading.spelling.wrong(
            "method.name",
            f": releases by {reading.method} have no scheme, only those by {', '.join(SCHEMES)}",
        )
    policy = read_policy(policy_file, options, SCHEMES[reading.method], reading.text)
    qi = lower(policy.roles["qi"])
    recoded = {name: made_of for name, made_of in policy.hierarchies.items() if name.lower() in qi}
    return replace(policy, roles={"qi": policy.roles["qi"]}, unit=None, masks={}, hierarchies=recoded)


def _raw_values(session: Session, policy: Policy, originals: Sequence[str]) -> exp.Select | exp.Union | None:
    """The values of all originals from which hierarchies are built; None if none are.

    Errors: UseError where they are built from values that nobody has given.
    """
    built = [name for name, made_of in policy.hierarchies.items() if made_of.keys() & {"builder", "sql"}]
    if not built:
        return None
    if not originals:
        raise policy.spelling.wrong(
            f"hierarchies.{bare(built[0])}",
            " is built from raw values, which the release does not have: give --original",
        )
    columns = [exp.column(name, quoted=True) for name in built]
    queries = []
    for original in originals:
        table = session.read(original, policy.raw(policy.roles["qi"]))
        policy.check_columns(column_names(session.con, table), original)
        queries.append(select(relation(table), *columns))
    return exp.union(*queries) if len(queries) > 1 else queries[0]
