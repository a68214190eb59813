"""Compile kernels in two processes at once, before they are needed.

What this process needs while the other one compiles it, it waits for (`disk_cache.alone`).
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ..garbage import seldom_collected
from .compiled import COMPILED
from .disk_cache import LOCKED, is_cached

Kernels = Mapping[Any, tuple[Any, ...]]
"""Kernels with Numba's types of their arguments."""


@contextmanager
def compiled_in_two(here: Kernels, others: str, starting: Callable[[], None]) -> Iterator[None]:
    """Compile kernels before this block, those of a second process during it as well; where they are not on disk and
    there are two processors.

    Parameters
    ----------
    here
        Kernels that this process compiles.
    others
        Python statements that compile the others, with `compile_in_second`.
    starting
        Called before anything is compiled.
    """
    alone = len(os.sched_getaffinity(0)) < 2 if hasattr(os, "sched_getaffinity") else True
    if alone or not COMPILED or not LOCKED or all(map(is_cached, here)):
        yield
        return
    starting()
    quiet: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    process = subprocess.Popen([sys.executable, "-c", others], **quiet)
    try:
        compile_kernels(here)
        yield
    finally:
        process.terminate()
        process.wait()


def compile_in_second(kernels: Kernels) -> None:
    """Compile the kernels of the second process, in which this is called."""
    # An interrupt is meant for the parent process, which ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    compile_kernels(kernels)


def compile_kernels(kernels: Kernels) -> None:
    """Compile kernels that are not on disk, and load the others."""
    with seldom_collected():
        for kernel, arguments in kernels.items():
            kernel.compile(arguments)
