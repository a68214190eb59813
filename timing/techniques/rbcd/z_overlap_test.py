"""Z-Overlap Test (5.2.5, Fig. 5.6): goes through the lists of a filled ZEB, an element per cycle, front to back.

Front faces are pushed onto the FF-Stack. A back face looks for the bottommost unmatched front face of its object: all
that lie above that one, matched or not, overlap it. They leave one per cycle, to a buffer from which they are written
to memory, a line at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import NEVER, i8
from tilegpu.timing.declare.statistics import Stat, spent

from ...engine.account import BLOCKED, BUSY, IDLE, Accounted, account
from ...engine.calendar import poke, wake
from ...engine.jit import inline, unit
from ...engine.ring import drop, front
from ...engine.unit import RASTER_UNIT, Unit
from ...memory.address_map import COLLISION_REGION, COLLISION_REGION_BYTES
from ...memory.request import COLLISIONS, WRITE, can_send, send
from . import zebs as lists
from .ff_stack import NO_HIT, FfStack, empty, find_next, meet
from .parameters import Parameters
from .state import NO_TILE, TEST, State, Zebs

if TYPE_CHECKING:
    from ...engine.chip import Chip
    from ...engine.frame import Depth
    from ...memory.gpu import Gpu
    from .tables import Tables


NO_ZEB, READ_LIST = -1, -1


class ZOverlapTest(Accounted):
    """Registers of the Z-overlap test. `element`: next one of the list, READ_LIST before it is read; `pending_bytes`:
    in the buffer; `draining`: what the buffer holds is written though it fills no line."""

    id: i8
    port: i8
    zeb: i8
    tile: i8
    list: i8
    element: i8
    due: i8
    ff: FfStack
    empty_list_cycles: i8
    output_pairs: i8
    pending_bytes: i8
    written_bytes: i8
    draining: i8
    tiles: i8
    lists: i8
    lists_with_fragments: i8
    elements: i8
    hits: i8
    lines: i8


@unit
def tick(gpu: Gpu, depth: Depth, own: Tables, r: int, t: int) -> int:
    tester: ZOverlapTest = gpu.raster_unit[r].z_overlap_test
    account(tester, t)
    sent = write(gpu, tester, r, t)
    if tester.due > t:
        return t + 1 if sent else int(tester.due)
    zebs = gpu.technique.rbcd.zeb[r]
    if tester.zeb == NO_ZEB and not begin(zebs, tester):
        tester.cause = BUSY if sent else IDLE
        return t + 1 if sent else NEVER
    moved = step(gpu, own, zebs, tester, r, t)
    tester.cause = BUSY if moved or sent else BLOCKED
    if sent:
        return t + 1
    return max(int(tester.due), t + 1) if moved else NEVER


@inline
def begin(zebs: Zebs, tester: ZOverlapTest) -> bool:
    """Take up the next filled ZEB."""
    if zebs.filled.count == 0:
        return False
    filled = front(zebs.filled)
    tester.zeb = filled.zeb
    tester.tile = filled.tile
    tester.list = 0
    tester.element = READ_LIST
    drop(zebs.filled)
    return True


@inline
def step(gpu: Gpu, own: Tables, zebs: Zebs, tester: ZOverlapTest, r: int, t: int) -> bool:
    """A cycle's work: read a list, or test an element, or pass a pair on."""
    state = gpu.technique.rbcd
    if tester.element == READ_LIST:
        read_list(gpu, state, zebs, tester, r, t)
        return True
    at = tester.zeb * state.lists + tester.list
    element = zebs.element[at * state.list_length + tester.element]
    stack = tester.ff
    if stack.hit == NO_HIT:
        tester.elements += 1
        meet(state, stack, element)
    if stack.hit < stack.height:
        if tester.pending_bytes >= tester.output_pairs * state.pair_bytes:
            return False
        report(gpu, own, zebs, tester, at, element)
        find_next(state, stack, element)
    if stack.hit >= stack.height:
        stack.hit = NO_HIT
        tester.element += 1
        if tester.element == zebs.length[at]:
            finish_list(zebs, tester, at)
    return True


@unit
def read_list(gpu: Gpu, state: State, zebs: Zebs, tester: ZOverlapTest, r: int, t: int) -> None:
    """Read the next list that has fragments; at the end of the tile the ZEB is free."""
    cycles = 0
    base = tester.zeb * state.lists
    while tester.list < state.lists and zebs.length[base + tester.list] == 0:
        cycles += tester.empty_list_cycles
        tester.list += 1
        tester.lists += 1
    if tester.list < state.lists:
        tester.lists += 1
        tester.lists_with_fragments += 1
        tester.element = 0
        empty(tester.ff)
        tester.due = t + cycles + 1
    elif cycles > 0:
        tester.due = t + cycles
    else:
        free(gpu, zebs, tester, r)


