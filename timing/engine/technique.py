"""Declaration of a published technique: one `Technique` in its module, which also fills hook points."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from tilegpu.timing.declare.parameters import Group
from tilegpu.timing.declare.policy_folders import PolicyKind
from tilegpu.timing.declare.records import Record, i8
from tilegpu.timing.declare.statistics import ResultTable, Stat
from tilegpu.timing.declare.structures import Structure

from .unit import Unit
from .wiring import Target

if TYPE_CHECKING:
    from tilegpu.timing.declare.cache_kinds import CacheKind

    from .chip import Chip


class NoRegisters(Record):
    """Registers of a technique that has none."""

    none: i8


class NoParameters(Group):
    """Parameters of a technique that has none."""


def no_setup(chip: Chip, state: Any) -> None:
    """Registers that all begin at zero."""


@dataclass(frozen=True)
class Technique:
    """A technique.

    Its module is a file of `timing.techniques`, or of a folder that is put on that package's path. Functions of the
    module that are named as a hook fill it. They get the machine's record, then the technique's own tables where the
    hook has tables of the frame (as in `binned(gpu, own, binning, primitive, entry, t)`), then what the hook reports.

    Parameters
    ----------
    name
        Name of its module.
    title
        What it is and where it was published.
    parameters
        Its section of the configuration, `class Parameters(Group, section="technique.<name>")`, which its functions ask
        for by `configuration.of(Parameters)`.
    record, setup
        Its registers, found as `gpu.technique.<name>`, and what sets them from `chip.configuration`.
    amend
        `amend(recorded, configuration)`: the tables of a frame that are made of more than was drawn, a
        `loading.source.Recorded`, before anything is loaded.
    load
        `load(source, configuration, frame)`: its own tables of a frame, a NamedTuple of arrays, from the activity.
        `source` is a `loading.loaded.Loaded`.
    rewrite
        `rewrite(source, configuration, frame)`: the frame as the application would draw it with a technique of
        software, before any technique's `load`.
    units, wires
        Units of its own, and where wires lead (its own, or instead of the machine's).
    caches
        First-level caches of its own, one of each kind, which its units are joined to by their `ports`.
    statistics
        Counters: names begin with `techniques.<name>.`, paths are in the registers.
    results
        Tables of its own among the results.
    structures
        Structures of the energy model.
    policies
        Kinds of policies that it leaves decisions to.
    check
        `check(pictures, frame, chip)`: statistics from the pictures of the activity, after a frame; `pictures` is a
        `loading.loaded.Pictures`.
    order
        Techniques of smaller order come first where several fill a hook.
    changes_shading
        Whether fragments are left out, reordered or shaded again: draws whose programs write memory are refused.
    one_application
        Whether it keeps, apart from its registers, something of a frame for the next one, so that frames of several
        applications cannot take turns.
    conflicts
        Techniques that this one cannot work with.
    machines
        Machines that it works on; all where empty. On another machine it may have another form: a module of that
        machine's name in its folder, which declares a `TECHNIQUE` of the same name and fills hooks of its own.
    form
        The machine whose form this is.
    package
        Package of the engine that its module is in.
    common
        Module of that package which fills the hooks that its own module does not.
    """

    name: str
    title: str
    parameters: type[Group] = NoParameters
    record: type[Record] | np.dtype[Any] = NoRegisters
    setup: Callable[[Any, Any], None] = no_setup
    amend: Callable[[Any, Any], Any] | None = None
    load: Callable[[Any, Any, Any], Any] | None = None
    rewrite: Callable[[Any, Any, Any], Any] | None = None
    units: tuple[Unit, ...] = ()
    wires: Mapping[str, Target] = field(default_factory=dict)
    caches: tuple[CacheKind, ...] = ()
    statistics: tuple[Stat, ...] = ()
    results: tuple[ResultTable, ...] = ()
    structures: tuple[Structure, ...] = ()
    policies: tuple[PolicyKind, ...] = ()
    check: Callable[[Any, int, Any], dict[str, float]] | None = None
    order: int = 100
    changes_shading: bool = False
    one_application: bool = False
    conflicts: tuple[str, ...] = ()
    machines: tuple[str, ...] = ()
    form: str = ""
    package: str = "techniques"
    common: str = ""

    @property
    def module(self) -> str:
        """Module that fills its hooks, within the engine."""
        return f"{self.package}.{self.name}.{self.form}" if self.form else f"{self.package}.{self.name}"
