"""The numbers of the figures and tables, from all that was measured."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import duckdb
from sqlglot import exp, parse_one

from sqlanon.core.statements import Rows, execute, literal, named_table, select
from sqlanon.experiments.ganta2008.runs import Result

NO_VALUE = "IPUMS, only who has a value"

# What was measured, with the panel that it belongs to. Decimals: their sums do not depend on an order.
RESULT = f"""
create table result as
select *,
       case when data = 'adult' then 'Adult' when targets = 'all' then 'IPUMS' else '{NO_VALUE}' end as panel,
       sensitive in ('occupation', 'occ1950') as is_occupation, requirement = 'k' as is_k,
       is_k and is_occupation and releases = 2 and method = 'Mondrian' and located = 'cover' as is_plain
from (select * replace (value::decimal(18, 6) as value) from measured)
"""  # noqa: S608 - a constant

RANDOMIZED = ("epsilon", "response", "left out")  # the requirements of section 4

# A figure is a query: panel, series, x, unit, seed, value.
FIGURE_1 = """
select panel,
       case method
           when 'Mondrian' then 'Mondrian, both'
           when 'microaggregation' then 'microaggregation, both'
           else method
       end as series,
       amount::integer as k, '% of targets' as unit, seed, value
from result
where is_k and is_occupation and releases = 2 and measure = 'pvp_100'
  and (method = 'Mondrian' and located = 'cover' or located = 'own')
"""
FIGURE_2 = """
select panel, 'k = ' || amount::integer as series, replace(measure, 'pvp_', '')::integer as confidence,
       '% of targets' as unit, seed, value
from result
where is_plain and starts_with(measure, 'pvp_') and amount in (5, 10, 20, 50)
"""
FIGURE_3 = """
select panel,
       case measure
           when 'average_class_size' then 'rows in the class'
           else 'sensitive values in the class'
       end as series,
       amount::integer as k, 'rows, or values' as unit, seed, value
from result
where is_plain
  and measure in ('average_class_size', 'average_prior')
union all
select distinct panel, 'k, as promised', amount::integer, 'rows, or values', seed, amount::decimal(18, 6)
from result
where is_k
"""
FIGURE_4 = """
select panel,
       case measure
           when 'average_prior' then 'before: the better of two releases'
           else 'after: both releases'
       end as series,
       amount::integer as k, 'possible values' as unit, seed, value
from result
where is_plain
  and measure in ('average_prior', 'average_posterior')
"""
FIGURE_5 = """
select panel || case requirement when 't' then ': t-closeness' else ': l-diversity' end as panel,
       case requirement when 't' then 't = ' else 'l = ' end
       || if(amount = floor(amount), amount::integer::varchar, amount::varchar) as series,
       replace(measure, 'pvp_', '')::integer as confidence, '% of targets' as unit, seed, value
from result
where requirement in ('entropy_l', 't') and method = 'Mondrian' and starts_with(measure, 'pvp_')
"""
FIGURE_6 = """
select panel,
       case requirement
           when 'k' then 'k-anonymity'
           when 't' then 't-closeness'
           else 'l-diversity'
       end as series,
       case requirement when 'k' then 'k = 10' when 't' then 't = ' else 'l = ' end
       || case
           when requirement = 'k' then ''
           when amount = floor(amount) then amount::integer::varchar
           else amount::varchar
       end as requirement,
       'rows in the class' as unit, seed, value
from result
where (method = 'Mondrian' and requirement in ('entropy_l', 't') or is_plain and amount = 10)
  and measure = 'average_class_size'
"""
FIGURE_7 = """
select panel,
       case sensitive
           when 'occ1950' then 'occupation'
           when 'ind1950' then 'industry'
           else 'income'
       end as series,
       amount::integer as k, 'values' as unit, seed, value
from result
where data = 'ipums' and is_k and releases = 2 and measure = 'average_drop'
  and method = 'Mondrian' and located = 'cover'
"""
FIGURE_8 = """
select panel || case measure when 'pvp_100' then ': perfect breach' else ': drop in anonymity' end as panel,
       'n = ' || releases as series, amount::integer as k,
       case measure when 'pvp_100' then '% of targets' else 'values' end as unit, seed, value
from result
where data = 'ipums' and is_k and is_occupation and measure in ('pvp_100', 'average_drop')
  and method = 'Mondrian' and located = 'cover'
