"""The first use of the command, when no kernel is on disk: part of `make bench`."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

TIMES = 3


def first_use(trace: Path, say: Callable[[str], None]) -> None:
    """Wall and CPU seconds of `tilegpu render` from an empty cache and from a full one; the least of some runs."""
    cold, warm = zip(*(_rendered_twice(trace) for _ in range(TIMES)), strict=True)
    for what, runs in (("from an empty cache", cold), ("from the cache", warm)):
        wall, processor = (min(seconds) for seconds in zip(*runs, strict=True))
        say(f"tilegpu render {trace.stem}, {what}: {wall:.1f} s, {processor:.1f} s of CPU time")


def _rendered_twice(trace: Path) -> tuple[tuple[float, float], tuple[float, float]]:
    with tempfile.TemporaryDirectory() as folder:
        return _rendered(trace, Path(folder)), _rendered(trace, Path(folder))


def _rendered(trace: Path, folder: Path) -> tuple[float, float]:
    command = [sys.executable, "-c", "from tilegpu.tools.main import main; main()"]
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [*command, "render", trace, "-o", folder / "images"], env=environment, capture_output=True, check=True
    )
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
