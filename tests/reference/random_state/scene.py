"""A scene: a kind and its choices, derived from a number alone."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Protocol, TypeVar

import numpy as np

from tilegpu.functional.opengl import enums as gl

from .stage import Stage

T = TypeVar("T")


class Scene(Protocol):
    """The choices of one scene: a frozen dataclass, whose one-line representation describes it."""

    def draw(self, stage: Stage) -> None:
        """Record it; the picture is in the stage's cell."""


class Choices(Random):
    """Random choices of a scene."""

    def one(self, *options: T) -> T:
        """One of some options."""
        return self.choice(options)

    def chance(self, share: float) -> bool:
        """True with this probability."""
        return self.random() < share

    def some(self, options: Sequence[T], least: int, most: int) -> tuple[T, ...]:
        """Different ones of some options."""
        return tuple(self.sample(options, self.randint(least, min(most, len(options)))))

    def real(self, low: float, high: float) -> float:
        """A number with few digits for a short description, and too many for ties at the edges of texels."""
        return round(self.uniform(low, high), 6)

    def reals(self, count: int, low: float, high: float) -> tuple[float, ...]:
        """Several numbers."""
        return tuple(self.real(low, high) for _ in range(count))

    def number(self) -> int:
        """A number to make texels from."""
        return self.getrandbits(24)


def value_of(name: str) -> int:
    """The enum of a name; unsigned integer formats are numbered from the signed ones."""
    if name.endswith("UI") and not hasattr(gl, name):
        signed: int = getattr(gl, name.replace("UI", "I"))
        return signed - 0x12 if name.startswith("RGB") else signed + 1
    value: int = getattr(gl, name)
    return value


def texels(number: int) -> np.random.Generator:
    """Where a scene's texels come from."""
    return np.random.default_rng(number)


def matrix(channels: Sequence[int], scale: float) -> list[float]:
    """Columns of a 4x4 matrix whose rows choose channels, each times a scale."""
    rows: Any = np.zeros((4, 4))
    for row, channel in enumerate(channels):
        rows[row, channel] = scale
    return [float(v) for v in rows.T.reshape(-1)]
