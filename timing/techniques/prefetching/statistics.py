"""Statistics of prefetchers, and the structures that they add to the GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.energy.geometry import FlipFlops, Ram
from tilegpu.timing.declare.statistics import Stat, ratio
from tilegpu.timing.declare.structures import FRAGMENT, Structure, stat

from .parameters import Parameters
from .state import NAME, kinds_of, prefetchers

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware


LINE_BITS, TAG_BITS = 32, 24
"""Bits of an address, as the paper's entries have them."""

COUNTED = (
    ("taught", "requests", "accesses that taught a prefetcher"),
    ("predicted", "lines", "lines predicted"),
    ("lookups", "lines", "predicted lines that were looked up"),
    ("issued", "lines", "lines asked for below"),
    ("dropped_queue", "lines", "predicted lines dropped because the queue was full"),
    ("dropped_here", "lines", "those dropped because the cache held them"),
    ("dropped_under_way", "lines", "those dropped because they were on their way"),
    ("dropped_mshrs", "lines", "those dropped because no MSHR was free, or the level below took no request"),
    ("useful", "lines", "prefetched lines that were asked for when they were here"),
    ("late", "lines", "prefetched lines that were asked for while they were on their way"),
    ("useless", "lines", "prefetched lines that gave way before anybody asked for them"),
    ("misses", "requests", "accesses that missed, and whose line was not on its way"),
    ("table_reads", "accesses", "look-ups of the table of strides or distances, or of the GS and IP tables"),
    ("table_writes", "accesses", "entries written there"),
    ("history_reads", "accesses", "entries of the Global History Buffer read"),
    ("history_writes", "accesses", "lines written there"),
    ("warp_reads", "accesses", "look-ups of the Per-Warp Stride table"),
    ("warp_writes", "accesses", "entries written there"),
    ("global_hits", "accesses", "accesses whose stride the Global Stride table had"),
    ("thread_hits", "accesses", "accesses whose stride the Inter-thread Prefetch table had"),
    ("warp_hits", "accesses", "accesses whose stride the Per-Warp Stride table had"),
    ("promotions", "strides", "strides that were found to hold for all warps"),
    ("periods", "periods", "periods after which a degree was adapted"),
    ("degrees", "lines", "degrees after these periods, summed"),
    ("stops", "periods", "periods after which nothing was prefetched"),
)


def _coverage(v: Any) -> float:
    met = v[f"{NAME}.useful"] + v[f"{NAME}.late"]
    return float(met / max(1, met + v[f"{NAME}.misses"]))


PER_PREFETCHER = (
    *(Stat(f"{NAME}.{name}", unit, f"{what}, of all prefetchers", name) for name, unit, what in COUNTED),
    Stat(
        f"{NAME}.coverage",
        "ratio",
        "share of what would have missed that was prefetched, in time or late",
        "",
        f"({NAME}.useful + {NAME}.late) / ({NAME}.useful + {NAME}.late + {NAME}.misses)",
        _coverage,
    ),
    Stat(
        f"{NAME}.accuracy",
        "ratio",
        "share of the prefetched lines that were requested later",
        "",
        f"({NAME}.useful + {NAME}.late) / {NAME}.issued",
        lambda v: (v[f"{NAME}.useful"] + v[f"{NAME}.late"]) / max(1, v[f"{NAME}.issued"]),
    ),
    ratio(
        f"{NAME}.useless_share",
        "ratio",
        "share of the prefetched lines that gave way before anybody asked for them (Fig. 7)",
        f"{NAME}.useless",
        f"{NAME}.issued",
    ),
    ratio(f"{NAME}.degree", "lines", "degree after a period, on average", f"{NAME}.degrees", f"{NAME}.periods"),
)


def _own(c: Hardware) -> Any:
    return c.of(Parameters)


def _with(*kinds: str) -> Any:
    """Number of a structure that only some prefetchers have."""
    return lambda c: prefetchers(c) if _own(c).prefetcher in kinds else 0


def _tags(c: Hardware) -> Ram:
    """Tags of the largest cache that has a prefetcher, a set to an entry."""
    specs = [c.cache(kind) for kind in kinds_of(c)]
    largest = max(specs, key=lambda spec: spec.size_bytes)
    return Ram(max(1, largest.size_bytes // c.memory.line_bytes // largest.ways), TAG_BITS * largest.ways)


def _table(name: str, kind: str, field: str, reads: str, writes: str) -> Structure:
    """A table of one prefetcher, whose sizes are two fields."""
    return Structure(
        f"prefetching.{name}",
        FRAGMENT,
        _with(kind),
        lambda c: Ram(getattr(_own(c), f"{field}_entries"), getattr(_own(c), f"{field}_entry_bits")),
        stat(f"{NAME}.{reads}"),
        stat(f"{NAME}.{writes}"),
    )


STRUCTURES = (
    _table("stride_table", "stride", "stride", "table_reads", "table_writes"),
    _table("index_table", "ghb", "index", "table_reads", "table_writes"),
    _table("history_buffer", "ghb", "history", "history_reads", "history_writes"),
    _table("warp_stride_table", "mta", "warp_stride", "warp_reads", "warp_writes"),
    _table("global_stride_table", "mta", "global_stride", "table_reads", "promotions"),
    _table("inter_thread_table", "mta", "inter_thread", "table_reads", "table_writes"),
    Structure(
        "prefetching.queue",
        FRAGMENT,
        lambda c: 0 if _own(c).prefetcher in ("none", "perfect") else prefetchers(c),
        lambda c: FlipFlops(_own(c).queue * LINE_BITS, LINE_BITS),
        stat(f"{NAME}.lookups"),
        lambda v: v[f"{NAME}.predicted"] - v[f"{NAME}.dropped_queue"],
    ),
    Structure(
        "prefetching.tag_lookups",
        FRAGMENT,
        lambda c: 0 if _own(c).prefetcher in ("none", "perfect") else prefetchers(c),
        _tags,
        stat(f"{NAME}.lookups"),
    ),
)
