"""sqlanon budget"""

import sqlanon
from sqlanon.cli import options as given
from sqlanon.cli.app import EXIT_CODES, Topic
from sqlanon.core.files import Session
from sqlanon.core.printing import show
from sqlanon.core.remarks import remark
from sqlanon.randomize.ledger import listed_budgets

app = Topic()
of_sources = Topic()
app.add_typer(of_sources, name="budget", epilog=EXIT_CODES)


@of_sources.callback()
def _of_budgets() -> None:
    """Declare what randomized releases of a source may cost, or tell what is spent and left."""


@of_sources.command("set", epilog=EXIT_CODES)
def set_(
    register: given.MadeRegister,
    source: given.BudgetSource,
    epsilon: given.BudgetEpsilon,
    delta: given.BudgetDelta = 0,
    unit: given.BudgetUnit = None,
    composition: given.BudgetComposition = given.Composition.smaller,
    wait: given.Wait = 0,
) -> None:
    """Declare the budget of a source, or change it.

    All releases of the source may cost so much together. It is for one unit, whose rows are protected as a
    whole; what is spent on another unit is not counted. The register keeps all budgets that were declared.
    """
    with Session() as session:
        declared = sqlanon.set_budget(
            session.con, register, source=source, unit=unit, epsilon=epsilon, delta=delta,
            composition=composition.value, wait=wait,
        )  # fmt: skip
    for line in declared.remarks:
        remark(line)
    remark(f"{declared.standing}; left is epsilon {declared.standing.left_epsilon:.4g} without a delta")


@of_sources.command("show", epilog=EXIT_CODES)
def show_(register: given.Register, wait: given.Wait = 0, format: given.Printed = None) -> None:
    """Tell what is spent and left of the budgets, a row each.

    The register has every entry: its table spending. In SQL, attach it and see the comments on its tables.
    """
    with Session() as session:
        show(session.con, listed_budgets(session.con, register, wait), format)
