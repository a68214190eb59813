"""Drawing a scene with any OpenGL ES: what painters of its versions share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from tilegpu.functional.activity.marks import COLLISIONABLE
from tilegpu.functional.capture import Recorder

from . import shapes
from .draw_order import front_to_back
from .geometry import Floats, packed
from .moment import moment
from .ranks import ranks_mesh
from .scene import Layer, Thing, World
from .textures import TRANSLUCENT
from .twin import Twin
from .uploads import ELEMENT_ARRAY_BUFFER, TextureKey, load_texture, texture_key, upload

TRIANGLES, UNSIGNED_SHORT = 4, 0x1403
DEPTH_TEST, CULL_FACE, BLEND = 0x0B71, 0x0B44, 0x0BE2
TEXTURE0 = 0x84C0
COLOR_AND_DEPTH = 0x4100


@dataclass
class ScenePainter(ABC):
    """Draws frames of a scene with a recorder, and calls nothing that would change nothing, as engines do.

    Parameters
    ----------
    gl
        Recorder of a context of the version that the painter is for.
    twin, world, things, primitives
        The scene, and how many primitives each thing has.
    """

    gl: Recorder
    twin: Twin
    world: World
    things: list[Thing]
    primitives: list[int]
    _textures: dict[TextureKey, int] = field(default_factory=dict)
    _meshes: dict[object, tuple[int, int]] = field(default_factory=dict)
    _bound: dict[object, object] = field(default_factory=dict)

    def frame(self, t: float) -> list[int]:
        """Draw a frame, and return which things in which order."""
        gl = self.gl
        gl.glClearColor(*self.world.clear, 1.0)
        gl.glDepthMask(True)
        self._bound["mask"] = True
        gl.glClear(0x4100)
        now = moment(self.twin.phases, t)
        order = [i for i in front_to_back(self.things, self.world, self.twin, now.time) if now.shows(self.things[i])]
        view = now.view(self.world.camera(now.time)[0])
        for i in order:
            self._draw(self.things[i], self.primitives[i], view, now.time)
        gl.swap()
        return order

    @abstractmethod
    def _draw(self, thing: Thing, count: int, view: Floats, t: float) -> None:
        """Draw a thing with so many primitives."""

    @abstractmethod
    def _units(self, thing: Thing) -> int:
        """Texture units that a thing uses."""

    def _load(self) -> None:
        """Meshes and textures of all things."""
        for thing, count in zip(self.things, self.primitives, strict=True):
            self._mesh(thing, count)
            for unit in range(self._units(thing)):
                self._texture(thing, unit)

    def _elements(self, thing: Thing, count: int, indices: int) -> None:
        """The draw itself, with the thing's label."""
        gl = self.gl
        if self._bound.get("indices") != indices:
            gl.glBindBuffer(ELEMENT_ARRAY_BUFFER, indices)
            self._bound["indices"] = indices
        with gl.group(COLLISIONABLE + thing.label if self._collides(thing) else thing.label):
            gl.glDrawElements(TRIANGLES, 3 * count, UNSIGNED_SHORT, 0)

    def _collides(self, thing: Thing) -> bool:
        """Whether a thing is an object of collision detection: a solid one of the scene, of a role that collides."""
        solid = thing.layer is Layer.OPAQUE and thing.shape not in shapes.FLAT
        return solid and not thing.aside and thing.role in self.twin.collisionable

    def _tests(self, thing: Thing) -> bool:
        """Blending, culling and depth test as the thing has them; whether it is blended."""
        blended = thing.layer in (Layer.VEIL, Layer.HUD) or (
            not self.world.depth and self.world.palette[thing.image].painter in TRANSLUCENT
        )
        self._enable(BLEND, blended)
        self._enable(CULL_FACE, thing.shape not in shapes.FLAT)
        self._enable(DEPTH_TEST, self.world.depth and thing.layer is not Layer.HUD)
        return blended

    def _mask(self, on: bool) -> None:
        if self._bound.get("mask") != on:
            self.gl.glDepthMask(on)
            self._bound["mask"] = on

    def _enable(self, capability: int, on: bool) -> None:
        if self._bound.get(capability, False) != on:
            (self.gl.glEnable if on else self.gl.glDisable)(capability)
            self._bound[capability] = on

    def _mesh(self, thing: Thing, count: int, repeat: tuple[float, float] | None = None) -> tuple[int, int]:
        """Buffers of a mesh, its texture coordinates scaled by `repeat`."""
        key = thing.shape, count, thing.variant, thing.tint, repeat, thing.ranked
        if key not in self._meshes:
            if thing.ranked is not None:
                mesh = ranks_mesh(thing.ranked, count, thing.variant)
            else:
                mesh = shapes.shape(thing.shape, count, thing.variant, self.twin.quads)
            mesh = mesh.tinted(*thing.tint)
            if repeat is not None:
                mesh.coordinate[:] *= repeat
            self._meshes[key] = upload(self.gl, *packed(mesh))
            self._bound.pop("vertices", None)
            self._bound.pop("indices", None)
        return self._meshes[key]

    def _texture(self, thing: Thing, unit: int) -> int:
        key = texture_key(self.twin, thing, unit)
        if key not in self._textures:
            self.gl.glActiveTexture(TEXTURE0)
            self._textures[key] = load_texture(self.gl, self.world, key, self.twin)
            self._bound["unit", 0] = self._textures[key]
        return self._textures[key]
