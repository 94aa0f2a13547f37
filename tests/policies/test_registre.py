"""A French register of stays: from a messy file to a published month, and to the next one in other words."""

from __future__ import annotations

import importlib.util
import json
import tomllib
from pathlib import Path

import pytest

from tests.cli.test_cli import folder as folder  # a fixture
from tests.cli.test_cli import run

SPEC = importlib.util.spec_from_file_location(
    "registre", Path(__file__).parents[2] / "examples" / "registre.py"
)
assert SPEC is not None
assert SPEC.loader is not None
registre = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(registre)


@pytest.mark.slow("80 s")
def test_two_months_go_out_by_three_commands(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registre, "PEOPLE", 300)
    registre.main(folder, 1)
    assert run("init", "sejours_1.csv", "-o", "sejours.toml", "--seconds", "600").exit_code == 0
    draft = Path("sejours.toml").read_text("utf-8")
    assert '"Motif",  # VARCHAR' in draft.partition("sensitive = [")[2].partition("]")[0]
    assert 'unit = "N° patient"' in draft
    publish = ["publish", "--policy", "sejours.toml", "--register", "registre.duckdb", "--language", "fr"]
    may_change = ",".join(tomllib.loads(draft)["roles"]["sensitive"])  # who comes again, for another reason
    first = run(
        *publish, "sejours_1.csv", "-o", "janvier.csv", "--page", "janvier.html", "--confirm", "Anne Martin",
        "--yes", "--values-may-change", may_change,
    )  # fmt: skip
    assert first.exit_code == 0, first.output
    assert json.loads(Path("janvier.json").read_text("utf-8"))["answer"] == "yes"
    assert "Puis-je publier ceci" in Path("janvier.html").read_text("utf-8")

    second = run(
        *publish, "sejours_2.csv", "-o", "fevrier.csv", "--page", "fevrier.html", "--earlier",
        "janvier=sejours_1.csv", "--map-words", "--yes",
    )  # fmt: skip
    assert 'janvier: Sexe: "F" = "Femme", "H" = "Homme"' in second.stderr
    assert 'janvier: Service: "Gériatrie" = "Geriatrie"' in second.stderr
    assert second.exit_code == 0, second.output
    assert json.loads(Path("fevrier.json").read_text("utf-8"))["answer"] == "yes"
