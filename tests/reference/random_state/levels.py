"""Scenes of kind "levels": levels that glGenerateMipmap made are drawn to, cleared, stored to, copied and replaced."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tilegpu.functional.opengl import enums as gl

from .formats import layout_of, pixels
from .scene import Choices, matrix, value_of
from .stage import HEAD, VERTEX, Stage
from .targets import clear, gradient
from .texture_images import TARGETS
from .texturing import SAMPLERS

FORMATS = ("R8", "RG8", "RGB8", "RGBA8", "RGBA8", "R16F", "RGBA16F", "RGBA16F")
IMAGES = {"RGBA8": "rgba8", "RGBA16F": "rgba16f"}
"""Formats that images of units may have, with their qualifiers."""
LAYERS, UNIT = 5, 1
_IMAGE_TYPES = {"2d": "image2D", "3d": "image3D", "array": "image2DArray", "cube": "imageCube"}
_STORE = """#version 310 es
layout(local_size_x = 4, local_size_y = 2) in;
layout({0}, binding = 1) writeonly uniform highp {1} image; uniform highp vec4 shade; uniform highp vec4 from;
void main() {{
    ivec2 at = ivec2(from.xy) + ivec2(gl_GlobalInvocationID.xy);
    imageStore(image, {2}, vec4(vec2(at) / 32.0, 0.0, 0.5) + shade * 0.25);
}}"""


@dataclass(frozen=True)
class Step:
    """What is done to an image, in a part of it that follows from a number."""

    kind: str
    level: int
    layer: int
    number: int
    layered: bool


@dataclass(frozen=True)
class Levels:
    """A texture whose levels are generated and then changed; one of them is shown, by fetches or loads."""

    target: str
    format: str
    size: tuple[int, int]
    immutable: bool
    number: int
    steps: tuple[Step, ...]
    shown: tuple[int, int]
    loads: bool
    channels: tuple[int, ...]

    def draw(self, stage: Stage) -> None:
        """Record it."""
        r, target = stage.r, TARGETS[self.target]
        name = stage.texture(target)
        self._upload_base(stage)
        r.glTexParameteri(target, gl.TEXTURE_MIN_FILTER, gl.NEAREST_MIPMAP_NEAREST)
        r.glTexParameteri(target, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
        r.glGenerateMipmap(target)
        r.glBindFramebuffer(gl.FRAMEBUFFER, r.glGenFramebuffers(1)[0])
        for step in self.steps:
            getattr(self, f"_{step.kind}")(stage, name, step)
        r.glDisable(gl.SCISSOR_TEST)
        self._show(stage, name)

    def _upload_base(self, stage: Stage) -> None:
        r, target, layout = stage.r, TARGETS[self.target], layout_of(self.format)
        (width, height), internal = self.size, value_of(self.format)
        r.glPixelStorei(gl.UNPACK_ALIGNMENT, 1)
        if self.target in ("3d", "array"):
            data = pixels(layout, (LAYERS, height, width), self.number)
            if self.immutable:
                r.glTexStorage3D(target, levels_of(self.target, self.size), internal, width, height, LAYERS)
                r.glTexSubImage3D(target, 0, 0, 0, 0, width, height, LAYERS, *layout.enums[1:], data)
            else:
                r.glTexImage3D(target, 0, internal, width, height, LAYERS, 0, *layout.enums[1:], data)
            return
        if self.immutable:
            r.glTexStorage2D(target, levels_of(self.target, self.size), internal, width, height)
        for layer in range(6 if self.target == "cube" else 1):
            face, data = self._face(layer), pixels(layout, (height, width), self.number + layer)
            if self.immutable:
                r.glTexSubImage2D(face, 0, 0, 0, width, height, *layout.enums[1:], data)
            else:
                r.glTexImage2D(face, 0, internal, width, height, 0, *layout.enums[1:], data)

    def _face(self, layer: int) -> int:
        return gl.TEXTURE_CUBE_MAP_POSITIVE_X + layer if self.target == "cube" else TARGETS[self.target]

    def _box(self, step: Step) -> tuple[int, int, int, int]:
        """Part of an image: x, y, width, height."""
        random, (width, height) = Random(step.number), size_of(self.size, step.level)
        x, y = random.randrange(width), random.randrange(height)
        return x, y, random.randint(1, width - x), random.randint(1, height - y)

    def _attach(self, stage: Stage, name: int, level: int, layer: int) -> None:
        r, point = stage.r, gl.COLOR_ATTACHMENT0
        if self.target in ("3d", "array"):
            r.glFramebufferTextureLayer(gl.FRAMEBUFFER, point, name, level, layer)
        else:
            r.glFramebufferTexture2D(gl.FRAMEBUFFER, point, self._face(layer), name, level)

    def _draw(self, stage: Stage, name: int, step: Step) -> None:
        r, random = stage.r, Random(step.number)
        self._attach(stage, name, step.level, step.layer)
        r.glDisable(gl.SCISSOR_TEST)
        r.glViewport(*self._box(step))
        stage.use(gradient((layout_of(self.format),)))
        stage.quad([[random.random() for _ in range(4)] for _ in range(4)], (-1.2, -1.3, 1.1, 1.4))

    def _clear(self, stage: Stage, name: int, step: Step) -> None:
        self._attach(stage, name, step.level, step.layer)
        stage.r.glEnable(gl.SCISSOR_TEST)
        stage.r.glScissor(*self._box(step))
        clear(stage, layout_of(self.format), step.number)

    def _upload(self, stage: Stage, name: int, step: Step) -> None:
        r, layout, target = stage.r, layout_of(self.format), TARGETS[self.target]
        x, y, width, height = self._box(step)
        r.glBindTexture(target, name)
        data = pixels(layout, (height, width), step.number)
        if self.target in ("3d", "array"):
            r.glTexSubImage3D(target, step.level, x, y, step.layer, width, height, 1, *layout.enums[1:], data)
        else:
            r.glTexSubImage2D(self._face(step.layer), step.level, x, y, width, height, *layout.enums[1:], data)

    def _copy(self, stage: Stage, name: int, step: Step) -> None:
        """Copy a part of the base level."""
        r, (x, y, width, height) = stage.r, self._box(step)
        self._attach(stage, name, 0, 0)
        r.glBindTexture(TARGETS[self.target], name)
        if self.target in ("3d", "array"):
            r.glCopyTexSubImage3D(TARGETS[self.target], step.level, x, y, step.layer, 1, 0, width, height)
        else:
            r.glCopyTexSubImage2D(self._face(step.layer), step.level, x, y, 1, 0, width, height)

    def _store(self, stage: Stage, name: int, step: Step) -> None:
        r, random, (x, y, width, height) = stage.r, Random(step.number), self._box(step)
        layered = step.layered and self.target != "2d"
        kind = _IMAGE_TYPES[self.target] if layered else "image2D"
        place = f"ivec3(at, {step.layer})" if layered else "at"
        program = stage.compute(_STORE.format(IMAGES[self.format], kind, place))
        stage.uniform(program, "shade", *[random.random() for _ in range(4)])
        stage.uniform(program, "from", x, y, 0, 0)
        # softpipe holds back what was drawn, and it would be lost.
        r.glFinish()
        r.glBindImageTexture(
            UNIT, name, step.level, layered, 0 if layered else step.layer, gl.WRITE_ONLY, value_of(self.format)
        )
        r.glDispatchCompute(-(-width // 4), -(-height // 2), 1)
        r.glMemoryBarrier(0xFFFFFFFF)

    def _show(self, stage: Stage, name: int) -> None:
        layout, (level, layer) = layout_of(self.format), self.shown
        width, height = size_of(self.size, level)
        if self.loads:
            stage.r.glFinish()
            stage.r.glBindImageTexture(UNIT, name, level, False, layer, gl.READ_ONLY, value_of(self.format))
            declared = f"layout({IMAGES[self.format]}, binding = 1) readonly uniform highp image2D image; uniform mat4"
            read = "imageLoad(image, at)"
        elif self.target == "cube":
            declared = "uniform highp samplerCube image; uniform mat4"
            read = f"textureLod(image, {_DIRECTIONS[layer]}, {level}.0)"
        else:
            declared = f"uniform highp {layout.prefix}{SAMPLERS[self.target]} image; uniform mat4"
            place = "at" if self.target == "2d" else f"ivec3(at, {layer})"
            read = f"texelFetch(image, {place}, {level})"
        head = HEAD.replace("300 es", "310 es").replace("uniform mat4", declared, 1)
        source = (
            f"{head}out vec4 color;\nvoid main() {{ ivec2 at = ivec2(v.xy); ivec2 size = ivec2({width}, {height});\n"
            "vec2 q = (vec2(at) + 0.5) / vec2(size) * 2.0 - 1.0;\n"
            f"color = all(lessThan(at, size)) ? seen({read}) : vec4(0.5); }}"
        )
        scale, offset = layout.shown
        stage.show(source, matrix(self.channels, scale), offset, vertex=VERTEX.replace("300 es", "310 es"))


_DIRECTIONS = ("vec3(1, -q.y, -q.x)", "vec3(-1, -q.y, q.x)", "vec3(q.x, 1, q.y)", "vec3(q.x, -1, -q.y)",
               "vec3(q.x, -q.y, 1)", "vec3(-q.x, -q.y, -1)")  # fmt: skip


def size_of(size: tuple[int, int], level: int) -> tuple[int, int]:
    """Width and height of a level."""
    return max(1, size[0] >> level), max(1, size[1] >> level)


def levels_of(target: str, size: tuple[int, int]) -> int:
    """Levels down to a single texel."""
    return max(*size, LAYERS if target == "3d" else 1).bit_length()


def levels(pick: Choices) -> Levels:
    """Random choices."""
    target, form = pick.one("2d", "2d", "3d", "array", "cube"), pick.choice(FORMATS)
    size = pick.randint(3, 32), pick.randint(3, 32)
    size = (size[0], size[0]) if target == "cube" else size
    count = levels_of(target, size)
    immutable = pick.chance(0.6)
    kinds = ["draw", "draw", "clear", "upload", "copy"] + (["store"] * 3 if immutable and form in IMAGES else [])
    places = []
    for _ in range(pick.randint(1, 4)):
        level = pick.randint(1, min(3, count - 1))
        layers = {"2d": 1, "3d": max(1, LAYERS >> level), "array": LAYERS, "cube": 6}[target]
        places.append((level, pick.randrange(layers)))
    steps = tuple(Step(pick.choice(kinds), *place, pick.number(), pick.chance(0.5)) for place in places)
    loads = immutable and form in IMAGES and pick.chance(0.4)
    return Levels(
        target,
        form,
        size,
        immutable,
        pick.number(),
        steps,
        pick.choice(places),
        loads,
        pick.one((0, 1, 2), (3, 1, 0)),
    )
