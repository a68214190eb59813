"""The order in which engines draw: by layer; opaque things from the front where the engine sorts, veils from behind."""

from __future__ import annotations

import numpy as np

from .geometry import Floats
from .scene import Layer, Thing, World, chosen
from .twin import Twin

PAINTERS = Layer.BACKDROP, Layer.PAINTED, Layer.FAR, Layer.GROUND, Layer.OPAQUE, Layer.VEIL, Layer.HUD
"""Layers from the back to the front."""
LATE = {Layer.OPAQUE: 0.1, Layer.GROUND: 0.2, Layer.FAR: 0.3}
"""Of things of an unordered twin that are sorted all the same: how far behind the others each layer is drawn."""


def front_to_back(things: list[Thing], world: World, twin: Twin, t: float) -> list[int]:
    """Order in which a frame draws its things."""
    rank: dict[Layer, float] = {layer: number for number, layer in enumerate(PAINTERS)}
    if not world.depth:
        return sorted(range(len(things)), key=lambda i: (rank[things[i].layer], i))
    _, eye = world.camera(t)
    if twin.unordered:
        rank[Layer.GROUND] = rank[Layer.FAR]
        if twin.sky_last:
            rank[Layer.BACKDROP] = rank[Layer.OPAQUE] + 0.5
    else:
        rank = {layer: int(layer) for layer in Layer}

    def key(i: int) -> tuple[float, float, int]:
        thing = things[i]
        if twin.unordered and thing.layer in LATE and not chosen(f"order of {thing.label}", twin.solved.disorder):
            return rank[Layer.OPAQUE] + LATE[thing.layer], 0.0 if thing.on_screen else _distance(thing, eye, t), i
        if thing.layer is Layer.VEIL and not thing.on_screen:
            return rank[thing.layer], -_distance(thing, eye, t), i
        if thing.layer is Layer.OPAQUE and not twin.unordered and not thing.on_screen:
            return rank[thing.layer], _distance(thing, eye, t), i
        return rank[thing.layer], 0.0, i

    return sorted(range(len(things)), key=key)


def _distance(thing: Thing, eye: Floats, t: float) -> float:
    return float(np.linalg.norm(thing.pose(t)[:3, 3] - eye))
