"""The masters that send requests to main memory: the GPU and the others of a system on chip.

Sources say what a request is for; masters say whose it is. Main memory knows the master of a request from its port.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..engine.jit import inline

if TYPE_CHECKING:
    from ..engine.chip import Chip


MAX_CPU_CORES = 8
GPU, FIRST_CPU_CORE, DISPLAY = 0, 1, 1 + MAX_CPU_CORES
MASTERS = DISPLAY + 1

CLASSES = ("gpu", "cpu", "display")
"""Kinds of masters, by which main memory keeps accounts and queues."""
GPU_CLASS, CPU_CLASS, DISPLAY_CLASS = range(len(CLASSES))


@inline
def class_of(master: int) -> int:
    """Kind of a master."""
    if master == GPU:
        return GPU_CLASS
    return DISPLAY_CLASS if master == DISPLAY else CPU_CLASS


@inline
def is_cpu(master: int) -> bool:
    return bool(FIRST_CPU_CORE <= master < DISPLAY)


def belong(chip: Chip, port: int, master: int) -> None:
    """The requests of a port are those of a master; a port is the GPU's until this is said."""
    chip.gpu.port[port].master = master
