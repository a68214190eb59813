"""Cycles of a frame in whole numbers, split as samples of its time are."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def held_cycles(time: Array, cycles: int) -> Array:
    """Parts of a frame's cycles, whose sum is exactly theirs.

    Each part is what its samples come to, rounded down; the cycles that are missing then go one each to the parts that
    lost most, the first ones where several lost the same.

    Parameters
    ----------
    time
        Samples, at least 0, shape (accounts, reasons).
    cycles
        Of the frame.

    Returns
    -------
    ndarray of int64
        Of the same shape; all 0 without a sample.
    """
    total = float(time.sum())
    if total <= 0.0:
        return np.zeros(time.shape, np.int64)
    exact = time.reshape(-1) * (cycles / total)
    parts = np.floor(exact).astype(np.int64)
    missing = cycles - int(parts.sum())
    # Rounding in the product may also give one too many to a part that is a whole number.
    step = 1 if missing > 0 else -1
    order = np.argsort(step * (parts - exact), kind="stable")
    parts[order[parts[order] + step >= 0][: abs(missing)]] += step
    return parts.reshape(time.shape)
