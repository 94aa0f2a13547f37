"""What a whole gate takes: every command on 100,000 and on a million people, in seconds and memory, beside a
GROUP BY of the same rows in the same run.

The people have an age, a postcode (one of 8,000), a sex, a job (60), an education (12), and one of 40
diseases, of which some are frequent. On each further night 5 % have left, as many have come, and a disease is
written anew. --rows=N: of so many people alone. --memory=SIZE: with this limit. --log: also what the commands
print. --long: also 10 million people, anonymized, checked and attacked.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb

from benchmarks.timing import LONG, option, title

PEOPLE = (100_000, 1_000_000)
LONG_PEOPLE = 10_000_000
QI = ("age", "zip", "sex", "job", "edu")
NIGHTS = 3

# Everybody's values, by a number. The diseases are as frequent as 1, 1/2, 1/3, ...
VALUES = """
    18 + hash(i * 8 + 1) % 72 as age, 10000 + hash(i * 8 + 2) % 8000 as zip,
    if(hash(i * 8 + 3) % 2 = 0, 'm', 'f') as sex, 'j' || hash(i * 8 + 4) % 60 as job,
    hash(i * 8 + 5) % 12 as edu,
    'd' || floor(40 ** (hash(i * 8 + 6) / 18446744073709551616.0))::integer as disease
"""
POLICY = """
confirmed = true

[roles]
identifier = ["id"]
qi = {qi}
sensitive = ["disease"]

[requirements]
k = 5
l = 3

[method]
name = "mondrian"

