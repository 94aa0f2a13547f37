"""How often gate, audit and report were right on random nights: `python -m tests.judge.figures [FIRST LAST]`.

Without numbers it plays 20 of them, in which everything occurs.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import duckdb

import sqlanon
from tests.judge.nights import Nights
from tests.judge.scenarios import scenario
from tests.judge.test_random_nights import Play

TWENTY = (11, 35, 37, 38, 56, 79, 100, 123, 131, 140, 155, 220, 229, 232, 238, 252, 253, 258, 270, 299)


def figures(seeds: Iterable[int]) -> Counter[str]:
    """Numbers of nights and verdicts: by who said them and what, and wrong ones."""
    counted: Counter[str] = Counter()
    con = duckdb.connect()
    sqlanon.register(con)
    for seed in seeds:
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            play = Play(Nights(con, Path(folder)), scenario(seed), {}, [], [], [])
            play.go()
        counted["nights"] += 1
        counted["disagreements"] += len(play.disagreements)
        for said in play.said:
            counted[f"{said.by.split()[0]}: {said.made.verdict}"] += 1
            counted["verdicts"] += 1
            counted["wrong"] += not said.is_right
    return counted


if __name__ == "__main__":
    os.environ["SQLANON_KEY"] = "0123456789abcdef"
    ends = [int(number) for number in sys.argv[1:]]
    for what, number in sorted(figures(range(ends[0], ends[-1] + 1) if ends else TWENTY).items()):
        print(f"{number:6} {what}")
