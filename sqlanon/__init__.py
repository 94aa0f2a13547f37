"""sqlanon: anonymize tables inside DuckDB, check the result with a query, and attack it with a join."""

from sqlanon.errors import InputError, SqlanonError, SqlError, VerificationError
from sqlanon.library import read_library, register, unregister
from sqlanon.measures import breaches, classes, intersection_attack, locate, privacy, violations
from sqlanon.mondrian import mondrian
from sqlanon.release import Release

__version__ = "0.1.0"

__all__ = [
    "InputError",
    "Release",
    "SqlError",
    "SqlanonError",
    "VerificationError",
    "breaches",
    "classes",
    "intersection_attack",
    "locate",
    "mondrian",
    "privacy",
    "read_library",
    "register",
    "unregister",
    "violations",
]
