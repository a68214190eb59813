"""Each warp in turn, as in the papers of the tile-based machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.jit import inline
from ..warp_turns import WarpScheduler, next_in_turn

if TYPE_CHECKING:
    from ...memory.gpu import Gpu
    from ..processor import Processor


@inline
def choose(gpu: Gpu, core: Processor, candidates: int, t: int) -> int:
    return next_in_turn(core, candidates)


SCHEDULER = WarpScheduler("round_robin", "each in turn", choose)
