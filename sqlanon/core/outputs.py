"""Writing files: all or nothing, unseen until whole, with nothing left behind after a process was killed."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from sqlanon.core.errors import UseError

try:
    import fcntl
except ImportError:  # not on Windows: there, what a killed process leaves behind stays
    fcntl = None  # type: ignore[assignment]

PREFIX = ".sqlanon-"  # of folders for unfinished work
SECRET = 0o600


@contextlib.contextmanager
def private_folder(parent: Path) -> Iterator[Path]:
    """A folder that is gone at the end, and that only this user sees into.

    Its process holds a lock on it. A folder that nobody holds is of a process that was killed: it goes now.
    """
    _remove_abandoned(parent)
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
        # another process may take it for abandoned before it is locked: that one removes it, or has done so
        with contextlib.suppress(FileNotFoundError, BlockingIOError):
            lock = _locked(folder)
            if lock is None or folder.exists():
                break
            os.close(lock)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if lock is not None:
            os.close(lock)


def give_name(file: Path, name: Path) -> None:
    """Rename a file, and replace nothing. Errors: FileExistsError.

    For a moment it has both names. Where a file system has no links, a file that somebody makes at this very
    moment is replaced.
    """
    try:
        name.hardlink_to(file)
    except FileExistsError:
        raise
    except OSError:
        if name.exists():
            raise FileExistsError(f"{name} exists") from None
        file.rename(name)
    else:
        file.unlink()


def _remove_abandoned(parent: Path) -> None:
    for folder in parent.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            own = folder.lstat()
            if (
                stat.S_ISDIR(own.st_mode)
                and own.st_uid == os.geteuid()
                and (lock := _locked(folder)) is not None
            ):
                shutil.rmtree(folder, ignore_errors=True)
                os.close(lock)


def _locked(folder: Path) -> int | None:
    """The lock on a folder, until the process ends; None where locks are impossible.

    Errors: FileNotFoundError, and BlockingIOError if another process has the lock.
    """
    if fcntl is None:
        return None
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


@contextlib.contextmanager
def replacing(path: Path, force: bool, *, secret: bool = False) -> Iterator[Path]:
    """A file for unfinished work that takes the place of `path` at the end, or is gone after an error.

    It gets the mode and, where that is allowed, the owner of the file that it replaces. secret: only its
    owner can read it.
    """
    path = path.resolve()
    with private_folder(path.parent) as folder:
        temporary = folder / path.name
        yield temporary
        if path.exists():
            if not force:
                raise UseError(f"{path} exists by now: give --force to replace it")
            before = path.stat()
            with contextlib.suppress(OSError):
                shutil.chown(temporary, before.st_uid, before.st_gid)
            temporary.chmod(stat.S_IMODE(before.st_mode))
        if secret:
            temporary.chmod(SECRET)
        temporary.replace(path)
