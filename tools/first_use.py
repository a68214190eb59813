"""What the first use of a verb compiles."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import Progress, TaskID

from tilegpu.functional.pipeline.fused.ahead import compiled_beside


@contextmanager
def compiled_kernels(what: str, backend: str, bar: Progress, task: TaskID) -> Iterator[None]:
    """Compile the kernels of the first draws where they are not on disk; a progress bar says so.

    Parameters
    ----------
    what
        As for `compiled_beside`.
    backend
        Name of the back end; with numpy, few kernels are needed.
    bar, task
        As `progress` yields them.
    """
    if backend == "numpy":
        yield
        return
    with compiled_beside(what, lambda: bar.update(task, note="compiling kernels, once")):
        yield
