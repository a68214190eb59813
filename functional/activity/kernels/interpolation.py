"""Perspective-correct interpolation of vertex outputs at the pixels of quads (OpenGL ES 2.0, 3.5.1)."""

from __future__ import annotations

import numpy as np

from ...compile import kernel
from ...compile.blocks import FloatRows, Floats, Halves, IntegerRows, Integers, Words


@kernel
def lane_weights(
    primitive: Integers,
    quad_x: Halves,
    quad_y: Halves,
    corners: IntegerRows,
    window: FloatRows,
    first: Floats,
    second: Floats,
) -> None:
    """Perspective-correct weights of the second and third corner at each lane; the first corner's is the rest up to 1.

    Parameters
    ----------
    primitive, quad_x, quad_y
        int, (quads,): primitive and position of each quad.
    corners
        int32, (primitives, 3): vertices; -1 for missing corners of lines and points.
    window
        float32, (vertices, 4): window x, y (up), depth, 1/w.
    first, second
        float32, (4 * quads,): weights to fill. Lanes (0,0), (1,0), (0,1), (1,1) of a quad are adjacent; helper lanes
        may have weights beyond 0…1.
    """
    for q in range(len(primitive)):
        p = primitive[q]
        a, b, c = corners[p, 0], corners[p, 1], corners[p, 2]
        ax, ay, aw = np.float64(window[a, 0]), np.float64(window[a, 1]), np.float64(window[a, 3])
        if b < 0:
            for lane in range(4):
                first[4 * q + lane] = 0.0
                second[4 * q + lane] = 0.0
            continue
        bx, by, bw = np.float64(window[b, 0]) - ax, np.float64(window[b, 1]) - ay, np.float64(window[b, 3])
        if c < 0:
            length = bx * bx + by * by
            for lane in range(4):
                x = 2.0 * quad_x[q] + (lane & 1) + 0.5 - ax
                y = 2.0 * quad_y[q] + (lane >> 1) + 0.5 - ay
                along = (x * bx + y * by) / length if length > 0.0 else 0.0
                total = (1.0 - along) * aw + along * bw
                first[4 * q + lane] = along * bw / total if total != 0.0 else 0.0
                second[4 * q + lane] = 0.0
            continue
        cx, cy, cw = np.float64(window[c, 0]) - ax, np.float64(window[c, 1]) - ay, np.float64(window[c, 3])
        area = bx * cy - by * cx
        for lane in range(4):
            x = 2.0 * quad_x[q] + (lane & 1) + 0.5 - ax
            y = 2.0 * quad_y[q] + (lane >> 1) + 0.5 - ay
            at_b = (x * cy - y * cx) * bw
            at_c = (bx * y - by * x) * cw
            at_a = area * aw - (x * cy - y * cx) * aw - (bx * y - by * x) * aw
            total = at_a + at_b + at_c
            if total != 0.0 and area != 0.0:
                first[4 * q + lane] = at_b / total
                second[4 * q + lane] = at_c / total
            else:
                first[4 * q + lane] = 0.0
                second[4 * q + lane] = 0.0


@kernel
def interpolate(
    primitive: Integers,
    corners: IntegerRows,
    outputs: FloatRows,
    first: Floats,
    second: Floats,
    components: Words,
    out: FloatRows,
) -> None:
    """Vertex outputs at each lane.

    Parameters
    ----------
    primitive
        int, (quads,): primitive of each quad.
    corners
        int32, (primitives, 3): vertices.
    outputs
        float32, (vertices, n): components of all varyings.
    first, second
        float32, (4 * quads,): weights from `lane_weights`.
    components
        int64, (k,): components of the outputs; -1 skips a row of `out`; values from 2**20 on are flat shaded: the
        component minus 2**20, taken from the last corner.
    out
        float32, (k, 4 * quads): result.
    """
    for k in range(len(components)):
        component = components[k]
        if component < 0:
            continue
        flat = component >= 1 << 20
        if flat:
            component -= 1 << 20
        for q in range(len(primitive)):
            p = primitive[q]
            b, c = corners[p, 1], corners[p, 2]
            base = outputs[corners[p, 0], component]
            to_b = outputs[b, component] - base if b >= 0 else np.float32(0)
            to_c = outputs[c, component] - base if c >= 0 else np.float32(0)
            if flat:
                # Arithmetic would change the bits of an integer.
                last = outputs[c if c >= 0 else b if b >= 0 else corners[p, 0], component]
                for lane in range(4):
                    out[k, 4 * q + lane] = last
                continue
            for lane in range(4):
                i = 4 * q + lane
                out[k, i] = base + first[i] * to_b + second[i] * to_c
