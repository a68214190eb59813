"""A model-view matrix out of its product with a projection.

Many draws of OpenGL ES 1.1, and many programs, have only the product. A perspective projection as glFrustum makes it
leaves the last row of the product as the view's depth axis, and as the other rows of a rigid, evenly scaled model-view
matrix are orthogonal to that axis, they can be distinguished from the projection's terms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
TOLERANCE = 1e-3


@dataclass(frozen=True)
class Split:
    """Product taken apart.

    Parameters
    ----------
    model_view
        float64, shape (4, 4).
    projection
        Scale and shear along x, along y, and the two terms of depth, as glFrustum's matrix has them: float64, shape
        (6,). Scales hold for a model-view matrix that does not mirror.
    """

    model_view: Array
    projection: Array


def split(product: Array) -> Split | None:
    """Take a product apart; None if it is not that of a perspective projection and a rigid, evenly scaled matrix.

    Parameters
    ----------
    product
        float64, shape (4, 4), for columns of coordinates.
    """
    depth = -product[3]
    scale = float(np.linalg.norm(depth[:3]))
    if scale == 0 or not np.isfinite(product).all():
        return None
    axis = depth[:3] / scale**2
    shears = product[:3, :3] @ axis
    across = product[:2] - shears[:2, None] * depth
    sizes = np.linalg.norm(across[:, :3], axis=1) / scale
    left_over = product[2] - shears[2] * depth
    if not sizes.all() or np.abs(left_over[:3]).max() > TOLERANCE * scale * max(1.0, abs(shears[2])):
        return None
    rows = across / sizes[:, None]
    if abs(float(rows[0, :3] @ rows[1, :3])) > TOLERANCE * scale**2:
        return None
    model_view = np.vstack([rows, depth, (0.0, 0.0, 0.0, 1.0)])
    return Split(model_view, np.array([sizes[0], shears[0], sizes[1], shears[1], shears[2], left_over[3]]))
