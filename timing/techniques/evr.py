"""Early Visibility Resolution (EVR; Anglada et al., HPCA 2019), after the abstract: what was hidden in the last frame
is drawn last in each tile.

The far depth of a tile is that of its farthest visible point when it is finished. A primitive of the next frame that
lies behind it as a whole is predicted to be hidden, and fetched after those that are not: the depth test then kills it
before it is shaded. A wrong prediction costs what drawing in the recorded order would. Draws that must keep their place
do; the other half of the proposal, tiles that are left out of Rendering Elimination's signatures, is not modelled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tilegpu.timing.declare.energy.geometry import Logic, Ram
from tilegpu.timing.declare.parameters import Group, choice
from tilegpu.timing.declare.records import MAX_RASTER_UNITS, Record, Rows, i8, room
from tilegpu.timing.declare.statistics import Stat
from tilegpu.timing.declare.structures import TILING, Structure, once, stat

from ..engine.hooks import GO
from ..engine.jit import inline, unit
from ..engine.technique import Technique
from ..loading.source import need_hidden_quads
from .shared import moved_draws
from .shared.depth_ties import NO_PRIORITY
from .shared.last_frame import MAX_TILES, LastFrame, begin_pass, remember
from .shared.moved_draws import Occluder, entry_segments, segments
from .shared.primitive_depths import nearest

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

    from ..engine.chip import Chip
    from ..engine.frame import Commands, Depth, Tiling
    from ..engine.hooks import Compared
    from ..memory.gpu import Gpu

NAME = "techniques.evr"
NO_DEPTH = -1
DEPTH_BITS = 24


class Tables(NamedTuple):
    """Draws and entries of the tiles' lists: `draw`, of `shared.moved_draws`; of each entry its `segment`, and `near`,
    the depth of its primitive that is nearest, or NO_DEPTH where it keeps its place; `order`: entries in the order of
    fetching, which the machine fills in."""

    draw: np.ndarray[Any, Any]
    segment: np.ndarray[Any, Any]
    near: np.ndarray[Any, Any]
    order: np.ndarray[Any, Any]


class Parameters(Group, section="technique.evr"):
    """Early Visibility Resolution, [technique.evr]."""

    far: str = choice(
        "depth",
        {"depth": "the far depth of the tile", "nothing": "nothing is predicted to be hidden"},
        "what primitives are compared with; layers of draws without depth are not followed",
    )


class State(Record):
    """Registers. `far`: far depths of the tiles of this frame, and `far_before` of the last one; `tile`: whose order is
    complete."""

    last: LastFrame
    active: i8
    predicts: i8
    tile: i8
    far: Rows[i8] = room(MAX_TILES)
    far_before: Rows[i8] = room(MAX_TILES)
    occluder: Rows[Occluder] = room(MAX_RASTER_UNITS)
    predicted: i8
    compared: i8
    tiles: i8


def setup(chip: Chip, state: Any) -> None:
    """Nothing is known of the frame before."""
    state.predicts, state.tile = chip.configuration.of(Parameters).far == "depth", -1


@inline
def pass_begin(gpu: Gpu, own: Tables, commands: Commands, render_pass: int, t: int) -> int:
    """Whether the last frame had this pass."""
    state = gpu.technique.evr
    state.tile = -1
    state.active = begin_pass(state.last, commands, render_pass) and state.predicts != 0
    return GO


@inline
def next_primitive(gpu: Gpu, own: Tables, tiling: Tiling, entry: int, t: int) -> int:
    """The tile's primitives, those that are predicted to be hidden last."""
    state = gpu.technique.evr
    tile = gpu.tile_fetcher.tile
    if state.active == 0 or tile >= MAX_TILES:
        return entry
    if state.tile != tile:
        state.tile = tile
        sort(own, state, tiling, tile)
    return int(own.order[entry])


@unit
def sort(own: Tables, state: State, tiling: Tiling, tile: int) -> None:
    """Put what is predicted to be hidden behind all else of its segment."""
    at, first, last = tiling.tile[tile].first_entry, tiling.tile[tile].first_entry, tiling.tile[tile].last_entry
    while first < last:
        end = first + 1
        while end < last and own.segment[end] == own.segment[first]:
            end += 1
        for hidden in range(2):
            for entry in range(first, end):
                if is_hidden(own, state, tiling, entry, tile) == (hidden != 0):
                    own.order[at] = entry
                    at += 1
                    state.predicted += hidden
        state.compared += end - first
        first = end


@inline
def is_hidden(own: Tables, state: State, tiling: Tiling, entry: int, tile: int) -> bool:
    """Whether a primitive lies behind the far depth of the tile in the last frame."""
    near, far = own.near[entry], state.far_before[tile]
    if near == NO_DEPTH or far == NO_DEPTH:
        return False
    towards = own.draw[tiling.primitive[tiling.entry[entry].primitive].state].towards
    return bool(towards * (near - far) < 0)


