"""Parameters of prefetchers."""

from __future__ import annotations

from pydantic import model_validator

from tilegpu.functional.errors import UserError
from tilegpu.timing.declare.parameters import Group, choice, number

MAX_ENTRIES = 64
MAX_HISTORY = 256
MAX_DEGREE = 8
MAX_QUEUE = 64


class Parameters(Group, section="technique.prefetching"):
    """A prefetcher next to each cache that is named (Arnau et al., ISCA 2012, Table 1)."""

    prefetcher: str = choice(
        "ghb",
        {
            "none": "",
            "stride": "by the stride of each instruction",
            "ghb": "by distances between lines in a Global History Buffer",
            "mta": "many-thread aware",
            "perfect": "perfect caches, in which every access hits",
        },
        "what predicts lines",
        policies="predictors",
    )
    caches: str = choice(
        "texture",
        {
            "texture": "texture caches",
            "pixel": "Colour and Depth Caches, of machines that have them",
            "texture+color": "those of Fragment Processors, textures and colours [3.1]",
            "texture+pixel": "all",
        },
        "which caches have prefetchers",
        silent=("texture+pixel",),
    )
    training: str = choice(
        "first_uses",
        {
            "first_uses": "misses, and first hits of lines that it brought",
            "misses": "misses alone",
            "accesses": "every access",
        },
        "what teaches a prefetcher",
        silent=(
            "misses",
            "accesses",
        ),
    )
    latency_cycles: int = number(
        1, "cycles", "from the access that teaches to the first look-up of what it predicts", 1, 64, silent=(1, 4)
    )
    queue: int = number(
        16, "lines", "predicted lines that wait to be looked up; further ones are dropped", 1, MAX_QUEUE, silent=(4, 32)
    )
    lookup: str = choice(
        "free_bank",
        {
            "free_bank": "when no access takes its bank",
            "own_port": "always, by a port of its own",
        },
        "when a predicted line is looked up, one per cycle",
        silent=("own_port",),
    )
    mshrs: str = choice(
        "caches",
        {
            "caches": "one of the cache's own; a line that finds none is dropped",
            "prefetchers": "none of the cache's: a prefetcher has as many as its queue has lines",
        },
        "Miss Status Holding Register (MSHR) that a prefetch takes",
        silent=("prefetchers",),
    )
    spare_mshrs: int = number(0, "lines", "MSHRs of the cache that are left to accesses", 0, 63, silent=(0, 2))

    stride_entries: int = number(48, "entries", "table of strides [Table 1]", 1, MAX_ENTRIES)
    stride_entry_bits: int = number(98, "bits", "of an entry: instruction, line, stride, state [Table 1]", 1, 256)
    stride_degree: int = number(2, "lines", "prefetched at a time [Table 1]", 1, MAX_DEGREE)

    history_entries: int = number(100, "entries", "Global History Buffer [Table 1]", 2, MAX_HISTORY)
    history_entry_bits: int = number(40, "bits", "of an entry: line, link [Table 1]", 1, 256)
    index_entries: int = number(16, "entries", "index table, by distance [Table 1]", 1, MAX_ENTRIES)
    index_entry_bits: int = number(40, "bits", "of an entry: distance, link [Table 1]", 1, 256)
    distance_degree: int = number(2, "lines", "prefetched at a time [Table 1]", 1, MAX_DEGREE)
    distance_walk: str = choice(
        "depth",
        {
            "depth": "the distances that followed the last one when it came before, one after the other",
            "width": "that which followed it each of the last times",
        },
        "distances that predict lines",
        silent=("width",),
    )

    warp_stride_entries: int = number(16, "entries", "Per-Warp Stride table [Table 1]", 1, MAX_ENTRIES)
    warp_stride_entry_bits: int = number(164, "bits", "of an entry [Table 1]", 1, 256)
    global_stride_entries: int = number(16, "entries", "Global Stride table [Table 1]", 1, MAX_ENTRIES)
    global_stride_entry_bits: int = number(64, "bits", "of an entry [Table 1]", 1, 256)
    inter_thread_entries: int = number(16, "entries", "Inter-thread Prefetch table [Table 1]", 1, MAX_ENTRIES)
    inter_thread_entry_bits: int = number(66, "bits", "of an entry [Table 1]", 1, 256)
    promotion_warps: int = number(
        3,
        "warps",
        "of one instruction and stride, after which it holds for all (Lee et al.)",
        1,
        MAX_ENTRIES,
    )
    throttling: str = choice(
        "on",
        {
            "on": "the degree is adapted",
            "off": "it stays the first one",
        },
        "how many lines are prefetched at a time",
    )
    first_degree: int = number(3, "lines", "prefetched at a time, at first", 0, MAX_DEGREE, silent=(1, 5))
    most_degree: int = number(5, "lines", "prefetched at a time at most; at least none [Table 1]", 1, MAX_DEGREE)
    period_cycles: int = number(
        100_000, "cycles", "after which the degree is adapted", 1, 1 << 32, silent=(10_000, 100_000)
    )
    restart_periods: int = number(
        1, "periods", "without prefetches, after which it begins again as at first; 0: never", 0, 1000, silent=(0, 8)
    )
    low_early_evictions: int = number(
        10, "per mille", "early evictions per useful prefetch, below which they are few (Lee et al.)", 0, 100_000
    )
    high_early_evictions: int = number(
        20,
        "per mille",
        "early evictions per useful prefetch, above which prefetching stops (Lee et al.)",
        0,
        100_000,
    )
    high_merges: int = number(
        150, "per mille", "requests that join a miss under way, above which prefetches come late (Lee et al.)", 0, 1000
    )

    @model_validator(mode="after")
    def _fits(self) -> Parameters:
        if self.low_early_evictions > self.high_early_evictions:
            raise UserError(
                f"low_early_evictions must not be above high_early_evictions, {self.high_early_evictions}, as "
                f"{self.low_early_evictions} is"
            )
        if self.first_degree > self.most_degree:
            raise UserError(f"first_degree must be at most most_degree, {self.most_degree}, not {self.first_degree}")
        return self
