"""Values and keys as TOML has them."""

from __future__ import annotations

import json
import re
from typing import Any


def shown(value: Any) -> str:
    """A value as TOML has it."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            # JSON's escapes are TOML's; this one character it leaves as it is, which TOML forbids
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case list():
            return f"[{', '.join(map(shown, value))}]"
        case dict():
            return f"{{{', '.join(f'{bare(name)} = {shown(each)}' for name, each in value.items())}}}"
    return str(value)


def bare(name: str) -> str:
    """A key as TOML has it: in quotes if it must be."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else shown(name)
