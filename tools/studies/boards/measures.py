"""What the study of boards asks of its runs: frame times, where cycles go, and what bounds a scene from outside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from statistics import median
from typing import Literal

from tilegpu.functional.activity.reader import Activity
from tilegpu.timing.declare.stages import FragmentStage
from tilegpu.timing.declare.tiles import Tiles

from ..measured import Measured, NotMeasured
from ..selection import configuration_of
from .measurements import Measurement
from .statistics import Accuracy, accuracy, best_factor

CYCLES, GEOMETRY, RASTER = "gpu.cycles", "gpu.geometry_cycles", "gpu.raster_cycles"
CEILING_PERCENT, MAX_DRAWS, MAX_WRITTEN_BYTES = 3.0, 100, 100_000
"""What bounds a scene from outside of the GPU, decided before any prediction was made; see `bound_outside`."""

Fit = Literal["", "factor", "rest"]
"""What is fitted: nothing; one factor, on all scenes; the time per frame in which the GPU rests, on scenes that share
the board's ceiling."""


@dataclass(frozen=True)
class Board:
    """A board of the study.

    Attributes
    ----------
    label
        Short name; that of its machine.
    preset
        What stands for its GPU.
    scenes
        Measurements by name of the workload.
    overlaps
        Whether geometry of a frame is worked on beside the raster stage of the frame before.
    """

    label: str
    preset: str
    scenes: Mapping[str, Measurement]
    overlaps: bool

    @property
    def measured_ms(self) -> dict[str, float]:
        """Measured frame times."""
        return {name: m.frame_ms for name, m in self.scenes.items()}

    @property
    def highest_fps(self) -> float:
        """Rate of the fastest scene."""
        return max(m.fps for m in self.scenes.values())

    def shares_ceiling(self, name: str) -> bool:
        """Whether a scene is as fast as any of the board's."""
        return self.scenes[name].fps >= self.highest_fps * (1 - CEILING_PERCENT / 100)

    def here(self, m: Measured) -> list[str]:
        """Scenes of the board among the workloads that were run."""
        return [name for name in m.workloads if name in self.scenes]


def frame_ms(m: Measured, board: Board, fit: Fit = "", machine: str = "") -> dict[str, float]:
    """Predicted time per frame of each scene.

    Parameters
    ----------
    m
        Runs.
    board
        Board.
    fit
        What is fitted to the measured times.
    machine
        Name of the machine; the board's own without.
    """
    found = {}
    for name in board.here(m):
        cycles = m.value(name, machine or board.label, CYCLES)
        if board.overlaps:
            # One stage works on the next frame while the other works on this one: the slower sets the rate.
            geometry = m.value(name, machine or board.label, GEOMETRY)
            cycles = max(geometry, cycles - geometry)
        found[name] = cycles / m.frames(name) / board.scenes[name].gpu_mhz / 1000
    if fit == "factor" and found:
        factor = best_factor(found, board.measured_ms)
        return {name: factor * value for name, value in found.items()}
    if fit == "rest":
        rest = rest_ms(m, board, machine)
        return {name: value + rest for name, value in found.items()}
    return found


def rest_ms(m: Measured, board: Board, machine: str = "") -> float:
    """Time per frame in which the GPU rests: the median over scenes at the ceiling of what their predictions lack.

    Raises
    ------
    NotMeasured
        If none of these scenes was run.
    """
    predicted = frame_ms(m, board, machine=machine)
    lacking = [board.measured_ms[name] - value for name, value in predicted.items() if board.shares_ceiling(name)]
    if not lacking:
        raise NotMeasured(f"{board.label}: no scene at the ceiling")
    return max(0.0, median(lacking))


def agreement(m: Measured, board: Board, fit: Fit = "", inside: bool = False, machine: str = "") -> Accuracy:
    """How near the predictions of a board come.

    Parameters
    ----------
    m, board, fit, machine
        As of `frame_ms`.
    inside
        Whether without the scenes that something outside of the GPU bounds.

    Raises
    ------
    NotMeasured
        If fewer than two scenes were run.
    """
    predicted = frame_ms(m, board, fit, machine)
    if inside:
        outside = bound_outside(m, board)
        predicted = {name: value for name, value in predicted.items() if name not in outside}
    if len(predicted) < 2:
        raise NotMeasured(f"{board.label}: two scenes at least")
    return accuracy(predicted, board.measured_ms)


