"""Location of an activity: a folder, or a URL of any file system that fsspec knows, fetched when it is needed."""

from __future__ import annotations

import hashlib
import importlib
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..loading.source import ActivityError

MAX_KEPT = 4
"""Activities that a process keeps of those it has brought."""


@dataclass(frozen=True)
class Place:
    """An activity's place.

    Parameters
    ----------
    name
        Folder, or URL of one: `s3://bucket/activity`, `https://host/activity`, `file:///shared/activity`.
    token
        Identifies its content, as far as names and sizes of its files do.
    """

    name: str
    token: str = ""

    @classmethod
    def of(cls, name: str) -> Place:
        """The place of this name.

        Raises
        ------
        ActivityError
            If it cannot be reached.
        """
        if not is_url(name):
            return cls(str(Path(name).resolve()))
        system, root = _opened(name)
        try:
            files = system.find(root, detail=True)
        except OSError as error:
            raise ActivityError(f"{name}: {error.strerror or error}") from None
        if not files:
            raise ActivityError(f"{name}: there is nothing there; give the folder that `tilegpu trace` wrote")
        listing = repr(sorted((path, entry.get("size"), str(entry.get("mtime"))) for path, entry in files.items()))
        return cls(name, hashlib.sha256(listing.encode()).hexdigest()[:16])

    def folder(self) -> Path:
        """The activity as a folder of this machine."""
        return Path(_brought(self).name) if is_url(self.name) else Path(self.name)


def is_url(name: str) -> bool:
    """Whether a name is a URL rather than a folder's."""
    return "://" in name


def _opened(name: str) -> tuple[Any, str]:
    try:
        fsspec: Any = importlib.import_module("fsspec")
    except ModuleNotFoundError:
        raise ActivityError(f"{name}: a URL needs fsspec: pip install 'tilegpu[cluster]'") from None
    try:
        system, root = fsspec.core.url_to_fs(name)
    except (ValueError, ImportError) as error:
        raise ActivityError(f"{name}: {error}") from None
    return system, root


@lru_cache(maxsize=MAX_KEPT)
def _brought(place: Place) -> tempfile.TemporaryDirectory[str]:
    """Folder with the files that were fetched; it is removed with the object."""
    system, root = _opened(place.name)
    folder = tempfile.TemporaryDirectory(prefix="tilegpu-activity-")
    try:
        system.get(root.rstrip("/") + "/", folder.name + "/", recursive=True)
    except OSError as error:
        raise ActivityError(f"{place.name}: {error.strerror or error}") from None
    return folder
