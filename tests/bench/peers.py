"""CPU time per frame of Mesa's software renderers, replaying a trace with eglretrace."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import tempfile
from pathlib import Path

from tilegpu.functional.capture import Trace
from tilegpu.functional.capture.writer import TraceWriter

LOOPS = (20, 200)
ENOUGH_SECONDS = 1.0
"""What the extra frames have to add up to before their share of a replay's CPU time says anything."""


def replay_seconds(trace: Path, driver: str, loops: int) -> tuple[float, int]:
    """CPU seconds and frames of one replay; the last frame is drawn `loops` times more."""
    environment = dict(
        os.environ,
        WAFFLE_PLATFORM="surfaceless_egl",
        LIBGL_ALWAYS_SOFTWARE="1",
        GALLIUM_DRIVER=driver,
        LP_NUM_THREADS="0",
        MESA_SHADER_CACHE_DISABLE="true",
    )
    command = ["eglretrace", "--headless", "-b", *([f"--loop={loops}"] if loops else []), str(trace)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace", check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = re.findall(r"Rendered (\d+) frames", done.stdout + done.stderr)
    if not found:
        raise RuntimeError(f"{trace}: eglretrace rendered nothing with {driver}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, int(found[-1])


def frame_seconds(trace: Path, driver: str) -> float:
    """CPU seconds of a frame in steady state: what each frame of a longer replay adds; at least a microsecond."""
    short, few = replay_seconds(trace, driver, 0)
    with tempfile.TemporaryDirectory() as folder:
        for loops in LOOPS:
            long, many = replay_seconds(trace, driver, loops)
            if many == few:
                # Programs that clean up behind their last frame leave nothing to draw it with again.
                longer = repeat_last_frame(trace, Path(folder) / "longer.trace", loops)
                long, many = replay_seconds(longer, driver, 0)
            if long - short >= ENOUGH_SECONDS:
                break
    if many == few:
        raise RuntimeError(f"{trace}: its last frame cannot be repeated")
    return max((long - short) / (many - few), 1e-6)


def repeat_last_frame(trace: Path, path: Path, times: int) -> Path:
    """Write a capture again with the calls between its last two buffer swaps repeated before what follows them."""
    calls = list(Trace(trace))
    swaps = [i for i, call in enumerate(calls) if call.ends_frame]
    first, last = (swaps[-2] + 1 if len(swaps) > 1 else swaps[-1]), swaps[-1] + 1
    with TraceWriter(path) as writer:
        for call in (*calls[:last], *(calls[first:last] * times), *calls[last:]):
            writer.write(call)
    return path
