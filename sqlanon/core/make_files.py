"""`python -m sqlanon.core.make_files`, or `make files`: writes the files of the package that are made from
sql/.

The functions in sqlanon/macros/ and what they read, the types that editors and mypy read, and the file of
macros. Builds of the package run it (hatch_build.py) with DuckDB alone: no module that it imports may need
another package, or one of these files.
"""

from __future__ import annotations

from pathlib import Path

from sqlanon.core import comments, freshness, library, wrappers
from sqlanon.core.freshness import FOLDER, HEAD, PACKAGE, PARAMETERS
from sqlanon.core.models import models

LISTED = '''"""The parameters of all public macros: to read all of sql/ for them takes long."""

PARAMETERS = r"""
'''
TYPES = '''"""What can be required of a release, with its types."""

from collections.abc import Sequence
from typing import TypedDict


class Requirements(TypedDict, total=False):
    """Requirements by their names in SQL; those that are None or left out ask for nothing."""

'''


def texts() -> dict[Path, str]:
    """What each file should be, but for the file of macros."""
    head = HEAD.format(fingerprint=freshness.read_fingerprint())
    parameters = comments.read_parameters()  # which the functions have
    types = "".join(f"    {model.id}: {model.type_in_python}\n" for model in models())
    written = {
        PACKAGE / "__init__.pyi": wrappers.names_for_editors(),
        FOLDER / "requirements.py": TYPES + types,
        **{PACKAGE / place: text for place, text in wrappers.modules().items()},
        PARAMETERS: f'{LISTED}{parameters}"""\n',  # the last: what is interrupted does not look complete
    }
    return {file: head + text for file, text in written.items()}


def main(with_library: bool = True) -> None:
    """Write what differs, and remove what is not written any more."""
    freshness.look_again()
    written = texts()
    for file in {*FOLDER.glob("*.py")} - {FOLDER / "__init__.py", *written}:
        file.unlink(missing_ok=True)  # as another process may have done
    for file, text in written.items():
        if not file.is_file() or file.read_text("utf-8") != text:
            freshness.write(file, text)
    freshness.look_again()
    freshness.check()
    if with_library and not library.is_file_fresh():
        library.write_file()


if __name__ == "__main__":
    main()
