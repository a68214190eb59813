"""Speed beside Mesa's software renderers, in one run: `make bench`.

CPU time per frame in steady state of rendering and of recording at level visible, as ratios to softpipe and llvmpipe
(single-threaded) replaying the same trace with eglretrace, with the rate of the stream reader; then the first use of
`tilegpu render`, the rate of the timing engine, and what its compilation takes. Absolute times depend on the machine;
the ratios much less.
"""

from __future__ import annotations

import gc
import os
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tilegpu.functional.capture import Trace
from tilegpu.functional.garbage import SELDOM
from tilegpu.functional.player import Frame, Player
from tilegpu.functional.record import record
from tilegpu.functional.stage_clock import FRAMES, SilentClock
from tilegpu.tools.demo import scene_folder

from . import kernels, timing
from .anisotropy import with_anisotropy
from .first_use import first_use
from .peers import ROUNDS, PeerFailed, frame_seconds, last_frame, repeat_last_frame

out = Console(highlight=False, width=140)
LEAST_SECONDS = 1e-4
ANISOTROPIC = "game_etr_720p"
DRAW = re.compile("glDraw(Arrays|Elements|RangeElements)")
REPEATED = 40
"""How often the last frame is rendered and recorded again."""


def traces(chosen: list[str]) -> list[Path]:
    """Bundled scenes and, where they are, captured applications; all or those named."""
    found = sorted(scene_folder().glob("*.trace"))
    captures = os.environ.get("TILEGPU_CAPTURES")
    if captures:
        found += sorted(Path(captures).glob("*.trace"))
    return [path for path in found if not chosen or path.stem in chosen]


def rendering_seconds(longer: Path) -> float:
    """Median CPU seconds of rendering the last frame again and again, as peers do."""
    return statistics.median([frame.cpu_seconds for frame in Player(longer).run()][-REPEATED // 2 :])


class TablesClock(SilentClock):
    """Measures the CPU time of writing images and tables alone."""

    def __init__(self) -> None:
        self.seconds = 0.0

    @contextmanager
    def _measured(self) -> Iterator[None]:
        start = time.process_time()
        yield
        self.seconds += time.process_time() - start

    def stage(self, name: str) -> AbstractContextManager[None]:
        """A context whose time counts where it belongs to tables."""
        return self._measured() if name == FRAMES else super().stage(name)


def recording_seconds(longer: Path, folder: Path) -> float:
    """Mean CPU seconds of recording a frame at level visible, the first frame left out; most are the last one again.

    A mean, because small frames share row groups, which are written with some of them; the last row group is written
    after the last frame and counts too.
    """
    frames: list[float] = []
    clock, before_last_group = TablesClock(), 0.0

    def ended(frame: Frame, fraction: float) -> None:
        nonlocal before_last_group
        frames.append(frame.cpu_seconds)
        before_last_group = clock.seconds

    record(longer, folder, replace=True, on_frame=ended, clock=clock)
    last_group = clock.seconds - before_last_group
    return (sum(frames[1:] or frames) + last_group) / max(1, len(frames) - 1)


def measured_traces(chosen: list[str], folder: Path) -> list[Path]:
    """`traces`, and the game among them again with anisotropic filtering."""
    found = traces(chosen)
    games = [path for path in found if path.stem == ANISOTROPIC]
    return found + [with_anisotropy(path, folder / f"{path.stem}_8x.trace", 8.0, 6) for path in games]


def renderers(chosen: list[str], folder: Path) -> None:
    """The table of rendering and recording."""
    table = Table(
        "trace",
        "render ms",
        "record ms",
        "softpipe ms",
        "llvmpipe ms",
        "render/softpipe",
        "record/softpipe",
        "render/llvmpipe",
        "us a draw: render, record",
        "k calls/s read",
    )
    ratios = []
    for trace in measured_traces(chosen, folder):
        count = draws(trace)
        frames = len(list(Player(trace).run()))  # compiles what is not yet in the cache
        longer = repeat_last_frame(trace, folder / "longer.trace", REPEATED)
        ours = statistics.median(rendering_seconds(longer) for _ in range(ROUNDS))
        recorded = statistics.median(recording_seconds(longer, folder / "activity") for _ in range(ROUNDS))
        try:
            softpipe, llvmpipe = (frame_seconds(trace, driver) for driver in ("softpipe", "llvmpipe"))
        except PeerFailed as error:
            out.print(f"{error}: left out")
            continue
        # Peers are timed from frame to frame: too coarsely for captures of a few small ones. One frame is start-up.
        measured = min(softpipe, llvmpipe) >= LEAST_SECONDS and frames > 1
        if measured:
            ratios.append((ours / softpipe, recorded / softpipe, ours / llvmpipe))
        table.add_row(
            trace.stem,
            *(f"{1000 * seconds:.1f}" for seconds in (ours, recorded, softpipe, llvmpipe)),
            *(f"{ratio:.2f}x" if measured else "too short" for ratio in (ratios[-1] if measured else (0, 0, 0))),
            ", ".join(f"{1e6 * seconds / count:.0f}" for seconds in (ours, recorded)),
            f"{reading_rate(trace) / 1000:.0f}",
        )
    out.print(table)
    means = [statistics.geometric_mean(column) for column in zip(*ratios, strict=True)]
    out.print(
        f"geometric means of {len(ratios)}: rendering {means[0]:.2f}x softpipe's CPU time "
        f"and {means[2]:.2f}x llvmpipe's, recording {means[1]:.2f}x softpipe's"
    )


def draws(trace: Path) -> int:
    """Draws of the last frame; 1 if there is none."""
    calls = list(Trace(trace))
    first, last = last_frame(calls)
    return max(1, sum(DRAW.match(call.name) is not None for call in calls[first:last]))


def reading_rate(trace: Path) -> float:
    """Calls that the stream reader reads in a second of CPU time; the best of three times."""
    rates = []
    for _ in range(3):
        start = time.process_time()
        calls = sum(1 for _ in Trace(trace))
        rates.append(calls / (time.process_time() - start))
    return max(rates)


if __name__ == "__main__":
    if shutil.which("eglretrace") is None:
        sys.exit("the benchmark needs eglretrace: apt-get install apitrace libegl1 libgl1-mesa-dri libgles2")
    # As the command does.
    gc.set_threshold(*SELDOM)
    with tempfile.TemporaryDirectory() as name:
        renderers(sys.argv[1:], Path(name))
    first_use(traces(sys.argv[1:])[0], out.print)
    kernels.main(traces(sys.argv[1:]), out.print)
    timing.main(out.print)
