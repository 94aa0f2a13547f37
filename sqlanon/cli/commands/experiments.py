"""sqlanon demo, sqlanon reproduce"""

import os
from pathlib import Path

from sqlanon.cli import options as given
from sqlanon.cli.app import EXIT_CODES, Topic
from sqlanon.core.errors import UseError
from sqlanon.core.files import Session
from sqlanon.core.printing import progress_bar
from sqlanon.core.remarks import remark

app = Topic()


@app.command(epilog=EXIT_CODES)
def demo(data: given.CensusFile = None, seed: given.CensusSeed = 1, k: given.Ks = None) -> None:
    """Show the attack at work: two hospitals, then a census.

    First the example of Ganta, Kasiviswanathan and Smith (KDD 2008): two anonymous tables that together
    tell what Alice has. Then their experiment: two parts of a census that share 5000 people are
    anonymized with Mondrian, independently, and these people are attacked.
    """
    from sqlanon.experiments import demo as story

    if data is not None:
        _check_file(data)
    with Session() as session:
        story.show(session.con, data, k or [5, 10, 20], seed)


@app.command(epilog=EXIT_CODES)
def reproduce(
    experiment: given.Paper,
    output: given.Folder,
    adult: given.Adult = None,
    ipums: given.Ipums = None,
    seeds: given.Seeds = None,
    quick: given.Quick = False,
    workers: given.Workers = None,
    force: given.Force = False,
) -> None:
    """Repeat the experiments of Ganta, Kasiviswanathan and Smith (KDD 2008), beside what the paper says.

    Either data set may be left out. The numbers are printed as Markdown; FOLDER/index.html shows everything.
    A run that was stopped goes on where it was when the command is given again.
    """
    from sqlanon.experiments.ganta2008 import plan
    from sqlanon.experiments.ganta2008.reproduction import reproduce as run

    inputs = {name: path for name, path in (("adult", adult), ("ipums", ipums)) if path is not None}
    if not inputs:
        raise UseError("give --adult, --ipums or both")
    for path in inputs.values():
        _check_file(path)
    make = plan.quick if quick else plan.Settings
    settings = make(inputs) if seeds is None else make(inputs, seeds)
    with progress_bar() as progress:
        text, _ = run(
            settings, output, force=force, workers=workers or os.cpu_count() or 1, progress=progress
        )
    print(text, end="")
    remark(f"{output / 'index.html'}")


def _check_file(path: Path) -> None:
    if not path.is_file():
        raise UseError(f"there is no file {path}")
