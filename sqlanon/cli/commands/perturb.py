"""sqlanon perturb, sqlanon mask, sqlanon suppress"""

from collections.abc import Mapping, Sequence

from sqlglot import exp

import sqlanon
from sqlanon.cli.app import Topic
from sqlanon.cli.options import Given
from sqlanon.cli.steps import Outputs, check_columns
from sqlanon.cli.values import number_or_text, numbers_in
from sqlanon.core.comments import parameters
from sqlanon.core.errors import UseError
from sqlanon.core.files import Session, check_inputs, place
from sqlanon.core.remarks import remark
from sqlanon.core.statements import call, count, execute, named_table, relation
from sqlanon.core.suggestions import suggestion
from sqlanon.core.text_files import Roles
from sqlanon.perturb import perturbation
from sqlanon.perturb.masks import require_key
from sqlanon.policies.parsing import check_input

app = Topic()


@app.declare(
    "[input] roles.keep",
    "input perturbation changed retain strata rank_p scale value_base coding_threshold share",
    "replacement draw_seed output force format sql",
)
def perturb(given: Given) -> None:
    """Release a table with columns changed by chance or made coarser, and those in --keep unchanged.

    No other column is released. This guarantees nothing about privacy: 'sqlanon disclosure' and 'sqlanon
    record-linkage' measure what is left of the true values.
    """
    method = given.perturbation.replace("-", "_")
    if method not in perturbation.METHODS:
        known = ", ".join(perturbation.METHODS)
        raise UseError(
            f"--method must be one of {known}, not {method}{suggestion(method, perturbation.METHODS)}"
        )
    taken = parameters(method)
    own = given.of("retain strata rank_p scale value_base coding_threshold share replacement")
    own = {name: value for name, value in own.items() if value not in (None, [])}
    for name in own:
        if name not in taken:
            raise UseError(f"--{name} is not for {method}")
    if "base" in taken and given.value_base is None:
        raise UseError(f"{method} needs --base")
    if "threshold" in own:
        own["threshold"] = number_or_text(own["threshold"])
    keep = given.options.get("roles", {}).get("keep", [])
    arguments = {**given.of("changed draw_seed"), **own, "keep": keep or None}
    roles = Roles(qi=given.changed, keep=keep, **check_input(given.options))
    outputs = _outputs(given)
    with Session() as session:
        named = {**given.named("changed strata"), "--keep": keep}
        source = _source(session, given.input, roles, named, outputs)
        if given.sql:
            outputs.print_sql(session, call(method, source, **arguments))
            return
        getattr(sqlanon, method)(session.con, source, into="answer", **{**arguments, "keep": keep})
        outputs.deliver(session, named_table("answer"))


@app.declare("roles.keep output.seed input hash partial email output force key_file format")
def mask(given: Given) -> None:
    """Release a table with the columns that name somebody masked, and with the columns in --keep unchanged.

    No other column is released. The same value and key give the same hash, so that masked tables can be
    joined. Masked columns are pseudonyms: the table is not anonymous.
    """
    hashed, mailed = given.hash or [], given.email or []
    last = dict(numbers_in("--partial", given.partial, int))
    keep = given.options.get("roles", {}).get("keep", [])
    if not (hashed or mailed or last):
        raise UseError("give columns to mask: --hash, --partial or --email")
    if hashed:
        require_key(given.key_file)
    outputs = _outputs(given)
    with Session() as session:
        named = {**given.named("hash email"), "--partial": list(last), "--keep": keep}
        roles = Roles(keep=[*hashed, *last, *mailed, *keep])
        source = _source(session, given.input, roles, named, outputs)
        sqlanon.mask(
            session.con, source, hash=hashed, email=mailed, keep=keep,
            partial={column: {"last": n} for column, n in last.items()},
            key_file=given.key_file, into="answer", **given.options.get("output", {}),
        )  # fmt: skip
        outputs.deliver(session, named_table("answer"))


@app.declare(
    "[input] roles.qi roles.keep roles.sampling_weight roles.household",
    "input max_risk risk_formula draw_seed output force format sql",
)
def suppress(given: Given) -> None:
    """Release a sample without the quasi-identifiers of rows whose risk is above --max-risk.

    The risk is that of 'sqlanon risk': of a row, or with --household of all its members. 'sqlanon risk
    --wished-global-risk' prints the bound for a global risk. No column but those in --qi and --keep is
    released.
    """
    roles = given.options.get("roles", {})
    if "qi" not in roles:
        raise UseError("Missing option '--qi'.")
    arguments = {**roles, **given.of("max_risk"), "seed": given.draw_seed}
    arguments |= {} if given.risk_formula is None else given.of("risk_formula")
    used = [roles[name] for name in ("sampling_weight", "household") if name in roles]
    read = Roles(qi=roles["qi"], keep=[*roles.get("keep", []), *used], **check_input(given.options))
    outputs = _outputs(given)
    with Session() as session:
        named = {"--qi": roles["qi"], "--keep": roles.get("keep", []), "--sampling-weight, --household": used}
        source = _source(session, given.input, read, named, outputs)
        if given.sql:
            outputs.print_sql(session, call("suppress_above_risk", source, **arguments))
            return
        sqlanon.suppress_above_risk(session.con, source, into="answer", **arguments)
        outputs.deliver(session, named_table("answer"))
        before, after = (_rows_without(session, name, roles["qi"]) for name in (source, "answer"))
        [(rows,)] = execute(session.con, count(relation("answer")))
        above = f"above {given.max_risk:g}: {after - before:,} of {rows:,} rows"
        remark(f"{above}, which leave without quasi-identifiers" if after > before else above)


def _rows_without(session: Session, table: str, columns: Sequence[str]) -> int:
    """How many rows have a value in none of these columns."""
    empty = (exp.Is(this=exp.column(name, quoted=True), expression=exp.null()) for name in columns)
    [(rows,)] = execute(session.con, count(relation(table)).where(exp.and_(*empty)))
    return int(rows)


def _outputs(given: Given) -> Outputs:
    """Where the release goes. The input is there."""
    check_inputs(given.input)
    return Outputs(given, None if given.output is None else place(given.output))


def _source(
    session: Session, input: str, roles: Roles, named: Mapping[str, Sequence[str]], outputs: Outputs
) -> str:
    """The name of a table that has the columns which options name; the release can be written."""
    with outputs.announced(session):
        source = session.read(input, roles)
        check_columns(session, source, input, {**named, "--types": list(roles.types)})
    return source
