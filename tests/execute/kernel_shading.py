"""Runs a program's fragment kernel on quads, without the rest of the pipeline."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.compile.blocks import Block, block_of, place_of
from tilegpu.functional.execute.backend import Kernel, Result, endless
from tilegpu.functional.execute.kernel_arguments import FragmentArguments
from tilegpu.functional.execute.paths import PathTable
from tilegpu.functional.glsl.ir.analysis import reads_in_loops
from tilegpu.functional.pipeline.fragments.fragment_shading import ShadedQuads, shaded_quads
from tilegpu.functional.pipeline.fragments.rasterization import Quads
from tilegpu.functional.pipeline.fused.noted_reads import NotedReads, ReadLog, read_rows
from tilegpu.functional.pipeline.fused.sampler_blocks import sampler_blocks
from tilegpu.functional.pipeline.geometry.set_up import Geometry
from tilegpu.functional.pipeline.state import DrawState
from tilegpu.functional.pipeline.texturing.reads import LoggedReads

_FAILED = place_of(FragmentArguments, "failed")


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
        nothing = np.empty(0, np.int64)
        self._arguments = FragmentArguments(
            which=nothing,
            primitive=quads.primitive,
            quad_x=quads.x,
            quad_y=quads.y,
            corners=geometry.corners,
            window=geometry.window,
            outputs=geometry.outputs,
            planes=geometry.planes,
            front=geometry.front,
            extent=geometry.extent,
            constants=constants,
            samplers=sampler_blocks(self.shader, state.samplers.fragment, kernel),
            reads=nothing,
            results=np.empty((0, 0), np.float32),
            killed=np.empty(0, np.uint32),
            tree=nothing,
            nodes=np.empty(0, np.int32),
        )

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
        shader, step = self.shader, self.kernel.width
        row = (4 * len(which) + step - 1) // step * step
        results = np.empty((len(shader.outputs), 4, row), np.float32)
        killed = np.empty(row if shader.discards else 0, np.bool_)
        rows = read_rows(shader, self.state.samplers.fragment) if self.paths is not None else ()
        reads = ReadLog(rows, step) if rows and reads_in_loops(shader) else NotedReads(rows, row)
        arguments = self._arguments._replace(
            which=which,
            reads=reads.arguments,
            results=results.reshape(4 * len(shader.outputs), row),
            killed=killed.view(np.uint32),
        )
        numbers = self._run(arguments, 4 * len(which), reads)
        return Result(results, killed if shader.discards else None, numbers), reads.records(row)

    def _run(self, arguments: FragmentArguments, lanes: int, reads: NotedReads | ReadLog) -> NDArray[np.int32]:
        """Path of each lane; 0 if not requested, or if there is only one."""
        if self.paths is None or self.paths.straight:
            self._call(block_of(arguments))
            return np.zeros(lanes, np.int32)
        row = arguments.results.shape[1]
        decisions, nodes = self.paths.decisions, np.empty(row, np.int32)
        block = block_of(arguments._replace(tree=decisions.block, nodes=nodes))
        self._call(block)
        while decisions.full or reads.full:
            if decisions.full:
                decisions.grow()
            reads.clear(row)
            reads.grow()
            self._call(block)
        return decisions.numbered(nodes[:lanes], self.paths)

    def executed(self, which: NDArray[np.int64]) -> NDArray[np.int32]:
        """Instructions that each lane of some quads executes, by a kernel that notes them."""
        lanes = 4 * len(which) + self.kernel.width
        results, nodes = np.empty((4 * len(self.shader.outputs), lanes), np.float32), np.empty(lanes, np.int32)
        killed = np.empty(lanes if self.shader.discards else 0, np.uint32)
        self._call(block_of(self._arguments._replace(which=which, results=results, killed=killed, nodes=nodes)))
        return nodes[: 4 * len(which)]

    def _call(self, block: Block) -> None:
        self.kernel.call(block.address)
        if block.words[_FAILED]:
            raise endless(self.shader)
