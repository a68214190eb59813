"""Results of other compilers on disk, found again by everything that they were made from.

A folder that cannot be read or written only costs time: what it lacks is made again.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from .cache_place import cache_folder
from .disk_cache import sources_key

MOST_FILES = 4096
"""Files of a kind that are kept, those that were used last."""
_DIGEST_BYTES = 32


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
        try:
            stored = path.read_bytes()
        except OSError:
            return None
        with suppress(OSError):
            os.utime(path)
        digest, content = stored[:_DIGEST_BYTES], stored[_DIGEST_BYTES:]
        return content if hashlib.sha256(content).digest() == digest else None

    def write(self, key: Sequence[str], content: bytes) -> None:
        """Keep something under a key."""
        self._tidy()
        path = self._path(key)
        partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
        with suppress(OSError):
            partial.write_bytes(hashlib.sha256(content).digest() + content)
            partial.replace(path)
            return
        with suppress(OSError):
            partial.unlink()

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
        return self._folder / (hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:40] + self._suffix)
