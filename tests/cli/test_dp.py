"""Budgets and randomized releases from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import sqlanon
from sqlanon.cli import app
from sqlanon.core.comments import parameters
from sqlanon.policies.randomized import keys, taken
from sqlanon.randomize.mechanisms import MECHANISMS

SET = ["budget", "set", "releases.duckdb", "--source", "people", "--unit", "person_id"]
COUNTS = [
    "dp", "counts", "people.csv", "--by", "sex,education", "--epsilon", "0.5", "--delta", "1e-7",
    "--unit", "person_id", "--max-groups", "1", "--register", "releases.duckdb", "--source", "people",
]  # fmt: skip
POLICY = """[input]
types = {person_id = "text"}
[dp]
source = "people"
unit = "person_id"
by = ["sex"]
epsilon = 0.1
max_groups = 1
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = [f"{i},{'mf'[i % 2]},{'abc'[i % 3]},{i % 7}\n" for i in range(1200)]
    (tmp_path / "people.csv").write_text("person_id,sex,education,visits\n" + "".join(rows))
    (tmp_path / "sexes.csv").write_text("sex\nm\nf\nd\n")
    (tmp_path / "policy.toml").write_text(POLICY)
    return tmp_path


def ends(code: int, *arguments: str) -> Result:
    result = CliRunner().invoke(app.app, [*arguments])
    assert result.exit_code == code, result.output
    return result


@pytest.mark.slow("1 s")
def test_a_budget_is_declared_and_shown(folder: Path) -> None:
    declared = ends(0, *SET, "--epsilon", "1", "--delta", "1e-6")
    assert declared.stdout == ""
    assert declared.stderr.splitlines()[1] == (
        "people by person_id: epsilon 0 of 1 is spent, with delta 0 of 1e-06; left is epsilon 1 "
        "without a delta"
    )
    assert "it was epsilon 1 and delta 1e-06" in ends(0, *SET, "--epsilon", "2").stderr
    assert ends(0, "budget", "show", "releases.duckdb").stdout.splitlines() == [
        "source,unit,epsilon,delta,composition,entries,last_spent_at,spent_epsilon,spent_delta,left_epsilon,holds",
        "people,person_id,2.0,0.0,smaller,0,,0.0,0.0,2.0,true",
    ]
    assert "epsilon of a budget must be a number above 0" in ends(2, *SET, "--epsilon", "0").stderr
    assert "there is no register no.duckdb" in ends(2, "budget", "show", "no.duckdb").stderr


@pytest.mark.slow("2.7 s")
def test_a_release_is_paid_for_drawn_and_entered(folder: Path) -> None:
    pytest.importorskip("opendp", reason="opendp is not installed")
    assert "there is no register releases.duckdb" in ends(2, *COUNTS, "-o", "a.csv").stderr
    ends(0, *SET, "--epsilon", "1", "--delta", "1e-6")
    tried = ends(0, *COUNTS, "-o", "a.csv", "--dry-run")
    assert "it would go out, for epsilon 0.5, delta 1e-07, rho 0.125; nothing was spent" in tried.stderr
    assert not (folder / "a.csv").exists()
    made = ends(0, *COUNTS, "-o", "a.csv")
    assert made.stdout == ""
    assert made.stderr.splitlines() == [
        "people by person_id: epsilon 0.5 of 1 is spent, with delta 1e-07 of 1e-06",
        "a.csv is out: release 1, a, in releases.duckdb",
    ]
    header, *groups = (folder / "a.csv").read_text().splitlines()
    assert header == "sex,education,n,standard_deviation,low,high"
    assert [group.split(",")[:2] for group in groups] == [[s, e] for s in "fm" for e in "abc"]
    ends(0, *COUNTS, "-o", "b.csv")
    refused = ends(1, *COUNTS, "-o", "c.csv")
    assert "refused: people by person_id: epsilon 1 of 1 is spent" in refused.stderr
    assert refused.stderr.endswith("c.csv is not out\n")
    assert not (folder / "c.csv").exists()
    listed = ends(0, "releases", "releases.duckdb").stdout.splitlines()
    assert [line.split(",")[1:3] for line in listed[1:]] == [["a", "out"], ["b", "out"]]
    another = [*COUNTS, "--unit", "education", "--by", "sex", "-o", "c.csv"]
    assert "no budget is declared for people by education (there is one by" in ends(1, *another).stderr


@pytest.mark.slow("1.7 s")
def test_a_policy_says_the_rest(folder: Path) -> None:
    """Options stand in place of its keys; the output has all groups that are known, and no other."""
    pytest.importorskip("opendp", reason="opendp is not installed")
    ends(0, *SET, "--epsilon", "1")
    shared = ["people.csv", "--policy", "policy.toml", "--register", "releases.duckdb", "--keys", "sexes.csv"]
    ends(0, "dp", "counts", *shared, "-o", "n.csv")
    assert [line[0] for line in (folder / "n.csv").read_text().splitlines()[1:]] == ["d", "f", "m"]
    measured = ["--measure", "visits", "--bounds", "0,6", "--epsilon", "0.2"]
    made = ends(0, "dp", "sums", *shared, *measured, "--part", "1/2", "-o", "s.csv")
    assert "epsilon 0.3 of 1 is spent" in made.stderr
    made = ends(0, "dp", "sums", *shared, *measured, "--part", "2/2", "-o", "t.csv")
    assert "epsilon 0.3 of 1 is spent" in made.stderr


