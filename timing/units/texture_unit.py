"""Texture unit of a Fragment or Vertex Processor: looks up one line of the texture cache per cycle, filters one
bilinear quad per cycle.

Operations are filtered in the order they were issued, while the addresses of later ones run ahead: the latency of
misses hides behind the operations in flight.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.energy.geometry import Logic
from tilegpu.timing.declare.parameters import Group, number
from tilegpu.timing.declare.records import MAX_TEXTURE_UNITS, Record, Ring, i4, i8, room
from tilegpu.timing.declare.stages import FragmentStage, VertexStage
from tilegpu.timing.declare.statistics import Stat, ratio, spent
from tilegpu.timing.declare.structures import FRAGMENT, Structure, processors, stat
from tilegpu.timing.declare.tiles import Tiles

from ..engine import hooks
from ..engine.account import BUSY, IDLE, WAITING, Accounted, become
from ..engine.jit import inline, unit
from ..engine.ring import drop, front, full, wrap
from ..engine.unit import Unit, Watch
from ..engine.wiring import access
from ..memory.request import READ, TEXTURE, Port, can_send, has_reply, next_reply, replies_due, send, take_reply
from .processor import deliver

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

    from ..engine.chip import Chip
    from ..engine.frame import Texturing
    from ..memory.gpu import Gpu
    from .processor import Processor


@access
def processor_of(gpu: Gpu, unit: TextureUnit) -> Processor:
    """Processor that a texture unit works for."""
    raise NotImplementedError


class TextureRequest(Record):
    """Texture operation in flight. `pending`: lines that it waits for."""

    warp: i4
    destination: i4
    row: i4
    pending: i4
    tag: i4


class TextureUnit(Accounted):
    """Registers of a texture unit."""

    id: i8
    port: i8
    raster_unit: i8
    processor: i8
    vertex: i8
    operation: Ring[TextureRequest] = room(64)
    sent: i8
    cursor: i8
    filter_free: i8
    latency: i8
    probe_cycles: i8
    operations: i8
    probes: i8
    lines: i8


@unit
def tick(gpu: Gpu, fragments: Texturing, vertices: Texturing, k: int, t: int) -> int:
    unit: TextureUnit = gpu.texture_unit[k]
    texturing = fragments if unit.vertex == 0 else vertices
    port = gpu.port[unit.port]
    while has_reply(port, t):
        replies = replies_due(port, t)
        unit.operation.slot[front(replies).slot].pending -= 1
        take_reply(gpu, port, replies)
    filter_front(gpu, texturing, unit, t)
    looked_up = look_up(gpu, texturing, unit, port, t)
    # What it does from here on, or from the next cycle on, until it is called.
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
def look_up(gpu: Gpu, texturing: Texturing, unit: TextureUnit, port: Port, t: int) -> bool:
    """Send the next line address of the oldest operation that has some left."""
    if unit.sent == unit.operation.count:
        return False
    slot = wrap(unit.operation, unit.operation.head + unit.sent)
    operation = unit.operation.slot[slot]
    row = texturing.operation[operation.row]
    if unit.cursor < row.lines:
        if not can_send(port):
            return False
        hooks.resumes_work(gpu, unit.id, slot)
        address = texturing.line[row.first_line + unit.cursor]
        tile = -1 if unit.vertex != 0 else int(processor_of(gpu, unit).warp.slot[operation.warp].tile)
        sent = send(gpu, port, t, address, gpu.line_bytes, READ, TEXTURE, tile)
        sent.tag = operation.tag
        sent.slot = slot
        operation.pending += 1
        unit.cursor += 1
        unit.lines += 1
    if unit.cursor >= row.lines:
        unit.cursor = 0
        unit.sent += 1
    return True


@inline
def filter_front(gpu: Gpu, texturing: Texturing, unit: TextureUnit, t: int) -> None:
    """Filter the oldest operation once its texels have arrived; its warp may use the result `latency` cycles after the
    last probe."""
    if unit.filter_free > t or unit.sent == 0 or front(unit.operation).pending > 0:
        return
    operation = front(unit.operation)
    core = processor_of(gpu, unit)
    hooks.resumes_work(gpu, unit.id, unit.operation.head)
    probes = texturing.operation[operation.row].probes
    unit.filter_free = t + max(1, probes) * unit.probe_cycles
    unit.operations += 1
    unit.probes += probes
    ready = unit.filter_free + unit.latency
    # At once for a warp that waits for room in here.
    deliver(gpu, core, operation.warp, operation.destination, ready, full(unit.operation))
    drop(unit.operation)
    unit.sent -= 1


class TextureUnitParameters(Group, section="texture_unit"):
    """Texture unit of each Fragment Processor: one line looked up and one bilinear quad filtered per cycle."""

    in_flight: int = number(16, "operations", "texture operations in flight", 1, 64, silent=(4, 32))
    latency: int = number(4, "cycles", "from the last filtered probe to the result", 0, 1000, silent=(1, 16))
    probe_cycles: int = number(1, "cycles", "time to filter one bilinear quad (2x2 texels)", 1, 64, silent=(1, 2))


def setup(chip: Chip, unit: TextureUnit, place: tuple[int, ...]) -> None:
    """Sizes from the configuration; those of the Vertex Processors come after those of the Fragment Processors."""
    c = chip.configuration
    per_unit = c.of(FragmentStage).processors
    number = place[0] - c.of(Tiles).raster_units * per_unit
    unit.vertex = number >= 0
    unit.raster_unit, unit.processor = (-1, number) if number >= 0 else divmod(place[0], per_unit)
    spec = c.of(TextureUnitParameters)
    unit.operation.depth, unit.latency = spec.in_flight, spec.latency
    unit.probe_cycles, unit.cause = spec.probe_cycles, IDLE


def _units(c: Hardware) -> int:
    return int(c.of(Tiles).raster_units * c.of(FragmentStage).processors + c.of(VertexStage).processors)


NAME = "fragment.texture_unit"

UNIT = Unit(
    "texture_unit",
    __name__,
    TextureUnit,
    tick,
    tables=("texturing", "vertex_texturing"),
    most=MAX_TEXTURE_UNITS,
    count=_units,
    parameters=(TextureUnitParameters,),
    setup=setup,
    label=lambda unit: "vertex_texture_unit" if unit.vertex else "texture_unit",
    reason="texture_filtering",
    reasons={"waiting": "texture_misses"},
    marks=("lines", "operations"),
    stands=lambda unit: f"{int(unit.operation.count)} of {int(unit.operation.depth)} operations",
    watches=(Watch("texture_operations", "texture operations", "operation", unless="vertex"),),
    statistics=(
        Stat(f"{NAME}.operations", "operations", "texture operations of quads", "operations"),
        Stat(f"{NAME}.probes", "probes", "bilinear quads filtered", "probes"),
        Stat(f"{NAME}.lines", "requests", "lines looked up in the texture caches", "lines"),
        *spent(NAME, "a texture unit"),
        ratio(
            f"{NAME}.lines_per_operation",
            "lines/operation",
            "lines looked up per texture operation",
            f"{NAME}.lines",
            f"{NAME}.operations",
        ),
    ),
    structures=(
        Structure(
            "texture_unit.address", FRAGMENT, processors, lambda c: Logic("adder", 16, 16), stat(f"{NAME}.probes")
        ),
        # Three interpolations of four components for four pixels.
        Structure(
            "texture_unit.filter",
            FRAGMENT,
            processors,
            lambda c: Logic("int8_multiply_add", 48, 48),
            stat(f"{NAME}.probes"),
        ),
    ),
)
