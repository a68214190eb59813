"""Costs of shader lines: what programmable processors issue, wait for and fetch on account of each.

A processor works for the instruction that it issues or, where it can issue none, for the next one of its oldest warp.
Texture operations, accesses to memory and fetches of code belong to the instruction that asked for them; what else is
done belongs to no line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import Rows, i4, room

from ..engine import linked
from ..engine.jit import inline, unit
from ..engine.technique import Technique
from ..engine.work import EVICTIONS
from . import tracked
from .tracked import Tracked, turn_to

if TYPE_CHECKING:
    from ..memory.cache import Cache
    from ..memory.gpu import Gpu

NAME = "line_costs"
MAX_INSTRUCTIONS = 1 << 17
"""Instructions of all programs of an activity."""


class LineCosts(Tracked):
    """Registers of the instrument. `account`: of each row of the table of instructions."""

    account: Rows[i4] = room(MAX_INSTRUCTIONS)


@inline
def works_for(gpu: Gpu, u: int, work: int) -> None:
    # Draws are no matter here; main memory's requests have the accounts of those who sent them.
    if not linked.executes(gpu.unit[u].kind):
        turn_to(gpu, u, work if u == gpu.dram.id and work >= 0 else gpu.unit[u].kind)


@inline
def resumes_work(gpu: Gpu, u: int, place: int) -> None:
    if not linked.executes(gpu.unit[u].kind):
        tracked.resumes_work(gpu, u, place)


@inline
def resumes_warp(gpu: Gpu, u: int, w: int, instruction: int) -> None:
    costs: LineCosts = gpu.technique.line_costs
    turn_to(gpu, u, int(costs.account[instruction]) if instruction >= 0 else gpu.unit[u].kind)


@unit
def gives_way(gpu: Gpu, cache: Cache, address: int) -> None:
    costs: LineCosts = gpu.technique.line_costs
    costs.held = costs.work
    turn_to(gpu, int(cache.id), EVICTIONS)


INSTRUMENT = Technique(NAME, "Costs of shader lines", record=LineCosts, package="instruments", common="tracked")
