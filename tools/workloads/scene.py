"""A scene: things with their poses over time, a camera, a palette."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from .geometry import Floats
from .twin import Twin

Pose = Callable[[float], Floats]
"""Matrix at a time in frames."""
Time = Callable[[float], float]
"""Time of the camera by time in frames."""


class Layer(IntEnum):
    """Time of drawing a thing, in scenes that are drawn from front to back."""

    OPAQUE = 0
    GROUND = 1
    FAR = 2
    BACKDROP = 3
    VEIL = 4
    HUD = 5
    PAINTED = 6
    """From the back to the front, before all but the backdrop; only where things are drawn as they come."""


@dataclass(frozen=True)
class Image:
    """A texture: what is painted, how large, in which colour."""

    painter: str
    size: int = 256
    color: tuple[float, float, float] = (0.6, 0.6, 0.6)
    compressed: bool = True


@dataclass(frozen=True)
class Place:
    """Place of a piece: its foot in clip coordinates, its outline, and whether it hangs."""

    x: float
    y: float
    z: float
    outline: int
    hangs: bool


@dataclass(frozen=True)
class Ranked:
    """Pieces that a draw has all over the screen (`ranks`).

    Attributes
    ----------
    places
        Of the pieces.
    area
        Share of the screen that all of them take.
    parts
        How often each is drawn, one before the other.
    """

    places: tuple[Place, ...]
    area: float
    parts: int = 1

    @property
    def fewest(self) -> int:
        """Triangles that they need."""
        return (2 if self.parts > 1 else 8) * len(self.places) * self.parts


@dataclass(frozen=True)
class Thing:
    """Geometry and look of one draw.

    Attributes
    ----------
    label
        Debug label.
    shape, variant
        Mesh, and which of its kind.
    role
        Whose program draws it.
    image
        Name in the scene's palette.
    pose
        Matrix to the world, or to clip coordinates if `on_screen`.
    layer
        When it is drawn.
    heft
        Its claim to primitives.
    repeat
        How often its image repeats; below 1 it shows a part.
    corner, scroll
        Where in the image it begins, and how far that moves in a frame of the camera's.
    tint
        Colour it is multiplied with in its vertices.
    aside
        It is out of view.
    sway
        How far its vertices sway.
    moves
        It is a sprite that moves of its own.
    ranked
        Pieces that it is made of.
    """

    label: str
    shape: str
    role: str
    image: str
    pose: Pose
    layer: Layer = Layer.OPAQUE
    heft: float = 1.0
    variant: int = 0
    repeat: tuple[float, float] = (1.0, 1.0)
    corner: tuple[float, float] = (0.0, 0.0)
    scroll: tuple[float, float] = (0.0, 0.0)
    on_screen: bool = False
    tint: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    aside: bool = False
    sway: float = 0.0
    moves: bool = False
    ranked: Ranked | None = None


@dataclass(frozen=True)
class World:
    """Scene that a family lays out.

    Attributes
    ----------
    things
        In the order of submission where the twin is unordered.
    camera
        Projection times view at a time, and the eye's position.
    palette
        Images by name.
    veil_image, veil_shape
        What veils show; in the shape "sprites" they are many small ones.
    hud
        Panels and texts of the head-up display.
    sky_repeat
        How often the backdrop's image repeats; 0: all of it shows one texel.
    sky_from, sky_scroll
        Height in clip coordinates at which the backdrop begins, and how fast it goes by.
    depth
        Whether depth decides; otherwise what is drawn later covers what was drawn before.
    sky
        Whether a backdrop covers the screen.
    clear
        Colour of what nothing covers.
    """

    things: list[Thing]
    camera: Callable[[float], tuple[Floats, Floats]]
    palette: dict[str, Image]
    depth: bool = True
    sky: bool = True
    clear: tuple[float, float, float] = (0.5, 0.65, 0.85)
    veil_image: str = "cloud"
    veil_shape: str = "sheet"
    hud: int = 4
    sky_repeat: tuple[float, float] = (2.0, 1.0)
    sky_from: float = -1.0
    sky_scroll: float = 0.0


def on_screen(x: float, y: float, width: float, height: float, z: float = 0.0, turn: float = 0.0) -> Floats:
    """Matrix that puts a sheet from -1 to 1 around a place in clip coordinates; half sizes."""
    c, s = np.cos(turn), np.sin(turn)
    return np.array([[width * c, -width * s, 0, x], [height * s, height * c, 0, y], [0, 0, 0, z], [0, 0, 0, 1.0]])


def still(matrix: Floats) -> Pose:
    """A pose that never changes."""
    return lambda t: matrix


def chosen(label: str, share: float) -> bool:
    """Whether a thing is one of a share of all, the same ones for less of it."""
    return zlib.crc32(label.encode()) < share * (1 << 32)


def clock(twin: Twin) -> Time:
    """Time of the camera by time of the frame: it moves in the share of the frames that `motion.camera` says.

    Phases are of `motion.period` frames, and it stands still at the end of each; the first one begins
    `motion.start` frames before.
    """
    share, period = twin.motion.camera, twin.motion.period

    def moved(t: float) -> float:
        whole, part = divmod(t + twin.motion.start, period)
        return float(whole * period * share + min(part, period * share))

    return moved if share < 1 else float
