"""Reconstruction: how many rows come back from 1 to 10 exact three-way tables of small blocks of Adult.

Beside what is certain: the rows of one set that agrees, and a guess by marginals. A block is drawn at random.

--blocks=10 --people=30: blocks, and people in each. --picture=FILE.svg: the means as a picture (pip install
'sqlanon[report]').
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import duckdb

import sqlanon
from benchmarks.tables import adult
from benchmarks.timing import option, title
from sqlanon.experiments.reconstruction import SERIES, THREE, back, block, means, picture


def main() -> None:
    blocks, people = int(option("blocks", "10")), int(option("people", "30"))
    found: list[dict[str, Any]] = []
    busy = time.process_time()
    with duckdb.connect() as con:
        sqlanon.register_functions(con)
        source = adult(con)
        title(f"{blocks} blocks of {people} people of {source}: rows that 1 to {len(THREE)} tables give back")
        for number in range(blocks):
            found += back(con, block(con, number, people), people)
    print("  tables     blocks   " + "   ".join(SERIES.values()))
    of_blocks = means(found)
    for each in of_blocks:
        shares = "   ".join(f"{each[name]:>{len(told)}.1%}" for name, told in SERIES.items())
        print(f"  {each['out']:>6} {each['blocks']:>10}   {shares}")
    unfinished = sum(each["unfinished"] for each in found)
    print(f"  unfinished {unfinished} of {len(found)}; {time.process_time() - busy:.0f} s of processor time")
    if file := option("picture", ""):
        draw(of_blocks, Path(file))


def draw(of_blocks: list[dict[str, Any]], file: Path) -> None:
    """Tables that are out, and the rows that come back."""
    from sqlanon.pages.vega import specified, svg

    told = "Rows of small blocks that come back, by the number of three-way tables"
    file.write_text(svg(specified(picture(of_blocks), 420, 240, told)))
    print(f"  {file}")
