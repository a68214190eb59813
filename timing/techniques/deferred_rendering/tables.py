"""Which draws hide others, and how far hidden surfaces can be removed in each tile's list, from the activity."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tilegpu.functional.activity.kernels.order import OrderConstraint

from ...loading.source import ActivityError
from ..depth_ties import TOWARDS, may_move, priority_of

Array = np.ndarray[Any, Any]

DRAW = np.dtype([("priority", "i4"), ("opaque", "i1")], align=True)
"""`priority`: of `depth_ties`; `opaque`: hides what is behind it, known before it is shaded."""
TILE = np.dtype([("last_entry", "i4")], align=True)
"""`last_entry`: of the list; hidden surfaces are removed up to there."""


class Tables(NamedTuple):
    """The technique's tables of a frame."""

    draw: Array
    tile: Array


def load(source: Any, configuration: Any, frame: Any) -> Tables:
    """Tables of a frame; `source` is a `loading.load.Loaded`."""
    if source.activity.manifest.level != "all":
        raise ActivityError(
            f"{source.activity.folder}: Deferred Rendering tests other quads than those that are shaded, and only "
            "those are recorded; record with --level all"
        )
    draws, barrier = _draws(source.draws.rows, source.draws.state, frame.depth.state)
    return Tables(draws, _tiles(frame, barrier))


def _draws(rows: Any, states: Array, tested: Array) -> tuple[Array, Array]:
    """Draws, and which of them are barriers: what was drawn before must not be hidden by what comes behind."""
    draws, barrier = np.zeros(len(rows), DRAW), np.zeros(len(rows), bool)
    towards: dict[int, int] = {}
    for place, row in enumerate(rows):
        constraint = int(states[place]["constraint"])
        if may_move(row, constraint):
            way = TOWARDS[row["depth_function"]]
            barrier[place] = towards.setdefault(row["pass"], way) != way
            draws[place] = priority_of(place, constraint), not tested[place]["late"]
        else:
            # What leaves depth and stencil alone is hidden rightly by what comes later: that paints it over.
            writes = row["depth_test"] and row["depth_write"]
            barrier[place] = writes or bool(constraint & OrderConstraint.STENCIL)
    return draws, barrier


def _tiles(frame: Any, barrier: Array) -> Array:
    """The tiles' lists, up to the first clear or barrier."""
    primitive = frame.tiling.primitive[frame.tiling.entry["primitive"]]
    stops = primitive["clear"] >= 0
    drawn = ~stops
    stops[drawn] = barrier[primitive["state"][drawn]]
    found = np.append(np.flatnonzero(stops), len(stops))
    tiles = np.zeros(len(frame.tiling.tile), TILE)
    first = found[np.searchsorted(found, frame.tiling.tile["first_entry"])]
    tiles["last_entry"] = np.minimum(first, frame.tiling.tile["last_entry"])
    return tiles
