"""Growth without a clock: how many rows the largest operator of a macro's plan makes, of some people and of
four times as many.

DuckDB expects one row of many relations, and may then join on what all rows share: the answer is right, and
nothing but the memory of a large table tells. Its own count of rows does (EXPLAIN ANALYZE), on a small table.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from sqlglot import exp

import sqlanon
from sqlanon.core import comments, statements
from sqlanon.core.comments import parameters
from sqlanon.core.statements import render
from sqlanon.randomize.noise import register_noise
from tests.core.test_help import PUBLIC

pytestmark = pytest.mark.skipif(
    duckdb.__version__.startswith("1."), reason="before 2.0 a plan does not tell the rows of each operator"
)

FEW, TIMES = 300, 4
LINEAR = 5  # times the rows, of four times the people
PER_ROW = 60  # rows of the largest operator, for a row of the arguments and of the result

QI = "qi := ['age', 'zip', 'sex', 'job']"
ABOUT = f"{QI}, sensitive := 'disease'"
ASKED = "targets := 'b', id := 'id'"
T = f"{ASKED}, {ABOUT}"
VISITS = "targets := 'visits', id := 'row', unit := 'id', qi := ['zip', 'age'], sensitive := 'disease'"
TWO, THREE = "['r1', 'r2']", "['r1', 'r2', 'r3']"
KNOWN = "columns := 'disease', keys := 'diseases', epsilon := 1"
INCOME = "measure := 'income', bounds := [0, 100000]"
PEOPLE = "['a', 'visits'], unit := 'a.id', joins := 'visits.id = a.id'"
SEXES = "dimensions := ['age', 'sex']"

CASES = {
    # releases
    "anatomize": f"'a', {ABOUT}, l := 3",
    "datafly": f"'a', {ABOUT}, k := 5, suppression_limit := 0.1",
    "generalize": "'a', qi := ['age', 'zip'], levels := [1, 1], hierarchies := 'h', k := 1",
    "k_similar": "'a', qi := ['age', 'zip'], k := 5, algorithm := 'curve'",
    "lattice": "'a', qi := ['age', 'zip'], hierarchies := 'h', k := 5",
    "m_invariant": f"'a', id := 'id', {ABOUT}, m := 3",
    "m_invariant_state": f"'a', id := 'id', {ABOUT}, m := 3, seed := 1",
    "microaggregate": "'a', qi := ['age', 'zip'], k := 5, algorithm := 'curve'",
    "mondrian": f"'a', {ABOUT}, k := 5, l := 3",
    "mondrian after another": f"'b', {ABOUT}, k := 5, composed_l := 2, known := ['r1']",
    "mondrian of several rows": "'visits', qi := ['zip'], sensitive := 'disease', unit := 'id', k := 5, "
                 "l := 2",
    "mu_argus": f"'a', {ABOUT}, k := 3",
    "optimal": f"'a', {ABOUT}, k := 5, suppression_limit := 0.1",
    "recode": f"'a', scheme := 'scheme', {ABOUT}, k := 1",
    "samarati": f"'a', {ABOUT}, k := 5, suppression_limit := 0.1",
    "sampled_k_anonymity": "'a', columns := 'disease', k := 2, share := 0.9, epsilon := 3",
    "scheme_of_cuts": f"'r1', {QI}",
    "scheme_of_levels": "'levelled', qi := ['age', 'zip'], hierarchies := 'h'",
    # hierarchies
    "complete_hierarchies": "'a', ['zip'], 'h'",
    "date_hierarchy": "'born', 'birthday', units := ['month', 'year']",
    "flat_hierarchy": "'a', 'disease'",
    "icd10_hierarchy": "'a', 'disease'",
    "interval_hierarchy": "'a', 'age', widths := [5, 10]",
    "lacking_values": "'a', ['zip'], 'h'",
    "mask_hierarchy": "'a', 'zip'",
    "wide_hierarchy": "'wide', 'disease'",
    # models, risk
    "agreeing_rows": "'a', 'b', columns := 'zip', sensitive := 'disease'",
    "answer": "'r1', 0, unchanged := 'disease', ranges := map {'age': [20, 40]}, "
                 "texts := map {'disease': ['d1', 'd2']}, group_by := 'disease'",
    "classes": f"'a', {QI}",
    "closest_records": "'a', 'b', 'a', columns := ['age', 'zip', 'sex', 'job']",
    "disclosure": "'a', 'noisy', id := 'id', columns := 'income'",
    "identifiers": "'a'",
    "leaving_columns": f"'a', {ABOUT}",
    "log_linear_risk": f"'a', {QI}, fraction := 0.1",
    "log_linear_risk of marginals": f"'a', {QI}, fraction := 0.1, "
                 "marginals := [['age', 'sex'], ['sex', 'zip']]",
    "minimal_uniques": "'a', columns := ['zip', 'disease'], id := 'id'",
    "person_classes": f"{PEOPLE}, qi := ['a.zip', 'visits.zip']",
    "person_values": f"{PEOPLE}, qi := 'a.zip', sensitive := 'visits.disease'",
    "possible_offsets": "['a', 'dated'], unit := 'a.id', joins := 'dated.id = a.id', dates := 'dated.day', "
                 "collected_from := '2026-06-01', collected_until := '2027-12-31'",
    "privacy": f"'r1', {ABOUT}",
    "quasi_identifiers": "'a'",
    "record_linkage": "'a', 'noisy', id := 'id', columns := 'income'",
    "record_risk": f"'a', {QI}",
    "record_risk of a sample": f"'sampled', {QI}, sampling_weight := 'w', household := 'home'",
    "risk": f"'a', {QI}",
    "risk of a sample": f"'sampled', {QI}, sampling_weight := 'w', household := 'home', "
                 "risk_formula := 'exact', wished_global_risk := 0.001",
    "safe_harbor": "'a'",
    "spellings": "'a'",
    "suda": "'a', columns := ['zip', 'disease', 'age'], id := 'id', fraction := 0.1",
    "suppress_above_risk": f"'sampled', {QI}, sampling_weight := 'w', household := 'home', max_risk := 0.2",
    "unicity": "'visits', unit := 'id', columns := 'zip', points := [1, 2], sample := 50",
    "violations": f"'r1', {ABOUT}, k := 5, l := 2, t := 0.9",
    "wildcard_frequencies": "'wildcards', qi := ['age', 'disease']",
    # attacks
    "attack_summary": "'answer'",
    "background_knowledge": f"'r1', {ABOUT}",
    "breaches": f"{TWO}, {T}",
    "complementary_release": f"{TWO}, {QI}, join_columns := 'disease'",
    "composition_verdicts": f"{TWO}, {T}",
    "correspondence": f"['r2', 'r1'], {ABOUT}",
    "de_finetti": f"'bucketed', {T}, rounds := 20, bucket := 'bucket'",
    "differencing": "'counts', dimensions := ['sex', 'disease'], count_column := 'n', threshold := 5, "
                    "programs := 'none'",
    "downcoding": "'levelled', qi := ['age', 'zip'], hierarchies := 'h'",
    "exact_cover": f"{TWO}, {T}",
    "exact_cover of three": f"{THREE}, {T}",
    "exact_cover of codes": f"{TWO}, {ASKED}, {QI}, sensitive := 'code'",
    "exact_cover of many alike": f"['coarse', 'coarser'], {ASKED}, qi := ['age', 'zip'], "
                 "sensitive := 'disease'",
    "exact_cover of several rows": f"['v1', 'v2'], {VISITS}",
    "expected_breaches": f"'r1', {ABOUT}",
    "facts_attack": f"{PEOPLE}, facts := ['a.zip', 'visits.disease'], sample := 50",
    "forecast": f"'r1', {ABOUT}",
    "four_questions": "'r1', 'a', columns := ['age', 'zip', 'disease'], sensitive := 'disease'",
    "homogeneity": f"'r1', {ABOUT}",
    "insert_only": f"['r2', 'r1'], {ABOUT}",
    "intersection_attack": f"{TWO}, {T}",
    "intersection_attack of several rows": f"['v1', 'v2'], {VISITS}",
    "joined_releases": "['places', 'diagnoses'], join_on := 'place', x := 'id', y := 'row'",
    "linking": f"'r1', {T}",
    "locate": f"'r1', {ASKED}, {QI}",
    "m_invariance": f"{TWO}, {T}",
    "maximum_disclosure": f"'r1', {ABOUT}, k := 2",
    "membership": "'a', 'known', id := 'id', columns := 'age', controls := 'out'",
    "membership_by_counts": "['of_zips'], 'known', id := 'id', marginals := [['zip']], count_column := 'n', "
                 "controls := 'out', reference := 'b'",
    "minimality": f"'r1', {T}, k := 5, l := 3",
    "nearest_inference": "'a', targets := 'b', id := 'id', columns := ['age', 'zip', 'job'], "
                 "sensitive := 'disease'",
    "nearest_linkage": f"'a', {ASKED}, here := ['age', 'zip'], there := ['sex', 'job']",
    "noisy_counts_attack": f"['noisy_counts'], {ASKED}, qi := ['age', 'sex'], sensitive := 'disease', "
                           "count_column := 'n', deviation_column := 'standard_deviation'",
    "people_in_classes": f"'r1', 'a', {QI}, unit := 'id', unchanged := 'disease'",
    "singling_out": f"'a', {ASKED}, columns := ['age', 'zip', 'sex', 'job']",
    "skyline": f"'r1', {ABOUT}",
    "sparse_linkage": "'diagnoses', targets := 'diagnoses_of', id := 'id', record := 'row', "
                 "columns := 'disease'",
    "trails": "'diagnoses', targets := 'places', id := 'id', record := 'row', place := 'place'",
    "unread_labels": f"'r1', 'b', {QI}",
    "unshared_values": f"{TWO}, sensitive := 'disease'",
    "unsorted_matching": "['only_age', 'only_zip'], qi := ['age', 'zip']",
    # values changed by chance
    "add_noise": "'a', columns := 'income', keep := 'id'",
    "bottom_code": "'a', columns := 'income', keep := 'id', share := 0.2",
    "pram": "'a', columns := 'disease', keep := 'id'",
    "rank_swap": "'a', columns := 'income', keep := 'id'",
    "round_values": "'a', columns := 'income', base := 5000, keep := 'id'",
    "top_code": "'a', columns := 'income', keep := 'id', share := 0.2",
    # noise
    "composed_privacy": "'spent'",
    "debiased_counts": f"'a', {KNOWN}",
    "dp_bounds": "'a', measure := 'income', epsilon := 1",
    "dp_contingency": "'answers', columns := ['old', 'flu'], marginals := [['old', 'flu']], epsilon := 1",
    "dp_counts": f"'a', {KNOWN}",
    "dp_histogram": "'a', columns := 'zip', hierarchies := 'h', epsilon := 1",
    "dp_means": f"'a', {KNOWN}, {INCOME}",
    "dp_microaggregate": "'a', columns := ['age', 'income'], bounds := [0, 100, 0, 100000], k := 4, "
                 "epsilon := 5",
    "dp_quantiles": f"'a', {KNOWN}, {INCOME}",
    "dp_sums": f"'a', {KNOWN}, {INCOME}",
    "dp_top": f"'a', {KNOWN}",
    "dp_wavelet": f"'a', {INCOME}, epsilon := 1",
    "indistinguishability": "'response', 'pairs'",
    "randomized_response": f"'a', {KNOWN}",
    "semantic_privacy": "'response', 'without'",
    # tables of counts
    "cell_bounds": f"'hidden', {SEXES}, programs := 'none'",
    "cell_keys": f"'keyed', {SEXES}, ptable := 'noise', record_key := 'key'",
    "cell_states": f"'hidden', 'bounds', {SEXES}",
    "cell_sums": f"'hidden', {SEXES}",
    "guess_by_marginals": "['by_age', 'by_sex'], dimensions := ['age', 'sex']",
    "round_cells": f"'cells', {SEXES}, base := 3",
    "table_cells": "'a', dimensions := ['age', 'sex', 'disease']",
    "tables_together": f"['cells', 'by_age'], {SEXES}, programs := 'none'",
    "unsafe_cells": f"'cells', {SEXES}, threshold := 3",
    # what is lost
    "count_errors": "'a', 'noisy_counts', qi := ['age', 'sex']",
    "dominated": "'choices', id := 'id', columns := ['age', 'income']",
    "features": "'r1', ['age', 'zip']",
    "utility": f"'a', 'r1', {ABOUT}",
    "utility_of_synthetic": "'a', 'b', columns := ['age', 'sex', 'job']",
}  # fmt: skip
SOLVED = {"reconstruct", "suppress_cells"}  # by programs, which have limits of their own
# Cuts are made in rounds, as parts of people are found, and pairs of rows or classes are compared.
MORE = dict.fromkeys(
    [
        "mondrian", "mondrian after another", "scheme_of_cuts", "closest_records",
        "exact_cover of several rows", "four_questions", "nearest_inference",
    ],
    8,
)  # fmt: skip
ROWS = {"closest_records": 150, "de_finetti": 100}  # instead of PER_ROW

TABLES = """
    create table a as
    select *, 'd' || code as disease
    from (select i as id, 18 + (hash(i, 1) % 70)::int as age, (10000 + hash(i, 2) % 20)::text as zip,
                 ['m', 'f'][1 + i % 2] as sex, 'j' || hash(i, 3) % 60 as job,
                 ((hash(i, 4) % 40) * (hash(i, 5) % 40) // 40)::int as code,
                 1000 * (hash(i, 6) % 90)::int as income
          from range({n}) as person(i));
    create table b as from a where id < {n} * 0.95;
    create table sampled as
    select * replace (nullif(age, 20) as age, if(code % 9 = 0, '*', job) as job), id // 3 as home,
           1.5 + id // 3 % 50 as w
    from a;
    create table visits as
    select row_number() over () as row, *
    from (from a union all select * replace ('d' || code + 1 as disease) from a);
    create table dated as select id, date '2026-01-01' + code as day from visits;
    create table h as from sqlanon.interval_hierarchy('a', 'age', widths := [10, 20])
    union all from sqlanon.mask_hierarchy('a', 'zip');
    create table r1 as from sqlanon.mondrian('a', {about}, keep := 'code', k := 5, l := 3);
    create table r2 as from sqlanon.mondrian('b', {about}, keep := 'code', k := 7, l := 3);
    create table r3 as from sqlanon.mondrian('a', qi := ['zip', 'job'], sensitive := 'disease', k := 9);
    alter table r3 add column age text default '*';
    alter table r3 add column sex text default '*';
    create table coarse as select (age // 10 * 10) || '-' || (age // 10 * 10 + 9) as age, '*' as zip, disease
    from a;
    create table coarser as select '*' as age, zip, disease from a;
    create table v1 as from sqlanon.mondrian(
        'visits', qi := ['zip', 'age'], sensitive := 'disease', unit := 'id', k := 5);
    create table v2 as from sqlanon.mondrian(
        'visits', qi := ['age', 'zip'], sensitive := 'disease', unit := 'id', k := 8);
    create table scheme as from sqlanon.scheme_of_cuts('r1', {qi});
    create table levelled as from sqlanon.generalize(
        'a', qi := ['age', 'zip'], levels := [1, 1], hierarchies := 'h', k := 1);
    create table born as select date '2026-01-01' - 365 * age as birthday from a;
    create table wide as select distinct disease, 'group ' || code // 5 as organ, '*' as anything from a;
    create table noisy as from sqlanon.add_noise('a', columns := 'income', keep := 'id');
    create table wildcards as from sqlanon.mu_argus('a', qi := ['age', 'disease'], k := 3);
    create table answer as
    select id, disease as learned, 0.5 as confidence, 0.1 as baseline, true as is_right, false as is_control
    from a;
    create table bucketed as from sqlanon.anatomize('a', {about}, l := 3);
    create table counts as select sex, disease, nullif(count(*), 1) as n from a group by cube (sex, disease);
    create table places as select id, 'p' || id // 4 as place from a;
    create table diagnoses as select 'r' || id as row, disease || id // 8 as disease, 'p' || id // 4 as place
    from a;
    create table diagnoses_of as select id, disease || id // 8 as disease from a;
    create table known as select *, id >= {n} * 0.95 as out from a;
    create table of_zips as select zip, count(*) as n from b group by zip;
    create table noisy_counts as
    select age, sex, disease, count(*) + 1 as n, 1.5 as standard_deviation from a group by all;
    create table only_age as select age, '*' as zip from a;
    create table only_zip as select '*' as age, zip from a;
    create table diseases as select 'd' || range as disease from range(41);
    create table spent as select 0.1 as epsilon, 0 as delta, null as rho from a;
    create table answers as select age > 35 as old, code = 1 as flu from a;
    create table response as select id as database, sex as output, 1.0 as probability from a;
    create table pairs as select id as database, id - 1 as neighbor from a where id > 0;
    create table without as select id as database, 'Ann' as person, id as neighbor from a;
    create table cells as from sqlanon.table_cells('a', {sexes});
    create table hidden as
    select age, sex, if(value < 9 and age <> 'total' and sex <> 'total', '*', value::text) as value
    from cells;
    create table bounds as from sqlanon.cell_bounds('hidden', {sexes}, programs := 'none');
    create table keyed as select *, hash(id) % 4096 as key from a;
    create table noise as from sqlanon.perturbation_table(largest := 3, variance := 2);
    create table by_age as select age::text as age, count(*) as value from a group by all;
    create table by_sex as select sex, count(*) as value from a group by all;
    create table choices as select id, age, income from a where id < 100;
"""


@pytest.fixture(scope="module")
def databases() -> Iterator[list[duckdb.DuckDBPyConnection]]:
    """The same tables of few people, and of some times as many."""
    made = []
    for n in (FEW, TIMES * FEW):
        con = duckdb.connect()
        sqlanon.register(con)
        register_noise(con)
        script = TABLES.format(n=n, about=ABOUT, qi=QI, sexes=SEXES)
        con.execute(script).fetchall()
        made.append(con)
    yield made
    for con in made:
        con.close()


def largest(con: duckdb.DuckDBPyConnection, query: str) -> tuple[int, str, int]:
    """The rows of the largest operator of a query's plan, and where it is; and the rows of the result."""
    [(_, text)] = con.execute(f"explain (analyze, format json) {query}").fetchall()
    operators = json.loads(text)["operator"]
    found = (0, "")

    def look(node: dict[str, Any], within: tuple[str, ...]) -> None:
        nonlocal found
        about = node.get("extra_info") or {}
        within += (about["CTE Name"],) if "CTE Name" in about else ()
        here = f"{node.get('name')} {about.get('Conditions', '')} in {'/'.join(within[-3:])}"
        found = max(found, (node.get("intermediate_rows", 0), here))
        for child in node.get("children", ()):
            look(child, within)

    for node in operators:
        look(node, ())
    top = operators[0]
    while not top.get("intermediate_rows") and top.get("children"):
        top = top["children"][0]
    return *found, top.get("intermediate_rows", 0)


def rows(con: duckdb.DuckDBPyConnection, query: str) -> int:
    """The rows of the tables that a query names."""
    named = re.findall(r"'(\w+)'", query)
    told = "select sum(estimated_size) from duckdb_tables() where list_contains($1, table_name)"
    [(total,)] = con.execute(told, [named]).fetchall()
    return int(total)


def test_there_is_a_case_of_every_macro() -> None:
    """One without a table has nothing to grow with."""
    reading = {macro for macro in PUBLIC if any(one.is_table for one in parameters(macro).values())}
    assert {name.partition(" ")[0] for name in CASES} | SOLVED == reading
    assert comments.attacks().keys() <= {name.partition(" ")[0] for name in CASES}


@pytest.mark.parametrize("case", CASES)
def test_growth(databases: list[duckdb.DuckDBPyConnection], case: str) -> None:
    query = f"from sqlanon.{case.partition(' ')[0]}({CASES[case]})"
    (few, *_), (many, where, returned) = (largest(con, query) for con in databases)
    about = f"{case}: {few:,} rows, and {many:,} of {TIMES} times the people: {where}"
    assert many <= MORE.get(case, LINEAR) * few, about
    per_row = many / (returned + rows(databases[1], query))
    assert per_row <= ROWS.get(case, PER_ROW), f"{about}: {per_row:.0f} for a row that is read or returned"


@pytest.mark.slow("5 s")
@pytest.mark.filterwarnings("ignore:in no role here")
def test_growth_of_the_attacks_of_the_gate(
    databases: list[duckdb.DuckDBPyConnection], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python makes a step of a chain after the other, with what attacks share."""
    steps: list[tuple[int, str]] = []
    execute = statements.execute

    def measured(con: duckdb.DuckDBPyConnection, statement: exp.Expression | str, given: Any = None) -> Any:
        if isinstance(statement, exp.Create) and isinstance(statement.expression, exp.Select | exp.Union):
            steps.append(largest(con, render(statement.expression))[:2])
        return execute(con, statement, given)

    for name, module in list(sys.modules.items()):
        if name.startswith("sqlanon.") and getattr(module, "execute", None) is execute:
            monkeypatch.setattr(module, "execute", measured)
    made = []
    for con in databases:
        steps.clear()
        sqlanon.run_attacks(
            con, ["r1", "r2", "r3"], qi=["age", "zip", "sex", "job"], sensitive="disease", targets="b",
            id="id", attacks=["intersection_attack", "exact_cover", "linking", "correspondence"],
        ).fetchall()  # fmt: skip
        made.append(list(steps))
    assert len(made[0]) == len(made[1]) > 10
    for (few, _), (many, where) in zip(*made, strict=True):
        assert many <= LINEAR * max(few, TIMES * FEW), f"{few:,} rows, and {many:,}: {where}"
        assert many <= PER_ROW * TIMES * FEW * 4, f"{many:,} rows: {where}"
