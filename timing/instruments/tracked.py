"""Accounts that go along with what units work for: with requests, misses and operations under way.

These functions fill the hooks of every instrument that follows work. A unit works for one account at a time. When it
turns to another, what its counters have gained since is charged to the one before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import MAX_PORTS, Rows, i4, i8, room

from ..engine import linked
from ..engine.calendar import MAX_UNITS
from ..engine.jit import inline, unit
from ..engine.ring import last_place
from ..engine.work import PLACES
from ..memory.request import REQUEST_DEPTH
from .charged import Charged, run_ends, turn

if TYPE_CHECKING:
    from ..memory.cache import Cache
    from ..memory.gpu import Gpu
    from ..memory.request import Port

__all__ = ["run_ends"]
"""Hook that every instrument fills likewise."""


class Tracked(Charged):
    """Registers. `work`: account of the unit whose turn it is; `noted`: those at the places of each unit; `request`:
    those of the requests in each port; `held`: the one before a line gives way; `aside`: the one before a unit turned
    aside."""

    work: i8
    held: i8
    aside: i8
    noted: Rows[i4] = room(MAX_UNITS * PLACES)
    request: Rows[i4] = room(MAX_PORTS * REQUEST_DEPTH)


@inline
def unit_turn(gpu: Gpu, u: int) -> None:
    costs = linked.charged(gpu)
    costs.work = costs.at[u]


@inline
def turn_to(gpu: Gpu, u: int, account: int) -> None:
    """Let a unit work for an account."""
    costs = linked.charged(gpu)
    if costs.at[u] != account:
        turn(gpu, u, account)
    costs.work = account


@inline
def notes_work(gpu: Gpu, u: int, place: int) -> None:
    costs = linked.charged(gpu)
    costs.noted[u * PLACES + place] = costs.work


@inline
def resumes_work(gpu: Gpu, u: int, place: int) -> None:
    turn_to(gpu, u, int(linked.charged(gpu).noted[u * PLACES + place]))


@inline
def turns_aside(gpu: Gpu, u: int) -> None:
    costs = linked.charged(gpu)
    costs.aside = costs.at[u]


@inline
def turns_back(gpu: Gpu, u: int) -> None:
    turn_to(gpu, u, int(linked.charged(gpu).aside))


@unit
def lends(gpu: Gpu, u: int) -> None:
    linked.charge(gpu, u, int(linked.charged(gpu).at[u]), int(gpu.calendar.now))


@unit
def returns(gpu: Gpu, u: int) -> None:
    linked.charge(gpu, u, int(linked.charged(gpu).work), int(gpu.calendar.now))


@inline
def request_sent(gpu: Gpu, port: Port) -> None:
    costs = linked.charged(gpu)
    costs.request[port.number * REQUEST_DEPTH + last_place(port.request)] = costs.work


@inline
def request_begins(gpu: Gpu, u: int, port: Port) -> None:
    turn_to(gpu, u, request_work(gpu, port, 0))


@inline
def request_work(gpu: Gpu, port: Port, work: int) -> int:
    return int(linked.charged(gpu).request[port.number * REQUEST_DEPTH + port.request.head])


@inline
def gave_way(gpu: Gpu, cache: Cache) -> None:
    turn_to(gpu, int(cache.id), int(linked.charged(gpu).held))
