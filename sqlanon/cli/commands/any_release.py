"""sqlanon membership, membership-by-counts, closest-records, agreeing-rows, utility-of-synthetic, unicity:
measures of releases of any kind, and of tables with several rows per person"""

from sqlanon.cli.app import Topic
from sqlanon.cli.options import Given
from sqlanon.cli.steps import check_columns, print_about, print_answer, tell_of_controls
from sqlanon.cli.values import names_in
from sqlanon.core.files import Session, check_inputs
from sqlanon.core.statements import call
from sqlanon.core.text_files import Roles
from sqlanon.policies.parsing import check_input

app = Topic()


def _raw(given: Given) -> Roles:
    """How raw rows are read."""
    return Roles(qi=given.compared, **check_input(given.options))


def _beside_original(given: Given) -> list[tuple[str, Roles]]:
    """How an original and its release are read."""
    raw = _raw(given)
    return [(given.original, raw), (given.release, raw.of_release(raw.types))]


@app.declare("[input] release targets! compared id! controls! format sql")
def membership(given: Given) -> None:
    """Print how well one can tell who was in the original of a release, by people's distance to its rows.

    Of any kind of release. In --controls are people who were not in; all other targets were.
    """
    raw = _raw(given)
    inputs = [(given.release, raw.of_release(raw.types)), (given.targets, raw)]
    print_about(given, "membership", inputs, "compared", "id controls", str(given.targets))


@app.declare(
    "[input] several_published targets! id! each_marginal! counted! controls! others! noise format sql"
)
def membership_by_counts(given: Given) -> None:
    """Print how well one can tell who was counted in tables of counts, from how frequent people's values are.

    Each table counts by the columns of its --marginal. In --controls are people who were not counted; all
    other targets were.
    """
    marginals = [names_in("--marginal", [line]) for line in given.each_marginal or ()]
    form = check_input(given.options)
    check_inputs(*given.several_published, given.targets, given.others)
    with Session() as session:
        tables = [session.read(table, Roles(**form)) for table in given.several_published]
        people, others = (session.read(input, Roles(**form)) for input in (given.targets, given.others))
        for table, title, columns in zip(tables, given.several_published, marginals, strict=False):
            check_columns(session, table, title, {"--marginal": columns, **given.named("counted noise")})
        known = {"--marginal": [name for columns in marginals for name in columns]}
        check_columns(session, people, given.targets, {**known, **given.named("id controls")})
        check_columns(session, others, given.others, known)
        query = call(
            "membership_by_counts", tables, people, marginals=marginals, reference=others,
            **given.of("id counted controls noise"),
        )  # fmt: skip
        print_answer(session, query, given.format, given.sql)
        if not given.sql:
            tell_of_controls(session, people, str(given.targets), str(given.controls))


@app.declare("[input] original release held_out! compared format sql")
def closest_records(given: Given) -> None:
    """Print whether rows without classes, such as synthetic ones, are nearer to the original than to others.

    How many are copies, how many would be by chance, and how many are nearer to the original than to the rows
    of people who were held out.
    """
    original, release = _beside_original(given)
    inputs = [release, original, (str(given.held_out), _raw(given))]
    print_about(given, "closest_records", inputs, "compared", beside=given.original)


@app.declare("[input] original release compared attacked! format sql")
def agreeing_rows(given: Given) -> None:
    """Print what synthetic rows tell of the original by rows that agree in what is known.

    The measures that are common for synthetic data: RepU and DiSCO, CAP and TCAP.
    """
    columns = "compared attacked"
    print_about(given, "agreeing_rows", _beside_original(given), columns, beside=given.original)


@app.declare("[input] original release compared format sql")
def utility_of_synthetic(given: Given) -> None:
    """Print how alike synthetic rows and their original are: a row per column, and per pair of columns."""
    inputs = _beside_original(given)
    print_about(given, "utility_of_synthetic", inputs, "compared", beside=given.original)


@app.declare("[input] input looked_at! unit! format sql")
def unicity(given: Given) -> None:
    """Print how many people a few random rows of their own tell apart from all others.

    For tables with several rows per person, such as visits and purchases: a row per number of known rows.
    """
    print_about(given, "unicity", [(given.input, Roles(**check_input(given.options)))], "looked_at unit")
