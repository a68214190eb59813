"""Axes of charts: where values lie, and round numbers along them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tilegpu.timing.results.swept import is_power_of_two, value_text

TICKS = 5
"""Ticks of an axis, about."""


@dataclass(frozen=True)
class Axis:
    """An axis from its first tick to its last.

    Parameters
    ----------
    ticks
        Round numbers, ascending; two at least.
    logarithmic
        Whether equal ratios are equally far apart.
    sizes
        Whether they are bytes, which are told in KiB and MiB.
    """

    ticks: tuple[float, ...]
    logarithmic: bool = False
    sizes: bool = False

    def share(self, value: float) -> float:
        """Position of a value, in percent of the axis."""
        low, high = self._scaled(self.ticks[0]), self._scaled(self.ticks[-1])
        return 100 * (self._scaled(value) - low) / (high - low)

    def text(self, tick: float) -> str:
        """A tick in words."""
        if self.sizes and float(tick).is_integer():
            return value_text("_bytes", int(tick))
        size = max(map(abs, self.ticks))
        for least, letter in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
            if size >= least:
                factor = 1e3 if letter == "k" else least
                return f"{tick / factor:g}{letter if tick else ''}"
        return f"{tick:g}"

    def _scaled(self, value: float) -> float:
        return math.log10(value) if self.logarithmic else value


def linear(values: Sequence[float], with_zero: bool = True) -> Axis:
    """An axis on which all values have a place."""
    low, high = min(values, default=0.0), max(values, default=1.0)
    if with_zero:
        low, high = min(low, 0.0), max(high, 0.0)
    if low == high:
        high = low + (abs(low) or 1.0)
    step = 10 ** math.floor(math.log10((high - low) / TICKS))
    step = next(step * factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= TICKS)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return Axis(tuple(round(number * step, 12) for number in range(first, last + 1)))


def of_field(field: str, values: Sequence[float]) -> Axis:
    """An axis for values of a field of a configuration: doublings are equally far apart, and sizes told as such."""
    places, sizes = sorted(set(values)), field.endswith("_bytes")
    doubles = places[0] > 0 and places[-1] / places[0] > 2 and all(map(is_power_of_two, places))
    return Axis(tuple(places), True, sizes) if doubles else replace(linear(values, False), sizes=sizes)


def logarithmic(values: Sequence[float]) -> Axis:
    """An axis of powers of ten, with 2 and 5 between them where they are few, for positive values."""
    low, high = (math.log10(value) for value in (min(values, default=1.0), max(values, default=10.0)))
    first, last = math.floor(low), max(math.ceil(high), math.floor(low) + 1)
    between = (1, 2, 5) if last - first <= 3 else (1,)
    ticks = [factor * 10.0**power for power in range(first, last + 1) for factor in between]
    above = [tick for tick in ticks if tick >= 10**high * (1 - 1e-9)]
    below = [tick for tick in ticks if tick <= 10**low * (1 + 1e-9)]
    # A single value on a tick needs another one for an axis.
    end = above[0] if above[0] > below[-1] else ticks[ticks.index(above[0]) + 1]
    return Axis(tuple(tick for tick in ticks if below[-1] <= tick <= end), True)
