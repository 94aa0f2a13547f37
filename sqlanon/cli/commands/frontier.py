"""sqlanon frontier"""

import shlex
from pathlib import Path

import sqlanon
from sqlanon.cli.app import Topic
from sqlanon.cli.options import Given
from sqlanon.cli.steps import read, tell_of_sets, tell_of_units
from sqlanon.core.errors import InputError, UseError
from sqlanon.core.files import Place, Session, check_inputs, check_output
from sqlanon.core.interrupts import check_interrupted
from sqlanon.core.printing import Format, format_of, progress_bar, show
from sqlanon.core.remarks import remark
from sqlanon.core.statements import call, named_table
from sqlanon.pages.vega import require_extra
from sqlanon.policies.parsing import Options
from sqlanon.policies.policy import read as read_policy
from sqlanon.policies.schema import SPARED
from sqlanon.publishing.frontier import KS, METHODS

app = Topic()


@app.declare(
    "[input] roles.qi roles.sensitive roles.unit [hierarchies] [requirements] -requirements.k",
    "-requirements.profile -requirements.zip_populations -requirements.population_uniques",
    "-requirements.global_risk",
    "input policy_file choice_ks choice_methods risk loss choice_suppression choice_time spare all_rows",
    "queries query_seed held_out page_file force format",
)
def frontier(given: Given) -> None:
    """Choose a release: compare methods and k by risk and loss, and print those that no other one
    beats in both.

    Every method anonymizes the table for every k, by the roles, hierarchies and requirements of the policy.
    Each release is attacked, with everybody of the table as targets, and compared with the table. Prints a
    row per choice: how many percent of the people are guessed right with the release and without it, of how
    many an adversary is 90 % sure, how many are certain once one more release comes out (a forecast), the
    highest re-identification risk; GCP, query error, suppressed rows, with
    --held-out the error of predictions; and which other choice is at least as
    good in risk and loss, and better in one. A choice that does not exist is a row with its reason. No
    release is written.

    With -o it also writes the trade-off as a picture, on a page. (pip install 'sqlanon[report]')
    """
    if given.page_file is not None:
        require_extra()
        check_output(Place(given.page_file), given.force)
    ks = list(KS) if given.choice_ks is None else _whole_numbers(given.choice_ks)
    methods = [name.replace("-", "_") for name in given.choice_methods or METHODS]
    of_first = {**given.options, "requirements": {**given.options.get("requirements", {}), "k": ks[0]}}
    policy = read_policy(given.policy_file, of_first)
    check_inputs(given.input, given.held_out)
    with Session() as session:
        source, population = read(session, policy, given.input)
        others = None if given.held_out is None else session.read(given.held_out, policy.columns())
        with progress_bar() as progress:
            axes = given.of("choice_suppression choice_time risk loss queries query_seed")
            made = sqlanon.frontier(
                session.con, source, policy=policy, k=ks, methods=methods, population=population,
                held_out=others, weights=dict.fromkeys(given.spare or (), SPARED) or None, **axes,
                sample=False if given.all_rows else None, progress=progress,
            )  # fmt: skip
        check_interrupted()
        tell_of_units(session, policy, given.input)
        tell_of_sets(session, policy, source, given.input, methods)
        form = format_of(given.format)
        if form is Format.table:
            in_short = session.answer(call("_choices_for_terminal", made.table, made.loss))
            show(session.con, in_short, form, words=call("_frontier_in_words", made.table, made.loss))
            remark("right, without: guesses with the release and without it; --format csv prints all columns")
        elif form is Format.markdown:
            show(session.con, session.answer(call("_choices_in_short", made.table)), form)
        else:
            show(session.con, named_table(made.table), given.format)
        if all(row["seconds"] is None for row in made.rows):
            raise InputError("there is no such release: the reason of each is in the table")
        if given.page_file is not None:
            made.page(given.input, _command(given.input, given.policy_file, given.options)).write(
                given.page_file, force=given.force
            )
            remark(f"{given.page_file}: it tells how exposed people would be")
    remark(str(made))


def _whole_numbers(texts: list[str]) -> list[int]:
    if wrong := next((text for text in texts if not text.isascii() or not text.isdigit()), None):
        raise UseError(f"--k: write whole numbers, such as 2,5,10, not {wrong}")
    return [int(text) for text in texts]


def _command(input: str, policy_file: Path | None, options: Options) -> str | None:
    """What makes one of the releases, where the policy says it all."""
    if policy_file is None or options:
        return None
    return shlex.join(["sqlanon", "anonymize", input, "--policy", str(policy_file)])
