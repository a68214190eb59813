"""Scenes of kinds "attach" and "clear": drawing and copying into levels, faces, layers and slices; masked clears."""

from __future__ import annotations

from dataclasses import dataclass

from tilegpu.functional.opengl import enums as gl

from .formats import DEPTHS, RENDERABLE, layout_of, pixels
from .scene import Choices, matrix, value_of
from .stage import CELL, HEAD, Stage
from .targets import clear, color_target, gradient, show_plane
from .texture_images import TARGETS
from .texturing import SAMPLERS

Box = tuple[int, int, int, int]
LEVELS = 3


@dataclass(frozen=True)
class Attaching:
    """Images of one texture, each cleared, drawn to or copied to, and one of them shown.

    Attributes
    ----------
    images
        Level and layer, face or slice of what is attached, in order.
    copies
        Whether the image before is copied to a part of the next one.
    """

    target: str
    format: str
    images: tuple[tuple[int, int], ...]
    clears: tuple[int, ...]
    corners: tuple[tuple[float, ...], ...]
    copies: bool
    shown: int
    channels: tuple[int, ...]

    def draw(self, stage: Stage) -> None:
        """Record it."""
        r, target, layout = stage.r, TARGETS[self.target], layout_of(self.format)
        name = stage.texture(target)
        if self.target in ("3d", "array"):
            r.glTexStorage3D(target, LEVELS, value_of(self.format), CELL, CELL, 8)
        else:
            r.glTexStorage2D(target, LEVELS, value_of(self.format), CELL, CELL)
        r.glTexParameteri(target, gl.TEXTURE_MIN_FILTER, gl.NEAREST_MIPMAP_NEAREST)
        r.glTexParameteri(target, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
        r.glBindFramebuffer(gl.FRAMEBUFFER, r.glGenFramebuffers(1)[0])
        for number, (level, layer) in enumerate(self.images):
            if number and self.copies:
                self._copy(stage, level, layer)
            self._attach(stage, name, level, layer)
            r.glViewport(0, 0, CELL >> level, CELL >> level)
            if not self.copies or not number:
                clear(stage, layout, self.clears[number])
            stage.use(gradient((layout,)))
            stage.quad(self.corners, (-0.8 + 0.3 * number, -0.7, 0.4 + 0.1 * number, 0.6))
        self._show(stage, *self.images[self.shown])

    def _attach(self, stage: Stage, name: int, level: int, layer: int) -> None:
        r, point = stage.r, gl.COLOR_ATTACHMENT0
        if self.target in ("3d", "array"):
            r.glFramebufferTextureLayer(gl.FRAMEBUFFER, point, name, level, layer)
        else:
            face = gl.TEXTURE_2D if self.target == "2d" else gl.TEXTURE_CUBE_MAP_POSITIVE_X + layer
            r.glFramebufferTexture2D(gl.FRAMEBUFFER, point, face, name, level)

    def _copy(self, stage: Stage, level: int, layer: int) -> None:
        """Copy from what is attached to another image."""
        r, side = stage.r, (CELL >> level) // 2
        if self.target in ("3d", "array"):
            r.glCopyTexSubImage3D(TARGETS[self.target], level, 1, 2, layer, 1, 0, side, side)
        else:
            face = gl.TEXTURE_2D if self.target == "2d" else gl.TEXTURE_CUBE_MAP_POSITIVE_X + layer
            r.glCopyTexSubImage2D(face, level, 1, 2, 1, 0, side, side)

    def _show(self, stage: Stage, level: int, layer: int) -> None:
        layout = layout_of(self.format)
        place = {"2d": "p", "3d": f"vec3(p, {(layer + 0.5) / (8 >> level)})", "array": f"vec3(p, {layer})"}
        place["cube"] = "vec3" + ("(1, -q.y, -q.x)", "(-1, -q.y, q.x)", "(q.x, 1, q.y)", "(q.x, -1, -q.y)",
                                  "(q.x, -q.y, 1)", "(-q.x, -q.y, -1)")[layer % 6]  # fmt: skip
        head = HEAD.replace(
            "uniform mat4", f"uniform highp {layout.prefix}{SAMPLERS[self.target]} image; uniform mat4", 1
        )
        source = (
            f"{head}out vec4 color;\nvoid main() {{ vec2 p = v.xy / {CELL}.0; vec2 q = p * 2.0 - 1.0;\n"
            f"color = seen(textureLod(image, {place[self.target]}, {level}.0)); }}"
        )
        scale, offset = layout.shown
        stage.show(source, matrix(self.channels, 1.0 if layout.integer else scale), offset)


def attaching(pick: Choices) -> Attaching:
    """Random choices."""
    target = pick.one("2d", "3d", "array", "cube")
    places = []
    for _ in range(pick.randint(1, 3)):
        level = pick.randrange(LEVELS)
        layers = {"2d": 1, "3d": 8 >> level, "array": 8, "cube": 6}[target]
        place = level, pick.randrange(layers)
        if place not in places:
            places.append(place)
    corners = tuple(pick.reals(4, 0, 1) for _ in range(4))
    return Attaching(
        target,
        pick.choice(RENDERABLE),
        tuple(places),
        tuple(pick.number() for _ in places),
        corners,
        pick.chance(0.4),
        pick.randrange(len(places)),
        pick.one((0, 1, 2), (3, 1, 0)),
    )


@dataclass(frozen=True)
class Clear:
    """One clear: of what, to which value, within which scissor and masks."""

    buffer: str
    value: int
    depth: float
    scissor: Box | None
    color_mask: tuple[bool, ...]
    depth_mask: bool
    stencil_mask: int


@dataclass(frozen=True)
class Clearing:
    """Clears of a color, depth and stencil, one after the other; one of these is shown."""

    format: str
    depth: str
    number: int
    clears: tuple[Clear, ...]
    shown: str
    channels: tuple[int, ...]

    def draw(self, stage: Stage) -> None:
        """Record it."""
        r, layout = stage.r, layout_of(self.format)
        target = color_target(stage, (self.format,), (CELL, CELL), self.depth)
        for name, filled in ((target.colors[0], layout), (target.depth, layout_of(self.depth))):
            r.glBindTexture(gl.TEXTURE_2D, name)
            data = pixels(filled, (CELL, CELL), self.number)
            r.glPixelStorei(gl.UNPACK_ALIGNMENT, 1)
            r.glTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, CELL, CELL, *filled.enums[1:], data)
        for one in self.clears:
            self._clear(stage, one)
        if self.shown == "depth":
            show_plane(stage, target.depth, layout_of(self.depth), channels=(0, 0, 0))
        else:
            show_plane(stage, target.colors[0], layout, channels=self.channels)

    def _clear(self, stage: Stage, one: Clear) -> None:
        r = stage.r
        (r.glEnable if one.scissor else r.glDisable)(gl.SCISSOR_TEST)
        if one.scissor:
            r.glScissor(*one.scissor)
        r.glColorMask(*one.color_mask)
        r.glDepthMask(one.depth_mask)
        r.glStencilMask(one.stencil_mask)
        if one.buffer == "color":
            clear(stage, layout_of(self.format), one.value)
        elif one.buffer == "all":
            r.glClearColor(*((one.value >> shift & 255) / 255 for shift in (0, 8, 16, 4)))
            r.glClearDepthf(one.depth)
            integer = layout_of(self.format).integer
            r.glClear((0 if integer else gl.COLOR_BUFFER_BIT) | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT)
        elif "STENCIL" in self.depth:
            r.glClearBufferfi(0x84F9, 0, one.depth, one.value & 255)
        else:
            r.glClearBufferfv(gl.DEPTH, 0, [one.depth])


def clearing(pick: Choices) -> Clearing:
    """Random choices."""
    clears = []
    for _ in range(pick.randint(1, 4)):
        scissor = None
        if pick.chance(0.7):
            scissor = pick.randint(-4, 20), pick.randint(-4, 20), pick.randint(0, 24), pick.randint(0, 40)
        mask = (True,) * 4 if pick.chance(0.5) else tuple(pick.chance(0.5) for _ in range(4))
        clears.append(
            Clear(
                pick.one("color", "all", "depth"),
                pick.number(),
                pick.real(0, 1),
                scissor,
                mask,
                pick.chance(0.8),
                pick.one(0xFF, 0x0F, 0),
            )
        )
    return Clearing(
        pick.choice(RENDERABLE),
        pick.choice(DEPTHS),
        pick.number(),
        tuple(clears),
        pick.one("color", "color", "depth"),
        pick.one((0, 1, 2), (3, 1, 0)),
    )
