"""Frame buffer compression (Arm's AFBC): what is drawn and sampled later is kept compressed in memory.

A superblock of 16x16 pixels has a header of 16 bytes and a payload, which holds 4x4 subblocks of 4x4 pixels. The header
has the sizes of these; a superblock of one value is its header. Tiles are compressed as they are flushed; texels are
decompressed on their way from the L2 to the first-level caches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.hooks import GO
from ...engine.jit import inline
from ...engine.technique import Technique
from ...memory.lines import forget
from .parameters import Parameters
from .reading import line_arrived as line_arrived
from .reading import line_asked as line_asked
from .state import STATISTICS, STRUCTURES, Level, State, setup
from .tables import NAME, Tables, load
from .writing import take_colors, take_depths
from .writing import tile_line as tile_line

if TYPE_CHECKING:
    from ...engine.frame import Commands, Depth
    from ...memory.gpu import Gpu


@inline
def pass_begin(gpu: Gpu, own: Tables, commands: Commands, render_pass: int, t: int) -> int:
    """Caches look levels up in registers; tiles of earlier passes are none of this one's."""
    state = gpu.technique.frame_buffer_compression
    state.levels = len(own.level)
    for i in range(state.levels):
        copy_level(own.level[i], state.level[i])
    for r in range(gpu.raster_units):
        state.drawn[r] = -1
    return GO


@inline
def copy_level(source: Level, level: Level) -> None:
    """Set the registers of a level."""
    level.address = source.address
    level.end = source.end
    level.layout = source.layout
    level.stored = source.stored
    level.across_bits = source.across_bits
    level.down_bits = source.down_bits
    level.pitch = source.pitch
    level.wide = source.wide
    level.tall = source.tall
    level.first = source.first
    level.across = source.across
    level.tiled = source.tiled
    level.headers = source.headers
    level.bodies = source.bodies
    level.body_bytes = source.body_bytes
    level.region_bytes = source.region_bytes
    level.uncompressed_bytes = source.uncompressed_bytes


@inline
def tile_tested(gpu: Gpu, own: Tables, commands: Commands, depth: Depth, r: int, tile: int, t: int) -> None:
    """Depths are as they are flushed."""
    take_depths(gpu, own, commands, r, tile)


@inline
def blended(gpu: Gpu, own: Tables, depth: Depth, r: int, quad: int, passed: int, t: int) -> None:
    """The tile is not as it was cleared any more."""
    gpu.technique.frame_buffer_compression.drawn[r] = gpu.raster_unit[r].blending.tile


@inline
def tile_flush(gpu: Gpu, own: Tables, commands: Commands, r: int, tile: int, t: int) -> int:
    """Colours are as they are flushed."""
    state = gpu.technique.frame_buffer_compression
    state.clean = state.drawn[r] != tile
    take_colors(gpu, own, commands, tile)
    return GO


@inline
def pass_done(gpu: Gpu, own: Tables, commands: Commands, render_pass: int, t: int) -> int:
    """Drop compressed attachments from the L2, whose lines of them are outdated: the flush bypassed it."""
    row = commands.render_pass[render_pass]
    for target in range(row.first_target, row.last_target):
        if own.target[target].level >= 0 and commands.target[target].store != 0:
            level = gpu.technique.frame_buffer_compression.level[own.target[target].level]
            forget(gpu, level.headers, level.region_bytes)
    return GO


TECHNIQUE = Technique(
    NAME,
    "frame buffer compression (Arm's AFBC, from public documents)",
    parameters=Parameters,
    record=State,
    setup=setup,
    load=load,
    statistics=STATISTICS,
    structures=STRUCTURES,
    order=30,
    machines=("tile_based", "unified"),
)
