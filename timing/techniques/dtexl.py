"""DTexL (Joseph et al., MICRO 2022), after the abstract: quads that lie together go to one Fragment Processor, whose
texture cache they share, and a processor with little to do in a tile does not wait for the others at its end.

A tile is divided into subtiles, one for each processor. Each processor begins its subtile of the next tile when it is
done with the last one; what it has shaded by the time the others are is held, up to a number of quads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilegpu.functional.errors import UserError
from tilegpu.timing.declare.energy.geometry import Ram
from tilegpu.timing.declare.parameters import Group, choice, number
from tilegpu.timing.declare.quad_mappings import quad_processors
from tilegpu.timing.declare.records import MAX_MAPPINGS, MAX_TILE_QUADS, Record, i8
from tilegpu.timing.declare.stages import FragmentStage
from tilegpu.timing.declare.statistics import Stat
from tilegpu.timing.declare.structures import FRAGMENT, FRAGMENT_BYTES, Structure, processors, stat
from tilegpu.timing.declare.tiles import Tiles

from ..engine.hooks import GO, SKIP
from ..engine.jit import inline
from ..engine.technique import Technique
from ..units.processor import MAX_HELD

if TYPE_CHECKING:
    from ..engine.chip import Chip
    from ..engine.frame import Shading
    from ..memory.gpu import Gpu

NAME = "techniques.dtexl"


class Parameters(Group, section="technique.dtexl"):
    """Subtiles to Fragment Processors, without barriers between tiles, [technique.dtexl]."""

    subtiles: str = choice(
        "quadrants",
        {
            "quadrants": "a quarter of the tile each (quad mapping quadrants)",
            "bands": "a band of rows each (12-snake), without an order of tiles",
            "configured": "as `fragment_stage.quad_mapping` says",
        },
        "which quads go to a processor; the paper's choice among groupings is assumed",
        silent=("bands", "configured"),
    )
    barriers: str = choice(
        "decoupled",
        {"decoupled": "each processor for itself", "tile": "all wait for the last"},
        "end of a tile in the fragment stage",
    )
    held_quads: int = number(
        128, "quads", "shaded ones of the next tiles that a processor holds; assumed", 1, MAX_HELD, silent=(32, 256)
    )


class State(Record):
    """Registers of the technique."""

    decoupled: i8
    ends: i8


def setup(chip: Chip, state: Any) -> None:
    """Room for what is held, and the subtiles in the place of the quad mapping."""
    own, stage = chip.configuration.of(Parameters), chip.configuration.of(FragmentStage)
    state.decoupled = own.barriers == "decoupled"
    if stage.input_queue == "shared" and state.decoupled != 0:
        raise UserError(
            "technique dtexl: fragment_stage.input_queue must be private, as one queue keeps tiles in order"
        )
    if own.subtiles != "configured":
        tiles = chip.configuration.of(Tiles)
        name = {"quadrants": "quadrants", "bands": "12-snake"}[own.subtiles]
        table = quad_processors(name, tiles.width // 2, tiles.height // 2, stage.processors)[0]
        for k in range(MAX_MAPPINGS):
            chip.gpu.quad_processor[k * MAX_TILE_QUADS : k * MAX_TILE_QUADS + len(table)] = table
    for r in range(int(chip.gpu.raster_units)):
        for i in range(stage.processors):
            chip.gpu.raster_unit[r].fragment_processor[i].held.depth = own.held_quads if state.decoupled else 0


@inline
def tile_end(gpu: Gpu, own: Any, shading: Shading, r: int, i: int, tile: int, t: int) -> int:
    """A processor goes on with the next tile."""
    state = gpu.technique.dtexl
    if state.decoupled == 0:
        return GO
    core = gpu.raster_unit[r].fragment_processor[i]
    if core.warp.count < core.warp.depth:
        state.ends += 1
    return SKIP


TECHNIQUE = Technique(
    "dtexl",
    "DTexL (Joseph et al., MICRO 2022), after the abstract: subtiles to processors, decoupled barriers",
    parameters=Parameters,
    record=State,
    setup=setup,
    statistics=(Stat(f"{NAME}.ends", "ends", "ends of subtiles that processors did not wait at", "ends"),),
    structures=(
        Structure(
            "dtexl.held",
            FRAGMENT,
            processors,
            lambda c: Ram(c.of(Parameters).held_quads, FRAGMENT_BYTES * 8),
            stat("fragment.processor.quads"),
            stat("fragment.processor.quads"),
        ),
    ),
    machines=("tile_based",),
)
