"""Exact answers: judged together, with cells hidden, or refused."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

import sqlanon
from sqlanon.answers import exact
from sqlanon.answers.ways import asking_table
from sqlanon.core.errors import RefusedError, UseError
from sqlanon.publishing.register import opened
from tests.cells.regions import solver

pytestmark = solver
POLICY = """
[answers]
way = "exact"
register = "out.duckdb"
table = "stays"
threshold = {threshold}
{more}
[answers.dimensions.age]
type = "integer"
range = [20, 70]
[answers.dimensions.ward]
values = ["North", "South", "East"]
[answers.dimensions.disease]
values = ["flu", "asthma", "diabetes"]
"""
STAYS = """create or replace temp table stays as from (values
    ('Alice', 28, 'North', 'diabetes'), ('Bob', 31, 'North', 'flu'), ('Carol', 33, 'North', 'flu'),
    ('Dan', 35, 'North', 'asthma'), ('Eve', 52, 'South', 'flu'), ('Frank', 57, 'South', 'asthma'),
    ('Grace', 58, 'South', 'flu'), ('Heidi', 61, 'South', 'flu'), ('Ivan', null, 'South', 'none'))
    as row(name, age, ward, disease)"""


@pytest.fixture
def stays(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    con.execute(STAYS)
    return con


def policy(folder: Path, threshold: int = 3, more: str = "") -> Path:
    file = folder / "exact.toml"
    file.write_text(POLICY.format(threshold=threshold, more=more))
    return file


def ask(con: duckdb.DuckDBPyConnection, file: Path, question: str) -> list[Any]:
    return [row[:-1] for row in sqlanon.ask(con, question, file, data="stays").fetchall()]


@pytest.mark.both_lines
def test_a_tracker_is_stopped(stays: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    file = policy(tmp_path)
    assert ask(stays, file, "select count(*) from stays where age >= 20") == [(8, False)]
    assert ask(stays, file, "select count(*) from stays where age <> 28") == [(None, True)]
    assert ask(stays, file, "select count(*) from stays where age > 28 or age in (20, 22) or age < 28") == [
        (None, True)  # other words for the same people
    ]
    # stored: nothing is asked of the rows
    again = "select count(*) n from stays where (28 <> age)"
    assert ask(stays, file, again) == [(None, True)]
    assert ask(stays, file, f"{again} having count(*) is null") == []
    assert ask(stays, file, f"{again} having not (count(*) = 7)") == []
    told = sqlanon.told_answers(stays, tmp_path / "out.duckdb").project("release_id, epsilon").fetchall()
    assert told == [(1, None), (2, None), (3, None)]


def test_groups_and_what_is_asked_of_the_whole(stays: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    file = policy(tmp_path, 2)
    by = "select disease, count(*) as n from stays group by disease"
    rows = {label: told for label, *told in ask(stays, file, by)}
    assert rows["diabetes"] == [None, True]
    assert rows["flu"] == [5, False] or rows["flu"] == [None, True]
    shown = [label for label, (n, _) in rows.items() if n is not None]
    assert [label for label, *_ in ask(stays, file, f"{by} having n >= 0")] == shown
    ordered = ask(stays, file, f"{by} order by n desc nulls first")
    assert [hidden for _, _, hidden in ordered] == sorted(hidden for _, _, hidden in ordered)
    total = ask(stays, file, "select disease, count(*) as n from stays group by rollup (disease)")
    assert [*rows.values()] == [[*told] for _, *told in total[:-1]]
    assert ask(stays, file, "select count(*) as n from stays") == [tuple(total[-1][1:])]  # which is told


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("select count(*) from stays where age = 28 or ward = 'North'", "joined by AND"),
        ("select count(*) from stays where age > 90", "no declared value meets"),
        ("select count(*) filter (where age > 30) / count(*) as s from stays", "numbers of rows"),
    ],
)
def test_what_is_not_answered_depends_on_the_question(
    stays: duckdb.DuckDBPyConnection, tmp_path: Path, question: str, why: str
) -> None:
    with pytest.raises(UseError, match=why):
        ask(stays, policy(tmp_path), question)


@pytest.mark.slow("4 s")
def test_a_changed_table_is_a_new_period_and_others_are_other_audiences(
    stays: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    file, south = policy(tmp_path), "select count(*) from stays where ward = 'South'"
    assert ask(stays, file, south) == [(5, False)]
    press = policy(tmp_path, more='audience = "press"')
    assert ask(stays, press, south) == [(5, False)]
    ministry = policy(tmp_path, more='audience = "ministry"')
    assert ask(stays, ministry, "select count(*) from stays where ward = 'North'") == [(4, False)]
    told = sqlanon.told_answers(stays, tmp_path / "out.duckdb").project("audience, release_id").fetchall()
    assert told == [("", 1), ("press", 2), ("ministry", 3)]
    for more, others in {'audience = "press"': {3}, 'audience = "office"': {2, 3}, "": set()}.items():
        with (
            asking_table(stays, policy(tmp_path, more=more), "stays", None) as asking,
            opened(stays, tmp_path / "out.duckdb") as known,
        ):
            asked = asking.read("select count(*) from stays")
            assert exact.ExactAnswer(asking, asked, known).releases_of_others() == others
    assert ask(stays, policy(tmp_path), "select count(*) from stays") == [(9, False)]
    audit = sqlanon.audit(stays, None, register=tmp_path / "out.duckdb")  # a line for each audience
    lines = [
        [name.split(":")[0] for name in names]
        for (names,) in audit.relation(stays).filter("id = 'known'").project("releases").fetchall()
    ]
    assert sorted(lines) == [["answer 1", "answer 4"], ["answer 2"], ["answer 3"]]
    aside = "are not compared with those to other audiences, who may talk"
    assert audit.remarks == ["4 answers are tables of counts: attacks on rows do not apply",
                             f"answers to press {aside}", f"answers to ministry {aside}"]  # fmt: skip
    stays.execute("insert into stays values ('Judy', 40, 'South', 'flu')")
    with pytest.raises(UseError, match=r"answers\.period is as before, but the table has changed"):
        ask(stays, policy(tmp_path), south)


def test_an_audit_by_a_stricter_rule_tells_which_answers_tell_too_much(
    stays: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    """Each is looked at beside those before it only where all of them together tell something."""
    file, register = policy(tmp_path, more='growing = false\nperiod = "1"'), tmp_path / "out.duckdb"
    for question in ("select count(*) from stays", "select count(*) from stays where ward = 'South'"):
        ask(stays, file, question)
    later = policy(tmp_path, more='growing = false\nperiod = "2"')  # of other people
    for question in ("select count(*) from stays", "select count(*) from stays where age > 30"):
        ask(stays, later, question)
    assert sqlanon.audit(stays, None, register=register).verdict == "holds"
    with duckdb.connect(register) as known:
        known.execute(
            "update releases set parameters = "
            "replace(parameters::varchar, '\"threshold\": 3', '\"threshold\": 5')::json"
        ).fetchall()
    audit = sqlanon.audit(stays, None, register=register)
    found = audit.relation(stays).filter("id = 'known'").project("value, verdict").fetchall()
    assert (audit.verdict, found) == ("fails", [(1.0, "fails")])


def test_people_are_counted_if_each_is_in_one_place(stays: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """Two rows and two spellings of one person are one; without a name nobody is counted."""
    file = policy(tmp_path, more='unit = "name"')
    stays.execute("insert into stays from stays where age < 32")
    stays.execute("insert into stays values ('bob ', 31, 'North', 'flu'), (null, 40, 'North', 'flu')")
    assert ask(stays, file, "select count(distinct name) from stays where ward = 'North'") == [(4, False)]
    with pytest.raises(UseError, match=r"not allowed: count: in this way nothing is answered but numbers of"):
        ask(stays, file, "select count(*) from stays")
    stays.execute("insert into stays values ('Bob', 31, 'South', 'flu')")
    file = policy(tmp_path, more='unit = "name"\nperiod = "2"\ngrowing = true')
    with pytest.raises(UseError, match=r"answers\.unit says of some people that they have rows with several"):
        ask(stays, file, "select count(distinct name) from stays")


def test_values_that_read_as_labels_are_refused(stays: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    file = policy(tmp_path)
    file.write_text(file.read_text().replace('"East"', '"20-29"'))
    with pytest.raises(UseError, match=r"dimensions\.ward has the value 20-29, which reads as a label"):
        ask(stays, file, "select count(*) from stays")


@pytest.mark.both_lines
def test_moves_are_kept_in_the_register(stays: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """A new process knows the same moves, looks for none, and hides the same; they have no values."""
    file, chance = policy(tmp_path, 8), random.Random(1)
    people = [(chance.randrange(20, 70), chance.choice(["North", "South"]), chance.choice(["flu", "asthma"]))
              for _ in range(60)]  # fmt: skip
    stays.execute("create or replace temp table stays (age int, ward text, disease text)")
    stays.executemany("insert into stays values (?, ?, ?)", people)
    for by in ("ward", "disease"):
        ask(stays, file, f"select {by}, count(*) from stays where age < 40 group by {by}")
    [(_, before)] = exact._kept.values()
    exact._kept.clear()
    with (
        asking_table(stays, file, "stays", None) as asking,
        opened(stays, tmp_path / "out.duckdb") as known,
    ):
        _, after = exact.ExactAnswer(asking, asking.read("select count(*) from stays"), known)._populations()
    assert len(after.moves)
    for name in ("who", "taken", "kind", "layer", "values"):
        assert (getattr(after.moves, name) == getattr(before.moves, name)).all(), name
    for guard in (after.apart, *after.groups.values()):
        kept = np.ones(len(after.moves), dtype=bool)
        assert not len(guard.unsafe(kept, after.moves.layer, 8))


@pytest.mark.slow("3 s")
def test_a_published_table_counts(stays: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    file, table = policy(tmp_path), tmp_path / "wards.toml"
    table.write_text('[table]\nmethod = "suppress"\ndimensions = ["ward"]\nthreshold = 3\n')
    stays.execute("delete from stays where age is null")
    register, output = tmp_path / "out.duckdb", tmp_path / "wards.csv"
    sqlanon.publish_table(stays, "stays", table, register=register, output=output)
    assert ask(stays, file, "select count(*) from stays where disease = 'flu'") == [(5, False)]
    flu = "select count(*) from stays where disease in ('flu', 'asthma') or disease is null"
    assert ask(stays, file, flu)[0] in [(7, False), (None, True)]  # values and missing ones: a set with NULL
    # all but one of those in the table: more is hidden
    assert ask(stays, file, "select count(*) from stays where age <> 28") == [(None, True)]
    with opened(stays, register, read_only=True) as known:
        assert [entry.id for entry in known.out()] == [1, 2, 3, 4]


KILLED = """
import os, signal, sys
import duckdb, sqlanon
from sqlanon.answers import stored

