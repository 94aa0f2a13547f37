"""Confirming the roles of a draft: who has looked at them is written into the policy, and goes with it into
the register."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from sqlanon.core.errors import UseError
from sqlanon.core.outputs import replacing
from sqlanon.core.toml import shown
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
        raise UseError(f"{path}: has no line confirmed = false, so that there is nothing to confirm")
    line = f"confirmed = {shown(f'{name.strip()}, {date.today().isoformat()}')}"
    return read(path, {}, text=_LINE.sub(lambda _: line, before, count=1).encode())


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
    required = ", ".join(f"{name} = {shown(value)}" for name, value in policy.requirements.items())
    yield f"  required: {required}"
