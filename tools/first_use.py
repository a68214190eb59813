"""Code that the first use of a verb compiles."""

from __future__ import annotations

from pathlib import Path

from rich.progress import Progress, TaskID

from tilegpu.functional.ahead import compile_first
from tilegpu.functional.capture import Trace


def compile_kernels(what: str, file: Path, backend: str, bar: Progress, task: TaskID) -> None:
    """Compile the kernels of the first draws where they are not on disk; a progress bar says so.

    Parameters
    ----------
    what
        As for `compile_first`.
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
    if backend != "numpy":
        compile_first(what, lambda: bar.update(task, note="compiling kernels, once"))
