"""The command `sqlanon report`."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from sqlanon.cli.options import (
    ExactCover,
    Force,
    Nearest,
    PolicyFile,
    Presence,
    Releases,
    Truth,
    check_nearest,
    names_in,
    takes,
)
from sqlanon.core.errors import UseError
from sqlanon.core.files import Place, Session
from sqlanon.core.interrupts import check_interrupted
from sqlanon.core.printing import progress_bar, remark
from sqlanon.core.statements import render
from sqlanon.core.tables import WorkTables
from sqlanon.pages.disclosure_report import make
from sqlanon.pages.vega import require_extra
from sqlanon.policies.parsing import Options
from sqlanon.policies.policy import read as read_policy


@takes("input", "roles.qi", "roles.sensitive", "hierarchies", "requirements")
def report(
    options: Options,
    releases: Releases,
    original: Annotated[
        list[str] | None,
        typer.Option(
            "--original",
            metavar="INPUT",
            help="The table as it was: tells what is lost. Once for all releases, or once per release.",
        ),
    ] = None,
    targets: Annotated[
        str | None,
        typer.Option(
            "--targets",
            metavar="INPUT",
            help="The people that an adversary knows, with raw values: tells what the releases say of them together.",
        ),
    ] = None,
    id: Annotated[
        str | None,
        typer.Option("--id", metavar="COLUMN", help="The column of the targets that names them."),
    ] = None,
    truth: Truth = None,
    nearest: Nearest = None,
    presence: Presence = None,
    exact_cover: ExactCover = False,
    people: Annotated[
        int,
        typer.Option(
            "--people",
            metavar="N",
            min=0,
            help="How many of the most exposed are listed, by name; 0 names nobody.",
        ),
    ] = 20,
    policy: PolicyFile = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Where the page goes, such as report.html."),
    ] = None,
    force: Force = False,
) -> None:
    """Write a page on what releases disclose, each and together, for those whose data it is.

    Requirements and what is reached, class sizes, risk; with --original, what is lost; with --targets and --id, what an
    adversary learns about these people from all releases together, and who is most exposed. Every number comes with its
    statement. The page is one file that loads nothing. Keep it as secret as the targets. (pip install 'sqlanon[report]')
    """
    require_extra()
    if output is None:
        raise UseError("give -o, the file that the page goes to, such as -o report.html")
    for given, what in ((releases, "RELEASE"), (nearest or [], "--nearest")):
        if twice := next((each for i, each in enumerate(given) if each in given[:i]), None):
            raise UseError(f"{what} {twice} is given twice")
    check_nearest(nearest, releases)
    asked = read_policy(policy, options, "report")
    if asked.unit is not None:
        remark("the releases do not say whose a row is: the page counts rows, not people")

    def spelled(parameter: str) -> str:
        role = f"roles.{parameter}" if parameter in ("qi", "sensitive") else None
        return asked.spelling(role) if role else f"--{parameter.replace('_', '-')}"

    from sqlanon.pages.disclosure_report.data import Asked, Shown

    with Session() as session:
        session.refuse_existing(Place(output), force)
        raw_columns = asked.columns()
        tables = {release: session.read(release, replace(raw_columns, types={})) for release in releases}
        originals = [session.read(each, raw_columns) for each in original or ()]
        named = [
            name
            for name in (id, *names_in("--truth", truth or ()), *names_in("--presence", presence or ()))
            if name
        ]
        of_people = replace(raw_columns, sensitive=(), keep=named)
        people_known = None if targets is None else session.read(targets, of_people)
        population = None if asked.population is None else session.read(asked.population, raw_columns)
        # What hierarchies are built from, where a policy says how: raw values, if there are any.
        raw = next(iter(originals), people_known or tables[releases[0]])
        with WorkTables(session.con) as work:
            hierarchies = asked.make_hierarchies(session.con, raw, population, work)
            with progress_bar() as bar:

                def progress(done: float, message: str) -> None:
                    check_interrupted()
                    bar(done, message)

                made = make(
                    session.con,
                    Asked(
                        releases=tables,
                        qi=asked.roles["qi"],
                        sensitive=asked.roles.get("sensitive", []),
                        originals=originals,
                        targets=people_known,
                        id=id,
                        truth=names_in("--truth", truth or ()),
                        nearest=[release in nearest for release in releases] if nearest else [],
                        presence=names_in("--presence", presence or ()),
                        exact_cover=exact_cover,
                        hierarchies=hierarchies,
                        population=population,
                        people=people,
                        requirements=asked.requirements,
                    ),
                    Shown(
                        names={hierarchies: "hierarchies"} if hierarchies else {},
                        relations=asked.relations(raw, population, to_be_read=True),
                        prelude=[f"{render(statement)};" for statement in session.prelude],
                        spelled=spelled,
                    ),
                    progress,
                )
        check_interrupted()
        made.write(output, force=force)
    secret = "; keep it as secret as the targets" if targets is not None else ""
    remark(f"{output}: {len(releases)} release{'s' if len(releases) > 1 else ''}{secret}")
