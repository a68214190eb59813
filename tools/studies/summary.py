"""All conclusions of the papers that are numbers on both sides: ours over theirs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

BANDS = (1.1, 1.25, 1.5, 2.0)
"""Factors either way that count as near: 10, 25, 50 per cent and twice."""


@dataclass(frozen=True)
class Pair:
    """A published number and ours.

    Attributes
    ----------
    study, conclusion
        Where it stands.
    paper, ours
        Neither is 0.
    standing
        Predicted, seen or set.
    """

    study: str
    conclusion: str
    paper: float
    ours: float
    standing: str

    @property
    def factor(self) -> float:
        """By what ours is more, or less; infinite where one rises and the other falls."""
        ratio = self.ours / self.paper
        return max(ratio, 1 / ratio) if ratio > 0 else float("inf")


@dataclass(frozen=True)
class Row:
    """Distances of some numbers.

    Attributes
    ----------
    name
        Of what they are.
    count
        How many.
    within
        How many within each of `BANDS`.
    median
        Half of them are within this factor.
    """

    name: str
    count: int
    within: tuple[int, ...]
    median: float


def pairs(outcome: Mapping[str, Any], decidable: bool = True) -> list[Pair]:
    """Conclusions of an outcome with a number on both sides.

    Parameters
    ----------
    outcome
        Outcome of a study.
    decidable
        Without those that nothing in the text decides.
    """
    return [
        Pair(outcome["study"], c["id"], c["paper"], c["ours"], c.get("standing", "predicted"))
        for c in outcome["conclusions"]
        if isinstance(c["paper"], int | float) and isinstance(c["ours"], int | float) and c["paper"] and c["ours"]
        if not (decidable and c.get("undecidable"))
    ]


def row(name: str, some: Sequence[Pair]) -> Row:
    """Count numbers by how near they are."""
    factors = [pair.factor for pair in some]
    return Row(name, len(some), tuple(sum(f <= band for f in factors) for band in BANDS), median(factors))


def rows(outcomes: Iterable[Mapping[str, Any]], decidable: bool = True) -> list[Row]:
    """A row per study, and one of all."""
    by_study = {table["study"]: pairs(table, decidable) for table in outcomes}
    table = [row(name, some) for name, some in by_study.items() if some]
    return [*table, row("all", [pair for some in by_study.values() for pair in some])]
