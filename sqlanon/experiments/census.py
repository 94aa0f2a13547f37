"""A generated population with the attributes of a census extract: a demonstration needs no data set.

Nobody in it exists. It has the attributes and the domain sizes of the extract that is known as Adult (age 74
values, work class 7, education 16, marital status 7, race 5, sex 2, native country 41, occupation 14),
frequent and rare values in about the proportions of a census, and the dependencies that an attack lives on:
occupation goes with sex, education and work class, and these with age. The same seed gives the same people
everywhere.
"""

import math
import random
from bisect import bisect
from itertools import accumulate
from typing import TypeAlias

import duckdb

QI = ("age", "workclass", "education", "marital_status", "race", "sex", "native_country")
SENSITIVE = "occupation"

Weights: TypeAlias = dict[str, float]

# Numbers are relative frequencies: only their proportions count. First an attribute on its own, then what
# changes it.

AGES = range(17, 91)

SEX: Weights = {"Male": 67, "Female": 33}

RACE: Weights = {
    "White": 860,
    "Black": 93,
    "Asian-Pac-Islander": 30,
    "Amer-Indian-Eskimo": 10,
    "Other": 7,
}

HOME = "United-States"

# The other 40 countries by region, in each the most frequent first.
REGIONS: dict[str, list[str]] = {
    "Latin America": [
        "Mexico", "Puerto-Rico", "El-Salvador", "Cuba", "Guatemala", "Colombia", "Nicaragua", "Peru",
        "Ecuador", "Honduras",
    ],
    "Europe": [
        "Germany", "England", "Italy", "Poland", "Portugal", "Greece", "Ireland", "France", "Yugoslavia",
        "Scotland", "Hungary", "Netherlands",
    ],
    "Asia": [
        "Philippines", "India", "China", "Vietnam", "Japan", "Korea", "Taiwan", "Iran", "Hong-Kong",
        "Thailand", "Cambodia", "Laos",
    ],
    "Caribbean": ["Jamaica", "Dominican-Republic", "Haiti", "Trinidad-and-Tobago"],
    "Elsewhere": ["Canada", "South-Africa"],
}  # fmt: skip

REGION_OF_RACE: dict[str, Weights] = {
    "White": {HOME: 925, "Latin America": 45, "Europe": 20, "Asia": 3, "Caribbean": 2, "Elsewhere": 5},
    "Black": {HOME: 940, "Latin America": 6, "Europe": 2, "Caribbean": 50, "Elsewhere": 2},
    "Asian-Pac-Islander": {HOME: 320, "Latin America": 10, "Asia": 665, "Elsewhere": 5},
    "Amer-Indian-Eskimo": {HOME: 960, "Latin America": 30, "Asia": 10},
    "Other": {HOME: 520, "Latin America": 360, "Asia": 40, "Caribbean": 80},
}

EDUCATION: Weights = {
    "Preschool": 1.5, "1st-4th": 5, "5th-6th": 10, "7th-8th": 18, "9th": 15, "10th": 27, "11th": 35,
    "12th": 12, "HS-grad": 325, "Some-college": 222, "Assoc-voc": 43, "Assoc-acdm": 33, "Bachelors": 167,
    "Masters": 54, "Prof-school": 18, "Doctorate": 13,
}  # fmt: skip
SCHOOL = ("Preschool", "1st-4th", "5th-6th", "7th-8th", "9th", "10th", "11th", "12th")
DEGREE = ("Bachelors", "Masters", "Prof-school", "Doctorate")
YOUNGEST = {
    "Bachelors": 21,
    "Masters": 24,
    "Prof-school": 25,
    "Doctorate": 27,
    "Assoc-voc": 19,
    "Assoc-acdm": 19,
}

# Marital status by age, to the age that stands before it.
MARITAL_STATUS: list[tuple[int, Weights]] = [
    (22, {"Never-married": 90, "Married-civ-spouse": 7, "Separated": 1, "Divorced": 1,
          "Married-spouse-absent": 1, "Married-AF-spouse": 0.1, "Widowed": 0.1}),
    (30, {"Never-married": 55, "Married-civ-spouse": 34, "Separated": 3, "Divorced": 7,
          "Married-spouse-absent": 1, "Married-AF-spouse": 0.2, "Widowed": 0.2}),
    (45, {"Never-married": 21, "Married-civ-spouse": 56, "Separated": 4, "Divorced": 17,
          "Married-spouse-absent": 1.2, "Married-AF-spouse": 0.05, "Widowed": 1}),
    (60, {"Never-married": 9, "Married-civ-spouse": 62, "Separated": 3, "Divorced": 20,
          "Married-spouse-absent": 1.2, "Married-AF-spouse": 0.02, "Widowed": 5}),
    (91, {"Never-married": 7, "Married-civ-spouse": 62, "Separated": 2, "Divorced": 12,
          "Married-spouse-absent": 1, "Married-AF-spouse": 0.02, "Widowed": 16}),
]  # fmt: skip
OF_WOMEN: Weights = {"Married-civ-spouse": 0.3, "Widowed": 3, "Divorced": 1.6}

