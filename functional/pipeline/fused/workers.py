"""Threads that share the work of a draw; compiled code runs without the interpreter's lock, so they run at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


class Workers:
    """Runs the tasks of a draw, on its own threads if there are several.

    Parameters
    ----------
    jobs
        Number of threads that work at once, at least 1.

    Raises
    ------
    ValueError
        If there are no threads.
    """

    def __init__(self, jobs: int = 1) -> None:
        if jobs < 1:
            raise ValueError(f"{jobs} jobs: at least one is needed")
        self.jobs = jobs

    @cached_property
    def _threads(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.jobs, "tilegpu")

    def map(self, function: Callable[[Task], Result], tasks: Sequence[Task]) -> list[Result]:
        """Results in the order of the tasks."""
        if self.jobs == 1 or len(tasks) < 2:
            return [function(task) for task in tasks]
        return list(self._threads.map(function, tasks))
