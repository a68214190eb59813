"""Statistics of the caches and of the DRAM."""

from __future__ import annotations

from ..engine.account import QUEUES, SAMPLE_CYCLES
from ..memory.cache import CACHE_TYPES
from ..memory.request import SOURCES
from .declare import Stat, ratio, total

COUNTERS = (
    ("accesses", "requests looked up"),
    ("read_hits", "reads that hit"),
    ("read_misses", "reads that missed"),
    ("write_hits", "writes that hit"),
    ("write_misses", "writes that missed"),
    ("merges", "requests that joined a miss under way"),
    ("prefetches", "prefetches that did not join a miss"),
    ("fills", "lines brought in from below"),
    ("write_backs", "dirty lines written below"),
    ("write_throughs", "writes passed on below: all of a write-through cache, those that miss of a write-around one"),
    ("forgotten", "lines dropped because memory was written past the caches"),
    ("bank_conflicts", "requests that had to wait because another took the bank, once per cycle"),
)


CONTROLLER = (
    ("read_commands", "commands", "controller: bursts read"),
    ("write_commands", "commands", "controller: bursts written"),
    ("activates", "commands", "controller: rows opened"),
    ("precharges", "commands", "controller: rows closed"),
    ("refreshes", "commands", "controller: refreshes of ranks"),
    ("bank_refreshes", "commands", "controller: refreshes of banks"),
    ("merged_reads", "bursts", "controller: reads that joined one under way"),
    ("merged_writes", "bursts", "controller: writes that joined one not yet issued"),
    ("forwarded_reads", "bursts", "controller: reads of what a write not yet issued holds"),
    ("active_cycles", "memory cycles", "controller: ranks with an open row, summed"),
    ("idle_cycles", "memory cycles", "controller: ranks without, summed"),
    ("active_power_down_cycles", "memory cycles", "controller: ranks with an open row in power-down, summed"),
    ("idle_power_down_cycles", "memory cycles", "controller: ranks without in power-down, summed"),
    ("self_refresh_cycles", "memory cycles", "controller: ranks in self-refresh, summed"),
)
"""What the cycle-level controller counts, over all channels; 0 with the model `simple`."""


def _cache(kind: str) -> tuple[Stat, ...]:
    unit = "lines" if kind == "fills" else "requests"
    counted = tuple(
        Stat(f"memory.{kind}.{name}", unit, f"{kind}: {what}", f"{kind}[].{name}") for name, what in COUNTERS
    )
    return (
        *counted,
        total(
            f"memory.{kind}.hits",
            "requests",
            f"{kind}: reads and writes that hit",
            f"memory.{kind}.read_hits",
            f"memory.{kind}.write_hits",
        ),
        total(
            f"memory.{kind}.misses",
            "requests",
            f"{kind}: reads and writes that missed",
            f"memory.{kind}.read_misses",
            f"memory.{kind}.write_misses",
        ),
        Stat(
            f"memory.{kind}.hit_rate",
            "ratio",
            f"{kind}: share of accesses that hit",
            "",
            f"(memory.{kind}.read_hits + memory.{kind}.write_hits) / memory.{kind}.accesses",
            lambda v: (
                (v[f"memory.{kind}.read_hits"] + v[f"memory.{kind}.write_hits"]) / max(1, v[f"memory.{kind}.accesses"])
            ),
        ),
    )


