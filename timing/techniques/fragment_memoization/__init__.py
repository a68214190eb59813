"""Fragment Memoization (Arnau et al., ISCA 2014; as modelled by Anglada et al., HPCA 2019, V-A): fragments whose inputs
a look-up table knows are not shaded, their colour is taken from it.

It builds on Parallel Frame Rendering: two frames are rendered at a time, tile by tile in turn. The papers report how
many fragments are shaded and reused, and no times: the machine's cycles are those of the baseline.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tilegpu.timing.declare.energy.geometry import Ram
from tilegpu.timing.declare.records import Record, i8
from tilegpu.timing.declare.statistics import Stat, ratio
from tilegpu.timing.declare.structures import FRAGMENT, Structure

from ...engine.jit import inline
from ...engine.technique import Technique
from .pairs import render_pair
from .parameters import Parameters

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

    from ...engine.frame import Commands
    from ...memory.gpu import Gpu


NAME = "techniques.fragment_memoization"
COUNTS = ("fragments", "unkept", "reused", "collisions")


class State(Record):
    """Counters of fragments, as of `COUNTS`."""

    fragments: i8
    unkept: i8
    reused: i8
    collisions: i8


ENTRY_BITS = 64
"""Hash and colour."""


class Tables(NamedTuple):
    """Outcomes of the frame's fragments, in the order of COUNTS."""

    counts: np.ndarray[Any, Any]


@inline
def frame_end(gpu: Gpu, own: Tables, commands: Commands, t: int) -> None:
    """Count what became of the fragments of the frame."""
    state = gpu.technique.fragment_memoization
    state.fragments += own.counts[0]
    state.unkept += own.counts[1]
    state.reused += own.counts[2]
    state.collisions += own.counts[3]


def load(source: Any, configuration: Hardware, frame: Any) -> Tables:
    """Counts of a frame; those of its partner are kept until it is loaded."""
    frames = list(source.activity.frames)
    number = frames.index(source.frame) // 2
    pair = source.carried.kept.get(NAME)
    if pair is None or pair.number != number:
        pair = render_pair(source, configuration, frames[2 * number : 2 * number + 2], number, pair)
        source.carried.kept[NAME] = pair
    return Tables(np.array(pair.counts[source.frame], np.int64))


TECHNIQUE = Technique(
    "fragment_memoization",
    "Fragment Memoization (as in Anglada et al., HPCA 2019, V-A)",
    parameters=Parameters,
    record=State,
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
            lambda c: Ram(c.of(Parameters).entries, ENTRY_BITS),
            lambda v: v[f"{NAME}.fragments"] - v[f"{NAME}.unkept_fragments"],
            lambda v: v[f"{NAME}.fragments"] - v[f"{NAME}.unkept_fragments"] - v[f"{NAME}.reused_fragments"],
            # No hardware never forgets.
            exists=lambda c: c.of(Parameters).entries > 0,
        ),
    ),
    order=90,
    machines=("tile_based",),
    changes_shading=True,
    one_application=True,
)
