"""The demonstration: the attack of Ganta, Kasiviswanathan and Smith 2008 on their own example and on a census.

Both parts take a connection of their own with sqlanon registered, make tables in it and return what there is to show; printing
is the command line's business.
"""

import gzip
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
from sqlglot import exp

from sqlanon import census, measures, statements
from sqlanon.errors import InputError
from sqlanon.mondrian import mondrian

# Table 1 of the paper, and the one target: Alice is 28, lives in 13012 and was in both hospitals.

HOSPITALS = ["hospital_1", "hospital_2"]
HOSPITAL_QI = ["zip", "age"]

TABLE_1 = """
create table hospital_1 as
select unnest(['130**', '130**', '130**', '130**', '130**', '130**', '130**', '130**', '130**', '130**', '130**', '130**']) as zip,
       unnest(['<30', '<30', '<30', '<30', '>=40', '>=40', '>=40', '>=40', '3*', '3*', '3*', '3*']) as age,
       unnest(['AIDS', 'Heart Disease', 'Viral Infection', 'Viral Infection', 'Cancer', 'Heart Disease', 'Viral Infection',
               'Viral Infection', 'Cancer', 'Cancer', 'Cancer', 'Cancer']) as condition;
create table hospital_2 as
select unnest(['130**', '130**', '130**', '130**', '130**', '130**', '130**', '130**', '130**', '130**', '130**', '130**']) as zip,
       unnest(['<35', '<35', '<35', '<35', '<35', '<35', '>=35', '>=35', '>=35', '>=35', '>=35', '>=35']) as age,
       unnest(['AIDS', 'Tuberculosis', 'Flu', 'Tuberculosis', 'Cancer', 'Cancer', 'Cancer', 'Cancer', 'Cancer', 'Tuberculosis',
               'Viral Infection', 'Viral Infection']) as condition;
create table employees as select 'Alice' as name, '13012' as zip, 28 as age;
"""


def hospitals(con: duckdb.DuckDBPyConnection) -> tuple[exp.Expression, dict[str, object]]:
    """The statement that tells what Alice has, and its one row."""
    con.execute(TABLE_1).fetchall()
    attack = statements.call(
        "intersection_attack",
        HOSPITALS,
        targets="employees",
        id="name",
        qi=HOSPITAL_QI,
        sensitive="condition",
    )
    query = attack.select("name", "prior", "posterior", "candidates", append=False)
    result = statements.execute(con, query)
    names = [column[0] for column in result.description]
    return query, dict(zip(names, result.fetchone(), strict=True))


# The census: a generated one, or one of the two data sets of the paper.

ADULT_COLUMNS = [
    "age", "workclass", "fnlwgt", "education", "education_num", "marital_status", "occupation", "relationship", "race", "sex",
    "capital_gain", "capital_loss", "hours_per_week", "native_country", "income",
]  # fmt: skip

IPUMS_COLUMNS = [
    "year", "gq", "gqtypeg", "farm", "ownershg", "value", "rent", "ftotinc", "nfams", "ncouples", "nmothers", "nfathers",
    "momloc", "stepmom", "momrule", "poploc", "steppop", "poprule", "sploc", "sprule", "famsize", "nchild", "nchlt5", "famunit",
    "eldch", "yngch", "nsibs", "relateg", "age", "sex", "raceg", "marst", "chborn", "bplg", "school", "educrec", "schltype",
    "empstatg", "labforce", "occ1950", "occscore", "sei", "ind1950", "classwkg", "wkswork2", "hrswork2", "yrlastwk", "workedyr",
    "inctot", "incwage", "incbus", "incfarm", "incss", "incwelfr", "incother", "poverty", "migrat5g", "migplac5", "movedin",
    "vetstat", "tranwork",
]  # fmt: skip

# The attributes of the paper's experiments (sec. 3.1), and how they get from the lines of a file into the table `people`.
LOAD_ADULT = """
create or replace table people as
with line as (
    select trim(columns(*))
    from read_csv($path, header = false, all_varchar = true, delim = ',', quote = '', parallel = false, names = $names)
)
select row_number() over () as id, age::integer as age, workclass, education, marital_status, race, sex, native_country, occupation
from line
where '?' not in (workclass, education, marital_status, occupation, race, sex, native_country)
"""

LOAD_IPUMS = """
create or replace table people as
with line as (
    select trim(columns(*))
    from read_csv($path, header = false, all_varchar = true, delim = ',', quote = '', parallel = false, names = $names)
)
select row_number() over () as id, age::integer as age, classwkg::integer as classwkg, educrec::integer as educrec,
       marst::integer as marst, raceg::integer as raceg, sex::integer as sex, bplg::integer as bplg, occ1950
from line
"""

