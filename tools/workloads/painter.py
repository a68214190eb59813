"""Drawing a scene with OpenGL ES 2.0, as engines do: static buffers, compressed mipmapped textures, a draw a thing."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .geometry import Floats
from .programs import FRAGMENT_LAMPS, VERTEX_LAMPS, ProgramText, build
from .scene import Thing, clock
from .scene_painter import TEXTURE0, ScenePainter
from .solved import ROLES, Program
from .uploads import ARRAY_BUFFER, TEXTURE_2D, UNSIGNED_BYTE

FLOAT, LEQUAL = 0x1406, 0x0203
STRIDE_BYTES = 36
ATTRIBUTES = (
    ("position", 3, FLOAT, False, 0),
    ("normal", 3, FLOAT, False, 12),
    ("coordinate", 2, FLOAT, False, 24),
    ("color", 4, UNSIGNED_BYTE, True, 32),
)


@dataclass
class _Material:
    """A program with its uniforms and attributes."""

    built: ProgramText
    program: int
    locations: dict[str, int]
    attributes: tuple[str, ...]


@dataclass
class Painter(ScenePainter):
    """Draws frames of a scene with a recorder of an OpenGL ES 2.0 context; parameters as for `ScenePainter`."""

    _materials: dict[str, _Material] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for role in ROLES:
            if any(thing.role == role for thing in self.things):
                self._materials[role] = self._material(role)
        self._load()
        self.gl.glDepthFunc(LEQUAL)

    def _units(self, thing: Thing) -> int:
        return self.twin.solved.program[thing.role].textures

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
        self._elements(thing, count, indices)

    def _fit(self, thing: Thing, material: _Material, t: float) -> Floats:
        if "coordinate" not in material.attributes:
            return np.array([thing.repeat[0] / self.twin.width, thing.repeat[1] / self.twin.height, 0, 0])
        scroll = (np.array(thing.corner) + np.array(thing.scroll) * clock(self.twin)(t)) % 1.0
        return np.array([*thing.repeat, *scroll])

    def _states(self, thing: Thing) -> None:
        blended = self._tests(thing)
        self._mask(not blended)
        if blended and "blend" not in self._bound:
            self.gl.glBlendFunc(0x0302, 0x0303)
            self._bound["blend"] = True

    def _use(self, material: _Material, program: Program, thing: Thing) -> None:
        gl = self.gl
        if self._bound.get("program") != material.program:
            gl.glUseProgram(material.program)
            self._bound["program"] = material.program
        for unit in range(program.textures):
            texture = self._texture(thing, unit)
            if self._bound.get(("unit", unit)) != texture:
                gl.glActiveTexture(TEXTURE0 + unit)
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
