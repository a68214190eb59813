"""Depth unit: tests the quads of all raster tiles before any of them is shaded, with a depth cache of its own.

Emerald's first case study ran on an earlier version of the simulator (5.2), whose code the authors published
(gem5-graphics_v1): one unit and one cache for the whole GPU, which test 64 samples and write one depth per cycle. Reads
of depths overtake each other, raster tiles are tested in their order. What survives goes to the pixel launcher. Quads
that are tested after shading pass through: their programs test them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.parameters import Group, number
from tilegpu.timing.declare.records import Record, Ring, Rows, i4, i8, room
from tilegpu.timing.declare.statistics import Stat, spent

from ..engine import hooks
from ..engine.account import BLOCKED, BUSY, IDLE, WAITING, Accounted, become
from ..engine.calendar import poke, wake
from ..engine.jit import count_bits, inline, unit
from ..engine.ring import drop, front, full, grow, wrap
from ..engine.unit import Unit, Watch
from ..engine.wiring import access
from ..memory.request import DEPTH, READ, WRITE, Port, can_send, has_reply, next_reply, replies_due, send, take_reply
from . import frame_buffer
from .depth_test import TileBuffer, work_of
from .raster_pipeline import is_central
from .tile_coalescing import TileToken
from .warp_operations import OperationLine, merge, samples_in

if TYPE_CHECKING:
    from ..engine.chip import Chip
    from ..engine.cluster_tables import Clusters
    from ..engine.frame import Depth, Quad, Surfaces
    from ..memory.gpu import Gpu
    from .cluster_raster import ClusterRaster


@access
def raster_of(gpu: Gpu, k: int) -> ClusterRaster:
    """Rasterizer of a cluster."""
    raise NotImplementedError


@access
def has_launch_room(gpu: Gpu) -> bool:
    """Whether the launcher takes another pixel tile."""
    raise NotImplementedError


@access
def nothing_waits(gpu: Gpu) -> bool:
    """Whether no pixel tile waits in the launcher."""
    raise NotImplementedError


@access
def accept_quad(gpu: Gpu, surfaces: Surfaces, depth: Depth, clusters: Clusters, q: int) -> None:
    """Hand a quad on to the launcher."""
    raise NotImplementedError


@access
def end_of_pixel_tile(gpu: Gpu, t: int) -> None:
    """Tell the launcher that its pixel tile is complete."""
    raise NotImplementedError


MAX_TILE_LINES = 64
"""Lines of a raster tile: four quads, each in four lines of depth and of stencil at most, and those to be written."""


class Pending(Record):
    """Raster tile whose depths are being read."""

    tile: i4
    pending: i4
    hidden: i4
    asked: i4


class DepthUnit(Accounted):
    """Registers of the depth unit. `flight`: raster tiles in order, the last of which may still be asking for its
    lines; `line_at`: lines to be asked for, or to be written while `writing`, of which the first `asked` were sent;
    `free`: when the next depth can be written; `late`: whether programs have tests to make for quads that came
    before."""

    id: i8
    port: i8
    input: Ring[TileToken] = room(64)
    flight: Ring[Pending] = room(256)
    buffer: TileBuffer
    line_at: Rows[OperationLine] = room(MAX_TILE_LINES)
    line_count: i8
    asked: i8
    writing: i8
    samples_per_cycle: i8
    writes_per_cycle: i8
    free: i8
    late: i8
    raster_tiles: i8
    quads: i8
    killed_quads: i8
    mismatched_quads: i8
    lines: i8
    written: i8


@unit
def tick(gpu: Gpu, surfaces: Surfaces, depth: Depth, clusters: Clusters, t: int) -> int:
    own: DepthUnit = gpu.depth_unit
    port = gpu.port[own.port]
    while has_reply(port, t):
        own.flight.slot[front(replies_due(port, t)).slot].pending -= 1
        take_reply(gpu, port, replies_due(port, t))
    moved = False
    if own.asked < own.line_count:
        moved = send_lines(gpu, surfaces, own, port, t)
    if own.asked == own.line_count:
        moved |= test_tiles(gpu, surfaces, depth, clusters, own, t)
    if own.asked == own.line_count:
        moved |= take_tile(gpu, surfaces, depth, clusters, own, t)
    if moved:
        become(own, BUSY, t)
        return t + 1
    return rest(own, port, t)


@inline
def rest(own: DepthUnit, port: Port, t: int) -> int:
    """Charge a cycle in which nothing moved; the cycle in which there is something to do again."""
    due = int(next_reply(port))
    if own.asked < own.line_count:
        become(own, WAITING, t)
        return t + 1
    if own.input.count > 0 and front(own.input).due > t:
        due = min(due, int(front(own.input).due))
    if own.flight.count == 0:
        become(own, IDLE, t)
    elif front(own.flight).pending > 0:
        become(own, WAITING, t)
    else:
        become(own, BLOCKED, t)
        if own.free > t:
            due = min(due, int(own.free))
    return due


@inline
def take_tile(gpu: Gpu, surfaces: Surfaces, depth: Depth, clusters: Clusters, own: DepthUnit, t: int) -> bool:
    """Take the next raster tile, and find the lines of depths that it needs."""
    if own.input.count == 0 or front(own.input).due > t or full(own.flight):
        return False
    token = front(own.input)
    pending = grow(own.flight)
    pending.tile, pending.pending, pending.hidden = token.tile, 0, token.hidden
    drop(own.input)
    poke(gpu, raster_of(gpu, 0).id)
    tile = clusters.raster_tile[pending.tile]
    hooks.works_for(gpu, own.id, work_of(depth, tile.first_quad))
    own.raster_tiles += 1
    own.line_count = own.asked = own.writing = 0
    if pending.hidden == 0:
        for q in range(tile.first_quad, tile.last_quad):
            quad = depth.quad[q]
            if clusters.untested[q] == 0 and is_tested_here(depth, clusters, quad) and loads(depth, clusters, quad):
                find_lines(gpu, surfaces, own, depth.quad[q], False)
    return True


@inline
def is_tested_here(depth: Depth, clusters: Clusters, quad: Quad) -> bool:
    """Whether a quad is tested by this unit, and not by its program."""
    late = depth.state[depth.primitive[quad.primitive].state].late != 0
    return bool(frame_buffer.tests_depth(depth, quad) and not (late and loads(depth, clusters, quad)))


@inline
def loads(depth: Depth, clusters: Clusters, quad: Quad) -> bool:
    """Whether the depths of a quad's draw are loaded for a test."""
    return bool(clusters.program[depth.primitive[quad.primitive].state].tests != 0)


