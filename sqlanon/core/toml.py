"""Values and keys as TOML has them."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
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


def edited(text: str, changes: Mapping[str, str]) -> str:
    """A document with other values, all else as it was written. changes: values as TOML has them, by section
    and key (method.based_on, hierarchies.age.widths). Errors: ValueError, where it writes such a key in a way
    that is not found."""
    wanted, written = tomllib.loads(text), text
    for path, value in changes.items():
        section, _, key = path.rpartition(".")
        written = _with_line(written, section, key, value)
        inside, named = wanted, tomllib.loads(f"[{section}]")
        while named:
            [(name, named)] = named.items()
            inside = inside.setdefault(name, {})
        inside[key] = tomllib.loads(f"value = {value}")["value"]
    if not _is_whole(written) or tomllib.loads(written) != wanted:
        raise ValueError(f"not found where they stand: {', '.join(changes)}")
    return written


def _with_line(text: str, section: str, key: str, value: str) -> str:
    """Where the key stands in its section, or behind the header, or in a section of its own at the end."""
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)
    end = "\r\n" if "\r\n" in text else "\n"
    header = re.compile(rf"\s*\[\s*{re.escape(section)}\s*\]\s*(#.*)?")
    at = next((i for i, line in enumerate(lines) if header.fullmatch(line.rstrip())), None)
    if at is None:
        return f"{text.rstrip()}{end}{end}[{section}]{end}{bare(key)} = {value}{end}"
    first = at + 1
    while first < len(lines) and not lines[first].lstrip().startswith("["):
        after = first + 1
        while after < len(lines) and not _is_whole("".join(lines[first:after])):
            after += 1
        if key in tomllib.loads("".join(lines[first:after])):
            comment = _comment_of(lines[first]) if after == first + 1 else ""
            if by := _comment_of(f"{bare(key)} = {value}").rpartition(", ")[0]:  # who says so, once
                notes = re.split("  (?=#)", comment)
                comment = "  ".join(each for each in notes if f"  {each.rpartition(', ')[0]}" != by)
            lines[first:after] = [f"{bare(key)} = {value}{comment}{end}"]
            return "".join(lines)
        first = after
    lines[at] = lines[at].rstrip() + end
    lines.insert(at + 1, f"{bare(key)} = {value}{end}")
    return "".join(lines)


def _is_whole(lines: str) -> bool:
    try:
        tomllib.loads(lines)
    except tomllib.TOMLDecodeError:
        return False
    return True


def _comment_of(line: str) -> str:
    """What stands behind a value, with the blanks before it."""
    marks = (mark.start() for mark in re.finditer("#", line))
    mark = next((mark for mark in marks if _is_whole(line[:mark])), None)
    return "" if mark is None else "  " + line[mark:].rstrip()
