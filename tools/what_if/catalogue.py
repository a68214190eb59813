"""The changes there are: the files of `changes`."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from . import changes
from .declare import Transformation


def transformations() -> list[Transformation]:
    """All changes, by name."""
    names = sorted(module.name for module in iter_modules(changes.__path__))
    return [import_module(f"{changes.__name__}.{name}").TRANSFORMATION for name in names]
