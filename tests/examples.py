"""How many random examples a test takes: quick runs take some, all runs what is worth waiting for."""

import os

QUICK = "TILEGPU_QUICK_COMPILE"
"""Environment variable of quick runs, `pytest -m "not slow"`."""


def examples(quick: int, thorough: int) -> int:
    """Number of examples in this run."""
    return quick if os.environ.get(QUICK) else thorough
