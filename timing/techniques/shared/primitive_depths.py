"""Depths of primitives, as the depth buffer has them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilegpu.functional.activity.kernels.depth import DEPTH_STEPS, FLOAT_FORMAT

Array = np.ndarray[Any, Any]
FARTHEST = 1 << 40


def nearest(frame: Any) -> Array:
    """Least depth of each primitive at a pixel of its quads; FARTHEST where it has none.

    Hardware takes that of its vertices, which is not recorded: it is no greater.
    """
    quad, primitive = frame.depth.quad, frame.depth.primitive
    of = quad["primitive"]
    row = primitive[of]
    depths = []
    for lane in range(4):
        x, y = 2.0 * quad["x"] + (lane & 1) + 0.5, 2.0 * quad["y"] + (lane >> 1) + 0.5
        depths.append(row["depth"] + row["depth_dx"] * x + row["depth_dy"] * y)
    depth = np.clip(np.min(depths, axis=0) if len(quad) else np.zeros(0), 0.0, 1.0)
    form = frame.depth.state["depth_format"][row["state"]]
    steps = np.array([*DEPTH_STEPS, 0.0])[form]
    fixed = np.floor(depth * steps).astype(np.int64)
    floating = depth.astype(np.float32).view(np.int32).astype(np.int64)
    least = np.full(len(primitive), FARTHEST, np.int64)
    np.minimum.at(least, of, np.where(form == FLOAT_FORMAT, floating, fixed))
    return least