CONTINGENCY = [
    "dp", "contingency", "answers.csv", "--epsilon", "1", "--register", "releases.duckdb",
    "--source", "people",
]  # fmt: skip


@pytest.fixture
def answers(folder: Path) -> Path:
    rows = [f"{i % 2 == 0},{i % 3 == 0},{i % 5 == 0}\n".lower() for i in range(600)]
    (folder / "answers.csv").write_text('old,"flu, once",rich\n' + "".join(rows))
    ends(0, "budget", "set", "releases.duckdb", "--source", "people", "--epsilon", "4")
    return folder


@pytest.mark.slow("1 s a case")
@pytest.mark.parametrize("in_policy", [False, True])
def test_marginals_are_sets_of_columns(answers: Path, in_policy: bool) -> None:
    """An option for each, or a list of lists; in the table they have their numbers."""
    pytest.importorskip("opendp", reason="opendp is not installed")
    (answers / "policy.toml").write_text(
        """[dp]
        by = ["old", "flu, once", "rich"]
        marginals = [["old", "flu, once"], ["RICH"]]"""
    )
    said = ["--by", 'old,"flu, once",rich', "--marginals", 'old,"flu, once"', "--marginals", "RICH"]
    ends(0, *CONTINGENCY, *(["--policy", "policy.toml"] if in_policy else said), "-o", "n.csv")
    header, *cells = (answers / "n.csv").read_text().splitlines()
    assert header == 'marginal,old,"flu, once",rich,n,standard_deviation,low,high'
    known = [cell.split(",")[:4] for cell in cells]
    truth = ["false", "true"]
    assert known[:4] == [["1", old, flu, ""] for flu in truth for old in truth]
    assert known[4:] == [["2", "", "", rich] for rich in truth]
    assert float(cells[4].split(",")[4]) == pytest.approx(480, abs=150)  # a scale of 5, and five of them


@pytest.mark.slow("1 s a case", but=(2,))
@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--marginals", "old,rihc"], "--marginals: there is no column rihc in --by; did you mean rich?"),
        (["--marginals", "old", "--by", "rich"], "--marginals: there is no column old in --by; it has rich"),
        (["--marginals", "old,"], "--marginals old,: a name is empty"),
        ([], "Missing option '--marginals'"),
        (["--policy", "policy.toml"], 'dp.marginals must be a list of lists of texts, not ["old", "rich"]'),
    ],
)
def test_marginals_that_are_wrong(answers: Path, more: list[str], message: str) -> None:
    (answers / "policy.toml").write_text('[dp]\nmarginals = ["old", "rich"]\n')
    by = [] if "--by" in more else ["--by", "old,rich"]
    assert message in ends(2, *CONTINGENCY, *by, *more, "-o", "n.csv").stderr


@pytest.mark.slow("0.6 s")
@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--by", "sexx"], "--by: there is no column sexx in people.csv; did you mean sex?"),
        (["--mechanism", "laplac"], 'one of laplace, gaussian, not "laplac"; did you mean laplace?'),
        (["--part", "half"], "--part half: write I/N, such as 1/7"),
        (["--part", "3/2"], "part 3 of 2: parts are numbered from 1"),
        (["--keys", "no.csv"], "there is no file no.csv"),
        (["-o", "people.csv"], "people.csv exists: what may be out is never replaced"),
    ],
)
def test_wrong_use(folder: Path, more: list[str], message: str) -> None:
    ends(0, *SET, "--epsilon", "1", "--delta", "1e-6")
    assert message in ends(2, *COUNTS, "-o", "a.csv", *more).stderr


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ("[roles]\nqi = ['sex']\n", "policy.toml has no [dp]"),
        ("confirmed = false\n[dp]\n", "confirmed = false"),
        ("[dp]\nepsilom = 1\n", "dp.epsilom is not known; did you mean epsilon?"),
        ("[dp]\nepsilon = 'much'\n", 'dp.epsilon must be a number, not "much"'),
        ("[dp]\nsource = 'people'\n", "Missing option '--by'"),
        ("[dp]\nby = ['sex']\n", "give --source"),
    ],
)
def test_policies_that_are_wrong(folder: Path, policy: str, message: str) -> None:
    (folder / "policy.toml").write_text(policy)
    shared = ["people.csv", "--policy", "policy.toml", "--register", "releases.duckdb"]
    assert message in ends(2, "dp", "counts", *shared, "-o", "a.csv").stderr


def test_a_policy_for_both_is_read_by_both(folder: Path) -> None:
    """[dp] beside what anonymizes; a wrong key in it is told there, too."""
    file = folder / "policy.toml"
    file.write_text(POLICY + "[roles]\nqi = ['sex']\n[requirements]\nk = 2\n")
    assert sqlanon.policies.load(file).roles == {"qi": ["sex"]}
    file.write_text(file.read_text().replace("max_groups", "max_group"))
    with pytest.raises(sqlanon.InputError, match=r"dp.max_group is not known; did you mean max_groups\?"):
        sqlanon.policies.load(file)


@pytest.mark.parametrize("release", MECHANISMS)
def test_options_are_what_the_macro_takes(release: str) -> None:
    macro = MECHANISMS[release]
    assert taken(macro).keys() <= keys().keys()
    assert {"tbl", "epsilon"} <= parameters(macro).keys()
    page = " ".join(ends(0, "dp", release, "--help").stdout.split())
    assert all(f"--{name.replace('_', '-')}" in page for name in taken(macro))
