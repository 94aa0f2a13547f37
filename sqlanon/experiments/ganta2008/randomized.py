"""Section 4: what noisy counts give away, beside k-anonymous releases of the same people.

What one person adds to what an adversary learns is seen by attacking people whose rows were left out: the
same attack, on releases without them. Differential privacy bounds the difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlglot import exp

from sqlanon.core.outputs import replacing
from sqlanon.core.statements import call, execute, literal, named_table, select
from sqlanon.experiments.ganta2008.plan import COMPOSED, Unit

if TYPE_CHECKING:
    from sqlanon.experiments.ganta2008.runs import Laboratory, Result

METHODS = {"epsilon": "noisy counts", "response": "randomized response", "left out": "Mondrian"}
SURE = 0.9


def run(laboratory: Laboratory, unit: Unit) -> list[Result]:
    """Attacks on one, two and four releases, with and without those who are left out."""
    prepare(laboratory)
    released = {"epsilon": counted, "response": answered, "left out": anonymized}[unit.requirement]
    with_them, without_them = released(laboratory, unit)
    found = [measured(laboratory, unit, "query_error", error(laboratory, unit, with_them[0]))]
    for n in COMPOSED:
        found += attacked(laboratory, unit, with_them[:n], "all")
        found += attacked(laboratory, unit, with_them[:n], "left out")
        found += attacked(laboratory, unit, without_them[:n], "left out", "_without")
    return found


def prepare(laboratory: Laboratory) -> None:
    """The tables coarse, groups and left_out, once for a laboratory."""
    from sqlanon.randomize.noise import register_noise

    con, data = laboratory.con, laboratory.set
    if con.sql("select 1 from duckdb_tables() where table_name = 'left_out'").fetchall():
        return
    register_noise(con)
    for statement in (data.coarse, data.groups):
        con.execute(statement).fetchall()
    # One of the targets from each group, so that leaving out all of them changes no count by more than one.
    targets = exp.column("id").isin(query=ids("common_people"))
    someone = f"min_by(id, hash(id, {laboratory.seed}::bigint)) as id"
    chosen = select(named_table("coarse"), someone).where(targets).group_by(*quoted(data.counted_by))
    laboratory.make("left_out", chosen)
    everybody = select(named_table("common_people"), "*")
    laboratory.make("left_out_people", everybody.where(exp.column("id").isin(query=ids("left_out"))))


def counted(laboratory: Laboratory, unit: Unit) -> tuple[list[str], list[str]]:
    """Noisy counts of the first subsets, and the same without those who are left out: one less in the cells
    of these, with the same noise.
    """
    data = laboratory.set
    columns = [*data.counted_by, next(iter(data.sensitive))]
    cells = quoted(columns)
    with_them, without_them = [], []
    for i in range(1, max(COMPOSED) + 1):
        people = select(named_table("coarse"), *cells, "id").where(
            exp.column("id").isin(query=ids(f"subset_{i}"))
        )
        laboratory.make(f"coarse_{i}", people)
        noisy = drawn(laboratory, unit, i, columns)
        left = select(named_table(f"coarse_{i}"), *cells, "count(*) as missing").where(
            exp.column("id").isin(query=ids("left_out"))
        )
        fewer = select(
            named_table(noisy), *cells, "n - coalesce(missing, 0) as n", "standard_deviation"
        ).join(left.group_by(*cells).subquery("left_here"), using=[*cells], join_type="left")
        with_them.append(noisy)
        without_them.append(laboratory.make(f"noisy_without_{i}", fewer))
    return with_them, without_them


def drawn(laboratory: Laboratory, unit: Unit, subset: int, columns: Sequence[str]) -> str:
    """The noisy counts of a subset, kept as a file, and read from there if it is there already."""
    name = f"noisy_{subset}"
    counts = call("dp_counts", f"coarse_{subset}", columns=columns, epsilon=unit.amount, keys="groups")
    return kept(laboratory, name, counts, f"{unit.data}-{unit.seed}-{unit.amount:g}-{subset}")


def kept(laboratory: Laboratory, name: str, query: exp.Expression, file: str) -> str:
    """A table with the rows of a query that draws, which are kept in a file, and read from there if they are
    there already."""
    if laboratory.draws is None:
        return laboratory.make(name, query)
    path = laboratory.draws / f"{file}.parquet"
    if not path.is_file():
        laboratory.make(name, query)
        with replacing(path, True) as temporary:
            laboratory.con.table(name).write_parquet(str(temporary))
    drawn = exp.Anonymous(this="read_parquet", expressions=[literal(str(path))])
    return laboratory.make(name, select(exp.Table(this=drawn)))


def answered(laboratory: Laboratory, unit: Unit) -> tuple[list[str], list[str]]:
    """Counts that are estimated from randomized response, where everybody answers with one of all cells, and
    the same from the answers of all but those who are left out.
    """
    data = laboratory.set
    columns = [*data.counted_by, next(iter(data.sensitive))]
    cell = exp.Alias(
        this=exp.cast(exp.func("row", *quoted(columns)), "varchar"), alias=exp.to_identifier("cell")
    )
    laboratory.make("cells", select(named_table("groups"), "*", cell))
    with_them, without_them = [], []
    for i in range(1, max(COMPOSED) + 1):
        answers = []
        for part in ("others", "left_out"):
            is_left_out = exp.column("id").isin(query=ids("left_out"))
            people = select(named_table("coarse"), cell).where(
                exp.column("id").isin(query=ids(f"subset_{i}")),
                is_left_out if part == "left_out" else is_left_out.not_(),
            )
            laboratory.make("respondents", people)
            response = call(
                "randomized_response", "respondents", columns="cell", keys="cells", epsilon=unit.amount
            )
            file = f"{unit.data}-{unit.seed}-{unit.amount:g}-{i}-{part}"
            answers.append(kept(laboratory, f"answers_{part}", response, file))
        whole = exp.union(*(select(named_table(name), "*") for name in answers), distinct=False)
        laboratory.make("answers", whole)
        with_them.append(estimated(laboratory, unit, "answers", f"estimated_{i}"))
        without_them.append(estimated(laboratory, unit, answers[0], f"estimated_without_{i}"))
    return with_them, without_them


def estimated(laboratory: Laboratory, unit: Unit, answers: str, name: str) -> str:
    """The counts that answers let expect, by cell."""
    counts = call("debiased_counts", answers, columns="cell", keys="cells", epsilon=unit.amount)
    estimates = select(counts.subquery("estimate"), "cell", "n", "standard_deviation")
    joined = select(named_table("cells"), "*").join(estimates.subquery("estimate"), using=["cell"])
    return laboratory.make(name, joined)


def anonymized(laboratory: Laboratory, unit: Unit) -> tuple[list[str], list[str]]:
    """k-anonymous releases of the first subsets, and of these without those who are left out."""
    with_them, without_them = [], []
    for i in range(1, max(COMPOSED) + 1):
        rest = select(named_table(f"subset_{i}"), "*").where(
            exp.column("id").isin(query=ids("left_out")).not_()
        )
        laboratory.make("rest", rest)
        required = {"k": unit.amount}
        with_them.append(laboratory.mondrian(f"whole_{i}", f"subset_{i}", required))
        without_them.append(laboratory.mondrian(f"without_{i}", "rest", required))
    return with_them, without_them


def error(laboratory: Laboratory, unit: Unit, release: str) -> float:
    """The median relative error of 1,000 range counts over quasi-identifiers and the sensitive attribute."""
    data = laboratory.set
    columns = [*data.qi, next(iter(data.sensitive))]
    if unit.requirement != "left out":
        # the same queries as of the others: what the counts are not by, they say nothing of
        silent = [
            exp.Alias(this=exp.Literal.string("*"), alias=exp.to_identifier(column, quoted=True))
            for column in data.qi
            if column not in data.counted_by
        ]
        release = laboratory.make("counts_of_all", select(named_table(release), "*", *silent))
        measures = call("count_errors", "subset_1", release, qi=columns, hierarchies="hierarchies")
    else:
        measures = call("utility", "subset_1", release, qi=columns)
    median = select(measures.subquery("measured"), "value").where("id = 'query_error_median'")
    [(value,)] = execute(laboratory.con, median)
    return float(value)


def attacked(
    laboratory: Laboratory, unit: Unit, releases: Sequence[str], targets: str, suffix: str = ""
) -> list[Result]:
    """How often the guesses about targets are right, about how many of them the adversary is sure, and how
    probable the true value is, on average.
    """
    data = laboratory.set
    sensitive = next(iter(data.sensitive))
    people = "left_out_people" if targets == "left out" else "common_people"
    if unit.requirement != "left out":
        attack = call(
            "noisy_counts_attack", list(releases), people, id="id", qi=data.counted_by, sensitive=sensitive,
            count_column="n", deviation_column="standard_deviation", hierarchies="hierarchies",
            mechanism="laplace" if unit.requirement == "epsilon" else "gaussian",
        )  # fmt: skip
    else:
        attack = call("intersection_attack", list(releases), people, id="id", qi=data.qi, sensitive=sensitive)
    laboratory.make("guesses", attack)
    actual = exp.Alias(this=exp.cast(quoted([sensitive])[0], "varchar"), alias=exp.to_identifier("actual"))
    truth = select(named_table(people), "id", actual)
    measures = select(
        named_table("guesses"),
        "avg((list_extract(candidates, 1) is not distinct from actual)::int)",
        f"avg((list_extract(probabilities, 1) >= {SURE})::int)",
        "avg(coalesce(probabilities[list_position(candidates, actual)], 0))",
    ).join(truth.subquery("target"), using=["id"])
    [values] = execute(laboratory.con, measures)
    names = ("right", "sure_90", "true_value")
    return [
        measured(laboratory, unit, name + suffix, 100 * value, releases=len(releases), targets=targets)
        for name, value in zip(names, values, strict=True)
    ]


def measured(laboratory: Laboratory, unit: Unit, measure: str, value: float, **about: object) -> Result:
    sensitive, method = next(iter(laboratory.set.sensitive)), METHODS[unit.requirement]
    return laboratory.result(unit, sensitive, measure, value, method=method, **about)


def quoted(columns: Sequence[str]) -> list[exp.Expression]:
    return [exp.column(column, quoted=True) for column in columns]


def ids(relation: str) -> exp.Select:
    return select(named_table(relation), "id")
