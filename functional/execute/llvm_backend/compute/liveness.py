"""Registers whose values matter at each instruction of a shader: what has to outlive a barrier."""

from __future__ import annotations

from collections.abc import Iterable

from ....glsl.ir.flow import successors
from ....glsl.ir.program import COORDINATES, File, Instruction, Shader, Space
from ...numpy_backend.layout import Key, registers_written
from ..ir.indirect import address_key, chosen_files

_POSITIONS = {"dot2": 2, "dot3": 3, "dot4": 4, "texture": 4, "kill": 4}


class Liveness:
    """Registers that lanes may still read when they reach an instruction.

    Parameters
    ----------
    shader
        The shader.
    """

    def __init__(self, shader: Shader) -> None:
        self.shader, self._following = shader, successors(shader)
        instructions = shader.instructions
        # Such temporaries are in memory anyway.
        in_memory = chosen_files(shader)
        read = [{key for key in _read(shader, i) if key.file not in in_memory} for i in instructions]
        written = [_replaced(i) for i in instructions]
        self.before: list[frozenset[Key]] = [frozenset()] * len(instructions)
        changes = True
        while changes:
            changes = False
            for pc in reversed(range(len(instructions))):
                after = frozenset().union(*(self.before[following] for following in self._following[pc]))
                before = (after - written[pc]) | read[pc]
                changes |= before != self.before[pc]
                self.before[pc] = before

    def behind(self, pcs: range) -> frozenset[Key]:
        """Registers that lanes may read after they have left some instructions."""
        exits = {following for pc in pcs for following in self._following[pc] if following not in pcs}
        return frozenset().union(*(self.before[pc] for pc in exits))


def registers_accessed(shader: Shader, pcs: Iterable[int]) -> set[Key]:
    """Registers that some instructions read or write."""
    instructions = [shader.instructions[pc] for pc in pcs]
    return set(registers_written(instructions)).union(*(_read(shader, i) for i in instructions))


def _replaced(instruction: Instruction) -> set[Key]:
    """Registers whose former value an instruction drops."""
    destination = instruction.destination
    return set() if destination is None or destination.indirect else set(registers_written([instruction]))


def _read(shader: Shader, instruction: Instruction) -> set[Key]:
    keys = set()
    for number, source in enumerate(instruction.sources):
        if source.indirect is not None:
            keys.add(address_key(source))
        if source.file in (File.TEMPORARY, File.ADDRESS):
            keys |= {Key(source.file, source.index, source.swizzle[p]) for p in _positions(shader, instruction, number)}
    if instruction.destination is not None and instruction.destination.indirect is not None:
        keys.add(address_key(instruction.destination))
    return keys


def _positions(shader: Shader, instruction: Instruction, number: int) -> Iterable[int]:
    """Positions of a source that an instruction reads."""
    shape = instruction.info.shape
    if shape == "component" and instruction.destination is not None:
        return instruction.destination.components
    if instruction.memory is not None:
        space, index = instruction.memory
        if number == 0:
            return range(COORDINATES[shader.images[index].target] if space is Space.IMAGE else 1)
        if shape == "store":
            return range(4 if space is Space.IMAGE else instruction.stored)
    return range(_POSITIONS.get(shape, 1))
