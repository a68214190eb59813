"""Primitive assembly: turns a vertex stream into points, lines and triangles (OpenGL ES 2.0, 2.6.1)."""

from __future__ import annotations

from typing import Any

from ...compile import helper, kernel
from ...compile.blocks import Flags, FloatRows, IntegerRows, Integers
from ...opengl.enums import LINE_LOOP, LINE_STRIP, LINES, POINTS, TRIANGLE_FAN, TRIANGLE_STRIP, TRIANGLES
from .setup_kernels import classify

CORNERS = (1, 2, 2, 2, 3, 3, 3)
"""Corners of a primitive, by topology."""


@helper
def assemble_run(topology: int, stream: Integers, start: int, end: int, out: IntegerRows, count: int) -> Any:
    """Primitives of the vertices `start` to `end` of a stream, appended to `out`; the new count."""
    n = end - start
    if topology == POINTS:
        for i in range(start, end):
            out[count, 0] = stream[i]
            count += 1
    elif topology in (LINES, LINE_STRIP, LINE_LOOP):
        for i in range(start, end - 1, 2 if topology == LINES else 1):
            out[count, 0], out[count, 1] = stream[i], stream[i + 1]
            count += 1
        if topology == LINE_LOOP and n >= 2:
            out[count, 0], out[count, 1] = stream[end - 1], stream[start]
            count += 1
    else:
        for i in range(start, end - 2, 3 if topology == TRIANGLES else 1):
            # The last corner is the provoking one in GL; the fan's centre comes first.
            a, b = (start if topology == TRIANGLE_FAN else i), i + 1
            if topology == TRIANGLE_STRIP and (i - start) & 1:
                a, b = b, a
            out[count, 0], out[count, 1], out[count, 2] = stream[a], stream[b], stream[i + 2]
            count += 1
    return count


@kernel
def assemble_and_classify(
    topology: int, stream: Integers, clip: FloatRows, out: IntegerRows, outside: Flags, crossing: Flags
) -> tuple[int, int]:
    """Assemble primitives, and find those outside of the view volume and those that cross its planes.

    Parameters
    ----------
    topology
        GL enum.
    stream
        int32, (count,): vertices in the order drawn; -1 starts new primitives.
    clip
        float32, (n, 4): clip coordinates.
    out
        int32, (room, 1 to 3), with room for as many primitives as the stream has vertices, to fill: corners in GL's
        order; the winding of every other triangle of a strip is kept, and the last corner is the provoking one.
    outside, crossing
        bool, (room,), to fill.

    Returns
    -------
    int, int
        Primitives, and how many of them cross a plane.
    """
    count = start = 0
    for i in range(len(stream) + 1):
        if i == len(stream) or stream[i] < 0:
            count = assemble_run(topology, stream, start, i, out, count)
            start = i + 1
    return count, classify(out[:count], clip, outside, crossing)


@helper
def room(topology: int, vertices: int) -> Any:
    """Most primitives of a number of vertices; exact if no new primitive starts between them."""
    if topology in (LINES, TRIANGLES):
        return vertices // CORNERS[topology]
    if topology in (POINTS, LINE_LOOP):
        return vertices
    return max(0, vertices - CORNERS[topology] + 1)
