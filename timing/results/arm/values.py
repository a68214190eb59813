"""Values of Arm's counters: from statistics by `definitions`, or by Arm's own equations over counters that have one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import pyarrow as pa

from ...config.schema import Configuration
from ...declare.chip import Counters
from ...units.simt_core import SimtCoreParameters
from ..statistics import statistics
from .absent import reason
from .definitions import definition
from .expressions import names, value_of
from .specification import Counter, specification
from .tile_amounts import tile_amounts

TILE_AMOUNTS = ("tiles.regions_32", "tiles.regions", "tiles.fragment_cycles")

NOT_COMPARABLE = ("MaliL2CacheWrMissRate",)
"""Counters whose equation has values that do not belong together."""


class Source(NamedTuple):
    """A counter and its amount in terms of statistics or of other counters; or why there is none."""

    counter: Counter
    amount: str
    note: str
    reason: str


def counters_of(configuration: Configuration) -> Mapping[str, Counter]:
    """Counters of the GPU that a configuration names; none if it names none that the specification has."""
    gpu = configuration.of(Counters).arm_gpu
    return specification().get(gpu, {}) if configuration.machine == "unified" else {}


def sources(configuration: Configuration) -> Iterator[Source]:
    """Source of each counter of its GPU, in the order of the specification."""
    gpu = configuration.of(Counters).arm_gpu
    counters = counters_of(configuration)
    amounts = {*(stat.name for stat in statistics(configuration)), *_configured(configuration, 1.0), *TILE_AMOUNTS}
    for counter in counters.values():
        if counter.name in NOT_COMPARABLE:
            yield Source(counter, "", "", reason(counter.name))
            continue
        own = definition(counter.name, gpu)
        if own is not None and _all_there(own.amount, gpu, counters, amounts):
            yield Source(counter, own.amount, own.note, "")
            continue
        lacking = [] if not counter.equation else _lacking(counter.equation, gpu, counters, amounts)
        if counter.equation and not lacking:
            yield Source(counter, counter.equation, "", "")
            continue
        absent = f"needs {' and '.join(lacking)}" if lacking and own is None else reason(counter.name)
        if own is not None and not absent:
            absent = "the configuration lacks what it counts"
        yield Source(counter, "", "", absent)


def amounts_of(configuration: Configuration) -> dict[str, str]:
    """Amount of each counter of its GPU that has a value."""
    return {source.counter.name: source.amount for source in sources(configuration) if source.amount}


def frame_values(
    configuration: Configuration, defined: Mapping[str, str], statistics_of_frame: Mapping[str, float], tiles: pa.Table
) -> dict[str, float | None]:
    """Value of each counter of `amounts_of` in a frame; None where a quotient divides by 0."""
    number = int(statistics_of_frame["frame"])
    seconds = statistics_of_frame["gpu.cycles"] / (float(configuration.clocks.gpu) * 1e6)
    counters = counters_of(configuration)
    side = int(counters["MaliGPUTileSize"].equation)
    amounts = {**statistics_of_frame, **_configured(configuration, seconds)}
    amounts |= tile_amounts(configuration, tiles, number, side)
    lookup = _lookup(configuration, defined, amounts)
    return {name: lookup(name) for name in defined}


def _lookup(
    configuration: Configuration, defined: Mapping[str, str], amounts: Mapping[str, float]
) -> Callable[[str], float | None]:
    gpu = configuration.of(Counters).arm_gpu
    values: dict[str, float | None] = {}

    def lookup(name: str) -> float | None:
        if name in amounts:
            return amounts[name]
        if name not in values:
            own = definition(name, gpu)
            text = defined.get(name) or (own.amount if own is not None else "")
            values[name] = value_of(text, lookup) if text else None
        return values[name]

    return lookup


def _configured(configuration: Configuration, seconds: float) -> dict[str, float]:
    core = configuration.of(SimtCoreParameters)
    return {
        "configuration.bus_bytes": configuration.of(Counters).bus_bytes,
        "configuration.l2_caches": configuration.cache_count("l2_cache"),
        "configuration.cores": core.clusters,
        "configuration.engines": core.schedulers,
        "configuration.warp_threads": core.warp_threads,
        "configuration.line_bytes": configuration.memory.line_bytes,
        "configuration.seconds": seconds,
    }


def _all_there(text: str, gpu: str, counters: Mapping[str, Counter], amounts: Collection[str]) -> bool:
    return not _lacking(text, gpu, counters, amounts)


def _lacking(text: str, gpu: str, counters: Mapping[str, Counter], amounts: Collection[str]) -> list[str]:
    """Names of an equation that have no value."""
    return [name for name in names(text) if not _has_value(name, gpu, counters, amounts)]


def _has_value(name: str, gpu: str, counters: Mapping[str, Counter], amounts: Collection[str]) -> bool:
    if name in amounts:
        return True
    own = definition(name, gpu)
    if own is not None and _all_there(own.amount, gpu, counters, amounts):
        return True
    counter = counters.get(name)
    return bool(counter and counter.equation and _all_there(counter.equation, gpu, counters, amounts))


def coverage(sources: Sequence[Source]) -> float:
    """Share of counters that have a value."""
    return sum(bool(source.amount) for source in sources) / max(1, len(sources))
