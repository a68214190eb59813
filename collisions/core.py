"""Time and energy of what the CPU did.

Time: each operation takes as long as its instructions need to issue, or as its chain of dependent ones; then what
nothing overlaps is added: divisions, mispredicted branches, and the stalls of cache misses. Loads and stores share an
issue port with the floating-point unit, as in the Cortex-A9. Energy: instructions, cache accesses and main memory by
their numbers; clock, leakage and standby by time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields

from tilegpu.timing.declare.energy.geometry import CacheArray
from tilegpu.timing.declare.energy.logic import core_leakage_mw
from tilegpu.timing.declare.energy.technology import Technology
from tilegpu.timing.memory.dram.files import load_specification
from tilegpu.timing.results.energy.dram import Counts, energy

from .caches import Misses
from .cpu import Core, Cpu, Power
from .instructions import SCANS, Operation

L1_WIDTH_BITS = 128
"""Narrowest access of a 32 KB cache that the table of SRAM arrays holds; loads are narrower."""


@dataclass(frozen=True)
class Work:
    """Work of the CPU: how often each operation (`instructions.Operations`), and lines missed."""

    operations: Mapping[str, int] = field(default_factory=dict)
    misses: Misses = Misses()


@dataclass(frozen=True)
class Time:
    """Cycles of work, by cause."""

    issue_cycles: float
    stall_cycles: float
    clock_mhz: int

    @property
    def cycles(self) -> float:
        return self.issue_cycles + self.stall_cycles

    @property
    def seconds(self) -> float:
        return self.cycles / (self.clock_mhz * 1e6)


@dataclass(frozen=True)
class Energy:
    """Energy of work in pJ, by cause."""

    instructions_pj: float
    clock_pj: float
    caches_pj: float
    dram_pj: float
    static_pj: float

    @property
    def joules(self) -> float:
        """All of it."""
        total: float = sum(getattr(self, part.name) for part in fields(self))
        return total * 1e-12

    def as_json(self) -> dict[str, float]:
        return asdict(self)


def operation_cycles(operation: Operation, core: Core, interleaved: int = 1) -> float:
    """Cycles of one operation that misses no cache.

    Parameters
    ----------
    operation, core
        What is executed, and on what.
    interleaved
        Operations whose chains overlap.
    """
    port = operation.memory + operation.floats
    issue = max(port, (port + operation.others) / core.issue_width)
    chain = (
        operation.chain_multiplies * core.multiply_cycles
        + operation.chain_adds * core.add_cycles
        + operation.chain_compares * core.compare_cycles
    )
    busy = max(issue, chain / interleaved) + operation.divides * (core.divide_cycles - 1)
    return busy * operation.scale_percent / 100


def time(work: Work, cpu: Cpu) -> Time:
    """Time of work."""
    core, memory = cpu.core, cpu.memory
    issue = 0.0
    for name, count in work.operations.items():
        interleaved = core.interleaved_vertices if name in SCANS else 1
        issue += count * operation_cycles(getattr(cpu.operations, name), core, interleaved)
    iterations = work.operations.get("gjk_iteration", 0)
    issue += iterations * core.branch_misses_per_iteration * core.branch_miss_cycles
    memory_cycles = memory.memory_ns * core.clock_mhz / 1000
    stall = (work.misses.l1 * memory.l2_cycles + work.misses.l2 * memory_cycles) * (1 - memory.hidden_percent / 100)
    return Time(issue / core.cores_used, stall / core.cores_used, core.clock_mhz)


def work_energy(work: Work, spent: Time, cpu: Cpu) -> Energy:
    """Energy of work that took some time.

    Raises
    ------
    UserError
        If the tables do not cover a cache of this size.
    """
    power, memory = cpu.power, cpu.memory
    made = technology(power)
    l1 = CacheArray(memory.l1_bytes, memory.l1_ways, 1, L1_WIDTH_BITS).figures(made)
    l2 = CacheArray(memory.l2_bytes, memory.l2_ways, 1, 8 * memory.line_bytes).figures(made)
    instructions, reads, writes = _instructions(work, cpu)
    # A line that is missed is written into the cache when it comes.
    caches = reads * l1.read_pj + (writes + work.misses.l1) * l1.write_pj
    caches += work.misses.l1 * l2.read_pj + work.misses.l2 * l2.write_pj
    # Cores that only leak have no clock; those that share the work share its cycles.
    clock = spent.cycles * cpu.core.cores_used * power.clock_pj
    leakage_mw = cpu.core.cores * core_leakage_mw(made) + l2.leakage_mw
    static = leakage_mw * spent.seconds * 1e9
    return Energy(instructions, clock, caches, _dram_pj(work.misses.l2, spent.seconds, cpu), static)


def technology(power: Power) -> Technology:
    """Technology of cores and caches."""
    return Technology("mcpat", power.node_nm, power.device, power.supply_millivolts / 1000, power.temperature_kelvin)


def _instructions(work: Work, cpu: Cpu) -> tuple[float, float, float]:
    """Energy of instructions in pJ; loads; stores."""
    energy_pj = loads = stores = 0.0
    for name, count in work.operations.items():
        one: Operation = getattr(cpu.operations, name)
        times = count * one.scale_percent / 100
        energy_pj += times * (
            one.memory * cpu.power.memory_pj + one.floats * cpu.power.float_pj + one.others * cpu.power.integer_pj
        )
        loads += times * one.loads
        stores += times * one.stores
    return energy_pj, loads, stores


def _dram_pj(lines: int, seconds: float, cpu: Cpu) -> float:
    """Energy of main memory: lines read, and standby of all ranks for as long as the work takes."""
    spec = load_specification(cpu.power.dram_device)
    cycles = seconds * 1e9 / spec.timing.tCK * spec.ranks * spec.system.channels
    counts = Counts(
        activates=lines * cpu.power.row_miss_percent / 100,
        read_commands=lines * max(1.0, cpu.memory.line_bytes / spec.request_bytes),
        refreshes=cycles / spec.timing.tREFI,
        active_cycles=cycles,
    )
    return energy(spec, counts).total_pj
