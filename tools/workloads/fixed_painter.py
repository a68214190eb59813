"""Drawing a scene with OpenGL ES 1.1: matrices, vertex arrays in buffers, texture units, a light, fog.

Each role has the fixed functions whose cost is nearest to what its program asks for.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .fixed_function import Functions, nearest
from .geometry import Floats
from .painter import FLOAT, LEQUAL, STRIDE_BYTES
from .scene import Thing, clock
from .scene_painter import TEXTURE0, ScenePainter
from .uploads import ARRAY_BUFFER, TEXTURE_2D, UNSIGNED_BYTE

MODELVIEW, PROJECTION, TEXTURE, FOG, FOG_MODE = 0x1700, 0x1701, 0x1702, 0x0B60, 0x0B65
LIGHTING, LIGHT0, COLOR_MATERIAL = 0x0B50, 0x4000, 0x0B57
VERTEX_ARRAY, NORMAL_ARRAY, COLOR_ARRAY, COORDINATE_ARRAY = 0x8074, 0x8075, 0x8076, 0x8078


@dataclass
class FixedPainter(ScenePainter):
    """Draws frames of a scene with a recorder of an OpenGL ES 1.1 context; parameters as for `ScenePainter`."""

    def __post_init__(self) -> None:
        gl = self.gl
        self._load()
        gl.glDepthFunc(LEQUAL)
        gl.glBlendFunc(0x0302, 0x0303)
        gl.glEnableClientState(VERTEX_ARRAY)
        gl.glEnableClientState(COLOR_ARRAY)
        gl.glLightfv(LIGHT0, 0x1203, np.array([0.4, 0.8, 0.4, 0.0], np.float32))
        gl.glLightfv(LIGHT0, 0x1201, np.array([0.7, 0.68, 0.6, 1.0], np.float32))
        gl.glLightModelfv(0x0B53, np.array([0.7, 0.72, 0.75, 1.0], np.float32))
        gl.glEnable(LIGHT0)
        gl.glEnable(COLOR_MATERIAL)
        gl.glFogf(0x0B63, 20.0)
        gl.glFogf(0x0B64, 90.0)
        gl.glFogf(0x0B62, 0.012)
        gl.glFogfv(0x0B66, np.array([*self.world.clear, 1.0], np.float32))

    def _functions(self, thing: Thing) -> Functions:
        return nearest(self.twin.solved.program[thing.role])

    def _units(self, thing: Thing) -> int:
        return self._functions(thing).units

    def _draw(self, thing: Thing, count: int, view: Floats, t: float) -> None:
        functions = self._functions(thing)
        self._states(thing, functions)
        self._matrices(thing, functions, view, t)
        vertices, indices = self._mesh(thing, count)
        self._units_of(thing, functions)
        self._arrays(functions, vertices)
        self._elements(thing, count, indices)

    def _matrices(self, thing: Thing, functions: Functions, view: Floats, t: float) -> None:
        gl = self.gl
        projection = np.eye(4) if thing.on_screen else view
        if not np.array_equal(self._bound.get("projection", ()), projection):  # type: ignore[arg-type]
            gl.glMatrixMode(PROJECTION)
            gl.glLoadMatrixf(projection.T.astype(np.float32))
            self._bound["projection"] = projection
        gl.glMatrixMode(MODELVIEW)
        gl.glLoadMatrixf(thing.pose(t).T.astype(np.float32))
        texture = np.eye(4)
        if functions.matrix:
            # Never the identity, which would cost nothing.
            texture[0, 0], texture[1, 1] = np.array(thing.repeat) * 1.0001
            texture[:2, 3] = (np.array(thing.corner) + np.array(thing.scroll) * clock(self.twin)(t)) % 1.0
        if functions.units and not np.array_equal(self._bound.get("texture", np.eye(4)), texture):  # type: ignore[arg-type]
            gl.glActiveTexture(TEXTURE0)
            gl.glMatrixMode(TEXTURE)
            gl.glLoadMatrixf(texture.T.astype(np.float32))
            self._bound["texture"] = texture

    def _states(self, thing: Thing, functions: Functions) -> None:
        blended = self._tests(thing)
        self._enable(LIGHTING, functions.lit)
        self._enable(FOG, functions.fog != 0)
        if functions.fog and self._bound.get("fog") != functions.fog:
            self.gl.glFogf(FOG_MODE, functions.fog)
            self._bound["fog"] = functions.fog
        self._mask(not blended)

    def _units_of(self, thing: Thing, functions: Functions) -> None:
        gl = self.gl
        for unit in range(2):
            on = unit < functions.units
            if self._bound.get(("units", unit), False) != on:
                gl.glActiveTexture(TEXTURE0 + unit)
                gl.glClientActiveTexture(TEXTURE0 + unit)
                (gl.glEnable if on else gl.glDisable)(TEXTURE_2D)
                (gl.glEnableClientState if on else gl.glDisableClientState)(COORDINATE_ARRAY)
                self._bound["units", unit] = on
            if on and self._bound.get(("unit", unit)) != (texture := self._texture(thing, unit)):
                gl.glActiveTexture(TEXTURE0 + unit)
                gl.glBindTexture(TEXTURE_2D, texture)
                self._bound["unit", unit] = texture

    def _arrays(self, functions: Functions, vertices: int) -> None:
        gl = self.gl
        if self._bound.get("normals", False) != functions.lit:
            (gl.glEnableClientState if functions.lit else gl.glDisableClientState)(NORMAL_ARRAY)
            self._bound["normals"] = functions.lit
        if self._bound.get("vertices") == (vertices, functions):
            return
        gl.glBindBuffer(ARRAY_BUFFER, vertices)
        gl.glVertexPointer(3, FLOAT, STRIDE_BYTES, 0)
        if functions.lit:
            gl.glNormalPointer(FLOAT, STRIDE_BYTES, 12)
        gl.glColorPointer(4, UNSIGNED_BYTE, STRIDE_BYTES, 32)
        for unit in range(functions.units):
            gl.glClientActiveTexture(TEXTURE0 + unit)
            gl.glTexCoordPointer(2, FLOAT, STRIDE_BYTES, 24)
        self._bound["vertices"] = vertices, functions

    def _mesh(self, thing: Thing, count: int, repeat: tuple[float, float] | None = None) -> tuple[int, int]:
        """Texture coordinates repeat by themselves where no texture matrix does it."""
        return super()._mesh(thing, count, None if self._functions(thing).matrix else thing.repeat)
