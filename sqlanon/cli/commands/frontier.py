"""sqlanon frontier"""

import shlex
from pathlib import Path

import sqlanon
from sqlanon.cli import options as given
from sqlanon.cli.app import EXIT_CODES, Topic
from sqlanon.cli.options import takes
from sqlanon.cli.steps import read, tell_of_units
from sqlanon.cli.values import names_in
from sqlanon.core.errors import InputError, UseError
from sqlanon.core.files import Place, Session, check_inputs, check_output
from sqlanon.core.interrupts import check_interrupted
from sqlanon.core.printing import Format, format_of, progress_bar, show
from sqlanon.core.remarks import remark
from sqlanon.core.statements import call, named_table
from sqlanon.pages.vega import require_extra
from sqlanon.policies.parsing import Options
from sqlanon.policies.policy import read as read_policy
from sqlanon.policies.schema import REQUIREMENTS
from sqlanon.publishing.frontier import KS, METHODS, TIME_LIMIT

app = Topic()


@app.command(epilog=EXIT_CODES)
@takes(
    "input", "roles.qi", "roles.sensitive", "roles.unit", "hierarchies",
    *(f"requirements.{name}" for name in REQUIREMENTS if name != "k"),
)  # fmt: skip
def frontier(
    options: Options,
    input: given.Input,
    policy_file: given.PolicyFile = None,
    k: given.ChoiceKs = None,
    method: given.ChoiceMethods = None,
    risk: given.RiskAxis = None,
    loss: given.LossAxis = "gcp",
    suppression_limit: given.ChoiceSuppression = None,
    time_limit: given.ChoiceTime = TIME_LIMIT,
    queries: given.Queries = 1000,
    seed: given.QuerySeed = 1,
    output: given.PageFile = None,
    force: given.Force = False,
    format: given.Printed = None,
) -> None:
    """Choose a release: what several methods give away and lose for several k, and which nothing dominates.

    Every method anonymizes the table for every k, by the roles, hierarchies and requirements of the policy.
    Each release is attacked, with everybody of the table as targets, and compared with the table. Prints a
    row per choice: how many percent of the people are guessed right with the release and without it, of how
    many an adversary is 90 % sure, how many are certain once one more release comes out (a forecast), the
    highest re-identification risk; GCP, query error, suppressed rows; and which other choice is at least as
    good in risk and loss, and better in one. A choice that does not exist is a row with its reason. No
    release is written.

    With -o it also writes the trade-off as a picture, on a page. (pip install 'sqlanon[report]')
    """
    if output is not None:
        require_extra()
        check_output(Place(output), force)
    ks = list(KS) if k is None else _whole_numbers(k)
    methods = METHODS if method is None else [name.replace("-", "_") for name in names_in("--method", method)]
    of_first = {**options, "requirements": {**options.get("requirements", {}), "k": ks[0]}}
    policy = read_policy(policy_file, of_first)
    check_inputs(input)
    with Session() as session:
        source, population = read(session, policy, input)
        with progress_bar() as progress:
            made = sqlanon.frontier(
                session.con, source, policy=policy, k=ks, methods=methods, population=population,
                suppression_limit=suppression_limit, time_limit=time_limit, risk=risk, loss=loss,
                queries=queries, seed=seed, progress=progress,
            )  # fmt: skip
        check_interrupted()
        tell_of_units(session, policy, input)
        if format_of(format) in (Format.table, Format.markdown):
            in_short = session.answer(call("_choices_in_short", made.table))
            show(session.con, in_short, format, words=call("_frontier_in_words", made.table))
        else:
            show(session.con, named_table(made.table), format)
        if all(row["seconds"] is None for row in made.rows):
            raise InputError("there is no such release: the reason of each is in the table")
        if output is not None:
            made.page(input, _command(input, policy_file, options)).write(output, force=force)
            remark(f"{output}: it tells how exposed people would be")
    remark(str(made))


def _whole_numbers(lines: list[str]) -> list[int]:
    texts = names_in("--k", lines)
    if wrong := next((text for text in texts if not text.isascii() or not text.isdigit()), None):
        raise UseError(f"--k: write whole numbers, such as 2,5,10, not {wrong}")
    return [int(text) for text in texts]


def _command(input: str, policy_file: Path | None, options: Options) -> str | None:
    """What makes one of the releases, where the policy says it all."""
    if policy_file is None or options:
        return None
    return shlex.join(["sqlanon", "anonymize", input, "--policy", str(policy_file)])
