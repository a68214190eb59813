"""The Omega-Test (Corbalan-Navarro et al., TVCG 2022), after the abstract: the depths of a finished tile predict what
is visible in it in the next frame.

A quad that lies behind the depths that its place had in the last frame is predicted to be hidden. It waits until all
others of its tile have gone to early depth, and follows then: early depth kills it, or, where the prediction was wrong,
it is drawn after all. So the picture stays the same, and a wrong prediction costs no more than another order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...engine.hooks import GO, SKIP, WAIT
from ...engine.jit import inline, unit
from ...engine.ring import full, grow
from ...engine.technique import Technique
from ...loading.source import need_hidden_quads
from ...units.depth_test import depth_of_sample
from ..shared import moved_draws, stored_tiles
from ..shared.depth_ties import NO_PRIORITY
from ..shared.last_frame import begin_pass, remember
from ..shared.moved_draws import segments, undivided
from . import omega_unit
from .state import MAX_SAMPLES, STATISTICS, STRUCTURES, Parameters, State, setup

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

    from ...engine.frame import Commands, Depth, Tiling
    from ...engine.hooks import Compared
    from ...memory.gpu import Gpu


class Tables(NamedTuple):
    """Draws, of `shared.moved_draws`; and which tiles have no clear between draws, so that their quads may wait."""

    draw: np.ndarray[Any, Any]
    whole: np.ndarray[Any, Any]


@inline
def pass_begin(gpu: Gpu, own: Tables, commands: Commands, render_pass: int, t: int) -> int:
    """Whether the last frame had this pass, and depths of one sample a pixel."""
    state = gpu.technique.omega_test
    comparable = begin_pass(state.last, commands, render_pass)
    row = commands.render_pass[render_pass]
    state.active = comparable and row.samples == 1 and row.last_tile * state.samples <= MAX_SAMPLES
    return GO


@inline
def tile_assigned(gpu: Gpu, own: Tables, tiling: Tiling, r: int, tile: int, t: int) -> int:
    """Fetch the depths of a tile for the Raster Unit that it goes to."""
    unit = gpu.raster_unit[r].omega_unit
    if gpu.technique.omega_test.active != 0 and own.whole[tile] != 0 and not full(unit.tiles.coming):
        stored_tiles.comes(gpu, unit.tiles, unit.id, tile)
    return r


@inline
def rasterized(gpu: Gpu, own: Tables, tiling: Tiling, r: int, quad: int, t: int) -> int:
    """Defer a quad that is predicted to be hidden; one that must not pass those that wait follows them."""
    unit, tile = gpu.raster_unit[r].omega_unit, int(gpu.raster_unit[r].rasterizer.tile)
    if not stored_tiles.is_at_work(unit.tiles, tile):
        return GO
    if unit.hands_on != 0 or not stored_tiles.arrived(unit.tiles):
        return WAIT
    draw = own.draw[tiling.primitive[tiling.quad[quad].primitive].state]
    if unit.waiting.count > 0 and draw.segment != unit.segment:
        omega_unit.let_go(gpu, unit)
        return WAIT
    if draw.priority == NO_PRIORITY or full(unit.waiting) or not is_hidden(gpu, tiling, tile, quad, int(draw.towards)):
        return GO
    unit.segment = draw.segment
    entry = grow(unit.waiting)
    entry.tile, entry.quad = tile, quad
    gpu.technique.omega_test.deferred += 1
    return SKIP


@unit
def is_hidden(gpu: Gpu, tiling: Tiling, tile: int, q: int, towards: int) -> bool:
    """Whether all fragments of a quad lie behind the last frame's depths."""
    state, quad = gpu.technique.omega_test, tiling.quad[q]
    primitive, row = tiling.primitive[quad.primitive], tiling.tile[tile]
    draw_state = tiling.state[primitive.state]
    state.compared += 1
    if draw_state.late != 0:
        return False
    for lane in range(4):
        if quad.coverage >> lane & 1 != 0:
            x, y = quad.x * 2 + (lane & 1), quad.y * 2 + (lane >> 1)
            z = depth_of_sample(primitive, draw_state, x, y, 0, 1)
            before = state.omega[tile * state.samples + (y - row.y) * gpu.tile_width + x - row.x]
            if towards * (z - before) + state.slack >= 0:
                return False
    return True


