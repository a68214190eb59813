"""Load/store units of a SIMT core: one before each of its data caches, L1T, L1Z, L1D and L1C (Emerald, Table 2).

The threads of a warp access memory together: the lines they touch are looked up one per cycle, each of them once
("coalescing"). Operations are done in order. Loads of depths test their quads when the lines are here: no other warp
works at the same place. What vertices become is written past the first-level caches to the L2 (Emerald, 3.3.3), where
setup reads it.
"""

from __future__ import annotations

from typing import Any

from tilegpu.timing.results.declare import Stat, ratio, spent

from ..engine.account import ACCOUNT, BUSY, IDLE, WAITING, become
from ..engine.calendar import poke
from ..engine.frame import ATTRIBUTE_LOAD, COLOR_LOAD, COLOR_STORE, DEPTH_LOAD, DEPTH_STORE, OUTPUT_STORE, TEX
from ..engine.jit import inline, unit
from ..engine.records import MAX_CLUSTERS, MAX_SIMT_THREADS, record, ring
from ..engine.ring import drop, front, full, grow, wrap
from ..engine.unit import Unit
from ..engine.wiring import access
from ..memory.address_map import VERTEX_OUTPUT_REGION
from ..memory.request import (
    COLOR,
    DEPTH,
    READ,
    REQUEST_DEPTH,
    TEXTURE,
    VERTEX,
    WRITE,
    can_send,
    has_reply,
    next_reply,
    replies_due,
    send,
    take_reply,
)
from . import frame_buffer
from .blending import count_late
from .simt_warps import deliver

core_of = access("k")

TEXTURES, DEPTHS, COLORS, VERTICES = range(4)
"""Units of a core, by what they access."""
KINDS = 4
MAX_SEEN = 256
"""Lines of an operation that are told apart; what touches more asks for some of them twice."""
OUTPUT_BYTES = 16 * MAX_SIMT_THREADS
"""A vector of each vertex of a warp: they stand side by side."""

OPERATION = record(
    warp="i4",
    access="i4",
    destination="i4",
    tile="i4",
    items="i4",
    row=("i4", (MAX_SIMT_THREADS,)),
    number=("i4", (MAX_SIMT_THREADS,)),
    address="i8",
    pending="i4",
)
"""Operation of a warp. `access`: one of `ACCESSES`, or TEXTURES_READ; `row`: of the texture operations, the quads or
the load of attributes; `number`: of a quad in its warp; `address`: of what is stored."""
TEXTURES_READ = -1

LOAD_STORE = record(
    id="i8",
    port="i8",
    below="i8",
    core="i8",
    kind="i8",
    latency="i8",
    operation=ring(OPERATION, 16),
    sent="i8",
    item="i8",
    line="i8",
    seen=("i8", (MAX_SEEN,)),
    seen_lines="i8",
    operations="i8",
    lines="i8",
    touched="i8",
    **ACCOUNT,
)
"""`sent`: operations all of whose lines were asked for; `item`, `line`: where the next one stands; `seen`: its lines so
far. `touched`: lines that its threads touch, each as often as items do."""


@unit
def tick(gpu: Any, surfaces: Any, depth: Any, shading: Any, texturing: Any, clusters: Any, n: int, t: int) -> int:
    unit = gpu.load_store[n]
    port, below = gpu.port[unit.port], gpu.port[unit.below]
    receive(unit, port, t)
    receive(unit, below, t)
    moved = finish(gpu, surfaces, depth, shading, unit, t)
    moved |= look_up(gpu, surfaces, depth, texturing, clusters, unit, t)
    if moved:
        become(unit, BUSY, t)
        return t + 1
    become(unit, IDLE if unit.operation.count == 0 else WAITING, t)
    if unit.sent < unit.operation.count:
        return t + 1
    return min(next_reply(port), next_reply(below))


@inline
def receive(unit: Any, port: Any, t: int) -> None:
    """Lines that have arrived."""
    while has_reply(port, t):
        replies = replies_due(port, t)
        unit.operation.slot[front(replies).slot].pending -= 1
        take_reply(port, replies)


@inline
def kind_of(instruction: Any) -> int:
    """Which of a core's units an instruction goes to."""
    if instruction.kind == TEX:
        return TEXTURES
    if instruction.access == DEPTH_LOAD or instruction.access == DEPTH_STORE:
        return DEPTHS
    if instruction.access == COLOR_LOAD or instruction.access == COLOR_STORE:
        return COLORS
    return VERTICES


@inline
def has_room(gpu: Any, k: int, instruction: Any) -> bool:
    """Whether a core's unit takes another operation."""
    return not full(gpu.load_store[KINDS * k + kind_of(instruction)].operation)


