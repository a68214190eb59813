"""Insertion into the Z-depth Extended Buffers (5.2.4, Fig. 5.4): reads the list of a fragment's pixel, compares depths
with all of its elements at once, writes the list back; one fragment after the other.

A ZEB holds one tile. The first quad of a tile waits for a free one; the end of the tile hands it to the Z-Overlap Test.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import END_OF_TILE, NEVER, Ring, Rows, Token, i8, room
from tilegpu.timing.declare.statistics import Stat, spent

from ...engine.account import BLOCKED, BUSY, IDLE, WAITING, Accounted, account
from ...engine.calendar import poke, wake
from ...engine.jit import inline, unit
from ...engine.ring import drop, front, full, grow
from ...engine.unit import RASTER_UNIT, Unit, Watch
from . import zebs as lists
from .parameters import Parameters
from .state import INSERTION, MAX_LISTS, Zebs

if TYPE_CHECKING:
    from ...engine.chip import Chip
    from ...engine.frame import Depth, Primitive
    from ...memory.gpu import Gpu
    from .tables import Tables


NO_ZEB = -1


class ZebInsertion(Accounted):
    """Registers of ZEB insertion. `zeb`: being filled; `lane`: the next one of the quad; `waited`: whether it had to
    wait; `due`: when the list of each pixel is written back; `last_due`: when the last one is."""

    id: i8
    queue: Ring[Token] = room(256)
    zeb: i8
    lane: i8
    last_due: i8
    due: Rows[i8] = room(MAX_LISTS)
    insertions_per_cycle: i8
    latency: i8
    waits: i8
    waited: i8
    fragments: i8
    overflows: i8
    same_pixel_waits: i8
    tiles: i8


@unit
def tick(gpu: Gpu, depth: Depth, own: Tables, r: int, t: int) -> int:
    inserter: ZebInsertion = gpu.raster_unit[r].zeb_insertion
    zebs = gpu.technique.rbcd.zeb[r]
    account(inserter, t)
    inserter.cause = IDLE
    moved = False
    due = NEVER
    for _ in range(inserter.insertions_per_cycle):
        if inserter.queue.count == 0:
            break
        token = front(inserter.queue)
        if token.kind == END_OF_TILE:
            if inserter.last_due > t:
                inserter.cause = WAITING
                due = inserter.last_due
            else:
                close(gpu, zebs, inserter, token.tile, r)
                moved = True
            break
        if inserter.zeb == NO_ZEB and not open_zeb(gpu, zebs, inserter):
            inserter.cause = BLOCKED
            break
        due = insert_next(gpu, depth, own, zebs, inserter, token.index, t)
        if due > t:
            inserter.cause = WAITING
            break
        due = NEVER
        moved = True
    if moved:
        inserter.cause = BUSY
        return t + 1
    return due


@inline
def open_zeb(gpu: Gpu, zebs: Zebs, inserter: ZebInsertion) -> bool:
    """Take the next ZEB, if it is free."""
    if zebs.busy == gpu.technique.rbcd.zebs:
        return False
    zebs.busy += 1
    inserter.zeb = zebs.next
    zebs.next = zebs.next + 1 if zebs.next + 1 < gpu.technique.rbcd.zebs else 0
    return True


@unit
def insert_next(gpu: Gpu, depth: Depth, own: Tables, zebs: Zebs, inserter: ZebInsertion, q: int, t: int) -> int:
    """Insert the next fragment of the first quad; the cycle in which it can be."""
    state = gpu.technique.rbcd
    quad = depth.quad[q]
    lane = next_lane(quad.coverage, inserter.lane)
    x = quad.x * 2 + (lane & 1)
    y = quad.y * 2 + (lane >> 1)
    at = inserter.zeb * state.lists + y % gpu.tile_height * gpu.tile_width + x % gpu.tile_width
    if inserter.waits != 0 and inserter.due[at] > t:
        inserter.same_pixel_waits += inserter.waited == 0
        inserter.waited = 1
        return int(inserter.due[at])
    inserter.waited = 0
    primitive = depth.primitive[quad.primitive]
    side = lists.FRONT if primitive.front_facing != 0 else lists.BACK
    z = depth_of_fragment(primitive, x, y, state.depth_steps)
    element = lists.element_of(z, own.primitive[quad.primitive].object, side)
    inserter.overflows += lists.insert(state, zebs, at, element)
    inserter.fragments += 1
    inserter.due[at] = inserter.last_due = t + inserter.latency
    inserter.lane = lane + 1
    if next_lane(quad.coverage, inserter.lane) == 4:
        inserter.lane = 0
        take(gpu, inserter)
    return t


@inline
def next_lane(coverage: int, lane: int) -> int:
    """First lane from here on of which a sample is covered; 4 if there is none."""
    while lane < 4 and (coverage >> lane) & 0x1111 == 0:
        lane += 1
    return lane


@inline
def depth_of_fragment(primitive: Primitive, x: int, y: int, steps: int) -> int:
    """Depth at the centre of a pixel, as an element holds it."""
    z = primitive.depth + primitive.depth_dx * (x + 0.5) + primitive.depth_dy * (y + 0.5)
    return int(min(max(z, 0.0), 1.0) * steps + 0.5)


@inline
def take(gpu: Gpu, inserter: ZebInsertion) -> None:
    """The first token is done with."""
    if full(inserter.queue):
        wake(gpu, gpu.caller.rasterized)
        wake(gpu, gpu.caller.tile_rasterized)
    drop(inserter.queue)


@inline
def close(gpu: Gpu, zebs: Zebs, inserter: ZebInsertion, tile: int, r: int) -> None:
    """All fragments of a tile are in: its ZEB goes to the Z-Overlap Test."""
    filled = grow(zebs.filled)
    filled.zeb = inserter.zeb
    filled.tile = tile
    inserter.zeb = NO_ZEB
    inserter.tiles += 1
    take(gpu, inserter)
    poke(gpu, gpu.raster_unit[r].z_overlap_test.id)


def setup(chip: Chip, inserter: ZebInsertion, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    own = chip.configuration.of(Parameters)
    inserter.queue.depth = own.input_queue
    inserter.insertions_per_cycle, inserter.latency = own.insertions_per_cycle, own.insertion_cycles
    inserter.waits = own.same_pixel == "wait"
    inserter.zeb, inserter.cause = NO_ZEB, IDLE


UNIT = Unit(
    "zeb_insertion",
    __name__,
    ZebInsertion,
    tick,
    tables=("depth", "own"),
    scope=RASTER_UNIT,
    setup=setup,
    ahead_of="rasterizer",
    marks=("fragments", "tiles"),
    stands=lambda unit: f"{int(unit.queue.count)} of {int(unit.queue.depth)} quads queued, fills ZEB {int(unit.zeb)}",
    watches=(Watch("rbcd_input", "quads before the insertion into ZEBs", "queue"),),
    statistics=(
        Stat(f"{INSERTION}.fragments", "fragments", "fragments inserted into ZEBs", "fragments"),
        Stat(f"{INSERTION}.overflows", "fragments", "fragments that found their list full (Table 5.3)", "overflows"),
        Stat(
            f"{INSERTION}.same_pixel_waits",
            "fragments",
            "fragments that waited for their list to be written back",
            "same_pixel_waits",
        ),
        Stat(f"{INSERTION}.tiles", "tiles", "tiles with collisionable objects", "tiles"),
        *spent(INSERTION, "an insertion into ZEBs"),
    ),
)
