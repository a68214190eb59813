"""Operations of warps on memory: which load/store unit executes them, and the lines that their threads touch, each of
them once ("coalescing").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import MAX_SIMT_THREADS, MAX_WORK_GROUPS, Record, Rows, i4, i8, room

from ..engine.frame import (
    ATOMIC,
    ATTRIBUTE_LOAD,
    COLOR_LOAD,
    COLOR_STORE,
    DEPTH_LOAD,
    DEPTH_STORE,
    GLOBAL_LOAD,
    GLOBAL_STORE,
    LOCAL_LOAD,
    LOCAL_STORE,
    OUTPUT_STORE,
    TEX,
    Depth,
    Instruction,
    Quad,
    Surfaces,
    Target,
    Texturing,
)
from ..engine.jit import count_bits, inline, unit
from ..memory.address_map import LOCAL_BYTES, LOCAL_REGION, VERTEX_OUTPUT_REGION
from ..memory.request import COLOR, DEPTH
from . import frame_buffer

if TYPE_CHECKING:
    from ..engine.cluster_tables import Clusters
    from ..memory.gpu import Gpu
    from .depth_unit import DepthUnit
    from .load_store import LoadStore


TEXTURES, DEPTHS, COLORS, VERTICES = range(4)
"""Units of a core, by what they access."""
KINDS = 4
WHOLE_QUAD, COLUMN, ROW = 0xFFFF, 0x5555, 0x3333
"""Samples of a quad, a bit each, as in `coverage`: all; those of its left pixels; of its lower ones."""
MAX_LINES = 256
"""Lines of an operation that are distinguished at a time; what touches more may ask for some of them again."""
VECTOR_BYTES = 16
LEAST_LOCAL_BYTES = 128
SECTOR_BYTES = 32
"""Memory that accesses of a warp to buffers and images are put together by (GPGPU-Sim's coalescing)."""


class WarpOperation(Record):
    """Operation of a warp. `access`: one of `ACCESSES`, or a texture operation; `row`: of the texture operations, the
    accesses, the quads or the load of attributes, or how many vertices are stored; `number`: of a quad in its warp;
    `threads`: that execute it; `wrote`: quads of the warp, a bit each, whose test has changed a value; `address`: of
    what is stored; `until`: when the L2 is through with an atomic operation, or the filters with a texture
    operation."""

    warp: i4
    access: i4
    destination: i4
    tile: i4
    items: i4
    threads: i4
    wrote: i8
    row: Rows[i4] = room(MAX_SIMT_THREADS)
    number: Rows[i4] = room(MAX_SIMT_THREADS)
    address: i8
    until: i8
    pending: i4


TEXTURES_READ, TEXTURES_OF_COMPUTE = -1, -2
"""Texture operations of quads and vertices, and of dispatched warps."""
NO_LINE = (-1, -1, 0)


class OperationLine(Record):
    """Line that an operation touches: its row of `touched` for pixels, else -1; bytes that a store changes; of buffers
    and images, sectors that are accessed, a bit each, and cycles that atomic operations on it take."""

    address: i8
    target: i4
    bytes: i4
    sectors: i4
    cycles: i4


@inline
def kind_of(instruction: Instruction) -> int:
    """Unit of a core that an instruction goes to."""
    if instruction.kind == TEX:
        return TEXTURES
    if instruction.access == DEPTH_LOAD or instruction.access == DEPTH_STORE:
        return DEPTHS
    if instruction.access == COLOR_LOAD or instruction.access == COLOR_STORE or is_global(instruction.access):
        return COLORS
    return VERTICES


@inline
def is_global(access: int) -> bool:
    """Whether an access is one to buffers and images, or to shared memory that lies in memory."""
    return access in (GLOBAL_LOAD, GLOBAL_STORE, ATOMIC) or is_local(access)


@inline
def is_local(access: int) -> bool:
    """Whether an access is one to shared memory that lies in memory."""
    return access in (LOCAL_LOAD, LOCAL_STORE)


@inline
def local_address(gpu: Gpu, unit: LoadStore, operation: WarpOperation) -> int:
    """Beginning of the shared memory of a warp's group: pieces of a core lie side by side, each a power of two of bytes
    (Mesa's panfrost, `pan_wls_adjust_size`)."""
    core = gpu.simt_core[unit.core]
    g = core.warp[operation.warp].group
    size = LEAST_LOCAL_BYTES
    while size < core.group[g].shared_bytes:
        size *= 2
    return int(LOCAL_REGION + (unit.core * MAX_WORK_GROUPS) * LOCAL_BYTES + g * size)


@inline
def output_address(gpu: Gpu, row: int, slot: int) -> int:
    """Address of a vector of each of a warp's vertices: in a buffer that has room for all warps under way.

    The same vector of all warps lies side by side: warp by warp, the first vectors of all of them would share a few
    sets of the L2.
    """
    places = gpu.vertex_launcher.output_places
    return int(VERTEX_OUTPUT_REGION + (slot * places + row % places) * gpu.vertex_launcher.output_bytes)


@unit
def find_lines(
    gpu: Gpu,
    surfaces: Surfaces,
    depth: Depth,
    texturing: Texturing,
    clusters: Clusters,
    unit: LoadStore,
    operation: WarpOperation,
) -> None:
    """Lines that the threads of an operation touch, as far as there is room to distinguish them."""
    while unit.item < operation.items and unit.line_count < MAX_LINES:
        address, target, stored = next_line(gpu, surfaces, depth, texturing, clusters, unit, operation)
        if address < 0:
            unit.item += 1
            unit.line = 0
            continue
        unit.line += 1
        unit.touched += 1
        if is_global(operation.access):
            if is_local(operation.access):
                address += local_address(gpu, unit, operation)
            merge_sectors(unit, address, stored, lanes_of(clusters, unit, operation))
        else:
            merge(unit, address, target, stored)


@inline
def lanes_of(clusters: Clusters, unit: LoadStore, operation: WarpOperation) -> int:
    """Lanes that change the same word of the line before the next one of the item at work."""
    wanted = clusters.memory_operation[operation.row[unit.item]]
    return int(clusters.memory_line[wanted.first_line + unit.line - 1].lanes)


@inline
def merge(unit: DepthUnit | LoadStore, address: int, target: int, stored: int) -> None:
    """Threads that touch the same line access it together."""
    for i in range(unit.line_count):
        if unit.line_at[i].address == address:
            unit.line_at[i].bytes += stored
            return
    line = unit.line_at[unit.line_count]
    line.address, line.target, line.bytes = address, target, stored
    unit.line_count += 1


@inline
def merge_sectors(unit: LoadStore, address: int, sectors: int, lanes: int) -> None:
    """Threads that touch the same sectors of a line access them together, but change words one after the other."""
    i = 0
    while i < unit.line_count and unit.line_at[i].address != address:
        i += 1
    line = unit.line_at[i]
    if i == unit.line_count:
        line.address, line.target, line.sectors, line.cycles = address, -1, 0, 0
        unit.line_count += 1
    line.sectors |= sectors
    line.cycles += lanes
    line.bytes = SECTOR_BYTES * count_bits(line.sectors)


@unit
def next_line(
    gpu: Gpu,
    surfaces: Surfaces,
    depth: Depth,
    texturing: Texturing,
    clusters: Clusters,
    unit: LoadStore,
    operation: WarpOperation,
) -> tuple[int, int, int]:
    """A line of the item at work: its address, or -1 where it has no more; for pixels the row of `touched`, else -1;
    bytes that a store changes; of buffers and images, sectors that are accessed, a bit each."""
    row = operation.row[unit.item]
    if operation.access == TEXTURES_READ:
        operation_row = texturing.operation[row]
        if unit.line >= operation_row.lines:
            return NO_LINE
        return int(texturing.line[operation_row.first_line + unit.line]), -1, 0
    if operation.access == ATTRIBUTE_LOAD:
        load = clusters.load[row]
        if unit.line >= load.lines:
            return NO_LINE
        return int(clusters.line[load.first_line + unit.line]), -1, 0
    if is_global(operation.access) or operation.access == TEXTURES_OF_COMPUTE:
        wanted = clusters.memory_operation[row]
        if unit.line >= wanted.lines:
            return NO_LINE
        piece = clusters.memory_line[wanted.first_line + unit.line]
        return int(piece.address), -1, int(piece.sectors)
    if operation.access == OUTPUT_STORE:
        remaining_bytes = VECTOR_BYTES * row - (unit.line << gpu.line_shift)
        if remaining_bytes <= 0:
            return NO_LINE
        return int(operation.address + (unit.line << gpu.line_shift)), -1, int(min(remaining_bytes, gpu.line_bytes))
    return pixel_line(gpu, surfaces, depth, clusters, unit, operation)


@unit
def pixel_line(
    gpu: Gpu, surfaces: Surfaces, depth: Depth, clusters: Clusters, unit: LoadStore, operation: WarpOperation
) -> tuple[int, int, int]:
    """The same for the pixels of a quad, in all attachments of the kind."""
    quad = depth.quad[operation.row[unit.item]]
    if not accesses(clusters, unit, operation, quad):
        return NO_LINE
    source = DEPTH if unit.kind == DEPTHS else COLOR
    row = surfaces.render_pass[operation.tile]
    line = unit.line
    for i in range(row.first_target, row.last_target):
        target = surfaces.target[i]
        if target.source != source:
            continue
        lines = frame_buffer.lines_of_quad(target)
        if line >= lines:
            line -= lines
            continue
        across = 1 if target.across_bits > 0 else 2
        dx, dy = line % across, line // across
        # Pixels beyond the edge of the pass share the lines of those inside.
        x, y = min(quad.x * 2 + dx, row.width - 1), min(quad.y * 2 + dy, row.height - 1)
        place = frame_buffer.line_of_pixel(target, x, y)
        stored = samples_in(target, quad, dx, dy) * target.pixel_bytes // row.samples
        return int(target.address + place * gpu.line_bytes), int(target.first_line + place), int(stored)
    return NO_LINE


@inline
def samples_in(target: Target, quad: Quad, dx: int, dy: int) -> int:
    """Samples of a quad that passed, or where it changes what failed, that it covers, in one of its lines."""
    changed = quad.passed if quad.passed != 0 else quad.coverage
    columns = WHOLE_QUAD if target.across_bits > 0 else COLUMN << dx
    rows = WHOLE_QUAD if target.down_bits > 0 else ROW << 2 * dy
    return int(count_bits(changed & columns & rows))


@inline
def accesses(clusters: Clusters, unit: LoadStore, operation: WarpOperation, quad: Quad) -> bool:
    """Whether a quad has samples to load or to store."""
    if operation.access == DEPTH_LOAD:
        return bool(clusters.untested[operation.row[unit.item]] == 0)
    if operation.access == DEPTH_STORE:
        return bool(operation.wrote >> operation.number[unit.item] & 1 != 0)
    return bool(quad.passed != 0)
