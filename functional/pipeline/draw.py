"""Executes draws in one of two ways: by fused kernels if possible, otherwise stage by stage; a sink is notified of what
the stages did."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from ..compile.blocks import Block
from ..execute.backend import Backend
from ..stage_clock import TELLING, SilentClock
from .command import DrawCommand
from .compute.dispatch import Dispatch, DispatchSink, execute_dispatch
from .compute.native import compute_kernel, run_kernel
from .fused.batch_memory import BatchDraw
from .fused.counted_state import CountedState
from .fused.draws import FusedDraws
from .fused.plan import MEASURED, Plan, plan
from .fused.workers import Workers
from .geometry.set_up import Geometry, Primitives
from .sink import Joining, Sink
from .stages import Stages


@dataclass(slots=True)
class Outcome:
    """Counts of a draw for queries: whether any sample passed, and primitives that transform feedback wrote."""

    any_passed: bool = False
    primitives_written: int = 0


class Counter(Protocol):
    """Counts the work of draws that no sink observes."""

    @property
    def active(self) -> bool:
        """Whether draws are counted now."""

    def counted(self, draw: DrawCommand) -> CountedState:
        """Counts that kernels can add to as they execute a draw."""

    def begin(self, draw: DrawCommand, counted: CountedState) -> None:
        """Note that kernels are about to execute a draw and add to some counts, which the counter will take."""

    def leaves_out_colors(self, window: bool) -> bool:
        """Whether the colours of windows, or of other framebuffers, need not be drawn."""

    def sink(self, draw: DrawCommand) -> Sink:
        """A sink that counts a draw."""


@dataclass(frozen=True)
class Renderer:
    """Settings by which draws are executed.

    Attributes
    ----------
    backend
        Executes shaders.
    snap
        Whether window coordinates are snapped to 8 subpixel bits.
    workers
        Share the fragments of a draw.
    clock
        Notified of the stages; with one that measures, draws are executed batch by batch, on one thread.
    counter
        Counts the work of draws; these are executed by one thread.
    """

    backend: Backend
    snap: bool = True
    workers: Workers = field(default_factory=Workers)
    clock: SilentClock = field(default_factory=SilentClock)
    counter: Counter | None = None

    @cached_property
    def stages(self) -> Stages:
        """Executes any draw, stage by stage."""
        return Stages(self.backend, self.snap, self.clock)

    @cached_property
    def fused(self) -> FusedDraws:
        """Executes draws by fused kernels."""
        return FusedDraws(self.workers, self.clock)

    def run(self, draw: DrawCommand, sink: Sink | None) -> Outcome:
        """Execute a draw and tell the sink."""
        if sink is None and self.counter is not None and self.counter.active:
            any_passed = self._count_at_once(draw, self.counter)
            if any_passed is not None:
                return Outcome(any_passed)
            sink = self.counter.sink(draw)
        if sink is None:
            draw = draw.unobserved()
        chosen = self.plan(draw, sink)
        observer = sink.observer() if sink is not None and chosen.at_once is not None else None
        if chosen.at_once is not None and draw.feedback is None and (sink is None or observer is not None):
            any_passed = self.fused.run(draw, *chosen.at_once, observer)
            if any_passed is not None:
                return Outcome(any_passed)
        if sink is not None and sink.joining is not None and draw.vertices.stream.parts:
            return self._one_by_one(draw, sink.joining)
        # A stage must not see what the draw itself writes to a texture.
        draw.state.samplers.pack()
        outcome = Outcome()
        for instance in range(draw.vertices.instances):
            made = self._primitives(draw, chosen, instance, sink)
            outcome.primitives_written += made.written
            if made.geometry.drawn:
                outcome.any_passed |= self._fragments(draw, chosen, made.geometry, sink)
            if sink:
                with self.clock.stage(TELLING):
                    sink.geometry(instance, made.fetched, made.shaded, made.geometry)
        return outcome

    def _one_by_one(self, draw: DrawCommand, sinks: Joining) -> Outcome:
        """Execute draws that were joined, but cannot be executed in one call."""
        topology, passed = draw.vertices.topology, False
        for number, stream in enumerate(draw.vertices.stream.parts):
            passed |= self.run(draw.with_stream(topology, stream), sinks.of(number)).any_passed
        return Outcome(passed)

    def _count_at_once(self, draw: DrawCommand, counter: Counter) -> bool | None:
        """Execute and count a whole draw in one call; whether any sample passed, None if that is not possible."""
        if draw.feedback is not None or draw.state.raster.discard:
            return None
        counted = counter.counted(draw)
        key = draw.vertices.topology, counter.leaves_out_colors(draw.state.target.flipped)
        if key not in counted.ways or self.clock.measures:
            counted.ways[key] = self._counting_way(draw, counted, key[1])
        way = counted.ways[key]
        if way is None:
            return None
        counter.begin(draw, counted)
        return self.fused.run(draw, *way, counted.observer)

    def _counting_way(
        self, draw: DrawCommand, counted: CountedState, leaves_out_colors: bool
    ) -> tuple[Block, BatchDraw] | None:
        """States of the halves of a draw that one call executes and counts; None if that is not possible."""
        if not counted.countable:
            return None
        if leaves_out_colors:
            draw = draw.uncolored(counted.idle)
        elif counted.idle:
            draw = draw.unobserved()
        return self.plan(draw, None, counted=True).at_once

    def dispatch(self, dispatch: Dispatch, sink: DispatchSink | None) -> None:
        """Execute a dispatch and tell the sink: by one kernel if possible, otherwise instruction by instruction."""
        kernel = compute_kernel(dispatch, sink is not None, self.backend)
        if isinstance(kernel, str):
            execute_dispatch(dispatch, self.backend, sink)
        else:
            run_kernel(dispatch, kernel)

    def plan(self, draw: DrawCommand, sink: Sink | None, counted: bool = False) -> Plan:
        """Way of executing the draw, and whether kernels count it. A clock that measures counts the way without it, and
        makes vertices go stage by stage."""
        chosen = plan(draw, sink is not None, self.snap, self.backend, counted)
        if not self.clock.measures:
            return chosen
        self.clock.count(chosen.ways)
        return chosen.with_stages_of_vertices(MEASURED)

    def _primitives(self, draw: DrawCommand, chosen: Plan, instance: int, sink: Sink | None) -> Primitives:
        """Everything up to set-up."""
        if isinstance(chosen.vertices, str):
            return self.stages.primitives(draw, instance, sink)
        return self.fused.geometry.run(draw, chosen.vertices, instance, sink)

    def _fragments(self, draw: DrawCommand, chosen: Plan, geometry: Geometry, sink: Sink | None) -> bool:
        """Everything from coverage on; whether any sample passed."""
        if not isinstance(chosen.fragments, str):
            return self.fused.fragments(draw, chosen.fragments, geometry, sink)
        return self.stages.fragments(draw, geometry, sink)