WORKCLASS: Weights = {
    "Private": 739,
    "Self-emp-not-inc": 83,
    "Local-gov": 69,
    "State-gov": 42,
    "Self-emp-inc": 36,
    "Federal-gov": 31,
    "Without-pay": 0.5,
}
OF_GRADUATES: Weights = {"Private": 0.8, "Local-gov": 2, "State-gov": 1.8, "Self-emp-inc": 1.6}

OCCUPATION: Weights = {
    "Prof-specialty": 134, "Craft-repair": 134, "Exec-managerial": 132, "Adm-clerical": 123, "Sales": 119,
    "Other-service": 106, "Machine-op-inspct": 65, "Transport-moving": 52, "Handlers-cleaners": 45,
    "Farming-fishing": 33, "Tech-support": 30, "Protective-serv": 21, "Priv-house-serv": 5,
    "Armed-Forces": 0.3,
}  # fmt: skip

# By how much something raises (above 1) or lowers an occupation.
OCCUPATION_OF_SEX: dict[str, Weights] = {
    "Male": {"Adm-clerical": 0.45, "Other-service": 0.65, "Priv-house-serv": 0.1},
    "Female": {
        "Adm-clerical": 2, "Other-service": 1.7, "Priv-house-serv": 3, "Craft-repair": 0.15,
        "Transport-moving": 0.15, "Handlers-cleaners": 0.35, "Farming-fishing": 0.2,
        "Protective-serv": 0.35, "Armed-Forces": 0.02,
    },
}  # fmt: skip
OCCUPATION_OF_EDUCATION: dict[str, Weights] = {
    "school": {
        "Prof-specialty": 0.08, "Exec-managerial": 0.25, "Tech-support": 0.1, "Adm-clerical": 0.4,
        "Sales": 0.6, "Other-service": 1.9, "Machine-op-inspct": 1.9, "Handlers-cleaners": 1.9,
        "Farming-fishing": 1.9, "Priv-house-serv": 3, "Transport-moving": 1.4, "Craft-repair": 1.2,
    },
    "between": {"Prof-specialty": 0.35, "Exec-managerial": 0.75, "Craft-repair": 1.3,
                "Transport-moving": 1.3},
    "degree": {
        "Prof-specialty": 3, "Exec-managerial": 2, "Sales": 1.1, "Craft-repair": 0.25, "Adm-clerical": 0.6,
        "Other-service": 0.25, "Machine-op-inspct": 0.15, "Transport-moving": 0.15, "Handlers-cleaners": 0.12,
        "Farming-fishing": 0.4, "Priv-house-serv": 0.1,
    },
    "doctor": {
        "Prof-specialty": 9, "Exec-managerial": 1.2, "Sales": 0.3, "Craft-repair": 0.05, "Adm-clerical": 0.2,
        "Other-service": 0.1, "Machine-op-inspct": 0.03, "Transport-moving": 0.03, "Handlers-cleaners": 0.03,
        "Farming-fishing": 0.2, "Tech-support": 0.6, "Protective-serv": 0.2, "Priv-house-serv": 0.02,
    },
}  # fmt: skip
OCCUPATION_OF_WORKCLASS: dict[str, Weights] = {
    "Private": {"Protective-serv": 0.35, "Armed-Forces": 0},
    "Self-emp-not-inc": {
        "Farming-fishing": 6, "Craft-repair": 1.7, "Sales": 1.4, "Adm-clerical": 0.2,
        "Machine-op-inspct": 0.3, "Protective-serv": 0.1, "Handlers-cleaners": 0.3, "Armed-Forces": 0,
        "Priv-house-serv": 0,
    },
    "Self-emp-inc": {
        "Exec-managerial": 2.5, "Sales": 2, "Farming-fishing": 2, "Adm-clerical": 0.3,
        "Machine-op-inspct": 0.2, "Other-service": 0.3, "Handlers-cleaners": 0.1, "Protective-serv": 0.1,
        "Armed-Forces": 0, "Priv-house-serv": 0,
    },
    "Local-gov": {
        "Prof-specialty": 2, "Protective-serv": 7, "Sales": 0.05, "Machine-op-inspct": 0.1, "Armed-Forces": 0,
        "Priv-house-serv": 0,
    },
    "State-gov": {
        "Prof-specialty": 1.8, "Protective-serv": 4, "Adm-clerical": 1.6, "Sales": 0.08,
        "Machine-op-inspct": 0.1, "Armed-Forces": 0, "Priv-house-serv": 0,
    },
    "Federal-gov": {
        "Adm-clerical": 2.5, "Exec-managerial": 1.3, "Tech-support": 2, "Sales": 0.1, "Armed-Forces": 30,
        "Protective-serv": 1.4, "Farming-fishing": 0.3, "Priv-house-serv": 0,
    },
    "Without-pay": {
        "Farming-fishing": 12, "Prof-specialty": 0.1, "Exec-managerial": 0.1, "Protective-serv": 0,
        "Armed-Forces": 0, "Tech-support": 0, "Priv-house-serv": 0,
    },
}  # fmt: skip