@unit
def accept(gpu: Any, shading: Any, clusters: Any, k: int, w: int, instruction: Any) -> None:
    """An operation of a warp, for the threads that execute it."""
    unit = gpu.load_store[KINDS * k + kind_of(instruction)]
    warp = core_of(gpu, k).warp[w]
    operation = grow(unit.operation)
    operation.warp = w
    operation.access = TEXTURES_READ if instruction.kind == TEX else instruction.access
    operation.destination = instruction.destination
    operation.tile = warp.tile
    operation.pending = 0
    operation.items = 0
    if operation.access == ATTRIBUTE_LOAD:
        operation.row[0] = clusters.vertex_warp[warp.row].first_load + instruction.operand
        operation.items = 1
    elif operation.access == OUTPUT_STORE:
        operation.address = output_address(gpu, warp.row, instruction.operand)
        operation.items = 1
    else:
        for i in range(warp.items):
            c = warp.cursor[i]
            if warp.who >> c & 1 == 0:
                continue
            row = warp.item[i]
            if operation.access == TEXTURES_READ:
                first = shading.stream[row].operation if warp.vertex != 0 else shading.quad[row].operation
                row = first + warp.textures[c]
            operation.row[operation.items] = row
            operation.number[operation.items] = i
            operation.items += 1
    unit.operations += 1
    poke(gpu, unit.id)


@inline
def output_address(gpu: Any, row: int, slot: int) -> int:
    """Where the vectors of a warp's vertices lie: in a buffer that has room for all warps under way."""
    return int(VERTEX_OUTPUT_REGION + ((row % gpu.vertex_launcher.masks) * MAX_SIMT_THREADS + slot) * OUTPUT_BYTES)


@unit
def finish(gpu: Any, surfaces: Any, depth: Any, shading: Any, unit: Any, t: int) -> bool:
    """Operations whose lines are here are done, in order."""
    moved = False
    while unit.sent > 0 and front(unit.operation).pending == 0:
        operation = front(unit.operation)
        core = core_of(gpu, unit.core)
        if operation.access == DEPTH_LOAD:
            test(gpu, surfaces, depth, core, operation)
        stores = operation.access in (DEPTH_STORE, COLOR_STORE, OUTPUT_STORE)
        if full(unit.operation):
            poke(gpu, core.id)
        ready = t if stores else t + unit.latency
        deliver(gpu, shading, core, operation.warp, operation.destination, operation.access == ATTRIBUTE_LOAD, ready)
        drop(unit.operation)
        unit.sent -= 1
        moved = True
    return moved


@unit
def test(gpu: Any, surfaces: Any, depth: Any, core: Any, operation: Any) -> None:
    """Test the quads of a load of depths, early or late."""
    row = surfaces.render_pass[operation.tile]
    for i in range(operation.items):
        quad = depth.quad[operation.row[i]]
        late = depth.state[depth.primitive[quad.primitive].state].late
        kept = int(quad.coverage & ~quad.discarded) if late != 0 else int(quad.coverage)
        passed, wrote = frame_buffer.test(gpu, depth, core.buffer, row, int(operation.row[i]), kept)
        quad.passed = passed
        if wrote != 0:
            core.warp[operation.warp].wrote |= 1 << operation.number[i]
        if late != 0:
            count_late(core, quad, kept, passed)
        else:
            core.killed_quads += passed == 0
            core.mismatched_quads += passed != quad.depth_pass


@unit
def look_up(gpu: Any, surfaces: Any, depth: Any, texturing: Any, clusters: Any, unit: Any, t: int) -> bool:
    """Ask for the next line of the oldest operation that has some left."""
    if unit.sent == unit.operation.count:
        return False
    slot = wrap(unit.operation, unit.operation.head + unit.sent)
    operation = unit.operation.slot[slot]
    stores = operation.access == OUTPUT_STORE
    port = gpu.port[unit.below] if stores else gpu.port[unit.port]
    if not can_send(port) or port.request.count + 2 > REQUEST_DEPTH:
        return False
    while unit.item < operation.items:
        address, target = next_line(gpu, surfaces, depth, texturing, clusters, unit, operation)
        if address < 0:
            unit.item += 1
            unit.line = 0
            continue
        unit.line += 1
        unit.touched += 1
        if first_time(unit, address):
            ask(gpu, surfaces, unit, operation, port, address, target, slot, t)
            unit.lines += 1
            return True
    unit.sent += 1
    unit.item = unit.line = unit.seen_lines = 0
    return True


@inline
def first_time(unit: Any, address: int) -> bool:
    """Whether no thread of the operation has touched the line yet, as far as is known."""
    for i in range(unit.seen_lines):
        if unit.seen[i] == address:
            return False
    if unit.seen_lines < MAX_SEEN:
        unit.seen[unit.seen_lines] = address
        unit.seen_lines += 1
    return True


