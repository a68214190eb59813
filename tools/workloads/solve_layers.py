"""Layers and shares of primitives, moved by what is missing of fragments, survivors and hidden ones."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from .ranks import FOLDS
from .solved import Solution
from .twin import Twin

BACK_FACES = 0.47
"""Share of a closed mesh that faces away."""
HIDDEN, HIDDEN_BY_OWN = "hidden_share", "hidden_by_own_object_share"
LARGEST_RANK = 0.2
"""Share of the screen that a rank takes at most."""
SMALLEST_SKY = 0.55
"""Share of a backdrop that stays: what is above walls and hills."""
SORTED_AT_LEAST = 0.4
"""Part of the disorder that a correction leaves."""


def corrected(twin: Twin, columns: dict[str, float]) -> Solution:
    """Solution of a twin, corrected.

    Parameters
    ----------
    twin
        The twin.
    columns
        Its columns as they were measured.
    """
    targets, solved, pixels = twin.targets, twin.solved, twin.width * twin.height
    per_primitive = columns["fragments_per_assembled_primitive"]
    fragments = (targets["fragments_per_assembled_primitive"] - per_primitive) * solved.primitives / pixels
    survivors = _survivors(targets, columns, fragments)
    hidden, folded = _hidden(targets, columns)
    veil = solved.veil_area + (survivors - hidden - folded) / max(1, solved.veils)
    far = solved.far_area + (fragments - survivors) / max(1, solved.far)
    if far < 0:
        solved = _less_behind(twin, solved, -far * solved.far, per_primitive * solved.primitives / pixels)
    veils, veil = _layers(solved.veils, veil, 0.45, solved.draws)
    layers, far = _layers(solved.far, far, 0.5, solved.draws)
    solved = replace(solved, veils=veils, veil_area=veil, far=layers, far_area=far)
    if HIDDEN in targets:
        solved = _ranks(solved, hidden, columns)
        solved = replace(solved, folded_area=float(np.clip(solved.folded_area + folded / (FOLDS - 1), 0, 0.9)))
    return _shares(twin, solved, columns)


def _ranks(solved: Solution, hidden: float, columns: dict[str, float]) -> Solution:
    """Ranks that hide more, or less, of each other; where nothing is to be taken from them, more of the scene is
    sorted."""
    gaps = max(1, solved.painted - 1)
    area = solved.painted_area + hidden / gaps
    if area < 0:
        others = (columns[HIDDEN] - columns[HIDDEN_BY_OWN]) * columns["survivors_per_pixel"]
        share = max(SORTED_AT_LEAST, 1 + (hidden + gaps * solved.painted_area) / others)
        return replace(solved, painted_area=0.0, disorder=solved.disorder * share)
    if area > LARGEST_RANK and solved.painted < max(2, solved.draws // 5):
        return replace(solved, painted=solved.painted + 1, painted_area=area * gaps / (gaps + 1))
    return replace(solved, painted_area=min(area, 1.0))


def _less_behind(twin: Twin, solved: Solution, excess: float, now: float) -> Solution:
    """Less of a sky that is drawn last, as most of the excess is behind something; without it, or where it is small
    already, what stands around has to shrink."""
    if twin.sky_last and solved.sky > SMALLEST_SKY:
        return replace(solved, sky=max(SMALLEST_SKY, solved.sky * max(0.5, 1 - 1.5 * excess)))
    return replace(solved, size=float(np.clip(solved.size * (1 - excess / now), 0.4, 2.0)))


def _survivors(targets: dict[str, float], columns: dict[str, float], fragments: float) -> float:
    """Fragments per pixel that are missing after early depth; all that are missing before it, where no table tells."""
    if "survivors_per_pixel" in targets:
        return targets["survivors_per_pixel"] - columns["survivors_per_pixel"]
    if "survivors_per_covered_pixel" in targets:
        covered = columns["survivors_per_pixel"] / columns["survivors_per_covered_pixel"]
        return (targets["survivors_per_covered_pixel"] - columns["survivors_per_covered_pixel"]) * covered
    return fragments


def _hidden(targets: dict[str, float], columns: dict[str, float]) -> tuple[float, float]:
    """Fragments per pixel that other objects, and their own, should hide beyond those that they do."""
    if HIDDEN not in targets:
        return 0.0, 0.0
    now = columns["survivors_per_pixel"]
    wanted = now + _survivors(targets, columns, 0.0)
    own = wanted * targets[HIDDEN_BY_OWN] - now * columns[HIDDEN_BY_OWN]
    return wanted * targets[HIDDEN] - now * columns[HIDDEN] - own, own


def _shares(twin: Twin, solved: Solution, columns: dict[str, float]) -> Solution:
    """Shares of the primitives out of view and of closed meshes, corrected."""
    targets = twin.targets
    if "output_primitives_per_frame" in targets:
        missing = (targets["output_primitives_per_frame"] - columns["output_primitives_per_frame"]) / solved.primitives
        solved = replace(solved, aside=float(np.clip(solved.aside - missing, 0, 0.9)))
    if targets.get("culled_share") and columns["culled_share"] > 0:
        ratio = targets["culled_share"] / columns["culled_share"]
        solved = replace(solved, closed=float(np.clip(solved.closed * ratio, 0.05, 0.99)))
    return solved


def _layers(count: int, area: float, most: float, draws: int) -> tuple[int, float]:
    """Number and area of layers, so many that none is larger than it should be, if there are draws enough."""
    total = max(0.0, area * count)
    needed = min(max(1, math.ceil(total / most)), max(2, draws // 3))
    count = max(count, needed) if needed > count else count
    return count, float(np.clip(total / max(1, count), 0.0, 2.0))