def phases(m: Measured, boards: Sequence[Board], machine: str = "") -> dict[str, dict[str, float]]:
    """Shares of the cycles by phase and scene."""
    parts = {"geometry": GEOMETRY, "raster": RASTER, "transfers": "gpu.transfer_cycles"}
    return {
        part: {
            name: m.value(name, machine or board.label, statistic) / m.value(name, machine or board.label, CYCLES)
            for board in boards
            for name in board.here(m)
        }
        for part, statistic in parts.items()
    }


def occupation(m: Measured, boards: Sequence[Board], machine: str = "") -> dict[str, dict[str, float]]:
    """Shares of the cycles in which something is busy, by scene; of the memory's bandwidth for DRAM."""
    found: dict[str, dict[str, float]] = {name: {} for name in ("processors issue", "processors wait", "flush", "DRAM")}
    for board in boards:
        ran = machine or board.label
        c = configuration_of(m.selection.study.machines()[ran])
        processors = c.of(Tiles).raster_units * c.of(FragmentStage).processors
        peak = c.dram.peak_bytes_per_memory_cycle * float(c.clocks.memory / c.clocks.gpu)
        shares = {
            "processors issue": (processors, ("fragment.processor.busy_cycles",)),
            "processors wait": (processors, ("fragment.processor.stalled_cycles",)),
            "flush": (1, ("raster.tile_flush.busy_cycles", "raster.tile_flush.waiting_cycles")),
            "DRAM": (peak, ("memory.dram.bytes",)),
        }
        for name in board.here(m):
            cycles = m.value(name, ran, CYCLES)
            for kind, (of, statistics) in shares.items():
                found[kind][name] = sum(m.value(name, ran, s) for s in statistics) / of / cycles
    return found


def bound_outside(m: Measured, board: Board) -> dict[str, str]:
    """Scenes that something outside of the GPU bounds, and what tells so.

    No error decides, only what was measured on the board and what the application does: a scene shares the ceiling of
    trivial ones (its rate is within `CEILING_PERCENT` of the highest of the board), or the CPU issues more than
    `MAX_DRAWS` draws or writes more than `MAX_WRITTEN_BYTES` of vertices in each frame.
    """
    found = {}
    for name in board.here(m):
        draws, written = cpu_work(m, name)
        if board.shares_ceiling(name):
            rate = f"{board.scenes[name].fps:g} of {board.highest_fps:g} frames per second"
            found[name] = f"shares the board's ceiling: {rate}"
        elif draws > MAX_DRAWS:
            found[name] = f"the CPU issues {draws:.0f} draws a frame"
        elif written > MAX_WRITTEN_BYTES:
            found[name] = f"the CPU writes {written / 1000:.0f} kB of vertices a frame"
    return found


def cpu_work(m: Measured, workload: str) -> tuple[float, float]:
    """Draws per frame, and bytes of vertices and indices per frame that the CPU writes."""
    activity = m.activity(workload)
    return _cpu_work(activity.folder, tuple(m.counted_frame_numbers(workload)))


@lru_cache(maxsize=1024)
def _cpu_work(folder: Path, counted: tuple[int, ...]) -> tuple[float, float]:
    activity = Activity(folder)
    events = activity.table("events", ["frame", "event", "kind", "size_bytes"]).to_pylist()
    mine = [event for event in events if event["frame"] in counted]
    draws = sum(event["kind"] == "draw" for event in mine)
    written = sum(event["size_bytes"] or 0 for event in mine if event["kind"] == "buffer_update")
    # Arrays that are no buffer objects are handed over with each draw.
    first, last = mine[0]["event"], mine[-1]["event"]
    for buffer in activity.table("buffers").to_pylist():
        if buffer["usage"] == "CLIENT" and first <= buffer["first_event"] <= last:
            written += buffer["size_bytes"]
    return draws / len(counted), written / len(counted)
