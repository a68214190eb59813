"""Vertex Processor: executes the vertex shader, one vertex per warp, and marks the vertex shaded in the
fetcher's window."""

from __future__ import annotations

from typing import Any

from ..engine.account import account
from ..engine.jit import inline, unit
from ..engine.ring import drop, front, full, poke, release
from . import processor
from .processor import DONE, FREE, issue
from .vertex_fetcher import READY, SHADED


@unit
def tick(gpu: Any, shading: Any, p: int, t: int) -> int:
    core = gpu.vertex_processor[p]
    account(core, t)
    moved = retire(gpu, core, t)
    wake = issue(gpu, shading, core, t)
    moved |= accept(gpu, shading, core, t)
    oldest = core.warp.head
    if core.warp.count > 0 and core.state[oldest] == DONE and core.due[oldest] > t:
        wake = min(wake, core.due[oldest])
    return t + 1 if moved else wake


@inline
def retire(gpu: Any, core: Any, t: int) -> bool:
    core.held = 0
    if core.warp.count == 0:
        return False
    oldest = core.warp.head
    warp = front(core.warp)
    if core.state[oldest] != DONE or core.due[oldest] > t or warp.textures > 0:
        return False
    if not has_room(gpu.vertex_fetcher, warp.item):
        core.held = 1
        return False
    gpu.vertex_fetcher.window.slot[warp.item].state = SHADED
    core.state[oldest] = FREE
    drop(core.warp)
    poke(gpu, gpu.primitive_assembly.id, t)
    return True


@inline
def has_room(fetcher: Any, slot: int) -> bool:
    """Whether a vertex is among those the output queue has room for: the next ones in the order of the stream."""
    place = slot - fetcher.window.head
    if place < 0:
        place += fetcher.window.depth
    return bool(place < fetcher.output_depth)


@inline
def accept(gpu: Any, shading: Any, core: Any, t: int) -> bool:
    """Take the next vertex of the stream, once its attributes are here."""
    fetcher = gpu.vertex_fetcher
    if fetcher.input.count == 0 or full(core.warp):
        return False
    slot = front(fetcher.input)
    if fetcher.window.slot[slot].state != READY:
        return False
    release(gpu, fetcher.input, fetcher.id, t)
    if fetcher.input.count > 0:
        for p in range(gpu.vertex_processors):
            poke(gpu, gpu.vertex_processor[p].id, t)
    row = shading.stream[fetcher.window.slot[slot].stream]
    warp = processor.start(gpu, shading, core, row.path, slot, -1, t)
    warp.operation = row.operation
    return True
