"""Executed paths: the basic blocks that a lane executed, stored once per distinct sequence.

Paths are numbered in order of first appearance, lane by lane.
"""

from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..glsl.ir.analysis import blocks
from ..glsl.ir.program import Shader
from .decisions import Decisions

Run = tuple[int, int]
NodeFunction = Callable[[int], int]


class PathTable:
    """Distinct paths through a shader, as a trie of runs (first pc of a block, repetitions).

    A node represents everything executed so far; lanes that did the same share it.

    Parameters
    ----------
    shader : Shader
        Shader of these paths.

    Attributes
    ----------
    nodes
        Of each node its parent, which has a smaller number, and its run.
    ends
        Node at which each path ends.
    """

    def __init__(self, shader: Shader) -> None:
        self.shader = shader
        self.straight = len(blocks(shader)) == 1
        self.nodes: list[tuple[int, int, int]] = [(-1, -1, 0)]
        self.ends: list[int] = []
        self._steps: dict[tuple[int, int], int] = {}
        self._numbers: dict[int, int] = {}
        if self.straight:
            self.number(self.step(0, 0))

    def __len__(self) -> int:
        return len(self._numbers)

    @cached_property
    def decisions(self) -> Decisions:
        """Decisions, which kernels note instead of blocks."""
        return Decisions(self.shader)

    def step(self, node: int, first_pc: int) -> int:
        """The node reached from ``node`` by executing a block."""
        key = (node, first_pc)
        following = self._steps.get(key)
        if following is None:
            parent, last, repetitions = self.nodes[node]
            again = last == first_pc
            self.nodes.append((parent, last, repetitions + 1) if again else (node, first_pc, 1))
            following = self._steps[key] = len(self.nodes) - 1
        return following

    def number(self, node: int) -> int:
        """The path number of a node where execution ended."""
        path = self._numbers.get(node)
        if path is None:
            path = self._numbers[node] = len(self.ends)
            self.ends.append(node)
        return path

    def runs(self, path: int) -> tuple[Run, ...]:
        """The path as (first pc of a block, repetitions), in order of execution."""
        node = self.ends[path]
        reversed_runs: list[Run] = []
        while node > 0:
            parent, first_pc, repetitions = self.nodes[node]
            reversed_runs.append((first_pc, repetitions))
            node = parent
        return tuple(reversed(reversed_runs))

    def all_runs(self) -> list[tuple[Run, ...]]:
        """Every path; the index is the path number."""
        return [self.runs(path) for path in range(len(self._numbers))]


class LanePaths:
    """Position of each lane of a run in the trie: one node while all lanes stay together, then one each."""

    def __init__(self, table: PathTable, lanes: int) -> None:
        self.table = table
        self.lanes = lanes
        self.together = 0
        self.nodes: NDArray[np.int32] | None = None

    def execute(self, first_pc: int, mask: NDArray[np.bool_] | None) -> None:
        """The lanes of ``mask`` (None: all) execute a block."""
        if self.nodes is None:
            if mask is None:
                self.together = self.table.step(self.together, first_pc)
                return
            self.nodes = np.full(self.lanes, self.together, np.int32)
        present = self.nodes if mask is None else self.nodes[mask]
        following = self._mapped(present, lambda node: self.table.step(node, first_pc))
        if mask is None:
            self.nodes = following
        else:
            self.nodes[mask] = following

    def numbers(self) -> NDArray[np.uint32]:
        """Path number per lane, now that all are at the end."""
        if self.nodes is None:
            return np.full(self.lanes, self.table.number(self.together), np.uint32)
        # In order of lanes, so that numbers do not depend on how lanes are split into runs.
        for lane in np.sort(np.unique(self.nodes, return_index=True)[1]):
            self.table.number(int(self.nodes[lane]))
        return self._mapped(self.nodes, self.table.number).astype(np.uint32)

    def _mapped(self, nodes: NDArray[np.int32], function: NodeFunction) -> NDArray[np.int32]:
        distinct, inverse = np.unique(nodes, return_inverse=True)
        return np.array([function(int(node)) for node in distinct], np.int32)[inverse]
