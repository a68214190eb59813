"""Rare collection of garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

SELDOM = 50_000, 20, 100
"""Thresholds of the garbage collector for long runs, whose objects live on or are freed without it. Looking for cycles
at Python's own thresholds takes an eighth of the time of a long stream, and a seventh of compiling."""


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Collect garbage rarely within this context, and leave out the objects that exist before it."""
    thresholds = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(*SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()
