"""Order in which frames of several applications run."""

from __future__ import annotations

from collections.abc import Sequence

Place = tuple[int, int]
"""Number of an application, and place among its frames."""


def rounds(frames: Sequence[int], quantum: int, first: Sequence[int] | None = None) -> list[list[Place]]:
    """Frames of each round, in which every application has a turn.

    Parameters
    ----------
    frames
        How many each application has.
    quantum
        Frames of a turn.
    first
        Place of the first of them, 0 without.
    """
    begins = [0] * len(frames) if first is None else first
    return [
        [
            (k, begins[k] + i)
            for k, count in enumerate(frames)
            for i in range(number * quantum, min((number + 1) * quantum, count))
        ]
        for number in range(-(-max(frames) // quantum))
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


def warmed_up(frames: Sequence[int], quantum: int, warm_up: int) -> tuple[list[list[Place]], int]:
    """Rounds of all frames, the first `warm_up` of each application before the others, and how many rounds those
    take."""
    before = rounds([warm_up] * len(frames), quantum)
    counted = rounds([count - warm_up for count in frames], quantum, [warm_up] * len(frames))
    return before + counted, len(before)
