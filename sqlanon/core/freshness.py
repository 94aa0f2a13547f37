"""Whether what was written from sql/ is still what sql/ says.

Each file that `make files` writes carries the fingerprint of what it was written from, and so does the file
of macros. An installed package has only what fits. In a checkout, where sql/ lies beside the package,
everything is read again if a file does not look as it did: to ask for the sizes and times of 200 files takes
a millisecond, to read them four more.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[1]
FOLDER = PACKAGE / "macros"
PARAMETERS = FOLDER / "parameters.py"
SEEN = FOLDER / "seen"  # how everything looked when it was last found to fit
# What writes them. What it reads of other modules, their signatures and docstrings, `make files` looks at
# whenever it runs.
WRITERS = (
    "__init__.py", "core/calls.py", "core/comments.py", "core/library.py", "core/make_files.py",
    "core/models.py", "core/templates.py", "core/wrappers.py",
)  # fmt: skip

HEAD = "# Written by `make files` from sql/ ({fingerprint}).\n"


def sql_folder() -> Path:
    """Where sql/ is: in the package, or beside it in a checkout."""
    packaged = PACKAGE / "sql"
    return packaged if packaged.is_dir() else PACKAGE.parent / "sql"


def _below(folder: str, name: str) -> Iterator[tuple[str, str, os.stat_result]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            inside = f"{name}/{entry.name}"
            if entry.is_dir():
                yield from _below(entry.path, inside)
            elif inside.endswith((".sql", ".py")):
                yield inside, entry.path, entry.stat()


def _sources() -> list[tuple[str, str, os.stat_result]]:
    """The files that others are written from: names, paths, and how they look."""
    writers = [(name, PACKAGE / name) for name in WRITERS]
    return sorted(_below(str(sql_folder()), "sql")) + [
        (name, str(file), file.stat()) for name, file in writers
    ]


def _look() -> str:
    """How these and what is written from them look now: texts differ only if sizes or times do."""
    looks = [
        f"{name} {state.st_size} {state.st_mtime_ns} {state.st_ctime_ns}\n"
        for name, _, state in (*_sources(), *sorted(_below(str(FOLDER), "macros")))
    ]
    return hashlib.sha256("".join(looks).encode()).hexdigest()


def read_fingerprint() -> str:
    """The SHA-256 of sql/, and of what writes from it, as they are now."""
    found = hashlib.sha256()
    for name, path, _ in _sources():
        text = Path(path).read_bytes()
        found.update(f"{name} {len(text)}\n".encode() + text)
    return found.hexdigest()


def carried(file: Path) -> str | None:
    """The fingerprint that a file carries; None if it is missing, or carries none."""
    with suppress(FileNotFoundError), file.open(encoding="utf-8") as lines:
        before, after = HEAD.split("{fingerprint}")
        line = lines.readline()
        if line.startswith(before) and line.endswith(after):
            return line[len(before) : -len(after)]
    return None


@cache
def _found() -> tuple[str, bool]:
    """The fingerprint, and whether all that was written carries it."""
    written = carried(PARAMETERS)
    is_checkout = sql_folder().parent != PACKAGE
    if written and not is_checkout:
        return written, True
    look = _look()
    with suppress(FileNotFoundError):
        if written and SEEN.read_text("utf-8") == look:
            return written, True
    now = read_fingerprint()
    files = {PARAMETERS, *FOLDER.glob("*.py")} - {FOLDER / "__init__.py"}
    fits = all(carried(file) == now for file in files)
    if fits:
        with suppress(OSError):  # a folder that may not be written
            write(SEEN, look)
    return now, fits


_extended = ""  # by what others have added while this process runs: its SHA-256


def fingerprint() -> str:
    """What tells one version of sql/ from another."""
    return _found()[0] + _extended


def extend(added: str) -> None:
    """Tell the library with this text in it from the one without."""
    global _extended  # noqa: PLW0603
    _extended = f"+{hashlib.sha256(added.encode()).hexdigest()}"


def is_fresh() -> bool:
    """Does all that was written carry the fingerprint?"""
    return _found()[1]


class StaleError(ImportError):
    """What is written from sql/ is missing, or older."""


def check() -> None:
    """StaleError unless it does."""
    if not is_fresh():
        why = "is older than sql/" if PARAMETERS.exists() else "has not been written yet"
        raise StaleError(f"sqlanon/macros/ {why}: run `make files` (or python -m sqlanon.core.make_files)")


def write(file: Path, text: str) -> None:
    """Write a file in one step, because others may be reading it, or writing the same."""
    beside = file.with_name(f"{file.name}.{os.getpid()}")
    beside.write_text(text, "utf-8", newline="\n")
    beside.replace(file)


def look_again() -> None:
    """Forget what was found."""
    _found.cache_clear()
