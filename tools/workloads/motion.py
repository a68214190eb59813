"""Motion in a twin, and poses of its heroes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Motion:
    """Amount of motion.

    Attributes
    ----------
    camera
        Share of the frames in which the camera moves; the others stand still.
    things
        Whether things move of their own.
    movers
        Share of the sprites of a kind that moves which do.
    period
        Frames after which the camera moves again; it stands still at the end of each such phase.
    shimmer
        Share of the screen whose inputs change in every frame though its colours do not.
    plain
        Share of the screen, from the top, where the backdrop has one colour: moving the camera changes its inputs only.
    start
        Frame of a phase at which the first frame is.
    drift
        Share of the screen, from the top, where a sheet in the backdrop's one colour moves though the camera stands
        still: inputs change, colours do not.
    density
        Primitives per area of sprites that move over those of sprites that stand; 0: as the family has it.
    """

    camera: float = 1.0
    things: bool = True
    movers: float = 1.0
    period: int = 20
    shimmer: float = 0.0
    plain: float = 0.0
    start: int = 0
    drift: float = 0.0
    density: float = 0.0


@dataclass(frozen=True)
class Crowd:
    """Poses of heroes on the screen, which decide the depth in which faces of colliding objects lie over each other.

    Attributes
    ----------
    followers
        Further heroes, one behind the other as the camera sees them; of tracks.
    spread
        How far pairs of fighters, or those who follow a hero, stand apart across the screen.
    scale
        Size of the heroes over the family's.
    """

    followers: int = 0
    spread: float = 0.0
    scale: float = 1.0
