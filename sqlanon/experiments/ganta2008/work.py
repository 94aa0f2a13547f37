"""The work in a folder: what is done is kept there, so that a run that was stopped goes on where it was.

Units are independent of each other, and are run by several processes; results do not depend on how many.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import multiprocessing
import shutil
import signal
from collections.abc import Callable, Generator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import duckdb

from sqlanon import __version__
from sqlanon.core import library
from sqlanon.core.errors import SqlanonError, UseError
from sqlanon.core.outputs import replacing
from sqlanon.core.release import Progress
from sqlanon.experiments.ganta2008.plan import Settings, Unit, units
from sqlanon.experiments.ganta2008.runner import Runner
from sqlanon.experiments.ganta2008.runs import Result

WORK, BEGUN = ".work", "begun.json"
# Everything that a reproduction writes into its folder.
MADE = ("index.html", "section_4.html", "manifest.json", "data", "draws", "figures", WORK)
EXPERIMENT = "ganta2008"


def sha256(path: Path) -> str:
    """The hash of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def origin(settings: Settings) -> dict[str, Any]:
    """What the results depend on, as JSON has it."""
    return {
        "experiment": EXPERIMENT,
        "sqlanon": __version__,
        "macros": hashlib.sha256(library.read_library().encode()).hexdigest(),
        "duckdb": duckdb.__version__,
        "inputs": {
            name: {"file": path.name, "sha256": sha256(path)} for name, path in settings.inputs.items()
        },
        "seeds": list(range(1, settings.seeds + 1)),
        "k": list(settings.ks),
        "entropy_l": list(settings.ls),
        "t": list(settings.ts),
        "epsilon": list(settings.epsilons),
        "common_people": settings.common,
    }


@dataclass(frozen=True)
class Folder:
    """A folder for the output, with the results so far."""

    path: Path
    origin: dict[str, Any]

    @classmethod
    def opened(cls, path: Path, settings: Settings, force: bool) -> Folder:
        """A new folder, or one in which the same reproduction has stopped. Errors: UseError."""
        folder = cls(path, origin(settings))
        begun = path / WORK / BEGUN
        if path.exists() and not path.is_dir():
            raise UseError(f"{path} is a file: --output takes a folder")
        if path.is_dir() and any(path.iterdir()):
            names = {file.name for file in path.iterdir()}
            ours = begun.is_file() or names == {WORK} or _is_manifest(path / "manifest.json")
            if not ours:
                raise UseError(f"{path} has other files: name a new folder")
            if force:
                folder.clear()
            elif not (path / WORK).is_dir():
                raise UseError(f"{path} has a finished reproduction: give --force to replace it")
            elif begun.is_file() and (changed := _changed(begun, folder.origin)):
                raise UseError(
                    f"{path} has a reproduction that stopped half way, with other {changed}: give the same "
                    "again, or --force to replace it"
                )
        begun.parent.mkdir(parents=True, exist_ok=True)
        if not begun.is_file():
            with replacing(begun, True) as temporary:
                temporary.write_text(json.dumps(folder.origin, indent=2) + "\n", "utf-8")
        return folder

    def clear(self) -> None:
        for name in MADE:
            with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                shutil.rmtree(self.path / name)
            with contextlib.suppress(FileNotFoundError):
                (self.path / name).unlink()

    def finish(self) -> None:
        """Nothing is left to go on with."""
        shutil.rmtree(self.path / WORK)

    def is_done(self, unit: Unit) -> bool:
        return (self.path / WORK / unit.file).is_file()

    def keep(self, unit: Unit, results: list[Result]) -> None:
        with replacing(self.path / WORK / unit.file, True) as temporary:
            temporary.write_text(json.dumps([asdict(result) for result in results]), "utf-8")

    def results(self, unit: Unit) -> list[Result]:
        kept = json.loads((self.path / WORK / unit.file).read_text("utf-8"))
        return [Result(**result) for result in kept]


def _is_manifest(path: Path) -> bool:
    with contextlib.suppress(OSError, ValueError, AttributeError):
        return bool(json.loads(path.read_text("utf-8")).get("experiment") == EXPERIMENT)
    return False


def _changed(begun: Path, now: dict[str, Any]) -> str:
    with contextlib.suppress(OSError, ValueError):
        before = json.loads(begun.read_text("utf-8"))
        return ", ".join(key for key in now if before.get(key) != now[key])
    return "settings"


def carry_out(
    settings: Settings,
    folder: Folder,
    workers: int,
    done: Callable[[Unit, list[Result]], None],
    progress: Progress,
) -> int:
    """Run what is not done yet; how many units that were.

    done: called with each unit and its results as soon as they are there. All seeds of a requirement are run
    before the next one, so that a table need not wait for all else.
    """
    planned = list(units(settings))
    order = list(dict.fromkeys(unit.requirement for unit in planned))
    planned.sort(key=lambda unit: order.index(unit.requirement))
    left = [unit for unit in planned if not folder.is_done(unit)]
    progress(1 - len(left) / len(planned), "starting")
    for unit in planned:
        if folder.is_done(unit):
            done(unit, folder.results(unit))
    with contextlib.closing(_run(settings, left, workers)) as finished:
        for number, (unit, results) in enumerate(finished, len(planned) - len(left) + 1):
            folder.keep(unit, results)
            done(unit, results)
            progress(number / len(planned), str(unit))
    return len(left)


def _run(settings: Settings, left: list[Unit], workers: int) -> Generator[tuple[Unit, list[Result]]]:
    """Units with their results, as they are done."""
    if workers == 1 or len(left) < 2:
        with contextlib.closing(Runner(settings)) as runner:
            for unit in left:
                yield unit, runner(unit)
        return
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(
        min(workers, len(left)), multiprocessing.get_context("spawn"), _start, (settings,)
    )
    try:
        running: dict[Future[list[Result]], Unit] = {pool.submit(_work, unit): unit for unit in left}
        for done in as_completed(running):
            yield running[done], done.result()
        pool.shutdown()
    except BrokenProcessPool as error:
        raise SqlanonError(
            "a process of the reproduction was ended from outside, perhaps for want of memory: "
            "the same command goes on from here, with --workers 1 in one process"
        ) from error
    finally:  # after an error or an interrupt nobody waits for what is under way
        pool.shutdown(wait=False, cancel_futures=True)
        for child in set(multiprocessing.active_children()) - others:
            child.terminate()


_runner: Runner | None = None


def _start(settings: Settings) -> None:
    """A new process: Ctrl-C is for the one that started it."""
    global _runner  # noqa: PLW0603 - what a process of a pool has from one task to the next
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _runner = Runner(settings)


def _work(unit: Unit) -> list[Result]:
    assert _runner is not None
    return _runner(unit)
