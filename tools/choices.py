"""Choices and defaults that options name before what they belong to is imported; a test compares them with it."""

from __future__ import annotations

CHARTS = "energy", "traffic", "cycles", "speedup"
"""Of `plot`: `timing.results.plots.KINDS`."""
COUNTER_NAMINGS = ("arm",)
"""Of `replay`: `timing.results.counters.NAMINGS`."""
CURRENT_SETS = "dramsim3", "lpddr4-micron"
"""Of `dram`: `timing.energy.dram.CURRENT_SETS`."""
TIMELINE_STEP_CYCLES = 256
"""Of `replay`: `timing.results.timeline.DEFAULT_STEP_CYCLES`."""
WARM_UP_FRAMES = 1
"""Before each frame of a plan: `tools.sampling.plan.WARM_UP`."""
