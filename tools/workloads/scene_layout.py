"""All things of a twin's scene: its family's, at their sizes, and the layers that every scene has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from .scene import Layer, Thing, World, on_screen, still
from .scene_layers import LAYER_TEXELS, common_things
from .twin import Twin

PROBE = 24
"""Room of a family whose world tells what its things look like."""


def lay_out(twin: Twin, family: Callable[[Twin, int], World]) -> tuple[World, list[Thing]]:
    """All things of a twin's scene, exactly as many as it has draws.

    Parameters
    ----------
    twin
        The twin.
    family
        Given the twin and how many draws are left for it, lays out the world.
    """
    draws = twin.solved.draws
    hud = 2 if draws < 24 else 4 if draws < 40 else 6 if draws < 90 else 10
    probe = family(twin, PROBE)
    probe = replace(probe, hud=min(hud, 12))
    common = common_things(twin, probe)
    room = max(1, draws - len(common))
    world = replace(family(twin, room), hud=probe.hud)
    if not twin.layers_repeat:
        large = {name: replace(world.palette[name], size=LAYER_TEXELS) for name in ("sky", "far")}
        world = replace(world, palette=world.palette | large)
    things = [*(_repeated(_sized(thing, twin.solved.size), twin) for thing in world.things[:room]), *common]
    while len(things) < draws:
        i = len(things)
        spark = still(on_screen(-0.6 + 0.17 * (i % 8), 0.1 * (i % 5), 0.03, 0.04, -0.95))
        things.append(Thing(f"spark {i}", "sheet", "hud", "spark", spark, Layer.HUD, heft=0.1, on_screen=True))
    return world, things[:draws]


def _repeated(thing: Thing, twin: Twin) -> Thing:
    """A thing whose image repeats less often than the family has it, but no less than once."""
    across, up = (max(min(times, 1.0), times * twin.solved.repeats) for times in thing.repeat)
    if twin.any_size:
        # Beyond their edges such textures are smeared.
        across, up = min(across, 1.0), min(up, 1.0)
    return replace(thing, repeat=(across, up))


def _sized(thing: Thing, size: float) -> Thing:
    """A thing that stands around, at another scale."""
    if size == 1 or thing.on_screen or thing.layer is not Layer.OPAQUE or thing.role == "hero":
        return thing
    return replace(thing, pose=lambda t: thing.pose(t) @ np.diag([size, size, size, 1.0]))
