"""Locks between processes that compile the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

LOCKED = fcntl is not None
"""Whether this system can lock files."""


@contextmanager
def only_one(folder: Path, name: str) -> Iterator[None]:
    """Only one process is in a context of this name and folder; others wait."""
    with ExitStack() as held:
        # Where nothing can be locked, nothing can be saved.
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            held.enter_context(_locked(folder, f".{name}.lock"))
        yield


@contextmanager
def _locked(folder: Path, name: str) -> Iterator[None]:
    if not LOCKED:
        yield
        return
    with (folder / name).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def holds_code(folder: Path) -> bool:
    """Whether the code of any program is in a folder."""
    return any(folder.rglob("*.o"))
