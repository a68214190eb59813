"""Copies of the engine: one compiled for each set of techniques, and the plain one.

A copy is this package imported again under another name, with its own `engine.options` and, in the place of
the no-ops of
`techniques.hooks`, what the techniques of the set do there. Numba freezes what a function refers to when it
compiles it, so
each set has its own compiled code and pays nothing for the others.
"""

from __future__ import annotations

import gc
import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from tilegpu.functional import activity
from tilegpu.functional.activity.compiled import cache_folder, sources_key

from .. import techniques as techniques_package

TIMING = Path(__file__).parent.parent
ENGINE_PARTS = ("engine", "units", "memory", "techniques")


@dataclass(frozen=True)
class Engine:
    """An engine ready to run: `run` as in `tile_based`, and whether it is compiled."""

    run: Callable[[Any, Any, bool, int], bool]
    techniques: tuple[str, ...]
    compiled: bool
    folder: Path

    def is_cached(self) -> bool:
        """Whether compiled code of this set is on disk already."""
        return not self.compiled or any(self.folder.rglob("*.nbi"))


@contextmanager
def compiling(engine: Engine) -> Iterator[None]:
    """Where an engine runs for the first time: the compiler makes many objects that live, so garbage is looked for less
    often, which saves a seventh of the time."""
    if engine.is_cached():
        yield
        return
    thresholds = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()


@cache
def load(techniques: tuple[str, ...] = (), compiled: bool = True) -> Engine:
    """Engine for a set of techniques.

    Parameters
    ----------
    techniques
        Names of modules of `timing.techniques`.
    compiled
        Compile the units, or run them as the Python they are.

    Raises
    ------
    ValueError
        If there is no such technique, or two fill the same hook point.
    """
    for technique in techniques:
        found = any((folder / f"{technique}.py").is_file() for folder in _folders("techniques"))
        if not technique.isidentifier() or technique in ("hooks", "__init__") or not found:
            raise ValueError(f"techniques: there is no technique {technique}")
    folder = cache_folder(f"timing-{_key()}-{'-'.join(techniques) or 'baseline'}")
    name = _name(techniques, compiled)
    _package(name, TIMING)
    for part in ENGINE_PARTS:
        _package(f"{name}.{part}", *_folders(part))
    options = ModuleType(f"{name}.engine.options")
    options.__dict__.update(COMPILED=compiled, CACHE_FOLDER=str(folder))
    _register(options)
    hooks = importlib.import_module(f"{name}.techniques.hooks")
    for technique in techniques:
        _fill(hooks, name, technique)
    machine = importlib.import_module(f"{name}.engine.tile_based")
    return Engine(machine.run, techniques, compiled, folder)


def load_part(name: str, compiled: bool = True) -> Any:
    """Module of the baseline's copy of the engine, e.g. `memory.dram.standalone`: for parts that run by themselves."""
    load((), compiled)
    return importlib.import_module(f"{_name((), compiled)}.{name}")


def _name(techniques: tuple[str, ...], compiled: bool) -> str:
    return "_".join(("tilegpu_engine", "compiled" if compiled else "plain", *techniques))


def _key() -> str:
    """Hash of everything compiled code depends on: all parts of the engine, and the activity's kernels."""
    folders = [folder for part in ENGINE_PARTS for folder in _folders(part)]
    return sources_key([*folders, Path(str(activity.__file__)).parent])


def _folders(part: str) -> list[Path]:
    """Where the modules of a part lie; techniques may lie in more folders than one."""
    return [Path(folder) for folder in techniques_package.__path__] if part == "techniques" else [TIMING / part]


def _package(name: str, *folders: Path) -> None:
    package = ModuleType(name)
    package.__path__ = [str(folder) for folder in folders]
    _register(package)


def _register(module: ModuleType) -> None:
    sys.modules[module.__name__] = module
    parent, _, child = module.__name__.rpartition(".")
    if parent:
        setattr(sys.modules[parent], child, module)


def _fill(hooks: ModuleType, name: str, technique: str) -> None:
    """Put the hook functions of a technique in the place of the no-ops."""
    module = importlib.import_module(f"{name}.techniques.{technique}")
    for hook in hooks.HOOKS:
        if hasattr(module, hook):
            if getattr(hooks, hook).__module__ != hooks.__name__:
                raise ValueError(f"techniques: {technique} and another technique both need the hook point {hook}")
            setattr(hooks, hook, getattr(module, hook))
