"""Reasons for which a draw must keep its position in the drawing order."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntFlag
from typing import Any


class OrderConstraint(IntFlag):
    """Reasons why the fragments of a draw may not be reordered with those of others; 0 if they may."""

    NONE = 0
    BLENDING = 1
    """Blending reads the previous colour."""
    DEPTH_UNTESTED = 2
    """Without a depth test, the last fragment wins."""
    DEPTH_FUNCTION = 4
    """EQUAL, NOTEQUAL, ALWAYS and NEVER depend on what was drawn before."""
    STENCIL = 8
    """Stencil values are read or written."""
    TIES = 16
    """LEQUAL and GEQUAL: of equal depths, the last fragment wins. Two draws without equal depths may still be
    reordered."""
    DEPTH_UNWRITTEN = 32
    """Depth is not written, so later fragments behind this one pass."""
    PARTIAL_COLOR = 64
    """Not all channels are written."""


def order_constraint(draw: Mapping[str, Any]) -> OrderConstraint:
    """Constraints of a draw.

    Parameters
    ----------
    draw
        Row of the draws table.
    """
    constraint = OrderConstraint.NONE
    if draw["blend_enabled"]:
        constraint |= OrderConstraint.BLENDING
    if not draw["depth_test"]:
        constraint |= OrderConstraint.DEPTH_UNTESTED
    elif draw["depth_function"] in ("EQUAL", "NOTEQUAL", "ALWAYS", "NEVER"):
        constraint |= OrderConstraint.DEPTH_FUNCTION
    elif draw["depth_function"] in ("LEQUAL", "GEQUAL"):
        constraint |= OrderConstraint.TIES
    if draw["depth_test"] and not draw["depth_write"]:
        constraint |= OrderConstraint.DEPTH_UNWRITTEN
    if draw["stencil_test"]:
        constraint |= OrderConstraint.STENCIL
    if any(mask != 15 for mask in draw["color_masks"]):
        constraint |= OrderConstraint.PARTIAL_COLOR
    return constraint
