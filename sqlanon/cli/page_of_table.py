"""The page of a table of counts or sums."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlglot import exp

from sqlanon.core.errors import UseError
from sqlanon.core.files import Place, Session, check_inputs, check_output
from sqlanon.core.printing import progress_bar
from sqlanon.core.remarks import remark
from sqlanon.core.statements import call
from sqlanon.core.tables import WorkTables
from sqlanon.pages.table_page import Shown, make, statements_of, sums_of
from sqlanon.pages.table_page.choices import choices_of
from sqlanon.policies.schema import LANGUAGES
from sqlanon.policies.tables import TablePolicy
from sqlanon.publishing.table_decision import LookedAtTable
from sqlanon.publishing.tables import check_columns
from sqlanon.tables.making import Making


def write_page(
    policy: TablePolicy, inputs: Sequence[str], policy_file: Path, key_file: Path | None, output: Path,
    force: bool, language: str | None,
) -> None:  # fmt: skip
    """Write the page of the table that a policy makes of rows."""
    if len(inputs) != 1:
        raise UseError(f"{policy_file} makes one table ([table]), of one file of rows")
    [input] = inputs
    check_inputs(input)
    check_output(Place(output), force)
    with Session() as session:
        columns = [column for named in policy.columns(session.con).values() for column in named]
        source = session.read(input, policy.policy.raw(keep=columns))
        check_columns(session.con, policy, source, input)
        with WorkTables(session.con) as work, progress_bar() as progress:
            hierarchies = policy.policy.make_hierarchies(session.con, source, None, work)
            making = Making(session.con, work, policy, source, hierarchies, key_file)
            made = making.cells()
            total = policy.section.get("total", "total")
            query = sums_of(made.published, hierarchies, dimensions=policy.dimensions, total=total)
            sums = work.make("sums", query)
            choices = choices_of(session.con, policy, source, hierarchies, key_file, progress)
            shown = Shown(
                policy.dimensions, made.states, sums.name, hierarchies, total, f"{input}, {policy_file}",
                statements_of({**made.statements, "sums": query}), choices,
                LookedAtTable(session.con, source, policy.policy, rules=policy).about(making),
                language=language or policy.policy.language,
            )  # fmt: skip
            page = make(session.con, shown)
        page.write(output, force=force)
    remark(f"{output}: the table of {policy_file}; it tells true values: keep it as secret as {input}")


def write_page_of_published(
    session: Session, published: str, bounds: tuple[str, exp.Select], dimensions: Sequence[str],
    hierarchies: exp.Select | None, subject: str, output: Path, force: bool, language: str | None, *,
    whole: bool, **parameters: Any,
) -> None:  # fmt: skip
    """Write the page of a table as somebody has published it. published: its name; bounds: a table's
    name, and its statement."""
    with WorkTables(session.con) as work:
        own = None if hierarchies is None else work.make("hierarchies", hierarchies).name
        states = call("cell_states", published, bounds[0], dimensions=dimensions, whole=whole, **parameters)
        sums = sums_of(published, own, dimensions=dimensions, **parameters)
        statements = {"bounds": bounds[1], "states": states, "sums": sums}
        shown = Shown(
            dimensions, work.make("states", states).name, work.make("sums", sums).name, own,
            parameters["total"], subject, statements_of(statements), more_time="--seconds",
            language=language or LANGUAGES[0],
        )  # fmt: skip
        make(session.con, shown).write(output, force=force)
    remark(f"{output}: the page of {subject}")
