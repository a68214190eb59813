"""Numbers that look random but follow from two counters, so runs can be repeated."""

from __future__ import annotations

from .jit import inline

MASK = 0x7FFFFFFF
MULTIPLIER = 0x45D9F3B


@inline
def mixed(x: int) -> int:
    """The bits of a number below 2^31, mixed; products stay below 2^63 wherever they are computed."""
    x = ((x >> 16) ^ x) * MULTIPLIER & MASK
    x = ((x >> 15) ^ x) * MULTIPLIER & MASK
    return (x >> 16) ^ x


@inline
def noise(stream: int, number: int) -> int:
    """Number `number` of a stream, from 0 to 2^31 - 1."""
    return mixed(mixed(number & MASK) ^ mixed((stream * 2 + 1) & MASK) ^ (number >> 31 & MASK))


@inline
def happens(stream: int, number: int, per_mille: int) -> bool:
    """Whether an event of this probability happens."""
    return noise(stream, number) % 1000 < per_mille
