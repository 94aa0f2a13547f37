"""The gate on random histories in messy files, against an adversary who reads them as people do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import duckdb
import pytest

from tests.judge.histories import AMBIGUOUS, KINDS, History, Night, history
from tests.judge.nights import HOLDS, Judged, Nights
from tests.oracles.histories import certain

ALL, A_RUN = 300, 20
# A few short ones in which every kind occurs, and every answer.
QUICK = (91, 227, 252, 299)
RUNS = [QUICK, *(range(first, first + A_RUN) for first in range(0, ALL, A_RUN))]


@dataclass
class Played:
    """What the gate said. wrong: that it held where somebody is certain. clear: verdicts where nobody is and
    nothing is ambiguous; not_held: those of them that were not holds."""

    wrong: list[str] = field(default_factory=list)
    clear: int = 0
    not_held: list[str] = field(default_factory=list)


def publish(nights: Nights, night: Night) -> Judged:
    nights.con.execute(night.table())
    places = ", ".join("?" for _ in night.columns)
    nights.con.executemany(f'insert into "of_{night.name}" values ({places})', night.rows())
    return nights.publish_table(night.name, f"of_{night.name}", night.policy())


def play(nights: Nights, scenario: History, played: Played) -> None:
    """What is refused is not out, and the next night is judged without it."""
    out: list[Night] = []
    for night in scenario.nights:
        made = publish(nights, night)
        columns = sorted({column for each in (*out, night) for column in each.sensitive})
        found = certain([each.out() for each in (*out, night)], columns)
        if any(found.values()):
            if made.verdict == HOLDS:
                played.wrong.append(f"{scenario}\n{night.name}: {made}\n{dict(found)}")
        elif not scenario.is_ambiguous:
            played.clear += 1
            if made.verdict != HOLDS:
                played.not_held.append(f"{scenario}\n{night.name}: {made}")
        if made.verdict == HOLDS:
            out.append(night)


@pytest.mark.slow("a minute a case")
@pytest.mark.parametrize("seeds", RUNS, ids=lambda seeds: f"from {seeds[0]}")
def test_it_never_holds_where_somebody_is_certain(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seeds: Sequence[int]
) -> None:
    """And where nobody is, and nothing is ambiguous, it holds: not known is no way out."""
    monkeypatch.setenv("SQLANON_KEY", "0123456789abcdef0123456789abcdef")
    played = Played()
    for seed in seeds:
        folder = tmp_path / str(seed)
        folder.mkdir()
        play(Nights(con, folder), history(seed), played)
    assert not played.wrong, "\n\n".join(played.wrong)
    most = 0 if seeds is QUICK else 0.05 * max(played.clear, A_RUN)
    assert len(played.not_held) <= most, "\n\n".join(played.not_held)


@cache
def all_of_them() -> Sequence[History]:
    return [history(seed) for seed in range(ALL)]


class TestTheHistories:
    """What is not among them is not tried."""

    def test_every_kind_occurs_often(self) -> None:
        made = all_of_them()
        assert min(sum(kind in each.kinds for each in made) for kind in KINDS) >= 25
        assert {kind for seed in QUICK for kind in made[seed].kinds} == KINDS

    @pytest.mark.slow("half a second")
    def test_so_does_every_answer(self) -> None:
        """Somebody is certain or nobody, whether anything is ambiguous or not."""
        made = all_of_them()
        for is_ambiguous in (True, False):
            ends = [any(h.certain(len(h.nights)).values()) for h in made if h.is_ambiguous == is_ambiguous]
            assert min(ends.count(True), ends.count(False)) >= 25
        quick = [made[seed] for seed in QUICK]
        assert len({(h.is_ambiguous, any(h.certain(len(h.nights)).values())) for h in quick}) == 4
        assert AMBIGUOUS < KINDS
