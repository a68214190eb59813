"""Questions of a Fragment Processor or SIMT core to its warp scheduler, and the declaration of one.

`assembly.policies` puts in the place of each function here one that calls the scheduler whose number the processor or
core has in its register `scheduler`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.parameters import Group
from tilegpu.timing.declare.records import Record, i8

from ..engine.jit import inline, lowest_bit
from ..engine.ring import wrap

if TYPE_CHECKING:
    from ..memory.gpu import Gpu
    from .processor import Processor
    from .simt_core import SimtCore

QUESTIONS = ["choose", "in_order"]
"""Names of the functions that a warp scheduler has."""


@inline
def choose(gpu: Gpu, core: Processor, candidates: int, t: int) -> int:
    """Warp to try first of those in a mask, which is not empty. One that cannot issue is taken from the mask, and the
    scheduler asked again, so a warp that goes first is not waited for."""
    return lowest_bit(candidates)


@inline
def in_order(gpu: Gpu, core: SimtCore, s: int, i: int, t: int) -> int:
    """Warp that scheduler s of a SIMT core tries as the i-th, from 0 on; -1 if there are no more. Warps that have
    nothing to issue, or are not of the scheduler, are passed over; one may come twice."""
    return int(core.by_age[i]) if i < core.resident else -1


@inline
def in_turn(core: Processor, warps: int) -> int:
    """Warps of a mask by their turns: bit 0 is the one after that which had the last."""
    depth = core.warp.depth
    return int(((warps | warps << depth) >> (core.turn + 1)) & ((1 << depth) - 1))


@inline
def next_in_turn(core: Processor, warps: int) -> int:
    """First warp of a mask after the one that had the last turn."""
    return wrap(core.warp, core.turn + 1 + lowest_bit(in_turn(core, warps)))


@inline
def oldest(core: Processor, warps: int) -> int:
    """Warp of a mask that was started first."""
    depth = core.warp.depth
    by_age = ((warps | warps << depth) >> core.warp.head) & ((1 << depth) - 1)
    return wrap(core.warp, core.warp.head + lowest_bit(by_age))


class NoRegisters(Record):
    """Registers of a scheduler that has none."""

    none: i8


def no_set_up(state: Any, configuration: Any) -> None:
    """Registers that all begin at zero."""


@dataclass(frozen=True)
class WarpScheduler:
    """A warp scheduler.

    Parameters
    ----------
    name
        Name of its module, value of `fragment_stage.scheduler` and `simt_core.scheduler`, and its section of the
        configuration.
    title
        What it is and where it was published.
    choose, in_order
        As the functions of these names; without the second it is none of SIMT cores.
    record
        Its registers, of all processors or cores together: `gpu.warp_scheduler.<name>`.
    parameters
        Its section of the configuration, `[<name>]`.
    set_up
        `set_up(state, configuration)`: sets the registers.
    """

    name: str
    title: str
    choose: Callable[[Any, Any, int, int], int]
    record: type[Record] = NoRegisters
    parameters: type[Group] | None = None
    set_up: Callable[[Any, Any], None] = no_set_up
    in_order: Callable[[Any, Any, int, int, int], int] | None = None
