"""sqlanon: anonymize tables inside DuckDB, check the result with a query, and attack it with a join."""

from sqlanon.anonymize.anatomy import anatomize
from sqlanon.anonymize.full_domain import datafly, generalize, optimal, samarati
from sqlanon.anonymize.functions import register_functions
from sqlanon.anonymize.k_similar import k_similar
from sqlanon.anonymize.microaggregate import microaggregate
from sqlanon.anonymize.mondrian import mondrian
from sqlanon.anonymize.mu_argus import mu_argus
from sqlanon.attack.intersection import breaches, intersection_attack, locate
from sqlanon.core.errors import InputError, SqlanonError, SqlError, VerificationError
from sqlanon.core.library import read_library, register, unregister
from sqlanon.core.release import Release
from sqlanon.measure.disclosure import disclosure, record_linkage
from sqlanon.measure.loss import utility
from sqlanon.measure.models import classes, lattice, privacy, violations
from sqlanon.measure.risk import minimal_uniques, quasi_identifiers, record_risk, risk, suda
from sqlanon.pages.disclosure_report import Report, report
from sqlanon.perturb.masks import mask
from sqlanon.perturb.perturbation import add_noise, bottom_code, pram, rank_swap, round_values, top_code

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
