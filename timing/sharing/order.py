"""Order in which frames of several applications run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..results.results import Results

CYCLES, RASTER_CYCLES, TILES = "gpu.cycles", "gpu.raster_cycles", "raster.tile_flush.tiles"
Place = tuple[int, int]
"""Number of an application, and place among its frames."""


def rounds(
    frames: Sequence[int], quantum: int | Sequence[int], first: Sequence[int] | None = None
) -> list[list[Place]]:
    """Frames of each round, in which every application has a turn.

    Parameters
    ----------
    frames
        How many each application has.
    quantum
        Frames of a turn, of each application if they differ.
    first
        Place of the first of them, 0 without.
    """
    begins = [0] * len(frames) if first is None else first
    quanta = [quantum] * len(frames) if isinstance(quantum, int) else quantum
    return [
        [
            (k, begins[k] + i)
            for k, count in enumerate(frames)
            for i in range(number * quanta[k], min((number + 1) * quanta[k], count))
        ]
        for number in range(max(-(-count // quanta[k]) for k, count in enumerate(frames)))
    ]


def turns(frames: Sequence[int], quantum: int) -> list[Place]:
    """Application and place of each frame in the order in which they run: `quantum` of one, then of the next; one
    without frames left is passed over.

    Parameters
    ----------
    frames
        How many each application has.
    quantum
        Frames of a turn.
    """
    return [place for each in rounds(frames, quantum) for place in each]


def warmed_up(frames: Sequence[int], quantum: int | Sequence[int], warm_up: int) -> tuple[list[list[Place]], int]:
    """Rounds of all frames, the first `warm_up` of each application before the others, and how many rounds those
    take."""
    before = rounds([warm_up] * len(frames), quantum)
    counted = rounds([count - warm_up for count in frames], quantum, [warm_up] * len(frames))
    return before + counted, len(before)


def even_turns(alone: Sequence[Results], quantum_tiles: int) -> tuple[list[int], tuple[int, ...]]:
    """Frames of a round, and tiles of a turn, of each application, so that each has about the same time.

    Parameters
    ----------
    alone
        Results of each with the GPU for itself.
    quantum_tiles
        Tiles of a turn of the one whose tiles take longest; the others have more.
    """
    totals = [results.totals() for results in alone]
    frame = [
        max(1.0, total[CYCLES] / max(1, len(results.frames))) for total, results in zip(totals, alone, strict=True)
    ]
    tile = [max(1.0, total[RASTER_CYCLES] / max(1.0, total[TILES])) for total in totals]
    return (
        [max(1, round(max(frame) / each)) for each in frame],
        tuple(max(1, round(quantum_tiles * max(tile) / each)) for each in tile),
    )
