"""Data derived from states and arrays when a draw first needs it, and kept with them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ..activity.kernels.depth import DEPTH_STEPS
from ..compile.blocks import Doubles, Words
from .sampler import Versioned
from .state import DrawState, Raster

SMALLEST_DEPTH_STEPS = (*(1 / steps for steps in DEPTH_STEPS), 2.0**-23)
"""Smallest resolvable depth difference r of polygon offset, by code of the depth format.

A step of fixed-point formats, as in Mesa: any less vanishes when the depth is rounded (OpenGL ES 3.0, 3.6.2).
"""
WIDEST_LINE = 255.0


class RasterState(NamedTuple):
    """State of set-up and rasterization as kernels take it.

    Attributes
    ----------
    viewport, depth_range
        float64, as in `Raster`.
    polygon_offset
        float64, (2,): its factor, and its units as a depth.
    line_width
        At most `WIDEST_LINE`.
    height, flipped
        Height of the framebuffer, and whether memory counts its rows from the top.
    front_face, cull
        GL enums.
    box
        int64, (4,): x0, y0, x1, y1 that may be covered.
    """

    viewport: Doubles
    depth_range: Doubles
    polygon_offset: Doubles
    line_width: float
    height: int
    flipped: bool
    front_face: int
    cull: int
    box: Words


def raster_state(state: DrawState) -> RasterState:
    """State of set-up and rasterization as kernels take it."""
    target = state.target
    step = SMALLEST_DEPTH_STEPS[target.depth_format]
    return _raster_state(state.raster, step, target.height, target.flipped)


@lru_cache(maxsize=256)
def _raster_state(raster: Raster, step: float, height: int, flipped: bool) -> RasterState:
    factor, units = raster.polygon_offset
    return RasterState(
        np.array(raster.viewport, np.float64),
        np.array(raster.depth_range, np.float64),
        np.array((factor, units * step), np.float64),
        float(min(raster.line_width, WIDEST_LINE)),
        height,
        flipped,
        raster.front_face,
        raster.cull,
        np.array(raster.scissor, np.int64),
    )


@dataclass(slots=True, eq=False)
class StateDerived:
    """Data derived from a state alone, each when first needed; all draws of the same state share it.

    Attributes
    ----------
    raster
        State for set-up and rasterization.
    plans
        How its draws are executed, by the other conditions of that decision; see `fused.plan`.
    slots
        Slots of attachments whose content its draws need, and those that they change.
    row
        Columns of the table of draws.
    unobserved
        The state as it is drawn if nothing observes its draws.
    uncolored
        The state as it is drawn if its colours do not count.
    counted
        Counts that its draws add to; see `fused.counted_state`.
    recorded
        Where its draws are recorded; see `recording.recorded_state`.
    key
        A number for the state without constants and later contents of textures, by which draws of two frames are
        compared; and these textures.
    accessed
        Memory that its draws access; see `dependencies.observer`.
    """

    raster: RasterState | None = None
    plans: dict[tuple[object, ...], Any] = field(default_factory=dict)
    slots: tuple[frozenset[str], frozenset[str]] | None = None
    row: dict[str, Any] | None = None
    unobserved: DrawState | None = None
    uncolored: DrawState | None = None
    counted: Any = None
    recorded: Any = None
    key: tuple[int, tuple[Versioned, ...]] | None = None
    accessed: Any = None


@dataclass(slots=True, eq=False)
class ArraysDerived:
    """Data that vertex fetch derived from arrays and constants alone; all draws of the same arrays share it.

    Attributes
    ----------
    table
        Table that kernels fetch from; see `fused.attribute_table`.
    extents
        Where the arrays lie; see `characterize.fetched_blocks`.
    """

    table: Any = None
    extents: Any = None
