"""Drawing a scene with OpenGL ES 1.1: matrices, vertex arrays in buffers, texture units, a light, fog.

Each role has the fixed functions whose cost is nearest to what its program asks for.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tilegpu.functional.capture import Recorder

from . import shapes
from .fixed_function import Functions, nearest
from .geometry import Floats, packed
from .painter import (
    ARRAY_BUFFER,
    BLEND,
    CULL_FACE,
    DEPTH_TEST,
    ELEMENT_ARRAY_BUFFER,
    FLOAT,
    LEQUAL,
    STRIDE_BYTES,
    TEXTURE_2D,
    TRIANGLES,
    UNSIGNED_BYTE,
    UNSIGNED_SHORT,
    TextureKey,
    front_to_back,
    load_texture,
    texture_key,
    upload,
)
from .scene import Layer, Thing, World, clock
from .textures import TRANSLUCENT
from .twin import Twin

MODELVIEW, PROJECTION, TEXTURE, FOG, FOG_MODE = 0x1700, 0x1701, 0x1702, 0x0B60, 0x0B65
LIGHTING, LIGHT0, COLOR_MATERIAL = 0x0B50, 0x4000, 0x0B57
VERTEX_ARRAY, NORMAL_ARRAY, COLOR_ARRAY, COORDINATE_ARRAY = 0x8074, 0x8075, 0x8076, 0x8078


@dataclass
class FixedPainter:
    """Draws frames of a scene with a recorder of an OpenGL ES 1.1 context; parameters as for `Painter`."""

    gl: Recorder
    twin: Twin
    world: World
    things: list[Thing]
    primitives: list[int]
    _textures: dict[TextureKey, int] = field(default_factory=dict)
    _meshes: dict[object, tuple[int, int]] = field(default_factory=dict)
    _bound: dict[object, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        gl = self.gl
        for thing, count in zip(self.things, self.primitives, strict=True):
            self._mesh(thing, count)
            for unit in range(self._units(thing)):
                self._texture(thing, unit)
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

    def frame(self, t: float) -> list[int]:
        """Draw a frame, and return which things in which order."""
        gl = self.gl
        gl.glClearColor(*self.world.clear, 1.0)
        gl.glDepthMask(True)
        self._bound["mask"] = True
        gl.glClear(0x4100)
        order = front_to_back(self.things, self.world, self.twin, t)
        view, _ = self.world.camera(t)
        for i in order:
            self._draw(self.things[i], self.primitives[i], view, t)
        gl.swap()
        return order

    def _functions(self, thing: Thing) -> Functions:
        return nearest(self.twin.solved.program[thing.role])

    def _units(self, thing: Thing) -> int:
        return self._functions(thing).units

    def _draw(self, thing: Thing, count: int, view: Floats, t: float) -> None:
        gl, functions = self.gl, self._functions(thing)
        self._states(thing, functions)
        self._matrices(thing, functions, view, t)
        vertices, indices = self._mesh(thing, count)
        self._units_of(thing, functions)
        self._arrays(functions, vertices)
        if self._bound.get("indices") != indices:
            gl.glBindBuffer(ELEMENT_ARRAY_BUFFER, indices)
            self._bound["indices"] = indices
        gl.glPushGroupMarkerEXT(len(thing.label), thing.label)
        gl.glDrawElements(TRIANGLES, 3 * count, UNSIGNED_SHORT, 0)
        gl.glPopGroupMarkerEXT()

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
            texture[:2, 3] = np.array(thing.scroll) * clock(self.twin)(t) % 1.0
        if functions.units and not np.array_equal(self._bound.get("texture", np.eye(4)), texture):  # type: ignore[arg-type]
            gl.glActiveTexture(0x84C0)
            gl.glMatrixMode(TEXTURE)
            gl.glLoadMatrixf(texture.T.astype(np.float32))
            self._bound["texture"] = texture

    def _states(self, thing: Thing, functions: Functions) -> None:
        blended = thing.layer in (Layer.VEIL, Layer.HUD) or (
            not self.world.depth and self.world.palette[thing.image].painter in TRANSLUCENT
        )
        self._enable(BLEND, blended)
        self._enable(CULL_FACE, thing.shape not in shapes.FLAT)
        self._enable(DEPTH_TEST, self.world.depth and thing.layer is not Layer.HUD)
        self._enable(LIGHTING, functions.lit)
        self._enable(FOG, functions.fog != 0)
        if functions.fog and self._bound.get("fog") != functions.fog:
            self.gl.glFogf(FOG_MODE, functions.fog)
            self._bound["fog"] = functions.fog
        if self._bound.get("mask") != (not blended):
            self.gl.glDepthMask(not blended)
            self._bound["mask"] = not blended

    def _enable(self, capability: int, on: bool) -> None:
        if self._bound.get(capability, False) != on:
            (self.gl.glEnable if on else self.gl.glDisable)(capability)
            self._bound[capability] = on

    def _units_of(self, thing: Thing, functions: Functions) -> None:
        gl = self.gl
        for unit in range(2):
            on = unit < functions.units
            if self._bound.get(("units", unit), False) != on:
                gl.glActiveTexture(0x84C0 + unit)
                gl.glClientActiveTexture(0x84C0 + unit)
                (gl.glEnable if on else gl.glDisable)(TEXTURE_2D)
                (gl.glEnableClientState if on else gl.glDisableClientState)(COORDINATE_ARRAY)
                self._bound["units", unit] = on
            if on and self._bound.get(("bound", unit)) != (texture := self._texture(thing, unit)):
                gl.glActiveTexture(0x84C0 + unit)
                gl.glBindTexture(TEXTURE_2D, texture)
                self._bound["bound", unit] = texture

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
            gl.glClientActiveTexture(0x84C0 + unit)
            gl.glTexCoordPointer(2, FLOAT, STRIDE_BYTES, 24)
        self._bound["vertices"] = vertices, functions

    def _mesh(self, thing: Thing, count: int) -> tuple[int, int]:
        """Buffers of a mesh; its texture coordinates repeat by themselves where no texture matrix does it."""
        scaled = not self._functions(thing).matrix
        key = thing.shape, count, thing.variant, thing.tint, thing.repeat if scaled else None
        if key not in self._meshes:
            mesh = shapes.shape(thing.shape, count, thing.variant).tinted(*thing.tint)
            if scaled:
                mesh.coordinate[:] *= thing.repeat
            self._meshes[key] = upload(self.gl, *packed(mesh))
            self._bound.pop("vertices", None)
            self._bound.pop("indices", None)
        return self._meshes[key]

    def _texture(self, thing: Thing, unit: int) -> int:
        key = texture_key(self.twin, thing, unit)
        if key not in self._textures:
            self.gl.glActiveTexture(0x84C0)
            self._textures[key] = load_texture(self.gl, self.world, key, self.twin.seed)
            self._bound["bound", 0] = self._textures[key]
        return self._textures[key]
