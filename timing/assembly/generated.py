"""Functions whose text is made from declarations."""

from __future__ import annotations

import linecache
import sys
from types import ModuleType


def define(module: ModuleType, name: str, text: str) -> None:
    """Run generated text in a module; tracebacks and debuggers find its lines."""
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    # Numba looks here for the module of a function it finds in its cache.
    sys.modules.setdefault(module.__name__, module)
    exec(compile(text, name, "exec"), module.__dict__)
