"""A memory by itself, from Python: run a stream of requests and report what it took."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tilegpu.functional.errors import UserError
from tilegpu.timing.declare.parameters import Group

from ..engine.plain import plain
from ..memory.dram.build import set_up
from ..memory.dram.policies import find_policy
from ..memory.dram.specification import Specification
from ..memory.dram.standalone import URGENCY_BITS, Log, Requests, system_type
from ..memory.masters import MASTERS
from .variants import load_part

Column = np.ndarray[Any, np.dtype[Any]]

SLICE_CYCLES = 1 << 26
MAX_ARRIVAL = 10**12
"""Ranks that power down while nothing comes wake up for every refresh: a longer wait would take hours."""
MAX_URGENCY = (1 << URGENCY_BITS) - 1
MAX_ADDRESS = (1 << 62) - 1
STUCK_CYCLES = 1 << 30
"""No request was ever seen to take so long."""


class DramError(RuntimeError):
    """The controller makes no progress: a fault of the simulator."""


class StreamError(UserError):
    """A request of a stream, from 0, that cannot be."""

    def __init__(self, message: str, request: int | None = None) -> None:
        super().__init__(message)
        self.request = request


@dataclass(frozen=True)
class Stream:
    """Requests in the order in which they are offered.

    Parameters
    ----------
    address
        int64 [n], byte addresses from 0 to `MAX_ADDRESS`.
    write
        bool or int [n].
    arrival
        int64 [n], memory cycles from 0 to `MAX_ARRIVAL`, not falling.
    urgency
        int [n], classes from 0, the most urgent, to `MAX_URGENCY`, for policies that know classes; all alike
        without it.
    master
        int [n], who asks, from 0 to `memory.masters.MASTERS` - 1; all alike without it.

    Raises
    ------
    StreamError
        Where a request is out of these ranges.
    """

    address: Column
    write: Column
    arrival: Column
    urgency: Column | None = None
    master: Column | None = None

    def __post_init__(self) -> None:
        n = len(self.address)
        urgency = np.zeros(n, np.int64) if self.urgency is None else self.urgency
        master = np.zeros(n, np.int64) if self.master is None else self.master
        if any(len(column) != n for column in (self.write, self.arrival, urgency, master)):
            raise ValueError("a stream needs one address, kind and cycle per request")
        for column, bad, message in (
            (self.address, (self.address < 0) | (self.address > MAX_ADDRESS), "addresses must be from 0 to 2^62"),
            (self.arrival, self.arrival > MAX_ARRIVAL, f"cycles must be at most {MAX_ARRIVAL:,}"),
            (urgency, (urgency < 0) | (urgency > MAX_URGENCY), f"urgency must be from 0 to {MAX_URGENCY}"),
            (master, (master < 0) | (master >= MASTERS), f"masters must be from 0 to {MASTERS - 1}"),
            (self.arrival, _falling(self.arrival), "cycles of a stream must not be negative or fall"),
        ):
            if bad.any():
                request = int(bad.argmax())
                raise StreamError(f"{message}, not {column[request]}", request)


def _falling(arrival: Column) -> Column:
    return np.diff(arrival.astype(np.int64), prepend=0) < 0


@dataclass(frozen=True)
class Run:
    """Outcome of a stream: `system` with its counters, and per request when it was accepted and done."""

    specification: Specification
    stream: Stream
    system: Any
    accepted: Column
    done: Column
    log: Column

    @property
    def channels(self) -> list[Any]:
        """The channels' registers and counters (`state.channel_type`)."""
        return [self.system.channel[k] for k in range(self.specification.system.channels)]


def simulate(
    spec: Specification,
    stream: Stream,
    log_commands: int = 0,
    every: bool = False,
    compiled: bool = True,
    parameters: Group | None = None,
) -> Run:
    """Run a stream to its end.

    Parameters
    ----------
    spec
        The memory.
    stream
        The requests.
    log_commands
        Commands to keep in the log, from the first.
    every
        Tick in every cycle instead of skipping idle ones; the result is the same.
    compiled
        False runs the controller as plain Python.
    parameters
        Those of the scheduling policy; its defaults without them.

    Raises
    ------
    DramError
        If the controller makes no progress.
    """
    part = load_part("memory.dram.standalone", compiled)
    system: Any = new_system(spec, parameters)
    if not compiled:
        system = plain(system)
    n = len(stream.address)
    address = stream.address.astype(np.int64)
    write, arrival = stream.write.astype(np.int32), stream.arrival.astype(np.int64)
    if stream.master is not None:
        write |= stream.master.astype(np.int32) << 1 + URGENCY_BITS
    if stream.urgency is not None and find_policy(spec.system.scheduling).urgency is not None and n:
        write |= stream.urgency.astype(np.int32) << 1
        for k in range(spec.system.channels):
            system.channel[k].classes = int(stream.urgency.max()) + 1
    accepted, done = np.full(n, -1, np.int64), np.full(n, -1, np.int64)
    log = np.zeros(log_commands, Log.dtype).view(np.recarray)
    columns: list[Any] = [address, write, arrival, accepted, done]
    requests = Requests(*columns)
    progress, since = -1, 0
    while not part.run(system, requests, log, every, SLICE_CYCLES):
        if system.offered - system.waiting > progress:
            progress, since = system.offered - system.waiting, system.cycle
        waits_for_arrival = system.offered < n and arrival[system.offered] >= system.cycle
        if system.cycle - since > STUCK_CYCLES and not waits_for_arrival:
            raise DramError(f"the memory controller stands still in cycle {system.cycle}; please report this")
    part.settle(system)
    return Run(spec, stream, system, accepted, done, log[: system.logged])


def new_system(spec: Specification, parameters: Group | None = None) -> Any:
    """A memory with nothing in it (`standalone.system_type`)."""
    system: Any = np.zeros(1, system_type()).view(np.recarray)[0]
    system.channels = spec.system.channels
    for k in range(spec.system.channels):
        set_up(system.channel[k], spec, parameters)
    return system
