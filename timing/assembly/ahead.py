"""Compile an engine in a separate process while this one prepares what the engine will run."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..engine.frame import Frame, Tables
from ..registry import components
from .build import build
from .frame_starts import begin_frame
from .variants import compiling, engine_of

PATIENCE_SECONDS = 5
"""Time that a process may take to end when it is asked to."""


@contextmanager
def compiled_ahead(configuration: Any) -> Iterator[None]:
    """Compile the engine of a configuration in the background of this block, and wait for it at the end.

    Nothing is started where it is in the cache, where there is one processor, or where techniques have tables of their
    own, whose types follow from the activity only. If the process fails, the engine is compiled when it is first used.

    Parameters
    ----------
    configuration
        A `config.schema.Configuration`.
    """
    engine, techniques = engine_of(configuration), components(configuration)[1]
    alone = len(os.sched_getaffinity(0)) < 2
    if alone or engine.is_cached() or any(technique.load is not None for technique in techniques):
        yield
        return
    # Not forked: threads of the renderer may hold locks.
    process = multiprocessing.get_context("spawn").Process(target=_compile, args=(configuration,), daemon=True)
    process.start()
    try:
        yield
        process.join()
    finally:
        if process.is_alive():
            process.terminate()
            process.join(PATIENCE_SECONDS)


def _compile(configuration: Any) -> None:
    # An interrupt is meant for the parent process, which ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    compile_for(configuration, empty_frame_for(configuration))


def compile_for(configuration: Any, frame: Frame, instrument: str = "") -> None:
    """Compile the engine of a configuration; `frame` has no rows, and the types of those that will be run."""
    chip, engine = build(configuration, instrument), engine_of(configuration, instrument=instrument)
    begin_frame(chip)
    with compiling(engine):
        engine.run(chip.gpu, frame, False, 1)


def empty_frame_for(configuration: Any) -> Frame:
    """A frame without rows for the machine of a configuration; not for techniques that have tables of their own."""
    machine = components(configuration)[0]
    machine_tables = () if machine.load is None else machine.load(None, configuration)
    return empty_frame(machine.sorts)._replace(machine=machine_tables)


def empty_frame(sorts: bool = True) -> Frame:
    """A frame without rows; its types are those of every frame without tables of techniques."""
    return Tables().frame(sorts)
