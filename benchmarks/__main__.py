"""`python -m benchmarks [mondrian] [privacy] [full_domain] [mu_argus] [microaggregate] [risk] [utility] [attack] [report] [memory]`: what it costs, as ratios within one run."""

from __future__ import annotations

import importlib
import sys

import duckdb

ALL = (
    "mondrian",
    "privacy",
    "full_domain",
    "mu_argus",
    "microaggregate",
    "risk",
    "utility",
    "attack",
    "report",
    "memory",
)

chosen = sys.argv[1:] or ALL
if unknown := set(chosen) - set(ALL):
    sys.exit(f"no benchmark {', '.join(sorted(unknown))}: there are {', '.join(ALL)}")
print(f"DuckDB {duckdb.__version__}")
for name in chosen:
    importlib.import_module(f"benchmarks.{name}").main()
