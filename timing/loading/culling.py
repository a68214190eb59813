"""Reasons for culling primitives, in the classes of Arm's counters of the tiler."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from ..engine.frame import CULLING
from .source import numbers

SIDES, DEPTH, SAMPLES = (CULLING.index(name) for name in ("sides", "depth", "samples"))
OF_ACTIVITY = {"none": 0, "face": SIDES, "degenerate": SAMPLES, "frustum": SIDES, "empty": SAMPLES}
"""Classes by the activity's reasons. A primitive outside of the frustum counts as beyond a side; `culling` moves those
that are outside by their depth alone."""


def culling(primitives: pa.Table, vertices: pa.Table) -> np.ndarray[Any, Any]:
    """Class of each primitive: its place in `CULLING`, int8 (primitives,).

    Parameters
    ----------
    primitives, vertices
        Tables of a frame of the activity.
    """
    names = primitives["culled"].to_pylist()
    reasons = np.array([OF_ACTIVITY[name] for name in names], np.int8)
    outside = np.flatnonzero(np.array([name == "frustum" for name in names], bool))
    if len(outside):
        reasons[outside[~_beside(primitives, vertices, outside)]] = DEPTH
    return reasons


def _beside(primitives: pa.Table, vertices: pa.Table, rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Whether all corners of primitives lie beyond one side of the view."""
    corners = np.stack([numbers(primitives, f"vertex_{i}")[rows] for i in range(3)])
    corners = np.where(corners < 0, corners[0], corners)
    w = vertices["clip_w"].to_numpy()[corners]
    beyond = np.zeros(len(rows), bool)
    for axis in "xy":
        place = vertices[f"clip_{axis}"].to_numpy()[corners]
        beyond |= (place < -w).all(0) | (place > w).all(0)
    return beyond