@unit
def tile_begin(gpu: Gpu, own: Tables, commands: Commands, depth: Depth, r: int, tile: int, t: int) -> None:
    """The depths of a new tile are of no draw yet."""
    samples = gpu.tile_width * gpu.tile_height * gpu.raster_unit[r].early_depth.buffer.samples
    moved_draws.begin_tile(gpu.technique.evr.occluder[r], samples)


@inline
def depth_cleared(gpu: Gpu, own: Tables, depth: Depth, r: int, place: int) -> None:
    """The clear's depth is of no draw."""
    gpu.technique.evr.occluder[r].priority[place] = NO_PRIORITY


@inline
def depth_tested(
    gpu: Gpu, own: Tables, depth: Depth, r: int, place: int, quad: int, compared: Compared, passed: bool
) -> bool:
    """Decide between equal depths by the number of the draw."""
    return moved_draws.tested(
        moved_draws.priority(own.draw, depth, quad), gpu.technique.evr.occluder[r], place, compared, passed
    )


@inline
def depth_written(gpu: Gpu, own: Tables, depth: Depth, r: int, place: int, quad: int) -> None:
    """The depth is of the quad's draw."""
    gpu.technique.evr.occluder[r].priority[place] = moved_draws.priority(own.draw, depth, quad)


@unit
def tile_tested(gpu: Gpu, own: Tables, commands: Commands, depth: Depth, r: int, tile: int, t: int) -> None:
    """Keep the far depth of a finished tile for the next frame: the greatest, as nearer fragments have lesser depths;
    or none, where the pass has draws of the other direction."""
    if tile >= MAX_TILES:
        return
    state, buffer = gpu.technique.evr, gpu.raster_unit[r].early_depth.buffer
    row = commands.render_pass[commands.tile[tile].render_pass]
    far = NO_DEPTH
    for y in range(min(gpu.tile_height, row.height - buffer.y)):
        for x in range(min(gpu.tile_width, row.width - buffer.x)):
            for sample in range(buffer.samples):
                far = max(far, int(buffer.depth[(y * gpu.tile_width + x) * buffer.samples + sample]))
    state.far[tile] = far
    state.tiles += 1


@unit
def frame_end(gpu: Gpu, own: Tables, commands: Commands, t: int) -> None:
    """The far depths are those of the last frame; a tile that was left out keeps what is known of it."""
    state = gpu.technique.evr
    remember(state.last, commands)
    for tile in range(min(len(commands.tile), MAX_TILES)):
        if commands.log[tile].skipped_by == 0:
            state.far_before[tile] = state.far[tile]


def load(source: Any, configuration: Hardware, frame: Any) -> Tables:
    """Draws that may change places, and depths of primitives."""
    need_hidden_quads(source.activity, "EVR tests quads in another order, and only those that are shaded are recorded")
    draw = segments(source.draws.rows, source.draws.state)
    primitive = frame.tiling.primitive[frame.tiling.entry["primitive"]]
    near = nearest(frame)[frame.tiling.entry["primitive"]]
    # Far depths are the greatest of a tile: of use where nearer fragments have lesser depths.
    moves = primitive["clear"] < 0
    if len(draw):
        moves[moves] = draw["towards"][primitive["state"][moves]] < 0
    near[~moves] = NO_DEPTH
    return Tables(draw, entry_segments(frame, draw), near, np.zeros(len(near), np.int64))


TECHNIQUE = Technique(
    "evr",
    "Early Visibility Resolution (Anglada et al., HPCA 2019), after the abstract: what was hidden is drawn last",
    parameters=Parameters,
    record=State,
    setup=setup,
    load=load,
    statistics=(
        Stat(f"{NAME}.predicted", "primitives", "primitives predicted to be hidden, once per tile", "predicted"),
        Stat(f"{NAME}.compared", "primitives", "primitives compared with a far depth, once per tile", "compared"),
        Stat(f"{NAME}.tiles", "tiles", "tiles whose far depth was kept", "tiles"),
    ),
    structures=(
        Structure(
            "evr.far_depths",
            TILING,
            once,
            lambda c: Ram(2048, DEPTH_BITS),
            stat(f"{NAME}.compared"),
            stat(f"{NAME}.tiles"),
        ),
        Structure(
            "evr.comparator", TILING, once, lambda c: Logic("comparator", 1, DEPTH_BITS // 8), stat(f"{NAME}.compared")
        ),
    ),
    conflicts=("visibility_rendering_order", "deferred_rendering"),
    machines=("tile_based",),
    changes_shading=True,
    one_application=True,
)
