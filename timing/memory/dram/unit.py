"""Main memory as a unit of the GPU: one record, and the model that the configuration names."""

from __future__ import annotations

from typing import Any

from ...engine.jit import inline
from ...engine.records import record
from . import intake, lpddr, simple

SIMPLE, LPDDR = range(2)

DRAM = record(model="i8", **intake.REGISTERS, **simple.REGISTERS, **lpddr.REGISTERS)


@inline
def tick(gpu: Any, t: int) -> int:
    if gpu.dram.model == SIMPLE:
        return simple.tick(gpu, t)
    return lpddr.tick(gpu, t)


@inline
def busy(gpu: Any) -> bool:
    """Whether requests wait or are on their way; writes that the controller has accepted are over."""
    dram = gpu.dram
    waiting = dram.queue.count + dram.flight.count + dram.jobs
    for p in range(dram.first_port, dram.first_port + dram.ports):
        waiting += gpu.port[p].request.count
    return bool(waiting > 0)


@inline
def settle(gpu: Any, t: int) -> None:
    """Bring the counters up to cycle t."""
    if gpu.dram.model == LPDDR:
        lpddr.settle(gpu.dram, t)
