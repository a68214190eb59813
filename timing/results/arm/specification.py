"""Arm's counters by GPU, as its public specification of performance counters has them (libGPUCounters): names, units,
and the equations by which tools such as Streamline derive some of them (data/counters/arm.csv).
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import NamedTuple


class Counter(NamedTuple):
    """A counter of a GPU; the equation is empty for what the hardware counts."""

    name: str
    title: str
    unit: str
    equation: str


@lru_cache(maxsize=1)
def specification() -> Mapping[str, Mapping[str, Counter]]:
    """Counters by name, by GPU: "G52"."""
    by_gpu: dict[str, dict[str, Counter]] = {}
    text = files("tilegpu.data").joinpath("counters", "arm.csv").read_text("utf-8")
    for row in csv.DictReader(text.splitlines()):
        counter = Counter(row["name"], row["title"], row["unit"], row["equation"])
        for gpu in row["gpus"].split():
            by_gpu.setdefault(gpu, {})[counter.name] = counter
    return MappingProxyType({gpu: MappingProxyType(counters) for gpu, counters in by_gpu.items()})
