"""Warp schedulers: which warp of a Fragment Processor or SIMT core issues.

A warp scheduler is a file or folder here, or in `warp_schedulers/` of a folder of plug-ins, that assigns `SCHEDULER`
(`..warp_turns.WarpScheduler`).
"""

from __future__ import annotations

from tilegpu.timing.declare.policy_folders import PolicyFolder

FOLDER = PolicyFolder(
    "tilegpu.timing.units.warp_schedulers",
    "warp_schedulers",
    "SCHEDULER",
    "fragment_stage.scheduler",
    "warp scheduler",
)
