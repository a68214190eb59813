"""Primitives to draws: exactly as many as asked, half of them or more in the largest tenth."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from .geometry import Floats
from .scene import Layer, Thing
from .shapes import FLAT, fewest
from .solved import Solution
from .twin import TwinError

LARGEST_TENTH = 0.55
"""Share of the primitives that the largest tenth of the draws is to hold."""


def allot(things: list[Thing], solved: Solution, density: float = 0.0) -> list[int]:
    """Primitives of each thing.

    Parameters
    ----------
    things, solved
        What is drawn, and how many primitives there are.
    density
        Primitives per area of sprites that move over those of sprites that stand; 0: by their claims, as all have them.

    Raises
    ------
    TwinError
        If the things need more primitives than there are.
    """
    least = np.array([thing.ranked.fewest if thing.ranked else fewest(thing.shape) for thing in things])
    total = solved.primitives
    if least.sum() > total:
        raise TwinError(f"solved.primitives = {total}: these {len(things)} draws need {least.sum()} at least")
    aside = np.array([thing.aside for thing in things])
    flat = np.array([thing.shape in FLAT for thing in things])
    groups = [(aside, solved.aside * total if aside.any() else 0.0)]
    rest = total - groups[0][1]
    if solved.closed > 0 and (flat & ~aside).any() and (~flat & ~aside).any():
        groups += [(~flat & ~aside, rest * solved.closed), (flat & ~aside, rest * (1 - solved.closed))]
    else:
        groups += [(~aside, rest)]
    shares = least.astype(float)
    heft = np.array([thing.heft for thing in things])
    for power in np.arange(1.0, 6.01, 0.25):
        shares = least.astype(float)
        for members, share in groups:
            if members.any():
                weight = heft[members] ** power
                spare = max(0.0, share - least[members].sum())
                shares[members] += spare * weight / weight.sum()
        if share_of_largest_tenth(shares) >= LARGEST_TENTH:
            break
    else:
        shares = _uneven(shares, least, heft)
    if density > 0:
        shares = _as_dense(things, shares, least, density)
    return _whole(shares, least, total)


def _as_dense(things: list[Thing], shares: Floats, least: Floats, density: float) -> Floats:
    """Primitives taken from, or given to, the sprites that stand, until those that move are as dense as asked."""
    moves = np.array([thing.moves for thing in things])
    stands = ~moves & np.array([t.on_screen and t.layer is Layer.OPAQUE and not t.aside for t in things])
    if not moves.any() or not stands.any():
        return shares
    area = np.array([abs(np.linalg.det(thing.pose(0.0)[:2, :2])) if thing.on_screen else 0.0 for thing in things])
    # Both together have as many as before.
    both = shares[moves | stands].sum()
    per_area = both / (area[stands].sum() + density * area[moves].sum())
    changed = shares.copy()
    changed[moves] = np.maximum(least[moves], density * per_area * area[moves])
    spare = shares[stands] - least[stands]
    remaining = both - changed[moves].sum() - least[stands].sum()
    changed[stands] = least[stands] + spare * max(0.0, remaining) / max(spare.sum(), 1e-9)
    return changed


def _uneven(shares: Floats, least: Floats, heft: Floats) -> Floats:
    """Primitives taken from the many and given to those of most heft, until these have their share."""
    largest = np.argsort(-heft, kind="stable")[: math.ceil(len(shares) / 10)]
    many = np.ones(len(shares), bool)
    many[largest] = False
    spare = shares - least
    room = (1 - LARGEST_TENTH) * shares.sum() - least[many].sum()
    kept = np.clip(room / max(spare[many].sum(), 1e-9), 0, 1)
    given = (1 - kept) * spare[many].sum()
    changed = np.where(many, least + kept * spare, shares)
    changed[largest] += given / len(largest)
    return changed


def share_of_largest_tenth(primitives: ArrayLike) -> float:
    """Share of the primitives in the largest tenth of the draws, rounded up."""
    ordered = np.sort(np.asarray(primitives))[::-1]
    return float(ordered[: math.ceil(len(ordered) / 10)].sum() / max(1, ordered.sum()))


def _whole(wanted: np.ndarray, least: np.ndarray, total: int) -> list[int]:
    """Whole numbers whose sum is the total."""
    numbers = np.maximum(least, np.floor(wanted).astype(int))
    for i in np.argsort(-wanted):
        missing = total - numbers.sum()
        if missing == 0:
            break
        numbers[i] = max(least[i], numbers[i] + missing)
    return [int(count) for count in numbers]
