"""Render-Based Collision Detection (de Lucas' thesis of 2018, chapter 5): the RBCD unit takes the fragments of
collisionable objects from the Rasterizer, sorts those of each pixel by depth and finds objects whose depths overlap.

It works in parallel with the raster stage. Face culling of these objects is deferred: what it would drop is binned and
rasterized, and goes no further.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import END_OF_TILE, QUAD

from ...engine.calendar import poke
from ...engine.hooks import GO, SKIP, WAIT
from ...engine.jit import inline
from ...engine.ring import full, push_token
from ...engine.technique import Technique
from . import deferred_culling, insertion, tables, z_overlap_test
from .parameters import Parameters
from .results import TABLES
from .state import NO_TILE, STATISTICS, STRUCTURES, State, setup

if TYPE_CHECKING:
    from ...engine.frame import Commands, Tiling
    from ...memory.gpu import Gpu
    from .insertion import ZebInsertion
    from .tables import Tables


@inline
def pass_begin(gpu: Gpu, own: Tables, commands: Commands, render_pass: int, t: int) -> int:
    """Nothing is found of a new frame."""
    if render_pass == 0:
        own.counts[0].pairs = 0
    for r in range(gpu.raster_units):
        gpu.raster_unit[r].z_overlap_test.draining = 0
    return GO


@inline
def rasterized(gpu: Gpu, own: Tables, tiling: Tiling, r: int, quad: int, t: int) -> int:
    """Quads of collisionable objects go to the RBCD unit, too; those of tagged primitives go nowhere else."""
    row = own.primitive[own.primitive_of[quad]]
    if row.object < 0:
        return GO
    inserter: ZebInsertion = gpu.raster_unit[r].zeb_insertion
    if full(inserter.queue):
        return WAIT
    state = gpu.technique.rbcd
    tile = gpu.raster_unit[r].rasterizer.tile
    push_token(inserter.queue, QUAD, tile, quad)
    poke(gpu, inserter.id)
    state.zeb[r].open = tile
    state.quads += 1
    if row.tagged == 0:
        return GO
    state.tagged_quads += 1
    return SKIP


@inline
def tile_rasterized(gpu: Gpu, own: Tables, tiling: Tiling, r: int, tile: int, t: int) -> int:
    """The end of a tile goes to the RBCD unit if anything of the tile did."""
    zebs = gpu.technique.rbcd.zeb[r]
    if zebs.open == NO_TILE:
        return GO
    inserter: ZebInsertion = gpu.raster_unit[r].zeb_insertion
    if full(inserter.queue):
        return WAIT
    push_token(inserter.queue, END_OF_TILE, tile, -1)
    poke(gpu, inserter.id)
    zebs.open = NO_TILE
    return GO


@inline
def pass_done(gpu: Gpu, own: Tables, commands: Commands, render_pass: int, t: int) -> int:
    """A pass ends when all of its pairs are on their way to memory."""
    done = GO
    for r in range(gpu.raster_units):
        if not z_overlap_test.drained(gpu, r):
            done = WAIT
    return done


TECHNIQUE = Technique(
    "rbcd",
    "Render-Based Collision Detection (thesis of 2018, chapter 5)",
    parameters=Parameters,
    record=State,
    setup=setup,
    amend=deferred_culling.amend,
    load=tables.load,
    units=(insertion.UNIT, z_overlap_test.UNIT),
    statistics=STATISTICS,
    results=TABLES,
    structures=STRUCTURES,
    order=30,
    # Both rasterize what is tagged beyond the Rasterizer that drops it.
    conflicts=("deferred_rendering", "fragment_memoization"),
    machines=("tile_based",),
)
