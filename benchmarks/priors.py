"""What priors by a column are worth, and how sure an adversary is with them: where the classes of releases do
not show that column, and where they do.

Two releases of Adult (k = 5), whose parts have the targets in common and half of the others each. The priors
are the shares among all people with the same value of the column. A class that shows the column has such
people above all, so that its own shares say already what the prior says, and both are counted.
"""

from __future__ import annotations

import duckdb

import sqlanon
from benchmarks.tables import QI, SENSITIVE, adult
from benchmarks.timing import title
from sqlanon.core.statements import call, execute

TARGETS = 4000
COLUMNS = ("sex", "marital_status", "education")


def load(con: duckdb.DuckDBPyConnection) -> None:
    """The targets, and the parts that are released."""
    con.execute(
        """
        create or replace table dealt as
        select *, row_number() over (order by hash(id, 3), id) as place from adult
        """
    ).fetchall()
    con.execute(f"create or replace table targets as from dealt where place <= {TARGETS}").fetchall()
    for i in (1, 2):
        con.execute(
            f"create or replace table part_{i} as from dealt where place <= {TARGETS} or place % 2 = {i - 1}"
        ).fetchall()


def measure(con: duckdb.DuckDBPyConnection, qi: list[str], column: str | None) -> tuple[float, float]:
    """The weighted guess, in percent: right, and expected to be right."""
    known = {} if column is None else {"priors": f"prior_{column}", "priors_by": column}
    query = call(
        "breaches", ["release_1", "release_2"], targets="targets", id="id", qi=qi, sensitive=SENSITIVE,
        truth=SENSITIVE, **known,
    )  # fmt: skip
    values: dict[str, float] = dict(execute(con, query.select("id", "value", append=False)))
    return values["weighted_guess_right"], values["weighted_guess_expected"]


def main() -> None:
    with duckdb.connect() as con:
        sqlanon.register(con)
        title(f"Priors by a column, two releases (k = 5) of {adult(con)}: % right (expected)")
        load(con)
        print(f"  {'':<16} {'in the classes':<15} {'without priors':>18} {'with priors':>18}")
        for column in COLUMNS:
            con.execute(  # of each value, also of one that nobody has
                f"""create or replace table prior_{column} as
                select one.{column}, {SENSITIVE} as value,
                       count(*) filter (adult.{column} = one.{column}) as share
                from (select distinct {column} from adult) as one, adult group by all"""
            ).fetchall()
            for is_shown in (False, True):
                qi = [name for name in QI if is_shown or name != column]
                for i in (1, 2):
                    con.execute(
                        f"create or replace table release_{i} as from sqlanon.mondrian('part_{i}', {qi}, "
                        f"'{SENSITIVE}', k := 5)"
                    ).fetchall()
                told = [f"{right:.1f} ({expected:.1f})" for right, expected in (
                    measure(con, qi, None), measure(con, qi, column))]  # fmt: skip
                print(
                    f"  {column:<16} {'yes' if is_shown else 'no':<15} {told[0]:>18} {told[1]:>18}",
                    flush=True,
                )
