"""What is accepted when a release goes out, by whom, and until when."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

import duckdb

from sqlanon.core.errors import UseError
from sqlanon.core.statements import execute, named_table, select
from sqlanon.core.suggestions import suggestion
from sqlanon.publishing.register import now


@dataclass(frozen=True)
class Acceptance:
    """reasons: why, by what is accepted; by: who accepts it, if that is not the user; until: the last day on
    which it counts."""

    reasons: Mapping[str, str]
    by: str | None
    until: date | None

    def about(self, name: str, reason: str) -> tuple[str | None, date | None]:
        """By whom and until when something is accepted here for a reason; by a policy it has no end."""
        is_here = any(
            each.partition(":")[0] == name and said == reason for each, said in self.reasons.items()
        )
        return (self.by, self.until) if is_here else (None, None)


def acceptance(by: str | None, until: date | str | None, reasons: Mapping[str, str]) -> Acceptance:
    """What somebody accepts. Errors: UseError."""
    for name, reason in reasons.items():
        if not reason.strip():
            raise UseError(f"say why {name} is accepted")
    if (by is not None or until is not None) and not reasons:
        raise UseError("nothing is accepted that accepted_by or accepted_until could be about")
    if by is not None and not by.strip():
        raise UseError("accepted_by is empty: name who accepts it")
    try:
        last = date.fromisoformat(until) if isinstance(until, str) else until
    except ValueError:
        raise UseError(f"accepted_until must be a day such as 2027-06-30, not {until}") from None
    if last is not None and last < now().date():
        raise UseError(f"accepted_until = {last} is over already")
    return Acceptance(reasons, by, last)


def of_no_use(con: duckdb.DuckDBPyConnection, said: str, names: Iterable[str]) -> Iterator[str]:
    """Of what is accepted by name, what that is not about: a sentence each. said: as in _said_by_judge."""
    columns = select(named_table(said), "attack || '.' || id", "verdict", "accepted is not null")
    rows = execute(con, columns.where("verdict is not null"))
    for name in names:
        what = name.partition(":")[0].lower()
        found = {(verdict, is_accepted) for called, verdict, is_accepted in rows if called.lower() == what}
        if any(is_accepted for _, is_accepted in found):
            continue
        if "fails" in {verdict for verdict, _ in found}:
            yield f"accept {name}: it fails, and is not accepted so (what was so before: accept_past)"
        else:
            open_ones = [called for called, verdict, _ in rows if verdict == "not known"]
            yield f"accept {name}: nothing of this name is not known here{suggestion(what, open_ones)}"
