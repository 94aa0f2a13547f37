"""sqlanon lattice"""

from sqlanon.cli.app import Topic
from sqlanon.cli.options import Given
from sqlanon.cli.steps import answer
from sqlanon.core.files import Session, check_inputs
from sqlanon.core.printing import show
from sqlanon.policies.policy import read as read_policy

app = Topic()


@app.declare(
    "[input] roles.qi roles.sensitive roles.unit [hierarchies] [requirements] method.weights",
    "-requirements.profile -requirements.average_risk -requirements.zip_populations",
    "-requirements.records_at_risk -requirements.risk_threshold -requirements.sample_uniques",
    "-requirements.population_uniques -requirements.global_risk",
    "method.min_levels method.max_levels method.gs_factor",
    "input policy_file format sql",
)
def lattice(given: Given) -> None:
    """Print the ways to generalize a table, one row each: a hierarchy's level for every quasi-identifier.

    What is left of the table (classes, suppressed rows) and what it costs (loss, entropy and other measures).
    """
    policy = read_policy(given.policy_file, given.options, "lattice")
    check_inputs(given.input)
    with Session() as session:
        if rows := answer(session, policy, given.input, given.sql):
            show(session.con, rows, given.format)
