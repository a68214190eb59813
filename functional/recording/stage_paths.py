"""Numbers and work of the paths of a stage, for kernels that record draws."""

from __future__ import annotations

from ctypes import c_int32
from typing import Any, NamedTuple

import numpy as np

from ..compile import address, helper
from ..compile.blocks import Block, Integers, Kernel, WordRows, Words, code_at, place_of, words_in, write
from ..compile.called_methods import CalledMethod
from ..compile.native import carray, load
from ..execute.kernel_arguments import TREE
from ..execute.paths import PathTable
from ..glsl.ir.program import Shader
from .summary import WorkOfPaths

_NOTHING = np.zeros(0, np.int64)


class NumberedPaths(NamedTuple):
    """Paths of a stage.

    Attributes
    ----------
    tree, grow
        See `FlowNotes`; the tree is empty for a shader without branches, whose path is number 0.
    work
        The `PathWork` of each path.
    number
        Numbers the paths of some nodes, at an address, and returns 1.
    executed
        Whether any lane was executed.
    """

    tree: Words
    grow: Kernel
    work: WordRows
    number: Kernel
    executed: bool


_EXECUTED, _WORDS = place_of(NumberedPaths, "executed"), words_in(NumberedPaths)


class StagePaths:
    """Numbers the paths of a stage.

    Parameters
    ----------
    shader
        The shader.

    Attributes
    ----------
    table
        Its paths.
    block
        `NumberedPaths`, whose address stays the same.
    """

    def __init__(self, shader: Shader) -> None:
        self.table = PathTable(shader)
        self._work = WorkOfPaths(self.table)
        self._grow, self._number = CalledMethod(self.grow, 1), CalledMethod(self.number, 2)
        self.block = Block(np.zeros(_WORDS, np.int64), None)
        self.describe()

    @property
    def executed(self) -> bool:
        """Whether any lane was executed."""
        return bool(self.block.words[_EXECUTED])

    def execute(self) -> PathTable:
        """The table, for lanes that are executed."""
        self.block.words[_EXECUTED] = True
        return self.table

    @property
    def followed(self) -> int:
        """Address of a `FlowNotes`, 0 for a shader without branches."""
        return 0 if self.table.straight else self.block.address

    def describe(self) -> None:
        """Give kernels the work of all paths."""
        tree = _NOTHING if self.table.straight else self.table.decisions.block
        paths = NumberedPaths(
            tree, code_at(self._grow.address), self._work.rows(), code_at(self._number.address), self.executed
        )
        write(self.block.words, paths)

    def grow(self, _: int) -> None:
        """Make room for more nodes, however many a kernel asks for."""
        self.table.decisions.grow()

    def number(self, nodes: int, count: int) -> None:
        """Number the paths of nodes, whose numbers are int32 at an address."""
        self.table.decisions.numbered(np.ctypeslib.as_array((c_int32 * count).from_address(nodes)), self.table)
        self.describe()


@helper
def execute(paths: int) -> None:
    """Note that lanes are executed, in the block of paths at an address."""
    carray(paths, _WORDS, np.int64)[_EXECUTED] = 1


@helper
def number_paths(block: int, nodes: Integers) -> Any:
    """Replace the nodes where lanes ended by the numbers of their paths, whose block is at an address; whether that was
    possible."""
    paths, numbered = load(block, NumberedPaths), True
    numbers = carray(paths.tree[TREE.numbers], paths.tree[TREE.capacity], np.int32)
    for i in range(len(nodes)):
        numbered &= 0 <= numbers[nodes[i]] < len(paths.work)
    if not numbered and not paths.number(address(nodes), len(nodes)):
        return False
    for i in range(len(nodes)):
        nodes[i] = numbers[nodes[i]]
    return True
