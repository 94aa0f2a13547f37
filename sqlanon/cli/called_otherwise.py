"""publish --map-columns: columns that a new file calls or writes otherwise, for somebody to confirm."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from shlex import quote

from sqlanon.cli.options import Given
from sqlanon.cli.questions import answer, says_yes
from sqlanon.cli.values import called_in
from sqlanon.core.errors import InputError, UseError
from sqlanon.core.files import Session, column_names, existing
from sqlanon.core.remarks import remark
from sqlanon.core.source import lower
from sqlanon.core.suggestions import missing_column
from sqlanon.core.text_files import as_called
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
    without,
    zeros_lost,
)
from sqlanon.publishing.register import user


def with_columns(given: Given, session: Session, policy: Policy, made_of: Mapping[str, str]) -> Policy:
    """The policy, which says what the file calls its columns, and which are gone, if somebody has said that.
    Else what is proposed is said, with the line of the policy. made_of: the tables of earlier releases, by
    name."""
    roles = policy.columns()
    today = _read_plainly(given, session, policy)
    columns = column_names(session.con, today)
    before = [names[-1] for names in policy.rename]
    by = given.accepted_by or user()
    mapped = _as_said(given, policy, columns, by)
    if mapped is not policy:
        today = _read_plainly(given, session, mapped)
    found: list[Proposal] = []
    with session.trying(), ExitStack() as stack:
        then: str | None
        if made_of:
            of, file = [*made_of.items()][-1]
            then = session.read(file, roles)
            before = column_names(session.con, then)
        else:
            then, of = stack.enter_context(last_release(session.con, given.register_file, given.wait))
        if lacking(mapped, _as_ours(mapped, columns)):
            reader = _reader(given, session, mapped)
            found += proposals(session.con, mapped, _as_ours(mapped, columns), reader, then, of, before)
        if existing(given.input).is_text and then is not None:
            found += types_now(session.con, mapped, today)
            found += zeros_lost(session.con, mapped, today, then)
    for each in found:
        remark(f"{given.input}: {each}")
    if found and not given.map_columns:
        remark(
            f"nothing of this is assumed: --map-columns asks, and writes into [input] of "
            f"{given.published_policy}: {lines_of(mapped, found)}"
        )
    elif found and (given.yes or says_yes("Is this right?", "--map-columns")):
        by_place = [each for each in found if each.is_by_place and given.yes]
        for each in by_place:
            remark(
                f"--yes takes no column by its place alone: --called {quote(f'{each.ours}={each.theirs}')}"
            )
        mapped = with_names(mapped, [each for each in found if each not in by_place], by)
    mapped = _asked(given, mapped, columns, {each.ours for each in found}, by)
    if mapped.text != policy.text and not given.dry_run:
        confirming.write(mapped, given.published_policy)
        remark(f"{given.published_policy}: noted in [input]")
    return mapped


def _read_plainly(given: Given, session: Session, policy: Policy) -> str:
    """The file, also if a column is written otherwise now: what that is else is said later."""
    roles = policy.columns()
    try:
        return session.read(given.input, roles)
    except InputError:
        plain = {name: said for name, said in policy.types.items() if " " not in said}
        return session.read(given.input, replace(roles, types=plain))


def _as_ours(policy: Policy, columns: Sequence[str]) -> list[str]:
    return as_called(columns, policy.called, "the file")


def _as_said(given: Given, policy: Policy, columns: Sequence[str], by: str) -> Policy:
    """The policy with what --called and --gone say. columns: of the file, as the policy calls them.

    Errors: UseError, if that is about other columns than the policy and the file have."""
    named = [
        Proposal(ours, theirs, None, "") for ours, theirs in called_in(given.called)
        if theirs not in policy.called.get(ours, [])  # it has been said already
    ]  # fmt: skip
    for each in named:
        if each.ours.lower() not in policy.named_columns():
            raise UseError(f"--called {each.ours}: {given.published_policy} names no such column")
        if problem := missing_column([each.theirs], columns, given.input):
            raise UseError(f"--called {each.ours}={each.theirs}{problem}")
    gone = [*(given.gone or ()), *(each.ours for each in named)]
    for name in gone:
        if name.lower() in lower(columns):
            raise UseError(f"{given.input} has a column {name}: it is neither gone nor called otherwise")
    mapped = with_names(policy, named, by)
    return without(mapped, given.gone, by) if given.gone else mapped


def _asked(
    given: Given, policy: Policy, columns: Sequence[str], proposed: Collection[str], by: str
) -> Policy:  # fmt: skip
    """The policy with answers about the columns that the file still lacks; in a script, what to say of them.
    proposed: columns of which something was said already."""
    never = lower([] if policy.unit is None else policy.roles.get("identifier", []))
    ours = _as_ours(policy, columns)
    left = [name for name in lacking(policy, ours) if name.lower() not in never]
    new = [name for name in ours if name.lower() not in policy.named_columns()]
    for name in left:
        if not given.map_columns or given.yes:
            if name not in proposed:
                called = f"--called {quote(f'{name}=NAME')} says what it is called now (one of "
                called = f"{called}{', '.join(new)}), or " if new else ""
                gone = f"--gone {quote(name)} {'that' if new else 'says that'} it is gone"
                remark(f"{given.input} has no {name}: {called}{gone}; --map-columns asks")
            continue
        question = f"What is {name} called now? (One of {', '.join(new)}; nothing, if it is gone)"
        theirs = answer(question, "--map-columns")
        if theirs:
            policy = _as_said(given.but(called=[f'"{name}"={theirs}'], gone=[]), policy, columns, by)
        else:
            policy = without(policy, [name], by)
    return policy


def _reader(given: Given, session: Session, policy: Policy) -> Reader:
    """Reads a column of the file under another name, and as another type."""
    roles = policy.columns()

    def reader(ours: str, theirs: str, type_: str | None) -> str:
        types = policy.types if type_ is None else {**policy.types, ours: type_}
        return session.column(given.input, replace(roles, types=types), theirs, ours)

    return reader
