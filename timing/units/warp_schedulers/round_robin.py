"""Each warp in turn, as in the papers of the tile-based machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import MAX_SIMT_WARPS

from ...engine.jit import inline
from ..warp_turns import WarpScheduler, next_in_turn

if TYPE_CHECKING:
    from ...memory.gpu import Gpu
    from ..processor import Processor
    from ..simt_core import SimtCore


@inline
def choose(gpu: Gpu, core: Processor, candidates: int, t: int) -> int:
    return next_in_turn(core, candidates)


@inline
def in_order(gpu: Gpu, core: SimtCore, s: int, i: int, t: int) -> int:
    return int(core.turn[s] + 1 + i) % MAX_SIMT_WARPS if i < MAX_SIMT_WARPS else -1


SCHEDULER = WarpScheduler("round_robin", "each in turn", choose, in_order=in_order)
