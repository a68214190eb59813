"""Decisions that lanes took at branches, as kernels note them, and the paths that follow from them.

A shader and the outcomes of its branches, in order of execution, determine the blocks that a lane executed. Kernels
collect outcomes as bits of a symbol; when it is full, and when a loop iterates, the symbol selects the next node of a
tree. Lanes at the same node did the same, so a node is converted to a path once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..compile.addresses import address
from ..compile.blocks import words_in, write
from ..glsl.ir.analysis import blocks
from ..glsl.ir.program import Shader
from .kernel_arguments import TREE, TreeBlock

if TYPE_CHECKING:
    from .paths import PathTable

SYMBOL_BITS = 4
FIRST_NODES = 256
_UNKNOWN = -1


@dataclass(frozen=True)
class DecisionPlaces:
    """Bits and symbols to which the outcome of each branch goes.

    Attributes
    ----------
    bits
        Bit of the symbol, by position of the UIF.
    full
        Branches before which the symbol is full and selects a node.
    """

    bits: dict[int, int]
    full: frozenset[int]


@dataclass
class _Places:
    """Walks through a shader; `following` is the first bit that no lane that reaches this point has used."""

    following: int = 0
    bits: dict[int, int] = field(default_factory=dict)
    full: set[int] = field(default_factory=set)
    branches: list[list[int]] = field(default_factory=list)
    loops: list[int] = field(default_factory=list)

    def instruction(self, pc: int, opcode: str) -> None:
        if opcode == "UIF":
            if self.following == SYMBOL_BITS:
                self.full.add(pc)
                self.following = 0
            self.bits[pc] = self.following
            self.following += 1
            self.branches.append([self.following, self.following])
        elif opcode == "ELSE":
            self.branches[-1][1] = self.following
            self.following = self.branches[-1][0]
        elif opcode == "ENDIF":
            self.following = max(self.following, *self.branches.pop())
        elif opcode == "BGNLOOP":
            self.loops.append(0)
        elif opcode == "BRK":
            self.loops[-1] = max(self.loops[-1], self.following)
        elif opcode == "ENDLOOP":
            # Only lanes that left the loop get here; those that iterated have an empty symbol.
            self.following = self.loops.pop()


def decision_places(shader: Shader) -> DecisionPlaces:
    """Places to which the outcome of each branch of a shader goes."""
    places = _Places()
    for pc, instruction in enumerate(shader.instructions):
        places.instruction(pc, instruction.opcode)
    return DecisionPlaces(places.bits, frozenset(places.full))


class _Place(NamedTuple):
    """Place in a shader where a symbol begins: the next instruction, the node of the path table that was reached, and
    whether the instruction's block is counted already."""

    pc: int | None
    reached: int
    entered: bool


_BEGINNING = _Place(0, 0, False)


class Decisions:
    """The tree of a shader's decisions, which kernels grow, and the path of each node.

    Parameters
    ----------
    shader
        Shader of these decisions.
    """

    def __init__(self, shader: Shader) -> None:
        self.shader = shader
        self.block = np.zeros(words_in(TreeBlock), np.int64)
        self.following = np.zeros((0, 1 << SYMBOL_BITS), np.int32)
        self.parents, self.numbers = np.zeros(0, np.int32), np.zeros(0, np.int32)
        self._places_behind = {0: _BEGINNING}
        self.block[TREE.used] = 1
        self._add(FIRST_NODES)

    @cached_property
    def _places(self) -> DecisionPlaces:
        return decision_places(self.shader)

    @cached_property
    def _leaders(self) -> frozenset[int]:
        return frozenset(block.first for block in blocks(self.shader))

    @property
    def full(self) -> bool:
        """Whether the last kernel ran out of room for nodes; its paths are then meaningless."""
        return bool(self.block[TREE.full])

    def _add(self, nodes: int) -> None:
        self.following = np.concatenate([self.following, np.zeros((nodes, 1 << SYMBOL_BITS), np.int32)])
        self.parents = np.concatenate([self.parents, np.zeros(nodes, np.int32)])
        self.numbers = np.concatenate([self.numbers, np.full(nodes, _UNKNOWN, np.int32)])
        addresses = address(self.following), address(self.parents), address(self.numbers)
        write(self.block, TreeBlock(*addresses, int(self.block[TREE.used]), len(self.parents)))

    def grow(self) -> None:
        """Make room for four times as many nodes; existing ones keep their numbers."""
        self._add(3 * len(self.parents))

    def numbered(self, nodes: NDArray[np.int32], paths: PathTable) -> NDArray[np.int32]:
        """Path number of each lane, from the node where it ended; new paths are numbered in order of lanes.

        Parameters
        ----------
        nodes
            Nodes by lane.
        paths
            Numbers the paths; the same object every time.
        """
        numbers = np.take(self.numbers, nodes)
        unknown = nodes[numbers == _UNKNOWN]
        if len(unknown) == 0:
            return numbers
        for node in dict.fromkeys(unknown.tolist()):
            self.numbers[node] = paths.number(self._executed(node, paths))
        return np.take(self.numbers, nodes)

    def _executed(self, node: int, paths: PathTable) -> int:
        """Node of the path table that a lane with these decisions reaches."""
        if node == 0:
            return self._walk(_BEGINNING, 0, paths, to_end=True).reached
        parent, symbol = divmod(int(self.parents[node]), 1 << SYMBOL_BITS)
        return self._walk(self._behind(parent, paths), symbol, paths, to_end=True).reached

    def _behind(self, node: int, paths: PathTable) -> _Place:
        """Place where the next symbol behind a node begins; what lanes have in common is walked once."""
        unknown = []
        while node not in self._places_behind:
            parent, symbol = divmod(int(self.parents[node]), 1 << SYMBOL_BITS)
            unknown.append((node, symbol))
            node = parent
        place = self._places_behind[node]
        for node, symbol in reversed(unknown):
            place = self._places_behind[node] = self._walk(place, symbol, paths, to_end=False)
        return place

    def _walk(self, place: _Place, symbol: int, paths: PathTable, to_end: bool) -> _Place:
        """Follow a symbol to the end of the shader, or to where the next one begins."""
        instructions, places = self.shader.instructions, self._places
        pc, reached, entered = place
        while pc is not None and pc < len(instructions):
            opcode, target = instructions[pc].opcode, instructions[pc].flow_target
            if not entered and pc in self._leaders:
                reached = paths.step(reached, pc)
            if opcode == "UIF":
                if pc in places.full and not entered and not to_end:
                    return _Place(pc, reached, True)
                pc = pc + 1 if symbol >> places.bits[pc] & 1 else target
            else:
                pc = target if opcode in ("ELSE", "BRK", "CONT", "ENDLOOP") else pc + 1
                if opcode == "ENDLOOP" and not to_end:
                    return _Place(pc, reached, False)
            entered = False
        return _Place(pc, reached, False)
