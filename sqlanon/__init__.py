"""sqlanon: anonymize tables inside DuckDB, check the result with a query, and attack it with a join."""

from sqlanon.anatomy import anatomize
from sqlanon.errors import InputError, SqlanonError, SqlError, VerificationError
from sqlanon.full_domain import datafly, generalize, optimal, samarati
from sqlanon.functions import register_functions
from sqlanon.k_similar import k_similar
from sqlanon.library import read_library, register, unregister
from sqlanon.masks import mask
from sqlanon.measures import (
    breaches,
    classes,
    disclosure,
    intersection_attack,
    lattice,
    locate,
    minimal_uniques,
    privacy,
    quasi_identifiers,
    record_linkage,
    record_risk,
    risk,
    suda,
    utility,
    violations,
)
from sqlanon.microaggregate import microaggregate
from sqlanon.mondrian import mondrian
from sqlanon.mu_argus import mu_argus
from sqlanon.perturbation import add_noise, bottom_code, pram, rank_swap, round_values, top_code
from sqlanon.release import Release
from sqlanon.report import Report, report

__version__ = "0.1.0"

__all__ = [
    "InputError",
    "Release",
    "Report",
    "SqlError",
    "SqlanonError",
    "VerificationError",
    "add_noise",
    "anatomize",
    "bottom_code",
    "breaches",
    "classes",
    "datafly",
    "disclosure",
    "generalize",
    "intersection_attack",
    "k_similar",
    "lattice",
    "locate",
    "mask",
    "microaggregate",
    "minimal_uniques",
    "mondrian",
    "mu_argus",
    "optimal",
    "pram",
    "privacy",
    "quasi_identifiers",
    "rank_swap",
    "read_library",
    "record_linkage",
    "record_risk",
    "register",
    "register_functions",
    "report",
    "risk",
    "round_values",
    "samarati",
    "suda",
    "top_code",
    "unregister",
    "utility",
    "violations",
]
