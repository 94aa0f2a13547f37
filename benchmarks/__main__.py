"""`python -m benchmarks [--long] [--rows=N] [--OPTION=VALUE...] [NAME...]`: what sqlanon costs, as ratios
within one run, and how well its attack is calibrated; without a name, all of it. --long: also what takes many
minutes. --rows: on that many rows of the data sets only, for a look whether a benchmark runs. Other options
belong to one benchmark, whose file tells them.

They need the extra `bench`, and use the public data sets where they are there (benchmarks/tables.py).
"""

from __future__ import annotations

import importlib
import os
import sys
import warnings

import duckdb

from sqlanon import SetsWarning

ALL = (
    "summary",
    "mondrian",
    "privacy",
    "people",
    "full_domain",
    "mu_argus",
    "microaggregate",
    "risk",
    "utility",
    "attack",
    "attacks",
    "any_release",
    "identifiers",
    "calibration",
    "priors",
    "forecast",
    "composed",
    "gate",
    "gate_at_scale",
    "m_invariance",
    "randomized",
    "questions",
    "exact_questions",
    "denials",
    "first_policies",
    "report",
    "scaling",
    "spark",
    "published_tables",
    "tables_together",
    "reconstruct",
    "planning",
)

chosen = [name for name in sys.argv[1:] if not name.startswith("--")] or ALL
if unknown := set(chosen) - set(ALL):
    sys.exit(f"no benchmark {', '.join(sorted(unknown))}: there are {', '.join(ALL)}")
warnings.simplefilter("ignore", SetsWarning)  # of native_country, each time
try:
    print(f"DuckDB {duckdb.__version__}")
    for name in chosen:
        importlib.import_module(f"benchmarks.{name}").main()
    sys.stdout.flush()
except BrokenPipeError:  # whoever read them has read enough, as head has
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what Python still writes at its end
