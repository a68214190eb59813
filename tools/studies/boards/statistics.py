"""Statistics of predictions beside measurements: errors of the logarithm of times, correlations, and the factor that
fits best."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import StatisticsError, correlation, fmean, geometric_mean, median, quantiles


@dataclass(frozen=True)
class Accuracy:
    """Agreement of predicted with measured values.

    Attributes
    ----------
    scenes
        How many there are.
    pearson, rank
        Pearson's r, and Spearman's: that of the ranks.
    mean_error_percent
        Mean of |predicted / measured - 1|.
    median_percent, high_percent
        Median and 90th percentile of the factor by which predictions are off, either way, less one.
    bias_percent
        Geometric mean of predicted / measured, less one.
    """

    scenes: int
    pearson: float
    rank: float
    mean_error_percent: float
    median_percent: float
    high_percent: float
    bias_percent: float


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
    logs = [math.log(p / m) for p, m in zip(ours, theirs, strict=True)]
    off = [abs(value) for value in logs]
    return Accuracy(
        len(ours),
        pearson(ours, theirs),
        pearson(ranks(ours), ranks(theirs)),
        fmean(100 * abs(p / m - 1) for p, m in zip(ours, theirs, strict=True)),
        percent(median(off)),
        percent(quantiles(off, n=10, method="inclusive")[-1]),
        percent(fmean(logs)),
    )


def percent(log: float) -> float:
    """The factor that a logarithm stands for, less one, in percent."""
    return 100 * math.expm1(log)


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
