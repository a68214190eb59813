"""Drawing a scene with OpenGL ES 2.0, as engines do: static buffers, compressed mipmapped textures, a draw a thing."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from tilegpu.functional.capture import Recorder

from . import shapes
from .etc1 import encode
from .geometry import Floats, packed
from .programs import FRAGMENT_LAMPS, VERTEX_LAMPS, Built, build
from .scene import Image, Layer, Thing, World, clock
from .textures import TRANSLUCENT, mipmaps, paint
from .twin import ROLES, Program, Twin

TRIANGLES, UNSIGNED_SHORT, TEXTURE_2D, RGBA, UNSIGNED_BYTE, FLOAT = 4, 0x1403, 0x0DE1, 0x1908, 0x1401, 0x1406
ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER, STATIC_DRAW, ETC1 = 0x8892, 0x8893, 0x88E4, 0x8D64
DEPTH_TEST, CULL_FACE, BLEND, LEQUAL = 0x0B71, 0x0B44, 0x0BE2, 0x0203
MIN_FILTER = {"nearest": 0x2700, "bilinear": 0x2701, "trilinear": 0x2703, "anisotropic": 0x2703}
MAG_FILTER = {"nearest": 0x2600, "bilinear": 0x2601, "trilinear": 0x2601, "anisotropic": 0x2601}
MAX_ANISOTROPY = 0x84FE
STRIDE_BYTES = 36
ATTRIBUTES = (
    ("position", 3, FLOAT, False, 0),
    ("normal", 3, FLOAT, False, 12),
    ("coordinate", 2, FLOAT, False, 24),
    ("color", 4, UNSIGNED_BYTE, True, 32),
)
LOOKS = 3
TextureKey = tuple[str, int, str]
"""Image, look, filter."""
SECOND_IMAGES = ("detail", "light", "grain")
"""What the further textures of a program show."""


def front_to_back(things: list[Thing], world: World, twin: Twin, t: float) -> list[int]:
    """Order in which a frame draws its things."""
    if not world.depth:
        rank = {Layer.BACKDROP: 0, Layer.FAR: 1, Layer.GROUND: 2, Layer.OPAQUE: 3, Layer.VEIL: 4, Layer.HUD: 5}
        return sorted(range(len(things)), key=lambda i: (rank[things[i].layer], i))
    _, eye = world.camera(t)
    if twin.unordered:
        rank = {Layer.BACKDROP: 0, Layer.FAR: 1, Layer.GROUND: 1, Layer.OPAQUE: 2, Layer.VEIL: 4, Layer.HUD: 5}
    else:
        rank = {layer: int(layer) for layer in Layer}

    def key(i: int) -> tuple[int, float, int]:
        thing = things[i]
        if thing.layer is Layer.VEIL and not thing.on_screen:
            return rank[thing.layer], -_distance(thing, eye, t), i
        if thing.layer is Layer.OPAQUE and not twin.unordered and not thing.on_screen:
            return rank[thing.layer], _distance(thing, eye, t), i
        return rank[thing.layer], 0.0, i

    return sorted(range(len(things)), key=key)


def _distance(thing: Thing, eye: Floats, t: float) -> float:
    return float(np.linalg.norm(thing.pose(t)[:3, 3] - eye))


@dataclass
class _Material:
    """A program with its uniforms and attributes."""

    built: Built
    program: int
    locations: dict[str, int]
    attributes: tuple[str, ...]


@dataclass
class Painter:
    """Draws frames of a scene with a recorder.

    Parameters
    ----------
    gl
        Recorder of an OpenGL ES 2.0 context.
    twin, world, things, primitives
        The scene, and how many primitives each thing has.
    """

    gl: Recorder
    twin: Twin
    world: World
    things: list[Thing]
    primitives: list[int]
    _materials: dict[str, _Material] = field(default_factory=dict)
    _textures: dict[TextureKey, int] = field(default_factory=dict)
    _meshes: dict[object, tuple[int, int]] = field(default_factory=dict)
    _bound: dict[object, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for role in ROLES:
            if any(thing.role == role for thing in self.things):
                self._materials[role] = self._material(role)
        for thing, count in zip(self.things, self.primitives, strict=True):
            self._mesh(thing, count)
            for unit in range(self.twin.solved.program[thing.role].textures):
                self._texture(thing, unit)
        self.gl.glDepthFunc(LEQUAL)

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

    def _draw(self, thing: Thing, count: int, view: Floats, t: float) -> None:
        gl, material = self.gl, self._materials[thing.role]
        self._states(thing)
        self._use(material, self.twin.solved.program[thing.role], thing)
        pose = thing.pose(t)
        matrix = pose if thing.on_screen else view @ pose
        places = material.locations
        gl.glUniformMatrix4fv(places["model_view_projection"], 1, False, matrix.T.astype(np.float32))
        if "fit" in places:
            self._uniform(material, "fit", self._fit(thing, material, t))
        if "sway" in places:
            swing = thing.sway * np.sin(0.15 * t + thing.variant)
            self._uniform(material, "sway", np.array([[swing, 0, 0, 0]] + [[0.0] * 4] * (material.built.sways - 1)))
        vertices, indices = self._mesh(thing, count)
        self._attributes(material, vertices)
        if self._bound.get("indices") != indices:
            gl.glBindBuffer(ELEMENT_ARRAY_BUFFER, indices)
            self._bound["indices"] = indices
        gl.glPushGroupMarkerEXT(len(thing.label), thing.label)
        gl.glDrawElements(TRIANGLES, 3 * count, UNSIGNED_SHORT, 0)
        gl.glPopGroupMarkerEXT()

    def _fit(self, thing: Thing, material: _Material, t: float) -> Floats:
        if "coordinate" not in material.attributes:
            return np.array([thing.repeat[0] / self.twin.width, thing.repeat[1] / self.twin.height, 0, 0])
        scroll = np.array(thing.scroll) * clock(self.twin)(t) % 1.0
        return np.array([*thing.repeat, *scroll])

    def _states(self, thing: Thing) -> None:
        blended = thing.layer in (Layer.VEIL, Layer.HUD) or (
            not self.world.depth and self.world.palette[thing.image].painter in TRANSLUCENT
        )
        closed = thing.shape not in shapes.FLAT
        depth = self.world.depth and thing.layer is not Layer.HUD
        self._enable(BLEND, blended)
        self._enable(CULL_FACE, closed)
        self._enable(DEPTH_TEST, depth)
        if self._bound.get("mask") != (not blended):
            self.gl.glDepthMask(not blended)
            self._bound["mask"] = not blended
        if blended and "blend" not in self._bound:
            self.gl.glBlendFunc(0x0302, 0x0303)
            self._bound["blend"] = True

    def _enable(self, capability: int, on: bool) -> None:
        if self._bound.get(capability, False) != on:
            (self.gl.glEnable if on else self.gl.glDisable)(capability)
            self._bound[capability] = on

    def _use(self, material: _Material, program: Program, thing: Thing) -> None:
        gl = self.gl
        if self._bound.get("program") != material.program:
            gl.glUseProgram(material.program)
            self._bound["program"] = material.program
        for unit in range(program.textures):
            texture = self._texture(thing, unit)
            if self._bound.get(("unit", unit)) != texture:
                gl.glActiveTexture(0x84C0 + unit)
                gl.glBindTexture(TEXTURE_2D, texture)
                self._bound["unit", unit] = texture

    def _attributes(self, material: _Material, vertices: int) -> None:
        gl = self.gl
        for location in range(len(ATTRIBUTES)):
            on = location < len(material.attributes)
            if self._bound.get(("array", location), False) != on:
                (gl.glEnableVertexAttribArray if on else gl.glDisableVertexAttribArray)(location)
                self._bound["array", location] = on
        if self._bound.get("vertices") == (vertices, material.attributes):
            return
        gl.glBindBuffer(ARRAY_BUFFER, vertices)
        for location, wanted in enumerate(material.attributes):
            _, size, kind, normalized, offset = next(a for a in ATTRIBUTES if a[0] == wanted)
            gl.glVertexAttribPointer(location, size, kind, normalized, STRIDE_BYTES, offset)
        self._bound["vertices"] = vertices, material.attributes

    def _material(self, role: str) -> _Material:
        gl, wanted = self.gl, self.twin.solved.program[role]
        built = build(wanted.size)
        attributes = tuple(a[0] for a in ATTRIBUTES if f" {a[0]};" in built.vertex)
        program = gl.program(built.vertex, built.fragment, attributes)
        names = ["model_view_projection", "fit", "sway", "lamp", "rim", "tone", "spot", *(f"glow{i}" for i in range(4))]
        sources = built.vertex + built.fragment
        locations = {
            n: gl.glGetUniformLocation(program, n) for n in names if f" {n};" in sources or f" {n}[" in sources
        }
        gl.glUseProgram(program)
        for unit in range(wanted.textures):
            gl.glUniform1i(gl.glGetUniformLocation(program, f"image{unit}"), unit)
        material = _Material(built, program, locations, attributes)
        self._constants(material, role)
        self._bound.pop("program", None)
        return material

    def _constants(self, material: _Material, role: str) -> None:
        """Lamps, rim light and tone curve, which stay as they are."""
        built = material.built
        lamps = np.array(
            [
                ((0.4, 0.8, 0.4, 0), (0.1, 0.09, 0.07, 0)),
                ((-0.6, 0.3, 0.6, 0), (0.05, 0.06, 0.09, 0)),
                ((0, -1, 0, 0), (0.03, 0.04, 0.03, 0)),
            ]
        )
        values = {
            "lamp": lamps[: min(built.vertex_lamps, VERTEX_LAMPS)].reshape(-1, 4),
            "spot": lamps[: min(built.fragment_lamps, FRAGMENT_LAMPS)].reshape(-1, 4),
            "rim": np.array([[0.02, 0.02, 0.02, 0.0]])
            if material.attributes[1:]
            else np.array([[0.4, 0.45, 0.5, 1.0]]),
            "tone": np.array([(1.0, 1.0, 1.0, 1.0), (0, 0, 0, 0)] * built.tones, float),
        }
        values |= {f"glow{i}": np.array([[0.05, 0.06 - 0.01 * i, 0.03 + 0.01 * i, 0.0]]) for i in range(4)}
        for name, value in values.items():
            if name in material.locations:
                self._uniform(material, name, value)

    def _uniform(self, material: _Material, name: str, value: Floats) -> None:
        rows = np.atleast_2d(value).astype(np.float32)
        if not np.array_equal(self._bound.get(("uniform", material.program, name), ()), rows):  # type: ignore[arg-type]
            self.gl.glUniform4fv(material.locations[name], len(rows), rows)
            self._bound["uniform", material.program, name] = rows

    def _mesh(self, thing: Thing, count: int) -> tuple[int, int]:
        key = thing.shape, count, thing.variant, thing.tint
        if key not in self._meshes:
            mesh = shapes.shape(thing.shape, count, thing.variant).tinted(*thing.tint)
            self._meshes[key] = upload(self.gl, *packed(mesh))
            self._bound.pop("vertices", None)
            self._bound.pop("indices", None)
        return self._meshes[key]

    def _texture(self, thing: Thing, unit: int) -> int:
        key = texture_key(self.twin, thing, unit)
        if key not in self._textures:
            self.gl.glActiveTexture(0x84C0)
            self._textures[key] = load_texture(self.gl, self.world, key, self.twin.seed)
            self._bound["unit", 0] = self._textures[key]
        return self._textures[key]


def texture_key(twin: Twin, thing: Thing, unit: int) -> TextureKey:
    """Which texture a unit shows for a thing: image, look and filter; things of one kind have up to three looks."""
    filtered = twin.solved.program[thing.role].filter
    if unit:
        return SECOND_IMAGES[unit - 1], 0, filtered
    return thing.image, thing.variant % LOOKS if thing.role not in ("backdrop", "ground", "hud") else 0, filtered


def upload(gl: Recorder, vertices: np.ndarray, indices: np.ndarray) -> tuple[int, int]:
    """Static buffers with a mesh."""
    vertex_buffer, index_buffer = gl.glGenBuffers(2)
    gl.glBindBuffer(ARRAY_BUFFER, vertex_buffer)
    gl.glBufferData(ARRAY_BUFFER, vertices.nbytes, vertices, STATIC_DRAW)
    gl.glBindBuffer(ELEMENT_ARRAY_BUFFER, index_buffer)
    gl.glBufferData(ELEMENT_ARRAY_BUFFER, indices.nbytes, indices, STATIC_DRAW)
    return vertex_buffer, index_buffer


@lru_cache(maxsize=128)
def levels_of(image: Image, seed: int) -> tuple[tuple[int, int, bytes], ...]:
    """Width, height and content of all levels of a texture, compressed where it has no alpha."""
    levels = mipmaps(paint(image.painter, image.size, seed, image.color))
    packs = encode if is_compressed(image) else np.ndarray.tobytes
    return tuple((texels.shape[1], texels.shape[0], packs(texels)) for texels in levels)


def is_compressed(image: Image) -> bool:
    """Whether a texture is stored as ETC1."""
    return image.compressed and image.painter not in TRANSLUCENT


def load_texture(gl: Recorder, world: World, key: TextureKey, seed: int) -> int:
    """A texture of the palette with all its mipmaps; looks after the first are of other colours."""
    name, look, filtered = key
    image = world.palette[name]
    shift = np.random.default_rng([seed, look]).uniform(0.82, 1.12, 3) if look else np.ones(3)
    red, green, blue = (float(c) for c in np.clip(np.array(image.color) * shift, 0, 1))
    image = replace(image, color=(red, green, blue))
    texture: int = gl.glGenTextures(1)[0]
    gl.glBindTexture(TEXTURE_2D, texture)
    for level, (width, height, data) in enumerate(levels_of(image, seed + len(name) + 31 * look)):
        if is_compressed(image):
            gl.glCompressedTexImage2D(TEXTURE_2D, level, ETC1, width, height, 0, len(data), data)
        else:
            gl.glTexImage2D(TEXTURE_2D, level, RGBA, width, height, 0, RGBA, UNSIGNED_BYTE, data)
    gl.glTexParameteri(TEXTURE_2D, 0x2801, MIN_FILTER[filtered])
    gl.glTexParameteri(TEXTURE_2D, 0x2800, MAG_FILTER[filtered])
    if filtered == "anisotropic":
        gl.glTexParameteri(TEXTURE_2D, MAX_ANISOTROPY, 4)
    return texture
