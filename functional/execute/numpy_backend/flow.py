"""Executes a plan: branches and loops by execution masks."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .plan import Branch, Item, Leave, Repeat, Straight
from .registers import Mask, Registers

Lanes = NDArray[np.bool_]


@dataclass(slots=True)
class LoopLanes:
    """Lanes that jumped back during one iteration."""

    again: Lanes | None = None


Active = Mask | Literal[False]
"""Lanes, all (None) or none (False)."""


def execute(items: list[Item], s: Registers, mask: Mask, loop: LoopLanes | None) -> Active:
    """Execute items for the lanes of ``mask``; returns the lanes that reach the end."""
    active: Active = mask
    for item in items:
        if active is False:
            break
        if isinstance(item, Straight):
            _straight(item, s, active)
        elif isinstance(item, Branch):
            active = _branch(item, s, active, loop)
        elif isinstance(item, Repeat):
            _repeat(item, s, active)
        else:
            active = _leave(item, s, active, loop)
    return active


def _straight(item: Straight, s: Registers, mask: Mask) -> None:
    s.count(item.instructions)
    s.mask = mask
    if s.paths is not None and item.first_pc is not None:
        s.paths.execute(item.first_pc, mask)
    for operation in item.operations:
        operation(s)
    if item.kills:
        _kill(item, s, mask)


def _kill(item: Straight, s: Registers, mask: Mask) -> None:
    """Killed lanes continue to execute, because their neighbours need them for derivatives."""
    assert s.killed is not None
    lanes = np.ones(s.lanes, np.bool_) if mask is None else mask
    if item.condition is not None:
        lanes = lanes & (s.floats[item.condition] < 0)
    s.killed |= lanes


def _union(a: Active, b: Active) -> Active:
    if a is False:
        return b
    if b is False:
        return a
    if a is None or b is None:
        return None
    return np.logical_or(a, b)


def _branch(item: Branch, s: Registers, mask: Mask, loop: LoopLanes | None) -> Active:
    row = s.ints[item.condition]
    if len(row) == 1:
        return execute(item.then if row[0] else item.otherwise, s, mask, loop)
    condition = row != 0
    then = condition if mask is None else condition & mask
    if not then.any():
        return execute(item.otherwise, s, mask, loop)
    otherwise = ~condition if mask is None else ~condition & mask
    if not otherwise.any():
        return execute(item.then, s, mask, loop)
    first = execute(item.then, s, then, loop)
    second = execute(item.otherwise, s, otherwise, loop)
    if first is then and second is otherwise:
        return mask
    return _union(first, second)


def _repeat(item: Repeat, s: Registers, mask: Mask) -> None:
    active: Active = mask
    while active is not False:
        loop = LoopLanes()
        active = execute(item.body, s, active, loop)
        if loop.again is not None:
            active = _union(active, loop.again)
        if item.end is not None and active is not False:
            _straight(item.end, s, active)


def _leave(item: Leave, s: Registers, mask: Mask, loop: LoopLanes | None) -> Literal[False]:
    if item.again and loop is not None:
        lanes = np.ones(s.lanes, np.bool_) if mask is None else mask
        loop.again = lanes if loop.again is None else loop.again | lanes
    return False
