"""Deferred Rendering (de Lucas' thesis of 2018, 4.3.1): hidden surfaces of a tile are removed before it is rendered.

Hidden surface removal (HSR) fetches and rasterizes the opaque primitives of the next tile for their depths alone. Then
the tile is rendered against these: of opaque draws only what is visible passes early depth, with the depth and the draw
that HSR has found in front. What discards, writes its depth or blends is left out of HSR and tested as ever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.hooks import GO, SKIP, WAIT
from ...engine.jit import inline
from ...engine.technique import Technique
from ..shared.depth_ties import NO_PRIORITY
from ..shared.hidden_surfaces import is_visible, keep
from . import hsr_depth_test, hsr_fetcher, hsr_rasterizer, tables
from .parameters import Parameters
from .state import STATISTICS, STRUCTURES, State, setup

if TYPE_CHECKING:
    from ...engine.frame import Commands, Depth
    from ...engine.hooks import Compared
    from ...memory.gpu import Gpu
    from .tables import Tables


@inline
def tile_request(gpu: Gpu, t: int) -> int:
    """One request to the Tile Cache per cycle, of both in turn."""
    ours = gpu.hsr_fetcher.wants != 0 and gpu.tile_fetcher.sent > gpu.hsr_fetcher.sent
    return WAIT if ours else GO


@inline
def depth_load(gpu: Gpu, own: Tables, commands: Commands, r: int, tile: int, t: int) -> int:
    """Depths are in the buffer that is taken over."""
    return SKIP


@inline
def tile_begin(gpu: Gpu, own: Tables, commands: Commands, depth: Depth, r: int, tile: int, t: int) -> None:
    """The tile's depths are those that HSR has found."""
    occluder = gpu.technique.deferred_rendering.occluder[r]
    hsr_depth_test.take(gpu, r, gpu.raster_unit[r].early_depth.buffer, occluder)


@inline
def depth_tested(
    gpu: Gpu, own: Tables, depth: Depth, r: int, place: int, quad: int, compared: Compared, passed: bool
) -> bool:
    """Of opaque draws only the one that HSR has found passes, where it is not rendered yet; between other equal depths
    the number of the draw decides."""
    state = gpu.technique.deferred_rendering
    row = own.draw[depth.primitive[depth.quad[quad].primitive].state]
    occluder = state.occluder[r]
    visible = is_visible(row, occluder, place, compared, passed)
    if occluder.rendered[place] == 0 and row.opaque != 0:
        state.kept += visible
        state.hidden += not visible
    return visible


@inline
def depth_written(gpu: Gpu, own: Tables, depth: Depth, r: int, place: int, quad: int) -> None:
    """The depth buffer keeps the draw next to the depth."""
    row = own.draw[depth.primitive[depth.quad[quad].primitive].state]
    keep(gpu.technique.deferred_rendering.occluder[r], place, row.priority, 1)


@inline
def depth_cleared(gpu: Gpu, own: Tables, depth: Depth, r: int, place: int) -> None:
    """The clear's depth belongs to no draw."""
    keep(gpu.technique.deferred_rendering.occluder[r], place, NO_PRIORITY, 1)


TECHNIQUE = Technique(
    "deferred_rendering",
    "Deferred Rendering (thesis of 2018, 4.3.1)",
    parameters=Parameters,
    record=State,
    setup=setup,
    load=tables.load,
    units=(hsr_depth_test.UNIT, hsr_rasterizer.UNIT, hsr_fetcher.UNIT),
    wires={"tile_fetcher.ask_tile": hsr_fetcher.ready_tile, "tile_fetcher.assign": hsr_fetcher.assigned},
    statistics=STATISTICS,
    structures=STRUCTURES,
    order=6,
    conflicts=("visibility_rendering_order", "fragment_memoization"),
    machines=("tile_based",),
    changes_shading=True,
)
