"""Texture unit of a Fragment or Vertex Processor: looks up one line of the texture cache per cycle, filters one
bilinear quad per cycle.

Operations are filtered in the order they were issued, while the addresses of later ones run ahead: the
latency of misses hides
behind the operations in flight.
"""

from __future__ import annotations

from typing import Any

from ..engine.account import ACCOUNT, BUSY, IDLE, WAITING, become
from ..engine.calendar import poke, poke_at
from ..engine.jit import inline, unit
from ..engine.records import record, ring
from ..engine.ring import drop, front, full, wrap
from ..memory.request import READ, TEXTURE, can_send, has_reply, next_reply, replies_due, send, take_reply

OPERATION = record(warp="i4", destination="i4", row="i4", pending="i4")
TEXTURE_UNIT = record(
    id="i8",
    port="i8",
    raster_unit="i8",
    processor="i8",
    vertex="i8",
    operation=ring(OPERATION, 64),
    sent="i8",
    cursor="i8",
    filter_free="i8",
    latency="i8",
    probe_cycles="i8",
    operations="i8",
    probes="i8",
    lines="i8",
    **ACCOUNT,
)


@unit
def tick(gpu: Any, texturing: Any, k: int, t: int) -> int:
    unit = gpu.texture_unit[k]
    port = gpu.port[unit.port]
    while has_reply(port, t):
        replies = replies_due(port, t)
        unit.operation.slot[front(replies).slot].pending -= 1
        take_reply(port, replies)
    filter_front(gpu, texturing, unit, t)
    looked_up = look_up(gpu, texturing, unit, port, t)
    # What it does from here on, or from the next cycle on, until somebody calls.
    rests_at = t
    if looked_up:
        become(unit, BUSY, t)
        if unit.sent < unit.operation.count:
            return t + 1
        rests_at = t + 1
    wake = next_reply(port)
    if unit.filter_free > rests_at:
        become(unit, BUSY, rests_at)
        wake = min(wake, unit.filter_free)
    else:
        become(unit, IDLE if unit.operation.count == 0 else WAITING, rests_at)
        if unit.sent > 0 and front(unit.operation).pending == 0:
            return t + 1
    return max(wake, t + 1)


@inline
def look_up(gpu: Any, texturing: Any, unit: Any, port: Any, t: int) -> bool:
    """Send the next line address of the oldest operation that has some left."""
    if unit.sent == unit.operation.count:
        return False
    slot = wrap(unit.operation, unit.operation.head + unit.sent)
    operation = unit.operation.slot[slot]
    row = texturing.operation[operation.row]
    if unit.cursor < row.lines:
        if not can_send(port):
            return False
        address = texturing.line[row.first_line + unit.cursor]
        send(gpu, port, t, address, gpu.line_bytes, READ, TEXTURE, -1, 0, slot)
        operation.pending += 1
        unit.cursor += 1
        unit.lines += 1
    if unit.cursor >= row.lines:
        unit.cursor = 0
        unit.sent += 1
    return True


@inline
def filter_front(gpu: Any, texturing: Any, unit: Any, t: int) -> None:
    """Filter the oldest operation once its texels are here; its warp may use the result `latency` cycles
    after the last probe."""
    if unit.filter_free > t or unit.sent == 0 or front(unit.operation).pending > 0:
        return
    operation = front(unit.operation)
    core = gpu.vertex_processor[unit.processor]
    if unit.vertex == 0:
        core = gpu.raster_unit[unit.raster_unit].processor[unit.processor]
    probes = texturing.operation[operation.row].probes
    unit.filter_free = t + max(1, probes) * unit.probe_cycles
    unit.operations += 1
    unit.probes += probes
    warp = core.warp.slot[operation.warp]
    ready = unit.filter_free + unit.latency
    if operation.destination > 0:
        warp.ready[operation.destination] = ready
    warp.textures -= 1
    bit = 1 << operation.warp
    if core.waiting & bit != 0:
        core.waiting &= ~bit
        core.running |= bit
        core.fed |= bit
        core.due[operation.warp] = ready
    # Now, for a warp that waits for room in here or to be retired; else for the one that waits for the result.
    if full(unit.operation) or core.done & bit != 0:
        poke(gpu, core.id)
    else:
        poke_at(gpu, core.id, ready)
    drop(unit.operation)
    unit.sent -= 1
