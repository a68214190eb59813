"""Scenes of kind "depth": depth and stencil tests, masks, two sides, polygon offset, every depth format."""

from __future__ import annotations

from dataclasses import dataclass

from tilegpu.functional.opengl import enums as gl

from .comparing import COMPARISONS
from .formats import DEPTHS, layout_of
from .scene import Choices, value_of
from .stage import CELL, WHOLE, Stage
from .targets import color_target, gradient, show_plane

OPERATIONS = ("ZERO", "KEEP", "REPLACE", "INCR", "DECR", "INVERT", "INCR_WRAP", "DECR_WRAP")


@dataclass(frozen=True)
class Side:
    """Stencil state of front or back faces: function, reference, masks, operations."""

    function: str
    reference: int
    mask: int
    write_mask: int
    operations: tuple[str, str, str]

    def set(self, stage: Stage, face: int) -> None:
        """Set it for a face."""
        r = stage.r
        r.glStencilFuncSeparate(face, value_of(self.function), self.reference, self.mask)
        r.glStencilMaskSeparate(face, self.write_mask)
        r.glStencilOpSeparate(face, *(value_of(name) for name in self.operations))


@dataclass(frozen=True)
class Plane:
    """One rectangle: colour, place, depths at its corners, and the tests that it is drawn with."""

    color: tuple[float, ...]
    box: tuple[float, float, float, float]
    z: tuple[float, ...]
    mirrored: bool
    depth: str
    writes: bool
    offset: tuple[float, float] | None
    range: tuple[float, float]
    sides: tuple[Side, ...]

    def draw(self, stage: Stage) -> None:
        """Record it."""
        r = stage.r
        switch = r.glEnable if self.depth else r.glDisable
        switch(gl.DEPTH_TEST)
        r.glDepthFunc(value_of(self.depth or "LESS"))
        r.glDepthMask(self.writes)
        r.glDepthRangef(*self.range)
        switch = r.glEnable if self.offset else r.glDisable
        switch(gl.POLYGON_OFFSET_FILL)
        r.glPolygonOffset(*(self.offset or (0.0, 0.0)))
        switch = r.glEnable if self.sides else r.glDisable
        switch(gl.STENCIL_TEST)
        for face, side in zip((gl.FRONT, gl.BACK), self.sides, strict=False):
            side.set(stage, face)
        x0, y0, x1, y1 = self.box
        stage.quad([self.color] * 4, (x1, y0, x0, y1) if self.mirrored else self.box, self.z)


@dataclass(frozen=True)
class DepthStencil:
    """Rectangles that intersect, then the depths or the stencil that they left."""

    format: str
    cleared: tuple[float, int]
    planes: tuple[Plane, ...]
    shown: str

    def draw(self, stage: Stage) -> None:
        """Record it."""
        r = stage.r
        target = color_target(stage, ("RGBA8",), (CELL, CELL), self.format)
        r.glClearBufferfv(gl.COLOR, 0, [0.1, 0.2, 0.3, 1.0])
        if "STENCIL" in self.format:
            r.glClearBufferfi(0x84F9, 0, *self.cleared)
        else:
            r.glClearBufferfv(gl.DEPTH, 0, [self.cleared[0]])
        stage.use(gradient((layout_of("RGBA8"),)))
        for plane in self.planes:
            plane.draw(stage)
        if self.shown == "stencil":
            _draw_stencil(stage)
        if self.shown == "depth":
            show_plane(stage, target.depth, layout_of(self.format), channels=(0, 0, 0))
        else:
            show_plane(stage, target.colors[0], layout_of("RGBA8"))


def _draw_stencil(stage: Stage) -> None:
    """Add a colour for every bit of the stencil."""
    r = stage.r
    r.glDisable(gl.DEPTH_TEST)
    r.glDisable(gl.POLYGON_OFFSET_FILL)
    r.glDepthRangef(0, 1)
    r.glEnable(gl.STENCIL_TEST)
    r.glStencilMask(0xFF)
    r.glStencilOp(gl.KEEP, gl.KEEP, gl.KEEP)
    r.glClearBufferfv(gl.COLOR, 0, [0.0, 0.0, 0.0, 1.0])
    r.glEnable(gl.BLEND)
    r.glBlendFunc(gl.ONE, gl.ONE)
    for bit in range(8):
        r.glStencilFunc(gl.EQUAL, 1 << bit, 1 << bit)
        color = [0.0, 0.0, 0.0, 0.0]
        color[bit % 3] = (0.15, 0.3, 0.5)[bit // 3]
        stage.quad([color] * 4, WHOLE)


def depth_stencil(pick: Choices) -> DepthStencil:
    """Random choices."""
    format = pick.choice(DEPTHS)
    stencil = "STENCIL" in format
    count = pick.randint(2, 5)
    planes: list[Plane] = []
    for _ in range(count):
        plane = _plane(pick, stencil)
        if planes and pick.chance(0.3):
            # The same depths again: equal ones count.
            again = planes[-1]
            plane = Plane(plane.color, again.box, again.z, again.mirrored, plane.depth, plane.writes, plane.offset,
                          again.range, plane.sides)  # fmt: skip
        planes.append(plane)
    cleared = pick.one(1.0, 1.0, pick.real(0, 1)), pick.getrandbits(8)
    return DepthStencil(format, cleared, tuple(planes), pick.one("color", "depth", *["stencil"] * stencil))


def _plane(pick: Choices, stencil: bool) -> Plane:
    left, below = pick.randint(-16, 4) / 16, pick.randint(-16, 4) / 16
    box = left, below, pick.randint(5, 16) / 16, pick.randint(5, 16) / 16
    z0, zx, zy = pick.real(-0.9, 0.9), pick.real(-0.8, 0.8), pick.real(-0.8, 0.8)
    if pick.chance(0.2):
        zx = zy = 0.0
    z = tuple(z0 + zx * x + zy * y for x, y in ((-1, -1), (1, -1), (-1, 1), (1, 1)))
    offset = (pick.one(0.0, pick.real(-3, 3)), float(pick.randint(-4, 4))) if pick.chance(0.3) else None
    depth = pick.choice(COMPARISONS) if pick.chance(0.85) else ""
    range_ = (0.0, 1.0) if pick.chance(0.8) else pick.reals(2, 0, 1)
    sides: tuple[Side, ...] = ()
    if stencil and pick.chance(0.75):
        sides = (_side(pick), _side(pick))
    return Plane(pick.reals(4, 0, 1), box, z, pick.chance(0.4), depth, pick.chance(0.8), offset, range_, sides)  # type: ignore[arg-type]


def _side(pick: Choices) -> Side:
    operations = tuple(pick.choice(OPERATIONS) for _ in range(3))
    masks = [0xFF if pick.chance(0.6) else pick.getrandbits(8) for _ in range(2)]
    function = pick.choice(("ALWAYS", "ALWAYS", *COMPARISONS))
    return Side(function, pick.randint(-3, 300) if pick.chance(0.1) else pick.getrandbits(8), *masks, operations)  # type: ignore[arg-type]
