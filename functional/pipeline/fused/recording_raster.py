"""Fragments of draws that are recorded or measured: what the kernels of a batch did is told to the sink."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...execute.kernel_arguments import LogField
from ...execute.paths import PathTable
from ...stage_clock import COVERAGE, FRAGMENTS, TELLING, SilentClock
from ..command import DrawCommand
from ..fragments.fragment_shading import ShadedQuads
from ..fragments.rasterization import Quads
from ..geometry.set_up import Geometry
from ..sink import Sink
from .batch_kernels import cover_geometry, shade_geometry
from .batch_memory import BatchDraw, BatchMemory
from .batch_shading import ENDLESS
from .batch_state import BatchField, Block
from .geometry_block import geometry_block
from .kernel_shading import endless
from .noted_reads import NO_NOTES, NotedReads
from .read_log import ReadLog

MAX_LANES = 16
"""Of a vector."""
_NOTHING = np.zeros(0, np.int64)
_PASSED, _WHICH = BatchField.PASSED, BatchField.WHICH
_QUADS = (BatchField.PRIMITIVE, BatchField.QUAD_X, BatchField.QUAD_Y, BatchField.COVERAGE)


class RecordingRaster:
    """Rasterizes, tests, shades, writes and tells draws.

    Parameters
    ----------
    snap
        Whether window coordinates are snapped.
    clock
        Told of the stages.
    """

    def __init__(self, snap: bool, clock: SilentClock) -> None:
        self.snap, self.clock = snap, clock
        self._memory = BatchMemory(0, 0)
        self._log: ReadLog | None = None

    def run(self, draw: DrawCommand, state: BatchDraw, geometry: Geometry, sink: Sink | None) -> bool:
        """Whether any sample passed.

        Raises
        ------
        ExecutionError
            A shader does not come to its end.
        """
        target = draw.state.target
        if self._memory.size != (target.width, target.height):
            self._memory = BatchMemory(target.width, target.height)
        self._memory.prepare(state)
        block = geometry_block(geometry, self.snap, draw.raster_state.box)
        any_passed, start = False, 0
        keep_hidden = sink is not None and sink.shade_occluded
        while start < len(geometry.culled):
            with self.clock.stage(COVERAGE):
                start, count, shaded = cover_geometry(self._memory.state, block.fields, start, keep_hidden)
            if count:
                any_passed |= self._batch(draw, state, block, sink, count, shaded)
        return any_passed

    def _batch(
        self, draw: DrawCommand, state: BatchDraw, block: Block, sink: Sink | None, count: int, shaded: int
    ) -> bool:
        """Shade and tell a batch; whether any sample passed."""
        shader, arrays = state.shader, self._memory.arrays
        lanes, step = 4 * shaded, state.kernel.width
        row = -(-lanes // step) * step
        log = self._log_for(state) if sink else None
        asked = sink is not None and log is None and state.texture_operations
        reads = NotedReads(draw.state.samplers.fragment, state.texture_operations, row) if asked else None
        discarded = np.zeros(count, np.uint8)
        depths = np.empty(lanes if shader.writes_depth else 0, np.float32)
        paths = sink.paths(draw.state.program, "fragment") if sink else None
        with self.clock.stage(FRAGMENTS):
            executed = self._shade(
                draw, block, shaded, (reads.blocks if reads else NO_NOTES, discarded, depths), paths, log
            )
        passed = arrays[_PASSED][:count]
        if sink is None:
            return bool(passed.any())
        primitive, x, y, coverage = (arrays[field][:count] for field in _QUADS)
        part = ShadedQuads(
            arrays[_WHICH][:shaded],
            {},
            depths if shader.writes_depth else None,
            None,
            executed,
            reads.told() if reads else [] if log is None else log.told(draw.state),
        )
        with self.clock.stage(TELLING):
            sink.quads(Quads(primitive, x, y, coverage), passed, discarded, [part] if shaded else [])
        return bool(passed.any())

    def _log_for(self, state: BatchDraw) -> ReadLog | None:
        """An empty log, where the kernel needs one."""
        if not state.reads_in_loops:
            return None
        if self._log is None:
            self._log = ReadLog(state.kernel.width)
        self._log.clear()
        return self._log

    def _shade(
        self,
        draw: DrawCommand,
        block: Block,
        shaded: int,
        filled: tuple[NDArray[np.int64], NDArray[np.uint8], NDArray[np.float32]],
        paths: PathTable | None,
        log: ReadLog | None,
    ) -> NDArray[np.int32]:
        """Shade a batch, with the first fields of `Told`; the path of each lane, 0 where nobody asks, or there is but
        one."""
        decisions = None if paths is None or paths.straight else paths.decisions
        # Kernels fill whole vectors.
        nodes = np.empty(0 if decisions is None else 4 * shaded + MAX_LANES, np.int32)
        done = 0
        while done < shaded:
            tree = _NOTHING if decisions is None else decisions.block
            logged = (_NOTHING, _NOTHING) if log is None else (log.block, log.arrays[LogField.LANE])
            told = (*filled, tree, nodes, *logged)
            done = shade_geometry(self._memory.state, block.fields, done, shaded, told)
            if done == ENDLESS:
                raise endless(draw.state.program.fragment)
            if decisions is not None and decisions.full:
                decisions.grow()
            if log is not None and log.full:
                log.grow()
        if paths is None or decisions is None:
            return np.zeros(4 * shaded, np.int32)
        return decisions.numbered(nodes[: 4 * shaded], paths)
