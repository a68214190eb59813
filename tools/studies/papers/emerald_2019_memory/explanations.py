"""Emerald's first case study: what explains a conclusion, measured."""

from __future__ import annotations

from ...measured import Measured
from .measures import (
    BAS,
    CPU_TIME,
    DRAM,
    GPU_MHZ,
    GPU_TIME,
    HIGH,
    HIT_RATE,
    INTERVAL,
    LATENCY,
    OTHERS,
    REGULAR,
    SERVED,
    SOC,
)


def _told(m: Measured, load: str) -> str:
    parts = []
    for n in m.workloads:
        for name in (BAS, *OTHERS):
            one = name + load
            value = {s: m.value(n, one, s) for s in (GPU_TIME, CPU_TIME, INTERVAL, HIT_RATE, LATENCY, SERVED)}
            seconds = m.value(n, one, "gpu.cycles") / GPU_MHZ / 1e6
            shown, aborted = (m.value(n, one, f"{SOC}.display.frames_{what}") for what in ("shown", "aborted"))
            opened = m.value(n, one, f"{DRAM}.bytes") / max(1.0, m.value(n, one, f"{DRAM}.activates"))
            own, own_row = (m.value(n, one, f"{DRAM}.gpu.{what}") for what in ("row_hit_rate", "bytes_per_activate"))
            gpu, cpu = (value[statistic] / GPU_MHZ / 1e3 for statistic in (GPU_TIME, CPU_TIME))
            parts.append(
                f"{n}, {name}: GPU {gpu:.2f} ms, CPU {cpu:.2f} ms, {1e6 * GPU_MHZ / value[INTERVAL]:.1f} frames/s, "
                f"row hits {value[HIT_RATE]:.0%}, the GPU's {own:.0%}, {opened:.0f} bytes per row, the GPU's "
                f"{own_row:.0f}, reads of the GPU {value[LATENCY]:.0f} cycles, "
                f"display {value[SERVED] / seconds / 1e6:.0f} MB/s, {shown:.0f} shown, {aborted:.0f} aborted"
            )
    return "; ".join(parts)


def regular_load(m: Measured) -> str:
    """Times and memory of each model and machine."""
    return _told(m, REGULAR)


def high_load(m: Measured) -> str:
    """The same under high load."""
    return _told(m, HIGH)
