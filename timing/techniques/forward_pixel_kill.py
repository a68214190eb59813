"""Forward pixel kill (Arm's GPUs since the Mali-T620): a quad that waits to be shaded is left out when an opaque one
comes to the same place behind it.

Quads that survived the early depth test wait in a queue for a warp with room; the queue is the window in which later
quads are looked for. Mesa's drivers say which draws may kill (`can_fpk` in `pan_shader.c`,
`pan_allow_forward_pixel_to_kill` in `pan_cmdstream.c`): those whose programs neither discard nor write their depth or
coverage, that write all channels of all attachments, and do not blend. All but those that write memory may be killed.
Arm's blog says that threads under way can be killed, too; here warps are not, for their threads end together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tilegpu.timing.declare.energy.geometry import Logic
from tilegpu.timing.declare.records import QUAD, Record, i8
from tilegpu.timing.declare.statistics import Stat
from tilegpu.timing.declare.structures import RASTER, Structure, stat, units

from ..engine.jit import inline, unit
from ..engine.ring import wrap
from ..engine.technique import Technique
from ..units.fragment_warp_launcher import FragmentWarpLauncherParameters

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

    from ..engine.frame import Depth
    from ..engine.ring import Queue
    from ..memory.gpu import Gpu

NAME = "techniques.forward_pixel_kill"
ALL_CHANNELS = 15

DRAW = np.dtype([("kills", "i1"), ("killed", "i1")], align=True)
"""Whether quads of a draw kill earlier ones, and whether they may be killed."""


class Tables(NamedTuple):
    """The draws of a frame."""

    draw: np.ndarray[Any, Any]


class State(Record):
    """Registers of the technique."""

    killed_quads: i8
    occluding_quads: i8
    compared_quads: i8


@inline
def quad_queued(gpu: Gpu, own: Tables, depth: Depth, r: int, quad: int, tile: int, processor: int, t: int) -> None:
    """A quad that hides all of its place kills those that wait before it."""
    row = depth.quad[quad]
    samples = 4 * gpu.raster_unit[r].early_depth.buffer.samples
    if own.draw[depth.primitive[row.primitive].state].kills != 0 and row.passed == (1 << samples) - 1:
        gpu.technique.forward_pixel_kill.occluding_quads += 1
        kill(gpu, own, depth, r, quad, tile)


@unit
def kill(gpu: Gpu, own: Tables, depth: Depth, r: int, quad: int, tile: int) -> None:
    """Take the quads at the place of the last one out of a launcher's queue."""
    state, launcher = gpu.technique.forward_pixel_kill, gpu.raster_unit[r].fragment_warp_launcher
    queue, by = launcher.queue, depth.quad[quad]
    i = 0
    while i < queue.count - 1:
        token = queue.slot[wrap(queue, queue.head + i)]
        state.compared_quads += 1
        row = depth.quad[max(0, token.index)]
        same = token.kind == QUAD and token.tile == tile and row.x == by.x and row.y == by.y
        if same and own.draw[depth.primitive[row.primitive].state].killed != 0:
            take_out(queue, i)
            state.killed_quads += 1
            depth.log[tile].shaded_quads -= 1
            if i == 0:
                launcher.came = -1
        else:
            i += 1


@inline
def take_out(queue: Queue[Any], i: int) -> None:
    """Close the gap that an entry leaves; `i` counts from the head."""
    for place in range(i, queue.count - 1):
        here, behind = queue.slot[wrap(queue, queue.head + place)], queue.slot[wrap(queue, queue.head + place + 1)]
        here.kind, here.tile, here.index = behind.kind, behind.tile, behind.index
    queue.count -= 1


def load(source: Any, configuration: Hardware, frame: Any) -> Tables:
    """Draws that kill, and draws that may be killed."""
    draw = np.zeros(len(source.draws.rows), DRAW)
    for number, (row, state) in enumerate(zip(source.draws.rows, source.draws.state, strict=True)):
        masks = row["color_masks"] or ()
        opaque = not row["blend_enabled"] and row["logic_operation"] is None
        all_written = bool(masks) and all(mask == ALL_CHANNELS for mask in masks)
        draw[number] = opaque and all_written and not state["late"], not state["writes_memory"]
    return Tables(draw)


TECHNIQUE = Technique(
    "forward_pixel_kill",
    "forward pixel kill (Arm, 2013): quads that wait to be shaded are left out where an opaque one comes behind",
    record=State,
    load=load,
    statistics=(
        Stat(f"{NAME}.killed_quads", "quads", "quads left out while they waited to be shaded", "killed_quads"),
        Stat(f"{NAME}.occluding_quads", "quads", "quads that hide all of their place", "occluding_quads"),
        Stat(f"{NAME}.compared_quads", "quads", "waiting quads that an opaque one was compared with", "compared_quads"),
    ),
    structures=(
        Structure(
            "forward_pixel_kill.comparators",
            RASTER,
            units,
            lambda c: Logic("comparator", c.of(FragmentWarpLauncherParameters).queue, 2),
            stat(f"{NAME}.compared_quads"),
        ),
    ),
    machines=("unified",),
)
