"""Builds the macros as a file that DuckDB attaches, sqlanon.duckdb, into the wheel."""

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class LibraryFile(BuildHookInterface):  # type: ignore[type-arg]
    """The file is written by the sources that are being built, and never committed."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":  # a checkout makes its own: `make bundle`
            return
        sys.path.insert(0, self.root)
        from sqlanon.core.library import FILE, write_file

        self.folder = tempfile.TemporaryDirectory()
        written = Path(self.folder.name) / FILE.name
        write_file(written)
        build_data["force_include"][str(written)] = f"sqlanon/{written.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self.folder.cleanup()
