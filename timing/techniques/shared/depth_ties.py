"""Draws that may change places without changing the picture, and the winner of two equal depths then (de Lucas' thesis
of 2018, 4.2.6).

The depth buffer keeps a priority next to each depth, which is made from the number of the draw.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tilegpu.functional.activity.kernels.order import OrderConstraint

from ...engine.jit import inline

TOWARDS = {"LESS": -1, "LEQUAL": -1, "GREATER": 1, "GEQUAL": 1}
"""Direction in which depths win: draws of both kinds may not change places."""
NO_PRIORITY = 0
"""Priority of draws that keep their place, and of a clear."""


def may_move(draw: Mapping[str, Any], constraint: int) -> bool:
    """Whether a draw may change places with others of its kind.

    Parameters
    ----------
    draw
        Row of the draws table.
    constraint
        Its `OrderConstraint`. Ties do not matter: the priority decides.
    """
    constrained = constraint not in (OrderConstraint.NONE, OrderConstraint.TIES)
    return not constrained and draw["depth_function"] in TOWARDS


def priority_of(place: int, constraint: int) -> int:
    """Priority of the draw at a place of program order, from 0, that may move: the greater one wins. Positive where the
    last of equal depths wins (LEQUAL), negative where the first one does (LESS)."""
    return place + 1 if constraint & OrderConstraint.TIES else -place - 1


@inline
def wins(priority: int, held: int) -> bool:
    """Whether a fragment passes against one of equal depth: as in program order. Within a draw the last one does,
    or the first one stays."""
    return bool(priority > held or (priority > NO_PRIORITY and priority == held))
