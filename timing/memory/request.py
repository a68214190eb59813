"""Memory requests and the ports they travel through.

A port joins one client to one server (a cache or the DRAM). The server answers through the port and wakes the client's
unit up, so memory knows no unit. Answers of two kinds wait side by side, each in order of time: those of the server's
own pipeline and those that came from further down.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import (
    MAX_OUTSTANDING,
    NEVER,
    Record,
    Ring,
    i1,
    i4,
    i8,
    room,
    u2,
)
from tilegpu.timing.declare.sources import SOURCES

from ..engine.calendar import poke_at
from ..engine.jit import inline, unit
from ..engine.ring import drop_to_front, front, grow, release_to
from . import hooks as memory_hooks
from .network import begin_of

if TYPE_CHECKING:
    from .gpu import Gpu


READ, WRITE, PREFETCH = range(3)

(
    COMMAND,
    INDEX,
    VERTEX,
    PRIMITIVE_LIST,
    PRIMITIVE_ATTRIBUTES,
    TEXTURE,
    INSTRUCTION,
    COLOR,
    DEPTH,
    TRANSFER,
    VISIBILITY_GRAPH,
    COLLISIONS,
    CPU,
    DISPLAY,
    COMPUTE,
) = range(len(SOURCES))

REQUEST_DEPTH = 32


class Request(Record):
    """Request on its way through a port. `due`: cycle from which the server sees it."""

    address: i8
    due: i8
    tile: i4
    tag: i4
    slot: i4
    size: u2
    kind: i1
    source: i1


class Reply(Record):
    """Reply to a request. `slot`, `tag`: let the client recognize the answer. A texture unit's tag names the requester
    (`asked_by`). `missed`: whether a cache had to ask for the line on account of this request."""

    slot: i4
    tag: i4
    due: i8
    missed: i4


class Port(Record):
    """Port of a client. `master`: whose requests these are (`masters`). `arrival`: cycle in which the next answer known
    today arrives. `answer_cycles`: how long an answer occupies the way to the client, 0 where that is not modelled;
    `free`: when a link is free again; `delayed`: cycles that answers waited for their way."""

    arrival: i8
    number: i4
    client: i4
    server: i4
    master: i4
    outstanding: i4
    answer_cycles: i4
    request: Ring[Request] = room(REQUEST_DEPTH)
    reply: Ring[Reply] = room(MAX_OUTSTANDING)
    refill: Ring[Reply] = room(MAX_OUTSTANDING)
    misses: i8
    free: i8
    delayed: i8


WARP_BITS = 5


@inline
def asked_by(address: int, warp: int) -> int:
    """Tag of a request that an instruction at an address makes for a warp; of the address the part that distinguishes
    programs."""
    return (address & ((1 << (31 - WARP_BITS)) - 1)) << WARP_BITS | warp


@inline
def instruction_of(tag: int) -> int:
    """Instruction that a texture unit asks for."""
    return tag >> WARP_BITS


@inline
def warp_of(tag: int) -> int:
    """Warp in a tag."""
    return tag & ((1 << WARP_BITS) - 1)


@inline
def can_send(port: Port) -> bool:
    """Whether the port takes another request; reads also need room for their answer."""
    return bool(port.request.count < port.request.depth and port.outstanding < MAX_OUTSTANDING)


@inline
def can_write(port: Port) -> bool:
    """Whether the port takes another write, which has no answer."""
    return bool(port.request.count < port.request.depth)


@unit
def send(gpu: Gpu, port: Port, due: int, address: int, size: int, kind: int, source: int, tile: int) -> Request:
    """Put a request into the port, for the server to see from cycle `due` on; the caller has asked `can_send`.

    The caller gives what it sent a `tag` or a `slot` where it has to recognize the answer.
    """
    request = grow(port.request)
    request.address = address
    request.size = size
    request.kind = kind
    request.source = source
    request.tile = tile
    request.tag = 0
    request.slot = -1
    request.due = due
    if kind == READ:
        port.outstanding += 1
        memory_hooks.read_sent(gpu, port, address)
    memory_hooks.request_sent(gpu, port)
    gpu.waiting[port.number] += 1
    poke_at(gpu, port.server, due)
    return request


@unit
def answer(gpu: Gpu, port: Port, replies: Ring[Reply], slot: int, tag: int, due: int) -> None:
    """Server's side: hand an answer to the client at cycle `due`."""
    arrives = due
    if port.answer_cycles > 0:
        begin = begin_of(gpu, port, due)
        port.delayed += begin - due
        arrives = begin + port.answer_cycles - 1
    reply = grow(replies)
    reply.slot = slot
    reply.tag = tag
    reply.due = arrives
    if arrives < port.arrival:
        port.arrival = arrives
    poke_at(gpu, port.client, arrives)


@inline
def next_reply(port: Port) -> int:
    """Cycle in which the next answer known today arrives."""
    return int(port.arrival)


@inline
def replies_due(port: Port, t: int) -> Ring[Reply]:
    """The ring whose first answer has arrived by cycle t; the caller has asked `has_reply`."""
    return port.refill if port.refill.count > 0 and front(port.refill).due <= t else port.reply


@inline
def has_reply(port: Port, t: int) -> bool:
    return bool(port.arrival <= t)


@unit
def take_reply(gpu: Gpu, port: Port, replies: Ring[Reply]) -> None:
    drop_to_front(replies)
    port.outstanding -= 1
    memory_hooks.answer_taken(gpu, port)
    port.arrival = NEVER
    if port.refill.count > 0:
        port.arrival = front(port.refill).due
    if port.reply.count > 0:
        port.arrival = min(int(port.arrival), int(front(port.reply).due))


@inline
def take_request(gpu: Gpu, port: Port) -> None:
    """Server's side: the first request is served."""
    gpu.waiting[port.number] -= 1
    release_to(gpu, port.request, port.client)
