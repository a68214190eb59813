"""Summary of applications that shared a GPU: the contents of sharing.json."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilegpu.timing.results.results import Results
from tilegpu.timing.sharing import SharingOutcome

SUMMARY = "sharing.json"
SHADED = ("fragment.processor.quads", "simt.core.quads")
SWITCHES = ("gpu.switch_cycles", "tiling.tile_fetcher.switch_cycles")


def figures(results: Results) -> dict[str, float]:
    """The main statistics of an application."""
    totals = results.totals()
    return {
        "cycles": totals["gpu.cycles"],
        "quads": sum(totals.get(name, 0.0) for name in SHADED),
        "l2_accesses": totals["memory.l2_cache.accesses"],
        "l2_misses": totals["memory.l2_cache.misses"],
        "row_hits": totals["memory.dram.row_hits"],
        "row_misses": totals["memory.dram.row_misses"],
        "dram_bytes": totals["memory.dram.read_bytes"] + totals["memory.dram.write_bytes"],
        "energy_pj": results.energy().total_pj,
    }


def summary(shared: SharingOutcome, names: Sequence[str]) -> dict[str, Any]:
    """Contents of sharing.json; `names` are those of the applications."""
    return {
        "format": "tilegpu-sharing",
        "by": shared.by,
        "configuration": shared.alone[0].configuration.name,
        "fairness": shared.fairness,
        "throughput": shared.throughput,
        "mean_slowdown": shared.mean_slowdown,
        "mean_speed": shared.mean_speed,
        "time_saved": shared.time_saved,
        "compositor": None if shared.compositor is None else figures(shared.compositor),
        "applications": [_application(shared, k, name) for k, name in enumerate(names)],
    }


def _application(shared: SharingOutcome, k: int, name: str) -> dict[str, Any]:
    totals = shared.together[k].totals()
    return {
        "name": name,
        "frames": len(shared.together[k].frames),
        "slowdown": shared.slowdown(k),
        "interference": shared.interference(k),
        "end_cycle": shared.end_cycle(k),
        "switch_cycles": sum(totals.get(each, 0.0) for each in SWITCHES),
        "alone": figures(shared.alone[k]),
        "together": figures(shared.together[k]),
    }
