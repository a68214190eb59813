"""Tables of docs/techniques.md: hooks with their parameters, and the techniques that come with the package."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from tilegpu.timing.assembly.link import GROUPS
from tilegpu.timing.engine.hooks import HOOKS, Hook
from tilegpu.timing.registry import find_technique, technique_names

from .configuration_pages import own_names

# Those of memory declare themselves when they are imported.
MODULES = "tilegpu.timing.engine.hooks", "tilegpu.timing.memory.hooks"


def hooks_table() -> str:
    """Every hook: its kind, what a technique's function of its name gets, what it is told or asked."""
    return "\n".join(["| hook and its parameters | kind | meaning |", "| --- | --- | --- |", *_hook_rows()]) + "\n"


def _hook_rows() -> Iterator[str]:
    for module in map(import_module, MODULES):
        for name, hook in HOOKS.items():
            if hook.module == module.__name__:
                function = getattr(module, name)
                function = getattr(function, "py_func", function)
                meaning = " ".join(inspect.getdoc(function).split())  # type: ignore[union-attr]
                yield f"| `{name}({', '.join(_parameters(function))})` | {_kind(hook)} | {meaning} |"


def _parameters(function: Any) -> list[str]:
    """Parameters as a technique has them: its own tables follow `gpu` where the hook has tables of the frame."""
    first, *others = inspect.signature(function).parameters
    return [first, *(["own"] if any(name in GROUPS for name in others) else []), *others]


def _kind(hook: Hook) -> str:
    return f"pipe: {hook.piped}" if hook.piped else hook.kind


def techniques_table() -> str:
    """Every technique that comes with the package, with its page."""
    lines = ["| technique | what it is | machines |", "| --- | --- | --- |"]
    for name in own_names("techniques", technique_names()):
        technique = find_technique(name)
        machines = ", ".join(technique.machines) or "all"
        lines.append(f"| [{name}](model/{name}.md) | {technique.title} | {machines} |")
    return "\n".join(lines) + "\n"
