"""Transform feedback: vertices of whole primitives, written to buffers before clipping (OpenGL ES 3.0, 2.15)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..command import Feedback
from .vertex_shading import ShadedVertices


def capture(feedback: Feedback, shaded: ShadedVertices, stream: NDArray[np.int32], instance: int) -> int:
    """Write the vertices of an instance's whole primitives to the buffers.

    Parameters
    ----------
    feedback
        Destination.
    shaded
        Distinct vertices.
    stream
        int32, (count,): vertices in the order drawn.
    instance
        Number of the instance; each appends to the ones before.

    Returns
    -------
    int
        Primitives written.
    """
    primitives = len(stream) // feedback.vertices_per_primitive
    vertices = stream[: primitives * feedback.vertices_per_primitive]
    sources = {"position": shaded.clip, "point_size": shaded.point_size[:, None], "varying": shaded.outputs}
    for target in feedback.streams:
        columns = [
            sources[c.semantic][vertices][:, 4 * slot : 4 * slot + c.components]
            for c in target.captured
            for slot in range(c.slot, c.slot + c.slots)
        ]
        data = np.ascontiguousarray(np.concatenate(columns, 1), "<f4").tobytes()
        start = target.first_byte + instance * len(data)
        target.data[start : start + len(data)] = data
    return primitives
