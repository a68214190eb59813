"""Statistics of main memory for each kind of masters."""

from __future__ import annotations

from collections.abc import Iterator

from tilegpu.timing.declare.statistics import Stat, ratio

from ..masters import CLASSES

NAME = "memory.dram"
TITLES = {"gpu": "the GPU", "cpu": "CPU cores", "display": "the display controller"}


def by_class() -> Iterator[Stat]:
    """Statistics of the GPU, of CPU cores and of the display controller."""
    for i, kind in enumerate(CLASSES):
        name, who = f"{NAME}.{kind}", TITLES[kind]
        yield Stat(f"{name}.reads", "requests", f"read requests of {who}", f"of[{i}].reads")
        yield Stat(f"{name}.writes", "requests", f"write requests of {who}", f"of[{i}].writes")
        yield Stat(f"{name}.bytes", "bytes", f"bytes read and written for {who}", f"of[{i}].bytes")
        took = f"time from queue to data, all reads of {who}"
        yield Stat(f"{name}.read_cycles", "cycles", took, f"of[{i}].read_latency_cycles")
        bursts = f"controller: accesses to rows for {who}, a burst each"
        yield Stat(f"{name}.row_accesses", "accesses", bursts, f"channel[].of[{i}].accesses")
        hits = f"controller: accesses of {who} that found their row open and used"
        yield Stat(f"{name}.row_hits", "accesses", hits, f"channel[].of[{i}].row_hits")
        yield Stat(
            f"{name}.activates", "commands", f"controller: rows opened for {who}", f"channel[].of[{i}].activates"
        )
        latency = f"GPU cycles from the DRAM's queue to the data, mean of reads of {who}"
        yield ratio(f"{name}.read_latency", "cycles", latency, f"{name}.read_cycles", f"{name}.reads")
        rate = f"share of accesses of {who} that found their row open and used"
        yield ratio(f"{name}.row_hit_rate", "ratio", rate, f"{name}.row_hits", f"{name}.row_accesses")
        per_row = f"bytes read and written for {who} per row opened for it"
        yield ratio(f"{name}.bytes_per_activate", "bytes", per_row, f"{name}.bytes", f"{name}.activates")
