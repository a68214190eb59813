"""Speed of the timing engine: cycles per second, a large frame, the cold compilation, a start from the cache.

`python -m tests.bench.timing` runs these alone; `make bench` runs them after the renderers.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console

from tests.compute.programs.catalogue import PROGRAMS
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.record import record
from tilegpu.timing import load_configuration
from tilegpu.timing.assembly.build import build
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.assembly.variants import engine_of, load
from tilegpu.timing.loading.textures import operations as textures
from tilegpu.timing.loading.textures.read_lines import Reads
from tilegpu.timing.replay import replay, run_frame
from tilegpu.tools.demo import scene_folder

from .anisotropy import with_anisotropy

sys.path.insert(0, str(Path(__file__).parent.parent / "timing" / "helpers"))
from synthetic import synthetic  # noqa: E402

WATCHDOG = 1 << 22
GAME_FRAMES = FrameRange(2, 6)
GAME_SIZE = (640, 360)
FIRST_RUN = """
import time
from tilegpu.timing import load_configuration
from tilegpu.timing.assembly.ahead import compile_for, empty_frame_for
began, cpu = time.perf_counter(), time.process_time()
configuration = load_configuration({preset!r})
compile_for(configuration, empty_frame_for(configuration))
seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
print(seconds, cpu, next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def _memory_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


class Rate(NamedTuple):
    """What replaying frames took, the first one left out."""

    cycles: int
    seconds: float
    best: float
    loading_seconds: float


def replay_rate(activity: Path, preset: str) -> Rate:
    """Cycles and CPU time of replaying an activity on a machine that exists already; loading apart, a mean."""
    configuration = load_configuration(preset)
    loader = Loader(activity, configuration)
    engine, chip = engine_of(configuration), build(configuration)
    gpu = chip.gpu
    rates: list[tuple[int, float, float]] = []
    for number in loader.frames:
        began = time.process_time()
        frame = loader.load(number)
        loaded, before = time.process_time(), int(gpu.cycle)
        run_frame(engine, chip, frame, WATCHDOG)
        rates.append((int(gpu.cycle) - before, time.process_time() - loaded, loaded - began))
    cycles, seconds, loading = zip(*rates[1:], strict=True)
    best = max(c / s for c, s, _ in rates[1:])
    return Rate(sum(cycles), sum(seconds), best, sum(loading) / len(loading))


def rates(trace: Path, folder: Path, say: Callable[[str], None], preset: str = "ptr-2022") -> None:
    """Cycles per second of CPU time over frames of a capture."""
    record(trace, folder / trace.stem, FrameRange(0, 5), replace=True)
    rate = replay_rate(folder / trace.stem, preset)
    say(
        f"replaying {trace.stem} on {preset}: {rate.cycles:,} cycles, {rate.cycles / rate.seconds:,.0f} cycles/s "
        f"(best frame {rate.best:,.0f}), loading the tables {rate.loading_seconds:.2f} s a frame"
    )


def dispatches(folder: Path, say: Callable[[str], None]) -> None:
    """Cycles per second of the compute programs beside those of graphics, on both machines that run dispatches."""
    for name, program in PROGRAMS.items():
        program.record(folder / f"{name}.trace")
    for preset in ("emerald-case2", "mali-g52-mc1"):
        seen = {}
        for trace in (scene_folder() / "courtyard.trace", *(folder / f"{name}.trace" for name in PROGRAMS)):
            record(trace, folder / trace.stem, FrameRange(0, 5), groups=frozenset({"pass_images"}), replace=True)
            rate = replay_rate(folder / trace.stem, preset)
            seen[trace.stem] = rate.cycles / rate.seconds
        graphics = seen.pop("courtyard")
        each = ", ".join(f"{name} {speed / graphics:.2f}" for name, speed in seen.items())
        mean = statistics.geometric_mean(seen.values()) / graphics
        say(f"dispatches on {preset}, cycles/s as a share of courtyard's {graphics:,.0f}: mean {mean:.2f}; {each}")


class ReadsClock:
    """Takes the CPU time in which loaders find the lines of texture reads, while it is entered."""

    def __init__(self) -> None:
        self.seconds, self.reads = 0.0, 0
        self._kernel: Any = textures.texture_lines

    def _timed(self, *arguments: Any) -> Any:
        began = time.process_time()
        line = self._kernel(*arguments)
        self.seconds += time.process_time() - began
        self.reads += sum(len(a.pc) for a in arguments if isinstance(a, Reads))
        return line

    def __enter__(self) -> ReadsClock:
        textures.texture_lines = self._timed
        return self

    def __exit__(self, *_: object) -> None:
        textures.texture_lines = self._kernel


def whole_replay(trace: Path, folder: Path, say: Callable[[str], None]) -> None:
    """A game with 8x anisotropy, loading and all; what a texture read costs. Runs once before it counts."""
    game = with_anisotropy(trace, folder / "anisotropic.trace", 8.0, GAME_FRAMES.last)
    record(game, folder / "game", GAME_FRAMES, size=GAME_SIZE, replace=True)
    configuration = load_configuration("ptr-2022")
    replay(folder / "game", configuration, frames=[GAME_FRAMES.first])
    began = time.process_time()
    cycles = replay(folder / "game", configuration).totals()["gpu.cycles"]
    seconds = time.process_time() - began
    loader = Loader(folder / "game", configuration)
    began = time.process_time()
    with ReadsClock() as clock:
        for number in loader.frames:
            loader.load(number)
    loading = time.process_time() - began
    say(
        f"whole replay of {trace.stem} with 8x anisotropy, {len(loader.frames)} frames: {cycles:,.0f} cycles, "
        f"{cycles / seconds:,.0f} cycles/s; loading {loading / (seconds - loading):.2f} of the rest; "
        f"{clock.reads:,} texture reads, {1e9 * clock.seconds / clock.reads:.0f} ns each to find their lines"
    )


def large_frame(say: Callable[[str], None]) -> None:
    """A synthetic frame of 1920 x 1088 pixels and 1.3 million quads."""
    frame = synthetic(tiles_x=60, tiles_y=34, primitives=22, largest=10, spread=64)
    configuration = load_configuration("ptr-2022")
    chip = build(configuration)
    gpu = chip.gpu
    began = time.process_time()
    run_frame(load(), chip, frame, WATCHDOG)
    seconds = time.process_time() - began
    say(
        f"synthetic frame: {len(frame.tiling.quad):,} quads, {int(gpu.cycle):,} cycles in {seconds:.1f} s, "
        f"{int(gpu.cycle) / seconds:,.0f} cycles/s, {_memory_mb():,.0f} MB"
    )


def first_runs(folder: Path, say: Callable[[str], None]) -> None:
    """The first run ever compiles; the second finds the code on disk."""
    for what, preset in (
        ("cold: compiling the baseline machine", "ptr-2022"),
        ("cached: starting it again", "ptr-2022"),
        ("cold: compiling the SIMT machine", "emerald-case2"),
    ):
        program = FIRST_RUN.format(preset=preset)
        environment = dict(os.environ, XDG_CACHE_HOME=str(folder / "cache"))
        ran = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        )
        wall, cpu, kilobytes = map(float, ran.stdout.split())
        say(f"{what}: {wall:.1f} s ({cpu:.1f} s of CPU time), {kilobytes / 1024:,.0f} MB")


def main(say: Callable[[str], None]) -> None:
    """All of them; captured applications where they are."""
    captures = os.environ.get("TILEGPU_CAPTURES")
    with tempfile.TemporaryDirectory() as name:
        rates(scene_folder() / "courtyard.trace", Path(name), say)
        rates(scene_folder() / "courtyard.trace", Path(name), say, "emerald-case2")
        if captures:
            rates(Path(captures) / "game_etr_720p.trace", Path(name), say)
            rates(Path(captures) / "game_etr_720p.trace", Path(name), say, "emerald-case2")
            whole_replay(Path(captures) / "game_etr_720p.trace", Path(name), say)
        dispatches(Path(name), say)
        large_frame(say)
        first_runs(Path(name), say)


if __name__ == "__main__":
    main(Console(highlight=False, width=140).print)
