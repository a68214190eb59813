"""Vertex Processor: executes the vertex shader, one vertex per warp, and marks the vertex shaded in the
fetcher's window."""

from __future__ import annotations

from typing import Any

from ..engine.calendar import poke
from ..engine.jit import inline, unit
from ..engine.ring import front, full, release
from . import processor
from .processor import finished, issue, leave, next_leave
from .vertex_fetcher import READY, SHADED


@unit
def tick(gpu: Any, shading: Any, p: int, t: int) -> int:
    core = gpu.vertex_processor[p]
    moved = retire(gpu, core, t)
    wake = issue(gpu, shading, core, t)
    moved |= accept(gpu, shading, core, t)
    return t + 1 if moved else int(min(wake, next_leave(core, t)))


@inline
def retire(gpu: Any, core: Any, t: int) -> bool:
    core.held = 0
    if not finished(core, t):
        return False
    warp = front(core.warp)
    if warp.textures > 0:
        return False
    if not has_room(gpu.vertex_fetcher, warp.item):
        core.held = 1
        return False
    gpu.vertex_fetcher.window.slot[warp.item].state = SHADED
    leave(core)
    poke(gpu, gpu.primitive_assembly.id)
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
    release(gpu, fetcher.input, fetcher.id)
    if fetcher.input.count > 0:
        for p in range(gpu.vertex_processors):
            poke(gpu, gpu.vertex_processor[p].id)
    row = shading.stream[fetcher.window.slot[slot].stream]
    warp = processor.start(gpu, shading, core, row.path, slot, -1, t)
    warp.operation = row.operation
    return True