"""
METHODS = """
select panel,
       case
           when located = 'exact cover' then 'Mondrian, exact cover'
           when method = 'Mondrian' then 'strict Mondrian'
           else method
       end as series,
       amount::integer as k, '% of targets' as unit, seed, value
from result
where is_k and is_occupation and releases = 2 and measure = 'pvp_100' and amount in (5, 10, 20, 50)
  and located in ('cover', 'exact cover')
"""
GUESSES = """
select panel,
       case measure
           when 'pvp_100' then 'PVP_100'
           when 'weighted_guess_right' then 'weighted guess'
           when 'release_guess_right' then 'guess from one release'
           else 'guess from the marginal'
       end as series,
       amount::integer as k, '% of targets' as unit, seed, value
from result
where is_plain
  and measure in ('pvp_100', 'weighted_guess_right', 'release_guess_right', 'marginal_guess_right')
"""
LOCATED = """
select panel,
       case
           when measure = 'singleton_is_right' then 'single candidates that are right'
           when located = 'own' then 'PVP_100, classes known'
           else 'PVP_100, nearest centroid'
       end as series,
       amount::integer as k, '%' as unit, seed, value
from result
where is_k and is_occupation and releases = 2 and method = 'microaggregation' and amount in (5, 10, 20, 50)
  and (measure = 'pvp_100' or measure = 'singleton_is_right' and located = 'nearest')
union all
select panel, 'located rightly', amount::integer, '%', seed, value
from result
where is_k and measure = 'located_rightly'
"""
APPLICABLE = """
with breach as (
    select seed, sensitive, amount, targets, max(value) filter (where measure = 'targets') as people,
           max(value) filter (where measure = 'pvp_100') as pvp
    from result
    where data = 'ipums' and is_k and releases = 2 and method = 'Mondrian' and located = 'cover'
    group by seed, sensitive, amount, targets
),
kind as (
    select seed, sensitive, amount, everybody.pvp as everybody, applicable.pvp as with_value,
           everybody.people - applicable.people as others,
           everybody.people * everybody.pvp - applicable.people * applicable.pvp as certain_others,
           (certain_others::double / nullif(others, 0)::double)::decimal(18, 6) as without_value
    from breach as everybody join breach as applicable using (seed, sensitive, amount)
    where everybody.targets = 'all' and applicable.targets = 'applicable'
)
select case sensitive
           when 'occ1950' then 'occupation'
           when 'ind1950' then 'industry'
           else 'income'
       end as panel,
       unnest(['everybody', 'who has a value', 'who has none']) as series,
       amount::integer as k, '% of targets' as unit, seed,
       unnest([everybody, with_value, without_value]) as value
from kind
"""


# Section 4. What each is called, and how many are attacked together.
SECTION_4 = """
select if(data = 'adult', 'Adult', 'IPUMS') as panel, seed, releases, targets, measure, value, amount,
       requirement = 'epsilon' as is_private,
       if(is_private, 'ε = ', 'k = ')
       || if(amount = floor(amount), amount::integer::varchar, amount::varchar) as release
from result where requirement in ('epsilon', 'left out')
"""
RESPONSE = """
select if(data = 'adult', 'Adult', 'IPUMS') || ': ε = '
       || if(amount = floor(amount), amount::integer::varchar, amount::varchar) as panel,
       method as series, releases, '%' as unit, seed, value
from result
where requirement in ('epsilon', 'response') and measure = 'true_value' and targets = 'all'
"""
PROBABLE = f"""
with measured as ({SECTION_4})
select panel, release as series, releases, '%' as unit, seed, value
from measured
where measure = 'true_value' and targets = 'all'
  and release in ('k = 5', 'k = 50', 'ε = 0.1', 'ε = 1', 'ε = 2')
"""  # noqa: S608
ADDED = f"""
with measured as ({SECTION_4})
select panel, release as series, releases, 'percentage points' as unit, seed, is_private, amount,
       max(value) filter (where measure = 'true_value')
       - max(value) filter (where measure = 'true_value_without') as value
from measured where targets = 'left out' group by all
"""  # noqa: S608
ADDED_BY_RELEASE = f"""
from ({ADDED}) where series in ('k = 5', 'k = 50', 'ε = 0.1', 'ε = 1', 'ε = 2')
"""
BOUND = f"""
with added as ({ADDED})
select panel || ': ' || series as panel, 'with their rows less without' as series, releases, unit, seed,
       value::decimal(18, 6) as value
