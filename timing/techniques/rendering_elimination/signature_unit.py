"""Signature Unit (Rendering Elimination, III-F and III-G): signs the inputs of all tiles while they are binned.

The Compute CRC unit signs a block, a subblock per cycle: the constants of a draw before its first primitive, then the
attributes of each primitive. The Accumulate CRC unit takes tiles from the OT Queue, shifts their signatures by the
length of the block, in one step or in one for each subblock, and adds the block's CRC; a tile that does not have the
draw's constants yet (the bitmap) takes them first. Tiles of a primitive wait until its CRC is complete.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.records import NEVER, Record, Ring, i4, i8, room

from ...engine.account import BUSY, IDLE, Accounted, account
from ...engine.calendar import wake
from ...engine.jit import inline, unit
from ...engine.ring import drop, front, full, grow
from ...engine.unit import Unit, Watch
from ..shared import crc
from .parameters import Parameters
from .state import MAX_SLOTS, UNIT_STATISTICS, State

if TYPE_CHECKING:
    from ...engine.chip import Chip
    from ...memory.gpu import Gpu
    from .tables import Tables


class Overlap(Record):
    """Entry of the Overlapped Tiles queue."""

    slot: i4
    primitive: i4


class SignatureUnit(Accounted):
    """Registers of the Signature Unit. `computing`: the latest primitive whose CRC is computed, ready in cycle
    `compute_due`; `accumulating`: whether the first tile of the queue is at work."""

    id: i8
    queue: Ring[Overlap] = room(4096)
    computing: i8
    compute_due: i8
    accumulating: i8
    accumulate_due: i8
    compute_steps: i8
    accumulate_steps: i8
    accumulated_blocks: i8
    tiles: i8


@inline
def begin_pass(state: State, row: Any) -> None:
    """All tiles begin with the signature of what the pass begins with."""
    base = state.set * MAX_SLOTS
    for slot in range(row.slots):
        state.signature[base + slot] = row.crc
        state.combined[slot] = 0
        state.skipped[slot] = 0


@inline
def take(gpu: Gpu, own: Tables, state: State, primitive: int, t: int) -> bool:
    """Begin to sign a primitive, and the constants of its draw where they are new; False where the unit is at work.

    A second register lets it run one primitive ahead of the tiles that wait, where that is configured.
    """
    unit: SignatureUnit = gpu.signature_unit
    if unit.compute_due > t:
        return False
    if unit.queue.count > 0 and (state.overlap_compute == 0 or front(unit.queue).primitive != unit.computing):
        return False
    row = own.primitive[primitive]
    steps = row.subblocks
    if row.block >= 0 and row.block != state.block:
        state.block = row.block
        steps += own.block[row.block].subblocks
    unit.compute_steps += steps
    unit.compute_due = t + steps
    unit.computing = primitive
    return True


@inline
def enqueue(gpu: Gpu, own: Tables, state: State, primitive: int, entry: int) -> bool:
    """Note a tile that the primitive overlaps; False where the OT Queue is full."""
    unit: SignatureUnit = gpu.signature_unit
    if full(unit.queue):
        return False
    overlap = grow(unit.queue)
    overlap.slot = own.tile[own.entry[entry].tile].slot
    overlap.primitive = primitive
    return True


@inline
def drained(gpu: Gpu) -> bool:
    """Whether everything is signed."""
    return bool(gpu.signature_unit.queue.count == 0)


@inline
def matches(state: State, tile: Any) -> bool:
    """Whether a tile has the signature it had when its frame buffer was last written."""
    state.compared_tiles += 1
    now = state.frame[state.set]
    other = state.set - state.distance
    if other < 0:
        other += state.sets
    if state.comparing == 0 or state.frame[other] < 0 or state.frame[other] != now - state.distance:
        return False
    return bool(state.signature[state.set * MAX_SLOTS + tile.slot] == state.signature[other * MAX_SLOTS + tile.slot])


@unit
def tick(gpu: Gpu, own: Tables, t: int) -> int:
    """A cycle of the Accumulate CRC unit, and the end of a comparison."""
    unit: SignatureUnit = gpu.signature_unit
    state = gpu.technique.rendering_elimination
    account(unit, t)
    due = NEVER
    if state.compare_due > t:
        due = state.compare_due
    elif state.compare_due > 0:
        state.compare_due = 0
        state.compared = state.comparing_tile
        wake(gpu, gpu.caller.next_tile)
    due = min(due, accumulate(gpu, own, state, unit, t))
    if unit.compute_due > t:
        due = min(due, int(unit.compute_due))
    else:
        # The Compute CRC unit is free: the next primitive may come.
        wake(gpu, gpu.caller.primitive_begin)
    unit.cause = BUSY if unit.queue.count > 0 or unit.compute_due > t else IDLE
    return due


@unit
def accumulate(gpu: Gpu, own: Tables, state: State, unit: SignatureUnit, t: int) -> int:
    """Finish the tile at work, begin the next one; when there is something to do again."""
    if unit.accumulating != 0:
        if unit.accumulate_due > t:
            return int(unit.accumulate_due)
        finish(own, state, unit, front(unit.queue))
        unit.accumulating = 0
        if full(unit.queue):
            wake(gpu, gpu.caller.binned)
        drop(unit.queue)
        wake(gpu, gpu.caller.primitive_begin)
        if unit.queue.count == 0:
            wake(gpu, gpu.caller.geometry_done)
    if unit.queue.count == 0:
        return NEVER
    overlap = front(unit.queue)
    if overlap.primitive == unit.computing and unit.compute_due > t:
        return int(unit.compute_due)
    row = own.primitive[overlap.primitive]
    steps = steps_of(state, row.subblocks)
    if lacks_constants(state, overlap.slot, row):
        steps += steps_of(state, own.block[row.block].subblocks)
    unit.accumulating = 1
    unit.accumulate_due = t + steps * state.accumulate_cycles
    unit.accumulate_steps += steps
    return int(unit.accumulate_due)


@inline
def steps_of(state: State, subblocks: int) -> int:
    """Steps in which a signature is shifted by a block; none where there is nothing in it."""
    return subblocks if state.by_block == 0 else min(1, subblocks)


@inline
def lacks_constants(state: State, slot: int, row: Any) -> bool:
    """Whether a tile does not have the constants of the primitive's draw yet; a clear has none."""
    return bool(row.block >= 0 and state.combined[slot] != row.block + 1)