@inline
def tile_rasterized(gpu: Gpu, own: Tables, tiling: Tiling, r: int, tile: int, t: int) -> int:
    """The end of a tile follows what waits for it."""
    unit = gpu.raster_unit[r].omega_unit
    if not stored_tiles.is_at_work(unit.tiles, tile):
        return GO
    if not stored_tiles.arrived(unit.tiles) or not omega_unit.let_go(gpu, unit):
        return WAIT
    stored_tiles.leaves(gpu, unit.tiles, unit.id)
    return GO


@unit
def tile_begin(gpu: Gpu, own: Tables, commands: Commands, depth: Depth, r: int, tile: int, t: int) -> None:
    """The depths of a new tile are of no draw yet."""
    samples = gpu.technique.omega_test.samples * gpu.raster_unit[r].early_depth.buffer.samples
    moved_draws.begin_tile(gpu.technique.omega_test.occluder[r], samples)


@inline
def depth_cleared(gpu: Gpu, own: Tables, depth: Depth, r: int, place: int) -> None:
    """The clear's depth is of no draw."""
    gpu.technique.omega_test.occluder[r].priority[place] = NO_PRIORITY


@inline
def depth_tested(
    gpu: Gpu, own: Tables, depth: Depth, r: int, place: int, quad: int, compared: Compared, passed: bool
) -> bool:
    """Decide between equal depths by the number of the draw."""
    occluder = gpu.technique.omega_test.occluder[r]
    return moved_draws.tested(moved_draws.priority(own.draw, depth, quad), occluder, place, compared, passed)


@inline
def depth_written(gpu: Gpu, own: Tables, depth: Depth, r: int, place: int, quad: int) -> None:
    """The depth is of the quad's draw."""
    gpu.technique.omega_test.occluder[r].priority[place] = moved_draws.priority(own.draw, depth, quad)


@unit
def tile_tested(gpu: Gpu, own: Tables, commands: Commands, depth: Depth, r: int, tile: int, t: int) -> None:
    """Keep the depths of a finished tile for the next frame."""
    state, buffer = gpu.technique.omega_test, gpu.raster_unit[r].early_depth.buffer
    if buffer.samples == 1 and (tile + 1) * state.samples <= MAX_SAMPLES:
        for place in range(state.samples):
            state.omega[tile * state.samples + place] = buffer.depth[place]
        unit = gpu.raster_unit[r].omega_unit
        stored_tiles.finished(gpu, unit.tiles, unit.id, tile)


@inline
def frame_end(gpu: Gpu, own: Tables, commands: Commands, t: int) -> None:
    """The frame is the last one from here on."""
    remember(gpu.technique.omega_test.last, commands)


def load(source: Any, configuration: Hardware, frame: Any) -> Tables:
    """Draws that may change places, and tiles without clears between draws."""
    need_hidden_quads(source.activity, "the Omega-Test tests quads in another order, and only shaded ones are recorded")
    return Tables(segments(source.draws.rows, source.draws.state), undivided(frame))


TECHNIQUE = Technique(
    "omega_test",
    "Omega-Test (Corbalan-Navarro et al., TVCG 2022), after the abstract: quads behind the last depths are tested last",
    parameters=Parameters,
    record=State,
    setup=setup,
    load=load,
    units=(omega_unit.UNIT,),
    statistics=STATISTICS,
    structures=STRUCTURES,
    # After what chooses the Raster Unit of a tile.
    order=90,
    conflicts=("deferred_rendering",),
    machines=("tile_based",),
    changes_shading=True,
    one_application=True,
)