def killed(*arguments, **more):
    keep(*arguments, **more)
    os.kill(os.getpid(), signal.SIGKILL)

keep, stored.StoredAnswer.keep = stored.StoredAnswer.keep, killed
con = duckdb.connect()
con.execute(sys.argv[2])
print(sqlanon.ask(con, "select count(*) from stays", sys.argv[1], data="stays").fetchall(), flush=True)
"""


@pytest.mark.slow("20 s: two answers, one in a process of its own")
def test_an_asker_is_killed(stays: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """Between entry and commit: nothing was told, and nothing is in the register."""
    file = policy(tmp_path)
    command = [sys.executable, "-c", KILLED, str(file), STAYS]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (-signal.SIGKILL, ""), run.stderr
    assert sqlanon.told_answers(stays, tmp_path / "out.duckdb").fetchall() == []
    with opened(stays, tmp_path / "out.duckdb", read_only=True) as known:
        assert known.entries() == []
    assert ask(stays, file, "select count(*) from stays") == [(9, False)]


KINDS = [*product(("North", "South"), ("flu", "asthma"))]
CELLS = {
    "": (("",), lambda ward, disease: ""),
    "ward": (("North", "South"), lambda ward, disease: ward),
    "disease": (("flu", "asthma"), lambda ward, disease: disease),
}


@pytest.mark.slow("60 s: each question is a table that is judged together with all before")
@pytest.mark.parametrize("seed", range(8))
def test_no_cell_that_was_asked_is_known(stays: duckdb.DuckDBPyConnection, tmp_path: Path, seed: int) -> None:
    """Over all populations that agree with what was told, each hidden cell, and each difference of two, has
    as many values as the threshold, or none of few people."""
    chance, threshold = random.Random(seed), 3
    people = [chance.choice(KINDS) for _ in range(8)]
    stays.execute("create or replace temp table stays (age int, ward text, disease text)")
    stays.executemany("insert into stays values (30, ?, ?)", people)
    file, masks, told = policy(tmp_path, threshold), [], []
    for _ in range(4):
        where = chance.choice(["", "ward = 'North'", "disease = 'flu'", "ward = 'South'"])
        by = chance.choice(["ward", "disease", ""])
        text = f"select {by + ', ' if by else ''}count(*) from stays"
        text += f" where {where}" if where else ""
        text += f" group by {by}" if by else ""
        try:
            rows = ask(stays, file, text)
        except RefusedError:
            continue
        for *labels, n, hidden in rows:
            kept = [
                (not where or where.split("'")[1] in kind) and all(label in kind for label in labels)
                for kind in KINDS
            ]
            masks.append(kept)
            told.append(None if hidden else n)
    everybody = np.array([each for each in product(range(25), repeat=4) if sum(each) <= 24])
    fits = np.ones(len(everybody), dtype=bool)
    for mask, n in zip(masks, told, strict=True):
        counts = everybody[:, mask].sum(axis=1)
        fits &= counts == n if n is not None else counts >= 0
    possible = everybody[fits]
    asked = [np.array(mask, dtype=int) for mask in masks]
    signs = [each for one in asked for other in [0 * one, *asked] for each in [one - other]]
    hidden = [each for each, n in zip(asked, told, strict=True) if n is None]
    for sign in [*hidden, *(each for each in signs if each.min() >= 0 and each.max() > 0)]:
        values = {*(possible @ sign).tolist()}
        if 0 < min(values) < threshold:
            assert len(values) >= threshold, (sign, values)
