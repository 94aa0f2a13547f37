"""How probable the attack says that its guesses are, and how often they are right: by bins of ten points, for
guesses of the most frequent value and for others, on random overlaps of public tables.

An overlap is a few releases of parts of a table that have people in common: each part a sample of its own, or
a core that all have and nobody else twice; how many are common is drawn, too. The targets are people who are
in all of them. How often a bin is right has a 95 % interval (`interval`), in which an overlap counts as one
observation, because people of one overlap may be right and wrong together. At the end stands how many bins
are within 3 points, or in their interval, of the large ones and of the others; of two releases how many of
the largest are within 1.5 points; and how often a sole candidate is right.
Next to what is stated stands the upper end, which is what bounds are held against. `*` rows are of people
left out of the classes, as suppression leaves them, and then everybody is a target.

The synthetic EU-SILC sample of the R package laeken (`eusilc`: who works, by five columns; `regions`: in
which region, by five others) is there to check: nothing was chosen by it.

Options: --overlaps=N of each kind (4), --seed=N (1; others are other people and other overlaps), and
--of=NAME for one kind alone, such as --of=ipums-7.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from statistics import fmean

import duckdb

import sqlanon
from benchmarks.tables import IPUMS_QI, QI, SENSITIVE, adult, eusilc, ipums
from benchmarks.timing import option, title
from sqlanon.experiments import census
from tests.oracles import attack as attack_oracle
from tests.oracles import small_worlds

PEOPLE = 20_000
TARGETS = 1500
LARGE, LARGEST = 3000, 10_000
SUPPRESSED = {"people": 8000, "suppressed": 135}
# The least share in common that is drawn, by how many releases there are: fewer have too few in all.
LEAST_COMMON = {1: 0.5, 2: 0.1, 4: 0.35, 7: 0.5}


@dataclass(frozen=True)
class Kind:
    """form: plain (k = 5), mixed (k and l of each release are drawn), relaxed, centroids, synthetic (of each
    class of five and more the values of every column are dealt anew), or which people's rows are suppressed:
    `*random`, `*rarest`.
    """

    table: str
    releases: int
    form: str = "plain"

    @property
    def name(self) -> str:
        return f"{self.table}-{self.releases}" + ("" if self.form == "plain" else f"-{self.form}")

    @property
    def is_suppressed(self) -> bool:
        return self.form.startswith("*")


KINDS = [
    *[Kind(table, n) for table in ("adult", "ipums") for n in (1, 2, 4, 7)],
    *[Kind("census", n) for n in (2, 7)],
    *[Kind(table, n) for table in ("eusilc", "regions") for n in (2, 4, 7)],
    *[Kind(table, n, "mixed") for table in ("adult", "ipums") for n in (2, 4)],
    *[Kind("adult", n, form) for form in ("relaxed", "centroids", "synthetic") for n in (1, 2)],
    *[Kind("adult", n, form) for form in ("*random", "*rarest") for n in (1, 2)],
]


def deal(con: duckdb.DuckDBPyConnection, kind: Kind, draw: random.Random) -> None:
    """The tables part_0, ... of an overlap, and its targets."""
    n, seed = kind.releases, draw.randrange(1_000_000)
    [(rows,)] = con.execute(f"select count(*) from {kind.table}").fetchall()
    people = min(rows, SUPPRESSED["people"] if kind.is_suppressed else PEOPLE)
    con.execute(
        f"""
        create or replace temp table dealt as
        select *, row_number() over (order by hash(id, $seed, 5), id) as place
        from (from {kind.table} order by hash(id, $seed, 3), id limit $people)
        """,
        {"seed": seed, "people": people},
    ).fetchall()
    how = draw.choice(["sample", "core"])
    share = draw.uniform(0.1 if how == "core" else LEAST_COMMON[n], 0.98)
    if kind.is_suppressed:
        share = 1 if n == 1 else 0.9
    size = int(people / (share + n * (1 - share)))
    core, rest = round(share * size), size - round(share * size)
    for j in range(n):
        chosen = {
            "sample": f"hash(id, {seed}, 7, {j}) % 1000 < {1000 * share}",
            "core": f"place <= {core} or place between {core + j * rest + 1} and {core + (j + 1) * rest}",
        }[how]
        con.execute(f"create or replace temp table part_{j} as from dealt where {chosen}").fetchall()
    everywhere = " and ".join(f"id in (select id from part_{j})" for j in range(n))
    con.execute(
        f"create or replace temp table targets as from dealt where {everywhere} order by hash(id, {seed}, 9)"
        f"{'' if kind.is_suppressed else f' limit {TARGETS}'}"
    ).fetchall()


def leave_out(con: duckdb.DuckDBPyConnection, kind: Kind, part: str, qi: list[str], seed: int) -> None:
    """The table `left_out`: the people of a part whose rows are suppressed."""
    rarity = " + ".join(f"ln(count(*) over (partition by {column}))" for column in qi)
    order = {"*random": f"hash(id, {seed})", "*rarest": f"{rarity}, hash(id, {seed})"}[kind.form]
    con.execute(
        f"create or replace temp table left_out as from {part} order by {order} limit $suppressed",
        {"suppressed": SUPPRESSED["suppressed"]},
    ).fetchall()


def release(
    con: duckdb.DuckDBPyConnection, kind: Kind, j: int, qi: list[str], sensitive: str, draw: random.Random
) -> None:
    """The table release_j of part_j."""
    seed = draw.randrange(1_000_000)
    part, requirements = f"part_{j}", "k := 5"
    kept = ", keep := 'id'" if kind.form == "synthetic" else ""
    made = f"sqlanon.mondrian('kept', {qi}, '{sensitive}', {{}}, seed := {seed}{kept})"
    if kind.form == "mixed":
        requirements = f"k := {draw.choice([3, 5, 10, 20])}, l := {draw.choice([1, 2, 3, 4])}"
    elif kind.form == "relaxed":
        requirements = "k := 5, relaxed := true"
    elif kind.form == "centroids":
        made = f"sqlanon.microaggregate('kept', {qi}, '{sensitive}', {{}}, seed := {seed})"
    if kind.is_suppressed:
        leave_out(con, kind, part, qi, seed)
        stars = ", ".join(f"'*' as {column}" for column in qi)
        made += f" union all by name select {stars}, {sensitive} from left_out"
        con.execute(f"create or replace temp table kept as from {part} anti join left_out using (id)")
    else:
        con.execute(f"create or replace temp table kept as from {part}")
    con.execute(f"create or replace temp table release_{j} as from {made.format(requirements)}").fetchall()
    if kind.form == "synthetic":
        deal_anew(con, j, qi, sensitive, seed)


def deal_anew(con: duckdb.DuckDBPyConnection, j: int, qi: list[str], sensitive: str, seed: int) -> None:
    """The table release_j with synthetic rows: each column of a class is dealt anew, by itself."""
    con.execute(
        f"create or replace temp table member as select id, dense_rank() over (order by {', '.join(qi)}) "
        f"as class from release_{j}"
    ).fetchall()
    columns = [*qi, sensitive]
    dealt = [
        f"(select class, {column}, row_number() over (partition by class order by hash(id, {seed}, {i})) "
        "as place from member join kept using (id))"
        for i, column in enumerate(columns)
    ]
    con.execute(
        f"create or replace temp table release_{j} as select {', '.join(columns)} "
        f"from {' join '.join([dealt[0], *(f'{one} using (class, place)' for one in dealt[1:])])}"
    ).fetchall()


def attack(con: duckdb.DuckDBPyConnection, kind: Kind, overlap: int, qi: list[str], sensitive: str) -> None:
    """Guesses of one overlap into `guessed`: by bin (10: the only candidate), and whether of the most
    frequent value.
    """
    releases = [f"release_{j}" for j in range(kind.releases)]
    nearest = "true" if kind.form == "centroids" else "false"
    rows = " union all ".join(f"select {sensitive} from {one}" for one in releases)
    con.execute(
        f"""
        insert into guessed
        with frequent as (
            select {sensitive} as value from ({rows}) group by 1 order by count(*) desc, 1 limit 1
        ),
        guess as (
            select probabilities[1] as stated, upper_ends[1] as upper, truth,
                   candidates[:len(list_filter(probabilities, lambda p: p > probabilities[1] - 1e-9))]
                       as guesses,
                   len(candidates) as n
            from sqlanon.intersection_attack(
                {releases}, 'targets', 'id', {qi}, '{sensitive}', truth := '{sensitive}',
                nearest := {nearest})
            where len(candidates) > 0
        )
        select $kind, $overlap, list_contains(guesses, (from frequent)) as is_frequent,
               case when n = 1 then 10 else least(9, floor(10 * stated)) end as bin,
               count(*), sum(stated), sum(upper), sum(list_contains(guesses, truth)::integer / len(guesses))
        from guess group by all
        """,
        {"kind": kind.name, "overlap": overlap},
    ).fetchall()


def interval(overlaps: Sequence[tuple[int, float]]) -> tuple[float, float]:
    """The 95 % interval of how often people are right: of how many people in each overlap, and how many of
    them are.

    It reaches as far as the wider one of two. As if people were right each by themselves: the exact one of
    Clopper and Pearson, because of one person all or none are right. And by the differences between overlaps:
    one that has many people hides how different it is, so its square is divided by what is left of it after
    the mean is taken; and few overlaps say little, so the quantile is of Student's t, with Bell and
    McCaffrey's degrees of freedom (Imbens and Kolesar 2016, Robust Standard Errors in Small Samples).
    """
    from scipy import stats

    people, right = sum(n for n, _ in overlaps), sum(n for _, n in overlaps)
    share = right / people
    low = stats.beta.ppf(0.025, right, people - right + 1) if right > 0 else 0.0
    high = stats.beta.ppf(0.975, right + 1, people - right) if right < people else 1.0
    if len(overlaps) > 1:
        parts = [n / people for n, _ in overlaps]
        squares = sum((r - n * share) ** 2 / (1 - n / people) for n, r in overlaps)
        shifts = [part**2 / (1 - part) for part in parts]
        freedom = 1 / (sum(part**2 for part in parts) + sum(shifts) ** 2 - sum(one**2 for one in shifts))
        half = stats.t.ppf(0.975, freedom) * math.sqrt(squares) / people
        low, high = min(low, share - half), max(high, share + half)
    return max(0.0, float(low)), min(1.0, float(high))


def show(con: duckdb.DuckDBPyConnection, kind: Kind, seen: Counter[str]) -> None:
    """The bins of a kind of releases, and all of them together. seen: how many bins there are, are right."""
    bins = con.execute(
        """
        with by_overlap as (
            select is_frequent, bin, overlap, sum(people) as people, sum(stated) as stated,
                   sum(upper) as upper, sum(is_right) as is_right
            from guessed where kind = $kind
            group by grouping sets ((overlap), (overlap, is_frequent, bin))
        )
        select is_frequent, bin, sum(people) as people, sum(stated) / sum(people) as stated,
               sum(upper) / sum(people) as upper, sum(is_right) / sum(people) as is_right,
               list(people::bigint order by overlap), list(is_right order by overlap)
        from by_overlap group by is_frequent, bin order by is_frequent nulls first, bin
        """,
        {"kind": kind.name},
    ).fetchall()
    for is_frequent, number, people, stated, upper, is_right, people_by_overlap, right_by_overlap in bins:
        guess = {None: "all", True: "most frequent", False: "others"}[is_frequent]
        within = "" if number is None else "sole" if number == 10 else f"{10 * number:.0f}-"
        low, high = interval([*zip(people_by_overlap, right_by_overlap, strict=True)])
        told = f"{people:,.0f} | {100 * stated:.1f} -> {100 * is_right:.1f} "
        told += f"| {100 * low:.1f} to {100 * high:.1f} | {100 * upper:.1f}"
        print(f"| {kind.name} | {guess} | {within} | {told} |", flush=True)
        if within not in ("", "sole"):
            size = "large" if people >= LARGE else "small"
            off = abs(stated - is_right)
            seen[size] += 1
            seen[f"{size}, right"] += off <= 0.03 if size == "large" else low <= stated <= high
            if kind.releases == 2 and people >= LARGEST:
                seen["largest"] += 1
                seen["largest, right"] += off <= 0.015
        elif within == "sole":
            seen["sole"] += people
            seen["sole, right"] += round(is_right * people)


def small_worlds_table() -> None:
    """How far the closed form is from Bayes' rule over all worlds, where it is known how many others are in
    all classes: three values, classes of 3 to 7 people.
    """
    title("The most probable value of a target: by the closed form, less by all small worlds, in points")
    print("| classes | others in all of them | on average | at most |")
    print("|---|---|---|---|")
    draw, drawn = random.Random(1), Counter(a=5, b=3, c=2)
    for classes, common in product((2, 3, 4), (0, 1, 3)):
        off = []
        for _ in range(300):
            both = draw.choices("abc", [5, 3, 2], k=1 + common)
            rest = draw.randint(max(common, 2), 6) - common
            known = [Counter([*both, *draw.choices("abc", [5, 3, 2], k=rest)]) for _ in range(classes)]
            exact = small_worlds.posterior(known, common, {s: Fraction(n, 10) for s, n in drawn.items()})
            given = attack_oracle.Knowledge(drawn, {})
            told = attack_oracle.weigh_with(exact, known, given, Fraction(common))
            guess = max(told, key=lambda s: told[s])
            off.append(100 * float(told[guess] - exact[guess]))
        print(f"| {classes} | {common} | {fmean(off):.1f} | {max(map(abs, off)):.0f} |")


def main() -> None:
    overlaps, seed, only = int(option("overlaps", "4")), option("seed", "1"), option("of", "")
    small_worlds_table()
    with duckdb.connect() as con:
        sqlanon.register(con)
        sqlanon.register_functions(con)
        title(f"How probable guesses are said to be -> how often they are right, in percent ({adult(con)})")
        loaded = {"adult": (QI, SENSITIVE), "census": (QI, SENSITIVE)}
        if ipums(con):
            loaded["ipums"] = (IPUMS_QI, "occ1950")
        if eusilc(con):
            loaded["eusilc"] = (["age", "pb220a", "rb090", "hsize", "db040"], "pl030")
            loaded["regions"] = (["age", "pb220a", "pl030", "rb090", "hsize"], "db040")
            con.execute("create table regions as from eusilc").fetchall()
        census.load(con)
        con.execute("create table census as from people").fetchall()
        seen: Counter[str] = Counter()
        con.execute(
            """
            create table guessed (
                kind varchar, overlap integer, is_frequent boolean, bin integer, people bigint,
                stated double, upper double, is_right double)
            """
        ).fetchall()
        print("| releases | guess | bin | people | stated -> right | 95 % interval | upper end |")
        print("|---|---|---|---|---|---|---|")
        for kind in KINDS:
            if kind.table in loaded and only in ("", kind.name):
                for overlap in range(overlaps):
                    draw = random.Random(f"{seed} {kind.name} {overlap}")
                    deal(con, kind, draw)
                    for j in range(kind.releases):
                        release(con, kind, j, *loaded[kind.table], draw)
                    attack(con, kind, overlap, *loaded[kind.table])
                show(con, kind, seen)
        print(
            f"Bins of at least {LARGE:,} people within 3 points: {seen['large, right']} of {seen['large']}; "
            f"others within their interval: {seen['small, right']} of {seen['small']}; "
            f"of two releases, of at least {LARGEST:,} people within 1.5 points: "
            f"{seen['largest, right']} of {seen['largest']}. "
            f"Sole candidates that are right: {seen['sole, right']:,} of {seen['sole']:,}."
        )
