"""What the paper says, each number of its text, beside what was measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlanon.core.statements import Rows
from sqlanon.experiments.ganta2008.plan import Settings
from sqlanon.experiments.ganta2008.results import Results

Where = dict[str, Any]

FIRST = {"adult": "occupation", "ipums": "occ1950"}


def _breach(data: str, measure: str = "pvp_100", **other: Any) -> Where:
    """One number of `breaches`: by default of Mondrian with k = 5 on both subsets, and all targets."""
    return {
        "data": data, "measure": measure, "requirement": "k", "amount": 5, "method": "Mondrian",
        "releases": 2,
        "located": "cover", "sensitive": FIRST[data], "targets": "all", **other,
    }  # fmt: skip


def _attribute(data: str, measure: str, sensitive: str = "") -> Where:
    """One number of the attributes."""
    return {"data": data, "measure": measure, "requirement": "none", "sensitive": sensitive}


def _micro(data: str, **other: Any) -> Where:
    return _breach(data, method="microaggregation", located="own", **other)


def _mixed(data: str, **other: Any) -> Where:
    return _breach(data, method="Mondrian and microaggregation", located="own", **other)


def _rightly(data: str) -> Where:
    measure = "located_rightly"
    return _breach(data, measure, method="microaggregation", located="nearest", releases=1, sensitive="")


@dataclass(frozen=True)
class Claim:
    """Something that the paper's text says.

    data: which data set it is about. said, number: in words, and as a number if it is one. measured: what is
    compared with it, or `ours`: words with the numbers in `facts`. remark: on the difference, likewise.
    point: panel and x of the number in a figure.
    """

    place: str
    data: str
    what: str
    said: str
    remark: str
    number: float | None = None
    measured: Where = field(default_factory=dict)
    ours: str = ""
    facts: Mapping[str, Where] = field(default_factory=dict)
    figure: str = ""
    point: tuple[str, float | str] | None = None


CLAIMS = [
    Claim(
        "sec. 2", "adult", "Adult: people who are at the nearest centroid (%)", "about 70", number=70,
        measured=_rightly("adult"),
        remark="The paper says it of “census data”, without k. Here k = 5; the figure on centroids has "
        "other k, where fewer are found.",
    ),
    Claim(
        "sec. 2", "ipums", "IPUMS: people who are at the nearest centroid (%)", "about 70", number=70,
        measured=_rightly("ipums"),
        remark="As above. With more people for every combination of values, more of them are alone with "
        "their own centroid.",
    ),
    Claim(
        "sec. 3.1", "adult", "Adult: people", "30,162", number=30_162, measured=_attribute("adult", "people"),
        remark="Rows of adult.data without an unknown value.",
    ),
    Claim(
        "sec. 3.1", "ipums", "IPUMS: people", "70,187", number=70_187, measured=_attribute("ipums", "people"),
        remark="All rows. The paper calls them a census of 1997; the file is the sample of Los Angeles that "
        "carries this number.",
    ),
    Claim(
        "sec. 3.1", "", "people in both subsets", "5000",
        remark="The size of the subsets is not in the paper. Here each has half of all other people as well.",
        ours="{common}",
    ),
    Claim(
        "Figure 1", "adult", "Adult, k = 5: perfect breach (% of targets)", "around 12", number=12,
        measured=_breach("adult"),
        remark="The text does not say which of the three scenarios it means. Microaggregation on both "
        "subsets gives {micro} %, Mondrian on one and microaggregation on the other {mixed} %; Mondrian on "
        "both gives much less. What was tried for Mondrian: relaxed cuts {relaxed} %, hierarchies {trees} "
        "%. Nothing was tuned.",
        facts={
            "micro": _micro("adult"), "mixed": _mixed("adult"),
            "relaxed": _breach("adult", method="relaxed Mondrian"),
            "trees": _breach("adult", method="Mondrian with hierarchies"),
        },
        figure="figure_1", point=("Adult", 5),
    ),
    Claim(
        "Figure 1", "ipums", "IPUMS, k = 5: perfect breach (% of targets)", "around 60", number=60,
        measured=_breach("ipums"),
        remark="Microaggregation on both subsets gives {micro} %, the mixed scenario {mixed} %. Most of it "
        "is “not applicable”: {none} % of the people have no occupation at all. Of the targets who have "
        "one, {applicable} % are breached.",
        facts={
            "micro": _micro("ipums"), "mixed": _mixed("ipums"),
            "none": _attribute("ipums", "not applicable", "occ1950"),
            "applicable": _breach("ipums", targets="applicable"),
        },
        figure="figure_1", point=("IPUMS", 5),
    ),
    Claim(
        "Figure 1", "ipums", "perfect breach with larger k", "goes down",
        remark="As the paper explains it: larger classes have larger intersections. What is left of IPUMS "
        "at k = 50 are classes without any occupation.",
        ours="Adult: {adult} % at k = 5, {adult_50} % at k = 50; IPUMS: {ipums} %, {ipums_50} %",
        facts={
            "adult": _breach("adult"), "adult_50": _breach("adult", amount=50), "ipums": _breach("ipums"),
            "ipums_50": _breach("ipums", amount=50),
        },
    ),
    Claim(
        "Figure 2", "ipums", "IPUMS, k = 5: known with a confidence of 25 % (% of targets)", "around 95",
        number=95, measured=_breach("ipums", "pvp_25"),
        remark="Of the targets who have an occupation it is {applicable} %.",
        facts={"applicable": _breach("ipums", "pvp_25", targets="applicable")},
        figure="figure_2", point=("IPUMS", 25),
    ),
    Claim(
        "Figure 2", "adult", "Adult, k = 5: known with a confidence of 25 % (% of targets)", "more than 60",
        number=60, measured=_breach("adult", "pvp_25"),
        remark="With microaggregation on both subsets it is {micro} %.",
        facts={"micro": _micro("adult", measure="pvp_25")},
        figure="figure_2", point=("Adult", 25),
    ),
    Claim(
        "Figure 3", "ipums", "IPUMS, k = 5: average partition size (rows)", "close to 40", number=40,
        measured=_breach("ipums", "average_class_size"),
        remark="The average over targets, so that a large class counts for each of its people.",
        figure="figure_3", point=("IPUMS", 5),
    ),
    Claim(
        "sec. 3.3", "ipums", "why partitions are larger than 2k + 1 rows", "because of hierarchies",
        ours="{size} rows without hierarchies, {trees} with them (k = 5)",
        remark="Hierarchies make classes larger, but they are not needed for it: rows with the same values "
        "stay together in strict Mondrian.",
        facts={
            "size": _breach("ipums", "average_class_size"),
            "trees": _breach("ipums", "average_class_size", method="Mondrian with hierarchies"),
        },
    ),
    Claim(
        "Figure 3", "ipums", "effective anonymity against partition size", "much less",
        ours="Adult: {adult} values in {adult_rows} rows; IPUMS: {ipums} values in {ipums_rows} rows (k = 5)",
        remark="Values are those of the better release, rows the average of both.",
        facts={
            "adult": _breach("adult", "average_prior"),
            "adult_rows": _breach("adult", "average_class_size"),
            "ipums": _breach("ipums", "average_prior"),
            "ipums_rows": _breach("ipums", "average_class_size"),
        },
    ),
    Claim(
        "Figure 4", "ipums", "possible values after the attack against before", "much less",
        ours="Adult: {adult_after} after {adult}; IPUMS: {ipums_after} after {ipums} (k = 5)",
        remark="Averages over all targets.",
        facts={
            "adult": _breach("adult", "average_prior"),
            "adult_after": _breach("adult", "average_posterior"),
            "ipums": _breach("ipums", "average_prior"),
            "ipums_after": _breach("ipums", "average_posterior"),
        },
    ),
    Claim(
        "Figure 5", "ipums", "l-diversity and t-closeness", "still a considerable breach",
        ours="IPUMS: {diverse} % of targets are known with a confidence of 25 % under l = 5, {close} % "
        "under t = 0.4; Adult: {adult_diverse} %, {adult_close} %",
        remark="Here much less is left than k-anonymity alone leaves, because classes are so large. With k "
        "= 10 alone it is {ipums} % and {adult} %.",
        facts={
            "diverse": _breach("ipums", "pvp_25", requirement="entropy_l"),
            "close": _breach("ipums", "pvp_25", requirement="t", amount=0.4),
            "adult_diverse": _breach("adult", "pvp_25", requirement="entropy_l"),
            "adult_close": _breach("adult", "pvp_25", requirement="t", amount=0.4),
            "ipums": _breach("ipums", "pvp_25", amount=10), "adult": _breach("adult", "pvp_25", amount=10),
        },
    ),
    Claim(
        "Figure 6", "ipums", "IPUMS, k = 10: average partition size (rows)", "45", number=45,
        measured=_breach("ipums", "average_class_size", amount=10),
        remark="See Figure 3.", figure="figure_6", point=("IPUMS", "k = 10"),
    ),
    Claim(
        "Figure 6", "ipums", "IPUMS, k = 10, l = 5: average partition size (rows)", "close to 450",
        number=450,
        measured=_breach("ipums", "average_class_size", requirement="entropy_l"),
        remark="Where {none} % have no occupation, few cuts leave both halves diverse, so that much hangs "
        "on which cut is tried next where the first is refused; here every column is tried, at its median. "
        "Classes of targets with an occupation have {applicable} rows. What was tried: hierarchies, {trees} "
        "rows. The paper’s implementation and hierarchies are not known.",
        facts={
            "none": _attribute("ipums", "not applicable", "occ1950"),
            "applicable":
                _breach("ipums", "average_class_size", requirement="entropy_l", targets="applicable"),
            "trees": _breach("ipums", "average_class_size", requirement="entropy_l", method="Mondrian with "
            "hierarchies"),
        },
        figure="figure_6", point=("IPUMS", "l = 5"),
    ),
    Claim(
        "Figure 6", "ipums", "IPUMS, k = 10, t = 0.4: average partition size (rows)", "close to 1300",
        number=1300,
        measured=_breach("ipums", "average_class_size", requirement="t", amount=0.4),
        remark="As above: {applicable} rows for targets with an occupation, {trees} with hierarchies. "
        "Distances between values are taken as equal; the paper does not say which it took.",
        facts={
            "applicable":
                _breach("ipums", "average_class_size", requirement="t", amount=0.4, targets="applicable"),
            "trees":
                _breach("ipums", "average_class_size", requirement="t", amount=0.4,
                        method="Mondrian with hierarchies"),
        },
        figure="figure_6", point=("IPUMS", "t = 0.4"),
    ),
    Claim(
        "Table 4", "ipums", "entropy of occupation (bits)", "4.30", number=4.30,
        measured=_attribute("ipums", "entropy", "occ1950"),
        remark="With the code of “not applicable”, as in the paper.",
    ),
    Claim(
        "Table 4", "ipums", "entropy of industry (bits)", "4.35", number=4.35,
        measured=_attribute("ipums", "entropy", "ind1950"),
        remark="Over all rows; that of a subset can differ in the second decimal.",
    ),
    Claim(
        "Table 4", "ipums", "entropy of income (bits)", "5.56", number=5.56,
        measured=_attribute("ipums", "entropy", "inctot"),
        remark="Over all rows; that of a subset can differ in the second decimal.",
    ),
    Claim(
        "Figure 7", "ipums", "average drop", "grows with entropy: occupation, industry, income",
        ours="{occupation}, {industry} and {income} values (k = 5); {occupation_50}, {industry_50} and "
        "{income_50} (k = 50)",
        remark="The order is the paper’s. The entropies of occupation and industry are nearer to each "
        "other than their drops.",
        facts={
            f"{name}{suffix}": _breach("ipums", "average_drop", sensitive=column, amount=k)
            for name, column in (("occupation", "occ1950"), ("industry", "ind1950"), ("income", "inctot"))
            for suffix, k in (("", 5), ("_50", 50))
        },
    ),
    Claim(
        "Figure 8", "ipums", "perfect breach with n = 2, 3, 4 releases",
        "grows with n for small k, hardly for large k",
        ours="{n2_k5}, {n3_k5} and {n4_k5} % (k = 5); {n2_k50}, {n3_k50} and {n4_k50} % (k = 50)",
        remark="The drop at k = 5 is {drop_2}, {drop_3} and {drop_4} values.",
        facts={
            **{f"n{n}_k{k}": _breach("ipums", releases=n, amount=k) for n in (2, 3, 4) for k in (5, 50)},
            **{f"drop_{n}": _breach("ipums", "average_drop", releases=n) for n in (2, 3, 4)},
        },
    ),
]  # fmt: skip

# Tables 2, 3 and 4: what the paper calls an attribute, the column, how many values it has there, and the
# entropy of some.
ATTRIBUTES: dict[str, list[tuple[str, str, int, float | None]]] = {
    "adult": [
        ("age", "age", 74, None), ("work class", "workclass", 7, None), ("education", "education", 16, None),
        ("marital status", "marital_status", 7, None), ("race", "race", 5, None), ("gender", "sex", 2, None),
        ("native country", "native_country", 41, None), ("occupation (sensitive)", "occupation", 14, None),
    ],
    "ipums": [
        ("age", "age", 100, None), ("work class", "classwkg", 5, None), ("education", "educrec", 10, None),
        ("marital status", "marst", 6, None), ("race", "raceg", 7, None), ("sex", "sex", 2, None),
        ("birth place", "bplg", 113, None), ("occupation (sensitive)", "occ1950", 247, 4.30),
        ("industry (sensitive)", "ind1950", 145, 4.35), ("income (sensitive)", "inctot", 471, 5.56),
    ],
}  # fmt: skip


def rounded(value: float) -> str:
    """A number for people, with about three digits."""
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def attributes(results: Results, data: str) -> Rows:
    """Tables 2 (Adult), 3 and 4 (IPUMS): the paper's numbers of values and entropies, and ours."""
    rows = []
    for title, column, values, entropy in ATTRIBUTES[data]:
        ours = [results.value(**_attribute(data, measure, column)) for measure in ("values", "entropy")]
        here = [mean[0] if mean else None for mean in ours]
        rows.append((title, column, values, None if here[0] is None else int(here[0]), entropy, here[1]))
    columns = ("attribute", "column", "paper_values", "values", "paper_entropy", "entropy")
    return Rows(rows, columns)


