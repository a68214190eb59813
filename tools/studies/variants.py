"""Variants of a machine: a field or two with other values, by the name that stands behind the machine's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

Variants = Mapping[str, tuple[str, ...]]
"""Settings by the name of a variant, `@field=value`, or `@field=value,field=value` of a pair."""


def pairs_of(alone: Variants, chosen: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Every two of some variants together, of different fields.

    Parameters
    ----------
    alone
        Variants of one field each.
    chosen
        Names of those that are paired.
    """
    return {
        f"{first},{second[1:]}": (*alone[first], *alone[second])
        for first, second in combinations(chosen, 2)
        if first.partition("=")[0] != second.partition("=")[0]
    }
