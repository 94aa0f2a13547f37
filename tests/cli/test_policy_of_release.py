"""Commands on a release and its policy alone: neither the original nor what never leaves is there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_cli import ok, refused, run

POLICY = """
[roles]
identifier = ["name"]
qi = ["age", "zip"]
sensitive = ["disease"]
unit = "pid"
[masks.mail]
method = "email"
[hierarchies.age]
builder = "interval"
widths = [5, 10]
[hierarchies.zip]
builder = "mask"
[hierarchies.disease]
builder = "flat"
[input.types]
age = "integer"
pid = "text"
[requirements]
k = 2
l = 2
[tolerated]
homogeneity.certain = 0
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    people = "".join(
        f"n{i},p{i},m{i}@x.org,{20 + i * 7 % 40},130{i % 3},{['flu', 'cold', 'gout'][i * i % 3]}\n"
        for i in range(60)
    )
    Path("people.csv").write_text("name,pid,mail,age,zip,disease\n" + people)
    Path("policy.toml").write_text(POLICY)
    ok("anonymize", "people.csv", "--policy", "policy.toml", "-o", "release.csv")
    assert "[" in Path("release.csv").read_text()
    return tmp_path


NOT_KNOWN = "people may have several rows (pid)"


def test_check(folder: Path) -> None:
    policy, original = ("--policy", "policy.toml"), ("--reference", "people.csv")
    result = run("check", "release.csv", *policy, *original)
    assert (result.exit_code, result.stderr) == (
        0, "release.csv: k = 2, l = 2 holds (people are those of people.csv)\n",
    )  # fmt: skip
    result = run("check", "release.csv", *policy, *original, "--k", "100")
    assert "release.csv: l = 2, k = 100 does not hold (people are" in result.stderr
    Path("more.csv").write_text(
        "".join(f"{line},{i}\n" if i else f"{line},Name\n"
                for i, line in enumerate(Path("release.csv").read_text().splitlines()))
    )  # fmt: skip
    result = run("check", "more.csv", *policy, *original)
    assert result.exit_code == 1
    assert "more.csv: policy.toml does not release Name\n" in result.stderr


@pytest.mark.slow("2 s")
def test_what_is_asked_beside_known_releases(folder: Path) -> None:
    """Without these it is not known; what is asked of the release alone is judged, the worst is said."""
    Path("known.toml").write_text(
        '[roles]\nqi = ["age"]\nsensitive = ["disease"]\n'
        '[requirements]\nk = 2\nl = 2\ncomposed_l = 2\nknown = "register"\n'
    )
    Path("rows.csv").write_text("age,disease\n" + '"[20, 30]",flu\n"[20, 30]",gout\n' * 2)
    result = run("check", "rows.csv", "--policy", "known.toml")
    assert (result.exit_code, result.stderr.splitlines()) == (1, [
        "rows.csv: k = 2, l = 2 holds",
        "rows.csv: composed_l = 2 is not known: --known and --reference say what is out, and of whom",
    ])  # fmt: skip
    result = run("check", "rows.csv", "--policy", "known.toml", "--k", "5")
    assert result.exit_code == 1
    assert "k = 5 does not hold" in result.stderr