[tolerated.intersection_attack]
sure_90 = 60
[tolerated.exact_cover]
certain = 60
[tolerated.homogeneity]
certain = 0
[tolerated.complementary_release]
certain = 100
[tolerated.unsorted_matching]
certain = 60
[tolerated.skyline]
certain = 100
[tolerated.background_knowledge]
certain = 100
"""


@dataclass(frozen=True)
class Took:
    """What a command took: seconds, seconds of CPU, and its peak of memory in GB. code: as it ended."""

    seconds: float
    cpu: float
    peak: float
    code: int


def run(*command: str, folder: Path) -> Took:
    """Run sqlanon in a process of its own."""
    limit = option("memory", "")
    begun = time.perf_counter()
    with (folder / "log.txt").open("ab") as log:
        made = os.posix_spawn(
            sys.executable,
            [sys.executable, "-m", "sqlanon", *command, *(["--memory", limit] if limit else [])],
            os.environ,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, log.fileno(), 1), (os.POSIX_SPAWN_DUP2, log.fileno(), 2),
            ],
        )  # fmt: skip
        _, status, usage = os.wait4(made, 0)
    seconds = time.perf_counter() - begun
    cpu = usage.ru_utime + usage.ru_stime
    return Took(seconds, cpu, usage.ru_maxrss / 1024**2, os.waitstatus_to_exitcode(status))


def write_nights(people: int, folder: Path) -> float:
    """A table for each night: seconds of a GROUP BY of the first one."""
    with duckdb.connect() as con:
        for night in range(NIGHTS):
            first = people * night // 20
            word = f"if(disease = 'd{7 + night}', 'D {7 + night}', disease)" if night else "disease"
            con.execute(
                f"copy (select i as id, * replace ({word} as disease) "
                f"from (select i, {VALUES} from range({first}, {first + people}) as person(i))) "
                f"to '{folder / f'night_{night + 1}.csv'}'"
            ).fetchall()
        con.execute(
            f"copy (select * replace (10000 + hash(id * 8 + 2) % 90000 as zip) from "
            f"'{folder / 'night_1.csv'}') to '{folder / 'postcodes.csv'}'"
        ).fetchall()
        begun = time.perf_counter()
        columns = ", ".join(QI)
        con.execute(
            f"create table grouped as select {columns}, disease, count(*) as n "
            f"from '{folder / 'night_1.csv'}' group by all"
        ).fetchall()
        return time.perf_counter() - begun


def commands(folder: Path, *, is_long: bool) -> Sequence[tuple[str, Sequence[str]]]:
    """The commands, by what they are called."""
    place = str(folder) + "/"
    first, second = f"{place}night_1.csv", f"{place}night_2.csv"
    qi, policy, register = ",".join(QI), f"{place}policy.toml", f"{place}register.duckdb"
    about = ["--qi", qi, "--sensitive", "disease"]
    few = ["--qi", "age,zip,sex"]
    made = {name: f"{place}{name}.csv" for name in ("mondrian", "with_l", "second", "optimal", "micro")}
    asked = [*about, "--targets", first, "--id", "id"]
    every: list[tuple[str, Sequence[str]]] = [
        ("init", ["init", first, "-o", f"{place}init.toml"]),
        ("check", ["check", first, *about, "--k", "5", "--l", "3"]),
        ("risk", ["risk", first, "--qi", qi]),
        ("anonymize, k", ["anonymize", first, *about, "--k", "5", "-o", made["mondrian"]]),
        ("anonymize, k and l", ["anonymize", first, *about, "--k", "5", "--l", "3", "-o", made["with_l"]]),
        ("90,000 postcodes", ["anonymize", f"{place}postcodes.csv", *about, "--k", "5", "--l", "3",
                              "-o", f"{place}many.csv"]),
        ("optimal", ["anonymize", first, "--method", "optimal", "--policy", f"{place}optimal.toml",
                     "-o", made["optimal"]]),
        ("microaggregate", ["anonymize", first, "--method", "microaggregate", *few, "--sensitive", "disease",
                            "--k", "5", "-o", made["micro"]]),
        ("utility", ["utility", first, made["with_l"], *about]),
        ("report", ["report", made["with_l"], "--original", first, *about, "-o", f"{place}report.html"]),
        ("attack, one release", ["attack", made["with_l"], *asked]),
        ("another night", ["anonymize", second, *about, "--k", "5", "--l", "3", "-o", made["second"]]),
        ("attack, two releases", ["attack", made["with_l"], made["second"], *asked]),
    ]  # fmt: skip
    if is_long:
        wanted = {"check", "anonymize, k", "anonymize, k and l", "attack, one release"}
        return [each for each in every if each[0] in wanted]
    for night in range(1, NIGHTS + 1):
        every.append((
            f"publish, night {night}",
            ["publish", f"{place}night_{night}.csv", "--policy", policy, "--register", register,
             "-o", f"{place}out_{night}.csv", *ACCEPTED],
        ))  # fmt: skip
    every.append((
        "audit", ["audit", register, "--targets", f"{place}night_{NIGHTS}.csv", "--policy", policy,
                  "-o", f"{place}audit.html", *ACCEPTED],
    ))  # fmt: skip
    return every


ACCEPTED = [
    "--accept", "evidence.spelling=a disease has another name from now on",
    "--accept", "evidence.leavers=they were told",
    "--accept", "evidence.located=so were they",
]  # fmt: skip


def main() -> None:
    given = option("rows", "")
    sizes = (int(given),) if given else PEOPLE
    for people in (*sizes, *([LONG_PEOPLE] if LONG in sys.argv else [])):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            grouped = write_nights(people, folder)
            (folder / "policy.toml").write_text(POLICY.format(qi=list(QI)))
            (folder / "optimal.toml").write_text(optimal_policy())
            title(f"{people:,} people; GROUP BY of the same rows: {grouped:.1f} s")
            print(f"  {'':<22} {'seconds':>9} {'CPU':>9} {'GB':>6} {'x GROUP BY':>11}")
            for called, command in commands(folder, is_long=people == LONG_PEOPLE):
                took = run(*command, folder=folder)
                told = "" if took.code == 0 else f"  exit code {took.code}"
                print(
                    f"  {called:<22} {took.seconds:>9.1f} {took.cpu:>9.1f} {took.peak:>6.2f}"
                    f" {took.seconds / grouped:>11.0f}{told}",
                    flush=True,
                )
            if "--log" in sys.argv:
                print((folder / "log.txt").read_text())


def optimal_policy() -> str:
    """Full-domain generalization needs hierarchies."""
    roles = POLICY.format(qi=["age", "zip", "sex"]).split("[method]")[0]
    return (
        roles
        + """
[hierarchies.age]
builder = "interval"
widths = [5, 10, 20, 40]
[hierarchies.zip]
builder = "interval"
widths = [10, 100, 1000]
[method]
name = "optimal"
suppression_limit = 0.02
"""
    )
