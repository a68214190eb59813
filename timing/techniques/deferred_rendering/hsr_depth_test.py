"""Early depth of hidden surface removal (4.3.1): finds which draw is in front at each sample of a tile.

It has a Depth Buffer of its own, which early depth takes over when it begins the tile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.functional.activity.kernels.depth import compare
from tilegpu.timing.declare.records import (
    END_OF_TILE,
    MAX_TILE_SAMPLES,
    QUAD,
    Ring,
    Rows,
    Token,
    i4,
    i8,
    room,
)
from tilegpu.timing.declare.statistics import Stat, spent

from ...engine.account import BLOCKED, BUSY, IDLE, WAITING, Accounted, account
from ...engine.calendar import poke
from ...engine.jit import inline, unit
from ...engine.ring import drop, front, full, push
from ...engine.transfer import Transfer
from ...engine.unit import RASTER_UNIT, Unit, Watch
from ...memory.request import DEPTH as DEPTH_SOURCE
from ...units import tile_memory
from ...units.depth_test import TileBuffer, depth_of_sample, place_of
from ...units.early_depth import DEPTH_VALUES, LOAD, exchange
from ...units.pixel_stages import EarlyDepthParameters
from ..shared.depth_ties import NO_PRIORITY, wins
from .hsr_fetcher import finish
from .parameters import Parameters
from .state import DEPTH

if TYPE_CHECKING:
    from ...engine.chip import Chip
    from ...engine.frame import Commands, Depth
    from ...memory.gpu import Gpu
    from ..shared.hidden_surfaces import Occluder
    from .tables import Tables


class HsrDepthTest(Accounted):
    """Registers of the HSR depth test. `flight`: when each quad under way is done; `tile`: whose depths the buffer has,
    until early depth takes them; `ended`: whether the buffer has all of them; `under_way`: tiles that the fetcher has
    begun and early depth has not."""

    id: i8
    queue: Ring[Token] = room(1024)
    flight: Ring[i8] = room(128)
    buffer: TileBuffer
    priority: Rows[i4] = room(MAX_TILE_SAMPLES)
    transfer: Transfer
    tile: i8
    ended: i8
    under_way: i8
    quads_per_cycle: i8
    latency: i8
    read_ports: i8
    write_ports: i8
    quads: i8
    killed_quads: i8


@unit
def tick(gpu: Gpu, own: Tables, commands: Commands, depth: Depth, r: int, t: int) -> int:
    test: HsrDepthTest = gpu.raster_unit[r].hsr_depth_test
    account(test, t)
    moved = False
    while test.flight.count > 0 and front(test.flight) <= t:
        drop(test.flight)
        moved = True
    moved |= accept(gpu, own, commands, depth, r, test, t)
    test.cause = BUSY
    if moved:
        return t + 1
    wake = tile_memory.next_arrival(gpu, test.transfer)
    test.cause = IDLE
    if test.flight.count > 0:
        wake = min(wake, int(front(test.flight)))
        test.cause = WAITING
    elif test.queue.count > 0:
        test.cause = BLOCKED if test.ended != 0 else WAITING
    return int(wake)


@inline
def accept(gpu: Gpu, own: Tables, commands: Commands, depth: Depth, r: int, test: HsrDepthTest, t: int) -> bool:
    moved = False
    most_reads = test.buffer.reads + test.read_ports
    most_writes = test.buffer.writes + test.write_ports
    for _ in range(test.quads_per_cycle):
        if test.queue.count == 0 or test.ended != 0:
            break
        token = front(test.queue)
        if token.tile != test.tile and not begin_tile(gpu, commands, depth, test, int(token.tile), t):
            moved |= test.transfer.sent != 0
            break
        if token.kind == QUAD:
            if full(test.flight):
                break
            if test.buffer.reads == most_reads or test.buffer.writes == most_writes:
                # Its turn comes in the next cycle.
                moved = True
                break
            test_quad(gpu, own, depth, test, int(token.index))
            push(test.flight, t + test.latency)
        elif token.kind == END_OF_TILE:
            if test.flight.count > 0:
                break
            test.ended = 1
            finish(gpu, int(test.tile))
        if full(test.queue):
            poke(gpu, gpu.raster_unit[r].hsr_rasterizer.id)
        drop(test.queue)
        moved = True
    return moved


@unit
def begin_tile(gpu: Gpu, commands: Commands, depth: Depth, test: HsrDepthTest, tile: int, t: int) -> bool:
    """Fill the buffer as early depth would: cleared, or from memory; False until it is."""
    if not tile_memory.load(gpu, commands, test.transfer, tile, DEPTH_SOURCE, t):
        return False
    row = commands.tile[tile]
    render_pass = commands.render_pass[row.render_pass]
    buffer = test.buffer
    test.tile = tile
    buffer.x = row.x
    buffer.y = row.y
    buffer.samples = render_pass.samples
    for i in range(gpu.tile_width * gpu.tile_height * buffer.samples):
        buffer.depth[i] = render_pass.clear_depth
        test.priority[i] = NO_PRIORITY
    if render_pass.load_depth >= 0:
        exchange(gpu, commands, depth, buffer, tile, render_pass.load_depth, DEPTH_VALUES, LOAD)
    return True


@unit
def test_quad(gpu: Gpu, own: Tables, depth: Depth, test: HsrDepthTest, q: int) -> None:
    """Keep the depths of a quad where it is in front."""
    quad = depth.quad[q]
    primitive = depth.primitive[quad.primitive]
    state = depth.state[primitive.state]
    buffer = test.buffer
    priority = own.draw[primitive.state].priority
    test.quads += 1
    buffer.reads += 1
    wrote = False
    for bit in range(4 * buffer.samples):
        if quad.coverage >> bit & 1 == 0:
            continue
        x = quad.x * 2 + (bit & 1)
        y = quad.y * 2 + (bit >> 1 & 1)
        place = place_of(gpu, buffer, x, y, bit >> 2)
        z = depth_of_sample(primitive, state, x, y, bit >> 2, buffer.samples)
        held = buffer.depth[place]
        passes = wins(priority, test.priority[place]) if z == held else compare(state.depth_function, z, held)
        if passes:
            buffer.depth[place] = z
            test.priority[place] = priority
            wrote = True
    test.killed_quads += not wrote
    buffer.writes += wrote


@unit
def take(gpu: Gpu, r: int, buffer: TileBuffer, occluder: Occluder) -> None:
    """Early depth takes over the buffer; it is free for the next tile."""
    test: HsrDepthTest = gpu.raster_unit[r].hsr_depth_test
    for i in range(gpu.tile_width * gpu.tile_height * buffer.samples):
        buffer.depth[i] = test.buffer.depth[i]
        occluder.priority[i] = test.priority[i]
        occluder.rendered[i] = test.priority[i] == NO_PRIORITY
    test.tile = -1
    test.ended = 0
    test.under_way -= 1
    poke(gpu, test.id)
    poke(gpu, gpu.hsr_fetcher.id)


def setup(chip: Chip, test: HsrDepthTest, place: tuple[int, ...]) -> None:
    """Sizes from the configuration: those of early depth."""
    test.queue.depth = chip.configuration.of(Parameters).hsr_fragment_queue
    test.buffer.raster_unit = place[0]
    tile_memory.setup_stage(test, chip.configuration.of(EarlyDepthParameters))


UNIT = Unit(
    "hsr_depth_test",
    __name__,
    HsrDepthTest,
    tick,
    tables=("own", "commands", "depth"),
    scope=RASTER_UNIT,
    setup=setup,
    ports={"transfer.port": "dram"},
    tile="tile",
    marks=("quads",),
    stands=lambda test: f"tile {int(test.tile)}, {int(test.queue.count)} of {int(test.queue.depth)} quads queued",
    watches=(Watch("hsr_fragment", "Fragment Queue of hidden surface removal", "queue"),),
    statistics=(
        Stat(f"{DEPTH}.quads", "quads", "quads tested to remove hidden surfaces", "quads"),
        Stat(f"{DEPTH}.killed_quads", "quads", "quads found behind what was drawn before", "killed_quads"),
        Stat(f"{DEPTH}.reads", "accesses", "quads read from its Depth Buffer", "buffer.reads"),
        Stat(f"{DEPTH}.writes", "accesses", "quads written to its Depth Buffer", "buffer.writes"),
        *spent(DEPTH, "early depth of hidden surface removal"),
    ),
)
