"""sqlanon: anonymize tables inside DuckDB, check the result with a query, and attack it with a join.

`make files` writes __init__.pyi, which type checkers and editors read.
"""

__version__ = "0.9.0"

# Public names by the modules that they are in: each is imported when one of its names is first used.
_HOMES = {
    name: module
    for module, names in {
        "sqlanon.functions": "register_functions",
        "sqlanon.answers.asking": "ask",
        "sqlanon.answers.stored": "told_answers",
        "sqlanon.anonymize.k_m": "ItemCut k_m",
        "sqlanon.macros.answers": "answer",
        "sqlanon.anonymize.step_by_step": "steps",
        "sqlanon.attack.all_attacks": "run_attacks",
        "sqlanon.attack.forecast": "simulated_breaches",
        "sqlanon.core.errors": """
            InputError LeavingWarning LimitError RefusedError SetsWarning SqlError SqlanonError UnreadWarning
            VerificationError
        """,
        "sqlanon.core.library": "read_library register unregister",
        "sqlanon.core.release": "Release",
        "sqlanon.core.shown": "show_values",
        "sqlanon.anonymize.plugged": "anonymize_by",
        "sqlanon.core.plugins": "plug_in",
        "sqlanon.macros.anonymize": """
            anatomize datafly generalize k_similar lattice microaggregate mondrian mu_argus optimal recode
            samarati scheme_of_cuts scheme_of_levels
        """,
        "sqlanon.macros.attack": """
            attack_summary attacks background_knowledge breaches complementary_release correspondence
            de_finetti differencing downcoding exact_cover expected_breaches forecast homogeneity insert_only
            four_questions intersection_attack joined_releases linking maximum_disclosure membership
            membership_by_counts minimality nearest_inference nearest_linkage noisy_counts_attack singling_out
            skyline sparse_linkage trails unsorted_matching
        """,
        "sqlanon.macros.hierarchies": """
            complete_hierarchies date_hierarchy flat_hierarchy icd10_hierarchy interval_hierarchy
            lacking_values mask_hierarchy read_hierarchy wide_hierarchy
        """,
        "sqlanon.judge.several_tables": "JudgedTables check_tables",
        "sqlanon.macros.judge": "leaving_columns",
        "sqlanon.macros.locating": "covers locate people_in_classes unread_labels",
        "sqlanon.macros.models": "classes privacy violations wildcard_frequencies",
        "sqlanon.macros.people": "facts_attack person_classes person_values possible_offsets",
        "sqlanon.macros.perturb": "add_noise bottom_code pram rank_swap round_values top_code",
        "sqlanon.macros.publishing": "m_invariance m_invariant",
        "sqlanon.macros.randomize": """
            composed_privacy debiased_counts dp_bounds dp_contingency dp_counts dp_histogram dp_means
            dp_microaggregate dp_quantiles dp_sums dp_top dp_wavelet indistinguishability
            randomized_response sampled_k_anonymity sampled_k_anonymity_privacy semantic_bounds
            semantic_privacy uncertain_counts
        """,
        "sqlanon.macros.risk": """
            agreeing_rows closest_records disclosure identifiers log_linear_risk minimal_uniques
            quasi_identifiers record_linkage record_risk risk safe_harbor spellings suda
            suppress_above_risk unicity
        """,
        "sqlanon.macros.tables": """
            cell_bounds cell_keys cell_states cell_sums guess_by_marginals perturbation_table reconstruct
            round_cells suppress_cells table_cells tables_together unsafe_cells
        """,
        "sqlanon.macros.utility": "count_errors dominated utility utility_of_synthetic",
        "sqlanon.measure.features": "to_features",
        "sqlanon.pages.disclosure_report": "Report report",
        "sqlanon.perturb.masks": "mask",
        "sqlanon.publishing.auditing": """
            Audit Located add_release add_table audit forget_people locate_in_releases map_release
            propose_mappings releases withdraw_release
        """,
        "sqlanon.publishing.compositions": "Compositions compositions",
        "sqlanon.publishing.frontier": "Frontier frontier",
        "sqlanon.publishing.gate": "Publication publish",
        "sqlanon.publishing.remedies": "Remedy remedies",
        "sqlanon.publishing.several_tables": "TablesRelease anonymize_tables",
        "sqlanon.publishing.publishing_tables": "TablesPublication publish_tables",
        "sqlanon.publishing.table_remedies": "table_remedies",
        "sqlanon.publishing.tables": "TablePublication publish_table",
        "sqlanon.randomize.cost": "Cost",
        "sqlanon.publishing.ledger": "budgets set_budget",
        "sqlanon.randomize.releases": "RandomizedRelease",
    }.items()
    for name in names.split()
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        from difflib import get_close_matches

        near = "".join(f"; did you mean {each}?" for each in get_close_matches(name.lower(), _HOMES, 1))
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{near}")
    from importlib import import_module

    from sqlanon.core.interrupts import deferred

    with deferred():
        globals()[name] = getattr(import_module(_HOMES[name]), name)
    return globals()[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
