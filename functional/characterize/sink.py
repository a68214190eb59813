"""Counts draws that the pipeline executes batch by batch, because kernels do not support them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..execute.paths import PathTable
from ..glsl import LinkedProgram
from ..glsl.ir.program import Stage
from ..pipeline.command import DrawCommand
from ..pipeline.fragments.fragment_shading import ShadedQuads
from ..pipeline.fragments.rasterization import Quads
from ..pipeline.fused.counted_reads import CountedOperations, count_logged
from ..pipeline.fused.counted_state import filtered_texels
from ..pipeline.fused.counting_kernels import count_assembled
from ..pipeline.fused.counting_state import WORK
from ..pipeline.fused.geometry_block import geometry_block
from ..pipeline.geometry.set_up import Geometry
from ..pipeline.geometry.vertex_fetch import FetchedVertices
from ..pipeline.geometry.vertex_shading import ShadedVertices
from ..pipeline.texturing.reads import OPERATION
from ..recording.geometry_rows import InstancePlace, record_geometry
from ..recording.quad_rows import BatchPlace, record_quads
from ..recording.reads import logged_reads
from ..recording.sink import paths_of
from ..recording.summary import COUNT, Summary
from ..recording.summary import WORK as PATH_WORK

if TYPE_CHECKING:
    from .counter import DrawCounter

_NO_TABLES = 0, 0, 0
_NOWHERE = InstancePlace(0, 0, 0, 0, -1, -1, -1)


class CountingSink:
    """Sink of one draw, which counts.

    Parameters
    ----------
    draw
        The draw.
    summary
        Counts of all programs.
    program
        Number of the draw's program.
    work
        int64, `Work` of the program's draws, to add to.
    counter
        Numbers paths, and knows how tiles are counted.
    """

    joining = None
    shade_occluded = colors = False

    def __init__(
        self, draw: DrawCommand, summary: Summary, program: int, work: NDArray[np.int64], counter: DrawCounter
    ) -> None:
        self.draw, self.summary, self.program = draw, summary, program
        self.work, self.counter = work, counter
        samplers = draw.state.samplers.fragment
        self._filtered = np.array([filtered_texels(s) if s.storage is not None else 0 for s in samplers], np.int64)
        marked = [counter.marking(s) if s.storage is not None else None for s in samplers]
        self._marked = marked, np.array([0 if one is None else one.address for one in marked], np.int64)
        self._first_level = np.array([s.base_level for s in samplers], np.int64)
        self._quads: Quads
        self._parts: list[ShadedQuads] = []
        self._texels = 0
        work[WORK.draws] += draw.vertices.stream.draws

    def observer(self) -> None:
        """Nothing: it is notified of stages."""

    def paths(self, program: LinkedProgram, stage: Stage) -> PathTable:
        """The table that numbers the executed paths of a stage."""
        return self.counter.paths(program, stage)

    def _tally(self, stage: Stage) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        paths = self.paths(self.draw.state.program, stage)
        return self.summary.of(self.program), self.summary.work(paths)

    def begin_batch(self, quads: Quads) -> None:
        """Begin a batch of covered quads."""
        self._quads, self._parts, self._texels = quads, [], 0

    def add_part(self, part: ShadedQuads) -> None:
        """Count the texels that a shaded part requests and mark their blocks; the rest follows when the batch ends."""
        self._parts.append(part)
        if part.reads:
            logged = logged_reads(part.reads)
            operations = tuple(self._operations(logged.operations))
            self._texels += count_logged(tuple(logged), operations, (self._quads.coverage, part.quads))

    def _operations(self, operations: NDArray[np.int64]) -> CountedOperations:
        """Counting of the reads of some operations of `LoggedReads`."""
        sampler, recorded = operations[:, OPERATION.sampler], operations[:, OPERATION.recorded]
        filtered, marking = recorded * self._filtered[sampler], recorded * self._marked[1][sampler]
        return CountedOperations(filtered, marking, self._first_level[sampler])

    def end_batch(self, passed: NDArray[np.uint16], discarded: NDArray[np.uint8]) -> None:
        """Count the lanes of the batch, and what they executed."""
        quads = self._quads
        where = BatchPlace(-1, 0, self.draw.state.early_depth)
        batch = quads.primitive, quads.x, quads.y, quads.coverage, passed, discarded
        record_quads(self._tally("fragment"), 0, tuple(where), batch, paths_of(self._parts))
        self.work[WORK.texels] += self._texels

    def drop_batch(self) -> None:
        """Count nothing of a batch that is not shaded completely."""

    def geometry(self, instance: int, fetched: FetchedVertices, shaded: ShadedVertices, geometry: Geometry) -> None:
        """Count vertices and primitives of an instance."""
        address = geometry_block(geometry, self.draw.raster_state.box).address
        counts, work = tally = self._tally("vertex")
        record_geometry(tally, _NO_TABLES, tuple(_NOWHERE), (fetched.indices, shaded.paths), address)
        tiles = *self.counter.lists.of(self.draw), *self.counter.signatures.of(self.draw)
        constants = self.draw.state.constants
        signed = constants.vertex, constants.fragment
        count_assembled(address, self.work, (*self.counter.tile, *tiles), signed)
        times = self.draw.vertices.stream.times
        if times is not None:
            # Vertices that joined draws share are shaded once here, but once per draw otherwise.
            counts[COUNT.vertices] += (times - 1).sum()
            counts[COUNT.vertex_instructions] += (times - 1) @ work[shaded.paths, PATH_WORK.instructions]