from added where is_private
union all
select panel || ': ' || series, 'differential privacy allows', releases, unit, seed,
       (100 * (exp(releases * amount) - 1) / (exp(releases * amount) + 1))::decimal(18, 6)
from added where is_private
"""  # noqa: S608
TRADE_OFF = f"""
with measured as ({SECTION_4}),
error as (
    select panel, release, round(avg(value), 3)::double as query_error
    from measured where measure = 'query_error' group by panel, release
)
select panel,
       if(is_private, 'noisy counts, ', 'k-anonymity, ')
       || if(releases = 1, 'one release', releases || ' releases') as series,
       query_error, '%' as unit, seed, value
from measured join error using (panel, release)
where measure = 'true_value' and targets = 'all' and releases in (1, 4)
"""  # noqa: S608


@dataclass(frozen=True)
class Figure:
    """A figure: the query of its numbers, and what is written about it.

    x: the name of the column of its horizontal axis. needs: the requirements of the units that it is about.
    """

    name: str
    title: str
    caption: str
    query: str
    x: str = "k"
    x_title: str = "k"
    is_logarithmic: bool = False
    needs: tuple[str, ...] = ("k",)


FIGURES = [
    Figure(
        "figure_1", "Figure 1: perfect breach",
        "How many of the targets are left with a single possible value (PVP at 100 %), by k and by how the "
        "two subsets were anonymized. Everybody's class is taken as known, as the paper does.",
        FIGURE_1,
    ),
    Figure(
        "figure_2", "Figure 2: partial breach",
        "How many of the targets have a value that is known with at least the given confidence, that is one "
        "of at most 1 / confidence possible values. Mondrian on both subsets.",
        FIGURE_2, "confidence", "confidence (%)",
    ),
    Figure(
        "figure_3", "Figure 3: what k promises, and what there is",
        "The average number of rows, and of different sensitive values, in the class of a target. Mondrian "
        "on both subsets; the values are those of the class that has fewer.",
        FIGURE_3,
    ),
    Figure(
        "figure_4", "Figure 4: drop in effective anonymity",
        "How many values are possible for a target, on average, before and after the two releases are "
        "intersected. Mondrian on both subsets.",
        FIGURE_4,
    ),
    Figure(
        "figure_5", "Figure 5: partial breach under entropy l-diversity and t-closeness",
        "As in Figure 2, with a second requirement beside k = 10 (t-closeness with equal distances).",
        FIGURE_5, "confidence", "confidence (%)", needs=("entropy_l", "t"),
    ),
    Figure(
        "figure_6", "Figure 6: class sizes under entropy l-diversity and t-closeness",
        "The average size of the class of a target with k = 10 alone, and with a second requirement. The "
        "scale is logarithmic.",
        FIGURE_6, "requirement", "requirement beside k = 10", True, needs=("k", "entropy_l", "t"),
    ),
    Figure(
        "figure_7", "Figure 7: the sensitive attribute's entropy",
        "The average drop in effective anonymity, for three sensitive attributes of the same people.",
        FIGURE_7,
    ),
    Figure(
        "figure_8", "Figure 8: more releases",
        "Perfect breach and average drop where the same people are in two, three or four releases. Each of "
        "them has half of all other people as well, drawn anew.",
        FIGURE_8,
    ),
]  # fmt: skip

BEYOND = [
    Figure(
        "not_applicable", "Who has no occupation",
        "Perfect breach of IPUMS by whether the sensitive attribute applies to the target at all. Whoever "
        "has no occupation is mostly among people who have none either (children, pensioners), so that "
        "\"not applicable\" is all there is to find.",
        APPLICABLE,
    ),
    Figure(
        "guesses", "Guessing",
        "How often the adversary is right who takes the most probable candidate, weighting what both "
        "releases say, against one who has the better one of the releases only, or nothing but the "
        "frequencies of the values; and how many values are certain.",
        GUESSES,
    ),
    Figure(
        "methods", "Other ways to anonymize with Mondrian",
        "Perfect breach under relaxed cuts (equal rows may be divided), with hierarchies in place of "
        "ordered codes, and where the adversary also rules out values that other targets of a class must "
        "have (exact cover).",
        METHODS,
    ),
    Figure(
        "located", "Finding somebody among centroids",
        "Microaggregation on both subsets, where the adversary has to look for the nearest centroid: how "
        "often that is the right one, how many targets seem to be breached perfectly then, and how many of "
        "these really are.",
        LOCATED,
    ),
]  # fmt: skip


SECTION_4_FIGURES = [
    Figure(
        "section_4_probable", "Section 4: how probable the true value is",
        "The probability that the adversary gives to the true value, on average over all targets, by how "
        "many releases are put together: k-anonymous ones, and noisy counts of larger groups.",
        PROBABLE, "releases", "releases", needs=("epsilon", "left out"),
    ),
    Figure(
        "section_4_added", "Section 4: what somebody’s own row adds",
        "How much more probable the true value is than in the same attack on releases made without the "
        "target’s row. One person from each group of the counts, so that rare people weigh more here.",
        ADDED_BY_RELEASE, "releases", "releases", needs=("epsilon", "left out"),
    ),
    Figure(
        "section_4_bound", "Section 4: what it can add at most",
        "The same beside the bound of differential privacy, (exp(nε) − 1) / (exp(nε) + 1), whoever "
        "attacks n releases. There is none for k-anonymous releases.",
        BOUND, "releases", "releases", needs=("epsilon", "left out"),
    ),
    Figure(
        "section_4_trade_off", "Section 4: by utility",
        "The same probability against the median relative error of 1,000 range counts over "
        "quasi-identifiers and sensitive attribute, of one release. From left to right k grows, and ε "
        "shrinks. Of attributes that the noisy counts are not by they say nothing: most of their error is "
        "that, and not noise.",
        TRADE_OFF, "query_error", "query error (%)", needs=("epsilon", "left out"),
    ),
    Figure(
        "section_4_response", "Section 4: randomized response instead",
        "How probable the true value is where nobody is trusted with the rows: everybody answers with one of "
        "all groups and values at random, most probably the own one (sqlanon.randomized_response), and the "
        "counts are estimated from the answers. There are so many groups that the answers tell next to "
        "nothing: neither the adversary nor anybody else.",
        RESPONSE, "releases", "releases", needs=("epsilon", "response"),
    ),
]  # fmt: skip


class Results:
    """All that was measured, in a database of its own: the table `result`."""

    def __init__(self, measured: Sequence[Result]) -> None:
        import pandas as pd

        self.con = duckdb.connect()
        self.con.execute("set threads = 1").fetchall()
        self.con.register("measured", pd.DataFrame([asdict(result) for result in measured]))
        self.con.execute(RESULT).fetchall()
        self.con.unregister("measured")

    def close(self) -> None:
        self.con.close()

    def everything(self, *, is_section_4: bool = False) -> Rows:
        """What was measured of section 4, whose noise differs from run to run, or all else."""
        names = [field.name for field in fields(Result)]
        query = select(named_table("result"), *names[:-1], "value::double as value")
        randomized = exp.column("requirement").isin(*map(literal, RANDOMIZED))
        query = query.where(randomized if is_section_4 else randomized.not_())
        return execute(self.con, query.order_by(*names[:-1]))

    def figure(self, figure: Figure) -> Rows:
        """panel, series, x, unit, mean, least, most (over the seeds), seeds."""
        numbers = parse_one(figure.query, dialect="duckdb")
        assert isinstance(numbers, exp.Query)
        keys = ["panel", "series", figure.x, "unit"]
        query = select(
            numbers.subquery("number"), *keys, "round(avg(value), 6) as mean", "min(value)::double as least",
            "max(value)::double as most",
            "count(*) as seeds",
        )  # fmt: skip
        query = (
            query.where("not value is null").group_by(*keys).order_by("panel", "length(series)", *keys[1:])
        )
        return execute(self.con, query)

    def value(self, **where: Any) -> tuple[float, float, float] | None:
        """Mean, least and most over the seeds of one number, if it was measured."""
        query = select(
            named_table("result"), "round(avg(value), 6)", "min(value)::double", "max(value)::double"
        )
        for column, value in where.items():
            query = query.where(exp.column(column).eq(literal(value)))
        [(mean, least, most)] = execute(self.con, query)
        return None if mean is None else (mean, least, most)


def write(rows: Rows, folder: Path, name: str) -> None:
    """The rows as name.csv and name.parquet, byte by byte the same on every version of DuckDB."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(rows.columns)
        writer.writerows(rows)
    columns: Mapping[str, list[Any]] = {
        column: [row[i] for row in rows] for i, column in enumerate(rows.columns)
    }
    pq.write_table(pa.table(dict(columns)), folder / f"{name}.parquet")
