"""Orders parallel copies as a sequence of moves with the same result."""

from collections.abc import Callable
from dataclasses import dataclass
from heapq import heappop, heappush

from ..ssa import Operand
from .register_assignment import Assignment, Assignments, Register

Cell = tuple[Register, int]


@dataclass(slots=True, eq=False)
class Copy:
    """Component i of the operand goes to component ``places[i]`` of a register."""

    register: Register
    places: tuple[int, ...]
    operand: Operand


def copy_to(assigned: Assignment, operand: Operand, assignments: Assignments) -> Copy | None:
    """The copy of an operand to its register, or of the components that are missing there; None if none is."""
    if operand.value.op == "UNDEF":
        return None
    pairs = [(place, c) for c, places in zip(operand.swizzle, assigned.positions, strict=False) for place in places]
    there = assignments.of.get(operand.value)
    if there is not None and there.register is assigned.register and operand[2:] == (False, False):
        pairs = [(place, c) for place, c in pairs if place not in there.positions[c]]
    if not pairs:
        return None
    return Copy(assigned.register, tuple(p for p, _ in pairs), operand._replace(swizzle=tuple(c for _, c in pairs)))


def in_order(copies: list[Copy], assignments: Assignments, save: Callable[[Operand], Operand]) -> list[Copy]:
    """The copies in an order in which none overwrites what a later one reads.

    For cycles, ``save`` moves an operand to a new register.
    """
    writer = {(copy.register, place): i for i, copy in enumerate(copies) for place in copy.places}
    # Per copy, those that overwrite what it reads, and those that read what it overwrites.
    overwriters = [
        {writer[cell] for cell in _cells(copy.operand, assignments) if cell in writer} - {i}
        for i, copy in enumerate(copies)
    ]
    readers: list[set[int]] = [set() for _ in copies]
    for i, others in enumerate(overwriters):
        for other in others:
            readers[other].add(i)
    waiting = dict.fromkeys(range(len(copies)))
    free = [i for i in waiting if not readers[i]]
    ordered = []

    def read(i: int) -> None:
        for other in overwriters[i]:
            readers[other].discard(i)
            if not readers[other]:
                heappush(free, other)
        overwriters[i] = set()

    while waiting:
        if not free:
            # The first copy would overwrite what others read, so their source is saved first.
            for i in sorted(readers[next(iter(waiting))]):
                copies[i].operand = save(copies[i].operand)
                read(i)
        chosen = heappop(free)
        del waiting[chosen]
        ordered.append(copies[chosen])
        read(chosen)
    return ordered


def _cells(operand: Operand, assignments: Assignments) -> set[Cell]:
    """The register components that reading an operand reads."""
    value = operand.value
    assigned = assignments.of.get(value)
    cells = set() if assigned is None else {(assigned.register, assigned.positions[c][0]) for c in operand.swizzle}
    for argument in value.args if value.op in ("UNIFORM", "INPUT") else ():
        cells |= _cells(argument, assignments)
    return cells
