"""Fragments of draws that are recorded or measured: the sink is notified of what the kernels of a batch did."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...compile.blocks import Block
from ...errors import ExecutionError
from ...execute.backend import endless
from ...execute.paths import PathTable
from ...stage_clock import COVERAGE, FRAGMENTS, TELLING, SilentClock
from ..command import DrawCommand
from ..fragments.fragment_shading import ShadedQuads
from ..geometry.set_up import Geometry
from ..sink import Sink
from .batch_kernels import shade_geometry
from .batch_memory import BatchDraw, BatchMemories, BatchMemory
from .batch_shading import ENDLESS
from .batch_state import CHUNK_QUADS, QUAD_COUNTS
from .geometry_block import geometry_block
from .noted_reads import NotedReads, ReadLog, ReadRow, quads_noted
from .observing import MAX_LANES

LOGGED_QUADS = 8 * CHUNK_QUADS
"""Quads per log: the sink gets notes before they leave the cache."""
MAX_NOTES = 8
"""Most kinds of draws whose notes are kept."""
_NOTHING = np.zeros(0, np.int64)


class RecordingRaster:
    """Rasterizes, tests, shades and writes draws, and notifies the sink.

    Parameters
    ----------
    clock
        Notified of the stages.
    """

    def __init__(self, clock: SilentClock) -> None:
        self.clock = clock
        self._memories, self._memory = BatchMemories(), BatchMemory()
        self._reads: dict[tuple[tuple[ReadRow, ...], bool], tuple[int, NotedReads | ReadLog]] = {}

    def run(self, draw: DrawCommand, state: BatchDraw, geometry: Geometry, sink: Sink | None) -> bool:
        """Whether any sample passed.

        Raises
        ------
        ExecutionError
            A shader does not terminate.
        """
        self._memory = self._memories.prepared(state)
        block, counts = geometry_block(geometry, draw.raster_state.box), self._memory.batch.counts
        addresses = self._memory.address, block.address
        any_passed, start = False, 0
        keep_hidden = int(sink is not None and sink.shade_occluded)
        while start < len(geometry.culled):
            with self.clock.stage(COVERAGE):
                start = state.cover(*addresses, start, keep_hidden)
            count = int(counts[QUAD_COUNTS.covered])
            if count:
                any_passed |= self._batch(draw, state, block, sink, count, int(counts[QUAD_COUNTS.chosen]))
        return any_passed

    def _batch(
        self, draw: DrawCommand, state: BatchDraw, block: Block, sink: Sink | None, count: int, shaded: int
    ) -> bool:
        """Shade a batch and notify the sink; whether any sample passed."""
        batch, discarded = self._memory.batch, np.zeros(count, np.uint8)
        passed = batch.passed[:count]
        paths = sink.paths(draw.state.program, "fragment") if sink else None
        step, reads = self._reads_of(state, state.read_rows if sink else ())
        colors = sink is not None and sink.colors
        if sink:
            with self.clock.stage(TELLING):
                sink.begin_batch(batch.quads.take(slice(count)))
        try:
            for begin in range(0, shaded, step):
                some = begin, min(begin + step, shaded)
                part = self._part(state, block, some, discarded, paths, reads, colors)
                if sink:
                    with self.clock.stage(TELLING):
                        sink.add_part(part)
        except ExecutionError:
            if sink:
                sink.drop_batch()
            raise
        if sink:
            with self.clock.stage(TELLING):
                sink.end_batch(passed, discarded)
        # Several times faster than `any` for few quads.
        return bool(np.count_nonzero(passed))

    def _part(
        self,
        state: BatchDraw,
        block: Block,
        quads: tuple[int, int],
        discarded: NDArray[np.uint8],
        paths: PathTable | None,
        reads: NotedReads | ReadLog,
        colors: bool,
    ) -> ShadedQuads:
        """Shade a range of the quads that the batch selected; notes have room for them."""
        begin, end = quads
        number = end - begin
        depth = state.depth_output
        outputs = np.empty((4 * state.outputs if colors or depth >= 0 else 0, 4 * number), np.float32)
        alpha = np.empty(number if state.alpha_covers else 0, np.uint16)
        # Kernels fill whole vectors.
        reads.clear(-(-4 * number // state.kernel.width) * state.kernel.width)
        with self.clock.stage(FRAGMENTS):
            executed = self._shade(state, block, quads, (discarded, outputs, alpha), paths, reads)
        return ShadedQuads(
            self._memory.batch.which[begin:end],
            state.colors_in(outputs),
            outputs[depth] if depth >= 0 else None,
            None,
            executed,
            reads.records(4 * number),
            alpha if state.alpha_covers else None,
        )

    def _reads_of(self, state: BatchDraw, rows: tuple[ReadRow, ...]) -> tuple[int, NotedReads | ReadLog]:
        """Room for the reads of some quads, and the number of these quads."""
        key = rows, state.reads_in_loops
        notes = self._reads.get(key)
        if notes is None:
            if len(self._reads) == MAX_NOTES:
                self._reads.pop(next(iter(self._reads)))
            quads = quads_noted(rows)
            if rows and state.reads_in_loops:
                notes = LOGGED_QUADS, ReadLog(rows, state.kernel.width)
            else:
                notes = quads, NotedReads(rows, 4 * quads if rows else 0)
            self._reads[key] = notes
        return notes

    def _shade(
        self,
        state: BatchDraw,
        block: Block,
        quads: tuple[int, int],
        filled: tuple[NDArray[Any], ...],
        paths: PathTable | None,
        reads: NotedReads | ReadLog,
    ) -> NDArray[np.int32]:
        """Shade a range of quads, with the arrays of `ShadingReport` to fill; the path of each lane, 0 if not requested
        or if there is only one."""
        decisions = None if paths is None or paths.straight else paths.decisions
        (done, end), lanes = quads, 4 * (quads[1] - quads[0])
        # Kernels fill whole vectors.
        nodes = np.empty(0 if decisions is None else lanes + MAX_LANES, np.int32)
        addresses = self._memory.address, block.address
        while done < end:
            tree = _NOTHING if decisions is None else decisions.block
            report = quads[0], reads.blocks, *filled, tree, nodes, *reads.log
            done = shade_geometry(*addresses, done, end, report)
            if done == ENDLESS:
                raise endless(state.shader)
            if decisions is not None and decisions.full:
                decisions.grow()
            reads.grow()
        if paths is None or decisions is None:
            return np.zeros(lanes, np.int32)
        return decisions.numbered(nodes[:lanes], paths)
