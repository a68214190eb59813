"""Visibility Graph as it lies in the Graph Buffer (4.3.2, Fig. 4.11): a list of children for every object, in entries
of a line each.

The first entry of an object's list is at its number; lists that grow longer go on in entries taken from the other end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.jit import inline, unit
from ...memory.address_map import GRAPH_REGION
from ...memory.request import READ, VISIBILITY_GRAPH, WRITE, Port, send

if TYPE_CHECKING:
    from ...memory.gpu import Gpu
    from .state import State


ENTRY_BYTES = 64


@inline
def address(entry: int) -> int:
    """Address of an entry."""
    return GRAPH_REGION + entry * ENTRY_BYTES


@inline
def read(gpu: Gpu, port: Port, entry: int, t: int) -> None:
    """Ask for an entry; the caller has asked `can_send`."""
    sent = send(gpu, port, t, address(entry), ENTRY_BYTES, READ, VISIBILITY_GRAPH, -1)
    sent.slot = 0


@inline
def write(gpu: Gpu, port: Port, entry: int, t: int) -> None:
    """Write an entry back; the caller has asked `can_send`."""
    send(gpu, port, t, address(entry), ENTRY_BYTES, WRITE, VISIBILITY_GRAPH, -1)


@unit
def holds(state: State, entry: int, node: int) -> bool:
    """Whether an entry names a child."""
    row = state.entry[entry]
    held = False
    for i in range(row.length):
        held |= row.child[i] == node
    return bool(held)


@unit
def place_of(state: State, entry: int, node: int) -> int:
    """Place of a child in an entry; -1 if the entry does not name it."""
    row = state.entry[entry]
    for i in range(row.length):
        if row.child[i] == node:
            return i
    return -1


@unit
def list_holds(state: State, node: int, child: int) -> bool:
    """Whether the whole list of an object names a child."""
    entry = node
    while entry >= 0:
        if holds(state, entry, child):
            return True
        entry = state.entry[entry].next
    return False


@unit
def grow_list(state: State, entry: int) -> int:
    """A further entry behind the last one of a list; -1 where the buffer is full."""
    if state.overflow < 0 or state.entry[state.overflow].valid != 0:
        return -1
    further = state.overflow
    state.overflow -= 1
    state.entry[further].length = 0
    state.entry[further].next = -1
    state.entry[further].valid = 1
    state.entry[entry].next = further
    return int(further)


@inline
def append(state: State, entry: int, node: int, count: int) -> None:
    """Add a child to an entry that has room."""
    row = state.entry[entry]
    row.child[row.length] = node
    row.count[row.length] = min(count, int(state.most))
    row.length += 1


@inline
def count_more(state: State, entry: int, node: int, count: int) -> None:
    """Raise the counter of a child that an entry names."""
    row = state.entry[entry]
    place = place_of(state, entry, node)
    row.count[place] = min(row.count[place] + count, int(state.most))


@unit
def clear(state: State) -> None:
    """An empty graph."""
    for i in range(state.entries):
        row = state.entry[i]
        row.length = 0
        row.next = -1
        row.in_degree = 0
        row.valid = 0
    state.overflow = state.entries - 1
