"""Registers of DASH from the configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....masters import DISPLAY, GPU
from .. import policy_parameters
from .ranks import rank, set_due
from .registers import QUANTUM, RULES, SCHEDULING, SHUFFLING, SWITCHING

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware


def set_up(dram: Any, configuration: Hardware) -> None:
    """Set the scheduler to cycle 0; nothing is known of any master."""
    dash, clocks = dram.policy.dash, configuration.clocks
    c: Any = policy_parameters(configuration, "dash")
    dash.rule = RULES.index(c.emergent)
    dash.system_bandwidth, dash.clustering = c.clustering_bandwidth == "system", c.clustering_factor
    dash.cycle_over, dash.cycle_under = clocks.gpu_mhz, clocks.gpu_divisor * c.clock_mhz
    dash.probability, dash.step = c.probability, c.probability_step
    dash.master[DISPLAY].threshold, dash.master[GPU].threshold = c.emergent_threshold, c.gpu_emergent_threshold
    for ip, period_us in ((DISPLAY, c.display_period_us), (GPU, c.gpu_period_us)):
        dash.master[ip].period_cycles = clocks.gpu * period_us // 1
    lengths = {
        SCHEDULING: c.scheduling_unit, SWITCHING: c.switching_unit, SHUFFLING: c.shuffling_interval, QUANTUM: c.quantum
    }  # fmt: skip
    for which, cycles in lengths.items():
        dash.timer[which].cycles = cycles
        set_due(dash, which)
    rank(dash)
    # Until there are CPU cores: a rank for the GPU, and one for the display.
    dram.classes = 2


def share(dram: Any, cores: int) -> None:
    """Rank the CPU cores too."""
    dash = dram.policy.dash
    dash.cores = cores
    # A rank for each core, for the GPU and for the display.
    dram.classes = cores + 2
    rank(dash)
