"""Room for recursion over expression trees."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_FRAMES = 20_000


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Allow deeper recursion inside: a sum of a thousand terms is a tree a thousand levels deep.

    The parser bounds how deep trees can get.
    """
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
