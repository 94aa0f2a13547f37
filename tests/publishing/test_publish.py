"""The gate and the register: what goes out, what is refused, and what the register says of it."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlanon
from sqlanon.core.errors import InputError, RefusedError, UseError
from sqlanon.core.outputs import give_name
from sqlanon.core.statements import execute
from sqlanon.policies.levels import LEVELS, bounds_of, proposal
from sqlanon.policies.policy import load
from sqlanon.publishing.gate import released_rows, tolerated_release
from sqlanon.publishing.register import ENVIRONMENT, VERSION, opened
from tests.budget import ON_OLDER
from tests.judge.nights import groups
from tests.judge.nights import policy as rules_of

POLICY = """
[roles]
qi = ["age", "zip"]
sensitive = ["disease"]

[requirements]
k = 2
{requirements}

[tolerated]
{tolerated}
"""
HOMOGENEITY = "homogeneity.certain = 0"
TOGETHER = "intersection_attack.pvp_100 = 0"
ANYTHING = "\n".join(
    f"{attack}.certain = 100"
    for attack in ("exact_cover", "background_knowledge", "skyline", "complementary_release", "linking",
                   "homogeneity", "unsorted_matching", "forecast")
)  # fmt: skip
OTHERS = ("background_knowledge", "skyline", "linking", "complementary_release", "homogeneity")
AWARE = 'l = 2\nknown = "register"\ncomposed_l = 2'

# Two classes of four in each night: who is in the first of both has flu or gout by one, flu or cold by the
# other.
PEOPLE = """
    create or replace table people as from (values
    (21, 'a', 'flu'), (22, 'a', 'cold'), (23, 'a', 'gout'), (24, 'a', 'flu'),
    (41, 'b', 'flu'), (42, 'b', 'cold'), (43, 'b', 'gout'), (44, 'b', 'cold')) as t(age, zip, disease)"""


def policy(folder: Path, tolerated: str = HOMOGENEITY, requirements: str = "l = 2") -> Path:
    file = folder / "policy.toml"
    file.write_text(POLICY.format(tolerated=tolerated, requirements=requirements))
    return file


@pytest.fixture
def people(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    con.execute(PEOPLE).fetchall()
    return con


def publish(con: duckdb.DuckDBPyConnection, folder: Path, night: str, **more: Any) -> sqlanon.Publication:
    """One night, with the attack that takes least."""
    given = {"policy": folder / "policy.toml", "attacks": ["homogeneity"], "source": "people", **more}
    source, rules = given.pop("source"), given.pop("policy")
    return sqlanon.publish(
        con, source, rules, register=folder / "releases.duckdb", output=folder / night, **given
    )


def in_register(folder: Path, query: str) -> list[tuple[Any, ...]]:
    """What anybody reads there, with DuckDB alone."""
    with duckdb.connect(folder / "releases.duckdb", read_only=True) as con:
        return con.execute(query).fetchall()


def content(folder: Path) -> dict[str, str]:
    """All files of a folder, and the hash of each."""
    return {
        file.relative_to(folder).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in folder.rglob("*")
        if file.is_file()
    }


def enter(con: duckdb.DuckDBPyConnection, folder: Path, name: str, rows: str) -> None:
    """A release of others, from a query."""
    con.execute(f"create or replace temp view foreign_rows as {rows}").fetchall()
    sqlanon.add_release(
        con, "foreign_rows", register=folder / "releases.duckdb", name=name, qi=["age", "zip"],
        sensitive="disease",
    )  # fmt: skip


@pytest.mark.slow("13 s")
def test_days_of_times_with_a_zone_are_those_of_a_zone(
    people: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    """It is told, and releases of two zones are not compared in silence."""
    zoned = "(timestamptz '2026-03-01 23:30:00+00' + interval (age) hour) as age"
    people.execute(f"create view zoned as select * replace ({zoned}) from people").fetchall()
    policy(tmp_path)
    people.execute("set TimeZone = 'Asia/Tokyo'").fetchall()
    made = publish(people, tmp_path, "may.parquet", source="zoned")
    assert "those of Asia/Tokyo" in " ".join(made.remarks)
    people.execute("set TimeZone = 'UTC'").fetchall()
    with pytest.raises(RefusedError, match="days and hours in may are those of Asia/Tokyo") as refused:
        publish(people, tmp_path, "june.parquet", source="zoned")
    assert refused.value.verdict == "not known"
    people.execute("set TimeZone = 'Asia/Tokyo'").fetchall()  # what is advised
    assert publish(people, tmp_path, "june.parquet", source="zoned").is_out
    (tmp_path / "local").mkdir()
    policy(tmp_path / "local")
    local = publish(people, tmp_path / "local", "may.parquet")
    assert "days and hours" not in " ".join(local.remarks)


@pytest.mark.slow("2.1 s")
def test_based_on_the_last_release(people: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """A release keeps the classes of the last one of ours, or makes them larger; others' are no base."""
    rules = policy(tmp_path, requirements='l = 2\n[method]\nbased_on = "register"')
    fine = rules.read_text()
    rules.write_text(fine.replace("k = 2", "k = 4"))
    first = publish(people, tmp_path, "first.csv")
    assert "nothing is out yet, so based_on asks for nothing" in first.remarks
    assert first.release.classes == 2
    people.execute(f"copy people to '{tmp_path / 'theirs.csv'}'").fetchall()
    sqlanon.add_release(
        people, "people", register=tmp_path / "releases.duckdb", path=tmp_path / "theirs.csv",
        qi=["age", "zip"], sensitive="disease", name="theirs",
    )  # fmt: skip
    rules.write_text(fine)
    second = publish(people, tmp_path, "second.csv")
    assert second.release.classes == 2  # by itself it would have four
    assert second.release.parameters["based_on"] == "first"
    people.execute("delete from people where age = 21").fetchall()
    with pytest.raises(InputError, match="needs the same rows"):
        publish(people, tmp_path, "third.csv")
    assert not (tmp_path / "third.csv").exists()


