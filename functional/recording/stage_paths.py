"""Numbers and work of the paths of a stage, for kernels that record draws."""

from __future__ import annotations

from ctypes import CFUNCTYPE, c_int32, c_int64, c_void_p, cast
from typing import Any, NamedTuple
from weakref import ref

import numpy as np

from ..execute.kernel_arguments import TREE
from ..execute.paths import PathTable
from ..glsl.ir.program import Shader
from ..jit import helper
from ..jit.blocks import Address, Block, WordRows, Words, load, place_of, words_in, write
from ..jit.native_calls import call_by_address, carray
from .summary import WorkOfPaths

_GROW, _NUMBER = CFUNCTYPE(c_int64, c_int64), CFUNCTYPE(c_int64, c_int64, c_int64)
_NOTHING = np.zeros(0, np.int64)


class NumberedPaths(NamedTuple):
    """Paths of a stage.

    Attributes
    ----------
    tree, grow
        See `Followed`; the tree is empty for a shader without branches, whose path is number 0.
    work
        The `PathWork` of each path.
    number
        Address of a function that numbers the paths of some nodes, at an address, and returns 1.
    executed
        Whether any lane was executed.
    """

    tree: Words
    grow: Address
    work: WordRows
    number: Address
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
        # Kernels call these functions, from which no exception may come.
        this = ref(self)
        self._functions = _GROW(lambda _: _grown(this())), _NUMBER(lambda nodes, count: _numbered(this(), nodes, count))
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
        """Address of a `Followed`, 0 for a shader without branches."""
        return 0 if self.table.straight else self.block.address

    def describe(self) -> None:
        """Give kernels the work of all paths."""
        grow, number = (cast(function, c_void_p).value or 0 for function in self._functions)
        tree = _NOTHING if self.table.straight else self.table.decisions.block
        write(self.block.words, NumberedPaths(tree, grow, self._work.rows(), number, self.executed))

    def grow(self) -> None:
        """Make room for more nodes."""
        self.table.decisions.grow()

    def number(self, nodes: Any) -> None:
        """Number the paths of nodes."""
        self.table.decisions.numbered(nodes, self.table)
        self.describe()


def _grown(paths: StagePaths | None) -> int:
    try:
        assert paths is not None
        paths.grow()
    except MemoryError:
        return 0
    return 1


def _numbered(paths: StagePaths | None, nodes: int, count: int) -> int:
    try:
        assert paths is not None
        paths.number(np.ctypeslib.as_array((c_int32 * count).from_address(nodes)))
    except MemoryError:
        return 0
    return 1


@helper
def execute(address: Any) -> None:
    """Note that lanes are executed."""
    carray(address, _WORDS, np.int64)[_EXECUTED] = 1


@helper
def number_paths(address: Any, nodes: Any) -> Any:
    """Replace the nodes where lanes ended by the numbers of their paths; whether that was possible."""
    paths, known = load(address, NumberedPaths), True
    numbers = carray(paths.tree[TREE.numbers], paths.tree[TREE.capacity], np.int32)
    for i in range(len(nodes)):
        known &= 0 <= numbers[nodes[i]] < len(paths.work)
    if not known and not call_by_address(paths.number, (np.int64(nodes.ctypes.data), np.int64(len(nodes)))):
        return False
    for i in range(len(nodes)):
        nodes[i] = numbers[nodes[i]]
    return True
