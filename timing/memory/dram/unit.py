"""Main memory as a unit of the GPU: one record, and the model that the configuration names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from tilegpu.timing.declare.records import Rows, fields_of, i8, record
from tilegpu.timing.declare.sources import SOURCES
from tilegpu.timing.declare.statistics import Stat, ratio, total

from ...engine.calendar import poke
from ...engine.jit import inline
from ...engine.unit import Unit, Watch
from ..masters import CLASSES, GPU
from . import lpddr, simple
from .admission import MAX_JOBS
from .build import set_up
from .by_class import NAME, by_class
from .intake import LATENCY_BOUNDS, Intake
from .lpddr import MAX_FORWARDED, Controller
from .parameters import DramParameters
from .policies import find_policy, memory_registers, number_of, policy_parameters
from .simple import SimpleModel
from .state import MAX_CHANNELS, Channel, channel_type

if TYPE_CHECKING:
    from ...engine.chip import Chip
    from ..gpu import Gpu


SIMPLE, LPDDR = range(2)


class Dram(Intake, SimpleModel, Controller):
    """Registers of main memory, those of all models among them. `policy`: what policies have once in a memory."""

    model: i8

    if TYPE_CHECKING:
        channel: Rows[Channel]
        policy: Any


def dram_type() -> np.dtype[Any]:
    """Record type of main memory; plug-ins with policies may have come since this module was imported."""
    return record(**fields_of(Dram), channel=(channel_type(), (MAX_CHANNELS,)), policy=memory_registers())


@inline
def tick(gpu: Gpu, t: int) -> int:
    if gpu.dram.model == SIMPLE:
        return simple.tick(gpu, t)
    return lpddr.tick(gpu, t)


@inline
def busy(gpu: Gpu) -> bool:
    """Whether requests of the GPU wait or are on their way; writes that the controller has accepted are over."""
    dram: Dram = gpu.dram
    waiting = dram.queue.count + dram.flight.count + dram.jobs - dram.foreign
    for p in range(dram.first_port, dram.first_port + dram.ports):
        if gpu.port[p].master == GPU:
            waiting += gpu.port[p].request.count
    return bool(waiting > 0)


@inline
def settle(gpu: Gpu, t: int) -> None:
    """Bring the counters up to cycle t."""
    if gpu.dram.model == LPDDR:
        lpddr.settle(gpu.dram, t)


def setup(chip: Chip, dram: Dram, place: tuple[int, ...]) -> None:
    """The model that the configuration names, with its sizes."""
    c = chip.configuration
    sizes = c.of(DramParameters)
    spec = sizes.specification
    dram.queue.depth, dram.lanes = sizes.queue, 1
    dram.lane["job_at_work"] = -1
    policy = find_policy(simple.SCHEDULING if spec is None else spec.system.scheduling)
    dram.scheduling, dram.classes = number_of(policy.name), 1
    dram.beat_bytes = c.counters.bus_bytes
    policy.set_up(dram, c)
    if policy.update is not None:
        poke(chip.gpu, dram.id)
    if spec is not None:
        _controller(chip, dram, spec)
        return
    dram.flight.depth = sizes.in_flight
    dram.bank_mask, dram.row_shift = sizes.banks - 1, sizes.row_bytes.bit_length() - 1
    dram.row_hit_latency, dram.row_miss_latency = sizes.row_hit_latency, sizes.row_miss_latency
    # A memory cycle moves bytes_per_memory_cycle, so a byte takes that part of it.
    gpu_cycle_ticks, memory_cycle_ticks = c.clocks.ticks
    dram.gpu_cycle_ticks = gpu_cycle_ticks * sizes.bytes_per_memory_cycle
    dram.byte_ticks = memory_cycle_ticks
    if sizes.bus_bytes_per_cycle > 0:
        dram.byte_ticks = max(memory_cycle_ticks, -(-dram.gpu_cycle_ticks // sizes.bus_bytes_per_cycle))
    dram.row[:] = -1


def _controller(chip: Chip, dram: Dram, spec: Any) -> None:
    """The cycle-level controller."""
    c = chip.configuration
    sizes = c.of(DramParameters)
    dram.model = LPDDR
    dram.gpu_cycle_ticks, dram.memory_cycle_ticks = c.clocks.ticks
    dram.channels, dram.burst_shift = spec.system.channels, spec.request_bytes.bit_length() - 1
    dram.forwarded.depth, dram.lanes = MAX_FORWARDED, len(CLASSES)
    dram.other_queue["depth"] = sizes.queue
    dram.job["next"] = np.arange(1, MAX_JOBS + 1)
    parameters = policy_parameters(c, spec.system.scheduling)
    for name, (first, part) in sizes.channel_groups.items():
        dram.group_first[CLASSES.index(name)] = first
        for channel in range(first, first + part.system.channels):
            set_up(dram.channel[channel], part, parameters)
            dram.channel[channel].classes = dram.classes


CONTROLLER = (
    ("read_commands", "commands", "controller: bursts read"),
    ("write_commands", "commands", "controller: bursts written"),
    ("activates", "commands", "controller: rows opened"),
    ("precharges", "commands", "controller: rows closed"),
    ("refreshes", "commands", "controller: refreshes of ranks"),
    ("bank_refreshes", "commands", "controller: refreshes of banks"),
    ("merged_reads", "bursts", "controller: reads that joined one under way"),
    ("merged_writes", "bursts", "controller: writes that joined one not yet issued"),
    ("forwarded_reads", "bursts", "controller: reads of what a write not yet issued holds"),
    ("active_cycles", "memory cycles", "controller: ranks with an open row, summed"),
    ("idle_cycles", "memory cycles", "controller: ranks without, summed"),
    ("active_power_down_cycles", "memory cycles", "controller: ranks with an open row in power-down, summed"),
    ("idle_power_down_cycles", "memory cycles", "controller: ranks without in power-down, summed"),
    ("self_refresh_cycles", "memory cycles", "controller: ranks in self-refresh, summed"),
)
"""Counters of the cycle-level controller, over all channels; 0 with the model `simple`."""


def _statistics() -> Iterator[Stat]:
    yield Stat(f"{NAME}.reads", "requests", "read requests", "reads")
    yield Stat(f"{NAME}.writes", "requests", "write requests", "writes")
    yield Stat(f"{NAME}.row_hits", "accesses", "accesses that found their row open and used", "row_hits")
    yield Stat(f"{NAME}.row_misses", "accesses", "accesses for which their row was opened", "row_misses")
    yield Stat(f"{NAME}.read_cycles", "cycles", "time from queue to data, all reads", "read_latency_cycles")
    for i, (least, end) in enumerate(zip((0, *LATENCY_BOUNDS), (*LATENCY_BOUNDS, None), strict=True)):
        took = f"{least} to {end - 1}" if end else f"{least} and more"
        what = f"beats of reads of the GPU that took {took} GPU cycles from queue to data"
        yield Stat(f"{NAME}.gpu.read_beats_from_{least}", "beats", what, f"beats_by_latency[{i}]")
    for way in ("read", "write"):
        what = f"beats of the bus (`counters.bus_bytes`) of {way}s of the GPU"
        yield Stat(f"{NAME}.gpu.{way}_beats", "beats", what, f"{way}_beats")
    yield from by_class()
    for name, unit, what in CONTROLLER:
        yield Stat(f"{NAME}.{name}", unit, what, f"channel[].{name}")
    for way, verb in (("read", "read"), ("write", "written")):
        for i, source in enumerate(SOURCES):
            purpose = source.replace("_", " ")
            yield Stat(f"{NAME}.{way}_bytes.{source}", "bytes", f"bytes {verb} for {purpose}", f"{way}_bytes[{i}]")
    yield total(f"{NAME}.accesses", "requests", "requests", f"{NAME}.reads", f"{NAME}.writes")
    for way, verb in (("read", "read"), ("write", "written")):
        parts = (f"{NAME}.{way}_bytes.{source}" for source in SOURCES)
        yield total(f"{NAME}.{way}_bytes", "bytes", f"bytes {verb}", *parts)
    yield total(f"{NAME}.bytes", "bytes", "bytes read and written", f"{NAME}.read_bytes", f"{NAME}.write_bytes")
    per_cycle = "bytes read and written per GPU cycle"
    yield ratio(f"{NAME}.bytes_per_cycle", "bytes/cycle", per_cycle, f"{NAME}.bytes", "gpu.cycles")
    yield Stat(
        f"{NAME}.row_hit_rate",
        "ratio",
        "share of accesses that found their row open and used",
        "",
        f"{NAME}.row_hits / ({NAME}.row_hits + {NAME}.row_misses)",
        lambda v: v[f"{NAME}.row_hits"] / max(1, v[f"{NAME}.row_hits"] + v[f"{NAME}.row_misses"]),
    )
    latency = "GPU cycles from the DRAM's queue to the data, mean of reads"
    yield ratio(f"{NAME}.read_latency", "cycles", latency, f"{NAME}.read_cycles", f"{NAME}.reads")


UNIT = Unit(
    "dram",
    __name__,
    dram_type,
    tick,
    setup=setup,
    # The GPU's: it may stall while others go on.
    marks=("of[0].reads", "of[0].writes"),
    stands=lambda dram: (
        f"{int(dram.queue.count)} of {int(dram.queue.depth)} requests queued" if dram.queue.count else ""
    ),
    watches=(Watch("dram", "DRAM", "queue"),),
    statistics=tuple(_statistics()),
)
