"""The data sets of the experiments (sec. 3.1), and the subsets of them that share people."""

import gzip
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import duckdb

from sqlanon.core.errors import InputError
from sqlanon.core.files import as_pattern
from sqlanon.experiments import census

ADULT_COLUMNS = [
    "age", "workclass", "fnlwgt", "education", "education_num", "marital_status", "occupation",
    "relationship", "race", "sex", "capital_gain", "capital_loss", "hours_per_week", "native_country",
    "income",
]  # fmt: skip

IPUMS_COLUMNS = [
    "year", "gq", "gqtypeg", "farm", "ownershg", "value", "rent", "ftotinc", "nfams", "ncouples",
    "nmothers", "nfathers", "momloc", "stepmom", "momrule", "poploc", "steppop", "poprule", "sploc",
    "sprule", "famsize", "nchild", "nchlt5", "famunit", "eldch", "yngch", "nsibs", "relateg", "age",
    "sex", "raceg", "marst", "chborn", "bplg", "school", "educrec", "schltype", "empstatg", "labforce",
    "occ1950", "occscore", "sei", "ind1950", "classwkg", "wkswork2", "hrswork2", "yrlastwk", "workedyr",
    "inctot", "incwage", "incbus", "incfarm", "incss", "incwelfr", "incother", "poverty", "migrat5g",
    "migplac5", "movedin", "vetstat", "tranwork",
]  # fmt: skip

# From the lines of a file into the table `people`: an id, the attributes of Tables 2 and 3, and those of
# Table 4.
LOAD_ADULT = """
create or replace table people as
with line as (
    select trim(columns(*))
    from read_csv($path, header = false, all_varchar = true, delim = ',', quote = '', parallel = false,
        names = $names)
)
select row_number() over () as id, age::integer as age, workclass, education, marital_status, race, sex,
       native_country, occupation
from line
where '?' not in (workclass, education, marital_status, occupation, race, sex, native_country)
"""

LOAD_IPUMS = """
create or replace table people as
with line as (
    select trim(columns(*))
    from read_csv($path, header = false, all_varchar = true, delim = ',', quote = '', parallel = false,
        names = $names)
)
select row_number() over () as id, age::integer as age, classwkg::integer as classwkg,
       educrec::integer as educrec, marst::integer as marst, raceg::integer as raceg, sex::integer as sex,
       bplg::integer as bplg, occ1950, ind1950, inctot
from line
"""

# Generalization by values that belong together, for the runs with hierarchies: table `hierarchies`. The paper
# does not give its own.
GROUP_ADULT = """
create or replace table hierarchies as
with family(attribute, kin, label) as (
    values
    ('workclass', ['Federal-gov', 'Local-gov', 'State-gov'], 'government'),
    ('workclass', ['Self-emp-inc', 'Self-emp-not-inc'], 'self-employed'),
    ('workclass', ['Private'], 'private'),
    ('workclass', ['Never-worked', 'Without-pay'], 'unpaid'),
    ('education', ['Preschool', '1st-4th', '5th-6th', '7th-8th'], 'primary school'),
    ('education', ['9th', '10th', '11th', '12th', 'HS-grad'], 'high school'),
    ('education', ['Some-college', 'Assoc-voc', 'Assoc-acdm'], 'college'),
    ('education', ['Bachelors', 'Masters', 'Prof-school', 'Doctorate'], 'degree'),
    ('marital_status', ['Married-AF-spouse', 'Married-civ-spouse', 'Married-spouse-absent'], 'married'),
    ('marital_status', ['Divorced', 'Separated', 'Widowed'], 'was married'),
    ('marital_status', ['Never-married'], 'never married'),
    ('native_country',
        ['United-States', 'Canada', 'Outlying-US(Guam-USVI-etc)', 'Puerto-Rico'],
        'North America'),
    ('native_country',
        ['Columbia', 'Cuba', 'Dominican-Republic', 'Ecuador', 'El-Salvador', 'Guatemala', 'Haiti',
         'Honduras', 'Jamaica', 'Mexico', 'Nicaragua', 'Peru', 'Trinadad&Tobago'],
        'Latin America'),
    ('native_country',
        ['England', 'France', 'Germany', 'Greece', 'Holand-Netherlands', 'Hungary', 'Ireland', 'Italy',
         'Poland', 'Portugal', 'Scotland', 'Yugoslavia'],
        'Europe'),
    ('native_country',
        ['Cambodia', 'China', 'Hong', 'India', 'Iran', 'Japan', 'Laos', 'Philippines', 'Taiwan', 'Thailand',
         'Vietnam'],
        'Asia')
),
member as (select attribute, unnest(kin) as value, label from family),
present as (
    unpivot (select distinct workclass, education, marital_status, native_country from people)
    on workclass, education, marital_status, native_country into name attribute value value
)
select distinct attribute, value,
       unnest([0, 1, 2]) as level, unnest([value, coalesce(label, 'elsewhere'), '*']) as label
from present left join member using (attribute, value)
union all from sqlanon.interval_hierarchy('people', 'age', widths := [5, 10, 20, 40])
union all from sqlanon.flat_hierarchy('people', 'race')
union all from sqlanon.flat_hierarchy('people', 'sex')
"""

