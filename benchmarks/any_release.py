"""What releases of any kind give away about the people in them, beyond what is learned of people held out:
`python -m benchmarks any_release [--people=N] [--python=PATH] [--distinct=N]`, N people in the release
(15000, half of Adult's training part), as many who are held out (of its test part), and as many others (the
other half). And how often the de Finetti attack is right about buckets and classes, beside 1/l. With
--distinct nothing but how many of N distinct people nearest_linkage compares with as many distinct rows.

A copy must come out above everything else, a release of other people around 0, and stronger protection not
above weaker. PATH: another Python, with sdmetrics (benchmarks/other_tools.py says how to make it): then a
synthetic table is attacked, too, and CategoricalCAP and the times of sdmetrics and scikit-learn are printed
beside ours.
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb

import sqlanon
from benchmarks.tables import QI, SENSITIVE, adult, adult_test
from benchmarks.timing import at_most, option, title

HERE = ["age", "workclass", "education"]
THERE = ["marital_status", "race", "native_country", SENSITIVE]
COLUMNS = [*QI, SENSITIVE]
# What protects more, and what less.
PAIRED = {
    "Mondrian, k = 50": "Mondrian, k = 5", "MDAV, k = 50": "MDAV, k = 5",
    "PRAM, 50 % stay": "PRAM, 90 % stay", "age with noise, 50 %": "age with noise, 10 %",
}  # fmt: skip


def load(con: duckdb.DuckDBPyConnection, people: int) -> list[str]:
    """The people in the release and those held out, `asked`; the releases, by their names."""
    for name, table, first in (
        ("original", "adult", 0), ("held out", "adult_test", 0), ("other people", "adult", people),
    ):  # fmt: skip
        con.execute(
            f"""
            create or replace table "{name}" as
            from {table} order by hash(id, 36), id limit $people offset $first
            """,
            {"people": people, "first": first},
        ).fetchall()
    con.execute(
        """
        create or replace table asked as
        select * replace (row_number() over () as id)
        from (select *, false as out from original union all by name select *, true as out from "held out")
        """
    ).fetchall()
    con.execute("create or replace table copy as from original").fetchall()
    for k in (5, 50):
        sqlanon.mondrian(con, "original", qi=QI, sensitive=SENSITIVE, k=k, seed=1, into=f"Mondrian, k = {k}")
        sqlanon.microaggregate(
            con, "original", qi=QI, sensitive=SENSITIVE, k=k, seed=1, into=f"MDAV, k = {k}"
        )
    for percent in (90, 50):
        sqlanon.pram(con, "original", COLUMNS, retain=percent / 100, seed=1, into=f"PRAM, {percent} % stay")
    for percent in (10, 50):
        sqlanon.add_noise(
            con, "original", "age", keep=COLUMNS[1:], scale=percent / 100, seed=1,
            into=f"age with noise, {percent} %",
        )  # fmt: skip
    return [
        "copy", "other people", "Mondrian, k = 5", "Mondrian, k = 50", "MDAV, k = 5",
        "MDAV, k = 50", "PRAM, 90 % stay", "PRAM, 50 % stay", "age with noise, 10 %",
        "age with noise, 50 %",
    ]  # fmt: skip


@dataclass(frozen=True)
class Risk:
    """The success on people in the release and on controls, and the risk beyond these, in percent; and what
    else there is to say."""

    right: float
    control: float
    risk: float
    low: float
    high: float
    note: str = ""

    def __str__(self) -> str:
        shares = f"{self.right:5.1f} % {self.control:5.1f} % {self.risk:6.1f} %"
        return f"{shares} [{self.low:.1f}, {self.high:.1f}]{self.note}"


def risk(con: duckdb.DuckDBPyConnection, answer: duckdb.DuckDBPyRelation) -> Risk:
    found = {row[-1]: row for row in sqlanon.attack_summary(con, answer).fetchall()}
    right, control, beyond = (
        found[id] for id in ("right_of_all", "right_of_all_controls", "beyond_controls")
    )
    return Risk(right[1], control[1], beyond[1], beyond[3], beyond[4])


def singling_out(con: duckdb.DuckDBPyConnection, about: Mapping[str, Any]) -> Risk:
    """With how many of the conditions isolate somebody, however few people that are."""
    answer = sqlanon.singling_out(con, columns=COLUMNS, **about)
    [(isolating, tried)] = (
        answer.filter("not is_control").limit(1).select("isolating, tried").fetchall()
    )  # fmt: skip
    return replace(risk(con, answer), note=f", by {isolating:,} of {tried:,} conditions")


def membership(con: duckdb.DuckDBPyConnection) -> Risk:
    """Found at 1 % false alarms, beside this 1 %."""
    answer = sqlanon.membership(con, "answered", "asked", "id", COLUMNS, controls="out")
    found = {row[-1]: row for row in answer.fetchall()}["found_1"]
    return Risk(found[1], 1, found[1] - 1, found[3] - 1, found[4] - 1)


def attacks(con: duckdb.DuckDBPyConnection) -> dict[str, Callable[[], Risk]]:
    """The attacks on the release `answered`."""
    about: dict[str, Any] = {"release": "answered", "targets": "asked", "id": "id", "controls": "out"}
    return {
        "linkage": lambda: risk(con, sqlanon.nearest_linkage(con, here=HERE, there=THERE, **about)),
        "inference": lambda: risk(con, sqlanon.nearest_inference(
            con, columns=QI, sensitive=SENSITIVE, truth=SENSITIVE, **about
        )),
        "singling": lambda: singling_out(con, about),
        "membership": lambda: membership(con),
    }  # fmt: skip


def accepted(found: Mapping[str, Mapping[str, Risk]]) -> list[tuple[str, bool]]:
    """What must come out, and whether it does. found: by release, by attack."""

    def weaker(one: str, other: str) -> bool:
        """Is nothing of one above the other, apart from chance?"""
        return all(found[one][attack].low <= found[other][attack].high for attack in found[one])

    return [
        *((f"a copy is above everything else, intervals apart, by {attack}", all(
            own.low > found[name][attack].high for name in found if name != "copy"
        )) for attack, own in found["copy"].items()),
        ("0 is inside every interval of other people's release", all(
            each.low <= 0 <= each.high for each in found["other people"].values()
        )),
        *((f"{one} is not above {other}", weaker(one, other)) for one, other in PAIRED.items()),
    ]  # fmt: skip


def compared(con: duckdb.DuckDBPyConnection, python: str, folder: Path, releases: Sequence[str]) -> bool:
    """Beside CategoricalCAP of sdmetrics, where values are of the same form, and times of other tools. Is it
    the same for all releases?"""
    title("Beside sdmetrics and scikit-learn: what agreeing rows tell, and processor seconds")
    for name in releases:
        con.execute(
            f"""copy (select {", ".join(COLUMNS)} from "{name}") to '{folder}/{name}.csv'"""
        ).fetchall()
    told = json.loads(run(python, "scores", str(folder), SENSITIVE, ",".join(QI)))
    agrees = []
    for name in releases:
        start = time.process_time()
        answer = sqlanon.agreeing_rows(con, "original", name, QI, SENSITIVE)
        own = {row[-1]: row[1] for row in answer.fetchall()}["attribution"]
        middle = time.process_time()
        sqlanon.nearest_inference(con, name, "original", "id", QI, SENSITIVE).fetchall()
        end = time.process_time()
        other = told[name]
        cap = 100 * (1 - other["cap"])
        slower = other["cap_seconds"] / (middle - start)
        nearest = other["neighbor_seconds"] / (end - middle)
        agrees.append(abs(own - cap) < 1e-6)
        print(
            f"  {name:<26} attribution {own:6.2f} %, 1 - CategoricalCAP {cap:6.2f} %: "
            f"{'the same' if agrees[-1] else 'not the same'}"
        )
        print(
            f"  {'':<26} {middle - start:.2f} s, sdmetrics {slower:.1f} times that; nearest rows "
            f"{end - middle:.2f} s, scikit-learn {nearest:.2f} times that",
            flush=True,
        )
    return all(agrees)


def run(python: str, *arguments: str) -> str:
    """What benchmarks/other_tools.py prints in another environment."""
    script = str(Path(__file__).with_name("other_tools.py"))
    return subprocess.run([python, script, *arguments], check=True, capture_output=True, text=True).stdout


def add_synthetic(con: duckdb.DuckDBPyConnection, python: str, folder: Path) -> str:
    """A release of a Gaussian copula, by the package copulas."""
    columns = ", ".join(COLUMNS)
    con.execute(f"copy (select {columns} from original) to '{folder}/original.csv'").fetchall()
    run(python, "synthetic", f"{folder}/original.csv", f"{folder}/made.csv", "1")
    con.execute(
        f"""create or replace table "Gaussian copula" as from read_csv('{folder}/made.csv')"""
    ).fetchall()
    (folder / "made.csv").unlink()
    return "Gaussian copula"


def of_distinct_rows(people: int) -> None:
    """nearest_linkage with so many distinct targets and rows: Adult's, with two numbers more in each half,
    and noise in all five numbers of the release."""
    with duckdb.connect() as con:
        sqlanon.register(con)
        adult(con)
        con.execute("set memory_limit = '7GB'").fetchall()
        numbers = ["h1", "h2", "t1", "t2"]
        drawn = ", ".join(f"(hash(i, {n}) % 1000003)::int as {name}" for n, name in enumerate(numbers))
        noisy = ", ".join(
            f"{name} + (hash(id, {n}, 1) % 20001)::int as {name}" for n, name in enumerate(numbers)
        )
        con.execute(
            f"""create table known as
            select i as id, adult.* exclude (id), {drawn}
            from range({people}) as person(i) join adult on adult.id = 1 + hash(i, 'row') % 30162;
            create table answered as
            select * replace ((age + hash(id, 'age') % 11)::int as age, {noisy}) from known"""
        ).fetchall()
        start = time.process_time()
        answer = sqlanon.nearest_linkage(
            con, "answered", "known", "id", [*HERE, *numbers[:2]], [*THERE, *numbers[2:]]
        )
        [(finished,)] = answer.aggregate("count(*) filter (not unfinished)").fetchall()
        seconds = time.process_time() - start
        title(f"nearest_linkage of {people:,} distinct people and as many distinct rows")
        print(f"  finished {finished:,} of {people:,}, {seconds:.0f} s of processor time")


def main() -> None:
    if distinct := int(option("distinct", "0")):
        of_distinct_rows(distinct)
        return
    people, python = int(option("people", str(at_most(30_000) // 2))), option("python", "")
    with duckdb.connect() as con, TemporaryDirectory() as temporary:
        sqlanon.register(con)
        table, other_people = adult(con), adult_test(con)
        title(f"Releases of {people:,} people, against as many of {other_people} ({table})")
        releases, folder = load(con, people), Path(temporary)
        if python:
            releases.append(add_synthetic(con, python, folder))
        print("  success in the release, on controls, risk beyond these [95 % interval]")
        found: dict[str, dict[str, Risk]] = {}
        for name in releases:
            con.execute(f'create or replace temp view answered as from "{name}"').fetchall()
            found[name] = {}
            for attack, make in attacks(con).items():
                start = time.process_time()
                found[name][attack] = make()
                seconds = time.process_time() - start
                called = name if len(found[name]) == 1 else ""
                print(f"  {called:<26} {attack:<10} {found[name][attack]!s:<72} {seconds:6.1f} s", flush=True)
        stated = accepted(found)
        if python:
            same_form = ["copy", "other people", "PRAM, 90 % stay", "PRAM, 50 % stay", "Gaussian copula"]
            agrees = compared(con, python, folder, same_form)
            stated.append(("CategoricalCAP of sdmetrics agrees, where values are of the same form", agrees))
        title("The de Finetti attack on all people: 1 / l as the release says, and what is right")
        for l in (2, 3, 4, 5):
            sqlanon.anatomize(
                con, "adult", qi=QI, sensitive=SENSITIVE, l=l, seed=1, into="bucketed", replace=True
            )
            alone = con.sql(f"select * from adult qualify count(*) over (partition by {', '.join(QI)}) = 1")
            start = time.perf_counter()
            answer = sqlanon.de_finetti(
                con, "bucketed", alone, "id", QI, SENSITIVE, 20, bucket="bucket", truth=SENSITIVE
            )
            print(f"  anatomize, l = {l}, people who are one row {told(con, answer, start)}", flush=True)
        for l in (2, 3, 4, 5):
            sqlanon.mondrian(
                con, "adult", qi=QI, sensitive=SENSITIVE, k=5, l=l, seed=1, into="classes", replace=True
            )
            start = time.perf_counter()
            answer = sqlanon.de_finetti(con, "classes", "adult", "id", QI, SENSITIVE, 20, truth=SENSITIVE)
            print(f"  Mondrian, k = 5, l = {l}                    {told(con, answer, start)}", flush=True)
        title("What must come out")
        for text, holds in stated:
            print(f"  {'holds' if holds else 'DOES NOT HOLD'}: {text}")


def told(con: duckdb.DuckDBPyConnection, answer: duckdb.DuckDBPyRelation, start: float) -> str:
    seconds = time.perf_counter() - start
    found = {row[-1]: row for row in sqlanon.attack_summary(con, answer).fetchall()}
    share = f"{found['baseline'][1]:5.1f} %, right {found['right'][1]:5.1f} %"
    return f"{share} of {found['subjects'][1]:,.0f} {seconds:6.1f} s"
