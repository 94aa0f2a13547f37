"""sqlanon ask"""

from sqlanon.answers.asking import Asking
from sqlanon.cli.app import Topic
from sqlanon.cli.options import Given
from sqlanon.core.printing import show
from sqlanon.core.remarks import remark

app = Topic()


@app.declare("question answers_policy answers_register wait format")
def ask(given: Given) -> None:
    """Answer a question in SQL from a release that is out, with bounds for each number.

    For example: select ward, count(*) from stays where age > 80 group by ward. The policy says in [answers]
    which release that is and what may be asked. Prints for each count, sum, mean or share lower and upper,
    between which the true number is, and an estimate. No other table is read: any number of questions tells
    no more than the release does.
    """
    asking = Asking(given.answers_policy, given.answers_register, given.wait)
    try:
        rows = asking.answer(given.question)
        show(asking.released.con, rows.subquery("answer"), given.format)
    finally:
        asking.close()
    of = asking.released
    remark(
        f"from release {of.name} of {of.made_on}: {of.rows:,} rows; {of.suppressed:,} more are suppressed, "
        "and may meet any condition"
    )
