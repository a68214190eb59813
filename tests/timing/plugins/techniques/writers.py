"""A technique for tests: who wrote the colours of each pixel, in this machine's own order.

Where a quad replaces the colour its number stays; where it is blended with what is there, both count, in their order.
The numbers are compared with those that program order gives.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np

from ..engine.jit import inline
from ..engine.technique import Technique

Array = np.ndarray[Any, Any]
FACTOR = 1_000_003
MASK = (1 << 62) - 1


class Tables(NamedTuple):
    """Numbers by pass and pixel, the width and first number of each pass, the pass of each primitive."""

    written: Array
    width: Array
    first: Array
    render_pass: Array


def load(source: Any, configuration: Any, frame: Any) -> Tables:
    """Room for all pixels of all passes."""
    passes = frame.commands.render_pass
    size = passes["width"].astype(np.int64) * passes["height"]
    first = np.concatenate([[0], np.cumsum(size)])
    of_primitive = np.searchsorted(passes["last_primitive"], np.arange(len(frame.tiling.primitive)), side="right")
    return Tables(np.zeros(first[-1], np.int64), passes["width"].astype(np.int64), first, of_primitive.astype(np.int64))


TECHNIQUE = Technique("writers", "who wrote each pixel", load=load, order=200)


@inline
def blended(gpu: Any, own: Any, depth: Any, r: int, quad: int, passed: int, t: int) -> None:
    """Note the quad at its pixels."""
    row = depth.quad[quad]
    primitive = row.primitive
    state = depth.state[depth.primitive[primitive].state]
    number = own.render_pass[primitive]
    if state.writes_color != 0:
        for lane in range(4):
            if passed >> lane & 1:
                place = own.first[number] + (2 * row.y + (lane >> 1)) * own.width[number] + 2 * row.x + (lane & 1)
                before = own.written[place] if state.blends != 0 else 0
                own.written[place] = (before * FACTOR + quad + 1) & MASK


def in_program_order(frame: Any, own: Tables) -> Array:
    """The same numbers from the recorded outcomes."""
    written = np.zeros_like(own.written)
    table = frame.depth
    _write(table.quad, table.primitive["state"], table.state, own.render_pass, own.first, own.width, written)
    return written


@numba.njit  # type: ignore[untyped-decorator]
def _write(
    quads: Array, state_of: Array, states: Array, pass_of: Array, first: Array, width: Array, written: Array
) -> None:
    for number in range(len(quads)):
        row = quads[number]
        state = states[state_of[row.primitive]]
        if state.writes_color == 0:
            continue
        render_pass = pass_of[row.primitive]
        for lane in range(4):
            if row.depth_pass >> lane & 1:
                place = first[render_pass] + (2 * row.y + (lane >> 1)) * width[render_pass] + 2 * row.x + (lane & 1)
                before = written[place] if state.blends != 0 else 0
                written[place] = (before * FACTOR + number + 1) & MASK
