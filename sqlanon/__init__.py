"""sqlanon: anonymize tables inside DuckDB, check the result with a query, and attack it with a join."""

from sqlanon.anatomy import anatomize
from sqlanon.errors import InputError, SqlanonError, SqlError, VerificationError
from sqlanon.full_domain import datafly, generalize, optimal, samarati
from sqlanon.library import read_library, register, unregister
from sqlanon.measures import breaches, classes, intersection_attack, lattice, locate, privacy, violations
from sqlanon.mondrian import mondrian
from sqlanon.mu_argus import mu_argus
from sqlanon.release import Release

__version__ = "0.1.0"

__all__ = [
    "InputError",
    "Release",
    "SqlError",
    "SqlanonError",
    "VerificationError",
    "anatomize",
    "breaches",
    "classes",
    "datafly",
    "generalize",
    "intersection_attack",
    "lattice",
    "locate",
    "mondrian",
    "mu_argus",
    "optimal",
    "privacy",
    "read_library",
    "register",
    "samarati",
    "unregister",
    "violations",
]
