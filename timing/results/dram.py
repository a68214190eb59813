"""Statistics of a memory run by itself, under DRAMsim3's names and under ours."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..assembly.dram import Run
from .energy.dram import Counts, energy

COUNTERS = {
    "num_reads_done": "reads_done",
    "num_writes_done": "writes_done",
    "num_write_buf_hits": "forwarded_reads",
    "num_read_row_hits": "read_row_hits",
    "num_write_row_hits": "write_row_hits",
    "num_read_cmds": "read_commands",
    "num_write_cmds": "write_commands",
    "num_act_cmds": "activates",
    "num_pre_cmds": "precharges",
    "num_ondemand_pres": "demand_precharges",
    "num_ref_cmds": "refreshes",
    "num_refb_cmds": "bank_refreshes",
    "num_srefe_cmds": "self_refresh_entries",
    "num_srefx_cmds": "self_refresh_exits",
}
PER_RANK = {
    "rank_active_cycles": "active_cycles",
    "all_bank_idle_cycles": "idle_cycles",
    "sref_cycles": "self_refresh_cycles",
}

Values = dict[str, Any]


def dramsim3_names(run: Run, current_set: str = "dramsim3", io: bool = False) -> list[Values]:
    """Statistics of each channel under DRAMsim3's names.

    Energies are in pJ (DRAMsim3 prints them without the clock period: times tCK they are equal to these);
    `average_power` is in mW, `average_bandwidth` in GB/s.
    """
    return [_channel(run, k, current_set, io) for k in range(len(run.channels))]


def _channel(run: Run, k: int, current_set: str, io: bool) -> Values:
    spec, channel = run.specification, run.channels[k]
    cycles = int(channel.cycles)
    values: Values = {"channel": k, "num_cycles": cycles}
    values |= {name: int(getattr(channel, ours)) for name, ours in COUNTERS.items()}
    ranks = range(spec.ranks)
    values |= {name: {str(r): int(getattr(channel, ours)[r]) for r in ranks} for name, ours in PER_RANK.items()}
    used = energy(spec, Counts.of(channel), None, current_set, io)
    values |= {
        "act_energy": used.activate_pj,
        "read_energy": used.read_pj,
        "write_energy": used.write_pj,
        "ref_energy": used.refresh_pj,
        "refb_energy": used.refresh_bank_pj,
    }
    for name, counter in (("act_stb_energy", "active_cycles"), ("pre_stb_energy", "idle_cycles")):
        values[name] = {
            str(r): energy(
                spec, Counts(**{counter: float(getattr(channel, counter)[r])}), None, current_set, io
            ).total_pj
            for r in ranks
        }
    values["sref_energy"] = {
        str(r): energy(
            spec, Counts(self_refresh_cycles=float(channel.self_refresh_cycles[r])), None, current_set, io
        ).total_pj
        for r in ranks
    }
    requests = int(channel.reads_done) + int(channel.writes_done)
    time_ns = cycles * spec.timing.tCK
    values |= {
        "total_energy": used.total_pj,
        "average_power": used.total_pj / time_ns if cycles else 0.0,
        "average_bandwidth": requests * spec.request_bytes / time_ns if cycles else 0.0,
        "average_read_latency": int(channel.read_latency_cycles) / max(1, int(channel.reads_done)),
        "average_write_latency": int(channel.write_latency_cycles) / max(1, int(channel.write_commands)),
    }
    return values


def statistics(run: Run, current_set: str = "dramsim3", io: bool = False) -> Values:
    """Statistics of a run: totals under DRAMsim3's names, `channels` likewise, and ours under `tilegpu`."""
    channels = dramsim3_names(run, current_set, io)
    totals: Values = {"num_cycles": int(run.system.cycle)}
    summed = (*COUNTERS, "act_energy", "read_energy", "write_energy", "ref_energy", "refb_energy", "total_energy")
    totals |= {name: sum(channel[name] for channel in channels) for name in (*summed, "average_power")}
    totals["average_bandwidth"] = sum(channel["average_bandwidth"] for channel in channels)
    reads = [int(channel.read_latency_cycles) for channel in run.channels]
    totals["average_read_latency"] = sum(reads) / max(1, totals["num_reads_done"])
    requests = len(run.accepted)
    totals["average_interarrival"] = int(run.system.last_accepted) / max(1, requests)
    if len(channels) == 1:
        totals |= channels[0]
    return totals | {"channels": {str(k): channel for k, channel in enumerate(channels)}, "tilegpu": _ours(run, totals)}


def _ours(run: Run, totals: Values) -> Values:
    spec = run.specification
    reading = run.stream.write == 0
    latency = (run.done - run.accepted)[reading]
    waited = (run.accepted - run.stream.arrival - 1) if len(run.accepted) else np.zeros(0)
    commands = totals["num_read_cmds"] + totals["num_write_cmds"]
    hits = totals["num_read_row_hits"] + totals["num_write_row_hits"]
    seconds = int(run.system.cycle) * spec.timing.tCK * 1e-9
    bursts = commands * spec.burst_cycles / max(1, int(run.system.cycle) * len(run.channels))
    return {
        "memory": spec.name,
        "time_seconds": seconds,
        "row_hit_rate": hits / max(1, commands),
        "data_bus_utilization": bursts,
        "merged_reads": sum(int(channel.merged_reads) for channel in run.channels),
        "merged_writes": sum(int(channel.merged_writes) for channel in run.channels),
        "forwarded_reads": totals["num_write_buf_hits"],
        "power_downs": sum(int(channel.power_downs) for channel in run.channels),
        "power_down_cycles": sum(
            int(sum(channel.active_power_down_cycles)) + int(sum(channel.idle_power_down_cycles))
            for channel in run.channels
        ),
        "longest_refresh_delay_cycles": max(int(channel.latest_refresh_cycles) for channel in run.channels),
        "read_latency_median_cycles": float(np.median(latency)) if len(latency) else 0.0,
        "read_latency_p95_cycles": float(np.percentile(latency, 95)) if len(latency) else 0.0,
        "read_latency_longest_cycles": int(latency.max()) if len(latency) else 0,
        "back_pressure_mean_cycles": float(waited.mean()) if len(waited) else 0.0,
    }
