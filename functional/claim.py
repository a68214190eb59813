"""A folder of output belongs to one process at a time: a second one is refused before it works in vain."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from .errors import UserError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


class ClaimedError(UserError):
    """Another process writes the same output."""


@contextmanager
def claimed(output: Path) -> Iterator[None]:
    """Keep other processes from writing a file or folder within this context; missing parent folders are made for it.

    A lock of the system on a file next to the output: it ends with the process, however that ends.

    Raises
    ------
    ClaimedError
        If another process has it.
    OSError
        If nothing can be written there.
    """
    output = Path(os.path.abspath(output))
    made = [parent for parent in output.parents if not parent.exists()]
    output.parent.mkdir(parents=True, exist_ok=True)
    place = output.with_name(f".{output.name}.lock")
    try:
        with _locked(place, output):
            try:
                yield
            finally:
                place.unlink(missing_ok=True)
    finally:
        # Those that hold something by now stay.
        with suppress(OSError):
            for folder in made:
                folder.rmdir()


@contextmanager
def _locked(place: Path, output: Path) -> Iterator[None]:
    while True:
        with place.open("ab") as lock:
            if not _lock(lock):
                raise ClaimedError(
                    f"{output}: another tilegpu is writing it; wait until it has ended, or choose another folder"
                )
            # Whoever had it before has removed the file in the meantime, perhaps after this one opened it.
            if not place.exists() or os.fstat(lock.fileno()).st_ino != place.stat().st_ino:
                continue
            yield
            return


def _lock(file: BinaryIO) -> bool:
    if fcntl is None:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        # File systems without locks are written without.
        return error.errno not in (errno.EWOULDBLOCK, errno.EACCES)
    return True
