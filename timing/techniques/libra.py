"""LIBRA (Parallel tile rendering that balances memory requests; MICRO 2024), after the abstract: tiles that are
predicted to be hard on memory are rendered beside tiles that are not.

The frame before says how many requests to main memory each tile made: its temperature. Neighbouring tiles go together,
in square supertiles. Raster Units of even numbers take the hottest supertile that is left, the others the coldest, so
that requests spread over the frame, and the tiles of a supertile go to one Raster Unit, whose caches they share. The
side of supertiles is adapted from frame to frame: it goes on being doubled, or halved, as long as frames get shorter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tilegpu.timing.declare.energy.geometry import Ram
from tilegpu.timing.declare.parameters import Group, choice, number
from tilegpu.timing.declare.records import MAX_RASTER_UNITS, NEVER, Record, Rows, i4, i8, room
from tilegpu.timing.declare.statistics import Stat
from tilegpu.timing.declare.structures import RASTER, Structure, once, stat
from tilegpu.timing.declare.tiles import Tiles

from ..engine.hooks import GO
from ..engine.jit import inline, unit
from ..engine.technique import Technique
from ..units import tile_scheduler
from .shared.last_frame import MAX_TILES, LastFrame, begin_pass, remember

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

    from ..engine.chip import Chip
    from ..engine.frame import Commands, Tiling
    from ..memory.dram.intake import PendingRequest
    from ..memory.gpu import Gpu

NAME = "techniques.libra"
SIDES = 4
"""Sides of supertiles: 1, 2, 4 and 8 tiles."""
NO_SUPERTILE, NO_TILE = -1, -1
COUNTER_BITS = 16


class Tables(NamedTuple):
    """Supertiles of each side: `supertile` has that of tile t for side 2^k at `SIDES * t + k`, numbered by their first
    tiles in the order of processing; `following` the next tile of it, or NO_TILE."""

    supertile: np.ndarray[Any, Any]
    following: np.ndarray[Any, Any]


class Parameters(Group, section="technique.libra"):
    """Tiles to Raster Units by their temperature, [technique.libra]."""

    supertile_side: int = number(
        1, "tiles, log2", "side of supertiles in the first frame; assumed", 0, SIDES - 1, silent=(0, 3)
    )
    adapt: str = choice(
        "on",
        {"on": "twice or half as long as long as frames get shorter", "off": "as in the first frame"},
        "side of supertiles; how it is adapted is assumed",
        silent=("off",),
    )
    temperature: str = choice(
        "tile",
        {"tile": "requests of a tile, on average", "supertile": "requests of all of its tiles"},
        "what supertiles are compared by; assumed",
        silent=("supertile",),
    )


class State(Record):
    """Registers. `requests`: to main memory of each tile, in this frame and, as `temperature`, in the last; `taken`:
    whether a tile of the pass has begun; `tile`: next one of each Raster Unit's supertile, or NO_TILE; `given`: tile at
    the position that was asked about last; `side`: of supertiles, log2, and `step` to the next one; `cycles`: of the
    frame before, which began at `began`."""

    last: LastFrame
    active: i8
    requests: Rows[i4] = room(MAX_TILES)
    temperature: Rows[i4] = room(MAX_TILES)
    sum: Rows[i4] = room(MAX_TILES)
    tiles: Rows[i4] = room(MAX_TILES)
    taken: Rows[i4] = room(MAX_TILES)
    tile: Rows[i8] = room(MAX_RASTER_UNITS)
    position: i8
    given: i8
    raster_unit: i8
    first_side: i8
    adapts: i8
    whole: i8
    side: i8
    step: i8
    cycles: i8
    began: i8
    scheduled_tiles: i8
    scheduled_supertiles: i8
    compared_supertiles: i8
    sides: i8
    frames: i8


def setup(chip: Chip, state: Any) -> None:
    """The first frame has the side that is configured."""
    own = chip.configuration.of(Parameters)
    state.side = own.supertile_side
    state.adapts, state.whole = own.adapt == "on", own.temperature == "supertile"
    state.step, state.cycles, state.position = 1, NEVER, -1


@unit
def pass_begin(gpu: Gpu, own: Tables, commands: Commands, render_pass: int, t: int) -> int:
    """Sum the temperatures of supertiles, if they are known of this pass."""
    state = gpu.technique.libra
    row = commands.render_pass[render_pass]
    state.active = begin_pass(state.last, commands, render_pass) and row.last_tile <= MAX_TILES
    for r in range(MAX_RASTER_UNITS):
        state.tile[r] = NO_TILE
    if state.active == 0:
        return GO
    for tile in range(row.first_tile, row.last_tile):
        state.sum[tile] = state.tiles[tile] = state.taken[tile] = 0
    for tile in range(row.first_tile, row.last_tile):
        first = own.supertile[SIDES * tile + state.side]
        state.sum[first] += state.temperature[tile]
        state.tiles[first] += 1
    return GO


@inline
def next_tile(gpu: Gpu, own: Tables, tiling: Tiling, position: int) -> int:
    """The next tile of the supertile of the Raster Unit that has fewest primitives in its Tile Queue."""
    state = gpu.technique.libra
    if state.active == 0:
        return position
    if state.position != position:
        state.position = position
        choose_tile(gpu, own, tiling, position)
    gpu.tile_fetcher.asked = state.given
    return int(state.given)


@unit
def choose_tile(gpu: Gpu, own: Tables, tiling: Tiling, position: int) -> None:
    """Find the tile for a position, and its Raster Unit."""
    state = gpu.technique.libra
    r = tile_scheduler.emptiest(gpu, int(state.raster_unit))
    if state.tile[r] == NO_TILE:
        first, last = gpu.tile_fetcher.first_tile, gpu.tile_fetcher.last_tile
        state.tile[r] = extreme(state, first, last, r % 2 == 0)
        state.scheduled_supertiles += state.tile[r] != NO_TILE
    if state.tile[r] == NO_TILE:
        # What is left is of the supertiles of others.
        owner = 0
        while state.tile[owner] == NO_TILE:
            owner += 1
        take(own, state, owner, r)
    else:
        take(own, state, r, r)


@inline
def take(own: Tables, state: State, owner: int, r: int) -> None:
    """Give the next tile of a Raster Unit's supertile to one."""
    state.given, state.raster_unit = state.tile[owner], r
    state.tile[owner] = own.following[SIDES * state.given + state.side]
    state.scheduled_tiles += 1


