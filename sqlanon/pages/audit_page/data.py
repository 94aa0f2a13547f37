"""The data of the auditor's page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlanon.pages.page import Table

if TYPE_CHECKING:
    from sqlanon.judge.runs import Counts


@dataclass(frozen=True)
class Data:
    """What the page tells. time: of the audit, in UTC. about: roles, and their columns. verdict: holds,
    fails or not known; summary: how much of what was stated holds; reasons: why it does not; remarks: what
    else there was to say; facts: as in a decision. Tables are of the register, but for counts."""

    register: Path
    time: datetime
    about: Mapping[str, Sequence[str]]
    counts: Counts
    releases: Table
    growth: Table
    stated: Table
    summary: str
    unstated: Table
    not_attacked: Table
    verdict: str
    reasons: Sequence[str]
    remarks: Sequence[str]
    facts: Mapping[str, Any]
