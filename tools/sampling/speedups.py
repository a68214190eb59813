"""Speed-up of one run over another, from the frames of a plan."""

from __future__ import annotations

from collections.abc import Mapping

from tilegpu.timing import Configuration

from .plan import Plan

SKIPPING = "rendering_elimination"
"""The technique that skips the tiles that repeat."""


def skips(before: Configuration, after: Configuration) -> bool:
    """Whether one of two configurations skips tiles that repeat, and the other does not."""
    return (SKIPPING in before.techniques) != (SKIPPING in after.techniques)


def speedup(plan: Plan, before: Mapping[int, float], after: Mapping[int, float], skipping: bool = False) -> float:
    """Total of one run's cycles over that of another.

    Parameters
    ----------
    plan
        The plan.
    before, after
        Cycles of the chosen frames.
    skipping
        Whether the difference lies in tiles that repeat: it is then multiplied by these in all frames over those that
        the chosen frames stand for.
    """
    slow, fast = plan.total(before), plan.total(after)
    return slow / (slow - (slow - fast) * (plan.repeated_ratio if skipping else 1.0))
