"""CPU time per frame of Mesa's software renderers, replaying a trace with eglretrace."""

from __future__ import annotations

import os
import re
import resource
import statistics
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tilegpu.functional.capture import Call, Trace
from tilegpu.functional.capture.writer import TraceWriter

LOOPS = (20, 200)
ENOUGH_SECONDS = 1.0
"""What the extra frames have to add up to before their share of a replay's CPU time says anything."""
FEW, MANY, ROUNDS = 100, (300, 900), 3
ENOUGH_REPEATED_SECONDS = 4.0
"""How often the last frame of captures that do not loop is written again, and what the frames between these have to add
up to: start-up is long beside them, and its time is not the same twice. Rounds of which the median counts."""


class PeerFailed(RuntimeError):
    """The peer crashed, or rendered nothing."""


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
    done = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = re.findall(r"Rendered (\d+) frames", done.stdout + done.stderr)
    if done.returncode or not found:
        raise PeerFailed(f"{trace}: eglretrace ended with status {done.returncode} with {driver}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, int(found[-1])


def loops(trace: Path) -> bool:
    """Whether a replay can draw the last frame again; programs that clean up behind it leave nothing to do so with."""
    once = replay_seconds(trace, "llvmpipe", 0)[1]
    try:
        return replay_seconds(trace, "llvmpipe", 1)[1] > once
    except PeerFailed:
        return False


def frame_seconds(trace: Path, driver: str) -> float:
    """CPU seconds of a frame in steady state: what each frame of a longer replay adds; at least a microsecond."""
    if not loops(trace):
        return _repeated_seconds(trace, driver)
    short, few = replay_seconds(trace, driver, 0)
    for count in LOOPS:
        long, many = replay_seconds(trace, driver, count)
        if long - short >= ENOUGH_SECONDS:
            break
    return max((long - short) / (many - few), 1e-6)


def _repeated_seconds(trace: Path, driver: str) -> float:
    """`frame_seconds` of a capture whose last frame is written again instead; the median of some rounds."""
    with tempfile.TemporaryDirectory() as folder:
        short = repeat_last_frame(trace, Path(folder) / "short.trace", FEW)
        for count in MANY:
            long = repeat_last_frame(trace, Path(folder) / "long.trace", count)
            rounds = [_difference(short, long, driver)]
            if rounds[0][0] >= ENOUGH_REPEATED_SECONDS:
                break
        rounds += [_difference(short, long, driver) for _ in range(ROUNDS - 1)]
    if any(frames == 0 for _, frames in rounds):
        raise PeerFailed(f"{trace}: its last frame cannot be repeated")
    return max(statistics.median(seconds / frames for seconds, frames in rounds), 1e-6)


def _difference(short: Path, long: Path, driver: str) -> tuple[float, int]:
    """CPU seconds and frames that one replay has more than another one."""
    (few_seconds, few), (many_seconds, many) = (replay_seconds(trace, driver, 0) for trace in (short, long))
    return many_seconds - few_seconds, many - few


def last_frame(calls: Sequence[Call]) -> tuple[int, int]:
    """The calls between the last two buffer swaps: the first of them, and the one after the last."""
    swaps = [i for i, call in enumerate(calls) if call.ends_frame]
    return (swaps[-2] + 1 if len(swaps) > 1 else swaps[-1]), swaps[-1] + 1


def repeat_last_frame(trace: Path, path: Path, times: int) -> Path:
    """Write a capture again with the calls between its last two buffer swaps repeated before what follows them."""
    calls = list(Trace(trace))
    first, last = last_frame(calls)
    with TraceWriter(path) as writer:
        for call in (*calls[:last], *(calls[first:last] * times), *calls[last:]):
            writer.write(call)
    return path
