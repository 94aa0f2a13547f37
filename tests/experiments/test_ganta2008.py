"""The reproduction of Ganta et al. 2008: its files, its numbers, that it resumes, and what it refuses."""

import csv
import gzip
import hashlib
import json
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from sqlanon.cli import app
from sqlanon.core.errors import InputError, SqlanonError, UseError
from sqlanon.experiments.ganta2008 import paper, plan, randomized, reproduction, results, runs, work
from sqlanon.experiments.ganta2008.data import ADULT_COLUMNS, DATA_SETS, IPUMS_COLUMNS
from sqlanon.experiments.ganta2008.plan import Settings, Unit
from sqlanon.experiments.ganta2008.reproduction import reproduce
from sqlanon.pages import vega
from tests.data import data, needs_data

PEOPLE = 240

CLAIMS_ON_ADULT = [claim for claim in paper.CLAIMS if claim.data == "adult"]

# The hashes of what `tiny` measures without microaggregation, alone and with k = 4: the same on every line of
# DuckDB.
MEASURED_OF_MONDRIAN = "2bc02a01b0e507f2b1b5f38c999a0beefcbdbc05c3cf008fd14d3f70600204c9"
MEASURED_WITH_K = "70ce8c4fc85c5c6646173ce410c1e289a27f5a53a47ba6e722f7b573946854e3"
NAMES = {"adult": "adult.data", "ipums": "ipums.la.97.gz"}

Summed = dict[str, str]


def adult_like(people: int = PEOPLE, seed: int = 1) -> bytes:
    """Lines with the fields of adult.data, some of them with an unknown value, and an empty last one."""
    draw = random.Random(seed)
    values = {
        "age": [str(age) for age in range(20, 60)],
        "workclass": ["Private", "State-gov", "Never-worked"],
        "education": ["HS-grad", "Bachelors", "9th", "Masters"],
        "marital_status": ["Divorced", "Never-married"],
        "race": ["White", "Black"],
        "sex": ["Female", "Male"],
        "native_country": ["United-States", "Cuba", "Utopia"],
        "occupation": ["Sales", "Tech-support", "Craft-repair", "Armed-Forces", "Other-service"],
        "income": ["<=50K", ">50K"],
    }
    lines = [
        ", ".join(draw.choice(values.get(column, ["0"])) for column in ADULT_COLUMNS) for _ in range(people)
    ]
    lines.insert(1, lines[0].replace(lines[0].split(", ")[6], "?"))
    return ("\n".join(lines) + "\n\n").encode()


def ipums_like(people: int = PEOPLE, seed: int = 1) -> bytes:
    """Lines with the fields of ipums.la.97, compressed."""
    draw = random.Random(seed)
    values = {
        "age": 60, "classwkg": 3, "educrec": 5, "marst": 3, "raceg": 2, "sex": 2, "bplg": 9,
        "occ1950": 9, "ind1950": 6, "inctot": 12,
    }  # fmt: skip

    def line() -> str:
        row = {column: str(draw.randrange(values.get(column, 1))) for column in IPUMS_COLUMNS}
        if draw.random() < 0.4:
            row |= {"occ1950": "999", "ind1950": "000", "inctot": "999999"}
        return ",".join(row.values())

    return gzip.compress("".join(f"{line()}\n" for _ in range(people)).encode(), mtime=0)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Small files like those of the paper, by the name of the data set."""
    folder = tmp_path_factory.mktemp("inputs")
    for name, content in (("adult", adult_like()), ("ipums", ipums_like())):
        (folder / NAMES[name]).write_bytes(content)
    return {name: folder / file for name, file in NAMES.items()}


def small(inputs: dict[str, Path], **changes: object) -> Settings:
    """As little of the experiment as has everything in it."""
    people = (("adult", PEOPLE), ("ipums", PEOPLE))
    settings = Settings(inputs, seeds=1, ks=(5,), ls=(2.0,), ts=(0.4,), epsilons=(), common=40, people=people)
    return replace(settings, **changes)  # type: ignore[arg-type]


def tiny(inputs: dict[str, Path], **changes: object) -> Settings:
    """Less than that, with two seeds: most of the time goes to what is measured of k."""
    adult = {"adult": inputs["adult"]}
    return small(adult, **{"seeds": 2, "ks": (), "ls": (), "ts": (0.3,), **changes})


def run(settings: Settings, output: Path, force: bool = False, workers: int = 1) -> str:
    text, _ = reproduce(settings, output, force=force, workers=workers, progress=lambda done, message: None)
    return text


def hashes(folder: Path, *suffixes: str) -> Summed:
    return {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*"))
        if file.suffix in (suffixes or (".csv", ".parquet"))
    }


@pytest.fixture(scope="module")
def made(inputs: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder with a small reproduction, and what was printed."""
    output = tmp_path_factory.mktemp("reproduced") / "out"
    return output, run(small(inputs), output)


