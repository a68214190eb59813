"""Measures of a frame of a capture on machines, and of the same frame after a change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.capture import Call, Trace, TraceWriter
from tilegpu.functional.comparison import TOLERANCE, compare_images, differences
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.gles.frame_ends import FramesAt
from tilegpu.functional.record import record
from tilegpu.timing.config.schema import Configuration
from tilegpu.timing.replay import replay
from tilegpu.timing.results.results import Results

GROUPS = frozenset({"pass_images"})
"""Groups of the activity that some machines need."""
CHANGED = "tilegpu.changed"
"""Note in a capture about the change that made it."""


@dataclass(frozen=True)
class Cost:
    """Cost of a frame on a machine: GPU cycles, energy in pJ, bytes of main memory."""

    cycles: float
    energy_pj: float
    dram_bytes: float

    def less(self, other: Cost) -> Cost:
        """Difference to another."""
        return Cost(self.cycles - other.cycles, self.energy_pj - other.energy_pj, self.dram_bytes - other.dram_bytes)


@dataclass(frozen=True)
class Loss:
    """Difference of a picture: share of pixels that differ by more than 2 of 255, PSNR in dB (infinite if none does),
    mean squared error, and the number of pixels that differ at all."""

    over_tolerance_percent: float
    psnr_db: float
    mse: float
    pixels: int


@dataclass(frozen=True)
class Measured:
    """A frame: its picture, uint8 (height, width, 3), what the recording warned of, and results by machine."""

    picture: NDArray[np.uint8]
    warnings: list[str]
    results: list[Results]

    @property
    def costs(self) -> list[Cost]:
        """Cost on each machine."""
        return [cost_of(results) for results in self.results]


def cost_of(results: Results) -> Cost:
    """Cost of the frames of a replay."""
    totals = results.totals()
    energy = sum(results.energy(frame).total_pj for frame in results.frames)
    return Cost(totals["gpu.cycles"], energy, totals["memory.dram.bytes"])


def measure(
    capture: Path,
    frame: int,
    folder: Path,
    machines: Sequence[Configuration],
    frames_at: FramesAt,
    instrument: str = "",
) -> Measured:
    """Record a frame and replay it, without frames before it.

    Parameters
    ----------
    capture
        apitrace file.
    frame
        Number of the frame.
    folder
        Folder of the activity; one that is there is replaced.
    machines
        Configurations.
    frames_at
        Calls that end a frame.
    instrument
        As for `tilegpu.timing.replay`.
    """
    pictures: list[Any] = []
    recorded = record(
        capture,
        folder,
        FrameRange(frame, frame + 1),
        groups=GROUPS,
        replace=True,
        frames_at=frames_at,
        on_frame=lambda each, fraction: pictures.append(each.pixels),
    )
    results = [replay(folder, machine, [frame], instrument=instrument) for machine in machines]
    return Measured(pictures[-1], recorded.warnings, results)


def loss_of(before: NDArray[np.uint8], after: NDArray[np.uint8]) -> Loss:
    """Difference of a picture from the one before."""
    compared = compare_images(before, after, TOLERANCE)
    pixels = int((differences(before, after) > 0).any(axis=-1).sum())
    return Loss(compared.over_tolerance_percent, compared.psnr_db, compared.mse, pixels)


def write_calls(source: Path, output: Path, calls: Sequence[Call], change: str) -> None:
    """Write a changed capture.

    Parameters
    ----------
    source
        The capture that was changed.
    output
        File to write; it appears when it is complete.
    calls
        Its calls.
    change
        Name of the change, for the file's notes.
    """
    with TraceWriter(output, Trace(source).properties | {CHANGED: change}) as writer:
        for call in calls:
            # The writer gives calls new numbers.
            writer.write(call.with_arguments(call.arguments))
