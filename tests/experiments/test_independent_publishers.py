"""examples/independent_publishers.py: who is in which release, and that table and figure are made."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import duckdb
import pytest

import sqlanon
from sqlanon.experiments import census

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "independent_publishers.py"


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The example, on fewer people."""
    spec = importlib.util.spec_from_file_location("independent_publishers", EXAMPLE)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "independent_publishers", module)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "PEOPLE", 900)
    monkeypatch.setattr(module, "SHARED", 300)
    return module


@pytest.fixture
def con(example: ModuleType) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        census.load(connection, seed=1, people=example.PEOPLE)
        yield connection


@pytest.mark.slow("1 s")
def test_who_is_in_which_release(example: ModuleType, con: duckdb.DuckDBPyConnection) -> None:
    """Whoever is published centrally is so once, and the others where they are held."""
    releases = example.publish(con, example.Setting("mixed", 5, 0.2, 0.5))
    assert releases == ["first", "second", "central"]
    [(central,)] = con.execute("select count(*) from holders where in_central").fetchall()
    assert 100 < central < 200  # of 300 by a hash
    sizes = [con.table(name).count("*").fetchall()[0][0] for name in releases]
    assert sizes == [600 - central, 600 - central, central]
    counts = "in_first::int + in_second::int + in_central::int"
    [(once, twice)] = con.execute(
        f"""select count(*) filter (in_central and {counts} <> 1),
                count(*) filter (id <= 300 and not in_central and {counts} <> 2)
            from holders"""
    ).fetchall()
    assert (once, twice) == (0, 0)
    for name in releases:
        assert sqlanon.violations(con, name, qi=example.QI, k=5).fetchall() == []


@pytest.mark.slow("4.7 s")
def test_table_and_figure(
    example: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    settings = [example.Setting("plain", 5), example.Setting("mixed", 5, 0.5, 0.25)]
    monkeypatch.setattr(example, "SETTINGS", settings)
    example.main(tmp_path / "figure.svg")
    title, plain, mixed = capsys.readouterr().out.splitlines()
    assert title.split()[:4] == ["release", "k", "p", "central"]
    assert plain.split()[:4] == ["plain", "5", "1.0", "0%"]
    assert mixed.split()[:4] == ["mixed", "5", "0.5", "25%"]
    figure = (tmp_path / "figure.svg").read_text()
    assert figure.startswith("<svg")
    assert figure.count(">plain<") == figure.count(">mixed<") == 1
