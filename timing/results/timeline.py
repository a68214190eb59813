"""Timeline of a run for Perfetto (ui.perfetto.dev), as GPU queues and counters.

The machine is looked at every few cycles. Queues show which tile each stage of each Raster Unit works on, counters
which share of the time each unit was busy or waited, how full the queues are, and what the memory transfers.
"""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from tilegpu.timing.declare.statistics import read

from ..config.schema import Configuration
from ..engine.account import IDLE
from ..engine.chip import Chip
from ..engine.frame import Frame
from .perfetto_trace import Counter, Samples, Slice, write_trace
from .units import Cycles, since, spent_cycles

DEFAULT_STEP_CYCLES = 256
MAX_LOOKS = 1_000_000
UNUSED = ("idle", "empty")
FILE = "timeline.pftrace"
"""Name of the file; compressed, it ends in .gz."""
GROUPS = {
    "geometry": "VERTICES",
    "tiling": "PRIMITIVES",
    "raster": "FRAGMENTS",
    "fragment": "FRAGMENTS",
    "memory": "MEMORY",
    "compute": "COMPUTE",
}
"""Perfetto's groups of counters by those of our statistics."""
TRAFFIC = Counter("DRAM: traffic", "bytes that main memory reads and writes", "BYTE/SECOND", "MEMORY")


class _Stage(NamedTuple):
    """A stage of a Raster Unit."""

    raster_unit: int
    name: str


@dataclass
class Span:
    """A tile at a stage, from one look to another (cycles)."""

    tile: int
    begin: int
    end: int


@dataclass
class Timeline:
    """Collects looks at a machine.

    Parameters
    ----------
    configuration
        Hardware: for the clock.
    step_cycles
        Cycles between two looks.
    frames
        Frames to look at.
    """

    configuration: Configuration
    step_cycles: int = DEFAULT_STEP_CYCLES
    frames: Sequence[int] = ()
    slices: list[Slice] = field(default_factory=list)
    samples: Samples = field(default_factory=Samples)
    _open: dict[_Stage, Span] = field(default_factory=dict)
    _spent: Cycles = field(default_factory=dict)
    _bytes: int = 0
    _at: int = 0
    _looks: int = 0

    def begin(self, chip: Chip, number: int) -> None:
        """A frame begins."""
        self._open.clear()
        self._spent, self._bytes, self._at = spent_cycles(chip), _transferred(chip.gpu), int(chip.gpu.cycle)
        self._frame, self._began = number, self._at
        self.samples.begin(self._at)

    def look(self, chip: Chip, frame: Frame) -> None:
        """Record the state of the machine; the time has been booked up to now."""
        gpu = chip.gpu
        now = int(gpu.cycle)
        if now <= self._at or self._looks >= MAX_LOOKS:
            return
        self._looks += 1
        for unit, place, owner in chip.owners:
            if unit.tile:
                idle = unit.accounted and owner.cause == IDLE and unit.tile_is_last
                self._tile(place[0], unit.name, -1 if idle else read(owner, unit.tile), now, frame)
            elif unit.tile_of is not None:
                for r in range(gpu.raster_units):
                    self._tile(r, unit.name, unit.tile_of(owner, r), now, frame)
        spent = spent_cycles(chip)
        for counter, percent in _shares(since(self._spent, spent), _groups(chip)):
            self.samples.add(counter, percent, now)
        for name, entries in _queues(chip):
            self.samples.add(Counter(name, "entries of the queue", "NONE", "SYSTEM"), entries, now)
        moved = _transferred(gpu)
        rate = (moved - self._bytes) * self._hertz / (now - self._at)
        self.samples.add(TRAFFIC, round(rate), now)
        self._spent, self._bytes, self._at = spent, moved, now

    def end(self, frame: Frame) -> None:
        """The frame is finished."""
        for key, span in list(self._open.items()):
            self._close(key, span, frame)
        self._open.clear()
        self.samples.end()
        self.slices.append(Slice("Frames", f"frame {self._frame}", self._began, self._at))

    def write(self, path: Path) -> None:
        """Write the file, as `write_trace`."""
        write_trace(path, self.slices, self.samples, Fraction(self.configuration.clocks.gpu))

    @property
    def _hertz(self) -> float:
        return float(self.configuration.clocks.gpu) * 1e6

    def _tile(self, r: int, stage: str, tile: int, now: int, frame: Frame) -> None:
        key = _Stage(r, stage)
        span = self._open.get(key)
        if span is not None and tile == span.tile:
            span.end = now
            return
        if span is not None and tile >= 0:
            self._close(key, span, frame)
        if tile >= 0:
            self._open[key] = Span(tile, self._at, now)

    def _close(self, key: _Stage, span: Span, frame: Frame) -> None:
        row = frame.commands.tile[span.tile]
        place = ("pass", int(row.render_pass)), ("tile", span.tile), ("cycles", span.end - span.begin)
        queue = f"Raster Unit {key.raster_unit}: {key.name}"
        self.slices.append(Slice(queue, f"tile {row.x},{row.y}", span.begin, span.end, place))


def _shares(spent: Cycles, groups: dict[str, str]) -> Iterator[tuple[Counter, float]]:
    """Per unit and cause, the share of its cycles in percent; idle ones are what is missing to 100."""
    by_unit: dict[tuple[str, int, int], dict[str, int]] = {}
    for (name, r, index, cause), cycles in spent.items():
        by_unit.setdefault((name, r, index), {})[cause] = cycles
    instances = Count((name, r) for name, r, _ in by_unit)
    for (name, r, index), causes in by_unit.items():
        total = sum(causes.values())
        numbers = [str(n) for n in (r, index if instances[name, r] > 1 else -1) if n >= 0]
        unit = f"{name} {'.'.join(numbers)}".rstrip()
        for cause, cycles in causes.items():
            if cause not in UNUSED:
                counter = Counter(f"{unit}: {cause}", "share of the unit's cycles", "PERCENT", groups[name])
                yield counter, round(100 * cycles / total, 2) if total else 0.0


def _groups(chip: Chip) -> dict[str, str]:
    """Perfetto's group of counters by unit, after the group of the unit's statistics."""
    groups = {}
    for unit, _, owner in chip.accounted:
        ours = unit.statistics[0].group if unit.statistics else ""
        groups[unit.label(owner) if unit.label is not None else unit.name] = GROUPS.get(ours, "SYSTEM")
    return groups


def _queues(chip: Chip) -> Iterator[tuple[str, int]]:
    """Entries of the queues that are watched, those of one Raster Unit together."""
    lengths: dict[str, int] = {}
    for unit, watch in chip.machine.watched():
        for place, owner in chip.instances(unit):
            if watch.unless and getattr(owner, watch.unless):
                continue
            entries, _ = watch.fields
            if unit.scope and entries.startswith(f"{unit.scope}."):
                if len(place) > 1 and place[1] > 0:
                    continue
                owner, entries = getattr(chip.gpu, unit.scope)[place[0]], entries.partition(".")[2]
            title = f"{watch.title} {place[0]}" if unit.scope else watch.title
            lengths[title] = lengths.get(title, 0) + read(owner, entries)
    yield from lengths.items()


def _transferred(gpu: Any) -> int:
    return int(sum(gpu.dram.read_bytes)) + int(sum(gpu.dram.write_bytes))
