"""Phases of a long workload: a menu, loading, play, moves of the camera, a pause."""

from __future__ import annotations

from dataclasses import dataclass

LAYERS = "opaque", "ground", "far", "backdrop", "veil", "hud", "painted"
"""Names of `scene.Layer`."""


@dataclass(frozen=True)
class Phase:
    """Frames that are drawn in the same way.

    Attributes
    ----------
    name
        Its name.
    frames
        How many frames it has.
    speed
        Frames of the animation that pass in a frame; 0: everything stands still.
    layers
        Layers of things that are drawn, of `LAYERS`; all without.
    share
        Share of the things of the scene that are drawn, the hero apart; layers behind and before it are drawn whole.
    zoom_from, zoom_to
        How much larger the scene is seen in the first frame, and after the last.
    """

    name: str
    frames: int
    speed: float = 1.0
    layers: tuple[str, ...] = ()
    share: float = 1.0
    zoom_from: float = 1.0
    zoom_to: float = 1.0


SESSION = (
    Phase("loading", 20, speed=0.0, layers=("hud",)),
    Phase("menu", 40, speed=0.5, layers=("backdrop", "opaque", "hud"), share=0.1, zoom_from=1.6, zoom_to=1.6),
    Phase("approach", 20, speed=0.5, zoom_from=1.6, zoom_to=1.0),
    Phase("play", 100),
    Phase("replay", 30, speed=0.25, zoom_from=1.0, zoom_to=2.0),
    Phase("empty road", 60, speed=1.5, share=0.5),
    Phase("pause", 30, speed=0.0),
)
"""Ours, as no paper says how long the phases of its games are: 300 frames, which come round."""