STATS = (
    *(stat for kind in CACHE_TYPES for stat in _cache(kind)),
    *(
        Stat(
            f"memory.{kind}.misses.{source}",
            "requests",
            f"{kind}: misses of requests for {source.replace('_', ' ')}, prefetches among them",
            f"{kind}[].source_misses[{i}]",
        )
        for kind in ("vertex_cache", "l2_cache")
        for i, source in enumerate(SOURCES)
        if kind == "l2_cache" or source in ("index", "vertex", "texture")
    ),
    *(
        ratio(
            f"memory.{kind}.mpki",
            "misses/1000 instructions",
            f"{kind}: {'misses for texels' if kind == 'l2_cache' else 'misses'} per 1000 instructions issued for quads "
            "(Fig. 5.9, 6.8)",
            f"memory.{kind}.{misses}",
            "fragment.processor.instructions",
            1000.0,
        )
        for kind, misses in (
            ("texture_cache", "misses"),
            ("instruction_cache", "misses"),
            ("l2_cache", "misses.texture"),
        )
    ),
    *(
        Stat(f"queues.{queue}.{field}", unit, f"{queue.replace('_', ' ')}: {what}", f"occupancy[{i}].{field}")
        for i, queue in enumerate(QUEUES)
        for field, unit, what in (
            ("entries", "entries", f"entries at all looks, every {SAMPLE_CYCLES} cycles"),
            ("full", "looks", "looks that found it full"),
            ("looks", "looks", "looks, one at each queue of the kind"),
        )
    ),
    *(
        ratio(
            f"queues.{queue}.occupancy",
            "entries",
            f"{queue.replace('_', ' ')}: mean number of entries",
            f"queues.{queue}.entries",
            f"queues.{queue}.looks",
        )
        for queue in QUEUES
    ),
    *(
        ratio(
            f"queues.{queue}.full_share",
            "ratio",
            f"{queue.replace('_', ' ')}: share of the time it is full",
            f"queues.{queue}.full",
            f"queues.{queue}.looks",
        )
        for queue in QUEUES
    ),
    Stat("memory.dram.reads", "requests", "read requests", "dram.reads"),
    Stat("memory.dram.writes", "requests", "write requests", "dram.writes"),
    Stat("memory.dram.row_hits", "accesses", "accesses that found their row open and used", "dram.row_hits"),
    Stat("memory.dram.row_misses", "accesses", "accesses for which their row was opened", "dram.row_misses"),
    Stat("memory.dram.read_cycles", "cycles", "time from queue to data, all reads", "dram.read_latency_cycles"),
    *(Stat(f"memory.dram.{name}", unit, what, f"dram.channel[].{name}") for name, unit, what in CONTROLLER),
    *(
        Stat(
            f"memory.dram.{way}_bytes.{source}",
            "bytes",
            f"bytes {verb} for {source.replace('_', ' ')}",
            f"dram.{way}_bytes[{i}]",
        )
        for way, verb in (("read", "read"), ("write", "written"))
        for i, source in enumerate(SOURCES)
    ),
    total("memory.dram.accesses", "requests", "requests", "memory.dram.reads", "memory.dram.writes"),
    total("memory.dram.read_bytes", "bytes", "bytes read", *(f"memory.dram.read_bytes.{source}" for source in SOURCES)),
    total(
        "memory.dram.write_bytes",
        "bytes",
        "bytes written",
        *(f"memory.dram.write_bytes.{source}" for source in SOURCES),
    ),
    total("memory.dram.bytes", "bytes", "bytes read and written", "memory.dram.read_bytes", "memory.dram.write_bytes"),
    ratio(
        "memory.dram.bytes_per_cycle",
        "bytes/cycle",
        "bytes read and written per GPU cycle",
        "memory.dram.bytes",
        "gpu.cycles",
    ),
    Stat(
        "memory.dram.row_hit_rate",
        "ratio",
        "share of accesses that found their row open and used",
        "",
        "memory.dram.row_hits / (memory.dram.row_hits + memory.dram.row_misses)",
        lambda v: v["memory.dram.row_hits"] / max(1, v["memory.dram.row_hits"] + v["memory.dram.row_misses"]),
    ),
    ratio(
        "memory.dram.read_latency",
        "cycles",
        "GPU cycles from the DRAM's queue to the data, mean of reads",
        "memory.dram.read_cycles",
        "memory.dram.reads",
    ),
)
