"""What each measure says, in a plain sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlanon.attack.intersection import assumption
from sqlanon.core.models import having
from sqlanon.pages.templates import number, percent

if TYPE_CHECKING:
    from sqlanon.pages.disclosure_report.data import ReleaseTables, Request

# Requirements that are no models.
OTHERS = {
    "composed_confidence": "The highest probability of anybody's most probable value by this release and the "
    "earlier ones; publish checks this.",
    "bcf_k": "The fewest rows that correspondence attacks on this release and the one before leave possible "
    "for anybody; this was checked when the release was made.",
}


def of_model(id: str, is_by_people: bool) -> str:
    """The sentence for a model, by the id of its verdict."""
    models = {verdict["id"]: verdict["says"] for model in having("model") for verdict in model.verdicts()}
    text = (models | OTHERS).get(id, "")
    return (
        text.replace("The rows of the smallest class", "The people of the smallest class")
        if is_by_people
        else text
    )


RISKS = {
    "records": "How many rows there are.",
    "people": "How many people there are.",
    "classes": "How many groups of rows with the same quasi-identifiers there are.",
    "smallest_class": "The fewest that share their quasi-identifiers.",
    "largest_class": "The most that share their quasi-identifiers.",
    "sample_uniques": "How many are alone with their quasi-identifiers.",
    "sample_uniques_share": "The share of those who are alone with their quasi-identifiers.",
    "prosecutor_risk_highest": "The chance to pick the right row of somebody who is known to be in the "
    "release, where it is easiest.",
    "prosecutor_risk_mean": "The chance to pick the right row of somebody who is known to be in the "
    "release, on average.",
    "prosecutor_risk_above_threshold": "The share of rows that are picked out with a chance above one in "
    "five.",
    "journalist_risk_highest": "The chance to name whose row it is, from everybody in the population whom "
    "its class covers, where it is easiest.",
    "journalist_risk_mean": "The chance to name whose row it is, from everybody whom its class covers, on "
    "average.",
    "journalist_risk_above_threshold": "The share of rows that are named with a chance above one in five.",
    "marketer_risk": "The share that somebody who links all rows to people gets right.",
    "marketer_risk_population": "The share that somebody who links all rows to the population gets right.",
    "k_map": "The fewest people of the population whom a class covers.",
    "null_map": "The share of rows that cover nobody in the population.",
    "null_map_classes": "How many classes these are.",
    "matched_by_one": "The share of rows that cover exactly one person of the population.",
    "population_estimate": "How many people of the population the rows stand for, by their weights.",
    "individual_risk_highest": "The chance to find the right person of the population for a row, by the "
    "sampling weights, where it is easiest.",
    "individual_risk_mean": "The same on average.",
    "individual_risk_above_threshold": "The share of rows where that chance is above the threshold (one "
    "in five, if nothing else is said).",
    "population_uniques": "The share of rows that are expected to be the only ones of the population with "
    "their quasi-identifiers, by the sampling weights.",
    "households": "How many households there are.",
    "household_risk_highest": "The chance that a household is found by one of its members, where it is "
    "easiest.",
    "household_risk_above_threshold": "The share of households that are found with a chance above the "
    "threshold.",
    "expected_reidentifications": "How many rows are expected to be found in the population, by the sampling "
    "weights.",
    "global_risk": "The same as a share of the rows: the global risk.",
    "risk_threshold": "If no row had a higher risk than this, the global risk were the one that is wished.",
    "wrong_map": "The share of rows that must be another's, as several of them cover the same single "
    "person.",
}  # fmt: skip

UTILITY = {
    "suppressed_rows": "Rows of the original that the release lacks.",
    "suppressed_cells": "Cells that the release left empty.",
    "sensitive_in_sets": "Sensitive values that left in a set with others: whose each is, nobody can tell.",
    "values_not_in_original": "Released numbers that stand for no value of the original.",
    "gcp": "How wide released values are, on average: 0 is exact, 1 says nothing.",
    "loss": "How wide released values are, as ARX computes it: 0 is exact, 1 says nothing.",
    "precision": "How many levels values were generalized: 0 is the original, 1 says nothing.",
    "non_uniform_entropy": "How much information the values had that is gone, over all rows.",
    "discernibility": "The sum over all rows of how many rows each cannot be told from.",
    "rows_covering_all": "Rows that show nothing of whom they are about, and may be anybody's.",
    "average_class_size": "How many rows share their quasi-identifiers, on average.",
    "c_avg": "The average class, in multiples of the smallest that is allowed: 1 is the best.",
    "kl_divergence": "How far the table that somebody would rebuild from the release is from the original: "
    "0 is alike.",
    "city_block_distance": "How far that table is from the original, as a sum of differences: 0 is alike, 2 "
    "has nothing in common.",
    "query_error_median": "Half of 1,000 random counts of rows are wrong by more than this.",
    "query_error_mean": "By how much such a count is wrong on average; a few rare groups decide it.",
    "query_noise_median": "What half of these counts are expected to be wrong by for their noise alone; what "
    "is beyond it comes of groups that are coarse, or not there.",
    "query_noise_mean": "The same on average.",
    "group_noise": "The noise of a count, next to an average count.",
    "groups_not_in_original": "Groups with a value that the original lacks: of public keys, say.",
    "mean_change": "By how much the mean of the column has moved, in its standard deviations.",
    "variance_change": "By how much the variance of the column has changed.",
    "correlation_change_mean": "By how much the correlations of numbers have changed, on average.",
    "correlation_change_largest": "By how much the correlation has changed that has changed most.",
    "sse_sst": "The share of the variance that is lost.",
    "accuracy": "Of people held out, those of whom a classifier that has learned from the release predicts "
    "the value right.",
    "accuracy_of_original": "The same of one that has learned from the original.",
    "accuracy_of_most_frequent": "The same if everybody is guessed to have the most frequent value.",
}  # fmt: skip

# Of counts with noise.
COUNTS = {
    "groups": "How many counts there are.",
    "people_counted": "The sum of the counts, and where their noise leaves it.",
    "deviation_median": "How far a count is from the true one, typically.",
    "deviation_largest": "The same where it is most.",
    "lost_in_noise": "Counts that could as well be 0, as far as their noise tells.",
}

# Of the intersection attack: by a pattern of their ids.
ATTACK = {
    "targets": "The people who were looked for.",
    "located_in_all": "Those who were found in every release that they are in.",
    "located_in_none": "Those who were found in no release: of them nothing is known here.",
    "unread_rows": "Rows with values that nobody understands; the attack finds nobody there.",
    "rows_covering_all": "Rows that show nothing of whom they are about, and may be anybody's.",
    "average_class_size": "How many rows are in the classes where somebody can be, on average.",
    r"sure_(?P<level>[\d_]+)": "One value has a probability of {level} % or more for them.",
    r"sure_(?P<level>[\d_]+)_upper": "One value may have a probability of {level} % or more for them: nobody "
    "knows how many people the releases share. A bound must hold for this.",
    r"sure_(?P<level>[\d_]+)_unsuppressed": "The same if it is known that their row was not suppressed.",
    r"sure_(?P<level>[\d_]+)_release": "The same from the one release that tells most.",
    r"sure_(?P<level>[\d_]+)_marginal": "The same without any release, from the most frequent value.",
    r"sure_(?P<level>[\d_]+)_expected": "How many guesses about those of whom somebody is {level} % sure "
    "should be right, by their probabilities.",
    r"sure_(?P<level>[\d_]+)_right": "How many of these guesses are right.",
    "average_prior": "Values that are possible for somebody after the one release that leaves fewest.",
    "average_posterior": "Values that are possible for somebody in the end.",
    "average_drop": "How many fewer values that is than with one release alone.",
    "vulnerable": "People who have fewer values left than with one release alone.",
    "pvp_100": "People for whom only one value is possible.",
    r"pvp_(?P<level>[\d_]+)": "People for whom so few values are possible that each, were all as likely, "
    "had {level} % or more.",
    "contradictions": "People for whom no value is left: of them nothing is known here.",
    "unfinished": "People for whom not all was looked at.",
    "not_asked": "People of whom was not asked what several of their classes tell together.",
    "fewest_shared_values": "How many values the two releases share that share fewest.",
    "truth_in_no_release": "People whose true value no release has.",
    "truth_is_candidate": "People whose true value is among those that are possible.",
    "singleton_is_right": "Where one value is left, how often it is the true one.",
    "marginal_guess_expected": "How often the most frequent value should be the true one.",
    "marginal_guess_right": "How often it is.",
    "release_guess_expected": "How often the most frequent value of somebody's class should be the true "
    "one, in the best single release.",
    "release_guess_right": "How often it is.",
    "weighted_guess_expected": "How often the most probable value should be the true one.",
    "weighted_guess_upper": "How often it may be at most: nobody knows how many people the releases share. A "
    "bound must hold for this.",
    "weighted_guess_right": "How often it is.",
    "gain_over_marginal": "By how much that is better than the most frequent value.",
    "gain_over_release": "By how much that is better than the best single release.",
}  # fmt: skip


@dataclass(frozen=True)
class Smallest:
    """The smallest class: how many people are in it, or rows. chance: to pick out somebody who is known to be
    there, in percent; None: nobody knows how many people these are. is_bound: there may be more people."""

    number: float
    counted: str
    chance: float | None
    is_bound: bool = False

    @property
    def size(self) -> str:
        noun = {"people": "person", "rows": "row"}[self.counted] if self.number == 1 else self.counted
        return f"{'at least ' if self.is_bound else ''}{number(self.number)} {noun}"

    def sentence(self, of: str) -> str:
        """of: which release it is, or an empty text."""
        if self.chance is None:
            return (
                f"The smallest class{of} has {self.size}. How many people these are is not known: with what "
                "chance somebody is picked out there, neither."
            )
        most = " at most" if self.is_bound else ""
        return (
            f"The smallest class{of} has {self.size}: whoever is known to be there is picked out with a "
            f"chance of {percent(self.chance)}{most}."
        )

    @property
    def short(self) -> str:
        if self.chance is None:
            return f"every class has at least {self.size}, and how many people these are is not known"
        return f"everybody is one of at least {number(self.number)}"


def smallest(tables: ReleaseTables, request: Request) -> Smallest:
    """Of a release with rows. Rows are people where nothing says that people may have several."""
    [size] = [row["value"] for row in tables.risk or () if row["id"] == "smallest_class"]
    if tables.is_by_people:
        return Smallest(size, "people", 100 / size)
    if request.of_people:
        least = [row["least"] for row in tables.people or ()]
        if least and least[0]:
            return Smallest(least[0], "people", 100 / least[0], is_bound=True)
        return Smallest(size, "rows", None)
    return Smallest(size, "rows", 100 / size)


def assumed(request: Request) -> str:
    """What the intersection attack takes for granted; nothing of one release."""
    sentence = assumption(
        len(request.releases), request.sensitive, request.unchanged, request.values_may_change
    )
    return sentence[:1].upper() + sentence[1:]


def of_attack(id: str) -> str:
    """The sentence for a measure of the intersection attack."""
    for pattern, sentence in ATTACK.items():
        if found := re.fullmatch(pattern, id):
            levels = {name: level.replace("_", ".") for name, level in found.groupdict().items()}
            return sentence.format(**levels)
    return ""
