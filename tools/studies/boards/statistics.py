"""How near predictions come to what was measured: correlations, errors, and the factor that fits best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import StatisticsError, correlation, fmean, geometric_mean


@dataclass(frozen=True)
class Accuracy:
    """Agreement of predicted with measured values.

    Attributes
    ----------
    scenes
        How many there are.
    pearson, rank
        Pearson's r, and Spearman's: that of the ranks.
    mean_error_percent, signed_error_percent
        Mean of |predicted / measured - 1|, and of predicted / measured - 1.
    """

    scenes: int
    pearson: float
    rank: float
    mean_error_percent: float
    signed_error_percent: float


def accuracy(predicted: Mapping[str, float], measured: Mapping[str, float], factor: float = 1.0) -> Accuracy:
    """Agreement of predictions, times a factor, with what was measured, by scene.

    Raises
    ------
    ValueError
        If there are fewer than two scenes.
    """
    if len(predicted) < 2:
        raise ValueError("a correlation takes two scenes at least")
    ours, theirs = [factor * predicted[name] for name in predicted], [measured[name] for name in predicted]
    errors = [100 * (p / m - 1) for p, m in zip(ours, theirs, strict=True)]
    return Accuracy(
        len(ours), pearson(ours, theirs), pearson(ranks(ours), ranks(theirs)), fmean(map(abs, errors)), fmean(errors)
    )


def pearson(a: Sequence[float], b: Sequence[float]) -> float:
    """Pearson's r; 0 where one of the two does not vary."""
    try:
        return correlation(a, b)
    except StatisticsError:
        return 0.0


def ranks(values: Sequence[float]) -> list[float]:
    """Places from 1, the lowest first; equal values share the mean of theirs."""
    return [
        sum(other < value for other in values) + (sum(other == value for other in values) + 1) / 2 for value in values
    ]


def best_factor(predicted: Mapping[str, float], measured: Mapping[str, float]) -> float:
    """The factor that makes predictions right in the geometric mean: that of measured / predicted."""
    return geometric_mean(measured[name] / predicted[name] for name in predicted)
