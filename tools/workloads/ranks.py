"""Things that hide each other: pieces of one draw that stand over the whole screen, at several depths.

Walls, mounds and crowds stand on the ground, boughs hang from the top. Ranks of them, a draw each, are drawn from the
back to the front, so that each is shaded and then hidden by the next one. Shells are a draw whose pieces hide
themselves: each comes in parts, the hindmost first.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .geometry import Floats, Mesh, exactly, joined, sheet
from .scene import Layer, Place, Ranked, Thing, World, still
from .twin import Twin

FEW, MANY, MANY_DRAWS = 8, 16, 40
"""Pieces of a draw, and the draws of a frame from which on there are many."""
STEP = 0.002
"""Depth from a rank to the next one, in clip coordinates."""
FOLDS = 4
"""Parts of a shell."""
ROWS = ((-0.96, 7.0), (-0.62, 10.0), (-0.26, 16.0), (1.0, 9.0))
"""Height of the feet in clip coordinates, and the farthest that they are from the eye; the last one hangs."""
WIDE = 1.1
"""Width of a piece over its height, in clip coordinates."""
FARTHEST = 0.9985
WALL, MOUND, CROWD = range(3)
"""Outlines of pieces."""


def hiding_things(twin: Twin, world: World) -> list[Thing]:
    """Ranks, the hindmost first, and a draw of shells."""
    solved = twin.solved
    kinds = sorted({(thing.role, thing.image) for thing in world.things if thing.role in ("prop", "other")})
    kinds = kinds or [("far", "far")]
    things = []
    for i in range(solved.painted if solved.painted_area > 0 else 0):
        role, image = kinds[i * 5 % len(kinds)]
        behind = solved.painted - 1 - i
        places = tuple(replace(p, z=min(p.z + behind * STEP, FARTHEST)) for p in _places(twin, world, i))
        ranked = Ranked(places, solved.painted_area)
        things.append(_thing(f"rank {i}", "ranks", role, image, Layer.PAINTED, i, ranked))
    if solved.folded_area > 0:
        role, image = kinds[-1]
        nearer = tuple(replace(p, x=-p.x, z=p.z - FOLDS * STEP) for p in _places(twin, world, MOUND))
        things.append(_thing("shells", "shells", role, image, Layer.FAR, 7, Ranked(nearer, solved.folded_area, FOLDS)))
    return things


def _thing(label: str, shape: str, role: str, image: str, layer: Layer, variant: int, ranked: Ranked) -> Thing:
    pose = still(np.eye(4))
    return Thing(label, shape, role, image, pose, layer, heft=0.4, variant=variant, on_screen=True, ranked=ranked)


def _places(twin: Twin, world: World, rank: int) -> list[Place]:
    """Places of the pieces, the same for all ranks, row by row; outlines change from rank to rank."""
    count = FEW if twin.solved.draws < MANY_DRAWS else MANY
    across = count // len(ROWS)
    random = np.random.default_rng([twin.seed, 78])
    view = world.camera(0.0)[0]
    places = []
    for row, (y, farthest) in enumerate(ROWS):
        shift = random.uniform(0, 1)
        for column in range(across):
            x = 2 * (column + (0.25 + 0.5 * shift + 0.5 * (row % 2)) % 1) / across - 1
            hangs = row == len(ROWS) - 1
            outline = MOUND if hangs else (row + column + rank) % (CROWD + 1)
            places.append(Place(x, y, _depth(view, x, y, farthest), outline, hangs))
    return places


def _depth(view: Floats, x: float, y: float, farthest: float) -> float:
    """Depth, in clip coordinates, of the ground at a place of the screen, or of what is as far as said."""
    ends = np.linalg.solve(view, np.array([[x, y, -1, 1.0], [x, y, 1, 1.0]]).T)
    near, far = (ends / ends[3]).T[:, :3]
    way = (far - near) / np.linalg.norm(far - near)
    distance = min(farthest, -near[1] / way[1]) if way[1] < 0 < near[1] else farthest
    at = view @ np.array([*(near + distance * way), 1.0])
    return float(min(at[2] / at[3], FARTHEST))


def ranks_mesh(ranked: Ranked, triangles: int, variant: int) -> Mesh:
    """Pieces of a draw, of exactly so many triangles, part by part from the back.

    Parameters
    ----------
    ranked
        Places, the share of the screen that all pieces take, and the parts of each.
    triangles
        Number of them, `ranked.fewest` or more.
    variant
        Tones of the pieces.
    """
    random = np.random.default_rng([variant, 79])
    strips = len(ranked.places) * ranked.parts
    columns = int(np.clip(triangles // (2 * strips), 1, 24))
    pieces = []
    for part in range(ranked.parts):
        for number, place in enumerate(ranked.places):
            piece = _piece(place, ranked.area / len(ranked.places), columns)
            # Splitting keeps normals, which nothing needs otherwise: they tell part and place.
            marks = np.tile([float(part), float(number), 0.0], (len(piece.position), 1))
            pieces.append(replace(piece, normal=marks))
    mesh = exactly(joined(*pieces), triangles)
    part, number = np.round(mesh.normal[:, :2]).astype(int).T
    depth = np.array([place.z for place in ranked.places])[number]
    position = np.concatenate([mesh.position[:, :2], (depth - part * STEP / ranked.parts)[:, None]], 1)
    tone = (0.62 + 0.38 * random.random(len(ranked.places)))[number] * (1 - 0.06 * part)
    color = np.stack([tone, tone, tone, np.ones_like(tone)], 1)
    order = np.argsort(part[mesh.triangles[:, 0]], kind="stable")
    normal = np.tile([0.0, 0.0, 1.0], (len(position), 1))
    return replace(mesh, position=position, normal=normal, color=color, triangles=mesh.triangles[order])


def _piece(place: Place, share: float, columns: int) -> Mesh:
    """A piece that takes a share of the screen, within its borders."""
    flat = sheet(columns, 1)
    height = _outline(place.outline, flat.position[:, 0])
    edge = _outline(place.outline, np.linspace(-1, 1, columns + 1))
    height = height / ((edge[1:] + edge[:-1]).mean() / 2)
    # The screen is 2 x 2, a piece 2 w x 2 h.
    half = float(np.sqrt(share * WIDE))
    tall = min(share / half, 0.98 / float(height.max()))
    half = min(share / tall, 1.0)
    x = float(np.clip(place.x, half - 1, 1 - half))
    up = (flat.position[:, 1] + 1) * height * tall
    foot = min(place.y, 1 - float(up.max())) if not place.hangs else place.y
    y = place.y - up if place.hangs else foot + up
    return replace(flat, position=np.stack([x + half * flat.position[:, 0], y, np.zeros_like(y)], 1))


def _outline(kind: int, across: Floats) -> Floats:
    """Heights over the width, -1 to 1."""
    if kind == MOUND:
        return np.asarray(0.35 + 0.65 * np.cos(across * np.pi / 2))
    return np.asarray(0.55 + 0.45 * abs(np.cos(1.5 * np.pi * across))) if kind == CROWD else np.ones_like(across)
