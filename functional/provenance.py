"""Provenance of results: the hash of a source, and the version of tilegpu."""

from __future__ import annotations

import hashlib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def sha256_of(path: Path) -> str:
    """Hash of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def tool_version() -> str:
    """Version of tilegpu."""
    try:
        return version("tilegpu")
    except PackageNotFoundError:
        return "unknown"