@unit
def next_line(
    gpu: Any, surfaces: Any, depth: Any, texturing: Any, clusters: Any, unit: Any, operation: Any
) -> tuple[int, int]:
    """Address of a line of the item at work, or -1 where it has no more; row of `touched` for pixels, else -1."""
    row = operation.row[unit.item]
    if operation.access == TEXTURES_READ:
        found = texturing.operation[row]
        if unit.line >= found.lines:
            return -1, -1
        return int(texturing.line[found.first_line + unit.line]), -1
    if operation.access == ATTRIBUTE_LOAD:
        load = clusters.load[row]
        if unit.line >= load.lines:
            return -1, -1
        return int(clusters.line[load.first_line + unit.line]), -1
    if operation.access == OUTPUT_STORE:
        if unit.line >= OUTPUT_BYTES >> gpu.line_shift:
            return -1, -1
        return int(operation.address + (unit.line << gpu.line_shift)), -1
    return pixel_line(gpu, surfaces, depth, unit, operation)


@unit
def pixel_line(gpu: Any, surfaces: Any, depth: Any, unit: Any, operation: Any) -> tuple[int, int]:
    """The same for the pixels of a quad, in all attachments of the kind."""
    quad = depth.quad[operation.row[unit.item]]
    if not accesses(gpu, unit, operation, quad):
        return -1, -1
    source = DEPTH if unit.kind == DEPTHS else COLOR
    row = surfaces.render_pass[operation.tile]
    left = unit.line
    for i in range(row.first_target, row.last_target):
        target = surfaces.target[i]
        if target.source != source:
            continue
        lines = frame_buffer.lines_of_quad(target)
        if left >= lines:
            left -= lines
            continue
        across = 1 if target.across_bits > 0 else 2
        # Pixels beyond the edge of the pass share the lines of those inside.
        x = min(quad.x * 2 + left % across, row.width - 1)
        y = min(quad.y * 2 + left // across, row.height - 1)
        line = frame_buffer.line_of_pixel(target, x, y)
        return int(target.address + line * gpu.line_bytes), int(target.first_line + line)
    return -1, -1


@inline
def accesses(gpu: Any, unit: Any, operation: Any, quad: Any) -> bool:
    """Whether a quad has samples to load or to store."""
    if operation.access == DEPTH_LOAD:
        return True
    if operation.access == DEPTH_STORE:
        wrote = core_of(gpu, unit.core).warp[operation.warp].wrote
        return bool(wrote >> operation.number[unit.item] & 1 != 0)
    return bool(quad.passed != 0)


@unit
def ask(
    gpu: Any, surfaces: Any, unit: Any, operation: Any, port: Any, address: int, target: int, slot: int, t: int
) -> None:
    """Send a request for a line; the first access to a line of pixels that was cleared writes all of it instead."""
    source = TEXTURE
    if unit.kind != TEXTURES:
        source = DEPTH if unit.kind == DEPTHS else (COLOR if unit.kind == COLORS else VERTEX)
    stores = operation.access in (DEPTH_STORE, COLOR_STORE, OUTPUT_STORE)
    fresh = target >= 0 and surfaces.touched[target] == 0
    if fresh:
        surfaces.touched[target] = 1
        send(gpu, port, t, address, gpu.line_bytes, WRITE, source, operation.tile, 0, -1)
    if stores:
        if not fresh:
            send(gpu, port, t, address, gpu.line_bytes, WRITE, source, operation.tile, 0, -1)
        return
    send(gpu, port, t, address, gpu.line_bytes, READ, source, operation.tile, 0, slot)
    operation.pending += 1


def setup(chip: Any, unit: Any, place: tuple[int, ...]) -> None:
    """Sizes from the configuration; each core has one of each kind."""
    spec = chip.configuration.simt_core
    unit.core, unit.kind = divmod(place[0], KINDS)
    if unit.kind != VERTICES:
        unit.below = unit.port
    unit.operation.depth, unit.latency = spec.operations, spec.load_latency
    unit.cause = IDLE


NAME = "simt.load_store"

UNIT = Unit(
    "load_store",
    __name__,
    LOAD_STORE,
    tick,
    tables=("surfaces", "depth", "shading", "texturing", "machine"),
    most=KINDS * MAX_CLUSTERS,
    count=lambda c: KINDS * int(c.simt_core.clusters),
    setup=setup,
    label=lambda unit: ("load_store_l1t", "load_store_l1z", "load_store_l1d", "load_store_l1c")[int(unit.kind)],
    marks=("lines", "operations", "sent"),
    stands=lambda unit: f"{int(unit.operation.count)} of {int(unit.operation.depth)} operations",
    statistics=(
        Stat(f"{NAME}.operations", "operations", "memory operations of warps", "operations"),
        Stat(f"{NAME}.touched_lines", "lines", "lines that quads and attributes touch, summed over these", "touched"),
        Stat(f"{NAME}.lines", "requests", "lines asked for, each once for an operation", "lines"),
        ratio(
            f"{NAME}.lines_per_operation",
            "lines/operation",
            "lines asked for per memory operation of a warp",
            f"{NAME}.lines",
            f"{NAME}.operations",
        ),
        *spent(NAME, "a load/store unit"),
    ),
)
