"""Costs of resources: which texture, buffer or attachment caches and main memory work for, and units wait for.

An access belongs to the resource at its address; so does a miss under way, and a line that gives way to another. A unit
that waits for memory waits for the resource of the first of the reads that it has sent and that have not been answered
(the oldest of its port, whichever is answered first).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import MAX_OUTSTANDING, MAX_PORTS, Rows, i4, i8, room

from ..engine import linked
from ..engine.calendar import MAX_UNITS
from ..engine.jit import inline, unit
from ..engine.ring import front
from ..engine.technique import Technique
from . import charged
from .charged import Charged

if TYPE_CHECKING:
    from ..memory.cache import Cache
    from ..memory.gpu import Gpu
    from ..memory.request import Port

NAME = "resource_costs"
MAX_RANGES = 16384
"""Ranges of addresses that belong to one resource each."""


class ResourceCosts(Charged):
    """Registers of the instrument. `start`: first addresses of the ranges, in order, and behind them one that is never
    reached; `account`: of each range; `recent`: range that each unit has accessed last; `held`: account of a cache
    before a line gives way. `awaited`: accounts of the reads that each port waits for, a ring whose oldest is at
    `oldest`."""

    ranges: i8
    held: i8
    start: Rows[i8] = room(MAX_RANGES + 1)
    account: Rows[i4] = room(MAX_RANGES)
    recent: Rows[i4] = room(MAX_UNITS)
    awaited: Rows[i4] = room(MAX_PORTS * MAX_OUTSTANDING)
    oldest: Rows[i4] = room(MAX_PORTS)


@inline
def account_at(gpu: Gpu, u: int, address: int) -> int:
    """Account of the resource at an address that unit u accesses."""
    costs: ResourceCosts = gpu.technique.resource_costs
    k = costs.recent[u]
    if costs.start[k] > address or costs.start[k + 1] <= address:
        k = find(gpu, address)
        costs.recent[u] = k
    return int(costs.account[k])


@unit
def find(gpu: Gpu, address: int) -> int:
    """Range that an address is in."""
    costs: ResourceCosts = gpu.technique.resource_costs
    low, high = 0, costs.ranges
    while high - low > 1:
        middle = (low + high) >> 1
        if costs.start[middle] <= address:
            low = middle
        else:
            high = middle
    return int(low)


@inline
def turn(gpu: Gpu, u: int, account: int) -> None:
    """Let a unit work for an account; what it has counted so far is charged to the one before."""
    if gpu.technique.resource_costs.at[u] != account:
        charged.turn(gpu, u, account)


@inline
def works_for(gpu: Gpu, u: int, work: int) -> None:
    # What draws units work for is no matter here; main memory's requests have the accounts of their addresses.
    if u == gpu.dram.id:
        turn(gpu, u, work if work >= 0 else gpu.unit[u].kind)


@inline
def request_begins(gpu: Gpu, u: int, port: Port) -> None:
    turn(gpu, u, account_at(gpu, u, int(front(port.request).address)))


@inline
def request_work(gpu: Gpu, port: Port, work: int) -> int:
    return account_at(gpu, int(gpu.dram.id), int(front(port.request).address))


@inline
def fetch_begins(gpu: Gpu, cache: Cache, line: int) -> None:
    turn(gpu, int(cache.id), account_at(gpu, int(cache.id), line << cache.line_shift))


@inline
def line_arrives(gpu: Gpu, cache: Cache, m: int) -> None:
    fetch_begins(gpu, cache, int(cache.mshr_line[m]))


@unit
def gives_way(gpu: Gpu, cache: Cache, address: int) -> None:
    costs: ResourceCosts = gpu.technique.resource_costs
    costs.held = costs.at[cache.id]
    turn(gpu, int(cache.id), account_at(gpu, int(cache.id), address))


@unit
def gave_way(gpu: Gpu, cache: Cache) -> None:
    turn(gpu, int(cache.id), int(gpu.technique.resource_costs.held))


@inline
def read_sent(gpu: Gpu, port: Port, address: int) -> None:
    costs: ResourceCosts = gpu.technique.resource_costs
    u = int(port.client)
    account = account_at(gpu, u, address)
    place = (costs.oldest[port.number] + port.outstanding - 1) & (MAX_OUTSTANDING - 1)
    costs.awaited[port.number * MAX_OUTSTANDING + place] = account
    if port.outstanding == 1 and waits(gpu, u):
        turn(gpu, u, account)


@inline
def answer_taken(gpu: Gpu, port: Port) -> None:
    costs: ResourceCosts = gpu.technique.resource_costs
    place = (costs.oldest[port.number] + 1) & (MAX_OUTSTANDING - 1)
    costs.oldest[port.number] = place
    u = int(port.client)
    if waits(gpu, u):
        account = costs.awaited[port.number * MAX_OUTSTANDING + place] if port.outstanding > 0 else gpu.unit[u].kind
        turn(gpu, u, account)


@inline
def waits(gpu: Gpu, u: int) -> bool:
    """Whether a unit's cycles of waiting are charged: that of a cache is by the line it looks up."""
    return bool(linked.waits(gpu.unit[u].kind))


INSTRUMENT = Technique(NAME, "Costs of resources", record=ResourceCosts, package="instruments", common="charged")