def test_only_publish_knows_the_last_release(people: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    rules = policy(tmp_path, requirements='[method]\nbased_on = "register"')
    with pytest.raises(UseError, match='based_on = "register" is for publish'):
        load(rules).run(people, "people")


@pytest.mark.slow("3 s a case", but=(1,))
@pytest.mark.parametrize(
    ("spelling", "rows", "before", "today"),
    [
        ("zip || ' '", 8, '"a", "b"', '"a ", "b "'),
        ("if(zip = 'a', 'A', zip)", 4, '"a"', '"A"'),
        ("if(zip = 'a', 'Altona', zip)", 4, '"a"', "others"),  # of few people, whose word is not told
    ],
)
def test_a_column_that_is_written_otherwise(
    people: duckdb.DuckDBPyConnection, tmp_path: Path, spelling: str, rows: int, before: str, today: str
) -> None:
    """Who has left is tolerated, but nobody has: the same people were not found."""
    policy(tmp_path, TOGETHER)
    publish(people, tmp_path, "first.csv", attacks=["intersection_attack"])
    people.execute(f"update people set zip = {spelling}").fetchall()
    again = partial(publish, people, tmp_path, "second.csv", attacks=["intersection_attack"])
    left = {"evidence.leavers": "they were told", "evidence.located": "it is the last night"}
    with pytest.raises(RefusedError) as refused:
        again(accept=left)
    assert (
        f"not known: zip seems to be written otherwise than in first: {rows} rows there have {before}, which "
        f"nobody has today, and {rows} rows of today have {today}. If these are the same people, nobody "
        "found them there. Write zip as before"
    ) in str(refused.value)
    told = refused.value._render_traceback_()[1:]  # what the command line calls otherwise, and what may help
    assert told == refused.value.__notes__
    assert '[accepted.evidence] leavers = "why" in the policy' in told[0]
    assert "sqlanon.remedies, called as sqlanon.publish was" in told[-1]


@pytest.mark.slow("2 s")
def test_nobody_is_found_where_all_is_written_otherwise(
    people: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    policy(tmp_path, TOGETHER, AWARE)
    publish(people, tmp_path, "first.csv", attacks=["intersection_attack"])
    people.execute("update people set zip = upper(zip)").fetchall()
    with pytest.raises(InputError, match='Nobody of the table has what zip is in first: "a", "b"'):
        publish(people, tmp_path, "second.csv", attacks=["intersection_attack"])


@pytest.mark.slow("1 s")
def test_composed_confidence_is_about_releases_that_are_out(
    people: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    """As composed_l is, though it is no model of a class."""
    policy(tmp_path, requirements="l = 2\ncomposed_confidence = 0.9")
    with pytest.raises(UseError, match='composed_confidence needs known = "register"'):
        publish(people, tmp_path, "first.csv")
    policy(tmp_path, requirements='l = 2\nknown = "register"\ncomposed_confidence = 0.9')
    first = publish(people, tmp_path, "first.csv", dry_run=True)
    assert "nothing is out yet, so composed_confidence asks for nothing" in first.remarks


@pytest.mark.slow("5 s")
def test_two_nights(
    people: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second knows of the first; the register has the rows, the policy, and what attacks have found."""
    monkeypatch.setenv("SQLANON_KEY", "0123456789abcdef")
    rules = policy(tmp_path, TOGETHER, AWARE)
    first = publish(people, tmp_path, "first.csv", attacks=["intersection_attack"])
    people.execute("delete from people where zip = 'b'").fetchall()
    again = partial(publish, people, tmp_path, "second.parquet", attacks=["intersection_attack"])
    with pytest.raises(RefusedError, match="not known: 4 rows of first are about nobody who is asked about"):
        again()
    second = again(accept={"evidence.leavers": "they were told"})
    assert (first.number, first.name, first.together) == (1, "first", [])
    assert (second.number, second.name, second.together) == (2, "second", ["first"])
    assert "nothing is out yet, so composed_l asks for nothing" in first.remarks
    assert second.remarks == [
        "people who have moved since an earlier release (who have other quasi-identifiers) are not seen: "
        "the policy "
        "has no unit and no identifier"
    ]
    assert second.release.required["composed l-diversity"] == 2
    out = in_register(
        tmp_path, "select name, status, row_count, content_sha256, path from releases order by id"
    )
    files = [tmp_path / "first.csv", tmp_path / "second.parquet"]
    assert out == [
        (file.stem, "out", rows, hashlib.sha256(file.read_bytes()).hexdigest(), str(file))
        for file, rows in zip(files, (8, 4), strict=True)
    ]
    # in the order in which they were released
    assert in_register(tmp_path, "from released.release_1") == duckdb.read_csv(str(files[0])).fetchall()
    assert in_register(tmp_path, "select distinct policy, method from releases") == [
        (rules.read_text(), "mondrian")
    ]
    [(fingerprints,)] = in_register(tmp_path, "select count(distinct source_fingerprint) from releases")
    assert fingerprints == 2
    judged = in_register(
        tmp_path,
        "select release_id, releases, value, tolerated, verdict from verdicts "
        "where id = 'pvp_100' order by all",
    )
    assert judged == [(1, ["first"], 0, 0, "holds"), (2, ["first", "second"], 0, 0, "holds")]


class TestWithoutARegister:
    """tolerated_release: releases that are given stand for those that are out."""

    @pytest.mark.slow("4 s")
    def test_its_rows_are_those_of_the_policy(
        self, people: duckdb.DuckDBPyConnection, tmp_path: Path
    ) -> None:
        rules = load(policy(tmp_path, f"{TOGETHER}\n{ANYTHING}", AWARE))
        first, remarks = tolerated_release(people, "people", rules, "ours")
        assert [each for each in remarks if not each.startswith("not made")] == [
            "nothing is out yet, so composed_l asks for nothing"
        ]
        second, remarks = tolerated_release(people, "people", rules, "ours", previous=[first])
        assert [each for each in remarks if not each.startswith("not made")] == [
            "people who have moved since are not seen: only a register keeps who was where"
        ]
        assert second.required["composed l-diversity"] == 2
        alone = rules.run(people, "people", known=[first])
        assert sorted(execute(people, released_rows(people, second))) == sorted(alone.relation().fetchall())

    @pytest.mark.slow("4 s")
    def test_rows_that_may_be_anybodys_are_told(
        self, people: duckdb.DuckDBPyConnection, tmp_path: Path
    ) -> None:
        rules = load(policy(tmp_path, TOGETHER))
        rows = ", ".join(f"('{age}', '*', 'flu')" for age in ["[20, 99]"] * 3 + ["*"])
        theirs = people.sql(f"from (values {rows}) as t(age, zip, disease)")
        with pytest.raises(RefusedError) as refused:
            tolerated_release(people, "people", rules, "ours", previous={"theirs": theirs})
        [told] = [remark for remark in refused.value.remarks if "* in every column" in remark]
        assert "25 % of the rows of a release" in told

    def test_nothing_is_left_of_what_is_refused(
        self, people: duckdb.DuckDBPyConnection, tmp_path: Path
    ) -> None:
        rules = load(policy(tmp_path, f"{TOGETHER}\n{ANYTHING}"))
        theirs = people.sql(
            "from (values ('[20, 45]', '*', 'cold'), ('[90, 99]', '*', 'flu')) as t(age, zip, disease)"
        )
        tables = "select table_name from duckdb_tables() where table_name not like '%verdicts'"
        before = people.execute(tables).fetchall()
        with pytest.raises(RefusedError, match=r"3 \(37.5 %\), without the new release 37.5;"):
            tolerated_release(people, "people", rules, "ours", previous={"theirs": theirs})
        assert people.execute(tables).fetchall() == before

    def test_a_column_that_has_no_role_today(self, con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
        """By age and sex in March, by sex alone in April: others know the age, too. The policy of March says
        so; without it nobody knows."""
        con.execute(
            "create or replace table four as from (values (20, 'f', 'flu'), (20, 'm', 'angina'), "
            "(60, 'f', 'gout'), (60, 'm', 'cancer')) as t(age, sex, disease)"
        )
        more = "".join(f"[tolerated.{attack}]\ncertain = 100\n" for attack in OTHERS)
        any_sex = {"sex": groups(("any", ["f", "m"]))}
        (tmp_path / "march.toml").write_text(
            rules_of(["age", "sex"], hierarchies=any_sex, levels={"sex": 1}) + more, "utf-8"
        )
        (tmp_path / "april.toml").write_text(rules_of(["sex"]) + more, "utf-8")
        before, today = load(tmp_path / "march.toml"), load(tmp_path / "april.toml")
        march, _ = tolerated_release(con, "four", before, "march")
        for policies, verdict, why in (
            ({}, "not known", "march has age, of which"),
            ({"march": before}, "fails", "4 people by the new release"),
        ):
            with pytest.raises(RefusedError, match=why) as refused:
                tolerated_release(con, "four", today, "april", previous={"march": march}, policies=policies)
            assert refused.value.verdict == verdict
        with pytest.raises(UseError, match=r"policies names mach, .*did you mean march"):
            tolerated_release(
                con, "four", today, "april", previous={"march": march}, policies={"mach": before}
            )

    @pytest.mark.slow("1.9 s")
    def test_based_on_the_last_one(self, people: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
        rules = policy(tmp_path, ANYTHING, 'l = 2\n[method]\nbased_on = "register"')
        large = sqlanon.mondrian(people, "people", qi=["age", "zip"], sensitive="disease", k=4)
        last, _ = tolerated_release(people, "people", load(rules), "ours", previous={"april": large})
        assert last.parameters["based_on"] == "april"
        assert last.classes == large.classes

    @pytest.mark.parametrize(
        ("tolerated", "previous", "message"),
        [
            ("", "theirs", "tolerated is empty, and nothing else looks at previous"),
            ("linkage.certain = 1", "theirs", "did you mean linking"),
            (TOGETHER, "ours", "previous has a release called ours"),
        ],
    )
    def test_what_nothing_would_look_at(
        self, people: duckdb.DuckDBPyConnection, tmp_path: Path, tolerated: str, previous: str, message: str
    ) -> None:
        def released() -> object:
            rules = load(policy(tmp_path, tolerated))
            return tolerated_release(people, "people", rules, "ours", previous={previous: "people"})

        with pytest.raises(UseError, match=message):
            released()


class TestRefused:
    def test_what_gives_people_away_together(self, people: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
        """By theirs everybody from 20 to 45 has a cold. It has no zip: that may be anything."""
        policy(tmp_path, TOGETHER)
        people.execute(
            """create or replace temp view theirs as from (values
            ('[20, 45]', 'cold'), ('[90, 99]', 'flu'), ('[90, 99]', 'gout')) as t(age, disease)"""
        )
        sqlanon.add_release(
            people, "theirs", register=tmp_path / "releases.duckdb", name="theirs", qi="age",
            sensitive="disease",
        )  # fmt: skip
        before = content(tmp_path)
        with pytest.raises(RefusedError) as error:
            publish(people, tmp_path, "ours.csv", attacks=["intersection_attack"])
        assert content(tmp_path).keys() == before.keys()
        assert in_register(tmp_path, "select name from releases") == [("theirs",)]
        reason, contradictions = error.value.reasons
        assert "theirs: 5 people are in a class that has none of their values" in contradictions
        assert reason.startswith(
            "fails: intersection_attack.pvp_100 of disease on theirs, ours: 3 (37.5 %), without the new "
            "release 37.5; 0 is tolerated (all 3 were so before: the new release adds nobody)"
        )
        [(value,)] = people.execute(
            f"select value from {error.value.verdicts} where id = 'pvp_100'"
        ).fetchall()
        assert value == 37.5

    @pytest.mark.slow("1.3 s")
    def test_nobody_is_located(self, people: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
        """A release of other people: whatever is found of ours there is no all-clear."""
        policy(tmp_path)
        enter(people, tmp_path, "theirs", "select '[60, 70]' as age, 'c' as zip, disease from people")
        with pytest.raises(RefusedError, match="theirs: nobody of the table can be in it") as refused:
            publish(people, tmp_path, "ours.csv", attacks=["homogeneity", "linking"])
        assert "register map REGISTER theirs --values 'values of theirs.csv'" in str(refused.value)

    @pytest.mark.slow("0.8 s")
    @pytest.mark.parametrize(
        ("tolerated", "error", "message"),
        [
            ("", UseError, "tolerated is empty: say what attacks may find, such as\n.tolerated.\nlevel"),
            ("homogenity.certain = 0", UseError, "did you mean homogeneity"),
            ("linking.certain = 0", UseError, "not the measure of an attack that is to be made"),
            ("homogeneity.sure_7 = 0", UseError, "homogeneity has no measure sure_7"),
            ("homogeneity.certain_uper = 0", UseError, "certain_uper; did you mean certain_upper"),
            ("differencing.certain = 0", RefusedError, "differencing.*needs dimensions"),
        ],
    )  # fmt: skip
    def test_bounds_that_nothing_is_known_of(
        self,
        people: duckdb.DuckDBPyConnection,
        tmp_path: Path,
        tolerated: str,
        error: type[Exception],
        message: str,
    ) -> None:
        policy(tmp_path, tolerated)
        with pytest.raises(error, match=message):
            publish(people, tmp_path, "ours.csv", attacks=["homogeneity", "differencing"])
        assert not (tmp_path / "ours.csv").exists()

    def test_the_proposal_is_a_part_of_a_policy(
        self, people: duckdb.DuckDBPyConnection, tmp_path: Path
    ) -> None:
        file = policy(tmp_path)
        file.write_text(file.read_text().partition("[tolerated]")[0] + proposal(None))
        stated = {key.partition(".")[0] for key in sqlanon.policies.load(file).tolerated}
        assert stated >= {"intersection_attack", "exact_cover", "homogeneity", "linking", "correspondence"}

    def test_the_proposal_for_several_rows_per_person(self) -> None:
        """Without the attack that looks people up row by row, which would never be known to hold."""
        assert "# linking.certain = 0" in proposal(None)
        assert "linking" not in proposal("patient")
        assert "# exact_cover.certain = 1" in proposal("patient")

    def test_levels_are_bounds(self, tmp_path: Path) -> None:
        """A bound that is stated takes the place of the level's; what is listed in comments is what holds."""
        for level in LEVELS:
            file = policy(tmp_path, f'level = "{level}"\nexact_cover.certain = 3')
            bounds = bounds_of(level, None)
            assert sqlanon.policies.load(file).tolerated == {**bounds, "exact_cover.certain": 3}
            listed = [line.removeprefix("# ") for line in proposal(None, level).splitlines()]
            lines = "\n".join(line for line in listed if line.partition(" = ")[0] in bounds)
            policy(tmp_path, lines)
            stated = sqlanon.policies.load(file).tolerated
            assert stated == {key: most for key, most in bounds.items() if most < 100}
        with pytest.raises(UseError, match="level must be one of public, contract, inside, not"):
            sqlanon.policies.load(policy(tmp_path, 'level = "all"'))

    @pytest.mark.slow("0.5 s")
    def test_an_attack_on_pairs_where_there_is_one(
        self, people: duckdb.DuckDBPyConnection, tmp_path: Path
    ) -> None:
        policy(tmp_path, "correspondence.certain = 0")
        attacks = ["homogeneity", "correspondence"]
        made = publish(people, tmp_path, "a.csv", attacks=attacks, dry_run=True)
        [row] = made.relation(people).filter("attack = 'correspondence'").fetchall()
        assert "needs 2 releases" in row

    @pytest.mark.parametrize(
        ("output", "more", "message"),
        [
            ("there.csv", {}, "there.csv exists: what may be out is never replaced"),
            ("no/folder.csv", {}, "there is no folder"),
            ("a.duckdb::t", {}, "publish writes a file"),
            ("a.txt", {}, "a.txt: publish writes files that end with one of .csv"),
            ("b.csv", {"name": "theirs"}, r"has a release called theirs \(out\): give another name"),
            ("b.csv", {"source": "(select 1)"}, "unknown table"),
        ],
    )
    def test_what_cannot_be_written(
        self,
        people: duckdb.DuckDBPyConnection,
        tmp_path: Path,
        output: str,
        more: dict[str, Any],
        message: str,
    ) -> None:
        policy(tmp_path)
        (tmp_path / "there.csv").write_text("")
        enter(people, tmp_path, "theirs", "from people")
        with pytest.raises(InputError, match=message):
            publish(people, tmp_path, output, **more)


@pytest.mark.slow("1.0 s")
def test_a_dry_run_changes_nothing(people: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    policy(tmp_path)
    before = content(tmp_path)
    made = publish(people, tmp_path, "a.csv", dry_run=True)
    assert content(tmp_path) == before
    assert not made.is_out
    assert made.number is None
    assert "nothing is known to be out" in made.remarks[0]
    with opened(people, tmp_path / "releases.duckdb", make=True):
        pass
    before = content(tmp_path)
    assert publish(people, tmp_path, "a.csv", dry_run=True).release.rows == 8
    assert content(tmp_path) == before
    assert made.relation(people).filter("verdict = 'holds'").fetchall()


class TestReleasesThatDiffer:
    @pytest.mark.slow("0.7 s")
    def test_one_without_the_sensitive_column_is_told(
        self, people: duckdb.DuckDBPyConnection, tmp_path: Path
    ) -> None:
        policy(tmp_path, HOMOGENEITY, AWARE)
        people.execute("create or replace temp view theirs as select '[20, 45]' as age, '*' as zip")
        sqlanon.add_release(
            people, "theirs", register=tmp_path / "releases.duckdb", name="theirs", qi=["age", "zip"]
        )
        made = publish(people, tmp_path, "ours.csv")
        assert "theirs does not have disease" in made.remarks
        assert "nothing is out yet, so composed_l asks for nothing" in made.remarks


class TestRegister:
    def test_what_others_publish_is_listed_withdrawn_and_counts(
        self, people: duckdb.DuckDBPyConnection, tmp_path: Path
    ) -> None:
        file, register = tmp_path / "theirs.csv", tmp_path / "releases.duckdb"
        people.execute(f"copy people to '{file}'").fetchall()
        given: dict[str, Any] = {"register": register, "qi": ["age", "zip"], "sensitive": "disease"}
        given["formats"] = {"theirs.age": "between youngest and oldest", "zip": "mask x"}
        assert sqlanon.add_release(people, str(file), name="theirs", path=file, **given) == 1
        with pytest.raises(UseError, match="has a release called theirs"):
            sqlanon.add_release(people, "people", name="theirs", **given)
        with pytest.raises(
            UseError, match="sensitive: there is no column diseas in again; did you mean dise"
        ):
            sqlanon.add_release(people, "people", name="again", **{**given, "sensitive": "diseas"})
        with pytest.raises(UseError, match=r"there is no release theires in .*; did you mean theirs"):
            sqlanon.withdraw_release(people, "theires", register=register)
        sqlanon.withdraw_release(people, "1", register=register)
        columns = "id, name, status, published_by, row_count, path"
        assert sqlanon.releases(people, register).project(columns).fetchall() == [
            (1, "theirs", "withdrawn", "others", 8, str(file))
        ]
        with opened(people, register, read_only=True) as known:
            [entry] = known.out()
            assert entry.formats == {"age": "between youngest and oldest", "zip": "mask x"}

    @pytest.mark.slow("1.1 s")
    def test_where_somebody_is(self, people: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
        """By age alone: 21 is in one class of each, with labels that only the policy's hierarchy explains."""
        rules = policy(tmp_path)
        rules.write_text(
            rules.read_text() + '[hierarchies.age]\nvalues = {21 = ["young", "*"], 41 = ["old", "*"]}\n'
        )
        enter(people, tmp_path, "exact", "from people")
        enter(
            people, tmp_path, "coarse", "select if(age < 30, 'young', 'old') as age, zip, disease from people"
        )
        enter(people, tmp_path, "unread", "select 'any age' as age, zip, disease from people")
        people.execute("create or replace temp view asking as select 'Ann' as name, 21 as age").fetchall()
        found = sqlanon.locate_in_releases(
            people, "asking", register=tmp_path / "releases.duckdb", id="name", policy=rules
        )
        rows = found.relation(people).project("name, release, classes, row_count").order("all").fetchall()
        assert rows == [("Ann", "coarse", 1, 4), ("Ann", "exact", 1, 1)]
        assert found.remarks == [
            "release 3, unread: 1 of its values are none of those of the targets; where one is a label that "
            "no hierarchy explains, they may be there, too"
        ]

    @pytest.mark.slow("1.7 s")
    def test_an_audit(self, people: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
        """Others publish later; by the last policy, which is in the register, that is too much."""
        policy(tmp_path)
        publish(people, tmp_path, "ours.csv")
        (tmp_path / "policy.toml").unlink()
        register = tmp_path / "releases.duckdb"
        given: dict[str, Any] = {"register": register, "attacks": ["homogeneity"]}
        assert sqlanon.audit(people, "people", **given).holds
        enter(people, tmp_path, "theirs", "from people")
        made = sqlanon.audit(people, "people", **given)
        assert made.reasons == ["fails: homogeneity.certain of disease on theirs: 8 (100 %); 0 is tolerated"]
        (tmp_path / "ours.csv").write_text("something else")
        made = sqlanon.audit(people, "people", **given)
        assert any("ours.csv has changed since" in reason for reason in made.reasons)
        assert len(made.relation(people).filter("verdict = 'fails'").fetchall()) == 1
        audits = (
            "select count(distinct judged_at) from verdicts where occasion = 'audit' and release_id is null"
        )
        assert in_register(tmp_path, audits) == [(3,)]

    def test_its_tables_are_documented(self, con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
        with opened(con, tmp_path / "releases.duckdb", make=True):
            pass
        undocumented = in_register(
            tmp_path,
            """select table_name, column_name from duckdb_columns() where comment is null
                and table_name in (select table_name from duckdb_tables())
            union all select table_name, null from duckdb_tables() where comment is null
            union all select view_name, null from duckdb_views() where comment is null and not internal""",
        )
        assert undocumented == []

    @pytest.mark.slow("2 s")
    @pytest.mark.skipif(ON_OLDER, reason="writes encrypted files with an extension only")
    def test_it_is_encrypted(
        self, con: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        file = tmp_path / "releases.duckdb"
        monkeypatch.setenv(ENVIRONMENT, "a long and secret key")
        with pytest.raises(InputError, match="INSTALL httpfs") as refused, opened(con, file, make=True):
            pass
        assert "secret" not in str(refused.value)
        con.execute("set force_mbedtls_unsafe = true").fetchall()
        try:
            con.execute(PEOPLE).fetchall()
            enter(con, tmp_path, "theirs", "from people")
            assert b"theirs" not in file.read_bytes()
            assert [row[1] for row in sqlanon.releases(con, file).fetchall()] == ["theirs"]
            for key, message in (("another", "has another key"), ("", f"is encrypted: set {ENVIRONMENT}")):
                monkeypatch.setenv(ENVIRONMENT, key)
                with pytest.raises(InputError, match=message):
                    sqlanon.releases(con, file)
        finally:
            con.execute("reset force_mbedtls_unsafe").fetchall()


class TestARegisterThatCannotBeUsed:
    """It is told by name, and nothing is written."""

    @pytest.fixture
    def made(self, people: duckdb.DuckDBPyConnection, tmp_path: Path) -> Path:
        policy(tmp_path)
        enter(people, tmp_path, "theirs", "from people")
        return tmp_path / "releases.duckdb"

    def refused(self, con: duckdb.DuckDBPyConnection, folder: Path, message: str, **more: Any) -> None:
        before = content(folder)
        with pytest.raises(InputError, match=f"releases.duckdb {message}"):
            publish(con, folder, "a.csv", **more)
        assert content(folder) == before
        assert (
            con.execute("select 1 from duckdb_databases() where database_name like '%register'").fetchall()
            == []
        )

    def test_damaged(self, people: duckdb.DuckDBPyConnection, tmp_path: Path, made: Path) -> None:
        whole = made.read_bytes()
        made.write_bytes(b"something else" * 1000)
        self.refused(people, tmp_path, "is damaged, or no DuckDB file")
        made.write_bytes(whole[:12288] + bytes(byte ^ 255 for byte in whole[12288:]))
        self.refused(people, tmp_path, "is damaged")

    def test_another_database(self, people: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
        policy(tmp_path)
        with duckdb.connect(tmp_path / "releases.duckdb") as other:
            other.execute("create table releases as select 1").fetchall()
        self.refused(people, tmp_path, "is a DuckDB file, but no register of releases")

    def test_of_another_version(self, people: duckdb.DuckDBPyConnection, tmp_path: Path, made: Path) -> None:
        with duckdb.connect(made) as newer:
            newer.execute("insert into register values (?, now(), '99')", [VERSION + 1]).fetchall()
        self.refused(people, tmp_path, f"is of version {VERSION + 1}, made by another sqlanon")

    def test_held_by_this_process(
        self, people: duckdb.DuckDBPyConnection, tmp_path: Path, made: Path
    ) -> None:
        with duckdb.connect(made):
            self.refused(people, tmp_path, "is in use by this process")

    def test_held_by_another(self, people: duckdb.DuckDBPyConnection, tmp_path: Path, made: Path) -> None:
        """Whoever waits long enough gets it."""
        script = (
            "import duckdb, sys; con = duckdb.connect(sys.argv[1]); print(flush=True); sys.stdin.readline()"
        )
        command = [sys.executable, "-c", script, str(made)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
            assert holder.stdin is not None
            assert holder.stdout is not None
            holder.stdout.readline()
            for dry_run in (False, True):
                message = rf"is in use by .*\(process {holder.pid}\)"
                self.refused(people, tmp_path, message, dry_run=dry_run)
            holder.stdin.close()
            with opened(people, made, wait=60) as known:
                assert len(known.out()) == 1

    def test_one_that_cannot_be_written(
        self,
        people: duckdb.DuckDBPyConnection,
        tmp_path: Path,
        made: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        # root may do everything
        monkeypatch.setattr(os, "access", lambda path, mode: Path(path).is_dir())
        self.refused(people, tmp_path, "cannot be written: permission denied")

    def test_a_release_that_has_changed_since(
        self, people: duckdb.DuckDBPyConnection, tmp_path: Path
    ) -> None:
        policy(tmp_path)
        file = tmp_path / "theirs.csv"
        people.execute(f"copy people to '{file}'").fetchall()
        sqlanon.add_release(
            people,
            "people",
            register=tmp_path / "releases.duckdb",
            name="theirs",
            qi=["age", "zip"],
            path=file,
        )
        file.write_text(file.read_text() + "22,a,flu\n")
        before = content(tmp_path)
        with pytest.raises(InputError, match=r"theirs: .*theirs.csv has changed since it was entered"):
            publish(people, tmp_path, "a.csv")
        assert content(tmp_path) == before


@pytest.fixture
def pending(people: duckdb.DuckDBPyConnection, tmp_path: Path) -> tuple[Path, Path]:
    """A release that is pending: where it was to go, and its unfinished file."""
    output, unfinished = tmp_path / "a.csv", tmp_path / ".a.csv.pending"
    unfinished.write_text("rows")
    enter(people, tmp_path, "a", "from people")
    with duckdb.connect(tmp_path / "releases.duckdb") as con:
        con.execute(
            "update releases set status = 'pending', path = $1, unfinished_path = $2, content_sha256 = $3",
            [str(output), str(unfinished), hashlib.sha256(b"rows").hexdigest()],
        ).fetchall()
    return output, unfinished


@pytest.mark.parametrize(
    ("left", "status", "told"),
    [
        ({"unfinished": "rows"}, "abandoned", "never went out"),
        ({"unfinished": "rows", "output": "another"}, "abandoned", "never went out"),
        ({"output": "rows"}, "out", "has gone out"),
        ({"output": "changed"}, "pending", "may be out"),
        ({"unfinished": "part"}, "pending", "may be out"),
        ({}, "pending", "may be out"),
    ],
)
def test_what_a_crash_has_left(
    people: duckdb.DuckDBPyConnection,
    tmp_path: Path,
    pending: tuple[Path, Path],
    left: dict[str, str],
    status: str,
    told: str,
) -> None:
    pending[1].unlink()
    for name, text in left.items():
        pending[name == "unfinished"].write_text(text)
    file = tmp_path / "releases.duckdb"
    before = content(tmp_path)
    with opened(people, file, read_only=True) as known:
        assert len(known.reconcile()) == (status != "abandoned")
        assert told in known.remarks[0]
    assert content(tmp_path) == before
    with opened(people, file) as known:
        out = known.reconcile()
        assert told in known.remarks[0]
        assert len(out) == (status != "abandoned")
        assert [entry.status for entry in known.entries()] == [status]
    if status == "abandoned":
        assert not pending[1].exists()
        assert in_register(
            tmp_path, "select count(*) from duckdb_tables() where schema_name = 'released'"
        ) == [(0,)]


def test_the_number_of_an_abandoned_release_is_not_used_again(
    people: duckdb.DuckDBPyConnection, tmp_path: Path, pending: tuple[Path, Path]
) -> None:
    with opened(people, tmp_path / "releases.duckdb") as known:
        known.reconcile()
    enter(people, tmp_path, "a", "from people")
    assert in_register(tmp_path, "select id, name, status from releases order by id") == [
        (1, "a", "abandoned"), (2, "a", "out"),
    ]  # fmt: skip


@pytest.mark.slow("0.6 s")
@pytest.mark.parametrize("is_out", [False, True])
def test_an_error_at_the_last_moment(
    people: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_out: bool
) -> None:
    """Before the file has its name nothing went out; afterwards it did."""
    policy(tmp_path)

    def named(file: Path, name: Path) -> None:
        if is_out:
            give_name(file, name)
        raise OSError("no more")

    monkeypatch.setattr("sqlanon.publishing.gate.give_name", named)
    with pytest.raises(OSError, match="no more"):
        publish(people, tmp_path, "a.csv")
    assert (tmp_path / "a.csv").exists() == is_out
    assert in_register(tmp_path, "select status from releases") == [("out" if is_out else "abandoned",)]
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".")] == []


def test_fingerprints_do_not_tell_the_order(con: duckdb.DuckDBPyConnection) -> None:
    digests = [
        con.execute(f"with t as ({rows}) from sqlanon._digest_of_rows('t', ['x', 'y'])").fetchall()
        for rows in (
            "from (values (1, 'a'), (2, null)) as t(x, y)",
            "from (values (2, null), (1, 'a')) as t(x, y)",
            "from (values (2, 'null'), (1, 'a')) as t(x, y)",
            "from (values (2, null), (1, 'a'), (1, 'a')) as t(x, y)",
            "select * from (values (2, null), (1, 'a')) as t(x, y) where false",
        )
    ]
    assert digests[0] == digests[1]
    assert len({repr(digest) for digest in digests}) == 4
