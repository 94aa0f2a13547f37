"""Builds the macros as files that DuckDB attaches into the wheel, sqlanon.duckdb and one for DuckDB 1.4."""

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class LibraryFile(BuildHookInterface):  # type: ignore[type-arg]
    """The files are written by the sources that are being built, and never committed."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":  # a checkout makes its own: `make bundle`
            return
        sys.path.insert(0, self.root)
        from sqlanon.core.library import write_files

        self.folder = tempfile.TemporaryDirectory()
        write_files(Path(self.folder.name))
        for written in Path(self.folder.name).iterdir():
            build_data["force_include"][str(written)] = f"sqlanon/{written.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self.folder.cleanup()
