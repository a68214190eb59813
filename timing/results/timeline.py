"""Timeline of a run in Chrome's trace format, which Perfetto (ui.perfetto.dev) and chrome://tracing open.

The machine is looked at every few cycles. Tracks show which tile each stage of each Raster Unit works on, which share
of the time each unit was busy or waited, how full the queues are, and what the memory transfers.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tilegpu.functional.activity.output import whole_file
from tilegpu.timing.declare.statistics import read

from ..assembly.build import Chip
from ..config.schema import Configuration
from ..engine.account import IDLE
from ..engine.frame import Frame
from .units import Cycles, since, spent_cycles

DEFAULT_STEP_CYCLES = 256
MAX_LOOKS = 1_000_000
UNUSED = ("idle", "empty")


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
    events: list[dict[str, Any]] = field(default_factory=list)
    _open: dict[tuple[int, str], Span] = field(default_factory=dict)
    _spent: Cycles = field(default_factory=dict)
    _bytes: int = 0
    _at: int = 0
    _looks: int = 0

    def begin(self, chip: Chip, number: int) -> None:
        """A frame begins."""
        self._open.clear()
        self._spent, self._bytes, self._at = spent_cycles(chip), _transferred(chip.gpu), int(chip.gpu.cycle)
        self._event("i", "Frames", f"frame {number}", self._at, s="g")

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
        for name, shares in _shares(since(self._spent, spent)):
            self._event("C", "Units", name, self._at, args=shares)
        for name, entries in _queues(chip):
            self._event("C", "Queues", name, now, args={"entries": entries})
        moved = _transferred(gpu)
        rate = round((moved - self._bytes) / (now - self._at), 4)
        self._event("C", "Memory", "DRAM", self._at, args={"bytes per cycle": rate})
        self._spent, self._bytes, self._at = spent, moved, now

    def end(self, frame: Frame) -> None:
        """The frame is finished."""
        for key, span in list(self._open.items()):
            self._close(key, span, frame)
        self._open.clear()

    def write(self, path: Path) -> None:
        """Write the file, which appears when it is whole, compressed if its name ends in .gz."""
        events = [*_names(self.events), *self.events]
        text = ",\n".join(json.dumps(event, separators=(",", ":")) for event in events)
        content = f'{{"displayTimeUnit": "ns", "traceEvents": [\n{text}\n]}}\n'.encode()
        with whole_file(path) as partial:
            partial.write_bytes(gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)

    def _tile(self, r: int, stage: str, tile: int, now: int, frame: Frame) -> None:
        key = (r, stage)
        span = self._open.get(key)
        if span is not None and tile == span.tile:
            span.end = now
            return
        if span is not None and tile >= 0:
            self._close(key, span, frame)
        if tile >= 0:
            self._open[key] = Span(tile, self._at, now)

    def _close(self, key: tuple[int, str], span: Span, frame: Frame) -> None:
        row = frame.commands.tile[span.tile]
        name = f"tile {row.x},{row.y}"
        where = {"pass": int(row.render_pass), "tile": span.tile, "cycles": span.end - span.begin}
        track = f"Raster Unit {key[0]}"
        self._event("X", track, name, span.begin, key[1], dur=self._microseconds(span.end - span.begin), args=where)

    def _event(self, kind: str, process: str, name: str, cycle: int, thread: str = "", **rest: Any) -> None:
        event = {"ph": kind, "pid": process, "tid": thread or name, "name": name, "ts": self._microseconds(cycle)}
        self.events.append(event | rest)

    def _microseconds(self, cycles: int) -> float:
        return round(cycles / float(self.configuration.clocks.gpu), 6)


def _names(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Numbers for processes and threads (in place), and the events that give them their names."""
    processes: dict[str, int] = {}
    threads: dict[tuple[str, str], int] = {}
    naming = []
    for event in events:
        process, thread = event["pid"], event["tid"]
        if process not in processes:
            processes[process] = len(processes) + 1
            naming.append({"ph": "M", "pid": processes[process], "name": "process_name", "args": {"name": process}})
        if (process, thread) not in threads:
            threads[process, thread] = len(threads) + 1
            ids = {"pid": processes[process], "tid": threads[process, thread]}
            naming.append({"ph": "M", **ids, "name": "thread_name", "args": {"name": thread}})
        event["pid"], event["tid"] = processes[process], threads[process, thread]
    return naming


def _shares(spent: Cycles) -> Iterator[tuple[str, dict[str, float]]]:
    """Per unit, the share of its cycles by cause; idle ones are what is missing to 1."""
    by_unit: dict[tuple[str, int, int], dict[str, int]] = {}
    for (name, r, index, cause), cycles in spent.items():
        by_unit.setdefault((name, r, index), {})[cause] = cycles
    instances = Counter((name, r) for name, r, _ in by_unit)
    for (name, r, index), causes in by_unit.items():
        total = sum(causes.values())
        numbers = [str(n) for n in (r, index if instances[name, r] > 1 else -1) if n >= 0]
        used = {cause: round(cycles / total, 4) if total else 0.0 for cause, cycles in causes.items()}
        yield f"{name} {'.'.join(numbers)}".rstrip(), {c: share for c, share in used.items() if c not in UNUSED}


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
