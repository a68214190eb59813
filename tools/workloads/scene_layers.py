"""Layers that every scene has: backdrop, what lies behind the scene, veils, what is out of view, head-up display."""

from __future__ import annotations

import numpy as np

from .geometry import Floats
from .ranks import hiding_things
from .scene import Layer, Thing, Time, World, clock, on_screen, still
from .twin import Twin

STRIPS, LAYER_TEXELS = 4, 1024
"""Layers that do not repeat: number of those that show strips of one image, and texels of these images each way."""
SCATTERED = 0.25
"""Share of its square that the shape "sprites" covers."""


def common_things(twin: Twin, world: World) -> list[Thing]:
    """Backdrop, layers behind the scene, veils before it, what is out of view, head-up display."""
    random = np.random.default_rng([twin.seed, 77])
    solved, time = twin.solved, clock(twin)
    things: list[Thing] = []
    if world.sky:
        low, (across, up) = 1 - solved.sky * (1 - world.sky_from), world.sky_repeat
        up *= solved.sky
        things.append(
            Thing(
                "sky",
                "sheet",
                "backdrop",
                "sky",
                still(on_screen(0, (1 + low) / 2, 1, (1 - low) / 2, 0.99999)),
                Layer.BACKDROP,
                heft=0.6,
                repeat=(across, up) if twin.layers_repeat else (min(1.0, across), min(1.0, up)),
                scroll=(world.sky_scroll, 0),
                on_screen=True,
            )
        )
        things += _plain(twin)
    for i in range(solved.far):
        height = solved.far_area * (1 + 0.12 * (i / max(1, solved.far - 1) - 0.5) * (solved.far > 1))
        depth = 0.9990 + 0.0009 * (i + 1) / (solved.far + 1)
        pose = still(on_screen(0, -1 + height, 1, height, depth))
        tone = 1 - 0.25 * i / max(1, solved.far)
        things.append(
            Thing(
                f"far {i}",
                "skyline",
                "far",
                "far",
                pose,
                Layer.FAR,
                heft=0.5,
                variant=i if twin.layers_repeat else i // STRIPS,
                repeat=(6, 2) if twin.layers_repeat else (1, 1 / STRIPS),
                corner=(0, 0) if twin.layers_repeat else (0, i % STRIPS / STRIPS),
                on_screen=True,
                tint=(tone, tone, tone, 1),
            )
        )
    things += hiding_things(twin, world)
    for i in range(solved.veils):
        things.append(_veil(twin, world, i, random, time))
    things += _drifting(twin)
    things += _shimmer(twin)
    things += _hud(world, random)
    things += _aside(twin)
    return things


def _veil(twin: Twin, world: World, i: int, random: np.random.Generator, time: Time) -> Thing:
    area = twin.solved.veil_area
    scattered = world.veil_shape == "sprites" and area <= SCATTERED
    # Evenly over the screen, the golden ratio apart.
    x, y = 1.8 * (i * 0.618034 % 1) - 0.9, 1.8 * (i + 0.5) / max(1, twin.solved.veils) - 0.9
    drift = random.uniform(0.004, 0.012)
    # Wide where there is much to cover, so that the screen holds it.
    width = float(np.clip(np.sqrt(area) * 1.25, 0.02, 1.0)) if world.sky else 1.0
    height = area / width if area > 0 else 0.02
    x, y = x * (1 - width), y * max(0.0, 1 - height)
    if scattered:
        width = height = float(np.sqrt(area / SCATTERED))
        x = y = 0.0
    elif not world.sky:
        # Before next to nothing clouds lie at the bottom, over what is there.
        y = height - 1

    def pose(t: float) -> Floats:
        swing = (1 - width) * 0.3 * np.sin(0.1 + drift * 9 * time(t) + i) if twin.motion.things else 0.0
        return on_screen(x + swing, y, width, height, -0.9 + 0.01 * i)

    # Many layers are each the fainter.
    opacity = 0.55 / (1 + 0.5 * min(twin.solved.veils * area, 6.0))
    return Thing(
        f"veil {i}",
        "sprites" if scattered else "sheet",
        "veil",
        world.veil_image,
        pose,
        Layer.VEIL,
        heft=0.15,
        variant=i,
        repeat=(2, 2) if twin.layers_repeat and not scattered else (1, 1),
        on_screen=True,
        tint=(1, 1, 1, opacity),
    )


def _plain(twin: Twin) -> list[Thing]:
    """The backdrop's upper part where it has one colour: what scrolls there looks as before."""
    share = twin.motion.plain
    if share <= 0:
        return []
    pose = still(on_screen(0, 1 - share, 1, share, 0.99998))
    scroll = 0.004, 0.0
    return [Thing("zenith", "sheet", "backdrop", "plain", pose, Layer.BACKDROP, 0.2, scroll=scroll, on_screen=True)]


def _drifting(twin: Twin) -> list[Thing]:
    """A sheet before the backdrop, in its one colour, all of whose fragments are alike."""
    share = twin.motion.drift
    if share <= 0:
        return []

    def pose(t: float) -> Floats:
        return on_screen(0.0005 * (t % 7), 1 - share, 1.01, share, 0.99998)

    return [Thing("dark", "sheet", "backdrop", "plain", pose, Layer.BACKDROP, 0.2, repeat=(0, 0), on_screen=True)]


def _shimmer(twin: Twin) -> list[Thing]:
    """A layer that has faded away and is drawn all the same: its inputs change, the colours do not."""
    share = twin.motion.shimmer
    if share <= 0:
        return []

    def pose(t: float) -> Floats:
        return on_screen(0.0005 * (t % 7), -1 + share, 0.98, share, -0.5)

    return [Thing("faded", "sheet", "veil", "cloud", pose, Layer.VEIL, heft=0.1, on_screen=True, tint=(1, 1, 1, 0))]


def _hud(world: World, random: np.random.Generator) -> list[Thing]:
    """Panels at the edges, and text on them."""
    places = [
        (-0.8, 0.9, 0.18, 0.07),
        (0.78, 0.9, 0.2, 0.07),
        (-0.86, -0.84, 0.1, 0.12),
        (0.86, -0.84, 0.1, 0.12),
        (0.0, 0.92, 0.22, 0.05),
        (0.0, -0.92, 0.3, 0.06),
    ]
    things = []
    for i in range(world.hud):
        x, y, width, height = places[i // 2 % len(places)]
        if i % 2:
            pose = still(on_screen(x, y, width * 0.8, height * 0.4, -0.99))
            things.append(
                Thing(f"text {i}", "glyphs", "hud", "font", pose, Layer.HUD, heft=0.2, variant=i, on_screen=True)
            )
        else:
            pose = still(on_screen(x, y, width, height, -0.98))
            things.append(Thing(f"panel {i}", "sheet", "hud", "panel", pose, Layer.HUD, heft=0.1, on_screen=True))
    return things


def _aside(twin: Twin) -> list[Thing]:
    """Parts of the level behind the eye, which the application does not cull."""
    if twin.solved.aside <= 0:
        return []
    count = max(1, round(twin.solved.draws * min(0.12, twin.solved.aside / 2)))
    pose = still(np.array([[30.0, 0, 0, 0], [0, 1, 0, -3], [0, 0, 30, 0], [0, 0, 0, -40.0]]))
    return [
        Thing(
            f"level behind {i}",
            "hills",
            "other",
            "ground",
            pose,
            Layer.OPAQUE,
            heft=20,
            variant=i,
            aside=True,
            on_screen=True,
        )
        for i in range(count)
    ]
