"""Polygon List Builder: writes each primitive's attributes to the Parameter Buffer once, and a pointer into the list of
every tile it falls into, all through the Tile Cache, one access per cycle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.energy.geometry import Logic
from tilegpu.timing.declare.records import NEVER, i4, i8, room
from tilegpu.timing.declare.statistics import Stat, ratio, spent
from tilegpu.timing.declare.structures import TILING, Structure, once, stat

from ..engine import hooks
from ..engine.account import BLOCKED, BUSY, IDLE, WAITING, Accounted, account
from ..engine.calendar import wake
from ..engine.jit import inline, unit
from ..engine.ring import Queue, front, release
from ..engine.unit import Unit, Watch
from ..memory.parameter_buffer import ParameterBuffer
from ..memory.request import PRIMITIVE_ATTRIBUTES, PRIMITIVE_LIST, WRITE, can_send, send
from .primitive_assembly import PrimitiveAssemblyParameters

if TYPE_CHECKING:
    from ..engine.chip import Chip
    from ..engine.frame import Binning
    from ..memory.gpu import Gpu


class PolygonListBuilder(Accounted):
    """Registers of the Polygon List Builder."""

    id: i8
    port: i8
    queue: Queue[i4] = room(128)
    primitive: i8
    cursor: i8
    bin: i8
    pointer_bytes: i8
    primitives: i8
    pointers: i8
    record_writes: i8
    record_bytes: i8
    attributes: i8
    left_out: i8


@unit
def tick(gpu: Gpu, binning: Binning, t: int) -> int:
    builder: PolygonListBuilder = gpu.polygon_list_builder
    account(builder, t)
    if builder.primitive < 0:
        builder.cause = IDLE
        if builder.queue.count == 0:
            return NEVER
        decision = hooks.primitive_begin(gpu, binning, front(builder.queue), t)
        if decision == hooks.WAIT:
            builder.cause = BLOCKED
            return NEVER
        begin(gpu, binning, builder, t)
        if decision == hooks.SKIP:
            leave_out(binning, builder)
    port = gpu.port[builder.port]
    builder.cause = WAITING
    if not can_send(port):
        return NEVER
    builder.cause = BUSY
    primitive = binning.primitive[builder.primitive]
    end = primitive.record + primitive.record_bytes
    if builder.cursor < end:
        size = min(end - builder.cursor, gpu.line_bytes - builder.cursor % gpu.line_bytes)
        send(gpu, port, t, builder.cursor, size, WRITE, PRIMITIVE_ATTRIBUTES, -1)
        builder.cursor += size
        builder.record_writes += 1
        builder.record_bytes += size
    elif builder.bin < primitive.last_bin:
        entry = binning.bin[builder.bin].entry
        decision = enter(gpu, binning, builder, entry, t)
        if decision == hooks.WAIT:
            builder.cause = BLOCKED
            return NEVER
        builder.bin += 1
        if decision == hooks.GO:
            pointer = binning.entry[entry].pointer
            send(gpu, port, t, pointer, builder.pointer_bytes, WRITE, PRIMITIVE_LIST, -1)
            builder.pointers += 1
            while builder.bin < primitive.last_bin and covers(gpu, binning, builder, pointer, t):
                builder.bin += 1
    if builder.cursor >= end and builder.bin >= primitive.last_bin:
        builder.primitive = -1
        wake(gpu, gpu.signal.progress)
    return t + 1


@inline
def enter(gpu: Gpu, binning: Binning, builder: PolygonListBuilder, entry: int, t: int) -> int:
    """Ask techniques about a primitive in a tile's list, and note what they leave out."""
    decision = int(hooks.binned(gpu, binning, builder.primitive, entry, t))
    binning.entry[entry].left_out = decision == hooks.SKIP
    builder.left_out += decision == hooks.SKIP
    return decision


@inline
def leave_out(binning: Binning, builder: PolygonListBuilder) -> None:
    """Write nothing of a primitive that a technique leaves out of all tiles."""
    primitive = binning.primitive[builder.primitive]
    builder.cursor = primitive.record + primitive.record_bytes
    while builder.bin < primitive.last_bin:
        binning.entry[binning.bin[builder.bin].entry].left_out = 1
        builder.left_out += 1
        builder.bin += 1


@inline
def covers(gpu: Gpu, binning: Binning, builder: PolygonListBuilder, pointer: int, t: int) -> bool:
    """Whether the next tile is of the bin that a pointer was written for, and may be taken with it."""
    entry = binning.bin[builder.bin].entry
    if binning.entry[entry].pointer != pointer:
        return False
    return enter(gpu, binning, builder, entry, t) != hooks.WAIT


@inline
def begin(gpu: Gpu, binning: Binning, builder: PolygonListBuilder, t: int) -> None:
    builder.primitive = front(builder.queue)
    release(gpu, builder.queue)
    primitive = binning.primitive[builder.primitive]
    hooks.works_for(gpu, builder.id, primitive.work)
    builder.primitives += 1
    builder.attributes += primitive.attributes
    builder.cursor = primitive.record
    builder.bin = primitive.first_bin


def setup(chip: Chip, builder: PolygonListBuilder, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    builder.queue.depth = chip.configuration.of(PrimitiveAssemblyParameters).queue
    builder.pointer_bytes = chip.configuration.of(ParameterBuffer).pointer_bytes
    builder.primitive, builder.cause = -1, IDLE


@inline
def drained(gpu: Gpu) -> bool:
    """Whether nothing is left to write."""
    return bool(gpu.polygon_list_builder.queue.count == 0 and gpu.polygon_list_builder.primitive < 0)


NAME = "tiling.polygon_list_builder"

UNIT = Unit(
    "polygon_list_builder",
    __name__,
    PolygonListBuilder,
    tick,
    tables=("binning",),
    parameters=(ParameterBuffer,),
    setup=setup,
    reason="tiling",
    marks=("spent[0]",),
    stands=lambda builder: f"{int(builder.queue.count)} of {int(builder.queue.depth)} primitives queued",
    watches=(Watch("primitive", "primitives", "queue"),),
    statistics=(
        Stat(
            f"{NAME}.primitives",
            "primitives",
            "primitives written to the Parameter Buffer, clears among them",
            "primitives",
        ),
        Stat(f"{NAME}.pointers", "pointers", "pointers written to lists of tiles", "pointers"),
        Stat(f"{NAME}.left_out", "pointers", "pointers that techniques leave out of lists of tiles", "left_out"),
        Stat(f"{NAME}.record_writes", "writes", "writes of attributes", "record_writes"),
        Stat(f"{NAME}.record_bytes", "bytes", "bytes of attributes written", "record_bytes"),
        Stat(f"{NAME}.attributes", "attributes", "attributes of the primitives written", "attributes"),
        *spent(NAME, "the Polygon List Builder"),
        ratio(
            "tiling.attributes_per_primitive",
            "attributes/primitive",
            "attributes of a primitive, the position among them (Fig. 4.1)",
            f"{NAME}.attributes",
            f"{NAME}.primitives",
        ),
    ),
    structures=(
        Structure(
            "polygon_list_builder.overlap", TILING, once, lambda c: Logic("adder", 12, 12), stat(f"{NAME}.pointers")
        ),
    ),
)
