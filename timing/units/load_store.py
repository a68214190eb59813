"""Load/store units of a SIMT core: one before each of its data caches, L1T, L1Z, L1D and L1C (Emerald, Table 2).

The threads of a warp access memory together: the lines they touch are looked up one per cycle, each of them once
("coalescing"). Operations are done in order. Loads of depths test their quads when the lines have arrived: no other
warp works at the same place. Shaded vertices are written past the first-level caches to the L2 (Emerald, 3.3.3), where
setup reads it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.reasons import (
    ASKED,
    BLENDING,
    BUFFER_ACCESS,
    EARLY_DEPTH,
    RESULTS,
    TEXTURE_FILTERING,
    TEXTURE_MISSES,
    VERTEX_FETCH,
)
from tilegpu.timing.declare.records import MAX_CLUSTERS, MAX_SIMT_WARPS, Ring, Rows, i8, room
from tilegpu.timing.declare.statistics import Stat, ratio, spent

from ..engine import hooks
from ..engine.account import BUSY, IDLE, WAITING, Accounted, become
from ..engine.calendar import poke
from ..engine.frame import (
    ATOMIC,
    ATTRIBUTE_LOAD,
    COLOR_STORE,
    DEPTH_LOAD,
    DEPTH_STORE,
    GLOBAL_STORE,
    LOCAL_LOAD,
    LOCAL_STORE,
    OUTPUT_STORE,
    TEX,
    Depth,
    Instruction,
    Shading,
    Surfaces,
    Texturing,
)
from ..engine.jit import inline, unit
from ..engine.ring import drop, front, full, grow, last_place, wrap
from ..engine.unit import Unit
from ..engine.wiring import access
from ..memory.request import (
    COLOR,
    COMPUTE,
    DEPTH,
    READ,
    REQUEST_DEPTH,
    TEXTURE,
    VERTEX,
    WRITE,
    Port,
    can_send,
    has_reply,
    next_reply,
    replies_due,
    send,
    take_reply,
)
from . import shader_depth_test
from .simt_core import SimtCoreParameters
from .simt_warps import COMPUTE as COMPUTE_WARP
from .simt_warps import FRAGMENTS, deliver
from .warp_operations import (
    COLORS,
    DEPTHS,
    KINDS,
    MAX_LINES,
    TEXTURES,
    TEXTURES_OF_COMPUTE,
    TEXTURES_READ,
    VERTICES,
    OperationLine,
    WarpOperation,
    find_lines,
    is_global,
    kind_of,
)
from .work_groups import WorkGroupParameters

if TYPE_CHECKING:
    from ..engine.chip import Chip
    from ..engine.cluster_tables import Clusters
    from ..memory.gpu import Gpu
    from .simt_core import SimtCore


LAST_LEVEL = 0
"""Place of the L2 among the caches."""


@access
def core_of(gpu: Gpu, k: int) -> SimtCore:
    """Core of a load/store unit."""
    raise NotImplementedError


@access
def output_address(gpu: Gpu, row: int, slot: int) -> int:
    """Address of a vector of each of the vertices that a warp has shaded."""
    raise NotImplementedError


class LoadStore(Accounted):
    """Registers of the load-store unit. `sent`: operations all of whose lines were asked for; `line_at`: lines of the
    next one, of which the first `asked` were; `item`, `line`: where its further ones begin. `touched`: lines that its
    threads touch, each as often as items do; `samples_at`: when the filters are free again; `global_latency`: from the
    lines of buffers and images to the results; `local_at`: when the next atomic operation on shared memory that lies in
    memory can be done."""

    id: i8
    port: i8
    below: i8
    core: i8
    kind: i8
    latency: i8
    global_latency: i8
    local_at: i8
    texture_threads: i8
    samples_at: i8
    operation: Ring[WarpOperation] = room(MAX_SIMT_WARPS)
    sent: i8
    item: i8
    line: i8
    line_at: Rows[OperationLine] = room(MAX_LINES)
    line_count: i8
    asked: i8
    operations: i8
    lines: i8
    touched: i8
    texture_quads: i8
    texture_passes: i8
    filter_cycles: i8
    reads: i8
    writes: i8
    atomics: i8
    write_bytes: i8


@unit
def tick(
    gpu: Gpu,
    surfaces: Surfaces,
    depth: Depth,
    shading: Shading,
    texturing: Texturing,
    clusters: Clusters,
    n: int,
    t: int,
) -> int:
    unit: LoadStore = gpu.load_store[n]
    port, below = gpu.port[unit.port], gpu.port[unit.below]
    receive(gpu, depth, unit, port, t)
    receive(gpu, depth, unit, below, t)
    moved = finish(gpu, surfaces, depth, shading, unit, t)
    moved |= look_up(gpu, surfaces, depth, texturing, clusters, unit, t)
    if moved:
        become(unit, BUSY, t)
        return t + 1
    become(unit, IDLE if unit.operation.count == 0 else WAITING, t)
    if unit.sent < unit.operation.count:
        return t + 1
    due = min(next_reply(port), next_reply(below))
    if unit.sent > 0 and front(unit.operation).until > t:
        due = min(due, int(front(unit.operation).until))
    return due


@inline
def receive(gpu: Gpu, depth: Depth, unit: LoadStore, port: Port, t: int) -> None:
    """Lines that have arrived."""
    while has_reply(port, t):
        replies = replies_due(port, t)
        operation = unit.operation.slot[front(replies).slot]
        operation.pending -= 1
        if front(replies).missed != 0 and unit.kind == TEXTURES:
            note_miss(gpu, depth, unit, operation)
        take_reply(gpu, port, replies)


@inline
def note_miss(gpu: Gpu, depth: Depth, unit: LoadStore, operation: WarpOperation) -> None:
    """Count a line of texels that was not in the cache, if it is for fragments of a tile."""
    warp = core_of(gpu, unit.core).warp[operation.warp]
    if warp.vertex == FRAGMENTS:
        depth.log[warp.tile].texture_misses += 1


@inline
def has_room(gpu: Gpu, k: int, instruction: Instruction) -> bool:
    """Whether a core's unit takes another operation."""
    return not full(gpu.load_store[KINDS * k + kind_of(instruction)].operation)


