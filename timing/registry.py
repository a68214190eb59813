"""Machines and techniques by their names: modules of `timing.machines` and `timing.techniques`.

Folders with more of them, with units, and with scheduling policies of main memory (`memory.dram.policies`), are put on
the path by the variable `TILEGPU_PLUGINS` (see `docs/techniques.md`): each holds `machines/`, `techniques/`, `units/`
or `policies/`, or a folder of another kind of policies (`declare.policy_folders`).
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Collection
from functools import lru_cache
from pathlib import Path
from typing import Any

from tilegpu.functional.errors import UserError, choices
from tilegpu.timing.declare.hardware import DEFAULT_MACHINE
from tilegpu.timing.declare.modules import declared_names, is_declared
from tilegpu.timing.declare.policy_folders import PLUGIN_ROOTS

from . import machines, techniques, units
from .memory.dram import policies

PARTS = {"machines": machines, "techniques": techniques, "units": units, "policies": policies}
VARIABLE = "TILEGPU_PLUGINS"
MARKS = {"machines": "\nMACHINE = ", "techniques": "\nTECHNIQUE = "}
"""Text of a file that declares one."""
MOVED = {
    "results.declare": "declare.statistics",
    "energy.declare": "declare.structures",
    "energy": "declare.energy",
    "config.fields": "declare.parameters",
    "config.caches": "declare.caches",
    "config.quad_mappings": "declare.quad_mappings",
    "config.chip": "declare.chip",
    "engine.build": "engine.chip",
    "loading.dispatch_tables": "engine.dispatch_tables",
    "loading.load": "assembly.loader",
    "engine.records": "declare.records",
    "techniques.hooks": "engine.hooks",
    "techniques.crc": "techniques.shared.crc",
    "techniques.depth_ties": "techniques.shared.depth_ties",
    "techniques.hidden_surfaces": "techniques.shared.hidden_surfaces",
    "techniques.prefetched_lines": "techniques.shared.prefetched_lines",
    "techniques.prefetching.stride": "techniques.prefetching.predictors.stride",
    "techniques.prefetching.distance": "techniques.prefetching.predictors.ghb",
    "techniques.prefetching.many_thread": "techniques.prefetching.predictors.mta",
}
"""Modules by earlier places that plug-ins may import."""
RENAMED = {
    "assembly.build.Builder": "tilegpu.timing.machines.builder.Builder",
    "assembly.build.Chip": "tilegpu.timing.engine.chip.Chip",
    "memory.kinds.CacheKind": "tilegpu.timing.declare.cache_kinds.CacheKind",
    "memory.request.SOURCES": "tilegpu.timing.declare.sources.SOURCES",
    "units.fragment_processor.note_work": "tilegpu.timing.units.tile_end.note_work",
    "units.fragment_processor.weigh": "tilegpu.timing.units.tile_end.weigh",
    "units.processor.in_turn": "tilegpu.timing.units.warp_turns.in_turn",
    "units.tile_memory.Transfer": "tilegpu.timing.engine.transfer.Transfer",
    "engine.account.ACCOUNT": "class Accounted: registers are classes (docs/techniques.md)",
    "engine.ring.queue": "class Queue: registers are classes (docs/techniques.md)",
    "declare.records.ring": "class Ring: registers are classes (docs/techniques.md)",
    "declare.records.TOKEN": "class Token: registers are classes (docs/techniques.md)",
    "engine.frame.row_type": "tilegpu.timing.declare.records.Record: registers are classes (docs/techniques.md)",
}
"""Earlier names that plug-ins may import, and those that replace them."""


def add_plugins(folder: str | Path, parts: Collection[str] = tuple(PARTS)) -> None:
    """Look for machines, techniques, units and policies of all kinds, or some of these parts, in a folder too."""
    for name in parts:
        inside, path = str(Path(folder) / name), PARTS[name].__path__
        if Path(inside).is_dir() and inside not in path:
            path.append(inside)
    if set(parts) >= set(PARTS) and str(folder) not in PLUGIN_ROOTS:
        PLUGIN_ROOTS.append(str(folder))


for _folder in filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)):
    add_plugins(_folder)


def folders(part: str) -> list[Path]:
    """Folders with the modules of a part."""
    package = PARTS.get(part)
    return [Path(folder) for folder in package.__path__] if package else [Path(__file__).parent / part]


def is_plugin(part: str, name: str) -> bool:
    """Whether a machine or technique does not come with the package."""
    return Path(__file__).parent not in sources(part, name).parents


def machine_names() -> list[str]:
    """Names of the machines there are."""
    return _names("machines")


@lru_cache(maxsize=1)
def package_machines() -> list[str]:
    """Names of the machines that come with the package, the one that presets are of by default first."""
    names = [name for name in machine_names() if Path(__file__).parent in sources("machines", name).parents]
    return sorted(names, key=lambda name: (name != DEFAULT_MACHINE, name))


def technique_names() -> list[str]:
    """Names of the techniques there are."""
    return _names("techniques")


def find_machine(name: str, package: str = __package__ or "") -> Any:
    """Declaration of a machine, in a copy of the engine; UserError if there is none."""
    if not is_declared(folders("machines"), name, MARKS["machines"]):
        raise UserError(f"machine: there is no machine {name}; {choices(name, machine_names())}")
    return _module("machines", name, package).MACHINE


def find_technique(name: str, package: str = __package__ or "") -> Any:
    """Declaration of a technique, in a copy of the engine; UserError if there is none."""
    if not is_declared(folders("techniques"), name, MARKS["techniques"]):
        raise UserError(f"techniques: there is no technique {name}; {choices(name, technique_names())}")
    return _module("techniques", name, package).TECHNIQUE


def find_instrument(name: str, package: str = __package__ or "") -> Any:
    """Declaration of an instrument, in a copy of the engine."""
    return importlib.import_module(f"{package}.instruments.{name}").INSTRUMENT


def _module(part: str, name: str, package: str) -> Any:
    """Module of a machine or technique; UserError if it imports what has another place now, or is a plug-in that cannot
    be imported."""
    try:
        return _imported(part, name, package)
    except UserError:
        raise
    except Exception as error:
        if not is_plugin(part, name):
            raise
        raise UserError(f"{sources(part, name)}: {type(error).__name__}: {error}; mend the plug-in") from error


def _imported(part: str, name: str, package: str) -> Any:
    try:
        return importlib.import_module(f"{package}.{part}.{name}")
    except ModuleNotFoundError as error:
        for before, now in MOVED.items():
            if (error.name or "").endswith(f".{before}"):
                raise UserError(
                    f"{sources(part, name)}: tilegpu.timing.{before} is now tilegpu.timing.{now}; change the import"
                ) from None
        raise
    except ImportError as error:
        module = (error.name or "").partition(".timing.")[2] or (error.name or "").partition(".")[2]
        for before, now in RENAMED.items():
            place, _, old = before.rpartition(".")
            if module == place and f"'{old}'" in str(error):
                raise UserError(f"{sources(part, name)}: tilegpu.timing.{before} is now {now}") from None
        raise


def find_techniques(names: tuple[str, ...], machine: str, package: str = __package__ or "") -> tuple[Any, ...]:
    """Declarations of several techniques in the order in which they are asked.

    Raises
    ------
    UserError
        If there is no such technique, one is named twice, two do not go together, or one does not fit the machine.
    """
    techniques = [_form(find_technique(name, package), machine, package) for name in names]
    for technique in techniques:
        if names.count(technique.name) > 1:
            raise UserError(f"techniques: {technique.name} is named twice")
        for other in technique.conflicts:
            if other in names:
                raise UserError(f"techniques: {technique.name} and {other} do not work together")
        if technique.machines and machine not in technique.machines:
            raise UserError(f"techniques: {technique.name} works on {', '.join(technique.machines)}, not on {machine}")
    return tuple(sorted(techniques, key=lambda technique: (technique.order, technique.name)))


def _form(technique: Any, machine: str, package: str) -> Any:
    """A technique as it is on a machine."""
    if not technique.machines or machine in technique.machines:
        return technique
    if not (sources("techniques", technique.name) / f"{machine}.py").is_file():
        return technique
    return importlib.import_module(f"{package}.techniques.{technique.name}.{machine}").TECHNIQUE


def components(configuration: Any, package: str = __package__ or "") -> tuple[Any, tuple[Any, ...]]:
    """Machine of a configuration, with its techniques' units, and the techniques."""
    techniques = find_techniques(tuple(configuration.techniques), configuration.machine, package)
    return find_machine(configuration.machine, package).with_techniques(techniques), techniques


def sources(part: str, name: str) -> Path:
    """File, or folder, of a machine, technique or policy."""
    for folder in folders(part):
        for path in (folder / f"{name}.py", folder / name):
            if path.exists():
                return path
    raise UserError(f"{part}: there is no {name}")


def _names(part: str) -> list[str]:
    """Modules and packages that declare something."""
    return sorted({name for folder in folders(part) for name in declared_names(folder, MARKS[part])})
