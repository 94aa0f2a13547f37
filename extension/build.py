"""`make extension`: the library as an extension of DuckDB, build/extension/sqlanon.duckdb_extension.

In two steps, because the second one may run where there is neither DuckDB nor a Python of today, as in the
containers of DuckDB's community: `python extension/build.py prepare` writes the library's file, and
`python extension/build.py link` makes it part of the extension. That takes a C compiler (the one that CC
names, or gcc, or cc) and nothing else, no source of DuckDB either.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "extension"
FOLDER = ROOT / "build" / "extension"
API = "v1.2.0"  # of the C API, which DuckDB promises to keep
FLAGS = ["-shared", "-fPIC", "-O2", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fvisibility=hidden"]


def prepare(folder: Path) -> None:
    """Write the library's file into a folder, and a header that says which one it is. It needs DuckDB."""
    import duckdb

    import sqlanon
    from sqlanon.core import freshness, library

    folder.mkdir(parents=True, exist_ok=True)
    if library.is_file_fresh():
        shutil.copyfile(library.FILE, folder / "sqlanon.duckdb")
    else:
        library.write_file(folder / "sqlanon.duckdb")
    with duckdb.connect() as con:
        [(platform,)] = con.execute("select platform from pragma_platform()").fetchall()
    said = {"FINGERPRINT": freshness.fingerprint(), "VERSION": sqlanon.__version__, "PLATFORM": platform}
    lines = [f'#define {name} "{value}"\n' for name, value in said.items()]
    (folder / "library.h").write_text("".join(lines), "utf-8")


def compiler() -> list[str] | None:
    """The command of a C compiler; None without any."""
    if "CC" in os.environ:
        return shlex.split(os.environ["CC"])
    return next(([name] for name in ("gcc", "cc", "clang") if shutil.which(name)), None)


def link(folder: Path) -> Path:
    """Write the extension into the folder where its library is.

    DUCKDB_PLATFORM names the platform that it is for, if it is not that of the DuckDB that prepared it, and
    OSX_BUILD_ARCH the processor on a Mac.
    """
    command = compiler()
    if command is None:
        raise SystemExit("no C compiler: apt-get install gcc, or name one: make extension CC=...")
    said = dict(re.findall(r'#define (\w+) "(.*)"', (folder / "library.h").read_text("utf-8")))
    platform = os.environ.get("DUCKDB_PLATFORM") or said["PLATFORM"]
    flags = [*FLAGS, f"-I{folder}", f"-Wa,-I{folder}"]
    if arch := os.environ.get("OSX_BUILD_ARCH"):
        flags += ["-arch", arch]
    place = "place_windows.c" if platform.startswith("windows") else "place_posix.c"
    sources = [str(SOURCES / name) for name in ("sqlanon.c", place, "library.S")]
    linked = folder / f"sqlanon.{os.getpid()}"
    subprocess.run([*command, *flags, *sources, "-o", str(linked)], check=True)
    with linked.open("ab") as file:
        file.write(footer(platform, said["VERSION"]))
    extension = folder / "sqlanon.duckdb_extension"
    linked.replace(extension)  # some DuckDB may have the one before open
    return extension


def footer(platform: str, version: str) -> bytes:
    """What DuckDB reads at the end of an extension: a section of WebAssembly, whatever the rest is.

    Its head is the kind, the length, and the name of the section; then come eight fields of 32 bytes, the
    first one last, and 256 bytes for a signature.
    """
    name = b"duckdb_signature"
    head = bytes([0, 0x93, 0x04, len(name)]) + name + bytes([0x80, 0x04])
    fields = ["4", platform, API, version, "C_STRUCT", "", "", ""]
    return head + b"".join(field.encode().ljust(32, b"\0") for field in reversed(fields)) + bytes(256)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    for step in sys.argv[1:]:
        {"prepare": prepare, "link": link}[step](FOLDER)