@unit
def accept(gpu: Gpu, shading: Shading, clusters: Clusters, k: int, w: int, instruction: Instruction) -> None:
    """An operation of a warp, for the threads that execute it."""
    unit = gpu.load_store[KINDS * k + kind_of(instruction)]
    warp = core_of(gpu, k).warp[w]
    operation = grow(unit.operation)
    operation.warp = w
    operation.access = instruction.access
    if instruction.kind == TEX:
        operation.access = TEXTURES_OF_COMPUTE if warp.vertex == COMPUTE_WARP else TEXTURES_READ
    operation.destination = instruction.destination
    operation.tile = warp.tile
    operation.pending = 0
    operation.until = 0
    operation.items = operation.threads = 0
    for c in range(warp.cursors):
        operation.threads += warp.threads[c] if warp.who >> c & 1 != 0 else 0
    if operation.access == ATTRIBUTE_LOAD:
        operation.row[0] = clusters.vertex_warp[warp.row].first_load + instruction.operand
        operation.items = 1
    elif warp.vertex == COMPUTE_WARP:
        operation.row[0] = clusters.compute_warp[warp.row].first_operation + warp.operation
        operation.items = 1
    elif operation.access == OUTPUT_STORE:
        operation.address = output_address(gpu, warp.row, instruction.operand)
        operation.row[0] = warp.items
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
            elif is_global(operation.access):
                first = clusters.stream_access[row] if warp.vertex != 0 else clusters.quad_access[row]
                row = first + warp.accesses[c]
            operation.row[operation.items] = row
            operation.number[operation.items] = i
            operation.items += 1
    hooks.notes_work(gpu, unit.id, last_place(unit.operation))
    poke(gpu, unit.id)


@unit
def finish(gpu: Gpu, surfaces: Surfaces, depth: Depth, shading: Shading, unit: LoadStore, t: int) -> bool:
    """Operations whose lines have arrived are done, in order."""
    moved = False
    while unit.sent > 0 and front(unit.operation).pending == 0 and front(unit.operation).until <= t:
        operation = front(unit.operation)
        core = core_of(gpu, unit.core)
        hooks.resumes_work(gpu, unit.id, unit.operation.head)
        if operation.access == DEPTH_LOAD:
            hooks.lends(gpu, core.id)
            test(gpu, surfaces, depth, core, operation)
            hooks.returns(gpu, core.id)
        if full(unit.operation):
            poke(gpu, core.id)
        latency = unit.global_latency if is_global(operation.access) else unit.latency
        ready = t if is_store(operation.access) else t + latency
        deliver(gpu, shading, core, operation.warp, operation.destination, operation.access == ATTRIBUTE_LOAD, ready)
        drop(unit.operation)
        unit.sent -= 1
        moved = True
    return moved


@unit
def test(gpu: Gpu, surfaces: Surfaces, depth: Depth, core: SimtCore, operation: WarpOperation) -> None:
    """Test the quads of a load of depths, early or late."""
    row = surfaces.render_pass[operation.tile]
    for i in range(operation.items):
        if shader_depth_test.test(gpu, depth, core, row, int(operation.row[i])) != 0:
            core.warp[operation.warp].wrote |= 1 << operation.number[i]


