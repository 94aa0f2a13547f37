"""The decision page of publish."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sqlanon
from sqlanon.cli.options import Given
from sqlanon.core.errors import UseError, values_are_shown
from sqlanon.core.files import Session
from sqlanon.core.release import Release
from sqlanon.core.remarks import remark
from sqlanon.measure.leaving import Leaving
from sqlanon.pages.vega import require_extra
from sqlanon.policies.policy import Policy
from sqlanon.policies.schema import check_language
from sqlanon.policies.tables import TablePolicy

if TYPE_CHECKING:
    from sqlanon.publishing.decision import Looked
    from sqlanon.publishing.gate import Publication
    from sqlanon.publishing.remedies import Remedy
    from sqlanon.publishing.table_decision import LookedAtTable
    from sqlanon.publishing.tables import TablePublication
    from sqlanon.tables.making import Making


def check_page_language(language: str | None, page: Path | None, option: str = "--page") -> None:
    """Errors: UseError. option: writes the page."""
    check_language(language, "--language")
    if language is not None and page is None:
        raise UseError(f"--language {language} needs {option} FILE: it is the language of that page")


def check_decision(given: Given) -> None:
    """Can the page be written, if there is to be one? Errors: UseError."""
    check_page_language(given.language, given.decision_page)
    if given.decision_page is None:
        return
    require_extra()
    from sqlanon.pages.decision_page import check_page, twin_of

    check_page(given.decision_page)
    output = Path(getattr(given, "published_output", None) or "").resolve()
    if output in (given.decision_page.resolve(), twin_of(given.decision_page).resolve()):
        raise UseError(f"--page {given.decision_page}: the release goes to {given.published_output}")


def seen_of_check(
    session: Session, policy: Policy, input: str, left: Sequence[Leaving], source: str | None
) -> dict[str, Any]:
    """What a page tells of a table that is checked. policy: as it is about the table."""
    from sqlanon.publishing.checked import Checked

    release = session.read(input, policy.columns())
    return Checked(session.con, release, policy, left, source, values_are_shown()).facts()


def write_check(given: Given, seen: dict[str, Any], policy: Policy, **told: Any) -> None:
    """The page of a check. told: as in facts_of_check."""
    from sqlanon.pages.decision_page import page, twin_of
    from sqlanon.publishing.checked import facts_of_check

    target = given.decision_page
    assert target is not None
    facts = facts_of_check(seen, policy, source=str(given.checked), **told)
    page(facts, given.language or policy.language, target.name).write(target)
    remark(f"{target}, {twin_of(target)}: keep them as secret as the table")


class _Page:
    """The page of a run, if one was asked for. source: the table."""

    def __init__(self, given: Given, session: Session, source: str, policy: Policy) -> None:
        self.given, self.session, self.source, self.policy = given, session, source, policy

    @cached_property
    def _looked(self) -> Looked:
        from sqlanon.publishing.decision import Looked

        return Looked(self.session.con, self.source, self.policy, values_are_shown())

    def write(
        self, made: Publication | TablePublication | sqlanon.RefusedError,
        tried: Sequence[Remedy] | None = None,
    ) -> None:  # fmt: skip
        given = self.given
        if given.decision_page is None:
            return
        from sqlanon.pages.decision_page import page, twin_of
        from sqlanon.publishing.decision import facts
        from sqlanon.publishing.register import user

        told = facts(
            self.session.con, made, self._looked, register=Path(given.register_file),
            output=Path(given.published_output), source=str(given.input), tried=tried,
            seconds=given.remedies, wait=given.wait,
            by=(given.accepted_by or user(), given.accepted_until),
        )  # fmt: skip
        language = given.language or self.policy.language
        page(told, language, given.decision_page.name).write(given.decision_page)
        remark(f"{given.decision_page}, {twin_of(given.decision_page)}: keep them as secret as the table")


class Decision(_Page):
    """The page of a release of rows."""

    @property
    def look(self) -> Callable[[Release], None] | None:
        return None if self.given.decision_page is None else self._looked.look


class DecisionOnTable(_Page):
    """The page of a table of counts or sums."""

    def __init__(self, given: Given, session: Session, source: str, rules: TablePolicy) -> None:
        super().__init__(given, session, source, rules.policy)
        self.rules = rules

    @cached_property
    def _looked(self) -> LookedAtTable:
        from sqlanon.publishing.table_decision import LookedAtTable

        return LookedAtTable(self.session.con, self.source, self.policy, values_are_shown(), rules=self.rules)

    @property
    def look(self) -> Callable[[Making], None] | None:
        return None if self.given.decision_page is None else self._looked.look
