"""Writes what the package has that is made from sql/, into the tree that it is built or edited in."""

import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WrittenFiles(BuildHookInterface):  # type: ignore[type-arg]
    """They are not in git; `artifacts` in pyproject.toml names them, or builds would leave them out."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path.insert(0, self.root)
        from sqlanon.core import make_files

        make_files.main(with_library=self.target_name == "wheel")
