"""Figures of what is behind a conclusion, in a line: the mean over the workloads, and the games at both ends."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean

from .measured import Measured, NotMeasured


def by_game(what: str, values: Mapping[str, float], form: str = ".2f") -> str:
    """A quantity of the workloads: its mean, and of several the least and the greatest value with their names.

    Raises
    ------
    NotMeasured
        If there are none.
    """
    if not values:
        raise NotMeasured(what)
    mean = f"{what} {fmean(values.values()):{form}}"
    least, most = (choose(values, key=values.__getitem__) for choose in (min, max))
    ends = f" in the mean ({values[least]:{form}} in {least}, {values[most]:{form}} in {most})"
    return mean + (ends if len(values) > 1 else "")


def share_of(m: Measured, what: str, machine: str, part: str, whole: str) -> str:
    """The share that one statistic of a machine has in another."""
    return by_game(what, m.shares(machine, part, whole), ".0%")


def lines(*parts: str) -> str:
    """Several figures as one reason."""
    return "; ".join(parts)
