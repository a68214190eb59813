"""Scenes of kind "samples": several samples per pixel, resolved by a blit."""

from __future__ import annotations

from dataclasses import dataclass

from tilegpu.functional.opengl import enums as gl

from .formats import layout_of
from .rasterizing import SMOOTH
from .scene import Choices, value_of
from .stage import CELL, VERTEX, Stage
from .targets import color_target, show_plane

FORMATS = ("RGBA8", "RGB8", "RGB565", "RGBA4", "RGB5_A1", "RGB10_A2", "SRGB8_ALPHA8", "R8", "RG8", "RGBA16F", "R16F")


@dataclass(frozen=True)
class Piece:
    """A triangle and what its fragments go through."""

    places: tuple[tuple[float, ...], ...]
    color: tuple[float, ...]
    blend: bool
    depth: bool
    stencil: bool
    alpha_to_coverage: bool
    coverage: tuple[float, bool] | None

    def draw(self, stage: Stage) -> None:
        """Record it."""
        r = stage.r
        for wanted, capability in (
            (self.blend, gl.BLEND),
            (self.depth, gl.DEPTH_TEST),
            (self.stencil, gl.STENCIL_TEST),
            (self.alpha_to_coverage, gl.SAMPLE_ALPHA_TO_COVERAGE),
            (self.coverage, gl.SAMPLE_COVERAGE),
        ):
            (r.glEnable if wanted else r.glDisable)(capability)
        r.glSampleCoverage(*(self.coverage or (1.0, False)))
        stage.triangles(self.places, [self.color] * 3, gl.TRIANGLES)


@dataclass(frozen=True)
class Sampling:
    """Triangles in a framebuffer object of four samples per pixel."""

    format: str
    pieces: tuple[Piece, ...]

    def draw(self, stage: Stage) -> None:
        """Record it."""
        r = stage.r
        framebuffer = r.glGenFramebuffers(1)[0]
        r.glBindFramebuffer(gl.FRAMEBUFFER, framebuffer)
        for point, kind in (
            (gl.COLOR_ATTACHMENT0, value_of(self.format)),
            (gl.DEPTH_STENCIL_ATTACHMENT, gl.DEPTH24_STENCIL8),
        ):
            name = r.glGenRenderbuffers(1)[0]
            r.glBindRenderbuffer(gl.RENDERBUFFER, name)
            r.glRenderbufferStorageMultisample(gl.RENDERBUFFER, 4, kind, CELL, CELL)
            r.glFramebufferRenderbuffer(gl.FRAMEBUFFER, point, gl.RENDERBUFFER, name)
        r.glViewport(0, 0, CELL, CELL)
        r.glClearBufferfv(gl.COLOR, 0, [0.1, 0.2, 0.3, 1.0])
        r.glClearBufferfi(0x84F9, 0, 1.0, 0)
        stage.use(SMOOTH, VERTEX)
        r.glStencilFunc(gl.NOTEQUAL, 1, 0xFF)
        r.glStencilOp(gl.KEEP, gl.INVERT, gl.REPLACE)
        r.glBlendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
        for piece in self.pieces:
            piece.draw(stage)
        target = color_target(stage, (self.format,), (CELL, CELL))
        r.glBindFramebuffer(gl.READ_FRAMEBUFFER, framebuffer)
        r.glBlitFramebuffer(0, 0, CELL, CELL, 0, 0, CELL, CELL, gl.COLOR_BUFFER_BIT, gl.NEAREST)
        show_plane(stage, target.colors[0], layout_of(self.format))


def sampling(pick: Choices) -> Sampling:
    """Random choices."""
    return Sampling(pick.choice(FORMATS), tuple(_piece(pick) for _ in range(pick.randint(1, 4))))


def _piece(pick: Choices) -> Piece:
    places = []
    for _ in range(3):
        x, y = (pick.randint(-48, 48) / 48 + 1 / 96 for _ in range(2))
        places.append((x, y, pick.real(-0.9, 0.9), 1.0))
    coverage = (pick.real(0, 1), pick.chance(0.5)) if pick.chance(0.25) else None
    blend, depth, stencil, alpha = (pick.chance(share) for share in (0.3, 0.4, 0.3, 0.2))
    return Piece(tuple(places), pick.reals(4, 0, 1), blend, depth, stencil, alpha, coverage)
