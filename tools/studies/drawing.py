"""Frames drawn with replacement (a bootstrap), for intervals of what a study measures."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from ..intervals import CONFIDENCE, middle
from .rules import Quantity, Rule

T = TypeVar("T")
MOST_FRAMES = 256
FEWEST = 5
"""Simulated frames below which there is no interval: draws of two are nearly always one of these alone."""


@dataclass(frozen=True)
class Draw:
    """One draw: how often each frame counts. Workloads keep their names, and each its part of a mean.

    Attributes
    ----------
    seed
        Of its frames.
    """

    seed: int

    def of(self, stratum: str, chosen: Sequence[T]) -> list[T]:
        """As many frames of a stratum as are chosen from, drawn with replacement; the same on every machine."""
        digest = hashlib.sha256(f"{self.seed} {stratum}".encode()).digest()
        picked = np.random.default_rng(int.from_bytes(digest[:8], "little")).random(min(len(chosen), MOST_FRAMES))
        return [chosen[int(share * len(chosen))] for share in picked]


@dataclass(frozen=True)
class Decision:
    """Verdict by a rule, with the interval of the value.

    Attributes
    ----------
    holds
        None where the interval crosses the rule's bound.
    interval
        Of a number, where enough frames were simulated: the least and the highest of the middle 95 % of the draws.
    tied
        Whether a rank holds only because frames do not tell it from the ones above.
    """

    holds: bool | None
    interval: tuple[float, float] | None = None
    tied: bool = False


def decide(rule: Rule, ours: Quantity, draws: Iterable[Quantity]) -> Decision:
    """Judge what was measured, given what it is over draws; without draws the value alone decides.

    Parameters
    ----------
    rule
        The rule.
    ours
        What was measured.
    draws
        The same over draws of frames.
    """
    drawn = list(draws)
    if isinstance(ours, Mapping):
        tied = _Ties([each for each in drawn if isinstance(each, Mapping)])
        alone, holds = rule.holds(ours), rule.holds(ours, tied)
        return Decision(holds, tied=holds and not alone)
    if not drawn:
        return Decision(within(rule, float(ours)))
    interval = middle([float(each) for each in drawn if not isinstance(each, Mapping)])
    return Decision(within(rule, float(ours), interval), interval)


def within(rule: Rule, ours: float, interval: tuple[float, ...] = ()) -> bool | None:
    """Whether a number and all of its interval, if it has one, keep to a rule, or none does; None where they differ."""
    verdicts = {rule.holds(end) for end in (*interval, ours)}
    below_and_above = verdicts == {False} and len(interval) == 2 and rule.lies_within(*interval)
    return None if len(verdicts) > 1 or below_and_above else verdicts.pop()


@dataclass(frozen=True)
class _Ties:
    """Whether two names are equal as far as frames tell: neither is above the other in nearly all draws."""

    draws: Sequence[Mapping[str, float]]

    def __call__(self, one: str, other: str) -> bool:
        if not self.draws:
            return False
        above = sum(each[one] > each[other] for each in self.draws) / len(self.draws)
        below = sum(each[one] < each[other] for each in self.draws) / len(self.draws)
        return max(above, below) < (1 + CONFIDENCE) / 2


def draws_of(count: int) -> Iterator[Draw]:
    """So many draws; the same every time."""
    return map(Draw, range(count))