@unit
def extreme(state: State, first: int, last: int, hottest: bool) -> int:
    """First tile of the hottest or coldest supertile that has not begun, of equals the first one; NO_TILE if all have.
    It begins now."""
    chosen = NO_TILE
    for tile in range(first, last):
        if state.tiles[tile] == 0 or state.taken[tile] != 0:
            continue
        state.compared_supertiles += 1
        if chosen == NO_TILE or beats(state, tile, chosen, hottest):
            chosen = tile
    if chosen != NO_TILE:
        state.taken[chosen] = 1
    return chosen


@inline
def beats(state: State, one: int, other: int, hottest: bool) -> bool:
    """Whether a supertile is hotter than another, or colder."""
    left, right = int(state.sum[one]), int(state.sum[other])
    if state.whole == 0:
        left, right = left * state.tiles[other], right * state.tiles[one]
    return left > right if hottest else left < right


@inline
def tile_assigned(gpu: Gpu, own: Tables, tiling: Tiling, r: int, tile: int, t: int) -> int:
    """The Raster Unit that the tile was chosen for."""
    return int(gpu.technique.libra.raster_unit) if gpu.technique.libra.active != 0 else r


@inline
def dram_accessed(gpu: Gpu, request: PendingRequest) -> None:
    """A request of a tile makes it hotter."""
    if 0 <= request.tile < MAX_TILES:
        gpu.technique.libra.requests[request.tile] += 1


@unit
def frame_end(gpu: Gpu, own: Tables, commands: Commands, t: int) -> None:
    """Keep the temperatures for the next frame, and adapt the side of supertiles."""
    state = gpu.technique.libra
    remember(state.last, commands)
    for tile in range(min(len(commands.tile), MAX_TILES)):
        state.temperature[tile] = state.requests[tile]
        state.requests[tile] = 0
    cycles = t - state.began
    state.began, state.position = t, -1
    state.frames += 1
    state.sides += 1 << state.side
    if state.adapts != 0:
        if cycles > state.cycles:
            state.step = -state.step
        side = state.side + state.step
        if side < 0 or side >= SIDES:
            state.step = -state.step
            side = state.side + state.step
        state.side = side
    state.cycles = cycles


def load(source: Any, configuration: Hardware, frame: Any) -> Tables:
    """Supertiles of the frame's passes."""
    tiles, sizes = frame.commands.tile, configuration.of(Tiles)
    supertile = np.zeros((len(tiles), SIDES), np.int64)
    following = np.full((len(tiles), SIDES), NO_TILE, np.int64)
    rows = np.arange(len(tiles))
    for k in range(SIDES):
        x, y = tiles["x"] // (sizes.width << k), tiles["y"] // (sizes.height << k)
        keys = np.stack([tiles["render_pass"], x, y], axis=1)
        _, first, which = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        which = which.reshape(-1)
        supertile[:, k] = first[which]
        order = np.lexsort((rows, which))
        same = which[order][1:] == which[order][:-1]
        following[order[:-1][same], k] = order[1:][same]
    return Tables(supertile.reshape(-1), following.reshape(-1))


TECHNIQUE = Technique(
    "libra",
    "LIBRA (MICRO 2024), after the abstract: tiles to Raster Units by temperature, in adaptive supertiles",
    parameters=Parameters,
    record=State,
    setup=setup,
    load=load,
    statistics=(
        Stat(f"{NAME}.scheduled_tiles", "tiles", "tiles that went to a Raster Unit by temperature", "scheduled_tiles"),
        Stat(f"{NAME}.supertiles", "supertiles", "supertiles that these were of", "scheduled_supertiles"),
        Stat(f"{NAME}.compared_supertiles", "supertiles", "supertiles compared for it", "compared_supertiles"),
        Stat(f"{NAME}.side", "tiles", "side of supertiles, summed over frames", "sides"),
        Stat(f"{NAME}.frames", "frames", "frames", "frames"),
    ),
    structures=(
        Structure(
            "libra.temperatures",
            RASTER,
            once,
            lambda c: Ram(1024, COUNTER_BITS),
            lambda v: v[f"{NAME}.compared_supertiles"] + v["memory.dram.accesses"],
            stat("memory.dram.accesses"),
        ),
    ),
    # Before what skips tiles.
    order=1,
    conflicts=("deferred_rendering", "tcor"),
    machines=("tile_based",),
    one_application=True,
)