@unit
def find_lines(gpu: Gpu, surfaces: Surfaces, own: DepthUnit, quad: Quad, stores: bool) -> None:
    """Lines of a quad in the attachments of depth and stencil, each of a raster tile once."""
    row = surfaces.render_pass[gpu.vertex_launcher.tile]
    for i in range(row.first_target, row.last_target):
        target = surfaces.target[i]
        if target.source != DEPTH:
            continue
        across = 1 if target.across_bits > 0 else 2
        for k in range(frame_buffer.lines_of_quad(target)):
            x, y = quad.x * 2 + k % across, quad.y * 2 + k // across
            stored = target.pixel_bytes * samples_in(target, quad, k % across, k // across) if stores else 0
            if x >= row.width or y >= row.height or (stores and stored == 0):
                continue
            line = frame_buffer.line_of_pixel(target, x, y)
            merge(own, int(target.address + line * gpu.line_bytes), int(target.first_line + line), int(stored))


@inline
def send_lines(gpu: Gpu, surfaces: Surfaces, own: DepthUnit, port: Port, t: int) -> bool:
    """Ask for the next line, or write it; the first access to a line that was cleared writes all of it."""
    if not can_send(port) or port.request.count + 2 > port.request.depth:
        return False
    line = own.line_at[own.asked]
    own.asked += 1
    own.lines += 1
    tile = gpu.vertex_launcher.tile
    fresh = surfaces.touched[line.target] == 0
    if fresh:
        surfaces.touched[line.target] = 1
        send(gpu, port, t, line.address, gpu.line_bytes, WRITE, DEPTH, tile)
    if own.writing != 0:
        if not fresh:
            send(gpu, port, t, line.address, min(int(line.bytes), int(gpu.line_bytes)), WRITE, DEPTH, tile)
        if own.asked == own.line_count and own.flight.count == 0:
            wake(gpu, gpu.signal.progress)
        return True
    slot = wrap(own.flight, own.flight.head + own.flight.count - 1)
    sent = send(gpu, port, t, line.address, gpu.line_bytes, READ, DEPTH, tile)
    sent.slot = slot
    own.flight.slot[slot].pending += 1
    return True


@inline
def test_tiles(gpu: Gpu, surfaces: Surfaces, depth: Depth, clusters: Clusters, own: DepthUnit, t: int) -> bool:
    """Test the oldest raster tiles whose depths have arrived, as many as there are testers for."""
    row = surfaces.render_pass[gpu.vertex_launcher.tile]
    samples = own.samples_per_cycle
    moved = False
    while own.flight.count > 0 and front(own.flight).pending == 0 and own.free <= t and own.asked == own.line_count:
        if (moved and samples < 16 * row.samples) or not has_launch_room(gpu):
            break
        if waits_for_programs(gpu, depth, clusters, own):
            break
        samples -= 16 * row.samples
        test_tile(gpu, surfaces, depth, clusters, own, front(own.flight), t)
        drop(own.flight)
        moved = True
    if moved and own.flight.count == 0:
        wake(gpu, gpu.signal.progress)
    return moved


@inline
def waits_for_programs(gpu: Gpu, depth: Depth, clusters: Clusters, own: DepthUnit) -> bool:
    """Whether the oldest raster tile has to wait until programs have tested what comes before it."""
    if own.late != 0 and gpu.vertex_launcher.shading == 0 and nothing_waits(gpu):
        own.late = 0
    pending = front(own.flight)
    quad = depth.quad[clusters.raster_tile[pending.tile].first_quad]
    return bool(own.late != 0 and pending.hidden == 0 and is_tested_here(depth, clusters, quad))


@unit
def test_tile(
    gpu: Gpu, surfaces: Surfaces, depth: Depth, clusters: Clusters, own: DepthUnit, pending: Pending, t: int
) -> None:
    """Test the quads of a raster tile, hand on those that pass, and write the depths that have changed."""
    row = surfaces.render_pass[gpu.vertex_launcher.tile]
    tile = clusters.raster_tile[pending.tile]
    hooks.works_for(gpu, own.id, work_of(depth, tile.first_quad))
    own.line_count = own.asked = 0
    own.writing = 1
    written = 0
    for q in range(tile.first_quad, tile.last_quad if pending.hidden == 0 else tile.first_quad):
        quad = depth.quad[q]
        own.quads += 1
        if is_tested_here(depth, clusters, quad):
            state = depth.state[depth.primitive[quad.primitive].state]
            late = state.late != 0
            kept = int(quad.coverage & ~quad.discarded) if late else int(quad.coverage)
            passed, wrote = frame_buffer.test(gpu, depth, own.buffer, row, q, kept)
            quad.passed = passed
            own.killed_quads += passed == 0
            own.mismatched_quads += passed != quad.depth_pass
            if wrote != 0 and loads(depth, clusters, quad):
                written += count_bits(passed if passed != 0 else quad.coverage)
                find_lines(gpu, surfaces, own, quad, True)
            if passed == 0 and not (late and state.writes_memory != 0):
                continue
        elif frame_buffer.tests_depth(depth, quad):
            own.late = 1
        else:
            quad.passed = quad.coverage & ~quad.discarded
        accept_quad(gpu, surfaces, depth, clusters, q)
    if tile.ends != 0:
        end_of_pixel_tile(gpu, t)
    own.written += written
    own.free = max(int(own.free), t) + -(-written // own.writes_per_cycle)


@inline
def has_room(gpu: Gpu) -> bool:
    """Whether the unit takes another raster tile."""
    return not full(gpu.depth_unit.input)


@inline
def drained(gpu: Gpu) -> bool:
    """Whether nothing is left in it."""
    own: DepthUnit = gpu.depth_unit
    return bool(own.input.count == 0 and own.flight.count == 0 and own.asked == own.line_count)


@inline
def room_for_quads(gpu: Gpu) -> None:
    """The launcher has room again, or a core."""
    poke(gpu, gpu.depth_unit.id)


class DepthUnitParameters(Group, section="depth_unit"):
    """Depth unit behind a central rasterizer, with the only depth cache (gem5-graphics_v1)."""

    samples_per_cycle: int = number(64, "samples/cycle", "samples tested per cycle [gem5-graphics_v1]", 16, 1024)
    writes_per_cycle: int = number(1, "depths/cycle", "depths written per cycle [gem5-graphics_v1]", 1, 64)
    in_flight: int = number(64, "tiles", "raster tiles whose depths are being read; 1024 reads there", 1, 256)
    queue: int = number(16, "tiles", "raster tiles waiting", 1, 64)


def setup(chip: Chip, own: DepthUnit, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    spec = chip.configuration.of(DepthUnitParameters)
    own.input.depth, own.flight.depth = spec.queue, spec.in_flight
    own.samples_per_cycle, own.writes_per_cycle = spec.samples_per_cycle, spec.writes_per_cycle
    own.cause = IDLE


def begin_frame(own: DepthUnit) -> None:
    """Nothing is left of the frame before."""
    own.line_count = own.asked = 0


NAME = "simt.depth_unit"

UNIT = Unit(
    "depth_unit",
    __name__,
    DepthUnit,
    tick,
    tables=("surfaces", "depth", "machine"),
    count=lambda c: int(is_central(c)),
    parameters=(DepthUnitParameters,),
    setup=setup,
    begin_frame=begin_frame,
    holds_up=True,
    reason="early_depth",
    reasons={"waiting": "bandwidth"},
    marks=("raster_tiles", "quads", "lines"),
    stands=lambda own: f"{int(own.input.count)} raster tiles queued, {int(own.flight.count)} wait for depths",
    watches=(Watch("depth_unit", "raster tiles before the depth unit", "input"),),
    statistics=(
        Stat(f"{NAME}.raster_tiles", "tiles", "raster tiles taken, those that Hi-Z left out too", "raster_tiles"),
        Stat(f"{NAME}.quads", "quads", "quads of the others", "quads"),
        Stat(f"{NAME}.killed_quads", "quads", "quads that failed the early test", "killed_quads"),
        Stat(
            f"{NAME}.mismatched_quads", "quads", "quads whose outcome was not that of program order", "mismatched_quads"
        ),
        Stat(f"{NAME}.lines", "requests", "lines asked for or written", "lines"),
        Stat(f"{NAME}.written", "samples", "depths and stencil values written", "written"),
        *spent(NAME, "the depth unit"),
    ),
)
