"""Emerald's first case study: what explains a conclusion, measured."""

from __future__ import annotations

from ...measured import Measured
from ...reasons import by_game, lines
from .measures import BAS, GPU_MHZ, GPU_TIME, HIGH, HIT_RATE, OTHERS, REGULAR


def _times(m: Measured, load: str) -> str:
    parts = []
    for name in (BAS, *OTHERS):
        milliseconds = {n: m.value(n, name + load, GPU_TIME) / GPU_MHZ / 1e3 for n in m.workloads}
        hits = m.mean(m.each(name + load, HIT_RATE).values())
        parts.append(f"{by_game(f'{name}: ms of the GPU', milliseconds)}, row hits {hits:.0%}")
    return lines(*parts)


def regular_load(m: Measured) -> str:
    """Time of the GPU and row hits on each machine."""
    return _times(m, REGULAR)


def high_load(m: Measured) -> str:
    """The same under high load."""
    return _times(m, HIGH)
