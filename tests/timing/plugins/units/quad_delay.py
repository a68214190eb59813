"""A unit for tests, as a user's own would be: between Rasterizer and early depth, one token per cycle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.energy.geometry import Ram
from tilegpu.timing.declare.parameters import Group, number
from tilegpu.timing.declare.records import NEVER, Token, i8, room
from tilegpu.timing.declare.statistics import Stat, spent
from tilegpu.timing.declare.structures import FRAGMENT_BYTES, RASTER, Structure, stat, units

from ..engine.account import BLOCKED, BUSY, IDLE, Accounted, account
from ..engine.calendar import poke
from ..engine.jit import unit
from ..engine.ring import Queue, front, full, push_token, release
from ..engine.unit import RASTER_UNIT, Unit, Watch
from ..engine.wiring import output

if TYPE_CHECKING:
    from ..memory.gpu import Gpu


@output
def delayed(gpu: Gpu, r: int) -> Queue[Token]:
    """Queue before the depth test."""
    raise NotImplementedError


class QuadDelay(Accounted):
    """Registers of the unit."""

    id: i8
    queue: Queue[Token] = room(64)
    tokens: i8


@unit
def tick(gpu: Any, r: int, t: int) -> int:
    """Hand one token on."""
    delay = gpu.raster_unit[r].quad_delay
    account(delay, t)
    delay.cause = IDLE
    if delay.queue.count == 0:
        return NEVER
    after = delayed(gpu, r)
    delay.cause = BLOCKED
    if full(after):
        return NEVER
    token = front(delay.queue)
    push_token(after, token.kind, token.tile, token.index)
    poke(gpu, after.consumer)
    release(gpu, delay.queue)
    delay.tokens += 1
    delay.cause = BUSY
    return t + 1


class QuadDelayParameters(Group, section="quad_delay"):
    """Delay between Rasterizer and early depth."""

    room: int = number(16, "tokens", "tokens that wait", 1, 64)


def setup(chip: Any, delay: Any, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    delay.queue.depth, delay.cause = chip.configuration.of(QuadDelayParameters).room, IDLE


UNIT = Unit(
    "quad_delay",
    __name__,
    QuadDelay,
    tick,
    scope=RASTER_UNIT,
    parameters=(QuadDelayParameters,),
    setup=setup,
    marks=("tokens",),
    stands=lambda delay: f"{int(delay.queue.count)} delayed",
    watches=(Watch("delayed", "delayed quads", "queue"),),
    statistics=(
        Stat("raster.quad_delay.tokens", "tokens", "tokens handed on", "tokens"),
        *spent("raster.quad_delay", "it"),
    ),
    structures=(
        Structure(
            "quad_delay.queue",
            RASTER,
            units,
            lambda c: Ram(c.of(QuadDelayParameters).room, FRAGMENT_BYTES * 8),
            stat("raster.quad_delay.tokens"),
            stat("raster.quad_delay.tokens"),
        ),
    ),
)
