"""Perfetto's format of traces: tiles as slices of GPU queues, figures as GPU counters.

Perfetto (ui.perfetto.dev) shows them as it shows those of a phone's GPU: a `GpuRenderStageEvent` per slice, and
`GpuCounterEvent`s, whose values count for the time since the event before (docs of Perfetto, "GPU").
"""

from __future__ import annotations

import gzip
from collections import defaultdict
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

from tilegpu.functional.activity.output import whole_file
from tilegpu.functional.optional import optional

SEQUENCE = 1
"""Number of the only writer of packets."""
PURPOSE = "a timeline"


class Slice(NamedTuple):
    """A stretch of work of a queue (cycles), with what a click on it tells."""

    queue: str
    name: str
    begin: int
    end: int
    details: tuple[tuple[str, int], ...] = ()


class Counter(NamedTuple):
    """A figure over time; unit, possibly a quotient, and group are names of Perfetto's `GpuCounterDescriptor`."""

    name: str
    description: str
    unit: str
    group: str


@dataclass
class Samples:
    """Values of counters; equal ones that follow each other are one."""

    at: dict[int, list[tuple[Counter, float]]] = field(default_factory=lambda: defaultdict(list))
    """Values by the cycle at which they end."""
    _last: dict[Counter, tuple[float, int]] = field(default_factory=dict)

    def begin(self, cycle: int) -> None:
        """Counters are 0 up to a cycle."""
        for counter in self._last:
            self.at[cycle].append((counter, 0.0))
        self._last.clear()
        self._begin = cycle

    def add(self, counter: Counter, value: float, end: int) -> None:
        """A value since the one before."""
        last = self._last.get(counter)
        if last is None:
            self.at[self._begin].append((counter, 0.0))
        elif last[0] != value:
            self.at[last[1]].append((counter, last[0]))
        self._last[counter] = value, end

    def end(self) -> None:
        """The last values end."""
        for counter, (value, end) in self._last.items():
            self.at[end].append((counter, value))
        self._last.clear()

    @property
    def counters(self) -> list[Counter]:
        """All counters, in the order of their first value."""
        return list(dict.fromkeys(counter for values in self.at.values() for counter, _ in values))


def perfetto() -> Any:
    """Perfetto's messages.

    Raises
    ------
    MissingPackage
        If the package is not installed.
    """
    return optional("perfetto.protos.perfetto.trace.perfetto_trace_pb2", PURPOSE)


def write_trace(path: Path, slices: Sequence[Slice], samples: Samples, clock_mhz: Fraction) -> None:
    """Write the file, which appears when it is whole, compressed if its name ends in .gz.

    Raises
    ------
    MissingPackage
        If Perfetto's package is not installed.
    OSError
        If it cannot be written.
    """
    writer = Writer(perfetto(), clock_mhz)
    with whole_file(path) as partial, partial.open("wb") as file:
        if path.suffix == ".gz":
            with closing(gzip.GzipFile("", "wb", fileobj=file, mtime=0)) as compressed:
                writer.write(cast(IO[bytes], compressed), slices, samples)
        else:
            writer.write(file, slices, samples)


@dataclass
class Writer:
    """Makes packets of slices and samples; `pb` are Perfetto's messages."""

    pb: Any
    clock_mhz: Fraction

    def write(self, file: IO[bytes], slices: Sequence[Slice], samples: Samples) -> None:
        """Write all packets."""
        counters = samples.counters
        numbers = {counter: i + 1 for i, counter in enumerate(counters)}
        self._packet(file, self._names(slices))
        self._packet(file, self._descriptor(numbers))
        for cycle in sorted(samples.at):
            packet = self._at(cycle)
            for counter, value in samples.at[cycle]:
                packet.gpu_counter_event.counters.add(counter_id=numbers[counter], double_value=value)
            self._packet(file, packet)
        for number, piece in enumerate(slices):
            self._packet(file, self._slice(piece, number + 1))

    def _packet(self, file: IO[bytes], packet: Any) -> None:
        packet.trusted_packet_sequence_id = SEQUENCE
        trace = self.pb.Trace()
        trace.packet.append(packet)
        file.write(trace.SerializeToString(deterministic=True))

    def _at(self, cycle: int) -> Any:
        packet = self.pb.TracePacket()
        packet.timestamp = self._nanoseconds(cycle)
        return packet

    def _nanoseconds(self, cycle: int) -> int:
        return round(cycle * 1000 / self.clock_mhz)

    def _names(self, slices: Sequence[Slice]) -> Any:
        """Names of queues and slices, which slices refer to by numbers."""
        packet = self._at(0)
        packet.sequence_flags = self.pb.TracePacket.SEQ_INCREMENTAL_STATE_CLEARED
        queues = dict.fromkeys(piece.queue for piece in slices)
        names = dict.fromkeys(piece.name for piece in slices)
        self._numbers = {("queue", name): i + 1 for i, name in enumerate(queues)}
        self._numbers |= {("name", name): i + 1 + len(queues) for i, name in enumerate(names)}
        graphics = self.pb.InternedGpuRenderStageSpecification.GRAPHICS
        for (_, name), number in self._numbers.items():
            packet.interned_data.gpu_specifications.add(iid=number, name=name, category=graphics)
        return packet

    def _descriptor(self, numbers: dict[Counter, int]) -> Any:
        packet = self._at(0)
        kind = self.pb.GpuCounterDescriptor
        for counter, number in numbers.items():
            spec = packet.gpu_counter_event.counter_descriptor.specs.add(
                counter_id=number, name=counter.name, description=counter.description
            )
            above, _, below = counter.unit.partition("/")
            spec.numerator_units.append(kind.MeasureUnit.Value(above))
            if below:
                spec.denominator_units.append(kind.MeasureUnit.Value(below))
            spec.groups.append(kind.GpuCounterGroup.Value(counter.group))
        return packet

    def _slice(self, piece: Slice, number: int) -> Any:
        packet = self._at(piece.begin)
        packet.sequence_flags = self.pb.TracePacket.SEQ_NEEDS_INCREMENTAL_STATE
        event = packet.gpu_render_stage_event
        event.event_id = number
        event.duration = self._nanoseconds(piece.end) - packet.timestamp
        event.hw_queue_iid = self._numbers["queue", piece.queue]
        event.stage_iid = self._numbers["name", piece.name]
        for name, value in piece.details:
            event.extra_data.add(name=name, value=str(value))
        return packet
