"""Draws that hide others, and how far hidden surfaces can be removed in each tile's list, from the activity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...loading.source import need_hidden_quads
from ..shared.hidden_surfaces import classify

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware


Array = np.ndarray[Any, Any]

TILE = np.dtype([("last_entry", "i4")], align=True)
"""`last_entry`: of the list; hidden surfaces are removed up to there."""


class Tables(NamedTuple):
    """The technique's tables of a frame; `draw`: of `hidden_surfaces`."""

    draw: Array
    tile: Array


def load(source: Any, configuration: Hardware, frame: Any) -> Tables:
    """Tables of a frame; `source` is a `loading.loaded.Loaded`."""
    need_hidden_quads(
        source.activity, "Deferred Rendering tests other quads than those that are shaded, and only those are recorded"
    )
    draws, barrier = classify(source.draws.rows, source.draws.state, frame.depth.state)
    return Tables(draws, _tiles(frame, barrier))


def _tiles(frame: Any, barrier: Array) -> Array:
    """The tiles' lists, up to the first clear or barrier."""
    primitive = frame.tiling.primitive[frame.tiling.entry["primitive"]]
    stops = primitive["clear"] >= 0
    drawn = ~stops
    stops[drawn] = barrier[primitive["state"][drawn]]
    barriers = np.append(np.flatnonzero(stops), len(stops))
    tiles = np.zeros(len(frame.tiling.tile), TILE)
    first = barriers[np.searchsorted(barriers, frame.tiling.tile["first_entry"])]
    tiles["last_entry"] = np.minimum(first, frame.tiling.tile["last_entry"])
    return tiles
