"""The command line on releases that are out: known ones, an earlier one, and chains that are m-invariant."""

import json
from pathlib import Path

import duckdb
import pytest

from tests.cli.test_cli import folder, ok, refused, run
from tests.publishing.test_secrecy import mode

__all__ = ["folder"]  # a fixture

FIRST = """age,zip,disease
"[21, 27]","{02138, 02139}",flu
"[21, 27]","{02138, 02139}",cold
"[21, 27]","{02138, 02139}",flu
"[21, 27]","{02138, 02139}",asthma
"[41, 47]","{13012, 13053}",flu
"[41, 47]","{13012, 13053}",cancer
"[41, 47]","{13012, 13053}",cancer
"[41, 47]","{13012, 13053}",flu
"""
ROLES = ["--qi", "age,zip", "--sensitive", "disease"]
TYPES = ["--types", "zip=text"]


@pytest.fixture
def known(folder: Path) -> Path:
    """Also first.csv, a release of people.csv, and present.csv, which says who was in it."""
    (folder / "first.csv").write_text(FIRST)
    lines = (folder / "people.csv").read_text().splitlines()
    present = [f"{line},{'was_there' if not i else i > 4}" for i, line in enumerate(lines)]
    (folder / "present.csv").write_text("\n".join(present) + "\n")
    return folder


def classes(*arguments: str) -> int:
    rows = json.loads(ok("anonymize", *arguments, *ROLES, *TYPES, "--seed", "1", "--format", "json"))
    return len({(row["age"], row["zip"]) for row in rows})


@pytest.mark.slow("2.9 s")
def test_based_on(known: Path) -> None:
    asked = ["people.csv", "--k", "2"]
    assert classes(*asked) == 4
    assert classes(*asked, "--based-on", "first.csv") == 2
    (known / "policy.toml").write_text(
        "[roles]\nqi = ['age', 'zip']\nsensitive = ['disease']\n[requirements]\nk = 2\n"
        "[method]\nbased_on = 'first.csv'\n[input.types]\nzip = 'text'\n"
    )
    with_policy = ["people.csv", "--policy", "policy.toml"]
    rows = ok("anonymize", *with_policy, "--format", "csv").splitlines()
    assert len({row.rpartition(",")[0] for row in rows}) == 1 + 2  # a line of names
    assert "_sqlanon_base_class" in ok("anonymize", *with_policy, "--steps")
    assert "based_on := '\"first.csv\"'" in ok("anonymize", *with_policy, "--sql")
    (known / "policy.toml").write_text((known / "policy.toml").read_text().replace("first.csv", "last.csv"))
    message = "policy.toml: method.based_on: there is no file last.csv"
    assert refused(2, "anonymize", *with_policy).startswith(message)


@pytest.mark.slow("4.5 s")
def test_rows_that_came(known: Path) -> None:
    """Three in one of two classes: these are as many classes as before, and three rows are left."""
    people = (known / "people.csv").read_text()
    grown = [f"2{i},02138,{disease},{i}" for i, disease in enumerate(("flu", "gout", "cold"), 2)]
    (known / "grown.csv").write_text(people + "\n".join(grown) + "\n")
    asked = ["anonymize", "grown.csv", *ROLES, *TYPES, "--k", "2", "--based-on", "first.csv"]
    assert "3 rows of the table" not in refused(3, *asked)
    done = run(*asked, "--bcf-k", "3")
    assert done.exit_code == 0, done.stderr
    assert "in 2 classes" in done.stderr
    assert "BCF-anonymity 3" in done.stderr
    assert "no release can meet bcf_k 4" in refused(3, *asked, "--bcf-k", "4")
    assert (
        refused(2, *asked, "--bcf-k", "3", "--sql")
        == "--bcf-k is for a run, not for a statement with mondrian"
    )
    assert refused(2, *asked[:-2], "--bcf-k", "3") == "--bcf-k needs --based-on"


