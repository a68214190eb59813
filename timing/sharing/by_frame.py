"""Sharing by frame: the Command Processor switches between applications at the ends of frames."""

from __future__ import annotations

from collections.abc import Sequence

from ..assembly.build import build
from ..assembly.variants import compiling, engine_of
from ..engine.frame import Frame
from ..replay import Progress, run_frame
from ..results.meter import Meter
from ..results.results import Results
from .contexts import Context
from .outcome import SharingOutcome, Turn
from .run import Run, results_of


def run_by_frame(shared: SharingOutcome, run: Run) -> None:
    """Run frames of all applications in turns; `shared` gets their results and turns."""
    loaders = run.all_loaders
    _Machine(shared, run, [results_of(loader, run.warm_up) for loader in loaders]).run()


class _Machine:
    """The GPU that they share, with a clock that stands still while the compositor is at work."""

    def __init__(self, shared: SharingOutcome, run: Run, results: Sequence[Results]) -> None:
        self.shared, self._run, self._results = shared, run, results
        configuration = run.loaders[0].configuration
        self.engine, self.chip = engine_of(configuration, True), build(configuration)
        self.contexts = [Context.of(self.chip) for _ in results]
        self.latest, self.done = run.rounds[0][0][0], 0
        self.watchdog_cycles = configuration.simulation.watchdog_cycles
        shared.together = list(results[: len(run.loaders)])
        shared.compositor = results[-1] if run.composition is not None else None

    def run(self) -> None:
        """All rounds."""
        run, began = self._run, 0
        shown = [frames[0] for frames in run.frames]
        for number, places in enumerate(run.rounds):
            counts = number >= run.warm_up_rounds
            began = int(self.chip.gpu.cycle) if number == run.warm_up_rounds else began
            for k, place in places:
                shown[k] = run.frames[k][place]
                first_cycle = int(self.chip.gpu.cycle)
                self._frame(k, shown[k], run.loaders[k].load(shown[k]), counts)
                if counts:
                    turn = Turn(k, shown[k], first_cycle - began, int(self.chip.gpu.cycle) - began)
                    self.shared.turns.append(turn)
            if run.composition is not None:
                first_cycle = int(self.chip.gpu.cycle)
                # It draws the same frame each time: rounds number its results.
                self._frame(len(run.loaders), number, run.composition.frame(shown), counts)
                began += int(self.chip.gpu.cycle) - first_cycle

    def _frame(self, k: int, number: int, frame: Frame, counts: bool) -> None:
        """A frame of application k."""
        self.contexts[k].enter(self.chip)
        meter = Meter(self.chip)

        def report(cycles: int) -> None:
            self._run.progress(Progress(self.done, self._run.total_frames, number, cycles))

        report(0)
        with compiling(self.engine):
            run_frame(self.engine, self.chip, frame, self.watchdog_cycles, report, switches=k != self.latest)
        meter.end_frame(self._results[k], number, frame, counts)
        self.contexts[k].leave(self.chip)
        self.latest, self.done = k, self.done + 1
