"""A draw through all stages, in order; a sink is told what each stage did."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..execute.backend import Backend
from ..stage_clock import COVERAGE, FRAGMENTS, SET_UP, TELLING, VERTICES, SilentClock
from .command import DrawCommand
from .fragments.color_writing import ColorWriter
from .fragments.depth_stencil import depth_test_quads, stencil_table
from .fragments.fragment_shading import ShadedQuads, shade_quads
from .fragments.multisampling import alpha_coverage, rasterize_samples, shifted
from .fragments.rasterization import Quads, Scratch, rasterize
from .fused.geometry_call import GeometryCall
from .fused.native_raster import NativeRaster
from .fused.recording_raster import RecordingRaster
from .fused.whole_draw import WholeDraws
from .fused.workers import Workers
from .geometry.set_up import Geometry, build_geometry
from .geometry.transform_feedback import capture
from .geometry.vertex_fetch import FetchedVertices, fetch_vertices
from .geometry.vertex_shading import ShadedVertices, shade_vertices, varying_slots
from .sink import Sink


@dataclass
class Outcome:
    """What queries want to know of a draw: whether any sample passed, and primitives that transform feedback wrote."""

    any_passed: bool = False
    primitives_written: int = 0


@dataclass(frozen=True)
class Renderer:
    """How draws are executed.

    Attributes
    ----------
    backend
        Executes shaders.
    snap
        Whether window coordinates are snapped to 8 subpixel bits.
    scratch
        Memory of rasterization.
    workers
        Share the fragments of a draw.
    clock
        Told of the stages; one that measures has draws go batch by batch, on one thread.
    """

    backend: Backend
    snap: bool = True
    scratch: Scratch = field(default_factory=Scratch)
    workers: Workers = field(default_factory=Workers)
    clock: SilentClock = field(default_factory=SilentClock)

    @cached_property
    def recorded(self) -> RecordingRaster:
        """Draws what kernels can draw and record by themselves."""
        return RecordingRaster(self.backend, self.clock)

    @cached_property
    def native(self) -> NativeRaster:
        """Draws what kernels can draw by themselves."""
        return NativeRaster(self.backend, self.workers)

    @cached_property
    def geometry(self) -> GeometryCall:
        """Vertices and primitives of draws whose stages are looked at."""
        return GeometryCall(self.backend)

    @cached_property
    def whole(self) -> WholeDraws | None:
        """Draws what needs no look between its stages; None where nothing does."""
        return WholeDraws(self.backend, self.workers) if self.snap and not self.clock.measures else None

    def run(self, draw: DrawCommand, sink: Sink | None) -> Outcome:
        """Execute a draw and tell the sink."""
        if sink is None and self.whole is not None:
            passed = self.whole.run(draw)
            if passed is not None:
                return Outcome(passed)
        outcome = Outcome()
        for instance in range(draw.instances):
            at_once = None
            if not self.clock.measures and not (sink and sink.inputs):
                at_once = self.geometry.run(draw, instance, self.snap)
            fetched, shaded, geometry = at_once or self._geometry(draw, instance, sink, outcome)
            if sink:
                with self.clock.stage(TELLING):
                    sink.geometry(instance, fetched, shaded, geometry)
            if geometry.drawn:
                outcome.any_passed |= self._fragments(draw, geometry, sink)
            if sink:
                with self.clock.stage(TELLING):
                    sink.end_instance()
        return outcome

    def _geometry(
        self, draw: DrawCommand, instance: int, sink: Sink | None, outcome: Outcome
    ) -> tuple[FetchedVertices, ShadedVertices, Geometry]:
        """Everything up to set-up, stage by stage."""
        with self.clock.stage(VERTICES):
            fetched = fetch_vertices(draw, instance)
            shaded = shade_vertices(draw, fetched, self.backend, sink.paths(draw.program, "vertex") if sink else None)
        if draw.feedback is not None:
            outcome.primitives_written += capture(draw.feedback, shaded, fetched.stream, instance)
        if draw.program.captured:
            # What only transform feedback captures goes no further.
            shaded = replace(shaded, outputs=np.ascontiguousarray(shaded.outputs[:, : 4 * varying_slots(draw.program)]))
        with self.clock.stage(SET_UP):
            return fetched, shaded, build_geometry(draw, fetched, shaded, self.snap)

    def _fragments(self, draw: DrawCommand, geometry: Geometry, sink: Sink | None) -> bool:
        """Everything from coverage on; whether any sample passed."""
        drawn = self._natively(draw, geometry, sink)
        if drawn is not None:
            return drawn
        any_passed, faces = False, stencil_table(draw)
        covering = rasterize_samples if draw.target.samples > 1 else rasterize
        for quads in self.clock.iterate(COVERAGE, covering(draw, geometry, self.snap, self.scratch)):
            with self.clock.stage(FRAGMENTS):
                any_passed |= self._raster(draw, geometry, quads, faces, sink)
        return any_passed

    def _natively(self, draw: DrawCommand, geometry: Geometry, sink: Sink | None) -> bool | None:
        """Whether any sample passed; None, and nothing drawn, where the general way must be taken."""
        if sink is None and not self.clock.measures:
            return self.native.run(draw, geometry, self.snap)
        return self.recorded.run(draw, geometry, self.snap, sink)

    def _raster(
        self,
        draw: DrawCommand,
        geometry: Geometry,
        quads: Quads,
        faces: NDArray[np.int64],
        sink: Sink | None,
    ) -> bool:
        """Test, shade and write a batch; whether any sample passed."""
        paths = sink.paths(draw.program, "fragment") if sink else None
        passed = np.zeros(len(quads), np.uint16)
        discarded = np.zeros(len(quads), np.uint8)
        told: list[ShadedQuads] = []
        writer = ColorWriter(draw, quads, self.backend)
        if draw.early_depth:
            depth_stencil_test(draw, geometry, quads, quads.coverage, None, faces, passed)
        hidden = draw.early_depth and not (sink is not None and sink.shade_occluded)
        which = np.flatnonzero(passed) if hidden else np.arange(len(quads))
        for chunk in shade_quads(draw, geometry, quads, which, self.backend, paths):
            if not draw.early_depth:
                part = quads.take(chunk.quads)
                killed = lane_mask(chunk.killed, len(part))
                discarded[chunk.quads] = killed & covered_lanes(part.coverage)
                lanes = np.zeros(len(part), np.uint16)
                alive = part.coverage & ~(killed * np.uint16(0x1111))
                if draw.alpha_to_coverage and 0 in chunk.colors:
                    chunk = replace(chunk, alpha_coverage=alpha_coverage(chunk.colors[0][3, : 4 * len(part)]))
                    alive &= chunk.alpha_coverage
                depth_stencil_test(draw, geometry, part, alive, chunk.depth, faces, lanes)
                passed[chunk.quads] = lanes
            writer.write(chunk.quads, passed, chunk.colors)
            if sink:
                told.append(chunk)
        if sink:
            with self.clock.stage(TELLING):
                sink.quads(quads, passed, discarded, told)
        return bool(passed.any())


def lane_mask(lanes: NDArray[np.bool_] | None, quads: int) -> NDArray[np.uint16]:
    """One bit per lane of each quad, (quads,), from a bool per lane, (4 * quads,)."""
    if lanes is None:
        return np.zeros(quads, np.uint16)
    return (lanes.reshape(quads, 4) @ np.array([1, 2, 4, 8], np.uint16)).astype(np.uint16)


def covered_lanes(coverage: NDArray[np.uint16]) -> NDArray[np.uint16]:
    """Lanes with any covered sample."""
    return np.asarray((coverage | coverage >> 4 | coverage >> 8 | coverage >> 12) & 0xF, np.uint16)


def depth_stencil_test(
    draw: DrawCommand,
    geometry: Geometry,
    quads: Quads,
    lanes: NDArray[np.uint16],
    shader_depth: NDArray[np.float32] | None,
    faces: NDArray[np.int64],
    passed: NDArray[np.uint16],
) -> None:
    """Stencil and depth tests of a batch, sample by sample; see `depth_test_quads`."""
    target = draw.target
    if not draw.depth_test and not draw.stencil_test:
        passed[:] = lanes
        return
    by_shader = np.zeros((4, 0), np.float32)
    if shader_depth is not None:
        by_shader = np.ascontiguousarray(shader_depth.reshape(-1, 4).T)
    for sample in range(target.samples):
        many = target.samples > 1
        depth = target.depth if target.depth is not None else np.zeros((target.samples, 1, 1)[not many :], np.uint32)
        stencil = (
            target.stencil if target.stencil is not None else np.zeros((target.samples, 1, 1)[not many :], np.uint8)
        )
        outcome = np.zeros(len(quads), np.uint16)
        depth_test_quads(
            quads.primitive,
            quads.x,
            quads.y,
            lanes >> np.uint16(4 * sample) & np.uint16(0xF),
            shifted(geometry, sample).planes if many else geometry.planes,
            geometry.front,
            by_shader,
            depth[sample] if many else depth,
            target.depth_format,
            draw.depth_test,
            draw.depth_function & 7,
            draw.depth_write,
            stencil[sample] if many else stencil,
            draw.stencil_test,
            faces,
            outcome,
        )
        passed |= outcome << np.uint16(4 * sample)