@unit
def look_up(
    gpu: Gpu, surfaces: Surfaces, depth: Depth, texturing: Texturing, clusters: Clusters, unit: LoadStore, t: int
) -> bool:
    """Ask for the next line of the oldest operation that has some left."""
    if unit.sent == unit.operation.count:
        return False
    slot = wrap(unit.operation, unit.operation.head + unit.sent)
    operation = unit.operation.slot[slot]
    hooks.resumes_work(gpu, unit.id, slot)
    past = operation.access in (OUTPUT_STORE, GLOBAL_STORE, ATOMIC)
    port = gpu.port[unit.below] if past else gpu.port[unit.port]
    if not can_send(port) or port.request.count + 2 > REQUEST_DEPTH:
        return False
    if unit.asked == unit.line_count:
        if unit.item < operation.items:
            unit.asked = unit.line_count = 0
            operation.wrote = core_of(gpu, unit.core).warp[operation.warp].wrote
            find_lines(gpu, surfaces, depth, texturing, clusters, unit, operation)
        if unit.asked == unit.line_count:
            if operation.access == ATOMIC:
                serialize(gpu, clusters, operation, t)
            elif operation.access == LOCAL_LOAD:
                change_local(clusters, unit, operation, t)
            elif unit.kind == TEXTURES and unit.texture_threads > 0:
                sample(texturing, unit, operation, t)
            unit.operations += 1
            unit.sent += 1
            unit.item = unit.line = unit.asked = unit.line_count = 0
            return True
    ask(gpu, surfaces, unit, operation, port, unit.line_at[unit.asked], slot, t)
    unit.asked += 1
    unit.lines += 1
    if unit.kind != TEXTURES:
        count_access(unit, int(operation.access))
    return True


@inline
def count_access(unit: LoadStore, access: int) -> None:
    """Count a line by the kind of access to it."""
    if access == ATOMIC:
        unit.atomics += 1
    elif is_store(access):
        unit.writes += 1
    else:
        unit.reads += 1


@inline
def serialize(gpu: Gpu, clusters: Clusters, operation: WarpOperation, t: int) -> None:
    """Let the L2 do the atomic operations of a warp after those that came before, of whatever core; banks of it have
    begun with the lines as these came."""
    launcher = gpu.compute_launcher
    cycles = 0
    for i in range(operation.items):
        cycles += clusters.memory_operation[operation.row[i]].cycles
    hooks.lends(gpu, launcher.id)
    launcher.atomic_operations += cycles
    hooks.returns(gpu, launcher.id)
    if launcher.by_bank == 0:
        launcher.atomics_at[0] = max(launcher.atomics_at[0], t) + (cycles + launcher.atomics - 1) // launcher.atomics
        operation.until = launcher.atomics_at[0]


@inline
def change_line(gpu: Gpu, operation: WarpOperation, line: OperationLine, t: int) -> None:
    """Let a bank of the L2 change the words of a line after those that came before."""
    launcher = gpu.compute_launcher
    bank = (line.address >> gpu.line_shift) & gpu.cache[LAST_LEVEL].bank_mask
    cycles = (line.cycles + launcher.atomics - 1) // launcher.atomics
    launcher.atomics_at[bank] = max(launcher.atomics_at[bank], t) + cycles
    operation.until = max(operation.until, launcher.atomics_at[bank])


@inline
def change_local(clusters: Clusters, unit: LoadStore, operation: WarpOperation, t: int) -> None:
    """Atomic operations on shared memory that lies in memory, a lane after the other; plain loads have none."""
    cycles = clusters.memory_operation[operation.row[0]].cycles
    if cycles > 0:
        unit.local_at = max(unit.local_at, t) + cycles
        operation.until = unit.local_at


