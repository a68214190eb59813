"""One run of `tilegpu replay`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import typer

from tilegpu import timing
from tilegpu.timing.assembly.ahead import compile_for
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.assembly.variants import Engine, engine_of
from tilegpu.timing.results.results import Results
from tilegpu.timing.results.timeline import DEFAULT_STEP_CYCLES, Timeline
from tilegpu.timing.runs.shared_frames import emptied

from .console import EXIT_USAGE, err, fail, progress


@contextmanager
def replaying(
    configuration: timing.Configuration, compiled: bool = True, instrument: str = ""
) -> Iterator[Callable[[timing.Progress], None]]:
    """Function for the progress of replays within a context, which shows it, and says so if the timing engine of the
    configuration has to be compiled first. A machine that stands still ends the command."""
    engine = engine_of(configuration, compiled, instrument)
    _say_what_compiles(engine)
    with progress("replaying") as (bar, task):

        def on_progress(p: timing.Progress) -> None:
            bar.update(task, completed=p.done / p.frames, note=f"frame {p.frame}: {p.cycles / 1e6:.1f} M cycles")

        try:
            yield on_progress
        except timing.SimulationError as error:
            fail(str(error))
            raise typer.Exit(EXIT_USAGE) from None


def _say_what_compiles(engine: Engine) -> None:
    if not engine.is_cached():
        err.print(
            f"compiling the timing engine for {' with '.join(engine.parts)}, once; cached in {engine.folder}",
            soft_wrap=True,
            markup=False,
        )


@dataclass(frozen=True)
class Single:
    """One run in this process, with a progress bar; parameters as of `timing.replay`."""

    folder: Path
    configuration: timing.Configuration
    frames: list[int]
    warm_up: int
    compiled: bool
    watched: tuple[int, ...] = ()
    step_cycles: int = DEFAULT_STEP_CYCLES
    check_images: bool = False
    instrument: str = ""

    def compile_engine(self) -> float:
        """Compile the engine, and what loads frames, where it is in no cache; gives the seconds that it took."""
        engine = engine_of(self.configuration, self.compiled, self.instrument)
        if engine.is_cached() or not self.compiled or not self.frames:
            return 0.0
        _say_what_compiles(engine)
        began = time.perf_counter()
        # Loading compiles, too.
        first = emptied(Loader(self.folder, self.configuration).load(self.frames[0]))
        compile_for(self.configuration, first, self.instrument)
        return time.perf_counter() - began

    def execute(self) -> tuple[Results, Timeline]:
        """Results, and what happened when in the watched frames."""
        lines = Timeline(self.configuration, self.step_cycles)
        lines.frames = self.watched
        with replaying(self.configuration, self.compiled, self.instrument) as on_progress:
            results = timing.replay(
                self.folder,
                self.configuration,
                self.frames,
                self.warm_up,
                on_progress,
                self.compiled,
                lines,
                self.check_images,
                self.instrument,
            )
        return results, lines
