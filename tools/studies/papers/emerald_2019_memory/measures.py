"""Emerald's first case study: machines and workloads, and what is measured of them."""

from __future__ import annotations

from collections.abc import Iterable

from ...declare import Machine
from ...measured import Measured

MODELS = ("004-m1", "004-m2", "004-m3", "004-m4")
LARGE, SMALL = (MODELS[0], MODELS[2]), (MODELS[1], MODELS[3])
"""Larger and simpler models, as the paper groups them (5.2.2)."""

BAS, DCB, DTB, HMC = "BAS", "DCB", "DTB", "HMC"
DASH = (DCB, DTB)
OTHERS = (DCB, DTB, HMC)
REGULAR, HIGH = "", ", high load"
GPU_MHZ = 950

SETTINGS = {
    BAS: (),
    DCB: ("dram.scheduling=dash", "dash.clustering_bandwidth=cpu"),
    DTB: ("dram.scheduling=dash", "dash.clustering_bandwidth=system"),
    HMC: ("dram.cpu_channels=1",),
}
"""Table 6."""
LOADS = {REGULAR: (), HIGH: ("dram.model=lpddr3-133-2x32", "memory_mhz=133", "memory_divisor=2")}
"""The second one has 133 Mb/s per pin (5.2)."""

MACHINES = {
    name + load: Machine("emerald-case1", ("techniques=soc", *settings, *slower))
    for load, slower in LOADS.items()
    for name, settings in SETTINGS.items()
}

CAPS = (1, 2, 4, 16, 64)
"""Accesses to an open row after which FR-FCFS closes it; 4 is the usual one, as in DRAMsim3."""


def capped(cap: int, load: str) -> str:
    """Name of the baseline with such a cap."""
    return f"{BAS}, rows closed after {cap}{load}"


CAPPED = {
    capped(cap, load): Machine("emerald-case1", ("techniques=soc", f"dram.row_accesses={cap}", *slower))
    for load, slower in LOADS.items()
    for cap in CAPS
}

SOC = "techniques.soc"
GPU_TIME, CPU_TIME, FRAME_TIME, INTERVAL = (f"{SOC}.{what}_time" for what in ("gpu", "cpu", "frame", "interval"))
SERVED = f"{SOC}.display.served_bytes"
DRAM = "memory.dram"
HIT_RATE, LATENCY = f"{DRAM}.row_hit_rate", f"{DRAM}.gpu.read_latency"


def over_base(m: Measured, statistic: str, name: str, load: str) -> dict[str, float]:
    """A statistic over that of the baseline under the same load, by workload."""
    return m.ratios(statistic, name + load, BAS + load)


def change(m: Measured, statistic: str, name: str, load: str) -> float:
    """By how many per cent it differs, mean over workloads."""
    return 100 * (m.mean(over_base(m, statistic, name, load).values()) - 1)


def rates(m: Measured, name: str, load: str) -> dict[str, float]:
    """Frame rate over that of the baseline, by workload."""
    return m.ratios(INTERVAL, BAS + load, name + load)


def rate_change(m: Measured, names: Iterable[str], load: str) -> float:
    """By how many per cent the frame rate differs, mean over some machines and all workloads."""
    return 100 * (m.mean(value for name in names for value in rates(m, name, load).values()) - 1)


def greatest_rate_change(m: Measured) -> float:
    """By how many per cent any frame rate differs under the regular load."""
    return 100 * max(abs(value - 1) for name in OTHERS for value in rates(m, name, REGULAR).values())


def bytes_per_activation(m: Measured, name: str, load: str = REGULAR) -> dict[str, float]:
    """Bytes that are moved per row that is opened, over the baseline's, by workload."""
    moved, opened = (over_base(m, f"{DRAM}.{what}", name, load) for what in ("bytes", "activates"))
    return {n: moved[n] / opened[n] for n in m.workloads}


def display_bandwidth(m: Measured, name: str, load: str) -> dict[str, float]:
    """Bytes per cycle that the display gets, over the baseline's, by workload (Fig. 13)."""
    served, cycles = (over_base(m, what, name, load) for what in (SERVED, "gpu.cycles"))
    return {n: served[n] / cycles[n] for n in m.workloads}


def lead_of_hmc(m: Measured) -> float:
    """Display bandwidth of HMC over the best of the others, in the simple model where that is least."""
    part = m.of(*SMALL)
    ours = display_bandwidth(part, HMC, HIGH)
    others = [display_bandwidth(part, name, HIGH) for name in (BAS, *DASH)]
    return min(ours[n] / max(other[n] for other in others) for n in part.workloads)


def slowdown(m: Measured, workloads: tuple[str, ...]) -> float:
    """Time of the GPU with DASH under high load over that of the baseline, mean over some models."""
    part = m.of(*workloads)
    return m.mean(value for name in DASH for value in over_base(part, GPU_TIME, name, HIGH).values())


def by_cap(m: Measured, statistic: str, load: str) -> dict[str, float]:
    """A statistic by the cap on accesses to a row, over that with 4, mean over workloads."""
    return {str(cap): m.mean(m.ratios(statistic, capped(cap, load), BAS + load).values()) for cap in CAPS}


def bandwidth_over_time(m: Measured, workload: str, name: str) -> dict[str, dict[str, float]]:
    """MB/s of each kind of masters in the first frame that counts, by milliseconds since its beginning."""
    rows = m.table(workload, name, "bandwidth").to_pylist()
    first = [row for row in rows if row["frame"] == rows[0]["frame"]]
    rates: dict[str, dict[str, float]] = {"CPU": {}, "GPU": {}, "display": {}}
    for row in first:
        at = f"{(row['cycle'] - first[0]['cycle']) / GPU_MHZ / 1e3:.3f}"
        for kind in rates:
            rates[kind][at] = row[f"{kind.lower()}_bytes"] / max(1, row["cycles"]) * GPU_MHZ
    return rates
