"""WaSP (Joseph et al., arXiv 2404.06156), after the abstract: a few warps go first, so that their misses bring what
their neighbours need, as prefetches would.

Priority warps are those of a mesh on the screen: one of four squares of quads. They go first as long as the texture
cache has Miss Status Holding Registers (MSHRs) left, for misses that fill all of these would block the cache for the
others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.parameters import Group, number
from tilegpu.timing.declare.records import MAX_THREADS, Record, i8

from ...engine.jit import inline, lowest_bit
from .. import processor
from ..warp_turns import WarpScheduler, next_in_turn

if TYPE_CHECKING:
    from ...memory.gpu import Gpu
    from ..processor import Processor


class Registers(Record):
    """Registers. `mesh`: side of a square of the mesh in quads, log2; `spare`: MSHRs that are left to the others."""

    mesh: i8
    spare: i8


class Wasp(Group, section="wasp"):
    """WaSP, with scheduler wasp."""

    mesh: int = number(
        1,
        "quads, log2",
        "side of the squares of which one of four, two across and two down, has priority; assumed",
        0,
        4,
        silent=(0, 2),
    )
    spare_mshrs: int = number(
        1, "lines", "MSHRs of the texture cache that priority warps leave to others; assumed", 0, 63, silent=(0, 4)
    )


@inline
def choose(gpu: Gpu, core: Processor, candidates: int, t: int) -> int:
    registers: Registers = gpu.warp_scheduler.wasp
    first = of_mesh(core, candidates, int(registers.mesh))
    if first == 0 or first == candidates or blocks(gpu, core, int(registers.spare)):
        return next_in_turn(core, candidates)
    return next_in_turn(core, first)


@inline
def of_mesh(core: Processor, candidates: int, mesh: int) -> int:
    """Warps of a mask that have priority."""
    first, rest = 0, candidates
    while rest != 0:
        w = lowest_bit(rest)
        rest &= rest - 1
        place = core.place[MAX_THREADS * w]
        # Rows are in the upper bits of a place (`packing.place_of`).
        if ((place | place >> 16) >> mesh) & 1 == 0:
            first |= 1 << w
    return first


@inline
def blocks(gpu: Gpu, core: Processor, spare: int) -> bool:
    """Whether further misses are likely to fill the MSHRs of a processor's texture cache."""
    cache = gpu.cache[gpu.unit[gpu.port[processor.texture_unit(gpu, core).port].server].a]
    return bool(cache.mshrs_used + spare >= cache.mshrs)


def set_up(registers: Any, configuration: Any) -> None:
    """Sizes from the configuration."""
    own = configuration.of(Wasp)
    registers.mesh, registers.spare = own.mesh, own.spare_mshrs


SCHEDULER = WarpScheduler(
    "wasp",
    "WaSP (Joseph et al., arXiv 2404.06156), after the abstract: warps of a mesh go first, in the place of prefetches",
    choose,
    Registers,
    Wasp,
    set_up,
)