def comparison(results: Results, settings: Settings) -> Rows:
    """Every claim about the data sets in use: place, what, paper, ours, least, most, difference, remark."""
    rows: list[tuple[Any, ...]] = []
    for claim in CLAIMS:
        if claim.data and claim.data not in settings.inputs:
            continue
        facts = {name: _fact(results, where) for name, where in claim.facts.items()}
        facts["common"] = f"{settings.common:,}"
        remark = claim.remark.format(**facts)
        value = results.value(**claim.measured) if claim.measured else None
        if value is None:
            ours = claim.ours.format(**facts) if claim.ours else "–"
            rows.append((claim.place, claim.what, claim.said, ours, None, None, None, remark))
        else:
            mean, least, most = value
            number = claim.number or 0.0
            rows.append(
                (
                    claim.place,
                    claim.what,
                    claim.said,
                    rounded(mean),
                    least,
                    most,
                    round(mean - number, 6),
                    remark,
                )
            )
    columns = ("place", "what", "paper", "ours", "least", "most", "difference", "remark")
    return Rows(rows, columns)


def _fact(results: Results, where: Where) -> str:
    rows = results.value(**where)
    return rounded(rows[0]) if rows else "–"


def points(figure: str) -> list[tuple[str, float | str, float, str]]:
    """The paper's numbers in a figure: panel, x, value, and what it says."""
    return [
        (*claim.point, claim.number, claim.said)
        for claim in CLAIMS
        if claim.figure == figure and claim.point and claim.number is not None
    ]
