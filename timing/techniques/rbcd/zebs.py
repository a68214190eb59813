"""Z-depth Extended Buffers (5.2.4): a sorted list of fragments for each pixel of a tile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.jit import inline, unit

if TYPE_CHECKING:
    from .state import State, Zebs


DEPTH_SHIFT = 32
FRONT, BACK = range(2)


@inline
def element_of(z: int, number: int, side: int) -> int:
    """A fragment as a list holds it."""
    return (z << DEPTH_SHIFT) | (number << 1) | side


@inline
def depth_of(element: int) -> int:
    return element >> DEPTH_SHIFT


@inline
def object_of(element: int) -> int:
    return (element >> 1) & 0x7FFFFFFF


@inline
def side_of(element: int) -> int:
    return element & 1


@inline
def before(element: int, other: int, front_first: int) -> bool:
    """Whether a new element goes before one of the list."""
    z, held = depth_of(element), depth_of(other)
    if front_first != 0 and z == held:
        return side_of(element) < side_of(other)
    return z < held


@unit
def insert(state: State, zebs: Zebs, at: int, element: int) -> bool:
    """Sorted insertion into a list (Fig. 5.4); whether it overflows, which loses the element that is farthest."""
    first = at * state.list_length
    length = zebs.length[at]
    place = length
    while place > 0 and before(element, zebs.element[first + place - 1], state.front_first):
        place -= 1
    overflows = length == state.list_length
    if overflows:
        zebs.overflowed[at] = 1
        length -= 1
    else:
        zebs.length[at] = length + 1
    for i in range(length, place, -1):
        zebs.element[first + i] = zebs.element[first + i - 1]
    if place < state.list_length:
        zebs.element[first + place] = element
    return bool(overflows)
