"""The demonstration: the attack of Ganta, Kasiviswanathan and Smith 2008, on their example and on a census.

Both parts take a connection of their own with sqlanon registered, make tables in it and return what there
is to show; printing is the command line's business.
"""

import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
from rich import box
from rich.table import Table
from sqlglot import exp

import sqlanon
from sqlanon.core import statements
from sqlanon.core.errors import InputError
from sqlanon.core.printing import output, progress_bar, show_table
from sqlanon.experiments import census
from sqlanon.experiments.ganta2008.data import ADULT, COMMON, deal, recognize
from sqlanon.experiments.ganta2008.data import load as load_file

# Table 1 of the paper, and the one target: Alice is 28, lives in 13012 and was in both hospitals.

HOSPITALS = ["hospital_1", "hospital_2"]
HOSPITAL_QI = ["zip", "age"]

TABLE_1 = """
create table hospital_1 as
select '130**' as zip, unnest([
    {age: '<30', condition: 'AIDS'}, {age: '<30', condition: 'Heart Disease'},
    {age: '<30', condition: 'Viral Infection'}, {age: '<30', condition: 'Viral Infection'},
    {age: '>=40', condition: 'Cancer'}, {age: '>=40', condition: 'Heart Disease'},
    {age: '>=40', condition: 'Viral Infection'}, {age: '>=40', condition: 'Viral Infection'},
    {age: '3*', condition: 'Cancer'}, {age: '3*', condition: 'Cancer'},
    {age: '3*', condition: 'Cancer'}, {age: '3*', condition: 'Cancer'}
], recursive := true);

create table hospital_2 as
select '130**' as zip, unnest([
    {age: '<35', condition: 'AIDS'}, {age: '<35', condition: 'Tuberculosis'},
    {age: '<35', condition: 'Flu'}, {age: '<35', condition: 'Tuberculosis'},
    {age: '<35', condition: 'Cancer'}, {age: '<35', condition: 'Cancer'},
    {age: '>=35', condition: 'Cancer'}, {age: '>=35', condition: 'Cancer'},
    {age: '>=35', condition: 'Cancer'}, {age: '>=35', condition: 'Tuberculosis'},
    {age: '>=35', condition: 'Viral Infection'}, {age: '>=35', condition: 'Viral Infection'}
], recursive := true);

create table employees as select 'Alice' as name, '13012' as zip, 28 as age;
"""


def hospitals(con: duckdb.DuckDBPyConnection) -> tuple[exp.Expression, dict[str, object]]:
    """The statement that tells what Alice has, and its one row."""
    con.execute(TABLE_1).fetchall()
    query = statements.call(
        "intersection_attack",
        HOSPITALS,
        targets="employees",
        id="name",
        qi=HOSPITAL_QI,
        sensitive="condition",
    )
    columns = ("name", "prior", "posterior", "candidates")
    query = query.select(*columns, append=False)
    [alice] = statements.execute(con, query)
    return query, dict(zip(columns, alice, strict=True))


# The census: a generated one, or one of the two data sets of the paper.

# Whoever had no occupation in the IPUMS data has the code 999.
APPLICABLE = "create or replace table applicable_people as from common_people where occ1950 <> '999'"


@dataclass(frozen=True)
class Census:
    """A population in the table `people`, and what the paper's text says about this one, by k and measure
    (its id)."""

    title: str
    qi: tuple[str, ...]
    sensitive: str
    people: int
    paper: dict[tuple[int, str], str] = field(default_factory=dict)
    not_applicable: str | None = None  # the code of the sensitive attribute that says: does not apply


@dataclass(frozen=True)
class Attacked:
    """What the attack tells about the common people of two releases: `breaches`, as id -> value."""

    k: int
    measures: dict[str, float]
    seconds: float
    applicable: dict[str, float] | None = None  # without the targets whose sensitive value does not apply


def load(con: duckdb.DuckDBPyConnection, data: Path | None, seed: int) -> Census:
    """Make the table `people`: id, quasi-identifiers and a sensitive column; generated or from a file."""
    if data is None:
        census.load(con, seed)
        return Census("a generated census", census.QI, census.SENSITIVE, _count(con))
    known = recognize(data)
    if known is ADULT:
        paper = {(5, "pvp_100"): "about 12", (5, "pvp_25"): "more than 60"}
    else:
        paper = {
            (5, "pvp_100"): "about 60",
            (5, "pvp_25"): "about 95",
            (5, "average_class_size"): "close to 40",
            (10, "average_class_size"): "45",
        }
    people = load_file(con, known, data)
    sensitive, not_applicable = next(iter(known.sensitive.items()))
    return Census(known.title, known.qi, sensitive, people, paper, not_applicable)


def _count(con: duckdb.DuckDBPyConnection) -> int:
    (count,) = con.execute("select count(*) from people").fetchall()[0]
    return int(count)


