"""Chains, and chains that are steps of others."""

import re

import duckdb
from sqlglot import exp

import sqlanon
from sqlanon.core.statements import execute
from sqlanon.core.steps import Chain, statement_of, statements
from sqlanon.core.tables import WorkTables

DEFINITIONS = """
    select function_name, macro_definition from duckdb_functions()
    where database_name = 'sqlanon' and function_type = 'table_macro'
      and regexp_matches(macro_definition, '^WITH (RECURSIVE )?_sqlanon_')"""

ASKED = {
    "tbl": "p", "qi": ["a", "b"], "sensitive": ["c"], "keep": [], "k": 2, "relaxed": False,
    "recoding": "text", "suppression_limit": 0, "t_distance": "equal", "seed": 1,
}  # fmt: skip


def rows_of(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        "create temp table p as select i % 7 as a, i % 3 as b, i % 4 as c from range(40) r(i)"
    ).fetchall()


def test_the_steps_of_a_chain_in_a_chain_have_the_names_of_both(con: duckdb.DuckDBPyConnection) -> None:
    rows_of(con)
    statement = statement_of(con, "mondrian", ASKED)
    told = statements(con, statement)
    made = [each.this.name for each in told if isinstance(each, exp.Create)]
    assert "_sqlanon_label_extent" in made
    assert made.index("_sqlanon_label_extent") < made.index("_sqlanon_label")
    for each in told[:-1]:
        execute(con, each)
    try:
        assert execute(con, told[-1]) == con.execute(statement).fetchall()
    finally:
        for name in made:
            con.execute(f"drop table {name}").fetchall()
        con.execute("drop table p").fetchall()


def test_what_reads_a_step_is_made_again_with_it(con: duckdb.DuckDBPyConnection) -> None:
    rows_of(con)
    with WorkTables(con) as work:
        made: list[str] = []
        statement = statement_of(con, "mondrian", ASKED)
        chain = Chain(con, work, statement, lambda step, done, message: None)
        chain.query()
        again = chain.again(statement, ["cut_state"], kept=["cut"])
        again._watch = lambda step, done, message: made.append(step)
        again.query()
        assert made == ["cut_state"]
        again = chain.again(statement, ["label_extent"])
        again._watch = lambda step, done, message: made.append(step)
        again.query()
        assert made[1:] == ["label_extent", "label_class_set", "label"]
    con.execute("drop table p").fetchall()


def test_no_relation_is_hidden_by_one_of_a_chain_that_reads_it(con: duckdb.DuckDBPyConnection) -> None:
    """A name that a chain hands to another, and that is one of this one's own, would mean the latter."""
    sqlanon.register(con)
    definitions = dict(con.execute(DEFINITIONS).fetchall())
    own = {name: set(re.findall(r"(_sqlanon_\w+) AS ", text)) for name, text in definitions.items()}
    calls = 0
    for outer, text in definitions.items():
        for call in re.finditer(r"\b(_\w+)\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)", text):
            if call[1] in own.keys() - {outer}:
                calls += 1
                assert not set(re.findall(r"_sqlanon_\w+", call[2])) & own[call[1]], (outer, call[1])
    assert calls > 4