@inline
def sample(texturing: Texturing, unit: LoadStore, operation: WarpOperation, t: int) -> None:
    """Let the texture unit filter for a warp after those that came before, a bilinear probe at a time."""
    probes = 1
    quads = (operation.threads + 3) // 4
    passes = 0
    if operation.access == TEXTURES_READ:
        for i in range(operation.items):
            own = int(texturing.operation[operation.row[i]].probes)
            probes = max(probes, own)
            passes += own
    if operation.items != quads:
        # Items are vertices, or threads of a dispatch, which are filtered four at a time.
        passes = probes * quads
    cycles = probes * ((operation.threads + unit.texture_threads - 1) // unit.texture_threads)
    unit.texture_quads += quads
    unit.texture_passes += passes
    unit.filter_cycles += cycles
    unit.samples_at = max(unit.samples_at, t) + cycles
    operation.until = unit.samples_at


@unit
def ask(
    gpu: Gpu,
    surfaces: Surfaces,
    unit: LoadStore,
    operation: WarpOperation,
    port: Port,
    line: OperationLine,
    slot: int,
    t: int,
) -> None:
    """Send a request for a line; the first access to a line of pixels that was cleared writes all of it instead."""
    source = TEXTURE
    if unit.kind != TEXTURES:
        source = DEPTH if unit.kind == DEPTHS else (COLOR if unit.kind == COLORS else VERTEX)
    if is_global(operation.access):
        source = COMPUTE
    fresh = line.target >= 0 and surfaces.touched[line.target] == 0
    if fresh:
        surfaces.touched[line.target] = 1
        send(gpu, port, t, line.address, gpu.line_bytes, WRITE, source, operation.tile)
    if is_store(operation.access):
        if not fresh:
            size = min(line.bytes, gpu.line_bytes)
            send(gpu, port, t, line.address, size, WRITE, source, operation.tile)
            unit.write_bytes += size
        return
    if operation.access == ATOMIC:
        send(gpu, port, t, line.address, min(line.bytes, gpu.line_bytes), WRITE, source, operation.tile)
    sent = send(gpu, port, t, line.address, gpu.line_bytes, READ, source, operation.tile)
    sent.slot = slot
    operation.pending += 1
    if operation.access == ATOMIC and gpu.compute_launcher.by_bank != 0:
        change_line(gpu, operation, line, t)


@inline
def is_store(access: int) -> bool:
    """Whether nothing comes back from an access."""
    return access in (DEPTH_STORE, COLOR_STORE, OUTPUT_STORE, GLOBAL_STORE, LOCAL_STORE)


def setup(chip: Chip, unit: LoadStore, place: tuple[int, ...]) -> None:
    """Sizes from the configuration; each core has one of each kind."""
    spec = chip.configuration.of(SimtCoreParameters)
    unit.core, unit.kind = divmod(place[0], KINDS)
    if unit.kind not in (VERTICES, COLORS):
        unit.below = unit.port
    unit.operation.depth, unit.latency, unit.texture_threads = spec.operations, spec.load_latency, spec.texture_threads
    unit.global_latency = chip.configuration.of(WorkGroupParameters).global_latency
    unit.cause = IDLE


NAME = "simt.load_store"


@inline
def reason_of(unit: LoadStore) -> int:
    """Reason for which the oldest operation of a unit takes its time."""
    operation = front(unit.operation)
    if unit.kind == TEXTURES:
        return TEXTURE_MISSES if unit.cause == WAITING and operation.pending > 0 else TEXTURE_FILTERING
    if unit.kind == DEPTHS:
        return EARLY_DEPTH
    if unit.kind == COLORS and not is_global(operation.access):
        return BLENDING
    return VERTEX_FETCH if operation.access == ATTRIBUTE_LOAD else BUFFER_ACCESS


@unit
def of_core(gpu: Gpu, k: int) -> int:
    """Reason for which a core waits for operations: of the first of its units that has any."""
    for number in range(KINDS):
        unit = gpu.load_store[KINDS * k + number]
        if unit.operation.count > 0:
            return reason_of(unit)
    return RESULTS


@unit
def works_at(gpu: Gpu, n: int) -> int:
    """Reason for which a unit is at work."""
    return reason_of(gpu.load_store[n])


UNIT = Unit(
    "load_store",
    __name__,
    LoadStore,
    tick,
    tables=("surfaces", "depth", "shading", "texturing", "machine"),
    most=KINDS * MAX_CLUSTERS,
    count=lambda c: KINDS * int(c.of(SimtCoreParameters).clusters),
    setup=setup,
    label=lambda unit: ("load_store_l1t", "load_store_l1z", "load_store_l1d", "load_store_l1c")[int(unit.kind)],
    reasons={"busy": ASKED, "waiting": ASKED},
    asks=works_at,
    marks=("lines", "operations", "sent"),
    stands=lambda unit: f"{int(unit.operation.count)} of {int(unit.operation.depth)} operations",
    statistics=(
        Stat(f"{NAME}.operations", "operations", "memory operations of warps", "operations"),
        Stat(f"{NAME}.touched_lines", "lines", "lines that quads and attributes touch, summed over these", "touched"),
        Stat(f"{NAME}.reads", "requests", "lines asked for by loads, but for textures", "reads"),
        Stat(f"{NAME}.writes", "requests", "lines asked for by stores", "writes"),
        Stat(f"{NAME}.write_bytes", "bytes", "bytes that stores write", "write_bytes"),
        Stat(f"{NAME}.atomics", "requests", "lines asked for by atomic operations", "atomics"),
        Stat(f"{NAME}.texture_quads", "quads", "quads of texture operations that are filtered", "texture_quads"),
        Stat(f"{NAME}.texture_passes", "quads", "bilinear probes of these, summed", "texture_passes"),
        Stat(f"{NAME}.filter_cycles", "cycles", "cycles in which texture units filtered, summed", "filter_cycles"),
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