# What everybody gets for the draw: the first 5000 places are in both subsets, of the rest every other one is in the first.
SUBSETS = """
create or replace table dealt as
select *, row_number() over (order by hash(id, $seed::bigint), id) as place from people;
create or replace table subset_1 as
select * exclude (place) from dealt where place <= $common or place % 2 = 1 order by id;
create or replace table subset_2 as
select * exclude (place) from dealt where place <= $common or place % 2 = 0 order by id;
create or replace table common_people as
select * exclude (place) from dealt where place <= $common order by id;
"""

COMMON = 5000


@dataclass(frozen=True)
class Census:
    """A population in the table `people`, and what the paper's text says about this one, by k and measure."""

    title: str
    qi: tuple[str, ...]
    sensitive: str
    people: int
    paper: dict[tuple[int, str], str] = field(default_factory=dict)


@dataclass(frozen=True)
class Attacked:
    """What the attack tells about the common people of two releases with the same k: `breaches`, as measure -> value."""

    k: int
    measures: dict[str, float]
    seconds: float


def _first_line(path: Path) -> str:
    with path.open("rb") as file:
        compressed = file.read(2) == b"\x1f\x8b"
    opened = gzip.open(path) if compressed else path.open("rb")
    with opened as lines:
        return lines.readline(10_000).decode("utf-8", errors="replace")


def _is_number(text: str) -> bool:
    return text.strip().isdecimal()


def recognize(path: Path) -> str:
    """'adult' or 'ipums', by the first line of a file."""
    fields: list[str] = []
    with suppress(OSError, EOFError):
        fields = _first_line(path).strip().split(",")
    if len(fields) == len(ADULT_COLUMNS) and _is_number(fields[0]) and fields[-1].strip() in ("<=50K", ">50K"):
        return "adult"
    if len(fields) == len(IPUMS_COLUMNS) and all(map(_is_number, fields)):
        return "ipums"
    raise InputError(
        f"{path} is neither of the data sets that the demonstration knows: UCI Adult (adult.data, 15 fields a line, no header) "
        "and IPUMS Los Angeles (ipums.la.97 or ipums.la.97.gz, 61 numbers a line)"
    )


def load(con: duckdb.DuckDBPyConnection, data: Path | None, seed: int) -> Census:
    """Make the table `people`: id, quasi-identifiers and one sensitive column; generated, or from a data set of the paper."""
    if data is None:
        census.load(con, seed)
        return Census("a generated census", census.QI, census.SENSITIVE, _count(con))
    if recognize(data) == "adult":
        statement, columns = LOAD_ADULT, ADULT_COLUMNS
        title, qi, sensitive = "UCI Adult", census.QI, census.SENSITIVE
        paper = {(5, "PVP_100"): "about 12", (5, "PVP_25"): "more than 60"}
    else:
        statement, columns = LOAD_IPUMS, IPUMS_COLUMNS
        title, sensitive = "IPUMS Los Angeles", "occ1950"
        qi = ("age", "classwkg", "educrec", "marst", "raceg", "sex", "bplg")
        paper = {
            (5, "PVP_100"): "about 60",
            (5, "PVP_25"): "about 95",
            (5, "average class size"): "close to 40",
            (10, "average class size"): "45",
        }
    try:
        con.execute(statement, {"path": str(data), "names": columns}).fetchall()
    except duckdb.Error as error:
        raise InputError(f"{data} begins like {title}, but goes on differently: {str(error).splitlines()[0]}") from error
    return Census(title, qi, sensitive, _count(con), paper)


def _count(con: duckdb.DuckDBPyConnection) -> int:
    (count,) = con.execute("select count(*) from people").fetchall()[0]
    return int(count)


def attack(
    con: duckdb.DuckDBPyConnection,
    population: Census,
    ks: Iterable[int],
    seed: int,
    progress: Callable[[float, str], None] | None = None,
) -> Iterator[Attacked]:
    """For each k: anonymize two subsets of the population that share 5000 people independently, and attack these (sec. 3).

    Needs the table `people`. Half of the other people are in each subset.
    """
    if population.people <= COMMON:
        raise InputError(f"the two subsets share {COMMON} people: {population.people} are too few")
    for statement in duckdb.extract_statements(SUBSETS):
        named = {"seed": seed, "common": COMMON}
        con.execute(statement, {name: named[name] for name in statement.named_parameters}).fetchall()
    for k in ks:
        started = time.perf_counter()
        releases = [f"release_{i}" for i in (1, 2)]
        for i, release in enumerate(releases, 1):
            mondrian(
                con, f"subset_{i}", qi=population.qi, sensitive=population.sensitive, k=k, into=release, replace=True, seed=seed
            )
            if progress:
                progress(i / 3, f"k = {k}")
        yield Attacked(k, breached(con, population, releases), time.perf_counter() - started)


def breached(con: duckdb.DuckDBPyConnection, population: Census, releases: Sequence[str]) -> dict[str, float]:
    """`breaches` of the common people: measure -> value."""
    found = measures.breaches(
        con,
        list(releases),
        targets="common_people",
        id="id",
        qi=population.qi,
        sensitive=population.sensitive,
        truth=population.sensitive,
    )
    return {measure: value for measure, value, _ in found.fetchall()}
