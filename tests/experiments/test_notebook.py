"""Notebooks in examples/: their cells run, print what is kept, and their text says what they print."""

import contextlib
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))
PRINTED = {
    "any_release": "copy       copies 100.0",
    "composition_attack": "both: Alice has one of ['diabetes']",
    "questions": "diabetes 105 - 104 = 1",
    "reconstruction": "sets of people that agree: 1",
}
SLOW = {"reconstruction": "20 s: all sets of seven people"}


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(each, marks=[pytest.mark.slow(SLOW[each.stem])] if each.stem in SLOW else [])
        for each in NOTEBOOKS
    ],
    ids=lambda notebook: notebook.stem,
)
def notebook(request: pytest.FixtureRequest) -> Path:
    return Path(request.param)


@pytest.fixture(scope="module")
def cells(notebook: Path) -> list[dict[str, Any]]:
    read = json.loads(notebook.read_text("utf-8"))
    assert read["nbformat"] == 4
    return list(read["cells"])


def kept(cell: dict[str, Any]) -> str:
    """What a cell has printed."""
    return "".join(line for output in cell["outputs"] for line in output["text"])


@pytest.mark.slow("12 s a case", but=(2,))
def test_its_cells_print_what_it_has_kept(
    cells: list[dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # where there are no files
    space: dict[str, Any] = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile("".join(cell["source"]), cell["id"], "exec"), space)
            assert printed.getvalue() == kept(cell)
    space["con"].close()
    assert list(tmp_path.iterdir()) == []


def test_its_text_says_what_they_print(cells: list[dict[str, Any]], notebook: Path) -> None:
    """What is bold in the text has been printed before."""
    printed, said = "", 0
    for cell in cells:
        if cell["cell_type"] == "code":
            assert {output["output_type"] for output in cell["outputs"]} <= {"stream"}
            printed += kept(cell)
            continue
        for claim in re.findall(r"\*\*(.+?)\*\*", "".join(cell["source"])):
            assert re.search(rf"(?<![\d.]){re.escape(claim)}(?!\.?\d)", printed), claim
            said += 1
    assert said > 5
    assert PRINTED[notebook.stem] in printed


def test_it_is_small_and_names_files_that_are_there(cells: list[dict[str, Any]], notebook: Path) -> None:
    assert notebook.stat().st_size < 20_000
    text = "".join(line for cell in cells for line in cell["source"] if cell["cell_type"] == "markdown")
    linked = re.findall(r"\]\(([^):]+)\)", text)
    assert linked
    assert [name for name in linked if not (EXAMPLES / name).is_file()] == []
