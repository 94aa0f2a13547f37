"""Exact answers about Adult: `python -m benchmarks exact_questions [--questions=N] [--threshold=N]
[--seconds=N]`, N random ones (25).

How many are answered whole, in part (some cells are hidden), with all cells hidden, and not at all, when each
is judged together with all before, and how much CPU a question takes: the first ones, and the last ones.
seconds: what judging may take for each answer (5); what is not found out in that time is refused.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import duckdb

import sqlanon
from benchmarks.tables import adult
from benchmarks.timing import option, title
from sqlanon.answers.ways import answer_of, asking_table
from sqlanon.core.errors import RefusedError
from sqlanon.core.statements import execute, render

GROUPS = ("", "sex", "race", "salary_class", "marital_status", "workclass", "education")
AGES = (17, 90)
OUTCOMES = ("whole", "in part", "hidden", "refused")
PART = 5  # questions whose median is shown


def policy(folder: Path, values: dict[str, list[str]], threshold: int) -> Path:
    lines = ["[answers]", 'way = "exact"', 'register = "told.duckdb"', 'table = "adult"',
             f"threshold = {threshold}", f"seconds = {option('seconds', '5')}", "[answers.dimensions.age]",
             'type = "integer"', f"range = [{AGES[0]}, {AGES[1]}]"]  # fmt: skip
    for name, known in values.items():
        listed = ", ".join(f'"{value}"' for value in known)
        lines += [f"[answers.dimensions.{name}]", f"values = [{listed}]"]
    file = folder / "exact.toml"
    file.write_text("\n".join(lines) + "\n")
    return file


def questions(chance: random.Random, values: dict[str, list[str]]) -> Iterator[str]:
    """Counts by up to two columns, of those who meet up to two conditions."""
    while True:
        known = [name for name in GROUPS if not name or name in values]
        by = [name for name in dict.fromkeys(chance.choices(known, k=2)) if name]
        conditions = []
        for name in chance.sample(["age", *values], chance.choice([0, 1, 1, 2])):
            if name == "age":
                conditions.append(f"age >= {10 * chance.randint(2, 6)}")
            elif name not in by:
                conditions.append(f"{name} = '{chance.choice(values[name])}'")
        where = f" where {' and '.join(conditions)}" if conditions else ""
        groups = f" group by {', '.join(by)}" if by else ""
        yield f"select {', '.join([*by, 'count(*) as n'])} from adult{where}{groups}"


def main() -> None:
    with duckdb.connect() as con, TemporaryDirectory() as folder:
        sqlanon.register(con)
        about = adult(con)
        number = int(option("questions", "3" if option("rows", "") else "25"))
        threshold = int(option("threshold", "10"))
        have = [name for name, *_ in con.execute("describe adult").fetchall()]
        values = {
            name: [value for (value,) in con.execute(
                f"select distinct {name}::text as value from adult where {name} is not null order by 1"
            ).fetchall()]
            for name in GROUPS if name in have
        }  # fmt: skip
        title(f"{number:,} random questions, answered exactly, at a threshold of {threshold}, to {about}")
        outcomes, seconds = Counter[str](), list[float]()
        asked = questions(random.Random(59), values)
        with asking_table(con, policy(Path(folder), values, threshold), "adult", None) as asking:
            for nth, question in zip(range(1, number + 1), asked, strict=False):
                start = time.process_time()
                try:
                    rows = execute(con, render(answer_of(asking, question)[0]))
                    is_told = any(value for *_, value, _, _ in rows)
                    hides = any(hidden for *_, hidden, _ in rows)
                    outcomes["in part" if hides and is_told else "hidden" if hides else "whole"] += 1
                except RefusedError:
                    outcomes["refused"] += 1
                seconds.append(time.process_time() - start)
                if nth in (PART, 10, 25, 50, 100, 250, 500, number // 2, number):
                    told = ", ".join(f"{outcomes[each]} {each}" for each in OUTCOMES)
                    print(
                        f"  of the first {nth}: {told}; CPU per question {median(seconds[-PART:]):.2f} s "
                        f"(median of the last {min(nth, PART)}; at most {max(seconds):.1f})",
                        flush=True,
                    )
