"""Entry points of OES_draw_texture: a screen-aligned rectangle with the cropped textures of all units."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

import numpy as np

from ...glsl.compatibility import COLOR, COORDINATE, POSITION
from ...opengl import enums as gl
from ...opengl.errors import GLError
from ...pipeline.command import ArrayLayout
from ..checks import check_value
from ..context import Context
from ..effects import FRAMEBUFFER
from ..fixed.state import MAX_UNITS
from ..state import VertexArrayObject
from .drawing import draw_arrays
from .fixed_table import FixedFunctions

entry = FixedFunctions()


@entry("glDrawTexfOES", "glDrawTexiOES", "glDrawTexsOES", effect=FRAMEBUFFER)
def glDrawTexf(context: Context, x: float, y: float, z: float, width: float, height: float) -> None:
    if not (width > 0 and height > 0):
        raise GLError(gl.INVALID_VALUE, f"rectangle of {width}x{height}")
    state, fixed = context.state, context.fixed
    saved = (state.vertex_array, fixed.model_view, fixed.projection, fixed.texture, fixed.enabled)
    x0, y0, w, h = state.viewport
    left, right = (2 * (v - x0) / max(w, 1) - 1 for v in (x, x + width))
    low, high = (2 * (v - y0) / max(h, 1) - 1 for v in (y, y + height))
    near, far = state.depth_range
    depth = near if z <= 0 else far if z >= 1 else near + z * (far - near)
    clip_z = 2 * (depth - near) / (far - near) - 1 if far != near else 0.0
    corners = np.array([[left, low], [right, low], [left, high], [right, high]], np.float32)
    position = np.concatenate([corners, np.full((4, 1), clip_z, np.float32), np.ones((4, 1), np.float32)], 1)
    try:
        state.vertex_array = VertexArrayObject.of(fixed_functions=True)
        _array(state.vertex_array, POSITION, position)
        for unit in range(MAX_UNITS):
            _array(state.vertex_array, COORDINATE + unit, _coordinates(context, unit))
        fixed.model_view, fixed.projection = [np.eye(4)], [np.eye(4)]
        fixed.texture = [[np.eye(4)] for _ in range(MAX_UNITS)]
        # Lighting does not apply; the current colour does.
        fixed.enabled = fixed.enabled - {gl.LIGHTING}
        assert state.constants[COLOR]
        draw_arrays(context, gl.TRIANGLE_STRIP, 4)
    finally:
        state.vertex_array, fixed.model_view, fixed.projection, fixed.texture, fixed.enabled = saved


@entry("glDrawTexxOES", effect=FRAMEBUFFER)
def glDrawTexx(context: Context, x: float, y: float, z: float, width: float, height: float) -> None:
    glDrawTexf(context, *(v / 65536.0 for v in (x, y, z, width, height)))


@entry("glDrawTexfvOES", "glDrawTexivOES", "glDrawTexsvOES", effect=FRAMEBUFFER)
def glDrawTexfv(context: Context, values: Sequence[float]) -> None:
    check_value(len(values) >= 5, f"{len(values)} numbers")
    glDrawTexf(context, *(float(v) for v in values[:5]))


def _array(arrays: VertexArrayObject, location: int, values: np.ndarray) -> None:
    array = copy(arrays.attributes[location])
    array.enabled, array.layout = True, ArrayLayout(components=values.shape[1])
    array.client = np.ascontiguousarray(values, np.float32).tobytes()
    arrays.attributes[location] = array


def _coordinates(context: Context, unit: int) -> np.ndarray:
    """Texture coordinates of the corners: the crop rectangle of the unit's texture."""
    texture = context.state.units.get((unit, gl.TEXTURE_2D))
    image = texture.images.get((0, 0)) if texture is not None else None
    if texture is None or image is None:
        return np.zeros((4, 2), np.float32)
    x, y, width, height = texture.crop
    u0, u1 = x / image.shape[1], (x + width) / image.shape[1]
    v0, v1 = y / image.shape[0], (y + height) / image.shape[0]
    return np.array([[u0, v0], [u1, v0], [u0, v1], [u1, v1]], np.float32)
