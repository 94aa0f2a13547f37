"""sqlanon table: tables of counts and sums from the command line."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from tests.cli.test_cli import folder as folder  # a fixture
from tests.cli.test_cli import ok, refused, run

pytest.importorskip("highspy", reason="the extra tables is not installed")

# Of eight patients three have two visits; the last line of each is in another ward.
VISITS = """patient,ward,disease,cost
1,A,flu,10
1,B,flu,20
2,A,flu,30
2,B,gout,5
3,A,gout,12
3,B,flu,40
4,A,flu,8
5,A,gout,9
6,B,gout,100
7,B,flu,3
8,B,gout,1
"""
BY = ("--dimensions", "ward,disease")


@pytest.fixture
def visits(folder: Path) -> Path:
    (folder / "visits.csv").write_text(VISITS, "utf-8")
    return folder


def table(text: str) -> dict[tuple[str, str], dict[str, str]]:
    return {(row["ward"], row["disease"]): row for row in csv.DictReader(io.StringIO(text))}


@pytest.mark.slow("1 s")
def test_cells(visits: Path) -> None:
    """People with --unit, rows without, and a message that asks which."""
    result = run("table", "cells", "visits.csv", *BY)
    assert table(result.stdout)["total", "total"]["value"] == "11"
    assert "visits.csv: rows are counted, but patient has 8 distinct values in 11 rows" in result.stderr
    of_people = table(ok("table", "cells", "visits.csv", *BY, "--unit", "patient"))
    assert {key: row["contributors"] for key, row in of_people.items()} == {
        ("A", "flu"): "3", ("A", "gout"): "2", ("A", "total"): "5", ("B", "flu"): "3", ("B", "gout"): "3",
        ("B", "total"): "6", ("total", "flu"): "5", ("total", "gout"): "5", ("total", "total"): "8",
    }  # fmt: skip
    ok("table", "cells", "visits.csv", *BY, "--measure", "cost", "--unit", "patient", "-o", "sums.csv")
    sums = table((visits / "sums.csv").read_text("utf-8"))
    assert [*sums][-1] == ("total", "total")  # totals come last
    assert (sums["B", "gout"]["value"], sums["B", "gout"]["largest"]) == ("106", "100")


@pytest.mark.slow("2 s")
def test_unsafe(visits: Path) -> None:
    few = run("table", "unsafe", "visits.csv", *BY, "--unit", "patient", "--threshold", "3")
    assert few.exit_code == 1
    assert [*table(few.stdout)] == [("A", "gout")]
    safe = run("table", "unsafe", "visits.csv", *BY, "--threshold", "2", "--unit", "patient")
    assert (safe.exit_code, safe.stdout) == (0, "ward,disease,rule,reached,required,protection\n")
    assert "all cells are safe by these rules; what totals give back" in safe.stderr
    ok("table", "cells", "visits.csv", *BY, "--measure", "cost", "--unit", "patient", "-o", "sums.csv")
    dominated = run("table", "unsafe", "sums.csv", *BY, "--dominance", "90,", "--format", "csv")
    assert table(dominated.stdout)["B", "gout"]["rule"] == "dominance_1"
    by_p = run("table", "unsafe", "sums.csv", *BY, "--p", "10")
    assert ("B", "gout") in table(by_p.stdout)


@pytest.mark.slow("3 s")
def test_suppressed_cells_are_not_given_back(visits: Path) -> None:
    """A cell is hidden, and so are three others; the attack on what leaves finds none of them."""
    counts = {"A": (2, 9, 7), "B": (8, 6, 9), "C": (11, 8, 12)}
    rows = [
        f"{ward},{disease}"
        for ward, of_ward in counts.items()
        for disease, n in zip(("flu", "gout", "asthma"), of_ward, strict=True)
        for _ in range(n)
    ]
    (visits / "people.csv").write_text("\n".join(["ward,disease", *rows]), "utf-8")
    made = run("table", "suppress", "people.csv", *BY, "--threshold", "3", "-o", "table.csv")
    assert made.exit_code == 0, made.stderr
    assert (
        "table.csv: 1 of 16 cells are hidden since they are unsafe, and 3 so that nobody can" in made.stderr
    )
    published = table((visits / "table.csv").read_text("utf-8"))
    assert [*published["A", "flu"]] == ["ward", "disease", "value"]
    assert published["A", "flu"]["value"] == "*"
    assert published["total", "total"]["value"] == "72"
    attacked = run("table", "bounds", "table.csv", *BY)
    assert "table.csv: 0 of 4 hidden or rounded cells are known exactly" in attacked.stderr
    assert {key for key, row in published.items() if row["value"] == "*"} == {*table(attacked.stdout)}
    reasons = table(ok("table", "suppress", "people.csv", *BY, "--threshold", "3", "--reasons"))
    assert sorted(row["hidden"] for row in reasons.values() if row["hidden"]) == [
        "primary",
        *["secondary"] * 3,
    ]
    assert "table.csv exists" in refused(
        2, "table", "suppress", "people.csv", *BY, "--threshold", "3", "-o", "table.csv"
    )


@pytest.mark.slow("a case takes 8 commands")
@pytest.mark.parametrize("dimensions", [(), ("--dimensions", "")])
def test_a_table_of_one_number(visits: Path, dimensions: tuple[str, ...]) -> None:
    """Every command has it, with a row and no labels, and no message names an option that it lacks."""
    (visits / "hidden.csv").write_text("value\n*\n", "utf-8")
    (visits / "key").write_text("replace this: 9f2c61d07be84a35", "utf-8")
    noise = ("--unit", "patient", "--largest", "2", "--variance", "1", "--key-file", "key")
    for command, first in (
        (("cells", "visits.csv", "--unit", "patient"), "8,8,,,false"),
        (("suppress", "visits.csv", "--threshold", "3"), "11"),
        (("round", "visits.csv", "--base", "10"), "10"),
        (("keys", "visits.csv", *noise), None),
        (("bounds", "hidden.csv", "--most", "4"), "0.0,4.0,false"),
    ):
        made = run("table", *command, *dimensions, "--format", "csv")
        assert made.exit_code == 0, made.stderr
        lines = made.stdout.splitlines()
        assert len(lines) == 2
        assert "one number" not in lines[0]
        assert first in (None, lines[1])
    unsafe = run("table", "unsafe", "visits.csv", "--threshold", "20", *dimensions, "--format", "csv")
    assert (unsafe.exit_code, unsafe.stdout.splitlines()[1]) == (1, "minimum,11.0,20.0,")
    assert "--qi" not in refused(2, "table", "cells", "visits.csv", "--dimensions", "ward,ward")
    assert "--qi" not in refused(2, "table", "bounds", "visits.csv", *dimensions)


@pytest.mark.slow("half a second")
def test_people_in_several_cells(visits: Path) -> None:
    made = run("table", "suppress", "visits.csv", *BY, "--unit", "patient", "--threshold", "2", "--reasons")
    assert made.exit_code == 0, made.stderr
    assert "visits.csv: somebody is in several cells, so totals are no sums of people" in made.stderr
    assert table(made.stdout)["total", "total"]["value"] == "8"


@pytest.mark.slow("4 s")
def test_tables_together(visits: Path) -> None:
    (visits / "all.csv").write_text("disease,n\nflu,14\ngout,11\n", "utf-8")
    (visits / "old.csv").write_text("disease,n\nflu,13\ngout,5\n", "utf-8")
    by = ("table", "together", "all.csv", "old.csv", "--dimensions", "disease", "--value", "n")
    result = run(*by, "--filter", "old=age > 65", "--threshold", "3")
    assert result.exit_code == 1, result.stderr
    [row] = csv.DictReader(result.stdout.splitlines())
    assert (row["cell"], row["lower"], row["upper"]) == ("all: flu - old: flu", "1.0", "1.0")
    apart = run(*by, "--period", "all=2026", "--period", "old=2025")
    assert apart.exit_code == 1, apart.stderr  # of each other's people, or not: nobody has said
    assert "not compared" in {row["found_by"] for row in csv.DictReader(apart.stdout.splitlines())}
    others = run(*by, "--period", "all=2026", "--period", "old=2025", "--no-growing")
    assert others.exit_code == 0, others.stderr
    assert "no cell is known too closely" in others.stderr
    assert "write TABLE=..., with one of all, old" in refused(2, *by, "--filter", "new=age > 65")
    alike = run(*by)
    assert alike.exit_code == 1, alike.stderr
    assert "contradiction" in {row["found_by"] for row in csv.DictReader(alike.stdout.splitlines())}


@pytest.mark.slow("2 s")
def test_how_many_combinations_are_looked_at(visits: Path) -> None:
    """The message names an option that is there."""
    Path("wards.csv").write_text("ward,n\nA,5\nB,7\n")
    Path("sexes.csv").write_text("sex,n\nf,6\nm,6\n")
    by = ["table", "together", "wards.csv", "sexes.csv", "--dimensions", "ward,sex", "--value", "n"]
    assert "more than --max-atoms 2: give a larger one, or name fewer" in refused(3, *by, "--max-atoms", "2")
    assert "no cell is known too closely" in run(*by, "--max-atoms", "20").stderr


@pytest.mark.slow("4 s")
def test_sums_of_tables_together(visits: Path) -> None:
    (visits / "all.csv").write_text("disease,value,costs\nflu,14,9800\ngout,11,7300\n", "utf-8")
    (visits / "paid.csv").write_text("disease,value,costs\nflu,13,8600\ngout,11,7300\n", "utf-8")
    command = ("table", "together", "all.csv", "paid.csv", "--dimensions", "disease", "--threshold", "3",
               "--filter", "paid=age > 65", "--sum-column")  # fmt: skip
    result = run(*command, "costs")
    assert result.exit_code == 1, result.stderr
    told = [row for row in csv.DictReader(result.stdout.splitlines()) if row["found_by"] == "sum"]
    assert [(row["lower"], row["upper"]) for row in told] == [("1200.0", "1200.0")]
    assert refused(3, *command, "cost") == "none of the tables has the column cost of --sum-column"
    wrong_range = run(*command, "costs", "--measure-most", "1000")
    assert wrong_range.exit_code == 1, wrong_range.stderr
    told = [*csv.DictReader(wrong_range.stdout.splitlines())]
    assert [row["found_by"] for row in told] == ["contradiction", "difference"]
    assert "the sums contradict each other" in told[0]["because"]


def test_tables_are_told_apart_by_their_names(visits: Path) -> None:
    """A condition is of one table, and no second one takes its place."""
    for name in ("a", "b"):
        (visits / name).mkdir()
        (visits / name / "out.csv").write_text("ward,value\nA,5\nB,7\n", "utf-8")
    both = ("table", "together", "a/out.csv", "b/out.csv", "--dimensions", "ward")
    assert refused(2, *both, "--filter", "out=age > 30") == (
        "--filter out=age > 30: write TABLE=..., with one of a/out.csv, b/out.csv for TABLE"
    )
    twice = ("--filter", "a/out.csv=age > 30", "--filter", "a/out.csv=sex = 'f'")
    assert refused(2, *both, *twice) == "--filter a/out.csv=sex = 'f': a/out.csv has one already"
    assert refused(2, *both[:3], *both[2:]) == "a/out.csv is given twice"


@pytest.mark.slow("1 s")
def test_two_spellings_are_not_compared_and_told(visits: Path) -> None:
    (visits / "all.csv").write_text("ward,value\nNorth,5\nSouth,7\n", "utf-8")
    (visits / "old.csv").write_text("ward,value\nNORTH,4\nSouth,6\n", "utf-8")
    command = ("table", "together", "all.csv", "old.csv", "--dimensions", "ward", "--some-cells",
               "--filter", "old=age > 65")  # fmt: skip
    assert refused(3, *command) == (
        'column ward has "North" in table all and "NORTH" in table old: spell them alike, or rename one if '
        "they are not the same"
    )


@pytest.mark.slow("1 s")
def test_rows_come_back(visits: Path) -> None:
    (visits / "by_sex.csv").write_text("sex,value,mean\nF,2,31.5\nM,1,40.0\n", "utf-8")
    (visits / "domain.csv").write_text("attribute,value\nsex,F\nsex,M\nage,31\nage,32\nage,40\n", "utf-8")
    by = ("table", "reconstruct", "by_sex.csv", "--dimensions", "sex", "--domain", "domain.csv")
    result = run(*by, "--measured", "age", "--mean", "mean")
    assert result.exit_code == 1, result.stderr
    rows = [(row["sex"], row["age"], row["certain"]) for row in csv.DictReader(result.stdout.splitlines())]
    assert rows == [("F", "31", "1"), ("F", "32", "1"), ("M", "40", "1")]
    assert "need the column that they are of, --measured 'age'" in refused(3, *by, "--mean", "mean")


@pytest.mark.slow("2 s")
def test_a_table_of_an_office(visits: Path) -> None:
    lines = ["ward,disease,n", "A,flu,12", "A,gout,<5", "A,total,14", "B,flu,..", "B,gout,7", "B,total,7"]
    (visits / "office.csv").write_text("\n".join(lines), "utf-8")
    result = run("table", "bounds", "office.csv", *BY, "--value", "n")
    assert result.exit_code == 0, result.stderr
    found = {key: (row["lower"], row["upper"]) for key, row in table(result.stdout).items()}
    assert found == {("A", "gout"): ("2.0", "2.0"), ("B", "flu"): ("0.0", "0.0")}
    assert "office.csv: 2 of 2 hidden or rounded cells are known exactly" in result.stderr
    (visits / "office.csv").write_text("\n".join(lines).replace("A,total,14", "A,total,11"), "utf-8")
    told = refused(3, "table", "bounds", "office.csv", *BY, "--value", "n")
    assert "contradict its cells: A, total is 11, its parts over disease are together 12 to 16" in told
    assert "of people who can be in several parts say --overlapping, of rounded numbers --base" in told
    told = refused(2, "table", "bounds", "office.csv", "--dimensions", "ward,Ward", "--value", "n")
    assert "--dimensions: column Ward is named twice" in told
    (visits / "cells.csv").write_text(
        "ward,disease,contributors,value,largest,second\n"
        "A,flu,5,5,,\nA,total,4,4,,\ntotal,flu,5,5,,\ntotal,total,4,4,,\n", "utf-8"
    )  # fmt: skip
    told = refused(3, "table", "suppress", "cells.csv", *BY, "--threshold", "6")
    assert "do not add up" in told
    assert "say --overlapping" in told
    assert ":=" not in told


@pytest.mark.slow("2 s")
def test_rounded_totals_give_cells_back(visits: Path) -> None:
    """Ward A has 1 flu, 1 gout, 1 asthma; by 3s all are shown as 0, and their total as 3."""
    (visits / "three.csv").write_text("ward,disease\nA,flu\nA,gout\nA,asthma\n", "utf-8")
    ok("table", "round", "three.csv", *BY, "--base", "3", "-o", "rounded.csv")
    shown = table((visits / "rounded.csv").read_text("utf-8"))
    assert (shown["A", "flu"]["value"], shown["A", "total"]["value"]) == ("0", "3")
    told = run("table", "bounds", "rounded.csv", *BY, "--base", "3")
    assert (table(told.stdout)["A", "flu"]["lower"], table(told.stdout)["A", "flu"]["upper"]) == (
        "0.0",
        "1.0",
    )
    lines = ["ward,disease,n", "A,flu,0", "A,gout,0", "A,total,3"]
    (visits / "rounded.csv").write_text("\n".join(lines), "utf-8")
    told = run("table", "bounds", "rounded.csv", *BY, "--value", "n", "--base", "3")
    assert "3 of 3 hidden or rounded cells are known exactly" in told.stderr
    assert "rounding must be nearest, random, midpoint or controlled, not up" in refused(
        3, "table", "round", "three.csv", *BY, "--base", "3", "--rounding", "up"
    )


@pytest.mark.slow("half a second a case", but=(0, 1, 2, 3))
@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (
            ("unsafe", "visits.csv", *BY),
            2,
            "give a rule: --threshold, --dominance, --p, --response or --zeros",
        ),
        (("unsafe", "visits.csv", *BY, "--dominance", "x"), 2, "--dominance x: write two percentages"),
        (("cells", "visits.csv", "--dimensions", "wart"), 2, "--dimensions: there is no column wart"),
        (("cells", "visits.csv", *BY, "--measure", "costs"), 2, "--measure: there is no column costs"),
        (("bounds", "visits.csv", *BY), 2, "--value: there is no column value"),
        (("suppress", "nothing.csv", *BY, "--threshold", "3"), 2, "there is no file nothing.csv"),
    ],
)
def test_wrong_use(visits: Path, arguments: tuple[str, ...], code: int, told: str) -> None:
    assert told in refused(code, "table", *arguments)


@pytest.mark.slow("1 s")
def test_linked_tables(visits: Path) -> None:
    """Cells of both tables are hidden together."""
    people = [f"{w},{d},{s}" for w in "ABC" for d in ("flu", "gout") for s in "mf" for _ in range(4)]
    (visits / "people.csv").write_text("\n".join(["ward,disease,sex", *people, "A,hiv,m"]), "utf-8")
    three = ("--dimensions", "ward,disease,sex")
    ok(
        "table",
        "cells",
        "people.csv",
        *three,
        "--linked",
        "ward,disease",
        "--linked",
        "ward,sex",
        "-o",
        "c.csv",
    )
    lines = (visits / "c.csv").read_text("utf-8").splitlines()
    assert len(lines) == 1 + 4 * 4 + 4 * 2
    assert table("\n".join(lines))["A", "hiv"]["sex"] == "total"
    made = run("table", "suppress", "c.csv", *three, "--threshold", "3")
    assert made.exit_code == 0, made.stderr
    assert table(made.stdout)["A", "hiv"]["value"] == "*"


@pytest.mark.slow("1 s")
def test_controlled_rounding(visits: Path) -> None:
    """Totals of what is shown add up."""
    shown = table(
        ok("table", "round", "visits.csv", *BY, "--base", "3", "--rounding", "controlled")
    )  # fmt: skip
    numbers = {key: float(row["value"]) for key, row in shown.items()}
    assert [*shown["A", "flu"]] == ["ward", "disease", "value"]
    assert numbers["A", "flu"] + numbers["A", "gout"] == numbers["A", "total"]
    assert numbers["A", "total"] + numbers["B", "total"] == numbers["total", "total"]
    cube = (
        [[1, 1, 0], [2, 0, 1], [0, 1, 0]],
        [[2, 1, 0], [0, 1, 1], [2, 1, 1]],
        [[2, 2, 0], [1, 1, 1], [0, 0, 2]],
    )
    rows = [
        f"{a},{b},{c}"
        for a, of_a in enumerate(cube)
        for b, of_b in enumerate(of_a)
        for c, n in enumerate(of_b)
        for _ in range(n)
    ]
    (visits / "cube.csv").write_text("\n".join(["a,b,c", *rows]), "utf-8")
    cube_shown = run(
        "table", "round", "cube.csv", "--dimensions", "a,b,c", "--base", "2", "--rounding", "controlled"
    )
    assert "were rounded further than to a neighbouring multiple of 2" in cube_shown.stderr


@pytest.mark.slow("1 s")
def test_cell_keys(visits: Path) -> None:
    """The same people have the same noise, in whichever order the table is asked."""
    (visits / "key").write_text("not a secret: 0123456789", "utf-8")
    by_patient = ("--unit", "patient", "--key-file", "key", "--largest", "5", "--variance", "3")
    shown = table(ok("table", "keys", "visits.csv", *BY, *by_patient))
    again = table(ok("table", "keys", "visits.csv", "--dimensions", "disease,ward", *by_patient))
    assert {key: row["value"] for key, row in shown.items()} == {
        key: row["value"] for key, row in again.items()
    }
    exact = table(ok("table", "cells", "visits.csv", *BY, "--unit", "patient"))
    noise = {key: int(row["value"]) - int(exact[key]["contributors"]) for key, row in shown.items()}
    assert any(noise.values())
    assert all(-5 <= value <= 5 for value in noise.values())
    lines = [f"{n},{key},1" for n in range(1, 12) for key in range(2)]
    (visits / "noise.csv").write_text("\n".join(["pcv,ckey,pvalue", *lines]), "utf-8")
    by_column = table(ok("table", "keys", "visits.csv", *BY, "--record-key", "cost", "--ptable", "noise.csv"))
    assert by_column["total", "total"]["value"] == "12"
    assert "say which noise" in refused(2, "table", "keys", "visits.csv", *BY, *by_patient[:4])
    assert "give --record-key, a column, or --unit" in refused(
        2, "table", "keys", "visits.csv", *BY, *by_patient[4:]
    )
    assert "--key-file is for record keys that are made from --unit" in refused(
        2, "table", "keys", "visits.csv", *BY, *by_patient, "--record-key", "cost"
    )