def attack(
    con: duckdb.DuckDBPyConnection,
    population: Census,
    ks: Sequence[int],
    seed: int,
    progress: Callable[[float, str], None] = lambda done, message: None,
) -> Iterator[Attacked]:
    """For each k: anonymize two subsets that share 5000 people independently, and attack these (sec. 3).

    Needs the table `people`. Half of the other people are in each subset.
    """
    if population.people <= COMMON:
        raise InputError(f"the two subsets share {COMMON} people: {population.people} are too few")
    deal(con, seed, COMMON)
    if population.not_applicable:
        con.execute(APPLICABLE).fetchall()
    for n, k in enumerate(ks):
        started = time.perf_counter()
        releases = [f"release_{i}" for i in (1, 2)]
        for i, name in enumerate(releases, 1):
            table = statements.table(name)
            release = statements.call(
                "mondrian", f"subset_{i}", qi=population.qi, sensitive=population.sensitive, k=k
            )
            statements.execute(con, statements.drop(table))
            statements.execute(con, statements.create(table, release))
            progress((n + i / 3) / len(ks), f"k = {k}")
        measured = breached(con, population, releases, "common_people")
        seconds = time.perf_counter() - started
        applicable = (
            breached(con, population, releases, "applicable_people") if population.not_applicable else None
        )
        yield Attacked(k, measured, seconds, applicable)


def breached(
    con: duckdb.DuckDBPyConnection, population: Census, releases: Sequence[str], targets: str
) -> dict[str, float]:
    """`breaches` of the people in the table `targets`: id -> value."""
    breaches = sqlanon.breaches(
        con,
        list(releases),
        targets=targets,
        id="id",
        qi=population.qi,
        sensitive=population.sensitive,
        truth=population.sensitive,
        sure=[90],
    )
    return dict(breaches.select("id", "value").fetchall())


# What there is to read.

# Heading -> id of a measure of breaches.
HEADINGS = {
    "class size": "average_class_size",
    "prior": "average_prior",
    "posterior": "average_posterior",
    "drop": "average_drop",
    "PVP_25": "pvp_25",
    "PVP_50": "pvp_50",
    "PVP_100": "pvp_100",
    "90 % sure": "sure_90",
    "guess": "release_guess_right",
}

HOSPITALS_STORY = """
Two hospitals publish anonymous tables. Whoever is in the first shares zip code and age with at least 3
others there, in the second with at least 5. Alice, 28, from 13012, was in both. Her employer asks:
"""

CENSUS_STORY = """
Two agencies have {common:,} people in common, and half of the others each. Both anonymize what they have with
Mondrian, independently, and publish it. What do the two releases together tell about the {common:,}, who are
known by {qi}?
"""

LEGEND = """
class size        how many rows a target is hidden among, on average
prior, posterior  how many values of {sensitive} are possible for a target, on average: after the better of
                  the two releases, and after both; drop is the difference
PVP_C             % of the targets with a confidence of C % or more: 1 / possible values (PVP_100: only one)
90 % sure         % of the targets of whom one value is that probable, whether or not others are possible
guess             % that are guessed right from one release alone: the baseline
"""

WHERE_TO_GO_ON = """
Where to go on, with a table of your own:

    sqlanon check people.csv --qi age,zip --sensitive disease    what it would disclose
    sqlanon init people.csv -o policy.toml                       a first policy, to anonymize it by
    sqlanon attacks                                              the other attacks, and what each needs
"""


def show(con: duckdb.DuckDBPyConnection, data: Path | None, ks: Sequence[int], seed: int) -> None:
    """Print the whole demonstration; `data`: a file with one of the paper's data sets."""
    if data is not None:
        recognize(data)  # before anything is printed
    out = output()
    query, alice = hospitals(con)
    out.print("1. Two hospitals", style="bold")
    print(HOSPITALS_STORY)
    out.print(textwrap.indent(statements.render(query, pretty=True), "    "), style="cyan", markup=False)
    print()
    show_table(list(alice), [list(alice.values())])
    print("\nOf all conditions that are possible in either table, only this one is possible in both.\n")

    with progress_bar() as progress:
        population = load(con, data, seed)
        breaches = list(attack(con, population, ks, seed, progress))
    out.print(f"2. A census: {population.title}, {population.people:,} people", style="bold")
    print(CENSUS_STORY.format(common=COMMON, qi=", ".join(population.qi)))
    out.print(_side_by_side(population, breaches))
    print(LEGEND.format(sensitive=population.sensitive), end="")
    if population.paper:
        print("paper             what the text of the paper says")
    if code := population.not_applicable:
        print(f"without {code:<10}the same without the targets whose {population.sensitive} is {code} (none)")
    print(WHERE_TO_GO_ON)


def _side_by_side(population: Census, breaches: Sequence[Attacked]) -> Table:
    """A row per k; below it what the paper says, and the same without the targets that have no value."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for heading in ["k", *HEADINGS, "seconds"]:
        table.add_column(heading, justify="right", no_wrap=True)
    for one in breaches:
        values = [f"{one.measures[name]:.2f}" for name in HEADINGS.values()]
        table.add_row(str(one.k), *values, f"{one.seconds:.1f}")
        paper = [population.paper.get((one.k, name), "") for name in HEADINGS.values()]
        if any(paper):
            table.add_row("paper", *paper, "", style="dim")
        if one.applicable:
            values = [f"{one.applicable[name]:.2f}" for name in HEADINGS.values()]
            table.add_row(f"without {population.not_applicable}", *values, "", style="dim")
    return table
