"""sqlanon ask, answers"""

import typer

import sqlanon
from sqlanon.answers.asking import Asking
from sqlanon.answers.stored import listed_answers
from sqlanon.answers.ways import answer_of, asking_table
from sqlanon.cli.app import FAILS, Topic
from sqlanon.cli.options import Given
from sqlanon.core.files import Session
from sqlanon.core.printing import show
from sqlanon.core.remarks import remark
from sqlanon.policies.answers import RELEASE
from sqlanon.policies.parsing import read_answers

app = Topic()


@app.declare("question answers_policy answers_register wait format")
def ask(given: Given) -> None:
    """Answer a question in SQL, as a policy allows it: from a release, exactly, or with noise.

    For example: select ward, count(*) from stays where age > 80 group by ward. The section [answers] of the
    policy says what may be asked. Its key way says how it is answered, as below. The exit code is 2 if a
    question is not allowed, and 1 if it is refused because of earlier answers or the table.

    release (the default): prints an estimate for each count, sum, mean or share, and two bounds, lower and
    upper, with the true number between them. Only the release is read: any number of questions tells no more
    than the release does.

    exact: prints true counts. Counts are hidden if they would tell too much together with all earlier
    answers. If hiding does not help, the question is refused.

    consistent: prints counts with noise, and the bounds lower and upper. The noise is the same for the same
    people. If all answers together would leave less error than the policy says, the question is refused.

    noise (differential privacy): prints each number with an interval of 95 %. The answer and its cost are
    written into the register before it is printed. A repeated question gets the same answer and costs
    nothing. If the budget does not allow a new one, it is refused.
    """
    if read_answers(given.answers_policy).way != RELEASE:
        _ask_table(given)
        return
    asking = Asking(given.answers_policy, given.answers_register, given.wait)
    try:
        rows = asking.answer(given.question)
        show(asking.con, rows.subquery("answer"), given.format)
    finally:
        asking.con.close()
    suppressed = f"; {asking.suppressed:,} more are suppressed, and may meet any condition"
    remark(
        f"from release {asking.name} of {asking.made_on}: {asking.rows:,} rows"
        f"{suppressed if asking.suppressed else ''}"
    )


def _ask_table(given: Given) -> None:
    with asking_table(None, given.answers_policy, None, given.answers_register) as asking:
        try:
            rows, remarks = answer_of(asking, given.question, given.wait)
        except sqlanon.RefusedError as error:
            remark(f"refused: {error}")
            raise typer.Exit(FAILS) from None
        show(asking.con, rows.subquery("answer"), given.format)
    for line in remarks:
        remark(line)


@app.declare("register wait format")
def answers(given: Given) -> None:
    """List what was told to whom, a row for each column of numbers of a question.

    With noise, epsilon and delta are what it cost; they are empty where the same was told before. Answers
    from a release are not listed: they tell nothing that the release does not.
    """
    with Session() as session:
        show(session.con, listed_answers(session.con, given.register, given.wait), given.format)
