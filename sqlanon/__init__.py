"""sqlanon: anonymize tables inside DuckDB, check the result with a query, and attack it with a join."""

TYPE_CHECKING = False  # and true to type checkers: typing is slow to import

if TYPE_CHECKING:
    from sqlanon.anonymize.anatomy import anatomize as anatomize
    from sqlanon.anonymize.full_domain import datafly as datafly
    from sqlanon.anonymize.full_domain import generalize as generalize
    from sqlanon.anonymize.full_domain import optimal as optimal
    from sqlanon.anonymize.full_domain import samarati as samarati
    from sqlanon.anonymize.functions import register_functions as register_functions
    from sqlanon.anonymize.hierarchies import complete_hierarchies as complete_hierarchies
    from sqlanon.anonymize.hierarchies import date_hierarchy as date_hierarchy
    from sqlanon.anonymize.hierarchies import flat_hierarchy as flat_hierarchy
    from sqlanon.anonymize.hierarchies import interval_hierarchy as interval_hierarchy
    from sqlanon.anonymize.hierarchies import lacking_values as lacking_values
    from sqlanon.anonymize.hierarchies import mask_hierarchy as mask_hierarchy
    from sqlanon.anonymize.hierarchies import read_hierarchy as read_hierarchy
    from sqlanon.anonymize.hierarchies import wide_hierarchy as wide_hierarchy
    from sqlanon.anonymize.k_similar import k_similar as k_similar
    from sqlanon.anonymize.microaggregate import microaggregate as microaggregate
    from sqlanon.anonymize.mondrian import mondrian as mondrian
    from sqlanon.anonymize.mu_argus import mu_argus as mu_argus
    from sqlanon.anonymize.recode import recode as recode
    from sqlanon.anonymize.recode import scheme_of_cuts as scheme_of_cuts
    from sqlanon.anonymize.recode import scheme_of_levels as scheme_of_levels
    from sqlanon.attack.all_attacks import run_attacks as run_attacks
    from sqlanon.attack.attacks import attack_summary as attack_summary
    from sqlanon.attack.attacks import attacks as attacks
    from sqlanon.attack.background_knowledge import background_knowledge as background_knowledge
    from sqlanon.attack.background_knowledge import homogeneity as homogeneity
    from sqlanon.attack.background_knowledge import maximum_disclosure as maximum_disclosure
    from sqlanon.attack.complementary_release import complementary_release as complementary_release
    from sqlanon.attack.correspondence import correspondence as correspondence
    from sqlanon.attack.correspondence import insert_only as insert_only
    from sqlanon.attack.de_finetti import de_finetti as de_finetti
    from sqlanon.attack.differencing import differencing as differencing
    from sqlanon.attack.downcoding import downcoding as downcoding
    from sqlanon.attack.exact_cover import exact_cover as exact_cover
    from sqlanon.attack.forecast import expected_breaches as expected_breaches
    from sqlanon.attack.forecast import forecast as forecast
    from sqlanon.attack.forecast import simulated_breaches as simulated_breaches
    from sqlanon.attack.intersection import breaches as breaches
    from sqlanon.attack.intersection import covers as covers
    from sqlanon.attack.intersection import intersection_attack as intersection_attack
    from sqlanon.attack.intersection import locate as locate
    from sqlanon.attack.intersection import unread_labels as unread_labels
    from sqlanon.attack.joined_releases import joined_releases as joined_releases
    from sqlanon.attack.linking import linking as linking
    from sqlanon.attack.minimality import minimality as minimality
    from sqlanon.attack.nearest import nearest_inference as nearest_inference
    from sqlanon.attack.nearest import nearest_linkage as nearest_linkage
    from sqlanon.attack.noisy_counts import noisy_counts_attack as noisy_counts_attack
    from sqlanon.attack.skyline import skyline as skyline
    from sqlanon.attack.trails import trails as trails
    from sqlanon.attack.unsorted_matching import unsorted_matching as unsorted_matching
    from sqlanon.core.errors import InputError as InputError
    from sqlanon.core.errors import LeavingWarning as LeavingWarning
    from sqlanon.core.errors import RefusedError as RefusedError
    from sqlanon.core.errors import SqlanonError as SqlanonError
    from sqlanon.core.errors import SqlError as SqlError
    from sqlanon.core.errors import UnreadWarning as UnreadWarning
    from sqlanon.core.errors import VerificationError as VerificationError
    from sqlanon.core.library import read_library as read_library
    from sqlanon.core.library import register as register
    from sqlanon.core.library import unregister as unregister
    from sqlanon.core.release import Release as Release
    from sqlanon.core.shown import show_values as show_values
    from sqlanon.measure.disclosure import disclosure as disclosure
    from sqlanon.measure.disclosure import record_linkage as record_linkage
    from sqlanon.measure.leaving import identifiers as identifiers
    from sqlanon.measure.leaving import leaving_columns as leaving_columns
    from sqlanon.measure.loss import count_errors as count_errors
    from sqlanon.measure.loss import dominated as dominated
    from sqlanon.measure.loss import utility as utility
    from sqlanon.measure.models import classes as classes
    from sqlanon.measure.models import lattice as lattice
    from sqlanon.measure.models import privacy as privacy
    from sqlanon.measure.models import violations as violations
    from sqlanon.measure.models import wildcard_frequencies as wildcard_frequencies
    from sqlanon.measure.people import people_in_classes as people_in_classes
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
    from sqlanon.publishing.auditing import Audit as Audit
    from sqlanon.publishing.auditing import Located as Located
    from sqlanon.publishing.auditing import add_release as add_release
    from sqlanon.publishing.auditing import audit as audit
    from sqlanon.publishing.auditing import forget_people as forget_people
    from sqlanon.publishing.auditing import locate_in_releases as locate_in_releases
    from sqlanon.publishing.auditing import map_release as map_release
    from sqlanon.publishing.auditing import propose_mappings as propose_mappings
    from sqlanon.publishing.auditing import releases as releases
    from sqlanon.publishing.auditing import withdraw_release as withdraw_release
    from sqlanon.publishing.frontier import Frontier as Frontier
    from sqlanon.publishing.frontier import frontier as frontier
    from sqlanon.publishing.gate import Publication as Publication
    from sqlanon.publishing.gate import publish as publish
    from sqlanon.publishing.m_invariance import m_invariance as m_invariance
    from sqlanon.publishing.m_invariant import m_invariant as m_invariant
    from sqlanon.randomize.composition import composed_privacy as composed_privacy
    from sqlanon.randomize.cost import Cost as Cost
    from sqlanon.randomize.ledger import budgets as budgets
    from sqlanon.randomize.ledger import set_budget as set_budget
    from sqlanon.randomize.releases import RandomizedRelease as RandomizedRelease
    from sqlanon.randomize.releases import debiased_counts as debiased_counts
    from sqlanon.randomize.releases import dp_bounds as dp_bounds
    from sqlanon.randomize.releases import dp_contingency as dp_contingency
    from sqlanon.randomize.releases import dp_counts as dp_counts
    from sqlanon.randomize.releases import dp_histogram as dp_histogram
    from sqlanon.randomize.releases import dp_means as dp_means
    from sqlanon.randomize.releases import dp_microaggregate as dp_microaggregate
    from sqlanon.randomize.releases import dp_quantiles as dp_quantiles
    from sqlanon.randomize.releases import dp_sums as dp_sums
    from sqlanon.randomize.releases import dp_top as dp_top
    from sqlanon.randomize.releases import dp_wavelet as dp_wavelet
    from sqlanon.randomize.releases import randomized_response as randomized_response
    from sqlanon.randomize.releases import sampled_k_anonymity as sampled_k_anonymity
    from sqlanon.randomize.releases import sampled_k_anonymity_privacy as sampled_k_anonymity_privacy
    from sqlanon.randomize.semantics import indistinguishability as indistinguishability
    from sqlanon.randomize.semantics import semantic_bounds as semantic_bounds
    from sqlanon.randomize.semantics import semantic_privacy as semantic_privacy
    from sqlanon.randomize.semantics import uncertain_counts as uncertain_counts
    from sqlanon.tables.bounds import cell_bounds as cell_bounds
    from sqlanon.tables.cells import table_cells as table_cells
    from sqlanon.tables.cells import unsafe_cells as unsafe_cells
    from sqlanon.tables.rounding import round_cells as round_cells
    from sqlanon.tables.suppress import suppress_cells as suppress_cells

