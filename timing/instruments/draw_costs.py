"""Costs of draws: who works for what, so that all that units count goes to the accounts of draws (`engine.work`).

Requests, misses and operations under way remember their accounts (`tracked`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.reasons import MAX_REASONS
from tilegpu.timing.declare.records import MAX_RASTER_UNITS, Rows, f8, i8, room

from ..engine import linked
from ..engine.jit import inline, unit
from ..engine.technique import Technique
from ..engine.work import ACCOUNTS, EVICTIONS, FIRST_DRAW
from ..memory.address_map import REGION_BYTES, SHARED_BYTES
from .tracked import Tracked, resumes_work, turn_to

if TYPE_CHECKING:
    from ..engine.frame import Commands
    from ..memory.cache import Cache
    from ..memory.gpu import Gpu


NAME = "draw_costs"
MAX_BOUNDS = 128
"""Causes of units that may bound a tile."""


class DrawCosts(Tracked):
    """Registers of the instrument. `time`: samples of the frame's time, by account and reason. `applications`: how many
    share the GPU and have accounts in the place of draws, 0 where draws have them. `before`: cycles of what may bound a
    tile (`assembly.bounding`) when the last tile of each Raster Unit was written."""

    applications: i8
    time: Rows[f8] = room(ACCOUNTS * MAX_REASONS)
    before: Rows[i8] = room(MAX_RASTER_UNITS * MAX_BOUNDS)


@inline
def works_for(gpu: Gpu, u: int, work: int) -> None:
    turn_to(gpu, u, work if work >= 0 else gpu.unit[u].kind)


@inline
def works_for_application(gpu: Gpu, u: int, application: int, otherwise: int) -> None:
    works_for(gpu, u, FIRST_DRAW + application if gpu.technique.draw_costs.applications != 0 else otherwise)


@inline
def resumes_warp(gpu: Gpu, u: int, w: int, instruction: int) -> None:
    resumes_work(gpu, u, w)


@unit
def gives_way(gpu: Gpu, cache: Cache, address: int) -> None:
    costs: DrawCosts = gpu.technique.draw_costs
    costs.held = costs.work
    # Applications have parts of equal size in each region of the address space.
    owner = address % REGION_BYTES // SHARED_BYTES
    works_for(gpu, int(cache.id), FIRST_DRAW + owner if costs.applications != 0 else EVICTIONS)


@inline
def looked(gpu: Gpu, times: int) -> None:
    linked.sample(gpu, times)


@inline
def tile_written(gpu: Gpu, own: tuple[()], commands: Commands, r: int, tile: int, t: int) -> None:
    commands.log[tile].bound = linked.bound(gpu, r, t)


INSTRUMENT = Technique(NAME, "Costs of draws", record=DrawCosts, package="instruments", common="tracked")
