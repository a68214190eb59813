"""Findings of depth tests about objects, and the winner between equal depths, on any machine (4.2.2, 4.2.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.hooks import GO, WAIT
from ...engine.jit import inline
from ..shared.depth_ties import NO_PRIORITY, wins
from . import edge_filter
from .state import NO_NODE, State

if TYPE_CHECKING:
    from ...engine.frame import Commands, Depth
    from ...engine.hooks import Compared
    from ...memory.gpu import Gpu
    from .immediate_tables import Tables as ImmediateTables
    from .tables import Tables


AVERAGE, MINIMUM, MAXIMUM = 1, 2, 3


@inline
def forget_occluder(gpu: Gpu, r: int, place: int) -> None:
    occluder = gpu.technique.visibility_rendering_order.occluder[r]
    occluder.node[place] = NO_NODE
    occluder.priority[place] = NO_PRIORITY


@inline
def quad_begin(gpu: Gpu, own: Tables | ImmediateTables, depth: Depth, r: int, quad: int, t: int) -> int:
    """A quad is tested when its edges find room."""
    return GO if edge_filter.has_room(gpu, r) else WAIT


@inline
def depth_tested(
    gpu: Gpu,
    own: Tables | ImmediateTables,
    depth: Depth,
    r: int,
    place: int,
    quad: int,
    compared: Compared,
    passed: bool,
) -> bool:
    """Decide between equal depths by the number of the draw, and report which object is in front of which."""
    state = gpu.technique.visibility_rendering_order
    row = own.draw[depth.primitive[depth.quad[quad].primitive].state]
    if row.movable == 0:
        return passed
    occluder = state.occluder[r]
    if compared.z == compared.held:
        passed = wins(row.priority, occluder.priority[place])
    if row.node != NO_NODE and state.perfect == 0:
        measure(state, row.node, compared.z)
        other = occluder.node[place]
        if other == row.node:
            state.auto_edges += 1
        elif other != NO_NODE:
            joined = (
                edge_filter.enqueue(gpu, r, row.node, other) if passed else edge_filter.enqueue(gpu, r, other, row.node)
            )
            state.edges += 1
            state.lost_edges += not joined
    return bool(passed)


@inline
def measure(state: State, node: int, z: int) -> None:
    """Depth of an object, where it decides about cycles (H2)."""
    if state.breaker == AVERAGE:
        state.depth_sum[node] += z
    elif state.breaker == MINIMUM:
        if state.depth_count[node] == 0 or z < state.depth_sum[node]:
            state.depth_sum[node] = z
    elif state.breaker == MAXIMUM and (state.depth_count[node] == 0 or z > state.depth_sum[node]):
        state.depth_sum[node] = z
    state.depth_count[node] += 1


@inline
def depth_written(gpu: Gpu, own: Tables | ImmediateTables, depth: Depth, r: int, place: int, quad: int) -> None:
    """The depth buffer keeps object and draw next to the depth."""
    row = own.draw[depth.primitive[depth.quad[quad].primitive].state]
    occluder = gpu.technique.visibility_rendering_order.occluder[r]
    occluder.node[place] = row.node
    occluder.priority[place] = row.priority


@inline
def frame_end(gpu: Gpu, own: Tables | ImmediateTables, commands: Commands, t: int) -> None:
    """Objects of the frame, in program order, for the sort of its graph."""
    state = gpu.technique.visibility_rendering_order
    state.begun = 0
    state.objects = len(own.object)
    state.nodes += len(own.object)
    for i in range(len(own.object)):
        state.object[i] = own.object[i]
