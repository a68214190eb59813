"""Limits on the work of one call, and a line from time to time while one takes long.

A call of a few bytes can stand for any amount of work: work groups, instances, levels of a texture.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from .capture import Call

DEFAULT_MAX_WORK = 1_000_000_000
"""Invocations of shaders for vertices or of compute shaders, or texels, of one call: minutes of computing."""
LONG_SECONDS, REPEAT_SECONDS, POLL_SECONDS = 10.0, 30.0, 1.0
"""Seconds until a call that takes long is named, until it is named again, and between two looks at it."""
_LOG = logging.getLogger("tilegpu")


class Executes(Protocol):
    """Executor of calls."""

    @property
    def present(self) -> Call | None:
        """The call that is being executed."""


@contextmanager
def long_calls_told(executing: Executes) -> Iterator[None]:
    """Name calls that take long while this block runs: a line of the log, by default on standard error."""
    done = threading.Event()
    watching = threading.Thread(target=_watch, args=(executing, done), daemon=True)
    watching.start()
    try:
        yield
    finally:
        done.set()
        # It holds what it watches.
        watching.join()


def _watch(executing: Executes, done: threading.Event) -> None:
    watched, since, named_at = None, 0.0, 0.0
    while not done.wait(POLL_SECONDS):
        call, now = executing.present, time.monotonic()
        if call is None or call is not watched:
            watched, since, named_at = call, now, now + LONG_SECONDS - REPEAT_SECONDS
        elif now - named_at >= REPEAT_SECONDS:
            named_at = now
            _LOG.warning("call %d %s has taken %.0f s so far", call.number, call.name, now - since)
