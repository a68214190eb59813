"""Scenes of kind "blend": blending and color masks on every renderable format, to one or several targets."""

from __future__ import annotations

from dataclasses import dataclass

from tilegpu.functional.opengl import enums as gl

from .formats import RENDERABLE, layout_of
from .scene import Choices, value_of
from .stage import CELL, Stage
from .targets import clear, color_target, gradient, show_plane

FACTORS = (
    "ZERO", "ONE", "SRC_COLOR", "ONE_MINUS_SRC_COLOR", "SRC_ALPHA", "ONE_MINUS_SRC_ALPHA", "DST_ALPHA",
    "ONE_MINUS_DST_ALPHA", "DST_COLOR", "ONE_MINUS_DST_COLOR", "SRC_ALPHA_SATURATE", "CONSTANT_COLOR",
    "ONE_MINUS_CONSTANT_COLOR", "CONSTANT_ALPHA", "ONE_MINUS_CONSTANT_ALPHA",
)  # fmt: skip
EQUATIONS = ("FUNC_ADD", "FUNC_ADD", "FUNC_SUBTRACT", "FUNC_REVERSE_SUBTRACT", "MIN", "MAX")


@dataclass(frozen=True)
class Layer:
    """One rectangle: corners' colours, place, factors, equations, colour mask."""

    corners: tuple[tuple[float, ...], ...]
    box: tuple[float, float, float, float]
    factors: tuple[str, str, str, str]
    equations: tuple[str, str]
    mask: tuple[bool, ...]


@dataclass(frozen=True)
class Blending:
    """Rectangles blended over each other."""

    formats: tuple[str, ...]
    clears: tuple[int, ...]
    layers: tuple[Layer, ...]
    constant: tuple[float, ...]
    shown: int
    channels: tuple[int, ...]

    def draw(self, stage: Stage) -> None:
        """Record it."""
        r, layouts = stage.r, tuple(layout_of(name) for name in self.formats)
        target = color_target(stage, self.formats, (CELL, CELL))
        for i, layout in enumerate(layouts):
            clear(stage, layout, self.clears[i], i)
        stage.use(gradient(layouts))
        r.glBlendColor(*self.constant)
        r.glEnable(gl.BLEND)
        for layer in self.layers:
            r.glBlendFuncSeparate(*(value_of(name) for name in layer.factors))
            r.glBlendEquationSeparate(*(value_of(name) for name in layer.equations))
            r.glColorMask(*layer.mask)
            stage.quad(layer.corners, layer.box)
        show_plane(stage, target.colors[self.shown], layouts[self.shown], channels=self.channels)


def blending(pick: Choices) -> Blending:
    """Random choices."""
    first = pick.choice(RENDERABLE)
    formats = (first,)
    if pick.chance(0.25):
        formats = (first, *(pick.choice(RENDERABLE) for _ in range(pick.randint(1, 2))))
    wide = any(layout_of(name).kind == "float" for name in formats)
    layers = tuple(_layer(pick, wide) for _ in range(pick.randint(1, 3)))
    return Blending(
        formats,
        tuple(pick.number() for _ in formats),
        layers,
        pick.reals(4, -0.5, 1.5) if pick.chance(0.3) else pick.reals(4, 0, 1),
        pick.randrange(len(formats)),
        pick.one((0, 1, 2), (3, 1, 0), (0, 3, 2)),
    )


def _layer(pick: Choices, wide: bool) -> Layer:
    low, high = (-0.7, 1.6) if wide or pick.chance(0.2) else (0.0, 1.0)
    corners = tuple(pick.reals(4, low, high) for _ in range(4))
    left, below = pick.randint(-16, -4) / 16, pick.randint(-16, -4) / 16
    box = left, below, pick.randint(2, 16) / 16, pick.randint(2, 16) / 16
    factors = tuple(pick.choice(FACTORS) for _ in range(4))
    same = pick.choice(EQUATIONS)
    equations = (same, same) if pick.chance(0.6) else (same, pick.choice(EQUATIONS))
    mask = tuple(pick.chance(0.7) for _ in range(4)) if pick.chance(0.3) else (True,) * 4
    return Layer(corners, box, factors, equations, mask)  # type: ignore[arg-type]
