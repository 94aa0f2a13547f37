"""Writing files: all or nothing, unseen until whole, with nothing left behind after a process was killed."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path

from sqlanon.core.errors import UseError

try:
    import fcntl
except ImportError:  # not on Windows: there, what a killed process leaves behind stays
    fcntl = None  # type: ignore[assignment]

PREFIX = ".sqlanon-"  # of folders for unfinished work
SECRET, SECRET_FOLDER = 0o600, 0o700
PENDING = ".{}.pending"  # what a release is called before it has its name


def check_folder(target: Path) -> None:
    """Errors: UseError if the folder of what is to be written is not there, or nobody may write in it."""
    if not target.parent.is_dir():
        raise UseError(f"there is no folder {target.parent} to write {target.name} in")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise UseError(f"nothing can be written in the folder of {target}: give another one")


def is_secret(path: Path) -> bool:
    """Is a file there for nobody but its owner, or not there at all? (Windows does not say so in a mode.)"""
    return os.name == "nt" or not path.exists() or not stat.S_IMODE(path.stat().st_mode) & 0o077


def remarks_on_readers(path: Path) -> list[str]:
    """A remark on a file that should be its owner's alone, if it is not. It stays as it is."""
    return [] if is_secret(path) else [f"{path} can be read by others than its owner: chmod 600 it"]


def journal(file: Path) -> Path:
    """Where DuckDB writes transactions before they are in a file."""
    return file.with_name(f"{file.name}.wal")


def make_journal(file: Path) -> None:
    """The journal of a file that is attached, for its owner alone. Where it is missing DuckDB makes one that
    everybody can read."""
    with contextlib.suppress(OSError):
        os.close(os.open(journal(file), os.O_CREAT | os.O_EXCL | os.O_WRONLY, SECRET))


def remove_empty_journal(file: Path) -> None:
    """The journal goes if nothing was written. As long as the file is attached, it is nobody else's."""
    with contextlib.suppress(OSError):
        if not journal(file).stat().st_size:
            journal(file).unlink()


def remove_pending(folder: Path, known: Collection[Path]) -> list[Path]:
    """Remove what killed publishers have left in a folder before they entered it anywhere; what went.

    These are files and folders of our name and user, for nobody else to read: a release is so until it is
    entered. Known ones stay, and all of them while somebody is at work in this folder.
    """
    if fcntl is None:  # nobody can tell who is at work
        return []
    _remove_abandoned(folder)
    if any(folder.glob(f"{PREFIX}*")):
        return []
    removed = []
    for file in sorted(folder.glob(PENDING.format("?*"))):
        with contextlib.suppress(OSError):
            own = file.lstat()
            is_folder = stat.S_ISDIR(own.st_mode)
            is_ours = (is_folder or stat.S_ISREG(own.st_mode)) and own.st_uid == os.geteuid()
            is_secret_one = stat.S_IMODE(own.st_mode) == (SECRET_FOLDER if is_folder else SECRET)
            if is_ours and is_secret_one and file not in known:
                remove(file)
                removed.append(file)
    return removed


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


def remove(path: Path) -> None:
    """Remove a file, or a folder with all that is in it, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def give_name(file: Path, name: Path) -> None:
    """Rename a file or folder, and replace nothing. Errors: FileExistsError.

    For a moment a file has both names. Where a file system has no links, a file that somebody makes at this
    very moment is replaced; so is an empty folder.
    """
    try:
        if file.is_dir():
            raise OSError  # a folder has no links
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
