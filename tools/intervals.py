"""Intervals of what is drawn many times."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

CONFIDENCE = 0.95


def middle(numbers: Sequence[float] | NDArray[np.float64]) -> tuple[float, float]:
    """The least and the highest of the middle 95 % of numbers."""
    low, high = np.quantile(numbers, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return float(low), float(high)
