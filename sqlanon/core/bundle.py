"""`python -m sqlanon.core.bundle [path ...]`: all of sql/ as one script, or as a DuckDB file where the path ends in .duckdb.

Without a path to ./sqlanon.sql, and to the file in the package, which `register` then attaches; - for stdout.
"""

import sys
from pathlib import Path

from sqlanon.core.library import FILE, read_library, write_file


def main(*paths: str) -> None:
    """Write the script, the file, or both."""
    for path in paths or ("sqlanon.sql", str(FILE)):
        if path == "-":
            sys.stdout.write(read_library())
        elif path.endswith(".duckdb"):
            write_file(Path(path))
            print(f"{path}: ATTACH '{path}' AS sqlanon (READ_ONLY) in any DuckDB client", file=sys.stderr)
        else:
            Path(path).write_text(read_library(), "utf-8", newline="\n")
            print(f"{path}: read it in any DuckDB client, e.g. with .read {path}", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
