"""Privacy models by counting. A class is the histogram of its sensitive values; so is the whole table."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from tests.oracles import Hierarchy, Value, canonical, labels_of, sort_key, spellings
from tests.oracles.background_knowledge import implications_by_counts

Histogram: TypeAlias = Counter[Any]

SMALLER_IS_WORSE = ("k-anonymity", "distinct l-diversity", "entropy l-diversity")
LARGER_IS_WORSE = (
    "recursive (c, l)-diversity",
    "(alpha, k)-anonymity",
    "t-closeness (equal)",
    "t-closeness (ordered)",
    "t-closeness (hierarchical)",
    "beta-likeness (basic)",
    "beta-likeness (enhanced)",
    "delta-disclosure",
)
MODELS = SMALLER_IS_WORSE + LARGER_IS_WORSE  # that privacy measures: not (c, k)-safety, about all classes

# Where people have several rows: models that count the people of a class, and those that look at the worst
# choice of one value per person.
OF_SIZE = ("k-anonymity",)
BY_CHOICE = (
    "distinct l-diversity",
    "entropy l-diversity",
    "recursive (c, l)-diversity",
    "(c, k)-safety",
)

# Models of a class alone, where spellings are one value; the others compare it with the table.
OF_CLASS = (*BY_CHOICE, "(alpha, k)-anonymity")


@dataclass(frozen=True)
class Requirements:
    """What every class must satisfy; None asks for nothing.

    `recursive_c` needs `l`, and `safety_c` `safety_k`.
    """

    k: int | None = None
    l: int | None = None
    entropy_l: float | None = None
    recursive_c: float | None = None
    alpha: float | None = None
    t: float | None = None
    t_distance: str = "equal"
    beta: float | None = None
    enhanced_beta: float | None = None
    delta_disclosure: float | None = None
    safety_c: float | None = None
    safety_k: int | None = None

    def __post_init__(self) -> None:
        if self.recursive_c is not None and self.l is None:
            raise ValueError("recursive_c needs l")

    def required(self) -> dict[str, float]:
        """Model -> required value, in the order of MODELS."""
        request = {
            "k-anonymity": self.k,
            "distinct l-diversity": self.l,
            "entropy l-diversity": self.entropy_l,
            "recursive (c, l)-diversity": self.recursive_c,
            "(alpha, k)-anonymity": self.alpha,
            f"t-closeness ({self.t_distance})": self.t,
            "beta-likeness (basic)": self.beta,
            "beta-likeness (enhanced)": self.enhanced_beta,
            "delta-disclosure": self.delta_disclosure,
            "(c, k)-safety": self.safety_c,
        }
        return {model: float(value) for model, value in request.items() if value is not None}


@dataclass(frozen=True)
class Violation:
    """A class that does not hold what a model requires."""

    model: str
    required: float
    reached: float
    size: int
    key: tuple[Any, ...]


def classes(
    rows: Sequence[Any], qi: Sequence[Any], sensitive: Any = None
) -> dict[tuple[Any, ...], Histogram]:
    """Equivalence classes (Sweeney 2002, Def. 3): quasi-identifiers -> histogram of the sensitive column.

    Rows are dicts (qi and sensitive are names) or tuples (they are positions). Without sensitive, every row
    counts as None.
    """
    result: dict[tuple[Any, ...], Histogram] = {}
    for row in rows:
        key = tuple(canonical(row[column]) for column in qi)
        result.setdefault(key, Counter())[None if sensitive is None else canonical(row[sensitive])] += 1
    return result


def whole_table(histograms: Mapping[Any, Histogram]) -> Histogram:
    """Histogram of all classes together."""
    table: Histogram = Counter()
    for histogram in histograms.values():
        table.update(histogram)
    return table


def size(cls: Histogram) -> int:
    """k-anonymity (Sweeney 2002, Def. 3): the rows of the class."""
    return cls.total()


def distinct_l(cls: Histogram) -> int:
    """Distinct l-diversity (Machanavajjhala et al. 2007): how many different sensitive values."""
    return len(+cls)


def entropy_l(cls: Histogram) -> float:
    """Entropy l-diversity (Machanavajjhala et al. 2007; Ganta et al. 2008, Def. 4): exp of the entropy.

    A uniform class of m values has exactly m.
    """
    counts = list((+cls).values())
    if len(set(counts)) == 1:
        return float(len(counts))
    shares = [n / cls.total() for n in counts]
    return math.exp(-math.fsum(p * math.log(p) for p in shares))


def recursive_ratio(cls: Histogram, l: int) -> float:
    """Recursive (c, l)-diversity (Machanavajjhala et al. 2007): r1 / (r_l + ... + r_m), counts descending.

    It holds for every c above that; infinite with fewer than l values.
    """
    counts = sorted((+cls).values(), reverse=True)
    return counts[0] / sum(counts[l - 1 :]) if len(counts) >= l else math.inf


def alpha(cls: Histogram) -> float:
    """(alpha, k)-anonymity (Wong et al. 2006): share of the most frequent value."""
    return max(cls.values()) / cls.total()


def extra(cls: Histogram, table: Histogram, value: Value) -> int:
    """p - q of a value, times |class| * |table| so that it stays a whole number."""
    return cls[value] * table.total() - table[value] * cls.total()


def t_equal(cls: Histogram, table: Histogram) -> float:
    """t-closeness, equal distance (Li et al. 2007): 1/2 sum |p - q| over all values of the table."""
    return sum(abs(extra(cls, table, s)) for s in table) / (2 * cls.total() * table.total())


def t_ordered(cls: Histogram, table: Histogram, order: Sequence[Any] | None = None) -> float:
    """t-closeness, ordered distance (Li et al. 2007): sum_i |sum_{j<=i} (p_j - q_j)| / (m - 1).

    `order` lists the values (default: natural order, NULL first); those that the table lacks do not count.
    """
    values = sorted(table, key=sort_key) if order is None else [s for s in order if s in table]
    assert len(values) == len(table), "the order misses values"
    moved = carried = 0
    for s in values:
        carried += extra(cls, table, s)
        moved += abs(carried)
    return moved / ((len(values) - 1) * cls.total() * table.total()) if len(values) > 1 else 0.0


def t_hierarchical(cls: Histogram, table: Histogram, hierarchy: Hierarchy) -> float:
    """t-closeness, hierarchical distance (Li et al. 2007).

    Sum over inner nodes of height/h * min(pos, neg), where pos and neg sum the positive and negative net
    extra mass of the node's children. An inner node at level j has height j; a node is known by its labels
    from its level to the top.
    """
    paths = {s: tuple(labels_of(hierarchy, s)) for s in table}
    height = len(next(iter(paths.values()))) - 1
    cost = 0
    for level in range(1, height + 1):
        children: Counter[tuple[str, ...]] = Counter()
        for s, path in paths.items():
            children[path[level - 1 :]] += extra(cls, table, s)
        for node in {child[1:] for child in children}:
            masses = [mass for child, mass in children.items() if child[1:] == node]
            cost += level * min(sum(m for m in masses if m > 0), -sum(m for m in masses if m < 0))
    return cost / (height * cls.total() * table.total()) if height else 0.0


def beta_basic(cls: Histogram, table: Histogram) -> float:
    """Basic beta-likeness (Cao and Karras 2012): max of (p - q)/q over values with p > q; 0 without any."""
    return max(0.0, *(extra(cls, table, s) / (table[s] * cls.total()) for s in table))


def beta_enhanced(cls: Histogram, table: Histogram) -> float:
    """Enhanced beta-likeness (Cao and Karras 2012): as basic, but infinite if some (p - q)/q > -ln q."""
    for s in table:
        if extra(cls, table, s) / (table[s] * cls.total()) > -math.log(table[s] / table.total()):
            return math.inf
    return beta_basic(cls, table)


def delta_disclosure(cls: Histogram, table: Histogram) -> float:
    """delta-disclosure (Brickell and Shmatikov 2008): max |ln(p/q)|, infinite if the class lacks a value."""
    if any(cls[s] == 0 for s in table):
        return math.inf
    return max(abs(math.log(cls[s] * table.total() / (table[s] * cls.total()))) for s in table)


def safety(cls: Histogram, pieces: int) -> float:
    """What disclosure by so many implications stays within, if all classes are as good as this one."""
    counts = sorted((+cls).values(), reverse=True)
    least = 1.0
    for atoms in range(1, pieces + 2):
        for before in range((pieces + 1) // atoms):
            left = cls.total() - before
            false = 1 - sum(counts[:atoms]) / left if left > 0 else 0
            least = min(least, max(false, 0) ** (1 / atoms))
    return 1 / (1 + least ** (pieces + 1) / (1 - least))


def measure(
    model: str,
    cls: Histogram,
    table: Histogram,
    *,
    l: int = 2,
    pieces: int = 0,
    order: Sequence[Any] | None = None,
    hierarchy: Hierarchy | None = None,
) -> float:
    """What a class reaches in the model of that name: as values are read, or where it is compared with the
    table also as they are written, whatever is worse."""
    if model in OF_SIZE:
        return size(cls)
    if model in OF_CLASS:
        counted = spellings.without_missing(spellings.read_as(spellings.folded, cls))
        return measure_as_read(model, counted, table, l=l, pieces=pieces)
    reached = []
    for reading in (spellings.folded, spellings.as_written):
        labels = None
        if hierarchy is not None:
            labels = spellings.labels_as_read(reading, hierarchy, table, labels_of)
        reached.append(
            measure_as_read(
                model,
                spellings.read_as(reading, cls),
                spellings.read_as(reading, table),
                order=spellings.in_order(reading, table, order),
                hierarchy=labels,
            )
        )
    return max(reached)


def measure_as_read(
    model: str,
    cls: Histogram,
    table: Histogram,
    *,
    l: int = 2,
    pieces: int = 0,
    order: Sequence[Any] | None = None,
    hierarchy: Hierarchy | None = None,
) -> float:
    """The same by one reading, where different values are different."""
    match model:
        case "k-anonymity":
            return size(cls)
        case "distinct l-diversity":
            return distinct_l(cls)
        case "entropy l-diversity":
            return entropy_l(cls)
        case "recursive (c, l)-diversity":
            return recursive_ratio(cls, l)
        case "(alpha, k)-anonymity":
            return alpha(cls)
        case "t-closeness (equal)":
            return t_equal(cls, table)
        case "t-closeness (ordered)":
            return t_ordered(cls, table, order)
        case "t-closeness (hierarchical)" if hierarchy is not None:
            return t_hierarchical(cls, table, hierarchy)
        case "beta-likeness (basic)":
            return beta_basic(cls, table)
        case "beta-likeness (enhanced)":
            return beta_enhanced(cls, table)
        case "delta-disclosure":
            return delta_disclosure(cls, table)
        case "(c, k)-safety":
            return safety(cls, pieces)
    raise ValueError(f"{model}: unknown, or without the hierarchy that it needs")


def holds(model: str, reached: float, required: float) -> bool:
    """Is it enough, rounding errors forgiven? Recursive diversity, delta-disclosure and safety are strict."""
    match model:
        case "k-anonymity" | "distinct l-diversity":
            return reached >= required
        case "entropy l-diversity":
            return reached >= required * (1 - 1e-12)
        case "recursive (c, l)-diversity" | "delta-disclosure":
            return reached < required
        case "(c, k)-safety":
            return reached < required * (1 - 1e-12)
        case "t-closeness (equal)" | "t-closeness (ordered)" | "t-closeness (hierarchical)":
            return reached <= required * (1 + 1e-12) + 1e-15
        case _:
            return reached <= required * (1 + 1e-12) and reached < math.inf


def reached(
    histograms: Mapping[tuple[Any, ...], Histogram],
    *,
    l: int = 2,
    order: Sequence[Any] | None = None,
    hierarchy: Hierarchy | None = None,
) -> dict[str, float]:
    """Model -> value of the worst class. Without a hierarchy there is no hierarchical t-closeness."""
    table = whole_table(histograms)
    result = {}
    for model in MODELS:
        if model == "t-closeness (hierarchical)" and hierarchy is None:
            continue
        values = [
            measure(model, c, table, l=l, order=order, hierarchy=hierarchy) for c in histograms.values()
        ]
        result[model] = float(min(values) if model in SMALLER_IS_WORSE else max(values))
    return result


def violations(
    histograms: Mapping[tuple[Any, ...], Histogram],
    requirements: Requirements,
    *,
    order: Sequence[Any] | None = None,
    hierarchy: Hierarchy | None = None,
) -> list[Violation]:
    """One entry per model and class that does not hold; none: the table is as required."""
    table = whole_table(histograms)
    result = []
    counts = [
        list(spellings.without_missing(spellings.read_as(spellings.folded, cls)).values())
        for cls in histograms.values()
    ]
    together = map(float, implications_by_counts(counts, requirements.safety_k or 0))
    disclosed = dict(zip(histograms, together, strict=True))
    for model, required in requirements.required().items():
        for key, cls in histograms.items():
            if model == "(c, k)-safety":
                value = disclosed[key]
            else:
                value = measure(model, cls, table, l=requirements.l or 2, order=order, hierarchy=hierarchy)
            if not holds(model, value, required):
                result.append(Violation(model, required, value, size(cls), key))
    return result


def satisfies(
    cls: Histogram,
    table: Histogram,
    requirements: Requirements,
    *,
    order: Sequence[Any] | None = None,
    hierarchy: Hierarchy | None = None,
) -> bool:
    """Does a class hold all that is required? For one sensitive attribute; of several, each must hold."""
    return all(
        holds(
            model,
            measure(
                model,
                cls,
                table,
                l=requirements.l or 2,
                pieces=requirements.safety_k or 0,
                order=order,
                hierarchy=hierarchy,
            ),
            required,
        )
        for model, required in requirements.required().items()
    )