# Codes of education and birthplace that are near each other mean about the same: years of school, parts of
# the world.
GROUP_IPUMS = """
create or replace table hierarchies as
from sqlanon.interval_hierarchy('people', 'age', widths := [5, 10, 20, 40])
union all from sqlanon.interval_hierarchy('people', 'educrec', widths := [2, 4])
union all from sqlanon.interval_hierarchy('people', 'bplg', widths := [10, 100])
union all from sqlanon.interval_hierarchy('people', 'marst', widths := [3])
union all from sqlanon.flat_hierarchy('people', 'classwkg')
union all from sqlanon.flat_hierarchy('people', 'raceg')
union all from sqlanon.flat_hierarchy('people', 'sex')
"""

# What is counted with noise (sec. 4): people in groups that are fixed beforehand, and all groups that there
# may be, which are public knowledge. Attributes that would make the groups too small are not counted by.
COARSE_ADULT = """
create or replace table coarse as
select id, by_age.label as age, by_education.label as education, by_marriage.label as marital_status, sex,
       native_country, occupation
from people
join hierarchies as by_age
  on by_age.attribute = 'age' and by_age.level = 3 and by_age.value = people.age::varchar
join hierarchies as by_education
  on by_education.attribute = 'education' and by_education.level = 1
 and by_education.value = people.education
join hierarchies as by_marriage
  on by_marriage.attribute = 'marital_status' and by_marriage.level = 1
 and by_marriage.value = people.marital_status
"""
GROUPS_ADULT = """
create or replace table groups as
from (select distinct age from coarse)
cross join (select distinct education from coarse)
cross join (select distinct marital_status from coarse)
cross join (select distinct sex from coarse)
cross join (select distinct native_country from coarse)
cross join (select distinct occupation from coarse)
"""
COARSE_IPUMS = """
create or replace table coarse as
select id, by_age.label as age, classwkg::varchar as classwkg, by_marriage.label as marst,
       sex::varchar as sex, occ1950
from people
join hierarchies as by_age
  on by_age.attribute = 'age' and by_age.level = 2 and by_age.value = people.age::varchar
join hierarchies as by_marriage
  on by_marriage.attribute = 'marst' and by_marriage.level = 1
 and by_marriage.value = people.marst::varchar
"""
GROUPS_IPUMS = """
create or replace table groups as
from (select distinct age from coarse)
cross join (select distinct classwkg from coarse)
cross join (select distinct marst from coarse)
cross join (select distinct sex from coarse)
cross join (select distinct occ1950 from coarse)
"""

# Everybody gets a place by lot, twice: the first ones are in all subsets, of the rest every other one is in
# each. Subsets 1 and 2 share nobody else; nor do 3 and 4, which are drawn by the second lot.
DEAL = """
create or replace table dealt as
select *, row_number() over (order by hash(id, $seed::bigint), id) as place,
       row_number() over (order by hash(id, $seed::bigint, 2), id) as second_place
from people
"""
SUBSETS = [
    f"create or replace table {subset} as from dealt where place <= $common or {rest} order by id"
    for subset, rest in (
        ("subset_1", "place % 2 = 1"),
        ("subset_2", "place % 2 = 0"),
        ("subset_3", "second_place % 2 = 1"),
        ("subset_4", "second_place % 2 = 0"),
    )
]
TARGETS = "create or replace table common_people as from dealt where place <= $common order by id"

