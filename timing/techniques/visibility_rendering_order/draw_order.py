"""The Command Processor's part of IMR-VRO (appendix A.1): takes the order from the Order Queue, and turns it into the
order in which the draws of a pass are processed.

Draws are buffered until the frame is complete, so the Command Processor knows all objects before it begins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilegpu.timing.declare.records import NEVER, Ring, i4, i8, room
from tilegpu.timing.declare.statistics import spent

from ...engine.account import BUSY, IDLE, Accounted, account
from ...engine.calendar import poke, wake
from ...engine.jit import inline, unit
from ...engine.ring import drop, front, full
from ...engine.unit import Unit
from . import visibility_sort
from .parameters import MAX_QUEUE, Parameters
from .state import NAME
from .visibility_order import settle as settle_groups

if TYPE_CHECKING:
    from ...engine.chip import Chip
    from ...engine.frame import Commands, RenderPass
    from ...memory.gpu import Gpu
    from .immediate_tables import Tables


class VisibilityOrder(Accounted):
    """Registers of the unit that applies the order to draws."""

    id: i8
    queue: Ring[i4] = room(MAX_QUEUE)
    objects: i8


@unit
def tick(gpu: Gpu, t: int) -> int:
    """Take an object per cycle."""
    order: VisibilityOrder = gpu.visibility_order
    account(order, t)
    order.cause = IDLE
    if order.queue.count == 0:
        if visibility_sort.at_rest(gpu):
            wake(gpu, gpu.caller.pass_begin)
        return NEVER
    if full(order.queue):
        poke(gpu, gpu.visibility_sort.id)
    gpu.technique.visibility_rendering_order.rank[front(order.queue)] = order.objects
    drop(order.queue)
    order.objects += 1
    order.cause = BUSY
    return t + 1


@inline
def drained(gpu: Gpu) -> bool:
    """Whether the order is complete."""
    return bool(visibility_sort.at_rest(gpu) and gpu.visibility_order.queue.count == 0)


@unit
def settle(gpu: Gpu, own: Tables, commands: Commands, render_pass: int) -> None:
    """Write down the order of a pass: its draws and clears, with their vertices and primitives."""
    settle_groups(gpu, own, render_pass)
    row = own.render_pass[render_pass]
    for g in range(row.first_group, row.last_group):
        own.at[row.first_group + own.group[g].position] = g
    drawn = commands.render_pass[render_pass]
    batch = drawn.first_batch
    primitive = drawn.last_primitive
    for g in range(row.first_group, row.last_group):
        for m in range(own.first_member[g], own.first_member[g + 1]):
            member = own.member[m]
            primitive = min(primitive, member.first_primitive) if member.last_primitive > 0 else primitive
    place_members(gpu, own, row, batch, primitive)


@unit
def place_members(gpu: Gpu, own: Tables, row: Any, batch: int, primitive: int) -> None:
    """Hand out places from the pass's first batch and primitive on."""
    committed = gpu.primitive_assembly.committed
    for place in range(row.first_group, row.last_group):
        g = own.at[place]
        for m in range(own.first_member[g], own.first_member[g + 1]):
            member = own.member[m]
            before = committed
            for b in range(member.first_batch, member.last_batch):
                own.batch[batch] = b
                batch += 1
                committed += own.vertices[b]
            for p in range(member.first_primitive, member.last_primitive):
                own.primitive[primitive] = p
                own.stream_end[primitive] = before + own.needs[p]
                primitive += 1


@unit
def forget(own: Tables, row: RenderPass) -> None:
    """The depths of a pass that begins belong to no object."""
    if row.store_depth < 0:
        return
    for y in range(row.height):
        begin = row.store_depth + y * row.depth_pitch * row.samples
        for i in range(begin, begin + row.width * row.samples):
            own.node[i] = -1
            own.priority[i] = 0


def setup(chip: Chip, order: Any, place: tuple[int, ...]) -> None:
    """Sizes from the configuration."""
    order.queue.depth = chip.configuration.of(Parameters).order_queue
    order.cause = IDLE


UNIT = Unit(
    "visibility_order",
    __name__,
    VisibilityOrder,
    tick,
    setup=setup,
    marks=("objects",),
    stands=lambda order: f"{int(order.queue.count)} objects queued" if order.queue.count else "",
    statistics=spent(f"{NAME}.visibility_order", "taking up the order"),
)
