"""Sharing by tile: frames of all applications are on the GPU at the same time, and their tiles take turns.

A round has a frame of each application that has some left, or as many as take about the same time alone
(`tile_fetcher.turns`), so that a light application does not wait for the heavy one's frame. Their tables are merged
(`loading.merged`); the Command Processor switches between their geometry, the Tile Fetcher between their tiles.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..assembly.build import build
from ..assembly.variants import compiling, engine_of
from ..engine.frame import Frame
from ..instruments.draw_costs import NAME
from ..loading.merged import Merged, merge
from ..replay import Progress, run_frame
from ..results import units
from ..results.results import Results
from ..results.reuse import measure
from ..results.tiles import tile_rows
from ..units.tile_fetcher import TileFetcherParameters
from .accounts import ApplicationMeter, split
from .outcome import SharingOutcome, Turn
from .run import Run, results_of


def run_by_tile(shared: SharingOutcome, run: Run) -> None:
    """Run frames of all applications by tile; `shared` gets their results, turns and accounts."""
    _Machine(shared, run, [results_of(loader, run.warm_up) for loader in run.all_loaders]).run()


class _Machine:
    """The GPU that they share, with a clock that stands still while the compositor is at work."""

    def __init__(self, shared: SharingOutcome, run: Run, results: Sequence[Results]) -> None:
        self.shared, self._run, self._results = shared, run, results
        configuration = run.loaders[0].configuration
        self.engine, self.chip = engine_of(configuration, True, NAME), build(configuration, NAME)
        self.names = [f"{k}-{loader.source.folder.resolve().name}" for k, loader in enumerate(run.all_loaders)]
        self.meter = ApplicationMeter(self.chip, self.names)
        tiles = configuration.of(TileFetcherParameters).quantum_tiles
        self.quanta = dict(enumerate((*run.quanta, tiles))) if run.quanta else tiles
        self.watchdog_cycles = configuration.simulation.watchdog_cycles
        self.done = 0
        shared.together = list(results[: len(run.loaders)])
        shared.compositor = results[-1] if run.composition is not None else None
        sources = [each.source for each in shared.together]
        joined = {name: " + ".join(source[name] for source in sources) for name in ("name", "sha256")}
        shared.machine = Results(configuration, joined, warm_up=run.warm_up_rounds)

    def run(self) -> None:
        """All rounds."""
        run, began = self._run, 0
        shown = [frames[0] for frames in run.frames]
        for number, places in enumerate(run.rounds):
            counts = number >= run.warm_up_rounds
            first_cycle = int(self.chip.gpu.cycle)
            began = first_cycle if number == run.warm_up_rounds else began
            members = [k for k, _ in places]
            numbers = [run.frames[k][place] for k, place in places]
            shown = [dict(zip(members, numbers, strict=True)).get(k, frame) for k, frame in enumerate(shown)]
            frames = [run.loaders[k].load(frame) for k, frame in zip(members, numbers, strict=True)]
            merged = self._frames(number, frames, members)
            self._end(number, merged, members, numbers, counts)
            if counts:
                self._turns(merged, members, numbers, first_cycle - began)
            if run.composition is not None:
                self._compose(number, shown, counts)
                began += int(self.chip.gpu.cycle) - self.chip.began

    def _compose(self, number: int, shown: Sequence[int], counts: bool) -> None:
        """The compositor's frame."""
        assert self._run.composition is not None
        members = [len(self._run.loaders)]
        merged = self._frames(number, [self._run.composition.frame(shown)], members)
        # It draws the same frame each time: rounds number its results.
        self._end(number, merged, members, [number], counts)

    def _frames(self, number: int, frames: Sequence[Frame], members: Sequence[int]) -> Merged:
        """Run frames of some applications together."""
        merged = merge(frames, members, self.quanta)

        def report(cycles: int) -> None:
            self._run.progress(Progress(self.done, self._run.total_frames, number, cycles))

        report(0)
        self._spent = units.spent_cycles(self.chip)
        with compiling(self.engine):
            run_frame(self.engine, self.chip, merged.frame, self.watchdog_cycles, report)
        merged.hand_back()
        self.done += len(members)
        return merged

    def _end(self, number: int, merged: Merged, members: Sequence[int], numbers: Sequence[int], counts: bool) -> None:
        """Add what was counted to the results of the applications and of the machine."""
        table, counted = self.meter.end_round(number)
        if not counts:
            return
        measured = [measure(frame) for frame in merged.own]
        applications = list(dict.fromkeys(members))
        parts = split(table, counted, [self.names[k] for k in applications])
        # Frames of the same application are counted together.
        even = {
            k: {name: value / members.count(k) for name, value in part.items()}
            for k, part in zip(applications, parts, strict=True)
        }
        for k, frame, own, more in zip(members, numbers, merged.own, measured, strict=True):
            self._results[k].frames.append(frame)
            self._results[k].counted.append(even[k] | more)
            self._results[k].tiles.append(tile_rows(self.chip, own, frame))
            # Cycles of single units are known of the machine only.
            self._results[k].spent.append({})
        if members[0] == len(self._run.loaders):
            return
        self.shared.accounts.append(table)
        machine = self.shared.machine
        assert machine is not None
        machine.frames.append(number)
        machine.counted.append(counted | {name: sum(each[name] for each in measured) for name in measured[0]})
        machine.tiles.append(tile_rows(self.chip, merged.frame, number, counted))
        machine.spent.append(units.since(self._spent, units.spent_cycles(self.chip)))

    def _turns(self, merged: Merged, members: Sequence[int], numbers: Sequence[int], begin_cycle: int) -> None:
        """A frame is over when its last tile is written, or at the end of the round if it has none; the next one of the
        same application begins then."""
        begins = dict.fromkeys(members, begin_cycle)
        for k, number, own in zip(members, numbers, merged.own, strict=True):
            last = int(own.commands.log["last_cycle"].max(initial=-1))
            end = last if last >= self.chip.began else int(self.chip.gpu.cycle)
            over = begin_cycle + end - self.chip.began
            self.shared.turns.append(Turn(k, number, begins[k], over))
            begins[k] = over
