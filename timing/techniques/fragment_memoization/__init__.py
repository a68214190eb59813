"""Fragment Memoization (Arnau et al., ISCA 2014; as modelled by Anglada et al., HPCA 2019, V-A): fragments whose inputs
a look-up table knows are not shaded, their colour is taken from it.

It stands on Parallel Frame Rendering: two frames are rendered at a time, tile by tile in turn. The papers tell how many
fragments are shaded and reused, and no times: the machine's cycles are those of the baseline.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tilegpu.timing.energy.declare import FRAGMENT, Structure
from tilegpu.timing.energy.geometry import Ram
from tilegpu.timing.results.declare import Stat, ratio

from ...engine.jit import inline
from ...engine.records import record
from ...engine.technique import Technique
from . import lut
from .fragments import Fragments, fragments_of
from .parameters import Parameters

NAME = "techniques.fragment_memoization"
COUNTS = ("fragments", "unkept", "reused", "collisions")
STATE = record(**dict.fromkeys(COUNTS, "i8"))
ENTRY_BITS = 64
"""Hash and colour."""


class Tables(NamedTuple):
    """What became of the frame's fragments, in the order of COUNTS."""

    counts: np.ndarray[Any, Any]


class Pair(NamedTuple):
    """Two frames that are rendered together: their counts, and what is in the table after them."""

    number: int
    counts: dict[int, tuple[int, ...]]
    table: lut.Table
    clock: int


@inline
def frame_end(gpu: Any, own: Any, commands: Any, t: int) -> None:
    """Count what became of the fragments of the frame."""
    state = gpu.technique.fragment_memoization
    state.fragments += own.counts[0]
    state.unkept += own.counts[1]
    state.reused += own.counts[2]
    state.collisions += own.counts[3]


def load(source: Any, configuration: Any, frame: Any) -> Tables:
    """Counts of a frame; those of its partner are kept until it is loaded."""
    frames = list(source.activity.frames)
    number = frames.index(source.frame) // 2
    known = source.carried.kept.get(NAME)
    if known is None or known.number != number:
        known = _pair(source, configuration, frames[2 * number : 2 * number + 2], number, known)
        source.carried.kept[NAME] = known
    return Tables(np.array(known.counts[source.frame], np.int64))


def _pair(source: Any, configuration: Any, frames: list[int], number: int, before: Pair | None) -> Pair:
    """Send the fragments of two frames through the table, in turn tile by tile."""
    parameters = configuration.technique.of("fragment_memoization")
    table, clock = lut.empty(parameters.entries, parameters.ways), 0
    if before is not None and before.number == number - 1:
        table, clock = before.table, before.clock
    found = []
    for frame in frames:
        constants = source.carried.before(source.activity, frame)
        found.append(fragments_of(source.activity, frame, constants, configuration))
    counts = [[len(f.hashes), int(np.count_nonzero(~f.kept)), 0, 0] for f in found]
    kept = [Fragments(*(column[f.kept] for column in f)) for f in found]
    tiles = 1 + max((int(f.tile[-1]) for f in kept if len(f.tile)), default=-1)
    bounds = [np.searchsorted(f.tile, np.arange(tiles + 1)) for f in kept]
    for tile in range(tiles):
        for own, f, bound in zip(counts, kept, bounds, strict=True):
            begin, end = int(bound[tile]), int(bound[tile + 1])
            reused, collisions = lut.look_up(*table, clock, f.hashes, f.identities, begin, end)
            own[2] += reused
            own[3] += collisions
            clock += end - begin
    return Pair(number, dict(zip(frames, map(tuple, counts), strict=True)), table, clock)


TECHNIQUE = Technique(
    "fragment_memoization",
    "Fragment Memoization (as in Anglada et al., HPCA 2019, V-A)",
    parameters=Parameters,
    record=STATE,
    load=load,
    statistics=(
        Stat(f"{NAME}.fragments", "fragments", "fragments that the early test lets through", "fragments"),
        Stat(
            f"{NAME}.unkept_fragments",
            "fragments",
            "those whose program reads its place on the screen: not looked up",
            "unkept",
        ),
        Stat(f"{NAME}.reused_fragments", "fragments", "fragments whose hash is in the table", "reused"),
        Stat(f"{NAME}.collisions", "fragments", "those among them whose inputs are not the same", "collisions"),
        Stat(
            f"{NAME}.shaded_fragments",
            "fragments",
            "fragments that are shaded (RE's Fig. 16)",
            "",
            f"{NAME}.fragments - {NAME}.reused_fragments",
            lambda v: v[f"{NAME}.fragments"] - v[f"{NAME}.reused_fragments"],
        ),
        ratio(
            f"{NAME}.reuse_share", "ratio", "share of fragments reused", f"{NAME}.reused_fragments", f"{NAME}.fragments"
        ),
    ),
    structures=(
        Structure(
            "fragment_memoization.table",
            FRAGMENT,
            lambda c: 1,
            lambda c: Ram(c.technique.of("fragment_memoization").entries, ENTRY_BITS),
            lambda v: v[f"{NAME}.fragments"] - v[f"{NAME}.unkept_fragments"],
            lambda v: v[f"{NAME}.fragments"] - v[f"{NAME}.unkept_fragments"] - v[f"{NAME}.reused_fragments"],
        ),
    ),
    order=90,
    machines=("tile_based",),
)
