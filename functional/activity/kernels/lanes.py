"""Lanes of a quad, from the mask of its samples: 16 bits, four lanes for each sample."""

from __future__ import annotations

from typing import Any

from ...compile import helper


@helper
def lanes_of(mask: int) -> Any:
    """Lanes with a sample set in the mask of a quad, int64."""
    return (mask | mask >> 4 | mask >> 8 | mask >> 12) & 15


@helper
def lane_count(lanes: int) -> Any:
    """Number of lanes in a mask of them, from a table of four bits each."""
    return 0x4332322132212110 >> 4 * lanes & 15
