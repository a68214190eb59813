"""Configuration of main memory."""

from __future__ import annotations

from typing import Any

from pydantic import Field, model_validator

from tilegpu.functional.errors import UserError
from tilegpu.timing.declare.parameters import Group, number, text
from tilegpu.timing.declare.sources import SOURCES

from ..masters import CLASSES
from .files import load_specification, read_specification
from .intake import MAX_QUEUE
from .policies import check_policy
from .simple import MAX_BANKS, MAX_FLIGHT
from .specification import Specification, System


def with_system(spec: Specification, **changes: Any) -> Specification:
    """A memory with some fields of its channels and controller changed; UserError where they make no sense."""
    system = System.model_validate(spec.system.model_dump() | changes)
    return Specification.model_validate(dict(spec) | {"system": system})


class DramParameters(Group, section="dram"):
    """Main memory: the cycle-level controller, or the model `simple`, which most fields are of."""

    model: str = text(
        "lpddr4-2400-dual",
        "simple, or a memory for the cycle-level controller: a preset of `tilegpu dram`, or a .ini or .toml file",
    )
    scheduling: str = text(
        "specification",
        "which command of a queue goes next in the cycle-level controller: as the memory's own file says; DASH, by "
        "deadlines and bandwidth; the oldest alone; first ready, first come; the most urgent source first; or a policy "
        "of a plug-in",
    )
    priority: tuple[str, ...] = Field(
        default=(),
        description="sources of requests, the most urgent first, all others after them; with scheduling priority, or "
        "the model simple",
        json_schema_extra={"unit": "names"},
        strict=False,
    )
    row_accesses: int = number(
        0,
        "accesses",
        "to an open row, after which it is closed though further ones wait; 0: as the memory's own file says, 4 as in "
        "DRAMsim3",
        0,
        1 << 30,
    )
    address_mapping: str = text(
        "specification", "as the memory's own file says, or two letters for each field, the most significant first"
    )
    stripe_bytes: int = number(
        0,
        "bytes",
        "side by side in a row, whatever the mapping of addresses: a power of two; 0: as the memory's own file says, "
        "or a burst",
        0,
        1 << 20,
    )
    cpu_channels: int = number(
        0,
        "channels",
        "of their own that CPU cores have, the first ones; the others are the IPs' (HMC); 0: all share all",
        0,
        8,
    )
    cpu_address_mapping: str = text("rorababgcoch", "of channels that are the CPU cores' [ISCA 2019, Table 4]")
    ip_address_mapping: str = text("rocorababgch", "of channels that are the IPs' [ISCA 2019, Table 4]")
    ip_stripe_bytes: int = number(
        0,
        "bytes",
        "side by side in a row of channels that are the IPs'; 0: as in all channels, a cache line [ISCA 2019, 5.1.2]; "
        "a lone channel of gem5 has bursts of 32",
        0,
        1 << 20,
    )
    row_hit_latency: int = number(
        50, "GPU cycles", "first data of a request whose row is open [Table 4.1: 50-100]", 1, 10_000
    )
    row_miss_latency: int = number(100, "GPU cycles", "first data of any other request [Table 4.1: 50-100]", 1, 10_000)
    bytes_per_memory_cycle: int = number(
        4, "bytes/memory cycle", "bandwidth, all channels together [Table 4.1]", 1, 1024
    )
    bus_bytes_per_cycle: int = number(
        0,
        "bytes/GPU cycle",
        "the GPU's bus to main memory, of all slices of its L2, with the model simple; 0: no narrower than the memory",
        0,
        1024,
    )
    simple_device: str = text(
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
        specification = load_specification(self.model)
        changes: dict[str, Any] = {}
        if self.scheduling != "specification":
            changes["scheduling"] = self.scheduling
        if self.row_accesses:
            changes["row_accesses"] = self.row_accesses
        if self.stripe_bytes:
            changes["stripe_bytes"] = self.stripe_bytes
        if self.address_mapping != "specification":
            changes["address_mapping"] = self.address_mapping
        return with_system(specification, **changes) if changes else specification

    @property
    def channel_groups(self) -> dict[str, tuple[int, Specification]]:
        """For each kind of masters the first of its channels, and what these are."""
        specification = self.specification
        if specification is None:
            return {}
        if self.cpu_channels == 0:
            return dict.fromkeys(CLASSES, (0, specification))
        ip_channels = specification.system.channels - self.cpu_channels
        stripe = {"stripe_bytes": self.ip_stripe_bytes} if self.ip_stripe_bytes else {}
        ips = (
            self.cpu_channels,
            with_system(specification, channels=ip_channels, address_mapping=self.ip_address_mapping, **stripe),
        )
        cpu = (0, with_system(specification, channels=self.cpu_channels, address_mapping=self.cpu_address_mapping))
        return {name: cpu if name == "cpu" else ips for name in CLASSES}

    @property
    def peak_bytes_per_memory_cycle(self) -> int:
        """Bandwidth, all channels together: two transfers per cycle."""
        specification = self.specification
        if specification is None:
            return self.bytes_per_memory_cycle
        return specification.system.channels * specification.system.bus_width // 8 * 2

    @property
    def warnings(self) -> list[str]:
        """Warnings about lines of the memory's file that are not read as they seem to be meant."""
        return [] if self.model == "simple" else read_specification(self.model)[1]

    @model_validator(mode="after")
    def _consistent(self) -> DramParameters:
        unknown = [name for name in self.priority if name not in SOURCES]
        if unknown or len(set(self.priority)) < len(self.priority):
            raise UserError(
                f"priority names sources of requests, each once: {', '.join(SOURCES)}; not {', '.join(self.priority)}"
            )
        if self.scheduling != "specification":
            check_policy(self.scheduling)
        if self.row_miss_latency < self.row_hit_latency:
            raise UserError("row_miss_latency must not be below row_hit_latency")
        if self.banks & (self.banks - 1) or self.row_bytes & (self.row_bytes - 1):
            raise UserError("banks and row_bytes must be powers of two")
        channels = self.specification.system.channels if self.specification is not None else 0
        if self.cpu_channels and self.cpu_channels >= channels:
            raise UserError(
                f"cpu_channels must leave one of the {channels} channels to the IPs, not take {self.cpu_channels}"
            )
        _ = self.channel_groups, load_specification(self.simple_device)
        return self
