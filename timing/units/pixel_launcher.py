"""Pixel launcher: hands pixel tiles, the quads that one primitive has in a square of pixels, to any core with room.

So it is in the code that the authors of Emerald published of the earlier version (gem5-graphics_v1), on which the first
case study ran (5.2: "a simpler pixel tile launcher"; Table 5: pixel tiles of 32x32). A pixel tile leaves some time
after its last depth was tested, in blocks of threads. Blocks leave in order; one that reads colours or depths waits
until nothing else is shaded at its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import model_validator

from tilegpu.functional.errors import UserError
from tilegpu.timing.declare.parameters import Group, number
from tilegpu.timing.declare.records import MAX_SIMT_THREADS, NEVER, Record, Ring, Rows, i4, i8, room
from tilegpu.timing.declare.statistics import Stat, ratio, spent

from ..engine import hooks
from ..engine.account import BLOCKED, BUSY, IDLE, WAITING, Accounted, become
from ..engine.calendar import poke, poke_at, wake
from ..engine.jit import inline, unit
from ..engine.ring import drop, front, grow, wrap
from ..engine.unit import Unit
from ..engine.wiring import access
from . import simt_warps
from .depth_test import work_of
from .raster_pipeline import is_central

if TYPE_CHECKING:
    from ..engine.chip import Chip
    from ..engine.cluster_tables import Clusters
    from ..engine.frame import Depth, Shading, Surfaces
    from ..memory.gpu import Gpu
    from .simt_core import SimtCore


@access
def core_of(gpu: Gpu, k: int) -> SimtCore:
    """Core of a cluster."""
    raise NotImplementedError


@access
def room_for_quads(gpu: Gpu) -> None:
    """Tell the depth unit that there is room for quads."""
    raise NotImplementedError


@access
def fragments_begin(gpu: Gpu, t: int) -> None:
    """Tell that a warp of fragments begins."""
    raise NotImplementedError


MAX_BLOCK_THREADS = 1024
MAX_BLOCKS = 64


class Block(Record):
    """Block of threads, with the quads that they shade."""

    place: i4
    draw: i4
    quads: i4
    due: i8
    quad: Rows[i4] = room(MAX_BLOCK_THREADS // 4)


class PixelLauncher(Accounted):
    """Registers of a pixel launcher. `block`: in order, the latest `open` ones with `due` NEVER, until their pixel tile
    is whole; `block_quads`: that a block has at most, `tile_blocks` that a pixel tile has; `side`: quads on a side of a
    pixel tile; `turn`: core that is asked first."""

    id: i8
    block: Ring[Block] = room(MAX_BLOCKS)
    open: i8
    block_quads: i8
    tile_blocks: i8
    side: i8
    latency: i8
    turn: i8
    pixel_tiles: i8
    blocks: i8
    quads: i8
    warps: i8


@unit
def tick(gpu: Gpu, shading: Shading, clusters: Clusters, depth: Depth, t: int) -> int:
    own: PixelLauncher = gpu.pixel_launcher
    if own.block.count == 0:
        become(own, IDLE, t)
        return NEVER
    block = front(own.block)
    if block.due > t:
        become(own, WAITING, t)
        return int(block.due)
    k = free_core(gpu, clusters, depth, own, block)
    if k < 0:
        become(own, BLOCKED, t)
        return NEVER
    launch(gpu, shading, clusters, depth, own, block, k, t)
    drop(own.block)
    own.turn = k + 1 if k + 1 < gpu.instances.simt_core else 0
    room_for_quads(gpu)
    if own.block.count == 0:
        wake(gpu, gpu.signal.progress)
    become(own, BUSY, t)
    return t + 1


@inline
def free_core(gpu: Gpu, clusters: Clusters, depth: Depth, own: PixelLauncher, block: Block) -> int:
    """The next core in turn that has room for a block, or -1; none if it has to wait for its place."""
    if clusters.program[block.draw].reads != 0 and clusters.busy[block.place] != 0:
        return -1
    k = own.turn
    for _ in range(gpu.instances.simt_core):
        core = core_of(gpu, k)
        warps = -(-block.quads * 4 // core.warp_threads)
        if simt_warps.has_room(core, warps, clusters.program[block.draw].registers):
            return int(k)
        k = k + 1 if k + 1 < gpu.instances.simt_core else 0
    return -1


@unit
def launch(
    gpu: Gpu, shading: Shading, clusters: Clusters, depth: Depth, own: PixelLauncher, block: Block, k: int, t: int
) -> None:
    """Make warps of the quads of a block."""
    core = core_of(gpu, k)
    hooks.works_for(gpu, own.id, work_of(depth, int(block.quad[0])))
    w = -1
    for n in range(block.quads):
        if n * 4 % core.warp_threads == 0:
            if w >= 0:
                simt_warps.launch(gpu, shading, core, w)
            w = simt_warps.begin(gpu, core, 0, clusters.program[block.draw].registers, t)
            core.warp[w].place = block.place
            core.warp[w].tile = gpu.vertex_launcher.tile
            clusters.busy[block.place] += 1
            fragments_begin(gpu, t)
            own.warps += 1
        q = block.quad[n]
        simt_warps.enter(shading, core, w, q, shading.quad[q].path, 4)
    simt_warps.launch(gpu, shading, core, w)
    own.blocks += 1
    own.quads += block.quads


@inline
def has_launch_room(gpu: Gpu) -> bool:
    """Whether there is room for all blocks of the pixel tile at work, or of the next one."""
    own: PixelLauncher = gpu.pixel_launcher
    return bool(own.block.count - own.open + own.tile_blocks <= own.block.depth)


@unit
def accept_quad(gpu: Gpu, surfaces: Surfaces, depth: Depth, clusters: Clusters, q: int) -> None:
    """A quad that is to be shaded: it goes into the open block of its pixel tile, or into a new one."""
    own: PixelLauncher = gpu.pixel_launcher
    quad = depth.quad[q]
    width = surfaces.render_pass[gpu.vertex_launcher.tile].width
    place = quad.y // own.side * -(-width // (2 * own.side)) + quad.x // own.side
    last = wrap(own.block, own.block.head + own.block.count - 1)
    block = own.block.slot[last]
    if own.open == 0 or block.quads == own.block_quads:
        block = grow(own.block)
        own.open += 1
        poke(gpu, own.id)
        block.place, block.quads, block.due = place, 0, NEVER
        block.draw = depth.primitive[quad.primitive].state
    block.quad[block.quads] = q
    block.quads += 1


@unit
def end_of_pixel_tile(gpu: Gpu, t: int) -> None:
    """The last raster tile of a pixel tile was tested: its blocks can leave soon."""
    own: PixelLauncher = gpu.pixel_launcher
    for n in range(own.block.count - own.open, own.block.count):
        own.block.slot[wrap(own.block, own.block.head + n)].due = t + 1 + own.latency
    if own.open > 0:
        own.open = 0
        own.pixel_tiles += 1
        poke_at(gpu, own.id, t + 1 + own.latency)


@inline
def is_empty(gpu: Gpu) -> bool:
    """Whether no block is left in it."""
    return bool(gpu.pixel_launcher.block.count == 0)


class PixelLauncherParameters(Group, section="pixel_launcher"):
    """Launcher of pixel tiles behind the depth unit (gem5-graphics_v1)."""

    side_pixels: int = number(32, "pixels", "on a side of a pixel tile [Emerald, Table 5]", 8, 64)
    block_threads: int = number(
        256, "threads", "of a block, which a core takes as a whole [gem5-graphics_v1]", MAX_SIMT_THREADS, 1024
    )
    launch_cycles: int = number(
        238, "cycles", "from the last depth of a pixel tile to its launch: 0.25 us [gem5-graphics_v1]", 0, 100_000
    )
    pixel_tiles: int = number(4, "tiles", "pixel tiles waiting", 1, 8)

    @model_validator(mode="after")
    def _fits(self) -> PixelLauncherParameters:
        if self.side_pixels & (self.side_pixels - 1) or self.block_threads % MAX_SIMT_THREADS:
            raise UserError("side_pixels must be a power of two, and block_threads whole warps")
        if -(-(self.side_pixels**2) // self.block_threads) * self.pixel_tiles > MAX_BLOCKS:
            raise UserError(f"pixel tiles waiting may have {MAX_BLOCKS} blocks together: lower pixel_tiles")
        return self


def setup(chip: Chip, own: PixelLauncher, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    spec = chip.configuration.of(PixelLauncherParameters)
    own.side, own.latency, own.block_quads = spec.side_pixels // 2, spec.launch_cycles, spec.block_threads // 4
    own.tile_blocks = -(-own.side * own.side // own.block_quads)
    own.block.depth = own.tile_blocks * spec.pixel_tiles
    own.cause = IDLE


NAME = "simt.pixel_launcher"

UNIT = Unit(
    "pixel_launcher",
    __name__,
    PixelLauncher,
    tick,
    tables=("shading", "machine", "depth"),
    count=lambda c: int(is_central(c)),
    parameters=(PixelLauncherParameters,),
    setup=setup,
    reason="launch",
    marks=("blocks", "pixel_tiles"),
    stands=lambda own: f"{int(own.block.count)} of {int(own.block.depth)} blocks",
    statistics=(
        Stat(f"{NAME}.pixel_tiles", "tiles", "pixel tiles with quads that are shaded", "pixel_tiles"),
        Stat(f"{NAME}.blocks", "blocks", "blocks of threads handed to the cores", "blocks"),
        Stat(f"{NAME}.quads", "quads", "quads in them", "quads"),
        Stat(f"{NAME}.warps", "warps", "warps made of them", "warps"),
        ratio(f"{NAME}.quads_per_warp", "quads/warp", "quads of 8 in a warp, mean", f"{NAME}.quads", f"{NAME}.warps"),
        *spent(NAME, "the pixel launcher"),
    ),
)
