"""Privacy models that users have written: whatever knows a model knows them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import sqlanon
from sqlanon.core.errors import UseError
from tests.documents import DOCS, blocks

PAGE = [*blocks((DOCS / "how_to/own_attack.md").read_text("utf-8"))]
[SCRIPT] = [block.text for block in PAGE if block.title == "simpson.sql"]
PEOPLE = """
    create table people as
    select 20 + i * 37 % 60 as age, 13000 + i * 53 % 97 as zip, 'd' || i * i % 7 as disease
    from range(200) as person(i)"""
POLICY = """
confirmed = true
[roles]
qi = ["age", "zip"]
sensitive = ["disease"]
[requirements]
k = 2
simpson = 0.3
"""
# In a process of its own, as long as which the model is there.
RUN = f"""
import json, sys
from pathlib import Path
import duckdb, sqlanon
con = duckdb.connect()
con.execute('''{PEOPLE}''')
about = dict(qi=["age", "zip"], sensitive="disease")
sqlanon.mondrian(con, "people", **about, k=2, into="before")
sqlanon.plug_in(Path("simpson.sql"))
made = sqlanon.mondrian(con, "people", **about, k=2, simpson=0.3, into="made")
refused = []
for wrong in (0.01, 1.5):
    try:
        sqlanon.mondrian(con, "people", **about, k=2, simpson=wrong)
    except sqlanon.InputError as error:
        refused.append(str(error))
from sqlanon.policies.policy import load
required = load(Path("p.toml")).requirements
sqlanon.plug_in(Path("simpson.sql"))  # again
print(json.dumps({{
    "reached": made.reached,
    "rows": con.sql("from made").fetchall(),
    "by_class": con.sql("select class.age, class.zip, reached from sqlanon.violations('made', qi := "
                        "['age', 'zip'], sensitive := 'disease', simpson := 0.0001)").fetchall(),
    "privacy": con.sql("select id, reached from sqlanon.privacy('made', qi := ['age', 'zip'], sensitive := "
                       "'disease') where id = 'simpson'").fetchall(),
    "refused": refused, "required": required,
}}))
"""


def by_hand(values: list[str]) -> float:
    return sum((values.count(value) / len(values)) ** 2 for value in {*values})


def test_it_is_enforced_checked_and_required(tmp_path: Path) -> None:
    (tmp_path / "simpson.sql").write_text(SCRIPT)
    (tmp_path / "p.toml").write_text(POLICY)
    ran = subprocess.run([sys.executable, "-c", RUN], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout.splitlines()[-1])
    classes: dict[tuple[str, ...], list[str]] = {}
    for *labels, disease in told["rows"]:
        classes.setdefault(tuple(labels), []).append(disease)
    assert len(told["rows"]) == 200
    assert len(classes) > 5
    assert max(map(by_hand, classes.values())) <= 0.3 + 1e-9
    reached = {tuple(labels): found for *labels, found in told["by_class"]}
    assert reached == pytest.approx({labels: by_hand(values) for labels, values in classes.items()})
    assert told["reached"]["Simpson index"] == pytest.approx(max(reached.values()))
    [(_, worst)] = told["privacy"]
    assert worst == pytest.approx(max(reached.values()))
    assert told["refused"] == [
        "no release can meet the requirements: the whole table as one class reaches "
        f"{by_hand(['d' + str(i * i % 7) for i in range(200)]):.4g} in Simpson index of column disease, 0.01 "
        "is required",
        "simpson must be above 0 and at most 1, not 1.5",
    ]
    assert told["required"] == {"k": 2, "simpson": 0.3}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("- reached: simpson(n, size)\n", "", "must say reached"),
        ("about: shares", "about: rows", "must say about: values or shares"),
        ("direction: at most\n", "direction: less\n", "must say direction: at least, at most or below"),
        ("above: 0", "above: some", "must have a whole number as above, not some"),
        ("merged_if: both", "merged_if: never", "must say merged_if: one, both or neither"),
        ("- most: 1", "- largest: 1", "has largest, which is none of title, about"),
        ("title: Simpson index", "title: Simpson's", "must have a title of letters"),
        ("simpson(n, size)\n", "simpson(n, size); drop\n", "must have no ; { } $ in what it says"),
        ("simpson", "k", "k is a parameter of"),
        ("simpson", "Simpson", "in lower case: simpson"),
        ("simpson", "risk", "there is a macro risk already"),
        ("on macro", "on macro table", "must say: comment on macro simpson is"),
    ],
)
def test_a_block_that_is_wrong_adds_nothing(old: str, new: str, message: str) -> None:
    before = sqlanon.read_library()
    with pytest.raises(UseError, match=re.escape(message)):
        sqlanon.plug_in(SCRIPT.replace(old, new))
    assert sqlanon.read_library() == before
