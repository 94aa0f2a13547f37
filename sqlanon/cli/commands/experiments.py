"""sqlanon demo, sqlanon reproduce"""

import os
from functools import partial
from pathlib import Path

from sqlanon.cli.app import Topic
from sqlanon.cli.options import Given
from sqlanon.core.errors import UseError
from sqlanon.core.files import Session
from sqlanon.core.printing import progress_bar
from sqlanon.core.remarks import remark

app = Topic()


@app.declare("data census_seed ks")
def demo(given: Given) -> None:
    """Show the attack at work: two hospitals, then a census.

    First the example of Ganta, Kasiviswanathan and Smith (KDD 2008): two anonymous tables that together
    tell what Alice has. Then their experiment: two parts of a census that share 5000 people are
    anonymized with Mondrian, independently, and these people are attacked.
    """
    from sqlanon.experiments import demo as story

    if given.data is not None:
        _check_file(given.data)
    with Session() as session:
        story.show(session.con, given.data, given.ks or [5, 10, 20], given.census_seed)


@app.declare("experiment folder adult ipums seeds quick workers force -limits.memory -limits.spill")
def reproduce(given: Given) -> None:
    """Repeat the experiments of Ganta, Kasiviswanathan and Smith (KDD 2008), beside what the paper says.

    Either data set may be left out. The numbers are printed as Markdown, each table as soon as it is
    measured; FOLDER/index.html shows everything. A run that was stopped goes on where it was when the
    command is given again.
    """
    from sqlanon.experiments.ganta2008 import plan
    from sqlanon.experiments.ganta2008.reproduction import reproduce as run

    inputs = {name: path for name, path in given.of("adult ipums").items() if path is not None}
    if not inputs:
        raise UseError("give --adult, --ipums or both")
    for path in inputs.values():
        _check_file(path)
    make = plan.quick if given.quick else plan.Settings
    settings = make(inputs) if given.seeds is None else make(inputs, given.seeds)
    with progress_bar() as progress:
        workers = given.workers or os.cpu_count() or 1
        run(
            settings, given.folder, force=given.force, workers=workers, progress=progress,
            tell=partial(print, flush=True),
        )  # fmt: skip
    remark(f"{given.folder / 'index.html'}")


def _check_file(path: Path) -> None:
    if not path.is_file():
        raise UseError(f"there is no file {path}")
