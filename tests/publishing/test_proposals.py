"""What columns and values of others' releases may be called by us: proposed, and never supposed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlanon
from sqlanon.core.errors import UseError
from tests.cli.test_cli import ok, run

POLICY = """
[roles]
qi = ["age"]
sensitive = ["disease"]
[requirements]
k = 2
[tolerated.intersection_attack]
pvp_100 = 100
"""
OURS = ("flu", "gout", "cancer", "Übelkeit")
THEIRS = ("Flu", "gout", "Cancer ", "Ubelkeit", "asthma")


@pytest.fixture
def register(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> Path:
    """With a release of ours."""
    (tmp_path / "policy.toml").write_text(POLICY)
    con.execute(f"create table people as select 20 + i % 4 as age, {list(OURS)}[i % 4 + 1] as disease "
                "from range(40) as r(i)").fetchall()  # fmt: skip
    con.execute(f"create table theirs as select '[20, 23]' as \"A-ge\", {list(THEIRS)}[i % 5 + 1] as "
                "diagnosis from range(20) as r(i)").fetchall()  # fmt: skip
    sqlanon.publish(con, "people", tmp_path / "policy.toml", register=tmp_path / "releases.duckdb",
                    output=tmp_path / "ours.parquet", attacks=["intersection_attack"])  # fmt: skip
    return tmp_path / "releases.duckdb"


def proposals(con: duckdb.DuckDBPyConnection, register: Path) -> list[tuple[Any, ...]]:
    made = sqlanon.propose_mappings(con, "theirs", register=register)
    return made.project('kind, "column", theirs, ours').fetchall()


@pytest.mark.slow("1 s")
def test_what_is_spelled_alike_or_shares_values(con: duckdb.DuckDBPyConnection, register: Path) -> None:
    sqlanon.add_release(con, "theirs", register=register, name="theirs", qi=["A-ge"], sensitive=["diagnosis"])
    columns = [("column", "A-ge", "A-ge", "age"), ("column", "diagnosis", "diagnosis", "disease")]
    values = [("value", "disease", theirs, ours) for theirs, ours in
              (("Cancer ", "cancer"), ("Flu", "flu"), ("Ubelkeit", "Übelkeit"))]  # fmt: skip
    assert proposals(con, register) == columns + values
    sqlanon.map_release(con, "theirs", register=register, names={"diagnosis": "disease"},
                        values={"disease": {"Flu": "flu"}})  # fmt: skip
    assert proposals(con, register) == [columns[0], values[0], values[2]]


@pytest.mark.slow("1 s")
def test_a_column_that_is_none_of_ours(con: duckdb.DuckDBPyConnection, register: Path) -> None:
    sqlanon.add_release(con, "theirs", register=register, name="theirs", qi={"A-ge": "age"},
                        sensitive={"diagnosis": "diagnosis"})  # fmt: skip
    assert proposals(con, register) == []


@pytest.mark.slow("2 s")
def test_on_the_command_line(
    con: duckdb.DuckDBPyConnection, register: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Told when it is entered; the rows are a file that map takes."""
    monkeypatch.chdir(register.parent)
    con.execute("copy theirs to 'theirs.csv'").fetchall()
    entered = run("register", "add", register, "theirs.csv", "--qi", "A-ge=age", "--sensitive", "diagnosis")
    assert entered.exit_code == 0
    assert "theirs: diagnosis may be our disease: 4 of 5 values are values of it\n" in entered.stderr
    assert "theirs: Flu may be our flu (disease): spelled alike\n" in entered.stderr
    assert "nothing of this is supposed" in entered.stderr
    Path("proposed.csv").write_text(ok("register", "proposals", register, "theirs"))
    ok("register", "map", register, "theirs", "--values", "proposed.csv")
    assert proposals(con, register) == []
    with duckdb.connect(register, read_only=True) as anybody:
        [(names,)] = anybody.execute("select names from releases where name = 'theirs'").fetchall()
        spelled = anybody.execute("select theirs, ours from spellings order by all").fetchall()
    assert names == {"A-ge": "age", "diagnosis": "disease"}
    assert spelled == [("Cancer ", "cancer"), ("Flu", "flu"), ("Ubelkeit", "Übelkeit")]


