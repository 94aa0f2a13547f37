"""Confirming the roles of a draft: who has looked at them is written into the policy, and goes with it into
the register."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from sqlanon.core.errors import UseError
from sqlanon.core.outputs import replacing
from sqlanon.core.toml import edited, shown
from sqlanon.policies.parsing import document_of
from sqlanon.policies.policy import Policy, read

_LINE = re.compile(r"^confirmed[ \t]*=[^\r\n]*", re.MULTILINE)


def confirmed(path: Path, name: str) -> Policy:
    """The policy in a file, with the name of who confirms it, as the file would say it.

    Errors: UseError, also if it is confirmed already, or there is no line that says it is not.
    """
    if not name.strip():
        raise UseError("--confirm is empty: name who has looked at the roles")
    document, text = document_of(path)
    before = text.decode("utf-8-sig")
    if document.get("confirmed") is not False or not _LINE.search(before):
        by = document.get("confirmed")
        is_done = f"is confirmed already ({by})" if by else "has no line confirmed = false"
        raise UseError(f"{path} {is_done}: leave out --confirm, as there is nothing to confirm")
    line = f"confirmed = {shown(f'{name.strip()}, {date.today().isoformat()}')}"
    return read(path, {}, text=_LINE.sub(lambda _: line, before, count=1).encode())


def with_line(policy: Policy, key: str, value: str) -> Policy:
    """The policy with another value of a key, as TOML has it, and as its file would say it.

    Errors: UseError, also if the file has no such place.
    """
    try:
        text = edited(policy.text, {key: value})
    except ValueError:
        said = f"write {key} = {value} yourself: it is not found where it stands"
        raise UseError(f"{policy.spelling.path}: {said}") from None
    return read(policy.spelling.path, {}, text=text.encode())


def write(policy: Policy, path: Path) -> None:
    """Have the file say what was confirmed."""
    with replacing(path, force=True) as temporary:
        temporary.write_text(policy.text, "utf-8", newline="")


def roles_of(policy: Policy) -> Iterator[str]:
    """What is confirmed, a line each."""
    for what, columns in (
        ("never leave (identifier)", policy.roles.get("identifier", [])),
        ("are recoded, as others may know them (qi)", policy.roles["qi"]),
        ("leave unchanged, and nobody should learn them (sensitive)", policy.roles.get("sensitive", [])),
        ("leave unchanged (keep)", policy.roles.get("keep", [])),
        ("leave as a mask (masks)", [*policy.masks]),
    ):
        if columns:
            yield f"  {what}: {', '.join(columns)}"
    whose = (
        f"the rows with one {policy.unit} are one person's" if policy.unit else "each row is another person's"
    )
    yield f"  unit: {whose}"
    stay = [name for name in policy.roles.get("sensitive", []) if name not in policy.values_may_change]
    if policy.values_may_change:
        yield f"  may be others in another release: {', '.join(policy.values_may_change)}"
    if stay and (policy.unit or policy.roles.get("identifier")):
        yield (
            f"  supposed to stay what they are for each person: {', '.join(stay)} (if not, as with claims "
            f"and visits: --values-may-change {','.join(stay)})"
        )
    required = ", ".join(f"{name} = {shown(value)}" for name, value in policy.requirements.items())
    yield f"  required: {required}"
