"""What is written from sql/ and not in git: who writes it, with what, and when it is stale."""

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest

from sqlanon.core import freshness, make_files

ROOT = Path(__file__).resolve().parents[1]
WRITTEN = sorted(make_files.texts())

# An environment in which packages are built: Python, DuckDB and, of what it tries to import, nothing else.
ALONE = """if True:
    import sys
    from importlib.abc import MetaPathFinder

    class Nothing(MetaPathFinder):
        def find_spec(self, name, path, target=None):
            if name.partition(".")[0] not in {*sys.stdlib_module_names, "duckdb", "_duckdb", "sqlanon"}:
                raise ModuleNotFoundError(f"there is no {name} here", name=name)

    sys.meta_path.insert(0, Nothing())
    from sqlanon.core import make_files
    make_files.main(with_library=False)
"""


def run(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    """A script where this folder has the package."""
    script = f"import sys; sys.path.insert(0, {str(folder)!r})\n{script}"
    return subprocess.run([sys.executable, "-c", script], cwd="/", capture_output=True, text=True)


def copied(target: Path) -> Path:
    """A checkout, as git has it."""
    shutil.copytree(ROOT / "sql", target / "sql")
    shutil.copytree(
        ROOT / "sqlanon", target / "sqlanon", ignore=shutil.ignore_patterns("__pycache__", "*.duckdb")
    )
    for file in [*WRITTEN, freshness.SEEN]:
        (target / file.relative_to(ROOT)).unlink(missing_ok=True)
    return target


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout in which the files have been written, by DuckDB alone."""
    folder = copied(tmp_path_factory.mktemp("made"))
    done = run(folder, ALONE)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def checkout(made: Path, tmp_path: Path) -> Path:
    """One that may be changed. All in it looks as it did."""
    shutil.copytree(made, tmp_path / "checkout", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "checkout"


def test_git_has_none_of_them() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    git = ["git", "-c", f"safe.directory={ROOT}"]
    listed = subprocess.run(
        [*git, "ls-files", *WRITTEN], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert listed.stdout == ""
    ignored = subprocess.run([*git, "check-ignore", *WRITTEN, freshness.SEEN], cwd=ROOT, capture_output=True)
    assert len(ignored.stdout.splitlines()) == len(WRITTEN) + 1


def test_they_are_what_they_would_be_now() -> None:
    """Also what they say of the modules that run macros, which is not in the fingerprint."""
    for file, text in make_files.texts().items():
        assert file.read_text("utf-8") == text, f"{file.name}: run make files"


def test_duckdb_alone_writes_them_from_nothing(made: Path) -> None:
    for file in WRITTEN:
        assert (made / file.relative_to(ROOT)).read_bytes() == file.read_bytes()


def appended(file: str, text: str) -> Callable[[Path], object]:
    def change(checkout: Path) -> None:
        with (checkout / file).open("a", encoding="utf-8") as opened:
            opened.write(text)

    return change


def same_size_and_time(checkout: Path) -> None:
    file = checkout / "sql/core/names.sql"
    before = file.stat()
    file.write_text(file.read_text("utf-8").replace("--", "-!", 1), "utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert file.stat().st_size == before.st_size


def of_before(checkout: Path) -> None:
    """One of them, from a copy that somebody kept."""
    file = checkout / "sqlanon/macros/risk.py"
    _, _, rest = file.read_text("utf-8").partition("\n")
    file.write_text(f"{freshness.HEAD.format(fingerprint='0' * 64)}{rest}", "utf-8")


CHANGES: dict[str, Callable[[Path], object]] = {
    "a macro": appended("sql/risk/risk.sql", "-- changed\n"),
    "same size and time": same_size_and_time,
    "a new file": appended("sql/risk/other.sql", "-- nothing\n"),
    "a file less": lambda checkout: (checkout / "sql/risk/risk.sql").unlink(),
    "another name": lambda checkout: (checkout / "sql/risk/risk.sql").rename(checkout / "sql/risk/risk2.sql"),
    "what writes them": appended("sqlanon/core/wrappers.py", "# changed\n"),
    "one of them": of_before,
    "what they have of macros": lambda checkout: (checkout / "sqlanon/macros/parameters.py").unlink(),
}


@pytest.mark.parametrize(
    ("change", "seen"), [*((change, True) for change in CHANGES), ("a macro", False), ("one of them", False)]
)
def test_stale_ones_are_not_imported(checkout: Path, change: str, seen: bool) -> None:
    """Whether or not somebody has looked at them before."""
    if seen:
        assert run(checkout, "import sqlanon.macros").returncode == 0
        assert (checkout / "sqlanon/macros/seen").exists()
    else:
        (checkout / "sqlanon/macros/seen").unlink()
    CHANGES[change](checkout)
    done = run(checkout, "import sqlanon.macros")
    assert done.stderr.splitlines()[-1].startswith("sqlanon.core.freshness.StaleError: sqlanon/macros/ ")
    assert "run `make files`" in done.stderr


@pytest.mark.slow("half a second a case", but=(0, 1, 2, 4, 5, 6, 7))
@pytest.mark.parametrize(
    "script",
    [
        "import sqlanon; sqlanon.mondrian",
        "from sqlanon import mondrian",
        "from sqlanon.core.comments import parameters; parameters('mondrian')",
        "import sqlanon.__main__ as s; sys.argv = ['sqlanon', 'check', 'a.csv', '--qi', 'a']; s.main()",
    ],
)
@pytest.mark.parametrize("missing", [False, True])
def test_whoever_uses_them_reads_what_to_do(checkout: Path, script: str, missing: bool) -> None:
    if missing:
        for file in WRITTEN:
            (checkout / file.relative_to(ROOT)).unlink()
    else:
        CHANGES["a macro"](checkout)
    done = run(checkout, script)
    why = "has not been written yet" if missing else "is older than sql/"
    *_, last = done.stderr.splitlines()
    assert (
        last.partition(": ")[2]
        == f"sqlanon/macros/ {why}: run `make files` (or python -m sqlanon.core.make_files)"
    )
    assert done.returncode == 1
    if "__main__" in script:
        assert last == done.stderr.rstrip("\n")  # no traceback


@pytest.mark.slow("3.6 s")
def test_macros_alone_need_none_of_them(checkout: Path) -> None:
    """Who writes SQL tries it before anything else is written."""
    CHANGES["a macro"](checkout)
    script = "import duckdb, sqlanon; con = duckdb.connect(); sqlanon.register(con)"
    found = f"{script}; print(con.execute('select count(*) from sqlanon.help()').fetchone())"
    assert run(checkout, found).stdout.startswith("(1")


def test_new_times_alone_do_not_matter(checkout: Path) -> None:
    """As after a clone, or another branch and back."""
    for file in (checkout / "sql").rglob("*.sql"):
        file.touch()
    seen = checkout / "sqlanon/macros/seen"
    before = seen.read_text()
    assert run(checkout, "import sqlanon.macros").returncode == 0
    assert seen.read_text() != before


def test_what_is_not_written_any_more_goes(checkout: Path) -> None:
    appended("sqlanon/macros/moved.py", "import nothing\n")(checkout)
    assert run(checkout, "import sqlanon.macros").returncode == 1
    assert run(checkout, ALONE).returncode == 0
    assert not (checkout / "sqlanon/macros/moved.py").exists()
    assert run(checkout, "import sqlanon.macros").returncode == 0


def test_installed_ones_are_not_looked_at(checkout: Path) -> None:
    (checkout / "sql").rename(checkout / "sqlanon" / "sql")
    (checkout / "sqlanon/macros/seen").unlink()
    done = run(
        checkout, "from sqlanon.core import freshness; import sqlanon.macros; print(freshness.fingerprint())"
    )
    assert done.stdout.strip() == freshness.carried(freshness.PARAMETERS)
    assert not (checkout / "sqlanon/macros/seen").exists()


# Installed from what git has, with the tools that are here: nothing is fetched.

USE = """
import duckdb, sqlanon
con = duckdb.connect()
sqlanon.register(con)
con.execute("create table people as select range // 4 as age from range(8)").fetchall()
print(sqlanon.mondrian(con, "people", qi="age", k=2).classes)
print(*con.execute("select path from duckdb_databases() where database_name = 'sqlanon'").fetchone())
print(sqlanon.__file__)
"""


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What git would have if all that is here were committed."""
    pytest.importorskip("hatchling")
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        pytest.skip("not a git checkout")
    folder = tmp_path_factory.mktemp("git") / "sqlanon"
    git = ["git", "-c", f"safe.directory={ROOT}"]
    command = [*git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    author = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["add", "--all"], [*author, "commit", "-q", "-m", "all"]):
        subprocess.run(["git", *command], cwd=folder, check=True)
    return folder


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """An environment of its own, with the packages of this one."""
    folder = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    [packages] = folder.glob("lib/python3*/site-packages")
    (packages / "packages.pth").write_text(sysconfig.get_path("purelib"))
    return folder / "bin" / "python"


def installed(environment: Path, *what: str) -> list[str]:
    options = ["--no-deps", "--no-build-isolation", "--ignore-installed", "--no-compile", "-q"]
    command = [str(environment), "-I", "-m", "pip", "install", *options, *what]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    done = subprocess.run(
        [environment, "-I", "-c", USE], cwd=environment.parent, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def from_sdist(clone: Path) -> str:
    folder = clone.parent / "dist"
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(folder)]
    done = subprocess.run(command, cwd=clone, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    [sdist] = folder.glob("*.tar.gz")
    return str(sdist)


@pytest.mark.slow("10 s each")
@pytest.mark.parametrize("source", [lambda clone: f"git+file://{clone}", from_sdist], ids=["git", "sdist"])
def test_an_installed_package_has_them(clone: Path, environment: Path, source: Callable[[Path], str]) -> None:
    classes, library, package = installed(environment, source(clone))
    assert classes == "2"
    assert Path(package).is_relative_to(environment.parents[1])
    assert library == str(Path(package).with_name("sqlanon.duckdb"))


@pytest.mark.slow("30 s")
def test_an_editable_checkout_has_them_and_its_types_are_right(clone: Path, environment: Path) -> None:
    classes, library, package = installed(environment, "-e", str(clone))
    assert classes == "2"
    assert package == str(clone / "sqlanon" / "__init__.py")
    assert library == str(clone / "sqlanon" / "sqlanon.duckdb")
    git = ["git", "status", "--porcelain"]
    assert subprocess.run(git, cwd=clone, check=True, capture_output=True).stdout == b""
    pytest.importorskip("mypy")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "sqlanon"], cwd=clone, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout
