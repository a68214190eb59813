"""Z-prepass (de Lucas' thesis of 2018, appendix A.3.1): the application draws what is opaque twice, first for its
depths alone, so that only what is visible is shaded.

A technique of software: frames are rewritten when they are loaded. Fragments of the first pass end at early depth, as
the thesis has it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tilegpu.timing.declare.records import MAX_RASTER_UNITS, Record, Rows, i8, room
from tilegpu.timing.declare.statistics import Stat

from ...engine.hooks import GO, SKIP
from ...engine.jit import count_bits, inline
from ...engine.technique import Technique
from ...loading.source import need_hidden_quads
from ..shared.depth_ties import NO_PRIORITY, wins
from ..shared.hidden_surfaces import DRAW, Occluder, is_visible, keep
from .rewrite import NAME, rewrite

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

    from ...engine.frame import Commands, Depth
    from ...engine.hooks import Compared
    from ...memory.gpu import Gpu


Array = np.ndarray[Any, Any]
STATISTICS_NAME = f"techniques.{NAME}"


class State(Record):
    """Registers of the Z-prepass: the occluder of each place, and counters."""

    occluder: Rows[Occluder] = room(MAX_RASTER_UNITS)
    quads: i8
    fragments: i8
    hidden: i8


class Tables(NamedTuple):
    """The technique's tables of a frame: `draw` as of `hidden_surfaces`, those of the first pass behind the others from
    `first` on; what is stored next to each depth."""

    draw: Array
    first: Array
    priority: Array
    rendered: Array


def load(source: Any, configuration: Hardware, frame: Any) -> Tables:
    """Tables of a frame that was rewritten; `source` is a `loading.loaded.Loaded`."""
    need_hidden_quads(
        source.activity, "a Z-prepass tests other quads than those that are shaded, and only those are recorded"
    )
    rewriting = source.carried.kept[NAME]
    draws = np.concatenate([rewriting.draw, rewriting.draw[rewriting.again]]).astype(DRAW)
    saved = len(frame.depth.saved)
    first = np.array([len(rewriting.draw)], np.int64)
    return Tables(draws, first, np.zeros(saved, np.int32), np.ones(saved, np.int8))


@inline
def state_of(depth: Depth, quad: int) -> int:
    """The draw that a quad is of."""
    return int(depth.primitive[depth.quad[quad].primitive].state)


@inline
def pass_begin(gpu: Gpu, own: Tables, commands: Commands, render_pass: int, t: int) -> int:
    """The depths of a pass that begins belong to no draw."""
    row = commands.render_pass[render_pass]
    if row.store_depth >= 0:
        for y in range(row.height):
            begin = row.store_depth + y * row.depth_pitch * row.samples
            for i in range(begin, begin + row.width * row.samples):
                own.priority[i] = NO_PRIORITY
                own.rendered[i] = 1
    return GO


@inline
def depth_tested(
    gpu: Gpu, own: Tables, depth: Depth, r: int, place: int, quad: int, compared: Compared, passed: bool
) -> bool:
    """In the first pass the nearest draw is found; in the second one it passes where it has that depth."""
    state = gpu.technique.z_prepass
    occluder = state.occluder[r]
    which = state_of(depth, quad)
    row = own.draw[which]
    if which >= own.first[0]:
        return wins(row.priority, occluder.priority[place]) if compared.z == compared.held else passed
    waits = occluder.rendered[place] == 0
    visible = is_visible(row, occluder, place, compared, passed)
    if waits and row.opaque != 0:
        state.hidden += not visible
        if visible:
            keep(occluder, place, row.priority, 1)
    return visible


@inline
def depth_written(gpu: Gpu, own: Tables, depth: Depth, r: int, place: int, quad: int) -> None:
    """The depth buffer keeps the draw next to the depth."""
    which = state_of(depth, quad)
    keep(gpu.technique.z_prepass.occluder[r], place, own.draw[which].priority, 0 if which >= own.first[0] else 1)


@inline
def depth_cleared(gpu: Gpu, own: Tables, depth: Depth, r: int, place: int) -> None:
    """The clear's depth belongs to no draw."""
    own.priority[place] = NO_PRIORITY
    own.rendered[place] = 1


@inline
def depth_fetched(gpu: Gpu, own: Tables, depth: Depth, r: int, place: int, stored: int) -> None:
    """The draw comes with the depth."""
    occluder = gpu.technique.z_prepass.occluder[r]
    if stored < 0:
        keep(occluder, place, NO_PRIORITY, 1)
    else:
        keep(occluder, place, own.priority[stored], own.rendered[stored])


@inline
def depth_put_back(gpu: Gpu, own: Tables, depth: Depth, r: int, place: int, stored: int) -> None:
    """The draw goes back with the depth."""
    occluder = gpu.technique.z_prepass.occluder[r]
    own.priority[stored] = occluder.priority[place]
    own.rendered[stored] = occluder.rendered[place]


@inline
def depth_compared(gpu: Gpu, own: Tables, depth: Depth, r: int, quad: int, passed: int, t: int) -> None:
    """Count what the first pass lets through, which is not shaded."""
    state = gpu.technique.z_prepass
    if state_of(depth, quad) >= own.first[0]:
        state.quads += 1
        state.fragments += count_bits(passed)


@inline
def quad_ready(gpu: Gpu, own: Tables, depth: Depth, r: int, quad: int, t: int) -> int:
    """Quads of the first pass end here."""
    return SKIP if state_of(depth, quad) >= own.first[0] else GO


TECHNIQUE = Technique(
    NAME,
    "Z-prepass by software (thesis of 2018, appendix A.3.1)",
    record=State,
    load=load,
    rewrite=rewrite,
    statistics=(
        Stat(f"{STATISTICS_NAME}.quads", "quads", "quads of the first pass that were tested", "quads"),
        Stat(f"{STATISTICS_NAME}.fragments", "samples", "samples of the first pass that were in front", "fragments"),
        Stat(
            f"{STATISTICS_NAME}.hidden", "samples", "samples of opaque draws that the first pass has hidden", "hidden"
        ),
    ),
    order=7,
    conflicts=("visibility_rendering_order",),
    machines=("immediate",),
    changes_shading=True,
)
