"""Several runs of `tilegpu replay` side by side."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any

import pyarrow as pa
import typer

from tilegpu.functional.activity.arrow_files import read_parquet, write_parquet
from tilegpu.functional.activity.output import whole_file
from tilegpu.functional.activity.reader import Activity
from tilegpu.functional.claim import claimed
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.timing import ConfigurationError, ResultsError, SimulationError
from tilegpu.timing.assembly.variants import engine_of
from tilegpu.timing.instruments import draw_costs, line_costs, resource_costs
from tilegpu.timing.loading.chosen_frames import frames_in
from tilegpu.timing.results.counters import CounterInputs, write_counters
from tilegpu.timing.results.perfetto_trace import perfetto
from tilegpu.timing.results.results import Results
from tilegpu.timing.results.timeline import FILE
from tilegpu.timing.runs import Extras, Place, Run, comparison, execute, execute_on, is_finished, tidy
from tilegpu.timing.runs import Progress as RunsProgress
from tilegpu.timing.runs.extras import NONE
from tilegpu.timing.runs.folders import BASELINE, TABLE, with_baseline
from tilegpu.timing.runs.table import read_results

from .checked_pictures import picture_values, tell_pictures
from .choices import TIMELINE_STEP_CYCLES
from .console import EXIT_DIFFERENT, EXIT_USAGE, err, fail, note_of, progress, several
from .options import parse_frames
from .outputs import check_file, is_table_of
from .sweep_table import print_sweep, sweep_rows


@dataclass(frozen=True)
class Where:
    """Place of execution of runs: the workers of a scheduler, or a number of processes of this machine."""

    activity: Place
    cluster: str = ""
    jobs: int | None = None

    def execute(self, runs: Sequence[Run], *options: Any) -> Iterator[tuple[int, Results]]:
        """Runs as they finish; `options` are frames, warm_up, progress, check_images, and extras if there are any."""
        if self.cluster:
            return execute_on(self.cluster, self.activity, runs, *options)
        frames, warm_up, *others = options
        return execute(self.activity.folder(), runs, frames, warm_up, self.jobs, *others)


TABLES = MappingProxyType(
    {
        "": [],
        draw_costs.NAME: ["draws.parquet"],
        resource_costs.NAME: ["resources.parquet"],
        line_costs.NAME: ["lines.parquet"],
    }
)
"""Tables that instruments add to results."""


@dataclass(frozen=True)
class RunRequest:
    """Choice of frames, and of what a sweep writes beside statistics.

    Parameters
    ----------
    frames
        Frames to run; None for all.
    warm_up
        How many of them count nowhere.
    check_images
        Whether pictures are compared.
    counters
        Naming of the file of counters; "" for none.
    instrument
        Module of `timing.instruments` whose costs are counted; "" for none.
    timeline
        Frames with a timeline, as given; "" for none.
    step_cycles, compress
        Cycles between two looks at the machine for it, and whether its file is compressed.
    """

    frames: FrameRange | None = None
    warm_up: int = 0
    check_images: bool = False
    counters: str = ""
    instrument: str = ""
    timeline: str = ""
    step_cycles: int = TIMELINE_STEP_CYCLES
    compress: bool = False

    @property
    def timeline_file(self) -> str:
        """Name of the file of the timeline."""
        return f"{FILE}{'.gz' * self.compress}"

    @property
    def files(self) -> list[str]:
        """Files that each run has to have."""
        return TABLES[self.instrument] + [self.timeline_file] * bool(self.timeline)


def replay_runs(
    where: Where,
    runs: Sequence[Run],
    output: Path | None,
    wanted: RunRequest,
    baseline: str,
    force: bool,
    as_json: bool = False,
) -> None:
    """Run what is not there yet, write a folder per run, and print how they compare."""
    first = compared_with(runs, baseline)
    note = note_of(as_json)
    opened = Activity(where.activity.folder())
    every = wanted.frames is None
    frames = list(opened.frames) if wanted.frames is None else frames_in(wanted.frames, opened.frames, "--frames")
    watched = frames_in(parse_frames(wanted.timeline), frames, "--timeline") if wanted.timeline else []
    if watched:
        perfetto()
    extras = Extras(wanted.instrument, tuple(watched), wanted.step_cycles)
    with TemporaryDirectory() as scratch, claimed(output or Path(scratch) / "runs"):
        folder = output or Path(scratch)
        check_runs(folder)
        check_file(folder / TABLE, is_table_of(BASELINE), force)
        pending = runs if force else unfinished(folder, runs, opened, frames[wanted.warm_up :], wanted)
        if len(pending) < len(runs):
            note(f"{len(runs) - len(pending)} of {len(runs)} runs are in {folder} already (--force runs them again)")
        if not force:
            check_absent(folder, pending)
        began = time.perf_counter()
        for number, results in finished(
            where, pending, None if every else frames, wanted.warm_up, wanted.check_images, extras
        ):
            results.write(folder / pending[number].name, replace=True)
            if results.timeline is not None:
                results.timeline.write(folder / pending[number].name / wanted.timeline_file)
        if pending:
            note(f"{several(len(pending), 'run')} took {time.perf_counter() - began:.1f} s")
        results_by_run = {run.name: read_results(folder / run.name) for run in runs}
        totals = {name: results["totals"] for name, results in results_by_run.items()}
        for run in runs:
            _write(
                comparison(results_by_run[run.name], results_by_run[first]), folder / run.name / "comparison.parquet"
            )
            if wanted.counters:
                tiles = read_parquet(folder / run.name / "tiles.parquet")
                counted = CounterInputs(run.configuration, results_by_run[run.name]["frames"], tiles)
                write_counters(counted, wanted.counters, folder / run.name)
        table = with_baseline(tidy(folder, runs), first)
        if output is not None:
            _write(table, folder / TABLE)
        rows = sweep_rows(runs, totals, first, table)
        if wanted.check_images:
            for run, row in zip(runs, rows, strict=True):
                row |= picture_values(run.configuration, totals[run.name])
        if as_json:
            typer.echo(json.dumps(rows, indent=1))
        else:
            print_sweep(rows, first)
        if wanted.check_images:
            # A list, so that every run is told.
            right = [tell_pictures(run.configuration, totals[run.name], note, f"{run.name}: ") for run in runs]
            if not all(right):
                raise typer.Exit(EXIT_DIFFERENT)


def compared_with(runs: Sequence[Run], baseline: str) -> str:
    """Name of the run that the others are compared with: the first one if none is named.

    Raises
    ------
    ConfigurationError
        If there is no such run.
    """
    first = baseline or runs[0].name
    if first not in {run.name for run in runs}:
        raise ConfigurationError(f"--baseline {first}: no such run; there are {', '.join(r.name for r in runs[:20])}")
    return first


def unfinished(
    folder: Path, runs: Sequence[Run], activity: Activity, counted: Sequence[int], wanted: RunRequest
) -> Sequence[Run]:
    """Runs that a folder lacks, of the frames that count, or that lack what is wanted."""
    source = {"name": activity.manifest.source_name, "sha256": activity.manifest.source_sha256}
    asked = source, counted, wanted.warm_up, wanted.check_images, wanted.files
    return [run for run in runs if not is_finished(folder / run.name, run, *asked)]


def check_absent(folder: Path, runs: Sequence[Run]) -> None:
    """ResultsError if a folder has other results in the place of one of some runs."""
    for run in runs:
        if (folder / run.name).exists():
            raise ResultsError(f"{folder / run.name}: holds other results; choose another folder or pass --force")


def check_runs(folder: Path) -> None:
    """ResultsError if a folder cannot hold those of several runs."""
    if folder.exists() and not folder.is_dir():
        raise ResultsError(f"{folder}: exists and is no folder; choose another")
    if (folder / "stats.json").is_file():
        raise ResultsError(f"{folder}: holds the results of a single run; choose another folder")


def finished(
    where: Where,
    runs: Sequence[Run],
    frames: Sequence[int] | None,
    warm_up: int,
    check_images: bool = False,
    extras: Extras = NONE,
) -> Iterator[tuple[int, Results]]:
    """Number and results of runs as they finish, with a progress bar; a machine that stands still ends the command."""
    if not runs:
        return
    engines = [engine_of(run.configuration, instrument=extras.instrument) for run in runs]
    fresh = {engine.folder for engine in engines if not engine.is_cached()}
    if fresh and not where.cluster:
        err.print(f"compiling {several(len(fresh), 'timing engine')}, once", soft_wrap=True)
    with progress("replaying") as (bar, task):

        def on_progress(p: RunsProgress) -> None:
            bar.update(task, completed=p.share, note=f"{p.finished} of {p.runs} runs finished")

        try:
            yield from where.execute(runs, frames, warm_up, on_progress, check_images, extras)
        except SimulationError as error:
            fail(str(error))
            raise typer.Exit(EXIT_USAGE) from None


def _write(table: pa.Table, path: Path) -> None:
    with whole_file(path) as partial:
        write_parquet(table, partial, compression="zstd")
