"""sqlanon perturb, sqlanon mask"""

import inspect
from collections.abc import Mapping, Sequence

import sqlanon
from sqlanon.cli import options as given
from sqlanon.cli.app import EXIT_CODES, Topic
from sqlanon.cli.options import takes
from sqlanon.cli.steps import check_columns, print_sql
from sqlanon.cli.values import names_in, number_or_text, numbers_in
from sqlanon.core.errors import UseError
from sqlanon.core.files import Place, Session, check_inputs, check_output, place
from sqlanon.core.interrupts import check_interrupted
from sqlanon.core.printing import Format, show
from sqlanon.core.statements import call, named_table, select
from sqlanon.core.text_files import Roles
from sqlanon.perturb import perturbation
from sqlanon.perturb.masks import require_key
from sqlanon.policies import schema
from sqlanon.policies.parsing import Options, check_input

app = Topic()


@app.command(epilog=EXIT_CODES)
@takes("input", "roles.keep")
def perturb(
    options: Options,
    input: given.Input,
    method: given.Perturbation,
    columns: given.Changed,
    retain: given.Retain = None,
    strata: given.Strata = None,
    p: given.P = None,
    scale: given.Scale = None,
    base: given.Base = None,
    threshold: given.CodingThreshold = None,
    share: given.Share = None,
    replacement: given.Replacement = None,
    seed: given.DrawSeed = None,
    output: given.Output = None,
    force: given.Force = False,
    format: given.Printed = None,
    sql: given.Sql = False,
) -> None:
    """Release a table with columns changed by chance or made coarser, and those in --keep as they are.

    No other column is released. This guarantees nothing about privacy: 'sqlanon disclosure' and 'sqlanon
    record-linkage' measure what is left of the true values.
    """
    method = method.replace("-", "_")
    if method not in perturbation.METHODS:
        known = ", ".join(perturbation.METHODS)
        raise UseError(
            f"--method must be one of {known}, not {method}{schema.suggestion(method, perturbation.METHODS)}"
        )
    parameters = inspect.signature(getattr(sqlanon, method)).parameters
    all_of_them = {
        "retain": retain, "strata": names_in("--strata", strata), "p": p, "scale": scale, "base": base,
        "threshold": None if threshold is None else number_or_text(threshold), "share": share,
        "replacement": replacement,
    }  # fmt: skip
    own = {name: value for name, value in all_of_them.items() if value not in (None, [])}
    for name in own:
        if name not in parameters:
            raise UseError(f"--{name} is not for {method}")
    if "base" in parameters and base is None:
        raise UseError(f"{method} needs --base")
    changed, keep = names_in("--columns", columns), options.get("roles", {}).get("keep", [])
    arguments = {"columns": changed, **own, "keep": keep or None, "seed": seed}
    roles = Roles(qi=changed, keep=keep, **check_input(options))
    target = _target(input, output, force)
    with Session() as session:
        named = {"--columns": changed, "--keep": keep, "--strata": own.get("strata", [])}
        source = _source(session, input, roles, named, target, force)
        if sql:
            query = call(method, source, **arguments)
            print_sql(session, session.writing([(query, target)], force, {}) if target else [query])
            return
        getattr(sqlanon, method)(session.con, source, into="answer", **{**arguments, "keep": keep})
        _deliver(session, target, force, format)


@app.command(epilog=EXIT_CODES)
@takes("roles.keep", "output.seed")
def mask(
    options: Options,
    input: given.Input,
    hash: given.Hash = None,
    partial: given.Partial = None,
    email: given.Email = None,
    output: given.Output = None,
    force: given.Force = False,
    key_file: given.KeyFile = None,
    format: given.Printed = None,
) -> None:
    """Release a table with the columns that name somebody masked, and with the columns in --keep as they are.

    No other column is released. The same value and key give the same hash, so that masked tables can be
    joined. Masked columns are pseudonyms: the table is not anonymous.
    """
    hashed, mailed = names_in("--hash", hash), names_in("--email", email)
    last = dict(numbers_in("--partial", partial, int))
    keep = options.get("roles", {}).get("keep", [])
    if not (hashed or mailed or last):
        raise UseError("give columns to mask: --hash, --partial or --email")
    if hashed:
        require_key(key_file)
    target = _target(input, output, force)
    with Session() as session:
        named = {"--hash": hashed, "--partial": list(last), "--email": mailed, "--keep": keep}
        masked = [*hashed, *last, *mailed]
        source = _source(session, input, Roles(keep=[*masked, *keep]), named, target, force)
        sqlanon.mask(
            session.con, source, hash=hashed, email=mailed, keep=keep,
            partial={column: {"last": n} for column, n in last.items()},
            key_file=key_file, into="answer", **options.get("output", {}),
        )  # fmt: skip
        _deliver(session, target, force, format)


def _target(input: str, output: str | None, force: bool) -> Place | None:
    """Where the release goes, if not to stdout. The input is there, and the output can be written."""
    target = None if output is None else place(output)
    check_inputs(input)
    if target:
        check_output(target, force)
    return target


def _source(
    session: Session,
    input: str,
    roles: Roles,
    named: Mapping[str, Sequence[str]],
    target: Place | None,
    force: bool,
) -> str:
    """The name of a table that has the columns which options name; the release can be written."""
    if target:
        session.will_write(target)
    source = session.read(input, roles)
    check_columns(session, source, input, {**named, "--types": list(roles.types)})
    if target:
        session.refuse_existing(target, force)
    return source


def _deliver(session: Session, target: Place | None, force: bool, format: Format | None) -> None:
    """Write or print the table `answer`."""
    check_interrupted()
    if target:
        session.write([(select(named_table("answer")), target)], force, {})
    else:
        show(session.con, named_table("answer"), format)
