"""Vertices of convex hulls, of meshes of any dimension.

Hulls are made once per mesh, when it is loaded: the time and energy of loading are not the CPU's (thesis of 2018,
5.2.8).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tilegpu.functional.optional import optional

Array = np.ndarray[Any, Any]
FLAT = 1e-6
"""Extent across a mesh, against the largest, below which it has one dimension less: what float32 leaves of a plane."""


def hull_vertices(points: Array) -> Array:
    """Find the points that are vertices of the convex hull.

    Parameters
    ----------
    points
        Shape (n, 3), n at least 1.

    Returns
    -------
    int64, shape (k,), ascending.
    """
    distinct, places = np.unique(np.asarray(points, np.float64), axis=0, return_index=True)
    spread = distinct - distinct.mean(0)
    if len(distinct) == 1:
        return places.astype(np.int64)
    _, extents, axes = np.linalg.svd(spread, full_matrices=False)
    dimension = int((extents > FLAT * extents[0]).sum())
    flattened = spread @ axes[:dimension].T
    return np.sort(places[_corners(flattened, dimension)]).astype(np.int64)


def _corners(points: Array, dimension: int) -> Array:
    """Vertices of the hull of points that span their space, shape (n, dimension)."""
    if dimension == 1:
        return np.array([points[:, 0].argmin(), points[:, 0].argmax()])
    spatial = qhull()
    try:
        return np.asarray(spatial.ConvexHull(points).vertices)
    except spatial.QhullError:
        # So thin that Qhull finds no first simplex. More points than the hull's own do no harm.
        return np.arange(len(points))


def qhull() -> Any:
    """Scipy's module of hulls.

    Raises
    ------
    MissingPackage
        If scipy is not installed.
    """
    return optional("scipy.spatial", "deciding collisions by convex hulls")


class Hulls:
    """Hulls of the meshes of a frame; those of the frame before are kept, as most meshes occur again.

    The vertices of a mesh's hull stay the same when the mesh moves, turns or is scaled.
    """

    def __init__(self) -> None:
        self._before: dict[bytes, Array] = {}
        self._now: dict[bytes, Array] = {}

    def next_frame(self) -> None:
        """Forget what the last frame had no use for."""
        self._before, self._now = self._now, {}

    def of(self, shape: bytes, points: Array) -> Array:
        """Hull of a mesh, shape (k, 3).

        Parameters
        ----------
        shape
            Names the mesh, wherever it is.
        points
            Its vertices at its present place, shape (n, 3).
        """
        corners = self._now.get(shape)
        if corners is None:
            corners = self._before.get(shape)
            corners = hull_vertices(points) if corners is None else corners
            self._now[shape] = corners
        return points[corners]
