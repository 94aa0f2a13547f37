"""What the page needs from the npm registry: four packages, each of one version with one checksum.

They are fetched once, and kept as the registry has them (as `npm pack` would) in the user's cache.
"""

from __future__ import annotations

import base64
import hashlib
import os
import sys
import tarfile
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlanon.core.errors import SqlanonError, UseError
from sqlanon.core.outputs import replacing
from sqlanon.core.remarks import remark

REGISTRY = "https://registry.npmjs.org"
SECONDS = 60  # without a byte


@dataclass(frozen=True)
class Package:
    """A package, and which of its files the page has, under which names."""

    name: str
    version: str
    sha512: str  # as npm's package-lock.json has it
    files: Mapping[str, str]

    def __str__(self) -> str:
        return f"{self.name} {self.version}"

    @property
    def archive(self) -> str:
        """What `npm pack` calls it."""
        return f"{self.name.replace('@', '').replace('/', '-')}-{self.version}.tgz"

    @property
    def address(self) -> str:
        base = self.name.rpartition("/")[2]
        return f"{REGISTRY}/{self.name}/-/{base}-{self.version}.tgz"


PACKAGES = (
    # DuckDB 1.5.6, the first line that plans the macros of an attached file fast. This is the build with
    # WebAssembly's exceptions, which every browser has had since 2022.
    Package(
        "@duckdb/duckdb-wasm",
        "1.33.1-dev65.0",
        "qK8BQySzhixj5mY040Qs/aGJbF09B6dP5U8RyASndnk8HFdeWEQuOKeFm+7+cbVuLS78jaXLaFkdVpwVs1Ww8A==",
        {
            "dist/duckdb-browser.mjs": "duckdb-browser.mjs",
            "dist/duckdb-browser-eh.worker.js": "duckdb-browser-eh.worker.js",
            "dist/duckdb-eh.wasm": "duckdb-eh.wasm",
        },
    ),
    # In which DuckDB hands out answers.
    Package(
        "apache-arrow",
        "17.0.0",
        "X0p7auzdnGuhYMVKYINdQssS4EcKec9TCXyez/qtJt32DrIMGbzqiaMiQ0X6fQlQpw8Fl0Qygcv4dfRAr5Gu9Q==",
        {"Arrow.es2015.min.js": "apache-arrow.umd.js", "LICENSE.txt": "apache-arrow.LICENSE.txt"},
    ),
    # Parquet without DuckDB's extension of that name, which would come from another server.
    Package(
        "parquet-wasm",
        "0.8.0",
        "AunZLpYYHPQCzDzeIKOO3e/p3Uqo8+DGyfEVofhlIIn/bk3EuOFJkDXlswSKDDSWOaZRv6bHrob/XynUDKmceg==",
        {
            "esm/parquet_wasm.js": "parquet_wasm.js",
            "esm/parquet_wasm_bg.wasm": "parquet_wasm_bg.wasm",
            "LICENSE_MIT": "parquet_wasm.LICENSE.txt",
        },
    ),
    # Spreadsheets (.xlsx).
    Package(
        "read-excel-file",
        "9.3.17",
        "szsrzmxWxNZ1OuXKGBVHbNMmNfTkRmNJZRuBRAQxMh9eTLnhSNXqM6JVUds9in59dMgujBe2gT0kMVb0T8NlSQ==",
        {
            "bundle/read-excel-file.min.js": "read-excel-file.min.js",
            "LICENSE": "read-excel-file.LICENSE.txt",
        },
    ),
)


def cache() -> Path:
    """Where packages are kept."""
    if sys.platform == "win32":
        home = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        home = Path.home() / "Library" / "Caches"
    else:
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return home / "sqlanon" / "npm"


def unpack(target: Path, source: Path | None = None) -> None:
    """Put the files of all packages in a folder. source: a folder that has the packages; else the cache,
    which is filled from the registry.

    Errors: UseError for a package that source lacks, SqlanonError for one that cannot be fetched or is not
    what it should be.
    """
    for package in PACKAGES:
        with tarfile.open(_archive(package, source)) as archive:
            for inside, name in package.files.items():
                file = archive.extractfile(f"package/{inside}")
                if file is None:
                    raise SqlanonError(f"{package} has no file {inside}")
                (target / name).write_bytes(file.read())


def _archive(package: Package, source: Path | None) -> Path:
    """The package, verified."""
    if source is not None:
        archive = source / package.archive
        if not archive.is_file():
            raise UseError(
                f"there is no file {archive}: 'npm pack {package.name}@{package.version}' makes it, where "
                "there is a network"
            )
        _verify(package, archive.read_bytes(), archive)
        return archive
    archive = cache() / package.archive
    if not archive.is_file():
        content = _fetched(package)
        _verify(package, content, package.address)
        archive.parent.mkdir(parents=True, exist_ok=True)
        with replacing(archive, force=True) as temporary:
            temporary.write_bytes(content)
    else:
        _verify(package, archive.read_bytes(), archive)
    return archive


def _fetched(package: Package) -> bytes:
    remark(f"fetching {package.address}, once: it is kept in {cache()}")
    try:
        with urllib.request.urlopen(package.address, timeout=SECONDS) as answer:
            content: bytes = answer.read()
    except (OSError, urllib.error.URLError) as error:
        raise SqlanonError(
            f"{package.address} cannot be fetched ({error}). Where there is no network, give --from with a "
            f"folder of {', '.join(each.archive for each in PACKAGES)}"
        ) from error
    return content


def _verify(package: Package, content: bytes, where: object) -> None:
    """Errors: SqlanonError if a package is not the one that was looked at."""
    found = base64.b64encode(hashlib.sha512(content).digest()).decode()
    if found != package.sha512:
        raise SqlanonError(f"{where} is not {package}: its SHA-512 is {found}, not {package.sha512}")
