"""What the study of boards asks of its runs: frame times, where cycles go, and what bounds a scene from outside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..execution import split
from ..measured import Measured, NotMeasured
from ..selection import configuration_of
from .measurements import Measurement
from .statistics import Accuracy, accuracy, best_factor

CYCLES, GEOMETRY, RASTER = "gpu.cycles", "gpu.geometry_cycles", "gpu.raster_cycles"
CEILING_PERCENT, MOST_DRAWS, MOST_WRITTEN_BYTES = 3.0, 100, 100_000
"""What bounds a scene from outside of the GPU, decided before any prediction was made; see `bound_outside`."""


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

    def here(self, m: Measured) -> list[str]:
        """Scenes of the board among the workloads that were run."""
        return [name for name in m.workloads if name in self.scenes]


def frame_ms(m: Measured, board: Board, overlapped: bool | None = None) -> dict[str, float]:
    """Predicted time per frame of each scene.

    Parameters
    ----------
    m
        Runs.
    board
        Board.
    overlapped
        Whether frames overlap, so that the longer of geometry and raster stage sets their rate; as the board's without.
    """
    found = {}
    for name in board.here(m):
        cycles = m.value(name, board.label, CYCLES)
        if board.overlaps if overlapped is None else overlapped:
            geometry = m.value(name, board.label, GEOMETRY)
            cycles = max(geometry, cycles - geometry)
        found[name] = cycles / m.frames(name) / board.scenes[name].gpu_mhz / 1000
    return found


def scaled_frame_ms(m: Measured, board: Board) -> dict[str, float]:
    """The same times the one factor that fits best."""
    predicted = frame_ms(m, board)
    factor = best_factor(predicted, board.measured_ms) if predicted else 1.0
    return {name: factor * value for name, value in predicted.items()}


def phases(m: Measured, boards: Sequence[Board]) -> dict[str, dict[str, float]]:
    """Shares of the cycles by phase and scene."""
    parts = {"geometry": GEOMETRY, "raster": RASTER, "transfers": "gpu.transfer_cycles"}
    return {
        part: {
            name: m.value(name, board.label, statistic) / m.value(name, board.label, CYCLES)
            for board in boards
            for name in board.here(m)
        }
        for part, statistic in parts.items()
    }


def occupation(m: Measured, boards: Sequence[Board]) -> dict[str, dict[str, float]]:
    """Shares of the cycles in which something is busy, by scene."""
    found: dict[str, dict[str, float]] = {name: {} for name in ("processors issue", "processors wait", "flush", "DRAM")}
    for board in boards:
        c = configuration_of(m.selection.study.machines()[board.label])
        for name in board.here(m):

            def share(statistic: str, of: float = 1.0, name: str = name, label: str = board.label) -> float:
                return m.value(name, label, statistic) / m.value(name, label, CYCLES) / of

            processors = c.tiles.raster_units * c.fragment_stage.processors
            found["processors issue"][name] = share("fragment.processor.busy_cycles", processors)
            found["processors wait"][name] = share("fragment.processor.stalled_cycles", processors)
            found["flush"][name] = share("raster.tile_flush.busy_cycles") + share("raster.tile_flush.waiting_cycles")
            peak = c.dram.bytes_per_memory_cycle * float(c.clocks.memory / c.clocks.gpu)
            found["DRAM"][name] = share("memory.dram.bytes", peak) if c.dram.model == "simple" else 0.0
    return found


def agreement(m: Measured, board: Board, scaled: bool = False, inside: bool = False) -> Accuracy:
    """How near the predictions of a board come.

    Parameters
    ----------
    m, board
        Runs, board.
    scaled
        Whether after the one factor that fits best.
    inside
        Whether without the scenes that something outside of the GPU bounds.

    Raises
    ------
    NotMeasured
        If fewer than two scenes were run.
    """
    predicted, measured = frame_ms(m, board), board.measured_ms
    if inside:
        outside = bound_outside(m, board)
        predicted = {name: value for name, value in predicted.items() if name not in outside}
    if len(predicted) < 2:
        raise NotMeasured(f"{board.label}: two scenes at least")
    return accuracy(predicted, measured, best_factor(predicted, measured) if scaled else 1.0)


def bound_outside(m: Measured, board: Board) -> dict[str, str]:
    """Scenes that something outside of the GPU bounds, and what tells so.

    No error decides, only what was measured on the board and what the application does: a scene shares the ceiling of
    trivial ones (its rate is within `CEILING_PERCENT` of the highest of the board), or the CPU issues more than
    `MOST_DRAWS` draws or writes more than `MOST_WRITTEN_BYTES` of vertices in each frame.
    """
    highest = max(scene.fps for scene in board.scenes.values())
    found = {}
    for name in board.here(m):
        fps, (draws, written) = board.scenes[name].fps, cpu_work(m, name)
        if fps >= highest * (1 - CEILING_PERCENT / 100):
            found[name] = f"shares the board's ceiling: {fps:g} of {highest:g} frames per second"
        elif draws > MOST_DRAWS:
            found[name] = f"the CPU issues {draws:.0f} draws a frame"
        elif written > MOST_WRITTEN_BYTES:
            found[name] = f"the CPU writes {written / 1000:.0f} kB of vertices a frame"
    return found


def cpu_work(m: Measured, workload: str) -> tuple[float, float]:
    """Draws per frame, and bytes of vertices and indices per frame that the CPU writes."""
    activity = m.activity(workload)
    counted = split(activity.frames, len(m.selection.frames.warm_up)).counted
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
