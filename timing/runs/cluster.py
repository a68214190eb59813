"""Executing runs on a cluster: a Dask scheduler hands them to workers on any number of machines.

Every machine has the same tilegpu and reaches the activity, in a shared folder or under a URL (`remote_activity`). A
run is one task. If a worker is lost, its run is given to another one; all else stays as it is. Workers execute one run
at a time, whatever their threads. Tasks and results travel as Python objects: the scheduler and the workers must be
trusted.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any

from tilegpu.functional.errors import UserError

from ..config.schema import Configuration
from ..results.results import Results
from .extras import NONE, Extras, replay_with
from .plan import Run
from .pool import Progress
from .remote_activity import Place

PATIENCE_SECONDS = 10
"""Time that an address may take to answer."""

_ONE_AT_A_TIME = threading.Lock()
"""Engines are loaded and compiled by one thread of a process."""


class ClusterError(UserError):
    """A cluster that cannot be used, reported in one line."""


def execute_on(
    address: str,
    place: Place,
    runs: Sequence[Run],
    frames: Sequence[int] | None = None,
    warm_up: int = 0,
    progress: Callable[[Progress], None] | None = None,
    check_images: bool = False,
    extras: Extras = NONE,
) -> Iterator[tuple[int, Results]]:
    """Replay an activity once per run on the workers of a Dask scheduler.

    Parameters
    ----------
    address
        Of the scheduler: `tcp://host:8786`, or `host:8786`.
    place
        Where the activity is.
    runs, frames, warm_up, check_images, extras
        As of `pool.execute`.
    progress
        Called when a run is finished.

    Yields
    ------
    tuple of int and Results
        Number of a run and what it gave, as soon as it is finished: in any order.

    Raises
    ------
    ClusterError
        If no scheduler answers, the workers have another tilegpu, or a run loses one worker after the other.
    ActivityError
        If a worker cannot read the activity.
    SimulationError
        If a machine stands still.
    """
    dask = _dask()
    with _client(dask, address) as client:
        tasks = [(place, run.configuration, frames, warm_up, check_images, extras) for run in runs]
        batch = uuid.uuid4().hex
        futures = [client.submit(_run, *task, pure=False, key=f"{batch}-{i}") for i, task in enumerate(tasks)]
        numbers = {future.key: number for number, future in enumerate(futures)}
        if progress is not None:
            progress(Progress(0, len(runs), 0.0))
        try:
            for finished, future in enumerate(dask.as_completed(futures, loop=client.loop), 1):
                number = numbers[future.key]
                try:
                    results = future.result()
                except dask.KilledWorker as error:
                    raise ClusterError(
                        f"{address}: run {runs[number].name} lost every worker it had: {error}"
                    ) from None
                future.release()
                if progress is not None:
                    progress(Progress(finished, len(runs), finished / len(runs)))
                yield number, results
        finally:
            client.cancel(futures)


def _dask() -> Any:
    try:
        return importlib.import_module("distributed")
    except ModuleNotFoundError:
        raise ClusterError("--cluster needs Dask: pip install 'tilegpu[cluster]'") from None


@contextmanager
def _client(dask: Any, address: str) -> Iterator[Any]:
    """Client of a scheduler whose workers, if there are some yet, have this tilegpu."""
    # It logs every attempt to connect, and of workers that are gone, on its own.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        asyncio.run(asyncio.wait_for(_identity(dask, address), PATIENCE_SECONDS))
        client = dask.Client(address, timeout=PATIENCE_SECONDS, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise ClusterError(
            f"{address}: no Dask scheduler answers within {PATIENCE_SECONDS} s ({_told(error)}); "
            "start one with `dask scheduler` and workers with `dask worker ADDRESS --nthreads 1`"
        ) from None
    with client:
        ours = version("tilegpu")
        try:
            others = client.run(version, "tilegpu")
        except Exception as error:
            raise ClusterError(f"{address}: a worker has no tilegpu ({_told(error)}); install {ours} on all") from None
        for worker, other in others.items():
            if other != ours:
                raise ClusterError(
                    f"{address}: worker {worker} has tilegpu {other}, this is {ours}; install one on all"
                )
        yield client


async def _identity(dask: Any, address: str) -> None:
    """Check that a scheduler answers: a client waits for ever for a peer that accepts its connection and says
    nothing."""
    async with dask.rpc(address, timeout=PATIENCE_SECONDS) as scheduler:
        await scheduler.identity()


def _told(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _run(
    place: Place,
    configuration: Configuration,
    frames: Sequence[int] | None,
    warm_up: int,
    check_images: bool,
    extras: Extras,
) -> Results:
    """One run, on a worker."""
    with _ONE_AT_A_TIME:
        return replay_with(extras, place.folder(), configuration, frames, warm_up, check_images=check_images)
