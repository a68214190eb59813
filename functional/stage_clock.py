"""Measures the time of a rendering or recording by stage."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from types import TracebackType
from typing import TypeVar

Item = TypeVar("Item")

READING = "reading the stream"
STATE = "OpenGL state and objects"
VERTICES = "vertex fetch and shading"
SET_UP = "assembly, clipping, set-up"
COVERAGE = "coverage, early tests"
FRAGMENTS = "shading, late tests, blending"
TELLING = "rows of the activity"
FRAMES = "images and tables of a frame"
STAGES = (READING, STATE, VERTICES, SET_UP, COVERAGE, FRAGMENTS, TELLING, FRAMES)
"""Stages in the order of the pipeline."""


class SilentClock:
    """Measures nothing, at almost no cost."""

    measures = False
    _nothing: AbstractContextManager[None] = nullcontext()

    def stage(self, name: str) -> AbstractContextManager[None]:
        """A context in which time belongs to a stage."""
        return self._nothing

    def iterate(self, name: str, items: Iterable[Item]) -> Iterator[Item]:
        """Items; the time to get them belongs to a stage."""
        return iter(items)

    def timed(self, name: str, function: Callable[[Item], None]) -> Callable[[Item], None]:
        """A function whose time belongs to a stage."""
        return function

    def count(self, ways: tuple[str, str]) -> None:
        """A draw whose vertices and primitives, and whose fragments, are executed in these ways."""


class StageClock(SilentClock):
    """Adds up the time of stages. A stage inside another one stops that one's time.

    Parameters
    ----------
    now
        Seconds of a clock.

    Attributes
    ----------
    seconds
        Seconds by stage.
    draws
        Number of draws by how their halves are executed; see `Plan.ways`.
    """

    measures = True

    def __init__(self, now: Callable[[], float] = time.perf_counter) -> None:
        self.seconds: dict[str, float] = {}
        self.draws: Counter[tuple[str, str]] = Counter()
        self._now = now
        self._open: list[str] = []
        self._since = 0.0

    def stage(self, name: str) -> AbstractContextManager[None]:
        """A context in which time belongs to a stage."""
        return _Stage(self, name)

    def iterate(self, name: str, items: Iterable[Item]) -> Iterator[Item]:
        """Items; the time to get them belongs to a stage."""
        iterator = iter(items)
        while True:
            with self.stage(name):
                try:
                    item = next(iterator)
                except StopIteration:
                    return
            yield item

    def timed(self, name: str, function: Callable[[Item], None]) -> Callable[[Item], None]:
        """A function whose time belongs to a stage."""

        def run(item: Item) -> None:
            with self.stage(name):
                function(item)

        return run

    def count(self, ways: tuple[str, str]) -> None:
        """A draw whose vertices and primitives, and whose fragments, are executed in these ways."""
        self.draws[ways] += 1

    def _book(self) -> None:
        now = self._now()
        if self._open:
            stage = self._open[-1]
            self.seconds[stage] = self.seconds.get(stage, 0.0) + now - self._since
        self._since = now

    def enter(self, name: str) -> None:
        """Begin a stage."""
        self._book()
        self._open.append(name)

    def leave(self) -> None:
        """End the stage begun last."""
        self._book()
        self._open.pop()


class _Stage(AbstractContextManager[None]):
    def __init__(self, clock: StageClock, name: str) -> None:
        self.clock, self.name = clock, name

    def __enter__(self) -> None:
        self.clock.enter(self.name)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clock.leave()