@inline
def free(gpu: Gpu, zebs: Zebs, tester: ZOverlapTest, r: int) -> None:
    tester.zeb = NO_ZEB
    tester.tiles += 1
    zebs.busy -= 1
    poke(gpu, gpu.raster_unit[r].zeb_insertion.id)
    wake(gpu, gpu.caller.pass_done)


@inline
def finish_list(zebs: Zebs, tester: ZOverlapTest, at: int) -> None:
    """A list that was read is empty."""
    zebs.length[at] = 0
    zebs.overflowed[at] = 0
    tester.list += 1
    tester.element = READ_LIST


@inline
def report(gpu: Gpu, own: Tables, zebs: Zebs, tester: ZOverlapTest, at: int, element: int) -> None:
    """A pair goes to the buffer."""
    state = gpu.technique.rbcd
    face = tester.ff.face[tester.ff.hit].element
    pair = own.pair[own.counts[0].pairs]
    own.counts[0].pairs += 1
    pair.tile = tester.tile
    pair.place = tester.list
    pair.front = lists.object_of(face)
    pair.back = lists.object_of(element)
    pair.z_front = lists.depth_of(face)
    pair.z_back = lists.depth_of(element)
    pair.overflow = zebs.overflowed[at]
    tester.hits += 1
    tester.pending_bytes += state.pair_bytes


@inline
def write(gpu: Gpu, tester: ZOverlapTest, r: int, t: int) -> bool:
    """Send a line of pairs, or a part where the buffer holds no more, or nothing more will come."""
    start = tester.written_bytes % COLLISION_REGION_BYTES
    room = gpu.line_bytes - start % gpu.line_bytes
    full_buffer = tester.pending_bytes >= tester.output_pairs * gpu.technique.rbcd.pair_bytes
    if tester.pending_bytes == 0 or (tester.pending_bytes < room and tester.draining == 0 and not full_buffer):
        return False
    port = gpu.port[tester.port]
    if not can_send(port):
        return False
    size = min(room, tester.pending_bytes)
    address = COLLISION_REGION + r * COLLISION_REGION_BYTES + start
    send(gpu, port, t, address, size, WRITE, COLLISIONS, tester.tile)
    tester.written_bytes += size
    tester.pending_bytes -= size
    tester.lines += 1
    if tester.pending_bytes == 0:
        wake(gpu, gpu.caller.pass_done)
    return True


@inline
def drained(gpu: Gpu, r: int) -> bool:
    """Whether all that the Rasterizer sent is tested, and all pairs are on their way to memory."""
    tester: ZOverlapTest = gpu.raster_unit[r].z_overlap_test
    if gpu.raster_unit[r].zeb_insertion.queue.count > 0 or gpu.technique.rbcd.zeb[r].busy > 0:
        return False
    if tester.pending_bytes > 0 and tester.draining == 0:
        tester.draining = 1
        poke(gpu, tester.id)
    return bool(tester.pending_bytes == 0)


def setup(chip: Chip, tester: ZOverlapTest, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    own = chip.configuration.of(Parameters)
    tester.ff.entries = own.stack_entries or own.list_length
    tester.empty_list_cycles, tester.output_pairs = own.empty_list_cycles, own.output_buffer
    tester.zeb, tester.tile, tester.cause = NO_ZEB, NO_TILE, IDLE


UNIT = Unit(
    "z_overlap_test",
    __name__,
    ZOverlapTest,
    tick,
    tables=("depth", "own"),
    scope=RASTER_UNIT,
    setup=setup,
    ahead_of="zeb_insertion",
    ports={"port": "dram"},
    marks=("lists", "elements", "hits", "lines"),
    stands=lambda unit: f"list {int(unit.list)} of tile {int(unit.tile)}, {int(unit.pending_bytes)} bytes to write",
    statistics=(
        Stat(f"{TEST}.tiles", "tiles", "tiles tested", "tiles"),
        Stat(f"{TEST}.lists", "lists", "lists of pixels", "lists"),
        Stat(f"{TEST}.lists_with_fragments", "lists", "lists that held fragments", "lists_with_fragments"),
        Stat(f"{TEST}.elements", "fragments", "elements tested", "elements"),
        Stat(f"{TEST}.back_faces", "fragments", "back faces that searched the FF-Stack", "ff.back_faces"),
        Stat(f"{TEST}.unmatched", "fragments", "back faces without a front face", "ff.unmatched"),
        Stat(f"{TEST}.stack_overflows", "fragments", "front faces that found the FF-Stack full", "ff.overflows"),
        Stat(f"{TEST}.hits", "pairs", "colliding pairs found, once per pixel and faces", "hits"),
        Stat(f"{TEST}.lines", "requests", "writes of pairs", "lines"),
        *spent(TEST, "a Z-Overlap Test"),
    ),
)
