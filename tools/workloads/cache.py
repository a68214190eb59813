"""Where made traces are kept: the user's cache folder, up to a limit; what was used longest ago goes first."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from .make import make
from .twin import Twin, TwinError, twin_toml

LIMIT = "TILEGPU_CACHE_MIB"
DEFAULT_LIMIT_MIB = 4096


def cache_folder() -> Path:
    """Folder of made traces: under XDG_CACHE_HOME, or ~/.cache without it."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "tilegpu" / "workloads"


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


def cached_trace(twin: Twin, frames: int) -> Path:
    """A twin's trace, made if it is not there; never half-written."""
    folder = cache_folder()
    path = folder / f"{twin.name}-{twin.width}x{twin.height}-{frames}-{_key(twin, frames)}.trace"
    if path.is_file():
        os.utime(path)
        return path
    folder.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        make(twin, partial, frames)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    evict(limit_bytes(), keep=path)
    return path


def evict(limit: int, keep: Path | None = None) -> list[Path]:
    """Remove what was used longest ago until the rest fits, and return it; `keep` stays in any case."""
    entries = sorted(entries_of_cache(), key=lambda path: path.stat().st_mtime)
    total = sum(path.stat().st_size for path in entries)
    removed = []
    for path in entries:
        if total <= limit:
            break
        if path != keep:
            total -= path.stat().st_size
            path.unlink(missing_ok=True)
            removed.append(path)
    return removed


def entries_of_cache() -> Iterator[Path]:
    """Traces in the folder."""
    folder = cache_folder()
    return folder.glob("*.trace") if folder.is_dir() else iter(())


def _key(twin: Twin, frames: int) -> str:
    """Hash of the twin, of what makes it, and of a generator of its own."""
    found = hashlib.sha256(f"{twin_toml(twin)}{frames}".encode())
    sources = sorted(Path(__file__).parent.rglob("*.py"))
    if twin.family.endswith(".py") and twin.path is not None:
        sources.append(twin.path.parent / twin.family)
    for source in sources:
        found.update(source.read_bytes() if source.is_file() else b"")
    return found.hexdigest()[:16]