@pytest.mark.slow("1 s")
def test_values_are_added_and_the_register_knows_who_says_so(
    con: duckdb.DuckDBPyConnection, register: Path
) -> None:
    def spelled() -> list[tuple[str, str, str]]:
        with duckdb.connect(register, read_only=True) as anybody:
            return anybody.execute("select theirs, ours, said_by from spellings order by all").fetchall()

    def say(values: dict[str, str], **more: Any) -> None:
        sqlanon.map_release(
            con,
            "theirs",
            register=register,
            values={"disease": values},
            names={"diagnosis": "disease"},
            **more,
        )

    sqlanon.add_release(con, "theirs", register=register, name="theirs", qi=["A-ge"], sensitive=["diagnosis"])
    say({"Flu": "flu", "Gicht": "gout"}, by="Ada")
    say({"Gicht": "asthma", "Cancer ": "cancer"}, adds=True, by="Ben")
    assert spelled() == [("Cancer ", "cancer", "Ben"), ("Flu", "flu", "Ada"), ("Gicht", "asthma", "Ben")]
    say({"Flu": "flu"})
    [(theirs, _, by)] = spelled()
    assert (theirs, "@" in by) == ("Flu", True)


def test_how_labels_are_written(con: duckdb.DuckDBPyConnection, register: Path) -> None:
    """What nobody understands is told with what reads it, which can be said later."""
    con.execute(
        "create table ages as select unnest(['20 bis 23', '60+']) as alter, 'gout' as disease"
    ).fetchall()
    qi, rules = {"alter": "age"}, register.parent / "policy.toml"
    sqlanon.add_release(con, "ages", register=register, name="theirs", qi=qi, sensitive=["disease"])
    with pytest.raises(sqlanon.RefusedError) as refused:
        sqlanon.publish(
            con, "people", rules, register=register, output=register.parent / "next.parquet",
            attacks=["intersection_attack"],
        )  # fmt: skip
    assert "read such labels: sqlanon register map REGISTER theirs --formats age=range" in str(refused.value)
    with pytest.raises(UseError, match="formats: sex is no quasi-identifier"):
        sqlanon.map_release(con, "theirs", register=register, formats={"sex": "range"})
    for say in (
        lambda: sqlanon.map_release(con, "theirs", register=register, formats={"age": "rnge"}),
        lambda: sqlanon.add_release(
            con, "ages", register=register, name="more", qi=qi, formats={"alter": "rnge"}
        ),
    ):
        with pytest.raises(UseError, match="format rnge of alter is none of range"):
            say()
    with pytest.raises(UseError, match="formats: there is no column age in qi"):
        sqlanon.add_release(con, "ages", register=register, name="more", qi=qi, formats={"age": "range"})
    ok("register", "map", register, "theirs", "--formats", "age=range")
    with duckdb.connect(register, read_only=True) as anybody:
        [(formats,)] = anybody.execute("select formats from releases where name = 'theirs'").fetchall()
    assert formats == {"alter": "range"}


@pytest.mark.slow("1 s")
def test_commands_that_help_are_about_what_others_have_published(
    con: duckdb.DuckDBPyConnection, register: Path
) -> None:
    """The release that is tried is in no register."""
    (register.parent / "strict.toml").write_text(POLICY.replace("pvp_100 = 100", "pvp_100 = 50"))
    names: dict[str, Any] = {"qi": {"A-ge": "age"}, "sensitive": {"diagnosis": "disease"}}
    sqlanon.add_release(con, "theirs", register=register, name="theirs", **names)
    with pytest.raises(sqlanon.RefusedError) as refused:
        sqlanon.publish(
            con, "people", register.parent / "strict.toml", register=register,
            output=register.parent / "next.parquet", attacks=["intersection_attack"],
        )  # fmt: skip
    [said] = [each for each in refused.value.reasons if "another in theirs" in each and " next " in each]
    assert "register map REGISTER theirs --values 'values of theirs.csv'" in said
