"""The German hospital of examples/hospital.py: its file as it comes is drafted, released and checked."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from tests.cli.test_cli import folder as folder  # a fixture
from tests.cli.test_cli import ok, query
from tests.policies.test_first_policy import drafted

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "hospital.py"
ROLES = ["--qi", "Geburtsdatum,Geschlecht,PLZ", "--sensitive", "Diagnose"]


@pytest.mark.slow("2 s")
def test_the_export_of_a_hospital(folder: Path) -> None:
    runpy.run_path(str(EXAMPLE))["main"]("hospital.csv", "300", "7")
    raw = Path("hospital.csv").read_bytes()
    assert "Müller, Jörgina".encode("cp1252") in raw
    assert b";?;" in raw
    policy = drafted("hospital.csv")
    assert policy["roles"] == {
        "identifier": ["Fallnummer", "Name"],
        "qi": ["Geburtsdatum", "Geschlecht", "PLZ", "Aufnahme", "Fachabteilung"],
        "sensitive": ["Diagnose"],
        "keep": [],
        "unit": "Patient",
    }
    assert policy["input"] == {
        "encoding": "windows-1252",
        "missing": ["?"],
        "types": {"Geburtsdatum": "date %d.%m.%Y", "Aufnahme": "date %d.%m.%Y", "Kosten": "double 1.234,5"},
    }
    found = ok("identifiers", "hospital.csv").splitlines()[1:]
    assert {line.split(",")[0] for line in found if line.endswith("true")} == {
        "Fallnummer",
        "Patient",
        "Name",
    }
    form = ["--missing", "?", "--types", "Geburtsdatum=date %d.%m.%Y"]
    ok("anonymize", "hospital.csv", "-o", "out.csv", *ROLES, *form, "--unit", "Patient", "--k", "5")
    ok("check", "out.csv", *ROLES, "--k", "5")
    rows = query("select count(*), bool_and(Geburtsdatum not like '%.%') from 'out.csv'")
    assert rows == [(raw.count(b"\n") - 1, True)]


@pytest.mark.slow("3 s")
def test_its_release_is_checked_by_the_policy_that_made_it(folder: Path) -> None:
    """Whose types are those of the raw file: the release has labels in place of days."""
    runpy.run_path(str(EXAMPLE))["main"]("hospital.csv", "300", "7")
    ok("init", "hospital.csv", "--seconds", "0", "-o", "policy.toml")
    text = Path("policy.toml").read_text("utf-8").replace("confirmed = false", "confirmed = true")
    Path("policy.toml").write_text(text, "utf-8")
    ok("anonymize", "hospital.csv", "--policy", "policy.toml", "-o", "out.csv")
    ok("check", "out.csv", "--policy", "policy.toml", "--reference", "hospital.csv")
