"""Fragment shading by a program's kernel: interpolation, shader and texture operations in one call per chunk."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...execute.backend import DEFAULT_INSTRUCTION_LIMIT, ExecutionError, Kernel, Result
from ...execute.kernel_arguments import FragmentField
from ...execute.paths import PathTable
from ...glsl.ir.analysis import reads_in_loops
from ...glsl.ir.program import Shader
from ...jit.native_calls import address
from ..fragments.fragment_shading import ShadedQuads, shaded_quads
from ..fragments.rasterization import Quads
from ..geometry.set_up import Geometry
from ..state import DrawState
from ..texturing.reads import LoggedReads
from .noted_reads import NotedReads, ReadLog, read_rows
from .sampler_blocks import sampler_blocks


class KernelShading:
    """The kernel of a draw with its arguments; shades chunks of a batch of quads.

    Parameters
    ----------
    kernel
        Kernel of the draw's state; see `plan`.
    state, geometry, quads
        What is drawn.
    paths
        Numbers executed paths; None to note neither paths nor texture reads.
    """

    def __init__(
        self, kernel: Kernel, state: DrawState, geometry: Geometry, quads: Quads, paths: PathTable | None
    ) -> None:
        self.kernel, self.shader, self.state, self.paths = kernel, state.program.fragment, state, paths
        constants = np.ascontiguousarray(state.constants.fragment, np.float32)
        # Keeps everything alive that the block points to.
        self._samplers = sampler_blocks(self.shader, state.samplers.fragment, kernel)
        self._kept = (constants, quads, geometry)
        block = self.block = np.zeros(len(FragmentField), np.int64)
        arrays: tuple[tuple[FragmentField, NDArray[Any]], ...] = (
            (FragmentField.PRIMITIVE, quads.primitive),
            (FragmentField.QUAD_X, quads.x),
            (FragmentField.QUAD_Y, quads.y),
            (FragmentField.CORNERS, geometry.corners),
            (FragmentField.WINDOW, geometry.window),
            (FragmentField.OUTPUTS, geometry.outputs),
            (FragmentField.PLANES, geometry.planes),
            (FragmentField.FRONT, geometry.front),
            (FragmentField.EXTENT, geometry.extent),
            (FragmentField.CONSTANTS, constants),
            (FragmentField.SAMPLERS, self._samplers),
        )
        for field, array in arrays:
            assert array.flags.c_contiguous
            block[field] = address(array)
        block[FragmentField.OUTPUT_STRIDE] = geometry.outputs.shape[1]
        block[FragmentField.LIMIT] = DEFAULT_INSTRUCTION_LIMIT

    def __call__(self, which: NDArray[np.int64]) -> ShadedQuads:
        """Results of some quads, by position in the batch."""
        return shaded_quads(self.shader, which, *self.run(which))

    def run(self, which: NDArray[np.int64]) -> tuple[Result, LoggedReads]:
        """Raw results of the kernel for some quads, followed by lanes without meaning; and what it read.

        Raises
        ------
        ExecutionError
            A loop does not terminate.
        """
        block, shader, step = self.block, self.shader, self.kernel.width
        row = (4 * len(which) + step - 1) // step * step
        results = np.empty((len(shader.outputs), 4, row), np.float32)
        killed = np.empty(row, np.bool_) if shader.discards else None
        block[FragmentField.COUNT], block[FragmentField.ROW] = len(which), row
        block[FragmentField.WHICH] = address(which)
        block[FragmentField.RESULTS] = address(results)
        block[FragmentField.KILLED] = 0 if killed is None else address(killed)
        rows = read_rows(shader, self.state.samplers.fragment) if self.paths is not None else ()
        reads = ReadLog(rows, step) if rows and reads_in_loops(shader) else NotedReads(rows, row)
        block[FragmentField.READS] = reads.address
        numbers = self._run(4 * len(which), row, reads)
        return Result(results, killed, numbers), reads.told(row)

    def _run(self, lanes: int, row: int, reads: NotedReads | ReadLog) -> NDArray[np.int32]:
        """Path of each lane; 0 if not requested, or if there is only one."""
        block = self.block
        if self.paths is None or self.paths.straight:
            self._call()
            return np.zeros(lanes, np.int32)
        decisions, nodes = self.paths.decisions, np.empty(row, np.int32)
        block[FragmentField.TREE], block[FragmentField.NODES] = address(decisions.block), address(nodes)
        self._call()
        while decisions.full or reads.full:
            if decisions.full:
                decisions.grow()
            reads.clear(row)
            reads.grow()
            self._call()
        return decisions.numbered(nodes[:lanes], self.paths)

    def _call(self) -> None:
        self.kernel.call(address(self.block))
        if self.block[FragmentField.FAILED]:
            raise endless(self.shader)


def endless(shader: Shader) -> ExecutionError:
    """The error of a shader that does not terminate."""
    return ExecutionError(
        f"{shader.name}: more than {DEFAULT_INSTRUCTION_LIMIT} instructions executed; does a loop never end?"
    )
