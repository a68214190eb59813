"""Of all that the frames of a capture use: the part that replayed frames use, and which of them uses it first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from tilegpu.functional.characterize.files import Characterization
from tilegpu.functional.characterize.used_blocks import KINDS, BlockKind, UsedBlocks, by_frame
from tilegpu.timing.results.first_fills import CODE, COMMANDS, PARAMETERS

from .parameter_buffer import LinesTaken, lists_by_frame
from .plan import FirstUses

DRAW_BYTES = 64
"""Commands of a draw, in configurations by default."""
Replayed = Mapping[int, Sequence[int]]
"""Frames by number of those that warm up."""
NewUses = Callable[[Iterable[int]], Iterable[int]]
"""Gives how much each frame uses that no earlier one of them does."""


def first_uses_of(counts: Characterization, replayed: Replayed) -> dict[str, FirstUses]:
    """First uses of each kind that the counts know."""
    by_kind = {kind.name: _of_blocks(counts, kind, replayed) for kind in KINDS}
    return by_kind | {
        PARAMETERS: _of_parameter_buffer(counts, replayed),
        COMMANDS: _of_commands(counts, replayed),
        CODE: _of_programs(counts, replayed),
    }


def _first_uses(all_frames: int, replayed: Replayed, new: NewUses) -> FirstUses:
    by_warm_up = {warm_up: tuple(new(frames)) for warm_up, frames in replayed.items()}
    return FirstUses(all_frames=all_frames, by_warm_up=by_warm_up)


def _of_blocks(counts: Characterization, kind: BlockKind, replayed: Replayed) -> FirstUses:
    rows = by_frame(counts.blocks(kind), replayed[max(replayed)])

    def new(frames: Iterable[int]) -> Iterator[int]:
        used = UsedBlocks(kind)
        return (used.add(rows[frame]) for frame in frames)

    return _first_uses(counts.blocks_used(kind), replayed, new)


def _of_parameter_buffer(counts: Characterization, replayed: Replayed) -> FirstUses:
    """Lines of the Parameter Buffer."""
    lists = lists_by_frame(counts.tile_lists())

    def new(frames: Iterable[int]) -> Iterator[int]:
        taken = LinesTaken()
        return (taken.add(lists.get(frame, ())) for frame in frames)

    return _first_uses(LinesTaken().add(chain.from_iterable(lists.values())), replayed, new)


def _of_commands(counts: Characterization, replayed: Replayed) -> FirstUses:
    """Bytes of the frame that has most, as commands begin at the same place in each frame: a line per draw, and the
    uniforms that are set for it."""
    frames = counts.frames
    columns = (frames[name].to_pylist() for name in ("frame", "draws", "constant_bytes"))
    commands = {frame: DRAW_BYTES * draws + constants for frame, draws, constants in zip(*columns, strict=True)}

    def new(frames: Iterable[int]) -> Iterator[int]:
        most = 0
        for frame in frames:
            before, most = most, max(most, commands.get(frame, 0))
            yield most - before

    return _first_uses(max(commands.values()), replayed, new)


def _of_programs(counts: Characterization, replayed: Replayed) -> FirstUses:
    """Shaders of programs, whatever their size."""
    used: dict[int, set[tuple[int, str]]] = {}
    for row in counts.programs.to_pylist():
        if row["invocations"]:
            used.setdefault(row["frame"], set()).add((row["program"], row["stage"]))

    def new(frames: Iterable[int]) -> Iterator[int]:
        seen: set[tuple[int, str]] = set()
        for frame in frames:
            before = len(seen)
            seen |= used.get(frame, set())
            yield len(seen) - before

    return _first_uses(sum(new(used)), replayed, new)
