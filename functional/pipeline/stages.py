"""Executes draws stage by stage: the reference, which accepts any draw and reports what each stage did."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import ExecutionError
from ..execute.backend import Backend
from ..stage_clock import COVERAGE, FRAGMENTS, SET_UP, TELLING, VERTICES, SilentClock
from .command import DrawCommand
from .fragments.color_writing import write_colors
from .fragments.depth_stencil import depth_stencil_test
from .fragments.fragment_shading import ShadedQuads, covered_lanes, operation_shading, shade_quads
from .fragments.multisampling import alpha_coverage, rasterize_samples
from .fragments.rasterization import Quads, Scratch, rasterize
from .geometry.set_up import Geometry, Primitives, build_geometry
from .geometry.transform_feedback import capture
from .geometry.vertex_fetch import fetch_vertices
from .geometry.vertex_shading import passed_on, shade_vertices
from .sink import Sink
from .state import DrawState


class _Outcome(NamedTuple):
    """Outcome of the quads of a batch, to fill: samples that pass, and lanes that are discarded; bits, (quads,)."""

    passed: NDArray[np.uint16]
    discarded: NDArray[np.uint8]


class Stages:
    """Executes draws stage by stage.

    Parameters
    ----------
    backend
        Executes shaders.
    snap
        Whether window coordinates are snapped to 8 subpixel bits.
    clock
        Notified of the stages.
    """

    def __init__(self, backend: Backend, snap: bool, clock: SilentClock) -> None:
        self.backend, self.snap, self.clock = backend, snap, clock
        self._scratch = Scratch()

    def primitives(self, draw: DrawCommand, instance: int, sink: Sink | None) -> Primitives:
        """Vertices and primitives of an instance, up to set-up."""
        program = draw.state.program
        with self.clock.stage(VERTICES):
            fetched = fetch_vertices(draw, instance)
            shaded = shade_vertices(draw, fetched, self.backend, sink.paths(program, "vertex") if sink else None)
        written = 0
        if draw.feedback is not None:
            written = capture(draw.feedback, shaded, fetched.stream, instance)
        shaded = passed_on(program, shaded)
        with self.clock.stage(SET_UP):
            return Primitives(fetched, shaded, build_geometry(draw, fetched, shaded, self.snap), written)

    def fragments(self, draw: DrawCommand, geometry: Geometry, sink: Sink | None) -> bool:
        """Everything from coverage on; whether any sample passed."""
        any_passed = False
        covering = rasterize_samples if draw.state.target.samples > 1 else rasterize
        for quads in self.clock.iterate(COVERAGE, covering(draw, geometry, self._scratch)):
            with self.clock.stage(FRAGMENTS):
                any_passed |= self._batch(draw, geometry, quads, sink)
        return any_passed

    def _batch(self, draw: DrawCommand, geometry: Geometry, quads: Quads, sink: Sink | None) -> bool:
        """Test, shade and write a batch; whether any sample passed."""
        state, passed = draw.state, np.zeros(quads.number, np.uint16)
        paths = sink.paths(state.program, "fragment") if sink else None
        alive = passed if state.early_depth else quads.coverage
        shading = operation_shading(self.backend, draw, geometry, quads, alive, paths)
        discarded = np.zeros(quads.number, np.uint8)
        if sink:
            with self.clock.stage(TELLING):
                sink.begin_batch(quads)
        if state.early_depth:
            depth_stencil_test(state, geometry, quads, quads.coverage, None, passed)
        any_early = bool(passed.any())
        hidden = state.early_depth and not (sink is not None and sink.shade_occluded)
        which = np.flatnonzero(passed) if hidden else np.arange(quads.number)
        try:
            for chunk in shade_quads(shading, which):
                chunk = self._late(state, geometry, quads, chunk, _Outcome(passed, discarded))
                write_colors(state, quads.take(chunk.quads), passed[chunk.quads], chunk.colors, self.backend)
                if sink:
                    with self.clock.stage(TELLING):
                        sink.add_part(chunk)
        except ExecutionError:
            if sink:
                sink.drop_batch()
            raise
        if sink:
            with self.clock.stage(TELLING):
                sink.end_batch(passed, discarded)
        return any_early or bool(passed.any())

    @staticmethod
    def _late(
        state: DrawState,
        geometry: Geometry,
        quads: Quads,
        chunk: ShadedQuads,
        outcome: _Outcome,
    ) -> ShadedQuads:
        """Take the decisions of shading: fills in the outcome of the chunk, after tests unless these came before.

        Returns the chunk with the coverage that its alpha gave.
        """
        if state.early_depth and not state.shading_decides:
            return chunk
        (passed, discarded), part = outcome, quads.take(chunk.quads)
        killed = lane_mask(chunk.killed, part.number)
        before = passed[chunk.quads] if state.early_depth else part.coverage
        discarded[chunk.quads] = killed & covered_lanes(before)
        alive = before & ~(killed * np.uint16(0x1111))
        if state.blending.alpha_to_coverage and 0 in chunk.colors:
            chunk = chunk._replace(alpha_coverage=alpha_coverage(chunk.colors[0][3, : 4 * part.number]))
            alive &= chunk.alpha_coverage
        if state.early_depth:
            passed[chunk.quads] = alive
        else:
            tested = np.zeros(part.number, np.uint16)
            depth_stencil_test(state, geometry, part, alive, chunk.depth, tested)
            passed[chunk.quads] = tested
        return chunk


def lane_mask(lanes: NDArray[np.bool_] | None, quads: int) -> NDArray[np.uint16]:
    """One bit per lane of each quad, (quads,), from a bool per lane, (4 * quads,)."""
    if lanes is None:
        return np.zeros(quads, np.uint16)
    return (lanes.reshape(quads, 4) @ np.array([1, 2, 4, 8], np.uint16)).astype(np.uint16)
