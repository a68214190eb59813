"""Cache of traces and activities: a folder of the user, up to a limit; those unused for longest go first."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tilegpu.functional.activity.output import whole_file
from tilegpu.functional.compile import cache_folder as folder_of_cache

from .make import make
from .twin import Twin, TwinError
from .twin_files import twin_toml

LIMIT = "TILEGPU_CACHE_MIB"
DEFAULT_LIMIT_MIB = 4096
KINDS = ".trace", ".activity"
"""Ends of names: a trace is a file, an activity a folder."""


def cache_folder() -> Path:
    """Folder of what is kept: under XDG_CACHE_HOME, or ~/.cache without it."""
    return folder_of_cache("workloads")


def limit_bytes() -> int:
    """Largest size of the folder, from the environment.

    Raises
    ------
    TwinError
        If the variable holds no whole number.
    """
    text = os.environ.get(LIMIT, str(DEFAULT_LIMIT_MIB))
    if not text.isdecimal():
        raise TwinError(f"{LIMIT}={text}: write the largest size of the cache in MiB")
    return int(text) << 20


def cached_trace(twin: Twin, times: Sequence[float] | int) -> Path:
    """A twin's trace, made if it is not there.

    Parameters
    ----------
    twin
        The twin.
    times
        How many frames, or the times of the frames, as for `make`.
    """
    count = times if isinstance(times, int) else len(times)
    name = f"{twin.name}-{twin.width}x{twin.height}-{count}-{_key(twin, times)}.trace"
    return kept(name, lambda path: make(twin, path, times))


def kept(name: str, make_it: Callable[[Path], object]) -> Path:
    """Entry of a name in the cache, made if it is not there; never half-written."""
    path = cache_folder() / name
    if path.exists():
        os.utime(path)
        return path
    with whole_file(path, f".{os.getpid()}") as partial:
        make_it(partial)
    evict(limit_bytes(), keep=path)
    return path


def evict(limit: int, keep: Path | None = None) -> list[Path]:
    """Remove what was used longest ago until the rest fits, and return it; `keep` stays in any case."""
    entries = sorted(entries_of_cache(), key=lambda path: path.stat().st_mtime)
    sizes = {path: size_bytes(path) for path in entries}
    total = sum(sizes.values())
    removed = []
    for path in entries:
        if total <= limit:
            break
        if path != keep:
            total -= sizes[path]
            _remove(path)
            removed.append(path)
    return removed


def entries_of_cache() -> Iterator[Path]:
    """Traces and activities in the folder."""
    folder = cache_folder()
    entries = folder.iterdir() if folder.is_dir() else iter(())
    return (path for path in entries if path.suffix in KINDS and not path.name.startswith("."))


def size_bytes(path: Path) -> int:
    """Size of a file, or of all files below a folder."""
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file())


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _key(twin: Twin, times: Sequence[float] | int) -> str:
    """Hash of the twin, of what makes it, and of a generator of its own."""
    chosen = times if isinstance(times, int) else [float(time) for time in times]
    digest = hashlib.sha256(f"{twin_toml(twin)}{chosen}".encode())
    sources = sorted(Path(__file__).parent.rglob("*.py"))
    if twin.family.endswith(".py") and twin.path is not None:
        sources.append(twin.path.parent / twin.family)
    for source in sources:
        digest.update(source.read_bytes() if source.is_file() else b"")
    return digest.hexdigest()[:16]
