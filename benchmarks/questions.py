"""Questions to a release of Adult: `python -m benchmarks questions [--questions=N]`, N random ones (1000).

How much CPU a question takes, whether the truth is between its bounds, and how far estimates are from it,
beside what noise would do: at epsilon 1 for each question, and at epsilon 1 for all of them. Some rows are
suppressed, some values missing, and people have up to three rows.
"""

from __future__ import annotations

import math
import random
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import duckdb

import sqlanon
from benchmarks.tables import QI, SENSITIVE, adult
from benchmarks.timing import option, title
from sqlanon.answers.asking import Asking
from sqlanon.core.statements import execute, named_table, select
from sqlanon.publishing.register import opened

SUPPRESSED = 60  # rows
AGES = (17, 90)
COSTS = (-500.0, 1000.0)
# What is asked for; every other question is the first.
COUNT = "count(*)"
OTHERS = (
    "sum(cost)", "avg(cost)", "count(distinct person)", "count(cost)", "count(workclass)",
    "count(*) filter (where sex = 'Male') / count(*)",
)  # fmt: skip
FEW = 20  # rows; of smaller counts a relative error says little


def released(con: duckdb.DuckDBPyConnection, folder: Path, k: int) -> Path:
    """The policy of a release of Adult that is out by a register."""
    con.execute("create or replace table part as from adult order by hash(id, 59)")
    con.execute(f"delete from part where rowid < {SUPPRESSED}")
    made = sqlanon.mondrian(con, "part", qi=QI, sensitive=SENSITIVE, keep=["cost", "person"], k=k)
    register = folder / f"out_{k}.duckdb"
    with opened(con, register, make=True) as known:
        entry = {
            "name": f"adult_{k}", "status": "out", "is_foreign": False, "qi": QI, "sensitive": [SENSITIVE],
            "nearest": False, "formats": {}, "row_count": made.rows, "suppressed_rows": SUPPRESSED,
            "method": "mondrian", "policy": "[masks.person]\nmethod = 'hash'", "parameters": "{}",
        }  # fmt: skip
        hashed = "* replace (md5(person::varchar) as person)"
        known.enter(entry, select(named_table(made.table), hashed))
    lines = ["[answers]", f'register = "{register.name}"', f'release = "adult_{k}"', 'table = "adult"',
             'unit = "person"', "[answers.measures]",
             f"cost = [{COSTS[0]}, {COSTS[1]}]", "[answers.dimensions.age]",
             'type = "integer"', f"range = [{AGES[0]}, {AGES[1]}]"]  # fmt: skip
    for name in (*QI, SENSITIVE):
        if name != "age":
            values = [
                value for (value,) in con.execute(f"select distinct {name} from adult order by 1").fetchall()
            ]
            listed = ", ".join(f'"{value}"' for value in values if value is not None)
            lines += [f"[answers.dimensions.{name}]", f"values = [{listed}]"]
    policy = folder / f"answers_{k}.toml"
    policy.write_text("\n".join(lines) + "\n")
    return policy


def condition(chance: random.Random, values: dict[str, list[str]], depth: int = 2) -> str:
    """A random condition of up to four parts."""
    if depth and chance.random() < 0.6:
        one, other = (condition(chance, values, depth - 1) for _ in range(2))
        return chance.choice(
            [f"({one} and {other})"] * 3
            + [f"({one} or {other})", f"({one} and not {other})", f"not ({one} or {other})"]
        )
    low = chance.randint(*AGES)
    name = chance.choice(["age", *values])
    if name == "age":
        high = low + chance.randint(5, 40)
        return chance.choice([f"age >= {low}", f"age < {low}", f"age between {low} and {high}"])
    some = chance.sample(values[name], min(len(values[name]), chance.choice([1, 1, 2, 4])))
    listed = ", ".join(f"'{value}'" for value in some)
    if chance.random() < 0.05:
        return chance.choice([f"{name} is null", f"{name} is not null"])
    return chance.choice([f"{name} in ({listed})", f"{name} not in ({listed})", f"{name} = '{some[0]}'"])


def main() -> None:
    with duckdb.connect() as con, TemporaryDirectory() as folder:
        sqlanon.register(con)
        about = adult(con)
        con.execute("update adult set workclass = null where id % 50 = 0")
        con.execute("alter table adult add column person integer")
        con.execute("alter table adult add column cost double")
        con.execute("update adult set person = hash(id, 1) % 15000, "
                    "cost = if(hash(id, 2) % 20 = 0, null, (hash(id, 3) % 1500)::integer - 500)")  # fmt: skip
        number = int(option("questions", "1000"))
        title(f"{number:,} random questions to a release of {about}; {SUPPRESSED} rows are suppressed")
        for k in (5, 25):
            policy = released(con, Path(folder), k)
            asking = Asking(policy)
            values = {
                name: [str(each) for each in dimension.domain or ()]
                for name, dimension in asking.dimensions.items() if name != "age"
            }  # fmt: skip
            chance = random.Random(59)
            seconds, others, errors, widths, noise, noise_of_all = (list[float]() for _ in range(6))
            outside = 0
            for nth in range(number):
                what = COUNT if nth % 2 == 0 else chance.choice(OTHERS)
                question = f"select {what} from adult where {condition(chance, values)}"
                start = time.process_time()
                [(lower, upper, estimate, *_)] = asking.ask(question)
                (seconds if what == COUNT else others).append(time.process_time() - start)
                [(true,)] = execute(con, question)
                if true is not None and not math.isnan(true):  # there is no mean or share of nobody
                    outside += not lower - 1e-6 <= true <= upper + 1e-6
                if what == COUNT and true >= FEW:
                    errors.append(abs(estimate - true) / true)
                    widths.append((upper - lower) / true)
                    laplace = -math.log(1 - chance.random())
                    noise.append(laplace / true)
                    noise_of_all.append(laplace * number / true)
            print(
                f"  Mondrian, k = {k}: {median(seconds) * 1000:.1f} ms of CPU (median), "
                f"{sorted(seconds)[int(len(seconds) * 0.95)] * 1000:.1f} (95 %); of sums, means, shares and "
                f"people {median(others) * 1000:.1f}; the truth is out of bounds in {outside} of {number:,}\n"
                f"    counts: median relative error of estimates {median(errors):.1%}, width of the bounds "
                f"{median(widths):.1%}; of noise at epsilon 1 for each question {median(noise):.2%}, for all "
                f"{number:,} together {median(noise_of_all):.0%}"
            )
            asking.con.close()
            assert not outside
