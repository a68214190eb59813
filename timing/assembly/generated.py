"""Functions whose text is made from declarations."""

from __future__ import annotations

import linecache
from types import ModuleType


def define(module: ModuleType, name: str, text: str) -> None:
    """Run generated text in a module; the compiler, tracebacks and debuggers find its lines under a name of its own."""
    file = f"<{name}, {module.__name__}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    exec(compile(text, file, "exec"), module.__dict__)