@pytest.fixture(scope="module")
def made_of_adult(inputs: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Likewise, of one data set and two seeds."""
    output = tmp_path_factory.mktemp("adult") / "out"
    return output, run(tiny(inputs), output)


def read(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / "data" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def measured_of_mondrian(folder: Path) -> str:
    """The hash of the results, without those of microaggregation."""
    result = [row for row in read(folder, "results") if row["method"] in ("", "Mondrian")]
    assert len(result) > 20
    return hashlib.sha256(json.dumps(result).encode()).hexdigest()


# What there is in the end


@pytest.mark.slow("a reproduction")
def test_every_figure_has_data_and_pictures(made: tuple[Path, str]) -> None:
    folder, text = made
    assert "| occupation (sensitive) | occ1950 | 247 |" in text
    assert not (folder / ".work").exists()
    for figure in [*results.FIGURES, *results.BEYOND]:
        rows = read(folder, figure.name)
        assert {row["seeds"] for row in rows} == {"1"}
        pictures = {file.suffix for file in (folder / "figures").glob(f"{figure.name}_*")}
        assert pictures == {".png", ".svg"}, figure.name
    panels = {row["panel"] for row in read(folder, "figure_1")}
    assert panels == {"Adult", "IPUMS", results.NO_VALUE}
    assert len({row["panel"] for row in read(folder, "figure_5")}) == 6
    assert {row["series"] for row in read(folder, "figure_8")} == {"n = 2", "n = 3", "n = 4"}
    assert {row["series"] for row in read(folder, "figure_7")} == {"occupation", "industry", "income"}
    measured = Counter(tuple({**row, "value": ""}.values()) for row in read(folder, "results"))
    assert [row for row, times in measured.items() if times > 1] == []


@pytest.mark.slow("a reproduction")
def test_spread_is_over_the_seeds(inputs: dict[str, Path], tmp_path: Path) -> None:
    folder = tmp_path / "out"
    run(tiny(inputs, ks=(4,)), folder)
    assert measured_of_mondrian(folder) == MEASURED_WITH_K
    measured = [
        row for row in read(folder, "results") if row["located"] == "cover" and row["requirement"] == "k"
    ]
    for row in read(folder, "figure_4"):
        measure = "average_prior" if "before" in row["series"] else "average_posterior"
        values = [float(one["value"]) for one in measured if one["measure"] == measure]
        assert len(values) == int(row["seeds"]) == 2
        assert (float(row["least"]), float(row["most"])) == (min(values), max(values))
        assert float(row["mean"]) == pytest.approx(sum(values) / 2, abs=1e-6)
        assert min(values) < max(values)


@pytest.mark.slow("3 s")
def test_parquet_has_the_rows_of_the_csv(made_of_adult: tuple[Path, str]) -> None:
    import pyarrow.parquet as pq

    folder, _ = made_of_adult
    for file in sorted((folder / "data").glob("*.csv")):
        rows = pq.read_table(file.with_suffix(".parquet")).to_pylist()
        answer = [{key: "" if value is None else str(value) for key, value in row.items()} for row in rows]
        assert answer == read(folder, file.stem)


@pytest.mark.slow("6 s")
def test_the_manifest_tells_what_it_came_from(
    made_of_adult: tuple[Path, str], inputs: dict[str, Path]
) -> None:
    folder, _ = made_of_adult
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert manifest["seeds"] == [1, 2]
    assert {"duckdb", "pyarrow", "altair"} <= manifest["versions"].keys()
    path = inputs["adult"]
    wanted = {"file": path.name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
    assert manifest["inputs"] == {"adult": wanted}
    for file, digest in manifest["files"].items():
        assert hashlib.sha256((folder / file).read_bytes()).hexdigest() == digest


@pytest.mark.slow("3 s")
def test_the_page_needs_nothing_else(made_of_adult: tuple[Path, str]) -> None:
    folder, _ = made_of_adult
    page = (folder / "index.html").read_text("utf-8")
    assert "<script" not in page
    assert not re.search(r'(?:src|href)="(?:https?:)?//', page)
    assert not re.search(r"@import|url\((?!#)", page)
    assert page.count("<svg") == len(list((folder / "figures").glob("*.svg")))
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    for used in re.findall(r"url\(#([^)]+)\)", page):
        assert used in ids
    for link in re.findall(r'href="([^"]+)"', page):
        assert (folder / link).is_file()
    for claim in CLAIMS_ON_ADULT:
        assert claim.said in page


def test_what_is_printed_is_the_comparison(made_of_adult: tuple[Path, str]) -> None:
    folder, text = made_of_adult
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    compared = read(folder, "comparison")
    assert {claim.what for claim in CLAIMS_ON_ADULT} <= {row["what"] for row in compared}
    assert len([line for line in lines if " | around 12 | " in line]) == 1
    for row in compared:
        assert any(row["what"] in line and row["ours"] in line for line in lines)


# What the numbers are


@pytest.fixture(scope="module")
def laboratory(inputs: dict[str, Path]) -> Iterator[runs.Laboratory]:
    place = runs.Laboratory(small(inputs), "ipums", 1)
    yield place
    place.con.close()


def by_hand(groups: list[list[tuple[frozenset[int], list[str]]]], targets: list[int]) -> list[int]:
    """How many values are possible for each target:
    groups of each release are its people and their values.
    """
    result = []
    for target in targets:
        sets = [set(values) for release in groups for people, values in release if target in people]
        result.append(len(set.intersection(*sets)))
    return result


def test_subsets_share_the_common_people_and_half_of_the_rest(laboratory: runs.Laboratory) -> None:
    con = laboratory.con
    subsets = {
        i: {who for (who,) in con.execute(f"select id from subset_{i}").fetchall()} for i in (1, 2, 3, 4)
    }
    common = {who for (who,) in con.execute("select id from common_people").fetchall()}
    assert len(common) == 40
    assert subsets[1] & subsets[2] == subsets[3] & subsets[4] == common
    assert subsets[1] | subsets[2] == subsets[3] | subsets[4] == set(range(1, PEOPLE + 1))
    assert subsets[1] != subsets[3]


@pytest.mark.slow("1 s a case")
@pytest.mark.parametrize("method", ["mondrian", "microaggregation"])
def test_known_classes_give_what_a_loop_over_people_gives(laboratory: runs.Laboratory, method: str) -> None:
    if method == "mondrian":
        names = [laboratory.mondrian(f"tested_{i}", f"subset_{i}", {"k": 4}) for i in (1, 2)]
    else:
        names = [laboratory.microaggregated(f"tested_{i}", i, 4) for i in (1, 2)]
    groups = []
    for name in names:
        columns = ", ".join(laboratory.set.qi)
        rows = laboratory.con.execute(f"select list(id), list(occ1950) from {name} group by {columns}")
        groups.append([(frozenset(people), values) for people, values in rows.fetchall()])
        assert min(len(people) for people, _ in groups[-1]) >= 4
    targets = [who for (who,) in laboratory.con.execute("select id from common_people").fetchall()]
    possible = by_hand(groups, targets)
    unit = Unit("ipums", 1, "k", 4)
    result = laboratory.attacked(unit, [laboratory.by_member(name) for name in names], "x", located="own")
    measured = {one.measure: one.value for one in result if one.targets == "all"}
    assert measured["targets"] == 40
    assert measured["average_posterior"] == pytest.approx(sum(possible) / 40)
    assert measured["pvp_100"] == pytest.approx(100 * possible.count(1) / 40)
    assert measured["truth_is_candidate"] == 100
    if method == "mondrian":  # who is looked for by quasi-identifiers is found
        covered = {
            one.measure: one.value for one in laboratory.attacked(unit, names, "x") if one.targets == "all"
        }
        assert covered == measured


@pytest.mark.slow("a reproduction")
def test_applicable_targets_are_those_with_a_value(
    made: tuple[Path, str], laboratory: runs.Laboratory
) -> None:
    folder, _ = made
    [(applicable,)] = laboratory.con.execute(
        "select count(*) from common_people where inctot <> '999999'"
    ).fetchall()
    result = [row for row in read(folder, "results") if row["measure"] == "targets"]
    incomes = {
        float(row["value"])
        for row in result
        if (row["sensitive"], row["targets"]) == ("inctot", "applicable")
    }
    assert {float(row["value"]) for row in result if row["targets"] == "all"} == {40}
    assert incomes == {applicable}


@pytest.mark.slow("a reproduction")
def test_the_others_are_what_is_left(made: tuple[Path, str]) -> None:
    """PVP_100 of everybody is the mean of that of those with a value and those without."""
    folder, _ = made
    rows = {(row["panel"], row["series"]): float(row["mean"]) for row in read(folder, "not_applicable")}
    for panel in ("occupation", "industry", "income"):
        kinds = [rows[panel, series] for series in ("who has a value", "everybody", "who has none")]
        assert kinds == sorted(kinds) or kinds == sorted(kinds, reverse=True)


def test_attributes_are_counted(made_of_adult: tuple[Path, str]) -> None:
    folder, _ = made_of_adult
    rows = {row["column"]: row for row in read(folder, "attributes_adult")}
    assert rows["workclass"]["values"] == "3"
    assert rows["workclass"]["paper_values"] == "7"
    assert 1 < float(rows["workclass"]["entropy"]) <= 1.584963  # log2(3)


# The same again, and going on


@pytest.mark.slow("a reproduction")
def test_the_same_again_whatever_the_number_of_processes(
    made_of_adult: tuple[Path, str], inputs: dict[str, Path], tmp_path: Path
) -> None:
    folder, text = made_of_adult
    (tmp_path / "again").mkdir()  # an empty folder will do
    assert run(tiny(inputs), tmp_path / "again", workers=2) == text
    assert hashes(tmp_path / "again") == hashes(folder)
    assert len(hashes(folder)) == 2 * len(list((folder / "data").glob("*.csv"))) > 20


def test_the_same_on_every_line_of_duckdb(made_of_adult: tuple[Path, str]) -> None:
    folder, _ = made_of_adult
    assert measured_of_mondrian(folder) == MEASURED_OF_MONDRIAN, (
        "what comes out of Mondrian and the attack has changed: is that meant?"
    )


@pytest.mark.slow("a reproduction")
def test_a_run_that_was_stopped_goes_on_where_it_was(
    made_of_adult: tuple[Path, str], inputs: dict[str, Path], tmp_path: Path
) -> None:
    folder, text = made_of_adult
    settings = tiny(inputs)

    def stopping(done: float, message: str) -> None:
        if done >= 0.4:
            raise KeyboardInterrupt

    out = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        reproduce(settings, out, force=False, workers=1, progress=stopping)
    assert sorted(path.name for path in out.iterdir()) == [".work"]
    done = len(list((out / ".work").glob("*-*.json")))
    planned = len(list(plan.units(settings)))
    assert 0 < done < planned
    with pytest.raises(UseError, match="with other seeds: give the same again, or --force"):
        run(replace(settings, seeds=3), out)
    told: list[tuple[int, str]] = []
    again, number = reproduce(
        settings, out, force=False, workers=2, progress=lambda done, message: None,
        tell=lambda section: told.append((len(list((out / ".work").glob("*-*.json"))), section)),
    )  # fmt: skip
    assert number == planned - done
    assert again == text  # whatever the number of processes
    assert "\n".join(section for _, section in told) + "\n" == text
    assert told[1][0] < told[-1][0] == planned  # Table 2 is told before all is done
    assert hashes(out) == hashes(folder)


@pytest.mark.slow("a reproduction")
def test_a_finished_run_is_only_drawn_if_it_stopped_there(
    inputs: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tiny(inputs, seeds=1)

    def broken(spec: vega.Spec) -> bytes:
        raise OSError("no space left")

    with monkeypatch.context() as patched:
        patched.setattr(reproduction, "png", broken)
        with pytest.raises(OSError, match="no space left"):
            run(settings, tmp_path / "out")
    _, number = reproduce(
        settings, tmp_path / "out", force=False, workers=1, progress=lambda done, message: None
    )
    assert number == 0
    assert (tmp_path / "out" / "index.html").is_file()


@pytest.mark.slow("3.7 s")
def test_an_interrupted_command_leaves_no_process_and_goes_on(
    inputs: dict[str, Path], tmp_path: Path
) -> None:
    """By signal, as Ctrl-C: with two processes at work."""
    script = f"""if True:
        import sys
        from pathlib import Path
        from tests.experiments.test_ganta2008 import tiny
        from sqlanon.experiments.ganta2008.reproduction import reproduce
        from sqlanon.core.interrupts import interruptible
        if __name__ == "__main__":
            inputs = {{"adult": Path({str(inputs["adult"])!r})}}
            with interruptible():
                reproduce(tiny(inputs, seeds=30), Path({str(tmp_path / "out")!r}), force=False, workers=2,
                          progress=lambda done, message: print(message, flush=True))
    """
    (tmp_path / "script.py").write_text(script)
    process = subprocess.Popen(
        [sys.executable, str(tmp_path / "script.py")],
        env={"PYTHONPATH": str(Path(__file__).resolve().parents[2]), "PATH": ""},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(3)]
    assert "adult" in lines[-1]
    process.terminate()
    _, complaint = process.communicate(timeout=100)
    assert "KeyboardInterrupt" in complaint
    kept = {file.name for file in (tmp_path / "out" / ".work").iterdir()}
    assert len(kept) >= 3
    assert not [name for name in kept if name.endswith(".tmp")]


@pytest.mark.slow("1 s")
def test_the_name_of_a_unit_is_told_where_it_fails(
    inputs: dict[str, Path], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    settings = tiny(inputs, ls=(50.0,), ts=())
    for workers in (1, 2):
        with pytest.raises(SqlanonError, match=r"^adult, seed \d, entropy_l = 50: .* entropy l-diversity"):
            run(settings, tmp_path / f"out{workers}", workers=workers)
    assert capfd.readouterr().err == ""


# Section 4


@pytest.fixture(scope="module")
def counting(inputs: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[runs.Laboratory]:
    settings = tiny(inputs, epsilons=(2.0,), draws=tmp_path_factory.mktemp("draws.v2"))
    place = runs.Laboratory(settings, "adult", 1)
    randomized.prepare(place)
    yield place
    place.con.close()


def test_those_left_out_are_one_less_in_their_cells(counting: runs.Laboratory) -> None:
    with_them, without_them = randomized.counted(counting, Unit("adult", 1, "epsilon", 2.0))
    cells = "age, education, marital_status, sex, native_country, occupation"
    for i, (noisy, fewer) in enumerate(zip(with_them, without_them, strict=True), 1):
        missing = counting.con.sql(
            f"select {cells}, noisy.n - fewer.n from {noisy} as noisy join {fewer} as fewer using ({cells}) "
            "where noisy.n <> fewer.n"
        ).fetchall()
        left_out = counting.con.sql(
            f"select {cells}, count(*) from coarse_{i} semi join left_out using (id) group by all"
        ).fetchall()
        assert len(left_out) > 5
        assert sorted(missing) == sorted(left_out)
        assert {n for *_, n in missing} == {1}


def test_a_guess_is_the_most_probable_value(counting: runs.Laboratory) -> None:
    unit = Unit("adult", 1, "epsilon", 2.0)
    releases, _ = randomized.counted(counting, unit)
    found = {each.measure: each.value for each in randomized.attacked(counting, unit, releases[:2], "all")}
    people = counting.con.sql("from guesses join common_people using (id)").select(
        "occupation::varchar as actual, candidates[1] as guess, probabilities[1] as sure"
    )
    [(right, sure)] = people.aggregate(
        "100 * avg((guess = actual)::int), 100 * avg((sure >= 0.9)::int)"
    ).fetchall()
    assert found["right"] == pytest.approx(right)
    assert found["sure_90"] == pytest.approx(sure)
    assert right > 0


def test_noise_is_drawn_once(counting: runs.Laboratory) -> None:
    unit = Unit("adult", 1, "epsilon", 2.0)
    before = [
        counting.con.sql(f"from {name} order by all").fetchall()
        for name in randomized.counted(counting, unit)[0]
    ]
    assert len(list(Path(str(counting.draws)).glob("adult-1-2-*.parquet"))) == 4
    after = [
        counting.con.sql(f"from {name} order by all").fetchall()
        for name in randomized.counted(counting, unit)[0]
    ]
    assert before == after


@pytest.mark.slow("0.9 s")
def test_answers_let_estimate_the_cells(counting: runs.Laboratory) -> None:
    """All cells are there; the estimates add up to those who answered; answers are drawn once."""
    unit = Unit("adult", 1, "response", 2.0)
    with_them, without_them = randomized.answered(counting, unit)
    cells = "age, education, marital_status, sex, native_country, occupation"
    every = counting.con.sql(f"select {cells} from groups order by all").fetchall()
    for i, (whole, fewer) in enumerate(zip(with_them, without_them, strict=True), 1):
        [(people, left_out)] = counting.con.sql(
            f"select count(*), count(*) filter (where id in (select id from left_out)) from subset_{i}"
        ).fetchall()
        assert 0 < left_out < people
        for name, number in ((whole, people), (fewer, people - left_out)):
            assert counting.con.sql(f"select {cells} from {name} order by all").fetchall() == every
            [(answers,)] = counting.con.sql(f"select sum(n) from {name}").fetchall()
            assert answers == pytest.approx(number)
    before = counting.con.sql(f"from {with_them[0]} order by all").fetchall()
    randomized.answered(counting, unit)
    assert counting.con.sql(f"from {with_them[0]} order by all").fetchall() == before


@pytest.mark.slow("a reproduction")
def test_section_4(inputs: dict[str, Path], tmp_path: Path) -> None:
    """Its pages; and what noise does not touch is the same byte for byte."""
    settings = tiny(inputs, seeds=1, ts=(), ks=(5,), epsilons=(0.5,))
    folders = [tmp_path / "one", tmp_path / "other"]
    for folder in folders:
        run(settings, folder)
    one, other = (
        {name: digest for name, digest in hashes(folder, ".csv", ".html").items() if "section_4" not in name}
        for folder in folders
    )
    assert one == other
    assert "results.csv" in one
    assert "index.html" in one
    page = (folders[0] / "section_4.html").read_text("utf-8")
    assert page.count("<svg") == 5
    added = read(folders[0], "section_4_bound")
    for n in ("1", "2", "4"):
        found, bound = (
            float(row["mean"])
            for row in sorted(added, key=lambda row: row["series"], reverse=True)
            if row["panel"] == "Adult: ε = 0.5" and row["releases"] == n
        )
        assert found < bound


# What is refused


@pytest.mark.slow("1.3 s")
def test_a_folder_with_a_reproduction_is_replaced_only_by_force(
    made_of_adult: tuple[Path, str], inputs: dict[str, Path], tmp_path: Path
) -> None:
    settings = tiny(inputs, seeds=1)
    out = shutil.copytree(made_of_adult[0], tmp_path / "out")
    before = hashes(out, ".json", ".html")
    with pytest.raises(UseError, match="has a finished reproduction: give --force to replace it"):
        run(settings, out)
    assert hashes(out, ".json", ".html") == before


@pytest.mark.slow("a reproduction")
def test_force_replaces_a_reproduction_and_nothing_else(
    made_of_adult: tuple[Path, str], inputs: dict[str, Path], tmp_path: Path
) -> None:
    settings = tiny(inputs, seeds=1)
    out = shutil.copytree(made_of_adult[0], tmp_path / "out")
    (out / "mine.txt").write_text("mine")
    run(replace(settings, ts=(0.4,)), out, force=True)
    assert (out / "mine.txt").read_text() == "mine"
    assert json.loads((out / "manifest.json").read_text("utf-8"))["t"] == [0.4]


def test_other_folders_are_left_alone(inputs: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "data").write_text("dear")
    (tmp_path / "file").write_text("x")
    for force in (False, True):
        with pytest.raises(UseError, match="letters has other files: name a new folder"):
            run(small(inputs), tmp_path / "letters", force=force)
        with pytest.raises(UseError, match="is a file: --output takes a folder"):
            run(small(inputs), tmp_path / "file", force=force)
    assert (tmp_path / "letters" / "data").read_text() == "dear"


def test_files_that_are_cut_off_or_swapped_are_refused(inputs: dict[str, Path], tmp_path: Path) -> None:
    short = tmp_path / "adult.data"
    short.write_bytes(adult_like(100))
    out = tmp_path / "out"
    with pytest.raises(InputError, match=r"adult\.data has 100 people .* UCI Adult has 240: .*cut off"):
        run(small({"adult": short}), out)
    broken = tmp_path / "ipums.gz"
    whole = inputs["ipums"].read_bytes()
    broken.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match=r"ipums\.gz"):
        run(small({"ipums": broken}), out)
    with pytest.raises(InputError, match=r"is IPUMS Los Angeles: --adult takes UCI Adult \(adult\.data"):
        run(small({"adult": inputs["ipums"]}), out)
    with pytest.raises(InputError, match="is neither of the data sets"):
        run(small({"adult": Path(__file__)}), out)
    with pytest.raises(InputError, match="the subsets share 240 people: 240 are too few"):
        run(small(inputs, common=240), out)
    assert not out.exists()


def command(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app.app, ["reproduce", *map(str, arguments)])


def test_the_command_refuses_wrong_use(tmp_path: Path, inputs: dict[str, Path]) -> None:
    out = tmp_path / "out"
    wrong: list[tuple[list[str | Path], str]] = [
        (["ganta2008", "-o", out], "give --adult, --ipums or both"),
        (["ganta2008", "-o", out, "--adult", tmp_path / "none"], "there is no file"),
        (["li2015", "-o", out, "--adult", inputs["adult"]], "li2015"),
        (["ganta2008", "--adult", inputs["adult"]], "--output"),
        (["ganta2008", "-o", out, "--adult", inputs["adult"], "--seeds", "0"], "--seeds"),
    ]
    for arguments, answer in wrong:
        result = command(*arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert answer in result.stderr
    result = command("ganta2008", "-o", out, "--adult", inputs["adult"])
    assert (result.exit_code, result.stdout) == (3, "")
    assert "has 240 people of whom everything is known, where UCI Adult has 30,162" in result.stderr
    assert not out.exists()


def test_what_is_missing_is_told(
    inputs: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(InputError, match=r"need altair: pip install 'sqlanon\[report\]'"):
        run(small(inputs), tmp_path / "out")


@pytest.mark.slow("half a second")
def test_every_claim_can_be_written() -> None:
    """Also where nothing was measured; and the settings that are named measure all of it."""
    settings = Settings({"adult": Path("a"), "ipums": Path("b")})
    with_nothing = results.Results([runs.Result("adult", 1, "k", 5, "", 1, "", "", "all", "x", 1.0)])
    rows = paper.comparison(with_nothing, settings)
    with_nothing.close()
    assert len(rows) == len(paper.CLAIMS)
    planned = set(plan.units(settings))
    assert planned >= set(plan.units(plan.quick(settings.inputs)))
    for claim in paper.CLAIMS:
        for where in [*claim.facts.values(), *([claim.measured] if claim.measured else [])]:
            unit = Unit(where["data"], 1, where["requirement"], where.get("amount", 0))
            assert unit in set(plan.units(plan.quick(settings.inputs))), where


# The real data


@pytest.mark.slow("a reproduction")
@needs_data
def test_the_numbers_of_the_paper_come_out(tmp_path: Path) -> None:
    inputs = {"adult": data() / "adult" / "adult.data", "ipums": data() / "ipums" / "ipums.la.97.gz"}
    settings = replace(plan.quick(inputs), ks=(5,))
    run(settings, tmp_path / "out", workers=2)
    rows = {row["what"]: row for row in read(tmp_path / "out", "comparison")}
    ours = {what: float(row["least"]) for what, row in rows.items() if row["least"]}
    assert 35 <= ours["IPUMS, k = 5: average partition size (rows)"] <= 50
    assert 90 <= ours["IPUMS, k = 5: known with a confidence of 25 % (% of targets)"] <= 97
    assert ours["Adult, k = 5: known with a confidence of 25 % (% of targets)"] > 60
    assert 60 <= ours["Adult: people who are at the nearest centroid (%)"] <= 80
    bits = [ours[f"entropy of {name} (bits)"] for name in ("occupation", "industry", "income")]
    assert bits == [pytest.approx(4.30, abs=0.005), pytest.approx(4.38, abs=0.005),
                    pytest.approx(5.57, abs=0.005)]  # fmt: skip
    grown = [
        float(row["mean"])
        for row in read(tmp_path / "out", "figure_8")
        if row["panel"] == "IPUMS: perfect breach" and row["k"] == "5"
    ]
    assert grown == sorted(set(grown))
    assert len(grown) == 3
    for name in inputs:
        result = {row["column"]: row for row in read(tmp_path / "out", f"attributes_{name}")}
        sensitive = DATA_SETS[name].sensitive
        assert all(result[column]["values"] == result[column]["paper_values"] for column in sensitive)
    assert work.sha256(inputs["ipums"]) in (tmp_path / "out" / "index.html").read_text("utf-8")
