"""Rendering against depths that were found before (Deferred Rendering, Z-prepass): which draws hide others, and which
of their fragments are visible.

A fragment is visible if it has the depth and is of the draw that were found in front (a test against the depth alone
would kill all, or pass several). Draws that discard or write their depth are not known before they are shaded: they
hide nothing before, and are tested as ever. What leaves depth and stencil alone is drawn in its place; where something
opaque comes later and in front, that paints it over. Everything else is a barrier: nothing that was drawn before may be
hidden by what comes behind it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tilegpu.functional.activity.kernels.order import OrderConstraint
from tilegpu.timing.declare.records import MAX_TILE_SAMPLES, Record, Rows, i1, i4, room

from ...engine.jit import inline
from .depth_ties import NO_PRIORITY, TOWARDS, may_move, priority_of, wins

if TYPE_CHECKING:
    from ...engine.hooks import Compared

Array = np.ndarray[Any, Any]

DRAW = np.dtype([("priority", "i4"), ("opaque", "i1")], align=True)
"""`priority`: of `depth_ties`; `opaque`: hides what is behind it, which is known before it is shaded."""


class Occluder(Record):
    """Fields that the depth buffer keeps next to each depth: the draw that it is of, and whether that one was rendered,
    or only found to be in front."""

    priority: Rows[i4] = room(MAX_TILE_SAMPLES)
    rendered: Rows[i1] = room(MAX_TILE_SAMPLES)


def classify(rows: Any, states: Array, tested: Array) -> tuple[Array, Array]:
    """Draws of a frame, and which of them are barriers.

    Parameters
    ----------
    rows
        The draws table, a mapping per row.
    states
        Rows of `engine.frame.STATE` with the draws' order constraints.
    tested
        The same rows as the machine tests them: `late`.
    """
    draws, barrier = np.zeros(len(rows), DRAW), np.zeros(len(rows), bool)
    towards: dict[int, int] = {}
    for place, row in enumerate(rows):
        constraint = int(states[place]["constraint"])
        if may_move(row, constraint):
            way = TOWARDS[row["depth_function"]]
            barrier[place] = towards.setdefault(row["pass"], way) != way
            draws[place] = priority_of(place, constraint), not tested[place]["late"]
        else:
            writes = row["depth_test"] and row["depth_write"]
            barrier[place] = writes or bool(constraint & OrderConstraint.STENCIL)
    return draws, barrier


@inline
def is_visible(row: Any, occluder: Occluder, place: int, compared: Compared, passed: bool) -> bool:
    """Whether a fragment passes when it is rendered; `passed`: what the comparison of the depths says."""
    if row.priority == NO_PRIORITY or compared.z != compared.held:
        return passed
    is_first = occluder.rendered[place] == 0 and row.priority == occluder.priority[place]
    return bool(is_first or wins(row.priority, occluder.priority[place]))


@inline
def keep(occluder: Occluder, place: int, priority: int, rendered: int) -> None:
    """A fragment is the new one at a place of the depth buffer; NO_PRIORITY for a clear."""
    occluder.priority[place] = priority
    occluder.rendered[place] = rendered
