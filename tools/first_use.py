"""Code that the first use of a verb compiles."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.progress import Progress, TaskID

from tilegpu.functional.ahead import compiled_beside
from tilegpu.functional.capture import Trace


@contextmanager
def compiled_kernels(what: str, file: Path, backend: str, bar: Progress, task: TaskID) -> Iterator[None]:
    """Compile the kernels of the first draws where they are not on disk; a progress bar says so.

    Parameters
    ----------
    what
        As for `compiled_beside`.
    file
        The trace to play; nothing is compiled for a file that is not one.
    backend
        Name of the back end; with numpy, few kernels are needed.
    bar, task
        As `progress` yields them.

    Raises
    ------
    CaptureError
        The file cannot be opened or is not a trace.
    """
    Trace(file)
    if backend == "numpy":
        yield
        return
    with compiled_beside(what, lambda: bar.update(task, note="compiling kernels, once")):
        yield
