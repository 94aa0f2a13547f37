"""`python -m sqlanon.bundle [path]`: all of sql/ as one script; to ./sqlanon.sql, - for stdout."""

import sys
from pathlib import Path

from sqlanon.library import read_library


def main(path: str = "sqlanon.sql") -> None:
    """Write the script."""
    if path == "-":
        sys.stdout.write(read_library())
    else:
        Path(path).write_text(read_library(), "utf-8", newline="\n")
        print(f"{path}: read it in any DuckDB client, e.g. with .read {path}", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:2])
