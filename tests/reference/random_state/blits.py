"""Scenes of kind "blit": glBlitFramebuffer scaled, mirrored, filtered, clipped, between formats."""

from __future__ import annotations

from dataclasses import dataclass

from tilegpu.functional.opengl import enums as gl

from .formats import DEPTHS, RENDERABLE, layout_of, pixels
from .scene import Choices, value_of
from .stage import CELL, Stage
from .targets import Target, clear, color_target, show_plane

Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class Blit:
    """One blit."""

    source: Box
    destination: Box
    filter: str
    scissor: Box | None


@dataclass(frozen=True)
class Blits:
    """A picture of texels, copied by blits into another framebuffer object."""

    formats: tuple[str, str]
    size: tuple[int, int]
    number: int
    cleared: int
    blits: tuple[Blit, ...]
    channels: tuple[int, ...]

    def draw(self, stage: Stage) -> None:
        """Record it."""
        r, layouts = stage.r, tuple(layout_of(name) for name in self.formats)
        depth = layouts[0].kind == "depth"
        source = self._target(stage, self.formats[0], self.size)
        width, height = self.size
        r.glBindTexture(gl.TEXTURE_2D, source.depth if depth else source.colors[0])
        r.glPixelStorei(gl.UNPACK_ALIGNMENT, 1)
        data = pixels(layouts[0], (height, width), self.number)
        r.glTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, height, *layouts[0].enums[1:], data)
        goal = self._target(stage, self.formats[1], (CELL, CELL))
        if depth:
            r.glClearBufferfv(gl.DEPTH, 0, [0.4])
        else:
            clear(stage, layouts[1], self.cleared)
        r.glBindFramebuffer(gl.READ_FRAMEBUFFER, source.framebuffer)
        for blit in self.blits:
            (r.glEnable if blit.scissor else r.glDisable)(gl.SCISSOR_TEST)
            if blit.scissor:
                r.glScissor(*blit.scissor)
            mask = gl.DEPTH_BUFFER_BIT if depth else gl.COLOR_BUFFER_BIT
            r.glBlitFramebuffer(*blit.source, *blit.destination, mask, value_of(blit.filter))
        r.glDisable(gl.SCISSOR_TEST)
        show_plane(stage, goal.depth if depth else goal.colors[0], layouts[1], channels=self.channels)

    def _target(self, stage: Stage, name: str, size: tuple[int, int]) -> Target:
        if layout_of(name).kind == "depth":
            return color_target(stage, ("RGBA8",), size, name)
        return color_target(stage, (name,), size)


def blits(pick: Choices) -> Blits:
    """Random choices."""
    first = pick.choice((*RENDERABLE, *DEPTHS))
    kind = layout_of(first).kind
    second = first
    if kind in ("int", "uint"):
        second = pick.choice([name for name in RENDERABLE if layout_of(name).kind == kind])
    elif kind != "depth":
        second = pick.choice([name for name in RENDERABLE if not layout_of(name).integer])
    nearest = kind in ("int", "uint", "depth")
    size = pick.one((CELL, CELL), (16, 16), (pick.randint(3, 40), pick.randint(3, 40)))
    made = []
    for _ in range(pick.randint(1, 2)):
        source, destination = _boxes(pick, size)
        while _ties(source, destination):
            source, destination = _boxes(pick, size)
        scissor = None
        if pick.chance(0.2):
            scissor = pick.randint(0, 16), pick.randint(0, 16), pick.randint(4, 20), pick.randint(4, 20)
        filter_ = "NEAREST" if nearest else pick.one("NEAREST", "LINEAR")
        made.append(Blit(source, destination, filter_, scissor))
    channels = (0, 0, 0) if kind == "depth" else pick.one((0, 1, 2), (3, 1, 0))
    return Blits((first, second), size, pick.number(), pick.number(), tuple(made), channels)


def _boxes(pick: Choices, size: tuple[int, int]) -> tuple[Box, Box]:
    """Source and destination; not always scaled, perhaps mirrored."""
    source, destination = _box(pick, size), _box(pick, (CELL, CELL))
    if pick.chance(0.3):
        width, height = source[2] - source[0], source[3] - source[1]
        x, y = destination[:2]
        destination = x, y, x + pick.one(1, -1) * width, y + pick.one(1, -1) * height
    return source, destination


def _ties(source: Box, destination: Box) -> bool:
    """Whether the centre of a pixel falls between two texels, where rounding decides."""
    for axis in range(2):
        length, extent = destination[axis + 2] - destination[axis], source[axis + 2] - source[axis]
        if any((2 * i + 1) * extent % (2 * length) == 0 for i in range(abs(length))):
            return True
    return False


def _box(pick: Choices, size: tuple[int, int]) -> Box:
    """A box, mostly inside, perhaps with its corners exchanged."""
    out = 6 if pick.chance(0.25) else 0
    axes = []
    for extent in size:
        low = pick.randint(-out, max(0, extent - 3))
        high = pick.randint(low + 1, extent + out)
        axes.append((high, low) if pick.chance(0.25) else (low, high))
    return axes[0][0], axes[1][0], axes[0][1], axes[1][1]
