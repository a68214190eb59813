"""Caches and ports of a chip, joined as its machine and techniques ask for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tilegpu.timing.declare.hardware import Hardware
from tilegpu.timing.declare.records import MAX_OUTSTANDING, MAX_WAITERS, NEVER

from ..engine.chip import Chip, instances
from ..memory.lines import REPLACEMENTS
from ..memory.request import REQUEST_DEPTH


@dataclass
class Builder:
    """Numbers handed out while a chip is put together."""

    chip: Chip
    lines: int = 0
    made: dict[tuple[str, int, int], Any] = field(default_factory=dict)
    clients: dict[tuple[str, int, int], list[tuple[Any, Any]]] = field(default_factory=dict)

    @property
    def gpu(self) -> Any:
        """The machine's record."""
        return self.chip.gpu

    @property
    def configuration(self) -> Hardware:
        """Hardware."""
        return self.chip.configuration

    def places(self, unit: str) -> Iterator[tuple[int, ...]]:
        """Places of a unit's instances."""
        return instances(self.chip.machine, self.chip.machine.by_name[unit], self.gpu)

    def cache(self, name: str, a: int = 0, b: int = 0) -> None:
        """Make a cache from the section of the configuration that has this name, unless there is one of these numbers.

        The first is the last level; all others are joined to it.
        """
        if (name, a, b) in self.made:
            return
        kinds = {kind.name: kind for kind in self.chip.machine.caches}
        spec = kinds[name].spec(self.configuration)
        line_bytes = self.configuration.memory.line_bytes
        cache = self.gpu.cache[len(self.made)]
        cache.type = list(kinds).index(name)
        sets = spec.sets(line_bytes, name)
        cache.first_line, cache.set_mask, cache.ways = self.lines, sets - 1, spec.ways
        cache.line_shift = line_bytes.bit_length() - 1
        cache.bank_mask, cache.latency, cache.mshrs = spec.banks - 1, spec.latency, spec.mshrs
        cache.replacement, cache.write_through = REPLACEMENTS.index(spec.replacement), spec.write == "through"
        cache.fetch_on_write, cache.write_around = spec.write_miss == "fetch", spec.write_miss == "around"
        cache.blocks = spec.blocking == "all"
        cache.served = -1
        cache.waiter["next"] = np.where(np.arange(MAX_WAITERS) < spec.waiters - 1, np.arange(1, MAX_WAITERS + 1), -1)
        self.lines += sets * spec.ways
        last_level = next(iter(self.made), None)
        self.made[name, a, b] = cache
        self.gpu.caches = self.gpu.instances.cache = len(self.made)
        self.attach(cache, last_level or "dram", field="below")

    def attach(self, owner: Any, server: str | tuple[str, int, int], client: Any = None, field: str = "port") -> None:
        """Join a record with a port to a cache or to main memory; `client` is the unit that answers wake up."""
        key = (server, 0, 0) if isinstance(server, str) else server
        self.clients.setdefault(key, []).append(((owner, field), owner if client is None else client))

    def number_ports(self) -> None:
        """Ports of a server are stored side by side, in the order in which clients were attached."""
        number = 0
        for key, clients in self.clients.items():
            server = self.gpu.dram if key[0] == "dram" else self.made[key]
            server.first_port, server.ports = number, len(clients)
            for (owner, name), client in clients:
                port = self.gpu.port[number]
                port.request.depth = REQUEST_DEPTH
                port.reply.depth = port.refill.depth = MAX_OUTSTANDING
                port.client, port.server = client.id, server.id
                port.number, port.arrival = number, NEVER
                if name == "below" and key[0] != "dram":
                    port.answer_cycles = self.configuration.memory.answer_cycles
                setattr(owner, name, number)
                number += 1
