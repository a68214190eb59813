"""Rendering Elimination (Anglada et al., HPCA 2019): tiles whose inputs are those of an earlier frame are not rendered.

The Signature Unit signs what the Polygon List Builder sorts into tiles; when a tile is scheduled, its signature is
compared with that of the frame whose pixels the same frame buffer holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.calendar import poke
from ...engine.hooks import GO, SKIP_TILE, WAIT, WAIT_TILE
from ...engine.jit import inline
from ...engine.technique import Technique
from . import signature_unit, tables
from .check import check
from .parameters import Parameters
from .state import NO_FRAME, STATISTICS, State, setup
from .structures import STRUCTURES

if TYPE_CHECKING:
    from ...engine.frame import Binning, Commands, Tiling
    from ...memory.gpu import Gpu
    from .tables import Tables


@inline
def pass_begin(gpu: Gpu, own: Tables, commands: Commands, render_pass: int, t: int) -> int:
    """A new set of signatures for the pass that draws the screen."""
    state = gpu.technique.rendering_elimination
    row = own.render_pass[render_pass]
    state.signing = row.signing
    if row.on_screen != 0:
        state.set = state.set + 1 if state.set + 1 < state.sets else 0
        state.frame[state.set] = row.frame if row.signing != 0 else NO_FRAME
        state.comparing = row.comparing
        state.frames_without_signatures += row.unsignable
        state.block = -1
        signature_unit.begin_pass(state, row)
    return GO


@inline
def primitive_begin(gpu: Gpu, own: Tables, binning: Binning, primitive: int, t: int) -> int:
    """The attributes go to the Compute CRC unit, if it is free."""
    state = gpu.technique.rendering_elimination
    if state.signing == 0:
        return GO
    if signature_unit.take(gpu, own, state, primitive, t):
        poke(gpu, gpu.signature_unit.id)
        return GO
    return WAIT


@inline
def binned(gpu: Gpu, own: Tables, binning: Binning, primitive: int, entry: int, t: int) -> int:
    """The tile goes to the OT Queue, if there is room."""
    state = gpu.technique.rendering_elimination
    if state.signing == 0:
        return GO
    if signature_unit.enqueue(gpu, own, state, primitive, entry):
        poke(gpu, gpu.signature_unit.id)
        return GO
    return WAIT


@inline
def geometry_done(gpu: Gpu, own: Tables, commands: Commands, render_pass: int, t: int) -> int:
    """No tile begins before all signatures are complete."""
    state = gpu.technique.rendering_elimination
    return GO if state.signing == 0 or signature_unit.drained(gpu) else WAIT


@inline
def next_tile(gpu: Gpu, own: Tables, tiling: Tiling, position: int) -> int:
    """Compare the signatures of a tile, which takes a while; leave it out where they are equal."""
    state = gpu.technique.rendering_elimination
    tile = own.tile[position]
    if own.render_pass[tile.render_pass].signing == 0:
        return position
    if state.compare_cycles > 0 and state.compared != position:
        if state.compare_due == 0:
            state.compare_due = gpu.calendar.now + state.compare_cycles
            state.comparing_tile = position
            poke(gpu, gpu.signature_unit.id)
        return WAIT_TILE
    state.compared = -1
    if not signature_unit.matches(state, tile):
        return position
    state.skipped_tiles += 1
    state.skipped[tile.slot] = 1
    tiling.log[position].skipped_by = state.number
    return SKIP_TILE


TECHNIQUE = Technique(
    "rendering_elimination",
    "Rendering Elimination (Anglada et al., HPCA 2019, III)",
    parameters=Parameters,
    record=State,
    setup=setup,
    load=tables.load,
    units=(signature_unit.UNIT,),
    statistics=STATISTICS,
    structures=STRUCTURES,
    check=check,
    order=10,
    machines=("tile_based",),
    changes_shading=True,
)
