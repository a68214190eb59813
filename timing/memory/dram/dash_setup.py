"""Registers of DASH from the configuration."""

from __future__ import annotations

from typing import Any

from ..masters import DISPLAY, GPU
from .policies.dash import QUANTUM, RULES, SCHEDULING, SHUFFLING, SWITCHING, rank, set_due


def set_up_dash(dash: Any, configuration: Any) -> None:
    """Set the scheduler on, at cycle 0; nothing is known of any master."""
    c, clocks = configuration.dash, configuration.clocks
    dash.on = 1
    dash.rule = RULES.index(c.emergent)
    dash.system_bandwidth, dash.clustering = c.clustering_bandwidth == "system", c.clustering_factor
    dash.cycle_over, dash.cycle_under = clocks.gpu_mhz, clocks.gpu_divisor * c.clock_mhz
    dash.probability, dash.step = c.probability, c.probability_step
    dash.master[DISPLAY].threshold, dash.master[GPU].threshold = c.emergent_threshold, c.gpu_emergent_threshold
    lengths = {
        SCHEDULING: c.scheduling_unit, SWITCHING: c.switching_unit, SHUFFLING: c.shuffling_interval, QUANTUM: c.quantum
    }  # fmt: skip
    for which, cycles in lengths.items():
        dash.timer[which].cycles = cycles
        set_due(dash, which)
    rank(dash)


def set_threads(dram: Any, cores: int) -> None:
    """So many CPU cores share the memory; without DASH nothing changes."""
    dash = dram.dash
    if not dash.on:
        return
    dash.cores = cores
    # A rank for each core, for the GPU and for the display.
    dram.classes = cores + 2
    for k in range(dram.channels):
        dram.channel[k].classes = dram.classes
    rank(dash)
