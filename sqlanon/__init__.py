"""sqlanon: anonymize tables inside DuckDB, check the result with a query, and attack it with a join."""

TYPE_CHECKING = False  # and true to type checkers: typing is slow to import

if TYPE_CHECKING:
    from sqlanon.anonymize.anatomy import anatomize as anatomize
    from sqlanon.anonymize.full_domain import datafly as datafly
    from sqlanon.anonymize.full_domain import generalize as generalize
    from sqlanon.anonymize.full_domain import optimal as optimal
    from sqlanon.anonymize.full_domain import samarati as samarati
    from sqlanon.anonymize.functions import register_functions as register_functions
    from sqlanon.anonymize.k_similar import k_similar as k_similar
    from sqlanon.anonymize.microaggregate import microaggregate as microaggregate
    from sqlanon.anonymize.mondrian import mondrian as mondrian
    from sqlanon.anonymize.mu_argus import mu_argus as mu_argus
    from sqlanon.attack.intersection import breaches as breaches
    from sqlanon.attack.intersection import intersection_attack as intersection_attack
    from sqlanon.attack.intersection import locate as locate
    from sqlanon.attack.intersection import unread_labels as unread_labels
    from sqlanon.core.errors import InputError as InputError
    from sqlanon.core.errors import SqlanonError as SqlanonError
    from sqlanon.core.errors import SqlError as SqlError
    from sqlanon.core.errors import UnreadWarning as UnreadWarning
    from sqlanon.core.errors import VerificationError as VerificationError
    from sqlanon.core.library import read_library as read_library
    from sqlanon.core.library import register as register
    from sqlanon.core.library import unregister as unregister
    from sqlanon.core.release import Release as Release
    from sqlanon.measure.disclosure import disclosure as disclosure
    from sqlanon.measure.disclosure import record_linkage as record_linkage
    from sqlanon.measure.loss import utility as utility
    from sqlanon.measure.models import classes as classes
    from sqlanon.measure.models import lattice as lattice
    from sqlanon.measure.models import privacy as privacy
    from sqlanon.measure.models import violations as violations
    from sqlanon.measure.risk import minimal_uniques as minimal_uniques
    from sqlanon.measure.risk import quasi_identifiers as quasi_identifiers
    from sqlanon.measure.risk import record_risk as record_risk
    from sqlanon.measure.risk import risk as risk
    from sqlanon.measure.risk import suda as suda
    from sqlanon.pages.disclosure_report import Report as Report
    from sqlanon.pages.disclosure_report import report as report
    from sqlanon.perturb.masks import mask as mask
    from sqlanon.perturb.perturbation import add_noise as add_noise
    from sqlanon.perturb.perturbation import bottom_code as bottom_code
    from sqlanon.perturb.perturbation import pram as pram
    from sqlanon.perturb.perturbation import rank_swap as rank_swap
    from sqlanon.perturb.perturbation import round_values as round_values
    from sqlanon.perturb.perturbation import top_code as top_code

__version__ = "0.1.0"

# Public names, and the modules they are in: each is imported when one of its names is first asked for.
_HOMES = {
    "InputError": "sqlanon.core.errors",
    "Release": "sqlanon.core.release",
    "Report": "sqlanon.pages.disclosure_report",
    "SqlError": "sqlanon.core.errors",
    "SqlanonError": "sqlanon.core.errors",
    "UnreadWarning": "sqlanon.core.errors",
    "VerificationError": "sqlanon.core.errors",
    "add_noise": "sqlanon.perturb.perturbation",
    "anatomize": "sqlanon.anonymize.anatomy",
    "bottom_code": "sqlanon.perturb.perturbation",
    "breaches": "sqlanon.attack.intersection",
    "classes": "sqlanon.measure.models",
    "datafly": "sqlanon.anonymize.full_domain",
    "disclosure": "sqlanon.measure.disclosure",
    "generalize": "sqlanon.anonymize.full_domain",
    "intersection_attack": "sqlanon.attack.intersection",
    "k_similar": "sqlanon.anonymize.k_similar",
    "lattice": "sqlanon.measure.models",
    "locate": "sqlanon.attack.intersection",
    "mask": "sqlanon.perturb.masks",
    "microaggregate": "sqlanon.anonymize.microaggregate",
    "minimal_uniques": "sqlanon.measure.risk",
    "mondrian": "sqlanon.anonymize.mondrian",
    "mu_argus": "sqlanon.anonymize.mu_argus",
    "optimal": "sqlanon.anonymize.full_domain",
    "pram": "sqlanon.perturb.perturbation",
    "privacy": "sqlanon.measure.models",
    "quasi_identifiers": "sqlanon.measure.risk",
    "rank_swap": "sqlanon.perturb.perturbation",
    "read_library": "sqlanon.core.library",
    "record_linkage": "sqlanon.measure.disclosure",
    "record_risk": "sqlanon.measure.risk",
    "register": "sqlanon.core.library",
    "register_functions": "sqlanon.anonymize.functions",
    "report": "sqlanon.pages.disclosure_report",
    "risk": "sqlanon.measure.risk",
    "round_values": "sqlanon.perturb.perturbation",
    "samarati": "sqlanon.anonymize.full_domain",
    "suda": "sqlanon.measure.risk",
    "top_code": "sqlanon.perturb.perturbation",
    "unread_labels": "sqlanon.attack.intersection",
    "unregister": "sqlanon.core.library",
    "utility": "sqlanon.measure.loss",
    "violations": "sqlanon.measure.models",
}

__all__ = list(_HOMES)


if not TYPE_CHECKING:  # for type checkers there are no other names than these

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        globals()[name] = getattr(import_module(_HOMES[name]), name)
        return globals()[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
