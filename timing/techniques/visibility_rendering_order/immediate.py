"""Visibility Rendering Order on the immediate-mode machine (appendix A): the order guides the Command Processor, so
that objects go through the whole pipeline from front to back.

Graph and sort are those of the tile-based machine. The sort is not hidden behind geometry: a frame begins when its
order is complete.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...engine.hooks import GO, WAIT, WAIT_PRIMITIVE
from ...engine.jit import inline
from ...engine.technique import Technique
from ..shared.depth_ties import NO_PRIORITY
from . import TECHNIQUE as TILE_BASED
from . import draw_order, edge_filter, edge_inserter, immediate_tables, visibility_sort
from .comparisons import depth_tested, depth_written, frame_end, quad_begin
from .state import NO_NODE, OCCLUDERS, STRUCTURES

if TYPE_CHECKING:
    from ...engine.frame import Binning, Commands, Depth
    from ...memory.gpu import Gpu
    from .immediate_tables import Tables


__all__ = ["depth_tested", "depth_written", "frame_end", "quad_begin"]


@inline
def pass_begin(gpu: Gpu, own: Tables, commands: Commands, render_pass: int, t: int) -> int:
    """A frame begins when the graph of the one before is sorted."""
    state = gpu.technique.visibility_rendering_order
    if own.render_pass[render_pass].first != 0 and state.begun == 0:
        state.begun = 1
        visibility_sort.begin(gpu, own)
    if not draw_order.drained(gpu):
        return WAIT
    draw_order.settle(gpu, own, commands, render_pass)
    draw_order.forget(own, commands.render_pass[render_pass])
    return GO


@inline
def next_draw(gpu: Gpu, own: Tables, commands: Commands, position: int) -> int:
    """The draw at a place of the order."""
    return int(own.batch[position])


@inline
def next_assembled(gpu: Gpu, own: Tables, binning: Binning, position: int) -> int:
    """The primitive at a place of the order, once its vertices have arrived."""
    if own.stream_end[position] > gpu.primitive_assembly.committed:
        return WAIT_PRIMITIVE
    return int(own.primitive[position])


@inline
def depth_fetched(gpu: Gpu, own: Tables, depth: Depth, r: int, place: int, stored: int) -> None:
    """Object and draw come with the depth."""
    occluder = gpu.technique.visibility_rendering_order.occluder[r]
    occluder.node[place] = NO_NODE if stored < 0 else own.node[stored]
    occluder.priority[place] = NO_PRIORITY if stored < 0 else own.priority[stored]


@inline
def depth_put_back(gpu: Gpu, own: Tables, depth: Depth, r: int, place: int, stored: int) -> None:
    """Object and draw go back with the depth."""
    occluder = gpu.technique.visibility_rendering_order.occluder[r]
    own.node[stored] = occluder.node[place]
    own.priority[stored] = occluder.priority[place]


@inline
def depth_cleared(gpu: Gpu, own: Tables, depth: Depth, r: int, place: int) -> None:
    """The clear's depth belongs to no object."""
    own.node[place] = NO_NODE
    own.priority[place] = NO_PRIORITY


TECHNIQUE = Technique(
    TILE_BASED.name,
    "Visibility Rendering Order on an immediate-mode GPU (thesis of 2018, appendix A)",
    parameters=TILE_BASED.parameters,
    record=TILE_BASED.record,
    setup=TILE_BASED.setup,
    load=immediate_tables.load,
    units=(
        replace(edge_inserter.UNIT, ahead_of="cached_depth"),
        replace(edge_filter.UNIT, ahead_of="cached_depth"),
        draw_order.UNIT,
        replace(visibility_sort.UNIT, ahead_of=""),
    ),
    caches=TILE_BASED.caches,
    statistics=TILE_BASED.statistics,
    results=TILE_BASED.results,
    # Objects and draws lie in memory, next to the depths.
    structures=tuple(row for row in STRUCTURES if row.name != OCCLUDERS),
    order=TILE_BASED.order,
    machines=("immediate",),
    form="immediate",
    changes_shading=True,
    one_application=True,
)
