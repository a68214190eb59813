"""Blending what a machine blended into one attachment again, in the machine's own order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from tilegpu.functional.activity.kernels import blending, logic
from tilegpu.functional.opengl import enums
from tilegpu.functional.opengl.channel_bits import CHANNEL_BITS

Array = np.ndarray[Any, Any]
Row = dict[str, Any]
BITS = {
    name: CHANNEL_BITS[name]
    for name in ("RGBA8", "BGRA8", "RGB8", "RGB565", "RGBA4", "RGB5_A1", "R8", "RG8", "SRGB8_ALPHA8")
}
"""Bits per channel of formats that are compared."""
LANES = 4
RIGHT_LANES, TOP_LANES = np.uint16(0xAAAA), np.uint16(0xCCCC)
"""Samples of a quad's right and upper pixels."""
STATE = ("blend_enabled", "blend", "logic_operation", "color_masks", "srgb_encoding")
"""Columns of a draw that say how its colours are written."""


class Blended(NamedTuple):
    """Quads that a machine blended, in any order: place, samples, draw as a row, shaded colour (quads, 16), and when
    each came among the quads of its place."""

    x: Array
    y: Array
    samples: Array
    draw: Array
    colors: Array
    order: Array

    def take(self, which: Array) -> Blended:
        """Some of them."""
        return Blended(*(column[which] for column in self))


class State(NamedTuple):
    """Writing of a draw's colours: code of a logical operation or -1, whether they are encoded as sRGB, and the
    rule of `blending.write_quads`."""

    operation: int
    srgb: bool
    rule: blending.BlendRule


class States:
    """Blend states of the draws of a frame.

    Parameters
    ----------
    draws
        With the columns `STATE`.

    Attributes
    ----------
    of_draw
        int64, (draws,): number of each draw's state in `states`.
    """

    def __init__(self, draws: list[Row]) -> None:
        numbers: dict[str, int] = {}
        self.states: list[State] = []
        self.of_draw = np.zeros(len(draws), np.int64)
        for number, draw in enumerate(draws):
            name = repr([draw[column] for column in STATE])
            if name not in numbers:
                numbers[name] = len(self.states)
                self.states.append(_state(draw))
            self.of_draw[number] = numbers[name]


def _state(draw: Row) -> State:
    operation = draw["logic_operation"]
    code = -1 if operation is None else logic.LOGIC_OPERATIONS.index(operation)
    return State(code, bool(draw["srgb_encoding"]), _rule(draw))


def _rule(draw: Row) -> blending.BlendRule:
    blend = draw["blend"]
    channels = np.array([(draw["color_masks"] or [0])[0] >> channel & 1 for channel in range(4)], np.bool_)
    if not draw["blend_enabled"] or blend is None:
        return blending.BlendRule(0, 0, 0, 0, 0, 0, np.zeros(4, np.float32), channels)
    return blending.BlendRule(
        equation_rgb=enums.EQUATIONS[blend["equation_rgb"]],
        equation_alpha=enums.EQUATIONS[blend["equation_alpha"]],
        source_rgb=enums.FACTORS[blend["source_rgb"]],
        destination_rgb=enums.FACTORS[blend["destination_rgb"]],
        source_alpha=enums.FACTORS[blend["source_alpha"]],
        destination_alpha=enums.FACTORS[blend["destination_alpha"]],
        constant=np.clip(np.array(blend["constant"], np.float32), 0, 1),
        channels=channels,
    )


@dataclass
class Surface:
    """First colour attachment of a pass: `pixels` (samples, height, width, 4), uint8, row 0 at the bottom. `srgb`: of
    an sRGB format. `misplaced`: quads that were blended on the wrong side of a clear."""

    pixels: Array
    bits: Array
    srgb: bool
    misplaced: int = 0

    def clear(self, event: Row) -> None:
        """Clear a box."""
        for channel in range(4):
            if event["color_mask"] >> channel & 1 and self.bits[channel]:
                value, srgb = event["clear_color"][channel], self.srgb and event["srgb_encoding"] and channel < 3
                part = self.pixels[:, event["y"] : event["y"] + event["height"]]
                part[:, :, event["x"] : event["x"] + event["width"], channel] = blending.stored_byte(
                    value, int(self.bits[channel]), srgb
                )

    def outside(self, quads: Blended) -> Array:
        """Rows of quads with a lane that is to be written outside the picture."""
        height, width = self.pixels.shape[1:3]
        right = 2 * quads.x + (quads.samples & RIGHT_LANES != 0)
        top = 2 * quads.y + (quads.samples & TOP_LANES != 0)
        return np.flatnonzero((quads.samples != 0) & ((right >= width) | (top >= height)))

    def write(self, quads: Blended, state: State) -> None:
        """Blend quads of one place each, of draws with the same state."""
        colors = np.ascontiguousarray(quads.colors.reshape(-1, LANES, 4).transpose(2, 0, 1).reshape(4, -1))
        for sample, pixels in enumerate(self.pixels):
            lanes = (quads.samples >> np.uint16(LANES * sample) & np.uint16(0xF)).astype(np.uint16)
            shaded = blending.ShadedQuads(quads.x, quads.y, lanes, colors)
            if state.operation >= 0:
                logic.write_logic_quads(shaded, state.operation, state.rule.channels, self.bits, pixels)
            else:
                blending.write_quads(shaded, state.rule, self.bits, self.srgb and state.srgb, pixels)

    def picture(self) -> Array:
        """One colour per pixel, from the top."""
        samples = len(self.pixels)
        mean = (self.pixels.astype(np.uint16).sum(0) + samples // 2) // samples
        return np.asarray(mean[::-1], np.uint8)


def misplaced(quads: Blended, segment: Array) -> int:
    """Quads blended after one of their place that comes behind a later clear."""
    order = np.lexsort((quads.order, quads.x, quads.y))
    same = (np.diff(quads.x[order]) == 0) & (np.diff(quads.y[order]) == 0)
    return int((same & (np.diff(segment[order]) < 0)).sum())


def compose(surface: Surface, quads: Blended, states: States) -> None:
    """Blend quads. Order matters only at one place, so the first quads of all places go first, a state at a time."""
    if not len(quads.x):
        return
    width = surface.pixels.shape[2]
    place = quads.y * (width // 2 + 1) + quads.x
    by_place = np.lexsort((quads.order, place))
    changes = np.flatnonzero(np.diff(place[by_place], prepend=-1))
    rank = np.empty(len(place), np.int64)
    rank[by_place] = np.arange(len(place)) - np.repeat(changes, np.diff(changes, append=len(place)))
    state = states.of_draw[quads.draw]
    order = np.lexsort((state, rank))
    key = np.stack([rank[order], state[order]])
    starts = np.flatnonzero(np.any(np.diff(key, axis=1, prepend=-1), axis=0))
    for first, last in zip(starts, [*starts[1:], len(order)], strict=True):
        surface.write(quads.take(order[first:last]), states.states[state[order[first]]])
