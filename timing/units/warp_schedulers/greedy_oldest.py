"""The same warp as long as it can issue, then the oldest (greedy then oldest; Rogers et al., MICRO 2012)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.jit import inline
from ..warp_turns import WarpScheduler, oldest

if TYPE_CHECKING:
    from ...memory.gpu import Gpu
    from ..processor import Processor
    from ..simt_core import SimtCore


@inline
def choose(gpu: Gpu, core: Processor, candidates: int, t: int) -> int:
    return int(core.turn) if candidates >> core.turn & 1 != 0 else oldest(core, candidates)


@inline
def in_order(gpu: Gpu, core: SimtCore, s: int, i: int, t: int) -> int:
    if i == 0:
        return int(core.turn[s])
    return int(core.by_age[i - 1]) if i <= core.resident else -1


SCHEDULER = WarpScheduler("greedy_oldest", "the same one as long as it can, then the oldest", choose, in_order=in_order)
