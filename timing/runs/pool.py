"""Executing runs on several processes, which are forked so that they share the loaded frames."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from ..assembly.ahead import compile_for
from ..loading.source import ActivityError
from ..replay import Progress as FrameProgress
from ..replay import SimulationError
from ..results.results import Results
from .extras import NONE, Extras, replay_with
from .plan import Run
from .shared_frames import SharedFrames, emptied

WATCH_SECONDS = 0.5
"""Between two looks of a worker at its parent."""


@dataclass(frozen=True)
class Progress:
    """Progress of the runs: runs finished, and a share of all work from 0 to 1."""

    finished: int
    runs: int
    share: float


@dataclass(frozen=True)
class Work:
    """Data that every worker needs."""

    folder: Path
    runs: Sequence[Run]
    frames: Sequence[int] | None
    warm_up: int
    shared: SharedFrames
    check_images: bool = False
    extras: Extras = NONE


class Worker:
    """A process and the pipe to it."""

    def __init__(self, context: Any, work: Work) -> None:
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(work, theirs, os.getpid()), daemon=True)
        self.process.start()
        theirs.close()
        self.run = -1

    def start(self, run: int) -> None:
        """Give it a run."""
        self.run = run
        self.pipe.send(run)


def execute(
    folder: Path,
    runs: Sequence[Run],
    frames: Sequence[int] | None = None,
    warm_up: int = 0,
    jobs: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    check_images: bool = False,
    extras: Extras = NONE,
) -> Iterator[tuple[int, Results]]:
    """Replay an activity once per run, several at a time.

    Parameters
    ----------
    folder
        Activity.
    runs
        What to run.
    frames, warm_up, check_images
        As in `timing.replay`.
    jobs
        Processes; as many as there are cores by default.
    progress
        Called from time to time.
    extras
        What to take down beside statistics.

    Yields
    ------
    tuple of int and Results
        Number of a run and what it gave, as soon as it is finished: in any order.

    Raises
    ------
    ActivityError
        If the activity cannot be read.
    SimulationError
        If a machine stalls, or a process dies.
    """
    # Frames with accounts are loaded by each run for itself.
    shared = SharedFrames(folder, [] if extras.instrument else [run.configuration for run in runs], frames)
    if not extras.instrument:
        _compile(runs, shared)
    work = Work(folder, runs, frames, warm_up, shared, check_images, extras)
    jobs = max(1, min(jobs or len(os.sched_getaffinity(0)), len(runs)))
    waiting = list(range(len(runs)))[::-1]
    shares = dict.fromkeys(range(len(runs)), 0.0)
    with _workers(jobs, work) as workers:
        for worker in workers:
            worker.start(waiting.pop())
        finished = 0
        while finished < len(runs):
            for worker, (kind, content) in _messages(workers, runs):
                if kind == "progress":
                    shares[worker.run] = content
                elif kind == "failed":
                    raise content
                else:
                    number, shares[worker.run] = worker.run, 1.0
                    finished += 1
                    worker.run = -1
                    if waiting:
                        worker.start(waiting.pop())
                    yield number, content
                if progress is not None:
                    progress(Progress(finished, len(runs), sum(shares.values()) / len(runs)))


def _compile(runs: Sequence[Run], shared: SharedFrames) -> None:
    """Have every engine compiled before there are several processes that would all do it."""
    seen = set()
    for run in runs:
        parts = run.configuration.machine, frozenset(run.configuration.techniques)
        frames = next(group for group in shared.groups if group.fits(run.configuration)).frames
        if parts not in seen and frames:
            seen.add(parts)
            compile_for(run.configuration, emptied(next(iter(frames.values()))))


@contextmanager
def _workers(count: int, work: Work) -> Iterator[list[Worker]]:
    context = multiprocessing.get_context("fork")
    workers = [Worker(context, work) for _ in range(count)]
    try:
        yield workers
    finally:
        for worker in workers:
            worker.process.terminate()
        for worker in workers:
            worker.process.join()
            worker.pipe.close()


def _messages(workers: list[Worker], runs: Sequence[Run]) -> Iterator[tuple[Worker, tuple[str, Any]]]:
    busy = {worker.pipe: worker for worker in workers if worker.run >= 0}
    for pipe in wait(list(busy)):
        assert isinstance(pipe, Connection)
        worker = busy[pipe]
        try:
            yield worker, pipe.recv()
        except (EOFError, ConnectionResetError):
            worker.process.join()
            raise SimulationError(
                f"the process of run {runs[worker.run].name} died (exit code {worker.process.exitcode}): "
                "was there enough memory? --jobs 1 needs least"
            ) from None


def _end_with(parent: int) -> None:
    """Leave when the parent process is gone, which an end by SIGKILL says to no one."""
    while os.getppid() == parent:
        time.sleep(WATCH_SECONDS)
    os._exit(1)


def _serve(work: Work, pipe: Connection, parent: int) -> None:
    """Main loop of a worker: it executes the runs that it is sent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    while True:
        run = work.runs[pipe.recv()]

        def report(p: FrameProgress) -> None:
            pipe.send(("progress", p.done / p.frames))

        try:
            loader = work.folder if work.extras.instrument else work.shared.loader(run.configuration)
            results = replay_with(
                work.extras, loader, run.configuration, work.frames, work.warm_up, report, work.check_images
            )
            pipe.send(("done", results))
        except (SimulationError, ActivityError, MemoryError) as error:
            pipe.send(("failed", type(error)(f"run {run.name}: {error or 'not enough memory'}")))