def _education_group(education: str) -> str:
    if education in ("Prof-school", "Doctorate"):
        return "doctor"
    return "school" if education in SCHOOL else "degree" if education in DEGREE else "between"


class _Draws:
    """Random choices by weight; the running sums of a situation are kept, for it comes again."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._known: dict[object, tuple[list[str], list[float]]] = {}

    def __call__(self, situation: object, weights: Weights, *factors: Weights) -> str:
        if situation not in self._known:
            products = [w * math.prod(f.get(value, 1) for f in factors) for value, w in weights.items()]
            self._known[situation] = list(weights), list(accumulate(products))
        values, sums = self._known[situation]
        # as random.choices, which checks its arguments anew each time
        return values[bisect(sums, self._random.random() * sums[-1], 0, len(sums) - 1)]


def _native_country(draw: _Draws, race: str) -> str:
    region = draw(("region", race), REGION_OF_RACE[race])
    if region == HOME:
        return HOME
    countries = REGIONS[region]
    return draw(("country", region), {country: 1 / (i + 1) ** 1.2 for i, country in enumerate(countries)})


def _education(draw: _Draws, age: int, foreign: bool) -> str:
    too_young: Weights = {level: 0 for level, youngest in YOUNGEST.items() if age < youngest}
    pupils: Weights = {"11th": 6, "12th": 6, "10th": 3, "HS-grad": 0.7} if age < 19 else {}
    elders: Weights = {"7th-8th": 3, "5th-6th": 1.5, "Some-college": 0.6} if age >= 60 else {}
    abroad: Weights = (
        {"Preschool": 6, "1st-4th": 8, "5th-6th": 8, "9th": 2, "HS-grad": 0.7} if foreign else {}
    )
    return draw(("education", min(age, 27), age >= 60, foreign), EDUCATION, too_young, pupils, elders, abroad)


def _marital_status(draw: _Draws, age: int, sex: str) -> str:
    below, weights = next(band for band in MARITAL_STATUS if age < band[0])
    return draw(("marital status", below, sex), weights, OF_WOMEN if sex == "Female" else {})


def _workclass(draw: _Draws, age: int, graduate: bool) -> str:
    elders: Weights = {"Self-emp-not-inc": 1.8, "Self-emp-inc": 1.8, "Private": 0.85} if age >= 45 else {}
    juniors: Weights = {"Self-emp-not-inc": 0.3, "Self-emp-inc": 0.2, "Without-pay": 3} if age < 25 else {}
    situation = ("workclass", age >= 45, age < 25, graduate)
    return draw(situation, WORKCLASS, OF_GRADUATES if graduate else {}, elders, juniors)


def population(seed: int = 1, people: int = 30_000) -> dict[str, list[int] | list[str]]:
    """The columns id (1, 2, ...), those of QI, and occupation, each a list with one entry per person."""
    draw = _Draws(seed)
    ages: Weights = {str(age): (age - 16) ** 1.6 * math.exp(-(age - 16) / 8.6) for age in AGES}
    rows: list[tuple[str, ...]] = []
    for _ in range(people):
        age = draw("age", ages)
        years = int(age)
        sex = draw("sex", SEX)
        race = draw("race", RACE)
        country = _native_country(draw, race)
        education = _education(draw, years, country != HOME)
        group = _education_group(education)
        marital_status = _marital_status(draw, years, sex)
        workclass = _workclass(draw, years, group in ("degree", "doctor"))
        occupation = draw(
            ("occupation", sex, group, workclass),
            OCCUPATION,
            OCCUPATION_OF_SEX[sex],
            OCCUPATION_OF_EDUCATION[group],
            OCCUPATION_OF_WORKCLASS[workclass],
        )
        rows.append((age, workclass, education, marital_status, race, sex, country, occupation))
    columns: list[list[str]] = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in range(8)]
    named: dict[str, list[int] | list[str]] = {"id": list(range(1, people + 1))}
    named |= dict(zip((*QI, SENSITIVE), columns, strict=True))
    named["age"] = [int(age) for age in columns[0]]
    return named


def load(con: duckdb.DuckDBPyConnection, seed: int = 1, people: int = 30_000) -> None:
    """Make the table `people` with the columns of `population`, one row per person."""
    con.execute(
        """
        create or replace table people as
        select unnest($id::integer[]) as id,
               unnest($age::integer[]) as age,
               unnest($workclass::varchar[]) as workclass,
               unnest($education::varchar[]) as education,
               unnest($marital_status::varchar[]) as marital_status,
               unnest($race::varchar[]) as race,
               unnest($sex::varchar[]) as sex,
               unnest($native_country::varchar[]) as native_country,
               unnest($occupation::varchar[]) as occupation
        """,
        population(seed, people),
    ).fetchall()
