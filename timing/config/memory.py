"""Configuration of main memory."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from ..memory.dram.files import load_specification, read_specification
from ..memory.dram.intake import MAX_QUEUE
from ..memory.dram.simple import MAX_BANKS, MAX_FLIGHT
from ..memory.dram.specification import Specification
from ..memory.request import SOURCES
from .fields import Group, choice, number


class Dram(Group):
    """Main memory: the cycle-level controller, or the model `simple`, which most fields are of."""

    model: str = choice(
        "lpddr4-2400-dual",
        "simple, or a memory for the cycle-level controller: a preset of `tilegpu dram`, or a .ini or .toml file",
    )
    scheduling: Literal["specification", "fr_fcfs", "fcfs", "priority"] = choice(
        "specification",
        "which command of a queue goes next in the cycle-level controller: as the memory's own file says; first ready, "
        "first come; the oldest alone; or the most urgent source first",
    )
    priority: tuple[str, ...] = Field(
        default=(),
        description="sources of requests, the most urgent first, all others after them; with scheduling priority, or "
        "the model simple",
        json_schema_extra={"unit": "names"},
        strict=False,
    )
    row_hit_latency: int = number(
        50, "GPU cycles", "first data of a request whose row is open [Table 4.1: 50-100]", 1, 10_000
    )
    row_miss_latency: int = number(100, "GPU cycles", "first data of any other request [Table 4.1: 50-100]", 1, 10_000)
    bytes_per_memory_cycle: int = number(
        4, "bytes/memory cycle", "bandwidth, all channels together [Table 4.1]", 1, 1024
    )
    simple_device: str = choice(
        "lpddr4-2400-dual", "memory whose energy the model simple is charged with: a name or file as for model"
    )
    banks: int = number(8, "banks", "banks, a power of two", 1, MAX_BANKS, (4, 16))
    row_bytes: int = number(2048, "bytes", "row of a bank, a power of two", 64, 1 << 20, (1024, 8192))
    queue: int = number(32, "requests", "requests waiting", 1, MAX_QUEUE, (8, 64))
    in_flight: int = number(32, "requests", "requests started and not over", 1, MAX_FLIGHT, (8, 64))

    @property
    def specification(self) -> Specification | None:
        """The memory that the cycle-level controller runs; None for `simple`."""
        if self.model == "simple":
            return None
        found = load_specification(self.model)
        if self.scheduling == "specification":
            return found
        return found.model_copy(update={"system": found.system.model_copy(update={"scheduling": self.scheduling})})

    @property
    def peak_bytes_per_memory_cycle(self) -> int:
        """Bandwidth, all channels together: two transfers per cycle."""
        found = self.specification
        if found is None:
            return self.bytes_per_memory_cycle
        return found.system.channels * found.system.bus_width // 8 * 2

    @property
    def warnings(self) -> list[str]:
        """What the file of the memory says that is not read as it seems to be meant."""
        return [] if self.model == "simple" else read_specification(self.model)[1]

    @model_validator(mode="after")
    def _consistent(self) -> Dram:
        unknown = [name for name in self.priority if name not in SOURCES]
        if unknown or len(set(self.priority)) < len(self.priority):
            raise ValueError(
                f"priority names sources of requests, each once: {', '.join(SOURCES)}; not {', '.join(self.priority)}"
            )
        if self.row_miss_latency < self.row_hit_latency:
            raise ValueError("row_miss_latency must not be below row_hit_latency")
        if self.banks & (self.banks - 1) or self.row_bytes & (self.row_bytes - 1):
            raise ValueError("banks and row_bytes must be powers of two")
        _ = self.specification, load_specification(self.simple_device)
        return self
