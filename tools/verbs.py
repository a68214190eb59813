"""The verbs of the `tilegpu` command; each is imported when it is asked for, as all together take a second."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from .console import warn

MODULES = {
    "info": "info",
    "dump": "dump",
    "render": "render",
    "inspect": "inspect",
    "trim": "trim",
    "reference": "reference",
    "trace": "trace",
    "stats": "stats",
    "characterize": "characterize",
    "sample": "sampling.verb",
    "replay": "replay",
    "share": "share",
    "collisions": "collisions",
    "configs": "configs",
    "dram": "dram",
    "report": "report.verb",
    "area": "area",
    "plot": "plot",
    "compare": "compare",
    "demo": "demo",
    "conformance": "conformance",
    "shader": "shader",
    "study": "studies.verb",
    "workloads": "workloads.verb",
}
"""Where each verb is: a function of its name, or `app` with verbs of its own."""


class _Commands(Mapping[str, Any]):
    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    def __getitem__(self, verb: str) -> Any:
        if verb not in self._made:
            self._made[verb] = _command(verb)
        return self._made[verb]

    def __iter__(self) -> Iterator[str]:
        return iter(MODULES)

    def __len__(self) -> int:
        return len(MODULES)


def _command(verb: str) -> Any:
    module = import_module(f".{MODULES[verb]}", __package__)
    _warn_of_plain_kernels()
    app = getattr(module, "app", None)
    if app is None:
        app = typer.Typer(add_completion=False, rich_markup_mode="markdown")
        app.command(verb)(getattr(module, verb))
    command = get_command(app)
    command.name = verb
    return command


@cache
def _warn_of_plain_kernels() -> None:
    """Say once that kernels are compiled the slower way, if the verb has any."""
    compiler = sys.modules.get("tilegpu.functional.jit")
    if compiler is not None and compiler.PLAIN:
        plain = f"{compiler.PLAIN}: kernels are compiled without Numba's private interfaces"
        warn(f"{plain}, more slowly, with the same results")


class Verbs(TyperGroup):
    """All verbs as one group, in the order that help lists them."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands: Any = _Commands()