@pytest.mark.slow("4.5 s")
def test_presence(known: Path) -> None:
    """The four youngest were not there: nothing keeps them together."""
    asked = ["--k", "2", "--known", "first.csv", "--composed-l", "3"]
    apart = classes("present.csv", *asked, "--presence", "was_there")
    assert classes("present.csv", *asked) < apart
    release = ["anonymize", "present.csv", *ROLES, *TYPES, *asked, "--presence", "was_there", "-o", "out.csv"]
    ok(*release)
    check = ["check", "out.csv", *ROLES, *TYPES, "--known", "first.csv", "--composed-l", "3"]
    ok(*check, "--reference", "present.csv", "--presence", "was_there")
    assert run(*check, "--reference", "present.csv").exit_code == 1
    assert "there are 1 releases, and 2 columns" in refused(3, *release[:-2], "--presence", "was_there")


@pytest.mark.slow("1 s")
def test_suppression(known: Path) -> None:
    """All counts are told, also of who is suppressed and covered by a class of others."""
    done = run(
        "anonymize", "people.csv", *ROLES, *TYPES, "--k", "2", "--known", "first.csv", "--composed-l", "3",
        "--suppression-limit", "0.5",
    )  # fmt: skip
    assert done.exit_code == 0
    assert "rows suppressed" in done.stderr
    assert "exposed_rows: 4" in done.stderr


class TestMInvariant:
    RELEASE = ("m-invariant", "people.csv", "--id", "name", *ROLES, *TYPES, "--m", "2", "--seed", "1")

    @pytest.mark.slow("2.2 s")
    def test_two_nights(self, known: Path) -> None:
        """Gus leaves and Ida comes; with the state of the first night the second is invariant."""
        ok(*self.RELEASE, "--state", "state.parquet", "-o", "night_1.parquet")
        people = (known / "people.csv").read_text()
        (known / "people.csv").write_text(people.replace("45,13053,cancer,Gus", "46,13053,cancer,Ida"))
        second = run(
            *self.RELEASE, "--previous", "state.parquet", "--state", "state.parquet", "--force",
            "-o", "night_2.parquet",
        )  # fmt: skip
        assert second.exit_code == 0, second.stderr
        assert "gone: 1" in second.stderr
        with duckdb.connect() as con:
            assert con.sql("select count(*) from 'state.parquet'").fetchall() == [(9,)]
            columns = con.sql("from 'night_2.parquet'").columns
        assert columns == ["age", "zip", "disease", "group_id", "counterfeits"]
        assert mode(Path("state.parquet")) == 0o600
        check = ["m-invariance", "--targets", "people.csv", "--id", "name", *ROLES, "--group-id", "group_id"]
        ok(*check, "night_1.parquet", "night_2.parquet", "--m", "2")
        assert run(*check, "night_1.parquet", "night_2.parquet", "--m", "5").exit_code == 1
        assert "m_invariance" in ok(*check, "night_1.parquet", "night_2.parquet", "--sql")

    def test_a_state_is_secret(self, known: Path) -> None:
        """Where its file is new; otherwise whoever can read it is told of."""
        ok(*self.RELEASE, "--state", "state.duckdb::state", "-o", "night_1.parquet")
        assert (mode(Path("state.duckdb")), mode(Path("night_1.parquet")) & 0o044 > 0) == (0o600, True)
        ok(*self.RELEASE, "--state", "state.duckdb::second", "-o", "night_2.parquet")
        assert sorted(file.name for file in known.glob("state*")) == ["state.duckdb"]
        for state in ("state.duckdb::state", "state.parquet"):
            file = Path(state.partition("::")[0])
            file.touch()
            file.chmod(0o644)
            done = run(*self.RELEASE, "--state", state, "-o", "night_3.parquet", "--force")
            assert f"{file} can be read by others than its owner: chmod 600 it" in done.stderr
            assert mode(file) == 0o644

    @pytest.mark.parametrize(
        ("more", "message"),
        [
            (["--state", "state.csv"], "--state state.csv: the state has lists"),
            (["--state", "state.parquet", "-o", "state.parquet"], "--output and --state are both"),
            (["--state", "people.csv"], "--state people.csv: the state has lists"),
            (["--state", "s.parquet", "--previous", "none.parquet"], "there is no file none.parquet"),
            (["--state", "s.parquet", "--sensitive", "name"], "--sensitive names one column here, not 2"),
        ],
    )
    def test_wrong_use(self, known: Path, more: list[str], message: str) -> None:
        before = sorted(path.name for path in known.iterdir())
        assert refused(2, *self.RELEASE, *more).startswith(message)
        assert sorted(path.name for path in known.iterdir()) == before
