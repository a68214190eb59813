"""Notes of vertex kernels for a recording: texels read, and decisions at branches."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...compile.blocks import block_of
from ...execute.paths import PathTable
from ..command import DrawCommand
from ..geometry.vertex_shading import CHUNK
from ..texturing.reads import Reads
from .noted_reads import NotedReads, read_rows
from .observing import MAX_LANES
from .vertex_kernels import VertexNotes

_NOTHING = np.zeros(0, np.int64)


class NotedVertices:
    """Room for the notes of a draw's vertices.

    Parameters
    ----------
    draw
        The draw.
    paths
        Numbers the paths of its vertex shader.

    Attributes
    ----------
    address
        Of `VertexNotes`, for a kernel that notes decisions if the shader branches.
    """

    def __init__(self, draw: DrawCommand, paths: PathTable) -> None:
        self._count, self._paths = len(draw.vertices.stream.distinct), paths
        lanes = self._count + MAX_LANES
        self._rows = read_rows(draw.state.program.vertex, draw.state.samplers.vertex)
        self._reads = NotedReads(self._rows, lanes)
        self._decisions = None if paths.straight else paths.decisions
        self._nodes = np.empty(0 if self._decisions is None else lanes, np.int32)
        tree = _NOTHING if self._decisions is None else self._decisions.block
        self._block = block_of(VertexNotes(self._reads.blocks, tree, self._nodes))
        self.address = self._block.address

    def grown(self) -> bool:
        """Whether there was too little room for decisions: there is more now, for the kernel to run again."""
        if self._decisions is None or not self._decisions.full:
            return False
        self._decisions.grow()
        return True

    def paths(self) -> NDArray[np.int32]:
        """Path of each vertex."""
        if self._decisions is None:
            return np.zeros(self._count, np.int32)
        return self._decisions.numbered(self._nodes[: self._count], self._paths)

    def reads(self) -> list[tuple[int, Reads]]:
        """As in `ShadedVertices`. Call it only once."""
        noted = self._reads.records(self._count)
        reads = []
        for first in range(0, self._count, CHUNK):
            part = slice(first, min(first + CHUNK, self._count))
            for number, row in enumerate(self._rows):
                # Without derivatives, there is one probe.
                if row.recorded and row.probe == 0:
                    levels, x, y = noted.levels[number, :, part], noted.x[number, :, part], noted.y[number, :, part]
                    face, linear = noted.face[number, part], noted.linear[number, part]
                    reads.append((first, Reads(row.pc, row.sampler, levels, x, y, face, linear, None)))
        return reads
