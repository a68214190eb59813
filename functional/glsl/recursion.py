"""Stack space for recursion over expression trees."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_FRAMES = 20_000


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Allow deeper recursion in the block: a sum of a thousand terms is a tree of a thousand levels.

    The parser limits the depth of trees.
    """
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
