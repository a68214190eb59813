"""Counters at edges (C of Table 4.1, 4.2.4): of two objects in each other the edge of fewer occlusions is dropped
before the graph is sorted.

The entry of every object is read, and of each of its children the list, to find the edge back. The thesis says that the
counters are compared then, not how they are found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.jit import inline
from . import graph

if TYPE_CHECKING:
    from ...memory.gpu import Gpu
    from ...memory.request import Port
    from .state import State
    from .visibility_sort import VisibilitySort


DROPPED = -1
"""Mark in the place of a child whose edge was dropped."""
NO_EDGE_BACK, GOES_ON = -1, -2


@inline
def next_child(gpu: Gpu, state: State, sort: VisibilitySort, port: Port, t: int) -> bool:
    """Ask for the entry of the next child, or for the entry that the list goes on in; False at the list's end."""
    row = state.entry[sort.entry]
    while sort.child < row.length and row.child[sort.child] == DROPPED:
        sort.child += 1
    if sort.child < row.length:
        sort.other = row.child[sort.child]
        read(gpu, sort, port, sort.other, t)
        sort.compares = 1
        return True
    if row.next >= 0:
        sort.entry = row.next
        sort.child = 0
        read(gpu, sort, port, sort.entry, t)
        sort.compares = 0
        return True
    return False


@inline
def read(gpu: Gpu, sort: VisibilitySort, port: Port, entry: int, t: int) -> None:
    graph.read(gpu, port, entry, t)
    sort.reads += 1
    sort.waiting = 1


@inline
def compare(gpu: Gpu, state: State, sort: VisibilitySort, port: Port, t: int) -> int:
    """An entry of the child's list has arrived. Object that an edge was dropped to, NO_EDGE_BACK, or GOES_ON."""
    row = state.entry[sort.entry]
    other = state.entry[sort.other]
    child = graph.place_of(state, sort.other, sort.node)
    if child < 0:
        if other.next < 0:
            return NO_EDGE_BACK
        sort.other = other.next
        read(gpu, sort, port, sort.other, t)
        return GOES_ON
    sort.dropped += 1
    if row.count[sort.child] >= other.count[child]:
        other.child[child] = DROPPED
        graph.write(gpu, port, sort.other, t)
        sort.writes += 1
        return int(sort.node)
    behind = row.child[sort.child]
    row.child[sort.child] = DROPPED
    graph.write(gpu, port, sort.entry, t)
    sort.writes += 1
    return int(behind)