COMMON = 5000


@dataclass(frozen=True)
class DataSet:
    """A data set: how it is recognized and loaded, and its attributes as they are used.

    people: how many the paper's experiment has; lines: how many the file has. sensitive: columns, with the
    code that says that the column does not apply, if there is one. coarse, groups: people and groups as they
    are counted, by the attributes counted_by.
    """

    name: str
    title: str
    columns: list[str]
    load: str
    group: str
    qi: tuple[str, ...]
    sensitive: dict[str, str | None]
    people: int
    coarse: str
    groups: str
    counted_by: tuple[str, ...]


ADULT = DataSet(
    name="adult",
    title="UCI Adult",
    columns=ADULT_COLUMNS,
    load=LOAD_ADULT,
    group=GROUP_ADULT,
    qi=census.QI,
    sensitive={census.SENSITIVE: None},
    people=30_162,
    coarse=COARSE_ADULT,
    groups=GROUPS_ADULT,
    counted_by=("age", "education", "marital_status", "sex", "native_country"),
)
IPUMS = DataSet(
    name="ipums",
    title="IPUMS Los Angeles",
    columns=IPUMS_COLUMNS,
    load=LOAD_IPUMS,
    group=GROUP_IPUMS,
    qi=("age", "classwkg", "educrec", "marst", "raceg", "sex", "bplg"),
    sensitive={"occ1950": "999", "ind1950": "000", "inctot": "999999"},
    people=70_187,
    coarse=COARSE_IPUMS,
    groups=GROUPS_IPUMS,
    counted_by=("age", "classwkg", "marst", "sex"),
)
DATA_SETS = {data.name: data for data in (ADULT, IPUMS)}

FORMS = {
    "adult": "UCI Adult (adult.data, 15 fields a line, no header)",
    "ipums": "IPUMS Los Angeles (ipums.la.97, also .gz, 61 numbers a line)",
}


def _first_line(path: Path) -> str:
    with path.open("rb") as file:
        compressed = file.read(2) == b"\x1f\x8b"
        file.seek(0)
        line = gzip.GzipFile(fileobj=file).readline(10_000) if compressed else file.readline(10_000)
    return line.decode("utf-8", errors="replace")


def _is_number(text: str) -> bool:
    return text.strip().isdecimal()


def recognize(path: Path) -> DataSet:
    """Which data set a file is, by its first line."""
    fields: list[str] = []
    with suppress(OSError, EOFError):
        fields = _first_line(path).strip().split(",")
    if (
        len(fields) == len(ADULT_COLUMNS)
        and _is_number(fields[0])
        and fields[-1].strip() in ("<=50K", ">50K")
    ):
        return ADULT
    if len(fields) == len(IPUMS_COLUMNS) and all(map(_is_number, fields)):
        return IPUMS
    raise InputError(
        f"{path} is neither of the data sets of Ganta et al. 2008: {FORMS['adult']} and {FORMS['ipums']}"
    )


def load(con: duckdb.DuckDBPyConnection, data: DataSet, path: Path) -> int:
    """Make the table `people`; how many there are."""
    try:
        con.execute(data.load, {"path": as_pattern(path), "names": data.columns}).fetchall()
    except duckdb.Error as error:
        raise InputError(
            f"{path} begins like {data.title}, but goes on differently: {str(error).splitlines()[0]}"
        ) from error
    (count,) = con.execute("select count(*) from people").fetchall()[0]
    return int(count)


def deal(con: duckdb.DuckDBPyConnection, seed: int, common: int, subsets: int = 2) -> None:
    """From `people` make the tables subset_1, ..., and common_people: those who are in all of them."""
    con.execute(DEAL, {"seed": seed}).fetchall()
    for subset in [*SUBSETS[:subsets], TARGETS]:
        con.execute(subset, {"common": common}).fetchall()