__version__ = "0.1.0"

# Public names, and the modules they are in: each is imported when one of its names is first asked for.
_HOMES = {
    "Cost": "sqlanon.randomize.cost",
    "RandomizedRelease": "sqlanon.randomize.releases",
    "Audit": "sqlanon.publishing.auditing",
    "InputError": "sqlanon.core.errors",
    "Located": "sqlanon.publishing.auditing",
    "Frontier": "sqlanon.publishing.frontier",
    "Publication": "sqlanon.publishing.gate",
    "RefusedError": "sqlanon.core.errors",
    "Release": "sqlanon.core.release",
    "Report": "sqlanon.pages.disclosure_report",
    "SqlError": "sqlanon.core.errors",
    "SqlanonError": "sqlanon.core.errors",
    "LeavingWarning": "sqlanon.core.errors",
    "UnreadWarning": "sqlanon.core.errors",
    "VerificationError": "sqlanon.core.errors",
    "add_release": "sqlanon.publishing.auditing",
    "forget_people": "sqlanon.publishing.auditing",
    "map_release": "sqlanon.publishing.auditing",
    "propose_mappings": "sqlanon.publishing.auditing",
    "add_noise": "sqlanon.perturb.perturbation",
    "anatomize": "sqlanon.anonymize.anatomy",
    "attack_summary": "sqlanon.attack.attacks",
    "attacks": "sqlanon.attack.attacks",
    "audit": "sqlanon.publishing.auditing",
    "background_knowledge": "sqlanon.attack.background_knowledge",
    "bottom_code": "sqlanon.perturb.perturbation",
    "budgets": "sqlanon.randomize.ledger",
    "breaches": "sqlanon.attack.intersection",
    "cell_bounds": "sqlanon.tables.bounds",
    "classes": "sqlanon.measure.models",
    "composed_privacy": "sqlanon.randomize.composition",
    "complementary_release": "sqlanon.attack.complementary_release",
    "correspondence": "sqlanon.attack.correspondence",
    "count_errors": "sqlanon.measure.loss",
    "datafly": "sqlanon.anonymize.full_domain",
    "de_finetti": "sqlanon.attack.de_finetti",
    "differencing": "sqlanon.attack.differencing",
    "dp_bounds": "sqlanon.randomize.releases",
    "dp_contingency": "sqlanon.randomize.releases",
    "dp_counts": "sqlanon.randomize.releases",
    "dp_histogram": "sqlanon.randomize.releases",
    "dp_means": "sqlanon.randomize.releases",
    "dp_microaggregate": "sqlanon.randomize.releases",
    "dp_quantiles": "sqlanon.randomize.releases",
    "dp_sums": "sqlanon.randomize.releases",
    "debiased_counts": "sqlanon.randomize.releases",
    "dp_top": "sqlanon.randomize.releases",
    "dp_wavelet": "sqlanon.randomize.releases",
    "randomized_response": "sqlanon.randomize.releases",
    "sampled_k_anonymity": "sqlanon.randomize.releases",
    "sampled_k_anonymity_privacy": "sqlanon.randomize.releases",
    "dominated": "sqlanon.measure.loss",
    "downcoding": "sqlanon.attack.downcoding",
    "disclosure": "sqlanon.measure.disclosure",
    "expected_breaches": "sqlanon.attack.forecast",
    "forecast": "sqlanon.attack.forecast",
    "frontier": "sqlanon.publishing.frontier",
    "generalize": "sqlanon.anonymize.full_domain",
    "homogeneity": "sqlanon.attack.background_knowledge",
    "identifiers": "sqlanon.measure.leaving",
    "indistinguishability": "sqlanon.randomize.semantics",
    "insert_only": "sqlanon.attack.correspondence",
    "intersection_attack": "sqlanon.attack.intersection",
    "joined_releases": "sqlanon.attack.joined_releases",
    "k_similar": "sqlanon.anonymize.k_similar",
    "lattice": "sqlanon.measure.models",
    "exact_cover": "sqlanon.attack.exact_cover",
    "leaving_columns": "sqlanon.measure.leaving",
    "linking": "sqlanon.attack.linking",
    "locate": "sqlanon.attack.intersection",
    "locate_in_releases": "sqlanon.publishing.auditing",
    "m_invariance": "sqlanon.publishing.m_invariance",
    "m_invariant": "sqlanon.publishing.m_invariant",
    "mask": "sqlanon.perturb.masks",
    "maximum_disclosure": "sqlanon.attack.background_knowledge",
    "microaggregate": "sqlanon.anonymize.microaggregate",
    "minimal_uniques": "sqlanon.measure.risk",
    "minimality": "sqlanon.attack.minimality",
    "nearest_inference": "sqlanon.attack.nearest",
    "nearest_linkage": "sqlanon.attack.nearest",
    "mondrian": "sqlanon.anonymize.mondrian",
    "mu_argus": "sqlanon.anonymize.mu_argus",
    "noisy_counts_attack": "sqlanon.attack.noisy_counts",
    "optimal": "sqlanon.anonymize.full_domain",
    "people_in_classes": "sqlanon.measure.people",
    "pram": "sqlanon.perturb.perturbation",
    "privacy": "sqlanon.measure.models",
    "publish": "sqlanon.publishing.gate",
    "quasi_identifiers": "sqlanon.measure.risk",
    "rank_swap": "sqlanon.perturb.perturbation",
    "read_library": "sqlanon.core.library",
    "recode": "sqlanon.anonymize.recode",
    "record_linkage": "sqlanon.measure.disclosure",
    "record_risk": "sqlanon.measure.risk",
    "register": "sqlanon.core.library",
    "register_functions": "sqlanon.anonymize.functions",
    "releases": "sqlanon.publishing.auditing",
    "report": "sqlanon.pages.disclosure_report",
    "risk": "sqlanon.measure.risk",
    "round_cells": "sqlanon.tables.rounding",
    "round_values": "sqlanon.perturb.perturbation",
    "run_attacks": "sqlanon.attack.all_attacks",
    "samarati": "sqlanon.anonymize.full_domain",
    "show_values": "sqlanon.core.shown",
    "scheme_of_cuts": "sqlanon.anonymize.recode",
    "scheme_of_levels": "sqlanon.anonymize.recode",
    "semantic_bounds": "sqlanon.randomize.semantics",
    "semantic_privacy": "sqlanon.randomize.semantics",
    "set_budget": "sqlanon.randomize.ledger",
    "simulated_breaches": "sqlanon.attack.forecast",
    "skyline": "sqlanon.attack.skyline",
    "suda": "sqlanon.measure.risk",
    "suppress_cells": "sqlanon.tables.suppress",
    "table_cells": "sqlanon.tables.cells",
    "top_code": "sqlanon.perturb.perturbation",
    "trails": "sqlanon.attack.trails",
    "unsafe_cells": "sqlanon.tables.cells",
    "uncertain_counts": "sqlanon.randomize.semantics",
    "unread_labels": "sqlanon.attack.intersection",
    "unregister": "sqlanon.core.library",
    "unsorted_matching": "sqlanon.attack.unsorted_matching",
    "utility": "sqlanon.measure.loss",
    "complete_hierarchies": "sqlanon.anonymize.hierarchies",
    "lacking_values": "sqlanon.anonymize.hierarchies",
    "wide_hierarchy": "sqlanon.anonymize.hierarchies",
    "flat_hierarchy": "sqlanon.anonymize.hierarchies",
    "mask_hierarchy": "sqlanon.anonymize.hierarchies",
    "interval_hierarchy": "sqlanon.anonymize.hierarchies",
    "date_hierarchy": "sqlanon.anonymize.hierarchies",
    "read_hierarchy": "sqlanon.anonymize.hierarchies",
    "covers": "sqlanon.attack.intersection",
    "wildcard_frequencies": "sqlanon.measure.models",
    "withdraw_release": "sqlanon.publishing.auditing",
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