class TestWhoseRows:
    """What a release does not say of which somebody has several rows."""

    @pytest.mark.slow("1 s")
    def test_is_not_known(self, folder: Path) -> None:
        result = run("check", "release.csv", "--policy", "policy.toml")
        assert result.exit_code == 1
        assert result.stdout == ""
        assert result.stderr.startswith(
            f"release.csv: k = 2, l = 2 is not known: {NOT_KNOWN}, and release.csv"
        )
        assert "--reference ORIGINAL counts people" in result.stderr

    @pytest.mark.slow("1 s")
    def test_what_rows_violate_people_do(self, folder: Path) -> None:
        result = run("check", "release.csv", "--policy", "policy.toml", "--k", "100", "--alpha", "0.9")
        assert result.exit_code == 1
        assert "release.csv: l = 2, k = 100 does not hold: 8 classes" in result.stderr

    @pytest.mark.slow("2 s")
    def test_models_of_shares_alone(self, folder: Path) -> None:
        """A class that violates them by rows may hold them by people."""
        Path("shares.toml").write_text(POLICY.replace("k = 2\nl = 2", "alpha = 0.01"))
        result = run("check", "release.csv", "--policy", "shares.toml")
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.startswith("release.csv: alpha = 0.01 is not known")
        result = run("check", "release.csv", "--policy", "shares.toml", "--reference", "people.csv")
        assert "alpha = 0.01 does not hold (people are those of people.csv)" in result.stderr

    @pytest.mark.slow("3 s")
    def test_a_class_of_one_patient(self, folder: Path) -> None:
        """By rows it is a class of twelve."""
        lines = Path("people.csv").read_text().splitlines()
        lines[1:] = [line.replace(f",p{i},", f",p{i // 12},") for i, line in enumerate(lines[1:])]
        lines[1:] = [
            ",".join([*line.split(",")[:3], str(20 + i // 12), *line.split(",")[4:]])
            for i, line in enumerate(lines[1:])
        ]
        Path("patients.csv").write_text("\n".join(lines) + "\n")
        Path("rows.toml").write_text(POLICY.replace('unit = "pid"', ""))
        ok("anonymize", "patients.csv", "--policy", "rows.toml", "-o", "rows.csv")
        assert run("check", "rows.csv", "--policy", "rows.toml").exit_code == 0
        assert run("check", "rows.csv", "--policy", "policy.toml").exit_code == 1
        result = run("check", "rows.csv", "--policy", "policy.toml", "--reference", "patients.csv")
        assert result.exit_code == 1
        assert "does not hold (people are those of patients.csv): 5 classes with 60 rows" in result.stderr

    @pytest.mark.slow("3 s")
    def test_rows_that_were_suppressed(self, folder: Path) -> None:
        """k is known where enough people must be in each class; the other models are not."""
        Path("k.toml").write_text(POLICY.replace("l = 2\n", ""))
        lines = Path("release.csv").read_text().splitlines(keepends=True)
        Path("part.csv").write_text("".join([*lines[:7], *lines[8:]]))
        asked = ("check", "part.csv", "--reference", "people.csv", "--policy")
        result = run(*asked, "k.toml")
        assert result.exit_code == 0
        assert "part.csv: k = 2 holds (people are those of people.csv)" in result.stderr
        result = run(*asked, "policy.toml")
        assert result.exit_code == 1
        assert "part.csv: l = 2 is not known" in result.stderr
        Path("less.csv").write_text("".join(Path("people.csv").read_text().splitlines(keepends=True)[:50]))
        less = ("check", "release.csv", "--reference", "less.csv", "--policy", "k.toml", "--format", "json")
        result = run(*less)
        assert result.exit_code == 1
        assert "classes may be fewer than 2 people" in result.stderr
        assert {row["least"] for row in json.loads(result.stdout)} == {None}

    @pytest.mark.slow("1 s")
    def test_fewer_people_than_rows_are_there(self, folder: Path) -> None:
        Path("k.toml").write_text(POLICY.replace("l = 2\n", "").replace("k = 2", "k = 3"))
        Path("four.csv").write_text(
            "name,pid,mail,age,zip,disease\n"
            + "".join(f"n{i},p{i // 4},m@x.org,30,1301,flu\n" for i in range(8))
        )
        Path("three.csv").write_text("mail,age,zip,disease\n" + "m@x.org,30,1301,flu\n" * 3)
        result = run("check", "three.csv", "--reference", "four.csv", "--policy", "k.toml")
        assert result.exit_code == 1
        assert "k = 3 does not hold: 1 classes have rows of fewer than 3 people of four.csv" in result.stderr

    @pytest.mark.slow("1 s")
    def test_the_original_needs_the_unit(self, folder: Path) -> None:
        Path("bare.csv").write_text(Path("people.csv").read_text().replace("pid", "number"))
        message = refused(2, "check", "release.csv", "--policy", "policy.toml", "--reference", "bare.csv")
        assert message.startswith("policy.toml: roles.unit")
        assert "bare.csv" in message

    @pytest.mark.slow("1 s")
    def test_sql(self, folder: Path) -> None:
        asked = ("check", "release.csv", "--policy", "policy.toml", "--reference", "people.csv", "--sql")
        assert "sqlanon.people_in_classes(" in ok(*asked)


@pytest.mark.slow("2 s")
def test_a_policy_without_requirements_measures(folder: Path) -> None:
    Path("bare.toml").write_text(POLICY.replace("k = 2\nl = 2\n", ""))
    result = run("check", "release.csv", "--policy", "bare.toml", "--format", "json")
    assert result.exit_code == 0
    assert "holds" not in result.stderr
    assert json.loads(result.stdout)[0]["model"] == "k-anonymity"
    assert f"release.csv: rows are counted: {NOT_KNOWN}" in result.stderr
    of_people = ok(
        "check", "release.csv", "--policy", "bare.toml", "--reference", "people.csv", "--format", "json"
    )
    assert json.loads(of_people)[0]["people"] == 7
    Path("more.csv").write_text(Path("release.csv").read_text().replace("mail", "pid"))
    assert run("check", "more.csv", "--policy", "bare.toml").exit_code == 1


@pytest.mark.slow("1.0 s")
def test_report(folder: Path) -> None:
    policy = ("--policy", "policy.toml")
    ok("report", "release.csv", *policy, "-o", "report.html")
    html = Path("report.html").read_text("utf-8")
    assert 'class="banner unknown"' in html, "rows alone do not say how many people are in a class"
    assert "k-anonymity 2 holds for rows alone in release.csv" in html
    assert "with --original, people are counted" in html
    ok("report", "release.csv", *policy, "--original", "people.csv", "-o", "report.html", "--force")
    html = Path("report.html").read_text("utf-8")
    assert "for rows alone" not in html


@pytest.mark.slow("3.6 s")
def test_attack(folder: Path) -> None:
    policy = ("--policy", "policy.toml")
    alone = ("attack", "release.csv", *policy, "--format", "json")
    by_options = ok(
        "attack", "release.csv", "--kind", "homogeneity", "--qi", "age,zip", "--sensitive", "disease",
        "--summary", "--format", "json",
    )  # fmt: skip
    assert ok(*alone, "--kind", "homogeneity", "--summary") == by_options
    every = run(*alone, "--kind", "all")
    judged = [row for row in json.loads(every.stdout) if row["verdict"] is not None]
    assert {row["attack"] for row in judged} == {"homogeneity"}
    assert every.exit_code == (0 if all(row["verdict"] == "holds" for row in judged) else 1)
    people = ("--targets", "people.csv", "--id", "name")
    found = json.loads(ok(*alone, *people))
    assert [row["sensitive"] for row in found] == ["disease"] * 60
    assert all(row["posterior"] > 0 for row in found)
    assert json.loads(ok(*alone, *people, "--kind", "linking"))
    assert refused(2, "attack", "release.csv", *policy) == "intersection_attack needs --targets"


@pytest.mark.slow("2 s")
def test_utility_and_risk(folder: Path) -> None:
    policy = ("--policy", "policy.toml")
    measures = json.loads(ok("utility", "people.csv", "release.csv", *policy, "--format", "json"))
    assert {row["id"] for row in measures} >= {"loss", "c_avg"}
    of_all = POLICY.replace('identifier = ["name"]', "").replace('unit = "pid"', "")
    Path("all.toml").write_text(of_all.replace('age = "integer"\npid = "text"', ""))
    risk = json.loads(ok("risk", "release.csv", "--policy", "all.toml", "--format", "json"))
    assert next(row["value"] for row in risk if row["id"] == "records") == 60


@pytest.mark.slow("2.6 s")
def test_hierarchies_have_the_values_of_all_originals(folder: Path) -> None:
    """Of several originals each has values that the others lack."""
    Path("old.csv").write_text("name,pid,mail,age,zip,disease\n" + "".join(
        f"o{i},q{i},q{i}@x.org,{70 + i % 9},9{i % 3}00,{['mumps', 'cold'][i % 2]}\n" for i in range(30)
    ))  # fmt: skip
    policy = ("--policy", "policy.toml")
    ok("anonymize", "old.csv", *policy, "-o", "second.csv")
    originals = ("--original", "people.csv", "--original", "old.csv")
    ok("report", "release.csv", "second.csv", *policy, *originals, "--attacks", "homogeneity", "-o", "r.html")
    html = Path("r.html").read_text("utf-8")
    assert "Utility is not known" not in html
    assert html.count("Every released value is understood.") == 2


@pytest.mark.slow("1.4 s")
def test_risk(folder: Path) -> None:
    """Of a release alone, and of the raw table as before."""
    found = ok("risk", "release.csv", "--policy", "policy.toml", "--format", "json")
    assert found == ok("risk", "release.csv", "--qi", "age,zip", "--format", "json")
    Path("no_unit.toml").write_text(POLICY.replace('unit = "pid"', ""))
    raw = ("risk", "people.csv", "--policy")
    assert "people" in ok(*raw, "policy.toml")
    assert ok(*raw, "no_unit.toml") == ok("risk", "people.csv", "--qi", "age,zip", "--types", "age=integer")


@pytest.mark.slow("1.0 s")
def test_the_buckets_of_anatomy_are_released(folder: Path) -> None:
    roles = '[roles]\nidentifier = ["name"]\nqi = ["age"]\nsensitive = ["zip"]\n'
    Path("anatomy.toml").write_text(f"{roles}[requirements]\nl = 2\n[method]\nname = 'anatomize'\n")
    ok("anonymize", "people.csv", "--policy", "anatomy.toml", "-o", "buckets.parquet")
    told = run("check", "buckets.parquet", "--policy", "anatomy.toml").stderr
    assert "does not release" not in told
    Path("other.toml").write_text(Path("anatomy.toml").read_text().replace("anatomize", "mondrian"))
    assert "does not release bucket" in run("check", "buckets.parquet", "--policy", "other.toml").stderr
