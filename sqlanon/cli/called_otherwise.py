"""publish --map-columns: columns that a new file calls or writes otherwise, shown, and asked about."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace

from sqlanon.cli.options import Given
from sqlanon.cli.questions import says_yes
from sqlanon.core.files import Session, column_names, existing
from sqlanon.core.remarks import remark
from sqlanon.policies import confirming
from sqlanon.policies.policy import Policy
from sqlanon.publishing.called_otherwise import (
    Proposal,
    Reader,
    lacking,
    last_release,
    lines_of,
    proposals,
    types_now,
    with_names,
    zeros_lost,
)
from sqlanon.publishing.register import user


def with_columns(given: Given, session: Session, policy: Policy, made_of: Mapping[str, str]) -> Policy:
    """The policy, which says what the file calls its columns if somebody has confirmed that. Else what is
    proposed is said, with the line of the policy. made_of: the tables of earlier releases, by name."""
    roles = policy.columns()
    today = session.read(given.input, roles)
    columns = column_names(session.con, today)
    before = [names[-1] for names in policy.rename]
    found: list[Proposal] = []
    with session.trying(), ExitStack() as stack:
        then: str | None
        if made_of:
            of, file = [*made_of.items()][-1]
            then = session.read(file, roles)
            before = column_names(session.con, then)
        else:
            then, of = stack.enter_context(last_release(session.con, given.register_file, given.wait))
        if lacking(policy, columns):
            reader = _reader(given, session, policy)
            found += proposals(session.con, policy, columns, reader, then, of, before)
        if existing(given.input).is_text and then is not None:
            found += types_now(session.con, policy, today)
            found += zeros_lost(session.con, policy, today, then)
    for each in found:
        remark(f"{given.input}: {each}")
    if not found:
        return policy
    if not given.map_columns:
        remark(
            f"nothing of this is assumed: --map-columns asks, and writes into [input] of "
            f"{given.published_policy}: {lines_of(policy, found)}"
        )
        return policy
    if not given.yes and not says_yes("Is this right?", "--map-columns"):
        return policy
    mapped = with_names(policy, found, given.accepted_by or user())
    if not given.dry_run:
        confirming.write(mapped, given.published_policy)
        remark(f"{given.published_policy}: noted in [input]")
    return mapped


def _reader(given: Given, session: Session, policy: Policy) -> Reader:
    """Reads a column of the file under another name, and as another type."""
    roles = policy.columns()

    def reader(ours: str, theirs: str, type_: str | None) -> str:
        types = policy.types if type_ is None else {**policy.types, ours: type_}
        return session.column(given.input, replace(roles, types=types), theirs, ours)

    return reader