@inline
def finish(own: Tables, state: State, unit: SignatureUnit, overlap: Overlap) -> None:
    """The new signature of a tile (Algorithm 1)."""
    row = own.primitive[overlap.primitive]
    place = state.set * MAX_SLOTS + overlap.slot
    signature = state.signature[place]
    if lacks_constants(state, overlap.slot, row):
        state.combined[overlap.slot] = row.block + 1
        block = own.block[row.block]
        signature = crc.multiply(signature, block.factor) ^ block.crc
        unit.accumulated_blocks += 1
    state.signature[place] = crc.multiply(signature, row.factor) ^ row.crc
    unit.accumulated_blocks += 1
    unit.tiles += 1


def setup(chip: Chip, unit: SignatureUnit, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    unit.queue.depth = chip.configuration.of(Parameters).ot_queue
    unit.computing, unit.cause = -1, IDLE


UNIT = Unit(
    "signature_unit",
    __name__,
    SignatureUnit,
    tick,
    tables=("own",),
    setup=setup,
    ahead_of="polygon_list_builder",
    marks=("compute_steps", "tiles"),
    stands=lambda unit: f"{int(unit.queue.count)} of {int(unit.queue.depth)} tiles in the OT Queue",
    watches=(Watch("overlapped_tiles", "OT Queue", "queue"),),
    statistics=UNIT_STATISTICS,
)
