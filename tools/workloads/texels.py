"""Texels of a twin on a machine: their share of the memory traffic, and how near they are reused."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tilegpu.timing import load_configuration, replay
from tilegpu.timing.assembly.loader import Loader

from .unsolved import reuse

TEXEL_TRAFFIC = "texel_traffic_share"
"""Column of twins that no verb prints: what Fragment Processors read, of all traffic with main memory, on the baseline
of the thesis on visibility and collisions (its Fig. 1.6b)."""
NEAR_REUSE = "near_reuse"
"""Column that every twin of a game is held to: `unsolved.COLUMNS` says what it is."""
MACHINE = "vro-2018"
READ_BY_FRAGMENTS = "memory.dram.read_bytes.texture", "memory.dram.read_bytes.instruction"


def texel_traffic(folder: Path) -> float:
    """Share of the traffic that Fragment Processors cause in the middle frame of an activity."""
    configuration = load_configuration(MACHINE)
    frames = Loader(folder, configuration, draws_only=True).frames
    totals = replay(folder, configuration, [frames[len(frames) // 2]]).totals()
    return sum(totals[name] for name in READ_BY_FRAGMENTS) / totals["memory.dram.bytes"]


def near_reuse(folder: Path) -> float:
    """Share of the reads of texels that find their block among those read last; of the middle frame."""
    loader = Loader(folder, load_configuration("ptr-2022"))
    value = reuse(loader.load(loader.frames[len(loader.frames) // 2]))[NEAR_REUSE]
    return float(np.nan_to_num(value))
