"""Frames and games drawn with replacement (a bootstrap), for intervals of what a study measures."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .rules import Quantity, Rule

DRAWN = "~"
"""Stands in the name of a workload that was drawn, before how many had been drawn before it."""
CONFIDENCE = 0.95
MOST_FRAMES = 256
FEWEST = 5
"""Simulated frames below which there is no interval: draws of two are nearly always one of these alone."""


@dataclass(frozen=True)
class Draw:
    """One draw.

    Attributes
    ----------
    names
        All workloads.
    workloads
        As many, drawn with replacement; each has a name of its own.
    seed
        Of the frames.
    """

    names: tuple[str, ...]
    workloads: tuple[str, ...]
    seed: int

    def frames_of(self, workload: str, chosen: Sequence[int]) -> list[int]:
        """As many frames of a workload as are chosen from, drawn with replacement; the same on every machine."""
        told = hashlib.sha256(f"{self.seed} {workload}".encode()).digest()
        picked = np.random.default_rng(int.from_bytes(told[:8], "little")).random(min(len(chosen), MOST_FRAMES))
        return [chosen[int(share * len(chosen))] for share in picked]


def draws(names: Sequence[str], count: int) -> Iterator[Draw]:
    """So many draws of these workloads; the same every time."""
    chance = np.random.default_rng(count)
    for seed in range(count):
        picked = [names[i] for i in chance.integers(0, len(names), len(names))]
        yield Draw(tuple(names), tuple(f"{name}{DRAWN}{i}" for i, name in enumerate(picked)), seed)


@dataclass(frozen=True)
class Spread:
    """What a quantity is over all draws.

    Attributes
    ----------
    interval
        Of a number: the least and the highest of the middle 95 % of the draws.
    holding
        Share of the draws in which the rule holds.
    """

    interval: tuple[float, float] | None
    holding: float

    def decides(self, rule: Rule, ours: Quantity) -> bool | None:
        """Whether the rule holds; None where the interval crosses its bound, or the draws differ."""
        if self.interval is None or isinstance(ours, Mapping):
            return None if 1 - CONFIDENCE < 2 * self.holding < 1 + CONFIDENCE else rule.holds(ours)
        verdicts = {rule.holds(end) for end in (*self.interval, ours)}
        below_and_above = verdicts == {False} and rule.lies_within(*self.interval)
        return None if len(verdicts) > 1 or below_and_above else verdicts.pop()


def spread(rule: Rule, quantities: Iterable[Quantity]) -> Spread | None:
    """Interval and verdicts over draws; None if nothing was drawn."""
    found = list(quantities)
    if not found:
        return None
    holding = sum(rule.holds(ours) for ours in found) / len(found)
    numbers = [float(ours) for ours in found if not isinstance(ours, Mapping)]
    if len(numbers) < len(found):
        return Spread(None, holding)
    return Spread(middle(numbers), holding)


def middle(numbers: Sequence[float] | NDArray[np.float64]) -> tuple[float, float]:
    """The least and the highest of the middle 95 % of numbers."""
    low, high = np.quantile(numbers, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return float(low), float(high)
