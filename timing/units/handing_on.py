"""The way of a quad out of an early depth test, wherever the depth buffer is, to its Fragment Processor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilegpu.timing.declare.records import BYPASSED, QUAD, Token

from ..engine import hooks
from ..engine.calendar import poke
from ..engine.hooks import GO, SKIP, WAIT
from ..engine.jit import inline, unit
from ..engine.ring import full, grow, push_token

if TYPE_CHECKING:
    from ..engine.frame import Depth
    from ..engine.ring import Queue
    from ..memory.gpu import Gpu
    from .cached_depth import CachedDepth, CachedFlight
    from .early_depth import EarlyDepth, Flight
    from .fragment_processor import InputToken

UNDECIDED = -1
"""Decision on a quad that techniques have not been asked about."""


@inline
def leave(
    gpu: Gpu,
    depth: Depth,
    r: int,
    unit: EarlyDepth | CachedDepth,
    flight: Flight | CachedFlight,
    private: Queue[Token],
    shared: Queue[InputToken],
    t: int,
) -> int:
    """Let the quad that leads leave once its test is over: GO, on to shading or past it; SKIP, killed or left out by a
    technique; WAIT, it has to stay."""
    decision = SKIP
    if flight.passed != 0:
        if flight.decision == UNDECIDED:
            flight.decision = hooks.quad_ready(gpu, depth, r, flight.quad, t)
        decision = flight.decision
    if decision == WAIT:
        flight.decision = UNDECIDED
        return WAIT
    if decision == SKIP:
        unit.killed_quads += 1
        return SKIP
    kind = QUAD if decision == GO else BYPASSED
    if not hand_on(gpu, private, shared, kind, flight.tile, flight.quad, flight.processor):
        return WAIT
    if kind == QUAD:
        hooks.quad_queued(gpu, depth, r, flight.quad, flight.tile, flight.processor, t)
    unit.survived_quads += 1
    depth.log[flight.tile].shaded_quads += 1
    return GO


@unit
def hand_on(
    gpu: Gpu, private: Queue[Token], shared: Queue[InputToken], kind: int, tile: int, quad: int, processor: int
) -> bool:
    """Put a token into the queue of its processor, or into the one they share; False where that is full."""
    if gpu.shared_input == 0:
        if full(private):
            return False
        push_token(private, kind, tile, quad)
        poke(gpu, private.consumer)
        return True
    if full(shared):
        return False
    entry = grow(shared)
    entry.processor = processor
    entry.token.kind = kind
    entry.token.tile = tile
    entry.token.index = quad
    poke(gpu, private.consumer)
    return True
