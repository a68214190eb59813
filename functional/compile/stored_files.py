"""Files that hold compiled code: folders, which belong to the user alone, as machine code and pickles are read
from them; files with a digest, which is verified before anything in them is used; and results of compilers, found
again by everything that they were made from.

A folder or file that cannot be read or written, or that is not the user's own, only costs time: what it lacks is made
again.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from ..text import octets

MOST_FILES = 4096
"""Files of a kind that are kept, those that were used last."""
_DIGEST_BYTES = 32
_OF_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_READING = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_WRITING = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def cache_folder(key: str) -> Path:
    """Folder for compiled code, which the user owns and no one else can write.

    Under XDG_CACHE_HOME or ~/.cache; where that cannot be written or is not the user's alone, in the user's own folder
    of the system's temporary one; where someone else has made that, in a new one that ends with the process.
    """
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    shared = Path(tempfile.gettempdir())
    for place in (home / "tilegpu", shared / f"tilegpu-{_user()}"):
        if private_folder(place) and private_folder(place / key):
            return place / key
    return folder_of_this_process() / key


def private_folder(folder: Path) -> bool:
    """Whether a folder is the user's own, no link, and neither writable nor readable for others; made if it is not
    there."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.lstat()
        if not stat.S_ISDIR(status.st_mode) or not _is_own(status) or not os.access(folder, os.W_OK):
            return False
        if status.st_mode & 0o077:
            folder.chmod(0o700)
    except OSError:
        return False
    return True


@cache
def folder_of_this_process() -> Path:
    """A new folder that ends with the process."""
    folder = tempfile.mkdtemp(prefix="tilegpu-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def _user() -> int:
    return os.geteuid() if hasattr(os, "geteuid") else 0


def _is_own(status: os.stat_result) -> bool:
    """Whether a file or folder is the user's and no one else may write it."""
    if not hasattr(os, "geteuid"):  # Windows, whose temporary folder is each user's own.
        return True
    return status.st_uid == _user() and not status.st_mode & _OF_OTHERS


def read_sealed(path: Path) -> bytes | None:
    """Content of a file of `write_sealed`; None if there is none, if it is damaged or not the user's own."""
    try:
        with open(path, "rb", opener=lambda name, _: os.open(name, _READING)) as file:
            stored = file.read() if _is_own(os.fstat(file.fileno())) else b""
    except OSError:
        return None
    digest, content = stored[:_DIGEST_BYTES], stored[_DIGEST_BYTES:]
    return content if hashlib.sha256(content).digest() == digest else None


def write_sealed(path: Path, content: bytes) -> None:
    """Write a file with its digest, whole or not at all; OSError where that fails."""
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        with open(partial, "wb", opener=lambda name, _: os.open(name, _WRITING, 0o600)) as file:
            file.write(hashlib.sha256(content).digest() + content)
        partial.replace(path)
    except OSError:
        with suppress(OSError):
            partial.unlink()
        raise


def sources_key(places: Iterable[Path]) -> str:
    """Hash of all Python sources below the folders, of the files, and of this package, which compiles them (16 hex
    digits)."""
    digest = hashlib.sha256(_sources(Path(__file__).parent))
    for place in places:
        digest.update(_sources(place))
    return digest.hexdigest()[:16]


@cache
def _sources(place: Path) -> bytes:
    digest = hashlib.sha256()
    for path in [place] if place.is_file() else sorted(place.rglob("*.py")):
        digest.update(str(path.relative_to(place.parent)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.digest()


class StoredFiles:
    """Files of one kind.

    Parameters
    ----------
    name
        Of their folder among the user's caches.
    suffix
        Ending of their names.
    sources
        Folders of the sources that make them.
    common
        What all of them depend on besides: versions, the processor.
    """

    def __init__(self, name: str, suffix: str, sources: Sequence[Path], common: str = "") -> None:
        self._folder, self._suffix = cache_folder(name), suffix
        self._common = f"{sources_key(sources)} {common}"
        self._tidied = False

    def read(self, key: Sequence[str]) -> bytes | None:
        """Content that was written under a key; None if there is none, or if it is damaged."""
        path = self._path(key)
        content = read_sealed(path)
        if content is not None:
            with suppress(OSError):
                os.utime(path)
        return content

    def holds(self, key: Sequence[str]) -> bool:
        """Whether there is a file for a key, without reading it."""
        return self._path(key).exists()

    def write(self, key: Sequence[str], content: bytes) -> None:
        """Keep something under a key."""
        self._tidy()
        with suppress(OSError):
            write_sealed(self._path(key), content)

    def _tidy(self) -> None:
        """Once per process, remove the files that were not used for the longest time if there are too many."""
        if self._tidied:
            return
        self._tidied = True
        with suppress(OSError):
            files = sorted(self._folder.glob(f"*{self._suffix}"), key=lambda path: path.stat().st_mtime_ns)
            for path in files[: -(MOST_FILES * 3 // 4)] if len(files) > MOST_FILES else ():
                path.unlink(missing_ok=True)

    def _path(self, key: Sequence[str]) -> Path:
        # Lengths keep apart keys whose parts end at different places.
        text = "".join(f"{len(part)}:{part}" for part in (self._common, *key))
        return self._folder / (hashlib.sha256(octets(text)).hexdigest()[:40] + self._suffix)
