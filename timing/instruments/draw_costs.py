"""Costs of draws: who works for what, so that all that units count goes to the accounts of draws (`engine.work`).

A unit works for one account at a time. When it turns to another, what its counters have gained since is charged to the
one before. Requests, misses and operations under way remember their accounts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.reasons import MAX_REASONS
from tilegpu.timing.declare.records import MAX_PORTS, MAX_RASTER_UNITS, Rows, f8, i4, i8, room

from ..engine import linked
from ..engine.calendar import MAX_UNITS
from ..engine.jit import inline, unit
from ..engine.ring import last_place
from ..engine.technique import Technique
from ..engine.work import ACCOUNTS, EVICTIONS, FIRST_DRAW, PLACES
from ..memory.address_map import REGION_BYTES, SHARED_BYTES
from ..memory.request import REQUEST_DEPTH
from .charged import Charged

if TYPE_CHECKING:
    from ..engine.frame import Commands
    from ..memory.cache import Cache
    from ..memory.gpu import Gpu
    from ..memory.request import Port


NAME = "draw_costs"
MAX_BOUNDS = 128
"""Causes of units that may bound a tile."""


class DrawCosts(Charged):
    """Registers of the instrument. `work`: account of the unit whose turn it is; `noted`: those at the places of each
    unit; `request`: those of the requests in each port; `held`: the one before a line gives way; `time`: samples of the
    frame's time, by account and reason. `applications`: how many share the GPU and have accounts in the place of draws,
    0 where draws have them. `before`: cycles of what may bound a tile (`assembly.bounding`) when the last tile of each
    Raster Unit was written."""

    work: i8
    held: i8
    applications: i8
    noted: Rows[i4] = room(MAX_UNITS * PLACES)
    request: Rows[i4] = room(MAX_PORTS * REQUEST_DEPTH)
    time: Rows[f8] = room(ACCOUNTS * MAX_REASONS)
    before: Rows[i8] = room(MAX_RASTER_UNITS * MAX_BOUNDS)


@inline
def unit_turn(gpu: Gpu, u: int) -> None:
    costs: DrawCosts = gpu.technique.draw_costs
    costs.work = costs.at[u]


@inline
def works_for(gpu: Gpu, u: int, work: int) -> None:
    costs: DrawCosts = gpu.technique.draw_costs
    account = work if work >= 0 else gpu.unit[u].kind
    if costs.at[u] != account:
        turn(gpu, u, account)
    costs.work = account


@unit
def turn(gpu: Gpu, u: int, account: int) -> None:
    """Charge what a unit has counted, and let it work for another account."""
    costs: DrawCosts = gpu.technique.draw_costs
    linked.charge(gpu, u, int(costs.at[u]), int(gpu.calendar.now))
    costs.at[u] = account


@inline
def works_for_application(gpu: Gpu, u: int, application: int, otherwise: int) -> None:
    works_for(gpu, u, FIRST_DRAW + application if gpu.technique.draw_costs.applications != 0 else otherwise)


@inline
def notes_work(gpu: Gpu, u: int, place: int) -> None:
    costs: DrawCosts = gpu.technique.draw_costs
    costs.noted[u * PLACES + place] = costs.work


@inline
def resumes_work(gpu: Gpu, u: int, place: int) -> None:
    works_for(gpu, u, int(gpu.technique.draw_costs.noted[u * PLACES + place]))


@unit
def lends(gpu: Gpu, u: int) -> None:
    linked.charge(gpu, u, int(gpu.technique.draw_costs.at[u]), int(gpu.calendar.now))


@unit
def returns(gpu: Gpu, u: int) -> None:
    linked.charge(gpu, u, int(gpu.technique.draw_costs.work), int(gpu.calendar.now))


@inline
def request_sent(gpu: Gpu, port: Port) -> None:
    costs: DrawCosts = gpu.technique.draw_costs
    costs.request[port.number * REQUEST_DEPTH + last_place(port.request)] = costs.work


@inline
def request_begins(gpu: Gpu, u: int, port: Port) -> None:
    works_for(gpu, u, request_work(gpu, port, 0))


@inline
def request_work(gpu: Gpu, port: Port, work: int) -> int:
    return int(gpu.technique.draw_costs.request[port.number * REQUEST_DEPTH + port.request.head])


@unit
def gives_way(gpu: Gpu, cache: Cache, address: int) -> None:
    costs: DrawCosts = gpu.technique.draw_costs
    costs.held = costs.work
    # Applications have parts of equal size in each region of the address space.
    owner = address % REGION_BYTES // SHARED_BYTES
    works_for(gpu, int(cache.id), FIRST_DRAW + owner if costs.applications != 0 else EVICTIONS)


@unit
def gave_way(gpu: Gpu, cache: Cache) -> None:
    works_for(gpu, int(cache.id), int(gpu.technique.draw_costs.held))


@inline
def looked(gpu: Gpu, times: int) -> None:
    linked.sample(gpu, times)


@inline
def tile_written(gpu: Gpu, own: tuple[()], commands: Commands, r: int, tile: int, t: int) -> None:
    commands.log[tile].bound = linked.bound(gpu, r, t)


@unit
def run_ends(gpu: Gpu, t: int) -> None:
    """Charge all that was counted to the end of the frame."""
    for u in range(64 * gpu.calendar.words):
        if gpu.calendar.everybody.word[u >> 6] >> (u & 63) & 1 != 0:
            linked.charge(gpu, u, int(gpu.technique.draw_costs.at[u]), t)


INSTRUMENT = Technique(NAME, "Costs of draws", record=DrawCosts, package="instruments")
