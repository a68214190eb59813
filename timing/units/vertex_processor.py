"""Vertex Processor: executes the vertex shader, one vertex per warp, and marks the vertex shaded in the
fetcher's window."""

from __future__ import annotations

from typing import Any

from ..engine.jit import inline, unit
from ..engine.ring import drop, front, full, poke
from . import processor
from .processor import DONE, FREE, account, issue
from .vertex_fetcher import SHADED


@unit
def tick(gpu: Any, shading: Any, p: int, t: int) -> int:
    core = gpu.vertex_processor[p]
    account(core, t)
    moved = retire(gpu, core, t)
    wake = issue(gpu, shading, core, t)
    moved |= accept(gpu, shading, core, t)
    if core.warp.count > 0 and front(core.warp).state == DONE and front(core.warp).due > t:
        wake = min(wake, front(core.warp).due)
    return t + 1 if moved else wake


@inline
def retire(gpu: Any, core: Any, t: int) -> bool:
    if core.warp.count == 0 or front(core.warp).state != DONE or front(core.warp).due > t:
        return False
    warp = front(core.warp)
    gpu.vertex_fetcher.window.slot[warp.item].state = SHADED
    warp.state = FREE
    drop(core.warp)
    poke(gpu, gpu.primitive_assembly.id, t)
    return True


@inline
def accept(gpu: Any, shading: Any, core: Any, t: int) -> bool:
    """Take the next vertex whose attributes are here."""
    fetcher = gpu.vertex_fetcher
    if fetcher.ready.count == 0 or full(core.warp):
        return False
    slot = front(fetcher.ready)
    drop(fetcher.ready)
    processor.start(gpu, shading, core, shading.stream[fetcher.window.slot[slot].stream].path, slot, -1, t)
    return True
