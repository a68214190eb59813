"""Sections of the configuration that all machines have, whatever their units: clocks, memory as a whole, the run."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from pydantic import Field, model_validator

from tilegpu.functional.errors import UserError
from tilegpu.timing.declare.parameters import Group, choice, number, text


class Clocks(Group, section="clocks"):
    """Clock domains: independent rationals, so that neither drifts."""

    gpu_mhz: int = number(800, "MHz", "GPU clock [Table 4.1]", most=100_000)
    gpu_divisor: int = number(1, "ratio", "the GPU's clock is gpu_mhz over this: 2000 and 3 for 666 2/3 MHz", 1, 1000)
    memory_mhz: int = number(1200, "MHz", "memory clock [Table 4.1]", most=100_000)
    memory_divisor: int = number(1, "ratio", "the memory's clock is memory_mhz over this", 1, 1000)

    @property
    def gpu(self) -> Fraction:
        """GPU clock in MHz."""
        return Fraction(self.gpu_mhz, self.gpu_divisor)

    @property
    def memory(self) -> Fraction:
        """Memory clock in MHz."""
        return Fraction(self.memory_mhz, self.memory_divisor)

    @property
    def ticks(self) -> tuple[int, int]:
        """GPU cycle and memory cycle in the longest unit of time that both are multiples of."""
        ratio = self.memory / self.gpu
        return ratio.numerator, ratio.denominator


class Counters(Group, section="counters"):
    """Public counters of vendors; time does not depend on it."""

    arm_gpu: str = text("", "GPU of Arm's specification whose counters `replay --counters arm` gives, as G52")
    bus_bytes: int = number(16, "bytes", "beat of the bus to main memory, in which such counters count", 4, 256)


class Memory(Group, section="memory"):
    """Parameters that all of memory shares."""

    line_bytes: Literal[32, 64, 128] = Field(
        default=64, description="cache line [Table 4.1]", json_schema_extra={"unit": "bytes"}
    )
    network: str = choice(
        "links",
        {"links": "a link from the L2 to each first-level cache", "bus": "one bus that all share (DAE 2.1)"},
        "on-chip network",
    )
    network_bytes_per_cycle: int = number(
        64, "bytes/cycle", "on-chip network: from the L2 to each first-level cache", 4, 1024, silent=(16, 128)
    )
    texture_layout: str = choice(
        "tiled",
        {"linear": "row by row", "morton": "along a Z curve", "tiled": "in square tiles, row by row"},
        "texels in memory",
        silent=("linear", "morton"),
    )
    texture_tile_bytes: int = number(
        0,
        "bytes",
        "size of such a tile, a power of two and at least a line; 0: one line",
        0,
        1 << 16,
        silent=(0, 4096),
    )
    clears: str = choice(
        "fast",
        {
            "fast": "on chip, so that the first access to a line writes all of it",
            "stored": "by values in memory, which are read, and clearing them costs nothing",
        },
        "how attachments are cleared where quads and not tiles are written; papers silent",
    )
    frame_buffers: int = number(
        2, "buffers", "frame buffers that frames are written to in turn (Rendering Elimination IV-C)", 1, 4
    )

    @model_validator(mode="after")
    def _fits(self) -> Memory:
        size = self.texture_tile_bytes
        if size & (size - 1) or 0 < size < self.line_bytes:
            raise UserError(f"texture_tile_bytes must be 0, or a power of two that holds a line, not {size}")
        return self

    @property
    def answer_cycles(self) -> int:
        """Cycles that a line takes from the L2 to a first-level cache."""
        return -(-self.line_bytes // self.network_bytes_per_cycle)

    @property
    def tile_bytes(self) -> int:
        """Size of a tile of texels."""
        return self.texture_tile_bytes or self.line_bytes


class Simulation(Group, section="simulation"):
    """Parameters of the run rather than of the hardware."""

    watchdog_cycles: int = number(1 << 22, "cycles", "a run in which so long nothing happens is stopped", 1000, 1 << 40)
