"""Copies of the engine: one compiled for each set of techniques, and the plain one.

A copy is this package imported again under another name, with its own `engine.options` and, in the place of the no-ops
of `engine.hooks`, what the techniques of the set do there. What a function refers to is fixed when it is compiled, so
each set has its own compiled code and pays nothing for the others. Other packages exist once: parts import them by
their absolute names.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from tilegpu.functional import activity
from tilegpu.functional.compile import cache_folder, holds_code, sources_key
from tilegpu.functional.garbage import seldom_collected

from ..registry import find_instrument, find_machine, find_technique, find_techniques, folders, sources
from .link import link
from .policies import plugin_policies

TIMING = Path(__file__).parent.parent
ENGINE_PARTS = ("engine", "units", "memory", "agents", "techniques", "instruments", "machines")


@dataclass(frozen=True)
class Engine:
    """An engine ready to run: `run` as in `engine.clock`, and whether it is compiled."""

    run: Callable[[Any, Any, bool, int], bool]
    machine: str
    techniques: tuple[str, ...]
    compiled: bool
    folder: Path
    instrument: str = ""

    @property
    def parts(self) -> tuple[str, ...]:
        """Names of the machine and of what is added to it, for people."""
        return (self.machine, *self.techniques, *filter(None, [self.instrument.replace("_", " ")]))

    def is_cached(self) -> bool:
        """Whether compiled code of this set is on disk already."""
        return not self.compiled or holds_code(self.folder)


@contextmanager
def compiling(engine: Engine) -> Iterator[None]:
    """Context in which an engine runs for the first time."""
    with nullcontext() if engine.is_cached() else seldom_collected():
        yield


def load(
    machine: str = "tile_based", techniques: tuple[str, ...] = (), compiled: bool = True, instrument: str = ""
) -> Engine:
    """Engine for a machine and a set of techniques, with all policies.

    Parameters
    ----------
    machine
        Name of a module of `timing.machines`.
    techniques
        Names of modules of `timing.techniques`.
    compiled
        Compile the units, or run them as the Python they are.
    instrument
        Module of `timing.instruments`, if any.

    Raises
    ------
    UserError
        If there is no such machine or technique, or they do not go together.
    """
    policies = _plugin_policies(techniques)
    return _load(machine, techniques, compiled, instrument, policies)


@cache
def _load(
    machine: str, techniques: tuple[str, ...], compiled: bool, instrument: str, _policies: tuple[str, ...]
) -> Engine:
    find_techniques(techniques, machine)
    instruments = tuple(filter(None, [instrument]))
    folder = cache_folder(
        f"timing-{_key(machine, techniques, instrument)}-{'-'.join((machine, *techniques, *instruments))}"
    )
    name = _name(machine, techniques, compiled, *instruments)
    for module in [loaded for loaded in sys.modules if loaded == name or loaded.startswith(f"{name}.")]:
        # Remains of a copy that is no longer in use.
        del sys.modules[module]
    _package(name, TIMING)
    for part in ENGINE_PARTS:
        _package(f"{name}.{part}", *folders(part))
    options = ModuleType(f"{name}.engine.options")
    options.__dict__.update(COMPILED=compiled, CACHE_FOLDER=str(folder))
    _register(options)
    resolved = find_techniques(techniques, machine, name)
    full_machine = find_machine(machine, name).with_techniques(resolved)
    linked = ModuleType(f"{name}.engine.linked")
    linked.__dict__.update(finished=full_machine.finished, settle=full_machine.settle)
    _register(linked)
    if instrument:
        resolved += (find_instrument(instrument, name),)
    link(name, full_machine, resolved, linked)
    clock = importlib.import_module(f"{name}.engine.clock")
    return Engine(clock.run, machine, techniques, compiled, folder, instrument)


def engine_of(configuration: Any, compiled: bool = True, instrument: str = "") -> Engine:
    """Engine for a configuration."""
    return load(configuration.machine, tuple(sorted(configuration.techniques)), compiled, instrument)


def load_part(name: str, compiled: bool = True, machine: str = "tile_based", techniques: tuple[str, ...] = ()) -> Any:
    """Module of a copy of the engine, e.g. `memory.dram.standalone`: for parts that run by themselves, and tests."""
    load(machine, techniques, compiled)
    return importlib.import_module(f"{_name(machine, techniques, compiled)}.{name}")


def _name(machine: str, techniques: tuple[str, ...], compiled: bool, *instruments: str) -> str:
    # Policies of plug-ins make another engine.
    policies = _plugin_policies(techniques)
    kind = "compiled" if compiled else "plain"
    return "_".join(("tilegpu_engine", kind, machine, *techniques, *instruments, *policies))


def _plugin_policies(techniques: tuple[str, ...]) -> tuple[str, ...]:
    """Names of the policies of an engine that do not come with the package."""
    return tuple(name for _, name in plugin_policies(map(find_technique, techniques)))


def _key(machine: str, techniques: tuple[str, ...], instrument: str) -> str:
    """Hash of everything compiled code depends on: the engine, its machine and techniques, the activity's kernels."""
    used = [sources("machines", machine), *(sources("techniques", name) for name in techniques)]
    others = () if instrument else ("instruments",)
    paths = [TIMING / part for part in ("declare", "assembly", *ENGINE_PARTS) if part not in ("techniques", *others)]
    paths += [*([TIMING / "techniques"] if techniques else []), *used]
    # Units that do not come with the package belong to machines and techniques that do not.
    if any(TIMING not in path.parents for path in used):
        paths += [folder for folder in folders("units") if TIMING not in folder.parents]
    paths += [folder.source(name) for folder, name in plugin_policies(map(find_technique, techniques))]
    return sources_key([*paths, Path(str(activity.__file__)).parent])


def _package(name: str, *folders: Path) -> None:
    package = ModuleType(name)
    package.__path__ = [str(folder) for folder in folders]
    _register(package)


def _register(module: ModuleType) -> None:
    sys.modules[module.__name__] = module
    parent, _, child = module.__name__.rpartition(".")
    if parent:
        setattr(sys.modules[parent], child, module)
