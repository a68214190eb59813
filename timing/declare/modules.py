"""Modules that declare something, recognized by their text: others are not run."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path


def declared_names(folder: str | Path, mark: str) -> list[str]:
    """Names of the modules and packages of a folder that declare something, sorted.

    Parameters
    ----------
    folder
        Where modules (`name.py`) and packages (`name/__init__.py`) lie.
    mark
        Text of a file that declares one, e.g. "\\nTECHNIQUE = ".
    """
    names = set()
    for path in (*Path(folder).glob("*.py"), *Path(folder).glob("*/__init__.py")):
        name = path.parent.name if path.name == "__init__.py" else path.stem
        if name.isidentifier() and _declares(path, mark):
            names.add(name)
    return sorted(names)


def is_declared(folders: Iterable[str | Path], name: str, mark: str) -> bool:
    """Whether `declared_names` of one of the folders has a name."""
    places = (Path(folder) / inside for folder in folders for inside in (f"{name}.py", f"{name}/__init__.py"))
    return name.isidentifier() and any(path.is_file() and _declares(path, mark) for path in places)


def _declares(path: Path, mark: str) -> bool:
    status = path.stat()
    return _holds(path, mark, (status.st_mtime_ns, status.st_size))


@lru_cache(maxsize=1024)
def _holds(path: Path, mark: str, _stamp: tuple[int, int]) -> bool:
    """Whether a file holds a text; read again once it has changed."""
    return mark in path.read_text("utf-8", "replace")
