"""Hook points of caches, ports and main memory, of the kinds of `engine.hooks`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..engine.hooks import DECIDE, GO, PIPE, TELL, hook

if TYPE_CHECKING:
    from .cache import Cache
    from .dram.intake import PendingRequest
    from .dram.unit import Dram
    from .gpu import Gpu
    from .request import Port


@hook(DECIDE)
def cache_missed(gpu: Gpu, cache: Cache, port: Port, line: int, t: int) -> int:
    """A cache does not hold the line that the first request of a port asks for. SKIP: now it does; WAIT: the port asks
    again when anything has changed below."""
    return GO


@hook(TELL)
def cache_accessed(gpu: Gpu, cache: Cache, port: Port, line: int, place: int, t: int) -> None:
    """A cache served the first request of a port; `place` is where the line lay, or -1."""


@hook(PIPE, "address")
def line_asked(gpu: Gpu, cache: Cache, m: int, source: int, address: int) -> int:
    """Address that a cache asks below for, in place of that of the line that MSHR m waits for."""
    return address


@hook(DECIDE)
def line_arrived(gpu: Gpu, cache: Cache, m: int, t: int) -> int:
    """Data that a cache has asked for below have arrived for MSHR m. SKIP: the technique waits for more, and the line
    has not arrived yet; WAIT: asked again when there is room below."""
    return GO


@hook(PIPE, "victim")
def cache_victim(gpu: Gpu, cache: Cache, base: int, victim: int) -> int:
    """Place to evict from the set that starts at `base`."""
    return victim


@hook(TELL)
def line_placed(gpu: Gpu, cache: Cache, line: int, place: int, t: int) -> None:
    """A line is put into a place of a cache, whose tag is still that of the line that gives way."""


@hook(TELL)
def request_sent(gpu: Gpu, port: Port) -> None:
    """The last request of a port was sent by the unit whose turn it is."""


@hook(TELL)
def request_begins(gpu: Gpu, u: int, port: Port) -> None:
    """Unit u turns to the first request of a port."""


@hook(PIPE, "work")
def request_work(gpu: Gpu, port: Port, work: int) -> int:
    """Work that the first request of a port belongs to."""
    return work


@hook(TELL)
def read_sent(gpu: Gpu, port: Port, address: int) -> None:
    """A read was sent through a port, which counts it as outstanding."""


@hook(TELL)
def answer_taken(gpu: Gpu, port: Port) -> None:
    """A client has taken an answer from a port, which no longer counts it."""


@hook(TELL)
def fetch_begins(gpu: Gpu, cache: Cache, line: int) -> None:
    """A cache is about to ask for a line that no request of its ports asks for."""


@hook(TELL)
def line_arrives(gpu: Gpu, cache: Cache, m: int) -> None:
    """A cache turns to the line that MSHR m waits for, which has come."""


@hook(TELL)
def gives_way(gpu: Gpu, cache: Cache, address: int) -> None:
    """A cache is about to write the line at an address below, which gives way."""


@hook(TELL)
def gave_way(gpu: Gpu, cache: Cache) -> None:
    """The line that gives way was sent."""


@hook(TELL)
def dram_pick(gpu: Gpu, dram: Dram, t: int) -> None:
    """May move the request to start next to the front of the queue."""


@hook(TELL)
def dram_accessed(gpu: Gpu, request: PendingRequest) -> None:
    """Main memory has taken a request, of a tile of the frame or of none (-1)."""
