"""FF-Stack of the Z-Overlap Test (5.2.5, Fig. 5.6): front faces of a list, and which of them are matched."""

from __future__ import annotations

from tilegpu.timing.declare.records import Record, Rows, i8, room

from ...engine.jit import inline, unit
from . import zebs as lists
from .state import MAX_LENGTH, State

NO_HIT = -1


class FrontFace(Record):
    """Front face on the stack, and whether a back face has matched it."""

    element: i8
    matched: i8


class FfStack(Record):
    """Registers of an FF-Stack. `entries`: room; `hit`: next face that may overlap the element at work, NO_HIT before
    the stack was searched."""

    face: Rows[FrontFace] = room(MAX_LENGTH)
    height: i8
    entries: i8
    hit: i8
    back_faces: i8
    unmatched: i8
    overflows: i8


@inline
def empty(stack: FfStack) -> None:
    """A new list begins."""
    stack.hit = NO_HIT
    stack.height = 0


@unit
def meet(state: State, stack: FfStack, element: int) -> None:
    """Push a front face; search the stack for that of a back face. `hit` is the first entry that overlaps it."""
    stack.hit = stack.height
    if lists.side_of(element) == lists.FRONT:
        if stack.height == stack.entries:
            stack.overflows += 1
        else:
            stack.face[stack.height].element = element
            stack.face[stack.height].matched = 0
            stack.height += 1
        stack.hit = stack.height
        return
    stack.back_faces += 1
    for i in range(stack.height):
        own = stack.face[i].matched == 0 and lists.object_of(stack.face[i].element) == lists.object_of(element)
        if own:
            stack.face[i].matched = 1
            stack.hit = i
            find_next(state, stack, element)
            return
    stack.unmatched += 1
    if state.from_viewer != 0:
        stack.hit = -1
        find_next(state, stack, element)


@inline
def find_next(state: State, stack: FfStack, element: int) -> None:
    """The next entry of the stack that counts as an overlap."""
    stack.hit += 1
    while stack.hit < stack.height and state.same_object == 0:
        if lists.object_of(stack.face[stack.hit].element) != lists.object_of(element):
            break
        stack.hit += 1
