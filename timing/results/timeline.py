"""What happens when: a timeline in Chrome's trace format, which Perfetto (ui.perfetto.dev) and chrome://tracing open.

The machine is looked at every few cycles. Tracks tell which tile each stage of each Raster Unit works on, which share
of the time each unit was busy or waited, how full the queues are, and what the memory transfers.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..config.schema import Configuration
from ..engine.account import CAUSES, IDLE
from ..engine.frame import Frame
from .units import PROCESSOR_CAUSES, Cycles, since, spent_cycles

DEFAULT_STEP_CYCLES = 256
MOST_LOOKS = 1_000_000
STAGES = ("rasterizer", "early_depth", "blending")
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
    """

    configuration: Configuration
    step_cycles: int = DEFAULT_STEP_CYCLES
    events: list[dict[str, Any]] = field(default_factory=list)
    _open: dict[tuple[int, str], Span] = field(default_factory=dict)
    _spent: Cycles = field(default_factory=dict)
    _bytes: int = 0
    _at: int = 0
    _looks: int = 0

    def begin(self, gpu: Any, number: int) -> None:
        """A frame begins."""
        self._open.clear()
        self._spent, self._bytes, self._at = spent_cycles(gpu), _transferred(gpu), int(gpu.cycle)
        self._event("i", "Frames", f"frame {number}", self._at, s="g")

    def look(self, gpu: Any, frame: Frame) -> None:
        """Take down where the machine stands; the time has been booked up to now."""
        now = int(gpu.cycle)
        if now <= self._at or self._looks >= MOST_LOOKS:
            return
        self._looks += 1
        for r in range(gpu.raster_units):
            for stage in STAGES:
                self._tile(r, stage, int(getattr(gpu.raster_unit[r], stage).tile), now, gpu, frame)
            flushing = gpu.tile_flush.raster_unit == r
            self._tile(r, "tile_flush", int(gpu.tile_flush.transfer.tile) if flushing else -1, now, gpu, frame)
        spent = spent_cycles(gpu)
        for name, shares in _shares(since(self._spent, spent)):
            self._event("C", "Units", name, self._at, args=shares)
        for name, entries in _queues(gpu):
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
        """Write the file, which appears when it is whole."""
        partial = path.with_name(f".{path.name}.partial")
        with partial.open("w", encoding="utf-8") as file:
            file.write('{"displayTimeUnit": "ns", "traceEvents": [\n')
            file.write(",\n".join(json.dumps(event) for event in [*_names(self.events), *self.events]))
            file.write("\n]}\n")
        os.replace(partial, path)

    def _tile(self, r: int, stage: str, tile: int, now: int, gpu: Any, frame: Frame) -> None:
        if stage == "rasterizer" and gpu.raster_unit[r].rasterizer.cause == IDLE:
            tile = -1
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
        name = f"tile {int(row['x'])},{int(row['y'])}"
        where = {"pass": int(row["render_pass"]), "tile": span.tile, "cycles": span.end - span.begin}
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
    made = []
    for event in events:
        process, thread = event["pid"], event["tid"]
        if process not in processes:
            processes[process] = len(processes) + 1
            made.append({"ph": "M", "pid": processes[process], "name": "process_name", "args": {"name": process}})
        if (process, thread) not in threads:
            threads[process, thread] = len(threads) + 1
            ids = {"pid": processes[process], "tid": threads[process, thread]}
            made.append({"ph": "M", **ids, "name": "thread_name", "args": {"name": thread}})
        event["pid"], event["tid"] = processes[process], threads[process, thread]
    return made


def _shares(spent: Cycles) -> Iterator[tuple[str, dict[str, float]]]:
    """Per unit, the share of its cycles by cause; idle ones are what is missing to 1."""
    by_unit: dict[tuple[str, int, int], dict[str, int]] = {}
    for (name, r, index, cause), cycles in spent.items():
        by_unit.setdefault((name, r, index), {})[cause] = cycles
    for (name, r, index), causes in by_unit.items():
        total = sum(causes.values())
        label = name if r < 0 else f"{name} {r}" if name in STAGES else f"{name} {r}.{index}"
        label = f"{name} {index}" if r < 0 and name.startswith("vertex_") and name != "vertex_fetcher" else label
        order = PROCESSOR_CAUSES if name.endswith("_processor") else CAUSES
        used = {c: round(causes[c] / total, 4) if total else 0.0 for c in order if c not in UNUSED}
        yield label, used


def _queues(gpu: Any) -> Iterator[tuple[str, int]]:
    yield "vertices", int(gpu.vertex_fetcher.input.count)
    yield "primitives", int(gpu.polygon_list_builder.queue.count)
    yield "Primitive Table", int(gpu.tile_fetcher.table.count)
    for r in range(gpu.raster_units):
        unit = gpu.raster_unit[r]
        yield f"Tile Queue {r}", int(unit.rasterizer.queue.count)
        yield f"quads before early depth {r}", int(unit.early_depth.queue.count)
        waiting = sum(int(unit.processor[i].queue.count) for i in range(gpu.fragment_processors))
        yield f"quads before shading {r}", waiting + int(unit.input.count)
        yield f"Color Queue {r}", int(unit.blending.queue.count)
    yield "DRAM", int(gpu.dram.queue.count)


def _transferred(gpu: Any) -> int:
    return int(sum(gpu.dram.read_bytes)) + int(sum(gpu.dram.write_bytes))
