"""sqlanon lattice"""

from sqlanon.cli import options as given
from sqlanon.cli.app import EXIT_CODES, Topic
from sqlanon.cli.options import takes
from sqlanon.cli.steps import answer
from sqlanon.core.files import Session, check_inputs
from sqlanon.core.printing import show
from sqlanon.policies.parsing import Options
from sqlanon.policies.policy import read as read_policy

app = Topic()


@app.command(epilog=EXIT_CODES)
@takes(
    "input", "roles.qi", "roles.sensitive", "roles.unit", "hierarchies", "requirements",
    "method.weights", "method.min_levels", "method.max_levels", "method.gs_factor",
)  # fmt: skip
def lattice(
    options: Options,
    input: given.Input,
    policy_file: given.PolicyFile = None,
    format: given.Printed = None,
    sql: given.Sql = False,
) -> None:
    """Print the ways to generalize a table, one row each: a hierarchy's level for every quasi-identifier.

    What is left of the table (classes, suppressed rows) and what it costs (loss, entropy and other measures).
    """
    policy = read_policy(policy_file, options, "lattice")
    check_inputs(input)
    with Session() as session:
        if rows := answer(session, policy, input, sql):
            show(session.con, rows, format)
