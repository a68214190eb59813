"""What replayed frames are the first to use of all that the frames of a capture use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np

from tilegpu.functional.characterize.files import Characterization
from tilegpu.functional.characterize.used_blocks import KINDS, BlockKind, UsedBlocks, by_frame
from tilegpu.timing.results.first_fills import CODE, COMMANDS, PARAMETERS

from .parameter_buffer import LinesTaken, lists_by_frame
from .plan import FirstUses

Replayed = Mapping[int, Sequence[int]]
"""Frames by number of those that warm up."""


def first_uses_of(counts: Characterization, replayed: Replayed) -> dict[str, FirstUses]:
    """First uses of each kind that the counts know."""
    found = {kind.name: _of_blocks(counts, kind, replayed) for kind in KINDS}
    return found | {
        PARAMETERS: _of_parameter_buffer(counts, replayed),
        COMMANDS: _of_draws(counts, replayed),
        CODE: _of_programs(counts, replayed),
    }


def _of_blocks(counts: Characterization, kind: BlockKind, replayed: Replayed) -> FirstUses:
    rows = by_frame(counts.blocks(kind), replayed[max(replayed)])
    first = {}
    for warm_up, frames in replayed.items():
        used = UsedBlocks(kind)
        first[warm_up] = tuple(used.add(rows[frame]) for frame in frames)
    return FirstUses(all_frames=counts.blocks_used(kind), by_warm_up=first)


def _of_parameter_buffer(counts: Characterization, replayed: Replayed) -> FirstUses:
    """Lines of the Parameter Buffer."""
    lists = lists_by_frame(counts.tile_lists())
    first = {}
    for warm_up, frames in replayed.items():
        taken = LinesTaken()
        first[warm_up] = tuple(taken.add(lists.get(frame, ())) for frame in frames)
    return FirstUses(all_frames=LinesTaken().add(chain.from_iterable(lists.values())), by_warm_up=first)


def _of_draws(counts: Characterization, replayed: Replayed) -> FirstUses:
    """Draws of the frame that has most, as commands begin at the same place in each frame."""
    draws = dict(zip(counts.frames["frame"].to_pylist(), counts.frames["draws"].to_pylist(), strict=True))
    first = {}
    for warm_up, frames in replayed.items():
        most = np.maximum.accumulate([0, *(draws.get(frame, 0) for frame in frames)])
        first[warm_up] = tuple(np.diff(most).tolist())
    return FirstUses(all_frames=max(draws.values()), by_warm_up=first)


def _of_programs(counts: Characterization, replayed: Replayed) -> FirstUses:
    """Shaders of programs, whatever their size."""
    used: dict[int, set[tuple[int, str]]] = {}
    for row in counts.programs.to_pylist():
        if row["invocations"]:
            used.setdefault(row["frame"], set()).add((row["program"], row["stage"]))
    first = {}
    for warm_up, frames in replayed.items():
        known: set[tuple[int, str]] = set()
        numbers = []
        for frame in frames:
            new = used.get(frame, set()) - known
            known |= new
            numbers.append(len(new))
        first[warm_up] = tuple(numbers)
    return FirstUses(all_frames=len(set().union(*used.values())), by_warm_up=first)
