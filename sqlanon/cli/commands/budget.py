"""sqlanon budget"""

import sqlanon
from sqlanon.cli.app import Topic
from sqlanon.cli.options import Given
from sqlanon.core.files import Session
from sqlanon.core.printing import show
from sqlanon.core.remarks import remark
from sqlanon.publishing.ledger import listed_budgets

app = Topic()
of_sources = app.group("budget")


@of_sources.declare("made_register source epsilon delta budget_unit composition wait", name="set")
def set_(given: Given) -> None:
    """Declare the budget of a source, or change it.

    All releases of the source may cost so much together. It is for one unit, whose rows are protected as a
    whole; what is spent on another unit is not counted. The register keeps all budgets that were declared.
    """
    with Session() as session:
        cost = given.of("source budget_unit epsilon delta composition wait")
        declared = sqlanon.set_budget(session.con, given.made_register, **cost)
    for line in declared.remarks:
        remark(line)
    remark(f"{declared.standing}; left is epsilon {declared.standing.left_epsilon:.4g} without a delta")


@of_sources.declare("register wait format", name="show")
def show_(given: Given) -> None:
    """Tell what is spent and left of the budgets, a row each.

    The register has every entry: its table spending. In SQL, attach it and see the comments on its tables.
    """
    with Session() as session:
        show(session.con, listed_budgets(session.con, given.register, given.wait), given.format)
